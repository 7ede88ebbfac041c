/* file/npz.c — see npz.h. The only file that knows libzip. */
#include "file/npz.h"

#include <string.h>
#include <zip.h>

#include "file/npy.h"

enum { MEMBERS_MAX = 4096, RATIO_MAX = 1100, DOS_DATE_1980_01_01 = (0 << 9) | (1 << 5) | 1 };

static const uint64_t unpacked_max = UINT64_C(1) << 30;

/* An archive without members, and the end of every other: libzip would write nothing for one. */
static const uint8_t end_of_central_directory[22] = {'P', 'K', 5, 6};

static bool not_a_zip(struct error *error, zip_error_t *reason)
{
    error_set(error, ERROR_INPUT, "It is not a sound npz file: %s.", zip_error_strerror(reason));
    zip_error_fini(reason);
    return false;
}

/* Opens the bytes as an archive. NULL on failure. The caller closes it with zip_discard. */
static zip_t *open_archive(struct bytes file, struct error *error)
{
    /* libzip takes nothing at all for an empty archive. */
    if (file.size < sizeof end_of_central_directory) {
        error_set(error, ERROR_INPUT, "It is not an npz file: it has only %zu bytes.", file.size);
        return NULL;
    }
    zip_error_t reason;
    zip_error_init(&reason);
    zip_source_t *source = zip_source_buffer_create(file.at, file.size, 0, &reason);
    zip_t *archive = NULL;
    if (source != NULL) {
        archive = zip_open_from_source(source, ZIP_CHECKCONS | ZIP_RDONLY, &reason);
    }
    if (archive == NULL) {
        zip_source_free(source);
        not_a_zip(error, &reason);
        return NULL;
    }
    zip_error_fini(&reason);
    return archive;
}

/* The name of an npy member without ".npy", owned by the arena; NULL for any other member. */
static const char *array_name(zip_t *archive, uint64_t index, struct arena *arena)
{
    const char *name = zip_get_name(archive, index, ZIP_FL_ENC_GUESS);
    size_t length = name == NULL ? 0 : strlen(name);
    if (length <= 4 || strcmp(name + length - 4, ".npy") != 0) {
        return NULL;
    }
    return arena_text(arena, name, length - 4);
}

static bool within_limits(zip_t *archive, struct error *error)
{
    zip_int64_t count = zip_get_num_entries(archive, 0);
    if (count > MEMBERS_MAX) {
        return error_set(error, ERROR_INPUT, "It has more than %d members.", MEMBERS_MAX);
    }
    uint64_t total = 0;
    for (zip_int64_t i = 0; i < count; i++) {
        zip_stat_t member;
        zip_stat_init(&member);
        zip_uint64_t known = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
        if (zip_stat_index(archive, (zip_uint64_t)i, 0, &member) != 0 ||
            (member.valid & known) != known) {
            return error_set(error, ERROR_INPUT, "Its list of members is damaged.");
        }
        if ((member.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 &&
            member.encryption_method != ZIP_EM_NONE) {
            return error_set(error, ERROR_INPUT, "It is encrypted.");
        }
        if (member.comp_method != ZIP_CM_STORE && member.comp_method != ZIP_CM_DEFLATE) {
            return error_set(error, ERROR_INPUT, "It is packed in a way NumPy does not use.");
        }
        if (member.size > unpacked_max || member.size / RATIO_MAX > member.comp_size) {
            return error_set(error, ERROR_INPUT,
                             "It expands to far more than its size; not opened.");
        }
        total += member.size;
    }
    if (total > unpacked_max) {
        return error_set(error, ERROR_INPUT, "It expands to more than 1 GiB; not opened.");
    }
    return true;
}

static bool unpack(zip_t *archive, uint64_t index, struct arena *arena, struct bytes *out,
                   struct error *error)
{
    zip_stat_t member;
    zip_file_t *opened = NULL;
    if (zip_stat_index(archive, index, 0, &member) == 0) {
        opened = zip_fopen_index(archive, index, 0);
    }
    if (opened == NULL) {
        return error_set(error, ERROR_INPUT, "A member cannot be unpacked: %s.",
                         zip_strerror(archive));
    }
    /* One byte more than it says: the read that finds nothing there has checked the checksum. */
    uint8_t *bytes = arena_alloc(arena, (size_t)member.size + 1);
    uint64_t size = 0;
    zip_int64_t step = 1;
    while (bytes != NULL && step > 0 && size <= member.size) {
        step = zip_fread(opened, bytes + size, member.size + 1 - size);
        size += step > 0 ? (uint64_t)step : 0;
    }
    zip_fclose(opened);
    if (bytes == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to unpack it.");
    }
    if (step < 0 || size != member.size) {
        return error_set(error, ERROR_INPUT, "The member \"%s\" is damaged.", member.name);
    }
    *out = (struct bytes){bytes, (size_t)size};
    return true;
}

static bool read_member(zip_t *archive, uint64_t index, const char *name, struct arena *arena,
                        struct array *out, struct error *error)
{
    struct bytes content;
    struct error reason = {0};
    if (!unpack(archive, index, arena, &content, error)) {
        return false;
    }
    if (!npy_read(content, out, &reason)) {
        return error_set(error, reason.code, "The array \"%s\" cannot be read: %s", name,
                         reason.text);
    }
    out->name = name;
    return true;
}

static bool is_taken(const struct array *arrays, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(arrays[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_members(zip_t *archive, struct arena *arena, const struct array **arrays,
                         size_t *count, struct error *error)
{
    if (!within_limits(archive, error)) {
        return false;
    }
    uint64_t members = (uint64_t)zip_get_num_entries(archive, 0);
    struct array *list = arena_array(arena, (size_t)members, sizeof *list);
    if (list == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for its arrays.");
    }
    size_t found = 0;
    for (uint64_t i = 0; i < members; i++) {
        const char *name = array_name(archive, i, arena);
        if (name == NULL) {
            continue;
        }
        if (is_taken(list, found, name)) {
            return error_set(error, ERROR_INPUT, "It holds the array \"%s\" twice.", name);
        }
        if (!read_member(archive, i, name, arena, &list[found], error)) {
            return false;
        }
        found++;
    }
    *arrays = list;
    *count = found;
    return true;
}

bool npz_read(struct bytes file, struct arena *arena, const struct array **arrays, size_t *count,
              struct error *error)
{
    zip_t *archive = open_archive(file, error);
    if (archive == NULL) {
        return false;
    }
    bool done = read_members(archive, arena, arrays, count, error);
    zip_discard(archive);
    return done;
}

bool npz_read_one(struct bytes file, const char *name, struct arena *arena, struct array *out,
                  struct error *error)
{
    zip_t *archive = open_archive(file, error);
    if (archive == NULL) {
        return false;
    }
    bool done = false;
    const char *member = arena_format(arena, "%s.npy", name);
    const char *kept_name = arena_format(arena, "%s", name);
    zip_int64_t index = member == NULL ? -1 : zip_name_locate(archive, member, 0);
    if (within_limits(archive, error)) {
        done = index < 0 || kept_name == NULL
                   ? error_set(error, ERROR_INPUT, "It holds no array \"%s\".", name)
                   : read_member(archive, (uint64_t)index, kept_name, arena, out, error);
    }
    zip_discard(archive);
    return done;
}

/* Adds one array; its bytes stay in the arena until the archive is closed. */
static bool add_array(zip_t *archive, const struct array *array, struct arena *arena,
                      struct error *error)
{
    struct bytes content;
    const char *name = arena_format(arena, "%s.npy", array->name);
    if (name == NULL || !npy_write(array, arena, &content, error)) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the arrays.");
    }
    zip_source_t *source = zip_source_buffer(archive, content.at, content.size, 0);
    zip_int64_t index = source == NULL ? -1 : zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return error_set(error, ERROR_INPUT, "The array \"%s\" cannot be added: %s.", array->name,
                         zip_strerror(archive));
    }
    /* Stored, not packed: what packing gives depends on the library's version. */
    zip_uint64_t place = (zip_uint64_t)index;
    bool fine =
        zip_set_file_compression(archive, place, ZIP_CM_STORE, 0) == 0 &&
        zip_file_set_dostime(archive, place, 0, DOS_DATE_1980_01_01, 0) == 0 &&
        zip_file_set_external_attributes(archive, place, 0, ZIP_OPSYS_UNIX, 0100644U << 16) == 0;
    return fine || error_set(error, ERROR_INPUT, "The array \"%s\" cannot be added: %s.",
                             array->name, zip_strerror(archive));
}

static bool take_bytes(zip_source_t *source, struct arena *arena, struct bytes *out,
                       struct error *error)
{
    zip_stat_t whole;
    zip_stat_init(&whole);
    if (zip_source_stat(source, &whole) != 0 || zip_source_open(source) != 0) {
        return error_set(error, ERROR_MEMORY, "The npz file cannot be put together.");
    }
    uint8_t *bytes = arena_alloc(arena, (size_t)whole.size);
    zip_int64_t size = bytes == NULL ? -1 : zip_source_read(source, bytes, whole.size);
    zip_source_close(source);
    if (size < 0 || (zip_uint64_t)size != whole.size) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the npz file.");
    }
    *out = (struct bytes){bytes, (size_t)size};
    return true;
}

bool npz_write(const struct array *arrays, size_t count, struct arena *arena, struct bytes *out,
               struct error *error)
{
    if (count == 0) {
        *out = (struct bytes){end_of_central_directory, sizeof end_of_central_directory};
        return true;
    }
    zip_error_t reason;
    zip_error_init(&reason);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &reason);
    zip_t *archive = source == NULL ? NULL : zip_open_from_source(source, ZIP_TRUNCATE, &reason);
    if (archive == NULL) {
        zip_source_free(source);
        return not_a_zip(error, &reason);
    }
    zip_error_fini(&reason);
    zip_source_keep(source); /* closing the archive lets go of it once */
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        fine = add_array(archive, &arrays[i], arena, error);
    }
    if (fine && zip_close(archive) != 0) {
        fine = error_set(error, ERROR_MEMORY, "The npz file cannot be put together: %s.",
                         zip_strerror(archive));
    }
    if (!fine) {
        zip_discard(archive);
    }
    fine = fine && take_bytes(source, arena, out, error);
    zip_source_free(source);
    return fine;
}

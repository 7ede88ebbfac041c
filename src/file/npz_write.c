/* file/npz_write.c — the writer of npz.h. libzip asks each member for its bytes when the archive is
 * closed, and gives the archive's away as they come: neither is ever whole in memory. */
#include "file/npz.h"

#include <string.h>

#include <zip.h>

#include "file/npy.h"

enum { DOS_DATE_1980_01_01 = (0 << 9) | (1 << 5) | 1 };

/* An archive without members, and the end of every other: libzip would write nothing for one. */
static const uint8_t end_of_central_directory[22] = {'P', 'K', 5, 6};

/* An archive on its way. */
struct archive {
    struct growing *out;
    uint64_t start, place; /* where it begins in out; where libzip writes next, from there on */
    zip_error_t reason;    /* why that failed, for libzip */
    struct error error;    /* the first member's that could not be made */
};

/* An npy file in it. */
struct member {
    struct archive *archive;
    struct npy_parts parts;
    struct bytes rest; /* of the part at hand */
    zip_error_t reason;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the npz file.");
}

/* ---- a member, as libzip reads it ------------------------------------------------------------ */

static zip_int64_t read_bytes(struct member *member, uint8_t *data, uint64_t wanted)
{
    uint64_t done = 0;
    bool more = true;
    while (more && done < wanted) {
        if (member->rest.size == 0 &&
            !npy_parts_next(&member->parts, &member->rest, &member->archive->error)) {
            zip_error_set(&member->reason, ZIP_ER_READ, 0);
            return -1;
        }
        const uint64_t left = wanted - done;
        const size_t step = member->rest.size < left ? member->rest.size : (size_t)left;
        more = step > 0; /* a part without bytes is the last one */
        if (more) {
            memcpy(data + done, member->rest.at, step);
            member->rest = (struct bytes){member->rest.at + step, member->rest.size - step};
            done += step;
        }
    }
    return (zip_int64_t)done;
}

static zip_int64_t describe_member(const struct member *member, zip_stat_t *facts)
{
    zip_stat_init(facts);
    facts->size = facts->comp_size = member->parts.size;
    facts->comp_method = ZIP_CM_STORE;
    facts->encryption_method = ZIP_EM_NONE;
    facts->valid =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    return sizeof *facts;
}

static zip_int64_t serve_member(void *owner, void *data, zip_uint64_t size, zip_source_cmd_t asked)
{
    struct member *const member = owner;
    switch (asked) {
    case ZIP_SOURCE_OPEN:
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_READ:
        return read_bytes(member, data, size);
    case ZIP_SOURCE_STAT:
        return describe_member(member, data);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&member->reason, data, size);
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                              -1);
    default:
        zip_error_set(&member->reason, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

/* ---- the archive, as libzip writes it -------------------------------------------------------- */

/* Behind all, or in place of what is there: a header once more, when its checksum is known. */
static zip_int64_t write_bytes(struct archive *archive, const void *data, uint64_t size)
{
    struct growing *const out = archive->out;
    const uint64_t length = growing_length(out) - archive->start;
    const size_t over = archive->place >= length         ? 0
                        : length - archive->place < size ? (size_t)(length - archive->place)
                                                         : (size_t)size;
    growing_replace(out, archive->start + archive->place, data, over);
    growing_put(out, (const uint8_t *)data + over, (size_t)size - over);
    archive->place += size;
    if (out->failed) {
        zip_error_set(&archive->reason, ZIP_ER_WRITE, 0);
        return -1;
    }
    return (zip_int64_t)size;
}

static zip_int64_t move_to(struct archive *archive, void *data, uint64_t size)
{
    const uint64_t length = growing_length(archive->out) - archive->start;
    const zip_int64_t place =
        zip_source_seek_compute_offset(archive->place, length, data, size, &archive->reason);
    archive->place = place < 0 ? archive->place : (uint64_t)place;
    return place < 0 ? -1 : 0;
}

/* Before it is written it is empty; it is never read. */
static zip_int64_t describe_archive(zip_stat_t *facts)
{
    zip_stat_init(facts);
    facts->size = 0;
    facts->valid = ZIP_STAT_SIZE;
    return sizeof *facts;
}

static zip_int64_t serve_archive(void *owner, void *data, zip_uint64_t size, zip_source_cmd_t asked)
{
    struct archive *const archive = owner;
    switch (asked) {
    case ZIP_SOURCE_WRITE:
        return write_bytes(archive, data, size);
    case ZIP_SOURCE_SEEK_WRITE:
        return move_to(archive, data, size);
    case ZIP_SOURCE_TELL_WRITE:
        return (zip_int64_t)archive->place;
    case ZIP_SOURCE_STAT:
        return describe_archive(data);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&archive->reason, data, size);
    case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_WRITABLE;
    default: /* nothing is to be done, and there is nothing to read */
        return 0;
    }
}

/* An archive to be written. NULL: no memory. */
static zip_t *begin_archive(struct archive *archive)
{
    zip_error_t reason;
    zip_error_init(&reason);
    zip_source_t *const target = zip_source_function_create(serve_archive, archive, &reason);
    zip_t *const zip = target == NULL ? NULL : zip_open_from_source(target, ZIP_TRUNCATE, &reason);
    if (zip == NULL) {
        zip_source_free(target);
    }
    zip_error_fini(&reason);
    return zip;
}

/* ---- its members ----------------------------------------------------------------------------- */

/* Two arrays of one name, or no memory. */
static bool is_not_added(zip_t *zip, const char *name, struct error *error)
{
    zip_error_t *const reason = zip_get_error(zip);
    return zip_error_code_zip(reason) == ZIP_ER_MEMORY
               ? no_memory(error)
               : error_set(error, ERROR_INPUT, "The array \"%s\" cannot be added: %s.", name,
                           zip_error_strerror(reason));
}

/* The member stays where it is until the archive is closed. */
static bool add_member(zip_t *zip, const char *name, struct member *member, struct error *error)
{
    const char *const file = arena_format(member->archive->out->arena, "%s.npy", name);
    if (file == NULL) {
        return no_memory(error);
    }
    zip_error_init(&member->reason);
    zip_source_t *const source = zip_source_function(zip, serve_member, member);
    const zip_int64_t index =
        source == NULL ? -1 : zip_file_add(zip, file, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return is_not_added(zip, name, error);
    }
    /* Stored, not packed: what packing gives depends on the library's version. */
    const zip_uint64_t place = (zip_uint64_t)index;
    const int wrong[] = {
        zip_set_file_compression(zip, place, ZIP_CM_STORE, 0),
        zip_file_set_dostime(zip, place, 0, DOS_DATE_1980_01_01, 0),
        zip_file_set_external_attributes(zip, place, 0, ZIP_OPSYS_UNIX, 0100644U << 16),
    };
    return (wrong[0] | wrong[1] | wrong[2]) == 0 || is_not_added(zip, name, error);
}

/* Writes all. False: a member could not be made, or there is no room for it. */
static bool finish_archive(zip_t *zip, struct archive *archive, struct error *error)
{
    if (zip_close(zip) == 0) {
        return true;
    }
    zip_discard(zip);
    return archive->error.code != ERROR_NONE
               ? error_set(error, archive->error.code, "%s", archive->error.text)
               : no_memory(error);
}

bool npz_put(struct growing *out, const struct array *arrays, size_t count,
             const struct npz_texts *texts, size_t lists, struct error *error)
{
    struct archive archive = {
        .out = out, .start = growing_length(out), .error = {ERROR_NONE, 0, ""}};
    if (count + lists == 0) {
        growing_put(out, end_of_central_directory, sizeof end_of_central_directory);
        return true;
    }
    struct member *const member = arena_array(out->arena, count + lists, sizeof *member);
    zip_error_init(&archive.reason);
    zip_t *const zip = member == NULL ? NULL : begin_archive(&archive);
    if (zip == NULL) {
        return no_memory(error);
    }
    bool fine = true;
    for (size_t m = 0; fine && m < count + lists; m++) {
        const struct npz_texts *const list = m < count ? NULL : &texts[m - count];
        struct npy_parts *const parts = &member[m].parts;
        member[m].archive = &archive;
        fine = (list == NULL
                    ? npy_parts_of(&arrays[m], out->arena, parts, error)
                    : npy_parts_of_texts(list->text, list->count, out->arena, parts, error)) &&
               add_member(zip, list == NULL ? arrays[m].name : list->name, &member[m], error);
    }
    if (!fine) {
        zip_discard(zip);
    }
    return fine && finish_archive(zip, &archive, error);
}

bool npz_write(const struct array *arrays, size_t count, struct arena *arena, struct bytes *out,
               struct error *error)
{
    struct growing file = growing_start(arena);
    return npz_put(&file, arrays, count, NULL, 0, error) && growing_finish(&file, out, error);
}

/* file/npz_writer.c — the writer of npz.h. */
#include <zip.h>

#include "file/npy.h"
#include "file/npz.h"

enum { DOS_DATE_1980_01_01 = (0 << 9) | (1 << 5) | 1 };

/* An archive without members, and the end of every other: libzip would write nothing for one. */
static const uint8_t end_of_central_directory[22] = {'P', 'K', 5, 6};

/* It is put together in memory, where nothing else can be short. */
static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the npz file.");
}

/* Two arrays of one name, or no memory. */
static bool is_not_added(zip_t *archive, const struct array *array, struct error *error)
{
    zip_error_t *const reason = zip_get_error(archive);
    return zip_error_code_zip(reason) == ZIP_ER_MEMORY
               ? no_memory(error)
               : error_set(error, ERROR_INPUT, "The array \"%s\" cannot be added: %s.", array->name,
                           zip_error_strerror(reason));
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
        return is_not_added(archive, array, error);
    }
    /* Stored, not packed: what packing gives depends on the library's version. */
    const zip_uint64_t place = (zip_uint64_t)index;
    const int wrong[] = {
        zip_set_file_compression(archive, place, ZIP_CM_STORE, 0),
        zip_file_set_dostime(archive, place, 0, DOS_DATE_1980_01_01, 0),
        zip_file_set_external_attributes(archive, place, 0, ZIP_OPSYS_UNIX, 0100644U << 16),
    };
    return (wrong[0] | wrong[1] | wrong[2]) == 0 || is_not_added(archive, array, error);
}

static bool take_bytes(zip_source_t *source, struct arena *arena, struct bytes *out,
                       struct error *error)
{
    zip_stat_t whole;
    zip_stat_init(&whole);
    const int wrong[] = {zip_source_stat(source, &whole), zip_source_open(source)};
    if ((wrong[0] | wrong[1]) != 0) {
        return no_memory(error);
    }
    uint8_t *bytes = arena_alloc(arena, (size_t)whole.size);
    zip_int64_t size = bytes == NULL ? -1 : zip_source_read(source, bytes, whole.size);
    zip_source_close(source);
    if ((zip_uint64_t)size != whole.size) { /* less than 0 neither */
        return no_memory(error);
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
    zip_error_fini(&reason);
    if (archive == NULL) {
        zip_source_free(source);
        return no_memory(error);
    }
    zip_source_keep(source); /* closing the archive lets go of it once */
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        fine = add_array(archive, &arrays[i], arena, error);
    }
    if (fine && zip_close(archive) != 0) {
        fine = no_memory(error);
    }
    if (!fine) {
        zip_discard(archive);
    }
    fine = fine && take_bytes(source, arena, out, error);
    zip_source_free(source);
    return fine;
}

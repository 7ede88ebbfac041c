/* fail.h — calls of libzip, which fail as they do when memory ends inside it (FAIL_ZIP). */
#include <zip.h>

#include "fail.h"

zip_source_t *__real_zip_source_buffer_create(const void *at, zip_uint64_t size, int frees,
                                              zip_error_t *error);
zip_source_t *__real_zip_source_buffer(zip_t *archive, const void *at, zip_uint64_t size,
                                       int frees);
zip_t *__real_zip_open_from_source(zip_source_t *source, int flags, zip_error_t *error);
zip_file_t *__real_zip_fopen_index(zip_t *archive, zip_uint64_t index, zip_flags_t flags);
zip_int64_t __real_zip_fread(zip_file_t *file, void *out, zip_uint64_t size);
const char *__real_zip_get_name(zip_t *archive, zip_uint64_t index, zip_flags_t flags);
zip_int64_t __real_zip_file_add(zip_t *archive, const char *name, zip_source_t *source,
                                zip_flags_t flags);
int __real_zip_set_file_compression(zip_t *archive, zip_uint64_t index, zip_int32_t method,
                                    zip_uint32_t flags);
int __real_zip_source_open(zip_source_t *source);
int __real_zip_close(zip_t *archive);

zip_source_t *__wrap_zip_source_buffer_create(const void *at, zip_uint64_t size, int frees,
                                              zip_error_t *error);
zip_source_t *__wrap_zip_source_buffer(zip_t *archive, const void *at, zip_uint64_t size,
                                       int frees);
zip_t *__wrap_zip_open_from_source(zip_source_t *source, int flags, zip_error_t *error);
zip_file_t *__wrap_zip_fopen_index(zip_t *archive, zip_uint64_t index, zip_flags_t flags);
zip_int64_t __wrap_zip_fread(zip_file_t *file, void *out, zip_uint64_t size);
const char *__wrap_zip_get_name(zip_t *archive, zip_uint64_t index, zip_flags_t flags);
zip_int64_t __wrap_zip_file_add(zip_t *archive, const char *name, zip_source_t *source,
                                zip_flags_t flags);
int __wrap_zip_set_file_compression(zip_t *archive, zip_uint64_t index, zip_int32_t method,
                                    zip_uint32_t flags);
int __wrap_zip_source_open(zip_source_t *source);
int __wrap_zip_close(zip_t *archive);

static bool refuse_memory(zip_error_t *error)
{
    const bool failed = fail_hits(FAIL_ZIP);
    if (failed && error != NULL) {
        zip_error_set(error, ZIP_ER_MEMORY, 0);
    }
    return failed;
}

zip_source_t *__wrap_zip_source_buffer_create(const void *at, zip_uint64_t size, int frees,
                                              zip_error_t *error)
{
    return refuse_memory(error) ? NULL : __real_zip_source_buffer_create(at, size, frees, error);
}

zip_source_t *__wrap_zip_source_buffer(zip_t *archive, const void *at, zip_uint64_t size, int frees)
{
    return refuse_memory(zip_get_error(archive))
               ? NULL
               : __real_zip_source_buffer(archive, at, size, frees);
}

zip_t *__wrap_zip_open_from_source(zip_source_t *source, int flags, zip_error_t *error)
{
    return refuse_memory(error) ? NULL : __real_zip_open_from_source(source, flags, error);
}

zip_file_t *__wrap_zip_fopen_index(zip_t *archive, zip_uint64_t index, zip_flags_t flags)
{
    return refuse_memory(zip_get_error(archive)) ? NULL
                                                 : __real_zip_fopen_index(archive, index, flags);
}

zip_int64_t __wrap_zip_fread(zip_file_t *file, void *out, zip_uint64_t size)
{
    return refuse_memory(zip_file_get_error(file)) ? -1 : __real_zip_fread(file, out, size);
}

const char *__wrap_zip_get_name(zip_t *archive, zip_uint64_t index, zip_flags_t flags)
{
    return refuse_memory(zip_get_error(archive)) ? NULL
                                                 : __real_zip_get_name(archive, index, flags);
}

zip_int64_t __wrap_zip_file_add(zip_t *archive, const char *name, zip_source_t *source,
                                zip_flags_t flags)
{
    return refuse_memory(zip_get_error(archive))
               ? -1
               : __real_zip_file_add(archive, name, source, flags);
}

int __wrap_zip_set_file_compression(zip_t *archive, zip_uint64_t index, zip_int32_t method,
                                    zip_uint32_t flags)
{
    return refuse_memory(zip_get_error(archive))
               ? -1
               : __real_zip_set_file_compression(archive, index, method, flags);
}

int __wrap_zip_source_open(zip_source_t *source)
{
    return refuse_memory(zip_source_error(source)) ? -1 : __real_zip_source_open(source);
}

int __wrap_zip_close(zip_t *archive)
{
    return refuse_memory(zip_get_error(archive)) ? -1 : __real_zip_close(archive);
}

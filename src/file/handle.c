/* file/handle.c — see handle.h. */
#include "file/handle.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "file/folder.h"

enum { SETTINGS_MAX = 8 };

struct file_handle {
    atomic_size_t holders;
    struct arena arena; /* of all that follows */
    const char *path;
    enum file_kind kind;
    struct file_mark mark;
    struct file_map map;
    struct error refusal;       /* why there is no map; ERROR_NONE: nobody has asked for it */
    struct file_arrays *arrays; /* NULL: they were not listed */
    struct gguf_files *gguf;    /* NULL: it was not read */
    struct {
        const char *name;
        struct json *tree;
    } settings[SETTINGS_MAX]; /* the first `settings_count` */
    size_t settings_count;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to open this file.");
}

/* Standard input may be a pipe: its beginning is read, and there again for who reads it. */
static bool is_input(const struct file_handle *handle)
{
    return strcmp(handle->path, "-") == 0;
}

static bool is_mapped(const struct file_handle *handle)
{
    return handle->map.descriptor >= 0;
}

struct file_handle *file_handle_open(const char *path)
{
    struct file_handle *const handle = calloc(1, sizeof *handle);
    if (handle == NULL) {
        return NULL;
    }
    atomic_init(&handle->holders, 1);
    handle->map.descriptor = -1;
    handle->path = arena_text(&handle->arena, path, strlen(path));
    if (handle->path == NULL) {
        file_handle_release(handle);
        return NULL;
    }
    handle->mark = file_mark(path);
    const bool is_folder = system_is_folder(path);
    if (!is_folder && !is_input(handle)) {
        (void)file_map_open(path, &handle->map, &handle->refusal);
    }
    handle->kind = is_mapped(handle)               ? file_kind_of_beginning(handle->map.bytes)
                   : is_folder || is_input(handle) ? file_kind_of_path(path)
                                                   : FILE_KINDS;
    return handle;
}

struct file_handle *file_handle_keep(struct file_handle *handle)
{
    atomic_fetch_add_explicit(&handle->holders, 1, memory_order_relaxed);
    return handle;
}

void file_handle_release(struct file_handle *handle)
{
    if (handle == NULL ||
        atomic_fetch_sub_explicit(&handle->holders, 1, memory_order_acq_rel) != 1) {
        return;
    }
    for (size_t s = 0; s < handle->settings_count; s++) {
        json_release(handle->settings[s].tree);
    }
    if (handle->gguf != NULL) {
        gguf_files_close(handle->gguf);
    }
    file_map_close(&handle->map);
    arena_free(&handle->arena);
    free(handle);
}

const char *file_handle_path(const struct file_handle *handle)
{
    return handle->path;
}

enum file_kind file_handle_kind(const struct file_handle *handle)
{
    return handle == NULL ? FILE_KINDS : handle->kind;
}

struct file_mark file_handle_mark(const struct file_handle *handle)
{
    return handle->mark;
}

bool file_handle_map(struct file_handle *handle, struct bytes *out, struct error *error)
{
    if (handle == NULL) {
        return no_memory(error);
    }
    if (!is_mapped(handle) && handle->refusal.code == ERROR_NONE) {
        (void)file_map_open(handle->path, &handle->map, &handle->refusal);
    }
    *out = handle->map.bytes;
    return is_mapped(handle) || error_set(error, handle->refusal.code, "%s", handle->refusal.text);
}

bool file_handle_is_whole(const struct file_handle *handle)
{
    return file_map_is_whole(&handle->map);
}

bool file_handle_read(struct file_handle *handle, size_t limit, struct arena *arena,
                      struct bytes *out, struct error *error)
{
    struct bytes file;
    if (is_input(handle)) {
        return file_read(handle->path, limit, arena, out, error);
    }
    if (!file_handle_map(handle, &file, error)) {
        return false;
    }
    if (file.size > limit) {
        return error_set(error, ERROR_INPUT, "\"%s\" is too large: more than %zu bytes.",
                         handle->path, limit);
    }
    uint8_t *const copy = arena_alloc(arena, file.size + 1);
    if (copy == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to read \"%s\".",
                         handle->path);
    }
    if (file.size > 0) {
        memcpy(copy, file.at, file.size);
    }
    copy[file.size] = 0;
    *out = (struct bytes){copy, file.size};
    return true;
}

bool file_handle_arrays(struct file_handle *handle, struct file_arrays *out, struct error *error)
{
    struct bytes file;
    if (handle->arrays == NULL) {
        struct file_arrays *const arrays = arena_array(&handle->arena, 1, sizeof *arrays);
        if (arrays == NULL) {
            return no_memory(error);
        }
        *arrays = (struct file_arrays){.count = 0};
        if (!file_handle_map(handle, &file, error) ||
            !file_kind_row(file_kind_of(file))->list(file, &handle->arena, arrays, error)) {
            return false;
        }
        if (handle->arena.lacking) { /* something was left out */
            return no_memory(error);
        }
        handle->arrays = arrays;
    }
    *out = *handle->arrays;
    return true;
}

const struct gguf_files *file_handle_gguf(struct file_handle *handle, struct error *error)
{
    struct bytes file;
    if (handle->gguf == NULL && file_handle_map(handle, &file, error)) {
        struct gguf_files *const files = arena_array(&handle->arena, 1, sizeof *files);
        if (files == NULL) {
            (void)no_memory(error);
        } else if (gguf_files_open(handle->path, file, &handle->arena, files, error)) {
            handle->gguf = files;
        }
    }
    return handle->gguf;
}

const struct json *file_handle_settings(struct file_handle *folder, const char *name,
                                        struct error *error)
{
    for (size_t s = 0; s < folder->settings_count; s++) {
        if (strcmp(folder->settings[s].name, name) == 0) {
            return folder->settings[s].tree;
        }
    }
    if (is_mapped(folder)) {
        (void)error_set(error, ERROR_FILE, "\"%s\" cannot be opened: %s.", folder->path,
                        strerror(ENOTDIR));
        return NULL;
    }
    /* Seeds of training in a config.json have 64 bits; another program's may have larger numbers.
     */
    struct json *tree =
        strcmp(name, "config.json") == 0 ? folder_json_loose(folder->path, name, true, NULL) : NULL;
    tree = tree != NULL ? tree : folder_json_loose(folder->path, name, false, error);
    const char *const own = arena_text(&folder->arena, name, strlen(name));
    if (tree == NULL || own == NULL || folder->settings_count == SETTINGS_MAX) {
        json_release(tree);
        (void)(tree != NULL && no_memory(error));
        return NULL;
    }
    folder->settings[folder->settings_count].name = own;
    folder->settings[folder->settings_count++].tree = tree;
    return tree;
}

/* file/gguf_files.c — a model in one GGUF file or in several: NAME-00001-of-00003.gguf, each of
 * which says in its keys how many there are and which one it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/gguf.h"

enum { PATH_MAX_BYTES = 4096, NUMBER = 5, TAIL = sizeof "-00001-of-00003.gguf" - 1 };

/* The state of opening one model. */
struct reading {
    const char *path;
    struct bytes file; /* at that path */
    struct arena *arena;
    struct gguf_files *out;
    struct gguf *parts;
    struct error *error;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to open this file.");
}

static bool open_part(struct reading *reading, const char *path, size_t part)
{
    struct error reason = {ERROR_NONE, 0, ""};
    const char *const name = arena_text(reading->arena, file_name(path), strlen(file_name(path)));
    struct file_map *const map = &reading->out->maps[part];
    struct bytes file = reading->file;
    if (name == NULL) {
        return no_memory(reading->error);
    }
    ((const char **)reading->out->names)[part] =
        name; /* the array is the arena's, and was made here */
    *map = (struct file_map){.descriptor = -1};
    if (strcmp(path, reading->path) != 0) {
        if (!file_map_open(path, map, reading->error)) {
            return false;
        }
        file = map->bytes;
    }
    if (!gguf_read(file, reading->arena, &reading->parts[part], &reason)) {
        file_map_close(map);
        return error_set(reading->error, reason.code, "%s: %s", name, reason.text);
    }
    reading->out->count = part + 1;
    return true;
}

static uint64_t number_of(const struct gguf *gguf, const char *key)
{
    const struct gguf_value *const value = gguf_key(gguf, key);
    return value == NULL || value->type >= GGUF_FLOAT32 ? 0 : value->bits;
}

/* Returns whether the name ends as those of several files do. */
static bool has_tail(const char *path)
{
    const size_t length = strlen(path);
    const char *const tail = length < TAIL ? "" : path + length - TAIL;
    return strlen(tail) == TAIL && tail[0] == '-' && strncmp(tail + 1 + NUMBER, "-of-", 4) == 0 &&
           strcmp(tail + 1 + NUMBER + 4 + NUMBER, ".gguf") == 0;
}

static bool open_others(struct reading *reading, size_t count)
{
    char path[PATH_MAX_BYTES];
    const size_t length = strlen(reading->path);
    if (!has_tail(reading->path) || length >= sizeof path) {
        return error_set(reading->error, ERROR_INPUT,
                         "%.100s: it is one of %zu files, and its name does not end in "
                         "-00001-of-%05zu.gguf.",
                         file_name(reading->path), count, count);
    }
    for (size_t part = 0; part < count; part++) {
        snprintf(path, sizeof path, "%.*s-%05zu-of-%05zu.gguf", (int)(length - TAIL), reading->path,
                 part + 1, count);
        if (!open_part(reading, path, part)) {
            return false;
        }
        if (number_of(&reading->parts[part], "split.no") != part ||
            number_of(&reading->parts[part], "split.count") != count) {
            return error_set(reading->error, ERROR_INPUT,
                             "%.100s: split.no and split.count say that it is another of the "
                             "files.",
                             reading->out->names[part]);
        }
    }
    return true;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct gguf_tensor *)left)->name,
                  ((const struct gguf_tensor *)right)->name);
}

/* The tensors of all parts as those of one. */
static bool put_together(struct reading *reading)
{
    struct gguf *const whole = &reading->out->whole;
    size_t count = 0, next = 0;
    *whole = reading->parts[0];
    for (size_t part = 0; part < reading->out->count; part++) {
        count += reading->parts[part].count;
    }
    struct gguf_tensor *const tensors = arena_array(reading->arena, count + 1, sizeof *tensors);
    if (tensors == NULL) {
        return no_memory(reading->error);
    }
    for (size_t part = 0; part < reading->out->count; part++) {
        for (size_t i = 0; i < reading->parts[part].count; i++) {
            tensors[next] = reading->parts[part].tensors[i];
            tensors[next++].part = part;
        }
    }
    qsort(tensors, count, sizeof *tensors, compare_names);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(tensors[i - 1].name, tensors[i].name) == 0) {
            return error_set(reading->error, ERROR_INPUT,
                             "%.60s: this tensor stands in two of the files.", tensors[i].name);
        }
    }
    const uint64_t said = number_of(whole, "split.tensors.count");
    if (said != 0 && said != count) {
        return error_set(reading->error, ERROR_INPUT,
                         "split.tensors.count says %llu tensors, but the files have %zu.",
                         (unsigned long long)said, count);
    }
    whole->tensors = tensors;
    whole->count = count;
    return true;
}

bool gguf_files_open(const char *path, struct bytes file, struct arena *arena,
                     struct gguf_files *out, struct error *error)
{
    struct gguf first;
    struct gguf_files one = {.maps = arena_array(arena, 1, sizeof *one.maps),
                             .names = arena_array(arena, 1, sizeof *one.names)};
    struct reading reading = {path, file, arena, &one, &first, error};
    *out = (struct gguf_files){.count = 0};
    if (one.maps == NULL || one.names == NULL) {
        return no_memory(error);
    }
    if (!open_part(&reading, path, 0)) {
        return false;
    }
    const uint64_t count = number_of(&first, "split.count");
    bool fine = count <= GGUF_FILES_MAX ||
                error_set(error, ERROR_INPUT,
                          "%.100s: split.count says %llu files, at most %d can be read.",
                          one.names[0], (unsigned long long)count, GGUF_FILES_MAX);
    if (fine && count > 1) {
        gguf_files_close(&one);
        one = (struct gguf_files){.maps = arena_array(arena, (size_t)count, sizeof *one.maps),
                                  .names = arena_array(arena, (size_t)count, sizeof *one.names)};
        reading.parts = arena_array(arena, (size_t)count, sizeof *reading.parts);
        fine = one.maps != NULL && one.names != NULL && reading.parts != NULL
                   ? open_others(&reading, (size_t)count)
                   : no_memory(error);
    }
    if (!fine || !put_together(&reading)) {
        gguf_files_close(&one);
        return false;
    }
    *out = one;
    return true;
}

void gguf_files_close(struct gguf_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        file_map_close(&files->maps[i]);
    }
    files->count = 0;
}

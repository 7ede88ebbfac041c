/* model/source_safetensors.c — a folder's model.safetensors, or its shards by their index, as a
 * source of tensors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/translate.h"
#include "file/folder.h"
#include "file/kinds.h"
#include "file/safetensors.h"
#include "model/source.h"

struct shard {
    char name[256];
    struct file_map map;
    struct safetensors tensors;
    struct model_tensor *made; /* [tensors.count], in the same order; behind them those unread */
};

/* Two tensors that are one (gpt-oss): bytes of two numbers of 4 bits each, and for each 16 bytes a
 * power of 2 (MXFP4, Open Compute Project's microscaling formats, 2023). */
struct packed {
    struct model_tensor made;
    const uint8_t *blocks, *scales;
};

struct safetensors_source {
    struct model_source source;
    struct arena arena; /* everything below stands here */
    struct shard *shards;
    size_t shard_count;
    struct packed *packed;
    size_t packed_count;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
}

/* ---- tensors ------------------------------------------------------------------------------- */

static void copy_numbers(const struct model_tensor *tensor, size_t first, size_t count, float *out)
{
    array_copy_floats(tensor->data, first, count, out);
}

static bool is_float(enum array_type type)
{
    return type == ARRAY_FLOAT32 || type == ARRAY_FLOAT16 || type == ARRAY_BFLOAT16 ||
           type == ARRAY_FLOAT64;
}

static struct model_tensor tensor_of(const struct shard *shard, const struct array *array)
{
    struct model_tensor made = {.name = array->name,
                                .file = shard->name,
                                .type = array_type_name(array->type),
                                .rank = array->rank,
                                .readable = is_float(array->type) && array->rank > 0 &&
                                            array->rank <= MODEL_RANK_MAX,
                                .in_place = array_floats_in_place(array),
                                .step = 1,
                                .copy = copy_numbers,
                                .data = array};
    for (size_t side = 0; side < MODEL_RANK_MAX; side++) {
        made.shape[side] = side < array->rank ? array->shape[side] : 1;
    }
    return made;
}

static size_t tensors_in(const struct shard *shard)
{
    return shard->tensors.count + shard->tensors.unread_count;
}

static bool make_tensors(struct safetensors_source *source, struct shard *shard)
{
    const size_t count = shard->tensors.count;
    shard->made = arena_array(&source->arena, tensors_in(shard) + 1, sizeof *shard->made);
    for (size_t t = 0; shard->made != NULL && t < count; t++) {
        shard->made[t] = tensor_of(shard, &shard->tensors.tensors[t]);
    }
    for (size_t t = 0; shard->made != NULL && t < shard->tensors.unread_count; t++) {
        const struct array_unread *const unread = &shard->tensors.unread[t];
        shard->made[count + t] = tensor_of(shard, &unread->array);
        shard->made[count + t].type = unread->type;
        shard->made[count + t].readable = false;
    }
    return shard->made != NULL;
}

/* The tensor of that name, readable or not; NULL: there is none. */
static const struct model_tensor *find_in(const struct shard *shard, const char *name)
{
    const struct array *const found = safetensors_find(&shard->tensors, name);
    if (found != NULL) {
        return &shard->made[found - shard->tensors.tensors];
    }
    for (size_t t = shard->tensors.count; t < tensors_in(shard); t++) {
        if (strcmp(shard->made[t].name, name) == 0) {
            return &shard->made[t];
        }
    }
    return NULL;
}

/* ---- files --------------------------------------------------------------------------------- */

static struct shard *add_shard(struct safetensors_source *source, const char *folder,
                               const char *name, struct error *error)
{
    char path[FOLDER_PATH_MAX];
    struct shard *const shard = &source->shards[source->shard_count];
    snprintf(shard->name, sizeof shard->name, "%s", name);
    struct error reason = {ERROR_NONE, 0, ""};
    if (!folder_path(folder, name, path, error)) {
        return NULL;
    }
    if (!safetensors_open(path, &shard->map, &source->arena, &shard->tensors, &reason)) {
        const bool named = strncmp(reason.text, name, strlen(name) < 60 ? strlen(name) : 60) == 0;
        error_set(error, reason.code, "%s%s%s", named ? "" : name, named ? "" : ": ", reason.text);
        return NULL;
    }
    source->shard_count++; /* closed with the others from here on */
    if (!make_tensors(source, shard)) {
        no_memory(error);
        return NULL;
    }
    return shard;
}

/* One file of the index; opened when it is named for the first time. */
static const struct shard *shard_of(struct safetensors_source *source, const char *folder,
                                    const char *name, struct error *error)
{
    for (size_t s = source->shard_count; s-- > 0;) {
        if (strcmp(source->shards[s].name, name) == 0) {
            return &source->shards[s];
        }
    }
    if (strchr(name, '/') != NULL || strchr(name, '\\') != NULL || name[0] == '.' ||
        name[0] == '\0' || strlen(name) >= sizeof source->shards->name) {
        error_set(error, ERROR_INPUT,
                  "model.safetensors.index.json: “%.60s” is no name of a file in this folder.",
                  name);
        return NULL;
    }
    if (source->shard_count == MODEL_FILES_MAX) {
        error_set(error, ERROR_INPUT, "model.safetensors.index.json: it names more than %d files.",
                  MODEL_FILES_MAX);
        return NULL;
    }
    return add_shard(source, folder, name, error);
}

static bool open_index(struct safetensors_source *source, const char *folder,
                       const struct json *map, struct error *error)
{
    const char *tensor = NULL;
    void *place = NULL;
    if (json_kind_of(map) != JSON_KIND_OBJECT || json_count(map) == 0) {
        return error_set(
            error, ERROR_INPUT,
            "model.safetensors.index.json: it has no weight_map of tensors and files.");
    }
    for (const struct json *value; (value = json_next_member(map, &place, &tensor)) != NULL;) {
        const char *file = NULL;
        if (!json_text(value, &file)) {
            return error_set(error, ERROR_INPUT,
                             "model.safetensors.index.json: the file of %.80s is no text.", tensor);
        }
        const struct shard *const shard = shard_of(source, folder, file, error);
        if (shard == NULL) {
            return false;
        }
        if (find_in(shard, tensor) == NULL) {
            return error_set(error, ERROR_INPUT,
                             "%s: the tensor %.80s is missing, which the index says it has.",
                             shard->name, tensor);
        }
    }
    return true;
}

static bool open_shards(struct safetensors_source *source, const char *folder, struct error *error)
{
    static const char *const pickles[] = {"pytorch_model.bin", "pytorch_model.bin.index.json"};
    source->shards = arena_array(&source->arena, MODEL_FILES_MAX, sizeof *source->shards);
    if (source->shards == NULL) {
        return no_memory(error);
    }
    if (folder_has(folder, "model.safetensors")) {
        return add_shard(source, folder, "model.safetensors", error) != NULL;
    }
    if (folder_has(folder, "model.safetensors.index.json")) {
        struct json *const tree = folder_json(folder, "model.safetensors.index.json", error);
        const bool fine =
            tree != NULL && open_index(source, folder, json_member(tree, "weight_map"), error);
        json_release(tree);
        return fine;
    }
    for (size_t p = 0; p < sizeof pickles / sizeof *pickles; p++) {
        if (folder_has(folder, pickles[p])) {
            return error_set(error, ERROR_FILE, "%s",
                             tr(file_kind_refusal(FILE_PYTORCH, pickles[0])));
        }
    }
    if (folder_has_adapter(folder)) {
        return folder_refuse_adapter(folder, error);
    }
    size_t length = 0;
    const char *const last = file_last_part(folder, &length);
    return error_set(error, ERROR_FILE,
                     "%.*s: the folder holds no weights: neither model.safetensors nor "
                     "model.safetensors.index.json.",
                     (int)(length < 60 ? length : 60), last);
}

/* ---- MXFP4 --------------------------------------------------------------------------------- */

enum { PACKED_NUMBERS = 32, PACKED_BYTES = 16, PACKED_BIAS = 127 };

static const char blocks_end[] = "_blocks", scales_end[] = "_scales";

/* Of each byte the lower half first. */
static void copy_packed(const struct model_tensor *tensor, size_t first, size_t count, float *out)
{
    static const float numbers[16] = {0.0F,  0.5F,  1.0F,  1.5F,  2.0F,  3.0F,  4.0F,  6.0F,
                                      -0.0F, -0.5F, -1.0F, -1.5F, -2.0F, -3.0F, -4.0F, -6.0F};
    const struct packed *const packed = tensor->data;
    for (size_t block = first / PACKED_NUMBERS; count > 0; block++, count -= PACKED_NUMBERS) {
        const uint8_t *const bytes = packed->blocks + block * PACKED_BYTES;
        const int power = (int)packed->scales[block] - PACKED_BIAS;
        for (size_t b = 0; b < PACKED_BYTES; b++) {
            *out++ = ldexpf(numbers[bytes[b] & 15], power);
            *out++ = ldexpf(numbers[bytes[b] >> 4], power);
        }
    }
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), letters = strlen(end);
    return length > letters && strcmp(name + length - letters, end) == 0;
}

static bool is_packed(const struct array *array)
{
    return ends_with(array->name, blocks_end) && array->type == ARRAY_UINT8 && array->rank == 4 &&
           array->shape[3] == PACKED_BYTES;
}

/* The scales of blocks, in whichever file they are. */
static const struct array *find_scales(const struct safetensors_source *source,
                                       const struct shard *shard, const struct array *blocks,
                                       const char *name, struct error *error)
{
    const struct array *found = NULL;
    for (size_t s = 0; found == NULL && s < source->shard_count; s++) {
        found = safetensors_find(&source->shards[s].tensors, name);
    }
    if (found == NULL) {
        error_set(error, ERROR_INPUT, "%s: the tensor %.96s is missing.", shard->name, name);
        return NULL;
    }
    bool fits = found->type == ARRAY_UINT8 && found->rank == 3;
    for (size_t side = 0; fits && side < 3; side++) {
        fits = found->shape[side] == blocks->shape[side];
    }
    if (!fits) {
        error_set(error, ERROR_INPUT, "%s: %.96s must have one uint8 for each block of %.96s.",
                  shard->name, name, blocks->name);
        return NULL;
    }
    return found;
}

static bool pack_blocks(struct safetensors_source *source, const struct shard *shard,
                        const struct array *blocks, struct error *error)
{
    const int stem = (int)(strlen(blocks->name) - strlen(blocks_end));
    struct packed *const packed = &source->packed[source->packed_count];
    const char *const name = arena_format(&source->arena, "%.*s", stem, blocks->name);
    const char *const other =
        arena_format(&source->arena, "%.*s%s", stem, blocks->name, scales_end);
    if (name == NULL || other == NULL) {
        return no_memory(error);
    }
    const struct array *const scales = find_scales(source, shard, blocks, other, error);
    if (scales == NULL) {
        return false;
    }
    *packed = (struct packed){.made = {.name = name,
                                       .file = shard->name,
                                       .type = "MXFP4",
                                       .rank = 3,
                                       .shape = {blocks->shape[0], blocks->shape[1],
                                                 blocks->shape[2] * PACKED_NUMBERS, 1},
                                       .readable = true,
                                       .by_rows = true,
                                       .step = PACKED_NUMBERS,
                                       .copy = copy_packed,
                                       .data = packed},
                              .blocks = blocks->bytes.at,
                              .scales = scales->bytes.at};
    source->packed_count++;
    return true;
}

static bool pack_all(struct safetensors_source *source, struct error *error)
{
    size_t count = 0;
    for (size_t s = 0; s < source->shard_count; s++) {
        for (size_t t = 0; t < source->shards[s].tensors.count; t++) {
            count += is_packed(&source->shards[s].tensors.tensors[t]);
        }
    }
    source->packed = arena_array(&source->arena, count + 1, sizeof *source->packed);
    if (source->packed == NULL) {
        return no_memory(error);
    }
    for (size_t s = 0; s < source->shard_count; s++) {
        const struct shard *const shard = &source->shards[s];
        for (size_t t = 0; t < shard->tensors.count; t++) {
            const struct array *const tensor = &shard->tensors.tensors[t];
            if (is_packed(tensor) && !pack_blocks(source, shard, tensor, error)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- the source ---------------------------------------------------------------------------- */

static const struct model_tensor *find_tensor(const struct model_source *base, const char *name)
{
    const struct safetensors_source *const source = (const struct safetensors_source *)base;
    for (size_t s = 0; s < source->shard_count; s++) {
        const struct model_tensor *const found = find_in(&source->shards[s], name);
        if (found != NULL) {
            return found;
        }
    }
    for (size_t p = 0; p < source->packed_count; p++) {
        if (strcmp(source->packed[p].made.name, name) == 0) {
            return &source->packed[p].made;
        }
    }
    return NULL;
}

static const struct model_tensor *tensor_at(const struct model_source *base, size_t index)
{
    const struct safetensors_source *const source = (const struct safetensors_source *)base;
    for (size_t s = 0; s < source->shard_count; s++) {
        if (index < tensors_in(&source->shards[s])) {
            return &source->shards[s].made[index];
        }
        index -= tensors_in(&source->shards[s]);
    }
    return index < source->packed_count ? &source->packed[index].made : NULL;
}

static bool is_whole(const struct model_source *base, struct error *error)
{
    const struct safetensors_source *const source = (const struct safetensors_source *)base;
    for (size_t s = 0; s < source->shard_count; s++) {
        const struct file_map *const map = &source->shards[s].map;
        if (map->descriptor >= 0 && !file_map_is_whole(map)) { /* else it stands in memory */
            return error_set(error, ERROR_FILE, "%s: the file became shorter while it was open.",
                             source->shards[s].name);
        }
    }
    return true;
}

static void close_source(struct model_source *base)
{
    struct safetensors_source *const source = (struct safetensors_source *)base;
    for (size_t s = 0; s < source->shard_count; s++) {
        file_map_close(&source->shards[s].map);
    }
    arena_free(&source->arena);
    free(source);
}

/* NULL and a sentence: no memory. */
static struct safetensors_source *new_source(struct error *error)
{
    static const struct model_source_calls calls = {
        .find = find_tensor, .at = tensor_at, .whole = is_whole, .close = close_source};
    struct safetensors_source *const source = calloc(1, sizeof *source);
    if (source == NULL) {
        no_memory(error);
        return NULL;
    }
    source->source = (struct model_source){&calls, "model.safetensors.index.json"};
    return source;
}

struct model_source *model_source_safetensors(const char *folder, struct error *error)
{
    struct safetensors_source *const source = new_source(error);
    if (source != NULL && (!open_shards(source, folder, error) || !pack_all(source, error))) {
        close_source(&source->source);
        return NULL;
    }
    if (source != NULL && source->shard_count == 1) {
        source->source.name = source->shards[0].name;
    }
    return source == NULL ? NULL : &source->source;
}

struct model_source *model_source_safetensors_of(struct bytes file, struct error *error)
{
    struct safetensors_source *const source = new_source(error);
    if (source == NULL) {
        return NULL;
    }
    source->shards = arena_array(&source->arena, 1, sizeof *source->shards);
    bool done = source->shards != NULL || no_memory(error);
    if (done) {
        *source->shards = (struct shard){.name = "model.safetensors", .map.descriptor = -1};
        source->source.name = source->shards->name;
        done = safetensors_read(file, &source->arena, &source->shards->tensors, error) &&
               (make_tensors(source, source->shards) || no_memory(error));
    }
    if (!done) {
        close_source(&source->source);
        return NULL;
    }
    source->shard_count = 1;
    return &source->source;
}

size_t model_tensor_count(const struct model_tensor *tensor)
{
    size_t count = 1;
    for (size_t side = 0; side < tensor->rank; side++) {
        count *= tensor->shape[side];
    }
    return count;
}

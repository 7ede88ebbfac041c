/* model/source_gguf.c — a GGUF, or the files of one, as a source of tensors and of what they say of
 * themselves. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "file/handle.h"
#include "model/source.h"

struct gguf_source {
    struct model_source source;
    struct arena arena;       /* everything below stands here */
    struct file_handle *file; /* held */
    const struct gguf_files *files;
    struct model_tensor *tensors; /* [files.whole.count], in the same order */
    char **texts;                 /* [files.whole.key_count] 0-ended; NULL: none */
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
}

/* ---- tensors ------------------------------------------------------------------------------- */

static void copy_numbers(const struct model_tensor *tensor, size_t first, size_t count, float *out)
{
    gguf_copy_floats(tensor->data, first, count, out);
}

static void multiply_rows(const struct model_tensor *tensor, const size_t *first, size_t rows,
                          struct attn_operand x, struct attn_matrix out)
{
    const struct gguf_tensor *const from = tensor->data;
    const struct gguf_kind *const kind = from->kind;
    const uint8_t *row[MODEL_MULTIPLY_ROWS];
    for (size_t r = 0; r < rows; r++) {
        row[r] = from->bytes.at + first[r] / kind->numbers * kind->bytes;
    }
    unpack_product_of(kind->blocks)(&(struct unpack_product){.row = row,
                                                             .rows = rows,
                                                             .depth = x.cols,
                                                             .x = x.values,
                                                             .x_rows = x.rows,
                                                             .x_stride = x.stride,
                                                             .out = out.values,
                                                             .out_stride = out.stride});
}

static const float *in_place(const struct gguf_tensor *tensor)
{
    static const uint16_t order = 1;
    const bool little = *(const uint8_t *)&order == 1;
    return little && strcmp(tensor->kind->name, "F32") == 0 &&
                   (uintptr_t)tensor->bytes.at % sizeof(float) == 0
               ? (const float *)(const void *)tensor->bytes.at
               : NULL;
}

/* Says whether its numbers are multiplied without unpacking them first. */
static bool is_multiplied_packed(const struct gguf_kind *kind)
{
    return kind->blocks != UNPACK_NONE && unpack_product_of(kind->blocks) != NULL;
}

static bool make_tensors(struct gguf_source *source)
{
    const struct gguf *const whole = &source->files->whole;
    source->tensors = arena_array(&source->arena, whole->count + 1, sizeof *source->tensors);
    for (size_t t = 0; source->tensors != NULL && t < whole->count; t++) {
        const struct gguf_tensor *const from = &whole->tensors[t];
        source->tensors[t] = (struct model_tensor){
            .name = from->name,
            .file = source->files->names[from->part],
            .type = from->kind->name,
            .rank = from->rank,
            .shape = {1, 1, 1, 1},
            .readable = gguf_kind_readable(from->kind),
            .in_place = in_place(from),
            .step = from->kind->numbers,
            .copy = copy_numbers,
            .multiply = is_multiplied_packed(from->kind) ? multiply_rows : NULL,
            .data = from};
        for (size_t side = 0; side < from->rank; side++) {
            source->tensors[t].shape[side] = from->shape[side];
        }
    }
    return source->tensors != NULL;
}

static const struct model_tensor *find_tensor(const struct model_source *base, const char *name)
{
    const struct gguf_source *const source = (const struct gguf_source *)base;
    const struct gguf_tensor *const found = gguf_find(&source->files->whole, name);
    return found == NULL ? NULL : &source->tensors[found - source->files->whole.tensors];
}

static const struct model_tensor *tensor_at(const struct model_source *base, size_t index)
{
    const struct gguf_source *const source = (const struct gguf_source *)base;
    return index < source->files->whole.count ? &source->tensors[index] : NULL;
}

static bool is_whole(const struct model_source *base, struct error *error)
{
    const struct gguf_source *const source = (const struct gguf_source *)base;
    const struct gguf_files *const files = source->files;
    for (size_t f = 0; f < files->count; f++) {
        if (!(files->maps[f].descriptor < 0 ? file_handle_is_whole(source->file)
                                            : file_map_is_whole(&files->maps[f]))) {
            return error_set(error, ERROR_FILE, "%s: the file became shorter while it was open.",
                             files->names[f]);
        }
    }
    return true;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool make_texts(struct gguf_source *source)
{
    const struct gguf *const whole = &source->files->whole;
    source->texts = arena_array(&source->arena, whole->key_count + 1, sizeof *source->texts);
    for (size_t k = 0; source->texts != NULL && k < whole->key_count; k++) {
        const struct bytes text = whole->keys[k].text;
        if (whole->keys[k].type == GGUF_TEXT && text.size < 256) {
            source->texts[k] = arena_text(&source->arena, (const char *)text.at, text.size);
            if (source->texts[k] == NULL) {
                return false;
            }
        }
    }
    return source->texts != NULL;
}

static struct model_value value_of(const struct gguf_value *from, const char *text)
{
    if (from->type == GGUF_LIST) {
        return (struct model_value){.kind = MODEL_VALUE_LIST, .count = from->count};
    }
    if (from->type == GGUF_TEXT) {
        return (struct model_value){.kind = MODEL_VALUE_TEXT, .text = text == NULL ? "" : text};
    }
    return (struct model_value){.kind = from->type == GGUF_TRUTH ? MODEL_VALUE_TRUTH
                                                                 : MODEL_VALUE_NUMBER,
                                .number = from->number};
}

static struct model_value value_of_key(const struct model_source *base, const char *key)
{
    const struct gguf_source *const source = (const struct gguf_source *)base;
    const struct gguf_value *const found = gguf_key(&source->files->whole, key);
    return found == NULL ? (struct model_value){.kind = MODEL_VALUE_NONE}
                         : value_of(found, source->texts[found - source->files->whole.keys]);
}

static struct model_value item_of_list(const struct model_source *base, const char *key,
                                       size_t index)
{
    const struct gguf_source *const source = (const struct gguf_source *)base;
    const struct gguf_value *const found = gguf_key(&source->files->whole, key);
    if (found == NULL || found->type != GGUF_LIST || index >= found->count) {
        return (struct model_value){.kind = MODEL_VALUE_NONE};
    }
    const struct gguf_value one = gguf_item(found, index);
    return value_of(&one, NULL);
}

/* ---- the source ---------------------------------------------------------------------------- */

static void close_source(struct model_source *base)
{
    struct gguf_source *const source = (struct gguf_source *)base;
    arena_free(&source->arena);
    file_handle_release(source->file);
    free(source);
}

const struct gguf *model_source_gguf_of(const struct model_source *base)
{
    return base->calls->value == value_of_key ? &((const struct gguf_source *)base)->files->whole
                                              : NULL;
}

struct model_source *model_source_gguf(struct file_handle *file, struct error *error)
{
    static const struct model_source_calls calls = {.find = find_tensor,
                                                    .at = tensor_at,
                                                    .whole = is_whole,
                                                    .value = value_of_key,
                                                    .item = item_of_list,
                                                    .close = close_source};
    struct gguf_source *const source = calloc(1, sizeof *source);
    if (source == NULL) {
        no_memory(error);
        return NULL;
    }
    source->files = file_handle_gguf(file, error);
    if (source->files == NULL) {
        free(source);
        return NULL;
    }
    source->file = file_handle_keep(file);
    source->source = (struct model_source){&calls, source->files->names[0]};
    if (!make_tensors(source) || !make_texts(source)) {
        close_source(&source->source);
        no_memory(error);
        return NULL;
    }
    return &source->source;
}

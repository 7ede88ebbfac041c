/* model/model_tensors.c — the tensors of a model: which there are, of which shape, by the names of
 * its family. */
#include "model/model_tensors.h"

#include <stdio.h>
#include <string.h>

#include "file/gguf_blocks.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
}

/* ---- names --------------------------------------------------------------------------------- */

static const char *pattern_of(const struct lookup *lookup, enum model_role role)
{
    return lookup->names[role];
}

const struct model_tensor *lookup_tensor(const struct lookup *lookup, enum model_role role,
                                         size_t expert, const char *suffix,
                                         char name[LAYOUT_NAME_BYTES])
{
    const struct model_layout *const layout = lookup->layout;
    const bool head = model_role_is_head(role);
    const struct model_tensor *found = NULL;
    char first[LAYOUT_NAME_BYTES] = "";
    for (const char *at = pattern_of(lookup, role); at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "|");
        if (model_layout_write(at, length, lookup->layer, expert, suffix, name)) {
            const struct model_tensor *const one = model_layout_find(layout, name, head);
            found = found != NULL ? found : one; /* others are copies of it */
        }
        if (first[0] == '\0') {
            memcpy(first, name, sizeof first);
        }
        at += length + (at[length] == '|' ? 1 : 0);
    }
    if (found == NULL && !head) {
        model_layout_name(layout, first, name); /* the one that is missed */
    } else if (found == NULL) {
        memcpy(name, first, sizeof first);
    }
    return found;
}

bool lookup_has(const struct lookup *lookup, enum model_role role)
{
    char name[LAYOUT_NAME_BYTES];
    return lookup_tensor(lookup, role, 0, ".weight", name) != NULL;
}

bool lookup_refuse_missing(const struct lookup *lookup, enum model_role role, const char *suffix,
                           struct error *error)
{
    char name[LAYOUT_NAME_BYTES];
    const char *const file = lookup->model->source->name;
    const struct model_tensor *const first = model_tensor_at(lookup->model, 0);
    (void)lookup_tensor(lookup, role, 0, suffix, name);
    return lookup->layout->known || first == NULL
               ? error_set(error, ERROR_INPUT, "%s: the tensor %.96s is missing.", file, name)
               : error_set(error, ERROR_INPUT,
                           "%.40s: the tensor %.48s is missing, as are all that the %s family has; "
                           "the first one is called %.40s.",
                           file, name, lookup->model->config.family->title, first->name);
}

/* ---- shapes -------------------------------------------------------------------------------- */

static const char *shape_text(const size_t *shape, size_t rank, char text[96])
{
    size_t at = 0;
    text[0] = '\0';
    for (size_t side = 0; side < rank && at < 96; side++) {
        const int wrote =
            snprintf(text + at, 96 - at, "%s%zu", side == 0 ? "" : " × ", shape[side]);
        at += wrote > 0 ? (size_t)wrote : 0;
    }
    return text;
}

bool lookup_check(const struct lookup *lookup, const struct model_tensor *tensor, size_t rank,
                  const size_t *shape, struct error *error)
{
    bool fits = tensor->rank == rank;
    for (size_t side = 0; fits && side < rank; side++) {
        fits = tensor->shape[side] == shape[side];
    }
    if (!fits) {
        char is[96], wanted[96];
        return error_set(error, ERROR_INPUT, "%s: %.80s is %s, expected %s.", tensor->file,
                         tensor->name, shape_text(tensor->shape, tensor->rank, is),
                         shape_text(shape, rank, wanted));
    }
    if (!tensor->readable && lookup->gguf) {
        char names[GGUF_NAMES_BYTES];
        return error_set(error, ERROR_INPUT, "%.24s: %.28s holds %s; floats are read, and %s.",
                         tensor->file, tensor->name, tensor->type, gguf_readable_names(names));
    }
    return tensor->readable ||
           error_set(error, ERROR_INPUT,
                     "%s: %.80s holds %s, expected float32, float16, bfloat16 or float64.",
                     tensor->file, tensor->name, tensor->type);
}

float *lookup_floats(struct lookup *lookup, const struct model_tensor *tensor, struct error *error)
{
    const size_t count = model_tensor_count(tensor);
    float *const values = arena_array(&lookup->model->arena, count, sizeof *values);
    if (values == NULL) {
        no_memory(error);
        return NULL;
    }
    tensor->copy(tensor, 0, count, values);
    lookup->model->parameters += count;
    return values;
}

/* A vector; NULL and no error: it may be missing, and is. */
static const float *vector_of(struct lookup *lookup, enum model_role role, const char *suffix,
                              size_t count, bool needed, struct error *error)
{
    char name[LAYOUT_NAME_BYTES];
    const struct model_tensor *const tensor = lookup_tensor(lookup, role, 0, suffix, name);
    if (tensor == NULL) {
        if (needed) {
            lookup->failed = true;
            lookup_refuse_missing(lookup, role, suffix, error);
        }
        return NULL;
    }
    if (tensor->rank == 2 && tensor->shape[0] == 1 && role == MODEL_OUTPUT_BIAS) {
        const size_t row[2] = {1, count};
        lookup->failed |= !lookup_check(lookup, tensor, 2, row, error);
    } else {
        lookup->failed |= !lookup_check(lookup, tensor, 1, &count, error);
    }
    const float *const values = lookup->failed ? NULL : lookup_floats(lookup, tensor, error);
    lookup->failed |= values == NULL;
    return values;
}

bool lookup_vector(struct lookup *lookup, enum model_role role, size_t count, bool needed,
                   const float **out, struct error *error)
{
    *out = NULL;
    if (pattern_of(lookup, role) != NULL && lookup->used[role] != NULL) {
        *out = vector_of(lookup, role, ".weight", count, needed, error);
    }
    return !lookup->failed;
}

bool lookup_norm(struct lookup *lookup, enum model_role role, size_t count, struct model_norm *out,
                 struct error *error)
{
    const struct model_family *const family = lookup->model->config.family;
    const bool lacks = (family->lacks & MODEL_ROLE_BIT(role)) != 0;
    const struct model_config *const config = &lookup->model->config;
    const bool with_bias = (family->norm == MODEL_LAYER_NORM && !family->bare_norms) ||
                           (config->biases & MODEL_ROLE_BIT(role)) != 0;
    const bool unread = (config->unread_biases & MODEL_ROLE_BIT(role)) != 0;
    if (!lookup_vector(lookup, role, count, !lacks, &out->gain, error)) {
        return false;
    }
    if (out->gain != NULL && family->norm == MODEL_RMS_NORM_1 && !lookup->gguf) {
        float *const gain = arena_array(&lookup->model->arena, count, sizeof *gain);
        for (size_t i = 0; gain != NULL && i < count; i++) {
            gain[i] = 1 + out->gain[i]; /* GGUF has the sum */
        }
        out->gain = gain;
        lookup->failed = gain == NULL;
    }
    if (out->gain != NULL && !unread) {
        out->bias = vector_of(lookup, role, ".bias", count, with_bias, error);
    }
    return !lookup->failed;
}

/* ---- matrices ------------------------------------------------------------------------------ */

size_t model_matrix_place(const struct model_matrix *matrix, size_t column)
{
    if (matrix->mixed > 0) {
        const size_t half = matrix->mixed / 2, in = column % matrix->mixed;
        column = column - in + 2 * (in % half) + in / half;
    }
    return matrix->group == 0
               ? matrix->first + column
               : matrix->first + column / matrix->group * matrix->step + column % matrix->group;
}

/* Its bias, in the order of its columns. */
static bool find_bias(struct lookup *lookup, enum model_role role, struct model_matrix *out,
                      struct error *error)
{
    const struct model_config *const config = &lookup->model->config;
    const bool needed = (config->biases & MODEL_ROLE_BIT(role)) != 0;
    if ((config->unread_biases & MODEL_ROLE_BIT(role)) != 0) {
        return true;
    }
    const float *const values = vector_of(lookup, role, ".bias", out->all, needed, error);
    if (values == NULL) {
        return !lookup->failed;
    }
    float *const own = arena_array(&lookup->model->arena, out->cols, sizeof *own);
    if (own == NULL) {
        return no_memory(error);
    }
    for (size_t c = 0; c < out->cols; c++) {
        own[c] = values[model_matrix_place(out, c)];
    }
    out->bias = own;
    return true;
}

bool lookup_part(struct lookup *lookup, enum model_role role, const struct model_matrix *part,
                 struct model_matrix *out, struct error *error)
{
    char name[LAYOUT_NAME_BYTES];
    const bool columns =
        lookup->model->config.family->columns && !lookup->gguf && role != MODEL_OUTPUT;
    const struct model_tensor *const tensor = lookup_tensor(lookup, role, 0, ".weight", name);
    if (tensor == NULL) {
        lookup->failed = true;
        return lookup_refuse_missing(lookup, role, ".weight", error);
    }
    *out = *part;
    out->tensor = tensor;
    out->columns = columns;
    const size_t shape[2] = {columns ? part->depth : part->all, columns ? part->all : part->depth};
    if (!lookup_check(lookup, tensor, 2, shape, error) || !find_bias(lookup, role, out, error)) {
        lookup->failed = true;
        return false;
    }
    lookup->model->parameters += part->depth * part->cols;
    return true;
}

bool lookup_matrix(struct lookup *lookup, enum model_role role, size_t depth, size_t cols,
                   struct model_matrix *out, struct error *error)
{
    const struct model_matrix part = {.depth = depth, .cols = cols, .all = cols};
    return lookup_part(lookup, role, &part, out, error);
}

enum { SIDE = 16 /* columns that are turned at once: a line of out */, STRETCH = 512 };

/* Few columns of a tensor that has them as rows: what of each is read at once is written row by
 * row, a line of each, not number by number far apart. */
static void turn_columns(const struct model_matrix *matrix, size_t first, size_t count,
                         size_t stride, float *out)
{
    const struct model_tensor *const tensor = matrix->tensor;
    const size_t step = tensor->step > 0 ? tensor->step : 1, depth = matrix->depth;
    const size_t max_length = STRETCH / step * step;
    float rows[SIDE][STRETCH + SIDE]; /* a line apart, for the sets of the first cache */
    for (size_t p = 0; p < depth; p += max_length) {
        const size_t length = depth - p < max_length ? depth - p : max_length;
        for (size_t c = 0; c < count; c++) {
            const size_t place = model_matrix_place(matrix, first + c);
            tensor->copy(tensor, matrix->base + place * depth + p, length, rows[c]);
        }
        for (size_t i = 0; i < length; i++) {
            for (size_t c = 0; c < count; c++) {
                out[(p + i) * stride + c] = rows[c][i];
            }
        }
    }
}

void model_matrix_columns(const struct model_matrix *matrix, size_t first, size_t cols, float *out)
{
    const size_t depth = matrix->depth, wide = matrix->stack > 0 ? matrix->stack : matrix->all;
    for (size_t c = 0; c < cols && !matrix->columns; c += SIDE) {
        turn_columns(matrix, first + c, cols - c < SIDE ? cols - c : SIDE, cols, out + c);
    }
    for (size_t c = 0; c < cols && matrix->columns; c++) {
        const size_t place = model_matrix_place(matrix, first + c);
        for (size_t p = 0; p < depth; p++) {
            const size_t at = (place / wide * depth + p) * wide + place % wide;
            model_tensor_floats(matrix->tensor, matrix->base + at, 1, out + p * cols + c);
        }
    }
}

/* learn/dump.c — writes one step of training as an NPZ, so that it can be checked elsewhere. */
#include <string.h>

#include "base/file.h"
#include "file/npz.h"
#include "learn/checkpoint_internal.h"

enum { ARRAYS_MAX = 3 * LEARN_TENSORS_MAX + 12 * LEARN_LAYERS_MAX + 4 };

/* Arrays that are collected in one arena. */
struct gathered {
    struct arena arena;
    struct array *array;
    size_t count;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to write down a step.");
}

/* Adds a copy of flat values, each tensor under its name. */
static bool add_tensors(struct gathered *all, const struct learn_tensors *tensors,
                        const char *before, const float *values, struct error *error)
{
    float *const copy = arena_array(&all->arena, tensors->floats, sizeof *copy);
    if (copy == NULL) {
        return no_memory(error);
    }
    memcpy(copy, values, tensors->floats * sizeof *copy);
    for (size_t t = 0; t < tensors->count; t++) {
        const char *const name = arena_format(&all->arena, "%s%s", before, tensors->tensor[t].name);
        all->array[all->count++] = learn_tensor_array(&tensors->tensor[t], name, copy);
    }
    return true;
}

static bool add_tokens(struct gathered *all, const char *name, size_t rows, size_t width,
                       const int32_t *values, struct error *error)
{
    int64_t *const copy = arena_array(&all->arena, rows * width, sizeof *copy);
    if (copy == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; i < rows * width; i++) {
        copy[i] = values[i];
    }
    struct array array = array_of_whole_numbers(name, rows * width, copy);
    array.rank = 2;
    array.shape[0] = rows;
    array.shape[1] = width;
    array.strides[0] = (ptrdiff_t)(width * sizeof *copy);
    array.strides[1] = (ptrdiff_t)sizeof *copy;
    all->array[all->count++] = array;
    return true;
}

/* Adds the batch with its logits and its loss. */
static bool add_batch(struct gathered *all, struct learn_run *run, struct error *error)
{
    const struct learn_recipe *const recipe = learn_run_recipe(run);
    const size_t rows = recipe->batch, width = recipe->shape.context;
    const size_t vocabulary = recipe->shape.vocabulary;
    int32_t *const tokens = arena_array(&all->arena, rows * width, sizeof *tokens);
    int32_t *const targets = arena_array(&all->arena, rows * width, sizeof *targets);
    float *const logits = arena_array(&all->arena, rows * width * vocabulary, sizeof *logits);
    float *const loss = arena_array(&all->arena, 1, sizeof *loss);
    struct learn_result result;
    if (tokens == NULL || targets == NULL || logits == NULL || loss == NULL) {
        return no_memory(error);
    }
    learn_data_batch(learn_run_data(run), learn_run_step(run), tokens, targets);
    const struct learn_batch batch = {rows, width, tokens, targets};
    if (!learn_network_run(learn_run_network(run), learn_run_weights(run), &batch, NULL, logits,
                           &result, error) ||
        !add_tokens(all, "tokens", rows, width, tokens, error) ||
        !add_tokens(all, "targets", rows, width, targets, error)) {
        return false;
    }
    *loss = result.loss;
    all->array[all->count++] = array_of_floats("loss", 0, NULL, loss);
    all->array[all->count++] =
        array_of_floats("logits", 3, (const size_t[]){rows, width, vocabulary}, logits);
    return true;
}

static bool gather_arrays(struct gathered *all, struct learn_run *run, struct error *error)
{
    const struct learn_tensors *const tensors = learn_run_tensors(run);
    const struct learn_shape *const shape = &learn_run_recipe(run)->shape;
    all->array = arena_array(&all->arena, ARRAYS_MAX, sizeof *all->array);
    if (all->array == NULL) {
        return no_memory(error);
    }
    if (!add_tensors(all, tensors, "p.", learn_run_weights(run), error) ||
        !add_batch(all, run, error) || !learn_run_forward(run, error) ||
        !add_tensors(all, tensors, "g.", learn_run_gradient(run), error) ||
        !add_tensors(all, tensors, "q.", learn_run_weights(run), error)) {
        return false;
    }
    all->count += learn_spare_arrays(shape, "p.", &all->arena, all->array + all->count);
    all->count += learn_spare_arrays(shape, "q.", &all->arena, all->array + all->count);
    return true;
}

static bool write_part(void *owner, struct bytes part)
{
    return file_writer_put(owner, part);
}

static bool replace_part(void *owner, uint64_t at, struct bytes part)
{
    return file_writer_replace(owner, at, part);
}

static bool write_arrays(struct gathered *all, const char *path, struct error *error)
{
    struct bytes rest;
    struct file_writer *const writer = file_writer_open(path, error);
    if (writer == NULL) {
        return false;
    }
    const struct growing_sink sink = {write_part, replace_part, writer};
    struct growing out = growing_start(&all->arena);
    out.sink = &sink;
    const bool done = file_writer_hold(writer) &&
                      npz_put(&out, all->array, all->count, NULL, 0, error) &&
                      growing_finish(&out, &rest, error);
    return file_writer_close(writer, done, error) && done;
}

bool learn_step_dump(struct learn_run *run, const char *path, struct error *error)
{
    struct gathered all = {.array = NULL};
    const bool done = gather_arrays(&all, run, error) && write_arrays(&all, path, error);
    arena_free(&all.arena);
    return done;
}

/* learn/checkpoint_state.c — see checkpoint.h: the state that training needs to continue. It holds
 * m and v of each tensor by its name ("m.transformer.wte.weight"), and numbers that must be exact
 * as texts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/file_set.h"
#include "base/random.h"
#include "base/system/file.h"
#include "base/text.h"
#include "file/safetensors.h"
#include "learn/checkpoint_internal.h"

enum { STATE_BYTES_MAX = 1 << 29, NUMBER_BYTES = 24 };

static const char mark[] = "attnscope-training";

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to save the model.");
}

/* Returns a hash by which weights are recognised. */
static uint64_t hash_of(const struct learn_model *model)
{
    return random_hash(model->weights, model->tensors.floats * sizeof *model->weights);
}

bool learn_state_make(const struct learn_model *model, const struct learn_state *state,
                      struct arena *arena, struct bytes *out, struct error *error)
{
    const size_t count = model->tensors.count;
    const struct {
        const char *before;
        const float *values;
    } kinds[] = {{"m.", state->m}, {"v.", state->v}};
    struct array *const arrays = arena_array(arena, 2 * LEARN_TENSORS_MAX, sizeof *arrays);
    char weights[NUMBER_BYTES], text[NUMBER_BYTES], loss[TEXT_NUMBER_MAX];
    if (arrays == NULL) {
        return no_memory(error);
    }
    for (size_t a = 0; a < 2 * count; a++) {
        const struct learn_tensor *const tensor = &model->tensors.tensor[a % count];
        const char *const name = arena_format(arena, "%s%s", kinds[a / count].before, tensor->name);
        if (name == NULL) {
            return no_memory(error);
        }
        arrays[a] = learn_tensor_array(tensor, name, kinds[a / count].values);
    }
    (void)snprintf(weights, sizeof weights, "%" PRIu64, hash_of(model));
    (void)snprintf(text, sizeof text, "%" PRIu64, state->data_hash);
    const char *const notes[] = {"format",     mark,
                                 "weights",    weights,
                                 "first_loss", text_number_exact(loss, state->first_loss),
                                 "data",       state->data != NULL ? state->data : "",
                                 "data_hash",  text};
    return safetensors_write(arrays, 2 * count, notes, sizeof notes / sizeof *notes / 2, arena, out,
                             error);
}

/* ---- reading ------------------------------------------------------------------------------- */

static const char *find_note(const struct safetensors *file, const char *name)
{
    for (size_t n = 0; n < file->note_count; n++) {
        if (strcmp(file->notes[2 * n], name) == 0) {
            return file->notes[2 * n + 1];
        }
    }
    return "";
}

/* Returns [floats] of the tensors whose names begin so. NULL and a sentence: there are none. */
static const float *read_values(const struct safetensors *file, const char *before,
                                const struct learn_model *model, struct arena *arena,
                                struct error *error)
{
    float *const values = arena_array(arena, model->tensors.floats, sizeof *values);
    if (values == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to learn.");
        return NULL;
    }
    for (size_t t = 0; t < model->tensors.count; t++) {
        const struct learn_tensor *const tensor = &model->tensors.tensor[t];
        const char *const name = arena_format(arena, "%s%s", before, tensor->name);
        const struct array *const array = name == NULL ? NULL : safetensors_find(file, name);
        if (array == NULL || array_count(array) != learn_tensor_floats(tensor)) {
            error_set(error, ERROR_INPUT, "%s: %s%.80s is missing, or of another size.",
                      LEARN_STATE_NAME, before, tensor->name);
            return NULL;
        }
        array_copy_floats(array, 0, learn_tensor_floats(tensor), values + tensor->offset);
    }
    return values;
}

static bool read_state(const struct safetensors *file, const struct learn_model *model,
                       struct arena *arena, struct learn_state *state, struct error *error)
{
    uint64_t weights = 0;
    double loss = 0;
    if (strcmp(find_note(file, "format"), mark) != 0 ||
        !text_to_u64(find_note(file, "weights"), &weights) ||
        !text_to_u64(find_note(file, "data_hash"), &state->data_hash) ||
        !text_to_double(find_note(file, "first_loss"), &loss)) {
        return error_set(error, ERROR_INPUT, "%s: it is no state of training of this program.",
                         LEARN_STATE_NAME);
    }
    if (weights != hash_of(model)) {
        return error_set(error, ERROR_INPUT,
                         "%s belongs to other weights than model.safetensors: training cannot go "
                         "on from it.",
                         LEARN_STATE_NAME);
    }
    const char *const data = find_note(file, "data");
    state->first_loss = (float)loss;
    state->data = data[0] != '\0' ? data : NULL;
    state->m = read_values(file, "m.", model, arena, error);
    state->v = state->m == NULL ? NULL : read_values(file, "v.", model, arena, error);
    return state->v != NULL;
}

bool learn_state_read(const char *folder, const struct learn_model *model, struct arena *arena,
                      struct learn_state *state, struct error *error)
{
    char path[FILE_SET_PATH_MAX];
    struct system_facts facts;
    struct bytes content;
    struct safetensors file;
    struct error reason = {ERROR_NONE, 0, ""};
    *state = (struct learn_state){.data = NULL};
    if (!file_set_path(folder, LEARN_STATE_NAME, path, error)) {
        return false;
    }
    if (!system_link_facts(path, &facts)) {
        return error_set(error, ERROR_INPUT,
                         "%.80s holds no %s: train leaves one in its folder, and goes on from "
                         "there alone.",
                         folder, LEARN_STATE_NAME);
    }
    if (facts.kind != SYSTEM_REGULAR) {
        return error_set(error, ERROR_INPUT, "%.80s/%s is a link or no file: it is not read.",
                         folder, LEARN_STATE_NAME);
    }
    return file_read(path, STATE_BYTES_MAX, arena, &content, error) &&
           ((safetensors_read(content, arena, &file, &reason) ||
             error_set(error, reason.code, "%s: %s", LEARN_STATE_NAME, reason.text)) &&
            read_state(&file, model, arena, state, error));
}

/* Computes the batch that the next step from a moment learns from, row by row, as a result that
 * grows. The loss and the accuracy of the strip are of the same batch. */
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "app/results/wants.h"
#include "lab/run/sample.h"

enum { ROWS_MAX = 128 };

/* So many multiplications do not delay a frame. */
static const double SMALL = 1e7;

/* Between slices: the rows that are looked at, and what was found of them so far. */
struct looking {
    struct learn_network *network;
    struct learn_batch_rows *rows; /* its bytes are those of all */
    float *logits;
    int32_t *tokens; /* [2][recipe.batch][width] with what it asks */
    size_t found;
};

static void drop_looking(void *state)
{
    struct looking *const looking = state;
    learn_network_close(looking->network);
    free(looking->rows);
    free(looking->logits);
    free(looking->tokens);
    free(looking);
}

static size_t count_rows(const struct learn_recipe *recipe)
{
    return recipe->batch < ROWS_MAX ? recipe->batch : ROWS_MAX;
}

static size_t bytes_of(size_t rows, size_t width)
{
    return sizeof(struct learn_batch_rows) + rows * width * sizeof(struct learn_batch_cell);
}

/* NULL and a sentence: no memory. */
static struct looking *create_looking(struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const struct learn_recipe *const recipe = moment->recipe;
    const size_t width = recipe->shape.context, cells = recipe->batch * width;
    const size_t logits = width * recipe->shape.vocabulary * sizeof(float);
    const size_t tokens = 2 * cells * sizeof(int32_t);
    struct looking *const looking = calloc(1, sizeof *looking);
    if (looking != NULL) {
        looking->network = learn_open_network(moment, &slice->error);
        looking->rows = malloc(bytes_of(count_rows(recipe), width));
        looking->logits = malloc(logits);
        looking->tokens = malloc(tokens);
    }
    if (looking == NULL || looking->network == NULL || looking->rows == NULL ||
        looking->logits == NULL || looking->tokens == NULL) {
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory to learn.");
        if (looking != NULL) {
            drop_looking(looking);
        }
        return NULL;
    }
    learn_data_batch(moment->data, moment->step, looking->tokens, looking->tokens + cells);
    looking->rows->width = width;
    slice->state_bytes = (size_t)learn_network_bytes(&recipe->shape, 1, width, 1) + logits +
                         tokens + bytes_of(count_rows(recipe), width);
    return looking;
}

/* −log p of an id, of a row of logits. */
static float loss_of(const float *logits, size_t count, size_t id)
{
    return (float)(lab_log_sum(logits, count) - (double)logits[id]);
}

/* False: no memory. */
static bool find_row(struct looking *looking, struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const size_t width = looking->rows->width, kinds = moment->recipe->shape.vocabulary;
    const int32_t *const tokens = looking->tokens + looking->found * width;
    const int32_t *const targets = tokens + moment->recipe->batch * width;
    struct learn_batch_cell *const cell = looking->rows->cell + looking->found * width;
    const struct learn_batch batch = {1, width, tokens, NULL};
    struct learn_result result;
    if (!learn_network_run(looking->network, moment->weights, &batch, NULL, looking->logits,
                           &result, &slice->error)) {
        return false;
    }
    for (size_t i = 0; i < width; i++) {
        const float loss =
            targets[i] < 0 ? -1 : loss_of(looking->logits + i * kinds, kinds, (size_t)targets[i]);
        cell[i] = (struct learn_batch_cell){tokens[i], loss};
    }
    looking->found++;
    return true;
}

/* All that was found by now. False and a sentence: no memory. */
static bool publish_batch(const struct looking *looking, struct slice *slice)
{
    const size_t size = bytes_of(looking->found, looking->rows->width);
    struct learn_batch_rows *const made = malloc(size);
    if (made == NULL) {
        return error_set(&slice->error, ERROR_MEMORY, "There is not enough memory to learn.");
    }
    memcpy(made, looking->rows, size);
    made->count = looking->found;
    value_begin(&made->value, size, NULL);
    slice->value = &made->value;
    return true;
}

static enum slice_end look_slice(struct slice *slice)
{
    slice->state = slice->state != NULL ? slice->state : create_looking(slice);
    struct looking *const looking = slice->state;
    const size_t count = count_rows(learn_snapshot_of(slice->need[0])->recipe);
    bool goes_on = looking != NULL;
    while (goes_on && looking->found < count && !slice_is_over(slice)) {
        goes_on = find_row(looking, slice);
    }
    if (!goes_on || !publish_batch(looking, slice)) {
        return SLICE_FAILED;
    }
    return looking->found < count ? SLICE_MORE : SLICE_DONE;
}

static bool is_small(const struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    return 2 * (double)moment->tensors->floats * (double)moment->recipe->shape.context *
               (double)count_rows(moment->recipe) <=
           SMALL;
}

const struct result_kind learn_batch_kind = {.list_needs = learn_list_snapshot,
                                             .is_small = is_small,
                                             .work = look_slice,
                                             .drop_state = drop_looking};

const struct learn_batch_rows *learn_batch_rows(struct app_state *state)
{
    struct want want;
    if (!learn_key_want(state, WANT_BATCH, &want)) {
        return NULL;
    }
    const struct finding finding = results_want(state->results, &want, SLOT_BATCH);
    const bool is_own = finding.found == FOUND_PART || finding.found == FOUND_WHOLE;
    return is_own ? (const struct learn_batch_rows *)finding.value : NULL;
}

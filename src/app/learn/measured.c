/* Measures loss and accuracy at a step that training has not passed: of the batch that comes next
 * there, and of the rows that are never trained on. */
#include <math.h>
#include <stdlib.h>

#include "app/learn/learn_internal.h"
#include "app/results/wants.h"

/* So many multiplications do not delay a frame. */
static const double SMALL = 1e7;

/* Between slices. */
struct measuring {
    struct learn_network *network;
    struct learn_measured found;
    bool has_batch;
    int32_t tokens[]; /* room for a batch and what it asks */
};

struct measured_value {
    struct value value;
    struct learn_measured measured;
};

static size_t count_rows(const struct learn_snapshot *moment)
{
    const size_t batch = moment->recipe->batch, test = learn_data_test_rows(moment->data);
    return test > batch ? test : batch;
}

static void drop_measuring(void *state)
{
    struct measuring *const measuring = state;
    learn_network_close(measuring->network);
    free(measuring);
}

/* NULL and a sentence: no memory. */
static struct measuring *create_measuring(struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const struct learn_shape *const shape = &moment->recipe->shape;
    const size_t rows = count_rows(moment);
    struct measuring *const measuring =
        malloc(sizeof *measuring + 2 * rows * shape->context * sizeof *measuring->tokens);
    if (measuring == NULL) {
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory to learn.");
        return NULL;
    }
    measuring->found = (struct learn_measured){NAN, NAN, NAN};
    measuring->has_batch = false;
    measuring->network = learn_open_network(moment, &slice->error);
    if (measuring->network == NULL) {
        free(measuring);
        return NULL;
    }
    learn_network_heed(measuring->network, slice->is_stopped);
    slice->state_bytes = (size_t)learn_network_bytes(shape, rows, shape->context, 1);
    return measuring;
}

/* False: it was stopped, or (a sentence) there is no memory. */
static bool run_rows(struct measuring *measuring, struct slice *slice, size_t rows,
                     struct learn_result *result)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const size_t width = moment->recipe->shape.context;
    const struct learn_batch batch = {rows, width, measuring->tokens,
                                      measuring->tokens + rows * width};
    return learn_network_run(measuring->network, moment->weights, &batch, NULL, NULL, result,
                             &slice->error);
}

static bool measure_batch(struct measuring *measuring, struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const size_t rows = moment->recipe->batch, cells = rows * moment->recipe->shape.context;
    struct learn_result result;
    learn_data_batch(moment->data, moment->step, measuring->tokens, measuring->tokens + cells);
    measuring->has_batch = run_rows(measuring, slice, rows, &result);
    if (measuring->has_batch) {
        measuring->found.loss = result.loss;
        measuring->found.right = learn_result_accuracy(&result);
    }
    return measuring->has_batch;
}

static bool measure_test(struct measuring *measuring, struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const size_t rows = learn_data_test_rows(moment->data);
    struct learn_result result;
    if (rows > 0) {
        learn_data_test(moment->data, measuring->tokens,
                        measuring->tokens + rows * moment->recipe->shape.context);
        if (!run_rows(measuring, slice, rows, &result)) {
            return false;
        }
        measuring->found.test = learn_result_accuracy(&result);
    }
    return true;
}

/* The batch is a slice, and the test is. */
static enum slice_end measure_slice(struct slice *slice)
{
    slice->state = slice->state != NULL ? slice->state : create_measuring(slice);
    struct measuring *const measuring = slice->state;
    const bool had_batch = measuring != NULL && measuring->has_batch;
    if (measuring == NULL ||
        !(had_batch ? measure_test(measuring, slice) : measure_batch(measuring, slice))) {
        return slice->error.code == ERROR_NONE ? SLICE_MORE : SLICE_FAILED;
    }
    if (!had_batch) {
        return SLICE_MORE;
    }
    struct measured_value *const made = malloc(sizeof *made);
    if (made == NULL) {
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory to learn.");
        return SLICE_FAILED;
    }
    made->measured = measuring->found;
    value_begin(&made->value, sizeof *made, NULL);
    slice->value = &made->value;
    return SLICE_DONE;
}

static bool is_small(const struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const size_t rows = moment->recipe->batch + learn_data_test_rows(moment->data);
    return 2 * (double)moment->tensors->floats * (double)moment->recipe->shape.context *
               (double)rows <=
           SMALL;
}

const struct result_kind learn_measured_kind = {.list_needs = learn_list_snapshot,
                                                .is_small = is_small,
                                                .work = measure_slice,
                                                .drop_state = drop_measuring};

bool learn_measure(struct app_state *state, struct learn_measured *out)
{
    struct want want;
    if (!learn_key_want(state, WANT_MEASURED, &want)) {
        return false;
    }
    const struct finding finding = results_want(state->results, &want, SLOT_MEASURED);
    if (finding.found == FOUND_WHOLE) {
        *out = ((const struct measured_value *)finding.value)->measured;
    }
    return finding.found == FOUND_WHOLE;
}

/* Lets the weights of a moment write text, token after token, as a result that grows while it is
 * looked at. */
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "app/results/wants.h"
#include "lab/run/sample.h"

/* So many multiplications do not delay a frame. */
static const double SMALL = 2e7;

/* Between slices. */
struct writing {
    struct learn_network *network;
    struct random random;
    float *logits;
    size_t given, count; /* of id */
    int32_t id[];        /* given words, then what was written */
};

static double draw_of(const struct slice *slice, enum view_learn_draw which)
{
    double draw[VIEW_DRAWS];
    memcpy(draw, slice->asked.at, sizeof draw);
    return draw[which];
}

static size_t count_given(const struct slice *slice)
{
    return slice->reading.size / sizeof(int32_t);
}

static size_t count_asked(const struct slice *slice)
{
    return (size_t)draw_of(slice, VIEW_DRAW_WORDS);
}

static void drop_writing(void *state)
{
    struct writing *const writing = state;
    learn_network_close(writing->network);
    free(writing->logits);
    free(writing);
}

/* NULL and a sentence: no memory. */
static struct writing *create_writing(struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const struct learn_shape *const shape = &moment->recipe->shape;
    const size_t given = count_given(slice), most = count_asked(slice);
    const size_t logits = shape->context * shape->vocabulary * sizeof(float);
    struct writing *const writing =
        calloc(1, sizeof *writing + (given + most) * sizeof *writing->id);
    if (writing == NULL) {
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory to learn.");
        return NULL;
    }
    writing->network = learn_open_network(moment, &slice->error);
    writing->logits = malloc(logits);
    if (writing->network == NULL || writing->logits == NULL) {
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory to learn.");
        drop_writing(writing);
        return NULL;
    }
    random_start(&writing->random, (uint64_t)draw_of(slice, VIEW_DRAW_SEED), "write");
    memcpy(writing->id, slice->reading.at, slice->reading.size);
    writing->given = writing->count = given;
    slice->state_bytes =
        (size_t)learn_network_bytes(shape, 1, shape->context, 1) + sizeof *writing + logits;
    return writing;
}

/* Returns whether a text begins anew behind a token: each name stands alone. */
static bool begins_anew(const struct learn_data *data, int32_t token)
{
    return learn_data_request_of(data)->task == LEARN_TASK_NAMES && token == 0;
}

/* One token more, by those before it, as far back as the weights see. False: no memory. */
static bool write_next(struct writing *writing, struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const struct learn_shape *const shape = &moment->recipe->shape;
    int32_t *const id = writing->id;
    const size_t count = writing->count;
    size_t from = count > shape->context ? count - shape->context : 0;
    for (size_t i = from; i < count; i++) {
        from = begins_anew(moment->data, id[i]) ? i : from;
    }
    const struct learn_batch batch = {1, count - from, id + from, NULL};
    struct learn_result result;
    if (!learn_network_run(writing->network, moment->weights, &batch, NULL, writing->logits,
                           &result, &slice->error)) {
        return false;
    }
    const float *const last = writing->logits + (count - from - 1) * shape->vocabulary;
    id[writing->count++] =
        (int32_t)lab_sample(last, shape->vocabulary, draw_of(slice, VIEW_DRAW_TEMPERATURE),
                            draw_of(slice, VIEW_DRAW_TOP_P), &writing->random);
    return true;
}

/* All there is by now. False and a sentence: no memory. */
static bool publish_text(const struct writing *writing, struct slice *slice)
{
    const size_t size = sizeof(struct learn_written) + writing->count * sizeof *writing->id;
    struct learn_written *const written = malloc(size);
    if (written == NULL) {
        return error_set(&slice->error, ERROR_MEMORY, "There is not enough memory to learn.");
    }
    written->given = writing->given;
    written->count = writing->count;
    memcpy(written->id, writing->id, writing->count * sizeof *writing->id);
    value_begin(&written->value, size, NULL);
    slice->value = &written->value;
    return true;
}

/* The first shows the words that were given, the others what came behind them. */
static enum slice_end write_slice(struct slice *slice)
{
    const bool is_first = slice->state == NULL;
    slice->state = is_first ? create_writing(slice) : slice->state;
    struct writing *const writing = slice->state;
    bool goes_on = writing != NULL;
    while (goes_on && !is_first && writing->count < writing->given + count_asked(slice) &&
           !slice_is_over(slice)) {
        goes_on = write_next(writing, slice);
    }
    if (!goes_on || !publish_text(writing, slice)) {
        return SLICE_FAILED;
    }
    return writing->count < writing->given + count_asked(slice) ? SLICE_MORE : SLICE_DONE;
}

static bool is_small(const struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    return 2 * (double)moment->tensors->floats * (double)moment->recipe->shape.context *
               (double)count_asked(slice) <=
           SMALL;
}

const struct result_kind learn_writing_kind = {.list_needs = learn_list_snapshot,
                                               .is_small = is_small,
                                               .work = write_slice,
                                               .drop_state = drop_writing};

const struct learn_written *learn_write(struct app_state *state, bool *is_old)
{
    const struct app_learn *const learn = state->learn;
    struct want want;
    if (!learn_key_want(state, WANT_WRITING, &want)) {
        return NULL;
    }
    want.reading = results_number(state->results, learn_activations_tokens(learn->sentence),
                                  learn_activations_count(learn->sentence) * sizeof(int32_t));
    want.asked =
        results_number(state->results, learn->shown.text.draw, sizeof learn->shown.text.draw);
    if (want.reading == 0 || want.asked == 0) {
        return NULL;
    }
    const struct finding finding = results_want(state->results, &want, SLOT_WRITING);
    *is_old = finding.found == FOUND_OLD;
    return (const struct learn_written *)finding.value;
}

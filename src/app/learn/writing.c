/* Text that the weights of a moment write by themselves, word after word: beside the window where
 * it takes longer than a part of a frame. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "lab/run/sample.h"

/* So many multiplications do not delay a frame. */
#define AT_ONCE 2e7

struct learn_writing {
    size_t holders;                      /* the window, and the task; the window's thread counts */
    const struct learn_snapshot *moment; /* held */
    double draw[VIEW_DRAWS];
    struct learn_network *network; /* the task's own */
    float *logits;
    int32_t *id; /* given words, then what was written */
    size_t given, most;
    atomic_size_t count; /* of id, by now */
    struct task *task;   /* that writes; NULL: none does */
};

static void forget_writing(void *subject)
{
    struct learn_writing *const writing = subject;
    if (--writing->holders > 0) {
        return;
    }
    learn_network_close(writing->network);
    learn_snapshot_release(writing->moment);
    free(writing->logits);
    free(writing->id);
    free(writing);
}

/* Whether a text begins anew behind a token: each name stands alone. */
static bool begins_anew(const struct learn_data *data, int32_t token)
{
    return learn_data_request_of(data)->task == LEARN_TASK_NAMES && token == 0;
}

/* The next token behind `count` of them, as far back as the weights see. False: no memory. */
static bool write_next(struct learn_writing *writing, size_t count, struct random *random)
{
    const struct learn_snapshot *const moment = writing->moment;
    const struct learn_shape *const shape = &moment->recipe->shape;
    int32_t *const id = writing->id;
    size_t from = count > shape->context ? count - shape->context : 0;
    for (size_t i = from; i < count; i++) {
        from = begins_anew(moment->data, id[i]) ? i : from;
    }
    const struct learn_batch batch = {1, count - from, id + from, NULL};
    struct learn_result result;
    if (!learn_network_run(writing->network, moment->weights, &batch, NULL, writing->logits,
                           &result, NULL)) {
        return false;
    }
    const float *const last = writing->logits + (count - from - 1) * shape->vocabulary;
    id[count] = (int32_t)lab_sample(last, shape->vocabulary, writing->draw[VIEW_DRAW_TEMPERATURE],
                                    writing->draw[VIEW_DRAW_TOP_P], random);
    return true;
}

/* job NULL: the window waits for it. */
static void write_words(struct app_job *job, void *subject)
{
    struct learn_writing *const writing = subject;
    struct random random;
    size_t count = writing->given;
    random_start(&random, (uint64_t)writing->draw[VIEW_DRAW_SEED], "write");
    while (count < writing->given + writing->most && (job == NULL || !app_job_is_cancelled(job)) &&
           write_next(writing, count, &random)) {
        atomic_store_explicit(&writing->count, ++count, memory_order_release);
    }
}

static void note_end(struct app_state *state, void *subject, double time)
{
    (void)state;
    (void)time;
    ((struct learn_writing *)subject)->task = NULL;
}

static const struct task_kind kind = {
    .work = write_words, .take = note_end, .forget = forget_writing, .beside = TASK_BESIDE};

/* Another step with the same weights writes the same words. */
static bool same_moment(const struct learn_snapshot *a, const struct learn_snapshot *b)
{
    const size_t size = a->tensors->floats * sizeof *a->weights;
    return a == b ||
           (a->data == b->data && a->tensors->floats == b->tensors->floats &&
            memcmp(a->weights, b->weights, size) == 0 &&
            memcmp(a->head_off, b->head_off, a->recipe->shape.layers * sizeof *a->head_off) == 0);
}

static bool is_what_is_asked(const struct app_learn *learn, const int32_t *id, size_t given,
                             size_t most)
{
    const struct learn_writing *const writing = learn->writing;
    return writing != NULL && writing->given == given && writing->most == most &&
           memcmp(writing->draw, learn->shown.text.draw, sizeof writing->draw) == 0 &&
           memcmp(writing->id, id, given * sizeof *id) == 0 &&
           same_moment(writing->moment, learn->view->moment);
}

/* NULL: no memory. */
static struct learn_writing *make(const struct app_learn *learn, const int32_t *id, size_t given,
                                  size_t most)
{
    const struct learn_snapshot *const moment = learn->view->moment;
    const struct learn_shape *const shape = &moment->recipe->shape;
    struct learn_writing *const writing = calloc(1, sizeof *writing);
    if (writing == NULL) {
        return NULL;
    }
    writing->holders = 1;
    writing->moment = learn_snapshot_keep(moment);
    memcpy(writing->draw, learn->shown.text.draw, sizeof writing->draw);
    writing->given = given;
    writing->most = most;
    atomic_init(&writing->count, given);
    writing->network = learn_network_open(shape, NULL, NULL);
    writing->logits = malloc(shape->context * shape->vocabulary * sizeof *writing->logits);
    writing->id = malloc((given + most + 1) * sizeof *writing->id);
    if (writing->network == NULL || writing->logits == NULL || writing->id == NULL) {
        forget_writing(writing);
        return NULL;
    }
    memcpy(writing->id, id, given * sizeof *id);
    for (size_t layer = 0; layer < shape->layers; layer++) {
        for (size_t head = 0; head < shape->heads; head++) {
            learn_network_switch_head(writing->network, layer, head,
                                      !moment->head_off[layer][head]);
        }
    }
    return writing;
}

void learn_writing_drop(struct app_learn *learn)
{
    struct learn_writing *const writing = learn->writing;
    learn->writing = NULL;
    if (writing != NULL && writing->task != NULL) {
        task_cancel(writing->task);
    }
    if (writing != NULL) {
        forget_writing(writing);
    }
}

size_t learn_written(struct app_state *state, const int32_t *given, size_t count, size_t most,
                     const int32_t **id)
{
    struct app_learn *const learn = state->learn;
    if (!is_what_is_asked(learn, given, count, most)) {
        learn_writing_drop(learn);
        learn->writing = make(learn, given, count, most);
        struct learn_writing *const writing = learn->writing;
        if (writing == NULL) {
            return 0;
        }
        const struct learn_shape *const shape = &writing->moment->recipe->shape;
        const double work =
            2 * (double)writing->moment->tensors->floats * (double)shape->context * (double)most;
        writing->holders++;
        writing->task = work <= AT_ONCE ? NULL : task_submit(&state->tasks, &kind, writing, 0);
        if (writing->task == NULL) {
            writing->holders--;
            write_words(NULL, writing);
        }
    }
    learn->written = atomic_load_explicit(&learn->writing->count, memory_order_acquire);
    *id = learn->writing->id;
    return learn->written;
}

bool learn_writes(const struct app_learn *learn)
{
    return learn->writing != NULL && learn->writing->task != NULL;
}

bool learn_has_written_more(const struct app_learn *learn)
{
    return learn->writing != NULL &&
           atomic_load_explicit(&learn->writing->count, memory_order_acquire) != learn->written;
}

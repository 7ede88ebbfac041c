/* Loss and accuracy at a step where training has not come by: of the batch that comes next there,
 * and of the rows that are never trained on. Beside the window where it takes longer than a part of
 * a frame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"

/* So many multiplications do not delay a frame. */
#define AT_ONCE 1e7

struct learn_measuring {
    size_t holders;                      /* the window, and the task; the window's thread counts */
    const struct learn_snapshot *moment; /* held */
    struct learn_network *network;       /* its own */
    int32_t *tokens;                     /* room for a batch and what it asks */
    struct learn_measured found;         /* the task's, while it computes */
    struct learn_measured is;            /* what the window tells; NAN: not computed yet */
    struct task *task;                   /* that computes; NULL: none does */
};

static void forget_measuring(void *subject)
{
    struct learn_measuring *const measuring = subject;
    if (--measuring->holders > 0) {
        return;
    }
    learn_network_close(measuring->network);
    learn_snapshot_release(measuring->moment);
    free(measuring->tokens);
    free(measuring);
}

/* False: no memory. */
static bool run_rows(struct learn_measuring *measuring, size_t rows, struct learn_result *result)
{
    const struct learn_snapshot *const moment = measuring->moment;
    const size_t width = moment->recipe->shape.context;
    const struct learn_batch batch = {rows, width, measuring->tokens,
                                      measuring->tokens + rows * width};
    return learn_network_run(measuring->network, moment->weights, &batch, NULL, NULL, result, NULL);
}

/* job NULL: the window waits for it. */
static void measure(struct app_job *job, void *subject)
{
    struct learn_measuring *const measuring = subject;
    const struct learn_snapshot *const moment = measuring->moment;
    const size_t rows = moment->recipe->batch, test = learn_data_test_rows(moment->data);
    const size_t width = moment->recipe->shape.context;
    int32_t *const tokens = measuring->tokens;
    struct learn_result result;
    learn_network_heed(measuring->network, job == NULL ? NULL : app_job_cancel_flag(job));
    learn_data_batch(moment->data, moment->step, tokens, tokens + rows * width);
    if (run_rows(measuring, rows, &result)) {
        measuring->found.loss = result.loss;
        measuring->found.right = learn_result_accuracy(&result);
    }
    if (test == 0 || (job != NULL && app_job_is_cancelled(job))) {
        return;
    }
    learn_data_test(moment->data, tokens, tokens + test * width);
    if (run_rows(measuring, test, &result)) {
        measuring->found.test = learn_result_accuracy(&result);
    }
}

static void note_end(struct app_state *state, void *subject, double time)
{
    struct learn_measuring *const measuring = subject;
    (void)time;
    measuring->task = NULL;
    measuring->is = measuring->found;
    if (state->learn != NULL && state->learn->measuring == measuring) {
        state->learn->wants++; /* it is told */
    }
}

static const struct task_kind kind = {
    .work = measure, .take = note_end, .forget = forget_measuring, .beside = TASK_WAITS};

/* NULL: no memory. */
static struct learn_measuring *create_measuring(const struct learn_snapshot *moment)
{
    const struct learn_shape *const shape = &moment->recipe->shape;
    const size_t batch = moment->recipe->batch, test = learn_data_test_rows(moment->data);
    const size_t rows = test > batch ? test : batch;
    struct learn_measuring *const measuring = calloc(1, sizeof *measuring);
    if (measuring == NULL) {
        return NULL;
    }
    measuring->holders = 1;
    measuring->moment = learn_snapshot_keep(moment);
    measuring->found = measuring->is = (struct learn_measured){NAN, NAN, NAN};
    measuring->network = learn_network_open(shape, NULL, NULL);
    measuring->tokens = malloc((2 * rows * shape->context + 1) * sizeof *measuring->tokens);
    if (measuring->network == NULL || measuring->tokens == NULL) {
        forget_measuring(measuring);
        return NULL;
    }
    for (size_t layer = 0; layer < shape->layers; layer++) {
        for (size_t head = 0; head < shape->heads; head++) {
            learn_network_switch_head(measuring->network, layer, head,
                                      !moment->head_off[layer][head]);
        }
    }
    return measuring;
}

void learn_measure_drop(struct app_learn *learn)
{
    struct learn_measuring *const measuring = learn->measuring;
    learn->measuring = NULL;
    if (measuring != NULL && measuring->task != NULL) {
        task_cancel(measuring->task);
    }
    if (measuring != NULL) {
        forget_measuring(measuring);
    }
}

bool learn_measure(struct app_state *state, struct learn_measured *out)
{
    struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const moment = learn->view->moment;
    if (learn->measuring == NULL || learn->measuring->moment != moment) {
        learn_measure_drop(learn);
        struct learn_measuring *const measuring = learn->measuring = create_measuring(moment);
        if (measuring == NULL) {
            return false;
        }
        const double rows = (double)(moment->recipe->batch + learn_data_test_rows(moment->data));
        const double work =
            2 * (double)moment->tensors->floats * (double)moment->recipe->shape.context * rows;
        measuring->holders++;
        measuring->task = work <= AT_ONCE ? NULL : task_submit(&state->tasks, &kind, measuring, 0);
        if (measuring->task == NULL) {
            measuring->holders--;
            measure(NULL, measuring);
            measuring->is = measuring->found;
        }
    }
    *out = learn->measuring->is;
    return learn->measuring->task == NULL;
}

bool learn_measures(const struct app_learn *learn)
{
    return learn->measuring != NULL && learn->measuring->task != NULL;
}

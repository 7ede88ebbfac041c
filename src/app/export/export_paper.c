/* The numbers that files are drawn from: of plain C, whose bytes are the same on every machine and
 * in every call, while the window shows what the processor's own set has computed. */
#include <string.h>

#include "app/export/export_internal.h"
#include "lab/experiment/graph.h"

/* Multiplications that take plain C less than a tenth of a second; more is done by a thread. */
static const double AT_ONCE = 1e8;

static void compute(struct app_job *job, void *subject)
{
    (void)job;
    struct export_paper *const paper = subject;
    struct error error = {0};
    paper->trace = lab_run(&paper->experiment, lab_op_count_set(&paper->experiment), &error);
}

static void take(struct app_state *state, void *subject, double time)
{
    struct export_paper *const paper = subject;
    (void)state;
    (void)time;
    paper->task = NULL;
}

static const struct task_kind kind = {.work = compute, .take = take, .beside = TASK_BESIDE};

static void let_go(struct export_paper *paper, struct tasks *tasks)
{
    if (paper->task != NULL) {
        task_end(tasks, paper->task);
    }
    lab_trace_release(paper->trace);
    lab_trace_release(paper->of);
    lab_experiment_release(&paper->experiment);
    *paper = (struct export_paper){0};
}

void export_paper_free(struct app_state *state)
{
    let_go(&state->export->paper, &state->tasks);
}

static void begin(struct export_paper *paper, const struct lab_trace *trace, struct tasks *tasks)
{
    let_go(paper, tasks);
    paper->of = lab_trace_keep(trace);
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const char *const set = lab_op_count_set(experiment);
    if (set == NULL || strcmp(lab_trace_facts(trace).isa, set) == 0) {
        paper->trace = lab_trace_keep(trace); /* as it is, or too long to be waited for */
        return;
    }
    lab_experiment_copy(&paper->experiment, experiment);
    if (lab_op_count(experiment) > AT_ONCE) {
        paper->task = task_submit(tasks, &kind, paper, 0);
    }
    if (paper->task == NULL) {
        compute(NULL, paper);
    }
}

bool export_paper_ready(struct app_state *state)
{
    struct export_paper *const paper = &state->export->paper;
    if (state->document.trace == NULL) {
        return true;
    }
    if (paper->task == NULL && paper->of != state->document.trace) {
        begin(paper, state->document.trace, &state->tasks);
    }
    return paper->task == NULL;
}

const struct lab_trace *export_paper_trace(const struct app_state *state)
{
    const struct export_paper *const paper = &state->export->paper;
    const bool known =
        paper->task == NULL && paper->of == state->document.trace && paper->trace != NULL;
    return known ? paper->trace : state->document.trace;
}

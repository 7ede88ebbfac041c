/* The trace of an experiment that takes long: what is asked for, and its one slice. */
#include "app/document/trace_want.h"

#include <stdatomic.h>
#include <stdlib.h>

/* An experiment whose trace is wanted: what stands behind the number of a key. */
struct trace_request {
    struct value value;
    struct lab_experiment experiment;
    struct lab_engine engine;
    _Atomic(const struct lab_trace *) former; /* that computing begins from; a reference, or NULL */
    uint32_t step, asked;
};

static void drop_request(struct value *value)
{
    struct trace_request *const request = (struct trace_request *)value;
    lab_trace_release(atomic_load(&request->former));
    lab_experiment_release(&request->experiment);
    free(request);
}

static void drop_trace(struct value *value)
{
    lab_trace_release(((struct document_trace *)value)->trace);
    free(value);
}

static const struct value *new_request(const struct document_step *step,
                                       const struct lab_trace *former,
                                       const struct lab_engine *engine)
{
    struct trace_request *const request = calloc(1, sizeof *request);
    if (request == NULL) {
        return NULL;
    }
    value_begin(&request->value, sizeof *request, drop_request);
    lab_experiment_copy(&request->experiment, &step->experiment);
    request->engine = *engine;
    request->step = step->number;
    request->asked = step->asked;
    atomic_init(&request->former, former == NULL ? NULL : lab_trace_keep(former));
    return &request->value;
}

bool document_want_trace(struct results *results, enum slot slot, const struct document_step *step,
                         const struct lab_trace *former, const struct lab_engine *engine,
                         const struct value **request, struct finding *finding)
{
    if (*request == NULL || ((const struct trace_request *)*request)->asked != step->asked) {
        value_release(*request);
        *request = new_request(step, former, engine);
    }
    if (*request == NULL) {
        return false;
    }
    const struct want want = {.kind = WANT_TRACE, .asked = step->asked};
    *finding = results_want_of(results, &want, *request, slot);
    return true;
}

/* About what a trace holds: scores and weights, and what is of each word and head. */
static size_t trace_bytes(const struct lab_trace *trace)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    const size_t words = sizes.n + sizes.m,
                 width = sizes.d_model + sizes.heads * sizes.d_k + sizes.heads * sizes.d_v;
    return (2 * sizes.heads * sizes.n * sizes.m + 2 * words * width) * sizeof(float) +
           lab_experiment_bytes(experiment, NULL);
}

/* In one slice, which cannot be stopped. */
static enum slice_end compute_trace(struct slice *slice)
{
    struct trace_request *const request = (struct trace_request *)slice->content;
    const struct lab_trace *const former = atomic_exchange(&request->former, NULL);
    struct document_trace *const made = malloc(sizeof *made);
    const struct lab_trace *const trace =
        made == NULL ? NULL
                     : lab_run_after(former, &request->experiment, &request->engine, &slice->error);
    lab_trace_release(former);
    if (trace == NULL) {
        free(made);
        if (slice->error.code == ERROR_NONE) {
            (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory for that.");
        }
        return SLICE_FAILED;
    }
    made->trace = trace;
    made->step = request->step;
    made->asked = request->asked;
    value_begin(&made->value, sizeof *made + trace_bytes(trace), drop_trace);
    slice->value = &made->value;
    return SLICE_DONE;
}

const struct result_kind document_trace_kind = {.work = compute_trace};

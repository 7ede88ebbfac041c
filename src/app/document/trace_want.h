/* app/document/trace_want.h — the trace of an experiment that takes long, as results compute it. */
#ifndef APP_DOCUMENT_TRACE_WANT_H
#define APP_DOCUMENT_TRACE_WANT_H

#include "app/document/document.h"
#include "app/results/results.h"
#include "app/results/wants.h"

/* A value of WANT_TRACE. */
struct document_trace {
    struct value value;
    const struct lab_trace *trace;
    uint32_t step, asked; /* document_step.number and .asked of what it was asked for */
};

extern const struct result_kind document_trace_kind;

/* Asks the results for the trace of a step, for this place on the screen. Computing begins from the
 * former trace, or NULL. *request is what stands behind the key: made anew where it is of another
 * step, and held for the caller until it is released. False: no memory. */
bool document_want_trace(struct results *results, enum slot slot, const struct document_step *step,
                         const struct lab_trace *former, const struct lab_engine *engine,
                         const struct value **request, struct finding *finding);

#endif

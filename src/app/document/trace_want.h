/* app/document/trace_want.h — the trace of an experiment that takes long, as results compute it. */
#ifndef APP_DOCUMENT_TRACE_WANT_H
#define APP_DOCUMENT_TRACE_WANT_H

#include "app/document/document.h"
#include "app/results/results.h"

/* A value of WANT_TRACE. */
struct document_trace {
    struct value value;
    const struct lab_trace *trace;
    uint32_t step, asked; /* document_step.number and .asked of what it was asked for */
};

extern const struct result_kind document_trace_kind;

/* The content of such a want: the experiment of a step. Computing begins from the former trace, or
 * NULL. The caller holds one reference. NULL: no memory. */
const struct value *document_new_request(const struct document_step *step,
                                         const struct lab_trace *former,
                                         const struct lab_engine *engine);
uint32_t document_asked_of(const struct value *request);

#endif

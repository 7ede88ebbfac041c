/* Finds what the experiment is compared with; to show what the last change did, that is the step
 * before the present one. */
#include "app/document/document.h"
#include "app/document/trace_want.h"

const struct document_step *document_step_before(const struct document *document)
{
    const struct document_step *const step = &document->history.step[document->at];
    const struct document_step *const before =
        step->parent == DOCUMENT_NO_STEP ? NULL : &document->history.step[step->parent];
    const bool is_own = before != NULL && before->work == step->work &&
                        before->lesson == step->lesson && before->at == step->at &&
                        !lab_experiment_equal(&before->experiment, &step->experiment);
    return is_own ? before : NULL;
}

const char *document_change_name(const struct document *document)
{
    return document_step_before(document) == NULL ? NULL
                                                  : document->history.step[document->at].name;
}

static void put_baseline(struct document *document, const struct lab_trace *trace, uint32_t asked)
{
    lab_trace_release(document->baseline);
    document->baseline = trace;
    document->baseline_asked = asked;
}

void document_compare(struct document *document, enum document_compares compares,
                      const struct lab_trace *trace)
{
    put_baseline(document, trace == NULL ? NULL : lab_trace_keep(trace), 0);
    document->compares = compares;
}

/* Returns what has come of the trace of this step, of which the caller gets a reference; NULL:
 * nothing. */
static const struct lab_trace *want_baseline(struct document *document,
                                             const struct document_step *step)
{
    struct finding finding;
    if (!document_want_trace(document->results, SLOT_BASELINE, step, document->trace,
                             &document->engine, &document->baseline_request, &finding)) {
        return NULL;
    }
    const struct document_trace *const value = (const struct document_trace *)finding.value;
    return value == NULL || value->asked != step->asked ? NULL : lab_trace_keep(value->trace);
}

void document_follow_baseline(struct document *document)
{
    const bool compares_change = document->compares == DOCUMENT_COMPARES_CHANGE;
    const struct document_step *const before =
        compares_change ? document_step_before(document) : NULL;
    if (before == NULL || before->asked == document->baseline_asked) {
        value_release(document->baseline_request);
        document->baseline_request = NULL;
        if (compares_change && before == NULL) {
            document_compare(document, DOCUMENT_COMPARES_NOTHING, NULL);
        }
        return;
    }
    put_baseline(document, NULL, 0);
    if (!document_wake_weights(&before->experiment)) {
        return;
    }
    if (document_is_long(&before->experiment)) {
        const struct lab_trace *const trace = want_baseline(document, before);
        put_baseline(document, trace, trace != NULL ? before->asked : 0);
        return;
    }
    struct error error = {0};
    put_baseline(
        document,
        lab_words_count(before->experiment.tokens) == 0
            ? NULL
            : lab_run_after(document->trace, &before->experiment, &document->engine, &error),
        before->asked);
}

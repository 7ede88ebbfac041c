/* lab/run/trace_typed.c — numbers typed by hand, laid over those that were computed. */
#include "lab/experiment/edits.h"
#include "lab/run/trace_parts.h"

/* Heads of a group share their keys and values. */
static size_t place_of(const struct lab_trace *trace, const struct lab_edit *edit, size_t count,
                       size_t rows, size_t cols)
{
    const size_t matrix = edit->head / (trace->sizes.heads / count);
    return (matrix * rows + edit->row) * cols + edit->column;
}

void lab_trace_type(struct lab_trace *trace, enum lab_part part, size_t count, size_t rows,
                    size_t cols, float *values)
{
    const struct lab_edits *const edits = trace->experiment.edits;
    for (size_t e = 0; e < lab_edits_count(edits); e++) {
        const struct lab_edit edit = lab_edits_at(edits, e);
        if (edit.part != part || !lab_edits_fits(&edit, &trace->sizes)) {
            continue;
        }
        float *const cell = values + place_of(trace, &edit, count, rows, cols);
        trace->origin[e] = *cell;
        trace->met[e] = true;
        *cell = edit.value;
    }
}

void lab_trace_untype(const struct lab_trace *trace, enum lab_part part, size_t count, size_t rows,
                      size_t cols, float *values)
{
    for (size_t e = lab_edits_count(trace->experiment.edits); e-- > 0;) {
        const struct lab_edit edit = lab_edits_at(trace->experiment.edits, e);
        if (edit.part == part && trace->met[e]) {
            values[place_of(trace, &edit, count, rows, cols)] = trace->origin[e];
        }
    }
}

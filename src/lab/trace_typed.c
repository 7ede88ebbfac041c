/* lab/trace_typed.c — numbers typed by hand, laid over those that were computed. */
#include "lab/edits.h"
#include "lab/trace_parts.h"

void lab_trace_type(struct lab_trace *trace, enum lab_part part, size_t count, size_t rows,
                    size_t cols, float *values)
{
    const struct lab_edits *const edits = trace->experiment.edits;
    for (size_t e = 0; e < lab_edits_count(edits); e++) {
        const struct lab_edit edit = lab_edits_at(edits, e);
        if (edit.part != part || !lab_edits_fits(&edit, &trace->sizes)) {
            continue;
        }
        /* Heads of a group share their keys and values. */
        const size_t matrix = edit.head / (trace->sizes.heads / count);
        float *const cell = values + (matrix * rows + edit.row) * cols + edit.column;
        trace->origin[e] = *cell;
        trace->met[e] = true;
        *cell = edit.value;
    }
}

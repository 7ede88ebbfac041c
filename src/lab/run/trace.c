/* lab/run/trace.c — returns what was computed. */
#include <math.h>
#include <stdlib.h>

#include "lab/experiment/edits.h"
#include "lab/run/trace_internal.h"

/* ---- numbers typed by hand over computed ones ------------------------------------------------ */

/* Returns the place of an edit; heads of a group share their keys and values. */
static size_t edit_offset(const struct lab_trace *trace, const struct lab_edit *edit, size_t count,
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
        float *const cell = values + edit_offset(trace, &edit, count, rows, cols);
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
            values[edit_offset(trace, &edit, count, rows, cols)] = trace->origin[e];
        }
    }
}

/* Returns the name of a part; some have another name in files and comments than in pictures. */
static const char *name_of(const struct lab_trace *trace, enum lab_part part)
{
    return part == LAB_CONTEXT_X  ? "X_context"
           : part == LAB_EMBEDDED ? "embeddings"
                                  : lab_graph_symbol(&trace->graph, part);
}

struct lab_trace *lab_trace_keep(const struct lab_trace *trace)
{
    struct lab_trace *shared = (struct lab_trace *)trace; /* only the count changes */
    if (shared != NULL) {
        atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    }
    return shared;
}

void lab_trace_release(const struct lab_trace *trace)
{
    struct lab_trace *shared = (struct lab_trace *)trace;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        lab_experiment_release(&shared->experiment);
        for (size_t p = 0; p < LAB_PARTS; p++) {
            lab_numbers_release(shared->large[p]);
        }
        arena_free(&shared->arena);
        free(shared);
    }
}

const struct lab_experiment *lab_trace_experiment(const struct lab_trace *trace)
{
    return &trace->experiment;
}

struct lab_sizes lab_trace_sizes(const struct lab_trace *trace)
{
    return trace->sizes;
}

const struct lab_graph *lab_trace_graph(const struct lab_trace *trace)
{
    return &trace->graph;
}

const char *const *lab_trace_queries(const struct lab_trace *trace)
{
    return lab_words_list(trace->experiment.tokens);
}

const char *const *lab_trace_keys(const struct lab_trace *trace)
{
    const struct lab_words *const context = trace->experiment.context;
    return lab_words_list(context == NULL ? trace->experiment.tokens : context);
}

/* Returns the names of the rows or columns of a part, as a head sees them; NULL: they have none. */
static const char *const *names_of(const struct lab_trace *trace, enum lab_extent extent,
                                   enum lab_role role, size_t head)
{
    const struct lab_sizes *const s = &trace->sizes;
    const char *const *const keys = role == LAB_ROLE_KEY ? trace->k_names : trace->q_names;
    switch (extent) {
    case LAB_EXTENT_QUERIES:
        return lab_trace_queries(trace);
    case LAB_EXTENT_KEYS:
        return lab_trace_keys(trace);
    case LAB_EXTENT_MODEL:
        return trace->axis;
    case LAB_EXTENT_K:
        return keys == NULL ? NULL : keys + head * s->d_k;
    case LAB_EXTENT_V:
        return trace->v_names == NULL ? NULL : trace->v_names + head * s->d_v;
    case LAB_EXTENT_ALL_V:
        return trace->v_names;
    case LAB_EXTENT_ONE:
    case LAB_EXTENT_LATENT:
    case LAB_EXTENT_HEADS:
    case LAB_EXTENT_KV_HEADS:
        break;
    }
    return NULL;
}

/* Returns which of a part's matrices a head of queries uses: heads of a group share theirs. */
static size_t matrix_of(const struct lab_trace *trace, enum lab_part part, size_t head)
{
    const size_t matrices = trace->part[part].heads, heads = trace->sizes.heads;
    const size_t inside = head < heads ? head : heads - 1;
    return matrices == 0 ? 0 : inside / (heads / matrices);
}

size_t lab_trace_matrices(const struct lab_trace *trace, enum lab_part part)
{
    return trace->part[part].heads;
}

static struct lab_matrix part_of(const struct lab_trace *trace, enum lab_part part, size_t head)
{
    const struct lab_trace_buffer *const buffer = &trace->part[part];
    const size_t at = matrix_of(trace, part, head);
    const size_t first_head = at * (trace->sizes.heads / (buffer->heads > 0 ? buffer->heads : 1));
    const struct lab_node_row *const row = lab_node_row(part);
    return (struct lab_matrix){
        .name = name_of(trace, part),
        .row_words = names_of(trace, row->rows, row->role, first_head),
        .column_words = names_of(trace, row->cols, row->role, first_head),
        .rows = buffer->rows,
        .cols = buffer->cols,
        .stride = buffer->cols,
        .values = buffer->values == NULL ? NULL : buffer->values + at * buffer->rows * buffer->cols,
    };
}

struct lab_matrix lab_trace_part(const struct lab_trace *trace, enum lab_part part, size_t head)
{
    if (part == LAB_SCORES && atomic_load(&trace->hides_scores)) {
        lab_trace_uncover((struct lab_trace *)trace); /* no number that was ever read changes */
    }
    return part_of(trace, part, head);
}

size_t lab_trace_pairs(const struct lab_trace *trace)
{
    return trace->pairs;
}

size_t lab_trace_blind(const struct lab_trace *trace)
{
    return trace->blind;
}

bool lab_trace_holds(const struct lab_trace *trace, const float *values)
{
    for (size_t p = 0; p < LAB_PARTS; p++) {
        const struct lab_trace_buffer *const buffer = &trace->part[p];
        const size_t count = buffer->heads * buffer->rows * buffer->cols;
        const uintptr_t from = (uintptr_t)buffer->values, at = (uintptr_t)values;
        if (from != 0 && at >= from && at - from < count * sizeof *values) {
            return true;
        }
    }
    return false;
}

bool lab_trace_hides(const struct lab_trace *trace)
{
    return trace->visible != NULL && trace->pairs < trace->sizes.n * trace->sizes.m;
}

bool lab_trace_sees(const struct lab_trace *trace, size_t i, size_t j)
{
    return trace->visible == NULL || trace->visible[i * trace->sizes.m + j] != 0;
}

float lab_trace_adjusted(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                         float score)
{
    const struct lab_experiment *const experiment = &trace->experiment;
    const struct lab_sizes *const sizes = &trace->sizes;
    float value = score * sizes->factor;
    if (experiment->score_cap != NULL) {
        const float cap = lab_numbers_values(experiment->score_cap)[0];
        value = cap * tanhf(value / cap);
    }
    if (experiment->score_bias != NULL) {
        value += lab_numbers_values(experiment->score_bias)[(head * sizes->n + i) * sizes->m + j];
    }
    return value;
}

float lab_trace_sink(const struct lab_trace *trace, size_t head)
{
    const struct lab_numbers *const sinks = trace->experiment.sinks;
    return sinks == NULL ? -INFINITY : lab_numbers_values(sinks)[head];
}

double lab_trace_sink_share(const struct lab_trace *trace, size_t head, size_t i)
{
    const double sink = (double)lab_trace_sink(trace, head);
    double max = sink, sum = 0;
    for (size_t j = 0; isfinite(sink) && j < trace->sizes.m; j++) {
        max = fmax(max, (double)lab_trace_scaled(trace, head, i, j));
    }
    for (size_t j = 0; isfinite(sink) && j < trace->sizes.m; j++) {
        sum += exp((double)lab_trace_scaled(trace, head, i, j) - max);
    }
    return isfinite(sink) ? exp(sink - max) / (sum + exp(sink - max)) : 0;
}

float lab_trace_scaled(const struct lab_trace *trace, size_t head, size_t i, size_t j)
{
    if (!lab_trace_sees(trace, i, j)) {
        return -INFINITY;
    }
    const struct lab_matrix scores = part_of(trace, LAB_SCORES, head);
    return scores.values == NULL
               ? NAN
               : lab_trace_adjusted(trace, head, i, j, lab_matrix_at(&scores, i, j));
}

struct lab_matrix lab_trace_scaled_matrix(const struct lab_trace *trace, size_t head,
                                          struct arena *arena)
{
    struct lab_matrix scaled = lab_trace_part(trace, LAB_SCORES, head);
    float *const values = arena_array(arena, scaled.rows * scaled.cols, sizeof *values);
    if (values != NULL) {
        for (size_t i = 0; i < scaled.rows; i++) {
            for (size_t j = 0; j < scaled.cols; j++) {
                values[i * scaled.cols + j] = lab_trace_scaled(trace, head, i, j);
            }
        }
    }
    scaled.name = "S′";
    scaled.stride = scaled.cols;
    scaled.values = values;
    return scaled;
}

bool lab_trace_is_guess(const struct lab_trace *trace, size_t token)
{
    return token < trace->sizes.n && trace->guess[token];
}

const struct lab_engine *lab_trace_engine(const struct lab_trace *trace)
{
    return &trace->engine;
}

struct lab_run_facts lab_trace_facts(const struct lab_trace *trace)
{
    return trace->facts;
}

/* Returns the edit that covers a cell of this trace; the number of edits: there is none. A number
 * of a group's keys or values may have been typed in any head of the group; the last one counts. */
static size_t edit_of(const struct lab_trace *trace, enum lab_part part, size_t head, size_t row,
                      size_t column)
{
    const struct lab_edits *const edits = trace->experiment.edits;
    const size_t matrices = trace->part[part].heads, heads = trace->sizes.heads;
    size_t place = 0, holds = lab_edits_count(edits);
    if (holds == 0 || matrices == 0) {
        return holds;
    }
    const size_t sharing = heads / matrices, first = head / sharing * sharing;
    for (size_t h = first; h < first + sharing; h++) {
        const bool found = lab_edits_find(edits, part, h, row, column, &place);
        holds = found && trace->met[place] ? place : holds;
    }
    return holds;
}

bool lab_trace_is_edited(const struct lab_trace *trace, enum lab_part part, size_t head, size_t row,
                         size_t column)
{
    return edit_of(trace, part, head, row, column) < lab_edits_count(trace->experiment.edits);
}

bool lab_trace_edit_goes_on(const struct lab_trace *trace, enum lab_part part, size_t head,
                            size_t row, size_t column)
{
    const size_t edit = edit_of(trace, part, head, row, column);
    return edit < lab_edits_count(trace->experiment.edits) &&
           lab_edits_at(trace->experiment.edits, edit).goes_on;
}

float lab_trace_origin_value(const struct lab_trace *trace, enum lab_part part, size_t head,
                             size_t row, size_t column)
{
    const size_t edit = edit_of(trace, part, head, row, column);
    const struct lab_matrix matrix = lab_trace_part(trace, part, head);
    return edit < lab_edits_count(trace->experiment.edits) ? trace->origin[edit]
                                                           : lab_matrix_at(&matrix, row, column);
}

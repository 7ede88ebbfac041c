/* lab/explain/cell.c — from a selection to its cell, and from a cell to the selection that shows
 * it. */
#include "lab/explain/cell.h"

#include "lab/explain/explain_internal.h"

bool lab_cell_exists(const struct lab_trace *trace, const struct lab_cell *cell)
{
    const struct lab_matrix matrix = lab_trace_part(trace, cell->part, cell->head);
    return matrix.values != NULL && cell->row < matrix.rows && cell->column < matrix.cols &&
           cell->head < lab_trace_sizes(trace).heads;
}

/* The selection's indices that count rows and columns. */
enum index { BY_QUERY, BY_KEY, BY_CHANNEL, BY_WORD };

static size_t index_of(const struct lab_topic *topic, enum index index)
{
    switch (index) {
    case BY_QUERY:
        return topic->at.query;
    case BY_KEY:
        return topic->at.key;
    case BY_CHANNEL:
        return topic->at.channel;
    case BY_WORD:
        break;
    }
    return lab_topic_of_keys(topic) ? topic->at.key : topic->at.query;
}

/* Returns the index of the selection that counts rows or columns; BY_WORD: none does. The channel
 * of a projection is one of Q, K or V, never of d_model. */
static enum index index_of_extent(enum lab_extent extent, enum lab_stage stage)
{
    switch (extent) {
    case LAB_EXTENT_QUERIES:
        return BY_QUERY;
    case LAB_EXTENT_KEYS:
        return BY_KEY;
    case LAB_EXTENT_MODEL:
        return stage == LAB_PROJECT ? BY_WORD : BY_CHANNEL;
    case LAB_EXTENT_K:
    case LAB_EXTENT_V:
    case LAB_EXTENT_ALL_V:
    case LAB_EXTENT_LATENT:
        return BY_CHANNEL;
    case LAB_EXTENT_ONE:
    case LAB_EXTENT_HEADS:
    case LAB_EXTENT_KV_HEADS:
        break;
    }
    return BY_WORD;
}

enum lab_part lab_cell_part(enum lab_stage stage, const struct lab_selection *selection)
{
    static const enum lab_part parts[LAB_STAGES] = {
        [LAB_EMBED] = LAB_EMBEDDINGS_X, [LAB_PROJECT] = LAB_Q,     [LAB_SCORE] = LAB_SCORES,
        [LAB_SCALE] = LAB_SCORES,       [LAB_SOFTMAX] = LAB_ALPHA, [LAB_BLEND] = LAB_Z,
        [LAB_OUTPUT] = LAB_OUTPUT_O};
    return stage == LAB_PROJECT ? selection->projected : parts[stage];
}

/* Says whether a node is another form of the rows of `shown`: before they are turned, as the scores
 * take them, or with the residual. */
static bool is_form_of(const struct lab_graph *graph, size_t node, size_t shown)
{
    const struct lab_node_row *const row = lab_node_row(node), *const of = lab_node_row(shown);
    return node != shown && lab_graph_has(graph, node) && row->rows == of->rows &&
           row->cols == of->cols &&
           (lab_graph_leads(graph, node, shown) || lab_graph_leads(graph, shown, node));
}

struct lab_cell lab_topic_cell(const struct lab_topic *topic)
{
    const enum lab_stage stage = topic->stage;
    const enum lab_part shown = lab_cell_part(stage, &topic->at);
    const enum lab_part form = topic->at.form;
    const bool is_form = form != LAB_EMBEDDINGS_X && is_form_of(topic->graph, form, shown);
    const enum lab_part part = is_form ? form : shown;
    const struct lab_node_row *const row = lab_node_row(part);
    return (struct lab_cell){
        .part = part,
        .head = lab_node_has_heads(part) ? topic->at.head : 0,
        .row = index_of(topic, stage == LAB_PROJECT ? BY_WORD : index_of_extent(row->rows, stage)),
        .column = index_of(topic, index_of_extent(row->cols, stage)),
    };
}

bool lab_cell_selected(const struct lab_trace *trace, enum lab_stage stage,
                       const struct lab_selection *selection, struct lab_cell *cell)
{
    struct arena arena = {0}; /* for words that are not needed here */
    *cell = lab_topic_of(trace, stage, selection, &arena).cell;
    arena_free(&arena);
    return lab_cell_exists(trace, cell);
}

static void select_index(struct lab_selection *selection, enum index index, size_t value)
{
    switch (index) {
    case BY_QUERY:
        selection->query = value;
        break;
    case BY_KEY:
        selection->key = value;
        break;
    case BY_CHANNEL:
        selection->channel = value;
        break;
    case BY_WORD:
        break;
    }
}

/* Returns which of Q, K and V a cell is another form of; LAB_EMBEDDINGS_X: of none. */
static enum lab_part shown_form(const struct lab_graph *graph, const struct lab_cell *cell)
{
    size_t p = LAB_Q;
    while (p <= LAB_V && !is_form_of(graph, cell->part, p)) {
        p++;
    }
    return p <= LAB_V ? (enum lab_part)p : LAB_EMBEDDINGS_X;
}

void lab_cell_select(const struct lab_trace *trace, const struct lab_cell *cell,
                     enum lab_stage *stage, struct lab_selection *selection)
{
    const enum lab_part shown = shown_form(lab_trace_graph(trace), cell);
    const bool is_form = shown != LAB_EMBEDDINGS_X;
    const struct lab_node_row *const row = lab_node_row(cell->part);
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    size_t head = cell->head, column = cell->column;
    if (cell->part == LAB_CONCAT && sizes.d_v > 0) { /* the Z at this place */
        head = column / sizes.d_v;
        column %= sizes.d_v;
    }
    *stage = is_form ? LAB_PROJECT : row->stage;
    selection->form = is_form || cell->part == LAB_RESIDUAL ? cell->part : LAB_EMBEDDINGS_X;
    select_index(selection, index_of_extent(row->rows, *stage), cell->row);
    select_index(selection, index_of_extent(row->cols, *stage), column);
    if (*stage != LAB_EMBED && *stage != LAB_OUTPUT) {
        selection->head = head;
    }
    for (size_t p = LAB_V; *stage == LAB_PROJECT && p >= LAB_Q; p--) { /* the first part that it
                                                                          influences */
        if (lab_graph_leads(lab_trace_graph(trace), cell->part, p)) {
            selection->projected = (enum lab_part)p;
        }
    }
    selection->projected = is_form ? shown : cell->part == LAB_C ? LAB_C : selection->projected;
    /* In self-attention Q, K and V show their rows by the query. */
    if (*stage == LAB_PROJECT && row->rows == LAB_EXTENT_KEYS && !sizes.raw && !sizes.cross) {
        selection->query = cell->row;
    }
}

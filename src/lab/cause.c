/* lab/cause.c — from a cell back to the cells that made it. */
#include "lab/cause.h"

#include "lab/explain_parts.h"

bool lab_cell_exists(const struct lab_trace *trace, const struct lab_cell *cell)
{
    const struct lab_matrix matrix = lab_trace_part(trace, cell->part, cell->head);
    return matrix.values != NULL && cell->row < matrix.rows && cell->column < matrix.cols &&
           cell->head < lab_trace_sizes(trace).heads;
}

/* Which of the selection's indices count rows and columns. */
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

/* Which of the selection's indices counts rows or columns; BY_WORD: none of them does. The channel
 * of a projection is one of Q, K or V, none of d_model. */
static enum index index_by(enum lab_extent extent, enum lab_stage stage)
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
        return BY_CHANNEL;
    case LAB_EXTENT_ONE:
    case LAB_EXTENT_LATENT:
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

bool lab_cell_selected(const struct lab_trace *trace, enum lab_stage stage,
                       const struct lab_selection *selection, struct lab_cell *cell)
{
    struct arena arena = {0}; /* for the words, which are not needed here */
    const struct lab_topic topic = lab_topic_of(trace, stage, selection, &arena);
    const enum lab_part part = lab_cell_part(stage, &topic.at);
    const struct lab_node_row *const row = lab_node_row(part);
    *cell = (struct lab_cell){
        .part = part,
        .head = lab_node_has_heads(part) ? topic.at.head : 0,
        .row = index_of(&topic, stage == LAB_PROJECT ? BY_WORD : index_by(row->rows, stage)),
        .column = index_of(&topic, index_by(row->cols, stage)),
    };
    arena_free(&arena);
    return lab_cell_exists(trace, cell);
}

enum lab_stage lab_cell_stage(enum lab_part part)
{
    return lab_node_row(part)->stage;
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

void lab_cell_select(const struct lab_trace *trace, const struct lab_cell *cell,
                     enum lab_stage *stage, struct lab_selection *selection)
{
    const struct lab_node_row *const row = lab_node_row(cell->part);
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    size_t head = cell->head, column = cell->column;
    if (cell->part == LAB_CONCAT && sizes.d_v > 0) { /* the Z that stands there */
        head = column / sizes.d_v;
        column %= sizes.d_v;
    }
    *stage = row->stage;
    select_index(selection, index_by(row->rows, *stage), cell->row);
    select_index(selection, index_by(row->cols, *stage), column);
    if (*stage != LAB_EMBED && *stage != LAB_OUTPUT) {
        selection->head = head;
    }
    for (size_t p = LAB_V; *stage == LAB_PROJECT && p >= LAB_Q; p--) { /* the first it leads to */
        if (lab_graph_leads(lab_trace_graph(trace), cell->part, p)) {
            selection->projected = (enum lab_part)p;
        }
    }
    /* In self-attention Q, K and V show their rows by the query. */
    if (*stage == LAB_PROJECT && row->rows == LAB_EXTENT_KEYS && !sizes.raw && !sizes.cross) {
        selection->query = cell->row;
    }
}

bool lab_causes_hold(const struct lab_causes *causes, const struct lab_cell *cell)
{
    for (size_t c = 0; c < causes->count; c++) {
        const struct lab_cause *const cause = &causes->cause[c];
        if (cause->part == cell->part && cause->head == cell->head && cell->row >= cause->row &&
            cell->row - cause->row < cause->row_count && cell->column >= cause->column &&
            cell->column - cause->column < cause->column_count) {
            return true;
        }
    }
    return false;
}

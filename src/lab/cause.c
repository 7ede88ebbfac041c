/* lab/cause.c — from a cell back to the cells that made it. */
#include "lab/cause.h"

#include "lab/explain_parts.h"

bool lab_cell_exists(const struct lab_trace *trace, const struct lab_cell *cell)
{
    const struct lab_matrix matrix = lab_trace_part(trace, cell->part, cell->head);
    return matrix.values != NULL && cell->row < matrix.rows && cell->column < matrix.cols &&
           cell->head < lab_trace_sizes(trace).heads;
}

/* Which part is the result of a stage, and which of the selection's indices are its cell. */
enum index { BY_QUERY, BY_KEY, BY_CHANNEL, BY_WORD };

static const struct shown {
    enum lab_part part;
    enum index row, column;
    bool has_heads;
} shown_at[LAB_STAGES] = {
    [LAB_EMBED] = {LAB_EMBEDDINGS_X, BY_QUERY, BY_CHANNEL, false},
    [LAB_PROJECT] = {LAB_Q, BY_WORD, BY_CHANNEL, true}, /* or K, or V: as selected */
    [LAB_SCORE] = {LAB_SCORES, BY_QUERY, BY_KEY, true},
    [LAB_SCALE] = {LAB_SCORES, BY_QUERY, BY_KEY, true},
    [LAB_SOFTMAX] = {LAB_ALPHA, BY_QUERY, BY_KEY, true},
    [LAB_BLEND] = {LAB_Z, BY_QUERY, BY_CHANNEL, true},
    [LAB_OUTPUT] = {LAB_OUTPUT_O, BY_QUERY, BY_CHANNEL, false},
};

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

bool lab_cell_selected(const struct lab_trace *trace, enum lab_stage stage,
                       const struct lab_selection *selection, struct lab_cell *cell)
{
    struct arena arena = {0}; /* for the words, which are not needed here */
    const struct lab_topic topic = lab_topic_of(trace, stage, selection, &arena);
    const struct shown *const shown = &shown_at[stage];
    *cell = (struct lab_cell){
        .part = stage == LAB_PROJECT ? topic.at.projected : shown->part,
        .head = shown->has_heads ? topic.at.head : 0,
        .row = index_of(&topic, shown->row),
        .column = index_of(&topic, shown->column),
    };
    arena_free(&arena);
    return lab_cell_exists(trace, cell);
}

/* Where a part is looked at. Indices that are BY_WORD do not select anything. */
static const struct home {
    enum lab_stage stage;
    enum index row, column;
} homes[LAB_PARTS] = {
    [LAB_EMBEDDINGS_X] = {LAB_EMBED, BY_QUERY, BY_CHANNEL},
    [LAB_W_Q] = {LAB_PROJECT, BY_WORD, BY_CHANNEL},
    [LAB_W_K] = {LAB_PROJECT, BY_WORD, BY_CHANNEL},
    [LAB_W_V] = {LAB_PROJECT, BY_WORD, BY_CHANNEL},
    [LAB_W_O] = {LAB_OUTPUT, BY_WORD, BY_CHANNEL},
    [LAB_Q] = {LAB_PROJECT, BY_QUERY, BY_CHANNEL},
    [LAB_K] = {LAB_PROJECT, BY_KEY, BY_CHANNEL},
    [LAB_V] = {LAB_PROJECT, BY_KEY, BY_CHANNEL},
    [LAB_SCORES] = {LAB_SCORE, BY_QUERY, BY_KEY},
    [LAB_ALPHA] = {LAB_SOFTMAX, BY_QUERY, BY_KEY},
    [LAB_Z] = {LAB_BLEND, BY_QUERY, BY_CHANNEL},
    [LAB_CONCAT] = {LAB_BLEND, BY_QUERY, BY_CHANNEL},
    [LAB_OUTPUT_O] = {LAB_OUTPUT, BY_QUERY, BY_CHANNEL},
    [LAB_RESIDUAL] = {LAB_OUTPUT, BY_QUERY, BY_CHANNEL},
    [LAB_CONTEXT_X] = {LAB_PROJECT, BY_KEY, BY_WORD},
    [LAB_EMBEDDED] = {LAB_EMBED, BY_QUERY, BY_CHANNEL},
    [LAB_WAVES] = {LAB_EMBED, BY_QUERY, BY_CHANNEL},
    [LAB_Q_BEFORE] = {LAB_PROJECT, BY_QUERY, BY_CHANNEL},
    [LAB_K_BEFORE] = {LAB_PROJECT, BY_KEY, BY_CHANNEL},
    [LAB_W_DKV] = {LAB_PROJECT, BY_WORD, BY_WORD},
    [LAB_C] = {LAB_PROJECT, BY_KEY, BY_WORD},
    [LAB_W_UK] = {LAB_PROJECT, BY_WORD, BY_CHANNEL},
    [LAB_W_UV] = {LAB_PROJECT, BY_WORD, BY_CHANNEL},
    [LAB_B_Q] = {LAB_PROJECT, BY_WORD, BY_CHANNEL},
    [LAB_B_K] = {LAB_PROJECT, BY_WORD, BY_CHANNEL},
    [LAB_B_V] = {LAB_PROJECT, BY_WORD, BY_CHANNEL},
    [LAB_B_O] = {LAB_OUTPUT, BY_WORD, BY_CHANNEL},
};

enum lab_stage lab_cell_stage(enum lab_part part)
{
    return homes[part].stage;
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
    static const enum lab_part projected[LAB_PARTS] = {
        [LAB_W_Q] = LAB_Q,       [LAB_W_K] = LAB_K, [LAB_W_V] = LAB_V,      [LAB_Q] = LAB_Q,
        [LAB_K] = LAB_K,         [LAB_V] = LAB_V,   [LAB_Q_BEFORE] = LAB_Q, [LAB_K_BEFORE] = LAB_K,
        [LAB_W_DKV] = LAB_K,     [LAB_C] = LAB_K,   [LAB_W_UK] = LAB_K,     [LAB_W_UV] = LAB_V,
        [LAB_CONTEXT_X] = LAB_K, [LAB_B_Q] = LAB_Q, [LAB_B_K] = LAB_K,      [LAB_B_V] = LAB_V,
    };
    const struct home *const home = &homes[cell->part];
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    size_t head = cell->head, column = cell->column;
    if (cell->part == LAB_CONCAT && sizes.d_v > 0) { /* the Z that stands there */
        head = column / sizes.d_v;
        column %= sizes.d_v;
    }
    *stage = home->stage;
    select_index(selection, home->row, cell->row);
    select_index(selection, home->column, column);
    if (*stage != LAB_EMBED && *stage != LAB_OUTPUT) {
        selection->head = head;
    }
    if (projected[cell->part] != LAB_EMBEDDINGS_X) {
        selection->projected = projected[cell->part];
    }
    /* In self-attention Q, K and V show their rows by the query. */
    const bool of_keys = cell->part == LAB_K || cell->part == LAB_V || cell->part == LAB_K_BEFORE ||
                         cell->part == LAB_C;
    if (of_keys && !sizes.raw && lab_trace_experiment(trace)->context == NULL) {
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

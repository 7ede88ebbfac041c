/* lab/explain/cause.c — finds the cells that made a cell, as blocks, and all cells that influenced
 * it. */
#include "lab/explain/cause.h"

#include "lab/explain/explain_internal.h"

/* A list that grows; it has room for all causes of one cell. */
struct listing {
    const struct lab_trace *trace;
    const struct lab_graph *graph;
    struct lab_cause *cause;
    size_t count, room;
};

static void add_block(struct listing *list, size_t part, size_t head, size_t row, size_t column,
                      size_t rows, size_t columns)
{
    if (rows > 0 && columns > 0 && list->count < list->room) {
        list->cause[list->count++] =
            (struct lab_cause){(enum lab_part)part, head, row, column, rows, columns};
    }
}

/* Adds cells of an operand as one block, or one by one where they are no neighbours. */
static void add_cells(struct listing *list, const struct lab_cells *cells, size_t count)
{
    if (!cells->known || !lab_graph_has(list->graph, cells->part)) {
        return;
    }
    const bool apart = cells->row_step + cells->column_step > 1;
    for (size_t t = 0; t < (apart ? count : 1); t++) {
        add_block(list, cells->part, cells->head, cells->row + t * cells->row_step,
                  cells->column + t * cells->column_step, !apart && cells->row_step > 0 ? count : 1,
                  !apart && cells->column_step > 0 ? count : 1);
    }
}

static void add_operands(struct listing *list, const struct lab_cell *cell)
{
    const struct lab_operands made = lab_operands_of(list->graph, cell);
    add_cells(list, &made.left, made.count);
    if (made.left.part == LAB_CONCAT) { /* the operand is Z, head by head */
        struct lab_cells z = {.known = true, .part = LAB_Z, .row = cell->row, .column_step = 1};
        for (; z.head < list->graph->sizes.heads; z.head++) {
            add_cells(list, &z, list->graph->sizes.d_v);
        }
    }
    add_cells(list, &made.right, made.count);
    add_cells(list, &made.added, 1);
}

/* Adds the scores of the keys that are seen: a trace keeps them before they are scaled. */
static void add_visible_scores(struct listing *list, const struct lab_cell *cell)
{
    const size_t keys = list->graph->sizes.m;
    for (size_t j = 0; j < keys; j++) {
        size_t end = j;
        while (end < keys && lab_trace_sees(list->trace, cell->row, end)) {
            end++;
        }
        add_block(list, LAB_SCORES, cell->head, cell->row, j, 1, end - j);
        j = end > j ? end : j;
    }
}

struct lab_causes lab_causes_of(const struct lab_trace *trace, const struct lab_cell *cell,
                                struct arena *arena)
{
    const struct lab_graph *const graph = lab_trace_graph(trace);
    struct listing list = {
        .trace = trace, .graph = graph, .room = graph->sizes.m / 2 + graph->sizes.heads + 4};
    if (!lab_cell_exists(trace, cell) ||
        lab_trace_is_edited(trace, cell->part, cell->head, cell->row, cell->column)) {
        return (struct lab_causes){NULL, 0};
    }
    list.cause = arena_array(arena, list.room, sizeof *list.cause);
    if (list.cause != NULL && graph->node[cell->part].operation == LAB_NORMALISE_ROWS) {
        add_visible_scores(&list, cell);
    } else if (list.cause != NULL) {
        add_operands(&list, cell);
    }
    return (struct lab_causes){list.cause, list.count};
}

struct lab_causes lab_causes(const struct lab_trace *trace, enum lab_stage stage,
                             const struct lab_selection *selection, struct arena *arena)
{
    struct lab_cell cell;
    if (!lab_cell_selected(trace, stage, selection, &cell)) {
        return (struct lab_causes){NULL, 0};
    }
    if (stage != LAB_SCALE) {
        return lab_causes_of(trace, &cell, arena);
    }
    struct lab_cause *const score = arena_array(arena, 1, sizeof *score);
    if (score == NULL) {
        return (struct lab_causes){NULL, 0};
    }
    *score = (struct lab_cause){cell.part, cell.head, cell.row, cell.column, 1, 1};
    return (struct lab_causes){score, 1};
}

/* Extends the block of one part and head to hold `more`. One block is exact, since every step back
 * asks for whole rows or columns. Returns whether it grew. */
static bool extend_block(struct lab_cause *all, size_t *count, size_t room,
                         const struct lab_cause *more)
{
    for (size_t a = 0; a < *count; a++) {
        struct lab_cause *const old = &all[a];
        if (old->part != more->part || old->head != more->head) {
            continue;
        }
        const size_t top = old->row < more->row ? old->row : more->row;
        const size_t left = old->column < more->column ? old->column : more->column;
        const size_t old_bottom = old->row + old->row_count,
                     old_right = old->column + old->column_count;
        const size_t bottom = more->row + more->row_count,
                     right = more->column + more->column_count;
        const struct lab_cause both = {old->part,
                                       old->head,
                                       top,
                                       left,
                                       (old_bottom > bottom ? old_bottom : bottom) - top,
                                       (old_right > right ? old_right : right) - left};
        const bool grew = both.row_count != old->row_count ||
                          both.column_count != old->column_count || top != old->row ||
                          left != old->column;
        *old = both;
        return grew;
    }
    if (*count < room) {
        all[(*count)++] = *more;
        return true;
    }
    return false;
}

struct lab_causes lab_causes_all(const struct lab_trace *trace, const struct lab_cell *cell,
                                 struct arena *arena)
{
    const size_t room = LAB_PARTS * lab_trace_sizes(trace).heads;
    struct lab_cause *const all = arena_array(arena, room, sizeof *all);
    size_t count = 0;
    const struct lab_causes first = lab_causes_of(trace, cell, arena);
    for (size_t c = 0; all != NULL && c < first.count; c++) {
        extend_block(all, &count, room, &first.cause[c]);
    }
    /* Parts depend only on former ones, so as many rounds as there are parts are enough, and the
     * corners of a block stand for all of it. */
    bool grew = count > 0;
    for (size_t round = 0; grew && round < LAB_PARTS; round++) {
        grew = false;
        for (size_t a = 0; a < count; a++) {
            const struct lab_cause block = all[a];
            const struct lab_cell corners[] = {{block.part, block.head, block.row, block.column},
                                               {block.part, block.head,
                                                block.row + block.row_count - 1,
                                                block.column + block.column_count - 1}};
            for (size_t k = 0; k < 2; k++) {
                const struct lab_causes causes = lab_causes_of(trace, &corners[k], arena);
                for (size_t c = 0; c < causes.count; c++) {
                    grew = extend_block(all, &count, room, &causes.cause[c]) || grew;
                }
            }
        }
    }
    return (struct lab_causes){all, count};
}

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

struct lab_cell lab_topic_cell(const struct lab_topic *topic)
{
    const enum lab_stage stage = topic->stage;
    const enum lab_part part = lab_cell_part(stage, &topic->at);
    const struct lab_node_row *const row = lab_node_row(part);
    return (struct lab_cell){
        .part = part,
        .head = lab_node_has_heads(part) ? topic->at.head : 0,
        .row = index_of(topic, stage == LAB_PROJECT ? BY_WORD : index_of_extent(row->rows, stage)),
        .column = index_of(topic, part == LAB_C ? BY_CHANNEL : index_of_extent(row->cols, stage)),
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
    if (cell->part == LAB_CONCAT && sizes.d_v > 0) { /* the Z at this place */
        head = column / sizes.d_v;
        column %= sizes.d_v;
    }
    *stage = row->stage;
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

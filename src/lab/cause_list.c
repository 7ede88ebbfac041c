/* lab/cause_list.c — the cells that made a cell, as blocks; and all that had a part in it. */
#include "lab/cause.h"
#include "lab/explain_parts.h"

/* A list under way; room is enough for what one cell can be made of. */
struct listing {
    const struct lab_trace *trace;
    struct lab_sizes sizes;
    struct lab_cause *cause;
    size_t count, room;
};

static void add(struct listing *list, enum lab_part part, size_t head, size_t row, size_t column,
                size_t rows, size_t columns)
{
    const struct lab_matrix matrix = lab_trace_part(list->trace, part, head);
    if (matrix.values == NULL || rows == 0 || columns == 0 || list->count >= list->room) {
        return;
    }
    list->cause[list->count++] = (struct lab_cause){part, head, row, column, rows, columns};
}

/* A row times a column: which parts these are of. */
static const struct made_from {
    enum lab_part result, row, weights;
} projections[] = {
    {LAB_Q, LAB_EMBEDDINGS_X, LAB_W_Q},        {LAB_K, LAB_EMBEDDINGS_X, LAB_W_K},
    {LAB_V, LAB_EMBEDDINGS_X, LAB_W_V},        {LAB_Q_BEFORE, LAB_EMBEDDINGS_X, LAB_W_Q},
    {LAB_K_BEFORE, LAB_EMBEDDINGS_X, LAB_W_K}, {LAB_C, LAB_EMBEDDINGS_X, LAB_W_DKV},
};

static const struct made_from rebuilt[] = {
    {LAB_K, LAB_C, LAB_W_UK}, {LAB_K_BEFORE, LAB_C, LAB_W_UK}, {LAB_V, LAB_C, LAB_W_UV}};

static void causes_of_projection(struct listing *list, const struct lab_cell *cell)
{
    const struct made_from *from = NULL;
    for (size_t p = 0; p < sizeof projections / sizeof projections[0]; p++) {
        from = projections[p].result == cell->part ? &projections[p] : from;
    }
    for (size_t p = 0; list->sizes.latent > 0 && p < sizeof rebuilt / sizeof rebuilt[0]; p++) {
        from = rebuilt[p].result == cell->part ? &rebuilt[p] : from;
    }
    if (list->sizes.raw || from == NULL) {
        return;
    }
    const bool of_queries = cell->part == LAB_Q || cell->part == LAB_Q_BEFORE;
    const bool outside = list->sizes.cross && !of_queries && from->row == LAB_EMBEDDINGS_X;
    const enum lab_part row = outside ? LAB_CONTEXT_X : from->row;
    add(list, row, 0, cell->row, 0, 1, lab_trace_part(list->trace, row, 0).cols);
    add(list, from->weights, from->weights == LAB_W_DKV ? 0 : cell->head, 0, cell->column,
        lab_trace_part(list->trace, from->weights, 0).rows, 1);
    add(list, lab_bias_of(cell->part), cell->head, 0, cell->column, 1, 1);
}

/* Q and K: turned from a pair where there is rope, else projected. */
static void causes_of_turned(struct listing *list, const struct lab_cell *cell)
{
    const enum lab_part before = cell->part == LAB_Q ? LAB_Q_BEFORE : LAB_K_BEFORE;
    const struct lab_matrix matrix = lab_trace_part(list->trace, before, cell->head);
    if (matrix.values == NULL) {
        causes_of_projection(list, cell);
        return;
    }
    const size_t first = cell->column / 2 * 2;
    add(list, before, cell->head, cell->row, first, 1, first + 1 < matrix.cols ? 2 : 1);
}

static void causes_of_input(struct listing *list, const struct lab_cell *cell)
{
    add(list, LAB_EMBEDDED, 0, cell->row, cell->column, 1, 1);
    add(list, LAB_WAVES, 0, cell->row, cell->column, 1, 1);
}

static void causes_of_score(struct listing *list, const struct lab_cell *cell)
{
    add(list, LAB_Q, cell->head, cell->row, 0, 1, list->sizes.d_k);
    add(list, LAB_K, cell->head, cell->column, 0, 1, list->sizes.d_k);
}

static void causes_of_weight(struct listing *list, const struct lab_cell *cell)
{
    for (size_t j = 0; j < list->sizes.m; j++) {
        size_t end = j;
        while (end < list->sizes.m && lab_trace_sees(list->trace, cell->row, end)) {
            end++;
        }
        add(list, LAB_SCORES, cell->head, cell->row, j, 1, end - j);
        j = end > j ? end : j;
    }
}

static void causes_of_blend(struct listing *list, const struct lab_cell *cell)
{
    add(list, LAB_ALPHA, cell->head, cell->row, 0, 1, list->sizes.m);
    add(list, LAB_V, cell->head, 0, cell->column, list->sizes.m, 1);
}

static void causes_of_concat(struct listing *list, const struct lab_cell *cell)
{
    add(list, LAB_Z, cell->column / list->sizes.d_v, cell->row, cell->column % list->sizes.d_v, 1,
        1);
}

static void causes_of_output(struct listing *list, const struct lab_cell *cell)
{
    const size_t wide = list->sizes.heads * list->sizes.d_v;
    add(list, LAB_CONCAT, 0, cell->row, 0, 1, wide);
    for (size_t h = 0; h < list->sizes.heads; h++) {
        add(list, LAB_Z, h, cell->row, 0, 1, list->sizes.d_v);
    }
    add(list, LAB_W_O, 0, 0, cell->column, wide, 1);
    add(list, LAB_B_O, 0, 0, cell->column, 1, 1);
}

static void causes_of_residual(struct listing *list, const struct lab_cell *cell)
{
    add(list, LAB_EMBEDDINGS_X, 0, cell->row, cell->column, 1, 1);
    add(list, LAB_OUTPUT_O, 0, cell->row, cell->column, 1, 1);
}

struct lab_causes lab_causes_of(const struct lab_trace *trace, const struct lab_cell *cell,
                                struct arena *arena)
{
    static void (*const causes_of[LAB_PARTS])(struct listing *, const struct lab_cell *) = {
        [LAB_EMBEDDINGS_X] = causes_of_input,
        [LAB_Q_BEFORE] = causes_of_projection,
        [LAB_K_BEFORE] = causes_of_projection,
        [LAB_C] = causes_of_projection,
        [LAB_Q] = causes_of_turned,
        [LAB_K] = causes_of_turned,
        [LAB_V] = causes_of_projection,
        [LAB_SCORES] = causes_of_score,
        [LAB_ALPHA] = causes_of_weight,
        [LAB_Z] = causes_of_blend,
        [LAB_CONCAT] = causes_of_concat,
        [LAB_OUTPUT_O] = causes_of_output,
        [LAB_RESIDUAL] = causes_of_residual,
    };
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    struct listing list = {.trace = trace, .sizes = sizes, .room = sizes.m / 2 + sizes.heads + 4};
    if (causes_of[cell->part] == NULL || !lab_cell_exists(trace, cell) ||
        lab_trace_is_edited(trace, cell->part, cell->head, cell->row, cell->column)) {
        return (struct lab_causes){NULL, 0};
    }
    list.cause = arena_array(arena, list.room, sizeof *list.cause);
    if (list.cause != NULL) {
        causes_of[cell->part](&list, cell);
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

/* Which rows and columns of each part had a part in it: kept as one block for each part and head,
 * which is what they are, since every step back asks for whole rows or columns. */
static bool grow(struct lab_cause *all, size_t *count, size_t room, const struct lab_cause *more)
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
        grow(all, &count, room, &first.cause[c]);
    }
    /* Parts only depend on former ones, so that as many rounds as there are parts reach the end;
     * the corners of a block stand for all of it. */
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
                    grew = grow(all, &count, room, &causes.cause[c]) || grew;
                }
            }
        }
    }
    return (struct lab_causes){all, count};
}

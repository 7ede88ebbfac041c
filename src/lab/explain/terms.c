/* lab/explain/terms.c — the operands of a number as its operation says, and the sum of products
 * that makes it. */
#include <math.h>
#include <string.h>

#include "lab/explain/cause.h"
#include "lab/explain/explain_internal.h"

/* Which cells of an operand make the cell [row][column] of a result. */
enum line {
    NOTHING,
    THE_ROW,       /* the row `row` */
    THE_COLUMN,    /* the column `column` */
    ROW_OF_COLUMN, /* the row `column` */
    THE_CELL,      /* the number at the same place */
    THE_PAIR,      /* the numbers that turn together */
    OF_ITS_HEAD,   /* the number of the head that stands there */
};

static const struct {
    enum line left, right;
    bool is_product;
} operations[LAB_OPERATIONS] = {
    [LAB_SUM] = {THE_CELL, THE_CELL, false},    [LAB_PRODUCT] = {THE_ROW, THE_COLUMN, true},
    [LAB_TURN] = {NOTHING, THE_PAIR, true},     [LAB_BY_ROW] = {THE_ROW, NOTHING, false},
    [LAB_DOT] = {THE_ROW, ROW_OF_COLUMN, true}, [LAB_ADJUST] = {THE_CELL, NOTHING, false},
    [LAB_MIX] = {THE_ROW, THE_COLUMN, true},    [LAB_CONCATENATE] = {OF_ITS_HEAD, NOTHING, false},
    [LAB_COPY] = {THE_ROW, THE_COLUMN, true}, /* as if by a W_O with ones in its diagonal */
};

struct lab_turn lab_turn_of(const struct lab_graph *graph, const struct lab_cell *cell)
{
    const struct lab_rotary rotary = lab_experiment_rotary(graph->experiment);
    const size_t size = graph->node[cell->part].cols;
    const struct lab_rotary_pair pair = lab_rotary_pair_of(&rotary, size, cell->column);
    if (pair.first == pair.second) {
        return (struct lab_turn){.pair = pair, .stretch = 1};
    }
    return (struct lab_turn){pair, lab_rotary_angle(&rotary, cell->row, pair.number, size),
                             lab_rotary_stretch(&rotary, pair.number, size)};
}

static struct lab_cells cells_of(const struct lab_graph *graph, size_t part, enum line line,
                                 const struct lab_cell *cell)
{
    const size_t d_v = graph->sizes.d_v;
    struct lab_cells cells = {line != NOTHING,
                              (enum lab_part)part,
                              lab_node_has_heads(part) ? cell->head : 0,
                              cell->row,
                              cell->column,
                              0,
                              0};
    if (line == THE_ROW || line == ROW_OF_COLUMN) {
        cells.row = line == THE_ROW ? cell->row : cell->column;
        cells.column = 0;
        cells.column_step = 1;
    } else if (line == THE_COLUMN) {
        cells.row = 0;
        cells.row_step = 1;
    } else if (line == THE_PAIR) {
        const struct lab_rotary_pair pair = lab_turn_of(graph, cell).pair;
        cells.column = pair.first;
        cells.column_step = pair.second - pair.first;
    } else if (line == OF_ITS_HEAD) {
        cells.head = cell->column / d_v;
        cells.column = cell->column % d_v;
    }
    return cells;
}

struct lab_operands lab_operands_of(const struct lab_graph *graph, const struct lab_cell *cell)
{
    const struct lab_node *const node = &graph->node[cell->part];
    const enum line left = operations[node->operation].left,
                    right = operations[node->operation].right;
    const bool turns = right == THE_PAIR;
    const size_t bias = lab_graph_bias(graph, cell->part);
    const size_t second = turns                         ? node->input[0]
                          : node->operation == LAB_COPY ? (size_t)LAB_W_O
                                                        : node->input[1];
    struct lab_operands made = {
        .left = cells_of(graph, node->input[0], left, cell),
        .right = cells_of(graph, second, right, cell),
        .count = left == THE_ROW ? graph->node[node->input[0]].cols : 1,
        .is_product = operations[node->operation].is_product,
    };
    made.count = turns && made.right.column_step > 0 ? 2 : made.count;
    if (bias != LAB_NODES) {
        made.added = cells_of(graph, bias, THE_CELL, cell);
        made.added.row = 0;
    }
    return made;
}

/* Returns the numbers of the cells; values NULL: there are none. */
static struct lab_factor factor_of(const struct lab_trace *trace, const struct lab_cells *cells,
                                   enum lab_role role)
{
    if (!cells->known) {
        return (struct lab_factor){.values = NULL};
    }
    const struct lab_matrix matrix = lab_trace_part(trace, cells->part, cells->head);
    return (struct lab_factor){
        .values = matrix.values == NULL
                      ? NULL
                      : matrix.values + cells->row * matrix.stride + cells->column,
        .step = cells->row_step * matrix.stride + cells->column_step,
        .role = role,
        .decimals = lab_decimals(&matrix, LAB_DECIMALS_MAX),
        .cells = *cells,
    };
}

/* Returns the factors of a pair (x, y): the first column becomes x·cos − y·sin, the second x·sin +
 * y·cos. */
static struct lab_factor turn_factor(const struct lab_turn *turn, size_t column,
                                     struct arena *arena)
{
    const bool is_second = column != turn->pair.first;
    float *const factor = arena_array(arena, 2, sizeof *factor);
    if (factor != NULL) {
        factor[0] = (float)(turn->stretch * (is_second ? sin(turn->angle) : cos(turn->angle)));
        factor[1] = (float)(turn->stretch * (is_second ? cos(turn->angle) : -sin(turn->angle)));
    }
    return (struct lab_factor){.values = factor, .step = 1, .decimals = LAB_DECIMALS_MAX};
}

bool lab_sum_of(const struct lab_topic *topic, struct lab_sum *sum)
{
    const struct lab_cell *const cell = &topic->cell;
    const enum lab_operation operation = topic->graph->node[cell->part].operation;
    const struct lab_operands made = lab_operands_of(topic->graph, cell);
    if (!made.is_product) {
        return false;
    }
    const bool is_output = cell->part == LAB_OUTPUT_O, is_score = operation == LAB_DOT;
    const enum lab_role left = lab_node_row(made.left.part)->role,
                        right = is_output ? LAB_ROLE_NONE : lab_node_row(made.right.part)->role;
    *sum = (struct lab_sum){
        .left = factor_of(topic->trace, &made.left,
                          is_output || is_score || operation == LAB_MIX ? left : LAB_ROLE_X),
        .right = factor_of(topic->trace, &made.right, right),
        .count = made.count,
        .brackets = operation != LAB_MIX,
        .added = factor_of(topic->trace, &made.added, right),
    };
    if (operation == LAB_TURN) {
        const struct lab_turn turn = lab_turn_of(topic->graph, cell);
        sum->left = turn_factor(&turn, cell->column, topic->arena);
    }
    return sum->left.values != NULL && sum->right.values != NULL;
}

/* Returns the names of the terms; NULL: they are counted. */
static const char *const *names_of(const struct lab_topic *topic, const struct lab_sum *sum)
{
    static const char *const turned[][2] = {{"cos", "−sin"}, {"sin", "cos"}};
    const struct lab_cell *const cell = &topic->cell;
    switch (topic->graph->node[cell->part].operation) {
    case LAB_TURN:
        return turned[lab_turn_of(topic->graph, cell).pair.first != cell->column ? 1 : 0];
    case LAB_MIX:
        return lab_trace_keys(topic->trace);
    default:
        return lab_trace_part(topic->trace, sum->left.cells.part, sum->left.cells.head)
            .column_words;
    }
}

static struct lab_cell cell_along(const struct lab_cells *cells, size_t t)
{
    return (struct lab_cell){cells->part, cells->head, cells->row + t * cells->row_step,
                             cells->column + t * cells->column_step};
}

/* Returns a product of the sum; behind the last it is 1 · bias. */
static struct lab_term term_of(const struct lab_sum *sum, size_t t)
{
    if (t == sum->count) {
        return (struct lab_term){.left = 1,
                                 .right = sum->added.values[0],
                                 .right_cell = cell_along(&sum->added.cells, 0),
                                 .name = "bias"};
    }
    return (struct lab_term){.left = sum->left.values[t * sum->left.step],
                             .right = sum->right.values[t * sum->right.step],
                             .has_left = sum->left.cells.known,
                             .left_cell = cell_along(&sum->left.cells, t),
                             .right_cell = cell_along(&sum->right.cells, t)};
}

struct lab_terms lab_terms(const struct lab_trace *trace, enum lab_stage stage,
                           const struct lab_selection *selection, struct arena *arena)
{
    const struct lab_topic topic = lab_topic_of(trace, stage, selection, arena);
    struct lab_sum sum;
    if (stage == LAB_SCALE || !lab_cell_exists(trace, &topic.cell) || !lab_sum_of(&topic, &sum)) {
        return (struct lab_terms){.term = NULL}; /* the number is given, or no sum */
    }
    const char *const *const names = names_of(&topic, &sum);
    const size_t count = sum.count + (sum.added.values != NULL ? 1 : 0);
    struct lab_term *const term = arena_array(arena, count, sizeof *term);
    struct lab_terms terms = {.term = term,
                              .count = term == NULL ? 0 : count,
                              .left_role = sum.left.role,
                              .right_role = sum.right.role};
    for (size_t t = 0; t < terms.count; t++) {
        term[t] = term_of(&sum, t);
        term[t].name = t < sum.count && names != NULL ? names[t] : term[t].name;
        term[t].product = (double)term[t].left * (double)term[t].right;
        terms.largest = fmax(terms.largest, fabs(term[t].product));
        terms.helps += fmax(term[t].product, 0);
        terms.hurts += fmin(term[t].product, 0);
    }
    const struct lab_matrix matrix = lab_trace_part(trace, topic.cell.part, topic.cell.head);
    terms.result = lab_matrix_at(&matrix, topic.cell.row, topic.cell.column);
    return terms;
}

/* lab/explain/terms.c — the operands of a number as its operation says, and the sum of products
 * that makes it. */
#include <math.h>
#include <string.h>

#include "lab/explain/cell.h"
#include "lab/explain/explain_internal.h"

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

static struct lab_cells cells_of(const struct lab_graph *graph, size_t part,
                                 const enum lab_axis axes[2], const struct lab_cell *cell)
{
    struct lab_cells cells =
        lab_cells_along(axes, (const size_t[]){cell->row, cell->column, LAB_SUMMED});
    const enum lab_operation operation = graph->node[cell->part].operation;
    cells.part = (enum lab_part)part;
    cells.head = lab_node_has_heads(part) ? cell->head : 0;
    if (operation == LAB_TURN && cells.known) {
        const struct lab_rotary_pair pair = lab_turn_of(graph, cell).pair;
        cells.column = pair.first;
        cells.column_step = pair.second - pair.first;
    } else if (operation == LAB_SMEAR && cells.known) {
        cells.row_step = cell->row > 0 ? 1 : 0;
        cells.row -= cells.row_step;
    } else if (operation == LAB_CONCATENATE) {
        cells.head = cell->column / graph->sizes.d_v;
        cells.column = cell->column % graph->sizes.d_v;
    }
    return cells;
}

struct lab_operands lab_operands_of(const struct lab_graph *graph, const struct lab_cell *cell)
{
    static const enum lab_axis place[2] = {LAB_AXIS_ROW, LAB_AXIS_COLUMN};
    const struct lab_node *const node = &graph->node[cell->part];
    const struct lab_operation_row *const operation = lab_operation_row(node->operation);
    const struct lab_axes axes = operation->axes;
    const bool of_two = operation->terms == LAB_TERMS_TWO, copies = node->operation == LAB_COPY;
    const size_t right = copies ? (size_t)LAB_W_O : node->input[of_two ? 0 : 1];
    const size_t bias = lab_graph_bias(graph, cell->part);
    struct lab_operands made = {
        .left = cells_of(graph, node->input[0], axes.left, cell),
        .right = cells_of(graph, right, axes.right, cell),
        .is_product = operation->terms != LAB_TERMS_NONE,
    };
    made.count = of_two ? made.right.row_step + made.right.column_step > 0 ? 2 : 1
                 : axes.left[1] == LAB_AXIS_SUM ? graph->node[node->input[0]].cols
                                                : 1;
    if (bias != LAB_NODES) {
        made.added = cells_of(graph, bias, place, cell);
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

/* Returns the shares of the row before, where there is one, and of the row itself. */
static struct lab_factor smear_factor(const struct lab_topic *topic, size_t count)
{
    const float share = topic->experiment->smear;
    float *const factor = arena_array(topic->arena, 2, sizeof *factor);
    if (factor != NULL) {
        factor[0] = count > 1 ? share : 1 - share;
        factor[1] = 1 - share;
    }
    const struct lab_matrix shares = {.rows = 1, .cols = 2, .stride = 2, .values = factor};
    return (struct lab_factor){
        .values = factor, .step = 1, .decimals = lab_decimals(&shares, LAB_DECIMALS_MAX)};
}

struct lab_sum lab_squares_of(const struct lab_topic *topic)
{
    const struct lab_operands made = lab_operands_of(topic->graph, &topic->cell);
    const struct lab_factor row =
        factor_of(topic->trace, &made.left, lab_node_row(made.left.part)->role);
    return (struct lab_sum){.left = row, .right = row, .count = made.count, .brackets = true};
}

double lab_row_length(const struct lab_topic *topic)
{
    const struct lab_sum squares = lab_squares_of(topic);
    double sum = 0;
    for (size_t c = 0; c < squares.count; c++) {
        const double value = (double)squares.left.values[c * squares.left.step];
        sum += value * value;
    }
    return sqrt(sum);
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
    } else if (operation == LAB_SMEAR) {
        sum->left = smear_factor(topic, made.count);
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
    case LAB_SMEAR:
        return lab_trace_keys(topic->trace) + sum->right.cells.row;
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

/* lab/explain/terms.c — lists the products of a sum one by one. */
#include <math.h>
#include <string.h>

#include "lab/explain/cause.h"
#include "lab/explain/explain_internal.h"

/* An operand of a selected sum: a line through a matrix. */
struct line {
    const float *values; /* of an operand that is no part */
    struct lab_matrix matrix;
    struct lab_cell first;
    bool is_part, down; /* down: along a column */
    size_t step;        /* distance of two columns; 0: they are neighbours */
};

struct product {
    struct line left, right;
    enum lab_role left_role, right_role;
    size_t count;
    const char *const *names;
    float turn[2];        /* left.values points here where a pair was turned */
    struct lab_cell bias; /* the number that is added to the products */
    bool has_bias;
};

static struct line line_of(const struct lab_topic *topic, enum lab_part part, size_t head,
                           size_t row, size_t column, bool down)
{
    return (struct line){.matrix = lab_trace_part(topic->trace, part, head),
                         .first = {part, head, row, column},
                         .is_part = true,
                         .down = down};
}

/* Adds the bias of the selected column to the products as 1 · b. */
static void add_bias(const struct lab_topic *topic, enum lab_part result, size_t head,
                     struct product *out)
{
    const size_t bias = lab_graph_bias(topic->graph, result);
    out->bias = (struct lab_cell){(enum lab_part)bias, head, 0, topic->at.channel};
    out->has_bias = bias != LAB_NODES;
}

static struct lab_term bias_term(const struct lab_trace *trace, const struct lab_cell *bias)
{
    const struct lab_matrix matrix = lab_trace_part(trace, bias->part, bias->head);
    return (struct lab_term){.left = 1,
                             .right = lab_matrix_at(&matrix, 0, bias->column),
                             .right_cell = *bias,
                             .name = "bias"};
}

static void at_project(const struct lab_topic *topic, struct product *out)
{
    static const enum lab_role roles[] = {LAB_ROLE_QUERY, LAB_ROLE_KEY, LAB_ROLE_VALUE};
    static const char *const turned_names[][2] = {{"cos", "−sin"}, {"sin", "cos"}};
    const struct lab_projection made = lab_topic_projection(topic);
    out->left_role = LAB_ROLE_X;
    const bool latent = made.result == LAB_C; /* the same for all heads */
    const size_t head = latent ? 0 : topic->at.head;
    out->right_role = latent ? LAB_ROLE_VALUE : roles[made.result - LAB_Q];
    if (made.turned) {
        memcpy(out->turn, made.turn, sizeof made.turn);
        out->left = (struct line){.values = out->turn};
        out->right = line_of(topic, made.x, topic->at.head, made.word, made.first, false);
        out->left_role = LAB_ROLE_NONE;
        out->count = made.pair;
        out->right.step = made.step;
        out->names = turned_names[made.is_second ? 1 : 0];
        return;
    }
    out->left = line_of(topic, made.x, 0, made.word, 0, false);
    out->right = line_of(topic, made.weights, head, 0, topic->at.channel, true);
    out->count = out->right.matrix.rows;
    out->names = out->left.matrix.column_words;
    add_bias(topic, made.result, head, out);
}

static void at_score(const struct lab_topic *topic, struct product *out)
{
    const struct lab_graph *const graph = topic->graph;
    out->left = line_of(topic, lab_graph_queries(graph), topic->at.head, topic->at.query, 0, false);
    out->right = line_of(topic, lab_graph_keys(graph), topic->at.head, topic->at.key, 0, false);
    out->left_role = LAB_ROLE_QUERY;
    out->right_role = LAB_ROLE_KEY;
    out->count = topic->sizes.d_k;
    out->names = out->left.matrix.column_words;
}

static void at_blend(const struct lab_topic *topic, struct product *out)
{
    out->left = line_of(topic, LAB_ALPHA, topic->at.head, topic->at.query, 0, false);
    out->right = line_of(topic, LAB_V, topic->at.head, 0, topic->at.channel, true);
    out->left_role = LAB_ROLE_WEIGHT;
    out->right_role = LAB_ROLE_VALUE;
    out->count = topic->sizes.m;
    out->names = lab_trace_keys(topic->trace);
}

static void at_output(const struct lab_topic *topic, struct product *out)
{
    out->left = line_of(topic, LAB_CONCAT, 0, topic->at.query, 0, false);
    out->right = line_of(topic, LAB_W_O, 0, 0, topic->at.channel, true);
    out->left_role = LAB_ROLE_OUTPUT;
    out->right_role = LAB_ROLE_NONE;
    out->count = topic->sizes.heads * topic->sizes.d_v;
    out->names = out->left.matrix.column_words;
    add_bias(topic, LAB_OUTPUT_O, 0, out);
}

static struct lab_cell cell_along(const struct line *line, size_t t)
{
    struct lab_cell cell = line->first;
    cell.row += line->down ? t : 0;
    cell.column += line->down ? 0 : line->step > 0 ? t * line->step : t;
    return cell;
}

static float value_along(const struct line *line, size_t t)
{
    const struct lab_cell cell = cell_along(line, t);
    return line->is_part ? lab_matrix_at(&line->matrix, cell.row, cell.column) : line->values[t];
}

static struct lab_term term_of(const struct product *product, size_t t)
{
    return (struct lab_term){
        .left = value_along(&product->left, t),
        .right = value_along(&product->right, t),
        .has_left = product->left.is_part,
        .left_cell = cell_along(&product->left, t),
        .right_cell = cell_along(&product->right, t),
        .name = product->names == NULL ? NULL : product->names[t],
    };
}

struct lab_terms lab_terms(const struct lab_trace *trace, enum lab_stage stage,
                           const struct lab_selection *selection, struct arena *arena)
{
    static void (*const products[LAB_STAGES])(const struct lab_topic *, struct product *) = {
        [LAB_PROJECT] = at_project,
        [LAB_SCORE] = at_score,
        [LAB_BLEND] = at_blend,
        [LAB_OUTPUT] = at_output,
    };
    struct lab_terms terms = {.term = NULL};
    struct lab_cell result;
    if (products[stage] == NULL || !lab_cell_selected(trace, stage, selection, &result)) {
        return terms;
    }
    const struct lab_topic topic = lab_topic_of(trace, stage, selection, arena);
    struct product product = {.count = 0};
    products[stage](&topic, &product);
    const size_t count = product.count + (product.has_bias ? 1 : 0);
    struct lab_term *const term = arena_array(arena, count, sizeof *term);
    if (product.right.matrix.values == NULL || term == NULL) {
        return terms; /* the number is given, so there is no sum */
    }
    terms = (struct lab_terms){.term = term,
                               .count = count,
                               .left_role = product.left_role,
                               .right_role = product.right_role};
    for (size_t t = 0; t < count; t++) {
        term[t] = t < product.count ? term_of(&product, t) : bias_term(trace, &product.bias);
        term[t].product = (double)term[t].left * (double)term[t].right;
        terms.largest = fmax(terms.largest, fabs(term[t].product));
        terms.helps += fmax(term[t].product, 0);
        terms.hurts += fmin(term[t].product, 0);
    }
    const struct lab_matrix matrix = lab_trace_part(trace, result.part, result.head);
    terms.result = lab_matrix_at(&matrix, result.row, result.column);
    return terms;
}

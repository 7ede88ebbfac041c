/* learn/explain.c — explains gradients by the chain rule, part by part.
 *
 * Most gradients are sums of products: a row of one matrix times a row or a column of another. A
 * table says where both begin and how far apart their terms are; the few others are written out.
 * Gradients are small, so each operand has as many decimals as its own size needs. */
#include "learn/explain.h"

#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "lab/explain/formula.h"
#include "learn/pass.h"

enum { DECIMALS_MAX = 9 };

/* The explanation that is being written, and the cell that it explains. */
struct saying {
    const struct learn_layer_view *view;
    const struct learn_activations *sentence;
    const struct learn_shape *shape;
    struct learn_tensors tensors;
    size_t layer, head, row, column;
    size_t max_terms;
    struct arena *arena;
    struct lab_formula formula;
    const char *title;
};

/* ---- numbers ------------------------------------------------------------------------------- */

int learn_decimals(const float *values, size_t count, size_t step)
{
    double max = 0;
    for (size_t i = 0; i < count; i++) {
        const double size = fabs((double)values[i * step]);
        max = size > max && size < (double)INFINITY ? size : max;
    }
    int decimals = 2;
    for (; max > 0 && max < 1 && decimals < DECIMALS_MAX; max *= 10) {
        decimals++;
    }
    return max >= 100 ? 1 : decimals;
}

static int decimals_of(double value)
{
    const float one = (float)value;
    return learn_decimals(&one, 1, 1);
}

static void put_text(struct saying *say, const char *text)
{
    lab_formula_text(&say->formula, LAB_ROLE_NONE, text);
}

static void put_number(struct saying *say, enum lab_role role, double value)
{
    lab_formula_number(&say->formula, role, value, decimals_of(value));
}

static void put_result(struct saying *say, double value)
{
    put_text(say, " = ");
    lab_formula_number(&say->formula, LAB_ROLE_RESULT, value, decimals_of(value));
}

/* ---- sums of products ---------------------------------------------------------------------- */

/* Returns a line of numbers through a matrix. */
static struct lab_factor line_from(const float *first, size_t step, size_t count,
                                   enum lab_role role)
{
    return (struct lab_factor){.values = first,
                               .step = step,
                               .role = role,
                               .decimals = first == NULL ? 0 : learn_decimals(first, count, step)};
}

static struct lab_factor row_line(struct lab_matrix matrix, size_t row, enum lab_role role)
{
    return line_from(matrix.values + row * matrix.stride, 1, matrix.cols, role);
}

static struct lab_factor column_line(struct lab_matrix matrix, size_t column, enum lab_role role)
{
    return line_from(matrix.values + column, matrix.stride, matrix.rows, role);
}

/* Adds a sum of products; terms that are 0, such as those of hidden keys, are left out. */
static void put_sum(struct saying *say, struct lab_factor left, struct lab_factor right,
                    size_t count)
{
    size_t *const which = arena_array(say->arena, count, sizeof *which), known = 0;
    int decimals = 0;
    for (size_t t = 0; which != NULL && t < count; t++) {
        const float a = left.values[t * left.step];
        const float b = right.values == NULL ? 1 : right.values[t * right.step];
        if (!(a == 0) && !(b == 0)) {
            const float term = a * b;
            const int own = learn_decimals(&term, 1, 1);
            decimals = own > decimals ? own : decimals;
            which[known++] = t;
        }
    }
    if (known == 0) {
        lab_formula_number(&say->formula, LAB_ROLE_NONE, 0, 0);
        return;
    }
    const struct lab_sum sum = {.left = left,
                                .right = right,
                                .count = known,
                                .which = which,
                                .brackets = right.values != NULL,
                                .rest_decimals = decimals};
    lab_formula_sum(&say->formula, &sum, say->max_terms);
}

static struct lab_matrix value_of(const struct saying *say, enum learn_part part)
{
    return learn_activations_part(say->sentence, part, say->layer, say->head);
}

static struct lab_matrix gradient_of(const struct saying *say, enum learn_part part)
{
    return learn_activations_gradient(say->sentence, part, say->layer, say->head);
}

static struct lab_matrix next_gradient(const struct saying *say)
{
    return learn_activations_gradient(say->sentence, LEARN_RESIDUAL, say->layer + 1, 0);
}

/* Returns a tensor as it is stored; values NULL: there is none. */
static struct lab_matrix tensor_of(const struct saying *say, enum learn_role role)
{
    const struct learn_tensor *const found = learn_tensors_find(&say->tensors, role, say->layer);
    if (found == NULL) {
        return (struct lab_matrix){0};
    }
    return (struct lab_matrix){.rows = found->rows,
                               .cols = found->cols,
                               .stride = found->cols,
                               .values = say->view->weights + found->offset};
}

static bool is_llama(const struct saying *say)
{
    return say->shape->family == LEARN_LLAMA;
}

/* Returns the weights that lead from number `in` to the outputs: a row of [in][out], a column of
 * [out][in]. */
static struct lab_factor outgoing_weights(const struct saying *say, struct lab_matrix matrix,
                                          size_t in, size_t count)
{
    return is_llama(say) ? line_from(matrix.values + in, matrix.stride, count, LAB_ROLE_NONE)
                         : line_from(matrix.values + in * matrix.stride, 1, count, LAB_ROLE_NONE);
}

static const char *word_at(const struct saying *say, size_t position)
{
    return say->view->words[position];
}

/* ---- each part ----------------------------------------------------------------------------- */

static void say_p(struct saying *say)
{
    const struct lab_matrix p = value_of(say, LEARN_P);
    const int32_t target = learn_activations_targets(say->sentence)[say->row];
    say->title = "dL/dp = −1 ÷ p ÷ n";
    if (target >= 0 && (size_t)target == say->column) {
        put_text(say, "−1 ÷ ");
        put_number(say, LAB_ROLE_NONE, (double)lab_matrix_at(&p, say->row, say->column));
        put_text(say,
                 arena_format(say->arena, " ÷ %zu", learn_activations_result(say->sentence).asked));
    } else {
        put_text(say, "0");
    }
}

static void say_logits(struct saying *say)
{
    const struct lab_matrix p = value_of(say, LEARN_P);
    const int32_t target = learn_activations_targets(say->sentence)[say->row];
    say->title = "dL/dlogit = ( p − y ) ÷ n";
    if (target < 0) {
        put_text(say, "0");
        return;
    }
    put_text(say, "(");
    put_number(say, LAB_ROLE_NONE, (double)lab_matrix_at(&p, say->row, say->column));
    put_text(say, arena_format(say->arena, " − %d) ÷ %zu", (size_t)target == say->column ? 1 : 0,
                               learn_activations_result(say->sentence).asked));
}

static void say_final(struct saying *say)
{
    const struct lab_matrix dlogits = gradient_of(say, LEARN_LOGITS);
    const struct lab_matrix head = tensor_of(say, say->shape->tied ? LEARN_WTE : LEARN_HEAD);
    say->title = "dL/dx = dL/dlogits · W_U";
    put_sum(say, row_line(dlogits, say->row, LAB_ROLE_NONE),
            column_line(head, say->column, LAB_ROLE_NONE), dlogits.cols);
}

/* The gradient of a sum is that of each of its terms. */
static void say_added(struct saying *say, const char *title)
{
    say->title = title;
    put_text(say, title + strlen("dL/dO = "));
}

/* Adds the gradient that passes a norm of row x, from the gradient dy of its result: 1/σ · (g −
 * mean of g − x̂ · mean of g·x̂), g = dy · gain. */
static void put_norm(struct saying *say, struct lab_matrix x, struct lab_matrix dy,
                     enum learn_role gain)
{
    const struct lab_matrix by = tensor_of(say, gain);
    const float *const row = x.values + say->row * x.stride;
    const float *const d = dy.values + say->row * dy.stride;
    const double size = (double)x.cols;
    double mean = 0, square = 0, middle = 0, along = 0;
    for (size_t c = 0; c < x.cols; c++) {
        mean += is_llama(say) ? 0 : (double)row[c] / size;
    }
    for (size_t c = 0; c < x.cols; c++) {
        square += ((double)row[c] - mean) * ((double)row[c] - mean) / size;
    }
    const double scale = 1 / sqrt(square + (double)LEARN_EPSILON);
    for (size_t c = 0; c < x.cols; c++) {
        const double g = (double)d[c] * (double)by.values[c];
        middle += is_llama(say) ? 0 : g / size;
        along += g * ((double)row[c] - mean) * scale / size;
    }
    put_number(say, LAB_ROLE_NONE, scale);
    put_text(say, " · (");
    put_number(say, LAB_ROLE_NONE, (double)d[say->column] * (double)by.values[say->column]);
    if (!is_llama(say)) {
        put_text(say, " − (");
        put_number(say, LAB_ROLE_NONE, middle);
        put_text(say, ")");
    }
    put_text(say, " − (");
    put_number(say, LAB_ROLE_X, ((double)row[say->column] - mean) * scale);
    put_text(say, " · ");
    put_number(say, LAB_ROLE_NONE, along);
    put_text(say, "))");
}

/* Adds the gradient that bypasses a norm and the one that passes it; without a norm the latter is
 * unchanged. */
static void put_around(struct saying *say, struct lab_matrix around, struct lab_matrix x,
                       struct lab_matrix dy, enum learn_role gain)
{
    if (around.values != NULL) {
        put_number(say, LAB_ROLE_NONE, (double)lab_matrix_at(&around, say->row, say->column));
        put_text(say, " + ");
    }
    if (say->shape->norm) {
        put_norm(say, x, dy, gain);
    } else {
        put_number(say, LAB_ROLE_NONE, (double)lab_matrix_at(&dy, say->row, say->column));
    }
}

static void say_residual(struct saying *say)
{
    const bool last = say->layer == say->shape->layers;
    const struct lab_matrix none = {0};
    const struct lab_matrix x = value_of(say, LEARN_RESIDUAL);
    if (last) {
        say->title = say->shape->norm ? tr("dL/dx, through the norm") : "dL/dx";
        put_around(say, none, x, gradient_of(say, LEARN_FINAL), LEARN_NORM_F_GAIN);
        return;
    }
    say->title = tr("dL/dx = dL/d(x + O) + what comes through attention");
    put_around(say, gradient_of(say, LEARN_MIDDLE), x, gradient_of(say, LEARN_X),
               LEARN_NORM_1_GAIN);
}

static void say_middle(struct saying *say)
{
    const struct lab_matrix around = next_gradient(say);
    if (say->shape->inner == 0) {
        say->title = "dL/d(x + O)";
        put_number(say, LAB_ROLE_NONE, (double)lab_matrix_at(&around, say->row, say->column));
        return;
    }
    say->title = tr("dL/dx = dL/d(x + MLP) + what comes through the MLP");
    put_around(say, around, value_of(say, LEARN_MIDDLE), gradient_of(say, LEARN_MLP_X),
               LEARN_NORM_2_GAIN);
}

static void say_concat(struct saying *say, size_t column)
{
    const struct lab_matrix d = gradient_of(say, LEARN_MIDDLE);
    say->title = "dL/dZ = dL/dO · W_Oᵀ";
    put_sum(say, row_line(d, say->row, LAB_ROLE_OUTPUT),
            outgoing_weights(say, tensor_of(say, LEARN_W_O), column, d.cols), d.cols);
}

static void say_alpha(struct saying *say)
{
    const struct lab_matrix dz = gradient_of(say, LEARN_Z), v = value_of(say, LEARN_V);
    say->title =
        arena_format(say->arena, "dL/dα( %s → %s ) = dL/dZ(%s) · v(%s)", word_at(say, say->row),
                     word_at(say, say->column), word_at(say, say->row), word_at(say, say->column));
    put_sum(say, row_line(dz, say->row, LAB_ROLE_NONE), row_line(v, say->column, LAB_ROLE_VALUE),
            dz.cols);
}

/* The gradient is α ∘ (dα − Σ α dα). */
static void say_scaled(struct saying *say)
{
    const struct lab_matrix a = value_of(say, LEARN_ALPHA), da = gradient_of(say, LEARN_ALPHA);
    double sum = 0;
    for (size_t j = 0; j < a.cols; j++) {
        sum += (double)lab_matrix_at(&a, say->row, j) * (double)lab_matrix_at(&da, say->row, j);
    }
    say->title = arena_format(say->arena, "dL/dS′( %s → %s ) = α · ( dL/dα − Σ α·dL/dα )",
                              word_at(say, say->row), word_at(say, say->column));
    put_number(say, LAB_ROLE_WEIGHT, (double)lab_matrix_at(&a, say->row, say->column));
    put_text(say, " · (");
    put_number(say, LAB_ROLE_NONE, (double)lab_matrix_at(&da, say->row, say->column));
    put_text(say, sum < 0 ? " + " : " − ");
    put_number(say, LAB_ROLE_NONE, fabs(sum));
    put_text(say, ")");
}

static void say_scores(struct saying *say)
{
    const struct lab_matrix d = gradient_of(say, LEARN_SCALED);
    say->title = arena_format(say->arena, "dL/dS( %s → %s ) = dL/dS′ ÷ √dₖ", word_at(say, say->row),
                              word_at(say, say->column));
    put_number(say, LAB_ROLE_NONE, (double)lab_matrix_at(&d, say->row, say->column));
    put_text(say, arena_format(say->arena, " ÷ √%zu", say->shape->d_k));
}

static void say_q(struct saying *say)
{
    const struct lab_matrix ds = gradient_of(say, LEARN_SCORES), k = value_of(say, LEARN_K);
    say->title = arena_format(say->arena, "dL/dq(%s) = dL/dS · K", word_at(say, say->row));
    put_sum(say, row_line(ds, say->row, LAB_ROLE_NONE), column_line(k, say->column, LAB_ROLE_KEY),
            ds.cols);
}

static void say_k(struct saying *say)
{
    const struct lab_matrix ds = gradient_of(say, LEARN_SCORES), q = value_of(say, LEARN_Q);
    say->title = arena_format(say->arena, "dL/dk(%s) = dL/dSᵀ · Q", word_at(say, say->row));
    put_sum(say, column_line(ds, say->row, LAB_ROLE_NONE),
            column_line(q, say->column, LAB_ROLE_QUERY), ds.rows);
}

static void say_v(struct saying *say)
{
    const struct lab_matrix a = value_of(say, LEARN_ALPHA), dz = gradient_of(say, LEARN_Z);
    say->title = arena_format(say->arena, "dL/dv(%s) = αᵀ · dL/dZ", word_at(say, say->row));
    put_sum(say, column_line(a, say->row, LAB_ROLE_WEIGHT),
            column_line(dz, say->column, LAB_ROLE_NONE), a.rows);
}

/* The pair is turned back by the angle of its place. */
static void say_plain(struct saying *say, enum learn_part turned, const char *title)
{
    const struct lab_matrix d = gradient_of(say, turned);
    const size_t half = say->shape->d_k / 2, p = half == 0 ? 0 : say->column % half;
    const double angle =
        (double)say->row * pow((double)say->shape->theta, -2 * (double)p / (double)say->shape->d_k);
    const bool second = say->column >= half;
    const double x = (double)lab_matrix_at(&d, say->row, p);
    say->title = title;
    if (!is_llama(say)) {
        put_number(say, LAB_ROLE_NONE, (double)lab_matrix_at(&d, say->row, say->column));
        return;
    }
    const double y = (double)lab_matrix_at(&d, say->row, p + half);
    put_number(say, LAB_ROLE_NONE, second ? y : x);
    put_text(say, arena_format(say->arena, " · cos %.2f %s ", angle, second ? "−" : "+"));
    put_number(say, LAB_ROLE_NONE, second ? x : y);
    put_text(say, arena_format(say->arena, " · sin %.2f", angle));
}

/* Adds the gradients from Q, K and V of all heads. */
static void say_x(struct saying *say)
{
    const size_t count = 3 * say->shape->heads * say->shape->d_k;
    const struct lab_matrix d =
        learn_activations_gradient(say->sentence, LEARN_Q_PLAIN, say->layer, 0);
    const struct lab_matrix w = tensor_of(say, is_llama(say) ? LEARN_W_Q : LEARN_QKV);
    say->title = "dL/dX = dL/dQ · W_Qᵀ + dL/dK · W_Kᵀ + dL/dV · W_Vᵀ";
    put_sum(say, line_from(d.values + say->row * d.stride, 1, count, LAB_ROLE_NONE),
            outgoing_weights(say, w, say->column, count), count);
}

static void say_mlp_x(struct saying *say)
{
    const size_t count = say->shape->inner * (is_llama(say) ? 2 : 1);
    const struct lab_matrix d = gradient_of(say, is_llama(say) ? LEARN_MLP_GATE : LEARN_MLP_UP);
    const struct lab_matrix w = tensor_of(say, is_llama(say) ? LEARN_GATE : LEARN_UP);
    say->title = "dL/dX = dL/dh · Wᵀ";
    put_sum(say, line_from(d.values + say->row * d.stride, 1, count, LAB_ROLE_NONE),
            outgoing_weights(say, w, say->column, count), count);
}

static void say_inner(struct saying *say)
{
    const struct lab_matrix d = next_gradient(say);
    say->title = "dL/dh = dL/d(MLP) · Wᵀ";
    put_sum(say, row_line(d, say->row, LAB_ROLE_OUTPUT),
            outgoing_weights(say, tensor_of(say, LEARN_DOWN), say->column, d.cols), d.cols);
}

/* SiLU and its slope follow. */
static double silu_of(double x)
{
    return x / (1 + exp(-x));
}

static double silu_slope(double x)
{
    const double open = 1 / (1 + exp(-x));
    return open * (1 + x * (1 - open));
}

static double gelu_slope(double x)
{
    const double v = x * ((double)LEARN_GELU_LINEAR + (double)LEARN_GELU_CUBIC * x * x);
    const double open = 1 / (1 + exp(-v));
    return open + x * open * (1 - open) *
                      ((double)LEARN_GELU_LINEAR + 3 * (double)LEARN_GELU_CUBIC * x * x);
}

static void say_factor(struct saying *say, double first, double second)
{
    put_number(say, LAB_ROLE_NONE, first);
    put_text(say, " · ");
    put_number(say, LAB_ROLE_NONE, second);
}

static void say_gate(struct saying *say)
{
    const struct lab_matrix d = gradient_of(say, LEARN_MLP_INNER), up = value_of(say, LEARN_MLP_UP);
    const struct lab_matrix gate = value_of(say, LEARN_MLP_GATE);
    const double x = (double)lab_matrix_at(&gate, say->row, say->column);
    say->title = "dL/dgate = dL/dh · up · SiLU′(gate)";
    say_factor(say, (double)lab_matrix_at(&d, say->row, say->column),
               (double)lab_matrix_at(&up, say->row, say->column));
    put_text(say, " · ");
    put_number(say, LAB_ROLE_NONE, silu_slope(x));
}

static void say_up(struct saying *say)
{
    const struct lab_matrix d = gradient_of(say, LEARN_MLP_INNER), up = value_of(say, LEARN_MLP_UP);
    const struct lab_matrix gate = value_of(say, LEARN_MLP_GATE);
    const double dy = (double)lab_matrix_at(&d, say->row, say->column);
    if (is_llama(say)) {
        say->title = "dL/dup = dL/dh · SiLU(gate)";
        say_factor(say, dy, silu_of((double)lab_matrix_at(&gate, say->row, say->column)));
    } else {
        say->title = "dL/dup = dL/dh · GELU′(up)";
        say_factor(say, dy, gelu_slope((double)lab_matrix_at(&up, say->row, say->column)));
    }
}

static void say_part(struct saying *say, enum learn_part part)
{
    switch (part) {
    case LEARN_P:
        say_p(say);
        break;
    case LEARN_LOGITS:
        say_logits(say);
        break;
    case LEARN_FINAL:
        say_final(say);
        break;
    case LEARN_RESIDUAL:
        say_residual(say);
        break;
    case LEARN_MIDDLE:
        say_middle(say);
        break;
    case LEARN_O:
        say_added(say, "dL/dO = dL/d(x + O)");
        break;
    case LEARN_MLP_OUT:
        say_added(say, "dL/dy = dL/d(x + MLP)");
        break;
    case LEARN_CONCAT:
        say_concat(say, say->column);
        break;
    case LEARN_Z:
        say_concat(say, say->head * say->shape->d_k + say->column);
        break;
    case LEARN_ALPHA:
        say_alpha(say);
        break;
    case LEARN_SCALED:
        say_scaled(say);
        break;
    case LEARN_SCORES:
        say_scores(say);
        break;
    case LEARN_Q:
        say_q(say);
        break;
    case LEARN_K:
        say_k(say);
        break;
    case LEARN_V:
        say_v(say);
        break;
    case LEARN_Q_PLAIN:
        say_plain(say, LEARN_Q, "dL/dQ₀ = R(i)ᵀ · dL/dQ");
        break;
    case LEARN_K_PLAIN:
        say_plain(say, LEARN_K, "dL/dK₀ = R(j)ᵀ · dL/dK");
        break;
    case LEARN_X:
        say_x(say);
        break;
    case LEARN_MLP_X:
        say_mlp_x(say);
        break;
    case LEARN_MLP_INNER:
        say_inner(say);
        break;
    case LEARN_MLP_GATE:
        say_gate(say);
        break;
    case LEARN_MLP_UP:
        say_up(say);
        break;
    case LEARN_PARTS:
        break;
    }
}

/* ---- explanations -------------------------------------------------------------------------- */

static size_t clamp_index(size_t index, size_t count)
{
    return count == 0 ? 0 : index < count ? index : count - 1;
}

static struct saying saying_of(const struct learn_layer_view *view, size_t max_terms,
                               struct arena *arena)
{
    struct saying say = {.view = view,
                         .sentence = view->sentence,
                         .shape = learn_activations_shape(view->sentence),
                         .layer = view->layer,
                         .max_terms = max_terms,
                         .arena = arena,
                         .formula = lab_formula_start(arena, lab_formula_room(max_terms)),
                         .title = ""};
    learn_tensors_list(say.shape, &say.tensors);
    return say;
}

/* Describes a gradient in words. */
static const char *describe_gradient(struct arena *arena, double slope)
{
    const double by = 0.01 * slope;
    if (slope == 0) {
        return tr("A small change of this number would not change the loss.");
    }
    return arena_format(
        arena,
        slope > 0
            ? "Were this number larger by 0.01, the loss of these words would rise by about %s."
            : "Were this number larger by 0.01, the loss of these words would fall by about %s.",
        lab_formula_digits(arena, fabs(by), decimals_of(by)));
}

static struct lab_explanation make_explanation(const struct saying *say, double slope)
{
    const char *const sentence = describe_gradient(say->arena, slope);
    return (struct lab_explanation){.title = say->title == NULL ? "" : say->title,
                                    .piece = say->formula.piece,
                                    .pieces = say->formula.pieces,
                                    .sentence = sentence == NULL ? "" : sentence};
}

struct lab_explanation learn_explain_gradient(const struct learn_layer_view *view,
                                              enum learn_part part, size_t head, size_t row,
                                              size_t column, size_t max_terms, struct arena *arena)
{
    struct saying say = saying_of(view, max_terms, arena);
    say.head = clamp_index(head, say.shape->heads);
    const struct lab_matrix whole = gradient_of(&say, part);
    if (whole.values == NULL) {
        return (struct lab_explanation){.title = "", .sentence = ""};
    }
    say.row = clamp_index(row, whole.rows);
    say.column = clamp_index(column, whole.cols);
    const double slope = (double)lab_matrix_at(&whole, say.row, say.column);
    say_part(&say, part);
    put_result(&say, slope);
    return make_explanation(&say, slope);
}

/* ---- weights ------------------------------------------------------------------------------- */

/* A weight's gradient as a sum over positions: the numbers that it multiplies, and the gradients of
 * the numbers that the products are added to. x.values NULL: a bias, which multiplies 1. */
struct weight_terms {
    struct lab_factor x, dy;
    const char *title;
};

/* Takes columns `in` and `out` of two matrices of positions. */
static struct weight_terms column_terms(struct lab_matrix x, size_t in, struct lab_matrix dy,
                                        size_t out, const char *title)
{
    return (struct weight_terms){column_line(x, in, LAB_ROLE_X),
                                 column_line(dy, out, LAB_ROLE_NONE), title};
}

/* Returns the gradients of Q, K and V side by side, before they are turned. */
static struct lab_matrix all_dqkv(const struct saying *say)
{
    struct lab_matrix d = learn_activations_gradient(say->sentence, LEARN_Q_PLAIN, say->layer, 0);
    d.cols = 3 * say->shape->heads * say->shape->d_k;
    return d;
}

/* Takes the columns of a weight in a matrix that is stored as its family does it. */
static struct weight_terms matrix_terms(const struct saying *say, struct lab_matrix x,
                                        struct lab_matrix dy, size_t shift, const char *title)
{
    const size_t in = is_llama(say) ? say->column : say->row;
    const size_t out = is_llama(say) ? say->row : say->column;
    return column_terms(x, in, dy, out + shift, title);
}

static struct weight_terms bias_terms(const struct saying *say, struct lab_matrix dy)
{
    return (struct weight_terms){.dy = column_line(dy, say->column, LAB_ROLE_NONE),
                                 .title = "dL/db = Σ dL/dy"};
}

/* Takes x̂ of a norm at the column: (y − bias) ÷ gain. */
static struct weight_terms gain_terms(const struct saying *say, enum learn_role gain,
                                      struct lab_matrix y, struct lab_matrix dy)
{
    const struct lab_matrix g = tensor_of(say, gain),
                            b = tensor_of(say, (enum learn_role)(gain + 1));
    float *const normal = arena_array(say->arena, y.rows, sizeof *normal);
    for (size_t i = 0; normal != NULL && i < y.rows; i++) {
        const float bias = b.values == NULL ? 0 : b.values[say->column];
        normal[i] = (lab_matrix_at(&y, i, say->column) - bias) / g.values[say->column];
    }
    return (struct weight_terms){line_from(normal, 1, normal == NULL ? 0 : y.rows, LAB_ROLE_X),
                                 column_line(dy, say->column, LAB_ROLE_NONE),
                                 "dL/dγ = Σ x̂ · dL/dy"};
}

/* Takes the rows of the residual that a token, or a place, has entered: 1 · dL/dx, or 0. */
static struct weight_terms embedding_terms(const struct saying *say, bool places)
{
    const size_t n = learn_activations_count(say->sentence);
    const struct lab_matrix dx = learn_activations_gradient(say->sentence, LEARN_RESIDUAL, 0, 0);
    float *const terms = arena_array(say->arena, n, sizeof *terms);
    for (size_t i = 0; terms != NULL && i < n; i++) {
        const size_t own = places ? i : (size_t)learn_activations_tokens(say->sentence)[i];
        terms[i] = own == say->row ? lab_matrix_at(&dx, i, say->column) : 0;
    }
    return (struct weight_terms){.dy = line_from(terms, 1, terms == NULL ? 0 : n, LAB_ROLE_NONE),
                                 .title = places ? tr("dL/dw = dL/dx of this place")
                                                 : tr("dL/dw = Σ dL/dx where this word is read")};
}

static struct weight_terms logit_terms(const struct saying *say)
{
    return column_terms(learn_activations_part(say->sentence, LEARN_FINAL, 0, 0), say->column,
                        learn_activations_gradient(say->sentence, LEARN_LOGITS, 0, 0), say->row,
                        "dL/dw = Σ x · dL/dlogit");
}

static struct weight_terms terms_of(const struct saying *say, enum learn_role role)
{
    const size_t heads = say->shape->heads * say->shape->d_k;
    const size_t inner = say->shape->inner;
    struct lab_matrix hidden = gradient_of(say, is_llama(say) ? LEARN_MLP_GATE : LEARN_MLP_UP);
    hidden.cols = is_llama(say) ? 2 * inner : inner;
    switch (role) {
    case LEARN_QKV:
    case LEARN_W_Q:
        return matrix_terms(say, value_of(say, LEARN_X), all_dqkv(say), 0, "dL/dW = Xᵀ · dL/dQ");
    case LEARN_W_K:
        return matrix_terms(say, value_of(say, LEARN_X), all_dqkv(say), heads,
                            "dL/dW = Xᵀ · dL/dK");
    case LEARN_W_V:
        return matrix_terms(say, value_of(say, LEARN_X), all_dqkv(say), 2 * heads,
                            "dL/dW = Xᵀ · dL/dV");
    case LEARN_QKV_BIAS:
        return bias_terms(say, all_dqkv(say));
    case LEARN_W_O:
        return matrix_terms(say, value_of(say, LEARN_CONCAT), gradient_of(say, LEARN_O), 0,
                            "dL/dW_O = Zᵀ · dL/dO");
    case LEARN_O_BIAS:
        return bias_terms(say, gradient_of(say, LEARN_O));
    case LEARN_UP:
        return matrix_terms(say, value_of(say, LEARN_MLP_X), hidden, is_llama(say) ? inner : 0,
                            "dL/dW = Xᵀ · dL/dup");
    case LEARN_GATE:
        return matrix_terms(say, value_of(say, LEARN_MLP_X), hidden, 0, "dL/dW = Xᵀ · dL/dgate");
    case LEARN_UP_BIAS:
        return bias_terms(say, hidden);
    case LEARN_DOWN:
        return matrix_terms(say, value_of(say, LEARN_MLP_INNER), gradient_of(say, LEARN_MLP_OUT), 0,
                            "dL/dW = hᵀ · dL/d(MLP)");
    case LEARN_DOWN_BIAS:
        return bias_terms(say, gradient_of(say, LEARN_MLP_OUT));
    case LEARN_NORM_1_GAIN:
        return gain_terms(say, role, value_of(say, LEARN_X), gradient_of(say, LEARN_X));
    case LEARN_NORM_1_BIAS:
        return bias_terms(say, gradient_of(say, LEARN_X));
    case LEARN_NORM_2_GAIN:
        return gain_terms(say, role, value_of(say, LEARN_MLP_X), gradient_of(say, LEARN_MLP_X));
    case LEARN_NORM_2_BIAS:
        return bias_terms(say, gradient_of(say, LEARN_MLP_X));
    case LEARN_NORM_F_GAIN:
        return gain_terms(say, role, value_of(say, LEARN_FINAL), gradient_of(say, LEARN_FINAL));
    case LEARN_NORM_F_BIAS:
        return bias_terms(say, gradient_of(say, LEARN_FINAL));
    case LEARN_HEAD:
        return logit_terms(say);
    case LEARN_WTE:
    case LEARN_WPE:
    case LEARN_ROLES:
        break;
    }
    return embedding_terms(say, role == LEARN_WPE);
}

struct lab_explanation learn_explain_weight(const struct learn_layer_view *view, size_t number,
                                            size_t row, size_t column, size_t max_terms,
                                            struct arena *arena)
{
    struct saying say = saying_of(view, max_terms, arena);
    const struct learn_tensor *const of =
        &say.tensors.tensor[clamp_index(number, say.tensors.count)];
    const size_t n = learn_activations_count(view->sentence);
    say.layer = of->layer;
    say.row = clamp_index(row, of->rows);
    say.column = clamp_index(column, of->cols);
    const struct weight_terms terms = terms_of(&say, of->role);
    const double slope = (double)learn_activations_weights_gradient(
        view->sentence)[of->offset + say.row * of->cols + say.column];
    say.title = terms.title;
    if (terms.x.values == NULL) {
        put_sum(&say, terms.dy, terms.x, terms.dy.values == NULL ? 0 : n);
    } else {
        put_sum(&say, terms.x, terms.dy, n);
    }
    if (of->role == LEARN_WTE && say.shape->tied) { /* the embedding also makes logits */
        const struct weight_terms out = logit_terms(&say);
        put_text(&say, " + ");
        put_sum(&say, out.x, out.dy, n);
    }
    put_result(&say, slope);
    return make_explanation(&say, slope);
}

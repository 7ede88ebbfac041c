/* learn/explain.c — explains gradients by the chain rule.
 *
 * The rows of learn/graph.h say what reads a part. Each of them passes a gradient back: a sum as it
 * is, a product as another product, whose lines follow from the axes of the operation, and the few
 * others by a formula of their own. Gradients are small, so each operand has as many decimals as
 * its own size needs. */
#include "learn/explain.h"

#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "lab/explain/formula.h"
#include "lab/run/block.h"
#include "learn/graph.h"
#include "learn/pass.h"

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
    const struct learn_node *node; /* passes the gradient of its part back */
    size_t input;                  /* to this of its operands */
};

/* The words in these are those of the row, the column, the row and the column. */
static const char *const titles[LEARN_PARTS] = {
    [LEARN_RESIDUAL] = "dL/dx = dL/d(x + O) + what comes through attention",
    [LEARN_X] = "dL/dX = dL/dQ · W_Qᵀ + dL/dK · W_Kᵀ + dL/dV · W_Vᵀ",
    [LEARN_Q] = "dL/dq(%s) = dL/dS · K",
    [LEARN_K] = "dL/dk(%s) = dL/dSᵀ · Q",
    [LEARN_V] = "dL/dv(%s) = αᵀ · dL/dZ",
    [LEARN_Q_PLAIN] = "dL/dQ₀ = R(i)ᵀ · dL/dQ",
    [LEARN_K_PLAIN] = "dL/dK₀ = R(j)ᵀ · dL/dK",
    [LEARN_K_TURNED] = "dL/dk(%s) = (1 − s) · dL/dkₛ(j) + s · dL/dkₛ(j + 1)",
    [LEARN_SCORES] = "dL/dS( %s → %s ) = dL/dS′ ÷ √dₖ",
    [LEARN_SCALED] = "dL/dS′( %s → %s ) = α · ( dL/dα − Σ α·dL/dα )",
    [LEARN_ALPHA] = "dL/dα( %s → %s ) = dL/dZ(%s) · v(%s)",
    [LEARN_Z] = "dL/dZ = dL/dO · W_Oᵀ",
    [LEARN_CONCAT] = "dL/dZ = dL/dO · W_Oᵀ",
    [LEARN_O] = "dL/dO = dL/d(x + O)",
    [LEARN_MIDDLE] = "dL/dx = dL/d(x + MLP) + what comes through the MLP",
    [LEARN_MLP_X] = "dL/dX = dL/dh · Wᵀ",
    [LEARN_MLP_GATE] = "dL/dgate = dL/dh · up · SiLU′(gate)",
    [LEARN_MLP_UP] = "dL/dup = dL/dh · GELU′(up)",
    [LEARN_MLP_INNER] = "dL/dh = dL/d(MLP) · Wᵀ",
    [LEARN_MLP_OUT] = "dL/dy = dL/d(x + MLP)",
    [LEARN_FINAL] = "dL/dx = dL/dlogits · W_U",
    [LEARN_LOGITS] = "dL/dlogit = ( p − y ) ÷ n",
    [LEARN_P] = "dL/dp = −1 ÷ p ÷ n",
};

static const char *const weight_titles[LEARN_ROLES] = {
    [LEARN_WTE] = "dL/dw = Σ dL/dx where this word is read",
    [LEARN_WPE] = "dL/dw = dL/dx of this place",
    [LEARN_QKV] = "dL/dW = Xᵀ · dL/dQ",
    [LEARN_W_Q] = "dL/dW = Xᵀ · dL/dQ",
    [LEARN_W_K] = "dL/dW = Xᵀ · dL/dK",
    [LEARN_W_V] = "dL/dW = Xᵀ · dL/dV",
    [LEARN_W_O] = "dL/dW_O = Zᵀ · dL/dO",
    [LEARN_UP] = "dL/dW = Xᵀ · dL/dup",
    [LEARN_GATE] = "dL/dW = Xᵀ · dL/dgate",
    [LEARN_DOWN] = "dL/dW = hᵀ · dL/d(MLP)",
    [LEARN_HEAD] = "dL/dw = Σ x · dL/dlogit",
};

static void put_text(struct saying *say, const char *text)
{
    lab_formula_text(&say->formula, LAB_ROLE_NONE, text);
}

static void spell_pattern(struct saying *say, const char *pattern, const double *values)
{
    lab_formula_spell(&say->formula, LAB_SIZED, pattern, values);
}

static bool is_llama(const struct saying *say)
{
    return say->shape->family == LEARN_LLAMA;
}

/* ---- operands ------------------------------------------------------------------------------ */

/* A matrix in memory, by the steps between its rows and columns. */
struct operand {
    const float *values;
    size_t rows, cols, row_step, column_step;
    enum lab_role role;
};

static struct operand operand_of(struct lab_matrix m, enum lab_role role)
{
    return (struct operand){m.values, m.rows, m.cols, m.stride, 1, role};
}

static struct operand value_of(const struct saying *say, enum learn_part part)
{
    static const enum lab_role roles[LEARN_PARTS] = {[LEARN_Q] = LAB_ROLE_QUERY,
                                                     [LEARN_K] = LAB_ROLE_KEY,
                                                     [LEARN_V] = LAB_ROLE_VALUE,
                                                     [LEARN_ALPHA] = LAB_ROLE_WEIGHT};
    return operand_of(learn_activations_part(say->sentence, part, say->layer, say->head),
                      roles[part]);
}

static struct operand gradient_of(const struct saying *say, enum learn_part part)
{
    const bool is_added = part == LEARN_O || part == LEARN_MLP_OUT;
    return operand_of(learn_activations_gradient(say->sentence, part, say->layer, say->head),
                      is_added ? LAB_ROLE_OUTPUT : LAB_ROLE_NONE);
}

static double number_at(const struct operand *of, size_t row, size_t column)
{
    return (double)of->values[row * of->row_step + column * of->column_step];
}

/* Returns a tensor as it is stored; values NULL: there is none. */
static struct operand tensor_of(const struct saying *say, enum learn_role role)
{
    const struct learn_tensor *const found = learn_tensors_find(&say->tensors, role, say->layer);
    return found == NULL ? (struct operand){.values = NULL}
                         : (struct operand){.values = say->view->weights + found->offset,
                                            .rows = found->rows,
                                            .cols = found->cols,
                                            .row_step = found->cols,
                                            .column_step = 1};
}

/* Says whether the matrix of a row is stored with a row for each output. */
static bool is_by_output(const struct saying *say, const struct learn_node *node)
{
    return is_llama(say) || node->part == LEARN_LOGITS;
}

/* Returns the matrix of a row [in][out], whichever way it is stored. */
static struct operand weights_of(const struct saying *say, const struct learn_node *node)
{
    const struct operand own = tensor_of(say, learn_node_role(say->shape, node));
    return is_by_output(say, node)
               ? (struct operand){own.values, own.cols, own.rows, 1, own.row_step, own.role}
               : own;
}

static struct lab_factor line_from(const float *first, size_t step, size_t count,
                                   enum lab_role role)
{
    return (struct lab_factor){.values = first,
                               .step = step,
                               .role = role,
                               .decimals =
                                   first == NULL ? 0 : lab_decimals_by_size(first, count, step)};
}

/* Returns the `count` numbers of an operand with these axes that stand where the indices say. */
static struct lab_factor line_of(const struct operand *of, const enum lab_axis axes[2],
                                 const size_t at[LAB_AXES], size_t count)
{
    const struct lab_cells line = lab_cells_along(axes, at);
    return line_from(of->values + line.row * of->row_step + line.column * of->column_step,
                     line.row_step * of->row_step + line.column_step * of->column_step, count,
                     of->role);
}

static struct lab_factor column_of(const struct operand *of, size_t column)
{
    return line_from(of->values + column, of->row_step, of->rows, of->role);
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
            const int own = lab_decimals_by_size(&term, 1, 1);
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

/* ---- each operation, backwards ------------------------------------------------------------- */

/* Returns the number of a part, or its gradient, at a column of the row; 0: there is none. */
static double number_of(const struct saying *say, enum learn_part part, size_t column)
{
    const struct operand of = value_of(say, part);
    return of.values == NULL ? 0 : number_at(&of, say->row, column);
}

static double slope_of(const struct saying *say, size_t column)
{
    const struct operand d = gradient_of(say, say->node->part);
    return number_at(&d, say->row, column);
}

static void put_gradient(struct saying *say)
{
    const double slope = slope_of(say, say->column);
    spell_pattern(say, "%n", &slope);
}

/* The gradient of a sum is that of each of its terms; of what is added it is named. */
static void pass_sum(struct saying *say)
{
    if (say->input == 0) {
        put_gradient(say);
    } else {
        put_text(say, strstr(titles[say->node->of[say->input]], " = ") + strlen(" = "));
    }
}

/* The gradient of an operand of a product is the gradient of the result times the other operand,
 * over the axis that the operand does not have. */
static void pass_product(struct saying *say)
{
    static const enum lab_axis result[2] = {LAB_AXIS_ROW, LAB_AXIS_COLUMN};
    const struct learn_node *const node = say->node;
    const struct lab_axes axes = lab_operation_row(node->operation)->axes;
    const bool is_left = say->input == 0;
    const enum lab_axis *const own = is_left ? axes.left : axes.right;
    const struct operand d = gradient_of(say, node->part);
    const struct operand other = node->operation == LAB_PRODUCT
                                     ? weights_of(say, node)
                                     : value_of(say, node->of[is_left ? 1 : 0]);
    size_t at[LAB_AXES] = {LAB_SUMMED, LAB_SUMMED, LAB_SUMMED};
    at[own[0]] = say->row;
    at[own[1]] = say->column;
    const size_t count = at[LAB_AXIS_ROW] == LAB_SUMMED ? d.rows : d.cols;
    const struct lab_factor from = line_of(&d, result, at, count);
    const struct lab_factor by = line_of(&other, is_left ? axes.right : axes.left, at, count);
    const bool is_blended = node->operation == LAB_MIX && !is_left; /* αᵀ · dL/dZ */
    put_sum(say, is_blended ? by : from, is_blended ? from : by, count);
}

/* Adds the gradient that passes a norm: 1/σ · (g − mean of g − x̂ · mean of g·x̂), g = dy · gain. */
static void pass_norm(struct saying *say)
{
    const struct operand x = value_of(say, say->node->of[say->input]);
    const struct operand gain = tensor_of(say, learn_node_role(say->shape, say->node));
    const bool centred = !is_llama(say);
    const size_t at = say->column;
    double mean = 0, root = 1, middle = 0, along = 0;
    if (!say->shape->norm) {
        put_gradient(say);
        return;
    }
    lab_norm_of(x.values + say->row * x.row_step, x.cols, centred, (double)LEARN_EPSILON, &mean,
                &root);
    for (size_t c = 0; c < x.cols; c++) {
        const double g = slope_of(say, c) * number_at(&gain, 0, c);
        middle += g / (double)x.cols;
        along += g * (number_at(&x, say->row, c) - mean) / root / (double)x.cols;
    }
    spell_pattern(say, "%n · (%n",
                  (const double[]){1 / root, slope_of(say, at) * number_at(&gain, 0, at)});
    spell_pattern(say, centred ? " − (%n)" : "", &middle);
    spell_pattern(say, " − (%x · %n))",
                  (const double[]){(number_at(&x, say->row, at) - mean) / root, along});
}

/* The pair is turned back by the angle of its place. */
static void pass_turn(struct saying *say)
{
    const size_t half = say->shape->d_k / 2, p = half == 0 ? 0 : say->column % half;
    const bool second = say->column >= half;
    const double angle =
        (double)say->row * pow((double)say->shape->theta, -2 * (double)p / (double)say->shape->d_k);
    spell_pattern(say,
                  arena_format(say->arena, "%%n · cos %.2f %s %%n · sin %.2f", angle,
                               second ? "−" : "+", angle),
                  (const double[]){slope_of(say, second ? p + half : p),
                                   slope_of(say, second ? p : p + half)});
}

/* A key stands in its own row and in the next one. */
static void pass_smear(struct saying *say)
{
    const struct operand d = gradient_of(say, say->node->part);
    const double share = (double)say->shape->smear;
    const bool is_last = say->row + 1 == d.rows;
    spell_pattern(say, is_last ? "%n · %n" : "(%n · %n) + (%n · %n)",
                  (const double[]){1 - share, slope_of(say, say->column), share,
                                   is_last ? 0 : number_at(&d, say->row + 1, say->column)});
}

static void pass_adjust(struct saying *say)
{
    put_gradient(say);
    put_text(say, arena_format(say->arena, " ÷ √%zu", say->shape->d_k));
}

/* The gradient is α ∘ (dα − Σ α dα). */
static void pass_shares(struct saying *say)
{
    const enum learn_part part = say->node->part;
    const size_t keys = value_of(say, part).cols;
    double sum = 0;
    for (size_t j = 0; j < keys; j++) {
        sum += number_of(say, part, j) * slope_of(say, j);
    }
    spell_pattern(
        say, "%w · (%n%-n)",
        (const double[]){number_of(say, part, say->column), slope_of(say, say->column), sum});
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

static void pass_gate(struct saying *say)
{
    const double up = number_of(say, say->node->of[1], say->column);
    const double gate = number_of(say, say->node->of[0], say->column);
    const double slope = slope_of(say, say->column);
    if (say->input == 0) {
        spell_pattern(say, "%n · %n · %n", (const double[]){slope, up, silu_slope(gate)});
    } else {
        spell_pattern(say, "%n · %n",
                      (const double[]){slope, is_llama(say) ? silu_of(gate) : gelu_slope(up)});
    }
}

/* The gradient is (p − y) ÷ n of a logit, and −1 ÷ p ÷ n of the right word's p. */
static void pass_loss(struct saying *say)
{
    const double p = number_of(say, LEARN_P, say->column);
    const size_t asked = learn_activations_result(say->sentence).asked;
    const int32_t target = learn_activations_targets(say->sentence)[say->row];
    const bool is_right = target >= 0 && (size_t)target == say->column;
    const bool of_logit = say->node->of[say->input] == LEARN_LOGITS;
    if (target < 0 || (!of_logit && !is_right)) {
        put_text(say, "0");
    } else if (of_logit) {
        spell_pattern(say, arena_format(say->arena, "(%%n − %d) ÷ %zu", is_right, asked), &p);
    } else {
        spell_pattern(say, arena_format(say->arena, "−1 ÷ %%n ÷ %zu", asked), &p);
    }
}

static void put_parts(struct saying *say, enum learn_part part);

/* A number of Z stands in the row of all heads. */
static void pass_concatenation(struct saying *say)
{
    say->column += say->head * say->shape->d_k;
    put_parts(say, say->node->part);
}

/* Says whether a row reads the residual of this layer: the final norm alone reads the last. */
static bool reads_residual(const struct saying *say, const struct learn_node *node)
{
    return (node->part == LEARN_FINAL) == (say->layer == say->shape->layers);
}

/* Adds what comes from everything that reads a part. */
static void put_parts(struct saying *say, enum learn_part part)
{
    static void (*const pass[LAB_OPERATIONS])(struct saying *) = {
        [LAB_SUM] = pass_sum,
        [LAB_NORM] = pass_norm,
        [LAB_PRODUCT] = pass_product,
        [LAB_DOT] = pass_product,
        [LAB_MIX] = pass_product,
        [LAB_TURN] = pass_turn,
        [LAB_SMEAR] = pass_smear,
        [LAB_ADJUST] = pass_adjust,
        [LAB_NORMALISE_ROWS] = pass_shares,
        [LAB_CONCATENATE] = pass_concatenation,
        [LAB_ACTIVATED_GATE] = pass_gate,
        [LAB_LOSS] = pass_loss,
    };
    const struct learn_node *node = NULL;
    size_t count = 0;
    for (size_t n = 0; (node = learn_node_at(n)) != NULL; n++) {
        const bool exists =
            learn_node_applies(say->shape, node) &&
            (node->operation == LAB_LOSS || gradient_of(say, node->part).values != NULL);
        for (size_t input = 0; exists && input < 2; input++) {
            if (node->of[input] == part && (part != LEARN_RESIDUAL || reads_residual(say, node))) {
                put_text(say, count++ > 0 ? " + " : "");
                say->node = node;
                say->input = input;
                pass[node->operation](say);
            }
        }
    }
}

/* ---- explanations -------------------------------------------------------------------------- */

static struct saying saying_of(const struct learn_layer_view *view, size_t max_terms,
                               struct arena *arena)
{
    struct saying say = {.view = view,
                         .sentence = view->sentence,
                         .shape = learn_activations_shape(view->sentence),
                         .layer = view->layer,
                         .max_terms = max_terms,
                         .arena = arena,
                         .formula = lab_formula_start(arena, lab_formula_room(max_terms))};
    learn_tensors_list(say.shape, &say.tensors);
    return say;
}

/* Adds the gradient as the result, and describes it in words. */
static struct lab_explanation finish_explanation(struct saying *say, const char *title,
                                                 double slope)
{
    const double by = fabs(0.01 * slope);
    spell_pattern(say, " = %r", &slope);
    const char *const sentence =
        slope == 0 ? tr("A small change of this number would not change the loss.")
                   : arena_format(say->arena,
                                  slope > 0 ? "Were this number larger by 0.01, the loss of these "
                                              "words would rise by about %s."
                                            : "Were this number larger by 0.01, the loss of these "
                                              "words would fall by about %s.",
                                  lab_formula_digits(say->arena, by, LAB_SIZED));
    return lab_formula_explanation(&say->formula, title, sentence);
}

static const char *title_of(const struct saying *say, enum learn_part part)
{
    const size_t n = learn_activations_count(say->sentence);
    const char *const i = say->view->words[say->row];
    const char *const j = say->column < n ? say->view->words[say->column] : "";
    if (part == LEARN_RESIDUAL && say->layer == say->shape->layers) {
        return say->shape->norm ? tr("dL/dx, through the norm") : "dL/dx";
    }
    if (part == LEARN_MIDDLE && say->shape->inner == 0) {
        return "dL/d(x + O)";
    }
    if (part == LEARN_K && say->shape->smear > 0) {
        return arena_format(say->arena, "dL/dkₛ(%s) = dL/dSᵀ · Q", i);
    }
    if (part == LEARN_MLP_UP && is_llama(say)) {
        return "dL/dup = dL/dh · SiLU(gate)";
    }
    return arena_format(say->arena, titles[part], i, j, i, j);
}

struct lab_explanation learn_explain_gradient(const struct learn_layer_view *view,
                                              enum learn_part part, size_t head, size_t row,
                                              size_t column, size_t max_terms, struct arena *arena)
{
    struct saying say = saying_of(view, max_terms, arena);
    part = learn_part_behind(say.shape, part);
    say.head = lab_index_clamp(head, say.shape->heads);
    const struct operand whole = gradient_of(&say, part);
    if (whole.values == NULL) {
        return (struct lab_explanation){.title = "", .sentence = ""};
    }
    say.row = lab_index_clamp(row, whole.rows);
    say.column = lab_index_clamp(column, whole.cols);
    const double slope = number_at(&whole, say.row, say.column);
    const char *const title = title_of(&say, part);
    put_parts(&say, part);
    return finish_explanation(&say, title, slope);
}

struct lab_explanation learn_explain_logit(const struct learn_layer_view *view, size_t position,
                                           size_t id, const char *word, size_t max_terms,
                                           struct arena *arena)
{
    struct saying say = saying_of(view, max_terms, arena);
    const bool tied = say.shape->tied;
    const struct operand x = value_of(&say, LEARN_FINAL);
    const struct operand w = tensor_of(&say, tied ? LEARN_WTE : LEARN_HEAD);
    const struct lab_matrix z = learn_activations_part(view->sentence, LEARN_LOGITS, 0, 0);
    const double logit = (double)lab_matrix_at(&z, position, id);
    const struct lab_sum sum = {
        .left = line_from(x.values + position * x.row_step, 1, x.cols, LAB_ROLE_X),
        .right = line_from(w.values + id * w.row_step, 1, x.cols, LAB_ROLE_OUTPUT),
        .count = x.cols,
        .brackets = true};
    lab_formula_sum(&say.formula, &sum, max_terms);
    lab_formula_spell(&say.formula, 3, " = %r", &logit);
    return lab_formula_explanation(
        &say.formula,
        arena_format(arena, "logit(%s) = x( %s ) · w( %s ), over %zu dimensions", word,
                     view->words[position], word, x.cols),
        arena_format(arena,
                     tied ? "How well what “%s” has become fits the embedding of “%s”."
                          : "How well what “%s” has become fits the row of “%s”.",
                     view->words[position], word));
}

/* ---- weights ------------------------------------------------------------------------------- */

/* Returns x̂ of a norm at the column: (y − bias) ÷ gain. */
static struct lab_factor normed_of(const struct saying *say, const struct learn_node *node)
{
    const enum learn_role role = learn_node_role(say->shape, node);
    const struct operand gain = tensor_of(say, role), y = value_of(say, node->part),
                         bias = tensor_of(say, (enum learn_role)(role + 1));
    float *const normal = arena_array(say->arena, y.rows, sizeof *normal);
    for (size_t i = 0; normal != NULL && i < y.rows; i++) {
        const float from = bias.values == NULL ? 0 : bias.values[say->column];
        normal[i] = (y.values[i * y.row_step + say->column] - from) / gain.values[say->column];
    }
    return line_from(normal, 1, normal == NULL ? 0 : y.rows, LAB_ROLE_X);
}

/* Adds the gradient of a weight as a sum over positions: the number that it multiplies, times the
 * gradient of the number that the product is added to; a bias multiplies 1. behind: the role's
 * place behind the first of the row. Returns the title. */
static const char *put_weight(struct saying *say, const struct learn_node *node, size_t behind)
{
    const struct lab_factor one = {.values = NULL};
    struct operand d = gradient_of(say, node->part);
    d.role = LAB_ROLE_NONE;
    if (!is_llama(say) && behind > 0) {
        put_sum(say, column_of(&d, say->column), one, d.rows);
        return "dL/db = Σ dL/dy";
    }
    if (node->operation == LAB_NORM) {
        const struct lab_factor normed = normed_of(say, node);
        put_sum(say, normed, column_of(&d, say->column), normed.values == NULL ? 0 : d.rows);
        return "dL/dγ = Σ x̂ · dL/dy";
    }
    const bool turned = is_by_output(say, node);
    const struct operand own = tensor_of(say, learn_node_role(say->shape, node));
    const size_t in = turned ? say->column : say->row, out = turned ? say->row : say->column;
    struct operand x = value_of(say, node->of[0]);
    x.role = LAB_ROLE_X;
    put_sum(say, column_of(&x, in), column_of(&d, out + behind * own.rows), d.rows);
    return NULL;
}

/* Adds the rows of the residual that a token, or a place, has entered: dL/dx, or 0. */
static void put_embedding(struct saying *say, bool of_place)
{
    const size_t n = learn_activations_count(say->sentence);
    const struct lab_matrix dx = learn_activations_gradient(say->sentence, LEARN_RESIDUAL, 0, 0);
    float *const terms = arena_array(say->arena, n, sizeof *terms);
    for (size_t i = 0; terms != NULL && i < n; i++) {
        const size_t own = of_place ? i : (size_t)learn_activations_tokens(say->sentence)[i];
        terms[i] = own == say->row ? lab_matrix_at(&dx, i, say->column) : 0;
    }
    put_sum(say, line_from(terms, 1, terms == NULL ? 0 : n, LAB_ROLE_NONE),
            (struct lab_factor){.values = NULL}, terms == NULL ? 0 : n);
}

struct lab_explanation learn_explain_weight(const struct learn_layer_view *view, size_t number,
                                            size_t row, size_t column, size_t max_terms,
                                            struct arena *arena)
{
    struct saying say = saying_of(view, max_terms, arena);
    const struct learn_tensor *const of =
        &say.tensors.tensor[lab_index_clamp(number, say.tensors.count)];
    const bool is_embedding = of->role == LEARN_WTE || of->role == LEARN_WPE;
    const bool is_tied = of->role == LEARN_WTE && say.shape->tied; /* it also makes logits */
    size_t behind = 0;
    const struct learn_node *const node =
        learn_node_of_role(say.shape, is_tied ? LEARN_HEAD : of->role, &behind);
    say.layer = of->layer;
    say.row = lab_index_clamp(row, of->rows);
    say.column = lab_index_clamp(column, of->cols);
    const double slope = (double)learn_activations_weights_gradient(
        view->sentence)[of->offset + say.row * of->cols + say.column];
    const char *title = NULL;
    if (is_embedding) {
        put_embedding(&say, of->role == LEARN_WPE);
        put_text(&say, node != NULL ? " + " : "");
    }
    if (node != NULL) {
        title = put_weight(&say, node, behind);
    }
    return finish_explanation(&say, title != NULL ? title : tr(weight_titles[of->role]), slope);
}

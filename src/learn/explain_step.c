/* learn/explain_step.c — the loss of a position, and what a step of the optimiser makes of a
 * weight, number by number. */
#include <math.h>

#include "base/translate.h"
#include "lab/explain/formula.h"
#include "learn/explain.h"

enum { PIECES = 48, WEIGHT_DECIMALS = 4 };

static void put(struct lab_formula *formula, const char *text)
{
    lab_formula_text(formula, LAB_ROLE_NONE, text);
}

static int decimals_of(double value)
{
    const float one = (float)value;
    return learn_decimals(&one, 1, 1);
}

static void put_number(struct lab_formula *formula, double value)
{
    lab_formula_number(formula, LAB_ROLE_NONE, value, decimals_of(value));
}

static struct lab_explanation explanation(const struct lab_formula *formula, const char *title,
                                          const char *sentence)
{
    return (struct lab_explanation){.title = title == NULL ? "" : title,
                                    .piece = formula->piece,
                                    .pieces = formula->pieces,
                                    .sentence = sentence == NULL ? "" : sentence};
}

/* ---- the loss ------------------------------------------------------------------------------ */

struct lab_explanation learn_explain_loss(const struct learn_sentence *sentence, size_t position,
                                          const char *right, struct arena *arena)
{
    struct lab_formula formula = lab_formula_start(arena, PIECES);
    const size_t n = learn_sentence_count(sentence);
    const size_t row = position < n ? position : n - 1;
    const int32_t target = learn_sentence_targets(sentence)[row];
    if (target < 0) {
        return explanation(&formula, "", tr("Nothing is asked here: this place has no loss."));
    }
    const struct lab_matrix z = learn_sentence_part(sentence, LEARN_LOGITS, 0, 0);
    const struct lab_matrix p = learn_sentence_part(sentence, LEARN_P, 0, 0);
    const double share = (double)lab_matrix_at(&p, row, (size_t)target);
    const double logit = (double)lab_matrix_at(&z, row, (size_t)target);
    double most = -(double)INFINITY, sum = 0;
    for (size_t c = 0; c < z.cols; c++) {
        most = fmax(most, (double)lab_matrix_at(&z, row, c));
    }
    for (size_t c = 0; c < z.cols; c++) {
        sum += exp((double)lab_matrix_at(&z, row, c) - most);
    }
    put(&formula, "−log ");
    put_number(&formula, share);
    put(&formula, " = ");
    put_number(&formula, most + log(sum));
    put(&formula, logit < 0 ? " + " : " − ");
    put_number(&formula, fabs(logit));
    put(&formula, " = ");
    lab_formula_number(&formula, LAB_ROLE_RESULT, (double)learn_sentence_loss(sentence, row),
                       decimals_of((double)learn_sentence_loss(sentence, row)));
    return explanation(
        &formula,
        arena_format(arena, "loss = −log p(%s) = log Σ exp(logit) − logit(%s)", right, right),
        arena_format(arena, "The right word has %s %%; were it 100 %%, the loss here would be 0.",
                     lab_formula_digits(arena, 100 * share, 1)));
}

/* ---- a step -------------------------------------------------------------------------------- */

static double corrected(double value, double beta, uint64_t step)
{
    return value / (1 - pow(beta, (double)(step + 1)));
}

/* m and v, as they come from the gradient: "m̂ = 0.012, √v̂ = 0.015". */
static const char *went(struct arena *arena, const struct learn_weight_step *of, double by)
{
    const char *const change = lab_formula_digits(arena, fabs(by), decimals_of(by));
    if (by == 0) {
        return tr("The weight stays as it is.");
    }
    return by < 0
               ? arena_format(
                     arena,
                     of->gradient > 0
                         ? "The weight goes down by %s: a larger one makes the loss larger."
                         : "The weight goes down by %s, as the gradients before said.",
                     change)
               : arena_format(arena,
                              of->gradient < 0
                                  ? "The weight goes up by %s: a larger one makes the loss smaller."
                                  : "The weight goes up by %s, as the gradients before said.",
                              change);
}

static void put_adamw(struct lab_formula *formula, const struct learn_weight_step *of, double rate)
{
    const struct learn_optimiser *const how = of->optimiser;
    const double m = corrected((double)of->m, (double)how->beta1, of->step);
    const double v = corrected((double)of->v, (double)how->beta2, of->step);
    lab_formula_number(formula, LAB_ROLE_NONE, (double)of->before, WEIGHT_DECIMALS);
    put(formula, " − ");
    put_number(formula, rate);
    put(formula, " · (");
    put_number(formula, m);
    put(formula, " ÷ (√");
    put_number(formula, v);
    put(formula, " + ε)");
    if (of->decays && how->weight_decay > 0) {
        put(formula, " + ");
        put_number(formula, (double)how->weight_decay);
        put(formula, " · ");
        lab_formula_number(formula, LAB_ROLE_NONE, (double)of->before, WEIGHT_DECIMALS);
    }
    put(formula, ")");
}

static void put_sgd(struct lab_formula *formula, const struct learn_weight_step *of, double rate)
{
    lab_formula_number(formula, LAB_ROLE_NONE, (double)of->before, WEIGHT_DECIMALS);
    put(formula, " − ");
    put_number(formula, rate);
    put(formula, " · ");
    put_number(formula, (double)of->m);
}

struct lab_explanation learn_explain_step(const struct learn_weight_step *of, struct arena *arena)
{
    struct lab_formula formula = lab_formula_start(arena, PIECES);
    const double rate = (double)learn_optimiser_rate(of->optimiser, of->step);
    const double by = (double)of->after - (double)of->before;
    const bool sgd = of->optimiser->method == LEARN_SGD;
    const bool decays = of->decays && of->optimiser->weight_decay > 0;
    if (sgd) {
        put_sgd(&formula, of, rate);
    } else {
        put_adamw(&formula, of, rate);
    }
    put(&formula, " = ");
    lab_formula_number(&formula, LAB_ROLE_RESULT, (double)of->after, WEIGHT_DECIMALS);
    return explanation(&formula,
                       sgd      ? "w ← w − η · v"
                       : decays ? "w ← w − η · ( m̂ ÷ (√v̂ + ε) + λ · w )"
                                : "w ← w − η · m̂ ÷ (√v̂ + ε)",
                       went(arena, of, by));
}

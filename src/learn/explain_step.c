/* learn/explain_step.c — explains the loss of a position, and the effect of an optimiser's step on
 * a weight, number by number. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/explain/formula.h"
#include "lab/run/sample.h"
#include "learn/explain.h"

enum { PIECES = 48, WEIGHT_DECIMALS = 4 };

static void put_text(struct lab_formula *formula, const char *text)
{
    lab_formula_text(formula, LAB_ROLE_NONE, text);
}

/* ---- the loss ------------------------------------------------------------------------------ */

/* Returns how many decimals keep a share below 1 from reading as 100 %. */
static int below_hundred(double percent)
{
    int decimals = 1;
    while (decimals < 6 && percent < 100 && 100 - percent < 0.5 * pow(10, -decimals)) {
        decimals++;
    }
    return decimals;
}

struct lab_explanation learn_explain_loss(const struct learn_activations *sentence, size_t position,
                                          const char *right, struct arena *arena)
{
    struct lab_formula formula = lab_formula_start(arena, PIECES);
    const size_t n = learn_activations_count(sentence);
    const size_t row = position < n ? position : n - 1;
    const int32_t target = learn_activations_targets(sentence)[row];
    if (target < 0) {
        return lab_formula_explanation(&formula, "",
                                       tr("Nothing is asked here: this place has no loss."));
    }
    const struct lab_matrix z = learn_activations_part(sentence, LEARN_LOGITS, 0, 0);
    const struct lab_matrix p = learn_activations_part(sentence, LEARN_P, 0, 0);
    const double share = (double)lab_matrix_at(&p, row, (size_t)target);
    const double logit = (double)lab_matrix_at(&z, row, (size_t)target);
    lab_formula_spell(&formula, LAB_SIZED, "−log %n = %n%-n = %r",
                      (const double[]){share, lab_log_sum(z.values + row * z.stride, z.cols), logit,
                                       (double)learn_activations_loss(sentence, row)});
    return lab_formula_explanation(
        &formula,
        arena_format(arena, "loss = −log p(%s) = log Σ exp(logit) − logit(%s)", right, right),
        arena_format(arena, "The right word has %s %%; were it 100 %%, the loss here would be 0.",
                     lab_formula_digits(arena, 100 * share, below_hundred(100 * share))));
}

struct lab_explanation learn_explain_share(const struct learn_activations *sentence,
                                           size_t position, size_t id, const char *word,
                                           struct arena *arena)
{
    struct lab_formula formula = lab_formula_start(arena, PIECES);
    const struct lab_matrix z = learn_activations_part(sentence, LEARN_LOGITS, 0, 0);
    const struct lab_matrix p = learn_activations_part(sentence, LEARN_P, 0, 0);
    const double share = (double)lab_matrix_at(&p, position, id);
    lab_formula_spell(&formula, 3, "exp(%o%-n",
                      (const double[]){(double)lab_matrix_at(&z, position, id),
                                       lab_log_sum(z.values + position * z.stride, z.cols)});
    lab_formula_spell(&formula, LAB_SIZED, ") = %r", &share);
    return lab_formula_explanation(
        &formula,
        arena_format(arena, "p(%s) = exp(logit) ÷ Σ exp(logit) = exp(logit − log Σ exp(logit))",
                     word),
        arena_format(arena, "Of all %zu words “%s” has %s %%.", z.cols, word,
                     lab_formula_digits(arena, 100 * share, 1)));
}

/* ---- a step -------------------------------------------------------------------------------- */

static const char *format_digits(struct arena *arena, double value)
{
    return lab_formula_digits(arena, value, LAB_SIZED);
}

/* Formats numbers like "0.0123", and smaller ones like "4.56·10⁻⁵". */
static const char *format_compact(struct arena *arena, double value)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const double size = fabs(value);
    if (size == 0 || size >= 0.001) {
        return format_digits(arena, value);
    }
    int exponent = (int)floor(log10(size));
    const double leading = round(size / pow(10, exponent) * 100) / 100;
    exponent += leading >= 10;
    return exponent < -99 ? "0"
                          : arena_format(arena, "%s%s·10⁻%s%s", value < 0 ? "−" : "",
                                         lab_formula_digits(arena, leading >= 10 ? 1 : leading, 2),
                                         exponent <= -10 ? raised[-exponent / 10] : "",
                                         raised[-exponent % 10]);
}

/* Returns 1 − β^(s + 1), the share that m and v lack because they began at 0. */
static double bias_correction(double beta, uint64_t step)
{
    return 1 - pow(beta, (double)(step + 1));
}

/* Says how the weight changed and why. */
static const char *describe_change(struct arena *arena, const struct learn_weight_step *of,
                                   double by)
{
    const bool against = of->gradient * by < 0;
    const char *const change = format_digits(arena, fabs(by));
    if (of->frozen) {
        return tr("This weight is frozen: it stays as it is.");
    }
    if (of->now != of->after) {
        return arena_format(arena, "Then a hand has set it to %s.",
                            lab_formula_digits(arena, (double)of->now, WEIGHT_DECIMALS));
    }
    if (by == 0) {
        return tr("The weight stays as it is.");
    }
    return arena_format(
        arena,
        by < 0 ? against ? "The weight goes down by %s: a larger one makes the batch’s loss larger."
                         : "The weight goes down by %s, as the gradients before said."
        : against ? "The weight goes up by %s: a larger one makes the batch’s loss smaller."
                  : "The weight goes up by %s, as the gradients before said.",
        change);
}

static void put_adamw(struct lab_formula *formula, const struct learn_weight_step *of)
{
    const struct learn_optimiser *const how = of->optimiser;
    const double m = (double)of->m / bias_correction((double)how->beta1, of->step);
    const double root = sqrt((double)of->v / bias_correction((double)how->beta2, of->step));
    lab_formula_spell(formula, LAB_SIZED, "(%k ÷ (%o + ε)", (const double[]){m, root});
    if (of->decays && how->weight_decay > 0) {
        const double before = (double)of->before;
        lab_formula_spell(formula, WEIGHT_DECIMALS,
                          arena_format(formula->arena, " + %g · %%q", (double)how->weight_decay),
                          &before);
    }
    put_text(formula, ")");
}

/* Formats "m̂ = (0.9 · 0.0389 + 0.1 · g) ÷ 0.998 = 0.0391"; g is only named, since it was shown
 * before. */
static const char *format_average(struct arena *arena, const char *name, double beta, double before,
                                  const char *taken, double after, uint64_t step)
{
    const double lacks = bias_correction(beta, step);
    const char *const divided =
        lacks < 0.9995 ? arena_format(arena, " ÷ %s", lab_formula_digits(arena, lacks, 3)) : "";
    return arena_format(arena, "%s = %s%g · %s + %g · %s%s%s = %s", name, *divided != 0 ? "(" : "",
                        beta, format_compact(arena, before), round(1e6 * (1 - beta)) / 1e6, taken,
                        *divided != 0 ? ")" : "", divided, format_compact(arena, after / lacks));
}

/* Formats the numbers between the batch's gradient and the step. */
static const char *detail_of(struct arena *arena, const struct learn_weight_step *of)
{
    const struct learn_optimiser *const how = of->optimiser;
    const double taken = (double)of->gradient * (double)of->scale;
    const char *const g =
        of->scale < 1
            ? arena_format(arena, tr("g = %s · %s (clipped) = %s"),
                           format_compact(arena, (double)of->gradient),
                           format_digits(arena, (double)of->scale), format_compact(arena, taken))
            : arena_format(arena, "g = %s", format_compact(arena, taken));
    if (how->method == LEARN_SGD) {
        return how->momentum > 0
                   ? arena_format(arena, "%s;  v = %g · %s + g = %s", g, (double)how->momentum,
                                  format_compact(arena, (double)of->m_before),
                                  format_compact(arena, (double)of->m))
                   : g;
    }
    /* β is shown as it is written, 0.9, not as the nearest float. */
    const double beta1 = round(1e6 * (double)how->beta1) / 1e6;
    const double beta2 = round(1e6 * (double)how->beta2) / 1e6;
    return arena_format(
        arena, "%s;  %s;  %s", g,
        format_average(arena, "m̂", beta1, (double)of->m_before, "g", (double)of->m, of->step),
        format_average(arena, "v̂", beta2, (double)of->v_before, "g²", (double)of->v, of->step));
}

static const char *rule_of(const struct learn_weight_step *of)
{
    return of->frozen                                      ? "w"
           : of->optimiser->method == LEARN_SGD            ? "w − η · v"
           : of->decays && of->optimiser->weight_decay > 0 ? "w − η · ( m̂ ÷ (√v̂ + ε) + λ · w )"
                                                           : "w − η · m̂ ÷ (√v̂ + ε)";
}

struct lab_explanation learn_explain_step(const struct learn_weight_step *of, struct arena *arena)
{
    struct lab_formula formula = lab_formula_start(arena, PIECES);
    const double before = (double)of->before, after = (double)of->after;
    lab_formula_spell(&formula, WEIGHT_DECIMALS, "%q", &before);
    if (!of->frozen) {
        const double rate = (double)learn_optimiser_rate(of->optimiser, of->step);
        put_text(&formula, " − ");
        put_text(&formula, arena_format(arena, "%.3g", rate));
        put_text(&formula, " · ");
        if (of->optimiser->method == LEARN_SGD) {
            lab_formula_number(&formula, LAB_ROLE_KEY, (double)of->m, LAB_SIZED);
        } else {
            put_adamw(&formula, of);
        }
    }
    lab_formula_spell(&formula, WEIGHT_DECIMALS, " = %r", &after);
    char from[TEXT_NUMBER_MAX], to[TEXT_NUMBER_MAX];
    struct lab_explanation made =
        lab_formula_explanation(&formula,
                                arena_format(arena, tr("%s from step %s to %s: %s"), of->name,
                                             text_count(from, (size_t)of->step),
                                             text_count(to, (size_t)of->step + 1), rule_of(of)),
                                describe_change(arena, of, after - before));
    made.detail = of->frozen ? NULL : detail_of(arena, of);
    return made;
}

struct lab_explanation learn_explain_change(const char *name, uint64_t from, uint64_t to, float was,
                                            float is, struct arena *arena)
{
    struct lab_formula formula = lab_formula_start(arena, PIECES);
    const double by = (double)is - (double)was;
    char then[TEXT_NUMBER_MAX], before[TEXT_NUMBER_MAX];
    const float operands[] = {was, is};
    const float change = (float)by;
    const int own = lab_decimals_by_size(operands, 2, 1),
              more = lab_decimals_by_size(&change, 1, 1);
    lab_formula_spell(&formula, more > own ? more : own, "%n%-n = %r",
                      (const double[]){(double)is, (double)was, by});
    return lab_formula_explanation(
        &formula,
        arena_format(arena, tr("Δ %s = its value at step %s − that at step %s"), name,
                     text_count(then, (size_t)to), text_count(before, (size_t)from)),
        by == 0  ? tr("It has not changed.")
        : by > 0 ? arena_format(arena, "It has grown by %s.", format_digits(arena, by))
                 : arena_format(arena, "It has become less by %s.", format_digits(arena, -by)));
}

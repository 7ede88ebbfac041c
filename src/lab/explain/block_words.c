/* Spells out the numbers around attention. */
#include "lab/explain/block_words.h"

#include <math.h>

#include "base/translate.h"
#include "lab/explain/explain_internal.h"

enum { DECIMALS = 3, PIECES = 24 };

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

struct lab_block_place lab_block_clamp(const struct lab_block *block, struct lab_block_place at)
{
    const struct lab_block_facts facts = lab_block_facts(block);
    at.step = at.step < facts.steps ? at.step : facts.steps - 1;
    at.row = at.row < facts.n ? at.row : facts.n - 1;
    const size_t cols = lab_block_step(block, at.step)->cols;
    at.column = at.column < cols ? at.column : cols - 1;
    return at;
}

const char *lab_block_rule(const struct lab_block *block, size_t step, struct arena *arena)
{
    const struct lab_block_step *const s = lab_block_step(block, step);
    const char *const a =
        s->of[0] == LAB_BLOCK_NOTHING ? "" : lab_block_step(block, s->of[0])->sign;
    const char *const b =
        s->of[1] == LAB_BLOCK_NOTHING ? "" : lab_block_step(block, s->of[1])->sign;
    const char *const bias = s->bias != NULL ? tr(" + bias") : "";
    const char *const gain = s->gain != NULL ? tr(" · gain") : "";
    switch (s->op) {
    case LAB_SUM:
        return or_empty(arena_format(arena, "%s + %s", a, b));
    case LAB_NORM:
        return or_empty(
            s->centred ? arena_format(arena, "(%s − mean) ÷ √(variance + ε)%s%s", a, gain, bias)
                       : arena_format(arena, "%s ÷ √(mean of squares + ε)%s%s", a, gain, bias));
    case LAB_PRODUCT:
        return or_empty(arena_format(arena, "%s · %s%s", a, s->weights, bias));
    case LAB_ACTIVATE:
        return or_empty(arena_format(arena, "%s( %s )", s->function, a));
    case LAB_GATE:
        return or_empty(arena_format(arena, "%s · %s, number by number", a, b));
    case LAB_ACTIVATED_GATE:
        return or_empty(arena_format(arena, "%s( %s ) · %s", s->function, a, b));
    case LAB_TURN:
        return or_empty(arena_format(arena, "%s, turned by the word’s place", a));
    case LAB_BESIDE:
        return or_empty(arena_format(arena, "%s, then %s", a, b));
    case LAB_MIX_EXPERTS:
        return or_empty(
            arena_format(arena, "Σ %s · expert%s", a, s->asked.common ? tr(" + shared") : ""));
    default:
        return tr(s->what);
    }
}

const char *lab_block_short_rule(const struct lab_block *block, size_t step, struct arena *arena)
{
    const struct lab_block_step *const s = lab_block_step(block, step);
    const char *const a =
        s->of[0] == LAB_BLOCK_NOTHING ? "" : lab_block_step(block, s->of[0])->sign;
    return s->op == LAB_NORM   ? or_empty(arena_format(arena, "norm of %s", a))
           : s->op == LAB_TURN ? or_empty(arena_format(arena, "%s turned", a))
           : s->op == LAB_GATE
               ? or_empty(arena_format(arena, "%s · %s", a, lab_block_step(block, s->of[1])->sign))
               : lab_block_rule(block, step, arena);
}

/* Returns the number of a step at the word of the place. */
static float number_at(const struct lab_block *block, size_t step, const struct lab_block_place *at)
{
    const struct lab_block_step *const s = lab_block_step(block, step);
    return s->values[at->row * s->cols + at->column];
}

static void put_number(struct lab_formula *formula, enum lab_role role, double value)
{
    lab_formula_number(formula, role, value, DECIMALS);
}

static void put_text(struct lab_formula *formula, const char *text)
{
    lab_formula_text(formula, LAB_ROLE_NONE, text);
}

/* Adds a number, with its sign as the operator. */
static void put_signed_number(struct lab_formula *formula, enum lab_role role, double value)
{
    put_text(formula, value < 0 ? " − " : " + ");
    put_number(formula, role, fabs(value));
}

static void put_operands(struct lab_formula *formula, const struct lab_block *block,
                         const struct lab_block_place *at)
{
    const struct lab_block_step *const s = lab_block_step(block, at->step);
    const double right = (double)number_at(block, s->of[1], at);
    put_number(formula, LAB_ROLE_X, (double)number_at(block, s->of[0], at));
    if (s->op == LAB_SUM) {
        put_signed_number(formula, LAB_ROLE_VALUE, right);
    } else {
        put_text(formula, " · ");
        put_number(formula, LAB_ROLE_VALUE, right);
    }
}

static void put_norm(struct lab_formula *formula, const struct lab_block *block,
                     const struct lab_block_place *at)
{
    const struct lab_block_step *const s = lab_block_step(block, at->step);
    double mean = 0, root = 1;
    lab_block_norm_of(block, at->step, at->row, at->column, &mean, &root);
    put_text(formula, s->centred ? "( " : "");
    put_number(formula, LAB_ROLE_X, (double)number_at(block, s->of[0], at));
    if (s->centred) {
        put_signed_number(formula, LAB_ROLE_KEY, -mean);
        put_text(formula, " )");
    }
    put_text(formula, " ÷ ");
    put_number(formula, LAB_ROLE_KEY, root);
    if (s->gain != NULL) {
        put_text(formula, " · ");
        put_number(formula, LAB_ROLE_VALUE, lab_block_gain(block, at->step, at->column));
    }
    if (s->bias != NULL) {
        put_signed_number(formula, LAB_ROLE_VALUE, lab_block_bias(block, at->step, at->column));
    }
}

static bool put_product(struct lab_formula *formula, const struct lab_block *block,
                        const struct lab_block_place *at, size_t max_terms)
{
    const struct lab_block_step *const s = lab_block_step(block, at->step);
    const struct lab_block_step *const of = lab_block_step(block, s->of[0]);
    float *const column = arena_array(formula->arena, of->cols, sizeof *column);
    if (column == NULL) {
        return false;
    }
    lab_block_column(block, at->step, at->column, column);
    const struct lab_sum sum = {
        .left = {of->values + at->row * of->cols, 1, LAB_ROLE_X, DECIMALS, {.known = false}},
        .right = {column, 1, LAB_ROLE_VALUE, DECIMALS, {.known = false}},
        .count = of->cols,
        .added = {s->bias == NULL ? NULL : s->bias + at->column,
                  0,
                  LAB_ROLE_VALUE,
                  DECIMALS,
                  {.known = false}}};
    lab_formula_sum(formula, &sum, max_terms);
    return true;
}

/* Adds a turned pair: both of its numbers, each with its factor. */
static void put_turned(struct lab_formula *formula, const struct lab_block *block,
                       const struct lab_block_place *at)
{
    const struct lab_block_step *const s = lab_block_step(block, at->step);
    const double own = (double)number_at(block, s->of[0], at);
    struct lab_block_pair pair;
    if (!lab_block_pair_of(block, at->step, at->row, at->column, &pair)) {
        put_number(formula, LAB_ROLE_X, own);
        return;
    }
    const struct lab_block_place other = {at->step, at->row, pair.other};
    put_text(formula, "(");
    put_number(formula, LAB_ROLE_KEY, pair.cosine);
    put_text(formula, "·");
    put_number(formula, LAB_ROLE_X, own);
    put_text(formula, ") + (");
    put_number(formula, LAB_ROLE_KEY, pair.sine);
    put_text(formula, "·");
    put_number(formula, LAB_ROLE_X, (double)number_at(block, s->of[0], &other));
    put_text(formula, ")");
}

static void put_source(struct lab_formula *formula, const struct lab_block *block,
                       const struct lab_block_place *at)
{
    size_t column = 0;
    const size_t step = lab_block_beside(block, at->step, at->column, &column);
    put_text(formula, lab_block_step(block, step)->sign);
    put_text(formula, " ");
    put_number(formula, LAB_ROLE_X,
               (double)number_at(block, step, &(struct lab_block_place){step, at->row, column}));
}

/* Adds share times output for every chosen expert, and the output of the shared one as the rest. */
static bool put_expert_mix(struct lab_formula *formula, const struct lab_block *block,
                           const struct lab_block_place *at, size_t max_terms)
{
    const struct lab_block_step *const s = lab_block_step(block, at->step);
    const struct lab_block_step *const shares = lab_block_step(block, s->of[0]);
    const size_t count = s->asked.count;
    const float *const said = s->asked.said + at->row * count * s->cols + at->column;
    float *const share = arena_array(formula->arena, count, sizeof *share);
    float *const rest = arena_alloc(formula->arena, sizeof *rest);
    if (share == NULL || rest == NULL) {
        return false;
    }
    *rest = number_at(block, at->step, at);
    for (size_t e = 0; e < count; e++) {
        share[e] = shares->values[at->row * shares->cols + s->asked.expert[at->row * count + e]];
        *rest -= share[e] * said[e * s->cols];
    }
    const struct lab_sum sum = {
        .left = {share, 1, LAB_ROLE_X, DECIMALS, {.known = false}},
        .right = {said, s->cols, LAB_ROLE_VALUE, DECIMALS, {.known = false}},
        .count = count,
        .added = {s->asked.common ? rest : NULL, 0, LAB_ROLE_VALUE, DECIMALS, {.known = false}}};
    lab_formula_sum(formula, &sum, max_terms);
    return true;
}

/* ---- sentences ------------------------------------------------------------------------------- */

static const char *norm_sentence(const struct lab_block *block, const char *word,
                                 const struct lab_block_place *at, struct arena *arena)
{
    const struct lab_block_step *const s = lab_block_step(block, at->step);
    double mean = 0, root = 1;
    lab_block_norm_of(block, at->step, at->row, at->column, &mean, &root);
    if (s->centred && s->together > 0) {
        return arena_format(arena,
                            "The %zu numbers of this head, for %s, lose their mean (%.3f) and are "
                            "divided by %.3f: only their pattern is left.",
                            s->together, word, mean, root);
    }
    if (s->centred) {
        return arena_format(arena,
                            "All %zu numbers of %s lose their mean (%.3f) and are divided by "
                            "%.3f: only their pattern is left.",
                            s->cols, word, mean, root);
    }
    return s->together > 0
               ? arena_format(arena,
                              "The %zu numbers of this head, for %s, are divided by %.3f, the root "
                              "of the mean of their squares.",
                              s->together, word, root)
           : s->parts > 0
               ? arena_format(arena,
                              "All %zu numbers of %s, those of all heads together, are divided by "
                              "%.3f, the root of the mean of their squares.",
                              s->cols, word, root)
               : arena_format(arena,
                              "All %zu numbers of %s are divided by %.3f, the root of the mean "
                              "of their squares.",
                              s->cols, word, root);
}

static const char *product_sentence(const struct lab_block *block, const char *word,
                                    const struct lab_block_place *at, struct arena *arena)
{
    const struct lab_block_facts facts = lab_block_facts(block);
    const struct lab_block_step *const s = lab_block_step(block, at->step);
    if (at->step == facts.out) {
        return arena_format(arena,
                            "Every neuron writes its own row of %s into %s, as strongly as it is "
                            "active.",
                            s->weights, word);
    }
    switch (s->column) {
    case LAB_BLOCK_COLUMN_NEURON:
        return arena_format(arena, "One neuron of %zu: how well %s fits its column of %s.", s->cols,
                            word, s->weights);
    case LAB_BLOCK_COLUMN_EXPERT:
        return arena_format(arena, "One expert of %zu: how well %s fits its column of %s.", s->cols,
                            word, s->weights);
    case LAB_BLOCK_COLUMN_NUMBER:
        break;
    }
    return arena_format(arena, "%s of %s times a column of %s, summed: %s.",
                        lab_block_step(block, s->of[0])->sign, word, s->weights, tr(s->what));
}

/* Names the experts that were chosen. */
static const char *expert_sentence(const struct lab_block *block, const char *word,
                                   const struct lab_block_place *at, struct arena *arena)
{
    const struct lab_block_step *const s = lab_block_step(block, at->step);
    const size_t all = lab_block_step(block, s->of[0])->cols;
    const char *list = "";
    for (size_t e = 0; e < s->asked.count; e++) {
        list = or_empty(arena_format(arena, "%s%s%zu", list, e == 0 ? "" : ", ",
                                     s->asked.expert[at->row * s->asked.count + e]));
    }
    return s->asked.common
               ? arena_format(arena,
                              "Of %zu experts the router chose %s for %s: each one’s number by its "
                              "share, and that of the expert all words ask.",
                              all, list, word)
               : arena_format(arena,
                              "Of %zu experts the router chose %s for %s: each one’s number by its "
                              "share.",
                              all, list, word);
}

/* Says what the number means and where it goes. */
static const char *sentence_of(const struct lab_block *block, const char *word,
                               const struct lab_block_place *at, struct arena *arena)
{
    const struct lab_block_facts facts = lab_block_facts(block);
    const struct lab_block_step *const s = lab_block_step(block, at->step);
    struct lab_block_pair pair;
    size_t from = 0;
    switch (s->op) {
    case LAB_NORM:
        return norm_sentence(block, word, at, arena);
    case LAB_SUM:
        return at->step + 1 == facts.steps && facts.layer + 1 < facts.layers
                   ? arena_format(arena, "This is what layer L%zu reads of %s.", facts.layer + 1,
                                  word)
                   : arena_format(arena,
                                  "Added number by number: nothing of %s is lost, something is "
                                  "written on top.",
                                  word);
    case LAB_PRODUCT:
        return product_sentence(block, word, at, arena);
    case LAB_ACTIVATE:
        return arena_format(arena, "What is far below 0 is silenced: that is what makes a neuron.");
    case LAB_GATE:
    case LAB_ACTIVATED_GATE:
        return arena_format(arena, "The gate lets through as much of it as it is open.");
    case LAB_TURN:
        return lab_block_pair_of(block, at->step, at->row, at->column, &pair)
                   ? arena_format(arena,
                                  "Two numbers of %s turn together, as far as its place says: that "
                                  "is where cosine and sine come from.",
                                  word)
                   : arena_format(arena, "This number of %s does not turn: it stays as it was.",
                                  word);
    case LAB_BESIDE:
        return lab_block_beside(block, at->step, at->column, &from) == s->of[0]
                   ? arena_format(arena, "From the part of %s that is this head’s own.", word)
                   : arena_format(arena,
                                  "From the part of %s that turns: it is the same for all heads.",
                                  word);
    case LAB_MIX_EXPERTS:
        return expert_sentence(block, word, at, arena);
    default:
        break;
    }
    return arena_format(arena, "%s, for %s.", tr(s->what), word);
}

struct lab_explanation lab_block_explain(const struct lab_block *block, const char *const *words,
                                         struct lab_block_place at, size_t max_terms,
                                         struct arena *arena)
{
    at = lab_block_clamp(block, at);
    const struct lab_block_step *const s = lab_block_step(block, at.step);
    const char *const word = lab_quoted(arena, lab_topic_word(arena, words[at.row]));
    struct lab_formula formula = lab_formula_start(arena, lab_formula_room(max_terms) + PIECES);
    bool spelled = true;
    switch (s->op) {
    case LAB_SUM:
    case LAB_GATE:
        put_operands(&formula, block, &at);
        break;
    case LAB_NORM:
        put_norm(&formula, block, &at);
        break;
    case LAB_PRODUCT:
        spelled = put_product(&formula, block, &at, max_terms);
        break;
    case LAB_ACTIVATE:
        put_text(&formula, s->function);
        put_text(&formula, "( ");
        put_number(&formula, LAB_ROLE_X, (double)number_at(block, s->of[0], &at));
        put_text(&formula, " )");
        break;
    case LAB_ACTIVATED_GATE:
        put_text(&formula, s->function);
        put_text(&formula, "( ");
        put_number(&formula, LAB_ROLE_X, (double)number_at(block, s->of[0], &at));
        put_text(&formula, " ) · ");
        put_number(&formula, LAB_ROLE_VALUE, (double)number_at(block, s->of[1], &at));
        break;
    case LAB_TURN:
        put_turned(&formula, block, &at);
        break;
    case LAB_BESIDE:
        put_source(&formula, block, &at);
        break;
    case LAB_MIX_EXPERTS:
        spelled = put_expert_mix(&formula, block, &at, max_terms);
        break;
    default:
        spelled = false;
        break;
    }
    put_text(&formula, spelled ? " = " : "");
    put_number(&formula, LAB_ROLE_RESULT, (double)number_at(block, at.step, &at));
    const size_t part = s->cols / (s->parts > 0 ? s->parts : 1);
    struct lab_block_pair pair;
    const bool stays =
        s->op == LAB_TURN && !lab_block_pair_of(block, at.step, at.row, at.column, &pair);
    const char *const rule =
        stays ? lab_block_step(block, s->of[0])->sign : lab_block_rule(block, at.step, arena);
    const char *const title =
        arena_format(arena, "%s( %s, %zu ) = %s", s->sign, words[at.row],
                     at.column % part + (s->column == LAB_BLOCK_COLUMN_NUMBER), rule);
    return lab_formula_explanation(&formula, title, sentence_of(block, or_empty(word), &at, arena));
}

static double length_of(const struct lab_block *block, size_t step, size_t row)
{
    const struct lab_block_step *const s = lab_block_step(block, step);
    double sum = 0;
    for (size_t c = 0; c < s->cols; c++) {
        const double value = (double)s->values[row * s->cols + c];
        sum += value * value;
    }
    return sqrt(sum);
}

const char *lab_block_describe(const struct lab_block *block, const char *const *words, size_t row,
                               struct arena *arena)
{
    const struct lab_block_facts facts = lab_block_facts(block);
    row = row < facts.n ? row : facts.n - 1;
    const char *const word = or_empty(lab_quoted(arena, lab_topic_word(arena, words[row])));
    const char *text = or_empty(
        arena_format(arena, "Around the attention of layer L%zu, for %s.", facts.layer, word));
    for (size_t s = 0; s < facts.steps; s++) {
        const struct lab_block_step *const step = lab_block_step(block, s);
        if (!lab_block_is_at(block, s, LAB_BLOCK_AT_BLOCK)) {
            continue;
        }
        text = or_empty(arena_format(arena, tr("%s %s (%s): %zu numbers of length %.3f."), text,
                                     tr(step->what), lab_block_rule(block, s, arena), step->cols,
                                     length_of(block, s, row)));
    }
    size_t count = 0;
    const struct lab_block_neuron *const neuron = lab_block_neurons(block, row, &count);
    for (size_t k = 0; k < count; k++) {
        text = or_empty(arena_format(
            arena, k == 0 ? tr("%s The neurons that add most: %zu (%.3f)") : "%s, %zu (%.3f)", text,
            neuron[k].neuron, (double)neuron[k].length));
    }
    text = count == 0 ? text : or_empty(arena_format(arena, "%s.", text));
    const struct lab_block_word *const next = lab_block_words(block, row, &count);
    for (size_t k = 0; k < count; k++) {
        text = or_empty(arena_format(
            arena, k == 0 ? tr("%s The likeliest next words: %s %.1f %%") : "%s, %s %.1f %%", text,
            lab_quoted(arena, next[k].word), next[k].share * 100));
    }
    return count == 0 ? text : or_empty(arena_format(arena, "%s.", text));
}

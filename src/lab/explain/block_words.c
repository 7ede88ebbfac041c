/* Spells out the numbers around attention. */
#include "lab/explain/block_words.h"

#include <math.h>

#include "base/translate.h"
#include "lab/explain/explain_internal.h"

enum { DECIMALS = 3, PIECES = 24 };

struct lab_block_place lab_block_clamp(const struct lab_block *block, struct lab_block_place at)
{
    const struct lab_block_facts facts = lab_block_facts(block);
    at.step = at.step < facts.steps ? at.step : facts.steps - 1;
    at.row = at.row < facts.n ? at.row : facts.n - 1;
    const size_t cols = lab_block_step(block, at.step)->cols;
    at.column = at.column < cols ? at.column : cols - 1;
    return at;
}

static const struct lab_block_step *operand_of(const struct lab_block *block,
                                               const struct lab_block_step *step, size_t which)
{
    return step->of[which] == LAB_BLOCK_NOTHING ? NULL : lab_block_step(block, step->of[which]);
}

const char *lab_block_rule(const struct lab_block *block, size_t step, struct arena *arena)
{
    const struct lab_block_step *const s = lab_block_step(block, step);
    const struct lab_block_step *const left = operand_of(block, s, 0), *const right =
                                                                           operand_of(block, s, 1);
    const char *const a = left == NULL ? "" : left->sign;
    const char *const b = right == NULL ? "" : right->sign;
    const char *const bias = s->bias != NULL ? tr(" + bias") : "";
    const char *const gain = s->gain != NULL ? tr(" · gain") : "";
    switch (s->op) {
    case LAB_SUM:
        return arena_words(arena, "%s + %s", a, b);
    case LAB_NORM:
        return arena_words(arena,
                           s->centred ? "(%s − mean) ÷ √(variance + ε)%s%s"
                                      : "%s ÷ √(mean of squares + ε)%s%s",
                           a, gain, bias);
    case LAB_PRODUCT:
        return arena_words(arena, "%s · %s%s", a, s->weights, bias);
    case LAB_ACTIVATE:
        return arena_words(arena, "%s( %s )", s->function, a);
    case LAB_GATE:
        return arena_words(arena, "%s · %s, number by number", a, b);
    case LAB_ACTIVATED_GATE:
        return arena_words(arena, "%s( %s ) · %s", s->function, a, b);
    case LAB_TURN:
        return arena_words(arena, "%s, turned by the word’s place", a);
    case LAB_BESIDE:
        return arena_words(arena, "%s, then %s", a, b);
    case LAB_MIX_EXPERTS:
        return arena_words(arena, "Σ %s · expert%s", a, s->asked.common ? tr(" + shared") : "");
    default:
        return tr(s->what);
    }
}

const char *lab_block_short_rule(const struct lab_block *block, size_t step, struct arena *arena)
{
    const struct lab_block_step *const s = lab_block_step(block, step);
    return s->op == LAB_NORM   ? arena_words(arena, "norm of %s", operand_of(block, s, 0)->sign)
           : s->op == LAB_TURN ? arena_words(arena, "%s turned", operand_of(block, s, 0)->sign)
           : s->op == LAB_GATE ? arena_words(arena, "%s · %s", operand_of(block, s, 0)->sign,
                                             operand_of(block, s, 1)->sign)
                               : lab_block_rule(block, step, arena);
}

/* A number that is spelled out, and the steps that it is made of. */
struct spelling {
    const struct lab_block *block;
    const struct lab_block_step *step, *left, *right; /* NULL: it is made of no such step */
    struct lab_block_place at;
    const char *word; /* quoted */
    struct lab_block_pair pair;
    bool turns;        /* into the pair */
    double mean, root; /* of a norm */
    size_t max_terms;
    struct lab_formula formula;
    struct arena *arena;
};

static struct spelling spelling_of(const struct lab_block *block, const char *const *words,
                                   struct lab_block_place at, size_t max_terms, struct arena *arena)
{
    const struct lab_block_step *const step = lab_block_step(block, at.step);
    struct spelling say = {
        .block = block,
        .step = step,
        .left = operand_of(block, step, 0),
        .right = operand_of(block, step, 1),
        .at = at,
        .word = lab_quoted(arena, lab_topic_word(arena, words[at.row])),
        .max_terms = max_terms,
        .formula = lab_formula_start(arena, lab_formula_room(max_terms) + PIECES),
        .arena = arena,
    };
    if (step->op == LAB_NORM) {
        lab_block_norm_of(block, at.step, at.row, at.column, &say.mean, &say.root);
    }
    say.turns =
        step->op == LAB_TURN && lab_block_pair_of(block, at.step, at.row, at.column, &say.pair);
    return say;
}

/* Returns the number of a step at the word; 0: there is no such step. */
static double number_of(const struct spelling *say, const struct lab_block_step *step,
                        size_t column)
{
    return step == NULL ? 0 : (double)step->values[say->at.row * step->cols + column];
}

static void spell_pattern(struct spelling *say, const char *pattern, const double *values)
{
    lab_formula_spell(&say->formula, DECIMALS, pattern, values);
}

static void spell_norm(struct spelling *say)
{
    const size_t column = say->at.column;
    const double centred[] = {number_of(say, say->left, column), -say->mean};
    const double scaled[] = {say->root, lab_block_gain(say->block, say->at.step, column)};
    const double bias = lab_block_bias(say->block, say->at.step, column);
    spell_pattern(say, say->step->centred ? "( %x%+k )" : "%x", centred);
    spell_pattern(say, say->step->gain != NULL ? " ÷ %k · %v" : " ÷ %k", scaled);
    spell_pattern(say, say->step->bias != NULL ? "%+v" : "", &bias);
}

/* Adds a sum of products of numbers of the left operand and others, and one number more. */
static void spell_sum(struct spelling *say, const float *left, const float *right, size_t step,
                      size_t count, const float *added)
{
    const struct lab_sum sum = {.left = {left, 1, LAB_ROLE_X, DECIMALS, {.known = false}},
                                .right = {right, step, LAB_ROLE_VALUE, DECIMALS, {.known = false}},
                                .count = count,
                                .added = {added, 0, LAB_ROLE_VALUE, DECIMALS, {.known = false}}};
    if (left != NULL && right != NULL) {
        lab_formula_sum(&say->formula, &sum, say->max_terms);
    }
}

static void spell_product(struct spelling *say)
{
    const struct lab_block_step *const s = say->step;
    const size_t count = say->left->cols;
    float *const column = arena_array(say->arena, count, sizeof *column);
    if (column != NULL) {
        lab_block_column(say->block, say->at.step, say->at.column, column);
    }
    spell_sum(say, say->left->values + say->at.row * count, column, 1, count,
              s->bias == NULL ? NULL : s->bias + say->at.column);
}

/* Adds a turned pair: both of its numbers, each with its factor. */
static void spell_turn(struct spelling *say)
{
    const double own = number_of(say, say->left, say->at.column);
    const struct lab_block_pair *const pair = &say->pair;
    const double values[] = {pair->cosine, own, pair->sine,
                             number_of(say, say->left, say->turns ? pair->other : 0)};
    spell_pattern(say, say->turns ? "(%k·%x) + (%k·%x)" : "%x", say->turns ? values : &own);
}

static void spell_source(struct spelling *say)
{
    size_t column = 0;
    const size_t step = lab_block_beside(say->block, say->at.step, say->at.column, &column);
    const struct lab_block_step *const from = lab_block_step(say->block, step);
    const double value = number_of(say, from, column);
    lab_formula_text(&say->formula, LAB_ROLE_NONE, from->sign);
    spell_pattern(say, " %x", &value);
}

/* Adds share times output for every chosen expert, and the output of the shared one as the rest. */
static void spell_expert_mix(struct spelling *say)
{
    const struct lab_block_step *const s = say->step;
    const size_t count = s->asked.count;
    const float *const said = s->asked.said + say->at.row * count * s->cols + say->at.column;
    float *const share = arena_array(say->arena, count, sizeof *share);
    float rest = (float)number_of(say, s, say->at.column);
    for (size_t e = 0; share != NULL && e < count; e++) {
        share[e] = (float)number_of(say, say->left, s->asked.expert[say->at.row * count + e]);
        rest -= share[e] * said[e * s->cols];
    }
    spell_sum(say, share, said, s->cols, count, s->asked.common ? &rest : NULL);
}

/* ---- sentences ------------------------------------------------------------------------------- */

static const char *norm_sentence(const struct spelling *say)
{
    const struct lab_block_step *const s = say->step;
    if (s->centred && s->together > 0) {
        return arena_format(say->arena,
                            "The %zu numbers of this head, for %s, lose their mean (%.3f) and are "
                            "divided by %.3f: only their pattern is left.",
                            s->together, say->word, say->mean, say->root);
    }
    if (s->centred) {
        return arena_format(say->arena,
                            "All %zu numbers of %s lose their mean (%.3f) and are divided by "
                            "%.3f: only their pattern is left.",
                            s->cols, say->word, say->mean, say->root);
    }
    return arena_format(
        say->arena,
        s->together > 0 ? "The %zu numbers of this head, for %s, are divided by %.3f, the root "
                          "of the mean of their squares."
        : s->parts > 0  ? "All %zu numbers of %s, those of all heads together, are divided by "
                          "%.3f, the root of the mean of their squares."
                        : "All %zu numbers of %s are divided by %.3f, the root of the mean "
                          "of their squares.",
        s->together > 0 ? s->together : s->cols, say->word, say->root);
}

static const char *sum_sentence(const struct spelling *say)
{
    const struct lab_block_facts facts = lab_block_facts(say->block);
    return say->at.step + 1 == facts.steps && facts.layer + 1 < facts.layers
               ? arena_format(say->arena, "This is what layer L%zu reads of %s.", facts.layer + 1,
                              say->word)
               : arena_format(say->arena,
                              "Added number by number: nothing of %s is lost, something is "
                              "written on top.",
                              say->word);
}

static const char *product_sentence(const struct spelling *say)
{
    const struct lab_block_step *const s = say->step;
    if (say->at.step == lab_block_facts(say->block).out) {
        return arena_format(say->arena,
                            "Every neuron writes its own row of %s into %s, as strongly as it is "
                            "active.",
                            s->weights, say->word);
    }
    if (s->column == LAB_BLOCK_COLUMN_NUMBER) {
        return arena_format(say->arena, "%s of %s times a column of %s, summed: %s.",
                            say->left->sign, say->word, s->weights, tr(s->what));
    }
    return arena_format(say->arena,
                        s->column == LAB_BLOCK_COLUMN_NEURON
                            ? "One neuron of %zu: how well %s fits its column of %s."
                            : "One expert of %zu: how well %s fits its column of %s.",
                        s->cols, say->word, s->weights);
}

static const char *activation_sentence(const struct spelling *say)
{
    (void)say;
    return tr("What is far below 0 is silenced: that is what makes a neuron.");
}

static const char *gate_sentence(const struct spelling *say)
{
    (void)say;
    return tr("The gate lets through as much of it as it is open.");
}

static const char *turn_sentence(const struct spelling *say)
{
    return arena_format(say->arena,
                        say->turns
                            ? "Two numbers of %s turn together, as far as its place says: that "
                              "is where cosine and sine come from."
                            : "This number of %s does not turn: it stays as it was.",
                        say->word);
}

static const char *source_sentence(const struct spelling *say)
{
    size_t from = 0;
    const size_t step = lab_block_beside(say->block, say->at.step, say->at.column, &from);
    return arena_format(say->arena,
                        step == say->step->of[0]
                            ? "From the part of %s that is this head’s own."
                            : "From the part of %s that turns: it is the same for all heads.",
                        say->word);
}

/* Names the experts that were chosen. */
static const char *expert_sentence(const struct spelling *say)
{
    const struct lab_block_asked *const asked = &say->step->asked;
    const char *list = "";
    for (size_t e = 0; e < asked->count; e++) {
        list = arena_words(say->arena, "%s%s%zu", list, e == 0 ? "" : ", ",
                           asked->expert[say->at.row * asked->count + e]);
    }
    return arena_format(say->arena,
                        asked->common
                            ? "Of %zu experts the router chose %s for %s: each one’s number by its "
                              "share, and that of the expert all words ask."
                            : "Of %zu experts the router chose %s for %s: each one’s number by its "
                              "share.",
                        say->left->cols, list, say->word);
}

static const char *given_sentence(const struct spelling *say)
{
    return arena_format(say->arena, "%s, for %s.", tr(say->step->what), say->word);
}

/* How each operation is spelled: by a pattern of its operands, behind its function, or as a whole;
 * and the sentence on the meaning of the number, and where it goes. */
static const struct {
    const char *pattern;
    void (*spell)(struct spelling *say);
    const char *(*sentence)(const struct spelling *say);
} operations[LAB_OPERATIONS] = {
    [LAB_GIVEN] = {NULL, NULL, given_sentence},
    [LAB_SUM] = {"%x%+v", NULL, sum_sentence},
    [LAB_NORM] = {NULL, spell_norm, norm_sentence},
    [LAB_PRODUCT] = {NULL, spell_product, product_sentence},
    [LAB_ACTIVATE] = {"( %x )", NULL, activation_sentence},
    [LAB_GATE] = {"%x · %v", NULL, gate_sentence},
    [LAB_ACTIVATED_GATE] = {"( %x ) · %v", NULL, gate_sentence},
    [LAB_TURN] = {NULL, spell_turn, turn_sentence},
    [LAB_BESIDE] = {NULL, spell_source, source_sentence},
    [LAB_MIX_EXPERTS] = {NULL, spell_expert_mix, expert_sentence},
};

struct lab_explanation lab_block_explain(const struct lab_block *block, const char *const *words,
                                         struct lab_block_place at, size_t max_terms,
                                         struct arena *arena)
{
    at = lab_block_clamp(block, at);
    struct spelling say = spelling_of(block, words, at, max_terms, arena);
    const struct lab_block_step *const s = say.step;
    const char *const pattern = operations[s->op].pattern;
    if (pattern != NULL) {
        const double values[] = {number_of(&say, say.left, at.column),
                                 number_of(&say, say.right, at.column)};
        lab_formula_text(&say.formula, LAB_ROLE_NONE, s->function);
        spell_pattern(&say, pattern, values);
    } else if (operations[s->op].spell != NULL) {
        operations[s->op].spell(&say);
    }
    const double result = number_of(&say, s, at.column);
    spell_pattern(&say, say.formula.pieces > 0 ? " = %r" : "%r", &result);
    const size_t part = s->cols / (s->parts > 0 ? s->parts : 1);
    const char *const rule =
        s->op == LAB_TURN && !say.turns ? say.left->sign : lab_block_rule(block, at.step, arena);
    const char *const title =
        arena_format(arena, "%s( %s, %zu ) = %s", s->sign, words[at.row],
                     at.column % part + (s->column == LAB_BLOCK_COLUMN_NUMBER), rule);
    return lab_formula_explanation(&say.formula, title, operations[s->op].sentence(&say));
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
    const char *const word = lab_quoted(arena, lab_topic_word(arena, words[row]));
    const char *text =
        arena_words(arena, "Around the attention of layer L%zu, for %s.", facts.layer, word);
    for (size_t s = 0; s < facts.steps; s++) {
        const struct lab_block_step *const step = lab_block_step(block, s);
        if (!lab_block_is_at(block, s, LAB_BLOCK_AT_BLOCK)) {
            continue;
        }
        text =
            arena_words(arena, tr("%s %s (%s): %zu numbers of length %.3f."), text, tr(step->what),
                        lab_block_rule(block, s, arena), step->cols, length_of(block, s, row));
    }
    size_t count = 0;
    const struct lab_block_neuron *const neuron = lab_block_neurons(block, row, &count);
    for (size_t k = 0; k < count; k++) {
        text = arena_words(
            arena, k == 0 ? tr("%s The neurons that add most: %zu (%.3f)") : "%s, %zu (%.3f)", text,
            neuron[k].neuron, (double)neuron[k].length);
    }
    text = count == 0 ? text : arena_words(arena, "%s.", text);
    const struct lab_block_word *const next = lab_block_words(block, row, &count);
    for (size_t k = 0; k < count; k++) {
        text = arena_words(
            arena, k == 0 ? tr("%s The likeliest next words: %s %.1f %%") : "%s, %s %.1f %%", text,
            lab_quoted(arena, next[k].word), next[k].share * 100);
    }
    return count == 0 ? text : arena_words(arena, "%s.", text);
}

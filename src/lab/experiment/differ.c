/* lab/experiment/differ.c — how one experiment differs from another: in words first, then in
 * parameters, each described by its row. */
#include "lab/experiment/differ.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/params.h"

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Says whether both have the same words, each equally often. Returns false without memory. */
static bool only_order_differs(struct arena *arena, const struct lab_words *one,
                               const struct lab_words *other)
{
    const size_t count = lab_words_count(one);
    const char **const ones = arena_array(arena, count, sizeof *ones);
    const char **const others = arena_array(arena, count, sizeof *others);
    bool same = ones != NULL && others != NULL && count == lab_words_count(other);
    for (size_t w = 0; same && w < count; w++) {
        ones[w] = lab_words_list(one)[w];
        others[w] = lab_words_list(other)[w];
    }
    if (same) {
        qsort(ones, count, sizeof *ones, compare_words);
        qsort(others, count, sizeof *others, compare_words);
    }
    for (size_t w = 0; same && w < count; w++) {
        same = strcmp(ones[w], others[w]) == 0;
    }
    return same;
}

static const char *differing_words(struct arena *arena, const struct lab_words *one,
                                   const struct lab_words *other)
{
    const size_t count = lab_words_count(one), others = lab_words_count(other);
    if (count != others) {
        return arena_format(arena, tr_n("%zu word, not %zu", "%zu words, not %zu", count), count,
                            others);
    }
    for (size_t w = 0; w < count; w++) {
        const char *const word = lab_words_list(one)[w];
        if (strcmp(word, lab_words_list(other)[w]) != 0) {
            return only_order_differs(arena, one, other)
                       ? tr("words in another order")
                       : arena_format(arena, "word %zu: %s", w + 1, word);
        }
    }
    return NULL;
}

static const char *differing_context(struct arena *arena, const struct lab_words *one,
                                     const struct lab_words *other)
{
    if ((one == NULL) != (other == NULL)) {
        return one == NULL ? tr("keys of the same words") : tr("keys of other words");
    }
    return one == NULL ? NULL : differing_words(arena, one, other);
}

/* Describes a number, a switch or a choice as its row says; value: that of the described
 * experiment. */
static const char *value_text(struct arena *arena, const struct lab_param *param, double value)
{
    char digits[TEXT_NUMBER_MAX];
    if (param->differs_at != NULL) {
        return tr(param->differs_at((size_t)value));
    }
    if (param->type == LAB_TYPE_SWITCH) {
        return tr(value != 0 ? param->differs : param->differs_off);
    }
    if (param->type == LAB_TYPE_NUMBER) {
        return arena_format(arena, param->differs, text_number(digits, value, param->decimals));
    }
    const size_t count = (size_t)value + (param->from_one ? 1 : 0);
    return count == 1 && param->differs_one != NULL ? tr(param->differs_one)
                                                    : arena_format(arena, param->differs, count);
}

/* Describes the value of `one` where `other` has another; NULL: they are equal. */
static const char *describe_difference(struct arena *arena, const struct lab_param *param,
                                       const struct lab_experiment *one,
                                       const struct lab_experiment *other)
{
    if (one->learned != NULL && other->learned != NULL && lab_param_is_made(param)) {
        return NULL; /* both follow from the trained weights */
    }
    if (param->differs_text != NULL) {
        return param->differs_text(arena, one, other);
    }
    const enum lab_param_id first = param->differs_unless;
    if (first != 0 && !lab_param_equal(lab_param_row(first), one, other)) {
        return NULL;
    }
    const double value = lab_param_holds(param, one), its = lab_param_holds(param, other);
    return value < its || value > its ? value_text(arena, param, value) : NULL;
}

const char *lab_differ(struct arena *arena, const struct lab_experiment *one,
                       const struct lab_experiment *other)
{
    enum { NAMED = 2, WORDS = 2 };
    const struct lab_param *param = NULL;
    const char *all = "";
    size_t differences = 0;
    for (size_t t = 0;
         t < WORDS || (param = lab_param_in_order(LAB_ORDER_DIFFERENCES, t - WORDS)) != NULL; t++) {
        const char *const one_more = t == 0 ? differing_words(arena, one->tokens, other->tokens)
                                     : t == 1
                                         ? differing_context(arena, one->context, other->context)
                                         : describe_difference(arena, param, one, other);
        differences += one_more != NULL;
        if (one_more != NULL && differences <= NAMED && all != NULL) {
            all = differences == 1 ? one_more : arena_format(arena, "%s · %s", all, one_more);
        }
    }
    if (differences > NAMED && all != NULL) {
        all = arena_format(arena, "%s and %zu more", all, differences - NAMED);
    }
    return all != NULL ? all : "";
}

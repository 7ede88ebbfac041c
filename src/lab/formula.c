/* lab/formula.c — formulas piece by piece. */
#include "lab/formula.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

enum { PIECES_A_TERM = 6, PIECES_BESIDE = 16 };

size_t lab_formula_room(size_t max_terms)
{
    return (max_terms + 1) * PIECES_A_TERM + PIECES_BESIDE;
}

struct lab_formula lab_formula_start(struct arena *arena, size_t room)
{
    struct lab_formula formula = {.arena = arena,
                                  .piece = arena_array(arena, room, sizeof *formula.piece)};
    formula.room = formula.piece == NULL ? 0 : room;
    return formula;
}

void lab_formula_text(struct lab_formula *formula, enum lab_role role, const char *text)
{
    if (formula->pieces < formula->room && text != NULL && text[0] != '\0') {
        formula->piece[formula->pieces++] = (struct lab_piece){role, text};
    }
}

const char *lab_formula_digits(struct arena *arena, double value, int decimals)
{
    char digits[TEXT_NUMBER_MAX];
    text_number(digits, value, decimals);
    const char *const text = arena_text(arena, digits, strlen(digits));
    return text == NULL ? "" : text;
}

void lab_formula_number(struct lab_formula *formula, enum lab_role role, double value, int decimals)
{
    lab_formula_text(formula, role, lab_formula_digits(formula->arena, value, decimals));
}

static double product(const struct lab_sum *sum, size_t t)
{
    const double left = (double)sum->left.values[t * sum->left.step];
    return sum->right.values == NULL ? left : left * (double)sum->right.values[t * sum->right.step];
}

/* Marks the max_terms products of the largest magnitude; of equal ones the first. */
static void choose_terms(const struct lab_sum *sum, size_t max_terms, bool *chosen)
{
    for (size_t round = 0; round < max_terms; round++) {
        size_t best = sum->count;
        double largest = -1;
        for (size_t t = 0; t < sum->count; t++) {
            const double size = fabs(product(sum, t));
            if (!chosen[t] && size > largest) {
                largest = size;
                best = t;
            }
        }
        if (best < sum->count) {
            chosen[best] = true;
        }
    }
}

static void put_term(struct lab_formula *formula, const struct lab_sum *sum, size_t t)
{
    const struct lab_factor *const left = &sum->left, *const right = &sum->right;
    if (sum->brackets) {
        lab_formula_text(formula, LAB_ROLE_PLAIN, "(");
    }
    lab_formula_number(formula, left->role, (double)left->values[t * left->step], left->decimals);
    if (right->values != NULL) {
        lab_formula_text(formula, LAB_ROLE_PLAIN, "·");
        lab_formula_number(formula, right->role, (double)right->values[t * right->step],
                           right->decimals);
    }
    if (sum->brackets) {
        lab_formula_text(formula, LAB_ROLE_PLAIN, ")");
    }
}

void lab_formula_sum(struct lab_formula *formula, const struct lab_sum *sum, size_t max_terms)
{
    const bool all = sum->count <= max_terms;
    bool *const chosen = all ? NULL : arena_array(formula->arena, sum->count, sizeof *chosen);
    if (!all && chosen == NULL) {
        return;
    }
    if (!all) {
        choose_terms(sum, max_terms == 0 ? 1 : max_terms, chosen);
    }
    const size_t shown = all ? sum->count : max_terms == 0 ? 1 : max_terms;
    size_t put = 0;
    for (size_t t = 0; t < sum->count; t++) {
        if (!all && !chosen[t]) {
            continue;
        }
        lab_formula_text(formula, LAB_ROLE_PLAIN, put == 0 ? "" : " + ");
        if (!all && put + 1 == shown) { /* what was left out stands before the last term */
            lab_formula_text(formula, LAB_ROLE_PLAIN,
                             arena_format(formula->arena, "… %zu more … + ", sum->count - shown));
        }
        put_term(formula, sum, t);
        put++;
    }
}

const char *lab_formula_products(struct arena *arena, const struct lab_sum *sum, size_t max,
                                 int decimals)
{
    if (sum->count > max) {
        return "";
    }
    const char *text = "";
    for (size_t t = 0; t < sum->count && text != NULL; t++) {
        const double value = product(sum, t);
        const bool minus = t > 0 && value < 0;
        text = arena_format(arena, "%s%s%s", text,
                            t == 0  ? ""
                            : minus ? " − "
                                    : " + ",
                            lab_formula_digits(arena, minus ? -value : value, decimals));
    }
    return text == NULL ? "" : text;
}

/* lab/explain/formula.c — builds formulas piece by piece. */
#include "lab/explain/formula.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/explain/explain.h"

const char *lab_quoted(struct arena *arena, const char *word)
{
    const char *const marked = arena_format(arena, "“%s”", word);
    return marked != NULL ? marked : word;
}

enum { PIECES_A_TERM = 6, PIECES_BESIDE = 24, REST_DECIMALS = 3, SIZED_DECIMALS_MAX = 9 };

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
        formula->piece[formula->pieces++] = (struct lab_piece){.role = role, .text = text};
    }
}

/* A share of one word among thousands is no zero; what is a hundredth of the last place or less
 * says nothing beside the other terms, and its power of ten would have to be explained to a class.
 */
const char *lab_formula_share(struct arena *arena, double share, int decimals)
{
    char digits[TEXT_NUMBER_MAX];
    text_nonzero_number(digits, share, decimals);
    const char *const text = arena_text(arena, digits, strlen(digits));
    return text == NULL ? "" : text;
}

const char *lab_formula_digits(struct arena *arena, double value, int decimals)
{
    const float one = (float)value;
    char digits[TEXT_NUMBER_MAX];
    const int places = decimals < 0 ? lab_decimals_by_size(&one, 1, 1) : decimals;
    const bool is_noise = fabs(value) < pow(10, -places - 2);
    (is_noise ? text_number : text_nonzero_number)(digits, value, places);
    const char *const text = arena_text(arena, digits, strlen(digits));
    return text == NULL ? "" : text;
}

void lab_formula_number(struct lab_formula *formula, enum lab_role role, double value, int decimals)
{
    lab_formula_text(formula, role, lab_formula_digits(formula->arena, value, decimals));
}

void lab_formula_spell(struct lab_formula *formula, int decimals, const char *pattern,
                       const double *values)
{
    static const char letters[] = {
        [LAB_ROLE_NONE] = 'n',   [LAB_ROLE_X] = 'x',     [LAB_ROLE_QUERY] = 'q',
        [LAB_ROLE_KEY] = 'k',    [LAB_ROLE_VALUE] = 'v', [LAB_ROLE_WEIGHT] = 'w',
        [LAB_ROLE_OUTPUT] = 'o', [LAB_ROLE_RESULT] = 'r'};
    while (*pattern != '\0') {
        const size_t length = strcspn(pattern, "%");
        lab_formula_text(formula, LAB_ROLE_NONE, arena_text(formula->arena, pattern, length));
        pattern += length;
        if (*pattern == '\0') {
            return;
        }
        const char sign = pattern[1] == '+' || pattern[1] == '-' ? *++pattern : '\0';
        const char *const letter = memchr(letters, pattern[1], sizeof letters);
        const double value = *values++;
        if (sign != '\0') {
            lab_formula_text(formula, LAB_ROLE_NONE, (sign == '-') == (value < 0) ? " + " : " − ");
        }
        lab_formula_number(formula,
                           letter == NULL ? LAB_ROLE_NONE : (enum lab_role)(letter - letters),
                           sign == '\0' ? value : fabs(value), decimals);
        pattern += 2;
    }
}

void lab_formula_cell(struct lab_formula *formula, enum lab_role role, double value, int decimals,
                      const struct lab_cells *cells, size_t t)
{
    lab_formula_cell_text(formula, role, lab_formula_digits(formula->arena, value, decimals), cells,
                          t);
}

void lab_formula_cell_text(struct lab_formula *formula, enum lab_role role, const char *text,
                           const struct lab_cells *cells, size_t t)
{
    const size_t before = formula->pieces;
    lab_formula_text(formula, role, text);
    if (cells->known && formula->pieces > before) {
        struct lab_piece *const piece = &formula->piece[before];
        piece->has_cell = true;
        piece->part = cells->part;
        piece->head = cells->head;
        piece->row = cells->row + t * cells->row_step;
        piece->column = cells->column + t * cells->column_step;
    }
}

int lab_decimals_by_size(const float *values, size_t count, size_t step)
{
    double max = 0;
    for (size_t i = 0; i < count; i++) {
        const double size = fabs((double)values[i * step]);
        max = size > max && size < (double)INFINITY ? size : max;
    }
    int decimals = 2;
    for (; max > 0 && max < 1 && decimals < SIZED_DECIMALS_MAX; max *= 10) {
        decimals++;
    }
    return max >= 100 ? 1 : decimals;
}

struct lab_explanation lab_formula_explanation(const struct lab_formula *formula, const char *title,
                                               const char *sentence)
{
    return (struct lab_explanation){.title = title == NULL ? "" : title,
                                    .piece = formula->piece,
                                    .pieces = formula->pieces,
                                    .sentence = sentence == NULL ? "" : sentence};
}

struct lab_cells lab_cells_along(const enum lab_axis axes[2], const size_t at[LAB_AXES])
{
    const size_t row = at[axes[0]], column = at[axes[1]];
    return (struct lab_cells){.known = axes[0] != axes[1],
                              .row = row == LAB_SUMMED ? 0 : row,
                              .column = column == LAB_SUMMED ? 0 : column,
                              .row_step = row == LAB_SUMMED ? 1 : 0,
                              .column_step = column == LAB_SUMMED ? 1 : 0};
}

static size_t index_of_term(const struct lab_sum *sum, size_t t)
{
    return sum->which == NULL ? t : sum->which[t];
}

static double product_of_term(const struct lab_sum *sum, size_t term)
{
    const size_t t = index_of_term(sum, term);
    const double left = (double)sum->left.values[t * sum->left.step];
    return sum->right.values == NULL ? left : left * (double)sum->right.values[t * sum->right.step];
}

/* Chooses the max_terms products of largest magnitude, largest first, equal ones in their order;
 * NaN comes before all. Returns the sum of the others. */
static double choose_terms(const struct lab_sum *sum, size_t max_terms, bool *chosen, size_t *order)
{
    for (size_t round = 0; round < max_terms; round++) {
        size_t best = 0;
        double largest = -1;
        for (size_t t = 0; t < sum->count; t++) {
            const double value = product_of_term(sum, t);
            const double size = isnan(value) ? (double)INFINITY : fabs(value);
            if (!chosen[t] && size > largest) {
                largest = size;
                best = t;
            }
        }
        chosen[best] = true;
        order[round] = best;
    }
    double rest = 0;
    for (size_t t = 0; t < sum->count; t++) {
        rest += chosen[t] ? 0 : product_of_term(sum, t);
    }
    return rest;
}

static void put_term(struct lab_formula *formula, const struct lab_sum *sum, size_t term)
{
    const size_t t = index_of_term(sum, term);
    const struct lab_factor *const left = &sum->left, *const right = &sum->right;
    if (sum->brackets) {
        lab_formula_text(formula, LAB_ROLE_NONE, "(");
    }
    lab_formula_cell(formula, left->role, (double)left->values[t * left->step], left->decimals,
                     &left->cells, t);
    if (right->values != NULL) {
        lab_formula_text(formula, LAB_ROLE_NONE, "·");
        lab_formula_cell(formula, right->role, (double)right->values[t * right->step],
                         right->decimals, &right->cells, t);
    }
    if (sum->brackets) {
        lab_formula_text(formula, LAB_ROLE_NONE, ")");
    }
}

/* Adds the bias after the products. */
static void put_added(struct lab_formula *formula, const struct lab_factor *added)
{
    if (added->values != NULL) {
        lab_formula_text(formula, LAB_ROLE_NONE, " + ");
        lab_formula_cell(formula, added->role, (double)added->values[0], added->decimals,
                         &added->cells, 0);
    }
}

static void put_products(struct lab_formula *formula, const struct lab_sum *sum, size_t max_terms)
{
    const bool plain = sum->right.values == NULL; /* a single remaining term is shorter than its
                                                     count */
    max_terms = max_terms == 0 ? 1 : max_terms;
    if (sum->count <= max_terms + (plain ? 1 : 0)) {
        for (size_t t = 0; t < sum->count; t++) {
            lab_formula_text(formula, LAB_ROLE_NONE, t == 0 ? "" : " + ");
            put_term(formula, sum, t);
        }
        return;
    }
    bool *const chosen = arena_array(formula->arena, sum->count, sizeof *chosen);
    size_t *const order = arena_array(formula->arena, max_terms, sizeof *order);
    if (chosen == NULL || order == NULL) {
        return;
    }
    const double rest = choose_terms(sum, max_terms, chosen, order);
    for (size_t shown = 0; shown < max_terms; shown++) {
        lab_formula_text(formula, LAB_ROLE_NONE, shown == 0 ? "" : " + ");
        put_term(formula, sum, order[shown]);
    }
    const size_t left = sum->count - max_terms;
    const int decimals = sum->rest_decimals > 0 ? sum->rest_decimals : REST_DECIMALS;
    lab_formula_text(formula, LAB_ROLE_NONE,
                     arena_format(formula->arena,
                                  tr_n(" + %zu other term (%s)", " + %zu other terms (%s)", left),
                                  left, lab_formula_digits(formula->arena, rest, decimals)));
}

void lab_formula_sum(struct lab_formula *formula, const struct lab_sum *sum, size_t max_terms)
{
    put_products(formula, sum, max_terms);
    put_added(formula, &sum->added);
}

const char *lab_formula_products(struct arena *arena, const struct lab_sum *sum, size_t max,
                                 int decimals)
{
    if (sum->count > max) {
        return "";
    }
    const char *text = "";
    for (size_t t = 0; t < sum->count && text != NULL; t++) {
        const double value = product_of_term(sum, t);
        const bool minus = t > 0 && value < 0;
        text = arena_format(arena, "%s%s%s", text,
                            t == 0  ? ""
                            : minus ? " − "
                                    : " + ",
                            lab_formula_digits(arena, minus ? -value : value, decimals));
    }
    if (sum->added.values != NULL && text != NULL) {
        const double added = (double)sum->added.values[0];
        text = arena_format(arena, "%s %s %s", text, added < 0 ? "−" : "+",
                            lab_formula_digits(arena, fabs(added), decimals));
    }
    return text == NULL ? "" : text;
}

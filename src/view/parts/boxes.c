/* Cells with numbers, and names beside and above them, as boxes. */
#include "view/parts/boxes.h"

#include <math.h>

#include "view/parts/pieces.h"

static const float AWAY = 10;        /* from names to the rows beside them */
static const float LEVEL_HIGH = 26;  /* names above columns in one line */
static const float LEVEL_MAX = 30;   /* the same in two lines in presenter mode */
static const float LOW_OF_WIDTH = 2; /* in a figure names of low rows may be so much longer */
static const float NEVER = 1e5f;     /* a length that fits nowhere */

struct box_tree view_boxes(const struct view *view, unsigned gives)
{
    return (struct box_tree){
        .arena = view->arena, .gives = (uint8_t)gives, .is_twice = !view->style.has_controls};
}

void view_number_needs(const struct view *view, const struct view_operand *operand,
                       const struct view_number_gives *gives, struct box_cells *cells)
{
    const struct lab_matrix *const matrix = &operand->matrix;
    const struct view_number_sizes size =
        view_number_sizes(view, operand->is_share, view_operand_shrinks(view, operand));
    const int all = view_matrix_decimals(view, matrix, operand->is_share);
    const bool may_lose_all = view->style.is_far || !view->style.has_controls;
    const int fewer = view_matrix_min_decimals(view, all);
    const int fewest = may_lose_all ? view_matrix_presenter_decimals(view, matrix, all) : fewer;
    if (view->state->prefs.cells.values == VIEW_VALUES_OFF) {
        return;
    }
    const struct box_need wide[BOX_NEEDS_MAX] = {
        {gives->wanted, view_number_cell_width(view, matrix, all, size.wanted)},
        {gives->decimals, view_number_cell_width(view, matrix, all, size.readable)},
        {gives->readable, view_number_cell_width(view, matrix, fewer, size.readable)},
        {gives->all_decimals, view_number_cell_width(view, matrix, fewer, size.min)},
        {gives->numbers, view_number_cell_width(view, matrix, fewest, size.min)}};
    const struct box_need high[] = {
        {gives->readable_rows, view_number_cell_height(view, size.readable)},
        {gives->rows, view_number_cell_height(view, size.min)}};
    for (size_t n = 0; n < BOX_NEEDS_MAX; n++) {
        cells->need_wide[n] = wide[n];
    }
    size_t own = 0; /* what the panel needs heights for */
    while (cells->need_high[own].until != 0) {
        own++;
    }
    for (size_t n = 0; n < sizeof high / sizeof *high; n++) {
        cells->need_high[own + n] = high[n];
    }
}

/* --- names ----------------------------------------------------------------------------------- */

/* The words at the places of their cells. */
static struct view_words placed_words(const struct view_names *names, const struct box *box)
{
    struct view_words words = names->words;
    const struct box *const cells = names->cells;
    words.from = names->above ? cells->at.x : cells->at.y;
    words.step = names->above ? cells->cell.x : cells->cell.y;
    const struct rect all = cells->parent == NULL ? cells->at : cells->parent->at;
    words.beyond = names->reaches ? all.x + all.w - cells->at.x - cells->at.w : 0;
    words.at = names->above                   ? cells->at.y - VIEW_WORDS_APART
               : words.anchor == CANVAS_RIGHT ? box->at.x + box->at.w - AWAY
                                              : box->at.x + AWAY;
    words.room = names->above ? names->max.y : fmaxf(box->at.w - AWAY, 1);
    return words;
}

static struct box_range height_above(const struct view_names *names)
{
    const struct view_words words = placed_words(names, names->cells);
    const float high = fmaxf(LEVEL_HIGH, view_words_above(names->view, &words));
    const bool lacks = names->whole && (high > LEVEL_MAX || !view_words_whole(names->view, &words));
    return (struct box_range){.min = lacks ? NEVER : high};
}

/* The font size that names beside rows have at least, now that so much is given up. */
static float size_beside(const struct box_tree *tree, const struct view_names *names)
{
    const struct view_name_style *const style = &names->view->style.names;
    return !box_gave(tree, names->large)      ? style->max
           : !box_gave(tree, names->readable) ? fminf(style->max, style->turned)
                                              : style->cut_min;
}

/* How much of their widest the names beside rows of a figure may take: their middle is cut before
 * what the list has behind them gives way, since numbers are what a figure is made for. */
static float share_beside(const struct box_tree *tree, const struct view_names *names)
{
    const size_t given = (size_t)box_gave(tree, names->large) + box_gave(tree, names->readable) +
                         box_gave(tree, names->brief);
    return view_words_shares[given].share;
}

/* The height of a row so that each has its name. */
static float line_beside(const struct box_tree *tree, const struct view_names *names)
{
    const struct view_style *const style = &names->view->style;
    const bool small = !style->is_far || box_gave(tree, names->readable);
    return box_gave(tree, names->each) ? 0
           : small                     ? view_words_line(names->view)
                                       : style->names.turned / 0.8f;
}

static struct box_range width_beside(const struct box_tree *tree, const struct view_names *names)
{
    const struct view *const view = names->view;
    struct view_words words = names->words;
    const float step = tree->is_again ? names->cells->cell.y : 0;
    const bool low = step > 0 && step < view_words_line(view);
    const float limit = low ? names->max.x * LOW_OF_WIDTH : names->max.x;
    if (words.words == NULL) {
        return (struct box_range){.min = 0};
    }
    if (!view->style.has_controls) {
        words.step = step;
        const float room = limit * share_beside(tree, names);
        return (struct box_range){.min = view_words_beside(view, &words, room) + AWAY};
    }
    const float all = view_words_width(view, words.words, words.count, 1e4f);
    const float wide = fminf(all, limit);
    const float least = fminf(all * size_beside(tree, names) / view->style.names.max, wide);
    return (struct box_range){.min = least + AWAY, .pref = wide + AWAY};
}

static struct box_range measure_names(const struct box_tree *tree, const struct box *box,
                                      enum box_axis axis)
{
    const struct view_names *const names = box->user;
    if (names->above) {
        return axis == BOX_ACROSS ? (struct box_range){0} : height_above(names);
    }
    return axis == BOX_ACROSS ? width_beside(tree, names)
                              : (struct box_range){.min = names->words.words == NULL
                                                              ? 0
                                                              : line_beside(tree, names) *
                                                                    (float)names->words.count};
}

static void draw_names(const struct box *box)
{
    const struct view_names *const names = box->user;
    const struct view_words words = placed_words(names, box);
    if (names->above) {
        view_words_of_columns(names->view, &words);
    } else {
        view_words_of_rows(names->view, &words);
    }
}

struct box *view_add_names(struct box_tree *tree, const struct view_names *names, struct box box)
{
    struct view_names *const kept = arena_alloc(tree->arena, sizeof *kept);
    box.kind = BOX_LEAF;
    if (kept != NULL) {
        *kept = *names;
        box.user = kept;
        box.measure = measure_names;
        box.draw = draw_names;
        box.eager = !names->above;
    }
    return box_add(tree, &box);
}

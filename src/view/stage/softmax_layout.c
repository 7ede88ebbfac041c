/* The parts of the softmax stage as boxes: what surrounds numbers gives way before they do. */
#include "view/stage/softmax_layout.h"

#include <math.h>

#include "view/parts/charts.h"
#include "view/parts/pieces.h"
#include "view/parts/strips.h"

static const float TALL = 1e5f; /* a height without a limit */
static const float HEADING = 28;
static const float ALPHA_TITLE = 48, ALPHA_NAMES = 30;       /* above its cells */
static const float NAMES_LEVEL = 24;                         /* height of names that are level */
static const float ALPHA_BESIDE = 260, ALPHA_CELLS_MIN = 60; /* widths beside its cells, of them */
static const float TITLED_ROW = 17, TITLED_MIN = 230; /* of α alone with a title, at least */
static const float ALPHA_ROW = 24;                    /* height where there is room */
static const struct view_length ALPHA_ROW_MIN = {.near = 15.5f, .far = 24}; /* below the charts */
static const struct view_length LINE = {.near = 14.5f, .far = 22};          /* of charts above α */
static const float PRINTED_LINE = 17, LINE_ALONE = 13;
static const float SQUEEZED = 60;          /* height of rows that have no numbers */
static const float GAP = 20, GAP_NEAR = 8; /* between charts and α */
enum { ALPHA_ROWS_MAX = 16 };              /* more rows have no numbers anyway */

/* Says whether a part gives way: in a figure smaller letters make room instead. */
static bool has_given_up(const struct view *view, const struct box_tree *tree,
                         enum softmax_gives part)
{
    return view->style.has_controls && box_gave(tree, part);
}

bool softmax_has_title(const struct view *view, const struct box_tree *tree)
{
    const bool may_give = box_gave(tree, SOFTMAX_BOTH) || !view->style.is_far;
    return !may_give || !has_given_up(view, tree, SOFTMAX_ALPHA_TITLE);
}

/* The number of keys that have a line: in presenter mode a row that stands alone may lack those
 * that its query does not see. */
static float count_lines(const struct view *view, bool alone)
{
    const size_t keys = lab_trace_sizes(view->trace).m;
    size_t seen = 0;
    for (size_t j = 0; j < keys; j++) {
        seen += lab_trace_sees(view->trace, view->selection.query, j);
    }
    return (float)(view->style.is_far && alone && seen > 0 ? seen : keys);
}

static struct box_range lines_height(const struct box_tree *tree, const struct box *box,
                                     enum box_axis axis)
{
    const struct view *const view = box->user;
    const float keys = (float)lab_trace_sizes(view->trace).m;
    const float line = !view->style.has_controls       ? PRINTED_LINE
                       : !box_gave(tree, SOFTMAX_BOTH) ? view_length(view, LINE)
                                                       : LINE_ALONE;
    const float tallest = VIEW_CHARTS_LINE * view_length(view, (struct view_length){1, 2});
    const float min = line * count_lines(view, box_gave(tree, SOFTMAX_BOTH));
    return axis == BOX_ACROSS
               ? (struct box_range){0}
               : (struct box_range){box_gave(tree, SOFTMAX_NUMBERS) ? fminf(min, SQUEEZED) : min,
                                    tallest * keys, 0};
}

/* The height that names above α need more than a level line of them in a figure; in the window rows
 * are lower instead. */
static float names_higher(const struct view *view, float wide)
{
    const size_t keys = lab_trace_sizes(view->trace).m;
    const struct view_words above = {.words = lab_trace_keys(view->trace),
                                     .count = keys,
                                     .step =
                                         fmaxf(wide - ALPHA_BESIDE, ALPHA_CELLS_MIN) / (float)keys,
                                     .room = wide / 3,
                                     .beyond = VIEW_STRIP_NUMBERS,
                                     .chosen = VIEW_NOWHERE};
    return view->style.has_controls ? 0 : fmaxf(0, view_words_above(view, &above) - NAMES_LEVEL);
}

static struct box_range alpha_height(const struct box_tree *tree, const struct box *box,
                                     enum box_axis axis)
{
    const struct view *const view = box->user;
    const size_t rows = lab_trace_sizes(view->trace).n;
    const bool alone = box_gave(tree, SOFTMAX_BOTH);
    const bool titled = softmax_has_title(view, tree);
    const bool sums = !view->is_signed && !has_given_up(view, tree, SOFTMAX_SUMS);
    if (axis == BOX_ACROSS) {
        return (struct box_range){0};
    }
    const float row = !alone ? view_length(view, ALPHA_ROW_MIN)
                      : titled
                          ? TITLED_ROW
                          : view_number_cell_height(view, view_number_sizes(view, true, true).min);
    const float min = row * (float)rows;
    const bool lacks = box_gave(tree, SOFTMAX_NUMBERS) || (alone && rows > ALPHA_ROWS_MAX);
    const float around = ALPHA_NAMES + (titled ? ALPHA_TITLE : 0) + (sums ? VIEW_STRIP_HIGH : 0) +
                         names_higher(view, box->at.w);
    return (struct box_range){
        fmaxf(around + (lacks ? fminf(min, SQUEEZED) : min), alone && titled ? TITLED_MIN : 0),
        around + ALPHA_ROW * (float)rows, 0};
}

static void add_height(struct box_tree *tree, uint8_t until, float high)
{
    box_add(tree, &(struct box){.kind = BOX_LEAF, .until = until, .high = {high, high, high}});
}

static void add_row(const struct view *view, struct softmax_layout *lay, uint8_t until)
{
    const bool may_give = view->style.has_controls;
    lay->row = box_open(&lay->tree, &(struct box){.kind = BOX_COLUMN, .until = until});
    add_height(&lay->tree, 0, VIEW_CHARTS_TITLES);
    add_height(&lay->tree, may_give ? SOFTMAX_FORMULAS : 0, VIEW_CHARTS_FORMULAS);
    box_add(&lay->tree, &(struct box){.kind = BOX_LEAF, .measure = lines_height, .user = view});
    add_height(&lay->tree, may_give ? SOFTMAX_SUMS : 0, VIEW_CHARTS_FOOT);
    box_close(&lay->tree);
}

/* The gap between the charts and α, which is narrower above cells without a title. */
static void add_gap(const struct view *view, struct box_tree *tree)
{
    const uint8_t title = view->style.has_controls && !view->style.is_far ? SOFTMAX_ALPHA_TITLE : 0;
    box_open(tree, &(struct box){.kind = BOX_COLUMN, .until = SOFTMAX_BOTH});
    add_height(tree, title, GAP);
    if (title != 0) {
        box_add(tree, &(struct box){.kind = BOX_LEAF, .from = title, .high.min = GAP_NEAR});
    }
    box_close(tree);
}

void softmax_lay_out(const struct view *view, struct rect area, struct softmax_layout *lay)
{
    const bool has_scores = lab_trace_part(view->trace, LAB_SCORES, 0).values != NULL;
    const bool whole = view->state->prefs.whole_alpha;
    *lay = (struct softmax_layout){.tree = view_boxes(view, SOFTMAX_GIVES)};
    struct box *const root = box_open(&lay->tree, &(struct box){.kind = BOX_COLUMN});
    if (has_scores) {
        lay->heading =
            box_add(&lay->tree, &(struct box){.kind = BOX_LEAF, .high = {HEADING, HEADING, 0}});
        add_row(view, lay, whole ? SOFTMAX_BOTH : 0);
        add_gap(view, &lay->tree);
    }
    lay->alpha = box_add(&lay->tree, &(struct box){.kind = BOX_LEAF,
                                                   .until = has_scores && !whole ? SOFTMAX_BOTH : 0,
                                                   .measure = alpha_height,
                                                   .high = {.max = TALL},
                                                   .weight = 1,
                                                   .user = view});
    box_close(&lay->tree);
    box_fit(&lay->tree, root, area);
}

bool softmax_needs(const struct view *view, struct rect area, float lower, enum softmax_gives what)
{
    struct softmax_layout with, without;
    softmax_lay_out(view, area, &with);
    area.h -= lower;
    softmax_lay_out(view, area, &without);
    return box_gave(&without.tree, what) && !box_gave(&with.tree, what);
}

/* The parts of a stage's panel as boxes: decorations give way before numbers do. */
#include "view/stage/stage_layout.h"

#include <math.h>

#include "view/parts/charts.h"
#include "view/parts/pieces.h"
#include "view/parts/strips.h"
#include "view/stage/tiles.h"

static const float TALL = 1e5f; /* a height without a limit */

/* --- the softmax stage ----------------------------------------------------------------------- */

static const float HEADING = 28;
static const float ALPHA_TITLE = 48, ALPHA_NAMES = 30; /* above its cells */
static const float ALPHA_BESIDE = 260,
                   ALPHA_CELLS_MIN = 60;              /* widths beside its cells and of them */
static const float TITLED_ROW = 17, TITLED_MIN = 230; /* of α alone with a title, at least */
static const float ALPHA_ROW = 24;                    /* height where there is room */
static const struct view_length ALPHA_ROW_MIN = {.near = 15.5f, .far = 24}; /* below the charts */
static const struct view_length LINE = {.near = 14.5f, .far = 22};          /* of charts above α */
static const float PRINTED_LINE = 17, LINE_ALONE = 13;
static const float SQUEEZED = 60;         /* height of rows that have no numbers */
static const float GAP = 20, GAP_MIN = 8; /* between charts and α */
enum { ALPHA_ROWS_MAX = 16 };             /* more rows have no numbers anyway */

/* Says whether a part gives way: in a figure smaller letters make room instead. */
static bool gave(const struct view *view, const struct box_tree *tree, enum view_stage_gives part)
{
    return view->style.has_controls && box_gave(tree, part);
}

static struct box_range lines_height(const struct box_tree *tree, const struct box *box,
                                     enum box_axis axis)
{
    const struct view *const view = box->user;
    const float keys = (float)lab_trace_sizes(view->trace).m;
    const float alone = !box_gave(tree, STAGE_BOTH)        ? view_length(view, LINE)
                        : box_gave(tree, STAGE_AIRY_LINES) ? LINE_ALONE
                                                           : LINE.near;
    const float line = view->style.has_controls ? alone : PRINTED_LINE;
    const float min = line * keys;
    const float tallest = VIEW_CHARTS_LINE * view_length(view, (struct view_length){1, 2});
    return axis == BOX_ACROSS
               ? (struct box_range){0}
               : (struct box_range){box_gave(tree, STAGE_NUMBERS) ? fminf(min, SQUEEZED) : min,
                                    tallest * keys, 0};
}

/* The height that names above α need more than a level line of them. */
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
    return fmaxf(0, view_words_above(view, &above) - (ALPHA_NAMES - 6));
}

static struct box_range alpha_height(const struct box_tree *tree, const struct box *box,
                                     enum box_axis axis)
{
    const struct view *const view = box->user;
    const size_t rows = lab_trace_sizes(view->trace).n;
    const bool alone = box_gave(tree, STAGE_BOTH), may_lack = alone && rows > ALPHA_ROWS_MAX;
    const bool is_tight = gave(view, tree, STAGE_ALPHA_TITLE) && (alone || !view->style.is_far);
    const bool sums = !view->is_signed && !gave(view, tree, STAGE_SUMS);
    if (axis == BOX_ACROSS) {
        return (struct box_range){0};
    }
    const float number = view_number_sizes(view, true, true).min;
    const bool is_titled = alone && !gave(view, tree, STAGE_ALPHA_TITLE);
    const float row = is_titled ? TITLED_ROW
                      : alone   ? view_number_cell_height(view, number)
                                : view_length(view, ALPHA_ROW_MIN);
    const float min = row * (float)rows;
    const float around = ALPHA_NAMES + (is_tight ? 0 : ALPHA_TITLE) + (sums ? VIEW_STRIP_HIGH : 0) +
                         names_higher(view, box->at.w);
    const bool lacks = may_lack || box_gave(tree, STAGE_NUMBERS);
    return (struct box_range){
        fmaxf(around + (lacks ? fminf(min, SQUEEZED) : min), is_titled ? TITLED_MIN : 0),
        around + ALPHA_ROW * (float)rows, 0};
}

static void add_height(struct box_tree *tree, uint8_t until, float high)
{
    box_add(tree, &(struct box){.kind = BOX_LEAF, .until = until, .high = {high, high, high}});
}

struct box *view_softmax_add(const struct view *view, struct box_tree *tree,
                             struct view_softmax_boxes *boxes)
{
    const bool has_scores = lab_trace_part(view->trace, LAB_SCORES, 0).values != NULL;
    const bool whole = view->state->prefs.whole_alpha;
    const bool may_give = view->style.has_controls;
    struct box *const all =
        box_open(tree, &(struct box){.kind = BOX_COLUMN, .high = {.max = TALL}, .weight = 1});
    *boxes = (struct view_softmax_boxes){0};
    if (has_scores) {
        boxes->heading =
            box_add(tree, &(struct box){.kind = BOX_LEAF, .high = {HEADING, HEADING, HEADING}});
        boxes->row =
            box_open(tree, &(struct box){.kind = BOX_COLUMN, .until = whole ? STAGE_BOTH : 0});
        add_height(tree, 0, VIEW_CHARTS_TITLES);
        add_height(tree, may_give ? STAGE_FORMULAS : 0, VIEW_CHARTS_FORMULAS);
        box_add(tree, &(struct box){.kind = BOX_LEAF, .measure = lines_height, .user = view});
        add_height(tree, may_give ? STAGE_SUMS : 0, VIEW_CHARTS_FOOT);
        box_close(tree);
        box_add(tree,
                &(struct box){.kind = BOX_LEAF,
                              .until = STAGE_BOTH,
                              .high = {may_give && !view->style.is_far ? GAP_MIN : GAP, GAP, GAP}});
    }
    boxes->alpha = box_add(tree, &(struct box){.kind = BOX_LEAF,
                                               .until = has_scores && !whole ? STAGE_BOTH : 0,
                                               .measure = alpha_height,
                                               .high = {.max = TALL},
                                               .weight = 1,
                                               .user = view});
    box_close(tree);
    return all;
}

/* --- the panel ------------------------------------------------------------------------------- */

static const float HEADLINE = 44, SENTENCE = 18; /* heights in the header */
static const float AIR = 14, AIR_FROM = 300;     /* below the sentence in panels that are higher */
static const float LOW_TOP = 14;                 /* above a body without header */
static const float BODY_OF_BAR = 3; /* a body is so many times as high as its toolbar */
static const float COMPARED = 186;  /* two sides below a sentence */
/* The body below a header is at least so high; numbers in higher ones have room anyway. Below a
 * headline without its sentence it is higher: a headline alone is worth less. */
static const struct view_length BODY_MIN = {.near = 128, .far = 328};
static const float BODY_ENOUGH = 308, WITHOUT_SENTENCE = 16;
static const float ROW = 13.5f, AROUND_ROWS = 96, TABS = 34;

/* The rows of a stage of products, with only a few of operands that are too high to be read; 0:
 * there are too many, or there is no product. */
static size_t rows_of_products(const struct view *view)
{
    enum { TALLEST = 16, LITTLE = 6 };
    const enum lab_stage stage = view->state->playback.stage;
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const size_t above = stage == LAB_PROJECT  ? sizes.d_model
                         : stage == LAB_SCORE  ? sizes.d_k
                         : stage == LAB_BLEND  ? sizes.m
                         : stage == LAB_OUTPUT ? sizes.heads * sizes.d_v
                                               : 0;
    return stage == LAB_SOFTMAX || sizes.n > TALLEST ? 0
                                                     : sizes.n + (above > TALLEST ? LITTLE : above);
}

static float height_of_products(const struct view *view)
{
    const enum lab_stage stage = view->state->playback.stage;
    const size_t rows = rows_of_products(view);
    const float tabs = stage == LAB_PROJECT || stage == LAB_SCALE ? TABS : 0;
    return rows > 0 ? AROUND_ROWS + ROW * (float)rows + tabs : 0;
}

/* The least height of a body below a header, whose products are so high with all numbers. */
static float body_below_header(const struct view *view, float products)
{
    const float numbers = view->style.is_far ? 0 : fminf(products, BODY_ENOUGH);
    return fmaxf(view_length(view, BODY_MIN), numbers);
}

static void add_header(const struct view *view, struct box_tree *tree, float high)
{
    const bool flow = view->state->prefs.display.flow;
    const bool stays = view->baseline != NULL || flow; /* its switch is there */
    if (flow && view->style.is_far && view->baseline == NULL) {
        add_height(tree, 0, LOW_TOP);
        return;
    }
    box_open(tree, &(struct box){.kind = BOX_COLUMN, .until = stays ? 0 : STAGE_HEADLINE});
    add_height(tree, 0, HEADLINE);
    add_height(tree, STAGE_SENTENCE, SENTENCE + (high > AIR_FROM ? AIR : 0));
    box_close(tree);
    if (!stays) {
        box_add(tree, &(struct box){.kind = BOX_LEAF,
                                    .from = STAGE_HEADLINE,
                                    .high = {LOW_TOP, LOW_TOP, LOW_TOP}});
    }
}

/* What is as high as the body is at least, as long as something has not given way. */
static void add_least(struct box_tree *tree, uint8_t until, float high)
{
    box_add(tree, &(struct box){.kind = BOX_LEAF, .until = until, .high.min = high});
}

static struct box *add_body(const struct view *view, struct box_tree *tree, float bar)
{
    const struct view_state *const state = view->state;
    const bool flow = state->prefs.display.flow;
    const bool softmax = state->playback.stage == LAB_SOFTMAX && !flow && view->baseline == NULL &&
                         view_block_way(view) == NULL &&
                         !view_tiles_are_shown(view->trace, LAB_SOFTMAX) &&
                         lab_trace_lacks(view->trace, LAB_SOFTMAX) == NULL;
    const float products = flow || view->baseline != NULL ? 0 : height_of_products(view);
    struct view_softmax_boxes inside;
    struct box *const body =
        box_open(tree, &(struct box){.kind = BOX_ROW, .high = {.max = TALL}, .weight = 1});
    box_open(tree,
             &(struct box){
                 .kind = BOX_COLUMN, .wide = {.max = TALL}, .high = {.max = TALL}, .weight = 1});
    if (softmax) {
        view_softmax_add(view, tree, &inside);
        add_height(tree, 0, view_aside_height(view));
    } else {
        add_least(tree, STAGE_NUMBERS, state->playback.stage == LAB_BLEND ? products : 0);
    }
    box_close(tree);
    const float below = body_below_header(view, products);
    add_least(tree, STAGE_HEADLINE, below);
    box_add(tree, &(struct box){.kind = BOX_LEAF,
                                .from = STAGE_SENTENCE,
                                .until = STAGE_HEADLINE,
                                .high.min = below + WITHOUT_SENTENCE});
    box_add(tree, &(struct box){.kind = BOX_LEAF,
                                .from = STAGE_TOOLBAR,
                                .until = STAGE_SENTENCE,
                                .high.min = below + AIR});
    add_least(tree, STAGE_SENTENCE, view->baseline != NULL ? COMPARED : 0);
    add_least(tree, STAGE_TOOLBAR, BODY_OF_BAR * bar);
    box_close(tree);
    return body;
}

struct view_stage_parts view_stage_place(struct view *view, struct rect area, float edge,
                                         float foot, float bar)
{
    struct box_tree tree = view_boxes(view, STAGE_GIVES);
    struct box *const root = box_open(
        &tree, &(struct box){.kind = BOX_COLUMN, .left = edge, .right = edge, .bottom = foot});
    add_header(view, &tree, area.h);
    const struct box *const body = add_body(view, &tree, bar);
    add_height(&tree, STAGE_TOOLBAR, bar);
    box_close(&tree);
    box_fit(&tree, root, area);
    const bool flow = view->state->prefs.display.flow;
    const bool stays = view->baseline != NULL || (flow && !view->style.is_far);
    const bool headline = stays || (!flow && !box_gave(&tree, STAGE_HEADLINE));
    return (struct view_stage_parts){
        .body = body->at,
        .headline = headline,
        .sentence = headline && !box_gave(&tree, STAGE_SENTENCE),
        .toolbar = bar > 0 && !box_gave(&tree, STAGE_TOOLBAR),
    };
}

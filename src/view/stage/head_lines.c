/* A head as lines between two columns of tokens: queries at the left, keys at the right, and lines
 * as strong as their weights. For the chosen query the other heads are overlaid in their own
 * colours. */
#include "view/stage/head_lines.h"

#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/colours.h"
#include "view/parts/pieces.h"

static const float WORDS_MAX = 120; /* width limit of labels beside the lines */
static const float SWATCH = 12, SWATCH_GAP = 6;
static const float THICK = 7;      /* width of a line with weight 1 */
static const float FAINT = 0.012f; /* smaller weights are not drawn */
static const float APART = 3;      /* between the lines of two heads from one token to another */

/* Chosen after Okabe and Ito, so that colour-blind readers can tell them apart; the ninth head
 * starts again. */
static const unsigned head_colours[] = {0x0072B2, 0xD9730D, 0x00875F, 0xA6418C,
                                        0x56B4E9, 0xE0A800, 0x8C564B, 0x5B6470};

static struct colour head_colour(const struct view *view, size_t head)
{
    const size_t place = head % (sizeof head_colours / sizeof *head_colours);
    if (view->ui->theme->grey) {
        const unsigned level = 0x14 + 0x16 * (unsigned)place; /* one step per colour */
        return colour_hex((level & 0xff) * 0x10101);
    }
    return colour_hex(head_colours[place]);
}

struct columns {
    float left, right; /* x of the ends of the lines */
    float top;         /* top of the rows */
    float left_step, right_step;
    size_t n, m;
    float offset; /* by which lines are moved down */
};

static float row_y(float top, float step, size_t row)
{
    return top + ((float)row + 0.5f) * step;
}

/* The distance of a head's lines from the middle of its row: overlaid heads run side by side, so
 * that none covers another. */
static float line_offset(const struct view *view, const struct columns *at, size_t head)
{
    const float heads = (float)lab_trace_sizes(view->trace).heads;
    const float apart = fminf(APART, 0.7f * fminf(at->left_step, at->right_step) / heads);
    return view->emphasis ? ((float)head - (heads - 1) / 2) * apart : 0;
}

static void draw_line(struct view *view, const struct columns *at, size_t i, size_t j, float weight,
                      struct colour colour, float strength)
{
    const float thick = fmaxf(THICK * weight, 0.6f);
    const float seen = fminf(1, 0.15f + 0.85f * sqrtf(weight)) * strength;
    canvas_line(view->ui->canvas, at->left, row_y(at->top, at->left_step, i) + at->offset,
                at->right, row_y(at->top, at->right_step, j) + at->offset, thick,
                colour_fade(colour, seen));
}

static void draw_query_lines(struct view *view, const struct columns *at, size_t head, size_t i,
                             struct colour colour, float strength)
{
    const struct lab_matrix alpha = view_weights(view, head);
    for (size_t j = 0; alpha.values != NULL && j < at->m; j++) {
        const float value = lab_matrix_at(&alpha, i, j);
        const float weight = fminf(1, fabsf(value) / view->share_top);
        const struct colour own =
            view->is_signed ? view_share_colour(view, copysignf(view->share_top, value)) : colour;
        const bool back = view_filtered_out(view, VIEW_AXIS_KEYS, j, j + 1) ||
                          view_filtered_out(view, VIEW_AXIS_QUERIES, i, i + 1);
        if (weight > FAINT && strength > 0) {
            draw_line(view, at, i, j, weight, own, back ? strength * 0.2f : strength);
        }
    }
}

static void draw_all_lines(struct view *view, const struct columns *at)
{
    const struct lab_selection chosen = view->selection;
    const size_t heads = lab_trace_sizes(view->trace).heads;
    const bool several = heads > 1;
    const struct colour own = several ? head_colour(view, chosen.head) : view->ui->theme->query;
    for (size_t i = 0; i < at->n; i++) {
        const bool kept = lab_places_has(&view->state->prefs.display.queries, i);
        if (kept) {
            draw_query_lines(view, at, chosen.head, i, own, 1);
        } else if (!view->emphasis || i != chosen.query) {
            draw_query_lines(view, at, chosen.head, i, own, view->emphasis ? 0.18f : 0.7f);
        }
    }
    struct columns moved = *at;
    for (size_t head = 0; several && view->emphasis && head < heads; head++) {
        if (head != chosen.head) {
            moved.offset = line_offset(view, at, head);
            draw_query_lines(view, &moved, head, chosen.query, head_colour(view, head), 0.6f);
        }
    }
    if (view->emphasis) {
        moved.offset = line_offset(view, at, chosen.head);
        draw_query_lines(view, &moved, chosen.head, chosen.query, own, 1);
    }
}

/* Chooses the token under the pointer on one side. */
static void choose_pointed_word(struct view *view, const struct columns *at, struct rect area,
                                bool queries)
{
    const struct rect side =
        queries
            ? (struct rect){area.x, at->top, at->left - area.x + 6, at->left_step * (float)at->n}
            : (struct rect){at->right - 6, at->top, area.x + area.w - at->right + 6,
                            at->right_step * (float)at->m};
    const struct ui_touch touch =
        ui_touch(view->ui, ui_id(view->ui, queries ? "left words" : "right words"), side, false);
    if (!touch.hover && !touch.clicked) {
        return;
    }
    const float step = queries ? at->left_step : at->right_step;
    const size_t count = queries ? at->n : at->m;
    const float row = fmaxf(0, (view->ui->input->y - at->top) / step);
    const size_t index = (size_t)row < count ? (size_t)row : count - 1;
    struct lab_selection to = view->selection;
    *(queries ? &to.query : &to.key) = index;
    view_choose(view, queries ? VIEW_QUERY : VIEW_KEY, to, touch.clicked);
}

/* Draws a swatch for each head, which a click chooses. Returns the height of the row. */
static float draw_swatches(struct view *view, struct rect area)
{
    const size_t heads = lab_trace_sizes(view->trace).heads;
    const float wide = (float)heads * (SWATCH + SWATCH_GAP);
    const bool one =
        !view->style.has_controls && !view->emphasis; /* the chosen head alone is drawn */
    if (heads < 2 || wide > area.w || one) {
        return 0;
    }
    for (size_t head = 0; head < heads; head++) {
        const struct rect swatch = {area.x + (float)head * (SWATCH + SWATCH_GAP), area.y, SWATCH,
                                    SWATCH};
        const uint32_t id = ui_id_number(view->ui, "swatch", head);
        const bool current = head == view->selection.head;
        canvas_rect(view->ui->canvas, swatch, 3, &(struct paint){.fill = head_colour(view, head)});
        if (current) {
            canvas_rect(view->ui->canvas, rect_inset(swatch, -2.5f), 4,
                        &(struct paint){.stroke = view->ui->theme->ink, .width = 1.5f});
        }
        const struct ui_touch touch = ui_touch(view->ui, id, rect_inset(swatch, -3), false);
        const char *tip = arena_words(view->arena, "Head %zu of %zu", head + 1, heads);
        ui_tip(view->ui, id, swatch, tip);
        if (touch.hover || touch.clicked) {
            struct lab_selection to = view->selection;
            to.head = head;
            view_choose(view, VIEW_HEAD, to, touch.clicked);
        }
    }
    return SWATCH + 12;
}

/* The width of the heading above the labels of a side. */
static float heading_width(const struct view *view, const char *heading)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, tr(heading));
}

void view_head_lines(struct view *view, struct rect area)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const char *const *queries = lab_trace_queries(view->trace);
    const char *const *keys = lab_trace_keys(view->trace);
    const float width_max = fminf(WORDS_MAX, area.w * 0.3f);
    const float left_words = fmaxf(view_words_width(view, queries, sizes.n, width_max),
                                   !view->style.has_controls ? heading_width(view, "queries") : 0);
    const float right_words = fmaxf(view_words_width(view, keys, sizes.m, width_max),
                                    !view->style.has_controls ? heading_width(view, "keys") : 0);
    const float swatches = draw_swatches(view, area);
    const float head = 20;
    const float room = area.h - swatches - head;
    if (room < 20 || area.w < 80) {
        return;
    }
    const float inner = fminf(area.w - left_words - right_words - 28, 420);
    const float x = area.x + (area.w - inner - left_words - right_words - 28) / 2;
    struct columns at = {.left = x + left_words + 14,
                         .top = area.y + swatches + head,
                         .left_step = fminf(34, room / (float)sizes.n),
                         .right_step = fminf(34, room / (float)sizes.m),
                         .n = sizes.n,
                         .m = sizes.m};
    at.right = at.left + inner;
    struct canvas *canvas = view->ui->canvas;
    const struct colour muted = view->ui->theme->muted;
    canvas_text(canvas, at.left - 10, at.top - 8, FONT_WORDS, UI_TEXT_TINY, muted, CANVAS_RIGHT,
                tr("queries"));
    canvas_text(canvas, at.right + 10, at.top - 8, FONT_WORDS, UI_TEXT_TINY, muted, CANVAS_LEFT,
                tr("keys"));
    canvas_group(canvas, ui_id(view->ui, "lines"), "Lines");
    draw_all_lines(view, &at);
    canvas_ungroup(canvas);
    view_words_of_rows(view,
                       &(struct view_words){.words = queries,
                                            .count = sizes.n,
                                            .from = at.top,
                                            .step = at.left_step,
                                            .at = at.left - 10,
                                            .room = left_words,
                                            .anchor = CANVAS_RIGHT,
                                            .chosen = view_chosen(view, view->selection.query),
                                            .colour = view->ui->theme->query,
                                            .highlighted = &view->state->prefs.display.queries});
    view_words_of_rows(view, &(struct view_words){.words = keys,
                                                  .count = sizes.m,
                                                  .from = at.top,
                                                  .step = at.right_step,
                                                  .at = at.right + 10,
                                                  .room = right_words,
                                                  .anchor = CANVAS_LEFT,
                                                  .chosen = view_chosen(view, view->selection.key),
                                                  .colour = view->ui->theme->key});
    choose_pointed_word(view, &at, area, true);
    choose_pointed_word(view, &at, area, false);
}

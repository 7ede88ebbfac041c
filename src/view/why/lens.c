/* The lens: what the model would say if it ended behind each of its parts, at each word; and how
 * likely the word that is asked about is by then. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float EDGE = 14, LABEL = 74, TOP_LABEL = 20, COLUMN_MIN = 58;
static const float COLUMN_ONE_LINE = 80; /* for a word and its share beside each other */
static const float CURVE = 96, CURVE_LOW = 72, CURVE_FROM = 290, LOW = 380, ROW_MIN = 13,
                   ROW_MAX = 76, TWO_LINES = 34;
static const float TWO_LINES_DENSE = 30; /* on paper, and in presenter mode */

struct grid {
    struct rect cells;
    float wide, high;
    size_t first, columns; /* words */
    size_t step, rows;     /* every so many stages, counted from the last */
};

/* The height of a cell from which a share stands below its word. */
static float two_lines(const struct view *view)
{
    return view->style.has_controls && !view->style.is_far ? TWO_LINES : TWO_LINES_DENSE;
}

static size_t stage_of(const struct view_why_answer *answer, const struct grid *grid, size_t row)
{
    return 2 * answer->layers - row * grid->step;
}

static struct grid lay_out(const struct view *view, const struct view_why_answer *answer,
                           struct rect area, float below)
{
    const float top = why_header(view) + TOP_LABEL + 4;
    struct grid grid = {.cells = {area.x + EDGE + LABEL, area.y + top, area.w - 2 * EDGE - LABEL,
                                  fmaxf(area.h - top - below - 10, 1)},
                        .step = 1};
    const size_t stages = 2 * answer->layers + 1;
    const size_t most = (size_t)fmaxf(1, grid.cells.h / ROW_MIN);
    const size_t words = answer->position + 1;
    while ((stages + grid.step - 1) / grid.step > most) {
        grid.step++;
    }
    grid.step += grid.step > 1 && grid.step % 2 == 1 ? 1 : 0; /* whole layers */
    grid.rows = (stages - 1) / grid.step + 1;
    grid.high = fminf(ROW_MAX, grid.cells.h / (float)grid.rows);
    const bool two = grid.high - 3 >= two_lines(view); /* else a share stands beside its word */
    const size_t fit = (size_t)fmaxf(1, grid.cells.w / (two ? COLUMN_MIN : COLUMN_ONE_LINE));
    grid.columns = fit < words ? fit : words;
    grid.first = words - grid.columns;
    grid.wide = grid.cells.w / (float)grid.columns;
    return grid;
}

const char *why_stage_name(struct view *view, size_t stage)
{
    const char *const name =
        stage == 0 ? tr("embedding")
                   : arena_words(view->arena, stage % 2 == 1 ? tr("attention %zu") : "MLP %zu",
                                 (stage - 1) / 2);
    return name == NULL ? "" : name;
}

static float share_size(const struct view *view)
{
    return view->style.is_far ? view->style.small : UI_TEXT_TINY;
}

static void draw_cell(struct view *view, const struct view_why_answer *answer,
                      const struct grid *grid, size_t row, size_t column)
{
    struct canvas *const canvas = view->ui->canvas;
    const size_t stage = stage_of(answer, grid, row), place = grid->first + column;
    const size_t index = stage * answer->n + place;
    const struct view_why_word *const top = &answer->lens[index * answer->top];
    const struct rect cell = {grid->cells.x + (float)column * grid->wide,
                              grid->cells.y + (float)row * grid->high, grid->wide - 3,
                              grid->high - (grid->high > 16 ? 3 : 1)};
    const struct colour fill = colourmap_colour(view->state->prefs.weights_map, (float)top->share);
    const struct colour ink = colour_ink_on(fill);
    const uint32_t id = ui_id_number(view->ui, "lens", index);
    const struct ui_touch touch = ui_touch(view->ui, id, cell, false);
    const bool is_selected = view->style.has_marks && view->state->why_cell == index + 1;
    const bool two = cell.h >= two_lines(view);
    const float below = view->style.is_far ? 14 : 15; /* from a word's base line to its share's */
    const float middle = cell.x + cell.w / 2, base = cell.y + cell.h / 2 +
                                                     (!two                 ? 4
                                                      : cell.h < TWO_LINES ? 11.5f - below
                                                                           : -2);
    canvas_group(canvas, id, top->word);
    canvas_rect(canvas, cell, fminf(4, cell.h / 4), &(struct paint){.fill = fill});
    const char *const share =
        arena_words(view->arena, "%s %%", why_number(view, top->share * 100, 0));
    const char *const both = arena_words(view->arena, "%s %s", top->word, share);
    const bool beside =
        !two && both != NULL &&
        canvas_measure(canvas, FONT_WORDS_MEDIUM, view->style.small, both) <= cell.w - 4;
    canvas_text_cut(canvas, middle, base, FONT_WORDS_MEDIUM, view->style.small, ink, CANVAS_CENTRE,
                    beside ? both : top->word, cell.w - 4);
    if (two) {
        canvas_text(canvas, middle, base + below, FONT_NUMBERS, share_size(view), ink,
                    CANVAS_CENTRE, share == NULL ? "" : share);
    }
    if (is_selected || touch.hover) {
        canvas_rect(
            canvas, rect_inset(cell, -2), 6,
            &(struct paint){.stroke = is_selected ? view->ui->theme->ink : view->ui->theme->accent,
                            .width = 2});
    }
    ui_tip(view->ui, id, cell,
           arena_words(view->arena,
                       tr("Behind “%s”, if it ended after %s: “%s” with %s. A click shows the ten "
                          "likeliest"),
                       answer->words[place], why_stage_name(view, stage), top->word,
                       why_percent(view, top->share)));
    canvas_ungroup(canvas);
    if (touch.clicked) {
        view_action_set(view, why_cell, is_selected ? 0 : index + 1);
    }
}

static void draw_labels(struct view *view, const struct view_why_answer *answer,
                        const struct grid *grid)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    for (size_t c = 0; c < grid->columns; c++) {
        const size_t place = grid->first + c;
        const bool asked = place == answer->position;
        canvas_text_cut(canvas, grid->cells.x + ((float)c + 0.5f) * grid->wide, grid->cells.y - 7,
                        asked ? FONT_WORDS_BOLD : FONT_WORDS, view->style.small,
                        asked ? theme->accent : view_label_ink(view), CANVAS_CENTRE,
                        answer->words[place], grid->wide - 4);
    }
    for (size_t r = 0; r < grid->rows; r++) {
        view_text_whole(view, grid->cells.x - 8, grid->cells.y + ((float)r + 0.5f) * grid->high + 3,
                        FONT_WORDS, share_size(view), view_label_ink(view), CANVAS_RIGHT,
                        why_stage_name(view, stage_of(answer, grid, r)), LABEL - 6);
    }
}

/* The axis below the curve: a tick for each part, named where there is room, so that nobody takes
 * it for one of words. */
static void draw_axis(struct view *view, const struct point *point, size_t stages, float base)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    static const float ROOM = 26;
    const float apart = point[1].x - point[0].x;
    const size_t every = (size_t)fmaxf(1, ceilf(ROOM / apart));
    canvas_line(canvas, point[0].x, base, point[stages - 1].x, base, 1, theme->line);
    for (size_t s = 0; s < stages; s++) {
        const bool is_named = (stages - 1 - s) % every == 0;
        const char *const name =
            s == 0 ? "emb"
                   : arena_words(view->arena, s % 2 == 1 ? "att %zu" : "MLP %zu", (s - 1) / 2);
        canvas_line(canvas, point[s].x, base, point[s].x, base + (is_named ? 4 : 2), 1,
                    theme->muted);
        if (is_named) {
            view_text_whole(view, point[s].x, base + 15, FONT_WORDS, UI_TEXT_TINY,
                            view_label_ink(view), CANVAS_CENTRE, name == NULL ? "" : name,
                            apart * (float)every - 3);
        }
    }
}

/* A share above its point; before a rise it stands left of it, so that the curve does not cross it,
 * and the first one behind the name of the curve. Returns its left end; draws: else it only says
 * where it would end. */
static float place_share(struct view *view, const char *share, const struct point *point,
                         bool is_first, bool draws, float *end)
{
    static const float ABOVE = 7, BESIDE = 4;
    struct canvas *const canvas = view->ui->canvas;
    const float size = share_size(view), wide = canvas_measure(canvas, FONT_NUMBERS, size, share);
    const bool rises = point[1].y < point[0].y - ABOVE;
    const float x = is_first ? point->x : rises ? point->x + BESIDE - wide : point->x - wide / 2;
    if (draws) {
        canvas_text(canvas, x, point->y - ABOVE, FONT_NUMBERS, size, view->ui->theme->query,
                    CANVAS_LEFT, share);
    }
    *end = x + wide;
    return x;
}

/* The shares of every so many parts, counted from the last, which has its own; draws: else they are
 * only measured. Returns whether they have room beside each other. */
static bool place_shares(struct view *view, const struct view_why_answer *answer,
                         const struct point *point, size_t every, bool draws)
{
    static const float APART = 4;
    const size_t last = 2 * answer->layers;
    float before = -INFINITY, end = 0;
    bool fit = true;
    for (size_t s = last % every; s < last; s += every) {
        const char *const share =
            arena_words(view->arena, "%s %%", why_number(view, answer->lens_share[s] * 100, 0));
        fit = share != NULL &&
              place_share(view, share, &point[s], s == 0, draws, &end) >= before + APART && fit;
        before = end;
    }
    return fit;
}

static void draw_shares(struct view *view, const struct view_why_answer *answer,
                        const struct point *point)
{
    size_t every = 1;
    while (every < 2 * answer->layers && !place_shares(view, answer, point, every, false)) {
        every++;
    }
    (void)place_shares(view, answer, point, every, true);
}

/* How likely the word is by then, from the embedding to the last part. */
static void draw_curve(struct view *view, const struct view_why_answer *answer, struct rect area)
{
    static const float ABOVE = 18, BELOW = 22, END = 56;
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const size_t stages = 2 * answer->layers + 1;
    struct point *const point = arena_array(view->arena, stages, sizeof *point);
    const char *const name = arena_words(view->arena, "p(%s)", answer->word.word);
    const float x = area.x + LABEL, wide = area.w - LABEL - END, base = area.y + area.h - BELOW;
    const float high = base - area.y - ABOVE;
    if (point == NULL || name == NULL) {
        return;
    }
    for (size_t s = 0; s < stages; s++) {
        point[s] = (struct point){x + wide * (float)s / (float)(stages - 1),
                                  base - high * (float)answer->lens_share[s]};
    }
    canvas_group(canvas, ui_id(view->ui, "curve"), name);
    draw_axis(view, point, stages, base);
    canvas_path(canvas, point, stages, false, &(struct paint){.stroke = theme->query, .width = 2});
    for (size_t s = 0; s < stages && stages <= 25; s++) {
        canvas_circle(canvas, point[s].x, point[s].y, 2.5f, &(struct paint){.fill = theme->query});
    }
    draw_shares(view, answer, point);
    view_text_whole(view, area.x, base + 4, FONT_NUMBERS_BOLD, view->style.small, theme->query,
                    CANVAS_LEFT, name, LABEL - 10);
    canvas_text(canvas, area.x + area.w, point[stages - 1].y + 4, FONT_NUMBERS_BOLD,
                view->style.small, theme->query, CANVAS_RIGHT,
                why_percent(view, answer->lens_share[stages - 1]));
    canvas_ungroup(canvas);
}

/* How many of the words have a column, where not all have, and what is changed; where a long hint
 * lacks room the number stays. */
static const char *hint_of(struct view *view, const struct why_frame *frame,
                           const struct grid *grid, float room)
{
    const size_t words = frame->answer->position + 1;
    const char *const with = why_with_hint(view, frame);
    if (grid->columns == words) {
        return with[0] == '\0' ? "after each part, at each word" : with;
    }
    const char *const part = arena_words(view->arena, tr("the last %zu of %zu words"),
                                         grid->columns, words),
                      *const both = part == NULL || with[0] == '\0'
                                        ? part
                                        : arena_words(view->arena, "%s · %s", part, with),
                      *const few = arena_words(view->arena, tr("%zu of %zu"), grid->columns, words);
    const char *const texts[] = {both, part, few};
    for (size_t t = 0; t < 3; t++) {
        if (texts[t] != NULL &&
            canvas_measure(view->ui->canvas, FONT_WORDS, view->style.small, texts[t]) <= room) {
            return texts[t];
        }
    }
    return "";
}

/* Says whether the panel is a narrow column of a page, where texts give way. */
static bool is_tight(const struct view *view, float width)
{
    static const float TIGHT = 560;
    return !view->style.has_controls && !view->style.is_far && width < TIGHT;
}

static float curve_height(const struct view *view, float width, float high)
{
    static const float TIGHT = 78;
    return is_tight(view, width)                    ? TIGHT
           : view->style.has_controls && high < LOW ? CURVE_LOW
                                                    : CURVE;
}

float view_why_lens_height(struct view *view, const struct why_frame *frame, float width)
{
    static const float PRINTED = 40, PRINTED_TIGHT = 35, PRINTED_MIN = 16;
    enum { FEW = 9 };
    const size_t stages = 2 * frame->answer->layers + 1;
    return why_header(view) + TOP_LABEL + 14 + curve_height(view, width, LOW) +
           (float)stages * (stages > FEW            ? PRINTED_MIN
                            : is_tight(view, width) ? PRINTED_TIGHT
                                                    : PRINTED);
}

void view_why_lens(struct view *view, const struct why_frame *frame, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_why_answer *const answer = frame->answer;
    const bool has_curve = area.h >= CURVE_FROM || !view->style.has_controls;
    const struct grid grid =
        lay_out(view, answer, area, has_curve ? curve_height(view, area.w, area.h) : 0);
    const float room =
        area.w - 52 -
        canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, tr("What it would say now"));
    view_panel(view, area, "What it would say now");
    view_panel_header(view, area, "What it would say now", hint_of(view, frame, &grid, room));
    canvas_clip(canvas, area);
    if (answer->lens != NULL) {
        draw_labels(view, answer, &grid);
        for (size_t r = 0; r < grid.rows; r++) {
            for (size_t c = 0; c < grid.columns; c++) {
                draw_cell(view, answer, &grid, r, c);
            }
        }
    } else {
        view_wrapped(view, area.x + EDGE, area.y + 70, area.w - 2 * EDGE, view->style.small,
                     view->ui->theme->muted,
                     tr(answer->done > 0 ? "This text and this model are too large for the table "
                                           "here: attnscope why computes it."
                        : frame->why->is_given_up ? "It was cancelled."
                                                  : "computing…"));
    }
    if (answer->lens != NULL && has_curve) {
        const float high = curve_height(view, area.w, area.h);
        draw_curve(
            view, answer,
            (struct rect){area.x + EDGE, area.y + area.h - high - 4, area.w - 2 * EDGE, high});
    }
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

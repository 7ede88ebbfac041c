/* Draws what each part adds to the logit, beside what is lost without it. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float FOOT_LINE = 17, FOOT_GAP = 16, ROW = 38, ROW_MIN = 22;
static const float ROW_PRINTED = 26, ROW_TIGHT = 19.5f, TIGHT = 300;
static const float EDGE = 14, NAME = 0.24f, NAME_MAX = 0.4f, NAME_NARROW = 0.28f, NUMBER = 52,
                   PILL = 84, PILL_HIGH = 22;
enum { PRINTED_MAX = 30 }; /* parts of a figure that have a row of their own */

struct layout {
    struct rect list; /* of all rows */
    float row;        /* height of one */
    float name;       /* width of their names */
    float zero, unit; /* where bars begin, and a logit in points */
    float pill;       /* the left edge of what is lost without it, */
    float pill_wide;  /* and its width */
    size_t rows;      /* parts that have one */
    bool scrolls;
};

static const char *foot_text(struct view *view, const struct why_frame *frame)
{
    const char *const sum = arena_words(
        view->arena,
        tr("Σ %s, of which the remainder is %s. The final norm divides all parts by one number."),
        why_number(view, frame->answer->logit, 2), why_number(view, frame->answer->remainder, 4));
    return why_with_foot(view, frame, sum);
}

static float foot_height(struct view *view, const struct why_frame *frame, float width)
{
    return FOOT_GAP +
           fmaxf(FOOT_LINE, view_wrapped_height(view, width - 2 * EDGE - 12, view->style.small,
                                                foot_text(view, frame)));
}

/* In a column of a page its rows and numbers have less around them. */
static bool is_tight(const struct view *view, float width)
{
    return !view->style.has_controls && !view->style.is_far && width < TIGHT;
}

/* In a narrow panel of a window names and switches give room to the bars. */
static bool is_narrow(const struct view *view, float width)
{
    static const float NARROW = 400;
    return view->style.has_controls && width < NARROW;
}

static float pill_width(const struct view *view, float width)
{
    static const float NARROW = 62;
    return width < TIGHT || is_narrow(view, width) ? NARROW : PILL;
}

static size_t printed_rows(const struct why_frame *frame)
{
    return frame->answer->parts < PRINTED_MAX ? frame->answer->parts : PRINTED_MAX;
}

float view_why_parts_height(struct view *view, const struct why_frame *frame, float width)
{
    const size_t rows = printed_rows(frame);
    const size_t lines = rows + (rows < frame->answer->parts ? 1 : 0);
    return why_header(view) + WHY_TITLES +
           (float)lines * (is_tight(view, width) ? ROW_TIGHT : ROW_PRINTED) +
           foot_height(view, frame, width);
}

/* As wide as the longest name, within a part of the row. */
static float name_width(const struct view *view, const struct why_frame *frame, float width)
{
    float widest = NAME * width;
    for (size_t p = 0; p < frame->answer->parts; p++) {
        const char *const name = tr(frame->answer->part[p].name);
        widest =
            fmaxf(widest, 18 + canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_BODY, name));
    }
    return fminf(widest, (is_narrow(view, width) ? NAME_NARROW : NAME_MAX) * width);
}

/* In the window all parts have a row, and the list scrolls; a figure names the rest in one. */
static struct layout lay_out(struct view *view, const struct why_frame *frame, struct rect area)
{
    const struct view_why_answer *const answer = frame->answer;
    const float top = why_header(view) + WHY_TITLES;
    struct layout layout = {.list = {area.x, area.y + top, area.w,
                                     fmaxf(area.h - top - foot_height(view, frame, area.w), 1)}};
    layout.rows = answer->parts;
    layout.name = name_width(view, frame, area.w);
    layout.row = fminf(ROW, layout.list.h / (float)answer->parts);
    const float least = is_tight(view, area.w) ? ROW_TIGHT - 0.5f : ROW_MIN;
    if (layout.row < ROW_MIN && view->style.has_controls) { /* whole rows alone are in sight */
        layout.row = layout.list.h / fmaxf(floorf(layout.list.h / ROW_MIN), 1);
        layout.scrolls = true;
    } else if (layout.row < least || answer->parts > PRINTED_MAX) {
        const size_t fit = (size_t)fmaxf(layout.list.h / least, 2) - 1;
        layout.rows = view->style.has_controls    ? answer->parts
                      : fit < printed_rows(frame) ? fit
                                                  : printed_rows(frame);
        layout.row = fminf(ROW, layout.list.h / (float)(layout.rows + 1));
    }
    double over = 0, under = 0;
    for (size_t p = 0; p < answer->parts; p++) {
        over = fmax(over, answer->part[p].adds);
        under = fmax(under, -answer->part[p].adds);
    }
    const float left = area.x + EDGE + layout.name;
    layout.pill_wide = pill_width(view, area.w);
    layout.pill = area.x + area.w - EDGE - layout.pill_wide;
    const float bars = fmaxf(layout.pill - left - NUMBER - 12, 10);
    layout.unit = over + under > 0 ? bars / (float)(over + under) : 0;
    layout.zero = left + (float)under * layout.unit;
    return layout;
}

/* The frame of a number that is a switch, in the window. */
static void draw_switch(struct view *view, const struct why_frame *frame, size_t part,
                        struct rect pill)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const bool is_off = why_is_off(frame, part);
    const uint32_t id = ui_id_number(view->ui, "lost without", part);
    const struct ui_touch touch = ui_touch(view->ui, id, pill, true);
    canvas_group(
        canvas, id,
        arena_words(view->arena, tr("Switch %s off or on"), frame->answer->part[part].name));
    canvas_rect(canvas, pill, 6,
                &(struct paint){.fill = is_off ? colour_mix(theme->panel, theme->accent, 0.25f)
                                        : touch.hover ? theme->control
                                                      : theme->panel,
                                .stroke = is_off ? theme->accent : theme->muted,
                                .width = 1});
    ui_draw_focus(view->ui, id, pill, 6);
    ui_tip(view->ui, id, pill,
           is_off ? "It is off: a click switches it on again"
                  : "What the logit loses when this part alone adds nothing, at all words: a click "
                    "switches it off");
    canvas_ungroup(canvas);
    if (touch.clicked) {
        why_switch(view, frame, part);
    }
}

/* Draws the number that is lost without it, as a switch where it can be switched. */
static void draw_lost(struct view *view, const struct why_frame *frame, size_t part,
                      struct rect pill)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why_part *const one = &frame->answer->part[part];
    const bool is_off = why_is_off(frame, part);
    const char *const words = is_off          ? tr("off")
                              : one->has_lost ? why_signed(view, one->lost)
                                              : "…";
    const bool weighs = one->has_lost && fabs(one->lost) > 0.1 * fabs(frame->answer->logit);
    if (view->style.has_controls && why_can_switch(frame, part)) {
        draw_switch(view, frame, part, pill);
    }
    canvas_text(view->ui->canvas, pill.x + pill.w / 2, pill.y + pill.h / 2 + 4,
                is_off   ? FONT_WORDS_MEDIUM
                : weighs ? FONT_NUMBERS_BOLD
                         : FONT_NUMBERS,
                view->style.small, theme->ink, CANVAS_CENTRE, words);
}

static void draw_bar(struct view *view, const struct layout *layout, struct rect row, double adds)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const float wide = (float)fabs(adds) * layout->unit, high = fminf(15, row.h * 0.45f);
    const float y = row.y + row.h / 2;
    const struct rect bar = {adds < 0 ? layout->zero - wide : layout->zero, y - high / 2,
                             fmaxf(wide, 1), high};
    canvas_rect(canvas, bar, fminf(3, wide / 2),
                &(struct paint){.fill = adds < 0 ? theme->muted : theme->query});
    canvas_text(canvas, layout->zero + (adds < 0 ? 0 : wide) + 8, y + 4, FONT_NUMBERS,
                view->style.small, theme->ink, CANVAS_LEFT, why_signed(view, adds));
}

static void draw_row(struct view *view, const struct why_frame *frame, const struct layout *layout,
                     size_t part, struct rect row)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why_part *const one = &frame->answer->part[part];
    const bool selected = frame->has_marks && part == frame->selected;
    const struct rect felt = {row.x + 6, row.y + 1, row.w - 12, row.h - 2};
    const uint32_t id = ui_id_number(view->ui, "part", part);
    const struct ui_touch touch = ui_touch(view->ui, id, felt, true);
    canvas_group(canvas, id, one->name);
    if (selected || touch.hover) {
        canvas_rect(canvas, felt, 6,
                    &(struct paint){.fill = selected
                                                ? theme->control
                                                : colour_mix(theme->panel, theme->control, 0.5f)});
    }
    view_text_whole(view, row.x + EDGE + 6, row.y + row.h / 2 + 4.5f,
                    selected ? FONT_WORDS_BOLD : FONT_WORDS, UI_TEXT_BODY,
                    selected ? theme->accent : theme->ink, CANVAS_LEFT, why_part_name(view, one),
                    layout->name - 8);
    draw_bar(view, layout, row, one->adds);
    ui_draw_focus(view->ui, id, felt, 6);
    canvas_ungroup(canvas);
    if (one->kind != VIEW_WHY_OTHER) {
        const float high = fminf(PILL_HIGH, row.h - 2);
        draw_lost(view, frame, part,
                  (struct rect){layout->pill, row.y + (row.h - high) / 2, layout->pill_wide, high});
    }
    if (touch.clicked) {
        why_select(view, part);
    }
}

/* The rest in one row. */
static void draw_others(struct view *view, const struct why_frame *frame,
                        const struct layout *layout, struct rect row)
{
    const size_t parts = frame->answer->parts, others = parts - layout->rows;
    double sum = 0;
    for (size_t p = layout->rows; p < parts; p++) {
        sum += frame->answer->part[frame->order[p]].adds;
    }
    const char *const words =
        arena_words(view->arena, tr_n("%zu other", "%zu others", others), others);
    canvas_text_cut(view->ui->canvas, row.x + EDGE + 6, row.y + row.h / 2 + 4.5f, FONT_WORDS,
                    UI_TEXT_BODY, view->ui->theme->muted, CANVAS_LEFT, words == NULL ? "" : words,
                    layout->name - 8);
    draw_bar(view, layout, row, sum);
}

/* The titles of both columns; in the window each sorts by what stands below it. */
static void draw_titles(struct view *view, const struct why_frame *frame,
                        const struct layout *layout)
{
    struct canvas *const canvas = view->ui->canvas;
    const float lost = layout->pill_wide + 2 * EDGE, middle = layout->pill + layout->pill_wide / 2;
    const char *const without = tr("lost without it");
    const float said = fminf(canvas_measure(canvas, FONT_WORDS, view->style.small, without), lost);
    const float right = fminf(middle + said / 2, layout->pill + layout->pill_wide + 4);
    const float end =
        fminf(layout->pill - (is_tight(view, layout->list.w) ? EDGE + 6 : 12), right - said - 6);
    const float y = layout->list.y - WHY_TITLES, from = layout->list.x + EDGE + 6;
    const bool by_lost = view->state->why_by_lost;
    const char *adds = arena_words(view->arena, tr("adds to %s"), frame->asked);
    float wide = canvas_measure(canvas, FONT_WORDS, view->style.small, adds == NULL ? "" : adds);
    if (is_tight(view, layout->list.w) || wide > end - from) { /* the panel's title says the rest */
        adds = frame->asked;
        wide = canvas_measure(canvas, FONT_WORDS, view->style.small, adds);
    }
    const float left = fmaxf(from, fminf(from + layout->name - 6, end - wide));
    const struct rect first = {left, y, end - left, WHY_TITLES},
                      second = {right - lost, y, lost, WHY_TITLES};
    if (why_column_title(view, "by adds", first, CANVAS_LEFT, adds,
                         by_lost ? "Sort by what each part adds" : NULL)) {
        view_action_set(view, why_by_lost, false);
    }
    if (why_column_title(view, "by lost", second, CANVAS_RIGHT, without,
                         by_lost ? NULL : "Sort by what is lost without each part")) {
        view_action_set(view, why_by_lost, true);
    }
}

static void draw_list(struct view *view, const struct why_frame *frame, const struct layout *layout)
{
    struct canvas *const canvas = view->ui->canvas;
    const size_t lines = layout->rows + (layout->rows < frame->answer->parts ? 1 : 0);
    struct rect list = layout->list;
    float offset = view->state->why_scroll;
    if (layout->scrolls) {
        const float above =
            ui_scroll_begin(view->ui, "parts", layout->list, (float)lines * layout->row, &offset);
        list.y -= roundf(above / layout->row) * layout->row;
    }
    canvas_line(canvas, layout->zero, list.y, layout->zero, list.y + (float)lines * layout->row, 1,
                view->ui->theme->line);
    for (size_t r = 0; r < lines; r++) {
        const struct rect row = {list.x, list.y + (float)r * layout->row, list.w, layout->row};
        if (row.y + row.h / 2 <= layout->list.y ||
            row.y + row.h / 2 >= layout->list.y + layout->list.h) {
            continue;
        }
        if (r < layout->rows) {
            draw_row(view, frame, layout, frame->order[r], row);
        } else {
            draw_others(view, frame, layout, row);
        }
    }
    if (layout->scrolls) {
        ui_scroll_end(view->ui);
    }
    if (offset < view->state->why_scroll || offset > view->state->why_scroll) {
        view_action_set(view, why_scroll, offset);
    }
}

void view_why_parts(struct view *view, const struct why_frame *frame, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct layout layout = lay_out(view, frame, area);
    view_note_lack(view, VIEW_LACKS_ROOM,
                   !view->style.has_controls && layout.rows < printed_rows(frame));
    view_panel(view, area, "Who says it");
    view_panel_header(view, area, "Who says it", why_with_hint(view, frame));
    canvas_clip(canvas, area);
    draw_titles(view, frame, &layout);
    draw_list(view, frame, &layout);
    const float foot = foot_height(view, frame, area.w);
    view_wrapped(view, area.x + EDGE + 6, area.y + area.h - foot + FOOT_GAP / 2 + view->style.small,
                 area.w - 2 * EDGE - 12, view->style.small, view_label_ink(view),
                 foot_text(view, frame));
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

void view_why_parts_reveal(struct view *view, const struct why_frame *frame, struct rect area,
                           size_t part)
{
    const struct layout layout = lay_out(view, frame, area);
    size_t at = 0;
    while (at + 1 < frame->answer->parts && frame->order[at] != part) {
        at++;
    }
    const float top = (float)at * layout.row, offset = view->state->why_scroll;
    if (layout.scrolls) {
        view_action_set(view, why_scroll,
                        fmaxf(fminf(offset, top), top + layout.row - layout.list.h));
    }
}

/* Who says it: what each part adds to the logit, beside what is lost without it. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float HEADER = 40, FOOT = 34, ROW = 38, ROW_MIN = 22, EDGE = 14;
static const float NAME = 0.24f, NUMBER = 52, PILL = 84, PILL_HIGH = 22;

struct layout {
    struct rect area; /* of a row, the first */
    float zero, unit; /* where bars begin, and a logit in points */
    float pill;       /* its left edge */
    size_t rows;
};

static struct layout lay_out(const struct why_frame *frame, struct rect area)
{
    const struct view_why_answer *const answer = frame->answer;
    const float room = fmaxf(area.h - HEADER - FOOT, 1);
    size_t rows = (size_t)(room / ROW_MIN);
    rows = rows < 1 ? 1 : rows;
    const bool fits = rows >= answer->parts;
    rows = fits ? answer->parts : rows - 1; /* one for the others */
    const float high = fminf(ROW, room / (float)(rows + (fits ? 0 : 1)));
    double over = 0, under = 0;
    for (size_t p = 0; p < answer->parts; p++) {
        over = fmax(over, answer->part[p].adds);
        under = fmax(under, -answer->part[p].adds);
    }
    struct layout layout = {.area = {area.x, area.y + HEADER, area.w, high}, .rows = rows};
    const float left = area.x + EDGE + area.w * NAME;
    layout.pill = area.x + area.w - EDGE - PILL;
    const float bars = fmaxf(layout.pill - left - NUMBER - 12, 10);
    layout.unit = over + under > 0 ? bars / (float)(over + under) : 0;
    layout.zero = left + (float)under * layout.unit;
    return layout;
}

/* What is lost without it, as a switch where it is a head. */
static void draw_lost(struct view *view, const struct why_frame *frame, size_t part,
                      struct rect pill)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why_part *const one = &frame->answer->part[part];
    const bool is_off = why_is_off(frame, part);
    const char *const words = !one->has_lost ? "…" : why_signed(view, one->lost);
    const bool weighs = one->has_lost && fabs(one->lost) > 0.1 * fabs(frame->answer->logit);
    if (one->kind == VIEW_WHY_HEAD && frame->why->off != NULL) {
        const uint32_t id = ui_id_number(view->ui, "lost without", part);
        const struct ui_touch touch = ui_touch(view->ui, id, pill, true);
        canvas_group(canvas, id, arena_words(view->arena, tr("Switch %s off or on"), one->name));
        canvas_rect(canvas, pill, 6,
                    &(struct paint){.fill = is_off ? colour_mix(theme->panel, theme->accent, 0.25f)
                                            : touch.hover ? theme->control
                                                          : theme->panel,
                                    .stroke = is_off ? theme->accent : theme->muted,
                                    .width = 1});
        ui_draw_focus(view->ui, id, pill, 6);
        ui_tip(view->ui, id, pill,
               is_off ? "It is off: a click switches it on again"
                      : "What the logit loses when this head alone adds nothing, at all words: a "
                        "click switches it off");
        canvas_ungroup(canvas);
        if (touch.clicked) {
            why_switch(view, frame, part);
        }
    }
    canvas_text(canvas, pill.x + pill.w / 2, pill.y + pill.h / 2 + 4,
                weighs ? FONT_NUMBERS_BOLD : FONT_NUMBERS, UI_TEXT_SMALL, theme->ink, CANVAS_CENTRE,
                words);
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
                UI_TEXT_SMALL, theme->ink, CANVAS_LEFT, why_signed(view, adds));
}

static void draw_row(struct view *view, const struct why_frame *frame, const struct layout *layout,
                     size_t place, size_t part)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why_part *const one = &frame->answer->part[part];
    const bool selected = part == frame->selected;
    struct rect row = layout->area;
    row.y += (float)place * row.h;
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
                    selected ? theme->accent : theme->ink, CANVAS_LEFT, tr(one->name),
                    row.w * NAME - 8);
    draw_bar(view, layout, row, one->adds);
    ui_draw_focus(view->ui, id, felt, 6);
    canvas_ungroup(canvas);
    if (one->kind != VIEW_WHY_OTHER) {
        const float high = fminf(PILL_HIGH, row.h - 2);
        draw_lost(view, frame, part,
                  (struct rect){layout->pill, row.y + (row.h - high) / 2, PILL, high});
    }
    if (touch.clicked) {
        why_select(view, part);
    }
}

/* The rest in one row. */
static void draw_others(struct view *view, const struct why_frame *frame,
                        const struct layout *layout)
{
    const size_t parts = frame->answer->parts, others = parts - layout->rows;
    double sum = 0;
    for (size_t p = layout->rows; p < parts; p++) {
        sum += frame->answer->part[frame->order[p]].adds;
    }
    struct rect row = layout->area;
    row.y += (float)layout->rows * row.h;
    const char *const words =
        arena_words(view->arena, tr_n("%zu other", "%zu others", others), others);
    canvas_text_cut(view->ui->canvas, row.x + EDGE + 6, row.y + row.h / 2 + 4.5f, FONT_WORDS,
                    UI_TEXT_BODY, view->ui->theme->muted, CANVAS_LEFT, words == NULL ? "" : words,
                    row.w * NAME - 8);
    draw_bar(view, layout, row, sum);
}

void view_why_parts(struct view *view, const struct why_frame *frame, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct layout layout = lay_out(frame, area);
    view_panel(view, area, "Who says it");
    view_panel_header(view, area, "Who says it", "adds to the logits · lost without it");
    canvas_clip(canvas, area);
    const size_t lines = layout.rows + (layout.rows < frame->answer->parts ? 1 : 0);
    canvas_line(canvas, layout.zero, layout.area.y, layout.zero,
                layout.area.y + (float)lines * layout.area.h, 1, theme->line);
    for (size_t r = 0; r < layout.rows; r++) {
        draw_row(view, frame, &layout, r, frame->order[r]);
    }
    if (layout.rows < frame->answer->parts) {
        draw_others(view, frame, &layout);
    }
    const char *const sum = arena_words(
        view->arena, tr("Σ %s, of which the remainder is %s. The final norm's root is held fixed."),
        why_number(view, frame->answer->logit, 2), why_number(view, frame->answer->remainder, 4));
    view_text_whole(view, area.x + EDGE + 6, area.y + area.h - 14, FONT_WORDS, UI_TEXT_SMALL,
                    theme->muted, CANVAS_LEFT, sum == NULL ? "" : sum, area.w - 2 * EDGE - 12);
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

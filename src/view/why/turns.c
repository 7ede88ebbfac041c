/* Every head in turn: what is lost without each alone, layers by heads. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float FOOT = 26, EDGE = 14, LABEL = 28, TOP_LABEL = 16, GAP = 3;
static const float CANCEL_WIDE = 74, LABEL_WIDE = 24, LABEL_HIGH = 14, CELL_MAX = 84,
                   DASH_INSIDE = 30; /* height of a cell from which the frame is around its text */

struct grid {
    struct rect cells;
    float wide, high;
    double peak;
};

static const char *foot_text(struct view *view, const struct why_frame *frame)
{
    return why_with_foot(
        view, frame,
        arena_words(view->arena, tr("%s, each head alone set to zero at all words"), frame->asked));
}

/* The height of the sentence below the cells, and of the room around it. */
static float foot_height(struct view *view, const struct why_frame *frame, float width)
{
    return FOOT - view->style.small * 1.3f +
           view_wrapped_height(view, width - 2 * EDGE, view->style.small, foot_text(view, frame));
}

/* A low panel has its cells alone. */
static bool has_foot(struct rect area)
{
    static const float FROM = 150;
    return area.h >= FROM;
}

static struct grid lay_out(struct view *view, const struct why_frame *frame, struct rect area)
{
    static const float MARGIN = 10;
    const struct view_why_answer *const answer = frame->answer;
    const float foot = has_foot(area) ? foot_height(view, frame, area.w) : MARGIN;
    const float top = why_header(view) + TOP_LABEL;
    struct grid grid = {.cells = {area.x + EDGE + LABEL, area.y + top, area.w - 2 * EDGE - LABEL,
                                  area.h - top - foot}};
    grid.wide = fmaxf(grid.cells.w / (float)answer->heads, 1);
    grid.high = fminf(CELL_MAX, fmaxf(grid.cells.h / (float)answer->layers, 1));
    for (size_t p = 0; p < answer->parts; p++) {
        const struct view_why_part *const part = &answer->part[p];
        grid.peak = part->kind == VIEW_WHY_HEAD && part->has_lost
                        ? fmax(grid.peak, fabs(part->lost))
                        : grid.peak;
    }
    return grid;
}

static void draw_value(struct view *view, struct rect cell, const struct view_why_part *part,
                       struct colour fill, bool strong, bool is_off)
{
    const char *const text = is_off           ? tr("off")
                             : part->has_lost ? why_signed(view, part->lost)
                                              : "…";
    const enum font_face face = strong ? FONT_NUMBERS_BOLD : FONT_NUMBERS;
    const float wide = canvas_measure(view->ui->canvas, face, view->style.small, text);
    if (wide + 4 <= cell.w && cell.h >= 15) {
        canvas_text(view->ui->canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + 4, face,
                    view->style.small, colour_ink_on(fill), CANVAS_CENTRE, text);
    }
}

static void draw_cell(struct view *view, const struct why_frame *frame, const struct grid *grid,
                      size_t part)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why_part *const one = &frame->answer->part[part];
    const float gap = grid->wide > 12 && grid->high > 12 ? GAP : 1;
    const struct rect cell = {grid->cells.x + (float)one->head * grid->wide,
                              grid->cells.y + (float)one->layer * grid->high, grid->wide - gap,
                              grid->high - gap};
    const float share =
        one->has_lost && grid->peak > 0 ? 0.5f + 0.5f * (float)(one->lost / grid->peak) : 0.5f;
    const struct colour fill =
        one->has_lost ? colourmap_colour(view->state->prefs.signed_map, share) : theme->control;
    const uint32_t id = ui_id_number(view->ui, "turn", part);
    const struct ui_touch touch = ui_touch(view->ui, id, cell, false);
    const bool is_off = why_is_off(frame, part);
    const bool is_marked = frame->has_marks && part == frame->head;
    canvas_group(canvas, id, arena_words(view->arena, tr("Without %s"), one->name));
    canvas_rect(canvas, cell, fminf(5, cell.h / 4), &(struct paint){.fill = fill});
    draw_value(view, cell, one, fill, is_marked, is_off);
    if (is_off) {
        canvas_rect(
            canvas, rect_inset(cell, cell.h < DASH_INSIDE ? 1 : 3), 3,
            &(struct paint){.stroke = colour_ink_on(fill), .width = 1.5f, .dash = 4, .gap = 3});
    }
    if (is_marked || touch.hover) {
        canvas_rect(canvas, rect_inset(cell, -2), 6,
                    &(struct paint){.stroke = is_marked ? theme->ink : theme->accent, .width = 2});
    }
    ui_tip(view->ui, id, cell,
           arena_words(view->arena,
                       tr(part != frame->head ? "%s: without it %s is lost. A click selects it"
                          : is_off            ? "%s: without it %s is lost. It is off: a click "
                                                "switches it on"
                                              : "%s: without it %s is lost. A click more switches "
                                                "it off"),
                       one->name, one->has_lost ? why_signed(view, one->lost) : "…"));
    canvas_ungroup(canvas);
    if (touch.clicked && part == frame->head && frame->selected == frame->head) {
        why_switch(view, frame, part);
    } else if (touch.clicked) {
        why_select(view, part);
    }
}

static void draw_labels(struct view *view, const struct view_why_answer *answer,
                        const struct grid *grid)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct colour ink = view->ui->theme->muted;
    const size_t across = (size_t)fmaxf(1, ceilf(LABEL_WIDE / grid->wide));
    const size_t down = (size_t)fmaxf(1, ceilf(LABEL_HIGH / grid->high));
    for (size_t h = 0; h < answer->heads; h += across) {
        const char *const name = arena_words(view->arena, "H%zu", h);
        canvas_text(canvas, grid->cells.x + ((float)h + 0.5f) * grid->wide, grid->cells.y - 6,
                    FONT_WORDS, UI_TEXT_TINY, ink, CANVAS_CENTRE, name == NULL ? "" : name);
    }
    for (size_t l = 0; l < answer->layers; l += down) {
        const char *const name = arena_words(view->arena, "L%zu", l);
        canvas_text(canvas, grid->cells.x - 8, grid->cells.y + ((float)l + 0.5f) * grid->high + 3,
                    FONT_WORDS, UI_TEXT_TINY, ink, CANVAS_RIGHT, name == NULL ? "" : name);
    }
}

float view_why_turns_height(struct view *view, const struct why_frame *frame, float width)
{
    static const float HIGH_MIN = 15, HIGH_MAX = 44;
    const struct view_why_answer *const answer = frame->answer;
    const float wide = (width - 2 * EDGE - LABEL) / (float)answer->heads;
    return why_header(view) + TOP_LABEL + foot_height(view, frame, width) +
           (float)answer->layers * fminf(HIGH_MAX, fmaxf(HIGH_MIN, wide * 0.6f));
}

/* How far it is, and Cancel. */
static void draw_progress(struct view *view, const struct why_frame *frame, struct rect area)
{
    const struct view_why_answer *const answer = frame->answer;
    const struct rect cancel = {area.x + area.w - EDGE - CANCEL_WIDE, area.y + 9, CANCEL_WIDE, 24};
    const bool stands = frame->why->is_given_up;
    const struct ui_button button = {.label = stands ? "Go on" : "Cancel",
                                     .tip = stands ? "The rest is computed too"
                                                   : "What is there stays"};
    const char *const words = arena_words(view->arena, tr("%zu of %zu"), answer->done, answer->all);
    if (view->style.has_controls && ui_button(view->ui, "give up", cancel, &button)) {
        view_action_set(view, why_given_up, true);
    }
    canvas_text(view->ui->canvas, cancel.x - 8, area.y + 25, FONT_NUMBERS, view->style.small,
                view->ui->theme->muted, CANVAS_RIGHT, words == NULL ? "" : words);
}

void view_why_turns(struct view *view, const struct why_frame *frame, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_why_answer *const answer = frame->answer;
    const bool is_whole = answer->done == answer->all;
    const struct grid grid = lay_out(view, frame, area);
    view_panel(view, area, "Every head in turn");
    view_panel_header(view, area, "Every head in turn", is_whole ? "lost without it" : "");
    if (!is_whole) {
        draw_progress(view, frame, area);
    }
    draw_labels(view, answer, &grid);
    for (size_t p = 0; p < answer->parts; p++) {
        if (answer->part[p].kind == VIEW_WHY_HEAD && p != frame->head) {
            draw_cell(view, frame, &grid, p);
        }
    }
    draw_cell(view, frame, &grid, frame->head); /* its frame lies over its neighbours */
    if (has_foot(area)) {
        view_wrapped(view, area.x + EDGE,
                     area.y + area.h - foot_height(view, frame, area.w) + 5 + view->style.small,
                     area.w - 2 * EDGE, view->style.small, view_label_ink(view),
                     foot_text(view, frame));
    }
    canvas_ungroup(canvas);
}

/* The row of views, and at its right what is switched on, each with a cross that switches it off.
 */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

static const float GAP = 6, PAD = 24, CHIP_HIGH = 24, CHIP_PAD = 10, CROSS = 9, APART = 14;

static const struct {
    const char *label, *tip;
} views[VIEW_MAINS] = {
    [VIEW_MAIN_STAGE] = {"Stage", "One stage at a time, in numbers"},
    [VIEW_MAIN_FLOW] = {"Flow", "The whole flow on one sheet (O)"},
    [VIEW_MAIN_COMPARE] = {"Compare", "Keep this experiment, change it, and see both (B)"},
    [VIEW_MAIN_KINDS] = {"Kinds", "Every kind of attention on these words (⇧ K)"},
    [VIEW_MAIN_COSTS] = {"Costs", "What each kind of attention costs (K)"},
    [VIEW_MAIN_DECODE] = {"Decode", "Word by word, with a cache (M)"},
    [VIEW_MAIN_LEARN] = {"Learn",
                         "Weights that learn: train them, and go back to any step (Ctrl+Space)"},
    [VIEW_MAIN_WHY] = {"Why", "Which part of a model says the next word, and what is lost without "
                              "it (W)"},
};

enum view_main view_main_of(const struct view_state *state)
{
    return state->overlay == VIEW_OVERLAY_KINDS    ? VIEW_MAIN_KINDS
           : state->overlay == VIEW_OVERLAY_COSTS  ? VIEW_MAIN_COSTS
           : state->overlay == VIEW_OVERLAY_DECODE ? VIEW_MAIN_DECODE
           : state->prefs.display.flow             ? VIEW_MAIN_FLOW
           : state->compare != VIEW_COMPARE_NOT    ? VIEW_MAIN_COMPARE
           : state->why_shown                      ? VIEW_MAIN_WHY
           : view_learn_is_shown(state)            ? VIEW_MAIN_LEARN
                                                   : VIEW_MAIN_STAGE;
}

/* --- What is switched on. --- */

struct chip {
    const char *words;
    struct view_action off;
};

enum { CHIPS_MAX = 16 };

struct chips {
    struct chip chip[CHIPS_MAX];
    size_t count;
};

static void add_chip(struct chips *chips, bool is_on, const char *words,
                     const struct view_action *off)
{
    if (is_on && words != NULL && chips->count < CHIPS_MAX) {
        chips->chip[chips->count++] = (struct chip){words, *off};
    }
}

/* Adds those that a command toggles. */
static void add_switch_chips(const struct view *view, struct chips *chips)
{
    const struct view_state *const state = view->state;
    const struct lab_display *const display = &state->prefs.display;
    const struct {
        bool is_on;
        const char *words, *command;
    } rows[] = {
        {display->lines, "lines", "lines"},
        {display->change, "minus the stage before", "stage change"},
        {display->logarithmic, "log colours", "colours"},
        {state->prefs.range_by_content,
         view->share_over ? "up to nearly the largest" : "up to the largest", "range"},
        {display->discs, "discs", "marks"},
        {state->prefs.by_mean, "dots: mean", "dots"},
        {state->zoom.rows > 0, "nearer", "all weights"},
        {view->baseline != NULL && state->compare == VIEW_COMPARE_NOT, "kept to compare", "forget"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add_chip(chips, rows[i].is_on, tr(rows[i].words),
                 &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = rows[i].command});
    }
}

static const char *word_at(const char *const *words, size_t count, size_t place)
{
    return words != NULL && place < count ? words[place] : "…";
}

static struct chips list_chips(struct view *view)
{
    struct chips chips = {.count = 0};
    const struct lab_display *const display = &view->state->prefs.display;
    const struct lab_sizes sizes =
        view->trace == NULL ? (struct lab_sizes){0} : lab_trace_sizes(view->trace);
    if (view->trace == NULL) {
        return chips;
    }
    const char *const *const queries = lab_trace_queries(view->trace);
    const char *const *const keys = lab_trace_keys(view->trace);
    const size_t aside = display->aside.count;
    add_chip(&chips, aside > 0,
             aside == 1 ? arena_format(view->arena, "aside: %.40s",
                                       word_at(keys, sizes.m, display->aside.place[0]))
                        : arena_format(view->arena, "aside: %zu keys", aside),
             &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = "bring back"});
    const bool of_key = display->line == LAB_LINE_KEY;
    add_chip(&chips, display->line != LAB_LINE_NONE,
             arena_format(
                 view->arena, "only %.40s",
                 word_at(of_key ? keys : queries, of_key ? sizes.m : sizes.n, display->line_place)),
             &(struct view_action){
                 .kind = VIEW_ACTION_FILTER,
                 .line = {.part = of_key ? VIEW_KEY : VIEW_QUERY, .place = display->line_place}});
    add_chip(&chips, display->queries.count > 1,
             arena_format(view->arena, "%zu queries together", display->queries.count),
             &(struct view_action){.kind = VIEW_ACTION_CLEAR_QUERIES});
    add_switch_chips(view, &chips);
    add_chip(&chips, view->experiment->flash_rows > 0, tr("tile by tile"),
             &(struct view_action){.kind = VIEW_ACTION_FIELD,
                                   .setting = {.field = LAB_PARAM_FLASH, .number = 0}});
    return chips;
}

static float chip_width(const struct view *view, const struct chip *chip)
{
    return ceilf(canvas_measure(view->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_SMALL, chip->words)) +
           2 * CHIP_PAD + CROSS + 6;
}

static void draw_chip(struct view *view, size_t index, const struct chip *chip, struct rect place)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const uint32_t id = ui_id_number(view->ui, "lit", index);
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    canvas_group(canvas, id, chip->words);
    canvas_rect(canvas, place, place.h / 2,
                &(struct paint){
                    .fill = colour_mix(theme->panel, theme->accent, touch.hover ? 0.22f : 0.12f),
                    .stroke = colour_mix(theme->line, theme->accent, 0.5f),
                    .width = 1});
    canvas_text(canvas, place.x + CHIP_PAD, place.y + place.h / 2 + 4.5f, FONT_WORDS_MEDIUM,
                UI_TEXT_SMALL, theme->ink, CANVAS_LEFT, chip->words);
    ui_draw_icon(view->ui, UI_ICON_CLOSE,
                 (struct rect){place.x + place.w - CHIP_PAD - CROSS,
                               place.y + (place.h - CROSS) / 2, CROSS, CROSS},
                 touch.hover ? theme->ink : theme->muted);
    ui_draw_focus(view->ui, id, place, place.h / 2);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, place, "It is switched on: a click switches it off");
    if (touch.clicked) {
        view_action(view, &chip->off);
    }
}

/* Draws the chips from the right end; those without room are counted. */
static void draw_chips(struct view *view, struct rect room)
{
    const struct chips chips = list_chips(view);
    float wide = 0;
    size_t shown = 0;
    for (; shown < chips.count; shown++) {
        const float next = chip_width(view, &chips.chip[shown]) + GAP;
        const float rest = shown + 1 < chips.count ? 34 : 0;
        if (wide + next + rest > room.w) {
            break;
        }
        wide += next;
    }
    const size_t hidden = chips.count - shown;
    float x = room.x + room.w - wide - (hidden > 0 ? 34 : 0);
    for (size_t i = 0; i < shown; i++) {
        const struct rect place = {x, room.y + (room.h - fminf(CHIP_HIGH, room.h)) / 2,
                                   chip_width(view, &chips.chip[i]), fminf(CHIP_HIGH, room.h)};
        draw_chip(view, i, &chips.chip[i], place);
        x += place.w + GAP;
    }
    if (hidden > 0) {
        const char *const more = arena_format(view->arena, "+%zu", hidden);
        canvas_text(view->ui->canvas, x + 4, room.y + room.h / 2 + 4.5f, FONT_NUMBERS,
                    UI_TEXT_SMALL, view->ui->theme->muted, CANVAS_LEFT, more != NULL ? more : "");
    }
}

/* --- The row. --- */

static float view_width(const struct view *view, size_t index)
{
    return ceilf(canvas_measure(view->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY,
                                tr(views[index].label))) +
           PAD;
}

void view_views(struct view *view, struct rect area)
{
    canvas_group(view->ui->canvas, ui_id(view->ui, "views"), "Views");
    ui_push(view->ui, "views");
    const enum view_main current = view_main_of(view->state);
    float x = area.x;
    for (size_t i = 0; i < VIEW_MAINS; i++) {
        const struct rect place = {x, area.y, view_width(view, i), area.h};
        const struct ui_button button = {.label = views[i].label,
                                         .style = i == (size_t)current ? UI_BUTTON_CURRENT
                                                                       : UI_BUTTON_PLAIN,
                                         .tip = views[i].tip};
        if (ui_button(view->ui, views[i].label, place, &button)) {
            view_action(view,
                        &(struct view_action){.kind = VIEW_ACTION_MAIN, .main = (enum view_main)i});
        }
        x += place.w + GAP;
    }
    x += APART - GAP;
    draw_chips(view, (struct rect){x, area.y, fmaxf(area.x + area.w - x, 0), area.h});
    ui_pop(view->ui);
    canvas_ungroup(view->ui->canvas);
}

void view_views_menu(struct view *view, struct rect area)
{
    static const char *const labels[VIEW_MAINS] = {"Stage", "Flow",   "Compare", "Kinds",
                                                   "Costs", "Decode", "Learn",   "Why"};
    const enum view_main current = view_main_of(view->state);
    const struct ui_menu menu = {.rows = labels,
                                 .count = VIEW_MAINS,
                                 .current = (size_t)current,
                                 .label = current == VIEW_MAIN_STAGE ? "Views" : NULL,
                                 .tip = "Which view is shown: the row of views has no room here"};
    const size_t chosen = ui_menu(view->ui, "views", area, &menu);
    if (chosen < VIEW_MAINS && chosen != (size_t)current) {
        view_action(
            view, &(struct view_action){.kind = VIEW_ACTION_MAIN, .main = (enum view_main)chosen});
    }
}

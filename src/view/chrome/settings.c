/* The settings of the experiment, from top to bottom. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/params.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

static const float HEADING = 24, CONTROL = 28, SLIDER = 38, TOGGLE = 22, GAP = 4, SECTION = 4;
static const float NOTE_UP = 5; /* of a slider that does not apply now */
static const float WORDS_ABOVE =
    16; /* height of the label above the choice of tokens for keys and values */
static const float MASK_WORD = 44; /* width of the label before the menu of masks */
static const float PAIR = 12;      /* gap between two controls side by side */

enum { THEMES_MAX = 8 };

/* The groups of parameters, and after them the display options. */
static const struct {
    const char *title, *tip;
} groups[LAB_GROUPS + 1] = {
    [LAB_GROUP_WORDS] = {"Words", "How words become numbers, and where keys and values come from"},
    [LAB_GROUP_WEIGHTS] = {"Weights", "What projects the words, and into how many heads"},
    [LAB_GROUP_ATTENTION] = {"Attention", "What becomes of the scores"},
    [LAB_GROUPS] = {"Display", "Colours and language; no number changes"},
};

static const struct lab_experiment *pending_experiment(const struct view *view)
{
    return view->pending != NULL ? view->pending : view->experiment;
}

/* The column of controls, with the place of the next one. */
struct column {
    float x, y, w;
    float tight; /* 0: roomy; 1: as close as can be read */
};

/* The height of a control with the gap below it. */
static float control_step(float high, float tight)
{
    return high - (high >= CONTROL ? 3 : 2) * tight + GAP - 2 * tight;
}

static struct rect next_control(struct column *column, float high)
{
    const float step = control_step(high, column->tight);
    const struct rect place = {column->x, column->y, column->w, step - GAP + 2 * column->tight};
    column->y += step;
    return place;
}

/* The places of two controls side by side. */
struct pair {
    struct rect left, right;
};

static struct pair next_control_pair(struct column *column, float high)
{
    const struct rect both = next_control(column, high);
    const float wide = floorf((both.w - PAIR) / 2);
    return (struct pair){{both.x, both.y, wide, both.h},
                         {both.x + both.w - wide, both.y, wide, both.h}};
}

static void draw_title(struct view *view, struct column *column, const char *text)
{
    canvas_text(view->ui->canvas, column->x, column->y + 14, FONT_WORDS_BOLD, UI_TEXT_TINY,
                view->ui->theme->muted, CANVAS_LEFT, tr(text));
    column->y += HEADING;
}

static void draw_remark(struct view *view, struct column *column, const char *text)
{
    column->y += view_wrapped(view, column->x, column->y + 12, column->w, UI_TEXT_SMALL,
                              view->ui->theme->muted, text) +
                 GAP;
}

static void append_change(struct view *view, const struct lab_param *param, double number)
{
    view_action(view, &(struct view_action){
                          .kind = VIEW_ACTION_FIELD,
                          .setting = {.field = lab_param_id_of(param), .number = number}});
}

/* --- Controls. --- */

static bool is_toggle(const struct lab_param *param)
{
    return param->type == LAB_TYPE_SWITCH || param->type == LAB_TYPE_TILES || param->toggle;
}

static bool is_slider(const struct lab_param *param)
{
    return param->type == LAB_TYPE_COUNT || param->type == LAB_TYPE_NUMBER ||
           param->type == LAB_TYPE_SEED;
}

static void draw_toggle(struct view *view, struct rect place, const struct lab_param *param)
{
    const bool on = (lab_param_get(param, pending_experiment(view)) != 0) != param->inverted;
    if (ui_toggle(view->ui, param->label, place, param->label, on, param->tip)) {
        append_change(view, param, on == param->inverted);
    }
}

/* The name of random values with their seed. */
static const char *seed_text(struct view *view, const char *format)
{
    return arena_format(view->arena, format, (unsigned long long)pending_experiment(view)->seed);
}

static void draw_slider(struct view *view, struct rect place, const struct lab_param *param)
{
    const struct lab_experiment *experiment = pending_experiment(view);
    double value = lab_param_holds(param, experiment);
    const bool of_mask = param->label_of != NULL;
    const struct ui_slider control = {
        .label = of_mask ? param->label_of(view->arena, experiment) : param->label,
        .value = value,
        .low = param->low,
        .high = lab_param_slider_max(param, experiment),
        .step = param->step,
        .logarithmic = param->logarithmic,
        .decimals = param->decimals,
        .number = param->type == LAB_TYPE_SEED ? seed_text(view, "%llu") : NULL, /* each digit */
        .tip = of_mask ? lab_mask_row(experiment->mask)->formula : param->tip};
    if (ui_slider(view->ui, param->id, place, &control, &value)) {
        append_change(view, param, value);
    }
}

/* Draws a menu of the choices. random: its label has the seed; lacks: there are no numbers for the
 * last choice, which takes one's own; more: a last row that is no value, or NULL. True: that row
 * was chosen. */
static bool draw_menu(struct view *view, struct rect place, const struct lab_param *param,
                      bool random, bool lacks, const char *more)
{
    enum { ROWS_MAX = 16 };
    const size_t current = (size_t)lab_param_get(param, pending_experiment(view));
    const char **rows = arena_array(view->arena, ROWS_MAX + 1, sizeof *rows);
    size_t count = 0;
    while (rows != NULL && count < ROWS_MAX && param->title_at(count) != NULL) {
        rows[count] = param->title_at(count);
        count++;
    }
    if (count == 0) {
        return false;
    }
    count -= lacks ? 1 : 0;
    rows[count] = more;
    if (random && param->seeded != NULL) {
        rows[current] = seed_text(view, param->seeded);
    }
    const struct ui_menu menu = {.rows = (const char *const *)rows,
                                 .count = count + (more != NULL ? 1 : 0),
                                 .current = current,
                                 .label = random ? seed_text(view, "Random · %llu") : NULL,
                                 .tip =
                                     param->tip_at != NULL ? param->tip_at(current) : param->tip};
    const size_t chosen = ui_menu(view->ui, param->id, place, &menu);
    if (chosen < count) {
        append_change(view, param, (double)chosen);
    }
    return chosen == count && more != NULL;
}

static void draw_weights(struct view *view, struct rect place, const struct lab_param *param)
{
    const struct lab_experiment *experiment = pending_experiment(view);
    const struct rect dice = {place.x + place.w - place.h, place.y, place.h, place.h};
    const struct ui_button control = {.icon = UI_ICON_DICE,
                                      .tip = "Roll: other random numbers (Ctrl+R)"};
    place.w -= place.h + 6;
    if (draw_menu(view, place, param, experiment->weights == LAB_WEIGHTS_RANDOM,
                  experiment->w_q == NULL, "Learned")) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_MAIN, .main = VIEW_MAIN_LEARN});
    }
    if (ui_button(view->ui, "dice", dice, &control)) {
        view_action_command(view, "roll");
    }
}

static void draw_mask(struct view *view, struct rect place, const struct lab_param *param)
{
    canvas_text(view->ui->canvas, place.x, place.y + place.h / 2 + 4.5f, FONT_WORDS, UI_TEXT_BODY,
                view->ui->theme->ink, CANVAS_LEFT, tr(param->title));
    place.x += MASK_WORD;
    place.w -= MASK_WORD;
    (void)draw_menu(view, place, param, false, false, NULL);
}

/* Draws the choice between self-attention and cross-attention with tokens of its own for keys and
 * values. */
static void draw_context(struct view *view, struct rect place, const struct lab_param *param)
{
    static const char *const labels[] = {"same words", "other words"};
    static const char *const tips[] = {"Self-attention: the words look at each other",
                                       "Cross-attention: the words look at another text"};
    const size_t current = pending_experiment(view)->context != NULL ? 1 : 0;
    canvas_text_cut(view->ui->canvas, place.x, place.y + 12, FONT_WORDS, UI_TEXT_SMALL,
                    view->ui->theme->muted, CANVAS_LEFT, tr("keys and values from"), place.w);
    place.y += WORDS_ABOVE;
    place.h -= WORDS_ABOVE;
    const size_t chosen = ui_tabs(view->ui, "keys and values from", place, labels, 2, current);
    ui_tab_tips(view->ui, "keys and values from", place, tips, 2);
    ui_tip(view->ui, ui_id(view->ui, "keys from"), place,
           "Other words: cross-attention, with a field of their own at the top");
    if (chosen < 2 && chosen != current) {
        append_change(view, param, (double)chosen);
    }
}

static void draw_control(struct view *view, struct rect place, const struct lab_param *param)
{
    const struct lab_experiment *experiment = pending_experiment(view);
    const enum lab_param_id id = lab_param_id_of(param);
    if (is_toggle(param)) {
        draw_toggle(view, place, param);
    } else if (is_slider(param)) {
        draw_slider(view, place, param);
    } else if (id == LAB_PARAM_WEIGHTS) {
        draw_weights(view, place, param);
    } else if (id == LAB_PARAM_MASK) {
        draw_mask(view, place, param);
    } else if (id == LAB_PARAM_CONTEXT) {
        draw_context(view, place, param);
    } else {
        const bool embeds = id == LAB_PARAM_EMBEDDING;
        (void)draw_menu(view, place, param, embeds && experiment->embedding == LAB_EMBEDDING_RANDOM,
                        embeds && experiment->embeddings == NULL, NULL);
    }
}

/* --- Groups of controls. --- */

static bool is_used(const struct view *view, const struct lab_param *param)
{
    return (param->stages >> view->state->playback.stage & 1u) != 0;
}

/* Says whether the parameter has a place in the settings: the stage uses it, or all parameters are
 * shown. Those that depend on the choice above them keep their place, so that nothing jumps. */
static bool has_place(const struct view *view, const struct lab_param *param,
                      enum lab_param_group group, bool all)
{
    const bool raw = lab_experiment_sizes(pending_experiment(view)).raw;
    const bool used = is_used(view, param);
    const bool needed = param->needs != LAB_PARAM_NONE &&
                        (param->stages & lab_param_row(param->needs)->stages) != 0;
    const bool comes_and_goes = needed || param->label_of != NULL;
    return param->group == group && (all || used) && !(raw && param->stages == LAB_AT_OUTPUT) &&
           (comes_and_goes || lab_param_applies(param, pending_experiment(view)));
}

/* The next parameter of the group that has a place, from index *p on; NULL: none. */
static const struct lab_param *next_param(const struct view *view, enum lab_param_group group,
                                          bool all, size_t *p)
{
    for (; *p < lab_param_count(); (*p)++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id) * p);
        if (has_place(view, param, group, all)) {
            return param;
        }
    }
    return NULL;
}

/* Says whether two parameters, of which only one applies at a time, have the same place. */
static bool have_same_place(const struct lab_param *one, const struct lab_param *other)
{
    const bool differ =
        one->needs_value < other->needs_value || one->needs_value > other->needs_value;
    return other != NULL && one->needs != LAB_PARAM_NONE && one->needs == other->needs && differ;
}

/* The title of the choice, or of the switch, with which the parameter applies; NULL: none. */
static const char *needed_title(const struct lab_param *param)
{
    const struct lab_param *const other =
        param->needs == LAB_PARAM_NONE ? NULL : lab_param_row(param->needs);
    return other == NULL             ? NULL
           : other->title_at != NULL ? other->title_at((size_t)param->needs_value)
                                     : other->title;
}

/* Draws the control; of a parameter that does not apply now its name with what it goes with, or
 * nothing if it has no name then. */
static void draw_place(struct view *view, struct rect place, const struct lab_param *param)
{
    if (lab_param_applies(param, pending_experiment(view))) {
        draw_control(view, place, param);
    } else if (is_slider(param) && param->label != NULL) {
        struct canvas *const canvas = view->ui->canvas;
        const char *const idle = lab_param_idle(param, view->arena);
        const char *const needed = needed_title(param);
        const char *const with =
            needed == NULL ? NULL : arena_format(view->arena, tr("with: %s"), tr(needed));
        canvas_text_cut(canvas, place.x, place.y + 14, FONT_WORDS, UI_TEXT_SMALL,
                        view->ui->theme->muted, CANVAS_LEFT, tr(param->label), place.w);
        const bool fits = with != NULL && canvas_measure(canvas, FONT_WORDS, UI_TEXT_TINY, with) <=
                                              place.w; /* else the tooltip alone says it */
        canvas_text(canvas, place.x, place.y + place.h - NOTE_UP, FONT_WORDS, UI_TEXT_TINY,
                    view->ui->theme->muted, CANVAS_LEFT, fits ? with : tr("off"));
        ui_tip(view->ui, ui_id(view->ui, param->id), place, idle != NULL ? idle : "");
    }
}

static float control_height(const struct lab_param *param)
{
    return is_slider(param)                              ? SLIDER
           : is_toggle(param)                            ? TOGGLE
           : lab_param_id_of(param) == LAB_PARAM_CONTEXT ? CONTROL + WORDS_ABOVE
                                                         : CONTROL;
}

/* Draws a parameter on a line of its own, or two halves side by side; *p becomes the last one
 * drawn. draw false: only advances the column. */
static void draw_line(struct view *view, struct column *column, bool all, size_t *p, bool draw)
{
    const struct lab_param *param = lab_param_row((enum lab_param_id) * p);
    const float high = control_height(param);
    size_t beside = *p + 1;
    const struct lab_param *const other = next_param(view, param->group, all, &beside);
    if (!param->half) {
        const struct rect place = next_control(column, high);
        if (other != NULL && have_same_place(param, other)) {
            param = lab_param_applies(other, pending_experiment(view)) ? other : param;
            *p = beside;
        }
        if (draw) {
            draw_place(view, place, param);
        }
        return;
    }
    struct pair pair = next_control_pair(column, high);
    pair.left.w += param->wider;
    pair.right.x += param->wider;
    pair.right.w -= param->wider;
    if (draw) {
        draw_place(view, pair.left, param);
    }
    if (other != NULL && other->half && control_height(other) == high) {
        *p = beside;
        if (draw) {
            draw_place(view, pair.right, other);
        }
    }
}

/* The display of a group: with what the stage uses, closed, or with everything. */
static enum view_fold group_fold(const struct view *view, enum lab_param_group group)
{
    return view->state->prefs.settings_fold[group];
}

static void append_fold(struct view *view, enum lab_param_group group, enum view_fold fold)
{
    const unsigned char value = (unsigned char)fold;
    view_action_member(view, offsetof(struct view_state, prefs.settings_fold) + (size_t)group, 1,
                       &value);
}

/* Counts the parameters of the group that have a place. */
static size_t count_rows(const struct view *view, enum lab_param_group group, bool all)
{
    size_t count = 0;
    for (size_t p = 0; next_param(view, group, all, &p) != NULL; p++) {
        count++;
    }
    return count;
}

/* Draws the title of a group, which folds and opens it, and at its right the link that shows all
 * parameters or only those that the stage uses. */
static void draw_heading(struct view *view, struct column *column, enum lab_param_group group,
                         bool open, const char *more)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const char *const title = tr(groups[group].title);
    const struct rect line = {column->x - 4, column->y, column->w + 8, HEADING};
    const float words =
        more == NULL ? 0 : canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, more) + 12;
    const struct rect head = {line.x, line.y, line.w - words, line.h};
    const struct rect link = {line.x + line.w - words, line.y, words, line.h};
    const uint32_t id = ui_id(view->ui, groups[group].title);
    const struct ui_touch touch = ui_touch(view->ui, id, head, true);
    const float x = head.x + 9, y = head.y + head.h / 2;
    canvas_group(canvas, id, title);
    canvas_path(canvas,
                open ? (struct point[]){{x - 4, y - 2}, {x, y + 2}, {x + 4, y - 2}}
                     : (struct point[]){{x - 2, y - 4}, {x + 2, y}, {x - 2, y + 4}},
                3, false, &(struct paint){.stroke = theme->muted, .width = 1.6f});
    canvas_text_cut(canvas, head.x + 20, y + 4.5f, FONT_WORDS_BOLD, UI_TEXT_BODY,
                    touch.hover ? theme->ink : theme->muted, CANVAS_LEFT, title, head.w - 22);
    ui_draw_focus(view->ui, id, head, 4);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, head, groups[group].tip);
    if (touch.clicked) {
        const bool has_own = group == LAB_GROUPS || count_rows(view, group, false) > 0;
        const bool own = has_own && (group != LAB_GROUPS || view->state->learn == NULL);
        append_fold(view, group, open ? VIEW_FOLD_SHUT : own ? VIEW_FOLD_STAGE : VIEW_FOLD_ALL);
    }
    if (more != NULL) {
        const uint32_t link_id = ui_id_number(view->ui, groups[group].title, 1);
        const struct ui_touch on_link = ui_touch(view->ui, link_id, link, true);
        const bool all = group_fold(view, group) == VIEW_FOLD_ALL;
        canvas_group(canvas, link_id, more);
        canvas_text(canvas, link.x + link.w - 4, y + 4, FONT_WORDS, UI_TEXT_SMALL,
                    on_link.hover ? theme->accent : theme->muted, CANVAS_RIGHT, more);
        ui_draw_focus(view->ui, link_id, link, 4);
        canvas_ungroup(canvas);
        ui_tip(view->ui, link_id, link,
               all ? tr("Only what this stage uses") : tr("Also what this stage does not use"));
        if (on_link.clicked) {
            append_fold(view, group, all ? VIEW_FOLD_STAGE : VIEW_FOLD_ALL);
        }
    }
    column->y += HEADING;
}

static void draw_group(struct view *view, struct column *column, enum lab_param_group group,
                       bool draw)
{
    const enum view_fold fold = group_fold(view, group);
    const bool all = fold == VIEW_FOLD_ALL;
    const size_t own = count_rows(view, group, false), every = count_rows(view, group, true);
    const bool open = fold != VIEW_FOLD_SHUT && (all || own > 0);
    if (every == 0) {
        return;
    }
    if (draw) {
        const char *const more = !open || own == 0 || own == every ? NULL
                                 : all                             ? tr("fewer")
                                                                   : tr("all");
        draw_heading(view, column, group, open, more);
    } else {
        column->y += HEADING;
    }
    for (size_t p = 0; open && next_param(view, group, all, &p) != NULL; p++) {
        draw_line(view, column, all, &p, draw);
    }
    column->y += SECTION * (1 - column->tight);
}

/* Draws two switches beside the colour map: logarithmic colours, and discs for scores. */
static void draw_colour_switches(struct view *view, struct rect *row)
{
    const struct lab_display *display = &view->state->prefs.display;
    const struct {
        const char *command, *label, *tip;
        bool on;
        float wide;
    } ways[] = {{"marks", "discs",
                 "Scores of up to 12 tokens as discs whose area is the size of the score, or as "
                 "squares",
                 display->discs, 48},
                {"colours", "log", "Colours of weights: as much for every power of ten, or evenly",
                 display->logarithmic, 38}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const float wide = fmaxf(ways[i].wide, ui_button_width(view->ui, ways[i].label));
        const struct rect place = {row->x + row->w - wide, row->y, wide, row->h};
        const struct ui_button control = {.label = ways[i].label,
                                          .style = ways[i].on ? UI_BUTTON_CURRENT : UI_BUTTON_PLAIN,
                                          .tip = ways[i].tip};
        if (ui_button(view->ui, ways[i].command, place, &control)) {
            view_action_command(view, ways[i].command);
        }
        row->w -= wide + 5;
    }
}

/* Draws the menu of themes. */
static void draw_themes(struct view *view, struct rect line)
{
    const char **rows = arena_array(view->arena, THEMES_MAX, sizeof *rows);
    size_t count = 0, current = 0;
    for (; rows != NULL && count < THEMES_MAX && ui_theme_at(count) != NULL; count++) {
        rows[count] = ui_theme_at(count)->title;
        current = strcmp(ui_theme_at(count)->name, view->ui->theme->name) == 0 ? count : current;
    }
    const struct ui_menu menu = {.rows = (const char *const *)rows,
                                 .count = count,
                                 .current = current,
                                 .on_panel = true,
                                 .tip = "Light, dark or without colours"};
    const size_t chosen = ui_menu(view->ui, "themes", line, &menu);
    if (chosen < count) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_THEME,
                                                .text = ui_theme_at(chosen)->name});
    }
}

/* Says whether the display options are open: beside the settings of training only on request. */
static bool display_is_open(const struct view *view)
{
    const enum view_fold fold = group_fold(view, LAB_GROUPS);
    return fold == VIEW_FOLD_ALL || (fold == VIEW_FOLD_STAGE && view->state->learn == NULL);
}

static void draw_display(struct view *view, struct column *column)
{
    enum { MAPS_MAX = 16 };
    const bool open = display_is_open(view);
    draw_heading(view, column, LAB_GROUPS, open, NULL);
    if (!open) {
        return;
    }
    const struct colourmap *maps[MAPS_MAX];
    const char **rows = arena_array(view->arena, MAPS_MAX, sizeof *rows);
    size_t count = 0, current = 0;
    const struct colourmap *map = NULL;
    for (size_t i = 0; rows != NULL && (map = colourmap_at(i)) != NULL; i++) {
        const enum colourmap_kind kind = view->is_signed ? COLOURMAP_SIGNED : COLOURMAP_UNSIGNED;
        if (map->kind == kind && count < MAPS_MAX) {
            current = map == view->share_map ? count : current;
            maps[count] = map;
            rows[count++] = map->title;
        }
    }
    const struct ui_menu menu = {.rows = (const char *const *)rows,
                                 .count = count,
                                 .current = current,
                                 .tip = view->is_signed
                                            ? "Colours of the numbers, on both sides of 0"
                                            : "Colours of the weights, from 0 to 1"};
    struct rect place = next_control(column, CONTROL);
    if (!view->is_signed) {
        draw_colour_switches(view, &place);
    }
    const size_t chosen = ui_menu(view->ui, "colour map", place, &menu);
    if (chosen < count) {
        view_action(
            view, &(struct view_action){.kind = VIEW_ACTION_COLOURMAP, .text = maps[chosen]->name});
    }
    view_colour_bar(view, (struct rect){column->x, column->y, column->w, 9}, false);
    view_colour_ticks(view, (struct rect){column->x, column->y, column->w, 9}, false);
    column->y += 32;
    if (!view->is_signed &&
        ui_toggle(view->ui, "range", next_control(column, TOGGLE), "up to the largest",
                  view->state->prefs.range_by_content,
                  "The last colour stands for the largest weight on screen, not for 1")) {
        view_action_command(view, "range");
    }
    draw_themes(view, next_control(column, CONTROL));
    view_languages(view, next_control(column, CONTROL));
}

/* Draws the switch by which a model reads the text as a chat message. */
static void draw_chat(struct view *view, struct column *column, bool draw)
{
    const struct view_head_overview *const model = view->state->head_overview;
    if (model == NULL || !model->offers_chat) {
        return;
    }
    const struct rect place = next_control(column, TOGGLE);
    static const char label[] = "as a chat message";
    if (draw && (model->no_chat != NULL
                     ? ui_toggle_disabled(view->ui, "chat", place, label, tr(model->no_chat))
                     : ui_toggle(view->ui, "chat", place, label, model->chat != NULL,
                                 "The text stands in the model's chat template, as it was tuned to "
                                 "read it; else it goes in as it is"))) {
        view_action_command(view, "chat");
    }
    column->y += SECTION;
}

/* Draws the groups that apply to this experiment. */
static void draw_groups(struct view *view, struct column *column, bool draw)
{
    draw_chat(view, column, draw);
    const bool raw = lab_experiment_sizes(pending_experiment(view)).raw;
    for (int group = LAB_GROUP_WORDS; group < LAB_GROUPS; group++) {
        if (group == LAB_GROUP_ATTENTION ? pending_experiment(view)->alpha == NULL : !raw) {
            draw_group(view, column, (enum lab_param_group)group, draw);
        }
    }
}

/* The height of all controls. */
static float content_height(struct view *view, float tight)
{
    const struct lab_experiment *experiment = pending_experiment(view);
    const float section = SECTION * (1 - tight);
    const float given = HEADING + (experiment->alpha != NULL ? 7.0f : 4.0f) * 18 + GAP + section;
    const bool shut = !display_is_open(view);
    const float display =
        HEADING + (shut ? 0 : 3 * control_step(CONTROL, tight) + 32 + control_step(TOGGLE, tight));
    struct column column = {.tight = tight};
    if (view->state->learn != NULL) {
        return view_learn_settings(view, (struct point){0, 0}, 0, tight, false) + display;
    }
    draw_groups(view, &column, false);
    return column.y + (lab_experiment_sizes(experiment).raw ? given : 0) + display;
}

/* Says why the earlier parts of the computation have no settings. */
static const char *given_sentence(const struct view *view)
{
    const struct lab_experiment *const experiment = pending_experiment(view);
    return view_block_known(view) != NULL
               ? tr("Queries, keys and values are the model’s own: Project shows how they "
                    "come about.")
           : !lab_has_shares(experiment)
               ? tr("These numbers are shown as they were given: they are no attention, so there "
                    "is nothing to scale, to mask or to turn into shares.")
           : experiment->alpha != NULL
               ? tr("The weights α are given as numbers. What came before them is "
                    "not known: there is nothing to scale, to mask or to turn "
                    "into shares.")
           : experiment->layers > 0
               ? tr("Queries and keys are given by this file, as numbers.")
               : tr("Queries, keys and values are given by this lesson, as numbers.");
}

/* The closeness of the controls, which move together before they scroll. */
static float choose_tightness(struct view *view, float room)
{
    const float roomy = content_height(view, 0), close = content_height(view, 1);
    return fminf(1, fmaxf(0, (roomy - room) / (roomy - close)));
}

void view_settings(struct view *view, struct rect area)
{
    view_panel(view, area, "Settings");
    ui_push(view->ui, "settings");
    const struct rect inner = {area.x + 1, area.y + 12, area.w - 2, area.h - 20};
    float offset = view->state->settings_scroll;
    const float tight = choose_tightness(view, inner.h);
    const float high = content_height(view, tight);
    const float from = ui_scroll_begin(view->ui, "settings", inner, high, &offset);
    struct column column = {area.x + 16, inner.y - from, area.w - 32, tight};
    if (lab_experiment_sizes(pending_experiment(view)).raw && view->state->learn == NULL) {
        draw_title(view, &column, "INPUT");
        draw_remark(view, &column, given_sentence(view));
        column.y += SECTION * (1 - tight);
    }
    if (view->state->learn != NULL) {
        column.y =
            view_learn_settings(view, (struct point){column.x, column.y}, column.w, tight, true);
    } else {
        draw_groups(view, &column, true);
    }
    draw_display(view, &column);
    ui_scroll_end(view->ui);
    if (offset != view->state->settings_scroll) {
        view_action_set(view, settings_scroll, offset);
    }
    ui_pop(view->ui);
    canvas_ungroup(view->ui->canvas);
}

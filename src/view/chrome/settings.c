/* The settings: what the experiment is made of, from top to bottom. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/kind.h"
#include "lab/positions.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"

static const float HEADING = 18, CONTROL = 28, SLIDER = 38, TOGGLE = 22, GAP = 4, SECTION = 4;
static const float LANGUAGE = 96;  /* of the menu beside the heading of what is displayed */
static const float MASK_WORD = 44; /* before the menu of masks */
static const float PAIR = 12;      /* between two controls side by side */

static const struct lab_experiment *pending(const struct view *view)
{
    return view->pending != NULL ? view->pending : view->experiment;
}

/* Where the next control goes. */
struct column {
    float x, y, w;
    float tight; /* 0: as roomy as one likes … 1: as close as still reads well */
};

/* What a control and the gap below it take. */
static float step_of(float high, float tight)
{
    return high - (high >= CONTROL ? 3 : 1) * tight + GAP - 2 * tight;
}

static struct rect take(struct column *column, float high)
{
    const float step = step_of(high, column->tight);
    const struct rect place = {column->x, column->y, column->w, step - GAP + 2 * column->tight};
    column->y += step;
    return place;
}

/* Two controls side by side: where the left one goes, and where the right one. */
struct pair {
    struct rect left, right;
};

static struct pair take_pair(struct column *column, float high)
{
    const struct rect both = take(column, high);
    const float wide = floorf((both.w - PAIR) / 2);
    return (struct pair){{both.x, both.y, wide, both.h},
                         {both.x + both.w - wide, both.y, wide, both.h}};
}

static void heading(struct view *view, struct column *column, const char *text)
{
    canvas_text(view->ui->canvas, column->x, column->y + 14, FONT_WORDS_BOLD, UI_TEXT_TINY,
                view->ui->theme->muted, CANVAS_LEFT, tr(text));
    column->y += HEADING;
}

static void remark(struct view *view, struct column *column, const char *text)
{
    column->y += view_wrapped(view, column->x, column->y + 12, column->w, UI_TEXT_SMALL,
                              view->ui->theme->muted, text) +
                 GAP;
}

static void action_field(struct view *view, enum view_field field, double number)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_FIELD,
                                            .setting = {.field = field, .number = number}});
}

/* A slider over one field. */
struct field_slider {
    enum view_field field;
    const char *name, *label, *tip;
    double value, low, high, step;
    bool logarithmic;
    int decimals;
    const char *number;
};

static void slider_in(struct view *view, struct rect place, const struct field_slider *row)
{
    double value = row->value;
    const struct ui_slider look = {.label = row->label,
                                   .value = row->value,
                                   .low = row->low,
                                   .high = row->high,
                                   .step = row->step,
                                   .logarithmic = row->logarithmic,
                                   .decimals = row->decimals,
                                   .number = row->number,
                                   .tip = row->tip};
    if (ui_slider(view->ui, row->name, place, &look, &value)) {
        action_field(view, row->field, value);
    }
}

static void slider(struct view *view, struct column *column, const struct field_slider *row)
{
    slider_in(view, take(column, SLIDER), row);
}

static void sliders_beside(struct view *view, struct column *column, const struct field_slider *two)
{
    const struct pair pair = take_pair(column, SLIDER);
    slider_in(view, pair.left, &two[0]);
    slider_in(view, pair.right, &two[1]);
}

/* "Random · 42": what is random says which seed made it. NULL: it is not random. */
static const char *seeded(struct view *view, bool random)
{
    return random
               ? arena_format(view->arena, "Random · %llu", (unsigned long long)pending(view)->seed)
               : NULL;
}

/* A switch over one field: the number it actions for when it is turned on, and off. */
struct field_toggle {
    enum view_field field;
    const char *label, *tip;
    bool on;
    double number_on, number_off;
};

static void toggle_in(struct view *view, struct rect place, const struct field_toggle *row)
{
    if (ui_toggle(view->ui, row->label, place, row->label, row->on, row->tip)) {
        action_field(view, row->field, row->on ? row->number_off : row->number_on);
    }
}

static void toggle(struct view *view, struct column *column, const struct field_toggle *row)
{
    toggle_in(view, take(column, TOGGLE), row);
}

static void draw_input(struct view *view, struct column *column)
{
    static const char *const rows[] = {"Toy 3-D", "Random", "One-hot", "Own numbers"};
    const struct lab_experiment *experiment = pending(view);
    heading(view, column, "INPUT");
    const size_t count = experiment->embeddings != NULL ? 4 : 3;
    const struct ui_menu menu = {.rows = rows,
                                 .count = count,
                                 .current = experiment->embedding,
                                 .label =
                                     seeded(view, experiment->embedding == LAB_EMBEDDING_RANDOM),
                                 .tip = "How words become numbers; a number behind is the seed"};
    const size_t chosen = ui_menu(view->ui, "embedding", take(column, CONTROL), &menu);
    if (chosen < count) {
        action_field(view, VIEW_FIELD_EMBEDDING, (double)chosen);
    }
    if (experiment->embedding == LAB_EMBEDDING_RANDOM) {
        slider(view, column,
               &(struct field_slider){.field = VIEW_FIELD_D_MODEL,
                                      .name = "d_model",
                                      .label = "width d_model",
                                      .tip = "How many numbers stand for one word",
                                      .value = (double)experiment->d_model,
                                      .low = 1,
                                      .high = 256,
                                      .step = 1,
                                      .logarithmic = true});
    }
    column->y += SECTION * (1 - column->tight);
}

static void draw_weight_source(struct view *view, struct column *column)
{
    const struct lab_experiment *experiment = pending(view);
    const char *random =
        experiment->weights == LAB_WEIGHTS_RANDOM
            ? arena_format(view->arena, "Random · seed %llu", (unsigned long long)experiment->seed)
            : tr("Random");
    const char *const fixed[] = {"Identity", random != NULL ? random : tr("Random"), "Own numbers"};
    const char **rows = arena_array(view->arena, 3, sizeof *rows);
    if (rows == NULL) {
        return;
    }
    memcpy(rows, fixed, sizeof fixed);
    const size_t count = experiment->w_q != NULL ? 3 : 2;
    struct rect place = take(column, CONTROL);
    const struct rect dice = {place.x + place.w - place.h, place.y, place.h, place.h};
    place.w -= place.h + 6;
    const struct ui_menu menu = {
        .rows = rows,
        .count = count,
        .current = experiment->weights,
        .label = seeded(view, experiment->weights == LAB_WEIGHTS_RANDOM),
        .tip = "What stands in W_Q, W_K, W_V and W_O; the number is the seed"};
    const size_t chosen = ui_menu(view->ui, "weights", place, &menu);
    if (chosen < count) {
        action_field(view, VIEW_FIELD_WEIGHTS, (double)chosen);
    }
    const struct ui_button look = {.icon = UI_ICON_DICE,
                                   .tip = "Roll: other random numbers (Ctrl+R)"};
    if (ui_button(view->ui, "dice", dice, &look)) {
        view_action_command(view, "roll");
    }
}

static void draw_weights(struct view *view, struct column *column)
{
    const struct lab_experiment *experiment = pending(view);
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    heading(view, column, "WEIGHTS");
    draw_weight_source(view, column);
    const double most = 256;
    const struct field_slider sliders[] = {
        {VIEW_FIELD_HEADS, "heads", "heads h", "How many attentions run side by side",
         (double)experiment->heads, 1, fmax(64, (double)experiment->heads), 1, true, 0, NULL},
        {VIEW_FIELD_D_K, "d_k", "keys dₖ", "Key size: how long queries and keys are",
         (double)sizes.d_k, 1, fmax(most, (double)sizes.d_k), 1, true, 0, NULL},
        {VIEW_FIELD_D_V, "d_v", "values dᵥ", "Value size: how long values are", (double)sizes.d_v,
         1, fmax(most, (double)sizes.d_v), 1, true, 0, NULL},
    };
    slider(view, column, &sliders[0]);
    sliders_beside(view, column, &sliders[1]);
    column->y += SECTION * (1 - column->tight);
}

/* The numbers of a mask that has some. */
static void draw_mask_numbers(struct view *view, struct column *column)
{
    const struct lab_mask_row *row = lab_mask_row(pending(view)->mask);
    const struct lab_mask_rule rule = lab_experiment_mask(pending(view));
    const double most = fmax(16, (double)lab_words_count(pending(view)->tokens));
    const struct {
        enum view_field field;
        const char *name, *label;
        size_t value;
    } numbers[] = {{VIEW_FIELD_MASK_SIZE, "mask size", row->size_name, rule.size},
                   {VIEW_FIELD_MASK_STEP, "mask step", row->step_name, rule.step}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].label != NULL) {
            slider(view, column,
                   &(struct field_slider){
                       .field = numbers[i].field,
                       .name = numbers[i].name,
                       .label = arena_format(view->arena, "mask %s", numbers[i].label),
                       .tip = row->formula,
                       .value = (double)numbers[i].value,
                       .low = 1,
                       .high = fmax(most, (double)numbers[i].value),
                       .step = 1});
        }
    }
}

/* How much is appended by a mask's numbers. */
static float mask_numbers(const struct lab_experiment *experiment)
{
    const struct lab_mask_row *row = lab_mask_row(experiment->mask);
    return (float)((row->size_name != NULL) + (row->step_name != NULL));
}

/* Flash: the same answer, tile after tile. */
static void draw_tiles(struct view *view, struct column *column)
{
    const struct lab_experiment *experiment = pending(view);
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    const bool on = experiment->flash_rows > 0;
    toggle(view, column,
           &(struct field_toggle){VIEW_FIELD_FLASH, "tile by tile (flash)",
                                  "The same answer without the whole matrix of scores; see Softmax "
                                  "and Blend",
                                  on, 1, 0});
    const struct field_slider sliders[] = {
        {VIEW_FIELD_FLASH_ROWS, "tile rows", "rows B_r", "How many queries a tile has",
         (double)experiment->flash_rows, 1, fmax((double)sizes.n, (double)experiment->flash_rows),
         1, false, 0, NULL},
        {VIEW_FIELD_FLASH_COLS, "tile columns", "keys B_c", "How many keys a tile has",
         (double)experiment->flash_cols, 1, fmax((double)sizes.m, (double)experiment->flash_cols),
         1, false, 0, NULL}};
    if (on) {
        sliders_beside(view, column, sliders);
    }
}

static void draw_scores(struct view *view, struct column *column)
{
    const struct lab_experiment *experiment = pending(view);
    heading(view, column, "SCORES");
    toggle(view, column,
           &(struct field_toggle){VIEW_FIELD_SCALE, "scale by 1/√dₖ",
                                  "Divide every score by the root of the key size",
                                  experiment->scale, 1, 0});
    slider(view, column,
           &(struct field_slider){.field = VIEW_FIELD_TEMPERATURE,
                                  .name = "temperature",
                                  .label = "temperature τ",
                                  .tip = "Scores are divided by it: low sharpens, high evens out",
                                  .value = (double)experiment->temperature,
                                  .low = 0.01,
                                  .high = 100,
                                  .step = 0.01,
                                  .logarithmic = true,
                                  .decimals = 2});
    const char **rows = arena_array(view->arena, LAB_MASKS, sizeof *rows);
    for (int mask = 0; rows != NULL && mask < LAB_MASKS; mask++) {
        rows[mask] = lab_mask_row((enum lab_mask)mask)->title;
    }
    const struct ui_menu menu = {.rows = (const char *const *)rows,
                                 .count = rows != NULL ? LAB_MASKS : 0,
                                 .current = experiment->mask,
                                 .tip = lab_mask_row(experiment->mask)->sentence};
    struct rect place = take(column, CONTROL);
    canvas_text(view->ui->canvas, place.x, place.y + place.h / 2 + 4.5f, FONT_WORDS, UI_TEXT_BODY,
                view->ui->theme->ink, CANVAS_LEFT, tr("mask"));
    place.x += MASK_WORD;
    place.w -= MASK_WORD;
    const size_t chosen = ui_menu(view->ui, "mask", place, &menu);
    if (chosen < menu.count) {
        action_field(view, VIEW_FIELD_MASK, (double)chosen);
    }
    draw_mask_numbers(view, column);
    const bool softmax = experiment->normalise == LAB_SOFTMAX_ROWS;
    struct pair pair = take_pair(column, TOGGLE);
    const float longer = 8; /* the left word is */
    pair.left.w += longer;
    pair.right.x += longer;
    pair.right.w -= longer;
    toggle_in(view, pair.left,
              &(struct field_toggle){VIEW_FIELD_NORMALISE, "softmax",
                                     "Off: every score's plain share of its row's sum instead",
                                     softmax, LAB_SOFTMAX_ROWS, LAB_PLAIN_SHARE});
    if (softmax) {
        toggle_in(view, pair.right,
                  &(struct field_toggle){VIEW_FIELD_KEEP_MAXIMUM, "− max",
                                         "Subtract the row's maximum before the exponential. Off: "
                                         "e to the score as it is; large scores overflow",
                                         !experiment->keep_maximum, 0, 1});
    }
    draw_tiles(view, column);
    column->y += SECTION * (1 - column->tight);
}

static void draw_output(struct view *view, struct column *column)
{
    const struct lab_experiment *experiment = pending(view);
    heading(view, column, "OUTPUT");
    const struct pair pair = take_pair(column, TOGGLE);
    toggle_in(view, pair.left,
              &(struct field_toggle){VIEW_FIELD_SKIP_W_O, "W_O",
                                     "Mix the heads with W_O. Off: their results stay side by side "
                                     "as they are",
                                     !experiment->skip_w_o, 0, 1});
    toggle_in(view, pair.right,
              &(struct field_toggle){VIEW_FIELD_RESIDUAL, "X + O",
                                     "Residual: add what came in to what attention gives, at "
                                     "Output",
                                     experiment->residual, 1, 0});
    column->y += SECTION * (1 - column->tight);
}

/* A menu over one field whose rows come from a table. */
static void field_menu(struct view *view, struct column *column, enum view_field field,
                       const char *name, size_t count, size_t current,
                       const char *(*title)(size_t index), const char *tip)
{
    const char **rows = arena_array(view->arena, count, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < count; i++) {
        rows[i] = title(i);
    }
    const struct ui_menu menu = {.rows = (const char *const *)rows,
                                 .count = rows != NULL ? count : 0,
                                 .current = current,
                                 .tip = tip};
    const size_t chosen = ui_menu(view->ui, name, take(column, CONTROL), &menu);
    if (chosen < menu.count) {
        action_field(view, field, (double)chosen);
    }
}

static const char *kind_title(size_t index)
{
    return lab_kind_row((enum lab_kind)index)->title;
}

static const char *positions_title(size_t index)
{
    static const char *const titles[LAB_POSITIONS_KINDS] = {"No positions", "Sinusoidal positions",
                                                            "Rotary positions"};
    return titles[index];
}

/* Self-attention, or cross-attention with words of its own for keys and values. */
static void draw_keys_from(struct view *view, struct column *column)
{
    static const char *const labels[] = {"same words", "other words"};
    const size_t current = pending(view)->context != NULL ? 1 : 0;
    const struct rect place = take(column, CONTROL);
    const size_t chosen = ui_tabs(view->ui, "keys and values from", place, labels, 2, current);
    static const char *const tips[] = {"Self-attention: the words look at each other",
                                       "Cross-attention: the words look at another text"};
    ui_tab_tips(view->ui, "keys and values from", place, tips, 2);
    ui_tip(view->ui, ui_id(view->ui, "keys from"), place,
           "Other words: cross-attention, with a field of their own at the top");
    if (chosen < 2 && chosen != current) {
        action_field(view, VIEW_FIELD_CONTEXT, (double)chosen);
    }
}

/* How keys and values are made and shared, and how a word's place gets into its numbers. */
static void draw_variant(struct view *view, struct column *column)
{
    const struct lab_experiment *experiment = pending(view);
    heading(view, column, "KEYS AND VALUES FROM");
    draw_keys_from(view, column);
    field_menu(view, column, VIEW_FIELD_KIND, "kind", LAB_KINDS, experiment->kind, kind_title,
               lab_kind_row(experiment->kind)->sentence);
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    if (experiment->kind == LAB_GROUPED) {
        const size_t preset = lab_kind_preset(LAB_GROUPED, experiment->heads, sizes.d_model);
        slider(view, column,
               &(struct field_slider){
                   .field = VIEW_FIELD_GROUPS,
                   .name = "groups",
                   .label = "groups G",
                   .tip = "How many keys and values there are; heads share them",
                   .value = (double)(experiment->groups > 0 ? experiment->groups : preset),
                   .low = 1,
                   .high = fmax(1, (double)experiment->heads),
                   .step = 1});
    } else if (experiment->kind == LAB_LATENT) {
        const size_t preset = lab_kind_preset(LAB_LATENT, experiment->heads, sizes.d_model);
        slider(view, column,
               &(struct field_slider){
                   .field = VIEW_FIELD_LATENT,
                   .name = "latent",
                   .label = "latent size R",
                   .tip = "How many numbers of a word keys and values are rebuilt from",
                   .value = (double)(experiment->latent > 0 ? experiment->latent : preset),
                   .low = 1,
                   .high = fmax(2, (double)sizes.d_model),
                   .step = 1});
    }
    field_menu(view, column, VIEW_FIELD_POSITIONS, "positions", LAB_POSITIONS_KINDS,
               experiment->positions, positions_title,
               lab_positions_row(experiment->positions)->sentence);
    column->y += SECTION * (1 - column->tight);
}

/* Two switches beside the map of colours: as much colour for every power of ten; discs for scores.
 */
static void draw_ways(struct view *view, struct rect *row)
{
    const struct lab_display *display = &view->state->display;
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
        const struct ui_button look = {.label = ways[i].label,
                                       .style = ways[i].on ? UI_BUTTON_CURRENT : UI_BUTTON_PLAIN,
                                       .tip = ways[i].tip};
        if (ui_button(view->ui, ways[i].command, place, &look)) {
            view_action_command(view, ways[i].command);
        }
        row->w -= wide + 5;
    }
}

static void draw_display(struct view *view, struct column *column)
{
    enum { MAPS_MAX = 16 };
    view_languages(
        view, (struct rect){column->x + column->w - LANGUAGE, column->y - 2, LANGUAGE, HEADING});
    heading(view, column, "DISPLAY");
    const struct colourmap *maps[MAPS_MAX];
    const char **rows = arena_array(view->arena, MAPS_MAX, sizeof *rows);
    size_t count = 0, current = 0;
    const struct colourmap *map = NULL;
    for (size_t i = 0; rows != NULL && (map = colourmap_at(i)) != NULL; i++) {
        if (map->kind == COLOURMAP_UNSIGNED && count < MAPS_MAX) {
            current = map == view->state->weights_map ? count : current;
            maps[count] = map;
            rows[count++] = map->title;
        }
    }
    const struct ui_menu menu = {.rows = (const char *const *)rows,
                                 .count = count,
                                 .current = current,
                                 .tip = "Colours of the weights, from 0 to 1"};
    struct rect place = take(column, CONTROL);
    draw_ways(view, &place);
    const size_t chosen = ui_menu(view->ui, "colour map", place, &menu);
    if (chosen < count) {
        view_action(
            view, &(struct view_action){.kind = VIEW_ACTION_COLOURMAP, .text = maps[chosen]->name});
    }
    view_colour_bar(view, (struct rect){column->x, column->y, column->w, 9}, false);
    view_colour_ticks(view, (struct rect){column->x, column->y, column->w, 9}, false);
    column->y += 32;
    if (ui_toggle(view->ui, "range", take(column, TOGGLE), "up to the largest",
                  view->state->range_by_content,
                  "The last colour stands for the largest weight on screen, not for 1")) {
        view_action_command(view, "range");
    }
}

/* The height the controls take: the same additions, without drawing. */
static float content_height(const struct view *view, float tight)
{
    const struct lab_experiment *experiment = pending(view);
    const bool raw = lab_experiment_sizes(experiment).raw;
    const bool random = experiment->embedding == LAB_EMBEDDING_RANDOM;
    const bool counted = experiment->kind == LAB_GROUPED || experiment->kind == LAB_LATENT;
    const float menu = step_of(CONTROL, tight), slide = step_of(SLIDER, tight);
    const float turn = step_of(TOGGLE, tight), section = SECTION * (1 - tight);
    const float input = HEADING + menu + section + (random ? slide : 0);
    const float weights = HEADING + menu + 2 * slide + section;
    const float output = HEADING + turn + section;
    const float variant = HEADING + 3 * menu + (counted ? slide : 0) + section;
    const float scores =
        HEADING + slide + menu + mask_numbers(experiment) * slide + 2 * turn + section;
    const float tiles = turn + (experiment->flash_rows > 0 ? slide : 0);
    const float display = HEADING + menu + 32 + turn;
    const float given = HEADING + (experiment->alpha != NULL ? 7.0f : 4.0f) * 18 + GAP + section;
    return (raw ? given : input + weights + output + variant) +
           (experiment->alpha != NULL ? 0 : scores + tiles) + display;
}

/* Why there is nothing to set in what came before. */
static const char *given_text(const struct lab_experiment *experiment)
{
    return experiment->alpha != NULL
               ? tr("The weights α are given as numbers. What came before them is "
                    "not known: there is nothing to scale, to mask or to turn "
                    "into shares.")
           : experiment->layers > 0
               ? tr("Queries and keys are given by this file, as numbers.")
               : tr("Queries, keys and values are given by this lesson, as numbers.");
}

/* Under a caption of two lines the controls stand closer before they scroll. */
static float tightness(const struct view *view, float room)
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
    const float tight = tightness(view, inner.h);
    const float high = content_height(view, tight);
    const float from = ui_scroll_begin(view->ui, "settings", inner, high, &offset);
    struct column column = {area.x + 16, inner.y - from, area.w - 32, tight};
    if (lab_experiment_sizes(pending(view)).raw) {
        heading(view, &column, "INPUT");
        remark(view, &column, given_text(pending(view)));
        column.y += SECTION * (1 - tight);
    } else {
        draw_input(view, &column);
        draw_weights(view, &column);
    }
    if (pending(view)->alpha == NULL) {
        draw_scores(view, &column);
    }
    if (!lab_experiment_sizes(pending(view)).raw) {
        draw_output(view, &column);
        draw_variant(view, &column);
    }
    draw_display(view, &column);
    ui_scroll_end(view->ui);
    if (offset != view->state->settings_scroll) {
        view_action_set(view, settings_scroll, offset);
    }
    ui_pop(view->ui);
    canvas_ungroup(view->ui->canvas);
}

/* The overview of all heads: a row for every layer, a column for every head, each a thumbnail. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/overview/head_grid.h"
#include "view/overview/thumbnail.h"
#include "view/parts/head_overview.h"
#include "view/parts/matrix.h"
#include "view/parts/pieces.h"

static const float EDGE = 20, HEAD = 66;
static const float ATTENTIONS_HIGH = 34; /* height of the tabs for the attentions of two texts */
static const float MENU_WIDE = 156, MENU_HIGH = 28, LABEL_MIN = 48, SINKS_WIDE = 128,
                   SWITCH_WIDE = 92;

/* "L4H6". Owned by the frame's arena. */
static const char *head_name(struct view *view, size_t place)
{
    const size_t heads = lab_thumbnails_sizes(view->state->head_overview->thumbnails).heads;
    return arena_words(view->arena, "L%zuH%zu", place / heads, place % heads);
}

/* "each cell: the largest of its weights": the meaning of a cell of a thumbnail. NULL: one weight.
 * Owned by the frame's arena. */
static const char *pooling_text(struct view *view)
{
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(view->state->head_overview->thumbnails);
    if (sizes.n <= sizes.rows && sizes.m <= sizes.cols) {
        return NULL;
    }
    return arena_format(view->arena, "each cell: the %s of its weights",
                        view->state->prefs.by_mean ? tr("mean") : tr("largest"));
}

/* Says whether the head is emphasised: it is on the stages, and the figure has marks. */
static bool is_emphasised(const struct view *view, bool current)
{
    return current && view->style.has_marks;
}

static const char *head_measure_text(struct view *view, enum lab_head_measure head_measure,
                                     float value)
{
    const struct lab_head_measure_row *const row = lab_head_measure_row(head_measure);
    char number[TEXT_NUMBER_MAX];
    if (isnan(value)) {
        return tr("none here");
    }
    text_number(number, (double)(row->is_share ? value * 100 : value), row->is_share ? 0 : 2);
    return arena_words(view->arena, "%s %s", number, row->unit);
}

/* The number by which a head stands where it does, or is called what it is; NULL: it stands by
 * layer and head, or it has none. */
static const char *order_number(struct view *view, size_t place)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    const size_t heads = lab_thumbnails_sizes(overview->thumbnails).heads;
    const struct lab_thumbnails_head head =
        lab_thumbnails_head(overview->thumbnails, place / heads, place % heads);
    const enum lab_head_measure measure =
        overview->grouped ? lab_thumbnails_kind(overview->thumbnails, place / heads, place % heads,
                                                overview->sinks_aside)
                          : overview->head_measure;
    const float *const measured = overview->sinks_aside ? head.of_rest : head.head_measure;
    return view->is_signed || measure >= LAB_HEAD_MEASURES || measured == NULL ||
                   isnan(measured[measure])
               ? NULL
               : head_measure_text(view, measure, measured[measure]);
}

/* "L0H2", and beside it, where there is room, that number. */
static void draw_name(struct view *view, const struct head_grid *grid, struct rect cell,
                      size_t place, bool current)
{
    static const float SIZE = 9, GAP = 4;
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const char *const name =
        arena_words(view->arena, "L%zuH%zu", place / grid->heads, place % grid->heads);
    const char *const number =
        view_thumbnail_is_there(view, place) ? order_number(view, place) : NULL;
    const float y = cell.y + cell.h + grid->name - 2;
    const float wide = name == NULL ? 0 : canvas_measure(canvas, FONT_NUMBERS, SIZE, name);
    const float beside =
        number == NULL ? 0 : GAP + canvas_measure(canvas, FONT_NUMBERS, SIZE, number);
    const bool both = number != NULL && wide + beside <= grid->pitch;
    canvas_text_cut(canvas, cell.x + cell.w / 2 - (both ? beside / 2 : 0), y, FONT_NUMBERS, SIZE,
                    current ? theme->ink : theme->muted, CANVAS_CENTRE, name, grid->pitch);
    if (both) {
        canvas_text(canvas, cell.x + cell.w / 2 + (wide + beside) / 2, y, FONT_NUMBERS, SIZE,
                    theme->ink, CANVAS_RIGHT, number);
    }
}

static void draw_cell(struct view *view, const struct view_thumbnail_ink *ink,
                      const struct head_grid *grid, size_t at)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_head_overview *const head_overview = view->state->head_overview;
    const size_t place = grid->order != NULL ? grid->order[at] : at;
    const struct rect cell = head_grid_cell(grid, at);
    const size_t chosen = head_overview->layer * grid->heads + view->selection.head;
    const bool current = is_emphasised(view, place == chosen);
    canvas_group(canvas, ui_id_number(view->ui, "head", place), head_name(view, place));
    view_thumbnail_draw(view, ink, place, cell);
    view_thumbnail_cross(view, place, cell);
    if (view_thumbnail_is_there(view, place) && (cell.w >= 24 || current)) {
        view_thumbnail_mark(view, cell, current ? 1 : 0.35f);
    }
    if (current) {
        canvas_rect(canvas, rect_inset(cell, -3), 4,
                    &(struct paint){.stroke = theme->ink, .width = 2});
    } else if (view->head_overview_over == place + 1) {
        canvas_rect(canvas, rect_inset(cell, -2), 3,
                    &(struct paint){.stroke = theme->muted, .width = 1});
    }
    if (grid->name > 0) {
        draw_name(view, grid, cell, place, current);
    }
    canvas_ungroup(canvas);
}

/* Draws the numbers of heads above the columns of each block, thinned out if there is no room. */
static void draw_column_numbers(struct view *view, const struct head_grid *grid)
{
    const struct ui_theme *const theme = view->ui->theme;
    const size_t every = (size_t)ceilf(24 / grid->pitch);
    const size_t chosen = view->selection.head;
    for (size_t b = 0; b < grid->blocks && grid->order == NULL && grid->folds == 1; b++) {
        const bool has_current =
            is_emphasised(view, view->state->head_overview->layer / grid->lines == b);
        for (size_t h = 0; h < grid->heads; h++) {
            const struct rect cell = head_grid_cell(grid, b * grid->lines * grid->heads + h);
            const bool current = has_current && h == chosen;
            const bool is_apart = !has_current || (h > chosen ? h - chosen : chosen - h) >= every;
            if (current || (h % every == 0 && is_apart)) {
                const char *const text = arena_words(view->arena, "H%zu", h);
                canvas_text(view->ui->canvas, cell.x + cell.w / 2, grid->area.y - 7,
                            current ? FONT_WORDS_BOLD : FONT_WORDS, UI_TEXT_TINY,
                            current ? theme->ink : theme->muted, CANVAS_CENTRE, text);
            }
        }
    }
}

/* Draws a bracket over the heads of each group that shares keys and values, in the colour of keys.
 */
static void draw_group_brackets(struct view *view, const struct head_grid *grid)
{
    const size_t groups = view->state->head_overview->groups;
    const size_t sharing = view_thumbnail_sharing(view);
    if (sharing < 2 || grid->order != NULL || grid->folds > 1 || grid->pitch < 5) {
        return;
    }
    for (size_t g = 0; g < grid->blocks * groups; g++) {
        const size_t first = g / groups * grid->lines * grid->heads + g % groups * sharing;
        struct rect from = head_grid_cell(grid, first);
        const struct rect to = head_grid_cell(grid, first + sharing - 1);
        from.y = grid->area.y;
        view_sharing_bracket(view, from, to, 0);
        const size_t head = g % groups * sharing;
        ui_tip(view->ui, ui_id_number(view->ui, "group", g),
               (struct rect){from.x, from.y - 15.5f, to.x + to.w - from.x, 15},
               arena_format(view->arena, "H%zu to H%zu share the keys and values of group %zu",
                            head, head + sharing - 1, g % groups));
    }
}

static void draw_row_numbers(struct view *view, const struct head_grid *grid)
{
    const struct ui_theme *const theme = view->ui->theme;
    const size_t every = (size_t)ceilf(14 / (grid->down * (float)grid->folds));
    const size_t chosen = view->state->head_overview->layer;
    for (size_t layer = 0; layer < grid->layers && grid->order == NULL; layer++) {
        const bool is_apart = !is_emphasised(view, true) ||
                              layer / grid->lines != chosen / grid->lines ||
                              (layer > chosen ? layer - chosen : chosen - layer) >= every;
        const struct rect cell = head_grid_cell(grid, layer * grid->heads);
        const bool current = is_emphasised(view, layer == chosen);
        const char *const text = arena_words(view->arena, "L%zu", layer);
        if (current || (layer % grid->lines % every == 0 && is_apart)) {
            canvas_text(view->ui->canvas, cell.x - 8, cell.y + cell.h / 2 + 4,
                        current ? FONT_WORDS_BOLD : FONT_WORDS, UI_TEXT_TINY,
                        current ? theme->ink : theme->muted, CANVAS_RIGHT, text);
        }
    }
}

/* The head under the pointer, counted from 1; 0: none. */
static size_t find_hovered(const struct view *view, const struct head_grid *grid)
{
    const size_t at = head_grid_pointed(grid, view->ui->input->x, view->ui->input->y);
    return at == SIZE_MAX ? 0 : (grid->order != NULL ? grid->order[at] : at) + 1;
}

static size_t find_current(const struct view *view, const struct head_grid *grid)
{
    const size_t place = view->state->head_overview->layer * grid->heads + view->selection.head;
    for (size_t at = 0; grid->order != NULL && at < grid->layers * grid->heads; at++) {
        if (grid->order[at] == place) {
            return at;
        }
    }
    return place;
}

/* Answers pointer and keyboard: hovers and opens heads. */
static void handle_input(struct view *view, const struct head_grid *grid)
{
    const uint32_t id = ui_id(view->ui, "pictures");
    const struct rect felt = {grid->area.x, grid->area.y,
                              fminf(grid->area.w, head_grid_width(grid)),
                              fminf(grid->area.h, grid->content)};
    const struct ui_touch touch = ui_touch(view->ui, id, felt, false);
    view->head_overview_over = touch.hover ? find_hovered(view, grid) : 0;
    if (touch.clicked && view->head_overview_over > 0) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_OPEN, view->head_overview_over - 1);
    }
    const size_t at = find_current(view, grid);
    size_t row = 0, column = 0;
    head_grid_spot(grid, at, &row, &column);
    const struct ui_grid_answer keys =
        ui_grid(view->ui, id, felt, grid->rows, grid->columns, &row, &column);
    const size_t to = row < grid->rows ? head_grid_at(grid, row, column) : at;
    if (keys.moved) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_OPEN,
                                  grid->order != NULL ? grid->order[to] : to);
    }
    if (view->head_overview_over > 0) {
        const size_t place = view->head_overview_over - 1;
        view->head_overview_cell = head_grid_cell(grid, 0);
        for (size_t p = 0; p < grid->layers * grid->heads; p++) {
            if ((grid->order != NULL ? grid->order[p] : p) == place) {
                view->head_overview_cell = head_grid_cell(grid, p);
            }
        }
        if (view->state->head_overview->off != NULL &&
            ui_stroke_consumed(view->ui, 0, 'x', UI_ALT)) {
            view_head_overview_action(view, VIEW_HEAD_OVERVIEW_SWITCH, place);
        }
    }
}

/* Draws "previous token · 17" and its definition above the heads of each kind. */
static void draw_headings(struct view *view, const struct head_grid *grid)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    for (size_t b = 0; b < grid->bands && grid->band[0].heading > 0; b++) {
        const struct head_band *const band = &grid->band[b];
        const bool is_other = band->kind == LAB_HEAD_MEASURES;
        const struct lab_head_measure_row *const row =
            is_other ? NULL : lab_head_measure_row(band->kind);
        const char *const definition =
            tr(is_other ? "No kind gets more than half of the weight." : row->definition);
        const char *const name =
            arena_words(view->arena, "%s · %zu", tr(is_other ? "other" : row->title), band->count);
        const struct rect line = {grid->area.x + 2, grid->area.y + band->y - grid->from,
                                  grid->area.w - 4, band->heading};
        const float wide = canvas_text(canvas, line.x, line.y + 15, FONT_WORDS_BOLD, UI_TEXT_SMALL,
                                       theme->ink, CANVAS_LEFT, name);
        canvas_text_cut(canvas, line.x + wide + 10, line.y + 15, FONT_WORDS, UI_TEXT_TINY,
                        theme->muted, CANVAS_LEFT, definition, fmaxf(line.w - wide - 10, 1));
        ui_tip(view->ui, ui_id_number(view->ui, "kind", b), line, definition);
    }
}

static void draw_grid(struct view *view, struct head_grid grid)
{
    const struct rect hall = grid.hall;
    const struct view_thumbnail_ink *const ink = view_thumbnail_ink(view);
    if (ink == NULL || grid.area.h < 4) {
        return;
    }
    float offset = view->state->head_overview_scroll;
    draw_column_numbers(view, &grid);
    draw_group_brackets(view, &grid);
    const struct rect seen = {hall.x, grid.area.y, hall.w + 10, grid.area.h};
    grid.from = ui_scroll_begin(view->ui, "heads", seen, grid.content, &offset);
    handle_input(view, &grid);
    draw_headings(view, &grid);
    draw_row_numbers(view, &grid);
    for (size_t at = 0; at < grid.layers * grid.heads; at++) {
        const struct rect cell = head_grid_cell(&grid, at);
        if (cell.y + grid.down > grid.area.y && cell.y < grid.area.y + grid.area.h) {
            draw_cell(view, ink, &grid, at);
        }
    }
    ui_scroll_end(view->ui);
    ui_draw_focus(view->ui, ui_id(view->ui, "pictures"), grid.area, 4);
    if (offset < view->state->head_overview_scroll || offset > view->state->head_overview_scroll) {
        view_action_set(view, head_overview_scroll, offset);
    }
}

/* "previous token 17 · first token 12 · other 102"; until all layers are computed, how many are. */
static const char *kinds_text(struct view *view)
{
    const struct lab_thumbnails *const thumbnails = view->state->head_overview->thumbnails;
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(thumbnails);
    size_t count[LAB_HEAD_MEASURES + 1] = {0};
    const size_t ready = lab_thumbnails_ready(thumbnails);
    for (size_t place = 0; place < ready * sizes.heads; place++) {
        count[lab_thumbnails_kind(thumbnails, place / sizes.heads, place % sizes.heads,
                                  view->state->head_overview->sinks_aside)]++;
    }
    const char *text = ready == sizes.layers
                           ? ""
                           : arena_format(view->arena, "%zu of %zu layers", ready, sizes.layers);
    for (size_t h = 0; h <= LAB_HEAD_MEASURES && text != NULL; h++) {
        const bool is_kind =
            h == LAB_HEAD_MEASURES || lab_head_measure_row((enum lab_head_measure)h)->is_share;
        if (is_kind) {
            text = arena_format(view->arena, "%s%s%s %zu", text, text[0] != '\0' ? " · " : "",
                                tr(h == LAB_HEAD_MEASURES
                                       ? "other"
                                       : lab_head_measure_row((enum lab_head_measure)h)->title),
                                count[h]);
        }
    }
    return text != NULL ? text : "";
}

/* The width of the label before the sort menu. */
static float sort_label_width(struct view *view)
{
    return fmaxf(LABEL_MIN,
                 8 + canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_SMALL, tr("sort by")));
}

/* The width of the sort menu, narrower if the switch of a head needs the room. */
static float sort_menu_width(struct view *view, float wide)
{
    const float others = view->state->head_overview->off != NULL ? SWITCH_WIDE + 10 : 0;
    return fmaxf(80, fminf(MENU_WIDE, wide - sort_label_width(view) - others));
}

static void draw_sort(struct view *view, struct rect line)
{
    const char **const titles = arena_array(view->arena, LAB_HEAD_MEASURES + 2, sizeof *titles);
    if (titles == NULL) {
        return;
    }
    titles[0] = "layer, head";
    for (size_t h = 0; h < LAB_HEAD_MEASURES; h++) {
        titles[h + 1] = lab_head_measure_row((enum lab_head_measure)h)->title;
    }
    titles[LAB_HEAD_MEASURES + 1] = "what they do";
    const struct view_head_overview *const head_overview = view->state->head_overview;
    const size_t by_head_measure = head_overview->head_measure < LAB_HEAD_MEASURES
                                       ? (size_t)head_overview->head_measure + 1
                                       : 0;
    const struct ui_menu menu = {.rows = titles,
                                 .count = LAB_HEAD_MEASURES + 2,
                                 .current = head_overview->grouped ? LAB_HEAD_MEASURES + 1
                                                                   : by_head_measure,
                                 .tip = "The order of the heads: by what they do on this text"};
    canvas_text(view->ui->canvas, line.x, line.y + 18, FONT_WORDS, UI_TEXT_SMALL,
                view->ui->theme->muted, CANVAS_LEFT, tr("sort by"));
    const size_t chosen = ui_menu(view->ui, "sort",
                                  (struct rect){line.x + sort_label_width(view), line.y,
                                                sort_menu_width(view, line.w), MENU_HIGH},
                                  &menu);
    if (chosen < menu.count) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_SORT,
                                  chosen == 0                  ? LAB_HEAD_MEASURES
                                  : chosen > LAB_HEAD_MEASURES ? LAB_HEAD_MEASURES + 1
                                                               : chosen - 1);
    }
}

/* Draws the switches that turn a head on or off, and all on again, at the right end of a line. */
static void draw_switch(struct view *view, struct rect line)
{
    const struct view_head_overview *const head_overview = view->state->head_overview;
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(head_overview->thumbnails);
    const size_t place = head_overview->layer * sizes.heads + view->selection.head;
    if (head_overview->off == NULL || place >= sizes.layers * sizes.heads) {
        return; /* the stages still show another model */
    }
    size_t off = 0;
    for (size_t p = 0; p < sizes.layers * sizes.heads; p++) {
        off += head_overview->off[p];
    }
    const bool is_off = head_overview->off[place];
    struct rect button = {line.x + line.w - SWITCH_WIDE, line.y, SWITCH_WIDE, MENU_HIGH};
    const struct ui_button style = {
        .label = is_off ? tr("Switch on") : tr("Switch off"),
        .tip = arena_format(view->arena,
                            is_off ? tr("Let L%zuH%zu add to the text again (Alt+X)")
                                   : tr("L%zuH%zu adds nothing any more: see the next "
                                        "words change (Alt+X)"),
                            head_overview->layer, view->selection.head)};
    if (ui_button(view->ui, "switch", button, &style)) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_SWITCH, place);
    }
    if (off == 0 ||
        line.w < sort_label_width(view) + MENU_WIDE + SINKS_WIDE + 2 * SWITCH_WIDE + 26) {
        return;
    }
    button.x -= SWITCH_WIDE + 8;
    const struct ui_button all = {
        .label = arena_format(view->arena, "%zu off: all on", off),
        .tip = "Switch all heads on again",
    };
    if (ui_button(view->ui, "all on", button, &all)) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_ALL_ON, 0);
    }
}

/* Draws the switch that sets sinks aside, beside the sort menu or below it. */
static void draw_sinks(struct view *view, struct rect line, bool beside)
{
    const bool aside = view->state->head_overview->sinks_aside;
    const struct rect place = {beside ? line.x + sort_label_width(view) + MENU_WIDE + 10 : line.x,
                               beside ? line.y : line.y + MENU_HIGH + 4, SINKS_WIDE, MENU_HIGH};
    if (ui_toggle(view->ui, "sinks", place, tr("sinks aside"), aside,
                  "The first word, and words that get more than three tenths on average, are left "
                  "out of colours and measures: the rest of each row counts as all of it")) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_SINKS, 0);
    }
}

/* The texts below the thumbnails, and the heights of the lines. */
struct foot {
    const char *definition, *kinds;
    float sinks_high, definition_high, kinds_high, high;
};

static struct foot lay_out_foot(struct view *view, float wide)
{
    const struct view_head_overview *const head_overview = view->state->head_overview;
    if (view->is_signed) { /* heads are sorted by shares, and only shares have sinks */
        return (struct foot){.high = 10};
    }
    struct foot foot = {.definition =
                            head_overview->head_measure < LAB_HEAD_MEASURES
                                ? lab_head_measure_row(head_overview->head_measure)->definition
                                : NULL,
                        .kinds = kinds_text(view)};
    if (foot.definition != NULL) {
        foot.definition_high = view_wrapped_height(view, wide, UI_TEXT_SMALL, foot.definition) + 4;
    }
    foot.kinds_high = view_wrapped_height(view, wide, UI_TEXT_SMALL, foot.kinds);
    const float sinks_end = sort_label_width(view) + MENU_WIDE + 10 + SINKS_WIDE;
    const float switch_wide = head_overview->off != NULL ? SWITCH_WIDE + 10 : 0;
    foot.sinks_high = wide < sinks_end + switch_wide ? MENU_HIGH + 4 : 0;
    foot.high = MENU_HIGH + foot.sinks_high + 6 + foot.definition_high + foot.kinds_high + 10;
    return foot;
}

static void draw_foot(struct view *view, const struct foot *foot, struct rect area)
{
    const struct ui_theme *const theme = view->ui->theme;
    if (view->is_signed) {
        return;
    }
    draw_sort(view, area);
    draw_sinks(view, area, foot->sinks_high <= 0);
    draw_switch(view, area);
    float y = area.y + MENU_HIGH + foot->sinks_high + 6 + 13;
    if (foot->definition != NULL) {
        view_wrapped(view, area.x, y, area.w, UI_TEXT_SMALL, theme->ink, foot->definition);
        y += foot->definition_high;
    }
    view_wrapped(view, area.x, y, area.w, UI_TEXT_SMALL, theme->muted, foot->kinds);
    ui_tip(view->ui, ui_id(view->ui, "kinds"),
           (struct rect){area.x, y - 13, area.w, foot->kinds_high},
           "How many heads do what on this text: a head is of a kind where more than half of its "
           "weight goes there");
}

/* Draws the switch "Largest | Mean", if a cell stands for more than one weight. */
static void draw_pooling_switch(struct view *view, struct rect area)
{
    static const char *const labels[] = {"Largest", "Mean"};
    static const char *const tips[] = {
        "Each cell of a picture is the largest of its weights: nothing bright disappears",
        "Each cell of a picture is the mean of its weights"};
    if (pooling_text(view) == NULL) {
        return;
    }
    const struct rect place = {area.x + area.w - EDGE - 136, area.y + 12, 136, 26};
    const size_t current = view->state->prefs.by_mean ? 1 : 0;
    const size_t chosen = ui_tabs(view->ui, "reduce", place, labels, 2, current);
    ui_tab_tips(view->ui, "reduce", place, tips, 2);
    if (chosen < 2 && chosen != current) {
        view_action_set(view, prefs.by_mean, chosen == 1);
    }
}

static const float WEIGHING_WIDE = 92;

static bool offers_weighing(const struct view *view)
{
    return view->state->head_overview->may_weigh && view->style.has_controls;
}

/* Draws the menu of what a cell of a picture is: α, or α times how long something is. */
static void draw_weighing_menu(struct view *view, struct rect area)
{
    static const float HIGH = 24;
    const struct ui_menu menu = {.rows = view_weighing_titles,
                                 .count = VIEW_WEIGHINGS,
                                 .current = view->state->weighing,
                                 .tip = "α, or weighed by how long the word's value is, ‖αv‖, or "
                                        "what W_O makes of it, ‖αvW_O‖"};
    if (!offers_weighing(view)) {
        return;
    }
    const size_t chosen = ui_menu(
        view->ui, "weighing",
        (struct rect){area.x + area.w - EDGE - WEIGHING_WIDE, area.y + 40, WEIGHING_WIDE, HIGH},
        &menu);
    if (chosen < menu.count && chosen != menu.current) {
        view_action_set(view, weighing, (enum view_weighing)chosen);
    }
}

static const char *by_layer_text(const struct view *view, const struct head_grid *grid)
{
    static const char *const of[] = {
        "rows are layers, columns are heads · of the second text to itself",
        "rows are layers, columns are heads · of the first text to itself",
        "rows are layers, columns are heads · of the second text to the first"};
    const struct view_head_overview *const head_overview = view->state->head_overview;
    return head_overview->attentions == sizeof of / sizeof *of ? of[head_overview->attention]
           : grid->folds > 1                                   ? "each layer in several rows"
           : grid->blocks > 1 ? "rows are layers, columns are heads, in blocks side by side"
                              : "rows are layers, columns are heads";
}

/* What a cell is, and behind it what rows and columns are where there is room for both. */
static const char *weighed_text(struct view *view, const char *all, float room)
{
    const char *const own = arena_words(view->arena, tr("%s, each layer to its own largest"),
                                        view_weighing_titles[view->state->weighing]);
    const char *const both = own == NULL ? NULL : arena_words(view->arena, "%s · %s", own, all);
    return both == NULL || canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_SMALL, both) > room
               ? own
               : both;
}

static void draw_header(struct view *view, const struct head_grid *grid, struct rect area)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_head_overview *const head_overview = view->state->head_overview;
    const char *const order =
        head_overview->order == NULL ? tr(by_layer_text(view, grid))
        : head_overview->grouped
            ? tr("by what they do on this text")
            : arena_format(view->arena, "most %s first",
                           tr(lab_head_measure_row(head_overview->head_measure)->title));
    const char *const cell = pooling_text(view);
    const char *const all = cell == NULL ? order : arena_words(view->arena, "%s · %s", order, cell);
    const float room = area.w - 2 * EDGE - (offers_weighing(view) ? WEIGHING_WIDE + 10 : 0);
    const char *const text =
        view_head_overview_is_weighed(view) ? weighed_text(view, all, room) : all;
    const char *const title = !view->style.has_controls
                                  ? view_own_title(view, tr("All heads at a glance"))
                                  : tr("All heads at a glance");
    canvas_text_cut(view->ui->canvas, area.x + EDGE, area.y + 30, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    theme->ink, CANVAS_LEFT, title != NULL ? title : "",
                    area.w - 2 * EDGE - (cell != NULL ? 144 : 0));
    (void)view_text_whole(view, area.x + EDGE, area.y + 52, FONT_WORDS, UI_TEXT_SMALL, theme->muted,
                          CANVAS_LEFT, text, room);
    draw_pooling_switch(view, area);
    draw_weighing_menu(view, area);
}

/* Draws the tabs of the attentions of a model that reads one text and writes another. Returns their
 * height. */
static float draw_attentions(struct view *view, struct rect area)
{
    static const char *const labels[] = {"Decoder", "Encoder", "Cross"};
    static const char *const tips[] = {"Heads by which the second text reads itself",
                                       "Heads by which the first text reads itself",
                                       "Heads by which the second text reads the first: rows are "
                                       "its words, columns those of the first"};
    const struct view_head_overview *const head_overview = view->state->head_overview;
    const struct rect place = {area.x + EDGE, area.y + HEAD - 4, fminf(area.w - 2 * EDGE, 300), 26};
    if (head_overview->attentions < 2 || !view->style.has_controls) { /* a figure has no controls */
        return 0;
    }
    const char *label[3], *tip[3];
    size_t which[3], count = 0, current = 0;
    for (size_t a = 0; a < 3; a++) {
        if ((head_overview->lacks_attentions >> a & 1) == 0) {
            current = a == head_overview->attention ? count : current;
            label[count] = labels[a];
            tip[count] = tips[a];
            which[count++] = a;
        }
    }
    const size_t chosen = ui_tabs(view->ui, "attention", place, label, count, current);
    ui_tab_tips(view->ui, "attention", place, tip, count);
    if (chosen < count && chosen != current) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_ATTENTION, which[chosen]);
    }
    return ATTENTIONS_HIGH;
}

void view_head_overview_panel(struct view *view, struct rect area)
{
    view_panel(view, area, "All heads");
    if (view->state->head_overview == NULL || view->state->head_overview->thumbnails == NULL) {
        const bool is_open =
            view->state->head_overview != NULL && view->state->head_overview->opened;
        view_notice(view, rect_inset(area, 30),
                    is_open ? tr("Looking at all heads") : tr("No model is open"),
                    is_open
                        ? tr("They stand here at a glance when each has been read once.")
                        : tr("Open a folder with a model in it: all its heads stand here then."));
        canvas_ungroup(view->ui->canvas);
        return;
    }
    if (!view->style.has_cards) {
        view_head_overview_figure(view, area);
        canvas_ungroup(view->ui->canvas);
        return;
    }
    canvas_clip(view->ui->canvas, area);
    ui_push(view->ui, "glance");
    const struct view_share_range former = view_head_overview_set_range(view);
    const float wide = area.w - 2 * EDGE;
    const struct foot foot = lay_out_foot(view, wide);
    const float head = HEAD + draw_attentions(view, area);
    const struct head_grid grid =
        head_grid_find(view, (struct rect){area.x + EDGE - 8, area.y + head, wide + 8,
                                           area.h - head - foot.high - 10});
    draw_header(view, &grid, area);
    draw_grid(view, grid);
    draw_foot(view, &foot,
              (struct rect){area.x + EDGE, area.y + area.h - foot.high, wide, foot.high});
    view_head_overview_restore_range(view, former);
    ui_pop(view->ui);
    canvas_unclip(view->ui->canvas);
    canvas_ungroup(view->ui->canvas);
}

/* --- One head enlarged beside the pointer, with labels and measures. --- */

static const float WIDE = 316, SIDE = 204, CARD_EDGE = 14, TITLE = 34, WORDS_HIGH = 18, LINE = 19;
static const float TRACK = 92, NUMBER = 62, FOOT = 26;

/* Draws the labels of rows and columns, if there is room. */
static void draw_labels(struct view *view, struct rect cells)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(view->state->head_overview->thumbnails);
    if (view->trace == NULL || lab_trace_sizes(view->trace).n != sizes.n ||
        lab_trace_sizes(view->trace).m != sizes.m) {
        return;
    }
    view_words_of_rows(view,
                       &(struct view_words){.words = lab_trace_queries(view->trace),
                                            .count = sizes.n,
                                            .from = cells.y,
                                            .step = cells.h / (float)sizes.n,
                                            .at = cells.x - 6,
                                            .room = WIDE - SIDE - 2 * CARD_EDGE - 8,
                                            .anchor = CANVAS_RIGHT,
                                            .chosen = view_chosen(view, view->selection.query),
                                            .colour = theme->query});
    view_words_of_columns(view,
                          &(struct view_words){.words = lab_trace_keys(view->trace),
                                               .count = sizes.m,
                                               .from = cells.x,
                                               .step = cells.w / (float)sizes.m,
                                               .at = cells.y - 6,
                                               .room = 60,
                                               .anchor = CANVAS_CENTRE,
                                               .chosen = view_chosen(view, view->selection.key),
                                               .colour = theme->key});
}

static void draw_head_measures(struct view *view, size_t place, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct lab_thumbnails *const thumbnails = view->state->head_overview->thumbnails;
    const size_t heads = lab_thumbnails_sizes(thumbnails).heads;
    const bool aside = view->state->head_overview->sinks_aside;
    const struct lab_thumbnails_head head =
        lab_thumbnails_head(thumbnails, place / heads, place % heads);
    const float *const measured = aside ? head.of_rest : head.head_measure;
    const enum lab_head_measure kind =
        lab_thumbnails_kind(thumbnails, place / heads, place % heads, aside);
    for (size_t h = 0; h < LAB_HEAD_MEASURES; h++) {
        const struct lab_head_measure_row *const row =
            lab_head_measure_row((enum lab_head_measure)h);
        const float y = area.y + (float)h * LINE, value = measured[h];
        canvas_text(canvas, area.x, y + 13, h == (size_t)kind ? FONT_WORDS_BOLD : FONT_WORDS,
                    UI_TEXT_SMALL, h == (size_t)kind ? theme->ink : theme->muted, CANVAS_LEFT,
                    tr(row->title));
        const struct rect track = {area.x + area.w - NUMBER - TRACK, y + 5, TRACK, 8};
        if (row->is_share && !isnan(value)) {
            canvas_rect(canvas, track, 4, &(struct paint){.fill = theme->control});
            canvas_rect(
                canvas,
                (struct rect){track.x, track.y, track.w * fminf(1, fmaxf(0, value)), track.h}, 4,
                &(struct paint){.fill = h == (size_t)kind ? theme->accent : theme->faint});
        }
        canvas_text(canvas, area.x + area.w, y + 13, FONT_NUMBERS, UI_TEXT_TINY, theme->ink,
                    CANVAS_RIGHT, tr(head_measure_text(view, (enum lab_head_measure)h, value)));
    }
}

static struct rect place_enlarged_head(const struct view *view, struct rect area, float high)
{
    const struct rect cell = view->head_overview_cell;
    struct rect card = {cell.x + cell.w + 14, cell.y + cell.h / 2 - high / 2, WIDE, high};
    if (card.x + card.w > area.x + area.w - 6) {
        card.x = cell.x - 14 - card.w;
    }
    card.x = fmaxf(card.x, area.x + 6);
    card.y = fmaxf(area.y + 6, fminf(card.y, area.y + area.h - 6 - high));
    return card;
}

void view_head_overview_enlarge(struct view *view, struct rect area)
{
    const struct view_share_range former = view_head_overview_set_range(view);
    const struct view_thumbnail_ink *const ink =
        view->head_overview_over > 0 ? view_thumbnail_ink(view) : NULL;
    view_head_overview_restore_range(view, former);
    if (ink == NULL || ui_pointer_rests(view->ui) ||
        !view_thumbnail_is_there(view, view->head_overview_over - 1)) {
        return;
    }
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_head_overview *const head_overview = view->state->head_overview;
    const size_t place = view->head_overview_over - 1,
                 heads = lab_thumbnails_sizes(head_overview->thumbnails).heads;
    const bool off = head_overview->off != NULL && head_overview->off[place];
    const bool is_pooled = pooling_text(view) != NULL;
    const size_t measures = view->is_signed ? 0 : LAB_HEAD_MEASURES;
    const float high = TITLE + WORDS_HIGH + SIDE + 12 + (float)measures * LINE + FOOT;
    const struct rect card = place_enlarged_head(view, area, high);
    canvas_group(canvas, ui_id(view->ui, "enlarged head"), "Enlarged head");
    canvas_rect(canvas, card, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->faint, .width = 1});
    const bool is_weighed = view_head_overview_is_weighed(view);
    const char *const title = arena_words(
        view->arena, "L%zuH%zu%s%s%s", place / heads, place % heads, off ? tr(" · off") : "",
        is_weighed ? " · " : "", is_weighed ? view_weighing_titles[view->state->weighing] : "");
    canvas_text_cut(canvas, card.x + CARD_EDGE, card.y + 24, FONT_WORDS_BOLD, UI_TEXT_BODY,
                    theme->ink, CANVAS_LEFT, title, WIDE - 2 * CARD_EDGE);
    const struct rect cells = {roundf(card.x + WIDE - CARD_EDGE - SIDE),
                               roundf(card.y + TITLE + WORDS_HIGH), SIDE, SIDE};
    view_thumbnail_draw(view, ink, place, cells);
    view_thumbnail_mark(view, cells, 1);
    draw_labels(view, cells);
    if (measures > 0) {
        draw_head_measures(
            view, place,
            (struct rect){card.x + CARD_EDGE, cells.y + SIDE + 10, WIDE - 2 * CARD_EDGE, 0});
    }
    const char *const hint = head_overview->off == NULL ? tr("click: open")
                             : off                      ? tr("click: open · X: switch on")
                                                        : tr("click: open · X: switch off");
    canvas_text(canvas, card.x + CARD_EDGE, card.y + high - 10, FONT_WORDS, UI_TEXT_TINY,
                theme->muted, CANVAS_LEFT, tr(hint));
    if (is_pooled) {
        canvas_text(
            canvas, card.x + WIDE - CARD_EDGE, card.y + high - 10, FONT_WORDS, UI_TEXT_TINY,
            theme->muted, CANVAS_RIGHT,
            tr(view->state->prefs.by_mean ? "cells: mean weight" : "cells: largest weight"));
    }
    canvas_ungroup(canvas);
}

/* Two texts: what each part of the clean one restores in the changed one, layers by words or by
 * heads; the colours reach from 0, nothing, to 1, wholly. */
#include "view/parts/patch.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/matrix.h"
#include "view/parts/pieces.h"
#include "view/parts/why.h"
#include "view/why/why_panels.h"

static const float EDGE = 14, LABEL = 30, GAP = 3, ABOVE = 20, LABEL_HIGH = 14;
static const float BAR_APART = 14, BAR_WIDE = 12, BAR_ROOM = 44, BAR_MIN = 60;
static const float HIGH_MIN = 15, HIGH_MAX = 44, WIDE_MAX = 130,
                   GROWN = 1.6f; /* where a window has room for it */

struct grid {
    struct rect cells;
    float wide, high, above;
    float peak; /* at the ends of the colours: 1, or more where more than all is restored */
    struct view_words words;
};

/* ---- what is said ---------------------------------------------------------------------------- */

static bool is_other(const struct view_patch *patch, size_t word)
{
    return strcmp(patch->words[word], patch->other[word]) != 0;
}

/* "hammer → cake" where the texts differ, else "the". */
static const char *word_name(const struct view_patch *patch, size_t word, struct arena *arena)
{
    const char *const name =
        is_other(patch, word)
            ? arena_words(arena, "%s → %s", patch->words[word], patch->other[word])
            : patch->words[word];
    return name == NULL ? "" : name;
}

static const char *asked_name(const struct view_patch *patch, struct arena *arena)
{
    const char *const name = patch->rival == NULL
                                 ? patch->word
                                 : arena_words(arena, "%s − %s", patch->word, patch->rival);
    return name == NULL ? "" : name;
}

/* "L0H2 V", "residual 1, hammer → cake". */
static const char *cell_name(const struct view_patch *patch, size_t cell, struct arena *arena)
{
    const size_t layer = cell / patch->places, place = cell % patch->places;
    static const char *const forms[] = {[VIEW_PATCHED_HEADS] = "L%zuH%zu",
                                        [VIEW_PATCHED_ALPHA] = "L%zuH%zu α",
                                        [VIEW_PATCHED_VALUE] = "L%zuH%zu V"};
    const char *const name =
        patch->what == VIEW_PATCHED_RESIDUAL
            ? arena_words(arena, tr("residual %zu at “%s”"), layer, word_name(patch, place, arena))
            : arena_words(arena, forms[patch->what], layer, place);
    return name == NULL ? "" : name;
}

static const char *number_text(double value, int decimals, struct arena *arena)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, value, decimals);
    const char *const own = arena_text(arena, text, strlen(text));
    return own == NULL ? "" : own;
}

/* The cell that restores most; SIZE_MAX: none is computed. */
static size_t largest_cell(const struct view_patch *patch)
{
    size_t best = SIZE_MAX;
    for (size_t c = 0; c < patch->layers * patch->places; c++) {
        if (!isnan(patch->restored[c]) &&
            (best == SIZE_MAX || patch->restored[c] > patch->restored[best])) {
            best = c;
        }
    }
    return best;
}

/* "man → woman, hammer → cake", of many the first. */
static const char *list_others(const struct view_patch *patch, struct arena *arena)
{
    enum { NAMED = 6 };
    const char *words = "";
    size_t named = 0;
    for (size_t i = 0; i < patch->n && words != NULL; i++) {
        if (is_other(patch, i) && named <= NAMED) {
            words = named == NAMED ? arena_words(arena, "%s, …", words)
                                   : arena_words(arena, "%s%s%s", words, named == 0 ? "" : ", ",
                                                 word_name(patch, i, arena));
            named++;
        }
    }
    return words == NULL ? "" : words;
}

static const char *const parts[] = {[VIEW_PATCHED_RESIDUAL] =
                                        "the stream before a layer at one word",
                                    [VIEW_PATCHED_HEADS] = "what a head hands on, Z, at all words",
                                    [VIEW_PATCHED_ALPHA] = "the weights α of a head at all words",
                                    [VIEW_PATCHED_VALUE] = "the values V of a head at all words"};

static const char *caption_of(const struct view_patch *patch, struct arena *arena)
{
    const char *const words = arena_words(
        arena,
        tr("A cell puts one part of the clean text into the changed one: %s. How much of %s comes "
           "back: 0 is nothing (%s), 1 is all (%s). Clean → changed: %s."),
        tr(parts[patch->what]), asked_name(patch, arena), number_text(patch->changed, 2, arena),
        number_text(patch->clean, 2, arena), list_others(patch, arena));
    return words == NULL ? "" : words;
}

const char *view_patch_describe(const struct view_patch *patch, struct arena *arena)
{
    const size_t best = largest_cell(patch);
    const char *const words =
        best == SIZE_MAX ? caption_of(patch, arena)
                         : arena_words(arena, tr("%s Most comes back by %s: %s."),
                                       caption_of(patch, arena), cell_name(patch, best, arena),
                                       number_text(patch->restored[best], 2, arena));
    return words == NULL ? "" : words;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char *const *column_names(struct view *view, const struct view_patch *patch)
{
    const char **const names = arena_array(view->arena, patch->places, sizeof *names);
    for (size_t p = 0; names != NULL && p < patch->places; p++) {
        names[p] = patch->what == VIEW_PATCHED_RESIDUAL ? word_name(patch, p, view->arena)
                                                        : arena_words(view->arena, "H%zu", p);
        if (names[p] == NULL) {
            return NULL;
        }
    }
    return names;
}

static float foot_height(struct view *view, const struct view_patch *patch, float width)
{
    return 12 + view_wrapped_height(view, width - 2 * EDGE, UI_TEXT_SMALL,
                                    caption_of(patch, view->arena));
}

static float growth(const struct view *view)
{
    return view->style.has_controls ? GROWN : 1;
}

/* The widths of cells, and the height of what stands above them, in an area so wide. */
static struct grid lay_columns(struct view *view, const struct view_patch *patch, float width)
{
    const float wide = fmaxf(width - 2 * EDGE - LABEL - BAR_APART - BAR_WIDE - BAR_ROOM, 1);
    struct grid grid = {.peak = 1};
    grid.wide = fminf(WIDE_MAX * growth(view), wide / (float)patch->places);
    grid.words = (struct view_words){.words = column_names(view, patch),
                                     .count = patch->places,
                                     .step = grid.wide,
                                     .room = 120,
                                     .beyond = BAR_APART + BAR_WIDE,
                                     .anchor = CANVAS_CENTRE,
                                     .chosen = VIEW_NOWHERE,
                                     .colour = view->ui->theme->ink};
    grid.above = fmaxf(ABOVE, view_words_above(view, &grid.words));
    for (size_t c = 0; c < patch->layers * patch->places; c++) {
        const float size = (float)fabs(patch->restored[c]);
        grid.peak = size > grid.peak ? size : grid.peak; /* of NaN it is false */
    }
    return grid;
}

static struct grid lay_out(struct view *view, const struct view_patch *patch, struct rect area,
                           float top, float foot)
{
    struct grid grid = lay_columns(view, patch, area.w);
    const float high = fmaxf(area.h - top - grid.above - foot, 1);
    grid.high = fminf(HIGH_MAX * growth(view), high / (float)patch->layers);
    grid.cells = (struct rect){area.x + EDGE + LABEL, area.y + top + grid.above,
                               grid.wide * (float)patch->places, grid.high * (float)patch->layers};
    grid.words.from = grid.cells.x;
    grid.words.at = grid.cells.y - VIEW_WORDS_APART;
    return grid;
}

static struct colour fill_of(const struct view *view, const struct grid *grid, double restored)
{
    return isnan(restored) ? view->ui->theme->control
                           : colourmap_colour(view->state->prefs.signed_map,
                                              0.5f + 0.5f * (float)restored / grid->peak);
}

static struct rect place_cell(const struct view_patch *patch, const struct grid *grid, size_t index)
{
    const float gap = grid->wide > 12 && grid->high > 12 ? GAP : grid->wide > 4 ? 1 : 0;
    return (struct rect){grid->cells.x + (float)(index % patch->places) * grid->wide,
                         grid->cells.y + (float)(index / patch->places) * grid->high,
                         grid->wide - gap, grid->high - gap};
}

static void draw_cell(struct view *view, const struct view_patch *patch, const struct grid *grid,
                      size_t index)
{
    struct canvas *const canvas = view->ui->canvas;
    const double restored = patch->restored[index];
    const struct rect cell = place_cell(patch, grid, index);
    const struct colour fill = fill_of(view, grid, restored);
    canvas_rect(canvas, cell, fminf(5, cell.h / 4), &(struct paint){.fill = fill});
    for (int decimals = 2; decimals > 0; decimals--) {
        const char *const text =
            isnan(restored) ? "…" : number_text(restored, decimals, view->arena);
        const float wide = canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_SMALL, text);
        if (wide + 4 <= cell.w && cell.h >= 14) {
            canvas_text(canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + 4, FONT_NUMBERS,
                        UI_TEXT_SMALL, colour_ink_on(fill), CANVAS_CENTRE, text);
            return;
        }
    }
}

static void draw_table(struct view *view, const struct view_patch *patch, const struct grid *grid)
{
    const size_t down = (size_t)fmaxf(1, ceilf(LABEL_HIGH / grid->high));
    view_words_of_columns(view, &grid->words);
    for (size_t l = 0; l < patch->layers; l += down) {
        const char *const name = arena_words(view->arena, "L%zu", l);
        canvas_text(view->ui->canvas, grid->cells.x - 8,
                    grid->cells.y + ((float)l + 0.5f) * grid->high + 3, FONT_WORDS, UI_TEXT_TINY,
                    view_label_ink(view), CANVAS_RIGHT, name == NULL ? "" : name);
    }
    for (size_t c = 0; c < patch->layers * patch->places; c++) {
        canvas_group(view->ui->canvas, ui_id_number(view->ui, "patch", c),
                     cell_name(patch, c, view->arena));
        draw_cell(view, patch, grid, c);
        canvas_ungroup(view->ui->canvas);
    }
    (void)view_signed_bar(view,
                          (struct rect){grid->cells.x + grid->cells.w + BAR_APART, grid->cells.y,
                                        BAR_WIDE, fmaxf(grid->cells.h - GAP, BAR_MIN)},
                          grid->peak);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static float own_height(struct view *view, const struct view_patch *patch, float width)
{
    const struct grid grid = lay_columns(view, patch, width);
    const float cells = fmaxf(
        BAR_MIN + GAP, (float)patch->layers * fminf(HIGH_MAX, fmaxf(HIGH_MIN, grid.wide * 0.6f)));
    return why_header(view) + grid.above + cells + foot_height(view, patch, width) + 8;
}

struct point view_patch_size(struct view *view)
{
    static const float WIDE = 560;
    const struct view_patch *const patch = view->state->patch;
    view->style = view_style(view, true);
    return (struct point){WIDE, patch == NULL ? WIDE / 2 : ceilf(own_height(view, patch, WIDE))};
}

void view_patch(struct view *view, struct rect area)
{
    const struct view_patch *const patch = view->state->patch;
    view_panel(view, area, "Two texts");
    if (patch == NULL) {
        view_notice(view, area, "Nothing is asked",
                    "Which parts of one text make the difference to another one is asked in Why, "
                    "by “Two texts”.");
        canvas_ungroup(view->ui->canvas);
        return;
    }
    const float own = own_height(view, patch, area.w);
    view_note_lack(view, VIEW_LACKS_ROOM, own > area.h + 1);
    area.h = fminf(area.h, own);
    const float foot = foot_height(view, patch, area.w) + 8;
    const struct grid grid = lay_out(view, patch, area, why_header(view), foot);
    view_panel_header(view, area, "Two texts", "restored by a part of the clean text");
    draw_table(view, patch, &grid);
    view_wrapped(view, area.x + EDGE, area.y + area.h - foot + 12 + UI_TEXT_SMALL,
                 area.w - 2 * EDGE, UI_TEXT_SMALL, view_label_ink(view),
                 caption_of(patch, view->arena));
    canvas_ungroup(view->ui->canvas);
}

/* ---- in the window --------------------------------------------------------------------------- */

static const float TOOLS = 44, TOOL_HIGH = 30, TAB_WIDE = 84, WAYS_WIDE = 120, CANCEL_WIDE = 74;
static const float FORMULA_HIGH = 34;

/* The selected cell: the one that was chosen, else the one that restores most. SIZE_MAX: none. */
static size_t selected_cell(const struct view *view, const struct view_patch *patch)
{
    const size_t chosen = view->state->why_patch_cell;
    return chosen > 0 && chosen <= patch->layers * patch->places ? chosen - 1 : largest_cell(patch);
}

/* Opens what was put there: the stream at a word, or the stage of a head that makes it. */
static void lead_on(struct view *view, const struct why_frame *frame,
                    const struct view_patch *patch, size_t cell)
{
    static const enum lab_stage stages[] = {[VIEW_PATCHED_HEADS] = LAB_BLEND,
                                            [VIEW_PATCHED_ALPHA] = LAB_SOFTMAX,
                                            [VIEW_PATCHED_VALUE] = LAB_PROJECT};
    const size_t layer = cell / patch->places, place = cell % patch->places;
    view_action_set(view, why_patch_cell, cell + 1);
    if (patch->what == VIEW_PATCHED_RESIDUAL) {
        why_open_block(view, frame, layer, place, VIEW_BLOCK_X);
        return;
    }
    why_act(view, frame->why, VIEW_LEARN_HEAD, VIEW_HEAD_OVERVIEW_OPEN,
            layer * frame->answer->heads + place);
    view_action_select(view, VIEW_HEAD | VIEW_QUERY | VIEW_PROJECTED,
                       (struct lab_selection){
                           .head = place, .query = frame->answer->position, .projected = LAB_V});
    view_action_set(view, block_step, (size_t)0);
    view_action_set(view, why_returns, true);
    view_action(view,
                &(struct view_action){.kind = VIEW_ACTION_STAGE, .stage = stages[patch->what]});
}

/* A text is typed; what the model reads stands there to begin with. */
static void draw_tools(struct view *view, const struct why_frame *frame, struct rect line)
{
    static const char *const labels[] = {[VIEW_PATCHED_RESIDUAL] = "Residual",
                                         [VIEW_PATCHED_HEADS] = "Heads",
                                         [VIEW_PATCHED_ALPHA] = "α",
                                         [VIEW_PATCHED_VALUE] = "Values"};
    const struct view_state *const state = view->state;
    const struct rect tabs = {line.x + line.w - EDGE - VIEW_PATCHED * TAB_WIDE, line.y,
                              VIEW_PATCHED * TAB_WIDE, TOOL_HIGH};
    const bool is_given = state->why_changed[0] != '\0';
    const struct ui_field field = {
        .label = "Changed text",
        .text = is_given                   ? state->why_changed
                : frame->why->text != NULL ? frame->why->text
                                           : "",
        .hint = tr("another text with as many tokens"),
        .tip = "Another text with as many tokens, as this one with another word (Enter)"};
    const struct ui_field_answer answer = ui_field(
        view->ui, "changed",
        (struct rect){line.x + EDGE, line.y, fmaxf(tabs.x - line.x - EDGE - 12, 1), TOOL_HIGH},
        &field);
    if (answer.event == UI_FIELD_COMMITTED && strcmp(answer.text, field.text) != 0) {
        view_action(view, &(struct view_action){
                              .kind = VIEW_ACTION_CHANGED,
                              .text = arena_text(view->arena, answer.text, strlen(answer.text))});
    }
    if (answer.event == UI_FIELD_COMMITTED && answer.by_enter) {
        ui_take_focus(view->ui, ui_id(view->ui, "changed")); /* for a second try */
    }
    const size_t chosen =
        ui_tabs(view->ui, "patched", tabs, labels, VIEW_PATCHED, (size_t)state->why_patched);
    if (chosen < VIEW_PATCHED && chosen != state->why_patched) {
        view_action_set(view, why_patched, (unsigned)chosen);
        view_action_set(view, why_patch_cell, (size_t)0);
    }
    ui_tab_tips(view->ui, "patched", tabs, parts, VIEW_PATCHED);
}

static void touch_cell(struct view *view, const struct why_frame *frame,
                       const struct view_patch *patch, const struct grid *grid, size_t index,
                       size_t selected)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct rect cell = place_cell(patch, grid, index);
    const uint32_t id = ui_id_number(view->ui, "patch", index);
    const struct ui_touch touch = ui_touch(view->ui, id, cell, false);
    const char *const name = cell_name(patch, index, view->arena);
    if (index == selected || touch.hover) {
        canvas_rect(
            view->ui->canvas, rect_inset(cell, -2), 6,
            &(struct paint){.stroke = index == selected ? theme->ink : theme->accent, .width = 2});
    }
    ui_tip(view->ui, id, cell,
           arena_words(view->arena,
                       tr(index == selected
                              ? "%s: a click leads to it (Enter); Backspace leads back here"
                              : "%s: a click says how its number comes about"),
                       name));
    if (touch.clicked && index == selected) {
        lead_on(view, frame, patch, index);
    } else if (touch.clicked) {
        view_action_set(view, why_patch_cell, index + 1);
    }
}

/* A number below 0 behind a sign of its own. */
static const char *operand_text(double value, struct arena *arena)
{
    const char *const number = number_text(value, 2, arena);
    const char *const own = value < 0 ? arena_words(arena, "(%s)", number) : number;
    return own == NULL ? "" : own;
}

/* The number of a cell by its operands, and the way to what was put there. */
static void draw_formula(struct view *view, const struct why_frame *frame,
                         const struct view_patch *patch, size_t cell, struct rect line)
{
    const double whole = patch->clean - patch->changed,
                 patched = patch->changed + patch->restored[cell] * whole;
    const struct ui_button button = {
        .label = patch->what == VIEW_PATCHED_RESIDUAL ? "Its residual" : "Its stages",
        .tip = "What was put there, in the clean text (Enter); Backspace leads back here"};
    const struct rect way = {line.x + line.w - EDGE - WAYS_WIDE, line.y, WAYS_WIDE, TOOL_HIGH};
    const char *const number = number_text(patched, 2, view->arena);
    const char *const words = arena_words(
        view->arena,
        tr("%s: (patched − changed) ÷ (clean − changed) = (%s − %s) ÷ "
           "(%s − %s) = %s"),
        cell_name(patch, cell, view->arena), number, operand_text(patch->changed, view->arena),
        number_text(patch->clean, 2, view->arena), operand_text(patch->changed, view->arena),
        number_text(patch->restored[cell], 2, view->arena));
    view_text_whole(view, line.x + EDGE, line.y + 20, FONT_WORDS, UI_TEXT_BODY,
                    view->ui->theme->ink, CANVAS_LEFT, words == NULL ? "" : words,
                    fmaxf(way.x - line.x - EDGE - 12, 1));
    if (ui_button(view->ui, "what was put", way, &button)) {
        lead_on(view, frame, patch, cell);
    }
}

/* How far it is, and Cancel. */
static void draw_progress(struct view *view, const struct why_frame *frame,
                          const struct view_patch *patch, struct rect area)
{
    const struct rect cancel = {area.x + area.w - EDGE - CANCEL_WIDE, area.y + 7, CANCEL_WIDE, 24};
    const bool stands = frame->why->is_given_up;
    const struct ui_button button = {.label = stands ? "Go on" : "Cancel",
                                     .tip = stands ? "The rest is computed too"
                                                   : "What is there stays"};
    const char *const words =
        arena_words(view->arena, tr("%zu of %zu"), patch->done, patch->layers * patch->places);
    if (ui_button(view->ui, "give up", cancel, &button)) {
        view_action_set(view, why_given_up, true);
    }
    canvas_text(view->ui->canvas, cancel.x - 8, area.y + 24, FONT_NUMBERS, UI_TEXT_SMALL,
                view->ui->theme->muted, CANVAS_RIGHT, words == NULL ? "" : words);
}

static void hear_keys(struct view *view, const struct why_frame *frame,
                      const struct view_patch *patch, size_t cell)
{
    struct ui *const ui = view->ui;
    const size_t layer = cell / patch->places, place = cell % patch->places;
    if (ui->beneath) {
        return;
    }
    if (ui_stroke_consumed(ui, 0, UI_KEY_DOWN, 0)) {
        view_action_set(view, why_patch_cell,
                        1 + cell + (layer + 1 < patch->layers ? patch->places : 0));
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_UP, 0)) {
        view_action_set(view, why_patch_cell, 1 + cell - (layer > 0 ? patch->places : 0));
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_RIGHT, 0)) {
        view_action_set(view, why_patch_cell, 1 + cell + (place + 1 < patch->places ? 1 : 0));
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_LEFT, 0)) {
        view_action_set(view, why_patch_cell, 1 + cell - (place > 0 ? 1 : 0));
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_ENTER, 0)) {
        lead_on(view, frame, patch, cell);
    }
}

static void draw_patch(struct view *view, const struct why_frame *frame,
                       const struct view_patch *patch, struct rect area)
{
    const float foot = foot_height(view, patch, area.w) + 8 + FORMULA_HIGH;
    const struct grid grid = lay_out(view, patch, area, why_header(view) + TOOLS, foot);
    const size_t selected = selected_cell(view, patch);
    draw_table(view, patch, &grid);
    for (size_t c = 0; c < patch->layers * patch->places; c++) {
        if (c != selected) {
            touch_cell(view, frame, patch, &grid, c, selected);
        }
    }
    const float y = fminf(area.y + area.h - foot, grid.cells.y + fmaxf(grid.cells.h, BAR_MIN) + 8);
    if (selected != SIZE_MAX) {
        touch_cell(view, frame, patch, &grid, selected, selected);
        hear_keys(view, frame, patch, selected);
    }
    if (selected != SIZE_MAX && !isnan(patch->restored[selected])) {
        draw_formula(view, frame, patch, selected,
                     (struct rect){area.x, y + 4, area.w, FORMULA_HIGH});
    }
    view_wrapped(view, area.x + EDGE, y + FORMULA_HIGH + 12 + UI_TEXT_SMALL, area.w - 2 * EDGE,
                 UI_TEXT_SMALL, view_label_ink(view), caption_of(patch, view->arena));
}

void view_why_texts(struct view *view, const struct why_frame *frame, struct rect area)
{
    const struct view_patch *const patch = view->state->patch;
    const struct view_why *const why = frame->why;
    const bool has_controls = view->style.has_controls;
    const float top = why_header(view) + (has_controls ? TOOLS : 0);
    const struct rect below = {area.x, area.y + top, area.w, fmaxf(area.h - top, 1)};
    const bool is_part = patch != NULL && patch->done < patch->layers * patch->places;
    if (!has_controls) {
        view_patch(view, area);
        return;
    }
    view_panel(view, area, "Two texts");
    view_panel_header(view, area, "Two texts",
                      is_part ? "" : "restored by a part of the clean text");
    draw_tools(view, frame, (struct rect){area.x, area.y + why_header(view), area.w, TOOLS});
    if (is_part) {
        draw_progress(view, frame, patch, area);
    }
    if (why->no_patch != NULL) {
        view_notice(view, below, "These texts cannot be compared", why->no_patch);
    } else if (view->state->why_changed[0] == '\0') {
        view_notice(view, below, "Another text is asked for",
                    "Change a word or two above: the text needs as many tokens. Then each part of "
                    "the first one is put into it in turn.");
    } else if (patch == NULL) {
        view_notice(view, below, "Computing", "Both texts are read, and one part after the other.");
    } else {
        draw_patch(view, frame, patch, area);
    }
    canvas_ungroup(view->ui->canvas);
}

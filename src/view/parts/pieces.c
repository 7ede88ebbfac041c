/* Operands, choices, wrapped text, headers and titles, for every view. */
#include "view/parts/pieces.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/edits.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"

static const float APART = 6;           /* between a caption and the figure above it */
static const float BORDERLESS_EDGE = 5; /* of a figure without a card: ink may exceed its line */

const char *const view_weighing_titles[VIEW_WEIGHINGS] = {"α", "‖αv‖", "‖αvW_O‖"};

struct colour view_label_ink(const struct view *view)
{
    return !view->style.has_cards ? view->ui->theme->ink : view->ui->theme->muted;
}

const char *view_own_title(const struct view *view, const char *own)
{
    const struct view_figure_frame *const frame = &view->state->frame;
    return frame->no_title ? NULL : frame->title != NULL ? frame->title : own;
}

const char *view_own_caption(const struct view *view, const char *own)
{
    const struct view_figure_frame *const frame = &view->state->frame;
    return frame->no_caption ? NULL : frame->caption != NULL ? frame->caption : own;
}

/* "names are shown at words 1, 6, 11, …", "22 of 48 names are shown"; NULL: all are shown. */
static const char *names_note(struct view *view)
{
    const size_t every = view->names_every;
    return every > 1 ? arena_format(view->arena, "names are shown at words 1, %zu, %zu, …",
                                    1 + every, 1 + 2 * every)
           : view->points_named < view->points
               ? arena_format(view->arena, "%zu of %zu names are shown", view->points_named,
                              view->points)
               : NULL;
}

float view_below_drawing(const struct view *view, struct rect area, float high)
{
    const struct rect seen = canvas_content(view->ui->canvas);
    const float bottom = area.y + area.h - high;
    return view->style.has_cards ? bottom : fminf(bottom, fmaxf(seen.y + seen.h + APART, area.y));
}

/* Draws the note about names right below the drawing. */
static void draw_names_note(struct view *view, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const char *const text = names_note(view);
    const struct rect seen = canvas_content(canvas);
    const float y = fminf(area.y + area.h, fmaxf(seen.y + seen.h, area.y)) + APART + UI_TEXT_TINY;
    canvas_text(canvas, fmaxf(area.x + APART, seen.x), y, FONT_WORDS, UI_TEXT_TINY,
                view->ui->theme->muted, CANVAS_LEFT, text != NULL ? text : "");
}

void view_figure(struct view *view, const struct view_picture *picture, struct rect area)
{
    const char *const caption =
        picture->has_caption ? NULL : view_own_caption(view, view->state->frame.caption);
    area = !view->style.has_cards ? rect_inset(area, BORDERLESS_EDGE) : area;
    const float wide = fmaxf(area.w - 2 * UI_EDGE, 1);
    const float high =
        caption == NULL ? 0 : view_wrapped_height(view, wide, UI_TEXT_SMALL, caption) + 2 * APART;
    const float note_high =
        view->names_listed > 1 || view->points_listed ? UI_TEXT_TINY * 1.3f + APART : 0;
    const struct rect room = {area.x, area.y, area.w, fmaxf(area.h - high - note_high, 1)};
    picture->draw(view, caption != NULL || note_high > 0 ? room : area);
    if (note_high > 0 && names_note(view) != NULL) {
        draw_names_note(view, room);
    }
    if (caption != NULL) {
        const float y = view_below_drawing(view, area, high) + APART + UI_TEXT_SMALL;
        view_wrapped(view, area.x + UI_EDGE, y, wide, UI_TEXT_SMALL, view->ui->theme->muted,
                     caption);
    }
}

void view_shade(struct view *view, struct rect area)
{
    const bool dark = view->ui->theme->dark;
    if (view->style.has_controls) {
        canvas_rect(
            view->ui->canvas, area, 0,
            &(struct paint){.fill = colour_fade(colour_hex(0x000000), dark ? 0.5f : 0.28f)});
    }
}

long view_chosen(const struct view *view, size_t index)
{
    return view->emphasis ? (long)index : VIEW_NOWHERE;
}

const struct lab_places *view_pinned_queries(const struct view *view,
                                             const struct view_operand *operand)
{
    return operand->row_axis == VIEW_AXIS_QUERIES ? &view->state->prefs.display.queries : NULL;
}

bool view_head_is_off(const struct view *view, size_t head)
{
    const struct view_state *const state = view->state;
    const bool *const off = state->learn != NULL           ? state->learn->off
                            : state->head_overview != NULL ? state->head_overview->off
                                                           : NULL;
    const size_t layer = view->experiment->layer, heads = lab_trace_sizes(view->trace).heads;
    return off != NULL && view->experiment->layers > 0 && off[layer * heads + head];
}

struct lab_matrix view_weights(const struct view *view, size_t head)
{
    return lab_display_weights(view->trace, head, &view->state->prefs.display, view->arena);
}

void view_choose(struct view *view, unsigned parts, struct lab_selection selection, bool clicked)
{
    view_action_hover(view, parts, selection);
    if (!clicked) {
        return;
    }
    /* Moving over cells by keyboard leaves the queries that are pinned together as they are. */
    const bool by_pointer = (view->ui->input->released & UI_LEFT_BUTTON) != 0;
    if (by_pointer && (parts & VIEW_QUERY) != 0) {
        const bool keeps = (view->ui->input->mods & UI_SHIFT) != 0;
        view_action(view, &(struct view_action){.kind = keeps ? VIEW_ACTION_KEEP_QUERY
                                                              : VIEW_ACTION_CLEAR_QUERIES,
                                                .query = selection.query});
    }
    view_action_select(view, parts, selection);
}

float view_growth(struct rect area)
{
    return fminf(1.8f, fmaxf(1, fminf(area.w / 640, area.h / 480)));
}

float view_cell_growth(const struct view *view, struct rect area)
{
    static const float FAR = 1.8f;
    return view_length(view, (struct view_length){view_growth(area), FAR});
}

float view_cell_high(const struct view *view, float usual, float growth, float wide)
{
    static const float OF_WIDTH = 0.9f;
    const float far = fminf(usual * growth, fmaxf(usual, wide * OF_WIDTH));
    return view_length(view, (struct view_length){usual * growth, far});
}

const char *view_read_numbers(const struct view *view, const char *text)
{
    return view->style.is_far ? text_without_powers(view->arena, text) : text;
}

struct colour view_role_colour(const struct view *view, enum lab_role role)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct colour colours[] = {
        [LAB_ROLE_NONE] = theme->ink,      [LAB_ROLE_X] = theme->x,
        [LAB_ROLE_QUERY] = theme->query,   [LAB_ROLE_KEY] = theme->key,
        [LAB_ROLE_VALUE] = theme->value,   [LAB_ROLE_WEIGHT] = theme->query,
        [LAB_ROLE_OUTPUT] = theme->output, [LAB_ROLE_RESULT] = theme->ink,
    };
    return colours[role];
}

static enum view_axis extent_axis(enum lab_extent extent)
{
    return extent == LAB_EXTENT_QUERIES ? VIEW_AXIS_QUERIES
           : extent == LAB_EXTENT_KEYS  ? VIEW_AXIS_KEYS
                                        : VIEW_AXIS_OTHER;
}

const char *view_tip_of(const struct view *view, size_t node)
{
    const char *const formula = lab_graph_formula(lab_trace_graph(view->trace), node, view->arena);
    return arena_format(view->arena, "%s: %s", formula,
                        tr(lab_graph_meaning(lab_trace_graph(view->trace), node)));
}

struct view_operand view_operand_of(const struct view *view, enum lab_part part)
{
    return view_operand_of_head(view, part, view->selection.head);
}

struct view_operand view_operand_of_head(const struct view *view, enum lab_part part, size_t head)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_node_row *row = lab_node_row(part);
    const struct colour colour = view_role_colour(view, row->role);
    return (struct view_operand){
        .matrix =
            part == LAB_ALPHA ? view_weights(view, head) : lab_trace_part(view->trace, part, head),
        .title = lab_graph_symbol(lab_trace_graph(view->trace), part),
        .colour = colour,
        .tip = view_tip_of(view, part),
        .is_share = part == LAB_ALPHA,
        .masked = part == LAB_ALPHA,
        .part = part,
        .head = lab_node_has_heads(part) ? head : 0,
        .editable = lab_edits_may(part) &&
                    (view->state->learn == NULL || (part >= LAB_W_Q && part <= LAB_W_O)) &&
                    (part != LAB_ALPHA ||
                     (!view->is_signed && view->state->prefs.display.aside.count == 0)),
        .row = VIEW_NOWHERE,
        .column = VIEW_NOWHERE,
        .row_colour = theme->query,
        .column_colour = extent_axis(row->cols) == VIEW_AXIS_KEYS ? theme->key : colour,
        .row_axis = extent_axis(row->rows),
        .column_axis = extent_axis(row->cols),
    };
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* Says whether a place is inside a unit that should not be divided: "10 × 64", "(0.63, 0.37)". */
static bool is_inside_unit(const char *text, size_t place)
{
    static const char times[] = "×", minus[] = "−";
    size_t end = place, next = place;
    while (end > 0 && text[end - 1] == ' ') {
        end--;
    }
    while (text[next] == ' ') {
        next++;
    }
    const size_t mark = strlen(times);
    const bool product = strncmp(text + next, times, mark) == 0 ||
                         (end >= mark && memcmp(text + end - mark, times, mark) == 0);
    const bool number = is_digit(text[next]) || strncmp(text + next, minus, strlen(minus)) == 0;
    const bool pair = end > 1 && text[end - 1] == ',' && is_digit(text[end - 2]) && number;
    return product || pair;
}

/* The places at which lines may end. Units, and then words, are divided only where a line has no
 * room for them. */
enum parting { BETWEEN_THINGS, BETWEEN_WORDS, BETWEEN_LETTERS };

static size_t piece_end(const char *text, size_t length, size_t start, enum parting parting)
{
    size_t next = start;
    while (next < length && text[next] == ' ') {
        next++;
    }
    if (next == length || parting == BETWEEN_LETTERS) {
        return text_next_letter(text, length, next);
    }
    do {
        next++;
    } while (next < length && (!text_may_break(text, length, next) ||
                               (parting == BETWEEN_THINGS && is_inside_unit(text, next))));
    return next;
}

/* The end of the pieces that fit; `start`: none fits. */
static size_t fitting_end(const struct view *view, float width, float size, const char *text,
                          size_t start, enum parting parting)
{
    const size_t length = strlen(text);
    size_t end = start;
    while (end < length) {
        const size_t next = piece_end(text, length, end, parting);
        const float wide = font_measure(canvas_fonts(view->ui->canvas), FONT_WORDS, size,
                                        text + start, next - start);
        if (wide > width) {
            break;
        }
        end = next;
    }
    return end;
}

/* The end of the line that starts at `start`. Where a line has hardly room for characters, a word
 * may exceed it. *parting: the finest division so far. */
static size_t line_end(const struct view *view, float width, float size, const char *text,
                       size_t start, enum parting *parting)
{
    static const float CHARACTERS_MIN = 4;
    const enum parting parting_max =
        width < CHARACTERS_MIN * size ? BETWEEN_WORDS : BETWEEN_LETTERS;
    enum parting now = BETWEEN_THINGS;
    size_t end = fitting_end(view, width, size, text, start, now);
    while (end == start && now < parting_max) {
        end = fitting_end(view, width, size, text, start, ++now);
    }
    *parting = now > *parting ? now : *parting;
    return end > start ? end : piece_end(text, strlen(text), start, now);
}

static size_t line_start(const char *text, size_t at)
{
    while (text[at] == ' ') {
        at++;
    }
    return at;
}

/* The translation of a text; "" if there was no memory for the text, which the canvas reports. */
static const char *translated_text(const char *text)
{
    return text == NULL ? "" : tr(text);
}

float view_wrapped(struct view *view, float x, float y, float width, float size,
                   struct colour colour, const char *text)
{
    text = translated_text(text);
    float high = 0;
    enum parting parting = BETWEEN_THINGS;
    for (size_t start = line_start(text, 0); text[start] != 0;) {
        const size_t end = line_end(view, width, size, text, start, &parting);
        canvas_text_length(view->ui->canvas, x, y + high, FONT_WORDS, size, colour, CANVAS_LEFT,
                           text + start, end - start);
        high += size * 1.5f;
        start = line_start(text, end);
    }
    return high;
}

float view_wrapped_width(const struct view *view, float width, float size, const char *text)
{
    text = translated_text(text);
    float wide = 0;
    for (size_t start = line_start(text, 0); text[start] != 0;) {
        const size_t fits = fitting_end(view, width, size, text, start, BETWEEN_THINGS);
        const size_t end =
            fits > start ? fits : piece_end(text, strlen(text), start, BETWEEN_THINGS);
        size_t last = end;
        while (last > start && text[last - 1] == ' ') {
            last--;
        }
        wide = fmaxf(wide, font_measure(canvas_fonts(view->ui->canvas), FONT_WORDS, size,
                                        text + start, last - start));
        start = line_start(text, end);
    }
    return wide;
}

float view_wrapped_height(const struct view *view, float width, float size, const char *text)
{
    text = translated_text(text);
    float high = 0;
    enum parting parting = BETWEEN_THINGS;
    for (size_t start = line_start(text, 0); text[start] != 0;) {
        start = line_start(text, line_end(view, width, size, text, start, &parting));
        high += size * 1.5f;
    }
    return high;
}

struct lines {
    int count;
    float last; /* width of the last line */
    enum parting parting;
};

static struct lines measure_lines(const struct view *view, float width, float size,
                                  const char *text)
{
    struct lines lines = {0, 0, BETWEEN_THINGS};
    for (size_t start = line_start(text, 0); text[start] != 0; lines.count++) {
        const size_t end = line_end(view, width, size, text, start, &lines.parting);
        lines.last = font_measure(canvas_fonts(view->ui->canvas), FONT_WORDS, size, text + start,
                                  end - start);
        start = line_start(text, end);
    }
    return lines;
}

/* Says whether a width takes no more lines than the full one and divides nothing that the full one
 * does not. */
static bool is_wide_enough(const struct view *view, float width, float size, const char *text,
                           const struct lines *full)
{
    const struct lines lines = measure_lines(view, width, size, text);
    return lines.count <= full->count && lines.parting <= full->parting;
}

/* Says whether a line that ends there ends with a word. In Chinese, which has no spaces, that is
 * only known at punctuation. */
static bool ends_with_word(const char *text, size_t length, size_t end)
{
    static const char *const pauses[] = {"，", "。", "：", "；", "！", "？", "、", "”", "）"};
    if (end >= length || text[end] == ' ' || text[end - 1] == ' ') {
        return true;
    }
    for (size_t p = 0; p < sizeof pauses / sizeof *pauses; p++) {
        const size_t wide = strlen(pauses[p]);
        if (end >= wide && memcmp(text + end - wide, pauses[p], wide) == 0) {
            return true;
        }
    }
    return false;
}

static bool lines_end_with_words(const struct view *view, float width, float size, const char *text)
{
    const size_t length = strlen(text);
    enum parting parting = BETWEEN_THINGS;
    for (size_t start = line_start(text, 0); text[start] != 0;) {
        const size_t end = line_end(view, width, size, text, start, &parting);
        if (!ends_with_word(text, length, end)) {
            return false;
        }
        start = line_start(text, end);
    }
    return true;
}

/* The narrowest width that takes no more lines, if the last line is only a word or two. */
static float even_width(const struct view *view, float width, float size, const char *text,
                        const struct lines *full)
{
    static const float SHORT_LINE = 0.3f; /* of the width */
    enum { ROUNDS = 7 };
    float narrow = width / 2, wide = width;
    if (full->last >= SHORT_LINE * width) {
        return width;
    }
    for (int round = 0; round < ROUNDS; round++) {
        const float middle = (narrow + wide) / 2;
        *(is_wide_enough(view, middle, size, text, full) ? &wide : &narrow) = middle;
    }
    return wide;
}

float view_wrapped_even(const struct view *view, float width, float size, const char *text)
{
    enum { WIDTHS = 48 };
    text = tr(text);
    const struct lines full = measure_lines(view, width, size, text);
    if (full.count < 2) {
        return width;
    }
    const float even = even_width(view, width, size, text, &full);
    for (int w = 0; w < WIDTHS && !lines_end_with_words(view, even, size, text); w++) {
        const float less = width * (1 - (float)w / WIDTHS);
        if (!is_wide_enough(view, less, size, text, &full)) {
            break;
        }
        if (lines_end_with_words(view, less, size, text)) {
            return less;
        }
    }
    return even;
}

bool view_text_whole(struct view *view, float x, float y, enum font_face face, float size,
                     struct colour colour, enum canvas_anchor anchor, const char *text, float width)
{
    const float font_size_min = view->style.cuts_names ? 9 : view->min_font_size;
    const float wide = text == NULL || size <= font_size_min
                           ? 0
                           : canvas_measure(view->ui->canvas, face, size, text);
    const float fits = wide > width ? fmaxf(font_size_min, size * width / wide - 0.05f) : size;
    return canvas_text_cut(view->ui->canvas, x, y, face, fits, colour, anchor, text, width);
}

void view_text_fitted(struct view *view, struct point at, float size, enum canvas_anchor anchor,
                      const char *text, float width)
{
    if (view_text_whole(view, at.x, at.y, FONT_WORDS, size, view->ui->theme->muted, anchor,
                        tr(text), width)) {
        const float left = anchor == CANVAS_RIGHT    ? at.x - width
                           : anchor == CANVAS_CENTRE ? at.x - width / 2
                                                     : at.x;
        ui_tip(view->ui, ui_id(view->ui, text),
               (struct rect){left, at.y - size, width, size * 1.5f}, text);
    }
}

void view_sharing_bracket(struct view *view, struct rect first, struct rect last, unsigned shape)
{
    static const float AWAY = 3.5f, FOOT = 3, INSET = 1, THICK = 1.5f;
    static const float BEYOND = 11; /* length of the dotted continuation */
    const struct colour ink = view->ui->theme->key;
    struct canvas *const canvas = view->ui->canvas;
    const bool upright = (shape & VIEW_BRACKET_UPRIGHT) != 0;
    const float away = upright ? first.x - AWAY : first.y - AWAY;
    const float ends[] = {(upright ? first.y : first.x) + INSET,
                          (upright ? last.y + last.h : last.x + last.w) - INSET};
    const bool open[] = {(shape & VIEW_BRACKET_BEGAN_BEFORE) != 0,
                         (shape & VIEW_BRACKET_GOES_ON) != 0};
    if (upright) {
        canvas_line(canvas, away, ends[0], away, ends[1], THICK, ink);
    } else {
        canvas_line(canvas, ends[0], away, ends[1], away, THICK, ink);
    }
    for (size_t e = 0; e < 2; e++) {
        const float past = e == 0 ? -BEYOND : BEYOND;
        if (open[e]) {
            const struct point from = {ends[e], away}, to = {ends[e] + past, away};
            canvas_path(canvas, (struct point[]){from, to}, 2, false,
                        &(struct paint){.stroke = ink, .width = THICK, .dash = 2, .gap = 2});
        } else if (upright) {
            canvas_line(canvas, away, ends[e], away + FOOT, ends[e], THICK, ink);
        } else {
            canvas_line(canvas, ends[e], away, ends[e], away + FOOT, THICK, ink);
        }
    }
}

void view_notice(struct view *view, struct rect area, const char *title, const char *sentence)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float width = fminf(area.w, 380);
    title = tr(title);
    sentence = tr(sentence);
    view->notice = view->style.has_controls ? NULL : arena_words(view->arena, "%s", sentence);
    const float wide = fminf(width, canvas_measure(canvas, FONT_WORDS, UI_TEXT_BODY, tr(sentence)));
    const float middle = area.y + area.h / 2;
    canvas_text_cut(canvas, area.x + area.w / 2, middle - 12, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    theme->ink, CANVAS_CENTRE, tr(title), area.w);
    view_wrapped(view, area.x + (area.w - wide) / 2, middle + 16, width, UI_TEXT_BODY, theme->muted,
                 sentence);
}

void view_panel_header(struct view *view, struct rect area, const char *title, const char *hint)
{
    struct canvas *canvas = view->ui->canvas;
    const float x = area.x + 16, wide = area.w - 32;
    title = !view->style.has_controls ? view_own_title(view, title) : title;
    hint = view_is_computing(view) ? tr("computing…") : hint;
    if (title == NULL) {
        return;
    }
    const float title_wide =
        fminf(canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, tr(title)), wide);
    view_text_whole(view, x, area.y + 25, FONT_WORDS_BOLD, UI_TEXT_BODY, view->ui->theme->ink,
                    CANVAS_LEFT, tr(title), wide);
    const float hint_wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, tr(hint));
    if (title_wide + 20 + hint_wide <= wide) {
        canvas_text(canvas, x + wide, area.y + 25, FONT_WORDS, UI_TEXT_SMALL,
                    view->ui->theme->muted, CANVAS_RIGHT, tr(hint));
    }
}

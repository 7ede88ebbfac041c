/* The labels of rows and columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "view/parts/matrix.h"
#include "view/parts/pieces.h"

static const float LINE_MIN = 14.4f;    /* lowest row with a label in the full font size */
static const float FAR_LINE_MIN = 9.5f; /* the same where it is read from afar */
static const float BEYOND = 12,
                   TIGHT =
                       4; /* how far the first and the last label may reach beyond their cells */
static const float ALTERNATE_LOW = 4; /* of two lines, relative to a single one */
static const struct view_length ALTERNATE_HIGH = {.near = -7.5f, .far = -9.5f};
static const float FAR_ALTERNATE_ABOVE = 30; /* height of these two lines from the cells up */

/* The width of a label, chosen or not: a style's bold letters may be narrower than its plain ones.
 */
static float label_width(const struct view *view, float size, const char *word, size_t length)
{
    struct fonts *const fonts = canvas_fonts(view->ui->canvas);
    return fmaxf(font_measure(fonts, FONT_WORDS, size, word, length),
                 font_measure(fonts, FONT_WORDS_BOLD, size, word, length));
}

float view_words_width(const struct view *view, const char *const *words, size_t count,
                       float width_max)
{
    float widest = 0;
    for (size_t i = 0; words != NULL && i < count && widest < width_max; i++) {
        widest =
            fmaxf(widest, label_width(view, view->style.names.max, words[i], strlen(words[i])));
    }
    return fminf(widest, width_max);
}

float view_words_column(const struct view *view, const char *const *words, size_t count,
                        float width_min)
{
    const float width_max = 160;
    return words == NULL
               ? width_min
               : fmaxf(width_min, view_words_width(view, words, count, width_max - 12) + 12);
}

/* The label at index, or its number from 1 if rows and columns have no names. */
static const char *word_at(const struct view *view, const struct view_words *words, size_t index)
{
    if (words->words != NULL) {
        return words->words[index];
    }
    return arena_words(view->arena, "%zu", index + 1);
}

static struct colour word_colour(const struct view *view, const struct view_words *words,
                                 bool chosen)
{
    return chosen ? words->colour : view_label_ink(view);
}

/* The style of the labels of a line: one font size, a rotation, and every how many is shown. */
struct fit {
    float size;
    int degrees;
    size_t every;
    float room;      /* length limit of a label, along its baseline */
    bool halves;     /* longer sentences are set in two lines */
    bool alternates; /* every second label is farther away, with a line to its cells */
};

static enum font_face label_face(const struct view_words *words, bool chosen)
{
    return words->words == NULL ? FONT_NUMBERS : chosen ? FONT_WORDS_BOLD : FONT_WORDS;
}

/* The word without its middle, so that beginning and end can be told; unchanged where it fits. */
static const char *shorten_middle(struct view *view, const char *word, enum font_face face,
                                  float size, float room)
{
    static const char dots[] = "\xe2\x80\xa6";
    struct fonts *const fonts = canvas_fonts(view->ui->canvas);
    const size_t length = strlen(word);
    if (font_measure(fonts, face, size, word, length) <= room + 0.01f) {
        return word;
    }
    const float left = room - font_measure(fonts, face, size, dots, sizeof dots - 1);
    const size_t front = font_fit(fonts, face, size, word, length, fmaxf(left, 0) * 0.6f);
    const float taken = font_measure(fonts, face, size, word, front);
    size_t back = length;
    while (back > front) {
        const size_t next = text_former_letter(word, length, back);
        if (next < front ||
            taken + font_measure(fonts, face, size, word + next, length - next) > left) {
            break;
        }
        back = next;
    }
    const char *const text =
        arena_format(view->arena, "%.*s%s%s", (int)front, word, dots, word + back);
    return text != NULL ? text : word;
}

/* The width of the widest label in font sizes. */
static float widest_word(const struct view *view, const struct view_words *words)
{
    return view_words_width(view, words->words, words->count, 1e6f) / view->style.names.max;
}

/* --- Rows whose labels are sentences: in two lines, if one line is too short and the row is high
 * enough. --- */

static const float TWO_LINES = 2.3f; /* height of two lines, in font sizes */

/* The space that divides a sentence into two halves, the longer of which is as short as possible;
 * 0: it has none. *wide: the width of that half in font sizes. */
static size_t middle_space(const struct view *view, const char *word, float *wide)
{
    const size_t length = strlen(word);
    const float size = view->style.names.max;
    size_t best = 0;
    *wide = label_width(view, size, word, length) / size;
    for (size_t i = 1; i + 1 < length; i++) {
        if (word[i] == ' ') {
            const float front = label_width(view, size, word, i) / size;
            const float back = label_width(view, size, word + i + 1, length - i - 1) / size;
            if (fmaxf(front, back) < *wide) {
                *wide = fmaxf(front, back);
                best = i;
            }
        }
    }
    return best;
}

/* The font size at which all labels fit in one line or two; 0: no label becomes larger than in one.
 */
static float size_in_halves(const struct view *view, const struct view_words *words, float one,
                            float room)
{
    enum { SENTENCES_MAX = 32 };
    if (words->words == NULL || words->count > SENTENCES_MAX) {
        return 0;
    }
    float widest = 0;
    for (size_t i = 0; i < words->count; i++) {
        float wide = 0;
        middle_space(view, words->words[i], &wide);
        widest = fmaxf(widest, wide);
    }
    const float by_room = room / fmaxf(widest, 0.01f), by_step = words->step / TWO_LINES;
    const float size = fminf(view->style.names.max, fminf(by_room, by_step));
    const bool cut = widest_word(view, words) * one > room;
    return size >= view->style.names.cut_min && (cut || size > one) ? size : 0;
}

/* Draws a label at the middle of its line of cells, about which it is rotated. */
static void draw_word(struct view *view, const struct view_words *words, size_t index,
                      const struct fit *fit, float x, float y)
{
    const bool kept = words->highlighted != NULL && lab_places_has(words->highlighted, index);
    const bool chosen = kept || (words->chosen >= 0 && (size_t)words->chosen == index);
    const char *word = word_at(view, words, index);
    float wide = 0;
    const size_t middle = fit->halves ? middle_space(view, word, &wide) : 0;
    if (middle > 0 && label_width(view, fit->size, word, strlen(word)) > fit->room) {
        const struct colour ink = word_colour(view, words, chosen);
        const enum font_face half = label_face(words, chosen);
        canvas_text_length(view->ui->canvas, x, y - fit->size * 0.55f, half, fit->size, ink,
                           words->anchor, word, middle);
        canvas_text(view->ui->canvas, x, y + fit->size * 0.55f, half, fit->size, ink, words->anchor,
                    word + middle + 1);
        return;
    }
    const enum font_face face = label_face(words, chosen);
    const struct colour colour = word_colour(view, words, chosen);
    const float size = fit->size, room = fit->room;
    if ((!view->style.cuts_names || fit->degrees != 0) && words->words != NULL) {
        canvas_text_turned(view->ui->canvas, x, y, fit->degrees, face, size, colour,
                           fit->degrees == 0 ? words->anchor : CANVAS_LEFT,
                           shorten_middle(view, word, face, size, room));
        return;
    }
    if (canvas_text_cut(view->ui->canvas, x, y, face, size, colour, words->anchor, word, room)) {
        const float left = words->anchor == CANVAS_RIGHT    ? x - room
                           : words->anchor == CANVAS_CENTRE ? x - room / 2
                                                            : x;
        ui_tip(view->ui, ui_id_number(view->ui, "word", index),
               (struct rect){left, y - size, room, size * 1.4f}, word);
    }
}

/* One font size for all labels of a line: small if one of them would be cut otherwise; in the
 * presenter view as large as fits, in a line no higher than `high`. */
static float size_of_words(const struct view *view, const struct view_words *words, float room,
                           float high)
{
    if (words->words == NULL) {
        return UI_TEXT_TINY;
    }
    const float size_max = view->style.names.max;
    if (view->style.is_far) {
        const float widest = view_words_width(view, words->words, words->count, 1e4f);
        const float fits = fminf(size_max * room / fmaxf(widest, 1), high * 0.8f);
        return fmaxf(view->style.names.min, fminf(size_max, fits));
    }
    const float widest = view_words_width(view, words->words, words->count, 1e4f);
    return widest <= room ? size_max
                          : fminf(view->style.names.min, fmaxf(view->style.names.cut_min,
                                                               size_max * room / fmaxf(widest, 1)));
}

/* Says whether a label is shown, if one of `every` is: the chosen one always is, and its neighbours
 * are not. */
static bool is_word_shown(const struct view_words *words, size_t index, size_t every)
{
    const bool has_chosen = words->chosen >= 0;
    const long gap = has_chosen ? labs((long)index - words->chosen) : (long)every;
    return gap == 0 || (index % every == 0 && (size_t)gap >= every);
}

static struct view_viewport visible_words(const struct view_words *words)
{
    return words->reach.count > 0 ? words->reach : (struct view_viewport){0, words->count};
}

/* --- In a figure labels are rotated before they shrink, shrink before their middle is cut, then
 * alternate between near and far, and only then every second one is left out, which the figure
 * says. --- */

static const float LINE = 1.1f;    /* from baseline to baseline, in font sizes */
static const float AIR = 6;        /* between labels side by side */
static const float AIR_MIN = 0.4f; /* between short ones, in font sizes */
static const float ROOT_HALF = 0.70711f;

const struct view_words_share view_words_shares[VIEW_WORDS_SHARES] = {
    {1, 1}, {0.7f, 1}, {0.5f, 1}, {0.35f, 1}, {1, 0.5f}, {0.7f, 0.5f}, {0.5f, 0.5f}, {0.35f, 0.5f}};

float view_words_line(const struct view *view)
{
    return view->style.names.line_font_min * LINE;
}

static const float ALTERNATE_APART = 5;      /* from the far labels to the near ones */
static const float ALTERNATE_CHARACTERS = 4; /* shortest alternating label, in font sizes */
static const float LEADER_WIDE = 0.4f;       /* of the line from a far label to its cells */

/* Alternating labels have half of the room each, and the height of two lines. */
static struct fit fit_alternating(const struct view *view, const struct view_words *words,
                                  float room, int degrees)
{
    const float half = (room - ALTERNATE_APART) / 2;
    const float by_room = half / fmaxf(widest_word(view, words), 0.01f);
    const float size = fminf(UI_TEXT_TINY, fminf(by_room, 2 * words->step / LINE));
    return (struct fit){fmaxf(size, view->min_font_size), degrees, 1, half, false, true};
}

static bool may_alternate(const struct view *view, const struct view_words *words, float room)
{
    return !view->style.cuts_names && words->words != NULL &&
           2 * words->step >= view_words_line(view) &&
           (room - ALTERNATE_APART) / 2 >= view->min_font_size * ALTERNATE_CHARACTERS;
}

/* Fits labels of rows, and upright ones of columns: as large as the lines allow, but readable. */
static struct fit fit_parallel_lines(const struct view *view, const struct view_words *words,
                                     float room, int degrees)
{
    const float size_max = degrees == 0 ? view->style.names.max : view->style.names.turned;
    const float by_room = room / fmaxf(widest_word(view, words), 0.01f);
    const float by_step = words->step / LINE;
    const float lowest = view->style.names.readable_min;
    const float size = fmaxf(fminf(size_max, fminf(by_room, by_step)), fminf(lowest, size_max));
    const size_t every = (size_t)ceilf(size * LINE / fmaxf(words->step, 0.01f) - 0.01f);
    return every > 1 && may_alternate(view, words, room)
               ? fit_alternating(view, words, room, degrees)
               : (struct fit){size, degrees, every, room, false, false};
}

/* The reach of labels from their cells, each line of them no farther than its room. */
static float reach_away(const struct view *view, const struct view_words *words,
                        const struct fit *fit)
{
    const float wide = fminf(widest_word(view, words) * fit->size, fit->room);
    return fit->alternates ? 2 * wide + ALTERNATE_APART : wide;
}

/* The distance of a far label from the near ones; 0: the label at index is near. Draws the line
 * that leads from it to its cells. */
static float move_away(struct view *view, const struct view_words *words, const struct fit *fit,
                       size_t index, float middle)
{
    static const float SHORT_OF = 1.5f; /* from the label to the start of the line */
    const float away = fit->alternates && index % 2 == 1
                           ? (reach_away(view, words, fit) + ALTERNATE_APART) / 2
                           : 0;
    const bool across = fit->degrees == 0;
    const float side = across && words->anchor == CANVAS_LEFT ? -1 : 1;
    const float from = words->at - side * (away - SHORT_OF), to = words->at + side * SHORT_OF;
    if (away > 0) {
        canvas_line(view->ui->canvas, across ? from : middle, across ? middle : from,
                    across ? to : middle, across ? middle : to, LEADER_WIDE,
                    view->ui->theme->faint);
    }
    return side * away;
}

static struct fit fit_columns(const struct view *view, const struct view_words *words)
{
    const float wide = widest_word(view, words);
    const float sizes[] = {view->style.names.max, view->style.names.min};
    for (size_t s = 0; s < 2; s++) {
        if (wide * sizes[s] + AIR <= words->step) {
            return (struct fit){sizes[s], 0, 1, words->step, false, false};
        }
    }
    if (wide + AIR_MIN <= LINE) { /* rotated they would be no larger */
        const float size = fminf(UI_TEXT_TINY, words->step / (wide + AIR_MIN));
        if (size >= view->style.names.readable_min) {
            return (struct fit){size, 0, 1, words->step, false, false};
        }
    }
    const float by_side = (words->beyond + words->step / 2) / fmaxf(wide * ROOT_HALF, 0.01f);
    const float by_room = words->room / (wide * ROOT_HALF + 1);
    const float size = fminf(view->style.names.turned,
                             fminf(words->step * ROOT_HALF / LINE, fminf(by_side, by_room)));
    if (size >= UI_TEXT_TINY) {
        return (struct fit){size, 45, 1, wide * size, false, false};
    }
    return fit_parallel_lines(view, words, words->room, 90);
}

/* Says whether labels above columns would be cut in two lines of the small font, while each has
 * room for a rotated one. */
static bool would_be_cut(const struct view *view, const struct view_words *words)
{
    enum { ROTATED_MAX = 64 };
    const struct view_length step_least = {.near = 11, .far = view->style.names.min * LINE};
    const float step_min = view_length(view, step_least);
    if (words->words == NULL || words->count > ROTATED_MAX || words->step < step_min) {
        return false;
    }
    const float room = 2 * words->step - 4;
    return widest_word(view, words) * view->style.names.cut_min >
           (words->count > 1 ? room : words->step);
}

static bool may_rotate(const struct view *view, const struct view_words *words)
{
    return words->words != NULL && words->room > 0 &&
           (!view->style.cuts_names || would_be_cut(view, words));
}

static struct fit fit_above(const struct view *view, const struct view_words *words,
                            bool *alternates);

bool view_words_lean(const struct view *view, const struct view_words *words)
{
    return words->step > 0 && may_rotate(view, words) && fit_columns(view, words).degrees == 45;
}

float view_words_above(const struct view *view, const struct view_words *words)
{
    if (!(words->step > 0)) {
        return 0;
    }
    if (!may_rotate(view, words)) {
        bool alternates = false;
        const struct fit level = fit_above(view, words, &alternates);
        return level.halves ? (alternates ? 2 : 1) * TWO_LINES * level.size + VIEW_WORDS_APART
               : alternates && view->style.is_far ? FAR_ALTERNATE_ABOVE
                                                  : 0;
    }
    const struct fit fit = fit_columns(view, words);
    const float wide = reach_away(view, words, &fit);
    return (fit.degrees == 90   ? wide
            : fit.degrees == 45 ? (wide + fit.size) * ROOT_HALF
                                : fit.size) +
           VIEW_WORDS_APART;
}

float view_words_beside(const struct view *view, const struct view_words *words, float width_max)
{
    if (view->style.cuts_names || words->words == NULL || !(words->step > 0)) {
        return view_words_width(view, words->words, words->count, width_max);
    }
    const struct fit fit = fit_parallel_lines(view, words, width_max, 0);
    return fminf(reach_away(view, words, &fit) + 0.5f, width_max);
}

/* Records what a figure must say: how many labels are left out between two. */
static void record_fit(struct view *view, const struct fit *fit)
{
    view->names_every = fit->every > view->names_every ? fit->every : view->names_every;
    view_note_lack(view, VIEW_LACKS_ONE_LINE, fit->alternates);
}

/* The height of the lowest row with a label: the font shrinks before a label is left out. */
static float row_height_min(const struct view *view, const struct view_words *words)
{
    const float small = view_words_line(view);
    return words->line > 0        ? words->line
           : view->style.is_far   ? FAR_LINE_MIN
           : words->step >= small ? small
                                  : LINE_MIN;
}

void view_words_of_rows(struct view *view, const struct view_words *words)
{
    const float line = row_height_min(view, words);
    struct fit fit = {.every = 1, .room = words->room};
    if (words->step < line) {
        fit.every = (size_t)ceilf(line / fmaxf(words->step, 0.01f));
    }
    fit.size = size_of_words(view, words, words->room, (float)fit.every * words->step);
    if (words->line > 0 || !view->style.is_far) {
        fit.size = fminf(fit.size, (float)fit.every * words->step / LINE);
    }
    if (!view->style.cuts_names && words->words != NULL) {
        fit = fit_parallel_lines(view, words, words->room, 0);
        record_fit(view, &fit);
    } else if (fit.every == 1) {
        const float in_halves = size_in_halves(view, words, fit.size, words->room);
        fit.halves = in_halves > 0;
        fit.size = fit.halves ? in_halves : fit.size;
    }
    const struct view_viewport viewport = visible_words(words);
    for (size_t i = viewport.first; i < viewport.first + viewport.count; i++) {
        if (is_word_shown(words, i, fit.every)) {
            const float middle = words->from + ((float)(i - viewport.first) + 0.5f) * words->step;
            const float away = move_away(view, words, &fit, i, middle);
            draw_word(view, words, i, &fit, words->at - away, middle + fit.size * 0.36f);
        }
    }
}

static const float SHORT_WORD = 30; /* width of the beginning of a word and an ellipsis */

/* The width that a column's label or number needs to be read: labels may be cut before every second
 * one is left out. */
static float min_column_width(const struct view *view, const struct view_words *words)
{
    if (words->words != NULL) {
        const float widest = view_words_width(view, words->words, words->count, 64);
        return fminf(fmaxf(widest * view->style.names.min / view->style.names.max, 24), SHORT_WORD);
    }
    char last[24];
    snprintf(last, sizeof last, "%zu", words->count);
    return canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, last) + 6;
}

/* Says whether labels are too long for their columns and alternate between two lines, before one is
 * cut.
 */
static bool needs_alternation(const struct view *view, const struct view_words *words)
{
    if (words->words == NULL || words->count < 2) {
        return false;
    }
    return widest_word(view, words) * view->style.names.one_line_min > words->step - 4;
}

/* The reach of the first and the last label of a line beyond the middle of their column. */
static float edge_reach(const struct view_words *words)
{
    return words->step / 2 + (words->tight ? TIGHT : BEYOND);
}

/* The font size of alternating labels, of which the first and the last have less room. */
static float alternating_size(const struct view *view, const struct view_words *words, size_t every,
                              float room)
{
    const struct view_viewport viewport = visible_words(words);
    const size_t edges[] = {viewport.first, viewport.first + viewport.count - 1};
    const float at_edge = fminf(room, edge_reach(words) + (float)every * words->step);
    float fits = room / fmaxf(widest_word(view, words), 0.01f);
    for (size_t e = 0; words->words != NULL && viewport.count > 0 && e < 2; e++) {
        const float wide =
            view_words_width(view, words->words + edges[e], 1, 1e4f) / view->style.names.max;
        fits = fminf(fits, at_edge / fmaxf(wide, 0.01f));
    }
    return fminf(view->style.names.one_line_min, fmaxf(view->style.names.cut_min, fits));
}

static struct fit fit_level_words(const struct view *view, const struct view_words *words,
                                  bool alternates)
{
    const float narrow = min_column_width(view, words), step = words->step * (alternates ? 2 : 1);
    const size_t every = step >= narrow ? 1 : (size_t)ceilf((narrow + 6) / fmaxf(step, 0.01f));
    const float room = fmaxf((float)every * step - 4, narrow - 2);
    const float size = alternates ? alternating_size(view, words, every, room)
                                  : size_of_words(view, words, room, 1e4f);
    return (struct fit){size, 0, every, room, false, false};
}

/* The length limit of a label: alternating, the first and the last have less room. */
static float word_room(const struct view_words *words, const struct fit *fit, bool edge)
{
    return edge ? fminf(fit->room, edge_reach(words) + (float)fit->every * words->step) : fit->room;
}

/* The distance by which an alternating label moves inward, over its neighbour, because the first
 * (edge −1) and the last (edge 1) may not reach far beyond the cells. Sets the label's room. */
static float move_inward(const struct view *view, const struct view_words *words, size_t index,
                         int edge, struct fit *fit, float room)
{
    const float side = edge_reach(words);
    fit->room = room;
    const float limit = word_room(words, fit, edge != 0);
    const char *const word = word_at(view, words, index);
    float wide = label_width(view, fit->size, word, strlen(word));
    if (fit->halves && wide > limit) {
        middle_space(view, word, &wide);
        wide *= fit->size;
    }
    fit->room = limit;
    return edge == 0 ? 0 : -(float)edge * fmaxf(0, fminf(wide, limit) / 2 - side);
}

/* Before a class sentences that would be too small to be read are set in two lines each. */
static struct fit fit_halves(const struct view *view, const struct view_words *words,
                             struct fit level, bool *alternates)
{
    enum { COLUMNS_MAX = 8 };
    const float readable = view->style.names.turned;
    if (!view->style.is_far || words->words == NULL || words->count > COLUMNS_MAX ||
        level.size >= readable) {
        return level;
    }
    float widest = 0.01f;
    bool divides = false;
    for (size_t i = 0; i < words->count; i++) {
        float wide = 0;
        divides = middle_space(view, words->words[i], &wide) > 0 || divides;
        widest = fmaxf(widest, wide);
    }
    const float one = words->step - 4;
    const float two = fminf(2 * one, edge_reach(words) + words->step);
    const bool in_one = widest * readable <= one;
    const float size = fminf(readable, (in_one ? one : two) / widest);
    if (!divides || size <= level.size) {
        return level;
    }
    *alternates = !in_one && words->count > 1;
    return (struct fit){.size = size, .every = 1, .room = in_one ? one : two, .halves = true};
}

/* Fits labels above columns: rotated, or level in one line or two. */
static struct fit fit_above(const struct view *view, const struct view_words *words,
                            bool *alternates)
{
    const bool turned = may_rotate(view, words);
    *alternates = !turned && needs_alternation(view, words);
    return turned ? fit_columns(view, words)
                  : fit_halves(view, words, fit_level_words(view, words, *alternates), alternates);
}

bool view_words_whole(const struct view *view, const struct view_words *words)
{
    bool alternates = false, whole = true;
    const struct fit fit = fit_above(view, words, &alternates);
    const struct view_viewport viewport = visible_words(words);
    for (size_t i = viewport.first; whole && i < viewport.first + viewport.count; i++) {
        const bool edge =
            alternates && (i == viewport.first || i + 1 == viewport.first + viewport.count);
        whole = !is_word_shown(words, i, fit.every) || fit.halves ||
                canvas_measure(view->ui->canvas, label_face(words, true), fit.size,
                               word_at(view, words, i)) <= word_room(words, &fit, edge) + 0.01f;
    }
    return whole;
}

/* The baseline of a label relative to that of labels in one line. */
static float distance_up(const struct view *view, const struct fit *fit, bool alternates,
                         size_t index)
{
    const bool low = index / fit->every % 2 == 0;
    if (fit->halves) {
        return -0.55f * fit->size - (alternates && !low ? TWO_LINES * fit->size : 0);
    }
    return alternates ? (low ? ALTERNATE_LOW : view_length(view, ALTERNATE_HIGH)) : 0;
}

void view_words_of_columns(struct view *view, const struct view_words *words)
{
    bool alternates = false;
    struct fit fit = fit_above(view, words, &alternates);
    const float aside = fit.degrees == 90   ? fit.size * 0.36f
                        : fit.degrees == 45 ? fit.size * 0.2f
                                            : 0;
    const float room = fit.room;
    if (!view->style.cuts_names && words->words != NULL) {
        record_fit(view, &fit);
    }
    const struct view_viewport viewport = visible_words(words);
    for (size_t i = viewport.first; i < viewport.first + viewport.count; i++) {
        if (is_word_shown(words, i, fit.every)) {
            const float middle = words->from + ((float)(i - viewport.first) + 0.5f) * words->step;
            const float up = distance_up(view, &fit, alternates, i);
            const int edge = i == viewport.first ? -1 : i + 1 == viewport.first + viewport.count;
            const float inward = alternates ? move_inward(view, words, i, edge, &fit, room) : 0;
            const float away = move_away(view, words, &fit, i, middle);
            draw_word(view, words, i, &fit, middle + aside + inward, words->at + up - away);
        }
    }
}

/* The words beside rows and above columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "view/parts/matrix.h"
#include "view/parts/pieces.h"

static const float CLASS = 14.4f, CLASS_LEAST = 8; /* letters before a class */
static const float CLASS_TURNS = 11;   /* … before which words stand in two lines by turns */
static const float SMALLEST = 9;       /* letters of words that would be cut otherwise */
static const float LINE_LEAST = 14.4f; /* lowest row with a word in letters of full size … */
static const float CLASS_LINE = 9.5f;  /* … and with any before a class */
static const float BEYOND = 12,
                   TIGHT = 4; /* how far the first and the last may reach beyond their cells */
static const float TURN_LOW = 4, TURN_HIGH = -7.5f; /* of two lines, from where one would be */

/* Letters of words: as large as they become, and the smallest before one is cut or left out. */
static float largest(const struct view *view)
{
    return view->state->prefs.presenter ? CLASS : UI_TEXT_BODY;
}

static float smallest(const struct view *view)
{
    return view->state->prefs.presenter ? CLASS_LEAST : UI_TEXT_TINY;
}

/* … and in one line above columns, before they stand in two by turns. */
static float one_line(const struct view *view)
{
    return view->state->prefs.presenter ? CLASS_TURNS : UI_TEXT_TINY;
}

/* … and before a word is cut all the same. */
static float least(const struct view *view)
{
    return view->state->prefs.presenter ? CLASS_LEAST : SMALLEST;
}

float view_words_width(const struct view *view, const char *const *words, size_t count, float most)
{
    float widest = 0;
    for (size_t i = 0; words != NULL && i < count && widest < most; i++) {
        widest = fmaxf(widest,
                       canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, largest(view), words[i]));
    }
    return fminf(widest, most);
}

float view_words_column(const struct view *view, const char *const *words, size_t count,
                        float least)
{
    const float most = 160;
    return words == NULL ? least
                         : fmaxf(least, view_words_width(view, words, count, most - 12) + 12);
}

/* The word at index, or its number from 1 where rows and columns have no names. */
static const char *word_at(const struct view *view, const struct view_words *words, size_t index)
{
    if (words->words != NULL) {
        return words->words[index];
    }
    const char *number = arena_format(view->arena, "%zu", index + 1);
    return number != NULL ? number : "";
}

static struct colour word_colour(const struct view *view, const struct view_words *words,
                                 bool chosen)
{
    return chosen ? words->colour : view_label_ink(view);
}

/* How the words of a line stand: all of one size, turned by so many degrees, every so many. */
struct fit {
    float size;
    int turn;
    size_t every;
    float room;    /* longest a word may be, along its baseline */
    bool halves;   /* sentences that are longer stand in two lines */
    bool by_turns; /* every second word stands farther away, with a line to its cells */
};

static enum font_face face_of(const struct view_words *words, bool chosen)
{
    return words->words == NULL ? FONT_NUMBERS : chosen ? FONT_WORDS_BOLD : FONT_WORDS;
}

/* The word with its middle left out, so that beginning and end can be told; as it is where it fits.
 */
static const char *shortened(struct view *view, const char *word, enum font_face face, float size,
                             float room)
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

/* The widest word in sizes, as bold as the chosen one. */
static float longest(const struct view *view, const struct view_words *words)
{
    return view_words_width(view, words->words, words->count, 1e6f) / largest(view);
}

/* --- Rows with sentences for names: in two lines, where a line is too short and a row high enough.
 */

static const float TWO_LINES = 2.3f; /* height of two lines, in sizes */

/* The space that parts a sentence into two halves, the longer of which is as short as can be, in
 * sizes; 0: it has none. */
static size_t middle_of(const struct view *view, const char *word, float *wide)
{
    struct fonts *const fonts = canvas_fonts(view->ui->canvas);
    const size_t length = strlen(word);
    const float size = largest(view);
    size_t best = 0;
    *wide = font_measure(fonts, FONT_WORDS_BOLD, size, word, length) / size;
    for (size_t i = 1; i + 1 < length; i++) {
        if (word[i] == ' ') {
            const float front = font_measure(fonts, FONT_WORDS_BOLD, size, word, i) / size;
            const float back =
                font_measure(fonts, FONT_WORDS_BOLD, size, word + i + 1, length - i - 1) / size;
            if (fmaxf(front, back) < *wide) {
                *wide = fmaxf(front, back);
                best = i;
            }
        }
    }
    return best;
}

/* Letters with which all words fit in one line or two; 0: no word becomes larger than in one. */
static float size_in_halves(const struct view *view, const struct view_words *words, float one,
                            float room)
{
    enum { SENTENCES_MOST = 32 };
    if (words->words == NULL || words->count > SENTENCES_MOST) {
        return 0;
    }
    float widest = 0;
    for (size_t i = 0; i < words->count; i++) {
        float wide = 0;
        middle_of(view, words->words[i], &wide);
        widest = fmaxf(widest, wide);
    }
    const float by_room = room / fmaxf(widest, 0.01f), by_step = words->step / TWO_LINES;
    const float size = fminf(largest(view), fminf(by_room, by_step));
    const bool cut = longest(view, words) * one > room;
    return size >= least(view) && (cut || size > one) ? size : 0;
}

/* A word at the middle of its line of cells, about which it is turned. */
static void draw_word(struct view *view, const struct view_words *words, size_t index,
                      const struct fit *fit, float x, float y)
{
    const bool kept = words->highlighted != NULL && lab_places_has(words->highlighted, index);
    const bool chosen = kept || (words->chosen >= 0 && (size_t)words->chosen == index);
    const char *word = word_at(view, words, index);
    float wide = 0;
    const size_t middle = fit->halves ? middle_of(view, word, &wide) : 0;
    if (middle > 0 && font_measure(canvas_fonts(view->ui->canvas), FONT_WORDS_BOLD, fit->size, word,
                                   strlen(word)) > fit->room) {
        const struct colour ink = word_colour(view, words, chosen);
        const enum font_face half = face_of(words, chosen);
        canvas_text_length(view->ui->canvas, x, y - fit->size * 0.55f, half, fit->size, ink,
                           words->anchor, word, middle);
        canvas_text(view->ui->canvas, x, y + fit->size * 0.55f, half, fit->size, ink, words->anchor,
                    word + middle + 1);
        return;
    }
    const enum font_face face = face_of(words, chosen);
    const struct colour colour = word_colour(view, words, chosen);
    const float size = fit->size, room = fit->room;
    if ((view->is_figure || fit->turn != 0) && words->words != NULL) {
        canvas_text_turned(view->ui->canvas, x, y, fit->turn, face, size, colour,
                           fit->turn == 0 ? words->anchor : CANVAS_LEFT,
                           shortened(view, word, face, size, room));
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

/* One size for all words of a line: small where one of them would be cut otherwise; before a class
 * as large as fits, a line no higher than `high`. */
static float size_of_words(const struct view *view, const struct view_words *words, float room,
                           float high)
{
    if (words->words == NULL) {
        return UI_TEXT_TINY;
    }
    const float most = largest(view);
    if (view->state->prefs.presenter) {
        const float widest = view_words_width(view, words->words, words->count, 1e4f);
        const float fits = fminf(most * room / fmaxf(widest, 1), high * 0.8f);
        return fmaxf(smallest(view), fminf(most, fits));
    }
    const float widest = view_words_width(view, words->words, words->count, 1e4f);
    return widest <= room
               ? most
               : fminf(smallest(view), fmaxf(least(view), most * room / fmaxf(widest, 1)));
}

/* Every how many words one is shown; the chosen one always is, and its neighbours give way. */
static bool is_shown(const struct view_words *words, size_t index, size_t every)
{
    const bool has_chosen = words->chosen >= 0;
    const long gap = has_chosen ? labs((long)index - words->chosen) : (long)every;
    return gap == 0 || (index % every == 0 && (size_t)gap >= every);
}

static struct view_viewport reach_of(const struct view_words *words)
{
    return words->reach.count > 0 ? words->reach : (struct view_viewport){0, words->count};
}

/* --- In a figure: words turn before they shrink, shrink before they are shortened in the middle,
 * then stand nearer and farther by turns, and only then every second one is left out, which the
 * figure says. --- */

static const float LINE = 1.1f;      /* from baseline to baseline, in sizes */
static const float AIR = 6;          /* between words side by side */
static const float AIR_LEAST = 0.4f; /* between short ones, in sizes */
static const float ROOT_HALF = 0.70711f;

const struct view_words_share view_words_shares[VIEW_WORDS_SHARES] = {
    {1, 1}, {0.7f, 1}, {0.5f, 1}, {0.35f, 1}, {1, 0.5f}, {0.7f, 0.5f}, {0.5f, 0.5f}, {0.35f, 0.5f}};

float view_words_line(const struct view *view)
{
    return (view->is_figure ? view->min_font_size : least(view)) * LINE;
}

static const float TURNS_APART = 5;    /* from the farther words to the nearer ones */
static const float TURNS_LETTERS = 4;  /* shortest word by turns, in sizes */
static const float LEADER_WIDE = 0.4f; /* of the line from a farther word to its cells */

/* Of words by turns each kind has half of the room and two lines of height. */
static struct fit fit_by_turns(const struct view *view, const struct view_words *words, float room,
                               int turn)
{
    const float half = (room - TURNS_APART) / 2;
    const float by_room = half / fmaxf(longest(view, words), 0.01f);
    const float size = fminf(UI_TEXT_TINY, fminf(by_room, 2 * words->step / LINE));
    return (struct fit){fmaxf(size, view->min_font_size), turn, 1, half, false, true};
}

static bool may_stand_by_turns(const struct view *view, const struct view_words *words, float room)
{
    return view->is_figure && words->words != NULL && 2 * words->step >= view_words_line(view) &&
           (room - TURNS_APART) / 2 >= view->min_font_size * TURNS_LETTERS;
}

/* Rows, and columns that read upward: as large as the lines let them, no smaller than can be read.
 */
static struct fit fit_lines(const struct view *view, const struct view_words *words, float room,
                            int turn)
{
    const float most = turn == 0 ? largest(view) : UI_TEXT_TINY;
    const float by_room = room / fmaxf(longest(view, words), 0.01f);
    const float by_step = words->step / LINE;
    const float lowest = view->is_figure ? view->min_font_size : smallest(view);
    const float size = fmaxf(fminf(most, fminf(by_room, by_step)), fminf(lowest, most));
    const size_t every = (size_t)ceilf(size * LINE / fmaxf(words->step, 0.01f) - 0.01f);
    return every > 1 && may_stand_by_turns(view, words, room)
               ? fit_by_turns(view, words, room, turn)
               : (struct fit){size, turn, every, room, false, false};
}

/* How far words reach from their cells, each line of them no farther than its room. */
static float reach_away(const struct view *view, const struct view_words *words,
                        const struct fit *fit)
{
    const float wide = fminf(longest(view, words) * fit->size, fit->room);
    return fit->by_turns ? 2 * wide + TURNS_APART : wide;
}

/* How far the farther of words by turns begin from where the nearer do, and the line that leads
 * from there to the cells; 0: the word at index is none of them. */
static float move_away(struct view *view, const struct view_words *words, const struct fit *fit,
                       size_t index, float middle)
{
    static const float SHORT_OF = 1.5f; /* the line begins behind the word */
    const float away =
        fit->by_turns && index % 2 == 1 ? (reach_away(view, words, fit) + TURNS_APART) / 2 : 0;
    const bool across = fit->turn == 0;
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
    const float wide = longest(view, words);
    const float sizes[] = {largest(view), smallest(view)};
    for (size_t s = 0; s < 2; s++) {
        if (wide * sizes[s] + AIR <= words->step) {
            return (struct fit){sizes[s], 0, 1, words->step, false, false};
        }
    }
    if (wide + AIR_LEAST <= LINE) { /* turned they would be no larger */
        const float size = fminf(UI_TEXT_TINY, words->step / (wide + AIR_LEAST));
        if (size >= (view->is_figure ? view->min_font_size : smallest(view))) {
            return (struct fit){size, 0, 1, words->step, false, false};
        }
    }
    const float size = UI_TEXT_TINY, aslant = wide * size * ROOT_HALF;
    const bool apart = words->step * ROOT_HALF >= size * LINE;
    if (apart && aslant + size <= words->room && aslant <= words->beyond + words->step / 2) {
        return (struct fit){size, 45, 1, wide * size, false, false};
    }
    return fit_lines(view, words, words->room, 90);
}

/* Whether words above columns would be cut in two lines of small letters, where each has room for
 * one that is turned. */
static bool would_be_cut(const struct view *view, const struct view_words *words)
{
    enum { TURNED_MOST = 64 };
    static const float STEP_LEAST = 11;
    const float step_least = view->state->prefs.presenter ? CLASS_LEAST * LINE : STEP_LEAST;
    if (words->words == NULL || words->count > TURNED_MOST || words->step < step_least) {
        return false;
    }
    const float room = 2 * words->step - 4;
    return longest(view, words) * least(view) > (words->count > 1 ? room : words->step);
}

static bool may_turn(const struct view *view, const struct view_words *words)
{
    return words->words != NULL && words->room > 0 &&
           (view->is_figure || would_be_cut(view, words));
}

bool view_words_lean(const struct view *view, const struct view_words *words)
{
    return words->step > 0 && may_turn(view, words) && fit_columns(view, words).turn == 45;
}

float view_words_above(const struct view *view, const struct view_words *words)
{
    if (!may_turn(view, words) || !(words->step > 0)) {
        return 0;
    }
    const struct fit fit = fit_columns(view, words);
    const float wide = reach_away(view, words, &fit);
    return (fit.turn == 90   ? wide
            : fit.turn == 45 ? (wide + fit.size) * ROOT_HALF
                             : fit.size) +
           VIEW_WORDS_APART;
}

float view_words_beside(const struct view *view, const struct view_words *words, float most)
{
    if (!view->is_figure || words->words == NULL || !(words->step > 0)) {
        return view_words_width(view, words->words, words->count, most);
    }
    const struct fit fit = fit_lines(view, words, most, 0);
    return fminf(reach_away(view, words, &fit) + 0.5f, most);
}

/* The most words between two that are shown: what a figure must say. */
static void note_fit(struct view *view, const struct fit *fit)
{
    view->names_every = fit->every > view->names_every ? fit->every : view->names_every;
    view->names_by_turns = view->names_by_turns || fit->by_turns;
}

/* The lowest row with a word: letters shrink before a word is left out. */
static float lowest_row(const struct view *view, const struct view_words *words)
{
    const float small = view_words_line(view);
    return words->line > 0                ? words->line
           : view->state->prefs.presenter ? CLASS_LINE
           : words->step >= small         ? small
                                          : LINE_LEAST;
}

void view_words_of_rows(struct view *view, const struct view_words *words)
{
    const float line = lowest_row(view, words);
    struct fit fit = {.every = 1, .room = words->room};
    if (words->step < line) {
        fit.every = (size_t)ceilf(line / fmaxf(words->step, 0.01f));
    }
    fit.size = size_of_words(view, words, words->room, (float)fit.every * words->step);
    if (words->line > 0 || !view->state->prefs.presenter) {
        fit.size = fminf(fit.size, (float)fit.every * words->step / LINE);
    }
    if (view->is_figure && words->words != NULL) {
        fit = fit_lines(view, words, words->room, 0);
        note_fit(view, &fit);
    } else if (fit.every == 1) {
        const float in_halves = size_in_halves(view, words, fit.size, words->room);
        fit.halves = in_halves > 0;
        fit.size = fit.halves ? in_halves : fit.size;
    }
    const struct view_viewport viewport = reach_of(words);
    for (size_t i = viewport.first; i < viewport.first + viewport.count; i++) {
        if (is_shown(words, i, fit.every)) {
            const float middle = words->from + ((float)(i - viewport.first) + 0.5f) * words->step;
            const float away = move_away(view, words, &fit, i, middle);
            draw_word(view, words, i, &fit, words->at - away, middle + fit.size * 0.36f);
        }
    }
}

static const float SHORT_WORD = 30; /* the beginning of a word and an ellipsis */

/* Width that a column's word or number needs to be read: words may be cut before every second one
 * is left out. */
static float least_width(const struct view *view, const struct view_words *words)
{
    if (words->words != NULL) {
        const float widest = view_words_width(view, words->words, words->count, 64);
        return fminf(fmaxf(widest * smallest(view) / largest(view), 24), SHORT_WORD);
    }
    char last[24];
    snprintf(last, sizeof last, "%zu", words->count);
    return canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, last) + 6;
}

/* Words that are too long for their columns stand in two lines by turns, before one is cut. */
static bool needs_turns(const struct view *view, const struct view_words *words)
{
    if (words->words == NULL || words->count < 2) {
        return false;
    }
    return longest(view, words) * one_line(view) > words->step - 4;
}

/* How far the first word of a line and the last may reach beyond the middle of their column. */
static float edge_side(const struct view_words *words)
{
    return words->step / 2 + (words->tight ? TIGHT : BEYOND);
}

/* Letters of two lines by turns, whose first word and last have less room than those between. */
static float size_in_two(const struct view *view, const struct view_words *words, size_t every,
                         float room)
{
    const struct view_viewport viewport = reach_of(words);
    const size_t edges[] = {viewport.first, viewport.first + viewport.count - 1};
    const float at_edge = fminf(room, edge_side(words) + (float)every * words->step);
    float fits = room / fmaxf(longest(view, words), 0.01f);
    for (size_t e = 0; words->words != NULL && viewport.count > 0 && e < 2; e++) {
        const float wide = view_words_width(view, words->words + edges[e], 1, 1e4f) / largest(view);
        fits = fminf(fits, at_edge / fmaxf(wide, 0.01f));
    }
    return fminf(one_line(view), fmaxf(least(view), fits));
}

static struct fit fit_level(const struct view *view, const struct view_words *words, bool turns)
{
    const float narrow = least_width(view, words), step = words->step * (turns ? 2 : 1);
    const size_t every = step >= narrow ? 1 : (size_t)ceilf((narrow + 6) / fmaxf(step, 0.01f));
    const float room = fmaxf((float)every * step - 4, narrow - 2);
    const float size =
        turns ? size_in_two(view, words, every, room) : size_of_words(view, words, room, 1e4f);
    return (struct fit){size, 0, every, room, false, false};
}

/* The longest that a word may be: of two lines by turns the first and the last have less room. */
static float room_at(const struct view_words *words, const struct fit *fit, bool edge)
{
    return edge ? fminf(fit->room, edge_side(words) + (float)fit->every * words->step) : fit->room;
}

/* Of two lines by turns, the first word of a line and the last may not reach far beyond the cells
 * (edge −1, 1; 0: it is inside): they move inward, over their neighbour. Sets their room. */
static float move_inward(const struct view *view, const struct view_words *words, size_t index,
                         int edge, struct fit *fit, float room)
{
    const float side = edge_side(words);
    fit->room = room;
    const float most = room_at(words, fit, edge != 0);
    const float wide =
        canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, fit->size, word_at(view, words, index));
    fit->room = most;
    return edge == 0 ? 0 : -(float)edge * fmaxf(0, fminf(wide, most) / 2 - side);
}

/* Upright or aslant, or in one line or two. */
static struct fit fit_above(const struct view *view, const struct view_words *words, bool *turns)
{
    const bool turned = may_turn(view, words);
    *turns = !turned && needs_turns(view, words);
    return turned ? fit_columns(view, words) : fit_level(view, words, *turns);
}

bool view_words_whole(const struct view *view, const struct view_words *words)
{
    bool turns = false, whole = true;
    const struct fit fit = fit_above(view, words, &turns);
    const struct view_viewport viewport = reach_of(words);
    for (size_t i = viewport.first; whole && i < viewport.first + viewport.count; i++) {
        const bool edge =
            turns && (i == viewport.first || i + 1 == viewport.first + viewport.count);
        whole = !is_shown(words, i, fit.every) ||
                canvas_measure(view->ui->canvas, face_of(words, true), fit.size,
                               word_at(view, words, i)) <= room_at(words, &fit, edge) + 0.01f;
    }
    return whole;
}

void view_words_of_columns(struct view *view, const struct view_words *words)
{
    bool turns = false;
    struct fit fit = fit_above(view, words, &turns);
    const float aside = fit.turn == 90 ? fit.size * 0.36f : fit.turn == 45 ? fit.size * 0.2f : 0;
    const float room = fit.room;
    if (view->is_figure && words->words != NULL) {
        note_fit(view, &fit);
    }
    const struct view_viewport viewport = reach_of(words);
    for (size_t i = viewport.first; i < viewport.first + viewport.count; i++) {
        if (is_shown(words, i, fit.every)) {
            const float middle = words->from + ((float)(i - viewport.first) + 0.5f) * words->step;
            const float up = turns ? (i / fit.every % 2 == 0 ? TURN_LOW : TURN_HIGH) : 0;
            const int edge = i == viewport.first ? -1 : i + 1 == viewport.first + viewport.count;
            const float inward = turns ? move_inward(view, words, i, edge, &fit, room) : 0;
            const float away = move_away(view, words, &fit, i, middle);
            draw_word(view, words, i, &fit, middle + aside + inward, words->at + up - away);
        }
    }
}

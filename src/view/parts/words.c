/* The words beside rows and above columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/parts/matrix.h"

static const float CLASS = 14.4f, CLASS_LEAST = 9; /* letters before a class */
static const float BEYOND = 12,
                   TIGHT = 4; /* how far the first and the last may reach beyond their cells */
static const float TURN_LOW = 4, TURN_HIGH = -7.5f; /* of two lines, from where one would be */

/* Letters of words: as large as they become, and the smallest before one is cut or left out. */
static float largest(const struct view *view)
{
    return view->state->presenter ? CLASS : UI_TEXT_BODY;
}

static float smallest(const struct view *view)
{
    return view->state->presenter ? CLASS_LEAST : UI_TEXT_TINY;
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
    return chosen ? words->colour : view->ui->theme->muted;
}

static void draw_word(struct view *view, const struct view_words *words, size_t index, float x,
                      float y, float size, float room)
{
    const bool kept = words->baseline != NULL && lab_places_has(words->baseline, index);
    const bool chosen = kept || (words->chosen >= 0 && (size_t)words->chosen == index);
    const char *word = word_at(view, words, index);
    const enum font_face face = words->words == NULL ? FONT_NUMBERS
                                : chosen             ? FONT_WORDS_BOLD
                                                     : FONT_WORDS;
    if (canvas_text_cut(view->ui->canvas, x, y, face, size, word_colour(view, words, chosen),
                        words->anchor, word, room)) {
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
    if (view->state->presenter) {
        const float widest = view_words_width(view, words->words, words->count, 1e4f);
        const float fits = fminf(most * room / fmaxf(widest, 1), high * 0.8f);
        return fmaxf(smallest(view), fminf(most, fits));
    }
    const float widest = view_words_width(view, words->words, words->count, room + 1);
    return widest <= room ? most : smallest(view);
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

void view_words_of_rows(struct view *view, const struct view_words *words)
{
    const float line = view->state->presenter ? CLASS_LEAST + 0.5f : 15;
    const size_t every = words->step >= line ? 1 : (size_t)ceilf(line / fmaxf(words->step, 0.01f));
    const float size = size_of_words(view, words, words->room, (float)every * words->step);
    const struct view_viewport reach = reach_of(words);
    for (size_t i = reach.first; i < reach.first + reach.count; i++) {
        if (is_shown(words, i, every)) {
            const float middle = words->from + ((float)(i - reach.first) + 0.5f) * words->step;
            draw_word(view, words, i, words->at, middle + size * 0.36f, size, words->room);
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
    const float widest = view_words_width(view, words->words, words->count, 1e4f);
    return widest * smallest(view) / largest(view) > words->step - 4;
}

void view_words_of_columns(struct view *view, const struct view_words *words)
{
    const bool turns = needs_turns(view, words);
    const float least = least_width(view, words), step = words->step * (turns ? 2 : 1);
    const size_t every = step >= least ? 1 : (size_t)ceilf((least + 6) / fmaxf(step, 0.01f));
    const float room = fmaxf((float)every * step - 4, least - 2);
    const float size = turns ? smallest(view) : size_of_words(view, words, room, 1e4f);
    const struct view_viewport reach = reach_of(words);
    for (size_t i = reach.first; i < reach.first + reach.count; i++) {
        if (is_shown(words, i, every)) {
            const float middle = words->from + ((float)(i - reach.first) + 0.5f) * words->step;
            const float up = turns ? (i / every % 2 == 0 ? TURN_LOW : TURN_HIGH) : 0;
            const bool at_edge = i == reach.first || i + 1 == reach.first + reach.count;
            const float most = turns && at_edge
                                   ? fminf(room, words->step + 2 * (words->tight ? TIGHT : BEYOND))
                                   : room;
            draw_word(view, words, i, middle, words->at + up, size, most);
        }
    }
}

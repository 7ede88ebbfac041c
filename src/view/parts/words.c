/* The words beside rows and above columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/parts/matrix.h"

float view_words_width(const struct view *view, const char *const *words, size_t count, float most)
{
    float widest = 0;
    for (size_t i = 0; words != NULL && i < count && widest < most; i++) {
        widest = fmaxf(widest,
                       canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, words[i]));
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

/* One size for all words of a line: small where one of them would be cut otherwise. */
static float size_of_words(const struct view *view, const struct view_words *words, float room)
{
    if (words->words == NULL) {
        return UI_TEXT_TINY;
    }
    const float widest = view_words_width(view, words->words, words->count, room + 1);
    return widest <= room ? UI_TEXT_BODY : UI_TEXT_TINY;
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
    const float line = 15;
    const size_t every = words->step >= line ? 1 : (size_t)ceilf(line / fmaxf(words->step, 0.01f));
    const float size = size_of_words(view, words, words->room);
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
        return fminf(fmaxf(widest * UI_TEXT_TINY / UI_TEXT_BODY, 24), SHORT_WORD);
    }
    char last[24];
    snprintf(last, sizeof last, "%zu", words->count);
    return canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, last) + 6;
}

void view_words_of_columns(struct view *view, const struct view_words *words)
{
    const float least = least_width(view, words);
    const size_t every =
        words->step >= least ? 1 : (size_t)ceilf((least + 6) / fmaxf(words->step, 0.01f));
    const float room = fmaxf((float)every * words->step - 4, least - 2);
    const float size = size_of_words(view, words, room);
    const struct view_viewport reach = reach_of(words);
    for (size_t i = reach.first; i < reach.first + reach.count; i++) {
        if (is_shown(words, i, every)) {
            const float middle = words->from + ((float)(i - reach.first) + 0.5f) * words->step;
            draw_word(view, words, i, middle, words->at, size, room);
        }
    }
}

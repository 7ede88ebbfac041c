/* What is written at points: one label for every word that can be seen. */
#include <math.h>
#include <string.h>

#include "view/space/space.h"

enum {
    MANY = 24,      /* from here on only some labels lead far, and letters are smaller */
    NOTES_MOST = 16 /* more labels than these show a number only where it is asked for */
};

/* Closer than this share of the ball is the same place. */
static const float SAME_PLACE = 1e-4f;

static bool has_words(const struct space_point *point)
{
    return !point->quiet && point->fade >= 0.2f && (point->word != NULL || point->note != NULL);
}

static bool same_place(const struct space *space, const float a[3], const float b[3])
{
    const float most = SAME_PLACE * space->ball.radius;
    return fabsf(a[0] - b[0]) <= most && fabsf(a[1] - b[1]) <= most && fabsf(a[2] - b[2]) <= most;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Which of two equal words speaks: the chosen one, else the first. Its number holds for all or,
 * when theirs differ, stands for the chosen one alone. */
static void join(struct space_point *speaker, struct space_point *other)
{
    if (!same_text(speaker->note, other->note) && !speaker->chosen) {
        speaker->note = other->chosen ? other->note : NULL;
    }
    speaker->chosen = speaker->chosen || other->chosen;
    speaker->equals += 1 + other->equals;
    other->quiet = true;
}

/* Equal words at one place become one label. */
static void join_equals(struct space *space)
{
    for (size_t i = 0; i < space->points; i++) {
        struct space_point *point = &space->point[i];
        if (!has_words(point) || point->word == NULL || point->boxed) {
            continue;
        }
        for (size_t j = i + 1; j < space->points; j++) {
            struct space_point *other = &space->point[j];
            if (has_words(other) && !other->boxed && other->parts == point->parts &&
                same_place(space, point->at, other->at) && same_text(point->word, other->word)) {
                join(point, other);
            }
        }
    }
}

bool space_sees(const struct space *space, float x, float y, float reach)
{
    const struct rect area = space->area;
    return x + reach > area.x && x - reach < area.x + area.w && y + reach > area.y &&
           y - reach < area.y + area.h;
}

static bool in_sight(const struct space *space, const struct space_point *point)
{
    return space_sees(space, point->spot.x, point->spot.y, 0.5f * point->radius);
}

bool space_sees_any(const struct space *space)
{
    for (size_t i = 0; i < space->points; i++) {
        if (space->point[i].parts != 0 && in_sight(space, &space->point[i])) {
            return true;
        }
    }
    return space->points == 0;
}

static const char *word_of(const struct space *space, const struct space_point *point)
{
    return point->equals == 0
               ? point->word
               : arena_format(space->view->arena, "%s ×%zu", point->word, point->equals + 1);
}

static void label_point(struct space *space, size_t index, size_t words)
{
    const struct space_point *point = &space->point[index];
    const bool coloured = point->boxed || point->lettered;
    const bool special = coloured || point->chosen;
    const bool few = words <= MANY || special;
    space_add_label(space, &(struct space_label){
                               .word = word_of(space, point),
                               .note = words <= NOTES_MOST || special ? point->note : NULL,
                               .name = "label in space",
                               .colour = coloured ? point->colour : space->view->ui->theme->ink,
                               .face = few ? FONT_WORDS_BOLD : FONT_WORDS,
                               .size = few ? UI_TEXT_BODY : UI_TEXT_TINY,
                               .x = point->spot.x,
                               .y = point->spot.y,
                               .radius = point->clear,
                               .must = few,
                               .boxed = point->boxed,
                               .coloured = coloured,
                               .rank = point->boxed ? 0
                                       : special    ? 1
                                                    : 4 - point->spot.near,
                               .point = index,
                           });
}

void space_label_points(struct space *space)
{
    size_t words = 0;
    join_equals(space);
    for (size_t i = 0; i < space->points; i++) {
        words += has_words(&space->point[i]) && space->point[i].word != NULL;
    }
    for (size_t i = 0; i < space->points; i++) {
        if (has_words(&space->point[i]) && in_sight(space, &space->point[i])) {
            label_point(space, i, words);
        }
    }
}

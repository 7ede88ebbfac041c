/* Letters become smaller until everything fits. */
#include "app/draw/fit.h"

#include <math.h>

static const float SMALLER = 0.93f; /* from one size of letters to the next */
static const float LARGER = 1.12f;  /* from one size of paper to the next */
static const float MOST_LARGER = 8; /* times the size that was asked for */
static const double MILLIMETRES = 25.4 / 72;

/* Ordinary letters that are so large that the smallest are as large as may be. */
static float least_letters(void)
{
    return APP_LEAST_LETTERS * UI_TEXT_BODY / UI_TEXT_TINY;
}

enum { NAMES_HOPELESS = 2 }; /* one name of more is shown: smaller letters do not bring them all */

/* What is wanted of a picture, the most first: every name and number, every name, what must be. */
enum want { WANT_NUMBERS, WANT_NAMES, WANT_LEAST };

static bool fits(struct app_frame *frame, const struct app_scene *scene,
                 const struct view_picture *picture, const struct app_frame_paper *paper,
                 struct app_frame_room *room)
{
    const float least = fminf(APP_LEAST_LETTERS, paper->letters * UI_TEXT_TINY / UI_TEXT_BODY);
    *room = app_frame_picture(frame, scene, picture, paper);
    return !room->crowded && !room->numbers_lack && canvas_is_whole(app_frame_canvas(frame), least);
}

static bool has_all(const struct app_frame_room *room, enum want want)
{
    return want == WANT_LEAST ||
           (room->names_every == 1 && (want == WANT_NAMES || !room->numbers_poor));
}

/* With smaller letters, where that brings what is wanted. */
static bool fits_smaller(struct app_frame *frame, const struct app_scene *scene,
                         const struct view_picture *picture, const struct app_frame_paper *paper,
                         enum want want)
{
    struct app_frame_paper tried = *paper;
    const float least = fminf(tried.letters, least_letters());
    for (;;) {
        struct app_frame_room room = {.names_every = 1};
        if (fits(frame, scene, picture, &tried, &room) && has_all(&room, want)) {
            return true;
        }
        if (tried.letters <= least ||
            (want != WANT_LEAST && room.names_every > NAMES_HOPELESS + 1)) {
            return false;
        }
        tried.letters = fmaxf(tried.letters * SMALLER, least);
    }
}

/* With every name on paper that is higher, where it may be. */
static bool fits_taller(struct app_frame *frame, const struct app_scene *scene,
                        const struct view_picture *picture, const struct app_frame_paper *paper)
{
    struct app_frame_paper tried = *paper;
    while (tried.height < paper->tallest) {
        tried.height = fminf(tried.height * LARGER, paper->tallest);
        if (fits_smaller(frame, scene, picture, &tried, WANT_NAMES)) {
            return true;
        }
    }
    return false;
}

static bool refuse(const struct app_frame_paper *paper, const struct app_frame_paper *would_do,
                   struct error *error)
{
    const double width = (double)paper->width, height = (double)paper->height;
    if (would_do == NULL) {
        return error_set(error, ERROR_USAGE,
                         "Not everything fits into %.0f × %.0f points (%.0f × %.0f mm).", width,
                         height, width * MILLIMETRES, height * MILLIMETRES);
    }
    const double wide = (double)would_do->width, high = (double)would_do->height;
    return error_set(error, ERROR_USAGE,
                     "Not everything fits into %.0f × %.0f points (%.0f × %.0f mm) with letters of "
                     "%.0f points; %.0f × %.0f points (%.0f × %.0f mm) would do.",
                     width, height, width * MILLIMETRES, height * MILLIMETRES,
                     (double)APP_LEAST_LETTERS, wide, high, ceil(wide * MILLIMETRES),
                     ceil(high * MILLIMETRES));
}

bool app_fit_picture(struct app_frame *frame, const struct app_scene *scene,
                     const struct view_picture *picture, const struct app_frame_paper *paper,
                     struct error *error)
{
    struct app_frame_paper tried = *paper;
    tried.letters = paper->letters > 0 ? paper->letters : UI_TEXT_BODY;
    for (enum want want = WANT_NUMBERS; want <= WANT_LEAST; want++) {
        if ((want == WANT_LEAST && fits_taller(frame, scene, picture, &tried)) ||
            fits_smaller(frame, scene, picture, &tried, want)) {
            return true;
        }
    }
    tried.letters = fminf(tried.letters, least_letters());
    for (float larger = LARGER; larger < MOST_LARGER; larger *= LARGER) {
        struct app_frame_room room;
        tried.width = ceilf(paper->width * larger);
        tried.height = ceilf(paper->height * larger);
        if (fits(frame, scene, picture, &tried, &room)) {
            return refuse(paper, &tried, error);
        }
    }
    return refuse(paper, NULL, error);
}

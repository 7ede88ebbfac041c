/* Letters become smaller until everything fits. */
#include "app/draw/fit.h"

#include <math.h>

static const float SMALLER = 0.93f;  /* from one size of letters to the next */
static const float LARGER = 1.12f;   /* from one size of paper to the next */
static const float MOST_LARGER = 12; /* times the size that was asked for */
static const double MILLIMETRES = 25.4 / 72;

/* Ordinary letters that are so large that the smallest are as large as may be. */
static float least_letters(void)
{
    return APP_LEAST_LETTERS * UI_TEXT_BODY / UI_TEXT_TINY;
}

static bool fits(struct app_frame *frame, const struct app_scene *scene,
                 const struct view_picture *picture, const struct app_frame_paper *paper)
{
    const float least = fminf(APP_LEAST_LETTERS, paper->letters * UI_TEXT_TINY / UI_TEXT_BODY);
    app_frame_picture(frame, scene, picture, paper);
    return canvas_is_whole(app_frame_canvas(frame), least);
}

bool app_fit_picture(struct app_frame *frame, const struct app_scene *scene,
                     const struct view_picture *picture, const struct app_frame_paper *paper,
                     struct error *error)
{
    struct app_frame_paper tried = *paper;
    tried.letters = paper->letters > 0 ? paper->letters : UI_TEXT_BODY;
    const float least = fminf(tried.letters, least_letters());
    for (;;) {
        if (fits(frame, scene, picture, &tried)) {
            return true;
        }
        if (tried.letters <= least) {
            break;
        }
        tried.letters = fmaxf(tried.letters * SMALLER, least);
    }
    for (float larger = LARGER; larger < MOST_LARGER; larger *= LARGER) {
        tried.width = ceilf(paper->width * larger);
        tried.height = ceilf(paper->height * larger);
        if (fits(frame, scene, picture, &tried)) {
            return error_set(
                error, ERROR_USAGE,
                "Not everything fits into %.0f × %.0f points (%.0f × %.0f mm) with "
                "letters of %.0f points; %.0f × %.0f points (%.0f × %.0f mm) would do.",
                (double)paper->width, (double)paper->height, (double)paper->width * MILLIMETRES,
                (double)paper->height * MILLIMETRES, (double)APP_LEAST_LETTERS, (double)tried.width,
                (double)tried.height, ceil((double)tried.width * MILLIMETRES),
                ceil((double)tried.height * MILLIMETRES));
        }
    }
    return error_set(error, ERROR_USAGE,
                     "Not everything fits into %.0f × %.0f points (%.0f × %.0f mm).",
                     (double)paper->width, (double)paper->height,
                     (double)paper->width * MILLIMETRES, (double)paper->height * MILLIMETRES);
}

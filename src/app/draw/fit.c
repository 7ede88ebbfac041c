/* Letters become smaller until everything fits. */
#include "app/draw/fit.h"

#include <math.h>

static const float SMALLER = 0.93f;  /* from one size of letters to the next */
static const float LARGER = 1.12f;   /* from one size of paper to the next */
static const float SLIDE_WIDE = 640; /* points: wider than a page */
static const float LARGER_MAX = 8;   /* times the size that was asked for */
static const double MILLIMETRES = 25.4 / 72;

/* The smallest letters that the paper may have. */
static float font_floor_of(const struct app_frame_paper *paper)
{
    return paper->font_floor > 0 ? paper->font_floor : APP_FONT_SIZE_MIN;
}

/* Ordinary letters that are so large that the smallest are as large as may be. */
static float min_font_size_of(const struct app_frame_paper *paper)
{
    return paper->min_font_size * UI_TEXT_BODY / UI_TEXT_TINY;
}

enum { NAMES_HOPELESS = 2 }; /* one name of more is shown: smaller letters do not bring them all */

static bool fits_paper(struct app_frame *frame, const struct app_scene *scene,
                       const struct view_picture *picture, const struct app_frame_paper *paper,
                       struct app_frame_room *room)
{
    const float min = fminf(paper->min_font_size, paper->font_size * UI_TEXT_TINY / UI_TEXT_BODY);
    *room = app_frame_picture(frame, scene, picture, paper);
    const struct canvas *const canvas = app_frame_canvas(frame);
    return (room->lacks & (VIEW_LACKS_ROOM | VIEW_LACKS_DECIMALS)) == 0 &&
           canvas_content(canvas).w > 0 && canvas_is_whole(canvas, min);
}

static bool has_all(const struct app_frame_room *room, enum app_want want)
{
    switch (want) {
    case APP_WANT_NUMBERS:
        return room->names_every == 1 &&
               (room->lacks & (VIEW_LACKS_ONE_LINE | VIEW_LACKS_NUMBERS)) == 0;
    case APP_WANT_RESULTS:
        return room->names_every == 1 &&
               (room->lacks & (VIEW_LACKS_ONE_LINE | VIEW_LACKS_RESULT)) == 0;
    case APP_WANT_NAMES:
        return room->names_every == 1 && (room->lacks & VIEW_LACKS_ONE_LINE) == 0;
    case APP_WANT_TURNS:
        return room->names_every == 1;
    case APP_WANT_MINIMUM:
    case APP_WANTS:
        break;
    }
    return true;
}

bool app_fit_paper(struct app_frame *frame, const struct app_scene *scene,
                   const struct view_picture *picture, const struct app_frame_paper *paper,
                   enum app_want want, struct app_frame_room *room)
{
    return fits_paper(frame, scene, picture, paper, room) && has_all(room, want);
}

/* With smaller letters, where that brings what is wanted. */
static bool fits_smaller(struct app_frame *frame, const struct app_scene *scene,
                         const struct view_picture *picture, const struct app_frame_paper *paper,
                         enum app_want want)
{
    struct app_frame_paper tried = *paper;
    const float min = fminf(tried.font_size, min_font_size_of(paper));
    for (;;) {
        struct app_frame_room room = {.names_every = 1};
        if (fits_paper(frame, scene, picture, &tried, &room) && has_all(&room, want)) {
            return true;
        }
        if (tried.font_size <= min ||
            (want != APP_WANT_MINIMUM && room.names_every > NAMES_HOPELESS + 1)) {
            return false;
        }
        tried.font_size = fmaxf(tried.font_size * SMALLER, min);
    }
}

/* On paper that is higher, where it may be. */
static bool fits_taller(struct app_frame *frame, const struct app_scene *scene,
                        const struct view_picture *picture, const struct app_frame_paper *paper,
                        enum app_want want)
{
    struct app_frame_paper tried = *paper;
    while (tried.height < paper->tallest) {
        tried.height = fminf(tried.height * LARGER, paper->tallest);
        if (fits_smaller(frame, scene, picture, &tried, want)) {
            return true;
        }
    }
    return false;
}

void app_fit_scene(struct app_frame *frame, const struct app_scene *scene,
                   const struct view_picture *picture, const struct app_frame_paper *paper)
{
    struct app_frame_paper tried = *paper;
    tried.font_size = paper->font_size > 0 ? paper->font_size : UI_TEXT_BODY;
    tried.min_font_size =
        fmaxf(font_floor_of(paper),
              paper->width >= SLIDE_WIDE ? APP_FONT_SHARE_MIN * tried.font_size : 0);
    const float min = fminf(tried.font_size, min_font_size_of(&tried));
    bool poor = (app_frame_picture(frame, scene, picture, paper).lacks & VIEW_LACKS_POINTS) != 0;
    while (poor && tried.font_size > min) {
        tried.font_size = fmaxf(tried.font_size * SMALLER, min);
        poor = (app_frame_picture(frame, scene, picture, &tried).lacks & VIEW_LACKS_POINTS) != 0;
        if (poor && tried.font_size <= min) {
            app_frame_picture(frame, scene, picture, paper); /* they did not bring them all */
        }
    }
}

static bool report_misfit(const struct app_frame_paper *paper,
                          const struct app_frame_paper *would_do, struct error *error)
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
                     (double)font_floor_of(paper), wide, high, ceil(wide * MILLIMETRES),
                     ceil(high * MILLIMETRES));
}

/* On paper that is so many times as large: *tried. */
static bool fits_on(struct app_frame *frame, const struct app_scene *scene,
                    const struct view_picture *picture, const struct app_frame_paper *paper,
                    float larger, struct app_frame_paper *tried)
{
    struct app_frame_room room;
    tried->width = ceilf(paper->width * larger);
    tried->height = ceilf(paper->height * larger);
    return fits_paper(frame, scene, picture, tried, &room);
}

/* From a size that does to the smallest that does, within a hundredth. */
static void shrink_paper(struct app_frame *frame, const struct app_scene *scene,
                         const struct view_picture *picture, const struct app_frame_paper *paper,
                         float larger, struct app_frame_paper *tried)
{
    enum { HALVES = 4 };
    float does = larger, not = larger / LARGER;
    for (int h = 0; h < HALVES; h++) {
        const float middle = (does + not ) / 2;
        if (fits_on(frame, scene, picture, paper, middle, tried)) {
            does = middle;
        } else {
            not = middle;
        }
    }
    tried->width = ceilf(paper->width * does);
    tried->height = ceilf(paper->height * does);
}

/* In this order; letters that are readable on a slide too, or the smallest that may be. Of a figure
 * whose width was asked for each is tried so that it takes all of that, then as it comes. */
static const struct {
    enum app_want want;
    bool readable;
} steps[] = {{APP_WANT_NUMBERS, true}, {APP_WANT_RESULTS, true}, {APP_WANT_NAMES, true},
             {APP_WANT_TURNS, true},   {APP_WANT_NAMES, false},  {APP_WANT_TURNS, false},
             {APP_WANT_MINIMUM, true}, {APP_WANT_MINIMUM, false}};

bool app_fit_picture(struct app_frame *frame, const struct app_scene *scene,
                     const struct view_picture *picture, const struct app_frame_paper *paper,
                     struct error *error)
{
    struct app_frame_paper tried = *paper;
    tried.font_size = paper->font_size > 0 ? paper->font_size : UI_TEXT_BODY;
    const bool is_slide = paper->width >= SLIDE_WIDE;
    const float floor = font_floor_of(paper);
    const float readable = fmaxf(floor, is_slide ? APP_FONT_SHARE_MIN * tried.font_size : 0);
    for (size_t s = 0; s < 2 * sizeof steps / sizeof *steps; s++) {
        const enum app_want want = steps[s / 2].want;
        tried.fills = s % 2 == 0;
        tried.min_font_size = steps[s / 2].readable ? readable : floor;
        const bool anew =
            (steps[s / 2].readable || readable > floor) && (paper->tallest > 0 || !tried.fills);
        const bool grows = want == APP_WANT_NAMES || want == APP_WANT_TURNS;
        if (anew && (fits_smaller(frame, scene, picture, &tried, want) ||
                     (grows && fits_taller(frame, scene, picture, &tried, want)))) {
            return true;
        }
    }
    tried.min_font_size = floor;
    tried.font_size = fminf(tried.font_size, min_font_size_of(&tried));
    for (float larger = LARGER; larger < LARGER_MAX; larger *= LARGER) {
        if (fits_on(frame, scene, picture, paper, larger, &tried)) {
            shrink_paper(frame, scene, picture, paper, larger, &tried);
            return report_misfit(paper, &tried, error);
        }
    }
    return report_misfit(paper, NULL, error);
}

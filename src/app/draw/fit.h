/* app/draw/fit.h — a picture of which everything can be seen and read: with smaller letters where
 * that is needed, or none at all. */
#ifndef APP_DRAW_FIT_H
#define APP_DRAW_FIT_H

#include "app/draw/frame.h"

/* The wishes for a picture, the greatest first: every name and number, every name and the numbers
 * of results, every name, every name though they stand at two distances by turns, the
 * indispensable. */
enum app_want {
    APP_WANT_NUMBERS,
    APP_WANT_RESULTS,
    APP_WANT_NAMES,
    APP_WANT_TURNS,
    APP_WANT_MINIMUM,
    APP_WANTS,
};

/* As app_frame_picture; says whether everything that is wanted has room on this paper. */
bool app_fit_paper(struct app_frame *frame, const struct app_scene *scene,
                   const struct view_picture *picture, const struct app_frame_paper *paper,
                   enum app_want want, struct app_frame_room *room);

/* As app_frame_picture; false and a sentence that tells the size that would do where letters of
 * APP_FONT_SIZE_MIN points do not help. */
bool app_fit_picture(struct app_frame *frame, const struct app_scene *scene,
                     const struct view_picture *picture, const struct app_frame_paper *paper,
                     struct error *error);

/* The same for points in space, each with its name: letters become smaller where that brings all of
 * few names; else they stay as they are, and the picture says how many there are. */
void app_fit_scene(struct app_frame *frame, const struct app_scene *scene,
                   const struct view_picture *picture, const struct app_frame_paper *paper);

#endif

/* app/draw/fit.h — a picture of which everything can be seen and read: with smaller letters where
 * that is needed, or none at all. */
#ifndef APP_DRAW_FIT_H
#define APP_DRAW_FIT_H

#include "app/draw/frame.h"

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

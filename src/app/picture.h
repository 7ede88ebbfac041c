/* app/picture.h — a picture of an experiment without a window: the same list, played into a PNG. */
#ifndef APP_PICTURE_H
#define APP_PICTURE_H

#include "app/state.h"
#include "base/arena.h"
#include "base/bytes.h"

struct app_picture {
    const struct app_state *state; /* experiment, stage, selection, theme, camera, colour maps */
    const char *view;              /* name in the table of pictures; NULL: "window" */
    float width, height;           /* points */
    float scale;                   /* pixels a point */
};

/* PNG bytes, owned by the arena. */
bool app_picture_png(const struct app_picture *picture, struct arena *arena, struct bytes *png,
                     struct error *error);

#endif

/* lab/lesson/view_prefs.h — what a person chose in the window beside experiment and selection, as a
 * member of a lesson's step. Nothing of it is computed with. */
#ifndef LAB_LESSON_VIEW_PREFS_H
#define LAB_LESSON_VIEW_PREFS_H

#include "lab/experiment/reading.h"

struct lab_view_prefs {
    char map[16];    /* colours of weights: "blues"; "": those there are */
    bool to_largest; /* they reach to the largest weight, not to 1 */
    bool has_axes;   /* in space: these dimensions, not components */
    size_t axes[3];
    bool nothing_selected; /* nothing stands out */
    bool all_alpha;        /* Softmax, where one row and all of α do not fit: all of α */
    float pan[2];          /* of the camera, points */
    size_t learned; /* of weights that learn: their values, gradients, or what a step changed */
    size_t behind;  /* in place of a stage what comes behind them: nothing, the block, the loss */
    bool latent;    /* Project of latent attention: how C is made */
};

/* Reads the object into *view_prefs. False: refused. */
bool lab_view_prefs_read(struct lab_reading *reading, const struct json *value,
                         struct lab_view_prefs *view_prefs);

/* Writes the object, with what was kept (lab_kept_put). */
void lab_view_prefs_put(struct json_writer *json, const struct lab_view_prefs *view_prefs,
                        const char *kept);

/* What of weights that learn is shown, as it is spelled, by its place; NULL behind the last. */
const char *lab_view_prefs_learned(size_t index);

/* What may come behind the stages, in the same way. */
const char *lab_view_prefs_behind(size_t index);

/* Names of the colours of weights, by their places; NULL behind the last. */
const char *lab_view_prefs_map(size_t index);

#endif

/* lab/lesson/view_prefs.h — what a person chose in the window apart from experiment and selection,
 * as a member of a lesson's step. No computation uses it. */
#ifndef LAB_LESSON_VIEW_PREFS_H
#define LAB_LESSON_VIEW_PREFS_H

#include "lab/experiment/reading.h"

struct lab_view_prefs {
    char map[16];        /* colours of weights: "blues"; "": the present ones */
    char signed_map[16]; /* colours of numbers of either sign: "puor"; "": the present ones */
    bool to_largest;     /* they end at the largest weight instead of 1 */
    bool has_axes;       /* the space shows these dimensions instead of components */
    size_t axes[3];
    bool nothing_selected; /* nothing stands out */
    bool all_alpha;        /* Softmax, where one row and all of α do not both fit: all of α */
    float pan[2];          /* of the camera, points */
    unsigned learned;      /* of trained weights: their values, gradients, or what a step changed */
    unsigned behind;       /* shown in place of a stage: nothing, the block, the loss */
    bool latent;           /* Project of latent attention: how C is made */
    bool why;              /* in place of the stages: why the weights say the next word */
    char word[48];         /* that one; "": the likeliest */
    char rival[48];        /* a word that they might say instead; "": the next likeliest */
    char changed[512];     /* a text with as many tokens that is compared with; "": none */
    unsigned patched;      /* which of its parts are restored in turn: 0 is none of them */
};

/* Its members in a file. */
enum { LAB_VIEW_PREFS_MEMBERS = 15 };
extern const struct lab_member lab_view_prefs_members[LAB_VIEW_PREFS_MEMBERS];

/* Returns the name of what trained weights show, by its place; NULL behind the last. */
const char *lab_view_prefs_learned(size_t index);

/* Returns the name of what is shown in place of a stage, likewise. */
const char *lab_view_prefs_behind(size_t index);

/* Returns the name of what is restored in turn, likewise. */
const char *lab_view_prefs_patched(size_t index);

/* Returns the names of the colours of weights, by their places; NULL behind the last. */
const char *lab_view_prefs_map(size_t index);

/* Returns the names of the colours of numbers of either sign, likewise. */
const char *lab_view_prefs_signed_map(size_t index);

#endif

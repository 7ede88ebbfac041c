/* lab/lesson/step_model.h — the model whose layer the experiment of a saved step is: where it lies,
 * what it has read, and how all its heads are shown. The step holds the numbers of the layer
 * itself, so it works without the model. And the folder with weights of a step of training, which
 * can be trained again. */
#ifndef LAB_LESSON_STEP_MODEL_H
#define LAB_LESSON_STEP_MODEL_H

#include <stdint.h>

#include "lab/experiment/reading.h"

enum { LAB_MODEL_PATH_MAX = 4096, LAB_MODEL_PLACES_MAX = 1 << 20 };
enum { LAB_MODEL_CHANGES_MAX = 1024, LAB_MODEL_CHANGE_LENGTH = 80 };

struct lab_step_model {
    const char *path;    /* NULL: the experiment is not of a model */
    const uint32_t *ids; /* [count] of its text; in a model of two texts, of the second */
    size_t count;
    const uint32_t *source; /* [source_count] of the first text of two */
    size_t source_count;
    bool typed;                 /* the second text was typed; otherwise the model wrote it */
    bool chat;                  /* the text is a message in its chat template */
    const bool *off;            /* [places] layer · heads + head: switched off; NULL: none */
    size_t places;              /* at most LAB_MODEL_PLACES_MAX */
    const char *const *changes; /* [change_count] what else is changed in it, as it is written:
                                   "MLP0", "L0H1:8>5" */
    size_t change_count;        /* at most LAB_MODEL_CHANGES_MAX */
    unsigned
        attention;  /* of two texts: 0 of the second to itself, 1 of the first, 2 between them */
    char order[32]; /* heads are sorted by this measure, or "kinds"; "": by layer and head */
    bool sinks_aside;
    bool folded;        /* the heads are hidden */
    double temperature; /* of the next word */
};

/* Weights that lie beside a session, so that they need not be learned again. */
struct lab_step_weights {
    const char *folder; /* of a model, as seen from the folder of the session; NULL: none */
    bool has_mark;
    uint64_t mark; /* by which the weights are known (learn/saved.h) */
};

/* The members of both in a file. */
enum { LAB_STEP_MODEL_MEMBERS = 12, LAB_STEP_WEIGHTS_MEMBERS = 2 };
extern const struct lab_member lab_step_model_members[LAB_STEP_MODEL_MEMBERS];
extern const struct lab_member lab_step_weights_members[LAB_STEP_WEIGHTS_MEMBERS];

/* The path of that folder as the program sees it, of a session in the file `path`; the arena's.
 * NULL: no memory. */
const char *lab_step_weights_path(const struct lab_step_weights *weights, const char *path,
                                  struct arena *arena);

#endif

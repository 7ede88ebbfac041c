/* lab/lesson/step_model.h — the model whose layer the experiment of a saved step is: where it lies,
 * what it has read, and how all its heads are shown. The step holds the numbers of the layer
 * itself, so it works without the model. */
#ifndef LAB_LESSON_STEP_MODEL_H
#define LAB_LESSON_STEP_MODEL_H

#include <stdint.h>

#include "lab/experiment/reading.h"

enum { LAB_MODEL_PATH_MAX = 4096, LAB_MODEL_PLACES_MAX = 1 << 20 };

struct lab_step_model {
    const char *path;    /* NULL: the experiment is not of a model */
    const uint32_t *ids; /* [count] of its text; in a model of two texts, of the second */
    size_t count;
    const uint32_t *source; /* [source_count] of the first text of two */
    size_t source_count;
    bool typed;       /* the second text was typed; otherwise the model wrote it */
    bool chat;        /* the text is a message in its chat template */
    const bool *off;  /* [places] layer · heads + head: switched off; NULL: none */
    size_t places;    /* at most LAB_MODEL_PLACES_MAX */
    size_t attention; /* of two texts: 0 of the second to itself, 1 of the first, 2 between them */
    char order[32];   /* heads are sorted by this measure, or "kinds"; "": by layer and head */
    bool sinks_aside;
    bool folded;        /* the heads are hidden */
    double temperature; /* of the next word */
};

/* Reads the object into memory of the arena. Returns false where it is refused. */
bool lab_step_model_read(struct lab_reading *reading, const struct json *value,
                         struct lab_step_model *model);

/* Writes the object, with the members that were kept (lab_unknown_json_put). */
void lab_step_model_put(struct json_writer *json, const struct lab_step_model *model,
                        const char *kept);

#endif

/* lab/lesson/step_model.h — the model whose layer the experiment of a saved step is: where it lies,
 * what it has read, and how all its heads are looked at. The step holds the layer's own numbers and
 * can do without it. */
#ifndef LAB_LESSON_STEP_MODEL_H
#define LAB_LESSON_STEP_MODEL_H

#include <stdint.h>

#include "lab/experiment/reading.h"

enum { LAB_MODEL_PATH_MAX = 4096, LAB_MODEL_PLACES_MAX = 1 << 20 };

struct lab_step_model {
    const char *path;    /* NULL: the experiment is of no model */
    const uint32_t *ids; /* [count] of its text; of a model of two texts, of the second */
    size_t count;
    const uint32_t *source; /* [source_count] of the first text of two */
    size_t source_count;
    bool typed;       /* the second text was typed; else the model wrote it */
    bool chat;        /* the text is a message in its chat template */
    const bool *off;  /* [places] layer · heads + head: switched off; NULL: none is */
    size_t places;    /* at most LAB_MODEL_PLACES_MAX */
    size_t attention; /* of two texts: 0 of the second to itself, 1 of the first, 2 between them */
    char order[32];   /* heads are sorted by this measure, or "kinds"; "": by layer and head */
    bool sinks_aside;
    bool folded;        /* the heads are out of sight */
    double temperature; /* of the next word */
};

/* Reads the object; what it needs is the arena's. False: refused. */
bool lab_step_model_read(struct lab_reading *reading, const struct json *value,
                         struct lab_step_model *model);

/* Writes the object, with what was kept (lab_kept_put). */
void lab_step_model_put(struct json_writer *json, const struct lab_step_model *model,
                        const char *kept);

#endif

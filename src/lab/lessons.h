/* lab/lessons.h — the built-in lessons: each an experiment, where it starts, and words about it.
 * Their data stand in assets/lessons. */
#ifndef LAB_LESSONS_H
#define LAB_LESSONS_H

#include "base/error.h"
#include "lab/experiment.h"
#include "lab/explain.h"
#include "lab/stage.h"

/* How many there are; name ("cats", "ten", "race"), title ("Cats, dogs and a lion") and one
 * sentence. */
size_t lab_lesson_count(void);
const char *lab_lesson_name(size_t index);
const char *lab_lesson_title(size_t index);
const char *lab_lesson_summary(size_t index);

/* By name; false: there is none. */
bool lab_lesson_find(const char *name, size_t *index);

/* The experiment (the caller releases it), stage and selection the lesson opens with. */
bool lab_lesson_open(size_t index, struct lab_experiment *experiment, enum lab_stage *stage,
                     struct lab_selection *selection, struct error *error);

#endif

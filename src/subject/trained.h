/* subject/trained.h — the kind of weights that were learned here, at a step of their training, once
 * they have read words: of a run, or of the folder that one was saved to. */
#ifndef SUBJECT_TRAINED_H
#define SUBJECT_TRAINED_H

#include "learn/experiment.h"
#include "subject/subject.h"

/* Everything in it is borrowed. */
struct subject_trained {
    struct learn_layer_view view;       /* all but its layer */
    const char *const *vocabulary;      /* the names of all tokens; NULL: layers have no block */
    const struct lab_training *learned; /* how they were learned, as experiments hold it; NULL: they
                                           do not */
};

/* Returns it as a subject, which borrows it. */
struct subject subject_of_trained(struct subject_trained *trained);

#endif

/* app/results/wants.h — what the window wants, and where it is shown. */
#ifndef APP_RESULTS_WANTS_H
#define APP_RESULTS_WANTS_H

enum want_kind {
    WANT_TRACE,        /* of an experiment (asked) */
    WANT_SNAPSHOT,     /* of a run (source), at a step of a branch */
    WANT_RUN,          /* a run of another seed (source), begun and held open */
    WANT_MOMENT,       /* what it has come to at a step */
    WANT_PASSED_HEADS, /* all heads at a step that was passed (step), at a reading */
    WANT_MEASURED,     /* its loss and what is right, of the next batch and of the test */
    WANT_BATCH,        /* the rows of that batch */
    WANT_BLAME,        /* which line taught a word (asked) behind a reading */
    WANT_WRITING,    /* the text that its weights write behind a reading; asked: how it is drawn */
    WANT_WHY,        /* why a model (source) says a word (asked) behind a reading */
    WANT_WHY_CHANGE, /* what heads that are off in the reading change of it */
    WANT_CIRCUIT,    /* what its weights do by themselves; head: 0 all heads, else 1 + which */
    WANT_PATCH,      /* what parts of its text (head: which) restore in another one (asked) */
    WANT_READING,    /* of what is to be open (source), as it is to be read */
    WANT_LAYER,      /* of what is open (source), as it was read: an experiment, with its trace */
    WANT_HEADS,      /* its layers that are not there yet, with their heads; growing */
    WANT_WEIGHED,    /* pictures of its heads by another weighing (head) than α */
    WANT_LOGITS,     /* of a text that a model has read, at a place (head) */
    WANT_NEXT,       /* the likeliest words there, at a temperature (asked) */
    WANT_AROUND      /* the block around its attention, and the stream that goes into it */
};

enum slot {
    SLOT_READING,
    SLOT_TRACE,
    SLOT_BASELINE,
    SLOT_RUN,
    SLOT_MOMENT,
    SLOT_FIRST_HEADS,
    SLOT_PASSED_HEADS,
    SLOT_MEASURED,
    SLOT_BATCH,
    SLOT_BLAME,
    SLOT_WRITING,
    SLOT_WHY,
    SLOT_WHY_CHANGE,
    SLOT_CIRCUIT,
    SLOT_PATCH,
    SLOT_HEADS,
    SLOT_WEIGHED,
    SLOT_LOGITS,
    SLOT_NEXT,
    SLOT_KEPT_LOGITS, /* of what is compared with */
    SLOT_KEPT_NEXT,
    SLOT_LAYER,       /* on its way to the stages */
    SLOT_NEXT_AROUND, /* and what is around it */
    SLOT_AROUND       /* the layer that stands there */
};

#endif

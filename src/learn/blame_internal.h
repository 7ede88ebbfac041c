/* learn/blame_internal.h — what the files of a blame share. */
#ifndef LEARN_BLAME_INTERNAL_H
#define LEARN_BLAME_INTERNAL_H

#include "base/arena.h"
#include "learn/blame.h"

struct learn_blame {
    struct learn_recipe recipe; /* as it fits the data */
    struct learn_data *cut;     /* a reference */
    struct learn_data *data;    /* a reference */
    struct lab_engine engine;
    uint64_t step;
    struct learn_network *network; /* on the calling thread alone, for a sentence at a time */
    size_t floats;
    struct arena arena;            /* of everything below */
    float *weights;                /* [floats]; valid where it is trained */
    float *checkpoints;            /* [LEARN_BLAME_CHECKPOINTS][floats] on the way */
    float *gradient[2];            /* [floats] of the word and of a line */
    float *logits;                 /* [context][vocabulary] */
    float **without;               /* [lines] of the data: [floats] owned, NULL: not repeated */
    int32_t *row[2];               /* [context] tokens and targets of a line */
    int32_t *asked_tokens;         /* [context] of the question */
    struct learn_blame_line *line; /* [question.line_count] */
    struct learn_run
        *training;           /* the run itself, up to where it was given up; NULL: not under way */
    size_t checkpoints_kept; /* of it */
    bool is_trained;
    struct learn_question question;
};

/* Fills in what the repeated lines tell: probabilities, causes, the median. (blame_verdict.c)
 * Returns false and a sentence where a network fails. */
bool learn_blame_judge(struct learn_blame *blame, struct error *error);

/* Computes the word's probability with these weights, and the likeliest word where says is not
 * NULL. */
bool learn_blame_probability(struct learn_blame *blame, const float *weights, float *probability,
                             int32_t *says, struct error *error);

#endif

/* claim_why.h — what captions say of parts of a model: what they add to a word, what is lost
 * without them. */
#ifndef LAB_CLAIM_WHY_H
#define LAB_CLAIM_WHY_H

#include "lab/lesson/lessons.h"
#include "learn/run.h"

/* The value of a code, of the weights of a run as a step has them and asks about them:
 *
 *     lead               the logit of its word − that of its rival
 *     adds:MLP1          what a part adds to that; lost:L0H2  what is lost without it
 *     path:L0H2>MLP0     what is lost where one reads the stream without the other
 *     lens%:3,34         the chance of a word behind stage 3 of the lens
 *
 * False: it names something else. */
bool claim_why_value(const struct lab_step *step, const struct learn_run *run, const char *code,
                     double *value);

#endif

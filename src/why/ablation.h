/* why/ablation.h — what is lost without a part: the model is run without it, and compared. Many
 * parts in turn share what is computed before them. */
#ifndef WHY_ABLATION_H
#define WHY_ABLATION_H

#include "why/attribution.h"

/* The next word behind one word of the text, and how well the model knows the text's own words. */
struct why_state {
    double logit;       /* of the word, or word − rival */
    double word, rival; /* the logits of both; without a rival its own is 0 */
    double probability; /* of the word */
    double kl;          /* KL(before ‖ after) of the next words, in nats; 0 before */
    double loss; /* mean −log p of the text's own next words; NaN: not asked for, or a model
                    whose words see those behind them */
};

struct why_ablation {
    const struct model_run *run;
    const struct model *model;
    struct why_question question;
    bool wants_loss; /* needs the next words of all words of the text */
    /* Called before each of so many steps; false: give up. NULL: nobody listens. */
    bool (*on_progress)(void *owner, size_t done, size_t all);
    void *owner;
};

/* Computes what the run says, and what each variant of it says, which has interventions beside the
 * run's own: without [count]. False: a place that the text does not have, no memory, or
 * (ERROR_NONE) the listener gave up. From any thread. */
bool why_ablate(const struct why_ablation *ablation, const struct model_interventions *variants,
                size_t count, struct why_state *before, struct why_state *without,
                struct error *error);

#endif

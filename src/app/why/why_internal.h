/* app/why/why_internal.h — what the computations behind the view are asked for. */
#ifndef APP_WHY_WHY_INTERNAL_H
#define APP_WHY_WHY_INTERNAL_H

#include "app/results/results.h"
#include "app/why/why.h"
#include "model/model.h"
#include "view/parts/why.h"
#include "why/attribution.h"

/* The content of a want: immutable. */
struct why_asked {
    struct value value;
    struct model *model; /* held */
    struct lab_engine engine;
    uint32_t *ids, *source; /* [count], [source_count] owned; source NULL: there is one text */
    size_t count, source_count;
    bool has_word;                  /* else the likeliest is meant */
    bool has_rival, is_rival_given; /* a rival is meant: the given one, else the second likeliest */
    struct why_question question;   /* its position, and what of its words is given */
    struct model_intervention *off; /* [off_count] owned */
    size_t off_count;
};

/* The run of its text without interventions, as many layers as the slice has time for. *run is
 * NULL before the first. SLICE_DONE: all layers are there. */
enum slice_end why_go_on(struct slice *slice, const struct why_asked *asked,
                         struct model_run **run);

/* The question with the words that are meant. False and a sentence: memory. */
bool why_complete_question(const struct why_asked *asked, const struct model_run *run,
                           struct why_question *question, struct error *error);

/* The likeliest ids of logits, the first `count` of them into best [count]. */
void why_find_best(const float *logits, size_t vocabulary, uint32_t *best, size_t count);

/* log Σ exp. */
double why_log_sum(const float *logits, size_t vocabulary);

/* Values of WANT_WHY and WANT_WHY_CHANGE. */
struct why_answered {
    struct value value;
    struct arena arena;
    struct view_why_answer shown;
};
struct why_changed {
    struct value value;
    struct arena arena;
    struct view_why_change shown;
};
extern const struct result_kind why_answer_kind, why_change_kind;

#endif

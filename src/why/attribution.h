/* why/attribution.h — direct attribution: the logit of a next word, or its difference to a rival's,
 * as a sum of what each part of the model added to the residual stream, the last norm's root
 * frozen. It is what a part adds directly, not what is lost without it (why/ablation.h). */
#ifndef WHY_ATTRIBUTION_H
#define WHY_ATTRIBUTION_H

#include "model/model.h"

enum why_part_kind {
    WHY_EMBEDDING,
    WHY_POSITION,
    WHY_SENTENCE, /* which of two sentences */
    WHY_HEAD,
    WHY_ATTENTION_BIAS,
    WHY_CROSS,   /* the attention to the first of two texts */
    WHY_MLP,     /* or experts, where they are normed together */
    WHY_EXPERT,  /* one of them, "MLP 0E3", or the shared one, "MLP 0 shared" */
    WHY_BY_HAND, /* what an intervention put into the stream */
    WHY_NORM_BIAS,
    WHY_OUTPUT_BIAS,
};

struct why_part {
    const char *name; /* "embedding", "L0H3", "attention bias 0", "MLP 0" */
    enum why_part_kind kind;
    size_t layer, head;
    double value;
};

/* Whose logit is split, and where. */
struct why_question {
    size_t position; /* the word of the text behind which it would stand, from 0 */
    uint32_t word, rival;
    bool has_rival; /* the logit of word − that of rival is split */
};

struct why_attribution {
    struct arena arena; /* of all below */
    size_t layers, heads, n;
    double logit;                /* or the difference, before the cap where the model has one */
    double word, rival;          /* the logits of both; without a rival its own is 0 */
    double remainder;            /* logit − the sum of all parts: what float32 loses */
    const struct why_part *part; /* [parts] in the order in which they were added */
    size_t parts;
    const double *of_heads; /* [layers][heads] */
    const double *of_words; /* [layers][heads][n] each head's over the words that it looks at; 0 for
                               a head whose Z is replaced */
};

/* Splits it. The run has all its layers. False and a sentence: the stream is no sum, or memory. The
 * caller frees what was made. From any thread. */
bool why_attribute(const struct model_run *run, const struct model *model,
                   const struct why_question *question, struct why_attribution *out,
                   struct error *error);
void why_attribution_free(struct why_attribution *attribution);

#endif

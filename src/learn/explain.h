/* learn/explain.h — explains one gradient by the chain rule with its real operands, and one step of
 * one weight, as formulas like those of lab/explain. */
#ifndef LEARN_EXPLAIN_H
#define LEARN_EXPLAIN_H

#include "lab/explain/explain.h"
#include "learn/experiment.h"
#include "learn/optimiser.h"

/* Explains dL/d of a cell of a part of view->layer (LEARN_RESIDUAL: of the input of the layer;
 * layer = layers: of the output of the last). Cells outside are clamped. max_terms is as in
 * lab_explain. Pieces have no cells of a trace. The arena owns everything. */
struct lab_explanation learn_explain_gradient(const struct learn_layer_view *view,
                                              enum learn_part part, size_t head, size_t row,
                                              size_t column, size_t max_terms, struct arena *arena);

/* Explains dL/dw of a weight for this sentence alone: a sum over its positions. tensor: its number
 * in learn_tensors. view->layer is ignored. */
struct lab_explanation learn_explain_weight(const struct learn_layer_view *view, size_t tensor,
                                            size_t row, size_t column, size_t max_terms,
                                            struct arena *arena);

/* Explains the loss of a position, −log p of the right word (whose name is given), from its
 * logits. */
struct lab_explanation learn_explain_loss(const struct learn_activations *sentence, size_t position,
                                          const char *right, struct arena *arena);

/* Explains the logit of a word after a position, and its share of all words. weights: those the
 * sentence was computed with; id: the word, named `word`. */
struct lab_explanation learn_explain_logit(const struct learn_layer_view *view, size_t position,
                                           size_t id, const char *word, size_t max_terms,
                                           struct arena *arena);
struct lab_explanation learn_explain_share(const struct learn_activations *sentence,
                                           size_t position, size_t id, const char *word,
                                           struct arena *arena);

/* The effect of a step on one weight. */
struct learn_weight_step {
    const struct learn_optimiser *optimiser;
    uint64_t step;  /* its number, from 0 */
    bool decays;    /* learn_tensor.decays */
    bool frozen;    /* it is not trained */
    float scale;    /* learn_step.scale: less than 1 where the gradient was clipped */
    float before;   /* the weight */
    float gradient; /* dL/dw of the batch */
    float m_before, v_before, m, v; /* the optimiser's averages; in SGD m is the velocity */
    float after;                    /* the weight after the step */
    float now;                      /* the weight as it stands; another number where it was then
                                       set by hand */
    const char *name;               /* "W_Q[3, 5] of L0H0" */
};

/* Explains a step: "0.1032 − 0.005 · (0.0120 ÷ (0.0150 + ε) + 0.01 · 0.1032) = 0.0991", with
 * gradient, m̂ and v̂ as the detail. */
struct lab_explanation learn_explain_step(const struct learn_weight_step *of, struct arena *arena);

/* Explains the change of a number from one step to another: "0.122 − 0.115 = 0.007". */
struct lab_explanation learn_explain_change(const char *name, uint64_t from, uint64_t to, float was,
                                            float is, struct arena *arena);

#endif

/* lab/run/latent.h — the absorbed form of latent attention: W_Q·W_UKᵀ is one matrix, so that scores
 * are taken of the latent rows themselves and keys are never rebuilt (DeepSeek-V2, 2024). */
#ifndef LAB_RUN_LATENT_H
#define LAB_RUN_LATENT_H

#include "lab/run/trace.h"

struct lab_absorbed {
    struct lab_matrix weights; /* W_Q·W_UKᵀ  d_model × R */
    struct lab_matrix queries; /* X·W_Q·W_UKᵀ  n × R */
    struct lab_matrix scores;  /* queries · Cᵀ  n × m: equal to S except for rounding */
    float difference;          /* largest |scores − S of the trace| */
};

/* Computes one head. The arena owns everything. Returns false and a sentence where there is no
 * latent attention, rotary positions stand between W_Q and W_UKᵀ, numbers were typed over Q, K or
 * S, or memory is lacking. */
bool lab_latent_absorb(const struct lab_trace *trace, size_t head, struct arena *arena,
                       struct lab_absorbed *absorbed, struct error *error);

#endif

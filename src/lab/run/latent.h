/* lab/run/latent.h — the absorbed form of latent attention: W_Q·W_UKᵀ is one matrix, so that
 * queries meet the latent rows themselves and keys are never rebuilt (DeepSeek-V2, 2024). */
#ifndef LAB_RUN_LATENT_H
#define LAB_RUN_LATENT_H

#include "lab/run/trace.h"

struct lab_absorbed {
    struct lab_matrix weights; /* W_Q·W_UKᵀ  d_model × R */
    struct lab_matrix queries; /* X·W_Q·W_UKᵀ  n × R */
    struct lab_matrix scores;  /* queries · Cᵀ  n × m: the same as S, but for rounding */
    float difference;          /* largest |scores − S of the trace| */
};

/* One head. Everything is owned by the arena. False and a sentence: no latent attention, a turn by
 * place between W_Q and W_UKᵀ, numbers typed over Q, K or S, or no memory. */
bool lab_latent_absorb(const struct lab_trace *trace, size_t head, struct arena *arena,
                       struct lab_absorbed *absorbed, struct error *error);

#endif

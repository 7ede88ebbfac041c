/* lab/run/cache.h — decoding with a cache: for each new token one row is computed, while keys and
 * values (or latent rows) of all earlier tokens are kept. */
#ifndef LAB_RUN_CACHE_H
#define LAB_RUN_CACHE_H

#include "lab/experiment/kind.h"
#include "lab/experiment/mask.h"
#include "lab/run/trace.h"

/* The cost of adding one token. Multiplications are counted over all heads. */
struct lab_cache_step {
    size_t tokens;       /* so many, including the new one */
    size_t seen;         /* keys that the new token sees */
    size_t with_cache;   /* multiplications: one row; latent in its absorbed form */
    size_t without;      /* all rows and pairs computed again */
    size_t rebuilding;   /* latent: with a cache, but keys and values are rebuilt; else
                            with_cache */
    size_t cache_bytes;  /* of the cache afterwards, float32 */
    size_t bytes_added;  /* by this token */
    size_t scores_bytes; /* of one head's row of scores, with a cache; without one it is `tokens`
                            times as large */
};

/* Counts the cost of a step; n and m of the graph are ignored. mask NULL: causal. tokens: at least
 * 1. */
struct lab_cache_step lab_cache_step(const struct lab_graph *graph,
                                     const struct lab_mask_rule *mask, size_t tokens);

/* Decodes the words of a trace one by one from a cache that grows, for all heads, and returns the
 * largest difference to Z of the trace, which had all words at once. Latent attention without
 * rotary positions is decoded from the latent rows alone. Returns false and a sentence for a mask
 * that lets a query see later words, other words as keys, weights that are no softmax, numbers
 * typed by hand, or lack of memory. */
bool lab_cache_replay(const struct lab_trace *trace, float *difference, struct error *error);

#endif

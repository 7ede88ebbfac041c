/* lab/run/cache.h — decoding with a cache: a token is added, one row is computed, and keys and
 * values (or latent rows) of all tokens before stay. */
#ifndef LAB_RUN_CACHE_H
#define LAB_RUN_CACHE_H

#include "lab/experiment/kind.h"
#include "lab/experiment/mask.h"
#include "lab/run/trace.h"

/* What adding one token costs. Multiplications are counted, all heads together. */
struct lab_cache_step {
    size_t tokens;       /* there are, with the new one */
    size_t seen;         /* keys that the new one sees */
    size_t with_cache;   /* multiplications: one row; latent in its absorbed form */
    size_t without;      /* all rows and pairs once more */
    size_t rebuilding;   /* latent: with a cache, but keys and values rebuilt; else with_cache */
    size_t cache_bytes;  /* of the cache afterwards, float32 */
    size_t bytes_added;  /* by this token */
    size_t scores_bytes; /* of one head's row of scores, with; without: tokens times as many */
};

/* graph: n and m are not read. mask NULL: causal. tokens: at least 1. */
struct lab_cache_step lab_cache_step(const struct lab_graph *graph,
                                     const struct lab_mask_rule *mask, size_t tokens);

/* Decodes the words of a trace one by one from a cache that grows, all heads, and gives the largest
 * difference to Z of the trace, which had all words at once. Latent attention without rotary
 * positions is decoded from the latent rows alone. False and a sentence: a mask that lets a query
 * see what comes later, other words as keys, weights that are no softmax, numbers typed by hand,
 * or no memory. */
bool lab_cache_replay(const struct lab_trace *trace, float *difference, struct error *error);

#endif

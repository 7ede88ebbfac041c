/* attn/attn.h — attention on the CPU: projections, scores, scale and mask, softmax, weighted sums.
 *
 *     X [n][d] ──W──► Q [h][n][d_k]   K [g][m][d_k]   V [g][m][d_v]
 *                        └─ Q·Kᵀ·s + mask ─► A [h][n][m] ─ softmax ─► A ─ ·V ─► Z [h][n][d_v]
 *                                                         concat(Z) [n][h·d_v] ─W_O─► O [n][d]
 *
 * All numbers are float32. No allocation, no printing, no global state but the constant table of
 * kernels: memory is the caller's. The letters: n queries, m keys, d = d_model, h heads, g heads of
 * keys and values (g = h, or fewer that are shared). Matrices are row-major with a stride counted
 * in floats.
 *
 *     const struct attn_kernels *kernels = attn_kernels_choose(getenv("ATTN_ISA"));
 *     struct attn_operand x = {words, n, d, d}, w = {weights, d, d_k, d_k};
 *     struct attn_operand q = {queries, n, d_k, d_k}, k = {keys, m, d_k, d_k};
 *     struct attn_operand a = {shares, n, m, m}, v = {values, m, d_v, d_v};
 *     struct attn_matrix made = {queries, n, d_k, d_k}, z = {out, n, d_v, d_v};
 *     struct attn_matrix s = {shares, n, m, m};
 *     attn_project(kernels, x, w, made);
 *     attn_scores(kernels, q, k, s);
 *     attn_scale_mask(kernels, s, 1 / sqrtf((float)d_k), (struct attn_mask){.visible = NULL});
 *     attn_softmax(kernels, s);
 *     attn_blend(kernels, a, v, z); */
#ifndef ATTN_ATTN_H
#define ATTN_ATTN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ATTN_HEADS_MAX = 256, ATTN_THREADS_MAX = 64 };

/* A set of kernels for one instruction set: ref, sse2, avx2, avx512 or neon. All give the same
 * bits; kernels_ref.c says which. */
struct attn_kernels;

/* Returns the best set this processor can run, or with name ("ref" or "avx2", say) that very set.
 * NULL when there is no such set in this build or the processor cannot run it. NULL or "" as name:
 * the best. */
const struct attn_kernels *attn_kernels_choose(const char *name);

/* Returns the set at an index of those this processor can run, best first, ref last; NULL behind
 * the last. */
const struct attn_kernels *attn_kernels_at(size_t index);

/* "ref", "sse2", "avx2", "avx512", "neon": what attn_kernels_choose takes. */
const char *attn_kernels_name(const struct attn_kernels *kernels);

/* As people write it: "plain C", "SSE2", "AVX2", "AVX-512", "NEON". */
const char *attn_kernels_title(const struct attn_kernels *kernels);

/* rows × cols floats, row i at values + i·stride, stride ≥ cols; owned by whoever made it. */
struct attn_matrix {
    float *values;
    size_t rows, cols, stride;
};

/* The same, to read only. */
struct attn_operand {
    const float *values;
    size_t rows, cols, stride;
};

/* Which keys a query may see: row i at visible + i·stride, one byte per key, 0 = hidden.
 * visible == NULL: every query sees every key. */
struct attn_mask {
    const uint8_t *visible;
    size_t stride;
};

/* out [n][k] = x [n][d] · w [d][k], no bias. out must not overlap x or w. Shapes must agree
 * (asserted). */
void attn_project(const struct attn_kernels *kernels, struct attn_operand x, struct attn_operand w,
                  struct attn_matrix out);

/* s [n][m] = q [n][d_k] · k [m][d_k]ᵀ: unscaled scores. */
void attn_scores(const struct attn_kernels *kernels, struct attn_operand q, struct attn_operand k,
                 struct attn_matrix s);

/* Computes only the pairs that the mask shows; at the others s stays as it is. Every score is the
 * same, to the bit. Returns how many pairs were computed: those that are seen, and in matrices of
 * more than 4096 pairs all of each block of 32 × 64 in which one is seen. */
size_t attn_scores_seen(const struct attn_kernels *kernels, struct attn_operand q,
                        struct attn_operand k, struct attn_mask mask, struct attn_matrix s);

/* s = s · factor, and −∞ where the mask hides. In place. */
void attn_scale_mask(const struct attn_kernels *kernels, struct attn_matrix s, float factor,
                     struct attn_mask mask);

/* Turns each row into shares that sum to 1, the row's maximum subtracted first. In place. Entries
 * of −∞, and those 87.33 and more below the largest, become 0; a row of nothing but −∞ becomes all
 * 0. Returns how many such empty rows there were. */
size_t attn_softmax(const struct attn_kernels *kernels, struct attn_matrix s);

/* z [n][d_v] = a [n][m] · v [m][d_v]. A key whose weight is 0 takes no part, even if its value is
 * no number. */
void attn_blend(const struct attn_kernels *kernels, struct attn_operand a, struct attn_operand v,
                struct attn_matrix z);

/* Intermediate values that an attention keeps. */
enum attn_keep {
    ATTN_KEEP_ALL,     /* scores, weights and Z of every head */
    ATTN_KEEP_WEIGHTS, /* weights and concat */
    ATTN_KEEP_OUTPUT   /* concat: no matrix of n × m is ever in memory */
};

/* The sizes of one multi-head attention. */
struct attn_shape {
    size_t n, m;    /* queries, keys */
    size_t d_model; /* 0: raw Q, K, V; nothing is projected */
    size_t d_k, d_v;
    size_t heads;
    size_t kv_heads; /* divides heads; query head h uses group h / (heads / kv_heads) */
    bool context;    /* K and V come from ATTN_CONTEXT, not from X; taken as true where n ≠ m */
    enum attn_keep keep;
};

/* The buffers of one attention, each float32 and aligned to 64 bytes inside one block of memory. */
enum attn_buffer {
    ATTN_X,       /* n × d_model */
    ATTN_W_Q,     /* heads × d_model × d_k */
    ATTN_W_K,     /* kv_heads × d_model × d_k */
    ATTN_W_V,     /* kv_heads × d_model × d_v */
    ATTN_W_O,     /* heads·d_v × d_model */
    ATTN_Q,       /* heads × n × d_k */
    ATTN_K,       /* kv_heads × m × d_k */
    ATTN_V,       /* kv_heads × m × d_v */
    ATTN_SCORES,  /* heads × n × m */
    ATTN_WEIGHTS, /* heads × n × m */
    ATTN_Z,       /* heads × n × d_v */
    ATTN_CONCAT,  /* n × heads·d_v */
    ATTN_OUTPUT,  /* n × d_model */
    ATTN_CONTEXT, /* m × d_model: what K and V are projected from when it is not X */
    ATTN_BUFFERS
};

struct attn_plan {
    struct attn_shape shape;
    size_t offset[ATTN_BUFFERS]; /* in bytes from the start of the block, a multiple of 64 */
    size_t floats[ATTN_BUFFERS]; /* 0: the buffer does not exist for this shape */
    size_t bytes;                /* of the whole block */
};

/* Lays the buffers out. False when the shape is not one (a zero where there must be none, more than
 * ATTN_HEADS_MAX heads, kv_heads not dividing heads) or its bytes do not fit a size_t. *why, when
 * not NULL, then points to a constant sentence. */
bool attn_plan(const struct attn_shape *shape, struct attn_plan *plan, const char **why);

/* The buffer inside block (plan->bytes bytes, aligned to 64). NULL when it does not exist. */
float *attn_plan_buffer(const struct attn_plan *plan, void *block, enum attn_buffer buffer);

/* ---- threads ------------------------------------------------------------------------------- */

/* Threads that wait for work, pinned to distinct CPUs of the process' own mask. Where a call takes
 * a pool, NULL means: on the calling thread alone. Every number is the same, to the bit, with any
 * number of threads. */
struct attn_pool;

/* CPUs this process may use, at least 1. */
size_t attn_threads_default(void);

/* Opens a pool of so many threads, the caller's own among them; 0: attn_threads_default(). They
 * begin with the first work that is worth sharing, fewer where the system gives no more. NULL when
 * there is no memory. Owned by the caller, who closes it when no call uses it any more. Calls from
 * several threads may share it: the second one then works alone. */
struct attn_pool *attn_pool_open(size_t threads);
size_t attn_pool_threads(const struct attn_pool *pool);
void attn_pool_close(struct attn_pool *pool);

/* ---- fused attention: z without the matrix of all scores ----------------------------------- */

/* Which keys the queries see. */
enum attn_sight_kind {
    ATTN_SEE_ALL,
    ATTN_SEE_PAST, /* query i sees the keys up to i + offset: a causal mask that needs no bytes */
    ATTN_SEE_MASK, /* what mask says */
};

struct attn_sight {
    enum attn_sight_kind kind;
    size_t offset;         /* of ATTN_SEE_PAST: keys that were there before query 0 */
    struct attn_mask mask; /* of ATTN_SEE_MASK: n rows of m bytes */
};

/* How far a block of queries has come: keys row block × key block by key block. */
struct attn_tile {
    size_t row, rows;      /* queries of the tile */
    size_t col, cols;      /* its keys */
    bool skipped;          /* no query of it sees any of its keys: nothing was computed */
    const float *max;      /* [rows] largest scaled score yet, −∞ before the first */
    const float *sum;      /* [rows] Σ e^(scaled score − max) yet */
    struct attn_operand z; /* [rows][d_v] unfinished: z · 1 / sum is the mean of the values yet */
};

typedef void attn_tile_function(void *listener, const struct attn_tile *tile);

/* One head. z [n][d_v] = softmax(q [n][d_k] · k [m][d_k]ᵀ · factor) · v [m][d_v]. */
struct attn_head {
    struct attn_operand q, k, v;
    float factor;
    struct attn_sight sight;
    struct attn_matrix z;
    struct attn_matrix weights; /* [n][m], values NULL: not kept. They and z then have the bits of
                                   the stages */
    bool keys_grow; /* more keys will come: every query keeps its bits, as it does without */
    size_t block_rows, block_cols; /* of a tile; 0: chosen. Without effect where weights are kept */
    attn_tile_function *on_tile;   /* called after every tile, in order; NULL: nobody listens. Not
                                      where weights are kept */
    void *listener;
};

/* Bytes of scratch that these heads need, threads at once; 0 when it does not fit a size_t. */
size_t attn_fused_bytes(const struct attn_kernels *kernels, const struct attn_head *heads,
                        size_t count, size_t threads);

/* Computes count heads, at most ATTN_HEADS_MAX. scratch: attn_fused_bytes, aligned to 64 bytes.
 * pool NULL: on this thread. The numbers do not depend on pool, on the other rows, nor on whether a
 * mask that hides the same is given as a kind or as bytes. Shapes must agree (asserted;
 * attn_head_error asks). Returns how many queries see no key; their z is 0. */
size_t attn_fused(const struct attn_kernels *kernels, struct attn_pool *pool,
                  const struct attn_head *heads, size_t count, void *scratch);

/* NULL when the head's shapes agree; else a constant sentence. */
const char *attn_head_error(const struct attn_head *head);

/* ---- products with a second factor packed once --------------------------------------------- */

/* Floats of w [depth][cols], packed; 0 when they do not fit a size_t. */
size_t attn_packed_floats(const struct attn_kernels *kernels, size_t depth, size_t cols);

/* w into panels, which are aligned to 64 bytes. */
void attn_pack(const struct attn_kernels *kernels, struct attn_operand w, float *panels);

/* attn_project, to the bit, with the w that was packed by the same kernels. */
void attn_project_packed(const struct attn_kernels *kernels, struct attn_operand x,
                         const float *panels, struct attn_matrix out);

/* ---- many matrices at once, their rows shared among threads ------------------------------- */

/* out [times][rows][cols] = x [rows][depth] · w [times][depth][cols] + bias [times][cols], without
 * gaps but between the matrices of out. */
struct attn_projection {
    const float *x, *w;
    const float *bias; /* NULL: none */
    float *out;
    size_t times, rows, depth, cols;
    size_t out_step; /* floats from one matrix of out to the next: at least rows × cols */
    bool packed;     /* w: each of its matrices as attn_pack leaves it */
};

/* All of these. Returns how many threads took part, as those below do. */
size_t attn_project_each(const struct attn_kernels *kernels, struct attn_pool *pool,
                         const struct attn_projection *of, size_t count);

/* Heads one behind the other, without gaps: q [heads][n][d_k], k [kv_heads][m][d_k],
 * v [kv_heads][m][d_v]. */
struct attn_heads {
    size_t heads, kv_heads, n, m, d_k, d_v;
    const float *q, *k, *v;
    float factor;
    struct attn_sight sight;
    bool seen_only; /* of ATTN_SEE_MASK: scores are computed as attn_scores_seen does, others 0 */
    size_t (*normalise)(struct attn_matrix s); /* in place of attn_softmax; NULL: that */
    float *scores, *weights;                   /* [heads][n][m] each */
    float *z;                                  /* [heads][n][d_v] */
    float *concat;                             /* [n][heads · d_v] */
};

struct attn_weighed {
    size_t pairs; /* scores that were computed */
    size_t empty; /* queries × heads that see no key */
    size_t threads;
};

/* q, k → scores and weights. */
struct attn_weighed attn_weigh_each(const struct attn_kernels *kernels, struct attn_pool *pool,
                                    const struct attn_heads *heads);

/* weights, v → z and concat. */
size_t attn_blend_each(const struct attn_kernels *kernels, struct attn_pool *pool,
                       const struct attn_heads *heads);

/* ---- what stands between the products of a model ------------------------------------------- */

/* Each x becomes x / (1 + e^−v), v = x · (linear + cubic · x²): x · σ(x), SiLU, with 1 and 0; GELU
 * by tanh with √(8/π) and 0.044715 · √(8/π) (Hendrycks and Gimpel, Gaussian Error Linear Units,
 * 2016). Within 2 ulp where v ≥ −1, and within 2.5·10⁻⁷ · max(|result|, 0.1) anywhere: measured for
 * these two, every 49 999th float. */
void attn_gate(const struct attn_kernels *kernels, float *x, size_t count, float linear,
               float cubic);

/* ---- the whole attention, with all means --------------------------------------------------- */

struct attn_means {
    struct attn_pool *pool; /* NULL: the calling thread alone */
    const float *packed;    /* the W's, packed; NULL: they are read where they stand in block */
    void *scratch;          /* aligned to 64 bytes; NULL where attn_run_bytes is 0 */
};

/* Bytes of scratch for so many threads: 0 for ATTN_KEEP_ALL; SIZE_MAX when they do not fit. */
size_t attn_run_bytes(const struct attn_kernels *kernels, const struct attn_plan *plan,
                      size_t threads);

/* All W's of block, packed once for many runs: so many floats, aligned to 64 bytes. */
size_t attn_run_packed_floats(const struct attn_kernels *kernels, const struct attn_plan *plan);
void attn_run_pack(const struct attn_kernels *kernels, const struct attn_plan *plan, void *block,
                   float *packed);

/* Computes everything from X, the context and the W's (or, with d_model 0, from Q, K and V) that
 * stand in block: Q, K, V, concat, output, and what the shape keeps of scores (unscaled), weights
 * and Z. The same bits with any means. (Other bits with ATTN_KEEP_OUTPUT: Z is then divided by the
 * sum of the weights at the end.) Returns the number of queries × heads that see no key. */
size_t attn_run(const struct attn_kernels *kernels, const struct attn_plan *plan, void *block,
                float factor, struct attn_sight sight, const struct attn_means *means);

#ifdef __cplusplus
}
#endif

#endif

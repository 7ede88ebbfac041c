/* tests/attn/peers.c — OpenBLAS and oneDNN at the same work.
 *
 * The best composition there is: one product for all heads' queries (keys, values), scores and
 * blend per head, rows in blocks that stay in the cache where nothing is kept, columns cut at the
 * diagonal of the block under a causal mask; scale and softmax by our own kernels, which are
 * faster than what these libraries offer. */
#include "peers.h"
#include "peer_torch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef PEER_OPENBLAS
#include <cblas.h>
#endif
#ifdef PEER_ONEDNN
#include <dnnl.h>
void omp_set_num_threads(int threads);
#endif

enum { BLOCK_ROWS = 128 };

/* c [m][n] = a [m][k] · b [k][n], or · b [n][k]ᵀ; strides lda, ldb, ldc. */
typedef void product(size_t m, size_t n, size_t k, const float *a, size_t lda, const float *b,
                     size_t ldb, bool turned, float *c, size_t ldc);

static struct {
    float *memory;
    size_t floats;
    const void *filled_for; /* the block whose W's stand side by side in memory */
} own;

static float *own_memory(size_t floats)
{
    if (floats > own.floats) {
        free(own.memory);
        own.memory = aligned_alloc(64, (floats * sizeof(float) + 63) / 64 * 64);
        own.floats = own.memory == NULL ? 0 : floats;
        own.filled_for = NULL;
    }
    if (own.memory == NULL) {
        abort();
    }
    return own.memory;
}

void peers_release(void)
{
    free(own.memory);
    own.memory = NULL;
    own.floats = 0;
    peer_torch_close();
}

/* heads × [d][d_k] side by side: [d][heads · d_k] */
static void side_by_side(const float *w, size_t heads, size_t d, size_t d_k, float *to)
{
    for (size_t h = 0; h < heads; h++) {
        for (size_t p = 0; p < d; p++) {
            memcpy(to + p * heads * d_k + h * d_k, w + (h * d + p) * d_k, d_k * sizeof(float));
        }
    }
}

struct parts {
    const float *q, *k, *v; /* head h at h · step, rows of stride */
    size_t step, stride;
    float *weights, *concat;
};

static void attend_head(const struct measure_task *task, product *multiply,
                        const struct parts *parts, size_t h)
{
    const struct measure_work *const work = task->work;
    const size_t n = work->n, d = work->d_k;
    const bool kept = work->keep != ATTN_KEEP_OUTPUT;
    const float *const q = parts->q + h * parts->step, *const k = parts->k + h * parts->step,
                       *const v = parts->v + h * parts->step;
    for (size_t first = 0; first < n; first += BLOCK_ROWS) {
        const size_t rows = n - first < BLOCK_ROWS ? n - first : BLOCK_ROWS;
        const size_t keys = work->causal ? first + rows : n;
        float *const s = parts->weights + (kept ? h * n * n + first * n : 0);
        multiply(rows, keys, d, q + first * parts->stride, parts->stride, k, parts->stride, true, s,
                 n);
        for (size_t i = 0; i < rows; i++) {
            const size_t seen = work->causal ? first + i + 1 : keys;
            const struct attn_matrix row = {s + i * n, 1, seen, seen};
            attn_scale_mask(task->kernels, row, task->factor, (struct attn_mask){NULL, 0});
            attn_softmax(task->kernels, row);
            memset(s + i * n + seen, 0, ((kept ? n : keys) - seen) * sizeof(float));
        }
        multiply(rows, d, keys, s, n, v, parts->stride, false,
                 parts->concat + first * work->heads * d + h * d, work->heads * d);
    }
}

static void compose(product *multiply, const struct measure_task *task)
{
    const struct measure_work *const work = task->work;
    const size_t n = work->n, d = work->d_model, h = work->heads, width = h * work->d_k;
    const size_t scores = work->keep == ATTN_KEEP_OUTPUT ? BLOCK_ROWS * n : h * n * n;
    float *const w = own_memory(3 * d * width + 4 * n * width + scores + n * d);
    float *const projected = w + 3 * d * width;
    float *const concat = projected + 3 * n * width, *const weights = concat + n * width;
    struct parts parts = {.weights = weights, .concat = concat};
    const enum attn_buffer of[] = {ATTN_W_Q, ATTN_W_K, ATTN_W_V};
    if (d == 0) {
        parts.q = attn_plan_buffer(&task->plan, task->block, ATTN_Q);
        parts.k = attn_plan_buffer(&task->plan, task->block, ATTN_K);
        parts.v = attn_plan_buffer(&task->plan, task->block, ATTN_V);
        parts.step = n * work->d_k;
        parts.stride = work->d_k;
    } else {
        for (size_t i = 0; i < 3; i++) {
            if (own.filled_for != task->block) {
                side_by_side(attn_plan_buffer(&task->plan, task->block, of[i]), h, d, work->d_k,
                             w + i * d * width);
            }
            multiply(n, width, d, attn_plan_buffer(&task->plan, task->block, ATTN_X), d,
                     w + i * d * width, width, false, projected + i * n * width, width);
        }
        own.filled_for = task->block;
        parts.q = projected;
        parts.k = projected + n * width;
        parts.v = projected + 2 * n * width;
        parts.step = work->d_k;
        parts.stride = width;
    }
    for (size_t head = 0; head < h; head++) {
        attend_head(task, multiply, &parts, head);
    }
    if (d > 0) {
        multiply(n, d, width, concat, width, attn_plan_buffer(&task->plan, task->block, ATTN_W_O),
                 d, false, weights + scores, d);
    }
}

#ifdef PEER_OPENBLAS
static void multiply_openblas(size_t m, size_t n, size_t k, const float *a, size_t lda,
                              const float *b, size_t ldb, bool turned, float *c, size_t ldc)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, turned ? CblasTrans : CblasNoTrans, (int)m, (int)n,
                (int)k, 1, a, (int)lda, b, (int)ldb, 0, c, (int)ldc);
}

static void run_openblas(void *context, const struct measure_task *task)
{
    (void)context;
    compose(multiply_openblas, task);
}
#endif

#ifdef PEER_ONEDNN
static void multiply_onednn(size_t m, size_t n, size_t k, const float *a, size_t lda,
                            const float *b, size_t ldb, bool turned, float *c, size_t ldc)
{
    dnnl_sgemm('N', turned ? 'T' : 'N', (dnnl_dim_t)m, (dnnl_dim_t)n, (dnnl_dim_t)k, 1, a,
               (dnnl_dim_t)lda, b, (dnnl_dim_t)ldb, 0, c, (dnnl_dim_t)ldc);
}

static void run_onednn(void *context, const struct measure_task *task)
{
    (void)context;
    compose(multiply_onednn, task);
}
#endif

/* ---- which kernels they chose --------------------------------------------------------------- */

/* Names of kernels, as the libraries write them, and the instruction set each is for. A library
 * that does not know a newer processor may fall back to its oldest kernels; then its column says
 * little. */
static const struct kernel_name {
    const char *name;
    int level; /* 0: SSE, 1: AVX, 2: AVX2, 3: AVX-512 */
} kernel_names[] = {
    {"Prescott", 0},       {"Core2", 0},      {"Penryn", 0},
    {"Dunnington", 0},     {"Nehalem", 0},    {"Atom", 0},
    {"Katmai", 0},         {"Coppermine", 0}, {"Northwood", 0},
    {"Banias", 0},         {"Athlon", 0},     {"Opteron", 0},
    {"Opteron_SSE3", 0},   {"Barcelona", 0},  {"Bobcat", 0},
    {"Sandybridge", 1},    {"Bulldozer", 1},  {"Piledriver", 1},
    {"Steamroller", 1},    {"Haswell", 2},    {"Zen", 2},
    {"Excavator", 2},      {"SkylakeX", 3},   {"Cooperlake", 3},
    {"SapphireRapids", 3}, {"SSE4.1", 0},     {"AVX", 1},
    {"AVX2", 2},           {"AVX512", 3},     {"DEFAULT", 0},
};

static int level_of(const char *name)
{
    for (size_t k = 0; k < sizeof kernel_names / sizeof kernel_names[0]; k++) {
        if (strcasecmp(name, kernel_names[k].name) == 0) {
            return kernel_names[k].level;
        }
    }
    return -1; /* newer than this table, or for another architecture */
}

static void note_kernel(struct measure_peer *peer, const char *name,
                        const struct attn_kernels *best)
{
    static const char *const sets[] = {"sse2", "avx", "avx2", "avx512"};
    const int level = level_of(name);
    snprintf(peer->kernel, sizeof peer->kernel, "%s", name);
    for (int set = 0; set < (int)(sizeof sets / sizeof sets[0]); set++) {
        if (strcmp(attn_kernels_name(best), sets[set]) == 0) {
            peer->is_dated = level >= 0 && level < set;
        }
    }
}

#ifdef PEER_ONEDNN
static const char *onednn_kernel(void)
{
    const dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa();
    return isa >= dnnl_cpu_isa_avx512_mic && (isa & 0x20) != 0 ? "AVX512"
           : (isa & 0x7) == 0x7                                ? "AVX2"
           : (isa & 0x3) == 0x3                                ? "AVX"
                                                               : "SSE4.1";
}
#endif

size_t peers_list(const struct attn_kernels *best, struct measure_peer peers[MEASURE_PEERS_MAX])
{
    size_t count = 0;
    (void)compose;
#ifdef PEER_OPENBLAS
    openblas_set_num_threads(1);
    peers[count] = (struct measure_peer){.name = "OpenBLAS", .run = run_openblas};
    note_kernel(&peers[count++], openblas_get_corename(), best);
#endif
#ifdef PEER_ONEDNN
    omp_set_num_threads(1);
    peers[count] = (struct measure_peer){.name = "oneDNN", .run = run_onednn};
    note_kernel(&peers[count++], onednn_kernel(), best);
#endif
    if (peer_torch_open(&peers[count])) {
        char chosen[sizeof peers[count].kernel];
        snprintf(chosen, sizeof chosen, "%s", peers[count].kernel);
        note_kernel(&peers[count++], chosen, best);
    }
    return count;
}

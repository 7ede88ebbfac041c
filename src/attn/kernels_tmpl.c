/* attn/kernels_tmpl.c — the vector sets: this file, compiled once per instruction set
 * (meson.build).
 *
 *     ATTN_SET, ATTN_TITLE, ATTN_SUPPORTED
 *                 its name (avx2), as people write it ("AVX2"), and the question whether it runs
 *     ATTN_WIDTH  floats in a register
 *     ATTN_ROWS   most rows of a register tile, 6, 9 or 14
 *     ATTN_TILE   most registers a tile sums in
 *     ATTN_PACK_ROWS, ATTN_PACK_VECS
 *                 the tile of products whose second factor is packed
 *
 * All three products are one: out [n][cols] = a [n][depth] · b [depth][cols]. Projection and blend
 * have their b as it is; for the scores, K is turned into such a b, a panel of it at a time, on the
 * stack. A tile of out, rows × vecs registers, is summed in registers: each step loads vecs
 * registers of b and multiplies them by one number of each row of a.
 *
 *                  b   ▒▒▒▒ ▒▒▒▒   step p: 2 loads
 *        a   ▫         ┌─────────┐
 *            ▫  splat  │ += += … │  rows × vecs registers, each its own sum
 *            ▫         └─────────┘
 *
 * Whatever the tiling, each number of out is summed term by term from the first to the last. */
#include "attn/cpu.h"
#include "attn/kernels.h"
#include "attn/kernels_limits.h"
#include "attn/kernels_vec.h"
#include "attn/sizes.h"

#include <math.h>

enum {
    VECS_MAX = 4, /* registers of b in the widest tile */
    DEPTH_BLOCK =
        128, /* terms summed before moving on: what is read of b stays in the first cache */
    PACK_ROWS = ATTN_PACK_ROWS, /* rows of a tile of a packed product */
    PACK_VECS = ATTN_PACK_VECS, /* registers in a row of such a tile, as many as a panel has */
    PACK_COLS = PACK_VECS * WIDTH,
    LINE = 16,               /* floats that are fetched at once */
    LANES = 16,              /* of a sum over the numbers of a row: kernels_lanes.inc */
    ASK_DEPTH = 64,          /* terms of a sum whose place is worth being asked for */
    AHEAD = 2048,            /* floats of a panel that one tile reads before their turn */
    STREAM_DEPTH = 16,       /* rows of b that are read side by side */
    STREAM_FLOATS = 1 << 18, /* in b: with more it comes from memory, see vec_multiply */
    PANEL_VECS = 4,
    PANEL_COLS = PANEL_VECS * WIDTH,
    FEW_ROWS = 4, /* of weights: for these, no value is looked at before it is multiplied */
};

struct tile {
    const float *a, *b;
    float *out;
    size_t a_row, a_step; /* from a row's number to the next row's, to the next term's */
    size_t b_stride, out_stride;
    size_t depth;
    const float *start; /* what the sums start with, a row every start_stride floats; NULL: +0 */
    size_t start_stride;
    const float *by;    /* what each row of start is multiplied by; NULL: nothing */
    float *lane_max;    /* the largest sums yet, LANES for each row; NULL: nobody asks */
    vec_part part;      /* the columns behind the last whole register */
    const float *ahead; /* fetched to the second cache, a line a term, ahead_step floats apart */
    size_t ahead_step;
    bool single_tile; /* one tile reads all of a panel: it fetches as much as it reads */
    bool careful;     /* a's zeros leave the sum as it is, whatever stands in b */
    bool blends;      /* +0 is added at the end: no zero of it has a sign */
};

typedef void tile_function(const struct tile *job);

/* The sums of a tile while they are in registers. */
typedef vec tile_sums[ATTN_ROWS][VECS_MAX];

/* Adds all terms to the sums. */
VEC_INLINE void add_terms(const struct tile *job, const int rows, const int vecs, const bool narrow,
                          const bool careful, const bool single_tile, tile_sums sum)
{
    const size_t a_row = job->a_row, a_step = job->a_step, b_stride = job->b_stride;
    const float *a = job->a, *b = job->b, *ahead = job->ahead;
    for (size_t p = 0; p < job->depth; p++, a += a_step, b += b_stride) {
        vec terms[VECS_MAX];
        UNROLL for (int v = 0; v < vecs; v++)
        {
            terms[v] = narrow ? vec_load_part(b, job->part) : vec_load(b + v * WIDTH);
        }
        if (single_tile) {
            UNROLL for (int at = 0; at < vecs * WIDTH; at += LINE)
            {
                __builtin_prefetch(b + AHEAD + at, 0, 2);
            }
        } else if (vecs > 1) {
            __builtin_prefetch(ahead, 0, 2);
            ahead += job->ahead_step;
        }
        UNROLL for (int r = 0; r < rows; r++)
        {
            const vec weight = vec_splat(a[(size_t)r * a_row]);
            UNROLL for (int v = 0; v < vecs; v++)
            {
                sum[r][v] = careful ? vec_fma_seen(weight, terms[v], sum[r][v])
                                    : vec_fma(weight, terms[v], sum[r][v]);
            }
        }
    }
}

VEC_INLINE void start_sums(const struct tile *job, const int rows, const int vecs,
                           const bool narrow, tile_sums sum)
{
    UNROLL for (int r = 0; r < rows; r++)
    {
        UNROLL for (int v = 0; v < vecs; v++)
        {
            const size_t at = (size_t)r * job->start_stride + (size_t)v * WIDTH;
            sum[r][v] = job->start == NULL ? vec_splat(0)
                        : narrow           ? vec_load_part(job->start + at, job->part)
                                           : vec_load(job->start + at);
        }
    }
    if (job->by != NULL) {
        UNROLL for (int r = 0; r < rows; r++)
        {
            UNROLL for (int v = 0; v < vecs; v++)
            {
                sum[r][v] *= vec_splat(job->by[r]);
            }
        }
    }
}

VEC_INLINE void raise_lane_max(float *lane_max, const int rows, const int vecs, tile_sums sum)
{
    UNROLL for (int r = 0; r < rows; r++)
    {
        vec largest = vec_load(lane_max + r * LANES);
        UNROLL for (int v = 0; v < vecs; v++)
        {
            largest = vec_max(sum[r][v], largest);
        }
        vec_store(lane_max + r * LANES, largest);
    }
}

/* With constant rows, vecs and narrow, all loops over them unroll and sum lives in registers. */
VEC_INLINE void sum_tile(const struct tile *job, const int rows, const int vecs, const bool narrow)
{
    tile_sums sum;
    start_sums(job, rows, vecs, narrow, sum);
    if (job->careful) {
        add_terms(job, rows, vecs, narrow, true, false, sum);
    } else if (vecs <= PACK_VECS && !narrow && job->single_tile) {
        add_terms(job, rows, vecs, narrow, false, true, sum);
    } else {
        add_terms(job, rows, vecs, narrow, false, false, sum);
    }
    const vec zero = vec_splat(job->blends ? 0.0F : -0.0F);
    float *const out = job->out;
    const size_t out_stride = job->out_stride;
    const vec_part part = job->part;
    if (job->lane_max != NULL) {
        raise_lane_max(job->lane_max, rows, vecs, sum);
    }
    UNROLL for (int r = 0; r < rows; r++)
    {
        UNROLL for (int v = 0; v < vecs; v++)
        {
            float *const to = out + (size_t)r * out_stride + v * WIDTH;
            if (narrow) {
                vec_store_part(to, part, sum[r][v] + zero);
            } else {
                vec_store(to, sum[r][v] + zero);
            }
        }
    }
}

/* Which tiles there are: 14 × 2 registers of 32 and 8 × 3 for panels, 6 × 2 of 16. */
/* clang-format off */
#define TILE(rows, vecs)                                                                           \
    static void tile_##rows##_##vecs(const struct tile *job) { sum_tile(job, rows, vecs, false); }
#define TILE_NARROW(rows)                                                                          \
    static void tile_##rows##_narrow(const struct tile *job) { sum_tile(job, rows, 1, true); }

#define TILES(rows) TILE(rows, 2) TILE(rows, 1) TILE_NARROW(rows)

TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6)
TILE(1, 4) TILE(2, 4) TILE(3, 4)
#if ATTN_TILE >= 24
TILES(7) TILES(8) TILES(9)
TILE(4, 4) TILE(5, 4) TILE(6, 4)
TILE(1, 3) TILE(2, 3) TILE(3, 3) TILE(4, 3) TILE(5, 3) TILE(6, 3) TILE(7, 3) TILE(8, 3) TILE(9, 3)
#define WIDE(tile) tile
#else
#define WIDE(tile) NULL
#endif
#if ATTN_ROWS > 9
TILES(10) TILES(11) TILES(12) TILES(13) TILES(14)
#endif
    /* clang-format on */

    enum {
        NARROW = 0,
        SIZES = 5
    };

/* The registers in a row of each column of the table; 0: the part of one. */
static const size_t tile_vecs[SIZES] = {0, 1, 2, 3, 4};

static tile_function *const tiles[ATTN_ROWS][SIZES] = {
    {tile_1_narrow, tile_1_1, tile_1_2, WIDE(tile_1_3), tile_1_4},
    {tile_2_narrow, tile_2_1, tile_2_2, WIDE(tile_2_3), tile_2_4},
    {tile_3_narrow, tile_3_1, tile_3_2, WIDE(tile_3_3), tile_3_4},
    {tile_4_narrow, tile_4_1, tile_4_2, WIDE(tile_4_3), WIDE(tile_4_4)},
    {tile_5_narrow, tile_5_1, tile_5_2, WIDE(tile_5_3), WIDE(tile_5_4)},
    {tile_6_narrow, tile_6_1, tile_6_2, WIDE(tile_6_3), WIDE(tile_6_4)},
#if ATTN_TILE >= 24
    {tile_7_narrow, tile_7_1, tile_7_2, tile_7_3, NULL},
    {tile_8_narrow, tile_8_1, tile_8_2, tile_8_3, NULL},
    {tile_9_narrow, tile_9_1, tile_9_2, tile_9_3, NULL},
#endif
#if ATTN_ROWS > 9
    {tile_10_narrow, tile_10_1, tile_10_2, NULL, NULL},
    {tile_11_narrow, tile_11_1, tile_11_2, NULL, NULL},
    {tile_12_narrow, tile_12_1, tile_12_2, NULL, NULL},
    {tile_13_narrow, tile_13_1, tile_13_2, NULL, NULL},
    {tile_14_narrow, tile_14_1, tile_14_2, NULL, NULL},
#endif
};

/* All columns for the rows of one tile: the widest tiles first, the part of a register last. The
 * job is moved along, not copied: wide loads of what was just stored in pieces stall. */
static void sum_rows(struct tile *job, size_t rows, size_t cols)
{
    tile_function *const *sizes = tiles[rows - 1];
    const float *const b = job->b, *const start = job->start;
    float *const out = job->out;
    if (cols < WIDTH) {
        sizes[NARROW](job);
        return;
    }
    for (size_t size = SIZES - 1; size > NARROW; size--) {
        const size_t width = tile_vecs[size] * WIDTH;
        while (sizes[size] != NULL && cols >= width) {
            sizes[size](job);
            job->b += width;
            job->out += width;
            job->start = start == NULL ? NULL : job->start + width;
            cols -= width;
        }
    }
    if (cols > 0) {
        sizes[NARROW](job);
    }
    job->b = b;
    job->out = out;
    job->start = start;
}

/* n rows in groups as equal as can be of at most `most`: 7 are 4 and 3, not 6 and 1. */
struct groups {
    size_t count, smaller, larger; /* the first `larger` groups have a row more than the others */
};

static struct groups groups_within(size_t rows, size_t max_rows)
{
    const size_t count = (rows + max_rows - 1) / max_rows;
    if (count <= 1) {
        return (struct groups){count, rows, 0};
    }
    return (struct groups){count, rows / count, rows % count};
}

static struct groups groups_of(size_t rows)
{
    return groups_within(rows, ATTN_ROWS);
}

static size_t group_start(const struct groups *groups, size_t group)
{
    return group * groups->smaller + (group < groups->larger ? group : groups->larger);
}

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The places of a tile's results are fetched while their sums are made, else storing them waits:
 * 1024 × 768 × 3072, packed, 69 and 77 % of the peak with AVX-512, 73 and 82 with AVX2. */
static void ask_for_sums(const struct tile *job, size_t rows, size_t cols)
{
    if (job->depth < ASK_DEPTH || cols > PANEL_COLS) {
        return;
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t col = 0; col < cols; col += LINE) {
            __builtin_prefetch(job->out + r * job->out_stride + col, 1);
        }
    }
}

/* out = start + a · b for a panel of columns, all rows. */
static void sum_panel(struct tile *job, const struct groups *groups, size_t cols)
{
    const float *const a = job->a, *const start = job->start;
    float *const out = job->out;
    for (size_t group = 0; group < groups->count; group++) {
        const size_t first = group_start(groups, group), end = group_start(groups, group + 1);
        job->a = a + first * job->a_row;
        job->out = out + first * job->out_stride;
        job->start = start == NULL ? NULL : start + first * job->start_stride;
        ask_for_sums(job, end - first, cols);
        sum_rows(job, end - first, cols);
        job->ahead += job->depth * job->ahead_step;
    }
}

/* The tile of a product at row 0, from column col and term from on; b stands where it is said to.
 */
VEC_INLINE struct tile tile_of(const struct product *of, const float *b, size_t b_stride,
                               size_t col, size_t from, size_t depth)
{
    struct tile job = {
        .a = of->a + from * of->a_step,
        .a_row = of->a_row,
        .a_step = of->a_step,
        .b = b,
        .b_stride = b_stride,
        .out = of->out + col,
        .out_stride = of->out_stride,
        .depth = depth,
        .start = of->start == NULL ? NULL : of->start + col,
        .start_stride = of->start_stride,
        .part = vec_part_of((of->cols - col) % WIDTH),
        .ahead = b,
    };
    if (from > 0) {
        job.start = job.out;
        job.start_stride = job.out_stride;
    }
    return job;
}

/* A large w for few rows is bound by memory, and the processor fetches by itself what is read row
 * by row, if the rows that are read side by side are few. The next ones are asked for: a model's
 * weights then come at 11 GB/s, 7.8 unasked, 6.3 with 128 rows side by side, where one thread reads
 * 14. */
static bool comes_from_memory(const struct groups *groups, const struct product *of)
{
    return groups->count == 1 && of->depth * of->cols >= STREAM_FLOATS;
}

static void ask_for(const struct product *of, size_t first, size_t col, size_t cols)
{
    for (size_t row = first; row < min_of(first + STREAM_DEPTH, of->depth); row++) {
        for (size_t c = col; c < col + cols; c += 16) {
            __builtin_prefetch(of->b + row * of->b_stride + c);
        }
    }
}

static void multiply_as_it_is(const struct product *of)
{
    const struct groups groups = groups_of(of->rows);
    const bool streams = comes_from_memory(&groups, of);
    const size_t max_depth = streams ? STREAM_DEPTH : DEPTH_BLOCK;
    const size_t panel = streams ? PACK_COLS : groups.count == 1 ? of->cols : PANEL_COLS;
    size_t from = 0;
    do {
        const size_t depth = min_of(of->depth - from, max_depth);
        for (size_t col = 0; col < of->cols; col += panel) {
            const float *const b = of->b + from * of->b_stride + col;
            struct tile job = tile_of(of, b, of->b_stride, col, from, depth);
            if (streams) {
                ask_for(of, from + depth, col, min_of(of->cols - col, panel));
            }
            sum_panel(&job, &groups, min_of(of->cols - col, panel));
        }
        from += depth;
    } while (from < of->depth);
}

/* Turns k into panel [depth][stride]: k's rows first … first + count and columns from … from +
 * depth. Lanes behind the last key repeat the last key's numbers and are never read. */
static void transpose_keys(struct attn_operand k, size_t first, size_t count, size_t from,
                           size_t depth, float *panel, size_t stride)
{
    for (size_t key = 0; key < count; key += WIDTH) {
        const float *rows[WIDTH];
        for (size_t j = 0; j < WIDTH; j++) {
            rows[j] = k.values + (first + min_of(key + j, count - 1)) * k.stride + from;
        }
        if (depth < 4) {
            for (size_t p = 0; p < depth; p++) {
                vec column;
                UNROLL for (int j = 0; j < WIDTH; j++)
                {
                    column[j] = rows[j][p];
                }
                vec_store(panel + p * stride + key, column);
            }
            continue;
        }
        for (size_t p = 0; p < depth; p += 4) {
            if (p % 16 == 0 && depth < k.cols) { /* what the next call reads of these keys */
                for (size_t j = 0; j < WIDTH; j++) {
                    __builtin_prefetch(rows[j] + p + depth);
                }
            }
            /* The last four may overlap the ones before: the same numbers are written again. */
            const size_t at = min_of(p, depth - 4);
            vec out[4];
            vec_unzip(rows, at, out);
            for (size_t i = 0; i < 4; i++) {
                vec_store(panel + (at + i) * stride + key, out[i]);
            }
        }
    }
}

/* b's rows are the columns of out: they are turned, a panel of them at a time. */
static void multiply_turned(const struct product *of)
{
    _Alignas(64) float panel[DEPTH_BLOCK * PANEL_COLS];
    const struct groups groups = groups_of(of->rows);
    const struct attn_operand b = {of->b, of->cols, of->depth, of->b_stride};
    for (size_t col = 0; col < of->cols && of->rows > 0; col += PANEL_COLS) {
        const size_t count = min_of(of->cols - col, PANEL_COLS);
        size_t from = 0;
        do {
            const size_t depth = min_of(of->depth - from, DEPTH_BLOCK);
            transpose_keys(b, col, count, from, depth, panel, PANEL_COLS);
            struct tile job = tile_of(of, panel, PANEL_COLS, col, from, depth);
            sum_panel(&job, &groups, count);
            from += depth;
        } while (from < of->depth);
    }
}

/* A product one tile high, as toys are, is not cut. A layer of 4 tokens is more instructions than
 * arithmetic: with AVX2 4600 before this and its like in run.c, 3560 now, 345 and 296 ns; with
 * AVX-512 410 and 350 ns. */
static void vec_multiply(const struct product *of)
{
    if (of->turned) {
        multiply_turned(of);
    } else if (of->rows - 1 < ATTN_ROWS && of->depth <= DEPTH_BLOCK) {
        struct tile job = tile_of(of, of->b, of->b_stride, 0, 0, of->depth);
        sum_rows(&job, of->rows, of->cols);
    } else {
        multiply_as_it_is(of);
    }
}

/* How many terms the rows of weights have: behind them are zeros alone. */
static size_t depth_of_weights(struct attn_operand a, size_t first, size_t end)
{
    size_t depth = 0;
    for (size_t row = first; row < end; row++) {
        const float *const weights = a.values + row * a.stride;
        size_t known = a.cols;
        while (known >= depth + WIDTH &&
               !vec_any(vec_load(weights + known - WIDTH) != vec_splat(0))) {
            known -= WIDTH;
        }
        while (known > depth && weights[known - 1] == 0) {
            known--;
        }
        depth = known > depth ? known : depth;
    }
    return depth;
}

static bool vec_finite(struct attn_operand v)
{
    lanes odd = {0};
    for (size_t row = 0; row < v.rows; row++) {
        const float *const values = v.values + row * v.stride;
        size_t col = 0;
        for (; v.cols - col >= WIDTH; col += WIDTH) {
            const vec x = vec_load(values + col);
            odd |= x - x != vec_splat(0);
        }
        if (col < v.cols) {
            const vec x = vec_load_part(values + col, vec_part_of(v.cols - col));
            odd |= x - x != vec_splat(0);
        }
    }
    return !vec_any(odd);
}

static void vec_blend(struct attn_operand a, struct attn_operand v, struct attn_matrix z)
{
    const struct groups groups = groups_of(z.rows);
    const bool careful = z.rows <= FEW_ROWS || !vec_finite(v);
    const struct product of = {.a = a.values,
                               .a_row = a.stride,
                               .a_step = 1,
                               .cols = z.cols,
                               .out = z.values,
                               .out_stride = z.stride};
    for (size_t group = 0; group < groups.count; group++) {
        const size_t start = group_start(&groups, group), end = group_start(&groups, group + 1);
        const size_t max_depth = depth_of_weights(a, start, end);
        size_t from = 0;
        do {
            const size_t depth = min_of(max_depth - from, DEPTH_BLOCK);
            struct tile job = tile_of(&of, v.values + from * v.stride, v.stride, 0, from, depth);
            job.a += start * a.stride;
            job.out += start * z.stride;
            job.start = from > 0 ? job.out : NULL;
            job.careful = careful;
            job.blends = true;
            sum_rows(&job, end - start, z.cols);
            from += depth;
        } while (from < max_depth);
    }
}

/* Each uses what the one before it defines, so their order is not the alphabet's. */
/* clang-format off */
#include "attn/kernels_lanes.inc"
#include "attn/kernels_softmax.inc"
#include "attn/kernels_panels.inc"
#include "attn/kernels_attend.inc"
#include "attn/kernels_tiny.inc"
#include "attn/kernels_learn.inc"
#include "attn/kernels_heads.inc"
#include "attn/kernels_peak.inc"
/* clang-format on */

#define JOIN(a, b) a##b
#define ROW(set) JOIN(attn_kernels_, set)
#define QUOTE(word) #word
#define NAME(set) QUOTE(set)

const struct attn_kernels ROW(ATTN_SET) = {
    .name = NAME(ATTN_SET),
    .title = ATTN_TITLE,
    .supported = ATTN_SUPPORTED,
    .multiply = vec_multiply,
    .scale_mask = vec_scale_mask,
    .softmax = vec_softmax,
    .blend = vec_blend,
    .finite = vec_finite,
    .panel = WIDTH,
    .pack = vec_pack,
    .multiply_packed = vec_multiply_packed,
    .gate = vec_gate,
    .key_panel = NEAR_COLS,
    .pack_keys = vec_pack_keys,
    .attend = vec_attend,
    .attend_kept = vec_attend_kept,
    .tiny = WIDTH,
    .run_tiny = vec_run_tiny,
    .peak = vec_peak,
    .softmax_back = vec_softmax_back,
    .head_max = HEAD_MAX,
    .head_forward = vec_head_forward,
    .head_back = vec_head_back,
    .normalise = vec_normalise,
    .norm_back = vec_norm_back,
    .norm_gains = vec_norm_gains,
    .apply = vec_apply,
    .gate_back = vec_gate_back,
    .swiglu = vec_swiglu,
    .swiglu_back = vec_swiglu_back,
    .cross_entropy = vec_cross_entropy,
    .adamw = vec_adamw,
    .sgd = vec_sgd,
    .squares = vec_squares,
    .total = vec_total,
};

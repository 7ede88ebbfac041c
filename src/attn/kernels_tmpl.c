/* attn/kernels_tmpl.c — the vector sets: this file, compiled once per instruction set
 * (meson.build).
 *
 *     ATTN_SET, ATTN_TITLE, ATTN_SUPPORTED
 *                 its name (avx2), as people write it ("AVX2"), and the question whether it runs
 *     ATTN_WIDTH  floats in a register
 *     ATTN_ROWS   most rows of a register tile, 6 or 14
 *     ATTN_TILE   most registers a tile sums in
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

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

enum {
    VECS_MAX = 8, /* registers of b in the widest tile */
    DEPTH_BLOCK =
        128,        /* terms summed before moving on: what is read of b stays in the first cache */
    KEY_CHUNK = 16, /* keys that blend takes or leaves together */
    KEY_CHUNKS = DEPTH_BLOCK / KEY_CHUNK,
    PACK_VECS = ATTN_TILE / ATTN_ROWS, /* registers in a row of a packed panel */
    PACK_COLS = PACK_VECS * WIDTH,
    LINE = 16,               /* floats that are fetched at once */
    ASK_DEPTH = 64,          /* terms of a sum whose place is worth being asked for */
    AHEAD = 512,             /* floats of a panel that are fetched before their turn: see TILES */
    STREAM_DEPTH = 16,       /* rows of b that are read side by side … */
    STREAM_FLOATS = 1 << 18, /* … where it comes from memory: see vec_project */
    PANEL_VECS = 4,
    PANEL_COLS = PANEL_VECS * WIDTH,
};

/* What the weights of a chunk of keys are, in the rows of one tile. */
enum chunk { CHUNK_FULL, CHUNK_EMPTY, CHUNK_MIXED };

struct tile {
    const float *a, *b;
    float *out;
    size_t a_stride, b_stride, out_stride;
    size_t depth;
    bool resume;           /* add to what stands in out */
    vec_part part;         /* the columns behind the last whole register */
    const uint8_t *chunks; /* enum chunk of each KEY_CHUNK terms; NULL: all full */
};

typedef void tile_function(const struct tile *job);

/* The sums of a tile while they are in registers. */
typedef vec tile_sums[ATTN_ROWS][VECS_MAX];

VEC_INLINE void load_terms(const struct tile *job, const float *b, const int vecs,
                           const bool narrow, vec terms[VECS_MAX])
{
    UNROLL for (int v = 0; v < vecs; v++)
    {
        terms[v] = narrow ? vec_load_part(b, job->part) : vec_load(b + v * WIDTH);
    }
}

/* Adds terms first … end to the sums. */
VEC_INLINE void add_terms(const struct tile *job, size_t first, size_t end, const int rows,
                          const int vecs, const bool narrow, tile_sums sum)
{
    const size_t a_stride = job->a_stride, b_stride = job->b_stride;
    const float *b = job->b + first * b_stride;
    for (const float *a = job->a + first; a < job->a + end; a++, b += b_stride) {
        vec terms[VECS_MAX];
        load_terms(job, b, vecs, narrow, terms);
        if (!narrow && vecs == PACK_VECS) {
            UNROLL for (int at = 0; at < PACK_COLS; at += 16)
            {
                __builtin_prefetch(b + AHEAD + at);
            }
        }
        UNROLL for (int r = 0; r < rows; r++)
        {
            const vec weight = vec_splat(a[(size_t)r * a_stride]);
            UNROLL for (int v = 0; v < vecs; v++)
            {
                sum[r][v] = vec_fma(weight, terms[v], sum[r][v]);
            }
        }
    }
}

/* The same where some weights are 0: their terms leave the sum as it is, whatever stands in b. */
VEC_INLINE void add_some_terms(const struct tile *job, size_t first, size_t end, const int rows,
                               const int vecs, const bool narrow, tile_sums sum)
{
    const size_t a_stride = job->a_stride, b_stride = job->b_stride;
    const float *b = job->b + first * b_stride;
    for (const float *a = job->a + first; a < job->a + end; a++, b += b_stride) {
        vec terms[VECS_MAX];
        load_terms(job, b, vecs, narrow, terms);
        UNROLL for (int r = 0; r < rows; r++)
        {
            const vec weight = vec_splat(a[(size_t)r * a_stride]);
            const lanes none = weight == vec_splat(0);
            UNROLL for (int v = 0; v < vecs; v++)
            {
                sum[r][v] = vec_select(none, sum[r][v], vec_fma(weight, terms[v], sum[r][v]));
            }
        }
    }
}

/* With constant rows, vecs and narrow, all loops over them unroll and sum lives in registers. */
VEC_INLINE void sum_tile(const struct tile *job, const int rows, const int vecs, const bool narrow)
{
    tile_sums sum;
    UNROLL for (int r = 0; r < rows; r++)
    {
        UNROLL for (int v = 0; v < vecs; v++)
        {
            const float *from = job->out + (size_t)r * job->out_stride + v * WIDTH;
            sum[r][v] = !job->resume ? vec_splat(0)
                        : narrow     ? vec_load_part(from, job->part)
                                     : vec_load(from);
        }
    }
    if (job->chunks == NULL) {
        add_terms(job, 0, job->depth, rows, vecs, narrow, sum);
    } else {
        for (size_t first = 0; first < job->depth; first += KEY_CHUNK) {
            const size_t end = job->depth - first < KEY_CHUNK ? job->depth : first + KEY_CHUNK;
            const uint8_t chunk = job->chunks[first / KEY_CHUNK];
            if (chunk == CHUNK_FULL) {
                add_terms(job, first, end, rows, vecs, narrow, sum);
            } else if (chunk == CHUNK_MIXED) {
                add_some_terms(job, first, end, rows, vecs, narrow, sum);
            }
        }
    }
    UNROLL for (int r = 0; r < rows; r++)
    {
        UNROLL for (int v = 0; v < vecs; v++)
        {
            float *to = job->out + (size_t)r * job->out_stride + v * WIDTH;
            if (narrow) {
                vec_store_part(to, job->part, sum[r][v]);
            } else {
                vec_store(to, sum[r][v]);
            }
        }
    }
}

/* Which tiles there are. A packed product of 9 × 768 × 64 in GFLOP/s with AVX-512, panels in the
 * second cache and behind it (peak 185 and 217; the third cache gives 30 GB/s, so 135 at most):
 *
 *     6 × 4, the next panel of 64 KB fetched meanwhile          136   90
 *     12 × 2, 14 × 2: nine rows are one tile                    160  125
 *     14 × 2, AHEAD 512 floats, as good as 256 … 1024           178  131
 *     14 × 2, AHEAD 16384 floats; or 1024, second cache only    157  110; 167  120
 *
 * With 128 rows, 146 of 183 became 162. AVX2 has 16 registers: 6 × 2. */
/* clang-format off */
#define TILE(rows, vecs)                                                                           \
    static void tile_##rows##_##vecs(const struct tile *job) { sum_tile(job, rows, vecs, false); }
#define TILE_NARROW(rows)                                                                          \
    static void tile_##rows##_narrow(const struct tile *job) { sum_tile(job, rows, 1, true); }

#define TILES(rows) TILE(rows, 2) TILE(rows, 1) TILE_NARROW(rows)

TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6)
TILE(1, 4) TILE(2, 4) TILE(3, 4) TILE(1, 8)
#if ATTN_TILE >= 24
TILE(4, 4) TILE(5, 4) TILE(6, 4) TILE(2, 8) TILE(3, 8)
#define WIDE(tile) tile
#else
#define WIDE(tile) NULL
#endif
#if ATTN_ROWS > 6
TILES(7) TILES(8) TILES(9) TILES(10) TILES(11) TILES(12) TILES(13) TILES(14)
#endif
    /* clang-format on */

    enum {
        NARROW = 0,
        SIZES = 5
    };

/* The registers in a row of each column of the table; 0: the part of one. */
static const size_t tile_vecs[SIZES] = {0, 1, 2, 4, 8};

static tile_function *const tiles[ATTN_ROWS][SIZES] = {
    {tile_1_narrow, tile_1_1, tile_1_2, tile_1_4, tile_1_8},
    {tile_2_narrow, tile_2_1, tile_2_2, tile_2_4, WIDE(tile_2_8)},
    {tile_3_narrow, tile_3_1, tile_3_2, tile_3_4, WIDE(tile_3_8)},
    {tile_4_narrow, tile_4_1, tile_4_2, WIDE(tile_4_4), NULL},
    {tile_5_narrow, tile_5_1, tile_5_2, WIDE(tile_5_4), NULL},
    {tile_6_narrow, tile_6_1, tile_6_2, WIDE(tile_6_4), NULL},
#if ATTN_ROWS > 6
    {tile_7_narrow, tile_7_1, tile_7_2, NULL, NULL},
    {tile_8_narrow, tile_8_1, tile_8_2, NULL, NULL},
    {tile_9_narrow, tile_9_1, tile_9_2, NULL, NULL},
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
    const float *b = job->b;
    float *out = job->out;
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
            cols -= width;
        }
    }
    if (cols > 0) {
        sizes[NARROW](job);
    }
    job->b = b;
    job->out = out;
}

/* n rows in groups as equal as can be of at most `most`: 7 are 4 and 3, not 6 and 1. */
struct groups {
    size_t count, smaller, larger; /* the first `larger` groups have a row more than the others */
};

static struct groups groups_within(size_t rows, size_t most)
{
    const size_t count = (rows + most - 1) / most;
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

static size_t at_most(size_t a, size_t b)
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

/* out = a · b (or += with resume) for a panel of columns, all rows. */
static void sum_panel(struct tile *job, const struct groups *groups, size_t cols)
{
    const float *a = job->a;
    float *out = job->out;
    for (size_t group = 0; group < groups->count; group++) {
        const size_t start = group_start(groups, group), end = group_start(groups, group + 1);
        job->a = a + start * job->a_stride;
        job->out = out + start * job->out_stride;
        ask_for_sums(job, end - start, cols);
        sum_rows(job, end - start, cols);
    }
}

/* One tile high, as toys are: nothing to be cut. A layer of 4 tokens is more instructions than
 * arithmetic: with AVX2 4600 before this and its like in run.c, 3560 now, 345 and 296 ns; with
 * AVX-512 410 and 350 ns. */
static void project_small(struct attn_operand x, struct attn_operand w, struct attn_matrix out)
{
    struct tile job = {
        .a = x.values,
        .a_stride = x.stride,
        .b = w.values,
        .b_stride = w.stride,
        .out = out.values,
        .out_stride = out.stride,
        .depth = x.cols,
        .part = vec_part_of(out.cols % WIDTH),
    };
    sum_rows(&job, out.rows, out.cols);
}

/* A large w for few rows is bound by memory, and the processor fetches by itself what is read row
 * by row, if the rows that are read side by side are few. The next ones are asked for: a model's
 * weights then come at 11 GB/s, 7.8 unasked, 6.3 with 128 rows side by side, where one thread reads
 * 14. */
static bool comes_from_memory(const struct groups *groups, struct attn_operand w)
{
    return groups->count == 1 && w.rows * w.cols >= STREAM_FLOATS;
}

static void ask_for(struct attn_operand w, size_t first, size_t col, size_t cols)
{
    for (size_t row = first; row < at_most(first + STREAM_DEPTH, w.rows); row++) {
        for (size_t c = col; c < col + cols; c += 16) {
            __builtin_prefetch(w.values + row * w.stride + c);
        }
    }
}

static void vec_project(struct attn_operand x, struct attn_operand w, struct attn_matrix out)
{
    if (out.rows - 1 < ATTN_ROWS && x.cols <= DEPTH_BLOCK) {
        project_small(x, w, out);
        return;
    }
    const struct groups groups = groups_of(out.rows);
    const bool streams = comes_from_memory(&groups, w);
    const size_t most = streams ? STREAM_DEPTH : DEPTH_BLOCK;
    const size_t panel = streams ? PACK_COLS : groups.count == 1 ? out.cols : PANEL_COLS;
    size_t from = 0;
    do {
        const size_t depth = at_most(x.cols - from, most);
        for (size_t col = 0; col < out.cols; col += panel) {
            struct tile job = {
                .a = x.values + from,
                .a_stride = x.stride,
                .b = w.values + from * w.stride + col,
                .b_stride = w.stride,
                .out = out.values + col,
                .out_stride = out.stride,
                .depth = depth,
                .resume = from > 0,
                .part = vec_part_of((out.cols - col) % WIDTH),
                .chunks = NULL,
            };
            if (streams) {
                ask_for(w, from + depth, col, at_most(out.cols - col, panel));
            }
            sum_panel(&job, &groups, at_most(out.cols - col, panel));
        }
        from += depth;
    } while (from < x.cols);
}

/* panel [depth][stride] = k's rows first … first + count and columns from … from + depth,
 * turned. Lanes behind the last key hold the last key's numbers again; nobody looks at them. */
static void turn(struct attn_operand k, size_t first, size_t count, size_t from, size_t depth,
                 float *panel, size_t stride)
{
    for (size_t key = 0; key < count; key += WIDTH) {
        const float *rows[WIDTH];
        for (size_t j = 0; j < WIDTH; j++) {
            rows[j] = k.values + (first + at_most(key + j, count - 1)) * k.stride + from;
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
            const size_t at = at_most(p, depth - 4);
            vec out[4];
            vec_unzip(rows, at, out);
            for (size_t i = 0; i < 4; i++) {
                vec_store(panel + (at + i) * stride + key, out[i]);
            }
        }
    }
}

static void vec_scores(struct attn_operand q, struct attn_operand k, struct attn_matrix s)
{
    _Alignas(64) float panel[DEPTH_BLOCK * PANEL_COLS];
    const struct groups groups = groups_of(s.rows);
    if (s.rows == 0) {
        return;
    }
    for (size_t key = 0; key < s.cols; key += PANEL_COLS) {
        const size_t count = at_most(s.cols - key, PANEL_COLS);
        size_t from = 0;
        do {
            const size_t depth = at_most(q.cols - from, DEPTH_BLOCK);
            turn(k, key, count, from, depth, panel, PANEL_COLS);
            struct tile job = {
                .a = q.values + from,
                .a_stride = q.stride,
                .b = panel,
                .b_stride = PANEL_COLS,
                .out = s.values + key,
                .out_stride = s.stride,
                .depth = depth,
                .resume = from > 0,
                .part = vec_part_of(count % WIDTH),
                .chunks = NULL,
            };
            sum_panel(&job, &groups, count);
            from += depth;
        } while (from < q.cols);
    }
}

/* Says of each chunk of keys whether any of the rows' weights is 0, or all are. */
static void classify(const float *a, size_t a_stride, size_t rows, size_t depth, uint8_t *chunks)
{
    if (depth <= KEY_CHUNK / 2) {
        chunks[0] = CHUNK_MIXED; /* right for all, and quicker than a look */
        return;
    }
    for (size_t first = 0; first < depth; first += KEY_CHUNK) {
        const size_t count = at_most(depth - first, KEY_CHUNK);
        unsigned zeros = 0;
        for (size_t r = 0; r < rows; r++) {
            const float *weights = a + r * a_stride + first;
            for (size_t j = 0; j < count; j++) {
                zeros += weights[j] == 0 ? 1U : 0U;
            }
        }
        chunks[first / KEY_CHUNK] = zeros == 0              ? CHUNK_FULL
                                    : zeros == rows * count ? CHUNK_EMPTY
                                                            : CHUNK_MIXED;
    }
}

static void vec_blend(struct attn_operand a, struct attn_operand v, struct attn_matrix z)
{
    const struct groups groups = groups_of(z.rows);
    size_t from = 0;
    do {
        const size_t depth = at_most(a.cols - from, DEPTH_BLOCK);
        for (size_t group = 0; group < groups.count; group++) {
            const size_t start = group_start(&groups, group);
            const size_t rows = group_start(&groups, group + 1) - start;
            uint8_t chunks[KEY_CHUNKS];
            struct tile job = {
                .a = a.values + start * a.stride + from,
                .a_stride = a.stride,
                .b = v.values + from * v.stride,
                .b_stride = v.stride,
                .out = z.values + start * z.stride,
                .out_stride = z.stride,
                .depth = depth,
                .resume = from > 0,
                .part = vec_part_of(z.cols % WIDTH),
                .chunks = chunks,
            };
            classify(job.a, a.stride, rows, depth, chunks);
            sum_rows(&job, rows, z.cols);
        }
        from += depth;
    } while (from < a.cols);
}

#include "attn/kernels_softmax.inc"
#if defined(ATTN_MATRIX)
#include "attn/kernels_split.inc"
#endif
/* Each uses what the one before it defines, so their order is not the alphabet's. */
/* clang-format off */
#include "attn/kernels_panels.inc"
#include "attn/kernels_blocks.inc"
#include "attn/kernels_flash.inc"
#include "attn/kernels_tiny.inc"
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
    .project = vec_project,
    .scores = vec_scores,
    .scale_mask = vec_scale_mask,
    .softmax = vec_softmax,
    .blend = vec_blend,
    .panel = PACK_COLS,
    .pack = vec_pack,
    .attend_panel = BLOCK_COLS,
    .pack_keys = vec_pack_keys,
    .pack_values = vec_pack_values,
    .project_packed = vec_project_packed,
    .gate = vec_gate,
    .attend = vec_attend,
    .attend_kept = vec_attend_kept,
#if defined(ATTN_MATRIX)
    .split = &split_packing,
#endif
    .tiny = WIDTH,
    .run_tiny = vec_run_tiny,
    .peak = vec_peak,
};

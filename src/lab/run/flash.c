/* lab/run/flash.c — computes attention tile by tile. */
#include "lab/run/flash.h"

#include <math.h>
#include <string.h>

#include "lab/experiment/edits.h"

static const size_t floats_limit = (size_t)64 << 20;

/* A row of tiles that is being computed: the current tile, and the running results of its rows. */
struct walk {
    const struct lab_trace *trace;
    struct lab_sizes sizes;
    size_t head;
    struct lab_matrix queries, keys, values;
    size_t block_rows, block_cols;
    struct lab_flash_tile tile;
    float *scores, *power;                   /* [block_rows][block_cols] */
    float *max_before, *max, *rescale, *sum; /* [block_rows] */
    float *output;                           /* [block_rows][d_v] */
};

static bool may_replay(const struct lab_trace *trace, size_t block_rows, size_t block_cols,
                       struct error *error)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    if (block_rows < 1 || block_cols < 1) {
        return error_set(error, ERROR_INPUT, "A tile must have at least one row and one column.");
    }
    if (lab_trace_part(trace, LAB_Q, 0).values == NULL ||
        lab_trace_part(trace, LAB_K, 0).values == NULL ||
        lab_trace_part(trace, LAB_V, 0).values == NULL) {
        return error_set(error, ERROR_INPUT,
                         "Tile by tile needs queries, keys and values; here weights are given.");
    }
    if (experiment->normalise != LAB_SOFTMAX_ROWS || experiment->keep_maximum) {
        return error_set(error, ERROR_INPUT,
                         "Tile by tile needs softmax with its maximum subtracted: switch it on.");
    }
    for (size_t e = 0; e < lab_edits_count(experiment->edits); e++) {
        if (lab_edits_at(experiment->edits, e).part == LAB_ALPHA) {
            return error_set(error, ERROR_INPUT,
                             "Weights were typed by hand; tile by tile there is no matrix of "
                             "weights to type into: restore them first.");
        }
    }
    return true;
}

static size_t blocks_of(size_t count, size_t block)
{
    return (count + block - 1) / block;
}

static bool begin_walk(struct walk *walk, const struct lab_trace *trace,
                       const struct lab_flash *flash, struct arena *arena)
{
    const size_t rows = flash->block_rows, cells = rows * flash->block_cols;
    const struct lab_graph *const graph = lab_trace_graph(trace);
    *walk = (struct walk){.trace = trace,
                          .sizes = lab_trace_sizes(trace),
                          .head = flash->head,
                          .queries = lab_trace_part(trace, lab_graph_queries(graph), flash->head),
                          .keys = lab_trace_part(trace, lab_graph_keys(graph), flash->head),
                          .values = lab_trace_part(trace, LAB_V, flash->head),
                          .block_rows = rows,
                          .block_cols = flash->block_cols};
    walk->scores = arena_array(arena, cells, sizeof *walk->scores);
    walk->power = arena_array(arena, cells, sizeof *walk->power);
    walk->max_before = arena_array(arena, rows, sizeof *walk->max_before);
    walk->max = arena_array(arena, rows, sizeof *walk->max);
    walk->rescale = arena_array(arena, rows, sizeof *walk->rescale);
    walk->sum = arena_array(arena, rows, sizeof *walk->sum);
    walk->output = arena_array(arena, rows * walk->sizes.d_v, sizeof *walk->output);
    walk->tile = (struct lab_flash_tile){.scores = walk->scores,
                                         .max_before = walk->max_before,
                                         .max = walk->max,
                                         .rescale = walk->rescale,
                                         .sum = walk->sum,
                                         .power = walk->power,
                                         .output = walk->output};
    return walk->scores != NULL && walk->power != NULL && walk->max_before != NULL &&
           walk->max != NULL && walk->rescale != NULL && walk->sum != NULL && walk->output != NULL;
}

/* Begins a row of tiles. */
static void begin_row(struct walk *walk, size_t row)
{
    walk->tile.row = row;
    walk->tile.rows =
        row + walk->block_rows < walk->sizes.n ? walk->block_rows : walk->sizes.n - row;
    for (size_t r = 0; r < walk->tile.rows; r++) {
        walk->max[r] = -INFINITY;
        walk->sum[r] = 0;
    }
    memset(walk->output, 0, walk->tile.rows * walk->sizes.d_v * sizeof *walk->output);
}

static float scaled_score(const struct walk *walk, size_t i, size_t j)
{
    if (!lab_trace_sees(walk->trace, i, j)) {
        return -INFINITY;
    }
    const float *const query = walk->queries.values + i * walk->queries.stride;
    const float *const key = walk->keys.values + j * walk->keys.stride;
    float sum = 0;
    for (size_t c = 0; c < walk->sizes.d_k; c++) {
        sum = fmaf(query[c], key[c], sum);
    }
    return lab_trace_adjusted(walk->trace, walk->head, i, j, sum);
}

/* Adds one row of a tile; `rescale` corrects the former sums to the new maximum. */
static void add_row(struct walk *walk, size_t r)
{
    const struct lab_flash_tile *const tile = &walk->tile;
    const size_t d_v = walk->sizes.d_v;
    float *const scores = walk->scores + r * tile->cols, *const power =
                                                             walk->power + r * tile->cols;
    float *const output = walk->output + r * d_v;
    float max = walk->max[r];
    for (size_t j = 0; j < tile->cols; j++) {
        scores[j] = scaled_score(walk, tile->row + r, tile->col + j);
        max = fmaxf(max, scores[j]);
    }
    walk->rescale[r] = max > walk->max[r] ? expf(walk->max[r] - max) : 1;
    walk->max[r] = max;
    walk->sum[r] *= walk->rescale[r];
    for (size_t c = 0; c < d_v; c++) {
        output[c] *= walk->rescale[r];
    }
    for (size_t j = 0; j < tile->cols; j++) {
        power[j] = isinf(scores[j]) && scores[j] < 0 ? 0 : expf(scores[j] - max);
        walk->sum[r] += power[j];
        for (size_t c = 0; c < d_v; c++) {
            output[c] += power[j] * lab_matrix_at(&walk->values, tile->col + j, c);
        }
    }
}

static bool sees_any(const struct lab_trace *trace, const struct lab_flash_tile *tile)
{
    for (size_t i = tile->row; i < tile->row + tile->rows; i++) {
        for (size_t j = tile->col; j < tile->col + tile->cols; j++) {
            if (lab_trace_sees(trace, i, j)) {
                return true;
            }
        }
    }
    return false;
}

/* Adds the tile whose keys begin at col to those before it in its row. */
static void add_tile(struct walk *walk, size_t col)
{
    struct lab_flash_tile *const tile = &walk->tile;
    tile->col = col;
    tile->cols = col + walk->block_cols < walk->sizes.m ? walk->block_cols : walk->sizes.m - col;
    memcpy(walk->max_before, walk->max, tile->rows * sizeof *walk->max);
    tile->skipped = !sees_any(walk->trace, tile);
    for (size_t r = 0; r < tile->rows; r++) {
        if (!tile->skipped) {
            add_row(walk, r);
            continue;
        }
        walk->rescale[r] = 1;
        for (size_t j = 0; j < tile->cols; j++) {
            walk->scores[r * tile->cols + j] = -INFINITY;
            walk->power[r * tile->cols + j] = 0;
        }
    }
}

/* The results that are kept of all tiles. */
struct left {
    float *running_max, *running_sum, *z;
    bool *skips;
};

static bool make_room(struct left *left, const struct lab_flash *flash,
                      const struct lab_sizes *sizes, struct arena *arena, struct error *error)
{
    const size_t n = sizes->n, columns = flash->col_blocks;
    if (n * (2 * columns + sizes->d_v) > floats_limit) {
        return error_set(error, ERROR_MEMORY,
                         "These are %zu × %zu tiles, too many to keep what is left of them: take "
                         "larger tiles.",
                         flash->row_blocks, columns);
    }
    left->running_max = arena_array(arena, n * columns, sizeof *left->running_max);
    left->running_sum = arena_array(arena, n * columns, sizeof *left->running_sum);
    left->z = arena_array(arena, n * sizes->d_v, sizeof *left->z);
    left->skips = arena_array(arena, flash->tiles, sizeof *left->skips);
    return (left->skips != NULL && left->running_max != NULL && left->running_sum != NULL &&
            left->z != NULL) ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for the tiles.");
}

/* Adds a row of tiles from first to last and divides O by l; a row that saw no key stays 0. */
static void walk_row(struct walk *walk, struct lab_flash *flash, const struct left *left)
{
    const size_t d_v = walk->sizes.d_v, columns = flash->col_blocks, first = walk->tile.row;
    for (size_t block = 0; block < columns; block++) {
        add_tile(walk, block * flash->block_cols);
        flash->skipped += walk->tile.skipped ? 1 : 0;
        left->skips[first / flash->block_rows * columns + block] = walk->tile.skipped;
        for (size_t r = 0; r < walk->tile.rows; r++) {
            left->running_max[(first + r) * columns + block] = walk->max[r];
            left->running_sum[(first + r) * columns + block] = walk->sum[r];
        }
    }
    const struct lab_matrix plain = lab_trace_part(walk->trace, LAB_Z, flash->head);
    for (size_t r = 0; r < walk->tile.rows; r++) {
        for (size_t c = 0; c < d_v; c++) {
            const float z = walk->sum[r] > 0 ? walk->output[r * d_v + c] / walk->sum[r] : 0;
            left->z[(first + r) * d_v + c] = z;
            flash->difference =
                fmaxf(flash->difference, fabsf(z - lab_matrix_at(&plain, first + r, c)));
        }
    }
}

bool lab_flash_replay(const struct lab_trace *trace, size_t head, size_t block_rows,
                      size_t block_cols, struct arena *arena, struct lab_flash *flash,
                      struct error *error)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    if (!may_replay(trace, block_rows, block_cols, error)) {
        return false;
    }
    const size_t rows = block_rows < s.n ? block_rows : s.n;
    const size_t cols = block_cols < s.m ? block_cols : s.m;
    *flash = (struct lab_flash){
        .head = head < s.heads ? head : s.heads - 1,
        .block_rows = rows,
        .block_cols = cols,
        .row_blocks = blocks_of(s.n, rows),
        .col_blocks = blocks_of(s.m, cols),
        .tiles = blocks_of(s.n, rows) * blocks_of(s.m, cols),
        .bytes_plain = s.n * s.m * sizeof(float),
        .bytes_tiled = (rows * cols + rows * (2 + s.d_v)) * sizeof(float),
    };
    struct left left = {NULL, NULL, NULL, NULL};
    struct walk walk;
    if (!make_room(&left, flash, &s, arena, error)) {
        return false;
    }
    if (!begin_walk(&walk, trace, flash, arena)) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the tiles.");
    }
    for (size_t row = 0; row < s.n; row += rows) {
        begin_row(&walk, row);
        walk_row(&walk, flash, &left);
    }
    flash->running_max = left.running_max;
    flash->running_sum = left.running_sum;
    flash->z = left.z;
    flash->skips = left.skips;
    return true;
}

bool lab_flash_tile_of(const struct lab_trace *trace, const struct lab_flash *flash, size_t number,
                       struct arena *arena, struct lab_flash_tile *tile)
{
    struct walk walk;
    if (number >= flash->tiles || !begin_walk(&walk, trace, flash, arena)) {
        return false;
    }
    begin_row(&walk, number / flash->col_blocks * flash->block_rows);
    for (size_t block = 0; block <= number % flash->col_blocks; block++) {
        add_tile(&walk, block * flash->block_cols);
    }
    *tile = walk.tile;
    return true;
}

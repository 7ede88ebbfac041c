/* lab/flash.c — attention tile by tile. */
#include "lab/flash.h"

#include <math.h>
#include <string.h>

#include "lab/edits.h"

static const size_t floats_limit = (size_t)64 << 20;

/* The tiles of one head under way. */
struct replay {
    const struct lab_trace *trace;
    struct arena *arena;
    struct lab_sizes sizes;
    struct lab_matrix values;
    struct lab_flash *flash;
    struct lab_flash_tile *tile;
    float *max, *sum, *output; /* [n], [n], [n][d_v]: as they stand now */
    float *running_max, *running_sum;
};

static bool may_replay(const struct lab_trace *trace, size_t block_rows, size_t block_cols,
                       struct error *error)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    if (block_rows < 1 || block_cols < 1) {
        return error_set(error, ERROR_INPUT, "A tile must have at least one row and one column.");
    }
    if (experiment->normalise != LAB_SOFTMAX_ROWS || experiment->keep_maximum) {
        return error_set(error, ERROR_INPUT,
                         "Tile by tile needs softmax with its maximum subtracted: switch it on.");
    }
    for (size_t e = 0; e < lab_edits_count(experiment->edits); e++) {
        if (lab_edits_at(experiment->edits, e).part == LAB_ALPHA) {
            return error_set(error, ERROR_INPUT,
                             "Weights were typed by hand; tile by tile there is no matrix of "
                             "weights to type into: let them go first.");
        }
    }
    return true;
}

static size_t blocks_of(size_t count, size_t block)
{
    return (count + block - 1) / block;
}

static bool make_room(struct replay *now, struct error *error)
{
    const size_t n = now->sizes.n, d_v = now->sizes.d_v;
    struct lab_flash *const flash = now->flash;
    const size_t kept = n * flash->col_blocks * (d_v + 6) + n * now->sizes.m;
    if (kept > floats_limit) {
        return error_set(error, ERROR_MEMORY,
                         "These are %zu × %zu tiles, too many to keep them all: take larger tiles.",
                         flash->row_blocks, flash->col_blocks);
    }
    now->tile = arena_array(now->arena, flash->tiles, sizeof *now->tile);
    now->max = arena_array(now->arena, n, sizeof *now->max);
    now->sum = arena_array(now->arena, n, sizeof *now->sum);
    now->output = arena_array(now->arena, n * d_v, sizeof *now->output);
    now->running_max = arena_array(now->arena, n * flash->col_blocks, sizeof *now->running_max);
    now->running_sum = arena_array(now->arena, n * flash->col_blocks, sizeof *now->running_sum);
    if (now->tile == NULL || now->max == NULL || now->sum == NULL || now->output == NULL ||
        now->running_max == NULL || now->running_sum == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the tiles.");
    }
    for (size_t i = 0; i < n; i++) {
        now->max[i] = -INFINITY;
        now->sum[i] = 0;
    }
    memset(now->output, 0, n * d_v * sizeof *now->output);
    return true;
}

/* One row of a tile: everything above the max of before is taken back by `rescale`. */
static void add_row(struct replay *now, const struct lab_flash_tile *tile, size_t r, float *power,
                    float *rescale)
{
    const size_t i = tile->row + r, d_v = now->sizes.d_v;
    float *const output = now->output + i * d_v;
    float most = now->max[i];
    for (size_t j = 0; j < tile->cols; j++) {
        power[j] = lab_trace_scaled(now->trace, now->flash->head, i, tile->col + j);
        most = fmaxf(most, power[j]);
    }
    *rescale = most > now->max[i] ? expf(now->max[i] - most) : 1;
    now->max[i] = most;
    now->sum[i] *= *rescale;
    for (size_t c = 0; c < d_v; c++) {
        output[c] *= *rescale;
    }
    for (size_t j = 0; j < tile->cols; j++) {
        power[j] = isinf(power[j]) && power[j] < 0 ? 0 : expf(power[j] - most);
        now->sum[i] += power[j];
        for (size_t c = 0; c < d_v; c++) {
            output[c] += power[j] * lab_matrix_at(&now->values, tile->col + j, c);
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

static float *copy_of(struct arena *arena, const float *values, size_t count)
{
    float *const copy = arena_array(arena, count, sizeof *copy);
    if (copy != NULL) {
        memcpy(copy, values, count * sizeof *copy);
    }
    return copy;
}

static bool add_tile(struct replay *now, struct lab_flash_tile *tile)
{
    const size_t d_v = now->sizes.d_v, column = tile->col / now->flash->block_cols;
    float *const power = arena_array(now->arena, tile->rows * tile->cols, sizeof *power);
    float *const rescale = arena_array(now->arena, tile->rows, sizeof *rescale);
    tile->max_before = copy_of(now->arena, now->max + tile->row, tile->rows);
    tile->skipped = !sees_any(now->trace, tile);
    now->flash->skipped += tile->skipped ? 1 : 0;
    for (size_t r = 0; power != NULL && rescale != NULL && r < tile->rows; r++) {
        const size_t i = tile->row + r;
        rescale[r] = 1;
        if (tile->skipped) {
            memset(power + r * tile->cols, 0, tile->cols * sizeof *power);
        } else {
            add_row(now, tile, r, power + r * tile->cols, &rescale[r]);
        }
        now->running_max[i * now->flash->col_blocks + column] = now->max[i];
        now->running_sum[i * now->flash->col_blocks + column] = now->sum[i];
    }
    tile->power = power;
    tile->rescale = rescale;
    tile->max = copy_of(now->arena, now->max + tile->row, tile->rows);
    tile->sum = copy_of(now->arena, now->sum + tile->row, tile->rows);
    tile->output = copy_of(now->arena, now->output + tile->row * d_v, tile->rows * d_v);
    return power != NULL && rescale != NULL && tile->max_before != NULL && tile->max != NULL &&
           tile->sum != NULL && tile->output != NULL;
}

/* O ÷ l, in place; a row that saw no key stays 0. */
static void finish(struct replay *now)
{
    const struct lab_matrix plain = lab_trace_part(now->trace, LAB_Z, now->flash->head);
    for (size_t i = 0; i < now->sizes.n; i++) {
        for (size_t c = 0; c < now->sizes.d_v; c++) {
            float *const cell = now->output + i * now->sizes.d_v + c;
            *cell = now->sum[i] > 0 ? *cell / now->sum[i] : 0;
            now->flash->difference =
                fmaxf(now->flash->difference, fabsf(*cell - lab_matrix_at(&plain, i, c)));
        }
    }
    now->flash->z = now->output;
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
    struct replay now = {.trace = trace, .arena = arena, .sizes = s, .flash = flash};
    now.values = lab_trace_part(trace, LAB_V, flash->head);
    if (!make_room(&now, error)) {
        return false;
    }
    for (size_t t = 0; t < flash->tiles; t++) {
        const size_t row = t / flash->col_blocks * rows, col = t % flash->col_blocks * cols;
        now.tile[t] = (struct lab_flash_tile){
            .row = row,
            .rows = row + rows < s.n ? rows : s.n - row,
            .col = col,
            .cols = col + cols < s.m ? cols : s.m - col,
        };
        if (!add_tile(&now, &now.tile[t])) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory for the tiles.");
        }
    }
    flash->tile = now.tile;
    flash->running_max = now.running_max;
    flash->running_sum = now.running_sum;
    finish(&now);
    return true;
}

/* lab/run/flash.h — attention tile by tile, replayed so that every step can be looked at: the
 * running maximum m, the running sum l and the unfinished output O of every row.
 *
 *     m′ = max(m, largest of the tile's row)     O ← O·e^(m−m′) + e^(S−m′)·V
 *     l ← l·e^(m−m′) + Σ e^(S−m′)                at the end: Z = O ÷ l
 *
 * Milakov and Gimelshein, Online normalizer calculation for softmax (2018); Dao et al.,
 * FlashAttention (2022). Plain C in float32; the fused kernels of the core do the same. */
#ifndef LAB_RUN_FLASH_H
#define LAB_RUN_FLASH_H

#include "lab/run/trace.h"

/* One tile: `rows` queries from `row` on, `cols` keys from `col` on, and the state of its rows
 * afterwards. */
struct lab_flash_tile {
    size_t row, rows, col, cols;
    bool skipped;            /* no query of it sees any of its keys, so nothing was computed */
    const float *scores;     /* [rows][cols] S, scaled; −∞ where hidden */
    const float *max_before; /* [rows] m, −∞ before the first key that is seen */
    const float *max;        /* [rows] m′ */
    const float *rescale; /* [rows] e^(m−m′); 1 where the maximum did not change, 0 at the first
                             key */
    const float *sum;     /* [rows] l */
    const float *power;   /* [rows][cols] e^(S−m′), 0 where hidden */
    const float *output;  /* [rows][d_v] O, not yet divided by l */
};

/* The results of all tiles; no tile itself is kept. */
struct lab_flash {
    size_t head, block_rows, block_cols;
    size_t row_blocks, col_blocks; /* tile number r·col_blocks + c stands at (r, c) */
    size_t tiles, skipped;
    const bool *skips;                      /* [tiles] true where it was skipped */
    const float *running_max, *running_sum; /* [n][col_blocks] after every tile of the row */
    const float *z;                         /* [n][d_v] */
    float difference;                       /* largest |z − Z of the trace| */
    size_t bytes_plain;                     /* of the whole matrix of scores */
    size_t bytes_tiled;                     /* of one tile, and of m, l and O of its rows */
};

/* Computes all tiles. Scores are made from Q and K tile by tile; only Z of the trace is read, for
 * the difference. The arena owns everything. Returns false and a sentence for a block of 0, weights
 * that are no softmax or were typed by hand, or too many tiles to keep their results. */
bool lab_flash_replay(const struct lab_trace *trace, size_t head, size_t block_rows,
                      size_t block_cols, struct arena *arena, struct lab_flash *flash,
                      struct error *error);

/* Computes a tile of a replay (below flash->tiles) again, by its row of tiles up to it. Returns
 * false without memory. */
bool lab_flash_tile_of(const struct lab_trace *trace, const struct lab_flash *flash, size_t number,
                       struct arena *arena, struct lab_flash_tile *tile);

/* Says in plain sentences what the tile did to its rows: which queries meet which keys, and how the
 * sums change where a maximum grows (of `query` if it is among them). tile NULL: it describes the
 * result of all tiles. NULL: no memory. (lab/explain/flash_words.c) */
const char *lab_flash_sentence(const struct lab_trace *trace, const struct lab_flash *flash,
                               const struct lab_flash_tile *tile, size_t query,
                               struct arena *arena);

/* Returns how many decimals distinguish a factor e^(m−m′) from 0. */
int lab_flash_decimals(float factor);

/* Returns 2.4e-7 as "2·10⁻⁷", and "0" for 0. */
const char *lab_small_number(struct arena *arena, float value);

#endif

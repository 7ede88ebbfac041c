/* attn/kernels_panels.h — the second factor of a product, packed once for many products.
 *
 * A part of kernels_tmpl.c. A panel is PACK_COLS columns of b, row by row; panels follow each
 * other:
 *
 *     b  ▒▒▒▒▓▓▓▓░░   packed  ▒▒▒▒ ▒▒▒▒ ▒▒▒▒ … ▓▓▓▓ ▓▓▓▓ ▓▓▓▓ … ░░·· ░░·· ░░··
 *        ▒▒▒▒▓▓▓▓░░
 *        ▒▒▒▒▓▓▓▓░░   a tile reads its panel from the first number to the last
 */
#ifndef ATTN_KERNELS_PANELS_H
#define ATTN_KERNELS_PANELS_H

enum {
    PANEL_DEPTH = 256, /* terms of a panel that stay in the first cache: 16 KB with AVX2 */
    PANEL_ROWS = 96,   /* rows of a that stay in the second one */
};

static void vec_pack(struct attn_operand b, float *panels)
{
    for (size_t col = 0; col < b.cols; col += PACK_COLS) {
        const size_t count = at_most(b.cols - col, PACK_COLS);
        float *to = panels + col * b.rows;
        for (size_t p = 0; p < b.rows; p++, to += PACK_COLS) {
            const float *from = b.values + p * b.stride + col;
            if (count == PACK_COLS) {
                UNROLL for (int v = 0; v < PACK_VECS; v++)
                {
                    vec_store(to + v * WIDTH, vec_load(from + v * WIDTH));
                }
                continue;
            }
            for (size_t j = 0; j < PACK_COLS; j++) {
                to[j] = j < count ? from[j] : 0;
            }
        }
    }
}

static void vec_pack_turned(struct attn_operand k, float *panels)
{
    for (size_t key = 0; key < k.rows; key += PACK_COLS) {
        const size_t count = at_most(k.rows - key, PACK_COLS);
        float *to = panels + key * k.cols;
        turn(k, key, count, 0, k.cols, to, PACK_COLS);
        /* Registers without any key: their numbers are computed with, and not looked at. */
        for (size_t j = (count + WIDTH - 1) / WIDTH * WIDTH; j < PACK_COLS; j++) {
            for (size_t p = 0; p < k.cols; p++) {
                to[p * PACK_COLS + j] = 0;
            }
        }
    }
}

static void vec_project_packed(struct attn_operand x, const float *panels, struct attn_matrix out)
{
    for (size_t row = 0; row < out.rows; row += PANEL_ROWS) {
        const struct groups groups = groups_of(at_most(out.rows - row, PANEL_ROWS));
        for (size_t col = 0; col < out.cols; col += PACK_COLS) {
            size_t from = 0;
            do {
                const size_t depth = at_most(x.cols - from, PANEL_DEPTH);
                struct tile job = {
                    .a = x.values + row * x.stride + from,
                    .a_stride = x.stride,
                    .b = panels + col * x.cols + from * PACK_COLS,
                    .b_stride = PACK_COLS,
                    .out = out.values + row * out.stride + col,
                    .out_stride = out.stride,
                    .depth = depth,
                    .resume = from > 0,
                    .ahead = PANEL_DEPTH * PACK_COLS,
                    .part = vec_part_of((out.cols - col) % WIDTH),
                    .chunks = NULL,
                };
                sum_panel(&job, &groups, at_most(out.cols - col, PACK_COLS));
                from += depth;
            } while (from < x.cols);
        }
    }
}

#endif

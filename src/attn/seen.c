/* attn/seen.c — scores of the pairs that a mask shows, and of no others. */
#include "attn/attn.h"

enum {
    EXACT_PAIRS = 64 * 64, /* up to so many, rows are taken one by one */
    BLOCK_ROWS = 32,
    BLOCK_KEYS = 64, /* a whole number of bytes to look through at once */
};

struct block {
    size_t row, rows, key, keys;
};

static void score_block(const struct attn_kernels *kernels, struct attn_operand q,
                        struct attn_operand k, struct attn_matrix s, struct block at)
{
    q.values += at.row * q.stride;
    q.rows = at.rows;
    k.values += at.key * k.stride;
    k.rows = at.keys;
    s.values += at.row * s.stride + at.key;
    s.rows = at.rows;
    s.cols = at.keys;
    attn_scores(kernels, q, k, s);
}

/* A row's runs of keys that it sees. */
static size_t score_runs(const struct attn_kernels *kernels, struct attn_operand q,
                         struct attn_operand k, struct attn_mask mask, struct attn_matrix s,
                         size_t row)
{
    const uint8_t *const seen = mask.visible + row * mask.stride;
    size_t count = 0;
    for (size_t key = 0; key < s.cols; key++) {
        size_t end = key;
        while (end < s.cols && seen[end] != 0) {
            end++;
        }
        if (end > key) {
            score_block(kernels, q, k, s, (struct block){row, 1, key, end - key});
            count += end - key;
            key = end;
        }
    }
    return count;
}

static bool any_seen(struct attn_mask mask, struct block at)
{
    for (size_t i = at.row; i < at.row + at.rows; i++) {
        const uint8_t *const row = mask.visible + i * mask.stride + at.key;
        for (size_t j = 0; j < at.keys; j++) {
            if (row[j] != 0) {
                return true;
            }
        }
    }
    return false;
}

size_t attn_scores_seen(const struct attn_kernels *kernels, struct attn_operand q,
                        struct attn_operand k, struct attn_mask mask, struct attn_matrix s)
{
    size_t count = 0;
    if (mask.visible == NULL) {
        attn_scores(kernels, q, k, s);
        return s.rows * s.cols;
    }
    if (s.rows <= EXACT_PAIRS && s.cols <= EXACT_PAIRS && s.rows * s.cols <= EXACT_PAIRS) {
        for (size_t row = 0; row < s.rows; row++) {
            count += score_runs(kernels, q, k, mask, s, row);
        }
        return count;
    }
    for (size_t row = 0; row < s.rows; row += BLOCK_ROWS) {
        for (size_t key = 0; key < s.cols; key += BLOCK_KEYS) {
            const struct block at = {row, s.rows - row < BLOCK_ROWS ? s.rows - row : BLOCK_ROWS,
                                     key, s.cols - key < BLOCK_KEYS ? s.cols - key : BLOCK_KEYS};
            if (any_seen(mask, at)) {
                score_block(kernels, q, k, s, at);
                count += at.rows * at.keys;
            }
        }
    }
    return count;
}

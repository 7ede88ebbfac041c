/* lab/experiment/positions.h — how the place of a word changes its numbers. Places count from 0. */
#ifndef LAB_EXPERIMENT_POSITIONS_H
#define LAB_EXPERIMENT_POSITIONS_H

#include <stdbool.h>
#include <stddef.h>

enum lab_positions {
    LAB_POSITIONS_NONE,
    LAB_POSITIONS_SINUSOIDAL, /* added to the embeddings */
    LAB_POSITIONS_ROPE,       /* queries and keys are turned */
    LAB_POSITIONS_KINDS
};

struct lab_positions_row {
    const char *name;     /* "none", "sinusoidal", "rope" */
    const char *title;    /* "None", "Sinusoidal", "Rotary" */
    const char *formula;  /* "X = embeddings + P" */
    const char *sentence; /* one clause */
};

/* The two dimensions that turn together. */
enum lab_rotary_pairs {
    LAB_PAIRS_NEIGHBOURS, /* 0 and 1, 2 and 3 and so on (Su et al., RoFormer, 2021) */
    LAB_PAIRS_HALVES, /* 0 and w/2, 1 and w/2 + 1 and so on (GPT-NeoX, and Llama in Hugging Face) */
    LAB_PAIRS_KINDS
};

/* How rotary positions turn: of a row of `size` numbers the first w = size · share (a whole number)
 * turn, pair p by the angle place · theta^(−2p/w). */
struct lab_rotary {
    double theta; /* 10000 */
    enum lab_rotary_pairs pairs;
    double share;        /* above 0, at most 1 */
    const float *speeds; /* [2][w/2] angles between neighbouring places, in place of those of
                            theta, and factors for the turned numbers; NULL: theta's angles and
                            factors of 1 */
};

/* Returns how many numbers of a row of that size turn. */
size_t lab_rotary_width(const struct lab_rotary *rotary, size_t size);

/* The pair that a column belongs to: its number and both its columns, which are equal where the
 * column does not turn. */
struct lab_rotary_pair {
    size_t number, first, second;
};
struct lab_rotary_pair lab_rotary_pair_of(const struct lab_rotary *rotary, size_t size,
                                          size_t column);

/* Returns the angle in radians by which pair p has turned at a place. */
double lab_rotary_angle(const struct lab_rotary *rotary, size_t place, size_t pair, size_t size);

/* Returns the factor of a pair after it has turned. */
double lab_rotary_stretch(const struct lab_rotary *rotary, size_t pair, size_t size);

/* Returns the row of positions, which must be below LAB_POSITIONS_KINDS. */
const struct lab_positions_row *lab_positions_row(enum lab_positions positions);

/* Returns P[place][c]: the sine of place · 10000^(−2p/size), p = c / 2, where c is even, and the
 * cosine where it is odd (Vaswani et al., 2017). */
float lab_positions_wave(size_t place, size_t column, size_t size);

/* Turns rows [count][size] in place, row r by the angles of place r; the last of an odd number of
 * columns does not turn. */
void lab_rotary_turn(const struct lab_rotary *rotary, float *rows, size_t count, size_t size);

/* Turns one row [size] in place by a part, 0 to 1, of the angles of its place. */
void lab_rotary_turn_part(const struct lab_rotary *rotary, float *row, size_t size, size_t place,
                          double part);

#endif

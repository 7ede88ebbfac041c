/* lab/experiment/positions.h — how the place of a word gets into its numbers. Places count from 0.
 */
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

/* positions must be below LAB_POSITIONS_KINDS. */
const struct lab_positions_row *lab_positions_row(enum lab_positions positions);
bool lab_positions_find(const char *name, enum lab_positions *positions);

/* The angle in radians by which pair p (dimensions 2p and 2p + 1 of size) has turned at a place:
 * place · 10000^(−2p/size). Sinusoids take sine and cosine of the same angle. */
double lab_positions_angle(size_t place, size_t pair, size_t size);

/* P[place][c]: sine of the angle where c is even, cosine where it is odd (Vaswani et al., 2017). */
float lab_positions_wave(size_t place, size_t column, size_t size);

/* Turns rows [count][size] in place, row r by the angles of place r: pairs (2p, 2p + 1), the last
 * of an odd number stays (Su et al., RoFormer, 2021). */
void lab_positions_turn(float *rows, size_t count, size_t size);

/* One row [size] in place, by that share (0 … 1) of the angles of its place. */
void lab_positions_turn_part(float *row, size_t size, size_t place, double share);

#endif

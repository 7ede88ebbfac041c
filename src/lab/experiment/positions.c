/* lab/experiment/positions.c — sinusoids to add, angles to turn by. */
#include "lab/experiment/positions.h"

#include <math.h>
#include <string.h>

static const struct lab_positions_row kinds[LAB_POSITIONS_KINDS] = {
    [LAB_POSITIONS_NONE] = {"none", "None", "X = embeddings",
                            "the order of the words makes no difference"},
    [LAB_POSITIONS_SINUSOIDAL] = {"sinusoidal", "Sinusoidal", "X = embeddings + P",
                                  "a wave for every dimension, read at the word's place, is added "
                                  "to its embedding"},
    [LAB_POSITIONS_ROPE] = {"rope", "Rotary", "q′ = R(i)·q, k′ = R(j)·k",
                            "queries and keys are turned by their place, so that scores depend on "
                            "the distance alone"},
};

const struct lab_positions_row *lab_positions_row(enum lab_positions positions)
{
    return &kinds[positions];
}

bool lab_positions_find(const char *name, enum lab_positions *positions)
{
    for (size_t k = 0; k < LAB_POSITIONS_KINDS; k++) {
        if (strcmp(kinds[k].name, name) == 0) {
            *positions = (enum lab_positions)k;
            return true;
        }
    }
    return false;
}

double lab_positions_angle(size_t place, size_t pair, size_t size)
{
    return (double)place * pow(10000.0, -2.0 * (double)pair / (double)size);
}

float lab_positions_wave(size_t place, size_t column, size_t size)
{
    const double angle = lab_positions_angle(place, column / 2, size);
    return (float)(column % 2 == 0 ? sin(angle) : cos(angle));
}

void lab_positions_turn_part(float *row, size_t size, size_t place, double share)
{
    for (size_t p = 0; p < size / 2; p++) {
        const double angle = share * lab_positions_angle(place, p, size);
        float *const pair = row + 2 * p;
        const double x = (double)pair[0], y = (double)pair[1];
        pair[0] = (float)(x * cos(angle) - y * sin(angle));
        pair[1] = (float)(x * sin(angle) + y * cos(angle));
    }
}

void lab_positions_turn(float *rows, size_t count, size_t size)
{
    for (size_t r = 0; r < count; r++) {
        lab_positions_turn_part(rows + r * size, size, r, 1);
    }
}

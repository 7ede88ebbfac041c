/* lab/experiment/positions.c — sinusoids that are added, and angles to turn by. */
#include "lab/experiment/positions.h"

#include <math.h>

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

size_t lab_rotary_width(const struct lab_rotary *rotary, size_t size)
{
    const size_t width = (size_t)floor(rotary->share * (double)size + 1e-3);
    return width < size ? width : size;
}

struct lab_rotary_pair lab_rotary_pair_of(const struct lab_rotary *rotary, size_t size,
                                          size_t column)
{
    const size_t pairs = lab_rotary_width(rotary, size) / 2;
    if (column >= 2 * pairs) {
        return (struct lab_rotary_pair){0, column, column};
    }
    if (rotary->pairs == LAB_PAIRS_HALVES) {
        const size_t number = column % pairs;
        return (struct lab_rotary_pair){number, number, number + pairs};
    }
    return (struct lab_rotary_pair){column / 2, column / 2 * 2, column / 2 * 2 + 1};
}

/* The angle is place · theta^(−2p/width). */
static double angle_of(double theta, size_t place, size_t pair, size_t width)
{
    return (double)place * pow(theta, -2.0 * (double)pair / (double)width);
}

double lab_rotary_angle(const struct lab_rotary *rotary, size_t place, size_t pair, size_t size)
{
    return rotary->speeds != NULL
               ? (double)place * (double)rotary->speeds[pair]
               : angle_of(rotary->theta, place, pair, lab_rotary_width(rotary, size));
}

double lab_rotary_stretch(const struct lab_rotary *rotary, size_t pair, size_t size)
{
    const size_t pairs = lab_rotary_width(rotary, size) / 2;
    return rotary->speeds != NULL ? (double)rotary->speeds[pairs + pair] : 1;
}

float lab_positions_wave(size_t place, size_t column, size_t size)
{
    const double angle = angle_of(10000.0, place, column / 2, size);
    return (float)(column % 2 == 0 ? sin(angle) : cos(angle));
}

void lab_rotary_turn_part(const struct lab_rotary *rotary, float *row, size_t size, size_t place,
                          double part)
{
    const size_t pairs = lab_rotary_width(rotary, size) / 2;
    const bool halves = rotary->pairs == LAB_PAIRS_HALVES;
    for (size_t p = 0; p < pairs; p++) {
        const double angle = part * lab_rotary_angle(rotary, place, p, size);
        const double by = 1 + part * (lab_rotary_stretch(rotary, p, size) - 1);
        float *const first = row + (halves ? p : 2 * p);
        float *const second = first + (halves ? pairs : 1);
        const double x = (double)*first, y = (double)*second;
        *first = (float)(by * (x * cos(angle) - y * sin(angle)));
        *second = (float)(by * (x * sin(angle) + y * cos(angle)));
    }
}

void lab_rotary_turn(const struct lab_rotary *rotary, float *rows, size_t count, size_t size)
{
    for (size_t r = 0; r < count; r++) {
        lab_rotary_turn_part(rotary, rows + r * size, size, r, 1);
    }
}

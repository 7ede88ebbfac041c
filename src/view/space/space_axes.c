#include "view/space/space_axes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "view/space/space.h"

enum {
    CACHED = 6, /* a picture asks for two at most; back and forth between stages for a few more */
    PARTS = 4   /* mean and three components, each a number a column */
};

struct view_axes {
    struct cached {
        uint64_t mark; /* of the numbers; 0: nothing is cached here */
        struct lab_frame frame;
        double *numbers; /* what the frame points into */
    } cached[CACHED];
    size_t oldest;
    struct space_hold hold;
};

struct space_hold *view_axes_hold(struct view_axes *axes)
{
    return axes == NULL ? NULL : &axes->hold;
}

struct view_axes *view_axes_open(void)
{
    return calloc(1, sizeof(struct view_axes));
}

void view_axes_close(struct view_axes *axes)
{
    for (size_t i = 0; axes != NULL && i < CACHED; i++) {
        free(axes->cached[i].numbers);
    }
    free(axes);
}

static uint64_t stir(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t stir_row(uint64_t hash, const float *row, size_t cols)
{
    for (size_t c = 0; c < cols; c += 2) {
        uint32_t pair[2] = {0, 0};
        memcpy(pair, row + c, (cols - c < 2 ? 1 : 2) * sizeof *pair);
        hash = stir(hash, (uint64_t)pair[0] << 32 | pair[1]);
    }
    return hash;
}

/* A hash of sizes and numbers; never 0. */
static uint64_t mark_of(const struct lab_matrix *matrices, size_t count)
{
    uint64_t hash = stir(1, count);
    for (size_t m = 0; m < count; m++) {
        const struct lab_matrix *matrix = &matrices[m];
        const size_t rows = matrix->values == NULL ? 0 : matrix->rows;
        hash = stir(stir(hash, rows), matrix->cols);
        for (size_t r = 0; r < rows; r++) {
            hash = stir_row(hash, matrix->values + r * matrix->stride, matrix->cols);
        }
    }
    return hash == 0 ? 1 : hash;
}

/* The frame with numbers of its own, in memory for PARTS · cols of them. */
static struct lab_frame frame_in(const struct lab_frame *frame, double *numbers)
{
    struct lab_frame copy = *frame;
    const size_t cols = frame->cols;
    copy.mean = numbers;
    copy.component = numbers + cols;
    memcpy(copy.mean, frame->mean, cols * sizeof *numbers);
    memcpy(copy.component, frame->component, (PARTS - 1) * cols * sizeof *numbers);
    return copy;
}

static void keep(struct view_axes *axes, uint64_t mark, const struct lab_frame *frame)
{
    struct cached *place = &axes->cached[axes->oldest];
    double *numbers = calloc(PARTS * frame->cols + 1, sizeof *numbers);
    if (numbers == NULL) {
        return;
    }
    free(place->numbers);
    *place = (struct cached){mark, frame_in(frame, numbers), numbers};
    axes->oldest = (axes->oldest + 1) % CACHED;
}

bool view_axes_fit(struct view_axes *axes, const struct lab_matrix *matrices, size_t count,
                   struct arena *arena, struct lab_frame *frame)
{
    const bool principal = count > 0 && matrices[0].cols > PARTS - 1;
    if (axes == NULL || !principal) {
        return lab_frame_fit(matrices, count, arena, frame);
    }
    const uint64_t mark = mark_of(matrices, count);
    for (size_t i = 0; i < CACHED; i++) {
        const struct cached *cached = &axes->cached[i];
        if (cached->mark == mark && cached->frame.cols == matrices[0].cols) {
            double *numbers = arena_array(arena, PARTS * cached->frame.cols + 1, sizeof *numbers);
            if (numbers == NULL) {
                return false;
            }
            *frame = frame_in(&cached->frame, numbers);
            return true;
        }
    }
    if (!lab_frame_fit(matrices, count, arena, frame)) {
        return false;
    }
    keep(axes, mark, frame);
    return true;
}

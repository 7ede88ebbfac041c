/* learn/optimiser.c — computes the rate of a step, and steps weights in runs.
 *
 * A run is a stretch of the flat array with the same weight decay and without frozen weights. Every
 * weight is stepped by itself, so the division into runs changes no number. */
#include "learn/optimiser.h"

#include <math.h>

#include "attn/learn.h"
#include "attn/pool.h"

const char *learn_method_name(size_t method)
{
    static const char *const names[LEARN_METHODS] = {"adamw", "sgd"};
    return method < LEARN_METHODS ? names[method] : NULL;
}

const char *learn_schedule_name(size_t schedule)
{
    static const char *const names[LEARN_SCHEDULES] = {"constant", "linear", "cosine"};
    return schedule < LEARN_SCHEDULES ? names[schedule] : NULL;
}

/* Returns cos πx for x from 0 to 1 with an error of 1e-15, by operations that are the same on every
 * machine: the series of the sine about the middle, where its argument is at most a quarter
 * turn. */
static double cosine_of_turn(double x)
{
    const double away = (0.5 - x) * 3.14159265358979323846, square = away * away;
    double term = away, sum = away;
    for (int i = 2; i <= 22; i += 2) {
        term = term * -square / (double)(i * (i + 1));
        sum = sum + term;
    }
    return sum;
}

float learn_optimiser_rate(const struct learn_optimiser *optimiser, uint64_t step)
{
    double factor = 1;
    if (step + 1 < optimiser->warmup) {
        factor = (double)(step + 1) / (double)optimiser->warmup;
    }
    if (optimiser->schedule != LEARN_CONSTANT) {
        const double gone = step < optimiser->steps ? (double)step / (double)optimiser->steps : 1.0;
        factor *= optimiser->schedule == LEARN_LINEAR ? 1 - gone : (1 + cosine_of_turn(gone)) / 2;
    }
    return (float)((double)optimiser->rate * factor);
}

/* ---- steps --------------------------------------------------------------------------------- */

struct stepping {
    const struct learn_optimiser *optimiser;
    const struct attn_kernels *kernels;
    struct attn_pool *pool;
    struct attn_adamw adamw;
    struct attn_sgd sgd;
    const float *gradient;
    float *m, *v, *weights;
};

enum { SLICE = 16384 }; /* weights that a thread takes at a time */

struct stretch {
    struct stepping *with;
    struct attn_adamw adamw;
    size_t first, count;
};

static void step_slice(void *context, size_t job, size_t worker)
{
    const struct stretch *const of = context;
    const struct stepping *const with = of->with;
    const size_t at = of->first + job * SLICE, left = of->count - job * SLICE;
    const size_t count = left < SLICE ? left : SLICE;
    (void)worker;
    if (with->optimiser->method == LEARN_SGD) {
        attn_sgd_step(with->kernels, &with->sgd, count, with->gradient + at, with->m + at,
                      with->weights + at);
        return;
    }
    attn_adamw_step(with->kernels, &of->adamw, count, with->gradient + at, with->m + at,
                    with->v + at, with->weights + at);
}

/* Operations of a step of one weight; a root and a division cost as much as many others. */
#define OPERATIONS_OF_WEIGHT 30.0

static void step_run(struct stepping *with, size_t first, size_t count, bool decays)
{
    struct stretch of = {with, with->adamw, first, count};
    of.adamw.decay = decays ? with->optimiser->weight_decay : 0;
    attn_pool_run(with->pool, OPERATIONS_OF_WEIGHT * (double)count, (count + SLICE - 1) / SLICE,
                  step_slice, &of);
}

/* How heads divide a tensor: head h has `span` columns (or rows) from h · span on, and again after
 * every `period`. */
struct division {
    bool there, by_rows;
    size_t span, period;
};

static struct division division_of(const struct learn_shape *shape, enum learn_role role)
{
    const bool gpt2 = shape->family == LEARN_GPT2;
    const size_t span = shape->d_k, period = shape->heads * shape->d_k;
    switch (role) {
    case LEARN_QKV:
    case LEARN_QKV_BIAS:
        return (struct division){true, false, span, period};
    case LEARN_W_Q:
    case LEARN_W_K:
    case LEARN_W_V:
        return (struct division){true, true, span, period};
    case LEARN_W_O:
        return (struct division){true, gpt2, span, period};
    default:
        return (struct division){0};
    }
}

/* Steps all weights of a tensor except those of its frozen heads. */
static void step_around_heads(struct stepping *with, const struct learn_tensor *tensor,
                              struct division division, const bool *frozen)
{
    const size_t lines = division.by_rows ? 1 : tensor->rows;
    const size_t parts = division.by_rows ? tensor->rows : tensor->cols;
    const size_t size = division.by_rows ? tensor->cols : 1;
    for (size_t line = 0; line < lines; line++) {
        for (size_t part = 0; part < parts; part += division.span) {
            if (!frozen[part % division.period / division.span]) {
                step_run(with, tensor->offset + line * tensor->cols + part * size,
                         division.span * size, tensor->decays);
            }
        }
    }
}

static bool has_any(const bool *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i]) {
            return true;
        }
    }
    return false;
}

static void step_tensors(struct stepping *with, const struct learn_shape *shape,
                         const struct learn_tensors *tensors, const struct learn_frozen *frozen)
{
    static const struct learn_frozen none;
    size_t first = 0, count = 0;
    bool decays = false;
    frozen = frozen == NULL ? &none : frozen;
    for (size_t i = 0; i < tensors->count; i++) {
        const struct learn_tensor *const tensor = &tensors->tensor[i];
        const struct division division = division_of(shape, tensor->role);
        const bool by_heads = division.there && has_any(frozen->head[tensor->layer], shape->heads);
        const bool alike = !frozen->tensor[i] && !by_heads &&
                           (tensor->decays == decays || with->optimiser->weight_decay == 0);
        if (alike && first + count == tensor->offset) {
            count += learn_tensor_floats(tensor);
            continue;
        }
        step_run(with, first, count, decays);
        first = tensor->offset;
        count = 0;
        decays = tensor->decays;
        if (frozen->tensor[i]) {
            continue;
        }
        if (by_heads) {
            step_around_heads(with, tensor, division, frozen->head[tensor->layer]);
        } else {
            count = learn_tensor_floats(tensor);
        }
    }
    step_run(with, first, count, decays);
}

struct learn_step learn_optimiser_step(const struct learn_optimiser *optimiser,
                                       const struct lab_engine *engine,
                                       const struct learn_shape *shape,
                                       const struct learn_tensors *tensors,
                                       const struct learn_frozen *frozen, uint64_t step,
                                       const float *gradient, float *m, float *v, float *weights)
{
    struct learn_step made = {learn_optimiser_rate(optimiser, step), 0, 1, true};
    const struct attn_kernels *const kernels = lab_engine_kernels(engine, NULL);
    if (optimiser->clip > 0) {
        made.norm = sqrtf(attn_squares(kernels, gradient, tensors->floats));
        made.sane = isfinite(made.norm) != 0;
        made.scale = made.norm > optimiser->clip ? optimiser->clip / made.norm : 1;
    }
    if (!made.sane) {
        return made;
    }
    struct stepping with = {
        .optimiser = optimiser,
        .kernels = kernels,
        .pool = engine == NULL ? NULL : engine->pool,
        .adamw = {.rate = made.rate,
                  .beta1 = optimiser->beta1,
                  .beta2 = optimiser->beta2,
                  .epsilon = optimiser->epsilon,
                  .scale = made.scale,
                  .step = step + 1},
        .sgd = {made.rate, optimiser->momentum, made.scale},
        .gradient = gradient,
        .m = m,
        .v = v,
        .weights = weights,
    };
    step_tensors(&with, shape, tensors, frozen);
    return made;
}

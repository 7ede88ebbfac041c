/* tests/learn/optimiser.c — rates rise and fall as asked, what is frozen stays, clipping shortens a
 * gradient, and threads change no bit of a step. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attn/attn.h"
#include "base/random.h"
#include "learn/task.h"
#include "shapes.h"

static const struct learn_shape small =
    SHAPE(GPT2, 2, 2, 8, 4, 6, 7, 12, .norm = true, .tied = true, .causal = true);
static const struct learn_shape llama =
    SHAPE(LLAMA, 1, 2, 8, 6, 6, 7, 12, .norm = true, .causal = true, .theta = 100);

enum { MAX_FLOATS = 4096 };

struct moment {
    float weights[MAX_FLOATS], m[MAX_FLOATS], v[MAX_FLOATS];
};

static void draw(uint64_t seed, const char *stream, float *out, size_t count)
{
    struct random random;
    random_start(&random, seed, stream);
    for (size_t i = 0; i < count; i++) {
        out[i] = (float)random_normal(&random);
    }
}

static void begin(const struct learn_shape *shape, struct moment *moment, float *gradient,
                  struct learn_tensors *tensors)
{
    learn_tensors_list(shape, tensors);
    assert_true(tensors->floats <= MAX_FLOATS);
    memset(moment, 0, sizeof *moment);
    draw(1, "weights", moment->weights, tensors->floats);
    draw(1, "gradient", gradient, tensors->floats);
}

static void rates_rise_and_fall(void **state)
{
    (void)state;
    struct learn_optimiser how = usual_optimiser;
    how.rate = 0.4F;
    how.warmup = 4;
    assert_true(learn_optimiser_rate(&how, 0) == 0.1F && learn_optimiser_rate(&how, 3) == 0.4F);
    assert_true(learn_optimiser_rate(&how, 1000000) == 0.4F);
    how.warmup = 0;
    how.steps = 100;
    how.schedule = LEARN_LINEAR;
    assert_true(fabsf(learn_optimiser_rate(&how, 25) - 0.3F) < 1e-7F);
    assert_true(learn_optimiser_rate(&how, 100) == 0 && learn_optimiser_rate(&how, 500) == 0);
    how.schedule = LEARN_COSINE;
    for (uint64_t s = 0; s <= 100; s++) {
        const double known = 0.2 * (1 + cos(3.14159265358979323846 * (double)s / 100));
        assert_true(fabs((double)learn_optimiser_rate(&how, s) - known) < 1e-7);
    }
}

static void adamw_decays_matrices_alone(void **state)
{
    (void)state;
    static struct moment moment;
    static float gradient[MAX_FLOATS];
    struct learn_tensors tensors;
    begin(&small, &moment, gradient, &tensors);
    memset(gradient, 0, sizeof gradient);
    struct learn_optimiser how = usual_optimiser;
    how.warmup = 0;
    how.rate = 0.5F;
    how.weight_decay = 0.5F;
    static struct moment before;
    before = moment;
    (void)learn_optimiser_step(&how, NULL, &small, &tensors, NULL, 0, gradient, moment.m, moment.v,
                               moment.weights);
    for (size_t t = 0; t < tensors.count; t++) {
        const struct learn_tensor *const tensor = &tensors.tensor[t];
        for (size_t i = tensor->offset; i < tensor->offset + learn_tensor_floats(tensor); i++) {
            const float known = before.weights[i] * (tensor->rank == 2 ? 0.75F : 1);
            assert_true(fabsf(moment.weights[i] - known) <= 1e-6F * fabsf(known));
        }
    }
}

/* Whether a weight belongs to a frozen head, told by its place alone. */
static bool of_head(const struct learn_shape *shape, const struct learn_tensor *tensor, size_t at,
                    size_t layer, size_t head)
{
    const size_t row = at / tensor->cols, col = at % tensor->cols, all = shape->heads * shape->d_k;
    const bool gpt2 = shape->family == LEARN_GPT2;
    if (tensor->layer != layer) {
        return false;
    }
    switch (tensor->role) {
    case LEARN_QKV:
    case LEARN_QKV_BIAS:
        return col % all / shape->d_k == head;
    case LEARN_W_Q:
    case LEARN_W_K:
    case LEARN_W_V:
        return row / shape->d_k == head;
    case LEARN_W_O:
        return (gpt2 ? row : col) / shape->d_k == head;
    default:
        return false;
    }
}

static void what_is_frozen_stays_and_all_else_goes_on(void **state)
{
    (void)state;
    static struct moment free_one, moment, before;
    static float gradient[MAX_FLOATS];
    const struct learn_shape *const shapes[] = {&small, &llama};
    for (size_t s = 0; s < 2; s++) {
        for (enum learn_method method = 0; method < LEARN_METHODS; method++) {
            struct learn_tensors tensors;
            struct learn_optimiser how = usual_optimiser;
            struct learn_frozen frozen = {.tensor = {[1] = true}};
            how.method = method;
            frozen.head[0][1] = true;
            begin(shapes[s], &moment, gradient, &tensors);
            free_one = before = moment;
            (void)learn_optimiser_step(&how, NULL, shapes[s], &tensors, NULL, 0, gradient,
                                       free_one.m, free_one.v, free_one.weights);
            (void)learn_optimiser_step(&how, NULL, shapes[s], &tensors, &frozen, 0, gradient,
                                       moment.m, moment.v, moment.weights);
            for (size_t t = 0; t < tensors.count; t++) {
                const struct learn_tensor *const tensor = &tensors.tensor[t];
                for (size_t i = 0; i < learn_tensor_floats(tensor); i++) {
                    const bool stays = t == 1 || of_head(shapes[s], tensor, i, 0, 1);
                    const struct moment *const known = stays ? &before : &free_one;
                    const size_t at = tensor->offset + i;
                    assert_true(moment.weights[at] == known->weights[at]);
                    assert_true(moment.m[at] == known->m[at] && moment.v[at] == known->v[at]);
                }
            }
        }
    }
}

static void clipping_shortens_a_gradient_and_refuses_none(void **state)
{
    (void)state;
    static struct moment moment, before;
    static float gradient[MAX_FLOATS];
    struct learn_tensors tensors;
    struct learn_optimiser how = usual_optimiser;
    begin(&small, &moment, gradient, &tensors);
    how.method = LEARN_SGD;
    how.momentum = 0;
    how.rate = 1;
    how.warmup = 0;
    how.clip = 0.5F;
    before = moment;
    const struct learn_step made = learn_optimiser_step(&how, NULL, &small, &tensors, NULL, 0,
                                                        gradient, moment.m, NULL, moment.weights);
    double square = 0;
    for (size_t i = 0; i < tensors.floats; i++) {
        const double by = (double)moment.weights[i] - (double)before.weights[i];
        square += by * by;
    }
    assert_true(fabs(sqrt(square) - 0.5) < 1e-5 && made.sane);
    assert_true(fabsf(made.norm * made.scale - 0.5F) < 1e-5F);
    gradient[3] = NAN;
    before = moment;
    const struct learn_step none = learn_optimiser_step(&how, NULL, &small, &tensors, NULL, 1,
                                                        gradient, moment.m, NULL, moment.weights);
    assert_false(none.sane);
    assert_memory_equal(&before, &moment, sizeof before);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    const struct learn_shape large =
        SHAPE(GPT2, 3, 4, 128, 32, 64, 64, 512, .norm = true, .tied = true, .causal = true);
    struct learn_tensors tensors;
    learn_tensors_list(&large, &tensors);
    float *const all = calloc(8 * tensors.floats, sizeof *all);
    assert_non_null(all);
    float *const gradient = all + 6 * tensors.floats;
    draw(1, "gradient", gradient, tensors.floats);
    const struct learn_optimiser how = usual_optimiser;
    for (size_t w = 0; w < 2; w++) {
        float *const weights = all + 3 * w * tensors.floats;
        const struct lab_engine engine = {NULL, attn_pool_open(w == 0 ? 1 : 3)};
        learn_initial_values(&large, 1, 0, weights);
        for (uint64_t step = 0; step < 2; step++) {
            (void)learn_optimiser_step(&how, &engine, &large, &tensors, NULL, step, gradient,
                                       weights + tensors.floats, weights + 2 * tensors.floats,
                                       weights);
        }
        attn_pool_close(engine.pool);
    }
    assert_memory_equal(all, all + 3 * tensors.floats, 3 * tensors.floats * sizeof *all);
    free(all);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    struct error error = {0};
    const struct learn_recipe usual = learn_task_at(LEARN_TASK_COPY)->recipe;
    struct learn_data *const data = learn_recipe_data(&usual, (struct bytes){NULL, 0}, &error);
    struct learn_recipe recipe = usual;
    assert_non_null(data);
    learn_recipe_fit(&recipe, data);
    assert_true(learn_recipe_check(&recipe, &error));
    recipe.optimiser.rate = 0;
    assert_false(learn_recipe_check(&recipe, &error));
    assert_string_equal(error.text, "The rate must be above 0 and at most 1000, not 0.");
    recipe.optimiser.rate = 1000;
    recipe.optimiser.beta2 = 1;
    assert_false(learn_recipe_check(&recipe, &error));
    assert_string_equal(error.text, "β₂ must be 0 to below 1, not 1.");
    recipe.optimiser.beta2 = 0;
    recipe.optimiser.schedule = LEARN_COSINE;
    recipe.optimiser.steps = 0;
    assert_false(learn_recipe_check(&recipe, &error));
    assert_string_equal(error.text,
                        "A rate that decays needs the number of steps after which it is 0.");
    learn_data_release(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_rise_and_fall),
        cmocka_unit_test(adamw_decays_matrices_alone),
        cmocka_unit_test(what_is_frozen_stays_and_all_else_goes_on),
        cmocka_unit_test(clipping_shortens_a_gradient_and_refuses_none),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(numbers_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

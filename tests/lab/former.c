/* A run that begins from a former trace gives the same numbers as one that begins from nothing. */
#include <stdio.h>

#include "bench.h"
#include "lab/experiment/edits.h"

enum { WORDS = 40 };

static struct lab_experiment large_experiment(void)
{
    static char text[WORDS][8];
    static const char *words[WORDS];
    for (size_t i = 0; i < WORDS; i++) {
        snprintf(text[i], sizeof text[i], "w%zu", i);
        words[i] = text[i];
    }
    struct lab_experiment experiment = experiment_of(words, WORDS);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.d_model = 96;
    experiment.heads = 6;
    experiment.d_k = 16;
    experiment.d_v = 20;
    return experiment;
}

static void type(struct lab_experiment *experiment, enum lab_part part, size_t head, size_t row,
                 size_t column, float value)
{
    const struct lab_edit edit = {part, head, row, column, value, false};
    assert_true(lab_experiment_edit(experiment, &edit, NULL));
}

static void drag_x(struct lab_experiment *e)
{
    type(e, LAB_EMBEDDINGS_X, 0, 7, 3, 2.5f);
}
static void drag_first(struct lab_experiment *e)
{
    type(e, LAB_EMBEDDINGS_X, 0, 1, 3, 2.5f);
}
static void drag_x_on(struct lab_experiment *e)
{
    type(e, LAB_EMBEDDINGS_X, 0, 7, 3, 2.75f);
}
static void type_w_q(struct lab_experiment *e)
{
    type(e, LAB_W_Q, 2, 5, 1, -3);
}
static void type_w_q_on(struct lab_experiment *e)
{
    type(e, LAB_W_Q, 2, 5, 1, -3.5f);
}
static void type_w_o(struct lab_experiment *e)
{
    type(e, LAB_W_O, 0, 11, 4, 9);
}
static void type_q(struct lab_experiment *e)
{
    type(e, LAB_Q, 1, 7, 2, 1.25f);
}
static void type_k(struct lab_experiment *e)
{
    type(e, LAB_K, 3, 9, 0, -0.5f);
}
static void type_v(struct lab_experiment *e)
{
    type(e, LAB_V, 5, 39, 19, 4);
}
static void type_alpha(struct lab_experiment *e)
{
    type(e, LAB_ALPHA, 4, 0, 39, 0.75f);
}
static void heat(struct lab_experiment *e)
{
    e->temperature = 3;
}
static void mask(struct lab_experiment *e)
{
    e->mask = LAB_MASK_CAUSAL;
}
static void more_heads(struct lab_experiment *e)
{
    e->heads = 9;
}
static void fewer_heads(struct lab_experiment *e)
{
    e->heads = 2;
}
static void another_seed(struct lab_experiment *e)
{
    e->seed = 7;
}
static void group(struct lab_experiment *e)
{
    e->kind = LAB_GROUPED, e->groups = 1;
}
static void alike(struct lab_experiment *e)
{
    e->kind = LAB_MULTI_HEAD;
}
static void latent(struct lab_experiment *e)
{
    e->kind = LAB_LATENT, e->latent = 24;
}
static void turn(struct lab_experiment *e)
{
    e->positions = LAB_POSITIONS_ROPE;
}
static void turn_otherwise(struct lab_experiment *e)
{
    e->rope_theta = 100, e->rope_pairs = LAB_PAIRS_HALVES, e->rope_share = 0.5F;
}
static void turn_back(struct lab_experiment *e)
{
    e->positions = LAB_POSITIONS_NONE;
}
static void identity(struct lab_experiment *e)
{
    e->weights = LAB_WEIGHTS_IDENTITY;
}
static void other_words(struct lab_experiment *e)
{
    static const char *const words[] = {"w3", "w7", "w5"};
    assert_true(lab_experiment_set_tokens(e, words, 3, NULL));
}
/* Keys and values from words that stand at the same places but one. */
static void context(struct lab_experiment *e)
{
    const char *const words[] = {"w3", "w1", "w5"};
    e->mask = LAB_MASK_NONE;
    assert_true(lab_experiment_set_context(e, words, 3, NULL));
}
static void context_gone(struct lab_experiment *e)
{
    assert_true(lab_experiment_set_context(e, NULL, 0, NULL));
}
static void large_weights(struct lab_experiment *e)
{
    e->weights = LAB_WEIGHTS_RANDOM, e->heads = 9;
}
static void restore_all(struct lab_experiment *e)
{
    lab_edits_release(e->edits);
    e->edits = NULL;
}
static void nothing(struct lab_experiment *e)
{
    (void)e;
}

static void (*const changes[])(struct lab_experiment *) = {
    nothing,       drag_x,       drag_x_on,    heat,        type_q,   type_k,         type_v,
    type_alpha,    mask,         drag_x,       type_w_q,    heat,     type_w_q_on,    type_w_o,
    restore_all,   more_heads,   drag_x,       fewer_heads, type_q,   group,          drag_x_on,
    alike,         another_seed, latent,       drag_x,      turn,     turn_otherwise, drag_x_on,
    turn_back,     alike,        type_q,       other_words, identity, drag_first,     restore_all,
    large_weights, context,      context_gone, context,     latent,   context_gone,
};

static void the_same(const struct lab_trace *expected, const struct lab_trace *found, size_t step)
{
    for (size_t p = 0; p < LAB_PARTS; p++) {
        const enum lab_part part = (enum lab_part)p;
        for (size_t g = 0; g < lab_trace_sizes(expected).heads; g++) {
            const struct lab_matrix a = lab_trace_part(expected, part, g);
            const struct lab_matrix b = lab_trace_part(found, part, g);
            assert_int_equal(a.values == NULL, b.values == NULL);
            if (a.values != NULL && memcmp(a.values, b.values, a.rows * a.cols * sizeof(float))) {
                fail_msg("after change %zu: %s of head %zu differs", step, a.name, g + 1);
            }
        }
    }
    assert_int_equal(lab_trace_facts(expected).pairs, lab_trace_facts(found).pairs);
}

static void one_run_after_the_other_gives_the_bits_of_a_run_alone(void **state)
{
    (void)state;
    struct lab_experiment experiment = large_experiment();
    struct lab_trace *former = NULL;
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
        struct error error = {ERROR_NONE, 0, ""};
        changes[c](&experiment);
        struct lab_trace *const alone = lab_run(&experiment, NULL, &error);
        struct lab_trace *const after = lab_run_after(former, &experiment, NULL, &error);
        if (alone == NULL || after == NULL) {
            fail_msg("after change %zu: %s", c, error.text);
        }
        lab_trace_release(former);
        the_same(alone, after, c);
        lab_trace_release(alone);
        former = after;
    }
    lab_trace_release(former);
    lab_experiment_release(&experiment);
}

/* What a restored number falls back to is the computed one, also where its row was taken over. */
static void what_a_typed_number_covers_is_known_in_rows_that_were_taken_over(void **state)
{
    (void)state;
    struct lab_experiment experiment = large_experiment();
    struct lab_trace *const first = trace_of(&experiment);
    const struct lab_matrix q = lab_trace_part(first, LAB_Q, 1);
    const float computed = lab_matrix_at(&q, 7, 2);
    type_q(&experiment);
    struct lab_trace *const second = lab_run_after(first, &experiment, NULL, NULL);
    heat(&experiment);
    struct lab_trace *const third = lab_run_after(second, &experiment, NULL, NULL);
    assert_true(lab_trace_origin_value(third, LAB_Q, 1, 7, 2) == computed);
    lab_trace_release(first);
    lab_trace_release(second);
    lab_trace_release(third);
    lab_experiment_release(&experiment);
}

static void large_weights_stand_once_however_many_traces_use_them(void **state)
{
    (void)state;
    struct lab_experiment experiment = large_experiment();
    struct lab_trace *const first = trace_of(&experiment);
    heat(&experiment);
    struct lab_trace *const second = lab_run_after(first, &experiment, NULL, NULL);
    assert_ptr_equal(lab_trace_part(first, LAB_W_Q, 0).values,
                     lab_trace_part(second, LAB_W_Q, 0).values);
    type_w_q(&experiment);
    struct lab_trace *const third = lab_run_after(second, &experiment, NULL, NULL);
    assert_ptr_not_equal(lab_trace_part(second, LAB_W_Q, 0).values,
                         lab_trace_part(third, LAB_W_Q, 0).values);
    lab_trace_release(first);
    lab_trace_release(second);
    lab_trace_release(third);
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_after_the_other_gives_the_bits_of_a_run_alone),
        cmocka_unit_test(what_a_typed_number_covers_is_known_in_rows_that_were_taken_over),
        cmocka_unit_test(large_weights_stand_once_however_many_traces_use_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

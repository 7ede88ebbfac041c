/* Every kind of experiment with any number of threads: the same bits, and told how many there were.
 * Sizes are large enough to be shared, and no whole number of blocks. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/variant.h"

enum { WORDS = 203, LETTERS = 8 };

static struct lab_experiment many_words(size_t count)
{
    static char letters[WORDS][LETTERS];
    static const char *words[WORDS];
    for (size_t w = 0; w < count; w++) {
        (void)snprintf(letters[w], LETTERS, "w%zu", w);
        words[w] = letters[w];
    }
    struct lab_experiment experiment = experiment_of(words, count);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.d_model = 72;
    experiment.heads = 4;
    experiment.d_k = experiment.d_v = 20;
    return experiment;
}

static struct lab_trace *run_with(const struct lab_experiment *experiment,
                                  const struct lab_engine *engine)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_trace *const trace = lab_run(experiment, engine, &error);
    assert_string_equal(error.text, "");
    assert_non_null(trace);
    return trace;
}

static void assert_same(const struct lab_trace *one, const struct lab_trace *other)
{
    for (size_t p = 0; p < LAB_PARTS; p++) {
        const struct lab_matrix a = lab_trace_part(one, (enum lab_part)p, 0);
        const struct lab_matrix b = lab_trace_part(other, (enum lab_part)p, 0);
        const size_t count = lab_trace_matrices(one, (enum lab_part)p);
        assert_true((a.values == NULL) == (b.values == NULL));
        if (a.values != NULL) {
            assert_memory_equal(a.values, b.values, count * a.rows * a.cols * sizeof(float));
        }
    }
    assert_int_equal(lab_trace_facts(one).pairs, lab_trace_facts(other).pairs);
    assert_int_equal(lab_trace_facts(one).empty_queries, lab_trace_facts(other).empty_queries);
}

/* The experiment alone and with pools of these. */
static void assert_alike(const struct lab_experiment *experiment)
{
    static const size_t threads[] = {2, 3, 16};
    struct lab_trace *const alone = run_with(experiment, NULL);
    assert_int_equal(lab_trace_facts(alone).threads, 1);
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        struct lab_engine engine;
        assert_true(lab_engine_open(&engine, NULL, threads[t], NULL));
        struct lab_trace *const shared = run_with(experiment, &engine);
        assert_int_equal(lab_trace_facts(shared).threads, threads[t]);
        assert_same(alone, shared);
        lab_trace_release(shared);
        lab_engine_close(&engine);
    }
    lab_trace_release(alone);
}

static void every_kind_of_attention_is_shared_and_stays_the_same(void **state)
{
    (void)state;
    struct lab_experiment plain = many_words(WORDS);
    for (size_t v = 0; v < lab_variant_count(); v++) {
        struct lab_experiment kind;
        lab_variant_apply(v, &plain, &kind);
        assert_alike(&kind);
        lab_experiment_release(&kind);
    }
    lab_experiment_release(&plain);
}

static void typed_numbers_and_other_shares_are_shared_too(void **state)
{
    (void)state;
    static const struct lab_edit edits[] = {{.part = LAB_Q, .row = 5, .column = 3, .value = 2},
                                            {.part = LAB_ALPHA, .head = 1, .row = 70, .value = 1},
                                            {.part = LAB_W_V, .head = 2, .column = 1, .value = -3}};
    struct lab_experiment experiment = many_words(WORDS);
    for (size_t e = 0; e < sizeof edits / sizeof edits[0]; e++) {
        const struct lab_edits *const former = experiment.edits;
        experiment.edits = lab_edits_with(former, &edits[e], NULL);
        assert_non_null(experiment.edits);
        lab_edits_release(former);
    }
    assert_alike(&experiment);
    experiment.keep_maximum = true;
    assert_alike(&experiment);
    experiment.keep_maximum = false;
    experiment.normalise = LAB_PLAIN_SHARE;
    assert_alike(&experiment);
    lab_experiment_release(&experiment);
}

/* What takes less than waking a thread is computed where it is asked for. */
static void a_toy_takes_one_thread(void **state)
{
    (void)state;
    struct lab_engine engine;
    struct lab_experiment experiment = many_words(4);
    assert_true(lab_engine_open(&engine, NULL, 4, NULL));
    struct lab_trace *const trace = run_with(&experiment, &engine);
    assert_int_equal(lab_trace_facts(trace).threads, 1);
    lab_trace_release(trace);
    lab_engine_close(&engine);
    lab_experiment_release(&experiment);
}

struct reader {
    const struct lab_trace *trace;
    float *scores; /* [head, query, key] */
};

static void *read_scores(void *owner)
{
    struct reader *const reader = owner;
    const struct lab_sizes sizes = lab_trace_sizes(reader->trace);
    for (size_t h = 0; h < sizes.heads; h++) {
        const struct lab_matrix scores = lab_trace_part(reader->trace, LAB_SCORES, h);
        memcpy(reader->scores + h * sizes.n * sizes.m, scores.values,
               sizes.n * sizes.m * sizeof(float));
    }
    return NULL;
}

/* A trace is shared: a figure is made on a thread of its own while the window shows the same. */
static void several_threads_may_be_the_first_to_read_hidden_scores(void **state)
{
    (void)state;
    enum { READERS = 4 };
    struct lab_experiment experiment = many_words(WORDS);
    struct lab_trace *const open = run_with(&experiment, NULL);
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const masked = run_with(&experiment, NULL);
    const struct lab_sizes sizes = lab_trace_sizes(masked);
    const size_t count = sizes.heads * sizes.n * sizes.m;
    struct reader reader[READERS];
    pthread_t thread[READERS];
    for (size_t r = 0; r < READERS; r++) {
        reader[r] = (struct reader){masked, malloc(count * sizeof(float))};
        assert_non_null(reader[r].scores);
        assert_int_equal(pthread_create(&thread[r], NULL, read_scores, &reader[r]), 0);
    }
    for (size_t r = 0; r < READERS; r++) {
        assert_int_equal(pthread_join(thread[r], NULL), 0);
        assert_memory_equal(reader[r].scores, lab_trace_part(open, LAB_SCORES, 0).values,
                            count * sizeof(float));
        free(reader[r].scores);
    }
    lab_trace_release(masked);
    lab_trace_release(open);
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_attention_is_shared_and_stays_the_same),
        cmocka_unit_test(typed_numbers_and_other_shares_are_shared_too),
        cmocka_unit_test(a_toy_takes_one_thread),
        cmocka_unit_test(several_threads_may_be_the_first_to_read_hidden_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

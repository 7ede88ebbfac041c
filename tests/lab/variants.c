/* Every row of the table of kinds: it is what its name says, its lesson shows it, and its numbers
 * agree with the definition. */
#include "base/random.h"
#include "bench.h"
#include "lab/experiment/variant.h"
#include "lab/lesson/lessons.h"
#include "lab/run/flash.h"
#include "lab/run/measure.h"

enum { EXPERIMENTS_EACH = 200, WORDS_MAX = 9 };

static const char *const words[WORDS_MAX] = {"cat",  "dog",  "lion",  "NYC", "milk",
                                             "park", "bird", "table", "sun"};

static void every_kind_has_a_lesson_that_exists_and_a_name_of_its_own(void **state)
{
    (void)state;
    for (size_t v = 0; v < lab_variant_count(); v++) {
        const struct lab_variant_row *const row = lab_variant_row(v);
        size_t found = 0, lesson = 0;
        while (strcmp(lab_variant_row(found)->name, row->name) != 0) {
            found++;
        }
        assert_int_equal(found, v);
        assert_true(lab_lesson_find(row->lesson, &lesson));
        assert_true(row->title[0] != '\0' && row->formula[0] != '\0');
    }
}

/* Some step of the lesson is of the kind, whatever else it is. */
static void the_lesson_of_a_kind_shows_it(void **state)
{
    (void)state;
    for (size_t v = 0; v < lab_variant_count(); v++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        struct error error = {ERROR_NONE, 0, ""};
        size_t index = 0;
        bool shown = strcmp(lab_variant_row(v)->name, "painted") == 0; /* the hand paints it */
        assert_true(lab_lesson_find(lab_variant_row(v)->lesson, &index));
        assert_true(lab_lesson_load(index, &arena, &lesson, &error));
        for (size_t s = 0; s < lesson.steps; s++) {
            shown = shown || lab_variant_of(&lesson.step[s].experiment) == v;
        }
        if (!shown) {
            fail_msg("the lesson %s never shows %s", lab_variant_row(v)->lesson,
                     lab_variant_row(v)->name);
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
}

/* softmax(QKᵀ · factor, hidden keys left out) · V in float64, from the trace's own Q, K, V. */
static void assert_attends(const struct lab_trace *trace, size_t head, double room)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    const struct lab_matrix q = lab_trace_part(trace, LAB_Q, head);
    const struct lab_matrix k = lab_trace_part(trace, LAB_K, head);
    const struct lab_matrix v = lab_trace_part(trace, LAB_V, head);
    const struct lab_matrix z = lab_trace_part(trace, LAB_Z, head);
    for (size_t i = 0; i < s.n; i++) {
        double score[WORDS_MAX], most = -INFINITY, sum = 0;
        for (size_t j = 0; j < s.m; j++) {
            score[j] = 0;
            for (size_t c = 0; c < s.d_k; c++) {
                score[j] += (double)lab_matrix_at(&q, i, c) * (double)lab_matrix_at(&k, j, c);
            }
            score[j] = lab_trace_sees(trace, i, j) ? score[j] * (double)s.factor : -INFINITY;
            most = fmax(most, score[j]);
        }
        for (size_t j = 0; j < s.m; j++) {
            score[j] = isinf(score[j]) ? 0 : exp(score[j] - most);
            sum += score[j];
        }
        for (size_t c = 0; c < s.d_v; c++) {
            double blend = 0;
            for (size_t j = 0; j < s.m; j++) {
                blend += score[j] * (double)lab_matrix_at(&v, j, c);
            }
            const double off = fabs((sum > 0 ? blend / sum : 0) - (double)lab_matrix_at(&z, i, c));
            if (!(off <= room)) {
                fail_msg("row %zu, column %zu is %g away", i, c, off);
            }
        }
    }
}

/* Below count. */
static size_t below(struct random *random, size_t count)
{
    return (size_t)(random_uniform(random) * (double)count);
}

static struct lab_experiment draw(struct random *random)
{
    struct lab_experiment experiment = experiment_of(words, 1 + below(random, WORDS_MAX));
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.seed = below(random, 1000000);
    experiment.heads = (size_t)1 << below(random, 3);
    experiment.d_model = experiment.heads * 2 * (1 + below(random, 4));
    return experiment;
}

/* Tiles of any size give the same, too. */
static void two_hundred_of_each_kind_agree_with_float64(void **state)
{
    (void)state;
    struct random random;
    random_start(&random, 6, "variants");
    for (size_t v = 0; v < lab_variant_count(); v++) {
        for (size_t e = 0; e < EXPERIMENTS_EACH; e++) {
            struct lab_experiment from = draw(&random), experiment;
            struct error error = {ERROR_NONE, 0, ""};
            struct arena arena = {0};
            struct lab_flash flash;
            lab_variant_apply(v, &from, &experiment);
            assert_int_equal(lab_variant_of(&experiment), v);
            struct lab_trace *const trace = trace_of(&experiment);
            const struct lab_sizes s = lab_trace_sizes(trace);
            const size_t head = below(&random, s.heads);
            const struct lab_matrix scores = lab_trace_part(trace, LAB_SCORES, head);
            const double room = 8e-6 * fmax(1, (double)(lab_measure_peak(&scores) * s.factor) / 8);
            assert_attends(trace, head, room);
            assert_true(lab_flash_replay(trace, head, 1 + below(&random, WORDS_MAX),
                                         1 + below(&random, WORDS_MAX), &arena, &flash, &error));
            assert_true((double)flash.difference <= room);
            arena_free(&arena);
            lab_trace_release(trace);
            lab_experiment_release(&experiment);
            lab_experiment_release(&from);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_lesson_that_exists_and_a_name_of_its_own),
        cmocka_unit_test(the_lesson_of_a_kind_shows_it),
        cmocka_unit_test(two_hundred_of_each_kind_agree_with_float64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

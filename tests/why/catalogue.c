/* Measures of heads: of the weights of the run, by their definitions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../model/gpt2_double.h"
#include "../opened.h"
#include "why/catalogue.h"

static const char *tiny;

enum { N = 8, LAYERS = DOUBLE_LAYERS, HEADS = DOUBLE_HEADS };

static const uint32_t texts[2][N] = {{17, 4, 99, 17, 4, 31, 99, 31}, {5, 6, 5, 6, 5, 6, 250, 6}};
static struct gpt2_double reference[2];

static double measure_of(enum why_measure measure, size_t t, size_t layer, size_t head)
{
    double sum = 0, cases = 0;
    for (size_t i = measure == WHY_SELF || measure == WHY_ENTROPY ? 0 : 1; i < N; i++) {
        const double *const row = reference[t].alpha[layer][head][i];
        size_t last = 0;
        double of_row = 0;
        bool has = true;
        for (size_t j = 0; j < i; j++) {
            last = texts[t][j] == texts[t][i] ? j + 1 : last;
        }
        switch (measure) {
        case WHY_PREVIOUS:
            of_row = row[i - 1];
            break;
        case WHY_INDUCTION:
            has = last > 0;
            of_row = has ? row[last] : 0;
            break;
        case WHY_DUPLICATE:
            has = last > 0;
            for (size_t j = 0; j < i; j++) {
                of_row += texts[t][j] == texts[t][i] ? row[j] : 0;
            }
            break;
        case WHY_FIRST:
            of_row = row[0];
            break;
        case WHY_SELF:
            of_row = row[i];
            break;
        case WHY_POSITIONAL:
            has = t > 0;
            for (size_t j = 0; has && j < N; j++) {
                of_row += fmin(row[j], reference[t - 1].alpha[layer][head][i][j]);
            }
            break;
        case WHY_ENTROPY:
            for (size_t j = 0; j <= i; j++) {
                of_row -= row[j] * log2(row[j]);
            }
            break;
        case WHY_NOUN:
            has = texts[t][i] == 31; /* "is"; 4 and 17 are nouns */
            for (size_t j = 0; has && j < i; j++) {
                of_row = texts[t][j] == 4 || texts[t][j] == 17 ? row[j] : of_row;
            }
            break;
        case WHY_MEASURES:
            break;
        }
        sum += has ? of_row : 0;
        cases += has ? 1 : 0;
    }
    return cases > 0 ? sum / cases : NAN;
}

static void measures_are_means_over_texts(void **state)
{
    struct checkpoint weights;
    struct why_catalogue catalogue;
    struct model *const model = open_model(tiny, NULL);
    (void)state;
    checkpoint_open(&weights, tiny);
    assert_true(why_catalogue_start(model, &catalogue, NULL));
    static enum why_role roles[DOUBLE_VOCABULARY];
    roles[31] = WHY_ROLE_IS;
    roles[4] = roles[17] = WHY_ROLE_NOUN;
    catalogue.roles = roles;
    for (size_t t = 0; t < 2; t++) {
        struct model_run *const run =
            model_run_start(model, &(struct model_request){.ids = texts[t], .count = N}, NULL);
        gpt2_double_run(&weights, texts[t], N, model_no_interventions, &reference[t]);
        assert_true(why_catalogue_add(&catalogue, run, NULL));
        model_run_close(run);
    }
    for (size_t c = 0; c < (size_t)WHY_MEASURES * LAYERS * HEADS; c++) {
        const enum why_measure measure = (enum why_measure)(c % WHY_MEASURES);
        const size_t layer = c / WHY_MEASURES / HEADS, head = c / WHY_MEASURES % HEADS;
        const double first = measure_of(measure, 0, layer, head),
                     second = measure_of(measure, 1, layer, head);
        const bool both = !isnan(first) && !isnan(second);
        const double mean = both ? (first + second) / 2 : isnan(first) ? second : first;
        const double spread = both ? fabs(first - second) / 2 : 0;
        if (!(fabs(why_catalogue_mean(&catalogue, measure, layer, head) - mean) < 1e-5) ||
            !(fabs(why_catalogue_spread(&catalogue, measure, layer, head) - spread) < 1e-4)) {
            fail_msg("%s of L%zuH%zu is %.9g, expected %.9g", why_measure_name(measure), layer,
                     head, why_catalogue_mean(&catalogue, measure, layer, head), mean);
        }
    }
    why_catalogue_free(&catalogue);
    model_close(model);
    checkpoint_close(&weights);
}

static void a_probe_comes_twice_and_each_differs(void **state)
{
    uint32_t ids[20], next[20];
    struct model *const model = open_model(tiny, NULL);
    (void)state;
    why_probe_fill(model, 0, 10, ids);
    why_probe_fill(model, 1, 10, next);
    assert_memory_equal(ids, ids + 10, 10 * sizeof *ids);
    assert_memory_not_equal(ids, next, sizeof ids);
    for (size_t i = 0; i < 20; i++) {
        assert_in_range(ids[i], 0, DOUBLE_VOCABULARY - 1);
    }
    model_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_are_means_over_texts),
        cmocka_unit_test(a_probe_comes_twice_and_each_differs),
    };
    tiny = argc > 1 ? argv[1] : "tests/model/tiny";
    return cmocka_run_group_tests(tests, NULL, NULL);
}

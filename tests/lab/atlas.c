/* Every head at a head_overview: small pictures that lose no bright weight, and habits as they are
 * defined. */
#include "bench.h"
#include "lab/run/thumbnails.h"

enum { N_MAX = 320 };

/* Heads made by hand: what each looks at. */
struct made {
    size_t n;
    size_t asked;
    size_t stop_at; /* on_head gives up there; 0: never */
    bool fails;
};

static void look(float *row, size_t n, size_t at)
{
    for (size_t j = 0; j < n; j++) {
        row[j] = j == at ? 1 : 0;
    }
}

/* Head 0 looks at the word before, 1 at the first, 2 at itself, 3 at all alike, 4 at word 2. */
static bool weights(void *owner, size_t layer, size_t head, float *out)
{
    struct made *const made = owner;
    const size_t n = made->n;
    made->asked++;
    assert_int_equal(layer, 0);
    for (size_t i = 0; i < n; i++) {
        const size_t at[] = {i == 0 ? 0 : i - 1, 0, i, 0, 1};
        look(out + i * n, n, at[head]);
        for (size_t j = 0; head == 3 && j < n; j++) {
            out[i * n + j] = 1 / (float)n;
        }
    }
    return !made->fails;
}

static bool on_head(void *owner, size_t done, size_t all)
{
    const struct made *const made = owner;
    assert_int_equal(all, 5);
    return made->stop_at == 0 || done < made->stop_at;
}

static const char *words[N_MAX];

static struct lab_thumbnails_source source_of(struct made *made)
{
    for (size_t w = 0; w < N_MAX; w++) {
        words[w] = w % 4 == 0 ? "a" : w % 4 == 1 ? "b" : w % 4 == 2 ? "c" : "d";
    }
    return (struct lab_thumbnails_source){.layers = 1,
                                          .heads = 5,
                                          .n = made->n,
                                          .m = made->n,
                                          .queries = words,
                                          .keys = words,
                                          .weights = weights,
                                          .on_head = on_head,
                                          .owner = made};
}

static struct lab_thumbnails *atlas_of(struct made *made)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct lab_thumbnails_source source = source_of(made);
    struct lab_thumbnails *const thumbnails = lab_thumbnails_make(&source, &error);
    assert_string_equal(error.text, "");
    assert_non_null(thumbnails);
    return thumbnails;
}

static void assert_head_measure(const struct lab_thumbnails *thumbnails, size_t head,
                                enum lab_head_measure head_measure, double expected)
{
    const double found =
        (double)lab_thumbnails_head(thumbnails, 0, head).head_measure[head_measure];
    if (!(fabs(found - expected) < 1e-6)) {
        fail_msg("head %zu, %s: %g, expected %g", head, lab_head_measure_row(head_measure)->name,
                 found, expected);
    }
}

static void habits_are_what_their_definitions_say(void **state)
{
    (void)state;
    struct made made = {.n = 8}; /* a b c d a b c d */
    struct lab_thumbnails *const thumbnails = atlas_of(&made);
    assert_head_measure(thumbnails, 0, LAB_HEAD_MEASURE_PREVIOUS, 1);
    assert_head_measure(thumbnails, 0, LAB_HEAD_MEASURE_FIRST,
                        1.0 / 7); /* word 2 looks back at word 1 */
    assert_head_measure(thumbnails, 0, LAB_HEAD_MEASURE_DISTANCE, 7.0 / 8);
    assert_head_measure(thumbnails, 1, LAB_HEAD_MEASURE_FIRST, 1);
    assert_head_measure(thumbnails, 1, LAB_HEAD_MEASURE_DISTANCE, 28.0 / 8);
    assert_head_measure(thumbnails, 2, LAB_HEAD_MEASURE_SAME, 1);
    assert_head_measure(thumbnails, 2, LAB_HEAD_MEASURE_ENTROPY, 0);
    assert_head_measure(thumbnails, 3, LAB_HEAD_MEASURE_ENTROPY, 3);
    assert_head_measure(thumbnails, 3, LAB_HEAD_MEASURE_SAME, 0.25);
    assert_head_measure(thumbnails, 4, LAB_HEAD_MEASURE_REPEATED,
                        0.25); /* of a b c d only a was followed by word 2 */
    static const enum lab_head_measure kinds[] = {LAB_HEAD_MEASURE_PREVIOUS, LAB_HEAD_MEASURE_FIRST,
                                                  LAB_HEAD_MEASURE_SAME, LAB_HEAD_MEASURES,
                                                  LAB_HEAD_MEASURES};
    for (size_t h = 0; h < 5; h++) {
        assert_int_equal(lab_thumbnails_kind(thumbnails, 0, h, false), kinds[h]);
    }
    lab_thumbnails_release(thumbnails);
}

static void sinks_are_left_out_of_measures_and_marked(void **state)
{
    (void)state;
    struct made made = {.n = 8};
    struct lab_thumbnails *const thumbnails = atlas_of(&made);
    const struct lab_thumbnails_head previous = lab_thumbnails_head(thumbnails, 0, 0);
    const struct lab_thumbnails_head first = lab_thumbnails_head(thumbnails, 0, 1);
    const struct lab_thumbnails_head alike = lab_thumbnails_head(thumbnails, 0, 3);
    assert_true(isnan(previous.of_rest[LAB_HEAD_MEASURE_FIRST]));
    assert_true(fabs((double)previous.of_rest[LAB_HEAD_MEASURE_PREVIOUS] - 1) < 1e-6);
    assert_true(first.sink[0] && !first.sink[1]);
    assert_true(isnan(first.of_rest[LAB_HEAD_MEASURE_ENTROPY])); /* nothing is left of any row */
    /* one in eight each: without the first, one in seven each */
    assert_true(fabs((double)alike.of_rest[LAB_HEAD_MEASURE_ENTROPY] - log2(7)) < 1e-5);
    assert_int_equal(lab_thumbnails_kind(thumbnails, 0, 1, false), LAB_HEAD_MEASURE_FIRST);
    assert_int_equal(lab_thumbnails_kind(thumbnails, 0, 1, true), LAB_HEAD_MEASURES);
    assert_true(fabs((double)lab_thumbnails_rest_top(thumbnails) - 1) < 1e-6);
    lab_thumbnails_release(thumbnails);
}

static void without_a_repeated_word_induction_is_not_known_and_sorts_last(void **state)
{
    (void)state;
    struct made made = {.n = 4};
    struct lab_thumbnails *const thumbnails = atlas_of(&made);
    size_t order[5];
    assert_true(
        isnan(lab_thumbnails_head(thumbnails, 0, 1).head_measure[LAB_HEAD_MEASURE_REPEATED]));
    lab_thumbnails_sort(thumbnails, LAB_HEAD_MEASURE_REPEATED, false, order);
    for (size_t h = 0; h < 5; h++) {
        assert_int_equal(order[h], h);
    }
    lab_thumbnails_sort(thumbnails, LAB_HEAD_MEASURE_FIRST, false, order);
    assert_int_equal(order[0], 1);
    lab_thumbnails_sort(thumbnails, LAB_HEAD_MEASURE_ENTROPY, false, order);
    assert_int_equal(order[0], 3);
    lab_thumbnails_release(thumbnails);
}

static void a_small_picture_is_the_matrix_itself(void **state)
{
    (void)state;
    struct made made = {.n = LAB_THUMBNAILS_SIDE};
    struct lab_thumbnails *const thumbnails = atlas_of(&made);
    float alpha[LAB_THUMBNAILS_SIDE * LAB_THUMBNAILS_SIDE];
    assert_true(weights(&made, 0, 3, alpha));
    assert_int_equal(lab_thumbnails_sizes(thumbnails).rows, LAB_THUMBNAILS_SIDE);
    assert_memory_equal(lab_thumbnails_head(thumbnails, 0, 3).largest, alpha, sizeof alpha);
    assert_memory_equal(lab_thumbnails_head(thumbnails, 0, 3).mean, alpha, sizeof alpha);
    lab_thumbnails_release(thumbnails);
}

static void a_bright_weight_never_disappears_from_a_reduced_picture(void **state)
{
    (void)state;
    struct made made = {.n = N_MAX};
    struct lab_thumbnails *const thumbnails = atlas_of(&made);
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(thumbnails);
    const struct lab_thumbnails_head diagonal = lab_thumbnails_head(thumbnails, 0, 2);
    assert_int_equal(sizes.rows, LAB_THUMBNAILS_SIDE);
    double sum = 0;
    for (size_t i = 0; i < N_MAX; i++) {
        size_t cell = 0; /* the one that holds (i, i) */
        while ((cell + 1) * N_MAX / sizes.rows <= i) {
            cell++;
        }
        assert_true(diagonal.largest[cell * sizes.cols + cell] >= 1);
    }
    for (size_t c = 0; c < sizes.rows * sizes.cols; c++) {
        assert_true(diagonal.mean[c] <= diagonal.largest[c]);
        sum += (double)diagonal.largest[c];
    }
    assert_true(fabs(sum - LAB_THUMBNAILS_SIDE) < 1e-6); /* nothing else is bright */
    lab_thumbnails_release(thumbnails);
}

static void one_can_give_up_and_what_cannot_be_read_is_named(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct made made = {.n = 4, .stop_at = 2};
    struct lab_thumbnails_source source = source_of(&made);
    assert_null(lab_thumbnails_make(&source, &error));
    assert_int_equal(error.code, ERROR_NONE);
    assert_int_equal(made.asked, 2);
    made = (struct made){.n = 4, .fails = true};
    assert_null(lab_thumbnails_make(&source, &error));
    assert_non_null(strstr(error.text, "L0H0"));
    source.layers = LAB_THUMBNAILS_HEADS_MAX;
    assert_null(lab_thumbnails_make(&source, &error));
    assert_non_null(strstr(error.text, "16384 heads can"));
}

static void any_number_of_threads_sees_the_same(void **state)
{
    (void)state;
    struct made made = {.n = N_MAX};
    struct lab_thumbnails *const alone = atlas_of(&made);
    for (size_t threads = 2; threads < 6; threads++) {
        struct error error = {ERROR_NONE, 0, ""};
        struct lab_thumbnails_source source = source_of(&made);
        assert_true(lab_engine_open(&source.engine, NULL, threads, &error));
        struct lab_thumbnails *const shared = lab_thumbnails_make(&source, &error);
        assert_non_null(shared);
        for (size_t head = 0; head < source.heads; head++) {
            const struct lab_thumbnails_head one = lab_thumbnails_head(alone, 0, head);
            const struct lab_thumbnails_head other = lab_thumbnails_head(shared, 0, head);
            const size_t picture = (size_t)LAB_THUMBNAILS_SIDE * LAB_THUMBNAILS_SIDE;
            assert_memory_equal(one.largest, other.largest, picture * sizeof(float));
            assert_memory_equal(one.mean, other.mean, picture * sizeof(float));
            assert_memory_equal(one.head_measure, other.head_measure,
                                LAB_HEAD_MEASURES * sizeof(float));
        }
        lab_thumbnails_release(shared);
        made.fails = true;
        assert_null(lab_thumbnails_make(&source, &error));
        assert_non_null(strstr(error.text, "L0H0 "));
        made.fails = false;
        lab_engine_close(&source.engine);
    }
    lab_thumbnails_release(alone);
}

/* Layer 1 has the heads of layer 0 in another order. */
static bool weights_of_layers(void *owner, size_t layer, size_t head, float *out)
{
    return weights(owner, 0, (head + layer) % 5, out);
}

static void layer_by_layer_it_is_the_same_and_what_is_not_taken_is_not_read(void **state)
{
    (void)state;
    enum { LAYERS = 3, HEADS = 5, ALL = LAYERS * HEADS };
    struct error error = {ERROR_NONE, 0, ""};
    struct made made = {.n = 9};
    struct lab_thumbnails_source source = source_of(&made);
    source.layers = LAYERS;
    source.weights = weights_of_layers;
    source.on_head = NULL;
    size_t order[ALL], whole_order[ALL];
    struct lab_thumbnails *const whole = lab_thumbnails_make(&source, &error);
    struct lab_thumbnails *const grown = lab_thumbnails_begin(&source, &error);
    assert_non_null(whole);
    assert_non_null(grown);
    assert_int_equal(lab_thumbnails_ready(whole), LAYERS);
    assert_int_equal(lab_thumbnails_ready(grown), 0);
    assert_true(lab_thumbnails_rest_top(grown) <= 0);
    assert_true(lab_thumbnails_look(grown, &source, 1, &error));
    assert_int_equal(lab_thumbnails_kind(grown, 0, 0, false), LAB_HEAD_MEASURES); /* not taken */
    assert_true(lab_thumbnails_take(grown));
    assert_false(lab_thumbnails_take(grown));
    assert_int_equal(lab_thumbnails_ready(grown), 1);
    assert_int_equal(lab_thumbnails_kind(grown, 0, 0, false), LAB_HEAD_MEASURE_PREVIOUS);
    assert_int_equal(lab_thumbnails_kind(grown, 1, 4, false), LAB_HEAD_MEASURES);
    lab_thumbnails_sort(grown, LAB_HEAD_MEASURE_PREVIOUS, false, order);
    assert_int_equal(order[0], 0);
    for (size_t at = HEADS; at < ALL; at++) { /* those of no layer that is there: last, in place */
        assert_int_equal(order[at], at);
    }
    const int asked = (int)made.asked;
    assert_true(lab_thumbnails_look(grown, &source, LAYERS, &error));
    assert_int_equal((int)made.asked - asked, (LAYERS - 1) * HEADS); /* each once */
    assert_true(lab_thumbnails_take(grown));
    for (size_t at = 0; at < ALL; at++) {
        const struct lab_thumbnails_head one = lab_thumbnails_head(whole, at / HEADS, at % HEADS);
        const struct lab_thumbnails_head other = lab_thumbnails_head(grown, at / HEADS, at % HEADS);
        assert_memory_equal(one.largest, other.largest, made.n * made.n * sizeof(float));
        assert_memory_equal(one.of_rest, other.of_rest, LAB_HEAD_MEASURES * sizeof(float));
        assert_memory_equal(one.sink, other.sink, made.n * sizeof(bool));
    }
    assert_true(
        fabs((double)lab_thumbnails_rest_top(whole) - (double)lab_thumbnails_rest_top(grown)) <= 0);
    lab_thumbnails_group(whole, true, whole_order);
    lab_thumbnails_group(grown, true, order);
    assert_memory_equal(whole_order, order, sizeof order);
    lab_thumbnails_release(whole);
    lab_thumbnails_release(grown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(habits_are_what_their_definitions_say),
        cmocka_unit_test(sinks_are_left_out_of_measures_and_marked),
        cmocka_unit_test(without_a_repeated_word_induction_is_not_known_and_sorts_last),
        cmocka_unit_test(a_small_picture_is_the_matrix_itself),
        cmocka_unit_test(a_bright_weight_never_disappears_from_a_reduced_picture),
        cmocka_unit_test(layer_by_layer_it_is_the_same_and_what_is_not_taken_is_not_read),
        cmocka_unit_test(any_number_of_threads_sees_the_same),
        cmocka_unit_test(one_can_give_up_and_what_cannot_be_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* From a number back to those that made it, the products of its sum, and measures of weights. */
#include <stdio.h>

#include "base/text.h"
#include "lab/experiment/edits.h"
#include "lab/run/measure.h"
#include "links.h"

static const char *const words[] = {"cat", "dog", "lion"};

/* Two heads of 4 over 8 random dimensions: every part has another shape. */
static struct lab_experiment two_heads(void)
{
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.d_model = 8;
    experiment.heads = 2;
    experiment.d_v = 3;
    return experiment;
}

static void each_stage_leads_to_the_numbers_that_made_its_own(void **state)
{
    (void)state;
    static const struct {
        enum lab_stage stage;
        size_t links; /* all of them */
        struct lab_cell in[2], out;
    } cases[] = {
        {LAB_EMBED, 7, {{LAB_EMBEDDINGS_X, 0, 1, 0}, {LAB_EMBEDDINGS_X, 0, 1, 7}}, {0}},
        {LAB_PROJECT, 16, {{LAB_EMBEDDINGS_X, 0, 1, 7}, {LAB_W_Q, 1, 7, 2}}, {LAB_W_Q, 0, 7, 2}},
        {LAB_SCORE, 8, {{LAB_Q, 1, 1, 3}, {LAB_K, 1, 2, 0}}, {LAB_K, 1, 1, 0}},
        {LAB_SCALE, 1, {{LAB_SCORES, 1, 1, 2}, {LAB_SCORES, 1, 1, 2}}, {LAB_SCORES, 1, 1, 1}},
        {LAB_SOFTMAX, 3, {{LAB_SCALED, 1, 1, 0}, {LAB_SCALED, 1, 1, 2}}, {LAB_SCALED, 1, 0, 0}},
        {LAB_BLEND, 6, {{LAB_ALPHA, 1, 1, 2}, {LAB_V, 1, 0, 2}}, {LAB_V, 1, 0, 1}},
        {LAB_OUTPUT, 12, {{LAB_CONCAT, 0, 1, 5}, {LAB_W_O, 0, 5, 2}}, {LAB_CONCAT, 0, 0, 5}},
    };
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct lab_selection at = {
            .head = 1, .query = 1, .key = 2, .channel = 2, .projected = LAB_Q};
        const struct links links = links_of(trace, cases[c].stage, &at);
        const struct lab_cell *const out = &cases[c].out;
        assert_int_equal(links.count, cases[c].links);
        for (size_t k = 0; k < 2; k++) {
            const struct lab_cell *const in = &cases[c].in[k];
            assert_true(links_hold(&links, in->part, in->head, in->row, in->column));
        }
        assert_false(links_hold(&links, out->part, out->head, out->row, out->column));
    }
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void keys_behind_a_mask_had_no_part_in_a_weight(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_selection at = {.query = 1, .key = 0, .projected = LAB_Q};
    const struct links links = links_of(trace, LAB_SOFTMAX, &at);
    assert_int_equal(links.count, 2);
    assert_false(links_hold(&links, LAB_SCALED, 0, 1, 2));
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void one_can_walk_from_an_output_back_to_a_letter_of_the_input(void **state)
{
    (void)state;
    static const enum lab_part parts[] = {LAB_CONCAT, LAB_ALPHA, LAB_SCALED,
                                          LAB_SCORES, LAB_Q,     LAB_EMBEDDINGS_X};
    static const enum lab_stage stages[] = {LAB_BLEND, LAB_SOFTMAX, LAB_SCALE,
                                            LAB_SCORE, LAB_PROJECT, LAB_EMBED};
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    struct lab_selection at = {.query = 1, .channel = 6, .projected = LAB_Q};
    enum lab_stage stage = LAB_OUTPUT;
    for (size_t step = 0; step < sizeof parts / sizeof *parts; step++) {
        const struct links links = links_of(trace, stage, &at);
        const struct lab_cell *const first = &links.cell[0];
        struct lab_cell selected;
        assert_true(links.count > 0);
        assert_int_equal(first->part, parts[step]);
        lab_cell_select(trace, first, &stage, &at);
        assert_int_equal(stage, stages[step]);
        assert_true(lab_cell_selected(trace, stage, &at, &selected));
        if (first->part != LAB_CONCAT) { /* concat is shown as the Z that stands there */
            assert_int_equal(selected.head, first->head);
            assert_int_equal(selected.row, first->row);
            assert_int_equal(selected.column, first->column);
        }
    }
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

/* Each number of Q̂ and K̂ has its own formula, which leads to the row of Q or K that it was made
 * of, and not back to the score. */
static void numbers_of_length_one_lead_to_their_rows(void **state)
{
    (void)state;
    struct lab_experiment experiment = two_heads();
    experiment.unit_qk = true;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_selection at = {.head = 1, .query = 1, .key = 2, .projected = LAB_V};
    const struct links links = links_of(trace, LAB_SCORE, &at);
    size_t led = 0;
    for (size_t l = 0; l < links.count; l++) {
        const struct lab_cell *const cell = &links.cell[l];
        const bool is_query = cell->part == LAB_Q_SCORED;
        struct lab_selection to = at;
        enum lab_stage stage = LAB_SCORE;
        struct lab_cell selected;
        if (is_query || cell->part == LAB_K_SCORED) {
            lab_cell_select(trace, cell, &stage, &to);
            assert_int_equal(stage, LAB_PROJECT);
            assert_true(lab_cell_selected(trace, stage, &to, &selected));
            assert_int_equal(selected.part, cell->part);
            assert_int_equal(to.projected, is_query ? LAB_Q : LAB_K);
            assert_int_equal(selected.head, cell->head);
            assert_int_equal(selected.row, cell->row);
            assert_int_equal(selected.column, cell->column);
            const struct links made = links_of(trace, stage, &to);
            assert_int_equal(made.count, lab_trace_sizes(trace).d_k);
            assert_true(links_hold(&made, is_query ? LAB_Q : LAB_K, 1, cell->row, cell->column));
            char title[128];
            struct arena arena = {0};
            (void)snprintf(title, sizeof title,
                           is_query ? "q̂(dog)[%zu] = q(dog)[%zu] ÷ |q(dog)|, head 2 of 2"
                                    : "k̂(lion)[%zu] = k(lion)[%zu] ÷ |k(lion)|, head 2 of 2",
                           cell->column + 1, cell->column + 1);
            assert_string_equal(lab_explain(trace, stage, &to, 3, &arena).title, title);
            arena_free(&arena);
            led++;
        }
    }
    assert_int_equal(led, 2 * lab_trace_sizes(trace).d_k);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

/* A number of Q leads to two of Q₀, and each of those to the word's row and its weights. */
static void numbers_before_they_are_turned_lead_to_weights(void **state)
{
    (void)state;
    static const enum lab_part turned[] = {LAB_Q, LAB_K};
    static const enum lab_part before[] = {LAB_Q_BEFORE, LAB_K_BEFORE};
    static const enum lab_part weights[] = {LAB_W_Q, LAB_W_K};
    static const char *const titles[] = {"q₀(dog)[3] = x(dog) · W_Q[·, 3], head 2 of 2",
                                         "k₀(dog)[3] = x(dog) · W_K[·, 3], head 2 of 2"};
    struct lab_experiment experiment = two_heads();
    experiment.positions = LAB_POSITIONS_ROPE;
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    for (size_t s = 0; s < 2; s++) {
        struct lab_selection at = {
            .head = 1, .query = 1, .key = 1, .channel = 3, .projected = turned[s]};
        enum lab_stage stage = LAB_PROJECT;
        const struct links pair = links_of(trace, stage, &at);
        assert_int_equal(pair.count, 2);
        assert_true(links_hold(&pair, before[s], 1, 1, 2) && links_hold(&pair, before[s], 1, 1, 3));
        lab_cell_select(trace, &pair.cell[0], &stage, &at);
        assert_int_equal(stage, LAB_PROJECT);
        assert_int_equal(at.projected, turned[s]);
        const struct links made = links_of(trace, stage, &at);
        assert_int_equal(made.count, 16);
        assert_true(links_hold(&made, LAB_EMBEDDINGS_X, 0, 1, 7));
        assert_true(links_hold(&made, weights[s], 1, 7, 2));
        assert_string_equal(lab_explain(trace, stage, &at, 3, &arena).title, titles[s]);
        lab_cell_select(trace, &made.cell[0], &stage, &at);
        assert_int_equal(stage, LAB_EMBED);
    }
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void behind_a_weight_stand_its_query_and_all_words(void **state)
{
    (void)state;
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    struct links all;
    const struct lab_selection at = {.head = 1, .query = 1, .key = 2, .projected = LAB_Q};
    follow_links(trace, LAB_SOFTMAX, &at, &all);
    assert_true(links_hold(&all, LAB_SCALED, 1, 1, 0));
    assert_true(links_hold(&all, LAB_SCORES, 1, 1, 0));
    assert_true(links_hold(&all, LAB_Q, 1, 1, 0));
    assert_false(links_hold(&all, LAB_Q, 1, 0, 0)); /* other queries have nothing to do with it */
    assert_true(links_hold(&all, LAB_K, 1, 0, 3));
    assert_true(links_hold(&all, LAB_EMBEDDINGS_X, 0, 2, 7));
    assert_true(links_hold(&all, LAB_W_K, 1, 7, 3));
    assert_false(links_hold(&all, LAB_W_K, 0, 0, 0));
    assert_false(links_hold(&all, LAB_V, 1, 0, 0));
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void a_typed_number_says_what_it_would_be(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_experiment experiment = experiment_of(words, 3);
    assert_true(lab_experiment_edit(
        &experiment,
        &(struct lab_edit){.part = LAB_Q, .head = 0, .row = 1, .column = 0, .value = 4}, &error));
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    const struct lab_selection at = {.query = 1, .projected = LAB_Q};
    const struct lab_explanation said = lab_explain(trace, LAB_PROJECT, &at, 6, &arena);
    char text[256] = "";
    for (size_t p = 0; p < said.pieces; p++) {
        strncat(text, said.piece[p].text, sizeof text - strlen(text) - 1);
    }
    assert_non_null(strstr(text, "= −2.700; set by hand: 4"));
    assert_non_null(strstr(said.sentence, "Set by hand: 4 where −2.700 would be"));
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void every_number_of_a_formula_that_is_a_cell_says_which(void **state)
{
    (void)state;
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    for (int s = 0; s < LAB_STAGES; s++) {
        const struct lab_selection at = {
            .head = 1, .query = 1, .key = 2, .channel = 1, .projected = LAB_Q};
        const struct lab_explanation said = lab_explain(trace, (enum lab_stage)s, &at, 3, &arena);
        size_t cells = 0;
        for (size_t p = 0; p < said.pieces; p++) {
            const struct lab_piece *const piece = &said.piece[p];
            char digits[TEXT_NUMBER_MAX];
            if (!piece->has_cell) {
                continue;
            }
            cells++;
            if (s == LAB_SOFTMAX && piece->role != LAB_ROLE_RESULT) {
                /* Scaled scores and their powers stand for the scaled score. */
                assert_int_equal(piece->part, LAB_SCALED);
            } else {
                const struct lab_matrix matrix = lab_trace_part(trace, piece->part, piece->head);
                text_number(digits, (double)lab_matrix_at(&matrix, piece->row, piece->column), 3);
                assert_string_equal(piece->text, digits);
            }
        }
        assert_true(cells >= (s == LAB_SCALE ? 1 : 3));
    }
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void the_terms_of_a_sum_add_up_to_its_number(void **state)
{
    (void)state;
    struct lab_experiment experiment = two_heads();
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    static const struct {
        enum lab_stage stage;
        size_t count;
    } cases[] = {{LAB_PROJECT, 8}, {LAB_SCORE, 4}, {LAB_BLEND, 3}, {LAB_OUTPUT, 6}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct lab_selection at = {
            .head = 1, .query = 1, .key = 2, .channel = 1, .projected = LAB_K};
        const struct lab_terms terms = lab_terms(trace, cases[c].stage, &at, &arena);
        assert_int_equal(terms.count, cases[c].count);
        assert_true(fabs(terms.helps + terms.hurts - (double)terms.result) < 1e-5);
        for (size_t t = 0; t < terms.count; t++) {
            const struct lab_term *const term = &terms.term[t];
            const struct lab_matrix left =
                lab_trace_part(trace, term->left_cell.part, term->left_cell.head);
            assert_true(fabsf(lab_matrix_at(&left, term->left_cell.row, term->left_cell.column) -
                              term->left) <= 0);
            assert_true(fabs(term->product) <= terms.largest);
        }
    }
    assert_int_equal(lab_terms(trace, LAB_SOFTMAX, &(struct lab_selection){0}, &arena).count, 0);
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void the_dimension_that_makes_lion_like_itself_is_animalness(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 3);
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    const struct lab_selection at = {.query = 2, .key = 2, .projected = LAB_Q};
    const struct lab_terms terms = lab_terms(trace, LAB_SCORE, &at, &arena);
    assert_string_equal(terms.term[1].name, "animalness");
    assert_true(fabs(terms.term[1].product - 25) < 1e-6);
    assert_true(fabs(terms.largest - 25) < 1e-6);
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void weights_are_measured_by_row_and_by_column(void **state)
{
    (void)state;
    static const float even[] = {0.25f, 0.25f, 0.25f, 0.25f}, one[] = {0, 1, 0, 0};
    size_t key = 9;
    assert_true(fabs(exp2(lab_measure_entropy(even, 4)) - 4) < 1e-9);
    assert_true(fabs(exp2(lab_measure_entropy(one, 4)) - 1) < 1e-9);
    assert_true(lab_measure_largest(one, 4, &key) >= 1);
    assert_int_equal(key, 1);
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.scale = false;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
    double keys[3] = {0}, queries[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            keys[j] += (double)lab_matrix_at(&alpha, i, j);
            queries[i] += (double)lab_matrix_at(&alpha, i, j);
        }
    }
    assert_true(fabs(keys[0] - (0.474969 + 0.416400)) < 2e-6);
    assert_true(fabs(keys[2] - (0.050061 + 0.004400 + 1)) < 2e-6);
    assert_true(fabs(queries[1] - 1) < 1e-6);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stage_leads_to_the_numbers_that_made_its_own),
        cmocka_unit_test(keys_behind_a_mask_had_no_part_in_a_weight),
        cmocka_unit_test(one_can_walk_from_an_output_back_to_a_letter_of_the_input),
        cmocka_unit_test(numbers_of_length_one_lead_to_their_rows),
        cmocka_unit_test(numbers_before_they_are_turned_lead_to_weights),
        cmocka_unit_test(behind_a_weight_stand_its_query_and_all_words),
        cmocka_unit_test(a_typed_number_says_what_it_would_be),
        cmocka_unit_test(every_number_of_a_formula_that_is_a_cell_says_which),
        cmocka_unit_test(the_terms_of_a_sum_add_up_to_its_number),
        cmocka_unit_test(the_dimension_that_makes_lion_like_itself_is_animalness),
        cmocka_unit_test(weights_are_measured_by_row_and_by_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

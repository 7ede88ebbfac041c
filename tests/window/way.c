/* Where a model's queries and keys are normed, or rebuilt from a latent, the way to them stands at
 * Project, step by step, and each number of it is spelled out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/translate.h"
#include "hands.h"
#include "lab/run/block.h"
#include "model/model.h"
#include "with_model.h"

/* The number that is spelled out reads as the block has it. */
static void expect_number(struct hands *hands, const char *step, size_t parts_head)
{
    const struct lab_block *const block = hands->state->view.head_overview->block;
    const struct lab_block_step *const s = lab_block_step(block, lab_block_find(block, step));
    const size_t row = hands->state->view.pinned.query;
    const size_t first = s->parts > 0 ? parts_head * (s->cols / s->parts) : 0;
    char text[32];
    snprintf(text, sizeof text, "%.3f", (double)s->values[row * s->cols + first]);
    hands_expect_part(hands, text[0] == '-' ? text + 1 : text);
}

/* The number of the score is the one that is spelled out at its steps. */
static void an_operand_of_a_score_leads_to_its_column(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_ids("qwen3", 1440, 900);
    hands_key(hands, "3");
    hands->state->view.pinned.query = hands->state->view.pinned.key = 1;
    hands_frame(hands);
    const struct lab_matrix q = lab_trace_part(hands->state->document.trace, LAB_Q, 0);
    const struct lab_matrix k = lab_trace_part(hands->state->document.trace, LAB_K, 0);
    size_t largest = 0;
    for (size_t c = 1; c < q.cols; c++) { /* the sum spells its largest term out */
        const float one = lab_matrix_at(&q, 1, c) * lab_matrix_at(&k, 1, c);
        const float best = lab_matrix_at(&q, 1, largest) * lab_matrix_at(&k, 1, largest);
        largest = fabsf(one) > fabsf(best) ? c : largest;
    }
    assert_true(largest > 0);
    char text[32];
    snprintf(text, sizeof text, "%s%.3f", lab_matrix_at(&q, 1, largest) < 0 ? "−" : "",
             fabs((double)lab_matrix_at(&q, 1, largest)));
    hands_click(hands, text);
    hands_show_settled(hands);
    hands_expect(hands, "q̂ turned");
    assert_int_equal(hands->state->view.block_column, largest);
    hands_expect(hands, text);
    hands_close(hands);
}

static void norms_of_queries_and_keys_are_steps(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_ids("qwen3", 1440, 900);
    hands_key(hands, "2");
    hands_expect(hands, "norm of q₀");
    hands_expect(hands, "norm of k₀");
    hands_expect(hands, "x̂ · W_Q");
    hands_expect(hands, "q̂ turned");
    expect_number(hands, "q", 0);
    hands->state->view.block_step =
        1 + lab_block_find(hands->state->view.head_overview->block, "q_normed");
    hands_frame(hands);
    hands_expect_part(hands, "q̂( ");
    hands_expect_part(hands, "numbers of this head");
    expect_number(hands, "q_normed", 0);
    hands_key(hands, "1");
    hands_expect(hands, "norm of x");
    hands_key(hands, "7");
    hands_expect(hands, "z · W_O");
    hands_expect_not(hands, "norm of q₀");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

static void a_norm_of_all_heads_says_so(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_ids("olmo2", 1440, 900);
    hands_key(hands, "2");
    hands->state->view.block_step =
        1 + lab_block_find(hands->state->view.head_overview->block, "k_normed");
    hands_frame(hands);
    hands_expect_part(hands, "those of all heads together");
    hands_close(hands);
}

static void the_latent_is_a_step(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_ids("deepseek-v2", 1440, 900);
    hands_key(hands, "2");
    hands_expect(hands, "x̂ · W_DKV");
    hands_expect(hands, "x̂ · W_DQ");
    hands_expect(hands, "ĉ · W_UK");
    hands_expect(hands, "ĉ · W_UV");
    hands_expect(hands, "k₀, then r");
    expect_number(hands, "q", 0);
    assert_int_equal(hands_collisions(hands), 0);
    hands_resize(hands, 960, 600);
    hands_expect(hands, "k₀, then r");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* The rows themselves are a tab away, and can be typed over; then they are not the model's. */
static void the_rows_that_came_of_it_are_a_tab_away(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_ids("qwen3", 1440, 900);
    hands_key(hands, "2");
    hands_click(hands, "Q, K, V");
    hands_expect_not(hands, "norm of q₀");
    hands_click(hands, "Steps");
    hands_expect(hands, "norm of q₀");
    hands_close(hands);
}

/* The text before the heads is true for each family. */
static void what_x_is_depends_on_the_norm_before_it(void **state)
{
    static const struct {
        const char *family, *sentence;
    } rows[] = {{"neo", "X is the residual stream after layer norm 1 of L0."},
                {"mixtral", "X is the residual stream after the RMS norm before the heads of L0."},
                {"roberta", "X is the residual stream: no norm stands before the heads of L0."},
                {"olmo2", "The residual stream as it reaches this layer: its heads see it as it "
                          "is."}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct hands *const hands = hands_on_ids(rows[r].family, 1440, 900);
        hands_key(hands, "1");
        hands_expect(hands, rows[r].sentence);
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

static void a_bias_before_the_turn_is_a_bias(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_ids("qwen2", 1440, 900);
    hands_key(hands, "2");
    hands_expect_part(hands, "turns every pair");
    hands_expect_not(hands, "no bias");
    hands_close(hands);
    struct hands *const part = hands_on_ids("neox", 1440, 900);
    hands_key(part, "2");
    hands_expect_part(part, "turns some pairs");
    hands_close(part);
    struct hands *const none = hands_on_ids("mixtral", 1440, 900);
    hands_key(none, "2");
    hands_expect(none, "no bias");
    hands_close(none);
}

/* Rows of each step have their words: all of them where strips are high, else the chosen one's. */
static void rows_of_a_block_have_their_words(void **state)
{
    (void)state;
    static const char *const words[] = {"#5", "#17", "#3", "#21", "#8", "#30", "#2"};
    struct hands *const hands = hands_on_ids("llama3", 1440, 1600);
    hands_key(hands, "8");
    const size_t steps = lab_block_facts(hands->state->view.head_overview->block).steps;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        assert_true(hands_count(hands, words[w]) >= steps);
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_resize(hands, 960, 600);
    hands_key(hands, "Up"); /* from the last word, which is chosen first */
    const size_t chosen = hands->state->view.pinned.query;
    assert_int_equal(chosen, sizeof words / sizeof *words - 2);
    assert_true(hands_count(hands, words[chosen]) >= steps);
    assert_true(hands_count(hands, words[chosen - 3]) < steps);
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* Before a class, too, what stands in the block of the first layer and of the last is there as a
 * whole: sentences, names of steps, and how many rows were computed or nothing of that. */
static void the_block_is_read_whole_before_a_class(void **state)
{
    (void)state;
    static const char *const families[] = {"llama3", "mixtral", "deepseek-v3"};
    static const float sizes[][2] = {{1024, 768}, {1280, 720}};
    for (size_t l = 0; language_at(l) != NULL; l++) {
        language_speak(language_at(l));
        for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
            const float *const size = sizes[(f + l) % 2];
            struct hands *const hands = hands_on_ids(families[f], size[0], size[1]);
            hands->state->view.prefs.presenter = true;
            hands_frame(hands);
            for (size_t last = 0; last < 2; last++) {
                hands_key(hands, "8");
                if (hands_count_part(hands, "…") > 0) {
                    hands_report(hands);
                    fail_msg("%s, %s: a text is cut", families[f], language_at(l)->code);
                }
                assert_int_equal(hands_collisions(hands), 0);
                hands_key(hands, "8");
                hands_key(hands, "Shift+L");
                hands_settle(hands);
                hands_frame(hands);
            }
            hands_close(hands);
        }
    }
    language_speak(NULL);
}

/* "#1's row" is English. */
static void a_sinks_sentence_is_of_its_language(void **state)
{
    (void)state;
    static const char *const codes[] = {"de", "zh_CN"};
    for (size_t l = 0; l < sizeof codes / sizeof *codes; l++) {
        language_speak(language_find(codes[l]));
        struct hands *const hands = hands_on_ids("gpt-oss", 1440, 900);
        hands_key(hands, "5");
        assert_int_equal(hands_count_part(hands, "’s"), 0);
        hands_close(hands);
    }
    language_speak(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(norms_of_queries_and_keys_are_steps),
        cmocka_unit_test(an_operand_of_a_score_leads_to_its_column),
        cmocka_unit_test(a_norm_of_all_heads_says_so),
        cmocka_unit_test(the_latent_is_a_step),
        cmocka_unit_test(the_rows_that_came_of_it_are_a_tab_away),
        cmocka_unit_test(what_x_is_depends_on_the_norm_before_it),
        cmocka_unit_test(a_bias_before_the_turn_is_a_bias),
        cmocka_unit_test(rows_of_a_block_have_their_words),
        cmocka_unit_test(the_block_is_read_whole_before_a_class),
        cmocka_unit_test(a_sinks_sentence_is_of_its_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Attention from elsewhere, of which only a part is known: every stage can be looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hands.h"
#include "lab/experiment/stage.h"

enum { HEADS = 3, N = 4, D = 5 };

static struct lab_numbers *make_numbers(size_t cols, float first)
{
    float values[HEADS * N * D];
    struct error error = {ERROR_NONE, 0, ""};
    const size_t shape[3] = {HEADS, N, cols};
    for (size_t c = 0; c < HEADS * N * cols; c++) {
        values[c] = first + 0.125f * (float)(c % 7);
    }
    struct lab_numbers *const made = lab_numbers_make(values, 3, shape, &error);
    assert_non_null(made);
    return made;
}

static struct hands *hands_on(bool weights, bool queries, bool values)
{
    static const char *const words[N] = {"The", "cat", "sat", "down"};
    struct error error = {ERROR_NONE, 0, ""};
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct lab_experiment experiment;
    assert_true(lab_experiment_default(&experiment, &error));
    assert_true(lab_experiment_set_tokens(&experiment, words, N, &error));
    experiment.alpha = weights ? make_numbers(N, 0.05f) : NULL;
    experiment.q = queries ? make_numbers(D, -0.5f) : NULL;
    experiment.k = queries ? make_numbers(D, 0.25f) : NULL;
    experiment.v = values ? make_numbers(D, 1) : NULL;
    document_change(&hands->state->document, &experiment, "open", 0);
    lab_experiment_release(&experiment);
    hands_frame(hands);
    assert_non_null(hands->state->document.trace);
    return hands;
}

static void look_everywhere(struct hands *hands)
{
    static const char *const strokes[] = {"1", "2", "3", "4", "5", "6", "7"};
    for (size_t s = 0; s < sizeof strokes / sizeof strokes[0]; s++) {
        hands_key(hands, strokes[s]);
        hands_wait(hands, 0.4);
        const bool known = lab_trace_lacks(hands->state->document.trace,
                                           hands->state->view.playback.stage) == NULL;
        hands_must_show(hands, "This is not known here", !known, __FILE__, __LINE__);
        hands_key(hands, "Space");
        hands_wait(hands, 1);
        hands_key(hands, "Space");
        for (float x = 40; x < 1440; x += 90) {
            for (float y = 120; y < 880; y += 90) {
                hands_move(hands, x, y);
            }
        }
        hands_key(hands, "Down");
        hands_key(hands, "Shift+Right");
    }
    hands_key(hands, "Home");
    hands_key(hands, "o");
    hands_frame(hands);
    hands_key(hands, "o");
}

static void weights_alone_can_be_looked_at_at_every_stage(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(true, false, false);
    look_everywhere(hands);
    hands_close(hands);
}

static void weights_with_values_can_be_looked_at_at_every_stage(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(true, false, true);
    look_everywhere(hands);
    hands_close(hands);
}

static void queries_and_keys_can_be_looked_at_at_every_stage(void **state)
{
    (void)state;
    struct hands *const hands = hands_on(false, true, false);
    look_everywhere(hands);
    hands_close(hands);
}

/* What a stage changed is shown where the scores are known, and nowhere else. */
static void what_a_stage_changed_is_shown_where_scores_are_known(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        struct hands *const hands = hands_on(!known, known, false);
        hands_key(hands, "5");
        hands_wait(hands, 2);
        hands_key(hands, "Ctrl+K");
        hands_type(hands, "stage minus");
        hands_key(hands, "Enter");
        hands_frame(hands);
        hands_must_show(hands, "No difference here", false, __FILE__, __LINE__);
        assert_true((hands_count_part(hands, "minus the scores") > 0) == known);
        assert_true((hands_count_part(hands, "came before its weights") > 0) == !known);
        assert_true(hands->state->view.prefs.display.change == known);
        hands_close(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_alone_can_be_looked_at_at_every_stage),
        cmocka_unit_test(weights_with_values_can_be_looked_at_at_every_stage),
        cmocka_unit_test(queries_and_keys_can_be_looked_at_at_every_stage),
        cmocka_unit_test(what_a_stage_changed_is_shown_where_scores_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

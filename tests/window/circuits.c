/* What heads do by their weights alone: shown beside why a word is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "app/actions/step.h"
#include "app/open/lesson.h"
#include "checkpoint.h"
#include "lab/lesson/lessons.h"
#include "view/parts/circuit.h"
#include "with_model.h"

/* What heads do by their weights alone, of a model that is opened and of weights that learn. */
static void circuits_of_the_weights_lead_to_heads(void **state)
{
    (void)state;
    for (int learns = 0; learns < 2; learns++) {
        struct hands *const hands = learns != 0 ? hands_open("away", 1440, 900)
                                                : hands_on_path(getenv("SMALL_WORLD"), "it is");
        hands_click(hands, "Why");
        hands_show_settled(hands);
        hands_click(hands, "Circuits");
        hands_show_settled(hands);
        hands_expect(hands, "−0.56");           /* whether L1H3 copies */
        hands_expect_not(hands, "rather than"); /* it is of the weights, whatever is said */
        const struct view_circuit *const circuit = hands->state->view.circuit;
        const size_t reader = circuit->line[0].to;
        char row[64];
        (void)snprintf(row, sizeof row, "L%zuH%zu → %c · L%zuH%zu",
                       circuit->line[0].from / circuit->heads,
                       circuit->line[0].from % circuit->heads, circuit->line[0].reading,
                       reader / circuit->heads, reader % circuit->heads);
        hands_click(hands, row); /* a line leads to the head that reads */
        hands_show_settled(hands);
        assert_true(hands->state->view.circuit->has_head);
        assert_int_equal(hands->state->view.circuit->head, reader);
        hands_click(hands, "All heads");
        hands_show_settled(hands);
        hands_click(hands, "L0H1");
        hands_show_settled(hands);
        hands_expect(hands, "QK: which word looks at which");
        hands_click(hands, "Its stages");
        hands_show_settled(hands);
        assert_false(hands->state->view.why_shown);
        assert_int_equal(hands->state->view.pinned.head, 1);
        hands_key(hands, "Backspace");
        hands_click(hands, "Circuits");
        hands_show_settled(hands);
        hands_expect(hands,
                     "What L0H1 takes from each word"); /* it is the selected one here, too */
        hands_close(hands);
    }
}

/* The tiny model with places for so many words that its weights are no small work. */
static void write_large(struct checkpoint *checkpoint)
{
    enum { PLACES = 24000, WIDTH = 12 };
    static const float zeros[PLACES][WIDTH];
    checkpoint_open(checkpoint, getenv("TINY_MODEL"));
    struct tensor *const places = checkpoint_find(checkpoint, "wpe.weight");
    places->shape[0] = PLACES;
    places->bytes = (struct bytes){(const uint8_t *)zeros, sizeof zeros};
    checkpoint_write(checkpoint);
    checkpoint_put_text(checkpoint, "config.json",
                        "{\"model_type\": \"gpt2\", \"n_layer\": 2, \"n_head\": 2, \"n_embd\": 12, "
                        "\"n_positions\": 24000, \"vocab_size\": 300}");
}

/* A model that was opened, then weights that learn with their circuits, then the model again: what
 * is computed of it by then is not there, and theirs do not stand in for it. */
static void circuits_of_other_weights_do_not_stand_in(void **state)
{
    (void)state;
    struct checkpoint large;
    write_large(&large);
    struct hands *const hands = hands_on_path(large.folder, "the cat");
    size_t lesson = 0;
    assert_true(lab_lesson_find("away", &lesson));
    assert_true(app_lesson_open(hands->state, lesson, hands->input.time));
    hands_show_settled(hands);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "Circuits");
    hands_show_settled(hands);
    const struct view_circuit *const learned = hands->state->view.circuit;
    assert_non_null(learned);
    const size_t heads = learned->heads;
    hands_key(hands, "Ctrl+Z");
    for (int frame = 0; frame < 3 || app_waits(hands->state); frame++) {
        const struct view_circuit *const shown = hands->state->view.circuit;
        assert_true(hands->state->view.learn != NULL || shown == NULL || shown->heads != heads);
        hands_step_for_result(hands);
    }
    assert_null(hands->state->view.learn);
    assert_non_null(hands->state->view.circuit);
    assert_int_equal(hands->state->view.circuit->heads, 2);
    hands_close(hands);
    checkpoint_close(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circuits_of_the_weights_lead_to_heads),
        cmocka_unit_test(circuits_of_other_weights_do_not_stand_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What heads do by their weights alone: shown beside why a word is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

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
        hands_expect(hands, "−0.56"); /* whether L1H3 copies */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circuits_of_the_weights_lead_to_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Why, of every family whose stream is a sum: each layout of a layer is asked through the window.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/parts/why.h"
#include "with_model.h"

/* Returns whether the part reads the stream before its layer's attention has written into it. */
static bool reads_beside(const struct view_why_part *part, bool parallel)
{
    return part->kind == VIEW_WHY_HEAD || parallel;
}

/* What a head is said to look at is what it looks at most; from another word it takes most. */
static void expect_true_sentence(struct hands *hands, const struct view_why_answer *answer)
{
    for (size_t h = 0; h < answer->layers * answer->heads; h++) {
        const float *const alpha = answer->weight[VIEW_BY_ALPHA] + h * answer->n;
        char words[64];
        size_t most = 0;
        for (size_t j = 1; j < answer->n; j++) {
            most = alpha[j] > alpha[most] ? j : most;
        }
        (void)snprintf(words, sizeof words, "L%zuH%zu looks at", h / answer->heads,
                       h % answer->heads);
        if (hands_count_part(hands, words) > 0) {
            (void)snprintf(words, sizeof words, "L%zuH%zu looks at “%s”", h / answer->heads,
                           h % answer->heads, answer->words[most]);
            hands_expect_part(hands, words);
        }
    }
}

/* All panels are there, to the paths: each from a part to one that reads what it wrote. */
static void expect_whole_answer(const char *family, bool parallel)
{
    struct hands *const hands = hands_on_ids(family, 1440, 900);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_expect(hands, "Who says it");
    hands_expect(hands, "Every head in turn");
    hands_expect(hands, "What it would say now");
    const struct view_why_answer *const answer = hands->state->view.why->answer;
    assert_non_null(answer);
    assert_int_equal(answer->done, answer->all);
    for (size_t p = 0; p < answer->paths; p++) {
        const struct view_why_part *const from = &answer->part[answer->path[p].sender];
        const struct view_why_part *const to = &answer->part[answer->path[p].receiver];
        if (from->layer >= to->layer && (from->layer > to->layer || reads_beside(to, parallel))) {
            fail_msg("%s: %s does not tell %s", family, from->name, to->name);
        }
    }
    expect_true_sentence(hands, answer);
    if (answer->paths > 0) {
        hands_expect_part(hands, "Who told whom");
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* GPT-NeoX and Phi: no head tells the MLP of its own layer. */
static void layers_whose_parts_read_the_same_stream_are_asked(void **state)
{
    (void)state;
    static const char *const families[] = {"neox", "neox-odd", "phi", "phi-normed"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        expect_whole_answer(families[f], true);
    }
}

static void layers_whose_parts_read_one_another_are_asked(void **state)
{
    (void)state;
    static const char *const families[] = {"neox-serial", "llama3",  "gemma2",  "gemma3",
                                           "olmo2",       "mixtral", "gpt-oss", "deepseek-v3",
                                           "opt",         "neo",     "qwen3",   "smollm3"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        expect_whole_answer(families[f], false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_whose_parts_read_the_same_stream_are_asked),
        cmocka_unit_test(layers_whose_parts_read_one_another_are_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

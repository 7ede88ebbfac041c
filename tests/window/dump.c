/* A file of attention is opened, walked through, and damaged ones leave what was there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/open/drop.h"
#include "with_model.h"

static const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("DUMPS"), name);
    return path;
}

static void drop_file(struct hands *hands, const char *name)
{
    const char *const path = path_of(name);
    hands_drop(hands, path);
    hands_show_settled(hands);
}

static void a_dropped_file_stands_on_the_stages_with_its_words(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_file(hands, "half.npz");
    assert_string_equal(hands->state->message, "");
    assert_int_equal(hands->state->view.playback.stage, LAB_SOFTMAX);
    assert_int_equal(hands->state->document.experiment.layers, 2);
    hands_expect(hands, "s\u00e4t");
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(head_overview_of(hands)->thumbnails);
    assert_int_equal(sizes.layers * sizes.heads, 6);
    assert_int_equal(head_overview_of(hands)->next_count, 0); /* nothing comes next in a file */
    assert_null(head_overview_of(hands)->off);
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 2);
    assert_memory_equal(alpha.values,
                        lab_thumbnails_head(head_overview_of(hands)->thumbnails, 0, 2).largest,
                        16 * sizeof(float));
    hands_close(hands);
}

static void layers_are_walked_through_and_heads_opened(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_file(hands, "tuple.npz");
    const size_t past = hands->state->document.at;
    assert_true(app_open_model_step(hands->state, 1, 0));
    assert_int_equal(hands->state->document.experiment.layer, 1);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                          .overview = {.act = VIEW_HEAD_OVERVIEW_OPEN, .which = 2}},
                    0);
    hands_frame(hands);
    assert_int_equal(hands->state->document.experiment.layer, 0);
    assert_int_equal(hands->state->view.pinned.head, 2);
    assert_int_equal(hands->state->document.at, past);
    const enum view_head_overview_act unfit[] = {
        VIEW_HEAD_OVERVIEW_SWITCH, VIEW_HEAD_OVERVIEW_ALL_ON, VIEW_HEAD_OVERVIEW_TAKE,
        VIEW_HEAD_OVERVIEW_DRAW, VIEW_HEAD_OVERVIEW_TEMPERATURE};
    for (size_t u = 0; u < sizeof unfit / sizeof unfit[0]; u++) {
        app_state_apply(
            hands->state,
            &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW, .overview = {.act = unfit[u]}},
            0);
        hands_frame(hands);
    }
    assert_int_equal(hands->state->document.at, past);
    hands_close(hands);
}

static void what_was_guessed_is_said(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_file(hands, "batch.npy");
    assert_string_equal(hands->state->message, "Text 1 of 2 is shown.");
    drop_file(hands, "objects.npz");
    assert_string_equal(hands->state->message,
                        "used: attentions, tokens; not used: title, settings (It holds Python "
                        "objects that are no plain texts; only texts are read)");
    hands_close(hands);
}

static void a_damaged_file_is_refused_and_what_was_there_stays(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_file(hands, "half.npz");
    const struct lab_words *const words = hands->state->document.experiment.tokens;
    static const struct {
        const char *file, *says;
    } wrong[] = {{"wrong_large.npy", "5000 keys"}};
    for (size_t w = 0; w < 1; w++) {
        drop_file(hands, wrong[w].file);
        assert_non_null(strstr(hands->state->message, wrong[w].says));
        assert_non_null(strstr(hands->state->message, wrong[w].file));
        assert_ptr_equal(hands->state->document.experiment.tokens, words);
        assert_non_null(hands->state->document.trace);
    }
    hands_close(hands);
}

static void arrays_that_are_no_layers_of_one_another_are_asked_about(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_file(hands, "wrong_uneven.npz");
    assert_non_null(hands->state->view.import);
    hands_close(hands);
}

static void expect_side(struct hands *hands, size_t side, size_t n, size_t m, const char *word)
{
    const struct view_head_overview *const overview = head_overview_of(hands);
    assert_int_equal(overview->attention, side);
    assert_int_equal(lab_trace_sizes(hands->state->document.trace).n, n);
    assert_int_equal(lab_trace_sizes(hands->state->document.trace).m, m);
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 1);
    assert_memory_equal(alpha.values,
                        lab_thumbnails_head(overview->thumbnails, overview->layer, 1).largest,
                        n * m * sizeof(float));
    hands_expect(hands, word);
}

/* A file with the attentions of both texts: each of them is a click away, at the same layer, and
 * what is undone comes back with the heads that it is of. */
static void each_attention_of_two_texts_is_shown(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_file(hands, "pair.npz");
    assert_true(app_open_model_step(hands->state, 1, 0));
    hands_show_settled(hands);
    const size_t at = hands->state->document.at;
    expect_side(hands, 0, 4, 4, "s\u00e4t");
    hands_click(hands, "Encoder");
    hands_show_settled(hands);
    expect_side(hands, 1, 6, 6, "f");
    assert_int_equal(head_overview_of(hands)->layer, 1);
    hands_click(hands, "Cross");
    hands_show_settled(hands);
    expect_side(hands, 2, 4, 6, "s\u00e4t");
    assert_int_equal(hands->state->document.at, at); /* no step of history, as of a model */
    assert_int_equal(hands_collisions(hands), 0);
    app_command_run(hands->state, "encoder heads", 1, hands->input.time);
    hands_show_settled(hands);
    expect_side(hands, 1, 6, 6, "f");
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    next.residual = !next.residual;
    document_change(&hands->state->document, &next, "a change", hands->input.time);
    lab_experiment_release(&next);
    hands_show_settled(hands);
    hands_click(hands, "Decoder"); /* in place of what was changed */
    hands_show_settled(hands);
    expect_side(hands, 0, 4, 4, "s\u00e4t");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    expect_side(hands, 1, 6, 6, "f");
    hands_key(hands, "Ctrl+Y");
    hands_show_settled(hands);
    expect_side(hands, 0, 4, 4, "s\u00e4t");
    hands_resize(hands, 960, 600);
    hands_click(hands, "Cross");
    hands_show_settled(hands);
    expect_side(hands, 2, 4, 6, "s\u00e4t");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* The words that were said belong to what they were said of. */
static void words_that_were_said_come_back_with_their_attention(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    const struct lab_dump_request request = {.array = "cross_attentions",
                                             .tokens = "un deux trois quatre",
                                             .context = "eins zwei drei vier f\u00fcnf sechs"};
    assert_true(app_open_model_open_as(hands->state, path_of("pair.npz"), &request,
                                       DUMP_DOUBT_IS_ASKED, NULL, 0));
    hands_show_settled(hands);
    expect_side(hands, 2, 4, 6, "quatre");
    hands_click(hands, "Encoder");
    hands_show_settled(hands);
    expect_side(hands, 1, 6, 6, "f");
    hands_click(hands, "Cross");
    hands_show_settled(hands);
    expect_side(hands, 2, 4, 6, "sechs");
    hands_close(hands);
}

static void one_attention_offers_no_other(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    drop_file(hands, "half.npz");
    hands_expect_not(hands, "Encoder");
    assert_int_equal(head_overview_of(hands)->attentions, 1);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dropped_file_stands_on_the_stages_with_its_words),
        cmocka_unit_test(layers_are_walked_through_and_heads_opened),
        cmocka_unit_test(what_was_guessed_is_said),
        cmocka_unit_test(a_damaged_file_is_refused_and_what_was_there_stays),
        cmocka_unit_test(arrays_that_are_no_layers_of_one_another_are_asked_about),
        cmocka_unit_test(each_attention_of_two_texts_is_shown),
        cmocka_unit_test(words_that_were_said_come_back_with_their_attention),
        cmocka_unit_test(one_attention_offers_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

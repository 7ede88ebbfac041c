/* A model's first layer shows before the others are computed; they follow, and nothing of it is
 * another number than when all is computed at once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "app/document/document.h"
#include "app/open/open_model_internal.h"
#include "hands.h"
#include "with_model.h"

static const char SO_FAR[] = "1 of 2 layers", WAITS[] = "Computing: the words stand here";

static size_t count_ready(const struct hands *hands)
{
    return lab_thumbnails_ready(head_overview_of(hands)->thumbnails);
}

/* The window in the frame that has the first layer, before any other is begun. */
static struct hands *hands_at_first_layer(const char *text)
{
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands->state->host |= APP_HOST_IS_SLOW;
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), text, 0));
    while (hands->state->document.experiment.layers == 0) {
        hands_step(hands);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return hands;
}

/* All pictures, next words and the layer that stands there are those of the other window, to the
 * bit. */
static void expect_same(const struct hands *hands, const struct hands *other)
{
    const struct view_head_overview *const a = head_overview_of(hands), *const b =
                                                                            head_overview_of(other);
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(a->thumbnails);
    assert_int_equal(count_ready(hands), sizes.layers);
    assert_int_equal(lab_thumbnails_sizes(b->thumbnails).n, sizes.n);
    for (size_t at = 0; at < sizes.layers * sizes.heads; at++) {
        assert_memory_equal(
            lab_thumbnails_head(a->thumbnails, at / sizes.heads, at % sizes.heads).mean,
            lab_thumbnails_head(b->thumbnails, at / sizes.heads, at % sizes.heads).mean,
            sizes.rows * sizes.cols * sizeof(float));
    }
    assert_int_equal(a->next_count, VIEW_NEXT_MAX);
    assert_int_equal(b->next_count, VIEW_NEXT_MAX);
    for (size_t n = 0; n < VIEW_NEXT_MAX; n++) {
        assert_string_equal(a->next[n].word, b->next[n].word);
        assert_true(fabs(a->next[n].share - b->next[n].share) <= 0);
    }
    const struct lab_matrix one = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 1);
    const struct lab_matrix same = lab_trace_part(other->state->document.trace, LAB_ALPHA, 1);
    assert_memory_equal(one.values, same.values, sizes.n * sizes.m * sizeof(float));
    assert_memory_equal(a->stream, b->stream, a->stream_rows * a->stream_cols * sizeof(float));
    assert_non_null(a->block);
}

static void the_first_layer_shows_while_the_others_are_computed(void **state)
{
    (void)state;
    struct hands *const hands = hands_at_first_layer("the cat sat");
    struct hands *const whole = hands_on_path(getenv("TINY_MODEL"), "the cat sat");
    assert_int_equal(hands->state->document.experiment.layer, 0);
    assert_non_null(hands->state->document.trace);
    assert_non_null(head_overview_of(hands)->block);
    assert_int_equal(count_ready(hands), 1);
    assert_int_equal(hands_count_part(hands, SO_FAR), 1); /* how much of it there is … */
    assert_int_equal(hands_count_part(hands, WAITS), 1);  /* … and what is waited for */
    hands_show_settled(hands);
    assert_int_equal(hands_count_part(hands, SO_FAR), 0);
    assert_int_equal(hands_count_part(hands, WAITS), 0);
    expect_same(hands, whole);
    hands_close(hands);
    hands_close(whole);
}

static void a_layer_that_is_not_there_comes_when_it_is(void **state)
{
    (void)state;
    struct hands *const hands = hands_at_first_layer("the cat sat");
    struct hands *const whole = hands_on_path(getenv("TINY_MODEL"), "the cat sat");
    hands_key(whole, "l");
    hands_show_settled(whole);
    assert_true(app_open_model_step(hands->state, 1, 0));
    assert_int_equal(hands->state->document.experiment.layer, 0); /* what stands there stays */
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    assert_int_equal(head_overview_of(hands)->layer, 1);
    expect_same(hands, whole);
    hands_close(hands);
    hands_close(whole);
}

static void what_is_missing_can_be_given_up_and_asked_for(void **state)
{
    (void)state;
    struct hands *const hands = hands_at_first_layer("the cat sat");
    struct hands *const whole = hands_on_path(getenv("TINY_MODEL"), "the cat sat");
    hands_key(whole, "l");
    hands_show_settled(whole);
    hands_step(hands);                                 /* The others are begun. */
    ask_overview(hands, VIEW_HEAD_OVERVIEW_CANCEL, 0); /* They are given up, or done by then. */
    hands_show_settled(hands);
    assert_false(head_overview_of(hands)->busy);
    assert_int_equal(hands->state->document.experiment.layer, 0);
    assert_int_equal(hands_count_part(hands, WAITS), 0); /* nothing is waited for */
    assert_non_null(hands->state->document.trace);
    assert_true(app_open_model_step(hands->state, 1, 0));
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    expect_same(hands, whole);
    hands_close(hands);
    hands_close(whole);
}

static void a_word_more_stands_on_all_layers(void **state)
{
    (void)state;
    struct hands *const hands = hands_at_first_layer("the cat sat");
    struct hands *const whole = hands_on_path(getenv("TINY_MODEL"), "the cat sat on");
    const struct view_action word = {.kind = VIEW_ACTION_INSERT,
                                     .token = {.at = SIZE_MAX, .text = "on"}};
    app_state_apply(hands->state, &word, 0);
    hands_show_settled(hands);
    expect_same(hands, whole);
    hands_close(hands);
    hands_close(whole);
}

static void undo_and_redo_find_the_rest(void **state)
{
    (void)state;
    struct hands *const hands = hands_at_first_layer("the cat sat");
    struct hands *const whole = hands_on_path(getenv("TINY_MODEL"), "the cat sat");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_null(hands->state->view.head_overview);
    assert_int_equal(hands->state->document.experiment.layers, 0);
    hands_key(hands, "Ctrl+Y");
    hands_show_settled(hands);
    expect_same(hands, whole);
    hands_close(hands);
    hands_close(whole);
}

/* The bar says what the words beside it say. */
static void as_much_of_the_bar_is_full_as_layers_are_done(void **state)
{
    (void)state;
    static const struct {
        size_t part, done, all;
        float least, most;
    } cases[] = {
        {OPEN_MODEL_FILLS, 0, 22, 0, 0.001f},
        {OPEN_MODEL_FILLS, 3, 22, 0.13f, 0.14f},
        {OPEN_MODEL_FILLS, 13, 22, 0.59f, 0.6f},
        {OPEN_MODEL_COMPUTES, 11, 22, 0.4f, 0.5f}, /* heads are looked at behind it */
        {OPEN_MODEL_SCANS, 22, 22, 0.999f, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[96];
        const struct open_model_work work = {.subject = {.kind = &subject_checkpoint},
                                             .part = cases[c].part,
                                             .done = cases[c].done,
                                             .all = cases[c].all};
        const float bar = open_model_say(&work, text, sizeof text);
        assert_true(bar >= cases[c].least && bar <= cases[c].most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_layer_shows_while_the_others_are_computed),
        cmocka_unit_test(a_layer_that_is_not_there_comes_when_it_is),
        cmocka_unit_test(what_is_missing_can_be_given_up_and_asked_for),
        cmocka_unit_test(a_word_more_stands_on_all_layers),
        cmocka_unit_test(undo_and_redo_find_the_rest),
        cmocka_unit_test(as_much_of_the_bar_is_full_as_layers_are_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A session of a layer names its model: opened again, all heads stand beside the layer as they did,
 * of the same tokens; where the model is gone, the layer stands alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/open/lesson.h"
#include "checkpoint.h"
#include "with_model.h"

static struct checkpoint checkpoint;
static char session[300];

static void save_session(struct hands *hands)
{
    struct error error = {ERROR_NONE, 0, ""};
    snprintf(session, sizeof session, "kept-model-session.json");
    assert_true(app_lesson_save(hands->state, session, &error));
}

static struct hands *hands_on_session(void)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_lesson_read(hands->state, session, 0, &error));
    hands_show_settled(hands);
    return hands;
}

/* Both windows show the same words, heads, order and next words. */
static void expect_alike(struct hands *was, struct hands *is)
{
    const struct view_head_overview *const a = head_overview_of(was), *const b =
                                                                          head_overview_of(is);
    assert_non_null(b->thumbnails);
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(a->thumbnails);
    const struct lab_thumbnails_sizes found = lab_thumbnails_sizes(b->thumbnails);
    assert_memory_equal(&sizes, &found, sizeof sizes);
    for (size_t p = 0; p < sizes.layers * sizes.heads; p++) {
        const size_t layer = p / sizes.heads, head = p % sizes.heads;
        assert_memory_equal(lab_thumbnails_head(a->thumbnails, layer, head).largest,
                            lab_thumbnails_head(b->thumbnails, layer, head).largest,
                            sizes.rows * sizes.cols * sizeof(float));
        assert_int_equal(a->off == NULL ? 0 : a->off[p], b->off == NULL ? 0 : b->off[p]);
        assert_int_equal(a->order == NULL ? p : a->order[p], b->order == NULL ? p : b->order[p]);
    }
    assert_int_equal(a->sinks_aside, b->sinks_aside);
    assert_int_equal(a->grouped, b->grouped);
    assert_int_equal(a->head_measure, b->head_measure);
    assert_int_equal(a->attention, b->attention);
    assert_int_equal(a->layer, b->layer);
    assert_int_equal(a->chat_first, b->chat_first);
    assert_true((a->chat == NULL) == (b->chat == NULL));
    assert_int_equal(a->next_count, b->next_count);
    for (size_t i = 0; i < a->next_count; i++) {
        assert_string_equal(a->next[i].word, b->next[i].word);
        assert_memory_equal(&a->next[i].share, &b->next[i].share, sizeof(double));
    }
    assert_true(
        lab_experiment_equal(&was->state->document.experiment, &is->state->document.experiment));
    assert_int_equal(was->state->view.pinned.head, is->state->view.pinned.head);
}

static void all_heads_come_back_as_they_were_looked_at(void **state)
{
    (void)state;
    checkpoint_open(&checkpoint, getenv("TINY_MODEL"));
    checkpoint_write(&checkpoint);
    checkpoint_put_text(&checkpoint, "tokenizer_config.json",
                        "{\"chat_template\": \"[INST] {{ content }} [/INST]\"}");
    struct hands *const was = hands_on_path(checkpoint.folder, "the cat sat");
    ask_overview(was, VIEW_HEAD_OVERVIEW_SINKS, 0);
    ask_overview(was, VIEW_HEAD_OVERVIEW_SORT, LAB_HEAD_MEASURE_PREVIOUS);
    ask_overview(was, VIEW_HEAD_OVERVIEW_SWITCH, 1);
    ask_overview(was, VIEW_HEAD_OVERVIEW_CHAT, 0);
    ask_overview(was, VIEW_HEAD_OVERVIEW_OPEN, 3);
    save_session(was);
    struct hands *const is = hands_on_session();
    assert_true(head_overview_of(is)->sinks_aside);
    assert_true(head_overview_of(is)->off[1]);
    expect_alike(was, is);
    assert_int_equal(head_overview_of(is)->layer, 1);
    ask_overview(is, VIEW_HEAD_OVERVIEW_TAKE, 0); /* it is the model itself: it goes on */
    ask_overview(was, VIEW_HEAD_OVERVIEW_TAKE, 0);
    expect_alike(was, is);
    hands_key(is, "Ctrl+Z");
    hands_show_settled(is);
    hands_key(was, "Ctrl+Z");
    hands_show_settled(was);
    expect_alike(was, is);
    hands_close(was);
    hands_close(is);
    checkpoint_close(&checkpoint);
}

static void what_heads_do_is_an_order_too(void **state)
{
    (void)state;
    struct hands *const was = hands_on_path(getenv("TINY_MODEL"), "the cat sat");
    ask_overview(was, VIEW_HEAD_OVERVIEW_SORT, LAB_HEAD_MEASURES + 1);
    save_session(was);
    struct hands *const is = hands_on_session();
    assert_true(head_overview_of(is)->grouped);
    expect_alike(was, is);
    hands_close(was);
    hands_close(is);
}

static void two_texts_come_back_with_the_attention_that_was_open(void **state)
{
    (void)state;
    static const size_t attentions[] = {0, 1, 2};
    char path[4096];
    snprintf(path, sizeof path, "%s/t5", getenv("MODELS"));
    for (size_t a = 0; a < sizeof attentions / sizeof *attentions; a++) {
        struct hands *const was = hands_on_path(path, "the cat");
        ask_overview(was, VIEW_HEAD_OVERVIEW_ATTENTION, attentions[a]);
        save_session(was);
        struct hands *const is = hands_on_session();
        expect_alike(was, is);
        assert_int_equal(head_overview_of(is)->attention, attentions[a]);
        hands_close(was);
        hands_close(is);
    }
}

static void a_session_of_the_model_that_is_open_reads_its_own_text(void **state)
{
    (void)state;
    struct hands *const was = hands_on_path(getenv("TINY_MODEL"), "the cat sat");
    ask_overview(was, VIEW_HEAD_OVERVIEW_SINKS, 0);
    save_session(was);
    struct hands *const is = hands_on_path(getenv("TINY_MODEL"), "the dog");
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(app_lesson_read(is->state, session, 0, &error));
    hands_show_settled(is);
    expect_alike(was, is);
    hands_close(was);
    hands_close(is);
}

static void without_its_model_the_layer_stands_alone(void **state)
{
    (void)state;
    checkpoint_open(&checkpoint, getenv("TINY_MODEL"));
    checkpoint_write(&checkpoint);
    struct hands *const was = hands_on_path(checkpoint.folder, "the cat sat");
    save_session(was);
    char wanted[256];
    snprintf(wanted, sizeof wanted, "/%s any more: the layer stands alone.", checkpoint.folder);
    checkpoint_close(&checkpoint);
    struct hands *const is = hands_on_session();
    assert_null(is->state->view.head_overview);
    assert_non_null(strstr(is->state->message, "Its model is not at /")); /* from the root */
    assert_non_null(strstr(is->state->message, wanted));
    assert_true(
        lab_experiment_equal(&was->state->document.experiment, &is->state->document.experiment));
    hands_close(was);
    hands_close(is);
}

static void expect_refused(const char *path, const char *wanted)
{
    struct hands *const was = hands_on_path(getenv("TINY_MODEL"), "the cat sat");
    save_session(was);
    FILE *file = fopen(session, "r");
    static char text[1 << 20], changed[1 << 20];
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    text[size] = '\0';
    char *const at = strstr(text, "\"path\": \"");
    assert_non_null(at);
    char *const end = strchr(at + 9, '"');
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at + 9 - text), text, path, end);
    file = fopen(session, "w");
    assert_non_null(file);
    assert_true(fputs(changed, file) >= 0);
    assert_int_equal(fclose(file), 0);
    struct hands *const is = hands_on_session();
    assert_null(is->state->view.head_overview);
    assert_string_equal(is->state->message, wanted);
    assert_true(
        lab_experiment_equal(&was->state->document.experiment, &is->state->document.experiment));
    hands_close(was);
    hands_close(is);
}

static void another_model_in_its_place_is_not_taken_for_it(void **state)
{
    (void)state;
    char path[4096], said[256];
    snprintf(path, sizeof path, "%s/neo", getenv("MODELS"));
    expect_refused(path, "The layer stands alone, without its model. Token 0 is 257, the model "
                         "has 31 tokens.");
    checkpoint_open(&checkpoint, getenv("TINY_MODEL"));
    checkpoint_write(&checkpoint); /* the same vocabulary, in one layer */
    checkpoint_put_text(&checkpoint, "config.json",
                        "{\"model_type\": \"gpt2\", \"n_layer\": 1, \"n_head\": 2, \"n_embd\": 12, "
                        "\"n_positions\": 32, \"vocab_size\": 300}");
    snprintf(said, sizeof said,
             "%s is not the model that this session was saved with: its layer stands alone.",
             checkpoint.folder);
    expect_refused(checkpoint.folder, said);
    checkpoint_close(&checkpoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_heads_come_back_as_they_were_looked_at),
        cmocka_unit_test(what_heads_do_is_an_order_too),
        cmocka_unit_test(two_texts_come_back_with_the_attention_that_was_open),
        cmocka_unit_test(a_session_of_the_model_that_is_open_reads_its_own_text),
        cmocka_unit_test(without_its_model_the_layer_stands_alone),
        cmocka_unit_test(another_model_in_its_place_is_not_taken_for_it),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)remove(session);
    return failed;
}

/* A model is opened, read, changed and left: what stands on the stages is always one of its layers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/open/models_here.h"
#include "with_model.h"

static struct hands *hands_on_model(const char *text)
{
    return hands_on_path(getenv("TINY_MODEL"), text);
}

static size_t words_in(const struct hands *hands)
{
    return lab_words_count(hands->state->document.experiment.tokens);
}

static void a_model_that_is_opened_stands_on_the_stages(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const struct lab_experiment *const experiment = &hands->state->document.experiment;
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(head_overview_of(hands)->thumbnails);
    assert_int_equal(experiment->layers, sizes.layers);
    assert_int_equal(experiment->heads, sizes.heads);
    assert_int_equal(words_in(hands), sizes.n);
    assert_non_null(hands->state->document.trace);
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 1);
    const struct lab_thumbnails_head head =
        lab_thumbnails_head(head_overview_of(hands)->thumbnails, 0, 1);
    for (size_t c = 0; c < sizes.n * sizes.m; c++) { /* the same weights, computed in two ways */
        assert_true(alpha.values[c] - head.largest[c] < 1e-6f);
        assert_true(head.largest[c] - alpha.values[c] < 1e-6f);
    }
    hands_close(hands);
}

static void nothing_is_before_a_model_that_the_call_named(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), "the cat sat", 0));
    app_open_model_begin_at(hands->state, 0, 0, 0, LAB_SOFTMAX);
    hands_show_settled(hands);
    assert_false(hands->state->view.can_undo);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layers,
                     lab_thumbnails_sizes(head_overview_of(hands)->thumbnails).layers);
    const size_t words = words_in(hands);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 0); /* what comes after it can be undone */
    assert_int_equal(words_in(hands), words + 1);
    assert_true(hands->state->view.can_undo);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_int_equal(words_in(hands), words);
    hands_close(hands);
}

/* However many texts were read: undo returns to the first, and its heads are those of its layer. */
static void every_text_of_the_history_comes_back(void **state)
{
    enum { CHANGES = 100 };
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t words = words_in(hands);
    for (int i = 0; i < CHANGES; i++) {
        char text[64] = "";
        for (int bit = 0; bit < 7; bit++) { /* no two alike */
            strcat(text, (i >> bit & 1) != 0 ? "a " : "b ");
        }
        app_state_apply(
            hands->state,
            &(struct view_action){.kind = VIEW_ACTION_REPLACE,
                                  .token = {.at = 0, .before = words_in(hands), .text = text}},
            hands->input.time);
        hands_show_settled(hands);
    }
    for (int i = 0; i < CHANGES; i++) {
        assert_true(hands->state->view.can_undo);
        hands_key(hands, "Ctrl+Z");
        hands_show_settled(hands);
        const struct lab_thumbnails_sizes sizes =
            lab_thumbnails_sizes(head_overview_of(hands)->thumbnails);
        assert_int_equal(sizes.n, words_in(hands));
        assert_non_null(head_overview_of(hands)->stream); /* the run is of this text */
        assert_int_equal(head_overview_of(hands)->stream_rows, words_in(hands));
    }
    assert_int_equal(words_in(hands), words);
    hands_close(hands);
}

static void to_walk_through_layers_is_no_work_that_could_be_lost(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    const struct document *const document = &hands->state->document;
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), "the cat sat", 0));
    app_open_model_begin_at(hands->state, 0, 0, 0, LAB_SOFTMAX);
    hands_show_settled(hands);
    assert_false(document_is_unsaved(document));
    hands_key(hands, "l");
    hands_show_settled(hands);
    assert_int_equal(document->experiment.layer, 1);
    assert_false(document_is_unsaved(document));
    assert_ptr_equal(document->saved.w_q, document->experiment.w_q); /* one layer's are held */
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 0);
    assert_true(document_is_unsaved(document));
    hands_key(hands, "l");
    hands_show_settled(hands);
    assert_true(document_is_unsaved(document)); /* and stays so */
    hands_close(hands);
}

static void another_text_in_a_layer_has_the_same_weights(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    const struct document *const document = &hands->state->document;
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), "the cat sat", 0));
    app_open_model_begin_at(hands->state, 0, 0, 0, LAB_SOFTMAX);
    hands_show_settled(hands);
    const struct lab_experiment *const first = &document->history.step[0].experiment;
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 0);
    assert_int_equal(document->wanted, 1);
    const struct lab_experiment *const second = &document->history.step[1].experiment;
    assert_ptr_equal(second->w_q, first->w_q); /* in memory once, and in the history */
    assert_ptr_equal(second->w_v, first->w_v);
    assert_ptr_equal(second->w_o, first->w_o);
    hands_key(hands, "Alt+X");
    hands_show_settled(hands);
    assert_ptr_equal(document->experiment.w_q, first->w_q);
    assert_ptr_not_equal(document->experiment.w_o, first->w_o); /* without the head's rows */
    hands_key(hands, "l");
    hands_show_settled(hands);
    assert_ptr_not_equal(document->experiment.w_q, first->w_q);
    hands_close(hands);
}

static void expect_weights_of_one_layer(const struct document *document)
{
    for (size_t i = 1; i < document->history.count; i++) { /* before the model was the lesson */
        const struct lab_experiment *const step = &document->history.step[i].experiment;
        for (size_t w = 0; w < LAB_EXPERIMENT_WEIGHTS; w++) {
            const struct lab_numbers *const numbers = lab_experiment_weights(step, w);
            assert_non_null(numbers);
            assert_int_equal(lab_numbers_values(numbers) != NULL,
                             step->layer == document->experiment.layer);
        }
    }
}

static float first_query(const struct hands *hands)
{
    return lab_trace_part(hands->state->document.trace, LAB_Q, 0).values[0];
}

/* One layer's weights are held, that of the layer which is shown; those of a former step are read
 * again when it comes back, even where the model was closed meanwhile. */
static void weights_that_only_undo_needs_are_read_again(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const struct document *const document = &hands->state->document;
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 0);
    const size_t words = words_in(hands);
    const float former = first_query(hands);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 0);
    assert_true(app_open_model_step(hands->state, 1, 0));
    hands_show_settled(hands);
    expect_weights_of_one_layer(document);
    const float shown = first_query(hands);
    for (int times = 0; times < 2; times++) {
        hands_key(hands, "Ctrl+Z");
        hands_show_settled(hands);
        assert_int_equal(words_in(hands), words);
        assert_int_equal(document->experiment.layer, 0);
        assert_memory_equal(&former, &(float){first_query(hands)}, sizeof former);
        expect_weights_of_one_layer(document);
        hands_key(hands, "Ctrl+Y");
        hands_show_settled(hands);
        expect_weights_of_one_layer(document);
        assert_int_equal(document->experiment.layer, 1);
        assert_memory_equal(&shown, &(float){first_query(hands)}, sizeof shown);
    }
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), "the dog", 0));
    hands_show_settled(hands);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_memory_equal(&former, &(float){first_query(hands)}, sizeof former);
    hands_close(hands);
}

static void work_that_was_done_while_a_model_opened_stays(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), "the cat sat", 0));
    app_open_model_begin_at(hands->state, 0, 0, 0, LAB_SOFTMAX);
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = 0, .text = "bird"}}, 0);
    hands_show_settled(hands);
    assert_true(hands->state->view.can_undo);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[0], "bird");
    hands_close(hands);
}

static void layers_are_walked_through_and_no_step_of_history(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t layers = hands->state->document.experiment.layers;
    const size_t past = hands->state->document.at;
    assert_true(app_open_model_step(hands->state, 1, 0));
    assert_int_equal(hands->state->document.experiment.layer, 1);
    for (size_t l = 1; l < layers; l++) {
        assert_true(app_open_model_step(hands->state, 1, 0));
    }
    assert_int_equal(hands->state->document.experiment.layer, 0);
    assert_int_equal(hands->state->document.at, past);
    hands_close(hands);
}

/* The first token of a causal model sees itself alone; the last one sees all. */
static void a_model_opens_at_its_last_token(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    assert_int_equal(hands->state->view.pinned.query, words_in(hands) - 1);
    hands_expect(hands, "What “␣sat” makes of every key");
    hands_expect_part(hands, "α( ␣sat → ␣cat ) = exp("); /* where it looks most */
    hands_close(hands);
}

static void a_head_of_any_layer_is_found_by_its_name(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "l1h0");
    hands_expect(hands, "Head L1H0");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    assert_int_equal(hands->state->view.pinned.head, 0);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "L2H0");
    hands_expect(hands, "Nothing is called that."); /* there are two layers */
    hands_close(hands);
}

/* Which head is looked at is no step of its own: layer and head come back together. */
static void undo_comes_back_to_the_head_that_was_looked_at(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t words = words_in(hands);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 0);
    assert_int_equal(words_in(hands), words + 1);
    const size_t heads = head_overview_of(hands)->thumbnails != NULL
                             ? lab_thumbnails_sizes(head_overview_of(hands)->thumbnails).heads
                             : 0;
    assert_true(heads > 1);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_OPEN, heads + 1);
    hands_expect_part(hands, "L1H1");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_int_equal(words_in(hands), words);
    assert_int_equal(hands->state->document.experiment.layer, 0);
    assert_int_equal(hands->state->view.pinned.head, 0);
    hands_key(hands, "Ctrl+Y");
    hands_show_settled(hands);
    assert_int_equal(words_in(hands), words + 1);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    assert_int_equal(hands->state->view.pinned.head, 1);
    hands_close(hands);
}

/* Where the program was called, too: a model without a tokenizer reads no words. */
static void what_the_call_named_and_cannot_be_opened_is_said_on_stderr(void **state)
{
    (void)state;
    char path[4096], said[512] = "";
    struct hands *const hands = hands_open("cats", 1440, 900);
    snprintf(path, sizeof path, "%s/llama3/model.gguf", getenv("MODELS"));
    FILE *const heard = tmpfile();
    assert_non_null(heard);
    const int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(heard), STDERR_FILENO);
    const bool begun = app_open_model_open(hands->state, path, "the cat sat", hands->input.time);
    app_open_model_begin_at(hands->state, 0, 0, 0, LAB_SOFTMAX);
    hands_show_settled(hands);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(heard);
    const bool is_said = fgets(said, sizeof said, heard) != NULL;
    fclose(heard);
    assert_true(begun && is_said);
    assert_non_null(strstr(said, "attnscope: "));
    assert_non_null(strstr(said, "tokenizer"));
    assert_string_not_equal(hands->state->message, "");
    hands_close(hands);
}

static void tokens_that_may_be_wrong_are_said_to_be(void **state)
{
    (void)state;
    char path[4096];
    struct hands *const hands = hands_open("cats", 1440, 900);
    snprintf(path, sizeof path, "%s/../tokenizers/old.gguf", getenv("MODELS"));
    assert_true(app_open_model_open(hands->state, path, "a cat", hands->input.time));
    hands_show_settled(hands);
    assert_non_null(strstr(hands->state->message, "tokenizer.ggml.pre"));
    assert_int_equal(words_in(hands), 4);
    hands_close(hands);
}

/* In a small window too: each sentence, to its last word, and for as long as that takes to read. */
static void all_that_is_said_of_a_model_can_be_read(void **state)
{
    (void)state;
    char path[4096];
    struct hands *const hands = hands_open("cats", 1024, 768);
    snprintf(path, sizeof path, "%s/llama-others", getenv("MODELS"));
    assert_true(app_open_model_open(hands->state, path, NULL, hands->input.time));
    hands_show_settled(hands);
    hands_expect_part(hands, "mean nothing here");
    hands_expect_part(hands, "use_sliding_window");
    hands_expect_part(hands, "Words are numbers of tokens here");
    hands_expect_part(hands, "vocab.txt.");
    hands_wait(hands, 12);
    hands_expect_part(hands, "vocab.txt.");
    hands_wait(hands, 12);
    assert_int_equal(hands_count_part(hands, "vocab.txt"), 0);
    hands_close(hands);
}

static void the_text_grows_by_a_likely_word_and_undo_takes_it_back(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t words = words_in(hands);
    assert_true(head_overview_of(hands)->next_count > 0);
    char likely[64];
    strncpy(likely, head_overview_of(hands)->next[0].word, sizeof likely - 1);
    likely[sizeof likely - 1] = 0;
    const double share = head_overview_of(hands)->next[0].share;
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 0);
    assert_int_equal(words_in(hands), words + 1);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[words], likely);
    assert_int_equal(lab_thumbnails_sizes(head_overview_of(hands)->thumbnails).n, words + 1);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_int_equal(words_in(hands), words);
    assert_int_equal(lab_thumbnails_sizes(head_overview_of(hands)->thumbnails).n, words);
    assert_string_equal(head_overview_of(hands)->next[0].word, likely);
    assert_true(head_overview_of(hands)->next[0].share - share < 1e-9);
    hands_key(hands, "Ctrl+Z"); /* to before it was opened */
    hands_show_settled(hands);
    assert_null(hands->state->view.head_overview);
    assert_int_equal(hands->state->document.experiment.layers, 0);
    hands_key(hands, "Ctrl+Y");
    hands_show_settled(hands);
    assert_int_equal(lab_thumbnails_sizes(head_overview_of(hands)->thumbnails).n, words);
    hands_close(hands);
}

static void words_are_added_changed_and_removed_by_their_tokens(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t words = words_in(hands);
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = words, .text = "the"}},
        0);
    hands_show_settled(hands);
    const size_t more = words_in(hands);
    assert_true(more > words);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 0}}, 0);
    hands_show_settled(hands);
    assert_int_equal(words_in(hands), more - 1);
    for (size_t w = more - 1; w > 1; w--) {
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 0}}, 0);
        hands_show_settled(hands);
    }
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 0}}, 0);
    hands_show_settled(hands);
    assert_int_equal(words_in(hands), 1);
    assert_string_equal(hands->state->message, "A model reads at least one word.");
    hands_close(hands);
}

static void expect_read(struct hands *hands, const char *text)
{
    struct hands *const wanted = hands_on_model(text);
    assert_int_equal(words_in(hands), words_in(wanted));
    for (size_t w = 0; w < words_in(wanted); w++) {
        assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[w],
                            lab_words_list(wanted->state->document.experiment.tokens)[w]);
    }
    hands_close(wanted);
}

/* A word of several tokens takes a run over the whole text; who types does not wait for it. */
static void words_typed_while_a_text_is_read_are_all_there(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t words = words_in(hands);
    static const char *const typed[] = {"Jürgen", "zebra", "on", "crossings"};
    for (size_t t = 0; t < sizeof typed / sizeof *typed; t++) {
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_INSERT,
                                              .token = {.at = words, .text = typed[t]}},
                        0);
    }
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 0}}, 0);
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = 0, .text = "the"}}, 0);
    hands_show_settled(hands);
    expect_read(hands, "the cat sat Jürgen zebra on crossings");
    hands_close(hands);
}

/* A head is switched, or a likely word taken, before what was typed has been read. */
static void a_head_or_a_next_word_leaves_what_is_being_read(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t words = words_in(hands);
    char taken[64];
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_INSERT,
                                          .token = {.at = words, .text = "zebra crossings"}},
                    0);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_SWITCH, 1);
    assert_true(head_overview_of(hands)->off[1]);
    expect_read(hands, "the cat sat zebra crossings");
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = 0, .text = "a zebra"}},
        0);
    snprintf(taken, sizeof taken, "%s", head_overview_of(hands)->next[1].word);
    const size_t before = words_in(hands);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 1);
    assert_true(words_in(hands) > before + 1);
    const struct lab_words *const list = hands->state->document.experiment.tokens;
    assert_string_equal(lab_words_list(list)[words_in(hands) - 1], taken);
    hands_close(hands);
}

/* A word that the model has read, but that nobody saw, for another folder was opened meanwhile. */
static void a_next_word_that_was_never_shown_is_not_read(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t words = words_in(hands);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                          .overview = {.act = VIEW_HEAD_OVERVIEW_TAKE}},
                    0);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); /* the model is done by then */
    assert_true(app_open_model_open(hands->state, hands->folder, "the", 0));
    hands_show_settled(hands);
    assert_int_equal(words_in(hands), words);
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = words, .text = "on"}}, 0);
    hands_show_settled(hands);
    expect_read(hands, "the cat sat on");
    hands_close(hands);
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Hugging Face and Ollama name what they keep by a hash: nobody would know the model by that. */
static void a_model_that_lies_under_a_hash_has_its_own_name(void **state)
{
    (void)state;
    static const char blob[] =
        "blobs/sha256-00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    struct hands *const hands = hands_open("cats", 1440, 900);
    char path[4096], name[64];
    write_text(hands->folder, "hub/models--people--small-cats/snapshots/refs", "");
    snprintf(path, sizeof path, "%s/hub/models--people--small-cats/snapshots/8d9c1b4a",
             hands->folder);
    assert_int_equal(symlink(getenv("TINY_MODEL"), path), 0);
    assert_true(app_open_model_open(hands->state, path, "the cat", 0));
    hands_show_settled(hands);
    assert_ptr_equal(strstr(head_overview_of(hands)->title, "small-cats · "),
                     head_overview_of(hands)->title);
    write_text(hands->folder, blob, "GGUF");
    write_text(hands->folder, "manifests/registry.ollama.ai/library/llama3.2/3b",
               "{\"layers\": [{\"mediaType\": \"application/vnd.ollama.image.model\", \"digest\": "
               "\"sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\"}]}");
    assert_int_equal(setenv("OLLAMA_MODELS", hands->folder, 1), 0);
    snprintf(path, sizeof path, "%s/%s", hands->folder, blob);
    app_model_name(path, name, sizeof name);
    assert_string_equal(name, "llama3.2:3b");
    assert_int_equal(unsetenv("OLLAMA_MODELS"), 0);
    app_model_name("/a/models--b--c/snapshots/0123/d.gguf", name, sizeof name);
    assert_string_equal(name, "d.gguf");
    hands_close(hands);
}

static void words_of_a_text_that_was_given_up_do_not_come_back(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t words = words_in(hands);
    static const char *const typed[] = {"zebra crossings", "on"};
    for (size_t t = 0; t < sizeof typed / sizeof *typed; t++) {
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                              .overview = {.act = VIEW_HEAD_OVERVIEW_CANCEL}},
                        0);
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_INSERT,
                                              .token = {.at = words, .text = typed[t]}},
                        0);
    }
    hands_show_settled(hands);
    expect_read(hands, "the cat sat on");
    hands_close(hands);
}

static void the_space_behind_a_typed_word_is_no_token(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    hands_click(hands, "type a token…");
    hands_type(hands, "on the dog ");
    hands_show_settled(hands);
    expect_read(hands, "the cat sat on the dog");
    hands_close(hands);
}

static void a_head_that_is_switched_off_changes_the_next_word(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(head_overview_of(hands)->thumbnails);
    double before[VIEW_NEXT_MAX], most = 0;
    const size_t count = head_overview_of(hands)->next_count;
    for (size_t n = 0; n < count; n++) {
        before[n] = head_overview_of(hands)->next[n].share;
    }
    for (size_t place = 0; place < sizes.layers * sizes.heads; place++) {
        ask_overview(hands, VIEW_HEAD_OVERVIEW_SWITCH, place);
        assert_true(head_overview_of(hands)->off[place]);
    }
    for (size_t n = 0; n < count; n++) {
        const double change = head_overview_of(hands)->next[n].share - before[n];
        most = change * change > most ? change * change : most;
    }
    assert_true(most > 1e-12);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_ALL_ON, 0);
    for (size_t n = 0; n < count; n++) {
        assert_true(!(head_overview_of(hands)->next[n].share > before[n]) &&
                    !(head_overview_of(hands)->next[n].share < before[n]));
    }
    hands_close(hands);
}

static void heads_are_sorted_by_a_head_measure_and_back(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on the cat");
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(head_overview_of(hands)->thumbnails);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_SORT, LAB_HEAD_MEASURE_FIRST);
    const size_t *const order = head_overview_of(hands)->order;
    assert_non_null(order);
    for (size_t p = 1; p < sizes.layers * sizes.heads; p++) {
        const struct lab_thumbnails *const thumbnails = head_overview_of(hands)->thumbnails;
        const float one =
            lab_thumbnails_head(thumbnails, order[p - 1] / sizes.heads, order[p - 1] % sizes.heads)
                .head_measure[LAB_HEAD_MEASURE_FIRST];
        const float next =
            lab_thumbnails_head(thumbnails, order[p] / sizes.heads, order[p] % sizes.heads)
                .head_measure[LAB_HEAD_MEASURE_FIRST];
        assert_true(one >= next);
    }
    ask_overview(hands, VIEW_HEAD_OVERVIEW_SORT, LAB_HEAD_MEASURES);
    assert_null(head_overview_of(hands)->order);
    hands_close(hands);
}

static void a_folder_that_is_none_leaves_everything_as_it_was(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    const size_t past = hands->state->document.at;
    assert_true(app_open_model_open(hands->state, hands->folder, "the", 0));
    hands_show_settled(hands);
    assert_true(strlen(hands->state->message) > 10);
    assert_null(hands->state->model);
    assert_int_equal(hands->state->document.at, past);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[0], "cat");
    hands_close(hands);
}

static void a_folder_that_is_none_leaves_the_model_that_is_open(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const size_t words = words_in(hands);
    assert_true(app_open_model_open(hands->state, hands->folder, "the", 0));
    hands_show_settled(hands);
    assert_true(strlen(hands->state->message) > 10);
    assert_int_equal(lab_thumbnails_sizes(head_overview_of(hands)->thumbnails).n, words);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_TAKE, 0); /* and it still works */
    assert_int_equal(words_in(hands), words + 1);
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), "the", 0));
    hands_show_settled(hands);
    assert_int_equal(lab_thumbnails_sizes(head_overview_of(hands)->thumbnails).n, words_in(hands));
    assert_true(words_in(hands) < words);
    hands_close(hands);
}

static void undo_and_redo_know_which_heads_were_off(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const double before = head_overview_of(hands)->next[0].share;
    ask_overview(hands, VIEW_HEAD_OVERVIEW_SWITCH, 0);
    const double without = head_overview_of(hands)->next[0].share;
    assert_true(app_open_model_step(hands->state, 1, 0));
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_false(head_overview_of(hands)->off[0]);
    assert_false(head_overview_of(hands)->next[0].share < before ||
                 head_overview_of(hands)->next[0].share > before);
    hands_key(hands, "Ctrl+Y");
    hands_show_settled(hands);
    assert_true(head_overview_of(hands)->off[0]);
    assert_false(head_overview_of(hands)->next[0].share < without ||
                 head_overview_of(hands)->next[0].share > without);
    hands_close(hands);
}

static void a_switch_that_is_given_up_leaves_the_head_on(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                          .overview = {.act = VIEW_HEAD_OVERVIEW_SWITCH}},
                    0);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                          .overview = {.act = VIEW_HEAD_OVERVIEW_CANCEL}},
                    0);
    hands_show_settled(hands);
    const bool off = head_overview_of(hands)->off[0]; /* it may have been done already … */
    const struct lab_matrix w_o = lab_trace_part(hands->state->document.trace, LAB_W_O, 0);
    bool silent = true;
    for (size_t c = 0; c < w_o.cols; c++) {
        silent = silent && fabsf(w_o.values[c]) < 1e-9f;
    }
    assert_int_equal(off, silent); /* … but what is crossed out is what is off */
    hands_close(hands);
}

/* The stream that is shown is that of the words and the layer that are shown. */
static void the_residual_stream_follows_undo(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat");
    const float first = head_overview_of(hands)->stream[0];
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_REPLACE, .token = {.at = 0, .text = "dog"}}, 0);
    hands_show_settled(hands);
    const float other = head_overview_of(hands)->stream[0];
    assert_true(other < first || other > first);
    assert_true(app_open_model_step(hands->state, 1, 0));
    const float deeper = head_overview_of(hands)->stream[0];
    assert_true(deeper < other || deeper > other);
    assert_true(app_open_model_step(hands->state, -1, 0));
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_non_null(head_overview_of(hands)->stream);
    assert_false(head_overview_of(hands)->stream[0] < first ||
                 head_overview_of(hands)->stream[0] > first);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_that_is_opened_stands_on_the_stages),
        cmocka_unit_test(nothing_is_before_a_model_that_the_call_named),
        cmocka_unit_test(every_text_of_the_history_comes_back),
        cmocka_unit_test(to_walk_through_layers_is_no_work_that_could_be_lost),
        cmocka_unit_test(another_text_in_a_layer_has_the_same_weights),
        cmocka_unit_test(weights_that_only_undo_needs_are_read_again),
        cmocka_unit_test(work_that_was_done_while_a_model_opened_stays),
        cmocka_unit_test(layers_are_walked_through_and_no_step_of_history),
        cmocka_unit_test(a_model_opens_at_its_last_token),
        cmocka_unit_test(a_head_of_any_layer_is_found_by_its_name),
        cmocka_unit_test(undo_comes_back_to_the_head_that_was_looked_at),
        cmocka_unit_test(what_the_call_named_and_cannot_be_opened_is_said_on_stderr),
        cmocka_unit_test(tokens_that_may_be_wrong_are_said_to_be),
        cmocka_unit_test(all_that_is_said_of_a_model_can_be_read),
        cmocka_unit_test(the_text_grows_by_a_likely_word_and_undo_takes_it_back),
        cmocka_unit_test(words_are_added_changed_and_removed_by_their_tokens),
        cmocka_unit_test(words_typed_while_a_text_is_read_are_all_there),
        cmocka_unit_test(words_of_a_text_that_was_given_up_do_not_come_back),
        cmocka_unit_test(a_head_or_a_next_word_leaves_what_is_being_read),
        cmocka_unit_test(a_next_word_that_was_never_shown_is_not_read),
        cmocka_unit_test(a_model_that_lies_under_a_hash_has_its_own_name),
        cmocka_unit_test(the_space_behind_a_typed_word_is_no_token),
        cmocka_unit_test(a_head_that_is_switched_off_changes_the_next_word),
        cmocka_unit_test(heads_are_sorted_by_a_head_measure_and_back),
        cmocka_unit_test(a_folder_that_is_none_leaves_everything_as_it_was),
        cmocka_unit_test(a_folder_that_is_none_leaves_the_model_that_is_open),
        cmocka_unit_test(the_residual_stream_follows_undo),
        cmocka_unit_test(a_switch_that_is_given_up_leaves_the_head_on),
        cmocka_unit_test(undo_and_redo_know_which_heads_were_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

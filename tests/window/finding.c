/* What is looked for is found: a word of the text, the folder of a model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/open/drop.h"
#include "app/open/open_model.h"
#include "hands.h"

static struct hands *hands_on_text(void)
{
    static const char *const words[] = {"the", "cat", "sees", "the",  "dog",
                                        "and", "the", "dog",  "sees", "a"};
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    assert_true(lab_experiment_set_tokens(&next, words, 10, NULL));
    document_change(&hands->state->document, &next, "a text", hands->input.time);
    lab_experiment_release(&next);
    hands_frame(hands);
    return hands;
}

static void expect_chosen(const struct hands *hands, size_t index)
{
    assert_int_equal(hands->state->view.pinned.query, index);
    assert_int_equal(hands->state->view.pinned.key, index);
}

static void a_word_of_the_text_is_found_place_after_place(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_text();
    hands_key(hands, "Ctrl+F");
    hands_type(hands, "DO");
    hands_expect(hands, "word 5 of 10 · place 1 of 2");
    hands_expect(hands, "word 8 of 10 · place 2 of 2");
    hands_key(hands, "Enter");
    expect_chosen(hands, 4);
    hands_expect_part(hands, "place 1 of 2");
    hands_key(hands, "F3");
    expect_chosen(hands, 7);
    hands_key(hands, "F3");
    expect_chosen(hands, 4);
    hands_key(hands, "Shift+F3");
    expect_chosen(hands, 7);
    hands_close(hands);
}

static void a_word_that_is_not_there_leaves_the_choice_as_it_is(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_text();
    const struct lab_selection before = hands->state->view.pinned;
    hands_key(hands, "Ctrl+F");
    hands_type(hands, "whale");
    hands_expect(hands, "Nothing is called that.");
    hands_key(hands, "Enter");
    hands_key(hands, "Escape");
    assert_int_equal(hands->state->view.pinned.query, before.query);
    assert_int_equal(hands->state->view.pinned.key, before.key);
    hands_close(hands);
}

/* What is typed comes to mind before the name that it bears here. */
static void what_is_sought_by_another_name_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *found;
    } cases[] = {
        {"zoom", "Interface larger"},
        {"print", "Save a picture, an animation or numbers"},
        {"gpt folder", "Open a lesson or session"},
        {"sliding", "Kind of attention: Window"},
        {"GQA", "Kind of attention: Grouped-query"},
        {"beamer", "Presenter: full screen, captions large, no settings"},
        {"dot product", "Stage 3: Score"},
        {"keys 64", "Setting: key size 64"}, /* as the slider is called */
    };
    struct hands *const hands = hands_open("cats", 1440, 900);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hands_key(hands, "Ctrl+K");
        hands_type(hands, cases[i].typed);
        hands_expect(hands, cases[i].found);
        hands_key(hands, "Escape");
    }
    hands_close(hands);
}

/* Without latent rows nothing would be seen of how they are made: it stands behind the lesson. */
static void how_c_is_made_comes_first_where_there_is_a_c(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "latent");
    hands_key(hands, "Enter");
    assert_string_equal(hands->state->document.lesson.name, "latent");
    hands_key(hands, "PageDown"); /* its first step has keys and values of every head */
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "latent");
    hands_key(hands, "Enter");
    assert_true(hands->state->view.prefs.latent_rows);
    hands_close(hands);
}

static void without_words_names_are_found_too(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_command_run(hands->state, "empty", 0, 0));
    hands_wait(hands, 1);
    assert_null(hands->state->document.trace);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "softmax");
    hands_expect(hands, "Stage 5: Softmax");
    hands_close(hands);
}

static void enter_on_nothing_keeps_what_was_typed(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "softmaxx");
    hands_key(hands, "Enter");
    hands_expect(hands, "softmaxx");
    hands_key(hands, "End");
    hands_key(hands, "Backspace");
    hands_expect(hands, "Stage 5: Softmax");
    hands_key(hands, "Escape");
    hands_close(hands);
}

static void expect_model(struct hands *hands)
{
    app_open_model_settle(hands->state, hands->input.time);
    hands_frame(hands);
    hands_expect(hands, "All heads at a glance");
    assert_int_equal(hands->state->document.experiment.layers, 2);
}

static void a_model_is_opened_by_its_path(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+O");
    hands_type(hands, getenv("TINY_MODEL"));
    hands_expect(hands, "a model");
    hands_key(hands, "Enter");
    expect_model(hands);
    hands_close(hands);
}

static void a_model_among_the_sessions_is_listed(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    char link[512];
    snprintf(link, sizeof link, "%s/little", hands->folder);
    assert_int_equal(symlink(getenv("TINY_MODEL"), link), 0);
    hands_key(hands, "Ctrl+O");
    hands_click(hands, "Model: little");
    expect_model(hands);
    assert_int_equal(unlink(link), 0);
    hands_close(hands);
}

static void a_file_of_attention_is_called_so(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    char link[512], target[512];
    snprintf(link, sizeof link, "%s/dump.npz", hands->folder);
    snprintf(target, sizeof target, "%s/half.npz", getenv("DUMPS"));
    assert_int_equal(symlink(target, link), 0);
    hands_key(hands, "Ctrl+O");
    hands_expect(hands, "Attention: dump.npz");
    assert_int_equal(unlink(link), 0);
    hands_close(hands);
}

/* Also a name without a slash, of a file that is in no list because it is neither. */
static void a_file_of_this_folder_is_opened_by_its_name(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    static const char *const name = "finding-words.txt";
    FILE *const file = fopen(name, "wb");
    assert_non_null(file);
    assert_true(fputs("no lesson\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    hands_key(hands, "Ctrl+O");
    hands_type(hands, name);
    hands_expect(hands, "Open finding-words.txt");
    hands_key(hands, "Enter");
    hands_frame(hands);
    hands_expect_part(hands, "Learned letter by letter"); /* a text is what is learned from */
    assert_int_equal(remove(name), 0);
    hands_close(hands);
}

/* As dropping it does. */
static void word_vectors_are_opened_by_their_name_too(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    char path[512];
    snprintf(path, sizeof path, "%s/some.vec", hands->folder);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs("4 2\ncat 1 0\ndog 0 1\nlion 1 1\nNYC 2 2\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    hands_key(hands, "Ctrl+O");
    hands_type(hands, path);
    hands_key(hands, "Enter");
    hands_frame(hands);
    hands_expect(hands, "The words take their numbers from some.vec.");
    assert_int_equal(hands->state->document.experiment.embedding, LAB_EMBEDDING_NUMBERS);
    assert_int_equal(remove(path), 0);
    hands_close(hands);
}

static void a_model_is_opened_where_its_folder_is_dropped(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    const char *const path = getenv("TINY_MODEL");
    app_drop_files(hands->state, &path, 1, hands->input.time);
    expect_model(hands);
    app_drop_files(hands->state, &(const char *){hands->folder}, 1, hands->input.time);
    hands_frame(hands);
    hands_expect_part(hands, "is a folder without a model");
    hands_expect(hands, "All heads at a glance");
    hands_close(hands);
}

static void a_lesson_its_step_a_choice_and_a_path_are_found_by_name(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "root");
    hands_click(hands, "Lesson: Why divide by √dₖ");
    assert_string_equal(hands->state->document.lesson.name, "root");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "step 4");
    hands_key(hands, "Enter");
    hands_expect(hands, "4 / 7");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "learned");
    hands_key(hands, "Enter"); /* no command is called so */
    assert_string_equal(hands->state->document.lesson.name, "learned");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "fewer 3");
    hands_key(hands, "Enter");
    assert_string_equal(hands->state->document.lesson.name, "fewer");
    hands_expect(hands, "3 / 6");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "fewer 9");
    hands_expect(hands, "This lesson has 6 steps.");
    hands_key(hands, "Escape");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "identity");
    hands_key(hands, "Enter");
    assert_int_equal(hands->state->document.experiment.weights, LAB_WEIGHTS_IDENTITY);
    hands_save(hands);
    char path[1024]; /* of its own: what is found is forgotten with every letter */
    snprintf(path, sizeof path, "%.1000s", hands->state->document.path);
    hands_key(hands, "Ctrl+N");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, path);
    hands_key(hands, "Enter");
    hands_expect_part(hands, " is open.");
    assert_string_equal(hands->state->document.lesson.name, "fewer");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_of_the_text_is_found_place_after_place),
        cmocka_unit_test(a_word_that_is_not_there_leaves_the_choice_as_it_is),
        cmocka_unit_test(what_is_sought_by_another_name_is_found),
        cmocka_unit_test(how_c_is_made_comes_first_where_there_is_a_c),
        cmocka_unit_test(without_words_names_are_found_too),
        cmocka_unit_test(enter_on_nothing_keeps_what_was_typed),
        cmocka_unit_test(a_model_is_opened_by_its_path),
        cmocka_unit_test(a_model_among_the_sessions_is_listed),
        cmocka_unit_test(a_file_of_attention_is_called_so),
        cmocka_unit_test(a_file_of_this_folder_is_opened_by_its_name),
        cmocka_unit_test(word_vectors_are_opened_by_their_name_too),
        cmocka_unit_test(a_model_is_opened_where_its_folder_is_dropped),
        cmocka_unit_test(a_lesson_its_step_a_choice_and_a_path_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

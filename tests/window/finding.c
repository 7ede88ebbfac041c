/* Searches find a word of the text, and the folder of a model. */
#include <math.h>
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
#include "app/actions/find.h"
#include "app/open/drop.h"
#include "app/open/open_model.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/experiment/params.h"

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

/* Nobody has called anything yet. */
static void an_empty_field_does_not_say_that_nothing_is_called_so(void **state)
{
    (void)state;
    char former[4096];
    assert_non_null(getcwd(former, sizeof former));
    struct hands *const hands = hands_on_text();
    assert_int_equal(chdir(hands->folder), 0); /* nothing lies there */
    app_find_open_files(hands->state);
    hands_frame(hands);
    hands_expect_not(hands, "Nothing is called that.");
    hands_type(hands, "nowhere to be found");
    hands_expect(hands, "Nothing is called that.");
    assert_int_equal(chdir(former), 0);
    hands_close(hands);
}

/* People type other names before they know the one that it has here. */
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

/* Someone who cannot read the language that is spoken types the name of another one. */
static void a_language_is_found_by_its_name(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *code;
    } cases[] = {{"deutsch", "de"}, {"chinese", "zh_CN"}, {"german", "de"}, {"english", "en"}};
    struct hands *const hands = hands_open("cats", 1440, 900);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!hands_can_read(language_find(cases[i].code))) {
            print_message("no font has the letters of %s\n", cases[i].typed);
            continue;
        }
        hands_key(hands, "Ctrl+K");
        hands_type(hands, cases[i].typed);
        hands_key(hands, "Enter");
        assert_string_equal(language_current()->code, cases[i].code);
    }
    hands_close(hands);
}

static int speak_english(void **state)
{
    (void)state;
    language_speak(NULL);
    return 0;
}

/* Without latent rows nothing would be seen of how they are made: it stands behind the lesson. */
static void how_c_is_made_comes_first_where_there_is_a_c(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "latent");
    hands_key(hands, "Enter");
    assert_string_equal(hands->state->document.lesson->name, "latent");
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
    hands_settle(hands);
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

/* Who has no model yet is offered the one that comes with the program. */
static void the_model_inside_is_offered_where_files_are_opened(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+O");
    hands_click(hands, "Model: the one inside");
    hands_show_settled(hands);
    assert_string_equal(hands->state->document.lesson->name, "real-heads");
    hands_key(hands, "Ctrl+O");
    hands_type(hands, "inside");
    hands_expect(hands, "Model: the one inside");
    hands_key(hands, "Ctrl+A");
    hands_type(hands, "lying elsewhere");
    hands_expect_not(hands, "Model: the one inside");
    hands_key(hands, "Escape");
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
    hands_drop(hands, path);
    expect_model(hands);
    hands_drop(hands, hands->folder);
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
    assert_string_equal(hands->state->document.lesson->name, "root");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "step 4");
    hands_key(hands, "Enter");
    hands_expect(hands, "4 / 8");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "learned");
    hands_key(hands, "Enter"); /* no command is called so */
    assert_string_equal(hands->state->document.lesson->name, "learned");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "fewer 3");
    hands_key(hands, "Enter");
    assert_string_equal(hands->state->document.lesson->name, "fewer");
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
    snprintf(path, sizeof path, "%.1000s", hands->state->document.work->path);
    hands_key(hands, "Ctrl+N");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, path);
    hands_key(hands, "Enter");
    hands_expect_part(hands, " is open.");
    assert_string_equal(hands->state->document.lesson->name, "fewer");
    hands_close(hands);
}

/* The short name of a lesson is what the manual says to type: nothing that only has the word in its
 * title comes before it. */
static void the_short_name_of_a_lesson_comes_before_a_setting(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *lesson, *below; /* what is still found behind it */
    } cases[] = {
        {"root", "root", "Setting: scale by 1/√dₖ, on or off"},
        {"temperature", "temperature", "Setting: temperature back to 1"},
        {"causal", "causal", "Setting: causal mask, on or off"},
        {"Window", "window", "Kind of attention: Window"},
        {"latent", "latent", "Kind of attention: Latent"},
        {"addition", "grokking", "Learn from: Addition modulo 31"},
        {"own text", "own-text", "Lesson: Your own text"},
        {"real heads", "real-heads", "Lesson: Real heads"},
        {"flash", "flash", "Setting: tile by tile, on or off"},
    };
    struct hands *const hands = hands_open("cats", 1440, 900);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hands_key(hands, "Ctrl+K");
        hands_type(hands, cases[i].typed);
        hands_expect(hands, cases[i].below);
        hands_key(hands, "Enter");
        assert_string_equal(hands->state->document.lesson->name, cases[i].lesson);
        assert_false(hands->state->view.lesson_changed);
    }
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "temperature 0.5");
    hands_key(hands, "Enter");
    assert_string_equal(hands->state->document.lesson->name, "flash");
    assert_true(fabsf(hands->state->document.experiment.temperature - 0.5f) < 1e-6f);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "output"); /* as a stage is called whole */
    hands_key(hands, "Enter");
    assert_int_equal(hands->state->view.playback.stage, LAB_OUTPUT);
    hands_close(hands);
}

static double param_value(const struct hands *hands, enum lab_param_id id)
{
    return lab_param_holds(lab_param_row(id), document_present(&hands->state->document));
}

/* Named without a value, as its label has it, every switch is turned over. */
static void a_switch_is_turned_over_by_its_name_alone(void **state)
{
    (void)state;
    static const struct {
        const char *typed;
        enum lab_param_id param;
    } cases[] = {
        {"other words", LAB_PARAM_CONTEXT},
        {"length 1", LAB_PARAM_UNIT_QK},
        {"scale", LAB_PARAM_SCALE},
        {"max", LAB_PARAM_KEEP_MAXIMUM},
        {"maximum", LAB_PARAM_KEEP_MAXIMUM},
        {"subtract", LAB_PARAM_KEEP_MAXIMUM},
        {"- max", LAB_PARAM_KEEP_MAXIMUM},
        {"W_O", LAB_PARAM_SKIP_W_O},
        {"output weights", LAB_PARAM_SKIP_W_O},
        {"residual", LAB_PARAM_RESIDUAL},
        {"tile by tile", LAB_PARAM_FLASH},
    };
    struct hands *const hands = hands_open("cats", 1440, 900);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double before = param_value(hands, cases[i].param);
        hands_key(hands, "Ctrl+K");
        hands_type(hands, cases[i].typed);
        hands_key(hands, "Enter");
        assert_false(hands->state->view.overlay == VIEW_OVERLAY_FIND);
        assert_true((param_value(hands, cases[i].param) != 0) != (before != 0));
        hands_key(hands, "Ctrl+Z");
        assert_true((param_value(hands, cases[i].param) != 0) == (before != 0));
    }
    hands_close(hands);
}

/* A switch of a kind that the words do not have says so, as its value does. */
static void a_switch_that_changes_nothing_says_why(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "plain share");
    hands_key(hands, "Enter");
    assert_int_equal(hands->state->document.experiment.normalise, LAB_PLAIN_SHARE);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "subtract");
    hands_key(hands, "Enter");
    hands_expect_part(hands, "changes nothing here; it does with");
    assert_false(hands->state->document.experiment.keep_maximum);
    hands_close(hands);
}

/* Also where a lesson is called as the setting is, and the number could be one of its steps. */
static void a_number_out_of_the_range_of_a_setting_says_the_range(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *said;
    } cases[] = {
        {"temperature 1000", "temperature: 0.01 to 100"},
        {"heads 1000", "heads: 1 to 256"},
        {"window 9999", "W of the mask window:W must be 1 to 1024, not 9999."},
        {"causal 9", "is written causal."},
        {"gqa 0", "is written gqa:G, G being 1 or more."},
    };
    struct hands *const hands = hands_open("cats", 1440, 900);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hands_key(hands, "Ctrl+K");
        hands_type(hands, cases[i].typed);
        hands_expect_part(hands, cases[i].said);
        hands_key(hands, "Escape");
    }
    hands_close(hands);
}

static void the_same_mask_again_keeps_its_width(void **state)
{
    (void)state;
    static const char *const typed[] = {"window 2", "mask window"};
    struct hands *const hands = hands_open("cats", 1440, 900);
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        hands_key(hands, "Ctrl+K");
        hands_type(hands, typed[i]);
        hands_key(hands, "Enter");
        const struct lab_mask_rule rule = lab_experiment_mask(&hands->state->document.experiment);
        assert_int_equal(rule.kind, LAB_MASK_WINDOW);
        assert_int_equal(rule.size, 2);
    }
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_of_the_text_is_found_place_after_place),
        cmocka_unit_test(a_word_that_is_not_there_leaves_the_choice_as_it_is),
        cmocka_unit_test(an_empty_field_does_not_say_that_nothing_is_called_so),
        cmocka_unit_test(what_is_sought_by_another_name_is_found),
        cmocka_unit_test_teardown(a_language_is_found_by_its_name, speak_english),
        cmocka_unit_test(how_c_is_made_comes_first_where_there_is_a_c),
        cmocka_unit_test(without_words_names_are_found_too),
        cmocka_unit_test(enter_on_nothing_keeps_what_was_typed),
        cmocka_unit_test(a_model_is_opened_by_its_path),
        cmocka_unit_test(the_model_inside_is_offered_where_files_are_opened),
        cmocka_unit_test(a_model_among_the_sessions_is_listed),
        cmocka_unit_test(a_file_of_attention_is_called_so),
        cmocka_unit_test(a_file_of_this_folder_is_opened_by_its_name),
        cmocka_unit_test(word_vectors_are_opened_by_their_name_too),
        cmocka_unit_test(a_model_is_opened_where_its_folder_is_dropped),
        cmocka_unit_test(a_lesson_its_step_a_choice_and_a_path_are_found_by_name),
        cmocka_unit_test(the_short_name_of_a_lesson_comes_before_a_setting),
        cmocka_unit_test(a_switch_is_turned_over_by_its_name_alone),
        cmocka_unit_test(a_switch_that_changes_nothing_says_why),
        cmocka_unit_test(the_same_mask_again_keeps_its_width),
        cmocka_unit_test(a_number_out_of_the_range_of_a_setting_says_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Names of the words that are learned, which of them a task asks for, and the text that the weights
 * write by themselves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/learn/learn.h"
#include "base/random.h"
#include "hands.h"
#include "learn/task.h"
#include "learning.h"

/* A run of a task at its first step. */
static struct hands *open_task(size_t task)
{
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_learn_start(hands->state, task, false, hands->input.time));
    hands_show_settled(hands);
    return hands;
}

static size_t asked_place(const struct hands *hands)
{
    const struct view_learn_loss *const end = &learn_of(hands)->at_end;
    size_t count = 0;
    for (size_t i = 0; i < end->n; i++) {
        count += end->right[i] >= 0;
    }
    return count;
}

/* The words of the experiment become these. */
static void look_at(struct hands *hands, const char *const *words, size_t count)
{
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&hands->state->document));
    assert_true(lab_experiment_set_tokens(&next, words, count, NULL));
    document_change(&hands->state->document, &next, "other words", hands->input.time);
    lab_experiment_release(&next);
    hands_show_settled(hands);
}

/* Behind a text whose brackets are all closed nothing is asked, and nothing is offered; only what
 * closes is asked before. */
static void a_finished_text_of_brackets_has_no_next(void **unused)
{
    (void)unused;
    struct hands *const hands = open_task(LEARN_TASK_BRACKETS);
    static const char *const closed[] = {"(", "[", "]", ")"};
    hands_expect_part(hands, "next bracket after"); /* it begins with a text that has one open */
    look_at(hands, closed, 3);
    hands_expect(hands, "next bracket after “]”");
    assert_true(learn_of(hands)->next_count > 0);
    assert_int_equal(asked_place(hands), 1); /* “]”; nobody can know which opens */
    look_at(hands, closed, 4);
    hands_expect(hands, "all brackets are closed");
    assert_int_equal(learn_of(hands)->next_count, 0);
    hands_expect_not(hands, "Write …");
    assert_int_equal(asked_place(hands), 2);
    hands_click(hands, "gradient"); /* of what is asked, and of nothing behind it */
    hands_show_settled(hands);
    assert_int_equal(asked_place(hands), 2);
    hands_close(hands);
}

/* A letter that was not there before has no last time to look behind. */
static void induction_asks_where_it_has_been(void **unused)
{
    (void)unused;
    struct hands *const hands = open_task(LEARN_TASK_INDUCTION);
    static const char *const letters[] = {"a", "b", "c", "a", "b", "c"};
    look_at(hands, letters, 6);
    const struct view_learn_loss *const end = &learn_of(hands)->at_end;
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(end->right[i] >= 0, i == 3 || i == 4);
    }
    hands_close(hands);
}

/* Text in which no word comes again: its letters are learned. */
static void start_letters(struct hands *hands)
{
    static const char letters[] = "etaoin shrdlu etaoin";
    static char text[6000];
    struct random random;
    random_start(&random, 1, "letters");
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = letters[random_bits(&random) % (sizeof letters - 1)];
    }
    assert_true(app_learn_text(hands->state, (struct bytes){(const uint8_t *)text, sizeof text},
                               hands->input.time, NULL));
    ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
}

static size_t blank_place(const struct lab_words *words)
{
    size_t count = 0;
    for (size_t w = 0; w < lab_words_count(words); w++) {
        count += strcmp(lab_words_list(words)[w], " ") == 0;
    }
    return count;
}

/* A space among letters can be seen, and says what it is; written or with its sign it is the same.
 */
static void a_space_among_letters_is_seen(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("cats", 1440, 900);
    start_letters(hands);
    assert_true(learn_of(hands)->letters);
    static const char *const written[] = {"t", " ", "a"}, *const shown[] = {"t", "␣", "a"};
    look_at(hands, written, 3);
    const double first = learn_of(hands)->next[0].share;
    look_at(hands, shown, 3);
    assert_true(learn_of(hands)->next[0].share == first);
    assert_true(hands_count(hands, "␣") >= 3); /* its chip, its row, its column */
    hands_hover(hands, "␣");
    hands_wait(hands, 1);
    hands_expect_part(hands, "␣ (␣ is a space)");
    for (size_t i = 0; i < learn_of(hands)->next_count; i++) {
        assert_string_not_equal(learn_of(hands)->next[i].word, " ");
        if (strcmp(learn_of(hands)->next[i].word, "␣") == 0) {
            ask_learn(hands, VIEW_LEARN_TAKE, i, 0);
        }
    }
    for (size_t w = 0; w < learn_of(hands)->words; w++) {
        assert_string_not_equal(learn_of(hands)->word[w].word, " ");
    }
    hands->state->view.overlay = VIEW_OVERLAY_BATCH;
    app_learn_tell(hands->state);
    hands_show_settled(hands);
    ask_learn(hands, VIEW_LEARN_ROW, 0, 0);
    assert_int_equal(blank_place(document_present(&hands->state->document)->tokens), 0);
    assert_true(hands_count(hands, "␣") >= 3);
    hands_close(hands);
}

/* The text that the weights write has spaces; on chips they are seen. */
static void what_is_written_has_spaces(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("cats", 1440, 900);
    start_letters(hands);
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 0);
    hands_click(hands, "Write …");
    hands_show_settled(hands);
    size_t spaces = 0;
    const struct view_learn_text *const text = &learn_of(hands)->text;
    for (size_t w = text->given; w < text->given + text->words; w++) {
        spaces += strcmp(text->word[w], " ") == 0;
    }
    assert_true(spaces > 0);
    ask_learn(hands, VIEW_LEARN_KEEP, 0, 0);
    assert_int_equal(blank_place(document_present(&hands->state->document)->tokens), 0);
    assert_true(hands_count(hands, "␣") > 0);
    hands_close(hands);
}

/* Behind the stages: logits, shares, −log p; each number is spelled out. */
static void the_loss_is_an_entry_of_the_stages(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("onestep", 1440, 900);
    hands_show_settled(hands);
    hands_click(hands, "Softmax");
    hands_expect_not(hands, "Loss: −log p of the right word");
    hands_expect_part(hands, "About Loss: After “is”"); /* the caption steps back */
    hands_click(hands, "Loss");
    hands_expect(hands, "Loss: −log p of the right word");
    hands_expect_part(hands, "After “is”");
    hands_expect(hands, "is → heavy");
    hands_frame(hands);
    hands_expect_part(hands, "loss = −log p(heavy) = log Σ exp(logit) − logit(heavy)");
    const struct view_learn_loss *const end = &learn_of(hands)->at_end;
    const size_t row = hands->state->view.pinned.query;
    const float share = lab_matrix_at(&end->share, row, (size_t)end->right[row]);
    assert_true(fabsf(end->loss[row] + logf(share)) < 1e-4f);
    hands_expect_part(hands, "on average over 8 places 0.571.");
    hands_click(hands, "0.378"); /* what “heavy” has */
    hands_frame(hands);
    hands_expect_part(hands, "p(heavy) = exp(logit) ÷ Σ exp(logit)");
    hands_click(hands, "7.794");
    hands_frame(hands);
    hands_expect_part(hands, "logit(useful) = x( is ) · w( useful ), over 16 dimensions");
    hands_click(hands, "it → is");
    hands_frame(hands);
    hands_expect_part(hands, "loss = −log p(is)");
    hands->state->view.pinned.query = end->n - 1; /* the last word: told alike in both places */
    hands_move(hands, 2, 2);
    app_learn_tell(hands->state);
    hands_frame(hands);
    hands_expect_part(hands, "gradients ask it for what is likeliest.");
    app_learn_show(hands->state, VIEW_LEARN_GRADIENT);
    hands_show_settled(hands);
    hands_frame(hands);
    hands_expect_part(hands, "Nothing follows here: gradients ask for “");
    hands_expect_part(hands, "on average over 9 places 0.508.");
    hands_click(hands, "Softmax");
    hands_expect_part(hands, "the loss asks 9 places for what follows; the last for “");
    hands_click(hands, "Loss");
    app_learn_show(hands->state, VIEW_LEARN_VALUE);
    hands_show_settled(hands);
    hands_key(hands, "9");
    hands_expect_not(hands, "Loss: −log p of the right word");
    hands_close(hands);
}

/* All that was written behind the words, as one text. */
static void written_text(const struct hands *hands, char *text)
{
    const struct view_learn_text *const of = &learn_of(hands)->text;
    text[0] = '\0';
    for (size_t w = of->given; w < of->given + of->words; w++) {
        strncat(text, of->word[w], 30);
        strcat(text, " ");
    }
}

/* Of more text than the sheet has room for the end is shown, and how much is before it is said. */
static void a_long_text_that_was_written_says_what_is_not_shown(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 600, 0);
    hands_click(hands, "Write …");
    hands_show_settled(hands);
    assert_int_equal(hands_count_part(hands, "before these"), 0);
    ask_learn(hands, VIEW_LEARN_DRAW, VIEW_DRAW_WORDS, 200);
    hands_resize(hands, 720, 400);
    hands_show_settled(hands);
    hands_expect_part(hands, "lines are before these");
    const struct view_learn_text *const text = &learn_of(hands)->text;
    hands_expect(hands, text->word[text->given + text->words - 1]);
    ask_learn(hands, VIEW_LEARN_KEEP, 0, 0);
    hands_frame(hands);
    hands_expect_part(hands, "The last 24 of 208 words: these weights see no further back.");
    hands_close(hands);
}

/* The draw becomes this, in a frame that waits for nothing. */
static void draw_at_once(struct hands *hands, size_t which, double number)
{
    (void)app_learn_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_LEARN,
                              .learn = {.act = VIEW_LEARN_DRAW, .which = which, .number = number}},
        hands->input.time);
    hands_step(hands);
}

/* Until a long text is written, the one before it stays, or the beginning of the new one; a text
 * that was written before is there at once. */
static void what_was_written_is_there_again_at_once(void **unused)
{
    (void)unused;
    char first[6000], other[6000], again[6000];
    struct hands *const hands = open_still();
    const struct view_learn_text *const text = &learn_of(hands)->text;
    ask_learn(hands, VIEW_LEARN_SEEK, 600, 0);
    hands_click(hands, "Write …");
    ask_learn(hands, VIEW_LEARN_DRAW, VIEW_DRAW_WORDS, 200);
    hands_show_settled(hands);
    written_text(hands, first);
    draw_at_once(hands, VIEW_DRAW_SEED, 2);
    assert_true(text->is_old || text->given > 0);
    hands_show_settled(hands);
    assert_false(text->is_old);
    written_text(hands, other);
    assert_string_not_equal(first, other);
    draw_at_once(hands, VIEW_DRAW_SEED, 1);
    assert_false(text->is_old);
    assert_int_equal(text->words, 200);
    written_text(hands, again);
    assert_string_equal(first, again);
    hands_close(hands);
}

/* The same seed writes the same; of the likeliest alone it writes the likeliest. */
static void weights_write_by_themselves(void **unused)
{
    (void)unused;
    char first[600], other[600], again[600];
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 600, 0);
    hands_click(hands, "Write …");
    hands_show_settled(hands);
    hands_expect(hands, "What these weights write");
    ask_learn(hands, VIEW_LEARN_DRAW, VIEW_DRAW_WORDS, 12);
    written_text(hands, first);
    hands_click(hands, "Another seed");
    hands_show_settled(hands);
    written_text(hands, other);
    ask_learn(hands, VIEW_LEARN_DRAW, VIEW_DRAW_SEED, 1);
    written_text(hands, again);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
    ask_learn(hands, VIEW_LEARN_DRAW, VIEW_DRAW_TOP_P, 0.05);
    const char *const likeliest = learn_of(hands)->next[0].word;
    assert_string_equal(learn_of(hands)->text.word[learn_of(hands)->text.given], likeliest);
    hands_click(hands, "Take these words");
    hands_show_settled(hands);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 20);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 8);
    hands_click(hands, "Write …");
    hands_show_settled(hands);
    hands_key(hands, "Enter"); /* does what the dark button does */
    hands_show_settled(hands);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 20);
    hands_close(hands);
}

/* Words are no part of the run: undo and redo of a word, and of a key that is set aside, leave the
 * weights at the step of training that they have come to. */
static void undo_of_a_word_leaves_the_run_where_it_is(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 0);
    const size_t words = lab_words_count(hands->state->document.experiment.tokens);
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = words, .text = "heavy"}},
        hands->input.time);
    hands_show_settled(hands);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), words + 1);
    ask_learn(hands, VIEW_LEARN_SEEK, 60, 0);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), words);
    assert_int_equal(learn_of(hands)->step, 60);
    const float after = lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0];
    ask_learn(hands, VIEW_LEARN_SEEK, 80, 0);
    hands_key(hands, "Ctrl+Shift+z");
    hands_show_settled(hands);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), words + 1);
    assert_int_equal(learn_of(hands)->step, 80);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0] != after);
    app_command_run(hands->state, "aside", 0, hands->input.time);
    hands_show_settled(hands);
    ask_learn(hands, VIEW_LEARN_SEEK, 60, 0);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->step, 60);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0] == after);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undo_of_a_word_leaves_the_run_where_it_is),
        cmocka_unit_test(a_finished_text_of_brackets_has_no_next),
        cmocka_unit_test(induction_asks_where_it_has_been),
        cmocka_unit_test(a_space_among_letters_is_seen),
        cmocka_unit_test(what_is_written_has_spaces),
        cmocka_unit_test(the_loss_is_an_entry_of_the_stages),
        cmocka_unit_test(a_long_text_that_was_written_says_what_is_not_shown),
        cmocka_unit_test(what_was_written_is_there_again_at_once),
        cmocka_unit_test(weights_write_by_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

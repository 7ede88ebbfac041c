/* All heads of a model at a head_overview, and its next words: by what can be read on the screen.
 */
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "base/text.h"
#include "lab/experiment/edits.h"
#include "with_model.h"

static struct hands *hands_on_model(const char *text, float width, float height)
{
    struct hands *const hands = hands_open("cats", width, height);
    assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), text, hands->input.time));
    hands_show_settled(hands);
    assert_string_equal(hands->state->message, "");
    return hands;
}

static size_t words_in(const struct hands *hands)
{
    return lab_words_count(hands->state->document.experiment.tokens);
}

static void every_head_stands_there_and_a_click_opens_it(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat", 1440, 900);
    hands_expect(hands, "All heads at a glance");
    hands_expect(hands, "tiny · 2 × 2 heads");
    hands_expect(hands, "L0H0 · Softmax");
    hands_click(hands, "L1H1");
    hands_move(hands, -1, -1);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    assert_int_equal(hands->state->view.pinned.head, 1);
    hands_expect(hands, "L1H1 · Softmax");
    hands_expect_part(hands, "2 layers × 2 heads");
    hands_expect_part(hands, " · L1H1");
    assert_int_equal(hands_count_part(hands, "layer 2"), 0); /* one name for it everywhere */
    hands_close(hands);
}

static void a_head_under_the_pointer_is_enlarged_with_its_habits(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on the cat", 1440, 900);
    hands_expect_not(hands, "L1H0");
    hands_hover(hands, "L1H0");
    hands_expect(hands, "L1H0");
    hands_expect(hands, "induction");
    const struct lab_thumbnails_head head =
        lab_thumbnails_head(head_overview_of(hands)->thumbnails, 1, 0);
    char percent[32];
    snprintf(percent, sizeof percent, "%.0f %%",
             (double)head.head_measure[LAB_HEAD_MEASURE_FIRST] * 100);
    hands_expect(hands, percent);
    hands_move(hands, -1, -1);
    hands_expect_not(hands, "L1H0");
    hands_close(hands);
}

static void heads_are_sorted_by_what_they_do_and_the_measure_is_defined_there(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on the cat", 1440, 900);
    hands_click(hands, "layer, head");
    hands_click(hands, "first token");
    hands_expect_part(hands, "The mean of α(i, 1)");
    hands_expect(hands, "most first token first");
    const size_t first = head_overview_of(hands)->order[0],
                 last = head_overview_of(hands)->order[3];
    char name[32];
    snprintf(name, sizeof name, "L%zuH%zu", first / 2, first % 2);
    const struct point best = hands_find(hands, name, 0);
    snprintf(name, sizeof name, "L%zuH%zu", last / 2, last % 2);
    const struct point worst = hands_find(hands, name, 0);
    assert_true(best.y < worst.y && best.x < worst.x);
    hands_close(hands);
}

static void heads_of_each_kind_are_counted(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on the cat", 1440, 900);
    const struct lab_thumbnails *const thumbnails = head_overview_of(hands)->thumbnails;
    size_t other = 0;
    for (size_t place = 0; place < 4; place++) {
        other += lab_thumbnails_kind(thumbnails, place / 2, place % 2, false) == LAB_HEAD_MEASURES;
    }
    char text[32];
    snprintf(text, sizeof text, "other %zu", other);
    hands_expect_part(hands, text);
    hands_expect_part(hands, "previous token ");
    hands_close(hands);
}

static void a_head_is_switched_off_by_a_button_and_by_a_key(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat", 1440, 900);
    char before[64], after[64];
    snprintf(before, sizeof before, "%.4f", head_overview_of(hands)->next[0].share);
    hands_move(hands, 1, 1);
    const struct point weight = hands_find(hands, "0.997", 0); /* of “cat”: dark */
    const struct colour dark = hands_fill_at(hands, weight);
    hands_click(hands, "Switch off"); /* layer 1, head 1 */
    hands_show_settled(hands);
    hands_move(hands, 1, 1);
    hands_frame(hands);
    hands_expect(hands, "L0H0 · off · Softmax"); /* and it does not look as if it did anything */
    hands_expect_part(hands, "This head is switched off");
    const struct colour faint = hands_fill_at(hands, hands_find(hands, "0.997", 0));
    assert_true(faint.red > dark.red);
    assert_true(head_overview_of(hands)->off[0]);
    hands_expect(hands, "Switch on");
    hands_expect(hands, "1 off: all on");
    snprintf(after, sizeof after, "%.4f", head_overview_of(hands)->next[0].share);
    assert_string_not_equal(before, after);
    hands_hover(hands, "L1H0");
    hands_key(hands, "Alt+X");
    hands_show_settled(hands);
    assert_true(head_overview_of(hands)->off[2]);
    hands_expect(hands, "L1H0 · off");
    hands_expect(hands, "2 off: all on");
    hands_click(hands, "2 off: all on");
    hands_show_settled(hands);
    assert_true(!head_overview_of(hands)->off[0] && !head_overview_of(hands)->off[2]);
    hands_move(hands, -1, -1);
    hands_key(hands, "Alt+X"); /* the selected one */
    hands_show_settled(hands);
    assert_true(head_overview_of(hands)->off[0]);
    hands_close(hands);
}

/* The colour in the middle of a head's picture, below its name and its frame. */
static size_t colours_of_heads(const struct hands *hands, struct colour *colours, size_t max)
{
    const struct canvas *const canvas = hands_canvas(hands);
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        for (size_t p = 0; command->kind == CANVAS_IMAGE &&
                           p < (size_t)command->columns * command->rows && count < max;
             p++) {
            colours[count++] = canvas_pixels_of(canvas, command)[p];
        }
    }
    return count;
}

/* Opens the menu of weighings, which shows the present one below the title. */
static void open_weighings(struct hands *hands, const char *present)
{
    const struct point title = hands_find(hands, "All heads at a glance", 0);
    for (size_t n = 0; n < hands_count(hands, present); n++) {
        const struct point at = hands_find(hands, present, n);
        if (fabsf(at.y - title.y) < 40 && at.x > title.x) {
            hands_click_at(hands, at.x, at.y);
            return;
        }
    }
    fail_msg("there is no menu that shows %s", present);
}

static void heads_are_weighed_by_what_they_carry(void **state)
{
    static struct colour alpha[256], value[256], off[256];
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on the cat", 1440, 900);
    const size_t cells = colours_of_heads(hands, alpha, 256);
    assert_true(cells >= 4 * 6 * 6);
    hands_expect_not(hands, "‖αv‖");
    open_weighings(hands, "α");
    hands_click(hands, "‖αv‖");
    hands_show_settled(hands);
    hands_expect_part(hands, "‖αv‖, each layer to its own largest");
    assert_int_equal(colours_of_heads(hands, value, 256), cells);
    assert_memory_not_equal(alpha, value, cells * sizeof *alpha);
    hands_hover(hands, "L1H0");
    hands_expect(hands, "L1H0 · ‖αv‖");
    hands_move(hands, -1, -1);
    hands_click(hands, "Switch off"); /* the values of the next layer become others */
    hands_show_settled(hands);
    assert_int_equal(colours_of_heads(hands, off, 256), cells);
    assert_memory_not_equal(value, off, cells * sizeof *alpha);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_int_equal(colours_of_heads(hands, off, 256), cells);
    assert_memory_equal(value, off, cells * sizeof *alpha);
    open_weighings(hands, "‖αv‖");
    hands_click(hands, "‖αvW_O‖");
    hands_click(hands, head_overview_of(hands)->next[0].word); /* one word more */
    hands_show_settled(hands);
    hands_expect_part(hands, "‖αvW_O‖, each layer to its own largest");
    assert_true(colours_of_heads(hands, off, 256) > cells);
    open_weighings(hands, "‖αvW_O‖");
    hands_key(hands, "Home");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    hands_expect_not(hands, "‖αvW_O‖");
    hands_close(hands);
}

static void a_likely_word_is_taken_and_one_row_is_computed(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat", 1440, 900);
    const size_t words = words_in(hands);
    char all[64], one[80], likely[64];
    snprintf(all, sizeof all, "%zu rows computed", words);
    snprintf(one, sizeof one, "1 row computed, %zu rows of keys and values kept", words);
    hands_expect(hands, all);
    snprintf(likely, sizeof likely, "%s", head_overview_of(hands)->next[0].word);
    hands_click(hands, likely);
    hands_show_settled(hands);
    assert_int_equal(words_in(hands), words + 1);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[words], likely);
    hands_expect(hands, one);
    hands_expect(hands, "seed");
    hands_expect(hands, "42");
    hands_click(hands, "Draw one");
    hands_show_settled(hands);
    assert_int_equal(words_in(hands), words + 2);
    hands_close(hands);
}

/* Nothing was changed but the temperature: what is kept is at the same one, so all is as it was. */
static void what_is_kept_is_at_the_present_temperature(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on", 1440, 900);
    const struct view_action cooler = {
        .kind = VIEW_ACTION_HEAD_OVERVIEW,
        .overview = {.act = VIEW_HEAD_OVERVIEW_TEMPERATURE, .number = 0.5}};
    app_command_run(hands->state, "compare", 0, hands->input.time);
    hands_show_settled(hands);
    const double share = head_overview_of(hands)->next[0].share;
    app_state_apply(hands->state, &cooler, hands->input.time);
    hands_show_settled(hands);
    const struct view_head_overview *const overview = head_overview_of(hands);
    assert_true(overview->next[0].share > share);
    assert_int_equal(overview->kept_count, overview->next_count);
    for (size_t n = 0; n < overview->next_count; n++) {
        assert_string_equal(overview->kept[n].word, overview->next[n].word);
        assert_true(fabs(overview->kept[n].share - overview->next[n].share) <= 0);
    }
    hands_close(hands);
}

static void a_higher_temperature_makes_the_words_alike(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat", 1440, 900);
    const double before = head_overview_of(hands)->next[0].share;
    const struct point label = hands_find(hands, "temperature", 0);
    hands_click_at(hands, label.x + 80, label.y + 22); /* near the end of its track */
    assert_true(head_overview_of(hands)->temperature > 1.5);
    assert_true(head_overview_of(hands)->next[0].share < before);
    hands_close(hands);
}

static void the_head_overview_folds_and_layers_are_walked_through(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat", 1440, 900);
    hands_key(hands, "L");
    hands_expect(hands, "L1H0 · Softmax");
    hands_key(hands, "Shift+L");
    hands_expect(hands, "L0H0 · Softmax");
    hands_key(hands, "G");
    hands_expect_not(hands, "All heads at a glance");
    hands_expect_not(hands, "Next word");
    hands_expect(hands, "Heads — 2, weights α");
    hands_key(hands, "G");
    hands_expect(hands, "All heads at a glance");
    hands_close(hands);
    struct hands *const toy = hands_open("cats", 1440, 900);
    hands_key(toy, "L");
    assert_true(toy->state->view.prefs.display.lines); /* without a model it is what it was */
    hands_close(toy);
}

static void the_stages_say_where_they_stand_in_the_model(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat", 1440, 900);
    hands_key(hands, "L");
    hands_key(hands, "1");
    hands_expect(hands, "X is the residual stream after layer norm 1 of L1.");
    hands_expect(hands, "stream");
    hands_expect(hands, "before layer norm 1");
    const struct view_head_overview *const head_overview = head_overview_of(hands);
    const struct lab_matrix x = lab_trace_part(hands->state->document.trace, LAB_EMBEDDINGS_X, 0);
    double differs = 0, moved = 0;
    assert_int_equal(head_overview->stream_cols, x.cols);
    for (size_t i = 0; i < x.rows; i++) { /* weights 1 and biases 0 are not the tiny model's */
        double mean = 0;
        for (size_t c = 0; c < x.cols; c++) {
            mean += (double)head_overview->stream[i * x.cols + c] / (double)x.cols;
            differs += fabs((double)head_overview->stream[i * x.cols + c] -
                            (double)x.values[i * x.stride + c]);
        }
        moved += fabs(mean);
    }
    assert_true(differs > 0.1 && moved > 1e-6);
    hands_key(hands, "7");
    hands_expect_part(hands, "O is added to the residual stream of L1.");
    hands_close(hands);
}

static void wait_to_be_given_up(struct app_job *job, void *subject)
{
    (void)subject;
    while (!app_job_is_cancelled(job)) {
        sched_yield();
    }
}

static float say_layer(void *subject, const struct app_job *job, char *text, size_t size)
{
    (void)subject;
    (void)job;
    snprintf(text, size, "Computing layer 3 of 12");
    return 0.4f;
}

static void long_work_shows_how_far_it_is_and_can_be_given_up(void **state)
{
    (void)state;
    static const struct task_kind kind = {.doing = "",
                                          .work = wait_to_be_given_up,
                                          .describe = say_layer,
                                          .concurrency = TASK_CONCURRENT};
    struct hands *const hands = hands_on_model("the cat sat", 1440, 900);
    assert_non_null(task_submit(&hands->state->tasks, &kind, NULL, hands->input.time));
    hands_step(hands);
    hands_expect_not(hands, "Cancel"); /* what is over at once is not announced */
    hands_wait(hands, 0.4);
    hands_expect(hands, "Computing layer 3 of 12");
    hands_expect(hands, "Cancel");
    hands_expect(hands, "All heads at a glance"); /* nothing is blocked meanwhile */
    app_state_show_message(hands->state, hands->input.time, "Most weights are small.");
    hands_step(hands);
    hands_expect(hands, "Most weights are small."); /* beside it, not over it */
    hands_expect(hands, "Cancel");
    hands_click(hands, "Cancel");
    hands_expect_not(hands, "Computing layer 3 of 12");
    hands_close(hands);
}

/* Its giving up is the end of it, at once. */
static void end_at_once(struct app_state *state, void *subject, double time)
{
    (void)time;
    task_end(&state->tasks, *(struct task *const *)subject);
}

static void work_that_ends_in_a_frame_is_told_no_more_in_it(void **state)
{
    (void)state;
    static const struct task_kind kinds[] = {{.doing = "",
                                              .work = wait_to_be_given_up,
                                              .describe = say_layer,
                                              .concurrency = TASK_CONCURRENT},
                                             {.doing = "",
                                              .work = wait_to_be_given_up,
                                              .cancelled = end_at_once,
                                              .describe = say_layer,
                                              .concurrency = TASK_CONCURRENT}};
    struct hands *const hands = hands_on_model("the cat sat", 1440, 900);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct task *task = NULL;
        task = task_submit(&hands->state->tasks, &kinds[k], &task, hands->input.time);
        assert_non_null(task);
        hands_wait(hands, 0.4);
        hands_expect(hands, "Computing layer 3 of 12");
        const struct point at = hands_find(hands, "Cancel", 0);
        hands_press(hands, at.x, at.y, UI_LEFT_BUTTON, 1);
        hands->input.down = 0;
        hands->input.released = UI_LEFT_BUTTON;
        hands_step(hands);
        hands_expect_not(hands, "Computing layer 3 of 12");
    }
    hands_close(hands);
}

/* The last thing that a hand does may be what begins the work: nothing else calls for a frame. */
static void what_a_frame_begins_calls_for_the_next_one(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat", 1440, 900);
    const struct point at = hands_find(hands, "Draw one", 0);
    const size_t words = words_in(hands);
    hands_press(hands, at.x, at.y, UI_LEFT_BUTTON, 1);
    hands->input.down = 0;
    hands->input.released = UI_LEFT_BUTTON;
    hands_step(hands);
    while (words_in(hands) == words) {
        assert_true(app_frame_facts(hands->frame).wake > 0);
        hands_step(hands);
    }
    hands_close(hands);
}

static void sinks_are_set_aside_and_come_back(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on", 1440, 900);
    hands_expect(hands, "sinks aside");
    hands_click(hands, "sinks aside");
    assert_true(hands->state->view.head_overview->sinks_aside);
    assert_true(app_command_run(hands->state, "sinks", 0, hands->input.time));
    assert_false(hands->state->view.head_overview->sinks_aside);
    hands_close(hands);
}

static void the_block_around_attention_goes_on_where_the_stages_end(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on", 1440, 900);
    hands_expect_not(hands, "norm of x′");
    hands_key(hands, "8");
    hands_expect(hands, "L0 · Block around attention");
    hands_expect_part(hands, "Strongest neurons for");
    hands_expect(hands, "neuron"); /* the columns are named */
    hands_expect(hands, "active");
    hands_expect(hands, "adds to the word");
    hands_expect(hands, "length");
    hands_expect(hands, "norm of x′");
    hands_expect(hands, "gelu_new( u )");
    hands_expect_part(hands, "lose their mean"); /* the norm of the chosen word is spelled out */
    hands_expect_part(hands, ", 1 ) = ");        /* counted from 1, as everywhere */
    assert_int_equal(hands_collisions(hands), 0);
    const struct lab_block *const block = hands->state->view.head_overview->block;
    const struct lab_block_facts facts = lab_block_facts(block);
    assert_int_equal(facts.layer, 0);
    app_command_run(hands->state, "next layer", 1, hands->input.time);
    hands_step(hands);
    hands_expect_part(hands, "Logits at"); /* of two layers the last */
    hands_expect(hands, "share");
    hands_expect(hands, "logit");
    const struct lab_block *const next = hands->state->view.head_overview->block;
    assert_int_equal(lab_block_facts(next).layer, 1);
    assert_int_equal(lab_block_facts(next).n, facts.n);
    hands_key(hands, "5");
    hands_expect_not(hands, "norm of x′");
    hands_expect(hands, "L1H0 · Softmax");
    hands_close(hands);
}

/* Esc lets go of what is chosen, and a sheet only lies over what is there. */
static void the_block_stays_behind_a_sheet_and_when_the_choice_is_let_go(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on", 1440, 900);
    hands_key(hands, "8");
    hands_click(hands, "Decode");
    hands_expect_part(hands, "Word by word");
    hands_key(hands, "Escape");
    hands_expect(hands, "L0 · Block around attention");
    hands_key(hands, "Escape");
    assert_true(hands->state->view.let_go);
    hands_expect(hands, "L0 · Block around attention");
    hands_click(hands, "Flow");
    hands_expect_not(hands, "L0 · Block around attention");
    hands_close(hands);
}

/* The enlarged head would cover what the click has opened. */
static void a_click_ends_the_enlarged_head_until_the_pointer_moves(void **state)
{
    (void)state;
    struct rect card;
    struct hands *const hands = hands_on_model("the cat sat on", 1440, 900);
    const struct point head = hands_find(hands, "L1H0", 0);
    hands_move(hands, head.x, head.y);
    assert_true(canvas_find_group(hands_canvas(hands), "Enlarged head", 0, &card));
    hands_click_at(hands, head.x, head.y);
    hands_show_settled(hands);
    hands_expect(hands, "L1H0 · Softmax");
    assert_false(canvas_find_group(hands_canvas(hands), "Enlarged head", 0, &card));
    hands_move(hands, head.x + 9, head.y);
    hands_frame(hands);
    assert_true(canvas_find_group(hands_canvas(hands), "Enlarged head", 0, &card));
    hands_close(hands);
}

static void key_9_lures_nobody_away_from_a_model(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on", 1440, 900);
    hands_key(hands, "9");
    hands_expect(hands, "Loss is shown while weights learn: none learn here.");
    hands_close(hands);
}

static void a_typed_weight_says_how_far_it_reaches(void **state)
{
    (void)state;
    const struct lab_cell cell = {LAB_ALPHA, 0, 2, 1};
    struct hands *const hands = hands_on_model("the cat sat on", 1440, 900);
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_EDIT, .edit = {.cell = cell, .number = 0.75}},
        hands->input.time);
    hands_show_settled(hands);
    hands->state->view.pinned.query = 2;
    hands->state->view.pinned.key = 1;
    hands_frame(hands);
    hands_expect_part(hands, "All up to Output follows; Block, later layers and next words stay");
    hands_key(hands, "8");
    hands_expect_part(hands, "What was typed by hand is not in it");
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_expect_not(hands, "What was typed by hand is not in it: these numbers are the model’s "
                            "own.");
    hands_close(hands);
}

/* How many dots mark numbers typed by hand. */
static size_t count_dots(struct hands *hands)
{
    const struct canvas *const canvas = hands_canvas(hands);
    size_t dots = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const struct rect at = command->rect;
        dots += command->kind == CANVAS_RECT && at.w > 2 && at.w < 6 && at.h < 6 &&
                command->radius > 0.4f * at.w &&
                memcmp(&command->paint.fill, &hands->state->theme->accent,
                       sizeof command->paint.fill) == 0;
    }
    return dots;
}

static void a_key_that_is_not_seen_has_no_dot(void **state)
{
    (void)state;
    const struct lab_cell cell = {LAB_ALPHA, 0, 2, 1};
    struct hands *const hands = hands_on_model("the cat sat on", 1440, 900);
    assert_int_equal(count_dots(hands), 0);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_EDIT,
                                          .edit = {.cell = cell, .number = 0.75, .shares = true}},
                    hands->input.time);
    hands_show_settled(hands);
    assert_int_equal(lab_edits_count(hands->state->document.experiment.edits), 4);
    assert_int_equal(count_dots(hands), 3); /* the fourth key is hidden by the mask */
    hands_close(hands);
}

/* Formulas of X are not those of the stream beside it. */
static void the_stream_pointed_at_shows_no_other_formula(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on", 1440, 900);
    hands_key(hands, "1");
    hands_move(hands, -1, -1);
    const size_t channel = hands->state->view.pinned.channel;
    struct rect area;
    assert_true(canvas_find_group(hands_canvas(hands), "Residual stream", 0, &area));
    hands_move(hands, area.x + 0.6f * area.w, area.y + 0.6f * area.h);
    hands_frame(hands);
    char formula[64];
    snprintf(formula, sizeof formula, ")[%zu]", channel + 1);
    hands_expect_part(hands, formula);
    hands_close(hands);
}

static void in_a_small_window_all_of_it_can_be_read(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_model("the cat sat on", 960, 600);
    hands_expect(hands, "All heads at a glance");
    hands_expect(hands, "L0H0 · Softmax");
    hands_expect(hands, "Next word");
    hands_expect(hands, "sort by");
    hands_expect_part(hands, "= exp(scaled − max) ÷ Σ exp"); /* the formula has its place */
    assert_int_equal(hands_collisions(hands), 0);
    ask_overview(hands, VIEW_HEAD_OVERVIEW_SORT,
                 LAB_HEAD_MEASURES - 1); /* a measure, told in many words */
    hands_frame(hands);
    hands_expect_part(hands, "= exp(scaled − max) ÷ Σ exp");
    hands_expect(hands, "Next word");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* A model compared with what was kept: what differs is said, and next words stand beside those that
 * stood there. */
static void heads_and_next_words_are_compared(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_path(getenv("TINY_MODEL"), NULL);
    hands_key(hands, "b");
    hands_wait(hands, 0.2);
    hands_expect(hands, "nothing is changed yet");
    const struct view_head_overview *const overview = head_overview_of(hands);
    const double before = overview->next[0].share;
    hands_key(hands, "Alt+x");
    hands_show_settled(hands);
    hands_expect_not(hands, "nothing is changed yet");
    hands_expect(hands, "L0H0 off");
    hands_expect(hands, "L0H0 on");
    hands_key(hands, "o"); /* the same is said of the flow */
    hands_show_settled(hands);
    hands_expect_not(hands, "nothing is changed yet");
    hands_expect(hands, "L0H0 off");
    hands_key(hands, "o");
    hands_show_settled(hands);
    assert_true(overview->kept_count > 0 && overview->kept[0].share == before);
    assert_true(hands_count_part(hands, ", was ") + hands_count_part(hands, " ← ") > 0);
    hands_key(hands, "Alt+x");
    hands_show_settled(hands);
    hands_expect(hands, "nothing is changed yet");
    const struct view_action mlp_off = {
        .kind = VIEW_ACTION_HEAD_OVERVIEW,
        .overview = {.act = VIEW_HEAD_OVERVIEW_SWITCH_MLP, .which = 1}};
    (void)app_state_apply(hands->state, &mlp_off, hands->input.time);
    hands_show_settled(hands);
    hands_expect_not(hands, "nothing is changed yet");
    hands_expect(hands, "the model is changed inside");
    hands_click(hands, "A − B");
    app_command_run(hands->state, "forget", 0, hands->input.time);
    hands_wait(hands, 0.2);
    assert_int_equal(overview->kept_count, 0);
    assert_int_equal(hands_count_part(hands, ", was ") + hands_count_part(hands, " ← "), 0);
    hands_close(hands);
}

/* Behind the last word a logit leads to the parts that say the word; elsewhere to the vector that
 * it is a product of. */
static void a_logit_leads_to_what_it_is_made_of(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_path(getenv("TINY_MODEL"), NULL);
    struct app_state *const app = hands->state;
    const struct view_action last_layer = {
        .kind = VIEW_ACTION_HEAD_OVERVIEW,
        .overview = {.act = VIEW_HEAD_OVERVIEW_OPEN, .which = 2}};
    (void)app_state_apply(app, &last_layer, hands->input.time);
    hands_show_settled(hands);
    hands_key(hands, "8");
    hands_show_settled(hands);
    size_t count = 0;
    const struct lab_block *const block = head_overview_of(hands)->block;
    const size_t rows = lab_block_facts(block).n;
    char number[TEXT_NUMBER_MAX];
    for (size_t row = 0; row < rows; row += rows - 1) {
        const struct lab_block_word *const word = lab_block_words(block, row, &count);
        assert_true(count > 1);
        app->view.pinned.query = row;
        hands_frame(hands);
        hands_click(hands, text_nonzero_number(number, (double)word[1].logit, 3));
        assert_int_equal(app->view.why_shown, row + 1 == rows);
        if (row == 0) {
            assert_int_equal(app->view.block_step, lab_block_facts(block).steps);
        } else {
            assert_int_equal(app->view.why_word, word[1].id + 1);
        }
    }
    hands_close(hands);
}

static void type_seed(struct hands *hands, const char *typed)
{
    const float field = 40; /* from the name to the middle of what is typed */
    const struct point name = hands_find(hands, "seed", 0);
    hands_click_at(hands, name.x + field, name.y);
    hands_key(hands, "Ctrl+A");
    hands_type(hands, typed);
    hands_key(hands, "Enter");
}

/* The seed of the draws is typed where it stands; what is no seed is refused with a sentence. */
static void the_seed_of_next_words_is_typed_where_it_stands(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_path(getenv("TINY_MODEL"), NULL);
    const struct view_head_overview *const overview = head_overview_of(hands);
    const struct lab_words *const *const tokens = &hands->state->document.experiment.tokens;
    const size_t words = lab_words_count(*tokens);
    char drawn[2][64];
    for (int run = 0; run < 2; run++) {
        type_seed(hands, "7");
        assert_true(overview->seed == 7);
        hands_click(hands, "Draw one");
        hands_show_settled(hands);
        assert_int_equal(lab_words_count(*tokens), words + 1);
        snprintf(drawn[run], sizeof drawn[run], "%s", lab_words_list(*tokens)[words]);
        hands_key(hands, "Ctrl+Z");
        hands_show_settled(hands);
        assert_int_equal(lab_words_count(*tokens), words);
        type_seed(hands, "8");
        assert_true(overview->seed == 8);
    }
    assert_string_equal(drawn[0], drawn[1]);
    type_seed(hands, "1.5");
    hands_expect(hands, "A seed is a whole number, 0 or more.");
    assert_true(overview->seed == 8);
    hands_close(hands);
}

/* Weights that learn, as those of the model inside, have their heads in Learn: a key and a name
 * lead there, and where they are shown already it is said. */
static void heads_of_weights_that_learn_are_found_in_learn(void **state)
{
    (void)state;
    static const char sentence[] = "All heads of weights that learn stand in Learn.";
    struct hands *const hands = hands_open("real-heads", 1440, 900);
    hands_show_settled(hands);
    if (!hands->state->view.prefs.learn_folded) {
        hands_key(hands, "Shift+T");
    }
    hands_expect_not(hands, "L1H3");
    hands_key(hands, "g");
    hands_show_settled(hands);
    hands_expect(hands, "L1H3");
    hands_expect(hands, sentence);
    hands_key(hands, "Shift+T");
    hands_show_settled(hands);
    hands_expect_not(hands, "L1H3");
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "all heads at a glance");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    hands_expect(hands, "L1H3");
    hands_close(hands);
}

static void without_a_model_a_glance_at_all_heads_says_what_opens_one(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "all heads at a glance");
    hands_key(hands, "Enter");
    hands_expect(hands, "No model is open: Ctrl+O opens a folder with one.");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_head_stands_there_and_a_click_opens_it),
        cmocka_unit_test(a_head_under_the_pointer_is_enlarged_with_its_habits),
        cmocka_unit_test(heads_are_sorted_by_what_they_do_and_the_measure_is_defined_there),
        cmocka_unit_test(heads_of_each_kind_are_counted),
        cmocka_unit_test(a_head_is_switched_off_by_a_button_and_by_a_key),
        cmocka_unit_test(heads_are_weighed_by_what_they_carry),
        cmocka_unit_test(a_likely_word_is_taken_and_one_row_is_computed),
        cmocka_unit_test(a_higher_temperature_makes_the_words_alike),
        cmocka_unit_test(what_is_kept_is_at_the_present_temperature),
        cmocka_unit_test(the_head_overview_folds_and_layers_are_walked_through),
        cmocka_unit_test(the_stages_say_where_they_stand_in_the_model),
        cmocka_unit_test(long_work_shows_how_far_it_is_and_can_be_given_up),
        cmocka_unit_test(work_that_ends_in_a_frame_is_told_no_more_in_it),
        cmocka_unit_test(what_a_frame_begins_calls_for_the_next_one),
        cmocka_unit_test(sinks_are_set_aside_and_come_back),
        cmocka_unit_test(the_block_around_attention_goes_on_where_the_stages_end),
        cmocka_unit_test(the_block_stays_behind_a_sheet_and_when_the_choice_is_let_go),
        cmocka_unit_test(a_click_ends_the_enlarged_head_until_the_pointer_moves),
        cmocka_unit_test(key_9_lures_nobody_away_from_a_model),
        cmocka_unit_test(a_typed_weight_says_how_far_it_reaches),
        cmocka_unit_test(a_key_that_is_not_seen_has_no_dot),
        cmocka_unit_test(the_stream_pointed_at_shows_no_other_formula),
        cmocka_unit_test(in_a_small_window_all_of_it_can_be_read),
        cmocka_unit_test(the_seed_of_next_words_is_typed_where_it_stands),
        cmocka_unit_test(heads_and_next_words_are_compared),
        cmocka_unit_test(a_logit_leads_to_what_it_is_made_of),
        cmocka_unit_test(heads_of_weights_that_learn_are_found_in_learn),
        cmocka_unit_test(without_a_model_a_glance_at_all_heads_says_what_opens_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

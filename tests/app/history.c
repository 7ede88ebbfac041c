/* Undo and redo against a list of copies: thousands of changes by chance, the same on every
 * machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/document/paste.h"
#include "desk.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/variant.h"
#include "lab/lesson/lessons.h"

enum { ACTS = 4000 /* each day */, COPIES = 1001 };

/* The desk after a step: its experiment, every number that was computed, the step's name. */
struct copy {
    struct lab_experiment experiment;
    uint64_t numbers;
    char name[APP_NAME_MAX];
};

struct books {
    struct app_state *state;
    struct copy *copy;
    size_t at, count;
    uint64_t seed;
    double time;
};

static size_t pick_below(struct books *books, size_t most)
{
    books->seed = books->seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(books->seed >> 33) % most;
}

/* FNV-1a over the bits of every matrix that is computed. */
static uint64_t numbers_of(const struct app_state *state)
{
    uint64_t hash = 14695981039346656037u;
    if (state->document.trace == NULL) {
        return hash;
    }
    const struct lab_sizes sizes = lab_trace_sizes(state->document.trace);
    for (int part = 0; part < LAB_PARTS; part++) {
        for (size_t head = 0; head < sizes.heads; head++) {
            const struct lab_matrix matrix =
                lab_trace_part(state->document.trace, (enum lab_part)part, head);
            for (size_t i = 0; matrix.values != NULL && i < matrix.rows * matrix.cols; i++) {
                uint32_t bits = 0;
                const float value = lab_matrix_at(&matrix, i / matrix.cols, i % matrix.cols);
                memcpy(&bits, &value, sizeof bits);
                hash = (hash ^ bits) * 1099511628211u;
            }
        }
    }
    return hash;
}

static void write_down(struct books *books)
{
    for (size_t i = books->at + 1; i < books->count; i++) {
        lab_experiment_release(&books->copy[i].experiment);
    }
    books->count = books->at + 1;
    if (books->count == COPIES) {
        lab_experiment_release(&books->copy[0].experiment);
        memmove(books->copy, books->copy + 1, (COPIES - 1) * sizeof *books->copy);
        books->count--;
    }
    struct copy *copy = &books->copy[books->count];
    lab_experiment_copy(&copy->experiment, &books->state->document.experiment);
    copy->numbers = numbers_of(books->state);
    snprintf(copy->name, sizeof copy->name, "%s", books->state->view.undo_name);
    books->at = books->count++;
}

static void compare_books(const struct books *books, size_t act)
{
    const struct app_state *state = books->state;
    const struct copy *copy = &books->copy[books->at];
    if (!lab_experiment_equal(&state->document.experiment, &copy->experiment)) {
        fail_msg("after act %zu the experiment is not that of step %zu", act, books->at);
    }
    if (numbers_of(state) != copy->numbers) {
        fail_msg("after act %zu the numbers are not those of step %zu", act, books->at);
    }
    assert_int_equal(state->view.can_undo, books->at > 0);
    assert_int_equal(state->view.can_redo, books->at + 1 < books->count);
    if (books->at > 0) {
        assert_string_equal(state->view.undo_name, copy->name);
        if (strlen(copy->name) < 3) {
            fail_msg("a change is only called “%s”", copy->name);
        }
    }
    if (books->at + 1 < books->count) {
        assert_string_equal(state->view.redo_name, books->copy[books->at + 1].name);
    }
}

static void send_action(struct books *books, struct view_action action)
{
    app_state_apply(books->state, &action, books->time);
}

static void change_words(struct books *books)
{
    static const char *const words[] = {"bird", "fish", "cat", "a b", "NYC", "zebra"};
    const bool of_keys =
        books->state->document.experiment.context != NULL && pick_below(books, 2) == 0;
    const size_t count = lab_words_count(of_keys ? books->state->document.experiment.context
                                                 : books->state->document.experiment.tokens);
    const size_t kind = pick_below(books, 4), at = pick_below(books, count + 1);
    if (kind == 0 && count < 9) {
        send_action(books, (struct view_action){.kind = VIEW_ACTION_INSERT,
                                                .token = {.of_keys = of_keys,
                                                          .at = at,
                                                          .text = words[pick_below(books, 6)]}});
    } else if (kind == 1) {
        send_action(books, (struct view_action){.kind = VIEW_ACTION_REPLACE,
                                                .token = {.of_keys = of_keys,
                                                          .at = at,
                                                          .text = words[pick_below(books, 6)]}});
    } else if (kind == 2) {
        send_action(books, (struct view_action){.kind = VIEW_ACTION_REMOVE,
                                                .token = {.of_keys = of_keys, .at = at}});
    } else {
        send_action(books, (struct view_action){.kind = VIEW_ACTION_MOVE,
                                                .token = {.of_keys = of_keys,
                                                          .at = at,
                                                          .before = pick_below(books, count + 1)}});
    }
}

static void change_field(struct books *books)
{
    static const struct {
        enum lab_param_id field;
        size_t most;
    } fields[] = {
        {LAB_PARAM_EMBEDDING, 3},  {LAB_PARAM_WEIGHTS, 2},      {LAB_PARAM_SEED, 50},
        {LAB_PARAM_HEADS, 4},      {LAB_PARAM_SCALE, 2},        {LAB_PARAM_TEMPERATURE, 5},
        {LAB_PARAM_MASK, 6},       {LAB_PARAM_NORMALISE, 2},    {LAB_PARAM_RESIDUAL, 2},
        {LAB_PARAM_KIND, 4},       {LAB_PARAM_KEEP_MAXIMUM, 2}, {LAB_PARAM_D_MODEL, 6},
        {LAB_PARAM_D_K, 4},        {LAB_PARAM_D_V, 4},          {LAB_PARAM_MASK_SIZE, 3},
        {LAB_PARAM_MASK_STEP, 3},  {LAB_PARAM_GROUPS, 3},       {LAB_PARAM_LATENT, 4},
        {LAB_PARAM_POSITIONS, 3},  {LAB_PARAM_SKIP_W_O, 2},     {LAB_PARAM_CONTEXT, 2},
        {LAB_PARAM_FLASH, 2},      {LAB_PARAM_FLASH_ROWS, 3},   {LAB_PARAM_FLASH_COLS, 3},
        {LAB_PARAM_UNIT_QK, 2},    {LAB_PARAM_ROPE_THETA, 9},   {LAB_PARAM_ROPE_PAIRS, 2},
        {LAB_PARAM_ROPE_SHARE, 2}, {LAB_PARAM_SMEAR, 1}};
    enum { FIELDS = sizeof fields / sizeof *fields };
    size_t settings = 0;
    for (size_t p = 0; p < lab_param_count(); p++) {
        settings += lab_param_is_number(lab_param_row((enum lab_param_id)p)) &&
                    lab_param_row((enum lab_param_id)p)->title != NULL;
    }
    assert_int_equal(FIELDS, settings); /* each of them */
    const size_t row = pick_below(books, FIELDS);
    send_action(books,
                (struct view_action){
                    .kind = VIEW_ACTION_FIELD,
                    .setting = {.field = fields[row].field,
                                .number = (double)pick_below(books, fields[row].most) + 0.25}});
}

static void change_numbers(struct books *books)
{
    static const enum lab_part parts[] = {LAB_EMBEDDINGS_X, LAB_W_Q, LAB_Q, LAB_K, LAB_V,
                                          LAB_ALPHA};
    const struct lab_cell cell = {parts[pick_below(books, 6)], 0, pick_below(books, 4),
                                  pick_below(books, 3)};
    send_action(books, (struct view_action){.kind = VIEW_ACTION_GRAB});
    send_action(books,
                (struct view_action){.kind = VIEW_ACTION_EDIT,
                                     .edit = {.cell = cell,
                                              .shares = pick_below(books, 2),
                                              .number = (double)pick_below(books, 300) / 100 - 1}});
    send_action(books, (struct view_action){.kind = VIEW_ACTION_GRAB});
}

static void change_many(struct books *books)
{
    static const char *const commands[] = {"all on key", "equal shares", "rescale row", "roll",
                                           "restore all"};
    const size_t kind = pick_below(books, 7);
    if (kind < 5) {
        app_command_run(books->state, commands[kind], 0, books->time);
    } else if (kind == 5) {
        send_action(books, (struct view_action){.kind = VIEW_ACTION_PAINT,
                                                .paint = {.begins = true,
                                                          .query = pick_below(books, 3),
                                                          .key = pick_below(books, 3)}});
    } else {
        app_state_go(books->state, LAB_EMBED, books->time);
        app_paste(books->state, pick_below(books, 2) == 0 ? "1 2 3\n4 5 6\n7 8 9" : "1 2\n",
                  books->time);
    }
}

/* Another lesson, another step of it, another kind of attention, one number as it was. */
static void change_all(struct books *books)
{
    const struct lab_edits *const edits = books->state->document.experiment.edits;
    const size_t kind = pick_below(books, 5);
    if (kind == 0) {
        send_action(books, (struct view_action){.kind = VIEW_ACTION_LESSON,
                                                .lesson = pick_below(books, lab_lesson_count())});
    } else if (kind == 1) {
        send_action(books, (struct view_action){.kind = VIEW_ACTION_LESSON_STEP,
                                                .step = pick_below(books, 9)});
    } else if (kind == 2) {
        send_action(books, (struct view_action){.kind = VIEW_ACTION_VARIANT,
                                                .variant = pick_below(books, lab_variant_count())});
    } else if (kind == 3 && lab_edits_count(edits) > 0) {
        const struct lab_edit edit = lab_edits_at(edits, pick_below(books, lab_edits_count(edits)));
        send_action(books, (struct view_action){
                               .kind = VIEW_ACTION_RESTORE,
                               .edit = {.cell = {edit.part, edit.head, edit.row, edit.column},
                                        .whole = pick_below(books, 2)}});
    } else {
        app_command_run(books->state, "back to lesson", 0, books->time);
    }
}

static void do_something(struct books *books)
{
    static void (*const acts[])(struct books * books) = {
        change_words,   change_words,   change_field, change_field,
        change_numbers, change_numbers, change_many,  change_all};
    const struct document *const document = &books->state->document;
    const struct lab_lesson *const lesson = document->lesson;
    const size_t step = document->step;
    struct lab_experiment before;
    lab_experiment_copy(&before, &document->experiment);
    acts[pick_below(books, sizeof acts / sizeof *acts)](books);
    if (!lab_experiment_equal(&before, &document->experiment) ||
        (document->lesson == lesson && document->step != step)) {
        write_down(books);
    }
    lab_experiment_release(&before);
}

/* Back or forth, one step or many. */
static void do_many_things(struct books *books)
{
    const size_t steps =
        pick_below(books, 200) == 0 ? pick_below(books, 500) : 1 + pick_below(books, 3);
    const bool back = pick_below(books, 2) == 0;
    for (size_t i = 0; i < steps; i++) {
        app_command_run(books->state, back ? "undo" : "redo", 0, books->time);
        if (back && books->at > 0) {
            books->at--;
        } else if (!back && books->at + 1 < books->count) {
            books->at++;
        }
    }
}

static void thousands_of_changes_come_back_to_the_bit(void **unused)
{
    (void)unused;
    struct books books = {.state = opened("cats"), .seed = 20240607};
    books.copy = calloc(COPIES + 1, sizeof *books.copy);
    assert_non_null(books.copy);
    lab_experiment_copy(&books.copy[0].experiment, &books.state->document.experiment);
    books.copy[0].numbers = numbers_of(books.state);
    books.count = 1;
    const size_t acts = test_rounds(ACTS);
    size_t longest = 0;
    for (size_t i = 0; i < acts; i++) {
        longest = books.count > longest ? books.count : longest;
        books.time += 10; /* no two changes are one */
        if (pick_below(&books, 4) == 0) {
            do_many_things(&books);
        } else {
            do_something(&books);
        }
        compare_books(&books, i);
    }
    assert_true(longest > 300 * acts / ACTS); /* far back, and forward again */
    while (books.at > 0) {                    /* all the way back */
        app_command_run(books.state, "undo", 0, books.time);
        books.at--;
        compare_books(&books, acts);
    }
    for (size_t i = 0; i < books.count; i++) {
        lab_experiment_release(&books.copy[i].experiment);
    }
    free(books.copy);
    closed(books.state);
}

/* Steps that share nothing and hold 20 MB each: a dozen of them is kept, the newest. */
static void the_history_stays_below_its_size(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const size_t rows = lab_words_count(state->document.experiment.tokens), wide = LAB_SIZE_MAX;
    const size_t heads =
        320; /* never computed: shapes that do not fit are kept with their sentence */
    const size_t shape[3] = {heads, rows, wide};
    float *values = calloc(heads * rows * wide, sizeof *values);
    assert_non_null(values);
    const size_t each = heads * rows * wide * sizeof *values;
    for (size_t i = 0; i < 40; i++) {
        struct lab_experiment next;
        lab_experiment_copy(&next, &state->document.experiment);
        values[0] = (float)i + 1;
        lab_numbers_release(next.w_q);
        next.w_q = lab_numbers_make(values, 3, shape, NULL);
        assert_non_null(next.w_q);
        document_change(&state->document, &next, "large", (double)i);
        lab_experiment_release(&next);
    }
    assert_true(state->document.history.count * each <= (size_t)DOCUMENT_BYTES_MAX + each);
    assert_true(state->document.history.count >= 2);
    assert_true(lab_numbers_values(state->document.experiment.w_q)[0] == 40);
    document_undo(&state->document, 0);
    assert_true(lab_numbers_values(state->document.experiment.w_q)[0] == 39);
    document_redo(&state->document, 0);
    assert_true(lab_numbers_values(state->document.experiment.w_q)[0] == 40);
    free(values);
    closed(state);
}

/* A change that is given up after undo came back to it: what was done behind it can be redone. */
static void what_was_done_behind_a_change_given_up_is_redone(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    struct document *const document = &state->document;
    for (uint32_t seed = 1; seed <= 3; seed++) {
        struct lab_experiment next;
        lab_experiment_copy(&next, &document->experiment);
        next.seed = seed;
        document_change(document, &next, "seed", seed * 10.0);
        lab_experiment_release(&next);
    }
    document_undo(document, 0);
    assert_int_equal(document->experiment.seed, 2);
    document_take_back(document, 0);
    assert_int_equal(document->experiment.seed, 1);
    document_redo(document, 0);
    assert_int_equal(document->experiment.seed, 3);
    document_undo(document, 0);
    assert_int_equal(document->experiment.seed, 1);
    document_redo(document, 0);
    document_take_back(document, 0);
    assert_int_equal(document->experiment.seed, 1);
    assert_false(document_can_redo(document)); /* for nothing was done behind the newest */
    closed(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_changes_come_back_to_the_bit),
        cmocka_unit_test(the_history_stays_below_its_size),
        cmocka_unit_test(what_was_done_behind_a_change_given_up_is_redone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

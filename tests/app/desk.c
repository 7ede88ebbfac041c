#include "desk.h"
#include "app/actions/startup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct app_state *opened(const char *lesson)
{
    struct app_state *state = calloc(1, sizeof *state);
    assert_non_null(state);
    struct error error = {0};
    if (!app_state_open(state, lesson, NULL, &error)) {
        fail_msg("%s", error.text);
    }
    return state;
}

void closed(struct app_state *state)
{
    app_state_close(state);
    free(state);
}

void action_field(struct app_state *state, enum lab_param_id field, double number, double time)
{
    app_state_apply(state,
                    &(struct view_action){.kind = VIEW_ACTION_FIELD,
                                          .setting = {.field = field, .number = number}},
                    time);
}

void insert(struct app_state *state, size_t index, const char *text, double time)
{
    app_state_apply(
        state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = index, .text = text}},
        time);
}

void expect_words(const struct app_state *state, const char *expected)
{
    char all[1024] = "";
    for (size_t i = 0; i < lab_words_count(state->document.experiment.tokens); i++) {
        strcat(all, i > 0 ? " " : "");
        strcat(all, lab_words_list(state->document.experiment.tokens)[i]);
    }
    assert_string_equal(all, expected);
}

void action_number(struct app_state *state, struct lab_cell cell, double number, double time)
{
    app_state_apply(
        state,
        &(struct view_action){.kind = VIEW_ACTION_EDIT, .edit = {.cell = cell, .number = number}},
        time);
}

float score(const struct app_state *state, size_t i, size_t j)
{
    const struct lab_matrix scores = lab_trace_part(state->document.trace, LAB_SCORES, 0);
    return lab_matrix_at(&scores, i, j);
}

/* Shared by the tests of the app: a state on a lesson, and actions in one line. */
#ifndef TESTS_APP_DESK_H
#define TESTS_APP_DESK_H

#include "app/document/state.h"

struct app_state *opened(const char *lesson);
void closed(struct app_state *state);
void action_field(struct app_state *state, enum lab_param_id field, double number, double time);
void insert(struct app_state *state, size_t index, const char *text, double time);
void expect_words(const struct app_state *state, const char *expected);
void action_number(struct app_state *state, struct lab_cell cell, double number, double time);
float score(const struct app_state *state, size_t i, size_t j);

#endif

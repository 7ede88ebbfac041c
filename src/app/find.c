#include "app/find.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/display.h"
#include "app/drop.h"
#include "app/find_parts.h"
#include "app/keys.h"
#include "app/lesson.h"
#include "base/translate.h"
#include "lab/lessons.h"
#include "lab/params.h"
#include "lab/variant.h"

/* ASCII letters without their case; others as they are. */
static bool starts_alike(const char *text, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (tolower((unsigned char)text[i]) != tolower((unsigned char)word[i])) {
            return false;
        }
    }
    return true;
}

static bool holds_word(const char *text, const char *word, size_t length)
{
    const size_t whole = strlen(text);
    for (size_t at = 0; at + length <= whole; at++) {
        if (starts_alike(text + at, word, length)) {
            return true;
        }
    }
    return false;
}

/* Every word of what is typed stands somewhere in the title. */
static bool matches(const char *title, const char *typed)
{
    for (const char *word = typed; *word != 0;) {
        const size_t length = strcspn(word, " ");
        if (length > 0 && !holds_word(title, word, length)) {
            return false;
        }
        word += length;
        word += strspn(word, " ");
    }
    return true;
}

void app_find_add(struct app_state *state, struct app_find_action action, const char *title,
                  const char *hint)
{
    struct view_state *const view = &state->view;
    if (title != NULL && view->find_count < APP_FIND_MAX) {
        state->find_rows[view->find_count] =
            (struct view_find_row){title, hint != NULL ? hint : ""};
        state->find_actions[view->find_count++] = action;
    }
}

bool app_find_is_called(const struct app_state *state, const char *title)
{
    return title != NULL && matches(title, state->find_text);
}

static void offer(struct app_state *state, struct app_find_action action, const char *title,
                  const char *hint)
{
    if (app_find_is_called(state, title) || app_find_is_called(state, action.command)) {
        app_find_add(state, action, title, hint);
    }
}

/* The same for what has other names too: of its English title, in English and as it is spoken. */
static void offer_called(struct app_state *state, struct app_find_action action,
                         const char *english, const char *title, const char *hint)
{
    const char *const also = app_find_also(english);
    const char *const names =
        arena_format(&state->found, "%s %s %s %s", title != NULL ? title : "",
                     action.command != NULL ? action.command : "", also, tr(also));
    if (app_find_is_called(state, names)) {
        app_find_add(state, action, title, hint);
    }
}

static void offer_stages(struct app_state *state)
{
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        const struct lab_stage_row *row = lab_stage_row((enum lab_stage)stage);
        offer_called(
            state, (struct app_find_action){APP_FIND_STAGE, (size_t)stage, NULL}, row->title,
            arena_format(&state->found, "Stage %d: %s", stage + 1, tr(row->title)), row->formula);
    }
}

/* What would do nothing now, and what ends something, comes behind all else of that name: Enter is
 * quickly struck. */
static bool comes_last(const struct app_state *state, const char *command)
{
    const struct {
        const char *command;
        bool last;
    } late[] = {{"quit", true},
                {"give up", true},
                {"undo", !state->view.can_undo},
                {"redo", !state->view.can_redo},
                {"restore all", state->document.experiment.edits == NULL}};
    for (size_t i = 0; i < sizeof late / sizeof late[0]; i++) {
        if (strcmp(late[i].command, command) == 0) {
            return late[i].last;
        }
    }
    return false;
}

static void offer_commands(struct app_state *state, bool last)
{
    const struct app_command *command = NULL;
    for (size_t i = 0; (command = app_command_at(i)) != NULL; i++) {
        if (command->whole && comes_last(state, command->name) == last) {
            offer_called(state, (struct app_find_action){APP_FIND_COMMAND, 0, command->name},
                         command->title, tr(command->title),
                         app_key_of(command->name, 0, &state->found));
        }
    }
}

/* Commands that need to be told which way. */
static const struct directed {
    const char *command, *title;
    int argument;
} directed[] = {
    {"step", "Next step of the lesson", 1},
    {"step", "Previous step of the lesson", -1},
    {"query", "Next query", 1},
    {"query", "Previous query", -1},
    {"key", "Next key", 1},
    {"key", "Previous key", -1},
    {"head", "Next head", 1},
    {"head", "Previous head", -1},
    {"speed", "Play faster", 1},
    {"speed", "Play slower", -1},
    {"scale", "Interface larger", 1},
    {"scale", "Interface smaller", -1},
    {"scale", "Interface as large as usual", 0},
};

enum { DIRECTED = sizeof directed / sizeof directed[0] };

static void offer_directed(struct app_state *state)
{
    for (size_t i = 0; i < DIRECTED; i++) {
        offer_called(state, (struct app_find_action){APP_FIND_DIRECTED, i, directed[i].command},
                     directed[i].title, tr(directed[i].title),
                     app_key_of(directed[i].command, directed[i].argument, &state->found));
    }
}

/* Those whose title begins as what is typed come first: "ten" means “Ten tokens”, not “latent”. */
static void offer_lessons(struct app_state *state)
{
    const size_t length = strlen(state->find_text);
    for (int begins = 1; begins >= 0; begins--) {
        for (size_t i = 0; i < lab_lesson_count(); i++) {
            const char *const title = tr(lab_lesson_title(i));
            if (starts_alike(title, state->find_text, length) == (begins == 1)) {
                offer(state, (struct app_find_action){APP_FIND_LESSON, i, NULL},
                      arena_format(&state->found, "Lesson: %s", title), "");
            }
        }
    }
}

static void offer_kinds(struct app_state *state)
{
    for (size_t i = 0; i < lab_variant_count(); i++) {
        const struct lab_variant_row *row = lab_variant_row(i);
        offer_called(state, (struct app_find_action){APP_FIND_VARIANT, i, NULL}, row->title,
                     arena_format(&state->found, "Kind of attention: %s", tr(row->title)),
                     tr(row->formula));
    }
}

static void offer_parts(struct app_state *state)
{
    if (state->document.trace == NULL) {
        return;
    }
    const struct lab_sizes sizes = lab_trace_sizes(state->document.trace);
    for (size_t i = 0; i < sizes.n; i++) {
        offer(state, (struct app_find_action){APP_FIND_QUERY, i, NULL},
              arena_format(&state->found, "Query: %s", lab_trace_queries(state->document.trace)[i]),
              "");
    }
    for (size_t j = 0; j < sizes.m; j++) {
        offer(state, (struct app_find_action){APP_FIND_KEY, j, NULL},
              arena_format(&state->found, "Key: %s", lab_trace_keys(state->document.trace)[j]), "");
    }
    for (size_t j = 0; j < sizes.m; j++) {
        const char *title = lab_places_has(&state->view.display.aside, j) ? tr("Bring back “%s”")
                                                                          : tr("Set aside “%s”");
        offer(state, (struct app_find_action){APP_FIND_ASIDE, j, NULL},
              arena_format(&state->found, title, lab_trace_keys(state->document.trace)[j]), "");
    }
    for (size_t head = 0; sizes.heads > 1 && head < sizes.heads; head++) {
        offer(state, (struct app_find_action){APP_FIND_HEAD, head, NULL},
              arena_format(&state->found, "Head %zu", head + 1), "");
    }
}

/* Whether a word of `length` bytes is one of the words of a text. */
static bool has_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; *at != '\0';) {
        const size_t letters = strcspn(at, " ");
        if (letters == length && starts_alike(at, word, length)) {
            return true;
        }
        at += letters;
        at += strspn(at, " ");
    }
    return false;
}

/* Whether all words of `typed`, `length` bytes of it, are among the names of a parameter. */
static bool is_param_called(struct app_state *state, const struct lab_param *param,
                            const char *typed, size_t length)
{
    const char *const names = arena_format(
        &state->found, "%s %s %s %s %s %s", param->title, tr(param->title),
        param->symbol != NULL ? param->symbol : "", param->key != NULL ? param->key : "",
        param->option != NULL ? param->option : "", param->also != NULL ? param->also : "");
    bool any = false;
    for (size_t at = 0; names != NULL && at < length;) {
        const size_t letters = strcspn(typed + at, " ");
        const size_t word = letters < length - at ? letters : length - at;
        if (word > 0 && !has_word(names, typed + at, word)) {
            return false;
        }
        any = any || word > 0;
        at += word + 1;
    }
    return any;
}

/* What "no" means for a parameter; NULL: nothing. */
static const char *opposite(const struct app_state *state, const struct lab_param *param)
{
    double number = 0;
    const void *const *const numbers = lab_param_value(param, &state->document.experiment);
    if (param->type == LAB_TYPE_NUMBERS) {
        return *numbers != NULL ? "none" : NULL;
    }
    return lab_param_parse(param, "none", &number)  ? "none"
           : lab_param_parse(param, "off", &number) ? "off"
                                                    : NULL;
}

static void offer_value(struct app_state *state, const struct lab_param *param, const char *value)
{
    double number = 0;
    const bool is_default = strcmp(value, "default") == 0;
    const bool is_taken_away = param->type == LAB_TYPE_NUMBERS && strcmp(value, "none") == 0;
    if (is_default || is_taken_away || lab_param_parse(param, value, &number)) {
        const bool ranges = param->type == LAB_TYPE_COUNT || param->type == LAB_TYPE_NUMBER;
        app_find_add(
            state, (struct app_find_action){APP_FIND_VALUE, (size_t)lab_param_id_of(param), value},
            arena_format(&state->found, "Setting: %s %s", tr(param->title), value),
            ranges ? arena_format(&state->found, "%g … %g", param->low, param->high) : "");
    }
}

/* A setting with the value that is typed behind its name: "heads 4", "no mask". */
static void offer_values(struct app_state *state)
{
    const char *const typed = state->find_text;
    const bool is_no = strlen(typed) > 3 && starts_alike(typed, "no ", 3);
    const char *const last = strrchr(typed, ' ');
    if (last == NULL) {
        return;
    }
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        if (param->title == NULL) {
            continue;
        }
        if (is_no && is_param_called(state, param, typed + 3, strlen(typed + 3))) {
            const char *const value = opposite(state, param);
            if (value != NULL) {
                offer_value(state, param, value);
            }
        } else if (last[1] != '\0' &&
                   is_param_called(state, param, typed, (size_t)(last - typed))) {
            offer_value(state, param, last + 1);
        }
    }
}

void app_find_type(struct app_state *state, const char *text)
{
    snprintf(state->find_text, sizeof state->find_text, "%s", text);
    state->view.find_typed = state->find_text;
    arena_reset(&state->found);
    state->view.find_rows = state->find_rows;
    state->view.find_count = state->view.find_at = 0;
    if (state->finds == APP_FINDS_FILES) {
        app_find_offer_files(state);
        return;
    }
    if (state->finds == APP_FINDS_WORDS) {
        app_find_offer_words(state);
        return;
    }
    offer_values(state);
    offer_commands(state, false);
    offer_directed(state);
    offer_stages(state);
    offer_lessons(state);
    offer_kinds(state);
    offer_parts(state);
    offer_commands(state, true);
}

static void open_field(struct app_state *state, enum app_finds finds, const char *hint)
{
    state->finds = finds;
    state->view.find_open = true;
    state->view.find_new = true;
    state->view.find_hint = hint;
    app_find_type(state, "");
}

void app_find_open(struct app_state *state)
{
    open_field(state, APP_FINDS_NAMES, "a command, stage, lesson, head or word");
}

void app_find_open_files(struct app_state *state)
{
    open_field(state, APP_FINDS_FILES, "a session or model, or the path of a file or folder");
}

void app_find_open_words(struct app_state *state)
{
    open_field(state, APP_FINDS_WORDS, "a word of the text, or a part of one");
}

void app_find_close(struct app_state *state)
{
    state->view.find_open = false;
    state->view.find_count = 0;
}

static void pin(struct app_state *state, unsigned part, size_t index, double time)
{
    const struct lab_selection to = {.head = index, .query = index, .key = index};
    app_state_apply(
        state, &(struct view_action){.kind = VIEW_ACTION_SELECT, .parts = part, .selection = to},
        time);
}

/* As if it were dropped: a session, a model, attention, or numbers for the words. */
static void open_file(struct app_state *state, const char *path, double time)
{
    if (path != NULL) {
        app_drop_files(state, &path, 1, time);
    }
}

static void take_value(struct app_state *state, const struct app_find_action *action, double time)
{
    const struct lab_param *const param = lab_param_row((enum lab_param_id)action->index);
    double number = 0;
    if (lab_param_parse(param, action->command, &number)) {
        app_state_apply(state,
                        &(struct view_action){.kind = VIEW_ACTION_FIELD,
                                              .field = (enum lab_param_id)action->index,
                                              .number = number},
                        time);
        return;
    }
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    lab_param_reset(param, &next);
    document_change(&state->document, &next, param->title, time);
    lab_experiment_release(&next);
}

void app_find_take(struct app_state *state, size_t row, double time)
{
    if (state->view.find_open && row >= state->view.find_count) {
        state->view.find_new = true; /* nothing is called so: what was typed can be mended */
        return;
    }
    if (!state->view.find_open) {
        return;
    }
    const struct app_find_action action = state->find_actions[row];
    app_find_close(state);
    switch (action.kind) {
    case APP_FIND_COMMAND:
        app_command_run(state, action.command, 0, time);
        break;
    case APP_FIND_DIRECTED:
        app_command_run(state, action.command, directed[action.index].argument, time);
        break;
    case APP_FIND_STAGE:
        app_state_go(state, (enum lab_stage)action.index, time);
        break;
    case APP_FIND_LESSON:
        app_lesson_open(state, action.index, time);
        break;
    case APP_FIND_VARIANT:
        app_state_apply(
            state, &(struct view_action){.kind = VIEW_ACTION_VARIANT, .index = action.index}, time);
        break;
    case APP_FIND_QUERY:
        pin(state, VIEW_QUERY, action.index, time);
        break;
    case APP_FIND_KEY:
        pin(state, VIEW_KEY, action.index, time);
        break;
    case APP_FIND_HEAD:
        pin(state, VIEW_HEAD, action.index, time);
        break;
    case APP_FIND_ASIDE:
        app_display_aside(state, action.index, time);
        break;
    case APP_FIND_VALUE:
        take_value(state, &action, time);
        break;
    case APP_FIND_WORD:
        app_find_word(state, action.index, time);
        break;
    case APP_FIND_FILE:
        open_file(state, action.command, time);
        break;
    case APP_FIND_CHOOSE:
        state->request.choose_file = true;
        break;
    }
}

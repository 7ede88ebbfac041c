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

static void offer_lessons(struct app_state *state)
{
    for (size_t i = 0; i < lab_lesson_count(); i++) {
        offer(state, (struct app_find_action){APP_FIND_LESSON, i, NULL},
              arena_format(&state->found, "Lesson: %s", tr(lab_lesson_title(i))), "");
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

/* Anything by its name: commands, stages, lessons, kinds, heads and words; and what becomes of the
 * one that is chosen. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/actions/find.h"
#include "app/actions/find_internal.h"
#include "app/document/display.h"
#include "app/open/drop.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/variant.h"
#include "lab/lesson/lessons.h"
#include "view/parts/head_overview.h"

/* --- Words by which people look for what bears another name here --- */

static const struct {
    const char *title, *words; /* as it is called; what else it may be called */
} others[] = {
    {"Embed", "embedding X input vectors"},
    {"Project", "projection query key value W_Q W_K W_V neuron bias"},
    {"Score", "dot product similarity Q K"},
    {"Scale · mask", "square root causal hide"},
    {"Softmax", "attention weights probabilities alpha exp"},
    {"Blend", "weighted average sum values Z"},
    {"Output", "W_O concat residual"},
    {"Window", "mask sliding local Longformer"},
    {"Causal window", "mask sliding local Mistral"},
    {"Causal", "mask triangle decoder GPT"},
    {"Dilated window", "mask sliding gaps Longformer"},
    {"Blocks", "mask block sparse"},
    {"Strided", "mask sparse transformer"},
    {"Global + window", "mask BigBird Longformer sparse"},
    {"Painted by hand", "mask draw own"},
    {"Cross", "encoder decoder translation context"},
    {"Grouped-query", "GQA shared keys Llama"},
    {"Multi-query", "MQA shared keys"},
    {"Latent", "MLA compressed DeepSeek"},
    {"Sinusoidal positions", "positional encoding waves order"},
    {"Rotary positions", "RoPE positional encoding turn"},
    {"Flash, tile by tile", "FlashAttention memory tiles online softmax"},
};

/* Returns what else the stage or kind of that English title may be called, in English: a text of
 * the catalogues. "": nothing else. */
static const char *other_words(const char *title)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i].title, title) == 0) {
            return others[i].words;
        }
    }
    return "";
}

/* --- the rows --- */

static void suggest_row(struct app_state *state, struct app_find_action action, const char *title,
                        const char *hint)
{
    action.rank = app_find_rank(state, title);
    if (action.rank < APP_FIND_NOT) {
        app_find_add(state, action, title, hint);
    }
}

/* The same for what has other names, too: in English, and as they are spoken. */
static void suggest_called(struct app_state *state, struct app_find_action action, const char *also,
                           const char *title, const char *hint)
{
    const char *const names =
        arena_format(&state->found, "%s %s %s %s", title != NULL ? title : "",
                     action.command != NULL ? action.command : "", also, tr(also));
    const unsigned rank = app_find_rank(state, names);
    action.rank += rank;
    if (rank < APP_FIND_NOT) {
        app_find_add(state, action, title, hint);
    }
}

/* Returns whether the name is all that is typed. */
static bool is_typed(const struct app_state *state, const char *name)
{
    const char *const typed = state->find_text;
    const size_t length = strlen(name);
    return strlen(typed) >= length && app_find_starts_alike(typed, name, length) &&
           typed[length + strspn(typed + length, " ")] == '\0';
}

/* Returns whether what is typed is what a lesson is called in short, with a space for its hyphen
 * too. */
static bool names_lesson(const struct app_state *state, size_t lesson)
{
    const char *const name = lab_lesson_name(lesson), *const typed = state->find_text;
    const size_t length = strlen(name);
    size_t same = 0;
    while (same < length && (app_find_starts_alike(typed + same, name + same, 1) ||
                             (typed[same] == ' ' && name[same] == '-'))) {
        same++;
    }
    return same == length && typed[same + strspn(typed + same, " ")] == '\0';
}

/* Returns whether a lesson is meant: by its short name, or, unless a setting begins so, by whole
 * words of its title. Of the one that is open something else is sought. */
static bool is_lesson_meant(const struct app_state *state, size_t lesson, bool is_setting)
{
    const bool is_open = strcmp(state->document.lesson->name, lab_lesson_name(lesson)) == 0;
    const bool is_blank = state->find_text[strspn(state->find_text, " ")] == '\0';
    return !is_open && (names_lesson(state, lesson) ||
                        (!is_setting && !is_blank &&
                         (app_find_rank(state, lab_lesson_title(lesson)) == 0 ||
                          app_find_rank(state, tr(lab_lesson_title(lesson))) == 0)));
}

/* Adds the stages that are called exactly so; or all others. */
static void suggest_stages(struct app_state *state, bool exactly)
{
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        const struct lab_stage_row *row = lab_stage_row((enum lab_stage)stage);
        if ((is_typed(state, row->title) || is_typed(state, tr(row->title))) != exactly) {
            continue;
        }
        suggest_called(state, (struct app_find_action){APP_FIND_STAGE, .index = (size_t)stage},
                       other_words(row->title),
                       arena_format(&state->found, "Stage %d: %s", stage + 1, tr(row->title)),
                       row->formula);
    }
}

/* Returns whether what is typed is how a setting begins: "Setting: residual X + O, on or off". */
static bool begins_as(const struct app_state *state, const char *title)
{
    const char *const typed = state->find_text, *const wide = strstr(title, "：");
    const char *const colon = wide != NULL ? wide + strlen("：") : strchr(title, ':');
    const char *const named = colon == NULL ? title : colon + strspn(colon, ": ");
    const size_t length = strlen(typed);
    return length <= strlen(named) && app_find_starts_alike(named, typed, length);
}

static unsigned rank_of(const struct app_state *state, const struct app_command *command)
{
    const bool idle = (command->traits & APP_COMMAND_ENDS) != 0 ||
                      (command->when != NULL && !command->when(state));
    const bool aside = (command->traits & APP_COMMAND_SETS) != 0 &&
                       !begins_as(state, tr(command->title)) && !begins_as(state, command->title) &&
                       !begins_as(state, command->name);
    return idle ? APP_FIND_IDLE : aside ? 1 : 0;
}

/* A command that would do nothing now, or that ends something, stands behind all else that is
 * called so: Enter is quickly struck. */
static void suggest_commands(struct app_state *state)
{
    const struct app_command *command = NULL;
    for (size_t i = 0; (command = app_command_at(i)) != NULL; i++) {
        if (command->title != NULL) {
            suggest_called(state,
                           (struct app_find_action){APP_FIND_COMMAND, i, command->name,
                                                    rank_of(state, command)},
                           command->words != NULL ? command->words : "", tr(command->title),
                           app_command_keys(command, &state->found));
        }
    }
}

/* Returns whether what is typed is how a setting, a stage or another choice begins. */
static bool begins_setting(const struct app_state *state)
{
    const struct app_command *command = NULL;
    bool begins = false;
    for (size_t i = 0; !begins && (command = app_command_at(i)) != NULL; i++) {
        begins = (command->traits & APP_COMMAND_SETS) != 0 && command->title != NULL &&
                 (begins_as(state, tr(command->title)) || begins_as(state, command->title));
    }
    for (size_t s = 0; !begins && s < LAB_STAGES; s++) {
        begins = is_typed(state, lab_stage_row((enum lab_stage)s)->title);
    }
    return begins;
}

/* Adds the lessons that are meant, or all others. */
static void suggest_lessons(struct app_state *state, bool meant)
{
    const bool setting = begins_setting(state);
    for (size_t i = 0; i < lab_lesson_count(); i++) {
        if (is_lesson_meant(state, i, setting) != meant) {
            continue;
        }
        suggest_called(state, (struct app_find_action){APP_FIND_LESSON, .index = i},
                       lab_lesson_name(i),
                       arena_format(&state->found, "Lesson: %s", tr(lab_lesson_title(i))), "");
    }
}

/* A step by its number behind the name of its lesson, or behind “step” in the one that is open:
 * "cats 3", "step 3". */
static void suggest_step(struct app_state *state, bool of_open)
{
    const char *const typed = state->find_text, *const last = strrchr(typed, ' ');
    uint64_t number = 0;
    size_t lesson = 0;
    if (last == NULL || !text_to_u64(last + 1, &number) || number < 1) {
        return;
    }
    const size_t word = strcspn(typed, " ");
    const char *const name = arena_text(&state->found, typed, word);
    const bool open = name != NULL && state->document.lesson->steps > 0 &&
                      (strcasecmp(name, "step") == 0 || strcasecmp(name, tr("step")) == 0);
    const bool named = name != NULL && !open && lab_lesson_find(name, &lesson);
    const size_t steps = open    ? state->document.lesson->steps
                         : named ? lab_lesson_steps(lesson)
                                 : 0;
    if (open != of_open) {
        return;
    }
    if (number <= steps) {
        app_find_add(
            state, (struct app_find_action){APP_FIND_STEP, (size_t)number - 1, open ? "" : name, 0},
            arena_format(&state->found, "Step %zu of %zu: %s", (size_t)number, steps,
                         open ? tr(state->document.lesson->title) : tr(lab_lesson_title(lesson))),
            "");
    } else if (steps > 0) {
        const char *const has = arena_format(&state->found, "This lesson has %zu steps.", steps);
        const char *const said = state->view.find_note; /* of the setting that is called so, too */
        state->view.find_note =
            said == NULL ? has : arena_format(&state->found, "%s · %s", said, has);
    }
}

static void go_to_step(struct app_state *state, const struct app_find_action *action, double time)
{
    size_t lesson = 0;
    if (action->command[0] != '\0' && lab_lesson_find(action->command, &lesson)) {
        app_lesson_open(state, lesson, time);
    }
    app_lesson_go(state, action->index, time);
}

static void suggest_kinds(struct app_state *state)
{
    for (size_t i = 0; i < lab_variant_count(); i++) {
        const struct lab_variant_row *row = lab_variant_row(i);
        suggest_called(
            state, (struct app_find_action){APP_FIND_VARIANT, .index = i}, other_words(row->title),
            arena_format(&state->found, "Kind of attention: %s", tr(row->title)), tr(row->formula));
    }
}

/* A language is found by its own name, by its English name and by its code. */
static void suggest_languages(struct app_state *state)
{
    const struct language *language = NULL;
    for (size_t i = 0; (language = language_at(i)) != NULL; i++) {
        const char *const also =
            arena_format(&state->found, "%s %s language", language->english, language->code);
        suggest_called(state, (struct app_find_action){APP_FIND_LANGUAGE, .index = i},
                       also != NULL ? also : "",
                       arena_format(&state->found, "Language: %s", language->name),
                       language->english);
    }
}

static void suggest_parts(struct app_state *state)
{
    if (state->document.trace == NULL) {
        return;
    }
    const struct lab_sizes sizes = lab_trace_sizes(state->document.trace);
    for (size_t i = 0; i < sizes.n; i++) {
        suggest_row(
            state, (struct app_find_action){APP_FIND_QUERY, .index = i},
            arena_format(&state->found, "Query: %s", lab_trace_queries(state->document.trace)[i]),
            "");
    }
    for (size_t j = 0; j < sizes.m; j++) {
        suggest_row(
            state, (struct app_find_action){APP_FIND_KEY, .index = j},
            arena_format(&state->found, "Key: %s", lab_trace_keys(state->document.trace)[j]), "");
    }
    for (size_t j = 0; j < sizes.m; j++) {
        const char *title = lab_places_has(&state->view.prefs.display.aside, j)
                                ? tr("Bring back “%s”")
                                : tr("Set aside “%s”");
        suggest_row(state, (struct app_find_action){APP_FIND_ASIDE, .index = j},
                    arena_format(&state->found, title, lab_trace_keys(state->document.trace)[j]),
                    "");
    }
    for (size_t head = 0; sizes.heads > 1 && head < sizes.heads; head++) {
        suggest_row(state, (struct app_find_action){APP_FIND_HEAD, .index = head},
                    state->document.experiment.layers > 0
                        ? arena_format(&state->found, "Head L%zuH%zu",
                                       state->document.experiment.layer, head)
                        : arena_format(&state->found, "Head %zu", head + 1),
                    "");
    }
}

/* "L18H6": a head of another layer than the one on the stages. */
static void suggest_head_of_layer(struct app_state *state)
{
    const struct view_head_overview *const overview = state->view.head_overview;
    const char *const last = strrchr(state->find_text, ' ');
    const char *const typed = last != NULL ? last + 1 : state->find_text;
    char *behind = NULL;
    if (overview == NULL || overview->thumbnails == NULL || strchr("lL", typed[0]) == NULL ||
        !isdigit((unsigned char)typed[1])) {
        return;
    }
    const size_t layer = strtoul(typed + 1, &behind, 10);
    if (strchr("hH", behind[0]) == NULL || !isdigit((unsigned char)behind[1])) {
        return;
    }
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(overview->thumbnails);
    const size_t head = strtoul(behind + 1, &behind, 10);
    if (layer != state->document.experiment.layer && layer < sizes.layers && head < sizes.heads) {
        suggest_row(state,
                    (struct app_find_action){APP_FIND_PLACE, .index = layer * sizes.heads + head},
                    arena_format(&state->found, "Head L%zuH%zu", layer, head), "");
    }
}

void app_find_type(struct app_state *state, const char *text)
{
    snprintf(state->find_text, sizeof state->find_text, "%s", text);
    state->view.find_typed = state->find_text;
    arena_reset(&state->found);
    state->view.find_rows = state->find_rows;
    state->view.find_count = state->view.find_at = 0;
    state->view.find_note = NULL;
    if (state->finds == APP_FINDS_FILES) {
        app_find_suggest_files(state);
        return;
    }
    if (state->finds == APP_FINDS_WORDS) {
        app_find_suggest_words(state);
        return;
    }
    if (strchr("/~.", text[0]) != NULL && text[0] != '\0') { /* a path */
        app_find_suggest_files(state);
        return;
    }
    app_find_suggest_text(state);
    suggest_step(state, true);
    suggest_lessons(state, true);
    suggest_stages(state, true);
    app_find_suggest_values(state);
    suggest_step(state, false); /* “temperature 2” is a setting as well, and that first */
    suggest_commands(state);
    suggest_stages(state, false);
    suggest_lessons(state, false);
    suggest_kinds(state);
    suggest_languages(state);
    suggest_parts(state);
    suggest_head_of_layer(state);
}

void app_find_prepare(struct app_state *state)
{
    if (state->view.overlay == VIEW_OVERLAY_FIND && state->view.find_rows == NULL) {
        app_find_type(state, "");
    }
}

static void pin_place(struct app_state *state, unsigned part, size_t index, double time)
{
    const struct lab_selection to = {.head = index, .query = index, .key = index};
    app_display_select(state, part, &to, time);
}

/* Opens a file as if it were dropped. */
static void open_file(struct app_state *state, const char *path, double time)
{
    if (path != NULL) {
        app_drop_files(state, &path, 1, time);
    }
}

void app_find_take(struct app_state *state, size_t row, double time)
{
    if (state->view.overlay != VIEW_OVERLAY_FIND) {
        return;
    }
    if (row >= state->view.find_count) {
        state->view.find_new = true; /* nothing is called so: what was typed can be mended */
        return;
    }
    const struct app_find_action action = state->find_actions[row];
    struct error error = {ERROR_NONE, 0, ""};
    if (action.kind == APP_FIND_FILE && app_open_model_refuses(action.command, &error)) {
        app_state_show_message(state, time, "%s", error.text);
        state->view.find_new = true; /* the list stays, for another one */
        return;
    }
    app_find_close(state);
    switch (action.kind) {
    case APP_FIND_COMMAND:
        app_command_do(state, app_command_at(action.index), time);
        break;
    case APP_FIND_STAGE:
        app_state_go(state, (enum lab_stage)action.index, time);
        break;
    case APP_FIND_LESSON:
        app_lesson_open(state, action.index, time);
        break;
    case APP_FIND_STEP:
        go_to_step(state, &action, time);
        break;
    case APP_FIND_VARIANT:
        app_state_apply(state,
                        &(struct view_action){.kind = VIEW_ACTION_VARIANT, .variant = action.index},
                        time);
        break;
    case APP_FIND_LANGUAGE:
        app_state_apply(state,
                        &(struct view_action){.kind = VIEW_ACTION_LANGUAGE,
                                              .text = language_at(action.index)->code},
                        time);
        break;
    case APP_FIND_QUERY:
        pin_place(state, VIEW_QUERY, action.index, time);
        break;
    case APP_FIND_KEY:
        pin_place(state, VIEW_KEY, action.index, time);
        break;
    case APP_FIND_HEAD:
        pin_place(state, VIEW_HEAD, action.index, time);
        break;
    case APP_FIND_PLACE:
        app_state_apply(state,
                        &(struct view_action){
                            .kind = VIEW_ACTION_HEAD_OVERVIEW,
                            .overview = {.act = VIEW_HEAD_OVERVIEW_OPEN, .which = action.index}},
                        time);
        break;
    case APP_FIND_ASIDE:
        app_display_aside(state, action.index, time);
        break;
    case APP_FIND_VALUE:
        app_find_take_value(state, &action, time);
        break;
    case APP_FIND_TEXT:
        app_state_take_text(state, action.command, time);
        break;
    case APP_FIND_WORD:
        app_find_word(state, action.index, time);
        break;
    case APP_FIND_FILE:
        open_file(state, action.command, time);
        break;
    case APP_FIND_CHOOSE:
        state->request.asks |= APP_ASKS_FILE;
        break;
    }
}

/* The values of settings by their names: "heads 4", "window 2", "random weights", "no mask". */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app/actions/actions.h"
#include "app/actions/find_internal.h"
#include "base/translate.h"
#include "lab/experiment/params.h"

/* How well a word of `length` bytes is one of the words of a text: 0 as a whole, 1 as the beginning
 * of one, APP_FIND_NOT. */
static unsigned fit_word(const char *text, const char *word, size_t length)
{
    unsigned best = APP_FIND_NOT;
    for (const char *at = text; *at != '\0';) {
        const size_t letters = strcspn(at, " ");
        if (letters >= length && app_find_starts_alike(at, word, length)) {
            const unsigned fit = letters == length ? 0 : 1;
            best = fit < best ? fit : best;
        }
        at += letters;
        at += strspn(at, " ");
    }
    return best;
}

/* How well all words of `typed`, `length` bytes of it, are among the names of a parameter. */
static unsigned fit_names(struct app_state *state, const struct lab_param *param, const char *typed,
                          size_t length)
{
    const char *const names = arena_format(
        &state->found, "%s %s %s %s %s %s %s %s", param->title, tr(param->title),
        param->label != NULL ? param->label : "", param->label != NULL ? tr(param->label) : "",
        param->symbol != NULL ? param->symbol : "", param->key != NULL ? param->key : "",
        param->option != NULL ? param->option : "", param->also != NULL ? param->also : "");
    unsigned worst = 0;
    bool any = false;
    for (size_t at = 0; names != NULL && at < length;) {
        const size_t letters = strcspn(typed + at, " ");
        const size_t word = letters < length - at ? letters : length - at;
        const unsigned fit = word > 0 ? fit_word(names, typed + at, word) : 0;
        worst = fit > worst ? fit : worst;
        any = any || word > 0;
        at += word + 1;
    }
    return any ? worst : APP_FIND_NOT;
}

static bool is_called(struct app_state *state, const struct lab_param *param, const char *typed,
                      size_t length)
{
    return fit_names(state, param, typed, length) == 0;
}

/* Returns what "no" means for a parameter; NULL: nothing. */
static const char *opposite_value(const struct app_state *state, const struct lab_param *param)
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

/* The experiment with a value as it is typed. False: there is no such value. */
static bool take_value(const struct lab_param *param, const char *value,
                       struct lab_experiment *experiment)
{
    if (strcmp(value, "default") == 0 ||
        (param->type == LAB_TYPE_NUMBERS && strcmp(value, "none") == 0)) {
        lab_param_reset(param, experiment);
        return true;
    }
    return lab_param_read(param, value, experiment);
}

/* False: it is no value. */
static bool suggest_value(struct app_state *state, const struct lab_param *param, unsigned rank,
                          const char *value, size_t length)
{
    struct lab_experiment trial;
    value = arena_text(&state->found, value, length);
    if (value == NULL) {
        return false;
    }
    lab_experiment_copy(&trial, &state->document.experiment);
    const bool is_value = take_value(param, value, &trial);
    lab_experiment_release(&trial);
    if (is_value) {
        const bool ranges = param->type == LAB_TYPE_COUNT || param->type == LAB_TYPE_NUMBER;
        app_find_add(
            state,
            (struct app_find_action){APP_FIND_VALUE, (size_t)lab_param_id_of(param), value, rank},
            arena_format(&state->found, "Setting: %s %s", tr(param->title), value),
            ranges ? lab_param_range(param, &state->found) : "");
    }
    return is_value;
}

/* Returns whether it is the name of one of the parameter's choices: "identity". */
static bool is_choice(const struct lab_param *param, const char *typed)
{
    bool is_one = false;
    for (size_t i = 0; param->name_at != NULL && param->title_at(i) != NULL; i++) {
        const char *const name = param->name_at(i); /* a mask painted by hand has none */
        is_one = is_one || (name != NULL && strcasecmp(name, typed) == 0);
    }
    return is_one;
}

/* "heads 4", "mask window 2", "2 heads", "random weights"; "window 2" and "gqa 2" are values that
 * need no name. */
static void suggest_split(struct app_state *state, const struct lab_param *param, const char *typed)
{
    const size_t length = strlen(typed);
    bool is_listed = false;
    for (const char *space = strchr(typed, ' '); space != NULL && !is_listed;
         space = strchr(space + 1, ' ')) {
        const char *const rest = space + 1;
        const size_t first = (size_t)(space - typed), last = length - first - 1;
        is_listed =
            first > 0 && last > 0 &&
            ((is_called(state, param, typed, first) &&
              suggest_value(state, param, 0, rest, last)) ||
             (is_called(state, param, rest, last) && suggest_value(state, param, 0, typed, first)));
    }
    const bool has_number = strpbrk(typed, "0123456789") != NULL;
    const bool names_itself = has_number
                                  ? param->type == LAB_TYPE_MASK || param->type == LAB_TYPE_KIND
                                  : param->type == LAB_TYPE_CHOICE && is_choice(param, typed);
    if (!is_listed && names_itself) {
        (void)suggest_value(state, param, 0, typed, length);
    }
}

/* The typed text names a parameter, and no value of it: the values there are; or one of its choices
 * with a number that this does not take. */
static void note_range(struct app_state *state, const struct lab_param *param, const char *typed)
{
    const char *const last = strrchr(typed, ' ');
    const char *const choice = arena_text(&state->found, typed, strcspn(typed, " "));
    struct error error = {ERROR_NONE, 0, ""};
    if (state->view.find_note == NULL && last != NULL && isdigit((unsigned char)last[1]) &&
        choice != NULL && is_choice(param, choice) && lab_param_refuses(param, typed, &error)) {
        state->view.find_note = arena_text(&state->found, error.text, strlen(error.text));
        return;
    }
    if (last == NULL || last[1] == '\0' || state->view.find_note != NULL ||
        !is_called(state, param, typed, (size_t)(last - typed))) {
        return;
    }
    const char *const range = lab_param_range(param, &state->found);
    if (range[0] != '\0') {
        state->view.find_note = arena_format(&state->found, "%s: %s", tr(param->title), range);
    }
}

void app_find_suggest_values(struct app_state *state)
{
    const char *const typed = state->find_text;
    const bool is_no = strlen(typed) > 3 && app_find_starts_alike(typed, "no ", 3);
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        if (param->title == NULL) {
            continue;
        }
        const char *const value = is_no ? opposite_value(state, param) : NULL;
        const unsigned rank =
            value != NULL ? fit_names(state, param, typed + 3, strlen(typed + 3)) : APP_FIND_NOT;
        if (rank < APP_FIND_NOT) {
            (void)suggest_value(state, param, rank, value, strlen(value));
        } else if (!is_no) {
            suggest_split(state, param, typed);
            note_range(state, param, typed);
        }
    }
}

void app_find_suggest_text(struct app_state *state)
{
    const char *const names[] = {"words", tr("words")};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const char *const typed = state->find_text;
        const size_t name = strlen(names[n]);
        const bool named = strlen(typed) > name && typed[name] == ' ' &&
                           app_find_starts_alike(typed, names[n], name);
        const char *const words = named ? typed + name + strspn(typed + name, " ") : "";
        if (words[0] != '\0') {
            const char *const text = arena_text(&state->found, words, strlen(words));
            app_find_add(state, (struct app_find_action){APP_FIND_TEXT, .command = text},
                         arena_format(&state->found, "Words: %s", words), "");
            return;
        }
    }
}

void app_find_take_value(struct app_state *state, const struct app_find_action *action, double time)
{
    const struct lab_param *const param = lab_param_row((enum lab_param_id)action->index);
    struct lab_experiment next;
    struct error error = {ERROR_NONE, 0, ""};
    lab_experiment_copy(&next, document_present(&state->document));
    const bool is_value = take_value(param, action->command, &next);
    if (is_value && !lab_param_applies(param, &next)) {
        app_state_say_idle(state, param, time);
    } else if (is_value && !lab_experiment_check(&next, &error)) {
        app_state_show_message(state, time, "%s", error.text);
    } else if (is_value) {
        state->view.keys_begin = document_present(&state->document)->context == NULL &&
                                 next.context != NULL; /* what is opened has the focus */
        document_change(&state->document, &next, param->title, time);
    }
    lab_experiment_release(&next);
}

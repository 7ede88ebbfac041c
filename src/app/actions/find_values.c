/* The values of settings by their names: "heads 4", "seed 7", "no mask". */
#include <string.h>

#include "app/actions/find_internal.h"
#include "base/translate.h"
#include "lab/experiment/params.h"

/* Whether a word of `length` bytes is one of the words of a text. */
static bool has_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; *at != '\0';) {
        const size_t letters = strcspn(at, " ");
        if (letters == length && app_find_starts_alike(at, word, length)) {
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
            state,
            (struct app_find_action){APP_FIND_VALUE, (size_t)lab_param_id_of(param), value, 0},
            arena_format(&state->found, "Setting: %s %s", tr(param->title), value),
            ranges ? arena_format(&state->found, "%g … %g", param->low, param->high) : "");
    }
}

/* A setting with the value that is typed behind its name: "heads 4", "no mask". */
void app_find_offer_values(struct app_state *state)
{
    const char *const typed = state->find_text;
    const bool is_no = strlen(typed) > 3 && app_find_starts_alike(typed, "no ", 3);
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

void app_find_take_value(struct app_state *state, const struct app_find_action *action, double time)
{
    const struct lab_param *const param = lab_param_row((enum lab_param_id)action->index);
    double number = 0;
    if (lab_param_parse(param, action->command, &number)) {
        app_state_apply(state,
                        &(struct view_action){.kind = VIEW_ACTION_FIELD,
                                              .setting = {.field = (enum lab_param_id)action->index,
                                                          .number = number}},
                        time);
        return;
    }
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    lab_param_reset(param, &next);
    document_change(&state->document, &next, param->title, time);
    lab_experiment_release(&next);
}

/* Takes the guesses of a class: reads them as they are typed, compares them with the truth, and
 * keeps them for their step. */
#include "app/open/guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/translate.h"
#include "lab/lesson/guess.h"

enum { SAID_MAX = 63, NAMES_MAX = 5 };

static const char *find_key(const struct app_state *state, const char *answer)
{
    return state->document.trace == NULL
               ? NULL
               : lab_guess_key(lab_trace_keys(state->document.trace),
                               lab_trace_sizes(state->document.trace).m, answer);
}

static void refuse_key(struct app_state *state, const char *answer)
{
    char names[120] = "";
    const size_t count =
        state->document.trace == NULL ? 0 : lab_trace_sizes(state->document.trace).m;
    for (size_t j = 0; j < count && j < NAMES_MAX; j++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, tr("%s“%.16s”"), j > 0 ? ", " : "",
                 lab_trace_keys(state->document.trace)[j]);
    }
    snprintf(state->view.guess_refused, sizeof state->view.guess_refused,
             tr("“%.24s” is none of the words: %s%s."), answer, names,
             count > NAMES_MAX ? " …" : "");
}

/* Copies a text without the white space around it. */
static void trim(const char *text, char answer[SAID_MAX + 1])
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    snprintf(answer, SAID_MAX + 1, "%s", text);
    for (size_t end = strlen(answer); end > 0 && isspace((unsigned char)answer[end - 1]); end--) {
        answer[end - 1] = 0;
    }
}

static void set_guess(struct app_state *state, const char *text)
{
    snprintf(state->view.guessed, sizeof state->view.guessed, "%s", text);
    app_state_keep_guess(state);
}

void app_guess_type(struct app_state *state, const char *text)
{
    char answer[SAID_MAX + 1];
    struct lab_guessed number;
    trim(text, answer);
    state->view.guess_refused[0] = 0;
    const char *const said =
        state->view.guess == LAB_GUESS_WINNER ? find_key(state, answer)
        : state->view.guess == LAB_GUESS_NEXT || lab_guess_read(answer, false, &number) ? answer
                                                                                        : NULL;
    set_guess(state, said != NULL ? said : "");
}

void app_guess_say(struct app_state *state, const char *text)
{
    struct view_state *view = &state->view;
    char answer[SAID_MAX + 1];
    trim(text, answer);
    view->guess_refused[0] = 0;
    const char *word = view->guess == LAB_GUESS_WINNER ? find_key(state, answer) : NULL;
    const bool any_word = view->guess == LAB_GUESS_NEXT;
    struct lab_guessed number;
    if (answer[0] == 0) {
        set_guess(state, "");
    } else if (view->guess == LAB_GUESS_WINNER && word == NULL) {
        refuse_key(state, answer);
    } else if (view->guess != LAB_GUESS_WINNER && !any_word &&
               !lab_guess_read(answer, false, &number)) {
        snprintf(view->guess_refused, sizeof view->guess_refused,
                 view->guess == LAB_GUESS_BAR
                     ? tr("A share is asked for, such as 30 %%; “%.24s” is none.")
                     : tr("A number is asked for, such as 0.3; “%.24s” is none."),
                 answer);
    } else {
        set_guess(state, word != NULL ? word : answer);
    }
}

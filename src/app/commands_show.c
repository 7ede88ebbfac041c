/* app/commands_show.c — what is shown and how: nothing here changes a number. */
#include "app/commands_parts.h"

#include "app/display.h"
#include "app/find.h"
#include "base/translate.h"

static void turn_theme(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    app_state_set_theme(state, ui_theme_find(state->theme->dark ? "light" : "dark"));
}

/* The one behind the one that is spoken; English behind the last. */
static void next_language(struct app_state *state, int argument, double time)
{
    (void)state;
    (void)argument;
    (void)time;
    size_t next = 1;
    for (size_t i = 0; language_at(i) != NULL; i++) {
        next = language_at(i) == language_spoken() ? i + 1 : next;
    }
    language_speak(language_at(next)); /* NULL is English */
}

static void help(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.help_open = !state->view.help_open;
}

static void manual(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->request.open_manual = true;
}

static void turn_range(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.range_by_content = !state->view.range_by_content;
}

static void find(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    if (state->view.find_open) {
        app_find_close(state);
    } else {
        app_find_open(state);
    }
}

static void forget(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    lab_trace_release(state->document.baseline);
    state->document.baseline = NULL;
    state->view.compare = VIEW_COMPARE_NOT;
}

/* The first time it keeps what is; then it turns through the ways to show both. */
static void compare(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (state->document.trace == NULL) {
        return;
    }
    state->view.display.flow = false;
    if (state->document.baseline == NULL) {
        state->document.baseline = lab_trace_keep(state->document.trace);
        state->view.compare = VIEW_COMPARE_SIDE;
        app_state_show_message(state, time, "Kept. Change anything, and see it beside what was.");
    } else {
        state->view.compare = (enum view_compare)((state->view.compare + 1) % 3);
    }
}

static void captions(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.captions_closed = !state->view.captions_closed;
}

static void presenter(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.presenter = !state->view.presenter;
    if (state->view.presenter) {
        state->view.captions_closed = false;
    }
}

static void blank(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.blank = !state->view.blank;
}

static void turn_alpha(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.whole_alpha = !state->view.whole_alpha;
}

static void costs(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.costs_open = !state->view.costs_open;
}

static void decode(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.decode_open = !state->view.decode_open;
    state->view.decode_tokens = 0;
}

static void latent_rows(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.latent_rows = !state->view.latent_rows;
}

static void kinds(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.kinds_open = !state->view.kinds_open;
}

static void turn_flow(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.display.flow = !state->view.display.flow;
}

static void turn_lines(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.display.lines = !state->view.display.lines;
}

static void settings(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.settings_folded = !state->view.settings_folded;
    state->view.settings_open = !state->view.settings_open;
}

static void let_go(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    bool *const sheets[] = {&state->view.help_open, &state->view.costs_open,
                            &state->view.kinds_open, &state->view.decode_open};
    bool closed = false;
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        closed = closed || *sheets[i];
        *sheets[i] = false;
    }
    if (closed) {
        return;
    }
    if (state->view.display.flow) {
        state->view.display.flow = false;
        return;
    }
    state->view.settings_open = false;
    if (!app_display_let_go(state)) { /* first what is looked at together, then the selection */
        state->view.let_go = true;
    }
}

static void show_tab(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    const float zoom = app_view_zoom(&state->view, state->width, state->height);
    if (view_takes_turns(&state->view, state->height / zoom) ||
        view_is_small(&state->view, state->width / zoom, state->height / zoom)) {
        state->view.front = (enum view_front)((state->view.front + 1) % VIEW_FRONTS);
    } else {
        state->view.tab = state->view.tab == VIEW_TAB_SPACE ? VIEW_TAB_HEADS : VIEW_TAB_SPACE;
    }
}

static void quit(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->request.quit = true;
}

static void fullscreen(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->request.fullscreen = true;
}

static void ui_scale(struct app_state *state, int argument, double time)
{
    (void)time;
    if (argument == 0) {
        state->request.ui_scale_reset = true;
    } else {
        state->request.ui_scale_step = (float)argument;
    }
}

const struct app_command app_commands_show[] = {
    {"theme", "Light or dark", turn_theme, true},
    {"language", "Next language: English, Deutsch, 中文", next_language, true},
    {"help", "All keys", help, true},
    {"manual", "Open the manual", manual, true},
    {"range", "Colours up to 1, or up to the largest weight", turn_range, true},
    {"compare", "Keep this experiment and compare", compare, true},
    {"forget", "Let go of what was kept to compare", forget, true},
    {"whole alpha", "Softmax: one row or all of α", turn_alpha, true},
    {"captions", "Show or hide the lesson's captions", captions, true},
    {"presenter", "Presenter: captions large, no settings", presenter, true},
    {"blank", "Blank screen", blank, true},
    {"costs", "What each kind of attention costs", costs, true},
    {"decode", "Decoding word by word, with a cache", decode, true},
    {"latent rows", "Project, latent: how C is made", latent_rows, true},
    {"kinds", "Every kind of attention on these words", kinds, true},
    {"flow", "The whole flow on one sheet", turn_flow, true},
    {"lines", "Heads as matrices or as lines", turn_lines, true},
    {"settings", "Show or hide the settings", settings, true},
    {"let go", "Let go of the selection", let_go, true},
    {"tab", "Space or heads, where they share a place", show_tab, true},
    {"fullscreen", "Full screen", fullscreen, true},
    {"scale", "Size of the interface", ui_scale, false},
    {"quit", "Close the window", quit, true},
    {"find", "Find anything by name", find, false},
};

const size_t app_commands_show_count = sizeof app_commands_show / sizeof *app_commands_show;

#include "hands.h"
#include "app/actions/actions.h"
#include "app/actions/startup.h"
#include "app/actions/step.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/translate.h"

static const double frame_time = 0.05;

static const struct {
    const char *name;
    uint32_t key;
} named_keys[] = {
    {"Left", UI_KEY_LEFT},      {"Right", UI_KEY_RIGHT},         {"Up", UI_KEY_UP},
    {"Down", UI_KEY_DOWN},      {"Home", UI_KEY_HOME},           {"End", UI_KEY_END},
    {"PageUp", UI_KEY_PAGE_UP}, {"PageDown", UI_KEY_PAGE_DOWN},  {"Tab", UI_KEY_TAB},
    {"Enter", UI_KEY_ENTER},    {"Escape", UI_KEY_ESCAPE},       {"Space", UI_KEY_SPACE},
    {"Delete", UI_KEY_DELETE},  {"Backspace", UI_KEY_BACKSPACE}, {"F1", UI_KEY_F1},
    {"F2", UI_KEY_F1 + 1},      {"F3", UI_KEY_F1 + 2},           {"F5", UI_KEY_F1 + 4},
    {"F6", UI_KEY_F1 + 5},      {"F11", UI_KEY_F1 + 10},         {"F12", UI_KEY_F12},
};

static const struct {
    const char *name;
    unsigned mod;
} named_mods[] = {{"Ctrl+", UI_CTRL}, {"Shift+", UI_SHIFT}, {"Alt+", UI_ALT}};

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

/* A folder of its own for what is saved: nothing may land where the test happens to run. */
static void open_folder(struct hands *hands)
{
    const char *place = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    snprintf(hands->folder, sizeof hands->folder, "%s/attnscope-hands-XXXXXX", place);
    assert_non_null(mkdtemp(hands->folder));
    assert_int_equal(setenv("ATTNSCOPE_HOME", hands->folder, 1), 0);
}

static void close_folder(const struct hands *hands)
{
    DIR *files = opendir(hands->folder);
    const struct dirent *file = NULL;
    while (files != NULL && (file = readdir(files)) != NULL) {
        char path[512];
        snprintf(path, sizeof path, "%s/%.200s", hands->folder, file->d_name);
        if (file->d_name[0] != '.') {
            remove(path);
        }
    }
    if (files != NULL) {
        closedir(files);
    }
    remove(hands->folder);
}

struct hands *hands_open(const char *lesson, float width, float height)
{
    struct error error = {0};
    struct hands *hands = calloc(1, sizeof *hands);
    struct app_state *state = calloc(1, sizeof *state);
    if (!hands || !state) {
        fail_msg("there is no memory for a test");
    }
    hands->state = state;
    open_folder(hands);
    hands->fonts = fonts_open(&error);
    if (!hands->fonts) {
        fail_msg("fonts_open: %s", error.text);
    }
    hands->frame = app_frame_open(hands->fonts, &error);
    if (!hands->frame) {
        fail_msg("app_frame_open: %s", error.text);
    }
    if (!app_state_open(state, lesson, NULL, &error)) {
        fail_msg("app_state_open(%s): %s", lesson ? lesson : "NULL", error.text);
    }
    hands->input = (struct ui_input){.width = width,
                                     .height = height,
                                     .scale = 1,
                                     .time = 100,
                                     .x = -1,
                                     .y = -1,
                                     .reduce_motion = true};
    hands_frame(hands);
    hands_move(hands, 0, 0); /* where a pointer comes in first it only rests */
    hands_move(hands, -1, -1);
    return hands;
}

struct hands *hands_open_presenter(const char *lesson, float width, float height)
{
    struct hands *const hands = hands_open(lesson, width, height);
    hands_key(hands, "F5");
    return hands;
}

void hands_show_step(struct hands *hands, size_t step)
{
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = step},
                    hands->input.time);
    hands_wait(hands, 1);
}

void hands_close(struct hands *hands)
{
    close_folder(hands);
    app_frame_close(hands->frame);
    app_state_close(hands->state);
    fonts_close(hands->fonts);
    free(hands->state);
    free(hands);
}

const struct canvas *hands_canvas(const struct hands *hands)
{
    return app_frame_canvas(hands->frame);
}

static void run_frame(struct hands *hands)
{
    struct ui_input *input = &hands->input;
    app_step(hands->frame, hands->state,
             &(struct app_input){.ui = *input,
                                 .dropped = &hands->dropped,
                                 .drops = hands->dropped != NULL,
                                 .is_hidden = hands->is_hidden});
    hands->dropped = NULL;
    struct app_frame_facts facts = app_frame_facts(hands->frame);
    if (facts.copied) {
        snprintf(hands->clipboard, sizeof hands->clipboard, "%s", facts.copied);
    }
    if (hands->state->request.copy) {
        snprintf(hands->clipboard, sizeof hands->clipboard, "%s", hands->state->request.copy);
        hands->state->request.copy = NULL;
    }
    input->pressed = 0;
    input->released = 0;
    input->clicks = 0;
    input->wheel_x = 0;
    input->wheel_y = 0;
    input->pinch = input->slide_x = input->slide_y = 0;
    input->strokes = 0;
    input->text = NULL;
    input->paste = facts.wants_paste ? hands->clipboard : NULL;
}

void hands_step(struct hands *hands)
{
    hands->input.time += frame_time;
    run_frame(hands);
}

void hands_drop(struct hands *hands, const char *path)
{
    hands->dropped = path;
    run_frame(hands);
}

void hands_hide(struct hands *hands, bool is_hidden)
{
    hands->is_hidden = is_hidden;
    run_frame(hands);
}

void hands_settle(struct hands *hands)
{
    run_frame(hands);
    while (app_waits(hands->state)) {
        app_wait(hands->state, 1);
        run_frame(hands);
    }
}

void hands_show_settled(struct hands *hands)
{
    hands_settle(hands);
    hands_frame(hands);
}

void hands_wait_for_tasks(struct hands *hands)
{
    run_frame(hands);
    while (app_waits_for_tasks(hands->state)) {
        app_wait(hands->state, 1);
        run_frame(hands);
    }
}

void hands_step_for_result(struct hands *hands)
{
    hands_step(hands);
    if (app_waits(hands->state)) {
        app_wait(hands->state, 1);
    }
}

void hands_frame(struct hands *hands)
{
    hands_step(hands);
    hands_step(hands);
}

void hands_wait(struct hands *hands, double seconds)
{
    double until = hands->input.time + seconds;
    while (hands->input.time < until) {
        hands_step(hands);
    }
}

void hands_resize(struct hands *hands, float width, float height)
{
    hands->input.width = width;
    hands->input.height = height;
    hands_frame(hands);
}

void hands_move(struct hands *hands, float x, float y)
{
    struct ui_input *input = &hands->input;
    input->x = x;
    input->y = y;
    input->inside = x >= 0 && y >= 0 && x < input->width && y < input->height;
    hands_frame(hands);
}

void hands_press(struct hands *hands, float x, float y, unsigned button, int clicks)
{
    hands_move(hands, x, y);
    hands->input.down |= button;
    hands->input.pressed |= button;
    hands->input.clicks = clicks;
    hands_frame(hands);
}

void hands_release(struct hands *hands, float x, float y, unsigned button)
{
    hands_move(hands, x, y);
    hands->input.down &= ~button;
    hands->input.released |= button;
    hands_frame(hands);
}

void hands_click_at(struct hands *hands, float x, float y)
{
    hands_press(hands, x, y, UI_LEFT_BUTTON, 1);
    hands_release(hands, x, y, UI_LEFT_BUTTON);
}

void hands_drag(struct hands *hands, float x0, float y0, float x1, float y1)
{
    enum { STEPS = 8 };
    hands_press(hands, x0, y0, UI_LEFT_BUTTON, 1);
    for (int i = 1; i <= STEPS; i++) {
        float t = (float)i / STEPS;
        hands_move(hands, x0 + (x1 - x0) * t, y0 + (y1 - y0) * t);
    }
    hands_release(hands, x1, y1, UI_LEFT_BUTTON);
}

void hands_wheel(struct hands *hands, float x, float y, float notches, unsigned mods)
{
    hands_move(hands, x, y);
    hands->input.wheel_y = notches;
    hands->input.mods = mods;
    hands_frame(hands);
    hands->input.mods = 0;
}

void hands_pinch(struct hands *hands, float x, float y, float notches, float dx, float dy)
{
    hands_move(hands, x, y);
    hands->input.pinch = notches;
    hands->input.slide_x = dx;
    hands->input.slide_y = dy;
    hands_frame(hands);
}

static bool is_visible(const struct hands *hands, struct rect area)
{
    return area.w > 0 && area.h > 0 && area.x + area.w > 0 && area.y + area.h > 0 &&
           area.x < hands->input.width && area.y < hands->input.height;
}

typedef bool (*finder)(const struct canvas *canvas, const char *words, size_t number,
                       struct rect *area);

static bool find_visible(const struct hands *hands, finder find, const char *words, size_t number,
                         struct rect *area)
{
    size_t seen = 0;
    for (size_t i = 0; find(hands_canvas(hands), words, i, area); i++) {
        if (is_visible(hands, *area) && seen++ == number) {
            return true;
        }
    }
    return false;
}

struct point hands_find(struct hands *hands, const char *words, size_t number)
{
    struct rect area = {0};
    if (!find_visible(hands, canvas_find_text, words, number, &area) &&
        !find_visible(hands, canvas_find_group, words, number, &area)) {
        hands_report(hands);
        fail_msg("nothing on screen says \"%s\" (number %zu)", words, number);
    }
    return (struct point){area.x + area.w / 2, area.y + area.h / 2};
}

struct colour hands_fill_at(struct hands *hands, struct point at)
{
    const struct canvas *canvas = hands_canvas(hands);
    struct colour fill = {0};
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_RECT && command->paint.fill.alpha > 0 &&
            rect_has(command->rect, at.x, at.y)) {
            fill = command->paint.fill;
        }
    }
    return fill;
}

void hands_click_number(struct hands *hands, const char *words, size_t number)
{
    struct point at = hands_find(hands, words, number);
    hands_click_at(hands, at.x, at.y);
}

void hands_click(struct hands *hands, const char *words)
{
    hands_click_number(hands, words, 0);
}

void hands_double_click(struct hands *hands, const char *words)
{
    struct point at = hands_find(hands, words, 0);
    hands_click_at(hands, at.x, at.y);
    hands_press(hands, at.x, at.y, UI_LEFT_BUTTON, 2);
    hands_release(hands, at.x, at.y, UI_LEFT_BUTTON);
}

void hands_hover(struct hands *hands, const char *words)
{
    struct point at = hands_find(hands, words, 0);
    hands_move(hands, at.x, at.y);
}

static void strike_key(struct hands *hands, uint32_t key, unsigned mods, const char *text)
{
    struct ui_input *input = &hands->input;
    bool wants_text = app_frame_facts(hands->frame).wants_text;
    input->stroke[0] = (struct ui_stroke){key, mods};
    input->strokes = key ? 1 : 0;
    input->mods = mods;
    input->text = text && wants_text ? text : NULL;
    hands_frame(hands);
    input->mods = 0;
}

void hands_type(struct hands *hands, const char *text)
{
    size_t length = strlen(text), at = 0;
    while (at < length) {
        size_t start = at;
        uint32_t letter = text_next(text, length, &at);
        char one[8] = "";
        memcpy(one, text + start, at - start);
        bool capital = letter >= 'A' && letter <= 'Z';
        uint32_t key = capital ? letter + 32 : letter < 128 ? letter : 0;
        strike_key(hands, key, capital ? UI_SHIFT : 0, one);
    }
}

void hands_key(struct hands *hands, const char *stroke)
{
    unsigned mods = 0;
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < COUNT_OF(named_mods); i++) {
            size_t length = strlen(named_mods[i].name);
            if (strncmp(stroke, named_mods[i].name, length) == 0) {
                mods |= named_mods[i].mod;
                stroke += length;
                found = true;
            }
        }
    }
    for (size_t i = 0; i < COUNT_OF(named_keys); i++) {
        if (strcmp(stroke, named_keys[i].name) == 0) {
            bool space = named_keys[i].key == UI_KEY_SPACE && mods == 0;
            strike_key(hands, named_keys[i].key, mods, space ? " " : NULL);
            return;
        }
    }
    if (strlen(stroke) != 1) {
        fail_msg("the test names no key: %s", stroke);
    }
    uint32_t letter = (unsigned char)stroke[0];
    uint32_t key = letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
    char text[2] = {(char)key, '\0'};
    strike_key(hands, key, mods, mods ? NULL : text);
}

void hands_show_settings(struct hands *hands)
{
    memset(hands->state->view.prefs.settings_fold, VIEW_FOLD_ALL,
           sizeof hands->state->view.prefs.settings_fold);
    hands_frame(hands);
}

void hands_save(struct hands *hands)
{
    hands_key(hands, "Ctrl+S");
    if (hands->state->view.overlay == VIEW_OVERLAY_SAVE) {
        hands_key(hands, "Enter");
    }
}

void hands_paste(struct hands *hands, const char *text)
{
    snprintf(hands->clipboard, sizeof hands->clipboard, "%s", text);
    hands_key(hands, "Ctrl+V");
    hands_frame(hands);
}

bool hands_can_read(const struct language *language)
{
    struct hands *const hands = hands_open("cats", 960, 600);
    struct fonts *const fonts = canvas_fonts(app_frame_canvas(hands->frame));
    const size_t missing =
        font_shape(fonts, FONT_WORDS, language->name, strlen(language->name))->missing;
    hands_close(hands);
    return missing == 0;
}

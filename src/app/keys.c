#include "app/keys.h"

#include <string.h>

#include "app/commands.h"
#include "base/translate.h"

enum { STROKES_MAX = 8, ANY_SHIFT = 1 << 8 };

/* A line of the sheet: what it says, and the strokes that it stands for. */
static const struct {
    struct view_key_row row;
    struct {
        uint32_t key;
        unsigned mods; /* with ANY_SHIFT: with or without ⇧, as the keyboard's layout has it */
        const char *command;
        int argument;
    } stroke[STROKES_MAX];
} keys[] = {
    {{"→   ←", "Next, previous stage; in presenter mode: step"},
     {{UI_KEY_RIGHT, 0, "go on", 1},
      {UI_KEY_LEFT, 0, "go on", -1},
      {UI_KEY_RIGHT, 0, "next stage", 0}, /* named here for the list of commands only */
      {UI_KEY_LEFT, 0, "former stage", 0}}},
    {{"PageDown   PageUp", "Next, previous step of the lesson"},
     {{UI_KEY_PAGE_DOWN, 0, "step", 1}, {UI_KEY_PAGE_UP, 0, "step", -1}}},
    {{"C", "Show or hide the lesson's captions"}, {{'c', 0, "captions", 0}}},
    {{"F5   .", "Presenter mode; blank screen"},
     {{UI_KEY_F1 + 4, 0, "presenter", 0}, {'.', 0, "blank", 0}}},
    {{"Ctrl+O", "Open a session, or the folder of a model"}, {{'o', UI_CTRL, "open", 0}}},
    {{"Ctrl+F   F3   ⇧ F3", "Find a word of the text; its next, former place"},
     {{'f', UI_CTRL, "find word", 0},
      {UI_KEY_F1 + 2, 0, "next place", 0},
      {UI_KEY_F1 + 2, UI_SHIFT, "former place", 0}}},
    {{"Ctrl+S   Ctrl+⇧ S", "Save the session; under a new name"},
     {{'s', UI_CTRL, "save", 0}, {'s', UI_CTRL | UI_SHIFT, "save as", 0}}},
    {{"1 … 7", "Go to a stage"},
     {{'1', 0, "stage", LAB_EMBED},
      {'2', 0, "stage", LAB_PROJECT},
      {'3', 0, "stage", LAB_SCORE},
      {'4', 0, "stage", LAB_SCALE},
      {'5', 0, "stage", LAB_SOFTMAX},
      {'6', 0, "stage", LAB_BLEND},
      {'7', 0, "stage", LAB_OUTPUT}}},
    {{"Home   End", "First, last stage"},
     {{UI_KEY_HOME, 0, "first stage", 0}, {UI_KEY_END, 0, "last stage", 0}}},
    {{"Space bar", "Play or pause"}, {{UI_KEY_SPACE, 0, "play", 0}}},
    {{"Alt+→   Alt+←", "A moment further, back: a cell, then rows"},
     {{UI_KEY_RIGHT, UI_ALT, "moment", 1}, {UI_KEY_LEFT, UI_ALT, "moment", -1}}},
    {{"[   ]", "Slower, faster"}, {{'[', ANY_SHIFT, "speed", -1}, {']', ANY_SHIFT, "speed", 1}}},
    {{"↓   ↑", "Next, previous query"},
     {{UI_KEY_DOWN, 0, "query", 1}, {UI_KEY_UP, 0, "query", -1}}},
    {{"⇧ ↓   ⇧ ↑", "Next, previous key"},
     {{UI_KEY_DOWN, UI_SHIFT, "key", 1},
      {UI_KEY_UP, UI_SHIFT, "key", -1},
      {UI_KEY_RIGHT, UI_SHIFT, "key", 1},
      {UI_KEY_LEFT, UI_SHIFT, "key", -1}}},
    {{"H   ⇧ H", "Next, previous head"}, {{'h', 0, "head", 1}, {'h', UI_SHIFT, "head", -1}}},
    {{"Backspace", "From a cause back to what it made"},
     {{UI_KEY_BACKSPACE, 0, "walk forward", 0}}},
    {{"⇧ Enter", "Keep the query: several together; ⇧-click does the same"},
     {{UI_KEY_ENTER, UI_SHIFT, "keep query", 0}}},
    {{"A", "Set the selected key aside, or bring it back"}, {{'a', 0, "aside", 0}}},
    {{"W   ⇧ W", "The query looks only at the key; equally at all keys"},
     {{'w', 0, "all on key", 0}, {'w', UI_SHIFT, "equal shares", 0}}},
    {{"D", "What changed since the former stage"}, {{'d', 0, "change", 0}}},
    {{"Esc", "Let go of the selection"}, {{UI_KEY_ESCAPE, 0, "let go", 0}}},
    {{"L   ⇧ L", "Heads as lines; in a model: next, previous layer"},
     {{'l', 0, "layer", 1},
      {'l', UI_SHIFT, "layer", -1},
      {'l', 0, "lines", 0}, /* named here, and below, for the list of commands only */
      {'l', 0, "next layer", 0},
      {'l', UI_SHIFT, "former layer", 0}}},
    {{"Z   ⇧ Z", "Many weights: nearer, farther; as the wheel does"},
     {{'z', 0, "nearer", 1}, {'z', UI_SHIFT, "nearer", -1}, {'z', UI_SHIFT, "farther", 0}}},
    {{"X", "In a model: switch the head off or on"}, {{'x', 0, "switch head", 0}}},
    {{"O", "The whole flow on one sheet"}, {{'o', 0, "flow", 0}}},
    {{"B", "Keep this experiment, then compare: beside, difference"}, {{'b', 0, "compare", 0}}},
    {{"K", "What each kind of attention costs"}, {{'k', 0, "costs", 0}}},
    {{"⇧ K", "Every kind of attention on these words"}, {{'k', UI_SHIFT, "kinds", 0}}},
    {{"M", "Decoding word by word, with a cache"}, {{'m', 0, "decode", 0}}},
    {{"R", "Other random numbers"}, {{'r', 0, "roll", 0}}},
    {{"S", "Show or hide the settings"}, {{'s', 0, "settings", 0}}},
    {{"G", "In a model: all heads or none; else space or heads, before a class the stage too"},
     {{'g', 0, "glance", 0}, {'g', 0, "tab", 0}}},
    {{"T", "Light or dark"}, {{'t', 0, "theme", 0}}},
    {{"Ctrl+Z", "Undo the last change"}, {{'z', UI_CTRL, "undo", 0}}},
    {{"Ctrl+Y   Ctrl+⇧ Z", "Redo what was undone"},
     {{'y', UI_CTRL, "redo", 0}, {'z', UI_CTRL | UI_SHIFT, "redo", 0}}},
    {{"Ctrl+E   Ctrl+⇧ E", "Save a picture, an animation or numbers; at once as last time"},
     {{'e', UI_CTRL, "export", 0}, {'e', UI_CTRL | UI_SHIFT, "export now", 0}}},
    {{"Ctrl+C   Ctrl+⇧ C", "Copy the clicked matrix, else the stage's result; as NumPy"},
     {{'c', UI_CTRL, "copy", 0}, {'c', UI_CTRL | UI_SHIFT, "copy numpy", 0}}},
    {{"Ctrl+Alt+C", "The same as LaTeX"}, {{'c', UI_CTRL | UI_ALT, "copy latex", 0}}},
    {{"Ctrl+V", "Paste a matrix over the one that was clicked, or from that number on"},
     {{'v', UI_CTRL, "paste", 0}}},
    {{"Ctrl+ +   −   0", "Interface larger, smaller, as at first"},
     {{'+', UI_CTRL | ANY_SHIFT, "scale", 1},
      {'=', UI_CTRL | ANY_SHIFT, "scale", 1},
      {'-', UI_CTRL, "scale", -1},
      {'0', UI_CTRL, "scale", 0}}},
    {{"Ctrl+K", "Find anything by name"},
     {{'k', UI_CTRL, "find", 0}, {'p', UI_CTRL | UI_SHIFT, "find", 0}}},
    {{"F11", "Full screen"}, {{UI_KEY_F1 + 10, 0, "fullscreen", 0}}},
    {{"F6   ⇧ F6", "To the next, former part; in the 3-D view arrows turn, + − zoom"}, {{0}}},
    {{"Tab   ⇧ Tab", "Through all controls; Enter and Space act"}, {{0}}},
    {{"?   F1", "This sheet"},
     {{'?', ANY_SHIFT, "help", 0}, {'/', UI_SHIFT, "help", 0}, {UI_KEY_F1, 0, "help", 0}}},
    {{"Ctrl+Q", "Close the window"}, {{'q', UI_CTRL, "quit", 0}}},
};

enum { KEYS = sizeof keys / sizeof *keys };

static bool run_stroke(struct app_state *state, struct ui_stroke stroke, double time)
{
    for (size_t i = 0; i < KEYS; i++) {
        for (size_t s = 0; s < STROKES_MAX && keys[i].stroke[s].command != NULL; s++) {
            const unsigned mods = keys[i].stroke[s].mods;
            const unsigned given =
                mods & ANY_SHIFT ? stroke.mods & ~(unsigned)UI_SHIFT : stroke.mods;
            if (keys[i].stroke[s].key == stroke.key && (mods & ~(unsigned)ANY_SHIFT) == given) {
                return app_command_run(state, keys[i].stroke[s].command, keys[i].stroke[s].argument,
                                       time);
            }
        }
    }
    return false;
}

bool app_keys_apply(struct app_state *state, const struct ui_input *input)
{
    bool any = false;
    for (size_t i = 0; i < input->strokes; i++) {
        any = run_stroke(state, input->stroke[i], input->time) || any;
    }
    return any;
}

static bool means_alike(size_t row, size_t a, size_t b)
{
    return strcmp(keys[row].stroke[a].command, keys[row].stroke[b].command) == 0 &&
           keys[row].stroke[a].argument == keys[row].stroke[b].argument;
}

static bool struck_alike(size_t row, size_t a, size_t b)
{
    return keys[row].stroke[a].key == keys[row].stroke[b].key &&
           keys[row].stroke[a].mods == keys[row].stroke[b].mods;
}

/* Which of the keys that a line names a stroke is: strokes of one key, or of one meaning, are one.
 */
static size_t place_of(size_t row, size_t stroke)
{
    size_t places = 0;
    for (size_t s = 0; s < stroke; s++) {
        if (struck_alike(row, s, stroke) || means_alike(row, s, stroke)) {
            return place_of(row, s);
        }
        const size_t place = place_of(row, s);
        places = place + 1 > places ? place + 1 : places;
    }
    return places;
}

static bool means_one_thing(size_t row)
{
    for (size_t s = 1; s < STROKES_MAX && keys[row].stroke[s].command != NULL; s++) {
        if (!means_alike(row, 0, s)) {
            return false;
        }
    }
    return true;
}

/* "⇧ W" of "W   ⇧ W"; the whole line where its parts are not told apart: "Ctrl+ +   −   0". */
static const char *part_of_line(size_t row, size_t stroke, struct arena *arena)
{
    static const char gap[] = "   ";
    const char *const line = tr(keys[row].row.keys);
    const char *part = line;
    for (size_t place = place_of(row, stroke); place > 0 && part != NULL; place--) {
        part = strstr(part, gap);
        part = part != NULL ? part + strlen(gap) : NULL;
    }
    if (part == NULL || means_one_thing(row)) {
        return line;
    }
    const char *const end = strstr(part, gap);
    const size_t length = end != NULL ? (size_t)(end - part) : strlen(part);
    const bool has_mods = memchr(part, '+', length) != NULL;
    if ((keys[row].stroke[stroke].mods & (UI_CTRL | UI_ALT)) != 0 && !has_mods) {
        return line;
    }
    const char *const own = arena_text(arena, part, length);
    return own != NULL ? own : line;
}

const char *app_key_of(const char *command, int argument, struct arena *arena)
{
    const char *any = "";
    for (size_t i = 0; i < KEYS; i++) {
        for (size_t s = 0; s < STROKES_MAX && keys[i].stroke[s].command != NULL; s++) {
            if (strcmp(keys[i].stroke[s].command, command) != 0) {
                continue;
            }
            if (keys[i].stroke[s].argument == argument) {
                return part_of_line(i, s, arena);
            }
            any = tr(keys[i].row.keys);
        }
    }
    return any;
}

size_t app_key_rows(struct view_key_row *rows, size_t most)
{
    size_t count = 0;
    for (; count < KEYS && count < most; count++) {
        rows[count] = keys[count].row;
    }
    return count;
}

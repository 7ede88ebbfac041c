/* Turns SDL events into records of input. */
#include "app/desktop/window_internal.h"

#include <string.h>

#include "app/desktop/clipboard_owner.h"
#include "base/system/folder.h"
#include "base/translate.h"

/* Keys that SDL names otherwise than ui/input.h. */
static const struct {
    SDL_Keycode sdl;
    uint32_t key;
} named_keys[] = {
    {SDLK_LEFT, UI_KEY_LEFT},
    {SDLK_RIGHT, UI_KEY_RIGHT},
    {SDLK_UP, UI_KEY_UP},
    {SDLK_DOWN, UI_KEY_DOWN},
    {SDLK_HOME, UI_KEY_HOME},
    {SDLK_END, UI_KEY_END},
    {SDLK_PAGEUP, UI_KEY_PAGE_UP},
    {SDLK_PAGEDOWN, UI_KEY_PAGE_DOWN},
    {SDLK_KP_ENTER, UI_KEY_ENTER},
    {SDLK_KP_PLUS, '+'},
    {SDLK_KP_MINUS, '-'},
    {SDLK_KP_PERIOD, '.'},
    {SDLK_KP_DIVIDE, '/'},
    {SDLK_KP_MULTIPLY, '*'},
    {SDLK_KP_EQUALS, '='},
    {SDLK_DELETE, UI_KEY_DELETE},
    {SDLK_BACKSPACE, UI_KEY_BACKSPACE},
};

/* The keypad without Num Lock sends where it moves to, not its digit. */
static const struct {
    SDL_Keycode sdl;
    uint32_t digit, moves;
} keypad[] = {
    {SDLK_KP_0, '0', 0},
    {SDLK_KP_1, '1', UI_KEY_END},
    {SDLK_KP_2, '2', UI_KEY_DOWN},
    {SDLK_KP_3, '3', UI_KEY_PAGE_DOWN},
    {SDLK_KP_4, '4', UI_KEY_LEFT},
    {SDLK_KP_5, '5', 0},
    {SDLK_KP_6, '6', UI_KEY_RIGHT},
    {SDLK_KP_7, '7', UI_KEY_HOME},
    {SDLK_KP_8, '8', UI_KEY_UP},
    {SDLK_KP_9, '9', UI_KEY_PAGE_UP},
};

static const struct {
    Uint8 sdl;
    unsigned button;
} buttons[] = {
    {SDL_BUTTON_LEFT, UI_LEFT_BUTTON},
    {SDL_BUTTON_RIGHT, UI_RIGHT_BUTTON},
    {SDL_BUTTON_MIDDLE, UI_MIDDLE_BUTTON},
};

/* AltGr is the right Alt key in SDL: it makes letters, so it is no command's Alt. */
static unsigned mods_of(SDL_Keymod mods)
{
    unsigned bits = 0;
    bits |= (mods & KMOD_SHIFT) ? UI_SHIFT : 0u;
    bits |= (mods & (KMOD_CTRL | KMOD_GUI)) ? UI_CTRL : 0u;
    bits |= (mods & KMOD_LALT) ? UI_ALT : 0u;
    return bits;
}

static uint32_t key_of(const SDL_Keysym *keysym)
{
    for (size_t i = 0; i < SDL_arraysize(named_keys); i++) {
        if (named_keys[i].sdl == keysym->sym) {
            return named_keys[i].key;
        }
    }
    for (size_t i = 0; i < SDL_arraysize(keypad); i++) {
        if (keypad[i].sdl == keysym->sym) {
            return (keysym->mod & KMOD_NUM) ? keypad[i].digit : keypad[i].moves;
        }
    }
    if (keysym->sym >= SDLK_F1 && keysym->sym <= SDLK_F12) {
        return UI_KEY_F1 + (uint32_t)(keysym->sym - SDLK_F1);
    }
    if (keysym->sym <= 0 || (keysym->sym & SDLK_SCANCODE_MASK)) {
        return 0;
    }
    return (uint32_t)keysym->sym;
}

/* Where the digits need Shift (AZERTY) the digit row still means digits, with Shift or without. */
static struct ui_stroke stroke_of(const SDL_Keysym *keysym)
{
    struct ui_stroke stroke = {key_of(keysym), mods_of((SDL_Keymod)keysym->mod)};
    bool digit_row = keysym->scancode >= SDL_SCANCODE_1 && keysym->scancode <= SDL_SCANCODE_0;
    bool has_digit = stroke.key >= '0' && stroke.key <= '9';
    bool zooms = stroke.key == '-' || stroke.key == '+' || stroke.key == '=';
    if (digit_row && !has_digit && !zooms) {
        stroke.key = keysym->scancode == SDL_SCANCODE_0
                         ? '0'
                         : '1' + (uint32_t)(keysym->scancode - SDL_SCANCODE_1);
        stroke.mods &= ~(unsigned)UI_SHIFT;
    }
    return stroke;
}

void window_input_state_rest(struct window_input_state *input)
{
    struct ui_input *record = &input->record;
    record->pressed = 0;
    record->released = 0;
    record->clicks = 0;
    record->wheel_x = 0;
    record->wheel_y = 0;
    record->pinch = 0;
    record->slide_x = 0;
    record->slide_y = 0;
    record->strokes = 0;
    record->text = NULL;
    record->paste = NULL;
    input->text[0] = '\0';
    input->content = WINDOW_NOTHING;
    SDL_free(input->paste);
    input->paste = NULL;
}

static void point_at(struct window_input_state *input, int x, int y)
{
    input->record.x = ((float)x + 0.5f) * input->points_x;
    input->record.y = ((float)y + 0.5f) * input->points_y;
    input->record.inside = input->record.x >= 0 && input->record.x < input->record.width &&
                           input->record.y >= 0 && input->record.y < input->record.height;
}

static bool take_motion(struct window_input_state *input, const SDL_Event *event)
{
    if (input->gesture && event->motion.which == SDL_TOUCH_MOUSEID) {
        return true;
    }
    if (input->content > WINDOW_MOVED) {
        return false;
    }
    point_at(input, event->motion.x, event->motion.y);
    input->content = WINDOW_MOVED;
    return true;
}

static bool take_button(struct window_input_state *input, const SDL_Event *event)
{
    if (input->gesture && event->button.which == SDL_TOUCH_MOUSEID) {
        return true;
    }
    if (input->content > WINDOW_MOVED) {
        return false;
    }
    for (size_t i = 0; i < SDL_arraysize(buttons); i++) {
        if (buttons[i].sdl != event->button.button) {
            continue;
        }
        point_at(input, event->button.x, event->button.y);
        unsigned button = buttons[i].button;
        if (event->type == SDL_MOUSEBUTTONDOWN) {
            input->record.down |= button;
            input->record.pressed |= button;
            input->record.clicks = event->button.clicks;
        } else {
            input->record.down &= ~button;
            input->record.released |= button;
        }
        input->content = WINDOW_CLICKED;
    }
    return true;
}

static bool take_wheel(struct window_input_state *input, const SDL_Event *event)
{
    if (input->content > WINDOW_WHEELED) {
        return false;
    }
    const SDL_MouseWheelEvent *wheel = &event->wheel;
    float turn = wheel->direction == SDL_MOUSEWHEEL_FLIPPED ? -1.0f : 1.0f;
#if SDL_VERSION_ATLEAST(2, 0, 18)
    input->record.wheel_x += turn * wheel->preciseX;
    input->record.wheel_y += turn * wheel->preciseY;
#else
    input->record.wheel_x += turn * (float)wheel->x;
    input->record.wheel_y += turn * (float)wheel->y;
#endif
    input->content = WINDOW_WHEELED;
    return true;
}

/* --- fingers --- */

/* SDL plays the first finger as a mouse. When the second one comes, that press was none: it ends
 * far from everything, so that nothing is clicked. */
static bool begin_gesture(struct window_input_state *input)
{
    struct ui_input *record = &input->record;
    if (record->down != 0 && input->content > WINDOW_MOVED) {
        return false;
    }
    input->gesture = true;
    if (record->down == 0) {
        return true;
    }
    record->x = record->y = -1e4f;
    record->inside = false;
    record->released = record->down;
    record->down = 0;
    input->content = WINDOW_CLICKED;
    return false; /* what the fingers do is another record's */
}

/* SDL counts in shares of the window: 0.3 of it apart makes about three times as large. */
static bool take_gesture(struct window_input_state *input, const SDL_Event *event)
{
    const float notches = 30;
    const SDL_MultiGestureEvent *two = &event->mgesture;
    struct ui_input *record = &input->record;
    const float x = two->x * record->width, y = two->y * record->height;
    const bool begins = !input->gesture;
    if (two->numFingers != 2) {
        return true;
    }
    if (begins) {
        input->gesture_x = x;
        input->gesture_y = y;
        if (!begin_gesture(input)) {
            return false;
        }
    }
    if (input->content > WINDOW_WHEELED) {
        return false;
    }
    record->x = x;
    record->y = y;
    record->inside = true;
    record->pinch += two->dDist * notches;
    record->slide_x += x - input->gesture_x;
    record->slide_y += y - input->gesture_y;
    input->gesture_x = x;
    input->gesture_y = y;
    input->content = WINDOW_WHEELED;
    return true;
}

static bool take_finger(struct window_input_state *input, const SDL_Event *event)
{
    input->fingers += event->type == SDL_FINGERDOWN ? 1 : -1;
    input->fingers = input->fingers < 0 ? 0 : input->fingers;
    input->gesture = input->gesture && input->fingers > 0;
    return true;
}

/* Several strokes share a record only when a held key repeats: a slow frame then skips nothing and
 * lags behind nothing. */
static bool take_stroke(struct window_input_state *input, const SDL_Event *event)
{
    if (input->composing[0] != '\0') {
        return true; /* the input method's, not ours */
    }
    struct ui_stroke stroke = stroke_of(&event->key.keysym);
    if (stroke.key == 0) {
        return true;
    }
    struct ui_input *record = &input->record;
    bool repeats = input->content == WINDOW_STRUCK && event->key.repeat != 0 &&
                   record->strokes < UI_STROKES_MAX && record->strokes > 0 &&
                   record->stroke[record->strokes - 1].key == stroke.key &&
                   record->stroke[record->strokes - 1].mods == stroke.mods;
    if (input->content > WINDOW_MOVED && !repeats) {
        return false;
    }
    record->stroke[record->strokes++] = stroke;
    input->content = WINDOW_STRUCK;
    return true;
}

static bool take_text(struct window_input_state *input, const SDL_Event *event)
{
    SDL_Keymod mods = SDL_GetModState();
    if ((mods & KMOD_CTRL) && !(mods & KMOD_ALT)) {
        return true; /* X sends "+" for Ctrl and + */
    }
    size_t held = strlen(input->text), more = strlen(event->text.text);
    if (input->content == WINDOW_WHEELED || input->content == WINDOW_CLICKED ||
        held + more >= sizeof input->text) {
        return false;
    }
    memcpy(input->text + held, event->text.text, more + 1);
    input->record.text = input->text;
    input->content = WINDOW_TYPED;
    return true;
}

static void set_composing(struct window_input_state *input, const char *text)
{
    SDL_strlcpy(input->composing, text, sizeof input->composing);
    input->record.composing = input->composing[0] == '\0' ? NULL : input->composing;
}

static bool take_window(struct window_input_state *input, const SDL_Event *event)
{
    bool leaves = event->window.event == SDL_WINDOWEVENT_LEAVE;
    bool loses_focus = event->window.event == SDL_WINDOWEVENT_FOCUS_LOST;
    if (!leaves && !loses_focus) {
        return true;
    }
    if (input->content > WINDOW_MOVED) {
        return false;
    }
    input->content = WINDOW_MOVED;
    if (leaves) {
        input->record.inside = false;
    }
    if (loses_focus && input->record.down != 0) {
        input->record.released = input->record.down;
        input->record.down = 0;
        input->content = WINDOW_CLICKED;
    }
    return true;
}

bool window_input_state_take(struct window_input_state *input, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_MULTIGESTURE:
        return take_gesture(input, event);
    case SDL_FINGERDOWN:
    case SDL_FINGERUP:
        return take_finger(input, event);
    case SDL_MOUSEMOTION:
        return take_motion(input, event);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return take_button(input, event);
    case SDL_MOUSEWHEEL:
        return take_wheel(input, event);
    case SDL_KEYDOWN:
        return take_stroke(input, event);
    case SDL_TEXTINPUT:
        return take_text(input, event);
    case SDL_TEXTEDITING:
        set_composing(input, event->edit.text);
        return true;
#if SDL_VERSION_ATLEAST(2, 0, 22)
    case SDL_TEXTEDITING_EXT:
        set_composing(input, event->editExt.text);
        SDL_free(event->editExt.text);
        return true;
#endif
    case SDL_WINDOWEVENT:
        return take_window(input, event);
    default:
        return true;
    }
}

static void note_window(struct window_news *news, Uint8 what)
{
    switch (what) {
    case SDL_WINDOWEVENT_EXPOSED:
        news->came |= NEWS_EXPOSED;
        break;
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_RESIZED:
        news->came |= NEWS_RESIZED | NEWS_EXPOSED;
        break;
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        news->came |= NEWS_MOVED | NEWS_RESIZED | NEWS_EXPOSED;
        break;
    case SDL_WINDOWEVENT_HIDDEN:
    case SDL_WINDOWEVENT_MINIMIZED:
        news->came = (news->came & ~(unsigned)NEWS_SHOWN) | NEWS_HIDDEN;
        break;
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_MAXIMIZED:
        news->came = (news->came & ~(unsigned)NEWS_HIDDEN) | NEWS_SHOWN | NEWS_EXPOSED;
        break;
    case SDL_WINDOWEVENT_CLOSE:
        news->came |= NEWS_QUIT;
        break;
    default:
        break;
    }
}

void window_news_free(struct window_news *news)
{
    for (size_t i = 0; i < news->drops; i++) {
        SDL_free(news->dropped[i]);
    }
    SDL_free(news->dropped);
    news->dropped = NULL;
    news->drops = news->room = 0;
}

/* False: there is no memory for one path more. */
static bool has_room(struct window_news *news)
{
    if (news->drops < news->room) {
        return true;
    }
    const size_t room = 2 * news->room + 16;
    char **const wider = SDL_realloc(news->dropped, room * sizeof *wider);
    if (wider) {
        news->dropped = wider;
        news->room = room;
    }
    return wider;
}

static void note_drop(struct window_news *news, const SDL_Event *event)
{
    if (event->type == SDL_DROPFILE && event->drop.file != NULL && has_room(news)) {
        system_path_normalise(event->drop.file);
        news->dropped[news->drops++] = event->drop.file;
        return;
    }
    news->came |= event->type == SDL_DROPTEXT ? (unsigned)NEWS_TEXT_DROPPED : 0;
    SDL_free(event->drop.file);
}

static void note_event(struct window_news *news, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_DROPFILE:
    case SDL_DROPTEXT:
        note_drop(news, event);
        break;
    case SDL_QUIT:
        news->came |= NEWS_QUIT;
        break;
    case SDL_WINDOWEVENT:
        note_window(news, event->window.event);
        break;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        news->came |= NEWS_TEXTURES_LOST | NEWS_EXPOSED;
        break;
    default:
        break;
    }
}

bool window_input_state_collect(struct window_input_state *input, struct window_news *news)
{
    if (input->waiting.type != 0) {
        (void)window_input_state_take(input, &input->waiting);
        input->waiting.type = 0;
    }
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
        note_event(news, &event);
        if (!window_input_state_take(input, &event)) {
            input->waiting = event;
            break;
        }
    }
    input->record.mods = mods_of(SDL_GetModState());
    return input->waiting.type != 0;
}

/* Joins the pieces that came, as many of them as are taken. */
static void put_paste(struct window_input_state *input)
{
    size_t length = strlen(input->paste);
    if (length > WINDOW_PASTE_MAX) {
        length = WINDOW_PASTE_MAX;
        while (length > 0 && ((unsigned char)input->paste[length] & 0xC0) == 0x80) {
            length--; /* not through the middle of a letter */
        }
        input->paste[length] = '\0';
    }
    input->record.paste = input->paste;
}

/* By SDL, which on X11 takes no text that comes in pieces, and waits for a second at most. */
static enum app_clipboard_news ask_sdl(struct window_input_state *input)
{
    SDL_ClearError();
    input->paste = SDL_GetClipboardText();
    if (input->paste && input->paste[0] != '\0') {
        return APP_CLIPBOARD_CAME;
    }
    return strcmp(SDL_GetError(), "Clipboard timeout") == 0 ? APP_CLIPBOARD_LATE
                                                            : APP_CLIPBOARD_NOTHING;
}

/* The end of asking: the text stands in the record, or this says why none does. */
static const char *take_answer(struct window_input_state *input, enum app_clipboard_news news)
{
    SDL_free(input->paste);
    input->paste = NULL;
    if (news == APP_CLIPBOARD_CAME) {
        input->paste = input->coming;
    } else {
        SDL_free(input->coming);
        news = news == APP_CLIPBOARD_NOTHING ? ask_sdl(input) : news;
    }
    input->coming = NULL;
    switch (news) {
    case APP_CLIPBOARD_CAME:
        put_paste(input);
        return NULL;
    case APP_CLIPBOARD_LATE:
        return tr("The clipboard did not answer.");
    default:
        return tr("No text came from the clipboard: it holds none, or more than can be had at "
                  "once.");
    }
}

const char *window_input_state_await(struct window_input_state *input, int milliseconds)
{
    const enum app_clipboard_news news = app_clipboard_request_look(&input->asked, milliseconds);
    return news == APP_CLIPBOARD_WAITS ? NULL : take_answer(input, news);
}

const char *window_input_state_paste(struct window_input_state *input)
{
    enum { PATIENCE = 100, PIECE = 2 }; /* milliseconds: most clipboards answer within them */
    const char *const driver = SDL_GetCurrentVideoDriver();
    if (input->coming) {
        return NULL; /* it has been asked for */
    }
    input->coming = SDL_malloc(WINDOW_PASTE_MAX + 2);
    if (!input->coming || !driver || strcmp(driver, "x11") != 0 ||
        !app_clipboard_request_begin(&input->asked, input->coming, WINDOW_PASTE_MAX + 1)) {
        return take_answer(input, APP_CLIPBOARD_NOTHING);
    }
    const char *why = NULL;
    for (int waited = 0; input->coming && waited < PATIENCE; waited += PIECE) {
        SDL_PumpEvents(); /* the clipboard may be this window's own */
        why = window_input_state_await(input, PIECE);
    }
    return why;
}

void window_input_state_close(struct window_input_state *input)
{
    window_input_state_rest(input);
    if (input->coming) {
        app_clipboard_request_drop(&input->asked);
        SDL_free(input->coming);
        input->coming = NULL;
    }
}

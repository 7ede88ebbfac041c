/* tests/ui/hands.c — synthetic hands. */
#include "hands.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

void hands_open(struct hands *hands, void (*page)(struct hands *), void *state)
{
    struct error error = {0};
    memset(hands, 0, sizeof *hands);
    hands->fonts = fonts_open(&error);
    assert_non_null(hands->fonts);
    hands->canvas = canvas_open(hands->fonts);
    assert_non_null(hands->canvas);
    hands->theme = ui_theme_find("light");
    hands->page = page;
    hands->state = state;
    hands->input = (struct ui_input){.width = 800, .height = 600, .scale = 1, .time = 1};
    hands_feed(hands);
}

void hands_close(struct hands *hands)
{
    canvas_close(hands->canvas);
    fonts_close(hands->fonts);
}

static void frame(struct hands *hands)
{
    hands->input.time += 0.001;
    canvas_begin(hands->canvas, hands->input.width, hands->input.height);
    ui_begin(&hands->ui, &hands->memory, &hands->input, hands->canvas, hands->theme);
    hands->page(hands);
    ui_end(&hands->ui);
    assert_false(canvas_failed(hands->canvas));
    if (hands->ui.copied != NULL) {
        hands->copied = true;
        snprintf(hands->clipboard, sizeof hands->clipboard, "%s", hands->ui.copied);
    }
}

void hands_feed(struct hands *hands)
{
    struct ui_input *input = &hands->input;
    hands->copied = false;
    frame(hands);
    hands->keys_consumed = hands->ui.keys_consumed;
    hands->wants_paste = hands->ui.wants_paste;
    input->pressed = input->released = 0;
    input->clicks = 0;
    input->wheel_x = input->wheel_y = 0;
    input->strokes = 0;
    input->text = input->paste = NULL;
    int quiet = 0;
    while (hands->ui.wake != 0 && hands->ui.wake <= input->time && quiet < 20) {
        frame(hands);
        quiet++;
    }
    assert_true(quiet < 20); /* the picture comes to rest */
}

void hands_move(struct hands *hands, float x, float y)
{
    hands->input.inside = true;
    hands->input.x = x;
    hands->input.y = y;
    hands_feed(hands);
}

void hands_press(struct hands *hands, float x, float y, int clicks)
{
    hands->input.inside = true;
    hands->input.x = x;
    hands->input.y = y;
    hands->input.pressed = hands->input.down = UI_LEFT_BUTTON;
    hands->input.clicks = clicks;
    hands_feed(hands);
}

void hands_release(struct hands *hands)
{
    hands->input.released = UI_LEFT_BUTTON;
    hands->input.down = 0;
    hands_feed(hands);
}

void hands_click(struct hands *hands, float x, float y)
{
    hands_press(hands, x, y, 1);
    hands_release(hands);
}

void hands_drag(struct hands *hands, float x0, float y0, float x1, float y1)
{
    hands_press(hands, x0, y0, 1);
    hands_move(hands, (x0 + x1) / 2, (y0 + y1) / 2);
    hands_move(hands, x1, y1);
    hands_release(hands);
}

void hands_wheel(struct hands *hands, float x, float y, float notches)
{
    hands_move(hands, x, y);
    hands->input.wheel_y = notches;
    hands_feed(hands);
}

void hands_key(struct hands *hands, uint32_t key, unsigned mods)
{
    hands->input.stroke[0] = (struct ui_stroke){key, mods};
    hands->input.strokes = 1;
    hands_feed(hands);
}

void hands_type(struct hands *hands, const char *text)
{
    const size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        char letter[8] = {0};
        const size_t from = at;
        const uint32_t key = text_next(text, length, &at);
        memcpy(letter, text + from, at - from);
        hands->input.text = letter;
        hands->input.stroke[0] = (struct ui_stroke){key, 0};
        hands->input.strokes = key < 128 ? 1 : 0;
        hands_feed(hands);
    }
}

void hands_wait(struct hands *hands, double seconds)
{
    hands->input.time += seconds;
    hands_feed(hands);
}

struct point hands_find(struct hands *hands, const char *text)
{
    struct rect area = {0};
    if (!canvas_find_text(hands->canvas, text, 0, &area)) {
        fail_msg("\"%s\" is not on screen", text);
    }
    return (struct point){area.x + area.w / 2, area.y + area.h / 2};
}

void hands_click_text(struct hands *hands, const char *text)
{
    const struct point at = hands_find(hands, text);
    hands_click(hands, at.x, at.y);
}

bool hands_see(struct hands *hands, const char *text)
{
    struct rect area = {0};
    return canvas_find_text(hands->canvas, text, 0, &area) && area.w > 0 && area.h > 0;
}

struct rect hands_group(struct hands *hands, const char *label)
{
    struct rect area = {0};
    if (!canvas_find_group(hands->canvas, label, 0, &area)) {
        fail_msg("there is no group \"%s\"", label);
    }
    return area;
}

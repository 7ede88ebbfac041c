/* Only what changed is drawn again: the pixels are those of drawing all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/step.h"
#include "canvas/draw/changes.h"
#include "canvas/render/render.h"
#include "hands.h"
#include "lab/experiment/stage.h"

enum { WIDTH_MAX = 1440, HEIGHT_MAX = 900 };

struct desk {
    struct hands *hands;
    struct render_cairo *player;
    struct changes *changes;
    float scale;
    int width, height;
    uint32_t *whole, *partly; /* drawn at one go; drawn over the former picture */
    size_t pictures;
    double drawn; /* share of the pixels that were drawn again, summed over pictures */
};

static struct render_pixels pixels_of(const struct desk *desk, uint32_t *at)
{
    return (struct render_pixels){(uint8_t *)at, desk->width, desk->height, 4 * desk->width, false};
}

static void open_desk(struct desk *desk, const char *lesson, float scale, int width, int height)
{
    *desk = (struct desk){.scale = scale, .width = width, .height = height};
    desk->hands = hands_open(lesson, (float)width / scale, (float)height / scale);
    desk->hands->input.scale = scale;
    desk->player = render_cairo_open(desk->hands->fonts, NULL);
    desk->changes = changes_open();
    desk->whole = calloc(WIDTH_MAX * HEIGHT_MAX, sizeof *desk->whole);
    desk->partly = calloc(WIDTH_MAX * HEIGHT_MAX, sizeof *desk->partly);
    assert_true(desk->player && desk->changes && desk->whole && desk->partly);
}

static void close_desk(struct desk *desk)
{
    free(desk->whole);
    free(desk->partly);
    changes_close(desk->changes);
    render_cairo_close(desk->player);
    hands_close(desk->hands);
}

/* Draws what is on screen now in both ways and compares. */
static void compare_files(struct desk *desk, const char *after)
{
    const struct canvas *canvas = hands_canvas(desk->hands);
    const size_t count = (size_t)desk->width * (size_t)desk->height;
    struct rect area[CHANGES_MAX];
    const size_t areas =
        changes_find(desk->changes, canvas, desk->scale, desk->width, desk->height, area);
    for (size_t i = 0; i < areas; i++) {
        assert_true(render_cairo_pixels(desk->player, canvas, desk->scale, &area[i],
                                        pixels_of(desk, desk->partly), NULL));
        desk->drawn += (double)(area[i].w * area[i].h * desk->scale * desk->scale) / (double)count;
    }
    assert_true(render_cairo_pixels(desk->player, canvas, desk->scale, NULL,
                                    pixels_of(desk, desk->whole), NULL));
    desk->pictures++;
    for (size_t i = 0; i < count; i++) {
        if ((desk->whole[i] ^ desk->partly[i]) & 0xffffff) {
            fail_msg("after %s pixel %zu, %zu is %06x instead of %06x", after,
                     i % (size_t)desk->width, i / (size_t)desk->width, desk->partly[i] & 0xffffff,
                     desk->whole[i] & 0xffffff);
        }
    }
}

static void press_keys(struct desk *desk)
{
    static const char *const keys[] = {"Down", "Down", "Shift+Down", "H", "T",
                                       "Up",   "F1",   "Escape",     "S", "S",
                                       "T",    "L",    "L",          "R", "Ctrl+Z"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        hands_key(desk->hands, keys[i]);
        compare_files(desk, keys[i]);
    }
}

/* Over everything, in steps that meet nothing regular. */
static void point_everywhere(struct desk *desk)
{
    const float wide = desk->hands->input.width, high = desk->hands->input.height;
    for (int i = 0; i < 24; i++) {
        hands_move(desk->hands, (float)((i * 389) % 1000) / 1000 * wide,
                   (float)((i * 617) % 1000) / 1000 * high);
        compare_files(desk, "pointing");
    }
    hands_move(desk->hands, -1, -1);
    compare_files(desk, "leaving");
}

static void turn_space(struct desk *desk)
{
    const float x = desk->hands->input.width * 0.8f, y = desk->hands->input.height * 0.4f;
    for (int i = 0; i < 6; i++) {
        hands_drag(desk->hands, x, y, x + (float)(7 * i), y - (float)(5 * i));
        compare_files(desk, "turning");
    }
}

static void what_changed_is_all_that_is_drawn_again(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        float scale;
        int width, height;
    } desks[] = {{"cats", 1, 1440, 900}, {"ten", 1.25f, 1280, 800}, {"race", 1.5f, 1440, 900}};
    for (size_t i = 0; i < sizeof desks / sizeof *desks; i++) {
        struct desk desk;
        open_desk(&desk, desks[i].lesson, desks[i].scale, desks[i].width, desks[i].height);
        for (int stage = 0; stage < LAB_STAGES; stage += 2) {
            const char key[2] = {(char)('1' + stage), '\0'};
            hands_key(desk.hands, key);
            compare_files(&desk, key);
            press_keys(&desk);
            point_everywhere(&desk);
            turn_space(&desk);
        }
        close_desk(&desk);
    }
}

/* Moving from one control to the next must not cost a whole picture. */
static void a_small_change_is_a_small_part_of_the_picture(void **unused)
{
    (void)unused;
    struct desk desk;
    open_desk(&desk, "cats", 1, 1440, 900);
    compare_files(&desk, "opening");
    desk.drawn = 0;
    hands_hover(desk.hands, "Export");
    compare_files(&desk, "pointing at a button");
    assert_true(desk.drawn > 0 && desk.drawn < 0.05);
    desk.drawn = 0;
    compare_files(&desk, "nothing");
    assert_true(desk.drawn <= 0);
    changes_forget(desk.changes);
    memset(desk.partly, 0, WIDTH_MAX * HEIGHT_MAX * sizeof *desk.partly);
    compare_files(&desk, "losing the picture");
    close_desk(&desk);
}

/* The frame after a frame in which nothing was done, at the same moment, is the same picture. */
static void expect_settled(struct hands *hands, const char *after)
{
    const uint64_t hash = app_frame_facts(hands->frame).hash;
    app_step(hands->frame, hands->state, &(struct app_input){.ui = hands->input});
    if (app_frame_facts(hands->frame).hash != hash) {
        fail_msg("after %s something was left to draw", after);
    }
}

static void a_frame_leaves_nothing_to_draw(void **unused)
{
    (void)unused;
    static const struct ui_stroke keys[] = {
        {UI_KEY_DOWN, 0}, {'6', 0},           {'t', 0},           {'s', 0},         {UI_KEY_TAB, 0},
        {UI_KEY_TAB, 0},  {UI_KEY_ENTER, 0},  {UI_KEY_ESCAPE, 0}, {UI_KEY_F1, 0},   {'2', 0},
        {'l', 0},         {'r', 0},           {'h', 0},           {'7', 0},         {'z', UI_CTRL},
        {'k', UI_CTRL},   {UI_KEY_ESCAPE, 0}, {'3', 0},           {UI_KEY_HOME, 0}, {'o', 0}};
    struct hands *hands = hands_open("ten", 1440, 900);
    hands->input.inside = true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        hands->input.stroke[0] = keys[i];
        hands->input.strokes = 1;
        hands_step(hands);
        expect_settled(hands, "a key");
        hands->input.x = (float)((i * 389) % 1440);
        hands->input.y = (float)((i * 617) % 900);
        hands_step(hands);
        expect_settled(hands, "pointing");
    }
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changed_is_all_that_is_drawn_again),
        cmocka_unit_test(a_frame_leaves_nothing_to_draw),
        cmocka_unit_test(a_small_change_is_a_small_part_of_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* By keyboard alone: Tab comes to every control, and what it came to can be seen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "hands.h"
#include "ui/theme.h"

enum { RINGS_MAX = 64, CLIPS_MAX = 64, WALK_MAX = 400, STOPS_MIN = 20 };

struct rings {
    struct rect area[RINGS_MAX], clip[RINGS_MAX];
    size_t count;
};

static bool is_ring(const struct ui_theme *theme, const struct canvas_command *command)
{
    return command->kind == CANVAS_RECT && command->paint.fill.alpha == 0 &&
           command->paint.width >= 1.5f &&
           memcmp(&command->paint.stroke, &theme->accent, sizeof theme->accent) == 0;
}

/* Outlines in the colour of the focus, and the clip around each. */
static struct rings rings_of(const struct hands *hands)
{
    const struct canvas *const canvas = hands_canvas(hands);
    struct rings rings = {.count = 0};
    struct rect clip[CLIPS_MAX] = {{0, 0, canvas_width(canvas), canvas_height(canvas)}};
    size_t clips = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_CLIP && clips + 1 < CLIPS_MAX) {
            clip[++clips] = command->rect;
        } else if (command->kind == CANVAS_UNCLIP && clips > 0) {
            clips--;
        } else if (rings.count < RINGS_MAX && is_ring(hands->state->theme, command)) {
            rings.area[rings.count] = command->rect;
            rings.clip[rings.count++] = clip[clips];
        }
    }
    return rings;
}

static bool is_same_rect(struct rect a, struct rect b)
{
    return fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.w - b.w) + fabsf(a.h - b.h) < 0.5f;
}

static bool is_within(struct rect inner, struct rect outer)
{
    const float edge = 3.5f; /* the ring stands outside its control */
    return inner.x >= outer.x - edge && inner.y >= outer.y - edge &&
           inner.x + inner.w <= outer.x + outer.w + edge &&
           inner.y + inner.h <= outer.y + outer.h + edge;
}

/* The outline that was not there before; false: there is none. */
static bool find_new(const struct rings *now, const struct rings *before, size_t *index)
{
    for (size_t i = 0; i < now->count; i++) {
        bool known = false;
        for (size_t j = 0; j < before->count; j++) {
            known = known || is_same_rect(now->area[i], before->area[j]);
        }
        if (!known) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* A field shows where letters go instead. */
static bool shows_caret(const struct hands *hands)
{
    const struct app_frame_facts facts = app_frame_facts(hands->frame);
    const struct rect window = {0, 0, hands->input.width, hands->input.height};
    return facts.wants_text && facts.text_area.h > 0 && is_within(facts.text_area, window);
}

/* Walks with Tab until it comes back to where it began; how many stops could not be seen. */
static size_t walk_stops(const char *lesson, const char *stage, float width, float height,
                         size_t *stops)
{
    struct hands *hands = hands_open(lesson, width, height);
    hands_key(hands, stage);
    hands_wait(hands, 1);
    const struct rings before = rings_of(hands);
    struct rect first = {0, 0, 0, 0};
    size_t hidden = 0;
    for (*stops = 0; *stops < WALK_MAX; (*stops)++) {
        hands_key(hands, "Tab");
        hands_frame(hands);
        const struct rings now = rings_of(hands);
        size_t ring = 0;
        if (!find_new(&now, &before, &ring)) {
            if (shows_caret(hands)) {
                continue;
            }
            fprintf(stderr, "%s %s: no ring at stop %zu\n", lesson, stage, *stops);
            hidden++;
            continue;
        }
        if (*stops > 0 && is_same_rect(now.area[ring], first)) {
            break;
        }
        first = first.w > 0 ? first : now.area[ring];
        if (!is_within(now.area[ring], now.clip[ring])) {
            fprintf(stderr, "%s %s: stop %zu at %.0f, %.0f is cut off\n", lesson, stage, *stops,
                    (double)now.area[ring].x, (double)now.area[ring].y);
            hidden++;
        }
    }
    hands_close(hands);
    return hidden;
}

static void tab_comes_around_and_is_seen_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *lesson, *stage;
        float width, height;
    } cases[] = {
        {"cats", "1", 1440, 900}, {"cats", "5", 1440, 900},     {"ten", "5", 1440, 900},
        {"cats", "3", 960, 600},  {"translate", "4", 960, 600}, {"cats", "7", 480, 320},
    };
    size_t hidden = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += test_stride()) {
        size_t stops = 0;
        hidden +=
            walk_stops(cases[i].lesson, cases[i].stage, cases[i].width, cases[i].height, &stops);
        assert_true(stops > STOPS_MIN || cases[i].width < 900);
        assert_true(stops < WALK_MAX);
    }
    assert_int_equal(hidden, 0);
}

/* Where Tab stopped: the places of all rings of one way round. */
struct stops {
    struct rect area[WALK_MAX];
    size_t count;
};

static void find_stops(struct hands *hands, struct stops *stops)
{
    const struct rings before = rings_of(hands);
    stops->count = 0;
    while (stops->count < WALK_MAX) {
        hands_key(hands, "Tab");
        hands_frame(hands);
        const struct rings now = rings_of(hands);
        size_t ring = 0;
        const bool has_ring = find_new(&now, &before, &ring);
        const struct rect area =
            has_ring ? now.area[ring] : app_frame_facts(hands->frame).text_area;
        if (has_ring && stops->count > 0 && is_same_rect(area, stops->area[0])) {
            break;
        }
        stops->area[stops->count++] = area;
    }
    hands_key(hands, "Escape");
}

/* Inside a stop, or on the words of a switch of the settings, which is a stop in the same row. */
static bool is_stop(const struct hands *hands, const struct stops *stops, float x, float y)
{
    struct rect settings;
    const bool is_setting = canvas_find_group(hands_canvas(hands), "Settings", 0, &settings) &&
                            rect_has(settings, x, y);
    for (size_t i = 0; i < stops->count; i++) {
        const struct rect area = stops->area[i];
        if (rect_has(area, x, y) || (is_setting && y >= area.y && y < area.y + area.h &&
                                     rect_has(settings, area.x, area.y))) {
            return true;
        }
    }
    return false;
}

/* Returns the effect of a click there, beyond choosing a query, a key or a channel, which arrows do
 * too, and beyond showing one line alone, which is a command: NULL for nothing. */
static const char *done_by_click(struct hands *hands, float x, float y)
{
    const enum lab_stage stage = hands->state->view.playback.stage;
    const struct lab_display display = hands->state->view.prefs.display;
    const struct ui_theme *const theme = hands->state->theme;
    const size_t step = hands->state->document.step;
    struct lab_experiment before;
    lab_experiment_copy(&before, &hands->state->document.experiment);
    hands_click_at(hands, x, y);
    hands_frame(hands);
    struct lab_display *const now = &hands->state->view.prefs.display;
    now->line = display.line;
    now->line_place = display.line_place;
    const char *const done = !lab_experiment_equal(&before, &hands->state->document.experiment)
                                 ? "changes the experiment"
                             : hands->state->view.playback.stage != stage ? "goes to another stage"
                             : hands->state->document.step != step        ? "goes to another step"
                             : memcmp(now, &display, sizeof display) != 0
                                 ? "changes how weights are shown"
                             : hands->state->theme != theme ? "changes the colours"
                                                            : NULL;
    lab_experiment_release(&before);
    hands_key(hands, "Escape");
    return done;
}

static size_t count_unreachable(struct hands *hands, const struct stops *stops, const char *lesson)
{
    enum { APART = 17 };
    size_t unreachable = 0, pressed = 0;
    for (float y = APART / 2; y < hands->input.height; y += APART) {
        for (float x = APART / 2; x < hands->input.width; x += APART) {
            hands_move(hands, x, y);
            if (app_frame_facts(hands->frame).cursor != UI_CURSOR_HAND ||
                is_stop(hands, stops, x, y)) {
                continue;
            }
            pressed++;
            const char *const done = done_by_click(hands, x, y);
            if (done != NULL) {
                fprintf(stderr, "%s: Tab does not come to %.0f, %.0f, where a click %s\n", lesson,
                        (double)x, (double)y, done);
                unreachable++;
            }
        }
    }
    assert_true(pressed > 20); /* cells, words and points */
    return unreachable;
}

static void whatever_a_hand_can_press_tab_comes_to(void **state)
{
    (void)state;
    static const struct {
        const char *lesson, *stage;
        float width, height;
    } cases[] = {{"cats", "5", 1440, 900}, {"translate", "3", 960, 600}, {"ten", "3", 1440, 900}};
    size_t unreachable = 0;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c += test_stride()) {
        static struct stops stops;
        struct hands *const hands = hands_open(cases[c].lesson, cases[c].width, cases[c].height);
        hands_key(hands, cases[c].stage);
        hands_wait(hands, 1);
        find_stops(hands, &stops);
        unreachable += count_unreachable(hands, &stops, cases[c].lesson);
        hands_close(hands);
    }
    assert_int_equal(unreachable, 0);
}

/* Tab until the ring stands around the 3-D view, whose tip then names its keys. */
static void go_to_space(struct hands *hands)
{
    for (size_t i = 0; i < WALK_MAX; i++) {
        hands_key(hands, "Tab");
        hands_wait(hands, 0.7);
        if (hands_count_part(hands, "Arrows turn it") > 0) {
            return;
        }
    }
    fail_msg("Tab does not come to the 3-D view");
}

static void the_space_is_turned_moved_and_zoomed_by_keys(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "3");
    hands_wait(hands, 1);
    const struct view_camera home = hands->state->view.prefs.camera;
    const struct point cat = hands_find(hands, "score 7.25", 0);
    go_to_space(hands);
    hands_key(hands, "Right");
    hands_key(hands, "Down");
    hands_frame(hands);
    const struct view_camera turned = hands->state->view.prefs.camera;
    assert_true(turned.azimuth > home.azimuth + 5 && turned.elevation > home.elevation + 5);
    assert_int_equal(hands->state->view.playback.stage, LAB_SCORE); /* the arrows were the view's */
    const struct point now = hands_find(hands, "score 7.25", 0);
    assert_true(fabsf(now.x - cat.x) + fabsf(now.y - cat.y) > 5);
    hands_key(hands, "+");
    hands_key(hands, "Shift+Left");
    hands_frame(hands);
    assert_true(hands->state->view.prefs.camera.zoom > turned.zoom);
    assert_true(hands->state->view.prefs.camera.pan_x < turned.pan_x);
    hands_key(hands, "Home");
    hands_frame(hands);
    const struct view_camera back = hands->state->view.prefs.camera;
    assert_true(fabsf(back.azimuth - home.azimuth) + fabsf(back.zoom - home.zoom) < 0.001f);
    hands_key(hands, "Escape");
    hands_key(hands, "Right"); /* the ring is gone: the stages have their arrows again */
    assert_int_equal(hands->state->view.playback.stage, LAB_SCALE);
    hands_close(hands);
}

/* A key that leads elsewhere is not undone by a pointer that happens to lie there. */
static void a_pointer_that_lies_still_does_not_choose_what_keys_left(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "3");
    hands_wait(hands, 1);
    const struct point nyc = hands_find(hands, "30.00", 0);
    hands_move(hands, nyc.x, nyc.y);
    hands_frame(hands);
    hands_expect(hands, "score( NYC → NYC ) = q(NYC) · k(NYC)");
    hands_key(hands, "Up"); /* from dog, whom the lesson chose, to cat */
    hands_frame(hands);
    hands_expect(hands, "score( cat → cat ) = q(cat) · k(cat)");
    hands_wait(hands, 2);
    hands_expect(hands, "score( cat → cat ) = q(cat) · k(cat)");
    hands_move(hands, nyc.x + 6, nyc.y);
    hands_frame(hands);
    hands_expect(hands, "score( NYC → NYC ) = q(NYC) · k(NYC)");
    hands_close(hands);
}

/* Without a model there is nothing behind the stages: the stage stays, and it is said where it
 * would be. */
static void a_key_for_what_is_not_there_says_where_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *key, *said;
    } cases[] = {
        {"8", "Block is shown in a model: Ctrl+O opens one, Ctrl+Space learns one."},
        {"9", "Loss is shown while weights learn: Ctrl+Space begins."},
    };
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "3");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hands_key(hands, cases[i].key);
        hands_expect(hands, cases[i].said);
        assert_int_equal(hands->state->view.playback.stage, LAB_SCORE);
        assert_int_equal(hands->state->view.extra_stage, VIEW_EXTRA_STAGE_NONE);
    }
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_a_hand_can_press_tab_comes_to),
        cmocka_unit_test(tab_comes_around_and_is_seen_everywhere),
        cmocka_unit_test(the_space_is_turned_moved_and_zoomed_by_keys),
        cmocka_unit_test(a_pointer_that_lies_still_does_not_choose_what_keys_left),
        cmocka_unit_test(a_key_for_what_is_not_there_says_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

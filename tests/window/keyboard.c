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

#include "hands.h"
#include "ui/theme.h"

enum { RINGS_MAX = 64, CLIPS_MAX = 64, WALK_MAX = 400, STOPS_LEAST = 20 };

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

static bool same(struct rect a, struct rect b)
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
            known = known || same(now->area[i], before->area[j]);
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
static size_t walk(const char *lesson, const char *stage, float width, float height, size_t *stops)
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
        if (*stops > 0 && same(now.area[ring], first)) {
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
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t stops = 0;
        hidden += walk(cases[i].lesson, cases[i].stage, cases[i].width, cases[i].height, &stops);
        assert_true(stops > STOPS_LEAST || cases[i].width < 900);
        assert_true(stops < WALK_MAX);
    }
    assert_int_equal(hidden, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tab_comes_around_and_is_seen_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

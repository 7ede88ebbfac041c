/* Everything that is written can be read: the contrast of every text on the screen with what lies
 * under it is at least 4.5 to 1, in every theme, whatever is shown. */
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

enum { CLIPS_MAX = 64, TOLD_MAX = 40 };

static const float enough = 4.5f;

/* The ground at a point, under everything that is drawn from `until` on. */
struct under {
    float x, y;
    struct colour colour;
};

static bool inside_path(const struct point *corner, size_t count, float x, float y)
{
    bool inside = false;
    for (size_t i = 0, j = count - 1; i < count; j = i++) {
        if ((corner[i].y > y) != (corner[j].y > y) &&
            x < (corner[j].x - corner[i].x) * (y - corner[i].y) / (corner[j].y - corner[i].y) +
                    corner[i].x) {
            inside = !inside;
        }
    }
    return inside;
}

static void lay_fill(struct under *under, struct colour fill)
{
    const struct colour solid = {fill.red, fill.green, fill.blue, 255};
    under->colour = colour_mix(under->colour, solid, (float)fill.alpha / 255);
    under->colour.alpha = 255;
}

static void lay_command(struct under *under, const struct canvas *canvas,
                        const struct canvas_command *command)
{
    const struct rect area = command->rect;
    if (command->kind == CANVAS_RECT && rect_has(area, under->x, under->y)) {
        lay_fill(under, command->paint.fill);
    } else if (command->kind == CANVAS_PATH && command->closed &&
               inside_path(canvas_points_of(canvas, command), command->length, under->x,
                           under->y)) {
        lay_fill(under, command->paint.fill);
    } else if (command->kind == CANVAS_IMAGE && rect_has(area, under->x, under->y)) {
        const uint32_t column = (uint32_t)((under->x - area.x) / area.w * (float)command->columns);
        const uint32_t row = (uint32_t)((under->y - area.y) / area.h * (float)command->rows);
        lay_fill(under, canvas_pixels_of(canvas, command)[row * command->columns + column]);
    }
}

/* The clips in force, one within the other. */
struct clips {
    struct rect area[CLIPS_MAX];
    size_t count;
};

static bool follow_clip(struct clips *clips, const struct canvas_command *command)
{
    if (command->kind == CANVAS_CLIP && clips->count < CLIPS_MAX) {
        clips->area[clips->count++] = command->rect;
    } else if (command->kind == CANVAS_UNCLIP && clips->count > 0) {
        clips->count--;
    } else {
        return false;
    }
    return true;
}

static bool is_shown(const struct clips *clips, float x, float y)
{
    return clips->count == 0 || rect_has(clips->area[clips->count - 1], x, y);
}

static struct colour under_at(const struct canvas *canvas, size_t until, float x, float y)
{
    struct under under = {.x = x, .y = y, .colour = {255, 255, 255, 255}};
    struct clips clips = {.count = 0};
    for (size_t i = 0; i < until; i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (!follow_clip(&clips, command) && is_shown(&clips, x, y)) {
            lay_command(&under, canvas, command);
        }
    }
    return under.colour;
}

/* Says whether something drawn later hides the point. */
static bool is_covered(const struct canvas *canvas, size_t from, float x, float y)
{
    struct clips clips = {.count = 0};
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (follow_clip(&clips, command) || i <= from || !is_shown(&clips, x, y)) {
            continue;
        }
        if (command->kind == CANVAS_RECT && rect_has(command->rect, x, y) &&
            command->paint.fill.alpha > 60) {
            return true;
        }
    }
    return false;
}

/* The contrast of a text with its ground where it is least, of three places; 21: not to be seen. */
static float contrast_of(const struct canvas *canvas, size_t index, const struct clips *clips)
{
    const struct canvas_command *const text = canvas_command_at(canvas, index);
    const float y = text->rect.y - 0.3f * text->rect.h;
    float least = 21;
    for (int i = 0; i < 3; i++) {
        const float x = text->rect.x + text->rect.w * (0.15f + 0.35f * (float)i);
        const bool on_screen =
            x >= 0 && x < canvas_width(canvas) && y >= 0 && y < canvas_height(canvas);
        if (!on_screen || !is_shown(clips, x, y) || is_covered(canvas, index, x, y)) {
            continue;
        }
        struct under under = {.colour = under_at(canvas, index, x, y)};
        const struct colour ground = under.colour;
        lay_fill(&under, text->paint.fill);
        least = fminf(least, colour_contrast(under.colour, ground));
    }
    return least;
}

/* A button that can do nothing now is drawn paler, and may be (WCAG 2.1, 1.4.3: inactive). */
static bool is_inactive(const struct hands *hands, const struct canvas *canvas,
                        const struct canvas_command *text)
{
    static const char *const labels[] = {"Undo", "Redo"};
    const bool pale =
        memcmp(&text->paint.fill, &hands->state->theme->faint, sizeof text->paint.fill) == 0;
    for (size_t i = 0; pale && i < sizeof labels / sizeof labels[0]; i++) {
        if (text->length == strlen(labels[i]) &&
            memcmp(canvas_text_of(canvas, text), labels[i], text->length) == 0) {
            return true;
        }
    }
    return false;
}

/* How many texts cannot be read; the first are printed. */
static size_t count_unreadable(struct hands *hands, const char *where, const char *theme)
{
    const struct canvas *const canvas = hands_canvas(hands);
    struct clips clips = {.count = 0};
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (follow_clip(&clips, command) || command->kind != CANVAS_TEXT || command->rect.w <= 0) {
            continue;
        }
        const float contrast = contrast_of(canvas, i, &clips);
        if (contrast < enough - 0.005f && !is_inactive(hands, canvas, command) &&
            count++ < TOLD_MAX) {
            fprintf(stderr, "%s, %s: \"%.*s\" at %.0f, %.0f has a contrast of %.2f only\n", where,
                    theme, (int)command->length, canvas_text_of(canvas, command),
                    (double)command->rect.x, (double)command->rect.y, (double)contrast);
        }
    }
    return count;
}

/* Lessons that show each kind of picture, and what is pressed there. */
static const struct scene {
    const char *lesson, *keys[3];
} scenes[] = {
    {"cats", {"1"}},           {"cats", {"2"}},      {"cats", {"3"}},      {"cats", {"4"}},
    {"cats", {"5"}},           {"cats", {"6"}},      {"cats", {"7"}},      {"cats", {"?"}},
    {"cats", {"Ctrl+K"}},      {"cats", {"Ctrl+E"}}, {"cats", {"o"}},      {"cats", {"5", "b"}},
    {"cats", {"5", "d"}},      {"ten", {"5"}},       {"ten", {"l"}},       {"ten", {"4"}},
    {"causal", {"4"}},         {"causal", {"5"}},    {"fewer", {"k"}},     {"fewer", {"Shift+K"}},
    {"translate", {"3"}},      {"flash", {"5"}},     {"causal", {"m"}},    {"race", {"F5"}},
    {"race", {"5", "Escape"}}, {"hammer", {"5"}},    {"cats", {"Ctrl+O"}}, {"latent", {"2"}},
};

static void every_text_of_a_theme_can_be_read(void **state)
{
    const char *const theme = *state;
    size_t bad = 0;
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        struct hands *const hands = hands_open(scenes[s].lesson, 1440, 900);
        app_state_set_theme(hands->state, ui_theme_find(theme));
        char where[64];
        snprintf(where, sizeof where, "%s", scenes[s].lesson);
        for (size_t k = 0; k < 3 && scenes[s].keys[k] != NULL; k++) {
            hands_key(hands, scenes[s].keys[k]);
            snprintf(where + strlen(where), sizeof where - strlen(where), " %s", scenes[s].keys[k]);
        }
        hands_wait(hands, 1);
        hands_frame(hands);
        bad += count_unreadable(hands, where, theme);
        hands_close(hands);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_text_of_a_theme_can_be_read, "light"),
        cmocka_unit_test_prestate(every_text_of_a_theme_can_be_read, "dark"),
        cmocka_unit_test_prestate(every_text_of_a_theme_can_be_read, "grey"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

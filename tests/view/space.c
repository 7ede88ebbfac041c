/* The 3-D view, read from its list of drawing commands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lab/experiment/edits.h"
#include "sight.h"

static void a_link_is_as_thick_as_its_weight(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight.state.playback.stage = LAB_SOFTMAX;
    sight_draw(&sight);
    /* The weights of dog rise in this order: 0.028, 0.101, 0.394. */
    static const char *const links[] = {"dog → lion in space", "dog → NYC in space",
                                        "dog → cat in space"};
    float before = 0;
    for (size_t i = 0; i < 3; i++) {
        const struct canvas_command *link = sight_first(&sight, links[i], 0, CANVAS_PATH);
        const struct canvas_command *ring = sight_first(&sight, links[i], 0, CANVAS_RECT);
        assert_true(link != NULL || ring != NULL);
        const float width = link != NULL ? link->paint.width : ring->paint.width;
        assert_true(width > before + 0.5f);
        before = width;
    }
    sight_close(&sight);
}

/* How far a point is outside a polygon that runs either way round; ≤ 0: inside. */
static float outside(const struct point *corner, size_t count, float x, float y)
{
    float most_left = -INFINITY, most_right = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct point a = corner[i], b = corner[(i + 1) % count];
        const float length = fmaxf(hypotf(b.x - a.x, b.y - a.y), 1e-6f);
        const float side = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / length;
        most_left = fmaxf(most_left, side);
        most_right = fmaxf(most_right, -side);
    }
    return fminf(most_left, most_right);
}

static void look_at_hull(const struct sight *sight)
{
    const struct canvas_command *hull = sight_first(sight, "hull of the values", 0, CANVAS_PATH);
    const struct canvas_command *z = sight_first(sight, "z(dog) in space", 0, CANVAS_RECT);
    assert_non_null(hull);
    assert_non_null(z);
    assert_true(hull->closed && hull->length >= 3);
    assert_true(outside(canvas_points_of(sight->canvas, hull), hull->length,
                        z->rect.x + z->rect.w / 2, z->rect.y + z->rect.h / 2) < 0.05f);
}

static void the_blend_lies_inside_the_hull_of_the_values(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight.state.playback.stage = LAB_BLEND;
    sight_from_everywhere(&sight, look_at_hull);
    sight_close(&sight);
}

static void look_at_edges(const struct sight *sight)
{
    const struct rect area = sight->area;
    for (size_t i = 0; i < canvas_count(sight->canvas); i++) {
        const struct canvas_command *command = canvas_command_at(sight->canvas, i);
        const struct point *point = canvas_points_of(sight->canvas, command);
        for (size_t p = 0; command->kind == CANVAS_PATH && p < command->length; p++) {
            assert_true(point[p].x >= area.x && point[p].x <= area.x + area.w);
            assert_true(point[p].y >= area.y && point[p].y <= area.y + area.h);
        }
        if (command->kind == CANVAS_RECT) {
            assert_true(command->rect.x >= area.x - 0.01f && command->rect.y >= area.y - 0.01f);
            assert_true(command->rect.x + command->rect.w <= area.x + area.w + 0.01f);
            assert_true(command->rect.y + command->rect.h <= area.y + area.h + 0.01f);
        }
    }
}

static void nothing_leaves_the_panel_while_it_turns(void **unused)
{
    (void)unused;
    for (size_t kind = 0; kind < 3; kind++) {
        struct sight sight;
        if (kind < 2) {
            sight_open(&sight, kind == 0 ? SIGHT_TOY : SIGHT_RANDOM, NULL, 10);
        } else {
            sight_open_race(&sight, 1);
        }
        for (int stage = LAB_EMBED; stage < LAB_STAGES; stage++) {
            sight.state.playback.stage = (enum lab_stage)stage;
            sight_from_everywhere(&sight, look_at_edges);
        }
        sight_close(&sight);
    }
}

static void dragging_turns_and_a_click_does_not(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight_move(&sight, 400, 110);
    sight_press(&sight, UI_LEFT_BUTTON, 1);
    assert_null(sight_action(&sight, VIEW_ACTION_CAMERA));
    sight_move(&sight, 440, 120);
    const struct view_action *action = sight_action(&sight, VIEW_ACTION_CAMERA);
    assert_non_null(action);
    assert_true(action->camera.azimuth > sight.state.prefs.camera.azimuth + 5);
    assert_true(action->camera.elevation > sight.state.prefs.camera.elevation + 2);
    sight_draw(&sight);
    assert_null(sight_action(&sight, VIEW_ACTION_CAMERA)); /* the hand rests */
    sight_release(&sight, UI_LEFT_BUTTON);
    assert_null(sight_action(&sight, VIEW_ACTION_CAMERA));
    assert_null(sight_action(&sight, VIEW_ACTION_SELECT));
    sight_close(&sight);
}

static void a_turn_shows_the_points_elsewhere(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    float x[4], y[4];
    sight.state.prefs.camera.azimuth = 0;
    sight.state.prefs.camera.elevation = 0;
    sight_draw(&sight);
    sight_middle(&sight, "cat in space", &x[0], &y[0]);
    sight_middle(&sight, "lion in space", &x[1], &y[1]);
    sight.state.prefs.camera.elevation = 89;
    sight_draw(&sight);
    sight_middle(&sight, "cat in space", &x[2], &y[2]);
    sight_middle(&sight, "lion in space", &x[3], &y[3]);
    assert_true(y[1] < y[0] - 100);                      /* the lion stands high … */
    assert_true(fabsf(y[3] - y[2]) < (y[0] - y[1]) / 2); /* … which cannot be seen from above */
    sight_close(&sight);
}

static void shift_or_the_right_button_moves(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    for (size_t way = 0; way < 2; way++) {
        const unsigned button = way == 0 ? UI_LEFT_BUTTON : UI_RIGHT_BUTTON;
        sight.input.mods = way == 0 ? UI_SHIFT : 0;
        sight_move(&sight, 400, 110);
        sight_press(&sight, button, 1);
        sight_move(&sight, 430, 90);
        const struct view_action *action = sight_action(&sight, VIEW_ACTION_CAMERA);
        assert_non_null(action);
        assert_float_equal(action->camera.pan_x, 30, 0.01);
        assert_float_equal(action->camera.pan_y, -20, 0.01);
        assert_float_equal(action->camera.azimuth, sight.state.prefs.camera.azimuth, 0.01);
        sight_release(&sight, button);
    }
    sight_close(&sight);
}

static void the_wheel_zooms_and_a_double_click_goes_home(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight_move(&sight, 254, 250);
    sight.input.wheel_y = 2;
    sight_draw(&sight);
    assert_non_null(sight_action(&sight, VIEW_ACTION_CAMERA));
    sight.state.prefs.camera = sight_action(&sight, VIEW_ACTION_CAMERA)->camera;
    assert_true(sight.state.prefs.camera.zoom > 1.1f);
    sight.state.prefs.camera.azimuth = 200;
    sight_move(&sight, 400, 110);
    sight_press(&sight, UI_LEFT_BUTTON, 2);
    const struct view_action *action = sight_action(&sight, VIEW_ACTION_CAMERA);
    assert_non_null(action);
    const struct view_camera home = view_camera_home();
    assert_memory_equal(&action->camera, &home, sizeof home);
    sight_close(&sight);
}

static void pointing_at_a_point_previews_and_a_click_pins_it(void **unused)
{
    (void)unused;
    static const struct {
        enum lab_stage stage;
        unsigned parts;
    } rows[] = {{LAB_EMBED, VIEW_QUERY},
                {LAB_SCORE, VIEW_KEY},
                {LAB_SOFTMAX, VIEW_KEY},
                {LAB_BLEND, VIEW_KEY},
                {LAB_OUTPUT, VIEW_QUERY}};
    struct sight sight;
    sight_open_cats(&sight);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float x, y;
        sight.state.playback.stage = rows[i].stage;
        sight_draw(&sight);
        sight_middle(&sight, "lion in space", &x, &y);
        sight_move(&sight, x, y);
        const struct view_action *hover = sight_action(&sight, VIEW_ACTION_HOVER);
        assert_non_null(hover);
        assert_int_equal(hover->select.parts, rows[i].parts);
        assert_int_equal(rows[i].parts == VIEW_KEY ? hover->select.to.key : hover->select.to.query,
                         2);
        sight_press(&sight, UI_LEFT_BUTTON, 1);
        sight_release(&sight, UI_LEFT_BUTTON);
        const struct view_action *pin = sight_action(&sight, VIEW_ACTION_SELECT);
        assert_non_null(pin);
        assert_int_equal(pin->select.parts, rows[i].parts);
        sight_move(&sight, sight.area.x + 30, sight.area.y + 60);
        assert_null(sight_action(&sight, VIEW_ACTION_HOVER));
    }
    sight_close(&sight);
}

static void what_the_mask_hides_is_hollow(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight.experiment.mask = LAB_MASK_CAUSAL;
    sight_run(&sight);
    sight_draw(&sight);
    assert_int_equal(sight_first(&sight, "lion in space", 0, CANVAS_RECT)->paint.fill.alpha, 255);
    sight.state.playback.stage = LAB_SCALE;
    sight_draw(&sight);
    assert_int_equal(sight_first(&sight, "lion in space", 0, CANVAS_RECT)->paint.fill.alpha, 0);
    struct rect area;
    assert_true(canvas_find_text(sight.canvas, "hidden −∞", 1, &area)); /* lion and NYC */
    assert_false(canvas_find_text(sight.canvas, "hidden −∞", 2, &area));
    sight_close(&sight);
}

static void projecting_carries_the_points_from_x_to_q(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight.experiment.weights = LAB_WEIGHTS_RANDOM;
    sight_run(&sight);
    sight.state.playback.stage = LAB_PROJECT;
    float x[3], y[3];
    for (size_t i = 0; i < 3; i++) {
        sight.state.playback.position = 0.5f * (float)i;
        sight_draw(&sight);
        sight_middle(&sight, "lion in space", &x[i], &y[i]);
    }
    assert_true(hypotf(x[2] - x[0], y[2] - y[0]) > 20);
    assert_true(hypotf(x[1] - x[0], y[1] - y[0]) < hypotf(x[2] - x[0], y[2] - y[0]));
    sight_close(&sight);
}

static void rotary_positions_turn_the_queries_and_the_first_word_stays(void **unused)
{
    (void)unused;
    struct sight sight;
    struct rect area;
    sight_open_cats(&sight);
    sight.experiment.positions = LAB_POSITIONS_ROPE;
    sight_run(&sight);
    sight.state.playback.stage = LAB_PROJECT;
    static const char *const points[] = {"cat in space", "NYC in space"};
    float x[2][3], y[2][3];
    for (size_t i = 0; i < 3; i++) {
        sight.state.playback.position = 0.5f * (float)i;
        sight_draw(&sight);
        for (size_t w = 0; w < 2; w++) {
            sight_middle(&sight, points[w], &x[w][i], &y[w][i]);
        }
    }
    assert_true(canvas_find_text(sight.canvas, "— queries turn with their place", 0, &area));
    const float last = hypotf(x[1][2] - x[1][0], y[1][2] - y[1][0]);
    assert_true(last > 20 && last > 3 * hypotf(x[0][2] - x[0][0], y[0][2] - y[0][0]));
    sight.view.selection.projected = LAB_V;
    sight.state.pinned.projected = LAB_V;
    sight_draw(&sight);
    assert_false(canvas_find_text(sight.canvas, "— queries turn with their place", 0, &area));
    sight_close(&sight);
}

static void given_queries_and_keys_are_shown_without_an_embedding(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_race(&sight, 1);
    struct rect area;
    sight.state.playback.stage = LAB_EMBED;
    sight_draw(&sight);
    assert_true(canvas_find_text(sight.canvas, "q(who)", 0, &area));
    assert_true(canvas_find_text(sight.canvas, "k(Carol)", 0, &area));
    sight.state.playback.stage = LAB_OUTPUT;
    sight_draw(&sight);
    assert_true(canvas_find_text(sight.canvas, "z(won)", 0, &area));
    sight_close(&sight);
}

static void values_on_a_line_stay_on_a_level_line(void **unused)
{
    (void)unused;
    struct sight sight;
    float x[3], y[3];
    sight_open_race(&sight, 1);
    sight.state.playback.stage = LAB_BLEND;
    sight_draw(&sight);
    sight_middle(&sight, "Alice in space", &x[0], &y[0]);
    sight_middle(&sight, "Carol in space", &x[1], &y[1]);
    sight_middle(&sight, "Bob in space", &x[2], &y[2]);
    assert_float_equal(y[0], y[1], 0.5);
    assert_float_equal(y[1], y[2], 0.5);
    assert_float_equal(x[1] - x[0], x[2] - x[1], 1); /* 1, 2, 3 */
    assert_true(x[1] > x[0] + 20);
    sight_close(&sight);
}

static void look_for_numbers(const struct sight *sight)
{
    for (size_t i = 0; i < canvas_count(sight->canvas); i++) {
        const struct canvas_command *command = canvas_command_at(sight->canvas, i);
        const struct point *point = canvas_points_of(sight->canvas, command);
        assert_true(
            isfinite(command->rect.x + command->rect.y + command->rect.w + command->rect.h));
        for (size_t p = 0; command->kind == CANVAS_PATH && p < command->length; p++) {
            assert_true(isfinite(point[p].x + point[p].y));
        }
    }
}

static void huge_and_tiny_numbers_are_drawn_as_places(void **unused)
{
    (void)unused;
    static const float factors[] = {1e38f, 1e-30f, 0};
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        struct sight sight;
        sight_open_race(&sight, factors[f]);
        for (int stage = LAB_EMBED; stage < LAB_STAGES; stage++) {
            sight.state.playback.stage = (enum lab_stage)stage;
            sight_from_everywhere(&sight, look_for_numbers);
        }
        sight_close(&sight);
    }
}

static void a_camera_from_anywhere_is_brought_to_reason(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight.state.prefs.camera = (struct view_camera){NAN, INFINITY, -3, NAN, 1e30f};
    sight_draw(&sight);
    look_for_numbers(&sight);
    sight_close(&sight);
}

static void no_area_is_too_small(void **unused)
{
    (void)unused;
    static const float sizes[] = {0, 1, 17, 60, 140};
    struct sight sight;
    sight_open(&sight, SIGHT_RANDOM, NULL, 10);
    for (size_t i = 0; i < 25; i++) {
        sight.area = (struct rect){4, 4, sizes[i % 5], sizes[i / 5]};
        for (int stage = LAB_EMBED; stage < LAB_STAGES; stage++) {
            sight.state.playback.stage = (enum lab_stage)stage;
            sight_draw(&sight);
            look_for_numbers(&sight);
        }
    }
    sight_close(&sight);
}

static void without_tokens_it_says_so_calmly(void **unused)
{
    (void)unused;
    struct sight sight;
    struct rect area;
    sight_open_cats(&sight);
    sight.view.trace = NULL;
    sight_draw(&sight);
    assert_true(canvas_find_text(sight.canvas, "Nothing to see yet", 0, &area));
    assert_true(canvas_find_group(sight.canvas, "3-D view", 0, &area));
    sight_close(&sight);
}

static void letting_go_shows_every_query_and_no_arrow(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight_draw(&sight);
    assert_non_null(sight_first(&sight, "arrow of q(dog) in space", 0, CANVAS_PATH));
    sight.view.emphasis = false;
    sight_draw(&sight);
    assert_null(sight_first(&sight, "arrow of q(dog) in space", 0, CANVAS_PATH));
    assert_non_null(
        sight_first(&sight, "lion in space", 1, CANVAS_RECT)); /* its key and its query */
    sight_close(&sight);
}

static void many_dimensions_are_named_as_components(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open(&sight, SIGHT_RANDOM, NULL, 10);
    sight.state.playback.stage = LAB_EMBED;
    sight_draw(&sight);
    bool found = false;
    for (size_t i = 0; i < canvas_count(sight.canvas); i++) {
        const struct canvas_command *command = canvas_command_at(sight.canvas, i);
        found = found || (command->kind == CANVAS_TEXT && command->length > 6 &&
                          memcmp(canvas_text_of(sight.canvas, command), "PC 1 (", 6) == 0);
    }
    assert_true(found);
    sight_close(&sight);
}

static void however_far_one_zooms_there_is_a_way_back(void **unused)
{
    (void)unused;
    struct sight sight;
    struct rect area, word[SIGHT_FOUND_MAX];
    sight_open_cats(&sight);
    sight.state.playback.stage = LAB_EMBED;
    sight_move(&sight, sight.area.x + 30, sight.area.y + 60);
    for (size_t click = 0; click < 60; click++) {
        sight.input.wheel_y = 1;
        sight_draw(&sight);
        sight.state.prefs.camera = sight_action(&sight, VIEW_ACTION_CAMERA)->camera;
    }
    assert_float_equal(sight.state.prefs.camera.zoom, 12, 0.01);
    sight_draw(&sight);
    assert_int_equal(sight_words(&sight, word), 0); /* no word of what cannot be seen */
    assert_true(
        canvas_find_text(sight.canvas, "Nothing is in sight. Double click to see all.", 0, &area));
    for (size_t click = 0; click < 80; click++) {
        sight.input.wheel_y = -1;
        sight_draw(&sight);
        sight.state.prefs.camera = sight_action(&sight, VIEW_ACTION_CAMERA)->camera;
    }
    assert_float_equal(sight.state.prefs.camera.zoom, 0.3f, 0.01);
    sight_close(&sight);
}

static void the_hull_is_of_the_values_that_the_query_sees(void **unused)
{
    (void)unused;
    struct sight sight;
    float x, y;
    sight_open_cats(&sight);
    sight.experiment.mask = LAB_MASK_CAUSAL;
    sight_run(&sight);
    sight.state.playback.stage = LAB_BLEND;
    sight.view.selection.query = 2; /* lion sees cat, dog, lion, and not NYC */
    sight_draw(&sight);
    const struct canvas_command *hull = sight_first(&sight, "hull of the values", 0, CANVAS_PATH);
    assert_non_null(hull);
    assert_int_equal(hull->length, 3);
    sight_middle(&sight, "NYC in space", &x, &y);
    assert_true(outside(canvas_points_of(sight.canvas, hull), hull->length, x, y) > 10);
    sight_middle(&sight, "lion in space", &x, &y);
    assert_true(outside(canvas_points_of(sight.canvas, hull), hull->length, x, y) < 1);
    sight_close(&sight);
}

static void a_query_longer_than_every_key_is_in_sight(void **unused)
{
    (void)unused;
    struct sight sight;
    struct error error = {0};
    float x, y;
    sight_open_race(&sight, 1);
    static const float q[4] = {4, 0.5f, -0.3f, 4};
    static const size_t shape[3] = {1, 2, 2};
    lab_numbers_release(sight.experiment.q);
    sight.experiment.q = lab_numbers_make(q, 3, shape, &error);
    sight_run(&sight);
    sight.state.playback.stage = LAB_SOFTMAX;
    for (size_t query = 0; query < 2; query++) {
        sight.view.selection.query = query;
        sight_draw(&sight);
        sight_middle(&sight, query == 0 ? "q(who) in space" : "q(won) in space", &x, &y);
        assert_true(rect_has(sight.area, x, y));
    }
    sight_close(&sight);
}

static void look_at_size(const struct sight *sight)
{
    /* Below the headline, above the legend, inside the margins of words. */
    const struct rect room = {sight->area.x + 42, sight->area.y + 58, sight->area.w - 84,
                              sight->area.h - 106};
    float left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (size_t i = 0; i < canvas_count(sight->canvas); i++) {
        const struct canvas_command *command = canvas_command_at(sight->canvas, i);
        const struct point *point = canvas_points_of(sight->canvas, command);
        const bool scene = command->kind == CANVAS_PATH && command->length == 2;
        for (size_t p = 0; scene && p < command->length; p++) {
            left = fminf(left, point[p].x);
            right = fmaxf(right, point[p].x);
            top = fminf(top, point[p].y);
            bottom = fmaxf(bottom, point[p].y);
        }
    }
    assert_true(fmaxf((right - left) / room.w, (bottom - top) / room.h) > 0.75f);
    assert_true(fabsf((top + bottom) / 2 - (room.y + room.h / 2)) < room.h / 10);
    assert_true(fabsf((left + right) / 2 - (room.x + room.w / 2)) < room.w / 10);
}

static void the_scene_fills_its_panel_from_every_angle(void **unused)
{
    (void)unused;
    static const char *const words[] = {"the", "cat", "saw", "a", "dog", "and", "lion"};
    static const float sizes[][2] = {{492, 470}, {700, 260}, {280, 500}};
    struct sight sight;
    sight_open(&sight, SIGHT_TOY, words, 7);
    sight.state.playback.stage = LAB_EMBED;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sight.area = (struct rect){8, 8, sizes[i][0], sizes[i][1]};
        sight_from_everywhere(&sight, look_at_size);
    }
    sight_close(&sight);
}

static void a_query_on_its_key_is_a_ring_around_a_disc(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    sight.view.emphasis = false;
    sight_draw(&sight);
    const struct canvas_command *one = sight_first(&sight, "lion in space", 0, CANVAS_RECT);
    const struct canvas_command *two = sight_first(&sight, "lion in space", 1, CANVAS_RECT);
    assert_non_null(one);
    assert_non_null(two);
    const struct canvas_command *ring = one->paint.fill.alpha == 0 ? one : two;
    const struct canvas_command *disc = ring == one ? two : one;
    assert_int_equal(ring->paint.fill.alpha, 0);
    assert_true(disc->paint.fill.alpha == 255);
    assert_true(ring->rect.w > disc->rect.w + 4);
    sight_close(&sight);
}

/* The smallest distance between two of the four words' points. */
static float closest(const struct sight *sight)
{
    static const char *const names[] = {"cat in space", "dog in space", "lion in space",
                                        "NYC in space"};
    float x[4], y[4], least = INFINITY;
    for (size_t i = 0; i < 4; i++) {
        sight_middle(sight, names[i], &x[i], &y[i]);
        for (size_t j = 0; j < i; j++) {
            least = fminf(least, hypotf(x[i] - x[j], y[i] - y[j]));
        }
    }
    return least;
}

/* The camera that nobody turned looks for an angle; a turned one stays where it is. */
static void the_first_angle_keeps_the_points_apart(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    const struct view_camera home = view_camera_home();
    for (int stage = LAB_EMBED; stage <= LAB_SCORE; stage++) {
        sight.state.playback.stage = (enum lab_stage)stage;
        sight.state.prefs.camera = home;
        sight_draw(&sight);
        const float first = closest(&sight);
        sight.state.prefs.camera.azimuth += 0.01f;
        sight_draw(&sight);
        assert_true(first >= 1.3f * closest(&sight) || first >= 24);
        assert_true(first > 15);
    }
    sight_close(&sight);
}

/* Weights typed by hand may add up to more than 1: z leaves the hull, not the picture. */
static void z_stays_in_the_picture_whatever_the_weights(void **unused)
{
    (void)unused;
    struct sight sight;
    sight_open_cats(&sight);
    const struct lab_edit more = {.part = LAB_ALPHA, .row = 1, .column = 2, .value = 6};
    sight.experiment.edits = lab_edits_with(NULL, &more, NULL);
    assert_non_null(sight.experiment.edits);
    sight_run(&sight);
    sight.state.playback.stage = LAB_BLEND;
    sight.state.pinned = sight.view.selection = (struct lab_selection){.query = 1};
    sight_draw(&sight);
    float x = 0, y = 0;
    sight_middle(&sight, "z(dog) in space", &x, &y);
    assert_true(rect_has(rect_inset(sight.area, 8), x, y));
    sight_close(&sight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_angle_keeps_the_points_apart),
        cmocka_unit_test(z_stays_in_the_picture_whatever_the_weights),
        cmocka_unit_test(a_link_is_as_thick_as_its_weight),
        cmocka_unit_test(the_blend_lies_inside_the_hull_of_the_values),
        cmocka_unit_test(nothing_leaves_the_panel_while_it_turns),
        cmocka_unit_test(dragging_turns_and_a_click_does_not),
        cmocka_unit_test(a_turn_shows_the_points_elsewhere),
        cmocka_unit_test(shift_or_the_right_button_moves),
        cmocka_unit_test(the_wheel_zooms_and_a_double_click_goes_home),
        cmocka_unit_test(pointing_at_a_point_previews_and_a_click_pins_it),
        cmocka_unit_test(what_the_mask_hides_is_hollow),
        cmocka_unit_test(projecting_carries_the_points_from_x_to_q),
        cmocka_unit_test(rotary_positions_turn_the_queries_and_the_first_word_stays),
        cmocka_unit_test(given_queries_and_keys_are_shown_without_an_embedding),
        cmocka_unit_test(values_on_a_line_stay_on_a_level_line),
        cmocka_unit_test(huge_and_tiny_numbers_are_drawn_as_places),
        cmocka_unit_test(a_camera_from_anywhere_is_brought_to_reason),
        cmocka_unit_test(no_area_is_too_small),
        cmocka_unit_test(without_tokens_it_says_so_calmly),
        cmocka_unit_test(letting_go_shows_every_query_and_no_arrow),
        cmocka_unit_test(many_dimensions_are_named_as_components),
        cmocka_unit_test(however_far_one_zooms_there_is_a_way_back),
        cmocka_unit_test(the_hull_is_of_the_values_that_the_query_sees),
        cmocka_unit_test(a_query_longer_than_every_key_is_in_sight),
        cmocka_unit_test(the_scene_fills_its_panel_from_every_angle),
        cmocka_unit_test(a_query_on_its_key_is_a_ring_around_a_disc),
    };
    return cmocka_run_group_tests_name("the 3-D view", tests, NULL, NULL);
}

/* Points that follow the hand: what becomes of their numbers, in the whole program without a
 * window. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/draw/frame.h"
#include "lab/experiment/edits.h"

struct desk {
    struct fonts *fonts;
    struct app_state state;
    struct app_frame *frame;
    struct ui_input input;
};

static void run(struct desk *desk)
{
    desk->input.time += 0.05;
    app_step(desk->frame, &desk->state, &(struct app_input){.ui = desk->input});
    desk->input.pressed = desk->input.released = 0;
    desk->input.strokes = 0;
}

static void open_desk(struct desk *desk, const char *lesson, enum lab_stage stage)
{
    struct error error = {0};
    memset(desk, 0, sizeof *desk);
    desk->fonts = fonts_open(&error);
    assert_non_null(desk->fonts);
    assert_true(app_state_open(&desk->state, lesson, NULL, &error));
    desk->frame = app_frame_open(desk->fonts, &error);
    assert_non_null(desk->frame);
    desk->input = (struct ui_input){
        .width = 1440, .height = 900, .scale = 1, .inside = true, .reduce_motion = true};
    app_state_go(&desk->state, stage, 0);
    desk->state.view.playback.position = 1;
    desk->state.view.playback.glide = 1;
    run(desk);
}

static void close_desk(struct desk *desk)
{
    app_frame_close(desk->frame);
    app_state_close(&desk->state);
    fonts_close(desk->fonts);
}

static struct point middle(struct desk *desk, const char *label)
{
    struct rect area;
    if (!canvas_find_group(app_frame_canvas(desk->frame), label, 0, &area)) {
        fail_msg("“%s” is not on screen", label);
    }
    return (struct point){area.x + area.w / 2, area.y + area.h / 2};
}

static void move(struct desk *desk, float x, float y)
{
    desk->input.x = x;
    desk->input.y = y;
    run(desk);
}

static void press(struct desk *desk)
{
    desk->input.down = desk->input.pressed = UI_LEFT_BUTTON;
    desk->input.clicks = 1;
    run(desk);
}

static void let_go(struct desk *desk)
{
    desk->input.down = 0;
    desk->input.released = UI_LEFT_BUTTON;
    run(desk);
}

static void strike(struct desk *desk, uint32_t key)
{
    desk->input.stroke[0] = (struct ui_stroke){.key = key};
    desk->input.strokes = 1;
    run(desk);
}

static float number(const struct desk *desk, enum lab_part part, size_t row, size_t column)
{
    const struct lab_matrix matrix = lab_trace_part(desk->state.document.trace, part, 0);
    return lab_matrix_at(&matrix, row, column);
}

static void take_over(const struct desk *desk, enum lab_part part, size_t row, float to[3])
{
    for (size_t c = 0; c < 3; c++) {
        to[c] = number(desk, part, row, c);
    }
}

static bool in_hundredths(float value)
{
    return fabs((double)value * 100 - round((double)value * 100)) < 1e-3;
}

static void a_dragged_word_takes_its_numbers_along(void **unused)
{
    (void)unused;
    struct desk desk;
    float before[3], after[3];
    open_desk(&desk, "cats", LAB_EMBED);
    take_over(&desk, LAB_EMBEDDINGS_X, 2, before);
    const float score = number(&desk, LAB_SCORES, 2, 2);
    const size_t past = desk.state.document.at;
    const struct point from = middle(&desk, "lion in space");
    move(&desk, from.x, from.y);
    press(&desk);
    move(&desk, from.x + 20, from.y + 30);
    move(&desk, from.x + 40, from.y + 60);
    const struct point now = middle(&desk, "lion in space");
    assert_float_equal(now.x, from.x + 40, 1.5);
    assert_float_equal(now.y, from.y + 60, 1.5);
    let_go(&desk);
    take_over(&desk, LAB_EMBEDDINGS_X, 2, after);
    assert_true(after[1] < before[1] - 0.3f); /* down is less animal */
    assert_true(in_hundredths(after[0]) && in_hundredths(after[1]) && in_hundredths(after[2]));
    assert_true(fabsf(number(&desk, LAB_SCORES, 2, 2) - score) > 0.5f);
    assert_int_equal(desk.state.document.at, past + 1);
    document_undo(&desk.state.document, 0);
    take_over(&desk, LAB_EMBEDDINGS_X, 2, after);
    assert_memory_equal(before, after, sizeof before);
    close_desk(&desk);
}

static void a_pressed_letter_keeps_it_on_an_axis(void **unused)
{
    (void)unused;
    struct desk desk;
    float before[3], after[3];
    open_desk(&desk, "cats", LAB_EMBED);
    take_over(&desk, LAB_EMBEDDINGS_X, 2, before);
    const struct point from = middle(&desk, "lion in space");
    move(&desk, from.x, from.y);
    press(&desk);
    strike(&desk, 'y');
    move(&desk, from.x + 30, from.y + 80);
    let_go(&desk);
    take_over(&desk, LAB_EMBEDDINGS_X, 2, after);
    assert_true(after[1] < before[1] - 0.5f);
    assert_float_equal(after[0], before[0], 0);
    assert_float_equal(after[2], before[2], 0);
    close_desk(&desk);
}

static void escape_takes_a_drag_back(void **unused)
{
    (void)unused;
    struct desk desk;
    float before[3], after[3];
    open_desk(&desk, "cats", LAB_EMBED);
    take_over(&desk, LAB_EMBEDDINGS_X, 2, before);
    const struct point from = middle(&desk, "lion in space");
    move(&desk, from.x, from.y);
    press(&desk);
    move(&desk, from.x + 40, from.y + 60);
    strike(&desk, UI_KEY_ESCAPE);
    move(&desk, from.x + 60, from.y + 90);
    let_go(&desk);
    take_over(&desk, LAB_EMBEDDINGS_X, 2, after);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(lab_edits_count(desk.state.document.experiment.edits), 0);
    close_desk(&desk);
}

static void each_stage_moves_its_own(void **unused)
{
    (void)unused;
    static const struct {
        enum lab_stage stage;
        const char *point;
        enum lab_part part;
    } rows[] = {{LAB_EMBED, "NYC in space", LAB_EMBEDDINGS_X},
                {LAB_PROJECT, "NYC in space", LAB_Q},
                {LAB_SCORE, "NYC in space", LAB_K},
                {LAB_BLEND, "NYC in space", LAB_V}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct desk desk;
        open_desk(&desk, "cats", rows[i].stage);
        const struct point from = middle(&desk, rows[i].point);
        move(&desk, from.x, from.y);
        press(&desk);
        move(&desk, from.x + 30, from.y + 10);
        let_go(&desk);
        assert_true(lab_edits_count(desk.state.document.experiment.edits) > 0);
        for (size_t e = 0; e < lab_edits_count(desk.state.document.experiment.edits); e++) {
            const struct lab_edit edit = lab_edits_at(desk.state.document.experiment.edits, e);
            assert_int_equal(edit.part, rows[i].part);
            assert_int_equal(edit.row, 3);
        }
        close_desk(&desk);
    }
}

static void a_click_on_a_point_moves_nothing(void **unused)
{
    (void)unused;
    struct desk desk;
    open_desk(&desk, "cats", LAB_SCORE);
    const struct point from = middle(&desk, "lion in space");
    move(&desk, from.x, from.y);
    press(&desk);
    move(&desk, from.x + 1, from.y + 1);
    let_go(&desk);
    assert_int_equal(lab_edits_count(desk.state.document.experiment.edits), 0);
    assert_int_equal(desk.state.view.pinned.key, 2);
    close_desk(&desk);
}

static void click(struct desk *desk, struct point at)
{
    move(desk, at.x, at.y);
    press(desk);
    let_go(desk);
}

static void dimensions_can_be_chosen_and_then_points_move(void **unused)
{
    (void)unused;
    struct desk desk;
    struct rect area;
    open_desk(&desk, "ten", LAB_EMBED);
    const char *word = lab_trace_queries(desk.state.document.trace)[4];
    char label[64];
    snprintf(label, sizeof label, "%s in space", word);
    struct point from = middle(&desk, label);
    move(&desk, from.x, from.y);
    press(&desk);
    move(&desk, from.x + 30, from.y + 10);
    let_go(&desk);
    assert_int_equal(lab_edits_count(desk.state.document.experiment.edits),
                     0); /* components stay */
    click(&desk, middle(&desk, "PC"));
    assert_true(desk.state.view.prefs.space_raw);
    assert_true(canvas_find_text(app_frame_canvas(desk.frame), "x₃", 0, &area));
    desk.state.view.prefs.space_axes[0] = 11;
    desk.state.view.prefs.space_axes[1] = 1;
    desk.state.view.prefs.space_axes[2] = 63;
    run(&desk);
    assert_true(canvas_find_text(app_frame_canvas(desk.frame), "x₁₂", 0, &area));
    assert_true(canvas_find_text(app_frame_canvas(desk.frame), "x₆₄", 0, &area));
    from = middle(&desk, label);
    move(&desk, from.x, from.y);
    press(&desk);
    move(&desk, from.x + 30, from.y + 40);
    let_go(&desk);
    assert_true(lab_edits_count(desk.state.document.experiment.edits) > 0);
    for (size_t e = 0; e < lab_edits_count(desk.state.document.experiment.edits); e++) {
        const size_t column = lab_edits_at(desk.state.document.experiment.edits, e).column;
        assert_true(column == 11 || column == 1 || column == 63);
    }
    click(&desk, middle(&desk, "PC"));
    assert_false(desk.state.view.prefs.space_raw);
    close_desk(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dragged_word_takes_its_numbers_along),
        cmocka_unit_test(a_pressed_letter_keeps_it_on_an_axis),
        cmocka_unit_test(escape_takes_a_drag_back),
        cmocka_unit_test(each_stage_moves_its_own),
        cmocka_unit_test(a_click_on_a_point_moves_nothing),
        cmocka_unit_test(dimensions_can_be_chosen_and_then_points_move),
    };
    return cmocka_run_group_tests_name("points that are dragged", tests, NULL, NULL);
}

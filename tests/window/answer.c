/* answer — milliseconds from what hands do to its picture, for many tokens and heads at 1440 × 900:
 * the frame, the pixels that it changes by Cairo, and beside them all pixels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "canvas/draw/changes.h"
#include "canvas/render/render.h"
#include "hands.h"
#include "lab/experiment/stage.h"

enum { TOKENS_MAX = 1024, WIDTH = 1440, HEIGHT = 900, TIMES = 15 };

static const struct load {
    size_t tokens, heads;
    bool slow; /* computing takes too long to do it again and again */
} loads[] = {{64, 12, false}, {1024, 12, true}, {1024, 144, true}};

static double read_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median_of(double times[TIMES])
{
    qsort(times, TIMES, sizeof times[0], by_size);
    return times[TIMES / 2];
}

/* Random words and heads of 64 numbers, as GPT-2 has them. */
static void put_load(struct hands *hands, const struct load *load)
{
    static char text[TOKENS_MAX][8];
    static const char *words[TOKENS_MAX];
    for (size_t i = 0; i < load->tokens; i++) {
        snprintf(text[i], sizeof text[i], "w%zu", i);
        words[i] = text[i];
    }
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    assert_true(lab_experiment_set_tokens(&next, words, load->tokens, NULL));
    next.embedding = LAB_EMBEDDING_RANDOM;
    next.weights = LAB_WEIGHTS_RANDOM;
    next.heads = load->heads;
    next.d_model = 768;
    next.d_k = next.d_v = 64;
    document_change(&hands->state->document, &next, NULL, 0);
    assert_non_null(hands->state->document.trace);
    lab_experiment_release(&next);
    hands_frame(hands);
}

struct desk {
    struct hands *hands;
    struct render_cairo *player;
    struct changes *changes;
    uint8_t *pixels;
};

static void play_all(const struct desk *desk, const struct rect *area)
{
    const struct render_pixels pixels = {desk->pixels, WIDTH, HEIGHT, 4 * WIDTH, false};
    assert_true(
        render_cairo_pixels(desk->player, hands_canvas(desk->hands), 1, area, pixels, NULL));
}

static void render_changes(const struct desk *desk)
{
    struct rect area[CHANGES_MAX];
    const size_t areas =
        changes_find(desk->changes, hands_canvas(desk->hands), 1, WIDTH, HEIGHT, area);
    for (size_t i = 0; i < areas; i++) {
        play_all(desk, &area[i]);
    }
}

static void press_at(struct hands *hands, size_t turn)
{
    hands->input.stroke[0] = (struct ui_stroke){turn % 2 ? UI_KEY_UP : UI_KEY_DOWN, 0};
    hands->input.strokes = 1;
    hands_step(hands);
}

/* From cell to cell of what the stage shows. */
static void hover_at(struct hands *hands, size_t turn)
{
    hands->input.inside = true;
    hands->input.x = 420 + 17 * (float)turn;
    hands->input.y = 330 + 11 * (float)turn;
    hands_step(hands);
}

/* As the slider of the temperature does while it is dragged. */
static void drag_at(struct hands *hands, size_t turn)
{
    const struct view_action action = {
        .kind = VIEW_ACTION_FIELD,
        .setting = {.field = LAB_PARAM_TEMPERATURE, .number = 1 + 0.1 * (double)turn}};
    app_state_apply(hands->state, &action, hands->input.time);
    hands_step(hands);
}

/* As a number of X that is dragged sideways. */
static void edit_at(struct hands *hands, size_t turn)
{
    const struct view_action action = {
        .kind = VIEW_ACTION_EDIT,
        .edit = {.cell = {LAB_EMBEDDINGS_X, 0, 3, 5}, .number = 0.1 * (double)(turn + 1)}};
    app_state_apply(hands->state, &action, hands->input.time);
    hands_step(hands);
}

static const struct act {
    const char *name;
    void (*does)(struct hands *hands, size_t turn);
} acts[] = {{"key", press_at}, {"hover", hover_at}, {"drag", drag_at}, {"edit", edit_at}};

static void measure_act(const struct desk *desk, enum lab_stage stage, const struct act *act)
{
    double frames[TIMES], changes[TIMES], plays[TIMES];
    hands_click(desk->hands, lab_stage_row(stage)->title);
    hands_move(desk->hands, -1, -1);
    render_changes(desk);
    for (size_t i = 0; i < TIMES; i++) {
        const double began = read_clock();
        act->does(desk->hands, i);
        const double framed = read_clock();
        render_changes(desk);
        const double played = read_clock();
        play_all(desk, NULL);
        frames[i] = framed - began;
        changes[i] = played - framed;
        plays[i] = read_clock() - played;
    }
    printf("%-8s %-6s frame %7.2f ms   changed pixels %6.2f ms   all pixels %6.2f ms\n",
           lab_stage_row(stage)->name, act->name, median_of(frames), median_of(changes),
           median_of(plays));
}

static void what_hands_do_is_answered_within_a_frame(void **unused)
{
    (void)unused;
    for (size_t l = 0; l < sizeof loads / sizeof loads[0]; l++) {
        struct hands *hands = hands_open("ten", WIDTH, HEIGHT);
        const struct desk desk = {hands, render_cairo_open(hands->fonts, NULL), changes_open(),
                                  calloc((size_t)WIDTH * HEIGHT, 4)};
        assert_true(desk.player && desk.changes && desk.pixels);
        put_load(hands, &loads[l]);
        printf("%zu tokens, %zu heads\n", loads[l].tokens, loads[l].heads);
        for (size_t a = 0; a < sizeof acts / sizeof acts[0]; a++) {
            for (int stage = 0; stage < LAB_STAGES && (!loads[l].slow || (acts[a].does != drag_at &&
                                                                          acts[a].does != edit_at));
                 stage++) {
                measure_act(&desk, (enum lab_stage)stage, &acts[a]);
            }
        }
        free(desk.pixels);
        changes_close(desk.changes);
        render_cairo_close(desk.player);
        hands_close(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_hands_do_is_answered_within_a_frame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* training — milliseconds of a frame that shows a new step while weights learn at full speed beside
 * it: the stages that follow, the frame, and the pixels that it changes by Cairo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/learn/learn.h"
#include "base/random.h"
#include "canvas/draw/changes.h"
#include "canvas/render/render.h"
#include "hands.h"
#include "learn/task.h"
#include "view/parts/learn.h"

enum { FRAMES = 200, WARM = 20 };

static const struct size {
    float width, height, scale;
} sizes[] = {{1440, 900, 1}, {1280, 720, 2}};

static const enum learn_task_id tasks[] = {LEARN_TASK_SMALL_WORLD, LEARN_TASK_ADDITION,
                                           LEARN_TASK_TEXT};

static double read_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double work_of_this_thread(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void print_times(const char *name, double times[FRAMES])
{
    qsort(times, FRAMES, sizeof times[0], by_size);
    printf("  %-28s least %6.2f  middle %6.2f  99 of 100 %6.2f ms\n", name, times[0],
           times[FRAMES / 2], times[FRAMES - 1 - FRAMES / 100]);
}

/* A text as long as a novel. */
static bool start_text(struct app_state *state, double time)
{
    enum { BYTES = 1 << 20 };
    static const char letters[] = "etaoin shrdlu etaoin";
    char *const novel = malloc(BYTES);
    struct random random;
    random_start(&random, 1, "novel");
    for (size_t i = 0; novel != NULL && i < BYTES; i++) {
        novel[i] = letters[random_bits(&random) % (sizeof letters - 1)];
    }
    const double start = read_clock();
    const bool done =
        novel != NULL &&
        app_learn_text(state, (struct bytes){(const uint8_t *)novel, BYTES}, time, NULL);
    printf("own text of 1 MB: begun after %.1f ms\n", read_clock() - start);
    free(novel);
    return done;
}

static void measure_task(enum learn_task_id task, const struct size *size)
{
    static double follows[FRAMES], frames[FRAMES], pixels[FRAMES], all[FRAMES], work[FRAMES];
    struct hands *const hands = hands_open(NULL, size->width, size->height);
    struct render_cairo *const player = render_cairo_open(hands->fonts, NULL);
    struct changes *const changes = changes_open();
    const int width = (int)(size->width * size->scale), height = (int)(size->height * size->scale);
    uint8_t *const memory = calloc((size_t)width * (size_t)height, 4);
    assert_true(player && changes && memory);
    hands->input.scale = size->scale;
    assert_true(task == LEARN_TASK_TEXT
                    ? start_text(hands->state, hands->input.time)
                    : app_learn_start(hands->state, (size_t)task, true, hands->input.time));
    const struct view_action fast = {.kind = VIEW_ACTION_LEARN, .learn = {.act = VIEW_LEARN_SPEED}};
    app_state_apply(hands->state, &fast, hands->input.time);
    const size_t first = hands->state->view.learn->step;
    const double began = read_clock();
    for (int i = -WARM; i < FRAMES;) {
        if (!hands->state->view.learn->training) { /* on, beyond what its recipe asks for */
            const struct view_action on = {.kind = VIEW_ACTION_LEARN,
                                           .learn = {.act = VIEW_LEARN_PLAY}};
            app_state_apply(hands->state, &on, hands->input.time);
        }
        const size_t former = hands->state->view.learn->step;
        struct rect area[CHANGES_MAX];
        const double start = read_clock(), cpu = work_of_this_thread();
        app_learn_follow(hands->state, hands->input.time);
        const double followed = read_clock();
        hands_step(hands);
        const double framed = read_clock();
        const size_t areas =
            changes_find(changes, hands_canvas(hands), size->scale, width, height, area);
        for (size_t a = 0; a < areas; a++) {
            const struct render_pixels to = {memory, width, height, 4 * width, false};
            assert_true(
                render_cairo_pixels(player, hands_canvas(hands), size->scale, &area[a], to, NULL));
        }
        const double end = read_clock();
        const bool is_new = hands->state->view.learn->step != former;
        if (i >= 0 && is_new) {
            follows[i] = followed - start;
            frames[i] = framed - followed;
            pixels[i] = end - framed;
            all[i] = end - start;
            work[i] = work_of_this_thread() - cpu;
        }
        i += is_new;
        const double rest = 16 - (end - start); /* the screen shows sixty frames a second */
        const struct timespec wait = {0, (long)(1e6 * rest)};
        if (rest > 0) {
            nanosleep(&wait, NULL);
        }
    }
    printf("%s, %d x %d: %zu steps, %.0f a second\n", learn_task_at((size_t)task)->name, width,
           height, hands->state->view.learn->step - first,
           (double)(hands->state->view.learn->step - first) * 1e3 / (read_clock() - began));
    print_times("what the step makes of it", follows);
    print_times("the frame", frames);
    print_times("its pixels", pixels);
    print_times("all (16 at most)", all);
    print_times("all, processor time", work);
    free(memory);
    changes_close(changes);
    render_cairo_close(player);
    hands_close(hands);
}

static void frames_come_while_weights_learn(void **unused)
{
    (void)unused;
    for (size_t t = 0; t < sizeof tasks / sizeof tasks[0]; t++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            measure_task(tasks[t], &sizes[s]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_come_while_weights_learn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

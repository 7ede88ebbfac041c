/* from_disk — milliseconds of a frame over attention that lies on the disk: a file of 12 × 12 ×
 * 1024 × 1024 weights, made here and taken away again, or the one that is named. Opening, pointing,
 * zooming and scrolling at 1440 × 900 and 2560 × 1440 at scale 2, and how much memory is taken
 * beside the map.
 *
 * Of a model: how long it takes from its being there until all heads of a text have been drawn,
 * with the time of all processors beside that of the clock, which other load makes longer.
 *
 *     bench_window_from_disk [FILE [TEXT]]      a file of attention, or a model and what it reads
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../npy_header.h"
#include "../opened.h"
#include "app/open/open_model.h"
#include "canvas/draw/changes.h"
#include "canvas/render/render.h"
#include "hands.h"
#include "model/model.h"
#include "view/parts/head_overview.h"

enum { LAYERS = 12, HEADS = 12, WORDS = 1024, TIMES = 41, SIDE_MAX = 5120 };

static const char *named, *text; /* on the command line; NULL: none */

/* Of this thread alone, so that other load counts little; and of the clock on the wall. */
static double clock_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double read_clock(void)
{
    return clock_of(CLOCK_THREAD_CPUTIME_ID);
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Megabytes that stand in no file. */
static double beside_the_map(void)
{
    char line[128];
    double kilobytes = 0;
    FILE *const status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "RssAnon:", 8) == 0) {
            kilobytes = strtod(line + 8, NULL);
        }
    }
    if (status != NULL) {
        fclose(status);
    }
    return kilobytes / 1024;
}

/* Rows that fall off, each head faster than the one before. */
static void write_file(const char *path)
{
    char shape[64];
    static float row[WORDS];
    snprintf(shape, sizeof shape, "(%d, %d, %d, %d)", LAYERS, HEADS, WORDS, WORDS);
    FILE *const file = npy_create(path, "<f4", shape);
    assert_non_null(file);
    for (size_t line = 0; line < (size_t)LAYERS * HEADS * WORDS; line++) {
        const size_t query = line % WORDS, head = line / WORDS;
        float sum = 0;
        for (size_t j = 0; j < WORDS; j++) {
            row[j] = j <= query ? 1 / (float)(1 + (query - j) * (1 + head % 13)) : 0;
            sum += row[j];
        }
        for (size_t j = 0; j < WORDS; j++) {
            row[j] /= sum;
        }
        fwrite(row, sizeof *row, WORDS, file);
    }
    assert_int_equal(fclose(file), 0);
}

struct desk {
    struct hands *hands;
    struct render_cairo *player;
    struct changes *changes;
    uint8_t *pixels;
    double most; /* megabytes beside the map, so far */
};

static void render_changes(const struct desk *desk)
{
    const struct ui_input *const input = &desk->hands->input;
    const int wide = (int)(input->width * input->scale), high = (int)(input->height * input->scale);
    const struct render_pixels pixels = {desk->pixels, wide, high, 4 * wide, false};
    struct rect area[CHANGES_MAX];
    const size_t areas =
        changes_find(desk->changes, hands_canvas(desk->hands), input->scale, wide, high, area);
    for (size_t i = 0; i < areas; i++) {
        assert_true(render_cairo_pixels(desk->player, hands_canvas(desk->hands), input->scale,
                                        &area[i], pixels, NULL));
    }
}

static void move_pointer(struct hands *hands, size_t turn)
{
    hands->input.inside = true;
    hands->input.x = hands->input.width * 0.3f + 5 * (float)turn;
    hands->input.y = hands->input.height * 0.45f + 4 * (float)turn;
}

static void zoom_view(struct hands *hands, size_t turn)
{
    hands->input.inside = true;
    hands->input.x = hands->input.width * 0.4f;
    hands->input.y = hands->input.height * 0.55f;
    hands->input.wheel_y = turn % 20 < 10 ? 1 : -1;
}

/* By the wheel, sideways and down, in the middle of a matrix that is looked at closely. */
static void scroll_view(struct hands *hands, size_t turn)
{
    hands->input.inside = true;
    hands->input.x = hands->input.width * 0.4f;
    hands->input.y = hands->input.height * 0.55f;
    hands->input.slide_x = turn % 20 < 10 ? 24 : -24;
    hands->input.slide_y = turn % 20 < 10 ? 18 : -18;
}

static const struct act {
    const char *name;
    void (*does)(struct hands *hands, size_t turn);
} acts[] = {{"point", move_pointer}, {"zoom", zoom_view}, {"scroll", scroll_view}};

static void measure_act(struct desk *desk, const struct act *act)
{
    double frames[TIMES], changes[TIMES];
    for (size_t i = 0; i < TIMES; i++) {
        act->does(desk->hands, i);
        const double began = read_clock();
        hands_step(desk->hands);
        const double framed = read_clock();
        render_changes(desk);
        frames[i] = framed - began;
        changes[i] = read_clock() - framed;
    }
    qsort(frames, TIMES, sizeof *frames, by_size);
    qsort(changes, TIMES, sizeof *changes, by_size);
    const double beside = beside_the_map();
    desk->most = beside > desk->most ? beside : desk->most;
    printf("  %-7s frame %6.2f ms (worst %6.2f)   changed pixels %6.2f ms (worst %6.2f)\n",
           act->name, frames[TIMES / 2], frames[TIMES - 1], changes[TIMES / 2], changes[TIMES - 1]);
}

/* Frames go on until nothing is under way; the longest of them, and until when the first layer
 * stood there. */
static void settle_within(struct desk *desk, const char *what, double worst)
{
    const double began = clock_of(CLOCK_MONOTONIC);
    double first = 0;
    bool more = true;
    while (more) {
        const double start = read_clock();
        hands_step(desk->hands);
        worst = read_clock() - start > worst ? read_clock() - start : worst;
        more = desk->hands->state->view.head_overview != NULL &&
               desk->hands->state->view.head_overview->busy;
        if (first == 0 && desk->hands->state->document.experiment.layers > 0 &&
            (desk->hands->state->view.head_overview != NULL)) {
            first = clock_of(CLOCK_MONOTONIC) - began;
        }
        const double beside = beside_the_map();
        desk->most = beside > desk->most ? beside : desk->most;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    printf("%s: first layer after %.0f ms, all after %.0f ms, longest frame meanwhile %.1f ms\n",
           what, first, clock_of(CLOCK_MONOTONIC) - began, worst);
}

/* Milliseconds of the clock, and of all threads of this program. */
struct span {
    double wall, busy;
};

static struct span span_now(void)
{
    return (struct span){clock_of(CLOCK_MONOTONIC), clock_of(CLOCK_PROCESS_CPUTIME_ID)};
}

static struct span span_since(struct span began)
{
    const struct span now = span_now();
    return (struct span){now.wall - began.wall, now.busy - began.busy};
}

/* Measures a model that is opened and has not read yet. */
static struct span load_alone(const char *path)
{
    const struct span began = span_now();
    struct model *const model = open_model(path, NULL);
    const struct span took = span_since(began);
    model_close(model);
    return model != NULL ? took : (struct span){0, 0};
}

/* A model until all its heads stand on the screen. */
static void measure_reading(struct desk *desk, const char *path)
{
    const struct span load = load_alone(path), began = span_now();
    assert_true(app_open_model_open(desk->hands->state, path, text, desk->hands->input.time));
    settle_within(desk, "opened", 0);
    const struct span read = span_since(began), draws = span_now();
    hands_step(desk->hands);
    render_changes(desk);
    const struct span drawn = span_since(draws);
    if (load.wall <= 0) {
        return; /* no model */
    }
    printf(
        "milliseconds of the clock (of all processors): loading %.0f (%.0f), reading %.0f (%.0f), "
        "all pixels %.0f (%.0f); after loading %.0f (%.0f)\n",
        load.wall, load.busy, read.wall - load.wall, read.busy - load.busy, drawn.wall, drawn.busy,
        read.wall - load.wall + drawn.wall, read.busy - load.busy + drawn.busy);
}

static void attention_on_the_disk_is_looked_at_without_waiting(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct desk desk = {hands, render_cairo_open(hands->fonts, NULL), changes_open(),
                        calloc((size_t)SIDE_MAX * SIDE_MAX, 4), 0};
    char path[512];
    snprintf(path, sizeof path, "%s", named != NULL ? named : "");
    if (named == NULL) {
        snprintf(path, sizeof path, "%s/large.npy", hands->folder);
        write_file(path);
    }
    assert_true(desk.player != NULL && desk.changes != NULL && desk.pixels != NULL);
    const double before = beside_the_map();
    measure_reading(&desk, path);
    static const struct {
        float width, height, scale;
    } rooms[] = {{1440, 900, 1}, {2560, 1440, 2}};
    for (size_t r = 0; r < 2; r++) {
        hands->input.scale = rooms[r].scale;
        hands_resize(hands, rooms[r].width, rooms[r].height);
        hands_step(hands);
        render_changes(&desk);
        printf("%.0f × %.0f at scale %.0f\n", (double)rooms[r].width, (double)rooms[r].height,
               (double)rooms[r].scale);
        for (size_t a = 0; a < sizeof acts / sizeof acts[0]; a++) {
            measure_act(&desk, &acts[a]);
        }
    }
    assert_true(app_open_model_step(hands->state, 1, hands->input.time));
    settle_within(&desk, "next layer", 0);
    static const char *const keys[] = {"Ctrl+Z", "Ctrl+Y"};
    for (size_t k = 0; k < 2; k++) {
        const double start = read_clock();
        hands_key(hands, keys[k]);
        settle_within(&desk, keys[k], read_clock() - start);
    }
    printf("memory beside the map: %.0f MB before, %.0f MB at most\n", before, desk.most);
    unlink(named == NULL ? path : "");
    free(desk.pixels);
    changes_close(desk.changes);
    render_cairo_close(desk.player);
    hands_close(hands);
}

int main(int count, char **words)
{
    named = count > 1 ? words[1] : NULL;
    text = count > 2 ? words[2] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attention_on_the_disk_is_looked_at_without_waiting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

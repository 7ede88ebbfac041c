/* cli/bench.c — measures this machine: the core against its own limits, and the program's parts. */
#include <stdio.h>
#include <stdlib.h>

#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/document/state.h"
#include "app/draw/figure.h"
#include "attn/measure.h"
#include "base/system/clock.h"
#include "base/system/file.h"
#include "canvas/formats/formats.h"
#include "cli/bench_dump.h"
#include "cli/calls.h"
#include "file/json.h"

enum { WORKS_MAX = 32, TIMES = 5, WIDE = 768, HEAD_WIDE = 64 /* as GPT-2 is */ };

struct machine {
    const struct lab_engine *engine;
    double peak, bandwidth;
};

struct measured {
    struct measure_result works[WORKS_MAX];
    double seconds[WORKS_MAX]; /* of the program's parts */
};

/* ---- parts of the program ------------------------------------------------------------------ */

static const struct part {
    const char *name, *suffix; /* NULL: drawn into pixels, as the window draws a frame */
    float width, height, scale;
    size_t tokens, heads; /* random; 0: the cats */
    bool anew;            /* from nothing: lesson, trace, fonts and the first picture */
    bool dump;            /* a file of attention is opened, until its first layer stands there */
} parts[] = {
    {"start", NULL, 1440, 900, 1, 0, 0, true, false},
    {"frame-64x12", NULL, 1440, 900, 1, 64, 12, false, false},
    {"frame-1024x144", NULL, 1440, 900, 1, 1024, 144, false, false},
    {"render-png", "png", 1440, 900, 1, 0, 0, true, false},
    {"render-4k", "png", 1920, 1080, 2, 0, 0, false, false},
    {"render-pdf", "pdf", 1440, 900, 1, 64, 144, false, false},
    {"open-dump", NULL, 1440, 900, 1, 0, 0, true, true},
};

enum { PARTS = sizeof parts / sizeof parts[0] };

static bool draw_frame(struct app_figure_renderer *renderer, const struct app_figure *picture,
                       struct error *error)
{
    struct app_sheet sheet;
    const int width = (int)(picture->width * picture->scale);
    const int height = (int)(picture->height * picture->scale);
    uint8_t *const at = malloc((size_t)width * (size_t)height * 4);
    const struct render_pixels pixels = {at, width, height, width * 4, false};
    const bool drawn =
        at != NULL && app_figure_renderer_draw(renderer, picture, &sheet, error) &&
        render_cairo_pixels(sheet.player, sheet.canvas, picture->scale, NULL, pixels, error);
    free(at);
    return drawn || at != NULL ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for a frame.");
}

/* Makes as many random words as the part wants, and as many heads of 64 numbers. */
static bool set_random_words(const struct part *part, struct app_state *state, struct error *error)
{
    if (part->tokens == 0) {
        return true;
    }
    struct arena arena = {0};
    const char **const words = arena_array(&arena, part->tokens, sizeof *words);
    for (size_t w = 0; words != NULL && w < part->tokens; w++) {
        words[w] = arena_format(&arena, "word%zu", w + 1);
    }
    struct lab_experiment experiment;
    lab_experiment_copy(&experiment, &state->document.experiment);
    lab_words_release(experiment.tokens);
    experiment.tokens = words == NULL ? NULL : lab_words_make(words, part->tokens, error);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.d_model = WIDE;
    experiment.heads = part->heads;
    experiment.d_k = experiment.d_v = HEAD_WIDE;
    const bool made = experiment.tokens != NULL;
    if (made) {
        document_change(&state->document, &experiment, NULL, 0);
        app_settle_tasks(state, 0);
    }
    lab_experiment_release(&experiment);
    arena_free(&arena);
    return made && (state->document.trace != NULL ||
                    error_set(error, ERROR_MEMORY, "%s", state->document.error.text));
}

static bool draw_part(const struct part *part, struct app_figure_renderer *renderer,
                      struct app_state *state, struct error *error)
{
    struct arena arena = {0};
    struct bytes content = {NULL, 0};
    const struct app_figure picture = {
        .scene = app_state_scene(state),
        .width = part->width,
        .height = part->height,
        .scale = part->scale,
        .format = part->suffix == NULL ? NULL : render_format_find(part->suffix),
    };
    const bool printed = part->suffix == NULL ? draw_frame(renderer, &picture, error)
                                              : app_figure_renderer_print(renderer, &picture,
                                                                          &arena, &content, error);
    arena_free(&arena);
    return printed;
}

/* Measures the seconds that a part takes: the best of several times, or the first where everything
 * is made anew. */
static bool time_part(const struct part *part, const struct lab_engine *engine, double *seconds,
                      struct error *error)
{
    struct app_state state = {0};
    char path[64] = "";
    if (part->dump && !cli_bench_make_dump(path, sizeof path, error)) {
        return false;
    }
    const double start = system_seconds();
    struct app_figure_renderer *const renderer = app_figure_renderer_open(error);
    bool done = renderer != NULL && app_state_open(&state, "cats", engine, error);
    if (done) {
        done = set_random_words(part, &state, error) &&
               (!part->dump || cli_bench_open_dump(&state, path, error)) &&
               draw_part(part, renderer, &state, error);
        *seconds = system_seconds() - start;
        for (int time = 0; time < TIMES && done && !part->anew; time++) {
            const double again = system_seconds();
            done = draw_part(part, renderer, &state, error);
            const double took = system_seconds() - again;
            *seconds = time == 0 || took < *seconds ? took : *seconds;
        }
        app_state_close(&state);
    }
    if (renderer != NULL) {
        app_figure_renderer_close(renderer);
    }
    if (part->dump) {
        (void)system_remove(path);
    }
    return done;
}

/* ---- printing ------------------------------------------------------------------------------ */

static void put_number(struct json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_put_double(json, value);
}

static void put_work(struct json_writer *json, const char *name,
                     const struct measure_result *result)
{
    json_begin_object_in_line(json);
    json_key(json, "name");
    json_put_text(json, name);
    put_number(json, "microseconds", result->microseconds);
    put_number(json, "gflops", result->gflops);
    put_number(json, "share_of_peak", result->share_of_peak);
    put_number(json, "share_of_bandwidth", result->share_of_bandwidth);
    put_number(json, "max_error", result->max_error);
    json_key(json, "peers");
    json_begin_object_in_line(json);
    json_end_object(json);
    json_end_object(json);
}

static void put_all(struct json_writer *json, const struct machine *machine,
                    const struct measured *measured)
{
    json_begin_object(json);
    json_key(json, "machine");
    json_begin_object_in_line(json);
    json_key(json, "isa");
    json_put_text(json, attn_kernels_name(machine->engine->kernels));
    json_key(json, "threads");
    json_put_whole_number(json, (int64_t)attn_pool_threads(machine->engine->pool));
    put_number(json, "fma_peak_gflops", machine->peak);
    put_number(json, "read_gb_per_s", machine->bandwidth);
    json_end_object(json);
    json_key(json, "workloads");
    json_begin_array(json, JSON_LINES);
    for (size_t w = 0; attn_measure_work_at(w) != NULL; w++) {
        put_work(json, attn_measure_work_at(w)->name, &measured->works[w]);
    }
    json_end_array(json);
    json_key(json, "program");
    json_begin_array(json, JSON_LINES);
    for (size_t p = 0; p < PARTS; p++) {
        json_begin_object_in_line(json);
        json_key(json, "name");
        json_put_text(json, parts[p].name);
        put_number(json, "milliseconds", measured->seconds[p] * 1e3);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static int print_json(const struct machine *machine, const struct measured *measured)
{
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes content;
    struct json_writer json = json_writer_start(&arena);
    put_all(&json, machine, measured);
    const int status = json_writer_finish(&json, &content, &error)
                           ? cli_write_file("-", content, false)
                           : cli_fail(&error);
    arena_free(&arena);
    return status;
}

static int print_work(const struct measure_work *work, const struct measure_result *result)
{
    char line[160];
    snprintf(line, sizeof line,
             "%-22s %12.2f us %8.1f GFLOP/s %5.1f %% of peak  threads x%.2f  error %.1e\n",
             work->name, result->microseconds, result->gflops, 100 * result->share_of_peak,
             result->speedup, result->max_error);
    return cli_print_text(line);
}

static int print_machine(const struct machine *machine)
{
    char line[160];
    snprintf(line, sizeof line, "%s, %zu threads, peak %.0f GFLOP/s a thread, reads %.1f GB/s\n",
             attn_kernels_title(machine->engine->kernels), attn_pool_threads(machine->engine->pool),
             machine->peak, machine->bandwidth);
    return cli_print_text(line);
}

/* ---- the call ------------------------------------------------------------------------------ */

static int measure_all(const struct machine *machine, bool tells, struct measured *measured)
{
    struct error error = {ERROR_NONE, 0, ""};
    int status = tells ? print_machine(machine) : CLI_DONE;
    for (size_t w = 0; status == CLI_DONE && attn_measure_work_at(w) != NULL && w < WORKS_MAX;
         w++) {
        const struct measure_work *const work = attn_measure_work_at(w);
        if (!attn_measure(machine->engine->kernels, machine->engine->pool, work, NULL, 0,
                          &measured->works[w])) {
            error_set(&error, ERROR_MEMORY, "There is not enough memory to measure %s.",
                      work->name);
            return cli_fail(&error);
        }
        status = tells ? print_work(work, &measured->works[w]) : CLI_DONE;
    }
    for (size_t p = 0; status == CLI_DONE && p < PARTS; p++) {
        char line[80];
        if (!time_part(&parts[p], machine->engine, &measured->seconds[p], &error)) {
            return cli_fail(&error);
        }
        snprintf(line, sizeof line, "%-22s %12.2f ms\n", parts[p].name, measured->seconds[p] * 1e3);
        status = tells ? cli_print_text(line) : CLI_DONE;
    }
    return status;
}

int cli_bench(const struct cli_options *options)
{
    const struct attn_kernels *const kernels = options->engine.kernels;
    struct measured measured = {.seconds = {0}};
    const struct machine machine = {.engine = &options->engine,
                                    .peak = attn_measure_peak(kernels),
                                    .bandwidth = attn_measure_bandwidth()};
    const bool json = options->value[CLI_JSON].given;
    int status = measure_all(&machine, !json, &measured);
    if (json && status == CLI_DONE) {
        status = print_json(&machine, &measured);
    }
    return status;
}

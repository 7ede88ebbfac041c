/* cli/catalogue.c — heads: what every head does, over the lines of a file, a text or a probe. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/cause.h"
#include "why/catalogue.h"

enum { PROBES = 8, PROBE_PRESET = 20 };

/* Measures one text, and closes its run. */
static bool add_run(struct why_catalogue *catalogue, struct model_run *run, struct error *error)
{
    const bool done = run != NULL && why_catalogue_add(catalogue, run, error);
    model_run_close(run);
    return done;
}

/* Texts of so many random tokens, each twice. */
static bool add_probes(const struct cli_options *options, const struct model *model, size_t count,
                       struct why_catalogue *catalogue, struct error *error)
{
    struct arena arena = {0};
    uint32_t *const ids = arena_array(&arena, 2 * count, sizeof *ids);
    bool done =
        ids != NULL || error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    for (size_t text = 0; done && text < PROBES; text++) {
        const struct model_request request = {
            .ids = ids, .count = 2 * count, .engine = options->engine};
        why_probe_fill(model, text, count, ids);
        done = add_run(catalogue, model_run_start(model, &request, error), error);
    }
    arena_free(&arena);
    return done;
}

/* The lines of --texts, or the text of the other options. */
static bool add_texts(const struct cli_options *options, const struct model *model,
                      struct why_catalogue *catalogue, struct error *error)
{
    struct arena arena = {0};
    const struct cli_value *const file = &options->value[CLI_TEXTS];
    const struct why_subject subject = {.model = model,
                                        .request = {.engine = options->engine},
                                        .bare = options->value[CLI_SPECIAL].whole == 1};
    struct bytes text;
    struct line line;
    bool done = file->given ? file_read(file->text, CLI_TEXT_BYTES_MAX, &arena, &text, error)
                            : cli_model_text(options, &arena, &text, error);
    size_t at = done ? lines_start(text) : 0;
    if (done && !file->given) {
        const char *const whole = arena_text(&arena, (const char *)text.at, text.size);
        done = whole != NULL &&
               add_run(catalogue, why_other_run(&subject, whole, &arena, error), error);
    }
    while (done && file->given && lines_next(text, &at, &line)) {
        const char *const one = arena_text(&arena, line.at, line.length);
        done = one == NULL || one[0] == '\0' ||
               add_run(catalogue, why_other_run(&subject, one, &arena, error), error);
    }
    arena_free(&arena);
    return done && (catalogue->texts > 0 ||
                    error_set(error, ERROR_INPUT, "There is no text in %.60s.", file->text));
}

static void put_measures(struct cli_answer *answer, const struct why_catalogue *catalogue)
{
    struct json_writer *const json = &answer->json;
    const size_t shape[] = {catalogue->layers, catalogue->heads};
    float *means[WHY_MEASURES] = {NULL};
    cli_answer_add_column(answer, "head", true);
    for (size_t m = 0; m < WHY_MEASURES; m++) {
        const char *const name = why_measure_name((enum why_measure)m);
        means[m] = cli_answer_add_floats(answer, name, 2, shape);
        cli_answer_add_column(answer, name, false);
        cli_answer_add_column(answer, arena_format(answer->arena, "%s spread", name), false);
    }
    json_begin_array(json, JSON_LINES);
    for (size_t h = 0; h < shape[0] * shape[1]; h++) {
        const size_t layer = h / shape[1], head = h % shape[1];
        json_begin_object_in_line(json);
        json_key(json, "layer");
        json_put_whole_number(json, (int64_t)layer);
        json_key(json, "head");
        json_put_whole_number(json, (int64_t)head);
        cli_answer_put_text(answer, arena_format(answer->arena, "L%zuH%zu", layer, head));
        for (size_t m = 0; m < WHY_MEASURES; m++) {
            const enum why_measure measure = (enum why_measure)m;
            const double mean = why_catalogue_mean(catalogue, measure, layer, head),
                         spread = why_catalogue_spread(catalogue, measure, layer, head);
            cli_cause_put_number(json, why_measure_name(measure), mean);
            cli_cause_put_number(
                json, arena_words(answer->arena, "%s_spread", why_measure_name(measure)), spread);
            cli_answer_put_number(answer, mean);
            cli_answer_put_number(answer, spread);
            if (means[m] != NULL) {
                means[m][h] = (float)mean;
            }
        }
        json_end_object(json);
    }
    json_end_array(json);
}

static bool check_texts(const struct cli_options *options, struct error *error)
{
    static const enum cli_option texts[] = {CLI_RANDOM_PROBE, CLI_TEXTS, CLI_PROMPT, CLI_TEXT_FILE};
    size_t given = 0;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        given += options->value[texts[t]].given ? 1 : 0;
    }
    if (!cli_reads_text(options)) {
        return error_set(error, ERROR_USAGE,
                         "This call is about a model: name its folder or a GGUF, and give its text "
                         "with --text.");
    }
    return given <= 1 ||
           error_set(error, ERROR_USAGE, "Heads are measured on --probe, --texts or one text.");
}

int cli_heads(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct why_catalogue catalogue = {.texts = 0};
    const struct cli_value *const probe = &options->value[CLI_RANDOM_PROBE];
    const bool has_text = options->value[CLI_TEXTS].given || options->value[CLI_PROMPT].given ||
                          options->value[CLI_TEXT_FILE].given;
    if (!cli_answer_check(options, &error) || !check_texts(options, &error)) {
        return cli_fail(&error);
    }
    struct model *const model = model_open(options->file, &error);
    bool done = model != NULL && why_catalogue_start(model, &catalogue, &error);
    if (done) {
        const size_t half = model_config(model)->positions / 2; /* the tokens come twice */
        const size_t preset = half < PROBE_PRESET ? half : PROBE_PRESET;
        done = has_text ? add_texts(options, model, &catalogue, &error)
                        : add_probes(options, model, probe->given ? (size_t)probe->whole : preset,
                                     &catalogue, &error);
    }
    if (done) {
        struct cli_answer answer = cli_answer_start(&arena);
        put_measures(&answer, &catalogue);
        done = cli_answer_write(options, &answer, &error);
    }
    why_catalogue_free(&catalogue);
    model_close(model);
    arena_free(&arena);
    return done ? CLI_DONE : cli_fail(&error);
}

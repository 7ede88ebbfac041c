/* cli/catalogue.c — heads: what every head does, over the lines of a file, a text or a probe. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/cause.h"
#include "learn/data.h"
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

/* ---- thresholds and roles -------------------------------------------------------------------- */

static const char *measure_name(size_t index)
{
    return index < WHY_MEASURES ? why_measure_name((enum why_measure)index) : NULL;
}

static bool refuse_threshold(const char *text, struct error *error)
{
    return error_set(error, ERROR_USAGE,
                     "--threshold takes a number for all, such as 0.4, or induction=0.4,first=0.8, "
                     "not “%.40s”.",
                     text);
}

/* Reads one "induction=0.4", or "0.4" for those that have a threshold. */
static bool read_threshold(const char *text, double *thresholds, struct error *error)
{
    const char *const equals = strchr(text, '=');
    double value = 0;
    char name[32];
    if (!text_to_double(equals == NULL ? text : equals + 1, &value)) {
        return refuse_threshold(text, error);
    }
    for (size_t m = 0; equals == NULL && m < WHY_MEASURES; m++) {
        thresholds[m] = isnan(why_measure_threshold((enum why_measure)m)) ? NAN : value;
    }
    if (equals == NULL) {
        return true;
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    for (size_t m = 0; m < WHY_MEASURES; m++) {
        if (strcmp(measure_name(m), name) == 0) {
            thresholds[m] = value;
            return true;
        }
    }
    return cli_refuse_unknown(error, "measure", name, measure_name);
}

static bool read_thresholds(const struct cli_options *options, double *thresholds,
                            struct error *error)
{
    const struct cli_value *const value = &options->value[CLI_THRESHOLD];
    struct arena arena = {0};
    bool done = true;
    for (size_t m = 0; m < WHY_MEASURES; m++) {
        thresholds[m] = why_measure_threshold((enum why_measure)m);
    }
    for (const char *at = value->text; done && value->given; at++) {
        const size_t letters = strcspn(at, ",");
        const char *const one = arena_text(&arena, at, letters);
        done = one != NULL
                   ? read_threshold(one, thresholds, error)
                   : error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
        at += letters;
        if (*at == '\0') {
            break;
        }
    }
    arena_free(&arena);
    return done;
}

/* The roles of the words, owned by the arena, where the model speaks of the small world; else NULL.
 */
static const enum why_role *find_roles(const struct model *model, struct arena *arena)
{
    static const enum why_role of[] = {[LEARN_WORD_OTHER] = WHY_ROLE_OTHER,
                                       [LEARN_WORD_NOUN] = WHY_ROLE_NOUN,
                                       [LEARN_WORD_IS] = WHY_ROLE_IS};
    enum { WORDS_MAX = 64 };
    const size_t count = model_config(model)->vocabulary;
    const char *words[WORDS_MAX];
    enum learn_word_role roles[WORDS_MAX];
    if (count > WORDS_MAX) {
        return NULL;
    }
    for (size_t w = 0; w < count; w++) {
        words[w] = model_shown(model, (uint32_t)w, arena);
        if (words[w] == NULL) {
            return NULL;
        }
    }
    enum why_role *const out = arena_array(arena, count, sizeof *out);
    if (out == NULL || !learn_data_world_roles(words, count, roles)) {
        return NULL;
    }
    for (size_t w = 0; w < count; w++) {
        out[w] = of[roles[w]];
    }
    return out;
}

/* ---- the answer ------------------------------------------------------------------------------ */

/* Writes what a head is called, with its number; null and empty cells where no measure names it. */
static void put_group(struct cli_answer *answer, const struct why_catalogue *catalogue,
                      const double *thresholds, size_t layer, size_t head)
{
    const enum why_measure group = why_catalogue_group(catalogue, thresholds, layer, head);
    const char *const name = group == WHY_MEASURES ? NULL : why_measure_name(group);
    const double value =
        group == WHY_MEASURES ? NAN : why_catalogue_mean(catalogue, group, layer, head);
    json_key(&answer->json, "group");
    json_put_text(&answer->json, name);
    cli_cause_put_number(&answer->json, "group_value", value);
    cli_answer_put_text(answer, name);
    cli_answer_put_number(answer, value);
}

static void put_measures(struct cli_answer *answer, const struct why_catalogue *catalogue,
                         const double *thresholds)
{
    struct json_writer *const json = &answer->json;
    const size_t shape[] = {catalogue->layers, catalogue->heads};
    float *means[WHY_MEASURES] = {NULL};
    cli_answer_add_column(answer, "name", true);
    cli_answer_add_column(answer, "layer", false);
    cli_answer_add_column(answer, "head", false);
    cli_answer_add_column(answer, "group", true);
    cli_answer_add_column(answer, "group value", false);
    for (size_t m = 0; m < WHY_MEASURES; m++) {
        if (!why_catalogue_has(catalogue, (enum why_measure)m)) {
            continue;
        }
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
        cli_answer_put_number(answer, (double)layer);
        cli_answer_put_number(answer, (double)head);
        put_group(answer, catalogue, thresholds, layer, head);
        for (size_t m = 0; m < WHY_MEASURES; m++) {
            const enum why_measure measure = (enum why_measure)m;
            if (!why_catalogue_has(catalogue, measure)) {
                continue;
            }
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
    double thresholds[WHY_MEASURES];
    if (!cli_answer_check(options, &error) || !check_texts(options, &error) ||
        !read_thresholds(options, thresholds, &error)) {
        return cli_fail(&error);
    }
    struct model *const model = model_open(options->opened, &error);
    bool done = model != NULL && why_catalogue_start(model, &catalogue, &error);
    if (done) {
        catalogue.roles = find_roles(model, &arena);
        const size_t half = model_config(model)->positions / 2; /* the tokens come twice */
        const size_t preset = half < PROBE_PRESET ? half : PROBE_PRESET;
        done = has_text ? add_texts(options, model, &catalogue, &error)
                        : add_probes(options, model, probe->given ? (size_t)probe->whole : preset,
                                     &catalogue, &error);
    }
    if (done) {
        struct cli_answer answer = cli_answer_start(&arena);
        put_measures(&answer, &catalogue, thresholds);
        done = cli_answer_write(options, &answer, &error);
    }
    why_catalogue_free(&catalogue);
    model_close(model);
    arena_free(&arena);
    return done ? CLI_DONE : cli_fail(&error);
}

/* cli/figures.c — the files that render writes: formats by their suffixes, the time inside, and
 * refusals of options that do not fit. */
#include "cli/figures.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/system/clock.h"
#include "base/text.h"
#include "canvas/formats/formats.h"
#include "cli/calls.h"
#include "cli/film.h"
#include "file/growing.h"

static const char head_field[] = "{head}", stage_field[] = "{stage}", layer_field[] = "{layer}";

/* The last second of the year 9999, since the year has four digits. */
static const uint64_t last_second = UINT64_C(253402300799);

const char *cli_suffix_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const char *const dot = strrchr(slash == NULL ? path : slash, '.');
    return dot == NULL ? "" : dot + 1;
}

/* Says whether compute writes files with this suffix. */
static bool is_of_results(const char *suffix)
{
    size_t format = 0;
    while (format < CLI_FORMAT_PICTURES && strcmp(suffix, cli_result_suffix(format)) != 0) {
        format++;
    }
    return format < CLI_FORMAT_PICTURES;
}

static bool unknown_suffix(const char *path, struct error *error)
{
    const char *const suffix = cli_suffix_of(path);
    char known[64] = "";
    if (is_of_results(suffix)) {
        return error_set(error, ERROR_USAGE,
                         "render draws pictures; .%.8s is what compute writes, of one matrix: "
                         "attnscope compute FILE --select weights -o %.60s.",
                         suffix, path);
    }
    for (size_t f = 0; cli_picture_format_name(f) != NULL; f++) {
        strncat(known, f == 0 ? "." : ", .", sizeof known - strlen(known) - 1);
        strncat(known, cli_picture_format_name(f), sizeof known - strlen(known) - 1);
    }
    if (suffix[0] == '\0') {
        return error_set(error, ERROR_USAGE,
                         "\"%.80s\" does not say which format: end it in one of %s.", path, known);
    }
    return error_set(error, ERROR_USAGE,
                     "Pictures as \"%.20s\" are not supported in this version; these are: %s.",
                     suffix, known);
}

bool cli_check_suffix(const char *path, const char *format, const char *suffix, struct error *error)
{
    const char *const own = cli_suffix_of(path);
    const int letters = (int)(strlen(path) - strlen(own));
    bool known = false;
    for (size_t f = 0; cli_format_name(f) != NULL; f++) {
        const char *const other =
            f < CLI_FORMAT_PICTURES ? cli_result_suffix(f) : cli_format_name(f);
        known = known || strcmp(other, own) == 0;
    }
    return !known || strcmp(own, suffix) == 0 ||
           error_set(error, ERROR_USAGE,
                     "\"%.50s\" says .%s, and --format %s: name it \"%.*s%s\", or leave --format "
                     "out.",
                     path, own, format, letters < 50 ? letters : 50, path, suffix);
}

/* Refuses unknown names in braces, which would become part of the file's name: a field in another
 * language, or a typing error. */
static bool check_fields(const char *name, struct error *error)
{
    static const char *const fields[] = {head_field, stage_field, layer_field};
    for (const char *at = strchr(name, '{'); at != NULL; at = strchr(at + 1, '{')) {
        const char *const end = strchr(at, '}');
        bool known = end == NULL;
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            known = known || strncmp(at, fields[f], strlen(fields[f])) == 0;
        }
        if (!known) {
            return error_set(
                error, ERROR_USAGE,
                "%.*s in \"%.60s\" stands for nothing: names of files may hold {head}, "
                "{layer} and {stage}.",
                (int)(end - at + 1 < 30 ? end - at + 1 : 30), at, name);
        }
    }
    return true;
}

/* Sets the format by its name: a still picture's, else an animation's. */
static bool set_format(struct cli_figure *figure, const char *name)
{
    figure->format = render_format_find(name);
    figure->animation = figure->format == NULL ? animation_format_find(name) : NULL;
    figure->moves = figure->animation != NULL || cli_number_field(figure->name).length > 0;
    return figure->format != NULL || figure->animation != NULL;
}

static bool choose_format(const struct cli_options *options, struct cli_figure *figure,
                          struct error *error)
{
    const struct cli_value *const format = &options->value[CLI_FORMAT];
    if (format->given) {
        return (set_format(figure, format->text) ||
                error_set(error, ERROR_USAGE, "render draws pictures; %.8s is what compute writes.",
                          format->text)) &&
               cli_check_suffix(figure->name, format->text, format->text, error);
    }
    const bool piped = strcmp(figure->name, "-") == 0;
    return set_format(figure, piped ? render_format_at(0)->suffix : cli_suffix_of(figure->name)) ||
           unknown_suffix(figure->name, error);
}

/* Reads SOURCE_DATE_EPOCH (reproducible-builds.org): seconds since 1970, in UTC. */
static bool read_time(struct cli_figures *figures, struct error *error)
{
    const char *const epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = 0;
    struct tm parts;
    if (epoch == NULL || epoch[0] == '\0') {
        return true;
    }
    const bool reads = text_to_u64(epoch, &seconds) && seconds <= last_second;
    const time_t position = (time_t)(reads ? seconds : 0);
    if (!reads || !system_universal_time(position, &parts) ||
        strftime(figures->created_text, sizeof figures->created_text, "%Y-%m-%dT%H:%M:%SZ",
                 &parts) == 0) {
        return error_set(error, ERROR_USAGE,
                         "SOURCE_DATE_EPOCH is a number of seconds since 1970, not \"%.40s\".",
                         epoch);
    }
    figures->created = figures->created_text;
    return true;
}

bool cli_figures_read(const struct cli_options *options, struct cli_figures *figures,
                      struct error *error)
{
    *figures = (struct cli_figures){.count = options->outs};
    if (options->outs == 0) {
        return error_set(error, ERROR_USAGE, "render needs a file to write: -o OUT.png.");
    }
    for (size_t f = 0; f < figures->count; f++) {
        figures->figure[f].name = options->out[f];
        if (!check_fields(options->out[f], error) ||
            !choose_format(options, &figures->figure[f], error)) {
            return false;
        }
    }
    return cli_film_check(options, figures, error) && read_time(figures, error);
}

bool cli_figures_check(const struct cli_figures *figures, const struct cli_options *options,
                       size_t heads, size_t layers, struct error *error)
{
    const struct {
        bool several;
        const char *field;
    } rules[] = {{options->value[CLI_ALL_HEADS].given && heads > 1, head_field},
                 {options->value[CLI_ALL_LAYERS].given && layers > 1, layer_field},
                 {options->value[CLI_ALL_STAGES].given, stage_field}};
    if (options->value[CLI_ALL_LAYERS].given && layers == 0) {
        return error_set(error, ERROR_USAGE,
                         "There are no layers here: --all-layers is for a model or a file of "
                         "attention.");
    }
    for (size_t f = 0; f < figures->count; f++) {
        for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
            if (rules[r].several && strstr(figures->figure[f].name, rules[r].field) == NULL) {
                return error_set(error, ERROR_USAGE,
                                 "Several pictures need several names: put %s into \"%.60s\".",
                                 rules[r].field, figures->figure[f].name);
            }
        }
    }
    return true;
}

const char *cli_figure_name(const struct cli_figure *figure, const struct cli_figure_place *place,
                            struct arena *arena)
{
    const char *const head = arena_format(arena, "%zu", place->head + 1);
    const char *const layer = arena_format(arena, "%zu", place->layer + 1);
    const struct {
        const char *field, *text;
    } fields[] = {
        {head_field, head}, {stage_field, lab_stage_row(place->stage)->name}, {layer_field, layer}};
    struct growing name = growing_start(arena);
    struct bytes whole;
    for (const char *at = figure->name; head != NULL && layer != NULL && *at != '\0';) {
        size_t letters = 0;
        for (size_t f = 0; letters == 0 && f < sizeof fields / sizeof fields[0]; f++) {
            if (strncmp(at, fields[f].field, strlen(fields[f].field)) == 0) {
                growing_put_text(&name, fields[f].text);
                letters = strlen(fields[f].field);
            }
        }
        if (letters == 0) {
            growing_put_byte(&name, *at);
            letters = 1;
        }
        at += letters;
    }
    return head != NULL && layer != NULL && growing_finish(&name, &whole, NULL)
               ? (const char *)whole.at
               : NULL;
}

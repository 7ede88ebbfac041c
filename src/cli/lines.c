/* cli/lines.c — reads the file, and asks line after line with one open model. */
#include "cli/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

enum { FIELDS = 4 };

/* ---- reading --------------------------------------------------------------------------------- */

/* An empty field is none. */
static const char *filled_or_null(const char *field)
{
    return field == NULL || field[0] == '\0' ? NULL : field;
}

/* Cuts a line at its tabs. */
static bool read_line(const struct cli_asking *asking, struct line from, struct arena *arena,
                      struct cli_line *out, struct error *error)
{
    const size_t fields = asking->has_pairs ? 4 : 3;
    const char *field[FIELDS] = {NULL};
    const char *at = from.at, *const end = from.at + from.length;
    size_t count = 0;
    for (bool more = true; more; count++) {
        const char *const tab = memchr(at, '\t', (size_t)(end - at));
        const char *const stop = tab == NULL ? end : tab;
        if (count == fields) {
            return error_set(error, ERROR_INPUT, "Line %zu has more than %zu fields between tabs.",
                             out->number, fields);
        }
        field[count] = arena_text(arena, at, (size_t)(stop - at));
        if (field[count] == NULL) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
        }
        more = tab != NULL;
        at = stop + 1;
    }
    const size_t texts = asking->has_pairs ? 2 : 1;
    if (count < texts || (asking->has_pairs && field[1][0] == '\0')) {
        return error_set(
            error, ERROR_INPUT,
            "Line %zu has no second text: a pair is two texts with a tab between them.",
            out->number);
    }
    out->text = field[0];
    out->changed = asking->has_pairs ? field[1] : NULL;
    out->word = filled_or_null(field[texts]);
    out->rival = filled_or_null(field[texts + 1]);
    return true;
}

/* The options of the call, as if the line stood in them. */
static void set_line(struct cli_options *options, struct cli_line *line)
{
    const struct {
        enum cli_option option;
        const char *text;
    } fields[] = {{CLI_PROMPT, line->text},
                  {CLI_CHANGED, line->changed},
                  {CLI_WORD, line->word},
                  {CLI_RIVAL, line->rival}};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        if (fields[f].text != NULL) {
            options->value[fields[f].option].given = true;
            options->value[fields[f].option].text = fields[f].text;
        }
    }
    line->options = options;
}

static bool ask_line(const struct cli_options *options, const struct cli_asking *asking,
                     struct model *model, struct cli_line *line, struct error *error)
{
    struct cli_options *const own = malloc(sizeof *own);
    struct error why = {ERROR_NONE, 0, ""};
    struct cli_cause cause;
    if (own == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    *own = *options;
    set_line(own, line);
    const bool is_open = cli_cause_open(own, model, &cause, &why);
    const bool done = is_open && asking->ask(asking->owner, line, &cause, &why);
    if (is_open) {
        cli_cause_close(&cause);
    }
    free(own);
    return done || error_set(error, why.code, "Line %zu: %s", line->number, why.text);
}

static bool check_texts(const struct cli_options *options, struct error *error)
{
    static const enum cli_option others[] = {CLI_PROMPT, CLI_IDS, CLI_TEXT_FILE, CLI_CHANGED};
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        if (options->value[others[o]].given) {
            return error_set(error, ERROR_USAGE, "Either --texts or --%s.",
                             cli_option_row(others[o])->name);
        }
    }
    return cli_reads_text(options) ||
           error_set(error, ERROR_USAGE, "This call is about a model: name its folder or a GGUF.");
}

static bool ask_lines(const struct cli_options *options, const struct cli_asking *asking,
                      struct error *error)
{
    struct arena arena = {0};
    struct bytes text;
    struct line one = {.number = 0};
    size_t asked = 0;
    if (!check_texts(options, error)) {
        return false;
    }
    const char *const path = options->value[CLI_TEXTS].text;
    struct model *const model = model_open(options->opened, error);
    bool done = model != NULL && file_read(path, CLI_TEXT_BYTES_MAX, &arena, &text, error);
    size_t at = done ? lines_start(text) : 0;
    while (done && lines_next(text, &at, &one)) {
        struct cli_line line = {.number = one.number};
        done = read_line(asking, one, &arena, &line, error) &&
               ask_line(options, asking, model, &line, error);
        asked++;
    }
    done = done && (asked > 0 || error_set(error, ERROR_INPUT, "There is no text in %.60s.", path));
    model_close(model);
    arena_free(&arena);
    return done;
}

bool cli_lines_answer(const struct cli_options *options, const struct cli_asking *asking,
                      struct cli_answer *answer, struct error *error)
{
    struct arena arena = {0};
    struct json_writer *const json = &answer->json;
    *answer = cli_answer_start(&arena);
    json_begin_object(json);
    json_key(json, "lines");
    json_begin_array(json, JSON_LINES);
    bool done = ask_lines(options, asking, error);
    json_end_array(json);
    if (done && !arena.lacking) {
        asking->put_means(asking->owner, options);
        json_end_object(json);
    }
    done = done && cli_answer_write(options, answer, error);
    arena_free(&arena);
    return done;
}

/* ---- writing --------------------------------------------------------------------------------- */

void cli_line_put(struct json_writer *json, const struct cli_line *line,
                  const struct cli_cause *cause, bool has_pairs)
{
    json_key(json, has_pairs ? "clean" : "text");
    json_put_text(json, line->text);
    if (has_pairs) {
        json_key(json, "changed");
        json_put_text(json, line->changed);
    }
    cli_cause_put_word(json, "word", "id", &cause->word);
    if (cause->has_rival) {
        cli_cause_put_word(json, "rival", "rival_id", &cause->rival);
    }
}

void cli_mean_put(struct json_writer *json, const char *name, const struct why_mean *mean)
{
    char spread[64];
    snprintf(spread, sizeof spread, "%s_spread", name);
    cli_cause_put_number(json, name, why_mean_of(mean));
    cli_cause_put_number(json, spread, why_mean_spread(mean));
}

void cli_mean_add_columns(struct cli_answer *answer, const char *name)
{
    cli_answer_add_column(answer, name, false);
    cli_answer_add_column(answer, arena_words(answer->arena, "%s spread", name), false);
}

void cli_mean_put_cells(struct cli_answer *answer, const struct why_mean *mean)
{
    cli_answer_put_number(answer, why_mean_of(mean));
    cli_answer_put_number(answer, why_mean_spread(mean));
}

void cli_mean_add_arrays(struct cli_answer *answer, const char *name, size_t rank,
                         const size_t *shape, const struct why_mean *means)
{
    size_t count = 1;
    for (size_t a = 0; a < rank; a++) {
        count *= shape[a];
    }
    float *const mean = cli_answer_add_floats(answer, name, rank, shape);
    float *const spread =
        cli_answer_add_floats(answer, arena_words(answer->arena, "%s_spread", name), rank, shape);
    for (size_t i = 0; mean != NULL && spread != NULL && i < count; i++) {
        mean[i] = (float)why_mean_of(&means[i]);
        spread[i] = (float)why_mean_spread(&means[i]);
    }
}

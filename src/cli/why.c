/* cli/why.c — a next word as a sum of parts, and the logit lens. */
#include <string.h>

#include "cli/lines.h"
#include "why/attribution.h"
#include "why/lens.h"

/* Computes the parts of a word and the lens; the caller frees both, whatever is returned. */
static bool explain_word(const struct cli_cause *cause, struct why_attribution *attribution,
                         struct why_lens *lens, struct error *error)
{
    const struct model_run *const run = cause->model.subject.run;
    const struct model *const model = cause->model.subject.model;
    const struct why_question question = {cause->position, cause->word.id, cause->rival.id,
                                          cause->has_rival};
    return why_attribute(run, model, &question, attribution, error) &&
           why_lens_make(run, model, cause->position, cause->word.id, lens, error);
}

static void put_parts(struct cli_cause *cause, const struct why_attribution *attribution)
{
    struct json_writer *const json = &cause->answer.json;
    json_key(json, "parts");
    json_begin_array(json, JSON_LINES);
    cli_answer_add_column(&cause->answer, "part", true);
    cli_answer_add_column(&cause->answer, "value", false);
    cli_cause_add_word_columns(cause);
    for (size_t p = 0; p < attribution->parts; p++) {
        const struct why_part *const part = &attribution->part[p];
        json_begin_object_in_line(json);
        json_key(json, "name");
        json_put_text(json, part->name);
        cli_cause_put_number(json, "value", part->value);
        json_end_object(json);
        cli_answer_put_text(&cause->answer, part->name);
        cli_answer_put_number(&cause->answer, part->value);
        cli_cause_put_word_cells(cause);
    }
    json_end_array(json);
    cli_cause_put_number(json, "remainder", attribution->remainder);
    cli_answer_put_text(&cause->answer, "remainder");
    cli_answer_put_number(&cause->answer, attribution->remainder);
    cli_cause_put_word_cells(cause);
}

static void put_cell(struct cli_cause *cause, const struct why_lens *lens,
                     const struct why_lens_cell *cell)
{
    static const char *const after[] = {[WHY_AFTER_EMBEDDING] = "embedding",
                                        [WHY_AFTER_ATTENTION] = "attention",
                                        [WHY_AFTER_MLP] = "mlp"};
    struct json_writer *const json = &cause->answer.json;
    json_begin_object_in_line(json);
    json_key(json, "layer");
    json_put_whole_number(json, (int64_t)cell->layer);
    json_key(json, "after");
    json_put_text(json, after[cell->after]);
    json_key(json, "position");
    json_put_whole_number(json, (int64_t)cell->position);
    json_key(json, "top");
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t t = 0; t < lens->top; t++) {
        json_begin_array(json, JSON_ONE_LINE);
        json_put_text(json, model_shown_of(cause->model.subject.model, MODEL_WRITTEN, cell->top[t],
                                           &cause->arena));
        json_put_float(json, cell->top_probability[t]);
        json_end_array(json);
    }
    json_end_array(json);
    cli_cause_put_number(json, "probability", cell->probability);
    json_key(json, "rank");
    json_put_whole_number(json, (int64_t)cell->rank);
    json_end_object(json);
}

static void put_lens(struct cli_cause *cause, const struct why_lens *lens)
{
    const size_t shape[] = {2 * lens->layers + 1, lens->n, lens->top};
    const size_t cells = shape[0] * shape[1];
    int64_t *const ids = cli_answer_add_ids(&cause->answer, "lens", 3, shape);
    float *const shares = cli_answer_add_floats(&cause->answer, "lens_probability", 3, shape);
    json_key(&cause->answer.json, "lens");
    json_begin_array(&cause->answer.json, JSON_LINES);
    for (size_t c = 0; c < cells; c++) {
        put_cell(cause, lens, &lens->cell[c]);
        for (size_t t = 0; ids != NULL && shares != NULL && t < lens->top; t++) {
            ids[c * lens->top + t] = lens->cell[c].top[t];
            shares[c * lens->top + t] = lens->cell[c].top_probability[t];
        }
    }
    json_end_array(&cause->answer.json);
}

static void add_numbers(struct cli_answer *answer, const char *name, size_t rank,
                        const size_t *shape, const double *values)
{
    float *const out = cli_answer_add_floats(answer, name, rank, shape);
    size_t count = 1;
    for (size_t a = 0; a < rank; a++) {
        count *= shape[a];
    }
    for (size_t i = 0; out != NULL && i < count; i++) {
        out[i] = (float)values[i];
    }
}

static void put_answer(struct cli_cause *cause, const struct why_attribution *attribution,
                       const struct why_lens *lens)
{
    struct cli_answer *const answer = &cause->answer;
    const size_t shape[] = {attribution->layers, attribution->heads, attribution->n};
    json_begin_object(&answer->json);
    cli_cause_put_word(&answer->json, "word", "id", &cause->word);
    if (cause->has_rival) {
        cli_cause_put_word(&answer->json, "rival", "rival_id", &cause->rival);
    }
    json_key(&answer->json, "position");
    json_put_whole_number(&answer->json, (int64_t)cause->position);
    cli_cause_put_logits(cause, &answer->json, "", attribution->word, attribution->rival);
    cli_cause_put_number(&answer->json, "probability",
                         cli_cause_probability(cause->logits,
                                               model_config(cause->model.subject.model)->vocabulary,
                                               cause->word.id));
    put_parts(cause, attribution);
    put_lens(cause, lens);
    json_end_object(&answer->json);
    add_numbers(answer, "attribution", 2, shape, attribution->of_heads);
    add_numbers(answer, "attribution_words", 3, shape, attribution->of_words);
}

/* ---- over lines ------------------------------------------------------------------------------ */

/* A part by its name: those that were put in by hand are not in every line. */
struct mean_part {
    const char *name;
    struct why_mean value;
};

/* The sums over all lines so far. */
struct over_lines {
    struct cli_answer answer;
    size_t layers, heads, parts, room, lines;
    struct mean_part *part;
    struct why_mean remainder, *of_heads; /* [layers][heads] */
    struct why_mean *lens[2];             /* [2 · layers + 1] of the probability, of the rank */
};

static struct why_mean *mean_of_part(struct over_lines *over, const char *name)
{
    size_t p = 0;
    while (p < over->parts && strcmp(over->part[p].name, name) != 0) {
        p++;
    }
    if (p == over->room) {
        const size_t room = 2 * over->room + 64;
        struct mean_part *const parts = arena_array(over->answer.arena, room, sizeof *parts);
        if (parts == NULL) {
            return NULL;
        }
        if (p > 0) {
            memcpy(parts, over->part, p * sizeof *parts);
        }
        over->part = parts;
        over->room = room;
    }
    if (p == over->parts) {
        over->part[over->parts++].name = arena_text(over->answer.arena, name, strlen(name));
    }
    return &over->part[p].value;
}

static bool make_room(struct over_lines *over, const struct why_attribution *attribution)
{
    struct arena *const arena = over->answer.arena;
    if (over->of_heads == NULL) {
        over->layers = attribution->layers;
        over->heads = attribution->heads;
        over->of_heads = arena_array(arena, over->layers * over->heads, sizeof *over->of_heads);
        for (size_t n = 0; n < 2; n++) {
            over->lens[n] = arena_array(arena, 2 * over->layers + 1, sizeof *over->lens[n]);
        }
    }
    return !arena->lacking;
}

static void put_line(struct over_lines *over, const struct cli_line *line,
                     const struct cli_cause *cause, const struct why_attribution *attribution)
{
    struct json_writer *const json = &over->answer.json;
    json_begin_object_in_line(json);
    cli_line_put(json, line, cause, false);
    cli_cause_put_logits(cause, json, "", attribution->word, attribution->rival);
    cli_cause_put_number(json, "probability",
                         cli_cause_probability(cause->logits,
                                               model_config(cause->model.subject.model)->vocabulary,
                                               cause->word.id));
    json_end_object(json);
}

static bool add_line(void *owner, const struct cli_line *line, struct cli_cause *cause,
                     struct error *error)
{
    struct over_lines *const over = owner;
    struct why_attribution attribution = {.parts = 0};
    struct why_lens lens = {.n = 0};
    const bool done =
        explain_word(cause, &attribution, &lens, error) &&
        (make_room(over, &attribution) ||
         error_set(error, ERROR_MEMORY, "There is not enough memory for the answer."));
    for (size_t p = 0; done && p < attribution.parts; p++) {
        struct why_mean *const mean = mean_of_part(over, attribution.part[p].name);
        if (mean != NULL) { /* else the arena knows */
            why_mean_add(mean, attribution.part[p].value);
        }
    }
    for (size_t h = 0; done && h < over->layers * over->heads; h++) {
        why_mean_add(&over->of_heads[h], attribution.of_heads[h]);
    }
    for (size_t s = 0; done && s < 2 * over->layers + 1; s++) {
        const struct why_lens_cell *const cell = &lens.cell[s * lens.n + cause->position];
        why_mean_add(&over->lens[0][s], cell->probability);
        why_mean_add(&over->lens[1][s], (double)cell->rank);
    }
    if (done) {
        why_mean_add(&over->remainder, attribution.remainder);
        over->lines++;
        put_line(over, line, cause, &attribution);
    }
    why_lens_free(&lens);
    why_attribution_free(&attribution);
    return done;
}

static void put_mean(struct over_lines *over, const char *name, const struct why_mean *mean)
{
    cli_answer_put_text(&over->answer, name);
    cli_mean_put_cells(&over->answer, mean);
    cli_answer_put_number(&over->answer, (double)mean->count);
}

static void put_means(void *owner, const struct cli_options *options)
{
    struct over_lines *const over = owner;
    (void)options;
    struct json_writer *const json = &over->answer.json;
    cli_answer_add_column(&over->answer, "part", true);
    cli_mean_add_columns(&over->answer, "value");
    cli_answer_add_column(&over->answer, "lines", false);
    json_key(json, "parts");
    json_begin_array(json, JSON_LINES);
    for (size_t p = 0; p < over->parts; p++) {
        json_begin_object_in_line(json);
        json_key(json, "name");
        json_put_text(json, over->part[p].name);
        cli_mean_put(json, "value", &over->part[p].value);
        json_end_object(json);
        put_mean(over, over->part[p].name, &over->part[p].value);
    }
    json_end_array(json);
    cli_mean_put(json, "remainder", &over->remainder);
    put_mean(over, "remainder", &over->remainder);
    json_key(json, "lens");
    json_begin_array(json, JSON_LINES);
    for (size_t s = 0; s < 2 * over->layers + 1; s++) {
        json_begin_object_in_line(json);
        json_key(json, "layer");
        json_put_whole_number(json, (int64_t)(s == 0 ? 0 : (s - 1) / 2));
        json_key(json, "after");
        json_put_text(json, s == 0 ? "embedding" : s % 2 == 1 ? "attention" : "mlp");
        cli_mean_put(json, "probability", &over->lens[0][s]);
        cli_mean_put(json, "rank", &over->lens[1][s]);
        json_end_object(json);
    }
    json_end_array(json);
    cli_mean_add_arrays(&over->answer, "attribution", 2,
                        (const size_t[]){over->layers, over->heads}, over->of_heads);
}

static bool explain_lines(const struct cli_options *options, struct error *error)
{
    struct over_lines over = {0};
    const struct cli_asking asking = {.ask = add_line, .put_means = put_means, .owner = &over};
    return cli_lines_answer(options, &asking, &over.answer, error);
}

/* ---- the call -------------------------------------------------------------------------------- */

static bool explain_text(const struct cli_options *options, struct error *error)
{
    struct cli_cause cause;
    struct why_attribution attribution = {.parts = 0};
    struct why_lens lens = {.n = 0};
    if (!cli_cause_open(options, NULL, &cause, error)) {
        return false;
    }
    bool done = explain_word(&cause, &attribution, &lens, error);
    if (done) {
        put_answer(&cause, &attribution, &lens);
        done = cli_answer_write(options, &cause.answer, error);
    }
    if (done) {
        cli_model_warn_of_unread(options, &cause.model);
    }
    why_lens_free(&lens);
    why_attribution_free(&attribution);
    cli_cause_close(&cause);
    return done;
}

int cli_why(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    const bool done = cli_answer_check(options, &error) &&
                      (options->value[CLI_TEXTS].given ? explain_lines(options, &error)
                                                       : explain_text(options, &error));
    return done ? CLI_DONE : cli_fail(&error);
}

/* cli/why.c — a next word as a sum of parts, and the logit lens. */
#include <string.h>

#include "cli/cause.h"
#include "why/attribution.h"
#include "why/lens.h"

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

int cli_why(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_cause cause;
    if (!cli_answer_check(options, &error) || !cli_cause_open(options, &cause, &error)) {
        return cli_fail(&error);
    }
    const struct model_run *const run = cause.model.subject.run;
    const struct model *const model = cause.model.subject.model;
    const struct why_question question = {cause.position, cause.word.id, cause.rival.id,
                                          cause.has_rival};
    struct why_attribution attribution = {.parts = 0};
    struct why_lens lens = {.n = 0};
    bool done = why_attribute(run, model, &question, &attribution, &error) &&
                why_lens_make(run, model, cause.position, cause.word.id, &lens, &error);
    if (done) {
        put_answer(&cause, &attribution, &lens);
        done = cli_answer_write(options, &cause.answer, &error);
    }
    if (done) {
        cli_model_warn_of_unread(options, &cause.model);
    }
    why_lens_free(&lens);
    why_attribution_free(&attribution);
    cli_cause_close(&cause);
    return done ? CLI_DONE : cli_fail(&error);
}

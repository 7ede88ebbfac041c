/* cli/cause.c — opens what a question about causes is about. */
#include "cli/cause.h"

#include <math.h>
#include <stdio.h>

#include "cli/subject.h"
#include "lab/run/sample.h"

/* The likeliest word of all. */
static uint32_t likeliest_token(const struct cli_cause *cause)
{
    size_t best = 0;
    for (size_t id = 1; id < model_config(cause->model.subject.model)->vocabulary; id++) {
        best = cause->logits[id] > cause->logits[best] ? id : best;
    }
    return (uint32_t)best;
}

bool cli_cause_find_word(const struct cli_options *options, struct cli_cause *cause,
                         const char *written, struct why_word *out, struct error *error)
{
    if (!why_word_find(cause->model.subject.run, cause->model.subject.model, cause->position,
                       written, &cause->arena, out, error)) {
        return false;
    }
    if (out->tokens > 1) {
        cli_warn(options, "“%.40s” has %zu tokens: its first, “%.40s”, is meant.", written,
                 out->tokens, out->shown);
    }
    return true;
}

static bool find_words(const struct cli_options *options, struct cli_cause *cause,
                       struct error *error)
{
    const struct cli_value *const word = &options->value[CLI_WORD], *const rival =
                                                                        &options->value[CLI_RIVAL];
    if (word->given && !cli_cause_find_word(options, cause, word->text, &cause->word, error)) {
        return false;
    }
    if (!word->given) {
        cause->word.id = likeliest_token(cause);
        cause->word.shown = model_shown_of(cause->model.subject.model, MODEL_WRITTEN,
                                           cause->word.id, &cause->arena);
    }
    cause->has_rival = rival->given;
    if (rival->given && !cli_cause_find_word(options, cause, rival->text, &cause->rival, error)) {
        return false;
    }
    return !rival->given || cause->rival.id != cause->word.id ||
           error_set(error, ERROR_USAGE, "--word and --rival are the same token, “%.40s”.",
                     cause->word.shown);
}

static bool read_model(const struct cli_options *options, struct cli_cause *cause,
                       struct error *error)
{
    const struct model_config *const config = model_config(cause->model.subject.model);
    const struct subject_spot last = {.which = cause->model.spot.which,
                                      .layer = config->layers - 1};
    if (!subject_compute(&cause->model.subject, &last, error)) {
        return false;
    }
    const size_t n = model_run_count(cause->model.subject.run);
    const struct cli_value *const query = &options->value[CLI_QUERY];
    const char *const *const words =
        why_words_shown(cause->model.subject.run, cause->model.subject.model, &cause->arena);
    if (words == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    cause->answer = cli_answer_start(&cause->arena);
    cause->answer.tokens = (struct npz_texts){"tokens", words, n};
    cause->position = n - 1;
    if (query->given && !why_place_find(words, n, query->text, &cause->position, error)) {
        return false;
    }
    cause->logits = arena_array(&cause->arena, config->vocabulary, sizeof *cause->logits);
    return (cause->logits != NULL ||
            error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.")) &&
           model_run_logits(cause->model.subject.run, cause->position, 1, cause->logits, error) &&
           find_words(options, cause, error);
}

bool cli_reads_text(const struct cli_options *options)
{
    return options->file != NULL && options->subject->reads_text;
}

bool cli_cause_open(const struct cli_options *options, struct model *open, struct cli_cause *cause,
                    struct error *error)
{
    *cause = (struct cli_cause){.position = 0};
    if (!cli_reads_text(options)) {
        return error_set(error, ERROR_USAGE,
                         "This call is about a model: name its folder or a GGUF, and give its text "
                         "with --text.");
    }
    if (!cli_model_open(options, open, &cause->model, error)) {
        return false;
    }
    if (!read_model(options, cause, error)) {
        cli_cause_close(cause);
        return false;
    }
    return true;
}

void cli_cause_close(struct cli_cause *cause)
{
    cli_model_close(&cause->model);
    arena_free(&cause->arena);
}

void cli_cause_put_word(struct json_writer *json, const char *key, const char *id_key,
                        const struct why_word *word)
{
    json_key(json, key);
    json_put_text(json, word->shown);
    json_key(json, id_key);
    json_put_whole_number(json, word->id);
}

void cli_cause_put_number(struct json_writer *json, const char *key, double value)
{
    json_key(json, key);
    if (isnan(value)) {
        json_put_null(json);
    } else {
        json_put_float(json, (float)value);
    }
}

void cli_cause_put_logits(const struct cli_cause *cause, struct json_writer *json,
                          const char *behind, double word, double rival)
{
    const struct {
        const char *name;
        double value;
    } logits[] = {{"logit", word}, {"logit_rival", rival}, {"difference", word - rival}};
    for (size_t l = 0; l < (cause->has_rival ? 3u : 1u); l++) {
        char key[40];
        snprintf(key, sizeof key, "%s%s", logits[l].name, behind);
        cli_cause_put_number(json, key, logits[l].value);
    }
}

void cli_cause_add_word_columns(struct cli_cause *cause)
{
    cli_answer_add_column(&cause->answer, "word", true);
    if (cause->has_rival) {
        cli_answer_add_column(&cause->answer, "rival", true);
    }
}

void cli_cause_put_word_cells(struct cli_cause *cause)
{
    cli_answer_put_text(&cause->answer, cause->word.shown);
    if (cause->has_rival) {
        cli_answer_put_text(&cause->answer, cause->rival.shown);
    }
}

double cli_cause_probability(const float *logits, size_t vocabulary, uint32_t id)
{
    const struct lab_shares shares = lab_shares_of(logits, vocabulary, 1);
    return lab_share(&shares, logits[id]);
}

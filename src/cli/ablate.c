/* cli/ablate.c — what is lost without heads and MLPs, together or in turn. */
#include <math.h>
#include <string.h>

#include "base/system/clock.h"
#include "cli/lines.h"
#include "why/ablation.h"

/* The parts that are taken away. */
struct parts {
    struct model_interventions all;
    struct model_interventions *one; /* [count] each part alone, and all together behind them */
    const char **name;
    size_t count;
    bool each;                         /* in turn: together they would be the whole model */
    struct why_state before, *without; /* [count + 1] */
};

/* "each", "each=mean@8": every head, then every MLP, as --without would have them. */
static const char *written_parts(const struct cli_options *options, const struct cli_cause *cause,
                                 struct parts *parts, struct arena *arena)
{
    const struct model_config *const config = model_config(cause->model.subject.model);
    const char *const text = options->value[CLI_HEAD_SET].text;
    struct growing list = growing_start(arena);
    struct bytes written;
    parts->each = strncmp(text, "each", 4) == 0;
    if (!parts->each) {
        return text;
    }
    for (size_t h = 0; h < config->layers * config->heads; h++) {
        growing_put_text(&list, h == 0 ? "" : ",");
        growing_put_text(&list, arena_words(arena, "L%zuH%zu%s", h / config->heads,
                                            h % config->heads, text + 4));
    }
    for (size_t l = 0; model_has_mlp(cause->model.subject.model) && l < config->layers; l++) {
        growing_put_text(&list, arena_words(arena, ",MLP%zu%s", l, text + 4));
    }
    return growing_finish(&list, &written, NULL) ? (const char *)written.at : NULL;
}

static bool read_parts(const struct cli_options *options, struct cli_cause *cause,
                       struct parts *parts, struct error *error)
{
    struct arena *const arena = &cause->arena;
    const struct why_wish wish = {WHY_WITHOUT, written_parts(options, cause, parts, arena)};
    if (wish.text == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    if (!why_interventions_read(&cause->model.read, &wish, 1, arena, &parts->all, error)) {
        return false;
    }
    parts->count = parts->all.count;
    parts->one = arena_array(arena, parts->count + 1, sizeof *parts->one);
    parts->name = arena_array(arena, parts->count + 1, sizeof *parts->name);
    parts->without = arena_array(arena, parts->count + 1, sizeof *parts->without);
    for (size_t p = 0; !arena->lacking && p < parts->count; p++) {
        parts->one[p] = (struct model_interventions){&parts->all.row[p], 1};
        parts->name[p] = why_intervention_name(&parts->all.row[p], arena);
    }
    if (arena->lacking) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    parts->one[parts->count] = parts->all;
    return true;
}

static void put_without(struct cli_cause *cause, const struct why_state *without)
{
    struct json_writer *const json = &cause->answer.json;
    cli_cause_put_logits(cause, json, "_without", without->word, without->rival);
    cli_cause_put_number(json, "probability_without", without->probability);
    cli_cause_put_number(json, "kl", without->kl);
    cli_cause_put_number(json, "loss_without", without->loss);
}

static void put_place(struct json_writer *json, const char *name,
                      const struct model_intervention *one)
{
    json_key(json, "name");
    json_put_text(json, name);
    json_key(json, "layer");
    json_put_whole_number(json, (int64_t)one->layer);
    json_key(json, "head");
    if (one->node == MODEL_NODE_Z) {
        json_put_whole_number(json, (int64_t)one->head);
    } else {
        json_put_null(json);
    }
}

static void put_part(struct cli_cause *cause, const struct parts *parts, size_t p)
{
    struct cli_answer *const answer = &cause->answer;
    const struct model_intervention *const one = &parts->all.row[p];
    const struct why_state *const without = &parts->without[p];
    struct json_writer *const json = &answer->json;
    const double lost = parts->before.logit - without->logit;
    json_begin_object_in_line(json);
    put_place(json, parts->name[p], one);
    cli_cause_put_number(json, "lost", lost);
    put_without(cause, without);
    json_end_object(json);
    cli_answer_put_text(answer, parts->name[p]);
    const double cells[] = {lost, without->logit, without->probability, without->kl, without->loss};
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
        cli_answer_put_number(answer, cells[c]);
    }
    cli_cause_put_word_cells(cause);
}

/* Adds each head's numbers as [layers][heads], NaN where it is not among the parts. */
static void add_arrays(struct cli_answer *answer, const struct model_config *config,
                       const struct parts *parts)
{
    const size_t shape[] = {config->layers, config->heads};
    float *const lost = cli_answer_add_floats(answer, "lost", 2, shape);
    float *const kl = cli_answer_add_floats(answer, "kl", 2, shape);
    float *const loss = cli_answer_add_floats(answer, "loss_without", 2, shape);
    float *const mlp = cli_answer_add_floats(answer, "lost_mlp", 1, shape);
    if (lost == NULL || kl == NULL || loss == NULL || mlp == NULL) {
        return;
    }
    for (size_t h = 0; h < config->layers * config->heads; h++) {
        lost[h] = kl[h] = loss[h] = mlp[h / config->heads] = NAN;
    }
    for (size_t p = 0; p < parts->count; p++) {
        const struct model_intervention *const one = &parts->all.row[p];
        const size_t h = one->layer * config->heads + one->head;
        const float value = (float)(parts->before.logit - parts->without[p].logit);
        if (one->node == MODEL_NODE_Z) {
            lost[h] = value;
            kl[h] = (float)parts->without[p].kl;
            loss[h] = (float)parts->without[p].loss;
        } else if (one->node == MODEL_NODE_MLP) {
            mlp[one->layer] = value;
        }
    }
}

static void put_answer(struct cli_cause *cause, const struct parts *parts)
{
    const char *const heads[] = {"lost", cause->has_rival ? "difference without" : "logit without",
                                 "probability without", "KL", "loss without"};
    struct cli_answer *const answer = &cause->answer;
    struct json_writer *const json = &answer->json;
    cli_answer_add_column(answer, "part", true);
    for (size_t c = 0; c < sizeof heads / sizeof *heads; c++) {
        cli_answer_add_column(answer, heads[c], false);
    }
    cli_cause_add_word_columns(cause);
    json_begin_object(json);
    cli_cause_put_word(json, "word", "id", &cause->word);
    if (cause->has_rival) {
        cli_cause_put_word(json, "rival", "rival_id", &cause->rival);
    }
    cli_cause_put_logits(cause, json, "", parts->before.word, parts->before.rival);
    cli_cause_put_number(json, "probability", parts->before.probability);
    cli_cause_put_number(json, "loss", parts->before.loss);
    if (!parts->each) {
        put_without(cause, &parts->without[parts->count]);
    }
    json_key(json, "heads");
    json_begin_array(json, JSON_LINES);
    for (size_t p = 0; p < parts->count; p++) {
        put_part(cause, parts, p);
    }
    json_end_array(json);
    json_end_object(json);
    add_arrays(answer, model_config(cause->model.subject.model), parts);
}

static bool compute_parts(const struct cli_options *options, struct cli_cause *cause,
                          struct parts *parts, struct error *error)
{
    if (!read_parts(options, cause, parts, error)) {
        return false;
    }
    const struct why_ablation ablation = {
        .run = cause->model.subject.run,
        .model = cause->model.subject.model,
        .question = {cause->position, cause->word.id, cause->rival.id, cause->has_rival},
        .wants_loss = options->value[CLI_LOSS].whole == CLI_SWITCH_ON};
    const double start = system_seconds();
    const bool done = why_ablate(&ablation, parts->one, parts->count + (parts->each ? 0 : 1),
                                 &parts->before, parts->without, error);
    cli_print_verbose(options, "%zu parts in turn in %.3f s", parts->count,
                      system_seconds() - start);
    return done;
}

/* ---- over lines ------------------------------------------------------------------------------ */

/* Numbers of a part, or of all together, that have a mean. */
enum { LOST, PROBABILITY_WITHOUT, KL, LOSS_WITHOUT, MEANS };

static const char *const mean_names[MEANS] = {"lost", "probability_without", "kl", "loss_without"};

/* The sums over all lines so far. */
struct over_lines {
    struct cli_answer answer;
    size_t layers, heads;
    struct model_intervention *row; /* [count] the parts of the first line */
    const char **name;
    size_t count;
    bool each;
    struct why_mean (*mean)[MEANS]; /* [count + 1] the last: all together */
    struct why_mean probability, loss;
};

static bool make_room(struct over_lines *over, const struct cli_cause *cause,
                      const struct parts *parts)
{
    struct arena *const arena = over->answer.arena;
    if (over->mean != NULL) {
        return true;
    }
    over->layers = model_config(cause->model.subject.model)->layers;
    over->heads = model_config(cause->model.subject.model)->heads;
    over->count = parts->count;
    over->each = parts->each;
    over->mean = arena_array(arena, parts->count + 1, sizeof *over->mean);
    over->row = arena_array(arena, parts->count + 1, sizeof *over->row);
    over->name = arena_array(arena, parts->count + 1, sizeof *over->name);
    for (size_t p = 0; !arena->lacking && p < parts->count; p++) {
        over->row[p] = parts->all.row[p];
        over->name[p] = arena_text(arena, parts->name[p], strlen(parts->name[p]));
    }
    return !arena->lacking;
}

static void add_state(struct why_mean *means, const struct why_state *before,
                      const struct why_state *without)
{
    why_mean_add(&means[LOST], before->logit - without->logit);
    why_mean_add(&means[PROBABILITY_WITHOUT], without->probability);
    why_mean_add(&means[KL], without->kl);
    why_mean_add(&means[LOSS_WITHOUT], without->loss);
}

static bool add_line(void *owner, const struct cli_line *line, struct cli_cause *cause,
                     struct error *error)
{
    struct over_lines *const over = owner;
    struct json_writer *const json = &over->answer.json;
    struct parts parts = {.count = 0};
    if (!compute_parts(line->options, cause, &parts, error)) {
        return false;
    }
    if (!make_room(over, cause, &parts)) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the answer.");
    }
    for (size_t p = 0; p < over->count + (over->each ? 0 : 1); p++) {
        add_state(over->mean[p], &parts.before, &parts.without[p]);
    }
    why_mean_add(&over->probability, parts.before.probability);
    why_mean_add(&over->loss, parts.before.loss);
    json_begin_object_in_line(json);
    cli_line_put(json, line, cause, false);
    cli_cause_put_logits(cause, json, "", parts.before.word, parts.before.rival);
    cli_cause_put_number(json, "probability", parts.before.probability);
    cli_cause_put_number(json, "loss", parts.before.loss);
    if (!parts.each) {
        const struct why_state *const all = &parts.without[parts.count];
        cli_cause_put_logits(cause, json, "_without", all->word, all->rival);
        cli_cause_put_number(json, "probability_without", all->probability);
        cli_cause_put_number(json, "kl", all->kl);
        cli_cause_put_number(json, "loss_without", all->loss);
    }
    json_end_object(json);
    return true;
}

static void put_mean_part(struct over_lines *over, size_t p)
{
    struct json_writer *const json = &over->answer.json;
    json_begin_object_in_line(json);
    put_place(json, over->name[p], &over->row[p]);
    cli_answer_put_text(&over->answer, over->name[p]);
    for (size_t m = 0; m < MEANS; m++) {
        cli_mean_put(json, mean_names[m], &over->mean[p][m]);
        cli_mean_put_cells(&over->answer, &over->mean[p][m]);
    }
    json_end_object(json);
}

/* Adds the heads' means of one number as [layers][heads]. */
static void add_mean_array(struct over_lines *over, size_t number)
{
    const size_t shape[] = {over->layers, over->heads};
    struct why_mean *const means =
        arena_array(over->answer.arena, shape[0] * shape[1], sizeof *means);
    for (size_t p = 0; means != NULL && p < over->count; p++) {
        if (over->row[p].node == MODEL_NODE_Z) {
            means[over->row[p].layer * shape[1] + over->row[p].head] = over->mean[p][number];
        }
    }
    if (means != NULL) {
        cli_mean_add_arrays(&over->answer, mean_names[number], 2, shape, means);
    }
}

static void put_means(void *owner, const struct cli_options *options)
{
    struct over_lines *const over = owner;
    (void)options;
    static const char *const heads[MEANS] = {"lost", "probability without", "KL", "loss without"};
    struct json_writer *const json = &over->answer.json;
    cli_answer_add_column(&over->answer, "part", true);
    cli_mean_put(json, "probability", &over->probability);
    cli_mean_put(json, "loss", &over->loss);
    for (size_t m = 0; m < MEANS; m++) {
        cli_mean_add_columns(&over->answer, heads[m]);
        if (!over->each) {
            cli_mean_put(json, mean_names[m], &over->mean[over->count][m]);
        }
        add_mean_array(over, m);
    }
    json_key(json, "heads");
    json_begin_array(json, JSON_LINES);
    for (size_t p = 0; p < over->count; p++) {
        put_mean_part(over, p);
    }
    json_end_array(json);
}

static bool ablate_lines(const struct cli_options *options, struct error *error)
{
    struct over_lines over = {0};
    const struct cli_asking asking = {.ask = add_line, .put_means = put_means, .owner = &over};
    return cli_lines_answer(options, &asking, &over.answer, error);
}

/* ---- the call -------------------------------------------------------------------------------- */

static bool ablate_text(const struct cli_options *options, struct error *error)
{
    struct cli_cause cause;
    struct parts parts = {.count = 0};
    if (!cli_cause_open(options, NULL, &cause, error)) {
        return false;
    }
    bool done = compute_parts(options, &cause, &parts, error);
    if (done) {
        put_answer(&cause, &parts);
        done = cli_answer_write(options, &cause.answer, error);
    }
    if (done) {
        cli_model_warn_of_unread(options, &cause.model);
    }
    cli_cause_close(&cause);
    return done;
}

int cli_ablate(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    const bool done = cli_answer_check(options, &error) &&
                      (options->value[CLI_TEXTS].given ? ablate_lines(options, &error)
                                                       : ablate_text(options, &error));
    return done ? CLI_DONE : cli_fail(&error);
}

/* cli/patch.c — parts of one text in another one, and paths between parts. */
#include "cli/lines.h"
#include "why/patching.h"

static struct why_ablation question_of(const struct cli_cause *cause)
{
    return (struct why_ablation){
        .run = cause->model.subject.run,
        .model = cause->model.subject.model,
        .question = {cause->position, cause->word.id, cause->rival.id, cause->has_rival}};
}

static const char *clean_text(const struct cli_options *options, struct cli_cause *cause,
                              struct error *error)
{
    struct bytes text;
    return options->value[CLI_IDS].given || !cli_model_text(options, &cause->arena, &text, error)
               ? NULL
               : arena_text(&cause->arena, (const char *)text.at, text.size);
}

static void put_heads(struct cli_cause *cause, const struct cli_options *options,
                      struct json_writer *json, struct error *error)
{
    json_begin_object(json);
    json_key(json, "clean");
    json_put_text(json, clean_text(options, cause, error));
    json_key(json, "changed");
    json_put_text(json, options->value[CLI_CHANGED].text);
    cli_cause_put_word(json, "word", "id", &cause->word);
    json_key(json, "rival");
    json_put_text(json, cause->has_rival ? cause->rival.shown : NULL);
}

/* ---- a table --------------------------------------------------------------------------------- */

static void put_table(struct cli_cause *cause, const struct cli_options *options,
                      const struct why_patching *patching, struct error *error)
{
    struct cli_answer *const answer = &cause->answer;
    struct json_writer *const json = &answer->json;
    const size_t shape[] = {patching->layers, patching->places};
    const bool of_words = options->value[CLI_WHAT].whole == WHY_RESIDUAL;
    float *const restored = cli_answer_add_floats(answer, "restored", 2, shape);
    for (size_t c = 0; restored != NULL && c < shape[0] * shape[1]; c++) {
        restored[c] = (float)patching->restored[c];
    }
    put_heads(cause, options, json, error);
    json_key(json, "what");
    json_put_text(json, options->value[CLI_WHAT].text);
    cli_cause_put_logits(cause, json, "_clean", patching->clean.word, patching->clean.rival);
    cli_cause_put_logits(cause, json, "_changed", patching->changed.word, patching->changed.rival);
    json_key(json, "restored");
    if (restored != NULL) {
        json_put_floats(json, 2, shape, restored);
    } else {
        json_put_null(json);
    }
    json_end_object(json);
    cli_answer_add_column(answer, "layer", true);
    cli_answer_add_column(answer, of_words ? "word" : "head", true);
    cli_answer_add_column(answer, "restored", false);
    cli_cause_add_word_columns(cause);
    for (size_t c = 0; c < shape[0] * shape[1]; c++) {
        const size_t place = c % shape[1];
        cli_answer_put_text(answer, arena_format(answer->arena, "%zu", c / shape[1]));
        cli_answer_put_text(answer, of_words ? answer->tokens.text[place]
                                             : arena_format(answer->arena, "%zu", place));
        cli_answer_put_number(answer, patching->restored[c]);
        cli_cause_put_word_cells(cause);
    }
}

static bool compute_table(const struct cli_options *options, struct cli_cause *cause,
                          struct why_patching *patching, struct error *error)
{
    const struct why_ablation question = question_of(cause);
    if (!options->value[CLI_CHANGED].given) {
        return error_set(error, ERROR_USAGE,
                         "patch compares two texts with as many tokens: --text and --changed, or "
                         "follows a path: --from and --to.");
    }
    struct model_run *const changed =
        why_other_run(&cause->model.read, options->value[CLI_CHANGED].text, &cause->arena, error);
    const bool done = changed != NULL &&
                      why_patch(&question, changed,
                                (enum why_patched)options->value[CLI_WHAT].whole, patching, error);
    model_run_close(changed);
    return done;
}

static bool patch_table(const struct cli_options *options, struct cli_cause *cause,
                        struct error *error)
{
    struct why_patching patching = {.layers = 0};
    const bool done = compute_table(options, cause, &patching, error);
    if (done) {
        put_table(cause, options, &patching, error);
    }
    why_patching_free(&patching);
    return done;
}

/* ---- a path ---------------------------------------------------------------------------------- */

static bool read_part(const struct cli_options *options, enum cli_option option,
                      struct why_node *part, struct error *error)
{
    const struct cli_value *const value = &options->value[option];
    struct why_place place;
    const char *rest = NULL;
    if (!value->given || !why_place_read(value->text, &place, &rest) || *rest != '\0' ||
        (place.node != MODEL_NODE_Z && place.node != MODEL_NODE_MLP)) {
        return error_set(error, ERROR_USAGE,
                         "A path is --from and --to, each a head or an MLP such as L0H2 or \"MLP "
                         "0\".");
    }
    *part = (struct why_node){place.node, place.layer, place.head};
    return true;
}

static void put_path(struct cli_cause *cause, const struct cli_options *options,
                     const struct why_state *before, const struct why_state *without,
                     struct error *error)
{
    struct cli_answer *const answer = &cause->answer;
    struct json_writer *const json = &answer->json;
    const double lost = before->logit - without->logit;
    put_heads(cause, options, json, error);
    json_key(json, "from");
    json_put_text(json, options->value[CLI_SENDER].text);
    json_key(json, "to");
    json_put_text(json, options->value[CLI_RECEIVER].text);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"lost", lost},
                   {"probability", before->probability},
                   {"probability_without", without->probability},
                   {"kl", without->kl}};
    cli_cause_put_logits(cause, json, "", before->word, before->rival);
    cli_cause_put_logits(cause, json, "_without", without->word, without->rival);
    cli_answer_add_column(answer, "from", true);
    cli_answer_add_column(answer, "to", true);
    cli_answer_put_text(answer, options->value[CLI_SENDER].text);
    cli_answer_put_text(answer, options->value[CLI_RECEIVER].text);
    cli_answer_add_column(answer, cause->has_rival ? "difference" : "logit", false);
    cli_answer_add_column(answer, cause->has_rival ? "difference without" : "logit without", false);
    cli_answer_put_number(answer, before->logit);
    cli_answer_put_number(answer, without->logit);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        cli_cause_put_number(json, numbers[i].name, numbers[i].value);
        cli_answer_add_column(answer, numbers[i].name, false);
        cli_answer_put_number(answer, numbers[i].value);
    }
    cli_cause_add_word_columns(cause);
    cli_cause_put_word_cells(cause);
    json_end_object(json);
    float *const array = cli_answer_add_floats(answer, "lost", 1, (const size_t[]){1});
    if (array != NULL) {
        array[0] = (float)lost;
    }
}

static bool compute_path(const struct cli_options *options, struct cli_cause *cause,
                         struct why_state *before, struct why_state *without, struct error *error)
{
    const struct why_ablation question = question_of(cause);
    const struct cli_value *const changed = &options->value[CLI_CHANGED];
    struct why_node sender, receiver;
    if (options->value[CLI_WHAT].given) {
        return error_set(error, ERROR_USAGE, "Either --what, a table, or --from and --to, a path.");
    }
    if (!read_part(options, CLI_SENDER, &sender, error) ||
        !read_part(options, CLI_RECEIVER, &receiver, error)) {
        return false;
    }
    struct model_run *const other =
        changed->given ? why_other_run(&cause->model.read, changed->text, &cause->arena, error)
                       : NULL;
    const bool done = (other != NULL || !changed->given) &&
                      why_path(&question, other, &sender, &receiver, before, without, error);
    model_run_close(other);
    return done;
}

static bool patch_path(const struct cli_options *options, struct cli_cause *cause,
                       struct error *error)
{
    struct why_state before, without;
    const bool done = compute_path(options, cause, &before, &without, error);
    if (done) {
        put_path(cause, options, &before, &without, error);
    }
    return done;
}

static bool is_path(const struct cli_options *options)
{
    return options->value[CLI_SENDER].given || options->value[CLI_RECEIVER].given;
}

/* ---- over lines ------------------------------------------------------------------------------ */

enum { LOST, PROBABILITY, PROBABILITY_WITHOUT, KL, MEANS };

static const char *const mean_names[MEANS] = {"lost", "probability", "probability_without", "kl"};

/* The sums over all pairs so far. */
struct over_lines {
    struct cli_answer answer;
    size_t layers, places;     /* of the table */
    struct why_mean *restored; /* [layers][places] */
    struct why_mean of_path[MEANS];
};

static bool add_table(struct over_lines *over, const struct cli_line *line, struct cli_cause *cause,
                      struct error *error)
{
    struct json_writer *const json = &over->answer.json;
    struct why_patching patching = {.layers = 0};
    bool done = compute_table(line->options, cause, &patching, error);
    if (done && over->restored == NULL) {
        over->layers = patching.layers;
        over->places = patching.places;
        over->restored =
            arena_array(over->answer.arena, over->layers * over->places, sizeof *over->restored);
    }
    if (done && over->places != patching.places) {
        done =
            error_set(error, ERROR_INPUT,
                      "It has %zu tokens and the first pair %zu: a mean for each word needs texts "
                      "of one length; --what head takes any.",
                      patching.places, over->places);
    }
    for (size_t c = 0; done && over->restored != NULL && c < over->layers * over->places; c++) {
        why_mean_add(&over->restored[c], patching.restored[c]);
    }
    if (done) {
        json_begin_object_in_line(json);
        cli_line_put(json, line, cause, true);
        cli_cause_put_logits(cause, json, "_clean", patching.clean.word, patching.clean.rival);
        cli_cause_put_logits(cause, json, "_changed", patching.changed.word,
                             patching.changed.rival);
        json_end_object(json);
    }
    why_patching_free(&patching);
    return done;
}

static bool add_path(struct over_lines *over, const struct cli_line *line, struct cli_cause *cause,
                     struct error *error)
{
    struct json_writer *const json = &over->answer.json;
    struct why_state before, without;
    if (!compute_path(line->options, cause, &before, &without, error)) {
        return false;
    }
    why_mean_add(&over->of_path[LOST], before.logit - without.logit);
    why_mean_add(&over->of_path[PROBABILITY], before.probability);
    why_mean_add(&over->of_path[PROBABILITY_WITHOUT], without.probability);
    why_mean_add(&over->of_path[KL], without.kl);
    json_begin_object_in_line(json);
    cli_line_put(json, line, cause, true);
    cli_cause_put_number(json, "lost", before.logit - without.logit);
    cli_cause_put_logits(cause, json, "", before.word, before.rival);
    cli_cause_put_logits(cause, json, "_without", without.word, without.rival);
    json_end_object(json);
    return true;
}

static bool add_line(void *owner, const struct cli_line *line, struct cli_cause *cause,
                     struct error *error)
{
    return (is_path(line->options) ? add_path : add_table)(owner, line, cause, error);
}

/* "restored" and "restored_spread", as the array of a single pair. */
static void put_mean_table(const struct cli_options *options, struct over_lines *over)
{
    struct cli_answer *const answer = &over->answer;
    const size_t shape[] = {over->layers, over->places};
    const bool of_words = options->value[CLI_WHAT].whole == WHY_RESIDUAL;
    json_key(&answer->json, "what");
    json_put_text(&answer->json, options->value[CLI_WHAT].text);
    for (size_t n = 0; n < 2; n++) {
        const char *const name = n == 0 ? "restored" : "restored_spread";
        float *const out = cli_answer_add_floats(answer, name, 2, shape);
        for (size_t c = 0; out != NULL && c < shape[0] * shape[1]; c++) {
            const struct why_mean *const mean = &over->restored[c];
            out[c] = (float)(n == 0 ? why_mean_of(mean) : why_mean_spread(mean));
        }
        json_key(&answer->json, name);
        if (out == NULL) {
            json_put_null(&answer->json); /* the arena knows, and the writer asks it */
        } else {
            json_put_floats(&answer->json, 2, shape, out);
        }
    }
    cli_answer_add_column(answer, "layer", true);
    cli_answer_add_column(answer, of_words ? "place" : "head", true);
    cli_mean_add_columns(answer, "restored");
    for (size_t c = 0; c < shape[0] * shape[1]; c++) {
        cli_answer_put_text(answer, arena_format(answer->arena, "%zu", c / shape[1]));
        cli_answer_put_text(answer, arena_format(answer->arena, "%zu", c % shape[1]));
        cli_mean_put_cells(answer, &over->restored[c]);
    }
}

static void put_mean_path(const struct cli_options *options, struct over_lines *over)
{
    struct cli_answer *const answer = &over->answer;
    const struct {
        const char *name;
        enum cli_option option;
    } ends[] = {{"from", CLI_SENDER}, {"to", CLI_RECEIVER}};
    for (size_t e = 0; e < 2; e++) {
        json_key(&answer->json, ends[e].name);
        json_put_text(&answer->json, options->value[ends[e].option].text);
        cli_answer_add_column(answer, ends[e].name, true);
        cli_answer_put_text(answer, options->value[ends[e].option].text);
    }
    for (size_t m = 0; m < MEANS; m++) {
        cli_mean_put(&answer->json, mean_names[m], &over->of_path[m]);
        cli_mean_add_columns(answer, mean_names[m]);
        cli_mean_put_cells(answer, &over->of_path[m]);
        cli_mean_add_arrays(answer, mean_names[m], 1, (const size_t[]){1}, &over->of_path[m]);
    }
}

static void put_means(void *owner, const struct cli_options *options)
{
    (is_path(options) ? put_mean_path : put_mean_table)(options, owner);
}

static bool patch_lines(const struct cli_options *options, struct error *error)
{
    struct over_lines over = {0};
    const struct cli_asking asking = {
        .has_pairs = true, .ask = add_line, .put_means = put_means, .owner = &over};
    return cli_lines_answer(options, &asking, &over.answer, error);
}

/* ---- the call -------------------------------------------------------------------------------- */

static bool patch_text(const struct cli_options *options, struct error *error)
{
    struct cli_cause cause;
    if (!cli_cause_open(options, NULL, &cause, error)) {
        return false;
    }
    bool done = (is_path(options) ? patch_path : patch_table)(options, &cause, error);
    done = done && cli_answer_write(options, &cause.answer, error);
    if (done) {
        cli_model_warn_of_unread(options, &cause.model);
    }
    cli_cause_close(&cause);
    return done;
}

int cli_patch(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    const bool done = cli_answer_check(options, &error) &&
                      (options->value[CLI_TEXTS].given ? patch_lines : patch_text)(options, &error);
    return done ? CLI_DONE : cli_fail(&error);
}

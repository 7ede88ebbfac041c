/* cli/dump.c — calls about a file of attention that was computed elsewhere. */
#include "cli/calls.h"

#include <stdlib.h>
#include <string.h>

#include "cli/results.h"
#include "lab/run/thumbnails.h"

/* Makes of --array to --batch and --text-file what is asked of the file; it borrows from them. */
static struct lab_dump_request dump_request(const struct cli_options *options)
{
    const struct cli_value *const value = options->value;
    return (struct lab_dump_request){
        .array = value[CLI_ARRAY].text,
        .axes = value[CLI_AXES].text,
        .reading = value[CLI_READING].given ? (enum lab_dump_reading)(value[CLI_READING].whole + 1)
                                            : LAB_DUMP_BY_NAME,
        .keys = value[CLI_KEYS_ARRAY].text,
        .sight = value[CLI_PARAM(MASK)].given ? LAB_DUMP_SEES_ALL : LAB_DUMP_SEES_BY_NAME,
        .batch = value[CLI_BATCH].given ? (size_t)value[CLI_BATCH].whole - 1 : 0,
        .words = value[CLI_TEXT_FILE].text,
        .tokens = value[CLI_TOKENS].text,
        .context = value[CLI_PARAM(CONTEXT)].text,
        .inside = value[CLI_TOKENS_ARRAY].text,
        .kernels = options->engine.kernels,
    };
}

/* Says whether the file can be read so: it opens, and so does its first head. */
static bool can_read(const struct cli_options *options, const struct lab_dump_request *request)
{
    struct subject subject = {.kind = &subject_attention_file,
                              .file = file_handle_keep(options->opened)};
    struct lab_experiment experiment;
    const bool reads =
        subject_open(&subject, options->file, request, NULL) &&
        subject_experiment(&subject, &(struct subject_spot){.layer = 0}, NULL, &experiment, NULL);
    if (reads) {
        lab_experiment_release(&experiment);
    }
    subject_release(&subject);
    return reads;
}

/* Says why a file is refused, with --reading for numbers that are no weights but can be scores. */
static void refuse_weights(const struct cli_options *options, const struct error *reason,
                           struct error *error)
{
    struct lab_dump_request request = dump_request(options);
    const bool asks = reason->code == ERROR_UNCLEAR || reason->code == ERROR_INPUT;
    request.reading = LAB_DUMP_AS_SCORES;
    if (asks && !options->value[CLI_READING].given && can_read(options, &request)) {
        error_set(error, reason->code,
                  "%s As it is: --reading raw; with a softmax: --reading scores.", reason->text);
    } else {
        *error = *reason;
    }
}

static bool open_dump(const struct cli_options *options, struct subject *subject,
                      struct error *error)
{
    const struct lab_dump_request request = dump_request(options);
    struct error reason = {ERROR_NONE, 0, ""};
    *subject = (struct subject){.kind = &subject_attention_file,
                                .file = file_handle_keep(options->opened)};
    const bool opened = subject_open(subject, options->file, &request, &reason);
    if (!opened) {
        refuse_weights(options, &reason, error);
    }
    return opened;
}

/* Refuses two lists of tokens, and options that give a text, which a file of attention does not
 * read. */
static bool check_words(const struct cli_options *options, struct error *error)
{
    static const enum cli_option unfit[] = {CLI_PROMPT,     CLI_PAIR,     CLI_IDS,     CLI_TARGET,
                                            CLI_TARGET_IDS, CLI_GENERATE, CLI_SPECIAL, CLI_CHAT,
                                            CLI_LESSON,     CLI_STEP};
    if (options->value[CLI_TOKENS].given && options->value[CLI_TEXT_FILE].given) {
        return error_set(error, ERROR_USAGE, "Either --tokens or --text-file.");
    }
    for (size_t u = 0; u < sizeof unfit / sizeof unfit[0]; u++) {
        if (options->value[unfit[u]].given) {
            return error_set(error, ERROR_USAGE,
                             "--%s does not go with a file of attention. Its tokens are in it or "
                             "beside it; --tokens and --text-file give others.",
                             cli_option_row(unfit[u])->name);
        }
    }
    return true;
}

/* Says what was guessed, and in a line of its own what is used where not everything is. */
static void warn_of(const struct cli_options *options, const struct lab_dump *dump)
{
    const struct lab_dump_facts *const facts = lab_dump_facts(dump);
    struct arena arena = {0};
    const char *const usage = facts->unused[0] == '\0' ? NULL : lab_dump_usage(dump, &arena);
    if (facts->doubt[0] != '\0') {
        cli_warn(options, "%s: %s", facts->name, facts->doubt);
    }
    if (usage != NULL) {
        cli_warn(options, "%s: %s.", facts->name, cli_escape_controls(usage, &arena));
    }
    arena_free(&arena);
}

bool cli_dump_experiment(const struct cli_options *options, struct cli_context *context,
                         struct error *error)
{
    if (!check_words(options, error) || !open_dump(options, &context->subject, error)) {
        return false;
    }
    const struct lab_dump_facts *const facts = lab_dump_facts(context->subject.dump);
    if (facts->content != LAB_DUMP_QK && !cli_check_given(options, CLI_SOURCE_WEIGHTS, error)) {
        return false;
    }
    context->is_model = true;
    context->sizes = subject_sizes(&context->subject, MODEL_SELF);
    context->stage = facts->content == LAB_DUMP_QK ? LAB_SCORE : LAB_SOFTMAX;
    if (!cli_model_layer(options, facts->layers, &context->layer, error) ||
        !cli_read_head_option(options, context->layer, facts->heads, &context->head, error)) {
        return false;
    }
    struct error reason = {ERROR_NONE, 0, ""};
    if (!cli_make_layer(options, context, context->layer, context->head, &context->experiment,
                        &reason)) {
        refuse_weights(options, &reason, error);
        return false;
    }
    warn_of(options, context->subject.dump);
    return true;
}

/* ---- compute -------------------------------------------------------------------------------- */

/* The answer of compute for a file: of all layers and heads, or of one. */
struct made {
    const struct subject *subject;
    const struct lab_dump_facts *facts;
    struct lab_dump_page *page;
    bool one_layer, one_head;
    size_t layer, head; /* the one, else 0 */
};

static const struct made *made_of(const struct cli_results *results)
{
    return results->owner;
}

/* Fills one head at a time. */
static bool fill_weights(const void *owner, size_t first, size_t count, float *out,
                         struct error *error)
{
    const struct made *const made = owner;
    const size_t heads = made->one_head ? 1 : made->facts->heads, matrix = first / made->facts->n;
    (void)count; /* it is a whole head */
    return lab_dump_weights(made->subject->dump, made->page, made->layer + matrix / heads,
                            made->head + matrix % heads, out, error);
}

/* Returns the name of the result that holds the file's numbers, with a softmax where it holds
 * scores. */
static const char *name_of_numbers(const struct lab_dump_facts *facts)
{
    return facts->content == LAB_DUMP_RAW ? "matrix" : "weights";
}

/* Adds the weights, which are read when they are written. */
static bool add_weights(struct cli_results *results, struct error *error)
{
    const struct made *const made = made_of(results);
    const struct lab_dump_facts *const f = made->facts;
    static const char axes[] = "LHnm";
    char left[sizeof axes] = "";
    size_t shape[4], rank = 0;
    const size_t sizes[] = {f->layers, f->heads, f->n, f->m};
    const bool gone[] = {made->one_layer, made->one_head, false, false};
    for (size_t a = 0; a < 4; a++) {
        if (!gone[a]) {
            left[rank] = axes[a];
            shape[rank++] = sizes[a];
        }
    }
    const struct array_filling filling = {fill_weights, made, f->n};
    const char *const kept = arena_format(results->arena, "%s", left);
    return (kept != NULL ||
            error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.")) &&
           cli_results_add_filled(results, name_of_numbers(f), kept, shape, &filling, error);
}

static bool add_measures(struct cli_results *results, struct error *error)
{
    const struct made *const made = made_of(results);
    const bool done = cli_results_add_measures(results, made->subject, MODEL_SELF, error);
    if (made->one_layer) {
        cli_results_keep_one(results, 'L', made->layer, made->facts->layers);
    }
    if (made->one_head) {
        cli_results_keep_one(results, 'H', made->head, made->facts->heads);
    }
    return done;
}

/* Reads --layer, --head and --mask. */
static bool read_selection(const struct cli_options *options, struct made *made,
                           struct error *error)
{
    const struct cli_value *const head = &options->value[CLI_HEAD];
    struct lab_experiment experiment;
    made->one_layer = options->value[CLI_LAYER].given || (head->given && head->text[0] == 'L');
    made->one_head = head->given;
    if (!cli_model_layer(options, made->facts->layers, &made->layer, error) ||
        !cli_read_head_option(options, made->layer, made->facts->heads, &made->head, error)) {
        return false;
    }
    if (!options->value[CLI_PARAM(MASK)].given) {
        return true;
    }
    bool taken = lab_experiment_default(&experiment, error);
    if (taken) {
        taken = cli_read_mask_option(options, &experiment, error);
        const struct lab_mask_rule rule = lab_experiment_mask(&experiment);
        taken = taken && lab_dump_set_mask(made->subject->dump, &rule, error);
        lab_experiment_release(&experiment);
    }
    return taken;
}

static void put_facts(struct json_writer *json, const struct lab_dump_facts *facts)
{
    const struct {
        const char *name;
        size_t number;
    } sizes[] = {{"layers", facts->layers}, {"heads", facts->heads}, {"queries", facts->n},
                 {"keys", facts->m},        {"d_k", facts->d},       {"texts", facts->batches},
                 {"text", facts->batch + 1}};
    const struct {
        const char *name, *text;
    } texts[] = {{"content", lab_dump_content_name(facts->content)},
                 {"array", facts->array},
                 {"axes", facts->axes},
                 {"type", array_type_name(facts->type)},
                 {"tokens_from", facts->words_from},
                 {"used", facts->used},
                 {"not_used", facts->unused},
                 {"note", facts->doubt}};
    json_begin_object(json);
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        json_key(json, texts[t].name);
        json_put_text(json, texts[t].text);
    }
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        json_key(json, sizes[s].name);
        json_put_whole_number(json, (int64_t)sizes[s].number);
    }
    json_end_object(json);
}

static const struct lab_words *context_of(const struct lab_dump_facts *facts)
{
    return facts->keys == facts->queries ? NULL : facts->keys;
}

static void put_settings(struct json_writer *json, const struct cli_results *results)
{
    json_key(json, "settings");
    put_facts(json, made_of(results)->facts);
    const struct {
        bool given;
        const char *name;
        size_t number;
    } places[] = {{made_of(results)->one_layer, "layer", made_of(results)->layer},
                  {made_of(results)->one_head, "head", made_of(results)->head}};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        if (places[p].given) { /* from 0, as all in arrays */
            json_key(json, places[p].name);
            json_put_whole_number(json, (int64_t)places[p].number);
        }
    }
}

static bool put_results(const struct cli_options *options, const struct cli_target *target,
                        const struct made *made, struct arena *arena, struct error *error)
{
    struct cli_results results = {.options = options,
                                  .target = target,
                                  .arena = arena,
                                  .tokens = lab_words_list(made->facts->queries),
                                  .token_count = made->facts->n,
                                  .put_settings = put_settings,
                                  .owner = made};
    if (context_of(made->facts) != NULL) {
        results.context = lab_words_list(made->facts->keys);
        results.context_count = made->facts->m;
    }
    const char *const name = name_of_numbers(made->facts);
    const bool raw = made->facts->content == LAB_DUMP_RAW;
    const bool measures = !raw && cli_wants_measures(options); /* of weights */
    if (options->value[CLI_SELECT].given && !cli_is_selected(options, name) && !measures) {
        return error_set(error, ERROR_USAGE, "%s holds %s: --select %s.", made->facts->name,
                         lab_dump_content_name(made->facts->content), name);
    }
    if (cli_is_selected(options, name) && !add_weights(&results, error)) {
        return false;
    }
    /* Where there is room for one array and none is named, the weights are meant. */
    const bool alone =
        !options->value[CLI_SELECT].given && cli_result_format_is_of_one(target->format);
    return (alone || !measures || add_measures(&results, error)) &&
           cli_results_write(&results, error);
}

bool cli_dump_results(const struct cli_options *options, const struct cli_target *target,
                      struct arena *arena, struct error *error)
{
    struct lab_dump_page page = {.holds = {NULL}};
    struct subject subject;
    if (!cli_check_selection(options, LAB_RESULT_OF_DUMP, error) || !check_words(options, error) ||
        !cli_check_given(options, CLI_SOURCE_ARRAYS, error) ||
        !open_dump(options, &subject, error)) {
        return false;
    }
    struct made made = {.subject = &subject, .facts = lab_dump_facts(subject.dump), .page = &page};
    const bool done =
        read_selection(options, &made, error) && put_results(options, target, &made, arena, error);
    if (done) { /* otherwise the error stands alone */
        warn_of(options, subject.dump);
    }
    if (done && page.unnoted > 0) {
        cli_warn(options, "%s: %zu rows of other heads hold NaN alone, and stay empty too.",
                 made.facts->name, page.unnoted);
    }
    lab_dump_page_free(&page);
    subject_release(&subject);
    return done;
}

/* ---- info ----------------------------------------------------------------------------------- */

static bool info_as_json(const struct cli_options *options, const struct lab_dump *dump,
                         struct arena *arena, struct bytes *content, struct error *error)
{
    size_t count = 0;
    const struct array *const array = lab_dump_arrays(dump, &count);
    const struct lab_dump_facts *const facts = lab_dump_facts(dump);
    struct json_writer json = json_writer_start(arena);
    json_begin_object(&json);
    json_key(&json, "file");
    json_put_text(&json, options->file);
    json_key(&json, "kind");
    json_put_text(&json, facts->format);
    json_key(&json, "bytes");
    json_put_whole_number(&json, (int64_t)facts->bytes);
    json_key(&json, "attention");
    put_facts(&json, facts);
    cli_write_words(&json, "tokens", lab_words_list(facts->queries), facts->n);
    cli_write_words(&json, "context", lab_words_list(context_of(facts)), facts->m);
    json_key(&json, "arrays");
    json_begin_array(&json, JSON_LINES);
    for (size_t a = 0; a < count; a++) {
        cli_write_array_facts(&json, &array[a]);
    }
    json_end_array(&json);
    const struct array_unread *const unread = lab_dump_unread(dump, &count);
    json_key(&json, "unread");
    json_begin_array(&json, JSON_LINES);
    for (size_t u = 0; u < count; u++) {
        cli_write_unread_facts(&json, &unread[u]);
    }
    json_end_array(&json);
    json_key(&json, "lesson");
    json_put_null(&json);
    json_end_object(&json);
    return json_writer_finish(&json, content, error);
}

static void put_first_words(struct growing *out, const struct lab_words *words)
{
    enum { SHOWN = 12 };
    for (size_t w = 0; w < lab_words_count(words) && w < SHOWN; w++) {
        growing_put_text(out, w == 0 ? "" : " ");
        growing_put_text(out, cli_escape_controls(lab_words_list(words)[w], out->arena));
    }
    growing_put_text(out, lab_words_count(words) > SHOWN ? " \u2026\n" : "\n");
}

static bool info_as_text(const struct cli_options *options, const struct lab_dump *dump,
                         struct arena *arena, struct bytes *content, struct error *error)
{
    size_t count = 0;
    const struct array *const array = lab_dump_arrays(dump, &count);
    const struct lab_dump_facts *const f = lab_dump_facts(dump);
    struct growing out = growing_start(arena);
    const char *const head = arena_format(
        arena,
        "%s: %s (%s), %zu bytes\n  %s of %zu layer%s, %zu head%s, %zu quer%s \u00d7 %zu "
        "key%s\n"
        "  in %s (%s), %s, axes %s\n  tokens      %s: ",
        cli_escape_controls(options->file, arena),
        f->content == LAB_DUMP_RAW ? "an array" : "attention", f->format, f->bytes,
        lab_dump_content_name(f->content), f->layers, f->layers == 1 ? "" : "s", f->heads,
        f->heads == 1 ? "" : "s", f->n, f->n == 1 ? "y" : "ies", f->m, f->m == 1 ? "" : "s",
        f->array[0] == '\0' ? "its one array" : cli_escape_controls(f->array, arena), f->shape,
        array_type_name(f->type), f->axes,
        f->words_from == NULL ? "counted" : cli_escape_controls(f->words_from, arena));
    growing_put_text(&out, head == NULL ? "" : head);
    put_first_words(&out, f->queries);
    if (context_of(f) != NULL) {
        growing_put_text(&out, "  context     ");
        put_first_words(&out, f->keys);
    }
    if (f->doubt[0] != '\0') {
        growing_put_text(&out, "  note        ");
        growing_put_text(&out, cli_escape_controls(f->doubt, arena));
        growing_put_text(&out, "\n");
    }
    const char *const usage = lab_dump_usage(dump, arena);
    growing_put_text(&out, "  arrays      ");
    growing_put_text(&out, usage == NULL ? "" : cli_escape_controls(usage, arena));
    growing_put_text(&out, "\n");
    for (size_t a = 0; a < count; a++) {
        const char *const name =
            array[a].name[0] == '\0' ? "array" : cli_escape_controls(array[a].name, arena);
        const char *const row =
            arena_format(arena, "  %-11s %-8s  %s\n", name, array_type_name(array[a].type),
                         array_shape_text(&array[a], " \u00d7 ", arena));
        growing_put_text(&out, row == NULL ? "" : row);
    }
    const struct array_unread *const unread = lab_dump_unread(dump, &count);
    for (size_t u = 0; u < count; u++) {
        const char *const row =
            arena_format(arena, "  %-11s %-8s  %s, which is not read%s%s\n",
                         cli_escape_controls(unread[u].array.name, arena), unread[u].type,
                         array_shape_text(&unread[u].array, " \u00d7 ", arena),
                         unread[u].why == NULL ? "" : ": ",
                         unread[u].why == NULL ? "" : cli_escape_controls(unread[u].why, arena));
        growing_put_text(&out, row == NULL ? "" : row);
    }
    return growing_finish(&out, content, error);
}

bool cli_dump_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                   struct error *error)
{
    struct subject subject;
    const bool said = open_dump(options, &subject, error) &&
                      (options->value[CLI_JSON].given ? info_as_json : info_as_text)(
                          options, subject.dump, arena, content, error);
    subject_release(&subject);
    return said;
}

/* ---- the window ----------------------------------------------------------------------------- */

bool cli_dump_window(const struct cli_options *options, struct cli_window *window,
                     struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    if (!check_words(options, error)) {
        return false;
    }
    struct subject opened;
    if (window->dump == NULL && open_dump(options, &opened, &reason)) {
        window->dump = opened.dump;
    }
    if (window->dump == NULL && reason.code != ERROR_UNCLEAR) { /* else the window asks */
        return error_set(error, reason.code, "%s", reason.text);
    }
    bool there = true;
    if (window->dump != NULL) {
        const struct lab_dump_facts *const facts = lab_dump_facts(window->dump);
        there = cli_model_layer(options, facts->layers, &window->layer, error) &&
                cli_read_head_option(options, window->layer, facts->heads, &window->head, error);
    }
    window->model = options->file;
    window->is_dump = true;
    window->request = dump_request(options);
    return there;
}

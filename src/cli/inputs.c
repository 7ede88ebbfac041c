/* cli/inputs.c — reads files of numbers into an experiment. */
#include <string.h>

#include "base/file.h"
#include "cli/calls.h"
#include "file/kinds.h"
#include "file/npz.h"
#include "file/vectors.h"

static const size_t bytes_max = (size_t)1 << 30;

/* Sets an error with the file's name before the reason. */
static bool error_in_file(const char *path, const struct error *reason, struct error *error)
{
    return error_set(error, reason->code, "%.70s: %.120s", path, reason->text);
}

static struct lab_numbers *numbers_of(const struct array *array, struct arena *arena,
                                      struct error *error)
{
    if (array->rank < 2 || array->rank > 3) {
        error_set(error, ERROR_INPUT, "It has %zu dimensions; 2 or 3 are needed.", array->rank);
        return NULL;
    }
    const float *const values = array_floats(array, arena, error);
    const size_t shape[3] = {array->shape[0], array->shape[1],
                             array->rank == 3 ? array->shape[2] : 1};
    return values == NULL ? NULL : lab_numbers_make(values, array->rank, shape, error);
}

/* handle NULL: there is no memory. */
static struct lab_numbers *read_array(struct file_handle *handle, struct error *error)
{
    struct arena arena = {0};
    struct bytes file;
    struct array array;
    struct error reason = {ERROR_NONE, 0, ""};
    struct lab_numbers *numbers = NULL;
    if (handle == NULL) {
        (void)error_set(error, ERROR_MEMORY, "There is not enough memory for these numbers.");
        return NULL;
    }
    if (!file_handle_read(handle, bytes_max, &arena, &file, error)) {
        arena_free(&arena);
        return NULL;
    }
    if (file_kind_read_array(file, &arena, &array, &reason)) {
        numbers = numbers_of(&array, &arena, &reason);
    }
    arena_free(&arena);
    if (numbers == NULL) {
        error_in_file(file_handle_path(handle), &reason, error);
    }
    return numbers;
}

static struct lab_numbers *read_array_at(const char *path, struct error *error)
{
    struct file_handle *const file = file_handle_open(path);
    struct lab_numbers *const numbers = read_array(file, error);
    file_handle_release(file);
    return numbers;
}

/* Makes one word for each row of a table that has no words: the prefix with 1, 2 and so on. */
static bool number_words(const struct lab_words **words, size_t count, const char *prefix,
                         struct error *error)
{
    struct arena arena = {0};
    const char **const word = arena_array(&arena, count + 1, sizeof *word);
    bool made = word != NULL;
    for (size_t w = 0; made && w < count; w++) {
        word[w] = arena_format(&arena, "%s%zu", prefix, w + 1);
        made = word[w] != NULL;
    }
    struct lab_words *const list = made ? lab_words_make(word, count, error) : NULL;
    arena_free(&arena);
    if (list == NULL) {
        return made ? false : error_set(error, ERROR_MEMORY, "There is not enough memory.");
    }
    lab_words_release(*words);
    *words = list;
    return true;
}

static bool read_vectors(const struct cli_options *options, struct file_handle *file,
                         struct lab_experiment *experiment, struct error *error)
{
    const char *const path = file_handle_path(file);
    const size_t n = lab_words_count(experiment->tokens), m = lab_words_count(experiment->context);
    struct arena arena = {0};
    struct vectors vectors;
    struct error reason = {ERROR_NONE, 0, ""};
    const char **const wanted = arena_array(&arena, n + m + 1, sizeof *wanted);
    bool done =
        wanted != NULL || error_set(error, ERROR_MEMORY, "There is not enough memory for them.");
    if (done) {
        for (size_t w = 0; w < n + m; w++) {
            wanted[w] = w < n ? lab_words_list(experiment->tokens)[w]
                              : lab_words_list(experiment->context)[w - n];
        }
        done = vectors_open(file, wanted, n + m, NULL, &arena, &vectors, &reason);
        if (done) {
            for (size_t w = 0; w < n + m; w++) {
                if (!vectors.found[w]) {
                    cli_warn(options, "\"%.60s\" is not in %.80s; its numbers are all 0", wanted[w],
                             path);
                }
            }
            experiment->embeddings = lab_numbers_make(
                vectors.values, 2, (size_t[]){n + m, vectors.dimension, 1}, &reason);
            done = experiment->embeddings != NULL;
        }
        if (!done) {
            error_in_file(path, &reason, error);
        }
    }
    arena_free(&arena);
    return done;
}

bool cli_read_embedding(const struct cli_options *options, struct lab_experiment *experiment,
                        struct error *error)
{
    const char *const path = options->value[CLI_PARAM(EMBEDDING)].text;
    experiment->embedding = LAB_EMBEDDING_NUMBERS;
    struct file_handle *const file = file_handle_open(path);
    const enum file_kind kind = file_handle_kind(file);
    const bool array = kind == FILE_TABLE || kind == FILE_NPY ||
                       (kind == FILE_KINDS && file_kind_has_suffix(FILE_NPY, path));
    const bool is_listed = file != NULL && (!array || vectors_are_listed(path));
    const bool reads = is_listed && read_vectors(options, file, experiment, error);
    if (!is_listed) {
        experiment->embeddings = read_array(file, error);
    }
    file_handle_release(file);
    if (is_listed) {
        return reads;
    }
    if (experiment->embeddings == NULL) {
        return false;
    }
    const size_t rows = lab_numbers_shape(experiment->embeddings)[0];
    const bool named = options->value[CLI_TOKENS].given || options->value[CLI_TEXT_FILE].given;
    if (!named && rows != lab_words_count(experiment->tokens) && experiment->context == NULL) {
        return number_words(&experiment->tokens, rows, "", error);
    }
    return true;
}

/* Says whether the array has as many axes as weights have, before it is unpacked. The reader
 * reports a name that is missing. */
static bool may_be_weights(const struct npz_list *listed, const char *name, struct error *error)
{
    for (size_t a = 0; a < listed->count; a++) {
        const size_t rank = listed->array[a].rank;
        if (strcmp(listed->array[a].name, name) == 0 && (rank < 2 || rank > 3)) {
            return error_set(error, ERROR_INPUT, "It has %zu dimensions; 2 or 3 are needed.", rank);
        }
    }
    return true;
}

bool cli_read_weights(const struct cli_options *options, struct lab_experiment *experiment,
                      struct error *error)
{
    const char *const path = options->value[CLI_PARAM(WEIGHTS)].text;
    const bool latent = experiment->kind == LAB_LATENT;
    const struct {
        const char *name;
        const struct lab_numbers **place;
    } parts[] = {{"W_Q", &experiment->w_q},
                 {"W_O", &experiment->w_o},
                 {latent ? "W_DKV" : "W_K", latent ? &experiment->w_dkv : &experiment->w_k},
                 {latent ? "W_UK" : "W_V", latent ? &experiment->w_uk : &experiment->w_v},
                 {"W_UV", &experiment->w_uv}};
    const size_t count = sizeof parts / sizeof parts[0] - (latent ? 0 : 1);
    struct arena arena = {0};
    struct bytes file;
    struct npz_list listed = {.count = 0};
    struct error reason = {ERROR_NONE, 0, ""};
    experiment->weights = LAB_WEIGHTS_NUMBERS;
    bool done = file_read(path, bytes_max, &arena, &file, error);
    (void)(done && npz_list(file, &arena, &listed, NULL));
    for (size_t p = 0; done && p < count; p++) {
        struct array array;
        if (may_be_weights(&listed, parts[p].name, &reason) &&
            npz_read_one(file, parts[p].name, &arena, &array, &reason)) {
            *parts[p].place = numbers_of(&array, &arena, &reason);
        }
        done = *parts[p].place != NULL || error_in_file(path, &reason, error);
    }
    arena_free(&arena);
    return done;
}

bool cli_read_mask(const struct cli_options *options, struct lab_experiment *experiment,
                   struct error *error)
{
    struct lab_numbers *const numbers = read_array_at(options->value[CLI_PARAM(MASK)].text, error);
    if (numbers == NULL) {
        return false;
    }
    const size_t *const shape = lab_numbers_shape(numbers);
    const size_t pairs = shape[0] * shape[1];
    struct lab_custom_mask *custom_mask = NULL;
    struct arena arena = {0};
    uint8_t *const visible = arena_array(&arena, pairs + 1, sizeof *visible);
    if (lab_numbers_rank(numbers) != 2) {
        error_set(error, ERROR_INPUT, "%.70s: a mask is one table: queries × keys.",
                  options->value[CLI_PARAM(MASK)].text);
    } else if (visible == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for the mask.");
    } else {
        for (size_t p = 0; p < pairs; p++) {
            const float shown = lab_numbers_values(numbers)[p];
            visible[p] = (uint8_t)(shown < 0 || shown > 0);
        }
        custom_mask = lab_custom_mask_make(visible, shape[0], shape[1], error);
    }
    if (custom_mask != NULL) {
        const struct lab_mask_rule rule = {.kind = LAB_MASK_CUSTOM, .custom_mask = custom_mask};
        lab_experiment_set_mask(experiment, &rule);
        lab_custom_mask_release(custom_mask);
    }
    arena_free(&arena);
    lab_numbers_release(numbers);
    return custom_mask != NULL;
}

bool cli_read_raw(const struct cli_options *options, struct lab_experiment *experiment,
                  struct error *error)
{
    static const enum cli_option names[] = {CLI_PARAM(Q), CLI_PARAM(K), CLI_PARAM(V)};
    const struct lab_numbers **const places[] = {&experiment->q, &experiment->k, &experiment->v};
    for (size_t p = 0; p < 3; p++) {
        if (!options->value[names[p]].given) {
            return error_set(error, ERROR_USAGE, "--q, --k and --v go together: --%s is missing.",
                             cli_option_row(names[p])->name);
        }
        lab_numbers_release(*places[p]);
        *places[p] = read_array_at(options->value[names[p]].text, error);
        if (*places[p] == NULL) {
            return false;
        }
    }
    const size_t n = lab_numbers_shape(experiment->q)[lab_numbers_rank(experiment->q) - 2];
    const size_t m = lab_numbers_shape(experiment->k)[lab_numbers_rank(experiment->k) - 2];
    const bool named = options->value[CLI_TOKENS].given || options->value[CLI_TEXT_FILE].given;
    if (!named && lab_words_count(experiment->tokens) != n &&
        !number_words(&experiment->tokens, n, "q", error)) {
        return false;
    }
    if (!options->value[CLI_PARAM(CONTEXT)].given && m != n) {
        return number_words(&experiment->context, m, "k", error);
    }
    return true;
}

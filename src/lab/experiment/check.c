/* lab/experiment/check.c — every rule that an experiment must keep, each with its sentence. */
#include <math.h>
#include <stdio.h>

#include "base/translate.h"
#include "lab/experiment/params.h"

static const uint64_t bytes_limit = UINT64_C(4) << 30;

static bool within_limits(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                          struct error *error)
{
    const struct {
        const char *what;
        size_t count;
    } words[] = {{"The number of queries", sizes->n}, {"The number of keys", sizes->m}};
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        if (words[w].count > LAB_TOKENS_MAX) {
            return error_set(error, ERROR_INPUT, "%s must be %zu to %zu, not %zu.",
                             tr(words[w].what), (size_t)0, (size_t)LAB_TOKENS_MAX, words[w].count);
        }
    }
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        const double value = param->what == NULL ? 0 : lab_param_holds(param, experiment);
        const bool absent = sizes->partial && param->automatic && !(value > 0); /* it has no K or
                                                                                   no V */
        if (param->what != NULL && !absent && !record_check_number(&param->row, value, error)) {
            return false;
        }
    }
    return true;
}

/* Checks the shape of an array; a single head may be given without its axis. */
static bool has_shape(const char *name, const struct lab_numbers *numbers, size_t heads,
                      size_t rows, size_t cols, struct error *error)
{
    if (numbers == NULL) {
        return error_set(error, ERROR_INPUT, "%s is missing.", name);
    }
    const size_t rank = lab_numbers_rank(numbers);
    const size_t *const shape = lab_numbers_shape(numbers);
    const size_t found_heads = rank == 3 ? shape[0] : 1;
    if (found_heads != heads || shape[rank - 2] != rows || shape[rank - 1] != cols) {
        return error_set(error, ERROR_INPUT,
                         "%s is %zu × %zu × %zu (heads, rows, columns), expected %zu × %zu × %zu.",
                         name, found_heads, shape[rank - 2], shape[rank - 1], heads, rows, cols);
    }
    return true;
}

static bool all_finite(const char *name, const struct lab_numbers *numbers, struct error *error)
{
    const size_t *const shape = lab_numbers_shape(numbers);
    const size_t count = numbers == NULL ? 0 : shape[0] * shape[1] * shape[2];
    for (size_t c = 0; c < count; c++) {
        if (!isfinite(lab_numbers_values(numbers)[c])) {
            return error_set(error, ERROR_INPUT,
                             "%s holds a number that is not finite at position %zu.", name, c);
        }
    }
    return true;
}

static bool raw_agrees(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                       struct error *error)
{
    const size_t tokens = lab_words_count(experiment->tokens);
    if (tokens != sizes->n) {
        return error_set(error, ERROR_INPUT,
                         "%s has %zu rows for %zu tokens: name one token for each row.",
                         experiment->alpha == NULL ? "Q" : "α", sizes->n, tokens);
    }
    const size_t keys = experiment->context == NULL ? tokens : lab_words_count(experiment->context);
    if (keys != sizes->m) {
        return experiment->alpha == NULL
                   ? error_set(
                         error, ERROR_INPUT,
                         "K has %zu rows for %zu words: name one word of the context for each.",
                         sizes->m, keys)
                   : error_set(
                         error, ERROR_INPUT,
                         "α has %zu columns for %zu words: name one word of the context for each.",
                         sizes->m, keys);
    }
    const bool values = experiment->v == NULL || (has_shape("V", experiment->v, sizes->kv_heads,
                                                            sizes->m, sizes->d_v, error) &&
                                                  all_finite("V", experiment->v, error));
    if (experiment->alpha != NULL) {
        return values && (lab_has_shares(experiment) || all_finite("M", experiment->alpha, error));
    }
    return values && has_shape("K", experiment->k, sizes->kv_heads, sizes->m, sizes->d_k, error) &&
           all_finite("Q", experiment->q, error) && all_finite("K", experiment->k, error);
}

static bool embeddings_agree(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                             struct error *error)
{
    if (experiment->embedding != LAB_EMBEDDING_NUMBERS) {
        return true;
    }
    if (experiment->embeddings == NULL || lab_numbers_rank(experiment->embeddings) != 2) {
        return error_set(error, ERROR_INPUT,
                         "The embeddings must be one table: words × dimensions.");
    }
    const size_t rows = lab_numbers_shape(experiment->embeddings)[0];
    const size_t words = sizes->n + lab_words_count(experiment->context);
    if (rows != words) {
        return error_set(error, ERROR_INPUT,
                         "The embeddings have %zu rows for %zu words: name one word for each row.",
                         rows, words);
    }
    return all_finite("The table of embeddings", experiment->embeddings, error);
}

static bool weights_agree(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                          struct error *error)
{
    if (experiment->weights != LAB_WEIGHTS_NUMBERS) {
        return true;
    }
    const size_t d = sizes->d_model, h = sizes->heads, kv = sizes->kv_heads;
    const struct {
        const char *name;
        const struct lab_numbers *numbers;
        size_t heads, rows, cols;
        bool latent, plain; /* which kinds of attention need it */
    } needed[] = {{"W_Q", experiment->w_q, h, d, sizes->d_k, true, true},
                  {"W_K", experiment->w_k, kv, d, sizes->d_k, false, true},
                  {"W_V", experiment->w_v, kv, d, sizes->d_v, false, true},
                  {"W_DKV", experiment->w_dkv, 1, d, sizes->latent, true, false},
                  {"W_UK", experiment->w_uk, h, sizes->latent, sizes->d_k, true, false},
                  {"W_UV", experiment->w_uv, h, sizes->latent, sizes->d_v, true, false},
                  {"W_O", experiment->w_o, 1, h * sizes->d_v, d, true, true}};
    for (size_t w = 0; w < sizeof needed / sizeof needed[0]; w++) {
        if (!(sizes->latent > 0 ? needed[w].latent : needed[w].plain)) {
            continue;
        }
        if (!has_shape(needed[w].name, needed[w].numbers, needed[w].heads, needed[w].rows,
                       needed[w].cols, error) ||
            !all_finite(needed[w].name, needed[w].numbers, error)) {
            return false;
        }
    }
    return true;
}

/* Checks biases: they need projected words to be added to. */
static bool biases_agree(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                         struct error *error)
{
    const struct {
        const char *name;
        const struct lab_numbers *numbers;
        size_t heads, cols;
    } biases[] = {{"b_Q", experiment->b_q, sizes->heads, sizes->d_k},
                  {"b_K", experiment->b_k, sizes->kv_heads, sizes->d_k},
                  {"b_V", experiment->b_v, sizes->kv_heads, sizes->d_v},
                  {"b_O", experiment->b_o, 1, sizes->d_model}};
    for (size_t b = 0; b < sizeof biases / sizeof biases[0]; b++) {
        if (biases[b].numbers == NULL) {
            continue;
        }
        if (sizes->latent > 0) {
            return error_set(error, ERROR_INPUT,
                             "%s is given, but latent attention has no biases: leave it out.",
                             biases[b].name);
        }
        if (!has_shape(biases[b].name, biases[b].numbers, biases[b].heads, 1, biases[b].cols,
                       error) ||
            !all_finite(biases[b].name, biases[b].numbers, error)) {
            return false;
        }
    }
    return true;
}

static bool switches_agree(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                           struct error *error)
{
    if ((unsigned)experiment->normalise >= LAB_NORMALISES) {
        return error_set(error, ERROR_INPUT, "There is no way number %u to make weights of scores.",
                         (unsigned)experiment->normalise);
    }
    if (experiment->normalise == LAB_AS_GIVEN && experiment->alpha == NULL) {
        return error_set(error, ERROR_INPUT,
                         "Only a matrix that is given can stay as it is: scores become weights by "
                         "softmax or plain share.");
    }
    if (experiment->skip_w_o && !sizes->raw && sizes->heads * sizes->d_v != sizes->d_model) {
        return error_set(error, ERROR_INPUT,
                         "W_O can only be left out where heads · dᵥ is d_model: here it is %zu · "
                         "%zu, and d_model is %zu.",
                         sizes->heads, sizes->d_v, sizes->d_model);
    }
    return true;
}

static bool kind_agrees(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                        struct error *error)
{
    if ((unsigned)experiment->kind >= LAB_KINDS) {
        return error_set(error, ERROR_INPUT, "There is no kind of attention number %u.",
                         (unsigned)experiment->kind);
    }
    if (sizes->kv_heads < 1 || sizes->heads % sizes->kv_heads != 0) {
        char fits[100] = "";
        size_t length = 0;
        for (size_t g = 1; g <= sizes->heads && length < sizeof fits; g++) {
            if (sizes->heads % g == 0) {
                const int wrote =
                    snprintf(fits + length, sizeof fits - length, "%s%zu", g == 1 ? "" : ", ", g);
                length += wrote > 0 ? (size_t)wrote : 0;
            }
        }
        return error_set(
            error, ERROR_INPUT,
            sizes->heads == 1
                ? "%zu head cannot be shared out evenly to %zu groups; these fit: %s."
                : "%zu heads cannot be shared out evenly to %zu groups; these fit: %s.",
            sizes->heads, sizes->kv_heads, fits);
    }
    if (experiment->kind == LAB_LATENT && sizes->raw) {
        return error_set(error, ERROR_INPUT,
                         "Latent attention builds keys and values from words; Q, K and V are given "
                         "here: take mha, gqa or mqa.");
    }
    if (experiment->kind == LAB_LATENT && (sizes->latent < 1 || sizes->latent > LAB_SIZE_MAX)) {
        return error_set(error, ERROR_INPUT, "The latent must have 1 to %d numbers, not %zu.",
                         LAB_SIZE_MAX, sizes->latent);
    }
    return true;
}

/* Checks the numbers that change scores before they become weights. */
static bool scores_agree(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                         struct error *error)
{
    const struct {
        const char *name;
        const struct lab_numbers *numbers;
        size_t heads, rows, cols;
    } given[] = {{"score_cap", experiment->score_cap, 1, 1, 1},
                 {"score_bias", experiment->score_bias, sizes->heads, sizes->n, sizes->m},
                 {"sinks", experiment->sinks, sizes->heads, 1, 1}};
    for (size_t g = 0; g < sizeof given / sizeof given[0]; g++) {
        if (given[g].numbers == NULL) {
            continue;
        }
        if (!has_shape(given[g].name, given[g].numbers, given[g].heads, given[g].rows,
                       given[g].cols, error) ||
            !all_finite(given[g].name, given[g].numbers, error)) {
            return false;
        }
    }
    const struct lab_rotary rotary = lab_experiment_rotary(experiment);
    const size_t pairs = lab_rotary_width(&rotary, sizes->d_k) / 2;
    if (experiment->rope_speeds != NULL && experiment->positions == LAB_POSITIONS_ROPE &&
        (!has_shape("rope_speeds", experiment->rope_speeds, 1, 2, pairs, error) ||
         !all_finite("rope_speeds", experiment->rope_speeds, error))) {
        return false;
    }
    if (experiment->score_cap != NULL && !(lab_numbers_values(experiment->score_cap)[0] > 0)) {
        return error_set(error, ERROR_INPUT,
                         "score_cap must be larger than 0: no score gets further than that.");
    }
    if (experiment->sinks != NULL && experiment->flash_rows > 0) {
        return error_set(error, ERROR_INPUT,
                         "Tile by tile knows no sinks: switch flash off, or leave them out.");
    }
    return true;
}

static bool mask_agrees(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                        struct error *error)
{
    const struct lab_mask_rule rule = lab_experiment_mask(experiment);
    if (!lab_mask_check(&rule, error)) {
        return false;
    }
    if (sizes->cross && lab_mask_row(rule.kind)->looks_back) {
        return error_set(error, ERROR_INPUT,
                         "The mask %s looks back in one text, but the keys are of another: take "
                         "none or window, or no context.",
                         lab_mask_row(rule.kind)->name);
    }
    const size_t rows = lab_custom_mask_rows(rule.custom_mask),
                 cols = lab_custom_mask_cols(rule.custom_mask);
    if (rule.kind == LAB_MASK_CUSTOM && rule.custom_mask != NULL &&
        (rows != sizes->n || cols != sizes->m)) {
        return error_set(error, ERROR_INPUT,
                         "The painted mask is %zu × %zu; these words need %zu × %zu.", rows, cols,
                         sizes->n, sizes->m);
    }
    return true;
}

static bool means_agree(const struct lab_experiment *experiment, const struct lab_sizes *sizes,
                        struct error *error)
{
    if ((unsigned)experiment->positions >= LAB_POSITIONS_KINDS) {
        return error_set(error, ERROR_INPUT, "There are no positions number %u.",
                         (unsigned)experiment->positions);
    }
    if (experiment->positions == LAB_POSITIONS_SINUSOIDAL && sizes->raw) {
        return error_set(error, ERROR_INPUT,
                         "Sinusoidal positions are added to embeddings; Q, K and V are given here: "
                         "take rope or none.");
    }
    if (experiment->positions != LAB_POSITIONS_NONE && sizes->partial) {
        return error_set(error, ERROR_INPUT,
                         "What is given here already has its positions in it: take none.");
    }
    const size_t rows = experiment->flash_rows, cols = experiment->flash_cols;
    if (rows > 0 && sizes->partial) {
        return error_set(error, ERROR_INPUT,
                         "Tile by tile needs Q, K and V: give all three, or switch flash off.");
    }
    if ((rows == 0) != (cols == 0) || rows > LAB_TOKENS_MAX || cols > LAB_TOKENS_MAX) {
        return error_set(error, ERROR_INPUT, "A tile has 1 to %d rows and columns, not %zu × %zu.",
                         LAB_TOKENS_MAX, rows, cols);
    }
    if (rows > 0 && (experiment->normalise != LAB_SOFTMAX_ROWS || experiment->keep_maximum)) {
        return error_set(error, ERROR_INPUT,
                         "Tile by tile needs softmax with its maximum subtracted: switch these on, "
                         "or flash off.");
    }
    return true;
}

/* All sizes are within limits here, so nothing below can wrap around in 64 bits. */
static uint64_t bytes_needed(const struct lab_sizes *sizes)
{
    const uint64_t n = sizes->n, m = sizes->m, d = sizes->d_model, h = sizes->heads;
    const uint64_t k = sizes->d_k, v = sizes->d_v;
    const uint64_t inputs = (n + m) * d + 2 * h * d * (k + v);
    const uint64_t latent = sizes->latent * (d + m + h * (k + v));
    const uint64_t kept = 2 * n * d + h * k * (n + m); /* rows before positions are applied */
    const uint64_t results = h * (n * k + m * k + m * v) + 2 * h * n * m + 2 * h * n * v + n * d;
    return sizeof(float) * (inputs + latent + kept + results);
}

bool lab_experiment_check(const struct lab_experiment *experiment, struct error *error)
{
    const bool has_q = experiment->q != NULL, has_k = experiment->k != NULL;
    const bool given = experiment->alpha != NULL;
    if (has_q != has_k || (given && has_q) || (experiment->v != NULL && !has_q && !given)) {
        return error_set(
            error, ERROR_INPUT,
            "Q and K go together, and V with them or with α: give Q, K and V, Q and K, "
            "or α.");
    }
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    if (!sizes.raw && (sizes.d_model > LAB_SIZE_MAX || (sizes.d_model < 1 && sizes.n > 0))) {
        return record_check_number(&lab_param_row(LAB_PARAM_D_MODEL)->row, (double)sizes.d_model,
                                   error);
    }
    if (sizes.n == 0 && !sizes.raw) {
        return true; /* nothing is computed */
    }
    if (!within_limits(experiment, &sizes, error) || !switches_agree(experiment, &sizes, error) ||
        !kind_agrees(experiment, &sizes, error) || !mask_agrees(experiment, &sizes, error) ||
        !means_agree(experiment, &sizes, error) || !scores_agree(experiment, &sizes, error)) {
        return false;
    }
    const bool agrees = sizes.raw ? raw_agrees(experiment, &sizes, error)
                                  : embeddings_agree(experiment, &sizes, error) &&
                                        weights_agree(experiment, &sizes, error) &&
                                        biases_agree(experiment, &sizes, error);
    if (!agrees) {
        return false;
    }
    const uint64_t bytes = bytes_needed(&sizes);
    if (bytes > bytes_limit) {
        return error_set(
            error, ERROR_MEMORY,
            "This would take %.1f GB of memory, and %.1f GB is the limit: take fewer heads or "
            "smaller sizes.",
            (double)bytes / 1e9, (double)bytes_limit / 1e9);
    }
    return true;
}

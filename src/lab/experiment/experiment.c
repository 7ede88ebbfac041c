/* lab/experiment/experiment.c — the experiment as a value: its defaults, copies, equality and
 * sizes. */
#include "lab/experiment/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/experiment/edits.h"
#include "lab/experiment/embed.h"
#include "lab/experiment/params.h"

bool lab_experiment_default(struct lab_experiment *experiment, struct error *error)
{
    static const char *const classic[] = {"cat", "dog", "lion"};
    memset(experiment, 0, sizeof *experiment);
    experiment->tokens = lab_words_make(classic, 3, error);
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        lab_param_put(param, experiment, param->standard);
    }
    return experiment->tokens != NULL;
}

void lab_experiment_copy(struct lab_experiment *to, const struct lab_experiment *from)
{
    memcpy(to, from, sizeof *to);
    for (size_t p = 0; p < lab_param_count(); p++) {
        lab_param_keep(lab_param_row((enum lab_param_id)p), from);
    }
}

void lab_experiment_release(struct lab_experiment *experiment)
{
    for (size_t p = 0; p < lab_param_count(); p++) {
        lab_param_release(lab_param_row((enum lab_param_id)p), experiment);
    }
    memset(experiment, 0, sizeof *experiment);
}

bool lab_experiment_equal(const struct lab_experiment *a, const struct lab_experiment *b)
{
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        if (param->key != NULL && !lab_param_equal(param, a, b)) {
            return false;
        }
    }
    return true;
}

struct lab_rotary lab_experiment_rotary(const struct lab_experiment *experiment)
{
    const double theta = (double)experiment->rope_theta, share = (double)experiment->rope_share;
    return (struct lab_rotary){.theta = theta > 0 ? theta : 10000,
                               .pairs = experiment->rope_pairs,
                               .share = share > 0 ? share : 1,
                               .speeds = lab_numbers_values(experiment->rope_speeds)};
}

/* The former and the new words, and which rows and columns they belong to. */
struct change_of_words {
    const struct lab_words *from, *to;
    enum lab_followers who;
};

/* Moves typed numbers and the painted mask with their words. Returns false without memory. */
static bool move_manual_changes(const struct lab_experiment *experiment,
                                struct change_of_words change, const struct lab_edits **edits,
                                const struct lab_custom_mask **custom_mask, struct error *error)
{
    const size_t count = lab_words_count(change.to);
    *edits = NULL;
    *custom_mask = NULL;
    if (experiment->edits == NULL && experiment->custom_mask == NULL) {
        return true;
    }
    size_t *const from_row = malloc((count + 1) * sizeof *from_row);
    if (from_row == NULL || !lab_words_match(change.from, change.to, from_row)) {
        free(from_row);
        return error_set(error, ERROR_MEMORY, "There is not enough memory for %zu words.", count);
    }
    const struct lab_custom_mask *const former = experiment->custom_mask;
    const bool queries = change.who != LAB_FOLLOW_KEYS, keys = change.who != LAB_FOLLOW_QUERIES;
    struct error reason = {ERROR_NONE, 0, ""};
    *edits = lab_edits_moved(experiment->edits, change.who, from_row, count, &reason);
    const size_t rows = queries || former == NULL ? count : lab_custom_mask_rows(former);
    const size_t cols = keys || former == NULL ? count : lab_custom_mask_cols(former);
    if (former != NULL && rows * cols > 0 && reason.code == ERROR_NONE) {
        *custom_mask = lab_custom_mask_moved(former, queries ? from_row : NULL, rows,
                                             keys ? from_row : NULL, cols, &reason);
    }
    free(from_row);
    if (reason.code != ERROR_NONE) {
        lab_edits_release(*edits);
        return error_set(error, reason.code, "%s", reason.text);
    }
    return true;
}

/* Makes a list of the words, and moves typed numbers and the painted mask with them. The new list
 * is the caller's. Returns false with an error, and changes nothing. */
static bool replace_words(struct lab_experiment *experiment, const char *const *word, size_t count,
                          bool of_keys, const struct lab_words **taken, struct error *error)
{
    const struct lab_words *words = count > 0 ? lab_words_make(word, count, error) : NULL;
    if (words == NULL && count > 0) {
        return false;
    }
    if (lab_words_count(words) == 0) { /* all words became empty when they were cleaned */
        lab_words_release(words);
        words = NULL;
    }
    const bool cross = experiment->context != NULL;
    const struct change_of_words change = {
        .from = of_keys && cross ? experiment->context : experiment->tokens,
        .to = of_keys && words == NULL ? experiment->tokens : words,
        .who = of_keys ? LAB_FOLLOW_KEYS
               : cross ? LAB_FOLLOW_QUERIES
                       : LAB_FOLLOW_BOTH};
    const struct lab_edits *edits = NULL;
    const struct lab_custom_mask *custom_mask = NULL;
    if (!move_manual_changes(experiment, change, &edits, &custom_mask, error)) {
        lab_words_release(words);
        return false;
    }
    lab_edits_release(experiment->edits);
    lab_custom_mask_release(experiment->custom_mask);
    experiment->edits = edits;
    experiment->custom_mask = custom_mask;
    *taken = words;
    return true;
}

bool lab_experiment_set_tokens(struct lab_experiment *experiment, const char *const *word,
                               size_t count, struct error *error)
{
    const struct lab_words *words = NULL;
    if (!replace_words(experiment, word, count, false, &words, error)) {
        return false;
    }
    lab_words_release(experiment->tokens);
    experiment->tokens = words;
    return true;
}

bool lab_experiment_set_context(struct lab_experiment *experiment, const char *const *word,
                                size_t count, struct error *error)
{
    const struct lab_words *words = NULL;
    if (!replace_words(experiment, word, count, true, &words, error)) {
        return false;
    }
    lab_words_release(experiment->context);
    experiment->context = words;
    return true;
}

struct lab_mask_rule lab_experiment_mask(const struct lab_experiment *experiment)
{
    if ((unsigned)experiment->mask >= LAB_MASKS) { /* lab_experiment_check refuses it */
        return (struct lab_mask_rule){.kind = experiment->mask};
    }
    const struct lab_mask_row *const row = lab_mask_row(experiment->mask);
    return (struct lab_mask_rule){
        .kind = experiment->mask,
        .size = row->size_name == NULL      ? 0
                : experiment->mask_size > 0 ? experiment->mask_size
                                            : row->size,
        .step = row->step_name == NULL      ? 0
                : experiment->mask_step > 0 ? experiment->mask_step
                                            : row->step,
        .custom_mask = experiment->mask == LAB_MASK_CUSTOM ? experiment->custom_mask : NULL,
    };
}

void lab_experiment_set_mask(struct lab_experiment *experiment, const struct lab_mask_rule *rule)
{
    struct lab_custom_mask *const custom_mask = lab_custom_mask_keep(rule->custom_mask);
    lab_custom_mask_release(experiment->custom_mask);
    experiment->mask = rule->kind;
    experiment->mask_size = rule->size;
    experiment->mask_step = rule->step;
    experiment->custom_mask = custom_mask;
}

/* Returns a painted mask that equals the present one, but hides some keys. */
static struct lab_custom_mask *paint_present_mask(const struct lab_experiment *experiment,
                                                  const size_t *keys, size_t count,
                                                  struct error *error)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    const struct lab_mask_rule rule = lab_experiment_mask(experiment);
    uint8_t *const visible = malloc(sizes.n * sizes.m + 1);
    for (size_t i = 0; visible != NULL && i < sizes.n; i++) {
        for (size_t j = 0; j < sizes.m; j++) {
            visible[i * sizes.m + j] = lab_mask_sees(&rule, i, j);
        }
        for (size_t k = 0; k < count; k++) {
            visible[i * sizes.m + keys[k]] = 0;
        }
    }
    struct lab_custom_mask *const made =
        visible == NULL ? NULL : lab_custom_mask_make(visible, sizes.n, sizes.m, error);
    if (visible == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for a mask.");
    }
    free(visible);
    return made;
}

bool lab_experiment_hide_keys(struct lab_experiment *experiment, const size_t *keys, size_t count,
                              struct error *error)
{
    if (experiment->alpha != NULL) {
        return error_set(error, ERROR_INPUT,
                         "These numbers were given, not computed from scores: they cannot be "
                         "computed without a key.");
    }
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    struct lab_custom_mask *const mask = paint_present_mask(experiment, keys, count, error);
    bool done = mask != NULL;
    for (size_t k = 0; done && experiment->edits != NULL && k < count; k++) {
        for (size_t h = 0; done && h < sizes.heads; h++) {
            const struct lab_edit_block column = {
                .part = LAB_ALPHA, .head = h, .column = keys[k], .rows = sizes.n, .columns = 1};
            done = lab_experiment_edit_block(experiment, &column, error);
        }
    }
    if (done) {
        const struct lab_mask_rule rule = {.kind = LAB_MASK_CUSTOM, .custom_mask = mask};
        lab_experiment_set_mask(experiment, &rule);
    }
    lab_custom_mask_release(mask);
    return done;
}

bool lab_has_shares(const struct lab_experiment *experiment)
{
    return experiment->normalise != LAB_AS_GIVEN;
}

bool lab_experiment_paint(struct lab_experiment *experiment, size_t query, size_t key, bool visible,
                          struct error *error)
{
    struct lab_custom_mask *const before = paint_present_mask(experiment, NULL, 0, error);
    struct lab_custom_mask *const after =
        before == NULL ? NULL : lab_custom_mask_with(before, query, key, visible, error);
    lab_custom_mask_release(before);
    if (after == NULL) {
        return false;
    }
    const struct lab_mask_rule rule = {.kind = LAB_MASK_CUSTOM, .custom_mask = after};
    lab_experiment_set_mask(experiment, &rule);
    lab_custom_mask_release(after);
    return true;
}

/* Fills the sizes from given Q, K and V, or from α: [n][d] or [heads][n][d]. */
static void fill_raw_sizes(const struct lab_experiment *experiment, struct lab_sizes *sizes)
{
    const struct lab_numbers *const rows =
        experiment->alpha != NULL ? experiment->alpha : experiment->q;
    const struct lab_numbers *const v = experiment->v;
    const size_t rank = lab_numbers_rank(rows);
    const size_t *const q = lab_numbers_shape(rows);
    const size_t *const k = lab_numbers_shape(experiment->k);
    const bool given = experiment->alpha != NULL;
    sizes->raw = true;
    sizes->partial = given || v == NULL;
    sizes->d_model = 0;
    sizes->heads = rank == 3 ? q[0] : 1;
    sizes->n = q[rank - 2];
    sizes->m = given ? q[rank - 1] : k[lab_numbers_rank(experiment->k) - 2];
    sizes->d_k = given ? 0 : q[rank - 1];
    sizes->d_v = v == NULL ? 0 : lab_numbers_shape(v)[lab_numbers_rank(v) - 1];
}

static size_t model_size(const struct lab_experiment *experiment)
{
    switch (experiment->embedding) {
    case LAB_EMBEDDING_TOY:
        return lab_embed_toy_size();
    case LAB_EMBEDDING_ONEHOT:
        return lab_embed_distinct(experiment->tokens, experiment->context, NULL, NULL);
    case LAB_EMBEDDING_NUMBERS:
        return experiment->embeddings == NULL ? 0 : lab_numbers_shape(experiment->embeddings)[1];
    case LAB_EMBEDDING_RANDOM:
    case LAB_EMBEDDINGS:
        break;
    }
    return experiment->d_model;
}

/* Fills heads and head sizes from the weights that are given. */
static void fill_given_sizes(const struct lab_experiment *experiment, struct lab_sizes *sizes)
{
    const size_t q_rank = lab_numbers_rank(experiment->w_q);
    const bool latent = experiment->kind == LAB_LATENT;
    const struct lab_numbers *const w_v = latent ? experiment->w_uv : experiment->w_v;
    const size_t v_rank = lab_numbers_rank(w_v);
    const size_t *const q = lab_numbers_shape(experiment->w_q);
    const size_t *const v = lab_numbers_shape(w_v);
    if (q == NULL || v == NULL) {
        return;
    }
    sizes->heads = q_rank == 3 ? q[0] : 1;
    sizes->d_k = q[q_rank - 1];
    sizes->d_v = v[v_rank - 1];
}

static size_t preset_unless(const struct lab_experiment *experiment, size_t number,
                            const struct lab_sizes *sizes)
{
    return number > 0 ? number : lab_kind_preset(experiment->kind, sizes->heads, sizes->d_model);
}

/* Fills the number of keys and values that all heads have together. */
static void fill_key_sizes(const struct lab_experiment *experiment, struct lab_sizes *sizes)
{
    sizes->kv_heads = sizes->heads;
    sizes->cross = experiment->context != NULL;
    if (experiment->kind == LAB_GROUPED) {
        sizes->kv_heads = preset_unless(experiment, experiment->groups, sizes);
    } else if (experiment->kind == LAB_MULTI_QUERY) {
        sizes->kv_heads = 1;
    } else if (experiment->kind == LAB_LATENT) {
        const size_t rank = lab_numbers_rank(experiment->w_dkv);
        sizes->latent = experiment->weights == LAB_WEIGHTS_NUMBERS && rank > 0
                            ? lab_numbers_shape(experiment->w_dkv)[rank - 1]
                            : preset_unless(experiment, experiment->latent, sizes);
    }
}

size_t lab_experiment_kind_number(const struct lab_experiment *experiment)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    return experiment->kind == LAB_GROUPED ? sizes.kv_heads : sizes.latent;
}

struct lab_sizes lab_experiment_sizes(const struct lab_experiment *experiment)
{
    struct lab_sizes sizes = {
        .n = lab_words_count(experiment->tokens),
        .m =
            lab_words_count(experiment->context == NULL ? experiment->tokens : experiment->context),
        .heads = experiment->heads,
        .d_k = experiment->d_k,
        .d_v = experiment->d_v,
    };
    if (experiment->alpha != NULL || (experiment->q != NULL && experiment->k != NULL)) {
        fill_raw_sizes(experiment, &sizes);
    } else {
        sizes.d_model = model_size(experiment);
        const bool divides = sizes.heads > 0 && sizes.d_model % sizes.heads == 0;
        const size_t share = divides ? sizes.d_model / sizes.heads : sizes.d_model;
        sizes.d_k = sizes.d_k == 0 ? share : sizes.d_k;
        sizes.d_v = sizes.d_v == 0 ? share : sizes.d_v;
        if (experiment->weights == LAB_WEIGHTS_NUMBERS) {
            fill_given_sizes(experiment, &sizes);
        }
    }
    fill_key_sizes(experiment, &sizes);
    const double scale = experiment->scale && sizes.d_k > 0 ? 1.0 / sqrt((double)sizes.d_k) : 1.0;
    sizes.factor = (float)(scale / (double)experiment->temperature);
    return sizes;
}

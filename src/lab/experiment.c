/* lab/experiment.c — the experiment as a value: defaults, copies, equality, the sizes that hold. */
#include "lab/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/edits.h"
#include "lab/embed.h"

static const char *const embedding_names[LAB_EMBEDDINGS] = {
    [LAB_EMBEDDING_TOY] = "toy",
    [LAB_EMBEDDING_RANDOM] = "random",
    [LAB_EMBEDDING_ONEHOT] = "onehot",
    [LAB_EMBEDDING_NUMBERS] = "numbers",
};

static const char *const weights_names[LAB_WEIGHTS_KINDS] = {
    [LAB_WEIGHTS_IDENTITY] = "identity",
    [LAB_WEIGHTS_RANDOM] = "random",
    [LAB_WEIGHTS_NUMBERS] = "numbers",
};

static const char *const normalise_names[LAB_NORMALISES] = {
    [LAB_SOFTMAX_ROWS] = "softmax",
    [LAB_PLAIN_SHARE] = "share",
};

const char *lab_embedding_name(enum lab_embedding embedding)
{
    return embedding_names[embedding];
}

const char *lab_weights_name(enum lab_weights weights)
{
    return weights_names[weights];
}

const char *lab_normalise_name(enum lab_normalise normalise)
{
    return normalise_names[normalise];
}

bool lab_experiment_default(struct lab_experiment *experiment, struct error *error)
{
    static const char *const classic[] = {"cat", "dog", "lion"};
    *experiment = (struct lab_experiment){
        .tokens = lab_words_make(classic, 3, error),
        .embedding = LAB_EMBEDDING_TOY,
        .d_model = 64,
        .weights = LAB_WEIGHTS_IDENTITY,
        .seed = 42,
        .heads = 1,
        .scale = true,
        .temperature = 1,
        .mask = LAB_MASK_NONE,
    };
    return experiment->tokens != NULL;
}

void lab_experiment_copy(struct lab_experiment *to, const struct lab_experiment *from)
{
    *to = *from;
    lab_words_keep(from->tokens);
    lab_words_keep(from->context);
    lab_edits_keep(from->edits);
    const struct lab_numbers *const shared[] = {from->embeddings, from->w_q, from->w_k, from->w_v,
                                                from->w_o,        from->q,   from->k,   from->v};
    for (size_t s = 0; s < sizeof shared / sizeof shared[0]; s++) {
        lab_numbers_keep(shared[s]);
    }
}

void lab_experiment_release(struct lab_experiment *experiment)
{
    lab_words_release(experiment->tokens);
    lab_words_release(experiment->context);
    lab_edits_release(experiment->edits);
    const struct lab_numbers *const shared[] = {
        experiment->embeddings, experiment->w_q, experiment->w_k, experiment->w_v,
        experiment->w_o,        experiment->q,   experiment->k,   experiment->v};
    for (size_t s = 0; s < sizeof shared / sizeof shared[0]; s++) {
        lab_numbers_release(shared[s]);
    }
    *experiment = (struct lab_experiment){0};
}

static bool words_equal(const struct lab_words *a, const struct lab_words *b)
{
    if (a == b) {
        return true;
    }
    if (a == NULL || b == NULL || lab_words_count(a) != lab_words_count(b)) {
        return false;
    }
    for (size_t w = 0; w < lab_words_count(a); w++) {
        if (strcmp(lab_words_list(a)[w], lab_words_list(b)[w]) != 0) {
            return false;
        }
    }
    return true;
}

static bool numbers_equal(const struct lab_numbers *a, const struct lab_numbers *b)
{
    if (a == b) {
        return true;
    }
    if (a == NULL || b == NULL || lab_numbers_rank(a) != lab_numbers_rank(b)) {
        return false;
    }
    const size_t *const shape = lab_numbers_shape(a);
    if (memcmp(shape, lab_numbers_shape(b), 3 * sizeof *shape) != 0) {
        return false;
    }
    const size_t count = shape[0] * shape[1] * shape[2];
    return memcmp(lab_numbers_values(a), lab_numbers_values(b), count * sizeof(float)) == 0;
}

bool lab_experiment_equal(const struct lab_experiment *a, const struct lab_experiment *b)
{
    return strcmp(a->lesson, b->lesson) == 0 && words_equal(a->tokens, b->tokens) &&
           words_equal(a->context, b->context) && a->embedding == b->embedding &&
           numbers_equal(a->embeddings, b->embeddings) && a->d_model == b->d_model &&
           a->weights == b->weights && numbers_equal(a->w_q, b->w_q) &&
           numbers_equal(a->w_k, b->w_k) && numbers_equal(a->w_v, b->w_v) &&
           numbers_equal(a->w_o, b->w_o) && numbers_equal(a->q, b->q) &&
           numbers_equal(a->k, b->k) && numbers_equal(a->v, b->v) && a->seed == b->seed &&
           a->heads == b->heads && a->d_k == b->d_k && a->d_v == b->d_v && a->scale == b->scale &&
           !(a->temperature < b->temperature) && !(a->temperature > b->temperature) &&
           a->mask == b->mask && a->normalise == b->normalise &&
           a->keep_maximum == b->keep_maximum && a->skip_w_o == b->skip_w_o &&
           a->residual == b->residual && lab_edits_equal(a->edits, b->edits);
}

/* The edits after the words have changed. False: no memory. */
static bool edits_follow(const struct lab_experiment *experiment, const struct lab_words *words,
                         const struct lab_edits **moved, struct error *error)
{
    const size_t count = lab_words_count(words);
    *moved = NULL;
    if (experiment->edits == NULL) {
        return true;
    }
    size_t *const from_row = malloc((count + 1) * sizeof *from_row);
    const bool matched = from_row != NULL && lab_words_match(experiment->tokens, words, from_row);
    if (matched) {
        const enum lab_followers who =
            experiment->context == NULL ? LAB_FOLLOW_BOTH : LAB_FOLLOW_QUERIES;
        struct error reason = {ERROR_NONE, 0, ""};
        *moved = lab_edits_moved(experiment->edits, who, from_row, count, &reason);
        free(from_row);
        return reason.code == ERROR_NONE || error_set(error, reason.code, "%s", reason.text);
    }
    free(from_row);
    return error_set(error, ERROR_MEMORY, "There is not enough memory for %zu words.", count);
}

bool lab_experiment_set_tokens(struct lab_experiment *experiment, const char *const *word,
                               size_t count, struct error *error)
{
    struct lab_words *words = NULL;
    if (count > 0) {
        words = lab_words_make(word, count, error);
        if (words == NULL) {
            return false;
        }
    }
    const struct lab_edits *moved = NULL;
    if (!edits_follow(experiment, words, &moved, error)) {
        lab_words_release(words);
        return false;
    }
    lab_edits_release(experiment->edits);
    experiment->edits = moved;
    lab_words_release(experiment->tokens);
    experiment->tokens = words;
    return true;
}

/* The sizes of raw Q, K and V: [n][d] or [heads][n][d]. */
static void sizes_raw(const struct lab_experiment *experiment, struct lab_sizes *sizes)
{
    const size_t rank = lab_numbers_rank(experiment->q);
    const size_t *const q = lab_numbers_shape(experiment->q);
    const size_t *const k = lab_numbers_shape(experiment->k);
    const size_t *const v = lab_numbers_shape(experiment->v);
    sizes->raw = true;
    sizes->d_model = 0;
    sizes->heads = rank == 3 ? q[0] : 1;
    sizes->n = q[rank - 2];
    sizes->m = k[lab_numbers_rank(experiment->k) - 2];
    sizes->d_k = q[rank - 1];
    sizes->d_v = v[lab_numbers_rank(experiment->v) - 1];
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

/* What the weights that are given say about heads and head sizes. */
static void sizes_given(const struct lab_experiment *experiment, struct lab_sizes *sizes)
{
    const size_t q_rank = lab_numbers_rank(experiment->w_q);
    const size_t v_rank = lab_numbers_rank(experiment->w_v);
    const size_t *const q = lab_numbers_shape(experiment->w_q);
    const size_t *const v = lab_numbers_shape(experiment->w_v);
    if (q == NULL || v == NULL) {
        return;
    }
    sizes->heads = q_rank == 3 ? q[0] : 1;
    sizes->d_k = q[q_rank - 1];
    sizes->d_v = v[v_rank - 1];
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
    if (experiment->q != NULL && experiment->k != NULL && experiment->v != NULL) {
        sizes_raw(experiment, &sizes);
    } else {
        sizes.d_model = model_size(experiment);
        const bool divides = sizes.heads > 0 && sizes.d_model % sizes.heads == 0;
        const size_t share = divides ? sizes.d_model / sizes.heads : sizes.d_model;
        sizes.d_k = sizes.d_k == 0 ? share : sizes.d_k;
        sizes.d_v = sizes.d_v == 0 ? share : sizes.d_v;
        if (experiment->weights == LAB_WEIGHTS_NUMBERS) {
            sizes_given(experiment, &sizes);
        }
    }
    const double scale = experiment->scale && sizes.d_k > 0 ? 1.0 / sqrt((double)sizes.d_k) : 1.0;
    sizes.factor = (float)(scale / (double)experiment->temperature);
    return sizes;
}

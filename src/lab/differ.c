/* lab/differ.c — what one experiment has that another has not: a table of what can be told. */
#include "lab/differ.h"

#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/edits.h"
#include "lab/explain.h"
#include "lab/kind.h"
#include "lab/mask.h"
#include "lab/positions.h"

/* Two experiments and what they come to. */
struct pair {
    struct arena *arena;
    const struct lab_experiment *one, *other;
    struct lab_sizes ones, others;
};

/* Each says what `one` has, where it has something else than `other`; else NULL. */
typedef const char *differ_tell(const struct pair *pair);

static const char *differing_words(const struct pair *pair, const struct lab_words *one,
                                   const struct lab_words *other)
{
    const size_t count = lab_words_count(one);
    if (count != lab_words_count(other)) {
        return arena_format(pair->arena, "%zu words", count);
    }
    for (size_t w = 0; w < count; w++) {
        const char *const word = lab_words_list(one)[w];
        if (strcmp(word, lab_words_list(other)[w]) != 0) {
            return arena_format(pair->arena, "word %zu: %s", w + 1, word);
        }
    }
    return NULL;
}

static const char *tell_words(const struct pair *pair)
{
    return differing_words(pair, pair->one->tokens, pair->other->tokens);
}

static const char *tell_context(const struct pair *pair)
{
    const struct lab_words *const one = pair->one->context, *const other = pair->other->context;
    if ((one == NULL) != (other == NULL)) {
        return one == NULL ? tr("keys of the same words") : tr("keys of other words");
    }
    return one == NULL ? NULL : differing_words(pair, one, other);
}

static const char *tell_embedding(const struct pair *pair)
{
    static const char *const names[LAB_EMBEDDINGS] = {
        [LAB_EMBEDDING_TOY] = "toy embedding",
        [LAB_EMBEDDING_RANDOM] = "random embedding",
        [LAB_EMBEDDING_ONEHOT] = "one-hot embedding",
        [LAB_EMBEDDING_NUMBERS] = "embedding of its own",
    };
    return pair->one->embedding == pair->other->embedding ? NULL : tr(names[pair->one->embedding]);
}

static const char *tell_weights(const struct pair *pair)
{
    const struct lab_experiment *const one = pair->one, *const other = pair->other;
    if (one->weights == other->weights &&
        (one->weights != LAB_WEIGHTS_RANDOM || one->seed == other->seed)) {
        return NULL;
    }
    switch (one->weights) {
    case LAB_WEIGHTS_IDENTITY:
        return tr("identity weights");
    case LAB_WEIGHTS_RANDOM:
        return arena_format(pair->arena, "random weights, seed %llu",
                            (unsigned long long)one->seed);
    case LAB_WEIGHTS_NUMBERS:
    case LAB_WEIGHTS_KINDS:
        break;
    }
    return tr("weights of its own");
}

static const char *tell_heads(const struct pair *pair)
{
    const size_t heads = pair->ones.heads;
    return heads == pair->others.heads ? NULL
           : heads == 1                ? tr("1 head")
                                       : arena_format(pair->arena, "%zu heads", heads);
}

static const char *tell_keys(const struct pair *pair)
{
    return pair->ones.d_k == pair->others.d_k ? NULL
                                              : arena_format(pair->arena, "dₖ %zu", pair->ones.d_k);
}

static const char *tell_values(const struct pair *pair)
{
    return pair->ones.d_v == pair->others.d_v ? NULL
                                              : arena_format(pair->arena, "dᵥ %zu", pair->ones.d_v);
}

static const char *tell_kind(const struct pair *pair)
{
    return pair->one->kind == pair->other->kind && pair->ones.kv_heads == pair->others.kv_heads &&
                   pair->ones.latent == pair->others.latent
               ? NULL
               : tr(lab_kind_row(pair->one->kind)->title);
}

static const char *tell_positions(const struct pair *pair)
{
    const enum lab_positions positions = pair->one->positions;
    return positions == pair->other->positions ? NULL
           : positions == LAB_POSITIONS_NONE
               ? tr("No positions")
               : arena_format(pair->arena, "positions: %s",
                              tr(lab_positions_row(positions)->title));
}

static const char *tell_scale(const struct pair *pair)
{
    return pair->one->scale == pair->other->scale ? NULL
           : pair->one->scale                     ? tr("scaled by 1/√dₖ")
                                                  : tr("not scaled");
}

static const char *tell_temperature(const struct pair *pair)
{
    const float one = pair->one->temperature, other = pair->other->temperature;
    char digits[TEXT_NUMBER_MAX];
    return one < other || one > other
               ? arena_format(pair->arena, "temperature %s", text_number(digits, (double)one, 2))
               : NULL;
}

static const char *tell_mask(const struct pair *pair)
{
    const struct lab_mask_rule one = lab_experiment_mask(pair->one);
    const struct lab_mask_rule other = lab_experiment_mask(pair->other);
    char text[LAB_MASK_TEXT_MAX], others[LAB_MASK_TEXT_MAX];
    if (strcmp(lab_mask_text(&one, text), lab_mask_text(&other, others)) == 0 &&
        pair->one->custom_mask == pair->other->custom_mask) {
        return NULL;
    }
    const struct lab_mask_row *const row = lab_mask_row(one.kind);
    const char *const title = tr(row->title);
    return one.kind == LAB_MASK_NONE ? tr("no mask")
           : row->size_name == NULL  ? arena_format(pair->arena, "mask: %s", title)
           : row->step_name == NULL
               ? arena_format(pair->arena, "mask: %s, %s %zu", title, row->size_name, one.size)
               : arena_format(pair->arena, "mask: %s, %s %zu, %s %zu", title, row->size_name,
                              one.size, row->step_name, one.step);
}

static const char *tell_shares(const struct pair *pair)
{
    const struct lab_experiment *const one = pair->one, *const other = pair->other;
    if (one->normalise != other->normalise) {
        return one->normalise == LAB_PLAIN_SHARE ? tr("plain share") : "softmax";
    }
    return one->keep_maximum == other->keep_maximum ? NULL
           : one->keep_maximum                      ? tr("maximum not subtracted")
                                                    : tr("maximum subtracted");
}

static const char *tell_output(const struct pair *pair)
{
    const struct lab_experiment *const one = pair->one, *const other = pair->other;
    if (one->skip_w_o != other->skip_w_o) {
        return one->skip_w_o ? tr("without W_O") : tr("with W_O");
    }
    return one->residual == other->residual ? NULL
           : one->residual                  ? tr("with the residual")
                                            : tr("without the residual");
}

static const char *tell_edits(const struct pair *pair)
{
    const size_t count = lab_edits_count(pair->one->edits);
    return lab_edits_equal(pair->one->edits, pair->other->edits) ? NULL
           : count == 0                                          ? tr("nothing typed by hand")
           : count == 1                                          ? tr("1 number typed by hand")
                        : arena_format(pair->arena, "%zu numbers typed by hand", count);
}

static const char *tell_layer(const struct pair *pair)
{
    return pair->one->layer == pair->other->layer
               ? NULL
               : arena_format(pair->arena, "layer %zu", pair->one->layer + 1);
}

static differ_tell *const tells[] = {
    tell_words, tell_context, tell_layer,  tell_embedding, tell_weights,     tell_heads,
    tell_keys,  tell_values,  tell_kind,   tell_positions, tell_temperature, tell_scale,
    tell_mask,  tell_shares,  tell_output, tell_edits,
};

const char *lab_differ(struct arena *arena, const struct lab_experiment *one,
                       const struct lab_experiment *other)
{
    enum { NAMED = 2 };
    const struct pair pair = {.arena = arena,
                              .one = one,
                              .other = other,
                              .ones = lab_experiment_sizes(one),
                              .others = lab_experiment_sizes(other)};
    const char *all = "";
    size_t told = 0;
    for (size_t t = 0; t < sizeof tells / sizeof *tells; t++) {
        const char *const one_more = tells[t](&pair);
        told += one_more != NULL;
        if (one_more != NULL && told <= NAMED && all != NULL) {
            all = told == 1 ? one_more : arena_format(arena, "%s · %s", all, one_more);
        }
    }
    if (told > NAMED && all != NULL) {
        all = arena_format(arena, "%s +%zu", all, told - NAMED);
    }
    return all != NULL ? all : "";
}

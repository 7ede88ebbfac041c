/* lab/experiment_bytes.c — what a copy of an experiment costs that shares with another. */
#include <string.h>

#include "lab/edits.h"
#include "lab/experiment.h"

static size_t words_bytes(const struct lab_words *words)
{
    size_t bytes = 0;
    for (size_t w = 0; w < lab_words_count(words); w++) {
        bytes += sizeof(char *) + strlen(lab_words_list(words)[w]) + 1;
    }
    return bytes;
}

static size_t numbers_bytes(const struct lab_numbers *numbers)
{
    size_t count = numbers != NULL ? sizeof(float) : 0;
    for (size_t k = 0; k < lab_numbers_rank(numbers); k++) {
        count *= lab_numbers_shape(numbers)[k];
    }
    return count;
}

enum { NUMBERS = 16 };

static void list_numbers(const struct lab_experiment *of, const struct lab_numbers *list[NUMBERS])
{
    const struct lab_numbers *const all[NUMBERS] = {
        of->embeddings, of->w_q,  of->w_k,  of->w_v, of->w_o, of->q,   of->k,   of->v,
        of->w_dkv,      of->w_uk, of->w_uv, of->b_q, of->b_k, of->b_v, of->b_o, of->alpha};
    memcpy(list, all, sizeof all);
}

size_t lab_experiment_bytes(const struct lab_experiment *experiment,
                            const struct lab_experiment *beside)
{
    static const struct lab_experiment nothing;
    const struct lab_experiment *other = beside != NULL ? beside : &nothing;
    size_t bytes = 0;
    bytes += experiment->tokens != other->tokens ? words_bytes(experiment->tokens) : 0;
    bytes += experiment->context != other->context ? words_bytes(experiment->context) : 0;
    if (experiment->edits != other->edits) {
        bytes += lab_edits_count(experiment->edits) * sizeof(struct lab_edit);
    }
    if (experiment->custom_mask != other->custom_mask) {
        bytes += lab_custom_mask_rows(experiment->custom_mask) *
                 lab_custom_mask_cols(experiment->custom_mask);
    }
    const struct lab_numbers *mine[NUMBERS], *others[NUMBERS];
    list_numbers(experiment, mine);
    list_numbers(other, others);
    for (size_t k = 0; k < NUMBERS; k++) {
        bytes += mine[k] != others[k] ? numbers_bytes(mine[k]) : 0;
    }
    return bytes;
}

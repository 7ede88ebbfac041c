/* lab/experiment/experiment_bytes.c — counts the bytes of an experiment that it does not share with
 * another. */
#include <string.h>

#include "lab/experiment/edits.h"
#include "lab/experiment/params.h"

static size_t numbers_bytes(const struct lab_numbers *numbers)
{
    size_t count = numbers != NULL ? sizeof(float) : 0;
    for (size_t k = 0; k < lab_numbers_rank(numbers); k++) {
        count *= lab_numbers_shape(numbers)[k];
    }
    return count;
}

/* Counts the bytes of one value that is shared by references. */
static size_t value_bytes(const struct lab_param *param, const struct lab_experiment *experiment)
{
    switch (param->type) {
    case LAB_TYPE_TOKENS:
    case LAB_TYPE_WORDS:
        return lab_words_bytes(
            *(const struct lab_words *const *)lab_param_value(param, experiment));
    case LAB_TYPE_TRAINING:
        return lab_training_bytes(experiment->learned);
    case LAB_TYPE_NUMBERS:
        return numbers_bytes(
            *(const struct lab_numbers *const *)lab_param_value(param, experiment));
    case LAB_TYPE_EDITS:
        return lab_edits_count(experiment->edits) * sizeof(struct lab_edit);
    case LAB_TYPE_CUSTOM_MASK:
        return lab_custom_mask_rows(experiment->custom_mask) *
               lab_custom_mask_cols(experiment->custom_mask);
    default:
        return 0;
    }
}

const struct lab_numbers *lab_experiment_weights(const struct lab_experiment *experiment,
                                                 size_t index)
{
    const struct lab_numbers *const weights[LAB_EXPERIMENT_WEIGHTS] = {
        experiment->w_q, experiment->w_k, experiment->w_v, experiment->w_o};
    return weights[index];
}

size_t lab_experiment_bytes(const struct lab_experiment *experiment,
                            const struct lab_experiment *beside)
{
    static const struct lab_experiment nothing;
    const struct lab_experiment *other = beside != NULL ? beside : &nothing;
    size_t bytes = 0;
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        const size_t own = value_bytes(param, experiment);
        if (own > 0 && memcmp(lab_param_value(param, experiment), lab_param_value(param, other),
                              sizeof(void *)) != 0) {
            bytes += own;
        }
    }
    return bytes;
}

/* model/model_unpacked.c — the weights of one layer as experiments have them, shared by the
 * experiments of every text that the layer is looked into with. */
#include <stdlib.h>

#include "model/model_internal.h"

#include "base/system/thread.h"

struct model_unpacked {
    struct system_mutex lock;
    const struct model_layer *layer;
    const struct lab_numbers *numbers[MODEL_MATRICES]; /* references, or NULL */
};

struct model_unpacked *model_unpacked_open(void)
{
    struct model_unpacked *const unpacked = calloc(1, sizeof *unpacked);
    if (unpacked != NULL && !system_mutex_open(&unpacked->lock)) {
        free(unpacked);
        return NULL;
    }
    return unpacked;
}

static void release_numbers(struct model_unpacked *unpacked)
{
    for (size_t m = 0; m < MODEL_MATRICES; m++) {
        lab_numbers_release(unpacked->numbers[m]);
        unpacked->numbers[m] = NULL;
    }
}

void model_unpacked_close(struct model_unpacked *unpacked)
{
    if (unpacked != NULL) {
        release_numbers(unpacked);
        system_mutex_close(&unpacked->lock);
        free(unpacked);
    }
}

static void turn_to(struct model_unpacked *unpacked, const struct model_layer *layer)
{
    if (unpacked->layer != layer) {
        release_numbers(unpacked);
        unpacked->layer = layer;
    }
}

struct lab_numbers *model_unpacked_find(struct model_unpacked *unpacked,
                                        const struct model_layer *layer,
                                        enum model_matrix_place place)
{
    system_mutex_lock(&unpacked->lock);
    turn_to(unpacked, layer);
    struct lab_numbers *const found = lab_numbers_keep(unpacked->numbers[place]);
    system_mutex_unlock(&unpacked->lock);
    return found;
}

void model_unpacked_keep(struct model_unpacked *unpacked, const struct model_layer *layer,
                         enum model_matrix_place place, const struct lab_numbers *numbers)
{
    if (numbers == NULL) {
        return;
    }
    system_mutex_lock(&unpacked->lock);
    turn_to(unpacked, layer);
    lab_numbers_release(unpacked->numbers[place]);
    unpacked->numbers[place] = lab_numbers_keep(numbers);
    system_mutex_unlock(&unpacked->lock);
}

/* app/learn/places.h — the words of a run that have places in the plane of embeddings (plane.h),
 * with their kinds. */
#ifndef APP_LEARN_PLACES_H
#define APP_LEARN_PLACES_H

#include "app/learn/plane.h"
#include "learn/keyframes.h"
#include "learn/run.h"

/* What is placed, with the kinds that `placed` points to. */
struct app_learn_words_placed {
    struct app_learn_placed placed;
    int32_t ids[LEARN_PLACED_MAX], kind[LEARN_PLACED_MAX];
};
void app_learn_place_words(const struct learn_snapshot *moment, struct app_learn_words_placed *out);

#endif

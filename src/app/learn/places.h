/* app/learn/places.h — which words of a run have places in the plane of embeddings (plane.h), and
 * their rows at a step. */
#ifndef APP_LEARN_PLACES_H
#define APP_LEARN_PLACES_H

#include "app/learn/plane.h"
#include "learn/run.h"

enum { APP_LEARN_PLACED_MAX = 64 };

/* Lists the words that are placed: those of a kind, numbers, else the first of all. */
size_t app_learn_placed_words(const struct learn_data *data, int32_t ids[APP_LEARN_PLACED_MAX]);

/* Opens a plane for them. NULL: no memory. */
struct app_learn_plane *app_learn_placed_plane(const struct learn_snapshot *moment,
                                               const int32_t *ids, size_t count);

/* Copies their rows [count][d_model] of the embedding. */
void app_learn_placed_rows(const struct learn_snapshot *moment, const int32_t *ids, size_t count,
                           float *rows);

#endif

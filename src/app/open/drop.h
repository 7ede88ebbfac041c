/* app/open/drop.h — files that are dropped on the window: lessons, sessions, pictures of this
 * program, models, attention, embeddings, texts to learn from, numbers. */
#ifndef APP_OPEN_DROP_H
#define APP_OPEN_DROP_H

#include "app/document/state.h"

/* Opens the first file that can be used, and says how many were left. Where none can, one sentence;
 * and nothing changes. Embeddings (.npy, or word vectors as text) become the rows of the present
 * words. */
void app_drop_files(struct app_state *state, const char *const *path, size_t count, double time);

/* Text was dropped: it is told where text goes. */
void app_drop_text(struct app_state *state, double time);

#endif

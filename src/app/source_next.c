/* The word that may come next: the likeliest ones, and one at random. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/source_parts.h"

/* The likeliest words at the temperature, with their shares of all. */
void source_find_next(struct app_source *source)
{
    const size_t count = gpt2_config(source->model)->vocabulary;
    struct view_glance *const glance = &source->glance;
    const double temperature = glance->temperature;
    const float *const logit = source->logits;
    struct arena arena = {0};
    size_t best[VIEW_NEXT_MAX];
    size_t found = 0;
    double sum = 0;
    for (size_t id = 0; id < count; id++) {
        size_t at = found;
        while (at > 0 && logit[id] > logit[best[at - 1]]) {
            at--;
        }
        if (at < VIEW_NEXT_MAX) {
            found += found < VIEW_NEXT_MAX;
            memmove(best + at + 1, best + at, (found - at - 1) * sizeof *best);
            best[at] = id;
        }
    }
    for (size_t id = 0; found > 0 && id < count; id++) {
        sum += exp(((double)logit[id] - (double)logit[best[0]]) / temperature);
    }
    glance->next_count = found;
    for (size_t n = 0; n < found; n++) {
        const char *const word =
            bpe_shown(gpt2_tokenizer(source->model), (uint32_t)best[n], &arena);
        snprintf(source->next_word[n], sizeof source->next_word[n], "%s", word == NULL ? "" : word);
        source->next_id[n] = (uint32_t)best[n];
        glance->next[n].word = source->next_word[n];
        glance->next[n].share =
            exp(((double)logit[best[n]] - (double)logit[best[0]]) / temperature) / sum;
    }
    arena_free(&arena);
}

/* One id of all, by its share. */
uint32_t source_draw_next(struct app_source *source)
{
    const size_t count = gpt2_config(source->model)->vocabulary;
    const double temperature = source->glance.temperature;
    const double most = (double)source->logits[source->next_id[0]];
    double sum = 0;
    for (size_t id = 0; id < count; id++) {
        sum += exp(((double)source->logits[id] - most) / temperature);
    }
    double left = random_uniform(&source->draw) * sum;
    for (size_t id = 0; id < count; id++) {
        left -= exp(((double)source->logits[id] - most) / temperature);
        if (left < 0) {
            return (uint32_t)id;
        }
    }
    return source->next_id[0];
}

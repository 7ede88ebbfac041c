/* The word that may come next: the likeliest ones, and one at random. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/open/open_model_internal.h"

/* The likeliest words at the temperature, with their shares of all. */
void open_model_find_next(struct app_open_model *model)
{
    const size_t count = gpt2_config(model->model)->vocabulary;
    struct view_head_overview *const head_overview = &model->head_overview;
    const double temperature = head_overview->temperature;
    const float *const logit = model->logits;
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
    head_overview->next_count = found;
    for (size_t n = 0; n < found; n++) {
        const char *const word = bpe_shown(gpt2_tokenizer(model->model), (uint32_t)best[n], &arena);
        snprintf(model->next_word[n], sizeof model->next_word[n], "%s", word == NULL ? "" : word);
        model->next_id[n] = (uint32_t)best[n];
        head_overview->next[n].word = model->next_word[n];
        head_overview->next[n].share =
            exp(((double)logit[best[n]] - (double)logit[best[0]]) / temperature) / sum;
    }
    arena_free(&arena);
}

/* One id of all, by its share. */
uint32_t open_model_draw_next(struct app_open_model *model)
{
    const size_t count = gpt2_config(model->model)->vocabulary;
    const double temperature = model->head_overview.temperature;
    const double most = (double)model->logits[model->next_id[0]];
    double sum = 0;
    for (size_t id = 0; id < count; id++) {
        sum += exp(((double)model->logits[id] - most) / temperature);
    }
    double left = random_uniform(&model->draw) * sum;
    for (size_t id = 0; id < count; id++) {
        left -= exp(((double)model->logits[id] - most) / temperature);
        if (left < 0) {
            return (uint32_t)id;
        }
    }
    return model->next_id[0];
}

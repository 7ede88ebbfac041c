/* Spells the words that a run knows for people, and finds the ids of the words on the stages. */
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "learn/symbol_tokens.h"

const int32_t *learn_ids(const struct learn_data *data, const struct lab_words *tokens,
                         struct arena *arena, size_t *count, struct error *error)
{
    const size_t words = lab_words_count(tokens);
    int32_t *const ids = arena_array(arena, words + 1, sizeof *ids);
    *count = words;
    for (size_t w = 0; ids != NULL && w < words; w++) {
        const char *const word = lab_words_list(tokens)[w];
        const size_t id = learn_token_of(data, word);
        if (id == SIZE_MAX) {
            (void)error_set(error, ERROR_INPUT,
                            "“%.40s” is none of the %zu words that are learned here.", word,
                            learn_data_vocabulary(data));
            return NULL;
        }
        ids[w] = (int32_t)id;
    }
    return ids;
}

void learn_words_forget(struct app_learn *learn)
{
    learn_data_release(learn->words_of);
    free(learn->word);
    learn->words_of = NULL;
    learn->word = NULL;
}

const char *const *learn_words_shown(struct app_learn *learn)
{
    const struct learn_data *const data = learn->view->moment->data;
    const char *const *const word = learn_data_words(data);
    const size_t count = learn_data_vocabulary(data);
    if (learn->words_of != data) {
        learn_words_forget(learn);
        learn->word = malloc((count + 1) * sizeof *learn->word);
        for (size_t w = 0; learn->word != NULL && w < count; w++) {
            learn->word[w] = learn_shown_word(word[w]);
        }
        learn->words_of = learn_data_keep(data);
    }
    return learn->word != NULL ? learn->word : word; /* no memory: as they are */
}

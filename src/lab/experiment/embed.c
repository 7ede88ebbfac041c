/* lab/experiment/embed.c — turns words into rows of numbers. */
#include "lab/experiment/embed.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "lab/experiment/vocab.h"

size_t lab_embed_toy_size(void)
{
    return LAB_VOCAB_AXES;
}

/* The distinct words so far, each with its hash, so that most comparisons are of numbers. */
struct seen_words {
    uint64_t hash[2 * LAB_TOKENS_MAX];
    const char *word[2 * LAB_TOKENS_MAX];
    size_t count;
};

static size_t seen_number(struct seen_words *seen, const char *word)
{
    const uint64_t hash = random_hash(word, strlen(word));
    for (size_t s = 0; s < seen->count; s++) {
        if (seen->hash[s] == hash && strcmp(seen->word[s], word) == 0) {
            return s;
        }
    }
    seen->hash[seen->count] = hash;
    seen->word[seen->count] = word;
    return seen->count++;
}

static void see_words(struct seen_words *seen, const struct lab_words *words, size_t *number_of)
{
    for (size_t t = 0; t < lab_words_count(words); t++) {
        const size_t number = seen_number(seen, lab_words_list(words)[t]);
        if (number_of != NULL) {
            number_of[t] = number;
        }
    }
}

size_t lab_embed_distinct(const struct lab_words *tokens, const struct lab_words *context,
                          size_t *token_of, size_t *context_of)
{
    struct seen_words seen;
    seen.count = 0;
    see_words(&seen, tokens, token_of);
    see_words(&seen, context, context_of);
    return seen.count;
}

void lab_embed_distinct_names(const struct lab_words *tokens, const struct lab_words *context,
                              const char **name)
{
    struct seen_words seen;
    seen.count = 0;
    see_words(&seen, tokens, NULL);
    see_words(&seen, context, NULL);
    memcpy(name, seen.word, seen.count * sizeof *name);
}

void lab_embed_random(uint64_t seed, const char *word, size_t d_model, float *row)
{
    char stream[LAB_WORD_BYTES_MAX * 3 + 8] = "X:";
    strncat(stream, word, sizeof stream - 3);
    struct random random;
    random_start(&random, seed, stream);
    for (size_t c = 0; c < d_model; c++) {
        row[c] = (float)random_normal(&random);
    }
}

static bool onehot_rows(const struct lab_experiment *experiment, bool context, size_t d_model,
                        float *x, struct error *error)
{
    size_t *const number = malloc(2 * LAB_TOKENS_MAX * sizeof *number);
    if (number == NULL) {
        return error_set(error, ERROR_MEMORY,
                         "There is not enough memory for the words' dimensions.");
    }
    size_t *const context_of = number + LAB_TOKENS_MAX;
    lab_embed_distinct(experiment->tokens, experiment->context, number, context_of);
    const size_t *const of = context ? context_of : number;
    const size_t count = lab_words_count(context ? experiment->context : experiment->tokens);
    memset(x, 0, count * d_model * sizeof *x);
    for (size_t t = 0; t < count; t++) {
        x[t * d_model + of[t]] = 1;
    }
    free(number);
    return true;
}

bool lab_embed_rows(const struct lab_experiment *experiment, bool context, size_t d_model, float *x,
                    bool *guess, struct error *error)
{
    const struct lab_words *const words = context ? experiment->context : experiment->tokens;
    const size_t count = lab_words_count(words);
    if (experiment->embedding == LAB_EMBEDDING_ONEHOT) {
        return onehot_rows(experiment, context, d_model, x, error);
    }
    if (experiment->embedding == LAB_EMBEDDING_NUMBERS) {
        /* Rows of the tokens come first, then those of the context. */
        const size_t first = context ? lab_words_count(experiment->tokens) : 0;
        memcpy(x, lab_numbers_values(experiment->embeddings) + first * d_model,
               count * d_model * sizeof *x);
        return true;
    }
    for (size_t t = 0; t < count; t++) {
        const char *const word = lab_words_list(words)[t];
        if (experiment->embedding == LAB_EMBEDDING_RANDOM) {
            lab_embed_random(experiment->seed, word, d_model, x + t * d_model);
            continue;
        }
        const bool known = lab_vocab_place(word, x + t * d_model);
        if (guess != NULL) {
            guess[t] = !known;
        }
    }
    return true;
}

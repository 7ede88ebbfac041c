/* learn/symbol_tokens.c — see symbol_tokens.h. */
#include "learn/symbol_tokens.h"

#include <string.h>

static const struct {
    const char *letter, *sign;
} signs[] = {{" ", "␣"}, {"\n", "↵"}, {"\t", "⇥"}};

enum { SIGNS = sizeof signs / sizeof *signs };

const char *learn_shown_word(const char *word)
{
    for (size_t s = 0; s < SIGNS; s++) {
        if (strcmp(word, signs[s].letter) == 0) {
            return signs[s].sign;
        }
    }
    return word;
}

static size_t find_token(const struct learn_data *data, const char *word)
{
    const char *const *const known = learn_data_words(data);
    for (size_t id = 0; id < learn_data_vocabulary(data); id++) {
        if (strcmp(known[id], word) == 0) {
            return id;
        }
    }
    return SIZE_MAX;
}

size_t learn_token_of(const struct learn_data *data, const char *word)
{
    size_t id = find_token(data, word);
    for (size_t s = 0; id == SIZE_MAX && s < SIGNS; s++) {
        id = strcmp(word, signs[s].sign) == 0 ? find_token(data, signs[s].letter) : id;
    }
    return id;
}

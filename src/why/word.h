/* why/word.h — a next word as people write it, in the vocabulary of a model. */
#ifndef WHY_WORD_H
#define WHY_WORD_H

#include "model/model.h"

struct why_word {
    uint32_t id;
    const char *shown; /* "␣heavy" */
    size_t tokens;     /* how many the written word has: its first is meant */
};

/* Finds the token of a word behind word `position` of the run's text: with a leading space where
 * the vocabulary has it and the text calls for one. "#7" is token 7 of a model without a tokenizer.
 * Texts are owned by the arena. False and a sentence: it has no token. */
bool why_word_find(const struct model_run *run, const struct model *model, size_t position,
                   const char *written, struct arena *arena, struct why_word *out,
                   struct error *error);

/* The words of the run's text as people can read them, owned by the arena; NULL: no memory. */
const char *const *why_words_shown(const struct model_run *run, const struct model *model,
                                   struct arena *arena);

/* Finds a word of the text by its number from 1, or by itself ("hammer" is "␣hammer" too). False
 * and a sentence: there is none, or it stands there more than once, with its numbers. */
bool why_place_find(const char *const *words, size_t count, const char *written, size_t *place,
                    struct error *error);

#endif

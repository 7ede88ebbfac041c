/* learn/symbol_tokens.h — symbols for letters without a shape of their own: a space is ␣, a line
 * break ↵, a tab ⇥. */
#ifndef LEARN_SYMBOL_TOKENS_H
#define LEARN_SYMBOL_TOKENS_H

#include "learn/data.h"

/* Returns the word as a chip shows it: its symbol, or the word itself. */
const char *learn_shown_word(const char *word);

/* Returns the token of a word in either form; where a text contains the symbol itself, that is
 * meant. SIZE_MAX: there is none. */
size_t learn_token_of(const struct learn_data *data, const char *word);

#endif

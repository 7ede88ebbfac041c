/* learn/signs.h — letters without a shape of their own, as people can read them: a space is ␣, a
 * line break ↵, a tab ⇥. */
#ifndef LEARN_SIGNS_H
#define LEARN_SIGNS_H

#include "learn/data.h"

/* The word as it stands on a chip: its sign, or the word itself. */
const char *learn_shown_word(const char *word);

/* The token of a word that was written so or so; where a text has the sign itself, it is meant.
 * SIZE_MAX: there is none. */
size_t learn_token_of(const struct learn_data *data, const char *word);

#endif

/* base/readable.h — bytes of a text as people can read them, and the alphabet in which byte-level
 * tokenizers write them. */
#ifndef BASE_READABLE_H
#define BASE_READABLE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"

/* The letter that stands for a byte, and back; −1: for none. 33–126, 161–172 and 174–255 are the
 * letter of that number, the other 68 in their order U+0100 … U+0143, so that a space is Ġ
 * (openai/gpt-2, encoder.py). */
uint32_t readable_letter_of(uint8_t byte);
int readable_byte_of(uint32_t letter);

/* Owned by the arena: a space is ␣, a line break ↵, a tab ⇥; bytes that are no whole letter, and
 * controls, are written as ⟨E2⟩. NULL: no memory. */
const char *readable_bytes(struct bytes bytes, struct arena *arena);

#endif

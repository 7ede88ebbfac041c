/* limits_lab.h — so much of what is typed, saved and brought from elsewhere is taken: each of these
 * says whether that many are. */
#ifndef CLI_LIMITS_LAB_H
#define CLI_LIMITS_LAB_H

#include <stdbool.h>
#include <stddef.h>

bool takes_typed_numbers(size_t count);
bool takes_word_bytes(size_t count);
bool takes_lesson_bytes(size_t count);
bool takes_steps(size_t count);
bool takes_caption_bytes(size_t count);
bool takes_text_letters(size_t count);
bool takes_growth(size_t times); /* of a packed member */
bool takes_unpacked(size_t megabytes);
bool takes_attention_arrays(size_t count);
bool takes_attention_heads(size_t count);
bool takes_token_file(size_t bytes);

#endif

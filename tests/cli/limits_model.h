/* limits_model.h — so much of what the files of a model hold is taken: each of these says whether a
 * folder with that many is. Whatever else is wrong with the folder fails the test. */
#ifndef CLI_LIMITS_MODEL_H
#define CLI_LIMITS_MODEL_H

#include <stdbool.h>
#include <stddef.h>

bool takes_vocabulary_entries(size_t count);
bool takes_merges(size_t count);
bool takes_token_bytes(size_t count);
bool takes_token_id(size_t count); /* ids are below */
bool takes_merge_line(size_t bytes);
bool takes_added_tokens(size_t count);

#endif

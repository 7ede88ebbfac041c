/* limits_gguf.h — so much of what a GGUF holds is taken: each of these says whether a file with
 * that many is. */
#ifndef CLI_LIMITS_GGUF_H
#define CLI_LIMITS_GGUF_H

#include <stdbool.h>
#include <stddef.h>

bool takes_gguf_keys(size_t count);
bool takes_gguf_key_bytes(size_t count);
bool takes_gguf_text(size_t bytes);
bool takes_gguf_items(size_t count);
bool takes_gguf_lists(size_t depth);
bool takes_gguf_alignment(size_t bytes);
bool takes_gguf_tensors(size_t count);
bool takes_gguf_name(size_t bytes);
bool takes_gguf_dimensions(size_t count);
bool takes_gguf_files(size_t count);

#endif

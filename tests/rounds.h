/* tests/rounds.h — how often a test does what it does: few times each day, as often as
 * ATTN_TEST_ROUNDS says before a release. */
#ifndef TESTS_ROUNDS_H
#define TESTS_ROUNDS_H

#include <stddef.h>
#include <stdlib.h>

static inline size_t test_rounds(size_t everyday)
{
    const char *const text = getenv("ATTN_TEST_ROUNDS");
    return text == NULL || text[0] == '\0' ? everyday : (size_t)strtoull(text, NULL, 10);
}

#endif

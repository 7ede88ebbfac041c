/* tests/rounds.h — how often a test does what it does, and with how many of its cases. Of all tests
 * ATTN_TEST_ROUNDS says it:
 *
 *     (unset)    what is usual
 *     1/4        a quarter of the rounds, and every fourth case of a table: tests/run ci
 *     5000       so many rounds, and every case: the suite "long", before a release */
#ifndef TESTS_ROUNDS_H
#define TESTS_ROUNDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizers take several times as long, and keep memory that was given back. */
#if defined(__has_feature)
#define TEST_HAS_FEATURE(name) __has_feature(name)
#else
#define TEST_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_THREAD__) || TEST_HAS_FEATURE(thread_sanitizer)
#define TEST_THREADS_SANITIZED 1
#else
#define TEST_THREADS_SANITIZED 0
#endif
#if TEST_THREADS_SANITIZED || defined(__SANITIZE_ADDRESS__) || TEST_HAS_FEATURE(address_sanitizer)
#define TEST_SANITIZED 1
#else
#define TEST_SANITIZED 0
#endif

static inline const char *test_rounds_asked(void)
{
    const char *const text = getenv("ATTN_TEST_ROUNDS");
    return text == NULL ? "" : text;
}

/* A walk over cases goes on by so many: 1, or the N of "1/N". */
static inline size_t test_stride(void)
{
    const char *const text = test_rounds_asked();
    const size_t stride = strncmp(text, "1/", 2) == 0 ? (size_t)strtoull(text + 2, NULL, 10) : 1;
    return stride > 0 ? stride : 1;
}

/* A share of what is usual is never nothing. */
static inline size_t test_rounds(size_t usual)
{
    const char *const text = test_rounds_asked();
    if (text[0] == '\0') {
        return usual;
    }
    if (strncmp(text, "1/", 2) == 0) {
        return (usual + test_stride() - 1) / test_stride();
    }
    return (size_t)strtoull(text, NULL, 10);
}

/* Returns the seed of random rounds: ATTN_TEST_SEED, as a round that failed has printed it. */
static inline uint64_t test_seed(uint64_t otherwise)
{
    const char *const text = getenv("ATTN_TEST_SEED");
    return text == NULL || text[0] == '\0' ? otherwise : strtoull(text, NULL, 10);
}

#endif

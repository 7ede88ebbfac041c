/* base/random.h — random numbers that are the same on every machine.
 *
 * Generator: xoshiro256** (Blackman and Vigna 2018), its four words filled by splitmix64 from
 * seed ⊕ FNV-1a-64(stream). Normal values: Marsaglia's polar method on 53-bit uniform values with a
 * logarithm of our own, made of IEEE additions, multiplications and divisions only, so that not one
 * bit depends on a mathematical library. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t word[4];
    double spare; /* the second value of a polar pair */
    bool has_spare;
};

/* Starts the named stream of a seed: "W_Q.3" of seed 42 is the same whatever else was drawn. */
void random_start(struct random *random, uint64_t seed, const char *stream);

uint64_t random_bits(struct random *random);  /* 64 even bits */
double random_uniform(struct random *random); /* in [0, 1), a multiple of 2^-53 */
double random_normal(struct random *random);  /* mean 0, variance 1 */

/* 64-bit FNV-1a of length bytes. */
uint64_t random_hash(const void *bytes, size_t length);

#endif

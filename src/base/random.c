/* base/random.c — see random.h.
 *
 * Sources: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators" (2018);
 * G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators" (2014);
 * G. Marsaglia, T. A. Bray, "A convenient method for generating normal variables" (1964);
 * G. Fowler, L. C. Noll, K.-P. Vo, FNV hash. */
#include "base/random.h"

#include <math.h>
#include <string.h>

static uint64_t next_splitmix(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, unsigned count)
{
    return (x << count) | (x >> (64 - count));
}

uint64_t random_hash(const void *bytes, size_t length)
{
    const uint8_t *byte = bytes;
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

void random_start(struct random *random, uint64_t seed, const char *stream)
{
    uint64_t state = seed ^ random_hash(stream, strlen(stream));
    *random = (struct random){0};
    for (size_t i = 0; i < 4; i++) {
        random->word[i] = next_splitmix(&state);
    }
}

uint64_t random_bits(struct random *random)
{
    uint64_t *s = random->word;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double random_uniform(struct random *random)
{
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

/* ln x for a normal x > 0, within 2 units in the last place. With x = 2^k · m, √½ ≤ m < √2:
 * ln x = k·ln 2 + 2·artanh(s), s = (m − 1)/(m + 1), artanh(s) = s + s³/3 + s⁵/5 + … */
static double natural_logarithm(double x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0x000FFFFFFFFFFFFF)) | UINT64_C(0x3FF0000000000000);
    double m = 0;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    double s = (m - 1.0) / (m + 1.0);
    double square = s * s;
    double sum = 0.0;
    /* s² < 0.0295, so that the first term left out is below 2^-66 of the first. */
    for (int odd = 25; odd >= 3; odd -= 2) {
        sum = (sum + 1.0 / (double)odd) * square;
    }
    /* ln 2 in two parts: the high one has 21 zero bits at its end, so that k times it is exact. */
    const double ln2_high = 0x1.62e42fee00000p-1;
    const double ln2_low = 0x1.a39ef35793c76p-33;
    double k = (double)exponent;
    return k * ln2_high + (2.0 * s + (2.0 * s * sum + k * ln2_low));
}

double random_normal(struct random *random)
{
    if (random->has_spare) {
        random->has_spare = false;
        return random->spare;
    }
    for (;;) {
        double u = 2.0 * random_uniform(random) - 1.0;
        double v = 2.0 * random_uniform(random) - 1.0;
        double square = u * u + v * v;
        if (square >= 1.0 || square <= 0.0) {
            continue;
        }
        /* sqrt is exact to the last bit by IEEE 754, unlike log. */
        double factor = sqrt(-2.0 * natural_logarithm(square) / square);
        random->spare = v * factor;
        random->has_spare = true;
        return u * factor;
    }
}

/* Guesses read as people write them, and compared with what is true. */
#include "lab/lesson/guess.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { SAID_MAX = 63 };

/* Shares that differ by less are equal but for the order of their sums. */
static const float EQUAL = 1e-5f;

/* How near a coarsely rounded guess must be: 0.3 is near 0.28, but 0 is not near 0.03. */
static const double NEAR = 0.2, SHARE_NEAR = 0.001;

/* Reads one number of digits, with half a unit of its last one. */
static bool read_digits(const char *text, double *value, double *half)
{
    const char *const point = strchr(text, '.');
    const bool decimal = strpbrk(text, "eE") == NULL;
    const size_t behind = point == NULL ? 0 : strlen(point + 1);
    *half = decimal ? 0.5 * pow(10, -(double)behind) : 0;
    return text_to_double(text, value);
}

bool lab_guess_read(const char *answer, bool share, struct lab_guessed *guessed)
{
    char decimal[SAID_MAX + 1] = "";
    size_t length = 0;
    for (const char *at = answer; *at != 0 && length < SAID_MAX; at++) {
        if (strncmp(at, "\xe2\x88\x92", 3) == 0) {
            decimal[length++] = '-';
            at += 2;
        } else if (*at != ' ') {
            decimal[length++] = *at == ',' ? '.' : *at;
        }
    }
    *guessed = (struct lab_guessed){.percent = length > 1 && decimal[length - 1] == '%'};
    length -= guessed->percent;
    decimal[length] = 0;
    char *const stroke = strchr(decimal, '/');
    double below = 1;
    if (stroke != NULL) {
        *stroke = 0;
        double ignored = 0;
        if (!read_digits(stroke + 1, &below, &ignored) || fabs(below) < 1e-300) {
            return false;
        }
    }
    if (!read_digits(decimal, &guessed->value, &guessed->half)) {
        return false;
    }
    guessed->value /= below;
    guessed->half = stroke != NULL ? 0 : guessed->half;
    guessed->percent |= share && guessed->value > 1;
    if (guessed->percent) {
        guessed->value /= 100;
        guessed->half /= 100;
    }
    return true;
}

bool lab_guess_is_right(const struct lab_guessed *guessed, bool share, double truth)
{
    const double rounding = fmin(guessed->half, NEAR * fabs(truth));
    const double exact = 0.0005 * fmax(1, fabs(truth)); /* as it would be printed */
    const double room = fmax(rounding, share ? SHARE_NEAR : exact);
    return fabs(guessed->value - truth) <= room + 1e-9;
}

const char *lab_guess_key(const char *const *words, size_t count, const char *answer)
{
    for (size_t j = 0; j < count; j++) {
        if (strcasecmp(words[j], answer) == 0) {
            return words[j];
        }
    }
    return NULL;
}

static size_t largest_of(const float *row, size_t count)
{
    size_t best = 0;
    for (size_t j = 1; j < count; j++) {
        best = row[j] > row[best] ? j : best;
    }
    return best;
}

bool lab_guess_wins(const float *row, size_t count, size_t index)
{
    const float max = row[largest_of(row, count)];
    return index < count && row[index] >= max * (1 - EQUAL);
}

size_t lab_guess_winner(const float *row, size_t count, const char *const *words,
                        const char *answer)
{
    for (size_t j = 0; j < count && answer[0] != 0; j++) {
        if (strcmp(words[j], answer) == 0 && lab_guess_wins(row, count, j)) {
            return j;
        }
    }
    return largest_of(row, count);
}

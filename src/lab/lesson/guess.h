/* lab/lesson/guess.h — what a class says before it is shown: read as people write it, and judged as
 * a teacher would. */
#ifndef LAB_LESSON_GUESS_H
#define LAB_LESSON_GUESS_H

#include <stdbool.h>
#include <stddef.h>

/* A number as it was said. */
struct lab_guessed {
    double value; /* of "2.9 %": 0.029 */
    double half;  /* half a unit of its last digit; 0 of a fraction */
    bool percent;
};

/* "0,3", "−2.5" with a true minus, "30 %", "3/4". Of a share more than 1 is percent without the
 * sign too. False: it is no number. */
bool lab_guess_read(const char *answer, bool share, struct lab_guessed *guessed);

/* Whether the truth, rounded as the guess is, is what was said. A share may be a thousandth off:
 * who subtracts the others, each rounded, from 100 % arrives there. */
bool lab_guess_is_right(const struct lab_guessed *guessed, bool share, double truth);

/* The largest weight of a row [count]: that of the word that was said where several are equally
 * large (words [count]; said may be ""), else the first. */
size_t lab_guess_winner(const float *row, size_t count, const char *const *words,
                        const char *answer);

/* Whether the weight is as large as the row's largest. */
bool lab_guess_wins(const float *row, size_t count, size_t index);

#endif

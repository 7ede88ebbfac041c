/* lab/lesson/guess.h — reads what a class guesses as people write it, and judges it as a teacher
 * would. */
#ifndef LAB_LESSON_GUESS_H
#define LAB_LESSON_GUESS_H

#include <stdbool.h>
#include <stddef.h>

/* A number as it was guessed. */
struct lab_guessed {
    double value; /* of "2.9 %": 0.029 */
    double half;  /* half a unit of its last digit; 0 of a fraction */
    bool percent;
};

/* Reads "0,3", "−2.5" with a true minus, "30 %" or "3/4". A guess of a share above 1 is a
 * percentage without the sign too. Returns false where it is no number. */
bool lab_guess_read(const char *answer, bool share, struct lab_guessed *guessed);

/* Says whether the truth, rounded like the guess, equals it. A share may be a thousandth off, since
 * subtracting the other rounded shares from 100 % gives such differences. */
bool lab_guess_is_right(const struct lab_guessed *guessed, bool share, double truth);

/* The one of the words [count] that is the answer but for small and capital letters; NULL: none. */
const char *lab_guess_key(const char *const *words, size_t count, const char *answer);

/* Returns the index of the largest weight of row [count]. Where several are equally large it is the
 * one of the guessed word (words [count]; said may be ""), else the first. */
size_t lab_guess_winner(const float *row, size_t count, const char *const *words,
                        const char *answer);

/* Says whether the weight is as large as the row's largest. */
bool lab_guess_wins(const float *row, size_t count, size_t index);

#endif

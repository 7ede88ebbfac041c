/* lab/experiment/vocab.c — finds words in the toy vocabulary, and gives a place to words it
 * lacks. */
#include "lab/experiment/vocab.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "lab/experiment/vocab_table.h"

/* Unknown words lie near the middle, closer together than most words that were placed by hand. */
static const double guess_spread = 0.8;

static const char *const axes[LAB_VOCAB_AXES] = {"petness", "animalness", "cityness"};

const char *lab_vocab_axis(size_t axis)
{
    return axes[axis];
}

size_t lab_vocab_count(void)
{
    return lab_vocab_entry_count;
}

const char *lab_vocab_word(size_t index)
{
    return lab_vocab_entries[index].word;
}

static char lower_case(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Says whether two words have the same letters, ignoring case. */
static bool are_same_letters(const char *one, const char *other)
{
    size_t l = 0;
    while (one[l] != '\0' && lower_case(one[l]) == lower_case(other[l])) {
        l++;
    }
    return one[l] == other[l];
}

static const struct lab_vocab_entry *find_entry(const char *word)
{
    const struct lab_vocab_entry *other_case = NULL;
    for (size_t e = 0; e < lab_vocab_entry_count; e++) {
        const struct lab_vocab_entry *const entry = &lab_vocab_entries[e];
        if (!are_same_letters(entry->word, word)) {
            continue;
        }
        if (strcmp(entry->word, word) == 0) {
            return entry;
        }
        if (other_case == NULL) {
            other_case = entry;
        }
    }
    return other_case;
}

/* Returns the 64-bit FNV-1a hash of the word in lower case. */
static uint64_t hash_of_letters(const char *word)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t at = 0; word[at] != '\0'; at++) {
        hash = (hash ^ (unsigned char)lower_case(word[at])) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Derives a position from the letters of a word, ignoring case. It is rounded to one decimal, like
 * the numbers that were placed by hand. */
static void guess_position(const char *word, float position[LAB_VOCAB_AXES])
{
    struct random random;
    random_start(&random, hash_of_letters(word), "letters");
    for (size_t a = 0; a < LAB_VOCAB_AXES; a++) {
        const double tenths = floor(random_normal(&random) * guess_spread * 10 + 0.5);
        position[a] = tenths < 0 || tenths > 0 ? (float)(tenths / 10) : 0.0f; /* avoids −0 */
    }
}

bool lab_vocab_place(const char *word, float position[LAB_VOCAB_AXES])
{
    const struct lab_vocab_entry *const entry = find_entry(word);
    if (entry == NULL) {
        guess_position(word, position);
        return false;
    }
    memcpy(position, entry->position, sizeof entry->position);
    return true;
}

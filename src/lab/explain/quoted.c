/* lab/explain/quoted.c — a token as a word of a sentence: in quotation marks where the sentence
 * would otherwise swallow it. */
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/explain/explain.h"

/* What sentences themselves are made of, in English and in German: "what “the” makes of every key".
 */
static const char *const little[] = {
    "a",     "about", "after", "all",  "am",    "an",    "and",  "are",   "as",    "at",    "be",
    "been",  "but",   "by",    "can",  "did",   "do",    "does", "for",   "from",  "had",   "has",
    "have",  "he",    "her",   "him",  "his",   "how",   "i",    "if",    "in",    "into",  "is",
    "it",    "its",   "me",    "most", "my",    "no",    "not",  "of",    "off",   "on",    "or",
    "our",   "out",   "over",  "she",  "so",    "than",  "that", "the",   "their", "them",  "then",
    "there", "these", "they",  "this", "those", "to",    "too",  "under", "up",    "us",    "was",
    "we",    "were",  "what",  "when", "where", "which", "who",  "whose", "why",   "will",  "with",
    "would", "you",   "your",  "aber", "als",   "am",    "auf",  "aus",   "bei",   "das",   "dass",
    "dem",   "den",   "der",   "des",  "die",   "ein",   "eine", "einem", "einen", "einer", "er",
    "es",    "für",   "hat",   "ich",  "ihr",   "im",    "ist",  "mit",   "nach",  "nicht", "oder",
    "sie",   "sind",  "und",   "von",  "vor",   "war",   "was",  "wenn",  "wer",   "wie",   "wir",
    "wo",    "zu",    "zum",   "zur",  "über",
};

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool same_word(const char *a, const char *b)
{
    while (*a != '\0' && small(*a) == small(*b)) {
        a++;
        b++;
    }
    return small(*a) == small(*b);
}

static bool is_swallowed(const char *word)
{
    const size_t length = strlen(word);
    if (length == 0 || strchr(word, ' ') != NULL || strchr(".,;:!?", word[length - 1]) != NULL) {
        return true;
    }
    for (size_t i = 0; i < sizeof little / sizeof *little; i++) {
        if (same_word(word, little[i])) {
            return true;
        }
    }
    return false;
}

const char *lab_quoted(struct arena *arena, const char *word)
{
    const char *const marked = is_swallowed(word) ? arena_format(arena, "“%s”", word) : NULL;
    return marked != NULL ? marked : word;
}

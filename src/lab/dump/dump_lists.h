/* lab/dump/dump_lists.h — lists of tokens: inside a file of attention, in a file beside it, said by
 * the request. What is known of each before anything is read from it: its name and its lengths. */
#ifndef LAB_DUMP_DUMP_LISTS_H
#define LAB_DUMP_DUMP_LISTS_H

#include "lab/dump/dump_internal.h"

enum dump_list_source {
    DUMP_LIST_INSIDE,
    DUMP_LIST_BESIDE,
    DUMP_LIST_SAID,        /* by the request: it is the tokens, of rows or columns */
    DUMP_LIST_SAID_OF_KEYS /* of columns */
};

struct dump_list {
    const char *name;  /* "tokens"; also of one that has none */
    const char *from;  /* "the array tokens", "a.tokens.json", "--tokens" */
    const char *shown; /* "tokens", "a.tokens.json", "--tokens" */
    enum dump_list_source source;
    bool are_ids;
    size_t rank, shape[ARRAY_RANK_MAX]; /* one list; or texts × tokens, ones beside these */
    const struct array *ids;            /* numbers of the file; or */
    const char *const *word;            /* at hand; neither: texts of an npz */
    const size_t *start;                /* [shape[0] + 1] of `word` where texts differ in length */
    bool is_used;
};

/* Fills dump->list; of what is said and cannot be read, false and a sentence. */
bool dump_find_lists(struct lab_dump *dump, const struct lab_dump_request *request,
                     struct error *error);

/* How many tokens the list has for that one of so many texts; 0: none, it is of other texts. */
size_t dump_list_length(const struct dump_list *list, size_t texts, size_t text);

/* These tokens. False: they cannot be read, or are no tokens; arena->lacking: no memory. */
bool dump_list_read(const struct lab_dump *dump, const struct dump_list *list, size_t texts,
                    size_t text, struct arena *arena, const char *const **words, size_t *count);

/* lab/dump/dump_words.c: whether a list is called as one of tokens; others name something only by
 * their lengths. */
bool dump_list_is_named(const struct dump_list *list);

/* Whether any list is called so. */
bool dump_lists_are_there(const struct lab_dump *dump);

/* Whether a list that is called so has that many tokens, for one of so many texts. */
bool dump_lists_have(const struct lab_dump *dump, size_t length, size_t texts);

/* Whether a list of that many tokens is not called as one of the keys alone. */
bool dump_lists_have_own(const struct lab_dump *dump, size_t length, size_t texts);

/* Whether a list that is called so is of so many texts, each of that many tokens. */
bool dump_lists_have_texts(const struct lab_dump *dump, size_t texts, size_t length);

/* lab/dump/dump_bytes.c: writes the words of a list in the alphabet of bytes (Ġ, Ċ, ä½ł) as people
 * read them, and leaves every other list. False: no memory. */
bool dump_read_bytes(const char **word, size_t count, struct arena *arena);

#endif

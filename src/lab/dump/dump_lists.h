/* lab/dump/dump_lists.h — lists of tokens: inside a file of attention, in a file next to it, or
 * given by the request. The name and lengths of each are known before anything of it is read. */
#ifndef LAB_DUMP_DUMP_LISTS_H
#define LAB_DUMP_DUMP_LISTS_H

#include "lab/dump/dump_internal.h"

enum dump_list_source {
    DUMP_LIST_INSIDE,
    DUMP_LIST_BESIDE,
    DUMP_LIST_SAID,        /* by the request: they are the tokens of rows or columns */
    DUMP_LIST_SAID_OF_KEYS /* of columns only */
};

struct dump_list {
    const char *name;  /* "tokens"; also of one that has none */
    const char *from;  /* "the array tokens", "a.tokens.json", "--tokens" */
    const char *shown; /* "tokens", "a.tokens.json", "--tokens" */
    enum dump_list_source source;
    bool are_ids;
    size_t rank, shape[ARRAY_RANK_MAX]; /* one list, or texts × tokens with further axes of 1 */
    const struct array *ids;            /* numbers of the file */
    const char *const *word; /* words in memory; where ids is NULL too: texts of an npz */
    const size_t *start;     /* [shape[0] + 1] of `word` where texts differ in length */
    bool is_used;
};

/* Fills dump->list. Returns false and a sentence where a list that the request gives cannot be
 * read. */
bool dump_find_lists(struct lab_dump *dump, const struct lab_dump_request *request,
                     struct error *error);

/* Returns how many tokens the list has for one of so many texts; 0: it belongs to other texts. */
size_t dump_list_length(const struct dump_list *list, size_t texts, size_t text);

/* Reads these tokens. Returns false where they cannot be read or are no tokens; arena->lacking: no
 * memory. */
bool dump_list_read(const struct lab_dump *dump, const struct dump_list *list, size_t texts,
                    size_t text, struct arena *arena, const char *const **words, size_t *count);

/* lab/dump/dump_words.c: says whether a list has a usual name of tokens. Other lists name rows or
 * columns only by their lengths. */
bool dump_list_is_named(const struct dump_list *list);

/* Says whether any list has a usual name. */
bool dump_lists_are_there(const struct lab_dump *dump);

/* Says whether a list of a usual name has that many tokens, for one of so many texts. */
bool dump_lists_have(const struct lab_dump *dump, size_t length, size_t texts);

/* Says whether a list of that many tokens is not named as one of the keys alone. */
bool dump_lists_have_own(const struct lab_dump *dump, size_t length, size_t texts);

/* Says whether a list of a usual name has so many texts, each of that many tokens. */
bool dump_lists_have_texts(const struct lab_dump *dump, size_t texts, size_t length);

/* lab/dump/dump_bytes.c: decodes a list that is written in the byte alphabet (Ġ, Ċ, ä½ł) and leaves
 * every other list as it is. Returns false where memory is lacking. */
bool dump_read_bytes(const char **word, size_t count, struct arena *arena);

#endif

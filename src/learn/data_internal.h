/* learn/data_internal.h — how data is made: what the files of each task share. */
#ifndef LEARN_DATA_INTERNAL_H
#define LEARN_DATA_INTERNAL_H

#include <stdatomic.h>

#include "base/random.h"
#include "learn/data.h"

/* How the data of a task is made: a row of the table in data.c. */
struct learn_source {
    size_t context, batch;              /* where none is asked for */
    size_t context_least, context_most; /* what the task has */
    bool causal, letters;
    /* Vocabulary and whatever rows are drawn from. */
    bool (*prepare)(struct learn_data *data, struct error *error);
    /* One row of random data. */
    void (*row)(const struct learn_data *data, struct random *random, int32_t *tokens,
                int32_t *targets);
    /* A row that is in no batch; NULL: there are none. */
    void (*test_row)(const struct learn_data *data, size_t row, int32_t *tokens, int32_t *targets);
    /* Cells of a row of the texts that scores are taken from; each by learn_data_mark. */
    void (*mark)(struct learn_data *data, size_t row, const int32_t *tokens, size_t width);
};

/* A place in a table of words by their hash. */
struct learn_slot {
    uint32_t token; /* + 1; 0: empty */
};

struct learn_data {
    atomic_uint holders;
    struct arena arena;
    struct learn_data_request request;
    const struct learn_source *source;
    struct learn_data *shares; /* whose words these are, and of what is made of it whose stream; a
                                  reference, or NULL: its own */
    const char **words;        /* [vocabulary], 0-ended */
    size_t vocabulary;
    struct learn_slot *slots; /* [slot_count], a power of two: words by their hash */
    size_t slot_count;
    bool letters;

    /* What rows are drawn from, as the task has it: a stream of tokens; pairs; names one behind the
     * other. */
    int32_t *stream;
    struct learn_pages *pages; /* of own text, in place of the stream … */
    bool owns_pages;           /* … its own; else those of what it shares */
    size_t stream_count;
    size_t train_count; /* of the stream, or of the items: those behind are for the test */
    size_t *items;      /* [item_count + 1] where each begins in the stream */
    size_t item_count;
    size_t test_rows;

    int32_t *score_tokens;
    size_t score_rows, score_width;
    struct learn_mark *marks;
    size_t mark_count, mark_room;

    int32_t *kinds;
    size_t kind_count;
    const char *const *kind_names;

    const char **probes; /* [probe_count] */
    size_t probe_count;
    size_t left_out; /* of own text: bytes that are no text */
};

/* 0 … count − 1. */
size_t learn_below(struct random *random, size_t count);

/* The first `take` of `values` are a random choice of all in random order. */
void learn_shuffle(struct random *random, int32_t *values, size_t count, size_t take);

/* More than there is room for is left out (tasks ask for their room beforehand). */
void learn_data_mark(struct learn_data *data, enum learn_score score, size_t row, size_t query,
                     size_t key);

/* Marks of LEARN_SCORE_PREVIOUS, and of LEARN_SCORE_INDUCTION. */
void learn_mark_previous(struct learn_data *data, size_t row, const int32_t *tokens, size_t width);
void learn_mark_text(struct learn_data *data, size_t row, const int32_t *tokens, size_t width);

/* Words alone, none yet: it has no batches. NULL: no memory. (data_words.c) */
struct learn_data *learn_data_empty(bool letters, struct error *error);

/* The number of a word; SIZE_MAX: the vocabulary has no such word. (data_words.c) */
size_t learn_data_find(const struct learn_data *data, const char *word, size_t length);

/* A word more; *token is its number, or that of the one there is. False: no memory. */
bool learn_data_add_word(struct learn_data *data, const char *word, size_t length, size_t *token,
                         struct error *error);

/* The next word of a text (letters: the next letter) from *at on, which moves behind it; false:
 * there is none. */
bool learn_next_word(const char *text, size_t length, bool letters, size_t *at, size_t *start,
                     size_t *size);

/* The tokens of own text, which has many: a byte each in pages where none is above 255, else two.
 * (data_pages.c) */
void learn_pages_empty(struct learn_data *data);
bool learn_pages_add(struct learn_data *data, size_t token, struct error *error);
void learn_pages_read(const struct learn_data *data, size_t from, size_t count, int32_t *out);
void learn_pages_free(struct learn_pages *pages); /* NULL is fine */

/* A list of words: each becomes a token. False: no memory. */
bool learn_data_set_words(struct learn_data *data, const char *const *words, size_t count,
                          struct error *error);
bool learn_no_memory(struct error *error);

/* The texts of tokens as they are encoded again, owned by the data's arena; NULL: no memory. */
char *learn_data_text(struct learn_data *data, const int32_t *tokens, size_t count);

extern const struct learn_source learn_source_copy, learn_source_reverse, learn_source_sort,
    learn_source_world, learn_source_induction, learn_source_brackets, learn_source_addition,
    learn_source_names, learn_source_text;

/* The names that LEARN_TASK_NAMES learns from, in lower-case letters a … z, 0-ended. */
extern const char *const learn_first_names[];

#endif

/* learn/data_internal.h — what the files of each task share. */
#ifndef LEARN_DATA_INTERNAL_H
#define LEARN_DATA_INTERNAL_H

#include <stdatomic.h>

#include "base/random.h"
#include "learn/data.h"

/* The functions that make the data of a task: a row of the table in data.c. */
struct learn_source {
    size_t context, batch;           /* where the request has none */
    size_t context_min, context_max; /* of the task */
    bool causal, letters;
    /* Prepares the vocabulary and whatever rows are drawn from. */
    bool (*prepare)(struct learn_data *data, struct error *error);
    /* Fills the batch of a step, where rows are not drawn one by one; else NULL. */
    void (*batch_of)(const struct learn_data *data, uint64_t step, int32_t *tokens,
                     int32_t *targets);
    /* Draws one row of random data; NULL where there is batch_of. */
    void (*row)(const struct learn_data *data, struct random *random, int32_t *tokens,
                int32_t *targets);
    /* Makes a row that is in no batch; NULL: there are none. */
    void (*test_row)(const struct learn_data *data, size_t row, int32_t *tokens, int32_t *targets);
    /* Marks cells of a row of the texts that scores are taken of, each by learn_data_mark. */
    void (*mark)(struct learn_data *data, size_t row, const int32_t *tokens, size_t width);
};

enum { LEARN_NO_START = -1 /* of line_start: no token stands before a line */ };

/* A slot in a table of words by their hash. */
struct learn_slot {
    uint32_t token; /* + 1; 0: empty */
};

struct learn_data {
    atomic_uint holders;
    struct arena arena;
    struct learn_data_request request;
    const struct learn_source *source;
    struct learn_data *shares; /* the data whose words it uses, and, where it is made of cut text,
                                  whose stream; a reference, or NULL: it has its own */
    const char **words;        /* [vocabulary], 0-ended */
    size_t vocabulary;
    struct learn_slot *slots; /* [slot_count], a power of two: words by their hash */
    size_t slot_count;
    bool letters;

    /* The source of rows, depending on the task: a stream of tokens, pairs, or names one after the
     * other. */
    int32_t *stream;
    struct learn_pages *pages; /* of own text, in place of the stream */
    bool owns_pages;           /* false: they are those of the data it shares */
    size_t stream_count;
    size_t train_count; /* of the stream, or of the items: the others are for the test */
    size_t *items;      /* [item_count + 1] where each begins in the stream */
    size_t item_count;
    /* What can be left out, line by line: the items, which are lines of a text. */
    struct bytes lines;     /* the text; of own text the request's */
    uint32_t *line_numbers; /* [item_count] in it; NULL: the items are no lines */
    int32_t line_start;     /* learn_data_line_start */
    uint8_t *line_of;       /* [stream_count] the line that a token of the stream is from; NULL: the
                               rows are lines themselves */
    uint32_t *line_times;   /* [item_count] how often the stream has each; with line_of */
    size_t test_rows;

    int32_t *score_tokens;
    size_t score_rows, score_width;
    struct learn_mark *marks;
    size_t mark_count, mark_room;

    int32_t *kinds;
    size_t kind_count;

    const char **probes; /* [probe_count] */
    size_t probe_count;
    size_t left_out; /* of own text: bytes that are no text */
};

/* Draws a number from 0 up to, but without, count. */
size_t learn_below(struct random *random, size_t count);

/* Shuffles so that the first `take` of `values` are a random choice in random order. */
void learn_shuffle(struct random *random, int32_t *values, size_t count, size_t take);

/* Marks a cell. Marks beyond the room are dropped; tasks make enough room beforehand. */
void learn_data_mark(struct learn_data *data, enum learn_score score, size_t row, size_t query,
                     size_t key);

/* Mark the cells of LEARN_SCORE_PREVIOUS, and of LEARN_SCORE_INDUCTION. */
void learn_mark_previous(struct learn_data *data, size_t row, const int32_t *tokens, size_t width);
void learn_mark_text(struct learn_data *data, size_t row, const int32_t *tokens, size_t width);

/* Makes data without words and without batches. NULL: no memory. (data_words.c) */
struct learn_data *learn_data_empty(bool letters, struct error *error);

/* Finds the number of a word; SIZE_MAX: the vocabulary does not have it. (data_words.c) */
size_t learn_data_find(const struct learn_data *data, const char *word, size_t length);

/* Adds a word; *token is its number, or that of an equal word. Returns false without memory. */
bool learn_data_add_word(struct learn_data *data, const char *word, size_t length, size_t *token,
                         struct error *error);

/* Finds the next word of a text (letters: the next letter) from *at on, and moves *at behind it.
 * Returns false where there is none. */
bool learn_next_word(const char *text, size_t length, bool letters, size_t *at, size_t *start,
                     size_t *size);

/* Cuts own text, unless that is done, and shares its words and tokens. (data_text.c) */
bool learn_data_share_cut(struct learn_data *data, struct error *error);

/* Hold the tokens of own text, which has many: a byte for each in pages where none is above 255,
 * else two. (data_pages.c) */
void learn_pages_empty(struct learn_data *data);
bool learn_pages_add(struct learn_data *data, size_t token, struct error *error);
void learn_pages_read(const struct learn_data *data, size_t from, size_t count, int32_t *out);
void learn_pages_free(struct learn_pages *pages); /* NULL is fine */

/* Says whether a target belongs to a line that is left out; line: as items count. (data_lines.c) */
bool learn_data_is_left_out(const struct learn_data *data, size_t line);

/* Checks that the lines to be left out are there. (data_lines.c) */
bool learn_data_check_left_out(const struct learn_data *data, struct error *error);

/* Makes a token of each word of a list. Returns false without memory. */
bool learn_data_set_words(struct learn_data *data, const char *const *words, size_t count,
                          struct error *error);
bool learn_no_memory(struct error *error);

/* Writes tokens as a text that encodes to them again, owned by the data's arena; NULL: no
 * memory. */
char *learn_data_text(struct learn_data *data, const int32_t *tokens, size_t count);

extern const struct learn_source learn_source_copy, learn_source_reverse, learn_source_sort,
    learn_source_world, learn_source_induction, learn_source_brackets, learn_source_addition,
    learn_source_names, learn_source_text, learn_source_lines;

/* The names that LEARN_TASK_NAMES learns from, in lower-case letters from a to z; NULL behind the
 * last. */
extern const char *const learn_first_names[];

#endif

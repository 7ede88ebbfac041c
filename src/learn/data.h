/* learn/data.h — what is learned from: words, and batches of them with what is asked.
 *
 *     struct learn_data *data = learn_data_make(&asked, &error);
 *     learn_data_batch(data, step, tokens, targets);     tokens, targets [batch][context]
 *     learn_data_release(data);
 *
 * A batch follows from the data, its seed and the number of the step alone, so that any step of a
 * run can be made again. Data never changes once it is made: any number of threads may read it. */
#ifndef LEARN_DATA_H
#define LEARN_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "learn/shape.h"

enum learn_task_id {
    LEARN_TASK_COPY,
    LEARN_TASK_REVERSE,
    LEARN_TASK_SORT,
    LEARN_TASK_SMALL_WORLD,
    LEARN_TASK_INDUCTION,
    LEARN_TASK_BRACKETS,
    LEARN_TASK_ADDITION,
    LEARN_TASK_NAMES,
    LEARN_TASK_TEXT,
    LEARN_TASKS
};

/* What the small world speaks. */
enum learn_language { LEARN_ENGLISH, LEARN_GERMAN, LEARN_CHINESE, LEARN_LANGUAGES };

/* What own text is cut into. */
enum learn_units {
    LEARN_UNITS_AUTO, /* words where few enough of them come often enough, else letters */
    LEARN_WORDS,      /* what stands between white space */
    LEARN_LETTERS,    /* code points, white space among them */
    LEARN_UNITS
};

enum {
    LEARN_TEXT_BYTES_MAX = 64 << 20,
    LEARN_KINDS_MAX = 65536, /* different words or letters of own text */
    LEARN_WORD_BYTES_MAX = 256,
    LEARN_BATCH_MAX = 4096,
    LEARN_NOT_ASKED = -1, /* a target */
};

/* What heads are measured by; each is a mean of weights over marked cells, but the last two, which
 * look at the embedding. */
enum learn_score {
    LEARN_SCORE_ANSWER, /* α(i, the place whose symbol is the answer at i): copy, reverse, sort */
    LEARN_SCORE_NOUN,   /* α("is", the noun before) */
    LEARN_SCORE_PREVIOUS,  /* α(i, i − 1) */
    LEARN_SCORE_INDUCTION, /* α(i, the last place before i of the same symbol, + 1) */
    LEARN_SCORE_MATCH,     /* α(the place before a closing bracket, its opening one) */
    LEARN_SCORES_OF_HEADS, /* those above are of each head, those below of the embedding */
    LEARN_SCORE_KINDS = LEARN_SCORES_OF_HEADS, /* small world: mean cosine of two nouns of one kind,
                                                  less that of two of different kinds */
    LEARN_SCORE_FREQUENCIES, /* addition: share of the power over the numbers that lies in the three
                                strongest frequencies */
    LEARN_SCORE_ROWS
};

/* A cell of α that a score is the mean of. */
struct learn_mark {
    enum learn_score score;
    size_t row, query, key; /* row: of the texts that scores are taken from */
};

/* What to make. Zero where nothing is said: English, the task's own context and batch. */
struct learn_data_request {
    enum learn_task_id task;
    enum learn_language language; /* of the small world */
    enum learn_units units;       /* of own text */
    struct bytes text;            /* own text, UTF-8; copied … */
    const struct learn_data *cut; /* … or already cut (learn_data_cut): then that is shared */
    size_t context, batch; /* tokens of a row, rows; of copy, reverse and sort context is the length
                              of the list; 2 … LEARN_CONTEXT_MAX, 1 … LEARN_BATCH_MAX */
    uint64_t seed;
};

struct learn_data;

/* The caller holds one reference. NULL and one sentence: the text has fewer than two tokens or too
 * many kinds, a size the task does not have, or no memory. */
struct learn_data *learn_data_make(const struct learn_data_request *request, struct error *error);
struct learn_data *learn_data_keep(const struct learn_data *data); /* NULL gives NULL */
void learn_data_release(const struct learn_data *data);            /* NULL is fine */

/* Own text cut into words or letters, for all data that are made of it: it has no batches. known:
 * its tokens are those of this data, which it shares; a text with others is refused, in a sentence
 * that names some and says how many there are. NULL: it has a vocabulary of its own. goes_on is
 * asked now and then (NULL: nobody), false: give up, without a sentence. */
struct learn_cutting {
    bool (*goes_on)(void *owner, size_t done, size_t all);
    void *owner;
};
struct learn_data *learn_data_cut(struct bytes text, enum learn_units units,
                                  const struct learn_data *known,
                                  const struct learn_cutting *cutting, struct error *error);

/* How many tokens own text has. */
size_t learn_data_length(const struct learn_data *data);

/* Whether its words are its own: it was cut without `known`. */
bool learn_data_has_own_words(const struct learn_data *data);

/* Whether two have the same words with the same numbers, for they share them. */
bool learn_data_shares_words(const struct learn_data *a, const struct learn_data *b);

/* What it was made of, with what was chosen for LEARN_UNITS_AUTO; text is the data's copy, without
 * what is no text, and empty where no session could hold it (LEARN_LEARNED_TEXT_MAX); cut is NULL
 * for what is not cut. */
const struct learn_data_request *learn_data_request_of(const struct learn_data *data);

/* The vocabulary: the word of each token, 0-ended UTF-8. */
size_t learn_data_vocabulary(const struct learn_data *data);
const char *const *learn_data_words(const struct learn_data *data);

/* Whether a token is a letter or a sign of its own (texts are then written without spaces). */
bool learn_data_is_letters(const struct learn_data *data);

/* A query sees all keys (copy, reverse, sort), or the past only. */
bool learn_data_is_causal(const struct learn_data *data);

/* The batch of a step: tokens and targets [batch][context]; targets are LEARN_NOT_ASKED or the
 * token that is right there. */
void learn_data_batch(const struct learn_data *data, uint64_t step, int32_t *tokens,
                      int32_t *targets);

/* Rows of the same width that are never trained on (addition, names, own text that is long enough):
 * how many there are, at most LEARN_BATCH_MAX; 0: every batch is new, and a test would be one more.
 */
size_t learn_data_test_rows(const struct learn_data *data);
void learn_data_test(const struct learn_data *data, int32_t *tokens, int32_t *targets);

/* The texts that scores of heads are taken from, [rows][width] tokens, width ≤ context, and the
 * marked cells, ordered by score. */
struct learn_score_texts {
    const int32_t *tokens;
    size_t rows, width;
    const struct learn_mark *marks;
    size_t count;
};
struct learn_score_texts learn_data_score_texts(const struct learn_data *data);

/* Groups of tokens that belong together, for LEARN_KINDS and for colours: the kind of each token
 * [vocabulary], −1: none; kinds 0 … count − 1. NULL: the task has none. */
const int32_t *learn_data_kinds(const struct learn_data *data, size_t *count);

/* A kind's name in the language of the data ("animals at home"). */
const char *learn_data_kind_name(const struct learn_data *data, size_t kind);

/* The tokens of a text as the tokenizer of the saved folder has them, owned by the arena: split at
 * white space, or letter by letter. False and a sentence that names the first word that is not in
 * the vocabulary. */
bool learn_data_encode(const struct learn_data *data, const char *text, size_t length,
                       struct arena *arena, const int32_t **tokens, size_t *count,
                       struct error *error);

/* A vocabulary alone, of a model that was saved, to encode texts with: it has no batches. NULL: no
 * memory. */
struct learn_data *learn_data_of_words(const char *const *words, size_t count, bool letters,
                                       struct error *error);

/* Sentences worth looking at, from 0 (a teacher's choice first); NULL behind the last. They can be
 * encoded. Of own text: its first tokens. */
const char *learn_data_probe(const struct learn_data *data, size_t index);

/* Bytes of own text that belong to no letter. */
size_t learn_data_left_out(const struct learn_data *data);

/* What was done with own text, in one sentence (words or letters, how many kinds, what was left
 * out), in the language that is spoken; "" for other tasks. Owned by the arena. What is kept of a
 * text has lost left_out bytes before. */
const char *learn_data_sentence(const struct learn_data *data, size_t left_out,
                                struct arena *arena);

#endif

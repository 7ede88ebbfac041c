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
#include "base/record.h"
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

/* The language of the small world. */
enum learn_language { LEARN_ENGLISH, LEARN_GERMAN, LEARN_CHINESE, LEARN_LANGUAGES };

/* The units that own text is cut into. */
enum learn_units {
    LEARN_UNITS_AUTO, /* words where they are few and frequent enough, else letters */
    LEARN_WORDS,      /* separated by white space */
    LEARN_LETTERS,    /* code points, including white space */
    LEARN_UNITS
};

/* The rows that own text is learned in. */
enum learn_rows {
    LEARN_ROWS_WINDOWS, /* as many tokens as the context has, from anywhere in the text */
    LEARN_ROWS_LINES,   /* a row a line: ". line", filled up */
    LEARN_ROWS
};

enum {
    LEARN_LINES_MAX = 65536,
    LEARN_TEXT_BYTES_MAX = 64 << 20,
    LEARN_KINDS_MAX = 65536, /* different words or letters of own text */
    LEARN_WORD_BYTES_MAX = 256,
    LEARN_BATCH_MAX = 4096,
    LEARN_NOT_ASKED = -1, /* a target without a right answer */
};

/* Scores of heads. Each is a mean of weights over marked cells, except the last two, which are
 * taken of the embedding. */
enum learn_score {
    LEARN_SCORE_ANSWER, /* α(i, the place whose symbol is the answer at i): copy, reverse, sort */
    LEARN_SCORE_NOUN,   /* α("is", the noun before) */
    LEARN_SCORE_PREVIOUS,  /* α(i, i − 1) */
    LEARN_SCORE_INDUCTION, /* α(i, the last place before i of the same symbol, + 1) */
    LEARN_SCORE_MATCH,     /* α(the place before a closing bracket, its opening one) */
    LEARN_SCORES_OF_HEADS, /* those above are of each head, those below of the embedding */
    LEARN_SCORE_KINDS = LEARN_SCORES_OF_HEADS, /* small world: mean cosine of two nouns of one
                                                  kind, minus that of two of different kinds */
    LEARN_SCORE_FREQUENCIES, /* addition: share of the power over the numbers in the three
                                strongest frequencies */
    LEARN_SCORE_ROWS
};

/* A cell of α that a score averages. */
struct learn_mark {
    enum learn_score score;
    size_t row, query, key; /* row: of the texts that scores are taken of */
};

/* The data to make. Zero stands for English and the task's own context and batch. */
struct learn_data_request {
    enum learn_task_id task;
    enum learn_language language; /* of the small world */
    enum learn_units units;       /* of own text */
    enum learn_rows rows;         /* of own text. Rows of lines: a context of LEARN_CONTEXT_MAX
                                     becomes that of the longest line, a batch of LEARN_BATCH_MAX
                                     all lines; a smaller batch makes epochs, in which each line
                                     comes once */
    struct record_list without;   /* lines by their number in the text, which are not asked */
    struct bytes text;            /* own text, UTF-8, which is copied */
    const struct learn_data *cut; /* or own text that is already cut (learn_data_cut), which is
                                     shared */
    size_t context, batch; /* tokens of a row, and rows; the context of copy, reverse and sort is
                              the length of the list; at most LEARN_CONTEXT_MAX (at least 2) and
                              LEARN_BATCH_MAX (at least 1) */
    uint64_t seed;
};

struct learn_data;

/* Makes data. The caller holds one reference. NULL and one sentence: the text has fewer than two
 * tokens or too many kinds, the task does not have the size, or memory is lacking. */
struct learn_data *learn_data_make(const struct learn_data_request *request, struct error *error);
struct learn_data *learn_data_keep(const struct learn_data *data); /* NULL gives NULL */
void learn_data_release(const struct learn_data *data);            /* NULL is fine */

/* Cuts own text into words or letters for all data that are made of it; the result has no batches.
 * known: data whose tokens are used and shared; a text with other words is refused in a sentence
 * that names some and their number. NULL: it gets its own vocabulary. goes_on is asked now and then
 * (NULL: never) and stops the cutting, without a sentence, by returning false. */
struct learn_cutting {
    bool (*goes_on)(void *owner, size_t done, size_t all);
    void *owner;
};
struct learn_data *learn_data_cut(struct bytes text, enum learn_units units,
                                  const struct learn_data *known,
                                  const struct learn_cutting *cutting, struct error *error);

/* Returns the number of tokens of own text. */
size_t learn_data_length(const struct learn_data *data);

/* Says whether its words are its own: it was cut without `known`. */
bool learn_data_has_own_words(const struct learn_data *data);

/* Says whether two have the same words with the same numbers, because they share them. */
bool learn_data_shares_words(const struct learn_data *a, const struct learn_data *b);

/* Returns the request it was made of, with the units that were chosen for LEARN_UNITS_AUTO. text is
 * the data's copy, without bytes that are no text; it is empty where no session could hold it
 * (LEARN_LEARNED_TEXT_MAX). cut is NULL for data that is not cut. */
const struct learn_data_request *learn_data_request_of(const struct learn_data *data);

/* Return the size of the vocabulary, and the word of each token as UTF-8 with a 0 at its end. */
size_t learn_data_vocabulary(const struct learn_data *data);
const char *const *learn_data_words(const struct learn_data *data);

/* Says whether tokens are letters or symbols, so that texts are written without spaces. */
bool learn_data_is_letters(const struct learn_data *data);

/* Says whether a query sees only the past; in copy, reverse and sort it sees all keys. */
bool learn_data_is_causal(const struct learn_data *data);

/* Fills the batch of a step: tokens and targets [batch][context]; a target is LEARN_NOT_ASKED or
 * the right token. */
void learn_data_batch(const struct learn_data *data, uint64_t step, int32_t *tokens,
                      int32_t *targets);

/* Return the number of rows that are never trained on, at most LEARN_BATCH_MAX (addition, names,
 * own text that is long enough), and one of them. 0: every batch is new, so that a test would be
 * one more. */
size_t learn_data_test_rows(const struct learn_data *data);
void learn_data_test(const struct learn_data *data, int32_t *tokens, int32_t *targets);

/* The texts that scores of heads are taken of, [rows][width] tokens, width ≤ context, and the
 * marked cells, ordered by score. */
struct learn_score_texts {
    const int32_t *tokens;
    size_t rows, width;
    const struct learn_mark *marks;
    size_t count;
};
struct learn_score_texts learn_data_score_texts(const struct learn_data *data);

/* Returns the kind of each token [vocabulary], for LEARN_KINDS and for colours: −1: none; kinds
 * count from 0 up to count. NULL: the task has no kinds. */
const int32_t *learn_data_kinds(const struct learn_data *data, size_t *count);

/* Of a word of the small world: "is", behind which the adjective comes, and what it is about. */
enum learn_word_role { LEARN_WORD_OTHER, LEARN_WORD_NOUN, LEARN_WORD_IS };

/* Says whether these words [count] are those of the small world in one of its languages, and the
 * role of each. */
bool learn_data_world_roles(const char *const *words, size_t count, enum learn_word_role *roles);

/* ---- lines that can be left out ---------------------------------------------------------------
 *
 * The rows of own text in rows of lines, and the sentences of the small world, whose rows are
 * windows of a stream of them: a sentence that is left out stands there as before, and none of its
 * words is asked. */

/* Returns how many there are: lines that are not empty. 0: none can be left out. */
size_t learn_data_lines(const struct learn_data *data);

/* Returns the number in the text, from 1, of a line, which counts from 0. */
size_t learn_data_line_number(const struct learn_data *data, size_t line);

/* Returns how often a line is learned beside those that are alike: once where rows are lines, and
 * as often as the stream of the small world has the sentence. */
size_t learn_data_line_times(const struct learn_data *data, size_t line);

/* Returns the text of the lines. */
struct bytes learn_data_all_lines(const struct learn_data *data);

/* Returns a line as it stands in the text, which has no 0 at its end. */
const char *learn_data_line_text(const struct learn_data *data, size_t line, size_t *length);

/* Fills tokens and targets [context] of a line, whether it is left out or not, and returns how many
 * of them are its own. */
size_t learn_data_line(const struct learn_data *data, size_t line, int32_t *tokens,
                       int32_t *targets);

/* Returns the token that stands before each line; −1: none does, or rows are no lines. */
int32_t learn_data_line_start(const struct learn_data *data);

/* Encodes the beginning of a line: like learn_data_encode, with the token before each line in
 * front, where it is not there. Where rows are no lines it adds nothing. */
bool learn_data_encode_line(const struct learn_data *data, const char *text, size_t length,
                            struct arena *arena, const int32_t **tokens, size_t *count,
                            struct error *error);

/* Encodes a text as the tokenizer of the saved folder does, split at white space or into letters;
 * the arena owns the tokens. Returns false and a sentence that names the first word outside the
 * vocabulary. */
bool learn_data_encode(const struct learn_data *data, const char *text, size_t length,
                       struct arena *arena, const int32_t **tokens, size_t *count,
                       struct error *error);

/* Makes data of the vocabulary of a saved model, to encode texts with; it has no batches. NULL: no
 * memory. */
struct learn_data *learn_data_of_words(const char *const *words, size_t count, bool letters,
                                       struct error *error);

/* Returns a sentence that is worth looking at, from 0 (a teacher's choice first); NULL behind the
 * last. They can be encoded. Of own text it is the beginning. */
const char *learn_data_probe(const struct learn_data *data, size_t index);

/* Describes in one sentence how own text was cut (words or letters, how many kinds, what was left
 * out), translated; "" for other tasks. The arena owns it. */
const char *learn_data_sentence(const struct learn_data *data, struct arena *arena);

#endif

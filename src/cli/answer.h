/* cli/answer.h — the answer of why, ablate, patch and heads: one JSON object, arrays (NPZ), or a
 * table for CSV, LaTeX and Markdown. A call makes all three; the format says which is written. */
#ifndef CLI_ANSWER_H
#define CLI_ANSWER_H

#include "cli/options.h"
#include "file/array.h"
#include "file/json.h"
#include "file/npz.h"

enum { CLI_ANSWER_ARRAYS = 24, CLI_ANSWER_COLUMNS = 32 };

struct cli_answer {
    struct arena *arena;
    struct json_writer json;
    const char *heads[CLI_ANSWER_COLUMNS]; /* of the columns of the table */
    bool is_text[CLI_ANSWER_COLUMNS];
    size_t columns;
    const char **cells; /* row after row */
    size_t cell_count, cell_room;
    struct array array[CLI_ANSWER_ARRAYS];
    size_t arrays;
    struct npz_texts tokens; /* of the text; count 0: none */
};

struct cli_answer cli_answer_start(struct arena *arena);

/* Appends a column of texts, or of numbers. */
void cli_answer_add_column(struct cli_answer *answer, const char *head, bool is_text);

/* Append the next cell of the table; a number that is none is an empty cell. */
void cli_answer_put_text(struct cli_answer *answer, const char *text);
void cli_answer_put_number(struct cli_answer *answer, double value);

/* Appends an array of numbers of that shape; NULL: no memory, which is said in the end. */
float *cli_answer_add_floats(struct cli_answer *answer, const char *name, size_t rank,
                             const size_t *shape);
int64_t *cli_answer_add_ids(struct cli_answer *answer, const char *name, size_t rank,
                            const size_t *shape);

/* Checks --format and the suffix of -o, before anything is computed. */
bool cli_answer_check(const struct cli_options *options, struct error *error);

/* Writes it to -o, or to standard output. */
bool cli_answer_write(const struct cli_options *options, struct cli_answer *answer,
                      struct error *error);

#endif

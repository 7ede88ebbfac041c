/* cli/cause.h — what why, ablate, patch and heads share: a model that has read its text, and the
 * next word that is asked about. */
#ifndef CLI_CAUSE_H
#define CLI_CAUSE_H

#include "cli/answer.h"
#include "cli/model.h"
#include "why/word.h"

struct cli_cause {
    struct arena arena;
    struct cli_model model;
    size_t position; /* of the last word of the text, from 0 */
    float *logits;   /* [vocabulary] behind it */
    struct why_word word, rival;
    bool has_rival;
    struct cli_answer answer;
};

/* Says whether FILE is a model that reads a text. */
bool cli_reads_text(const struct cli_options *options);

/* Opens the model, computes all its layers and finds --word and --rival. open: it, where it is open
 * already; else NULL. On success the caller closes the cause. */
bool cli_cause_open(const struct cli_options *options, struct model *open, struct cli_cause *cause,
                    struct error *error);
void cli_cause_close(struct cli_cause *cause);

/* Finds another word behind the text, and warns where it has several tokens. */
bool cli_cause_find_word(const struct cli_options *options, struct cli_cause *cause,
                         const char *written, struct why_word *out, struct error *error);

/* Writes the members "word" and "id" (or "rival" and "rival_id") of a JSON object. */
void cli_cause_put_word(struct json_writer *json, const char *key, const char *id_key,
                        const struct why_word *word);

/* Writes a member that is a number; null where there is none (NaN). */
void cli_cause_put_number(struct json_writer *json, const char *key, double value);

/* Writes "logit" of the word and, where there is a rival, "logit_rival" and their "difference",
 * each with what stands behind its name ("_without"). */
void cli_cause_put_logits(const struct cli_cause *cause, struct json_writer *json,
                          const char *behind, double word, double rival);

/* Columns of a table that name the word and its rival, and their cells of one row. */
void cli_cause_add_word_columns(struct cli_cause *cause);
void cli_cause_put_word_cells(struct cli_cause *cause);

/* The share of a logit among all. */
double cli_cause_probability(const float *logits, size_t vocabulary, uint32_t id);

#endif

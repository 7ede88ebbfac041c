/* lab/experiment/experiment.h — an experiment: a plain value that can be copied, compared and
 * undone.
 *
 * It holds scalars and counted references to values that never change (a list of words, an array of
 * numbers), so that a copy is cheap and shares everything that did not change. */
#ifndef LAB_EXPERIMENT_EXPERIMENT_H
#define LAB_EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lab/experiment/kind.h"
#include "lab/experiment/mask.h"
#include "lab/experiment/positions.h"
#include "lab/experiment/training.h"

enum {
    LAB_TOKENS_MAX = 4096, /* words on screen */
    LAB_HEADS_MAX = 256,
    LAB_SIZE_MAX = 4096,       /* d_model, d_k, d_v */
    LAB_WORD_BYTES_MAX = 4096, /* of one word */
    LAB_ROW_MAX = 1 << 16      /* of any list in a file; a longer one is not read */
};

/* A list of words that never changes and is shared by counting references. */
struct lab_words;

/* Copies count texts, each made clean UTF-8 (see text_clean). The caller holds one reference. NULL
 * and error: no memory, or more than LAB_TOKENS_MAX words. */
struct lab_words *lab_words_make(const char *const *word, size_t count, struct error *error);
struct lab_words *
lab_words_keep(const struct lab_words *words);         /* one reference more; NULL gives NULL */
void lab_words_release(const struct lab_words *words); /* one less; NULL is fine */
bool lab_words_shared(const struct lab_words *words);  /* there is more than one reference */
size_t lab_words_count(const struct lab_words *words); /* NULL: 0 */
size_t lab_words_bytes(const struct lab_words *words); /* of its texts and their list; NULL: 0 */
const char *const *lab_words_list(const struct lab_words *words);           /* 0-ended texts */
bool lab_words_equal(const struct lab_words *a, const struct lab_words *b); /* they read alike */

/* Returns the place of the first word that equals name, else of the first that does after the space
 * mark that tokens of a model carry: "cat" and " cat" find "␣cat". SIZE_MAX: there is none. */
size_t lab_words_find(const struct lab_words *words, const char *name);

/* Numbers that never change, of rank 2 or 3, shared by counting references. */
struct lab_numbers;

struct lab_numbers *lab_numbers_make(const float *values, size_t rank, const size_t shape[3],
                                     struct error *error);
struct lab_numbers *lab_numbers_keep(const struct lab_numbers *numbers);
void lab_numbers_release(const struct lab_numbers *numbers);
/* Makes an array whose room, *room, is not filled yet. */
struct lab_numbers *lab_numbers_room(size_t rank, const size_t shape[3], float **room,
                                     struct error *error);

/* The place where numbers can be read again, such as the weights of a model. Equal sources mean
 * equal numbers. The owner lives as long as the numbers do. */
struct lab_numbers_source {
    void (*read)(const void *what, size_t rank, const size_t shape[3], float *out);
    const void *what;
    void *owner;
    void (*keep)(void *owner), (*release)(void *owner);
};
struct lab_numbers *lab_numbers_read(const struct lab_numbers_source *source, size_t rank,
                                     const size_t shape[3], struct error *error);
bool lab_numbers_read_alike(const struct lab_numbers *a, const struct lab_numbers *b);
bool lab_numbers_stand_at(const struct lab_numbers *numbers, const void *what);

/* Frees the memory of numbers that can be read again if they have just so many references; it must
 * be called from the thread that holds them. Until they are woken they have no values. Returns
 * false without memory. */
void lab_numbers_rest(const struct lab_numbers *numbers, size_t references);
bool lab_numbers_may_rest(const struct lab_numbers *numbers);
bool lab_numbers_wake(const struct lab_numbers *numbers);

size_t lab_numbers_rank(const struct lab_numbers *numbers);
const size_t *lab_numbers_shape(const struct lab_numbers *numbers);
const float *lab_numbers_values(const struct lab_numbers *numbers);

enum lab_embedding {
    LAB_EMBEDDING_TOY,     /* the hand-placed vocabulary, 3 dimensions */
    LAB_EMBEDDING_RANDOM,  /* normal values, d_model dimensions */
    LAB_EMBEDDING_ONEHOT,  /* one dimension per distinct word */
    LAB_EMBEDDING_NUMBERS, /* experiment.embeddings */
    LAB_EMBEDDINGS
};

enum lab_weights {
    LAB_WEIGHTS_IDENTITY, /* W_Q = W_K = W_V = I where it fits */
    LAB_WEIGHTS_RANDOM,   /* normal values · 1/√fan-in */
    LAB_WEIGHTS_NUMBERS,  /* experiment.w_q, w_k, w_v and w_o */
    LAB_WEIGHTS_KINDS
};

/* How a row of scores becomes a row of weights. */
enum lab_normalise {
    LAB_SOFTMAX_ROWS, /* e to the score, divided by the row's sum of them */
    LAB_PLAIN_SHARE,  /* the score divided by the row's sum of visible scores */
    LAB_AS_GIVEN,     /* not at all: α is a given matrix that is no attention */
    LAB_NORMALISES
};

/* Numbers typed by hand over computed ones (lab/experiment/edits.h), shared by counting
 * references. */
struct lab_edits;

struct lab_experiment {
    char lesson[32];                 /* name of the lesson it started from, or "" */
    const struct lab_words *tokens;  /* the queries, and in self-attention the keys; NULL: there
                                        are none */
    const struct lab_words *context; /* keys and values where they are other words; else NULL */
    const struct lab_words *axes;    /* names of the dimensions of LAB_EMBEDDING_NUMBERS; they have
                                        none where it is NULL or of another length */
    const struct lab_words *key_axes, *value_axes; /* and of the d_k and d_v dimensions of given
                                                      weights or of Q, K, V */
    const struct lab_training *learned; /* how its weights were trained; they can then be made
                                           again and need not be given. NULL: they were not
                                           trained */
    size_t layer, layers; /* which layer of a model or a file of attention this is, from 0; layers
                             0: it is of none */
    enum lab_embedding embedding;
    const struct lab_numbers *embeddings; /* LAB_EMBEDDING_NUMBERS: n × d_model */
    enum lab_weights weights;
    const struct lab_numbers *w_q, *w_k, *w_v, *w_o;
    const struct lab_numbers *w_dkv, *w_uk, *w_uv; /* of LAB_LATENT, in place of w_k and w_v */
    const struct lab_numbers *b_q, *b_k, *b_v;     /* biases, a row for each head of Q, K, V: H or
                                                      G × 1 × d_k or d_v; NULL: none */
    const struct lab_numbers *b_o;       /* 1 × d_model, added to each row of O; NULL: none */
    const struct lab_numbers *q, *k, *v; /* raw: no embedding and no projection; v may be missing */
    const struct lab_numbers *alpha; /* H × n × m weights that were computed elsewhere; q and k are
                                        missing, v may be missing */
    const struct lab_numbers
        *rope_speeds; /* 2 × pairs, of rotary positions that were stretched after training: the
                         angle in radians between neighbouring places, and a factor for the turned
                         numbers; NULL: as rope_theta says */
    const struct lab_numbers *score_cap;  /* 1 × 1: scaled scores s become c · tanh(s ÷ c); NULL:
                                             they do not */
    const struct lab_numbers *score_bias; /* H × n × m: added to each score after the cap, as
                                             relative positions are; NULL: nothing is */
    const struct lab_numbers *sinks; /* H × 1 × 1: one more score in every row of a head, whose
                                        share goes to no key; NULL: none */
    uint64_t seed;
    enum lab_kind kind;
    size_t groups; /* of LAB_GROUPED: divides heads; 0: lab_kind_preset */
    size_t latent; /* of LAB_LATENT: width of a latent row; 0: lab_kind_preset */
    enum lab_positions positions;
    enum lab_rotary_pairs rope_pairs; /* of LAB_POSITIONS_ROPE */
    enum lab_mask mask;
    size_t mask_size, mask_step;               /* its numbers; 0: those of lab_mask_row */
    const struct lab_custom_mask *custom_mask; /* LAB_MASK_CUSTOM, n × m; NULL: nothing is hidden */
    enum lab_normalise normalise;
    size_t flash_rows, flash_cols; /* tiles of lab/run/flash.h; 0: not computed in tiles */
    const struct lab_edits *edits; /* NULL: none */
/* Plain switches, counts and numbers are declared by their rows. */
#define LAB_SWITCH(NAME, member, ...) bool member;
#define LAB_COUNT(NAME, member, ...) size_t member;
#define LAB_NUMBER(NAME, member, ...) float member;
#include "lab/experiment/params.inc"
};

/* Sets the documented defaults, with the tokens cat dog lion. */
bool lab_experiment_default(struct lab_experiment *experiment, struct error *error);

/* Makes *to a copy of *from that holds its own references. */
void lab_experiment_copy(struct lab_experiment *to, const struct lab_experiment *from);
void lab_experiment_release(struct lab_experiment *experiment); /* all zero afterwards */
bool lab_experiment_equal(const struct lab_experiment *a, const struct lab_experiment *b);

/* Returns its weight matrices one by one, some of them NULL; those of a model can be read again. */
enum { LAB_EXPERIMENT_WEIGHTS = 4 };
const struct lab_numbers *lab_experiment_weights(const struct lab_experiment *experiment,
                                                 size_t index);

/* Counts the bytes of the words and numbers that it holds and `beside` (NULL: nothing) does not
 * share. */
size_t lab_experiment_bytes(const struct lab_experiment *experiment,
                            const struct lab_experiment *beside);

/* Replaces the words (and handles references). Numbers typed by hand move with their words; those
 * of words that are gone are lost. Returns false with an error, and changes nothing. */
bool lab_experiment_set_tokens(struct lab_experiment *experiment, const char *const *word,
                               size_t count, struct error *error);

/* Replaces the words that keys and values come from; count 0: they come from the tokens. */
bool lab_experiment_set_context(struct lab_experiment *experiment, const char *const *word,
                                size_t count, struct error *error);

/* Returns the mask with its numbers filled in. It is valid as long as the experiment. */
struct lab_mask_rule lab_experiment_mask(const struct lab_experiment *experiment);

/* Returns how rotary positions turn, with defaults filled in. */
struct lab_rotary lab_experiment_rotary(const struct lab_experiment *experiment);

/* Sets the mask with its numbers ("window:2"). */
void lab_experiment_set_mask(struct lab_experiment *experiment, const struct lab_mask_rule *rule);

/* Hides these keys from every query by a painted mask, and drops what was typed over their weights,
 * to show the result without these keys. Returns false with an error, and changes nothing. */
bool lab_experiment_hide_keys(struct lab_experiment *experiment, const size_t *keys, size_t count,
                              struct error *error);

/* Shows or hides one pair by hand. Any other mask becomes a painted one first. Returns false with
 * an error, and changes nothing. */
bool lab_experiment_paint(struct lab_experiment *experiment, size_t query, size_t key, bool visible,
                          struct error *error);

/* Says whether the rows of α are shares of attention. Else α is a given matrix of any numbers,
 * which is shown as it is. */
bool lab_has_shares(const struct lab_experiment *experiment);

/* Returns the number of its kind: G, R, or 0 for kinds without. */
size_t lab_experiment_kind_number(const struct lab_experiment *experiment);

/* The sizes with defaults filled in. */
struct lab_sizes {
    size_t n, m, d_model, d_k, d_v, heads;
    size_t kv_heads; /* matrices of keys and of values; latent: heads */
    size_t latent;   /* width of C; 0: keys and values are not rebuilt from a latent */
    bool cross;      /* keys and values come from the context */
    float factor;    /* scores are multiplied by (scale ? 1/√d_k : 1) / temperature */
    bool raw;        /* Q, K, V are given: no X, no W, no output; d_model is 0 */
    bool partial;    /* raw and incomplete: without V (d_v is 0) there is no Z, and with α given
                        there are no scores (d_k is 0) */
};
struct lab_sizes lab_experiment_sizes(const struct lab_experiment *experiment);

/* Checks every rule: sizes within limits, shapes that agree, temperature > 0, and the memory that a
 * trace needs. Returns false with one sentence that says how to mend it. */
bool lab_experiment_check(const struct lab_experiment *experiment, struct error *error);

/* Return names as options write them ("toy" "random" "onehot" "numbers"; "identity" "random"
 * "numbers"; "softmax" "share"). */
const char *lab_embedding_name(enum lab_embedding embedding);
const char *lab_weights_name(enum lab_weights weights);

#endif

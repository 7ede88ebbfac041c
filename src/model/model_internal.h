/* model/model_internal.h — what a model and a run are made of; for the files of this room only. */
#ifndef MODEL_MODEL_INTERNAL_H
#define MODEL_MODEL_INTERNAL_H

#include <stdatomic.h>

#include "attn/learn.h"
#include "base/arena.h"
#include "model/layout.h"
#include "model/model.h"
#include "model/source.h"

/* ---- weights ------------------------------------------------------------------------------- */

/* Rows behind each other, as the kernels take and give them. */
static inline struct attn_operand dense_operand(const float *values, size_t rows, size_t cols)
{
    return (struct attn_operand){values, rows, cols, cols};
}

static inline struct attn_matrix dense_matrix(float *values, size_t rows, size_t cols)
{
    return (struct attn_matrix){values, rows, cols, cols};
}

/* A matrix depth × cols, which stays where it lies: a part of a tensor. Its column c is number
 * place = first + c / group · step + c % group of those that the tensor has side by side. */
struct model_matrix {
    const struct model_tensor *tensor; /* NULL: there is none */
    size_t depth, cols;
    const float *bias;         /* [cols]; NULL: none */
    bool columns;              /* the tensor is depth × all; else all × depth, as most are */
    size_t base;               /* numbers of the tensor before this matrix */
    size_t all;                /* columns side by side */
    size_t first, group, step; /* group 0: all in one */
    size_t mixed; /* GGUF of Llama: in heads of that width the halves lie alternately; 0: no */
    size_t stack; /* with columns: so many of them are a matrix of their own, one behind the other;
                     0: all are one */
};

/* Of few numbers, always float32; a gain 1 + w is the sum. gain NULL: there is no such norm. */
struct model_norm {
    const float *gain, *bias;
};

/* The norms of a layer, by where they stand. */
enum model_norm_place {
    MODEL_NORM_ATTN,
    MODEL_NORM_ATTN_POST,
    MODEL_NORM_ATTN_AFTER,
    MODEL_NORM_CROSS,
    MODEL_NORM_CROSS_AFTER,
    MODEL_NORM_MLP,
    MODEL_NORM_MLP_POST,
    MODEL_NORM_MLP_AFTER,
    MODEL_NORM_Q,
    MODEL_NORM_K,
    MODEL_NORM_Q_A,
    MODEL_NORM_KV_A,
    MODEL_NORMS
};

enum model_matrix_place {
    MODEL_M_Q,
    MODEL_M_K,
    MODEL_M_V,
    MODEL_M_O,
    MODEL_M_Q_A,
    MODEL_M_KV_A,
    MODEL_M_K_B, /* latent: of each head the part of its keys that does not turn, */
    MODEL_M_V_B, /* and its values */
    MODEL_M_CROSS_Q,
    MODEL_M_CROSS_K,
    MODEL_M_CROSS_V,
    MODEL_M_CROSS_O,
    MODEL_M_GATE,
    MODEL_M_UP,
    MODEL_M_DOWN,
    MODEL_M_ROUTER,
    MODEL_M_SHARED_GATE,
    MODEL_M_SHARED_UP,
    MODEL_M_SHARED_DOWN,
    MODEL_MATRICES
};

enum model_expert_place { MODEL_E_GATE, MODEL_E_UP, MODEL_E_DOWN, MODEL_E_PLACES };

struct model_layer {
    struct model_matrix matrix[MODEL_MATRICES];
    struct model_norm norm[MODEL_NORMS];
    const float *sinks;       /* [heads]; NULL: none */
    const float *router_bias; /* [experts]; NULL: none */
    const float *relative;    /* [buckets][heads], which layers may share; NULL: none */
    struct model_matrix *expert[MODEL_E_PLACES]; /* [experts]; NULL: it has an MLP */
    bool is_without_mlp; /* its MLP is one neuron that writes zeros, as formats need one */
};

/* Layers one after the other, with what stands before and behind them. */
struct model_stack {
    size_t count, inner;
    bool sees_all; /* every word sees every other */
    struct model_layer *layer;
    const struct model_tensor *embed, *places, *types;
    struct model_norm embed_norm, final_norm;
    struct model_matrix embed_in; /* from the numbers of a word to the width; else they are it */
};

struct model {
    struct arena arena; /* everything below stands here */
    struct model_config config;
    struct model_source *source;
    struct model_stack main, encoder;       /* encoder: of two stacks; count 0: there is none */
    struct model_matrix head_dense, output; /* output.tensor NULL: it gives no logits */
    struct model_matrix embed_out;          /* before it, where words have fewer numbers */
    struct model_norm head_norm;
    const struct model_left_out *left_out; /* [left_out_count] what no role reads */
    size_t left_out_count;
    size_t parameters;
    struct tokenizer *tokenizer;
    struct tokenizer *target_tokenizer; /* of the second of two texts; NULL: the same */
    const char *const *words;           /* [vocabulary] where there is none; NULL: unknown */
    struct model_chat chat;
    struct error no_words;    /* why there is no tokenizer; code NONE: there is one */
    struct file_handle *file; /* held, that model_complete reads on; NULL: it has been called */
    struct model_unpacked *unpacked;
    atomic_size_t holders;    /* of the model: model_keep */
    atomic_size_t references; /* their one, and of weights that can be read of it again */
};

/* Weights of the layer that was looked into last, as experiments have them: another text in the
 * same layer has the same ones, which take a large model's memory and time once
 * (model/model_unpacked.c). From any thread. */
struct model_unpacked *model_unpacked_open(void);
void model_unpacked_close(struct model_unpacked *unpacked); /* NULL is fine */

/* A reference to what was kept; NULL: nothing was. What is kept of other layers goes. */
struct lab_numbers *model_unpacked_find(struct model_unpacked *unpacked,
                                        const struct model_layer *layer,
                                        enum model_matrix_place place);

/* Keeps a reference beside the caller's. */
void model_unpacked_keep(struct model_unpacked *unpacked, const struct model_layer *layer,
                         enum model_matrix_place place, const struct lab_numbers *numbers);

/* Finds every tensor of the source (model/model_tensors.c). */
bool model_tensors_find(struct model *model, struct error *error);

/* Which of the columns that lie side by side is column c of the matrix. */
size_t model_matrix_place(const struct model_matrix *matrix, size_t column);

/* Copies W as the lab has it: columns first … first + cols − 1 into out [depth][cols]. */
void model_matrix_columns(const struct model_matrix *matrix, size_t first, size_t cols, float *out);

/* Where the same can be read again (model/model.c). */
struct lab_numbers_source model_matrix_source(const struct model *model,
                                              const struct model_matrix *matrix);

/* ---- pieces of a layer (model/model_products.c) -------------------------------------------- */

/* How a run computes. */
struct model_means {
    const struct attn_kernels *kernels;
    struct attn_pool *pool;
    float *scratch; /* of all workers, worker_floats each */
    size_t worker_floats;
};

/* Floats that the products of this model need on one thread; 0: they do not fit a size_t. */
size_t model_worker_floats(const struct model_config *config);

/* out [rows][cols] = activation(x [rows][depth] · w + bias); activation NULL: none. */
void model_product(const struct model_means *means, struct attn_operand x,
                   const struct model_matrix *w, const enum model_activation *activation,
                   struct attn_matrix out);

/* out [rows][width] = the norm of every row, of its family's kind. out may be x. */
void model_normalise(const struct model_means *means, const struct model_config *config,
                     const struct model_norm *norm, struct attn_operand x, struct attn_matrix out);

/* The activation of every number, in place. */
void model_activate(const struct attn_kernels *kernels, enum model_activation activation,
                    float *values, size_t count);

/* Copies numbers first … first + count − 1 of a tensor as float32, wherever its blocks begin. */
void model_tensor_floats(const struct model_tensor *tensor, size_t first, size_t count, float *out);

/* ---- interventions (model/intervention.c) -------------------------------------------------- */

/* Refuses one of a place that the model, or a text of so many words, does not have. */
bool model_interventions_check(const struct model *model, struct model_interventions list,
                               size_t words, struct error *error);

/* Copies a list with its sources into the arena. False: no memory. */
bool model_interventions_copy(const struct model *model, struct model_interventions list,
                              struct arena *arena, struct model_interventions *out);

/* Replaces numbers of a node: values are the rows of the words from `first` on. */
void model_intervene(const struct model *model, struct model_interventions list,
                     enum model_node node, size_t layer, size_t head, size_t first,
                     struct attn_matrix values);

/* Returns whether a node from … until of this head (MODEL_EACH: of any) is replaced. */
bool model_intervenes(struct model_interventions list, enum model_node from, enum model_node until,
                      size_t layer, size_t head);

/* Returns whether rows that were computed stay as they are when a word is added. */
bool model_grows(struct model_interventions list);

/* How many columns a node has in a text of so many words. */
size_t model_node_columns(const struct model *model, enum model_node node, size_t words);

/* ---- a run --------------------------------------------------------------------------------- */

/* The numbers of one text in one stack: the residual stream and, of each layer, rows of all heads'
 * q, all groups' k and v side by side. */
struct model_pass {
    const struct model_stack *stack;
    struct model_interventions interventions; /* none in the first of two texts */
    struct arena arena; /* of the rows; another one when there must be more room */
    size_t count, room; /* tokens there are, and there is memory for */
    size_t row;         /* numbers of q, k and v of a token */
    uint32_t *ids;      /* [room] */
    uint8_t *types;     /* [room] */
    float **residual;   /* [layers + 1] of [room][width] */
    float **qkv;        /* [layers] of [room][row] */
    float **cross;      /* [layers] of [room][heads · d_k]: queries of the other text */
    float *turns[2];    /* cosine and sine of each pair and place: [room][2][pairs] */
    float *normed, *mixed, *inner, *gate, *wide; /* of the layer being computed */
    size_t mixed_width, wide_width;
    size_t begin; /* rows before these: a copy of the text among others */
};

struct model_run {
    atomic_size_t holders;
    const struct model *model;
    struct model_means means;
    struct arena own;     /* of interventions and of the encoder's keys */
    struct arena scratch; /* of means.scratch */
    struct model_pass main, encoder;
    atomic_size_t *layers; /* of main that are computed: others may ask for them meanwhile */
    float **cross_kv;      /* [layers] of [encoder.count][heads · (d_k + d_v)] */
    struct model_visitor visitor;
    bool (*on_layer)(void *listener, size_t layer, size_t layers);
    void *listener;
};

/* Rows of one layer that are being computed. Several copies of a text, each with interventions of
 * its own, stand one behind the other and are multiplied at once. */
struct model_rows {
    struct model_run *run;
    struct model_pass *pass;
    const struct model_layer *layer;
    size_t number, first, count; /* count: of all copies */
    size_t copies;
    const struct model_interventions *lists; /* [copies] */
    float *x;                                /* [count][width] may be replaced */
    float *sum;                              /* [count][width] what the layer makes of it */
};

/* Z of the heads into pass->mixed, with those before them; and what the layer makes of that and x
 * into sum. False: no memory. (model/model_layers.c) */
bool model_rows_heads(const struct model_rows *rows);
bool model_rows_finish(const struct model_rows *rows);

/* x before layer `layer`, or behind the last, becomes what interventions say. */
void model_rows_arrive(const struct model_rows *rows, size_t layer, float *x);

/* The next words of rows [count][width], which are overwritten; with the scratch of the run.
 * (model/model_run.c) */
bool model_rows_words(const struct model_run *run, float *rows, size_t count, float *out,
                      struct error *error);

/* Room for so many rows of one layer at a time: residual has two buffers in turn; and the bytes of
 * a row. */
size_t model_pass_passing_bytes(const struct model_run *run);
bool model_pass_passing_room(const struct model_run *run, struct model_pass *pass, size_t rows);

/* One attention of one head: queries first … of a pass against keys. */
struct model_sight {
    struct attn_operand q, k, v;
    float factor, cap;     /* cap 0: none */
    const float *sink;     /* NULL: none */
    const float *relative; /* [buckets][heads], this head's column; NULL: none */
    size_t relative_step, buckets, farthest;
    size_t first; /* place of the first query */
    size_t layer, head;
    const struct model *model;
    struct model_interventions interventions; /* count 0: none between scores and α */
    bool past;                                /* a query sees keys up to its own place */
    size_t window;                            /* how many of them, or of both sides; 0: all */
};

struct model_sight model_sight_of(const struct model_run *run, enum model_attention which,
                                  size_t layer, size_t head, size_t first, size_t count);

/* Z of all heads of a layer, with its interventions, into mixed [count][heads · d_v]. False: no
 * memory. */
bool model_attend(const struct model_run *run, enum model_attention which, size_t layer,
                  size_t first, size_t count, struct attn_matrix mixed);

/* Cosine and sine of the places first … first + count − 1 into rows of `pairs` each. of: how long
 * the text is. (model/model_positions.c) */
void model_turns(const struct model_rotary *rotary, size_t of, size_t first, size_t count,
                 float *out);

/* By how many radians a pair turns from one place to the next. */
float model_turn_speed(const struct model_rotary *rotary, size_t of, size_t pair);

/* Turns `width` numbers of each of `heads` heads, d numbers apart, of rows. */
struct model_turning {
    const float *turns; /* of the first row's place */
    size_t width, heads, d;
    bool neighbours;
};
void model_turn(const struct model_turning *turning, struct attn_matrix rows);

/* Computes what is added to the embedding of a token, counted from the first place on, where it is
 * no tensor. */
void model_sines(const struct model_config *config, size_t counted, float *out);

/* Bucket of a key that stands `distance` places behind the query (Raffel et al., 2020). */
size_t model_bucket(long distance, bool both_sides, size_t buckets, size_t farthest);

/* Computes the sum of experts: out [rows][width] of x [rows][width], and into `answers` (NULL:
 * nowhere) the chosen experts and the output of each. False: no memory. (model/model_experts.c) */
struct model_answers {
    size_t *expert; /* [rows][experts.chosen] */
    float *said;    /* [rows][experts.chosen][width] */
};
bool model_ask_experts(const struct model_run *run, const struct model_layer *layer,
                       struct attn_operand x, struct attn_matrix out,
                       const struct model_answers *answers);

/* Which experts a word asks, and what they count: of logits [count], which become their own
 * shares; chosen [experts.chosen] and weights likewise. */
void model_choose_experts(const struct model_config *config, const struct attn_kernels *kernels,
                          const float *correction, float *logits, size_t *chosen, float *weights);

/* Computes so many rows behind those that exist, through the layers before `until`, as far as each
 * has them; they count only when all of it is done. (model/model_layers.c) */
bool model_pass_compute(struct model_run *run, struct model_pass *pass, size_t count, size_t until,
                        struct error *error);

/* Room for so many tokens; those that are there move. */
bool model_pass_room(struct model_run *run, struct model_pass *pass, size_t wanted,
                     struct error *error);

/* x as the layer's heads see it: normed where there is a norm before, into out. */
void model_seen_by_heads(const struct model_run *run, const struct model_pass *pass, size_t layer,
                         size_t first, size_t count, float *out);

/* Returns whether the lab has the layer's queries, keys and values alone, since an experiment
 * cannot say how they come about. (model/model_trace.c) */
bool model_gives_rows(const struct model_config *config, const struct model_layer *layer);

/* x as the heads of the attention to the other text see it, all rows of the second, into out
 * [count][width]; and the rows of the first that it reads, into out [encoder.count][width]. False:
 * no memory. */
bool model_seen_across(const struct model_run *run, size_t layer, float *out);
void model_source_read(const struct model_run *run, float *out);

#endif

/* learn/pass.h — the memory and the stages of one pass over a few sequences; for network.c and
 * sentence.c. */
#ifndef LEARN_PASS_H
#define LEARN_PASS_H

#include "attn/learn.h"
#include "learn/network.h"

/* GELU by tanh as attn_gate has it: √(8/π), and 0.044715 of it. */
#define LEARN_GELU_LINEAR 1.5957691216F
#define LEARN_GELU_CUBIC 0.0713548163F

/* Where the tensors of a layer stand; LEARN_ABSENT: there is none. */
#define LEARN_ABSENT SIZE_MAX

/* What all passes of a network share; read only while they run. */
struct learn_plan {
    struct learn_shape shape;
    struct learn_tensors tensors;
    size_t at[LEARN_LAYERS_MAX][LEARN_ROLES]; /* offsets; those of no layer stand in each */
    bool off[LEARN_LAYERS_MAX][LEARN_HEADS_MAX];
    float *cosines, *sines; /* llama: [context][d_k / 2] */
    float *ones;            /* as many as a pass has rows */
    const struct attn_kernels *kernels;
};

/* Activations of one layer, and the gradients of them; rows R = sequences · length. */
struct learn_layer {
    float *x;       /* [R][d]; without norm the residual itself */
    float *known_1; /* [R][2] */
    float *qkv;     /* [R][3 · heads · d_k], Q and K turned */
    float *plain;   /* the same before they were turned; NULL: not kept */
    float *scores;  /* [S][heads][T][T]; NULL: not kept */
    float *scaled;  /* likewise */
    float *alpha;   /* [S][heads][T][T] */
    float *concat;  /* [R][heads · d_k] */
    float *o;       /* [R][d] */
    float *middle;  /* [R][d] */
    float *mlp_x;   /* [R][d] */
    float *known_2; /* [R][2] */
    float *up;      /* [R][inner]; llama: gate and up side by side [R][2 · inner] */
    float *inner;   /* [R][inner] */
    float *mlp;     /* [R][d] */
};

/* The same buffers, each layer's own or all layers' one. */
struct learn_pass {
    size_t room;  /* rows that fit */
    size_t pairs; /* S · T · T that fit, for each head */
    float *residual[LEARN_LAYERS_MAX + 1];
    struct learn_layer layer[LEARN_LAYERS_MAX];
    float *final, *known; /* [R][d], [R][2] */
    float *logits;        /* [R][vocabulary] */
    float *dresidual[LEARN_LAYERS_MAX + 1];
    struct learn_layer dlayer[LEARN_LAYERS_MAX]; /* known_* unused */
    float *dfinal, *dlogits;
    float *through; /* [R][d] for a moment */
};

/* What a pass is made with. keep: every activation and gradient in memory of its own, for a
 * sentence that is looked at. */
size_t learn_pass_floats(const struct learn_shape *shape, size_t sequences, size_t length,
                         bool keep);
/* block: so many floats. */
void learn_pass_lay_out(const struct learn_shape *shape, size_t sequences, size_t length, bool keep,
                        float *block, struct learn_pass *pass);

/* A few sequences of a batch. */
struct learn_part_of_batch {
    size_t sequences, length;
    const int32_t *tokens, *targets;
    /* The rows that have a target, in their order: behind the attention of the last layer the pass
     * has these alone, one behind the other, logits too. NULL: it has all. */
    const uint32_t *asked; /* [asked_count] */
    size_t asked_count;
    float share;    /* 1 ÷ positions asked in the whole batch */
    float *losses;  /* [R] */
    uint8_t *right; /* [R] */
};

void learn_pass_forward(const struct learn_plan *plan, const struct learn_pass *pass,
                        const float *weights, const struct learn_part_of_batch *part);

/* Losses, and where gradient is asked for, dlogits. */
void learn_pass_loss(const struct learn_plan *plan, const struct learn_pass *pass,
                     const struct learn_part_of_batch *part, bool gradient);

/* gradient: all of it is written where first is true, else added to. */
void learn_pass_backward(const struct learn_plan *plan, const struct learn_pass *pass,
                         const float *weights, const struct learn_part_of_batch *part, bool first,
                         float *gradient);

/* attention.c: from qkv to concat, and from dconcat to dqkv (of turned Q and K). */
void learn_attend(const struct learn_plan *plan, const struct learn_layer *layer, size_t number,
                  size_t sequences, size_t length);
void learn_attend_back(const struct learn_plan *plan, const struct learn_layer *layer,
                       const struct learn_layer *dlayer, size_t number, size_t sequences,
                       size_t length);
/* Turns Q and K of rows [R][3 · heads · d_k] in place by their places, or back. */
void learn_turn(const struct learn_plan *plan, float *qkv, size_t sequences, size_t length,
                bool back);

bool learn_plan_make(struct learn_plan *plan, const struct learn_shape *shape,
                     const struct attn_kernels *kernels, struct error *error);
void learn_plan_free(struct learn_plan *plan);

/* The plan of a network: heads that are off, tables. */
const struct learn_plan *learn_network_plan(const struct learn_network *network);

/* False and a sentence when a token or a target is outside the vocabulary, or the length is. */
bool learn_batch_check(const struct learn_shape *shape, const struct learn_batch *batch,
                       struct error *error);

static inline struct attn_operand learn_operand(const float *values, size_t rows, size_t cols)
{
    return (struct attn_operand){values, rows, cols, cols};
}

static inline struct attn_matrix learn_matrix(float *values, size_t rows, size_t cols)
{
    return (struct attn_matrix){values, rows, cols, cols};
}

#endif

/* learn/pass.h — the memory and the stages of one pass over a few sequences; for network.c and
 * activations.c. */
#ifndef LEARN_PASS_H
#define LEARN_PASS_H

#include "attn/learn.h"
#include "learn/network.h"

/* GELU by tanh as in attn_gate: √(8/π), and 0.044715 of it. */
#define LEARN_GELU_LINEAR 1.5957691216F
#define LEARN_GELU_CUBIC 0.0713548163F

/* The offsets of a layer's tensors; LEARN_ABSENT: it has none. */
#define LEARN_ABSENT SIZE_MAX

/* The data that all passes of a network share; they only read it. */
struct learn_plan {
    struct learn_shape shape;
    struct learn_tensors tensors;
    size_t at[LEARN_LAYERS_MAX][LEARN_ROLES]; /* offsets; tensors of no layer stand in each */
    bool off[LEARN_LAYERS_MAX][LEARN_HEADS_MAX];
    float *cosines, *sines; /* llama: [context][d_k / 2] */
    float *ones;            /* as many as a pass has rows */
    const struct attn_kernels *kernels;
};

/* Activations of one layer, and their gradients; rows R = sequences · length. */
struct learn_layer {
    float *x;       /* [R][d]; without norm it is the residual */
    float *known_1; /* [R][2] */
    float *qkv;     /* [R][3 · heads · d_k], Q and K as the scores take them */
    float *turned;  /* the same before keys are smeared; NULL: not kept */
    float *plain;   /* the same before turning; NULL: not kept */
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

/* The buffers of a pass; layers have their own or share one. */
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
    float *through; /* [R][d] for intermediate results */
};

/* Returns the floats of a pass. keep: every activation and gradient has its own memory, for a
 * sentence that is looked at. */
size_t learn_pass_floats(const struct learn_shape *shape, size_t sequences, size_t length,
                         bool keep);
/* Lays a pass out in a block of so many floats. */
void learn_pass_lay_out(const struct learn_shape *shape, size_t sequences, size_t length, bool keep,
                        float *block, struct learn_pass *pass);

/* A few sequences of a batch. */
struct learn_part_of_batch {
    size_t sequences, length;
    const int32_t *tokens, *targets;
    /* The rows that have a target, in their order. After the attention of the last layer the pass
     * has only these, one after the other, also as logits. NULL: it has all. */
    const uint32_t *asked; /* [asked_count] */
    size_t asked_count;
    float share;    /* 1 ÷ targets of the whole batch */
    float *losses;  /* [R] */
    uint8_t *right; /* [R] */
};

void learn_pass_forward(const struct learn_plan *plan, const struct learn_pass *pass,
                        const float *weights, const struct learn_part_of_batch *part);

/* Computes losses and, where a gradient is wanted, dlogits. */
void learn_pass_loss(const struct learn_plan *plan, const struct learn_pass *pass,
                     const struct learn_part_of_batch *part, bool gradient);

/* Computes the gradient; it is overwritten where first is true, else added to. */
void learn_pass_backward(const struct learn_plan *plan, const struct learn_pass *pass,
                         const float *weights, const struct learn_part_of_batch *part, bool first,
                         float *gradient);

/* In attention.c: computes concat from qkv, and dqkv (of turned Q and K) from dconcat. */
void learn_attend(const struct learn_plan *plan, const struct learn_layer *layer, size_t number,
                  size_t sequences, size_t length);
void learn_attend_back(const struct learn_plan *plan, const struct learn_layer *layer,
                       const struct learn_layer *dlayer, size_t number, size_t sequences,
                       size_t length);
/* Turns Q and K of rows [R][3 · heads · d_k] in place by their places, or back. */
void learn_turn(const struct learn_plan *plan, float *qkv, size_t sequences, size_t length,
                bool back);

/* Smears K of rows [R][3 · heads · d_k] in place; back: a gradient passes to what was smeared. */
void learn_smear(const struct learn_plan *plan, float *qkv, size_t sequences, size_t length,
                 bool back);

/* Returns the plan of a network: heads that are off, and tables. */
const struct learn_plan *learn_network_plan(const struct learn_network *network);

/* Checks that tokens and targets are within the vocabulary, and the length is possible. Returns
 * false and a sentence. */
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

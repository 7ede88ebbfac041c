/* model/family.h — what makes one family of models another: a row of a table (model/families.c).
 * The configuration says the sizes, the row says how they are spelled and what is computed; one
 * runner reads both.
 *
 *     x ─┬─ norm ─ attention ─ norm ─┬ + ┬ norm ─┬─ norm ─ MLP ─ norm ─┬ + ┬ norm ─► x
 *        └──────────────────────────┘           └─────────────────────┘
 *
 * Every norm is there or not: before (GPT-2, Llama), both before and behind what is added (Gemma
 * 2), behind it alone (OLMo 2), or behind the sum (BERT). A decoder of two texts has another
 * attention, to the first text, between these two. */
#ifndef MODEL_FAMILY_H
#define MODEL_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every tensor that some family has. A pattern of names is for each: '#' is the layer, '@' the
 * expert; ".weight" and ".bias" stand behind it, but for a pattern that ends with '!', which is the
 * whole name (its bias "_bias"). */
enum model_role {
    MODEL_EMBED,      /* vocabulary × width */
    MODEL_PLACES,     /* positions × width */
    MODEL_TYPES,      /* types × width: which of two sentences */
    MODEL_EMBED_NORM, /* of the sum of these */
    MODEL_EMBED_IN,   /* width × numbers of a word, where these are fewer (OPT) */
    MODEL_EMBED_OUT,  /* and back, before the logits */
    MODEL_FINAL_NORM,
    MODEL_HEAD_DENSE, /* width × width, with its activation and norm before the logits */
    MODEL_HEAD_NORM,
    MODEL_OUTPUT,      /* vocabulary × width */
    MODEL_OUTPUT_BIAS, /* where it lies elsewhere than its matrix */
    MODEL_RELATIVE,    /* buckets × heads: added to scores (T5) */
    MODEL_ROLES_OF_ALL,
    /* of a layer */
    MODEL_ATTN_NORM = MODEL_ROLES_OF_ALL,
    MODEL_ATTN_POST,  /* of what attention gives, before it is added */
    MODEL_ATTN_AFTER, /* of the sum */
    MODEL_QKV,        /* Q, K and V in one, or these: */
    MODEL_Q,
    MODEL_K,
    MODEL_V,
    MODEL_O,
    MODEL_Q_NORM,
    MODEL_K_NORM,
    MODEL_SINKS, /* a logit for each head */
    MODEL_Q_A,   /* latent attention: Q = norm(x · Q_A) · Q, */
    MODEL_Q_A_NORM,
    MODEL_KV_A, /* [c | k that turns] = x · KV_A, */
    MODEL_KV_A_NORM,
    MODEL_KV_B, /* K and V = norm(c) · KV_B, or in two: */
    MODEL_K_B,  /* heads × rank × … */
    MODEL_V_B,  /* heads × … × rank */
    MODEL_CROSS_NORM,
    MODEL_CROSS_AFTER,
    MODEL_CROSS_Q,
    MODEL_CROSS_K,
    MODEL_CROSS_V,
    MODEL_CROSS_O,
    MODEL_MLP_NORM,
    MODEL_MLP_POST,
    MODEL_MLP_AFTER,
    MODEL_GATE_UP, /* gate and up in one, or these: */
    MODEL_GATE,
    MODEL_UP,
    MODEL_DOWN,
    MODEL_ROUTER,      /* experts × width */
    MODEL_ROUTER_BIAS, /* added where experts are chosen, not where they count */
    MODEL_EXPERT_GATE_UP,
    MODEL_EXPERT_GATE,
    MODEL_EXPERT_UP,
    MODEL_EXPERT_DOWN,
    MODEL_SHARED_GATE, /* an expert that everybody asks */
    MODEL_SHARED_UP,
    MODEL_SHARED_DOWN,
    MODEL_ROLES
};

_Static_assert(MODEL_ROLES <= 64, "sets of roles are bits");
#define MODEL_ROLE_BIT(role) (UINT64_C(1) << (role))

/* Returns whether a tensor is of what turns the last rows into logits, not of the body. */
bool model_role_is_head(enum model_role role);

enum model_norm_kind {
    MODEL_LAYER_NORM,
    MODEL_RMS_NORM,
    MODEL_RMS_NORM_1, /* gain 1 + w (Gemma) */
};

enum model_positions {
    MODEL_NO_POSITIONS, /* or rotary ones alone */
    MODEL_LEARNED,
    MODEL_SINE_HALVES, /* sines, then cosines, of place · 10000^(−2p/width) (Marian) */
    MODEL_SINE_M2M,    /* the same with 10000^(−p/(width/2 − 1)), from `first_place` */
};

/* How Q, K and V lie in one matrix. */
enum model_fused {
    MODEL_FUSED_PARTS,   /* all of Q, all of K, all of V */
    MODEL_FUSED_BY_HEAD, /* q, k and v of head 0, of head 1 … (GPT-NeoX) */
};

/* How the experts of a word are chosen, and counted. */
enum model_router {
    MODEL_ROUTER_SOFTMAX,        /* the largest shares of all */
    MODEL_ROUTER_SOFTMAX_CHOSEN, /* softmax over the chosen (gpt-oss) */
    MODEL_ROUTER_SIGMOID,        /* σ of each, chosen with a correction (DeepSeek V3) */
};

/* How config.json calls it: alternatives, separated by '|'; the last is the one that is missed. */
struct model_keys {
    const char *layers, *heads, *width, *inner, *positions, *vocabulary, *epsilon, *activation;
};

struct model_family {
    const char *name;  /* "llama": of fixtures and results */
    const char *title; /* "Llama": for people */
    const char
        *types; /* model_type of config.json, several separated by '|'; NULL: there are none */
    const char *archs; /* general.architecture of GGUF; NULL: there are none */
    struct model_keys keys;
    const char *const *names;        /* [MODEL_ROLES] patterns; NULL: it has no such tensor */
    const char *const *source_names; /* of the encoder of two stacks; NULL: there is one stack */
    uint64_t biases;                 /* roles whose bias must be there; others may have one */
    uint64_t lacks;                  /* roles that may be missing */
    enum model_norm_kind norm;
    enum model_positions positions;
    enum model_fused fused;
    enum model_router router;
    size_t first_place;        /* of learned positions and M2M's; behind an id of padding */
    double theta, local_theta; /* rotary, where the configuration does not say; 0: does not turn */
    double epsilon;            /* where the configuration does not say */
    double share; /* of a head that turns, where the configuration does not say; 0: 1 */
    double score_cap, logit_cap; /* where the configuration does not say; 0: none */
    double scalar;         /* scores are divided by its root where it does not say; 0: by √d */
    size_t window;         /* where the configuration does not say; 0: none */
    const char *act;       /* activation where the configuration does not say */
    const char *head_act;  /* that before the logits; NULL: the MLP's */
    const char *encoder;   /* the family of a file that has the encoder of two stacks alone */
    bool columns;          /* matrices lie as width × out (GPT-2), not out × width */
    bool bidirectional;    /* every word sees every other */
    bool gated;            /* act(x·gate) ∘ (x·up), else act(x·up) */
    bool parallel;         /* attention and MLP both of x (where the configuration does not say) */
    bool neighbours;       /* turns 0 and 1, 2 and 3 …, not halves */
    bool no_scale;         /* scores are not divided by √d */
    bool scaled_embedding; /* embeddings · √width */
    bool tied;             /* where the configuration does not say */
    bool qk_norm_whole;    /* over all heads at once (OLMo 2) */
    bool latent;
    bool places_within;  /* the places before the first one count among all (RoBERTa) */
    bool padding_stays;  /* padding stands before the first place and is not counted (RoBERTa) */
    bool bare_norms;     /* norms have no bias, though they are no root mean squares */
    bool layered_window; /* the window holds in the layers that the configuration names */
    bool tanh_gelu;      /* its "gelu" is the one by tanh (Gemma) */
    bool scaled_output;  /* logits are of x/√width where the head is tied (T5) */
    bool any_share;      /* an odd share of a head turns with one number more (GPT-NeoX, Phi-3) */
};

/* The row of a model_type of config.json, or of an architecture of GGUF; NULL: none has it. */
const struct model_family *model_family_of_type(const char *type);
const struct model_family *model_family_of_arch(const char *arch);

/* The row of that name; NULL: none has it. */
const struct model_family *model_family_of_name(const char *name);

/* Returns whether `word` is one of the alternatives of a list separated by '|'. */
bool model_list_has(const char *list, const char *word);

#endif

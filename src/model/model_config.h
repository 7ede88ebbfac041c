/* model/model_config.h — the sizes of a model, as config.json or a GGUF says them, checked. */
#ifndef MODEL_MODEL_CONFIG_H
#define MODEL_MODEL_CONFIG_H

#include "base/arena.h"
#include "base/error.h"
#include "file/handle.h"
#include "model/family.h"
#include "model/foreign.h"
#include "model/source.h"

enum {
    MODEL_LAYERS_MAX = 1024,
    MODEL_WIDTH_MAX = 1 << 16, /* of a word, of all heads, of a head */
    MODEL_INNER_MAX = 1 << 20, /* of an MLP */
    MODEL_EXPERTS_MAX = 1024,
    MODEL_ROTARY_MAX = 512,         /* pairs of a head */
    MODEL_PLACES_ENDLESS = 1 << 24, /* texts may be as long as they like */
};

enum model_activation {
    MODEL_GELU_TANH,
    MODEL_GELU,
    MODEL_RELU,
    MODEL_SILU,
    MODEL_TANH,
    MODEL_ACTIVATIONS
};

/* Particulars of a layer, as bits. */
enum {
    MODEL_LAYER_LOCAL = 1,     /* sees a window, and turns by the local θ where there is one */
    MODEL_LAYER_UNROTATED = 2, /* does not turn */
    MODEL_LAYER_DENSE = 4,     /* has an MLP where others have experts */
};

/* How wavelengths were stretched after training (modeling_rope_utils.py of transformers). */
enum model_scaling {
    MODEL_SCALING_NONE,
    MODEL_SCALING_LINEAR,
    MODEL_SCALING_DYNAMIC,
    MODEL_SCALING_LLAMA3,
    MODEL_SCALING_YARN,
    MODEL_SCALING_LONGROPE
};

struct model_rotary {
    size_t width;   /* numbers of a head that turn, in pairs; 0: none */
    size_t divisor; /* pair i turns by θ^(−2i/divisor): the width, or one less where it was odd */
    double theta;
    enum model_scaling scaling;
    double factor, low, high;           /* llama3's frequencies, yarn's betas (high: fast) */
    double magnitude;                   /* cosine and sine are multiplied by it */
    size_t original;                    /* places it was trained for */
    bool whole;                         /* yarn's borders are whole numbers */
    size_t longs;                       /* of longrope: numbers of stretch; 0: none */
    float stretch[2][MODEL_ROTARY_MAX]; /* of texts within the original places, and longer ones */
};

struct model_experts {
    size_t count, chosen;         /* 0: there are none */
    size_t inner, shared;         /* widths of an expert, and of what everybody asks */
    size_t groups, groups_chosen; /* only the best groups are looked at; 0: all */
    bool group_by_two;            /* a group is as good as its two best, else as its best */
    bool normed;                  /* the weights of the chosen sum to 1 */
    double scale;
    float limit, slope; /* gpt-oss: gate and up are clamped, σ(slope · gate); limit 0: not so */
};

struct model_config {
    const struct model_family *family;
    enum model_foreign
        foreign; /* refused: what its file names is no family that is computed here */
    size_t layers, heads, width; /* of the decoder, or of the only stack */
    size_t groups;               /* of keys and values: divides heads */
    size_t d_k, d_v;             /* of a head */
    size_t positions;            /* most tokens of a text, or MODEL_PLACES_ENDLESS */
    size_t first_place;          /* rows that no place has */
    size_t padding;              /* an id that is not counted; SIZE_MAX: all are */
    size_t vocabulary;           /* ids are below */
    size_t source_vocabulary;    /* the same for the ids of the first of two texts */
    size_t inner;                /* width of the MLP */
    size_t embed;                /* numbers of a word, at most the width */
    size_t types;                /* kinds of sentences; 0: none */
    enum model_activation activation;
    float epsilon;          /* of norms */
    bool scale;             /* scores are divided by √d_k */
    bool scale_by_layer;    /* and those of layer l by l + 1, too */
    double factor;          /* 0; else what scores are multiplied by in place of all that */
    bool tied;              /* the output weights are the embeddings */
    bool bidirectional;     /* every word sees every other */
    uint64_t biases;        /* roles whose bias must be there */
    uint64_t unread_biases; /* roles whose bias is not read, though a file may have one */
    enum model_activation head_activation; /* of the dense layer before the logits */
    bool headless;                         /* its architecture has no head for next words */
    bool text_part;                        /* it is a part of what sees or hears too */
    bool gated, parallel;
    bool norms_behind;  /* those that a family has before attention and MLP are behind the sums */
    bool no_final_norm; /* of those that have one */
    bool qk_norm;       /* the norms of queries and keys that the family may lack must be there */
    float embedding_scale, logit_scale;       /* 1: as they are */
    float score_cap, logit_cap;               /* c · tanh(x / c); 0: none */
    size_t window;                            /* of local layers: keys that are seen; 0: all */
    struct model_rotary rotary[2];            /* of other layers, of local ones */
    size_t q_rank, kv_rank, unrotated, turns; /* latent: of Q (0: none), of K and V; d_k = both */
    struct model_experts experts;
    size_t source_layers, source_heads, source_inner; /* of the encoder of two stacks; 0: one */
    size_t buckets, farthest;                         /* of relative positions */
    size_t start;                    /* the id that a decoder of two texts begins with */
    size_t end;                      /* the id that ends a text; SIZE_MAX: not said */
    uint8_t layer[MODEL_LAYERS_MAX]; /* bits MODEL_LAYER_… */
    /* Members that are on no list of model/model_config_members.h, each ended by a 0: how many
     * there are, and are listed; bytes of the list. */
    size_t ignored_count, ignored_listed, ignored_length;
    char ignored[2048];
};

/* Reads config.json of a folder, or what a GGUF says. The sentence names the rule that was broken.
 */
bool model_config_read(struct file_handle *file, struct model_config *config, struct error *error);

/* Reads a config.json that stands in memory. */
bool model_config_parse(struct bytes text, struct model_config *config, struct error *error);

/* Does the same for the values in a source (GGUF). */
bool model_config_of_source(const struct model_source *source, struct model_config *config,
                            struct error *error);

/* Fills in and checks what depends on all members; the sentence names the key. */
bool model_config_finish(struct model_config *config, const char *file, struct error *error);

/* The configuration of two stacks becomes that of their encoder alone. */
void model_config_leave_decoder_out(struct model_config *config);

/* "gelu_new", "gelu", "relu", "silu", "tanh". */
const char *model_activation_name(enum model_activation activation);
bool model_activation_find(const char *name, enum model_activation *activation);

/* Returns the factor of a layer's scores. */
float model_factor(const struct model_config *config, size_t layer);

/* The member of that index which was ignored (model/model_config_members.h); NULL: no more are
 * listed. */
const char *model_config_ignored_at(const struct model_config *config, size_t index);

/* "foo, bar": the same in one text, with how many more there are; "": there are none. Owned by the
 * arena; NULL: no memory. */
const char *model_config_ignored(const struct model_config *config, struct arena *arena);

#endif

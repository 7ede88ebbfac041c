/* model/gpt2.h — models of the GPT-2 family from a folder on the disk, and their forward pass.
 *
 *     ids ─ wte + wpe ─► x ─┬─ ln_1 ─ attention of all heads ─┬─ + ─┬─ ln_2 ─ MLP ─┬─ + ─► … ─ ln_f
 * · wteᵀ ─► logits └─────────────────────────────────┘     └──────────────┘   (Radford et al. 2019)
 *
 * A folder is as Hugging Face lays it out: config.json, model.safetensors or its shards with
 * model.safetensors.index.json, and the tokenizer (model/bpe.h). Tensors are mapped and read where
 * they lie; float16 and bfloat16 are widened, exactly, while they are used. */
#ifndef MODEL_GPT2_H
#define MODEL_GPT2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attn/attn.h"
#include "base/error.h"
#include "file/safetensors.h"
#include "lab/run/trace.h"
#include "model/bpe.h"

enum { GPT2_FILES_MAX = 1024 /* of weights */ };

enum gpt2_activation {
    GPT2_GELU_TANH,
    GPT2_GELU,
    GPT2_RELU,
    GPT2_SILU,
    GPT2_TANH,
    GPT2_ACTIVATIONS
};

/* What config.json says, checked. */
struct gpt2_config {
    size_t layers, heads, width; /* n_layer, n_head, n_embd; heads divides width */
    size_t positions;            /* most tokens of a text */
    size_t vocabulary;           /* ids are below */
    size_t inner;                /* width of the MLP */
    enum gpt2_activation activation;
    float epsilon;       /* of layer norm */
    bool scale;          /* scores are divided by √(width / heads) … */
    bool scale_by_layer; /* … and by 1, 2, 3 … in layer 0, 1, 2 … */
    bool tied;           /* the output weights are wte */
};

/* Reads config.json of a folder. The sentence names the rule that was broken. */
bool gpt2_config_read(const char *folder, struct gpt2_config *config, struct error *error);

/* "gelu_new", "gelu", "relu", "silu", "tanh". */
const char *gpt2_activation_name(enum gpt2_activation activation);

/* ---- a model ------------------------------------------------------------------------------- */

struct gpt2;

/* Whether the folder looks like a model: it has a config.json. */
bool gpt2_probe(const char *folder);

/* Opens a folder: configuration, every tensor found and of its shape, tokenizer. Nothing is
 * computed and no weights are read. NULL and one sentence that names file, tensor and rule. The
 * caller closes the model when no run uses it any more. */
struct gpt2 *gpt2_open(const char *folder, struct error *error);
void gpt2_close(struct gpt2 *model); /* NULL is fine */

const struct gpt2_config *gpt2_config(const struct gpt2 *model);
const struct bpe *gpt2_tokenizer(const struct gpt2 *model);

/* The tensor at index 0, 1 … of its files, used or not; NULL behind the last. */
const struct array *gpt2_tensor_at(const struct gpt2 *model, size_t index);

/* How many numbers the model has learned, those it uses; and the type they are stored in. */
size_t gpt2_parameters(const struct gpt2 *model);
enum array_type gpt2_type(const struct gpt2 *model);

/* ---- a run --------------------------------------------------------------------------------- */

struct gpt2_head {
    size_t layer, head;
};

struct gpt2_request {
    const uint32_t *ids; /* [count], 1 … positions of them, each below vocabulary */
    size_t count;
    const struct gpt2_head *off; /* [off_count] heads whose Z is 0 */
    size_t off_count;
    struct lab_engine engine; /* its pool must live as long as the run */
    /* Called before each layer; false: give up. NULL: nobody listens. */
    bool (*on_layer)(void *listener, size_t layer, size_t layers);
    void *listener;
};

/* Everything that was computed of one text. It keeps the residual stream and, of each layer, Q, K
 * and V; weights and logits are made from them when they are asked for. */
struct gpt2_run;

/* The numbers do not depend on the engine, nor on whether the tokens came at once or one by one.
 * NULL and a sentence: the request is wrong, there is no memory, or (ERROR_NONE) the listener gave
 * up.
 */
struct gpt2_run *gpt2_run_start(const struct gpt2 *model, const struct gpt2_request *request,
                                struct error *error);
void gpt2_run_close(struct gpt2_run *run); /* NULL is fine */

/* One token more: only its row is computed, keys and values of the others are there. On failure the
 * run is as it was. */
bool gpt2_run_append(struct gpt2_run *run, uint32_t id, struct error *error);

size_t gpt2_run_count(const struct gpt2_run *run);
const uint32_t *gpt2_run_ids(const struct gpt2_run *run); /* until the next append */

/* The residual stream before layer 0, 1 … and, with layer = layers, behind the last:
 * [count][width], until the next append. */
const float *gpt2_run_residual(const struct gpt2_run *run, size_t layer);

/* α of one head into out [count][count]. Several threads may ask at once. */
void gpt2_run_weights(const struct gpt2_run *run, size_t layer, size_t head, float *out);

/* Logits of the positions first … first + count − 1 into out [count][vocabulary]. False: memory. */
bool gpt2_run_logits(const struct gpt2_run *run, size_t first, size_t count, float *out,
                     struct error *error);

/* ---- one layer in the lab ------------------------------------------------------------------ */

/* One layer of a run as an experiment of its own: X is what ln_1 gives, the words are the tokens as
 * people read them, W_Q, W_K, W_V and W_O with their biases are the model's, the mask is causal.
 * From there on it is an experiment like any other, which can be changed, undone and saved. Of a
 * head that is switched off the rows of W_O are 0. The caller releases it. False and a sentence: no
 * memory, or too large for the lab. */
bool gpt2_experiment(const struct gpt2_run *run, size_t layer, struct lab_experiment *experiment,
                     struct error *error);

/* Its trace: Q, K, V, S, α and Z of every head, concat and O (O is what the layer's attention adds
 * to the residual stream). The caller releases it; it does not use the run any more. */
struct lab_trace *gpt2_trace(const struct gpt2_run *run, size_t layer, struct error *error);

#endif

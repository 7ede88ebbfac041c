/* model/model.h — models of the GPT-2 family from a folder on the disk, and their forward pass.
 *
 *     ids ─ wte + wpe ─► x ─┬─ ln_1 ─ attention of all heads ─┬─ + ─┬─ ln_2 ─ MLP ─┬─ + ─► … ─ ln_f
 * · wteᵀ ─► logits └─────────────────────────────────┘     └──────────────┘   (Radford et al. 2019)
 *
 * A folder is as Hugging Face lays it out: config.json, model.safetensors or its shards with
 * model.safetensors.index.json, and the tokenizer (model/tokenizer.h). Tensors are mapped and read
 * where they lie; float16 and bfloat16 are widened, exactly, while they are used. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attn/attn.h"
#include "base/error.h"
#include "file/safetensors.h"
#include "lab/run/trace.h"
#include "model/tokenizer.h"

enum { MODEL_FILES_MAX = 1024 /* of weights */ };

enum model_activation {
    MODEL_GELU_TANH,
    MODEL_GELU,
    MODEL_RELU,
    MODEL_SILU,
    MODEL_TANH,
    MODEL_ACTIVATIONS
};

/* What config.json says, checked. */
struct model_config {
    size_t layers, heads, width; /* n_layer, n_head, n_embd; heads divides width */
    size_t positions;            /* most tokens of a text */
    size_t vocabulary;           /* ids are below */
    size_t inner;                /* width of the MLP */
    enum model_activation activation;
    float epsilon;       /* of layer norm */
    bool scale;          /* scores are divided by √(width / heads) … */
    bool scale_by_layer; /* … and by 1, 2, 3 … in layer 0, 1, 2 … */
    bool tied;           /* the output weights are wte */
};

/* Reads config.json of a folder. The sentence names the rule that was broken. */
bool model_config_read(const char *folder, struct model_config *config, struct error *error);

/* "gelu_new", "gelu", "relu", "silu", "tanh". */
const char *model_activation_name(enum model_activation activation);

/* ---- a model ------------------------------------------------------------------------------- */

struct model;

/* Whether the folder looks like a model: it has a config.json. */
bool model_probe(const char *folder);

/* Opens a folder: configuration, every tensor found and of its shape, tokenizer. Nothing is
 * computed and no weights are read. NULL and one sentence that names file, tensor and rule. The
 * caller closes the model when no run uses it any more. */
struct model *model_open(const char *folder, struct error *error);
void model_close(struct model *model); /* NULL is fine */

const struct model_config *model_config(const struct model *model);
const struct tokenizer *model_tokenizer(const struct model *model);

/* The tensor at index 0, 1 … of its files, used or not; NULL behind the last. */
const struct array *model_tensor_at(const struct model *model, size_t index);

/* How many numbers the model has learned, those it uses; and the type they are stored in. */
size_t model_parameters(const struct model *model);
enum array_type model_tensor_type(const struct model *model);

/* ---- a run --------------------------------------------------------------------------------- */

struct model_head {
    size_t layer, head;
};

struct model_request {
    const uint32_t *ids; /* [count], 1 … positions of them, each below vocabulary */
    size_t count;
    const struct model_head *off; /* [off_count] heads whose Z is 0 */
    size_t off_count;
    struct lab_engine engine; /* its pool must live as long as the run */
    /* Called before each layer; false: give up. NULL: nobody listens. */
    bool (*on_layer)(void *listener, size_t layer, size_t layers);
    void *listener;
};

/* Everything that was computed of one text. It keeps the residual stream and, of each layer, Q, K
 * and V; weights and logits are made from them when they are asked for. */
struct model_run;

/* The numbers do not depend on the engine, nor on whether the tokens came at once or one by one.
 * NULL and a sentence: the request is wrong, there is no memory, or (ERROR_NONE) the listener gave
 * up.
 */
struct model_run *model_run_start(const struct model *model, const struct model_request *request,
                                  struct error *error);
void model_run_close(struct model_run *run); /* NULL is fine */

/* One token more: only its row is computed, keys and values of the others are there. On failure the
 * run is as it was. */
bool model_run_append(struct model_run *run, uint32_t id, struct error *error);

size_t model_run_count(const struct model_run *run);
const uint32_t *model_run_ids(const struct model_run *run); /* until the next append */

/* The residual stream before layer 0, 1 … and, with layer = layers, behind the last:
 * [count][width], until the next append. */
const float *model_run_residual(const struct model_run *run, size_t layer);

/* α of one head into out [count][count]. Several threads may ask at once. */
void model_run_weights(const struct model_run *run, size_t layer, size_t head, float *out);

/* Logits of the positions first … first + count − 1 into out [count][vocabulary]. False: memory. */
bool model_run_logits(const struct model_run *run, size_t first, size_t count, float *out,
                      struct error *error);

/* ---- one layer in the lab ------------------------------------------------------------------ */

/* One layer of a run as an experiment of its own: X is what ln_1 gives, the words are the tokens as
 * people read them, W_Q, W_K, W_V and W_O with their biases are the model's, the mask is causal.
 * From there on it is an experiment like any other, which can be changed, undone and saved. Of a
 * head that is switched off the rows of W_O are 0. The caller releases it. False and a sentence: no
 * memory, or too large for the lab. */
bool model_experiment(const struct model_run *run, size_t layer, struct lab_experiment *experiment,
                      struct error *error);

/* Its trace: Q, K, V, S, α and Z of every head, concat and O (O is what the layer's attention adds
 * to the residual stream). The caller releases it; it does not use the run any more. */
struct lab_trace *model_trace(const struct model_run *run, size_t layer, struct error *error);

#endif

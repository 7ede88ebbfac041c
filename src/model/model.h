/* model/model.h — models from a folder or a file on the disk, and their forward pass. What is
 * particular of a family stands in model/family.h; GPT-2, the first of them:
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
#include "lab/run/block.h"
#include "lab/run/thumbnails.h"
#include "lab/run/trace.h"
#include "model/chat.h"
#include "model/intervention.h"
#include "model/layout.h"
#include "model/model_config.h"
#include "model/tokenizer.h"

/* ---- a model ------------------------------------------------------------------------------- */

struct model;

/* Opens a folder or a GGUF: configuration, every tensor found and of its shape, tokenizer. Nothing
 * is computed and no weights are read. NULL and one sentence that names file, tensor and rule. The
 * caller closes the model when no run uses it any more. */
struct model *model_open(struct file_handle *file, struct error *error);

/* Its first half, which takes no time: the configuration, and where tensors lie. Nothing but
 * model_config is asked of such a model before the other half. */
struct model *model_begin(struct file_handle *file, struct error *error);
bool model_complete(struct model *model, struct error *error); /* nothing where it was called */

/* A model that stands in memory: config.json, model.safetensors and what its ids are called. */
struct model_in_memory {
    struct bytes config, tensors;
    const char *const *words; /* [vocabulary] as people can read them */
};

/* Opens it; everything is copied. It has no tokenizer. NULL and a sentence as above. */
struct model *model_open_memory(const struct model_in_memory *stored, struct error *error);

struct model *model_keep(struct model *model); /* holds it once more, to be closed once more */
void model_close(struct model *model);         /* NULL is fine */

const struct model_config *model_config(const struct model *model);

/* Returns what cuts a text that is read into tokens; NULL: model_reads_text says why. The token as
 * people can read it, of a text that is written where there are two, owned by the arena (NULL: no
 * memory); "#7" where there is no tokenizer. */
const struct tokenizer *model_tokenizer(const struct model *model);
const char *model_shown(const struct model *model, uint32_t id, struct arena *arena);

/* The texts of a model of two, which may be of two languages: the one that is read, and the one
 * that is written. A model of one text has one tokenizer for both. */
enum model_text { MODEL_READ, MODEL_WRITTEN };
const struct tokenizer *model_tokenizer_of(const struct model *model, enum model_text text);
const char *model_shown_of(const struct model *model, enum model_text text, uint32_t id,
                           struct arena *arena);

/* Returns the tensor at an index of its files, used or not; NULL behind the last. */
const struct model_tensor *model_tensor_at(const struct model *model, size_t index);

/* How many numbers the model has learned, those it uses; and the type they are stored in. */
size_t model_parameters(const struct model *model);
const char *model_tensor_type(const struct model *model);

/* Returns the type of stored numbers at an index, the most frequent first, and the count of its
 * numbers; NULL behind the last. */
const char *model_stored_type(const struct model *model, size_t index, size_t *count);

/* Returns whether it gives next words (or masked ones); some encoders only give their last rows. */
bool model_has_logits(const struct model *model);
bool model_has_mlp(const struct model *model);    /* or experts, in some layer */
bool model_has_target(const struct model *model); /* it reads one text and writes another */

/* Tensors that no part of it reads, under the names they have in common: [count]. */
const struct model_left_out *model_left_out(const struct model *model, size_t *count);

/* Says which parts are not computed, and what may be wrong with its tokens: "It has no head that
 * gives words. Left out: classifier (2 tensors), pooler (2)."; "": nothing. Owned by the arena;
 * NULL: no memory. */
const char *model_note(const struct model *model, struct arena *arena);

/* False and why: the model came without a tokenizer that can be read, and takes ids only. */
bool model_reads_text(const struct model *model, struct error *error);

/* Returns the texts around a message of a chat; NULL and why: no template came with the model, or
 * one of a form that is not known. */
const struct model_chat *model_chat(const struct model *model, struct error *error);

/* Returns why there is none, in the language at opening or in English; NULL: there is one. */
const char *model_chat_lack(const struct model *model);

/* ---- a run --------------------------------------------------------------------------------- */

struct model_request {
    const uint32_t *ids; /* [count], 1 to `positions` of them, each below vocabulary */
    size_t count;
    const uint8_t *types; /* [count] 0: of the first sentence, 1: of the second; NULL: all 0 */
    const uint32_t *target_ids; /* [target_count] what the decoder of two texts reads, its start
                                   included; none: the start alone */
    size_t target_count;
    struct model_interventions interventions; /* the run has copies of them */
    struct model_visitor visitor;             /* while the run lives */
    size_t layers; /* so many of them for now, the rest when it is asked for (model_run_go_on); 0:
                      all. Of models of two texts always all */
    struct lab_engine engine; /* its pool must live as long as the run */
    /* Called before each layer; false: give up. NULL: nobody listens. */
    bool (*on_layer)(void *listener, size_t layer, size_t layers);
    void *listener;
};

/* Everything that was computed of one text. It keeps the residual stream and, of each layer, Q, K
 * and V; weights and logits are made from them when they are asked for. */
struct model_run;

/* Says whether a run would begin: false and a sentence where an id, or the place of an
 * intervention, is none of the model's. */
bool model_request_check(const struct model *model, const struct model_request *request,
                         struct error *error);

/* The numbers do not depend on the engine, nor on whether the tokens came at once or one by one.
 * NULL and a sentence: the request is wrong, there is no memory, or (ERROR_NONE) the listener gave
 * up.
 */
struct model_run *model_run_start(const struct model *model, const struct model_request *request,
                                  struct error *error);
struct model_run *model_run_keep(struct model_run *run); /* as model_keep */
void model_run_close(struct model_run *run);             /* NULL is fine */

/* Sets the function that is called before each layer, in place of the request's. */
void model_run_listen(struct model_run *run,
                      bool (*on_layer)(void *listener, size_t layer, size_t layers),
                      void *listener);

/* How many layers are computed: any thread may ask, and look at those, while the others are. Of a
 * model of two texts: of the second. */
size_t model_run_layers(const struct model_run *run);

/* Computes on, up to so many layers: with the bits of all at once. False and a sentence, or
 * ERROR_NONE where the listener gave up: those that were done meanwhile are there. */
bool model_run_go_on(struct model_run *run, size_t layers, struct error *error);

/* One token more: only its row is computed, keys and values of the others are there. Layers that
 * are not computed yet are before that. On failure the run has the tokens that it had. */
bool model_run_append(struct model_run *run, uint32_t id, struct error *error);

/* Appends the likeliest token, up to `tokens` times, or until the text ends. False and a sentence:
 * no place is left, or no memory. */
bool model_run_write(struct model_run *run, size_t tokens, struct error *error);

/* Of a model of two texts: those of the second, the target. Until the next append. */
size_t model_run_count(const struct model_run *run);
const uint32_t *model_run_ids(const struct model_run *run);

/* The first text of two; 0: there is one. */
size_t model_run_source_count(const struct model_run *run);
const uint32_t *model_run_source_ids(const struct model_run *run);

/* Returns the residual stream before a layer and, with layer = layers, behind the last:
 * [count][width], until the next append. */
const float *model_run_residual(const struct model_run *run, size_t layer);

/* Returns the residual stream of the first text of two: [source count][width]. */
const float *model_run_source_residual(const struct model_run *run, size_t layer);

/* α of one head into out [count][count]. Several threads may ask at once. */
void model_run_weights(const struct model_run *run, size_t layer, size_t head, float *out);

/* Returns V of one head, as its attention multiplies it: [count][d_v], until the next append. */
struct attn_operand model_run_values(const struct model_run *run, size_t layer, size_t head);

/* The attentions of a model of two texts: of the target to itself, of the source to itself
 * [source][source], of the target to the source [count][source]. */
enum model_attention { MODEL_SELF, MODEL_ENCODER, MODEL_CROSS };
void model_run_weights_of(const struct model_run *run, enum model_attention which, size_t layer,
                          size_t head, float *out);

/* Writes the logits of the positions first … first + count − 1 into out [count][vocabulary], when
 * all layers are computed. False: memory. */
bool model_run_logits(const struct model_run *run, size_t first, size_t count, float *out,
                      struct error *error);

/* The interventions that it was computed with; they are the run's. */
struct model_interventions model_run_interventions(const struct model_run *run);

/* Computes a run that has all its layers once more, so that a visitor sees it; with more
 * interventions, from the first layer on that has one of them. False: memory, or a place that the
 * text does not have. From any thread. (model/model_variants.c) */
bool model_run_visit(const struct model_run *run, struct model_interventions more,
                     struct model_visitor visitor, struct error *error);

/* The listener to the next words of each variant of a run. */
struct model_varying {
    size_t first, count; /* words of the text whose next words are asked for */
    /* Called once for each variant, by any thread: logits [count][vocabulary]. */
    void (*on_words)(void *owner, size_t variant, const float *logits);
    /* Called before each of so many steps; false: give up. NULL: nobody listens. */
    bool (*on_progress)(void *owner, size_t done, size_t all);
    void *owner;
};

/* Computes variants of a run that has all its layers and gives words: each has interventions beside
 * the run's own, and shares with it all that is before them. The numbers are those of runs of their
 * own. False: a place that the text does not have, no memory, or (ERROR_NONE) the listener gave up.
 * From any thread. */
bool model_run_vary(const struct model_run *run, const struct model_interventions *variants,
                    size_t count, const struct model_varying *how, struct error *error);

/* The next words of any rows of the stream, as those behind the last layer: rows [count][width] are
 * overwritten, out [count][vocabulary]. False: the model has none, or memory. */
bool model_run_words(const struct model_run *run, float *rows, size_t count, float *out,
                     struct error *error);

/* How many layers have an attention of this kind (of a model of one text: MODEL_SELF). */
size_t model_layers_of(const struct model *model, enum model_attention which);

/* One layer around its attention (lab/run/block.h), the other text's where `which` is its: y has
 * the bits of what the next layer reads. Its weights are read from the model, which must live as
 * long as the block. NULL and a sentence: no memory. The caller releases it. (model/model_block.c)
 */
struct lab_block *model_block(const struct model_run *run, enum model_attention which, size_t layer,
                              struct error *error);

/* ---- one layer in the lab ------------------------------------------------------------------ */

/* An experiment of a layer is looked at again: its weights, where they are the model's, are those
 * that model_experiment gives the next ones of this layer, and no other layer's are kept. */
void model_share_layer(const struct model *model, enum model_attention which, size_t layer,
                       const struct lab_experiment *experiment);

/* One layer of a run as an experiment of its own: X is what ln_1 gives, the words are the tokens as
 * people read them, W_Q, W_K, W_V and W_O with their biases are the model's, the mask is causal.
 * Between two texts the queries are words of the second, keys and values of the first. From there
 * on it is an experiment like any other, which can be changed, undone and saved. Of a head that is
 * switched off the rows of W_O are 0. The caller releases it. False and a sentence: no memory, or
 * too large for the lab. */
bool model_experiment(const struct model_run *run, enum model_attention which, size_t layer,
                      struct lab_experiment *experiment, struct error *error);

/* Its trace: Q, K, V, S, α and Z of every head, concat and O (O is what the layer's attention adds
 * to the residual stream). The caller releases it; it does not use the run any more. */
struct lab_trace *model_trace(const struct model_run *run, enum model_attention which, size_t layer,
                              struct error *error);

/* The weights of one attention as they are stored, by their part in the lab: LAB_W_Q [heads][width]
 * [d_k], LAB_W_K and LAB_W_V [groups][width][d], LAB_W_O [heads · d_v][width], LAB_B_Q, LAB_B_K and
 * LAB_B_V [heads or groups][1][d], LAB_B_O [1][width]. *out NULL: this layer has none, as Q, K and
 * V of a latent attention. The caller releases *out. False and a sentence: no memory, or the file
 * became shorter. */
bool model_layer_weights(const struct model_run *run, enum model_attention which, size_t layer,
                         enum lab_part part, const struct lab_numbers **out, struct error *error);

/* Layers, heads and tokens of one attention of a run, for thumbnails and measures of its heads: the
 * caller sets how weights are read (model_run_weights_of), the engine and who listens. The tokens
 * are owned by the arena. False: no memory. */
bool model_thumbnails_source(const struct model_run *run, enum model_attention which,
                             struct arena *arena, struct lab_thumbnails_source *source);

#endif

/* model/families_pair.c — names of tensors of families that read one text and write another, as in
 * Hugging Face's transformers (models/X/modeling_X.py). */
#include "model/families_pair.h"

#define NAMES(name) const char *const name[MODEL_ROLES]

#define T5_STACK(stack, mlp, biased)                                                               \
    [MODEL_EMBED] = "shared|" stack ".embed_tokens",                                               \
    [MODEL_FINAL_NORM] = stack ".final_layer_norm",                                                \
    [MODEL_ATTN_NORM] = stack ".block.#.layer.0.layer_norm",                                       \
    [MODEL_Q] = stack ".block.#.layer.0.SelfAttention.q",                                          \
    [MODEL_K] = stack ".block.#.layer.0.SelfAttention.k",                                          \
    [MODEL_V] = stack ".block.#.layer.0.SelfAttention.v",                                          \
    [MODEL_O] = stack ".block.#.layer.0.SelfAttention.o",                                          \
    [MODEL_RELATIVE] = stack ".block." biased ".layer.0.SelfAttention.relative_attention_bias",    \
    [MODEL_MLP_NORM] = stack ".block.#.layer." mlp ".layer_norm",                                  \
    [MODEL_GATE] = stack ".block.#.layer." mlp ".DenseReluDense.wi_0",                             \
    [MODEL_UP] = stack ".block.#.layer." mlp ".DenseReluDense.wi|" stack ".block.#.layer." mlp     \
                       ".DenseReluDense.wi_1",                                                     \
    [MODEL_DOWN] = stack ".block.#.layer." mlp ".DenseReluDense.wo"

#define T5_CROSS                                                                                   \
    [MODEL_CROSS_NORM] = "decoder.block.#.layer.1.layer_norm",                                     \
    [MODEL_CROSS_Q] = "decoder.block.#.layer.1.EncDecAttention.q",                                 \
    [MODEL_CROSS_K] = "decoder.block.#.layer.1.EncDecAttention.k",                                 \
    [MODEL_CROSS_V] = "decoder.block.#.layer.1.EncDecAttention.v",                                 \
    [MODEL_CROSS_O] = "decoder.block.#.layer.1.EncDecAttention.o"

/* The first block's relative positions are those of all; in umT5 each has its own. An encoder alone
 * has no head. */
NAMES(model_t5_source_names) = {T5_STACK("encoder", "1", "0")};
NAMES(model_t5_names) = {T5_STACK("decoder", "2", "0"), T5_CROSS, [MODEL_OUTPUT] = "lm_head"};
NAMES(model_umt5_source_names) = {T5_STACK("encoder", "1", "#")};
NAMES(model_umt5_names) = {T5_STACK("decoder", "2", "#"), T5_CROSS, [MODEL_OUTPUT] = "lm_head"};

/* BART and its kin; norm_1, norm_2, norm_3: before, or behind the sum. */
#define BART_STACK(stack)                                                                          \
    [MODEL_EMBED] = "model.shared|model." stack ".embed_tokens",                                   \
    [MODEL_PLACES] = "model." stack ".embed_positions", [MODEL_OUTPUT] = "lm_head",                \
    [MODEL_OUTPUT_BIAS] = "final_logits_bias!",                                                    \
    [MODEL_Q] = "model." stack ".layers.#.self_attn.q_proj",                                       \
    [MODEL_K] = "model." stack ".layers.#.self_attn.k_proj",                                       \
    [MODEL_V] = "model." stack ".layers.#.self_attn.v_proj",                                       \
    [MODEL_O] = "model." stack ".layers.#.self_attn.out_proj",                                     \
    [MODEL_UP] = "model." stack ".layers.#.fc1", [MODEL_DOWN] = "model." stack ".layers.#.fc2"
#define BART_CROSS                                                                                 \
    [MODEL_CROSS_Q] = "model.decoder.layers.#.encoder_attn.q_proj",                                \
    [MODEL_CROSS_K] = "model.decoder.layers.#.encoder_attn.k_proj",                                \
    [MODEL_CROSS_V] = "model.decoder.layers.#.encoder_attn.v_proj",                                \
    [MODEL_CROSS_O] = "model.decoder.layers.#.encoder_attn.out_proj"
#define BART_NORMS_AFTER(stack)                                                                    \
    [MODEL_ATTN_AFTER] = "model." stack ".layers.#.self_attn_layer_norm",                          \
    [MODEL_MLP_AFTER] = "model." stack ".layers.#.final_layer_norm"
#define BART_NORMS_BEFORE(stack)                                                                   \
    [MODEL_ATTN_NORM] = "model." stack ".layers.#.self_attn_layer_norm",                           \
    [MODEL_MLP_NORM] = "model." stack ".layers.#.final_layer_norm",                                \
    [MODEL_FINAL_NORM] = "model." stack ".layer_norm"
#define CROSS_NORM_NAME "model.decoder.layers.#.encoder_attn_layer_norm"

NAMES(model_bart_source_names) = {
    BART_STACK("encoder"),
    BART_NORMS_AFTER("encoder"),
    [MODEL_EMBED_NORM] = "model.encoder.layernorm_embedding",
};
NAMES(model_bart_names) = {
    BART_STACK("decoder"),
    BART_CROSS,
    BART_NORMS_AFTER("decoder"),
    [MODEL_EMBED_NORM] = "model.decoder.layernorm_embedding",
    [MODEL_CROSS_AFTER] = CROSS_NORM_NAME,
};
NAMES(model_mbart_source_names) = {
    BART_STACK("encoder"),
    BART_NORMS_BEFORE("encoder"),
    [MODEL_EMBED_NORM] = "model.encoder.layernorm_embedding",
};
NAMES(model_mbart_names) = {
    BART_STACK("decoder"),
    BART_CROSS,
    BART_NORMS_BEFORE("decoder"),
    [MODEL_EMBED_NORM] = "model.decoder.layernorm_embedding",
    [MODEL_CROSS_NORM] = CROSS_NORM_NAME,
};
NAMES(model_marian_source_names) = {BART_STACK("encoder"), BART_NORMS_AFTER("encoder")};
NAMES(model_marian_names) = {
    BART_STACK("decoder"),
    BART_CROSS,
    BART_NORMS_AFTER("decoder"),
    [MODEL_CROSS_AFTER] = CROSS_NORM_NAME,
};
NAMES(model_m2m_source_names) = {BART_STACK("encoder"), BART_NORMS_BEFORE("encoder")};
NAMES(model_m2m_names) = {
    BART_STACK("decoder"),
    BART_CROSS,
    BART_NORMS_BEFORE("decoder"),
    [MODEL_CROSS_NORM] = CROSS_NORM_NAME,
};

/* model/families_gguf.c — names of tensors in GGUF, nearly the same for every architecture
 * (ggml-org/llama.cpp, gguf-py/gguf/constants.py). */
#include <string.h>

#include "model/model_tensors.h"

#define NAMES(name) static const char *const name[MODEL_ROLES]

#define LAYER_NAMES(stack)                                                                         \
    [MODEL_EMBED] = "token_embd", [MODEL_PLACES] = "position_embd", [MODEL_TYPES] = "token_types", \
    [MODEL_EMBED_NORM] = "token_embd_norm", [MODEL_OUTPUT] = "output",                             \
    [MODEL_ATTN_NORM] = stack "blk.#.attn_norm",                                                   \
    [MODEL_ATTN_POST] = stack "blk.#.post_attention_norm",                                         \
    [MODEL_ATTN_AFTER] = stack "blk.#.attn_output_norm", [MODEL_QKV] = stack "blk.#.attn_qkv",     \
    [MODEL_Q] = stack "blk.#.attn_q|" stack "blk.#.attn_q_b", [MODEL_K] = stack "blk.#.attn_k",    \
    [MODEL_V] = stack "blk.#.attn_v", [MODEL_Q_NORM] = stack "blk.#.attn_q_norm",                  \
    [MODEL_K_NORM] = stack "blk.#.attn_k_norm", [MODEL_SINKS] = stack "blk.#.attn_sinks",          \
    [MODEL_Q_A] = stack "blk.#.attn_q_a", [MODEL_Q_A_NORM] = stack "blk.#.attn_q_a_norm",          \
    [MODEL_KV_A] = stack "blk.#.attn_kv_a_mqa", [MODEL_KV_A_NORM] = stack "blk.#.attn_kv_a_norm",  \
    [MODEL_KV_B] = stack "blk.#.attn_kv_b", [MODEL_K_B] = stack "blk.#.attn_k_b",                  \
    [MODEL_V_B] = stack "blk.#.attn_v_b",                                                          \
    [MODEL_MLP_NORM] = stack "blk.#.ffn_norm|" stack "blk.#.post_attention_norm",                  \
    [MODEL_MLP_POST] = stack "blk.#.post_ffw_norm",                                                \
    [MODEL_MLP_AFTER] = stack "blk.#.layer_output_norm", [MODEL_GATE_UP] = stack "blk.#.ffn_up",   \
    [MODEL_GATE] = stack "blk.#.ffn_gate", [MODEL_UP] = stack "blk.#.ffn_up",                      \
    [MODEL_DOWN] = stack "blk.#.ffn_down", [MODEL_ROUTER] = stack "blk.#.ffn_gate_inp",            \
    [MODEL_ROUTER_BIAS] = stack "blk.#.exp_probs_b.bias!",                                         \
    [MODEL_EXPERT_GATE] = stack "blk.#.ffn_gate_exps",                                             \
    [MODEL_EXPERT_UP] = stack "blk.#.ffn_up_exps",                                                 \
    [MODEL_EXPERT_DOWN] = stack "blk.#.ffn_down_exps",                                             \
    [MODEL_SHARED_GATE] = stack "blk.#.ffn_gate_shexp",                                            \
    [MODEL_SHARED_UP] = stack "blk.#.ffn_up_shexp",                                                \
    [MODEL_SHARED_DOWN] = stack "blk.#.ffn_down_shexp"

NAMES(plain) = {
    LAYER_NAMES(""),
    [MODEL_FINAL_NORM] = "output_norm",
    [MODEL_O] = "blk.#.attn_output",
};

/* T5. */
NAMES(target) = {
    LAYER_NAMES("dec."),
    [MODEL_FINAL_NORM] = "dec.output_norm",
    [MODEL_O] = "dec.blk.#.attn_o",
    [MODEL_RELATIVE] = "dec.blk.#.attn_rel_b|dec.blk.0.attn_rel_b",
    [MODEL_CROSS_NORM] = "dec.blk.#.cross_attn_norm",
    [MODEL_CROSS_Q] = "dec.blk.#.cross_attn_q",
    [MODEL_CROSS_K] = "dec.blk.#.cross_attn_k",
    [MODEL_CROSS_V] = "dec.blk.#.cross_attn_v",
    [MODEL_CROSS_O] = "dec.blk.#.cross_attn_o",
};

NAMES(source) = {
    LAYER_NAMES("enc."),
    [MODEL_FINAL_NORM] = "enc.output_norm",
    [MODEL_O] = "enc.blk.#.attn_o",
    [MODEL_RELATIVE] = "enc.blk.#.attn_rel_b|enc.blk.0.attn_rel_b",
};

const char *const *model_gguf_names(const struct model_family *family, bool of_source)
{
    const bool alone = model_list_has("t5-encoder|umt5-encoder", family->name);
    return of_source || alone ? source : family->source_names != NULL ? target : plain;
}

/* model/families.c — the families, a row each. Names of tensors and of config.json as in Hugging
 * Face's transformers (models/X/modeling_X.py), architectures as in ggml-org/llama.cpp
 * (gguf-py/gguf/constants.py). */
#include "model/family.h"

#include <string.h>

#include "model/families_pair.h"

#define NAMES(name) static const char *const name[MODEL_ROLES]

/* ---- names of tensors ---------------------------------------------------------------------- */

NAMES(gpt2_names) = {
    [MODEL_EMBED] = "wte",          [MODEL_PLACES] = "wpe",
    [MODEL_FINAL_NORM] = "ln_f",    [MODEL_OUTPUT] = "lm_head",
    [MODEL_ATTN_NORM] = "h.#.ln_1", [MODEL_QKV] = "h.#.attn.c_attn",
    [MODEL_O] = "h.#.attn.c_proj",  [MODEL_MLP_NORM] = "h.#.ln_2",
    [MODEL_UP] = "h.#.mlp.c_fc",    [MODEL_DOWN] = "h.#.mlp.c_proj",
};

NAMES(neo_names) = {
    [MODEL_EMBED] = "wte",
    [MODEL_PLACES] = "wpe",
    [MODEL_FINAL_NORM] = "ln_f",
    [MODEL_OUTPUT] = "lm_head",
    [MODEL_ATTN_NORM] = "h.#.ln_1",
    [MODEL_Q] = "h.#.attn.attention.q_proj",
    [MODEL_K] = "h.#.attn.attention.k_proj",
    [MODEL_V] = "h.#.attn.attention.v_proj",
    [MODEL_O] = "h.#.attn.attention.out_proj",
    [MODEL_MLP_NORM] = "h.#.ln_2",
    [MODEL_UP] = "h.#.mlp.c_fc",
    [MODEL_DOWN] = "h.#.mlp.c_proj",
};

NAMES(neox_names) = {
    [MODEL_EMBED] = "gpt_neox.embed_in",
    [MODEL_FINAL_NORM] = "gpt_neox.final_layer_norm",
    [MODEL_OUTPUT] = "embed_out",
    [MODEL_ATTN_NORM] = "gpt_neox.layers.#.input_layernorm",
    [MODEL_QKV] = "gpt_neox.layers.#.attention.query_key_value",
    [MODEL_O] = "gpt_neox.layers.#.attention.dense",
    [MODEL_MLP_NORM] = "gpt_neox.layers.#.post_attention_layernorm",
    [MODEL_UP] = "gpt_neox.layers.#.mlp.dense_h_to_4h",
    [MODEL_DOWN] = "gpt_neox.layers.#.mlp.dense_4h_to_h",
};

NAMES(opt_names) = {
    [MODEL_EMBED] = "model.decoder.embed_tokens",
    [MODEL_PLACES] = "model.decoder.embed_positions",
    [MODEL_EMBED_IN] = "model.decoder.project_in",
    [MODEL_EMBED_OUT] = "model.decoder.project_out",
    [MODEL_FINAL_NORM] = "model.decoder.final_layer_norm",
    [MODEL_OUTPUT] = "lm_head",
    [MODEL_ATTN_NORM] = "model.decoder.layers.#.self_attn_layer_norm",
    [MODEL_Q] = "model.decoder.layers.#.self_attn.q_proj",
    [MODEL_K] = "model.decoder.layers.#.self_attn.k_proj",
    [MODEL_V] = "model.decoder.layers.#.self_attn.v_proj",
    [MODEL_O] = "model.decoder.layers.#.self_attn.out_proj",
    [MODEL_MLP_NORM] = "model.decoder.layers.#.final_layer_norm",
    [MODEL_UP] = "model.decoder.layers.#.fc1",
    [MODEL_DOWN] = "model.decoder.layers.#.fc2",
};

NAMES(phi_names) = {
    [MODEL_EMBED] = "model.embed_tokens",
    [MODEL_FINAL_NORM] = "model.final_layernorm",
    [MODEL_OUTPUT] = "lm_head",
    [MODEL_ATTN_NORM] = "model.layers.#.input_layernorm",
    [MODEL_Q] = "model.layers.#.self_attn.q_proj",
    [MODEL_K] = "model.layers.#.self_attn.k_proj",
    [MODEL_V] = "model.layers.#.self_attn.v_proj",
    [MODEL_O] = "model.layers.#.self_attn.dense",
    [MODEL_Q_NORM] = "model.layers.#.self_attn.q_layernorm", /* where qk_layernorm says so */
    [MODEL_K_NORM] = "model.layers.#.self_attn.k_layernorm",
    [MODEL_UP] = "model.layers.#.mlp.fc1",
    [MODEL_DOWN] = "model.layers.#.mlp.fc2",
};

/* The names of Llama, and of most families after it. */
#define LLAMA_ENDS                                                                                 \
    [MODEL_EMBED] = "model.embed_tokens", [MODEL_FINAL_NORM] = "model.norm",                       \
    [MODEL_OUTPUT] = "lm_head", [MODEL_O] = "model.layers.#.self_attn.o_proj"
#define LLAMA_NORMS                                                                                \
    [MODEL_ATTN_NORM] = "model.layers.#.input_layernorm",                                          \
    [MODEL_MLP_NORM] = "model.layers.#.post_attention_layernorm"
#define LLAMA_QKV                                                                                  \
    [MODEL_Q] = "model.layers.#.self_attn.q_proj", [MODEL_K] = "model.layers.#.self_attn.k_proj",  \
    [MODEL_V] = "model.layers.#.self_attn.v_proj"
#define LLAMA_MLP                                                                                  \
    [MODEL_GATE] = "model.layers.#.mlp.gate_proj", [MODEL_UP] = "model.layers.#.mlp.up_proj",      \
    [MODEL_DOWN] = "model.layers.#.mlp.down_proj"
#define QK_NORMS                                                                                   \
    [MODEL_Q_NORM] = "model.layers.#.self_attn.q_norm", [MODEL_K_NORM] =                           \
                                                            "model.layers.#.self_attn.k_norm"
#define GEMMA_NORMS                                                                                \
    [MODEL_ATTN_NORM] = "model.layers.#.input_layernorm",                                          \
    [MODEL_ATTN_POST] = "model.layers.#.post_attention_layernorm",                                 \
    [MODEL_MLP_NORM] = "model.layers.#.pre_feedforward_layernorm",                                 \
    [MODEL_MLP_POST] = "model.layers.#.post_feedforward_layernorm"

NAMES(llama_names) = {LLAMA_ENDS, LLAMA_NORMS, LLAMA_QKV, LLAMA_MLP};
NAMES(qwen3_names) = {LLAMA_ENDS, LLAMA_NORMS, LLAMA_QKV, LLAMA_MLP, QK_NORMS};
NAMES(gemma2_names) = {LLAMA_ENDS, GEMMA_NORMS, LLAMA_QKV, LLAMA_MLP};
NAMES(gemma3_names) = {LLAMA_ENDS, GEMMA_NORMS, LLAMA_QKV, LLAMA_MLP, QK_NORMS};

NAMES(phi3_names) = {
    LLAMA_ENDS,
    LLAMA_NORMS,
    [MODEL_QKV] = "model.layers.#.self_attn.qkv_proj",
    [MODEL_GATE_UP] = "model.layers.#.mlp.gate_up_proj",
    [MODEL_DOWN] = "model.layers.#.mlp.down_proj",
};

NAMES(olmo2_names) = {
    LLAMA_ENDS,
    LLAMA_QKV,
    LLAMA_MLP,
    QK_NORMS,
    [MODEL_ATTN_POST] = "model.layers.#.post_attention_layernorm",
    [MODEL_MLP_POST] = "model.layers.#.post_feedforward_layernorm",
};

NAMES(mixtral_names) = {
    LLAMA_ENDS,
    LLAMA_NORMS,
    LLAMA_QKV,
    [MODEL_ROUTER] = "model.layers.#.block_sparse_moe.gate",
    [MODEL_EXPERT_GATE] = "model.layers.#.block_sparse_moe.experts.@.w1",
    [MODEL_EXPERT_UP] = "model.layers.#.block_sparse_moe.experts.@.w3",
    [MODEL_EXPERT_DOWN] = "model.layers.#.block_sparse_moe.experts.@.w2",
};

#define EXPERTS                                                                                    \
    [MODEL_ROUTER] = "model.layers.#.mlp.gate",                                                    \
    [MODEL_EXPERT_GATE] = "model.layers.#.mlp.experts.@.gate_proj",                                \
    [MODEL_EXPERT_UP] = "model.layers.#.mlp.experts.@.up_proj",                                    \
    [MODEL_EXPERT_DOWN] = "model.layers.#.mlp.experts.@.down_proj"

NAMES(qwen3_moe_names) = {LLAMA_ENDS, LLAMA_NORMS, LLAMA_QKV, LLAMA_MLP, QK_NORMS, EXPERTS};

NAMES(gpt_oss_names) = {
    LLAMA_ENDS,
    LLAMA_NORMS,
    LLAMA_QKV,
    [MODEL_SINKS] = "model.layers.#.self_attn.sinks!",
    [MODEL_ROUTER] = "model.layers.#.mlp.router",
    [MODEL_EXPERT_GATE_UP] = "model.layers.#.mlp.experts.gate_up_proj!",
    [MODEL_EXPERT_DOWN] = "model.layers.#.mlp.experts.down_proj!",
};

NAMES(deepseek_names) = {
    LLAMA_ENDS,
    LLAMA_NORMS,
    LLAMA_MLP,
    EXPERTS,
    [MODEL_Q] = "model.layers.#.self_attn.q_proj|model.layers.#.self_attn.q_b_proj",
    [MODEL_Q_A] = "model.layers.#.self_attn.q_a_proj",
    [MODEL_Q_A_NORM] = "model.layers.#.self_attn.q_a_layernorm",
    [MODEL_KV_A] = "model.layers.#.self_attn.kv_a_proj_with_mqa",
    [MODEL_KV_A_NORM] = "model.layers.#.self_attn.kv_a_layernorm",
    [MODEL_KV_B] = "model.layers.#.self_attn.kv_b_proj",
    [MODEL_ROUTER_BIAS] = "model.layers.#.mlp.gate.e_score_correction_bias!",
    [MODEL_SHARED_GATE] = "model.layers.#.mlp.shared_experts.gate_proj",
    [MODEL_SHARED_UP] = "model.layers.#.mlp.shared_experts.up_proj",
    [MODEL_SHARED_DOWN] = "model.layers.#.mlp.shared_experts.down_proj",
};

#define BERT_LAYER                                                                                 \
    [MODEL_EMBED] = "embeddings.word_embeddings",                                                  \
    [MODEL_PLACES] = "embeddings.position_embeddings",                                             \
    [MODEL_TYPES] = "embeddings.token_type_embeddings",                                            \
    [MODEL_EMBED_NORM] = "embeddings.LayerNorm",                                                   \
    [MODEL_Q] = "encoder.layer.#.attention.self.query",                                            \
    [MODEL_K] = "encoder.layer.#.attention.self.key",                                              \
    [MODEL_V] = "encoder.layer.#.attention.self.value",                                            \
    [MODEL_O] = "encoder.layer.#.attention.output.dense",                                          \
    [MODEL_ATTN_AFTER] = "encoder.layer.#.attention.output.LayerNorm",                             \
    [MODEL_UP] = "encoder.layer.#.intermediate.dense",                                             \
    [MODEL_DOWN] = "encoder.layer.#.output.dense",                                                 \
    [MODEL_MLP_AFTER] = "encoder.layer.#.output.LayerNorm"

NAMES(bert_names) = {
    BERT_LAYER,
    [MODEL_HEAD_DENSE] = "cls.predictions.transform.dense",
    [MODEL_HEAD_NORM] = "cls.predictions.transform.LayerNorm",
    [MODEL_OUTPUT] = "cls.predictions.decoder",
    [MODEL_OUTPUT_BIAS] = "cls.predictions.bias!|cls.predictions.decoder.bias!",
};

NAMES(roberta_names) = {
    BERT_LAYER,
    [MODEL_HEAD_DENSE] = "lm_head.dense",
    [MODEL_HEAD_NORM] = "lm_head.layer_norm",
    [MODEL_OUTPUT] = "lm_head.decoder",
    [MODEL_OUTPUT_BIAS] = "lm_head.bias!|lm_head.decoder.bias!",
};

NAMES(distilbert_names) = {
    [MODEL_EMBED] = "embeddings.word_embeddings",
    [MODEL_PLACES] = "embeddings.position_embeddings",
    [MODEL_EMBED_NORM] = "embeddings.LayerNorm",
    [MODEL_Q] = "transformer.layer.#.attention.q_lin",
    [MODEL_K] = "transformer.layer.#.attention.k_lin",
    [MODEL_V] = "transformer.layer.#.attention.v_lin",
    [MODEL_O] = "transformer.layer.#.attention.out_lin",
    [MODEL_ATTN_AFTER] = "transformer.layer.#.sa_layer_norm",
    [MODEL_UP] = "transformer.layer.#.ffn.lin1",
    [MODEL_DOWN] = "transformer.layer.#.ffn.lin2",
    [MODEL_MLP_AFTER] = "transformer.layer.#.output_layer_norm",
    [MODEL_HEAD_DENSE] = "vocab_transform",
    [MODEL_HEAD_NORM] = "vocab_layer_norm",
    [MODEL_OUTPUT] = "vocab_projector",
    [MODEL_OUTPUT_BIAS] = "vocab_projector.bias!",
};

NAMES(modernbert_names) = {
    [MODEL_EMBED] = "embeddings.tok_embeddings",
    [MODEL_EMBED_NORM] = "embeddings.norm",
    [MODEL_FINAL_NORM] = "final_norm",
    [MODEL_ATTN_NORM] = "layers.#.attn_norm",
    [MODEL_QKV] = "layers.#.attn.Wqkv",
    [MODEL_O] = "layers.#.attn.Wo",
    [MODEL_MLP_NORM] = "layers.#.mlp_norm",
    [MODEL_GATE_UP] = "layers.#.mlp.Wi",
    [MODEL_DOWN] = "layers.#.mlp.Wo",
    [MODEL_HEAD_DENSE] = "head.dense",
    [MODEL_HEAD_NORM] = "head.norm",
    [MODEL_OUTPUT] = "decoder",
    [MODEL_OUTPUT_BIAS] = "decoder.bias!",
};

NAMES(modernbert_decoder_names) = {
    [MODEL_EMBED] = "embeddings.tok_embeddings",
    [MODEL_EMBED_NORM] = "embeddings.norm",
    [MODEL_FINAL_NORM] = "final_norm",
    [MODEL_ATTN_NORM] = "layers.#.attn_norm",
    [MODEL_Q] = "layers.#.attn.q_proj",
    [MODEL_K] = "layers.#.attn.k_proj",
    [MODEL_V] = "layers.#.attn.v_proj",
    [MODEL_O] = "layers.#.attn.Wo",
    [MODEL_MLP_NORM] = "layers.#.mlp_norm",
    [MODEL_GATE_UP] = "layers.#.mlp.Wi",
    [MODEL_DOWN] = "layers.#.mlp.Wo",
    [MODEL_HEAD_DENSE] = "lm_head.dense",
    [MODEL_HEAD_NORM] = "lm_head.norm",
    [MODEL_OUTPUT] = "decoder",
    [MODEL_OUTPUT_BIAS] = "decoder.bias!",
};

/* ---- keys of config.json ------------------------------------------------------------------- */

/* Before what a class calls a size stand its other names there (attribute_map), which count where
 * both are said. */
#define KEYS_GPT2                                                                                  \
    {                                                                                              \
        "num_hidden_layers|n_layer", "num_attention_heads|n_head", "hidden_size|n_embd",           \
            "n_inner", "max_position_embeddings|n_positions|n_ctx", "vocab_size",                  \
            "layer_norm_epsilon", "activation_function"                                            \
    }
#define KEYS_NEO                                                                                   \
    {                                                                                              \
        "num_hidden_layers|num_layers", "num_attention_heads|num_heads", "hidden_size",            \
            "intermediate_size", "max_position_embeddings", "vocab_size", "layer_norm_epsilon",    \
            "activation_function"                                                                  \
    }
#define KEYS(epsilon, activation)                                                                  \
    {                                                                                              \
        "num_hidden_layers", "num_attention_heads", "hidden_size", "intermediate_size",            \
            "max_position_embeddings", "vocab_size", epsilon, activation                           \
    }
#define KEYS_RMS KEYS("rms_norm_eps", "hidden_act")
#define KEYS_OPT                                                                                   \
    {                                                                                              \
        "num_hidden_layers", "num_attention_heads", "hidden_size", "ffn_dim",                      \
            "max_position_embeddings", "vocab_size", NULL, "activation_function"                   \
    }
#define KEYS_DISTILBERT                                                                            \
    {                                                                                              \
        "num_hidden_layers|n_layers", "num_attention_heads|n_heads", "hidden_size|dim",            \
            "hidden_dim", "max_position_embeddings", "vocab_size", NULL, "activation"              \
    }
#define KEYS_T5                                                                                    \
    {                                                                                              \
        "num_decoder_layers|num_hidden_layers|num_layers", "num_attention_heads|num_heads",        \
            "hidden_size|d_model", "d_ff", NULL, "vocab_size", "layer_norm_epsilon", NULL          \
    }
#define KEYS_BART                                                                                  \
    {                                                                                              \
        "decoder_layers", "decoder_attention_heads", "hidden_size|d_model", "decoder_ffn_dim",     \
            "max_position_embeddings", "vocab_size", NULL, "activation_function"                   \
    }

/* ---- the families -------------------------------------------------------------------------- */

#define BIT MODEL_ROLE_BIT
#define HEAD_BITS                                                                                  \
    (BIT(MODEL_HEAD_DENSE) | BIT(MODEL_HEAD_NORM) | BIT(MODEL_OUTPUT) | BIT(MODEL_OUTPUT_BIAS))
#define ALL_BIASES                                                                                 \
    (BIT(MODEL_QKV) | BIT(MODEL_Q) | BIT(MODEL_K) | BIT(MODEL_V) | BIT(MODEL_O) | BIT(MODEL_UP) |  \
     BIT(MODEL_DOWN))
#define EXPERT_BITS                                                                                \
    (BIT(MODEL_ROUTER) | BIT(MODEL_EXPERT_GATE) | BIT(MODEL_EXPERT_UP) | BIT(MODEL_EXPERT_DOWN))
#define LIKE_LLAMA                                                                                 \
    .keys = KEYS_RMS, .names = llama_names, .norm = MODEL_RMS_NORM, .theta = 10000,                \
    .epsilon = 1e-6, .act = "silu", .gated = true

#define LIKE_T5                                                                                    \
    .keys = KEYS_T5, .lacks = BIT(MODEL_GATE), .norm = MODEL_RMS_NORM, .epsilon = 1e-6,            \
    .no_scale = true, .tied = true

static const struct model_family families[] = {
    {.name = "gpt2",
     .title = "GPT-2",
     .types = "gpt2",
     .archs = "gpt2",
     .keys = KEYS_GPT2,
     .names = gpt2_names,
     .biases = ALL_BIASES,
     .positions = MODEL_LEARNED,
     .epsilon = 1e-5,
     .act = "gelu_new",
     .columns = true,
     .tied = true},
    {.name = "llama",
     .title = "Llama",
     .types = "llama|smollm|tinyllama",
     .archs = "llama",
     LIKE_LLAMA},
    {.name = "mistral",
     .title = "Mistral",
     .types = "mistral",
     .archs = NULL,
     LIKE_LLAMA,
     .window = 4096},
    {.name = "smollm3",
     .title = "SmolLM3",
     .types = "smollm3",
     .archs = "smollm3",
     .keys = KEYS_RMS,
     .names = llama_names,
     .norm = MODEL_RMS_NORM,
     .theta = 2000000,
     .epsilon = 1e-6,
     .act = "silu",
     .gated = true,
     .tied = true,
     .layered_window = true},
    {.name = "qwen2",
     .title = "Qwen2",
     .types = "qwen2|qwen2_vl_text|qwen2_5_vl_text",
     .archs = "qwen2",
     LIKE_LLAMA,
     .biases = BIT(MODEL_Q) | BIT(MODEL_K) | BIT(MODEL_V),
     .layered_window = true},
    {.name = "qwen3",
     .title = "Qwen3",
     .types = "qwen3|qwen3_vl_text",
     .archs = "qwen3",
     .keys = KEYS_RMS,
     .names = qwen3_names,
     .norm = MODEL_RMS_NORM,
     .theta = 10000,
     .epsilon = 1e-6,
     .act = "silu",
     .gated = true,
     .layered_window = true},
    {.name = "gemma",
     .title = "Gemma",
     .types = "gemma",
     .archs = "gemma",
     .keys = KEYS_RMS,
     .names = llama_names,
     .norm = MODEL_RMS_NORM_1,
     .theta = 10000,
     .epsilon = 1e-6,
     .act = "gelu_pytorch_tanh",
     .gated = true,
     .tanh_gelu = true,
     .scaled_embedding = true,
     .tied = true},
    {.name = "gemma2",
     .title = "Gemma 2",
     .types = "gemma2",
     .archs = "gemma2",
     .keys = KEYS("rms_norm_eps", "hidden_activation"),
     .names = gemma2_names,
     .norm = MODEL_RMS_NORM_1,
     .theta = 10000,
     .epsilon = 1e-6,
     .act = "gelu_pytorch_tanh",
     .gated = true,
     .score_cap = 50,
     .logit_cap = 30,
     .scalar = 256,
     .window = 4096,
     .scaled_embedding = true,
     .tied = true,
     .layered_window = true},
    {.name = "gemma3",
     .title = "Gemma 3",
     .types = "gemma3_text",
     .archs = "gemma3",
     .keys = KEYS("rms_norm_eps", "hidden_activation"),
     .names = gemma3_names,
     .norm = MODEL_RMS_NORM_1,
     .theta = 1000000,
     .local_theta = 10000,
     .epsilon = 1e-6,
     .act = "gelu_pytorch_tanh",
     .gated = true,
     .scalar = 256,
     .window = 4096,
     .scaled_embedding = true,
     .tied = true,
     .layered_window = true},
    {.name = "phi",
     .title = "Phi",
     .types = "phi",
     .archs = "phi2",
     .keys = KEYS("layer_norm_eps", "hidden_act"),
     .names = phi_names,
     .biases = ALL_BIASES,
     .lacks = BIT(MODEL_Q_NORM) | BIT(MODEL_K_NORM),
     .theta = 10000,
     .share = 0.5,
     .epsilon = 1e-5,
     .act = "gelu_new",
     .parallel = true},
    {.name = "phi3",
     .title = "Phi-3",
     .types = "phi3",
     .archs = "phi3",
     .keys = KEYS_RMS,
     .names = phi3_names,
     .norm = MODEL_RMS_NORM,
     .theta = 10000,
     .epsilon = 1e-5,
     .act = "silu",
     .gated = true,
     .any_share = true},
    {.name = "olmo2",
     .title = "OLMo 2",
     .types = "olmo2",
     .archs = "olmo2",
     .keys = KEYS_RMS,
     .names = olmo2_names,
     .norm = MODEL_RMS_NORM,
     .theta = 10000,
     .epsilon = 1e-5,
     .act = "silu",
     .gated = true,
     .qk_norm_whole = true},
    {.name = "neox",
     .title = "GPT-NeoX",
     .types = "gpt_neox",
     .archs = "gptneox",
     .keys = KEYS("layer_norm_eps", "hidden_act"),
     .names = neox_names,
     .biases = BIT(MODEL_UP) | BIT(MODEL_DOWN),
     .fused = MODEL_FUSED_BY_HEAD,
     .theta = 10000,
     .share = 0.25,
     .epsilon = 1e-5,
     .act = "gelu",
     .parallel = true,
     .any_share = true},
    {.name = "neo",
     .title = "GPT-Neo",
     .types = "gpt_neo",
     .keys = KEYS_NEO,
     .names = neo_names,
     .biases = BIT(MODEL_O) | BIT(MODEL_UP) | BIT(MODEL_DOWN),
     .positions = MODEL_LEARNED,
     .epsilon = 1e-5,
     .act = "gelu_new",
     .no_scale = true,
     .tied = true,
     .window = 256,
     .layered_window = true},
    {.name = "opt",
     .title = "OPT",
     .types = "opt",
     .keys = KEYS_OPT,
     .names = opt_names,
     .positions = MODEL_LEARNED,
     .first_place = 2,
     .epsilon = 1e-5,
     .act = "relu",
     .tied = true},
    {.name = "bert",
     .title = "BERT",
     .types = "bert",
     .archs = "bert",
     .keys = KEYS("layer_norm_eps", "hidden_act"),
     .names = bert_names,
     .biases = ALL_BIASES,
     .lacks = HEAD_BITS,
     .positions = MODEL_LEARNED,
     .epsilon = 1e-12,
     .act = "gelu",
     .bidirectional = true,
     .tied = true},
    {.name = "roberta",
     .title = "RoBERTa",
     .types = "roberta|xlm-roberta|camembert",
     .keys = KEYS("layer_norm_eps", "hidden_act"),
     .names = roberta_names,
     .places_within = true,
     .padding_stays = true,
     .biases = ALL_BIASES,
     .lacks = HEAD_BITS,
     .positions = MODEL_LEARNED,
     .first_place = 2,
     .epsilon = 1e-12,
     .act = "gelu",
     .head_act = "gelu",
     .bidirectional = true,
     .tied = true},
    {.name = "distilbert",
     .title = "DistilBERT",
     .types = "distilbert",
     .keys = KEYS_DISTILBERT,
     .names = distilbert_names,
     .biases = ALL_BIASES,
     .lacks = HEAD_BITS,
     .positions = MODEL_LEARNED,
     .epsilon = 1e-12,
     .act = "gelu",
     .bidirectional = true,
     .tied = true},
    {.name = "modernbert",
     .title = "ModernBERT",
     .types = "modernbert",
     .keys = KEYS("norm_eps", "hidden_activation"),
     .names = modernbert_names,
     .lacks = HEAD_BITS | BIT(MODEL_ATTN_NORM),
     .bare_norms = true,
     .theta = 160000,
     .local_theta = 10000,
     .epsilon = 1e-5,
     .act = "gelu",
     .head_act = "gelu",
     .window = 64,
     .bidirectional = true,
     .gated = true,
     .tied = true,
     .layered_window = true},
    {.name = "modernbert-decoder",
     .title = "ModernBERT decoder",
     .types = "modernbert-decoder",
     .keys = KEYS("norm_eps", "hidden_activation"),
     .names = modernbert_decoder_names,
     .lacks = HEAD_BITS | BIT(MODEL_ATTN_NORM),
     .bare_norms = true,
     .theta = 160000,
     .local_theta = 10000,
     .epsilon = 1e-5,
     .act = "gelu",
     .head_act = "gelu",
     .window = 64,
     .gated = true,
     .tied = true,
     .layered_window = true},
    {.name = "t5",
     .title = "T5",
     .types = "t5",
     .archs = "t5",
     .names = model_t5_names,
     .source_names = model_t5_source_names,
     .act = "relu",
     LIKE_T5,
     .encoder = "t5-encoder",
     .scaled_output = true},
    {.name = "mt5",
     .title = "mT5",
     .types = "mt5",
     .names = model_t5_names,
     .source_names = model_t5_source_names,
     .act = "gelu_new",
     LIKE_T5,
     .encoder = "t5-encoder",
     .gated = true},
    {.name = "umt5",
     .title = "umT5",
     .types = "umt5",
     .names = model_umt5_names,
     .source_names = model_umt5_source_names,
     .act = "gelu_new",
     LIKE_T5,
     .encoder = "umt5-encoder",
     .scaled_output = true,
     .gated = true},
    {.name = "t5-encoder",
     .title = "T5 encoder",
     .archs = "t5encoder",
     .names = model_t5_source_names,
     .act = "relu",
     LIKE_T5,
     .bidirectional = true},
    {.name = "umt5-encoder",
     .title = "umT5 encoder",
     .names = model_umt5_source_names,
     .act = "gelu_new",
     LIKE_T5,
     .bidirectional = true},
    {.name = "bart",
     .title = "BART",
     .types = "bart",
     .keys = KEYS_BART,
     .names = model_bart_names,
     .source_names = model_bart_source_names,
     .biases = ALL_BIASES,
     .lacks = BIT(MODEL_OUTPUT_BIAS),
     .positions = MODEL_LEARNED,
     .first_place = 2,
     .epsilon = 1e-5,
     .act = "gelu",
     .tied = true},
    {.name = "mbart",
     .title = "mBART",
     .types = "mbart",
     .keys = KEYS_BART,
     .names = model_mbart_names,
     .source_names = model_mbart_source_names,
     .biases = ALL_BIASES,
     .lacks = BIT(MODEL_OUTPUT_BIAS),
     .positions = MODEL_LEARNED,
     .first_place = 2,
     .epsilon = 1e-5,
     .act = "gelu",
     .tied = true},
    {.name = "marian",
     .title = "Marian",
     .types = "marian",
     .keys = KEYS_BART,
     .names = model_marian_names,
     .source_names = model_marian_source_names,
     .biases = ALL_BIASES,
     .lacks = BIT(MODEL_OUTPUT_BIAS) | BIT(MODEL_PLACES),
     .positions = MODEL_SINE_HALVES,
     .epsilon = 1e-5,
     .act = "gelu",
     .tied = true},
    {.name = "m2m",
     .title = "M2M",
     .types = "m2m_100",
     .keys = KEYS_BART,
     .names = model_m2m_names,
     .source_names = model_m2m_source_names,
     .biases = ALL_BIASES,
     .lacks = BIT(MODEL_OUTPUT_BIAS) | BIT(MODEL_PLACES),
     .positions = MODEL_SINE_M2M,
     .padding_stays = true,
     .first_place = 2,
     .epsilon = 1e-5,
     .act = "relu",
     .scaled_embedding = true,
     .tied = true},
    {.name = "mixtral",
     .title = "Mixtral",
     .types = "mixtral",
     .keys = KEYS_RMS,
     .names = mixtral_names,
     .norm = MODEL_RMS_NORM,
     .theta = 1000000,
     .epsilon = 1e-5,
     .act = "silu",
     .gated = true},
    {.name = "qwen3-moe",
     .title = "Qwen3 MoE",
     .types = "qwen3_moe",
     .archs = "qwen3moe",
     .keys = KEYS_RMS,
     .names = qwen3_moe_names,
     .norm = MODEL_RMS_NORM,
     .theta = 10000,
     .epsilon = 1e-6,
     .act = "silu",
     .gated = true},
    {.name = "gpt-oss",
     .title = "gpt-oss",
     .types = "gpt_oss",
     .archs = "gpt-oss",
     .keys = KEYS("rms_norm_eps", NULL),
     .names = gpt_oss_names,
     .norm = MODEL_RMS_NORM,
     .router = MODEL_ROUTER_SOFTMAX_CHOSEN,
     .theta = 150000,
     .epsilon = 1e-5,
     .act = "silu",
     .gated = true,
     .window = 128,
     .layered_window = true},
    {.name = "deepseek-v2",
     .title = "DeepSeek V2",
     .types = "deepseek_v2",
     .archs = "deepseek2",
     .keys = KEYS_RMS,
     .names = deepseek_names,
     .lacks = BIT(MODEL_ROUTER_BIAS),
     .norm = MODEL_RMS_NORM,
     .theta = 10000,
     .epsilon = 1e-6,
     .act = "silu",
     .gated = true,
     .neighbours = true,
     .latent = true},
    {.name = "deepseek-v3",
     .title = "DeepSeek V3",
     .types = "deepseek_v3",
     .keys = KEYS_RMS,
     .names = deepseek_names,
     .norm = MODEL_RMS_NORM,
     .router = MODEL_ROUTER_SIGMOID,
     .theta = 10000,
     .epsilon = 1e-6,
     .act = "silu",
     .gated = true,
     .neighbours = true,
     .latent = true},
};

enum { FAMILIES = sizeof families / sizeof families[0] };

bool model_role_is_head(enum model_role role)
{
    return role == MODEL_HEAD_DENSE || role == MODEL_HEAD_NORM || role == MODEL_OUTPUT ||
           role == MODEL_OUTPUT_BIAS;
}

bool model_list_has(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at != NULL && *at != '\0';) {
        const size_t item = strcspn(at, "|");
        if (item == length && memcmp(at, word, length) == 0) {
            return true;
        }
        at += item + (at[item] == '|' ? 1 : 0);
    }
    return false;
}

const struct model_family *model_family_of_name(const char *name)
{
    for (size_t f = 0; f < FAMILIES; f++) {
        if (strcmp(families[f].name, name) == 0) {
            return &families[f];
        }
    }
    return NULL;
}

const struct model_family *model_family_of_type(const char *type)
{
    for (size_t f = 0; f < FAMILIES; f++) {
        if (model_list_has(families[f].types, type)) {
            return &families[f];
        }
    }
    return NULL;
}

const struct model_family *model_family_of_arch(const char *arch)
{
    for (size_t f = 0; f < FAMILIES; f++) {
        if (model_list_has(families[f].archs, arch)) {
            return &families[f];
        }
    }
    return NULL;
}

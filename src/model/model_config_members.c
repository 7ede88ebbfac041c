/* model/model_config_members.c — the table of members (model/model_config_members.h). Read off the
 * configuration classes and the modelling code of Hugging Face's transformers, and off the keys of
 * ggml-org/llama.cpp (gguf-py/gguf/constants.py). The first row that names a member and speaks of
 * the family counts: rows of few families stand before those of all. */
#include "model/model_config_members.h"

#include <stdio.h>
#include <string.h>

#define BERTS "bert|roberta"
#define MODERN "modernbert|modernbert-decoder"
#define T5S "t5|mt5|umt5"
#define BARTS "bart|mbart|marian|m2m"
#define DEEP "deepseek-v2|deepseek-v3"
#define LLAMAS                                                                                     \
    "llama|mistral|smollm3|qwen2|qwen3|gemma|gemma2|gemma3|phi|phi3|olmo2|mixtral|qwen3-moe|"      \
    "gpt-oss"
#define ROTARY LLAMAS "|neox|" DEEP "|" MODERN

struct row {
    const char *names, *families; /* separated by '|'; families NULL: all */
    enum config_effect effect;
    const char *usual;
};

/* ---- config.json --------------------------------------------------------------------------- */

/* Beside what a family's row calls sizes, epsilon and activation (struct model_keys). */
static const struct row top_rows[] = {
    /* heads and masks */
    {"is_decoder", BERTS, CONFIG_READ, NULL},
    {"is_causal", LLAMAS "|gpt2|neox|neo|opt|modernbert-decoder|" BERTS "|" DEEP, CONFIG_READ,
     NULL},
    {"is_causal", T5S "|" BARTS, CONFIG_REFUSED, "true"},
    {"add_cross_attention", BERTS "|gpt2", CONFIG_REFUSED, "false"},
    {"is_encoder_decoder", BARTS, CONFIG_REFUSED, "true"},
    {"use_bidirectional_attention", "gemma3", CONFIG_READ, NULL},
    {"use_bidirectional_attention", "gemma|gemma2", CONFIG_REFUSED, "false"},
    {"position_embedding_type", BERTS, CONFIG_REFUSED, "absolute"},
    {"pruned_heads|per_layer_config", NULL, CONFIG_REFUSED, "empty"},
    {"tie_encoder_decoder", NULL, CONFIG_REFUSED, "false"},
    {"num_key_value_heads", LLAMAS, CONFIG_READ, NULL},
    {"head_dim", LLAMAS "|neox|" MODERN, CONFIG_READ, NULL},
    {"head_dim|num_key_value_heads|qk_head_dim", DEEP, CONFIG_NO_EFFECT, NULL},
    {"d_kv|head_dim", T5S, CONFIG_READ, NULL},
    {"scale_attn_weights|scale_attn_by_inverse_layer_idx", "gpt2", CONFIG_READ, NULL},
    {"reorder_and_upcast_attn", "gpt2", CONFIG_NO_EFFECT, NULL},
    {"attn_logit_softcapping|final_logit_softcapping|query_pre_attn_scalar", "gemma2|gemma3",
     CONFIG_READ, NULL},
    {"qk_layernorm", "phi", CONFIG_READ, NULL},
    {"kv_lora_rank|q_lora_rank|qk_nope_head_dim|qk_rope_head_dim|v_head_dim", DEEP, CONFIG_READ,
     NULL},
    {"rope_interleave", "deepseek-v3", CONFIG_REFUSED, "true"},
    /* positions */
    {"type_vocab_size", BERTS, CONFIG_READ, NULL},
    {"rope_theta", LLAMAS "|" DEEP, CONFIG_READ, NULL},
    {"rotary_emb_base|rotary_pct", "neox", CONFIG_READ, NULL},
    {"global_rope_theta|local_rope_theta", MODERN, CONFIG_READ, NULL},
    {"rope_local_base_freq", "gemma3", CONFIG_READ, NULL},
    {"partial_rotary_factor", "phi|phi3", CONFIG_READ, NULL},
    {"partial_rotary_factor", ROTARY, CONFIG_REFUSED, "1"},
    {"rope_parameters|rope_scaling|original_max_position_embeddings", ROTARY, CONFIG_READ, NULL},
    {"no_rope_layers|no_rope_layer_interval", "smollm3", CONFIG_READ, NULL},
    {"relative_attention_num_buckets|relative_attention_max_distance", T5S, CONFIG_READ, NULL},
    {"sinusoidal_pos_embds", "distilbert", CONFIG_NO_EFFECT, NULL}, /* they are in the file */
    /* windows */
    {"sliding_window",
     "mistral|smollm3|qwen2|qwen3|gemma2|gemma3|phi3|mixtral|qwen3-moe|gpt-oss|" MODERN,
     CONFIG_READ, NULL},
    {"use_sliding_window", "smollm3|qwen2|qwen3|qwen3-moe", CONFIG_READ, NULL},
    {"max_window_layers", "qwen2|qwen3", CONFIG_READ, NULL},
    {"max_window_layers", "smollm3|qwen3-moe", CONFIG_NO_EFFECT, NULL},
    {"layer_types", "smollm3|qwen2|qwen3|gemma2|gemma3|gpt-oss|" MODERN, CONFIG_READ, NULL},
    {"layer_types", "mistral", CONFIG_NO_EFFECT, NULL},
    {"sliding_window_pattern", "gemma3", CONFIG_READ, NULL},
    {"_sliding_window_pattern", "gemma3", CONFIG_NO_EFFECT, NULL},
    {"local_attention|global_attn_every_n_layers", MODERN, CONFIG_READ, NULL},
    {"window_size|attention_types|attention_layers", "neo", CONFIG_READ, NULL},
    /* norms, biases, MLPs, heads of words */
    {"attention_bias",
     "llama|smollm3|qwen3|qwen3-moe|gemma|gemma2|gemma3|olmo2|gpt-oss|neox|" DEEP "|" MODERN,
     CONFIG_READ, NULL},
    {"mlp_bias", "llama|smollm3|deepseek-v2|" MODERN, CONFIG_READ, NULL},
    {"norm_bias|decoder_bias|classifier_bias|classifier_activation", MODERN, CONFIG_READ, NULL},
    {"enable_bias", "opt", CONFIG_READ, NULL},
    {"layer_norm_elementwise_affine", "opt", CONFIG_REFUSED, "true"},
    {"use_parallel_residual", "neox", CONFIG_READ, NULL},
    {"feed_forward_proj|dense_act_fn|is_gated_act", T5S, CONFIG_READ, NULL},
    {"scale_decoder_outputs", "t5|umt5", CONFIG_READ, NULL},
    {"scale_decoder_outputs|tie_word_embeddings", "mt5", CONFIG_NO_EFFECT, NULL},
    {"tie_word_embeddings", NULL, CONFIG_READ, NULL},
    {"scale_embedding|encoder_layers|encoder_attention_heads|encoder_ffn_dim|num_hidden_layers|"
     "num_attention_heads",
     BARTS, CONFIG_READ, NULL},
    {"num_layers|num_hidden_layers", T5S, CONFIG_READ, NULL},
    {"decoder_vocab_size", "marian", CONFIG_READ, NULL},
    {"share_encoder_decoder_embeddings", "marian", CONFIG_NO_EFFECT, NULL}, /* names say it */
    {"normalize_before|add_final_layer_norm", "bart|marian", CONFIG_REFUSED, "false"},
    {"normalize_before|add_final_layer_norm", "mbart|m2m", CONFIG_REFUSED, "true"},
    {"normalize_embedding", "bart|mbart", CONFIG_REFUSED, "true"},
    {"normalize_embedding", "marian|m2m", CONFIG_REFUSED, "false"},
    {"static_position_embeddings", "bart|mbart", CONFIG_REFUSED, "false"},
    {"static_position_embeddings", "marian|m2m", CONFIG_REFUSED, "true"},
    {"hidden_activation", "gemma", CONFIG_NO_EFFECT, NULL},
    {"hidden_act", "gemma2|gemma3|gpt-oss", CONFIG_NO_EFFECT, NULL},
    /* experts */
    {"num_local_experts|num_experts", "mixtral|qwen3-moe|gpt-oss", CONFIG_READ, NULL},
    {"n_routed_experts|num_experts", "deepseek-v2", CONFIG_READ, NULL},
    {"n_routed_experts|num_local_experts", "deepseek-v3", CONFIG_READ, NULL},
    {"num_experts_per_tok", "mixtral|qwen3-moe|gpt-oss|" DEEP, CONFIG_READ, NULL},
    {"moe_intermediate_size", "qwen3-moe|" DEEP, CONFIG_READ, NULL},
    {"n_shared_experts|routed_scaling_factor|n_group|topk_group|first_k_dense_replace", DEEP,
     CONFIG_READ, NULL},
    {"norm_topk_prob", "qwen3-moe|deepseek-v3", CONFIG_READ, NULL},
    {"norm_topk_prob", "deepseek-v2", CONFIG_REFUSED, "false"},
    {"topk_method", "deepseek-v2", CONFIG_READ, NULL},
    {"topk_method", "deepseek-v3", CONFIG_REFUSED, "noaux_tc"},
    {"scoring_func", "deepseek-v2", CONFIG_REFUSED, "softmax"},
    {"scoring_func", "deepseek-v3", CONFIG_REFUSED, "sigmoid"},
    {"moe_layer_freq", DEEP, CONFIG_REFUSED, "1"},
    {"decoder_sparse_step|mlp_only_layers", "qwen3-moe", CONFIG_READ, NULL},
    {"swiglu_limit|swiglu_alpha", "gpt-oss", CONFIG_READ, NULL},
    {"experts_per_token|initial_context_length", "gpt-oss", CONFIG_NO_EFFECT, NULL},
    /* ids */
    {"eos_token_id", NULL, CONFIG_READ, NULL},
    {"pad_token_id", "roberta|" T5S "|" BARTS, CONFIG_READ, NULL},
    {"decoder_start_token_id", T5S "|" BARTS, CONFIG_READ, NULL},
    {"word_embed_proj_dim|do_layer_norm_before|_remove_final_layer_norm", "opt", CONFIG_READ, NULL},
    /* quantised weights: read where their tensors are */
    {"quantization_config|compression_config", NULL, CONFIG_READ, NULL},
    {"model_type|architectures", NULL, CONFIG_READ, NULL},
    /* what the file is, and who wrote it */
    {"attnscope|transformers_version|_name_or_path|name_or_path|_commit_hash|auto_map|"
     "custom_pipelines|"
     "tokenizer_class|finetuning_task|dtype|torch_dtype|use_bfloat16|torchscript|tf_legacy_loss|"
     "model_max_length|unk_token_id|mask_token_id|cls_token_id",
     NULL, CONFIG_NO_EFFECT, NULL},
    /* how another program computes */
    {"use_cache|output_attentions|output_hidden_states|output_router_logits|return_dict|"
     "chunk_size_feed_forward|gradient_checkpointing|attn_implementation|_attn_implementation|"
     "_attn_implementation_autoset|_attn_implementation_internal|experts_implementation|"
     "_experts_implementation|_experts_implementation_internal|_output_attentions|"
     "_flash_attn_2_enabled|pretraining_tp|"
     "ep_size|deterministic_flash_attn|reference_compile|repad_logits_with_grad|"
     "tie_last_hidden_states|cache_implementation",
     NULL, CONFIG_NO_EFFECT, NULL},
    /* training */
    {"attention_dropout|attention_probs_dropout_prob|hidden_dropout|hidden_dropout_prob|dropout|"
     "dropout_rate|activation_dropout|attn_pdrop|embd_pdrop|resid_pdrop|resid_dropout|embed_"
     "dropout|"
     "embedding_dropout|mlp_dropout|qa_dropout|seq_classif_dropout|classif_dropout|"
     "classifier_dropout|classifier_dropout_prob|summary_first_dropout|summary_last_dropout|"
     "encoder_layerdrop|decoder_layerdrop|layerdrop|initializer_range|initializer_factor|init_std|"
     "initializer_cutoff_factor|embedding_initializer_range|router_aux_loss_coef|"
     "router_jitter_noise|aux_loss_alpha|seq_aux|num_mtp_layers|num_nextn_predict_layers|"
     "sparse_prediction|sparse_pred_ignore_index|gradient_checkpointing_kwargs",
     NULL, CONFIG_NO_EFFECT, NULL},
    /* heads of labels and pools */
    {"id2label|label2id|num_labels|_num_labels|problem_type|classifier_pooling|summary_type|"
     "summary_use_proj|"
     "summary_activation|summary_proj_to_labels|pooler_fc_size|pooler_num_attention_heads|"
     "pooler_num_fc_layers|pooler_size_per_head|pooler_type|directionality|classifier_bias|"
     "classifier_activation|cross_attention_hidden_size",
     NULL, CONFIG_NO_EFFECT, NULL},
    /* generation */
    {"task_specific_params|prefix|max_length|min_length|max_new_tokens|min_new_tokens|do_sample|"
     "early_stopping|num_beams|num_beam_groups|diversity_penalty|temperature|top_k|top_p|typical_p|"
     "min_p|epsilon_cutoff|eta_cutoff|repetition_penalty|length_penalty|no_repeat_ngram_size|"
     "encoder_no_repeat_ngram_size|bad_words_ids|num_return_sequences|output_scores|"
     "return_dict_in_generate|forced_bos_token_id|forced_eos_token_id|remove_invalid_values|"
     "exponential_decay_length_penalty|suppress_tokens|begin_suppress_tokens|bos_token_id|"
     "sep_token_id|pad_token_id|decoder_start_token_id|force_bos_token_to_be_generated|"
     "add_bias_logits|extra_pos_embeddings|save_step|n_special|predict_special_tokens",
     NULL, CONFIG_NO_EFFECT, NULL},
    /* which some families read, and these do not */
    {"is_decoder|is_encoder_decoder|add_cross_attention|position_embedding_type", NULL,
     CONFIG_NO_EFFECT, NULL},
    {"n_positions|output_past|num_hidden_layers", T5S "|" BARTS, CONFIG_NO_EFFECT, NULL},
    {"n_ctx|output_past", NULL, CONFIG_NO_EFFECT, NULL},
    {"rope_interleaved|is_llama_config", "llama", CONFIG_NO_EFFECT, NULL},
    /* of the part that sees, where the sizes of the text stand beside it */
    {"vision_config|image_token_id|video_token_id|vision_token_id|vision_start_token_id|"
     "vision_end_token_id",
     "qwen2", CONFIG_NO_EFFECT, NULL},
};

/* ---- rotary positions ---------------------------------------------------------------------- */

static const struct row rotary_rows[] = {
    {"rope_type|type|rope_theta|factor|attention_factor|beta_fast|beta_slow|mscale|mscale_all_dim|"
     "truncate|low_freq_factor|high_freq_factor|short_factor|long_factor|"
     "original_max_position_embeddings|full_attention|sliding_attention",
     NULL, CONFIG_READ, NULL},
    {"partial_rotary_factor", "phi|phi3|neox", CONFIG_READ, NULL},
    {"partial_rotary_factor", NULL, CONFIG_REFUSED, "1"},
    /* Of words alone: the three places of a word are the same. */
    {"mrope_section|mrope_interleaved", NULL, CONFIG_NO_EFFECT, NULL},
    {"finetuned|short_mscale|long_mscale", NULL, CONFIG_NO_EFFECT, NULL},
};

/* ---- GGUF ---------------------------------------------------------------------------------- */

static const struct row gguf_rows[] = {
    {"block_count|context_length|embedding_length|feed_forward_length|use_parallel_residual|"
     "attn_logit_softcapping|final_logit_softcapping|attention.head_count|attention.head_count_kv|"
     "attention.key_length|attention.value_length|attention.layer_norm_epsilon|"
     "attention.layer_norm_rms_epsilon",
     NULL, CONFIG_READ, NULL},
    {"attention.causal", T5S, CONFIG_NO_EFFECT, NULL},
    {"attention.causal", "gemma2|gemma3|gpt-oss|phi3", CONFIG_REFUSED, "true"},
    {"attention.causal", NULL, CONFIG_READ, NULL},
    {"attention.key_length_mla|attention.value_length_mla|attention.kv_lora_rank|"
     "attention.q_lora_rank",
     DEEP, CONFIG_READ, NULL},
    {"rope.dimension_count|rope.freq_base|rope.scale_linear|rope.scaling.type|rope.scaling.factor|"
     "rope.scaling.attn_factor|rope.scaling.original_context_length|"
     "rope.scaling.yarn_log_multiplier|rope.scaling.yarn_beta_fast|rope.scaling.yarn_beta_slow",
     ROTARY, CONFIG_READ, NULL},
    {"rope.freq_base_swa", "gemma3", CONFIG_READ, NULL},
    {"attention.sliding_window", "gemma2|gemma3|gpt-oss|phi3", CONFIG_READ, NULL},
    {"attention.sliding_window_pattern", "gemma2|gemma3|gpt-oss", CONFIG_READ, NULL},
    {"expert_gating_func", "mixtral|qwen3-moe|deepseek-v2", CONFIG_REFUSED, "1|0"},
    {"expert_gating_func", "deepseek-v3", CONFIG_REFUSED, "2"},
    {"expert_gating_func", "gpt-oss", CONFIG_REFUSED, "3|0"},
    {"leading_dense_block_count|expert_count|expert_used_count|expert_feed_forward_length|"
     "expert_shared_count|expert_group_count|expert_group_used_count|expert_weights_scale|"
     "expert_weights_norm",
     "mixtral|qwen3-moe|gpt-oss|" DEEP, CONFIG_READ, NULL},
    {"expert_count|expert_used_count", NULL, CONFIG_REFUSED, "0"},
    {"decoder_block_count|decoder_start_token_id", T5S, CONFIG_READ, NULL},
    {"attention.relative_buckets_count", T5S "|t5-encoder|umt5-encoder", CONFIG_READ, NULL},
    /* Keys that no architecture computed here has. */
    {"attention.clamp_kqv|attention.max_alibi_bias|attention.scale|attention.temperature_scale|"
     "attention.temperature_length|attention.shared_kv_layers|attention.value_residual_mix_lora_"
     "rank|"
     "attention.indexer.head_count|attention.indexer.top_k|rope.scaling.alpha|"
     "router_logit_softcapping|interleave_moe_layer_step|moe_every_n_layers|moe_latent_size|"
     "full_attention_interval|embedding_length_per_layer_input|activation_sparsity_scale",
     NULL, CONFIG_REFUSED, "0"},
    {"logit_scale|embedding_scale|residual_scale|attention.output_scale|"
     "rope.scaling.yarn_ext_factor|rope.scaling.yarn_attn_factor|expert_group_scale",
     NULL, CONFIG_REFUSED, "1|0"},
    {"swin_norm", NULL, CONFIG_REFUSED, "false"},
    {"vocab_size|pooling_type|tensor_data_layout|rope.dimension_sections|rope.scaling.finetuned|"
     "nextn_predict_layers|attention.group_norm_epsilon|attention.group_norm_groups|"
     "attention.sliding_window|attention.relative_buckets_count|n_deepstack_layers",
     NULL, CONFIG_NO_EFFECT, NULL},
};

/* ---- search -------------------------------------------------------------------------------- */

static const struct {
    const struct row *rows;
    size_t count;
} tables[] = {
    [CONFIG_TOP] = {top_rows, sizeof top_rows / sizeof *top_rows},
    [CONFIG_ROTARY] = {rotary_rows, sizeof rotary_rows / sizeof *rotary_rows},
    [CONFIG_GGUF] = {gguf_rows, sizeof gguf_rows / sizeof *gguf_rows},
};

enum { KEYS = sizeof(struct model_keys) / sizeof(const char *) };

/* One of the names by which a family's row calls its sizes; NULL: it has none of that number. */
static const char *key_of(const struct model_family *family, size_t key)
{
    const struct model_keys *const keys = &family->keys;
    const char *const names[KEYS] = {keys->layers,  keys->heads,     keys->width,
                                     keys->inner,   keys->positions, keys->vocabulary,
                                     keys->epsilon, keys->activation};
    return names[key];
}

static bool speaks_of(const struct row *row, const struct model_family *family)
{
    return row->families == NULL || model_list_has(row->families, family->name);
}

enum config_effect config_effect_of(const struct model_family *family, enum config_place place,
                                    const char *name, const char **usual)
{
    for (size_t k = 0; place == CONFIG_TOP && k < KEYS; k++) {
        if (model_list_has(key_of(family, k), name)) {
            return CONFIG_READ;
        }
    }
    for (size_t r = 0; r < tables[place].count; r++) {
        const struct row *const row = &tables[place].rows[r];
        if (speaks_of(row, family) && model_list_has(row->names, name)) {
            *usual = row->usual;
            return row->effect;
        }
    }
    return CONFIG_UNKNOWN;
}

/* The name of that index among those of a list; false: *index is less by how many it has. */
static bool name_of_list(const char *list, size_t *index, char name[CONFIG_NAME_MAX])
{
    for (const char *at = list; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "|");
        if (*index == 0) {
            snprintf(name, CONFIG_NAME_MAX, "%.*s", (int)length, at);
            return true;
        }
        (*index)--;
        at += length + (at[length] == '|' ? 1 : 0);
    }
    return false;
}

const char *config_name_at(const struct model_family *family, enum config_place place, size_t index,
                           char name[CONFIG_NAME_MAX])
{
    for (size_t k = 0; place == CONFIG_TOP && k < KEYS; k++) {
        if (name_of_list(key_of(family, k), &index, name)) {
            return name;
        }
    }
    for (size_t r = 0; r < tables[place].count; r++) {
        const struct row *const row = &tables[place].rows[r];
        if (speaks_of(row, family) && name_of_list(row->names, &index, name)) {
            return name;
        }
    }
    return NULL;
}

/* ---- values -------------------------------------------------------------------------------- */

enum { VALUE_SHOWN = 40 };

/* A value as a row, or a sentence, may name it. */
static const char *value_text(const struct json *value, char text[VALUE_SHOWN])
{
    const char *words = NULL;
    double number = 0;
    bool truth = false;
    if (json_text(value, &words)) {
        snprintf(text, VALUE_SHOWN, "%.30s", words);
    } else if (json_number(value, &number)) {
        snprintf(text, VALUE_SHOWN, "%.9g", number);
    } else if (json_truth(value, &truth)) {
        snprintf(text, VALUE_SHOWN, "%s", truth ? "true" : "false");
    } else {
        snprintf(text, VALUE_SHOWN, "%s", json_count(value) == 0 ? "empty" : "not empty");
    }
    return text;
}

static bool refuse_value(const char *file, const char *name, const char *value, const char *usual,
                         struct error *error)
{
    char words[VALUE_SHOWN] = "";
    const size_t first = strcspn(usual, "|");
    snprintf(words, sizeof words, "%.*s", (int)first, usual);
    return error_set(
        error, ERROR_INPUT,
        "%.60s: %.48s is %.40s, which is not computed; models where it is %.20s can be "
        "opened.",
        file, name, value, words);
}

/* A name more that is on no list, as long as there is room; all are counted. */
static void add_ignored(struct model_config *out, const char *before, const char *name)
{
    char *const at = out->ignored + out->ignored_length;
    const size_t room = sizeof out->ignored - out->ignored_length;
    const int length = snprintf(at, room, "%s%s", before, name);
    out->ignored_count++;
    if (length > 0 && (size_t)length + 1 < room && out->ignored_listed + 1 == out->ignored_count) {
        out->ignored_length += (size_t)length + 1;
        out->ignored_listed++;
    }
}

static bool check_member(const char *before, enum config_place place, const char *name,
                         const struct json *value, struct model_config *out, struct error *error)
{
    const char *usual = NULL;
    char text[VALUE_SHOWN], whole[2 * CONFIG_NAME_MAX];
    const enum config_effect effect = config_effect_of(out->family, place, name, &usual);
    if (effect == CONFIG_UNKNOWN) {
        add_ignored(out, before, name);
    }
    if (effect != CONFIG_REFUSED || json_kind_of(value) == JSON_KIND_NULL ||
        model_list_has(usual, value_text(value, text))) {
        return true;
    }
    snprintf(whole, sizeof whole, "%.60s%.60s", before, name);
    return refuse_value("config.json", whole, text, usual, error);
}

/* Of rope_parameters, which may hold a row for each kind of layer. */
static bool check_rotary(const char *before, const struct json *row, struct model_config *out,
                         struct error *error)
{
    void *place = NULL;
    const char *name = NULL;
    for (const struct json *value; (value = json_next_member(row, &place, &name)) != NULL;) {
        char whole[2 * CONFIG_NAME_MAX];
        snprintf(whole, sizeof whole, "%.60s%.60s.", before, name);
        if (!check_member(before, CONFIG_ROTARY, name, value, out, error) ||
            (json_kind_of(value) == JSON_KIND_OBJECT && strlen(before) < CONFIG_NAME_MAX / 2 &&
             !check_rotary(whole, value, out, error))) {
            return false;
        }
    }
    return true;
}

bool config_check_members(const struct json *config, struct model_config *out, struct error *error)
{
    void *place = NULL;
    const char *name = NULL, *usual = NULL;
    for (const struct json *value; (value = json_next_member(config, &place, &name)) != NULL;) {
        const bool rotary =
            strcmp(name, "rope_parameters") == 0 || strcmp(name, "rope_scaling") == 0;
        char before[CONFIG_NAME_MAX];
        snprintf(before, sizeof before, "%.30s.", name);
        if (!check_member("", CONFIG_TOP, name, value, out, error) ||
            (rotary && config_effect_of(out->family, CONFIG_TOP, name, &usual) == CONFIG_READ &&
             !check_rotary(before, value, out, error))) {
            return false;
        }
    }
    return true;
}

bool config_check_key(const char *name, const char *text, const char *file,
                      struct model_config *out, struct error *error)
{
    const char *usual = NULL;
    const enum config_effect effect = config_effect_of(out->family, CONFIG_GGUF, name, &usual);
    if (effect == CONFIG_UNKNOWN) {
        add_ignored(out, "", name);
    }
    return effect != CONFIG_REFUSED || model_list_has(usual, text) ||
           refuse_value(file, name, text, usual, error);
}

const char *model_config_ignored_at(const struct model_config *config, size_t index)
{
    const char *name = config->ignored;
    for (size_t i = 0; i < index && i < config->ignored_listed; i++) {
        name += strlen(name) + 1;
    }
    return index < config->ignored_listed ? name : NULL;
}

const char *model_config_ignored(const struct model_config *config, struct arena *arena)
{
    const char *text = "", *name = NULL;
    for (size_t i = 0; (name = model_config_ignored_at(config, i)) != NULL && text != NULL; i++) {
        text = arena_format(arena, "%s%s%s", text, i == 0 ? "" : ", ", name);
    }
    const size_t more = config->ignored_count - config->ignored_listed;
    return more == 0 || text == NULL ? text : arena_format(arena, "%s … (%zu more)", text, more);
}

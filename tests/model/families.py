#!/usr/bin/env python3
"""Random small models of every family that can be opened, as transformers saves them.

    families.py check PROGRAM [NAME...]   compares what PROGRAM computes with float32 eager attention
                                          of transformers: α, residual, logits; models stored as
                                          float32, float16 and bfloat16; 1, 9 and 33 tokens
    families.py measure PROGRAM [NAME...] the same of three sizes and 30 texts each: a line of the
                                          largest differences for each family
    families.py gguf PROGRAM [NAME...]    the same of these models as GGUF, which the gguf library
                                          writes: as float32, and in blocks of few bits beside
                                          transformers on the weights as that library unpacks them
    families.py make FOLDER [NAME...]     writes a model of a few kB each, with what is expected of
                                          it (expected.npz, computed in float64)

Exits with 77, skipped, where this Python has no transformers.
"""
import dataclasses
import json
import os
import subprocess
import sys
import tempfile

sys.path.pop(0)  # a script beside this one is called as a library is
try:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import numpy as np
    import torch
    import transformers as t
except ImportError as reason:
    print(reason)
    sys.exit(77)

t.logging.set_verbosity_error()
t.logging.disable_progress_bar()

ALSO_GGUF = ("llama3", "gemma", "qwen3", "phi3", "olmo2", "mixtral", "gpt-oss", "deepseek-v3",
             "deepseek-v2-split",
             "neox-serial", "t5")
# Of fixtures: others show the same.
LEFT_OUT = ("gpt2", "-plain", "-linear", "-even", "-older", "opt-narrow", "neox-bare", "opt-bare",
            "camembert-decoder", "xlm-roberta-decoder", "t5-head", "flan-t5-tied",
            "mt5-apart", "smollm3-window", "mt5-encoder", "umt5-encoder", "qwen2-window",
            "qwen3-moe-window", "m2m-usual", "bert-usual")
LIMIT = 1e-5  # relative to the largest number of an array, at least 1
VOCABULARY = 59

PLAIN = dict(vocab_size=VOCABULARY, hidden_size=16, intermediate_size=24, num_hidden_layers=2,
             num_attention_heads=4, max_position_embeddings=64, pad_token_id=0, bos_token_id=1,
             eos_token_id=2)
GROUPED = dict(PLAIN, num_key_value_heads=2)
# Of families with words of their own for it.
SIDE = dict(width=16, heads=4, inner=24)
# BART's words for the same.
PAIR = dict(vocab_size=VOCABULARY, d_model=16, encoder_layers=2, decoder_layers=2,
            encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=24,
            decoder_ffn_dim=20, max_position_embeddings=64, pad_token_id=1, bos_token_id=0,
            eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=None)
LLAMA3 = {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0,
          "high_freq_factor": 4.0, "original_max_position_embeddings": 16}
YARN = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "beta_fast": 32.0,
        "beta_slow": 1.0, "original_max_position_embeddings": 16}
DEEP = dict(GROUPED, num_key_value_heads=4, kv_lora_rank=8, qk_rope_head_dim=4, qk_nope_head_dim=6,
            v_head_dim=5, head_dim=4, moe_intermediate_size=12, n_routed_experts=4,
            num_experts_per_tok=2, n_shared_experts=2, first_k_dense_replace=1, num_hidden_layers=3)

ROBERTA = dict(PLAIN, pad_token_id=1, max_position_embeddings=66)


def t5():
    """T5's words."""
    return dict(vocab_size=VOCABULARY, d_model=PLAIN["hidden_size"], d_kv=6,
                d_ff=PLAIN["intermediate_size"], num_layers=2, num_decoder_layers=2,
                num_heads=PLAIN["num_attention_heads"], pad_token_id=0, eos_token_id=1,
                decoder_start_token_id=0)


def odd():
    return dict(hidden_size=12 * PLAIN["num_attention_heads"])


# Name: configuration, class of the model.
FAMILIES = {
    "gpt2": (lambda: t.GPT2Config(vocab_size=VOCABULARY, n_embd=SIDE["width"], n_layer=2,
                                  n_head=SIDE["heads"], n_positions=64), t.GPT2LMHeadModel),
    "llama2": (lambda: t.LlamaConfig(**dict(PLAIN, rms_norm_eps=1e-5,
                                            tie_word_embeddings=False)), t.LlamaForCausalLM),
    "llama3": (lambda: t.LlamaConfig(**GROUPED, rope_parameters=LLAMA3, rms_norm_eps=1e-5,
                                     tie_word_embeddings=True), t.LlamaForCausalLM),
    "llama-linear": (lambda: t.LlamaConfig(**GROUPED, head_dim=6, attention_bias=True, mlp_bias=True,
                                           rope_parameters={"rope_type": "linear", "factor": 2.0,
                                                            "rope_theta": 10000.0}),
                     t.LlamaForCausalLM),
    "llama-yarn": (lambda: t.LlamaConfig(**GROUPED, rope_parameters=YARN), t.LlamaForCausalLM),
    "llama-dynamic": (lambda: t.LlamaConfig(
        **dict(GROUPED, max_position_embeddings=4),
        rope_parameters={"rope_type": "dynamic", "factor": 16.0, "rope_theta": 10000.0}),
        t.LlamaForCausalLM),
    # Members of other families, which this one does not read.
    "llama-others": (lambda: t.LlamaConfig(
        **GROUPED, sliding_window=2, use_sliding_window=True, attn_logit_softcapping=1.0,
        final_logit_softcapping=1.0, query_pre_attn_scalar=99.0, qk_layernorm=True,
        scale_embedding=True, scale_attn_weights=False, is_decoder=False, d_kv=3,
        layer_types=["sliding_attention"] * 2, type_vocab_size=7, local_attention=2,
        feed_forward_proj="relu", num_experts=3, use_bidirectional_attention=True,
        rotary_pct=0.5, no_rope_layers=[0, 0]), t.LlamaForCausalLM),
    "qwen2-both": (lambda: t.Qwen2Config(**GROUPED, is_causal=False), t.Qwen2ForCausalLM),
    "qwen2-window": (lambda: t.Qwen2Config(**GROUPED, use_sliding_window=True, sliding_window=5,
                                           max_window_layers=1), t.Qwen2ForCausalLM),
    "qwen3-moe-window": (lambda: t.Qwen3MoeConfig(
        **GROUPED, head_dim=8, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=12,
        use_sliding_window=True, sliding_window=5), t.Qwen3MoeForCausalLM),
    "smollm3-window": (lambda: t.SmolLM3Config(
        **dict(GROUPED, num_hidden_layers=4), use_sliding_window=True, sliding_window=3),
        t.SmolLM3ForCausalLM),
    "gemma-gelu": (lambda: t.GemmaConfig(**GROUPED, head_dim=8, hidden_act="gelu"),
                   t.GemmaForCausalLM),
    "gemma3-both": (lambda: t.Gemma3TextConfig(
        **dict(GROUPED, num_hidden_layers=2), head_dim=8, sliding_window=6,
        query_pre_attn_scalar=6, use_bidirectional_attention=True,
        layer_types=["sliding_attention", "full_attention"]), t.Gemma3ForCausalLM),
    "gpt-oss-usual": (lambda: t.GptOssConfig(**dict(GROUPED, num_hidden_layers=1), head_dim=8,
                                             num_local_experts=4, num_experts_per_tok=2),
                      t.GptOssForCausalLM),
    # A quarter of a head of 12 is three numbers, which turn as two pairs.
    "neox-odd": (lambda: t.GPTNeoXConfig(**dict(PLAIN, **odd()), rotary_pct=0.25),
                 t.GPTNeoXForCausalLM),
    "phi3-odd": (lambda: t.Phi3Config(**dict(GROUPED, **odd()), rope_parameters={
        "rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25}),
        t.Phi3ForCausalLM),
    # Biases that a file has and its configuration does not want.
    "llama-bare": (lambda: t.LlamaConfig(**GROUPED, attention_bias=True, mlp_bias=True),
                   t.LlamaForCausalLM),
    "neox-bare": (lambda: t.GPTNeoXConfig(**PLAIN), t.GPTNeoXForCausalLM),
    "opt-bare": (lambda: t.OPTConfig(vocab_size=VOCABULARY, hidden_size=SIDE["width"],
                                     ffn_dim=SIDE["inner"], num_hidden_layers=2,
                                     num_attention_heads=SIDE["heads"],
                                     word_embed_proj_dim=SIDE["width"],
                                     max_position_embeddings=64), t.OPTForCausalLM),
    # As files say it that transformers 4 wrote.
    "llama3-older": (lambda: t.LlamaConfig(**GROUPED), t.LlamaForCausalLM),
    "qwen2-older": (lambda: t.Qwen2Config(**GROUPED), t.Qwen2ForCausalLM),
    "gemma3-older": (lambda: t.Gemma3TextConfig(**dict(GROUPED, num_hidden_layers=3), head_dim=8),
                     t.Gemma3ForCausalLM),
    "modernbert-older": (lambda: t.ModernBertConfig(
        **dict(PLAIN, num_hidden_layers=4), cls_token_id=1, sep_token_id=2), t.ModernBertForMaskedLM),
    "neox-older": (lambda: t.GPTNeoXConfig(**PLAIN), t.GPTNeoXForCausalLM),
    "phi-older": (lambda: t.PhiConfig(**dict(PLAIN, hidden_size=8 * PLAIN["num_attention_heads"])),
                  t.PhiForCausalLM),
    "phi3-older": (lambda: t.Phi3Config(**dict(GROUPED, hidden_size=8 * GROUPED["num_attention_heads"])),
                   t.Phi3ForCausalLM),
    "gpt2-older": (lambda: t.GPT2Config(vocab_size=VOCABULARY, n_embd=SIDE["width"], n_layer=2,
                                        n_head=SIDE["heads"], n_positions=64), t.GPT2LMHeadModel),
    "mistral": (lambda: t.MistralConfig(**GROUPED, head_dim=4, sliding_window=5),
                t.MistralForCausalLM),
    "smollm3": (lambda: t.SmolLM3Config(**dict(GROUPED, num_hidden_layers=4)),
                t.SmolLM3ForCausalLM),
    "qwen2": (lambda: t.Qwen2Config(**GROUPED, tie_word_embeddings=True), t.Qwen2ForCausalLM),
    "qwen3": (lambda: t.Qwen3Config(**GROUPED, head_dim=8), t.Qwen3ForCausalLM),
    "gemma": (lambda: t.GemmaConfig(**GROUPED, head_dim=8), t.GemmaForCausalLM),
    "gemma2": (lambda: t.Gemma2Config(**GROUPED, head_dim=8, sliding_window=5,
                                      query_pre_attn_scalar=6), t.Gemma2ForCausalLM),
    "gemma3": (lambda: t.Gemma3TextConfig(**dict(GROUPED, num_hidden_layers=6), head_dim=8,
                                          sliding_window=5, query_pre_attn_scalar=6),
               t.Gemma3ForCausalLM),
    "gemma2-usual": (lambda: t.Gemma2Config(**GROUPED, head_dim=8), t.Gemma2ForCausalLM),
    "phi": (lambda: t.PhiConfig(**PLAIN, partial_rotary_factor=0.5), t.PhiForCausalLM),
    "phi-normed": (lambda: t.PhiConfig(**PLAIN, partial_rotary_factor=0.5, qk_layernorm=True),
                   t.PhiForCausalLM),
    "phi3": (lambda: t.Phi3Config(**dict(GROUPED, hidden_size=8 * GROUPED["num_attention_heads"]), rope_parameters={
        "rope_type": "longrope", "rope_theta": 10000.0, "short_factor": [1.0, 1.1, 1.3, 1.7],
        "long_factor": [1.0, 2.0, 3.0, 5.0], "original_max_position_embeddings": 16,
        "partial_rotary_factor": 1.0}, original_max_position_embeddings=16), t.Phi3ForCausalLM),
    "phi3-plain": (lambda: t.Phi3Config(**GROUPED, sliding_window=5), t.Phi3ForCausalLM),
    "olmo2": (lambda: t.Olmo2Config(**GROUPED), t.Olmo2ForCausalLM),
    "neox": (lambda: t.GPTNeoXConfig(**PLAIN, rotary_pct=0.5), t.GPTNeoXForCausalLM),
    "neox-serial": (lambda: t.GPTNeoXConfig(**PLAIN, rotary_pct=1.0,
                                            use_parallel_residual=False),
                    t.GPTNeoXForCausalLM),
    "neo": (lambda: t.GPTNeoConfig(vocab_size=VOCABULARY, hidden_size=SIDE["width"], num_layers=2,
                                   num_heads=SIDE["heads"],
                                   attention_types=[[["global", "local"], 1]], window_size=5,
                                   max_position_embeddings=64, bos_token_id=1, eos_token_id=2),
            t.GPTNeoForCausalLM),
    "opt": (lambda: t.OPTConfig(vocab_size=VOCABULARY, hidden_size=SIDE["width"],
                                ffn_dim=SIDE["inner"], num_hidden_layers=2,
                                num_attention_heads=SIDE["heads"],
                                word_embed_proj_dim=SIDE["width"],
                                max_position_embeddings=64), t.OPTForCausalLM),
    "opt-behind": (lambda: t.OPTConfig(vocab_size=VOCABULARY, hidden_size=SIDE["width"],
                                       ffn_dim=SIDE["inner"], num_hidden_layers=2,
                                       num_attention_heads=SIDE["heads"],
                                       word_embed_proj_dim=SIDE["width"] // 2,
                                       do_layer_norm_before=False,
                                       max_position_embeddings=64), t.OPTForCausalLM),
    "opt-narrow": (lambda: t.OPTConfig(vocab_size=VOCABULARY, hidden_size=SIDE["width"],
                                       ffn_dim=SIDE["inner"], num_hidden_layers=2,
                                       num_attention_heads=SIDE["heads"],
                                       word_embed_proj_dim=SIDE["width"] // 4,
                                       _remove_final_layer_norm=True,
                                       max_position_embeddings=64), t.OPTForCausalLM),
    "bert": (lambda: t.BertConfig(**PLAIN), t.BertForMaskedLM),
    "bert-decoder": (lambda: t.BertConfig(**PLAIN, is_decoder=True), t.BertLMHeadModel),
    "roberta-decoder": (lambda: t.RobertaConfig(**ROBERTA, is_decoder=True), t.RobertaForCausalLM),
    "xlm-roberta-decoder": (lambda: t.XLMRobertaConfig(**ROBERTA, is_decoder=True),
                            t.XLMRobertaForCausalLM),
    "camembert-decoder": (lambda: t.CamembertConfig(**ROBERTA, is_decoder=True),
                          t.CamembertForCausalLM),
    "roberta-silu": (lambda: t.RobertaConfig(**ROBERTA, hidden_act="silu"), t.RobertaForMaskedLM),
    "roberta": (lambda: t.RobertaConfig(**dict(PLAIN, pad_token_id=1, max_position_embeddings=66),
                                        type_vocab_size=1), t.RobertaForMaskedLM),
    "distilbert": (lambda: t.DistilBertConfig(vocab_size=VOCABULARY, dim=SIDE["width"],
                                              hidden_dim=SIDE["inner"], n_layers=2,
                                              n_heads=SIDE["heads"], max_position_embeddings=64),
                   t.DistilBertForMaskedLM),
    "distilbert-decoder": (lambda: t.DistilBertConfig(  # which nobody reads
        **PLAIN, hidden_dim=PLAIN["intermediate_size"], is_decoder=True, sliding_window=3),
        t.DistilBertForMaskedLM),
    "modernbert-biased": (lambda: t.ModernBertConfig(
        **dict(PLAIN, num_hidden_layers=2), local_attention=8, cls_token_id=1, sep_token_id=2,
        attention_bias=True, mlp_bias=True, norm_bias=True, classifier_bias=True,
        decoder_bias=False, classifier_activation="relu", hidden_activation="silu",
        layer_types=["sliding_attention", "full_attention"]), t.ModernBertForMaskedLM),
    "modernbert-decoder": (lambda: t.ModernBertDecoderConfig(
        **dict(PLAIN, num_hidden_layers=4), local_attention=8, cls_token_id=1, sep_token_id=2),
        t.ModernBertDecoderForCausalLM),
    "modernbert": (lambda: t.ModernBertConfig(**dict(PLAIN, num_hidden_layers=4), local_attention=8,
                                              cls_token_id=1, sep_token_id=2,
                                              reference_compile=False), t.ModernBertForMaskedLM),
    "t5": (lambda: t.T5Config(vocab_size=VOCABULARY, d_model=SIDE["width"], d_kv=6,
                              d_ff=SIDE["inner"], num_layers=2, num_heads=SIDE["heads"],
                              pad_token_id=0, eos_token_id=1, decoder_start_token_id=0), t.T5ForConditionalGeneration),
    "flan-t5": (lambda: t.T5Config(vocab_size=VOCABULARY, d_model=SIDE["width"], d_kv=6,
                                   d_ff=SIDE["inner"], num_layers=2, num_decoder_layers=3,
                                   num_heads=SIDE["heads"],
                                   feed_forward_proj="gated-gelu", tie_word_embeddings=False,
                                   decoder_start_token_id=0), t.T5ForConditionalGeneration),
    "t5-gelu": (lambda: t.T5Config(**t5(), feed_forward_proj="gelu"),
                t.T5ForConditionalGeneration),
    "t5-head": (lambda: t.T5Config(**t5()), t.T5ForConditionalGeneration),
    "flan-t5-tied": (lambda: t.T5Config(**t5(), feed_forward_proj="gated-gelu"),
                     t.T5ForConditionalGeneration),
    "mt5": (lambda: t.MT5Config(**t5()), t.MT5ForConditionalGeneration),
    "mt5-apart": (lambda: t.MT5Config(**t5()), t.MT5ForConditionalGeneration),
    "umt5": (lambda: t.UMT5Config(**t5()), t.UMT5ForConditionalGeneration),
    "t5-encoder": (lambda: t.T5Config(**dict(t5(), num_decoder_layers=1)), t.T5EncoderModel),
    "mt5-encoder": (lambda: t.MT5Config(**t5()), t.MT5EncoderModel),
    "umt5-encoder": (lambda: t.UMT5Config(**t5()), t.UMT5EncoderModel),
    "bart": (lambda: t.BartConfig(**PAIR, activation_function="gelu"),
             t.BartForConditionalGeneration),
    "mbart": (lambda: t.MBartConfig(**PAIR, scale_embedding=True), t.MBartForConditionalGeneration),
    "marian": (lambda: t.MarianConfig(**PAIR, scale_embedding=True, activation_function="swish",
                                      share_encoder_decoder_embeddings=True), t.MarianMTModel),
    "marian-apart": (lambda: t.MarianConfig(**PAIR, scale_embedding=True,
                                            activation_function="swish",
                                            share_encoder_decoder_embeddings=False,
                                            decoder_vocab_size=VOCABULARY - 7), t.MarianMTModel),
    "m2m": (lambda: t.M2M100Config(**PAIR, scale_embedding=True),
            t.M2M100ForConditionalGeneration),
    "m2m-usual": (lambda: t.M2M100Config(**PAIR), t.M2M100ForConditionalGeneration),
    "bert-usual": (lambda: t.BertConfig(**PLAIN), t.BertForMaskedLM),
    "mixtral": (lambda: t.MixtralConfig(**GROUPED, num_local_experts=4, num_experts_per_tok=2),
                t.MixtralForCausalLM),
    "qwen3-moe": (lambda: t.Qwen3MoeConfig(**dict(GROUPED, num_hidden_layers=3), head_dim=8,
                                           num_experts=4, num_experts_per_tok=2,
                                           moe_intermediate_size=12, norm_topk_prob=True,
                                           mlp_only_layers=[1]), t.Qwen3MoeForCausalLM),
    "gpt-oss": (lambda: t.GptOssConfig(**GROUPED, head_dim=8, num_local_experts=4,
                                       num_experts_per_tok=2, sliding_window=5,
                                       rope_parameters=dict(YARN, truncate=False)),
                t.GptOssForCausalLM),
    "gpt-oss-mxfp4": (lambda: t.GptOssConfig(**dict(GROUPED, hidden_size=32, intermediate_size=64,
                                                    num_hidden_layers=1),
                                             head_dim=8, num_local_experts=4,
                                             num_experts_per_tok=2, sliding_window=5,
                                             rope_parameters=dict(YARN, truncate=False)),
                      t.GptOssForCausalLM),
    "deepseek-v2-lite": (lambda: t.DeepseekV2Config(**DEEP, q_lora_rank=None, topk_method="greedy",
                                                    n_group=None, topk_group=None,
                                                    routed_scaling_factor=1.0),
                         t.DeepseekV2ForCausalLM),
    "deepseek-v2": (lambda: t.DeepseekV2Config(**DEEP, q_lora_rank=6,
                                               topk_method="group_limited_greedy", n_group=2,
                                               topk_group=1, routed_scaling_factor=1.5,
                                               rope_parameters=dict(YARN, mscale=1.0,
                                                                    mscale_all_dim=0.7)),
                    t.DeepseekV2ForCausalLM),
    "deepseek-v2-even": (lambda: t.DeepseekV2Config(**DEEP, q_lora_rank=6, topk_method="greedy",
                                                    n_group=None, topk_group=None,
                                                    routed_scaling_factor=1.5,
                                                    rope_parameters=dict(YARN, mscale=0.707,
                                                                         mscale_all_dim=0.707)),
                         t.DeepseekV2ForCausalLM),
    "deepseek-v2-split": (lambda: t.DeepseekV2Config(
        **dict(DEEP, num_hidden_layers=2), q_lora_rank=6, topk_method="greedy", n_group=None,
        topk_group=None, routed_scaling_factor=1.5,
        rope_parameters=dict(YARN, mscale=0.707, mscale_all_dim=0.707)), t.DeepseekV2ForCausalLM),
    "deepseek-v3": (lambda: t.DeepseekV3Config(**DEEP, q_lora_rank=6, n_group=2, topk_group=1,
                                               routed_scaling_factor=2.5, norm_topk_prob=True,
                                               rope_parameters=dict(YARN, mscale=1.0,
                                                                    mscale_all_dim=1.0)),
                    t.DeepseekV3ForCausalLM),
}


def make_model(name):
    """Weights that make attention look somewhere, and every bias and gain another number."""
    configuration, of = FAMILIES[name]
    torch.manual_seed(7)
    made = configuration()
    made._attn_implementation = "eager"
    model = of(made).float().eval()
    with torch.no_grad():
        for key, value in list(model.named_parameters()) + [
                (k, b) for k, b in model.named_buffers()
                if "correction_bias" in k or "final_logits_bias" in k]:
            if "embed_positions" in key and name in ("marian", "m2m"):
                continue  # sinusoids
            if value.dim() > 1:
                value.normal_(0, 1.5 / value.shape[-1] ** 0.5 if "embed" not in key else 0.5)
                if key.endswith("Attention.q.weight"):
                    value *= model.config.d_kv ** -0.5  # T5 has the scale in its weights
            else:
                value.copy_(value + 0.2 * torch.randn_like(value))
    model.tie_weights()
    if name in ("t5-head", "mt5-apart"):
        model.lm_head.weight = torch.nn.Parameter(torch.randn(VOCABULARY, model.config.d_model))
    return model


def is_pair(model):
    return model.config.is_encoder_decoder and hasattr(model, "decoder") or (
        hasattr(model, "model") and hasattr(model.model, "encoder"))


# What config.json says otherwise than save_pretrained writes it, as published files do; None: it
# does not say it, and the class's own value counts.
EDITS = {
    "llama-bare": {"attention_bias": False, "mlp_bias": False},
    "neox-bare": {"attention_bias": False},
    "opt-bare": {"enable_bias": False},
    "llama3-older": {"rope_parameters": None, "rope_theta": 500000.0, "rope_scaling": dict(
        {k: v for k, v in LLAMA3.items() if k not in ("rope_theta", "rope_type")}, type="llama3")},
    "qwen2-older": {"rope_parameters": None, "layer_types": None, "rope_theta": 1000000.0,
                    "sliding_window": 3, "use_sliding_window": False, "max_window_layers": 0,
                    "rope_scaling": {"type": "yarn", "factor": 4.0,
                                     "original_max_position_embeddings": 16}},
    "gemma3-older": {"rope_parameters": None, "layer_types": None, "rope_theta": 30000.0,
                     "rope_local_base_freq": 500.0, "sliding_window": 5, "sliding_window_pattern": 2,
                     "_sliding_window_pattern": 2, "query_pre_attn_scalar": None,
                     "rope_scaling": {"rope_type": "linear", "factor": 8.0}},
    "modernbert-older": {"rope_parameters": None, "layer_types": None, "global_rope_theta": 3000.0,
                         "local_rope_theta": 200.0, "global_attn_every_n_layers": 2,
                         "local_attention": 6, "position_embedding_type": "absolute",
                         "sliding_window": None},
    "neox-older": {"rope_parameters": None, "rotary_pct": 0.5, "rotary_emb_base": 300,
                   "rope_theta": 7.0, "partial_rotary_factor": 1.0},
    "phi-older": {"rope_parameters": None, "rope_theta": 300.0, "partial_rotary_factor": 0.25},
    "phi3-older": {"rope_parameters": None, "rope_theta": 300.0,
                   "original_max_position_embeddings": 16, "rope_scaling": {
                       "type": "longrope", "short_factor": [1.0, 1.1, 1.3, 1.7],
                       "long_factor": [1.0, 2.0, 3.0, 5.0]}},
    "gpt2-older": {"n_ctx": 64, "n_special": 0, "predict_special_tokens": True,
                   "num_attention_heads": 2, "n_head": 4},
    "gemma-gelu": {"hidden_act": "gelu"},
    "gemma2-usual": dict.fromkeys(("attn_logit_softcapping", "final_logit_softcapping",
                                   "query_pre_attn_scalar", "sliding_window", "layer_types")),
    "gpt-oss-usual": dict.fromkeys(("rope_parameters", "layer_types", "sliding_window",
                                    "attention_bias", "swiglu_alpha", "swiglu_limit")),
    "mt5-apart": {"tie_word_embeddings": False},
    "m2m-usual": {"scale_embedding": None},
    "bert-usual": {"type_vocab_size": None, "layer_norm_eps": None, "hidden_act": None},
    "t5-gelu": {"dense_act_fn": None, "is_gated_act": None},
    "umt5": {"feed_forward_proj": None, "dense_act_fn": None, "is_gated_act": None},
}


def save(name, model, folder):
    """As save_pretrained does; experts of gpt-oss as they are published, in blocks of 4 bits."""
    model.save_pretrained(folder)
    path = os.path.join(folder, "config.json")
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    for key, value in EDITS.get(name, {}).items():
        said.pop(key, None)
        said.update({} if value is None else {key: value})
    if name in EDITS:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(said, file, indent=2, sort_keys=True)
    if name != "gpt-oss-mxfp4":
        return
    from safetensors.torch import load_file, save_file
    path = os.path.join(folder, "model.safetensors")
    tensors, random = load_file(path), np.random.default_rng(11)
    for key in [key for key in tensors if key.endswith(("gate_up_proj", "down_proj"))]:
        count, depth, cols = tensors.pop(key).shape
        shape = (count, cols, depth // 32)
        tensors[key + "_blocks"] = torch.tensor(random.integers(0, 256, shape + (16, ), np.uint8))
        tensors[key + "_scales"] = torch.tensor(random.integers(122, 126, shape, np.uint8))
    save_file(tensors, path, {"format": "pt"})


def unpacked(name, folder, kind=torch.float32):
    """The model of a folder; what is in blocks as numbers, by the table of the format."""
    if name != "gpt-oss-mxfp4":
        return FAMILIES[name][1].from_pretrained(folder, dtype=kind, attn_implementation="eager",
                                                 experts_implementation="eager").eval()
    from safetensors.torch import load_file
    tensors = load_file(os.path.join(folder, "model.safetensors"))
    table = np.array([0, .5, 1, 1.5, 2, 3, 4, 6])
    table = np.concatenate([table, -table])
    for key in [key for key in tensors if key.endswith("_blocks")]:
        blocks = tensors.pop(key).numpy()
        scales = tensors.pop(key.replace("_blocks", "_scales")).numpy()
        halves = np.stack([blocks & 15, blocks >> 4], axis=-1)
        numbers = table[halves].reshape(*blocks.shape[:-1], 32) * 2.0 ** (scales[..., None] - 127.0)
        numbers = numbers.reshape(*blocks.shape[:2], -1).swapaxes(1, 2)
        tensors[key[:-len("_blocks")]] = torch.tensor(np.ascontiguousarray(numbers))
    made = FAMILIES[name][0]()
    made._attn_implementation, made._experts_implementation = "eager", "eager"
    model = FAMILIES[name][1](made)
    model.load_state_dict({k: v.to(kind) for k, v in tensors.items()}, strict=True)
    return model.to(kind).eval()


def layers_of(model):
    """The blocks whose results are the residual stream: of the decoder, or of the only stack."""
    inner = model.get_decoder() if is_pair(model) else getattr(model, "encoder", model.base_model)
    if hasattr(inner, "block"):
        return inner.block
    if hasattr(inner, "decoder") and hasattr(inner.decoder, "layers"):
        return inner.decoder.layers  # OPT
    for path in ("layers", "h", "encoder.layer", "transformer.layer"):
        found = inner
        for part in path.split("."):
            found = getattr(found, part, None)
        if found is not None:
            return found
    raise ValueError("no layers in " + type(inner).__name__)


def expect(model, ids, target=None):
    """What the model computes, in the type of its weights."""
    kept = []

    def keep(_module, arguments, keywords, output):
        given = arguments[0] if arguments else keywords["hidden_states"]
        if not kept:
            kept.append(given)
        kept.append(output[0] if isinstance(output, tuple) else output)

    hooks = [layer.register_forward_hook(keep, with_kwargs=True) for layer in layers_of(model)]
    given = {"input_ids": torch.tensor([ids])}
    if target is not None:
        given["decoder_input_ids"] = torch.tensor([target])
    with torch.no_grad():
        out = model(**given, output_attentions=True, use_cache=False)
    for hook in hooks:
        hook.remove()
    found = {"residual": torch.stack([k.reshape(-1, k.shape[-1]) for k in kept])}
    if getattr(out, "logits", None) is not None:
        found["logits"] = out.logits[0]
    if target is None:
        found["weights"] = torch.stack([a[0] for a in out.attentions])
    else:
        found["weights"] = torch.stack([a[0] for a in out.decoder_attentions])
        found["encoder_weights"] = torch.stack([a[0] for a in out.encoder_attentions])
        found["cross_weights"] = torch.stack([a[0] for a in out.cross_attentions])
    if found["weights"].shape[-1] > found["weights"].shape[-2]:
        found["weights"] = found["weights"][..., :-1]  # without the sink's column
    return {k: v.double().numpy() for k, v in found.items()}


PADDED = ("roberta", "xlm-roberta", "camembert", "m2m_100")  # padding has no place there


def texts(model, count):
    """Ids of a text, and of a target where the model has one."""
    random = np.random.default_rng(count)
    ids = random.integers(3, VOCABULARY, count).tolist()
    counted = model.config.model_type not in PADDED
    ids[2::4] = ids[2::4] if counted else [model.config.pad_token_id] * len(ids[2::4])
    if not is_pair(model):
        return ids, None
    written = getattr(model.config, "decoder_vocab_size", None) or VOCABULARY
    target = random.integers(3, written, (count + 1) // 2).tolist()
    target[1:2] = target[1:2] if counted else [model.config.pad_token_id] * len(target[1:2])
    return ids, [model.config.decoder_start_token_id] + target


def compute(program, folder, ids, target):
    call = [program, "compute", folder, "--ids", " ".join(map(str, ids))]
    if target is not None:
        call += ["--target-ids", " ".join(map(str, target))]
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        done = subprocess.run(call + ["-o", file.name], capture_output=True, text=True)
        if done.returncode != 0:
            raise ValueError(done.stderr.strip())
        with np.load(file.name, allow_pickle=False) as arrays:
            return {k: arrays[k] for k in arrays.files}


# With members that their families do not read.
FOREIGN = ("llama-others", "distilbert-decoder", "neox-older")


def check_members(program, name, config, folder):
    """Every member that the class has, also those that a file leaves out, and its other names, is on
    a list of the program: it is named by none as ignored, and changes nothing."""
    path = os.path.join(folder, "config.json")
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    names = [field.name for field in dataclasses.fields(config)] + list(config.attribute_map)
    for key in names:
        value = getattr(config, key, None)
        if key not in said and isinstance(value, (int, float, str, bool, type(None))):
            said[key] = value
    said["nobody_knows"] = float("nan")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(said, file)
    done = subprocess.run([program, "info", folder, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    ignored = json.loads(done.stdout)["ignored"]
    if name not in FOREIGN and ignored != ["nobody_knows"]:
        raise ValueError("ignored: " + " ".join(ignored))


def check(program, names):
    worst_of_all, failed = 0, []
    for name in names:
        worst = {}
        try:
            model = make_model(name)
            for kind in (torch.float32, torch.float16, torch.bfloat16):
                with tempfile.TemporaryDirectory() as folder:
                    save(name, model.to(kind), folder)
                    stored = unpacked(name, folder)
                    for count in (1, 9, 33):
                        ids, target = texts(stored, count)
                        wanted = expect(stored, ids, target)
                        got = compute(program, folder, ids, target)
                        if "logits" in got and "logits" not in wanted:
                            raise ValueError("logits of a model without a head")
                        for key, value in wanted.items():
                            if got[key].shape != value.shape:
                                raise ValueError("%s is %s, expected %s" %
                                                 (key, got[key].shape, value.shape))
                            off = np.abs(got[key] - value).max() / max(1, np.abs(value).max())
                            worst[key] = max(worst.get(key, 0), float(off))
                    if kind == torch.float32:
                        check_members(program, name, stored.config, folder)
                model.float()
            print("%-18s" % name, "  ".join("%s %.1e" % item for item in worst.items()), flush=True)
            if not max(worst.values()) <= LIMIT:
                failed.append(name)
        except Exception as reason:  # one family does not keep the others from being looked at
            print("%-18s" % name, type(reason).__name__, str(reason)[:300], flush=True)
            failed.append(name)
        worst_of_all = max([worst_of_all] + list(worst.values()))
    print("largest difference %.1e%s" % (worst_of_all,
                                         "; failed: " + " ".join(failed) if failed else ""))
    return 1 if failed else 0


# Width, heads, inner width, layers.
SIZES = ((16, 4, 24, 2), (64, 8, 96, 3), (192, 12, 320, 4))
TEXTS = 30


def make_size(width, heads, inner, layers):
    sides = dict(hidden_size=width, num_attention_heads=heads, intermediate_size=inner)
    PLAIN.update(sides, num_hidden_layers=layers)
    GROUPED.update(sides, num_hidden_layers=layers, num_key_value_heads=heads // 2)
    DEEP.update(sides, num_key_value_heads=heads, kv_lora_rank=width // 2)
    SIDE.update(width=width, heads=heads, inner=inner)
    ROBERTA.update(PLAIN, pad_token_id=1, max_position_embeddings=66)
    PAIR.update(d_model=width, encoder_attention_heads=heads, decoder_attention_heads=heads,
                encoder_ffn_dim=inner, decoder_ffn_dim=inner, encoder_layers=layers,
                decoder_layers=layers)


def worst_of(program, name, kind):
    """The largest relative difference of α, residual and logits over the texts of one model."""
    worst, model = dict.fromkeys(("weights", "residual", "logits"), 0.0), make_model(name)
    with tempfile.TemporaryDirectory() as folder:
        save(name, model.to(kind), folder)
        stored = unpacked(name, folder)
        for count in np.random.default_rng(3).integers(1, 61, TEXTS).tolist():
            ids, target = texts(stored, count)
            got = compute(program, folder, ids, target)
            for key, value in expect(stored, ids, target).items():
                off = np.abs(got[key] - value).max() / max(1, np.abs(value).max())
                of = "weights" if key.endswith("weights") else key
                worst[of] = max(worst[of], float(off))
    return worst


def measure(program, names):
    failed = []
    print("%-18s %-9s" % ("", "size"), "%-23s  %-23s  %s" % ("float32", "float16", "bfloat16"))
    for name in names:
        for size in SIZES:
            make_size(*size)
            cells = []
            for kind in (torch.float32, torch.float16, torch.bfloat16):
                try:
                    worst = worst_of(program, name, kind)
                    failed += [name] if not max(worst.values()) <= LIMIT else []
                    cells.append(" ".join("%.1e" % worst[k] for k in worst))
                except Exception as reason:  # as in check
                    cells.append("%s %s" % (type(reason).__name__, str(reason)[:120]))
                    failed.append(name)
            of = "%d × %d" % (size[0], size[3])
            print("%-18s %-9s" % (name, of), "  ".join(cells), flush=True)
    print("α, residual and logits;",
          "failed: " + " ".join(failed) if failed else "all within %g" % LIMIT)
    return 1 if failed else 0


# ---- GGUF: names and orders as llama.cpp's convert_hf_to_gguf.py writes them -------------------

LAYER = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
         "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
         "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
         "mlp.down_proj": "ffn_down", "mlp.gate": "ffn_gate_inp", "mlp.router": "ffn_gate_inp",
         "block_sparse_moe.gate": "ffn_gate_inp", "self_attn.sinks": "attn_sinks",
         "self_attn.qkv_proj": "attn_qkv", "mlp.gate_up_proj": "ffn_up",
         "self_attn.q_a_proj": "attn_q_a", "self_attn.q_b_proj": "attn_q_b",
         "self_attn.q_a_layernorm": "attn_q_a_norm",
         "self_attn.kv_a_proj_with_mqa": "attn_kv_a_mqa", "self_attn.kv_b_proj": "attn_kv_b",
         "self_attn.kv_a_layernorm": "attn_kv_a_norm",
         "mlp.shared_experts.gate_proj": "ffn_gate_shexp",
         "mlp.shared_experts.up_proj": "ffn_up_shexp",
         "mlp.shared_experts.down_proj": "ffn_down_shexp",
         "pre_feedforward_layernorm": "ffn_norm", "post_feedforward_layernorm": "post_ffw_norm"}
WHOLE = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
EXPERT = {"w1": "gate", "w2": "down", "w3": "up", "gate_proj": "gate", "up_proj": "up",
          "down_proj": "down"}
ARCHS = {"llama2": "llama", "llama3": "llama", "qwen2": "qwen2", "qwen3": "qwen3",
         "gemma": "gemma", "gemma2": "gemma2", "gemma3": "gemma3", "phi3": "phi3",
         "olmo2": "olmo2", "smollm3": "smollm3", "mixtral": "llama", "qwen3-moe": "qwen3moe",
         "gpt-oss": "gpt-oss", "deepseek-v2-even": "deepseek2",
         "deepseek-v2-split": "deepseek2", "deepseek-v3": "deepseek2",
         "qwen2-both": "qwen2", "bert-decoder": "bert", "umt5": "t5", "t5-encoder": "t5encoder",
         "gpt2": "gpt2", "bert": "bert", "t5": "t5", "flan-t5": "t5", "neox": "gptneox",
         "neox-serial": "gptneox", "phi": "phi2"}
# Of families that are no Llamas: where a layer's names begin, its names, and those outside; a name
# that ends with ^ is of a matrix that GGUF turns. What is missing GGUF leaves out.
OTHERS = {
    "gpt2": ("transformer.h.", {
        "ln_1": "attn_norm", "attn.c_attn": "attn_qkv^", "attn.c_proj": "attn_output^",
        "ln_2": "ffn_norm", "mlp.c_fc": "ffn_up^", "mlp.c_proj": "ffn_down^"},
             {"transformer.wte": "token_embd", "transformer.wpe": "position_embd",
              "transformer.ln_f": "output_norm"}),
    "bert": ("bert.encoder.layer.", {
        "attention.self.query": "attn_q", "attention.self.key": "attn_k",
        "attention.self.value": "attn_v", "attention.output.dense": "attn_output",
        "attention.output.LayerNorm": "attn_output_norm", "intermediate.dense": "ffn_up",
        "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm"},
             {"bert.embeddings.word_embeddings": "token_embd",
              "bert.embeddings.position_embeddings": "position_embd",
              "bert.embeddings.token_type_embeddings": "token_types",
              "bert.embeddings.LayerNorm": "token_embd_norm"}),
    "gptneox": ("gpt_neox.layers.", {
        "input_layernorm": "attn_norm", "attention.query_key_value": "attn_qkv",
        "attention.dense": "attn_output", "post_attention_layernorm": "ffn_norm",
        "mlp.dense_h_to_4h": "ffn_up", "mlp.dense_4h_to_h": "ffn_down"},
                {"gpt_neox.embed_in": "token_embd", "gpt_neox.final_layer_norm": "output_norm",
                 "embed_out": "output", "lm_head": "output"}),
    "phi2": ("model.layers.", {
        "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v", "self_attn.dense": "attn_output", "mlp.fc1": "ffn_up",
        "mlp.fc2": "ffn_down"},
             {"model.embed_tokens": "token_embd", "model.final_layernorm": "output_norm",
              "lm_head": "output"}),
    "t5": (".block.", {
        "SelfAttention.q": "attn_q", "SelfAttention.k": "attn_k", "SelfAttention.v": "attn_v",
        "SelfAttention.o": "attn_o", "SelfAttention.relative_attention_bias": "attn_rel_b",
        "EncDecAttention.q": "cross_attn_q", "EncDecAttention.k": "cross_attn_k",
        "EncDecAttention.v": "cross_attn_v", "EncDecAttention.o": "cross_attn_o",
        "DenseReluDense.wi": "ffn_up", "DenseReluDense.wi_0": "ffn_gate",
        "DenseReluDense.wi_1": "ffn_up", "DenseReluDense.wo": "ffn_down"},
           {"shared": "token_embd", "lm_head": "output",
            "encoder.final_layer_norm": "enc.output_norm",
            "decoder.final_layer_norm": "dec.output_norm"}),
}


OTHERS["t5encoder"] = OTHERS["t5"]


def permute(value, heads):
    return value.reshape(heads, 2, value.shape[0] // heads // 2, *value.shape[1:]).swapaxes(
        1, 2).reshape(value.shape)


def t5_names(rest):
    """layer.1.layer_norm of a block by what that layer is; others without their layer."""
    _, number, part = rest.split(".", 2)
    norms = {"0": "attn_norm", "1": "cross_attn_norm", "2": "ffn_norm"}
    return part, norms[number]


def other_tensors(arch, config, tensors):
    start, layers, whole = OTHERS[arch]
    made = {}
    for key, value in tensors.items():
        stem, _, kind = key.rpartition(".")
        before, found, rest = stem.partition(start)
        if not found:
            target = whole.get(stem)
        elif arch in ("t5", "t5encoder"):
            number, rest = rest.split(".", 1)
            part, norm = t5_names(rest)
            if before == "encoder" and norm == "cross_attn_norm":
                norm = "ffn_norm"
            target = "%s.blk.%s.%s" % (before[:3], number,
                                       norm if part == "layer_norm" else layers[part])
        else:
            number, rest = rest.split(".", 1)
            target = layers.get(rest) and "blk.%s.%s" % (number, layers[rest])
        if target is None:
            continue
        if target.endswith("^"):
            target, value = target[:-1], value.T if value.ndim == 2 else value
        if arch == "gptneox" and target.endswith("attn_qkv"):  # sorted: all of Q, of K, of V
            heads = config.num_attention_heads
            value = value.reshape(heads, 3, -1, *value.shape[1:]).swapaxes(0, 1).reshape(value.shape)
        made[target + "." + kind] = value
    if arch == "t5" and not config.scale_decoder_outputs:  # Flan has a matrix of its own
        made["output.weight"] = made["token_embd.weight"]
    return made


def gguf_tensors(name, config, tensors):
    """Names and arrays of a GGUF from those that save_pretrained wrote."""
    made, experts = {}, {}
    if ARCHS[name] in OTHERS:
        return other_tensors(ARCHS[name], config, tensors)
    for key, value in tensors.items():
        stem, _, kind = key.rpartition(".")
        if not key.startswith("model.layers."):
            made[WHOLE[stem] + "." + kind] = value
            continue
        layer, rest = key[len("model.layers."):].split(".", 1)
        block = "blk." + layer + "."
        if rest.endswith("e_score_correction_bias"):
            made[block + "exp_probs_b.bias"] = value
        elif rest.startswith("mlp.experts.gate_up_proj"):  # gpt-oss: alternately, and turned
            end = ".bias" if rest.endswith("bias") else ".weight"
            for part, at in (("gate", 0), ("up", 1)):
                one = value[..., at::2]
                made[block + "ffn_%s_exps%s" % (part, end)] = \
                    one if end == ".bias" else one.swapaxes(1, 2)
        elif rest.startswith("mlp.experts.down_proj"):
            end = ".bias" if rest.endswith("bias") else ".weight"
            made[block + "ffn_down_exps" + end] = value if end == ".bias" else value.swapaxes(1, 2)
        elif ".experts." in rest:
            number, part = rest.split(".experts.")[1].split(".")[:2]
            experts.setdefault(block + "ffn_%s_exps.weight" % EXPERT[part], {})[int(number)] = value
        elif rest == "self_attn.sinks":
            made[block + "attn_sinks.weight"] = value
        else:
            stem, _, kind = rest.rpartition(".")
            target = LAYER[stem]
            if stem == "post_attention_layernorm" and name in ("gemma2", "gemma3", "olmo2"):
                target = "post_attention_norm"
            if stem == "post_attention_layernorm" and name == "gpt-oss":
                target = "post_attention_norm"
            if ARCHS[name] in ("llama", "smollm3") and target in ("attn_q", "attn_k"):
                value = permute(value, config.num_attention_heads if target == "attn_q" else
                                config.num_key_value_heads)
            made[block + target + "." + kind] = value
    for key, values in experts.items():
        made[key] = np.stack([values[e] for e in range(len(values))])
    for key in [key for key in made if name.endswith("-split") and "attn_kv_b" in key]:
        each = made.pop(key).reshape(config.num_attention_heads, -1, config.kv_lora_rank)
        made[key.replace("kv_b", "k_b")] = each[:, :config.qk_nope_head_dim].swapaxes(1, 2)
        made[key.replace("kv_b", "v_b")] = each[:, config.qk_nope_head_dim:]
    for key in made:
        if name.startswith("gemma") and key.endswith("norm.weight"):
            made[key] = made[key] + 1
    return made


def describe_other(writer, arch, c):
    """Keys of families that are no Llamas."""
    count = lambda key, value: writer.add_uint32(arch + "." + key, value)
    number = lambda key, value: writer.add_float32(arch + "." + key, value)
    count("block_count", c.num_hidden_layers)
    count("embedding_length", c.hidden_size)
    count("attention.head_count", c.num_attention_heads)
    count("context_length", getattr(c, "max_position_embeddings", 512))
    inner = 4 * c.hidden_size if arch == "gpt2" else getattr(c, "d_ff", None)
    count("feed_forward_length", inner or c.intermediate_size)
    if arch in ("t5", "t5encoder"):
        if arch == "t5":
            count("decoder_block_count", c.num_decoder_layers)
            count("decoder_start_token_id", c.decoder_start_token_id)
        count("attention.key_length", c.d_kv)
        count("attention.value_length", c.d_kv)
        count("attention.relative_buckets_count", c.relative_attention_num_buckets)
        number("attention.layer_norm_rms_epsilon", c.layer_norm_epsilon)
        return
    number("attention.layer_norm_epsilon",
           getattr(c, "layer_norm_eps", None) or c.layer_norm_epsilon)
    if arch == "bert":
        writer.add_bool("bert.attention.causal", c.is_decoder)
    if arch in ("gptneox", "phi2"):
        head = c.hidden_size // c.num_attention_heads
        count("rope.dimension_count", int(head * c.rope_parameters["partial_rotary_factor"]))
    if arch == "gptneox":
        writer.add_bool("gptneox.use_parallel_residual", c.use_parallel_residual)


def write_gguf(name, model, tensors, path):
    """Tensors: arrays, or pairs of blocks and their kind."""
    import gguf
    arch, c = ARCHS[name], model.config
    if arch in OTHERS:
        writer = gguf.GGUFWriter(path, arch)
        describe_other(writer, arch, c)
        finish_gguf(writer, tensors)
        return
    rope = c.rope_parameters
    rope = rope.get("full_attention", rope)
    writer = gguf.GGUFWriter(path, arch)
    numbers = {"block_count": c.num_hidden_layers, "embedding_length": c.hidden_size,
               "feed_forward_length": c.intermediate_size,
               "context_length": c.max_position_embeddings,
               "attention.head_count": c.num_attention_heads,
               "attention.head_count_kv": c.num_key_value_heads,
               "attention.sliding_window": getattr(c, "sliding_window", None),
               "expert_count": getattr(c, "num_local_experts", None),
               "expert_used_count": getattr(c, "num_experts_per_tok", None),
               "expert_feed_forward_length": getattr(c, "moe_intermediate_size", None),
               "rope.scaling.original_context_length":
                   rope.get("original_max_position_embeddings")}
    floats = {"attention.layer_norm_rms_epsilon": c.rms_norm_eps, "rope.freq_base":
              rope["rope_theta"], "attn_logit_softcapping": getattr(c, "attn_logit_softcapping",
                                                                    None),
              "final_logit_softcapping": getattr(c, "final_logit_softcapping", None)}
    if getattr(c, "head_dim", None):
        numbers.update({"attention.key_length": c.head_dim, "attention.value_length": c.head_dim})
    if arch == "deepseek2":
        numbers.update({"attention.q_lora_rank": c.q_lora_rank,
                        "attention.kv_lora_rank": c.kv_lora_rank,
                        "attention.key_length": c.qk_head_dim,
                        "attention.value_length": c.v_head_dim,
                        "rope.dimension_count": c.qk_rope_head_dim,
                        "expert_count": c.n_routed_experts,
                        "expert_shared_count": c.n_shared_experts,
                        "leading_dense_block_count": c.first_k_dense_replace,
                        "expert_group_count": c.n_group, "expert_group_used_count": c.topk_group,
                        "expert_gating_func": 2 if name == "deepseek-v3" else 1})
        if name.endswith("-split"):  # as one head of keys that are the latents themselves
            numbers.update({"attention.head_count_kv": 1,
                            "attention.key_length": c.kv_lora_rank + c.qk_rope_head_dim,
                            "attention.value_length": c.kv_lora_rank,
                            "attention.key_length_mla": c.qk_head_dim,
                            "attention.value_length_mla": c.v_head_dim})
        floats.update({"expert_weights_scale": c.routed_scaling_factor,
                       "rope.scaling.yarn_log_multiplier": 0.1 * rope["mscale_all_dim"]})
        writer.add_bool(arch + ".expert_weights_norm", c.norm_topk_prob)
    if rope["rope_type"] == "yarn":
        writer.add_string(arch + ".rope.scaling.type", "yarn")
        floats["rope.scaling.factor"] = rope["factor"]
    if rope["rope_type"] == "llama3":
        pairs = torch.arange(0, c.head_dim, 2).float() / c.head_dim
        plain = 1 / rope["rope_theta"] ** pairs
        tensors = dict(tensors)
        tensors["rope_freqs.weight"] = (plain / model.model.rotary_emb.inv_freq.float()).numpy()
    if rope["rope_type"] == "longrope":
        tensors = dict(tensors)
        for which in ("short", "long"):
            tensors["rope_factors_%s.weight" % which] = np.array(rope[which + "_factor"], np.float32)
        floats["rope.scaling.attn_factor"] = model.model.rotary_emb.attention_scaling
    if not getattr(c, "is_causal", True):
        writer.add_bool(arch + ".attention.causal", False)
    for key, value in numbers.items():
        if value is not None:
            writer.add_uint32(arch + "." + key, value)
    for key, value in floats.items():
        if value is not None:
            writer.add_float32(arch + "." + key, value)
    finish_gguf(writer, tensors)


def finish_gguf(writer, tensors):
    for key, value in tensors.items():
        if isinstance(value, tuple):
            writer.add_tensor(key, value[0], raw_dtype=value[1])
        else:
            writer.add_tensor(key, np.ascontiguousarray(value, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


# Kinds of blocks whose quantisation gguf writes itself, and where the halves of the others stand
# with what the numbers of a random block are about, of a half of 1.
BY_GGUF = ("Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1")
HALVES = {"Q4_K": ((0, 2), 300.0), "Q5_K": ((0, 2), 600.0), "Q6_K": ((208,), 1300.0)}
QUANTISED = ("gpt2", "bert", "llama3", "qwen2", "qwen3", "gemma", "gemma2", "gemma3", "phi3",
             "mixtral")


def blocks_of(value, kind):
    """value in blocks of a kind; where gguf cannot make them, random ones of its size."""
    import gguf
    of = gguf.GGMLQuantizationType[kind]
    if kind in BY_GGUF:
        return gguf.quants.quantize(np.ascontiguousarray(value, np.float32), of), of
    numbers, size = gguf.GGML_QUANT_SIZES[of]
    places, about = HALVES[kind]
    random = np.random.default_rng(value.size)
    made = random.integers(0, 256, (value.size // numbers, size), dtype=np.uint8)
    for place in places:
        by = (15.5 if kind == "Q5_K" else 7.5) if place == 2 else 1.0  # minima: about the middle
        half = np.full((len(made), 1), by * value.std() / about, "<f2")
        made[:, place:place + 2] = half.view(np.uint8)
    return made.reshape(*value.shape[:-1], -1), of


def quantise(name, model, tensors, kind):
    """The tensors of a GGUF, matrices in blocks, and the model with the numbers they have then. Where
    each number of a GGUF stands in transformers is found by numbering them."""
    from safetensors.torch import save_file
    import gguf
    starts, at, numbered = {}, 0, {}
    for key, value in tensors.items():
        starts[key] = at
        numbered[key] = np.arange(at, at + value.size, dtype=np.float64).reshape(value.shape)
        at += value.size
    flat = np.concatenate([value.reshape(-1) for value in tensors.values()]).astype(np.float32)
    places, made = gguf_tensors(name, model.config, numbered), {}
    for key, value in gguf_tensors(name, model.config, tensors).items():
        if value.ndim < 2 or value.shape[-1] % 256 or "position" in key or "types" in key:
            made[key] = value
            continue
        made[key] = blocks_of(value, kind)
        numbers = gguf.quants.dequantize(*made[key])
        flat[places[key].astype(np.int64).reshape(-1)] = numbers.reshape(-1)
    state = {key: torch.tensor(flat[starts[key]:starts[key] + value.size].reshape(value.shape))
             for key, value in tensors.items()}
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        save_file(state, os.path.join(folder, "model.safetensors"), {"format": "pt"})
        changed = FAMILIES[name][1].from_pretrained(folder, dtype=torch.float32,
                                                    attn_implementation="eager").eval()
    return made, changed


def set_gemma_scale(name, model):
    if name in ("gemma2", "gemma3"):  # llama.cpp knows the scale by the width of a head
        model.config.query_pre_attn_scalar = model.config.head_dim
        for layer in model.model.layers:
            layer.self_attn.scaling = model.config.head_dim ** -0.5


def as_gguf(name, path, kind=None):
    from safetensors.torch import load_file
    model = make_model(name)
    set_gemma_scale(name, model)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        tensors = {k: v.float().numpy() for k, v in
                   load_file(os.path.join(folder, "model.safetensors")).items()}
    made = gguf_tensors(name, model.config, tensors)
    if kind:
        made, model = quantise(name, model, tensors, kind)
        set_gemma_scale(name, model)
    write_gguf(name, model, made, path)
    return model


def check_gguf(program, names):
    names = [name for name in names if name in ARCHS]
    failed = check_kind(program, names, None)
    make_wide()
    for kind in (*BY_GGUF, *HALVES):
        failed += check_kind(program, [name for name in names if name in QUANTISED], kind)
    print("failed: " + " ".join(failed) if failed else "all within %g" % LIMIT)
    return 1 if failed else 0


def check_kind(program, names, kind):
    failed = []
    for name in names:
        worst = {}
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, name + ".gguf")
                model = as_gguf(name, path, kind)
                for count in (1, 9, 33):
                    ids, target = texts(model, count)
                    got = compute(program, path, ids, target)
                    for key, value in expect(model, ids, target).items():
                        if key == "logits" and ARCHS[name] == "bert":
                            continue  # llama.cpp leaves the head of BERT out
                        off = np.abs(got[key] - value).max() / max(1, np.abs(value).max())
                        worst[key] = max(worst.get(key, 0), float(off))
            print("%-18s%-6s" % (name, kind or "F32"),
                  "  ".join("%s %.1e" % item for item in worst.items()), flush=True)
            if not max(worst.values()) <= LIMIT:
                failed.append(name)
        except Exception as reason:  # as above
            print("%-18s%-6s" % (name, kind or "F32"), type(reason).__name__, str(reason)[:300],
                  flush=True)
            failed.append(name)
    return failed


def make_wide():
    """Sides that are whole blocks of 256."""
    sides = dict(hidden_size=256, intermediate_size=512)
    for of in (PLAIN, GROUPED):
        of.update(sides)
    FAMILIES["gpt2"] = (lambda: t.GPT2Config(vocab_size=VOCABULARY, n_embd=256, n_layer=2, n_head=4,
                                             n_positions=64), t.GPT2LMHeadModel)
    FAMILIES["phi3"] = FAMILIES["phi3-plain"]


def make_small():
    """Fixtures hold a few kB each."""
    global VOCABULARY
    VOCABULARY = 31
    PLAIN.update(vocab_size=VOCABULARY, hidden_size=8, intermediate_size=12, num_attention_heads=2,
                 max_position_embeddings=20)
    GROUPED.update(PLAIN, num_key_value_heads=1)
    DEEP.update(PLAIN, num_key_value_heads=2)
    DEEP.update(num_hidden_layers=3)
    ROBERTA.update(PLAIN, pad_token_id=1)
    PAIR.update(vocab_size=VOCABULARY, d_model=8, encoder_attention_heads=2,
                decoder_attention_heads=2, encoder_ffn_dim=12, decoder_ffn_dim=10,
                max_position_embeddings=20)


WORDS = (("source.spm", "vocab.json", 24, "the cat sat on the mat and the dog sat on the cat",
          "the dog sat and the cat sat on a mat q"),
         ("target.spm", "target_vocab.json", 22, "le chat dort sur le tapis et le chien dort",
          "le chien et le chat sur le tapis q"))


def make_words(path):
    """Two tokenizers in a folder, and the ids that transformers makes of a text each."""
    import io
    import sentencepiece
    for file, vocab, size, text, _ in WORDS:
        out = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter([text] * 20), model_writer=out, vocab_size=size,
            model_type="unigram", normalization_rule_name="identity", hard_vocab_limit=False,
            minloglevel=2)
        with open(os.path.join(path, file), "wb") as to:
            to.write(out.getvalue())
        made = sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())
        pieces = [made.id_to_piece(i) for i in range(3, made.get_piece_size())]
        names = ["<s>", "<pad>", "</s>", "<unk>"] + sorted(pieces)
        with open(os.path.join(path, vocab), "w", encoding="utf-8") as to:
            json.dump({piece: i for i, piece in enumerate(names)}, to, ensure_ascii=False)
    paths = {key: os.path.join(path, file) for key, file in (
        ("source_spm", "source.spm"), ("target_spm", "target.spm"), ("vocab", "vocab.json"),
        ("target_vocab_file", "target_vocab.json"))}
    words = t.MarianTokenizer(**paths, separate_vocabs=True)
    return {"read": np.array(words(WORDS[0][4])["input_ids"], np.int32),
            "written": np.array(words(text_target=WORDS[1][4])["input_ids"], np.int32)}


PIECES = ["<pad>", "</s>", "<unk>", "▁", "▁the", "▁cat", "▁sat", "▁on", "▁mat", "▁and", "▁dog", "at",
          "ca", "og", "it", "▁m", "▁s", "▁d", "a", "t", "s", "e", "o", "n", "c", "d", "g", "h", "m",
          "i", "l"]
TEXT_OF_PIECES = "the cat  sat on matted cots, and then the dog ate a salmon"


def make_pieces(path):
    """A tokenizer as T5's, of few pieces, and the ids that transformers makes of a text."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
    from tokenizers import pre_tokenizers, processors
    made = Tokenizer(models.Unigram(
        [(piece, 0.0 if i < 3 else -2 - i / 4) for i, piece in enumerate(PIECES)], unk_id=2))
    made.normalizer = normalizers.Sequence([normalizers.NFKC(),
                                            normalizers.Replace(Regex(" {2,}"), " ")])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)])
    made.add_special_tokens([AddedToken(piece, special=True) for piece in PIECES[:3]])
    file = os.path.join(path, "tokenizer.json")
    with open(file, "w", encoding="utf-8") as out:
        json.dump(json.loads(made.to_str()), out, ensure_ascii=False, separators=(",", ":"))
    words = t.PreTrainedTokenizerFast(tokenizer_file=file)
    return {"read": np.array(words(TEXT_OF_PIECES)["input_ids"], np.int32)}


def make(folder, names):
    from safetensors.torch import load_file
    make_small()
    for name in names:
        if name.endswith(LEFT_OUT):
            continue
        model = make_model(name)
        path = os.path.join(folder, name)
        os.makedirs(path, exist_ok=True)
        save(name, model.to(torch.float16), path)
        for extra in ("generation_config.json", ):
            if os.path.exists(os.path.join(path, extra)):
                os.remove(os.path.join(path, extra))
        exact = unpacked(name, path).double()
        ids, target = texts(exact, 7)
        wanted = expect(exact, ids, target)
        found = {k: v.astype(np.float32) for k, v in wanted.items()}
        found["ids"] = np.array(ids, np.int32)
        if target is not None:
            found["target_ids"] = np.array(target, np.int32)
        if name == "marian-apart":
            found.update(make_words(path))
        if name == "flan-t5":
            found.update(make_pieces(path))
        np.savez_compressed(os.path.join(path, "expected.npz"), **found)
        if name in ALSO_GGUF:
            tensors = {k: v.float().numpy() for k, v in
                       load_file(os.path.join(path, "model.safetensors")).items()}
            write_gguf(name, exact, gguf_tensors(name, exact.config, tensors),
                       os.path.join(path, "model.gguf"))
        print(name, sum(os.path.getsize(os.path.join(path, f)) for f in os.listdir(path)))
    return 0


if __name__ == "__main__":
    calls = {"check": check, "measure": measure, "gguf": check_gguf, "make": make}
    if len(sys.argv) < 3 or sys.argv[1] not in calls:
        sys.exit(__doc__)
    sys.exit(calls[sys.argv[1]](sys.argv[2], sys.argv[3:] or list(FAMILIES)))

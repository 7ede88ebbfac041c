#!/usr/bin/env python3
"""Models as other classes than that of a language model save them, beside what those classes compute.

    layouts.py PROGRAM [NAME...]     compares α and logits, where there are any, of small random models: the text
                                     part of models that see or hear, base classes, classifiers, and files whose
                                     names torch.compile, DataParallel and others have changed

Exits with 77, skipped, where this Python has no transformers.
"""
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
    from safetensors.torch import load_file, save_file
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING
    import transformers.models.auto.modeling_auto as auto
except ImportError as reason:
    print(reason)
    sys.exit(77)

t.logging.set_verbosity_error()
t.logging.disable_progress_bar()

LIMIT = 1e-5  # relative to the largest number of an array, at least 1
IDS = [3, 5, 7, 9, 11, 4, 6, 8, 3, 2]
TEXT = dict(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=2)
ROTARY = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [1, 1, 2]}
# What sees or hears is as small as can be: it is not looked at.
SENSE = dict(hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2,
             embed_dim=16, depth=1, num_heads=2, encoder_layers=1, encoder_attention_heads=2, encoder_ffn_dim=16,
             d_model=16, image_size=28, patch_size=14, head_dim=8, out_hidden_size=32, num_mel_bins=8,
             max_source_positions=16, fullatt_block_indexes=[0], deepstack_visual_indexes=[0])
TOKENS = dict(image_token_index=63, image_token_id=63, video_token_id=62, video_token_index=62, audio_token_id=61)
PARTS = ("gemma3 mistral3 llava llava_next llava_next_video llava_onevision vipllava video_llava idefics2 idefics3 "
         "smolvlm internvl got_ocr2 lighton_ocr deepseek_vl deepseek_vl_hybrid ovis2 voxtral qwen2_audio "
         "audioflamingo3 video_llama_3 qwen3_vl qwen2_vl qwen2_5_vl").split()
PAIR = dict(vocab_size=64, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
            decoder_attention_heads=4, encoder_ffn_dim=24, decoder_ffn_dim=20, max_position_embeddings=64,
            pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2)
T5 = dict(vocab_size=64, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, decoder_start_token_id=0)
# Base classes and those with another head; and whether these classes give next or masked words.
CLASSES = {
    "LlamaModel": lambda: t.LlamaModel(t.LlamaConfig(**TEXT)),
    "LlamaModel tied": lambda: t.LlamaModel(t.LlamaConfig(**TEXT, tie_word_embeddings=True)),
    "LlamaForSequenceClassification": lambda: t.LlamaForSequenceClassification(t.LlamaConfig(**TEXT)),
    "LlamaForTokenClassification": lambda: t.LlamaForTokenClassification(t.LlamaConfig(**TEXT)),
    "LlamaForQuestionAnswering": lambda: t.LlamaForQuestionAnswering(t.LlamaConfig(**TEXT)),
    "MistralModel": lambda: t.MistralModel(t.MistralConfig(**TEXT)),
    "Qwen2Model": lambda: t.Qwen2Model(t.Qwen2Config(**TEXT)),
    "Qwen3ForSequenceClassification": lambda: t.Qwen3ForSequenceClassification(t.Qwen3Config(**TEXT, head_dim=8)),
    "GemmaModel": lambda: t.GemmaModel(t.GemmaConfig(**TEXT, head_dim=8)),
    "Gemma2ForTokenClassification": lambda: t.Gemma2ForTokenClassification(t.Gemma2Config(**TEXT, head_dim=8)),
    "Gemma3TextModel": lambda: t.Gemma3TextModel(t.Gemma3TextConfig(**TEXT, head_dim=8)),
    "PhiModel": lambda: t.PhiModel(t.PhiConfig(**dict(TEXT, num_key_value_heads=4))),
    "Phi3ForSequenceClassification": lambda: t.Phi3ForSequenceClassification(t.Phi3Config(**TEXT)),
    "Olmo2Model": lambda: t.Olmo2Model(t.Olmo2Config(**TEXT)),
    "MixtralModel": lambda: t.MixtralModel(t.MixtralConfig(**TEXT, num_local_experts=4)),
    "GPT2Model": lambda: t.GPT2Model(t.GPT2Config(vocab_size=64, n_embd=32, n_layer=2, n_head=4)),
    "GPT2ForSequenceClassification": lambda: t.GPT2ForSequenceClassification(
        t.GPT2Config(vocab_size=64, n_embd=32, n_layer=2, n_head=4, pad_token_id=0)),
    "GPTNeoXModel": lambda: t.GPTNeoXModel(t.GPTNeoXConfig(**{k: v for k, v in TEXT.items()
                                                              if k != "num_key_value_heads"})),
    "GPTNeoModel": lambda: t.GPTNeoModel(t.GPTNeoConfig(
        vocab_size=64, hidden_size=32, num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]])),
    "OPTModel": lambda: t.OPTModel(t.OPTConfig(
        vocab_size=64, hidden_size=32, ffn_dim=48, num_hidden_layers=2, num_attention_heads=4, word_embed_proj_dim=16,
        do_layer_norm_before=False)),
    "OPTForSequenceClassification": lambda: t.OPTForSequenceClassification(t.OPTConfig(
        vocab_size=64, hidden_size=32, ffn_dim=48, num_hidden_layers=2, num_attention_heads=4,
        word_embed_proj_dim=32)),
    "BertModel": lambda: t.BertModel(t.BertConfig(**TEXT)),
    "BertForPreTraining": lambda: t.BertForPreTraining(t.BertConfig(**TEXT)),
    "BertForQuestionAnswering": lambda: t.BertForQuestionAnswering(t.BertConfig(**TEXT)),
    "RobertaForTokenClassification": lambda: t.RobertaForTokenClassification(
        t.RobertaConfig(**dict(TEXT, pad_token_id=1))),
    "DistilBertForSequenceClassification": lambda: t.DistilBertForSequenceClassification(
        t.DistilBertConfig(vocab_size=64, dim=32, hidden_dim=48, n_layers=2, n_heads=4)),
    "ModernBertModel": lambda: t.ModernBertModel(t.ModernBertConfig(**{k: v for k, v in TEXT.items()
                                                                      if k != "num_key_value_heads"})),
    "T5Model": lambda: t.T5Model(t.T5Config(**T5)),
    "BartModel": lambda: t.BartModel(t.BartConfig(**PAIR)),
    "MarianModel": lambda: t.MarianModel(t.MarianConfig(**PAIR)),
    "M2M100Model": lambda: t.M2M100Model(t.M2M100Config(**PAIR)),
}


def shrink(config):
    for key, value in SENSE.items():
        if getattr(config, key, None) is not None:
            many = isinstance(getattr(config, key), (list, tuple)) and isinstance(value, int)
            setattr(config, key, [value, value] if many else value)
    return config


def part(name):
    """A model that sees or hears, around a small text part."""
    of = CONFIG_MAPPING[name]
    usual = of()
    text = dict(TEXT, head_dim=8)
    if name in ("qwen2_vl", "qwen2_5_vl"):
        text = dict(TEXT, rope_parameters=ROTARY)
    others = {key: shrink(getattr(usual, key)) for key in usual.sub_configs
              if key != "text_config" and getattr(usual, key) is not None}
    config = of(text_config=type(usual.text_config)(**text).to_dict(), **others)
    for key, value in TOKENS.items():
        if hasattr(config, key):
            setattr(config, key, value)
    for mapping in ("MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING", "MODEL_FOR_MULTIMODAL_LM_MAPPING",
                    "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING"):
        try:
            return getattr(auto, mapping)[type(config)](config)
        except (AttributeError, KeyError):
            pass
    raise LookupError("no class of " + name)


def randomise(model):
    torch.manual_seed(3)
    with torch.no_grad():
        for key, value in model.named_parameters():
            if "embed_positions" in key and model.config.model_type in ("marian", "m2m_100"):
                continue  # sinusoids
            if value.dim() > 1:
                value.normal_(0, 1.2 / value.shape[-1] ** 0.5 if "embed" not in key else 0.5)
            else:
                value.add_(0.2 * torch.randn_like(value))
    model.tie_weights()
    return model.float().eval()


def flatten(folder):
    """Qwen2-VL as it was published: the sizes of its text stand among the others."""
    path = os.path.join(folder, "config.json")
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    text = config.pop("text_config")
    rotary = text.pop("rope_parameters")
    text.update(rope_theta=rotary["rope_theta"],
                rope_scaling={"type": "mrope", "mrope_section": rotary["mrope_section"]})
    text.update(config)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(text, file)


def rename(folder, how):
    path = os.path.join(folder, "model.safetensors")
    save_file({how(key): value for key, value in load_file(path).items()}, path, {"format": "pt"})


def of_tf(key):
    return key.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")


def largest(got, wanted):
    return float(np.abs(got - wanted).max() / max(1, np.abs(wanted).max())) if got.shape == wanted.shape else np.inf


def look(program, model, speaks, change=None):
    """The largest difference, and what the program says beside."""
    given = {"input_ids": torch.tensor([IDS]), "output_attentions": True}
    options = ["--ids", " ".join(map(str, IDS))]
    pair = getattr(model.config, "is_encoder_decoder", False)
    if pair:
        given["decoder_input_ids"] = torch.tensor([IDS[:4]])
        options += ["--target-ids", " ".join(map(str, IDS[:4]))]
    model.set_attn_implementation("eager")
    with torch.no_grad():
        out = model(**given)
    wanted = {"weights": out.decoder_attentions if pair else out.attentions}
    if pair:
        wanted.update(encoder_weights=out.encoder_attentions, cross_weights=out.cross_attentions)
    wanted = {key: torch.stack([a[0] for a in value]).numpy() for key, value in wanted.items()}
    if speaks:
        wanted["logits"] = getattr(out, "logits", getattr(out, "prediction_logits", None))[0].numpy()
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        if change is not None:
            change(folder)
        path = os.path.join(folder, "x.npz")
        run = subprocess.run([program, "compute", folder, *options, "-o", path], capture_output=True, text=True)
        if run.returncode != 0:
            return np.inf, run.stderr.strip()
        got = dict(np.load(path))
    if ("logits" in got) != speaks:
        return np.inf, "logits: %s" % ("logits" in got)
    return max(largest(got[key], value) for key, value in wanted.items()), run.stderr.strip().split(": ", 2)[-1]


def cases():
    for name in PARTS:
        yield name, lambda name=name: part(name), True, None
    yield "qwen2_vl flat", lambda: part("qwen2_vl"), True, flatten
    yield "qwen2_5_vl flat", lambda: part("qwen2_5_vl"), True, flatten
    for name, make in CLASSES.items():
        yield name, make, name == "BertForPreTraining", None
    yield "BERT gamma", CLASSES["BertForPreTraining"], True, lambda folder: rename(folder, of_tf)
    for prefix in ("_orig_mod.", "module.", "base_model.model.", "model.", "pipe.0.auto_model."):
        yield "LlamaForCausalLM " + prefix, lambda: t.LlamaForCausalLM(t.LlamaConfig(**TEXT)), True, \
            lambda folder, prefix=prefix: rename(folder, lambda key: prefix + key)


def main(program, names):
    failed = []
    for name, make, speaks, change in cases():
        if names and name not in names:
            continue
        try:
            off, said = look(program, randomise(make()), speaks, change)
        except Exception as reason:  # whatever a version of the library cannot do
            off, said = np.inf, type(reason).__name__ + " " + str(reason)[:200].replace("\n", " ")
        print("%-38s %.1e  %s" % (name, off, said), flush=True)
        if not off <= LIMIT:
            failed.append(name)
    print("failed: " + ", ".join(failed) if failed else "all within %g" % LIMIT)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))

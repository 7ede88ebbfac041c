#!/usr/bin/env python3
"""The two small models of the wheel glassllm as safetensors: α of all heads and the logits beside what
the wheel computes itself with NumPy, which is neither PyTorch nor transformers.

    glassllm.py ATTNSCOPE         exit 77 where this Python lacks the wheel or safetensors
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.pop(0)  # this script has the wheel's name
try:
    import numpy as np
    from safetensors.numpy import save_file
    import glassllm
    from glassllm.model import GlassLM
    from glassllm.trace import Tracer
except ImportError as missing:
    print(missing)
    sys.exit(77)
WEIGHTS = os.path.join(os.path.dirname(glassllm.__file__), "weights")
LIMIT = 1e-5
NAMES = {"norm1.gamma": "input_layernorm", "norm2.gamma": "post_attention_layernorm",
         "attn.W_Q": "self_attn.q_proj", "attn.W_K": "self_attn.k_proj", "attn.W_V": "self_attn.v_proj",
         "attn.W_O": "self_attn.o_proj", "ffn.W1": "mlp.gate_proj", "ffn.W3": "mlp.up_proj",
         "ffn.W2": "mlp.down_proj", "E": "embed_tokens", "norm_f.gamma": "norm"}


def to_halves(matrix, width):
    """Columns whose neighbours turn together, as halves that do."""
    rows, columns = matrix.shape
    return matrix.reshape(rows, columns // width, width // 2, 2).swapaxes(2, 3).reshape(rows, columns)


def convert(model, folder):
    c, tensors = model.cfg, {}
    for name, parameter in model.named_parameters().items():
        value = parameter.data.astype(np.float16)
        block, layer, rest = name.partition("blocks.")[1], "", name
        if block:
            layer, rest = name[len("blocks."):].split(".", 1)
        if rest in ("attn.W_Q", "attn.W_K"):
            value = to_halves(value, c.d_model // c.n_heads)
        if ".W" in rest:
            value = value.T
        key = f"model.layers.{layer}.{NAMES[rest]}.weight" if block else f"model.{NAMES[rest]}.weight"
        tensors[key] = np.ascontiguousarray(value)
    save_file(tensors, os.path.join(folder, "model.safetensors"))
    config = dict(model_type="llama", architectures=["LlamaForCausalLM"], vocab_size=c.vocab_size,
                  hidden_size=c.d_model, num_hidden_layers=c.n_layers, num_attention_heads=c.n_heads,
                  num_key_value_heads=c.n_kv_heads, intermediate_size=int(8 * c.d_model / 3),
                  max_position_embeddings=c.max_len, rope_theta=c.rope_base, rms_norm_eps=c.eps,
                  hidden_act="silu", tie_word_embeddings=True)
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as out:
        json.dump(config, out)


def worst_of(program, model):
    alpha = logits = 0.0
    random = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        convert(model, folder)
        for count in (1, 2, 9, 33, 64, 128):
            ids, trace, out = random.integers(0, model.cfg.vocab_size, count), Tracer(), f"{folder}/x.npz"
            theirs = model(ids, trace=trace).data[0]
            subprocess.run([program, "compute", folder, "--ids", " ".join(map(str, ids)), "-o", out],
                           check=True)
            mine = dict(np.load(out))
            for layer in range(model.cfg.n_layers):
                weights = np.asarray(trace.get("attn.softmax", layer=layer).value)
                alpha = max(alpha, float(np.abs(mine["weights"][layer] - weights).max()))
            logits = max(logits, float(np.abs(mine["logits"] - theirs).max() / np.abs(theirs).max()))
    return alpha, logits


def main():
    failed = False
    for language in ("en", "pt"):
        alpha, logits = worst_of(sys.argv[1], GlassLM.load(os.path.join(WEIGHTS, language + ".npz")))
        print(f"{language}: largest difference of α {alpha:.1e}, of logits {logits:.1e}")
        failed |= not max(alpha, logits) <= LIMIT
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

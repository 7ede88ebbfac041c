#!/usr/bin/env python3
"""Circuits of the weights beside NumPy, for several families.

    python3 circuits.py ATTNSCOPE FIXTURES        77: NumPy, PyTorch or transformers cannot be imported

The weights are read by transformers; products of all factors in float64, and eigenvalues by numpy.linalg.
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy
    import torch
    import transformers
except ImportError as error:
    print(f"Nothing is compared: {error}.")
    sys.exit(77)

ATTNSCOPE, FIXTURES = sys.argv[1:3]
FAMILIES = ["../tiny", "gemma2", "llama3", "mistral", "neox", "olmo2", "qwen2", "qwen3"]
bad = 0


def weights_of(model):
    """Of each layer Q, K, V [heads][width][d], O [heads][d][width], gains folded in; W_E and W_U."""
    config, state = model.config, {name: value.numpy() for name, value in model.state_dict().items()}
    kind, heads, width = config.model_type, config.num_attention_heads, config.hidden_size
    groups = getattr(config, "num_key_value_heads", None) or heads
    plus = 1.0 if kind.startswith("gemma") else 0.0
    centred = kind in ("gpt2", "gpt_neox")
    centre = numpy.eye(width) - (1.0 / width if centred else 0)
    layers = []

    def fold(name, matrix):  # what reads behind a norm
        return centre @ ((state[name] + plus)[:, None] * matrix) if name in state else matrix

    for layer in range(config.num_hidden_layers):
        if kind == "gpt2":
            at = f"transformer.h.{layer}."
            q, k, v = numpy.split(state[at + "attn.c_attn.weight"], 3, 1)
            o, norm = state[at + "attn.c_proj.weight"], at + "ln_1.weight"
        elif kind == "gpt_neox":
            at = f"gpt_neox.layers.{layer}."
            packed = state[at + "attention.query_key_value.weight"].T.reshape(width, heads, 3, -1)
            q, k, v = (packed[:, :, part].reshape(width, -1) for part in range(3))
            o, norm = state[at + "attention.dense.weight"].T, at + "input_layernorm.weight"
        else:
            at = f"model.layers.{layer}."
            q, k, v, o = (state[f"{at}self_attn.{name}_proj.weight"].T for name in "qkvo")
            norm = at + ("none" if kind == "olmo2" else "input_layernorm.weight")
            if kind in ("gemma2", "olmo2"):
                o = o * (state[at + "post_attention_layernorm.weight"] + plus)
        q, k, v = (fold(norm, matrix) for matrix in (q, k, v))
        for name, which in (("q", 0), ("k", 1)):
            gain = state.get(f"{at}self_attn.{name}_norm.weight")
            if gain is not None:
                gain = numpy.tile(gain + plus, (q, k)[which].shape[1] // len(gain))
                q, k = (q * gain, k) if which == 0 else (q, k * gain)
        q, o = q.reshape(width, heads, -1).transpose(1, 0, 2), o.reshape(heads, -1, width)
        k, v = (m.reshape(width, groups, -1).transpose(1, 0, 2).repeat(heads // groups, 0) for m in (k, v))
        layers.append((q, k, v, o))
    embed = state[{"gpt2": "transformer.wte.weight", "gpt_neox": "gpt_neox.embed_in.weight"}.get(
        kind, "model.embed_tokens.weight")]
    last = {"gpt2": "transformer.ln_f.weight", "gpt_neox": "gpt_neox.final_layer_norm.weight"}.get(kind, "model.norm.weight")
    unembed = fold(last, model.get_output_embeddings().weight.detach().numpy().T)
    return layers, embed * (width ** 0.5 if kind.startswith("gemma") else 1), unembed


def compare(family, what, got, wanted):
    global bad
    wanted = numpy.asarray(wanted)
    off = float(numpy.abs(numpy.asarray(got) - wanted).max() / max(1.0, numpy.abs(wanted).max()))
    if not off <= 1e-5:
        bad += 1
        print(f"{family}: {what} is off by {off:.3g}")
    return off


def ours(folder, *options):
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "out.npz")
        subprocess.run([ATTNSCOPE, "circuits", folder, *options, "-o", path], check=True)
        text = subprocess.run([ATTNSCOPE, "circuits", folder, *options], check=True, stdout=subprocess.PIPE).stdout
        return dict(numpy.load(path)), json.loads(text)


def check(family):
    folder = os.path.join(FIXTURES, family)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64)
    layers, embed, unembed = weights_of(model)
    heads = len(layers[0][0])
    arrays, answer = ours(folder)
    worst = 0.0
    scale = getattr(model.config, "query_pre_attn_scalar", None) or layers[0][0].shape[-1]
    for place in range(len(layers) * heads):
        layer, head = divmod(place, heads)
        q, k, v, o = (part[head] for part in layers[layer])
        values = numpy.linalg.eigvals(o @ unembed @ embed @ v)
        copying = values.sum().real / numpy.abs(values).sum()
        worst = max(worst, compare(family, f"copying of {place}", arrays["copying"][layer, head], copying))
        worst = max(worst, compare(family, "copying in JSON", answer["heads"][place]["copying"], copying))
        if place < heads or place == len(layers) * heads - 1:
            one, text = ours(folder, "--head", f"L{layer}H{head}")
            ov, qk = embed @ v @ o @ unembed, embed @ q @ k.T @ embed.T / scale ** 0.5
            worst = max(worst, compare(family, f"OV of {place}", one["ov"], ov),
                        compare(family, f"QK of {place}", one["qk"], qk),
                        compare(family, "top of OV", [row[2] for row in text["ov"]["top"]],
                                numpy.sort(ov.ravel())[::-1][:10]),
                        compare(family, "bottom of QK", [row[2] for row in text["qk"]["bottom"]],
                                numpy.sort(qk.ravel())[:10]),
                        compare(family, "its copying", text["copying"], copying))
        for later in range((layer + 1) * heads, len(layers) * heads):
            q2, k2, v2, o2 = (part[later % heads] for part in layers[later // heads])
            for name, read in (("Q", q2 @ k2.T), ("K", k2 @ q2.T), ("V", v2 @ o2)):
                wanted = numpy.linalg.norm(v @ o @ read) / numpy.linalg.norm(v @ o) / numpy.linalg.norm(read)
                got = arrays[f"composition_{name}"][layer, head, later // heads, later % heads]
                worst = max(worst, compare(family, f"{name} of {later} after {place}", got, wanted))
    print(f"{family}: {worst:.2g}")


for family in FAMILIES:
    check(family)
sys.exit(1 if bad else 0)

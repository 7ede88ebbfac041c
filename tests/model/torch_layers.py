#!/usr/bin/env python3
"""The tiny checkpoint through PyTorch's own layers, against `attnscope compute`.

    python3 torch_layers.py ATTNSCOPE FOLDER        77: PyTorch cannot be imported, nothing is compared

The layers are torch.nn's Embedding, LayerNorm, MultiheadAttention, Linear and GELU in float64; only the order they are
called in is written here (Radford et al. 2019).
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import zipfile

try:
    import torch
    from torch import nn
except ImportError:
    print("PyTorch is not installed.")
    sys.exit(77)

ATTNSCOPE, FOLDER = sys.argv[1:3]
TEXT, SLACK = "The Cat's mat isn't where they'd sit.", 4e-6
TYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
ARRAYS = {"<f4": torch.float32, "<i4": torch.int32, "<i8": torch.int64}
torch.set_default_dtype(torch.float64)


def read_safetensors(path):
    content = open(path, "rb").read()
    length = struct.unpack("<Q", content[:8])[0]
    tensors = {}
    for name, row in json.loads(content[8:8 + length]).items():
        if name != "__metadata__" and row["dtype"] in TYPES:  # masks are no part of it
            begin, end = (8 + length + place for place in row["data_offsets"])
            values = torch.frombuffer(bytearray(content[begin:end]), dtype=TYPES[row["dtype"]])
            tensors[name.removeprefix("transformer.")] = values.reshape(row["shape"]).double()
    return tensors


def read_npz(path):
    arrays = {}
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            content = file.read(name)
            start = 10 + struct.unpack("<H", content[8:10])[0]
            header = eval(content[10:start], {"__builtins__": {}})
            if header["descr"] in ARRAYS:  # tokens are texts
                values = torch.frombuffer(bytearray(content[start:]), dtype=ARRAYS[header["descr"]])
                arrays[name.removesuffix(".npy")] = values.reshape(header["shape"]).double()
    return arrays


def linear(weight, bias):
    layer = nn.Linear(*weight.shape)
    layer.load_state_dict({"weight": weight.T, "bias": bias})
    return layer


def norm(tensors, name, width, epsilon):
    layer = nn.LayerNorm(width, eps=epsilon)
    layer.load_state_dict({part: tensors[f"{name}.{part}"] for part in ("weight", "bias")})
    return layer


def attention(tensors, name, width, heads):
    layer = nn.MultiheadAttention(width, heads, batch_first=True)
    layer.load_state_dict({"in_proj_weight": tensors[f"{name}.c_attn.weight"].T,
                           "in_proj_bias": tensors[f"{name}.c_attn.bias"],
                           "out_proj.weight": tensors[f"{name}.c_proj.weight"].T,
                           "out_proj.bias": tensors[f"{name}.c_proj.bias"]})
    return layer


def forward(tensors, config, ids):
    width, epsilon = config["n_embd"], config["layer_norm_epsilon"]
    hidden = (nn.functional.embedding(ids, tensors["wte.weight"]) + tensors["wpe.weight"][:len(ids)])[None]
    unseen = torch.ones(len(ids), len(ids), dtype=torch.bool).triu(1)
    weights, residual = [], [hidden[0]]
    for layer in range(config["n_layer"]):
        h = f"h.{layer}"
        x = norm(tensors, f"{h}.ln_1", width, epsilon)(hidden)
        mixed, alpha = attention(tensors, f"{h}.attn", width, config["n_head"])(
            x, x, x, attn_mask=unseen, need_weights=True, average_attn_weights=False)
        weights.append(alpha[0])
        hidden = hidden + mixed
        mlp = nn.Sequential(norm(tensors, f"{h}.ln_2", width, epsilon),
                            linear(tensors[f"{h}.mlp.c_fc.weight"], tensors[f"{h}.mlp.c_fc.bias"]),
                            nn.GELU(approximate="tanh"),
                            linear(tensors[f"{h}.mlp.c_proj.weight"], tensors[f"{h}.mlp.c_proj.bias"]))
        hidden = hidden + mlp(hidden)
        residual.append(hidden[0])
    out = norm(tensors, "ln_f", width, epsilon)(hidden)[0] @ tensors.get("lm_head.weight", tensors["wte.weight"]).T
    return {"weights": torch.stack(weights), "residual": torch.stack(residual), "logits": out}


def main():
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.npz")
        subprocess.run([ATTNSCOPE, "compute", FOLDER, "--text", TEXT, "--select", "token_ids,weights,residual,logits",
                        "--format", "npz", "-o", out, "--quiet"], check=True)
        got = read_npz(out)
    tensors = read_safetensors(os.path.join(FOLDER, "model.safetensors"))
    config = json.load(open(os.path.join(FOLDER, "config.json")))
    with torch.no_grad():
        expected = forward(tensors, config, got["token_ids"].long().flatten())
    wrong = 0
    for name, values in expected.items():
        scale = max(1, values.abs().max().item())
        error = (got[name] - values).abs().max().item() / scale
        fine = got[name].shape == values.shape and math.isfinite(error) and error < SLACK
        print(f"{name}: {list(values.shape)}, at most {error:.1e} of the largest away{'' if fine else ': WRONG'}")
        wrong += not fine
    return 1 if wrong else 0


sys.exit(main())

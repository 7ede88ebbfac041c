#!/usr/bin/env python3
"""Steps of training, against PyTorch's autograd and its AdamW.

    torch_step.py STEPS             the shapes below, by the program `steps`: logits, every gradient, a step of every
                                    weight, and ten losses from the same start and batches
    torch_step.py FILE.npz [FOLDER] what `attnscope train --dump-step FILE.npz -o FOLDER` wrote: its first step

77: PyTorch cannot be imported, nothing is compared. The layers are written out here with PyTorch's own operations, in
float32 as attnscope computes; only autograd says what gradients are.
"""
import json
import math
import subprocess
import sys
import tempfile
import zipfile

try:
    import torch
    import torch.nn.functional as functional
except ImportError:
    print("PyTorch is not installed.")
    sys.exit(77)

torch.set_num_threads(1)
SLACK, STEPS = 1e-5, 10
SHAPES = [f"{family} {mlp} {norm} {tied} {sees}" for family in ("gpt2", "llama") for mlp in ("mlp", "plain")
          for norm, tied, sees in (("norm", "tied", "past"), ("norm", "untied", "all"), ("bare", "untied", "past"))]
TYPES = {"<f4": torch.float32, "<i8": torch.int64}


def read_npz(path):
    arrays = {}
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            content = file.read(name)
            start = 10 + int.from_bytes(content[8:10], "little")
            header = eval(content[10:start], {"__builtins__": {}})
            values = torch.frombuffer(bytearray(content[start:]), dtype=TYPES[header["descr"]])
            arrays[name.removesuffix(".npy")] = values.reshape(header["shape"])
    return arrays


def turned(x, theta):
    """Rotary positions by halves."""
    half = x.shape[-1] // 2
    angles = torch.outer(torch.arange(x.shape[-2], dtype=torch.float64),
                         theta ** (-torch.arange(half, dtype=torch.float64) / half))
    cos, sin = angles.cos().float(), angles.sin().float()
    first, second = x[..., :half], x[..., half:]
    return torch.cat((first * cos - second * sin, first * sin + second * cos), -1)


def attend(about, q, k, v):
    """[batch][context][heads * d_k] each; the concatenation of all Z."""
    batch, context, width = q.shape
    q, k, v = (part.view(batch, context, about["heads"], -1).transpose(1, 2) for part in (q, k, v))
    if about["family"] == "llama":
        q, k = turned(q, about["theta"]), turned(k, about["theta"])
    scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
    if about["causal"]:
        scores = scores.masked_fill(torch.ones(context, context, dtype=torch.bool).triu(1), -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, context, width)


def norm(about, p, name, x):
    if not about["norm"]:
        return x
    if about["family"] == "gpt2":
        return functional.layer_norm(x, x.shape[-1:], p[name + ".weight"], p[name + ".bias"], 1e-5)
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * p[name + ".weight"]


def gpt2_layer(about, p, name, x):
    def linear(part, y):
        return y @ p[f"{name}.{part}.weight"] + p[f"{name}.{part}.bias"]

    q, k, v = linear("attn.c_attn", norm(about, p, name + ".ln_1", x)).chunk(3, -1)
    x = x + linear("attn.c_proj", attend(about, q, k, v))
    if about["mlp"]:
        hidden = linear("mlp.c_fc", norm(about, p, name + ".ln_2", x))
        x = x + linear("mlp.c_proj", functional.gelu(hidden, approximate="tanh"))
    return x


def llama_layer(about, p, name, x):
    def linear(part, y):
        return functional.linear(y, p[f"{name}.{part}_proj.weight"])

    y = norm(about, p, name + ".input_layernorm", x)
    q, k, v = (linear("self_attn." + part, y) for part in "qkv")
    x = x + linear("self_attn.o", attend(about, q, k, v))
    if about["mlp"]:
        y = norm(about, p, name + ".post_attention_layernorm", x)
        x = x + linear("mlp.down", functional.silu(linear("mlp.gate", y)) * linear("mlp.up", y))
    return x


def logits_of(about, p, tokens):
    if about["family"] == "gpt2":
        embedding = p["transformer.wte.weight"]
        x = embedding[tokens] + p["transformer.wpe.weight"][:tokens.shape[1]]
        layer, names, last = gpt2_layer, "transformer.h", "transformer.ln_f"
    else:
        embedding = p["model.embed_tokens.weight"]
        x, layer, names, last = embedding[tokens], llama_layer, "model.layers", "model.norm"
    for number in range(about["layers"]):
        x = layer(about, p, f"{names}.{number}", x)
    return norm(about, p, last, x) @ (embedding if about["tied"] else p["lm_head.weight"]).T


def off_by(known, ours):
    """The largest difference, relative to the largest entry."""
    size = known.abs().max().item()
    return (known - ours).abs().max().item() / (size if size > 0 else 1)


def parameters(arrays):
    """Those that learn: a spare MLP of zeros has no gradient."""
    return {name[2:]: arrays["p." + name[2:]].clone().requires_grad_() for name in arrays if name.startswith("g.")}


def optimiser_of(about, p):
    groups = [{"params": [t for t in p.values() if t.dim() == 2], "weight_decay": about["weight_decay"]},
              {"params": [t for t in p.values() if t.dim() == 1], "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=about["rate"], betas=(about["beta1"], about["beta2"]), eps=1e-8)


def step(about, p, optimiser, number, arrays):
    """One step of PyTorch's; its logits and its loss."""
    logits = logits_of(about, p, arrays["tokens"])
    loss = functional.cross_entropy(logits.flatten(0, 1), arrays["targets"].flatten(), ignore_index=-1)
    optimiser.zero_grad()
    loss.backward()
    for group in optimiser.param_groups:
        group["lr"] = about["rate"] * min(1, (number + 1) / max(1, about["warmup"]))
    optimiser.step()
    return logits.detach(), loss.item()


def compare(title, about, files):
    """True when all is within the slack."""
    first = files[0]
    p = parameters(first)
    optimiser = optimiser_of(about, p)
    worst = {}
    for number, arrays in enumerate(files):
        logits, loss = step(about, p, optimiser, number, arrays)
        worst["losses"] = max(worst.get("losses", 0), abs(loss - arrays["loss"].item()))
        if number == 0:
            worst["logits"] = off_by(logits, arrays["logits"])
            worst["gradients"] = max(off_by(t.grad, arrays["g." + name]) for name, t in p.items() if
                                     t.grad.abs().max() > 1e-7)
            worst["steps"] = 0
            for name, t in p.items():
                # Where a gradient is nothing but rounding, AdamW makes a whole step of its sign.
                clear = t.grad.abs() > 1e-4 * t.grad.abs().max()
                off = ((t.detach() - arrays["q." + name]).abs() * clear).max().item()
                worst["steps"] = max(worst["steps"], off / t.detach().abs().max().item())
    print(f"{title}: " + ", ".join(f"{what} {value:.1e}" for what, value in sorted(worst.items())))
    return all(value <= SLACK for value in worst.values())


def about_folder(path):
    with open(path + "/config.json", encoding="utf-8") as file:
        return about_recipe(json.load(file)["attnscope"])


def about_recipe(recipe):
    flat = {}

    def take(value):
        for key, part in value.items():
            if isinstance(part, dict):
                take(part)
            else:
                flat.setdefault(key, part)

    take(recipe)
    return {"family": flat["family"], "layers": flat["layers"], "heads": flat["heads"], "d_k": flat.get("d_k"),
            "mlp": flat.get("mlp", 0) > 0, "norm": flat.get("norm", True), "tied": flat.get("tied", True),
            "causal": flat.get("causal", True), "theta": flat.get("theta", 10000), "rate": flat["rate"],
            "beta1": flat.get("beta1", 0.9), "beta2": flat.get("beta2", 0.98),
            "weight_decay": flat.get("weight_decay", 0.01), "warmup": flat.get("warmup", 0)}


def main():
    if sys.argv[1].endswith(".npz"):
        fine = compare(sys.argv[1], about_folder(sys.argv[2]), [read_npz(sys.argv[1])])
        sys.exit(0 if fine else 1)
    fine = True
    for shape in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            told = subprocess.run([sys.argv[1], folder, *shape.split(), str(STEPS)], check=True, capture_output=True)
            files = [read_npz(f"{folder}/{number}.npz") for number in range(STEPS)]
            fine = compare(shape, json.loads(told.stdout), files) and fine
    sys.exit(0 if fine else 1)


main()

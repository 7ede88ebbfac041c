#!/usr/bin/env python3
"""Interventions and the lens beside transformers with hooks, for several families.

    python3 oracle.py ATTNSCOPE FIXTURES        77: PyTorch or transformers cannot be imported

Every model is loaded in float64; its own layers compute, and hooks replace what the options of attnscope replace.
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
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
except ImportError as error:
    print(f"Nothing is compared: {error}.")
    sys.exit(77)

ATTNSCOPE, FIXTURES = sys.argv[1:3]
SLACK = 1e-4
IDS = [5, 9, 7, 9, 6, 8, 11]
FAMILIES = ["gemma2", "llama3", "mistral", "neox", "olmo2", "opt", "phi3", "qwen2", "qwen3"]
MASKED = []  # (layer, head, query, key) of the attention that stands in for the family's own
bad = 0


def attend(module, query, key, value, attention_mask, scaling, dropout=0.0, softcap=None, sliding_window=None, **others):
    """Softmax(Q·Kᵀ) · V with pairs that one head does not see."""
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.transpose(2, 3) * scaling
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    places = torch.arange(scores.shape[-1])
    distance = places[:, None] - places[None, :]
    hidden = distance < 0
    if sliding_window is not None:
        hidden |= distance >= sliding_window
    scores = scores.masked_fill(hidden, -torch.inf)
    for layer, head, i, j in MASKED:
        if layer == module.layer_idx:
            scores[:, head, i, j] = -torch.inf
    weights = torch.softmax(scores, -1)
    return (weights @ value).transpose(1, 2).contiguous(), weights


ALL_ATTENTION_FUNCTIONS["why"] = attend


def parts_of(model):
    """Layers, their output projections, their MLPs' last step, the last norm."""
    body = model.base_model
    body = getattr(body, "decoder", body)
    layers = next(getattr(body, name) for name in ("layers", "h") if hasattr(body, name))
    norm = next(getattr(body, name) for name in ("norm", "final_layer_norm", "ln_f") if hasattr(body, name))

    def output(layer):
        attention = next(getattr(layer, name) for name in ("self_attn", "attention", "attn") if hasattr(layer, name))
        return next(getattr(attention, name) for name in ("o_proj", "out_proj", "dense", "c_proj")
                    if hasattr(attention, name))

    def mlp(layer):  # what is added: behind its norm, where there is one
        for name in ("post_feedforward_layernorm", "mlp", "fc2"):
            if hasattr(layer, name):
                return getattr(layer, name)
        raise AttributeError("no MLP")

    return layers, output, mlp, norm


def off_head(head, heads, row, mean):
    def hook(_, inputs):
        z = inputs[0].clone()
        width = z.shape[-1] // heads
        part = z[..., head * width:(head + 1) * width]
        value = part.mean(-2, keepdim=True) if mean else torch.zeros_like(part[..., :1, :])
        rows = slice(None) if row is None else slice(row, row + 1)
        part[..., rows, :] = value.expand_as(part[..., rows, :]).clone()
        return (z, *inputs[1:])
    return hook


def off_mlp(mean):
    def hook(_, inputs, output):
        flat = output.reshape(len(IDS), -1)
        value = flat.mean(0, keepdim=True) if mean else torch.zeros_like(flat[:1])
        return value.expand_as(flat).reshape(output.shape).clone()
    return hook


def logits_of(model, hooks=()):
    handles = [register(hook) for register, hook in hooks]
    try:
        with torch.no_grad():
            return model(torch.tensor([IDS]), use_cache=False).logits[0]
    finally:
        for handle in handles:
            handle.remove()


def ours(folder, *options):
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "out.npz")
        call, *rest = options
        subprocess.run([ATTNSCOPE, call, folder, "--ids", " ".join(map(str, IDS)), *rest, "-o", path, "--quiet"],
                       check=True)
        return dict(numpy.load(path))


def ours_of(folder, call, *options):
    """Of a call that takes no ids."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "out.npz")
        subprocess.run([ATTNSCOPE, call, folder, *options, "-o", path, "--quiet"], check=True)
        return dict(numpy.load(path))


def compare(family, what, got, wanted):
    global bad
    wanted = wanted.numpy() if torch.is_tensor(wanted) else wanted
    off = float(numpy.abs(got - wanted).max() / max(1.0, numpy.abs(wanted).max()))
    if not off <= SLACK:
        bad += 1
        print(f"{family}: {what} is off by {off:.3g}")
    return off


def check(family):
    folder = os.path.join(FIXTURES, family)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64, attn_implementation="why")
    model.eval()
    layers, output, mlp, norm = parts_of(model)
    heads, last = model.config.num_attention_heads, len(layers) - 1
    compute = ("compute", "--select", "logits")
    worst = compare(family, "the model", ours(folder, *compute)["logits"], logits_of(model))

    for options, hooks in (
            (["--without", "L0H1"], [(output(layers[0]).register_forward_pre_hook, off_head(1, heads, None, False))]),
            (["--without", f"L{last}H0=mean"],
             [(output(layers[last]).register_forward_pre_hook, off_head(0, heads, None, True))]),
            (["--without", "L0H0@4,MLP0=mean"],
             [(output(layers[0]).register_forward_pre_hook, off_head(0, heads, 3, False)),
              (mlp(layers[0]).register_forward_hook, off_mlp(True))]),
            (["--without", f"MLP{last}"], [(mlp(layers[last]).register_forward_hook, off_mlp(False))])):
        worst = max(worst, compare(family, " ".join(options), ours(folder, *compute, *options)["logits"],
                                   logits_of(model, hooks=hooks)))

    MASKED[:] = [(0, 1, 5, 4), (last, 0, 6, 6)]
    worst = max(worst, compare(family, "--edge", ours(folder, *compute, "--edge", "L0H1:6>5", "--edge",
                                                      f"L{last}H0:7:7")["logits"], logits_of(model)))
    MASKED[:] = []

    worst = max(worst, check_ablation(family, folder, model, layers, output), check_heads(family, folder, model))
    worst = max(worst, check_lens(family, folder, model, layers, norm))
    print(f"{family}: {worst:.2g}")


def probe(vocabulary, text, count):
    """The tokens that --probe draws (SplitMix64), which come twice."""
    full, ids, state = (1 << 64) - 1, [], 0x9E3779B97F4A7C15 * (text + 1) & ((1 << 64) - 1)
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & full
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & full
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & full
        ids.append((mixed ^ mixed >> 31) % vocabulary)
    return ids + ids


def check_ablation(family, folder, model, layers, output):
    """Several heads off at once: how well the text's own words are foretold, before and after."""
    def loss(logits):
        return float(torch.nn.functional.cross_entropy(logits[:-1], torch.tensor(IDS[1:])))

    heads, last, worst = model.config.num_attention_heads, len(layers) - 1, 0.0
    parts = [(0, 0), (0, 1), (last, 0), (last, 1)]
    hooks = [(output(layers[layer]).register_forward_pre_hook, off_head(head, heads, None, False)) for layer, head in parts]
    said = subprocess.run([ATTNSCOPE, "ablate", folder, "--ids", " ".join(map(str, IDS)), "--quiet", "--heads",
                           ",".join(f"L{layer}H{head}" for layer, head in parts)], check=True, stdout=subprocess.PIPE)
    got = json.loads(said.stdout)
    worst = max(worst, compare(family, "loss", numpy.array(got["loss"]), numpy.array(loss(logits_of(model)))))
    return max(worst, compare(family, "loss_without", numpy.array(got["loss_without"]),
                              numpy.array(loss(logits_of(model, hooks=hooks)))))


def check_heads(family, folder, model, count=6):
    """Previous and induction on the eight texts of --probe, mean and spread."""
    got, worst = ours_of(folder, "heads", "--probe", str(count)), 0.0
    previous, induction = [], []
    for text in range(8):
        ids = probe(model.config.vocab_size, text, count)
        with torch.no_grad():
            attentions = model(torch.tensor([ids]), use_cache=False, output_attentions=True).attentions
        alpha = torch.stack([a[0] for a in attentions]).numpy()
        cases = [(i, max(j for j in range(i) if ids[j] == ids[i]) + 1) for i in range(len(ids)) if ids[i] in ids[:i]]
        previous.append(numpy.mean([alpha[..., i, i - 1] for i in range(1, len(ids))], 0))
        induction.append(numpy.mean([alpha[..., i, j] for i, j in cases], 0))
    for name, wanted in (("previous", previous), ("induction", induction)):
        worst = max(worst, compare(family, name, got[name], numpy.mean(wanted, 0)))
    return worst


def check_lens(family, folder, model, layers, norm):
    """Behind each layer: the last norm, the words; probabilities of our ten likeliest."""
    stages = []
    hooks = [(layer.register_forward_hook,
              lambda _, inputs, output: stages.append(output[0] if isinstance(output, tuple) else output))
             for layer in layers]
    logits_of(model, hooks=hooks)
    got, worst = ours(folder, "why"), 0.0
    cap = getattr(model.config, "final_logit_softcapping", None)
    for number, stage in enumerate(stages):
        with torch.no_grad():
            logits = model.get_output_embeddings()(norm(stage.reshape(len(IDS), -1)))
        logits = cap * torch.tanh(logits / cap) if cap else logits
        shares = torch.softmax(logits, -1).numpy()
        ids = got["lens"][2 * number + 2]
        wanted = numpy.take_along_axis(shares, ids, 1)
        worst = max(worst, compare(family, f"lens behind layer {number}", got["lens_probability"][2 * number + 2], wanted))
    return worst


for family in FAMILIES:
    check(family)
sys.exit(1 if bad else 0)

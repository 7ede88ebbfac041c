#!/usr/bin/env python3
"""Makes the checkpoint in tests/model/tiny and what is expected of it, in float64.

    python3 make_tiny.py FOLDER

Written from the published descriptions alone, without the program: byte-level byte-pair encoding as
in openai/gpt-2's encoder.py, and the forward pass of GPT-2 (Radford et al. 2019). Needs NumPy.

    FOLDER/config.json  model.safetensors  vocab.json  merges.txt      as they are given away
    FOLDER/expected.json     texts and their ids
    FOLDER/expected.npz      ids, weights, residual, logits, and layer 1's Q, K, V, Z, concat, output
"""
import json
import struct
import sys
import unicodedata

import numpy as np

LAYERS, HEADS, WIDTH, POSITIONS, VOCABULARY = 2, 2, 12, 32, 300

CORPUS = """the cat sat on the mat and the dog sat on the cat. the cat's mat isn't the dog's mat.
then they'd sit there and we'll see that it's the rat that ate the oats at the other end of the street.
where there is heat there is water, and the weather is better than the other weather in the north.
"""

TEXTS = [
    "", " ", "a", "the cat sat on the mat", "The Cat's mat isn't where they'd sit.",
    "I'll we've you're I'm HE'S 'tis 's't", "  two  blanks   and\ttabs\n\nlines \n end  ",
    "numbers 123 and 4five6 in 7.5%", "na\u00efve caf\u00e9 \u4f60\u597d \U0001f600 \u05e9\u05dc\u05d5\u05dd",
    "punct!!! (really?) -- \u2026 ...the", "no\u00a0break\u3000wide\u2003em", "\u0661\u0662\u0663 \u2167 \u00bd x\u00b2",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "thethethe the  the", "<|endoftext|>the<|endoftext|> cat",
    "e\u0301 combining", "under_score snake_case", "tab\tthe\r\nthe", "\x00\x01\x7f control", "'", "''s' 'the",
]



def random_texts(count):
    rng = np.random.default_rng(11)
    letters = list("theatsnor  '\n") + ["the", " the", " cat", "'s", "'re", "1", "!", "\u00e9", "\u4f60", "\u3000", "\t"]
    return ["".join(rng.choice(letters, size=rng.integers(1, 40))) for _ in range(count)]


def byte_letters():
    own = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or b >= 174]
    rest = [b for b in range(256) if b not in own]
    return {**{b: chr(b) for b in own}, **{b: chr(256 + i) for i, b in enumerate(rest)}}


SPACES = set(map(chr, [*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
                       0x202F, 0x205F, 0x3000]))


def kind(letter):
    if letter in SPACES:
        return "s"
    category = unicodedata.category(letter)[0]
    return category if category in "LN" else "o"


def split(text):
    at = 0
    while at < len(text):
        end = None
        for ending in ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"]:
            if text.startswith(ending, at):
                end = at + len(ending)
                break
        if end is None:
            start = at + 1 if text[at] == " " and at + 1 < len(text) and kind(text[at + 1]) != "s" else at
            wanted = kind(text[start])
            end = start
            while end < len(text) and kind(text[end]) == wanted:
                end += 1
            if wanted == "s" and end < len(text) and end - at > 1:
                end -= 1
        yield text[at:end]
        at = end


def merge_all(word, pair):
    out, i = [], 0
    while i < len(word):
        if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
            out.append(word[i] + word[i + 1])
            i += 2
        else:
            out.append(word[i])
            i += 1
    return out


def train(count):
    letters = byte_letters()
    words = [[letters[b] for b in piece.encode()] for piece in split(CORPUS)]
    merges = []
    while len(merges) < count:
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        words = [merge_all(word, best) for word in words]
    return merges


def encode(text, vocab, merges):
    ranks, letters, ids = {pair: i for i, pair in enumerate(merges)}, byte_letters(), []
    special = "<|endoftext|>"
    for number, part in enumerate(text.split(special)):
        if number > 0:
            ids.append(vocab[special])
        for piece in split(part):
            word = [letters[b] for b in piece.encode()]
            while True:
                known = [pair for pair in zip(word, word[1:]) if pair in ranks]
                if not known:
                    break
                word = merge_all(word, min(known, key=ranks.get))
            ids += [vocab[token] for token in word]
    return ids


def random_tensors():
    rng = np.random.default_rng(7)
    d = WIDTH

    def normal(*shape, size=0.3, mean=0.0):
        return (mean + size * rng.standard_normal(shape)).astype(np.float32)

    tensors = {"wte.weight": normal(VOCABULARY, d), "wpe.weight": normal(POSITIONS, d),
               "ln_f.weight": normal(d, mean=1.0, size=0.1), "ln_f.bias": normal(d, size=0.1)}
    for n in range(LAYERS):
        h = f"h.{n}."
        for norm in ["ln_1", "ln_2"]:
            tensors[h + norm + ".weight"] = normal(d, mean=1.0, size=0.1)
            tensors[h + norm + ".bias"] = normal(d, size=0.1)
        for name, rows, columns in [("attn.c_attn", d, 3 * d), ("attn.c_proj", d, d),
                                    ("mlp.c_fc", d, 4 * d), ("mlp.c_proj", 4 * d, d)]:
            tensors[h + name + ".weight"] = normal(rows, columns, size=0.8)
            tensors[h + name + ".bias"] = normal(columns)
        # A buffer that GPT-2's own files have too, and that nobody needs.
        tensors[h + "attn.bias"] = np.tril(np.ones((1, 1, POSITIONS, POSITIONS), np.uint8))
    return tensors


def write_safetensors(path, tensors):
    types = {np.dtype(np.float32): "F32", np.dtype(np.uint8): "U8"}
    header, at, body = {"__metadata__": {"format": "pt"}}, 0, b""
    for name, values in sorted(tensors.items(), key=lambda item: (-item[1].itemsize, item[0])):
        raw = values.tobytes()
        header[name] = {"dtype": types[values.dtype], "shape": list(values.shape),
                        "data_offsets": [at, at + len(raw)]}
        at += len(raw)
        body += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + body)


def norm(x, weight, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * weight + bias


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))


def forward(tensors, ids, off=()):
    t = {name: values.astype(np.float64) for name, values in tensors.items()}
    n, d_k = len(ids), WIDTH // HEADS
    out = {"weights": [], "residual": []}
    x = t["wte.weight"][ids] + t["wpe.weight"][:n]
    for layer in range(LAYERS):
        h = f"h.{layer}."
        out["residual"].append(x)
        a = norm(x, t[h + "ln_1.weight"], t[h + "ln_1.bias"])
        qkv = a @ t[h + "attn.c_attn.weight"] + t[h + "attn.c_attn.bias"]
        heads = [part.reshape(n, HEADS, d_k).swapaxes(0, 1) for part in np.split(qkv, 3, axis=-1)]
        q, k, v = heads
        scores = q @ k.swapaxes(1, 2)
        scaled = np.where(np.tril(np.ones((n, n), bool)), scores / np.sqrt(d_k), -np.inf)
        weights = np.exp(scaled - scaled.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        z = weights @ v
        for which in off:
            if which[0] == layer:
                z[which[1]] = 0
        concat = z.swapaxes(0, 1).reshape(n, WIDTH)
        attention = concat @ t[h + "attn.c_proj.weight"] + t[h + "attn.c_proj.bias"]
        out["weights"].append(weights)
        if layer == 1:
            out.update(X=a, Q=q, K=k, V=v, scores=scores, Z=z, concat=concat, output=attention)
        x = x + attention
        a = norm(x, t[h + "ln_2.weight"], t[h + "ln_2.bias"])
        a = gelu(a @ t[h + "mlp.c_fc.weight"] + t[h + "mlp.c_fc.bias"])
        x = x + a @ t[h + "mlp.c_proj.weight"] + t[h + "mlp.c_proj.bias"]
    out["residual"].append(x)
    out["logits"] = norm(x, t["ln_f.weight"], t["ln_f.bias"]) @ t["wte.weight"].T
    return {name: np.array(values) for name, values in out.items()}


def main(folder):
    merges = train(VOCABULARY - 257)
    letters = byte_letters()
    vocab = {letters[b]: i for i, b in enumerate(sorted(letters, key=lambda b: letters[b]))}
    for left, right in merges:
        vocab.setdefault(left + right, len(vocab))
    while len(vocab) < VOCABULARY - 1:
        vocab[f"unused{len(vocab)}"] = len(vocab)
    vocab["<|endoftext|>"] = len(vocab)
    tensors = random_tensors()
    ids = encode("the cat sat on the mat.", vocab, merges)
    expected = forward(tensors, ids)
    expected["logits_without"] = forward(tensors, ids, off=[(0, 1), (1, 0)])["logits"]
    config = {"model_type": "gpt2", "n_layer": LAYERS, "n_head": HEADS, "n_embd": WIDTH,
              "n_positions": POSITIONS, "n_ctx": POSITIONS, "vocab_size": VOCABULARY,
              "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5}

    def put(name, text):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text + "\n")

    put("config.json", json.dumps(config, indent=1))
    put("vocab.json", json.dumps(vocab, ensure_ascii=False))
    put("merges.txt", "#version: 0.2\n" + "\n".join(" ".join(pair) for pair in merges))
    texts = [text for text in TEXTS if "\0" not in text] + random_texts(150)
    rows = [json.dumps({"text": text, "ids": encode(text, vocab, merges)}) for text in texts]
    put("expected.json", "[\n" + ",\n".join(rows) + "\n]")
    write_safetensors(f"{folder}/model.safetensors", tensors)
    arrays = {name: values.astype(np.float64) for name, values in expected.items()}
    np.savez(f"{folder}/expected.npz", ids=np.array(ids, np.int32), **arrays)


if __name__ == "__main__":
    main(sys.argv[1])

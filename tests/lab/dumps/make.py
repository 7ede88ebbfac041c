#!/usr/bin/env python3
"""Small files of attention, as frameworks save them, for tests/lab/dump.c. Needs NumPy.

    python3 make.py FOLDER

Every number follows from alpha(layer, head) below, which the test computes again in C.
"""
import json
import struct
import sys

import numpy as np

LAYERS, HEADS, N, M, D = 2, 3, 4, 6, 8
WORDS = ["The", "cat", "s\u00e4t", "\U0001f63a"]
folder = sys.argv[1]


def score(layer, head, n=N, m=N):
    i, j = np.meshgrid(np.arange(n), np.arange(m), indexing="ij")
    return ((i * 7 + j * 3 + layer * 5 + head * 11) % 13) / 4


def alpha(layer, head, n=N, m=N):
    s = score(layer, head, n, m)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def whole(n=N, m=N):
    return np.array([[alpha(l, h, n, m) for h in range(HEADS)] for l in range(LAYERS)])


def path(name):
    return f"{folder}/{name}"


def bfloat16(values):
    bits = values.astype("<f4").view("<u4")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")


def safetensors(name, tensors, notes=None):
    header, place, content = {}, 0, b""
    if notes:
        header["__metadata__"] = notes
    for key, (kind, array) in tensors.items():
        data = array.tobytes()
        header[key] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [place, place + len(data)]}
        place += len(data)
        content += data
    text = json.dumps(header).encode()
    with open(path(name), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + content)


full = whole()
np.savez(path("half.npz"), attentions=full.astype("<f2"), tokens=np.array(WORDS))
np.savez_compressed(path("tuple.npz"), **{f"attentions_{l}": full[l][None] for l in range(LAYERS)})
np.savez(path("unnamed.npz"), *[full[l].astype("<f4") for l in range(LAYERS)])
np.savez(path("cross.npz"), cross_attentions=whole(N, M).astype(">f4"), tokens=np.array(WORDS),
         context=np.array(list("abcdef")))
np.save(path("heads.npy"), np.asfortranarray(full[1].astype("<f4")))
np.save(path("columns.npy"), full[0][1].T.copy())
np.save(path("axes.npy"), np.moveaxis(full[1], 0, 2).copy())
np.save(path("batch.npy"), np.stack([full, full[::-1]], axis=1))
np.savez(path("scores.npz"), **{"attn_scores": np.where(np.tril(np.ones((N, N))) > 0, np.array(
    [[score(l, h) for h in range(HEADS)] for l in range(LAYERS)]), -np.inf)})
safetensors("pattern.safetensors",
            {f"blocks.{l}.attn.hook_pattern": ("BF16", bfloat16(full[l][None])) for l in range(LAYERS)},
            {"tokens": json.dumps(WORDS)})
rows = np.arange(N * HEADS * D).reshape(1, N, HEADS, D)
safetensors("queries.safetensors",
            {**{f"blocks.{l}.attn.hook_q": ("F32", (np.sin(rows + l)).astype("<f4")) for l in range(LAYERS)},
             **{f"blocks.{l}.attn.hook_k": ("F32", (np.cos(rows * 2 + l)).astype("<f4")) for l in range(LAYERS)}})
# Packed so that it takes a while to unpack: each word looks at itself and at the first one.
eye = (np.eye(1024) + (np.arange(1024) == 0)) / 2
np.savez_compressed(path("packed.npz"), attentions=np.tile(eye.astype("<f4"), (2, 1, 1, 1)))
# What only a person knows: names that say nothing, axes in an order of their own.
np.savez(path("foreign.npz"), heads_of_mine=np.moveaxis(full, (0, 1, 2, 3), (1, 3, 0, 2)).astype("<f4"),
         wordlist=np.array(WORDS), other=np.arange(4))
# Beside what is attention, arrays of types that are not read.
safetensors("beside.safetensors", {"attentions": ("F32", full.astype("<f4")), "w": ("F8_E4M3", np.zeros((2, 3), "u1")),
                                   "x": ("F8_E5M2", np.zeros(8, "u1"))})
np.savez(path("beside.npz"), attentions=full.astype("<f4"), wave=np.zeros((2, 3), "<c8"),
         records=np.zeros(2, [("a", "<f4"), ("b", "<i4", (2,))]), half=np.zeros(3, "V2"), tokens=np.array(WORDS))
np.savez(path("wrong_none.npz"), attentions=np.array([None] * 2, dtype=object), tokens=np.array(WORDS))
np.savez(path("wrong_hollow.npz"), attentions=[], tokens=np.array(WORDS))
np.savez_compressed(path("none_beside.npz"), attentions=full.astype("<f4"), hidden_states=np.array(None, dtype=object))
np.savez(path("wrong_complex.npz"), attentions=full.astype("<c8"), tokens=np.array(WORDS))
np.savez(path("rows.npz"), left=np.sin(np.arange(LAYERS * HEADS * N * D)).reshape(LAYERS, HEADS, N, D).astype("<f4"),
         right=np.cos(np.arange(LAYERS * HEADS * N * D)).reshape(LAYERS, HEADS, N, D).astype("<f4"))
# One model that reads and writes: three kinds of attention, two lists of tokens.
pair = dict(encoder_attentions=whole(M, M).astype("<f4"), decoder_attentions=whole(N, N).astype("<f4"),
            cross_attentions=whole(N, M).astype("<f4"))
np.savez(path("pair.npz"), **pair, tokens=np.array(list("abcdef")), decoder_tokens=np.array(WORDS))
np.savez(path("pair_named.npz"), **pair, source_tokens=np.array(list("abcdef")), target_tokens=np.array(WORDS))


# What generate() saves: step by step the rows that are new, and the keys so far.
def causal(layer, head, n):
    e = np.tril(np.exp(score(layer, head, n, n)))
    return e / e.sum(axis=1, keepdims=True)


def grown(step):  # rows of the step: M words at first, then one by one
    rows, keys = (slice(0, M), M) if step == 0 else (slice(M + step - 1, M + step), M + step)
    return np.array([[causal(l, h, M + 3)[rows, :keys] for h in range(HEADS)] for l in range(LAYERS)])


np.savez_compressed(path("steps.npz"), **{f"attentions_{s}_{l}": grown(s)[l][None].astype("<f4")
                                          for s in range(4) for l in range(LAYERS)},
                    tokens=np.array(list("abcdefghij")))  # the last word written looked at nothing
np.savez(path("steps_flat.npz"), *[grown(s)[l][None].astype("<f4") for s in range(4) for l in range(LAYERS)])
np.savez(path("steps_stacked.npz"), **{f"step_{s}": grown(s).astype("<f4") for s in range(4)})
np.savez(path("steps_cross.npz"),
         **{f"layer_{l}.decoder_attn_{s}": causal(l, 0, 3)[None, s:s + 1, :s + 1] for s in range(3) for l in range(LAYERS)},
         **{f"layer_{l}.cross_attn_{s}": alpha(l, 0, 3, M)[None, s:s + 1] for s in range(3) for l in range(LAYERS)})
# Cross-attention alone of such a model: two words at first, then one by one.
np.savez(path("gen_cross.npz"),
         **{f"cross_attentions_{s}_{l}": whole(N, M)[l][None, :, :2] if s == 0 else whole(N, M)[l][None, :, s + 1:s + 2]
            for s in range(N - 1) for l in range(LAYERS)},
         decoder_tokens=np.array(WORDS), source_tokens=np.array(list("abcdef")))
# Tokens as Python objects, one of which is no text, beside numbers; and several texts of tokens.
np.savez(path("objects.npz"), attentions=full.astype("<f4"), tokens=np.array(WORDS, dtype=object),
         settings=np.array([{"seed": 1}, None], dtype=object), title=np.array("A sentence"))
np.savez(path("texts.npz"), attentions=np.stack([full[0], full[1]]).astype("<f4"), spare=np.arange(3),
         words=np.array([WORDS, ["a", "b", "c", "d"]], dtype=object, order="F"),
         names=np.asfortranarray(np.array([["e", "f", "g", "h"], WORDS])), labels=np.array(["x", "y"]))
# Queries and keys with the length before the heads.
np.savez(path("length_first.npz"), query=np.sin(np.arange(N * 5 * D)).reshape(1, N, 5, D).astype("<f4"),
         key=np.cos(np.arange(N * 5 * D)).reshape(1, N, 5, D).astype("<f4"), tokens=np.array(WORDS))
# Wrong ones: one rule broken in each.
np.savez(path("wrong_uneven.npz"), attentions_0=full[0], attentions_1=full[1][:, :3])
np.savez(path("wrong_negative.npz"), attentions=full - 0.5)
np.savez(path("wrong_nothing.npz"), W_Q=np.ones((3, 4)), W_K=np.full((3, 4), 2.0))
ragged = np.empty(2, dtype=object)
ragged[0], ragged[1] = full[0][0], alpha(0, 0, 3, 3)
np.savez(path("wrong_objects.npz"), attentions=ragged, eye=np.eye(3))
np.save(path("wrong_axes.npy"), np.ones((2,) * 7))
np.save(path("wrong_empty.npy"), np.ones((2, 0, 0)))
np.save(path("wrong_large.npy"), np.ones((1, 2, 5000), "<f2"))
safetensors("wrong_alone.safetensors", {"blocks.0.attn.hook_q": ("F32", np.ones((1, 4, 3, 8), "<f4"))})

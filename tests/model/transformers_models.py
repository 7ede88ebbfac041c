#!/usr/bin/env python3
"""Models as the library transformers saves them, and texts as the library tokenizers cuts them, against `attnscope`.

    python3 transformers_models.py ATTNSCOPE        77: one of the libraries cannot be imported, nothing is compared

A tokenizer is trained on a few lines, models of random weights are saved by save_pretrained: whole and in several files,
in three number formats, with and without tied logits, alone and without a head for logits, with every switch of the
configuration that the program takes. Attention as output_attentions gives it, and as TransformerLens names it, is
saved and opened again.
"""
import os
import random
import subprocess
import sys
import tempfile
import unicodedata

sys.path.pop(0)  # a script beside this one is called as a library is
os.environ.setdefault("HF_HUB_OFFLINE", "1")
try:
    import numpy
    import tokenizers
    import torch
    import transformers
except ImportError as missing:
    print(f"{missing.name} is not installed.")
    sys.exit(77)

ATTNSCOPE = sys.argv[1]
TEXT, SLACK, TEXTS = "The cat can't sit on the dog's mat.", 2e-6, 200
CORPUS = ["The cat sat on the mat, and the dog sat on the cat.\n",
          "Aerodynamics are for people who can't build engines. They'd say I'll, we've, you're, he's, I'm.\n",
          "日本語の文章です。中文句子。한국어 문장.\n", "café e\u0301 😀👩\u200d👧🇩🇪 ½ ² 1234567890\n",
          "def f(x):\n\treturn x   # comment\r\n\n\n"] * 20
PIECES = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "\u2019s", "can't", " ", "  ", "   ", "\n", "\r\n", "\n\n", " \n",
          "\t", "\u00a0", "\u3000", "\u200b", "\u200d", "\ufeff", "1", "23", "4567", "½", "²", "Ⅷ", "٣", "①", "a", "The", " the",
          "e\u0301", "n\u0303\u0323", "ﬁ", "ß", "İ", "ǅ", "日本語", "中文", "한국어", "々", "ー", "😀", "👩\u200d👩\u200d👧", "🇩🇪",
          "❤\ufe0f", "!", "?!", "...", "\u2014", "\u201c", "$", "€", "_", "\\", "#", "\u0301", "\u20e3", "हिन्दी", "العربية",
          "עברית", "\u2028", "\u0085", "\x01", "\x7f", "𝒳", "\u0345", "\u2160", "\u24b6", "\u3007", "ª", "<|endoftext|>"]
MODELS = [("float32", {}, {}), ("bfloat16", {}, {"dtype": torch.bfloat16}), ("float16", {}, {"dtype": torch.float16}),
          ("many files", {}, {"shard": "60KB"}), ("many files of bfloat16", {}, {"shard": "60KB", "dtype": torch.bfloat16}),
          ("untied", {"tie_word_embeddings": False}, {}), ("no logits of its own", {}, {"make": transformers.GPT2Model}),
          ("epsilon", {"layer_norm_epsilon": 1e-3}, {}), ("exact GELU", {"activation_function": "gelu"}, {}),
          ("ReLU", {"activation_function": "relu"}, {}), ("inner width", {"n_inner": 100}, {}),
          ("unscaled", {"scale_attn_weights": False}, {}), ("by layer", {"scale_attn_by_inverse_layer_idx": True}, {})]


def train():
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    tokenizer.train_from_iterator(CORPUS, tokenizers.trainers.BpeTrainer(
        vocab_size=700, special_tokens=["<|endoftext|>"], show_progress=False,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet()))
    return tokenizer


def save(folder, tokenizer, switches, how):
    torch.manual_seed(7)
    config = transformers.GPT2Config(vocab_size=tokenizer.get_vocab_size(), n_positions=256, n_embd=48, n_layer=3, n_head=4,
                                     bos_token_id=0, eos_token_id=0, attn_implementation="eager", **switches)
    model = how.get("make", transformers.GPT2LMHeadModel)(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.15)
    model = model.to(how.get("dtype", torch.float32))
    model.save_pretrained(folder, **({"max_shard_size": how["shard"]} if "shard" in how else {}))
    tokenizer.save(os.path.join(folder, "tokenizer.json"))
    return model


def compute(source, select, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.npz")
        subprocess.run([ATTNSCOPE, "compute", source, "--select", select, "--format", "npz", "-o", out, "--quiet", *options],
                       check=True)
        return dict(numpy.load(out))


def run(model, ids):
    with torch.no_grad():
        return model.double()(torch.tensor([ids]), output_attentions=True)


def distance(got, expected):
    return numpy.abs(got - expected).max() / max(1, numpy.abs(expected).max()) if got.shape == expected.shape else numpy.inf


def judge(name, error):
    fine = error < SLACK
    print(f"{name}: {error:.1e}{'' if fine else ' WRONG'}")
    return not fine


def compare_models(folder, tokenizer):
    wrong, ids = 0, tokenizer.encode(TEXT).ids
    for number, (name, switches, how) in enumerate(MODELS):
        place = os.path.join(folder, str(number))
        expected = run(save(place, tokenizer, switches, how), ids)
        got = compute(place, "token_ids,weights" + (",logits" if "logits" in expected else ""), "--text", TEXT)
        error = distance(got["weights"], numpy.stack([alpha[0] for alpha in expected.attentions]))
        if "logits" in expected:
            error = max(error, distance(got["logits"], expected.logits[0].numpy()))
        wrong += judge(name, error if got["token_ids"].flatten().tolist() == ids else numpy.inf)
    return wrong


def compare_saved_attention(folder, tokenizer):
    encoded = tokenizer.encode(TEXT)
    model = save(os.path.join(folder, "of"), tokenizer, {}, {})
    attentions = [alpha.float() for alpha in run(model, encoded.ids).attentions]
    expected = numpy.stack([alpha[0] for alpha in attentions])
    files = {"as the manual says": {"attentions": expected, "tokens": encoded.tokens},
             "a tuple": {f"arr_{layer}": alpha.numpy() for layer, alpha in enumerate(attentions)},
             "as TransformerLens names it": {f"blocks.{layer}.attn.hook_pattern": alpha.numpy()
                                             for layer, alpha in enumerate(attentions)}}
    wrong = 0
    for name, arrays in files.items():
        path = os.path.join(folder, "attention.npz")
        numpy.savez(path, **arrays)
        wrong += judge(name, distance(compute(path, "weights")["weights"], expected))
    return wrong


def make_text(draw):
    """Letters that this Python's Unicode knows: younger ones are letters for one library and none for another."""
    def letter():
        low, high = draw.choice([(33, 0x2ff), (0x300, 0x2fff), (0x3000, 0xd7ff), (0xe000, 0xffff), (0x10000, 0x1ffff)])
        return chr(draw.randint(low, high))
    text = "".join(draw.choice(PIECES) if draw.random() < 0.8 else letter() for _ in range(draw.randint(1, 30)))
    return "".join(letter for letter in text if unicodedata.category(letter) != "Cn")


def compare_texts(folder, tokenizer):
    wrong, draw, place = 0, random.Random(1), os.path.join(folder, "0")
    for _ in range(TEXTS):
        text = make_text(draw)
        ids = tokenizer.encode(text).ids
        if 0 < len(ids) <= 256:
            got = compute(place, "token_ids", "--text", text)["token_ids"].flatten().tolist()
            wrong += got != ids
            if got != ids:
                print(f"{text!r} WRONG: {got} for {ids}")
    print(f"{TEXTS} texts, {wrong} of them cut in another way")
    return wrong


def main():
    tokenizer = train()
    with tempfile.TemporaryDirectory() as folder:
        wrong = compare_models(folder, tokenizer)
        wrong += compare_saved_attention(folder, tokenizer)
        wrong += compare_texts(folder, tokenizer)
    return 1 if wrong else 0


sys.exit(main())

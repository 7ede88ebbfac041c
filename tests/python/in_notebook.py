"""A notebook that shows a six-layer BERT in three lines: run by nbclient, exported as HTML by nbconvert.

    in_notebook.py TREE PROGRAM [OUT.html]

77, skipped, where this Python has no nbclient, nbconvert, ipykernel or NumPy. Where it has PyTorch and transformers,
the model is a BERT with random weights; else its attention is made by NumPy, and this is said.
"""

import html
import importlib.util
import os
import re
import sys
import tempfile

TREE, PROGRAM = sys.argv[1:3]
SKIPPED = 77

BERT = """import torch, transformers
config = transformers.BertConfig(vocab_size=30, hidden_size=96, num_hidden_layers=6, num_attention_heads=12,
                                 intermediate_size=64, attn_implementation="eager")
model = transformers.BertModel(config).eval()
outputs = model(torch.tensor([[1, 2, 3, 4, 5]]), output_attentions=True)"""

LIKE_BERT = """import numpy, types
scores = numpy.exp(numpy.random.default_rng(1).normal(size=(6, 1, 12, 5, 5)))
outputs = types.SimpleNamespace(attentions=tuple(scores / scores.sum(-1, keepdims=True)))"""

SHOWN = """import attnscope
tokens = ["[CLS]", "the", "<b>cat</b>", "sat", "[SEP]"]
attnscope.show(outputs.attentions, tokens)"""


def lacking(*modules):
    return [module for module in modules if importlib.util.find_spec(module) is None]


def main():
    missing = lacking("nbclient", "nbconvert", "ipykernel", "numpy")
    if missing:
        print("skipped: this Python has no", ", ".join(missing))
        sys.exit(SKIPPED)
    import nbclient
    import nbconvert
    import nbformat

    has_bert = not lacking("torch", "transformers")
    if not has_bert:
        print("This Python has no PyTorch with transformers: NumPy makes the attention.")
    cells = [nbformat.v4.new_code_cell(text) for text in (BERT if has_bert else LIKE_BERT, SHOWN)]
    with tempfile.TemporaryDirectory(prefix="attnscope-notebook-") as folder:
        program = os.path.join(folder, "attnscope")
        os.symlink(os.path.realpath(PROGRAM), program)
        os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
        os.environ["PYTHONPATH"] = os.path.join(TREE, "src", "python")
        os.environ["IPYTHONDIR"] = os.environ["JUPYTER_RUNTIME_DIR"] = folder
        notebook = nbformat.v4.new_notebook(cells=cells)
        nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
    text, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w", encoding="utf-8") as out:
            out.write(text)
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', text).group(1))
    assert page.startswith("<!DOCTYPE html>"), page[:100]
    assert page.count('"symbol": "α"') == 6, "Six layers are shown."
    assert '"heads": 12' in page and "<b>cat" not in page, "Tokens are text."


main()

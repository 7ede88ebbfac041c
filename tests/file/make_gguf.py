#!/usr/bin/env python3
"""Makes the files of tests/file/gguf with the `gguf` package: values of all kinds, two blocks of each
kind of numbers, and what gguf's own quants.py makes of them.

    make_gguf.py FOLDER          writes kinds.gguf, expected.gguf and split-0000*-of-00002.gguf
    make_gguf.py check PROGRAM   many random blocks, through PROGRAM (unpacks tensors of a file) by
                                 each instruction set
    make_gguf.py time PROGRAM    50 MB of each kind, how fast PROGRAM unpacks them
"""
import os
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from gguf import GGMLQuantizationType as T, GGUFWriter, GGUFValueType as V
    from gguf.constants import GGML_QUANT_SIZES
    from gguf.quants import dequantize
except ImportError:
    print("this Python has no gguf")
    sys.exit(77)

KINDS = [T.F32, T.F16, T.BF16, T.Q4_0, T.Q4_1, T.Q5_0, T.Q5_1, T.Q8_0, T.Q2_K, T.Q3_K, T.Q4_K,
         T.Q5_K, T.Q6_K, T.IQ4_NL, T.IQ4_XS, T.MXFP4]
# Where a block's float16 scales stand: random bytes there would be NaN now and then.
HALVES = {T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0], T.Q2_K: [80, 82],
          T.Q3_K: [108], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.IQ4_NL: [0],
          T.IQ4_XS: [0]}


def blocks(kind, count, random):
    """count random blocks as rows of bytes."""
    size = GGML_QUANT_SIZES[kind][1]
    made = random.integers(0, 256, (count, size), dtype=np.uint8)
    if kind == T.F32:
        return random.standard_normal((count, 1)).astype("<f4").view(np.uint8)
    if kind == T.F16:
        return random.standard_normal((count, 1)).astype("<f2").view(np.uint8)
    if kind == T.BF16:
        return (random.standard_normal((count, 1)).astype("<f4").view("<u4") >> 16).astype(
            "<u2").view(np.uint8)
    for at in HALVES.get(kind, []):
        scale = (random.standard_normal((count, 1)) * 10.0 ** random.integers(-7, 4, (count, 1)))
        made[:, at:at + 2] = scale.astype("<f2").view(np.uint8)
    return made


def unpacked(kind, rows):
    """What quants.py makes of blocks: a row for each."""
    flat = rows.reshape(-1)
    if kind == T.F32:
        return flat.view("<f4").copy()
    if kind == T.F16:
        return flat.view("<f2").astype("<f4")
    return dequantize(flat.reshape(1, -1), kind).reshape(-1).astype("<f4")


def writer(path):
    return GGUFWriter(path, "llama", use_temp_file=False)


def finish(out):
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def put_values(out):
    out.add_key_value("a.uint8", 200, V.UINT8)
    out.add_key_value("a.int8", -100, V.INT8)
    out.add_key_value("a.uint16", 60000, V.UINT16)
    out.add_key_value("a.int16", -30000, V.INT16)
    out.add_key_value("a.uint32", 4000000000, V.UINT32)
    out.add_key_value("a.int32", -2000000000, V.INT32)
    out.add_key_value("a.float32", 0.1, V.FLOAT32)
    out.add_key_value("a.truth", True, V.BOOL)
    out.add_key_value("a.text", "größer", V.STRING)
    out.add_key_value("a.uint64", 2**63 + 1, V.UINT64)
    out.add_key_value("a.int64", -(2**62) - 1, V.INT64)
    out.add_key_value("a.float64", 0.1, V.FLOAT64)
    out.add_array("b.numbers", [3, -4, 5])
    out.add_array("b.texts", ["one", "", "three"])
    out.add_array("b.floats", [0.5, -0.25])
    out.add_array("b.lists", [[1, 2, 3], [4], [5, 6]])


def make(folder):
    random = np.random.default_rng(5)
    kinds, expected = writer(f"{folder}/kinds.gguf"), writer(f"{folder}/expected.gguf")
    put_values(kinds)
    for kind in KINDS:
        numbers = GGML_QUANT_SIZES[kind][0]
        rows = blocks(kind, 2 if numbers > 1 else 6, random)
        both = unpacked(kind, rows)
        # numbers of one row; what stands alone as 2 × 3
        shape = (2, 3 * rows.shape[1]) if numbers == 1 else (1, rows.size)
        kinds.add_tensor(kind.name, rows.reshape(shape), raw_dtype=kind)
        expected.add_tensor(kind.name, both.reshape((2, 3) if numbers == 1 else (1, -1)))
    finish(kinds)
    finish(expected)
    for part in range(2):
        out = writer(f"{folder}/split-{part + 1:05}-of-00002.gguf")
        out.add_uint16("split.no", part)
        out.add_uint16("split.count", 2)
        out.add_int32("split.tensors.count", 3)
        for name in (["first"], ["second", "third"])[part]:
            out.add_tensor(name, np.full((2,), len(name), dtype="<f4"))
        finish(out)


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def check(program):
    sets = output(program, "sets").decode().split()
    random = np.random.default_rng(int(os.environ.get("SEED", "1")))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            rows = blocks(kind, 4096, random)
            path = f"{folder}/{kind.name}.gguf"
            out = writer(path)
            out.add_tensor("x", rows.reshape(64, -1), raw_dtype=kind)
            finish(out)
            want = unpacked(kind, rows)
            for name in sets:
                have = np.frombuffer(output(program, path, "x", name), "<f4")
                same = have.size == want.size and (have.view("<u4") == want.view("<u4")).all()
                wrong += not same
                print(f"{kind.name:8} {name:8} {want.size} numbers: {'equal' if same else 'OTHER'}")
    return 1 if wrong else 0


def time(program):
    """Rows of 4096 numbers, as those of a model of 8 billion, and more of them than a cache holds."""
    random = np.random.default_rng(3)
    with tempfile.TemporaryDirectory() as folder:
        out = writer(f"{folder}/all.gguf")
        for kind in KINDS:
            numbers, size = GGML_QUANT_SIZES[kind]
            eight = blocks(kind, 8 * 4096 // numbers, random).reshape(8, -1)
            rows = np.tile(eight, (50_000_000 // eight.size, 1))
            out.add_tensor(kind.name, rows.view("<f4") if kind == T.F32 else rows, raw_dtype=kind)
        finish(out)
        print(output(program, f"{folder}/all.gguf", "time").decode(), end="")
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "check":
        sys.exit(check(sys.argv[2]))
    if sys.argv[1] == "time":
        sys.exit(time(sys.argv[2]))
    make(sys.argv[1])

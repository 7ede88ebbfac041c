#!/usr/bin/env python3
"""Packs the program's mark as Windows wants it:   src/portable/icon.py PROGRAM FILE.ico

PROGRAM draws it in every size; attnscope.ico beside this script is made so, anew whenever the mark changes.
"""

import os
import struct
import subprocess
import sys
import tempfile

SIZES = (16, 24, 32, 48, 64, 256)


def pack(pictures):
    """The bytes of an icon of PNGs, {size: bytes}; 0 stands for 256 in its list."""
    head = struct.pack("<3H", 0, 1, len(pictures))
    at = len(head) + 16 * len(pictures)
    rows = b""
    for size, data in pictures.items():
        rows += struct.pack("<4B2H2I", size % 256, size % 256, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return head + rows + b"".join(pictures.values())


def draw(program):
    with tempfile.TemporaryDirectory(prefix="attnscope-icon-") as folder:
        subprocess.run([program, "--icons", folder], check=True)
        pictures = {}
        for size in SIZES:
            with open(os.path.join(folder, f"{size}x{size}", "apps", "attnscope.png"), "rb") as file:
                pictures[size] = file.read()
    return pack(pictures)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n")[0])
    with open(sys.argv[2], "wb") as out:
        out.write(draw(sys.argv[1]))

#!/usr/bin/env python3
"""Arrays of Python objects as numpy.save keeps them, for tests/fuzz/pickle.c. Needs NumPy.

    python3 make_pickles.py ../corpus
"""
import os
import pickle
import sys

import numpy as np

folder = sys.argv[1]
words = np.array(["The", "cat", "The", "s\u00e4t\U0001f63a", ""], dtype=object)


def save(name, array, protocol, shape=None):
    header = "{'descr': '|O', 'fortran_order': False, 'shape': %r, }" % ((shape or array.shape),)
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(f"{folder}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        file.write(pickle.dumps(array, protocol=protocol) if protocol else array)


class Run:
    def __reduce__(self):
        return os.system, ("ls",)


for protocol in range(2, 6):
    save(f"accept/pickle-protocol-{protocol}", words, protocol)
save("accept/pickle-texts-of-two", np.array([["a", "b"], ["c", "d"]], dtype=object), 4)
save("accept/pickle-by-columns", np.asfortranarray(np.array([["a", "b"], ["c", "d"]], dtype=object)), 4)
save("accept/pickle-long-text", np.array(["x" * 300, "y"], dtype=object), 4)
save("accept/pickle-more-than-a-thousand", np.array([f"w{i}" for i in range(1100)], dtype=object), 4)
save("refuse/pickle-protocol-0", b"cos\nsystem\n(S'ls'\ntR.", None, (1,))
save("refuse/pickle-text-of-numpy", np.array(["a", np.str_("b")], dtype=object), 4)
save("refuse/pickle-numbers", np.array(["a", 1], dtype=object), 4)
save("refuse/pickle-lists", np.array([["a", "b"], ["c"]], dtype=object), 4)
save("refuse/pickle-none", np.array(["a", None], dtype=object), 4)
save("refuse/pickle-call", np.array([Run(), "b"], dtype=object), 4)
save("refuse/pickle-call-of-protocol-2", np.array([Run(), "b"], dtype=object), 2)
save("refuse/pickle-other-shape", words, 4, (4,))

"""What a program of Linux asks of the system it runs on."""

import re
import struct

# What every Linux with the C library of GNU has beside it.
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1"}
MACHINES = {62: "x86_64", 183: "aarch64"}
GLIBC = (2, 28)


def needs(path):
    """(machine, {libraries}, newest version of glibc as a pair); None: it is no program of Linux on 64 bits."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x7fELF\x02\x01":
        return None
    machine = MACHINES.get(struct.unpack_from("<H", data, 18)[0], "another")
    at, size, count = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size) for i in range(count)]
    libraries, newest = set(), (0, 0)
    for kind, offset, length, link in ((s[1], s[4], s[5], s[6]) for s in sections):
        if kind != 6:  # not what is linked at run time
            continue
        texts = sections[link]
        text = data[texts[4]:texts[4] + texts[5]]
        for tag, value in struct.iter_unpack("<QQ", data[offset:offset + length]):
            if tag == 1:
                libraries.add(text[value:text.index(b"\0", value)].decode())
        versions = re.findall(rb"(?<=\0)GLIBC_(\d+)\.(\d+)", text)
        newest = max([newest] + [(int(major), int(minor)) for major, minor in versions])
    return machine, libraries, newest


def is_portable(path):
    """Whether every Linux since glibc 2.28 can run it."""
    found = needs(path)
    return found is not None and found[0] in MACHINES.values() and found[1] <= SYSTEM and found[2] <= GLIBC

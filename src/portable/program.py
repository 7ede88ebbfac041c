"""The program itself for another machine: zig as its compiler, meson, and what is handed out."""

import glob
import io
import os
import re
import tarfile
import zipfile

import elf
from fetch import Failed, rows
from libraries import write_changed

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EARLY = (2000, 1, 1, 0, 0, 0)
EARLY_SECONDS = 946684800

README = """attnscope {version}: shows how attention computes, number by number

{start}
Nothing is installed and nothing is written beside the program. The same program
answers on the command line: attnscope --help. The manual is in the folder manual.

{system}
The program is under the licence in LICENSE; what is built into it is under those in
the folder licences, and sources.txt there says where the sources of each are.
"""

STARTS = {
    "linux": "Start it by a double click on attnscope, or in a terminal: ./attnscope\n",
    "windows": "Start attnscope-window.exe by a double click, or in a console: attnscope.exe\n",
}

# A function that is nowhere is no warning of the linker's, as zig's for Windows has it, but an error.
OPTIONS = ["--buildtype=release", "-Dwerror=false", "-Dc_args=-ffunction-sections -fdata-sections",
           "-Dc_link_args=-Wl,--gc-sections -Wl,--no-allow-shlib-undefined -s"]

SYSTEMS = {
    "linux": """It needs Linux with glibc 2.28 or later (Debian 10, Ubuntu 20.04, RHEL 8 and what came
after) and, for its window, a desktop with X11 or Wayland.
""",
    "windows": "It needs Windows 10 or later on 64 bits.\n",
}


def write_commands(bin_folder, place, target):
    """Small commands that are zig with the target; returns {"c", "cpp", "ar", "rc"}: their paths."""
    found = glob.glob(os.path.join(bin_folder, "..", "lib*", "python3*", "site-packages", "ziglang", "zig"))
    if not found:
        raise Failed("zig is not among the tools.")
    os.makedirs(os.path.join(place, "libraries"), exist_ok=True)
    cache = os.path.join(os.path.dirname(place), "zig-cache")
    commands = {"c": f"cc -target {target} -g0", "cpp": f"c++ -target {target} -g0", "ar": "ar",
                "rc": "rc /:no-preprocess /:output-format coff --"}
    for name, words in commands.items():
        path = os.path.join(place, "zig-" + name)
        write_changed(path, f"#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR='{cache}' ZIG_LOCAL_CACHE_DIR='{cache}'\n"
                      f"exec '{os.path.realpath(found[0])}' {words} \"$@\"\n")
        os.chmod(path, 0o755)
        commands[name] = path
    return commands


def write_machine(place, target, commands):
    """Meson's file about the machine that the program is for."""
    processor = target.split("-")[0]
    path = os.path.join(place, "machine.ini")
    write_changed(path, f"""[binaries]
c = '{commands["c"]}'
ar = '{commands["ar"]}'
windres = '{commands["rc"]}'
pkg-config = 'pkg-config'

[properties]
pkg_config_libdir = '{os.path.join(place, "libraries", "pkgconfig")}'
tests = []

[host_machine]
system = '{"windows" if "windows" in target else "linux"}'
cpu_family = '{processor}'
cpu = '{processor}'
endian = 'little'
""")
    return path


def read_texts(*paths):
    """What stands in those of the files that there are."""
    texts = []
    for path in paths:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                texts.append(file.read())
    return texts


def version():
    with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as file:
        return re.search(r"version: '([^']+)'", file.read())[1]


def compile_program(run, bin_folder, place, target, commands):
    """Returns {name: path} of the executables."""
    folder = os.path.join(place, "program")
    machine = write_machine(place, target, commands)
    names = ["attnscope.exe", "portable/attnscope-window.exe"] if "windows" in target else ["attnscope"]
    options = ["--cross-file", machine, *OPTIONS]
    made_from = "\n".join(options) + "".join(read_texts(machine, *sorted(glob.glob(
        os.path.join(place, "libraries", "pkgconfig", "*.pc")))))
    mark = os.path.join(place, "program.mark")
    if read_texts(mark) != [made_from] or not os.path.exists(os.path.join(folder, "build.ninja")):
        again = ["--reconfigure", "--clearcache"] if os.path.exists(os.path.join(folder, "build.ninja")) else []
        run("Configuring the program", os.path.join(bin_folder, "meson"), "setup", folder, ROOT, *again, *options)
        write_changed(mark, made_from)
    run("Building the program", "ninja", "-j2", "-C", folder, *(f"src/{name}" for name in names))
    return {os.path.basename(name): os.path.join(folder, "src", name) for name in names}


def licences(sources):
    """{name: path}: what the licences of the libraries ask to be handed on."""
    found = {"sources.txt": os.path.join(HERE, "sources.txt")}
    for name in dict.fromkeys(row[0] for row in rows()):
        tree = os.path.join(sources, name)
        paths = [path for pattern in ("COPYING*", "LICEN[CS]E*", "*/COPYING", "docs/FTL.TXT", "usr/share/doc/libcglm-dev/copyright")
                 for path in sorted(glob.glob(os.path.join(tree, pattern))) if os.path.isfile(path)]
        if not paths:
            raise Failed(f"{name} has no licence to hand on.")
        for path in paths:
            found[f"{'cglm' if name == 'headers' else name}-{os.path.basename(path)}"] = path
    for path in sorted(glob.glob(os.path.join(ROOT, "fonts", "*.txt"))):
        found[os.path.basename(path)] = path
    return found


def contents(executables, sources, system):
    """[(path in the folder, bytes, mode)], sorted."""
    readme = README.format(version=version(), start=STARTS[system], system=SYSTEMS[system])
    files = [("README.txt", readme.encode(), 0o644)]
    paths = [(name, path, 0o755) for name, path in executables.items()]
    paths.append(("LICENSE", os.path.join(ROOT, "LICENSE"), 0o644))
    paths += [(f"licences/{name}", path, 0o644) for name, path in licences(sources).items()]
    manual = os.path.join(ROOT, "assets", "manual")
    for folder, _, names in os.walk(manual):
        paths += [(os.path.relpath(os.path.join(folder, name), os.path.dirname(manual)), os.path.join(folder, name), 0o644)
                  for name in names]
    for name, path, mode in paths:
        with open(path, "rb") as file:
            files.append((name, file.read(), mode))
    return sorted(files)


def write_tar(path, top, files):
    with tarfile.open(path, "w:xz", preset=9, format=tarfile.USTAR_FORMAT) as tar:
        for name, data, mode in files:
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode, entry.mtime = len(data), mode, EARLY_SECONDS
            tar.addfile(entry, io.BytesIO(data))


def write_zip(path, top, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(f"{top}/{name}", EARLY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data)


def hand_out(executables, sources, target, folder):
    """Writes the archive into the folder; a former one stays until the new one is whole."""
    processor = target.split("-")[0]
    system = "windows" if "windows" in target else "linux"
    for name, path in executables.items():
        if system == "linux" and not elf.is_portable(path):
            raise Failed(f"{name} asks for more than every system has: {elf.needs(path)}")
    top = f"attnscope-{version()}-{system}-{processor}"
    path = os.path.join(folder, top + (".zip" if system == "windows" else ".tar.xz"))
    try:
        (write_zip if system == "windows" else write_tar)(path + ".part", top, contents(executables, sources, system))
        os.replace(path + ".part", path)
    finally:
        if os.path.exists(path + ".part"):
            os.remove(path + ".part")
    return path


def build(run, bin_folder, place, target, folder, commands):
    """Returns the path of the archive."""
    executables = compile_program(run, bin_folder, place, target, commands)
    return hand_out(executables, os.path.join(os.path.dirname(place), "sources"), target, folder)

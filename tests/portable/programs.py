"""The test programs that need no window, as programs of Windows: built with the compiler of portable programs, run
under wine with the words and the environment that meson gives them."""

import json
import os
import shutil
import subprocess

import fetch
import libraries
import program

TARGET = "x86_64-windows-gnu"
FOLDERS = ("base", "attn", "file", "lab", "learn", "model", "canvas", "why", "ui", "view")
CMOCKA = ("810570eb0b8d64804331f82b29ff47c790ce9cd6b163e98d47a4807047ecad82",
          "pool/main/c/cmocka/cmocka_1.1.7.orig.tar.xz")

# What is not built for Windows, and why.
ELSEWHERE = {
    "base file": "pipes, limits and processes of POSIX",
    "the core alone is a library": "it asks for memory by C11's aligned_alloc, which Windows lacks",
    "lab dump": "it reads in /proc how much memory is taken",
    "models on this machine": "folders of links, as Hugging Face keeps models on POSIX",
}


def run(*words, **more):
    """Runs a command; what it said is kept for the case that it fails."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        raise fetch.Failed(f"{os.path.basename(words[0])} failed: {done.stdout[-4000:]}")
    return done.stdout


def write_libraries(place, sources, commands):
    """What tests need beside the program's libraries; returns where pkg-config finds it."""
    checksum, path = CMOCKA
    tree = os.path.join(sources, "cmocka")
    if not os.path.exists(tree):
        shutil.rmtree(tree + ".part", ignore_errors=True)
        fetch.unpack_tar(fetch.fetch(path, checksum, os.path.join(sources, "downloads")), tree + ".part", 1)
        os.rename(tree + ".part", tree)
    plan = libraries.Plan(TARGET, sources, os.path.join(place, "tests-libraries"), commands)
    plan.add("cmocka", f"-I{tree}/include -DHAVE_STRUCT_TIMESPEC", "src/cmocka.c")
    plan.library("cmocka", "cmocka", "1.1.7", f"-I{tree}/include")
    plan.library("", "libwebpdemux", "1.2.4", f"-I{plan.tree('libwebp')}/src", ["libwebp"])
    plan.write()
    run("ninja", "-j2", "-C", plan.folder)
    return os.path.join(plan.folder, "pkgconfig")


def configure(meson, place, wine, found, environment):
    """Returns the folder that the tests are built in."""
    folder = os.path.join(place, "tests")
    cross = os.path.join(place, "tests.ini")
    libraries.write_changed(cross, f"""[binaries]
exe_wrapper = '{wine}'

[properties]
pkg_config_libdir = ['{found}', '{os.path.join(place, "libraries", "pkgconfig")}']
tests = {list(FOLDERS)}
""")
    words = ["--cross-file", os.path.join(place, "machine.ini"), "--cross-file", cross, *program.OPTIONS]
    again = ["--reconfigure", "--clearcache"] if os.path.exists(os.path.join(folder, "build.ninja")) else []
    run(meson, "setup", folder, program.ROOT, *again, *words, env=environment)
    return folder


def our_tests(meson, folder):
    """{name: path of its program} of the everyday tests that are programs of ours."""
    tests = json.loads(run(meson, "introspect", "--tests", folder))
    return {row["name"]: os.path.relpath(row["cmd"][0], folder) for row in tests
            if row["cmd"][0].endswith(".exe") and not any(suite.endswith("long") for suite in row["suite"])}


def can_build(folder, *paths):
    return subprocess.run(["ninja", "-C", folder, *paths], capture_output=True).returncode == 0


def test(meson, folder, names, wine, environment):
    """{name: what meson writes down of it}. A shell waits beside the tests, for the server of wine ends with its last
    program, and who comes just then loses it."""
    log = os.path.join(folder, "meson-logs", "testlog.json")
    if os.path.exists(log):
        os.remove(log)  # a former one would speak for tests that do not run
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    with subprocess.Popen([wine, "cmd"], stdin=subprocess.PIPE, **quiet):
        subprocess.run([meson, "test", "-C", folder, "--no-rebuild", "--timeout-multiplier", "10", *names], **quiet)
    rows = map(json.loads, program.read_texts(log)[0].splitlines())
    return {row["name"].split(" / ", 1)[-1]: row for row in rows}


def check(tree, says, wine, environment):
    """Every test program that there is for Windows passes there."""
    environment = {**os.environ, **environment}
    build = os.path.join(tree, "build-portable")
    place, bin_folder = os.path.join(build, TARGET), os.path.join(build, "tools", "bin")
    meson = os.path.join(bin_folder, "meson")
    commands = program.write_commands(bin_folder, place, TARGET)
    found = write_libraries(place, os.path.join(build, "sources"), commands)
    folder = configure(meson, place, wine, found, environment)
    tests = our_tests(meson, folder)
    needless = [name for name in ELSEWHERE if name not in tests or can_build(folder, tests[name])]
    says("Windows: what is left out of the tests cannot be built", not needless, needless)
    kept = {name: path for name, path in tests.items() if name not in ELSEWHERE}
    run("ninja", "-j2", "-C", folder, *sorted(set(kept.values())))
    done = test(meson, folder, kept, wine, environment)
    for name in kept:
        row = done.get(name, {})
        says(f"Windows: {name}", row.get("result") in ("OK", "SKIP"), row.get("stdout", "")[-2000:],
             row.get("stderr", "")[-2000:])

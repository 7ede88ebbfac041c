"""The portable program: built, unpacked, and used where nothing of ours is installed.

    check.py TREE NATIVE

NATIVE is the program as this machine builds it. Prints a line for each thing that is checked and, at the end,
"N passed, N failed"; 77, skipped, where what is needed cannot be fetched.
"""

import glob
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

TREE, NATIVE = (os.path.realpath(path) for path in sys.argv[1:3])
BUILDS = os.path.join(TREE, "src", "package-portable")
SKIPPED = 77
CHROOT = shutil.which("chroot") or "chroot"
MEGABYTES = 1 << 20
LIMIT = 12 * MEGABYTES
WHEEL_LIMIT = 14 * MEGABYTES
BARE = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
passed = failed = 0

sys.path.insert(0, os.path.join(TREE, "src", "portable"))
sys.dont_write_bytecode = True
import elf  # noqa: E402
import fetch  # noqa: E402
import icon  # noqa: E402
import programs  # noqa: E402


def says(name, right, *why):
    global passed, failed
    print("ok:" if right else "FAILED:", name, *(() if right else why), flush=True)
    passed, failed = passed + bool(right), failed + (not right)


def run(*words, **more):
    return subprocess.run(words, capture_output=True, **more)


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def built(target, folder):
    done = run(BUILDS, target, folder, text=True)
    if done.returncode and ("could not be fetched" in done.stderr or "Fetching" in done.stderr):
        print("skipped:", done.stderr.strip())
        sys.exit(SKIPPED)
    says(f"{target} is built", done.returncode == 0, done.stderr)
    return done.stdout.strip()


def unpacked(archive, folder):
    with tarfile.open(archive) as tar:
        names = tar.getnames()
        tar.extractall(folder)
    top = {name.split("/")[0] for name in names}
    says("the archive has one folder", len(top) == 1, top)
    return os.path.join(folder, top.pop())


def check_refusals(target, folder, archive):
    """One sentence, and the file that was there stays."""
    before = read_bytes(archive)

    def refused(name, done, *parts):
        said = done.stderr.decode().strip()
        says(f"{name} is refused in one sentence", done.returncode == 1 and said.count("\n") == 0 and
             all(part in said for part in parts), said)
        says(f"{name} leaves the former file", read_bytes(archive) == before and os.listdir(folder) == [os.path.basename(archive)])

    refused("an unknown target", run(BUILDS, "pdp11-unix", folder), "pdp11-unix", target)
    refused("a folder that is not there", run(BUILDS, target, os.path.join(folder, "none")), "none")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (MEGABYTES, MEGABYTES))

    full = subprocess.run([BUILDS, target, folder], capture_output=True, preexec_fn=limit)
    full.stderr = full.stderr.split(b"\n", 1)[1] if full.stderr.startswith(b"Building") else full.stderr
    refused("a full disk", full, "could not be built")
    # A tree of its own, with nothing fetched but the tools.
    copy = os.path.join(os.path.dirname(folder), "copy")
    shutil.copytree(os.path.join(TREE, "src"), os.path.join(copy, "src"))
    os.makedirs(os.path.join(copy, "build-portable"))
    os.symlink(os.path.join(TREE, "build-portable", "tools"), os.path.join(copy, "build-portable", "tools"))
    refused("a mirror that is not there", run(os.path.join(copy, "src", "package-portable"), target, folder,
                                              env={**os.environ, "ATTNSCOPE_MIRROR": "http://127.0.0.1:9"}),
            "127.0.0.1:9", "ATTNSCOPE_MIRROR")
    spoiled = os.path.join(copy, "mirror", "pool", "main", "z", "zlib")
    os.makedirs(spoiled)
    with open(os.path.join(spoiled, "zlib_1.2.13.dfsg.orig.tar.bz2"), "wb") as file:
        file.write(b"another")
    refused("a source that was changed", run(os.path.join(copy, "src", "package-portable"), target, folder,
                                             env={**os.environ, "ATTNSCOPE_MIRROR": f"file://{copy}/mirror"}), "checksum")


def check_numbers(words, name):
    """`compute` gives the bytes of this machine's own build for every lesson."""
    lessons = sorted(os.path.basename(path)[:-5] for path in glob.glob(os.path.join(TREE, "assets", "lessons", "*.json")))
    differ = []
    for lesson in lessons:
        native = run(NATIVE, "compute", "--lesson", lesson, env=BARE)
        portable = run(*words, "compute", "--lesson", lesson, env=BARE)
        if (native.returncode, native.stdout) != (portable.returncode, portable.stdout):
            differ.append(lesson)
    says(f"{name}: {len(lessons)} lessons have the numbers of this machine's build", not differ, differ)


def check_pictures(program, folder):
    """Drawn without a system's fonts and configuration; the same twice."""
    for suffix, begins in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF-"), ("webp", b"RIFF"), ("gif", b"GIF8")):
        paths = [os.path.join(folder, f"{n}.{suffix}") for n in (1, 2)]
        for path in paths:
            done = run(program, "render", "--lesson", "cats", "-o", path, env=BARE)
            if done.returncode:
                break
        says(f"a {suffix} is drawn, twice the same", not done.returncode and
             read_bytes(paths[0]).startswith(begins) and read_bytes(paths[0]) == read_bytes(paths[1]), done.stderr)


def compare_pictures(name, words, fellow, folder, suffixes, slash="/"):
    """The program for another machine draws the bytes of its fellow here, which has the same libraries."""
    places = [os.path.join(folder, f"{name}-{where}") for where in ("here", "there")]
    for suffix in suffixes:
        for place, called, path in ((places[0], [fellow], f"out/cats.{suffix}"),
                                    (places[1], words, f"out{slash}cats.{suffix}")):
            os.makedirs(os.path.join(place, "out"), exist_ok=True)
            done = run(*called, "render", "--lesson", "cats", "-o", path, env=BARE, cwd=place)
        pair = [os.path.join(place, "out", f"cats.{suffix}") for place in places]
        says(f"{name}: a {suffix} has the bytes of the portable program here", all(map(os.path.exists, pair)) and
             read_bytes(pair[0]) == read_bytes(pair[1]), done.stderr)


def check_launcher(wine, top, folder):
    """What a double click starts hands its words on, and what the program says and ends with comes back."""
    place = os.path.join(folder, "a folder")  # the path of the program has to be quoted too
    shutil.copytree(top, place)
    for name, words in (("odd words", ["describe", "--tokens", 'the "cat" ä 猫 sat\\ on']),
                        ("an empty word", ["describe", "--tokens", ""]),
                        ("a file that is not there", ["compute", 'no "such" \\\\"file ä.json'])):
        console, window = ((done.returncode, done.stdout, done.stderr) for done in (
            run(wine, os.path.join(place, program), *words, env=BARE) for program in ("attnscope.exe", "attnscope-window.exe")))
        says(f"Windows: the window's program hands on {name}", window == console and any(console[1:]), console, window)


def check_register(program, folder):
    """The desktop is told of a program that was only unpacked, and forgets it."""
    data = os.path.join(folder, "data")
    environment = {**BARE, "XDG_DATA_HOME": data}
    told = run(program, "--register", env=environment)
    entry = os.path.join(data, "applications", "io.github.attnscope.attnscope.desktop")
    says("the desktop is told of it", told.returncode == 0 and f'Exec="{program}" %f'.encode() in read_bytes(entry), told)
    run(program, "--unregister", env=environment)
    says("and forgets it", not os.path.exists(entry) and not glob.glob(os.path.join(data, "icons", "**", "attnscope.*"),
                                                                       recursive=True))


def check_arm(folder, fellow):
    """The program for ARM in an emulator: numbers, and pictures that are texts."""
    emulator, libraries = shutil.which("qemu-aarch64"), "/usr/aarch64-linux-gnu"
    if emulator is None or not os.path.exists(os.path.join(libraries, "lib", "ld-linux-aarch64.so.1")):
        print("skipped: the program for ARM; there is no qemu-aarch64 or no C library of ARM")
        return
    handed = os.path.join(folder, "arm")
    os.makedirs(handed)
    archive = built("aarch64-linux-gnu.2.28", handed)
    says("the archive for ARM is at most 12 MB", os.path.getsize(archive) <= LIMIT, os.path.getsize(archive))
    program = os.path.join(unpacked(archive, handed), "attnscope")
    says("ARM: it asks for no more than glibc 2.28", elf.is_portable(program) and elf.needs(program)[0] == "aarch64",
         elf.needs(program))
    words = [emulator, "-L", libraries, program]
    check_numbers(words, "ARM")
    compare_pictures("ARM", words, fellow, folder, ("svg", "html"))


def check_windows(folder, fellow):
    """The program for Windows under wine: numbers, pictures, paths and the window."""
    wine = shutil.which("wine")
    if wine is None:
        print("skipped: the program for Windows; there is no wine")
        return
    handed = os.path.join(folder, "windows")
    os.makedirs(handed)
    archive = built("x86_64-windows-gnu", handed)
    with zipfile.ZipFile(archive) as files:
        files.extractall(handed)
    says("the zip is at most 12 MB", os.path.getsize(archive) <= LIMIT, os.path.getsize(archive))
    top = archive[:-len(".zip")]
    program = os.path.join(top, "attnscope.exe")
    for name in ("attnscope.exe", "attnscope-window.exe"):
        path = os.path.join(top, name)
        says(f"{name} is there, with its manifest", os.path.exists(path) and
             read_bytes(os.path.join(TREE, "src", "portable", "attnscope.manifest")) in read_bytes(path), os.listdir(top))
        pictures = icon.draw(NATIVE)
        says(f"{name} has today's icon", read_bytes(os.path.join(TREE, "src", "portable", "attnscope.ico")) == pictures and
             pictures[-100:] in read_bytes(path))
    environment = {"WINEPREFIX": os.path.join(folder, "wine"), "WINEDEBUG": "-all", "DISPLAY": ""}
    BARE.update(environment)
    run(wine, "wineboot", "-i", env=BARE)
    check_launcher(wine, top, folder)
    check_numbers([wine, program], "Windows")
    try:
        programs.check(TREE, says, wine, environment)
    except fetch.Failed as error:
        says("Windows: the test programs are built", False, error)
    told = [run(wine, *words, env=BARE) for words in (
        (program, "--register"), ("reg", "query", r"HKCU\Software\Classes\attnscope.session\shell\open\command"),
        (program, "--unregister"), ("reg", "query", r"HKCU\Software\Classes\attnscope.session"))]
    says("Windows: the registry is told of it, and forgets it", [done.returncode == 0 for done in told] == [True, True, True, False]
         and b'attnscope-window.exe" "%1"' in told[1].stdout, told)
    compare_pictures("Windows", [wine, program], fellow, folder, ("png", "svg", "pdf", "html", "webp", "gif"), "\\")
    done = run(os.path.join(TREE, "tests", "window", "wine"), os.path.join(top, "attnscope-window.exe"), fellow, text=True)
    says("Windows: the window", done.returncode == 0, done.stdout[-2000:])


def check_window(program):
    for name in ("smoke", "desktop"):
        done = run(os.path.join(TREE, "tests", "window", name), program, text=True)
        if done.returncode == SKIPPED:
            print("skipped: the window,", name)
        else:
            says(f"the window, {name}", done.returncode == 0, done.stdout[-2000:])


def bare_system(folder, suite):
    """A system with nothing but Debian's minimum and Python; None where it cannot be made."""
    if os.getuid() != 0 or not shutil.which("debootstrap"):
        return None
    root = os.path.join(TREE, "build-portable", "bare-" + suite)
    if not os.path.exists(os.path.join(root, "made")):
        shutil.rmtree(root, ignore_errors=True)
        done = run("debootstrap", "--variant=minbase", "--include=python3-venv", suite, root, "http://deb.debian.org/debian")
        if done.returncode:
            return None
        open(os.path.join(root, "made"), "w").close()
    return root


def check_bare(suite, top, wheel, folder):
    root = bare_system(folder, suite)
    if root is None:
        print(f"skipped: no bare {suite} can be made here")
        return
    place = tempfile.mkdtemp(prefix="attnscope-", dir=root)
    inside = "/" + os.path.basename(place)
    try:
        shutil.copytree(top, os.path.join(place, "folder"))
        shutil.copy(wheel, place)
        shutil.copy(os.path.join(TREE, "tests", "python", "uses.py"), place)
        check_numbers([CHROOT, root, inside + "/folder/attnscope"], "bare " + suite)
        done = run(CHROOT, root, inside + "/folder/attnscope", "render", "--lesson", "cats", "-o", inside + "/cats.png", env=BARE)
        says(f"bare {suite}: a picture is drawn, and nothing said", done.returncode == 0 and done.stderr == b"" and
             read_bytes(os.path.join(place, "cats.png")).startswith(b"\x89PNG"), done.stderr)
        environment = inside + "/environment"
        done = run(CHROOT, root, "sh", "-c", f"python3 -m venv {environment} && {environment}/bin/pip install --quiet "
                   f"--no-index {inside}/{os.path.basename(wheel)} && cd {inside} && {environment}/bin/python uses.py "
                   f"{environment}", env={**BARE, "HOME": inside})
        says(f"bare {suite}: the wheel is installed and used", done.returncode == 0, done.stdout, done.stderr)
    finally:
        shutil.rmtree(place)


def main():
    target = "x86_64-linux-gnu.2.28"
    with tempfile.TemporaryDirectory(prefix="attnscope-portable-") as scratch:
        handed = os.path.join(scratch, "handed")
        os.makedirs(handed)
        archive = built(target, handed)
        if failed:
            return
        first = read_bytes(archive)
        built(target, handed)
        says("a second time gives the same bytes", read_bytes(archive) == first)
        says("it is at most 12 MB", len(first) <= LIMIT, len(first))
        top = unpacked(archive, scratch)
        program = os.path.join(top, "attnscope")
        says("it asks for no more than glibc 2.28", elf.is_portable(program), elf.needs(program))
        check_refusals(target, handed, archive)
        check_numbers([program], "x86_64")
        check_pictures(program, scratch)
        check_register(program, scratch)
        check_window(program)
        done = run(os.path.join(TREE, "src", "package-wheel"), program, scratch, text=True)
        wheel = done.stdout.strip()
        says("its wheel is for every Linux since glibc 2.28", wheel.endswith("-py3-none-manylinux_2_28_x86_64.whl"), done.stderr)
        says("the wheel is at most 14 MB", os.path.getsize(wheel) <= WHEEL_LIMIT, os.path.getsize(wheel))
        for suite in ("bullseye", "bookworm"):
            check_bare(suite, top, wheel, scratch)
        check_arm(scratch, program)
        check_windows(scratch, program)


main()
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)

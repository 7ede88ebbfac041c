"""The wheel: builds it, installs it into a fresh environment without a network, and uses its module there.

    wheel.py TREE PROGRAM

77, skipped, where this Python has no venv or no pip.
"""

import os
import subprocess
import sys
import tempfile
import zipfile

TREE, PROGRAM = sys.argv[1:3]
SKIPPED = 77


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, **more)


def built_wheel(folder):
    done = run(sys.executable, os.path.join(TREE, "src", "package-wheel"), PROGRAM, folder)
    assert done.returncode == 0, done.stderr
    wheel = done.stdout.strip()
    assert os.path.dirname(wheel) == folder and wheel.endswith(".whl"), wheel
    return wheel


def check_record(wheel):
    """Every file of the wheel stands in its record, with the digest of its bytes."""
    import base64
    import hashlib

    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        record = next(name for name in names if name.endswith("/RECORD"))
        rows = dict(line.split(",", 1) for line in archive.read(record).decode().splitlines())
        assert sorted(rows) == sorted(names), (rows, names)
        for name in names:
            if name != record:
                digest = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
                assert rows[name].startswith(f"sha256={digest},"), name
        assert any(name.endswith(".dist-info/LICENSE") and archive.read(name) for name in names), names
        scripts = [info for info in archive.infolist() if ".data/scripts/" in info.filename]
        assert [info.external_attr >> 16 & 0o111 for info in scripts] == [0o111], scripts


def main():
    with tempfile.TemporaryDirectory(prefix="attnscope-wheel-") as folder:
        first = built_wheel(folder)
        check_record(first)
        with open(first, "rb") as file:
            before = file.read()
        with open(built_wheel(folder), "rb") as file:
            assert file.read() == before, "The same program gives another wheel."
        environment = os.path.join(folder, "environment")
        done = run(sys.executable, "-m", "venv", environment)
        if done.returncode:
            print("skipped: this Python makes no environment:", done.stdout + done.stderr)
            sys.exit(SKIPPED)
        python = os.path.join(environment, "bin", "python")
        done = run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", first)
        assert done.returncode == 0, done.stderr
        # Bare: nothing of this Python's own packages, nothing of the tree, another program first on the PATH.
        bare = {"PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"}
        uses = os.path.join(os.path.dirname(os.path.realpath(__file__)), "uses.py")
        done = run(python, uses, environment, cwd=folder, env=bare)
        print(done.stdout, done.stderr)
        assert done.returncode == 0
        # The same module with this Python's NumPy and PyTorch, where it has them.
        whole = {**os.environ, "PYTHONPATH": os.path.join(TREE, "src", "python"),
                 "PATH": os.path.join(environment, "bin") + os.pathsep + os.environ["PATH"]}
        done = run(sys.executable, uses, environment, "tensors", cwd=folder, env=whole)
        print(done.stdout, done.stderr)
        assert done.returncode == 0


main()

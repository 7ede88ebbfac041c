"""Brings sources.txt onto this machine: fetched once, checked by their sums, unpacked and patched."""

import glob
import hashlib
import io
import os
import re
import shutil
import subprocess
import tarfile
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.realpath(__file__))
CONFIG = os.path.join(HERE, "config")
MIRROR = os.environ.get("ATTNSCOPE_MIRROR", "http://deb.debian.org/debian")


class Failed(Exception):
    """What went wrong, as a sentence."""


def rows():
    """[(folder, sum, path, [patches])]"""
    with open(os.path.join(HERE, "sources.txt"), encoding="utf-8") as file:
        words = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return [(row[0], row[1], row[2], row[3].split(",") if len(row) > 3 else []) for row in words]


def has_sum(path, checksum):
    if not os.path.exists(path):
        return False
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() == checksum


def fetch(path, checksum, folder):
    """Returns where the archive is."""
    archive = os.path.join(folder, urllib.parse.unquote(os.path.basename(path)))
    if has_sum(archive, checksum):
        return archive
    address = f"{MIRROR}/{path}"
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            data = answer.read()
    except (urllib.error.URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise Failed(f"{address} could not be fetched ({reason}); another mirror can be named in ATTNSCOPE_MIRROR.")
    if hashlib.sha256(data).hexdigest() != checksum:
        raise Failed(f"{address} is not the file that sources.txt names: its checksum differs.")
    with open(archive + ".part", "wb") as file:
        file.write(data)
    os.replace(archive + ".part", archive)
    return archive


def unpack_tar(archive, folder, strip):
    """Unpacks what is below `strip` leading folders, files and links inside the folder alone."""
    with tarfile.open(archive) if isinstance(archive, str) else tarfile.open(fileobj=archive) as tar:
        for member in tar:
            parts = [part for part in member.name.split("/") if part not in ("", ".")][strip:]
            if not parts or ".." in parts or not (member.isfile() or member.islnk() or member.issym()):
                continue
            member.name = "/".join(parts)
            if member.islnk():
                member.linkname = "/".join([part for part in member.linkname.split("/") if part != "."][strip:])
            member.uid = member.gid = 0
            member.mode |= 0o600
            tar.extract(member, folder, set_attrs=False)


def deb_data(archive):
    """The archive of files inside a *.deb."""
    with open(archive, "rb") as file:
        data = file.read()
    at = 8
    while at + 60 <= len(data):
        name, size = data[at:at + 16].decode().strip(), int(data[at + 48:at + 58])
        if name.startswith("data.tar"):
            return io.BytesIO(data[at + 60:at + 60 + size])
        at += 60 + size + size % 2
    raise Failed(f"{archive} holds no files.")


def apply_patch(folder, name):
    path = os.path.join(folder, "debian", "patches", name)
    done = subprocess.run(["patch", "-s", "-p1", "-d", folder, "-i", path], capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"The patch {name} does not fit {os.path.basename(folder)}: {done.stdout.strip()}")


def unpack(name, parts, folder):
    """Fills sources/NAME from its archives, and patches it."""
    for archive, patches in parts:
        if archive.endswith(".deb"):
            unpack_tar(deb_data(archive), folder, 0)
        else:
            unpack_tar(archive, folder, 0 if ".debian.tar" in archive else 1)
        for patch in patches:
            apply_patch(folder, patch)


# --- what is laid into a tree once it is unpacked ---

def edit(path, *changes):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for before, after in changes:
        if before not in text:
            raise Failed(f"{path} has no line to change: {before}")
        text = text.replace(before, after)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def prepare_libpng(tree):
    shutil.copy(os.path.join(tree, "scripts", "pnglibconf.h.prebuilt"), os.path.join(tree, "pnglibconf.h"))


def prepare_pcre2(tree):
    for name, made in (("config.h.generic", "config.h"), ("pcre2.h.generic", "pcre2.h"),
                       ("pcre2_chartables.c.dist", "pcre2_chartables.c")):
        shutil.copy(os.path.join(tree, "src", name), os.path.join(tree, "src", made))


def prepare_libzip(tree):
    """The sentences of its errors, which stand as comments in its header."""
    with open(os.path.join(tree, "lib", "zip.h"), encoding="utf-8") as file:
        found = re.findall(r"#define ZIP_ER_[A-Z_]+ \d+ +/\* ([NSZ]) (.*?) \*/", file.read())
    kinds = {"N": "ZIP_ET_NONE", "S": "ZIP_ET_SYS", "Z": "ZIP_ET_ZLIB"}
    with open(os.path.join(tree, "lib", "zip_err_str.c"), "w", encoding="utf-8") as file:
        file.write('#include "zipint.h"\nconst char *const _zip_err_str[] = {\n')
        file.writelines(f'    "{text}",\n' for _, text in found)
        file.write(f"}};\nconst int _zip_nerr_str = {len(found)};\nconst int _zip_err_type[] = {{\n")
        file.writelines(f"    {kinds[kind]},\n" for kind, _ in found)
        file.write("};\n")


def prepare_freetype(tree):
    edit(os.path.join(tree, "include", "freetype", "config", "ftoption.h"),
         ("/* #define FT_CONFIG_OPTION_SYSTEM_ZLIB */", "#define FT_CONFIG_OPTION_SYSTEM_ZLIB"),
         ("/* #define FT_CONFIG_OPTION_USE_PNG */", "#define FT_CONFIG_OPTION_USE_PNG"))


def prepare_fontconfig(tree):
    """A machine without a configuration of fonts is no error: the one inside is taken then, silently."""
    edit(os.path.join(tree, "src", "fcinit.c"),
         ("if (!FcConfigParseAndLoad (config, 0, FcTrue))",
          "if (FcConfigGetFilename (config, NULL) == NULL || !FcConfigParseAndLoad (config, 0, FcTrue))"))
    for name in ("fcalias.h", "fcaliastail.h", "fcftalias.h", "fcftaliastail.h"):
        open(os.path.join(tree, "src", name), "w", encoding="utf-8").close()


def prepare_sdl2(tree):
    """Our configuration, and the protocols of Wayland as C."""
    with open(os.path.join(tree, "include", "SDL_config.h"), "w", encoding="utf-8") as file:
        file.write(f'#include "{CONFIG}/SDL_config.h"\n')
    made = os.path.join(tree, "wayland-generated")
    os.makedirs(made, exist_ok=True)
    for path in sorted(glob.glob(os.path.join(tree, "wayland-protocols", "*.xml"))):
        name = os.path.basename(path)[:-4]
        for kind, suffix in (("client-header", "client-protocol.h"), ("private-code", "protocol.c")):
            subprocess.run(["wayland-scanner", kind, path, os.path.join(made, f"{name}-{suffix}")], check=True)


def prepare_cairo(tree):
    """Its version stands beside its sources as they are developed, with zeros among them. The tag of a font in a PDF
    is made of glyphs' numbers, which are shorter on Windows: it is the same where they are hashed as 64 bits."""
    shutil.copy(os.path.join(tree, "cairo-version.h"), os.path.join(tree, "src", "cairo-version.h"))
    edit(os.path.join(tree, "src", "cairo-pdf-surface.c"),
         ("    ldiv_t d;\n\n    hash = _hash_data",
          "    ldiv_t d;\n    uint64_t *glyphs = calloc (font_subset->num_glyphs, sizeof *glyphs);\n\n"
          "    hash = _hash_data"),
         ("""    hash = _hash_data ((unsigned char *) (font_subset->glyphs),
		       font_subset->num_glyphs * sizeof(unsigned long), hash);
""", """    for (i = 0; glyphs != NULL && i < (int) font_subset->num_glyphs; i++)
	glyphs[i] = font_subset->glyphs[i];
    if (glyphs != NULL)
	hash = _hash_data ((unsigned char *) glyphs, font_subset->num_glyphs * sizeof *glyphs, hash);
    free (glyphs);
"""))


PREPARE = {"cairo": prepare_cairo, "fontconfig": prepare_fontconfig, "freetype": prepare_freetype,
           "libpng": prepare_libpng, "libzip": prepare_libzip, "pcre2": prepare_pcre2, "sdl2": prepare_sdl2}


def sources(folder):
    """Fetches and unpacks every row below `folder`; what is there already, made by the same rows, is kept."""
    downloads = os.path.join(folder, "downloads")
    os.makedirs(downloads, exist_ok=True)
    with open(os.path.realpath(__file__), "rb") as file:
        made_by = hashlib.sha256(file.read()).hexdigest()
    for name in dict.fromkeys(row[0] for row in rows()):
        tree = os.path.join(folder, name)
        mark = os.path.join(folder, name + ".mark")
        wanted = repr([row for row in rows() if row[0] == name]) + made_by
        if os.path.exists(mark):
            with open(mark, encoding="utf-8") as file:
                if file.read() == wanted:
                    continue
        shutil.rmtree(tree, ignore_errors=True)
        parts = [(fetch(path, checksum, downloads), patches)
                 for row, checksum, path, patches in rows() if row == name]
        unpack(name, parts, tree)
        PREPARE.get(name, lambda _: None)(tree)
        with open(mark, "w", encoding="utf-8") as file:
            file.write(wanted)

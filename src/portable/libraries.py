"""What the libraries of portable programs are compiled from: a function a library, which answers what it is for
pkg-config and adds its sources to ninja's plan. Nothing is configured: what the systems have stands in config/."""

import glob
import os
import re

from fetch import CONFIG, Failed


class Plan:
    """Ninja's plan for one target."""

    def __init__(self, target, sources, folder, commands):
        self.windows = "windows" in target
        self.x86 = target.startswith("x86_64")
        self.sources = sources
        self.folder = folder
        common = "-O2 -DNDEBUG -w -fPIC -ffp-contract=off -fno-sanitize=undefined -fstack-protector-strong"
        common += " -ffunction-sections -fdata-sections"
        self.lines = [
            f"cc = {commands['c']}",
            f"cxx = {commands['cpp']} -std=c++11 -fno-exceptions -fno-rtti -fno-threadsafe-statics",
            f"ar = {commands['ar']}",
            f"common = {common} -I{CONFIG}",
            "rule compile",
            "  command = $with $common $flags -MMD -MF $out.d -c $in -o $out",
            "  depfile = $out.d",
            "  deps = gcc",
            "  description = $out",
            "rule archive",
            "  command = rm -f $out && $ar rcs $out $in",
            "  description = $out",
        ]
        self.objects = {}
        self.archives = []
        self.notes = []

    def tree(self, name, *path):
        return os.path.join(self.sources, name, *path)

    def add(self, library, flags, *patterns, without=()):
        """Compiles the files that the patterns name below the library's tree."""
        tree = self.tree(library)
        for pattern in patterns:
            found = sorted(glob.glob(os.path.join(tree, pattern)))
            if not found:
                raise Failed(f"{library} has no file {pattern}.")
            for path in found:
                if os.path.basename(path) in without:
                    continue
                out = f"{library}/{os.path.relpath(path, tree).replace('/', '_')}.o"
                self.lines += [f"build {out}: compile {path}", f"  flags = {flags}",
                               f"  with = {'$cxx' if path.endswith('.cc') else '$cc'}"]
                self.objects.setdefault(library, []).append(out)

    def library(self, name, module, version, cflags, needs=(), libs=""):
        """Makes libNAME.a of what was added, known to pkg-config as the module."""
        archive = ""
        if name in self.objects:
            self.lines.append(f"build {name}.a: archive {' '.join(self.objects[name])}")
            self.archives.append(f"{name}.a")
            archive = os.path.join(self.folder, f"{name}.a")
        self.notes.append((module, "\n".join([
            f"Name: {module}", f"Description: {name} for portable programs", f"Version: {version}",
            f"Requires: {' '.join(needs)}", f"Cflags: {cflags}", f"Libs: {archive} {libs}", ""])))

    def write(self):
        os.makedirs(os.path.join(self.folder, "pkgconfig"), exist_ok=True)
        for module, text in self.notes:
            write_changed(os.path.join(self.folder, "pkgconfig", module + ".pc"), text)
        write_changed(os.path.join(self.folder, "build.ninja"), "\n".join(self.lines) + "\n")


def write_changed(path, text):
    """Writes a file unless it says that already, so that what is built from it is not built again."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".part", path)


# --- the libraries, what is needed first ---

def zlib(plan):
    plan.add("zlib", "-DHAVE_UNISTD_H", "*.c")
    plan.library("zlib", "zlib", "1.2.13", f"-I{plan.tree('zlib')}")


def libpng(plan):
    plan.add("libpng", f"-I{plan.tree('zlib')} -DPNG_ARM_NEON_OPT=0 -DPNG_INTEL_SSE_OPT=0", "png*.c",
             without=("pngtest.c",))
    plan.library("libpng", "libpng", "1.6.48", f"-I{plan.tree('libpng')}", ["zlib"])


def libwebp(plan):
    tree = plan.tree("libwebp")
    flags = f"-I{tree} -DWEBP_USE_THREAD" + (" -DWEBP_HAVE_SSE2 -DWEBP_HAVE_SSE41" if plan.x86 else "")
    newer = [os.path.basename(path) for path in glob.glob(os.path.join(tree, "src", "dsp", "*_sse41.c"))]
    plan.add("libwebp", flags, "src/dec/*.c", "src/dsp/*.c", "src/enc/*.c", "src/mux/*.c", "src/utils/*.c",
             "src/demux/*.c", "sharpyuv/*.c", without=newer)
    plan.add("libwebp", flags + (" -msse4.1" if plan.x86 else ""), "src/dsp/*_sse41.c")
    plan.library("libwebp", "libwebp", "1.2.4", f"-I{tree}/src")
    plan.library("", "libwebpmux", "1.2.4", f"-I{tree}/src", ["libwebp"])


def giflib(plan):
    plan.add("giflib", "", "dgif_lib.c", "egif_lib.c", "gifalloc.c", "gif_err.c", "gif_hash.c",
             "openbsd-reallocarray.c")
    plan.library("giflib", "libgif", "5.2.1", f"-I{plan.tree('giflib')}")


def jansson(plan):
    plan.add("jansson", "-DHAVE_CONFIG_H", "src/*.c")
    plan.library("jansson", "jansson", "2.14", f"-I{plan.tree('jansson', 'src')} -I{CONFIG}")


def libzip(plan):
    out = ["zip_source_winzip_aes_decode.c", "zip_source_winzip_aes_encode.c", "zip_winzip_aes.c",
           "zip_algorithm_bzip2.c", "zip_algorithm_xz.c", "zip_random_uwp.c", "zip_source_file_win32_ansi.c"]
    out += [os.path.basename(path) for path in glob.glob(plan.tree("libzip", "lib", "zip_crypto*.c"))]
    for path in glob.glob(plan.tree("libzip", "lib", "*.c")):
        name = os.path.basename(path)
        if ("win32" in name) != plan.windows and ("win32" in name or "unix" in name or "stdio" in name):
            out.append(name)
    # Its tables of Windows's functions take paths as void *.
    plan.add("libzip", f"-DHAVE_CONFIG_H -I{plan.tree('zlib')} -Wno-incompatible-function-pointer-types", "lib/*.c",
             without=out)
    plan.library("libzip", "libzip", "1.7.3", f"-I{plan.tree('libzip', 'lib')} -I{CONFIG}", ["zlib"],
                 "-ladvapi32" if plan.windows else "")


def utf8proc(plan):
    plan.add("utf8proc", "-DUTF8PROC_STATIC", "utf8proc.c")
    plan.library("utf8proc", "libutf8proc", "2.8.0", f"-I{plan.tree('utf8proc')} -DUTF8PROC_STATIC")


def pcre2(plan):
    plan.add("pcre2", "-DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DSUPPORT_UNICODE -DPCRE2_STATIC", "src/pcre2_*.c",
             without=("pcre2_dftables.c", "pcre2_fuzzsupport.c", "pcre2_jit_match.c", "pcre2_jit_misc.c",
                      "pcre2_jit_test.c", "pcre2_printint.c", "pcre2_ucptables.c"))
    plan.library("pcre2", "libpcre2-8", "10.46", f"-I{plan.tree('pcre2', 'src')} -DPCRE2_STATIC")


def expat(plan):
    plan.add("expat", "-DXML_STATIC", "expat/lib/*.c", without=("xmltok_impl.c", "xmltok_ns.c"))
    plan.library("expat", "expat", "2.5.0", f"-I{plan.tree('expat', 'expat', 'lib')} -DXML_STATIC")


def freetype(plan):
    include = f"-I{plan.tree('freetype', 'include')}"
    base = "ftbase ftbbox ftbdf ftbitmap ftcid ftdebug ftfstype ftgasp ftglyph ftgxval ftinit ftmm ftotval"
    base += " ftpatent ftpfr ftstroke ftsynth ftsystem fttype1 ftwinfnt"
    modules = "autofit/autofit bdf/bdf bzip2/ftbzip2 cache/ftcache cff/cff cid/type1cid gzip/ftgzip lzw/ftlzw"
    modules += " pcf/pcf pfr/pfr psaux/psaux pshinter/pshinter psnames/psnames raster/raster sdf/sdf sfnt/sfnt"
    modules += " smooth/smooth svg/svg truetype/truetype type1/type1 type42/type42 winfonts/winfnt"
    plan.add("freetype", f"{include} -I{plan.tree('zlib')} -I{plan.tree('libpng')} -DFT2_BUILD_LIBRARY",
             *(f"src/base/{name}.c" for name in base.split()), *(f"src/{name}.c" for name in modules.split()))
    plan.library("freetype", "freetype2", "24.3.18", include, ["libpng", "zlib"])


def harfbuzz(plan):
    include = f"-I{plan.tree('harfbuzz', 'src')}"
    threads = "" if plan.windows else " -DHAVE_PTHREAD"
    # harfbuzz-subset.cc is the library whole, less what speaks with FreeType.
    plan.add("harfbuzz", include + threads, "src/harfbuzz-subset.cc")
    plan.add("harfbuzz", f"{include} -I{plan.tree('freetype', 'include')} -DHAVE_FREETYPE -DHAVE_FT_GET_TRANSFORM"
             + threads, "src/hb-ft.cc")
    plan.library("harfbuzz", "harfbuzz", "6.0.0", include, ["freetype2"])
    plan.library("", "harfbuzz-subset", "6.0.0", include, ["harfbuzz"])


def fontconfig(plan):
    plan.add("fontconfig", f"-DHAVE_CONFIG_H -I{plan.tree('fontconfig')} -I{plan.tree('fontconfig', 'src')} "
             f"-I{plan.tree('freetype', 'include')} -I{plan.tree('expat', 'expat', 'lib')} -DXML_STATIC", "src/*.c",
             without=("fcarch.c",))
    plan.library("fontconfig", "fontconfig", "2.14.1", f"-I{plan.tree('fontconfig')}", ["freetype2", "expat"])


def pixman(plan):
    with open(plan.tree("pixman", "pixman", "Makefile.sources"), encoding="utf-8") as file:
        names = re.findall(r"^\s(pixman[\w-]*\.c)", file.read(), re.MULTILINE)
    folder = plan.tree("pixman", "pixman")
    flags = f"-DHAVE_CONFIG_H -I{folder}" + (" -DUSE_SSE2 -DUSE_SSSE3 -DUSE_GCC_INLINE_ASM" if plan.x86 else "")
    plan.add("pixman", flags, *(f"pixman/{name}" for name in names))
    if plan.x86:
        plan.add("pixman", flags + " -msse2", "pixman/pixman-sse2.c")
        plan.add("pixman", flags + " -mssse3", "pixman/pixman-ssse3.c")
    plan.library("pixman", "pixman-1", "0.42.2", f"-I{folder}")


def cairo(plan):
    with open(plan.tree("cairo", "src", "Makefile.sources"), encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    groups = dict(re.findall(r"^(\w+) \+?= (.*)$", text, re.MULTILINE))
    wanted = ["cairo_sources", "_cairo_font_subset_sources", "_cairo_pdf_operators_sources",
              "_cairo_deflate_stream_sources", "cairo_pdf_sources", "cairo_ft_sources"]
    first = re.search(r"^cairo_sources = (.*)$", text, re.MULTILINE)[1]
    names = first.split() + [name for group in wanted[1:] for name in groups[group].split()]
    needs = [plan.tree("pixman", "pixman"), plan.tree("fontconfig"), plan.tree("freetype", "include"),
             plan.tree("zlib")]
    plan.add("cairo", f"-DHAVE_CONFIG_H -I{plan.tree('cairo', 'src')} " + " ".join(f"-I{path}" for path in needs),
             *(f"src/{name}" for name in names if name.endswith(".c")))
    include = f"-I{plan.tree('cairo', 'src')} -I{CONFIG}"
    requires = ["pixman-1", "fontconfig", "freetype2", "libpng", "zlib"]
    plan.library("cairo", "cairo", "1.16.0", include, requires)
    plan.library("", "cairo-ft", "1.16.0", include, ["cairo"])


def sdl2(plan):
    tree = plan.tree("sdl2")
    system = "windows" if plan.windows else "unix"
    folders = ["", "atomic", "audio", "cpuinfo", "dynapi", "events", "file", "haptic", "hidapi", "joystick", "libm",
               "locale", "misc", "power", "render", "render/software", "render/opengl", "render/opengles2", "sensor",
               "stdlib", "thread", "timer", "video", "video/dummy", "video/yuv2rgb", "audio/dummy", "haptic/dummy",
               "joystick/dummy", "sensor/dummy"]
    folders += [f"{folder}/{system}" for folder in ("filesystem", "locale", "misc", "timer", "core")]
    flags = cflags = f"-I{tree}/include"
    flags += " -DHAVE_LIBC -DSDL_USE_BUILTIN_OPENGL_DEFINITIONS"
    if plan.windows:
        folders += ["loadso/windows", "power/windows", "thread/windows", "video/windows", "render/direct3d",
                    "render/direct3d11", "render/direct3d12"]
        libs = "-lgdi32 -limm32 -lole32 -loleaut32 -lsetupapi -lshell32 -luser32 -lversion -lwinmm -ladvapi32"
        plan.add("sdl2", flags, "src/thread/generic/SDL_syscond.c")
    else:
        headers = os.path.join(plan.sources, "headers", "usr")
        cflags += f" -I{headers}/include"
        flags += f" -I{tree}/wayland-generated -I{headers}/include -I{headers}/include/dbus-1.0"
        flags += f" -I{headers}/lib/x86_64-linux-gnu/dbus-1.0/include -I{headers}/include/libdecor-0 -D_REENTRANT"
        folders += ["core/linux", "loadso/dlopen", "power/linux", "thread/pthread", "video/x11", "video/wayland"]
        libs = "-lm -ldl -lpthread"
        plan.add("sdl2", flags, "wayland-generated/*.c")
    plan.add("sdl2", flags, *(os.path.join("src", folder, "*.c") for folder in folders))
    plan.library("sdl2", "sdl2", "2.26.5", cflags, libs=libs)


def sdl2_ttf(plan):
    needs = [plan.tree("sdl2", "include"), plan.tree("freetype", "include"), plan.tree("harfbuzz", "src")]
    plan.add("sdl2_ttf", " ".join(f"-I{path}" for path in needs) + " -DTTF_USE_HARFBUZZ=1", "SDL_ttf.c")
    plan.library("sdl2_ttf", "SDL2_ttf", "2.20.1", f"-I{plan.tree('sdl2_ttf')}", ["sdl2", "freetype2", "harfbuzz"])


def headers(plan):
    """What is opened at run time, or is nothing but headers."""
    folder = os.path.join(plan.sources, "headers", "usr")
    plan.library("", "cglm", "0.8.8", f"-I{folder}/include")
    if not plan.windows:
        plan.library("", "dbus-1", "1.14.10", f"-I{folder}/include/dbus-1.0 "
                     f"-I{folder}/lib/x86_64-linux-gnu/dbus-1.0/include")


LIBRARIES = [zlib, libpng, libwebp, giflib, jansson, libzip, utf8proc, pcre2, expat, freetype, harfbuzz, fontconfig,
             pixman, cairo, sdl2, sdl2_ttf, headers]

#!/bin/sh
# installed.sh RULE SOURCE BUILD — the program as `meson install` lays it into an empty folder, and as a package.
# Exit status 77: what the rule needs is not on this machine.
set -u

rule=$1
source=$2
build=$3
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0

# says NAME STATUS — one line for each thing that is checked
says() {
    if [ "$2" -eq 0 ]; then
        echo "ok: $1"
    else
        echo "FAILED: $1"
        failures=$((failures + 1))
    fi
}

put() {
    DESTDIR=$scratch/root meson install -C "$build" --no-rebuild --quiet > "$scratch/log" 2>&1 || {
        cat "$scratch/log"
        exit 1
    }
    prefix=$(dirname "$(dirname "$(find "$scratch/root" -path '*/bin/attnscope')")")
    share=$prefix/share
}

# Draws one picture, with nothing of the source folder at hand.
draws() {
    (cd "$scratch" && "$1" render --lesson cats --stage softmax -o seen.png &&
        [ "$(head -c 4 seen.png | tail -c 3)" = PNG ])
}

check_files() {
    put
    for file in bin/attnscope share/applications/io.github.attnscope.attnscope.desktop share/metainfo/io.github.attnscope.attnscope.metainfo.xml \
        share/mime/packages/attnscope.xml share/man/man1/attnscope.1 \
        share/bash-completion/completions/attnscope share/zsh/site-functions/_attnscope \
        share/fish/vendor_completions.d/attnscope.fish share/attnscope/lesson.schema.json \
        share/doc/attnscope/LICENSE share/doc/attnscope/fonts/Inter-LICENSE.txt \
        share/icons/hicolor/scalable/apps/attnscope.svg; do
        [ -s "$prefix/$file" ]
        says "$file is there" $?
    done
    diff -r "$source/assets/manual" "$share/doc/attnscope/manual"
    says "the manual is there as it is in the sources, with its pictures" $?
    for size in 16 22 24 32 48 64 128 256 512; do
        # Bytes 17 to 24 of a PNG are its width and height.
        shape=$(od -An -tu1 -j16 -N8 "$share/icons/hicolor/${size}x$size/apps/attnscope.png" | tr -s ' ')
        wanted=" 0 0 $((size / 256)) $((size % 256))"
        [ "$shape" = "$wanted$wanted" ]
        says "the icon of $size pixels is as large as it says" $?
    done
    [ "$("$prefix/bin/attnscope" --version | head -n 1 | cut -d ' ' -f 1)" = attnscope ]
    says "the installed program says its version" $?
    draws "$prefix/bin/attnscope"
    says "the installed program draws a picture" $?
    # Everything the log of the installation names, and nothing else, is what must go again.
    grep -v '^#' "$build/meson-logs/install-log.txt" | while read -r file; do
        if [ -d "$file" ]; then rmdir "$file" 2> "$scratch/full" || true; else rm "$file"; fi
    done
    [ ! -e "$scratch/root" ] || [ -z "$(find "$scratch/root" -type f)" ]
    says "removing what the log names leaves no file" $?
}

check_entry() {
    command -v desktop-file-validate > "$scratch/found" || exit 77
    put
    words=$(desktop-file-validate "$share/applications/io.github.attnscope.attnscope.desktop" 2>&1) && [ -z "$words" ]
    says "the desktop entry has no fault $words" $?
    name=$(sed -n 's/^Icon=//p' "$share/applications/io.github.attnscope.attnscope.desktop")
    [ -e "$share/icons/hicolor/scalable/apps/$name.svg" ]
    says "its icon is installed under that name" $?
    program=$(sed -n 's/^Exec=\([a-z]*\).*/\1/p' "$share/applications/io.github.attnscope.attnscope.desktop" | sort -u)
    [ -x "$prefix/bin/$program" ]
    says "it starts a program that is installed" $?
}

check_metainfo() {
    command -v appstreamcli > "$scratch/found" || exit 77
    put
    appstreamcli validate --no-net "$share/metainfo/io.github.attnscope.attnscope.metainfo.xml" > "$scratch/words" 2>&1
    status=$?
    [ $status -eq 0 ] || cat "$scratch/words"
    says "the description for software centres is valid" $status
    grep -q "<release version=\"$("$prefix/bin/attnscope" --version | head -n 1 | cut -d ' ' -f 2)\"" \
        "$share/metainfo/io.github.attnscope.attnscope.metainfo.xml"
    says "it names the version that the program says" $?
    name=$(sed -n 's|.*<id>\(.*\)</id>.*|\1|p' "$share"/metainfo/*.metainfo.xml)
    [ -s "$share/applications/$name.desktop" ] && [ -s "$share/metainfo/$name.metainfo.xml" ]
    says "the desktop entry has its name" $?
    pictures=$(sed -n 's|.*<image>.*/main/\(.*\)</image>.*|\1|p' "$share"/metainfo/*.metainfo.xml)
    [ -n "$pictures" ] && (cd "$source" && ls $pictures > "$scratch/found")
    says "its pictures are the program's own" $?
}

# What Debian's tools build of the sources: who made it, under which version and which licences.
check_debian() {
    command -v dpkg-parsechangelog > "$scratch/found" || exit 77
    version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" "$source/meson.build")
    [ "$(dpkg-parsechangelog -l "$source/debian/changelog" -S Version)" = "$version" ]
    says "its version is the program's" $?
    for font in "$source"/fonts/*.?tf; do
        name=$(basename "$font")
        grep -q "^Files: fonts/${name%%[-.]*}" "$source/debian/copyright"
        says "the licence of $name is told" $?
    done
    ! grep -q localhost "$source/debian/control" "$source/debian/changelog"
    says "its maintainer can be written to" $?
    for file in $(sed -n 's|^usr/share/\([a-z/]*\).*|\1|p' "$source/debian/attnscope.install"); do
        grep -rqs "${file%%/*}\|${file##*/}" "$source/assets/meson.build" "$source/src/cli/pages/meson.build"
        says "$file is installed" $?
    done
}

# A saved session belongs to the program, any other JSON does not.
check_kinds() {
    command -v update-mime-database > "$scratch/found" || exit 77
    put
    update-mime-database "$share/mime" 2> "$scratch/words"
    says "the kinds of files are well formed" $?
    kind=$(sed -n 's/^MimeType=\(.*\);$/\1/p' "$share/applications/io.github.attnscope.attnscope.desktop")
    grep -q ":$kind:attnscope-\*.json" "$share/mime/globs2"
    says "a session by its name is of the kind that the desktop entry opens" $?
    grep -q ':\*.json$' "$share/mime/globs2"
    [ $? -ne 0 ]
    says "other JSON files are left alone" $?
    grep -q "^Exec=attnscope --presenter" "$share/applications/io.github.attnscope.attnscope.desktop"
    says "there is an entry for the projector" $?
}

# needs TOOL … — the rule cannot be looked at without them.
needs() {
    for tool in "$@"; do
        command -v "$tool" > "$scratch/found" || {
            echo "skipped: there is no $tool on this machine"
            exit 77
        }
    done
}

pack() {
    needs dpkg-deb dpkg-shlibdeps
    "$source/src/package-debian" "$build" "$scratch" > "$scratch/log" 2>&1 || {
        cat "$scratch/log"
        exit 1
    }
    package=$(find "$scratch" -maxdepth 1 -name 'attnscope_*.deb')
    [ -n "$package" ]
    says "a package was built" $?
}

check_package() {
    pack
    dpkg-deb --field "$package" Depends | grep -q 'libsdl2-2.0-0.*' &&
        dpkg-deb --field "$package" Depends | grep -q 'libcairo2'
    says "it names the libraries it needs" $?
    dpkg-deb -x "$package" "$scratch/unpacked"
    draws "$scratch/unpacked/usr/bin/attnscope"
    says "the program in it draws a picture" $?
    foreign=$(dpkg-deb -c "$package" | awk '$2 != "root/root"')
    [ -z "$foreign" ]
    says "everything in it belongs to root" $?
    for file in usr/share/applications/io.github.attnscope.attnscope.desktop usr/share/man/man1/attnscope.1.gz \
        usr/share/doc/attnscope/copyright usr/share/doc/attnscope/manual/teachers.md usr/share/icons/hicolor/48x48/apps/attnscope.png; do
        [ -s "$scratch/unpacked/$file" ]
        says "$file is in it" $?
    done
}

# Whoever builds a package waits for the program, not for a thousand tests.
check_targets() {
    meson setup "$scratch/alone" "$source" --native-file="$source/debian/program.ini" > "$scratch/log" 2>&1 || {
        cat "$scratch/log"
        exit 1
    }
    meson introspect --targets "$scratch/alone" > "$scratch/targets"
    grep -q '"attnscope' "$scratch/targets"
    says "the package builds the program" $?
    ! grep -q "$source/tests/" "$scratch/targets"
    says "the package builds no tests" $?
    grep -q "native-file.*program.ini" "$source/src/package-debian" &&
        grep -q "native-file=.*checks).ini" "$source/debian/rules"
    says "both ways to a package say so" $?
}

# as_root COMMAND … — or as somebody whom the command takes for root.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v fakeroot > "$scratch/found"; then
        fakeroot "$@"
    else
        unshare --map-root-user -- "$@"
    fi
}

# keeps_book OPTION … — dpkg with a system and a book of packages of its own. The book begins with what is
# installed on this machine, so that the libraries which the package asks for are looked for there.
keeps_book() {
    as_root dpkg --instdir="$scratch/system" --admindir="$scratch/book" --log="$scratch/book/log" \
        "$@" > "$scratch/said" 2> "$scratch/log"
}

# stands_as WORDS — what the book says of our package; nothing once it is purged.
stands_as() {
    [ "$(dpkg-query --admindir="$scratch/book" -W -f '${Status}' attnscope 2> "$scratch/unknown")" = "$1" ]
}

# What dpkg says of the files that it laid down, but those that this machine was told to leave out.
changed_files() {
    keeps_book --verify attnscope
    grep -v '^missing' "$scratch/said"
}

check_purge() {
    needs dpkg dpkg-query
    as_root true 2> "$scratch/log" || {
        echo "skipped: packages are installed by root, and nobody here can be taken for it"
        exit 77
    }
    pack
    PATH=$PATH:/usr/sbin:/sbin # where dpkg looks for what it calls
    mkdir -p "$scratch/system" "$scratch/book/info" "$scratch/book/updates" "$scratch/home"
    sed '/^Package: attnscope$/,/^$/d' /var/lib/dpkg/status > "$scratch/book/status"
    keeps_book --install "$package" || grep -v "files list file" "$scratch/log"
    stands_as "install ok installed"
    says "it is installed, and all that it depends on is there" $?
    program=$scratch/system/usr/bin/attnscope
    (HOME=$scratch/home && export HOME && unset XDG_CONFIG_HOME XDG_STATE_HOME ATTNSCOPE_HOME &&
        "$program" --version | grep -q '^attnscope ' && draws "$program")
    says "the installed program says its version and draws a picture" $?
    [ -z "$(changed_files)" ]
    says "what it laid down is as it was, though the program ran" $?
    keeps_book --install "$package" && stands_as "install ok installed"
    says "it is installed again over itself" $?
    keeps_book --remove attnscope && [ ! -e "$program" ]
    says "it is removed" $?
    keeps_book --purge attnscope
    stands_as ""
    says "it is purged, and the book knows it no longer" $?
    left=$(find "$scratch/system" -mindepth 1)
    [ -z "$left" ]
    says "no file and no folder is left $left" $?
}

"check_$rule"
[ "$failures" -eq 0 ]

#!/bin/sh
# shellcheck disable=SC2317  # the rules are called by their names, at the end
#
# The rules of the house, read off the sources and the libraries.   Usage: house.sh RULE SOURCE BUILD
# Prints every breach and fails when there was one.
set -u

rule=$1
root=$2
build=$3
cd "$root" || exit 1

# Each room and the rooms it may include, from the table in src/meson.build: a room that consists of
# rooms stands for all of them. `attn` may include nothing of ours, not even base.
rooms() {
    sed -n "s/^  '\([a-z/]*\)': {'sees': \[\([^]]*\)\].*/\1 \2/p" src/meson.build | tr -d "'," | sed 's/ $//'
}

# A library's header and the files that may include it.
libraries() {
    cat <<'END'
SDL src/canvas/render/render_sdl* src/canvas/render/font_atlas* src/app/desktop/window*
cairo src/canvas/render/* src/canvas/formats/*
png src/canvas/render/png.c
webp/ src/canvas/formats/webp.c
gif_lib src/canvas/formats/gif.c
hb src/canvas/*/*
ft2build src/canvas/*/*
fontconfig/ src/canvas/text/*
cglm/ src/view/space* src/view/space/camera.c
dbus/ src/app/desktop/window_portal.c
jansson src/file/json.c
zip src/file/npz.c src/file/npz_write.c
utf8proc src/base/text.c src/base/unicode.c
pcre2 src/model/regex.c
END
}

sources() {
    find src tests -name '*.[ch]' | sort
}

# Every include of a header of ours: room, room of the header, file, header.
includes() {
    grep -rE --include='*.[ch]' '^ *# *include *"[a-z]+/' src |
        sed 's|^\(src/\([^:]*\)/[^:/]*\):.*"\(\([^"]*\)/[^"/]*\)".*|\2 \4 \1 \3|;t;d'
}

check_rooms() {
    work=$(mktemp -d) || exit 1
    rooms > "$work/rooms"
    [ -s "$work/rooms" ] || echo "No row of the table of rooms was found in src/meson.build."
    includes | awk -v rooms="$work/rooms" '
        BEGIN { while ((getline line < rooms) > 0) {
            count = split(line, word, " ")
            for (i = 1; i <= count; i++) may[word[1], word[i]] = 1 } }
        { whole = $2; sub(/\/.*/, "", whole) }
        !(($1, $1) in may) { if ($3 !~ /^src\/[^\/]*$/) print $3 " stands in no room." ; next }
        !(($1, $2) in may || ($1, whole) in may) {
            print $3 " includes \"" $4 "\", but " $1 " may not know " $2 "." }'
    rm -rf "$work"
    includes | while read -r _ _ file header; do
    # The core has few callers; the window has one user beside main.c, and cli.h only names its type.
        case "$file $header" in
            src/lab/run/*.c\ * | src/lab/dump/run_dump.c\ * | src/learn/* | src/model/* | src/why/*.c\ * | src/attn/* | src/app/* | src/cli/*) ;;
            src/file/unpack*\ attn/cpu.h) ;; # which instructions there are
            *\ attn/*) echo "$file includes \"$header\" past lab/run, lab/dump/run_dump.c, learn, model and why." ;;
        esac
        case "$file $header" in
            src/app/desktop/window* | src/cli/cli.h\ *) ;;
            *\ app/desktop/window*) echo "$file includes \"$header\", but only main.c opens windows." ;;
        esac
    done
}

# What src/portable holds is no room: headers that other libraries ask for, in their words.
check_libraries() {
    libraries | while read -r library places; do
        grep -rlE --include='*.[ch]' --exclude-dir=portable "^ *# *include *[<\"]$library" src | sort | while read -r file; do
            belongs=no
            for place in $places; do
                # shellcheck disable=SC2254  # the place is a pattern
                case $file in
                    $place) belongs=yes ;;
                esac
            done
            [ $belongs = yes ] || echo "$file includes $library, which belongs into $places."
        done
    done
}

# A library may need only what it and the rooms it may know define.
check_symbols() {
    work=$(mktemp -d) || exit 1
    rooms | while read -r room _; do
        library=$build/src/lib$(echo "$room" | tr / _).a
        [ -e "$library" ] || continue
        nm -g "$library" 2> "$work/log" |
            awk -v room="$room" '$1 == "U" { print room, "needs", $2 }
                NF == 3 && $2 ~ /[TDRBC]/ { print room, "has", $3 }'
    done | sort -u > "$work/symbols"
    rooms > "$work/rooms"
    awk -v rooms="$work/rooms" '
        BEGIN { while ((getline line < rooms) > 0) {
            count = split(line, word, " ")
            for (i = 1; i <= count; i++) may[word[1], word[i]] = 1 } }
        $2 == "has" { home[$3] = $1 }
        $2 == "needs" { lines[++n] = $1; names[n] = $3 }
        END { for (i = 1; i <= n; i++) if (names[i] in home) {
            whole = home[names[i]]
            sub(/\/.*/, "", whole)
            if (!((lines[i], home[names[i]]) in may || (lines[i], whole) in may))
                print "Room " lines[i] " calls " names[i] " of room " home[names[i]] "." } }' "$work/symbols"
    [ -s "$work/symbols" ] || echo "No library was found in $build/src."
    rm -rf "$work"
}

# Files that call each other, straight or through others, have to be understood together: in no room
# more than 8 of them.
check_circles() {
    files=0
    for library in $(rooms | sed "s| .*||; s|/|_|; s|.*|$build/src/lib&.a|"); do
        [ -e "$library" ] || continue
        files=$((files + $(ar t "$library" | wc -l)))
        room=${library##*/lib}
        nm -g "$library" 2> /dev/null |
            awk -v room="${room%.a}" -v most=8 '
            /:$/ { file = $0; sub(/.*\//, "", file); sub(/\.o:$/, "", file); files[++n] = file }
            $1 == "U" { caller[++uses] = n; name[uses] = $2 }
            NF == 3 && $2 ~ /[TDRBC]/ { home[$3] = n }
            END {
                for (u = 1; u <= uses; u++) if (name[u] in home)
                    call[caller[u]] = call[caller[u]] " " home[name[u]]
                for (f = 1; f <= n; f++) {
                    split("", seen)
                    top = 1
                    stack[1] = f
                    while (top > 0) {
                        count = split(call[stack[top--]], next_file, " ")
                        for (i = 1; i <= count; i++) if (!(next_file[i] in seen)) {
                            seen[next_file[i]] = 1
                            reach[f, next_file[i]] = 1
                            stack[++top] = next_file[i]
                        }
                    }
                }
                for (f = 1; f <= n; f++) if (!(f in done)) {
                    size = 1
                    names = files[f]
                    for (g = f + 1; g <= n; g++) if ((f, g) in reach && (g, f) in reach) {
                        done[g] = 1
                        size++
                        names = names " " files[g]
                    }
                    if (size > most) print "Room " room ": a circle of " size " files: " names
                }
            }'
    done
    [ "$files" -gt 0 ] || echo "No library was found in $build/src."
}

# Every kernel set hands out its row and nothing else; all else of attn begins with attn_.
check_kernels() {
    sets=0
    for archive in "$build"/src/attn/libattn_*.a; do
        [ -e "$archive" ] || continue
        sets=$((sets + 1))
        names=$(nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' | grep -v asan)
        # shellcheck disable=SC2086
        [ "$(echo "$names" | wc -w)" -eq 1 ] || echo "${archive##*/} exports" $names
    done
    [ "$sets" -gt 0 ] || echo "No kernel set was found in $build/src/attn."
    nm -g --defined-only "$build/src/libattn.a" 2> /dev/null |
        awk 'NF == 3 && $3 !~ /^_?attn_/ && $3 !~ /asan/ { print "libattn.a exports " $3 }'
}

# Layout is decided by clang-format; other versions of it decide otherwise.
check_format() {
    formatter=$(command -v clang-format-14 || command -v clang-format) || exit 77
    "$formatter" --version | grep -q 'version 14\.' || exit 77
    find src tests -name '*.[ch]' -o -name '*.inc' | sort |
        xargs "$formatter" --dry-run -Werror 2>&1 | grep -oE '^[^:]*:[0-9]+:[0-9]+: error' |
        sed 's/: error/: clang-format lays this out differently/'
}

# What may lie at the top, where everybody looks first.
check_top() {
    git -C "$root" ls-files 2> /dev/null | sed 's|/.*||' | sort -u | while read -r name; do
        case $name in
            src | assets | fonts | tests | debian | meson.build | README.md | LICENSE) ;;
            .ci | .gitignore | .gitattributes | .clang-format | .editorconfig) ;;
            *) echo "$name lies at the top of the tree, where nobody looks for it." ;;
        esac
    done
    for name in src assets fonts tests meson.build README.md LICENSE .clang-format; do
        [ -e "$name" ] || echo "$name is missing at the top of the tree."
    done
}

# The map for contributors: its rooms are those above, with the same directions; every file that its
# index names is there, and so is the name that the index says to look for in it.
check_map() {
    map=src/README.md
    work=$(mktemp -d) || exit 1
    sed -n '/^## Rooms/,/^## From/p' $map | grep '^| `' | tr -d '`' |
        awk -F' *[|] *' '{ print $2 ($4 == "" ? "" : " ") $4 }' > "$work/told"
    rooms > "$work/rooms"
    diff "$work/rooms" "$work/told" | sed -n "s|^<|$map does not have the room:|p; s|^>|$map should not have the room:|p"
    sed -n '/^## Where/,/^## Adding/p' $map | sed -n 's/^| .* | `\([^`]*\)` | `\([^`]*\)` |$/\1 \2/p' > "$work/index"
    while read -r file name; do
        if [ ! -f "src/$file" ]; then
            echo "$map names src/$file, which is not there."
        elif ! grep -qwF -- "$name" "src/$file"; then
            echo "$map says to look for $name in src/$file, where it is not."
        fi
    done < "$work/index"
    rows=$(sed -n '/^## Where/,/^## Adding/p' $map | grep -c '^| [^*-]')
    [ "$((rows - 1))" -eq "$(wc -l < "$work/index")" ] || echo "A row of the index in $map cannot be read."
    [ "$(wc -l < "$work/index")" -ge 60 ] || echo "The index in $map was not found."
    rm -rf "$work"
}

# A file holds one idea; a function fits on a page, nine of ten in a glance.
check_sizes() {
    sources | while read -r file; do
        lines=$(wc -l < "$file")
        [ "$lines" -le 800 ] || echo "$file has $lines lines; it has two jobs."
        case $file in
            src/*.h) least=0 ;;
            src/*) least=100 ;;
            *) continue ;;
        esac
        [ "$lines" -le $least ] || sed -n 1p "$file" | grep -q '^/\*' || echo "$file does not begin with what it is for."
    done
    find src tests -name '*.[ch]' -o -name '*.inc' | sort | xargs awk '
        FNR == 1 { begin = 0 }
        /^\{/ { begin = FNR }
        /^\}/ {
            if (!begin) next
            lines = FNR - begin - 1
            if (lines > 80) print FILENAME ":" begin " is a function of " lines " lines."
            if (FILENAME ~ /^src/) {
                functions++
                long += lines >= 30
            }
            begin = 0
        }
        END { if (long * 10 > functions || functions == 0)
            print long + 0 " of " functions + 0 " functions have 30 lines and more." }'
}

# The words are put together here so that this file does not hold them.
check_words() {
    words="TO""DO|FIX""ME|X""XX|HA""CK|st""ubs?|place""holders?"
    grep -rnwiE "$words" src tests assets meson.build README.md --include='*' 2> /dev/null |
        grep -v '^Binary'
    grep -rnE "(^|[\"' =])/(wo""rk|t""mp|ho""me)/" src tests assets meson.build README.md 2> /dev/null |
        grep -v '^Binary'
}

# A text that neither the program nor a lesson says any longer needs no translation. Literals that
# continue on the next line are joined first.
check_catalogues() {
    work=$(mktemp -d) || exit 1
    { find src -name '*.c' -o -name '*.inc' | xargs cat | sed -z 's/"\n *"//g'; cat assets/lessons/*.json; } |
        grep -oE '"([^"\\]|\\.)*"' | LC_ALL=C sort -u > "$work/said"
    grep -h '^msgid "..*"' assets/po/*.po | sed 's/^msgid //' | LC_ALL=C sort -u > "$work/texts"
    LC_ALL=C comm -13 "$work/said" "$work/texts" | sed 's/^/Nothing in src says, but assets\/po has: /'
    [ -s "$work/texts" ] || echo "No text was found in assets/po."
    rm -rf "$work"
}

# What the program reads from its environment, the manual tells; but not where every program of a
# desktop looks for its screen and its folders.
check_variables() {
    grep -rlE --include='*.c' 'getenv\(|system_folder_variable\(' src | sort | while read -r file; do
        grep -oE '"[A-Z][A-Z_]{3,}"' "$file" |
            grep -vE '"(HOME|PATH|DISPLAY|APPDATA|PICTURES|TEMP|USERPROFILE|DBUS_[A-Z_]*|POSIX|WAYLAND_[A-Z]*|XDG_(CONFIG_HOME|DATA_DIRS|RUNTIME_DIR)|SDL_VIDEO_[A-Z_]*)"' |
            tr -d '"' | sort -u | while read -r name; do
            grep -qE "\"([A-Z_]*, )*$name[,\"]" src/cli/manual.c || echo "$file reads $name, which the manual does not name."
        done
    done
    grep -q 'getenv(' src/lab/run/engine.c || echo "The rule no longer finds who reads ATTN_ISA."
}

# base/system alone knows an operating system, in a file for each; the core, which depends on nothing,
# has files of its own. Everything else is C: it includes no header of a system and calls what C has.
check_systems() {
    headers="(aio|direct|dirent|fcntl|glob|grp|io|malloc|poll|process|pthread|pwd|sched|shlobj|shellapi|signal|spawn"
    headers="$headers|termios|threads|unistd|winbase|windows|xlocale|(arpa|linux|mach|net|netinet|sys)/[a-z_]+)\\.h>"
    calls="\\b(pthread_[a-z_]+|clock_gettime|nanosleep|localtime_r|gmtime_r|setpriority|fdopen|popen|tmpfile|fopen) ?\\("
    calls="$calls|_(DEFAULT|BSD|XOPEN|GNU)_SOURCE"
    grep -rnE --include='*.[ch]' --include='*.inc' "^ *# *include <$headers|$calls" src |
        while IFS=: read -r file line _; do
            case $file in
                src/base/system/*_posix.c | src/base/system/*_windows.[ch] | src/attn/system_*.c) ;;
                src/app/desktop/*_windows.c) ;; # its dialogs and its clipboard
                src/portable/*) ;;              # what the configuration of each library would have found
                src/lab/experiment/vocab_compile.c | src/base/po_compile.c | src/base/script_compile.c) ;; # run where it is built
                *) echo "$file:$line asks the operating system past base/system." ;;
            esac
        done
    for file in src/base/system/*_posix.c; do
        [ -e "${file%_posix.c}_windows.c" ] || echo "$file has no fellow for Windows."
    done
    check_linux
}

# What only Linux has stands in a few files, behind a question for Linux and with another way beside it.
linux_files="src/attn/system_posix.c src/app/desktop/window_screen.c src/base/system/register_posix.c"
check_linux() {
    only="__linux__|_GNU_SOURCE|/proc/|/sys/|/dev/dri|sched_[gs]etaffinity|CPU_SET|epoll_|inotify_|eventfd|signalfd|timerfd"
    only="$only|memfd_create|getrandom|prctl|renameat2|O_TMPFILE|copy_file_range|mremap|secure_getenv|getauxval|syscall\("
    grep -rnE --include='*.[ch]' --include='*.inc' --exclude-dir=portable "$only" src | while IFS=: read -r file line _; do
        case " $linux_files " in
            *" $file "*) ;;
            *) echo "$file:$line uses what only Linux has." ;;
        esac
    done
    # shellcheck disable=SC2046
    flags=$(pkg-config --cflags sdl2 cairo)
    for file in $linux_files; do
        # shellcheck disable=SC2086
        ${CC:-cc} -U__linux__ -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -Isrc $flags \
            -fsyntax-only "$file" > /dev/null 2>&1 || echo "$file does not compile where there is no Linux."
        grep -q '__linux__' "$file" || echo "$file asks for no Linux: it need not be in the list."
    done
}

# A header that forgets an include compiles only behind others.
check_headers() {
    # shellcheck disable=SC2046
    flags=$(pkg-config --cflags sdl2 SDL2_ttf cairo freetype2 harfbuzz fontconfig libpng cglm)
    for header in $(cd src && find . -name portable -prune -o -name '*.h' -print | sed 's|^\./||' | sort); do
        # shellcheck disable=SC2086
        echo "#include \"$header\"" |
            ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -DATTN_WIDTH=4 -DATTN_ROWS=6 -DATTN_TILE=12 \
                -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -Isrc $flags -fsyntax-only -x c - \
                > /dev/null 2>&1 || echo "src/$header does not compile alone."
    done
}

# What went wrong is told in one sentence: it ends as one, is short enough to be read whole with what it
# names (200 bytes are shown), and says more than that something failed.
tell_sentences() {
    grep '\.c$' | xargs awk '
        FNR == 1 { inside = 0 }
        /(error_set|lab_reading_refuse|dump_refuse|dump_ask|pasted_refuse)\(.*[^;{]*$/ && !/^(static )?bool/ {
            inside = 1; call = ""; line = FNR
        }
        inside {
            call = call $0
            if ($0 !~ /;[[:space:]]*$/ && $0 !~ /\}[[:space:]]*$/) next
            inside = 0
            sub(/^.*(error_set|lab_reading_refuse|dump_refuse|dump_ask|pasted_refuse)\(/, "", call)
            if (!match(call, /"([^"\\]|\\.)*"([[:space:]]*"([^"\\]|\\.)*")*/)) next
            text = substr(call, RSTART, RLENGTH)
            gsub(/"[[:space:]]*"/, "", text)
            gsub(/^"|"$/, "", text)
            print FILENAME ":" line ": " text
        }'
}

check_sentences() {
    sources | grep '^src/' | tell_sentences | awk '
        {
            place = $1 " "
            text = substr($0, length(place) + 1)
            if (text !~ /([.?!)]|%s|%\.[0-9]+s)$/) print place "no sentence ends so: " text
            if (length(text) > 180) print place "this is too long: " text
            if (tolower(text) ~ /(^|[^a-z])(failed|failure|errno|invalid|error)([^a-z]|$)/)
                print place "say what is wrong, where and what to do: " text
        }'
}

# What goes wrong is told in every language; but not what only a command line can bring about, what a
# broken installation lacks, and forms that hold nothing but the words of others.
check_languages() {
    sources | grep -E '^src/(base|file|lab|learn|model|why|canvas)/' | grep -v '_compile\.c$' | tell_sentences |
        grep -vE ': (%[-.0-9*]*s[:.]? ?)*$|The bundled font' | while read -r place text; do
        for catalogue in assets/po/*.po; do
            grep -qF "msgid \"$text\"" "$catalogue" || echo "$place $catalogue does not have: $text"
        done
    done
    # In Chinese a space parts a character from a quoted word of another script, as from a bare one.
    han='\x{4e00}-\x{9fff}'
    LC_ALL=C.UTF-8 grep -nP "^(msgstr|\").*([$han]“[^”$han]*”|“[^”$han]*”[$han])" assets/po/zh_CN.po |
        sed 's/^/assets\/po\/zh_CN.po lacks a space beside a quoted word: /'
}

# Every name in the list of a folder's meson.build is there, and no source stands beside it unlisted.
# What tests of the window saw by another door than the window's own was green while the window was
# wrong: they give input and wait by steps (tests/window/hands.h). Benchmarks measure parts.
check_step() {
    grep -nE 'app_(settle|advance|drop_files|drop_text|learn_hide|learn_follow|open_model_follow|import_advance)\(|tasks_advance\(' \
        tests/window/*.c tests/window/*.h | grep -v '^tests/window/training.c:' |
        sed 's/:.*/ moves the program by another door than app_step./' | sort -u
    grep -rnE '[a-z]_settle\(' src --include='*.[ch]' | grep -vE 'app_settle\(|window_place_settle\(|pass_settles\(' |
        sed 's/:.*/ waits in a way of its own; app_settle waits for everything./' | sort -u
}

# Panels ask view->style what they may do and how large things are; only view_style knows whether that is
# the window, the presenter view or a figure. The frame of the window has commands of its own there.
check_style() {
    grep -rnE 'prefs\.presenter|is_figure|frame\.borderless' src/view --include='*.c' |
        grep -vE '^src/view/(chrome/|parts/(style|view)\.c:)' |
        sed -E 's/^([^:]*:[0-9]*):.*/\1 asks for the medium; view_style answers for all panels./'
}

check_lists() {
    for file in src/*/*.c src/*/*/*.c; do
        grep -q "'${file##*/}'" "${file%/*}/meson.build" 2> /dev/null ||
            echo "$file is in no meson.build: nobody compiles it."
    done
}

breaches=$("check_$rule")
[ $? -ne 77 ] || exit 77 # what the rule needs is not here
if [ -n "$breaches" ]; then
    echo "$breaches"
    exit 1
fi

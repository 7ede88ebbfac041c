#!/bin/sh
# Writes the table of embedded files as C.   Usage: embed.sh OUTPUT FILE...
# It runs again whenever one of the files changes, and so the object that holds them is made anew.
set -eu

output=$1
shift

# The name a file goes by: its path from the source folder on.
name_of() {
    case $1 in
        */fonts/*) echo "fonts/${1##*/fonts/}" ;;
        */page_script.js) echo assets/page/script.js ;;
        */assets/*) echo "assets/${1##*/assets/}" ;;
        *) echo "embed.sh: $1 is neither in fonts/ nor in assets/, nor a script" >&2; exit 1 ;;
    esac
}

{
    echo '#include "base/embedded_table.h"'
    index=0
    for path in "$@"; do
        echo "EMBEDDED_FILE(embedded_file_$index, \"$path\");"
        index=$((index + 1))
    done
    echo 'const struct embedded embedded_table[] = {'
    index=0
    for path in "$@"; do
        name=$(name_of "$path")
        size=$(($(wc -c < "$path")))
        echo "    {\"$name\", embedded_file_$index, $size},"
        index=$((index + 1))
    done
    echo '};'
    echo "const size_t embedded_table_length = $index;"
} > "$output"

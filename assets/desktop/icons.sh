#!/bin/sh
# Writes the program's icon in every size that menus and docks ask for, laid out as an icon theme.
# Usage: icons.sh PROGRAM FOLDER
set -eu

program=$1
folder=$2

rm -rf "$folder"
for size in 16 22 24 32 48 64 128 256 512; do
    mkdir -p "$folder/${size}x$size/apps"
    "$program" "$size" "$folder/${size}x$size/apps/attnscope.png"
done
mkdir -p "$folder/scalable/apps"
"$program" 512 "$folder/scalable/apps/attnscope.svg"

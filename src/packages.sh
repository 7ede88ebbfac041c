# What the program is built with, and how each package manager calls it. Read by src/run and tests/run,
# which set root, the folder of the project.
#
#     need build                     installs what is missing of that group
#     compile FOLDER TARGET ARG...   configures FOLDER with meson's ARGs when it is new, and builds
#                                    TARGET ("all": everything) in it
#
# Everything is said on standard error: standard output belongs to the program.

say() {
    echo "$*" >&2
}

# Group, how to see whether it is there, and its packages (several: a comma; none: a dash).
#   command:NAME   NAME can be run
#   library:NAME   pkg-config knows NAME
#   header:NAME    the compiler finds NAME
#   file:PATH      PATH exists
packages() {
    cat <<'END'
group  there                                        apt-get                 dnf                    pacman              brew
build  command:cc                                   gcc,libc6-dev           gcc                    gcc                 -
build  command:meson                                meson                   meson                  meson               meson
build  command:ninja                                ninja-build             ninja-build            ninja               ninja
build  command:pkg-config                           pkg-config              pkgconf-pkg-config     pkgconf             pkgconf
build  library:sdl2                                 libsdl2-dev             SDL2-devel             sdl2-compat         sdl2
build  library:SDL2_ttf                             libsdl2-ttf-dev         SDL2_ttf-devel         sdl2_ttf            sdl2_ttf
build  library:cglm                                 libcglm-dev             cglm-devel             cglm                cglm
build  library:cairo-ft                             libcairo2-dev           cairo-devel            cairo               cairo
build  library:freetype2                            libfreetype-dev         freetype-devel         freetype2           freetype
build  library:fontconfig                           libfontconfig-dev       fontconfig-devel       fontconfig          fontconfig
build  library:harfbuzz                             libharfbuzz-dev         harfbuzz-devel         harfbuzz            harfbuzz
build  library:libpng                               libpng-dev              libpng-devel           libpng              libpng
build  library:libwebpmux                           libwebp-dev             libwebp-devel           libwebp             webp
build  header:gif_lib.h                             libgif-dev              giflib-devel            giflib              giflib
build  library:jansson                              libjansson-dev          jansson-devel          jansson             jansson
build  library:libzip                               libzip-dev              libzip-devel           libzip              libzip
build  library:libutf8proc                          libutf8proc-dev         utf8proc-devel         libutf8proc         utf8proc
build  library:libpcre2-8                           libpcre2-dev            pcre2-devel            pcre2               pcre2
build  library:dbus-1                               libdbus-1-dev           dbus-devel             dbus                dbus
tests  library:cmocka                               libcmocka-dev           libcmocka-devel        cmocka              cmocka
tests  command:Xvfb                                 xvfb                    xorg-x11-server-Xvfb   xorg-server-xvfb    -
tests  command:xauth                                xauth                   xorg-x11-xauth         xorg-xauth          -
tests  command:xdotool                              xdotool                 xdotool                xdotool             -
portable  command:ninja                            ninja-build             ninja-build            ninja                  ninja
portable  command:patch                            patch                   patch                  patch                  -
portable  command:wayland-scanner                  libwayland-bin          wayland-devel          wayland                -
portable  command:python3                          python3,python3-venv    python3                python                 python
portable-tests  file:/usr/sbin/debootstrap         debootstrap             debootstrap            debootstrap            -
portable-tests  command:wine                       wine,wine64             wine                   wine                   -
portable-tests  command:qemu-aarch64               qemu-user               qemu-user              qemu-user              -
portable-tests  file:/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1  libc6-arm64-cross  -  aarch64-linux-gnu-glibc  -
cross  command:aarch64-linux-gnu-gcc                gcc-aarch64-linux-gnu   gcc-aarch64-linux-gnu  aarch64-linux-gnu-gcc  -
cross  file:/usr/aarch64-linux-gnu/include/stdio.h  libc6-dev-arm64-cross   -                      aarch64-linux-gnu-glibc  -
cross  command:s390x-linux-gnu-gcc                  gcc-s390x-linux-gnu     gcc-s390x-linux-gnu    -                   -
cross  file:/usr/s390x-linux-gnu/include/stdio.h    libc6-dev-s390x-cross   -                      -                   -
cross  command:qemu-aarch64                         qemu-user               qemu-user              qemu-user           -
END
}

# is_there KIND:NAME
is_there() {
    case $1 in
        command:*) command -v "${1#*:}" > /dev/null 2>&1 ;;
        library:*) pkg-config --exists "${1#*:}" > /dev/null 2>&1 ;;
        header:*) echo "#include <${1#*:}>" | cc -E -x c - > /dev/null 2>&1 ;;
        file:*) [ -e "${1#*:}" ] ;;
    esac
}

# The package manager of this machine; nothing when it is none we know.
package_manager() {
    for manager in apt-get dnf pacman brew; do
        if command -v "$manager" > /dev/null 2>&1; then
            echo "$manager"
            return
        fi
    done
}

# Prints what is missing of a group: as packages of the manager, or as what was looked for (manager "").
missing() {
    packages | while read -r group there apt dnf pacman brew; do
        if [ "$group" != "$1" ] || is_there "$there"; then
            continue
        fi
        case $2 in
            apt-get) names=$apt ;;
            dnf) names=$dnf ;;
            pacman) names=$pacman ;;
            brew) names=$brew ;;
            *) names=${there#*:} ;;
        esac
        if [ "$names" != - ]; then
            echo "$names" | tr ',' ' '
        fi
    done | tr '\n' ' '
}

# As the superuser: directly, or with sudo.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo > /dev/null 2>&1; then
        sudo "$@"
    else
        say "This needs the superuser, and there is no sudo. Please run as root:"
        say "    $*"
        return 1
    fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >&2
}

# install_packages MANAGER PACKAGE...
install_packages() {
    manager=$1
    shift
    case $manager in
        apt-get)
            # A fresh machine or container has no lists yet; old lists name files that are gone.
            if ls /var/lib/apt/lists/*_Packages* > /dev/null 2>&1; then
                apt_get install -y --no-install-recommends "$@" && return
            fi
            apt_get update && apt_get install -y --no-install-recommends "$@"
            ;;
        dnf) as_root dnf install -y "$@" >&2 ;;
        pacman) as_root pacman -Sy --needed --noconfirm "$@" >&2 ;;
        brew) brew install "$@" >&2 ;; # refuses to run as root
    esac
}

need() {
    # pkg-config itself may be what is missing; then every library seems to be, and its package is named.
    wanted=$(missing "$1" "")
    if [ -z "$wanted" ]; then
        return
    fi
    manager=$(package_manager)
    if [ -z "$manager" ]; then
        say "Missing: $wanted"
        say "No package manager known here (apt-get, dnf, pacman, brew): please install these by hand."
        return 1
    fi
    names=$(missing "$1" "$manager")
    say "Installing with $manager: $names"
    # shellcheck disable=SC2086  # one word for each package
    if [ -n "$names" ] && ! install_packages "$manager" $names; then
        say "The packages could not be installed."
        return 1
    fi
    wanted=$(missing "$1" "")
    if [ -n "$wanted" ] && [ "$1" = build ]; then
        say "Still missing after the installation: $wanted"
        return 1
    fi
}

compile() {
    folder=$1
    target=$2
    shift 2
    # shellcheck disable=SC2154
    if [ ! -e "$folder/build.ninja" ]; then
        rm -rf "$folder"
        say "Configuring ${folder##*/}"
        meson setup "$folder" "$root" "$@" > "$folder.log" 2>&1 || {
            cat "$folder.log" >&2
            rm -f "$folder.log"
            return 1
        }
        mv "$folder.log" "$folder/setup.log"
    fi
    ninja -C "$folder" "$target" >&2
}

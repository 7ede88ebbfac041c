# What the tests of the real window share: a folder and a home of their own, an X server of their own,
# and how to wait. To be read by a shell with $program and $0 set; failures are counted in $failures.
scratch=$(mktemp -d)
server=
window_process=
failures=0

tidy() {
    [ -n "$window_process" ] && kill -9 "$window_process" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    rm -rf "$scratch"
}
trap tidy EXIT
trap 'exit 1' INT TERM HUP

# says NAME STATUS — one line for each thing that is checked
says() {
    if [ "$2" -eq 0 ]; then
        echo "ok: $1"
    else
        echo "FAILED: $1"
        failures=$((failures + 1))
    fi
}

# within SECONDS COMMAND … — tries until the command succeeds
within() {
    tries=$(($1 * 10))
    shift
    while [ "$tries" -gt 0 ]; do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
        tries=$((tries - 1))
    done
    return 1
}

unset DBUS_SESSION_BUS_ADDRESS WAYLAND_DISPLAY XDG_CONFIG_HOME XDG_STATE_HOME ATTNSCOPE_HOME SDL_VIDEODRIVER GDK_SCALE QT_SCALE_FACTOR
export HOME="$scratch/home"
mkdir -p "$HOME"
# For a build with sanitizers; any other takes no notice.
here=$(dirname "$0")
cat "$here/leaks.txt" "$here/../house/leaks.txt" >"$scratch/leaks" 2>/dev/null
export LSAN_OPTIONS="${LSAN_OPTIONS:+$LSAN_OPTIONS:}print_suppressions=0:suppressions=$scratch/leaks"

# start_server OPTIONS … — an X server of our own. Its keys do not repeat (-r): where the machine is busy
# the hand that presses one may be stopped for a second before it lets go. It stays as it is when its
# last window closes (-noreset): one that begins anew describes its screen in another way for a moment.
start_server() {
    rm -f "$scratch/display"
    Xvfb -displayfd 3 -r -noreset -screen 0 1600x1000x24 -nolisten tcp "$@" 3>"$scratch/display" 2>/dev/null &
    server=$!
    if ! within 60 test -s "$scratch/display"; then
        echo "FAILED: Xvfb does not start"
        exit 1
    fi
    DISPLAY=:$(cat "$scratch/display")
    export DISPLAY
}

alive() { kill -0 "$window_process" 2>/dev/null; }
gone() { ! alive; }

# sleeps PROCESS … — none of them has anything to do just now
sleeps() {
    for process in "$@"; do
        [ "$(awk '{ print $3 }' "/proc/$process/stat" 2>/dev/null)" = S ] || return 1
    done
}

# rest PROCESS … — all of them slept at five looks in a row: whatever was sent has arrived and been done,
# however slow the machine. One that waits for a processor does not sleep.
rest() {
    looks=5
    while [ "$looks" -gt 0 ]; do
        sleep 0.1
        sleeps "$@" || return 1
        looks=$((looks - 1))
    done
}
settle() { within 60 rest "$server" "$window_process"; }

find_window() {
    window=$(xdotool search --onlyvisible --class '^attnscope$' 2>/dev/null | head -n 1)
    [ -n "$window" ]
}

# exits STATUS — waits for the program's end
exits() {
    within 60 gone || return 1
    wait "$window_process" 2>/dev/null
    status=$?
    window_process=
    [ "$status" -eq "$1" ] || { echo "(status $status: $(cat "$scratch/err"))"; false; }
}

/* window_export.c — pictures on the clipboard. SDL 2 puts only text there; what the desktops bring
 * along for scripts takes pictures too. */
#include "app/window_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Programs that keep what they read on the clipboard, and the variable that names their desktop. */
static const struct {
    const char *display;
    const char *const argument[8];
} keepers[] = {
    {"WAYLAND_DISPLAY", {"wl-copy", "--type", "image/png", NULL}},
    {"DISPLAY", {"xclip", "-selection", "clipboard", "-t", "image/png", NULL}},
};

/* Starts a program, without a shell, that reads what is written into the pipe and says nothing.
 * False: there is none of that name. */
static bool start(const char *const *argument, const int pipe_ends[2], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none; /* of the signals that this program holds back */
    sigemptyset(&none);
    if (posix_spawnattr_init(&attributes) != 0) {
        return false;
    }
    if (posix_spawn_file_actions_init(&actions) != 0) {
        posix_spawnattr_destroy(&attributes);
        return false;
    }
    char *words[8];
    size_t count = 0;
    for (; argument[count] != NULL; count++) {
        words[count] = (char *)(uintptr_t)argument[count]; /* posix_spawn does not write to them */
    }
    words[count] = NULL;
    const bool started =
        posix_spawn_file_actions_adddup2(&actions, pipe_ends[0], STDIN_FILENO) == 0 &&
        posix_spawn_file_actions_addclose(&actions, pipe_ends[1]) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawnattr_setsigmask(&attributes, &none) == 0 &&
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK) == 0 &&
        posix_spawnp(child, words[0], &actions, &attributes, words, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

static bool write_all(int descriptor, struct bytes content)
{
    for (size_t at = 0; at < content.size;) {
        const ssize_t step = write(descriptor, content.at + at, content.size - at);
        if (step < 0 && errno != EINTR) {
            return false;
        }
        at += step > 0 ? (size_t)step : 0;
    }
    return true;
}

static bool feed(const char *const *argument, struct bytes png)
{
    int pipe_ends[2], status = 0;
    pid_t child = 0;
    if (pipe(pipe_ends) != 0) {
        return false;
    }
    const bool started = start(argument, pipe_ends, &child);
    close(pipe_ends[0]);
    const bool fed = started && write_all(pipe_ends[1], png);
    close(pipe_ends[1]);
    while (started && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return fed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool keep(struct bytes png)
{
    for (size_t i = 0; i < SDL_arraysize(keepers); i++) {
        const char *const display = SDL_getenv(keepers[i].display);
        if (display && display[0] != '\0' && feed(keepers[i].argument, png)) {
            return true;
        }
    }
    return false;
}

void window_export_copy(struct app_state *state, struct bytes png, double time)
{
    /* A keeper that ends early must not take this program along. */
    void (*const former)(int) = signal(SIGPIPE, SIG_IGN);
    const bool kept = keep(png);
    signal(SIGPIPE, former);
    if (kept) {
        app_state_say(state, time, "Picture copied");
    } else {
        app_state_say(state, time,
                      "This desktop takes no pictures without wl-copy or xclip: save "
                      "it, or copy it as SVG.");
    }
}

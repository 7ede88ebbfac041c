/* A picture for the clipboard, fed to the program that the desktop has for it, within a time. */
#include "app/desktop/clipboard_owner.h"
#include "app/desktop/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 8 };

static double now(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int left_until(double end)
{
    const double left = end - now();
    return left > 0 ? (int)left + 1 : 0;
}

/* As much at a time as the pipe takes. */
static bool write_all(int descriptor, struct bytes content, double end)
{
    for (size_t at = 0; at < content.size;) {
        struct pollfd room = {.fd = descriptor, .events = POLLOUT};
        const int left = left_until(end);
        if (left == 0 || (poll(&room, 1, left) < 0 && errno != EINTR)) {
            return false;
        }
        const ssize_t step = write(descriptor, content.at + at, content.size - at);
        if (step < 0 && errno != EINTR && errno != EAGAIN) {
            return false;
        }
        at += step > 0 ? (size_t)step : 0;
    }
    return true;
}

/* Whether it ended well before the time; afterwards it has ended in any case. */
static bool ends_well(pid_t child, double end)
{
    static const struct timespec pause = {0, 2000000};
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 && left_until(end) > 0) {
        nanosleep(&pause, NULL);
    }
    if (ended == child) {
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return false;
}

bool app_clipboard_owner_feed(const char *const *argument, struct bytes content, int milliseconds)
{
    const double end = now() + milliseconds;
    int pipe_ends[2];
    pid_t child = 0;
    if (pipe(pipe_ends) != 0) {
        return false;
    }
    /* A keeper that ends early must not take this program along. */
    void (*const former)(int) = signal(SIGPIPE, SIG_IGN);
    const bool started = app_child_start(argument, pipe_ends[0], -1, pipe_ends[1], &child);
    close(pipe_ends[0]);
    const bool fed = started && fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK) == 0 &&
                     write_all(pipe_ends[1], content, end);
    close(pipe_ends[1]);
    const bool ended = started && ends_well(child, fed ? end : now());
    signal(SIGPIPE, former);
    return fed && ended;
}

bool app_clipboard_owner_take(struct bytes content, const char *type)
{
    const struct {
        const char *display; /* the variable that names their desktop */
        const char *const argument[ARGUMENTS_MAX];
    } owners[] = {
        {"WAYLAND_DISPLAY", {"wl-copy", "--type", type, NULL}},
        {"DISPLAY", {"xclip", "-selection", "clipboard", "-t", type, NULL}},
    };
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        const char *const display = getenv(owners[i].display);
        if (display != NULL && display[0] != '\0' &&
            app_clipboard_owner_feed(owners[i].argument, content,
                                     APP_CLIPBOARD_OWNER_MILLISECONDS)) {
            return true;
        }
    }
    return false;
}

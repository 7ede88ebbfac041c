/* A picture for the clipboard, fed to the program that the desktop has for it, and a long text
 * taken from it, within a time. */
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

/* Whether the environment names such a desktop. */
static bool is_there(const char *variable)
{
    const char *const display = getenv(variable);
    return display != NULL && display[0] != '\0';
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
        if (is_there(owners[i].display) &&
            app_clipboard_owner_feed(owners[i].argument, content,
                                     APP_CLIPBOARD_OWNER_MILLISECONDS)) {
            return true;
        }
    }
    return false;
}

size_t app_clipboard_owner_hear(const char *const *argument, char *text, size_t most,
                                int milliseconds)
{
    const double end = now() + milliseconds;
    int pipe_ends[2];
    pid_t child = 0;
    size_t heard = 0;
    text[0] = '\0';
    if (pipe(pipe_ends) != 0) {
        return 0;
    }
    const bool started = app_child_start(argument, -1, pipe_ends[1], pipe_ends[0], &child);
    close(pipe_ends[1]);
    ssize_t step = 1;
    while (started && step != 0 && heard < most) {
        struct pollfd news = {.fd = pipe_ends[0], .events = POLLIN};
        const int left = left_until(end);
        const int ready = left == 0 ? 0 : poll(&news, 1, left);
        if (ready == 0 || (ready < 0 && errno != EINTR)) {
            break;
        }
        step = ready < 0 ? -1 : read(pipe_ends[0], text + heard, most - heard);
        if (step < 0 && errno != EINTR) {
            break;
        }
        heard += step > 0 ? (size_t)step : 0;
    }
    close(pipe_ends[0]);
    if (started) {
        (void)ends_well(child, step == 0 ? end : now());
    }
    text[heard] = '\0';
    return heard;
}

size_t app_clipboard_owner_text(char *text, size_t most)
{
    static const struct {
        const char *display;
        const char *const argument[ARGUMENTS_MAX];
    } givers[] = {
        {"WAYLAND_DISPLAY", {"wl-paste", "--no-newline", "--type", "text", NULL}},
        {"DISPLAY", {"xclip", "-selection", "clipboard", "-o", "-t", "UTF8_STRING", NULL}},
    };
    size_t heard = 0;
    for (size_t i = 0; heard == 0 && i < sizeof givers / sizeof givers[0]; i++) {
        heard = is_there(givers[i].display)
                    ? app_clipboard_owner_hear(givers[i].argument, text, most,
                                               APP_CLIPBOARD_OWNER_TEXT_MILLISECONDS)
                    : 0;
    }
    return heard;
}

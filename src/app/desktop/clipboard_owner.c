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

static double now_milliseconds(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int left_until(double end)
{
    const double left = end - now_milliseconds();
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

/* Returns whether it ended well before the time; afterwards it has ended in any case. */
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
    const double end = now_milliseconds() + milliseconds;
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
    const bool ended = started && ends_well(child, fed ? end : now_milliseconds());
    signal(SIGPIPE, former);
    return fed && ended;
}

/* Returns whether the environment names such a desktop. */
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

/* --- a text that is asked for --- */

static const struct {
    const char *display;
    const char *const argument[ARGUMENTS_MAX];
} givers[] = {
    {"WAYLAND_DISPLAY", {"wl-paste", "--no-newline", "--type", "text", NULL}},
    {"DISPLAY", {"xclip", "-selection", "clipboard", "-o", "-t", "UTF8_STRING", NULL}},
};

enum { GIVERS = sizeof givers / sizeof givers[0] };

bool app_clipboard_request_start(struct app_clipboard_request *request, const char *const *argument,
                                 char *text, size_t max_size, int milliseconds)
{
    int pipe_ends[2];
    *request = (struct app_clipboard_request){.end = now_milliseconds() + milliseconds,
                                              .text = text,
                                              .max_size = max_size,
                                              .descriptor = -1};
    text[0] = '\0';
    if (pipe(pipe_ends) != 0) {
        return false;
    }
    const bool started = app_child_start(argument, -1, pipe_ends[1], pipe_ends[0], &request->child);
    close(pipe_ends[1]);
    request->descriptor = pipe_ends[0];
    if (!started) {
        close(pipe_ends[0]);
    }
    return started;
}

/* The first of the givers from that one on which can be started. */
static bool start_giver(struct app_clipboard_request *request, size_t giver, char *text,
                        size_t max_size)
{
    for (; giver < GIVERS; giver++) {
        if (is_there(givers[giver].display) &&
            app_clipboard_request_start(request, givers[giver].argument, text, max_size,
                                        APP_CLIPBOARD_OWNER_TEXT_MILLISECONDS)) {
            request->others_from = giver + 1;
            return true;
        }
    }
    return false;
}

bool app_clipboard_request_begin(struct app_clipboard_request *request, char *text, size_t max_size)
{
    return start_giver(request, 0, text, max_size);
}

/* It has said all, or enough. */
static void close_request(struct app_clipboard_request *request, bool all)
{
    close(request->descriptor);
    (void)ends_well(request->child, all ? request->end : now_milliseconds());
    request->text[request->heard] = '\0';
}

void app_clipboard_request_drop(struct app_clipboard_request *request)
{
    close_request(request, false);
}

/* Takes what stands in the pipe by `until`. False: nothing did. */
static bool take_piece(struct app_clipboard_request *request, double until, bool *all)
{
    struct pollfd news = {.fd = request->descriptor, .events = POLLIN};
    const int ready = poll(&news, 1, left_until(until));
    if (ready <= 0) {
        return ready < 0 && errno == EINTR;
    }
    const ssize_t step = read(request->descriptor, request->text + request->heard,
                              request->max_size - request->heard);
    request->heard += step > 0 ? (size_t)step : 0;
    *all = step == 0 || (step < 0 && errno != EINTR);
    return true;
}

enum app_clipboard_news app_clipboard_request_look(struct app_clipboard_request *request,
                                                   int milliseconds)
{
    const double soon = now_milliseconds() + milliseconds;
    bool all = false;
    while (!all && request->heard < request->max_size &&
           take_piece(request, soon < request->end ? soon : request->end, &all)) {
    }
    const bool enough = all || request->heard == request->max_size;
    const bool late = !enough && now_milliseconds() >= request->end;
    if (!enough && !late) {
        return APP_CLIPBOARD_WAITS;
    }
    close_request(request, all);
    if (request->heard > 0) {
        return APP_CLIPBOARD_CAME;
    }
    const size_t others = request->others_from;
    if (!late && others > 0 && start_giver(request, others, request->text, request->max_size)) {
        return APP_CLIPBOARD_WAITS;
    }
    return late ? APP_CLIPBOARD_LATE : APP_CLIPBOARD_NOTHING;
}

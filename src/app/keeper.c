#include "app/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { ARGUMENTS_MAX = 8 };

/* Starts a program that reads what is written into the pipe and says nothing. False: there is none
 * of that name. */
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
    char *words[ARGUMENTS_MAX] = {NULL};
    for (size_t w = 0; argument[w] != NULL && w + 1 < ARGUMENTS_MAX; w++) {
        words[w] = (char *)(uintptr_t)argument[w]; /* posix_spawn does not write to them */
    }
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
    static const struct timespec moment = {0, 2000000};
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 && left_until(end) > 0) {
        nanosleep(&moment, NULL);
    }
    if (ended == child) {
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return false;
}

bool app_keeper_feed(const char *const *argument, struct bytes content, int milliseconds)
{
    const double end = now() + milliseconds;
    int pipe_ends[2];
    pid_t child = 0;
    if (pipe(pipe_ends) != 0) {
        return false;
    }
    /* A keeper that ends early must not take this program along. */
    void (*const former)(int) = signal(SIGPIPE, SIG_IGN);
    const bool started = start(argument, pipe_ends, &child);
    close(pipe_ends[0]);
    const bool fed = started && fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK) == 0 &&
                     write_all(pipe_ends[1], content, end);
    close(pipe_ends[1]);
    const bool ended = started && ends_well(child, fed ? end : now());
    signal(SIGPIPE, former);
    return fed && ended;
}

bool app_keeper_take(struct bytes content, const char *type)
{
    const struct {
        const char *display; /* the variable that names their desktop */
        const char *const argument[ARGUMENTS_MAX];
    } keepers[] = {
        {"WAYLAND_DISPLAY", {"wl-copy", "--type", type, NULL}},
        {"DISPLAY", {"xclip", "-selection", "clipboard", "-t", type, NULL}},
    };
    for (size_t i = 0; i < sizeof keepers / sizeof keepers[0]; i++) {
        const char *const display = getenv(keepers[i].display);
        if (display != NULL && display[0] != '\0' &&
            app_keeper_feed(keepers[i].argument, content, APP_KEEPER_MILLISECONDS)) {
            return true;
        }
    }
    return false;
}

/* base/system/child_posix.c — starts another program, writes to it and reads its output. */
#include "base/system/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system/clock.h"
#include "base/system/file.h"
#include "base/system/thread.h"

extern char **environ;

enum { WORDS_MAX = 16 };

bool system_child_is_there(const char *name)
{
    const char *folder = getenv("PATH");
    while (folder != NULL && *folder != '\0') {
        char path[SYSTEM_PATH_MAX];
        const size_t length = strcspn(folder, ":");
        if (length > 0 && length + strlen(name) + 2 < sizeof path) {
            snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, name);
            if (access(path, X_OK) == 0) {
                return true;
            }
        }
        folder += length + (folder[length] == ':');
    }
    return false;
}

static bool set_descriptor(posix_spawn_file_actions_t *actions, int end, int descriptor)
{
    const int way = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY;
    return end < 0 ? posix_spawn_file_actions_addopen(actions, descriptor, "/dev/null", way, 0) == 0
                   : posix_spawn_file_actions_adddup2(actions, end, descriptor) == 0;
}

/* It reads from `in` and writes to `out`; −1: nothing to read, nobody listens. */
static bool spawn_child(pid_t *number, const char *const *argument, int in, int out)
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
    char *words[WORDS_MAX] = {NULL};
    for (size_t w = 0; argument[w] != NULL && w + 1 < WORDS_MAX; w++) {
        words[w] = (char *)(uintptr_t)argument[w]; /* posix_spawn does not write to them */
    }
    const bool started = set_descriptor(&actions, in, STDIN_FILENO) &&
                         set_descriptor(&actions, out, STDOUT_FILENO) &&
                         set_descriptor(&actions, -1, STDERR_FILENO) &&
                         posix_spawnattr_setsigmask(&attributes, &none) == 0 &&
                         posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK) == 0 &&
                         posix_spawnp(number, words[0], &actions, &attributes, words, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

bool system_child_start(struct system_child *child, const char *const *argument,
                        enum system_child_talk talk)
{
    int ends[2];
    pid_t number = 0;
    *child = (struct system_child){.pipe = -1};
    if (pipe(ends) != 0) {
        return false;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const bool listens = talk == SYSTEM_CHILD_LISTENS;
    const bool started =
        spawn_child(&number, argument, listens ? ends[0] : -1, listens ? -1 : ends[1]);
    close(ends[listens ? 0 : 1]);
    child->pipe = ends[listens ? 1 : 0];
    child->number = (long)number;
    if (!started) {
        system_child_close_pipe(child);
    }
    return started;
}

static int left_until(double end)
{
    const double left = 1000 * (end - system_seconds());
    return left > 0 ? (int)left + 1 : 0;
}

/* Writes as much at a time as the pipe takes. */
static bool write_all(int file, const uint8_t *content, size_t size, double end)
{
    for (size_t at = 0; at < size;) {
        struct pollfd room = {.fd = file, .events = POLLOUT};
        const int left = left_until(end);
        if (left == 0 || (poll(&room, 1, left) < 0 && errno != EINTR)) {
            return false;
        }
        const ssize_t step = write(file, content + at, size - at);
        if (step < 0 && errno != EINTR && errno != EAGAIN) {
            return false;
        }
        at += step > 0 ? (size_t)step : 0;
    }
    return true;
}

bool system_child_feed(struct system_child *child, const void *content, size_t size, double end)
{
    /* A child that ends early must not take this program along. */
    void (*const former)(int) = signal(SIGPIPE, SIG_IGN);
    const bool fed =
        fcntl(child->pipe, F_SETFL, O_NONBLOCK) == 0 && write_all(child->pipe, content, size, end);
    system_child_close_pipe(child);
    signal(SIGPIPE, former);
    return fed;
}

ptrdiff_t system_child_read(struct system_child *child, void *out, size_t size, double end)
{
    struct pollfd news = {.fd = child->pipe, .events = POLLIN};
    int ready = 0;
    do {
        ready = poll(&news, 1, left_until(end));
    } while (ready < 0 && errno == EINTR);
    return ready > 0 ? system_child_read_all(child, out, size) : -1;
}

ptrdiff_t system_child_read_all(struct system_child *child, void *out, size_t size)
{
    const ptrdiff_t step = system_read(child->pipe, out, size);
    return step < 0 ? 0 : step;
}

void system_child_close_pipe(struct system_child *child)
{
    if (child->pipe >= 0) {
        close(child->pipe);
        child->pipe = -1;
    }
}

bool system_child_ends_well(struct system_child *child, double end)
{
    int status = 0;
    pid_t ended = 0;
    const pid_t number = (pid_t)child->number;
    while ((ended = waitpid(number, &status, WNOHANG)) == 0 && left_until(end) > 0) {
        system_sleep(0.002);
    }
    if (ended == number) {
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    kill(number, SIGKILL);
    system_child_collect(child->number);
    return false;
}

bool system_child_wait(const struct system_child *child)
{
    siginfo_t end;
    memset(&end, 0, sizeof end);
    while (waitid(P_PID, (id_t)child->number, &end, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    return end.si_code == CLD_EXITED && end.si_status == 0;
}

void system_child_collect(long number)
{
    while (waitpid((pid_t)number, NULL, 0) < 0 && errno == EINTR) {
    }
}

void system_child_ask_to_end(long number)
{
    kill((pid_t)number, SIGTERM);
}

/* --- what the desktop opens --- */

static void collect_number(void *number)
{
    system_child_collect((long)(intptr_t)number);
}

bool system_open_with_desktop(const char *path)
{
    const char *const viewer[] = {"xdg-open", path, NULL};
    struct system_thread thread;
    pid_t number = 0;
    if (!spawn_child(&number, viewer, -1, -1)) {
        return false;
    }
    /* A thread collects it at its end, or else the system at the end of this program. */
    if (system_thread_start(&thread, 0, collect_number, (void *)(intptr_t)number)) {
        system_thread_detach(&thread);
    }
    return true;
}

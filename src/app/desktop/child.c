/* Starting another program. */
#include "app/desktop/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

extern char **environ;

enum { WORDS_MAX = 16 };

static bool set_descriptor(posix_spawn_file_actions_t *actions, int end, int descriptor)
{
    const int way = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY;
    return end < 0 ? posix_spawn_file_actions_addopen(actions, descriptor, "/dev/null", way, 0) == 0
                   : posix_spawn_file_actions_adddup2(actions, end, descriptor) == 0;
}

bool app_child_start(const char *const *argument, int in, int out, int unwanted, pid_t *child)
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
    const bool started =
        set_descriptor(&actions, in, STDIN_FILENO) &&
        set_descriptor(&actions, out, STDOUT_FILENO) &&
        set_descriptor(&actions, -1, STDERR_FILENO) &&
        (unwanted < 0 || posix_spawn_file_actions_addclose(&actions, unwanted) == 0) &&
        posix_spawnattr_setsigmask(&attributes, &none) == 0 &&
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK) == 0 &&
        posix_spawnp(child, words[0], &actions, &attributes, words, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

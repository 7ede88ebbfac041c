/* window_choose.c — the desktop's own dialog for files, where it has one that can be called:
 * started without a shell, waited for beside the window, ended with it. */
#include "app/child.h"
#include "app/window_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, WORDS_MAX = 8 };

static const struct {
    const char *const argument[WORDS_MAX];
} dialogs[] = {
    {{"zenity", "--file-selection", "--title=Open a lesson, a session or a picture",
      "--file-filter=Lessons, sessions, pictures | *.json *.png *.svg *.pdf",
      "--file-filter=All files | *", NULL}},
    {{"kdialog", "--title", "Open a lesson, a session or a picture", "--getopenfilename", ".",
      "*.json *.png *.svg *.pdf|Lessons, sessions, pictures", NULL}},
};

struct window_choice {
    pid_t child;
    int from; /* what the dialog says */
    SDL_Thread *thread;
    SDL_atomic_t done;
};

/* Whether a program of that name stands in one of the folders of PATH. */
static bool can_be_run(const char *name)
{
    const char *folder = SDL_getenv("PATH");
    while (folder && *folder) {
        char path[PATH_BYTES];
        const size_t length = strcspn(folder, ":");
        if (length + strlen(name) + 2 < sizeof path) {
            SDL_snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, name);
            if (length > 0 && access(path, X_OK) == 0) {
                return true;
            }
        }
        folder += length + (folder[length] == ':');
    }
    return false;
}

static const char *const *dialog_at_hand(void)
{
    for (size_t i = 0; i < SDL_arraysize(dialogs); i++) {
        if (can_be_run(dialogs[i].argument[0])) {
            return dialogs[i].argument;
        }
    }
    return NULL;
}

bool window_choice_is_there(void)
{
    return dialog_at_hand() != NULL;
}

/* Reads to the end; the path without the end of its line. False: none, or one that is too long. */
static bool read_path(int from, char path[PATH_BYTES])
{
    size_t size = 0;
    while (size < PATH_BYTES) {
        const ssize_t step = read(from, path + size, PATH_BYTES - size);
        if (step < 0 && errno == EINTR) {
            continue;
        }
        if (step <= 0) {
            break;
        }
        size += (size_t)step;
    }
    if (size == PATH_BYTES) {
        return false;
    }
    path[size] = '\0';
    path[strcspn(path, "\n")] = '\0';
    return path[0] == '/';
}

/* On a thread of its own: what is chosen becomes an event, as if it were dropped on the window. */
static int wait_for_it(void *context)
{
    struct window_choice *const choice = context;
    char path[PATH_BYTES];
    const bool chosen = read_path(choice->from, path);
    siginfo_t end;
    memset(&end, 0, sizeof end);
    /* The child is left to be collected by window_choice_close: until then its number is its own.
     */
    while (waitid(P_PID, (id_t)choice->child, &end, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    if (chosen && end.si_code == CLD_EXITED && end.si_status == 0) {
        SDL_Event event = {.type = SDL_DROPFILE};
        event.drop.file = SDL_strdup(path);
        if (event.drop.file && SDL_PushEvent(&event) != 1) {
            SDL_free(event.drop.file);
        }
    }
    SDL_AtomicSet(&choice->done, 1);
    return 0;
}

static void collect(pid_t child)
{
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
}

struct window_choice *window_choice_open(void)
{
    const char *const *const dialog = dialog_at_hand();
    struct window_choice *const choice = SDL_calloc(1, sizeof *choice);
    int ends[2];
    if (!dialog || !choice || pipe(ends) != 0) {
        SDL_free(choice);
        return NULL;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    choice->from = ends[0];
    const bool started = app_child_start(dialog, -1, ends[1], ends[0], &choice->child);
    close(ends[1]);
    if (started) {
        choice->thread = SDL_CreateThread(wait_for_it, "file dialog", choice);
    }
    if (choice->thread) {
        return choice;
    }
    if (started) {
        kill(choice->child, SIGTERM);
        collect(choice->child);
    }
    close(choice->from);
    SDL_free(choice);
    return NULL;
}

bool window_choice_waits(struct window_choice *choice)
{
    return choice && SDL_AtomicGet(&choice->done) == 0;
}

void window_choice_close(struct window_choice *choice)
{
    if (!choice) {
        return;
    }
    if (window_choice_waits(choice)) {
        kill(choice->child, SIGTERM);
    }
    SDL_WaitThread(choice->thread, NULL);
    collect(choice->child);
    close(choice->from);
    SDL_free(choice);
}

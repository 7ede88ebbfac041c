/* The desktop's own dialog for files, where it has one: its portal's, or that of
 * a program which is started without a shell. Waited for beside the window, ended with it. */
#include "app/desktop/child.h"
#include "app/desktop/window_internal.h"
#include "file/kinds.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, WORDS_MAX = 8, FILTER_BYTES = 256, STACK = 1 << 20 /* of the thread */ };

/* %s: the patterns of everything that can be opened. */
static const struct {
    const char *const argument[WORDS_MAX];
} dialogs[] = {
    {{"zenity", "--file-selection", "--title=" WINDOW_CHOICE_TITLE,
      "--file-filter=" WINDOW_CHOICE_FILTER " | %s", "--file-filter=All files | *", NULL}},
    {{"kdialog", "--title", WINDOW_CHOICE_TITLE, "--getopenfilename", ".",
      "%s|" WINDOW_CHOICE_FILTER, NULL}},
};

struct window_choice {
    SDL_Thread *thread;
    SDL_atomic_t child; /* the number of the program that shows the dialog; 0: none was started */
    SDL_atomic_t cancelled, done, failed;
};

/* Returns whether a program of that name stands in one of the folders of PATH. */
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
    return window_portal_is_there() || dialog_at_hand() != NULL;
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

/* The words that start a dialog, "*.json *.png …" put into the one that is to filter. */
static void fill_filter(const char *const *dialog, char filter[FILTER_BYTES],
                        const char *argument[WORDS_MAX])
{
    char suffix[FILE_SUFFIX_MAX], patterns[FILTER_BYTES] = "";
    for (size_t s = 0; file_kind_suffix_at(s, suffix); s++) {
        const size_t length = SDL_strlen(patterns);
        SDL_snprintf(patterns + length, sizeof patterns - length, "%s*.%s", s > 0 ? " " : "",
                     suffix);
    }
    for (size_t a = 0; a < WORDS_MAX; a++) {
        const char *const gap = dialog[a] ? SDL_strstr(dialog[a], "%s") : NULL;
        argument[a] = gap ? filter : dialog[a];
        if (gap) {
            SDL_snprintf(filter, FILTER_BYTES, "%.*s%s%s", (int)(gap - dialog[a]), dialog[a],
                         patterns, gap + 2);
        }
    }
}

/* Reads what the program says that shows the dialog; −1: it was not started. */
static int start_dialog(struct window_choice *choice)
{
    const char *const *const dialog = dialog_at_hand();
    const char *argument[WORDS_MAX];
    char filter[FILTER_BYTES];
    pid_t child = 0;
    int ends[2];
    if (!dialog || pipe(ends) != 0) {
        return -1;
    }
    fill_filter(dialog, filter, argument);
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const bool started = app_child_start(argument, -1, ends[1], ends[0], &child);
    close(ends[1]);
    if (!started) {
        close(ends[0]);
        return -1;
    }
    SDL_AtomicSet(&choice->child, (int)child);
    if (SDL_AtomicGet(&choice->cancelled) != 0) { /* before it had a number */
        kill(child, SIGTERM);
    }
    return ends[0];
}

static enum window_portal_answer ask_dialog(struct window_choice *choice, char path[PATH_BYTES])
{
    const int from = start_dialog(choice);
    if (from < 0) {
        return WINDOW_PORTAL_NONE;
    }
    const bool chosen = read_path(from, path);
    siginfo_t end;
    memset(&end, 0, sizeof end);
    close(from);
    /* The child is left to be collected by window_choice_close: until then its number is its own.
     */
    while (waitid(P_PID, (id_t)SDL_AtomicGet(&choice->child), &end, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    return chosen && end.si_code == CLD_EXITED && end.si_status == 0 ? WINDOW_PORTAL_CHOSEN
                                                                     : WINDOW_PORTAL_CANCELLED;
}

/* On a thread of its own: what is chosen becomes an event, as if it were dropped on the window. */
static int wait_for_it(void *context)
{
    struct window_choice *const choice = context;
    char path[PATH_BYTES];
    enum window_portal_answer answer = window_portal_choose(&choice->cancelled, path, sizeof path);
    if (answer == WINDOW_PORTAL_NONE) {
        answer = ask_dialog(choice, path);
    }
    SDL_Event event = {.type = answer == WINDOW_PORTAL_CHOSEN ? SDL_DROPFILE : SDL_USEREVENT};
    if (answer == WINDOW_PORTAL_CHOSEN) {
        event.drop.file = SDL_strdup(path);
    }
    SDL_AtomicSet(&choice->failed, answer == WINDOW_PORTAL_NONE);
    SDL_AtomicSet(&choice->done, 1);
    if (SDL_PushEvent(&event) != 1 && answer == WINDOW_PORTAL_CHOSEN) {
        SDL_free(event.drop.file);
    }
    return 0;
}

struct window_choice *window_choice_open(void)
{
    struct window_choice *const choice = SDL_calloc(1, sizeof *choice);
    if (choice) {
        choice->thread = SDL_CreateThreadWithStackSize(wait_for_it, "file dialog", STACK, choice);
    }
    if (!choice || !choice->thread) {
        SDL_free(choice);
        return NULL;
    }
    return choice;
}

bool window_choice_waits(struct window_choice *choice)
{
    return choice && SDL_AtomicGet(&choice->done) == 0;
}

bool window_choice_failed(struct window_choice *choice)
{
    return choice && SDL_AtomicGet(&choice->failed) != 0;
}

void window_choice_close(struct window_choice *choice)
{
    if (!choice) {
        return;
    }
    SDL_AtomicSet(&choice->cancelled, 1);
    const pid_t child = (pid_t)SDL_AtomicGet(&choice->child);
    if (window_choice_waits(choice) && child != 0) {
        kill(child, SIGTERM);
    }
    SDL_WaitThread(choice->thread, NULL);
    const pid_t ended = (pid_t)SDL_AtomicGet(&choice->child);
    while (ended != 0 && waitpid(ended, NULL, 0) < 0 && errno == EINTR) {
    }
    SDL_free(choice);
}

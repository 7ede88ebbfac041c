/* The desktop's own dialog for files, where it has one: its portal's, or that of
 * a program which is started without a shell. Waited for beside the window, ended with it. */
#include "app/desktop/window_internal.h"
#include "base/system/child.h"
#include "file/kinds.h"

#include <string.h>

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

static const char *const *dialog_at_hand(void)
{
    for (size_t i = 0; i < SDL_arraysize(dialogs); i++) {
        if (system_child_is_there(dialogs[i].argument[0])) {
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
static bool read_path(struct system_child *child, char path[PATH_BYTES])
{
    size_t size = 0;
    while (size < PATH_BYTES) {
        const ptrdiff_t step = system_child_hear_all(child, path + size, PATH_BYTES - size);
        if (step == 0) {
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

/* False: it was not started. */
static bool start_dialog(struct window_choice *choice, struct system_child *child)
{
    const char *const *const dialog = dialog_at_hand();
    const char *argument[WORDS_MAX];
    char filter[FILTER_BYTES];
    if (!dialog) {
        return false;
    }
    fill_filter(dialog, filter, argument);
    if (!system_child_start(child, argument, SYSTEM_CHILD_SPEAKS)) {
        return false;
    }
    SDL_AtomicSet(&choice->child, (int)child->number);
    if (SDL_AtomicGet(&choice->cancelled) != 0) { /* before it had a number */
        system_child_ask_to_end(child->number);
    }
    return true;
}

static enum window_portal_answer ask_dialog(struct window_choice *choice, char path[PATH_BYTES])
{
    struct system_child child;
    if (!start_dialog(choice, &child)) {
        return WINDOW_PORTAL_NONE;
    }
    const bool chosen = read_path(&child, path);
    system_child_close_pipe(&child);
    /* The child is left to be collected by window_choice_close: until then its number is its own.
     */
    return system_child_wait(&child) && chosen ? WINDOW_PORTAL_CHOSEN : WINDOW_PORTAL_CANCELLED;
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
    const int child = SDL_AtomicGet(&choice->child);
    if (window_choice_waits(choice) && child != 0) {
        system_child_ask_to_end(child);
    }
    SDL_WaitThread(choice->thread, NULL);
    const int ended = SDL_AtomicGet(&choice->child);
    if (ended != 0) {
        system_child_collect(ended);
    }
    SDL_free(choice);
}

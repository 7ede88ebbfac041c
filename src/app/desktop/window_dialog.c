/* The dialog of the desktop's portal, else that of a program which is started without a shell. */
#include "app/desktop/window_internal.h"
#include "base/system/child.h"
#include "file/kinds.h"

#include <string.h>

enum { PATH_BYTES = WINDOW_DIALOG_PATH_BYTES, WORDS_MAX = 8, FILTER_BYTES = 256 };

/* %s: the patterns of everything that can be opened. */
static const struct {
    const char *const argument[WORDS_MAX];
} dialogs[] = {
    {{"zenity", "--file-selection", "--title=" WINDOW_CHOICE_TITLE,
      "--file-filter=" WINDOW_CHOICE_FILTER " | %s", "--file-filter=All files | *", NULL}},
    {{"kdialog", "--title", WINDOW_CHOICE_TITLE, "--getopenfilename", ".",
      "%s|" WINDOW_CHOICE_FILTER, NULL}},
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

bool window_dialog_is_there(void)
{
    return window_portal_is_there() || dialog_at_hand() != NULL;
}

/* Reads to the end; the path without the end of its line. False: none, or one that is too long. */
static bool read_path(struct system_child *child, char path[PATH_BYTES])
{
    size_t size = 0;
    while (size < PATH_BYTES) {
        const ptrdiff_t step = system_child_read_all(child, path + size, PATH_BYTES - size);
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

/* Lists the words of the call that starts a dialog, with all patterns in the word that filters. */
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
static bool start_dialog(struct window_dialog *dialog, struct system_child *child)
{
    const char *const *const words = dialog_at_hand();
    const char *argument[WORDS_MAX];
    char filter[FILTER_BYTES];
    if (!words) {
        return false;
    }
    fill_filter(words, filter, argument);
    if (!system_child_start(child, argument, SYSTEM_CHILD_SPEAKS)) {
        return false;
    }
    SDL_AtomicSet(&dialog->child, (int)child->number);
    if (SDL_AtomicGet(&dialog->cancelled) != 0) { /* before it had a number */
        system_child_ask_to_end(child->number);
    }
    return true;
}

static enum window_portal_answer ask_program(struct window_dialog *dialog, char path[PATH_BYTES])
{
    struct system_child child;
    if (!start_dialog(dialog, &child)) {
        return WINDOW_PORTAL_NONE;
    }
    const bool chosen = read_path(&child, path);
    system_child_close_pipe(&child);
    /* The child is left to be collected by window_dialog_close: until then its number is its own.
     */
    return system_child_wait(&child) && chosen ? WINDOW_PORTAL_CHOSEN : WINDOW_PORTAL_CANCELLED;
}

enum window_portal_answer window_dialog_choose(struct window_dialog *dialog,
                                               char path[WINDOW_DIALOG_PATH_BYTES])
{
    const enum window_portal_answer answer =
        window_portal_choose(&dialog->cancelled, path, WINDOW_DIALOG_PATH_BYTES);
    return answer == WINDOW_PORTAL_NONE ? ask_program(dialog, path) : answer;
}

void window_dialog_cancel(struct window_dialog *dialog)
{
    SDL_AtomicSet(&dialog->cancelled, 1);
    const int child = SDL_AtomicGet(&dialog->child);
    if (child != 0) {
        system_child_ask_to_end(child);
    }
}

void window_dialog_close(struct window_dialog *dialog)
{
    const int child = SDL_AtomicGet(&dialog->child);
    if (child != 0) {
        system_child_collect(child);
    }
}

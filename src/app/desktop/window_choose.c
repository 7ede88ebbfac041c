/* The desktop's own dialog for files, where it has one. Waited for beside the window, ended with
 * it. */
#include "app/desktop/window_internal.h"

enum { STACK = 1 << 20 /* of the thread */ };

struct window_choice {
    SDL_Thread *thread;
    struct window_dialog dialog;
    SDL_atomic_t done, failed;
};

bool window_choice_is_there(void)
{
    return window_dialog_is_there();
}

/* On a thread of its own: what is chosen becomes an event, as if it were dropped on the window. */
static int wait_for_it(void *context)
{
    struct window_choice *const choice = context;
    char path[WINDOW_DIALOG_PATH_BYTES];
    const enum window_portal_answer answer = window_dialog_choose(&choice->dialog, path);
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
    if (window_choice_waits(choice)) {
        window_dialog_cancel(&choice->dialog);
    }
    SDL_WaitThread(choice->thread, NULL);
    window_dialog_close(&choice->dialog);
    SDL_free(choice);
}

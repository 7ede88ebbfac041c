/* A picture for the clipboard, fed to the program that the desktop has for it, and a long text
 * taken from it, within a time. */
#include "app/desktop/clipboard_owner.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/system/clock.h"

enum { ARGUMENTS_MAX = 8 };

static double seconds_from_now(int milliseconds)
{
    return system_seconds() + 1e-3 * milliseconds;
}

bool app_clipboard_owner_feed(const char *const *argument, struct bytes content, int milliseconds)
{
    const double end = seconds_from_now(milliseconds);
    struct system_child child;
    if (!system_child_start(&child, argument, SYSTEM_CHILD_LISTENS)) {
        return false;
    }
    const bool fed = system_child_feed(&child, content.at, content.size, end);
    return system_child_ends_well(&child, fed ? end : system_seconds()) && fed;
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
    *request = (struct app_clipboard_request){
        .end = seconds_from_now(milliseconds), .text = text, .max_size = max_size};
    text[0] = '\0';
    return system_child_start(&request->child, argument, SYSTEM_CHILD_SPEAKS);
}

/* Starts the first of the givers, from that one on, that can be started. */
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

/* Ends the request, after all of the text or as much of it as fits. */
static void close_request(struct app_clipboard_request *request, bool all)
{
    system_child_close_pipe(&request->child);
    (void)system_child_ends_well(&request->child, all ? request->end : system_seconds());
    request->text[request->heard] = '\0';
}

void app_clipboard_request_drop(struct app_clipboard_request *request)
{
    close_request(request, false);
}

/* Takes what stands in the pipe by `until`. False: nothing did. */
static bool take_piece(struct app_clipboard_request *request, double until, bool *all)
{
    const ptrdiff_t step = system_child_read(&request->child, request->text + request->heard,
                                             request->max_size - request->heard, until);
    request->heard += step > 0 ? (size_t)step : 0;
    *all = step == 0;
    return step >= 0;
}

enum app_clipboard_news app_clipboard_request_look(struct app_clipboard_request *request,
                                                   int milliseconds)
{
    const double soon = seconds_from_now(milliseconds);
    bool all = false;
    while (!all && request->heard < request->max_size &&
           take_piece(request, soon < request->end ? soon : request->end, &all)) {
    }
    const bool enough = all || request->heard == request->max_size;
    const bool late = !enough && system_seconds() >= request->end;
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

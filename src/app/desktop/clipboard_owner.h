/* app/desktop/clipboard_owner.h — the clipboard by the hands of another program: SDL 2 puts only
 * text there, and on X11 takes none that comes in pieces; what the desktops bring along for scripts
 * takes pictures too, and gives texts of any length. */
#ifndef APP_DESKTOP_CLIPBOARD_OWNER_H
#define APP_DESKTOP_CLIPBOARD_OWNER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/system/child.h"

enum { APP_CLIPBOARD_OWNER_MILLISECONDS = 500, APP_CLIPBOARD_OWNER_TEXT_MILLISECONDS = 2000 };

/* Gives the content, which is of that media type ("image/png"), to the keeper of the desktop that
 * the environment names. False: there is none, or none took it in time. */
bool app_clipboard_owner_take(struct bytes content, const char *type);

/* Starts a program without a shell (argument[0], found on the path; NULL behind the last), feeds it
 * the content and waits until it ends well, all within the time. One that takes longer is ended. */
bool app_clipboard_owner_feed(const char *const *argument, struct bytes content, int milliseconds);

/* A text that another program says, while this one goes on. */
struct app_clipboard_request {
    size_t others_from; /* of the desktop's programs, those that are asked next; 0: nobody is */
    struct system_child child;
    double end; /* of system_seconds: then it is late */
    char *text;
    size_t max_size, heard;
};

enum app_clipboard_news {
    APP_CLIPBOARD_WAITS,
    APP_CLIPBOARD_CAME,   /* the text is there */
    APP_CLIPBOARD_LATE,   /* nothing came in time */
    APP_CLIPBOARD_NOTHING /* there is no text */
};

/* Asks the desktop's program for the first bytes of the clipboard's text, at most max_size of them;
 * text has room for a 0 behind them, and stays the caller's. False: there is no such program. */
bool app_clipboard_request_begin(struct app_clipboard_request *request, char *text,
                                 size_t max_size);

/* Starts a program as above and takes what it says, until that ends or max_size bytes are there. */
bool app_clipboard_request_start(struct app_clipboard_request *request, const char *const *argument,
                                 char *text, size_t max_size, int milliseconds);

/* Returns the news so far, or those that come within so many milliseconds. After anything but
 * APP_CLIPBOARD_WAITS the request is over. */
enum app_clipboard_news app_clipboard_request_look(struct app_clipboard_request *request,
                                                   int milliseconds);

/* Nobody waits for it any more. */
void app_clipboard_request_drop(struct app_clipboard_request *request);

#endif

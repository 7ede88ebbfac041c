/* app/desktop/clipboard_owner.h — the clipboard by the hands of another program: SDL 2 puts only
 * text there, and on X11 takes none that comes in pieces; what the desktops bring along for scripts
 * takes pictures too, and gives texts of any length. */
#ifndef APP_DESKTOP_CLIPBOARD_OWNER_H
#define APP_DESKTOP_CLIPBOARD_OWNER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

enum { APP_CLIPBOARD_OWNER_MILLISECONDS = 500, APP_CLIPBOARD_OWNER_TEXT_MILLISECONDS = 5000 };

/* Gives the content, which is of that media type ("image/png"), to the keeper of the desktop that
 * the environment names. False: there is none, or none took it in time. */
bool app_clipboard_owner_take(struct bytes content, const char *type);

/* Starts a program without a shell (argument[0], found on the path; NULL behind the last), feeds it
 * the content and waits until it ends well, all within the time. One that takes longer is ended. */
bool app_clipboard_owner_feed(const char *const *argument, struct bytes content, int milliseconds);

/* The first bytes of the clipboard's text, at most `most` of them, into `text`, which has room for
 * a 0 behind them. How many came; 0: there is no text, no such program, or none came in time. */
size_t app_clipboard_owner_text(char *text, size_t most);

/* Starts a program as above and takes what it says, until that ends or `most` bytes are there; then
 * it is ended. 0 where it says nothing within the time. */
size_t app_clipboard_owner_hear(const char *const *argument, char *text, size_t most,
                                int milliseconds);

#endif

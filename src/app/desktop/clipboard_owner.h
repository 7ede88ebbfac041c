/* app/desktop/clipboard_owner.h — content for the clipboard in the hands of another program: SDL 2
 * puts only text there, what the desktops bring along for scripts takes pictures too. */
#ifndef APP_DESKTOP_CLIPBOARD_OWNER_H
#define APP_DESKTOP_CLIPBOARD_OWNER_H

#include <stdbool.h>

#include "base/bytes.h"

enum { APP_CLIPBOARD_OWNER_MILLISECONDS = 500 };

/* Gives the content, which is of that media type ("image/png"), to the keeper of the desktop that
 * the environment names. False: there is none, or none took it in time. */
bool app_clipboard_owner_take(struct bytes content, const char *type);

/* Starts a program without a shell (argument[0], found on the path; NULL behind the last), feeds it
 * the content and waits until it ends well, all within the time. One that takes longer is ended. */
bool app_clipboard_owner_feed(const char *const *argument, struct bytes content, int milliseconds);

#endif

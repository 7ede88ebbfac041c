/* app/document/settings_store.h — what is kept from one run to the next: the files opened lately,
 * and where the window stood on each screen. Losing it is no harm, so that no failure is told.
 *
 * It lies in ATTNSCOPE_HOME where that is set, else in XDG_STATE_HOME/attnscope or
 * ~/.local/state/attnscope. */
#ifndef APP_DOCUMENT_SETTINGS_STORE_H
#define APP_DOCUMENT_SETTINGS_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { APP_RECENT_MAX = 10 };

/* The file comes first from now on; those behind the tenth are forgotten. */
void app_store_file(const char *path);

/* The same where whoever holds the window stores settings. */
struct app_state;
void app_state_store_file(const struct app_state *state, const char *path);

/* The files, the latest first; paths belong to the arena. Returns how many there are. */
size_t app_stored_files(struct arena *arena, const char *paths[APP_RECENT_MAX]);

/* Keeps lines under a name of letters; the lines of that name, which belong to the arena, and how
 * many there are. */
void app_store_lines(const char *name, const char *const *lines, size_t count);
size_t app_stored_lines(const char *name, struct arena *arena, const char **lines,
                        size_t max_count);

/* Where a window stands, in the units of its desktop. */
struct app_spot {
    int x, y, width, height;
};

/* Keeps the place on the screen of that name. */
void app_store_place(const char *screen, struct app_spot place);

/* Of the screens that are there, the one where a window stood last, and its place there. Returns
 * count when nothing is known of any. */
size_t app_stored_place(const char *const *screens, size_t count, struct app_spot *place);

/* The place moved, and where it must be made smaller, so that all of it lies in the visible part
 * of the screen. */
struct app_spot app_spot_inside(struct app_spot place, struct app_spot visible);

#endif

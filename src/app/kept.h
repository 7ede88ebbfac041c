/* app/kept.h — where work that is in no file yet is kept aside: a folder of the person's own, and
 * in it one place for each running window, with a lock so that two do not write over each other.
 *
 *     work-3.json   the work of the window that holds place 3, or of one that died
 *     work-3.lock   locked while its window runs; says how often restoring was tried, and the step
 */
#ifndef APP_KEPT_H
#define APP_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { KEPT_PATH_MAX = 4096, KEPT_PLACES_MAX = 64 };

/* A place that this process holds; number 0: none. */
struct kept_place {
    int number, lock;
};

/* What stands in a lock. */
struct kept_note {
    unsigned tries; /* to restore, that were begun and not survived */
    size_t step;    /* of the lesson that the work belongs to */
};

/* The folder, made with 0700 where it is missing: ATTNSCOPE_HOME/unsaved, XDG_STATE_HOME/attnscope
 * or ~/.local/state/attnscope. False and a sentence: there is none that could be written into. */
bool kept_folder(char *path, size_t size, struct error *error);

/* Takes a free place into own and, where a window died with work that is not in a file, the place
 * of the newest such work into found. Both stay locked until kept_leave. */
void kept_enter(const char *folder, struct kept_place *own, struct kept_place *found);
void kept_leave(struct kept_place *place);

/* The file of a place. */
void kept_path(const char *folder, const struct kept_place *place, char path[KEPT_PATH_MAX]);

struct kept_note kept_note_read(const struct kept_place *place);
void kept_note_write(const struct kept_place *place, struct kept_note note);

#endif

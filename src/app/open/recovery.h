/* app/open/recovery.h — where work that is in no file yet is kept aside: a folder of the person's
 * own, and in it one place for each running window, with a lock so that two do not write over each
 * other.
 *
 *     work-3.json   the work of the window that holds place 3, or of one that died
 *     work-3.lock   locked while its window runs; says how often restoring was tried, the step, and
 *                   what the work is
 */
#ifndef APP_OPEN_RECOVERY_H
#define APP_OPEN_RECOVERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { RECOVERY_PATH_MAX = 4096, RECOVERY_PLACES_MAX = 64, RECOVERY_NAME_MAX = 120 };

/* A place that this process holds; number 0: none. */
struct recovery_place {
    int number, lock;
};

/* The content of a lock. */
struct recovery_note {
    unsigned tries;               /* to restore, that were begun and not survived */
    size_t step;                  /* of the lesson that the work belongs to */
    char name[RECOVERY_NAME_MAX]; /* what it is, in words; "": nobody knows */
};

/* The folder, made with 0700 where it is missing: ATTNSCOPE_HOME/unsaved, XDG_STATE_HOME/attnscope
 * or ~/.local/state/attnscope. False and a sentence: there is none that could be written into. */
bool recovery_folder(char *path, size_t size, struct error *error);

/* Takes a free place into own and, where a window died with work that is not in a file, the place
 * of the newest such work into found. Both stay locked until recovery_leave. */
void recovery_enter(const char *folder, struct recovery_place *own, struct recovery_place *found);
void recovery_leave(struct recovery_place *place);

/* The file of a place. */
void recovery_path(const char *folder, const struct recovery_place *place,
                   char path[RECOVERY_PATH_MAX]);

struct recovery_note recovery_note_read(const struct recovery_place *place);
void recovery_note_write(const struct recovery_place *place, struct recovery_note note);

#endif

/* Finds, locks, reads and sweeps the places for work that is kept aside. */
#include "app/open/recovery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/system/process.h"
#include "base/system/user.h"

/* Two numbers, each with what ends it; a name, filled up with spaces, and the end of the line. */
enum { NUMBERS_BYTES = 30, NOTE_BYTES = NUMBERS_BYTES + RECOVERY_NAME_MAX };

static bool name_folder(char *path, size_t size)
{
    const char *const own = system_folder_variable("ATTNSCOPE_HOME");
    if (own == NULL || !system_path_is_whole(own)) {
        return system_state_folder("attnscope", path, size);
    }
    const int length = snprintf(path, size, "%s/unsaved", own);
    return length > 0 && (size_t)length < size;
}

bool recovery_folder(char *path, size_t size, struct error *error)
{
    struct system_facts facts;
    if (!name_folder(path, size)) {
        return error_set(error, ERROR_FILE,
                         "Unsaved work cannot be kept aside: there is no home folder.");
    }
    (void)system_make_private_folders(path);
    if (system_link_facts(path, &facts) && !system_folder_is_own(path)) {
        return error_set(error, ERROR_FILE,
                         "Unsaved work cannot be kept aside: %.120s is no folder of your own.",
                         path);
    }
    if (!system_folder_may_keep(path)) {
        return error_set(error, ERROR_FILE,
                         "Unsaved work cannot be kept aside: nothing can be written in %.120s.",
                         path);
    }
    system_folder_make_private(path);
    return true;
}

static void path_of(const char *folder, int number, const char *suffix,
                    char path[RECOVERY_PATH_MAX])
{
    snprintf(path, RECOVERY_PATH_MAX, "%s/work-%d.%s", folder, number, suffix);
}

void recovery_path(const char *folder, const struct recovery_place *place,
                   char path[RECOVERY_PATH_MAX])
{
    path_of(folder, place->number, "json", path);
}

/* Parts of files that were being written when their window died. */
static void remove_stale_parts(const char *folder)
{
    struct system_names *const names = system_names_open(folder);
    const char *name = NULL;
    while (names != NULL && (name = system_names_next(names)) != NULL) {
        static const char head[] = ".part-";
        const bool is_part = strncmp(name, head, sizeof head - 1) == 0;
        const long process = is_part ? strtol(name + sizeof head - 1, NULL, 10) : 0;
        char path[RECOVERY_PATH_MAX];
        if (process > 0 && !system_process_is_there(process) &&
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path) {
            (void)system_remove(path);
        }
    }
    system_names_close(names);
}

/* A lock of this place, or number 0 where another window has it. */
static struct recovery_place lock_place(const char *folder, int number)
{
    char path[RECOVERY_PATH_MAX];
    path_of(folder, number, "lock", path);
    bool is_taken = false;
    const int lock = system_open_locked(path, true, &is_taken);
    return lock >= 0 ? (struct recovery_place){number, lock} : (struct recovery_place){0, -1};
}

static bool is_newer(const struct system_facts *a, const struct system_facts *b)
{
    return a->seconds != b->seconds ? a->seconds > b->seconds : a->nanoseconds > b->nanoseconds;
}

void recovery_enter(const char *folder, struct recovery_place *own, struct recovery_place *found)
{
    struct system_facts newest = {0};
    *own = *found = (struct recovery_place){0, -1};
    remove_stale_parts(folder);
    for (int number = 1; number <= RECOVERY_PLACES_MAX; number++) {
        struct system_facts facts;
        char path[RECOVERY_PATH_MAX];
        path_of(folder, number, "json", path);
        const bool has_work = system_link_facts(path, &facts) && facts.kind == SYSTEM_REGULAR;
        if (!has_work && own->number != 0) {
            continue;
        }
        struct recovery_place place = lock_place(folder, number);
        if (has_work && place.number != 0 && (found->number == 0 || is_newer(&facts, &newest))) {
            recovery_leave(found);
            *found = place;
            newest = facts;
        } else if (place.number != 0 && !has_work && own->number == 0) {
            *own = place;
        } else {
            recovery_leave(&place);
        }
    }
}

void recovery_leave(struct recovery_place *place)
{
    if (place->number != 0) {
        (void)system_close(place->lock);
    }
    *place = (struct recovery_place){0, -1};
}

struct recovery_note recovery_note_read(const struct recovery_place *place)
{
    char text[NOTE_BYTES + 1] = "";
    const ptrdiff_t size =
        place->number != 0 ? system_read_at(place->lock, 0, text, NOTE_BYTES) : 0;
    char *end = text;
    text[size > 0 ? size : 0] = '\0';
    const unsigned long tries = strtoul(text, &end, 10), step = strtoul(end, NULL, 10);
    struct recovery_note note = {.tries = tries < 1000 ? (unsigned)tries : 1000, .step = step};
    if (size > NUMBERS_BYTES) {
        snprintf(note.name, sizeof note.name, "%.*s", (int)strcspn(text + NUMBERS_BYTES, "\n"),
                 text + NUMBERS_BYTES);
    }
    for (size_t at = strlen(note.name); at > 0 && note.name[at - 1] == ' '; at--) {
        note.name[at - 1] = '\0';
    }
    return note;
}

void recovery_note_write(const struct recovery_place *place, struct recovery_note note)
{
    char text[NOTE_BYTES + 1];
    for (char *at = note.name; *at != '\0'; at++) {
        *at = (unsigned char)*at < ' ' ? ' ' : *at;
    }
    snprintf(text, sizeof text, "%-9u %-20zu%-*.*s\n", note.tries, note.step, RECOVERY_NAME_MAX - 1,
             RECOVERY_NAME_MAX - 1, note.name);
    if (place->number != 0 && system_write_at(place->lock, 0, text, strlen(text)) >= 0) {
        (void)system_flush(place->lock);
    }
}

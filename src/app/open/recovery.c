/* Places for work that is kept aside: found, locked, read and swept. */
#define _DEFAULT_SOURCE /* flock: a lock of the open file, which ends with its process */
#include "app/open/recovery.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Two numbers, each with what ends it; a name, filled up with spaces, and the end of the line. */
enum { NUMBERS_BYTES = 30, NOTE_BYTES = NUMBERS_BYTES + RECOVERY_NAME_MAX };

static bool name_folder(char *path, size_t size)
{
    static const struct {
        const char *variable, *tail;
    } homes[] = {{"ATTNSCOPE_HOME", "unsaved"},
                 {"XDG_STATE_HOME", "attnscope"},
                 {"HOME", ".local/state/attnscope"}};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        const char *const home = getenv(homes[i].variable);
        if (home != NULL && home[0] == '/') {
            const int length = snprintf(path, size, "%s/%s", home, homes[i].tail);
            return length > 0 && (size_t)length < size;
        }
    }
    return false;
}

/* Every folder on the way that is missing. */
static void make_way(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    (void)mkdir(path, 0700);
}

/* A folder of the person's, or a link of theirs to one: some keep their state on another disk. */
static bool is_own_folder(const char *path, struct stat *facts)
{
    return lstat(path, facts) == 0 && facts->st_uid == geteuid() && stat(path, facts) == 0 &&
           S_ISDIR(facts->st_mode) && facts->st_uid == geteuid();
}

bool recovery_folder(char *path, size_t size, struct error *error)
{
    struct stat facts;
    if (!name_folder(path, size)) {
        return error_set(error, ERROR_FILE,
                         "Unsaved work cannot be kept aside: there is no home folder.");
    }
    make_way(path);
    if (lstat(path, &facts) == 0 && !is_own_folder(path, &facts)) {
        return error_set(error, ERROR_FILE,
                         "Unsaved work cannot be kept aside: %.120s is no folder of your own.",
                         path);
    }
    if (stat(path, &facts) != 0 || access(path, W_OK | X_OK) != 0) {
        return error_set(error, ERROR_FILE,
                         "Unsaved work cannot be kept aside: nothing can be written in %.120s.",
                         path);
    }
    if ((facts.st_mode & 077) != 0) {
        (void)chmod(path, 0700);
    }
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
    DIR *const names = opendir(folder);
    const struct dirent *entry = NULL;
    while (names != NULL && (entry = readdir(names)) != NULL) {
        static const char head[] = ".part-";
        const bool is_part = strncmp(entry->d_name, head, sizeof head - 1) == 0;
        const long process = is_part ? strtol(entry->d_name + sizeof head - 1, NULL, 10) : 0;
        if (process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH) {
            (void)unlinkat(dirfd(names), entry->d_name, 0);
        }
    }
    if (names != NULL) {
        closedir(names);
    }
}

/* A lock of this place, or number 0 where another window has it. */
static struct recovery_place lock_place(const char *folder, int number)
{
    char path[RECOVERY_PATH_MAX];
    path_of(folder, number, "lock", path);
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) {
        return (struct recovery_place){number, lock};
    }
    if (lock >= 0) {
        close(lock);
    }
    return (struct recovery_place){0, -1};
}

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

void recovery_enter(const char *folder, struct recovery_place *own, struct recovery_place *found)
{
    struct timespec newest = {0};
    *own = *found = (struct recovery_place){0, -1};
    remove_stale_parts(folder);
    for (int number = 1; number <= RECOVERY_PLACES_MAX; number++) {
        struct stat facts;
        char path[RECOVERY_PATH_MAX];
        path_of(folder, number, "json", path);
        const bool has_work = lstat(path, &facts) == 0 && S_ISREG(facts.st_mode);
        if (!has_work && own->number != 0) {
            continue;
        }
        struct recovery_place place = lock_place(folder, number);
        if (has_work && place.number != 0 &&
            (found->number == 0 || is_newer(&facts.st_mtim, &newest))) {
            recovery_leave(found);
            *found = place;
            newest = facts.st_mtim;
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
        close(place->lock);
    }
    *place = (struct recovery_place){0, -1};
}

struct recovery_note recovery_note_read(const struct recovery_place *place)
{
    char text[NOTE_BYTES + 1] = "";
    const ssize_t size = place->number != 0 ? pread(place->lock, text, NOTE_BYTES, 0) : 0;
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
    if (place->number != 0 && pwrite(place->lock, text, strlen(text), 0) >= 0) {
        (void)fsync(place->lock);
    }
}

/* power — the current fails while work is kept aside and then saved. What the two ask of the disk
 * is written down (the linker puts our calls aside); then every state is built that a disk may show
 * afterwards: what was flushed, and of what was not any part, sector by sector, names in order or
 * not yet there. In each of them the session is the old one or the new one, and from the moment the
 * work was kept it is in one of the two files. Five sizes of work each day; ATTN_TEST_ROUNDS more
 * of sizes drawn by chance. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "../rounds.h"
#include "../window/folder.h"
#include "app/actions/actions.h"
#include "app/actions/startup.h"
#include "app/open/autosave.h"
#include "app/open/lesson.h"
#include "base/file.h"
#include "base/random.h"

enum {
    PATH_BYTES = 512,
    DEEDS_MAX = 256,
    FILES_MAX = 32,
    OPEN_MAX = 1024,
    SECTOR = 512,
    WORDS_MAX = 400,
    ALL_SUBSETS = 10, /* of so many sectors every subset is tried … */
    SUBSETS = 1000    /* … of more so many */
};

enum folder { HOME, UNSAVED, FOLDERS };

/* --- what was asked of the disk --- */

enum deed_kind { CREATED, WRITTEN, FLUSHED, RENAMED, REMOVED, NAMES_FLUSHED, KEPT };

struct deed {
    enum deed_kind kind;
    char path[PATH_BYTES], to[PATH_BYTES];
    size_t file; /* number of the file */
    struct bytes bytes;
};

static struct {
    char folder[FOLDERS][PATH_BYTES], session[PATH_BYTES], kept[PATH_BYTES];
    struct deed deed[DEEDS_MAX];
    size_t deeds, files;
    size_t file_of[OPEN_MAX]; /* of a descriptor, from 1; 0: none that was created */
    bool is_folder[OPEN_MAX];
    enum folder folder_of[OPEN_MAX];
    bool watches;
    struct arena arena;
    struct bytes old;
} book;

static struct deed *record_deed(enum deed_kind kind)
{
    if (book.deeds == DEEDS_MAX) {
        abort();
    }
    struct deed *const deed = &book.deed[book.deeds++];
    *deed = (struct deed){.kind = kind};
    return deed;
}

static bool lies_in(const char *path, enum folder folder)
{
    const size_t length = strlen(book.folder[folder]);
    return strncmp(path, book.folder[folder], length) == 0 && path[length] == '/' &&
           strchr(path + length + 1, '/') == NULL;
}

int __real_open64(const char *path, int flags, mode_t mode);
ssize_t __real_write(int descriptor, const void *at, size_t size);
int __real_fsync(int descriptor);
int __real_close(int descriptor);
int __real_rename(const char *from, const char *to);
int __real_unlink(const char *path);
int __wrap_open64(const char *path, int flags, mode_t mode);
ssize_t __wrap_write(int descriptor, const void *at, size_t size);
int __wrap_fsync(int descriptor);
int __wrap_close(int descriptor);
int __wrap_rename(const char *from, const char *to);
int __wrap_unlink(const char *path);

int __wrap_open64(const char *path, int flags, mode_t mode)
{
    const int descriptor = __real_open64(path, flags, mode);
    if (!book.watches || descriptor < 0 || descriptor >= OPEN_MAX) {
        return descriptor;
    }
    for (enum folder folder = HOME; folder < FOLDERS; folder++) {
        char itself[PATH_BYTES + 4];
        snprintf(itself, sizeof itself, "%s/.", book.folder[folder]);
        if (strcmp(path, itself) == 0) {
            book.is_folder[descriptor] = true;
            book.folder_of[descriptor] = folder;
        }
    }
    if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) {
        struct deed *const deed = record_deed(CREATED);
        snprintf(deed->path, sizeof deed->path, "%s", path);
        deed->file = book.file_of[descriptor] = ++book.files;
    }
    return descriptor;
}

ssize_t __wrap_write(int descriptor, const void *at, size_t size)
{
    const ssize_t moved = __real_write(descriptor, at, size);
    if (book.watches && moved > 0 && book.file_of[descriptor] != 0) {
        struct deed *const deed = record_deed(WRITTEN);
        uint8_t *const copy = arena_alloc(&book.arena, (size_t)moved);
        memcpy(copy, at, (size_t)moved);
        deed->file = book.file_of[descriptor];
        deed->bytes = (struct bytes){copy, (size_t)moved};
    }
    return moved;
}

int __wrap_fsync(int descriptor)
{
    const int status = __real_fsync(descriptor);
    if (book.watches && book.is_folder[descriptor]) {
        struct deed *const deed = record_deed(NAMES_FLUSHED);
        const char *const folder = book.folder[book.folder_of[descriptor]];
        memcpy(deed->path, folder, strlen(folder));
        strcpy(deed->path + strlen(folder), "/.");
    } else if (book.watches && book.file_of[descriptor] != 0) {
        record_deed(FLUSHED)->file = book.file_of[descriptor];
    }
    return status;
}

int __wrap_close(int descriptor)
{
    if (descriptor >= 0 && descriptor < OPEN_MAX) {
        book.file_of[descriptor] = 0;
        book.is_folder[descriptor] = false;
    }
    return __real_close(descriptor);
}

int __wrap_rename(const char *from, const char *to)
{
    if (book.watches) {
        struct deed *const deed = record_deed(RENAMED);
        snprintf(deed->path, sizeof deed->path, "%s", from);
        snprintf(deed->to, sizeof deed->to, "%s", to);
    }
    return __real_rename(from, to);
}

int __wrap_unlink(const char *path)
{
    if (book.watches) {
        snprintf(record_deed(REMOVED)->path, PATH_BYTES, "%s", path);
    }
    return __real_unlink(path);
}

/* --- what a disk may show --- */

/* A file after some deeds: what was flushed, and what was written. Written from begin to end, once.
 */
struct written {
    struct bytes now;
    size_t flushed; /* bytes of it that are safe */
};

static struct written file_after(size_t file, size_t deeds)
{
    struct written written = {.now = file == 0 ? book.old : (struct bytes){0}};
    written.flushed = written.now.size;
    uint8_t *content = NULL;
    for (size_t d = 0; file > 0 && d < deeds; d++) {
        const struct deed *const deed = &book.deed[d];
        if (deed->file != file || (deed->kind != WRITTEN && deed->kind != FLUSHED)) {
            continue;
        }
        if (deed->kind == FLUSHED) {
            written.flushed = written.now.size;
            continue;
        }
        uint8_t *const longer = arena_alloc(&book.arena, written.now.size + deed->bytes.size);
        if (content != NULL) {
            memcpy(longer, content, written.now.size);
        }
        memcpy(longer + written.now.size, deed->bytes.at, deed->bytes.size);
        content = longer;
        written.now = (struct bytes){content, written.now.size + deed->bytes.size};
    }
    return written;
}

/* Where a name leads when so many of the deeds with names of its folder have come to the disk; -1:
 * nowhere, 0: to the old session. */
static long file_named(const char *path, enum folder folder, size_t deeds, size_t names)
{
    static struct {
        char path[PATH_BYTES];
        long file;
    } entry[FILES_MAX];
    size_t entries = 0;
    if (folder == HOME) {
        snprintf(entry[0].path, PATH_BYTES, "%s", book.session);
        entry[0].file = 0;
        entries = 1;
    }
    for (size_t d = 0; d < deeds && names > 0; d++) {
        const struct deed *const deed = &book.deed[d];
        const bool names_something =
            deed->kind == CREATED || deed->kind == RENAMED || deed->kind == REMOVED;
        if (!names_something || !lies_in(deed->path, folder)) {
            continue;
        }
        names--;
        long moved = (long)deed->file;
        for (size_t e = 0; e < entries; e++) {
            if (strcmp(entry[e].path, deed->path) == 0) {
                moved = entry[e].file;
                entry[e].path[0] = '\0';
            }
            if (strcmp(entry[e].path, deed->to) == 0) {
                entry[e].path[0] = '\0';
            }
        }
        if (deed->kind != REMOVED) {
            snprintf(entry[entries].path, PATH_BYTES, "%s",
                     deed->kind == RENAMED ? deed->to : deed->path);
            entry[entries++].file = moved;
        }
    }
    for (size_t e = 0; e < entries; e++) {
        if (strcmp(entry[e].path, path) == 0) {
            return entry[e].file;
        }
    }
    return -1;
}

/* How many deeds with names there were in the folder, and how many of them are flushed. */
static size_t names_in(enum folder folder, size_t deeds, size_t *flushed)
{
    size_t names = 0;
    *flushed = 0;
    for (size_t d = 0; d < deeds; d++) {
        const struct deed *const deed = &book.deed[d];
        if (!lies_in(deed->path, folder)) {
            continue;
        }
        if (deed->kind == NAMES_FLUSHED) {
            *flushed = names;
        } else {
            names++;
        }
    }
    return names;
}

/* Of a file that may show any part of what was not flushed: how many ways, and whether in each of
 * them it is `whole`. */
static size_t ways_of(const struct written *written, struct bytes whole, struct random *dice,
                      bool *always)
{
    const size_t first = written->flushed / SECTOR;
    const size_t sectors = (written->now.size + SECTOR - 1) / SECTOR - first;
    const bool every = sectors <= ALL_SUBSETS;
    const size_t ways = written->flushed == written->now.size ? 1
                        : every                               ? (size_t)1 << sectors
                                                              : SUBSETS;
    uint8_t *const shown = calloc(1, written->now.size + 1);
    *always = true;
    for (size_t way = 0; way < ways; way++) {
        size_t size = written->flushed;
        memset(shown, 0, written->now.size);
        memcpy(shown, written->now.at, written->flushed);
        for (size_t s = 0; s < sectors && ways > 1; s++) {
            const size_t from = (first + s) * SECTOR;
            const size_t end =
                from + SECTOR < written->now.size ? from + SECTOR : written->now.size;
            if (every ? (way >> s & 1) != 0 : (random_bits(dice) & 1) != 0) {
                memcpy(shown + from, written->now.at + from, end - from);
                size = end;
            }
        }
        *always = *always && size == whole.size && memcmp(shown, whole.at, size) == 0;
    }
    free(shown);
    return ways;
}

struct trial {
    struct bytes session, kept; /* the new ones, whole */
    struct random dice;
    size_t states, failures;
};

static bool is_whole(const struct written *written, struct bytes whole, struct trial *trial,
                     size_t *ways)
{
    bool always = false;
    const size_t count = ways_of(written, whole, &trial->dice, &always);
    *ways = *ways > count ? *ways : count;
    return always;
}

/* The current fails after so many deeds, of which these names have come to the disk. */
static void try_names(struct trial *trial, size_t deeds, size_t home, size_t unsaved, bool is_kept)
{
    const long session = file_named(book.session, HOME, deeds, home);
    const long kept = file_named(book.kept, UNSAVED, deeds, unsaved);
    const struct written none = {0};
    const struct written at_session = session < 0 ? none : file_after((size_t)session, deeds);
    const struct written at_kept = kept < 0 ? none : file_after((size_t)kept, deeds);
    size_t session_ways = 1, kept_ways = 1;
    const bool is_old = session >= 0 && is_whole(&at_session, book.old, trial, &session_ways);
    const bool is_new = session >= 0 && is_whole(&at_session, trial->session, trial, &session_ways);
    const bool has_work = kept >= 0 && is_whole(&at_kept, trial->kept, trial, &kept_ways);
    trial->states += session_ways * kept_ways;
    if (!is_old && !is_new) {
        trial->failures++;
        fprintf(stderr, "FAILED: after %zu deeds the session is neither old nor new\n", deeds);
    }
    if (is_kept && !is_new && !has_work) {
        trial->failures++;
        fprintf(stderr, "FAILED: after %zu deeds the work is in no file\n", deeds);
    }
}

static void try_all(struct trial *trial)
{
    bool is_kept = false;
    for (size_t deeds = 0; deeds <= book.deeds; deeds++) {
        size_t from[FOLDERS], to[FOLDERS];
        is_kept = is_kept || (deeds > 0 && book.deed[deeds - 1].kind == KEPT);
        for (enum folder folder = HOME; folder < FOLDERS; folder++) {
            to[folder] = names_in(folder, deeds, &from[folder]);
        }
        for (size_t home = from[HOME]; home <= to[HOME]; home++) {
            for (size_t unsaved = from[UNSAVED]; unsaved <= to[UNSAVED]; unsaved++) {
                try_names(trial, deeds, home, unsaved, is_kept);
            }
        }
    }
}

/* --- the work --- */

static void insert_words(struct app_state *state, size_t words)
{
    char *const text = calloc(words, 8);
    for (size_t w = 0; w < words; w++) {
        strcat(text + 6 * w, "tiger ");
    }
    const struct view_action action = {.kind = VIEW_ACTION_INSERT, .token = {.text = text}};
    app_state_apply(state, &action, 1);
    free(text);
}

static struct bytes content_of(const char *path)
{
    struct bytes content = {0};
    if (!file_read(path, 64 << 20, &book.arena, &content, NULL)) {
        abort();
    }
    return content;
}

static void require_done(bool done, const struct error *error)
{
    if (!done) {
        fprintf(stderr, "%s\n", error->text);
        abort();
    }
}

static void try_work(struct trial *trial, size_t words)
{
    struct error error = {0};
    struct app_state *const state = calloc(1, sizeof *state);
    require_done(state != NULL && app_state_open(state, "cats", NULL, &error), &error);
    require_done(app_lesson_save(state, book.session, &error), &error);
    book.old = content_of(book.session);
    app_autosave_begin(state, 1);
    book.deeds = book.files = 0;
    book.watches = true;
    insert_words(state, words);
    app_autosave_flush(state);
    (void)record_deed(KEPT);
    trial->kept = content_of(book.kept);
    require_done(app_lesson_save(state, book.session, &error), &error);
    app_autosave_flush(state);
    book.watches = false;
    trial->session = content_of(book.session);
    if (access(book.kept, F_OK) == 0 || trial->kept.size < 5 * words) {
        abort();
    }
    try_all(trial);
    app_autosave_end(state);
    app_state_close(state);
    free(state);
    arena_reset(&book.arena);
}

int main(void)
{
    static const size_t sizes[] = {1, 10, 40, 100, 300};
    static char here[PATH_BYTES / 4];
    struct trial trial = {0};
    char home[] = "power-XXXXXX";
    if (mkdtemp(home) == NULL || getcwd(here, sizeof here) == NULL) {
        return 2;
    }
    snprintf(book.folder[HOME], PATH_BYTES, "%s/%s", here, home);
    snprintf(book.folder[UNSAVED], PATH_BYTES, "%s/%s/unsaved", here, home);
    snprintf(book.session, PATH_BYTES, "%s/%s/session.json", here, home);
    snprintf(book.kept, PATH_BYTES, "%s/%s/unsaved/work-1.json", here, home);
    if (setenv("ATTNSCOPE_HOME", book.folder[HOME], 1) != 0) {
        return 2;
    }
    random_start(&trial.dice, 1, "power");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        try_work(&trial, sizes[s]);
    }
    for (size_t round = test_rounds(0); round > 0; round--) {
        folder_empty(home);
        try_work(&trial, 1 + (size_t)(random_bits(&trial.dice) % WORDS_MAX));
    }
    arena_free(&book.arena);
    folder_empty(home);
    (void)rmdir(home);
    printf("%zu states, %zu failed\n", trial.states, trial.failures);
    return trial.states >= 100 && trial.failures == 0 ? 0 : 1;
}

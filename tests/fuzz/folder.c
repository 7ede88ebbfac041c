#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void name(char full[2 * FOLDER_PATH_MAX], const char *path, const char *file)
{
    snprintf(full, 2 * FOLDER_PATH_MAX, "%s/%s", path, file);
}

/* One for the whole run: making it anew each time took longer than most readers. */
static char own[FOLDER_PATH_MAX];

static void drop_own(void)
{
    (void)rmdir(own);
}

void folder_make(char path[FOLDER_PATH_MAX])
{
    if (own[0] == '\0') {
        const char *const place = getenv("TMPDIR");
        snprintf(own, sizeof own, "%s/fuzz-XXXXXX", place != NULL ? place : "/tmp");
        if (mkdtemp(own) == NULL || atexit(drop_own) != 0) {
            abort();
        }
    }
    snprintf(path, FOLDER_PATH_MAX, "%s", own);
}

void folder_put(const char *path, const char *file, struct bytes content)
{
    char full[2 * FOLDER_PATH_MAX];
    name(full, path, file);
    FILE *const out = fopen(full, "wb");
    if (out == NULL || fwrite(content.at, 1, content.size, out) != content.size ||
        fclose(out) != 0) {
        abort();
    }
}

void folder_drop(const char *path, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char full[2 * FOLDER_PATH_MAX];
        name(full, path, names[i]);
        (void)unlink(full);
    }
}

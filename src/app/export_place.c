/* Where pictures are kept, and what they are called. */
#include "app/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { PATH_BYTES = 4096, SETTINGS_MAX = 1 << 16 };

static bool is_folder(const char *path)
{
    struct stat facts;
    return path[0] != '\0' && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* The value of XDG_PICTURES_DIR="$HOME/…" or "/…" in the text of user-dirs.dirs, into path.
 * (freedesktop, xdg-user-dirs) */
static bool pictures_line(const char *settings, const char *home, char *path, size_t size)
{
    static const char name[] = "XDG_PICTURES_DIR=\"", variable[] = "$HOME";
    for (const char *line = settings; line && *line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (strncmp(line, name, sizeof name - 1) != 0) {
            continue;
        }
        const char *value = line + sizeof name - 1;
        bool at_home = strncmp(value, variable, sizeof variable - 1) == 0;
        if (!at_home && value[0] != '/') {
            continue;
        }
        value += at_home ? sizeof variable - 1 : 0;
        int length = (int)strcspn(value, "\"\n");
        int wrote = snprintf(path, size, "%s%.*s", at_home ? home : "", length, value);
        return wrote > 0 && (size_t)wrote < size;
    }
    return false;
}

static bool pictures_of_desktop(const char *home, char *path, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    bool own = config && config[0] == '/';
    char file[PATH_BYTES];
    int wrote = snprintf(file, sizeof file, "%s%s/user-dirs.dirs", own ? config : home,
                         own ? "" : "/.config");
    if (wrote < 0 || (size_t)wrote >= sizeof file) {
        return false;
    }
    struct arena arena = {0};
    struct bytes settings;
    bool found = file_read(file, SETTINGS_MAX, &arena, &settings, NULL) && settings.size > 0 &&
                 pictures_line((const char *)settings.at, home, path, size) && is_folder(path);
    arena_free(&arena);
    return found;
}

void app_export_folder(char *path, size_t size)
{
    const char *own = getenv("ATTNSCOPE_HOME");
    if (own && own[0] == '/' && strlen(own) < size && is_folder(own)) {
        snprintf(path, size, "%s", own);
        return;
    }
    const char *home = getenv("HOME");
    if (home && home[0] == '/') {
        if (pictures_of_desktop(home, path, size)) {
            return;
        }
        int wrote = snprintf(path, size, "%s/Pictures", home);
        if (wrote > 0 && (size_t)wrote < size && is_folder(path)) {
            return;
        }
    }
    if (!getcwd(path, size)) {
        snprintf(path, size, ".");
    }
}

/* Appends word as letters and digits that every file system takes; others become one hyphen. */
static void append_word(char *name, size_t size, const char *word)
{
    size_t length = strlen(name);
    for (; *word && length + 2 < size; word++) {
        unsigned char letter = (unsigned char)*word;
        bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                     (letter >= '0' && letter <= '9');
        if (plain) {
            name[length++] = (char)letter;
        } else if (length > 0 && name[length - 1] != '-') {
            name[length++] = '-';
        }
    }
    while (length > 0 && name[length - 1] == '-') {
        length--;
    }
    name[length] = '\0';
}

static void append_hyphen(char *name, size_t size)
{
    const size_t length = strlen(name);
    if (length + 1 < size) {
        memcpy(name + length, "-", 2);
    }
}

void app_export_name(const struct app_state *state, char *name, size_t size)
{
    const struct lab_experiment *experiment = &state->experiment;
    size_t room = size > 24 ? size - 24 : size; /* the stage's name and a number follow */
    snprintf(name, size, "attnscope-");
    if (experiment->lesson[0] != '\0') {
        append_word(name, room, experiment->lesson);
    } else {
        size_t count = lab_words_count(experiment->tokens);
        for (size_t i = 0; i < count; i++) {
            append_word(name, room, lab_words_list(experiment->tokens)[i]);
            append_hyphen(name, room);
        }
    }
    append_word(name, size, ""); /* no hyphen left at the end */
    append_hyphen(name, size);
    append_word(name, size, lab_stage_row(state->view.stage)->name);
}

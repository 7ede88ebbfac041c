/* window_export.c — a picture of the window, saved where pictures belong, never over another file.
 */
#include "app/window_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "lab/stage.h"

enum {
    PATH_BYTES = 4096,
    NAME_BYTES = 64,
    NUMBERS_MAX = 10000,
    PIXELS_MAX = 1 << 26, /* of one picture: 256 MB while it is drawn */
    SETTINGS_MAX = 1 << 16,
};

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
    const char *config = SDL_getenv("XDG_CONFIG_HOME");
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

void window_export_folder(char *path, size_t size)
{
    const char *home = SDL_getenv("HOME");
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
        SDL_strlcpy(path, ".", size);
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

void window_export_name(const struct app_state *state, char *name, size_t size)
{
    const struct lab_experiment *experiment = &state->experiment;
    size_t room = size > 24 ? size - 24 : size; /* the stage's name and a number follow */
    SDL_strlcpy(name, "attnscope-", size);
    if (experiment->lesson[0] != '\0') {
        append_word(name, room, experiment->lesson);
    } else {
        size_t count = lab_words_count(experiment->tokens);
        for (size_t i = 0; i < count; i++) {
            append_word(name, room, lab_words_list(experiment->tokens)[i]);
            SDL_strlcat(name, "-", room);
        }
    }
    append_word(name, size, ""); /* no hyphen left at the end */
    SDL_strlcat(name, "-", size);
    append_word(name, size, lab_stage_row(state->view.stage)->name);
}

/* Takes the first free name: an empty file of that name is made, so that nobody else can have it.
 */
static bool reserve(const struct app_state *state, char *path, size_t size, struct error *error)
{
    char folder[PATH_BYTES - NAME_BYTES - 32], name[NAME_BYTES];
    window_export_folder(folder, sizeof folder);
    window_export_name(state, name, sizeof name);
    for (int number = 1; number < NUMBERS_MAX; number++) {
        char tail[16] = "";
        if (number > 1) {
            snprintf(tail, sizeof tail, "-%d", number);
        }
        snprintf(path, size, "%s/%s%s.png", folder, name, tail);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0) {
            close(file);
            return true;
        }
        if (errno != EEXIST) {
            return error_set(error, ERROR_FILE, "No picture could be saved in %.120s: %s.", folder,
                             strerror(errno));
        }
    }
    return error_set(error, ERROR_FILE, "There is no free name left for a picture in %.120s.",
                     folder);
}

static float export_scale(const struct canvas *canvas, float present)
{
    float scale = present > 2 ? present : 2;
    double points = (double)canvas_width(canvas) * (double)canvas_height(canvas);
    while (scale > 1 && points * (double)scale * (double)scale > PIXELS_MAX) {
        scale = scale / 2 > 1 ? scale / 2 : 1;
    }
    return scale;
}

void window_export(struct app_state *state, const struct canvas *canvas, struct play_cairo *player,
                   float scale, double time)
{
    struct arena arena = {0};
    struct bytes png;
    struct error error = {0};
    char path[PATH_BYTES];
    bool drawn = play_cairo_png(player, canvas, export_scale(canvas, scale), &state->theme->ground,
                                &arena, &png, &error);
    bool reserved = drawn && reserve(state, path, sizeof path, &error);
    bool written = reserved && file_write(path, png, &error);
    if (reserved && !written) {
        unlink(path);
    }
    arena_free(&arena);
    if (written) {
        app_state_say(state, time, "Saved %s", path);
    } else {
        app_state_say(state, time, "%s", error.text);
    }
}

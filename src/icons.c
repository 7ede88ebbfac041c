/* icons.c — run while the program is built: writes its mark in every size that menus and docks ask
 * for, laid out as an icon theme.
 *
 *     icons FOLDER     FOLDER/48x48/apps/attnscope.png …, FOLDER/scalable/apps/attnscope.svg */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/system/folder.h"
#include "canvas/draw/logo.h"
#include "canvas/formats/formats.h"
#include "canvas/render/render.h"

enum { PATH_BYTES = 4096 };

static bool write_mark(struct fonts *fonts, float size, const char *path, struct error *error)
{
    const char *const dot = strrchr(path, '.');
    const struct render_format *const format = render_format_find(dot == NULL ? "" : dot + 1);
    struct arena arena = {0};
    struct canvas *const canvas = canvas_open(fonts);
    struct render_cairo *const player = render_cairo_open(fonts, error);
    const struct render_figure figure = {.scale = 1, .title = "attnscope"};
    struct bytes content = {0};
    bool written = false;
    if (format == NULL || canvas == NULL) {
        error_set(error, ERROR_USAGE, "%s is not a name of a picture that can be written.", path);
    } else if (player != NULL) {
        canvas_logo(canvas, size);
        written = format->write(player, canvas, &figure, &arena, &content, error) &&
                  file_write(path, content, error);
    }
    if (player != NULL) {
        render_cairo_close(player);
    }
    canvas_close(canvas);
    arena_free(&arena);
    return written;
}

/* Makes the folder; one that is there is right. */
static bool make_folder(const char *path, struct error *error)
{
    return system_make_folder(path) || errno == EEXIST ||
           error_set(error, ERROR_FILE, "The folder %s could not be made.", path);
}

static bool write_kind(struct fonts *fonts, const char *folder, const char *kind, float size,
                       const char *ending, struct error *error)
{
    char theme[PATH_BYTES], apps[PATH_BYTES], file[PATH_BYTES];
    const int theme_long = snprintf(theme, sizeof theme, "%s/%s", folder, kind);
    const int apps_long = snprintf(apps, sizeof apps, "%s/%s/apps", folder, kind);
    const int file_long =
        snprintf(file, sizeof file, "%s/%s/apps/attnscope.%s", folder, kind, ending);
    if (theme_long < 0 || apps_long < 0 || file_long < 0 || file_long >= PATH_BYTES) {
        return error_set(error, ERROR_USAGE, "The name of the folder is too long.");
    }
    return make_folder(theme, error) && make_folder(apps, error) &&
           write_mark(fonts, size, file, error);
}

static bool write_all(struct fonts *fonts, const char *folder, struct error *error)
{
    static const int sizes[] = {16, 22, 24, 32, 48, 64, 128, 256, 512};
    bool written =
        make_folder(folder, error) && write_kind(fonts, folder, "scalable", 512, "svg", error);
    for (size_t i = 0; written && i < sizeof sizes / sizeof sizes[0]; i++) {
        char kind[32];
        snprintf(kind, sizeof kind, "%dx%d", sizes[i], sizes[i]);
        written = write_kind(fonts, folder, kind, (float)sizes[i], "png", error);
    }
    return written;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: icons FOLDER\n");
        return 2;
    }
    struct fonts *const fonts = fonts_open(&error);
    const bool written = fonts != NULL && write_all(fonts, argv[1], &error);
    if (!written) {
        fprintf(stderr, "icons: %s\n", error.text);
    }
    if (fonts != NULL) {
        fonts_close(fonts);
    }
    return written ? 0 : 1;
}

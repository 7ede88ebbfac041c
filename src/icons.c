/* icons.c — run while the program is built: writes its mark as a picture.
 *
 *     icons SIZE FILE     FILE.png: SIZE × SIZE pixels on nothing; FILE.svg: the same in points */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "canvas/logo.h"
#include "canvas/play.h"

static bool write_mark(struct fonts *fonts, float size, const char *path, struct error *error)
{
    const char *const dot = strrchr(path, '.');
    const struct play_format *const format = play_format_find(dot == NULL ? "" : dot + 1);
    struct arena arena = {0};
    struct canvas *const canvas = canvas_open(fonts);
    struct play_cairo *const player = play_cairo_open(fonts, error);
    const struct play_figure figure = {.scale = 1, .title = "attnscope"};
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
        play_cairo_close(player);
    }
    canvas_close(canvas);
    arena_free(&arena);
    return written;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    const float size = argc == 3 ? strtof(argv[1], NULL) : 0;
    if (!(size >= 1 && size <= 4096)) {
        fprintf(stderr, "icons SIZE FILE: SIZE is 1 to 4096.\n");
        return 2;
    }
    struct fonts *const fonts = fonts_open(&error);
    const bool written = fonts != NULL && write_mark(fonts, size, argv[2], &error);
    if (!written) {
        fprintf(stderr, "icons: %s\n", error.text);
    }
    if (fonts != NULL) {
        fonts_close(fonts);
    }
    return written ? 0 : 1;
}

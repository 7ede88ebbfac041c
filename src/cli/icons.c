/* cli/icons.c — writes the program's mark in every size that menus and docks ask for, laid out as
 * an icon theme: one FOLDER/48x48/apps/attnscope.png a size, and
 * FOLDER/scalable/apps/attnscope.svg.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "canvas/draw/logo.h"
#include "canvas/formats/formats.h"
#include "canvas/render/render.h"
#include "cli/calls.h"

static const struct {
    const char *folder, *format;
    float size;
} icons[] = {{"scalable", "svg", 512}, {"16x16", "png", 16},    {"22x22", "png", 22},
             {"24x24", "png", 24},     {"32x32", "png", 32},    {"48x48", "png", 48},
             {"64x64", "png", 64},     {"128x128", "png", 128}, {"256x256", "png", 256},
             {"512x512", "png", 512}};

bool cli_icon_path(const char *folder, size_t index, char *path, size_t size)
{
    return index < sizeof icons / sizeof icons[0] &&
           (size_t)snprintf(path, size, "%s/%s/apps/attnscope.%s", folder, icons[index].folder,
                            icons[index].format) < size;
}

static bool write_icon(struct fonts *fonts, size_t index, const char *path, struct error *error)
{
    const struct render_format *const format = render_format_find(icons[index].format);
    struct arena arena = {0};
    struct canvas *const canvas = canvas_open(fonts);
    struct render_cairo *const player = render_cairo_open(fonts, error);
    const struct render_figure figure = {.scale = 1, .title = "attnscope"};
    struct bytes content = {0};
    bool written = false;
    if (canvas == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for the icons.");
    } else if (player != NULL) {
        canvas_logo(canvas, icons[index].size);
        written = format->write(player, canvas, &figure, &arena, &content, error) &&
                  cli_make_folder_of(path, error) && file_write(path, content, error);
    }
    if (player != NULL) {
        render_cairo_close(player);
    }
    canvas_close(canvas);
    arena_free(&arena);
    return written;
}

bool cli_make_folder_of(const char *path, struct error *error)
{
    char folder[SYSTEM_PATH_MAX] = "";
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        if ((size_t)(slash - path) >= sizeof folder) {
            return error_set(error, ERROR_USAGE, "The name of the folder is too long.");
        }
        memcpy(folder, path, (size_t)(slash - path));
        folder[slash - path] = '\0';
        (void)system_make_folder(folder);
    }
    return folder[0] == '\0' || system_is_folder(folder) ||
           error_set(error, ERROR_FILE, "The folder %.400s could not be made.", folder);
}

bool cli_write_icons(const char *folder, struct error *error)
{
    struct fonts *const fonts = fonts_open(error);
    char path[SYSTEM_PATH_MAX];
    bool written = fonts != NULL;
    for (size_t i = 0; written && i < sizeof icons / sizeof icons[0]; i++) {
        written = cli_icon_path(folder, i, path, sizeof path)
                      ? write_icon(fonts, i, path, error)
                      : error_set(error, ERROR_USAGE, "The name of the folder is too long.");
    }
    if (fonts != NULL) {
        fonts_close(fonts);
    }
    return written;
}

int cli_icons(const char *folder)
{
    struct error error = {ERROR_NONE, 0, ""};
    return cli_write_icons(folder, &error) ? CLI_DONE : cli_fail(&error);
}

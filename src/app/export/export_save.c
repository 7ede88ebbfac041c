/* The files of the export: never over another without being told so, whole or not at all. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/session.h"
#include "app/document/user_dirs.h"
#include "app/export/export.h"
#include "app/export/export_internal.h"
#include "base/file.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/translate.h"
#include "canvas/formats/formats.h"

enum { NUMBERS_MAX = 10000 };

/* --- names --- */

static bool has_suffix(const char *name, const char *suffix)
{
    const size_t length = strlen(name), tail = strlen(suffix);
    return length > tail + 1 && name[length - tail - 1] == '.' &&
           strcmp(name + length - tail, suffix) == 0;
}

static bool export_path(const struct app_state *state, const char *name, char *path, size_t size)
{
    char typed[EXPORT_PATH_MAX];
    if (!app_typed_path(name, typed, sizeof typed)) {
        return false;
    }
    const char *const suffix = export_suffix(export_format(state));
    const char *const tail = has_suffix(typed, suffix) ? "" : suffix;
    const bool whole = system_path_is_whole(typed);
    const int length = snprintf(path, size, "%s%s%s%s%s", whole ? "" : state->export->folder,
                                whole ? "" : "/", typed, tail[0] != '\0' ? "." : "", tail);
    return length > 0 && (size_t)length < size;
}

bool export_exists(const struct app_state *state, const char *name)
{
    char path[EXPORT_PATH_MAX];
    return name[0] != '\0' && export_path(state, name, path, sizeof path) && system_exists(path);
}

/* "attnscope-cats-score.png", with the panel's name where it is one; -2, -3 … follows where that
 * name is taken. */
static void free_name(const struct app_state *state, char *name, size_t size)
{
    char stem[64];
    const struct export_format *const format = export_format(state);
    const size_t content = state->export->choice.content;
    const char *const view = export_content_at(content)->view;
    const bool is_named = strcmp(view, "stage") == 0 || strcmp(view, "why") == 0; /* by the stem */
    const bool panel = content > 0 && !is_named &&
                       (format->kind == EXPORT_PICTURE || format->kind == EXPORT_PAGE ||
                        format->kind == EXPORT_FILM);
    app_export_name(state, stem, sizeof stem);
    for (int number = 1; number < NUMBERS_MAX; number++) {
        char tail[16] = "";
        if (number > 1) {
            snprintf(tail, sizeof tail, "-%d", number);
        }
        snprintf(name, size, "%s%s%s%s.%s", stem, panel ? "-" : "", panel ? view : "", tail,
                 export_suffix(format));
        if (!export_exists(state, name)) {
            return;
        }
    }
}

void export_propose_name(struct app_state *state)
{
    struct app_export *const export = state->export;
    free_name(state, export->name, sizeof export->name);
    snprintf(export->proposed, sizeof export->proposed, "%s", export->name);
}

/* --- contents --- */

struct export_extent export_numbers(const struct app_state *state)
{
    struct arena arena = {0};
    if (state->document.trace == NULL || state->view.playback.stage != LAB_SCALE) {
        const struct app_scene scene = app_state_scene(state);
        const struct lab_matrix matrix = app_matrix_shown(&scene, &arena);
        return (struct export_extent){matrix.name, matrix.rows, matrix.cols};
    }
    const struct lab_sizes sizes = lab_trace_sizes(state->document.trace);
    return (struct export_extent){"S\u2032", sizes.n, sizes.m};
}

static bool numbers_content(struct app_state *state, const struct export_format *format,
                            struct arena *arena, struct bytes *content, struct error *error)
{
    export_follow(state);
    const struct app_scene *const shown = &state->export->shown;
    const struct lab_matrix matrix = app_matrix_shown(shown, arena);
    struct app_matrix_style style = {.map = shown->view->prefs.weights_map};
    if (matrix.values != NULL) {
        style = app_matrix_style(shown, &matrix);
    }
    return app_matrix_text(app_matrix_format_find(format->by), &matrix, &style, arena, content,
                           error);
}

struct app_worksheet export_worksheet(const struct app_state *state)
{
    const bool open = state->document.lesson->steps > 0;
    const bool whole = open && state->export->choice.span == EXPORT_SPAN_ALL;
    return (struct app_worksheet){.scene = app_state_scene(state),
                                  .lesson = whole ? state->document.lesson : NULL,
                                  .title = open ? state->document.lesson->title
                                                : tr("Attention by hand")};
}

bool export_is_sheet_page(const struct app_state *state)
{
    const struct export_format *const format = export_format(state);
    return format->kind == EXPORT_SHEET && strcmp(format->by, "html") == 0;
}

bool export_put_session(struct app_figure *picture, struct arena *arena, struct error *error)
{
    struct bytes session = {0};
    const struct app_scene *const scene = &picture->scene;
    if (picture->describes && scene->trace != NULL && app_session_fits(scene->experiment) &&
        !app_session_text(scene, arena, &session, error)) {
        return false;
    }
    picture->experiment = (const char *)session.at;
    return true;
}

bool export_content(struct app_state *state, const struct export_format *format,
                    struct arena *arena, struct bytes *content, struct error *error)
{
    if (format->kind == EXPORT_NUMBERS) {
        return numbers_content(state, format, arena, content, error);
    }
    if (format->kind == EXPORT_SHEET) {
        const struct app_worksheet worksheet = export_worksheet(state);
        return strcmp(format->by, "html") == 0
                   ? app_page_worksheet(&worksheet, arena, content, error)
                   : app_worksheet_print(&worksheet, arena, content, error);
    }
    if (format->kind == EXPORT_PAGE) {
        return export_print_page(state, arena, content, error);
    }
    struct app_figure picture;
    if (!export_picture(state, &picture, error) || !export_put_session(&picture, arena, error)) {
        return false;
    }
    picture.format = render_format_find(format->by);
    return app_figure_renderer_print(state->export->renderer, &picture, arena, content, error);
}

/* --- writing --- */

/* A name that is free is taken first, so that nobody else can have it while the file is made. */
static bool reserve_name(const char *path, struct error *error)
{
    const int file = system_open(path, SYSTEM_CREATE);
    if (file >= 0) {
        (void)system_close(file);
        return true;
    }
    return errno == EEXIST ? error_set(error, ERROR_FILE, "There is a file of that name by now.")
                           : error_set(error, ERROR_FILE, "No file could be saved as %.120s: %s.",
                                       path, strerror(errno));
}

bool export_write(const char *path, enum export_saving saving, struct bytes content,
                  struct error *error)
{
    if (saving == EXPORT_CREATES && !reserve_name(path, error)) {
        return false;
    }
    const bool written = file_write(path, content, error);
    if (!written && saving == EXPORT_CREATES) {
        (void)system_remove(path);
    }
    return written;
}

/* --- animations --- */

void export_stop_film(struct app_export *export)
{
    if (export->film != NULL) {
        animation_crew_close(export->film_crew);
        animation_close(export->film);
        export->film_crew = NULL;
        export->film = NULL;
        lab_experiment_release(&export->film_experiment);
        lab_trace_release(export->film_trace);
        lab_trace_release(export->film_baseline);
        export->film_trace = export->film_baseline = NULL;
    }
}

/* The subject of the pictures must not go while they are drawn. */
static void keep_subject(struct app_export *export, struct app_figure *picture)
{
    struct app_scene *const scene = &picture->scene;
    lab_experiment_copy(&export->film_experiment, scene->experiment);
    scene->experiment = scene->pending = &export->film_experiment;
    export->film_trace = scene->trace == NULL ? NULL : lab_trace_keep(scene->trace);
    export->film_baseline = scene->baseline == NULL ? NULL : lab_trace_keep(scene->baseline);
    export->film_picture = *picture;
}

/* A model that is open and weights that learn are borrowed, and may go with what they were of. */
static bool subject_is_there(const struct app_state *state)
{
    const struct app_export *const export = state->export;
    const struct view_state *const now = &state->view, *const then = &export->view;
    return (then->head_overview == NULL && then->learn == NULL) ||
           (then->head_overview == now->head_overview && then->learn == now->learn &&
            export->film_changes == state->document.changes);
}

static bool open_film(struct app_state *state, struct app_figure *picture, struct arena *arena,
                      struct error *error)
{
    struct app_export *const export = state->export;
    struct app_sheet sheet;
    if (!export_picture(state, picture, error) ||
        !app_figure_renderer_draw(export->renderer, picture, &sheet, error) ||
        !export_put_session(picture, arena, error)) {
        return false;
    }
    const struct render_figure figure = app_picture_figure(picture, &sheet, arena);
    picture->experiment = NULL;
    export->film = animation_open(animation_format_find(export_format(state)->by), &figure,
                                  picture->width, picture->height, error);
    export->film_crew = export->film == NULL ? NULL : animation_crew_open(export->film, 0, error);
    return export->film_crew != NULL;
}

static bool start_film(struct app_state *state, struct error *error)
{
    struct app_export *const export = state->export;
    struct app_figure picture;
    struct arena arena = {0};
    if (state->document.trace == NULL) {
        return error_set(error, ERROR_INPUT, "There is nothing that could move: type some words.");
    }
    const bool opened = open_film(state, &picture, &arena, error);
    arena_free(&arena);
    if (!opened) {
        animation_close(export->film);
        export->film = NULL;
        return false;
    }
    keep_subject(export, &picture);
    export->film_changes = state->document.changes;
    export->timeline = export_timeline(state);
    export->film_at = 0;
    return true;
}

static bool draw_next(struct app_state *state, struct error *error)
{
    struct app_export *const export = state->export;
    const struct app_timeline_picture next = app_timeline_at(&export->timeline, export->film_at);
    struct app_sheet sheet;
    if (!subject_is_there(state)) {
        return error_set(error, ERROR_INPUT,
                         "What the animation shows was changed meanwhile: begin it anew.");
    }
    app_timeline_show(&next.playback, &export->view.playback);
    export->film_at++;
    export->view.playback.ticks = APP_TIMELINE_TICKS;
    const bool drawn =
        app_figure_renderer_draw(export->renderer, &export->film_picture, &sheet, error);
    export->view.playback.ticks = 0; /* the overlay's pictures are of one moment */
    return drawn &&
           animation_crew_add(export->film_crew, sheet.player, sheet.canvas, next.seconds, error);
}

/* As many as the window has time for between two of its own pictures, while there is somebody to
 * draw what is laid out here. */
static bool draw_some(struct app_state *state, struct error *error)
{
    enum { AT_ONCE = 6 };
    struct app_export *const export = state->export;
    const size_t count = app_timeline_count(&export->timeline);
    bool drawn = true;
    for (int i = 0; drawn && i < AT_ONCE && export->film_at < count &&
                    !animation_crew_is_busy(export->film_crew);
         i++) {
        drawn = draw_next(state, error);
    }
    return drawn;
}

static bool finish_film(struct app_export *export, struct error *error)
{
    struct arena arena = {0};
    struct bytes content = {0};
    const bool written = animation_crew_end(export->film_crew, error) &&
                         animation_end(export->film, &arena, &content, error) &&
                         export_write(export->path, export->saving, content, error);
    arena_free(&arena);
    return written;
}

bool export_advance_film(struct app_state *state, double time)
{
    struct app_export *const export = state->export;
    if (export == NULL || export->film == NULL) {
        return false;
    }
    struct error error = {0};
    const bool last = export->film_at == app_timeline_count(&export->timeline);
    const bool done = last ? finish_film(export, &error) : draw_some(state, &error);
    if (!done) {
        export_stop_film(export);
        export_refuse(export, error.text);
    } else if (last) {
        app_export_close(state);
        app_state_show_toast(state, time, "Saved %s", export->path);
    }
    return true;
}

/* --- what the buttons do --- */

bool export_save(struct app_state *state, enum export_saving saving, double time,
                 struct error *error)
{
    struct app_export *const export = state->export;
    if (export->name[0] == '\0') {
        return error_set(error, ERROR_USAGE, "The file needs a name.");
    }
    if (!export_path(state, export->name, export->path, sizeof export->path)) {
        return error_set(error, ERROR_USAGE, "That name is too long.");
    }
    export->saving = saving;
    if (saving == EXPORT_CREATES && system_exists(export->path)) {
        return error_set(error, ERROR_FILE, "There is a file of that name by now.");
    }
    if (export_format(state)->kind == EXPORT_FILM) {
        return start_film(state, error);
    }
    if (export_takes_long(state)) {
        return export_make_begin(state, time, error);
    }
    struct arena arena = {0};
    struct bytes content = {0};
    const bool written = export_content(state, export_format(state), &arena, &content, error) &&
                         export_write(export->path, saving, content, error);
    arena_free(&arena);
    if (written) {
        app_state_show_toast(state, time, "Saved %s", export->path);
    }
    return written;
}

void export_copy(struct app_state *state, double time)
{
    const struct export_format *format = export_format(state);
    struct error error = {0};
    struct bytes content = {0};
    const bool text = format->kind == EXPORT_NUMBERS || strcmp(format->by, "svg") == 0;
    if (format->kind == EXPORT_FILM || format->kind == EXPORT_PAGE) {
        return;
    }
    arena_reset(&state->copied);
    if (!export_content(state, text ? format : export_format_at(0), &state->copied, &content,
                        &error)) {
        export_refuse(state->export, error.text);
        return;
    }
    if (format->kind == EXPORT_NUMBERS) {
        state->request.copy = (const char *)content.at;
        app_state_show_toast(state, time, "%s copied", format->title);
    } else { /* whoever holds the window says how it went */
        state->request.copy_picture = content;
        state->request.copy_type = text ? "image/svg+xml" : "image/png";
        state->request.copy_text = text ? (const char *)content.at : NULL;
    }
    app_export_close(state);
}

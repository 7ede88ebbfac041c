/* A small picture of what will be saved: drawn twice as large as it is shown, and averaged, so that
 * fine lines stay fine. It is drawn anew only when something of it has changed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/export/export_internal.h"
#include "base/translate.h"

enum { FINER = 2, LINES_MAX = 4096, CHECKER = 8 };

static uint64_t hash_bytes(uint64_t hash, const void *from, size_t size)
{
    const unsigned char *const at = from;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * UINT64_C(1099511628211); /* FNV-1a */
    }
    return hash;
}

/* Hashes all that the preview is drawn from, but what moves while nothing is chosen. */
static uint64_t preview_hash(const struct app_state *state)
{
    const struct export_choice *const choice = &state->export->choice;
    struct view_state view;
    memcpy(&view, &state->view, sizeof view);
    view.hovered_parts = 0;
    memset(&view.hovered, 0, sizeof view.hovered);
    view.playback.glide = 1;
    view.message = NULL;
    view.can_undo = view.can_redo = false;
    uint64_t hash = hash_bytes(UINT64_C(14695981039346656037), &view, sizeof view);
    const size_t words[] = {choice->content, choice->format,
                            choice->theme,   choice->ground,
                            choice->letters, choice->span,
                            choice->values,  choice->decimals,
                            choice->range,   (size_t)(uintptr_t)state->theme,
                            choice->unit,    export_style(choice)};
    const double numbers[] = {export_width(state), export_height(state), export_scale(state),
                              (double)state->scale, state->document.last_change};
    hash = hash_bytes(hash, words, sizeof words);
    hash = hash_bytes(hash, choice->on, sizeof choice->on);
    hash = hash_bytes(hash, numbers, sizeof numbers);
    hash = hash_bytes(hash, &state->document.trace, sizeof state->document.trace);
    hash = hash_bytes(hash, &state->document.at, sizeof state->document.at);
    return hash == 0 ? 1 : hash;
}

/* Returns what shows through where nothing is drawn. */
static uint32_t checker_pixel(uint32_t x, uint32_t y, bool dark)
{
    const bool odd = ((x / CHECKER + y / CHECKER) & 1) != 0;
    return dark ? (odd ? 0x2a : 0x3a) : (odd ? 0xe2 : 0xff);
}

/* The mean of FINER × FINER pixels over the checkerboard. */
static struct colour mean_colour(const uint32_t *pixels, uint32_t stride, uint32_t x, uint32_t y,
                                 bool dark)
{
    uint32_t sum[4] = {0};
    for (uint32_t i = 0; i < FINER * FINER; i++) {
        const uint32_t pixel =
            pixels[(size_t)(y * FINER + i / FINER) * stride + x * FINER + i % FINER];
        for (int part = 0; part < 4; part++) {
            sum[part] += pixel >> (8 * part) & 255;
        }
    }
    const uint32_t each = FINER * FINER;
    const uint32_t below = (255 * each - sum[3]) * checker_pixel(x, y, dark) / 255;
    uint32_t shown[3];
    for (int part = 0; part < 3; part++) {
        const uint32_t whole = (sum[part] + below + each / 2) / each;
        shown[part] = whole < 255 ? whole : 255;
    }
    return (struct colour){(uint8_t)shown[2], (uint8_t)shown[1], (uint8_t)shown[0], 255};
}

static bool shrink_preview(struct app_export *export, const uint32_t *pixels, bool dark)
{
    const size_t count = (size_t) export->columns * export->rows;
    struct colour *const small = realloc(export->pixels, count * sizeof *small);
    if (small == NULL) {
        return false;
    }
    export->pixels = small;
    for (uint32_t y = 0; y < export->rows; y++) {
        for (uint32_t x = 0; x < export->columns; x++) {
            small[(size_t)y * export->columns + x] =
                mean_colour(pixels, export->columns * FINER, x, y, dark);
        }
    }
    return true;
}

/* How large it is shown: as large as it is, or as there is room for, in whole pixels. */
static float fit_preview(struct app_export *export, float density)
{
    const struct point size = export->saved, room = view_export_preview_room();
    const float share = fminf(1, fminf(room.x / size.x, room.y / size.y));
    export->columns = (uint32_t)fmaxf(1, roundf(size.x * share * density));
    export->rows = (uint32_t)fmaxf(1, roundf(size.y * share * density));
    export->wide = (float)export->columns / density;
    export->high = (float)export->rows / density;
    return share * density * FINER;
}

static bool draw_preview(struct app_state *state, struct error *error)
{
    struct app_export *const export = state->export;
    struct app_figure picture;
    struct app_sheet sheet;
    export->saved = (struct point){(float)export_width(state), (float)export_height(state)};
    const bool is_page = export_format(state)->kind == EXPORT_PAGE;
    if (!(is_page ? export_page(state, &picture, error) : export_picture(state, &picture, error))) {
        return false;
    }
    picture = is_page ? app_page_figure(&picture) : picture;
    if (!app_figure_renderer_draw(export->renderer, &picture, &sheet, error)) {
        return false;
    }
    export->saved = (struct point){canvas_width(sheet.canvas), canvas_height(sheet.canvas)};
    const float scale = fit_preview(export, fminf(2, fmaxf(1, state->scale)));
    const uint32_t columns = export->columns * FINER, rows = export->rows * FINER;
    uint32_t *const pixels = calloc((size_t)columns * rows, sizeof *pixels);
    if (pixels == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for a preview.");
    }
    const uint32_t ground = picture.ground != APP_GROUND_CLEAR
                                ? 0xff000000u | (uint32_t)sheet.ground.red << 16 |
                                      (uint32_t)sheet.ground.green << 8 | sheet.ground.blue
                                : 0;
    for (size_t i = 0; i < (size_t)columns * rows; i++) {
        pixels[i] = ground;
    }
    const struct render_pixels target = {(uint8_t *)pixels, (int)columns, (int)rows,
                                         (int)columns * 4, true};
    const bool drawn =
        render_cairo_pixels(sheet.player, sheet.canvas, scale, NULL, target, error) &&
        shrink_preview(export, pixels, export->shown.theme->dark);
    free(pixels);
    return drawn;
}

/* The first lines of the numbers. */
static bool read_lines(struct app_state *state, struct error *error)
{
    struct app_export *const export = state->export;
    struct bytes content = {0};
    arena_reset(&export->text);
    export->lines = NULL;
    if (export_format(state)->kind == EXPORT_SHEET) {
        const struct app_worksheet worksheet = export_worksheet(state);
        const size_t tasks = app_worksheet_tasks(&worksheet);
        export->lines =
            tasks == 0 ? NULL
            : export_is_sheet_page(state)
                ? tr("The page asks for the numbers one by one and checks them.")
                : arena_format(&export->text,
                               tr_n("%zu task on A4.\nA page with empty boxes, then one with the "
                                    "answers.",
                                    "%zu tasks on A4.\nOf each a page with empty boxes, then one "
                                    "with the answers.",
                                    tasks),
                               tasks);
        return tasks > 0 || app_worksheet_refuse(error);
    }
    const struct export_format *const format = export_format(state);
    const struct export_extent numbers = export_numbers(state);
    if (app_matrix_format_find(format->by)->is_binary) {
        export->lines = arena_format(&export->text, "%s: %zu × %zu numbers, for numpy.load.",
                                     numbers.name, numbers.rows, numbers.cols);
        return export->lines != NULL;
    }
    if (export_takes_long(state)) {
        export->lines =
            arena_format(&export->text,
                         "%s: %zu × %zu numbers.\nTheir first lines are not shown: they are many.",
                         numbers.name, numbers.rows, numbers.cols);
        return export->lines != NULL;
    }
    if (!export_content(state, export_format(state), &export->text, &content, error)) {
        return false;
    }
    const size_t length = content.size < LINES_MAX ? content.size : LINES_MAX;
    export->lines = arena_text(&export->text, (const char *)content.at, length);
    return export->lines != NULL;
}

void export_preview(struct app_state *state)
{
    struct app_export *const export = state->export;
    struct view_export *const overlay = &export->overlay;
    const uint64_t of = preview_hash(state);
    if (of != export->preview_of) {
        struct error error = {0};
        const enum export_kind kind = export_format(state)->kind;
        const bool numbers = kind == EXPORT_NUMBERS || kind == EXPORT_SHEET;
        export->lines = NULL;
        overlay->pixels = NULL;
        const bool done = numbers ? read_lines(state, &error) : draw_preview(state, &error);
        overlay->pixels = done && !numbers ? export->pixels : NULL;
        if (!done) {
            export_refuse(export, error.text);
        }
        export->preview_of = of;
    }
    overlay->text = export->lines;
    overlay->columns = export->columns;
    overlay->rows = export->rows;
    overlay->wide = export->wide;
    overlay->high = export->high;
}

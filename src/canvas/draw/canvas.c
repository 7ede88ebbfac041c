/* The list being written: every command is checked here once, so that no player has to. */
#include "canvas/draw/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "canvas/draw/canvas_internal.h"
#include "canvas/draw/script.h"
#include "canvas/text/font_picture.h"

/* Farther out nothing can be seen, and Cairo's 24.8 fixed point still holds it at scale 8. */
static const float FARTHEST = 1e6f;

/* Of letters that are pictures, a point and an em: as sharp on paper as letters on a fine screen.
 */
static const float PIXELS_A_POINT = 4;

static const char ELLIPSIS[] = "\xe2\x80\xa6";

/* --- stores that grow and never shrink: no allocation once warm --- */

static bool reserve_store(struct canvas *canvas, void **store, size_t *room, size_t used,
                          size_t more, size_t size)
{
    size_t needed = 0;
    size_t wanted = 0;
    size_t bytes = 0;
    if (!checked_add(used, more, &needed)) {
        canvas->failed = true;
        return false;
    }
    if (needed <= *room) {
        return true;
    }
    if (!checked_add(needed, needed / 2 + 64, &wanted) || !checked_multiply(wanted, size, &bytes)) {
        canvas->failed = true;
        return false;
    }
    void *larger = realloc(*store, bytes);
    if (larger == NULL) {
        canvas->failed = true;
        return false;
    }
    *store = larger;
    *room = wanted;
    return true;
}

static struct canvas_command *append_command(struct canvas *canvas, enum canvas_kind kind)
{
    void *store = canvas->command;
    if (!reserve_store(canvas, &store, &canvas->command_room, canvas->commands, 1,
                       sizeof *canvas->command)) {
        return NULL;
    }
    canvas->command = store;
    struct canvas_command *command = &canvas->command[canvas->commands++];
    memset(command, 0, sizeof *command);
    command->kind = kind;
    return command;
}

static bool room_for_text(struct canvas *canvas, size_t more)
{
    void *store = canvas->text;
    const bool fits = reserve_store(canvas, &store, &canvas->byte_room, canvas->bytes, more, 1);
    canvas->text = store;
    return fits;
}

/* At the end of the text store; false: there are none, or there is no room. */
static bool put_bytes(struct canvas *canvas, const char *text, size_t length)
{
    if (length == 0 || !room_for_text(canvas, length)) {
        return false;
    }
    memcpy(canvas->text + canvas->bytes, text, length);
    canvas->bytes += length;
    return true;
}

static bool room_for_points(struct canvas *canvas, size_t more)
{
    void *store = canvas->point;
    const bool fits = reserve_store(canvas, &store, &canvas->point_room, canvas->points, more,
                                    sizeof *canvas->point);
    canvas->point = store;
    return fits;
}

static bool room_for_pixels(struct canvas *canvas, size_t more)
{
    void *store = canvas->pixel;
    const bool fits = reserve_store(canvas, &store, &canvas->pixel_room, canvas->pixels, more,
                                    sizeof *canvas->pixel);
    canvas->pixel = store;
    return fits;
}

static bool room_for_clip(struct canvas *canvas)
{
    void *store = canvas->clip;
    const bool fits =
        reserve_store(canvas, &store, &canvas->clip_room, canvas->clips, 1, sizeof *canvas->clip);
    canvas->clip = store;
    return fits;
}

bool canvas_reserve(struct canvas *canvas, const struct canvas *as)
{
    void *store = canvas->command;
    const bool fits = reserve_store(canvas, &store, &canvas->command_room, canvas->commands,
                                    as->commands, sizeof *canvas->command);
    canvas->command = store;
    return fits && room_for_text(canvas, as->bytes) && room_for_points(canvas, as->points) &&
           room_for_pixels(canvas, as->pixels);
}

/* --- values a player can trust --- */

static float clamp_coordinate(float value)
{
    if (isnan(value)) {
        return 0;
    }
    return fminf(fmaxf(value, -FARTHEST), FARTHEST);
}

static struct rect tame_rect(struct rect rect)
{
    const float left = clamp_coordinate(rect.x);
    const float top = clamp_coordinate(rect.y);
    const float right = clamp_coordinate(rect.x + rect.w);
    const float bottom = clamp_coordinate(rect.y + rect.h);
    return (struct rect){left, top, fmaxf(right - left, 0), fmaxf(bottom - top, 0)};
}

static struct colour faded_colour(const struct canvas *canvas, struct colour colour)
{
    return canvas->opacity < 1 ? colour_fade(colour, canvas->opacity) : colour;
}

static struct paint tame_paint(const struct canvas *canvas, const struct paint *paint)
{
    struct paint tamed = {.fill = faded_colour(canvas, paint->fill),
                          .stroke = faded_colour(canvas, paint->stroke),
                          .crisp = paint->crisp};
    tamed.width = fmaxf(clamp_coordinate(paint->width), 0);
    tamed.dash = fmaxf(clamp_coordinate(paint->dash), 0);
    tamed.gap = tamed.dash > 0 ? fmaxf(clamp_coordinate(paint->gap), 0) : 0;
    return tamed;
}

struct rect canvas_everywhere(void)
{
    return (struct rect){-FARTHEST, -FARTHEST, 2 * FARTHEST, 2 * FARTHEST};
}

/* --- the list --- */

struct canvas *canvas_open(struct fonts *fonts)
{
    struct canvas *canvas = calloc(1, sizeof *canvas);
    if (canvas != NULL) {
        canvas->fonts = fonts;
        canvas->opacity = 1;
    }
    return canvas;
}

void canvas_close(struct canvas *canvas)
{
    if (canvas == NULL) {
        return;
    }
    free(canvas->command);
    free(canvas->text);
    free(canvas->point);
    free(canvas->pixel);
    free(canvas->clip);
    free(canvas);
}

void canvas_begin(struct canvas *canvas, float width, float height)
{
    canvas->width = fmaxf(clamp_coordinate(width), 0);
    canvas->height = fmaxf(clamp_coordinate(height), 0);
    canvas->failed = false;
    canvas->cuts = 0;
    canvas->opacity = 1;
    canvas->min_script_size = 0;
    canvas->commands = 0;
    canvas->bytes = 0;
    canvas->points = 0;
    canvas->pixels = 0;
    canvas->clips = 0;
}

float canvas_opacity(struct canvas *canvas, float share)
{
    const float former = canvas->opacity;
    canvas->opacity = fminf(fmaxf(clamp_coordinate(share), 0), 1);
    return former;
}

float canvas_width(const struct canvas *canvas)
{
    return canvas->width;
}

float canvas_height(const struct canvas *canvas)
{
    return canvas->height;
}

struct fonts *canvas_fonts(const struct canvas *canvas)
{
    return canvas->fonts;
}

bool canvas_failed(const struct canvas *canvas)
{
    return canvas->failed;
}

/* --- shapes --- */

void canvas_rect(struct canvas *canvas, struct rect rect, float radius, const struct paint *paint)
{
    struct canvas_command *command = append_command(canvas, CANVAS_RECT);
    if (command == NULL) {
        return;
    }
    command->rect = tame_rect(rect);
    command->radius =
        fmaxf(fminf(clamp_coordinate(radius), fminf(command->rect.w, command->rect.h) / 2), 0);
    command->paint = tame_paint(canvas, paint);
}

void canvas_path(struct canvas *canvas, const struct point *points, size_t count, bool closed,
                 const struct paint *paint)
{
    if (count < 2 || !room_for_points(canvas, count)) {
        return;
    }
    struct canvas_command *command = append_command(canvas, CANVAS_PATH);
    if (command == NULL) {
        return;
    }
    command->start = canvas->points;
    command->length = count;
    command->closed = closed;
    command->paint = tame_paint(canvas, paint);
    for (size_t i = 0; i < count; i++) {
        canvas->point[canvas->points++] =
            (struct point){clamp_coordinate(points[i].x), clamp_coordinate(points[i].y)};
    }
    command->rect = canvas_path_bounds(canvas, command);
}

void canvas_circle(struct canvas *canvas, float x, float y, float radius, const struct paint *paint)
{
    canvas_rect(canvas, (struct rect){x - radius, y - radius, 2 * radius, 2 * radius}, radius,
                paint);
}

void canvas_line(struct canvas *canvas, float x0, float y0, float x1, float y1, float width,
                 struct colour colour)
{
    const struct point ends[2] = {{x0, y0}, {x1, y1}};
    canvas_path(canvas, ends, 2, false, &(struct paint){.stroke = colour, .width = width});
}

/* --- text --- */

/* How far left of x a text of that width begins. */
static float anchor_offset(enum canvas_anchor anchor, float width)
{
    static const float share[] = {[CANVAS_LEFT] = 0, [CANVAS_CENTRE] = 0.5f, [CANVAS_RIGHT] = 1};
    return width * share[anchor];
}

/* The box that stands in a stretch of a text that begins at x with its baseline at y. */
static void draw_missing_glyph(struct canvas *canvas, float x, float y, float size,
                               struct colour colour, const struct font_stretch *stretch)
{
    const struct paint outline = {.stroke = colour_fade(colour, 0.7f), .width = size / 16};
    const struct missing_glyph_box box = missing_glyph_box(stretch->apart);
    const float left = x + size * stretch->x;
    canvas_rect(canvas,
                (struct rect){left + size * box.gap, y + size * box.top,
                              size * (box.width - 2 * box.gap), size * (box.bottom - box.top)},
                size * 0.1f, &outline);
    for (size_t row = 0; row < 2; row++) {
        canvas_text(canvas, left + size * box.width / 2, y + size * box.baseline[row], FONT_NUMBERS,
                    size * box.digits, colour, CANVAS_CENTRE, box.row[row]);
        if (canvas->commands > 0) {
            canvas->command[canvas->commands - 1].boxed = true;
        }
    }
}

/* The pictures of a stretch of a text that begins at x with its baseline at y. */
static void draw_letter_pictures(struct canvas *canvas, float x, float y, float size, float opacity,
                                 const struct font_stretch *stretch)
{
    for (uint32_t p = 0; p < stretch->pictures; p++) {
        const struct font_picture *const picture = font_picture(
            canvas_fonts(canvas), stretch->file, stretch->picture[p].glyph, PIXELS_A_POINT * size);
        if (picture == NULL) {
            continue;
        }
        const struct rect place = {
            x + size * (stretch->x + stretch->picture[p].x + picture->place.x),
            y + size * picture->place.y, size * picture->place.w, size * picture->place.h};
        const float former = canvas_opacity(canvas, 1);
        canvas_opacity(canvas, former * opacity);
        canvas_picture(canvas, place, picture->columns, picture->rows, picture->cell);
        canvas_opacity(canvas, former);
    }
}

/* Letters of a text which are drawn by commands of their own; they stay upright in a text that is
 * turned. */
static void append_apart(struct canvas *canvas, const struct canvas_command *text,
                         struct colour colour, const struct font_run *run)
{
    const float size = text->rect.h;
    for (size_t i = 0; i < run->stretches; i++) {
        const struct font_stretch *const stretch = &run->stretch[i];
        const struct point at = canvas_text_place(text, stretch->x * size, 0);
        const float x = at.x - stretch->x * size;
        if (stretch->pictures > 0) {
            draw_letter_pictures(canvas, x, at.y, size, (float)colour.alpha / 255, stretch);
        } else if (stretch->apart != 0) {
            draw_missing_glyph(canvas, x, at.y, size, colour, stretch);
        }
    }
}

/* Appends the text command for bytes of the text store. */
static float append_run(struct canvas *canvas, float x, float y, int turn, enum font_face face,
                        float size, struct colour colour, enum canvas_anchor anchor, size_t start,
                        size_t length)
{
    const struct font_run *run = font_shape(canvas->fonts, face, canvas->text + start, length);
    const float width = size * run->width;
    struct canvas_command *command = append_command(canvas, CANVAS_TEXT);
    if (command == NULL) {
        return width;
    }
    command->turn = turn;
    command->rect =
        (struct rect){clamp_coordinate(x), clamp_coordinate(y), clamp_coordinate(width), size};
    const struct point begin = canvas_text_place(command, -anchor_offset(anchor, width), 0);
    command->rect.x = clamp_coordinate(begin.x);
    command->rect.y = clamp_coordinate(begin.y);
    command->face = face;
    command->paint.fill = faded_colour(canvas, colour);
    command->start = start;
    command->length = length;
    if (run->apart > 0) {
        const struct canvas_command text = *command; /* the list may move */
        append_apart(canvas, &text, colour, run);
    }
    return width;
}

/* Smaller letters have no smaller ones for an index. */
static const float SCRIPTS_FROM = 9;

static bool has_scripts(const char *text, size_t length, float size)
{
    struct canvas_script script;
    return size >= SCRIPTS_FROM && canvas_script_find(text, length, 0, &script);
}

void canvas_script_min_size(struct canvas *canvas, float size)
{
    canvas->min_script_size = size;
}

static float script_size(const struct canvas *canvas, float size)
{
    return fminf(size, fmaxf(size * CANVAS_SCRIPT_SIZE, canvas->min_script_size));
}

static float scripted_width(const struct canvas *canvas, enum font_face face, float size,
                            const char *text, size_t length)
{
    struct fonts *const fonts = canvas->fonts;
    struct canvas_script script;
    size_t at = 0;
    float wide = 0;
    while (canvas_script_find(text, length, at, &script)) {
        wide += font_measure(fonts, face, size, text + at, script.base - at);
        wide += font_measure(fonts, face, script_size(canvas, size), text + script.from,
                             script.to - script.from);
        at = script.next;
    }
    return wide + font_measure(fonts, face, size, text + at, length - at);
}

/* The command `part`, if it was appended, goes on with `first`. What is drawn apart lies behind it
 * and is no part of the text. */
static void join_part(struct canvas *canvas, size_t first, size_t part, bool is_index)
{
    if (canvas->commands > part) {
        canvas->command[part].follows = part > first;
        canvas->command[part].boxed = is_index;
    }
}

/* Appends letters and indices by turns; the first command knows the whole. */
static float append_scripted(struct canvas *canvas, float x, float y, enum font_face face,
                             float size, struct colour colour, enum canvas_anchor anchor,
                             size_t start, size_t length)
{
    const float wide = scripted_width(canvas, face, size, canvas->text + start, length);
    const size_t first = canvas->commands;
    struct canvas_script script;
    size_t at = 0;
    x -= anchor_offset(anchor, wide);
    for (bool more = true; more;) {
        more = canvas_script_find(canvas->text + start, length, at, &script);
        const size_t end = more ? script.base : length;
        if (end > at) {
            const size_t before = canvas->commands;
            x += append_run(canvas, x, y, 0, face, size, colour, CANVAS_LEFT, start + at, end - at);
            join_part(canvas, first, before, false);
        }
        if (more) {
            const size_t before = canvas->commands;
            x += append_run(canvas, x, y + script.below * size, 0, face, script_size(canvas, size),
                            colour, CANVAS_LEFT, start + script.from, script.to - script.from);
            join_part(canvas, first, before, true);
            at = script.next;
        }
    }
    if (canvas->commands > first) {
        canvas->command[first].said_length = length;
        canvas->command[first].said_width = wide;
    }
    return wide;
}

/* Appends the text for the last `length` bytes of the text store. */
static float append_text(struct canvas *canvas, float x, float y, int turn, enum font_face face,
                         float size, struct colour colour, enum canvas_anchor anchor, size_t length)
{
    const size_t start = canvas->bytes - length;
    return turn == 0 && has_scripts(canvas->text + start, length, size)
               ? append_scripted(canvas, x, y, face, size, colour, anchor, start, length)
               : append_run(canvas, x, y, turn, face, size, colour, anchor, start, length);
}

float canvas_text(struct canvas *canvas, float x, float y, enum font_face face, float size,
                  struct colour colour, enum canvas_anchor anchor, const char *text)
{
    return canvas_text_length(canvas, x, y, face, size, colour, anchor, text,
                              text == NULL ? 0 : strlen(text));
}

float canvas_text_length(struct canvas *canvas, float x, float y, enum font_face face, float size,
                         struct colour colour, enum canvas_anchor anchor, const char *text,
                         size_t length)
{
    size = clamp_coordinate(size);
    if (size <= 0 || !put_bytes(canvas, text, length)) {
        return 0;
    }
    return append_text(canvas, x, y, 0, face, size, colour, anchor, length);
}

float canvas_text_plain(struct canvas *canvas, float x, float y, enum font_face face, float size,
                        struct colour colour, enum canvas_anchor anchor, const char *text,
                        size_t length)
{
    size = clamp_coordinate(size);
    if (size <= 0 || !put_bytes(canvas, text, length)) {
        return 0;
    }
    return append_run(canvas, x, y, 0, face, size, colour, anchor, canvas->bytes - length, length);
}

float canvas_text_turned(struct canvas *canvas, float x, float y, int degrees, enum font_face face,
                         float size, struct colour colour, enum canvas_anchor anchor,
                         const char *text)
{
    const size_t length = text == NULL ? 0 : strlen(text);
    size = clamp_coordinate(size);
    if (size <= 0 || !put_bytes(canvas, text, length)) {
        return 0;
    }
    return append_text(canvas, x, y, degrees, face, size, colour, anchor, length);
}

struct point canvas_text_place(const struct canvas_command *command, float along, float below)
{
    if (command->turn == 0) {
        return (struct point){command->rect.x + along, command->rect.y + below};
    }
    const float angle = (float)command->turn * 0.01745329252f;
    const float c = cosf(angle), s = sinf(angle);
    return (struct point){command->rect.x + along * c + below * s,
                          command->rect.y - along * s + below * c};
}

bool canvas_text_cut(struct canvas *canvas, float x, float y, enum font_face face, float size,
                     struct colour colour, enum canvas_anchor anchor, const char *text, float width)
{
    const size_t length = text == NULL ? 0 : strlen(text);
    const size_t dots = sizeof ELLIPSIS - 1;
    if (length == 0) {
        return false;
    }
    /* A text that was measured before must fit into just that width. */
    const float room = width + 0.01f;
    size_t kept = font_fit(canvas->fonts, face, size, text, length, room);
    if (kept < length && has_scripts(text, length, size) &&
        scripted_width(canvas, face, size, text, length) <= room) {
        kept = length;
    }
    if (kept == length) {
        canvas_text_length(canvas, x, y, face, size, colour, anchor, text, length);
        return false;
    }
    canvas->cuts++;
    const float left = room - font_measure(canvas->fonts, face, size, ELLIPSIS, dots);
    if (left < 0 || size <= 0 || !room_for_text(canvas, kept + dots)) {
        return true;
    }
    kept = font_fit(canvas->fonts, face, size, text, kept, left);
    while (kept > 0 && text[kept - 1] == ' ') {
        kept--;
    }
    memcpy(canvas->text + canvas->bytes, text, kept);
    memcpy(canvas->text + canvas->bytes + kept, ELLIPSIS, dots);
    canvas->bytes += kept + dots;
    append_text(canvas, x, y, 0, face, clamp_coordinate(size), colour, anchor, kept + dots);
    return true;
}

float canvas_measure(const struct canvas *canvas, enum font_face face, float size, const char *text)
{
    const size_t length = text == NULL ? 0 : strlen(text);
    return length == 0 ? 0
           : has_scripts(text, length, size)
               ? scripted_width(canvas, face, size, text, length)
               : font_measure(canvas->fonts, face, size, text, length);
}

/* --- pixels, clips, groups --- */

/* NULL: nothing is drawn. */
static struct canvas_command *append_image(struct canvas *canvas, struct rect rect,
                                           uint32_t columns, uint32_t rows,
                                           const struct colour *pixels)
{
    size_t count = 0;
    if (!checked_multiply(columns, rows, &count)) {
        canvas->failed = true;
        return NULL;
    }
    if (count == 0 || !room_for_pixels(canvas, count)) {
        return NULL;
    }
    struct canvas_command *command = append_command(canvas, CANVAS_IMAGE);
    if (command == NULL) {
        return NULL;
    }
    command->rect = tame_rect(rect);
    command->columns = columns;
    command->rows = rows;
    command->start = canvas->pixels;
    command->length = count;
    struct colour *const kept = canvas->pixel + canvas->pixels;
    memcpy(kept, pixels, count * sizeof *kept);
    for (size_t i = 0; canvas->opacity < 1 && i < count; i++) {
        kept[i] = faded_colour(canvas, kept[i]);
    }
    canvas->pixels += count;
    return command;
}

void canvas_image(struct canvas *canvas, struct rect rect, uint32_t columns, uint32_t rows,
                  const struct colour *pixels)
{
    append_image(canvas, rect, columns, rows, pixels);
}

void canvas_ramp(struct canvas *canvas, struct rect rect, uint32_t count, bool upright,
                 const struct colour *colours)
{
    struct canvas_command *const command =
        append_image(canvas, rect, upright ? 1 : count, upright ? count : 1, colours);
    if (command != NULL) {
        command->ramp = count > 1;
    }
}

void canvas_picture(struct canvas *canvas, struct rect rect, uint32_t columns, uint32_t rows,
                    const struct colour *pixels)
{
    struct canvas_command *const command = append_image(canvas, rect, columns, rows, pixels);
    if (command != NULL) {
        command->smooth = true;
    }
}

static struct rect open_clip(const struct canvas *canvas)
{
    return canvas->clips == 0 ? canvas_everywhere() : canvas->clip[canvas->clips - 1];
}

void canvas_clip(struct canvas *canvas, struct rect rect)
{
    const struct rect cut = rect_cut(tame_rect(rect), open_clip(canvas));
    if (!room_for_clip(canvas)) {
        return;
    }
    struct canvas_command *command = append_command(canvas, CANVAS_CLIP);
    if (command == NULL) {
        return;
    }
    canvas->clip[canvas->clips++] = cut;
    command->rect = cut;
}

void canvas_unclip(struct canvas *canvas)
{
    if (canvas->clips == 0) {
        return;
    }
    canvas->clips--;
    struct canvas_command *command = append_command(canvas, CANVAS_UNCLIP);
    if (command != NULL) {
        command->rect = open_clip(canvas);
    }
}

void canvas_group(struct canvas *canvas, uint32_t id, const char *label)
{
    const size_t length = label == NULL ? 0 : strlen(label);
    if (!room_for_text(canvas, length)) {
        return;
    }
    struct canvas_command *command = append_command(canvas, CANVAS_GROUP);
    if (command == NULL) {
        return;
    }
    command->id = id;
    command->start = canvas->bytes;
    command->length = length;
    if (length > 0) {
        memcpy(canvas->text + canvas->bytes, label, length);
        canvas->bytes += length;
    }
}

void canvas_ungroup(struct canvas *canvas)
{
    append_command(canvas, CANVAS_UNGROUP);
}

static struct rect enlarge_rect(struct rect rect, float factor)
{
    return (struct rect){rect.x * factor, rect.y * factor, rect.w * factor, rect.h * factor};
}

void canvas_enlarge(struct canvas *canvas, float factor)
{
    canvas->width *= factor;
    canvas->height *= factor;
    for (size_t i = 0; i < canvas->points; i++) {
        canvas->point[i].x = clamp_coordinate(canvas->point[i].x * factor);
        canvas->point[i].y = clamp_coordinate(canvas->point[i].y * factor);
    }
    for (size_t i = 0; i < canvas->commands; i++) {
        struct canvas_command *const command = &canvas->command[i];
        command->rect = enlarge_rect(command->rect, factor); /* a text's height is its size */
        command->radius *= factor;
        command->paint.width *= factor;
        command->paint.dash *= factor;
        command->paint.gap *= factor;
    }
}

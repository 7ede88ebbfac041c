/* The list being read: by players, by tests that look for a word, by whoever asks if it has
 * changed. */
#include <math.h>
#include <string.h>

#include "canvas/draw/canvas_internal.h"

/* A line of text reaches from there to there around its baseline, in ems: what a click may hit. */
static const float TEXT_ABOVE = 0.8f;
static const float TEXT_BELOW = 0.2f;

struct rect rect_cut(struct rect a, struct rect b)
{
    const float left = fmaxf(a.x, b.x);
    const float top = fmaxf(a.y, b.y);
    const float right = fminf(a.x + a.w, b.x + b.w);
    const float bottom = fminf(a.y + a.h, b.y + b.h);
    return (struct rect){left, top, fmaxf(right - left, 0), fmaxf(bottom - top, 0)};
}

static bool rect_is_empty(struct rect rect)
{
    return rect.w <= 0 || rect.h <= 0;
}

/* The smallest rectangle around both; an empty one adds nothing. */
static struct rect rect_join(struct rect a, struct rect b)
{
    if (rect_is_empty(a)) {
        return b;
    }
    if (rect_is_empty(b)) {
        return a;
    }
    const float left = fminf(a.x, b.x);
    const float top = fminf(a.y, b.y);
    const float right = fmaxf(a.x + a.w, b.x + b.w);
    const float bottom = fmaxf(a.y + a.h, b.y + b.h);
    return (struct rect){left, top, right - left, bottom - top};
}

struct rect canvas_path_bounds(const struct canvas *canvas, const struct canvas_command *command)
{
    const struct point *point = canvas_points_of(canvas, command);
    float left = point[0].x, right = point[0].x, top = point[0].y, bottom = point[0].y;
    for (size_t i = 1; i < command->length; i++) {
        left = fminf(left, point[i].x);
        right = fmaxf(right, point[i].x);
        top = fminf(top, point[i].y);
        bottom = fmaxf(bottom, point[i].y);
    }
    const float half = command->paint.stroke.alpha > 0 ? command->paint.width / 2 : 0;
    return (struct rect){left - half, top - half, right - left + 2 * half, bottom - top + 2 * half};
}

/* The corners of a line that is turned. */
static struct rect turned_bounds(const struct canvas_command *command)
{
    const float wide = command->rect.w, size = command->rect.h;
    const struct point corner[] = {canvas_text_place(command, 0, -TEXT_ABOVE * size),
                                   canvas_text_place(command, wide, -TEXT_ABOVE * size),
                                   canvas_text_place(command, 0, TEXT_BELOW * size),
                                   canvas_text_place(command, wide, TEXT_BELOW * size)};
    float left = corner[0].x, right = left, top = corner[0].y, bottom = top;
    for (size_t i = 1; i < 4; i++) {
        left = fminf(left, corner[i].x);
        right = fmaxf(right, corner[i].x);
        top = fminf(top, corner[i].y);
        bottom = fmaxf(bottom, corner[i].y);
    }
    return (struct rect){left, top, right - left, bottom - top};
}

struct rect canvas_bounds(const struct canvas_command *command)
{
    switch (command->kind) {
    case CANVAS_RECT:
    case CANVAS_PATH:
    case CANVAS_IMAGE:
        return command->rect;
    case CANVAS_TEXT: {
        const float size = command->rect.h, wide = command->rect.w;
        if (command->turn != 0) {
            return turned_bounds(command);
        }
        return (struct rect){command->rect.x, command->rect.y - TEXT_ABOVE * size, wide,
                             (TEXT_ABOVE + TEXT_BELOW) * size};
    }
    case CANVAS_CLIP:
    case CANVAS_UNCLIP:
    case CANVAS_GROUP:
    case CANVAS_UNGROUP:
        break;
    }
    return (struct rect){0, 0, 0, 0};
}

size_t canvas_count(const struct canvas *canvas)
{
    return canvas->commands;
}

const struct canvas_command *canvas_command_at(const struct canvas *canvas, size_t index)
{
    return index < canvas->commands ? &canvas->command[index] : NULL;
}

size_t canvas_text_said(const struct canvas_command *command, float *wide)
{
    *wide = command->said_length > 0 ? command->said_width : command->rect.w;
    return command->follows ? 0 : command->said_length > 0 ? command->said_length : command->length;
}

const char *canvas_text_of(const struct canvas *canvas, const struct canvas_command *command)
{
    return canvas->text == NULL ? "" : canvas->text + command->start;
}

const struct point *canvas_points_of(const struct canvas *canvas,
                                     const struct canvas_command *command)
{
    return canvas->point + command->start;
}

const struct colour *canvas_pixels_of(const struct canvas *canvas,
                                      const struct canvas_command *command)
{
    return canvas->pixel + command->start;
}

/* --- hash --- */

/* FNV-1a widened to eight bytes a step, the high half folded down so that every bit counts. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    while (size > 0) {
        uint64_t word = 0;
        const size_t part = size < sizeof word ? size : sizeof word;
        memcpy(&word, at, part);
        hash = (hash ^ word ^ (uint64_t)part << 56) * UINT64_C(0x00000100000001b3);
        hash ^= hash >> 29;
        at += part;
        size -= part;
    }
    return hash;
}

/* Many bytes in four chains that do not wait for each other. */
static uint64_t hash_many(uint64_t hash, const void *bytes, size_t size)
{
    enum { CHAINS = 4 };
    const unsigned char *const at = bytes;
    uint64_t chain[CHAINS] = {hash, hash ^ 1, hash ^ 2, hash ^ 3}, word[CHAINS];
    size_t done = 0;
    for (; size - done >= sizeof word; done += sizeof word) {
        memcpy(word, at + done, sizeof word);
        for (size_t c = 0; c < CHAINS; c++) {
            chain[c] = (chain[c] ^ word[c]) * UINT64_C(0x00000100000001b3);
            chain[c] ^= chain[c] >> 29;
        }
    }
    hash = hash_bytes(hash, chain, sizeof chain);
    return size > done ? hash_bytes(hash, at + done, size - done) : hash;
}

/* Field by field: what lies between the fields is nobody's. */
static uint64_t hash_command(uint64_t hash, const struct canvas_command *command)
{
    const struct paint *paint = &command->paint;
    const uint32_t number[] = {(uint32_t)command->kind,
                               command->closed,
                               (uint32_t)command->face,
                               command->id,
                               command->columns,
                               command->rows,
                               paint->crisp,
                               (uint32_t)command->turn};
    const uint64_t extent[] = {command->start, command->length};
    const float measure[] = {command->rect.x, command->rect.y, command->rect.w, command->rect.h,
                             command->radius, paint->width,    paint->dash,     paint->gap};
    const struct colour colour[] = {paint->fill, paint->stroke};
    hash = hash_bytes(hash, number, sizeof number);
    hash = hash_bytes(hash, extent, sizeof extent);
    hash = hash_bytes(hash, measure, sizeof measure);
    return hash_bytes(hash, colour, sizeof colour);
}

uint64_t canvas_hash(const struct canvas *canvas)
{
    const float size[] = {canvas->width, canvas->height};
    uint64_t hash = hash_bytes(UINT64_C(0xcbf29ce484222325), size, sizeof size);
    for (size_t i = 0; i < canvas->commands; i++) {
        hash = hash_command(hash, &canvas->command[i]);
    }
    hash = hash_bytes(hash, canvas->text, canvas->bytes);
    hash = hash_many(hash, canvas->point, canvas->points * sizeof *canvas->point);
    return hash_many(hash, canvas->pixel, canvas->pixels * sizeof *canvas->pixel);
}

/* --- finding --- */

static bool text_matches(const struct canvas *canvas, const struct canvas_command *command,
                         const char *text, size_t length)
{
    float wide = 0;
    return length > 0 && canvas_text_said(command, &wide) == length &&
           memcmp(canvas_text_of(canvas, command), text, length) == 0;
}

/* Clip and unclip commands carry the area that is in force behind them. */
static struct rect clip_behind(const struct canvas_command *command, struct rect clip)
{
    return command->kind == CANVAS_CLIP || command->kind == CANVAS_UNCLIP ? command->rect : clip;
}

bool canvas_find_text(const struct canvas *canvas, const char *text, size_t number,
                      struct rect *area)
{
    const size_t length = strlen(text);
    struct rect clip = canvas_everywhere();
    for (size_t i = 0; i < canvas->commands; i++) {
        const struct canvas_command *command = &canvas->command[i];
        clip = clip_behind(command, clip);
        if (command->kind != CANVAS_TEXT || !text_matches(canvas, command, text, length)) {
            continue;
        }
        if (number == 0) {
            struct rect bounds = canvas_bounds(command);
            float wide = 0;
            (void)canvas_text_said(command, &wide);
            bounds.w = command->turn == 0 ? wide : bounds.w;
            *area = rect_cut(bounds, clip);
            return true;
        }
        number--;
    }
    return false;
}

/* The bounds of what stands between the group at `first` and its end. */
static struct rect bounds_of_group(const struct canvas *canvas, size_t first, struct rect clip)
{
    struct rect area = {0, 0, 0, 0};
    size_t depth = 0;
    for (size_t i = first; i < canvas->commands; i++) {
        const struct canvas_command *command = &canvas->command[i];
        clip = clip_behind(command, clip);
        depth += command->kind == CANVAS_GROUP;
        depth -= command->kind == CANVAS_UNGROUP;
        if (depth == 0) {
            break;
        }
        area = rect_join(area, rect_cut(canvas_bounds(command), clip));
    }
    return area;
}

bool canvas_find_group(const struct canvas *canvas, const char *label, size_t number,
                       struct rect *area)
{
    const size_t length = strlen(label);
    struct rect clip = canvas_everywhere();
    for (size_t i = 0; i < canvas->commands; i++) {
        const struct canvas_command *command = &canvas->command[i];
        clip = clip_behind(command, clip);
        if (command->kind != CANVAS_GROUP || !text_matches(canvas, command, label, length)) {
            continue;
        }
        if (number == 0) {
            *area = bounds_of_group(canvas, i, clip);
            return true;
        }
        number--;
    }
    return false;
}

static bool lies_inside(struct rect area, struct rect clip)
{
    static const float AIR = 1.5f;
    return area.x >= clip.x - AIR && area.y >= clip.y - AIR &&
           area.x + area.w <= clip.x + clip.w + AIR && area.y + area.h <= clip.y + clip.h + AIR;
}

bool canvas_is_whole(const struct canvas *canvas, float min_size)
{
    const struct rect all = {0, 0, canvas->width, canvas->height};
    struct rect clip = all;
    bool whole = canvas->cuts == 0;
    for (size_t i = 0; whole && i < canvas->commands; i++) {
        const struct canvas_command *const command = &canvas->command[i];
        clip = rect_cut(clip_behind(command, clip), all);
        if (command->kind == CANVAS_TEXT && !command->boxed) {
            whole =
                command->rect.h >= min_size - 0.01f && lies_inside(canvas_bounds(command), clip);
        }
    }
    return whole;
}

/* --- A part of a list as a list of its own --- */

/* A rectangle that takes so much of both sides is the ground that the content stands on. */
static const float GROUND_SHARE = 0.9f;

static bool is_ground(const struct canvas *canvas, const struct canvas_command *command)
{
    return command->kind == CANVAS_RECT && command->rect.w >= GROUND_SHARE * canvas->width &&
           command->rect.h >= GROUND_SHARE * canvas->height;
}

struct rect canvas_content(const struct canvas *canvas)
{
    const struct rect all = {0, 0, canvas->width, canvas->height};
    struct rect content = {0, 0, 0, 0};
    struct rect clip = all;
    for (size_t i = 0; i < canvas->commands; i++) {
        const struct canvas_command *const command = &canvas->command[i];
        if (command->kind == CANVAS_CLIP || command->kind == CANVAS_UNCLIP) {
            clip = rect_cut(command->rect, all);
        } else if (!is_ground(canvas, command)) {
            content = rect_join(content, rect_cut(canvas_bounds(command), clip));
        }
    }
    return content;
}

/* Finds the strip in whole points; of a higher picture the first ones alone. */
float canvas_gap(const struct canvas *canvas)
{
    enum { ROWS = 4096 };
    const struct rect all = {0, 0, canvas->width, canvas->height};
    struct rect clip = all;
    bool inked[ROWS] = {false};
    size_t gap = 0, run = 0;
    bool begins = false;
    for (size_t i = 0; i < canvas->commands; i++) {
        const struct canvas_command *const command = &canvas->command[i];
        if (command->kind == CANVAS_CLIP || command->kind == CANVAS_UNCLIP) {
            clip = rect_cut(command->rect, all);
        } else if (!is_ground(canvas, command)) {
            const struct rect ink = rect_cut(canvas_bounds(command), clip);
            for (float y = floorf(ink.y); ink.h > 0 && y < fminf(ink.y + ink.h, ROWS); y++) {
                inked[(size_t)fmaxf(y, 0)] = true;
            }
        }
    }
    for (size_t row = 0; row < ROWS; row++) {
        gap = inked[row] && begins && run > gap ? run : gap;
        run = inked[row] ? 0 : run + 1;
        begins = begins || inked[row];
    }
    return (float)gap;
}

/* Appends the commands of a list, moved, with all that they hold, behind those that are there. */
static void append_moved(struct canvas *to, const struct canvas *from, float x, float y,
                         bool grounds)
{
    if (from->bytes > 0) {
        memcpy(to->text + to->bytes, from->text, from->bytes);
    }
    if (from->pixels > 0) {
        memcpy(to->pixel + to->pixels, from->pixel, from->pixels * sizeof *to->pixel);
    }
    for (size_t i = 0; i < from->points; i++) {
        to->point[to->points + i] = (struct point){from->point[i].x + x, from->point[i].y + y};
    }
    for (size_t i = 0; i < from->commands; i++) {
        const struct canvas_command *const command = &from->command[i];
        if (!grounds && is_ground(from, command)) {
            continue;
        }
        struct canvas_command *const moved = &to->command[to->commands++];
        *moved = *command;
        moved->rect.x += x;
        moved->rect.y += y;
        moved->start += command->kind == CANVAS_PATH    ? to->points
                        : command->kind == CANVAS_IMAGE ? to->pixels
                                                        : to->bytes;
    }
    to->bytes += from->bytes;
    to->pixels += from->pixels;
    to->points += from->points;
}

bool canvas_append(struct canvas *canvas, const struct canvas *other, float x, float y)
{
    if (!canvas_reserve(canvas, other)) {
        return false;
    }
    append_moved(canvas, other, x, y, false);
    canvas->failed = canvas->failed || other->failed;
    return true;
}

/* A card that is cut lies under the whole part, and the rest of its border is left out. */
static void spread_cut_grounds(struct canvas *part, const struct canvas *whole, struct rect area)
{
    for (size_t i = 0; i < whole->commands; i++) {
        const struct canvas_command *const ground = &whole->command[i];
        const struct rect seen = rect_cut(ground->rect, area);
        if (is_ground(whole, ground) && (seen.w < ground->rect.w || seen.h < ground->rect.h)) {
            struct canvas_command *const spread = &part->command[i];
            spread->rect = (struct rect){0, 0, area.w, area.h};
            spread->radius = 0;
            spread->paint.stroke.alpha = 0;
        }
    }
}

struct canvas *canvas_crop(const struct canvas *canvas, struct rect area)
{
    struct canvas *const part = canvas_open(canvas->fonts);
    if (part == NULL || !canvas_reserve(part, canvas)) {
        canvas_close(part);
        return NULL;
    }
    canvas_begin(part, area.w, area.h);
    append_moved(part, canvas, -area.x, -area.y, true);
    spread_cut_grounds(part, canvas, area);
    part->failed = canvas->failed;
    return part;
}

bool canvas_copy(struct canvas *canvas, const struct canvas *other)
{
    canvas_begin(canvas, other->width, other->height);
    if (!canvas_reserve(canvas, other)) {
        return false;
    }
    append_moved(canvas, other, 0, 0, true);
    canvas->cuts = other->cuts;
    canvas->failed = other->failed;
    return true;
}

/* The picture is divided into tiles. A tile's mark is a hash of all that is drawn into it, in its
 * order; where the mark is the former one, so are the pixels. */
#include "canvas/draw/changes.h"

#include <stdlib.h>
#include <string.h>

#include "canvas/draw/canvas_internal.h"
#include "canvas/draw/shape.h"

enum {
    TILE = 32,                /* pixels */
    WORTH = 24,               /* tiles that cost as much as going through the list once more */
    CHANGED_PERCENT_MAX = 70, /* of the picture: when more is new, all is drawn at one go */
};

struct changes {
    uint64_t *mark, *former; /* of every tile, row by row; one memory */
    size_t room;             /* tiles that both have memory for */
    int columns, rows;
    int width, height;
    float scale;
    bool known; /* former holds the marks of what is on screen */
};

struct changes *changes_open(void)
{
    return calloc(1, sizeof(struct changes));
}

void changes_close(struct changes *changes)
{
    if (changes != NULL) {
        free(changes->mark);
        free(changes->former);
        free(changes);
    }
}

void changes_forget(struct changes *changes)
{
    changes->known = false;
}

/* --- marks --- */

static uint64_t mix_hash(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Many bytes in four chains that do not wait for each other; *at and *size come to what is left. */
static uint64_t stir_many(uint64_t hash, const unsigned char **at, size_t *size)
{
    enum { CHAINS = 4 };
    uint64_t chain[CHAINS] = {hash, hash + 1, hash + 2, hash + 3}, words[CHAINS];
    for (; *size >= sizeof words; *at += sizeof words, *size -= sizeof words) {
        memcpy(words, *at, sizeof words);
        for (size_t c = 0; c < CHAINS; c++) {
            chain[c] = mix_hash(chain[c], words[c]);
        }
    }
    for (size_t c = 0; c < CHAINS; c++) {
        hash = mix_hash(hash, chain[c]);
    }
    return hash;
}

static uint64_t stir_bytes(uint64_t hash, const void *bytes, size_t size)
{
    enum { MANY = 256 };
    const unsigned char *at = bytes;
    hash = mix_hash(hash, size);
    hash = size >= MANY ? stir_many(hash, &at, &size) : hash;
    while (size > 0) {
        uint64_t word = 0;
        const size_t part = size < sizeof word ? size : sizeof word;
        memcpy(&word, at, part);
        hash = mix_hash(hash, word);
        at += part;
        size -= part;
    }
    return hash;
}

/* Hashes what the command draws, wherever in the list's stores its text, points and cells lie. */
static uint64_t mark_of(const struct canvas *canvas, const struct canvas_command *command)
{
    const struct paint *paint = &command->paint;
    const uint32_t number[] = {(uint32_t)command->kind, command->closed, (uint32_t)command->face,
                               command->columns,        command->rows,   paint->crisp,
                               command->smooth,         command->ramp,   (uint32_t)command->turn};
    const float measure[] = {command->rect.x, command->rect.y, command->rect.w, command->rect.h,
                             command->radius, paint->width,    paint->dash,     paint->gap};
    const struct colour colour[] = {paint->fill, paint->stroke};
    uint64_t hash = stir_bytes(0, number, sizeof number);
    hash = stir_bytes(hash, measure, sizeof measure);
    hash = stir_bytes(hash, colour, sizeof colour);
    switch (command->kind) {
    case CANVAS_TEXT:
        return stir_bytes(hash, canvas_text_of(canvas, command), command->length);
    case CANVAS_PATH:
        return stir_bytes(hash, canvas_points_of(canvas, command),
                          command->length * sizeof(struct point));
    case CANVAS_IMAGE:
        return stir_bytes(hash, canvas_pixels_of(canvas, command),
                          command->length * sizeof(struct colour));
    default:
        return hash;
    }
}

static bool is_drawn(enum canvas_kind kind)
{
    return kind == CANVAS_RECT || kind == CANVAS_PATH || kind == CANVAS_TEXT ||
           kind == CANVAS_IMAGE;
}

static void mark_tiles(struct changes *changes, struct shape_box box, uint64_t hash)
{
    for (int row = box.top / TILE; row <= (box.bottom - 1) / TILE; row++) {
        uint64_t *line = changes->mark + (size_t)row * (size_t)changes->columns;
        for (int column = box.left / TILE; column <= (box.right - 1) / TILE; column++) {
            line[column] = mix_hash(line[column], hash);
        }
    }
}

static void mark_list(struct changes *changes, const struct canvas *canvas)
{
    const struct shape_box all = {0, 0, changes->width, changes->height};
    struct shape_box clip = all;
    const size_t count = canvas_count(canvas);
    memset(changes->mark, 0,
           (size_t)changes->columns * (size_t)changes->rows * sizeof *changes->mark);
    for (size_t i = 0; i < count; i++) {
        const struct canvas_command *command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_CLIP || command->kind == CANVAS_UNCLIP) {
            clip = shape_box_cut(all, shape_box(command->rect, changes->scale));
            continue;
        }
        if (!is_drawn(command->kind)) {
            continue;
        }
        const struct shape_box box = shape_box_cut(shape_bounds(command, changes->scale), clip);
        if (!shape_box_is_empty(box)) {
            /* The clip changes what is drawn no farther than it cuts off. */
            mark_tiles(changes, box, stir_bytes(mark_of(canvas, command), &box, sizeof box));
        }
    }
}

/* --- areas --- */

static int area_of(struct shape_box box)
{
    return (box.right - box.left) * (box.bottom - box.top);
}

static struct shape_box join_boxes(struct shape_box a, struct shape_box b)
{
    return (struct shape_box){
        a.left < b.left ? a.left : b.left,
        a.top < b.top ? a.top : b.top,
        a.right > b.right ? a.right : b.right,
        a.bottom > b.bottom ? a.bottom : b.bottom,
    };
}

/* The box joins the one that grows least by it, or has a place of its own where that is worth it
 * and one is left. */
static size_t add_box(struct shape_box *box, size_t count, struct shape_box added)
{
    size_t best = 0;
    int min_growth = 0;
    for (size_t i = 0; i < count; i++) {
        const int growth = area_of(join_boxes(box[i], added)) - area_of(box[i]) - area_of(added);
        if (i == 0 || growth < min_growth) {
            best = i;
            min_growth = growth;
        }
    }
    if (count == 0 || (min_growth > WORTH && count < CHANGES_MAX)) {
        box[count] = added;
        return count + 1;
    }
    box[best] = join_boxes(box[best], added);
    return count;
}

/* Tiles, as boxes of tiles. */
static size_t find_boxes(const struct changes *changes, struct shape_box box[CHANGES_MAX])
{
    size_t count = 0;
    for (int row = 0; row < changes->rows; row++) {
        const size_t line = (size_t)row * (size_t)changes->columns;
        for (int column = 0; column < changes->columns; column++) {
            const int from = column;
            while (column < changes->columns &&
                   changes->mark[line + (size_t)column] != changes->former[line + (size_t)column]) {
                column++;
            }
            if (column > from) {
                count = add_box(box, count, (struct shape_box){from, row, column, row + 1});
            }
        }
    }
    return count;
}

static bool fit_room(struct changes *changes, float scale, int width, int height)
{
    if (changes->width == width && changes->height == height && changes->scale == scale) {
        return changes->room > 0;
    }
    changes->known = false;
    changes->width = width;
    changes->height = height;
    changes->scale = scale;
    changes->columns = (width + TILE - 1) / TILE;
    changes->rows = (height + TILE - 1) / TILE;
    const size_t tiles = (size_t)changes->columns * (size_t)changes->rows;
    if (tiles > changes->room) {
        free(changes->mark);
        free(changes->former);
        changes->mark = calloc(tiles, sizeof *changes->mark);
        changes->former = calloc(tiles, sizeof *changes->former);
        changes->room = changes->mark != NULL && changes->former != NULL ? tiles : 0;
    }
    return changes->room > 0;
}

static void keep_marks(struct changes *changes)
{
    uint64_t *const former = changes->former;
    changes->former = changes->mark;
    changes->mark = former;
    changes->known = true;
}

size_t changes_find(struct changes *changes, const struct canvas *canvas, float scale, int width,
                    int height, struct rect area[CHANGES_MAX])
{
    area[0] = (struct rect){0, 0, (float)width / scale + 1, (float)height / scale + 1};
    if (width <= 0 || height <= 0 || !(scale > 0) || !fit_room(changes, scale, width, height)) {
        return 1;
    }
    struct shape_box box[CHANGES_MAX];
    mark_list(changes, canvas);
    const bool known = changes->known;
    const size_t count = known ? find_boxes(changes, box) : 0;
    keep_marks(changes);
    int tiles = 0;
    for (size_t i = 0; i < count; i++) {
        tiles += area_of(box[i]);
    }
    if (!known || tiles * 100 > changes->columns * changes->rows * CHANGED_PERCENT_MAX) {
        return 1;
    }
    const float side = TILE / scale;
    for (size_t i = 0; i < count; i++) {
        area[i] = (struct rect){(float)box[i].left * side, (float)box[i].top * side,
                                (float)(box[i].right - box[i].left) * side,
                                (float)(box[i].bottom - box[i].top) * side};
    }
    return count;
}

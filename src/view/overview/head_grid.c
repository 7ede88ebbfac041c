/* The places of the thumbnails of heads. */
#include "view/overview/head_grid.h"

#include <math.h>

static const float NUMBERS_WIDE = 30, NUMBERS_HIGH = 20; /* at the edges of a block */
static const float PITCH_MIN = 6, PITCH_MAX = 240;       /* limits of the distance of thumbnails */
static const float NAME_FROM = 34,
                   NAME_HIGH = 13;    /* least thumbnail with a name below it, and height of that */
static const float HEADING_HIGH = 22; /* height of the name of a kind of heads */
static const float WORTH_FACTOR = 1.15f; /* another arrangement must be larger by this factor */
enum { FEW_LAYERS = 4, BLOCKS_MAX = 16 };

/* Finds the bands: one for all heads, or one for each kind. */
static void find_bands(const struct view *view, struct head_grid *grid)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    const size_t all = grid->layers * grid->heads;
    grid->band[0] = (struct head_band){.count = all, .kind = LAB_HEAD_MEASURES};
    grid->bands = 1;
    if (!overview->grouped || grid->order == NULL) {
        return;
    }
    grid->bands = 0;
    for (size_t at = 0; at < all; at++) {
        const enum lab_head_measure kind =
            lab_thumbnails_kind(overview->thumbnails, grid->order[at] / grid->heads,
                                grid->order[at] % grid->heads, overview->sinks_aside);
        if (grid->bands == 0 || grid->band[grid->bands - 1].kind != kind) {
            grid->band[grid->bands++] =
                (struct head_band){.first = at, .kind = kind, .heading = HEADING_HIGH};
        }
        grid->band[grid->bands - 1].count++;
    }
}

static size_t row_count(const struct head_grid *grid, size_t columns)
{
    size_t rows = 0;
    for (size_t b = 0; b < grid->bands; b++) {
        rows += (grid->band[b].count + columns - 1) / columns;
    }
    return rows;
}

static float headings_height(const struct head_grid *grid)
{
    return (float)grid->bands * grid->band[0].heading;
}

/* An arrangement of the thumbnails, before their size is known. */
struct arrangement {
    size_t rows, columns, blocks, folds;
    bool named; /* with names below them, if they are large enough */
};

/* Tries an arrangement, and keeps it if thumbnails become larger than so far. */
static void try_arrangement(struct head_grid *grid, const struct arrangement *arrangement,
                            float worth)
{
    const float wide = grid->area.w - (float)(arrangement->blocks - 1) * grid->apart;
    const float by_width = fmaxf(1, wide) / (float)arrangement->columns;
    const float by_height =
        fmaxf(1, grid->area.h - headings_height(grid)) / (float)arrangement->rows;
    float pitch = fminf(fminf(by_width, PITCH_MAX), fmaxf(by_height, fminf(PITCH_MIN, by_width)));
    float name = 0;
    if (arrangement->named && fminf(pitch, by_height - NAME_HIGH) >= NAME_FROM) {
        pitch = fminf(pitch, by_height - NAME_HIGH);
        name = NAME_HIGH;
    }
    pitch = floorf(fmaxf(pitch, 2));
    const bool fits = pitch <= by_height || grid->pitch <= 0;
    if (fits && pitch > grid->pitch * worth) {
        grid->pitch = pitch;
        grid->name = name;
        grid->columns = arrangement->columns;
        grid->rows = arrangement->rows;
        grid->blocks = arrangement->blocks;
        grid->folds = arrangement->folds;
    }
}

/* Arranges rows of layers, in blocks side by side, or each layer in several rows. */
static void arrange_by_layer(struct head_grid *grid)
{
    const size_t layers = grid->layers, heads = grid->heads;
    try_arrangement(grid, &(struct arrangement){layers, heads, 1, 1, false}, 1);
    for (size_t blocks = 2; blocks <= layers && blocks <= BLOCKS_MAX; blocks++) {
        const size_t rows = (layers + blocks - 1) / blocks;
        if ((blocks - 1) * rows < layers) {
            try_arrangement(grid, &(struct arrangement){rows, blocks * heads, blocks, 1, false},
                            WORTH_FACTOR);
        }
    }
    for (size_t folds = 2; layers <= FEW_LAYERS && folds <= heads; folds++) {
        const size_t across = (heads + folds - 1) / folds;
        if ((folds - 1) * across < heads) {
            try_arrangement(grid, &(struct arrangement){layers * folds, across, 1, folds, true},
                            grid->folds == 1 ? WORTH_FACTOR : 1);
        }
    }
    grid->lines = (layers + grid->blocks - 1) / grid->blocks;
    grid->across = (heads + grid->folds - 1) / grid->folds;
}

static void arrange_sorted(struct head_grid *grid)
{
    for (size_t columns = 1; columns <= grid->layers * grid->heads; columns++) {
        try_arrangement(grid, &(struct arrangement){row_count(grid, columns), columns, 1, 1, true},
                        1);
    }
    grid->lines = grid->rows;
    grid->across = grid->columns;
}

struct head_grid head_grid_find(const struct view *view, struct rect hall)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(overview->thumbnails);
    struct head_grid grid = {
        .hall = hall, .layers = sizes.layers, .heads = sizes.heads, .order = overview->order};
    grid.apart = grid.order == NULL ? NUMBERS_WIDE : 8;
    const float left = grid.apart;
    const float top = grid.order == NULL ? NUMBERS_HIGH : 4;
    grid.area =
        (struct rect){hall.x + left, hall.y + top, fmaxf(hall.w - left, 1), fmaxf(hall.h - top, 1)};
    find_bands(view, &grid);
    if (grid.order == NULL) {
        arrange_by_layer(&grid);
    } else {
        arrange_sorted(&grid);
    }
    grid.down = grid.pitch + grid.name;
    grid.side = fmaxf(1, grid.pitch - (grid.pitch >= 30 ? 6 : grid.pitch >= 12 ? 3 : 1));
    grid.content = grid.down * (float)grid.rows + headings_height(&grid);
    float y = 0;
    for (size_t b = 0, row = 0; b < grid.bands; b++) {
        struct head_band *const band = &grid.band[b];
        const size_t rows =
            grid.order == NULL ? grid.rows : (band->count + grid.columns - 1) / grid.columns;
        band->row = row;
        band->y = y;
        row += rows;
        y += band->heading + (float)rows * grid.down;
    }
    return grid;
}

static const struct head_band *band_at(const struct head_grid *grid, size_t at)
{
    size_t b = 0;
    while (b + 1 < grid->bands && at >= grid->band[b + 1].first) {
        b++;
    }
    return &grid->band[b];
}

void head_grid_spot(const struct head_grid *grid, size_t at, size_t *row, size_t *column)
{
    const struct head_band *const band = band_at(grid, at);
    if (grid->order != NULL) {
        *row = band->row + (at - band->first) / grid->columns;
        *column = (at - band->first) % grid->columns;
        return;
    }
    const size_t layer = at / grid->heads, head = at % grid->heads;
    *row = layer % grid->lines * grid->folds + head / grid->across;
    *column = layer / grid->lines * grid->across + head % grid->across;
}

size_t head_grid_at(const struct head_grid *grid, size_t row, size_t column)
{
    if (grid->order == NULL) {
        const size_t layer = column / grid->across * grid->lines + row / grid->folds;
        const size_t head = row % grid->folds * grid->across + column % grid->across;
        return (layer < grid->layers ? layer : grid->layers - 1) * grid->heads +
               (head < grid->heads ? head : grid->heads - 1);
    }
    size_t b = 0;
    while (b + 1 < grid->bands && row >= grid->band[b + 1].row) {
        b++;
    }
    const struct head_band *const band = &grid->band[b];
    const size_t at = (row - band->row) * grid->columns + column;
    return band->first + (at < band->count ? at : band->count - 1);
}

struct rect head_grid_cell(const struct head_grid *grid, size_t at)
{
    const struct head_band *const band = band_at(grid, at);
    size_t row = 0, column = 0;
    head_grid_spot(grid, at, &row, &column);
    const float top = grid->area.y + band->y + band->heading;
    const float before = (float)(column / grid->across) * grid->apart;
    return (struct rect){roundf(grid->area.x + before + (float)column * grid->pitch + 2),
                         roundf(top + (float)(row - band->row) * grid->down + 2 - grid->from),
                         grid->side, grid->side};
}

size_t head_grid_pointed(const struct head_grid *grid, float x, float y)
{
    const float block = (float)grid->across * grid->pitch + grid->apart;
    const float right = x - grid->area.x, below = y - grid->area.y + grid->from;
    if (right < 0 || below < 0) {
        return SIZE_MAX;
    }
    const size_t beside = (size_t)(right / block);
    const size_t in_block = (size_t)((right - (float)beside * block) / grid->pitch);
    const size_t column = beside * grid->across + in_block;
    if (in_block >= grid->across || column >= grid->columns) {
        return SIZE_MAX;
    }
    for (size_t b = 0; b < grid->bands; b++) {
        const struct head_band *const band = &grid->band[b];
        const float down = below - band->y - band->heading;
        const size_t row = band->row + (down < 0 ? 0 : (size_t)(down / grid->down));
        const size_t end = b + 1 < grid->bands ? grid->band[b + 1].row : grid->rows;
        if (down < 0 || row >= end) {
            continue;
        }
        size_t found_row = 0, found_column = 0;
        const size_t at = head_grid_at(grid, row, column);
        head_grid_spot(grid, at, &found_row, &found_column);
        return found_row == row && found_column == column ? at : SIZE_MAX;
    }
    return SIZE_MAX;
}

float head_grid_width(const struct head_grid *grid)
{
    return (float)grid->columns * grid->pitch + (float)(grid->blocks - 1) * grid->apart;
}

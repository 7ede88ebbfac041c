/* Small pictures of heads: a weight a pixel, or the largest or the mean of those that share one. */
#include <math.h>

#include "view/glance_parts.h"
#include "view/pieces.h"

enum { RAMP_STEPS = 1024 };

struct view_atlas_ink {
    struct colour ramp[RAMP_STEPS + 1]; /* by the place on the map */
    struct colour hidden;
    bool logarithmic, by_mean;
    float low, each;  /* of a weight: (weight − low) · each is its step */
    const bool *mask; /* [rows][cols]: nothing of the block is seen */
};

/* Whether the mask hides all corners of the block of weights that a cell stands for. */
static bool is_hidden(const struct view *view, const struct lab_atlas_sizes *sizes, size_t row,
                      size_t col)
{
    const size_t query[] = {row * sizes->n / sizes->rows, (row + 1) * sizes->n / sizes->rows - 1};
    const size_t key[] = {col * sizes->m / sizes->cols, (col + 1) * sizes->m / sizes->cols - 1};
    for (size_t corner = 0; corner < 4; corner++) {
        if (lab_trace_sees(view->trace, query[corner / 2], key[corner % 2])) {
            return false;
        }
    }
    return true;
}

static const bool *find_mask(struct view *view, const struct lab_atlas_sizes *sizes)
{
    bool *const mask = arena_array(view->arena, sizes->rows * sizes->cols, sizeof *mask);
    if (mask == NULL || view->trace == NULL) {
        return mask;
    }
    const struct lab_sizes trace = lab_trace_sizes(view->trace);
    if (trace.n != sizes->n || trace.m != sizes->m) {
        return mask; /* the words have changed and the pictures are still being made */
    }
    for (size_t row = 0; row < sizes->rows; row++) {
        for (size_t col = 0; col < sizes->cols; col++) {
            mask[row * sizes->cols + col] = is_hidden(view, sizes, row, col);
        }
    }
    return mask;
}

const struct view_atlas_ink *view_atlas_ink(struct view *view)
{
    const struct view_glance *const glance = view->state->glance;
    if (glance == NULL || glance->atlas == NULL) {
        return NULL;
    }
    const struct lab_atlas_sizes sizes = lab_atlas_sizes(glance->atlas);
    struct view_atlas_ink *const ink = arena_alloc(view->arena, sizeof *ink);
    if (ink == NULL) {
        return NULL;
    }
    for (size_t i = 0; i <= RAMP_STEPS; i++) {
        ink->ramp[i] = colourmap_colour(view->state->weights_map, (float)i / RAMP_STEPS);
    }
    ink->hidden = view->ui->theme->line;
    ink->logarithmic = view->state->shown.logarithmic;
    ink->by_mean = view->state->by_mean;
    ink->low = view->share_low;
    ink->each = RAMP_STEPS / (view->share_top - view->share_low);
    ink->mask = find_mask(view, &sizes);
    return ink->mask == NULL ? NULL : ink;
}

/* Cells that fall together into one pixel. */
struct block {
    size_t row0, row1, col0, col1;
};

static struct colour block_colour(const struct view *view, const struct view_atlas_ink *ink,
                                  const float *values, size_t cols, const struct block *block)
{
    float largest = 0, sum = 0, seen = 0;
    for (size_t row = block->row0; row < block->row1; row++) {
        for (size_t col = block->col0; col < block->col1; col++) {
            if (!ink->mask[row * cols + col]) {
                const float value = values[row * cols + col];
                largest = value > largest ? value : largest;
                sum += value;
                seen += 1;
            }
        }
    }
    if (seen < 1) {
        return ink->hidden;
    }
    const float value = ink->by_mean ? sum / seen : largest;
    const float at = ink->logarithmic ? view_share_place(view, value) * RAMP_STEPS
                                      : (value - ink->low) * ink->each;
    return ink->ramp[!(at > 0) ? 0 : at < RAMP_STEPS ? (size_t)(at + 0.5f) : RAMP_STEPS];
}

void view_atlas_draw(struct view *view, const struct view_atlas_ink *ink, size_t place,
                     struct rect area)
{
    const struct lab_atlas *const atlas = view->state->glance->atlas;
    const struct lab_atlas_sizes sizes = lab_atlas_sizes(atlas);
    const struct lab_atlas_head head =
        lab_atlas_head(atlas, place / sizes.heads, place % sizes.heads);
    const float scale = view->ui->input->scale;
    const size_t most_x = (size_t)fmaxf(1, area.w * scale);
    const size_t most_y = (size_t)fmaxf(1, area.h * scale);
    const size_t wide = sizes.cols < most_x ? sizes.cols : most_x;
    const size_t high = sizes.rows < most_y ? sizes.rows : most_y;
    struct colour *const pixels = arena_array(view->arena, wide * high, sizeof *pixels);
    if (pixels == NULL) {
        return;
    }
    for (size_t y = 0; y < high; y++) {
        for (size_t x = 0; x < wide; x++) {
            const struct block block = {y * sizes.rows / high, (y + 1) * sizes.rows / high,
                                        x * sizes.cols / wide, (x + 1) * sizes.cols / wide};
            pixels[y * wide + x] = block_colour(view, ink, ink->by_mean ? head.mean : head.largest,
                                                sizes.cols, &block);
        }
    }
    canvas_image(view->ui->canvas, area, (uint32_t)wide, (uint32_t)high, pixels);
}

static void mark(struct view *view, struct rect band, struct colour colour)
{
    const bool thin = fminf(band.w, band.h) < 4;
    canvas_rect(view->ui->canvas, band, 0,
                &(struct paint){.fill = thin ? colour_fade(colour, 0.6f) : (struct colour){0},
                                .stroke = thin ? (struct colour){0} : colour,
                                .width = 1,
                                .crisp = true});
}

void view_atlas_mark(struct view *view, struct rect area, float strength)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct lab_atlas_sizes sizes = lab_atlas_sizes(view->state->glance->atlas);
    const long query = view_chosen(view, view->selection.query);
    const long key = view_chosen(view, view->selection.key);
    const float down = area.h / (float)sizes.n, across = area.w / (float)sizes.m;
    if (key >= 0 && (size_t)key < sizes.m) {
        mark(view, (struct rect){area.x + (float)key * across, area.y, fmaxf(across, 1), area.h},
             colour_fade(theme->key, strength));
    }
    if (query >= 0 && (size_t)query < sizes.n) {
        mark(view, (struct rect){area.x, area.y + (float)query * down, area.w, fmaxf(down, 1)},
             colour_fade(theme->query, strength));
    }
}

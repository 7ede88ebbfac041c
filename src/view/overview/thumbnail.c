/* Thumbnails of heads: a pixel is a weight, or the largest or the mean of those that share it. */
#include "view/overview/thumbnail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/parts/colours.h"
#include "view/parts/head_overview.h"
#include "view/parts/pieces.h"

enum { CACHED_PIXELS_MAX = 4 << 20 };

/* Everything that the colours depend on. */
struct source {
    const struct lab_thumbnails *thumbnails;
    const bool *mask; /* [rows][cols]: nothing of the block is seen */
    const struct colourmap *map;
    struct colour hidden;
    bool logarithmic, by_mean, aside;
    float low, top;
};

/* The thumbnail of a head as it was drawn last. */
struct cached {
    size_t wide, high;
    struct colour *pixels;
};

struct view_thumbnail_ink {
    struct view_ramp ramp;
    struct colour hidden;
    bool by_mean, aside;
    const bool *mask; /* [rows][cols]: nothing of the block is seen */
};

struct view_thumbnail_cache {
    struct source source; /* thumbnails is a reference, mask in the arena */
    struct view_thumbnail_ink ink;
    struct cached *cached; /* [layers · heads] */
    size_t pixels;
    struct arena arena;
    bool is_valid;
};

struct view_thumbnail_cache *view_thumbnail_cache_open(void)
{
    return calloc(1, sizeof(struct view_thumbnail_cache));
}

static void clear_cache(struct view_thumbnail_cache *thumbnails)
{
    lab_thumbnails_release(thumbnails->source.thumbnails);
    arena_free(&thumbnails->arena);
    *thumbnails = (struct view_thumbnail_cache){.is_valid = false};
}

void view_thumbnail_cache_close(struct view_thumbnail_cache *thumbnails)
{
    if (thumbnails != NULL) {
        clear_cache(thumbnails);
        free(thumbnails);
    }
}

/* Says whether the mask hides all corners of the block of weights of a cell. */
static bool is_hidden_block(const struct view *view, const struct lab_thumbnails_sizes *sizes,
                            size_t row, size_t col)
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

static const bool *find_mask(const struct view *view, const struct lab_thumbnails_sizes *sizes,
                             struct arena *arena)
{
    bool *const mask = arena_array(arena, sizes->rows * sizes->cols, sizeof *mask);
    if (mask == NULL || view->trace == NULL || !lab_trace_hides(view->trace)) {
        return mask;
    }
    const struct lab_sizes trace = lab_trace_sizes(view->trace);
    if (trace.n != sizes->n || trace.m != sizes->m) {
        return mask; /* the tokens have changed, and the thumbnails are not up to date */
    }
    for (size_t row = 0; row < sizes->rows; row++) {
        for (size_t col = 0; col < sizes->cols; col++) {
            mask[row * sizes->cols + col] = is_hidden_block(view, sizes, row, col);
        }
    }
    return mask;
}

bool view_head_overview_is_weighed(const struct view *view)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    return overview != NULL && overview->may_weigh && view->state->weighing != VIEW_BY_ALPHA;
}

/* What the pictures are of; NULL: they are being computed. */
static const struct lab_thumbnails *drawn_heads(const struct view *view)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    return !view_head_overview_is_weighed(view) ? overview->thumbnails
           : overview->weighed == NULL          ? NULL
                                                : overview->weighed->thumbnails;
}

void view_head_overview_restore_range(struct view *view, struct view_share_range former)
{
    view->share_low = former.low;
    view->share_top = former.top;
    view->share_over = former.over;
    view->share_under = former.under;
}

struct view_share_range view_head_overview_set_range(struct view *view)
{
    const struct view_share_range former = {view->share_low, view->share_top, view->share_over,
                                            view->share_under};
    const struct view_head_overview *const overview = view->state->head_overview;
    const bool aside = overview != NULL && overview->sinks_aside && overview->thumbnails != NULL;
    if (view_head_overview_is_weighed(view)) {
        if (!(view->state->prefs.cells.share_high > 0)) {
            view_head_overview_restore_range(view, (struct view_share_range){.top = 1});
        }
        return former;
    }
    const float rest = aside ? lab_thumbnails_rest_top(overview->thumbnails) : 0;
    view->share_top = rest > fmaxf(0, view->share_low) ? rest : view->share_top;
    return former;
}

static void set_ink(const struct view *view, const struct source *source,
                    struct view_thumbnail_ink *ink)
{
    view_ramp_of_shares(view, &ink->ramp);
    ink->hidden = source->hidden;
    ink->by_mean = source->by_mean;
    ink->aside = source->aside;
    ink->mask = source->mask;
}

static bool is_same_source(const struct source *a, const struct source *b)
{
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(a->thumbnails);
    return a->thumbnails == b->thumbnails &&
           memcmp(a->mask, b->mask, sizes.rows * sizes.cols) == 0 && a->map == b->map &&
           memcmp(&a->hidden, &b->hidden, sizeof a->hidden) == 0 &&
           a->logarithmic == b->logarithmic && a->by_mean == b->by_mean && a->aside == b->aside &&
           a->low == b->low && a->top == b->top;
}

/* The cached colours, which are set anew if anything has changed. NULL: no memory. */
static const struct view_thumbnail_ink *current_ink(const struct view *view,
                                                    const struct source *source)
{
    struct view_thumbnail_cache *const cache = view->thumbnails;
    if (cache->is_valid && cache->pixels < CACHED_PIXELS_MAX &&
        is_same_source(&cache->source, source)) {
        return &cache->ink;
    }
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(source->thumbnails);
    clear_cache(cache);
    cache->cached = arena_array(&cache->arena, sizes.layers * sizes.heads, sizeof *cache->cached);
    bool *const mask = arena_array(&cache->arena, sizes.rows * sizes.cols, sizeof *mask);
    if (cache->cached == NULL || mask == NULL) {
        clear_cache(cache);
        return NULL;
    }
    memcpy(mask, source->mask, sizes.rows * sizes.cols * sizeof *mask);
    cache->source = *source;
    cache->source.thumbnails = lab_thumbnails_keep(source->thumbnails);
    cache->source.mask = mask;
    cache->is_valid = true;
    set_ink(view, &cache->source, &cache->ink);
    return &cache->ink;
}

const struct view_thumbnail_ink *view_thumbnail_ink(struct view *view)
{
    const struct view_head_overview *const head_overview = view->state->head_overview;
    if (head_overview == NULL || head_overview->thumbnails == NULL) {
        return NULL;
    }
    const struct lab_thumbnails *const drawn = drawn_heads(view);
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(head_overview->thumbnails);
    const struct source source = {.thumbnails = drawn == NULL ? head_overview->thumbnails : drawn,
                                  .mask = find_mask(view, &sizes, view->arena),
                                  .map = view->share_map,
                                  .hidden = view->ui->theme->line,
                                  .logarithmic = view->is_logarithmic,
                                  .by_mean = view->state->prefs.by_mean,
                                  .aside = head_overview->sinks_aside,
                                  .low = view->share_low,
                                  .top = view->share_top};
    if (source.mask == NULL || view->thumbnails != NULL) {
        return source.mask == NULL ? NULL : current_ink(view, &source);
    }
    struct view_thumbnail_ink *const ink = arena_alloc(view->arena, sizeof *ink);
    if (ink != NULL) {
        set_ink(view, &source, ink);
    }
    return ink;
}

/* The cells that share one pixel. */
struct block {
    size_t row0, row1, col0, col1;
};

/* A head as it is drawn: its cells, and the number that has the last colour. */
struct drawn_head {
    const float *values; /* [rows][cols] */
    const bool *sink;    /* [cols]; NULL: sinks are drawn like all */
    float top;
};

static struct colour block_colour(const struct view_thumbnail_ink *ink,
                                  const struct drawn_head *head, size_t cols,
                                  const struct block *block)
{
    float largest = 0, sum = 0, seen = 0;
    for (size_t row = block->row0; row < block->row1; row++) {
        for (size_t col = block->col0; col < block->col1; col++) {
            const float value = head->values[row * cols + col];
            const bool hides = ink->mask[row * cols + col] &&
                               !(fabsf(value) > 0); /* hidden, and without a number */
            if (!hides && (head->sink == NULL || !head->sink[col])) {
                largest = fabsf(value) > fabsf(largest) ? value : largest;
                sum += value;
                seen += 1;
            }
        }
    }
    if (seen < 1) {
        return ink->hidden;
    }
    const float value = (ink->by_mean ? sum / seen : largest) / head->top;
    return ink->ramp.step[view_ramp_step(&ink->ramp, value)];
}

static void colour_head(const struct view_thumbnail_ink *ink,
                        const struct lab_thumbnails_sizes *sizes, const struct drawn_head *head,
                        const struct cached *out)
{
    for (size_t y = 0; y < out->high; y++) {
        for (size_t x = 0; x < out->wide; x++) {
            const struct block block = {
                y * sizes->rows / out->high, (y + 1) * sizes->rows / out->high,
                x * sizes->cols / out->wide, (x + 1) * sizes->cols / out->wide};
            out->pixels[y * out->wide + x] = block_colour(ink, head, sizes->cols, &block);
        }
    }
}

bool view_thumbnail_is_there(const struct view *view, size_t place)
{
    const struct lab_thumbnails *const thumbnails = drawn_heads(view);
    return thumbnails != NULL &&
           place / lab_thumbnails_sizes(thumbnails).heads < lab_thumbnails_ready(thumbnails);
}

/* Sinks are of weights, however a word is weighed. */
static struct drawn_head find_drawn(const struct view *view, const struct view_thumbnail_ink *ink,
                                    size_t layer, size_t which)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    const struct lab_thumbnails_head head = lab_thumbnails_head(drawn_heads(view), layer, which);
    const float top = !view_head_overview_is_weighed(view) ? 1
                      : ink->aside                         ? overview->weighed->rest_top[layer]
                                                           : overview->weighed->top[layer];
    return (struct drawn_head){
        .values = ink->by_mean ? head.mean : head.largest,
        .sink = ink->aside ? lab_thumbnails_head(overview->thumbnails, layer, which).sink : NULL,
        .top = top > 0 ? top : 1};
}

void view_thumbnail_draw(struct view *view, const struct view_thumbnail_ink *ink, size_t place,
                         struct rect area)
{
    struct view_thumbnail_cache *const cache = view->thumbnails;
    if (!view_thumbnail_is_there(view, place)) {
        canvas_rect(view->ui->canvas, area, 0, &(struct paint){.fill = view->ui->theme->control});
        return;
    }
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(view->state->head_overview->thumbnails);
    const struct drawn_head head = find_drawn(view, ink, place / sizes.heads, place % sizes.heads);
    const float scale = view->ui->input->scale;
    const size_t pixels_x = (size_t)fmaxf(1, area.w * scale);
    const size_t pixels_y = (size_t)fmaxf(1, area.h * scale);
    const size_t wide = sizes.cols < pixels_x ? sizes.cols : pixels_x;
    const size_t high = sizes.rows < pixels_y ? sizes.rows : pixels_y;
    const bool keeps = cache != NULL && ink == &cache->ink;
    struct cached picture = keeps ? cache->cached[place] : (struct cached){0};
    if (picture.wide != wide || picture.high != high) {
        picture = (struct cached){
            wide, high,
            arena_array(keeps ? &cache->arena : view->arena, wide * high, sizeof *picture.pixels)};
        if (picture.pixels == NULL) {
            view->arena->lacking = true;
            return;
        }
        colour_head(ink, &sizes, &head, &picture);
        if (keeps) {
            cache->cached[place] = picture;
            cache->pixels += wide * high;
        }
    }
    canvas_image(view->ui->canvas, area, (uint32_t)wide, (uint32_t)high, picture.pixels);
}

/* Outlines a line of cells. A line too thin for that gets a tick beyond each of its ends, so that
 * the marked cells, often a first token that all look at, stay visible. */
static void mark_line(struct view *view, struct rect band, bool upright, struct colour colour)
{
    static const float THIN = 4, TICK = 3, TICK_WIDE_MIN = 2;
    if (fminf(band.w, band.h) >= THIN) {
        canvas_rect(view->ui->canvas, band, 0,
                    &(struct paint){.stroke = colour, .width = 1, .crisp = true});
        return;
    }
    for (int end = 0; end < 2; end++) {
        struct rect tick = band;
        if (upright) {
            tick.x += (band.w - fmaxf(band.w, TICK_WIDE_MIN)) / 2;
            tick.w = fmaxf(band.w, TICK_WIDE_MIN);
            tick.y = end == 0 ? band.y - TICK : band.y + band.h;
            tick.h = TICK;
        } else {
            tick.y += (band.h - fmaxf(band.h, TICK_WIDE_MIN)) / 2;
            tick.h = fmaxf(band.h, TICK_WIDE_MIN);
            tick.x = end == 0 ? band.x - TICK : band.x + band.w;
            tick.w = TICK;
        }
        canvas_rect(view->ui->canvas, tick, 0, &(struct paint){.fill = colour, .crisp = true});
    }
}

void view_thumbnail_cross(struct view *view, size_t place, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const bool *const off = view->state->head_overview->off;
    if (off == NULL || !off[place]) {
        return;
    }
    canvas_rect(canvas, area, 0, &(struct paint){.fill = colour_fade(theme->panel, 0.7f)});
    canvas_line(canvas, area.x, area.y, area.x + area.w, area.y + area.h, 1.5f, theme->ink);
    canvas_line(canvas, area.x + area.w, area.y, area.x, area.y + area.h, 1.5f, theme->ink);
}

void view_thumbnail_mark(struct view *view, struct rect area, float strength)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(view->state->head_overview->thumbnails);
    const long query = view_chosen(view, view->selection.query);
    const long key = view_chosen(view, view->selection.key);
    const float down = area.h / (float)sizes.n, across = area.w / (float)sizes.m;
    if (key >= 0 && (size_t)key < sizes.m) {
        mark_line(view,
                  (struct rect){area.x + (float)key * across, area.y, fmaxf(across, 1), area.h},
                  true, colour_fade(theme->key, strength));
    }
    if (query >= 0 && (size_t)query < sizes.n) {
        mark_line(view, (struct rect){area.x, area.y + (float)query * down, area.w, fmaxf(down, 1)},
                  false, colour_fade(theme->query, strength));
    }
}

size_t view_thumbnail_sharing(const struct view *view)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    const size_t heads = lab_thumbnails_sizes(overview->thumbnails).heads;
    return overview->groups > 0 && overview->groups < heads ? heads / overview->groups : 1;
}

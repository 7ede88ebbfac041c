/* Every head at three snapshots of training: the beginning, an event, the present. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/colours.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

static const float HEADER = 36, TITLE = 18, NAME = 42, APART = 14, APART_MIN = 5;
static const struct view_length TILE_MAX = {.near = 150, .far = 340}; /* side of a tile */
static const float BETWEEN = 10; /* between a block and the names of the next one */

/* The layout of the tiles: blocks of rows side by side, each row a head, each column a snapshot.
 * All heads of a layer are in one line: in whole blocks one below the other, or in whole rows. The
 * snapshots of few heads may take several lines, each tile then below its own step. */
struct lattice {
    struct rect area;
    size_t heads, moments, blocks, rows;
    size_t across, lines; /* snapshots in a line, and lines of a head */
    bool in_rows;         /* the next head is at the right, not below */
    float tile, tile_max, gap_x, gap_y, name;
};

static float name_width(size_t blocks)
{
    return blocks > 1 ? NAME + BETWEEN : NAME;
}

static size_t row_count(size_t count, size_t columns)
{
    return (count + columns - 1) / columns;
}

/* The height of so many rows without their tiles. */
static float height_without_tiles(const struct lattice *lattice, size_t rows, size_t lines)
{
    const float steps = lines > 1 ? (float)(rows * lines) : 1;
    return TITLE * steps + lattice->gap_y * (float)(rows * lines);
}

static float tile_size(const struct lattice *lattice, size_t blocks, size_t across)
{
    const size_t rows = row_count(lattice->heads, blocks),
                 lines = row_count(lattice->moments, across);
    const float wide = lattice->area.w / (float)blocks - name_width(blocks);
    const float by_width = wide / (float)across - lattice->gap_x;
    const float by_height =
        (lattice->area.h - height_without_tiles(lattice, rows, lines)) / (float)(rows * lines);
    return fminf(lattice->tile_max, fminf(by_width, by_height));
}

/* Tries another number of lines and blocks, and keeps it if tiles become larger. */
static void try_lattice(struct lattice *lattice, size_t blocks, size_t across, bool in_rows)
{
    static const float WORTH_LINES = 1.03f;
    const float now = tile_size(lattice, lattice->blocks, lattice->across);
    const float worth = across < lattice->across ? WORTH_LINES : 1;
    if (tile_size(lattice, blocks, across) > now * worth) {
        lattice->blocks = blocks;
        lattice->across = across;
        lattice->in_rows = in_rows;
    }
}

/* Finds the layout with the largest tiles. */
static struct lattice fit_lattice(const struct view *view, struct rect area, size_t moments)
{
    const size_t layers = view->state->learn->layers, of_layer = view->state->learn->heads;
    struct lattice lattice = {.area = area,
                              .heads = layers * of_layer,
                              .moments = moments,
                              .blocks = 1,
                              .across = moments,
                              .tile_max = view_length(view, TILE_MAX)};
    lattice.gap_x = lattice.gap_y = lattice.heads > 4 ? APART_MIN : APART;
    for (size_t across = moments; across >= 1; across--) {
        for (size_t blocks = 1; blocks <= lattice.heads; blocks++) {
            const bool columns = layers > 1 && layers % blocks == 0, rows = of_layer % blocks == 0;
            if (columns || rows) {
                try_lattice(&lattice, blocks, across, blocks > 1 && !columns);
            }
        }
    }
    lattice.rows = row_count(lattice.heads, lattice.blocks);
    lattice.lines = row_count(moments, lattice.across);
    lattice.name = name_width(lattice.blocks);
    lattice.tile = fmaxf(tile_size(&lattice, lattice.blocks, lattice.across), 4);
    const float taken = height_without_tiles(&lattice, lattice.rows, lattice.lines) +
                        (float)(lattice.rows * lattice.lines) * lattice.tile;
    if (view->style.is_far && taken < area.h) { /* centred */
        lattice.area.y += (area.h - taken) / 2;
        lattice.area.h = taken;
    }
    return lattice;
}

static size_t block_at(const struct lattice *lattice, size_t head)
{
    return lattice->in_rows ? head % lattice->blocks : head / lattice->rows;
}

static struct rect tile_place(const struct lattice *lattice, size_t head, size_t moment)
{
    const size_t block = block_at(lattice, head);
    const size_t row = lattice->in_rows ? head / lattice->blocks : head % lattice->rows;
    const size_t line = row * lattice->lines + moment / lattice->across;
    const float wide = lattice->area.w / (float)lattice->blocks;
    const float step = (wide - lattice->name) / (float)lattice->across;
    const float first = lattice->lines > 1 ? 0 : TITLE; /* with several lines each has its own */
    const float high = (lattice->area.h - first) / (float)(lattice->rows * lattice->lines);
    const float below = TITLE - first;
    return (struct rect){lattice->area.x + (float)block * wide + lattice->name +
                             (float)(moment % lattice->across) * step + (step - lattice->tile) / 2,
                         lattice->area.y + first + (float)line * high + below +
                             fminf((high - below - lattice->tile) / 2, lattice->gap_y),
                         lattice->tile, lattice->tile};
}

static void draw_weights(struct view *view, const float *alpha, size_t n, struct rect area)
{
    struct colour *const pixel = arena_array(view->arena, n * n, sizeof *pixel);
    if (pixel == NULL) {
        return;
    }
    const struct colour hidden = view->ui->theme->control;
    for (size_t i = 0; i < n * n; i++) {
        pixel[i] = alpha[i] > 0 ? view_share_colour(view, alpha[i]) : hidden;
    }
    const float cell = area.w / (float)n;
    canvas_image(view->ui->canvas, area, (uint32_t)n, (uint32_t)n, pixel);
    for (size_t line = 1; line < n && cell >= 6; line++) { /* separates cells, as on the stages */
        const float at = (float)line * cell;
        canvas_line(view->ui->canvas, area.x + at, area.y, area.x + at, area.y + area.h, 1,
                    view->ui->theme->panel);
        canvas_line(view->ui->canvas, area.x, area.y + at, area.x + area.w, area.y + at, 1,
                    view->ui->theme->panel);
    }
}

/* Draws one head at one snapshot; a click goes there. */
static void draw_tile(struct view *view, const struct lattice *lattice, size_t place, size_t moment)
{
    const struct view_learn *const learn = view->state->learn;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn_moment *const at = &learn->moment[moment];
    const struct rect tile = tile_place(lattice, place, moment);
    const size_t layer = place / learn->heads, head = place % learn->heads;
    const bool current =
        moment + 1 == lattice->moments && layer == learn->layer && head == view->selection.head;
    const uint32_t id = ui_id_number(view->ui, "moment", place * VIEW_LEARN_MOMENTS + moment);
    const struct ui_touch touch = ui_touch(view->ui, id, tile, true);
    char number[TEXT_NUMBER_MAX];
    const char *const name = arena_format(view->arena, tr("L%zuH%zu at step %s"), layer, head,
                                          text_count(number, at->step));
    canvas_group(view->ui->canvas, id, name);
    draw_weights(view, at->alpha + place * learn->n * learn->n, learn->n, tile);
    if (current || touch.hover) {
        canvas_rect(view->ui->canvas, rect_inset(tile, -4), 5,
                    &(struct paint){.stroke = current ? theme->ink : theme->faint,
                                    .width = current ? 2.2f : 1.2f});
    }
    ui_draw_focus(view->ui, id, rect_inset(tile, -4), 5);
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, id, tile, arena_format(view->arena, tr("%s: a click goes there"), name));
    if (touch.clicked) {
        view_learn_action(view, VIEW_LEARN_HEAD, place, 0);
        if (at->step != learn->step) {
            view_learn_action(view, VIEW_LEARN_SEEK, at->step, 0);
        }
    }
}

/* Draws a flake below the name of a frozen head. */
static void draw_frozen_mark(struct view *view, struct point at)
{
    static const struct point ends[] = {{0, 5}, {4.3f, 2.5f}, {4.3f, -2.5f}};
    const uint32_t id = ui_id(view->ui, "frozen");
    canvas_group(view->ui->canvas, id, tr("Frozen: its weights stay"));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        canvas_line(view->ui->canvas, at.x - ends[i].x, at.y - ends[i].y, at.x + ends[i].x,
                    at.y + ends[i].y, 1.4f, view->ui->theme->accent);
    }
    canvas_ungroup(view->ui->canvas);
}

/* Draws the name of a head, which switches it off and on. */
static void draw_head_name(struct view *view, const struct lattice *lattice, size_t place)
{
    const struct view_learn *const learn = view->state->learn;
    const struct ui_theme *const theme = view->ui->theme;
    const struct rect tile = tile_place(lattice, place, 0);
    const size_t block = block_at(lattice, place);
    const float x = lattice->area.x + (float)block * lattice->area.w / (float)lattice->blocks +
                    (block > 0 ? BETWEEN : 0);
    const struct rect area = {x, tile.y + tile.h / 2 - 9, NAME - 4, 18};
    const uint32_t id = ui_id_number(view->ui, "head name", place);
    const struct ui_touch touch = ui_touch(view->ui, id, area, true);
    const bool off = learn->off != NULL && learn->off[place];
    const bool frozen = learn->frozen != NULL && learn->frozen[place];
    const char *const name =
        arena_words(view->arena, "L%zuH%zu", place / learn->heads, place % learn->heads);
    const bool current = place == learn->layer * learn->heads + view->selection.head;
    canvas_group(view->ui->canvas, id, name);
    const float wide = canvas_text(view->ui->canvas, area.x, area.y + 13, FONT_NUMBERS,
                                   lattice->tile < 14 ? 9 : view->style.small,
                                   off           ? theme->faint
                                   : current     ? theme->ink
                                   : touch.hover ? theme->ink
                                                 : theme->muted,
                                   CANVAS_LEFT, name);
    if (off) {
        canvas_line(view->ui->canvas, area.x, area.y + 9, area.x + wide, area.y + 9, 1.5f,
                    theme->faint);
    }
    if (frozen) {
        draw_frozen_mark(view, (struct point){area.x + 5, area.y + 21});
    }
    ui_draw_focus(view->ui, id, area, 3);
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, id, area,
           off      ? tr("This head is switched off: a click switches it on")
           : frozen ? tr("Frozen: its weights stay; what comes in still learns. A click switches "
                         "this head off")
                    : tr("A click switches this head off: training goes on without it"));
    if (touch.clicked) {
        view_learn_action(view, VIEW_LEARN_SWITCH, place, 0);
    }
}

/* Counts the known snapshots. */
static size_t snapshot_count(const struct view_learn *learn)
{
    size_t count = 0;
    while (count < VIEW_LEARN_MOMENTS && learn->moment[count].alpha != NULL) {
        count++;
    }
    return count;
}

/* The width of a snapshot's step number. */
static float step_width(const struct view *view, size_t moment)
{
    char number[TEXT_NUMBER_MAX];
    return canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY,
                          text_count(number, view->state->learn->moment[moment].step));
}

/* Draws the step number above a tile; the first says "step" if there is room. A middle one is left
 * out if it would touch its neighbours. */
static void draw_step_number(struct view *view, const struct lattice *lattice, size_t head,
                             size_t moment)
{
    static const float CLEAR = 8, CLEAR_MIN = 4;
    const struct rect tile = tile_place(lattice, head, moment);
    const float apart =
        (lattice->area.w / (float)lattice->blocks - lattice->name) / (float)lattice->across;
    if (lattice->lines == 1 && moment > 0 && moment + 1 < lattice->moments) {
        const float neighbour = fmaxf(step_width(view, moment - 1), step_width(view, moment + 1));
        if ((step_width(view, moment) + neighbour) / 2 + CLEAR_MIN > apart) {
            return;
        }
    }
    char number[TEXT_NUMBER_MAX];
    text_count(number, view->state->learn->moment[moment].step);
    const char *const named = arena_format(view->arena, tr("step %s"), number);
    const bool shows_name =
        moment == 0 && named != NULL &&
        canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, named) + CLEAR <= apart;
    const float y = lattice->lines > 1 ? tile.y : lattice->area.y + TITLE;
    canvas_text(view->ui->canvas, tile.x + tile.w / 2, y - 8, FONT_NUMBERS, UI_TEXT_TINY,
                view->ui->theme->muted, CANVAS_CENTRE, shows_name ? named : number);
}

/* Draws the step numbers above each block, or if snapshots take several lines above each tile. */
static void draw_step_numbers(struct view *view, const struct lattice *lattice)
{
    const bool each = lattice->lines > 1;
    for (size_t i = 0; i < (each ? lattice->heads : lattice->blocks); i++) {
        const size_t head = each || lattice->in_rows ? i : i * lattice->rows;
        for (size_t m = 0; m < lattice->moments; m++) {
            draw_step_number(view, lattice, head, m);
        }
    }
}

static void draw_snapshots(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    const size_t moments = snapshot_count(learn), heads = learn->layers * learn->heads;
    if (moments == 0 || heads == 0 || learn->n == 0) {
        view_notice(view, area, "Nothing has been learned yet",
                    "Train: how every head looked at the beginning, on the way and now stands "
                    "here.");
        return;
    }
    const struct lattice lattice = fit_lattice(view, area, moments);
    if (moments > 1) {
        draw_step_numbers(view, &lattice);
    }
    for (size_t place = 0; place < heads; place++) {
        draw_head_name(view, &lattice, place);
        for (size_t m = 0; m < moments; m++) {
            draw_tile(view, &lattice, place, m);
        }
    }
}

/* Where one step alone is known there is no then and now: the title says which step it is. */
static void draw_title(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    char number[TEXT_NUMBER_MAX];
    if (snapshot_count(learn) == 1) {
        view_panel_header(
            view, area, "Heads",
            arena_format(view->arena, tr("step %s"), text_count(number, learn->moment[0].step)));
    } else {
        view_panel_header(view, area, "Heads — then and now", tr("every head, all along"));
    }
}

void view_learn_heads(struct view *view, struct rect area)
{
    view_panel(view, area, "Heads");
    canvas_clip(view->ui->canvas, area);
    ui_push(view->ui, "then and now");
    draw_title(view, area);
    draw_snapshots(view, (struct rect){area.x + 16, area.y + HEADER, area.w - 32,
                                       fmaxf(area.h - HEADER - 8, 1)});
    ui_pop(view->ui);
    canvas_unclip(view->ui->canvas);
    canvas_ungroup(view->ui->canvas);
}

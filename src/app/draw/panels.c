/* Several panels on one page: each laid out by itself, then placed so that their cells align. */
#include "app/draw/panels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/draw/figure_internal.h"
#include "app/draw/fit.h"
#include "base/translate.h"
#include "lab/explain/explain.h"

static const float MARGIN = 2;                 /* around all; points */
static const float GAP = 1.4f, ROW_GAP = 1.6f; /* between panels, as a share of the letters */
static const float WIDER_GAP = 2;              /* times that: what a gap may take of spare width */
static const float LETTER = 1.15f;             /* size of a panel's letter, likewise */
static const float SMALLER = 0.93f;            /* from one size of letters to the next */
static const float HIGH = 0.8f;                /* of a panel without cells, for its width */
static const float PAGE = 230 * 72 / 25.4f;    /* the highest figure; points */
static const float CLOSE = 0.05f;              /* sizes of cells that are equal */

/* Rounds of finding the size of the cells; from the third on it only falls, so that it comes to
 * rest. */
enum { ROUNDS = 10, FREE_ROUNDS = 3 };

/* A panel while it is laid out; lengths are points. */
struct placed {
    const struct app_panel *panel;
    const char *letter; /* at its corner; NULL: none, or it stands in the panel's title */
    const struct view_picture *row;
    struct ui_theme theme;
    struct app_scene scene;
    struct view_state view;
    struct view_scale scale;
    bool has_scale;
    struct canvas *list; /* what it draws */
    struct rect ink;     /* in it */
    struct app_frame_room room;
    float width, height; /* of the paper it is drawn on */
    float side;          /* of its cells */
    struct point at;     /* of its ink, in the figure */
    struct point corner; /* upper left of its letter */
};

struct page {
    struct app_figure_renderer *renderer;
    const struct app_panels *panels;
    struct placed *placed;
    size_t columns, rows;
    float letters; /* ordinary ones */
    float width, height;
    size_t failed; /* the panel that the error is about */
    struct error *error;
    struct arena arena; /* owns titles */
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for a figure of panels.");
}

static bool has_cells(const struct placed *placed)
{
    return placed->room.cells.w > 0;
}

static bool is_alike(const struct placed *a, const struct placed *b)
{
    return has_cells(a) && has_cells(b) && a->room.rows == b->room.rows &&
           a->room.columns == b->room.columns;
}

/* ---- the colours ----------------------------------------------------------------------------- */

static bool means_alike(const struct view_scale *a, const struct view_scale *b)
{
    return a->map == b->map && a->is_share == b->is_share && a->logarithmic == b->logarithmic;
}

/* Says whether one bar explains both. */
static bool is_same_scale(const struct placed *a, const struct placed *b)
{
    return a->has_scale && b->has_scale && means_alike(&a->scale, &b->scale) &&
           a->scale.low == b->scale.low && a->scale.top == b->scale.top &&
           a->scale.peak == b->scale.peak;
}

/* Says whether the panel's colours follow those of others: no range of its own was asked for. */
static bool shares_scale(const struct placed *placed)
{
    const struct view_cells *const cells = &placed->view.prefs.cells;
    return placed->has_scale && !placed->panel->own_scale && !(cells->share_high > 0) &&
           !(cells->signed_top > 0);
}

/* Signed numbers of one stage share a scale, and so do all weights. */
static bool may_share(const struct placed *a, const struct placed *b)
{
    return shares_scale(a) && shares_scale(b) && means_alike(&a->scale, &b->scale) &&
           (a->scale.is_share || a->view.playback.stage == b->view.playback.stage);
}

static struct view_scale joined_scale(const struct view_scale *a, const struct view_scale *b)
{
    struct view_scale joined = *a;
    joined.low = fminf(a->low, b->low);
    joined.top = fmaxf(a->top, b->top);
    joined.peak = fmaxf(a->peak, b->peak);
    joined.largest = fmaxf(a->largest, b->largest);
    joined.over = joined.largest > joined.top;
    joined.under = (a->under && a->low <= joined.low) || (b->under && b->low <= joined.low);
    joined.hides = a->hides || b->hides;
    return joined;
}

/* Gives panels that may share it one scale, and one of them the bar: the last in the first row. */
static void share_scales(struct page *page)
{
    const size_t count = page->panels->count;
    struct placed *const placed = page->placed;
    for (size_t p = 0; p < count; p++) {
        placed[p].has_scale = app_frame_scale(page->renderer->frame, &placed[p].scene,
                                              placed[p].row, &placed[p].scale);
    }
    for (size_t p = 0; p < count; p++) {
        for (size_t other = 0; other < count; other++) {
            if (other != p && may_share(&placed[p], &placed[other])) {
                placed[p].scale = joined_scale(&placed[p].scale, &placed[other].scale);
            }
        }
    }
    for (size_t p = 0; p < count; p++) {
        bool is_later = false, has_later = false;
        for (size_t other = 0; other < count; other++) {
            const bool same = other != p && is_same_scale(&placed[p], &placed[other]);
            const size_t row = p / page->columns, other_row = other / page->columns;
            is_later = is_later || (same && other_row < row);
            has_later = has_later || (same && other_row == row && other > p);
            placed[p].scale.hides = placed[p].scale.hides || (same && placed[other].scale.hides);
            struct view_figure_frame *const frame = &placed[p].view.frame;
            frame->bar_title = same && frame->bar_title == NULL ? placed[other].view.frame.bar_title
                                                                : frame->bar_title;
        }
        placed[p].view.frame.no_bar = placed[p].view.frame.no_bar || is_later || has_later;
        placed[p].view.frame.scale = placed[p].has_scale ? &placed[p].scale : NULL;
    }
}

/* ---- the layout ------------------------------------------------------------------------------ */

/* Draws a panel on its paper, into a list of its own. Returns whether all that is wanted has room;
 * page->error is set where the panel cannot be drawn at all. */
static bool draw_panel(struct page *page, size_t p, enum app_want want)
{
    struct placed *const placed = &page->placed[p];
    const struct app_figure *const figure = &page->panels->figure;
    struct app_frame *const frame = page->renderer->frame;
    const struct app_frame_paper paper = {.width = placed->width,
                                          .height = placed->height,
                                          .scale = figure->scale,
                                          .font_size = page->letters,
                                          .font_floor = figure->letters_floor,
                                          .min_font_size = figure->letters_floor};
    const bool fits =
        app_fit_paper(frame, &placed->scene, placed->row, &paper, want, &placed->room);
    const char *const notice = app_frame_notice(frame);
    page->failed = p;
    if (notice != NULL) {
        return error_set(page->error, ERROR_INPUT, "%s", notice);
    }
    placed->ink = canvas_content(app_frame_canvas(frame));
    if (!canvas_copy(placed->list, app_frame_canvas(frame)) || !app_frame_is_whole(frame)) {
        return no_memory(page->error);
    }
    page->failed = page->panels->count;
    return fits || placed->row->is_scene;
}

/* The parts of a panel at the left of its cells and at their right; of one without cells: its
 * width. */
static float left_of(const struct placed *placed)
{
    return has_cells(placed) ? placed->room.cells.x - placed->ink.x : 0;
}

static float right_of(const struct placed *placed)
{
    return has_cells(placed)
               ? placed->ink.x + placed->ink.w - placed->room.cells.x - placed->room.cells.w
               : placed->ink.w;
}

/* The room that the panels of a column take beside the cells. */
struct column {
    float left, right;
    size_t cells; /* across */
    float wide;   /* of the cells */
    float x;      /* of its left end */
};

static struct column measure_column(const struct page *page, size_t column)
{
    struct column out = {0};
    for (size_t p = column; p < page->panels->count; p += page->columns) {
        const struct placed *const placed = &page->placed[p];
        const bool cells = has_cells(placed);
        out.left = fmaxf(out.left, left_of(placed));
        out.right = fmaxf(out.right, cells ? right_of(placed) : 0);
        out.cells = cells && placed->room.columns > out.cells ? placed->room.columns : out.cells;
        out.wide = fmaxf(out.wide, cells ? placed->room.cells.w : placed->ink.w);
    }
    return out;
}

static bool all_alike(const struct page *page)
{
    bool alike = true;
    for (size_t p = 0; p < page->panels->count; p++) {
        alike = alike && is_alike(&page->placed[0], &page->placed[p]);
    }
    return alike;
}

static float gap_of(const struct page *page)
{
    return GAP * page->letters;
}

/* The width of a column where all are equally wide. */
static float equal_width(const struct page *page)
{
    const float gaps = gap_of(page) * (float)(page->columns - 1);
    return (page->width - 2 * MARGIN - gaps) / (float)page->columns;
}

/* The side of the cells that fills the width: of panels that are all alike, whatever width each of
 * them takes beside its cells; else of one in its own column. */
static float wanted_side(const struct page *page, size_t p)
{
    if (!all_alike(page)) {
        const struct column own = measure_column(page, p % page->columns);
        return (equal_width(page) - own.left - own.right) / (float)page->placed[p].room.columns;
    }
    float beside = gap_of(page) * (float)(page->columns - 1);
    for (size_t c = 0; c < page->columns; c++) {
        const struct column column = measure_column(page, c);
        beside += column.left + column.right;
    }
    const float cells = (float)(page->columns * page->placed[p].room.columns);
    return (page->width - 2 * MARGIN - beside) / cells;
}

/* Gives every panel paper on which its cells have the size that all of its shape can have. Returns
 * whether that changed anything. */
static bool settle_sides(struct page *page, int round)
{
    bool changed = false;
    float sides[APP_PANELS_MAX];
    const size_t count = page->panels->count;
    for (size_t p = 0; p < count; p++) {
        const struct placed *const placed = &page->placed[p];
        sides[p] = has_cells(placed) ? wanted_side(page, p) : 0;
        const float drawn = placed->room.cells.w / fmaxf((float)placed->room.columns, 1);
        const bool is_low = placed->side > 0 && drawn < placed->side - CLOSE;
        sides[p] = is_low ? fminf(sides[p], drawn) : sides[p]; /* its height ends it */
        sides[p] = round >= FREE_ROUNDS ? fminf(sides[p], placed->side) : sides[p];
    }
    for (size_t p = 0; p < count; p++) {
        struct placed *const placed = &page->placed[p];
        float side = sides[p];
        for (size_t other = 0; other < count; other++) {
            side = is_alike(placed, &page->placed[other]) ? fminf(side, sides[other]) : side;
        }
        if (has_cells(placed)) {
            const float drawn = placed->room.cells.w / (float)placed->room.columns;
            changed = changed || fabsf(drawn - side) > CLOSE;
            placed->width += (side - drawn) * (float)placed->room.columns;
            placed->side = side;
        }
    }
    return changed;
}

/* Lays out all panels with letters of one size. Returns whether all that is wanted has room. */
static bool lay_out(struct page *page, enum app_want want)
{
    const struct app_figure *const figure = &page->panels->figure;
    const bool is_wide = figure->extent == APP_EXTENT_WIDTH;
    const float rows = (float)page->rows;
    const float high =
        (is_wide ? PAGE : figure->height) - 2 * MARGIN - ROW_GAP * page->letters * (rows - 1);
    const float wide = equal_width(page);
    bool fits = wide > 0 && high > 0;
    for (size_t p = 0; p < page->panels->count; p++) {
        struct placed *const placed = &page->placed[p];
        placed->width = fmaxf(wide, 1);
        placed->side = 0;
        placed->height = fmaxf(
            placed->row->scale == NULL && is_wide ? fminf(HIGH * wide, high / rows) : high / rows,
            1);
    }
    for (int round = 0; fits && round < ROUNDS; round++) {
        bool all = true;
        for (size_t p = 0; p < page->panels->count; p++) {
            all = draw_panel(page, p, want) && all;
            if (page->error->code != ERROR_NONE) {
                return false;
            }
        }
        const bool changed = settle_sides(page, round);
        for (size_t p = 0; p < page->panels->count; p++) {
            fits = fits && page->placed[p].width > 1;
        }
        if (!changed) {
            return all && fits;
        }
    }
    return false;
}

/* ---- the page -------------------------------------------------------------------------------- */

static float letter_size(const struct page *page)
{
    return LETTER * page->letters;
}

/* Says whether something is drawn where the panel's letter is to stand, if its ink lies `down`
 * below it. */
static bool is_taken(const struct page *page, const struct placed *placed, float before, float down)
{
    const char *const letter = placed->letter;
    if (letter == NULL) {
        return false;
    }
    const float size = letter_size(page);
    const float wide =
        font_measure(page->renderer->fonts, FONT_WORDS_BOLD, size, letter, strlen(letter)) +
        size / 2;
    const struct rect corner = {placed->ink.x - before, placed->ink.y - down, wide, 1.3f * size};
    struct canvas *const part = canvas_crop(placed->list, corner);
    const bool taken = part != NULL && canvas_content(part).w > 0;
    canvas_close(part);
    return taken;
}

/* Finds the places of the panels: cells of a column begin at one x, those of a row at one y. */
static void place_panels(struct page *page)
{
    struct column columns[APP_PANELS_MAX];
    const size_t count = page->panels->count;
    const bool alike = all_alike(page);
    float x = MARGIN, y = MARGIN, wide = 0;
    float spare = page->width - 2 * MARGIN + gap_of(page);
    for (size_t c = 0; c < page->columns; c++) {
        columns[c] = measure_column(page, c);
        spare -= columns[c].left + columns[c].wide + columns[c].right + gap_of(page);
    }
    const float gaps = fmaxf((float)page->columns - 1, 1);
    const float gap = gap_of(page) + fmaxf(0, fminf(spare / gaps, WIDER_GAP * gap_of(page)));
    for (size_t c = 0; c < page->columns; c++) {
        columns[c].x = x;
        wide = alike ? columns[c].left + columns[c].wide + columns[c].right : equal_width(page);
        x += wide + (alike ? gap : gap_of(page));
    }
    for (size_t row = 0; row < page->rows; row++) {
        const size_t first = row * page->columns;
        const size_t end = first + page->columns < count ? first + page->columns : count;
        float above = 0, below = 0, letter = 0;
        for (size_t p = first; p < end; p++) {
            const struct placed *const placed = &page->placed[p];
            const float top = has_cells(placed) ? placed->room.cells.y - placed->ink.y : 0;
            above = fmaxf(above, top);
            below = fmaxf(below, placed->ink.h - top);
        }
        for (size_t p = first; p < end; p++) {
            struct placed *const placed = &page->placed[p];
            const struct column *const column = &columns[p % page->columns];
            const bool cells = has_cells(placed);
            const float top = cells ? placed->room.cells.y - placed->ink.y : above;
            const float before = cells ? column->left - left_of(placed) : 0;
            placed->at = (struct point){column->x + before, y + above - top};
            letter =
                is_taken(page, placed, before, above - top) ? 1.3f * letter_size(page) : letter;
        }
        for (size_t p = first; p < end; p++) {
            page->placed[p].at.y += letter;
            page->placed[p].corner = (struct point){columns[p % page->columns].x, y};
        }
        y += letter + above + below + ROW_GAP * page->letters;
    }
    page->height = y - ROW_GAP * page->letters + MARGIN;
}

/* The letter stands at the left end of its column, as high as the row begins. */
static void draw_letters(const struct page *page, struct canvas *canvas)
{
    const float size = letter_size(page);
    const float high = font_cap_height(page->renderer->fonts, FONT_WORDS_BOLD, size);
    for (size_t p = 0; p < page->panels->count; p++) {
        const struct placed *const placed = &page->placed[p];
        if (placed->letter != NULL) {
            canvas_text(canvas, placed->corner.x, placed->corner.y + high, FONT_WORDS_BOLD, size,
                        placed->theme.ink, CANVAS_LEFT, placed->letter);
        }
    }
}

/* Puts all panels on one page. NULL: no memory. */
static struct canvas *make_page(struct page *page)
{
    struct canvas *const canvas = canvas_open(page->renderer->fonts);
    if (canvas == NULL) {
        return NULL;
    }
    place_panels(page);
    const struct app_figure *const figure = &page->panels->figure;
    page->height = ceilf(figure->extent == APP_EXTENT_PAPER ? fmaxf(page->height, figure->height)
                                                            : page->height);
    canvas_begin(canvas, page->width, page->height);
    for (size_t p = 0; p < page->panels->count; p++) {
        const struct placed *const placed = &page->placed[p];
        if (!canvas_append(canvas, placed->list, placed->at.x - placed->ink.x,
                           placed->at.y - placed->ink.y)) {
            canvas_close(canvas);
            return NULL;
        }
    }
    draw_letters(page, canvas);
    return canvas;
}

const char *figure_describe_panels(const struct app_panels *panels, const struct canvas *canvas,
                                   struct arena *arena)
{
    const char *text = "";
    for (size_t p = 0; p < panels->count && text != NULL; p++) {
        const struct app_scene *const scene = &panels->panel[p].figure.scene;
        const char *const letter = panels->panel[p].letter;
        const bool is_difference =
            scene->baseline != NULL && scene->view->compare == VIEW_COMPARE_DIFFERENCE;
        const char *const own = scene->trace == NULL ? ""
                                : is_difference
                                    ? tr("The difference of the two before it, cell by cell.")
                                    : figure_describe(&panels->panel[p].figure, canvas, arena);
        text = own == NULL
                   ? NULL
                   : arena_format(arena, "%s%s%s%s%s", text, p == 0 ? "" : "\n",
                                  letter == NULL ? "" : letter, letter == NULL ? "" : ": ", own);
    }
    return text;
}

/* Puts the letter of a panel with a title of its own before that, in one line, as papers do. */
static void join_letter(struct page *page, struct placed *placed)
{
    static const char APART[] = "\xc2\xa0\xc2\xa0"; /* SVG joins ordinary spaces */
    struct view_figure_frame *const frame = &placed->view.frame;
    placed->letter = placed->panel->letter;
    if (placed->letter == NULL || frame->no_title || frame->title == NULL) {
        return;
    }
    const char *const joined =
        arena_format(&page->arena, "%s%s%s", placed->letter, APART, frame->title);
    if (joined != NULL) {
        frame->title = joined;
        placed->letter = NULL;
    }
}

static bool open_panels(struct page *page)
{
    for (size_t p = 0; p < page->panels->count; p++) {
        struct placed *const placed = &page->placed[p];
        const struct app_panel *const panel = &page->panels->panel[p];
        struct app_figure figure = panel->figure;
        figure.ground = page->panels->figure.ground;
        placed->panel = panel;
        placed->row = view_picture_find(panel->figure.view);
        placed->list = canvas_open(page->renderer->fonts);
        page->failed = p;
        if (placed->row == NULL || placed->list == NULL) {
            return no_memory(page->error);
        }
        if (!figure_check_ground(&figure, page->error)) {
            return false;
        }
        placed->theme = figure_theme(&figure, false, true);
        figure_prepare_scene(&figure, &placed->theme, &placed->scene, &placed->view);
        join_letter(page, placed);
    }
    page->failed = page->panels->count;
    share_scales(page);
    return true;
}

/* Finds letters with which all panels fit: as large as was asked for, or smaller ones where these
 * bring more. */
static bool fit_page(struct page *page)
{
    const struct app_figure *const figure = &page->panels->figure;
    const float floor = figure->letters_floor > 0 ? figure->letters_floor : APP_FONT_SIZE_MIN;
    const float letters = figure->letters > 0 ? figure->letters : UI_TEXT_BODY;
    const float min = fminf(letters, floor * UI_TEXT_BODY / UI_TEXT_TINY);
    for (enum app_want want = APP_WANT_NUMBERS; want < APP_WANTS; want++) {
        for (page->letters = letters;; page->letters = fmaxf(page->letters * SMALLER, min)) {
            if (lay_out(page, want)) {
                return true;
            }
            if (page->error->code != ERROR_NONE) {
                return false;
            }
            if (page->letters <= min) {
                break;
            }
        }
    }
    const double millimetres = 25.4 / 72;
    return error_set(
        page->error, ERROR_USAGE,
        "The panels do not fit into %.0f mm with letters of %g points: a wider figure, "
        "or fewer columns, would do.",
        (double)figure->width * millimetres, (double)floor);
}

bool figure_draw_panels(struct app_figure_renderer *renderer, const struct app_panels *panels,
                        struct ui_theme *theme, size_t *failed, struct error *error)
{
    struct error own = {ERROR_NONE, 0, ""};
    const size_t columns = panels->columns < panels->count ? panels->columns : panels->count;
    struct page page = {.renderer = renderer,
                        .panels = panels,
                        .placed = calloc(panels->count, sizeof *page.placed),
                        .columns = columns,
                        .rows = (panels->count + columns - 1) / columns,
                        .width = panels->figure.width,
                        .failed = panels->count,
                        .error = &own};
    bool drawn = page.placed == NULL ? no_memory(&own) : open_panels(&page) && fit_page(&page);
    canvas_close(renderer->part);
    renderer->part = drawn ? make_page(&page) : NULL;
    if (drawn) {
        *theme = page.placed[0].theme;
        drawn = (renderer->part != NULL && !canvas_failed(renderer->part)) || no_memory(&own);
    }
    for (size_t p = 0; page.placed != NULL && p < panels->count; p++) {
        canvas_close(page.placed[p].list);
    }
    free(page.placed);
    arena_free(&page.arena);
    fonts_trim(renderer->fonts);
    if (failed != NULL) {
        *failed = page.failed;
    }
    return drawn || error_set(error, own.code, "%s", own.text);
}

bool app_panels_print(struct app_figure_renderer *renderer, const struct app_panels *panels,
                      struct arena *arena, struct bytes *content, size_t *failed,
                      struct error *error)
{
    struct ui_theme theme;
    const struct app_figure *const figure = &panels->figure;
    const struct app_scene *const scene = &panels->panel[0].figure.scene;
    const struct render_format *const format =
        figure->format == NULL ? render_format_at(0) : figure->format;
    if (!figure_draw_panels(renderer, panels, &theme, failed, error)) {
        return false;
    }
    const struct render_figure facts = {
        .scale = figure->scale,
        .ground = figure->ground == APP_GROUND_CLEAR ? NULL : &theme.ground,
        .text = figure->text,
        .created = figure->created,
        .title =
            !figure->describes || scene->trace == NULL
                ? NULL
                : lab_stage_headline(lab_trace_graph(scene->trace), scene->view->playback.stage),
        .description =
            figure->describes ? figure_describe_panels(panels, renderer->part, arena) : NULL,
    };
    return format->write(renderer->player, renderer->part, &facts, arena, content, error) &&
           (!arena->lacking || no_memory(error));
}

/* ---- A, B and their difference ----------------------------------------------------------------
 */

static struct lab_matrix compared_matrix(const struct app_scene *scene)
{
    const struct lab_selection selection = app_scene_selection(scene);
    return lab_trace_part(scene->trace, lab_cell_part(scene->view->playback.stage, &selection),
                          selection.head);
}

size_t app_panels_compare(const struct app_figure *a, const struct app_figure *b,
                          struct app_panel panel[APP_COMPARED], struct view_state *difference)
{
    panel[0] = (struct app_panel){.figure = *a, .letter = "A"};
    panel[1] = (struct app_panel){.figure = *b, .letter = "B"};
    panel[2] = (struct app_panel){.figure = *a, .letter = "A − B", .own_scale = true};
    for (size_t p = 0; p < APP_COMPARED; p++) {
        panel[p].figure.view = "matrix";
        panel[p].figure.scene.baseline = p < 2 ? NULL : b->scene.trace;
    }
    *difference = *a->scene.view;
    difference->compare = VIEW_COMPARE_DIFFERENCE;
    difference->prefs.cells.signed_top = 0; /* it is of A and B */
    difference->frame.bar_title = NULL;
    panel[2].figure.scene.view = difference;
    const struct lab_matrix first = compared_matrix(&a->scene), second = compared_matrix(&b->scene);
    return first.rows == second.rows && first.cols == second.cols ? APP_COMPARED : 2;
}

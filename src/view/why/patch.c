/* Two texts: what each part of the clean one restores in the changed one, layers by words or by
 * heads; the colours reach from 0, nothing, to 1, wholly. */
#include "view/parts/patch.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/matrix.h"
#include "view/parts/pieces.h"
#include "view/parts/why.h"
#include "view/why/why_panels.h"

static const float EDGE = 14, LABEL = 30, GAP = 3, ABOVE = 20, LABEL_HIGH = 14;
static const float BAR_APART = 14, BAR_WIDE = 12, BAR_ROOM = 44, BAR_MIN = 60;
static const float HIGH_MIN = 15, HIGH_MAX = 44, WIDE_MAX = 130;

struct grid {
    struct rect cells;
    float wide, high, above;
    float peak; /* at the ends of the colours: 1, or more where more than all is restored */
    struct view_words words;
};

/* ---- what is said ---------------------------------------------------------------------------- */

static bool is_other(const struct view_patch *patch, size_t word)
{
    return strcmp(patch->words[word], patch->other[word]) != 0;
}

/* "hammer → cake" where the texts differ, else "the". */
static const char *word_name(const struct view_patch *patch, size_t word, struct arena *arena)
{
    const char *const name =
        is_other(patch, word)
            ? arena_words(arena, "%s → %s", patch->words[word], patch->other[word])
            : patch->words[word];
    return name == NULL ? "" : name;
}

static const char *asked_name(const struct view_patch *patch, struct arena *arena)
{
    const char *const name = patch->rival == NULL
                                 ? patch->word
                                 : arena_words(arena, "%s − %s", patch->word, patch->rival);
    return name == NULL ? "" : name;
}

/* "L0H2 V", "residual 1, hammer → cake". */
static const char *cell_name(const struct view_patch *patch, size_t cell, struct arena *arena)
{
    const size_t layer = cell / patch->places, place = cell % patch->places;
    static const char *const forms[] = {[VIEW_PATCHED_HEADS] = "L%zuH%zu",
                                        [VIEW_PATCHED_ALPHA] = "L%zuH%zu α",
                                        [VIEW_PATCHED_VALUE] = "L%zuH%zu V"};
    const char *const name =
        patch->what == VIEW_PATCHED_RESIDUAL
            ? arena_words(arena, tr("residual %zu at “%s”"), layer, word_name(patch, place, arena))
            : arena_words(arena, forms[patch->what], layer, place);
    return name == NULL ? "" : name;
}

static const char *number_text(double value, int decimals, struct arena *arena)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, value, decimals);
    const char *const own = arena_text(arena, text, strlen(text));
    return own == NULL ? "" : own;
}

/* The cell that restores most; SIZE_MAX: none is computed. */
static size_t largest_cell(const struct view_patch *patch)
{
    size_t best = SIZE_MAX;
    for (size_t c = 0; c < patch->layers * patch->places; c++) {
        if (!isnan(patch->restored[c]) &&
            (best == SIZE_MAX || patch->restored[c] > patch->restored[best])) {
            best = c;
        }
    }
    return best;
}

/* "man → woman, hammer → cake", of many the first. */
static const char *list_others(const struct view_patch *patch, struct arena *arena)
{
    enum { NAMED = 6 };
    const char *words = "";
    size_t named = 0;
    for (size_t i = 0; i < patch->n && words != NULL; i++) {
        if (is_other(patch, i) && named <= NAMED) {
            words = named == NAMED ? arena_words(arena, "%s, …", words)
                                   : arena_words(arena, "%s%s%s", words, named == 0 ? "" : ", ",
                                                 word_name(patch, i, arena));
            named++;
        }
    }
    return words == NULL ? "" : words;
}

static const char *const parts[] = {[VIEW_PATCHED_RESIDUAL] =
                                        "the stream before a layer at one word",
                                    [VIEW_PATCHED_HEADS] = "what a head hands on, Z, at all words",
                                    [VIEW_PATCHED_ALPHA] = "the weights α of a head at all words",
                                    [VIEW_PATCHED_VALUE] = "the values V of a head at all words"};

static const char *caption_of(const struct view_patch *patch, struct arena *arena)
{
    const char *const words = arena_words(
        arena,
        tr("A cell puts one part of the clean text into the changed one: %s. How much of %s comes "
           "back: 0 is nothing (%s), 1 is all (%s). Clean → changed: %s."),
        tr(parts[patch->what]), asked_name(patch, arena), number_text(patch->changed, 2, arena),
        number_text(patch->clean, 2, arena), list_others(patch, arena));
    return words == NULL ? "" : words;
}

const char *view_patch_describe(const struct view_patch *patch, struct arena *arena)
{
    const size_t best = largest_cell(patch);
    const char *const words =
        best == SIZE_MAX ? caption_of(patch, arena)
                         : arena_words(arena, tr("%s Most comes back by %s: %s."),
                                       caption_of(patch, arena), cell_name(patch, best, arena),
                                       number_text(patch->restored[best], 2, arena));
    return words == NULL ? "" : words;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char *const *column_names(struct view *view, const struct view_patch *patch)
{
    const char **const names = arena_array(view->arena, patch->places, sizeof *names);
    for (size_t p = 0; names != NULL && p < patch->places; p++) {
        names[p] = patch->what == VIEW_PATCHED_RESIDUAL ? word_name(patch, p, view->arena)
                                                        : arena_words(view->arena, "H%zu", p);
        if (names[p] == NULL) {
            return NULL;
        }
    }
    return names;
}

static float foot_height(struct view *view, const struct view_patch *patch, float width)
{
    return 12 + view_wrapped_height(view, width - 2 * EDGE, UI_TEXT_SMALL,
                                    caption_of(patch, view->arena));
}

/* The widths of cells, and the height of what stands above them, in an area so wide. */
static struct grid lay_columns(struct view *view, const struct view_patch *patch, float width)
{
    const float wide = fmaxf(width - 2 * EDGE - LABEL - BAR_APART - BAR_WIDE - BAR_ROOM, 1);
    struct grid grid = {.peak = 1};
    grid.wide = fminf(WIDE_MAX, wide / (float)patch->places);
    grid.words = (struct view_words){.words = column_names(view, patch),
                                     .count = patch->places,
                                     .step = grid.wide,
                                     .room = 120,
                                     .beyond = BAR_APART + BAR_WIDE,
                                     .anchor = CANVAS_CENTRE,
                                     .chosen = VIEW_NOWHERE,
                                     .colour = view->ui->theme->ink};
    grid.above = fmaxf(ABOVE, view_words_above(view, &grid.words));
    for (size_t c = 0; c < patch->layers * patch->places; c++) {
        const float size = (float)fabs(patch->restored[c]);
        grid.peak = size > grid.peak ? size : grid.peak; /* of NaN it is false */
    }
    return grid;
}

static struct grid lay_out(struct view *view, const struct view_patch *patch, struct rect area,
                           float top, float foot)
{
    struct grid grid = lay_columns(view, patch, area.w);
    const float high = fmaxf(area.h - top - grid.above - foot, 1);
    grid.high = fminf(HIGH_MAX, high / (float)patch->layers);
    grid.cells = (struct rect){area.x + EDGE + LABEL, area.y + top + grid.above,
                               grid.wide * (float)patch->places, grid.high * (float)patch->layers};
    grid.words.from = grid.cells.x;
    grid.words.at = grid.cells.y - VIEW_WORDS_APART;
    return grid;
}

static struct colour fill_of(const struct view *view, const struct grid *grid, double restored)
{
    return isnan(restored) ? view->ui->theme->control
                           : colourmap_colour(view->state->prefs.signed_map,
                                              0.5f + 0.5f * (float)restored / grid->peak);
}

static void draw_cell(struct view *view, const struct view_patch *patch, const struct grid *grid,
                      size_t index)
{
    struct canvas *const canvas = view->ui->canvas;
    const double restored = patch->restored[index];
    const float gap = grid->wide > 12 && grid->high > 12 ? GAP : grid->wide > 4 ? 1 : 0;
    const struct rect cell = {grid->cells.x + (float)(index % patch->places) * grid->wide,
                              grid->cells.y + (float)(index / patch->places) * grid->high,
                              grid->wide - gap, grid->high - gap};
    const struct colour fill = fill_of(view, grid, restored);
    canvas_rect(canvas, cell, fminf(5, cell.h / 4), &(struct paint){.fill = fill});
    for (int decimals = 2; decimals > 0; decimals--) {
        const char *const text =
            isnan(restored) ? "…" : number_text(restored, decimals, view->arena);
        const float wide = canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_SMALL, text);
        if (wide + 4 <= cell.w && cell.h >= 14) {
            canvas_text(canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + 4, FONT_NUMBERS,
                        UI_TEXT_SMALL, colour_ink_on(fill), CANVAS_CENTRE, text);
            return;
        }
    }
}

static void draw_table(struct view *view, const struct view_patch *patch, const struct grid *grid)
{
    const size_t down = (size_t)fmaxf(1, ceilf(LABEL_HIGH / grid->high));
    view_words_of_columns(view, &grid->words);
    for (size_t l = 0; l < patch->layers; l += down) {
        const char *const name = arena_words(view->arena, "L%zu", l);
        canvas_text(view->ui->canvas, grid->cells.x - 8,
                    grid->cells.y + ((float)l + 0.5f) * grid->high + 3, FONT_WORDS, UI_TEXT_TINY,
                    view_label_ink(view), CANVAS_RIGHT, name == NULL ? "" : name);
    }
    for (size_t c = 0; c < patch->layers * patch->places; c++) {
        draw_cell(view, patch, grid, c);
    }
    (void)view_signed_bar(view,
                          (struct rect){grid->cells.x + grid->cells.w + BAR_APART, grid->cells.y,
                                        BAR_WIDE, fmaxf(grid->cells.h - GAP, BAR_MIN)},
                          grid->peak);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static float own_height(struct view *view, const struct view_patch *patch, float width)
{
    const struct grid grid = lay_columns(view, patch, width);
    const float cells = fmaxf(
        BAR_MIN + GAP, (float)patch->layers * fminf(HIGH_MAX, fmaxf(HIGH_MIN, grid.wide * 0.6f)));
    return why_header(view) + grid.above + cells + foot_height(view, patch, width) + 8;
}

struct point view_patch_size(struct view *view)
{
    static const float WIDE = 560;
    const struct view_patch *const patch = view->state->patch;
    view->style = view_style(view, true);
    return (struct point){WIDE, patch == NULL ? WIDE / 2 : ceilf(own_height(view, patch, WIDE))};
}

void view_patch(struct view *view, struct rect area)
{
    const struct view_patch *const patch = view->state->patch;
    view_panel(view, area, "Two texts");
    if (patch == NULL) {
        view_notice(view, area, "Nothing is asked",
                    "Which parts of one text make the difference to another one is asked in Why, "
                    "by “Two texts”.");
        canvas_ungroup(view->ui->canvas);
        return;
    }
    const float own = own_height(view, patch, area.w);
    view_note_lack(view, VIEW_LACKS_ROOM, own > area.h + 1);
    area.h = fminf(area.h, own);
    const float foot = foot_height(view, patch, area.w) + 8;
    const struct grid grid = lay_out(view, patch, area, why_header(view), foot);
    view_panel_header(view, area, "Two texts", "restored by a part of the clean text");
    draw_table(view, patch, &grid);
    view_wrapped(view, area.x + EDGE, area.y + area.h - foot + 12 + UI_TEXT_SMALL,
                 area.w - 2 * EDGE, UI_TEXT_SMALL, view_label_ink(view),
                 caption_of(patch, view->arena));
    canvas_ungroup(view->ui->canvas);
}

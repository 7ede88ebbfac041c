/* The lens: what the model would say if it ended behind each of its parts, at each word; and how
 * likely the word that is asked about is by then. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float HEADER = 40, EDGE = 14, LABEL = 74, TOP_LABEL = 20, COLUMN_MIN = 58;
static const float CURVE = 84, CURVE_FROM = 330, ROW_MIN = 13, ROW_MAX = 76, TWO_LINES = 34;

struct grid {
    struct rect cells;
    float wide, high;
    size_t first, columns; /* words */
    size_t step, rows;     /* every so many stages, counted from the last */
};

static size_t stage_of(const struct view_why_answer *answer, const struct grid *grid, size_t row)
{
    return 2 * answer->layers - row * grid->step;
}

static struct grid lay_out(const struct view_why_answer *answer, struct rect area, float below)
{
    struct grid grid = {.cells = {area.x + EDGE + LABEL, area.y + HEADER + TOP_LABEL,
                                  area.w - 2 * EDGE - LABEL,
                                  fmaxf(area.h - HEADER - TOP_LABEL - below - 10, 1)},
                        .step = 1};
    const size_t stages = 2 * answer->layers + 1;
    const size_t fit = (size_t)fmaxf(1, grid.cells.w / COLUMN_MIN);
    const size_t most = (size_t)fmaxf(1, grid.cells.h / ROW_MIN);
    const size_t words = answer->position + 1;
    while ((stages + grid.step - 1) / grid.step > most) {
        grid.step++;
    }
    grid.step += grid.step > 1 && grid.step % 2 == 1 ? 1 : 0; /* whole layers */
    grid.rows = (stages - 1) / grid.step + 1;
    grid.columns = fit < words ? fit : words;
    grid.first = words - grid.columns;
    grid.wide = grid.cells.w / (float)grid.columns;
    grid.high = fminf(ROW_MAX, grid.cells.h / (float)grid.rows);
    return grid;
}

static const char *stage_name(struct view *view, size_t stage)
{
    const char *const name =
        stage == 0 ? tr("embedding")
                   : arena_words(view->arena, stage % 2 == 1 ? tr("attention %zu") : "MLP %zu",
                                 (stage - 1) / 2);
    return name == NULL ? "" : name;
}

static void draw_cell(struct view *view, const struct view_why_answer *answer,
                      const struct grid *grid, size_t row, size_t column)
{
    struct canvas *const canvas = view->ui->canvas;
    const size_t stage = stage_of(answer, grid, row), place = grid->first + column;
    const struct view_why_word *const top = &answer->lens[stage * answer->n + place];
    const struct rect cell = {grid->cells.x + (float)column * grid->wide,
                              grid->cells.y + (float)row * grid->high, grid->wide - 3,
                              grid->high - (grid->high > 16 ? 3 : 1)};
    const struct colour fill = colourmap_colour(view->state->prefs.weights_map, (float)top->share);
    const struct colour ink = colour_ink_on(fill);
    const uint32_t id = ui_id_number(view->ui, "lens", stage * answer->n + place);
    const bool two = cell.h >= TWO_LINES;
    const float middle = cell.x + cell.w / 2, base = cell.y + cell.h / 2 + (two ? -2 : 4);
    canvas_group(canvas, id, top->word);
    canvas_rect(canvas, cell, fminf(4, cell.h / 4), &(struct paint){.fill = fill});
    canvas_text_cut(canvas, middle, base, FONT_WORDS_MEDIUM, UI_TEXT_SMALL, ink, CANVAS_CENTRE,
                    top->word, cell.w - 4);
    if (two) {
        const char *const share =
            arena_words(view->arena, "%s %%", why_number(view, top->share * 100, 0));
        canvas_text(canvas, middle, base + 15, FONT_NUMBERS, UI_TEXT_TINY, ink, CANVAS_CENTRE,
                    share == NULL ? "" : share);
    }
    ui_tip(view->ui, id, cell,
           arena_words(view->arena, tr("Behind “%s”, if it ended after %s: “%s” with %s"),
                       answer->words[place], stage_name(view, stage), top->word,
                       why_percent(view, top->share)));
    canvas_ungroup(canvas);
}

static void draw_labels(struct view *view, const struct view_why_answer *answer,
                        const struct grid *grid)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    for (size_t c = 0; c < grid->columns; c++) {
        const size_t place = grid->first + c;
        const bool asked = place == answer->position;
        canvas_text_cut(canvas, grid->cells.x + ((float)c + 0.5f) * grid->wide, grid->cells.y - 7,
                        asked ? FONT_WORDS_BOLD : FONT_WORDS, UI_TEXT_SMALL,
                        asked ? theme->accent : theme->muted, CANVAS_CENTRE, answer->words[place],
                        grid->wide - 4);
    }
    for (size_t r = 0; r < grid->rows; r++) {
        view_text_whole(view, grid->cells.x - 8, grid->cells.y + ((float)r + 0.5f) * grid->high + 3,
                        FONT_WORDS, UI_TEXT_TINY, theme->muted, CANVAS_RIGHT,
                        stage_name(view, stage_of(answer, grid, r)), LABEL - 6);
    }
}

/* How likely the word is by then, from the embedding to the last part. */
static void draw_curve(struct view *view, const struct view_why_answer *answer, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const size_t stages = 2 * answer->layers + 1;
    struct point *const point = arena_array(view->arena, stages, sizeof *point);
    const char *const name = arena_words(view->arena, "p(%s)", answer->word.word);
    const float x = area.x + LABEL, wide = area.w - LABEL - 56, high = area.h - 22;
    if (point == NULL || name == NULL) {
        return;
    }
    for (size_t s = 0; s < stages; s++) {
        point[s] = (struct point){x + wide * (float)s / (float)(stages - 1),
                                  area.y + 14 + high * (1 - (float)answer->lens_share[s])};
    }
    canvas_group(canvas, ui_id(view->ui, "curve"), name);
    canvas_path(canvas, point, stages, false, &(struct paint){.stroke = theme->query, .width = 2});
    canvas_text_cut(canvas, area.x, point[0].y + 4, FONT_NUMBERS_BOLD, UI_TEXT_SMALL, theme->query,
                    CANVAS_LEFT, name, LABEL - 4);
    canvas_text(canvas, area.x + area.w, point[stages - 1].y + 4, FONT_NUMBERS_BOLD, UI_TEXT_SMALL,
                theme->query, CANVAS_RIGHT, why_percent(view, answer->lens_share[stages - 1]));
    canvas_ungroup(canvas);
}

void view_why_lens(struct view *view, const struct why_frame *frame, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_why_answer *const answer = frame->answer;
    const bool has_curve = area.h >= CURVE_FROM;
    const struct grid grid = lay_out(answer, area, has_curve ? CURVE : 0);
    view_panel(view, area, "What it would say now");
    view_panel_header(view, area, "What it would say now", "after each part, at each word");
    canvas_clip(canvas, area);
    if (answer->lens != NULL) {
        draw_labels(view, answer, &grid);
        for (size_t r = 0; r < grid.rows; r++) {
            for (size_t c = 0; c < grid.columns; c++) {
                draw_cell(view, answer, &grid, r, c);
            }
        }
    } else {
        view_wrapped(view, area.x + EDGE, area.y + 70, area.w - 2 * EDGE, UI_TEXT_SMALL,
                     view->ui->theme->muted,
                     tr(answer->done > 0 ? "This text and this model are too large for the table "
                                           "here: attnscope why computes it."
                        : frame->why->is_given_up ? "It was cancelled."
                                                  : "computing…"));
    }
    if (answer->lens != NULL && has_curve) {
        draw_curve(
            view, answer,
            (struct rect){area.x + EDGE, area.y + area.h - CURVE - 4, area.w - 2 * EDGE, CURVE});
    }
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

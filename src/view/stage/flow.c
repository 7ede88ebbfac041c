/* The whole flow on one sheet: every matrix small, at its place between what it is made of and what
 * it makes. A click on one goes to its stage. */
#include <math.h>

#include "base/translate.h"
#include "view/parts/downsample_cache.h"
#include "view/parts/pieces.h"

/* The scaled and masked scores are no part of a trace: they are one formula away. */
enum { COLUMNS = 8, SCALED = LAB_PARTS, PLACES };

/* Letters of a title: in a column of a paper as small as their matrices stand close. */
static float letters_of(struct rect area)
{
    return fmaxf(5, fminf(UI_TEXT_BODY, area.w / COLUMNS * 0.3f));
}

/* Title and shape below a matrix; where three matrices and their shapes do not fit below each
 * other, the shapes are left out. */
static float foot_of(struct rect area)
{
    const float whole = 34, title = letters_of(area) + 7, low = 300;
    return area.h < low ? title : whole;
}

/* Where a matrix stands: its column, and the row as a share of the height. */
struct station {
    int part; /* enum lab_part, or SCALED */
    enum lab_stage stage;
    float column, row;
    const char *tip;
};

static const struct station stations[] = {
    {LAB_EMBEDDINGS_X, LAB_EMBED, 0, 0.5f, "X: every word as a row of numbers"},
    {LAB_W_Q, LAB_PROJECT, 1, 0.17f, "W_Q: turns X into queries"},
    {LAB_W_K, LAB_PROJECT, 1, 0.5f, "W_K: turns X into keys"},
    {LAB_W_V, LAB_PROJECT, 1, 0.83f, "W_V: turns X into values"},
    {LAB_Q, LAB_PROJECT, 2, 0.17f, "Q = X·W_Q: what every word looks for"},
    {LAB_K, LAB_PROJECT, 2, 0.5f, "K = X·W_K: how every word can be found"},
    {LAB_V, LAB_PROJECT, 2, 0.83f, "V = X·W_V: what every word has to say"},
    {LAB_SCORES, LAB_SCORE, 3, 0.33f, "S = QKᵀ: every query meets every key"},
    {SCALED, LAB_SCALE, 4, 0.33f, "The scores divided by √dₖ, hidden where the mask hides them"},
    {LAB_ALPHA, LAB_SOFTMAX, 5, 0.33f, "α: softmax of the scaled and masked scores"},
    {LAB_Z, LAB_BLEND, 6, 0.62f, "Z = αV: the blended values"},
    {LAB_W_O, LAB_OUTPUT, 7, 0.25f, "W_O: mixes what the heads found"},
    {LAB_OUTPUT_O, LAB_OUTPUT, 7, 0.66f, "O = concat(Z)·W_O: the output"},
};

enum { STATIONS = sizeof stations / sizeof *stations };

/* From, to: what makes what. */
static const int arrows[][2] = {
    {LAB_EMBEDDINGS_X, LAB_W_Q},
    {LAB_EMBEDDINGS_X, LAB_W_K},
    {LAB_EMBEDDINGS_X, LAB_W_V},
    {LAB_W_Q, LAB_Q},
    {LAB_W_K, LAB_K},
    {LAB_W_V, LAB_V},
    {LAB_Q, LAB_SCORES},
    {LAB_K, LAB_SCORES},
    {LAB_SCORES, SCALED},
    {SCALED, LAB_ALPHA},
    {LAB_ALPHA, LAB_Z},
    {LAB_V, LAB_Z},
    {LAB_Z, LAB_OUTPUT_O},
    {LAB_W_O, LAB_OUTPUT_O},
};

/* The cells of a station: as large as its column allows, in the shape of the matrix. */
static struct rect cells_of(const struct lab_matrix *matrix, const struct station *station,
                            struct rect area)
{
    const float foot = foot_of(area), wide = area.w / COLUMNS;
    const float third = (area.h - foot) * 0.33f; /* from one row of matrices to the next */
    const float most = fmaxf(10, fminf(fminf(wide * 0.66f, area.h * 0.2f), third - foot - 6));
    const float shape =
        fminf(3.5f, fmaxf(1 / 3.5f, sqrtf((float)matrix->rows / (float)matrix->cols)));
    const float w = shape > 1 ? most / shape : most, h = shape > 1 ? most : most * shape;
    const float x = area.x + (station->column + 0.5f) * wide;
    const float y = area.y + station->row * (area.h - foot);
    return (struct rect){x - w / 2, y - h / 2, w, h};
}

static void draw_arrow(struct view *view, struct rect from, struct rect to, float foot)
{
    struct canvas *canvas = view->ui->canvas;
    const struct colour colour = view->ui->theme->faint;
    const bool down = fabsf(from.x + from.w / 2 - to.x - to.w / 2) < 4;
    const float x0 = down ? from.x + from.w / 2 : from.x + from.w + 5;
    const float y0 = down ? from.y + from.h + foot + 2 : from.y + from.h / 2;
    const float x1 = down ? to.x + to.w / 2 : to.x - 6;
    const float y1 = down ? to.y - 6 : to.y + to.h / 2;
    const float dx = x1 - x0, dy = y1 - y0, length = sqrtf(dx * dx + dy * dy);
    if (length < 8) {
        return;
    }
    const float ux = dx / length, uy = dy / length, head = 6;
    canvas_line(canvas, x0, y0, x1 - ux * head, y1 - uy * head, 1.25f, colour);
    const struct point tip[3] = {{x1, y1},
                                 {x1 - ux * head - uy * 3, y1 - uy * head + ux * 3},
                                 {x1 - ux * head + uy * 3, y1 - uy * head - ux * 3}};
    canvas_path(canvas, tip, 3, true, &(struct paint){.fill = colour});
}

static void draw_station(struct view *view, const struct station *station,
                         const struct view_operand *operand, struct rect cells, float foot,
                         float letters)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const uint32_t id = ui_id_number(view->ui, "station", (size_t)station->part);
    const struct rect place = {cells.x - 6, cells.y - 6, cells.w + 12, cells.h + foot + 10};
    const struct view_matrix matrix = {.matrix = operand->matrix,
                                       .area = cells,
                                       .label = operand->title,
                                       .is_share = operand->is_share,
                                       .row_axis = operand->row_axis,
                                       .column_axis = operand->column_axis,
                                       .head = operand->head,
                                       .peak = view_peak(view, &operand->matrix),
                                       .outline = operand->colour,
                                       .row = VIEW_NOWHERE,
                                       .column = VIEW_NOWHERE,
                                       .masked = operand->masked,
                                       .done = 1,
                                       .id =
                                           ui_id_number(view->ui, "small", (size_t)station->part)};
    view_matrix_draw(view, &matrix);
    const float x = cells.x + cells.w / 2, y = cells.y + cells.h;
    canvas_text(canvas, x, y + letters + 6, FONT_WORDS_BOLD, letters, operand->colour,
                CANVAS_CENTRE, tr(operand->title));
    const char *shape =
        arena_format(view->arena, "%zu × %zu", operand->matrix.rows, operand->matrix.cols);
    if (foot > 30) {
        canvas_text(canvas, x, y + 33, FONT_NUMBERS, UI_TEXT_TINY, theme->muted, CANVAS_CENTRE,
                    shape != NULL ? shape : "");
    }
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    if (touch.hover) {
        canvas_rect(canvas, place, 6, &(struct paint){.stroke = theme->accent, .width = 1.5f});
    }
    ui_draw_focus(view->ui, id, place, 6);
    ui_tip(view->ui, id, place, station->tip);
    if (touch.clicked) {
        view_action(view,
                    &(struct view_action){.kind = VIEW_ACTION_STAGE, .index = station->stage});
    }
}

/* What the scores are after scale and mask, and called so. */
static struct view_operand operand_of(struct view *view, int part)
{
    if (part != SCALED) {
        return view_operand_of(view, (enum lab_part)part);
    }
    struct view_operand operand = view_operand_of(view, LAB_SCORES);
    operand.matrix = view_scaled(view, view->selection.head, true);
    operand.title = view->experiment->mask != LAB_MASK_NONE ? tr("S + mask") : "S ÷ √dₖ";
    operand.masked = true;
    operand.editable = false;
    return operand;
}

void view_flow(struct view *view, struct rect area)
{
    struct rect cells[PLACES] = {{0, 0, 0, 0}};
    struct view_operand operands[STATIONS];
    for (size_t i = 0; i < STATIONS; i++) {
        operands[i] = operand_of(view, stations[i].part);
        if (operands[i].matrix.values != NULL) {
            cells[stations[i].part] = cells_of(&operands[i].matrix, &stations[i], area);
        }
    }
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        if (cells[arrows[i][0]].w > 0 && cells[arrows[i][1]].w > 0) {
            draw_arrow(view, cells[arrows[i][0]], cells[arrows[i][1]], foot_of(area));
        }
    }
    for (size_t i = 0; i < STATIONS; i++) {
        if (cells[stations[i].part].w > 0) {
            draw_station(view, &stations[i], &operands[i], cells[stations[i].part], foot_of(area),
                         letters_of(area));
        }
    }
}

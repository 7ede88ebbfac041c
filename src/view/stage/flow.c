/* The whole flow on one sheet: every matrix small, at its place between what it is made of and what
 * it makes. A click on one goes to its stage. */
#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "lab/experiment/differ.h"
#include "view/parts/downsample.h"
#include "view/parts/pieces.h"
#include "view/parts/scales.h"

enum { COLUMNS_LEAST = 8, CARDS_MOST = 2 };

static const float CARD = 3;    /* from one head's card to the next behind it */
static const float GAP = 24;    /* at least, between the matrices of two columns: an arrow */
static const float STREAM = 22; /* above all, where what came in goes past */

/* Where a node stands: columns count in their order, those without nodes take no room; the row as a
 * share of the height, another one where the node `beside` is there too. */
static const struct station {
    size_t node;
    int column;
    float row, row_beside;
    size_t beside;
} stations[] = {
    {LAB_EMBEDDED, 0, 0.33f, 0.33f, LAB_NODES},
    {LAB_WAVES, 0, 0.67f, 0.67f, LAB_NODES},
    {LAB_EMBEDDINGS_X, 1, 0.5f, 0.17f, LAB_CONTEXT_X},
    {LAB_CONTEXT_X, 1, 0.665f, 0.665f, LAB_NODES},
    {LAB_W_Q, 2, 0.17f, 0.17f, LAB_NODES},
    {LAB_W_K, 2, 0.5f, 0.5f, LAB_NODES},
    {LAB_W_V, 2, 0.83f, 0.83f, LAB_NODES},
    {LAB_W_DKV, 2, 0.665f, 0.665f, LAB_NODES},
    {LAB_C, 3, 0.665f, 0.665f, LAB_NODES},
    {LAB_W_UK, 4, 0.5f, 0.5f, LAB_NODES},
    {LAB_W_UV, 4, 0.83f, 0.83f, LAB_NODES},
    {LAB_Q_BEFORE, 5, 0.17f, 0.17f, LAB_NODES},
    {LAB_K_BEFORE, 5, 0.5f, 0.5f, LAB_NODES},
    {LAB_Q, 6, 0.17f, 0.17f, LAB_NODES},
    {LAB_K, 6, 0.5f, 0.5f, LAB_NODES},
    {LAB_V, 6, 0.83f, 0.83f, LAB_NODES},
    {LAB_Q_SCORED, 7, 0.17f, 0.17f, LAB_NODES},
    {LAB_K_SCORED, 7, 0.5f, 0.5f, LAB_NODES},
    {LAB_SCORES, 8, 0.33f, 0.33f, LAB_NODES},
    {LAB_SCALED, 9, 0.33f, 0.33f, LAB_NODES},
    {LAB_ALPHA, 10, 0.33f, 0.33f, LAB_NODES},
    {LAB_Z, 11, 0.62f, 0.5f, LAB_CONCAT},
    {LAB_CONCAT, 11, 0.83f, 0.83f, LAB_NODES},
    {LAB_W_O, 12, 0.25f, 0.5f, LAB_CONCAT},
    {LAB_OUTPUT_O, 12, 0.66f, 0.83f, LAB_CONCAT},
    {LAB_RESIDUAL, 13, 0.66f, 0.83f, LAB_CONCAT},
};

enum { STATIONS = sizeof stations / sizeof *stations, COLUMNS = 14 };

/* The sheet: which nodes stand where, and how large the letters below them are. */
struct sheet {
    struct view *view;
    const struct lab_graph *graph;
    struct rect area;
    float left, wide;           /* of the first column, of each */
    float foot, letters, small; /* title and shape below a matrix; 0: no shapes */
    struct view_operand operand[LAB_NODES];
    struct rect cells[LAB_NODES]; /* w 0: not there */
    float column[LAB_NODES];      /* its middle */
    size_t cards[LAB_NODES];      /* behind the matrix that is seen */
};

/* The values of one head alone are all there is to put side by side. */
static bool is_shown(const struct lab_graph *graph, size_t node)
{
    return node < LAB_NODES && lab_graph_has(graph, node) &&
           (node != LAB_CONCAT || graph->sizes.heads > 1);
}

/* Behind "S′ = ": what is done with the scores. */
static const char *after_equals(const char *formula)
{
    const char *const equals = strstr(formula, "= ");
    return equals == NULL ? formula : equals + 2;
}

/* A size that makes a text no wider than `most`. */
static float fitted(const struct sheet *sheet, enum font_face face, float size, float most,
                    const char *text)
{
    const float wide = canvas_measure(sheet->view->ui->canvas, face, size, text);
    return wide > most ? size * most / wide : size;
}

/* Beside S′ there is room: its neighbours have short names. */
static float title_size(const struct sheet *sheet, size_t node, const char *title)
{
    const float most = sheet->wide * (node == LAB_SCALED ? 1.05f : 0.94f);
    return fitted(sheet, FONT_WORDS_BOLD, sheet->letters, most, tr(title));
}

/* "×4": how many matrices a node has, where its inputs do not say so already; else "". */
static const char *count_of(const struct sheet *sheet, size_t node)
{
    const struct lab_node *const made = &sheet->graph->node[node];
    bool told = false, differs = false;
    for (size_t i = 0; i < made->inputs; i++) {
        const size_t there = sheet->graph->node[made->input[i]].matrices;
        told = told || there == made->matrices;
        differs = differs || (there > 1 && there != made->matrices);
    }
    const char *const count = made->matrices > 1 && (!told || differs)
                                  ? arena_format(sheet->view->arena, " ×%zu", made->matrices)
                                  : "";
    return count == NULL ? "" : count;
}

/* What is written below a node: its symbol, how many there are, and what would not be seen
 * otherwise. */
static const char *title_of(const struct sheet *sheet, size_t node)
{
    struct arena *const arena = sheet->view->arena;
    const char *const formula = lab_graph_formula(sheet->graph, node, arena);
    const char *symbol = lab_node_row(node)->symbol;
    for (size_t n = 0; n < LAB_NODES; n++) { /* a bias comes with its weights */
        const size_t bias = lab_graph_bias(sheet->graph, n);
        if (bias != LAB_NODES && sheet->graph->node[n].input[1] == node) {
            symbol = arena_format(arena, "%s, %s", symbol, lab_node_row(bias)->symbol);
        }
    }
    const bool is_told = sheet->graph->node[node].operation == LAB_COPY ||
                         (node == LAB_ALPHA && strstr(formula, "Σ") != NULL);
    const bool is_same = strcmp(after_equals(formula), lab_node_row(LAB_SCORES)->symbol) == 0;
    const char *const longer = node == LAB_SCALED && !is_same ? after_equals(formula) : formula;
    const bool fits = title_size(sheet, node, longer) > 0.75f * sheet->letters;
    const char *const title =
        arena_format(arena, "%s%s", (is_told || node == LAB_SCALED) && fits ? longer : symbol,
                     count_of(sheet, node));
    return title == NULL ? "" : title;
}

static const char *shape_of(const struct sheet *sheet, size_t node)
{
    const struct lab_matrix *const matrix = &sheet->operand[node].matrix;
    const char *const shape =
        arena_format(sheet->view->arena, "%zu × %zu", matrix->rows, matrix->cols);
    return shape == NULL ? "" : shape;
}

static struct view_operand operand_of(struct view *view, size_t node)
{
    struct view_operand operand =
        view_operand_of(view, node == LAB_SCALED ? LAB_SCORES : (enum lab_part)node);
    if (node == LAB_SCALED) {
        operand.matrix = view_scaled(view, view->selection.head, true);
        operand.masked = true;
    }
    return operand;
}

/* Columns from left to right; the middle of each. */
static void place_columns(struct sheet *sheet)
{
    bool used[COLUMNS] = {false};
    size_t count = 0, before = 0;
    for (size_t i = 0; i < STATIONS; i++) {
        bool *const column = &used[stations[i].column];
        if (is_shown(sheet->graph, stations[i].node) && !*column) {
            *column = true;
            count++;
        }
    }
    const size_t room = count < COLUMNS_LEAST ? COLUMNS_LEAST : count;
    sheet->wide = sheet->area.w / (float)room;
    sheet->left = sheet->area.x + sheet->wide * (float)(room - count) / 2;
    for (int c = 0; c < COLUMNS; c++) {
        for (size_t i = 0; i < STATIONS; i++) {
            if (stations[i].column == c) {
                sheet->column[stations[i].node] =
                    sheet->left + ((float)before + 0.5f) * sheet->wide;
            }
        }
        before += used[c] ? 1 : 0;
    }
}

/* Where three matrices and their shapes do not fit below each other, or no shape could be read, the
 * shapes are left out. */
static void choose_letters(struct sheet *sheet)
{
    const float low = 300, least = 5;
    sheet->letters = fmaxf(least, fminf(UI_TEXT_BODY, sheet->wide * 0.3f));
    sheet->small = sheet->area.h < low ? 0 : UI_TEXT_TINY;
    for (size_t i = 0; i < STATIONS && sheet->small > 0; i++) {
        if (is_shown(sheet->graph, stations[i].node)) {
            sheet->small = fitted(sheet, FONT_NUMBERS, sheet->small, sheet->wide * 0.84f,
                                  shape_of(sheet, stations[i].node));
        }
    }
    sheet->small = sheet->small < least ? 0 : sheet->small;
    sheet->foot = sheet->small > 0 ? 34 : sheet->letters + 7;
}

/* The cells of a node: as large as its column allows, in the shape of the matrix. */
static struct rect cells_of(const struct sheet *sheet, const struct station *station)
{
    const struct lab_matrix *const matrix = &sheet->operand[station->node].matrix;
    const struct rect area = sheet->area;
    const float row = is_shown(sheet->graph, station->beside) ? station->row_beside : station->row;
    const float above = sheet->graph->sizes.heads > 1 ? CARD * CARDS_MOST : 0;
    const float third = (area.h - sheet->foot) * 0.33f; /* from one row of matrices to the next */
    const float across = fminf(sheet->wide * 0.66f, fmaxf(sheet->wide - GAP - above, 12));
    const float most =
        fmaxf(10, fminf(fminf(across, area.h * 0.2f), third - sheet->foot - 6 - above));
    const float shape =
        fminf(3.5f, fmaxf(1 / 3.5f, sqrtf((float)matrix->rows / (float)matrix->cols)));
    const float w = shape > 1 ? most / shape : most, h = shape > 1 ? most : most * shape;
    const float y = area.y + row * (area.h - sheet->foot);
    return (struct rect){sheet->column[station->node] - w / 2, y - h / 2, w, h};
}

static void draw_arrow(struct view *view, struct point from, struct point to)
{
    struct canvas *canvas = view->ui->canvas;
    const struct colour colour = view->ui->theme->faint;
    const float dx = to.x - from.x, dy = to.y - from.y, length = sqrtf(dx * dx + dy * dy);
    if (length < 1) {
        return;
    }
    const float ux = dx / length, uy = dy / length, head = fminf(6, length * 0.7f);
    canvas_line(canvas, from.x, from.y, to.x - ux * head, to.y - uy * head, 1.25f, colour);
    const struct point tip[3] = {{to.x, to.y},
                                 {to.x - ux * head - uy * 3, to.y - uy * head + ux * 3},
                                 {to.x - ux * head + uy * 3, to.y - uy * head - ux * 3}};
    canvas_path(canvas, tip, 3, true, &(struct paint){.fill = colour});
}

static float title_width(const struct sheet *sheet, size_t node)
{
    const char *const title = title_of(sheet, node);
    return canvas_measure(sheet->view->ui->canvas, FONT_WORDS_BOLD, title_size(sheet, node, title),
                          tr(title));
}

/* Of what is written below a matrix. */
static float label_width(const struct sheet *sheet, size_t node)
{
    const float shape = sheet->small > 0 ? canvas_measure(sheet->view->ui->canvas, FONT_NUMBERS,
                                                          sheet->small, shape_of(sheet, node))
                                         : 0;
    return fmaxf(shape, title_width(sheet, node));
}

/* From one matrix to another: across, beside what is written below others, or down within a
 * column. */
static void connect(const struct sheet *sheet, size_t from, size_t to)
{
    const struct rect a = sheet->cells[from], b = sheet->cells[to];
    if (!(a.w > 0) || !(b.w > 0)) {
        return;
    }
    const float behind = CARD * (float)sheet->cards[from], above = CARD * (float)sheet->cards[to];
    if (fabsf(a.x + a.w / 2 - b.x - b.w / 2) < 4) {
        draw_arrow(sheet->view, (struct point){a.x + a.w / 2, a.y + a.h + sheet->foot + 2},
                   (struct point){b.x + b.w / 2, b.y - 6 - above});
        return;
    }
    const bool level = fabsf(a.y + a.h / 2 - b.y - b.h / 2) < 4;
    const float free =
        level ? b.x
              : fminf(b.x, fmaxf(a.x + a.w + 14, sheet->column[to] - title_width(sheet, to) / 2));
    struct point start = {a.x + a.w + 5 + behind, a.y + a.h / 2};
    const struct point end = {free - 6, b.y + b.h / 2};
    const float below = sheet->column[from] + label_width(sheet, from) / 2 + 3;
    const float under = a.y + a.h + sheet->foot; /* where what is written ends */
    const float there = start.x + (end.x - start.x) * (under - start.y) / (end.y - start.y);
    if (end.y > under && there < below && below < end.x + 6) { /* past what is written below */
        canvas_line(sheet->view->ui->canvas, start.x, start.y, below, start.y, 1.25f,
                    sheet->view->ui->theme->faint);
        start.x = below;
    }
    draw_arrow(sheet->view, start, end);
}

/* What came in goes past all of it, above, and is added at the end. */
static void draw_stream(const struct sheet *sheet)
{
    struct canvas *const canvas = sheet->view->ui->canvas;
    const struct colour colour = sheet->view->ui->theme->faint;
    const struct rect a = sheet->cells[LAB_EMBEDDINGS_X], b = sheet->cells[LAB_RESIDUAL];
    const float top = sheet->area.y - STREAM / 2;
    const float x0 = a.x + a.w / 2, x1 = b.x + b.w / 2;
    canvas_line(canvas, x0, a.y - 5, x0, top, 1.25f, colour);
    canvas_line(canvas, x0, top, x1, top, 1.25f, colour);
    draw_arrow(sheet->view, (struct point){x1, top}, (struct point){x1, b.y - 6});
}

/* The inputs of a node: a row of numbers passes through the weights that stand before it. */
static void draw_inputs(const struct sheet *sheet, size_t node)
{
    const struct lab_node *const made = &sheet->graph->node[node];
    const size_t weights = made->operation == LAB_PRODUCT ? made->input[1] : LAB_NODES;
    const bool through = weights != LAB_NODES && sheet->column[weights] < sheet->column[node] - 1;
    for (size_t i = 0; i < made->inputs; i++) {
        size_t from = made->input[i];
        from = from == LAB_CONCAT && !is_shown(sheet->graph, from) ? LAB_Z : from;
        if (node == LAB_RESIDUAL && i == 0) {
            draw_stream(sheet);
        } else {
            connect(sheet, from, through && i == 0 ? weights : node);
        }
    }
}

/* The matrices of other heads, as cards behind that of the selected one. */
static void draw_cards(const struct sheet *sheet, size_t node)
{
    struct canvas *const canvas = sheet->view->ui->canvas;
    const struct ui_theme *const theme = sheet->view->ui->theme;
    const struct rect cells = sheet->cells[node];
    for (size_t c = sheet->cards[node]; c > 0; c--) {
        const float off = CARD * (float)c;
        const struct rect card = {cells.x - 2 + off, cells.y - 2 - off, cells.w + 4, cells.h + 4};
        canvas_rect(
            canvas, card, 4,
            &(struct paint){.fill = theme->panel,
                            .stroke = colour_mix(theme->panel, sheet->operand[node].colour, 0.5f),
                            .width = 1});
    }
}

/* Where one head's columns end and the next one's begin. */
static void draw_borders(const struct sheet *sheet)
{
    const struct rect cells = sheet->cells[LAB_CONCAT];
    const size_t heads = sheet->graph->sizes.heads;
    const float each = cells.w / (float)heads;
    for (size_t h = 1; cells.w > 0 && each > 3 && h < heads; h++) {
        const float x = cells.x + each * (float)h;
        canvas_line(sheet->view->ui->canvas, x, cells.y, x, cells.y + cells.h, 1.5f,
                    sheet->operand[LAB_CONCAT].colour);
    }
}

static void draw_station(const struct sheet *sheet, size_t node)
{
    struct view *const view = sheet->view;
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct view_operand *const operand = &sheet->operand[node];
    const struct rect cells = sheet->cells[node];
    const uint32_t id = ui_id_number(view->ui, "station", node);
    const struct rect place = {cells.x - 6, cells.y - 6, cells.w + 12, cells.h + sheet->foot + 10};
    const char *const title = title_of(sheet, node);
    const struct view_matrix matrix = {
        .matrix = operand->matrix,
        .area = cells,
        .label = title,
        .is_share = operand->is_share,
        .row_axis = operand->row_axis,
        .column_axis = operand->column_axis,
        .part = operand->part,
        .head = operand->head,
        .peak = view_scale_peak(view, operand->part, operand->head, &operand->matrix),
        .outline = operand->colour,
        .row = VIEW_NOWHERE,
        .column = VIEW_NOWHERE,
        .masked = operand->masked,
        .done = 1,
        .id = ui_id_number(view->ui, "small", node)};
    draw_cards(sheet, node);
    view_matrix_draw(view, &matrix);
    const float x = cells.x + cells.w / 2, y = cells.y + cells.h;
    canvas_text(canvas, x, y + sheet->letters + 6, FONT_WORDS_BOLD, title_size(sheet, node, title),
                operand->colour, CANVAS_CENTRE, tr(title));
    if (sheet->small > 0) {
        canvas_text(canvas, x, y + 33, FONT_NUMBERS, sheet->small, theme->muted, CANVAS_CENTRE,
                    shape_of(sheet, node));
    }
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    if (touch.hover) {
        canvas_rect(canvas, place, 6, &(struct paint){.stroke = theme->accent, .width = 1.5f});
    }
    ui_draw_focus(view->ui, id, place, 6);
    ui_tip(view->ui, id, place, view_tip_of(view, node));
    if (touch.clicked) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_STAGE,
                                                .stage = lab_node_row(node)->stage});
    }
}

/* Scores and weights that are never whole: a frame around what is done tile by tile. */
static void draw_tiles(const struct sheet *sheet)
{
    const struct rect from = sheet->cells[LAB_SCORES], to = sheet->cells[LAB_ALPHA];
    const struct ui_theme *const theme = sheet->view->ui->theme;
    if (sheet->graph->experiment->flash_rows == 0 || !(from.w > 0)) {
        return;
    }
    const struct rect frame = {from.x - 9, from.y - 22, to.x + to.w + 20 - from.x,
                               from.h + sheet->foot + 46};
    canvas_rect(sheet->view->ui->canvas, frame, 8,
                &(struct paint){.stroke = theme->faint, .width = 1, .dash = 3, .gap = 3});
    canvas_text(sheet->view->ui->canvas, frame.x + frame.w / 2, frame.y + frame.h - 8, FONT_WORDS,
                UI_TEXT_TINY, theme->muted, CANVAS_CENTRE, tr("tile by tile"));
}

static void draw_flow(struct view *view, struct rect area)
{
    struct sheet sheet = {.view = view, .graph = lab_trace_graph(view->trace), .area = area};
    if (is_shown(sheet.graph, LAB_RESIDUAL)) {
        sheet.area.y += STREAM;
        sheet.area.h -= STREAM;
    }
    for (size_t node = 0; node < LAB_NODES; node++) {
        const size_t others =
            is_shown(sheet.graph, node) ? sheet.graph->node[node].matrices - 1 : 0;
        if (is_shown(sheet.graph, node)) {
            sheet.operand[node] = operand_of(view, node);
        }
        sheet.cards[node] = others < CARDS_MOST ? others : CARDS_MOST;
    }
    place_columns(&sheet);
    choose_letters(&sheet);
    for (size_t i = 0; i < STATIONS; i++) {
        if (is_shown(sheet.graph, stations[i].node)) {
            sheet.cells[stations[i].node] = cells_of(&sheet, &stations[i]);
        }
    }
    draw_tiles(&sheet);
    for (size_t i = 0; i < STATIONS; i++) {
        if (is_shown(sheet.graph, stations[i].node)) {
            draw_inputs(&sheet, stations[i].node);
        }
    }
    for (size_t i = 0; i < STATIONS; i++) {
        if (is_shown(sheet.graph, stations[i].node)) {
            draw_station(&sheet, stations[i].node);
        }
    }
    draw_borders(&sheet);
}

/* One of two flows: which it is, and what it has that the other has not. */
static void draw_side(struct view *view, const char *name, const struct lab_trace *other,
                      struct rect area)
{
    const float line = 20;
    const char *const differs =
        lab_differ(view->arena, view->experiment, lab_trace_experiment(other));
    const float wide =
        view_text_whole(view, area.x, area.y + 12, FONT_WORDS_BOLD, UI_TEXT_BODY,
                        view->ui->theme->ink, CANVAS_LEFT, tr(name), area.w)
            ? area.w
            : canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, tr(name)) + 12;
    view_text_whole(view, area.x + wide, area.y + 12, FONT_WORDS, UI_TEXT_SMALL,
                    view->ui->theme->muted, CANVAS_LEFT,
                    differs[0] != '\0' ? differs : tr("nothing is changed yet"), area.w - wide);
    ui_push(view->ui, name);
    draw_flow(view, (struct rect){area.x, area.y + line, area.w, area.h - line});
    ui_pop(view->ui);
}

static const float SIDES_APART = 10;

/* Whether three matrices and their names stand below each other in each of two flows. */
static bool both_fit(struct rect area)
{
    static const float LEAST = 190; /* of one of them, with the line above it */
    return (area.h - SIDES_APART) / 2 >= LEAST;
}

/* What is now, and below it what was kept. */
static void draw_both(struct view *view, struct rect area)
{
    const struct lab_trace *const now = view->trace;
    const struct lab_experiment *const experiment = view->experiment;
    const struct lab_selection selection = view->selection;
    const float gap = SIDES_APART, half = (area.h - gap) / 2;
    const size_t heads = lab_trace_sizes(view->baseline).heads;
    draw_side(view, "A, now", view->baseline, (struct rect){area.x, area.y, area.w, half});
    view->trace = view->baseline;
    view->experiment = lab_trace_experiment(view->baseline);
    view->selection.head = selection.head < heads ? selection.head : heads - 1;
    draw_side(view, "B, kept", now, (struct rect){area.x, area.y + half + gap, area.w, half});
    view->trace = now;
    view->experiment = experiment;
    view->selection = selection;
}

void view_flow(struct view *view, struct rect area)
{
    if (view->baseline == NULL || view->state->compare == VIEW_COMPARE_NOT) {
        draw_flow(view, area);
    } else if (view->state->compare == VIEW_COMPARE_SIDE) {
        if (both_fit(area)) {
            draw_both(view, area);
        } else {
            draw_side(view, "A, now", view->baseline, area);
        }
    } else {
        view_notice(view, area, "No difference",
                    "A − B is of one matrix: go to a stage to see it. A | B shows both flows.");
    }
}

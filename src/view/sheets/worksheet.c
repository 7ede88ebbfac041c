/* A printed page: title, task, the stage with empty boxes, and the sums. */
#include "view/sheets/worksheet.h"

#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "view/parts/pieces.h"
#include "view/parts/table.h"

enum { TERMS = 6 };

static const float MARGIN = 48, NAME_WIDE = 190, PICTURE_MIN = 290, LINE = 19;
static const float PICTURE_MAX = 470,
                   GAP = 30; /* limit of its height; gap between picture and sums */
static const float SUM_SIZE = 10.5f, SUM_MIN = 7;

/* The tasks of the stages. */
static const char *const tasks[LAB_STAGES] = {
    [LAB_PROJECT] =
        "Fill in the empty boxes. Each is a row of the matrix at the left times a column "
        "of the one above: multiply in pairs, then add.",
    [LAB_SCORE] =
        "Fill in the empty boxes. Each score is a query, a row of Q, times a key, a column "
        "of Kᵀ: multiply in pairs, then add.",
    [LAB_SCALE] = "Fill in the empty boxes: every score is scaled, and where a mask hides the key "
                  "−∞ is written.",
    [LAB_SOFTMAX] =
        "Fill in the empty boxes: raise e to each number of a row, then divide by their "
        "sum. Each row must come to 1.",
    [LAB_BLEND] = "Fill in the empty boxes. Each is a row of weights times a column of V: how much "
                  "of every value is taken?",
    [LAB_OUTPUT] = "Fill in the empty boxes. Each is a row of what the heads found times a column "
                   "of W_O: multiply in pairs, then add.",
};

static const char *const guesses[LAB_GUESSES] = {
    [LAB_GUESS_CELL] = "Guess first: which number belongs into the empty box? Then work it out.",
    [LAB_GUESS_BAR] = "Guess first: how large is the share that is asked for? Then work it out.",
    [LAB_GUESS_NEXT] = "",
    [LAB_GUESS_WINNER] = "Guess first: which key gets the largest share? Then work it out.",
};

static struct lab_matrix stage_result(const struct view *view)
{
    return lab_trace_part(view->trace, lab_cell_part(view->state->playback.stage, &view->selection),
                          view->selection.head);
}

bool view_worksheet_has(const struct lab_trace *trace, enum lab_stage stage)
{
    const bool raw = trace == NULL || lab_trace_part(trace, LAB_EMBEDDINGS_X, 0).values == NULL;
    return trace != NULL && stage != LAB_EMBED &&
           (!raw || (stage != LAB_PROJECT && stage != LAB_OUTPUT));
}

/* Draws scaled scores, and below them the shares that are computed from them. */
static void draw_softmax(struct view *view, struct rect area)
{
    const float high = area.h / 2;
    for (size_t t = 0; t < 2; t++) {
        struct view_table table = {.operand =
                                       view_operand_of(view, t == 0 ? LAB_SCORES : LAB_ALPHA),
                                   .row_words = lab_trace_queries(view->trace),
                                   .column_words = lab_trace_keys(view->trace),
                                   .cell_wide = 62,
                                   .cell_high = 30,
                                   .done = 1,
                                   .decimals = t == 0 ? 2 : 3,
                                   .id = ui_id_number(view->ui, "sheet", t)};
        if (t == 0) {
            table.operand.matrix =
                lab_trace_scaled_matrix(view->trace, view->selection.head, view->arena);
            table.operand.title = "S scaled";
            table.operand.masked = table.operand.derived = true;
        }
        table.operand.editable = false;
        view_table_draw(view, &table,
                        (struct rect){area.x, area.y + (float)t * high, area.w, high - 6});
    }
}

static void draw_header(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct view_page *page = view->state->page;
    const float right = area.x + area.w, line = area.y + 16;
    const char *kind =
        arena_words(view->arena, "%s %zu of %zu",
                    page->answers ? tr("Answers to task") : tr("Task"), page->number, page->count);
    view_text_whole(view, area.x, line, FONT_WORDS_BOLD, UI_TEXT_TITLE, theme->ink, CANVAS_LEFT,
                    tr(page->title), page->answers ? area.w : area.w - NAME_WIDE - 20);
    const float kind_width = canvas_text(canvas, area.x, line + 20, FONT_WORDS_BOLD, UI_TEXT_BODY,
                                         theme->accent, CANVAS_LEFT, kind);
    const struct lab_stage_row *const row = lab_stage_row(view->state->playback.stage);
    const float room = area.w - kind_width - 20;
    const float wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, tr(row->headline));
    canvas_text(canvas, right, line + 20, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_RIGHT,
                tr(wide <= room ? row->headline : row->title));
    if (!page->answers) {
        const float name = canvas_text(canvas, right - NAME_WIDE, line, FONT_WORDS, UI_TEXT_BODY,
                                       theme->ink, CANVAS_LEFT, tr("Name"));
        canvas_line(canvas, right - NAME_WIDE + name + 8, line + 2, right, line + 2, 1, theme->ink);
    }
    canvas_line(canvas, area.x, line + 30, right, line + 30, 1, theme->line);
}

/* Draws the caption and the task; returns where they end. */
static float draw_task(struct view *view, float x, float y, float width)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct view_page *page = view->state->page;
    const enum lab_guess guess = view->state->guess;
    const char *task =
        guess != LAB_GUESS_NONE ? guesses[guess] : tasks[view->state->playback.stage];
    if (page->caption != NULL && page->caption[0] != 0) {
        y += view_wrapped(view, x, y, width, UI_TEXT_BODY, theme->ink, page->caption) + 4;
    }
    return y + view_wrapped(view, x, y, width, UI_TEXT_BODY, theme->muted, task);
}

static float sum_width(const struct view *view, const struct lab_explanation *sum, float size)
{
    float wide = 0;
    for (size_t i = 0; i < sum->pieces; i++) {
        wide += canvas_measure(view->ui->canvas, FONT_NUMBERS, size, tr(sum->piece[i].text));
    }
    return wide;
}

/* Draws "score( dog → cat ) =" and the sum, or a line to write on. */
static void draw_sum(struct view *view, const struct lab_selection *at, float x, float y, float end)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    struct lab_explanation sum =
        lab_explain(view->trace, view->state->playback.stage, at, TERMS, view->arena);
    const char *equals = strstr(sum.title, " = ");
    const size_t length = equals != NULL ? (size_t)(equals - sum.title) : strlen(sum.title);
    x += canvas_text_length(canvas, x, y, FONT_WORDS, SUM_SIZE, theme->muted, CANVAS_LEFT,
                            sum.title, length);
    x += canvas_text(canvas, x, y, FONT_WORDS, SUM_SIZE, theme->muted, CANVAS_LEFT, "  =  ");
    if (!view->state->page->answers) {
        canvas_line(canvas, x, y + 2, end, y + 2, 0.7f, theme->faint);
        return;
    }
    for (size_t terms = TERMS - 1; terms > 0 && sum_width(view, &sum, SUM_MIN) > end - x; terms--) {
        sum = lab_explain(view->trace, view->state->playback.stage, at, terms, view->arena);
    }
    const float wide = sum_width(view, &sum, SUM_SIZE);
    const float size = wide > end - x ? fmaxf(SUM_SIZE * (end - x) / wide, SUM_MIN) : SUM_SIZE;
    for (size_t i = 0; i < sum.pieces; i++) {
        const bool last = sum.piece[i].role == LAB_ROLE_RESULT;
        x += canvas_text(canvas, x, y, last ? FONT_NUMBERS_BOLD : FONT_NUMBERS, size,
                         view_role_colour(view, sum.piece[i].role), CANVAS_LEFT,
                         tr(sum.piece[i].text));
    }
}

/* The least height of the picture: rows that can be written into, in both matrices of the softmax.
 */
static float picture_height_min(const struct view *view, const struct lab_matrix *result)
{
    const float head = 80, row = 18;
    return view->state->playback.stage == LAB_SOFTMAX
               ? fmaxf(PICTURE_MIN, 2 * (head + row * (float)result->rows))
               : PICTURE_MIN;
}

/* The height of the picture: all that the sums leave, and of many sums even their room. */
static float picture_height(const struct view *view, float room)
{
    const struct lab_matrix result = stage_result(view);
    size_t sums = 0;
    for (size_t row = 0; row < result.rows; row++) {
        for (size_t column = 0; column < result.cols; column++) {
            sums += view_worksheet_opens(view, &result, row, column);
        }
    }
    const float height_min =
        fminf(picture_height_min(view, &result), fmaxf(room - GAP - 3 * LINE, PICTURE_MIN));
    return fminf(fmaxf(room - GAP - (float)sums * LINE, height_min),
                 fmaxf(PICTURE_MAX, height_min));
}

static void draw_sums(struct view *view, float x, float y, float width, float bottom)
{
    const struct lab_matrix result = stage_result(view);
    struct lab_selection at = view->selection;
    for (at.query = 0; at.query < result.rows; at.query++) {
        for (size_t column = 0; column < result.cols; column++) {
            if (!view_worksheet_opens(view, &result, at.query, column)) {
                continue;
            }
            if (y > bottom) {
                canvas_text(view->ui->canvas, x, y, FONT_WORDS, SUM_SIZE, view->ui->theme->muted,
                            CANVAS_LEFT, tr("… and the others in the same way."));
                return;
            }
            *(view_stage_is_of_keys(view->state->playback.stage) ? &at.key : &at.channel) = column;
            draw_sum(view, &at, x, y, x + width);
            y += LINE;
        }
    }
}

void view_worksheet(struct view *view, struct rect area)
{
    const struct rect inner = rect_inset(area, MARGIN);
    canvas_rect(view->ui->canvas, area, 0, &(struct paint){.fill = view->ui->theme->panel});
    if (view->trace == NULL || view->state->page == NULL) {
        return;
    }
    ui_push(view->ui, "worksheet");
    draw_header(view, inner);
    const float y = draw_task(view, inner.x, inner.y + 68, inner.w);
    const float bottom = inner.y + inner.h - LINE;
    const struct rect picture = {inner.x, y + 4, inner.w, picture_height(view, bottom - y - 4)};
    canvas_group(view->ui->canvas, ui_id(view->ui, "picture"), "Worksheet");
    if (view->state->playback.stage == LAB_SOFTMAX) {
        draw_softmax(view, picture);
    } else {
        view_stage_picture(view, picture);
    }
    canvas_ungroup(view->ui->canvas);
    draw_sums(view, inner.x, picture.y + picture.h + GAP, inner.w, bottom);
    ui_pop(view->ui);
}

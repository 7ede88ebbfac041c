/* The formula strip: the selected element explained with its real numbers, each in the colour of
 * its source. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/stage/tiles.h"

/* --- The products of a sum as bars side by side, positive ones above the line, negative ones
 * below. --- */

static const float COLUMN_MAX = 44, COLUMN_MIN = 2;
static const float NUMBERS_FROM = 34; /* narrower columns have no operands */

static const char *term_tip(struct view *view, const struct lab_term *term, size_t index)
{
    char left[TEXT_NUMBER_MAX], right[TEXT_NUMBER_MAX], product[TEXT_NUMBER_MAX];
    text_nonzero_number(left, (double)term->left, 3);
    text_nonzero_number(right, (double)term->right, 3);
    text_nonzero_number(product, term->product, 3);
    return term->name != NULL
               ? arena_format(view->arena, "%s: %s · %s = %s", term->name, left, right, product)
               : arena_format(view->arena, "%zu: %s · %s = %s", index + 1, left, right, product);
}

/* The format of one operand of all products: as many decimals as distinguish its numbers, in a font
 * that leaves one digit of space between them. */
struct operands {
    int decimals;
    float size; /* 0: they do not fit */
};

static struct operands fit_operands(const struct view *view, const struct lab_terms *terms,
                                    bool left, float step)
{
    enum { DECIMALS_MAX = 3 };
    const double half = 0.0005;
    const float font_min = 9;
    const float room = step - canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, "0");
    struct operands operands = {.decimals = 1, .size = UI_TEXT_TINY};
    for (size_t i = 0; i < terms->count; i++) {
        const double value = (double)(left ? terms->term[i].left : terms->term[i].right);
        for (double unit = pow(10, operands.decimals);
             operands.decimals < DECIMALS_MAX && fabs(value - round(value * unit) / unit) > half;
             unit *= 10) {
            operands.decimals++;
        }
    }
    for (; operands.decimals > 0; operands.decimals--) {
        float widest = 0;
        for (size_t i = 0; i < terms->count; i++) {
            char text[TEXT_NUMBER_MAX];
            text_number(text, (double)(left ? terms->term[i].left : terms->term[i].right),
                        operands.decimals);
            widest = fmaxf(widest,
                           canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, tr(text)));
        }
        operands.size = UI_TEXT_TINY * fminf(1, room / fmaxf(widest, 1));
        if (operands.size >= font_min) {
            return operands;
        }
    }
    return (struct operands){0};
}

static void draw_operand(struct view *view, float x, float y, float value, enum lab_role role,
                         struct operands operands)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)value, operands.decimals);
    canvas_text(view->ui->canvas, x, y, FONT_NUMBERS, operands.size, view_role_colour(view, role),
                CANVAS_CENTRE, tr(text));
}

/* Says whether a mask hides the key of a term: it has no weight, which is not one of 0. */
static bool is_hidden_term(const struct view *view, const struct lab_term *term)
{
    const struct lab_cell *const cell = &term->left_cell;
    return term->has_left && cell->part == LAB_ALPHA && term->left <= 0 && term->left >= 0 &&
           !lab_trace_sees(view->trace, cell->row, cell->column);
}

static float terms_width(const struct lab_terms *terms, float width_max)
{
    return terms->count == 0 ? 0 : fminf(width_max, COLUMN_MAX * (float)terms->count);
}

static void draw_terms(struct view *view, const struct lab_terms *terms, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float step = area.w / (float)terms->count;
    if (terms->count == 0 || step < COLUMN_MIN) {
        return;
    }
    const struct operands left = fit_operands(view, terms, true, step),
                          right = fit_operands(view, terms, false, step);
    const bool numbers = step >= NUMBERS_FROM && left.size > 0 && right.size > 0;
    const float margin = numbers ? 15 : 2;
    const float half = fmaxf((area.h - 2 * margin) / 2, 2), middle = area.y + area.h / 2;
    canvas_group(canvas, ui_id(view->ui, "terms"), "Products");
    canvas_line(canvas, area.x, middle, area.x + area.w, middle, 1, theme->line);
    const float first = view_playback_sum(view);
    const size_t shown = (size_t)ceilf(first * (float)terms->count);
    for (size_t i = 0; i < shown && i < terms->count; i++) {
        const struct lab_term *term = &terms->term[i];
        const float x = area.x + (float)i * step;
        const float share = terms->largest > 0 ? (float)(fabs(term->product) / terms->largest) : 0;
        const float high = share * half, gap = step > 8 ? step * 0.22f : step > 3 ? 0.5f : 0;
        const bool helps = term->product >= 0;
        const struct colour colour =
            colourmap_colour(view->state->prefs.signed_map, helps ? 0.86f : 0.14f);
        const struct rect bar = {x + gap, helps ? middle - high : middle, step - 2 * gap, high};
        canvas_rect(canvas, bar, fminf(2, bar.w / 3), &(struct paint){.fill = colour});
        if (numbers && is_hidden_term(view, term)) {
            canvas_text(canvas, x + step / 2, area.y + 10, FONT_NUMBERS, left.size, theme->muted,
                        CANVAS_CENTRE, "—");
        } else if (numbers) {
            draw_operand(view, x + step / 2, area.y + 10, term->left, terms->left_role, left);
        }
        if (numbers) {
            draw_operand(view, x + step / 2, area.y + area.h - 2, term->right, terms->right_role,
                         right);
        }
        const struct rect place = {x, area.y, step, area.h};
        const char *tip = term_tip(view, term, i);
        if (tip != NULL) {
            ui_tip(view->ui, ui_id_number(view->ui, "term", i), place, tip);
        }
    }
    canvas_ungroup(canvas);
}

static const float LARGEST = 22, LARGE = 17,
                   SMALL = 13;      /* font sizes; the largest in the presenter view */
static const float WRITTEN = 0.85f; /* share of a cell's time in which its sum is written */
static const float BARS_MIN = 48,
                   BESIDE = 20;      /* least width of the bars, and the gap before them */
static const float THREE_LINES = 70; /* lower strips have no title */
static const float FOUR_LINES = 100; /* lower strips have no room for a fourth line */

static float explanation_width(const struct view *view, const struct lab_explanation *explanation,
                               float size)
{
    float wide = 0;
    for (size_t i = 0; i < explanation->pieces; i++) {
        wide += canvas_measure(view->ui->canvas, FONT_NUMBERS_BOLD, size,
                               tr(explanation->piece[i].text));
    }
    return wide;
}

/* Says whether the chosen number is a gradient, a change or part of the loss, which have their own
 * explanation. */
static bool has_learned_explanation(const struct view *view)
{
    const struct view_learn *const learn = view->state->learn;
    return learn != NULL && (learn->show != VIEW_LEARN_VALUE || view_loss_shown(view)) &&
           (learn->explanation.pieces > 0 || view_loss_shown(view));
}

static bool explains_block(const struct view *view)
{
    return view_block_shown(view) != NULL || view_block_way(view) != NULL;
}

/* The selection that is explained; with the tab of the latent open, a number of the latent. */
static struct lab_selection explained_selection(const struct view *view)
{
    struct lab_selection at = view->selection;
    at.projected = view_latent_is_shown(view) ? LAB_C : at.projected;
    return at;
}

/* The explanation with its numbers as they are read. */
static struct lab_explanation read_explanation(struct view *view, struct lab_explanation whole)
{
    struct lab_piece *const piece =
        view->style.is_far ? arena_array(view->arena, whole.pieces, sizeof *piece) : NULL;
    for (size_t i = 0; piece != NULL && i < whole.pieces; i++) {
        piece[i] = whole.piece[i];
        piece[i].text = view_read_numbers(view, piece[i].text);
    }
    whole.piece = piece != NULL ? piece : whole.piece;
    whole.sentence = view_read_numbers(view, whole.sentence);
    whole.detail = view_read_numbers(view, whole.detail);
    return whole;
}

static struct lab_explanation explain_selection(struct view *view, size_t terms)
{
    const struct lab_selection at = explained_selection(view);
    struct lab_explanation of_tile;
    const struct lab_explanation explanation =
        view_tiles_explain(view, terms, &of_tile) ? of_tile
        : has_learned_explanation(view)           ? view->state->learn->explanation
        : explains_block(view)
            ? view_block_explanation(view, terms)
            : lab_explain(view->trace, view->state->playback.stage, &at, terms, view->arena);
    return read_explanation(view, explanation);
}

/* The longest explanation that fits, in a large font if possible. */
static struct lab_explanation fit_explanation(struct view *view, float width, float *size)
{
    static const struct {
        size_t terms;
        float size;
    } tries[] = {{6, LARGEST}, {4, LARGEST}, {16, LARGE}, {12, LARGE}, {8, LARGE},
                 {6, LARGE},   {5, LARGE},   {4, LARGE},  {4, SMALL},  {3, SMALL},
                 {2, SMALL},   {1, SMALL},   {1, 11}};
    struct lab_explanation explanation = {0};
    float wide = 0;
    enum { WHOLE = 64 };
    const bool answered = view->state->guess != LAB_GUESS_NONE && view->state->revealed;
    const size_t whole = answered ? explain_selection(view, WHOLE).pieces : 0;
    for (size_t i = view->state->prefs.presenter ? 0 : 2; i < sizeof tries / sizeof *tries; i++) {
        explanation = explain_selection(view, tries[i].terms);
        *size = tries[i].size;
        if (answered && tries[i].terms > VIEW_GUESS_TERMS && explanation.pieces != whole) {
            continue; /* a shortened sum has the same terms as in the answer above */
        }
        wide = explanation_width(view, &explanation, *size);
        if (wide <= width) {
            break;
        }
    }
    if (wide > width) { /* it cannot be shortened: a result that is cut is a wrong number */
        *size *= width / wide;
    }
    return explanation;
}

/* Makes an operand a link to its own causes. */
static void add_operand_link(struct view *view, const struct lab_piece *piece, size_t index,
                             struct rect area)
{
    const uint32_t id = ui_id_number(view->ui, "operand", index);
    const struct ui_touch touch = ui_touch(view->ui, id, area, true);
    ui_draw_focus(view->ui, id, area, 2);
    ui_tip(view->ui, id, area, "Where this number comes from (Backspace returns)");
    if (touch.hover) {
        canvas_line(view->ui->canvas, area.x, area.y + area.h, area.x + area.w, area.y + area.h,
                    1.5f, view_role_colour(view, piece->role));
    }
    if (touch.clicked) {
        const struct lab_cell cell = {piece->part, piece->head, piece->row, piece->column};
        enum lab_stage stage = view->state->playback.stage;
        struct lab_selection to = view->selection;
        lab_cell_select(view->trace, &cell, &stage, &to);
        if (stage == LAB_PROJECT) { /* the steps of a model have their own column */
            view_action_set(view, block_step, (size_t)0);
            view_action_set(view, block_column, to.channel);
        }
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_WALK,
                                                .walk = {.stage = stage, .to = to}});
    }
}

/* The number of visible pieces of the sum while its cell is being computed; the result is the last.
 */
static size_t visible_pieces(const struct view *view, const struct lab_explanation *explanation)
{
    const float progress = view_playback_sum(view) / WRITTEN;
    return progress >= 1
               ? explanation->pieces
               : (size_t)(progress * (float)(explanation->pieces - (explanation->pieces > 0)));
}

static void draw_pieces(struct view *view, const struct lab_explanation *explanation, float x,
                        float y, float size)
{
    const size_t shown = visible_pieces(view, explanation);
    for (size_t i = 0; i < shown; i++) {
        const struct lab_piece *piece = &explanation->piece[i];
        const enum font_face face = piece->role == LAB_ROLE_NONE ? FONT_NUMBERS : FONT_NUMBERS_BOLD;
        const float wide =
            canvas_text(view->ui->canvas, x, y, face, size, view_role_colour(view, piece->role),
                        CANVAS_LEFT, tr(piece->text));
        if (piece->has_cell && piece->role != LAB_ROLE_RESULT) {
            add_operand_link(view, piece, i, (struct rect){x, y - size, wide, size * 1.3f});
        }
        x += wide;
    }
}

static const float LINE_MIN = 9; /* font size of a line before it takes a second one */

static bool is_wrapped(const struct view *view, float width, const char *text)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS, LINE_MIN, tr(text)) > width;
}

/* Draws a line in a smaller font before it is cut, and in two lines if that is not enough. */
static void draw_line(struct view *view, struct rect line, const char *text)
{
    if (is_wrapped(view, line.w, text)) {
        view_wrapped(view, line.x, line.y + 8, line.w, LINE_MIN, view->ui->theme->muted, text);
        return;
    }
    view_text_fitted(view, (struct point){line.x, line.y + 13}, view->style.small, CANVAS_LEFT,
                     text, line.w);
}

static float sum_width(struct view *view, size_t terms, float size)
{
    const struct lab_selection at = explained_selection(view);
    const struct lab_explanation sum =
        lab_explain(view->trace, view->state->playback.stage, &at, terms, view->arena);
    return explanation_width(view, &sum, size);
}

/* The width of the bars: what the sum leaves. A sum too long to be written in full keeps its three
 * largest terms, or two, as long as each of all terms has room for a bar. */
static float bars_width(struct view *view, const struct lab_terms *terms, float width)
{
    enum { WRITTEN_OUT = 6, SHOWN_TERMS = 3 };
    const float bars_max = fminf(180, width * 0.3f);
    if (width < 440 || terms->count < 2) {
        return 0;
    }
    if (terms->count <= WRITTEN_OUT) {
        const float left = width - sum_width(view, WRITTEN_OUT, LARGE) - 24;
        return left < BARS_MIN ? 0 : terms_width(terms, fminf(bars_max, left));
    }
    const float bars_min = fmaxf(BARS_MIN, 4 * (float)terms->count);
    for (size_t shown_terms = SHOWN_TERMS; shown_terms > 1; shown_terms--) {
        const float left = width - sum_width(view, shown_terms, SMALL) - BESIDE;
        if (left >= bars_min) {
            return terms_width(terms, fminf(bars_max, left));
        }
    }
    return terms_width(terms, bars_max);
}

/* The sentence about the queries that are pinned together, from the scores on, or about a share
 * whose key is set aside; else the given one. */
static const char *displayed_sentence(struct view *view, const char *sentence)
{
    const struct lab_display *const display = &view->state->prefs.display;
    const enum lab_stage stage = view->state->playback.stage;
    const char *const together =
        stage >= LAB_SCORE && stage <= LAB_BLEND
            ? lab_display_sentence(view->trace, display, &view->selection, view->arena)
            : NULL;
    const char *const share =
        together == NULL && stage == LAB_SOFTMAX
            ? lab_display_aside_share(view->trace, display, &view->selection, view->arena)
            : NULL;
    return together != NULL ? together : share != NULL ? share : sentence;
}

static float text_width(const struct view *view, const char *text)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS, view->style.small, tr(text));
}

/* Draws the explanation with its bars. A sentence too long to fit beside the bars continues below
 * them. */
static void draw_sum(struct view *view, struct rect area, struct rect inner)
{
    struct lab_explanation of_tile;
    const bool of_block = explains_block(view) || has_learned_explanation(view) ||
                          view_tiles_explain(view, 1, &of_tile);
    const struct lab_selection at = explained_selection(view);
    const struct lab_terms terms =
        of_block ? (struct lab_terms){.count = 0}
                 : lab_terms(view->trace, view->state->playback.stage, &at, view->arena);
    const bool brief = area.h < THREE_LINES; /* the sum and its sentence */
    const float bars = brief ? 0 : bars_width(view, &terms, inner.w);
    const float wide = inner.w - (bars > 0 ? bars + BESIDE : 0);
    float size = LARGE;
    const struct lab_explanation explanation = fit_explanation(view, wide, &size);
    const float high = fminf(area.h, 130);
    area.y += (area.h - high) / 2;
    area.h = high;
    const float space = fmaxf(0, (area.h - 86) / 3);
    const bool detailed = explanation.detail != NULL && !brief;
    const float close =
        detailed && area.h < FOUR_LINES ? 7 : 0; /* lines of a low strip are closer */
    if (!brief) {
        draw_line(view, (struct rect){inner.x, area.y + 9 - close + space, wide, 18},
                  explanation.title);
    }
    const char *const sentence =
        of_block ? explanation.sentence : displayed_sentence(view, explanation.sentence);
    const float raised = brief && is_wrapped(view, inner.w, sentence) ? 4 : 0; /* for its second */
    draw_pieces(view, &explanation, inner.x,
                area.y + area.h / 2 +
                    (brief      ? -5 - raised
                     : detailed ? -4 - close / 2
                                : 5),
                size);
    if (detailed) {
        draw_line(view, (struct rect){inner.x, area.y + area.h / 2 + 4 - close, wide, 18},
                  explanation.detail);
    }
    const struct rect line = {inner.x, area.y + area.h - (brief ? 23 + raised : 28) - space,
                              inner.w, 18};
    const bool below = text_width(view, sentence) > wide;
    if (view_playback_sum(view) >= WRITTEN) {
        draw_line(view, (struct rect){line.x, line.y, below ? line.w : wide, line.h}, sentence);
    }
    if (bars > 0) {
        const float bottom = below ? line.y - 2 : area.y + area.h - 12;
        draw_terms(
            view, &terms,
            (struct rect){inner.x + inner.w - bars, area.y + 12, bars, bottom - area.y - 12});
    }
}

void view_formula(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct rect inner = view_panel(view, area, "Formula");
    canvas_clip(canvas, area);
    ui_keep_clear(view->ui, area); /* it explains what is under the pointer */
    ui_push(view->ui, "formula");
    if (view->trace == NULL) {
        canvas_text_cut(canvas, inner.x, area.y + area.h / 2 + 5, FONT_WORDS, UI_TEXT_BODY,
                        view->ui->theme->muted, CANVAS_LEFT,
                        tr("Here every number is spelled out, once there are some."), inner.w);
    }
    if (view->trace != NULL && view_guess(view) != LAB_GUESS_NONE) {
        canvas_text_cut(canvas, inner.x, area.y + area.h / 2 + 5, FONT_WORDS, UI_TEXT_BODY,
                        view->ui->theme->muted, CANVAS_LEFT,
                        tr("Guess first: the sum is spelled out when the answer is revealed."),
                        inner.w);
    } else if (view->trace != NULL && !view->emphasis) {
        canvas_text_cut(canvas, inner.x, area.y + area.h / 2 + 5, FONT_WORDS, UI_TEXT_BODY,
                        view->ui->theme->muted, CANVAS_LEFT,
                        tr("Point at any number to see where it comes from."), inner.w);
    } else if (view->trace != NULL) {
        draw_sum(view, area, inner);
    }
    ui_pop(view->ui);
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

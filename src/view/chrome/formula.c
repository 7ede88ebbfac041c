/* The formula strip: the selected element spelled out in its real numbers, each in the colour of
 * where it comes from. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/stage/tiles.h"

/* The products of a sum, side by side: what helps stands above the line, what hurts below. */

static const float COLUMN_MOST = 44, COLUMN_LEAST = 2;
static const float NUMBERS_FROM = 34; /* width of a column whose operands are written out */

static const char *term_tip(struct view *view, const struct lab_term *term, size_t index)
{
    char left[TEXT_NUMBER_MAX], right[TEXT_NUMBER_MAX], product[TEXT_NUMBER_MAX];
    text_number(left, (double)term->left, 3);
    text_number(right, (double)term->right, 3);
    text_number(product, term->product, 3);
    return term->name != NULL
               ? arena_format(view->arena, "%s: %s · %s = %s", term->name, left, right, product)
               : arena_format(view->arena, "%zu: %s · %s = %s", index + 1, left, right, product);
}

/* One side of all products: as many decimals as tell its numbers, in letters that fit, a letter
 * apart. */
struct operands {
    int decimals;
    float size; /* 0: they do not fit */
};

static struct operands operands_of(const struct view *view, const struct lab_terms *terms,
                                   bool left, float step)
{
    enum { DECIMALS_MOST = 3 };
    const double half = 0.0005;
    const float least = 9;
    const float room = step - canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, "0");
    struct operands operands = {.decimals = 1, .size = UI_TEXT_TINY};
    for (size_t i = 0; i < terms->count; i++) {
        const double value = (double)(left ? terms->term[i].left : terms->term[i].right);
        for (double unit = pow(10, operands.decimals);
             operands.decimals < DECIMALS_MOST && fabs(value - round(value * unit) / unit) > half;
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
        if (operands.size >= least) {
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

static float view_terms_width(const struct lab_terms *terms, float most)
{
    return terms->count == 0 ? 0 : fminf(most, COLUMN_MOST * (float)terms->count);
}

static void view_terms(struct view *view, const struct lab_terms *terms, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float step = area.w / (float)terms->count;
    if (terms->count == 0 || step < COLUMN_LEAST) {
        return;
    }
    const struct operands left = operands_of(view, terms, true, step),
                          right = operands_of(view, terms, false, step);
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
        if (numbers) {
            draw_operand(view, x + step / 2, area.y + 10, term->left, terms->left_role, left);
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

static const float LARGEST = 22, LARGE = 17, SMALL = 13; /* huge: before a class */
static const float WRITTEN = 0.85f; /* share of a cell's time in which its sum is written out */
static const float BARS_LEAST = 48, BESIDE = 20; /* width of the bars, and of the gap before them */
static const float FOUR_LINES = 100; /* height of a strip that has room for a fourth line */

static float width_of(const struct view *view, const struct lab_explanation *explanation,
                      float size)
{
    float wide = 0;
    for (size_t i = 0; i < explanation->pieces; i++) {
        wide += canvas_measure(view->ui->canvas, FONT_NUMBERS_BOLD, size,
                               tr(explanation->piece[i].text));
    }
    return wide;
}

/* Whether gradients, changes or the loss are shown: the chosen number is spelled out as what it
 * is. */
static bool is_learned(const struct view *view)
{
    const struct view_learn *const learn = view->state->learn;
    return learn != NULL && (learn->show != VIEW_LEARN_VALUE || view_loss_shown(view)) &&
           (learn->explanation.pieces > 0 || view_loss_shown(view));
}

static bool spells_block(const struct view *view)
{
    return view_block_shown(view) != NULL || view_block_way(view) != NULL;
}

/* What the sum is of: with the tab of the latent open, of a number of that. */
static struct lab_selection explained(const struct view *view)
{
    struct lab_selection at = view->selection;
    at.projected = view_latent_is_shown(view) ? LAB_C : at.projected;
    return at;
}

static struct lab_explanation explain(struct view *view, size_t terms)
{
    const struct lab_selection at = explained(view);
    struct lab_explanation of_tile;
    return view_tiles_explain(view, terms, &of_tile) ? of_tile
           : is_learned(view)                        ? view->state->learn->explanation
           : spells_block(view)
               ? view_block_explanation(view, terms)
               : lab_explain(view->trace, view->state->playback.stage, &at, terms, view->arena);
}

/* The longest form that fits, large if possible. */
static struct lab_explanation fitting(struct view *view, float width, float *size)
{
    static const struct {
        size_t terms;
        float size;
    } tries[] = {{6, LARGEST}, {4, LARGEST}, {16, LARGE}, {12, LARGE}, {8, LARGE},
                 {6, LARGE},   {5, LARGE},   {4, LARGE},  {4, SMALL},  {3, SMALL},
                 {2, SMALL},   {1, SMALL},   {1, 11}};
    struct lab_explanation explanation = {0};
    enum { WHOLE = 64 };
    const bool answered = view->state->guess != LAB_GUESS_NONE && view->state->revealed;
    const size_t whole = answered ? explain(view, WHOLE).pieces : 0;
    for (size_t i = view->state->prefs.presenter ? 0 : 2; i < sizeof tries / sizeof *tries; i++) {
        explanation = explain(view, tries[i].terms);
        *size = tries[i].size;
        if (answered && tries[i].terms > VIEW_GUESS_TERMS && explanation.pieces != whole) {
            continue; /* where it is divided, then as the answer beside it divides it */
        }
        if (width_of(view, &explanation, *size) <= width) {
            break;
        }
    }
    return explanation;
}

/* An operand leads to its own causes. */
static void lead_on(struct view *view, const struct lab_piece *piece, size_t index,
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
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_WALK,
                                                .walk = {.stage = stage, .to = to}});
    }
}

/* How many pieces of the sum are there while its cell is being computed; the result comes last. */
static size_t pieces_now(const struct view *view, const struct lab_explanation *explanation)
{
    const float come = view_playback_sum(view) / WRITTEN;
    return come >= 1 ? explanation->pieces
                     : (size_t)(come * (float)(explanation->pieces - (explanation->pieces > 0)));
}

static void draw_pieces(struct view *view, const struct lab_explanation *explanation, float x,
                        float y, float size)
{
    const size_t shown = pieces_now(view, explanation);
    for (size_t i = 0; i < shown; i++) {
        const struct lab_piece *piece = &explanation->piece[i];
        const enum font_face face = piece->role == LAB_ROLE_NONE ? FONT_NUMBERS : FONT_NUMBERS_BOLD;
        const float wide =
            canvas_text(view->ui->canvas, x, y, face, size, view_role_colour(view, piece->role),
                        CANVAS_LEFT, tr(piece->text));
        if (piece->has_cell && piece->role != LAB_ROLE_RESULT) {
            lead_on(view, piece, i, (struct rect){x, y - size, wide, size * 1.3f});
        }
        x += wide;
    }
}

/* Written smaller before it is cut, and in two lines where that is not enough. */
static void draw_line(struct view *view, struct rect line, const char *text)
{
    const float least = 9;
    if (canvas_measure(view->ui->canvas, FONT_WORDS, least, tr(text)) > line.w) {
        view_wrapped(view, line.x, line.y + 8, line.w, least, view->ui->theme->muted, text);
        return;
    }
    view_text_fitted(view, (struct point){line.x, line.y + 13}, UI_TEXT_SMALL, CANVAS_LEFT, text,
                     line.w);
}

static float sum_width(struct view *view, size_t terms, float size)
{
    const struct lab_selection at = explained(view);
    const struct lab_explanation sum =
        lab_explain(view->trace, view->state->playback.stage, &at, terms, view->arena);
    return width_of(view, &sum, size);
}

/* The sum comes first: the bars get what it leaves. A sum too long to be written out keeps its
 * three largest terms, or two, as long as there is room for a bar for each of all. */
static float bars_width(struct view *view, const struct lab_terms *terms, float width)
{
    enum { WRITTEN_OUT = 6, TOLD = 3 };
    const float most = fminf(180, width * 0.3f);
    if (width < 440 || terms->count < 2) {
        return 0;
    }
    if (terms->count <= WRITTEN_OUT) {
        const float left = width - sum_width(view, WRITTEN_OUT, LARGE) - 24;
        return left < BARS_LEAST ? 0 : view_terms_width(terms, fminf(most, left));
    }
    const float least = fmaxf(BARS_LEAST, 4 * (float)terms->count);
    for (size_t told = TOLD; told > 1; told--) {
        const float left = width - sum_width(view, told, SMALL) - BESIDE;
        if (left >= least) {
            return view_terms_width(terms, fminf(most, left));
        }
    }
    return view_terms_width(terms, most);
}

/* From the scores on, several queries are spoken of together. */
static const char *sentence_of(struct view *view, const char *sentence)
{
    const char *together =
        view->state->playback.stage >= LAB_SCORE && view->state->playback.stage <= LAB_BLEND
            ? lab_display_sentence(view->trace, &view->state->prefs.display, &view->selection,
                                   view->arena)
            : NULL;
    return together != NULL ? together : sentence;
}

static float words_width(const struct view *view, const char *text)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_SMALL, tr(text));
}

/* A sentence too long to stand beside the bars runs on below them. */
static void draw_sum(struct view *view, struct rect area, struct rect inner)
{
    struct lab_explanation of_tile;
    const bool of_block =
        spells_block(view) || is_learned(view) || view_tiles_explain(view, 1, &of_tile);
    const struct lab_selection at = explained(view);
    const struct lab_terms terms =
        of_block ? (struct lab_terms){.count = 0}
                 : lab_terms(view->trace, view->state->playback.stage, &at, view->arena);
    const float bars = bars_width(view, &terms, inner.w);
    const float wide = inner.w - (bars > 0 ? bars + BESIDE : 0);
    float size = LARGE;
    const struct lab_explanation explanation = fitting(view, wide, &size);
    const float high = fminf(area.h, 130);
    area.y += (area.h - high) / 2;
    area.h = high;
    const float space = fmaxf(0, (area.h - 86) / 3);
    const bool detailed = explanation.detail != NULL;
    const float close = detailed && area.h < FOUR_LINES ? 7 : 0; /* in a low strip */
    draw_line(view, (struct rect){inner.x, area.y + 9 - close + space, wide, 18},
              explanation.title);
    draw_pieces(view, &explanation, inner.x, area.y + area.h / 2 + (detailed ? -4 - close / 2 : 5),
                size);
    if (detailed) {
        draw_line(view, (struct rect){inner.x, area.y + area.h / 2 + 4 - close, wide, 18},
                  explanation.detail);
    }
    const char *const sentence =
        of_block ? explanation.sentence : sentence_of(view, explanation.sentence);
    const struct rect line = {inner.x, area.y + area.h - 28 - space, inner.w, 18};
    const bool below = words_width(view, sentence) > wide;
    if (view_playback_sum(view) >= WRITTEN) {
        draw_line(view, (struct rect){line.x, line.y, below ? line.w : wide, line.h}, sentence);
    }
    if (bars > 0) {
        const float bottom = below ? line.y - 2 : area.y + area.h - 12;
        view_terms(
            view, &terms,
            (struct rect){inner.x + inner.w - bars, area.y + 12, bars, bottom - area.y - 12});
    }
}

void view_formula(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct rect inner = view_panel(view, area, "Formula");
    canvas_clip(canvas, area);
    ui_keep_clear(view->ui, area); /* it explains what the pointer is on */
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

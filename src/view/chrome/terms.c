/* The products of a sum, side by side: what helps stands above the line, what hurts below. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "view/parts/pieces.h"

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

static void draw_operand(struct view *view, float x, float y, float value, enum lab_role role)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)value, 1);
    canvas_text(view->ui->canvas, x, y, FONT_NUMBERS, UI_TEXT_TINY, view_role_colour(view, role),
                CANVAS_CENTRE, tr(text));
}

float view_terms_width(const struct lab_terms *terms, float most)
{
    return terms->count == 0 ? 0 : fminf(most, COLUMN_MOST * (float)terms->count);
}

void view_terms(struct view *view, const struct lab_terms *terms, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float step = area.w / (float)terms->count;
    if (terms->count == 0 || step < COLUMN_LEAST) {
        return;
    }
    const bool numbers = step >= NUMBERS_FROM;
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
        const struct rect bar = {x + gap, helps ? middle - high : middle, step - 2 * gap, high};
        canvas_rect(canvas, bar, fminf(2, bar.w / 3),
                    &(struct paint){.fill = helps ? theme->accent : theme->key});
        if (numbers) {
            draw_operand(view, x + step / 2, area.y + 10, term->left, terms->left_role);
            draw_operand(view, x + step / 2, area.y + area.h - 2, term->right, terms->right_role);
        }
        const struct rect place = {x, area.y, step, area.h};
        const char *tip = term_tip(view, term, i);
        if (tip != NULL) {
            ui_tip(view->ui, ui_id_number(view->ui, "term", i), place, tip);
        }
    }
    canvas_ungroup(canvas);
}

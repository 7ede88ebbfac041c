/* The formula strip: the selected element spelled out in its real numbers, each in the colour of
 * where it comes from. */
#include <math.h>
#include <string.h>

#include "view/pieces.h"

static const float LARGE = 17, SMALL = 13;

static float width_of(const struct view *view, const struct lab_explanation *explanation,
                      float size)
{
    float wide = 0;
    for (size_t i = 0; i < explanation->pieces; i++) {
        wide +=
            canvas_measure(view->ui->canvas, FONT_NUMBERS_BOLD, size, explanation->piece[i].text);
    }
    return wide;
}

/* The longest form that fits, large if possible. */
static struct lab_explanation fitting(struct view *view, float width, float *size)
{
    static const struct {
        size_t terms;
        float size;
    } tries[] = {{16, LARGE}, {12, LARGE}, {8, LARGE}, {6, LARGE}, {5, LARGE}, {4, LARGE},
                 {4, SMALL},  {3, SMALL},  {2, SMALL}, {1, SMALL}, {1, 11}};
    struct lab_explanation explanation = {0};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        explanation = lab_explain(view->trace, view->state->stage, &view->selection, tries[i].terms,
                                  view->arena);
        *size = tries[i].size;
        if (width_of(view, &explanation, *size) <= width) {
            break;
        }
    }
    return explanation;
}

static void draw_pieces(struct view *view, const struct lab_explanation *explanation, float x,
                        float y, float size)
{
    for (size_t i = 0; i < explanation->pieces; i++) {
        const struct lab_piece *piece = &explanation->piece[i];
        const enum font_face face =
            piece->role == LAB_ROLE_PLAIN ? FONT_NUMBERS : FONT_NUMBERS_BOLD;
        x += canvas_text(view->ui->canvas, x, y, face, size, view_role_colour(view, piece->role),
                         CANVAS_LEFT, piece->text);
    }
}

/* A line that may be cut, with the whole of it as a tooltip. */
static void draw_line(struct view *view, const char *name, struct rect line, const char *text)
{
    const bool cut =
        canvas_text_cut(view->ui->canvas, line.x, line.y + 13, FONT_WORDS, UI_TEXT_SMALL,
                        view->ui->theme->muted, CANVAS_LEFT, text, line.w);
    if (cut) {
        ui_tip(view->ui, ui_id(view->ui, name), line, text);
    }
}

void view_formula(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct rect inner = view_panel(view, area, "Formula");
    canvas_clip(canvas, area);
    ui_push(view->ui, "formula");
    if (view->trace != NULL && !view->emphasis) {
        canvas_text_cut(canvas, inner.x, area.y + area.h / 2 + 5, FONT_WORDS, UI_TEXT_BODY,
                        view->ui->theme->muted, CANVAS_LEFT,
                        "Point at any number to see where it comes from.", inner.w);
    } else if (view->trace != NULL) {
        float size = LARGE;
        const struct lab_explanation explanation = fitting(view, inner.w, &size);
        const float space = fmaxf(0, (area.h - 86) / 3);
        draw_line(view, "title", (struct rect){inner.x, area.y + 9 + space, inner.w, 18},
                  explanation.title);
        draw_pieces(view, &explanation, inner.x, area.y + area.h / 2 + 5, size);
        draw_line(view, "sentence",
                  (struct rect){inner.x, area.y + area.h - 28 - space, inner.w, 18},
                  explanation.sentence);
    }
    ui_pop(view->ui);
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

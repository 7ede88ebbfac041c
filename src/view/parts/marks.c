/* What can stand in a cell besides a square: strokes where a key is hidden or set aside, a disc
 * whose area is the size of a number. */
#include <math.h>

#include "base/text.h"
#include "view/parts/marks.h"
#include "view/parts/pieces.h"

static const float ROUND_FROM = 9;   /* cells smaller than this have no round corners */
static const float STROKES_FROM = 6; /* smaller cells have no strokes */
static const float STEP = 6;         /* from stroke to stroke */
static const float DISC_LEAST = 7;   /* radius of the largest disc that has its number beside it */
static const float AIR = 2;          /* around the largest disc */

struct colour view_mark_ink(const struct view *view)
{
    return colour_mix(view->ui->theme->line, view->ui->theme->faint, 0.35f);
}

void view_mark_hidden(struct view *view, struct rect cell)
{
    struct canvas *canvas = view->ui->canvas;
    canvas_rect(canvas, cell, cell.w > ROUND_FROM ? 3 : 0,
                &(struct paint){.fill = view->ui->theme->ground});
    if (cell.w < STROKES_FROM || cell.h < STROKES_FROM) {
        return;
    }
    canvas_clip(canvas, cell);
    for (float x = cell.x - cell.h + STEP / 2; x < cell.x + cell.w; x += STEP) {
        canvas_line(canvas, x, cell.y + cell.h, x + cell.h, cell.y, 1, view_mark_ink(view));
    }
    canvas_unclip(canvas);
}

void view_mark_aside(struct view *view, struct rect cell)
{
    struct canvas *canvas = view->ui->canvas;
    const struct colour ink = colour_mix(view->ui->theme->panel, view_mark_ink(view), 0.6f);
    canvas_rect(canvas, cell, cell.w > ROUND_FROM ? 3 : 0,
                &(struct paint){.fill = view->ui->theme->panel, .stroke = ink, .width = 1});
    if (cell.w < STROKES_FROM || cell.h < STROKES_FROM) {
        return;
    }
    canvas_clip(canvas, cell);
    for (float x = cell.x - cell.h + STEP / 2; x < cell.x + cell.w; x += STEP + 1) {
        canvas_line(canvas, x, cell.y + cell.h, x + cell.h, cell.y, 0.8f, ink);
        canvas_line(canvas, x, cell.y, x + cell.h, cell.y + cell.h, 0.8f, ink);
    }
    canvas_unclip(canvas);
}

/* Where disc and number stand: beside each other, one over the other, or the disc alone. */
struct places {
    float x, y, most; /* middle and radius of the largest disc */
    float text_x, text_y;
    bool number;
};

static struct places place_disc(const struct view *view, struct rect cell, const char *widest)
{
    const float wide = canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, widest);
    const float beside = fminf(cell.h / 2 - AIR, (cell.w - wide - 8) / 2);
    const float over = fminf(cell.w / 2 - AIR, (cell.h - UI_TEXT_TINY - 6) / 2);
    const float middle = cell.x + cell.w / 2;
    if (over >= DISC_LEAST && over >= beside && wide + 2 <= cell.w) {
        return (struct places){middle, cell.y + AIR + over, over,
                               middle, cell.y + cell.h - 4, true};
    }
    if (beside >= DISC_LEAST) {
        return (struct places){cell.x + 3 + beside,
                               cell.y + cell.h / 2,
                               beside,
                               cell.x + 5 + 2 * beside + wide / 2,
                               cell.y + cell.h / 2 + UI_TEXT_TINY * 0.36f,
                               true};
    }
    const float most = fmaxf(1, fminf(cell.w, cell.h) / 2 - AIR);
    return (struct places){middle, cell.y + cell.h / 2, most, 0, 0, false};
}

void view_mark_disc(struct view *view, struct rect cell, const struct view_disc *disc)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct places at = place_disc(view, cell, disc->widest);
    const float pale = disc->dimmed ? 0.62f : 0;
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)disc->value, isfinite(disc->value) ? disc->decimals : 0);
    if (!isfinite(disc->value)) {
        /* −∞ has no size: an empty ring, barred. */
        const struct colour ink = colour_mix(theme->muted, theme->panel, pale);
        const float r = fminf(at.most, fmaxf(4, at.most * 0.55f)), bar = r * 0.7071f;
        canvas_circle(canvas, at.x, at.y, r, &(struct paint){.stroke = ink, .width = 1.4f});
        canvas_line(canvas, at.x - bar, at.y + bar, at.x + bar, at.y - bar, 1.4f, ink);
    } else {
        const float share = disc->peak > 0 ? fminf(fabsf(disc->value) / disc->peak, 1) : 0;
        const float t = disc->value < 0 ? 0.14f : 0.86f; /* hue tells the sign, area the size */
        const struct colour hue = colourmap_colour(view->state->signed_map, t);
        const float r = fmaxf(at.most * sqrtf(share), disc->value != 0 ? 0.75f : 0);
        if (r > 0) {
            canvas_circle(canvas, at.x, at.y, r,
                          &(struct paint){.fill = colour_mix(hue, theme->panel, pale)});
        }
    }
    if (at.number) {
        canvas_text(canvas, at.text_x, at.text_y, isfinite(disc->value) ? FONT_NUMBERS : FONT_WORDS,
                    UI_TEXT_TINY, colour_mix(theme->ink, theme->panel, pale / 2), CANVAS_CENTRE,
                    text);
    }
}

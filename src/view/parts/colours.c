/* The colours of weights and signed numbers, the bars that explain them, and the marks of cells
 * that have none. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/colours.h"
#include "view/parts/pieces.h"

enum { DECADES = 4 };

static const float TICKS_MAX = 7;   /* ticks at a linear bar */
static const double AT_END = 0.004; /* of a bar: a tick so near its end is at its end */

static const float SMALLEST_PLACE = 0.07f;     /* place of the smallest weight above 0 */
static const float SWATCH = 9, SWATCH_GAP = 3; /* of 0, below the logarithmic bar */
static const float TICK = 3,
                   TICK_TEXT = 7; /* from the bar: length of a tick's line, start of its number */

static float share_place(const struct view *view, float share)
{
    if (!view->is_logarithmic) {
        return (share - view->share_low) / (view->share_top - view->share_low);
    }
    if (!(share > 0)) {
        return 0; /* 0 is no power of ten and has its own colour */
    }
    const float place = 1 + log10f(share / view->share_top) / DECADES;
    return fmaxf(SMALLEST_PLACE, SMALLEST_PLACE + (1 - SMALLEST_PLACE) * place);
}

struct colour view_share_colour(const struct view *view, float share)
{
    return colourmap_colour(view->share_map, share_place(view, share));
}

/* The part of a bar that is coloured in steps: all of it, or what the swatch of 0 leaves. */
static struct rect stepped_part(const struct view *view, struct rect bar, bool upright)
{
    const float less = view->is_logarithmic ? SWATCH + SWATCH_GAP : 0;
    return upright ? (struct rect){bar.x, bar.y, bar.w, bar.h - less}
                   : (struct rect){bar.x + less, bar.y, bar.w - less, bar.h};
}

void view_colour_bar(struct view *view, struct rect area, bool upright)
{
    enum { STEPS = 64 };
    const bool logarithmic = view->is_logarithmic;
    const float first_place = logarithmic ? SMALLEST_PLACE : 0;
    struct colour steps[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        const float t = (float)(upright ? STEPS - 1 - i : i) / (STEPS - 1);
        steps[i] = colourmap_colour(view->share_map, first_place + (1 - first_place) * t);
    }
    canvas_ramp(view->ui->canvas, stepped_part(view, area, upright), STEPS, upright, steps);
    if (!logarithmic) {
        return;
    }
    const struct rect zero = upright
                                 ? (struct rect){area.x, area.y + area.h - SWATCH, area.w, SWATCH}
                                 : (struct rect){area.x, area.y, SWATCH, area.h};
    canvas_rect(view->ui->canvas, zero, 0,
                &(struct paint){.fill = colourmap_colour(view->share_map, 0),
                                .stroke = view->ui->theme->line,
                                .width = 1});
    ui_tip(view->ui, ui_id(view->ui, "colour bar"), area,
           "Logarithmic: every power of ten has as much colour; 0 has a colour of its own, and "
           "whatever is less than 0.0001 of the largest is as light as that");
}

/* Chooses the two ends as ticks, and 0 between them, where round numbers are too few to show a
 * scale. */
static size_t ticks_at_ends(double low, double high, size_t ticks_max, double tick[VIEW_TICKS_MAX],
                            int *decimals)
{
    enum { DECIMALS_MAX = 6 };
    const double slack = AT_END * (high - low);
    size_t count = 0;
    for (*decimals = 0; *decimals < DECIMALS_MAX; ++*decimals) {
        const double whole = pow(10, *decimals);
        if (fabs(round(low * whole) / whole - low) <= slack &&
            fabs(round(high * whole) / whole - high) <= slack) {
            break;
        }
    }
    tick[count++] = high;
    if (low < 0 && high > 0 && ticks_max > 2) {
        tick[count++] = 0;
    }
    tick[count++] = low;
    return count;
}

/* Finds numbers from high down to low, at most ticks_max ≥ 1, in steps of 1, 2 or 5 times a power
 * of ten, and the decimals that write them exactly; the two ends if only one number is so round.
 * Returns how many there are. */
static size_t find_ticks(double low, double high, size_t ticks_max, double tick[VIEW_TICKS_MAX],
                         int *decimals)
{
    static const double steps[] = {1, 2, 5};
    ticks_max = ticks_max < VIEW_TICKS_MAX ? ticks_max : VIEW_TICKS_MAX;
    *decimals = 0;
    if (!(high > low) || ticks_max == 0) {
        return 0;
    }
    const double slack = AT_END * (high - low);
    const int power = (int)floor(log10((high - low) / (double)ticks_max));
    for (int p = power; p < power + 3; p++) {
        for (size_t s = 0; s < 3; s++) {
            const double step = steps[s] * pow(10, p);
            const double first = ceil((low - slack) / step), last = floor((high + slack) / step);
            if (last - first < (double)ticks_max) {
                size_t count = 0;
                if (last - first < 1 && ticks_max > 1) {
                    return ticks_at_ends(low, high, ticks_max, tick, decimals);
                }
                for (double i = last; i >= first; i--) {
                    tick[count++] = i * step;
                }
                *decimals = p < 0 ? -p : 0;
                return count;
            }
        }
    }
    return 0;
}

float view_tick_above(float top)
{
    enum { TICKS = 5 };
    double tick[VIEW_TICKS_MAX];
    int decimals = 0;
    const size_t count = find_ticks(0, (double)top, TICKS, tick, &decimals);
    const double step = count > 1 ? tick[0] - tick[1] : (double)top;
    return (float)(ceil((double)top / step * (1 - AT_END)) * step);
}

float view_ticks_wider(const struct view *view)
{
    return view->share_over || view->share_under
               ? canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, "≥")
               : 0;
}

float view_ticks_width(const struct view *view, float low, float high)
{
    double tick[VIEW_TICKS_MAX];
    int decimals = 0;
    const size_t count = find_ticks((double)low, (double)high, (size_t)TICKS_MAX, tick, &decimals);
    float wide = 0;
    for (size_t t = 0; t < count; t++) {
        char text[TEXT_NUMBER_MAX];
        text_number(text, tick[t], decimals);
        wide = fmaxf(wide, canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, text));
    }
    return TICK_TEXT + wide;
}

/* Chooses ticks with both ends, and none too close to an end. */
static size_t ticks_and_ends(double low, double high, size_t ticks_max, double *tick, int *decimals)
{
    double inner[VIEW_TICKS_MAX];
    const size_t count = find_ticks(low, high, ticks_max, inner, decimals);
    const double near = (high - low) / (double)(2 * ticks_max);
    size_t all = 0;
    tick[all++] = high;
    for (size_t i = 0; i < count && all + 1 < VIEW_TICKS_MAX; i++) {
        if (inner[i] < high - near && inner[i] > low + near) {
            tick[all++] = inner[i];
        }
    }
    tick[all++] = low;
    for (size_t end = 0; end < all; end += all - 1) { /* an odd end needs more decimals */
        while (*decimals < 4 && fabs(tick[end] * pow(10, *decimals) -
                                     round(tick[end] * pow(10, *decimals))) > 0.01) {
            ++*decimals;
        }
    }
    return all;
}

/* Chooses the numbers at a bar, the largest first: in steps of 1, 2 or 5 at a linear one, else
 * powers of ten and 0. */
static size_t choose_ticks(const struct view *view, size_t ticks_max, double ticks[VIEW_TICKS_MAX],
                           int *decimals)
{
    const double top = (double)view->share_top;
    if (!view->is_logarithmic) {
        const double low = (double)view->share_low;
        const bool ends = view->share_over || view->share_under; /* they are shown, however odd */
        return ends ? ticks_and_ends(low, top, ticks_max, ticks, decimals)
                    : find_ticks(low, top, ticks_max, ticks, decimals);
    }
    size_t count = 0;
    const double lowest = top * pow(10, -DECADES) * 0.999;
    for (double power = pow(10, floor(log10(top * (1 + AT_END))));
         power >= lowest && count < VIEW_TICKS_MAX - 1; power /= 10) {
        ticks[count++] = power;
    }
    ticks[count++] = 0;
    return count;
}

/* The decimals of a power of ten such as 1, 0.1 or 0.001. */
static int decimals_of_power(double power)
{
    int decimals = 0;
    while (decimals < VIEW_TICKS_MAX && power > 0 && power * pow(10, decimals) < 0.999) {
        decimals++;
    }
    return decimals;
}

/* Draws a number at the right of an upright bar, and a line to its colour. Returns how far both
 * reach beyond the bar. */
static float draw_tick(struct view *view, struct rect bar, float y, const char *text)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct colour ink = view_label_ink(view);
    canvas_line(canvas, bar.x + bar.w, y, bar.x + bar.w + TICK, y, view_line_width(view, 1), ink);
    return TICK_TEXT + canvas_text(canvas, bar.x + bar.w + TICK_TEXT, y + UI_TEXT_TINY * 0.36f,
                                   FONT_NUMBERS, UI_TEXT_TINY, ink, CANVAS_LEFT, text);
}

float view_colour_ticks(struct view *view, struct rect bar, bool upright)
{
    struct canvas *canvas = view->ui->canvas;
    const bool logarithmic = view->is_logarithmic;
    const struct rect steps = stepped_part(view, bar, upright);
    double ticks[VIEW_TICKS_MAX];
    int decimals = 0;
    const size_t ticks_max = (size_t)fmaxf(2, upright ? fminf(bar.h / 24, TICKS_MAX) : bar.w / 48);
    const size_t count = choose_ticks(view, ticks_max, ticks, &decimals);
    float taken = upright ? -INFINITY : INFINITY; /* start of the last number */
    float reach = 0;
    for (size_t i = 0; i < count; i++) {
        const bool zero = logarithmic && ticks[i] == 0;
        const float at = share_place(view, (float)ticks[i]);
        const float t = logarithmic ? (at - SMALLEST_PLACE) / (1 - SMALLEST_PLACE) : at;
        char text[TEXT_NUMBER_MAX + sizeof "≥"];
        const char *const beyond = view->share_over && i == 0            ? "≥"
                                   : view->share_under && i + 1 == count ? "≤"
                                                                         : "";
        const size_t before = strlen(beyond);
        memcpy(text, beyond, before);
        text_number(text + before, ticks[i], logarithmic ? decimals_of_power(ticks[i]) : decimals);
        const float wide = canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_TINY, text);
        if (upright) {
            const float y = zero ? bar.y + bar.h - SWATCH / 2 : steps.y + steps.h * (1 - t);
            const float bottom = bar.y + bar.h - SWATCH / 2 - UI_TEXT_TINY - 1;
            if (y - taken >= UI_TEXT_TINY + 1 && (!logarithmic || zero || y <= bottom)) {
                reach = fmaxf(reach, draw_tick(view, bar, y, text));
                taken = y;
            }
            continue;
        }
        const float x = zero ? bar.x + SWATCH / 2 : steps.x + steps.w * t;
        const float left = fmaxf(bar.x, fminf(x - wide / 2, bar.x + bar.w - wide));
        const bool crowds = logarithmic && !zero && left < bar.x + SWATCH + 8;
        if (left + wide + 5 <= taken && !crowds) {
            canvas_text(canvas, left, bar.y + bar.h + 14, FONT_NUMBERS, UI_TEXT_TINY,
                        view->ui->theme->muted, CANVAS_LEFT, text);
            taken = left;
        }
    }
    return reach;
}

float view_signed_bar(struct view *view, struct rect area, float peak)
{
    enum { STEPS = 64 };
    struct colour steps[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        steps[i] =
            colourmap_colour(view->state->prefs.signed_map, (float)(STEPS - 1 - i) / (STEPS - 1));
    }
    canvas_ramp(view->ui->canvas, area, STEPS, true, steps);
    double ticks[VIEW_TICKS_MAX];
    int decimals = 0;
    const size_t count =
        find_ticks(-(double)peak, (double)peak, (size_t)fmaxf(3, fminf(area.h / 24, TICKS_MAX)),
                   ticks, &decimals);
    float taken = -INFINITY; /* height of the last number */
    float reach = 0;
    for (size_t i = 0; i < count; i++) {
        const float y = area.y + area.h * (0.5f - 0.5f * (float)(ticks[i] / (double)peak));
        char text[TEXT_NUMBER_MAX];
        text_number(text, ticks[i], decimals);
        if (y - taken >= UI_TEXT_TINY + 1) {
            reach = fmaxf(reach, draw_tick(view, area, y, text));
            taken = y;
        }
    }
    return reach;
}

bool view_has_strokes(float wide, float high)
{
    static const float STROKES_FROM = 6;
    return wide >= STROKES_FROM && high >= STROKES_FROM;
}

float view_masked_legend_width(const struct view *view)
{
    return TICK_TEXT + canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, tr("masked")) + 2;
}

void view_masked_legend(struct view *view, struct rect swatch, bool strokes)
{
    struct canvas *const canvas = view->ui->canvas;
    if (strokes) {
        view_mark_hidden(view, swatch);
    } else {
        canvas_rect(canvas, swatch, 0, &(struct paint){.fill = view->ui->theme->line});
    }
    canvas_text(canvas, swatch.x + swatch.w + TICK_TEXT, swatch.y + swatch.h - 2, FONT_WORDS,
                UI_TEXT_TINY, view_label_ink(view), CANVAS_LEFT, tr("masked"));
}

static void fill_ramp(const struct colourmap *map, struct view_ramp *ramp)
{
    for (size_t i = 0; i <= VIEW_RAMP_STEPS; i++) {
        ramp->step[i] = colourmap_colour(map, (float)i / VIEW_RAMP_STEPS);
    }
}

/* Weights with the same first bits share a step: that of their middle, which is at most 0.2 % away.
 */
static void fill_power_steps(const struct view *view, struct view_ramp *ramp)
{
    static const float OF_PEAK =
        1e-4f; /* of the largest; smaller weights have no step of their own */
    const float smallest = view->share_top * OF_PEAK;
    uint32_t bits;
    memcpy(&bits, &smallest, sizeof bits);
    ramp->first_bits = bits >> VIEW_RAMP_SHIFT;
    for (uint32_t i = 0; i < VIEW_RAMP_POWERS; i++) {
        float middle;
        bits = (ramp->first_bits + i) << VIEW_RAMP_SHIFT | 1u << (VIEW_RAMP_SHIFT - 1);
        memcpy(&middle, &bits, sizeof middle);
        const float at = share_place(view, middle) * VIEW_RAMP_STEPS;
        ramp->power[i] = (uint16_t)(at < VIEW_RAMP_STEPS ? at + 0.5f : VIEW_RAMP_STEPS);
    }
}

void view_ramp_of_shares(const struct view *view, struct view_ramp *ramp)
{
    fill_ramp(view->share_map, ramp);
    ramp->each = VIEW_RAMP_STEPS / (view->share_top - view->share_low);
    ramp->zero = -view->share_low * ramp->each;
    ramp->logarithmic = view->is_logarithmic;
    if (ramp->logarithmic) {
        fill_power_steps(view, ramp);
    }
}

void view_ramp_of_signed(const struct view *view, float peak, struct view_ramp *ramp)
{
    fill_ramp(view->state->prefs.signed_map, ramp);
    ramp->each = peak > 0 ? VIEW_RAMP_STEPS / 2 / peak : 0;
    ramp->zero = VIEW_RAMP_STEPS / 2;
    ramp->logarithmic = false;
}

/* Marks of cells that have no square: strokes where a key is hidden or set aside, a disc whose area
 * is the size of a number. */

static const float ROUND_FROM = 9;   /* smaller cells have no round corners */
static const float STROKES_FROM = 6; /* smaller cells have no strokes */
static const float STEP = 6;         /* from stroke to stroke */
static const float DISC_MIN =
    7;                      /* least radius of the largest disc that has its number beside it */
static const float AIR = 2; /* around the largest disc */

struct colour view_mark_ink(const struct view *view)
{
    return colour_mix(view->ui->theme->line, view->ui->theme->faint, 0.35f);
}

static float mark_corner(const struct view *view, struct rect cell)
{
    return cell.w > ROUND_FROM ? view_cell_corner(view, fminf(cell.w, cell.h)) : 0;
}

void view_mark_hidden(struct view *view, struct rect cell)
{
    struct canvas *canvas = view->ui->canvas;
    canvas_rect(canvas, cell, mark_corner(view, cell),
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
    canvas_rect(canvas, cell, mark_corner(view, cell),
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

/* The places of disc and number: beside each other, one over the other, or the disc alone. */
struct disc_places {
    float x, y, radius; /* of the largest disc */
    float text_x, text_y;
    bool number;
};

static struct disc_places place_disc(const struct view *view, struct rect cell, const char *widest)
{
    const float wide = canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, widest);
    const float beside = fminf(cell.h / 2 - AIR, (cell.w - wide - 8) / 2);
    const float over = fminf(cell.w / 2 - AIR, (cell.h - UI_TEXT_TINY - 6) / 2);
    const float middle = cell.x + cell.w / 2;
    if (over >= DISC_MIN && over >= beside && wide + 2 <= cell.w) {
        return (struct disc_places){middle, cell.y + AIR + over, over,
                                    middle, cell.y + cell.h - 4, true};
    }
    if (beside >= DISC_MIN) {
        return (struct disc_places){cell.x + 3 + beside,
                                    cell.y + cell.h / 2,
                                    beside,
                                    cell.x + 5 + 2 * beside + wide / 2,
                                    cell.y + cell.h / 2 + UI_TEXT_TINY * 0.36f,
                                    true};
    }
    const float radius = fmaxf(1, fminf(cell.w, cell.h) / 2 - AIR);
    return (struct disc_places){middle, cell.y + cell.h / 2, radius, 0, 0, false};
}

void view_mark_disc(struct view *view, struct rect cell, const struct view_disc *disc)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct disc_places at = place_disc(view, cell, disc->widest);
    const float pale = disc->dimmed ? 0.62f : 0;
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)disc->value, isfinite(disc->value) ? disc->decimals : 0);
    if (!isfinite(disc->value)) {
        /* −∞ has no size: it is an empty ring with a bar. */
        const struct colour ink = colour_mix(theme->muted, theme->panel, pale);
        const float r = fminf(at.radius, fmaxf(4, at.radius * 0.55f)), bar = r * 0.7071f;
        canvas_circle(canvas, at.x, at.y, r, &(struct paint){.stroke = ink, .width = 1.4f});
        canvas_line(canvas, at.x - bar, at.y + bar, at.x + bar, at.y - bar, 1.4f, ink);
    } else {
        const float share = disc->peak > 0 ? fminf(fabsf(disc->value) / disc->peak, 1) : 0;
        const float t = disc->value < 0 ? 0.14f : 0.86f; /* hue tells the sign, area the size */
        const struct colour hue = colourmap_colour(view->state->prefs.signed_map, t);
        const float r = fmaxf(at.radius * sqrtf(share), disc->value != 0 ? 0.75f : 0);
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

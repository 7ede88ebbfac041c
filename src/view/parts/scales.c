/* One colour scale for all matrices that are compared, and the bar that explains it. */
#include "view/parts/scales.h"

#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/colours.h"
#include "view/parts/downsample.h"
#include "view/parts/learn.h"
#include "view/parts/matrix_internal.h"

enum { BAR_STEPS = 48, SCALES_MAX = 8 };

/* One member of each scale of a stage; LAB_PARTS ends a row. */
static const enum lab_part scales[LAB_STAGES][SCALES_MAX + 1] = {
    [LAB_EMBED] = {LAB_EMBEDDINGS_X, LAB_PARTS},
    [LAB_PROJECT] = {LAB_EMBEDDINGS_X, LAB_W_Q, LAB_W_DKV, LAB_C, LAB_W_UK, LAB_W_UV, LAB_Q, LAB_V,
                     LAB_PARTS},
    [LAB_SCORE] = {LAB_Q, LAB_Q_SCORED, LAB_SCORES, LAB_PARTS},
    [LAB_SCALE] = {LAB_PARTS},
    [LAB_SOFTMAX] = {LAB_PARTS},
    [LAB_BLEND] = {LAB_Z, LAB_PARTS},
    [LAB_OUTPUT] = {LAB_CONCAT, LAB_W_O, LAB_OUTPUT_O, LAB_PARTS},
};

/* Returns the part at a place of the part's scale, from 1; LAB_NODES behind the last. */
static size_t scale_member(enum lab_part part, unsigned place)
{
    const unsigned scale = lab_node_row(part)->scale.of;
    size_t node = 0;
    while (node < LAB_NODES && (scale == LAB_SCALE_OWN || lab_node_row(node)->scale.of != scale ||
                                lab_node_row(node)->scale.place != place)) {
        node++;
    }
    return node;
}

float view_scale_peak(const struct view *view, enum lab_part part, size_t head,
                      const struct lab_matrix *own)
{
    float peak = view_peak(view, own);
    size_t member = LAB_NODES;
    for (unsigned p = 1; view->trace != NULL && (member = scale_member(part, p)) < LAB_NODES; p++) {
        const struct lab_matrix other = lab_trace_part(view->trace, (enum lab_part)member, head);
        peak = other.values == NULL ? peak : fmaxf(peak, view_peak(view, &other));
    }
    return peak;
}

static bool is_drawn(const struct view *view, enum lab_part part)
{
    return (view->drawn >> part & 1u) != 0;
}

/* "Q K": the symbols of a scale's parts that the stage has drawn. */
static const char *drawn_symbols(struct view *view, enum lab_part part)
{
    const bool is_alone = lab_node_row(part)->scale.of == LAB_SCALE_OWN;
    const char *names = is_alone && is_drawn(view, part) ? lab_node_row(part)->symbol : "";
    size_t member = LAB_NODES;
    for (unsigned p = 1; names != NULL && (member = scale_member(part, p)) < LAB_NODES; p++) {
        if (is_drawn(view, (enum lab_part)member)) {
            names = arena_format(view->arena, "%s%s%s", names, names[0] == 0 ? "" : " ",
                                 lab_node_row(member)->symbol);
        }
    }
    return names == NULL ? "" : names;
}

static const float BAR = 40, GAP = 6,
                   APART = 14; /* a scale's bar, gaps in a scale, and between scales */

/* Draws a colour bar between its symbols and its end value, ending at `right`; returns where the
 * next one ends. A scale without room in a figure asks for a smaller font. */
static float draw_colour_bar(struct view *view, const char *names, const char *end,
                             const struct colour steps[BAR_STEPS], float right, struct rect line)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct colour muted = view->ui->theme->muted;
    const float baseline = line.y + line.h - 2;
    const float end_wide = canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_TINY, end);
    const float names_wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_TINY, names);
    const float x = right - end_wide - 2 * GAP - BAR - names_wide;
    if (x < line.x) {
        view_note_lack(view, VIEW_LACKS_ROOM, !view->style.has_controls);
        return right;
    }
    canvas_text(canvas, x, baseline, FONT_WORDS, UI_TEXT_TINY, muted, CANVAS_LEFT, names);
    canvas_ramp(canvas, (struct rect){x + names_wide + GAP, line.y + 3, BAR, line.h - 5}, BAR_STEPS,
                false, steps);
    canvas_text(canvas, right, baseline, FONT_NUMBERS, UI_TEXT_TINY, muted, CANVAS_RIGHT, end);
    return x - APART;
}

/* Draws one scale that ends at `right`; returns where it begins. */
static float draw_scale(struct view *view, enum lab_part part, float right, struct rect line)
{
    const struct lab_matrix own = lab_trace_part(view->trace, part, view->selection.head);
    const struct view_matrix shape = {.peak =
                                          view_scale_peak(view, part, view->selection.head, &own)};
    const float peak = view_matrix_peak(view, &shape);
    char number[TEXT_NUMBER_MAX];
    const char *const end =
        arena_format(view->arena, "±%s", text_number(number, (double)peak, peak < 10 ? 2 : 1));
    const char *const names = drawn_symbols(view, part);
    if (end == NULL || !(peak > 0) || names[0] == '\0') {
        return right;
    }
    struct colour steps[BAR_STEPS];
    for (size_t i = 0; i < BAR_STEPS; i++) {
        steps[i] = colourmap_colour(view->state->prefs.signed_map, (float)i / (BAR_STEPS - 1));
    }
    return draw_colour_bar(view, names, end, steps, right, line);
}

/* Draws the scale of the weights in a figure, with the swatch of masked cells. */
static float draw_shares(struct view *view, float right, struct rect line)
{
    static const float SIDE = 9;          /* of the swatch of masked cells */
    static const float POWER_MIN = 1e-4f; /* of the largest weight, on a logarithmic scale */
    char low[TEXT_NUMBER_MAX], high[TEXT_NUMBER_MAX];
    const bool logarithmic = view->is_logarithmic;
    const double low_end = (double)(logarithmic ? view->share_top * POWER_MIN : view->share_low);
    const char *const names = arena_format(
        view->arena, "%s  %s%s", lab_graph_symbol(lab_trace_graph(view->trace), LAB_ALPHA),
        view->share_under ? "≤" : "",
        low_end > 0 || view->is_signed ? text_number(low, low_end, low_end < 0.01 ? 6 : 2) : "0");
    const char *const end = arena_format(view->arena, "%s%s", view->share_over ? "≥" : "",
                                         text_number(high, (double)view->share_top, 2));
    struct colour steps[BAR_STEPS];
    for (size_t i = 0; i < BAR_STEPS; i++) {
        steps[i] = colourmap_colour(view->share_map, (float)i / (BAR_STEPS - 1));
    }
    if (lab_trace_hides(view->trace)) {
        const float wide = SIDE + view_masked_legend_width(view);
        const struct rect swatch = {right - wide, line.y + 2, SIDE, SIDE};
        view_note_lack(view, VIEW_LACKS_ROOM, swatch.x < line.x);
        view_masked_legend(view, swatch, view->masked_strokes);
        right = swatch.x - APART;
    }
    return names == NULL || end == NULL ? right
                                        : draw_colour_bar(view, names, end, steps, right, line);
}

bool view_scales_are_there(const struct view *view)
{
    const struct view_learn *const learn = view->state->learn;
    const bool of_values = learn == NULL || learn->show == VIEW_LEARN_VALUE;
    return of_values &&
           (!view->style.has_cards || scales[view->state->playback.stage][0] != LAB_PARTS);
}

void view_scales(struct view *view, struct rect line)
{
    float right = line.x + line.w;
    canvas_group(view->ui->canvas, ui_id(view->ui, "scales"), "Scales of the colours");
    const enum lab_part *const drawn = scales[view->state->playback.stage];
    size_t count = 0;
    while (drawn[count] != LAB_PARTS) {
        count++;
    }
    while (count-- > 0) {
        const enum lab_part part = drawn[count];
        if (lab_trace_part(view->trace, part, 0).values != NULL) {
            right = draw_scale(view, part, right, line);
        }
    }
    if (!view->style.has_cards && is_drawn(view, LAB_ALPHA)) {
        right = draw_shares(view, right, line);
    }
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, ui_id(view->ui, "scales"),
           (struct rect){right, line.y, line.x + line.w - right, line.h},
           "Matrices that are compared share one scale of colours; this is where it ends");
}

/* The overlay with text that the weights write after the tokens on the stages, and the settings of
 * its draw. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float WIDE = 760, HIGH = 430, EDGE = 24, SLIDERS = 74, TEXT = 134, LINE = 26,
                   BASE = 18, FOOT = 58;
static const float GAP = 18;

static const struct view_draw_row rows[VIEW_DRAWS] = {
    [VIEW_DRAW_TEMPERATURE] = {"temperature",
                               "The logits are divided by it: below 1 the likeliest words win, "
                               "above 1 all become alike",
                               0.01, 100, 0.1, 5, 0, true, 2},
    [VIEW_DRAW_TOP_P] = {"top p",
                         "Only of the likeliest words that together have this share of all", 0.01,
                         1, 0.05, 1, 0.01, false, 2},
    [VIEW_DRAW_SEED] = {"seed", "The same seed writes the same text", 0, 99, 0, 99, 1, false, 0},
    [VIEW_DRAW_WORDS] = {"how many", "How many words, or letters, are written", 1, 200, 1, 200, 1,
                         false, 0},
};

const struct view_draw_row *view_draw_row(size_t which)
{
    return which < VIEW_DRAWS ? &rows[which] : NULL;
}

static void draw_sliders(struct view *view, struct rect line)
{
    const double *const draw = view->state->learn->text.draw;
    const float wide = (line.w - GAP * (VIEW_DRAWS - 1)) / VIEW_DRAWS;
    for (size_t d = 0; d < VIEW_DRAWS; d++) {
        double value = draw[d];
        const struct ui_slider slider = {.label = rows[d].label,
                                         .value = value,
                                         .low = rows[d].slider_low,
                                         .high = rows[d].slider_high,
                                         .step = rows[d].step,
                                         .logarithmic = rows[d].logarithmic,
                                         .decimals = rows[d].decimals,
                                         .tip = rows[d].tip};
        const struct rect place = {line.x + (float)d * (wide + GAP), line.y, wide, line.h};
        if (ui_slider(view->ui, rows[d].label, place, &slider, &value)) {
            view_learn_action(view, VIEW_LEARN_DRAW, d, value);
        }
    }
}

/* Draws tokens in lines, without the first `hidden` lines; none if hidden is SIZE_MAX. Returns how
 * many lines there are. */
static size_t draw_text_lines(struct view *view, struct rect area, size_t hidden)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn_text *const text = &view->state->learn->text;
    const float space = view->state->learn->letters
                            ? 0
                            : canvas_measure(canvas, FONT_WORDS, UI_TEXT_BODY, "n") * 0.6f;
    float x = 0;
    size_t line = 0;
    for (size_t w = 0; w < text->given + text->words; w++) {
        const bool written = w >= text->given;
        const enum font_face face = written ? FONT_WORDS_BOLD : FONT_WORDS;
        const float wide = canvas_measure(canvas, face, UI_TEXT_BODY, text->word[w]);
        if (x + wide > area.w && x > 0) {
            x = 0;
            line++;
        }
        if (line >= hidden) {
            const float y = area.y + (float)(line - hidden) * LINE + BASE;
            canvas_text(canvas, area.x + x, y, face, UI_TEXT_BODY,
                        text->is_old ? theme->muted
                        : written    ? theme->output
                                     : theme->ink,
                        CANVAS_LEFT, text->word[w]);
        }
        x += wide + space;
    }
    return line + 1;
}

/* Draws the given tokens in ink and the written ones in the colour of next tokens. If not all of it
 * fits, only the end, below a line that says how many lines are before it. */
static void draw_written_text(struct view *view, struct rect area)
{
    const size_t lines = draw_text_lines(view, area, SIZE_MAX);
    const size_t fit = (size_t)fmaxf(area.h / LINE, 2);
    canvas_clip(view->ui->canvas, area);
    if (lines <= fit) {
        draw_text_lines(view, area, 0);
    } else {
        const size_t hidden = lines - (fit - 1);
        view_text_fitted(
            view, (struct point){area.x, area.y + BASE}, UI_TEXT_SMALL, CANVAS_LEFT,
            arena_format(view->arena,
                         tr_n("… %zu line is before these", "… %zu lines are before these", hidden),
                         hidden),
            area.w);
        draw_text_lines(view, (struct rect){area.x, area.y + LINE, area.w, area.h - LINE}, hidden);
    }
    canvas_unclip(view->ui->canvas);
}

static void draw_buttons(struct view *view, struct rect card)
{
    const struct view_learn *const learn = view->state->learn;
    const struct ui_button take = {.label =
                                       learn->letters ? "Take these letters" : "Take these words",
                                   .style = UI_BUTTON_STRONG,
                                   .tip = "They stand on the stages, as far back as the weights "
                                          "see (Enter)"};
    const struct ui_button again = {
        .label = "Another seed", .icon = UI_ICON_DICE, .tip = "Write another text"};
    const float y = card.y + card.h - FOOT + 10;
    const float wide = ui_button_width(view->ui, take.label);
    const float other = ui_button_width(view->ui, again.label) + 24;
    const float x = card.x + card.w - EDGE - wide;
    if (ui_button(view->ui, "take", (struct rect){x, y, wide, 32}, &take) ||
        ui_stroke_consumed(view->ui, 0, UI_KEY_ENTER, 0)) {
        view_learn_action(view, VIEW_LEARN_KEEP, 0, 0);
    }
    if (ui_button(view->ui, "again", (struct rect){x - 10 - other, y, other, 32}, &again)) {
        view_learn_action(
            view, VIEW_LEARN_DRAW, VIEW_DRAW_SEED,
            fmod(learn->text.draw[VIEW_DRAW_SEED] + 1, rows[VIEW_DRAW_SEED].high + 1));
    }
}

void view_learn_write(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    const struct ui_theme *const theme = view->ui->theme;
    const struct rect card = view_overlay_place(view, area, WIDE, HIGH);
    const struct view_overlay_frame frame = {.name = "write", .label = "Write", .place = card};
    const struct rect body = {card.x + EDGE, card.y + TEXT, card.w - 2 * EDGE,
                              fmaxf(card.h - TEXT - FOOT, 1)};
    view_overlay_begin(view, area, &frame);
    canvas_text_cut(view->ui->canvas, card.x + EDGE, card.y + 34, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    theme->ink, CANVAS_LEFT, tr("What these weights write"), card.w - 90);
    if (learn != NULL && learn->text.none) {
        view_notice(view, body, "Nothing to write",
                    "This task asks for no next word: every place has an answer of its own.");
    } else if (learn != NULL) {
        char step[TEXT_NUMBER_MAX];
        view_text_fitted(
            view, (struct point){card.x + EDGE, card.y + 58}, UI_TEXT_SMALL, CANVAS_LEFT,
            arena_format(view->arena,
                         learn->letters ? "Step %s: each letter is drawn by its share, and then "
                                          "the next behind it."
                                        : "Step %s: each word is drawn by its share, and then "
                                          "the next behind it.",
                         text_count(step, learn->step)),
            card.w - 2 * EDGE);
        draw_sliders(view, (struct rect){card.x + EDGE, card.y + SLIDERS, body.w, 38});
        draw_written_text(view, body);
        draw_buttons(view, card);
    }
    view_overlay_end(view, &frame);
}

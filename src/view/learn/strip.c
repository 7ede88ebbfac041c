/* The training panel: play, speed and numbers at the left, the curves over the track, and at the
 * right the next tokens. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/learn/curves.h"
#include "view/learn/names.h"
#include "view/learn/time.h"
#include "view/parts/hints.h"
#include "view/parts/pieces.h"

static const float HIGH = 118, LOWEST_STRIP = 56; /* heights of the panel; in a small window */
static const struct view_length LOW = {.near = 92, .far = 104}; /* in a low window */
static const float LOW_BELOW = 720;
static const float LEFT = 212, RIGHT = 316, RIGHT_NARROW = 196, NARROW = 1150;
static const struct view_length LEFT_NARROW = {.near = 188, .far = 200};
static const float EDGE = 16, PLAY = 44;
static const float MENU_ICON = 42; /* width of a menu beside its text */

static const char *const speeds[VIEW_LEARN_SPEEDS] = {"1",    "1/2",  "1/5",   "1/10",
                                                      "1/20", "1/50", "1/100", "1/1000"};

const char *view_learn_speed_name(size_t speed)
{
    return speeds[speed < VIEW_LEARN_SPEEDS ? speed : VIEW_LEARN_SPEEDS - 1];
}

bool view_learn_is_shown(const struct view_state *state)
{
    return state->learn != NULL && !state->prefs.learn_folded;
}

float view_learn_strip_height(const struct view *view, float height, bool small)
{
    return small ? LOWEST_STRIP : height < LOW_BELOW ? view_length(view, LOW) : HIGH;
}

/* --- The controls at the left. --- */

static void draw_play_button(struct view *view, struct rect place)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const bool training = view->state->learn->training;
    const uint32_t id = ui_id(view->ui, "train");
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    canvas_group(canvas, id, training ? tr("Pause training") : tr("Train"));
    canvas_rect(canvas, place, UI_CORNER,
                &(struct paint){.fill = touch.hover ? colour_mix(theme->ink, theme->accent, 0.35f)
                                                    : theme->ink});
    ui_draw_icon(view->ui, training ? UI_ICON_PAUSE : UI_ICON_PLAY,
                 rect_inset(place, place.h * 0.28f), theme->panel);
    ui_draw_focus(view->ui, id, place, UI_CORNER);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, place,
           training ? tr("Pause training (Ctrl+Space)")
                    : tr("Train: the weights go on learning from here (Ctrl+Space)"));
    if (touch.clicked) {
        view_learn_action(view, VIEW_LEARN_PLAY, 0, 0);
    }
}

static const char *state_title(const struct view *view)
{
    const struct view_learn *const learn = view->state->learn;
    return learn->training                ? tr("Training")
           : learn->replays               ? tr("On the way")
           : learn->step < learn->reached ? tr("As it was")
           : learn->step == 0             ? tr("Random weights")
           : learn_was_read(learn)        ? tr("Learned before")
           : learn->step >= learn->steps  ? tr("Finished")
                                          : tr("Paused");
}

/* "step 910 of 3 000" */
static const char *step_text(struct view *view)
{
    const struct view_learn *const learn = view->state->learn;
    char step[TEXT_NUMBER_MAX], steps[TEXT_NUMBER_MAX];
    const size_t all = learn->reached > learn->steps ? learn->reached : learn->steps;
    return arena_words(view->arena, tr("step %s of %s"), text_count(step, learn->step),
                       text_count(steps, all));
}

/* "loss 0.407 · right 82 %" */
static const char *numbers_text(struct view *view)
{
    const struct view_learn *const learn = view->state->learn;
    char loss[TEXT_NUMBER_MAX];
    if (!isfinite(learn->loss)) {
        return tr("loss —");
    }
    const char *const read = view_read_numbers(view, text_small_number(loss, learn->loss, 3));
    return isfinite(learn->right) ? arena_words(view->arena, tr("loss %s · right %s"), read,
                                                learn_share_text(view, learn->right))
                                  : arena_words(view->arena, tr("loss %s"), read);
}

/* Draws "2 700 steps/s ×" and the menu of speeds; training below full speed shows the present one:
 * "270 steps/s at ×". */
static void draw_speed_menu(struct view *view, struct rect line)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_learn *const learn = view->state->learn;
    char count[TEXT_NUMBER_MAX];
    const bool slow = learn->training && learn->speed != 0 && learn->pace > 0;
    const double fast = slow ? learn->pace : learn->training ? learn->per_second : 0;
    const size_t rounded = fast >= 100 ? (size_t)(fast / 10 + 0.5) * 10 : (size_t)(fast + 0.5);
    const char *const text =
        slow && fast < 10
            ? arena_words(view->arena, tr("%s steps/s at ×"), text_number(count, fast, 1))
        : slow     ? arena_words(view->arena, tr("%s steps/s at ×"), text_count(count, rounded))
        : fast > 0 ? arena_words(view->arena, tr("%s steps/s ×"), text_count(count, rounded))
                   : tr("speed ×");
    const float menu = fmaxf(64, canvas_measure(canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY,
                                                view_learn_speed_name(learn->speed)) +
                                     MENU_ICON);
    canvas_text_cut(canvas, line.x, line.y + 15, FONT_WORDS, UI_TEXT_SMALL, view->ui->theme->muted,
                    CANVAS_LEFT, text, line.w - menu - 6);
    const float wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, text);
    const struct rect place = {line.x + fminf(wide + 8, line.w - menu), line.y, menu, line.h};
    const struct ui_menu control = {
        .rows = speeds,
        .count = VIEW_LEARN_SPEEDS,
        .current = learn->speed,
        .content = true,
        .tip = "How fast it trains: 1 is as fast as it goes; one step at a time with Ctrl+→"};
    const size_t chosen = ui_menu(view->ui, "training speed", place, &control);
    if (chosen < VIEW_LEARN_SPEEDS) {
        view_learn_action(view, VIEW_LEARN_SPEED, chosen, 0);
    }
}

/* Draws loss and accuracy of the batch, which a click opens. */
static void draw_batch_numbers(struct view *view, struct rect place)
{
    const struct ui_theme *const theme = view->ui->theme;
    const uint32_t id = ui_id(view->ui, "batch");
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    canvas_group(view->ui->canvas, id, tr("Batch"));
    view_text_whole(view, place.x, place.y + 13, FONT_NUMBERS, view->style.small,
                    touch.hover ? theme->accent : theme->muted, CANVAS_LEFT, numbers_text(view),
                    place.w);
    ui_draw_focus(view->ui, id, place, 3);
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, id, place, "Of the batch of this step: a click shows its sentences");
    if (touch.clicked) {
        view_action_command(view, "look at batch");
    }
}

static void draw_controls(struct view *view, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn *const learn = view->state->learn;
    const bool low = area.h < HIGH;
    const float play = low ? 34 : PLAY, top = area.y + (low ? 10 : 16);
    draw_play_button(view, (struct rect){area.x, top, play, play});
    const float x = area.x + play + 14, wide = area.x + area.w - x;
    const char *const note = learn->note;
    canvas_text_cut(canvas, x, top + (low ? 13 : 18), FONT_WORDS_BOLD, UI_TEXT_BODY, theme->ink,
                    CANVAS_LEFT, state_title(view), wide);
    view_text_whole(view, x, top + (low ? 30 : 37), FONT_NUMBERS, view->style.small, theme->muted,
                    CANVAS_LEFT, step_text(view), wide);
    if (area.h <= LOWEST_STRIP) {
        return;
    }
    const float menu = low ? 20 : 22;
    draw_speed_menu(view, (struct rect){area.x, top + play + (low ? 4 : 8), area.w, menu});
    const float last = top + play + menu + (low ? 17 : 26);
    if (note != NULL) {
        view_text_fitted(view, (struct point){area.x, last}, UI_TEXT_SMALL, CANVAS_LEFT, note,
                         area.w);
    } else {
        draw_batch_numbers(view, (struct rect){area.x, last - 13, area.w, 17});
    }
}

/* --- The next tokens at the right. --- */

static void draw_next_token(struct view *view, size_t index, struct rect area, float words)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_next *const next = &view->state->learn->next[index];
    const float number = view_length(view, (struct view_length){56, 62}); /* "100.0 %" */
    const uint32_t id = ui_id_number(view->ui, "next word", index);
    const bool hides = view_guess_hides_next(view);
    const bool joins = view->state->learn->next_joins && !hides;
    const char *const word = hides ? "?" : next->word;
    const struct ui_touch touch =
        joins ? ui_touch(view->ui, id, area, true) : (struct ui_touch){.hover = false};
    char digits[TEXT_NUMBER_MAX];
    const float y = area.y + area.h / 2 + 4.5f;
    canvas_group(canvas, id, word);
    if (touch.hover) {
        canvas_rect(canvas, area, 5, &(struct paint){.fill = colour_fade(theme->control, 0.6f)});
    }
    canvas_text_cut(canvas, area.x, y, FONT_WORDS_BOLD, view->style.small, theme->ink, CANVAS_LEFT,
                    word, words - 6);
    const struct rect track = {area.x + words, area.y + area.h / 2 - 4.5f,
                               fmaxf(area.w - words - number, 1), 9};
    canvas_rect(canvas, track, 4.5f, &(struct paint){.fill = theme->control});
    const float filled = fmaxf(2, track.w * (float)next->share);
    if (next->share >= 0.0005 && !hides) { /* less is written as "< 0.1 %" */
        canvas_rect(canvas, (struct rect){track.x, track.y, filled, track.h},
                    fminf(4.5f, filled / 2), &(struct paint){.fill = theme->output});
    }
    text_percent(digits, next->share);
    const char *const percent = arena_format(view->arena, "%s %%", digits);
    canvas_text(canvas, area.x + area.w, y, FONT_NUMBERS, view->style.small, theme->muted,
                CANVAS_RIGHT, percent != NULL && !hides ? percent : "");
    ui_draw_focus(view->ui, id, area, 4);
    canvas_ungroup(canvas);
    if (joins) {
        ui_tip(view->ui, id, area,
               arena_format(view->arena, "Take “%s”: the text grows by it", next->word));
    }
    if (touch.clicked) {
        view_learn_action(view, VIEW_LEARN_TAKE, index, 0);
    }
}

static float write_width(const struct view *view)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_SMALL, tr("Write …"));
}

/* Draws the link to the overlay in which the weights write text. */
static void draw_write_link(struct view *view, struct rect area, float title)
{
    const struct ui_theme *const theme = view->ui->theme;
    const uint32_t id = ui_id(view->ui, "write");
    const float wide = write_width(view);
    const struct rect place = {area.x + area.w - wide, area.y + title - 17, wide, 19};
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    canvas_group(view->ui->canvas, id, tr("Write …"));
    canvas_text(view->ui->canvas, place.x, place.y + 14, FONT_WORDS_BOLD, UI_TEXT_SMALL,
                touch.hover ? theme->ink : theme->accent, CANVAS_LEFT, tr("Write …"));
    ui_draw_focus(view->ui, id, place, 3);
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, id, place, "Let these weights write: word after word, drawn by their shares");
    if (touch.clicked) {
        view_action_command(view, "write");
    }
}

/* Draws the link to the overlay that says which line of the text taught the first of them. */
static void draw_blame_link(struct view *view, struct rect place)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn *const learn = view->state->learn;
    const uint32_t id = ui_id(view->ui, "blame");
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    const char *const words = tr("Which line taught it that?");
    canvas_group(view->ui->canvas, id, words);
    view_text_whole(view, place.x, place.y + place.h / 2 + 4.5f, FONT_WORDS_BOLD, UI_TEXT_SMALL,
                    touch.hover ? theme->ink : theme->accent, CANVAS_LEFT, words, place.w);
    ui_draw_focus(view->ui, id, place, 3);
    canvas_ungroup(view->ui->canvas);
    ui_tip(
        view->ui, id, place,
        arena_format(view->arena,
                     "Leave each line out, train again, and see whether it still says “%s” (⇧ W)",
                     learn->next[0].word));
    if (touch.clicked) {
        view_action_command(view, "blame");
    }
}

static void draw_next_tokens(struct view *view, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_learn *const learn = view->state->learn;
    const float row = area.h < HIGH ? 20 : 25, title = area.h < HIGH ? 21 : 28;
    const char *const heading = learn->next_title;
    if (learn->next_count == 0) { /* the title says why there are none */
        view_text_fitted(view, (struct point){area.x, area.y + title - 3}, UI_TEXT_SMALL,
                         CANVAS_LEFT, heading, area.w);
        return;
    }
    const bool room =
        canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, heading) + write_width(view) + 10 <=
        area.w;
    if (view->style.has_controls && learn->next_writes && room) {
        draw_write_link(view, area, title); /* without room Ctrl+K leads there */
    }
    view_text_fitted(view, (struct point){area.x, area.y + title - 3}, UI_TEXT_SMALL, CANVAS_LEFT,
                     heading, area.w);
    float wide = 0;
    const bool asks = view->style.has_controls && learn->has_lines && learn->step > 0 &&
                      !view_guess_hides_next(view);
    const size_t rows = (size_t)fmaxf(1, (area.h - title - 8) / row);
    const size_t fit = asks && rows > 1 ? rows - 1 : rows;
    const size_t count = learn->next_count < fit ? learn->next_count : fit;
    if (asks && rows > 1) {
        draw_blame_link(
            view, (struct rect){area.x, area.y + title + (float)fit * row + 3, area.w, row - 2});
    }
    for (size_t i = 0; i < count; i++) {
        wide = fmaxf(
            wide, canvas_measure(canvas, FONT_WORDS_BOLD, view->style.small, learn->next[i].word));
    }
    wide = fminf(wide + 14, area.w * 0.4f);
    for (size_t i = 0; i < count; i++) {
        draw_next_token(view, i,
                        (struct rect){area.x, area.y + title + (float)i * row + 3, area.w, row - 2},
                        wide);
    }
}

/* Draws the switch between a linear and a logarithmic time scale. */
static void draw_scale_switch(struct view *view, struct rect place)
{
    const bool linear = view->state->prefs.learn_linear;
    const uint32_t id = ui_id(view->ui, "time scale");
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    canvas_group(view->ui->canvas, id, "Time scale");
    canvas_text_cut(view->ui->canvas, place.x, place.y + 12, FONT_WORDS, UI_TEXT_TINY,
                    touch.hover ? view->ui->theme->accent : view->ui->theme->muted, CANVAS_LEFT,
                    linear ? tr("linear") : tr("log"), place.w);
    ui_draw_focus(view->ui, id, place, 3);
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, id, place, "Time: every step as wide as the next, or by its logarithm");
    if (touch.clicked) {
        view_action_set(view, prefs.learn_linear, !linear);
    }
}

void view_learn_strip(struct view *view, struct rect area)
{
    const bool narrow = area.w < NARROW;
    const float left = narrow ? view_length(view, LEFT_NARROW) : LEFT;
    const bool shows_next = view->state->learn->next_title != NULL &&
                            view_guess(view) == LAB_GUESS_NONE && area.h > LOWEST_STRIP;
    const float right = !shows_next ? 0 : narrow ? RIGHT_NARROW : RIGHT;
    view_panel(view, area, "Training");
    ui_push(view->ui, "training");
    draw_controls(view, (struct rect){area.x + EDGE, area.y, left, area.h});
    const float x = area.x + EDGE + left + 10;
    const float end = area.x + area.w - EDGE - (right > 0 ? right + 20 : 0);
    const struct rect curves = {x, area.y + 6, fmaxf(end - x, 1), area.h - 9};
    const float names = learn_names_width(view, curves);
    learn_curves(view, curves);
    draw_scale_switch(
        view, (struct rect){end - names + 6, area.y + area.h - 19, LEARN_NAMES_MIN - 6, 16});
    if (right > 0) {
        draw_next_tokens(view, (struct rect){end + 20, area.y, right, area.h});
    }
    view_hint_at(view, VIEW_HINT_STRIP, area);
    ui_pop(view->ui);
    canvas_ungroup(view->ui->canvas);
}

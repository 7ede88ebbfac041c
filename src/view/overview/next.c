/* The tokens that may come next: their probabilities, the temperature, and how one of them is
 * chosen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/overview/thumbnail.h"
#include "view/parts/head_overview.h"
#include "view/parts/pieces.h"

static const float EDGE = 20, TOKEN_MIN = 92, TOKEN_MAX = 150, TOKEN_HIGH = 54, GAP = 16;
static const float SLIDER_WIDE = 132, SLIDER_MIN = 72, SEED_FROM = 360, BUTTON_WIDE = 108,
                   SEED_WIDE = 40;
static const double COOLEST = 0.1, HOTTEST = 5;

/* Says whether next words stand beside those of what was kept to compare with. */
static bool is_compared(const struct view *view)
{
    return view->baseline != NULL && view->state->head_overview->kept_count > 0;
}

/* Writes a share in percent: exactly in the window, without exponents in presenter mode. */
static const char *share_text(const struct view *view, char out[TEXT_NUMBER_MAX], double share)
{
    return view->style.is_far ? text_percent(out, share) : text_nonzero_number(out, share * 100, 1);
}

/* Draws the share that a word had where it was kept to compare with below its present one, and says
 * so behind it. Returns what is said. */
static const char *compare_kept(struct view *view, const struct view_next *next, struct rect area,
                                const char *percent)
{
    const struct view_head_overview *const head_overview = view->state->head_overview;
    for (size_t n = 0; is_compared(view) && n < head_overview->kept_count; n++) {
        const struct view_next *const kept = &head_overview->kept[n];
        if (strcmp(kept->word, next->word) == 0) {
            char number[TEXT_NUMBER_MAX];
            share_text(view, number, kept->share);
            canvas_rect(
                view->ui->canvas,
                (struct rect){area.x, area.y + 28, fmaxf(2, area.w * (float)kept->share), 3}, 1.5f,
                &(struct paint){.fill = view->ui->theme->muted});
            const char *const was = arena_words(view->arena, "%s, was %s", percent, number);
            const float wide = canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, was);
            return wide <= area.w ? was : arena_format(view->arena, "%s ← %s", percent, number);
        }
    }
    return is_compared(view) ? arena_words(view->arena, "%s, new here", percent) : percent;
}

/* Draws the way to why the model says this word, below its bar, where what is compared leaves it
 * room. Returns whether it was taken. */
static bool draw_question(struct view *view, size_t index, struct rect area)
{
    const struct ui_theme *const theme = view->ui->theme;
    const char *const words = tr("why?");
    if (!view->style.has_controls || is_compared(view)) {
        return false;
    }
    const float wide = canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, words);
    const struct rect place = {area.x + area.w - wide - 8, area.y + 30, wide + 8, 17};
    const uint32_t id = ui_id_number(view->ui, "why", index);
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    canvas_text(view->ui->canvas, place.x + 4, area.y + 42, FONT_WORDS, UI_TEXT_TINY,
                touch.hover ? theme->accent : theme->muted, CANVAS_LEFT, words);
    ui_draw_focus(view->ui, id, place, 4);
    ui_tip(view->ui, id, place,
           "Which parts of the model say this word, and what is lost without them");
    if (touch.clicked) {
        view_action_set(view, why_word, view->state->head_overview->next[index].id + 1);
        view_action_set(view, why_rival, 0); /* the likeliest other one */
        view_action_set(view, why_named[1][0], '\0');
        view_action_set(view, why_shown, true);
    }
    return touch.clicked;
}

static void draw_next_token(struct view *view, size_t index, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_next *const next = &view->state->head_overview->next[index];
    const uint32_t id = ui_id_number(view->ui, "next", index);
    const struct ui_touch touch = ui_touch(view->ui, id, area, true);
    char number[TEXT_NUMBER_MAX];
    share_text(view, number, next->share);
    const char *const percent = arena_words(view->arena, "%s %%", number);
    canvas_group(canvas, id, next->word);
    if (touch.hover) {
        canvas_rect(canvas, rect_inset(area, -5), 6, &(struct paint){.fill = theme->control});
    }
    canvas_text_cut(canvas, area.x, area.y + 13, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->ink,
                    CANVAS_LEFT, next->word, area.w);
    const struct rect track = {area.x, area.y + 20, area.w, 7};
    canvas_rect(canvas, track, 3.5f,
                &(struct paint){.fill = touch.hover ? theme->line : theme->control});
    canvas_rect(canvas, (struct rect){track.x, track.y, fmaxf(2, track.w * (float)next->share), 7},
                3.5f, &(struct paint){.fill = theme->output});
    view_text_whole(view, area.x, area.y + 42, FONT_NUMBERS, UI_TEXT_TINY, theme->muted,
                    CANVAS_LEFT, compare_kept(view, next, area, percent), area.w + 4);
    ui_draw_focus(view->ui, id, rect_inset(area, -5), 6);
    ui_tip(view->ui, id, area,
           arena_format(view->arena,
                        view->state->head_overview->mask == NULL
                            ? tr("Take “%s”: the text grows by it")
                            : tr("Take “%s”: it stands where the masked word was"),
                        next->word));
    canvas_ungroup(canvas);
    const bool asks = draw_question(view, index, area);
    if (touch.clicked && !asks) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_TAKE, index);
    }
}

static const char *computed_text(struct view *view)
{
    const size_t computed = view->state->head_overview->computed;
    return arena_words(view->arena, tr_n("%zu row computed", "%zu rows computed", computed),
                       computed);
}

/* "1 row computed, 8 rows of keys and values kept" */
static const char *cache_text(struct view *view)
{
    const size_t kept = view->state->head_overview->cached;
    const char *const rows = computed_text(view);
    return kept == 0 ? rows
                     : arena_words(view->arena, "%s, %s", rows,
                                   arena_words(view->arena,
                                               tr_n("%zu row of keys and values kept",
                                                    "%zu rows of keys and values kept", kept),
                                               kept));
}

/* Draws the note about the cache after the title, as much of it as fits. */
static void draw_cache_note(struct view *view, struct rect line)
{
    const float font_min = 9; /* smaller fonts cannot be read */
    struct canvas *const canvas = view->ui->canvas;
    const char *const whole = cache_text(view), *const rows = computed_text(view);
    const bool all = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, whole) <= line.w;
    const char *const text = all ? whole : rows;
    if (canvas_measure(canvas, FONT_WORDS, font_min, text) > line.w) {
        return;
    }
    (void)view_text_whole(view, line.x, line.y + 14, FONT_WORDS, UI_TEXT_SMALL,
                          view->ui->theme->muted, CANVAS_LEFT, text, line.w);
    ui_tip(view->ui, ui_id(view->ui, "cache"), line,
           arena_format(view->arena,
                        "%s: what the last word cost in every layer. A word that is added at "
                        "the end needs one new row; the keys and values of the others stay",
                        whole));
}

/* Draws the seed, which can be typed where it stands, up to x. Returns its left end. */
static float draw_seed(struct view *view, float x, float y)
{
    static const float PAD = 8;
    static const double SEED_MAX = 9007199254740992; /* larger ones are no double */
    char text[TEXT_NUMBER_MAX];
    snprintf(text, sizeof text, "%llu", (unsigned long long)view->state->head_overview->seed);
    const float wide = fmaxf(
        SEED_WIDE, canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, text) + 2 * PAD);
    const struct ui_field field = {.label = "seed",
                                   .text = text,
                                   .tip = "The same seed draws the same words, from the first on",
                                   .face = FONT_NUMBERS,
                                   .size = UI_TEXT_TINY,
                                   .one_number = true};
    const struct ui_field_answer answer =
        ui_field(view->ui, "seed", (struct rect){x - wide, y + 11, wide, 24}, &field);
    if (answer.event == UI_FIELD_COMMITTED && answer.text[0] != '\0' &&
        strcmp(answer.text, text) != 0) {
        double number = -1;
        const bool taken =
            text_to_double(answer.text, &number) && number <= SEED_MAX && number == floor(number);
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                                .overview = {.act = VIEW_HEAD_OVERVIEW_SEED,
                                                             .number = taken ? number : -1}});
    }
    x -= wide + 6;
    return x - canvas_text(view->ui->canvas, x, y + 28, FONT_WORDS, UI_TEXT_TINY,
                           view->ui->theme->muted, CANVAS_RIGHT, tr("seed"));
}

/* Draws the temperature and the random draw with its seed at the right of the title, which ends at
 * `left`. Returns their left end. */
static float draw_controls(struct view *view, struct rect area, float left)
{
    const struct view_head_overview *const head_overview = view->state->head_overview;
    float x = area.x + area.w - EDGE - BUTTON_WIDE;
    const struct ui_button button = {
        .label = "Draw one",
        .icon = UI_ICON_DICE,
        .tip = "One of all words at random, each as likely as its share; the same seed draws the "
               "same words"};
    if (ui_button(view->ui, "draw", (struct rect){x, area.y + 10, BUTTON_WIDE, 26}, &button)) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_DRAW, 0);
    }
    if (head_overview->attentions > 1) {
        x -= BUTTON_WIDE + 8;
        const struct ui_button write = {
            .label = "Write all",
            .tip = "The model writes the second text anew: the likeliest word each time, up to its "
                   "end"};
        if (ui_button(view->ui, "write", (struct rect){x, area.y + 10, BUTTON_WIDE, 26}, &write)) {
            view_head_overview_action(view, VIEW_HEAD_OVERVIEW_WRITE, 0);
        }
    }
    x -= 10;
    if (x - area.x > SEED_FROM) { /* otherwise the title needs the room */
        x = draw_seed(view, x, area.y) - 14;
    }
    const float wide = fminf(SLIDER_WIDE, x - left);
    if (wide < SLIDER_MIN) {
        return x;
    }
    x -= wide;
    double value = head_overview->temperature;
    const struct ui_slider slider = {
        .label = "temperature",
        .value = head_overview->temperature,
        .low = COOLEST,
        .high = HOTTEST,
        .logarithmic = true,
        .decimals = 2,
        .tip = "The logits are divided by it: below 1 the likeliest words win, above 1 all become "
               "alike"};
    if (ui_slider(view->ui, "next temperature", (struct rect){x, area.y + 5, wide, 38}, &slider,
                  &value)) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                                .overview = {.act = VIEW_HEAD_OVERVIEW_TEMPERATURE,
                                                             .number = value}});
    }
    return x;
}

bool view_next_is_shown(const struct view_head_overview *head_overview)
{
    return head_overview->next_count > 0 || head_overview->mask != NULL ||
           head_overview->expects_next;
}

/* Draws how to mask a word, or that the tokens are being computed. */
static void draw_hint(struct view *view, struct rect area)
{
    const struct view_head_overview *const head_overview = view->state->head_overview;
    if (head_overview->expects_next) {
        view_wrapped(view, area.x, area.y, area.w, UI_TEXT_SMALL, view->ui->theme->muted,
                     tr("Computing: the words stand here when the last layer is there."));
        return;
    }
    const char *const mask = arena_words(
        view->arena, "Type %s in place of a word: what the model would put there stands here.",
        head_overview->mask);
    const char *const pair =
        head_overview->closes == NULL
            ? ""
            : arena_words(view->arena, "Type %s where a second sentence begins.",
                          head_overview->closes);
    view_wrapped(view, area.x, area.y, area.w, UI_TEXT_SMALL, view->ui->theme->muted,
                 arena_format(view->arena, "%s %s", mask, pair));
}

static const char *format_headline(struct view *view)
{
    const struct view_head_overview *const head_overview = view->state->head_overview;
    return head_overview->mask == NULL ? tr("Next word")
           : head_overview->masks > 1
               ? arena_words(view->arena, "Masked word %zu of %zu", head_overview->mask_number,
                             head_overview->masks)
               : tr("Masked word");
}

/* Draws the likeliest tokens side by side, and where there is room in more rows. */
static void draw_next_tokens(struct view *view, struct rect area)
{
    const size_t count = view->state->head_overview->next_count;
    const size_t columns = (size_t)fmaxf(1, (area.w + GAP) / (TOKEN_MIN + GAP));
    const size_t rows = (size_t)fmaxf(1, floorf(area.h / TOKEN_HIGH));
    const float each =
        fminf(TOKEN_MAX, (area.w + GAP) / (float)(count < columns ? count : columns) - GAP);
    for (size_t i = 0; i < count && i < rows * columns; i++) {
        draw_next_token(view, i,
                        (struct rect){area.x + (float)(i % columns) * (each + GAP),
                                      area.y + (float)(i / columns) * TOKEN_HIGH, each, 46});
    }
}

void view_next(struct view *view, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_head_overview *const head_overview = view->state->head_overview;
    view_panel(view, area, head_overview->mask == NULL ? "Next word" : "Masked word");
    canvas_clip(canvas, area);
    ui_push(view->ui, "next word");
    const bool there = head_overview->next_count > 0;
    const float x = area.x + EDGE;
    const float title = canvas_text(canvas, x, area.y + 28, FONT_WORDS_BOLD, UI_TEXT_BODY,
                                    theme->ink, CANVAS_LEFT, format_headline(view));
    const float left = x + title + 14;
    const float controls_x = there ? draw_controls(view, area, left) : area.x + area.w - EDGE;
    if (!there) {
        draw_hint(view, (struct rect){x, area.y + 56, area.w - 2 * EDGE, area.h - 56});
    }
    const float room = controls_x - left - 14;
    if (room > 60) {
        draw_cache_note(view, (struct rect){left, area.y + 14, room, 18});
    }
    draw_next_tokens(view, (struct rect){x, area.y + 50, area.w - 2 * EDGE, area.h - 50});
    ui_pop(view->ui);
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

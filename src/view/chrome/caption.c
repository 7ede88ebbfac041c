/* The lesson's strip: the caption of its step, what is to be guessed, the way to the next one;
 * below it what has to be said beside the caption. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/translate.h"
#include "lab/lesson/guess.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"

/* A question over the panels: kept work, a file that somebody changed; and what can be answered. */

static const float BUTTON_HIGH = 30, PROMPT_GAP = 8, PROMPT_AIR = 7, LETTERS = 26;
static const float EDGE = 14;
static const float TEXT_LEAST = 200; /* narrower than that, the buttons stand below the text */

struct prompt {
    float wide[3], buttons; /* of each button; of all of them */
    float text;             /* width of the text */
    float high;             /* of its lines */
    bool below;             /* the buttons stand below it */
};

static struct prompt lay_out_prompt(const struct view *view, float width)
{
    const struct view_prompt *question = &view->state->prompt;
    struct prompt prompt = {0};
    for (size_t i = 0; i < question->count; i++) {
        prompt.wide[i] = LETTERS + canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_BODY,
                                                  tr(question->act[i].label));
        prompt.buttons += prompt.wide[i] + (i > 0 ? PROMPT_GAP : 0);
    }
    prompt.text = width - 2 * EDGE - prompt.buttons - 2 * PROMPT_GAP;
    prompt.below = prompt.text < TEXT_LEAST;
    prompt.text = fmaxf(prompt.below ? width - 2 * EDGE : prompt.text, 60);
    prompt.high = view_wrapped_height(view, prompt.text, UI_TEXT_BODY, question->text);
    return prompt;
}

float view_prompt_height(const struct view *view, float width)
{
    const struct prompt prompt = lay_out_prompt(view, width);
    const float text = fmaxf(prompt.high, prompt.below ? 0 : BUTTON_HIGH);
    return text + 2 * PROMPT_AIR + (prompt.below ? BUTTON_HIGH + PROMPT_AIR : 0);
}

void view_prompt(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct view_prompt *question = &view->state->prompt;
    const struct prompt prompt = lay_out_prompt(view, area.w);
    const float line = prompt.below ? prompt.high : fmaxf(prompt.high, BUTTON_HIGH);
    canvas_group(canvas, ui_id(view->ui, "offer"), "Question");
    canvas_rect(canvas, area, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->accent, .width = 1});
    ui_push(view->ui, "offer");
    view_wrapped(view, area.x + EDGE,
                 area.y + PROMPT_AIR + (line - prompt.high) / 2 + UI_TEXT_BODY * 1.1f, prompt.text,
                 UI_TEXT_BODY, theme->ink, question->text);
    float x = prompt.below ? area.x + EDGE : area.x + area.w - EDGE - prompt.buttons;
    const float y = prompt.below ? area.y + area.h - PROMPT_AIR - BUTTON_HIGH
                                 : area.y + (area.h - BUTTON_HIGH) / 2;
    for (size_t i = 0; i < question->count; i++) {
        const struct ui_button button = {.label = question->act[i].label,
                                         .style = i == 0 ? UI_BUTTON_STRONG : UI_BUTTON_PLAIN,
                                         .tip = question->act[i].tip};
        const struct rect place = {x, y, prompt.wide[i], BUTTON_HIGH};
        if (ui_button(view->ui, question->act[i].command, place, &button)) {
            view_action_command(view, question->act[i].command);
        }
        x += prompt.wide[i] + PROMPT_GAP;
    }
    ui_pop(view->ui);
    canvas_ungroup(canvas);
}

static const float BUTTON = 30, GAP = 6, AIR = 11;
static const float LEAST = 46; /* height of the strip */
static const float GUESS_WIDE = 120, REVEAL_WIDE = 76, BACK_WIDE = 150;

enum { NOTES_MAX = 4 };

/* A line below the caption. */
struct note {
    const char *text;
    struct colour colour;
    bool leads_back; /* with the button that restores the step's experiment */
    bool of_others;  /* the caption's numbers are nobody's here */
    bool leads_on;   /* with what may come behind the lesson */
};

struct strip {
    float text_x, text_wide, buttons_x;
    float back_x; /* of the button back to the lesson, at the right of the text; 0: in its note */
    float size;   /* of the caption's letters */
    float high;   /* of the caption's lines */
    float main;   /* of the row with the caption and the buttons */
    float note_high; /* of one note */
    struct note note[NOTES_MAX];
    size_t notes;
    /* That the numbers differ is said where nothing moves for it: behind the caption, or below it
     * in the room that its smaller letters leave. */
    bool beside, within;
};

/* What the experiment has that the lesson has not: "The caption is about the lesson; changed since:
 * 5 words." */
static const char *differs(const struct view *view)
{
    const char *const text =
        arena_format(view->arena, "The caption is about the lesson; changed since: %s",
                     view->state->lesson_differs);
    return text != NULL ? text : "";
}

static const char *differs_briefly(const struct view *view)
{
    const char *const text = arena_format(view->arena, "Changed: %s", view->state->lesson_differs);
    return text != NULL ? text : "";
}

static bool is_guessed_now(const struct view *view)
{
    return view_guess(view) != LAB_GUESS_NONE;
}

static void add_note(struct strip *strip, const char *text, struct colour colour)
{
    if (text != NULL && text[0] != 0 && strip->notes < NOTES_MAX) {
        strip->note[strip->notes++] = (struct note){.text = text, .colour = colour};
    }
}

static void add_notes(struct view *view, struct strip *strip)
{
    const struct view_state *state = view->state;
    const struct ui_theme *theme = view->ui->theme;
    if (is_guessed_now(view)) {
        add_note(strip, state->guess_refused, theme->refused);
    }
    add_note(strip, view_guess_answer(view), theme->accent);
    if (state->lesson_changed) {
        const size_t before = strip->notes;
        add_note(strip, differs(view), theme->key);
        if (strip->notes > before) { /* else there is no memory for its words */
            strip->note[before].leads_back = true;
        }
    } else if (state->lesson_lost) {
        const size_t before = strip->notes;
        add_note(strip, "The caption was written for other numbers than these.", theme->key);
        strip->note[before].of_others = strip->notes > before;
    }
    if (state->ended) {
        const size_t before = strip->notes;
        add_note(strip, "This is the end of the lesson.", theme->accent);
        if (strip->notes > before) {
            strip->note[before].leads_on = true;
        }
    }
}

/* Whether somebody walked on to another stage than the one that the step speaks of. */
static bool walked_on(const struct view *view)
{
    return !view_caption_is_here(view->state);
}

/* Whether the caption is about something else than what stands there. */
static bool steps_back(const struct view *view)
{
    return walked_on(view) || view->state->lesson_changed || view->state->lesson_lost;
}

/* What the stage that the step speaks of is called, or what stands behind the stages. */
static const char *caption_place(const struct view_state *state)
{
    return state->caption_extra_stage == VIEW_EXTRA_STAGE_LOSS ? "Loss"
           : state->caption_extra_stage == VIEW_EXTRA_STAGE_BLOCK
               ? "Block"
               : lab_stage_row(state->caption_stage)->title;
}

/* The caption; where somebody walked on it says what it is about. */
static const char *caption_of(const struct view *view)
{
    const char *const caption = tr(view->state->caption);
    const char *const about =
        walked_on(view)
            ? arena_format(view->arena, "About %s: %s", tr(caption_place(view->state)), caption)
            : caption;
    return about != NULL ? about : caption;
}

static const char *count_of(const struct view *view, char text[32])
{
    snprintf(text, 32, "%zu / %zu", view->state->step + 1, view->state->steps);
    return text;
}

/* What the short words and the button take behind the caption. */
static float beside_wide(const struct view *view)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, differs_briefly(view)) +
           BACK_WIDE + 24;
}

static bool fits_beside(const struct view *view, const struct strip *strip)
{
    return strip->notes == 1 && strip->note[0].leads_back && !is_guessed_now(view) &&
           !view->state->prefs.presenter &&
           canvas_measure(view->ui->canvas, FONT_WORDS, strip->size, caption_of(view)) + 24 +
                   beside_wide(view) <=
               strip->text_wide;
}

static const float BACK_APART = 14, BESIDE_BACK = 240; /* the least of the text */

/* The button back to the lesson stands at the right of the caption, as high as the others. */
static void place_back(struct strip *strip)
{
    bool leads_back = false;
    for (size_t i = 0; i < strip->notes; i++) {
        leads_back = leads_back || strip->note[i].leads_back;
    }
    const float taken = BACK_WIDE + BACK_APART;
    if (leads_back && !strip->beside && strip->text_wide - taken >= BESIDE_BACK) {
        strip->back_x = strip->text_x + strip->text_wide - BACK_WIDE;
        strip->text_wide -= taken;
    }
}

static const float WITHIN_HIGH = 20; /* of a note that takes no room of its own */

static bool is_of_change(const struct note *note)
{
    return note->leads_back || note->of_others;
}

/* A caption that steps back takes no more room than before: its letters become smaller, and what is
 * said of the change stands below them. Where that does not fit, the row grows. */
static void step_back(struct view *view, struct strip *strip)
{
    static const float sizes[] = {UI_TEXT_TITLE, UI_TEXT_BODY, UI_TEXT_SMALL, 10, 9}, TIGHT = 3;
    bool changed = false;
    for (size_t i = 0; i < strip->notes; i++) {
        changed = changed || is_of_change(&strip->note[i]);
    }
    const float below = changed && !strip->beside ? WITHIN_HIGH : 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const float high = view_wrapped_height(view, strip->text_wide, sizes[i], caption_of(view));
        if (sizes[i] <= strip->size && high + below + 2 * TIGHT <= strip->main) {
            strip->size = sizes[i];
            strip->high = high;
            strip->within = below > 0;
            return;
        }
    }
    strip->high = view_wrapped_height(view, strip->text_wide, strip->size, caption_of(view));
    strip->main = fmaxf(strip->high + 2 * AIR, LEAST);
}

static struct strip lay_out(struct view *view, float x, float width)
{
    char count[32];
    struct canvas *canvas = view->ui->canvas;
    const char *const caption = tr(view->state->caption);
    struct strip strip = {.note_high = view->state->prefs.presenter ? 26 : 22};
    strip.buttons_x = x + width - EDGE - 3 * BUTTON - 2 * GAP;
    strip.text_x = x + EDGE + 14 +
                   canvas_measure(canvas, FONT_NUMBERS_BOLD, UI_TEXT_SMALL, count_of(view, count));
    const float guess = is_guessed_now(view) ? GUESS_WIDE + REVEAL_WIDE + 8 + 14 : 0;
    strip.text_wide = fmaxf(strip.buttons_x - guess - 14 - strip.text_x, 60);
    strip.size = view->state->prefs.presenter ? UI_TEXT_TITLE : UI_TEXT_BODY;
    if (!view->state->prefs.presenter &&
        canvas_measure(canvas, FONT_WORDS, strip.size, caption) > strip.text_wide) {
        strip.size = UI_TEXT_SMALL;
    }
    strip.high = view_wrapped_height(view, strip.text_wide, strip.size, caption);
    strip.main = fmaxf(strip.high + 2 * AIR, LEAST);
    add_notes(view, &strip);
    strip.beside = fits_beside(view, &strip);
    place_back(&strip);
    if (steps_back(view)) {
        step_back(view, &strip);
    }
    return strip;
}

float view_caption_height(struct view *view, float width)
{
    if (view->state->caption == NULL || view->state->prefs.captions_closed) {
        return 0;
    }
    const struct strip strip = lay_out(view, 0, width);
    const size_t below = strip.beside ? 0 : strip.notes - (strip.within ? 1 : 0);
    return strip.main + (float)below * strip.note_high + (below > 0 ? 4 : 0);
}

static void go(struct view *view, size_t step)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = step});
}

/* Back, forward and close. */
static void draw_buttons(struct view *view, float x, float y)
{
    const struct view_state *state = view->state;
    const struct ui_button back = {
        .icon = UI_ICON_BACK, .tip = "Former step (PageUp)", .disabled = state->step == 0};
    const struct ui_button forward = {.icon = UI_ICON_FORWARD,
                                      .style = UI_BUTTON_STRONG,
                                      .tip = state->step + 1 < state->steps
                                                 ? "Next step (PageDown)"
                                                 : "The end, and what may come next (PageDown)",
                                      .disabled = state->ended};
    const struct ui_button close = {
        .icon = UI_ICON_CLOSE, .style = UI_BUTTON_BARE, .tip = "Hide the lesson's captions (C)"};
    if (ui_button(view->ui, "former step", (struct rect){x, y, BUTTON, BUTTON}, &back)) {
        go(view, state->step - 1);
    }
    x += BUTTON + GAP;
    if (ui_button(view->ui, "next step", (struct rect){x, y, BUTTON, BUTTON}, &forward)) {
        go(view, state->step + 1);
    }
    x += BUTTON + GAP;
    if (ui_button(view->ui, "close captions", (struct rect){x, y, BUTTON, BUTTON}, &close)) {
        view_action_command(view, "captions");
    }
}

static void action_guess(struct view *view, const char *text)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_GUESS,
                                            .text = arena_text(view->arena, text, strlen(text))});
}

/* One of the keys, chosen from all of them. */
static void draw_winner(struct view *view, struct rect place)
{
    if (view->trace == NULL) {
        return;
    }
    const char *const *keys = lab_trace_keys(view->trace);
    const size_t count = lab_trace_sizes(view->trace).m;
    size_t current = count;
    for (size_t j = 0; j < count && current == count; j++) {
        current = strcmp(keys[j], view->state->guessed) == 0 ? j : count;
    }
    const struct ui_menu menu = {.rows = keys,
                                 .count = count,
                                 .current = current,
                                 .label = current < count ? NULL : tr("your guess"),
                                 .tip = "The key that the class expects to win",
                                 .content = true};
    const size_t chosen = ui_menu(view->ui, "winner", place, &menu);
    if (chosen < count) {
        action_guess(view, keys[chosen]);
    }
}

/* A digit that is struck while no field and no control has the keyboard: it is meant as a guess,
 * not as the number of a stage. NULL: there is none. */
static const char *struck_digit(const struct view *view)
{
    const struct ui_input *const input = view->ui->input;
    const struct ui_memory *const memory = view->ui->memory;
    const uint32_t key = input->strokes > 0 ? input->stroke[0].key : 0;
    const bool free = memory->edited == 0 && (memory->focus == 0 || !memory->focus_visible);
    return free && !view->ui->keys_consumed && key >= '0' && key <= '9' &&
                   input->stroke[0].mods == 0
               ? arena_format(view->arena, "%c", (int)key)
               : NULL;
}

/* What the class says, and the button that shows what is right. */
static void draw_guess(struct view *view, float right, float y)
{
    const struct view_state *state = view->state;
    const struct ui_button reveal = {.label = "Reveal", .tip = "Show what it is (PageDown)"};
    const struct rect button = {right - 14 - REVEAL_WIDE, y, REVEAL_WIDE, BUTTON};
    const struct rect place = {button.x - 8 - GUESS_WIDE, y, GUESS_WIDE, BUTTON};
    if (state->guess == LAB_GUESS_WINNER) {
        draw_winner(view, place);
    } else {
        const char *const digit = struck_digit(view);
        const struct ui_field field = {.begin = digit != NULL,
                                       .typed = view->ui->input->text == NULL ? digit : NULL,
                                       .label = "Guess",
                                       .text = state->guessed,
                                       .hint = "your guess",
                                       .tip = "A number that the class expects",
                                       .face = FONT_NUMBERS};
        const struct ui_field_answer answer = ui_field(view->ui, "guess", place, &field);
        if (answer.event == UI_FIELD_COMMITTED) {
            action_guess(view, answer.text);
            struct lab_guessed number;
            if (answer.by_enter && lab_guess_read(answer.text, false, &number)) {
                view_action_command(view, "reveal");
            }
        }
    }
    if (ui_button(view->ui, "reveal", button, &reveal)) {
        view_action_command(view, "reveal");
    }
}

static void draw_back(struct view *view, struct rect place)
{
    const struct ui_button back = {.label = "Back to the lesson",
                                   .tip = "Everything as this step has it; Undo returns"};
    if (ui_button(view->ui, "back to lesson", place, &back)) {
        view_action_command(view, "back to lesson");
    }
}

/* What may come behind the lesson, at the right end of a row whose own words are so wide; returns
 * where it begins. */
static float draw_ways_on(struct view *view, struct rect row, float words)
{
    static const float LEAST_NEXT = 90, MENU = 30; /* the sign of a menu, beside its words */
    struct ui *const ui = view->ui;
    const char *const title = view->state->next_lesson;
    const char *const named =
        title != NULL ? arena_format(view->arena, "Next: %s", tr(title)) : NULL;
    const float gap = GAP + 2, others = ui_button_width(ui, "All lessons") + MENU;
    const float empty = ui_button_width(ui, "Empty experiment");
    struct rect place = {row.x + row.w - empty, row.y, empty, row.h};
    struct rect next = {0};
    if (named != NULL) {
        const float room = row.w - empty - others - 2 * gap - words - 12;
        const float wide = fmaxf(fminf(ui_button_width(ui, named), room), LEAST_NEXT);
        next = (struct rect){place.x - 2 * gap - others - wide, row.y, wide, row.h};
        const struct ui_button button = {
            .label = named, .style = UI_BUTTON_STRONG, .tip = "The next lesson (PageDown)"};
        if (ui_button(ui, "next lesson", next, &button)) {
            view_action_command(view, "next lesson");
        }
        if (view->state->ended_new) {
            ui_offer_focus(ui, ui_id(ui, "next lesson"));
            view_action_set(view, ended_new, false);
        }
    }
    const struct rect menu = {place.x - gap - others, row.y, others, row.h};
    view_other_lessons(view, menu);
    const struct ui_button begin = {.label = "Empty experiment",
                                    .tip = "No words and no lesson: begin with your own"};
    if (ui_button(ui, "empty", place, &begin)) {
        view_action_command(view, "empty");
    }
    return named != NULL ? next.x : menu.x;
}

static void draw_beside(struct view *view, const struct strip *strip, float y)
{
    const float right = strip->buttons_x - 14;
    const struct rect words = {right - beside_wide(view), y, beside_wide(view) - BACK_WIDE, BUTTON};
    canvas_text(view->ui->canvas, words.x, y + BUTTON / 2 + 4.5f, FONT_WORDS_BOLD, UI_TEXT_BODY,
                strip->note[0].colour, CANVAS_LEFT, differs_briefly(view));
    ui_tip(view->ui, ui_id_number(view->ui, "note", 0), words, differs(view));
    draw_back(view, (struct rect){right - BACK_WIDE, y + 3, BACK_WIDE, BUTTON - 6});
}

/* One note in a row that ends at `right`. */
static void draw_note(struct view *view, const struct strip *strip, size_t at, float right, float y)
{
    const struct note *const note = &strip->note[at];
    const bool within = strip->within && is_of_change(note);
    const bool has_back = note->leads_back && strip->back_x <= 0;
    const float size = view->state->prefs.presenter && !within ? UI_TEXT_TITLE : UI_TEXT_BODY;
    const float words = canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, size, tr(note->text));
    const struct rect row = {strip->text_x, y - 1, right - strip->text_x,
                             within ? WITHIN_HIGH : strip->note_high};
    const float end = note->leads_on ? draw_ways_on(view, row, words) - 10
                                     : right - (has_back ? BACK_WIDE + 10 : 0);
    const struct rect line = {row.x, y, fmaxf(end - row.x, 20), row.h};
    const char *const said =
        note->leads_back && words > line.w ? differs_briefly(view) : tr(note->text);
    if (view_text_whole(view, line.x, y + line.h / 2 + 4, FONT_WORDS_BOLD, size, note->colour,
                        CANVAS_LEFT, said, line.w) ||
        said != tr(note->text)) {
        ui_tip(view->ui, ui_id_number(view->ui, "note", at), line, note->text);
    }
    if (has_back) {
        const float lifted = within ? 2 : 0; /* off the lower edge, which is near there */
        draw_back(view,
                  (struct rect){right - BACK_WIDE, y - 1 - lifted, BACK_WIDE, row.h - lifted / 2});
    }
}

/* Below the row of the caption, but what stands within it. */
static void draw_notes(struct view *view, const struct strip *strip, struct rect area)
{
    float y = area.y + strip->main - 2;
    for (size_t i = 0; i < strip->notes; i++) {
        if (strip->within && is_of_change(&strip->note[i])) {
            const float lines = strip->high + WITHIN_HIGH;
            draw_note(view, strip, i, strip->text_x + strip->text_wide,
                      area.y + (strip->main - lines) / 2 + strip->high);
        } else {
            draw_note(view, strip, i, area.x + area.w - EDGE, y);
            y += strip->note_high;
        }
    }
}

void view_caption(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    char count[32];
    canvas_group(canvas, ui_id(view->ui, "caption"), "Lesson");
    canvas_rect(canvas, area, UI_CORNER,
                &(struct paint){.fill = theme->panel,
                                .stroke = steps_back(view) ? theme->line : theme->accent,
                                .width = 1});
    ui_push(view->ui, "caption");
    const struct strip strip = lay_out(view, area.x, area.w);
    const float main = strip.main, y = area.y + (main - BUTTON) / 2;
    const float lines = strip.high + (strip.within ? WITHIN_HIGH : 0);
    ui_keep_clear(view->ui, area);
    ui_keep_clear(view->ui,
                  (struct rect){area.x, area.y, strip.text_x + strip.text_wide - area.x, area.h});
    draw_buttons(view, strip.buttons_x, y);
    if (is_guessed_now(view)) {
        draw_guess(view, strip.buttons_x, y);
    }
    const float first = area.y + (main - lines) / 2 + strip.size * 1.1f;
    canvas_text(canvas, area.x + EDGE, first, FONT_NUMBERS_BOLD, UI_TEXT_SMALL, theme->accent,
                CANVAS_LEFT, count_of(view, count));
    view_wrapped(view, strip.text_x, first,
                 view_wrapped_even(view, strip.text_wide, strip.size, caption_of(view)), strip.size,
                 steps_back(view) ? theme->muted : theme->ink, caption_of(view));
    if (strip.back_x > 0) {
        draw_back(view, (struct rect){strip.back_x, y, BACK_WIDE, BUTTON});
    }
    if (strip.beside) {
        draw_beside(view, &strip, y);
    } else {
        draw_notes(view, &strip, area);
    }
    ui_pop(view->ui);
    canvas_ungroup(canvas);
}

/* The lesson's caption: the text of its step, the guess, and the buttons to other steps; below it
 * notes such as that the experiment has changed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "base/unicode.h"
#include "lab/lesson/guess.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

/* --- The question over the panels, with the buttons that answer it. --- */

static const float BUTTON_HIGH = 30, PROMPT_GAP = 8, PROMPT_AIR = 7, BUTTON_PADDING = 26;
static const float EDGE = 14;
static const float TEXT_MIN = 200; /* buttons are placed below a narrower text */

struct prompt {
    float wide[3], buttons; /* width of each button, and of all */
    float text;             /* its width */
    float high;             /* height of the text */
    bool below;             /* the buttons are below the text */
};

static struct prompt lay_out_prompt(const struct view *view, float width)
{
    const struct view_prompt *question = &view->state->prompt;
    struct prompt prompt = {0};
    for (size_t i = 0; i < question->count; i++) {
        prompt.wide[i] = BUTTON_PADDING + canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_BODY,
                                                         tr(question->act[i].label));
        prompt.buttons += prompt.wide[i] + (i > 0 ? PROMPT_GAP : 0);
    }
    prompt.text = width - 2 * EDGE - prompt.buttons - 2 * PROMPT_GAP;
    prompt.below = prompt.text < TEXT_MIN;
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
static const float STRIP_MIN = 46; /* least height of the strip */
static const float GUESS_WIDE = 120, REVEAL_WIDE = 76, BACK_WIDE = 150;

enum { NOTES_MAX = 4 };

/* A note, as a line below the caption. */
struct note {
    const char *text;
    struct colour colour;
    bool leads_back; /* with the button back to the step's experiment */
    bool of_others;  /* the caption's numbers belong to missing weights */
    bool leads_on;   /* with the choices after the lesson */
};

struct strip {
    float text_x, text_wide, buttons_x;
    float back_x;    /* of the button back to the lesson, right of the text; 0: it is in its note */
    float size;      /* font size of the caption */
    float high;      /* height of the caption's text */
    float main;      /* height of the row with caption and buttons */
    float note_high; /* of one note */
    struct note note[NOTES_MAX];
    size_t notes;
    /* The place of the note about a change, so that nothing moves: right of the caption, or below
     * it within the row, as the caption shrinks. */
    bool beside, within;
};

/* "The caption is about the lesson; changed since: 5 words." */
static const char *change_sentence(const struct view *view)
{
    return arena_words(view->arena, "The caption is about the lesson; changed since: %s",
                       view->state->lesson_differs);
}

static const char *brief_change_sentence(const struct view *view)
{
    return arena_words(view->arena, "Changed: %s", view->state->lesson_differs);
}

/* Says whether the weights that the caption speaks of are not learned yet. */
static bool is_early(const struct view *view)
{
    return view->state->learn != NULL && view->state->learn->awaited > 0;
}

/* Says whether a guess is taken: a class may type while the question waits for its weights. */
static bool has_guess(const struct view *view)
{
    return view->state->guess != LAB_GUESS_NONE && !view->state->revealed;
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
    if (has_guess(view)) {
        add_note(strip, state->guess_refused, theme->refused);
    }
    add_note(strip, view_guess_answer(view), theme->accent);
    if (state->lesson_changed) {
        const size_t before = strip->notes;
        add_note(strip, change_sentence(view), theme->key);
        if (strip->notes > before) { /* else there was no memory for its text */
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

/* Says whether another stage is shown than the step's. */
static bool is_elsewhere(const struct view *view)
{
    return !view_caption_is_here(view->state);
}

/* Says whether the caption is about something else than what is shown. */
static bool is_about_something_else(const struct view *view)
{
    return is_elsewhere(view) || view->state->lesson_changed || view->state->lesson_lost;
}

/* The name of the stage, extra stage or view that the caption is about. */
static const char *place_name(const struct view_state *state)
{
    return state->caption_why                                    ? "Why"
           : state->caption_extra_stage == VIEW_EXTRA_STAGE_LOSS ? "Loss"
           : state->caption_extra_stage == VIEW_EXTRA_STAGE_BLOCK
               ? "Block"
               : lab_stage_row(state->caption_stage)->title;
}

/* "Learning: step 225 of 600": in place of a caption that would be untrue. */
static const char *early_text(const struct view *view)
{
    char step[TEXT_NUMBER_MAX], steps[TEXT_NUMBER_MAX];
    const struct view_learn *const learn = view->state->learn;
    return arena_format(view->arena,
                        tr("Learning: step %s of %s. Then the text of this step comes."),
                        text_count(step, learn->step), text_count(steps, learn->awaited));
}

/* The caption; if another stage is shown it begins with the stage that it is about. */
static const char *caption_text(const struct view *view)
{
    const char *const early = is_early(view) ? early_text(view) : NULL;
    const char *const caption = early != NULL ? early : tr(view->state->caption);
    const char *const about =
        early == NULL && is_elsewhere(view)
            ? arena_format(view->arena, "About %s: %s", tr(place_name(view->state)), caption)
            : caption;
    return about != NULL ? about : caption;
}

static const char *step_count_text(const struct view *view, char text[32])
{
    snprintf(text, 32, "%zu / %zu", view->state->step + 1, view->state->steps);
    return text;
}

/* The width of the brief note with its button, right of the caption. */
static float width_beside(const struct view *view)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BODY,
                          brief_change_sentence(view)) +
           BACK_WIDE + 24;
}

static bool has_room_beside(const struct view *view, const struct strip *strip)
{
    return strip->notes == 1 && strip->note[0].leads_back && !has_guess(view) &&
           !view->state->prefs.presenter &&
           canvas_measure(view->ui->canvas, FONT_WORDS, strip->size, caption_text(view)) + 24 +
                   width_beside(view) <=
               strip->text_wide;
}

static const float BACK_APART = 14, BESIDE_BACK = 240; /* least width of the text */

/* Places the button back to the lesson right of the caption, as high as the others. */
static void place_back_button(struct strip *strip)
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

static const float WITHIN_HIGH = 20; /* height of a note within the row */

static bool is_of_change(const struct note *note)
{
    return note->leads_back || note->of_others;
}

/* Shrinks a caption that is about something else, so that the note about the change fits below it
 * within the row. If that does not fit, the row grows. */
static void shrink_caption(struct view *view, struct strip *strip)
{
    static const float sizes[] = {UI_TEXT_TITLE, UI_TEXT_BODY, UI_TEXT_SMALL, 10, 9}, TIGHT = 3;
    bool changed = false;
    for (size_t i = 0; i < strip->notes; i++) {
        changed = changed || is_of_change(&strip->note[i]);
    }
    const float below = changed && !strip->beside ? WITHIN_HIGH : 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const float high =
            view_wrapped_height(view, strip->text_wide, sizes[i], caption_text(view));
        if (sizes[i] <= strip->size && high + below + 2 * TIGHT <= strip->main) {
            strip->size = sizes[i];
            strip->high = high;
            strip->within = below > 0;
            return;
        }
    }
    strip->high = view_wrapped_height(view, strip->text_wide, strip->size, caption_text(view));
    strip->main = fmaxf(strip->high + 2 * AIR, STRIP_MIN);
}

/* The way back to Why, from which a person came, where no row of views leads there; its width with
 * what is left of it. */
static const struct ui_button way_to_why = {
    .label = "Why", .style = UI_BUTTON_STRONG, .tip = "Back to why the model says this word (W)"};

static float way_width(const struct view *view)
{
    const struct view_state *const state = view->state;
    return state->prefs.presenter && state->why_returns && !state->why_shown
               ? ui_button_width(view->ui, way_to_why.label) + 14
               : 0;
}

static struct strip lay_out_strip(struct view *view, float x, float width)
{
    char count[32];
    struct canvas *canvas = view->ui->canvas;
    const char *const caption = is_early(view) ? caption_text(view) : tr(view->state->caption);
    struct strip strip = {.note_high = view->state->prefs.presenter ? 26 : 22};
    strip.buttons_x = x + width - EDGE - 3 * BUTTON - 2 * GAP;
    strip.text_x =
        x + EDGE + 14 +
        canvas_measure(canvas, FONT_NUMBERS_BOLD, UI_TEXT_SMALL, step_count_text(view, count));
    const float guess = has_guess(view) ? GUESS_WIDE + REVEAL_WIDE + 8 + 14 : 0;
    strip.text_wide = fmaxf(strip.buttons_x - way_width(view) - guess - 14 - strip.text_x, 60);
    strip.size = view->state->prefs.presenter ? UI_TEXT_TITLE : UI_TEXT_BODY;
    if (!view->state->prefs.presenter &&
        canvas_measure(canvas, FONT_WORDS, strip.size, caption) > strip.text_wide) {
        strip.size = UI_TEXT_SMALL;
    }
    strip.high = view_wrapped_height(view, strip.text_wide, strip.size, caption);
    strip.main = fmaxf(strip.high + 2 * AIR, STRIP_MIN);
    add_notes(view, &strip);
    strip.beside = has_room_beside(view, &strip);
    place_back_button(&strip);
    if (is_early(view)) { /* so that nothing jumps when the caption comes */
        strip.main = fmaxf(strip.main, view_wrapped_height(view, strip.text_wide, strip.size,
                                                           tr(view->state->caption)) +
                                           2 * AIR);
    } else if (is_about_something_else(view)) {
        shrink_caption(view, &strip);
    }
    return strip;
}

float view_caption_height(struct view *view, float width)
{
    if (view->state->caption == NULL || view->state->prefs.captions_closed) {
        return 0;
    }
    const struct strip strip = lay_out_strip(view, 0, width);
    const size_t below = strip.beside ? 0 : strip.notes - (strip.within ? 1 : 0);
    return strip.main + (float)below * strip.note_high + (below > 0 ? 4 : 0);
}

static void append_step_action(struct view *view, size_t step)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = step});
}

/* Draws the buttons back, forward and close. */
static void draw_step_buttons(struct view *view, float x, float y)
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
        append_step_action(view, state->step - 1);
    }
    x += BUTTON + GAP;
    if (ui_button(view->ui, "next step", (struct rect){x, y, BUTTON, BUTTON}, &forward)) {
        append_step_action(view, state->step + 1);
    }
    x += BUTTON + GAP;
    if (ui_button(view->ui, "close captions", (struct rect){x, y, BUTTON, BUTTON}, &close)) {
        view_action_command(view, "captions");
    }
}

/* being_typed: nothing is said yet of what is no guess. */
static void append_guess(struct view *view, const char *text, bool being_typed)
{
    view_action(view, &(struct view_action){.kind = being_typed ? VIEW_ACTION_GUESS_TYPED
                                                                : VIEW_ACTION_GUESS,
                                            .text = arena_text(view->arena, text, strlen(text))});
}

/* Draws the menu for a guess that is one of the keys. */
static void draw_winner_menu(struct view *view, struct rect place)
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
        append_guess(view, keys[chosen], false);
    }
}

/* The name of the step's field: each step has one of its own. */
static const char *guess_field_name(const struct view *view)
{
    const char *const numbered = arena_format(view->arena, "guess %zu", view->state->step);
    return numbered != NULL ? numbered : "guess";
}

/* A letter, digit or minus by itself, as text; NULL: the stroke is none of them. */
static const char *stroke_text(const struct view *view, const struct ui_stroke *stroke)
{
    const uint32_t key = stroke->key;
    const bool latin = key >= 'a' && key <= 'z', digit = key >= '0' && key <= '9';
    const bool letter = latin || (key > 0x7f && key < UI_KEY_LEFT && text_is_letter(key));
    const bool number = (digit || key == '-') && stroke->mods == 0;
    if (!number && !(letter && (stroke->mods & ~(unsigned)UI_SHIFT) == 0)) {
        return NULL;
    }
    char spelled[4];
    const size_t length =
        unicode_write(latin && stroke->mods == UI_SHIFT ? key - 'a' + 'A' : key, spelled);
    return arena_text(view->arena, spelled, length);
}

/* The first letter, digit or minus of a guess, typed while no field has the focus: while a step
 * asks it is no shortcut, until the guess was left with Esc, which leads to the button. A digit may
 * belong to a control that the keyboard went to. NULL: there is none. */
static const char *typed_first(const struct view *view)
{
    const struct ui *const ui = view->ui;
    const struct ui_memory *const memory = ui->memory;
    const char *const text =
        ui->input->strokes > 0 ? stroke_text(view, &ui->input->stroke[0]) : NULL;
    if (text == NULL || ui->beneath || ui->keys_consumed || memory->edited != 0 ||
        memory->open != 0) {
        return NULL;
    }
    const bool elsewhere = memory->focus != 0 && memory->focus_visible;
    const bool number = ui->input->stroke[0].key <= '9';
    return elsewhere && (number || memory->focus == ui_id(ui, "reveal")) ? NULL : text;
}

/* Says whether → goes on from behind the last letter of the guess: in presenter mode it may come
 * from a remote control, which knows no caret. */
static bool goes_on_from(struct view *view, uint32_t field)
{
    const struct ui_memory *const memory = view->ui->memory;
    return view->state->prefs.presenter && memory->edited == field &&
           memory->caret == memory->mark && memory->caret == strlen(memory->typed) &&
           ui_stroke_consumed(view->ui, field, UI_KEY_RIGHT, 0);
}

/* Says whether the text is a guess of the kind that is asked for. */
static bool is_guess(const struct view *view, const char *text)
{
    struct lab_guessed number;
    switch (view->state->guess) {
    case LAB_GUESS_NEXT:
        return text[0] != '\0';
    case LAB_GUESS_WINNER:
        return lab_guess_key(lab_trace_keys(view->trace), lab_trace_sizes(view->trace).m, text) !=
               NULL;
    default:
        return lab_guess_read(text, false, &number);
    }
}

/* Draws the field that is typed into, begun with `first` where that is no NULL. What stands in it
 * counts while it is typed: the class goes on by any key, and Esc only closes the field. */
static void draw_guess_field(struct view *view, struct rect place, const char *first)
{
    static const char *const tips[LAB_GUESSES] = {
        [LAB_GUESS_CELL] = "A number that the class expects",
        [LAB_GUESS_BAR] = "A number that the class expects",
        [LAB_GUESS_WINNER] = "The key that the class expects to win",
        [LAB_GUESS_NEXT] = "The word that the class expects",
    };
    const struct view_state *const state = view->state;
    const bool number = state->guess == LAB_GUESS_CELL || state->guess == LAB_GUESS_BAR;
    const char *const name = guess_field_name(view);
    const uint32_t id = ui_id(view->ui, name);
    const struct ui_field field = {.begin = first != NULL,
                                   .typed = view->ui->input->text == NULL ? first : NULL,
                                   .label = "Guess",
                                   .text = state->guessed,
                                   .hint = "your guess",
                                   .tip = tips[state->guess],
                                   .face = number ? FONT_NUMBERS : FONT_WORDS};
    const bool goes_on = goes_on_from(view, id);
    const struct ui_field_answer answer = ui_field(view->ui, name, place, &field);
    if (goes_on) {
        view_action_command(view, "reveal");
    }
    if (answer.event == UI_FIELD_CHANGED || (first != NULL && answer.text != NULL)) {
        append_guess(view, answer.text, true);
    } else if (answer.event == UI_FIELD_LEFT) {
        ui_offer_focus(view->ui, ui_id(view->ui, "reveal"));
    } else if (answer.event == UI_FIELD_COMMITTED) {
        append_guess(view, answer.text, false);
        if (answer.by_enter && is_guess(view, answer.text)) {
            view_action_command(view, "reveal");
        }
    }
}

/* Draws what takes the guess, and the button that reveals the answer. A key is chosen from a menu
 * by the pointer, and typed by the keyboard. */
static void draw_guess(struct view *view, float right, float y)
{
    const struct ui_button reveal = {.label = "Reveal", .tip = "Show what it is (PageDown)"};
    const struct rect button = {right - 14 - REVEAL_WIDE, y, REVEAL_WIDE, BUTTON};
    const struct rect place = {button.x - 8 - GUESS_WIDE, y, GUESS_WIDE, BUTTON};
    const char *const first = view->trace != NULL ? typed_first(view) : NULL;
    const bool typed =
        first != NULL || view->ui->memory->edited == ui_id(view->ui, guess_field_name(view));
    if (view->state->guess == LAB_GUESS_WINNER && !typed) {
        draw_winner_menu(view, place);
    } else {
        draw_guess_field(view, place, first);
    }
    if (!is_early(view) && ui_button(view->ui, "reveal", button, &reveal)) {
        view_action_command(view, "reveal");
    }
}

static void draw_back_button(struct view *view, struct rect place)
{
    const struct ui_button back = {.label = "Back to the lesson",
                                   .tip = "Everything as this step has it; Undo returns"};
    if (ui_button(view->ui, "back to lesson", place, &back)) {
        view_action_command(view, "back to lesson");
    }
}

/* Draws the choices after the lesson at the right end of a row whose text has this width; returns
 * their left end. A long title takes the place of "Empty experiment", with which the menu of all
 * lessons ends. */
static float draw_next_choices(struct view *view, struct rect row, float words)
{
    static const float NEXT_MIN = 90, MENU = 30; /* icon of a menu */
    struct ui *const ui = view->ui;
    const char *const title = view->state->next_lesson;
    const char *const named =
        title != NULL ? arena_format(view->arena, "Next: %s", tr(title)) : NULL;
    const float gap = GAP + 2, others = ui_button_width(ui, "All lessons") + MENU;
    const float empty = ui_button_width(ui, "Empty experiment");
    const float wanted = named != NULL ? ui_button_width(ui, named) : 0;
    const float room = row.w - others - gap - words - 12;
    const bool has_empty = named == NULL || wanted + empty + gap <= room;
    const float end = row.x + row.w - (has_empty ? empty + gap : 0);
    const struct rect menu = {end - others, row.y, others, row.h};
    const float wide = named == NULL ? 0 : fmaxf(fminf(wanted, room), NEXT_MIN);
    const struct rect next = {menu.x - (named == NULL ? 0 : gap + wide), row.y, wide, row.h};
    if (named != NULL) {
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
    view_other_lessons(view, menu);
    if (has_empty) {
        const struct ui_button begin = {.label = "Empty experiment",
                                        .tip = "No words and no lesson: begin with your own"};
        if (ui_button(ui, "empty", (struct rect){end + gap, row.y, empty, row.h}, &begin)) {
            view_action_command(view, "empty");
        }
    }
    return next.x;
}

static void draw_note_beside(struct view *view, const struct strip *strip, float y)
{
    const float right = strip->buttons_x - 14;
    const struct rect words = {right - width_beside(view), y, width_beside(view) - BACK_WIDE,
                               BUTTON};
    canvas_text(view->ui->canvas, words.x, y + BUTTON / 2 + 4.5f, FONT_WORDS_BOLD, UI_TEXT_BODY,
                strip->note[0].colour, CANVAS_LEFT, brief_change_sentence(view));
    ui_tip(view->ui, ui_id_number(view->ui, "note", 0), words, change_sentence(view));
    draw_back_button(view, (struct rect){right - BACK_WIDE, y + 3, BACK_WIDE, BUTTON - 6});
}

/* Draws a note in a row that ends at `right`. */
static void draw_note(struct view *view, const struct strip *strip, size_t at, float right, float y)
{
    const struct note *const note = &strip->note[at];
    const bool within = strip->within && is_of_change(note);
    const bool has_back = note->leads_back && strip->back_x <= 0;
    const float size = view->state->prefs.presenter && !within ? UI_TEXT_TITLE : UI_TEXT_BODY;
    const float words = canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, size, tr(note->text));
    const struct rect row = {strip->text_x, y - 1, right - strip->text_x,
                             within ? WITHIN_HIGH : strip->note_high};
    const float end = note->leads_on ? draw_next_choices(view, row, words) - 10
                                     : right - (has_back ? BACK_WIDE + 10 : 0);
    const struct rect line = {row.x, y, fmaxf(end - row.x, 20), row.h};
    const char *const shown =
        note->leads_back && words > line.w ? brief_change_sentence(view) : tr(note->text);
    if (view_text_whole(view, line.x, y + line.h / 2 + 4, FONT_WORDS_BOLD, size, note->colour,
                        CANVAS_LEFT, shown, line.w) ||
        shown != tr(note->text)) {
        ui_tip(view->ui, ui_id_number(view->ui, "note", at), line, note->text);
    }
    if (has_back) {
        const float lifted = within ? 2 : 0; /* away from the lower edge, which is near */
        draw_back_button(
            view, (struct rect){right - BACK_WIDE, y - 1 - lifted, BACK_WIDE, row.h - lifted / 2});
    }
}

/* Draws the notes below the row of the caption, or within it. */
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
    canvas_rect(
        canvas, area, UI_CORNER,
        &(struct paint){.fill = theme->panel,
                        .stroke = is_about_something_else(view) ? theme->line : theme->accent,
                        .width = 1});
    ui_push(view->ui, "caption");
    const struct strip strip = lay_out_strip(view, area.x, area.w);
    const float main = strip.main, y = area.y + (main - BUTTON) / 2;
    const float lines = strip.high + (strip.within ? WITHIN_HIGH : 0);
    ui_keep_clear(view->ui, area);
    ui_keep_clear(view->ui,
                  (struct rect){area.x, area.y, strip.text_x + strip.text_wide - area.x, area.h});
    draw_step_buttons(view, strip.buttons_x, y);
    const float way = way_width(view);
    if (way > 0 &&
        ui_button(view->ui, "why", (struct rect){strip.buttons_x - way, y, way - 14, BUTTON},
                  &way_to_why)) {
        view_action_set(view, why_shown, true);
    }
    if (has_guess(view)) {
        draw_guess(view, strip.buttons_x - way, y);
    }
    const float first = area.y + (main - lines) / 2 + strip.size * 1.1f;
    canvas_text(canvas, area.x + EDGE, first, FONT_NUMBERS_BOLD, UI_TEXT_SMALL, theme->accent,
                CANVAS_LEFT, step_count_text(view, count));
    view_wrapped(view, strip.text_x, first,
                 view_wrapped_even(view, strip.text_wide, strip.size, caption_text(view)),
                 strip.size, is_about_something_else(view) ? theme->muted : theme->ink,
                 caption_text(view));
    if (strip.back_x > 0) {
        draw_back_button(view, (struct rect){strip.back_x, y, BACK_WIDE, BUTTON});
    }
    if (strip.beside) {
        draw_note_beside(view, &strip, y);
    } else {
        draw_notes(view, &strip, area);
    }
    ui_pop(view->ui);
    canvas_ungroup(canvas);
}

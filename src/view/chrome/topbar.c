/* The top bar: logo, lessons, the tokens as chips, and the commands that are always at hand. */
#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "lab/experiment/vocab.h"
#include "lab/lesson/lessons.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/pieces.h"

static const float GAP = 8, SIGNS_BELOW = 1100;
static const float LOGO_FROM = 600; /* width of the bar */

/* The logo: an attention matrix of three by three. */
static void draw_logo(struct view *view, struct rect area)
{
    static const float weight[3][3] = {
        {0.9f, 0.45f, 0.12f}, {0.3f, 0.75f, 0.45f}, {0.12f, 0.3f, 1}};
    const float cell = area.w / 3;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            const struct rect place = {area.x + (float)column * cell, area.y + (float)row * cell,
                                       cell - 1, cell - 1};
            const struct colour fill =
                colour_mix(view->ui->theme->control, view->ui->theme->accent, weight[row][column]);
            canvas_rect(view->ui->canvas, place, 1.5f, &(struct paint){.fill = fill});
        }
    }
}

/* The words that a token field holds. */
struct words {
    const struct lab_words *list;
    bool of_keys; /* where keys and values come from; else the queries' */
    const char *name, *hint;
    unsigned part; /* of the selection: VIEW_QUERY or VIEW_KEY */
    size_t chosen, hovered;
    struct colour colour;
};

/* The words as they will be when all is computed: what is typed meanwhile is typed into these. */
static const struct lab_experiment *pending(const struct view *view)
{
    return view->pending != NULL ? view->pending : view->experiment;
}

/* Whether keys and values have a row of words of their own, be it one that waits for words. */
static bool has_keys(const struct view *view)
{
    return pending(view)->context != NULL || view->state->keys_empty;
}

/* What is said where one types. */
static const char *typing_hint(const struct view *view)
{
    const struct view_head_overview *const model = view->state->head_overview;
    if (has_keys(view)) {
        return tr("words for queries…");
    }
    if (model != NULL && model->ids > 0) {
        return arena_format(view->arena, "number, 0 to %zu…", model->ids - 1);
    }
    return model != NULL && model->closes != NULL && model->second == 0
               ? arena_format(view->arena, "type a token; %s: sentence B…", model->closes)
               : tr("type a token…");
}

/* The same where that would be cut. */
static const char *typing_hint_brief(const struct view *view, bool of_keys)
{
    const struct view_head_overview *const model = view->state->head_overview;
    return of_keys || has_keys(view)         ? "words…"
           : model != NULL && model->ids > 0 ? "number…"
                                             : "token…";
}

/* "A" or "B" before the first word of a sentence, where a model reads two; NULL: neither. */
static const char *sentence_tag(const struct view *view, size_t index)
{
    const struct view_head_overview *const model = view->state->head_overview;
    const bool two = model != NULL && model->second > 0 && pending(view)->context == NULL;
    return two && index == 0 ? "A" : two && index == model->second ? "B" : NULL;
}

static struct words words_of(const struct view *view, bool of_keys)
{
    const struct ui_theme *theme = view->ui->theme;
    return of_keys ? (struct words){pending(view)->context,       true,      VIEW_WORDS_OF_KEYS,
                                    "words for keys and values…", VIEW_KEY,  view->selection.key,
                                    view->state->hovered.key,     theme->key}
                   : (struct words){pending(view)->tokens,      false,       "tokens",
                                    typing_hint(view),          VIEW_QUERY,  view->selection.query,
                                    view->state->hovered.query, theme->query};
}

static bool is_guess(const struct view *view, const char *word)
{
    float place[LAB_VOCAB_AXES];
    return view->trace != NULL && !lab_trace_sizes(view->trace).raw &&
           view->experiment->embedding == LAB_EMBEDDING_TOY && !lab_vocab_place(word, place);
}

/* A model's text is a message of a chat, and this word is none of it. */
static bool is_of_template(const struct view *view, size_t index)
{
    const struct view_head_overview *const model = view->state->head_overview;
    return model != NULL && model->chat != NULL && pending(view)->context == NULL &&
           (index < model->chat_first || (index >= model->chat_end && index < model->chat_behind));
}

/* What stands for a letter without a shape of its own is explained; NULL: there is none. */
static const char *sign_of(const char *word)
{
    return strstr(word, "␣") != NULL   ? tr("␣ is a space")
           : strstr(word, "↵") != NULL ? tr("↵ is a line break")
           : strstr(word, "⇥") != NULL ? tr("⇥ is a tab")
                                       : NULL;
}

static const char *chip_tip(struct view *view, const char *word, size_t index, bool of_template)
{
    const struct view_head_overview *const model = view->state->head_overview;
    if (model != NULL && model->second > 0 && pending(view)->context == NULL) {
        return arena_format(view->arena,
                            tr(index < model->second
                                   ? "%.200s, of sentence A: click to choose it, double-click to "
                                     "change it, drag to move it"
                                   : "%.200s, of sentence B: click to choose it, double-click to "
                                     "change it, drag to move it"),
                            word);
    }
    if (of_template) {
        return arena_format(view->arena,
                            "%.200s: written by the chat template around the message; click to "
                            "choose it",
                            word);
    }
    if (is_guess(view, word)) {
        return arena_format(
            view->arena, "“%.80s” is not in the toy vocabulary: its place is made from its letters",
            word);
    }
    const char *const sign = sign_of(word);
    return sign != NULL ? arena_format(view->arena,
                                       "%.200s (%s): click to choose it, double-click to change "
                                       "it, drag to move it",
                                       word, sign)
                        : arena_format(view->arena,
                                       "%.200s: click to choose it, double-click to change it, "
                                       "drag to move it",
                                       word);
}

/* The chips' answer as a action. */
static void action_for(struct view *view, const struct words *words,
                       const struct ui_chips_answer *answer)
{
    static const enum view_action_kind kinds[] = {
        [UI_CHIPS_INSERT] = VIEW_ACTION_INSERT, [UI_CHIPS_REPLACE] = VIEW_ACTION_REPLACE,
        [UI_CHIPS_REMOVE] = VIEW_ACTION_REMOVE, [UI_CHIPS_MOVE] = VIEW_ACTION_MOVE,
        [UI_CHIPS_ALL] = VIEW_ACTION_REPLACE,
    };
    struct lab_selection to = view->selection;
    *(words->of_keys ? &to.key : &to.query) = answer->index;
    if (answer->event == UI_CHIPS_HOVER) {
        view_action_hover(view, words->part, to);
    } else if (answer->event == UI_CHIPS_CHOOSE) {
        view_choose(view, words->part, to, true);
        if ((view->ui->input->mods & UI_SHIFT) != 0) {
            ui_drop_focus(view->ui); /* it was no action to type: Esc lets go at once */
        }
    } else if (answer->event != UI_CHIPS_NOTHING) {
        const char *text = answer->text == NULL
                               ? NULL
                               : arena_text(view->arena, answer->text, strlen(answer->text));
        view_action(view, &(struct view_action){.kind = kinds[answer->event],
                                                .token = {.at = answer->index,
                                                          .before = answer->other,
                                                          .of_keys = words->of_keys,
                                                          .text = text}});
    }
}

static bool is_chosen(const struct view *view, const struct words *words, size_t index)
{
    return (view->emphasis && index == words->chosen) ||
           (!words->of_keys && lab_places_has(&view->state->prefs.display.queries, index));
}

/* Another word shines alone: of these words, or, where keys are the same words, of either kind. */
static bool is_faded(const struct view *view, const struct words *words, size_t index)
{
    const enum view_axis axis = words->of_keys ? VIEW_AXIS_KEYS : VIEW_AXIS_QUERIES;
    return view_filtered_out(view, axis, index, index + 1) ||
           (view->experiment->context == NULL &&
            view_filtered_out(view, VIEW_AXIS_KEYS, index, index + 1));
}

/* What closes a message that nothing has answered yet. */
static size_t closing_of(const struct view *view, size_t count)
{
    const struct view_head_overview *const model = view->state->head_overview;
    const bool open = count > 0 && is_of_template(view, count - 1) && model->chat_behind == count;
    return open ? count - model->chat_end : 0;
}

static void draw_words(struct view *view, const struct words *words, struct rect area)
{
    const size_t count = lab_words_count(words->list);
    const char *const *list = lab_words_list(words->list);
    struct ui_chip *chips = arena_array(view->arena, count + 1, sizeof *chips);
    if (chips == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        chips[i] = (struct ui_chip){.word = list[i],
                                    .tag = sentence_tag(view, i),
                                    .tip = chip_tip(view, list[i], i, is_of_template(view, i)),
                                    .marked = is_guess(view, list[i]),
                                    .chosen_fill = words->colour,
                                    .chosen = is_chosen(view, words, i),
                                    .faded = is_faded(view, words, i) || is_of_template(view, i),
                                    .hovered = (view->state->hovered_parts & words->part) != 0 &&
                                               i == words->hovered};
    }
    const bool begins = words->of_keys ? view->state->keys_begin : view->state->tokens_begin;
    const struct ui_chips field = {.chip = chips,
                                   .count = count,
                                   .hint = words->hint,
                                   .brief = typing_hint_brief(view, words->of_keys),
                                   .closing = closing_of(view, count),
                                   .begin = begins};
    if (begins && words->of_keys) {
        view_action_set(view, keys_begin, false);
    } else if (begins) {
        view_action_set(view, tokens_begin, false);
    }
    const struct ui_chips_answer answer = ui_chips(view->ui, words->name, area, &field);
    action_for(view, words, &answer);
}

/* About what the chips of some words take. */
static float words_width(struct view *view, const struct words *words)
{
    float wide = 40;
    for (size_t i = 0; i < lab_words_count(words->list); i++) {
        wide += 30 + canvas_measure(view->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY,
                                    tr(lab_words_list(words->list)[i]));
    }
    return wide;
}

/* What they take at least, with all of their letters. */
static float words_least(struct view *view, const struct words *words)
{
    float wide = 20;
    for (size_t i = 0; i < lab_words_count(words->list); i++) {
        wide += 6 + ui_chip_least(view->ui, lab_words_list(words->list)[i]);
    }
    return wide;
}

/* Which part of the room the queries have: halves stay where they are while one types; who needs
 * more has it where they are short. */
static float queries_share(struct view *view, const struct words *const both[2], float all)
{
    const float wants[] = {words_width(view, both[0]), words_width(view, both[1])};
    const float least[] = {words_least(view, both[0]), words_least(view, both[1])};
    const float left = all - wants[0] - wants[1], spare = all - least[0] - least[1];
    return fmaxf(wants[0], wants[1]) <= all / 2 ? 0.5f
           : left > 0                           ? (wants[0] + left / 2) / all
           : spare > 0                          ? (least[0] + spare / 2) / all
                       : fminf(0.7f, fmaxf(0.3f, wants[0] / (wants[0] + wants[1])));
}

/* One field; with other words for keys and values a second one beside it, each under its letters.
 */
static void draw_tokens(struct view *view, struct rect area)
{
    const struct words queries = words_of(view, false), keys = words_of(view, true);
    if (!has_keys(view)) {
        draw_words(view, &queries, area);
        return;
    }
    static const char *const letters[] = {"Q", "K, V"};
    static const char *const tips[] = {"Queries come from these words",
                                       "Keys and values come from these words"};
    const struct words *const both[] = {&queries, &keys};
    const float room[] = {18, 34}, gap = 8;
    const float all = fmaxf(area.w - room[0] - room[1] - gap, 40);
    const float share = queries_share(view, both, all);
    const float wide[] = {all * share, all * (1 - share)};
    float x = area.x;
    for (size_t i = 0; i < 2; i++) {
        canvas_text(view->ui->canvas, x, area.y + area.h / 2 + 5, FONT_WORDS_BOLD, UI_TEXT_BODY,
                    both[i]->colour, CANVAS_LEFT, letters[i]);
        ui_tip(view->ui, ui_id(view->ui, letters[i]), (struct rect){x, area.y, room[i], area.h},
               tips[i]);
        draw_words(view, both[i], (struct rect){x + room[i], area.y, wide[i], area.h});
        x += room[i] + wide[i] + gap;
    }
    const bool waits = ui_has_focus(view->ui, ui_id(view->ui, keys.name));
    if (view->state->keys_empty && (pending(view)->context != NULL || !waits)) {
        view_action_set(view, keys_empty, false);
    }
}

/* The buttons at the right, from left to right. */
static const struct {
    const char *command, *label, *tip;
    enum ui_icon icon;
    enum ui_button_style style;
    float wide;
} buttons[] = {
    {"undo", "Undo", "Undo the last change (Ctrl+Z)", UI_ICON_UNDO, UI_BUTTON_PLAIN, 60},
    {"redo", "Redo", "Redo what was undone (Ctrl+Y)", UI_ICON_REDO, UI_BUTTON_PLAIN, 60},
    {"export", "Export", "Save a picture, an animation or numbers (Ctrl+E)", UI_ICON_SAVE,
     UI_BUTTON_STRONG, 92},
    {"theme", NULL, "Light or dark (T)", UI_ICON_THEME, UI_BUTTON_PLAIN, 36},
    {"help", NULL, "All keys (? or F1)", UI_ICON_HELP, UI_BUTTON_PLAIN, 36},
};

enum { BUTTONS = sizeof buttons / sizeof *buttons };

static const float SIGN_WIDE = 36; /* of a button that is a sign alone */

/* Where the bar is short, the words of the buttons give way to the tokens; else they are as wide as
 * in the table, or as a language needs. */
static float button_width(const struct view *view, size_t index, bool signs)
{
    const char *const label = buttons[index].label;
    return signs           ? SIGN_WIDE
           : label == NULL ? buttons[index].wide
                           : fmaxf(buttons[index].wide, ui_button_width(view->ui, label));
}

static float buttons_width(const struct view *view, bool signs)
{
    float wide = 0;
    for (size_t i = 0; i < BUTTONS; i++) {
        wide += button_width(view, i, signs) + (i > 0 ? GAP - 2 : 0);
    }
    return wide;
}

/* What two fields of words take with their letters; 0: there is one, which is looked along. */
static float fields_width(struct view *view)
{
    const struct words queries = words_of(view, false), keys = words_of(view, true);
    const float letters = 60;
    return !has_keys(view) ? 0 : words_width(view, &queries) + words_width(view, &keys) + letters;
}

/* Undo and Redo say what they would take back or do again. */
static const char *button_tip(struct view *view, size_t index)
{
    const bool undo = strcmp(buttons[index].command, "undo") == 0;
    const bool redo = strcmp(buttons[index].command, "redo") == 0;
    const char *name = undo ? view->state->undo_name : redo ? view->state->redo_name : NULL;
    const char *tip =
        name == NULL ? NULL
                     : arena_format(view->arena,
                                    undo ? tr("Undo: %s (Ctrl+Z)") : tr("Redo: %s (Ctrl+Y)"), name);
    return tip != NULL ? tip : buttons[index].tip;
}

static void draw_buttons(struct view *view, struct rect area, bool signs)
{
    float x = area.x + area.w - buttons_width(view, signs);
    for (size_t i = 0; i < BUTTONS; i++) {
        const bool off = (strcmp(buttons[i].command, "undo") == 0 && !view->state->can_undo) ||
                         (strcmp(buttons[i].command, "redo") == 0 && !view->state->can_redo);
        const bool sign = signs || buttons[i].label == NULL;
        const struct ui_button button = {.label = buttons[i].label,
                                         .icon = sign ? buttons[i].icon : UI_ICON_NONE,
                                         .style = buttons[i].style,
                                         .tip = button_tip(view, i),
                                         .disabled = off};
        if (ui_button(view->ui, buttons[i].command,
                      (struct rect){x, area.y, button_width(view, i, signs), area.h}, &button)) {
            view_action_command(view, buttons[i].command);
        }
        x += button_width(view, i, signs) + GAP - 2;
    }
}

/* What the words of the experiment need at least; one row of them is looked along. */
static float words_need(struct view *view)
{
    const struct words queries = words_of(view, false);
    const float typed = 100; /* behind them */
    return fmaxf(fields_width(view), words_width(view, &queries) + typed);
}

/* The menu of lessons: its title is whole where the words leave room for that. */
static float lessons_width(struct view *view, float least, float room)
{
    static const float MOST = 224, SIGN = 44; /* beside the title */
    if (view->state->head_overview != NULL && view->state->head_overview->title != NULL) {
        return least;
    }
    const float title = view_lessons_title(view);
    return fmaxf(least, fminf(fminf(title + SIGN, MOST), room - words_need(view)));
}

void view_topbar(struct view *view, struct rect area)
{
    canvas_group(view->ui->canvas, ui_id(view->ui, "topbar"), "Top bar");
    ui_push(view->ui, "topbar");
    const bool short_bar = area.w < LOGO_FROM;
    const float logo = short_bar ? 0 : 26, lessons_least = short_bar ? 72 : 120;
    if (!short_bar) {
        draw_logo(view, (struct rect){area.x, area.y + (area.h - logo) / 2, logo, logo});
    }
    float lessons = fminf(224, fmaxf(lessons_least, area.w * 0.18f));
    float x = area.x + logo + (short_bar ? 0 : 12);
    if (view_settings_are_folded(view)) {
        const struct ui_button button = {.icon = UI_ICON_SETTINGS, .tip = "Settings (S)"};
        if (ui_button(view->ui, "settings", (struct rect){x, area.y, area.h, area.h}, &button)) {
            view_action_command(view, "settings");
        }
        x += area.h + GAP;
    }
    const float end = area.x + area.w - buttons_width(view, area.w < SIGNS_BELOW) - 14;
    lessons = short_bar ? lessons : lessons_width(view, lessons, end - x - GAP - 6);
    view_lessons(view, (struct rect){x, area.y, lessons, area.h});
    x += lessons + GAP + 6;
    const float written = area.x + area.w - buttons_width(view, false);
    const bool signs = area.w < SIGNS_BELOW || fields_width(view) > written - 14 - x;
    const float right = area.x + area.w - buttons_width(view, signs);
    draw_tokens(view, (struct rect){x, area.y, fmaxf(right - 14 - x, 40), area.h});
    draw_buttons(view, area, signs);
    ui_pop(view->ui);
    canvas_ungroup(view->ui->canvas);
}

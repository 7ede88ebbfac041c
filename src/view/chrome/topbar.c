/* The top bar: logo, lessons, the tokens as chips, and the commands that are always at hand. */
#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "lab/experiment/vocab.h"
#include "lab/lesson/lessons.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/hints.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

static const float GAP = 8, ICONS_BELOW = 1100;
static const float LOGO_FROM = 600; /* a narrower bar has no logo */

/* Draws the logo: an attention matrix of three by three. */
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

/* The content of a token field. */
struct tokens {
    const struct lab_words *list;
    bool of_keys; /* the tokens of keys and values; else of queries */
    const char *name, *hint;
    unsigned part; /* VIEW_QUERY or VIEW_KEY */
    size_t chosen, hovered;
    struct colour colour;
};

/* The experiment with all changes that are being computed, which is what is edited. */
static const struct lab_experiment *pending_experiment(const struct view *view)
{
    return view->pending != NULL ? view->pending : view->experiment;
}

/* Says whether keys and values have tokens of their own, or an empty field for them. */
static bool has_key_tokens(const struct view *view)
{
    return pending_experiment(view)->context != NULL || view->state->keys_empty;
}

/* The hint in the token field. */
static const char *typing_hint(const struct view *view)
{
    const struct view_head_overview *const model = view->state->head_overview;
    if (has_key_tokens(view)) {
        return tr("words for queries…");
    }
    if (model != NULL && model->ids > 0) {
        return arena_format(view->arena, "number, 0 to %zu…", model->ids - 1);
    }
    return model != NULL && model->closes != NULL && model->second == 0
               ? arena_format(view->arena, "type a token; %s: sentence B…", model->closes)
               : tr("type a token…");
}

/* A shorter hint, in case that would be cut. */
static const char *typing_hint_brief(const struct view *view, bool of_keys)
{
    const struct view_head_overview *const model = view->state->head_overview;
    return of_keys || has_key_tokens(view)   ? "words…"
           : model != NULL && model->ids > 0 ? "number…"
                                             : "token…";
}

/* "A" or "B" before the first token of a sentence, if a model reads two; NULL: neither. */
static const char *sentence_tag(const struct view *view, size_t index)
{
    const struct view_head_overview *const model = view->state->head_overview;
    const bool two =
        model != NULL && model->second > 0 && pending_experiment(view)->context == NULL;
    return two && index == 0 ? "A" : two && index == model->second ? "B" : NULL;
}

static struct tokens token_field_of(const struct view *view, bool of_keys)
{
    const struct ui_theme *theme = view->ui->theme;
    return of_keys
               ? (struct tokens){pending_experiment(view)->context, true,      VIEW_WORDS_OF_KEYS,
                                 "words for keys and values…",      VIEW_KEY,  view->selection.key,
                                 view->state->hovered.key,          theme->key}
               : (struct tokens){pending_experiment(view)->tokens,
                                 false,
                                 "tokens",
                                 typing_hint(view),
                                 VIEW_QUERY,
                                 view->selection.query,
                                 view->state->hovered.query,
                                 theme->query};
}

static bool is_unknown_word(const struct view *view, const char *word)
{
    float place[LAB_VOCAB_AXES];
    return view->trace != NULL && !lab_trace_sizes(view->trace).raw &&
           view->experiment->embedding == LAB_EMBEDDING_TOY && !lab_vocab_place(word, place);
}

/* Says whether the token belongs to the chat template around a model's message. */
static bool is_of_template(const struct view *view, size_t index)
{
    const struct view_head_overview *const model = view->state->head_overview;
    return model != NULL && model->chat != NULL && pending_experiment(view)->context == NULL &&
           (index < model->chat_first || (index >= model->chat_end && index < model->chat_behind));
}

/* Explains the sign for an invisible character; NULL: the token has none. */
static const char *sign_explanation(const char *word)
{
    return strstr(word, "␣") != NULL   ? tr("␣ is a space")
           : strstr(word, "↵") != NULL ? tr("↵ is a line break")
           : strstr(word, "⇥") != NULL ? tr("⇥ is a tab")
                                       : NULL;
}

static const char *chip_tip(struct view *view, const char *word, size_t index, bool of_template)
{
    const struct view_head_overview *const model = view->state->head_overview;
    if (model != NULL && model->second > 0 && pending_experiment(view)->context == NULL) {
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
    if (is_unknown_word(view, word)) {
        return arena_format(
            view->arena, "“%.80s” is not in the toy vocabulary: its place is made from its letters",
            word);
    }
    const char *const sign = sign_explanation(word);
    return sign != NULL ? arena_format(view->arena,
                                       "%.200s (%s): click to choose it, double-click to change "
                                       "it, drag to move it",
                                       word, sign)
                        : arena_format(view->arena,
                                       "%.200s: click to choose it, double-click to change it, "
                                       "drag to move it",
                                       word);
}

/* Appends the action that the chips' answer asks for. */
static void append_chips_action(struct view *view, const struct tokens *tokens,
                                const struct ui_chips_answer *answer)
{
    static const enum view_action_kind kinds[] = {
        [UI_CHIPS_INSERT] = VIEW_ACTION_INSERT, [UI_CHIPS_REPLACE] = VIEW_ACTION_REPLACE,
        [UI_CHIPS_REMOVE] = VIEW_ACTION_REMOVE, [UI_CHIPS_MOVE] = VIEW_ACTION_MOVE,
        [UI_CHIPS_ALL] = VIEW_ACTION_REPLACE,
    };
    struct lab_selection to = view->selection;
    *(tokens->of_keys ? &to.key : &to.query) = answer->index;
    if (answer->event == UI_CHIPS_HOVER) {
        view_action_hover(view, tokens->part, to);
    } else if (answer->event == UI_CHIPS_CHOOSE) {
        view_choose(view, tokens->part, to, true);
        if ((view->ui->input->mods & UI_SHIFT) != 0) {
            ui_drop_focus(
                view->ui); /* nothing was typed: Esc releases the pinned queries at once */
        }
    } else if (answer->event != UI_CHIPS_NOTHING) {
        const char *text = answer->text == NULL
                               ? NULL
                               : arena_text(view->arena, answer->text, strlen(answer->text));
        view_action(view, &(struct view_action){.kind = kinds[answer->event],
                                                .token = {.at = answer->index,
                                                          .before = answer->other,
                                                          .of_keys = tokens->of_keys,
                                                          .text = text}});
    }
}

static bool is_chosen(const struct view *view, const struct tokens *tokens, size_t index)
{
    return (view->emphasis && index == tokens->chosen) ||
           (!tokens->of_keys && lab_places_has(&view->state->prefs.display.queries, index));
}

/* Says whether the token is dimmed because another one is emphasised alone, of this field or, in
 * self-attention, of either kind. */
static bool is_faded(const struct view *view, const struct tokens *tokens, size_t index)
{
    const enum view_axis axis = tokens->of_keys ? VIEW_AXIS_KEYS : VIEW_AXIS_QUERIES;
    return view_filtered_out(view, axis, index, index + 1) ||
           (view->experiment->context == NULL &&
            view_filtered_out(view, VIEW_AXIS_KEYS, index, index + 1));
}

/* Counts the tokens of the template that end a message without an answer. */
static size_t closing_count(const struct view *view, size_t count)
{
    const struct view_head_overview *const model = view->state->head_overview;
    const bool open = count > 0 && is_of_template(view, count - 1) && model->chat_behind == count;
    return open ? count - model->chat_end : 0;
}

static void draw_token_field(struct view *view, const struct tokens *tokens, struct rect area)
{
    const size_t count = lab_words_count(tokens->list);
    const char *const *list = lab_words_list(tokens->list);
    struct ui_chip *chips = arena_array(view->arena, count + 1, sizeof *chips);
    if (chips == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        chips[i] = (struct ui_chip){.word = list[i],
                                    .tag = sentence_tag(view, i),
                                    .tip = chip_tip(view, list[i], i, is_of_template(view, i)),
                                    .marked = is_unknown_word(view, list[i]),
                                    .chosen_fill = tokens->colour,
                                    .chosen = is_chosen(view, tokens, i),
                                    .faded = is_faded(view, tokens, i) || is_of_template(view, i),
                                    .hovered = (view->state->hovered_parts & tokens->part) != 0 &&
                                               i == tokens->hovered};
    }
    const bool begins = tokens->of_keys ? view->state->keys_begin : view->state->tokens_begin;
    const struct ui_chips field = {.chip = chips,
                                   .count = count,
                                   .hint = tokens->hint,
                                   .brief = typing_hint_brief(view, tokens->of_keys),
                                   .closing = closing_count(view, count),
                                   .begin = begins};
    if (begins && tokens->of_keys) {
        view_action_set(view, keys_begin, false);
    } else if (begins) {
        view_action_set(view, tokens_begin, false);
    }
    const struct ui_chips_answer answer = ui_chips(view->ui, tokens->name, area, &field);
    append_chips_action(view, tokens, &answer);
    const struct view_state *const state = view->state;
    if (!tokens->of_keys && state->steps == 0 && state->can_undo && view_learn_is_shown(state)) {
        view_hint_at(view, VIEW_HINT_WORDS, area);
    }
}

/* The approximate width of the chips of a field. */
static float tokens_width(struct view *view, const struct tokens *tokens)
{
    float wide = 40;
    for (size_t i = 0; i < lab_words_count(tokens->list); i++) {
        wide += 30 + canvas_measure(view->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY,
                                    tr(lab_words_list(tokens->list)[i]));
    }
    return wide;
}

/* Their least width at which no token is cut. */
static float tokens_width_min(struct view *view, const struct tokens *tokens)
{
    float wide = 20;
    for (size_t i = 0; i < lab_words_count(tokens->list); i++) {
        wide += 6 + ui_chip_min_width(view->ui, lab_words_list(tokens->list)[i]);
    }
    return wide;
}

/* The share of the width for queries: one half, so that fields stay in place during typing, unless
 * one needs more and the other does not. */
static float queries_share(struct view *view, const struct tokens *const both[2], float all)
{
    const float wants[] = {tokens_width(view, both[0]), tokens_width(view, both[1])};
    const float width_min[] = {tokens_width_min(view, both[0]), tokens_width_min(view, both[1])};
    const float left = all - wants[0] - wants[1], spare = all - width_min[0] - width_min[1];
    return fmaxf(wants[0], wants[1]) <= all / 2 ? 0.5f
           : left > 0                           ? (wants[0] + left / 2) / all
           : spare > 0                          ? (width_min[0] + spare / 2) / all
                       : fminf(0.7f, fmaxf(0.3f, wants[0] / (wants[0] + wants[1])));
}

/* Draws one token field, or with other tokens for keys and values two, each after its symbols. */
static void draw_tokens(struct view *view, struct rect area)
{
    const struct tokens queries = token_field_of(view, false), keys = token_field_of(view, true);
    if (!has_key_tokens(view)) {
        draw_token_field(view, &queries, area);
        return;
    }
    static const char *const symbols[] = {"Q", "K, V"};
    static const char *const tips[] = {"Queries come from these words",
                                       "Keys and values come from these words"};
    const struct tokens *const both[] = {&queries, &keys};
    const float room[] = {18, 34}, gap = 8;
    const float all = fmaxf(area.w - room[0] - room[1] - gap, 40);
    const float share = queries_share(view, both, all);
    const float wide[] = {all * share, all * (1 - share)};
    float x = area.x;
    for (size_t i = 0; i < 2; i++) {
        canvas_text(view->ui->canvas, x, area.y + area.h / 2 + 5, FONT_WORDS_BOLD, UI_TEXT_BODY,
                    both[i]->colour, CANVAS_LEFT, symbols[i]);
        ui_tip(view->ui, ui_id(view->ui, symbols[i]), (struct rect){x, area.y, room[i], area.h},
               tips[i]);
        draw_token_field(view, both[i], (struct rect){x + room[i], area.y, wide[i], area.h});
        x += room[i] + wide[i] + gap;
    }
    const bool waits = ui_has_focus(view->ui, ui_id(view->ui, keys.name));
    if (view->state->keys_empty && (pending_experiment(view)->context != NULL || !waits)) {
        view_action_set(view, keys_empty, false);
    }
}

/* The buttons at the right. */
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

static const float ICON_WIDE = 36; /* of a button that is only an icon */

/* The width of a button: in a short bar of its icon; else as in the table, or as a language needs.
 */
static float button_width(const struct view *view, size_t index, bool icons)
{
    const char *const label = buttons[index].label;
    return icons           ? ICON_WIDE
           : label == NULL ? buttons[index].wide
                           : fmaxf(buttons[index].wide, ui_button_width(view->ui, label));
}

static float buttons_width(const struct view *view, bool icons)
{
    float wide = 0;
    for (size_t i = 0; i < BUTTONS; i++) {
        wide += button_width(view, i, icons) + (i > 0 ? GAP - 2 : 0);
    }
    return wide;
}

/* The width of two token fields with their symbols; 0: there is one, which scrolls. */
static float fields_width(struct view *view)
{
    const struct tokens queries = token_field_of(view, false), keys = token_field_of(view, true);
    const float symbols = 60;
    return !has_key_tokens(view)
               ? 0
               : tokens_width(view, &queries) + tokens_width(view, &keys) + symbols;
}

/* The tip of a button; Undo and Redo name the change. */
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

static void draw_buttons(struct view *view, struct rect area, bool icons)
{
    float x = area.x + area.w - buttons_width(view, icons);
    for (size_t i = 0; i < BUTTONS; i++) {
        const bool off = (strcmp(buttons[i].command, "undo") == 0 && !view->state->can_undo) ||
                         (strcmp(buttons[i].command, "redo") == 0 && !view->state->can_redo);
        const bool sign = icons || buttons[i].label == NULL;
        const struct ui_button button = {.label = buttons[i].label,
                                         .icon = sign ? buttons[i].icon : UI_ICON_NONE,
                                         .style = buttons[i].style,
                                         .tip = button_tip(view, i),
                                         .disabled = off};
        if (ui_button(view->ui, buttons[i].command,
                      (struct rect){x, area.y, button_width(view, i, icons), area.h}, &button)) {
            view_action_command(view, buttons[i].command);
        }
        x += button_width(view, i, icons) + GAP - 2;
    }
    if (view->state->can_undo || view->state->step > 0) {
        view_hint_at(view, VIEW_HINT_FIND,
                     (struct rect){x - GAP + 2 - ICON_WIDE, area.y, ICON_WIDE, area.h});
    }
}

/* The width that the tokens of the experiment need. */
static float needed_tokens_width(struct view *view)
{
    const struct tokens queries = token_field_of(view, false);
    const float typed = 100; /* room for typing */
    return fmaxf(fields_width(view), tokens_width(view, &queries) + typed);
}

/* The width of the menu of lessons: of its whole title if the tokens leave room. */
static float lessons_width(struct view *view, float width_min, float room)
{
    static const float TITLE_MAX = 224,
                       SIGN = 44; /* limit of the menu's width; width of its icon */
    if (view->state->head_overview != NULL && view->state->head_overview->title != NULL) {
        return width_min;
    }
    const float title = view_lessons_title(view);
    return fmaxf(width_min,
                 fminf(fminf(title + SIGN, TITLE_MAX), room - needed_tokens_width(view)));
}

void view_topbar(struct view *view, struct rect area)
{
    canvas_group(view->ui->canvas, ui_id(view->ui, "topbar"), "Top bar");
    ui_push(view->ui, "topbar");
    const bool short_bar = area.w < LOGO_FROM;
    const float logo = short_bar ? 0 : 26, lessons_min = short_bar ? 72 : 120;
    if (!short_bar) {
        draw_logo(view, (struct rect){area.x, area.y + (area.h - logo) / 2, logo, logo});
    }
    float lessons = fminf(224, fmaxf(lessons_min, area.w * 0.18f));
    float x = area.x + logo + (short_bar ? 0 : 12);
    if (view_settings_are_folded(view)) {
        const struct ui_button button = {.icon = UI_ICON_SETTINGS, .tip = "Settings (S)"};
        if (ui_button(view->ui, "settings", (struct rect){x, area.y, area.h, area.h}, &button)) {
            view_action_command(view, "settings");
        }
        x += area.h + GAP;
    }
    const float end = area.x + area.w - buttons_width(view, area.w < ICONS_BELOW) - 14;
    lessons = short_bar ? lessons : lessons_width(view, lessons, end - x - GAP - 6);
    view_lessons(view, (struct rect){x, area.y, lessons, area.h});
    x += lessons + GAP + 6;
    const float written = area.x + area.w - buttons_width(view, false);
    const bool icons = area.w < ICONS_BELOW || fields_width(view) > written - 14 - x;
    const float right = area.x + area.w - buttons_width(view, icons);
    draw_tokens(view, (struct rect){x, area.y, fmaxf(right - 14 - x, 40), area.h});
    draw_buttons(view, area, icons);
    ui_pop(view->ui);
    canvas_ungroup(view->ui->canvas);
}

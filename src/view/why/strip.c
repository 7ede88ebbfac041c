/* The question in a line, with its word and its rival; and what is changed, before and after. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float LINE = 52, SECOND_LINE = 34, WORD_FROM = 640;
static const float EDGE = 16, GAP = 10, MENU_MIN = 84, MENU_MAX = 150, HIGH = 30;
static const float CHIP_HIGH = 24, CHIP_PAD = 10, CROSS = 9;
static const size_t AFTER_WORDS = 2; /* of the text that the question repeats */

/* Where there is room for it the line of what is changed is there from the beginning, so that
 * panels stay where they are when something is. */
static bool has_second_line(const struct view *view)
{
    static const float AMPLE = 700;
    return view->ui->input->height >= AMPLE ||
           (view->state->why != NULL && view->state->why->rows > 0);
}

static float draw_words(struct view *view, float x, float y, enum font_face face,
                        struct colour colour, const char *words)
{
    return x + GAP +
           canvas_text(view->ui->canvas, x, y, face, UI_TEXT_BODY + 1, colour, CANVAS_LEFT, words);
}

/* ---- the question ---------------------------------------------------------------------------- */

static const char **word_rows(struct view *view, const struct view_why_answer *answer, size_t first)
{
    const char **const rows = arena_array(view->arena, answer->choices + first + 1, sizeof *rows);
    for (size_t c = 0; rows != NULL && c < answer->choices; c++) {
        rows[first + c] = answer->choice[c].word;
    }
    return rows;
}

static const char **share_notes(struct view *view, const struct view_why_answer *answer,
                                size_t first)
{
    const char **const notes = arena_array(view->arena, answer->choices + first + 1, sizeof *notes);
    for (size_t c = 0; notes != NULL && c < answer->choices; c++) {
        notes[first + c] = why_percent(view, answer->choice[c].share);
    }
    if (notes != NULL && first > 0) {
        notes[0] = "";
    }
    return notes;
}

static size_t row_of(const struct view_why_answer *answer, const struct view_why_word *word)
{
    size_t row = 0;
    while (row < answer->choices && answer->choice[row].id != word->id) {
        row++;
    }
    return row;
}

/* A menu of words; first: rows before them, the only one of which is that there is no rival.
 * Returns its right end. */
static float draw_menu(struct view *view, const struct view_why_answer *answer, bool of_rival,
                       float x, float y)
{
    const size_t first = of_rival ? 1 : 0;
    const struct view_why_word *const word = of_rival ? &answer->rival : &answer->word;
    const char **const rows = word_rows(view, answer, first);
    const char **const notes = share_notes(view, answer, first);
    if (rows == NULL || notes == NULL) {
        return x;
    }
    if (of_rival) {
        rows[0] = tr("no other word");
    }
    const char *const label = word->word != NULL ? word->word : rows[0];
    const float wide = fminf(MENU_MAX, fmaxf(MENU_MIN, ui_button_width(view->ui, label) + 26));
    const struct ui_menu menu = {
        .rows = rows,
        .count = answer->choices + first,
        .current = word->word == NULL ? 0 : first + row_of(answer, word),
        .label = label,
        .content = true,
        .notes = notes,
        .tip = of_rival ? "The word it is compared with: what speaks for one and not the other"
                        : "The next word that is asked about"};
    const struct rect place = {x, y - HIGH / 2, wide, HIGH};
    const size_t chosen = ui_menu(view->ui, of_rival ? "rather than" : "why this", place, &menu);
    if (chosen < menu.count) {
        const uint32_t id =
            chosen < first ? VIEW_WHY_NO_RIVAL : answer->choice[chosen - first].id + 1;
        if (of_rival) {
            view_action_set(view, why_rival, id);
        } else {
            view_action_set(view, why_word, id);
        }
    }
    return x + wide + GAP;
}

/* The last words before the next one: "it is". */
static const char *words_before(struct view *view, const struct view_why_answer *answer)
{
    const size_t end = answer->position + 1;
    const char *words = "";
    for (size_t i = end > AFTER_WORDS ? end - AFTER_WORDS : 0; i < end && words != NULL; i++) {
        words = arena_words(view->arena, "%s%s%s", words, words[0] == '\0' ? "" : " ",
                            answer->words[i]);
    }
    return words == NULL ? "" : words;
}

/* "8.33 more", or before and now, "8.33 → −1.01", where something is changed. */
static const char *more_text(struct view *view, const struct why_frame *frame)
{
    const struct view_why_answer *const answer = frame->answer;
    const struct view_why_change *const change = frame->why->change;
    const char *const more =
        change != NULL ? arena_words(view->arena, "%s → %s", why_number(view, change->before, 2),
                                     why_number(view, change->after, 2))
        : answer->rival.word == NULL
            ? arena_words(view->arena, tr("logit %s"), why_number(view, answer->logit, 2))
        : answer->logit >= 0
            ? arena_words(view->arena, tr("%s more"), why_number(view, answer->logit, 2))
            : arena_words(view->arena, tr("%s less"), why_number(view, -answer->logit, 2));
    return more == NULL ? "" : more;
}

/* Other things that are asked. */
static const struct {
    enum view_why_page page;
    const char *name, *label, *tip;
} pages[] = {
    {VIEW_WHY_CIRCUITS, "circuits", "Circuits",
     "What the heads do by their weights alone, whatever the text: which of them copy, and "
     "which read what an earlier one writes"},
    {VIEW_WHY_TEXTS, "two texts", "Two texts",
     "Another text with as many tokens: which parts of this one make the difference"},
};

static const struct ui_button way_to_stages = {.label = "Stage", .tip = "Back to the stages (W)"};

/* The width of the buttons right of the question. */
static float buttons_width(struct view *view)
{
    float wide = view->style.is_far ? ui_button_width(view->ui, way_to_stages.label) + 6 : 0;
    for (size_t p = 0; p < sizeof pages / sizeof *pages; p++) {
        wide += ui_button_width(view->ui, pages[p].label) + 6;
    }
    return wide;
}

/* Circuits are of the weights, whatever is said. */
static bool asks_about_words(const struct view *view)
{
    return view->state->why_page != VIEW_WHY_CIRCUITS;
}

/* Returns its right end. */
static float draw_question(struct view *view, const struct why_frame *frame, struct rect line)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why_answer *const answer = frame->answer;
    const float y = line.y + LINE / 2, base = y + 5;
    float x = line.x + EDGE;
    if (line.w >= WORD_FROM) { /* else the tabs below say so */
        x = draw_words(view, x, base, FONT_WORDS_BOLD, theme->ink, tr("Why"));
    }
    if (!asks_about_words(view)) {
        return x;
    }
    x = draw_menu(view, answer, false, x, y);
    x = draw_words(view, x, base, FONT_WORDS, theme->ink, tr("rather than"));
    x = draw_menu(view, answer, true, x, y);
    const char *const more = more_text(view, frame);
    const char *const after =
        arena_words(view->arena, tr("after “%s”?"), words_before(view, answer));
    const float room = line.x + line.w - EDGE - buttons_width(view) - x - 4 * GAP;
    if (after != NULL &&
        canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_BODY + 1, after) +
                canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_BODY + 1, more) <=
            room) {
        x = draw_words(view, x, base, FONT_WORDS, theme->ink, after);
    }
    return draw_words(view, x + 4, base, FONT_NUMBERS, theme->ink, more) + 8;
}

float why_stages_button(struct view *view, float end, float y)
{
    if (!view->style.is_far || !view->style.has_controls) {
        return end;
    }
    const float wide = ui_button_width(view->ui, way_to_stages.label);
    const struct rect place = {end - wide, y - HIGH / 2, wide, HIGH};
    if (ui_button(view->ui, "stages", place, &way_to_stages)) {
        view_action_set(view, why_shown, false);
    }
    return place.x - 6;
}

/* Leads to other things that are asked, and back, as far as there is room right of the question;
 * the palette leads there too. Returns the buttons' left end. */
static float draw_page_buttons(struct view *view, float left, float end, float y)
{
    for (size_t p = 0; p < sizeof pages / sizeof *pages; p++) {
        const bool shown = view->state->why_page == pages[p].page;
        const struct ui_button button = {.label = pages[p].label,
                                         .style = shown ? UI_BUTTON_CURRENT : UI_BUTTON_PLAIN,
                                         .tip = shown ? "Back to what the parts add to this word"
                                                      : pages[p].tip};
        const float wide = ui_button_width(view->ui, button.label);
        if (!shown && end - wide < left - GAP) {
            continue;
        }
        if (ui_button(view->ui, pages[p].name, (struct rect){end - wide, y - HIGH / 2, wide, HIGH},
                      &button)) {
            view_action_set(view, why_page, shown ? VIEW_WHY_ANSWER : pages[p].page);
        }
        end -= wide + 6;
    }
    return end + 6;
}

/* What a click does on each page. */
static const char *const page_hints[] = {
    [VIEW_WHY_ANSWER] = "A click on what is lost without a part switches it off.",
    [VIEW_WHY_CIRCUITS] = "A click on a head shows which words it looks at, and which it makes "
                          "likelier.",
    [VIEW_WHY_TEXTS] = "A click explains a cell, one more opens it.",
};

/* ---- what is changed ------------------------------------------------------------------------- */

/* A row of what is changed: a click takes it back. Returns its right end. */
static float draw_chip(struct view *view, const struct view_why *why, size_t index,
                       const char *words, float x, float y)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const float wide = ceilf(canvas_measure(canvas, FONT_WORDS_MEDIUM, view->style.small, words)) +
                       2 * CHIP_PAD + CROSS + 6;
    const struct rect chip = {x, y - CHIP_HIGH / 2, wide, CHIP_HIGH};
    const uint32_t id = ui_id_number(view->ui, "changed", index);
    const struct ui_touch touch = ui_touch(view->ui, id, chip, true);
    canvas_group(canvas, id, words);
    canvas_rect(canvas, chip, CHIP_HIGH / 2,
                &(struct paint){
                    .fill = colour_mix(theme->panel, theme->accent, touch.hover ? 0.22f : 0.12f),
                    .stroke = colour_mix(theme->line, theme->accent, 0.5f),
                    .width = 1});
    canvas_text(canvas, chip.x + CHIP_PAD, y + 4.5f, FONT_WORDS_MEDIUM, view->style.small,
                theme->ink, CANVAS_LEFT, words);
    ui_draw_icon(view->ui, UI_ICON_CLOSE,
                 (struct rect){chip.x + wide - CHIP_PAD - CROSS, y - CROSS / 2, CROSS, CROSS},
                 touch.hover ? theme->ink : theme->muted);
    ui_draw_focus(view->ui, id, chip, CHIP_HIGH / 2);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, chip, "It is changed: a click takes it back");
    if (touch.clicked) {
        const struct view_why_row *const row = &why->row[index];
        if (row->is_of_run) {
            view_learn_action(view, VIEW_LEARN_SWITCH, row->layer * why->answer->heads + row->head,
                              0);
        } else {
            view_head_overview_action(view, VIEW_HEAD_OVERVIEW_TAKE_BACK, index);
        }
    }
    return x + wide + 6;
}

/* A word behind the chip of a part that is off, which changes how it is. Returns whether it was
 * clicked; *x becomes its right end. */
static bool draw_turn(struct view *view, const char *name, size_t index, const char *label,
                      const char *words, const char *tip, float *x, float y)
{
    const struct ui_theme *const theme = view->ui->theme;
    const float wide = canvas_measure(view->ui->canvas, FONT_WORDS, view->style.small, words);
    const struct rect place = {*x - 2, y - CHIP_HIGH / 2, wide + 8, CHIP_HIGH};
    const uint32_t id = ui_id_number(view->ui, name, index);
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    canvas_group(view->ui->canvas, id, label == NULL ? words : label);
    canvas_text(view->ui->canvas, *x + 2, y + 4.5f, FONT_WORDS, view->style.small,
                touch.hover ? theme->accent : theme->muted, CANVAS_LEFT, words);
    ui_draw_focus(view->ui, id, place, 4);
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, id, place, tip);
    *x += wide + 12;
    return touch.clicked;
}

/* Its mean in place of zero, or zero; at the word that is asked behind alone, or at all words.
 * Returns the right end. */
static float draw_turns(struct view *view, size_t index, const struct view_why *why, float x,
                        float y)
{
    const struct view_why_row *const row = &why->row[index];
    const bool is_mean = row->kind == VIEW_WHY_ROW_MEAN, is_at_all = row->word == SIZE_MAX;
    const size_t position = why->answer->position;
    if (row->kind > VIEW_WHY_ROW_MEAN) {
        return x;
    }
    if (draw_turn(view, "mean", index, arena_words(view->arena, tr("%s: mean, or zero"), row->name),
                  tr(is_mean ? "zero" : "mean"),
                  is_mean ? "What it adds becomes zero at all words"
                          : "What it adds becomes its mean over all words, which is less of a "
                            "shock to what comes behind it",
                  &x, y)) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_MEAN, index);
    }
    const char *const words =
        is_at_all ? arena_words(view->arena, tr("at “%s”"), why->answer->words[position])
                  : tr("at all words");
    if (draw_turn(view, "at", index,
                  arena_words(view->arena, tr("%s: at one word, or all"), row->name),
                  words == NULL ? "" : words,
                  is_at_all ? "It stays as it is at all other words: what is lost then is what it "
                              "says at this one"
                            : "It is changed at all words of the text",
                  &x, y)) {
        view_action(view,
                    &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                          .overview = {.act = VIEW_HEAD_OVERVIEW_AT,
                                                       .which = index,
                                                       .query = is_at_all ? position : row->word}});
    }
    return x;
}

/* "+3", with all of them in a tooltip. Returns its right end. */
static float draw_rest(struct view *view, const char *name, size_t count, const char *all, float x,
                       float y)
{
    struct canvas *const canvas = view->ui->canvas;
    const char *const words = arena_words(view->arena, "+%zu", count);
    const float wide = canvas_text(canvas, x, y + 4.5f, FONT_NUMBERS, view->style.small,
                                   view->ui->theme->muted, CANVAS_LEFT, words == NULL ? "" : words);
    ui_tip(view->ui, ui_id(view->ui, name), (struct rect){x, y - 10, wide, 20}, all);
    return x + wide + 8;
}

/* The chips that have room before `end`. Returns the right end. */
static float draw_chips(struct view *view, const struct view_why *why, float x, float y, float end)
{
    static const float REST = 34, TURNS = 110;
    const char *all = "";
    size_t shown = 0;
    for (size_t r = 0; r < why->rows && all != NULL; r++) {
        const char *const words = view_why_change_words(&why->row[r], view->arena);
        const float wide =
            canvas_measure(view->ui->canvas, FONT_WORDS_MEDIUM, view->style.small, words) +
            2 * CHIP_PAD + CROSS + TURNS;
        if (shown == r && (r == 0 || x + wide + REST < end)) {
            x = draw_chip(view, why, r, words, x, y);
            x = draw_turns(view, r, why, x, y);
            shown++;
        }
        all = arena_words(view->arena, "%s%s%s", all, r == 0 ? "" : ", ", words);
    }
    return shown == why->rows || all == NULL
               ? x
               : draw_rest(view, "more changes", why->rows - shown, all, x, y);
}

static const char *told_text(struct view *view, const struct view_why_change *change, size_t t)
{
    return arena_words(view->arena, "%s → %s %%", why_number(view, change->told[t].before * 100, 1),
                       why_number(view, change->told[t].after * 100, 1));
}

/* "heavy 66.8 → 12.6 %" for each word; those without room are counted. */
static void draw_told(struct view *view, const struct view_why_change *change, float x, float y,
                      float end)
{
    static const float REST = 34;
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const char *all = "";
    size_t shown = 0;
    for (size_t t = 0; t < change->count && all != NULL; t++) {
        const char *const word = change->told[t].word, *const shares = told_text(view, change, t);
        if (word == NULL || shares == NULL) {
            return;
        }
        const float name = canvas_measure(canvas, FONT_WORDS_BOLD, view->style.small, word) + 6;
        const float wide = name + canvas_measure(canvas, FONT_NUMBERS, view->style.small, shares);
        if (shown == t && x + wide + (t + 1 < change->count ? REST : 0) <= end) {
            canvas_text(canvas, x, y + 4.5f, FONT_WORDS_BOLD, view->style.small, theme->ink,
                        CANVAS_LEFT, word);
            canvas_text(canvas, x + name, y + 4.5f, FONT_NUMBERS, view->style.small, theme->ink,
                        CANVAS_LEFT, shares);
            x += wide + 16;
            shown++;
        }
        all = arena_words(view->arena, "%s%s%s %s", all, t == 0 ? "" : ", ", word, shares);
    }
    if (shown < change->count && all != NULL) {
        (void)draw_rest(view, "more words", change->count - shown, all, x, y);
    }
}

static void draw_change(struct view *view, const struct view_why *why, float x, float y, float end)
{
    static const float CHIPS = 0.56f; /* of the line, at most */
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why_change *const change = why->change;
    x += 8 + canvas_text(canvas, x, y + 4.5f, FONT_WORDS, view->style.small, theme->muted,
                         CANVAS_LEFT, tr("changed:"));
    x = 8 + draw_chips(view, why, x, y, x + CHIPS * (end - x));
    if (change == NULL) {
        canvas_text(canvas, x, y + 4.5f, FONT_WORDS, view->style.small, theme->muted, CANVAS_LEFT,
                    tr("computing…"));
        return;
    }
    const char *const kl = arena_words(view->arena, "KL %s", why_number(view, change->kl, 2));
    const float kl_wide = canvas_text(canvas, end, y + 4.5f, FONT_NUMBERS, view->style.small,
                                      theme->muted, CANVAS_RIGHT, kl == NULL ? "" : kl);
    ui_tip(view->ui, ui_id(view->ui, "kl"), (struct rect){end - kl_wide, y - 10, kl_wide, 20},
           "How far the next words are from those before, all of them together: the "
           "Kullback–Leibler divergence, in nats; 0: none has changed");
    x += 10 + canvas_text(canvas, x, y + 4.5f, FONT_WORDS, view->style.small, theme->muted,
                          CANVAS_LEFT, tr("before → now"));
    draw_told(view, change, x, y, end - kl_wide - 12);
}

/* ---- on paper -------------------------------------------------------------------------------- */

/* "Why heavy rather than sweet after “it is”? 8.33 more" */
static const char *question_text(struct view *view, const struct why_frame *frame)
{
    const struct view_why_answer *const answer = frame->answer;
    const char *const more = more_text(view, frame), *const after =
                                                         arena_words(view->arena, tr("after “%s”?"),
                                                                     words_before(view, answer));
    const char *const rather =
        answer->rival.word == NULL
            ? ""
            : arena_words(view->arena, " %s %s", tr("rather than"), answer->rival.word);
    const char *const words =
        arena_words(view->arena, "%s %s%s %s %s", tr("Why"), answer->word.word,
                    rather == NULL ? "" : rather, after == NULL ? "" : after, more);
    return words == NULL ? "" : words;
}

/* "With L0H2 off: heavy 66.8 → 12.6 %, …, KL 1.55"; "": nothing is changed. */
static const char *change_text(struct view *view, const struct why_frame *frame)
{
    const struct view_why_change *const change = frame->why->change;
    const char *words = "";
    for (size_t t = 0; change != NULL && t < change->count && words != NULL; t++) {
        words = arena_words(view->arena, "%s%s %s, ", words, change->told[t].word,
                            told_text(view, change, t));
    }
    return words == NULL || change == NULL
               ? ""
               : why_with_foot(
                     view, frame,
                     arena_words(view->arena, "%sKL %s", words, why_number(view, change->kl, 2)));
}

static float print_strip(struct view *view, const struct why_frame *frame, struct rect area,
                         bool draws)
{
    const struct ui_theme *const theme = view->ui->theme;
    const char *const line[] = {question_text(view, frame), change_text(view, frame)};
    const float wide = area.w - 2 * EDGE;
    float y = area.y + 8;
    for (size_t l = 0; l < 2; l++) {
        if (line[l][0] != '\0' && draws) {
            view_wrapped(view, area.x + EDGE, y + UI_TEXT_BODY, wide, UI_TEXT_BODY, theme->ink,
                         line[l]);
        }
        y += line[l][0] == '\0' ? 0 : view_wrapped_height(view, wide, UI_TEXT_BODY, line[l]) + 4;
    }
    return y - area.y + 6;
}

/* ---- the strip ------------------------------------------------------------------------------- */

float view_why_strip_height(struct view *view, const struct why_frame *frame, float width)
{
    return view->style.has_controls
               ? LINE + (has_second_line(view) ? SECOND_LINE : 0)
               : print_strip(view, frame, (struct rect){0, 0, width, 1}, false);
}

/* What a click does, where nothing is changed yet: behind the question in two lines if need be, and
 * not at all where the strip has no room for them. */
static void draw_hint(struct view *view, float x, float end, float y, bool below)
{
    static const float ROOM_MIN = 110; /* in less its words would be cut */
    const char *const hint = tr(page_hints[view->state->why_page]);
    const struct colour colour = view->ui->theme->muted;
    const float room = fmaxf(end - x - 12, 1), size = view->style.small;
    if (room < ROOM_MIN) {
        return;
    }
    if (below || canvas_measure(view->ui->canvas, FONT_WORDS, size, hint) <= room) {
        view_text_whole(view, below ? x : end, y + 4.5f, FONT_WORDS, size, colour,
                        below ? CANVAS_LEFT : CANVAS_RIGHT, hint, room);
        return;
    }
    const float even = view_wrapped_even(view, room, size, hint);
    const float high = view_wrapped_height(view, even, size, hint);
    if (high > LINE - 6) {
        return;
    }
    view_wrapped(view, end - even, y - high / 2 + size, even, size, colour, hint);
}

void view_why_strip(struct view *view, const struct why_frame *frame, struct rect area)
{
    float end = area.x + area.w - EDGE;
    view_panel(view, area, "Why");
    canvas_clip(view->ui->canvas, area);
    if (!view->style.has_controls) {
        (void)print_strip(view, frame, area, true);
    } else {
        const bool below = has_second_line(view);
        const float right = draw_question(view, frame, area), middle = area.y + LINE / 2;
        const float buttons =
            draw_page_buttons(view, right, why_stages_button(view, end, middle), middle);
        end = below ? end : buttons - 12;
        const float x = below ? area.x + EDGE : right + 20;
        const float y = area.y + (below ? LINE + SECOND_LINE / 2 - 8 : LINE / 2);
        if (frame->why->rows > 0 && asks_about_words(view)) {
            draw_change(view, frame->why, x, y, end);
        } else {
            draw_hint(view, x, end, y, below);
        }
    }
    canvas_unclip(view->ui->canvas);
    canvas_ungroup(view->ui->canvas);
}

/* The question in a line, with its word and its rival; and what is changed, before and after. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float LINE = 52, SECOND_LINE = 34, NARROW = 1180;
static const float EDGE = 16, GAP = 10, MENU_MIN = 84, MENU_MAX = 150, HIGH = 30;
static const float CHIP_HIGH = 24, CHIP_PAD = 10, CROSS = 9;
static const size_t AFTER_WORDS = 2; /* of the text that the question repeats */

static bool has_second_line(const struct view *view, float width)
{
    return width < NARROW && view->state->why != NULL && view->state->why->off_count > 0;
}

float view_why_strip_height(const struct view *view, float width)
{
    return LINE + (has_second_line(view, width) ? SECOND_LINE : 0);
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
    if (!view->style.has_controls) {
        return draw_words(view, x, y + 5, FONT_WORDS_BOLD, view->ui->theme->query, label);
    }
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

/* Returns its right end. */
static float draw_question(struct view *view, const struct why_frame *frame, struct rect line)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why_answer *const answer = frame->answer;
    const float y = line.y + LINE / 2, base = y + 5;
    float x = draw_words(view, line.x + EDGE, base, FONT_WORDS_BOLD, theme->ink, tr("Why"));
    x = draw_menu(view, answer, false, x, y);
    x = draw_words(view, x, base, FONT_WORDS, theme->ink, tr("rather than"));
    x = draw_menu(view, answer, true, x, y);
    if (line.w > NARROW * 0.9f) {
        x = draw_words(view, x, base, FONT_WORDS, theme->ink,
                       arena_words(view->arena, tr("after “%s”?"), words_before(view, answer)));
    }
    const char *const more =
        answer->rival.word == NULL
            ? arena_words(view->arena, tr("logit %s"), why_number(view, answer->logit, 2))
        : answer->logit >= 0
            ? arena_words(view->arena, tr("%s more"), why_number(view, answer->logit, 2))
            : arena_words(view->arena, tr("%s less"), why_number(view, -answer->logit, 2));
    return more == NULL ? x : draw_words(view, x + 4, base, FONT_NUMBERS, theme->ink, more) + 8;
}

/* ---- what is changed ------------------------------------------------------------------------- */

static float draw_chip(struct view *view, size_t place, const char *words, float x, float y)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const float wide = ceilf(canvas_measure(canvas, FONT_WORDS_MEDIUM, UI_TEXT_SMALL, words)) +
                       2 * CHIP_PAD + CROSS + 6;
    const struct rect chip = {x, y - CHIP_HIGH / 2, wide, CHIP_HIGH};
    const uint32_t id = ui_id_number(view->ui, "changed", place);
    const struct ui_touch touch = ui_touch(view->ui, id, chip, true);
    canvas_group(canvas, id, words);
    canvas_rect(canvas, chip, CHIP_HIGH / 2,
                &(struct paint){
                    .fill = colour_mix(theme->panel, theme->accent, touch.hover ? 0.22f : 0.12f),
                    .stroke = colour_mix(theme->line, theme->accent, 0.5f),
                    .width = 1});
    canvas_text(canvas, chip.x + CHIP_PAD, y + 4.5f, FONT_WORDS_MEDIUM, UI_TEXT_SMALL, theme->ink,
                CANVAS_LEFT, words);
    ui_draw_icon(view->ui, UI_ICON_CLOSE,
                 (struct rect){chip.x + wide - CHIP_PAD - CROSS, y - CROSS / 2, CROSS, CROSS},
                 touch.hover ? theme->ink : theme->muted);
    ui_draw_focus(view->ui, id, chip, CHIP_HIGH / 2);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, chip, "It is switched off: a click switches it on again");
    if (touch.clicked) {
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_SWITCH, place);
    }
    return x + wide + 6;
}

/* "heavy 66.8 → 12.6 %". Returns its right end, or x where it has no room. */
static float draw_told(struct view *view, const char *word, double before, double after, float x,
                       float y, float end)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const char *const shares =
        arena_words(view->arena, "%s → %s %%", why_number(view, before * 100, 1),
                    why_number(view, after * 100, 1));
    if (shares == NULL || word == NULL) {
        return x;
    }
    const float name = canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_SMALL, word);
    const float wide = name + 6 + canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_SMALL, shares);
    if (x + wide > end) {
        return x;
    }
    canvas_text(canvas, x, y + 4.5f, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink, CANVAS_LEFT, word);
    canvas_text(canvas, x + name + 6, y + 4.5f, FONT_NUMBERS, UI_TEXT_SMALL, theme->ink,
                CANVAS_LEFT, shares);
    return x + wide + 16;
}

static void draw_change(struct view *view, const struct why_frame *frame, float x, float y,
                        float end)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why *const why = frame->why;
    const struct view_why_change *const change = why->change;
    const size_t places = frame->answer->layers * frame->answer->heads;
    x += canvas_text(canvas, x, y + 4.5f, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT,
                     tr("changed:")) +
         8;
    size_t shown = 0;
    for (size_t h = 0; h < places && shown < why->off_count && shown < 3; h++) {
        if (why->off[h]) {
            const char *const words =
                arena_words(view->arena, tr("L%zuH%zu off"), h / frame->answer->heads,
                            h % frame->answer->heads);
            x = words == NULL ? x : draw_chip(view, h, words, x, y);
            shown++;
        }
    }
    if (shown < why->off_count) {
        const char *const more = arena_words(view->arena, "+%zu", why->off_count - shown);
        x += canvas_text(canvas, x, y + 4.5f, FONT_NUMBERS, UI_TEXT_SMALL, theme->muted,
                         CANVAS_LEFT, more == NULL ? "" : more) +
             8;
    }
    x += 8;
    const char *const kl = change == NULL
                               ? tr("computing…")
                               : arena_words(view->arena, "KL %s", why_number(view, change->kl, 2));
    const float kl_wide = canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_SMALL, kl == NULL ? "" : kl);
    for (size_t t = 0; change != NULL && t < change->count; t++) {
        x = draw_told(view, change->told[t].word, change->told[t].before, change->told[t].after, x,
                      y, end - kl_wide - 12);
    }
    canvas_text(canvas, end, y + 4.5f, FONT_NUMBERS, UI_TEXT_SMALL, theme->muted, CANVAS_RIGHT,
                kl == NULL ? "" : kl);
}

void view_why_strip(struct view *view, const struct why_frame *frame, struct rect area)
{
    const struct ui_theme *const theme = view->ui->theme;
    view_panel(view, area, "Why");
    canvas_clip(view->ui->canvas, area);
    const float x = draw_question(view, frame, area), end = area.x + area.w - EDGE;
    const bool below = has_second_line(view, area.w);
    if (frame->why->off_count > 0) {
        draw_change(view, frame, below ? area.x + EDGE : x + 20,
                    below ? area.y + LINE + SECOND_LINE / 2 - 8 : area.y + LINE / 2, end);
    } else if (view->style.has_controls) {
        view_text_whole(view, end, area.y + LINE / 2 + 4.5f, FONT_WORDS, UI_TEXT_SMALL,
                        theme->muted, CANVAS_RIGHT,
                        tr("A click on what is lost without a head switches it off."),
                        fmaxf(end - x - 12, 1));
    }
    canvas_unclip(view->ui->canvas);
    canvas_ungroup(view->ui->canvas);
}

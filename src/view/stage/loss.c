/* The loss in place of a stage: at the left the likeliest next tokens of the chosen one, with logit
 * and probability; at the right −log p of the right token at every place. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

enum { WORDS_MAX = 12 };

static const float BESIDE = 0.4f, BETWEEN = 26, HEAD = 26, LINE = 30, NUMBER = 74, WORD = 0.26f;
static const float LINE_MIN = 18;

const char *view_loss_title(struct view *view)
{
    (void)view;
    return tr("Loss: −log p of the right word");
}

const char *view_loss_sentence(struct view *view)
{
    const struct view_learn_loss *const end = &view->state->learn->at_end;
    char number[TEXT_NUMBER_MAX];
    size_t asked = 0;
    for (size_t i = 0; i < end->n; i++) {
        asked += end->right[i] >= 0;
    }
    text_small_number(number, (double)end->mean, 3);
    return asked == 0
               ? arena_words(view->arena,
                             "Logits, softmax over all %zu words; nothing is asked here.",
                             end->share.cols)
               : arena_words(
                     view->arena,
                     tr_n("Logits, softmax over all %zu words, −log of what is right; at %zu "
                          "place %s.",
                          "Logits, softmax over all %zu words, −log of what is right; on "
                          "average over %zu places %s.",
                          asked),
                     end->share.cols, asked, number);
}

/* Finds the likeliest tokens of a row, sorted; the right one replaces the last if it is not among
 * them. */
static size_t find_likeliest(const struct view_learn_loss *end, size_t row, size_t count_max,
                             size_t *word)
{
    size_t count = 0;
    bool has_right = end->right[row] < 0;
    for (size_t id = 0; id < end->share.cols; id++) {
        const float share = lab_matrix_at(&end->share, row, id);
        size_t at = count;
        while (at > 0 && share > lab_matrix_at(&end->share, row, word[at - 1])) {
            at--;
        }
        if (at < count_max) {
            count += count < count_max;
            for (size_t i = count - 1; i > at; i--) {
                word[i] = word[i - 1];
            }
            word[at] = id;
        }
    }
    for (size_t i = 0; i < count; i++) {
        has_right = has_right || word[i] == (size_t)end->right[row];
    }
    if (!has_right) {
        word[count - 1] = (size_t)end->right[row];
    }
    return count;
}

/* Draws a logit or a probability, which can be chosen. */
static void draw_logit(struct view *view, struct rect place, float value, size_t word,
                       enum view_loss_part part)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_state *const state = view->state;
    const bool chosen = view->emphasis && state->loss_part == part &&
                        view_loss_word(state, view->selection.query) == word;
    const uint32_t id = ui_id_number(view->ui, part == VIEW_LOSS_LOGIT ? "logit" : "share", word);
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)value, 3);
    if (chosen || touch.hover) {
        canvas_rect(view->ui->canvas, place, 4,
                    &(struct paint){.stroke = chosen ? theme->ink : theme->faint, .width = 1.5f});
    }
    canvas_text(view->ui->canvas, place.x + place.w - 8, place.y + place.h / 2 + 4.5f,
                chosen ? FONT_NUMBERS_BOLD : FONT_NUMBERS, view->style.small, theme->ink,
                CANVAS_RIGHT, text);
    ui_draw_focus(view->ui, id, place, 4);
    if (touch.clicked) {
        view_action_set(view, loss_word, word + 1);
        view_action_set(view, loss_part, part);
    }
}

static void draw_token(struct view *view, size_t row, size_t word, struct rect line)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn_loss *const end = &view->state->learn->at_end;
    const bool right = end->right[row] >= 0 && (size_t)end->right[row] == word;
    const float share = lab_matrix_at(&end->share, row, word), name = line.w * WORD;
    const float y = line.y + line.h / 2;
    canvas_text_cut(view->ui->canvas, line.x, y + 4.5f, right ? FONT_WORDS_BOLD : FONT_WORDS,
                    UI_TEXT_BODY, right ? theme->output : theme->ink, CANVAS_LEFT, end->kind[word],
                    name - 8);
    draw_logit(view, (struct rect){line.x + name, line.y + 1, NUMBER, line.h - 2},
               lab_matrix_at(&end->logit, row, word), word, VIEW_LOSS_LOGIT);
    draw_logit(view, (struct rect){line.x + name + NUMBER, line.y + 1, NUMBER, line.h - 2}, share,
               word, VIEW_LOSS_SHARE);
    const float from = line.x + name + 2 * NUMBER + 12;
    const struct rect track = {from, y - 4.5f, fmaxf(line.x + line.w - from, 1), 9};
    canvas_rect(view->ui->canvas, track, 4.5f, &(struct paint){.fill = theme->control});
    canvas_rect(view->ui->canvas,
                (struct rect){track.x, track.y, fmaxf(2, track.w * share), track.h}, 4.5f,
                &(struct paint){.fill = right ? theme->output : theme->faint});
}

static void draw_heading(struct view *view, float x, float y, enum canvas_anchor anchor,
                         const char *text, float wide)
{
    view_text_whole(view, x, y + 14, FONT_WORDS, view->style.small, view->ui->theme->muted, anchor,
                    text, wide);
}

static void draw_tokens(struct view *view, struct rect area)
{
    const struct view_learn_loss *const end = &view->state->learn->at_end;
    const size_t row = view->selection.query < end->n ? view->selection.query : 0;
    const float name = area.w * WORD;
    const float line =
        fmaxf(LINE_MIN, fminf(LINE * view_growth(area), (area.h - HEAD) / WORDS_MAX));
    const size_t fit = (size_t)fmaxf(2, (area.h - HEAD) / line);
    size_t word[WORDS_MAX];
    const size_t count = find_likeliest(end, row, fit < WORDS_MAX ? fit : WORDS_MAX, word);
    const char *const behind =
        arena_words(view->arena, tr("behind “%s”"), lab_trace_queries(view->trace)[row]);
    draw_heading(view, area.x, area.y, CANVAS_LEFT, behind, name - 4);
    draw_heading(view, area.x + name + NUMBER - 8, area.y, CANVAS_RIGHT, tr("logit"), NUMBER - 8);
    draw_heading(view, area.x + name + 2 * NUMBER - 8, area.y, CANVAS_RIGHT, "p", NUMBER - 8);
    for (size_t w = 0; w < count; w++) {
        draw_token(view, row, word[w],
                   (struct rect){area.x, area.y + HEAD + (float)w * line, area.w, line});
    }
}

/* Draws one place: its token, the right next token, and the loss of that. */
static void draw_place(struct view *view, size_t row, struct rect line, float largest_loss)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn_loss *const end = &view->state->learn->at_end;
    const bool asked = end->right[row] >= 0;
    const bool chosen = view->emphasis && view->selection.query == row;
    const uint32_t id = ui_id_number(view->ui, "place", row);
    const struct ui_touch touch = ui_touch(view->ui, id, line, true);
    const float y = line.y + line.h / 2, name = line.w * 0.5f;
    const char *const own = lab_trace_queries(view->trace)[row];
    const char *const text =
        asked ? arena_words(view->arena, "%s → %s", own, end->kind[end->right[row]]) : own;
    char number[TEXT_NUMBER_MAX];
    text_small_number(number, (double)end->loss[row], 3);
    if (chosen || touch.hover) {
        canvas_rect(view->ui->canvas, line, 5,
                    &(struct paint){.stroke = chosen ? theme->query : theme->faint, .width = 1.5f});
    }
    canvas_text_cut(view->ui->canvas, line.x + 8, y + 4.5f, chosen ? FONT_WORDS_BOLD : FONT_WORDS,
                    view->style.small, chosen ? theme->query : theme->ink, CANVAS_LEFT, text,
                    name - 12);
    canvas_text(view->ui->canvas, line.x + name + 48, y + 4.5f, FONT_NUMBERS, view->style.small,
                theme->ink, CANVAS_RIGHT, asked ? number : "—");
    const struct rect track = {line.x + name + 58, y - 4, fmaxf(line.w - name - 66, 1), 8};
    if (asked && largest_loss > 0) {
        canvas_rect(view->ui->canvas,
                    (struct rect){track.x, track.y,
                                  fmaxf(2, track.w * end->loss[row] / largest_loss), track.h},
                    2, &(struct paint){.fill = theme->output});
    }
    ui_draw_focus(view->ui, id, line, 5);
    if (touch.clicked || touch.hover) {
        struct lab_selection to = view->selection;
        to.query = row;
        view_choose(view, VIEW_QUERY, to, touch.clicked);
    }
    if (touch.clicked) {
        view_action_set(view, loss_part, (enum view_loss_part)VIEW_LOSS_LOSS);
    }
}

static void draw_places(struct view *view, struct rect area)
{
    const struct view_learn_loss *const end = &view->state->learn->at_end;
    float largest_loss = 0;
    for (size_t i = 0; i < end->n; i++) {
        largest_loss = end->right[i] >= 0 ? fmaxf(largest_loss, end->loss[i]) : largest_loss;
    }
    const float line = fminf(LINE * view_growth(area), (area.h - HEAD) / (float)end->n);
    draw_heading(view, area.x + 8, area.y, CANVAS_LEFT, tr("−log p of what is right"), area.w - 8);
    if (line < 9) {
        view_notice(view, area, "Too many words", "So many have no room here: take fewer.");
        return;
    }
    for (size_t i = 0; i < end->n; i++) {
        draw_place(view, i,
                   (struct rect){area.x, area.y + HEAD + (float)i * line, area.w, line - 1},
                   largest_loss);
    }
}

void view_loss(struct view *view, struct rect area)
{
    ui_push(view->ui, "loss");
    canvas_group(view->ui->canvas, ui_id(view->ui, "loss"), "Loss");
    const float right = area.w * BESIDE;
    draw_tokens(view, (struct rect){area.x, area.y, area.w - right - BETWEEN, area.h});
    draw_places(view, (struct rect){area.x + area.w - right, area.y, right, area.h});
    canvas_ungroup(view->ui->canvas);
    ui_pop(view->ui);
}

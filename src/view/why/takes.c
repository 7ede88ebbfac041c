/* Draws what a head takes from each word of the text, and what it makes of that for the answer. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float EDGE = 14, ROW = 25, ROW_PRINTED = 19, ROW_MIN = 17, NUMBER = 58, ALPHA = 56;

struct layout {
    struct rect row; /* the first */
    float word, bars, unit, end;
    const size_t *shown; /* [rows] which words, in the order of the text */
    size_t rows, words;  /* of all words of the text */
    const double *adds;  /* [n] */
    const float *alpha;  /* [n] */
    const float *weight; /* [n] alpha, or as it is weighed; NULL: not known yet */
    const bool *masked;  /* [n] */
};

/* Where not all words have room: those with the largest weights. */
static const size_t *choose_words(struct view *view, const float *alpha, size_t n, size_t rows)
{
    size_t *const shown = arena_array(view->arena, rows + 1, sizeof *shown);
    size_t count = 0;
    for (size_t j = 0; shown != NULL && j < n; j++) {
        size_t above = 0;
        for (size_t other = 0; other < n; other++) {
            above += alpha[other] > alpha[j] || (other < j && !(alpha[other] < alpha[j])) ? 1 : 0;
        }
        if (above < rows) {
            shown[count++] = j;
        }
    }
    return shown;
}

static bool lay_out(struct view *view, const struct why_frame *frame, struct rect area,
                    struct layout *layout)
{
    const struct view_why_answer *const answer = frame->answer;
    const struct view_why_part *const head = &answer->part[frame->head];
    const size_t n = answer->n;
    const enum view_weighing weighing = view->state->weighing;
    const float top = why_header(view) + WHY_TITLES, room = area.h - top - 8;
    const size_t place = (head->layer * answer->heads + head->head) * n;
    const float *const weight = answer->weight[weighing];
    const size_t lines = (size_t)fmaxf(2, floorf(room / ROW_MIN + 0.01f));
    const size_t rows = n <= lines ? n : lines - 1; /* one for the others */
    *layout =
        (struct layout){.row = {area.x, area.y + top, area.w,
                                fminf(ROW, fmaxf(room / (float)(rows + (rows < n ? 1 : 0)), 1))},
                        .rows = rows,
                        .words = n,
                        .adds = answer->of_words + place,
                        .alpha = answer->weight[VIEW_BY_ALPHA] + place,
                        .weight = weight == NULL ? NULL : weight + place,
                        .masked = answer->masked + place};
    layout->shown = choose_words(view, layout->alpha, n, rows);
    double peak = 0;
    for (size_t r = 0; layout->shown != NULL && r < rows; r++) {
        peak = fmax(peak, fabs(layout->adds[layout->shown[r]]));
    }
    layout->word = area.x + EDGE + area.w * 0.22f;
    layout->bars = layout->word + 12 + ALPHA;
    layout->end = area.x + area.w - EDGE;
    layout->unit = peak > 0 ? fmaxf(layout->end - NUMBER - layout->bars, 4) / (float)peak : 0;
    return layout->shown != NULL;
}

float view_why_takes_height(struct view *view, const struct why_frame *frame, float width)
{
    enum { PRINTED_MAX = 16 };
    const size_t n = frame->answer->n;
    (void)width;
    return why_header(view) + WHY_TITLES + 8 +
           ROW_PRINTED * (float)(n < PRINTED_MAX ? n : PRINTED_MAX);
}

/* Draws the number that comes of a word, in the window as a switch that masks it. */
static void draw_adds(struct view *view, const struct why_frame *frame, const struct layout *layout,
                      struct rect row, size_t j, bool is_largest)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const bool is_masked = layout->masked[j];
    const float high = fminf(20, row.h - 2);
    const struct rect pill = {layout->end - NUMBER, row.y + (row.h - high) / 2, NUMBER + 4, high};
    if (view->style.has_controls) {
        const uint32_t id = ui_id_number(view->ui, "mask", j);
        const struct ui_touch touch = ui_touch(view->ui, id, pill, true);
        canvas_group(canvas, id,
                     arena_words(view->arena, tr("Mask “%s”"), frame->answer->words[j]));
        canvas_rect(canvas, pill, 6,
                    &(struct paint){.fill = is_masked
                                                ? colour_mix(theme->panel, theme->accent, 0.25f)
                                            : touch.hover ? theme->control
                                                          : theme->panel,
                                    .stroke = is_masked ? theme->accent : theme->line,
                                    .width = 1});
        ui_draw_focus(view->ui, id, pill, 6);
        ui_tip(view->ui, id, pill,
               is_masked ? "The head does not see this word: a click lets it see it again"
                         : "What comes of this word: a click masks it, so that the head does not "
                           "see it");
        canvas_ungroup(canvas);
        if (touch.clicked) {
            why_mask(view, frame, j);
        }
    }
    canvas_text(canvas, layout->end, row.y + row.h / 2 + 4,
                is_masked    ? FONT_WORDS_MEDIUM
                : is_largest ? FONT_NUMBERS_BOLD
                             : FONT_NUMBERS,
                view->style.small, theme->ink, CANVAS_RIGHT,
                is_masked ? tr("masked") : why_signed(view, layout->adds[j]));
}

/* An α of the head as a field, where it was clicked: the number that is typed stands in its place
 * from then on. */
static void draw_alpha_field(struct view *view, const struct why_frame *frame, struct rect place,
                             size_t typed, const struct layout *layout, size_t j)
{
    const char *const text = why_number(view, (double)layout->alpha[j], 3);
    double number = 0;
    const struct ui_field field = {.label = "α by hand",
                                   .text = text,
                                   .face = FONT_NUMBERS,
                                   .size = view->style.small,
                                   .one_number = true,
                                   .begin = view->ui->memory->edited != ui_id(view->ui, "alpha")};
    const struct ui_field_answer answer = ui_field(view->ui, "alpha", place, &field);
    if (answer.event != UI_FIELD_COMMITTED && answer.event != UI_FIELD_LEFT) {
        return;
    }
    view_action_set(view, why_typed, (size_t)0);
    if (strcmp(answer.text, text) == 0) {
        return; /* it has more digits than stand there */
    }
    if (answer.event == UI_FIELD_COMMITTED && text_to_double(answer.text, &number)) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                                .overview = {.act = VIEW_HEAD_OVERVIEW_SET,
                                                             .which = typed / layout->words,
                                                             .query = frame->answer->position,
                                                             .key = j,
                                                             .number = number}});
    } else if (answer.event == UI_FIELD_COMMITTED) {
        view_action(view, &(struct view_action){
                              .kind = VIEW_ACTION_NO_NUMBER,
                              .text = arena_text(view->arena, answer.text, strlen(answer.text))});
    }
}

/* The weight of a word; in the window, while it is α, it can be typed. */
static void draw_weight(struct view *view, const struct why_frame *frame,
                        const struct layout *layout, struct rect row, size_t j)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_why_part *const head = &frame->answer->part[frame->head];
    const size_t typed = (head->layer * frame->answer->heads + head->head) * layout->words + j;
    const float high = fminf(20, row.h - 2), right = layout->bars - 8;
    const struct rect place = {right - ALPHA + 8, row.y + (row.h - high) / 2, ALPHA - 4, high};
    if (view->style.has_controls && view->state->weighing == VIEW_BY_ALPHA) {
        if (view->state->why_typed == typed + 1) {
            draw_alpha_field(view, frame, place, typed, layout, j);
            return;
        }
        const uint32_t id = ui_id_number(view->ui, "set", j);
        const struct ui_touch touch = ui_touch(view->ui, id, place, true);
        canvas_group(canvas, id,
                     arena_words(view->arena, tr("Set α of “%s”"), frame->answer->words[j]));
        canvas_rect(canvas, place, 4,
                    &(struct paint){.fill = touch.hover ? view->ui->theme->panel
                                                        : (struct colour){0, 0, 0, 0}});
        ui_draw_focus(view->ui, id, place, 4);
        canvas_ungroup(canvas);
        ui_tip(view->ui, id, place,
               "A click types another α here; what comes of it goes on to the next word");
        if (touch.clicked) {
            why_pin(view, frame);
            view_action_set(view, why_typed, typed + 1);
        }
    }
    canvas_text(canvas, right, row.y + row.h / 2 + 4, FONT_NUMBERS, UI_TEXT_TINY,
                view_label_ink(view), CANVAS_RIGHT,
                layout->weight == NULL ? "…" : why_number(view, (double)layout->weight[j], 3));
}

static void draw_row(struct view *view, const struct why_frame *frame, const struct layout *layout,
                     size_t place, size_t largest)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const size_t j = layout->shown[place];
    const char *const word = frame->answer->words[j];
    struct rect row = layout->row;
    row.y += (float)place * row.h;
    const float base = row.y + row.h / 2 + 4, wide = (float)fabs(layout->adds[j]) * layout->unit;
    const struct rect felt = {row.x + 6, row.y, row.w - 12, row.h};
    const uint32_t id = ui_id_number(view->ui, "takes from", j);
    const struct ui_touch touch = ui_touch(view->ui, id, felt, true);
    const bool is_largest = j == largest && fabs(layout->adds[j]) > 0;
    canvas_group(canvas, id, arena_words(view->arena, tr("From “%s”"), word));
    if (touch.hover) {
        canvas_rect(canvas, felt, 5, &(struct paint){.fill = theme->control});
    }
    view_text_whole(view, layout->word, base, is_largest ? FONT_WORDS_BOLD : FONT_WORDS,
                    view->style.small, is_largest ? theme->key : theme->ink, CANVAS_RIGHT, word,
                    layout->word - row.x - EDGE);
    const float high = fminf(9, row.h * 0.45f);
    canvas_rect(canvas,
                (struct rect){layout->bars, row.y + (row.h - high) / 2, fmaxf(wide, 1), high}, 2,
                &(struct paint){.fill = layout->adds[j] < 0 ? theme->muted : theme->value});
    ui_draw_focus(view->ui, id, felt, 5);
    ui_tip(view->ui, id, felt, "To the stages of this head, at this word (Enter)");
    canvas_ungroup(canvas);
    draw_weight(view, frame, layout, row, j);
    draw_adds(view, frame, layout, row, j, is_largest);
    if (touch.clicked) {
        why_open_stages(view, frame, j);
    }
}

/* All words that have no row, in one: none is dropped in silence. */
static void draw_others(struct view *view, const struct layout *layout)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const size_t others = layout->words - layout->rows;
    double sum = 0;
    for (size_t j = 0, at = 0; j < layout->words; j++) {
        if (at < layout->rows && layout->shown[at] == j) {
            at++;
        } else {
            sum += layout->adds[j];
        }
    }
    const float base = layout->row.y + ((float)layout->rows + 0.5f) * layout->row.h + 4;
    const char *const words =
        arena_words(view->arena, tr_n("%zu other", "%zu others", others), others);
    view_text_whole(view, layout->word, base, FONT_WORDS, view->style.small, theme->muted,
                    CANVAS_RIGHT, words == NULL ? "" : words, layout->word - layout->row.x - EDGE);
    canvas_text(canvas, layout->end, base, FONT_NUMBERS, view->style.small, theme->muted,
                CANVAS_RIGHT, why_signed(view, sum));
}

/* The titles of the columns; that of the weights is a switch between three ways to weigh a word. */
static void draw_titles(struct view *view, const struct why_frame *frame,
                        const struct layout *layout)
{
    const enum view_weighing weighing = view->state->weighing;
    const float y = layout->row.y - WHY_TITLES;
    const struct rect weights = {layout->word + 8, y, ALPHA - 2, WHY_TITLES};
    const float left = layout->bars + 8;
    const struct rect adds = {left, y, layout->end - left, WHY_TITLES};
    const char *words = arena_words(view->arena, tr("adds to %s"), frame->asked);
    if (words != NULL && canvas_measure(view->ui->canvas, FONT_WORDS, view->style.small, words) >
                             adds.w) { /* the panel of parts says what is added to */
        words = frame->asked;
    }
    if (why_column_title(view, "weighing", weights, CANVAS_RIGHT, view_weighing_titles[weighing],
                         "α, or weighed by how long the word's value is, ‖αv‖, or what W_O makes "
                         "of it, ‖αvW_O‖: a click changes it")) {
        view_action_set(view, weighing, (weighing + 1) % VIEW_WEIGHINGS);
    }
    (void)why_column_title(view, "to the answer", adds, CANVAS_RIGHT, words, NULL);
}

void view_why_takes(struct view *view, const struct why_frame *frame, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_why_part *const head = &frame->answer->part[frame->head];
    struct layout layout;
    const char *const title =
        arena_words(view->arena, tr("What %s takes from each word"), head->name);
    view_panel(view, area, "What a head takes from each word");
    view_panel_header(view, area, title == NULL ? "" : title, why_with_hint(view, frame));
    canvas_clip(canvas, area);
    if (head->kind == VIEW_WHY_HEAD && lay_out(view, frame, area, &layout)) {
        const size_t largest = why_largest_word(frame, frame->head);
        draw_titles(view, frame, &layout);
        for (size_t r = 0; r < layout.rows; r++) {
            draw_row(view, frame, &layout, r, largest);
        }
        if (layout.rows < layout.words) {
            draw_others(view, &layout);
        }
    }
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

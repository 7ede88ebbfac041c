/* What a head takes from each word of the text, and what it makes of that for the answer. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float HEADER = 40, EDGE = 14, ROW = 25, ROW_MIN = 17, NUMBER = 52, ALPHA = 64;

struct layout {
    struct rect row; /* the first */
    float word, bars, unit, end;
    const size_t *shown; /* [rows] which words, in the order of the text */
    size_t rows;
    const double *adds; /* [n] */
    const float *alpha; /* [n] */
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
    const size_t n = answer->position + 1 < answer->n ? answer->n : answer->position + 1;
    const float room = area.h - HEADER - 8;
    const size_t place = (head->layer * answer->heads + head->head) * answer->n;
    size_t rows = (size_t)fmaxf(1, room / ROW_MIN);
    rows = rows < n ? rows : n;
    *layout = (struct layout){
        .row = {area.x, area.y + HEADER, area.w, fminf(ROW, fmaxf(room / (float)rows, 1))},
        .rows = rows,
        .adds = answer->of_words + place,
        .alpha = answer->alpha + place};
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
    const bool is_largest = j == largest;
    canvas_group(canvas, id, arena_words(view->arena, tr("From “%s”"), word));
    if (touch.hover) {
        canvas_rect(canvas, felt, 5, &(struct paint){.fill = theme->control});
    }
    view_text_whole(view, layout->word, base, is_largest ? FONT_WORDS_BOLD : FONT_WORDS,
                    UI_TEXT_SMALL, is_largest ? theme->key : theme->ink, CANVAS_RIGHT, word,
                    layout->word - row.x - EDGE);
    const char *const alpha =
        arena_words(view->arena, "α %s", why_number(view, (double)layout->alpha[j], 3));
    canvas_text(canvas, layout->word + 8, base, FONT_NUMBERS, UI_TEXT_TINY, theme->muted,
                CANVAS_LEFT, alpha == NULL ? "" : alpha);
    const float high = fminf(9, row.h * 0.45f);
    canvas_rect(canvas,
                (struct rect){layout->bars, row.y + (row.h - high) / 2, fmaxf(wide, 1), high}, 2,
                &(struct paint){.fill = layout->adds[j] < 0 ? theme->muted : theme->value});
    canvas_text(canvas, layout->end, base, is_largest ? FONT_NUMBERS_BOLD : FONT_NUMBERS,
                UI_TEXT_SMALL, theme->ink, CANVAS_RIGHT, why_signed(view, layout->adds[j]));
    ui_draw_focus(view->ui, id, felt, 5);
    ui_tip(view->ui, id, felt, "To the stages of this head, at this word (Enter)");
    canvas_ungroup(canvas);
    if (touch.clicked) {
        why_open_stages(view, frame, j);
    }
}

void view_why_takes(struct view *view, const struct why_frame *frame, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_why_part *const head = &frame->answer->part[frame->head];
    struct layout layout;
    const char *const title =
        arena_words(view->arena, tr("What %s takes from each word"), head->name);
    view_panel(view, area, "What a head takes from each word");
    view_panel_header(view, area, title == NULL ? "" : title, "α · to the answer");
    canvas_clip(canvas, area);
    if (head->kind == VIEW_WHY_HEAD && lay_out(view, frame, area, &layout)) {
        const size_t largest = why_largest_word(frame, frame->head);
        for (size_t r = 0; r < layout.rows; r++) {
            draw_row(view, frame, &layout, r, largest);
        }
    }
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

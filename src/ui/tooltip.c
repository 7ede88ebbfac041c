/* ui/tooltip.c — a few words beside what the pointer rests on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/ui_internal.h"

#define TIP_DELAY 0.5  /* seconds of rest before the first one */
#define TIP_MEMORY 0.4 /* seconds after one in which the next comes at once */
#define TIP_MOVE 3.0f  /* points that the pointer must move after a press */
#define TIP_WIDTH 320.0f
#define TIP_LINE 17.0f
#define TIP_PAD 9.0f
#define EDGE_LINE 6.0f /* what ends nearer to the lower edge stands on it */

enum { TIP_LINES = 16 };

struct tip_lines {
    size_t start[TIP_LINES], length[TIP_LINES];
    size_t count;
    float width;
};

void ui_put_tip(struct ui *ui, uint32_t id, struct rect area, const char *text)
{
    if (text == NULL || text[0] == '\0' || ui->tip_is_answer) {
        return;
    }
    const size_t length = strlen(text);
    ui->tip_id = id;
    ui->tip_area = area;
    if (length < UI_TIP_MAX) {
        memcpy(ui->tip, text, length + 1);
        return;
    }
    static const char more[] = "…";
    size_t at = 0, next = 0;
    while (next <= UI_TIP_MAX - sizeof more) {
        at = next;
        text_next(text, length, &next);
    }
    memcpy(ui->tip, text, at);
    memcpy(ui->tip + at, more, sizeof more);
}

/* The control under the pointer comes first, and after a press or a key the one with the focus. */
void ui_tip(struct ui *ui, uint32_t id, struct rect area, const char *text)
{
    const struct ui_memory *memory = ui->memory;
    const bool hushed = memory->tip_hushed;
    const bool by_keys =
        ui_has_focus(ui, id) && memory->focus_visible && memory->offered != id && !ui->covered;
    const bool by_hand = ui_uncovered(ui, area) && memory->active == 0 && !(by_keys && hushed);
    const bool former_goes = ui->tip_id == 0 || hushed != ui->tip_by_keys;
    if (by_hand ? !(hushed && ui->tip_by_keys) : by_keys && former_goes) {
        ui_put_tip(ui, id, area, tr(text));
        ui->tip_by_keys = !by_hand;
    }
}

bool ui_pointer_rests(const struct ui *ui)
{
    return ui->memory->pointer_rests;
}

void ui_say(struct ui *ui, uint32_t id, struct rect area, const char *text)
{
    ui_put_tip(ui, id, area, text);
    ui->tip_is_answer = true;
}

/* --- lines --- */

/* The end of the line that starts at `at`: what fits, back to the last space when there is one. */
static size_t line_end(struct ui *ui, size_t at, size_t length, float width)
{
    const char *text = ui->tip;
    const char *newline = memchr(text + at, '\n', length - at);
    const size_t stop = newline != NULL ? (size_t)(newline - text) : length;
    size_t end = at + font_fit(canvas_fonts(ui->canvas), FONT_WORDS, UI_TEXT_SMALL, text + at,
                               stop - at, width);
    if (end >= stop) {
        return stop;
    }
    for (size_t back = end; back > at; back--) {
        if (text_may_break(text, length, back)) {
            return back;
        }
    }
    return end > at ? end : text_next_letter(text, length, at);
}

static size_t line_count(struct ui *ui, size_t at, size_t stop, float width)
{
    size_t count = 0;
    while (at < stop) {
        at = line_end(ui, at, stop, width);
        at += at < stop && ui->tip[at] == ' ';
        count++;
    }
    return count;
}

/* The smallest width that needs no more lines than max_width: lines of about one length, no orphan.
 */
static float balanced_width(struct ui *ui, size_t at, size_t stop, float max_width)
{
    const size_t count = line_count(ui, at, stop, max_width);
    float low = max_width / (float)(count + 1), high = max_width;
    while (count > 1 && high - low > 2) {
        const float middle = (low + high) / 2;
        const bool fits = line_count(ui, at, stop, middle) <= count;
        high = fits ? middle : high;
        low = fits ? low : middle;
    }
    return high;
}

static void break_paragraph(struct ui *ui, size_t at, size_t stop, float max_width,
                            struct tip_lines *lines)
{
    const float width = balanced_width(ui, at, stop, max_width);
    do {
        const size_t end = at < stop ? line_end(ui, at, stop, width) : stop;
        const float wide = font_measure(canvas_fonts(ui->canvas), FONT_WORDS, UI_TEXT_SMALL,
                                        ui->tip + at, end - at);
        lines->start[lines->count] = at;
        lines->length[lines->count++] = end - at;
        lines->width = fmaxf(lines->width, wide);
        at = end;
        at += at < stop && ui->tip[at] == ' ';
    } while (at < stop && lines->count < TIP_LINES);
}

static void break_lines(struct ui *ui, float max_width, struct tip_lines *lines)
{
    const size_t length = strlen(ui->tip);
    lines->count = 0;
    lines->width = 0;
    for (size_t at = 0; at < length && lines->count < TIP_LINES;) {
        const char *newline = memchr(ui->tip + at, '\n', length - at);
        const size_t stop = newline != NULL ? (size_t)(newline - ui->tip) : length;
        break_paragraph(ui, at, stop, max_width, lines);
        at = stop + 1;
    }
}

void ui_keep_clear(struct ui *ui, struct rect area)
{
    if (ui->clears < UI_CLEAR_MAX) {
        ui->clear[ui->clears++] = area;
    }
}

static bool rects_overlap(struct rect a, struct rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/* Returns what has to stay in sight below a tooltip, and its owner is no part of; NULL: there is
 * nothing. / */
static const struct rect *hidden_by(const struct ui *ui, struct rect tip)
{
    static const float FRAME = 3; /* no words stand so near to its edge */
    for (size_t i = 0; i < ui->clears; i++) {
        if (rects_overlap(tip, rect_inset(ui->clear[i], FRAME)) &&
            !rects_overlap(ui->tip_area, ui->clear[i])) {
            return &ui->clear[i];
        }
    }
    return NULL;
}

static bool is_free(const struct ui *ui, struct rect tip)
{
    const struct ui_input *const input = ui->input;
    return tip.x >= 4 && tip.y >= 4 && tip.x + tip.w <= input->width - 4 &&
           tip.y + tip.h <= input->height - 4 && !rects_overlap(tip, ui->tip_area) &&
           hidden_by(ui, tip) == NULL;
}

/* Where it hides what has to stay in sight: below that, above its owner, above that, or beside its
 * owner. */
static struct rect moved_aside(const struct ui *ui, struct rect tip)
{
    const struct rect of = ui->tip_area, *const hidden = hidden_by(ui, tip);
    if (hidden == NULL) {
        return tip;
    }
    const struct point places[] = {{tip.x, hidden->y + hidden->h + 4},
                                   {tip.x, of.y - 7 - tip.h},
                                   {tip.x, hidden->y - 4 - tip.h},
                                   {of.x + of.w + 7, of.y},
                                   {of.x - 7 - tip.w, of.y}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct rect other = {places[i].x, places[i].y, tip.w, tip.h};
        if (is_free(ui, other)) {
            return other;
        }
    }
    return tip;
}

static struct rect place_tip(const struct ui *ui, float width, float height)
{
    const struct ui_input *input = ui->input;
    const struct rect of = ui->tip_area;
    struct rect area = {of.x + of.w / 2 - width / 2, of.y + of.h + 7, width, height};
    if (area.y + height > input->height - 4) {
        area.y = of.y - 7 - height;
    }
    const bool on_edge = of.y + of.h > input->height - EDGE_LINE;
    if (on_edge) { /* of the line at the bottom: on it, aside */
        const float right = of.x + of.w + 8;
        area.x = right + width < input->width ? right : of.x - 8 - width;
    }
    area.x = fmaxf(4, fminf(area.x, input->width - 4 - width));
    area.y = on_edge ? input->height - height : fmaxf(4, fminf(area.y, input->height - 4 - height));
    area = moved_aside(ui, area);
    area.x = ui_snap(ui, area.x);
    area.y = ui_snap(ui, area.y);
    return area;
}

static void draw_tip(struct ui *ui)
{
    const struct ui_theme *theme = ui->theme;
    struct tip_lines lines;
    break_lines(ui, fmaxf(24, fminf(TIP_WIDTH, ui->input->width - 8 - 2 * TIP_PAD)), &lines);
    const struct rect area =
        place_tip(ui, lines.width + 2 * TIP_PAD, (float)lines.count * TIP_LINE + 2 * TIP_PAD - 5);
    canvas_group(ui->canvas, ui->tip_id, "tooltip");
    canvas_rect(ui->canvas, area, 6, &(struct paint){.fill = theme->ink});
    for (size_t i = 0; i < lines.count; i++) {
        const struct rect line = {area.x, area.y + TIP_PAD - 2.5f + (float)i * TIP_LINE, area.w,
                                  TIP_LINE};
        canvas_text_length(ui->canvas, area.x + TIP_PAD,
                           ui_baseline(ui, line, FONT_WORDS, UI_TEXT_SMALL), FONT_WORDS,
                           UI_TEXT_SMALL, theme->panel, CANVAS_LEFT, ui->tip + lines.start[i],
                           lines.length[i]);
    }
    canvas_ungroup(ui->canvas);
}

static bool input_acted(const struct ui_input *input)
{
    return input->pressed != 0 || input->released != 0 || input->strokes > 0 ||
           input->text != NULL || input->wheel_x != 0 || input->wheel_y != 0;
}

void ui_hush_tips(struct ui_memory *memory, const struct ui_input *input)
{
    memory->tip_hushed = true;
    memory->hushed_x = input->x;
    memory->hushed_y = input->y;
    memory->hushed_width = input->width;
    memory->hushed_height = input->height;
}

/* After a press, a key or the wheel the pointer must move before it brings a tooltip again; it does
 * not when the room around it takes another size, nor when it is lost for a moment, as while the
 * window fills the screen. */
static void hush_tip(struct ui *ui)
{
    struct ui_memory *memory = ui->memory;
    const struct ui_input *input = ui->input;
    const bool same_room =
        input->width == memory->hushed_width && input->height == memory->hushed_height;
    if (input_acted(input)) {
        ui_hush_tips(memory, input);
        memory->pointer_rests =
            memory->pointer_rests || input->pressed != 0 || input->released != 0;
        memory->tip_struck = memory->tip_id;
        memory->tip_shown = false;
        memory->tip_since = input->time;
    } else if (memory->tip_hushed && !same_room) {
        ui_hush_tips(memory, input);
    } else if (memory->tip_hushed && input->inside &&
               fabsf(input->x - memory->hushed_x) + fabsf(input->y - memory->hushed_y) > TIP_MOVE) {
        memory->tip_hushed = memory->pointer_rests = false;
        memory->tip_since = input->time;
    }
}

void ui_tip_draw(struct ui *ui)
{
    struct ui_memory *memory = ui->memory;
    const double now = ui->input->time;
    hush_tip(ui);
    if (ui->tip_is_answer) {
        draw_tip(ui);
        return;
    }
    if (ui->tip_id == 0) {
        if (memory->tip_shown && memory->tip_id != 0) {
            memory->tip_left = now;
        }
        memory->tip_id = memory->tip_struck = 0;
        memory->tip_shown = memory->tip_shown && now - memory->tip_left < TIP_MEMORY;
        return;
    }
    if (ui->tip_id != memory->tip_id) {
        memory->tip_id = ui->tip_id;
        memory->tip_since = now;
    }
    if (ui->tip_by_keys ? memory->tip_struck == ui->tip_id : memory->tip_hushed) {
        return;
    }
    if (!memory->tip_shown && now < memory->tip_since + TIP_DELAY) {
        ui_wake(ui, memory->tip_since + TIP_DELAY);
        return;
    }
    memory->tip_shown = true;
    draw_tip(ui);
}

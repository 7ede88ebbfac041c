/* ui/tooltip.c — a few words beside what the pointer rests on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/inside.h"

#define TIP_DELAY 0.5  /* seconds of rest before the first one */
#define TIP_MEMORY 0.4 /* seconds after one in which the next comes at once */
#define TIP_WIDTH 320.0f
#define TIP_LINE 17.0f
#define TIP_PAD 9.0f

enum { TIP_LINES = 16 };

struct tip_lines {
    size_t start[TIP_LINES], length[TIP_LINES];
    size_t count;
    float width;
};

void ui_put_tip(struct ui *ui, uint32_t id, struct rect area, const char *text) {
    if (text == NULL || text[0] == '\0') {
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

void ui_tip(struct ui *ui, uint32_t id, struct rect area, const char *text) {
    const struct ui_memory *memory = ui->memory;
    const bool by_keys = ui_has_focus(ui, id) && memory->focus_visible && !ui->covered;
    const bool by_hand = ui_uncovered(ui, area) && memory->active == 0;
    if (by_hand || (by_keys && ui->tip_id == 0)) {
        ui_put_tip(ui, id, area, text);
    }
}

/* The end of the line that starts at `at`: what fits, back to the last space when there is one. */
static size_t line_end(struct ui *ui, size_t at, size_t length, float width) {
    const char *text = ui->tip;
    const char *newline = memchr(text + at, '\n', length - at);
    const size_t stop = newline != NULL ? (size_t)(newline - text) : length;
    size_t end = at + font_fit(canvas_fonts(ui->canvas), FONT_WORDS, UI_TEXT_SMALL, text + at,
                               stop - at, width);
    if (end >= stop) {
        return stop;
    }
    for (size_t back = end; back > at; back--) {
        if (text[back] == ' ') {
            return back;
        }
    }
    return end > at ? end : text_next_letter(text, length, at);
}

static void break_lines(struct ui *ui, float width, struct tip_lines *lines) {
    const size_t length = strlen(ui->tip);
    size_t at = 0;
    lines->count = 0;
    lines->width = 0;
    while (at < length && lines->count < TIP_LINES) {
        const size_t end = line_end(ui, at, length, width);
        const float w = font_measure(canvas_fonts(ui->canvas), FONT_WORDS, UI_TEXT_SMALL,
                                     ui->tip + at, end - at);
        lines->start[lines->count] = at;
        lines->length[lines->count++] = end - at;
        lines->width = fmaxf(lines->width, w);
        at = end;
        if (at < length && (ui->tip[at] == ' ' || ui->tip[at] == '\n')) {
            at++;
        }
    }
}

static struct rect place(const struct ui *ui, float width, float height) {
    const struct ui_input *input = ui->input;
    const struct rect of = ui->tip_area;
    struct rect area = {of.x + of.w / 2 - width / 2, of.y + of.h + 7, width, height};
    if (area.y + height > input->height - 4) {
        area.y = of.y - 7 - height;
    }
    area.x = fmaxf(4, fminf(area.x, input->width - 4 - width));
    area.y = fmaxf(4, fminf(area.y, input->height - 4 - height));
    area.x = ui_snap(ui, area.x);
    area.y = ui_snap(ui, area.y);
    return area;
}

static void draw(struct ui *ui) {
    const struct ui_theme *theme = ui->theme;
    struct tip_lines lines;
    break_lines(ui, fmaxf(24, fminf(TIP_WIDTH, ui->input->width - 8 - 2 * TIP_PAD)), &lines);
    const struct rect area =
        place(ui, lines.width + 2 * TIP_PAD, (float)lines.count * TIP_LINE + 2 * TIP_PAD - 5);
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

void ui_tip_draw(struct ui *ui) {
    struct ui_memory *memory = ui->memory;
    const double now = ui->input->time;
    if (ui->tip_id == 0) {
        if (memory->tip_shown && memory->tip_id != 0) {
            memory->tip_left = now;
        }
        memory->tip_id = 0;
        memory->tip_hushed = memory->active != 0 ? memory->tip_hushed : 0;
        memory->tip_shown = memory->tip_shown && now - memory->tip_left < TIP_MEMORY;
        return;
    }
    if (ui->tip_id != memory->tip_id) {
        memory->tip_id = ui->tip_id;
        memory->tip_since = now;
        memory->tip_hushed = memory->tip_hushed == ui->tip_id ? ui->tip_id : 0;
    }
    if (memory->tip_hushed == ui->tip_id) {
        return;
    }
    if (!memory->tip_shown && now < memory->tip_since + TIP_DELAY) {
        ui_wake(ui, memory->tip_since + TIP_DELAY);
        return;
    }
    memory->tip_shown = true;
    draw(ui);
}

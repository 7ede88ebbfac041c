/* ui/menu.c — the dropdown: a control that shows the current row, and the rows over everything. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/ui_internal.h"
#include "ui/widgets.h"

#define ROW 30.0f
#define PAD 5.0f
#define MARK 28.0f /* room for the check mark */
#define EDGE 4.0f  /* kept free at the window's edge */
#define CORNER 6.0f
#define HEAD 24.0f     /* above the first row of a group */
#define NOTE_GAP 18.0f /* between a row and what it is about */
#define WIDEST 420.0f  /* of a menu whose rows do not say that */

/* Where a row begins, under the heads of the groups before it; count: where the last one ends. */
static float top_of(const char *const *heads, size_t row, size_t count)
{
    float top = (float)row * ROW;
    for (size_t i = 0; heads != NULL && i <= row && i < count; i++) {
        top += heads[i] != NULL ? HEAD : 0;
    }
    return top;
}

static float widest_text(const struct ui *ui, const char *const *texts, bool content, size_t count,
                         float size)
{
    float width = 0;
    for (size_t i = 0; texts != NULL && i < count; i++) {
        width = texts[i] == NULL ? width
                                 : fmaxf(width, canvas_measure(ui->canvas, FONT_WORDS, size,
                                                               content ? texts[i] : tr(texts[i])));
    }
    return width;
}

static const char *row_of(const struct ui_menu *menu, size_t row)
{
    return menu->content ? menu->rows[row] : tr(menu->rows[row]);
}

/* Returns what the control says; "" where nothing is chosen. */
static const char *shown_of(const struct ui_menu *menu)
{
    return menu->label != NULL           ? tr(menu->label)
           : menu->current < menu->count ? row_of(menu, menu->current)
                                         : "";
}

static struct rect menu_place(const struct ui *ui, const struct ui_menu *menu, struct rect anchor)
{
    const struct ui_input *input = ui->input;
    const float notes = widest_text(ui, menu->notes, false, menu->count, UI_TEXT_SMALL);
    const float words = widest_text(ui, menu->rows, menu->content, menu->count, UI_TEXT_BODY);
    const float max_width = input->width - 2 * EDGE;
    float width = fmaxf(anchor.w, words + MARK + 16 + 2 * PAD + (notes > 0 ? notes + NOTE_GAP : 0));
    width = fminf(width, fmaxf(anchor.w, notes > 0 ? max_width : fminf(WIDEST, max_width)));
    const float wanted = top_of(menu->heads, menu->count, menu->count) + 2 * PAD;
    const float below = input->height - EDGE - (anchor.y + anchor.h + 4);
    const float above = anchor.y - 4 - EDGE;
    const bool downward = wanted <= below || below >= above;
    const float height = fmaxf(ROW + 2 * PAD, fminf(wanted, downward ? below : above));
    struct rect area = {anchor.x, downward ? anchor.y + anchor.h + 4 : anchor.y - 4 - height, width,
                        height};
    area.x = fmaxf(EDGE, fminf(area.x, input->width - EDGE - width));
    return area;
}

static float scroll_end(const struct ui_memory *memory, const char *const *heads, size_t count)
{
    return fmaxf(0, top_of(heads, count, count) + 2 * PAD - memory->open_area.h);
}

/* The row under the pointer; count: none. */
static size_t row_under(const struct ui *ui, const char *const *heads, size_t count)
{
    const struct ui_memory *memory = ui->memory;
    if (!ui->input->inside || !rect_has(memory->open_area, ui->input->x, ui->input->y)) {
        return count;
    }
    const float y = ui->input->y - memory->open_area.y - PAD + memory->open_scroll;
    for (size_t row = 0; row < count; row++) {
        const float top = top_of(heads, row, count);
        if (y >= top && y < top + ROW) {
            return row;
        }
    }
    return count;
}

static void keep_row_in_view(struct ui_memory *memory, const struct ui_menu *menu)
{
    const float top = top_of(menu->heads, memory->open_row, menu->count);
    const float room = memory->open_area.h - 2 * PAD;
    float scroll = memory->open_scroll;
    scroll = top < scroll ? top : scroll;
    scroll = top + ROW > scroll + room ? top + ROW - room : scroll;
    memory->open_scroll = fmaxf(0, fminf(scroll, scroll_end(memory, menu->heads, menu->count)));
}

static void menu_open(struct ui *ui, uint32_t id, struct rect anchor, const struct ui_menu *menu)
{
    struct ui_memory *memory = ui->memory;
    if (menu->count == 0) {
        return;
    }
    memory->open = id;
    memory->open_row = menu->current < menu->count ? menu->current : 0;
    memory->open_scroll = 0;
    memory->open_area = menu_place(ui, menu, anchor);
    memory->open_armed = false;
    memory->open_x = ui->input->x;
    memory->open_y = ui->input->y;
    keep_row_in_view(memory, menu);
    ui->covered = true;
    ui_again(ui);
}

static void menu_close(struct ui *ui)
{
    ui->memory->open = 0;
    ui_again(ui);
}

/* --- while it is open --- */

static uint32_t small_letter(uint32_t letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
}

/* The next row behind the current one that begins with the letter. */
static void go_to_letter(struct ui *ui, const struct ui_menu *menu, uint32_t letter)
{
    struct ui_memory *memory = ui->memory;
    for (size_t step = 1; step <= menu->count; step++) {
        const size_t row = (memory->open_row + step) % menu->count;
        size_t at = 0;
        const char *words = row_of(menu, row);
        const uint32_t first = text_next(words, strlen(words), &at);
        if (small_letter(first) == small_letter(letter)) {
            memory->open_row = row;
            return;
        }
    }
}

static void menu_move(struct ui *ui, const struct ui_menu *menu, uint32_t key)
{
    struct ui_memory *memory = ui->memory;
    const size_t last = menu->count - 1, row = memory->open_row;
    const size_t page = (size_t)fmaxf(1, memory->open_area.h / ROW - 1);
    switch (key) {
    case UI_KEY_UP:
        memory->open_row = row > 0 ? row - 1 : last;
        break;
    case UI_KEY_DOWN:
        memory->open_row = row < last ? row + 1 : 0;
        break;
    case UI_KEY_HOME:
        memory->open_row = 0;
        break;
    case UI_KEY_END:
        memory->open_row = last;
        break;
    case UI_KEY_PAGE_UP:
        memory->open_row = row > page ? row - page : 0;
        break;
    case UI_KEY_PAGE_DOWN:
        memory->open_row = row + page < last ? row + page : last;
        break;
    default:
        if (key > UI_KEY_SPACE && key < UI_KEY_LEFT && key != UI_KEY_DELETE) {
            go_to_letter(ui, menu, key);
        }
    }
    keep_row_in_view(memory, menu);
}

static size_t menu_keys(struct ui *ui, const struct ui_menu *menu)
{
    size_t chosen = menu->count;
    for (size_t i = 0; i < ui->input->strokes && ui->memory->open != 0; i++) {
        const struct ui_stroke *stroke = &ui->input->stroke[i];
        if (!ui_stroke_free(ui, i)) {
            continue;
        }
        if (stroke->key == UI_KEY_TAB) {
            menu_close(ui); /* ui_end moves on from here */
            break;
        }
        ui_consume_stroke(ui, i);
        if (stroke->key == UI_KEY_ENTER || stroke->key == UI_KEY_SPACE) {
            chosen = ui->memory->open_row;
            menu_close(ui);
        } else if (stroke->key == UI_KEY_ESCAPE) {
            menu_close(ui);
        } else {
            menu_move(ui, menu, stroke->key);
        }
    }
    return chosen;
}

static size_t menu_pointer(struct ui *ui, const struct ui_menu *menu)
{
    struct ui_memory *memory = ui->memory;
    const struct ui_input *input = ui->input;
    const bool inside = input->inside && rect_has(memory->open_area, input->x, input->y);
    const size_t under = row_under(ui, menu->heads, menu->count);
    const bool moved = input->x != memory->pointer_x || input->y != memory->pointer_y;
    if (fabsf(input->x - memory->open_x) + fabsf(input->y - memory->open_y) > 4) {
        memory->open_armed = true;
    }
    if (inside && input->wheel_y != 0) {
        const float scroll = memory->open_scroll - input->wheel_y * ROW;
        memory->open_scroll = fmaxf(0, fminf(scroll, scroll_end(memory, menu->heads, menu->count)));
    }
    if (under < menu->count && (moved || input->pressed != 0)) {
        memory->open_row = under;
    }
    if (input->pressed != 0) {
        memory->open_armed = inside;
        if (!inside) {
            menu_close(ui);
            return menu->count;
        }
    }
    if ((input->released & UI_LEFT_BUTTON) != 0 && memory->open_armed && under < menu->count) {
        menu_close(ui);
        return under;
    }
    return menu->count;
}

static size_t menu_serve(struct ui *ui, struct rect anchor, const struct ui_menu *menu)
{
    struct ui_memory *memory = ui->memory;
    if (menu->count == 0) {
        menu_close(ui);
        return menu->count;
    }
    memory->open_area = menu_place(ui, menu, anchor);
    memory->open_row = memory->open_row < menu->count ? memory->open_row : menu->count - 1;
    memory->open_scroll = fminf(memory->open_scroll, scroll_end(memory, menu->heads, menu->count));
    const size_t by_hand = menu_pointer(ui, menu);
    return by_hand < menu->count ? by_hand : menu_keys(ui, menu);
}

/* --- drawing --- */

static const float SIGN_FROM = 56; /* a narrower menu has no room for the sign that it is one */

static bool draw_control(struct ui *ui, uint32_t id, struct rect area, const struct ui_menu *menu,
                         bool lit)
{
    const struct ui_theme *theme = ui->theme;
    struct colour fill = menu->on_panel ? theme->panel : theme->control;
    fill = lit ? colour_mix(fill, theme->ink, 0.06f) : fill;
    const struct paint paint = {
        .fill = fill, .stroke = menu->on_panel ? theme->line : (struct colour){0}, .width = 1};
    const char *shown = shown_of(menu);
    canvas_group(ui->canvas, id, shown);
    canvas_rect(ui->canvas, area, CORNER, &paint);
    const float sign = area.w < SIGN_FROM ? 0 : 14;
    if (sign > 0) {
        ui_draw_icon(
            ui, UI_ICON_CHEVRON,
            (struct rect){area.x + area.w - sign - 8, area.y + (area.h - sign) / 2, sign, sign},
            theme->muted);
    }
    const struct rect words =
        sign > 0 ? (struct rect){area.x + 11, area.y, area.w - 11 - sign - 14, area.h}
                 : rect_inset(area, 4);
    const bool cut = ui_label(ui, words,
                              &(struct ui_label){shown, FONT_WORDS_MEDIUM, UI_TEXT_BODY, theme->ink,
                                                 sign > 0 ? CANVAS_LEFT : CANVAS_CENTRE});
    canvas_ungroup(ui->canvas);
    ui_draw_focus(ui, id, area, CORNER);
    return cut;
}

/* Draws the chosen item, without the control. */
static void draw_words(struct ui *ui, struct rect area, const struct ui_menu *menu)
{
    canvas_text_cut(ui->canvas, area.x, area.y + area.h / 2 + UI_TEXT_BODY * 0.36f, FONT_WORDS,
                    UI_TEXT_BODY, ui->theme->ink, CANVAS_LEFT, shown_of(menu), area.w);
}

size_t ui_menu(struct ui *ui, const char *name, struct rect area, const struct ui_menu *menu)
{
    struct ui_memory *memory = ui->memory;
    const uint32_t id = ui_id(ui, name);
    size_t chosen = menu->count;
    if (ui->is_figure) {
        draw_words(ui, area, menu);
        return chosen;
    }
    bool lit = memory->open == id;
    ui_join(ui, id, area);
    if (memory->open == id) {
        chosen = menu_serve(ui, area, menu);
    } else {
        const struct ui_touch touch = ui_point(ui, id, area, true);
        lit = touch.hover || touch.held;
        if (touch.pressed ||
            (memory->focus_visible && (ui_stroke_consumed(ui, id, UI_KEY_ENTER, 0) ||
                                       ui_stroke_consumed(ui, id, UI_KEY_SPACE, 0) ||
                                       ui_stroke_consumed(ui, id, UI_KEY_DOWN, 0)))) {
            menu_open(ui, id, area, menu);
        }
    }
    const bool cut = draw_control(ui, id, area, menu, lit);
    if (memory->open == id) {
        ui->popup.rows = menu->rows;
        ui->popup.heads = menu->heads;
        ui->popup.notes = menu->notes;
        ui->popup.content = menu->content;
        ui->popup.count = menu->count;
        ui->popup.current = menu->current;
        ui->popup.anchor = area;
        ui->popup.id = id;
    } else {
        const char *const shown = shown_of(menu);
        ui_tip_of(ui, id, area, menu->tip, shown[0] == '\0' ? NULL : shown, cut);
    }
    return chosen;
}

/* Draws the note of a row, behind the longest row; all notes in one size. Returns whether it was
 * cut. */
static bool draw_note(struct ui *ui, size_t row, struct rect area)
{
    static const float MIN_SCALE = 0.8f; /* a little smaller, before one is cut */
    const char *const note = ui->popup.notes[row];
    const float wide = widest_text(ui, ui->popup.notes, false, ui->popup.count, UI_TEXT_SMALL);
    const float size = UI_TEXT_SMALL * fmaxf(MIN_SCALE, fminf(1, area.w / (wide + 1)));
    return note != NULL && area.w > 60 &&
           canvas_text_cut(ui->canvas, area.x, ui_baseline(ui, area, FONT_WORDS, size), FONT_WORDS,
                           size, ui->theme->muted, CANVAS_LEFT, tr(note), area.w);
}

static void draw_row(struct ui *ui, size_t row, struct rect area)
{
    const struct ui_theme *theme = ui->theme;
    const char *words = ui->popup.content ? ui->popup.rows[row] : tr(ui->popup.rows[row]);
    const uint32_t id = ui->popup.id ^ (uint32_t)(row * 2654435761u + 1u);
    const bool under = ui->memory->open_row == row;
    canvas_group(ui->canvas, id, words);
    canvas_rect(ui->canvas, area, CORNER,
                &(struct paint){.fill = under ? colour_mix(theme->panel, theme->accent, 0.14f)
                                              : theme->panel});
    if (row == ui->popup.current) {
        const float x = area.x + 9, y = area.y + area.h / 2;
        canvas_path(ui->canvas, (struct point[]){{x, y}, {x + 3.5f, y + 3.5f}, {x + 10, y - 4}}, 3,
                    false, &(struct paint){.stroke = theme->accent, .width = 1.8f});
    }
    struct rect text = {area.x + MARK, area.y, area.w - MARK - 8, area.h};
    if (ui->popup.notes != NULL) {
        const float wide =
            widest_text(ui, ui->popup.rows, ui->popup.content, ui->popup.count, UI_TEXT_BODY) +
            NOTE_GAP;
        const struct rect rest = {text.x + wide, text.y, text.w - wide, text.h};
        text.w = ui->popup.notes[row] != NULL ? wide - NOTE_GAP + 8 : text.w;
        if (draw_note(ui, row, rest) && under) {
            ui_put_tip(ui, id, area, tr(ui->popup.notes[row]));
        }
    }
    const bool cut = ui_label(
        ui, text,
        &(struct ui_label){words, row == ui->popup.current ? FONT_WORDS_MEDIUM : FONT_WORDS,
                           UI_TEXT_BODY, theme->ink, CANVAS_LEFT});
    canvas_ungroup(ui->canvas);
    if (cut && under) {
        ui_put_tip(ui, id, area, words);
    }
}

void ui_menu_draw(struct ui *ui)
{
    const struct ui_memory *memory = ui->memory;
    const struct ui_theme *theme = ui->theme;
    const struct rect area = memory->open_area;
    const float end = scroll_end(memory, ui->popup.heads, ui->popup.count);
    if (row_under(ui, ui->popup.heads, ui->popup.count) < ui->popup.count) {
        ui->cursor = UI_CURSOR_HAND;
    }
    canvas_group(ui->canvas, ui->popup.id, "menu");
    canvas_rect(ui->canvas, area, UI_CORNER_SMALL,
                &(struct paint){.fill = theme->panel,
                                .stroke = colour_mix(theme->line, theme->ink, 0.15f),
                                .width = 1});
    canvas_clip(ui->canvas, rect_inset(area, 2));
    for (size_t row = 0; row < ui->popup.count; row++) {
        const struct rect line = {area.x + PAD,
                                  area.y + PAD + top_of(ui->popup.heads, row, ui->popup.count) -
                                      memory->open_scroll,
                                  area.w - 2 * PAD, ROW};
        if (ui->popup.heads != NULL && ui->popup.heads[row] != NULL) {
            ui_label(ui, (struct rect){line.x + 10, line.y - HEAD + 3, line.w - 20, HEAD - 3},
                     &(struct ui_label){tr(ui->popup.heads[row]), FONT_WORDS_BOLD, UI_TEXT_SMALL,
                                        theme->muted, CANVAS_LEFT});
        }
        if (line.y + ROW > area.y && line.y < area.y + area.h) {
            draw_row(ui, row, line);
        }
    }
    if (end > 0) {
        const float whole = area.h - 8, high = fmaxf(20, whole * area.h / (area.h + end));
        const float y = area.y + 4 + (whole - high) * memory->open_scroll / end;
        canvas_rect(ui->canvas, (struct rect){area.x + area.w - 7, y, 4, high}, 2,
                    &(struct paint){.fill = colour_fade(theme->faint, 0.6f)});
    }
    canvas_unclip(ui->canvas);
    canvas_ungroup(ui->canvas);
}

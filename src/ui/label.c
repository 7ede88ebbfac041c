/* ui/label.c — one line of text in a box, and where it stands. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/translate.h"
#include "ui/inside.h"

struct rect ui_rect_cut(struct rect a, struct rect b)
{
    const float left = fmaxf(a.x, b.x), top = fmaxf(a.y, b.y);
    const float right = fminf(a.x + a.w, b.x + b.w), bottom = fminf(a.y + a.h, b.y + b.h);
    return (struct rect){left, top, fmaxf(0, right - left), fmaxf(0, bottom - top)};
}

float ui_snap(const struct ui *ui, float value)
{
    const float scale = ui->input->scale > 0 ? ui->input->scale : 1;
    return floorf(value * scale + 0.5f) / scale;
}

float ui_baseline(const struct ui *ui, struct rect area, enum font_face face, float size)
{
    const float capital = font_cap_height(canvas_fonts(ui->canvas), face, size);
    return ui_snap(ui, area.y + (area.h + capital) / 2);
}

bool ui_label(struct ui *ui, struct rect area, const struct ui_label *label)
{
    if (label->text == NULL || area.w <= 0) {
        return label->text != NULL && label->text[0] != '\0';
    }
    const float x = label->anchor == CANVAS_LEFT    ? area.x
                    : label->anchor == CANVAS_RIGHT ? area.x + area.w
                                                    : area.x + area.w / 2;
    return canvas_text_cut(ui->canvas, x, ui_baseline(ui, area, label->face, label->size),
                           label->face, label->size, label->colour, label->anchor, label->text,
                           area.w);
}

void ui_tip_of(struct ui *ui, uint32_t id, struct rect area, const char *tip, const char *label,
               bool cut)
{
    tip = tr(tip);
    if (!cut || label == NULL) {
        ui_tip(ui, id, area, tip);
        return;
    }
    if (tip == NULL || strcmp(tip, label) == 0) {
        ui_tip(ui, id, area, label);
        return;
    }
    char both[UI_TIP_MAX];
    snprintf(both, sizeof both, "%.200s\n%.300s", label, tip);
    ui_tip(ui, id, area, both);
}

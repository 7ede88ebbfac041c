/* ui/icon.c — the signs on buttons, drawn in a square of 16 units. */
#include <math.h>

#include "ui/ui_internal.h"
#include "ui/widgets.h"

struct pen {
    struct ui *ui;
    float x, y, unit; /* of the square's middle; one unit in points */
    struct colour colour;
};

static void stroke_path(const struct pen *pen, const struct point *units, size_t count, bool closed)
{
    struct point points[8];
    for (size_t i = 0; i < count && i < 8; i++) {
        points[i] =
            (struct point){pen->x + units[i].x * pen->unit, pen->y + units[i].y * pen->unit};
    }
    canvas_path(pen->ui->canvas, points, count < 8 ? count : 8, closed,
                &(struct paint){.stroke = pen->colour, .width = 1.7f * pen->unit});
}

static void fill_path(const struct pen *pen, const struct point *units, size_t count)
{
    struct point points[8];
    for (size_t i = 0; i < count && i < 8; i++) {
        points[i] =
            (struct point){pen->x + units[i].x * pen->unit, pen->y + units[i].y * pen->unit};
    }
    canvas_path(pen->ui->canvas, points, count < 8 ? count : 8, true,
                &(struct paint){.fill = pen->colour});
}

static void fill_dot(const struct pen *pen, float x, float y, float radius)
{
    canvas_circle(pen->ui->canvas, pen->x + x * pen->unit, pen->y + y * pen->unit,
                  radius * pen->unit, &(struct paint){.fill = pen->colour});
}

static void fill_bar(const struct pen *pen, float x, float y, float w, float h, float corner)
{
    const struct rect area = {pen->x + x * pen->unit, pen->y + y * pen->unit, w * pen->unit,
                              h * pen->unit};
    canvas_rect(pen->ui->canvas, area, corner * pen->unit, &(struct paint){.fill = pen->colour});
}

static void draw_to_start(const struct pen *pen)
{
    stroke_path(pen, (struct point[]){{4, -5}, {-1, 0}, {4, 5}}, 3, false);
    stroke_path(pen, (struct point[]){{-4.5f, -5.5f}, {-4.5f, 5.5f}}, 2, false);
}

static void draw_back(const struct pen *pen)
{
    stroke_path(pen, (struct point[]){{2.5f, -5}, {-2.5f, 0}, {2.5f, 5}}, 3, false);
}

static void draw_play(const struct pen *pen)
{
    fill_path(pen, (struct point[]){{-3.5f, -5.5f}, {6, 0}, {-3.5f, 5.5f}}, 3);
}

static void draw_pause(const struct pen *pen)
{
    fill_bar(pen, -4.5f, -5, 3, 10, 0.8f);
    fill_bar(pen, 1.5f, -5, 3, 10, 0.8f);
}

static void draw_forward(const struct pen *pen)
{
    stroke_path(pen, (struct point[]){{-2.5f, -5}, {2.5f, 0}, {-2.5f, 5}}, 3, false);
}

static void draw_dice(const struct pen *pen)
{
    const float side = 14 * pen->unit;
    canvas_rect(pen->ui->canvas, (struct rect){pen->x - side / 2, pen->y - side / 2, side, side},
                3.2f * pen->unit,
                &(struct paint){.stroke = pen->colour, .width = 1.5f * pen->unit});
    for (int i = -1; i <= 1; i++) {
        fill_dot(pen, 3.1f * (float)i, 3.1f * (float)i, 1.15f);
    }
}

static void draw_theme(const struct pen *pen)
{
    enum { HALF = 13 };
    struct point half[HALF];
    for (int i = 0; i < HALF; i++) {
        const float angle = 3.14159265f * (0.5f + (float)i / (HALF - 1));
        half[i] = (struct point){pen->x + 6 * pen->unit * cosf(angle),
                                 pen->y + 6 * pen->unit * sinf(angle)};
    }
    canvas_path(pen->ui->canvas, half, HALF, true, &(struct paint){.fill = pen->colour});
    canvas_circle(pen->ui->canvas, pen->x, pen->y, 6.5f * pen->unit,
                  &(struct paint){.stroke = pen->colour, .width = 1.4f * pen->unit});
}

static void draw_help(const struct pen *pen)
{
    const float size = 14 * pen->unit;
    const float high = font_cap_height(canvas_fonts(pen->ui->canvas), FONT_WORDS_BOLD, size);
    canvas_text(pen->ui->canvas, pen->x, ui_snap(pen->ui, pen->y + high / 2), FONT_WORDS_BOLD, size,
                pen->colour, CANVAS_CENTRE, "?");
}

static void draw_settings(const struct pen *pen)
{
    static const float knob[] = {2.5f, -2.5f, 1.5f};
    for (int i = 0; i < 3; i++) {
        const float y = 4.5f * (float)(i - 1);
        stroke_path(pen, (struct point[]){{-6.5f, y}, {6.5f, y}}, 2, false);
        fill_dot(pen, knob[i], y, 2);
    }
}

static void draw_close(const struct pen *pen)
{
    stroke_path(pen, (struct point[]){{-4, -4}, {4, 4}}, 2, false);
    stroke_path(pen, (struct point[]){{-4, 4}, {4, -4}}, 2, false);
}

static void draw_chevron(const struct pen *pen)
{
    stroke_path(pen, (struct point[]){{-4.2f, -2}, {0, 2.4f}, {4.2f, -2}}, 3, false);
}

static void draw_plus(const struct pen *pen)
{
    stroke_path(pen, (struct point[]){{-5, 0}, {5, 0}}, 2, false);
    stroke_path(pen, (struct point[]){{0, -5}, {0, 5}}, 2, false);
}

/* An arrow to the left (turn 1) or right (−1) that comes around from below. */
static void draw_turn(const struct pen *pen, float turn)
{
    stroke_path(pen,
                (struct point[]){{-5 * turn, -1.5f},
                                 {1.5f * turn, -1.5f},
                                 {4 * turn, -0.6f},
                                 {5 * turn, 1.6f},
                                 {4 * turn, 3.8f},
                                 {1.5f * turn, 4.7f},
                                 {-1 * turn, 4.7f}},
                7, false);
    stroke_path(pen, (struct point[]){{-1.8f * turn, -5}, {-5.3f * turn, -1.5f}, {-1.8f * turn, 2}},
                3, false);
}

static void draw_undo(const struct pen *pen)
{
    draw_turn(pen, 1);
}

static void draw_redo(const struct pen *pen)
{
    draw_turn(pen, -1);
}

static void draw_save(const struct pen *pen)
{
    stroke_path(pen, (struct point[]){{0, -6}, {0, 2.5f}}, 2, false);
    stroke_path(pen, (struct point[]){{-3.5f, -0.8f}, {0, 2.7f}, {3.5f, -0.8f}}, 3, false);
    stroke_path(pen, (struct point[]){{-5.5f, 5.8f}, {5.5f, 5.8f}}, 2, false);
}

static void (*const drawings[UI_ICONS])(const struct pen *) = {
    [UI_ICON_TO_START] = draw_to_start, [UI_ICON_BACK] = draw_back,
    [UI_ICON_PLAY] = draw_play,         [UI_ICON_PAUSE] = draw_pause,
    [UI_ICON_FORWARD] = draw_forward,   [UI_ICON_DICE] = draw_dice,
    [UI_ICON_THEME] = draw_theme,       [UI_ICON_HELP] = draw_help,
    [UI_ICON_SETTINGS] = draw_settings, [UI_ICON_CLOSE] = draw_close,
    [UI_ICON_CHEVRON] = draw_chevron,   [UI_ICON_PLUS] = draw_plus,
    [UI_ICON_UNDO] = draw_undo,         [UI_ICON_REDO] = draw_redo,
    [UI_ICON_SAVE] = draw_save,
};

void ui_draw_icon(struct ui *ui, enum ui_icon icon, struct rect area, struct colour colour)
{
    if ((unsigned)icon >= UI_ICONS || drawings[icon] == NULL) {
        return;
    }
    const float side = fminf(area.w, area.h);
    const struct pen pen = {ui, area.x + area.w / 2, area.y + area.h / 2, side / 16, colour};
    drawings[icon](&pen);
}

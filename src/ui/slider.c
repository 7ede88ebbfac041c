/* ui/slider.c — a number on a track; it can be dragged, stepped and typed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/field.h"
#include "ui/ui_internal.h"
#include "ui/widgets.h"

#define TRACK 4.0f
#define KNOB 14.0f
#define GRIP 18.0f        /* height in which the track can be pressed */
#define REFUSAL 2.0       /* seconds for which a range stands beside a number that was left */
#define NUMBER_ROOM 68.0f /* of the value, right of the label */

/* --- values and places --- */

static double clamp_value(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* Returns the place of a value on the track, 0 … 1. */
static double share_of(const struct ui_slider *slider, double value)
{
    const double low = slider->low, high = slider->high;
    if (!(high > low) || isnan(value)) {
        return 0;
    }
    const double within = clamp_value(value, low, high);
    if (slider->logarithmic && low > 0) {
        return log(within / low) / log(high / low);
    }
    return (within - low) / (high - low);
}

static double value_at(const struct ui_slider *slider, double share)
{
    const double low = slider->low, high = slider->high, t = clamp_value(share, 0, 1);
    if (slider->logarithmic && low > 0) {
        return t >= 1 ? high : low * pow(high / low, t);
    }
    return t >= 1 ? high : low + (high - low) * t;
}

/* A place on the track means a value that can be read: whole steps, or the decimals that are shown.
 */
static double round_value(const struct ui_slider *slider, double value)
{
    double near = value;
    if (value >= slider->high) {
        return slider->high; /* the end can be reached even when it is no whole step away */
    }
    if (slider->step > 0) {
        near = slider->low + round((value - slider->low) / slider->step) * slider->step;
    } else {
        const double tens = pow(10, slider->decimals);
        near = round(value * tens) / tens;
    }
    return clamp_value(near, slider->low, slider->high);
}

static double step_value(const struct ui_slider *slider, double value, int steps)
{
    if (slider->step > 0) {
        return clamp_value(value + steps * slider->step, slider->low, slider->high);
    }
    return round_value(slider, value_at(slider, share_of(slider, value) + 0.01 * steps));
}

/* --- typing a number --- */

static bool read_number(const char *text, double *out)
{
    char plain[TEXT_NUMBER_MAX];
    const size_t length = strlen(text);
    if (length == 0 || length >= sizeof plain) {
        return false;
    }
    memcpy(plain, text, length + 1);
    for (char *comma = strchr(plain, ','); comma != NULL; comma = strchr(comma, ',')) {
        *comma = '.'; /* half the world writes 0,5 */
    }
    return text_to_double(plain, out);
}

/* Returns whether only whole numbers are meant. */
static bool is_whole(const struct ui_slider *slider)
{
    return slider->decimals == 0 && slider->step >= 1 && fmod(slider->step, 1) == 0 &&
           fmod(slider->low, 1) == 0;
}

enum verdict { TAKEN, NO_NUMBER, NOT_WHOLE, OUT_OF_RANGE };

static enum verdict check_typed(const struct ui_slider *slider, const char *text, double *number)
{
    if (!read_number(text, number)) {
        return NO_NUMBER;
    }
    if (!(*number >= slider->low && *number <= slider->high)) {
        return OUT_OF_RANGE;
    }
    return is_whole(slider) && fmod(*number, 1) != 0 ? NOT_WHOLE : TAKEN;
}

/* A bound with the decimals of the slider; one that is not 0 does not read 0. */
static const char *write_bound(const struct ui_slider *slider, double bound,
                               char out[TEXT_NUMBER_MAX])
{
    int decimals = slider->decimals;
    while (bound > 0 && decimals < 9 && bound < 0.5 * pow(10, -decimals)) {
        decimals++;
    }
    return text_number(out, bound, decimals);
}

/* Writes what may be typed: "0.10 to 10.00". */
static void write_range(const struct ui_slider *slider, enum verdict verdict, char *out,
                        size_t size)
{
    char low[TEXT_NUMBER_MAX], high[TEXT_NUMBER_MAX];
    snprintf(out, size, tr("%s%s to %s"),
             verdict == NO_NUMBER || verdict == NOT_WHOLE
                 ? tr(is_whole(slider) ? "a whole number, " : "a number, ")
                 : "",
             write_bound(slider, slider->low, low), write_bound(slider, slider->high, high));
}

/* The field is left: what is typed becomes the value, or the range stands beside it for a while. */
static double leave_typing(struct ui *ui, uint32_t id, const struct ui_slider *slider,
                           const char *text, double value)
{
    struct ui_memory *memory = ui->memory;
    double number = value;
    if (text[0] == '\0' || check_typed(slider, text, &number) == TAKEN) {
        memory->refused = memory->refused == id ? 0 : memory->refused;
        return text[0] == '\0' ? value : number;
    }
    memory->refused = id;
    memory->refused_until = ui->input->time + REFUSAL;
    return value;
}

/* Says what may be typed, while a number that was refused still stands there, or for a while after
 * its field was left. Returns whether what stands there is refused. */
static bool show_range(struct ui *ui, uint32_t id, const struct ui_slider *slider, struct rect area)
{
    struct ui_memory *memory = ui->memory;
    if (memory->refused != id) {
        return false;
    }
    const bool typing = memory->edited == id;
    double number = 0;
    const enum verdict verdict =
        typing ? check_typed(slider, memory->typed, &number) : OUT_OF_RANGE;
    const bool over = typing ? verdict == TAKEN || memory->typed[0] == '\0'
                             : ui->input->time >= memory->refused_until;
    if (over) {
        memory->refused = 0;
        return false;
    }
    char range[4 * TEXT_NUMBER_MAX];
    write_range(slider, verdict, range, sizeof range);
    ui_say(ui, id, area, range);
    if (!typing) {
        ui_wake(ui, memory->refused_until);
    }
    return typing;
}

static bool is_number_sign(uint32_t letter)
{
    return letter < 127 && letter > 0 && strchr("0123456789.,-", (int)letter) != NULL;
}

/* A digit while the track has the keyboard begins a number. */
static void begin_typing(struct ui *ui, uint32_t id)
{
    const struct ui_input *input = ui->input;
    bool begins = input->text != NULL && is_number_sign((unsigned char)input->text[0]);
    for (size_t i = 0; i < input->strokes && input->text == NULL; i++) {
        begins = begins || (ui_stroke_free(ui, i) && input->stroke[i].mods == 0 &&
                            is_number_sign(input->stroke[i].key));
    }
    if (begins) {
        field_start(ui, id, "", false);
    }
}

/* The first digit comes before text input is on: there is a stroke and no text. It is typed by its
 * stroke; should its text follow in the next record all the same, that is the same digit. */
static void type_strokes(struct ui *ui)
{
    struct ui_memory *memory = ui->memory;
    const struct ui_input *input = ui->input;
    if (input->strokes > 0) {
        memory->typed_stroke = 0;
    }
    for (size_t i = 0; i < input->strokes && input->text == NULL; i++) {
        const struct ui_stroke *stroke = &input->stroke[i];
        if (ui_stroke_free(ui, i) && stroke->mods == 0 && is_number_sign(stroke->key)) {
            const char letter = (char)stroke->key;
            ui_consume_stroke(ui, i);
            field_insert(memory, &letter, 1);
            memory->typed_stroke = stroke->key;
        }
    }
}

static void type_text(struct ui_memory *memory, const char *text, size_t length)
{
    const bool again =
        memory->typed_stroke != 0 && length == 1 && (unsigned char)text[0] == memory->typed_stroke;
    memory->typed_stroke = 0;
    if (!again) {
        field_insert(memory, text, length);
    }
}

static double typing_keys(struct ui *ui, uint32_t id, const struct ui_slider *slider, double value)
{
    struct ui_memory *memory = ui->memory;
    if (ui->input->paste != NULL && field_has_several(ui->input->paste)) {
        ui->paste_passed = true;
        field_stop(ui, id);
        ui_drop_focus(ui);
        return value;
    }
    if (ui->input->paste != NULL) {
        field_insert(memory, ui->input->paste, strlen(ui->input->paste));
    }
    type_strokes(ui);
    struct field_steps steps = field_steps(ui);
    for (struct field_step step = field_next(&steps); step.kind != FIELD_END;
         step = field_next(&steps)) {
        if (step.kind == FIELD_TEXT) {
            type_text(memory, step.text, step.length);
            continue;
        }
        const uint32_t key = step.stroke->key;
        if (field_passes_undo(memory, step.stroke)) {
            field_stop(ui, id);
            ui_drop_focus(ui);
            return value; /* the stroke goes on */
        }
        if (key == UI_KEY_ENTER || key == UI_KEY_TAB) {
            value = leave_typing(ui, id, slider, memory->typed, value);
            if (memory->refused == id) { /* it stays open, and the focus with it */
                memory->mark = 0;
                memory->caret = strlen(memory->typed);
                ui_consume_stroke(ui, step.index);
                continue;
            }
        }
        if (key == UI_KEY_ENTER || key == UI_KEY_TAB || key == UI_KEY_ESCAPE) {
            if (key != UI_KEY_TAB) {
                ui_consume_stroke(ui, step.index);
            }
            memory->refused = memory->refused == id ? 0 : memory->refused;
            field_stop(ui, id);
            if (key != UI_KEY_TAB && !memory->focus_visible) {
                ui_drop_focus(ui); /* it came by the pointer */
            }
            return value;
        }
        if (field_stroke(ui, step.stroke)) {
            ui_consume_stroke(ui, step.index);
        }
    }
    return value;
}

/* --- keys on the track --- */

struct step_key {
    uint32_t key;
    int steps;
};

static const struct step_key step_keys[] = {
    {UI_KEY_LEFT, -1}, {UI_KEY_DOWN, -1}, {UI_KEY_RIGHT, 1}, {UI_KEY_UP, 1}};

static double track_keys(struct ui *ui, uint32_t id, const struct ui_slider *slider, double value)
{
    for (size_t i = 0; i < sizeof step_keys / sizeof step_keys[0]; i++) {
        while (ui_stroke_consumed(ui, id, step_keys[i].key, 0)) {
            value = step_value(slider, value, step_keys[i].steps);
            ui->memory->focus_visible = true;
        }
        while (ui_stroke_consumed(ui, id, step_keys[i].key, UI_SHIFT)) {
            value = step_value(slider, value, 10 * step_keys[i].steps);
            ui->memory->focus_visible = true;
        }
    }
    if (ui_stroke_consumed(ui, id, UI_KEY_HOME, 0)) {
        value = slider->low;
    }
    if (ui_stroke_consumed(ui, id, UI_KEY_END, 0)) {
        value = slider->high;
    }
    return value;
}

/* --- the pointer --- */

static double drag_value(struct ui *ui, const struct ui_touch *touch,
                         const struct ui_slider *slider, struct rect track, double value)
{
    struct ui_memory *memory = ui->memory;
    const double travel = fmax(1, (double)(track.w - KNOB));
    if (touch->pressed) {
        const double knob = track.x + KNOB / 2 + travel * share_of(slider, value);
        const double off = ui->input->x - knob;
        memory->grab_value = fabs(off) <= KNOB / 2 + 1 ? off : 0;
        if (memory->grab_value != 0) {
            return value; /* on the knob: nothing jumps */
        }
    } else if (ui->input->x == memory->pointer_x) {
        return value;
    }
    const double share = (ui->input->x - memory->grab_value - track.x - KNOB / 2) / travel;
    return round_value(slider, value_at(slider, share));
}

static double wheel_value(struct ui *ui, const struct ui_slider *slider, struct rect area,
                          double value)
{
    const struct ui_input *input = ui->input;
    if (input->wheel_y == 0 || (input->mods & UI_CTRL) == 0 || ui->wheel_consumed ||
        !ui_over(ui, area)) {
        return value;
    }
    ui->wheel_consumed = true;
    return step_value(slider, value, input->wheel_y > 0 ? 1 : -1);
}

/* --- drawing --- */

static void draw_track(struct ui *ui, struct rect track, double share, bool lit)
{
    const struct ui_theme *theme = ui->theme;
    const float middle = ui_snap(ui, track.y + track.h / 2);
    const float knob = track.x + KNOB / 2 + fmaxf(0, track.w - KNOB) * (float)share;
    const struct rect rail = {track.x, middle - TRACK / 2, track.w, TRACK};
    canvas_rect(ui->canvas, rail, TRACK / 2, &(struct paint){.fill = theme->line});
    canvas_rect(ui->canvas, (struct rect){rail.x, rail.y, knob - rail.x, TRACK}, TRACK / 2,
                &(struct paint){.fill = theme->accent});
    canvas_circle(
        ui->canvas, knob, middle, fminf(KNOB, track.w) / 2,
        &(struct paint){.fill = lit ? colour_mix(theme->panel, theme->accent, 0.2f) : theme->panel,
                        .stroke = theme->accent,
                        .width = 2});
}

static void draw_typing(struct ui *ui, struct rect area, bool refused)
{
    const struct ui_theme *theme = ui->theme;
    const struct field_style style = {FONT_NUMBERS, UI_TEXT_SMALL, theme->ink};
    canvas_rect(ui->canvas, area, 4,
                &(struct paint){.fill = theme->panel,
                                .stroke = refused ? theme->refused : theme->accent,
                                .width = refused ? 2 : 1.5f});
    field_draw(ui, (struct rect){area.x + 5, area.y, fmaxf(1, area.w - 10), area.h}, &style);
}

static bool draw_words(struct ui *ui, struct rect words, struct rect number, const char *label,
                       const char *shown)
{
    const struct ui_theme *theme = ui->theme;
    const float wide =
        fminf(canvas_measure(ui->canvas, FONT_NUMBERS, UI_TEXT_SMALL, shown), number.w);
    words.w = fmaxf(0, number.x + number.w - wide - 8 - words.x);
    ui_label(ui, number,
             &(struct ui_label){shown, FONT_NUMBERS, UI_TEXT_SMALL, theme->ink, CANVAS_RIGHT});
    return ui_label(
        ui, words, &(struct ui_label){label, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT});
}

struct parts {
    struct rect words, number, track;
};

static struct parts parts_of(const struct ui_slider *slider, struct rect area)
{
    if (slider->label == NULL) {
        return (struct parts){.track = area};
    }
    const float top = fmaxf(0, area.h - GRIP), room = fminf(NUMBER_ROOM, area.w / 2);
    return (struct parts){
        .words = {area.x, area.y, area.w, top},
        .number = {area.x + area.w - room, area.y, room, top},
        .track = {area.x, area.y + top, area.w, fminf(GRIP, area.h)},
    };
}

/* Changes the value as pointer and keys say. */
static double answer_input(struct ui *ui, uint32_t id, const struct ui_slider *slider,
                           const struct parts *parts, struct rect area)
{
    struct ui_memory *memory = ui->memory;
    double value = slider->value;
    const struct ui_touch track = ui_point(ui, id, parts->track, true);
    const struct ui_touch number =
        ui_point(ui, id ^ 0x9E3779B9u, parts->number, false); /* an id of its own */
    if (number.hover) {
        ui->cursor = UI_CURSOR_TEXT;
    }
    const char *lost = field_lost(ui, id);
    if (lost != NULL) {
        value = leave_typing(ui, id, slider, lost, value);
    }
    const bool elsewhere = ui->input->pressed != 0 && !number.pressed && !ui->covered;
    if (elsewhere && memory->edited == id) {
        value = leave_typing(ui, id, slider, memory->typed, value);
        field_stop(ui, id);
    }
    if (number.pressed) {
        ui_take_focus(ui, id);
        char shown[TEXT_NUMBER_MAX];
        if (memory->edited != id) {
            field_start(ui, id, text_number(shown, value, slider->decimals), true);
        }
    }
    if (track.held) {
        value = drag_value(ui, &track, slider, parts->track, value);
    }
    if (ui_has_focus(ui, id) && memory->edited != id && memory->focus_visible) {
        begin_typing(ui, id);
    }
    if (ui_has_focus(ui, id)) {
        value = memory->edited == id ? typing_keys(ui, id, slider, value)
                                     : track_keys(ui, id, slider, value);
    }
    const bool let_go = track.held && (ui->input->released & UI_LEFT_BUTTON) != 0;
    if (let_go && !memory->focus_visible && memory->edited != id) {
        ui_drop_focus(ui); /* what was dragged wants no arrows: they belong to the window */
    }
    return wheel_value(ui, slider, area, value);
}

bool ui_slider(struct ui *ui, const char *name, struct rect area, const struct ui_slider *slider,
               double *value)
{
    const uint32_t id = ui_id(ui, name);
    const struct parts parts = parts_of(slider, area);
    ui_join(ui, id, area);
    const double now = answer_input(ui, id, slider, &parts, area);
    const bool changed = now != slider->value && !isnan(now);
    char written[TEXT_NUMBER_MAX];
    const char *shown = slider->number != NULL && !changed
                            ? tr(slider->number)
                            : text_number(written, now, slider->decimals);
    const struct rect box = slider->label != NULL ? parts.number : parts.track;
    const bool refused = show_range(ui, id, slider, box);
    canvas_group(ui->canvas, id, slider->label != NULL ? slider->label : name);
    bool cut = false;
    if (slider->label != NULL) {
        cut = draw_words(ui, parts.words, parts.number, tr(slider->label),
                         ui->memory->edited == id ? "" : shown);
    }
    if (ui->memory->edited == id) {
        draw_typing(ui, box, refused);
    }
    if (slider->label != NULL || ui->memory->edited != id) {
        draw_track(ui, parts.track, share_of(slider, now),
                   ui->hot == id || ui->memory->active == id);
    }
    canvas_ungroup(ui->canvas);
    ui_draw_focus(ui, id, (struct rect){area.x - 2, area.y, area.w + 4, area.h - 1}, 5);
    ui_tip_of(ui, id, area, slider->tip, tr(slider->label), cut);
    if (changed) {
        *value = now;
    }
    return changed;
}

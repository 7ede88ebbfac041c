/* One layer around its attention: what is added, normed, widened and narrowed, a strip for each
 * step; the neurons that add most to the chosen token; and after the last layer the tokens that may
 * follow. In stages whose numbers an experiment cannot compute, the steps to them as the same
 * strips, of the chosen head. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/edits.h"
#include "lab/explain/block_words.h"
#include "ui/widgets.h"
#include "view/parts/colours.h"
#include "view/parts/head_overview.h"
#include "view/parts/learn.h"
#include "view/parts/matrix.h"
#include "view/parts/pieces.h"

enum { PIXELS_MAX = 1400, ROWS_MAX = 64 };

static const float NAMES = 140, NUMBERS = 58, SIDE_SHARE = 0.34f, BETWEEN = 18, GAP = 7;
static const float STRIP_MAX = 74, STRIP_MIN = 9, TWO_COLUMNS = 620, LINE = 26;
static const float HEADING = 22, STEP_READ = 13.5f; /* height of a step whose name can be read */
static const float BAR_MIN = 12;                    /* shorter bars are left out */
static const float WORDS_MAX = 64;
static const float STRIP_WIDE_MIN = 120; /* labels are left out before a strip becomes narrower */

const struct lab_block *view_block_known(const struct view *view)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    const struct view_learn *const learn = view->state->learn;
    const struct lab_block *const block = overview != NULL ? overview->block
                                          : learn != NULL  ? learn->block
                                                           : NULL;
    const bool fits = block != NULL && view->trace != NULL &&
                      lab_block_facts(block).n == lab_trace_sizes(view->trace).n;
    return fits ? block : NULL;
}

const struct lab_block *view_block_shown(const struct view *view)
{
    return view->state->extra_stage == VIEW_EXTRA_STAGE_BLOCK ? view_block_known(view) : NULL;
}

const struct lab_block_step *view_block_norm(const struct view *view)
{
    const struct lab_block *const block = view_block_known(view);
    const size_t norm = block == NULL ? LAB_BLOCK_NOTHING : lab_block_find(block, "seen");
    return norm == LAB_BLOCK_NOTHING ? NULL : lab_block_step(block, norm);
}

/* The steps of the layer that are shown now; 0: none. */
static enum lab_block_at shown_place(const struct view *view)
{
    static const enum lab_block_at stages[LAB_STAGES] = {[LAB_EMBED] = LAB_BLOCK_AT_EMBED,
                                                         [LAB_PROJECT] = LAB_BLOCK_AT_PROJECT,
                                                         [LAB_OUTPUT] = LAB_BLOCK_AT_OUTPUT};
    return view->state->extra_stage == VIEW_EXTRA_STAGE_BLOCK ? LAB_BLOCK_AT_BLOCK
                                                              : stages[view->state->playback.stage];
}

static bool has_steps(const struct lab_block *block, enum lab_block_at at)
{
    size_t step = 0;
    while (step < lab_block_facts(block).steps && !lab_block_is_at(block, step, at)) {
        step++;
    }
    return step < lab_block_facts(block).steps;
}

/* Says whether numbers were edited that the model does not compute with, so that those of the layer
 * do not fit the stages. */
static bool is_edited(const struct view *view)
{
    return !lab_edits_all_go_on(lab_trace_experiment(view->trace)->edits);
}

bool view_block_has_way(const struct view *view)
{
    const struct lab_block *const block = view_block_known(view);
    const struct lab_sizes sizes =
        view->trace == NULL ? (struct lab_sizes){.n = 0} : lab_trace_sizes(view->trace);
    return block != NULL && view->state->extra_stage == VIEW_EXTRA_STAGE_NONE && sizes.raw &&
           !sizes.partial && !sizes.cross && shown_place(view) != 0 && !is_edited(view) &&
           has_steps(block, shown_place(view));
}

const struct lab_block *view_block_way(const struct view *view)
{
    const bool given = view->state->playback.stage == LAB_PROJECT && view->state->given_rows;
    return view_block_has_way(view) && !given ? view_block_known(view) : NULL;
}

/* The columns of the chosen head, or of its group; all columns of a step without heads. */
struct columns {
    size_t first, count;
};

static struct columns head_columns(const struct view *view, const struct lab_block_step *step)
{
    const size_t heads = lab_trace_sizes(view->trace).heads;
    const size_t parts = shown_place(view) == LAB_BLOCK_AT_BLOCK ? 0 : step->parts;
    const size_t part = parts > 0 ? view->selection.head * parts / heads : 0;
    const size_t count = step->cols / (parts > 0 ? parts : 1);
    return (struct columns){part * count, count};
}

/* The step that is explained as long as none was chosen. */
static size_t default_step(const struct view *view, const struct lab_block *block)
{
    const char *const projected = view->selection.projected == LAB_K   ? "k"
                                  : view->selection.projected == LAB_V ? "v"
                                                                       : "q";
    const enum lab_block_at at = shown_place(view);
    const size_t step = lab_block_find(block, at == LAB_BLOCK_AT_PROJECT  ? projected
                                              : at == LAB_BLOCK_AT_EMBED  ? "seen"
                                              : at == LAB_BLOCK_AT_OUTPUT ? "o"
                                                                          : "norm");
    if (step != LAB_BLOCK_NOTHING && lab_block_is_at(block, step, at)) {
        return step;
    }
    size_t last = lab_block_facts(block).steps - 1;
    while (last > 0 && !lab_block_is_at(block, last, at)) {
        last--;
    }
    return last;
}

/* 1 + the step that was chosen, or that another view led to; 0: none. */
static size_t chosen_step(const struct view *view, const struct lab_block *block)
{
    static const char *const led[] = {"x", "added", "mlp", "y"}; /* as in enum view_block_led */
    const size_t chosen = view->state->block_step;
    if (chosen < VIEW_BLOCK_X) {
        return chosen;
    }
    const size_t step = lab_block_find(block, led[chosen - VIEW_BLOCK_X]);
    return step == LAB_BLOCK_NOTHING ? 0 : step + 1;
}

static struct lab_block_place chosen_place(const struct view *view, const struct lab_block *block)
{
    const size_t chosen = chosen_step(view, block);
    const bool here = chosen > 0 && chosen <= lab_block_facts(block).steps &&
                      lab_block_is_at(block, chosen - 1, shown_place(view));
    const size_t step = here ? chosen - 1 : default_step(view, block);
    const struct columns columns = head_columns(view, lab_block_step(block, step));
    const size_t column = view->state->block_column;
    return lab_block_clamp(
        block, (struct lab_block_place){step, view->selection.query,
                                        columns.first +
                                            (column < columns.count ? column : columns.count - 1)});
}

const char *view_block_title(struct view *view)
{
    const struct lab_block_facts facts = lab_block_facts(view_block_known(view));
    return arena_words(view->arena, "L%zu · Block around attention", facts.layer);
}

/* Says whether next tokens are known: a model may have none, and neither has the first of two
 * stacks. */
static bool has_next_words(const struct lab_block *block)
{
    size_t count = 0;
    return lab_block_words(block, lab_block_facts(block).n - 1, &count) != NULL;
}

const char *view_block_sentence(struct view *view)
{
    const struct lab_block *const block = view_block_known(view);
    const struct lab_block_facts facts = lab_block_facts(block);
    return view->state->head_overview != NULL && is_edited(view)
               ? tr("What was typed by hand is not in it: these numbers are the model’s own.")
           : facts.layer + 1 < facts.layers
               ? arena_words(view->arena,
                             "What attention gives is added to each word, then what the MLP gives; "
                             "L%zu reads the sum.",
                             facts.layer + 1)
           : has_next_words(block)
               ? arena_words(view->arena,
                             "What attention gives is added to each word, then what the "
                             "MLP gives; the logits follow.")
               : arena_words(view->arena,
                             "What attention gives is added to each word, then what the "
                             "MLP gives; no layer follows.");
}

struct lab_explanation view_block_explanation(struct view *view, size_t max_terms)
{
    const struct lab_block *const block = view_block_known(view);
    return lab_block_explain(block, lab_trace_queries(view->trace), chosen_place(view, block),
                             max_terms, view->arena);
}

/* --- Strips. --- */

/* Numbers that are drawn as a strip; a pixel shows the largest of those that share it. The colours
 * are scaled to the chosen row without its few largest numbers, because the first token of a text
 * and a few dimensions of all are often many times larger than the rest. */
struct strip {
    const float *values; /* [rows][cols], rows `stride` apart */
    size_t rows, cols, stride, chosen;
    struct rect area;
};

static float find_largest(const float *row, size_t from, size_t to, size_t *at)
{
    *at = from;
    for (size_t c = from + 1; c < to; c++) {
        *at = fabsf(row[c]) > fabsf(row[*at]) ? c : *at;
    }
    return row[*at];
}

static int compare_sizes(const void *a, const void *b)
{
    const float one = *(const float *)a, other = *(const float *)b;
    return (one > other) - (one < other);
}

/* The magnitude that 3 in 100 numbers of the chosen row exceed. */
static float common_peak(struct view *view, const struct strip *strip)
{
    float *const size = arena_array(view->arena, strip->cols, sizeof *size);
    for (size_t c = 0; size != NULL && c < strip->cols; c++) {
        size[c] = fabsf(strip->values[strip->chosen * strip->stride + c]);
    }
    if (size == NULL) {
        return 1;
    }
    qsort(size, strip->cols, sizeof *size, compare_sizes);
    const float common = size[strip->cols - 1 - strip->cols * 3 / 100];
    return common > 0 ? common : size[strip->cols - 1];
}

static void draw_strip(struct view *view, const struct strip *strip)
{
    const float scale = view->ui->input->scale;
    const size_t pixels = (size_t)fmaxf(1, fminf(PIXELS_MAX, strip->area.w * scale));
    const size_t wide = strip->cols < pixels ? strip->cols : pixels;
    const size_t lines = (size_t)fmaxf(1, fminf(ROWS_MAX, strip->area.h));
    const size_t high = strip->rows < lines ? strip->rows : lines;
    struct colour *const image = arena_array(view->arena, wide * high, sizeof *image);
    float *const value = arena_array(view->arena, wide * high, sizeof *value);
    struct view_ramp *const ramp = arena_alloc(view->arena, sizeof *ramp);
    if (image == NULL || value == NULL || ramp == NULL) {
        return;
    }
    const float peak = common_peak(view, strip);
    for (size_t y = 0; y < high; y++) {
        const float *const row = strip->values + y * strip->rows / high * strip->stride;
        for (size_t x = 0; x < wide; x++) {
            size_t at = 0;
            value[y * wide + x] =
                find_largest(row, x * strip->cols / wide, (x + 1) * strip->cols / wide, &at);
        }
    }
    view_ramp_of_signed(view, peak, ramp);
    for (size_t i = 0; i < wide * high; i++) {
        image[i] = ramp->step[view_ramp_step(ramp, value[i])];
    }
    canvas_image(view->ui->canvas, strip->area, (uint32_t)wide, (uint32_t)high, image);
    canvas_rect(view->ui->canvas, strip->area, 0,
                &(struct paint){.stroke = view->ui->theme->line, .width = 1, .crisp = true});
}

/* Finds the number under the pointer, which is the largest of those that share its pixel. */
static bool find_hovered(struct view *view, const struct strip *strip, uint32_t id, size_t *row,
                         size_t *column, bool *clicked)
{
    const struct ui_touch touch = ui_touch(view->ui, id, strip->area, true);
    const float across = (view->ui->input->x - strip->area.x) / strip->area.w;
    const float down = (view->ui->input->y - strip->area.y) / strip->area.h;
    if (!touch.hover || !(across >= 0 && across < 1 && down >= 0 && down < 1)) {
        return false;
    }
    const size_t pixels = (size_t)fmaxf(1, strip->area.w);
    const size_t wide = strip->cols < pixels ? strip->cols : pixels;
    const size_t x = (size_t)(across * (float)wide);
    *row = (size_t)(down * (float)strip->rows);
    (void)find_largest(strip->values + *row * strip->stride, x * strip->cols / wide,
                       (x + 1) * strip->cols / wide, column);
    *clicked = touch.clicked;
    return true;
}

/* Marks the chosen token's row, and the chosen dimension with ticks above and below. */
static void draw_marks(struct view *view, const struct strip *strip, size_t row, size_t column,
                       bool has_column)
{
    const struct ui_theme *const theme = view->ui->theme;
    struct canvas *const canvas = view->ui->canvas;
    const float high = strip->area.h / (float)strip->rows;
    const float top = strip->area.y + (float)row * high;
    if (view->emphasis && strip->rows > 1 && high < 6) { /* an outline would hide the row */
        for (int end = 0; end < 2; end++) {
            const float x = end == 0 ? strip->area.x - 6 : strip->area.x + strip->area.w + 1;
            canvas_rect(canvas, (struct rect){x, top - 1, 5, fmaxf(high, 2) + 2}, 1,
                        &(struct paint){.fill = theme->query});
        }
    } else if (view->emphasis && strip->rows > 1) {
        canvas_rect(canvas,
                    (struct rect){strip->area.x - 1, strip->area.y + (float)row * high - 0.5f,
                                  strip->area.w + 2, fmaxf(high, 2) + 1},
                    1, &(struct paint){.stroke = theme->query, .width = 1.5f});
    }
    if (view->emphasis && has_column) {
        const float x = strip->area.x + ((float)column + 0.5f) * strip->area.w / (float)strip->cols;
        canvas_line(canvas, x, strip->area.y - 4, x, strip->area.y, 2, theme->ink);
        canvas_line(canvas, x, strip->area.y + strip->area.h, x, strip->area.y + strip->area.h + 4,
                    2, theme->ink);
    }
}

static void draw_value(struct view *view, float x, float y, float value, bool bold)
{
    char text[TEXT_NUMBER_MAX];
    text_nonzero_number(text, (double)value, 3);
    canvas_text(view->ui->canvas, x, y, bold ? FONT_NUMBERS_BOLD : FONT_NUMBERS, UI_TEXT_SMALL,
                view->ui->theme->ink, CANVAS_RIGHT, text);
}

/* The labels of a strip's rows at its left, if there is room; only the chosen one if two have none.
 */
static struct view_words strip_words(const struct view *view, const struct strip *strip)
{
    const float line = view_words_line(view), high = strip->area.h;
    return (struct view_words){.words = lab_trace_queries(view->trace),
                               .count = strip->rows,
                               .from = strip->area.y,
                               .step = strip->area.h / (float)strip->rows,
                               .at = strip->area.x - VIEW_WORDS_APART,
                               .room = WORDS_MAX,
                               .anchor = CANVAS_RIGHT,
                               .line = high < 2 * line ? high : line,
                               .chosen = view_chosen(view, strip->chosen),
                               .colour = view->ui->theme->query};
}

/* --- Steps. --- */

/* The widths of labels and of numbers beside all strips. */
struct beside {
    float words, numbers;
};

static void draw_step(struct view *view, const struct lab_block *block,
                      const struct lab_block_place *at, size_t step, const struct beside *beside,
                      struct rect line)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct lab_block_step *const s = lab_block_step(block, step);
    const size_t n = lab_block_facts(block).n;
    const uint32_t id = ui_id_number(view->ui, "block step", step);
    const bool chosen = step == at->step;
    const struct lab_block_step *const spelled = lab_block_step(block, at->step);
    const struct columns columns = head_columns(view, s), its = head_columns(view, spelled);
    const bool shares = columns.count == its.count;
    const size_t column = at->column - its.first;
    const float before = NAMES + beside->words;
    const struct strip strip = {s->values + columns.first,
                                n,
                                columns.count,
                                s->cols,
                                at->row,
                                {roundf(line.x + before), roundf(line.y),
                                 line.w - before - beside->numbers, roundf(line.h)}};
    canvas_group(view->ui->canvas, id, s->name);
    const float middle = line.y + line.h / 2;
    const bool two = line.h >= 26;
    canvas_text_cut(view->ui->canvas, line.x, middle + (two ? -1 : 4), FONT_WORDS_BOLD,
                    UI_TEXT_SMALL, chosen ? theme->accent : theme->ink, CANVAS_LEFT, s->sign, 30);
    view_text_whole(view, line.x + 30, middle + (two ? -1 : 4), FONT_WORDS, UI_TEXT_TINY,
                    theme->muted, CANVAS_LEFT, lab_block_short_rule(block, step, view->arena),
                    NAMES - 38);
    if (two) {
        canvas_text_cut(view->ui->canvas, line.x + 30, middle + 12, FONT_NUMBERS, UI_TEXT_TINY,
                        theme->muted, CANVAS_LEFT,
                        arena_format(view->arena, "%zu × %zu", n, columns.count), NAMES - 40);
    }
    draw_strip(view, &strip);
    draw_marks(view, &strip, at->row, column, shares);
    if (beside->words > 0) {
        const struct view_words words = strip_words(view, &strip);
        view_words_of_rows(view, &words);
    }
    if (view->emphasis && shares) {
        draw_value(view, line.x + line.w, middle + 4, strip.values[at->row * s->cols + column],
                   chosen);
    }
    canvas_ungroup(view->ui->canvas);
    ui_tip(
        view->ui, ui_id_number(view->ui, "block name", step),
        (struct rect){line.x, line.y, NAMES - 8, line.h},
        arena_format(view->arena, "%s\n%s", tr(s->what), lab_block_rule(block, step, view->arena)));
    size_t row = 0, pointed = 0;
    bool clicked = false;
    if (find_hovered(view, &strip, id, &row, &pointed, &clicked) && clicked) {
        struct lab_selection to = view->selection;
        to.query = row;
        view_choose(view, VIEW_QUERY, to, true);
        view_action_set(view, block_step, step + 1);
        view_action_set(view, block_column, pointed);
    }
}

/* Counts the steps that are shown, and finds the width of the widest number at their right. */
static size_t count_steps(struct view *view, const struct lab_block *block,
                          const struct lab_block_place *at, float *widest)
{
    size_t count = 0;
    const struct columns its = head_columns(view, lab_block_step(block, at->step));
    *widest = 0;
    for (size_t s = 0; s < lab_block_facts(block).steps; s++) {
        if (!lab_block_is_at(block, s, shown_place(view))) {
            continue;
        }
        count++;
        const struct lab_block_step *const step = lab_block_step(block, s);
        const struct columns columns = head_columns(view, step);
        if (columns.count == its.count) {
            char text[TEXT_NUMBER_MAX];
            const size_t column = columns.first + at->column - its.first;
            text_nonzero_number(text, (double)step->values[at->row * step->cols + column], 3);
            *widest = fmaxf(
                *widest, canvas_measure(view->ui->canvas, FONT_NUMBERS_BOLD, UI_TEXT_SMALL, text));
        }
    }
    return count;
}

/* The width of strip labels; 0: strips are too low, or would be too narrow. */
static float strip_words_width(struct view *view, const struct lab_block *block,
                               const struct lab_block_place *at, float strip_high, float room)
{
    const struct strip strip = {
        .rows = lab_block_facts(block).n, .chosen = at->row, .area = {.h = strip_high}};
    const struct view_words words = strip_words(view, &strip);
    const float wide = view_words_beside(view, &words, WORDS_MAX) + VIEW_WORDS_APART;
    return strip_high >= view_words_line(view) && room - wide >= STRIP_WIDE_MIN ? wide : 0;
}

static void draw_steps(struct view *view, const struct lab_block *block,
                       const struct lab_block_place *at, struct rect area)
{
    const float marks = 12; /* room for the row marks between a strip and its number */
    const size_t steps = lab_block_facts(block).steps;
    float widest = 0;
    const size_t count = count_steps(view, block, at, &widest);
    size_t drawn = 0;
    const float each = fminf(STRIP_MAX + GAP, area.h / (float)count);
    const float gap = fminf(GAP, fmaxf(each / 4, 2));
    struct beside beside = {0, fmaxf(NUMBERS, widest + marks)};
    beside.words = strip_words_width(view, block, at, each - gap, area.w - NAMES - beside.numbers);
    for (size_t s = 0; s < steps; s++) {
        if (lab_block_is_at(block, s, shown_place(view))) {
            draw_step(view, block, at, s, &beside,
                      (struct rect){area.x, area.y + (float)drawn++ * each + gap / 2, area.w,
                                    fmaxf(STRIP_MIN - gap, each - gap)});
        }
    }
}

/* --- Neurons and tokens. --- */

static float draw_section_title(struct view *view, struct rect area, const char *text)
{
    canvas_text_cut(view->ui->canvas, area.x, area.y + 13, FONT_WORDS_BOLD, UI_TEXT_SMALL,
                    view->ui->theme->ink, CANVAS_LEFT, text == NULL ? "" : text, area.w);
    return HEADING;
}

static const float HEADS_OF_COLUMNS = 14, ACTIVE = 98,
                   ADDS = 108; /* right end of "active", left end of "adds" */

/* Draws the title of a column in the small font. */
static void draw_column_title(struct view *view, float x, float y, enum canvas_anchor anchor,
                              const char *name, float room)
{
    view_text_whole(view, x, y + 9, FONT_WORDS, UI_TEXT_TINY, view->ui->theme->muted, anchor,
                    tr(name), room);
}

static void draw_neuron_titles(struct view *view, float x, float y, float wide)
{
    const float room = fmaxf(wide - ADDS - NUMBERS, 4);
    const bool whole =
        canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, tr("adds to the word")) <= room;
    draw_column_title(view, x, y, CANVAS_LEFT, "neuron", ACTIVE - 46);
    draw_column_title(view, x + ACTIVE, y, CANVAS_RIGHT, "active", 42);
    draw_column_title(view, x + ADDS, y, CANVAS_LEFT, whole ? "adds to the word" : "adds", room);
    draw_column_title(view, x + wide, y, CANVAS_RIGHT, "length", NUMBERS - 6);
}

/* Draws what a neuron adds as a strip, and the length of that vector. */
static void draw_neuron(struct view *view, const struct lab_block *block,
                        const struct lab_block_place *at, const struct lab_block_neuron *neuron,
                        struct rect line)
{
    const struct lab_block_facts facts = lab_block_facts(block);
    const size_t cols = lab_block_step(block, facts.out)->cols;
    float *const added = arena_array(view->arena, cols, sizeof *added);
    const uint32_t id = ui_id_number(view->ui, "neuron", neuron->neuron);
    if (added == NULL || !lab_block_adds(block, at->row, neuron->neuron, added)) {
        return;
    }
    const bool chosen = at->step == facts.hidden && at->column == neuron->neuron;
    canvas_group(view->ui->canvas, id, "Neuron");
    canvas_text(view->ui->canvas, line.x, line.y + line.h / 2 + 4, FONT_NUMBERS, UI_TEXT_SMALL,
                chosen ? view->ui->theme->accent : view->ui->theme->ink, CANVAS_LEFT,
                arena_format(view->arena, "%zu",
                             neuron->neuron)); /* numbered from 0, like heads and layers */
    draw_value(view, line.x + ACTIVE, line.y + line.h / 2 + 4, neuron->activation, false);
    const struct strip strip = {
        added, 1, cols,
        cols,  0, {line.x + ADDS, line.y + 3, fmaxf(line.w - ADDS - NUMBERS, 4), line.h - 6}};
    draw_strip(view, &strip);
    draw_value(view, line.x + line.w, line.y + line.h / 2 + 4, neuron->length, chosen);
    canvas_ungroup(view->ui->canvas);
    const struct ui_touch touch = ui_touch(view->ui, id, line, true);
    ui_draw_focus(view->ui, id, line, 3);
    ui_tip(view->ui, id, line,
           "A neuron, how active it is, what it adds to the word, and how long that is");
    if (touch.clicked) {
        view_action_set(view, block_step, facts.hidden + 1);
        view_action_set(view, block_column, neuron->neuron);
    }
}

static float draw_neurons(struct view *view, const struct lab_block *block,
                          const struct lab_block_place *at, struct rect area)
{
    size_t count = 0;
    const struct lab_block_neuron *const neuron = lab_block_neurons(block, at->row, &count);
    float y = area.y;
    if (count > 0) {
        y += draw_section_title(
            view, area,
            arena_format(view->arena, "Strongest neurons for %s",
                         lab_quoted(view->arena, lab_trace_queries(view->trace)[at->row])));
    }
    if (count > 0 && y + HEADS_OF_COLUMNS + LINE <= area.y + area.h) {
        draw_neuron_titles(view, area.x, y, area.w);
        y += HEADS_OF_COLUMNS;
    }
    for (size_t k = 0; k < count && y + LINE <= area.y + area.h; k++, y += LINE) {
        draw_neuron(view, block, at, &neuron[k], (struct rect){area.x, y, area.w, LINE});
    }
    return y - area.y;
}

static void draw_next_word(struct view *view, const struct lab_block_word *word, struct rect line)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct rect track = {line.x + 108, line.y + 6, line.w - 108 - 2 * NUMBERS, 8};
    canvas_text_cut(view->ui->canvas, line.x, line.y + 14, FONT_WORDS, UI_TEXT_SMALL, theme->ink,
                    CANVAS_LEFT, word->word, 100);
    if (track.w >= BAR_MIN) {
        const float share = track.w * (float)word->share;
        canvas_rect(view->ui->canvas, track, 4, &(struct paint){.fill = theme->control});
        canvas_rect(view->ui->canvas, (struct rect){track.x, track.y, share, track.h}, 4,
                    &(struct paint){.fill = theme->output});
    }
    char percent[TEXT_NUMBER_MAX];
    canvas_text(
        view->ui->canvas, line.x + line.w - NUMBERS, line.y + 14, FONT_NUMBERS, UI_TEXT_SMALL,
        theme->ink, CANVAS_RIGHT,
        arena_format(view->arena, "%s %%", text_nonzero_number(percent, word->share * 100, 1)));
    draw_value(view, line.x + line.w, line.y + 14, word->logit, false);
}

/* A logit leads to what it is made of: behind the last word to the parts that say it, else to the
 * vector that it is a product of, the last step. */
static void lead_from_logit(struct view *view, const struct lab_block *block,
                            const struct lab_block_place *at, const struct lab_block_word *word,
                            struct rect line)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    const bool asks = overview != NULL && overview->next_count > 0 && overview->mask == NULL &&
                      at->row + 1 == lab_trace_sizes(view->trace).n;
    const uint32_t id = ui_id_number(view->ui, "logit", word->id);
    const struct ui_touch touch = ui_touch(view->ui, id, line, true);
    ui_draw_focus(view->ui, id, line, 4);
    ui_tip(view->ui, id, line,
           asks
               ? "Which parts of the model say this word, and what is lost without them"
               : "The last row at the left, times the row of this word in the matrix of all words");
    if (touch.clicked && asks) {
        view_action_set(view, why_word, word->id + 1);
        view_action_set(view, why_rival, 0);
        view_action_set(view, why_named[1][0], '\0');
        view_action_set(view, why_shown, true);
    } else if (touch.clicked) {
        view_action_set(view, block_step, lab_block_facts(block).steps);
    }
}

static void draw_next_words(struct view *view, const struct lab_block *block,
                            const struct lab_block_place *at, struct rect area)
{
    size_t count = 0;
    const struct lab_block_word *const word = lab_block_words(block, at->row, &count);
    float y = area.y;
    if (count == 0 || area.h < 44) {
        return; /* no title without rows */
    }
    y += draw_section_title(
        view, area,
        arena_format(view->arena, "Logits at %s",
                     lab_quoted(view->arena, lab_trace_queries(view->trace)[at->row])));
    if (y + HEADS_OF_COLUMNS + 20 <= area.y + area.h) {
        const float right = area.x + area.w;
        draw_column_title(view, area.x, y, CANVAS_LEFT, "word", 100);
        draw_column_title(view, right - NUMBERS, y, CANVAS_RIGHT, "share", NUMBERS - 6);
        draw_column_title(view, right, y, CANVAS_RIGHT, "logit", NUMBERS - 6);
        y += HEADS_OF_COLUMNS;
    }
    for (size_t k = 0; k < count && y + 20 <= area.y + area.h; k++, y += 20) {
        const struct rect line = {area.x, y, area.w, 20};
        draw_next_word(view, &word[k], line);
        lead_from_logit(view, block, at, &word[k], line);
    }
}

void view_block(struct view *view, struct rect area)
{
    const struct lab_block *const block = view_block_known(view);
    const struct lab_block_place at = chosen_place(view, block);
    ui_push(view->ui, "block");
    canvas_group(view->ui->canvas, ui_id(view->ui, "block"), "Block");
    struct rect steps = area, beside = area;
    size_t words = 0, found = 0;
    (void)lab_block_words(block, at.row, &words);
    (void)lab_block_neurons(block, at.row, &found);
    const bool two = area.w >= TWO_COLUMNS;
    if (words + found == 0) {
        beside.w = 0; /* experts in the middle of a model have neither */
    } else if (two) {
        beside.w = fmaxf(250, area.w * SIDE_SHARE);
        steps.w = area.w - beside.w - BETWEEN;
        beside.x = steps.x + steps.w + BETWEEN;
    } else {
        float widest = 0;
        const float read = STEP_READ * (float)count_steps(view, block, &at, &widest);
        const float steps_max = area.h - 8 - HEADING - HEADS_OF_COLUMNS -
                                LINE; /* leaves room for a neuron or a token */
        steps.h = fmaxf(area.h * 0.58f, fminf(read, steps_max));
        beside.y = area.y + steps.h + 8;
        beside.h = area.h - steps.h - 8;
    }
    draw_steps(view, block, &at, steps);
    struct rect neurons = beside;
    neurons.w = !two && words > 0 ? (beside.w - BETWEEN) / 2 : beside.w;
    const float taken = draw_neurons(view, block, &at, neurons) + 12;
    if (two) {
        beside.y += taken;
        beside.h -= taken;
    } else {
        beside.x += neurons.w + BETWEEN;
        beside.w = neurons.w;
    }
    draw_next_words(view, block, &at, beside);
    canvas_ungroup(view->ui->canvas);
    ui_pop(view->ui);
}

/* --- The steps to a stage's numbers. --- */

const char *view_block_way_sentence(const struct view *view)
{
    if (view->state->playback.stage == LAB_EMBED && view_block_norm(view) == NULL) {
        return tr("The residual stream as it reaches this layer: its heads see it as it is.");
    }
    static const char *const sentences[LAB_STAGES] = {
        [LAB_EMBED] = "The residual stream as it reaches this layer, and what its heads see of it.",
        [LAB_PROJECT] = "From what the heads see to queries, keys and values, step by step.",
        [LAB_OUTPUT] = "Mix the heads by W_O: that is what attention adds to the residual stream."};
    return tr(sentences[view->state->playback.stage]);
}

/* Draws the tabs: the steps, or their results, which can be edited. */
static void draw_way_tabs(struct view *view, struct rect place)
{
    static const char *const labels[] = {"Steps", "Q, K, V"};
    const size_t now = view->state->given_rows ? 1 : 0;
    const size_t chosen = ui_tabs(view->ui, "way", place, labels, 2, now);
    ui_tip(view->ui, ui_id(view->ui, "way"), place, "Step by step, or the rows that came of it");
    if (chosen < 2 && chosen != now) {
        view_action_set(view, given_rows, chosen == 1);
    }
}

float view_block_way_tabs(struct view *view, struct rect area)
{
    const bool there = view_block_has_way(view) && view->state->page == NULL &&
                       view->style.has_controls && view->state->playback.stage == LAB_PROJECT;
    if (there) {
        draw_way_tabs(view, (struct rect){area.x, area.y, fminf(200, area.w), 30});
    }
    return there ? 38 : 0;
}

void view_block_way_steps(struct view *view, struct rect area)
{
    const struct lab_block *const block = view_block_way(view);
    const struct lab_block_place at = chosen_place(view, block);
    ui_push(view->ui, "block");
    canvas_group(view->ui->canvas, ui_id(view->ui, "block"), "Steps");
    draw_steps(view, block, &at, area);
    canvas_ungroup(view->ui->canvas);
    ui_pop(view->ui);
}

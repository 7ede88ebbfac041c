/* Circuits of the weights: heads as layers, lines to the heads that read them, and beside them the
 * strongest lines, or one head's pairs of words. */
#include "view/parts/circuit.h"

#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/parts/why.h"
#include "view/why/why_panels.h"

static const float HEADER = 54, FOOT = 30, EDGE = 18, LIST = 300, ROW = 24, LABEL = 34;
static const float NODE_WIDE = 66, NODE_HIGH = 30, LINE_MAX = 5, SHARE = 0.42f;

struct graph {
    struct rect area;
    float wide, high; /* from node to node */
};

static struct rect node_of(const struct graph *graph, const struct view_circuit *circuit,
                           size_t place)
{
    const float x = graph->area.x + ((float)(place % circuit->heads) + 0.5f) * graph->wide,
                y = graph->area.y + graph->area.h -
                    ((float)(place / circuit->heads) + 0.5f) * graph->high;
    const float wide = fminf(NODE_WIDE, graph->wide * 0.8f),
                high = fminf(NODE_HIGH, graph->high * 0.6f);
    return (struct rect){x - wide / 2, y - high / 2, wide, high};
}

static struct colour colour_of(const struct view *view, char reading)
{
    const struct ui_theme *const theme = view->ui->theme;
    return reading == 'Q' ? theme->query : reading == 'K' ? theme->key : theme->value;
}

/* The weakest first, so that the strongest lie over them; three readings side by side. */
static void draw_lines(struct view *view, const struct view_circuit *circuit,
                       const struct graph *graph)
{
    const double peak = circuit->lines > 0 ? circuit->line[0].value : 1;
    for (size_t l = circuit->lines; l-- > 0;) {
        const struct view_circuit_line *const line = &circuit->line[l];
        const struct rect from = node_of(graph, circuit, line->from),
                          to = node_of(graph, circuit, line->to);
        const float share = peak > 0 ? (float)(line->value / peak) : 0;
        const float aside = line->reading == 'Q' ? -0.25f : line->reading == 'K' ? 0 : 0.25f;
        canvas_line(view->ui->canvas, from.x + from.w / 2, from.y, to.x + to.w * (0.5f + aside),
                    to.y + to.h, fmaxf(1, LINE_MAX * share * share),
                    colour_fade(colour_of(view, line->reading), 0.35f + 0.65f * share));
    }
}

/* Which line is which, in the order in which they arrive at a head. */
static void draw_legend(struct view *view, const struct graph *graph)
{
    static const char *const readings[] = {"Q", "K", "V"};
    for (size_t r = 0; r < 3; r++) {
        canvas_text(view->ui->canvas, graph->area.x + 20 * (float)r, graph->area.y + 8,
                    FONT_WORDS_BOLD, UI_TEXT_BODY, colour_of(view, readings[r][0]), CANVAS_LEFT,
                    readings[r]);
    }
}

/* In the window: a click shows one head, and once more all of them; the head is the selected one of
 * the answer, too. */
static void choose_head(struct view *view, const struct view_circuit *circuit, size_t head)
{
    const struct view_why *const why = view->state->why;
    const struct view_why_answer *const answer = why == NULL ? NULL : why->answer;
    const bool chosen = circuit->has_head && circuit->head == head;
    view_action_set(view, why_circuit, chosen ? 0 : head + 1);
    for (size_t p = 0; answer != NULL && p < answer->parts; p++) {
        const struct view_why_part *const part = &answer->part[p];
        if (part->kind == VIEW_WHY_HEAD && part->layer * circuit->heads + part->head == head) {
            why_select(view, p);
        }
    }
}

static void draw_touch(struct view *view, const struct view_circuit *circuit, struct rect node,
                       size_t head)
{
    const uint32_t id = ui_id_number(view->ui, "circuit", head);
    if (!view->style.has_controls) {
        return;
    }
    const struct ui_touch touch = ui_touch(view->ui, id, node, true);
    const char *const name =
        arena_words(view->arena, "L%zuH%zu", head / circuit->heads, head % circuit->heads);
    canvas_group(view->ui->canvas, id, name == NULL ? "" : name);
    canvas_rect(view->ui->canvas, rect_inset(node, -2), 6,
                &(struct paint){.stroke = touch.hover ? view->ui->theme->accent
                                                      : (struct colour){0, 0, 0, 0},
                                .width = 2});
    ui_draw_focus(view->ui, id, node, 6);
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, id, node,
           circuit->has_head && circuit->head == head
               ? "A click shows all heads again"
               : arena_words(view->arena,
                             tr("%s: a click shows which words it looks at, which it makes "
                                "likelier, and whom it hears"),
                             name == NULL ? "" : name));
    if (touch.clicked) {
        choose_head(view, circuit, head);
    }
}

static void draw_nodes(struct view *view, const struct view_circuit *circuit,
                       const struct graph *graph)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    for (size_t h = 0; h < circuit->layers * circuit->heads; h++) {
        const struct rect node = node_of(graph, circuit, h);
        const double copying = circuit->copying[h];
        const struct colour fill =
            isnan(copying) ? theme->control
                           : colourmap_colour(view->state->prefs.signed_map,
                                              0.5f + 0.5f * (float)fmin(1, fmax(-1, copying)));
        const bool chosen = circuit->has_head && h == circuit->head;
        canvas_rect(canvas, node, fminf(6, node.h / 3),
                    &(struct paint){.fill = fill,
                                    .stroke = chosen ? theme->ink : theme->line,
                                    .width = chosen ? 2 : 1});
        const char *const text = isnan(copying)
                                     ? arena_words(view->arena, "H%zu", h % circuit->heads)
                                     : why_signed(view, copying);
        if (text != NULL &&
            canvas_measure(canvas, FONT_NUMBERS, view->style.small, text) + 4 <= node.w &&
            node.h >= 14) {
            canvas_text(canvas, node.x + node.w / 2, node.y + node.h / 2 + 4, FONT_NUMBERS,
                        view->style.small, colour_ink_on(fill), CANVAS_CENTRE, text);
        }
        draw_touch(view, circuit, node, h);
    }
    for (size_t l = 0; l < circuit->layers; l++) {
        const struct rect node = node_of(graph, circuit, l * circuit->heads);
        const char *const name = arena_words(view->arena, "L%zu", l);
        canvas_text(canvas, graph->area.x - 10, node.y + node.h / 2 + 4, FONT_WORDS,
                    view->style.small, theme->muted, CANVAS_RIGHT, name == NULL ? "" : name);
    }
    const size_t every = (size_t)fmaxf(1, ceilf(26 / graph->wide));
    for (size_t h = 0; h < circuit->heads; h += every) {
        const struct rect node = node_of(graph, circuit, h);
        const char *const name = arena_words(view->arena, "H%zu", h);
        canvas_text(canvas, node.x + node.w / 2, graph->area.y + graph->area.h + 12, FONT_WORDS,
                    view->style.small, theme->muted, CANVAS_CENTRE, name == NULL ? "" : name);
    }
}

/* ---- lists ----------------------------------------------------------------------------------- */

static float draw_heading(struct view *view, struct rect area, float y, const char *words)
{
    view_text_whole(view, area.x, y + 14, FONT_WORDS_BOLD, UI_TEXT_BODY, view->ui->theme->ink,
                    CANVAS_LEFT, words, area.w);
    return y + ROW;
}

static struct rect row_at(struct rect area, float y)
{
    return (struct rect){area.x, y - 2, area.w, ROW - 2};
}

static float draw_row(struct view *view, struct rect area, float y, struct colour colour,
                      const char *words, double value)
{
    struct canvas *const canvas = view->ui->canvas;
    canvas_text_cut(canvas, area.x, y + 14, FONT_WORDS, UI_TEXT_BODY, colour, CANVAS_LEFT,
                    words == NULL ? "" : words, area.w - 64);
    canvas_text(canvas, area.x + area.w, y + 14, FONT_NUMBERS, view->style.small,
                view->ui->theme->ink, CANVAS_RIGHT, why_signed(view, value));
    return y + ROW;
}

static void draw_pairs(struct view *view, const struct view_circuit *circuit, struct rect area)
{
    const struct colour ink = view->ui->theme->ink;
    const char *const names[] = {tr("QK: which word looks at which"),
                                 tr("OV: which word makes which likelier")};
    const struct view_circuit_pair *const pairs[] = {circuit->qk, circuit->ov};
    float y = area.y;
    for (size_t m = 0; m < 2; m++) {
        const float end = area.y + area.h * (float)(m + 1) / 2;
        y = draw_heading(view, area, y, names[m]);
        for (size_t p = 0; p < circuit->pairs && y + ROW <= end; p++) {
            y = draw_row(view, area, y, ink,
                         arena_words(view->arena, "%s → %s", pairs[m][p].from, pairs[m][p].to),
                         pairs[m][p].value);
        }
        y += ROW / 2;
    }
}

/* In the window a line leads to the circuit of the head that reads. */
static void touch_line(struct view *view, const struct view_circuit *circuit, size_t index,
                       struct rect row)
{
    const uint32_t id = ui_id_number(view->ui, "read", index);
    if (!view->style.has_controls) {
        return;
    }
    const size_t head = circuit->line[index].to;
    const struct ui_touch touch = ui_touch(view->ui, id, row, true);
    if (touch.hover) {
        canvas_rect(view->ui->canvas, rect_inset(row, -4), 6,
                    &(struct paint){.fill = view->ui->theme->control});
    }
    ui_draw_focus(view->ui, id, row, 6);
    ui_tip(view->ui, id, row,
           arena_words(
               view->arena,
               tr("%s: a click shows which words it looks at, which it makes "
                  "likelier, and whom it hears"),
               arena_words(view->arena, "L%zuH%zu", head / circuit->heads, head % circuit->heads)));
    if (touch.clicked) {
        choose_head(view, circuit, head);
    }
}

static void draw_strongest(struct view *view, const struct view_circuit *circuit, struct rect area)
{
    float y = draw_heading(view, area, area.y, tr("What a later head reads most"));
    for (size_t l = 0; l < circuit->lines && y + ROW <= area.y + area.h; l++) {
        const struct view_circuit_line *const line = &circuit->line[l];
        touch_line(view, circuit, l, row_at(area, y));
        y = draw_row(view, area, y, colour_of(view, line->reading),
                     arena_words(view->arena, "L%zuH%zu → %c · L%zuH%zu",
                                 line->from / circuit->heads, line->from % circuit->heads,
                                 line->reading, line->to / circuit->heads,
                                 line->to % circuit->heads),
                     line->value);
    }
}

/* From one head to all, and to its stages. */
static void draw_ways(struct view *view, const struct view_circuit *circuit, struct rect area)
{
    static const float HIGH = 28, GAP = 8;
    const struct view_why *const why = view->state->why;
    const struct ui_button stages = {.label = "Its stages", .tip = "How this head computes α"},
                           all = {.label = "All heads",
                                  .tip = "Which heads copy, and the strongest lines between them"};
    const float wide = ui_button_width(view->ui, stages.label),
                back = ui_button_width(view->ui, all.label);
    const struct rect place = {area.x + area.w - EDGE - wide, area.y + 10, wide, HIGH};
    const struct rect before = {place.x - GAP - back, place.y, back, HIGH};
    if (why != NULL && ui_button(view->ui, "its stages", place, &stages)) {
        why_act(view, why, VIEW_LEARN_HEAD, VIEW_HEAD_OVERVIEW_OPEN, circuit->head);
        view_action_set(view, why_returns, true);
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_STAGE, .stage = LAB_SOFTMAX});
    }
    if (ui_button(view->ui, "all heads", before, &all)) {
        view_action_set(view, why_circuit, (size_t)0);
    }
}

/* ---- in words -------------------------------------------------------------------------------- */

enum { TOLD = 3 }; /* of each list, the strongest first */

static const char *number_text(double value, struct arena *arena)
{
    char number[TEXT_NUMBER_MAX];
    const char *const words = arena_words(arena, "%s", text_number(number, value, 2));
    return words == NULL ? "" : words;
}

static const char *head_text(const struct view_circuit *circuit, size_t head, struct arena *arena)
{
    const char *const name =
        arena_words(arena, "L%zuH%zu", head / circuit->heads, head % circuit->heads);
    return name == NULL ? "" : name;
}

/* "a → b 1.20, c → d 0.90" */
static const char *list_pairs(const struct view_circuit_pair *pair, size_t count,
                              struct arena *arena)
{
    const char *list = "";
    for (size_t p = 0; list != NULL && p < count && p < TOLD; p++) {
        list = arena_words(arena, "%s%s%s → %s %s", list, p == 0 ? "" : ", ", pair[p].from,
                           pair[p].to, number_text(pair[p].value, arena));
    }
    return list == NULL ? "" : list;
}

/* "L0H2 → Q L1H0 0.45" */
static const char *list_lines(const struct view_circuit *circuit, struct arena *arena)
{
    const char *list = "";
    for (size_t l = 0; list != NULL && l < circuit->lines && l < TOLD; l++) {
        const struct view_circuit_line *const line = &circuit->line[l];
        list = arena_words(arena, "%s%s%s → %c %s %s", list, l == 0 ? "" : ", ",
                           head_text(circuit, line->from, arena), line->reading,
                           head_text(circuit, line->to, arena), number_text(line->value, arena));
    }
    return list == NULL ? "" : list;
}

const char *view_circuit_describe(const struct view_circuit *circuit, struct arena *arena)
{
    size_t most = 0;
    for (size_t h = 0; h < circuit->layers * circuit->heads; h++) {
        most = circuit->copying[h] > circuit->copying[most] || isnan(circuit->copying[most]) ? h
                                                                                             : most;
    }
    const char *const words =
        circuit->has_head
            ? arena_words(arena,
                          tr("%s by its weights alone, whatever the text. Which word looks at "
                             "which: %s. Which word makes which likelier: %s."),
                          head_text(circuit, circuit->head, arena),
                          list_pairs(circuit->qk, circuit->pairs, arena),
                          list_pairs(circuit->ov, circuit->pairs, arena))
            : arena_words(arena,
                          tr("%zu layers × %zu heads by their weights alone, whatever the text. In "
                             "a head: whether it copies, −1 to 1; most %s: %s. What a later head "
                             "reads most: %s."),
                          circuit->layers, circuit->heads, head_text(circuit, most, arena),
                          number_text(circuit->copying[most], arena), list_lines(circuit, arena));
    return words == NULL ? "" : words;
}

void view_circuit(struct view *view, struct rect area)
{
    const struct view_circuit *const circuit = view->state->circuit;
    view_panel(view, area, "Circuits of the weights");
    if (circuit == NULL) {
        view_notice(view, area, "There is nothing to split here",
                    "Why asks a model: Ctrl+O opens one.");
        canvas_ungroup(view->ui->canvas);
        return;
    }
    const bool leads = view->style.has_controls && circuit->has_head;
    view_panel_header(view, area, "Circuits of the weights",
                      leads ? "" : "which head reads what an earlier one writes");
    if (leads) {
        draw_ways(view, circuit, area);
    }
    const float list = fminf(LIST, area.w * SHARE);
    const struct rect side = {area.x + area.w - EDGE - list, area.y + HEADER, list,
                              area.h - HEADER - EDGE};
    struct graph graph = {.area = {area.x + EDGE + LABEL, area.y + HEADER,
                                   fmaxf(area.w - 3 * EDGE - LABEL - list, 1),
                                   fmaxf(area.h - HEADER - FOOT - EDGE, 1)}};
    graph.wide = graph.area.w / (float)circuit->heads;
    graph.high = graph.area.h / (float)circuit->layers;
    draw_legend(view, &graph);
    draw_lines(view, circuit, &graph);
    draw_nodes(view, circuit, &graph);
    if (circuit->has_head) {
        draw_pairs(view, circuit, side);
    } else {
        draw_strongest(view, circuit, side);
    }
    view_text_whole(
        view, graph.area.x, area.y + area.h - 10, FONT_WORDS, view->style.small,
        view->ui->theme->muted, CANVAS_LEFT,
        tr("In a head: whether it copies, −1 to 1. Lines: by its queries, keys, values."),
        graph.area.w);
    canvas_ungroup(view->ui->canvas);
}

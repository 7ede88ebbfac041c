/* The stage panel: headline, sentence, and the content of the present stage. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/learn.h"
#include "view/parts/morph.h"
#include "view/parts/pieces.h"
#include "view/parts/scales.h"
#include "view/parts/strips.h"
#include "view/parts/table.h"
#include "view/stage/softmax_layout.h"
#include "view/stage/tiles.h"

/* Says whether the three matrices are stacked: numbers have no room side by side, but have it below
 * each other. */
static bool waves_are_stacked(const struct view *view, float wide, float high)
{
    const float title = 76, row = 13.5f;
    const struct view_operand x = view_operand_of(view, LAB_EMBEDDINGS_X);
    const float number = view_matrix_number_width(view, &x.matrix, 2);
    return wide / (float)x.matrix.cols < number && (high - title) / (float)x.matrix.rows >= row;
}

/* Draws E + P = X, embeddings plus position waves, each as a matrix of its own. */
static void draw_waves(struct view *view, struct rect area)
{
    static const enum lab_part parts[] = {LAB_EMBEDDED, LAB_WAVES, LAB_EMBEDDINGS_X};
    static const char *const signs[] = {"", "+", "="};
    static const char *const formulas[] = {"the embeddings", "waves of their places",
                                           "what is projected"};
    const float gap = 30, air = 6, words = fminf(90, area.w * 0.14f);
    const float wide = (area.w - words - 2 * gap) / 3;
    const bool stacked = waves_are_stacked(view, wide, (area.h - 2 * air) / 3);
    float x = area.x;
    for (size_t p = 0; p < 3; p++) {
        struct view_table table = {.operand = view_operand_of(view, parts[p]),
                                   .column_numbers = true,
                                   .formula = formulas[p],
                                   .cell_wide = 62,
                                   .cell_high = 42,
                                   .done = view_done(view),
                                   .id = ui_id_number(view->ui, "waves", p)};
        table.row_words = p == 0 || stacked ? lab_trace_queries(view->trace) : NULL;
        table.column_words = table.operand.matrix.column_words;
        table.operand.editable = parts[p] == LAB_EMBEDDINGS_X;
        table.operand.row = view_chosen(view, view->selection.query);
        const float w = wide + (p == 0 ? words : 0);
        const float high = (area.h - 2 * air) / 3;
        const struct rect place =
            stacked ? (struct rect){area.x, area.y + (float)p * (high + air), area.w, high}
                    : (struct rect){x, area.y, w, area.h};
        const struct view_table_answer answer = view_table_draw(view, &table, place);
        if (p > 0 && answer.cells.w > 0) {
            canvas_text(view->ui->canvas, answer.cells.x - (stacked ? words : gap) / 2,
                        stacked ? answer.cells.y - 12 : answer.cells.y + answer.cells.h / 2 + 6,
                        FONT_WORDS, UI_TEXT_TITLE, view->ui->theme->muted, CANVAS_CENTRE, signs[p]);
        }
        if (answer.hit.hover || answer.hit.clicked) {
            struct lab_selection to = view->selection;
            to.query = answer.hit.row;
            to.channel = answer.hit.column;
            view_choose(view, VIEW_QUERY | VIEW_CHANNEL, to, answer.hit.clicked);
        }
        x += w + gap;
    }
}

/* Draws the residual stream that X is computed from, if the model knows it and its tokens are
 * unchanged. False: it is not known, or X is the stream itself. */
static bool draw_stream(struct view *view, struct rect area)
{
    const struct lab_block_step *const norm = view_block_norm(view);
    const struct view_head_overview *const head_overview = view->state->head_overview;
    struct view_table table = {.operand = view_operand_of(view, LAB_EMBEDDINGS_X),
                               .column_numbers = true,
                               .formula = norm == NULL || norm->centred ? "before layer norm 1"
                                                                        : "before the RMS norm",
                               .label = "Residual stream",
                               .cell_wide = 66,
                               .cell_high = 46,
                               .done = 1,
                               .id = ui_id(view->ui, "stream")};
    struct lab_matrix *const matrix = &table.operand.matrix;
    if (head_overview == NULL || head_overview->stream == NULL || view->experiment->layers == 0 ||
        (view_block_known(view) != NULL && norm == NULL) ||
        view->experiment->layer != head_overview->layer ||
        head_overview->stream_rows != matrix->rows || head_overview->stream_cols != matrix->cols) {
        return false;
    }
    matrix->name = "stream";
    matrix->values = head_overview->stream;
    matrix->stride = head_overview->stream_cols;
    table.operand.title = "stream";
    table.operand.tip = "The residual stream: what all layers before have added up for every word";
    table.operand.editable = false;
    table.operand.derived = true;
    table.row_words = matrix->row_words;
    table.column_words = matrix->column_words;
    table.operand.row = view_chosen(view, view->selection.query);
    const struct view_matrix_hit hit = view_table_draw(view, &table, area).hit;
    if (hit.clicked) { /* no hover: the formula strip explains X only */
        struct lab_selection to = view->selection;
        to.query = hit.row;
        to.channel = hit.column;
        view_choose(view, VIEW_QUERY | VIEW_CHANNEL, to, true);
    }
    return true;
}

void view_stage_embed(struct view *view, struct rect area)
{
    const float half = (area.w - 16) / 2;
    if (draw_stream(view, (struct rect){area.x, area.y, half, area.h})) {
        area.x += half + 16;
        area.w = half;
    }
    if (lab_trace_part(view->trace, LAB_WAVES, 0).values != NULL) {
        draw_waves(view, area);
        return;
    }
    struct view_table table = {.operand = view_operand_of(view, LAB_EMBEDDINGS_X),
                               .column_numbers = true,
                               .cell_wide = 104,
                               .cell_high = 46,
                               .done = view_done(view),
                               .id = ui_id(view->ui, "X")};
    if (table.operand.matrix.values == NULL) {
        view_notice(view, area, "Nothing to embed here",
                    "This lesson gives Q, K and V themselves. Go on to Score.");
        return;
    }
    table.row_words = table.operand.matrix.row_words;
    table.column_words = table.operand.matrix.column_words;
    table.operand.row = view_chosen(view, view->selection.query);
    const struct view_table_answer answer = view_table_draw(view, &table, area);
    if (answer.hit.hover || answer.hit.clicked) {
        struct lab_selection to = view->selection;
        to.query = answer.hit.row;
        to.channel = answer.hit.column;
        view_choose(view, VIEW_QUERY | VIEW_CHANNEL, to, answer.hit.clicked);
    }
}

/* The product left · upper = result, with the chosen row of the queries and a chosen column in its
 * role's colour. */
static struct view_product make_product(const struct view *view, enum lab_part left,
                                        struct view_operand upper, enum lab_part result,
                                        size_t column, struct colour column_colour)
{
    struct view_product product = {.left = view_operand_of(view, left),
                                   .row_words = lab_trace_queries(view->trace),
                                   .row = view_chosen(view, view->selection.query),
                                   .row_colour = view->ui->theme->query,
                                   .blocks = 1,
                                   .done = view_done(view)};
    struct view_block *block = &product.block[0];
    block->upper = upper;
    block->result = view_operand_of(view, result);
    block->column_words = block->result.matrix.column_words;
    block->column = view_chosen(view, column);
    block->column_colour = column_colour;
    product.left.row = product.row;
    block->upper.column = block->column;
    block->upper.column_colour = column_colour;
    block->result.row = product.row;
    block->result.column = block->column;
    block->result.cell = true;
    block->result.discs = result == LAB_SCORES && view->state->prefs.display.discs;
    return product;
}

void view_stage_score(struct view *view, struct rect area)
{
    const struct lab_graph *const graph = lab_trace_graph(view->trace);
    const enum lab_part keys = lab_graph_keys(graph);
    struct view_operand upper = view_operand_of(view, keys);
    upper.title = arena_words(view->arena, "%sᵀ", lab_node_row(keys)->symbol);
    upper.transposed = true;
    struct view_product product = make_product(view, lab_graph_queries(graph), upper, LAB_SCORES,
                                               view->selection.key, view->ui->theme->key);
    product.block[0].column_words = lab_trace_keys(view->trace);
    product.inner_words = upper.matrix.column_words;
    const struct view_product_hit hit = view_product_draw(view, &product, area);
    static const unsigned parts[] = {[VIEW_PART_NONE] = 0,
                                     [VIEW_PART_LEFT] = VIEW_QUERY,
                                     [VIEW_PART_UPPER] = VIEW_KEY,
                                     [VIEW_PART_RESULT] = VIEW_QUERY | VIEW_KEY};
    if (hit.part != VIEW_PART_NONE) {
        struct lab_selection to = view->selection;
        to.query = hit.row;
        to.key = hit.column;
        view_choose(view, parts[hit.part], to, hit.clicked);
    }
}

void view_stage_blend(struct view *view, struct rect area)
{
    struct view_product product = make_product(view, LAB_ALPHA, view_operand_of(view, LAB_V), LAB_Z,
                                               view->selection.channel, view->ui->theme->value);
    product.inner_words = lab_trace_keys(view->trace);
    product.words_over_left = true;
    product.left_column = view_chosen(view, view->selection.key);
    product.left_colour = view->ui->theme->key;
    product.sums = true;
    product.block[0].column_words = product.block[0].upper.matrix.column_words;
    const struct view_product_hit hit = view_product_draw(view, &product, area);
    if (hit.part == VIEW_PART_NONE) {
        return;
    }
    struct lab_selection to = view->selection;
    unsigned parts = VIEW_QUERY | VIEW_CHANNEL;
    if (hit.part == VIEW_PART_LEFT) {
        to.query = hit.row;
        to.key = hit.column;
        parts = VIEW_QUERY | VIEW_KEY;
    } else if (hit.part == VIEW_PART_UPPER) {
        to.key = hit.row;
        to.channel = hit.column;
        parts = VIEW_KEY | VIEW_CHANNEL;
    } else {
        to.query = hit.row;
        to.channel = hit.column;
    }
    view_choose(view, parts, to, hit.clicked);
}

/* Draws the input plus the output of attention, level with the rows that have labels. */
static void draw_residual(struct view *view, struct rect area, struct rect level)
{
    struct view_table table = {.operand = view_operand_of(view, LAB_RESIDUAL),
                               .column_numbers = true,
                               .formula = "what came in, and what is added",
                               .cell_wide = 66,
                               .cell_high = 44,
                               .level = level,
                               .done = view_done(view),
                               .id = ui_id(view->ui, "residual")};
    table.column_words = table.operand.matrix.column_words;
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column = view_chosen(view, view->selection.channel);
    table.operand.cell = true;
    const struct view_matrix_hit hit = view_table_draw(view, &table, area).hit;
    if (hit.hover || hit.clicked) {
        struct lab_selection to = view->selection;
        to.query = hit.row;
        to.channel = hit.column;
        to.form = LAB_RESIDUAL;
        view_choose(view, VIEW_QUERY | VIEW_CHANNEL | VIEW_FORM, to, hit.clicked);
    }
}

void view_stage_output(struct view *view, struct rect area)
{
    if (lab_trace_part(view->trace, LAB_OUTPUT_O, 0).values == NULL) {
        view_notice(view, area, "Z is the output here",
                    "This lesson gives Q, K and V themselves, so there is no output projection. "
                    "Its result is Z, at the stage Blend.");
        return;
    }
    const bool adds = lab_trace_part(view->trace, LAB_RESIDUAL, 0).values != NULL;
    const float beside = adds ? area.w * 0.27f : 0, gap = adds ? 12 : 0;
    const struct view_product product =
        make_product(view, LAB_CONCAT, view_operand_of(view, LAB_W_O), LAB_OUTPUT_O,
                     view->selection.channel, view->ui->theme->output);
    const struct view_product_hit hit = view_product_draw(
        view, &product, (struct rect){area.x, area.y, area.w - beside - gap, area.h});
    if (adds) {
        draw_residual(view, (struct rect){area.x + area.w - beside, area.y, beside, area.h},
                      hit.rows);
    }
    if (hit.part == VIEW_PART_NONE) {
        return;
    }
    struct lab_selection to = view->selection;
    static const unsigned parts[] = {[VIEW_PART_LEFT] = VIEW_QUERY,
                                     [VIEW_PART_UPPER] = VIEW_CHANNEL,
                                     [VIEW_PART_RESULT] = VIEW_QUERY | VIEW_CHANNEL};
    to.query = hit.row;
    to.channel = hit.column;
    view_choose(view, parts[hit.part], to, hit.clicked);
}

static void (*const stages[LAB_STAGES])(struct view *view, struct rect area) = {
    [LAB_EMBED] = view_stage_embed,     [LAB_PROJECT] = view_stage_project,
    [LAB_SCORE] = view_stage_score,     [LAB_SCALE] = view_stage_scale,
    [LAB_SOFTMAX] = view_stage_softmax, [LAB_BLEND] = view_stage_blend,
    [LAB_OUTPUT] = view_stage_output,
};

void view_stage_picture(struct view *view, struct rect area)
{
    stages[view->state->playback.stage](view, area);
}

/* Draws the stage's content and, if it shows weights, the note on what is set aside. */
static void draw_stage_content(struct view *view, struct rect body)
{
    const enum lab_stage stage = view->state->playback.stage;
    if (stage == LAB_SOFTMAX || stage == LAB_BLEND) {
        const float note = view_aside_height(view);
        body.h -= note;
        view_aside_note(view, (struct rect){body.x, body.y + body.h, body.w, note}, true);
    }
    if (view->state->prefs.display.change && view_change_is_there(view)) {
        view_change(view, body);
    } else if (!view_learned_instead(view, body)) {
        view_morph_draw(view, body, stages);
    }
}

static void draw_empty(struct view *view, struct rect inner)
{
    const struct lab_words *const wanted = view->pending != NULL ? view->pending->tokens : NULL;
    if (view_is_computing(view) && lab_words_count(wanted) > 0) {
        view_notice(view, inner, "Computing",
                    arena_words(view->arena, tr("The numbers of %zu words stand here soon."),
                                lab_words_count(wanted)));
    } else if (view->why != NULL) {
        view_notice(view, inner, "This cannot be computed", view->why);
    } else {
        view_notice(
            view, inner, "No tokens yet",
            "Type a few words into the field at the top, with a space after each, or choose "
            "a lesson at its left.");
    }
}

/* The headline, which names layer and head in a model: "L4H6 · Softmax". */
static const char *stage_headline(struct view *view, enum lab_stage stage)
{
    const char *const text =
        view->experiment->layers == 0 || view->state->learn != NULL
            ? NULL
            : arena_format(view->arena, "L%zuH%zu%s · %s", view->experiment->layer,
                           view->selection.head,
                           view_head_is_off(view, view->selection.head) ? tr(" · off") : "",
                           tr(lab_stage_title(
                               view->trace == NULL ? NULL : lab_trace_graph(view->trace), stage)));
    return text != NULL ? text
                        : lab_stage_headline(
                              view->trace == NULL ? NULL : lab_trace_graph(view->trace), stage);
}

/* Says how the chosen row of weights differs from shares that sum to 1; NULL: it does not. */
static const char *odd_row_sentence(struct view *view)
{
    const enum lab_stage stage = view->state->playback.stage;
    const size_t query = view->selection.query;
    const struct lab_matrix alpha = lab_trace_part(view->trace, LAB_ALPHA, view->selection.head);
    double sum = 0;
    bool positive = true;
    if ((stage != LAB_SOFTMAX && stage != LAB_BLEND) || view->is_signed || query >= alpha.rows) {
        return NULL;
    }
    for (size_t j = 0; j < alpha.cols; j++) {
        sum += (double)lab_matrix_at(&alpha, query, j);
        positive &= !(lab_matrix_at(&alpha, query, j) < 0);
    }
    if (!isfinite(sum) || (positive && fabs(sum - 1) < 0.0005)) {
        return NULL;
    }
    char number[TEXT_NUMBER_MAX];
    const char *const word = lab_quoted(view->arena, lab_trace_queries(view->trace)[query]);
    const double sink = lab_trace_sink_share(view->trace, view->selection.head, query);
    if (sink > 0 && fabs(sum + sink - 1) < 0.0005) {
        return arena_format(view->arena,
                            "The words of the row of %s share %s: a sink takes the rest, and gives "
                            "no value.",
                            word, text_number(number, sum, 3));
    }
    const char *const format =
        !positive
            ? tr("The row of %s sums to %s and has negative weights: they are no shares, and its "
                 "output may lie outside the hull of the values.")
        : stage == LAB_SOFTMAX
            ? tr("The row of %s sums to %s, not to 1: these are no shares of one cake.")
            : tr("The row of %s sums to %s, not to 1: its output is no average, and may lie "
                 "outside "
                 "the hull of the values.");
    return arena_format(view->arena, format, word, text_number(number, sum, 3));
}

/* Says what the heads see of the residual stream. */
static const char *embed_sentence(struct view *view, size_t layer)
{
    const struct lab_block_step *const norm = view_block_norm(view);
    const char *const format =
        view_block_known(view) == NULL || lab_trace_sizes(view->trace).cross
            ? tr("X is the residual stream as the heads of L%zu see it.")
        : norm == NULL  ? tr("X is the residual stream: no norm stands before the heads of L%zu.")
        : norm->centred ? tr("X is the residual stream after layer norm 1 of L%zu.")
                        : tr("X is the residual stream after the RMS norm before the heads of "
                             "L%zu.");
    return arena_format(view->arena, format, layer);
}

/* The sentence below the headline: in a model it says where X comes from and where O goes. */
static const char *stage_sentence(struct view *view)
{
    const enum lab_stage stage = view->state->playback.stage;
    const size_t layer = view->experiment->layer;
    const char *text = NULL;
    if (view->state->learn != NULL && view->state->learn->sentence != NULL) {
        return view->state->learn->sentence;
    }
    if (stage > LAB_EMBED && stage < LAB_OUTPUT && view_head_is_off(view, view->selection.head)) {
        return "This head is switched off: what it would make of the words; none of it reaches "
               "them.";
    }
    if (view_block_way(view) != NULL) {
        return view_block_way_sentence(view);
    }
    if (view->experiment->layers > 0 && !lab_trace_sizes(view->trace).raw) {
        text = stage == LAB_EMBED ? embed_sentence(view, layer)
               : stage == LAB_OUTPUT
                   ? arena_format(view->arena,
                                  "Mix the heads by W_O. O is added to the residual stream of "
                                  "L%zu.",
                                  layer)
                   : NULL;
    }
    text = text != NULL ? text : odd_row_sentence(view);
    return text != NULL ? text : lab_stage_sentence(lab_trace_graph(view->trace), stage);
}

/* The width of the switches at the right of the headline, in the present language. */
static float compare_width(const struct view *view)
{
    return view->baseline != NULL ? 292 : fmaxf(84, ui_button_width(view->ui, "Compare")) + 4;
}

static float change_width(const struct view *view)
{
    return fmaxf(76, ui_button_width(view->ui, "What changed"));
}

/* The height at which the rows of Blend have numbers. */
static float height_for_blend(const struct view *view)
{
    const float row = 13.5f, around = 96;
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    return around + row * (float)(sizes.n + sizes.m);
}

/* Says whether something of this height gives way because numbers below it need its room. */
static bool makes_room_for_numbers(const struct view *view, struct rect body, float high)
{
    const float left = body.h - high;
    switch (view->state->playback.stage) {
    case LAB_SOFTMAX:
        return softmax_needs(view, body, high, SOFTMAX_NUMBERS);
    case LAB_BLEND:
        return left < height_for_blend(view) && left + high > 0.85f * height_for_blend(view);
    default:
        return false;
    }
}

/* Says whether the toolbar, whose commands have keys too, gives way in the body that holds it. */
static bool is_without_toolbar(const struct view *view, struct rect body, float bar)
{
    static const float OF_BODY = 0.25f;
    const bool both = view->state->playback.stage == LAB_SOFTMAX && !view->style.is_far;
    return bar >= OF_BODY * body.h || makes_room_for_numbers(view, body, bar) ||
           (both && softmax_needs(view, body, bar, SOFTMAX_BOTH));
}

/* The headline, cut at its colon if there is no room: "Softmax" of "Softmax: scores become shares".
 */
static const char *shortened_headline(struct view *view, const char *headline, float room)
{
    static const char *const colons[] = {":", "："};
    const char *const text = tr(headline);
    for (size_t c = 0; c < sizeof colons / sizeof *colons; c++) {
        const char *const colon = strstr(text, colons[c]);
        if (colon != NULL && view->style.has_controls &&
            canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_TITLE, text) > room) {
            const char *const name = arena_format(view->arena, "%.*s", (int)(colon - text), text);
            return name != NULL ? name : text;
        }
    }
    return text;
}

/* Draws headline and sentence, or those that were asked for in their place. Returns their height.
 */
static float draw_heading(struct view *view, struct rect area, struct rect inner,
                          const char *headline, const char *sentence)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    headline = view_own_title(view, headline);
    const struct rect below = {inner.x, area.y + 56, inner.w, area.h - 74}; /* of a brief header */
    const bool crowded =
        view->style.has_controls && ((view->baseline != NULL && area.h < 260) ||
                                     (area.h < 400 && makes_room_for_numbers(view, below, 18)));
    sentence = crowded ? NULL : view_own_caption(view, sentence);
    const float air = area.h > 300 ? 24 : 10; /* air */
    const bool switches = !view->state->prefs.display.flow && view_change_may_compare(view);
    const float taken = !view->style.has_controls
                            ? 0
                            : compare_width(view) + (view->baseline != NULL ? 8 : 2) +
                                  (switches && inner.w > 460 ? change_width(view) + 4 : 0);
    if (headline != NULL) {
        canvas_text_cut(canvas, inner.x, area.y + 30, FONT_WORDS_BOLD, UI_TEXT_TITLE, theme->ink,
                        CANVAS_LEFT, shortened_headline(view, headline, inner.w - taken),
                        inner.w - taken);
    }
    const float raised = headline == NULL && !view->style.has_controls
                             ? 22
                             : 0; /* no gap where the headline would be */
    if (sentence == NULL) {
        return headline == NULL && !view->style.has_controls ? 20 : 34 + air;
    }
    if (!view->style.has_controls &&
        view->state->frame.caption != NULL) { /* a caption as long as it was written */
        const float more = view_wrapped(view, inner.x, area.y + 52 - raised, inner.w, UI_TEXT_SMALL,
                                        theme->muted, sentence);
        return 52 + air - raised + more - UI_TEXT_SMALL * 1.5f;
    }
    view_text_fitted(view, (struct point){inner.x, area.y + 52 - raised}, UI_TEXT_SMALL,
                     CANVAS_LEFT, sentence, inner.w);
    return 52 + air - raised;
}

/* The same for a stage of products, with only a few rows of operands that are too high to be read.
 */
static float height_for_matrices(const struct view *view)
{
    enum { TALLEST = 16, LITTLE = 6 };
    const float row = 13.5f, around = 96, tabs = 34;
    const enum lab_stage stage = view->state->playback.stage;
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const size_t above = stage == LAB_PROJECT  ? sizes.d_model
                         : stage == LAB_SCORE  ? sizes.d_k
                         : stage == LAB_BLEND  ? sizes.m
                         : stage == LAB_OUTPUT ? sizes.heads * sizes.d_v
                                               : 0;
    const size_t rows = sizes.n + (above > TALLEST ? LITTLE : above);
    return stage == LAB_SOFTMAX || sizes.n > TALLEST
               ? 0
               : around + row * (float)rows +
                     (stage == LAB_PROJECT || stage == LAB_SCALE ? tabs : 0);
}

/* Says whether the header, which repeats the ribbon, gives way to the numbers: in a low area of the
 * presenter view or of a small window, and above a flow in presenter mode. */
static bool is_without_header(const struct view *view, struct rect area)
{
    static const float HEADING = 76, LOW = 400;
    const float scarce = view_length(view, (struct view_length){220, 420});
    if (!view->style.has_controls || view->baseline != NULL) {
        return false;
    }
    return view->state->prefs.display.flow
               ? view->style.is_far
               : area.h < scarce || (area.h < LOW && area.h - HEADING < height_for_matrices(view));
}

/* Draws headline, sentence and switches. Returns their height. */
static float draw_header(struct view *view, struct rect area, struct rect inner)
{
    const bool flow = view->state->prefs.display.flow;
    const bool tiles = view_tiles_are_shown(view->trace, view->state->playback.stage);
    const char *headline = flow    ? tr("The whole flow")
                           : tiles ? tr("Flash: tile by tile")
                                   : stage_headline(view, view->state->playback.stage);
    const char *sentence =
        view_is_computing(view)
            ? tr("Computing what the settings say; until then this is the result before.")
        : flow && !view->style.has_controls ? tr("From the words to the output.")
        : flow  ? tr("From the words to the output; click a matrix to go to its stage.")
        : tiles ? tr("Scores, softmax and blend in one go, a tile at a time: all that "
                     "is kept of a row is m, l and O.")
                : stage_sentence(view);
    const float taken = draw_heading(view, area, inner, headline, sentence);
    view_compare_switch(view, (struct rect){inner.x, area.y + 12, inner.w, 28});
    const float change = change_width(view);
    if (!flow && inner.w > 460 && view_change_may_compare(view)) {
        view_change_switch(view, (struct rect){inner.x + inner.w - compare_width(view) - change - 8,
                                               area.y + 12, change, 28});
    }
    return taken;
}

/* The top of the scales: at the bottom of the panel, or in a figure right below the drawing, which
 * may be cropped. */
static float scales_top(const struct view *view, struct rect area)
{
    const float lowest = area.y + area.h - 15;
    const struct rect seen = canvas_content(view->ui->canvas);
    return !view->style.has_controls ? fminf(lowest, seen.y + seen.h + 6) : lowest;
}

static void draw_stage(struct view *view, struct rect area, struct rect inner)
{
    const float edge = !view->style.has_controls ? 24 : 16;
    const float air = 8; /* between the last row and the scales */
    const bool tiles = view_tiles_are_shown(view->trace, view->state->playback.stage);
    const bool headless = is_without_header(view, area);
    const bool scales = view_scales_are_there(view) &&
                        (area.h > 420 || view->style.is_far || !view->style.has_cards);
    if (view_block_shown(view) != NULL) {
        const float head =
            draw_heading(view, area, inner, view_block_title(view), view_block_sentence(view));
        view_block(view, (struct rect){inner.x, area.y + head, inner.w, area.h - head - edge});
        return;
    }
    if (view_loss_shown(view)) {
        const float head =
            draw_heading(view, area, inner, view_loss_title(view), view_loss_sentence(view));
        view_loss(view, (struct rect){inner.x, area.y + head, inner.w, area.h - head - edge});
        return;
    }
    const float top = headless ? edge - 2 : draw_header(view, area, inner);
    const bool filled = headless || view->style.is_far; /* fills all the height */
    const float foot = filled && scales ? edge + air : edge;
    struct rect body = {inner.x, area.y + top, inner.w, area.h - top - foot};
    const float bar = tiles ? 0 : view_edit_toolbar_height(view);
    if (bar > 0 && !is_without_toolbar(view, body, bar)) {
        view_edit_toolbar(view, body);
        body.h -= bar;
    }
    if (view->state->prefs.display.flow) {
        view_flow(view, body);
    } else if (view->baseline != NULL && view->state->compare != VIEW_COMPARE_NOT) {
        view_compare(view, body);
    } else if (view_block_way(view) != NULL) {
        const float taken = view_block_way_tabs(view, body);
        view_block_way_steps(view, (struct rect){body.x, body.y + taken, body.w, body.h - taken});
    } else if (lab_trace_lacks(view->trace, view->state->playback.stage) != NULL) {
        view_notice(view, body, "This is not known here",
                    lab_trace_lacks(view->trace, view->state->playback.stage));
    } else if (tiles) {
        view_stage_tiles(view, body);
    } else {
        draw_stage_content(view, body);
        if (scales) {
            view_scales(view, (struct rect){inner.x, scales_top(view, area), inner.w, 12});
        }
    }
}

void view_stage(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct rect inner = view_panel(view, area, "Stage");
    canvas_clip(canvas, area);
    view->drawn = 0;
    ui_push(view->ui, "stage");
    if (view->trace == NULL) {
        draw_empty(view, inner);
    } else {
        draw_stage(view, area, inner);
    }
    ui_pop(view->ui);
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

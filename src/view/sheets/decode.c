/* Decoding with a cache: for a new token one row is computed, and keys and values of the others are
 * cached; without a cache everything is computed again. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/run/cache.h"
#include "lab/run/flash.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float WIDE = 1000, HIGH = 720, EDGE = 24, HEAD = 70, FOOT = 150, GAP = 26;
static const float TITLE = 40;                                        /* height above the cells */
static const float CELL = 46, ROW = 30;                               /* limits of a cell */
static const float EVEN_CELL = 20, FIGURE_CELL = 72, FIGURE_ROW = 40; /* of a figure */
static const float NUMBER_HIGH = 15;          /* lowest cell with a number */
static const float LABEL = 224, AMOUNT = 130; /* widths beside a bar */

struct context {
    struct lab_sizes sizes;
    size_t tokens; /* so far; the last one is new */
    bool off;      /* without a cache */
    struct lab_matrix alpha, keys, values;
    float down; /* height of a row in all matrices */
};

enum state { ROW_TO_COME, ROW_CACHED, ROW_COMPUTED };

static enum state row_state(const struct context *context, size_t row)
{
    return row >= context->tokens       ? ROW_TO_COME
           : row + 1 == context->tokens ? ROW_COMPUTED
           : context->off               ? ROW_COMPUTED
                                        : ROW_CACHED;
}

static void draw_number(struct view *view, struct rect cell, float value, int decimals,
                        struct colour ink)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)value, decimals);
    const float wide = canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, tr(text));
    if (cell.h >= NUMBER_HIGH && wide + 4 <= cell.w) {
        canvas_text(view->ui->canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + 4, FONT_NUMBERS,
                    UI_TEXT_TINY, ink, CANVAS_CENTRE, tr(text));
    }
}

static void draw_cell(struct view *view, struct rect cell, struct colour fill)
{
    const bool apart = cell.w > 9 && cell.h > 9;
    canvas_rect(view->ui->canvas, apart ? rect_inset(cell, 1) : cell, apart ? 3 : 0,
                &(struct paint){.fill = fill, .crisp = !apart});
}

/* Draws the weights: the row of the new token with its numbers; former rows are no longer kept. */
static void draw_weights(struct view *view, const struct context *context, struct rect cells)
{
    const struct ui_theme *theme = view->ui->theme;
    const float across = cells.w / (float)context->sizes.m;
    for (size_t i = 0; i < context->sizes.n; i++) {
        const enum state state = row_state(context, i);
        for (size_t j = 0; j < context->sizes.m; j++) {
            const struct rect cell = {cells.x + (float)j * across,
                                      cells.y + (float)i * context->down, across, context->down};
            const bool seen = lab_trace_sees(view->trace, i, j);
            const float share = lab_matrix_at(&context->alpha, i, j);
            const struct colour fill =
                state == ROW_COMPUTED && seen
                    ? colourmap_colour(view->share_map, share / view->share_top)
                : state == ROW_CACHED && seen ? theme->line
                : seen                        ? theme->control
                                              : theme->ground;
            draw_cell(view, cell, fill);
            if (state == ROW_COMPUTED && seen) {
                draw_number(view, cell, share, 2, colour_ink_on(fill));
            }
        }
    }
}

/* Draws keys, values or latent rows: those in the cache, those that were just computed, and the
 * places of those to come. */
static void draw_rows(struct view *view, const struct context *context,
                      const struct lab_matrix *matrix, struct rect cells)
{
    const struct ui_theme *theme = view->ui->theme;
    const float across = cells.w / (float)matrix->cols, peak = lab_measure_peak(matrix);
    const bool read = view_matrix_number_width(view, matrix, 2) - 6 <= across;
    for (size_t i = 0; i < context->sizes.n; i++) {
        for (size_t c = 0; c < matrix->cols; c++) {
            const struct rect cell = {cells.x + (float)c * across,
                                      cells.y + (float)i * context->down, across, context->down};
            if (row_state(context, i) == ROW_TO_COME) {
                draw_cell(view, cell, theme->control);
                continue;
            }
            const float value = lab_matrix_at(matrix, i, c);
            const struct colour fill = colourmap_colour(
                view->state->prefs.signed_map, peak > 0 ? 0.5f + 0.5f * value / peak : 0.5f);
            draw_cell(view, cell, fill);
            if (read) {
                draw_number(view, cell, value, 2, colour_ink_on(fill));
            }
        }
    }
    const size_t from = context->off ? 0 : context->tokens - 1;
    const struct rect fresh = {cells.x, cells.y + (float)from * context->down, cells.w,
                               (float)(context->tokens - from) * context->down};
    canvas_rect(view->ui->canvas, rect_inset(fresh, -2), 5,
                &(struct paint){.stroke = theme->accent, .width = 2});
}

static void draw_matrix_title(struct view *view, struct rect cells, const char *title,
                              const char *sentence, struct colour colour, float room)
{
    view_text_whole(view, cells.x, cells.y - 22, FONT_WORDS_BOLD, UI_TEXT_BODY, colour, CANVAS_LEFT,
                    tr(title), room);
    view_text_whole(view, cells.x, cells.y - 7, FONT_WORDS, UI_TEXT_TINY, view->ui->theme->muted,
                    CANVAS_LEFT, tr(sentence), room);
}

/* The places of the cells, and the widths of the titles above them. */
struct places {
    struct rect weights, keys, values;
    float words; /* width of the names of rows */
    float alpha_title, keys_title, values_title;
};

/* Three columns of one width. In a figure of few columns no room stays empty: all cells are of one
 * width, as large as fits. */
static struct places place_matrices(const struct view *view, struct context *context,
                                    struct rect area)
{
    const bool latent = lab_graph_caches_latent(lab_trace_graph(view->trace));
    const float n = (float)context->sizes.n, top = area.y + TITLE;
    const float m = (float)context->sizes.m, k = (float)context->keys.cols;
    const float v = latent ? 0 : (float)context->values.cols;
    struct places at = {.words =
                            14 + view_words_width(view, lab_trace_queries(view->trace),
                                                  context->sizes.n, fminf(110, area.w * 0.14f))};
    const float all = area.w - at.words - (latent ? 1 : 2) * GAP;
    const bool is_even = !view->style.has_controls && all / (m + k + v) >= EVEN_CELL;
    const float third = (area.w - at.words - 2 * GAP) / 3;
    const float cell = is_even ? fminf(all / (m + k + v), FIGURE_CELL) : CELL;
    const float room = is_even ? all : third;
    const float row = is_even ? fminf(cell, FIGURE_ROW) : ROW * view_growth(area);
    context->down = fminf(row, (area.h - TITLE) / n);
    const float high = n * context->down;
    at.weights = (struct rect){area.x + at.words, top, fminf(room, cell * m), high};
    const float keys = is_even ? at.weights.w : third;
    const float keys_room = latent && !is_even ? 2 * third + GAP : room;
    at.keys = (struct rect){at.weights.x + keys + GAP, top, fminf(keys_room, cell * k), high};
    const float values = is_even ? at.keys.w : third;
    at.values = (struct rect){at.keys.x + values + GAP, top, fminf(room, cell * v), high};
    at.alpha_title = is_even ? at.weights.w + GAP - 8 : third;
    at.keys_title = is_even && !latent ? at.keys.w + GAP - 8 : fmaxf(at.keys.w, third);
    at.values_title = is_even ? area.x + area.w - at.values.x : third;
    return at;
}

/* Draws the matrices from left to right: weights, then what is cached of every token. Returns where
 * they end. */
static float draw_matrices(struct view *view, struct context *context, struct rect area)
{
    const struct ui_theme *theme = view->ui->theme;
    const bool latent = lab_graph_caches_latent(lab_trace_graph(view->trace));
    const struct places at = place_matrices(view, context, area);
    draw_matrix_title(view, at.weights, "α",
                      context->off ? tr("every row is computed again") : tr("one row is computed"),
                      theme->query, at.alpha_title);
    draw_weights(view, context, at.weights);
    view_words_of_rows(view, &(struct view_words){.words = lab_trace_queries(view->trace),
                                                  .count = context->sizes.n,
                                                  .from = at.weights.y,
                                                  .step = context->down,
                                                  .at = at.weights.x - 8,
                                                  .room = at.words - 10,
                                                  .anchor = CANVAS_RIGHT,
                                                  .chosen = (long)context->tokens - 1,
                                                  .colour = theme->query});
    const char *const stays =
        context->off ? tr("all rows are made again") : tr("one row more, the rest stays");
    draw_matrix_title(view, at.keys, latent ? tr("C, the latent") : "K", stays,
                      latent ? theme->value : theme->key, at.keys_title);
    draw_rows(view, context, &context->keys, at.keys);
    if (!latent) {
        draw_matrix_title(view, at.values, "V", stays, theme->value, at.values_title);
        draw_rows(view, context, &context->values, at.values);
    }
    return at.weights.y + at.weights.h;
}

/* Draws what this token costs as bars, and the sums over all tokens so far. */
static void draw_counts(struct view *view, const struct context *context, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_graph *const graph = lab_trace_graph(view->trace);
    const struct lab_mask_rule mask = lab_experiment_mask(view->experiment);
    const struct lab_cache_step now = lab_cache_step(graph, &mask, context->tokens);
    const size_t before = context->tokens - 1;
    size_t all_with = 0, all_without = 0;
    for (size_t t = 1; t <= context->tokens; t++) {
        const struct lab_cache_step step = lab_cache_step(graph, &mask, t);
        all_with += step.with_cache;
        all_without += step.without;
    }
    const struct {
        const char *name;
        size_t count;
        struct colour colour;
    } bars[] = {
        {"prefill: the words before, at once",
         before == 0 ? 0 : lab_cache_step(graph, &mask, before).without, theme->faint},
        {"this word, with the cache", now.with_cache, theme->accent},
        {"this word, cache off", now.without, theme->key},
    };
    const double largest = fmax(1, fmax((double)bars[0].count, (double)bars[2].count));
    const float track = fmaxf(area.w - LABEL - AMOUNT, 10);
    canvas_text(canvas, area.x, area.y + 10, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink,
                CANVAS_LEFT, tr("Multiplications"));
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        const float y = area.y + 20 + (float)i * 20;
        const float wide = fmaxf(1, track * (float)((double)bars[i].count / largest));
        view_text_whole(view, area.x, y + 13, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT,
                        tr(bars[i].name), LABEL - 8);
        canvas_rect(canvas, (struct rect){area.x + LABEL, y + 4, wide, 10}, 3,
                    &(struct paint){.fill = bars[i].colour});
        char count[TEXT_NUMBER_MAX];
        const char *const text = text_count(count, bars[i].count);
        canvas_text(canvas, area.x + LABEL + wide + 8, y + 13, FONT_NUMBERS, UI_TEXT_SMALL,
                    theme->ink, CANVAS_LEFT, text);
    }
    char with[TEXT_NUMBER_MAX], without[TEXT_NUMBER_MAX], held[TEXT_NUMBER_MAX];
    char added[TEXT_NUMBER_MAX];
    const char *const sum = arena_words(
        view->arena,
        "All %zu words one by one: %s multiplications with the cache, %s without. The cache "
        "holds %s bytes; every word adds %s%s.",
        context->tokens, text_count(with, all_with), text_count(without, all_without),
        text_count(held, context->off ? 0 : now.cache_bytes), text_count(added, now.bytes_added),
        lab_graph_caches_latent(graph) ? tr(": one latent row")
        : context->sizes.kv_heads == 1
            ? tr(": one key and one value")
            : arena_words(view->arena,
                          context->sizes.kv_heads == context->sizes.heads
                              ? tr(": a key and a value for each of %zu heads")
                              : tr(": a key and a value for each of %zu groups"),
                          context->sizes.kv_heads));
    view_wrapped(view, area.x, area.y + 98, area.w, UI_TEXT_SMALL, theme->ink, sum);
}

static void append_decode(struct view *view, size_t tokens, bool off)
{
    view_action_set(view, decode_tokens, tokens);
    view_action_set(view, decode_off, off);
}

/* Draws the buttons back and forward and the switch of the cache at the right of the headline. */
static void draw_controls(struct view *view, const struct context *context, struct rect line)
{
    static const char *const labels[] = {"cache on", "cache off"};
    const float high = 28;
    float x = line.x + line.w - 160;
    const size_t chosen =
        ui_tabs(view->ui, "cache", (struct rect){x, line.y, 160, high}, labels, 2, context->off);
    if (chosen < 2 && (chosen == 1) != context->off) {
        append_decode(view, context->tokens, chosen == 1);
    }
    x -= 2 * (high + 6) + 8;
    const struct {
        enum ui_icon icon;
        uint32_t key;
        const char *tip;
        size_t to;
        bool end;
    } buttons[] = {
        {UI_ICON_BACK, UI_KEY_LEFT, "A word less", context->tokens - 1, context->tokens <= 1},
        {UI_ICON_FORWARD, UI_KEY_RIGHT, "Add a word", context->tokens + 1,
         context->tokens >= context->sizes.n}};
    for (size_t i = 0; i < 2; i++) {
        const struct ui_button button = {
            .icon = buttons[i].icon, .tip = buttons[i].tip, .disabled = buttons[i].end};
        const struct rect place = {x + (float)i * (high + 6), line.y, high, high};
        const bool pressed = ui_button(view->ui, buttons[i].tip, place, &button);
        const bool has_key = !view->in_panel && ui_stroke_consumed(view->ui, 0, buttons[i].key, 0);
        if (pressed || (has_key && !buttons[i].end)) {
            append_decode(view, buttons[i].to, context->off);
        }
    }
}

static void draw_replay(struct view *view, struct rect area, struct rect line)
{
    struct context context = {.sizes = lab_trace_sizes(view->trace),
                              .off = view->state->decode_off};
    float difference = 0;
    struct error error = {0};
    if (!lab_cache_replay(view->trace, &difference, &error)) {
        view_notice(view, area, "No decoding here", error.text);
        const struct ui_button button = {.label = "Look back only",
                                         .tip =
                                             "Takes the causal mask: every word sees those before"};
        const struct rect place = {area.x + area.w / 2 - 70, area.y + area.h / 2 + 70, 140, 30};
        if (!context.sizes.cross && !context.sizes.partial &&
            view->experiment->mask != LAB_MASK_CAUSAL &&
            ui_button(view->ui, "look back", place, &button)) {
            view_action_command(view, "causal mask");
        }
        return;
    }
    const size_t token_count = view->state->decode_tokens, n = context.sizes.n;
    const size_t head = view->selection.head;
    context.tokens = token_count == 0 || token_count > n ? n : token_count;
    context.alpha = lab_trace_part(view->trace, LAB_ALPHA, head);
    const bool latent = lab_graph_caches_latent(lab_trace_graph(view->trace));
    context.keys = lab_trace_part(view->trace, latent ? LAB_C : LAB_K, head);
    context.values = lab_trace_part(view->trace, LAB_V, head);
    const char *const which =
        view->experiment->layers > 0
            ? arena_words(view->arena, "L%zuH%zu", view->experiment->layer, head)
            : arena_words(view->arena, "head %zu", head + 1);
    const char *const text = arena_words(
        view->arena, "Word %zu of %zu, “%.40s”: %s. Largest difference to all at once: %s.",
        context.tokens, n, lab_trace_queries(view->trace)[context.tokens - 1], which,
        lab_small_number(view->arena, difference));
    view_text_whole(view, area.x, line.y + 32, FONT_WORDS, UI_TEXT_SMALL, view->ui->theme->muted,
                    CANVAS_LEFT, text, area.w - 260);
    draw_controls(view, &context, line);
    const float end =
        draw_matrices(view, &context, (struct rect){area.x, area.y, area.w, area.h - FOOT});
    const float counts = view->style.has_controls ? area.y + area.h - FOOT : end;
    draw_counts(view, &context, (struct rect){area.x, counts + 18, area.w, FOOT - 18});
}

void view_decode(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct rect card = view_overlay_place(view, area, WIDE, HIGH);
    const struct view_overlay_frame frame = {.name = "decode", .label = "Decoding", .place = card};
    view_overlay_begin(view, area, &frame);
    canvas_clip(canvas, card);
    const struct rect line = {card.x + EDGE, card.y + 16, card.w - EDGE - 60, 28};
    const char *const title =
        view_own_title(view, view->state->decode_off ? tr("Word by word, without a cache")
                                                     : tr("Word by word, with a cache"));
    if (title != NULL) {
        view_text_whole(view, line.x, line.y + 14, FONT_WORDS_BOLD, UI_TEXT_TITLE, theme->ink,
                        CANVAS_LEFT, tr(title), line.w - 250);
    }
    const struct rect inner = {card.x + EDGE, card.y + HEAD, card.w - 2 * EDGE, card.h - HEAD - 8};
    if (view->trace == NULL) {
        view_notice(view, inner, "No decoding here", "There are no words yet: type a few.");
    } else {
        draw_replay(view, inner, line);
    }
    canvas_unclip(canvas);
    view_overlay_end(view, &frame);
}

/* Decoding with a cache: for a new token one row is computed, and keys and values of the others are
 * cached; without a cache everything is computed again. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/run/cache.h"
#include "lab/run/flash.h"
#include "ui/widgets.h"
#include "view/parts/boxes.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float WIDE = 1000, HIGH = 720, EDGE = 24, HEAD = 70;
static const float GAP = 26, GAP_MIN = 12;            /* between matrices */
static const float TITLE = 40;                        /* height above the cells */
static const float CELL = 46, ROW = 30;               /* limits of a cell */
static const float FIGURE_CELL = 72, FIGURE_ROW = 40; /* of a figure, which fills its width */
static const float FIGURE_ROW_MIN = 20;               /* where there is room for it */
static const float CELL_MIN = 9, CELLS_MIN = 0.2f;    /* of one, and of the area for a line */
static const float BARE_OF_FIGURE = 0.1f; /* the same of keys and values without numbers */
static const float FONT_MIN = 9;          /* of sentences that shrink in the window */
static const float BARS = 98;             /* height of bars, above the sums */
static const float BAR_MIN = 40;          /* width of the longest bar, at least */
static const float CONTROLS = 260;        /* width at the right of the headline */

/* The parts that give way where there is little room, in this order. */
enum {
    WIDE_GAPS = 1,
    LARGE_NAMES,
    WANTED_NUMBERS, /* the usual size of numbers */
    KEPT_DECIMALS,  /* the last of each number of keys and values */
    READABLE_KEPT,
    READABLE_KEPT_ROWS,
    ALL_KEPT_DECIMALS,
    SENTENCES, /* below the titles */
    WEIGHT_DECIMALS,
    BRIEF_NAMES, /* of a figure: more of their middle is cut */
    KEPT_NUMBERS,
    KEPT_ROWS, /* as high as a number of keys and values */
    READABLE_NAMES,
    READABLE_WEIGHTS,
    READABLE_WEIGHT_ROWS,
    ALL_WEIGHT_DECIMALS,
    WEIGHTS, /* the numbers of the new row */
    WEIGHT_ROWS,
    NAME_OF_EACH_ROW,
    GIVES = NAME_OF_EACH_ROW
};

static const struct view_number_gives of_weights = {.wanted = WANTED_NUMBERS,
                                                    .decimals = WEIGHT_DECIMALS,
                                                    .readable = READABLE_WEIGHTS,
                                                    .readable_rows = READABLE_WEIGHT_ROWS,
                                                    .all_decimals = ALL_WEIGHT_DECIMALS,
                                                    .numbers = WEIGHTS,
                                                    .rows = WEIGHT_ROWS};
static const struct view_number_gives of_kept = {.wanted = WANTED_NUMBERS,
                                                 .decimals = KEPT_DECIMALS,
                                                 .readable = READABLE_KEPT,
                                                 .readable_rows = READABLE_KEPT_ROWS,
                                                 .all_decimals = ALL_KEPT_DECIMALS,
                                                 .numbers = KEPT_NUMBERS,
                                                 .rows = KEPT_ROWS};

/* Columns of the grid: each matrix has two, the second of which is the gap behind it. */
enum { NAMES, MATRICES, COLUMNS = 2, MATRICES_MAX = 3 };
enum { TITLES, CELLS };

struct context {
    struct lab_sizes sizes;
    size_t tokens; /* so far; the last one is new */
    bool off;      /* without a cache */
};

/* One of the matrices: the weights, or what is cached of every token. */
struct part {
    struct view *view;
    const struct context *context;
    struct view_operand operand;
    const char *title, *sentence;
    const struct box_tree *tree;
    struct box *cells;
};

enum state { ROW_TO_COME, ROW_CACHED, ROW_COMPUTED };

static enum state row_state(const struct context *context, size_t row)
{
    return row >= context->tokens       ? ROW_TO_COME
           : row + 1 == context->tokens ? ROW_COMPUTED
           : context->off               ? ROW_COMPUTED
                                        : ROW_CACHED;
}

/* Draws a cell that has no number: of a row that is not kept, or still to come. */
static void draw_blank(struct view *view, const struct box *cells, size_t row, size_t column,
                       struct colour fill)
{
    const float gap = view_cell_gap(view, cells->cell.x, cells->cell.y);
    const struct rect cell = {cells->at.x + (float)column * cells->cell.x,
                              cells->at.y + (float)row * cells->cell.y, cells->cell.x,
                              cells->cell.y};
    canvas_rect(view->ui->canvas, rect_inset(cell, gap / 2),
                gap > 0 ? view_cell_corner(view, fminf(cell.w, cell.h) - gap) : 0,
                &(struct paint){.fill = fill, .crisp = gap <= 0});
}

/* Draws `count` rows of a matrix from `first` on, and as many columns, with their numbers. */
static void draw_known(struct view *view, const struct part *part, size_t first, size_t count,
                       size_t columns)
{
    const struct box *const box = part->cells;
    struct view_operand known = part->operand;
    known.matrix.rows = count;
    known.matrix.cols = columns;
    known.matrix.values += first * known.matrix.stride;
    known.editable = false;
    const struct rect area = {box->at.x, box->at.y + (float)first * box->cell.y,
                              (float)columns * box->cell.x, (float)count * box->cell.y};
    struct view_matrix matrix =
        view_operand_cells(view, &known, area, ui_id(view->ui, part->operand.title));
    matrix.decimals = view_matrix_decimals(view, &part->operand.matrix, known.is_share);
    matrix.outline = (struct colour){0};
    matrix.first_row = first;
    view_matrix_draw(view, &matrix);
}

/* Draws the weights: the row of the new token with its numbers; former rows are no longer kept. */
static void draw_weights(const struct box *box)
{
    const struct part *const part = box->user;
    const struct context *const context = part->context;
    struct view *const view = part->view;
    const struct ui_theme *const theme = view->ui->theme;
    for (size_t i = 0; i < context->sizes.n; i++) {
        const enum state state = row_state(context, i);
        for (size_t j = state == ROW_COMPUTED ? context->tokens : 0; j < context->sizes.m; j++) {
            const bool seen = lab_trace_sees(view->trace, i, j);
            draw_blank(view, box, i, j,
                       !seen                 ? theme->ground
                       : state == ROW_CACHED ? theme->line
                                             : theme->control);
        }
    }
    const size_t first = context->off ? 0 : context->tokens - 1;
    draw_known(view, part, first, context->tokens - first, context->tokens);
}

/* Draws keys, values or latent rows: those in the cache, those that were just computed, and the
 * places of those to come. */
static void draw_rows(const struct box *box)
{
    const struct part *const part = box->user;
    const struct context *const context = part->context;
    struct view *const view = part->view;
    const size_t columns = part->operand.matrix.cols;
    for (size_t i = context->tokens; i < context->sizes.n; i++) {
        for (size_t c = 0; c < columns; c++) {
            draw_blank(view, box, i, c, view->ui->theme->control);
        }
    }
    draw_known(view, part, 0, context->tokens, columns);
    const size_t from = context->off ? 0 : context->tokens - 1;
    const struct rect fresh = {box->at.x, box->at.y + (float)from * box->cell.y, box->at.w,
                               (float)(context->tokens - from) * box->cell.y};
    canvas_rect(view->ui->canvas, rect_inset(fresh, -2), 5,
                &(struct paint){.stroke = view->ui->theme->accent, .width = 2});
}

static struct box_range measure_title(const struct box_tree *tree, const struct box *box,
                                      enum box_axis axis)
{
    const struct part *const part = box->user;
    const struct view *const view = part->view;
    struct canvas *const canvas = view->ui->canvas;
    if (axis == BOX_DOWN) {
        return (struct box_range){.min = TITLE};
    }
    const float title = canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, tr(part->title));
    const float sentence = canvas_measure(canvas, FONT_WORDS, UI_TEXT_TINY, tr(part->sentence)) + 2;
    const float min = view->style.has_controls ? FONT_MIN : view->min_font_size;
    return box_gave(tree, SENTENCES)
               ? (struct box_range){.min = title}
               : (struct box_range){fmaxf(title, sentence * fminf(min / UI_TEXT_TINY, 1)), sentence,
                                    0};
}

static void draw_title(const struct box *box)
{
    const struct part *const part = box->user;
    struct view *const view = part->view;
    const float y = box->at.y + TITLE, room = box->at.w - GAP_MIN / 2;
    view_text_whole(view, box->at.x, y - 22, FONT_WORDS_BOLD, UI_TEXT_BODY, part->operand.colour,
                    CANVAS_LEFT, tr(part->title), room);
    if (!box_gave(part->tree, SENTENCES)) {
        view_text_whole(view, box->at.x, y - 7, FONT_WORDS, UI_TEXT_TINY, view->ui->theme->muted,
                        CANVAS_LEFT, tr(part->sentence), room);
    }
}

/* A figure has rows as high as its cells are wide, up to a limit. */
static struct box_cells part_cells(const struct part *part, struct rect area)
{
    const struct view *const view = part->view;
    const size_t columns = part->operand.matrix.cols;
    const bool fills = !view->style.has_controls;
    const float wide = fills ? FIGURE_CELL : CELL;
    const float high = fills ? FIGURE_ROW_MIN : ROW * view_growth(area);
    const float min = fminf(CELL_MIN, area.w * CELLS_MIN / (float)columns);
    struct box_cells cells = {.rows = part->context->sizes.n,
                              .columns = columns,
                              .wide = {min, wide, wide},
                              .high = {1, high, fills ? FIGURE_ROW : high},
                              .aspect = fills ? 1 : 0};
    if (fills && !part->operand.is_share) {
        const float narrow = fminf(min, area.w * BARE_OF_FIGURE / (float)columns);
        cells.bare_wide = (struct box_range){narrow, wide, wide};
    }
    view_number_needs(view, &part->operand, part->operand.is_share ? &of_weights : &of_kept,
                      &cells);
    return cells;
}

static void add_part(struct box_tree *tree, struct part *part, size_t index, struct rect area)
{
    const uint8_t column = (uint8_t)(MATRICES + COLUMNS * index);
    part->tree = tree;
    part->cells = box_add(tree, &(struct box){.kind = BOX_CELLS,
                                              .column = column,
                                              .row = CELLS,
                                              .cells = part_cells(part, area),
                                              .draw = index == 0 ? draw_weights : draw_rows,
                                              .user = part});
    box_add(tree, &(struct box){.kind = BOX_LEAF,
                                .column = column,
                                .columns = 2,
                                .row = TITLES,
                                .measure = measure_title,
                                .draw = draw_title,
                                .user = part});
    struct box gap = {.kind = BOX_LEAF, .column = (uint8_t)(column + 1), .row = CELLS};
    gap.wide.min = GAP_MIN;
    box_add(tree, &gap);
    gap.wide.min = GAP;
    gap.until = WIDE_GAPS;
    box_add(tree, &gap);
}

/* Draws the matrices from left to right: weights, then what is cached of every token. Returns where
 * they end. */
static float draw_matrices(struct view *view, const struct context *context, struct rect area)
{
    const bool latent = lab_graph_caches_latent(lab_trace_graph(view->trace));
    const char *const stays =
        context->off ? tr("all rows are made again") : tr("one row more, the rest stays");
    const char *const computed =
        context->off ? tr("every row is computed again") : tr("one row is computed");
    const enum lab_part kept = latent ? LAB_C : LAB_K;
    struct part parts[MATRICES_MAX] = {
        {view, context, view_operand_of(view, LAB_ALPHA), "α", computed, NULL, NULL},
        {view, context, view_operand_of(view, kept), latent ? tr("C, the latent") : "K", stays,
         NULL, NULL},
        {view, context, view_operand_of(view, LAB_V), "V", stays, NULL, NULL}};
    const size_t count = latent ? MATRICES_MAX - 1 : MATRICES_MAX;
    struct box_tree tree = view_boxes(view, GIVES);
    struct box *const root = box_open(&tree, &(struct box){.kind = BOX_GRID, .across = BOX_START});
    for (size_t p = 0; p < count; p++) {
        add_part(&tree, &parts[p], p, area);
    }
    view_add_names(&tree,
                   &(struct view_names){.view = view,
                                        .cells = parts[0].cells,
                                        .max = {fminf(110, area.w * 0.14f), 0},
                                        .large = LARGE_NAMES,
                                        .readable = READABLE_NAMES,
                                        .brief = BRIEF_NAMES,
                                        .each = NAME_OF_EACH_ROW,
                                        .words = {.words = lab_trace_queries(view->trace),
                                                  .count = context->sizes.n,
                                                  .anchor = CANVAS_RIGHT,
                                                  .chosen = (long)context->tokens - 1,
                                                  .colour = view->ui->theme->query}},
                   (struct box){.column = NAMES, .row = CELLS});
    box_close(&tree);
    box_fit(&tree, root, area);
    box_draw(root);
    return parts[0].cells->at.y + parts[0].cells->at.h;
}

struct bar {
    const char *name;
    size_t count;
    struct colour colour;
};

/* Draws bars between their names and their numbers, which have the width that they need. */
static void draw_bars(struct view *view, const struct bar *bars, size_t count, struct rect area)
{
    static const float LINE = 20, BESIDE = 8, THICK = 10;
    struct canvas *const canvas = view->ui->canvas;
    float names = 0, numbers = 0;
    double largest = 1;
    for (size_t i = 0; i < count; i++) {
        char text[TEXT_NUMBER_MAX];
        const char *const number = text_count(text, bars[i].count);
        names = fmaxf(names, canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, tr(bars[i].name)));
        numbers = fmaxf(numbers, canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_SMALL, number));
        largest = fmax(largest, (double)bars[i].count);
    }
    names = fmaxf(fminf(names + BESIDE, area.w - numbers - BESIDE - BAR_MIN), BAR_MIN);
    const float track = fmaxf(area.w - names - numbers - BESIDE, 1);
    for (size_t i = 0; i < count; i++) {
        const float y = area.y + (float)i * LINE;
        const float wide = fmaxf(1, track * (float)((double)bars[i].count / largest));
        char text[TEXT_NUMBER_MAX];
        view_text_whole(view, area.x, y + 13, FONT_WORDS, UI_TEXT_SMALL, view->ui->theme->muted,
                        CANVAS_LEFT, tr(bars[i].name), names - BESIDE + 1);
        canvas_rect(canvas, (struct rect){area.x + names, y + 4, wide, THICK}, 3,
                    &(struct paint){.fill = bars[i].colour});
        canvas_text(canvas, area.x + names + wide + BESIDE, y + 13, FONT_NUMBERS, UI_TEXT_SMALL,
                    view->ui->theme->ink, CANVAS_LEFT, text_count(text, bars[i].count));
    }
}

/* The sums over all tokens so far. */
static const char *cost_sentence(struct view *view, const struct context *context)
{
    const struct lab_graph *const graph = lab_trace_graph(view->trace);
    const struct lab_mask_rule mask = lab_experiment_mask(view->experiment);
    const struct lab_cache_step now = lab_cache_step(graph, &mask, context->tokens);
    size_t all_with = 0, all_without = 0;
    for (size_t t = 1; t <= context->tokens; t++) {
        const struct lab_cache_step step = lab_cache_step(graph, &mask, t);
        all_with += step.with_cache;
        all_without += step.without;
    }
    char with[TEXT_NUMBER_MAX], without[TEXT_NUMBER_MAX], held[TEXT_NUMBER_MAX];
    char added[TEXT_NUMBER_MAX];
    return arena_words(
        view->arena,
        tr_n("%zu word: %s multiplications with the cache, %s without. The cache "
             "holds %s bytes; every word adds %s%s.",
             "All %zu words one by one: %s multiplications with the cache, %s without. The cache "
             "holds %s bytes; every word adds %s%s.",
             context->tokens),
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
}

/* Draws what this token costs as bars, and below them the sums. */
static void draw_counts(struct view *view, const struct context *context, struct rect area,
                        const char *sums)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct lab_graph *const graph = lab_trace_graph(view->trace);
    const struct lab_mask_rule mask = lab_experiment_mask(view->experiment);
    const struct lab_cache_step now = lab_cache_step(graph, &mask, context->tokens);
    const size_t before = context->tokens - 1;
    const struct bar bars[] = {
        {"prefill: the words before, at once",
         before == 0 ? 0 : lab_cache_step(graph, &mask, before).without, theme->faint},
        {"this word, with the cache", now.with_cache, theme->accent},
        {"this word, cache off", now.without, theme->key},
    };
    canvas_text(view->ui->canvas, area.x, area.y + 10, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink,
                CANVAS_LEFT, tr("Multiplications"));
    draw_bars(view, bars, sizeof bars / sizeof *bars,
              (struct rect){area.x, area.y + 20, area.w, 0});
    view_wrapped(view, area.x, area.y + BARS, area.w, UI_TEXT_SMALL, theme->ink, sums);
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
    const char *const which =
        view->experiment->layers > 0
            ? arena_words(view->arena, "L%zuH%zu", view->experiment->layer, head)
            : arena_words(view->arena, "head %zu", head + 1);
    const char *const text = arena_words(
        view->arena, "Word %zu of %zu, “%.40s”: %s. Largest difference to all at once: %s.",
        context.tokens, n, lab_trace_queries(view->trace)[context.tokens - 1], which,
        lab_small_number(view->arena, difference));
    view_text_whole(view, area.x, line.y + 32, FONT_WORDS, UI_TEXT_SMALL, view->ui->theme->muted,
                    CANVAS_LEFT, text, area.w - (view->style.has_controls ? CONTROLS : 0));
    draw_controls(view, &context, line);
    const char *const sums = cost_sentence(view, &context);
    const float foot = BARS + view_wrapped_height(view, area.w, UI_TEXT_SMALL, sums);
    const float end = draw_matrices(
        view, &context, (struct rect){area.x, area.y, area.w, fmaxf(area.h - foot - GAP_MIN, 1)});
    const float counts = view->style.has_controls ? area.y + area.h - foot : end + GAP_MIN;
    draw_counts(view, &context, (struct rect){area.x, counts, area.w, foot}, sums);
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
                        CANVAS_LEFT, tr(title),
                        line.w - (view->style.has_controls ? CONTROLS - 10 : 0));
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

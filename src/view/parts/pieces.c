#include "view/parts/pieces.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/edits.h"

long view_chosen(const struct view *view, size_t index)
{
    return view->emphasis ? (long)index : VIEW_NOWHERE;
}

const struct lab_places *view_baseline(const struct view *view, const struct view_operand *operand)
{
    return operand->row_axis == VIEW_AXIS_QUERIES ? &view->state->display.queries : NULL;
}

struct lab_matrix view_weights(const struct view *view, size_t head)
{
    return lab_display_weights(view->trace, head, &view->state->display, view->arena);
}

void view_choose(struct view *view, unsigned parts, struct lab_selection selection, bool clicked)
{
    view_action_hover(view, parts, selection);
    if (!clicked) {
        return;
    }
    /* The keyboard, walking over cells, leaves what is looked at together as it is. */
    const bool by_pointer = (view->ui->input->released & UI_LEFT_BUTTON) != 0;
    if (by_pointer && (parts & VIEW_QUERY) != 0) {
        const bool keeps = (view->ui->input->mods & UI_SHIFT) != 0;
        view_action(
            view, &(struct view_action){.kind = keeps ? VIEW_ACTION_KEEP_QUERY : VIEW_ACTION_ALONE,
                                        .index = selection.query});
    }
    view_action_select(view, parts, selection);
}

float view_growth(struct rect area)
{
    return fminf(1.8f, fmaxf(1, fminf(area.w / 640, area.h / 480)));
}

struct colour view_role_colour(const struct view *view, enum lab_role role)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct colour colours[] = {
        [LAB_ROLE_PLAIN] = theme->ink,     [LAB_ROLE_X] = theme->x,
        [LAB_ROLE_QUERY] = theme->query,   [LAB_ROLE_KEY] = theme->key,
        [LAB_ROLE_VALUE] = theme->value,   [LAB_ROLE_WEIGHT] = theme->query,
        [LAB_ROLE_OUTPUT] = theme->output, [LAB_ROLE_RESULT] = theme->ink,
    };
    return colours[role];
}

static bool has_heads(enum lab_part part)
{
    static const enum lab_part without[] = {
        LAB_EMBEDDINGS_X, LAB_W_O,      LAB_CONCAT, LAB_OUTPUT_O, LAB_RESIDUAL,
        LAB_CONTEXT_X,    LAB_EMBEDDED, LAB_WAVES,  LAB_W_DKV,    LAB_C};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        if (without[i] == part) {
            return false;
        }
    }
    return true;
}

/* Which rows are queries, which are keys; parts with words of both are the scores and the weights.
 */
static void name_axes(struct view_operand *operand)
{
    static const struct {
        enum lab_part part;
        enum view_axis row, column;
    } axes[] = {
        {LAB_EMBEDDINGS_X, VIEW_AXIS_QUERIES, VIEW_AXIS_OTHER},
        {LAB_CONTEXT_X, VIEW_AXIS_KEYS, VIEW_AXIS_OTHER},
        {LAB_Q, VIEW_AXIS_QUERIES, VIEW_AXIS_OTHER},
        {LAB_Q_BEFORE, VIEW_AXIS_QUERIES, VIEW_AXIS_OTHER},
        {LAB_K, VIEW_AXIS_KEYS, VIEW_AXIS_OTHER},
        {LAB_K_BEFORE, VIEW_AXIS_KEYS, VIEW_AXIS_OTHER},
        {LAB_C, VIEW_AXIS_KEYS, VIEW_AXIS_OTHER},
        {LAB_V, VIEW_AXIS_KEYS, VIEW_AXIS_OTHER},
        {LAB_SCORES, VIEW_AXIS_QUERIES, VIEW_AXIS_KEYS},
        {LAB_ALPHA, VIEW_AXIS_QUERIES, VIEW_AXIS_KEYS},
        {LAB_Z, VIEW_AXIS_QUERIES, VIEW_AXIS_OTHER},
        {LAB_CONCAT, VIEW_AXIS_QUERIES, VIEW_AXIS_OTHER},
        {LAB_OUTPUT_O, VIEW_AXIS_QUERIES, VIEW_AXIS_OTHER},
        {LAB_RESIDUAL, VIEW_AXIS_QUERIES, VIEW_AXIS_OTHER},
    };
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        if (axes[i].part == operand->part) {
            operand->row_axis = axes[i].row;
            operand->column_axis = axes[i].column;
        }
    }
}

struct view_operand view_operand_of(const struct view *view, enum lab_part part)
{
    return view_operand_of_head(view, part, view->selection.head);
}

struct view_operand view_operand_of_head(const struct view *view, enum lab_part part, size_t head)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct {
        const char *title;
        struct colour colour;
        const char *tip;
        bool is_share, masked;
    } rows[LAB_PARTS] = {
        [LAB_EMBEDDINGS_X] = {"X", theme->x, "X: every word as a row of numbers", false, false},
        [LAB_W_Q] = {"W_Q", theme->query, "W_Q: the weights that turn X into queries", false,
                     false},
        [LAB_W_K] = {"W_K", theme->key, "W_K: the weights that turn X into keys", false, false},
        [LAB_W_V] = {"W_V", theme->value, "W_V: the weights that turn X into values", false, false},
        [LAB_W_O] = {"W_O", theme->output, "W_O: the weights that mix what the heads found", false,
                     false},
        [LAB_Q] = {"Q", theme->query, "Q = X · W_Q: the queries, what every word looks for", false,
                   false},
        [LAB_K] = {"K", theme->key, "K = X · W_K: the keys, how every word can be found", false,
                   false},
        [LAB_V] = {"V", theme->value, "V = X · W_V: the values, what every word has to say", false,
                   false},
        [LAB_SCORES] = {"S", theme->ink, "S = Q · Kᵀ: the scores, every query with every key",
                        false, false},
        [LAB_ALPHA] = {"α", theme->query,
                       "α: the weights, the softmax of each row of scaled and masked scores", true,
                       true},
        [LAB_Z] = {"Z", theme->output, "Z = α · V: the values blended by the weights", false,
                   false},
        [LAB_CONCAT] = {"concat", theme->output, "The Z of all heads, side by side", false, false},
        [LAB_RESIDUAL] = {"X + O", theme->x, "X + O: what came in, and what attention adds to it",
                          false, false},
        [LAB_CONTEXT_X] = {"X′", theme->x, "X′: the other words, as rows of numbers", false, false},
        [LAB_EMBEDDED] = {"E", theme->x, "E: the embeddings, before positions are added", false,
                          false},
        [LAB_WAVES] = {"P", theme->x, "P: the positions, added to the embeddings", false, false},
        [LAB_Q_BEFORE] = {"Q₀", theme->query, "Q₀: the queries, before they are turned", false,
                          false},
        [LAB_K_BEFORE] = {"K₀", theme->key, "K₀: the keys, before they are turned", false, false},
        [LAB_W_DKV] = {"W_DKV", theme->value, "W_DKV: the weights that squeeze X into the latent C",
                       false, false},
        [LAB_C] = {"C", theme->value,
                   "C = X · W_DKV: the latent that keys and values are rebuilt from", false, false},
        [LAB_W_UK] = {"W_UK", theme->key, "W_UK: the weights that rebuild the keys from C", false,
                      false},
        [LAB_W_UV] = {"W_UV", theme->value, "W_UV: the weights that rebuild the values from C",
                      false, false},
        [LAB_B_Q] = {"b_Q", theme->query, "b_Q: the bias, added to every query", false, false},
        [LAB_B_K] = {"b_K", theme->key, "b_K: the bias, added to every key", false, false},
        [LAB_B_V] = {"b_V", theme->value, "b_V: the bias, added to every value", false, false},
        [LAB_B_O] = {"b_O", theme->output, "b_O: the bias, added to every output", false, false},
        [LAB_OUTPUT_O] = {"O", theme->output, "O = concat(Z) · W_O: the output", false, false},
    };
    struct view_operand operand = {
        .matrix =
            part == LAB_ALPHA ? view_weights(view, head) : lab_trace_part(view->trace, part, head),
        .title = rows[part].title,
        .colour = rows[part].colour,
        .tip = rows[part].tip,
        .is_share = rows[part].is_share,
        .masked = rows[part].masked,
        .part = part,
        .head = has_heads(part) ? head : 0,
        .editable =
            lab_edits_may(part) && (part != LAB_ALPHA || view->state->display.aside.count == 0),
        .row = VIEW_NOWHERE,
        .column = VIEW_NOWHERE,
        .row_colour = theme->query,
        .column_colour = theme->key,
    };
    name_axes(&operand);
    return operand;
}

/* The end of the line that starts at `start`: as many words as fit, at least one. */
static size_t line_end(const struct view *view, float width, float size, const char *text,
                       size_t start)
{
    const size_t length = strlen(text);
    size_t end = start, next = start;
    while (next < length) {
        while (next < length && text[next] == ' ') {
            next++;
        }
        do {
            next++; /* "1.6 %" stays together */
        } while (next < length && (text[next] != ' ' || text[next + 1] == '%') &&
                 !text_may_break(text, length, next));
        const float wide = font_measure(canvas_fonts(view->ui->canvas), FONT_WORDS, size,
                                        text + start, next - start);
        if (wide > width && end > start) {
            break;
        }
        end = next;
    }
    return end;
}

static size_t line_start(const char *text, size_t at)
{
    while (text[at] == ' ') {
        at++;
    }
    return at;
}

float view_wrapped(struct view *view, float x, float y, float width, float size,
                   struct colour colour, const char *text)
{
    text = tr(text);
    float high = 0;
    for (size_t start = line_start(text, 0); text[start] != 0;) {
        const size_t end = line_end(view, width, size, text, start);
        canvas_text_length(view->ui->canvas, x, y + high, FONT_WORDS, size, colour, CANVAS_LEFT,
                           text + start, end - start);
        high += size * 1.5f;
        start = line_start(text, end);
    }
    return high;
}

float view_wrapped_height(const struct view *view, float width, float size, const char *text)
{
    text = tr(text);
    float high = 0;
    for (size_t start = line_start(text, 0); text[start] != 0;) {
        start = line_start(text, line_end(view, width, size, text, start));
        high += size * 1.5f;
    }
    return high;
}

void view_notice(struct view *view, struct rect area, const char *title, const char *sentence)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float width = fminf(area.w, 380);
    title = tr(title);
    sentence = tr(sentence);
    const float wide = fminf(width, canvas_measure(canvas, FONT_WORDS, UI_TEXT_BODY, tr(sentence)));
    const float middle = area.y + area.h / 2;
    canvas_text_cut(canvas, area.x + area.w / 2, middle - 12, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    theme->ink, CANVAS_CENTRE, tr(title), area.w);
    view_wrapped(view, area.x + (area.w - wide) / 2, middle + 16, width, UI_TEXT_BODY, theme->muted,
                 sentence);
}

/* The matrix a stage ends with. */
enum lab_part view_result_part(enum lab_stage stage, const struct lab_selection *selection)
{
    static const enum lab_part parts[LAB_STAGES] = {
        [LAB_EMBED] = LAB_EMBEDDINGS_X, [LAB_PROJECT] = LAB_Q,     [LAB_SCORE] = LAB_SCORES,
        [LAB_SCALE] = LAB_SCORES,       [LAB_SOFTMAX] = LAB_ALPHA, [LAB_BLEND] = LAB_Z,
        [LAB_OUTPUT] = LAB_OUTPUT_O};
    return stage == LAB_PROJECT ? selection->projected : parts[stage];
}

void view_panel_header(struct view *view, struct rect area, const char *title, const char *hint)
{
    struct canvas *canvas = view->ui->canvas;
    const float x = area.x + 16, wide = area.w - 32;
    title = view->still ? view_own_title(view, title) : title;
    if (title == NULL) {
        return;
    }
    const float title_wide =
        fminf(canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, tr(title)), wide);
    canvas_text_cut(canvas, x, area.y + 25, FONT_WORDS_BOLD, UI_TEXT_BODY, view->ui->theme->ink,
                    CANVAS_LEFT, tr(title), wide);
    const float hint_wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, tr(hint));
    if (title_wide + 20 + hint_wide <= wide) {
        canvas_text(canvas, x + wide, area.y + 25, FONT_WORDS, UI_TEXT_SMALL,
                    view->ui->theme->muted, CANVAS_RIGHT, tr(hint));
    }
}

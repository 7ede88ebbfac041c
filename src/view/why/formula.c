/* The selected part's number as the sum that it is, and a sentence of what it does. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float EDGE = 18;

/* "(0.924 · +0.40) + " */
static const char *add_term(struct view *view, const char *sum, double a, double b, int decimals)
{
    return arena_words(view->arena, "%s%s(%s · %s)", sum, sum[0] == '\0' ? "" : " + ",
                       why_number(view, a, decimals), why_number(view, b, 2));
}

static const char *end_sum(struct view *view, const char *sum, size_t others, double rest,
                           double value)
{
    if (sum == NULL) {
        return NULL;
    }
    if (others > 0) {
        const char *const more =
            arena_words(view->arena, tr_n("%zu other term (%s)", "%zu other terms (%s)", others),
                        others, why_number(view, rest, 2));
        sum = more == NULL ? NULL : arena_words(view->arena, "%s + %s", sum, more);
    }
    return sum == NULL ? NULL : arena_words(view->arena, "%s = %s", sum, why_signed(view, value));
}

/* α of a word times what its value says of the answer, the largest ones first. */
static const char *sum_of_head(struct view *view, const struct why_frame *frame, size_t part)
{
    const struct view_why_answer *const answer = frame->answer;
    const struct view_why_part *const one = &answer->part[part];
    const size_t place = (one->layer * answer->heads + one->head) * answer->n;
    const double *const adds = answer->of_words + place;
    const float *const alpha = answer->weight[VIEW_BY_ALPHA] + place;
    const char *sum = "";
    double rest = one->adds, size = INFINITY;
    size_t terms = 0, last = SIZE_MAX;
    for (; terms < VIEW_WHY_TERMS && terms < answer->n && sum != NULL; terms++) {
        size_t next = SIZE_MAX;
        for (size_t j = 0; j < answer->n; j++) {
            const double own = fabs(adds[j]);
            const bool is_left = own < size || (!(own > size) && last != SIZE_MAX && j > last);
            next = is_left && (next == SIZE_MAX || own > fabs(adds[next])) ? j : next;
        }
        if (next == SIZE_MAX || !(alpha[next] > 0)) {
            break;
        }
        sum = add_term(view, sum, (double)alpha[next], adds[next] / (double)alpha[next], 3);
        rest -= adds[next];
        size = fabs(adds[next]);
        last = next;
    }
    return end_sum(view, sum, answer->n - terms, rest, one->adds);
}

static const char *sum_of_mlp(struct view *view, const struct why_frame *frame, size_t part)
{
    const struct view_why_part *const one = &frame->answer->part[part];
    const size_t width = frame->answer->width;
    const size_t terms = width < VIEW_WHY_TERMS ? width : VIEW_WHY_TERMS;
    const char *sum = "";
    double rest = one->adds;
    for (size_t t = 0; t < terms && sum != NULL; t++) {
        sum = add_term(view, sum, one->term[t][0], one->term[t][1], 2);
        rest -= one->term[t][0] * one->term[t][1];
    }
    return end_sum(view, sum, width - terms, rest, one->adds);
}

static const char *caption_of(struct view *view, const struct why_frame *frame)
{
    const struct view_why_part *const one = &frame->answer->part[frame->selected];
    return one->kind == VIEW_WHY_HEAD && !one->is_replaced
               ? arena_words(view->arena,
                             tr("%s adds to %s = Σ α · v; v: what the value of a word "
                                "gives through W_O to the logits"),
                             one->name, frame->asked)
           : one->kind == VIEW_WHY_MLP
               ? arena_words(view->arena,
                             tr("%s adds to %s = Σ m · d; d: how the logits read the stream, gain "
                                "÷ root · u(%s), less its mean"),
                             one->name, frame->asked, frame->asked)
               : arena_words(view->arena, tr("%s adds to %s"), why_part_name(view, one),
                             frame->asked);
}

/* Says what a part adds directly, and what is lost without it: they are two numbers. */
static const char *sentence_of(struct view *view, const struct why_frame *frame)
{
    const struct view_why_answer *const answer = frame->answer;
    const struct view_why_part *const one = &answer->part[frame->selected];
    const char *const adds = why_signed(view, one->adds);
    const char *const lost = one->has_lost ? why_signed(view, one->lost) : "…";
    if (why_is_off(frame, frame->selected)) {
        return arena_words(view->arena, tr("%s is off: it adds nothing."), one->name);
    }
    if (one->is_replaced) {
        return arena_words(view->arena,
                           tr("What %s gives here is replaced: it adds %s, whatever it looks at; "
                              "without it %s is lost."),
                           one->name, adds, lost);
    }
    if (one->kind == VIEW_WHY_HEAD) {
        const size_t word = why_largest_word(frame, frame->selected);
        const size_t place = (one->layer * answer->heads + one->head) * answer->n + word;
        const float *const alpha = answer->weight[VIEW_BY_ALPHA] + (place - word);
        bool is_most = true;
        for (size_t j = 0; j < answer->n; j++) {
            is_most = is_most && alpha[j] <= alpha[word];
        }
        const char *const words = arena_words(
            view->arena,
            tr(is_most ? "%s looks at “%s” with %s. By itself it adds %s; without it %s is lost, "
                         "with all that later parts make of it."
                       : "%s takes most from “%s” (α %s). By itself it adds %s; without it %s is "
                         "lost, with all that later parts make of it."),
            one->name, answer->words[word], why_percent(view, (double)alpha[word]), adds, lost);
        return words;
    }
    return one->kind == VIEW_WHY_MLP
               ? arena_words(view->arena,
                             tr("%s adds %s by itself; without it %s is lost, with all that later "
                                "parts make of it."),
                             one->name, adds, lost)
               : "";
}

/* ---- a cell of the lens ---------------------------------------------------------------------- */

/* The likeliest words there from one to another: "heavy 66.8 %  useful 33.2 %". */
static const char *list_top(struct view *view, const struct view_why_answer *answer, size_t cell,
                            size_t from, size_t end)
{
    const char *words = "";
    for (size_t t = from; t < end && t < answer->top && words != NULL; t++) {
        const struct view_why_word *const one = &answer->lens[cell * answer->top + t];
        words = arena_words(view->arena, "%s%s%s %s", words, t == from ? "" : "   ", one->word,
                            why_percent(view, one->share));
    }
    return words;
}

void why_open_block(struct view *view, const struct why_frame *frame, size_t layer, size_t word,
                    enum view_block_led step)
{
    why_act(view, frame->why, VIEW_LEARN_HEAD, VIEW_HEAD_OVERVIEW_OPEN,
            layer * frame->answer->heads);
    view_action_select(view, VIEW_QUERY, (struct lab_selection){.query = word});
    view_action_set(view, why_returns, true);
    view_action_set(view, why_shown, false);
    view_action_set(view, extra_stage, VIEW_EXTRA_STAGE_BLOCK);
    view_action_set(view, block_step, (size_t)step);
}

/* The selected cell of the lens; SIZE_MAX: none is. */
static size_t selected_cell(const struct view *view, const struct view_why_answer *answer)
{
    const size_t cell = view->state->why_cell;
    return cell > 0 && cell <= (2 * answer->layers + 1) * answer->n ? cell - 1 : SIZE_MAX;
}

/* The view that explains a number: a cell's stream, a head's stages, an MLP's layer. */
enum way { NO_WAY, TO_RESIDUAL, TO_STAGES, TO_LAYER };

static const struct {
    const char *label, *tip;
} ways[] = {
    [NO_WAY] = {NULL, NULL},
    [TO_RESIDUAL] =
        {"Its residual",
         "The layer around its attention, at this word (Enter); Backspace leads back here"},
    [TO_STAGES] = {"Its stages",
                   "The stages of this head with their numbers (Enter); Backspace leads back here"},
    [TO_LAYER] = {"Its layer",
                  "The layer with its MLP, at this word (Enter); Backspace leads back here"},
};

static enum way find_way(const struct view *view, const struct why_frame *frame)
{
    const struct view_why_part *const one = &frame->answer->part[frame->selected];
    return selected_cell(view, frame->answer) != SIZE_MAX ? TO_RESIDUAL
           : one->kind == VIEW_WHY_HEAD                   ? TO_STAGES
           : one->kind == VIEW_WHY_MLP                    ? TO_LAYER
                                                          : NO_WAY;
}

void why_lead_on(struct view *view, const struct why_frame *frame)
{
    const struct view_why_answer *const answer = frame->answer;
    const size_t cell = selected_cell(view, answer);
    const size_t stage = cell == SIZE_MAX ? 0 : cell / answer->n;
    switch (find_way(view, frame)) {
    case TO_RESIDUAL:
        why_open_block(view, frame, stage == 0 ? 0 : (stage - 1) / 2, cell % answer->n,
                       stage == 0       ? VIEW_BLOCK_X
                       : stage % 2 == 1 ? VIEW_BLOCK_ADDED
                                        : VIEW_BLOCK_Y);
        break;
    case TO_STAGES:
        why_open_stages(view, frame, why_largest_word(frame, frame->head));
        break;
    case TO_LAYER:
        why_open_block(view, frame, answer->part[frame->selected].layer, answer->position,
                       VIEW_BLOCK_MLP);
        break;
    default:
        break;
    }
}

/* ---- the panel ------------------------------------------------------------------------------- */

enum { LINES = 4 };

/* Lists the paths between parts: "L0H2 → MLP 0 +6.49". */
static const char *paths_of(struct view *view, const struct why_frame *frame)
{
    const struct view_why_answer *const answer = frame->answer;
    const char *words = "";
    for (size_t p = 0; p < answer->paths && words != NULL; p++) {
        words = arena_words(view->arena, "%s%s%s → %s %s", words, p == 0 ? "" : ", ",
                            answer->part[answer->path[p].sender].name,
                            answer->part[answer->path[p].receiver].name,
                            why_signed(view, answer->path[p].lost));
    }
    return words == NULL || words[0] == '\0'
               ? ""
               : arena_words(view->arena, tr("Who told whom: %s"), words);
}

/* The lines of the panel: what is asked, the sum, a sentence, the paths. */
static void find_lines(struct view *view, const struct why_frame *frame, const char *line[LINES])
{
    const struct view_why_answer *const answer = frame->answer;
    const struct view_why_part *const one = &answer->part[frame->selected];
    const size_t cells = (2 * answer->layers + 1) * answer->n;
    const size_t cell = view->style.has_marks ? view->state->why_cell : 0;
    if (cell > 0 && cell <= cells && answer->lens != NULL) {
        line[0] = arena_words(view->arena, tr("Behind “%s”, if the model ended after %s"),
                              answer->words[(cell - 1) % answer->n],
                              why_stage_name(view, (cell - 1) / answer->n));
        const size_t half = (answer->top + 1) / 2; /* in one line they would be small */
        line[1] = list_top(view, answer, cell - 1, 0, half);
        line[2] = list_top(view, answer, cell - 1, half, answer->top);
    } else {
        line[0] = caption_of(view, frame);
        const bool has_terms = !why_is_off(frame, frame->selected) && !one->is_replaced;
        line[1] =
            has_terms && one->kind == VIEW_WHY_HEAD  ? sum_of_head(view, frame, frame->selected)
            : has_terms && one->kind == VIEW_WHY_MLP ? sum_of_mlp(view, frame, frame->selected)
                                                     : why_signed(view, one->adds);
        line[2] = sentence_of(view, frame);
    }
    line[3] = paths_of(view, frame);
    for (size_t l = 0; l < LINES; l++) {
        line[l] = line[l] == NULL ? "" : line[l];
    }
}

/* The place of the word among the next words that a sheet can be asked about; their number: it is
 * none of them, or nothing here has learned from lines. */
static size_t find_next(const struct view *view, const struct why_frame *frame, size_t *count)
{
    const struct view_learn *const learn = frame->why->learns ? view->state->learn : NULL;
    size_t next = 0;
    *count = learn != NULL && learn->has_lines && learn->step > 0 ? learn->next_count : 0;
    while (next < *count && learn->next[next].id != frame->answer->word.id) {
        next++;
    }
    return next;
}

/* Why no line can be asked that taught the word; NULL: lines can, or it learns from none. */
static const char *lack_of_lines(struct view *view, const struct why_frame *frame, bool is_next)
{
    const struct view_learn *const learn = frame->why->learns ? view->state->learn : NULL;
    if (learn == NULL || !learn->has_lines || is_next) {
        return NULL;
    }
    return learn->step == 0 ? tr("No line has taught it anything yet.")
                            : arena_words(view->arena,
                                          tr("“%s” is not among its %zu likeliest words: no line "
                                             "is asked."),
                                          frame->answer->word.word, learn->next_count);
}

/* Draws the button to the lines of the text that taught the word, at the right end of a line.
 * Returns where it begins. */
static float draw_way_to_lines(struct view *view, const struct why_frame *frame, struct rect line)
{
    const struct ui_button button = {
        .label = "Which line taught it that?",
        .tip = "Leave each line out, train again, and see whether it still says this word"};
    const float wide = ui_button_width(view->ui, button.label), right = line.x + line.w;
    const float high = fmaxf(24, fminf(26, line.h));
    const struct rect place = {right - wide, line.y + (line.h - high) / 2, wide, high};
    size_t count = 0;
    const size_t next = find_next(view, frame, &count);
    const char *const lack = lack_of_lines(view, frame, next < count);
    if (lack != NULL) {
        return right - canvas_text(view->ui->canvas, right, line.y + line.h / 2 + 5, FONT_WORDS,
                                   view->style.small, view->ui->theme->muted, CANVAS_RIGHT, lack);
    }
    if (next >= count) {
        return right;
    }
    if (ui_button(view->ui, "lines", place, &button)) {
        view_action_command(view, "blame");
        view_learn_action(view, VIEW_LEARN_BLAME, next, 0);
    }
    return place.x;
}

/* The way on, with the mouse. Returns where it begins. */
static float draw_way(struct view *view, const struct why_frame *frame, struct rect area)
{
    const enum way way = find_way(view, frame);
    const struct ui_button button = {.label = ways[way].label, .tip = ways[way].tip};
    const float right = area.x + area.w - EDGE;
    if (way == NO_WAY) {
        return right;
    }
    const float wide = ui_button_width(view->ui, button.label);
    const struct rect place = {right - wide, area.y + 10, wide, 26};
    if (ui_button(view->ui, "way on", place, &button)) {
        why_lead_on(view, frame);
    }
    return place.x;
}

static const float FORM = 15; /* size of the sum, which wraps where it is printed */

float view_why_formula_height(struct view *view, const struct why_frame *frame, float width)
{
    const char *line[LINES];
    float high = 2 * 10;
    find_lines(view, frame, line);
    for (size_t l = 0; l < LINES; l++) {
        high += line[l][0] == '\0' ? 0
                                   : 6 + view_wrapped_height(view, width - 2 * EDGE,
                                                             l == 1 ? FORM : UI_TEXT_BODY, line[l]);
    }
    return high;
}

static void print_lines(struct view *view, const char *const line[LINES], struct rect area)
{
    const struct ui_theme *const theme = view->ui->theme;
    float y = area.y + 10;
    for (size_t l = 0; l < LINES; l++) {
        const float size = l == 1 ? FORM : UI_TEXT_BODY;
        if (line[l][0] != '\0') {
            y += 6 + view_wrapped(view, area.x + EDGE, y + size, area.w - 2 * EDGE, size,
                                  l == 0 ? view_label_ink(view) : theme->ink, line[l]);
        }
    }
}

/* ends: where each line ends at most; words: the second line has words, and no sum. */
static void draw_lines(struct view *view, const char *const line[LINES], struct rect area,
                       const float ends[LINES], bool words)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct {
        enum font_face face;
        float size;
        struct colour colour;
    } forms[LINES] = {{FONT_WORDS, view->style.small, theme->muted},
                      {FONT_NUMBERS, UI_TEXT_TITLE, theme->ink},
                      {FONT_WORDS, UI_TEXT_BODY, theme->ink},
                      {FONT_WORDS, view->style.small, theme->muted}};
    const float high = area.h / (float)LINES, left = area.x + EDGE;
    for (size_t l = 0; l < LINES; l++) {
        const size_t form = l == 1 && words ? 2 : l;
        view_text_whole(view, left, area.y + high * ((float)l + 0.5f) + 5, forms[form].face,
                        forms[form].size, forms[form].colour, CANVAS_LEFT, line[l], ends[l] - left);
    }
}

void view_why_formula(struct view *view, const struct why_frame *frame, struct rect area)
{
    const char *line[LINES];
    find_lines(view, frame, line);
    view_panel(view, area, "Formula");
    canvas_clip(view->ui->canvas, area);
    if (view->style.has_controls) {
        const struct rect inner = {area.x, area.y + 4, area.w, area.h - 8};
        const float high = inner.h / LINES, end = area.x + area.w - EDGE;
        const struct rect lowest = {area.x + EDGE, inner.y + (LINES - 1) * high, area.w - 2 * EDGE,
                                    high};
        const float upper = draw_way(view, frame, area) - 8;
        const float lower = draw_way_to_lines(view, frame, lowest) - 8;
        draw_lines(view, line, inner, (const float[LINES]){upper, upper, end, lower},
                   find_way(view, frame) == TO_RESIDUAL);
    } else {
        print_lines(view, line, area);
    }
    canvas_unclip(view->ui->canvas);
    canvas_ungroup(view->ui->canvas);
}

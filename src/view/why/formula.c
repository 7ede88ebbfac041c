/* The selected part's number as the sum that it is, and a sentence of what it does. */
#include <math.h>

#include "base/translate.h"
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
    const float *const alpha = answer->alpha + place;
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
    return one->kind == VIEW_WHY_HEAD
               ? arena_words(view->arena,
                             tr("%s adds to %s = Σ α · v; v: what the value of a word "
                                "gives through W_O to the logits"),
                             one->name, frame->asked)
           : one->kind == VIEW_WHY_MLP
               ? arena_words(view->arena,
                             tr("%s adds to %s = Σ m · d; d: how the logits read the stream, gain "
                                "÷ root · u(%s), less its mean"),
                             one->name, frame->asked, frame->asked)
               : arena_words(view->arena, tr("%s adds to %s"), tr(one->name), frame->asked);
}

/* What is added directly, and what is lost without it: they are two numbers. */
static const char *sentence_of(struct view *view, const struct why_frame *frame)
{
    const struct view_why_answer *const answer = frame->answer;
    const struct view_why_part *const one = &answer->part[frame->selected];
    const char *const adds = why_signed(view, one->adds);
    const char *const lost = one->has_lost ? why_signed(view, one->lost) : "…";
    if (one->kind == VIEW_WHY_HEAD) {
        const size_t word = why_largest_word(frame, frame->selected);
        const size_t place = (one->layer * answer->heads + one->head) * answer->n + word;
        const char *const words = arena_words(
            view->arena,
            tr("%s looks at “%s” with %s. By itself it adds %s; without it %s is lost, also of "
               "what others make of it."),
            one->name, answer->words[word], why_percent(view, (double)answer->alpha[place]), adds,
            lost);
        return words == NULL || !view->style.has_controls
                   ? words
                   : arena_words(view->arena, "%s %s", words, tr("Enter: its stages."));
    }
    return one->kind == VIEW_WHY_MLP
               ? arena_words(view->arena,
                             tr("%s adds %s by itself; without it %s is lost, also of what later "
                                "parts make of it."),
                             one->name, adds, lost)
               : "";
}

void view_why_formula(struct view *view, const struct why_frame *frame, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_why_part *const one = &frame->answer->part[frame->selected];
    const char *const caption = caption_of(view, frame), *const words = sentence_of(view, frame);
    const char *const sum = one->kind == VIEW_WHY_HEAD  ? sum_of_head(view, frame, frame->selected)
                            : one->kind == VIEW_WHY_MLP ? sum_of_mlp(view, frame, frame->selected)
                                                        : why_signed(view, one->adds);
    const float x = area.x + EDGE, wide = area.w - 2 * EDGE, line = area.h / 3;
    view_panel(view, area, "Formula");
    canvas_clip(canvas, area);
    view_text_whole(view, x, area.y + line * 0.5f + 6, FONT_WORDS, UI_TEXT_SMALL, theme->muted,
                    CANVAS_LEFT, caption == NULL ? "" : caption, wide);
    view_text_whole(view, x, area.y + line * 1.5f + 6, FONT_NUMBERS, UI_TEXT_TITLE, theme->ink,
                    CANVAS_LEFT, sum == NULL ? "" : sum, wide);
    view_text_whole(view, x, area.y + line * 2.5f + 3, FONT_WORDS, UI_TEXT_BODY, theme->ink,
                    CANVAS_LEFT, words == NULL ? "" : words, wide);
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

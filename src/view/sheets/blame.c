/* Which line of the text taught the weights a word: a row a line, with what the word's probability
 * is where the run is trained again without that line. */
#include "view/parts/blame.h"

#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float EDGE = 24, TITLE = 34, ROW = 26, GAP = 10, BUTTON = 28, HEAD = 20;
static const float NUMBER = 34, SIMILAR = 74, PERCENT = 60, TAG_MAX = 132, BAR_SHARE = 0.26f;
static const float BAR_MIN = 90;
static const float WIDE = 1080;  /* the whole; in the presenter view letters are larger */
static const float NARROW = 760; /* below it a line's similarity has no column */

/* Where the columns stand, from the left. */
struct columns {
    float number, text, similar, bar, percent, tag; /* number, similar, percent: right ends */
    float text_wide, bar_wide, tag_wide;
};

static const char *tag_of(const struct view_blame *blame, const struct view_blame_line *line)
{
    return line->state == VIEW_BLAME_LEFT_OUT ? tr("left out")
           : line->is_cause
               ? (line->without < blame->probability ? tr("taught it") : tr("works against it"))
           : line->state == VIEW_BLAME_DRAWN ? tr("drawn at random")
                                             : "";
}

static float widest_tag(const struct view *view, const struct view_blame *blame)
{
    float wide = 0;
    for (size_t l = 0; l < blame->lines; l++) {
        wide = fmaxf(wide, canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_SMALL,
                                          tag_of(blame, &blame->line[l])));
    }
    return fminf(wide + 8, TAG_MAX);
}

/* Returns what stands behind a line's words: which other says the same, or how often it is learned;
 * NULL: nothing. */
static const char *times_of(struct view *view, const struct view_blame_line *line)
{
    return line->same_as > 0 ? arena_format(view->arena, "= line %zu", line->same_as)
           : line->count > 1 ? arena_format(view->arena, "× %zu", line->count)
                             : NULL;
}

static float width_of(struct view *view, enum font_face face, const char *text)
{
    return text == NULL ? 0 : canvas_measure(view->ui->canvas, face, UI_TEXT_SMALL, text);
}

/* Returns the room that the words of all lines have need of, whichever is the cause. */
static float widest_words(struct view *view, const struct view_blame *blame)
{
    float wide = 0;
    for (size_t l = 0; l < blame->lines; l++) {
        const char *const times = times_of(view, &blame->line[l]);
        wide = fmaxf(wide, width_of(view, FONT_WORDS_BOLD, blame->line[l].text) +
                               (times == NULL ? 0 : width_of(view, FONT_NUMBERS, times) + 8));
    }
    return wide + 1;
}

/* Where words lack room, the bars become shorter, then similarities have no column. */
static struct columns lay_out(struct view *view, const struct view_blame *blame, struct rect list)
{
    struct columns columns = {.number = list.x + NUMBER, .text = list.x + NUMBER + GAP};
    columns.tag_wide = widest_tag(view, blame);
    columns.tag = list.x + list.w - columns.tag_wide - 4;
    columns.percent = columns.tag - GAP;
    const float wanted = widest_words(view, blame), bar = list.w * BAR_SHARE;
    const float room = columns.percent - PERCENT - 3 * GAP - columns.text; /* beside the words */
    const bool has_similar = list.w >= NARROW && wanted + SIMILAR + BAR_MIN <= room;
    const float similar = has_similar ? SIMILAR : 0;
    columns.bar_wide = fmaxf(fminf(BAR_MIN, bar), fminf(bar, room - similar - wanted));
    columns.bar = columns.percent - PERCENT - columns.bar_wide;
    columns.similar = columns.bar - 2 * GAP;
    columns.text_wide = columns.similar - similar - GAP - columns.text;
    return columns;
}

/* ---- a line ---------------------------------------------------------------------------------- */

/* Draws the probability without the line as a bar, and a mark where it is with all lines. */
static void draw_bar(struct view *view, const struct view_blame *blame,
                     const struct view_blame_line *line, const struct columns *columns,
                     struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct rect track = {columns->bar, area.y + area.h / 2 - 4.5f, columns->bar_wide, 9};
    char digits[TEXT_NUMBER_MAX];
    const bool is_known = isfinite(line->without);
    canvas_rect(canvas, track, 4.5f, &(struct paint){.fill = theme->control});
    if (is_known) {
        const float filled = fmaxf(2, track.w * line->without);
        canvas_rect(canvas, (struct rect){track.x, track.y, filled, track.h},
                    fminf(4.5f, filled / 2),
                    &(struct paint){.fill = line->is_cause ? theme->accent : theme->output});
    }
    canvas_rect(canvas,
                (struct rect){track.x + track.w * blame->probability - 1, track.y - 3, 2, 15}, 0,
                &(struct paint){.fill = theme->ink});
    text_percent(digits, (double)line->without);
    const char *const percent = is_known ? arena_format(view->arena, "%s %%", digits) : "…";
    canvas_text(canvas, columns->percent, area.y + area.h / 2 + 4.5f,
                line->is_cause ? FONT_NUMBERS_BOLD : FONT_NUMBERS, UI_TEXT_SMALL,
                line->is_cause ? theme->ink : theme->muted, CANVAS_RIGHT,
                percent == NULL ? "" : percent);
}

/* Draws the line's words, and behind them how often they stand there. */
static void draw_words(struct view *view, const struct view_blame_line *line,
                       const struct columns *columns, float y)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const enum font_face face = line->is_cause ? FONT_WORDS_BOLD : FONT_WORDS;
    const struct colour ink = line->state == VIEW_BLAME_RANKED || line->state == VIEW_BLAME_LEFT_OUT
                                  ? theme->muted
                                  : theme->ink;
    const char *const times = times_of(view, line);
    const float wide = times == NULL ? 0 : width_of(view, FONT_NUMBERS, times) + 8;
    const float words = fminf(width_of(view, face, line->text), columns->text_wide - wide);
    canvas_text_cut(canvas, columns->text, y, face, UI_TEXT_SMALL, ink, CANVAS_LEFT, line->text,
                    columns->text_wide - wide);
    if (times != NULL) {
        canvas_text(canvas, columns->text + words + 8, y, FONT_NUMBERS, UI_TEXT_SMALL, theme->muted,
                    CANVAS_LEFT, times);
    }
}

static const char *tip_of(struct view *view, const struct view_blame_line *line)
{
    const char *const times =
        line->same_as > 0
            ? arena_format(view->arena, "Line %zu says the same, and stays. ", line->same_as)
        : line->count > 1
            ? arena_format(view->arena, "It comes %zu times in what is learned. ", line->count)
            : "";
    const char *const click =
        line->state == VIEW_BLAME_LEFT_OUT
            ? arena_format(view->arena, "A click trains again with line %zu", line->number)
            : arena_format(view->arena,
                           "A click trains again without line %zu, and shows what is said then",
                           line->number);
    return times == NULL || click == NULL ? NULL : arena_words(view->arena, "%s%s", times, click);
}

static void draw_line(struct view *view, const struct view_blame *blame, size_t index,
                      const struct columns *columns, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_blame_line *const line = &blame->line[index];
    const uint32_t id = ui_id_number(view->ui, "line", line->number);
    const struct ui_touch touch = ui_touch(view->ui, id, area, true);
    const float y = area.y + area.h / 2 + 4.5f;
    char number[TEXT_NUMBER_MAX];
    canvas_group(canvas, id, line->text);
    if (touch.hover) {
        canvas_rect(canvas, area, 5, &(struct paint){.fill = theme->control});
    }
    canvas_text(canvas, columns->number, y, FONT_NUMBERS, UI_TEXT_SMALL, theme->muted, CANVAS_RIGHT,
                text_count(number, line->number));
    draw_words(view, line, columns, y);
    if (line->state != VIEW_BLAME_LEFT_OUT) {
        if (columns->similar - SIMILAR > columns->text + columns->text_wide) {
            text_number(number, (double)line->similarity * 100, 0);
            canvas_text(canvas, columns->similar, y, FONT_NUMBERS, UI_TEXT_SMALL, theme->muted,
                        CANVAS_RIGHT, number);
        }
        if (line->state != VIEW_BLAME_RANKED) {
            draw_bar(view, blame, line, columns, area);
        }
    }
    view_text_whole(view, columns->tag, y, line->is_cause ? FONT_WORDS_BOLD : FONT_WORDS,
                    UI_TEXT_SMALL, line->is_cause ? theme->accent : theme->muted, CANVAS_LEFT,
                    tag_of(blame, line), columns->tag_wide);
    ui_draw_focus(view->ui, id, rect_inset(area, 3), 4); /* the list cuts what lies beside it */
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, area, tip_of(view, line));
    if (touch.clicked) {
        view_learn_action(view, VIEW_LEARN_LEAVE_OUT, line->number, 0);
    }
}

/* Returns what the number behind a line is, where any has one. */
static const char *head_of_lines(const struct view_blame *blame)
{
    for (size_t l = 0; l < blame->lines; l++) {
        if (blame->line[l].count > 1 && blame->line[l].same_as == 0) {
            return tr("line (× how often it comes)");
        }
    }
    return tr("line");
}

static void draw_heads(struct view *view, const struct view_blame *blame,
                       const struct columns *columns, float y)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct colour ink = view->ui->theme->muted;
    const char *const without = arena_words(view->arena, "“%s” without it", blame->word);
    const float room = columns->percent - columns->bar;
    canvas_text_cut(canvas, columns->text, y, FONT_WORDS, UI_TEXT_TINY, ink, CANVAS_LEFT,
                    head_of_lines(blame), columns->text_wide);
    if (columns->similar - SIMILAR > columns->text + columns->text_wide) {
        const struct rect head = {columns->similar - SIMILAR, y - 12, SIMILAR, HEAD};
        canvas_text(canvas, columns->similar, y, FONT_WORDS, UI_TEXT_TINY, ink, CANVAS_RIGHT,
                    tr("similarity"));
        ui_tip(view->ui, ui_id(view->ui, "similarity"), head,
               "How alike learning this line and learning the word move the weights, estimated "
               "from gradients: the largest is 100. Above 0, the line made the word likelier. The "
               "estimate only chooses which lines are left out.");
    }
    view_text_whole(view, columns->bar, y, FONT_WORDS, UI_TEXT_TINY, ink, CANVAS_LEFT,
                    without == NULL ? "" : without, room);
}

/* Returns how many lines stand before those that were not left out: these a figure lists alone. */
static size_t count_left_out(const struct view_blame *blame)
{
    size_t count = 0;
    while (count < blame->lines && blame->line[count].state != VIEW_BLAME_RANKED) {
        count++;
    }
    return count;
}

static void draw_list(struct view *view, const struct view_blame *blame, struct rect list)
{
    const struct columns columns = lay_out(view, blame, list);
    float offset = view->state->batch_scroll;
    draw_heads(view, blame, &columns, list.y + 12);
    list.y += HEAD;
    list.h = fmaxf(list.h - HEAD, 1);
    const size_t lines = view->style.has_controls ? blame->lines : count_left_out(blame);
    const float from = ui_scroll_begin(view->ui, "lines", list, (float)lines * ROW, &offset);
    for (size_t l = 0; l < lines; l++) {
        const float y = list.y - from + (float)l * ROW;
        if (y + ROW > list.y && y < list.y + list.h) {
            draw_line(view, blame, l, &columns, (struct rect){list.x, y, list.w - 8, ROW});
        }
    }
    ui_scroll_end(view->ui);
    if (offset < view->state->batch_scroll || offset > view->state->batch_scroll) {
        view_action_set(view, batch_scroll, offset);
    }
}

/* ---- above the lines ------------------------------------------------------------------------- */

/* Draws the next words, of which one is asked about. Returns where they end. */
static float draw_words_to_ask(struct view *view, const struct view_blame *blame, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    char digits[TEXT_NUMBER_MAX];
    float x = area.x;
    for (size_t i = 0; i < learn->next_count; i++) {
        text_percent(digits, learn->next[i].share);
        const char *const label =
            arena_format(view->arena, "%s %s %%", learn->next[i].word, digits);
        if (label == NULL) {
            break;
        }
        const float wide = ui_button_width(view->ui, label);
        if (x + wide > area.x + area.w || (i > 0 && learn->next[i].share < 0.005)) {
            break;
        }
        const struct ui_button button = {.label = label,
                                         .style =
                                             i == blame->next ? UI_BUTTON_CURRENT : UI_BUTTON_PLAIN,
                                         .tip = "Ask which line taught it this word"};
        ui_push(view->ui, learn->next[i].word);
        if (ui_button(view->ui, "ask", (struct rect){x, area.y, wide, area.h}, &button)) {
            view_learn_action(view, VIEW_LEARN_BLAME, i, 0);
        }
        ui_pop(view->ui);
        x += wide + GAP;
    }
    return x;
}

/* "Training once more", "3 of 12", with how long the rest takes where that is known. */
static const char *progress_text(struct view *view, const struct view_blame *blame)
{
    static const double MINUTE = 60;
    const char *const what =
        blame->is_old || blame->word == NULL
            ? tr("Training once more")
            : arena_words(view->arena, tr("%zu of %zu"), blame->done, blame->all);
    const double left = blame->is_given_up ? -1 : blame->seconds_left;
    const char *const rest =
        left < 0 || what == NULL ? NULL
        : left >= 2 * MINUTE
            ? arena_words(view->arena, tr("%s · about %zu min left"), what,
                          (size_t)(left / MINUTE + 0.5))
            : arena_words(view->arena, tr("%s · about %zu s left"), what, (size_t)(left + 1));
    return rest != NULL ? rest : what != NULL ? what : "";
}

/* Draws how many lines were left out so far, with Cancel; or the way to all the others. Returns the
 * left end. */
static float draw_progress(struct view *view, const struct view_blame *blame, struct rect area)
{
    const bool runs = blame->done < blame->all || blame->is_old || blame->word == NULL;
    if (!runs && !blame->can_repeat_each) {
        return area.x + area.w;
    }
    const char *const each = arena_words(view->arena, "All %zu lines", blame->lines_all);
    const struct ui_button button =
        !runs ? (struct ui_button){.label = each,
                                   .tip = "Leave every line out in turn, the unlikely ones too"}
        : blame->is_given_up
            ? (struct ui_button){.label = "Go on", .tip = "The rest is left out in turn, too"}
            : (struct ui_button){.label = "Cancel", .tip = "What is there stays"};
    const float wide = ui_button_width(view->ui, button.label);
    const float x = area.x + area.w - wide;
    if (ui_button(view->ui, "rest", (struct rect){x, area.y, wide, area.h}, &button)) {
        view_learn_action(view, runs ? VIEW_LEARN_BLAME_REST : VIEW_LEARN_BLAME_EACH, 0, 0);
    }
    if (!runs) {
        return x;
    }
    return x - GAP -
           canvas_text(view->ui->canvas, x - GAP, area.y + area.h / 2 + 4.5f, FONT_NUMBERS,
                       UI_TEXT_SMALL, view->ui->theme->muted, CANVAS_RIGHT,
                       progress_text(view, blame));
}

/* Draws what the lines tell. Returns its height. */
static float draw_sentence(struct view *view, const struct view_blame *blame, struct rect area)
{
    const struct ui_theme *const theme = view->ui->theme;
    const char *const sentence =
        blame->sentence[0] != '\0'
            ? blame->sentence
            : tr("Each of these lines is left out in turn, and the weights are trained again from "
                 "the same start: does it still say it?");
    float high = view_wrapped(view, area.x, area.y, area.w, UI_TEXT_BODY, theme->ink, sentence);
    if (blame->doubt != NULL) {
        high += 4 + view_wrapped(view, area.x, area.y + high + 4, area.w, UI_TEXT_SMALL,
                                 theme->muted, blame->doubt);
    }
    return high;
}

static void draw_refusal(struct view *view, const struct view_blame *blame, struct rect area)
{
    static const struct {
        const char *label, *tip;
        enum view_learn_act act;
        size_t which;
        bool closes;
    } ways[VIEW_BLAME_WAYS] = {
        [VIEW_BLAME_ROWS] = {"Learn line by line", "From the beginning: Undo returns",
                             VIEW_LEARN_ROWS, 1, true},
        [VIEW_BLAME_AS_MADE] = {"Take the changes back",
                                "It trains again to this step without them: Undo returns",
                                VIEW_LEARN_AS_MADE, 0, false},
    };
    const float high = view_wrapped(view, area.x, area.y + UI_TEXT_BODY, area.w, UI_TEXT_BODY,
                                    view->ui->theme->ink, blame->refused);
    const struct ui_button button = {
        .label = ways[blame->way].label, .style = UI_BUTTON_STRONG, .tip = ways[blame->way].tip};
    if (button.label == NULL) {
        return;
    }
    const struct rect place = {area.x, area.y + high + GAP, ui_button_width(view->ui, button.label),
                               BUTTON};
    if (ui_button(view->ui, "way", place, &button)) {
        if (ways[blame->way].closes) {
            view_action_command(view, "close");
        }
        view_learn_action(view, ways[blame->way].act, ways[blame->way].which, 0);
    }
}

/* Before the first line is known: what is done, how far it is and how long it takes. */
static void draw_wait(struct view *view, const struct view_blame *blame, struct rect area)
{
    static const float BAR = 6, BAR_MAX = 420;
    const struct ui_theme *const theme = view->ui->theme;
    char steps[TEXT_NUMBER_MAX];
    const char *const what = arena_words(
        view->arena,
        tr("First it is trained once more from the same start, %s steps, to see which lines are "
           "like this word. Then again without each of the likeliest, and without some that are "
           "drawn at random. Closed, this pauses; opened again, it goes on."),
        text_count(steps, (size_t)blame->steps));
    float y = area.y + UI_TEXT_BODY;
    y += view_wrapped(view, area.x, y, area.w, UI_TEXT_BODY, theme->ink, what == NULL ? "" : what);
    const struct rect track = {area.x, y, fminf(area.w, BAR_MAX), BAR};
    canvas_rect(view->ui->canvas, track, BAR / 2, &(struct paint){.fill = theme->control});
    canvas_rect(view->ui->canvas,
                (struct rect){track.x, track.y, track.w * fmaxf(0, fminf(1, blame->progress)), BAR},
                BAR / 2, &(struct paint){.fill = theme->accent});
    if (blame->is_given_up) {
        view_wrapped(view, area.x, y + BAR + GAP + UI_TEXT_SMALL, area.w, UI_TEXT_SMALL,
                     theme->muted, tr("Stopped: “Go on” continues from here."));
    }
}

static void draw_answer(struct view *view, const struct view_blame *blame, struct rect area)
{
    const bool has_row = view->style.has_controls;
    const struct rect row = {area.x, area.y, area.w, BUTTON};
    if (has_row) {
        const float left = draw_progress(view, blame, row);
        (void)draw_words_to_ask(view, blame,
                                (struct rect){row.x, row.y, left - GAP - row.x, row.h});
    }
    if (blame->word == NULL) {
        draw_wait(view, blame, (struct rect){area.x, area.y + BUTTON + 2 * GAP, area.w, area.h});
        return;
    }
    const float above = has_row ? BUTTON + 1.5f * GAP : 0;
    const struct rect sentence = {area.x, area.y + above + UI_TEXT_BODY, area.w, area.h};
    const float taken = above + draw_sentence(view, blame, sentence) + GAP;
    draw_list(view, blame,
              (struct rect){area.x - 8, area.y + taken, area.w + 16, fmaxf(area.h - taken, 1)});
}

static const char *title_of(struct view *view, const struct view_blame *blame)
{
    const char *const title =
        blame == NULL || blame->word == NULL || blame->behind == NULL || blame->behind[0] == '\0'
            ? NULL
            : arena_words(view->arena, "Which line taught it “%s” behind “%s”?", blame->word,
                          blame->behind);
    return title != NULL ? title : tr("Which line taught it that?");
}

void view_learn_blame(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    const struct view_blame *const blame = learn == NULL ? NULL : learn->blame;
    const struct rect place =
        view->style.has_controls ? view_overlay_place(view, area, WIDE, area.h) : area;
    const struct view_overlay_frame frame = {.name = "blame",
                                             .label = "Which line taught it",
                                             .place = place,
                                             .no_cross = !view->style.has_controls};
    const struct rect inner = {place.x + EDGE, place.y + TITLE + 18, place.w - 2 * EDGE,
                               fmaxf(place.h - TITLE - 18 - 12, 1)};
    view_overlay_begin(view, area, &frame);
    view_text_whole(view, place.x + EDGE, place.y + TITLE, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    view->ui->theme->ink, CANVAS_LEFT, title_of(view, blame), place.w - 90);
    if (blame != NULL && blame->refused != NULL) {
        draw_refusal(view, blame, inner);
    } else if (blame != NULL) {
        draw_answer(view, blame, inner);
    }
    view_overlay_end(view, &frame);
}

struct point view_learn_blame_size(struct view *view)
{
    const float wide = 840, above = 112; /* its title, its sentence and the heads of columns */
    const struct view_learn *const learn = view->state->learn;
    const size_t lines = learn == NULL || learn->blame == NULL ? 0 : count_left_out(learn->blame);
    return (struct point){wide, TITLE + above + (float)lines * ROW};
}

/* The status line: the sizes, the time of the last run, or a message. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/overview/thumbnail.h"
#include "view/parts/pieces.h"

/* --- Long work: what is being done, its progress, and the button that cancels it. --- */

static const float CANCEL_WIDE = 66, TRACK_WIDE = 160;
static const double ANNOUNCE_AFTER = 0.2; /* seconds; shorter work is not announced */

/* Draws the progress; if it is unknown, a part that moves to and fro. */
static void draw_progress_bar(struct view *view, struct rect track, float progress)
{
    const struct ui_theme *const theme = view->ui->theme;
    const double way = fmod(view->ui->input->time, 2);
    const float place = (float)(way < 1 ? way : 2 - way), part = track.w * 0.25f;
    const struct rect done =
        progress < 0
            ? (struct rect){track.x + (track.w - part) * place, track.y, part, track.h}
            : (struct rect){track.x, track.y, fmaxf(3, track.w * fminf(1, progress)), track.h};
    canvas_rect(view->ui->canvas, track, 3, &(struct paint){.fill = theme->control});
    canvas_rect(view->ui->canvas, done, 3, &(struct paint){.fill = theme->accent});
}

bool view_work_is_told(const struct view *view)
{
    const struct view_work *const work = view->state->work;
    return work != NULL && view->ui->input->time >= work->began + ANNOUNCE_AFTER;
}

/* The presenter view has no status line, and a sheet covers it. */
static bool stands_over_all(const struct view_state *state)
{
    return state->prefs.presenter || state->overlay != VIEW_OVERLAY_NONE;
}

static bool shows_message(const struct view *view)
{
    return view->state->message != NULL && !view->state->message_is_toast &&
           !stands_over_all(view->state);
}

/* Draws a message: in a smaller font, then in two lines; one without room there is drawn over the
 * lower edge instead. */
static void draw_message(struct view *view, struct rect area, float room)
{
    static const float FONT_MIN = 10, TWO_LINES = 30;
    struct canvas *const canvas = view->ui->canvas;
    const struct colour accent = view->ui->theme->accent;
    const char *const text = view->state->message;
    const float wide = canvas_measure(canvas, FONT_WORDS_MEDIUM, UI_TEXT_SMALL, text);
    const float size = fmaxf(FONT_MIN, UI_TEXT_SMALL * fminf(1, room / fmaxf(wide, 1)) - 0.05f);
    const float drawn = wide * size / UI_TEXT_SMALL;
    if (drawn <= room) {
        canvas_text(canvas, area.x, area.y + area.h / 2 + 4, FONT_WORDS_MEDIUM, size, accent,
                    CANVAS_LEFT, text);
    } else if (area.h >= TWO_LINES &&
               view_wrapped_height(view, room, size, text) < TWO_LINES + size) {
        view_wrapped(view, area.x, area.y + area.h / 2 - 3, room, size, accent, text);
    } else {
        view->message_overflows = true;
    }
}

/* Draws the progress of the work with Cancel, and the message after it. */
static void draw_progress(struct view *view, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_work *const work = view->state->work;
    canvas_group(canvas, ui_id(view->ui, "progress"), "Progress");
    const struct ui_button button = {.label = "Cancel",
                                     .tip = "Give it up: what was there before stays"};
    const float wide = fmaxf(CANCEL_WIDE, ui_button_width(view->ui, button.label));
    if (ui_button(view->ui, "cancel work", (struct rect){area.x, area.y + 1, wide, area.h - 2},
                  &button)) {
        view_action_command(view, "give up");
    }
    const struct rect track = {area.x + wide + 12, area.y + area.h / 2 - 3,
                               fminf(TRACK_WIDE, area.w * 0.3f), 6};
    draw_progress_bar(view, track, work->progress);
    const float x = track.x + track.w + 12, room = area.x + area.w - x;
    if (shows_message(view)) {
        draw_message(view, (struct rect){x, area.y, room, area.h}, room);
    } else {
        canvas_text_cut(canvas, x, area.y + area.h / 2 + 4, FONT_WORDS, UI_TEXT_SMALL,
                        view->ui->theme->ink, CANVAS_LEFT, tr(work->doing), room);
    }
    canvas_ungroup(canvas);
}

static const char *count_text(const struct view *view, const char *one, const char *many,
                              size_t count)
{
    return arena_words(view->arena, tr_n(one, many, count), count);
}

/* "8 heads · head 3": how many there are, and which is shown; with layers, L0H2 names it elsewhere.
 */
static const char *heads_text(const struct view *view, size_t heads)
{
    const size_t head = view->selection.head;
    return heads == 1 || view->experiment->layers > 0
               ? arena_words(view->arena, tr_n("%zu head", "%zu heads", heads), heads)
               : arena_words(view->arena, "%zu heads · head %zu", heads, head + 1);
}

/* "12 layers × 12 heads · dₖ 64 · L4H6", in a model. */
static const char *layers_text(struct view *view, const struct lab_sizes *sizes)
{
    const struct lab_experiment *const experiment = view->experiment;
    return arena_format(view->arena, "%s · d_model %zu · %s × %s · dₖ %zu · L%zuH%zu",
                        count_text(view, "%zu token", "%zu tokens", sizes->n), sizes->d_model,
                        count_text(view, "%zu layer", "%zu layers", experiment->layers),
                        count_text(view, "%zu head", "%zu heads", sizes->heads), sizes->d_k,
                        experiment->layer, view->selection.head);
}

/* The sizes that are known if the numbers are given. */
static const char *raw_text(struct view *view, const struct lab_sizes *sizes, const char *heads)
{
    const struct lab_experiment *const experiment = view->experiment;
    const char *text = arena_format(view->arena, "%s · %s · %s",
                                    count_text(view, "%zu query", "%zu queries", sizes->n),
                                    count_text(view, "%zu key", "%zu keys", sizes->m), heads);
    if (experiment->layers > 0 && text != NULL) {
        text = arena_format(view->arena, "%s · %s · L%zuH%zu", text,
                            count_text(view, "%zu layer", "%zu layers", experiment->layers),
                            experiment->layer, view->selection.head);
    }
    if (sizes->d_k > 0 && text != NULL) {
        text = arena_format(view->arena, "%s · dₖ %zu", text, sizes->d_k);
    }
    if (sizes->d_v > 0 && text != NULL) {
        text = arena_format(view->arena, "%s · dᵥ %zu", text, sizes->d_v);
    }
    return text;
}

static const char *sizes_text(struct view *view)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    if (view->experiment->layers > 0 && !sizes.raw) {
        return layers_text(view, &sizes);
    }
    const char *heads = heads_text(view, sizes.heads);
    if (sizes.raw) {
        return raw_text(view, &sizes, heads);
    }
    return arena_format(view->arena, "%s · d_model %zu · %s · dₖ %zu · dᵥ %zu",
                        count_text(view, "%zu token", "%zu tokens", sizes.n), sizes.d_model, heads,
                        sizes.d_k, sizes.d_v);
}

static const char *run_text(struct view *view)
{
    const struct lab_run_facts facts = lab_trace_facts(view->trace);
    const bool long_run = facts.microseconds >= 1000;
    char time[TEXT_NUMBER_MAX];
    text_number(time, long_run ? facts.microseconds / 1000 : facts.microseconds, 1);
    return arena_format(view->arena, "%s %s · %s · %s", time, long_run ? "ms" : "µs",
                        facts.isa_title,
                        count_text(view, "%zu thread", "%zu threads", facts.threads));
}

/* Sets the tips, each of one line, so that nothing above is covered. */
static void draw_tips(struct view *view, struct rect area, float left, float right)
{
    const struct rect sizes = {area.x, area.y, left, area.h};
    const struct rect run = {area.x + area.w - right, area.y, right, area.h};
    ui_tip(view->ui, ui_id(view->ui, "sizes"), sizes, "How many words, dimensions and heads");
    ui_tip(view->ui, ui_id(view->ui, "run"), run, "Time of the last run, instructions, threads");
}

/* Draws a message of the presenter view, of a sheet, or a long one, at the lower edge, away from
 * controls and sums. */
static void draw_edge_message(struct view *view, struct rect area)
{
    static const float PAD = 14, LINE = 18, ABOVE = 3, MARGIN = 16;
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const char *const text = view->state->message;
    const float words = canvas_measure(canvas, FONT_WORDS_MEDIUM, UI_TEXT_SMALL, text);
    const float room = area.w - 2 * (MARGIN + PAD);
    const float wide = fminf(words + 1, room);
    const float high = view_wrapped_height(view, wide, UI_TEXT_SMALL, text);
    const float card_high = fmaxf(LINE, high) + ABOVE;
    const struct rect card = {area.x + (area.w - wide) / 2 - PAD, area.y + area.h - card_high - 1,
                              wide + 2 * PAD, card_high};
    canvas_group(canvas, ui_id(view->ui, "message"), "Message");
    canvas_rect(canvas, card, UI_CORNER_SMALL,
                &(struct paint){.fill = theme->ink, .stroke = theme->panel, .width = 1});
    view_wrapped(view, card.x + PAD, card.y + (card_high - high) / 2 + UI_TEXT_SMALL, wide,
                 UI_TEXT_SMALL, theme->panel, text);
    canvas_ungroup(canvas);
}

/* Draws the message about a change near its place, over everything, inside the window. */
void view_toast(struct view *view, struct rect area)
{
    static const float HIGH = 34, PAD = 14, BELOW = 22, MARGIN = 8;
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_state *const state = view->state;
    if (state->message == NULL || !state->message_is_toast) {
        if (state->message != NULL && (stands_over_all(state) || view->message_overflows)) {
            draw_edge_message(view, area);
        }
        return;
    }
    const float words = canvas_measure(canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, state->message);
    const float wide = fminf(words + 2 * PAD + 1, area.w - 2 * MARGIN);
    const float x_max = area.x + area.w - MARGIN - wide, y_max = area.y + area.h - MARGIN - HIGH;
    const float y = state->toast_at.y + BELOW;
    const struct rect card = {
        fmaxf(area.x + MARGIN, fminf(state->toast_at.x - wide / 2, x_max)),
        fmaxf(area.y + MARGIN, y <= y_max ? y : state->toast_at.y - BELOW - HIGH), wide, HIGH};
    canvas_group(canvas, ui_id(view->ui, "toast"), "Message");
    canvas_rect(canvas, card, UI_CORNER_SMALL,
                &(struct paint){.fill = theme->ink, .stroke = theme->panel, .width = 1});
    canvas_text_cut(canvas, card.x + PAD, card.y + HIGH / 2 + 5, FONT_WORDS_MEDIUM, UI_TEXT_BODY,
                    theme->panel, CANVAS_LEFT, state->message, wide - 2 * PAD);
    canvas_ungroup(canvas);
}

/* Says that the tokens were not computed, and why. */
static const char *not_computed_text(const struct view *view)
{
    const struct lab_experiment *const current =
        view->pending != NULL ? view->pending : view->experiment;
    return arena_format(
        view->arena, "%s · not computed: %s",
        count_text(view, "%zu token", "%zu tokens", lab_words_count(current->tokens)), view->why);
}

/* The first letter of these words that no font has; 0: there is none. Of a long text the beginning
 * tells. */
static uint32_t lacking_letter(const struct view *view, const struct lab_words *words)
{
    enum { LOOKED_AT = 64 };
    const size_t count = words == NULL ? 0 : lab_words_count(words);
    uint32_t letter = 0;
    for (size_t w = 0; letter == 0 && w < count && w < LOOKED_AT; w++) {
        const char *const word = lab_words_list(words)[w];
        letter = font_run_lacks(
            font_shape(canvas_fonts(view->ui->canvas), FONT_WORDS, word, strlen(word)));
    }
    return letter;
}

/* The sizes, which are those before while something is being computed; and where letters that no
 * font has come from. */
static const char *state_text(struct view *view)
{
    const char *const sizes = sizes_text(view);
    if (view_is_computing(view)) {
        return arena_format(view->arena, "%s · computing…", sizes);
    }
    const uint32_t own = lacking_letter(view, view->experiment->tokens);
    const uint32_t letter = own != 0 ? own : lacking_letter(view, view->experiment->context);
    return letter == 0 ? sizes
                       : arena_format(view->arena,
                                      tr("%s · No font has U+%04X: on Debian the package %s "
                                         "brings it."),
                                      sizes, (unsigned)letter, font_package(letter));
}

void view_status(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    canvas_group(canvas, ui_id(view->ui, "status"), "Status");
    const float y = area.y + area.h / 2 + 4;
    const struct colour quiet = colour_mix(theme->muted, theme->ink, 0.2f);
    float room = area.w, run_wide = 0;
    if (view->trace != NULL) {
        const char *run = view->state->isa_note != NULL ? view->state->isa_note : run_text(view);
        const float wide =
            canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_TINY, run != NULL ? run : "");
        if (run != NULL && wide < area.w * 0.5f) {
            canvas_text(canvas, area.x + area.w, y, FONT_NUMBERS, UI_TEXT_TINY, quiet, CANVAS_RIGHT,
                        run);
            room -= wide + 20;
            run_wide = wide;
        }
    }
    const bool message = shows_message(view);
    if (view_work_is_told(view)) {
        draw_progress(view, (struct rect){area.x, area.y, room, area.h});
        canvas_ungroup(canvas);
        return;
    }
    const char *left = message               ? view->state->message
                       : view->trace != NULL ? state_text(view)
                       : view->why != NULL   ? not_computed_text(view)
                                             : tr("no tokens");
    if (message) {
        draw_message(view, area, room);
    } else {
        canvas_text_cut(canvas, area.x, y, FONT_WORDS, UI_TEXT_TINY, quiet, CANVAS_LEFT,
                        left != NULL ? left : "", room);
    }
    canvas_ungroup(canvas);
    const float wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_TINY, left != NULL ? left : "");
    draw_tips(view, area, fminf(wide, room), run_wide);
}

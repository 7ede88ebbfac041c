/* The panels of the presenter view: those that the step names, together, each as large as there is
 * room. */
#include <math.h>

#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/stage/tiles.h"

/* Draws a panel whose content would reveal what is to be guessed. */
static void draw_covered(struct view *view, struct rect area, const char *title)
{
    view_panel(view, area, title);
    view_panel_header(view, area, title, "");
    view_notice(view, rect_inset(area, 30), "Guess first",
                "This is shown when the answer is revealed.");
    canvas_ungroup(view->ui->canvas);
}

/* In training, these two panels show the trained weights. */
static void draw_space(struct view *view, struct rect area)
{
    if (view_learn_is_shown(view->state)) {
        view_learn_words(view, area);
    } else {
        view_space(view, area);
    }
}

static void draw_heads(struct view *view, struct rect area)
{
    if (view_learn_is_shown(view->state)) {
        view_learn_heads(view, area);
    } else {
        view_heads(view, area);
    }
}

/* A row for each bit of enum lab_panel. */
static const struct {
    void (*draw)(struct view *view, struct rect area);
    const char *veil; /* title of the covered panel during a guess; NULL: never covered */
    unsigned hide;    /* bit of enum lab_hide; 0: never hidden */
    float weight;     /* of its width */
} rows[] = {
    {view_stage, NULL, 0, 1.35f},
    {draw_space, "3-D view", LAB_HIDE_SPACE, 1},
    {draw_heads, "Heads", LAB_HIDE_HEADS, 1},
    {view_head, "Head", LAB_HIDE_HEADS, 1},
    {view_costs, NULL, 0, 1.1f},
    {view_kinds_overlay, "All kinds", 0, 1.25f},
    {view_decode, "Decoding", 0, 1.25f},
    {view_learn_lines, "Lines it learns from", 0, 1},
};

enum { ROWS = sizeof rows / sizeof *rows };

void view_panel_show(struct view *view, enum lab_panel panel, struct rect area)
{
    size_t at = 0;
    while (at + 1 < ROWS && 1u << at != (unsigned)panel) {
        at++;
    }
    const bool was_in_panel = view->in_panel;
    view->in_panel = true;
    if (rows[at].veil != NULL && view_guess(view) != LAB_GUESS_NONE) {
        draw_covered(view, area, rows[at].veil);
    } else if ((view->state->hide & rows[at].hide) == 0) {
        rows[at].draw(view, area);
    }
    view->in_panel = was_in_panel;
}

/* The panels of a stage that no step is about: with a scene or the weights, unless its matrices
 * need all the room. */
static unsigned default_panels(const struct view *view)
{
    enum { COMPANION_MAX = 8 }; /* rows and terms of a stage with a second panel */
    const struct view_state *const state = view->state;
    const bool wide = state->prefs.display.flow || state->compare != VIEW_COMPARE_NOT;
    if (view->trace == NULL || wide || view_tiles_are_shown(view->trace, state->playback.stage) ||
        state->playback.stage == LAB_SCALE) {
        return LAB_PANEL_STAGE;
    }
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const bool weights = state->playback.stage == LAB_SOFTMAX;
    const size_t terms = state->playback.stage == LAB_BLEND   ? sizes.m
                         : state->playback.stage == LAB_EMBED ? 0
                         : weights                            ? 0
                                                              : sizes.d_k;
    return sizes.n + terms > COMPANION_MAX ? LAB_PANEL_STAGE
           : !weights                      ? LAB_PANEL_STAGE | LAB_PANEL_SPACE
           : sizes.heads > 1               ? LAB_PANEL_STAGE | LAB_PANEL_HEADS
                                           : LAB_PANEL_STAGE | LAB_PANEL_HEAD;
}

size_t view_small_panels(const struct view_state *state,
                         enum view_small_panel panels[VIEW_SMALL_PANELS])
{
    const bool overview = view_head_overview_is_shown(state);
    const struct {
        enum view_small_panel panel;
        bool is_there;
    } all[] = {
        {VIEW_SMALL_PANEL_NONE, true},
        {VIEW_SMALL_PANEL_SPACE, !overview && (state->hide & LAB_HIDE_SPACE) == 0},
        {VIEW_SMALL_PANEL_HEADS, overview || (state->hide & LAB_HIDE_HEADS) == 0},
        {VIEW_SMALL_PANEL_NEXT, overview && view_next_is_shown(state->head_overview)},
        {VIEW_SMALL_PANEL_FORMULA, (state->hide & LAB_HIDE_FORMULA) == 0},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].is_there) {
            panels[count++] = all[i].panel;
        }
    }
    return count;
}

size_t view_small_panel_shown(const struct view_state *state)
{
    enum view_small_panel panels[VIEW_SMALL_PANELS];
    size_t at = view_small_panels(state, panels);
    while (at > 1 && panels[at - 1] != state->small_panel) {
        at--;
    }
    return at - 1;
}

unsigned view_panels_shown(const struct view *view)
{
    static const unsigned panels[VIEW_SMALL_PANELS] = {[VIEW_SMALL_PANEL_SPACE] = LAB_PANEL_SPACE,
                                                       [VIEW_SMALL_PANEL_HEADS] = LAB_PANEL_HEADS,
                                                       [VIEW_SMALL_PANEL_STAGE] = LAB_PANEL_STAGE};
    const struct view_state *const state = view->state;
    if (panels[state->small_panel] != 0) {
        return panels[state->small_panel];
    }
    const bool speaks = state->panels != 0 && view_caption_is_here(state) &&
                        !state->prefs.display.flow && state->compare == VIEW_COMPARE_NOT;
    return speaks ? state->panels : default_panels(view);
}

/* Splits `share` of the area off its left, or if upright off its top. */
static struct rect split_off(struct rect *area, bool upright, float share)
{
    struct rect part = *area;
    float *const long_part = upright ? &part.h : &part.w;
    float *const from = upright ? &area->y : &area->x, *const left = upright ? &area->h : &area->w;
    *long_part = fmaxf((*left - UI_GUTTER) * share, 1);
    *from += *long_part + UI_GUTTER;
    *left = fmaxf(*left - *long_part - UI_GUTTER, 1);
    return part;
}

/* The weight of a panel's width: a head of many keys gets more room than the stage, for its
 * numbers; the masked scores of many keys get most of it beside a panel without cells. */
static float panel_weight(const struct view *view, size_t row)
{
    enum { FEW_KEYS = 8 };
    static const float OF_MANY = 1.46f, OF_SCORES = 2.15f;
    const bool many = view->trace != NULL && lab_trace_sizes(view->trace).m > FEW_KEYS;
    const bool scores = 1u << row == (unsigned)LAB_PANEL_STAGE &&
                        view->state->playback.stage == LAB_SCALE &&
                        view->state->extra_stage == VIEW_EXTRA_STAGE_NONE &&
                        (view_panels_shown(view) & (unsigned)LAB_PANEL_HEAD) == 0;
    return many && scores                                  ? OF_SCORES
           : many && 1u << row == (unsigned)LAB_PANEL_HEAD ? OF_MANY
                                                           : rows[row].weight;
}

/* The share of the width of two panels beside each other that the first one gets: a stage whose
 * numbers could not be read takes from a scene, or from all heads, what these can spare. */
static float share_of_width(const struct view *view, size_t row, size_t next, float wide)
{
    enum { FEW_KEYS = 6 };
    static const float STAGE_READABLE = 500, SPACE_MIN = 264; /* beside a scene */
    static const float ALPHA_READABLE = 470, HEADS_MIN = 300; /* beside all heads */
    const float own = panel_weight(view, row), share = own / (own + panel_weight(view, next));
    const bool stage = 1u << row == (unsigned)LAB_PANEL_STAGE;
    const bool scene = 1u << next == (unsigned)LAB_PANEL_SPACE && !view_learn_is_shown(view->state);
    const bool heads = 1u << next == (unsigned)LAB_PANEL_HEADS && view->trace != NULL &&
                       lab_trace_sizes(view->trace).m > FEW_KEYS;
    const float room = fmaxf(wide - UI_GUTTER, 1);
    const float wanted =
        scene ? fminf(STAGE_READABLE, room - SPACE_MIN) : fminf(ALPHA_READABLE, room - HEADS_MIN);
    return stage && (scene || heads) ? fmaxf(share, wanted / room) : share;
}

/* Says whether a panel is hidden by the lesson, or so low that it would only have its heading. */
static bool is_hidden_panel(const struct view *view, size_t row, float high)
{
    return (view->state->hide & rows[row].hide) != 0 ||
           (1u << row == (unsigned)LAB_PANEL_COSTS && !view_costs_fit(view, high));
}

/* Draws the first panel beside the others, which are below each other. */
void view_panels(struct view *view, struct rect area)
{
    static const float TWO_COLUMNS =
        1.2f; /* least width of two columns, as a share of the height */
    const unsigned shown = view_panels_shown(view);
    size_t at[ROWS], count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if ((shown >> i & 1u) != 0 && !is_hidden_panel(view, i, area.h)) {
            at[count++] = i;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const bool upright = i > 0 || area.w < TWO_COLUMNS * area.h;
        const float share = i + 1 == count ? 1
                            : upright      ? 1 / (float)(count - i)
                                           : share_of_width(view, at[i], at[i + 1], area.w);
        const struct rect place = i + 1 == count ? area : split_off(&area, upright, share);
        ui_region(view->ui);
        view_panel_show(view, (enum lab_panel)(1u << at[i]), place);
    }
}

/* The places of all panels in the window. */
#include <math.h>
#include <string.h>

#include "ui/widgets.h"
#include "view/parts/circuit.h"
#include "view/parts/head_overview.h"
#include "view/parts/hints.h"
#include "view/parts/learn.h"
#include "view/parts/patch.h"
#include "view/parts/pieces.h"
#include "view/parts/why.h"
#include "view/sheets/import_dialog.h"

static const float TOPBAR_Y = 14, TOPBAR_HIGH = 36, RIBBON_Y = 62, RIBBON_HIGH = 38;
static const float PANELS_Y = 112, STATUS_HIGH = 24, FORMULA_HIGH = 108;
static const float SETTINGS_WIDE = 216, TABS_HIGH = 32;
static const float CAPTION_FROM = 380; /* height of the window */
static const float FORMULA_LOW = 84;   /* height of the strip in a small window */
static const float FORMULA_BRIEF = 54; /* without its title: the sum and what it means */
static const float STAGE_LOW = 150;    /* height of a stage above it, whose numbers can be read */
static const float FORMULA_FROM = 380; /* height of the window */
static const float STAGE_MIN = 260, RIGHT_MIN = 220, PART_MIN = 110;
static const float SPLIT_COLUMN_HOME = 0.576f, SPLIT_RIGHT_HOME = 0.628f;

static const float NEXT_HIGH = 106;      /* height of the next tokens */
static const float READABLE_STAGE = 270; /* height of a stage above them that can be read */
static const float NUMBERS_STAGE =
    420; /* height of a stage whose fifteen rows have labels and numbers */
static const float HEADS_MIN = 380; /* height of all heads with the next tokens below them */
static const float HEADS_FEW_MIN =
    300; /* the same if there would be no room for a formula otherwise */
static const float NEXT_MIN = 360,
                   NEXT_WRITING_MIN =
                       476; /* width of the next tokens with their controls; with "Write all" too */

/* Heights below the training panel with room for the formula too. */
static const float PRESENTER_WITH_TRAINING = 480, FORMULA_WITH_TRAINING = 430;
static const float GRADIENT_WITH_TRAINING = 330; /* a gradient is understood from its formula */
static const float TRAINING_FROM = 460;          /* height of a window with the training panel */
static const float VIEWS_MENU_WIDE = 118;        /* the row as a menu, in a small window */
static const float VIEWS_HIGH = 26;   /* height of the row of views, between bar and ribbon */
static const float CLOSE_BELOW = 700; /* in lower windows the rows are closer */

struct places {
    struct rect topbar, views, ribbon, prompt, caption, training, settings, stage, formula, tabs,
        space, heads, status;
    struct rect head_overview, next;
    struct rect column_bar, right_bar; /* splitters */
    struct rect right, columns;        /* the right column; the stage with it */
    bool tabbed, has_formula, is_narrow, has_head_overview;
    bool is_presenter;                 /* no top bar, and the panels of the step */
    bool is_small;                     /* one panel at a time, with tabs below */
    enum view_small_panel small_panel; /* which */
};

static float clamp_value(float value, float low, float high)
{
    return high < low ? low : fminf(fmaxf(value, low), high);
}

/* Places the single panel above the formula strip, as wide as the window. */
static void place_single_panel(struct rect all, struct places *places)
{
    const bool brief = places->is_small && all.h <= 2 * FORMULA_LOW + READABLE_STAGE / 2;
    const float formula = brief ? FORMULA_BRIEF : FORMULA_LOW;
    const float taken = places->has_formula ? formula + UI_GUTTER : 0;
    const struct rect single = {all.x, all.y, all.w, fmaxf(all.h - taken, 1)};
    places->columns = single;
    places->formula = (struct rect){all.x, all.y + all.h - formula, all.w, formula};
}

/* Places stage, formula strip and the right column inside `all`. */
static void place_columns(const struct view *view, struct rect all, struct places *places)
{
    const float room = fmaxf(all.w - UI_GUTTER, 2);
    const float stage = clamp_value(room * view->state->prefs.split_column,
                                    fminf(STAGE_MIN, room / 2), room - fminf(RIGHT_MIN, room / 2));
    const float formula = places->has_formula ? FORMULA_HIGH + UI_GUTTER : 0;
    places->columns = all;
    places->stage = (struct rect){all.x, all.y, stage, fmaxf(all.h - formula, 1)};
    places->formula = (struct rect){all.x, all.y + all.h - FORMULA_HIGH, stage, FORMULA_HIGH};
    places->column_bar = (struct rect){all.x + stage, all.y, UI_GUTTER, all.h};
    struct rect right = {all.x + stage + UI_GUTTER, all.y, room - stage, all.h};
    places->tabbed = places->is_narrow;
    if (places->tabbed) {
        places->tabs = (struct rect){right.x, right.y, right.w, TABS_HIGH};
        right.y += TABS_HIGH + 8;
        right.h = fmaxf(right.h - TABS_HIGH - 8, 1);
        places->right = places->space = places->heads = right;
        return;
    }
    const float tall = right.h - UI_GUTTER;
    const float space =
        clamp_value(tall * view->state->prefs.split_right, PART_MIN, tall - PART_MIN);
    places->right = right;
    places->space = (struct rect){right.x, right.y, right.w, space};
    places->right_bar = (struct rect){right.x, right.y + space, right.w, UI_GUTTER};
    places->heads =
        (struct rect){right.x, right.y + space + UI_GUTTER, right.w, fmaxf(tall - space, 1)};
}

/* Places all heads at the left, and at the right the stage of one of them, the formula strip and
 * the next tokens. If these would compress the rows of the stage, the next tokens are placed below
 * all heads. */
static void place_head_overview(const struct view *view, struct rect all, struct places *places)
{
    const float room = fmaxf(all.w - UI_GUTTER, 2);
    const float stage = clamp_value(room * view->state->prefs.split_column,
                                    fminf(STAGE_MIN, room / 2), room - fminf(STAGE_MIN, room / 2));
    const float x = all.x + room - stage + UI_GUTTER;
    const float next = view_next_is_shown(view->state->head_overview) ? NEXT_HIGH + UI_GUTTER : 0;
    float formula = FORMULA_HIGH + UI_GUTTER;
    const float next_min = view->state->head_overview->attentions > 1 ? NEXT_WRITING_MIN : NEXT_MIN;
    /* few rows of heads are better than no formula */
    const bool leaves_formula =
        all.h - next - formula >= READABLE_STAGE || all.h - formula < READABLE_STAGE;
    const bool below_heads =
        all.h - next - (places->has_formula ? formula : 0) < NUMBERS_STAGE &&
        room - stage >= next_min &&
        all.h - next >= (places->has_formula && !leaves_formula ? HEADS_FEW_MIN : HEADS_MIN);
    const float left = below_heads ? next : 0, right = next - left;
    if (all.h - right - formula < READABLE_STAGE) {
        formula = FORMULA_BRIEF + UI_GUTTER;
    }
    places->has_formula = places->has_formula && all.h - right - formula >= STAGE_LOW;
    const float high = all.h - right - (places->has_formula ? formula : 0);
    places->columns = all;
    places->head_overview = (struct rect){all.x, all.y, room - stage, fmaxf(all.h - left, 1)};
    places->column_bar = (struct rect){all.x + room - stage, all.y, UI_GUTTER, all.h};
    places->stage = (struct rect){x, all.y, stage, fmaxf(high, 1)};
    places->formula = (struct rect){x, all.y + high + UI_GUTTER, stage, formula - UI_GUTTER};
    places->next = (struct rect){below_heads ? all.x : x, all.y + all.h - NEXT_HIGH,
                                 below_heads ? room - stage : stage, NEXT_HIGH};
}

/* Places the rows of controls closer together, and tabs at the status line. */
static void place_small(const struct view *view, struct rect area, struct places *places,
                        struct rect *body)
{
    const float top = 8, gap = 8;
    places->topbar.y = area.y + top;
    places->ribbon.y = places->topbar.y + TOPBAR_HIGH + gap;
    places->tabs = (struct rect){body->x, area.y + area.h - TABS_HIGH - gap, body->w, TABS_HIGH};
    if ((view->state->hide & LAB_HIDE_RIBBON) == 0) { /* the row of views is a menu beside them */
        places->views = places->tabs;
        places->views.w = fminf(VIEWS_MENU_WIDE, body->w / 4);
        places->tabs.x += places->views.w + gap;
        places->tabs.w -= places->views.w + gap;
    }
    body->y = places->ribbon.y + RIBBON_HIGH + gap;
    body->h = fmaxf(places->tabs.y - gap - body->y, 1);
    places->status.y = places->tabs.y + 4;
}

/* Places the row of views between bar and ribbon. In a low window the rows are so close that the
 * panels lose nothing. */
static void place_views(struct rect area, struct places *places, struct rect *body)
{
    const bool low = area.h < CLOSE_BELOW;
    const float gap = low ? 3 : 6, end = body->y + body->h;
    places->topbar.y = area.y + (low ? 5 : TOPBAR_Y);
    places->views = places->topbar;
    places->views.y = places->topbar.y + TOPBAR_HIGH + gap;
    places->views.h = low ? 22 : VIEWS_HIGH;
    places->ribbon.y = places->views.y + places->views.h + gap;
    places->ribbon.h = low ? 33 : RIBBON_HIGH;
    body->y = places->ribbon.y + places->ribbon.h + (low ? 10 : 12);
    body->h = fmaxf(end - body->y, 1);
}

/* Says whether the formula replaces the training panel in the presenter view, if there is no room
 * for both: a gradient, a change and a loss are understood from their formula. */
static bool formula_before_training(const struct view *view, float left)
{
    return view->state->prefs.presenter && left <= PRESENTER_WITH_TRAINING &&
           (view->state->learn->show != VIEW_LEARN_VALUE || view_loss_shown(view)) &&
           (view_panels_shown(view) & LAB_PANEL_STAGE) != 0;
}

/* Says whether the single panel of a small window has numbers that a formula below it explains. */
static bool is_explained(const struct view *view, enum view_small_panel panel)
{
    return panel == VIEW_SMALL_PANEL_NONE ||
           (panel <= VIEW_SMALL_PANEL_HEADS && !view_head_overview_is_shown(view->state));
}

static struct places find_places(struct view *view, struct rect area)
{
    struct places places = {0};
    places.is_narrow = view_is_narrow(area.w);
    places.has_formula =
        area.h >= FORMULA_FROM && (view->state->hide & LAB_HIDE_FORMULA) == 0 &&
        (!view->state->prefs.presenter || view_head_overview_is_shown(view->state) ||
         (view_panels_shown(view) & LAB_PANEL_STAGE) != 0);
    const float edge = places.is_narrow ? 12 : UI_EDGE;
    const float x = area.x + edge, wide = fmaxf(area.w - 2 * edge, 1);
    places.topbar = (struct rect){x, area.y + TOPBAR_Y, wide, TOPBAR_HIGH};
    places.ribbon = (struct rect){x, area.y + RIBBON_Y, wide, RIBBON_HIGH};
    places.status = (struct rect){x, area.y + area.h - STATUS_HIGH - 1, wide, STATUS_HIGH};
    struct rect body = {x, area.y + PANELS_Y, wide, fmaxf(area.h - PANELS_Y - STATUS_HIGH - 4, 1)};
    places.is_presenter = view->state->prefs.presenter;
    if (places.is_presenter) {
        places.ribbon.y = places.topbar.y;
        body.y -= RIBBON_Y - TOPBAR_Y;
    }
    places.is_small = view_is_small(view->state, area.w, area.h);
    if (places.is_small) {
        place_small(view, area, &places, &body);
    } else if (!places.is_presenter && (view->state->hide & LAB_HIDE_RIBBON) == 0) {
        place_views(area, &places, &body);
    }
    if (view->state->prefs.presenter) {
        body.h = fmaxf(area.y + area.h - body.y - UI_GUTTER, 1);
    }
    if (view->state->prompt.text != NULL &&
        !(view->state->prompt.is_private && view->state->prefs.presenter)) {
        const float high = view_prompt_height(view, wide);
        places.prompt = (struct rect){x, body.y, wide, high};
        body.y += high + UI_GUTTER - 2;
        body.h = fmaxf(body.h - high - UI_GUTTER + 2, 1);
    }
    const float caption = area.h < CAPTION_FROM ? 0 : view_caption_height(view, wide);
    if (caption > 0) {
        places.caption = (struct rect){x, body.y, wide, caption};
        body.y += caption + UI_GUTTER - 2;
        body.h = fmaxf(body.h - caption - UI_GUTTER + 2, 1);
    }
    const float high = view_learn_strip_height(view, area.h, places.is_small);
    const bool strip = view_learn_is_shown(view->state) && area.h >= TRAINING_FROM;
    if (strip && !formula_before_training(view, body.h - high - UI_GUTTER)) {
        places.training = (struct rect){x, body.y, wide, high};
        body.y += high + UI_GUTTER;
        body.h = fmaxf(body.h - high - UI_GUTTER, 1);
        /* numbers in cells come before an explanation */
        places.has_formula =
            places.has_formula &&
            body.h > (places.is_presenter                            ? PRESENTER_WITH_TRAINING
                      : view->state->learn->show == VIEW_LEARN_VALUE ? FORMULA_WITH_TRAINING
                                                                     : GRADIENT_WITH_TRAINING);
    }
    if (places.is_small) { /* numbers of the stage come before an explanation */
        enum view_small_panel panels[VIEW_SMALL_PANELS];
        view_small_panels(view->state, panels);
        places.small_panel = panels[view_small_panel_shown(view->state)];
        places.has_formula = places.has_formula && is_explained(view, places.small_panel) &&
                             body.h > FORMULA_BRIEF + UI_GUTTER + STAGE_LOW;
    }
    places.settings = (struct rect){x, body.y, fminf(SETTINGS_WIDE, wide), body.h};
    if (!view_settings_are_folded(view)) {
        body.x += SETTINGS_WIDE + UI_GUTTER;
        body.w -= SETTINGS_WIDE + UI_GUTTER;
    }
    places.has_head_overview = view_head_overview_is_shown(view->state) && !places.is_small;
    if (places.has_head_overview) {
        place_head_overview(view, body, &places);
    } else if (places.is_presenter || places.is_small) {
        place_single_panel(body, &places);
    } else {
        place_columns(view, body, &places);
    }
    return places;
}

static void append_split(struct view *view, bool of_right, float share)
{
    share = clamp_value(share, 0.05f, 0.95f);
    if (of_right) {
        view_action_set(view, prefs.split_right, share);
    } else {
        view_action_set(view, prefs.split_column, share);
    }
}

/* Draws the splitter between all heads and the stage. */
static void draw_head_overview_splitter(struct view *view, const struct places *places)
{
    const struct rect all = places->columns;
    const float room = fmaxf(all.w - UI_GUTTER, 2), half = UI_GUTTER / 2;
    const float stage_min = fminf(STAGE_MIN, room / 2);
    float at = places->column_bar.x + half;
    if (ui_splitter(view->ui, "column splitter", places->column_bar, true, all.x + stage_min + half,
                    all.x + room - stage_min + half, all.x + room * (1 - SPLIT_COLUMN_HOME) + half,
                    &at)) {
        append_split(view, false, 1 - (at - half - all.x) / room);
    }
}

static void draw_splitters(struct view *view, const struct places *places)
{
    if (places->has_head_overview) {
        draw_head_overview_splitter(view, places);
        return;
    }
    if (places->is_presenter || places->is_small) {
        return;
    }
    const struct rect all = places->columns, right = places->right;
    const float room = fmaxf(all.w - UI_GUTTER, 2), half = UI_GUTTER / 2;
    float at = places->column_bar.x + half;
    if (ui_splitter(view->ui, "column splitter", places->column_bar, true,
                    all.x + fminf(STAGE_MIN, room / 2) + half,
                    all.x + room - fminf(RIGHT_MIN, room / 2) + half,
                    all.x + room * SPLIT_COLUMN_HOME + half, &at)) {
        append_split(view, false, (at - half - all.x) / room);
    }
    if (places->tabbed) {
        return;
    }
    const float tall = fmaxf(right.h - UI_GUTTER, 2);
    at = places->right_bar.y + half;
    if (ui_splitter(view->ui, "right splitter", places->right_bar, false, right.y + PART_MIN + half,
                    right.y + tall - PART_MIN + half, right.y + tall * SPLIT_RIGHT_HOME + half,
                    &at)) {
        append_split(view, true, (at - half - right.y) / tall);
    }
}

/* Draws the tabs of a small window. */
static void draw_panel_tabs(struct view *view, const struct places *places)
{
    static const char *const labels[VIEW_SMALL_PANELS] = {
        [VIEW_SMALL_PANEL_NONE] = "Stage",      [VIEW_SMALL_PANEL_SPACE] = "3-D view",
        [VIEW_SMALL_PANEL_HEADS] = "Heads",     [VIEW_SMALL_PANEL_NEXT] = "Next word",
        [VIEW_SMALL_PANEL_FORMULA] = "Formula",
    };
    enum view_small_panel panels[VIEW_SMALL_PANELS];
    const char *tabs[VIEW_SMALL_PANELS];
    const size_t count = view_small_panels(view->state, panels);
    for (size_t i = 0; i < count; i++) {
        tabs[i] = labels[panels[i]];
    }
    const size_t shown = view_small_panel_shown(view->state);
    const size_t chosen = ui_tabs(view->ui, "turns", places->tabs, tabs, count, shown);
    if (chosen < count && chosen != shown) {
        view_action_set(view, small_panel, panels[chosen]);
    }
}

/* The panel above the heads: space, unless the step names another one and not space. */
static enum lab_panel companion_panel(const struct view *view)
{
    static const enum lab_panel sheets[] = {LAB_PANEL_COSTS, LAB_PANEL_KINDS, LAB_PANEL_DECODE,
                                            LAB_PANEL_LINES};
    const struct view_state *const state = view->state;
    const bool speaks = view_caption_is_here(state) && !state->prefs.captions_closed &&
                        (state->panels & LAB_PANEL_SPACE) == 0;
    for (size_t i = 0; speaks && i < sizeof sheets / sizeof *sheets; i++) {
        if ((state->panels & (unsigned)sheets[i]) != 0) {
            return sheets[i];
        }
    }
    return LAB_PANEL_SPACE;
}

static void draw_right_column(struct view *view, const struct places *places)
{
    if (places->has_head_overview) {
        if (view_next_is_shown(view->state->head_overview)) {
            ui_region(view->ui);
            view_next(view, places->next);
        }
        return;
    }
    if (places->is_small) {
        draw_panel_tabs(view, places);
    }
    if (places->is_presenter || places->is_small) {
        return;
    }
    if (!places->tabbed) {
        ui_region(view->ui);
        view_panel_show(view, companion_panel(view), places->space);
        ui_region(view->ui);
        view_panel_show(view, LAB_PANEL_HEADS, places->heads);
        return;
    }
    static const char *const labels[] = {"3-D view", "Heads"};
    const size_t chosen =
        ui_tabs(view->ui, "right tabs", places->tabs, labels, 2, (size_t)view->state->prefs.tab);
    static const char *const tips[] = {"The 3-D view: the words as points (G)",
                                       "The weights of every head (G)"};
    ui_tab_tips(view->ui, "right tabs", places->tabs, tips, 2);
    if (chosen < 2 && chosen != (size_t)view->state->prefs.tab) {
        view_action_set(view, prefs.tab, (enum view_tab)chosen);
    }
    if (view->state->prefs.tab == VIEW_TAB_SPACE) {
        ui_region(view->ui);
        view_panel_show(view, LAB_PANEL_SPACE, places->space);
    } else {
        ui_region(view->ui);
        view_panel_show(view, LAB_PANEL_HEADS, places->heads);
    }
}

/* Draws the settings, which lie over the stage while they are open in a narrow window. */
static void draw_settings(struct view *view, const struct places *places)
{
    if (!view_settings_are_folded(view)) {
        ui_region(view->ui);
        view_settings(view, places->settings);
    } else if ((view->ui->input->width < VIEW_FOLD_BELOW ||
                view_head_overview_is_shown(view->state)) &&
               view->state->settings_open) {
        ui_touch(view->ui, ui_id(view->ui, "settings ground"), places->settings, false);
        ui_region(view->ui);
        view_settings(view, places->settings);
    }
}

/* Draws the single panel of a small window. */
static void draw_single_panel(struct view *view, enum view_small_panel panel, struct rect area)
{
    const bool overview = view_head_overview_is_shown(view->state);
    if (panel == VIEW_SMALL_PANEL_SPACE) {
        view_panel_show(view, LAB_PANEL_SPACE, area);
    } else if (panel == VIEW_SMALL_PANEL_HEADS && overview) {
        view_head_overview_panel(view, area);
    } else if (panel == VIEW_SMALL_PANEL_HEADS) {
        view_panel_show(view, LAB_PANEL_HEADS, area);
    } else if (panel == VIEW_SMALL_PANEL_NEXT) {
        view_next(view, area);
    } else if (panel == VIEW_SMALL_PANEL_FORMULA) {
        view_formula(view, area);
    } else {
        view_stage(view, area);
    }
}

/* Draws the stage, the panels of the presenter view, or the single panel of a small window. */
static void draw_middle(struct view *view, const struct places *places)
{
    if (places->is_presenter && !places->has_head_overview) {
        view_panels(view, places->columns);
    } else if (places->is_small) {
        draw_single_panel(view, places->small_panel, places->columns);
    } else {
        view_stage(view, places->stage);
    }
}

/* Draws the status line; the presenter view and small windows have one only for messages, over the
 * other panels. */
static void draw_status(struct view *view, const struct places *places)
{
    const bool has_message = view->state->prefs.presenter
                                 ? view_work_is_told(view)
                                 : view->state->message != NULL && !view->state->message_is_toast &&
                                       view->state->overlay == VIEW_OVERLAY_NONE;
    const bool is_small = places->is_small;
    if ((view->state->prefs.presenter || is_small) && has_message) {
        struct rect line = {places->status.x, places->status.y - 6, places->status.w,
                            places->status.h + 3};
        if (view->state->prefs.presenter) { /* where nothing has to be read */
            line = places->ribbon;
        }
        canvas_rect(view->ui->canvas, line, 6,
                    &(struct paint){.fill = view->ui->theme->panel,
                                    .stroke = view->ui->theme->accent,
                                    .width = 1});
        view_status(view, (struct rect){line.x + 10, line.y, line.w - 20, line.h});
    } else if (!view->state->prefs.presenter && !is_small &&
               (has_message || (view->state->hide & LAB_HIDE_STATUS) == 0)) {
        view_status(view, places->status);
    }
}

/* Says whether the open overlay is one of the main views, whose row then stays above it and active.
 */
static bool is_main_view_overlay(const struct view *view)
{
    return view->state->overlay != VIEW_OVERLAY_NONE &&
           view_main_of(view->state) >= VIEW_MAIN_KINDS &&
           view_main_of(view->state) <= VIEW_MAIN_DECODE;
}

/* Draws why the model says a word, in place of stages and settings. */
static void draw_why(struct view *view, struct rect area, const struct places *places)
{
    const float end = places->is_presenter ? area.y + area.h - UI_GUTTER
                      : places->is_small   ? places->tabs.y - 8
                                           : places->status.y - 4;
    /* In the presenter view the progress takes the place of the ribbon, and of the caption here. */
    const bool has_message = view->state->prefs.presenter && view_work_is_told(view);
    const float top = places->ribbon.y + (has_message ? places->ribbon.h + UI_GUTTER : 0);
    const struct rect caption = {places->ribbon.x, top, places->ribbon.w,
                                 has_message ? 0 : places->caption.h};
    const float y = caption.y + (caption.h > 0 ? caption.h + UI_GUTTER - 2 : 0);
    if (caption.h > 0) {
        ui_region(view->ui);
        view_caption(view, caption);
    }
    ui_region(view->ui);
    view_why(view, (struct rect){caption.x, y, caption.w, fmaxf(end - y, 1)});
    if (places->is_small) {
        ui_region(view->ui);
        view_why_tabs(view, places->tabs);
    }
    draw_status(view, places);
}

static void draw_panels(struct view *view, struct rect area)
{
    const struct places places = find_places(view, area);
    if (!places.is_presenter) {
        ui_region(view->ui);
        view_topbar(view, places.topbar);
    }
    if (places.views.h > 0 && !is_main_view_overlay(view)) {
        ui_region(view->ui);
        (places.is_small ? view_views_menu : view_views)(view, places.views);
    }
    if (view_main_of(view->state) == VIEW_MAIN_WHY) {
        draw_why(view, area, &places);
        return;
    }
    /* In the presenter view the progress takes the place of the ribbon. */
    const bool has_message = view->state->prefs.presenter && view_work_is_told(view);
    if ((view->state->hide & LAB_HIDE_RIBBON) == 0 && !has_message) {
        ui_region(view->ui);
        view_ribbon(view, places.ribbon);
    }
    if (places.prompt.h > 0) {
        ui_region(view->ui);
        view_prompt(view, places.prompt);
    }
    if (places.caption.h > 0) {
        ui_region(view->ui);
        view_caption(view, places.caption);
    }
    if (places.training.h > 0) {
        ui_region(view->ui);
        view_learn_strip(view, places.training);
    }
    const bool over = view_settings_are_folded(view);
    if (!over) {
        draw_settings(view, &places);
    }
    if (places.has_head_overview) {
        ui_region(view->ui);
        view_head_overview_panel(view, places.head_overview);
    }
    ui_region(view->ui);
    draw_middle(view, &places);
    if (places.has_formula) {
        ui_region(view->ui);
        view_formula(view, places.formula);
    }
    draw_right_column(view, &places);
    draw_splitters(view, &places);
    draw_status(view, &places);
    if (over) {
        draw_settings(view, &places);
    }
    view_head_overview_enlarge(view, area);
}

/* The input without pointer and keys. */
static struct ui_input input_without_pointer(const struct ui_input *given)
{
    struct ui_input away = *given;
    away.x = away.y = -1e6f;
    away.inside = false;
    away.pressed = away.released = 0;
    away.wheel_x = away.wheel_y = 0;
    away.pinch = away.slide_x = away.slide_y = 0;
    away.strokes = 0;
    away.text = away.paste = NULL;
    return away;
}

/* Draws the top of the window above an overlay: in the shade, where a click closes the overlay,
 * except for the views, which lead from one to the other. */
static void draw_views_above(struct view *view, struct rect top, struct rect views)
{
    const struct ui_touch around = ui_touch(view->ui, ui_id(view->ui, "above"), top, false);
    if (around.clicked && !rect_has(views, view->ui->input->x, view->ui->input->y)) {
        view_action_command(view, "close");
    }
    view_shade(view, top);
    view_views(view, views);
}

/* Draws the panels, and the overlay over them; then the panels get neither pointer nor keys. */
static void draw_with_overlay(struct view *view, struct rect area)
{
    static void (*const pictures[VIEW_OVERLAYS])(struct view * view, struct rect area) = {
        [VIEW_OVERLAY_HELP] = view_help,         [VIEW_OVERLAY_FIND] = view_find,
        [VIEW_OVERLAY_EXPORT] = view_export,     [VIEW_OVERLAY_IMPORT] = view_import,
        [VIEW_OVERLAY_COSTS] = view_costs,       [VIEW_OVERLAY_KINDS] = view_kinds_overlay,
        [VIEW_OVERLAY_DECODE] = view_decode,     [VIEW_OVERLAY_SAVE] = view_save,
        [VIEW_OVERLAY_BATCH] = view_learn_batch, [VIEW_OVERLAY_WRITE] = view_learn_write,
        [VIEW_OVERLAY_BLAME] = view_learn_blame, [VIEW_OVERLAY_TEXT] = view_learn_text_choice,
    };
    const enum view_overlay overlay = view->state->overlay;
    if (overlay == VIEW_OVERLAY_NONE) {
        draw_panels(view, area);
        return;
    }
    struct ui *const ui = view->ui;
    const struct ui_input *const given = ui->input;
    const struct ui_input away = input_without_pointer(given);
    ui->input = &away;
    ui->beneath = true;
    draw_panels(view, area);
    ui->beneath = false;
    ui->input = given;
    ui->focus_count = ui->regions = 0; /* Tab and F6 stay on the overlay */
    const struct places places = find_places(view, area);
    const float below = places.views.h > 0 && !places.is_small && is_main_view_overlay(view)
                            ? places.views.y + places.views.h - area.y
                            : 0;
    if (below > 0) {
        draw_views_above(view, (struct rect){area.x, area.y, area.w, below}, places.views);
    }
    pictures[overlay](view, (struct rect){area.x, area.y + below, area.w, area.h - below});
}

void view_screen(struct view *view, struct rect area)
{
    canvas_rect(view->ui->canvas, area, 0, &(struct paint){.fill = view->ui->theme->ground});
    if (area.w < 60 || area.h < 60) {
        return;
    }
    if (view->state->blank) {
        canvas_rect(view->ui->canvas, area, 0, &(struct paint){.fill = colour_hex(0x000000)});
        return;
    }
    draw_with_overlay(view, area);
    view_toast(view, area);
    view_hint_draw(view, area);
}

static const struct view_picture pictures[] = {
    {"window", view_screen, true, true, NULL, NULL},
    {"stage", view_stage, true, false, NULL, NULL},
    {"space", view_space, false, true, NULL, NULL},
    {"heads", view_heads, false, false, NULL, NULL},
    {"head", view_head, false, false, NULL, NULL},
    {"matrix", view_single_matrix, true, false, view_single_matrix_size, view_single_matrix_scale},
    {"glance", view_head_overview_panel, false, false, NULL, NULL},
    {"training", view_learn_picture, false, false, view_learn_picture_size, NULL},
    {"formula", view_formula, false, false, NULL, NULL},
    {"blame", view_learn_blame, false, false, view_learn_blame_size, NULL},
    {"why", view_why, false, false, view_why_size, NULL},
    {"attribution", view_why_attribution, false, false, view_why_attribution_size, NULL},
    {"effects", view_why_effects, false, false, view_why_effects_size, NULL},
    {"lens", view_why_through_lens, false, false, view_why_through_lens_size, NULL},
    {"circuit", view_circuit, false, false, NULL, NULL},
    {"patch", view_patch, false, false, view_patch_size, NULL},
    {"kinds", view_kinds_overlay, false, false, NULL, NULL},
    {"decode", view_decode, false, false, NULL, NULL},
    {"costs", view_costs, false, false, NULL, NULL},
};

const struct view_picture *view_picture_at(size_t index)
{
    return index < sizeof pictures / sizeof *pictures ? &pictures[index] : NULL;
}

const struct view_picture *view_picture_find(const char *name)
{
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        if (strcmp(pictures[i].name, name) == 0) {
            return &pictures[i];
        }
    }
    return NULL;
}

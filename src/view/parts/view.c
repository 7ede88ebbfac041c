/* Actions that views ask for, of every kind, and what of the state several views ask. */
#include "view/parts/pieces.h"

#include <string.h>

#include "view/parts/head_overview.h"
#include "view/parts/learn.h"

static const float SMALL_WIDE = 740,
                   SMALL_HIGH = 500; /* smaller windows show one panel at a time */

void view_action(struct view *view, const struct view_action *action)
{
    size_t at = view->actions < VIEW_ACTIONS_MAX ? view->actions++ : VIEW_ACTIONS_MAX - 1;
    view->action[at] = *action;
}

void view_action_select(struct view *view, unsigned parts, struct lab_selection selection)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_SELECT,
                                            .select = {.parts = parts, .to = selection}});
}

void view_action_hover(struct view *view, unsigned parts, struct lab_selection selection)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_HOVER,
                                            .select = {.parts = parts, .to = selection}});
}

void view_action_command(struct view *view, const char *name)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_COMMAND, .command = name});
}

void view_action_member(struct view *view, size_t offset, size_t size, const void *value)
{
    struct view_action action = {.kind = VIEW_ACTION_SET, .member = {offset, size, {0}}};
    memcpy(action.member.value, value, size < VIEW_MEMBER_MAX ? size : VIEW_MEMBER_MAX);
    view_action(view, &action);
}

bool view_is_computing(const struct view *view)
{
    return view->style.has_controls && view->pending != NULL && view->pending != view->experiment;
}

static enum lab_guess guess_of(const struct view_state *state)
{
    const bool is_of_numbers = state->guess != LAB_GUESS_NEXT;
    return state->revealed || !is_of_numbers ? LAB_GUESS_NONE : state->guess;
}

enum lab_guess view_guess(const struct view *view)
{
    return guess_of(view->state);
}

bool view_guess_hides_next(const struct view *view)
{
    return view->state->guess == LAB_GUESS_NEXT && !view->state->revealed;
}

bool view_selection_equal(const struct lab_selection *a, const struct lab_selection *b)
{
    return a->head == b->head && a->query == b->query && a->key == b->key &&
           a->channel == b->channel && a->projected == b->projected && a->form == b->form;
}

struct rect view_panel(struct view *view, struct rect area, const char *label)
{
    const struct ui_theme *theme = view->ui->theme;
    canvas_group(view->ui->canvas, ui_id(view->ui, label), label);
    if (!view->style.has_cards) {
        return area;
    }
    canvas_rect(view->ui->canvas, area, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->line, .width = 1});
    return rect_inset(area, UI_EDGE);
}

bool view_is_small(const struct view_state *state, float width, float height)
{
    const float captions = 56; /* height of the lesson's caption */
    height -= state->caption != NULL && !state->prefs.captions_closed ? captions : 0;
    return !state->prefs.presenter && (width < SMALL_WIDE || height < SMALL_HIGH);
}

bool view_is_narrow(float width)
{
    static const float TABS_BELOW = 1100;
    return width < TABS_BELOW;
}

bool view_settings_are_folded(const struct view *view)
{
    return view->ui->input->width < VIEW_FOLD_BELOW || view_head_overview_is_shown(view->state) ||
           view->state->prefs.settings_folded || view->style.is_far ||
           (view->state->hide & LAB_HIDE_SETTINGS) != 0;
}

bool view_head_overview_is_shown(const struct view_state *state)
{
    const struct view_head_overview *const head_overview = state->head_overview;
    return head_overview != NULL && !state->prefs.head_overview_folded &&
           (head_overview->thumbnails != NULL || (head_overview->opened && head_overview->busy)) &&
           guess_of(state) == LAB_GUESS_NONE;
}

void view_head_overview_action(struct view *view, enum view_head_overview_act act, size_t other)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                            .overview = {.act = act, .which = other}});
}

void view_learn_action(struct view *view, enum view_learn_act act, size_t which, double number)
{
    view_action(view, &(struct view_action){
                          .kind = VIEW_ACTION_LEARN,
                          .learn = {.act = (unsigned)act, .which = which, .number = number}});
}

size_t view_loss_word(const struct view_state *state, size_t row)
{
    const struct view_learn_loss *const end = &state->learn->at_end;
    const bool asked = end->right[row] >= 0;
    if (state->loss_part != VIEW_LOSS_LOSS && state->loss_word > 0 &&
        state->loss_word <= end->share.cols) {
        return state->loss_word - 1;
    }
    size_t best = asked ? (size_t)end->right[row] : 0;
    for (size_t id = 0; !asked && id < end->share.cols; id++) {
        best =
            lab_matrix_at(&end->share, row, id) > lab_matrix_at(&end->share, row, best) ? id : best;
    }
    return best;
}

bool view_caption_is_here(const struct view_state *state)
{
    return state->why_shown == state->caption_why &&
           (state->why_shown || (state->playback.stage == state->caption_stage &&
                                 state->extra_stage == state->caption_extra_stage));
}

bool view_loss_shown(const struct view *view)
{
    const struct view_learn *const learn = view->state->learn;
    return view->state->extra_stage == VIEW_EXTRA_STAGE_LOSS && learn != NULL &&
           learn->at_end.n > 0;
}

double view_learn_seed(const struct view_learn *learn)
{
    return record_get(record_find(learn->recipe_rows, "seed"), learn->recipe);
}

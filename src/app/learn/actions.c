/* Applies actions about training: other weights, data and settings from a step on, heads that are
 * switched off or frozen, what the stages are compared with (a step that is kept, or another seed),
 * the track. What makes another run or branch is a change of the document (app_learn_change), which
 * learn.c goes to; the track and play are orders to the trainer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "base/translate.h"
#include "lab/experiment/edits.h"
#include "learn/graph.h"
#include "learn/weight_rebuilder.h"

static const double FOLD = 0.8; /* seconds: changes of one slider closer than this are one */

struct learn_learned learn_copy_now(const struct app_learn *learn)
{
    struct learn_learned next = *learn->learned;
    next.step = learn->view->moment->step;
    next.until = 0;
    next.is_pinned = false;
    return next;
}

/* Returns whether both set the same thing: the rate, a weight, a frozen matrix, a head. */
static bool is_same_place(const struct learn_edit *a, const struct learn_edit *b)
{
    switch (a->kind == b->kind ? a->kind : LEARN_EDIT_KINDS) {
    case LEARN_EDIT_RATE:
        return true;
    case LEARN_EDIT_WEIGHT:
        return a->tensor == b->tensor && a->row == b->row && a->col == b->col;
    case LEARN_EDIT_FREEZE_TENSOR:
        return a->tensor == b->tensor;
    case LEARN_EDIT_FREEZE_HEAD:
    case LEARN_EDIT_HEAD_OFF:
        return a->layer == b->layer && a->head == b->head;
    default: /* texts and data: each is a branch of its own */
        return false;
    }
}

/* One more edit; what was set at this step already is set to something else, and what is on or off
 * is as before the step then: switched twice is not changed. */
static bool add_edit(struct learn_learned *next, const struct learn_edit *edit)
{
    size_t at = next->edits;
    while (at > 0 && next->edit[at - 1].step == next->step &&
           !is_same_place(&next->edit[at - 1], edit)) {
        at--;
    }
    const bool again = at > 0 && next->edit[at - 1].step == next->step;
    const bool is_number = edit->kind == LEARN_EDIT_RATE || edit->kind == LEARN_EDIT_WEIGHT;
    at = again ? at - 1 : next->edits;
    if (again && !is_number) {
        next->edits--;
        memmove(&next->edit[at], &next->edit[at + 1], (next->edits - at) * sizeof *next->edit);
        return true;
    }
    if (at == LEARN_EDITS_MAX) {
        return false;
    }
    next->edits += again ? 0 : 1;
    next->edit[at] = *edit;
    next->edit[at].step = next->step;
    return true;
}

/* From here on otherwise: a branch, and a step of history (name NULL: in place). change: one more
 * beside the run, which Why asks about; NULL: none. */
static void edit_all(struct app_state *state, const struct learn_edit *edit, size_t count,
                     const struct learn_change *change, const char *name, double time)
{
    struct app_learn *const learn = state->learn;
    struct learn_learned next = learn_copy_now(learn);
    const bool there = learn->view->moment->is_exact;
    bool done = there;
    for (size_t e = 0; done && e < count; e++) {
        done = add_edit(&next, &edit[e]);
    }
    if (change != NULL && next.changes == LEARN_CHANGES_MAX) {
        app_state_show_message(state, time, tr("At most %d changes of Why stand beside a run."),
                               LEARN_CHANGES_MAX);
        return;
    }
    if (change != NULL) {
        next.change[next.changes++] = *change;
    }
    if (done) {
        next.until = app_learn_is_training(state) ? learn->view->steps : 0;
        (void)app_learn_change(state, &next, NULL, 0, name, time);
    } else if (there) {
        app_state_show_message(state, time,
                               "This run was changed %d times: start it again to change more.",
                               LEARN_EDITS_MAX);
    } else {
        app_state_show_message(state, time,
                               "This cannot be changed just now: wait until the step is there.");
    }
}

bool app_learn_edit(struct app_state *state, const struct learn_edit *edit, const char *name,
                    double time)
{
    edit_all(state, edit, 1, NULL, name, time);
    return true;
}

void app_learn_ask_of_head(struct app_state *state, size_t layer, size_t head,
                           const struct learn_change *change, const char *name, double time)
{
    const struct learn_edit on = {
        .kind = LEARN_EDIT_HEAD_OFF, .layer = layer, .head = head, .value = 0};
    edit_all(state, &on, 1, change, name, time);
}

void app_learn_take_edit(struct app_state *state, const struct lab_experiment *present, double time)
{
    struct app_learn *const learn = state->learn;
    const size_t count = lab_edits_count(present->edits);
    struct arena arena = {0};
    struct learn_edit *const weight = arena_array(&arena, count, sizeof *weight);
    bool found = weight != NULL;
    for (size_t e = 0; found && e < count; e++) {
        const struct lab_edit edit = lab_edits_at(present->edits, e);
        found = learn_find_weight(learn->view->moment, learn->layer, &edit, &weight[e]);
    }
    if (found) {
        edit_all(state, weight, count, NULL, NULL, time);
    } else {
        document_take_back(&state->document, time);
        app_state_show_message(state, time,
                               "While weights learn, the weights can be changed; the rest follows "
                               "from them.");
    }
    arena_free(&arena);
}

/* A head that is frozen goes on changing what it shows: the words come in otherwise. */
static void say_frozen(struct app_state *state, const char *name, bool head, bool frozen,
                       double time)
{
    app_state_show_message(
        state, time,
        !frozen ? "%s: learning again from here on."
        : head  ? "%s: frozen from here on: its weights stay; what comes in still learns."
                : "%s: frozen from here on; the others go on learning.",
        name);
}

/* The matrices of the stage learn no more from here on, or again. */
static void freeze_stage(struct app_state *state, double time)
{
    const struct learn_snapshot *const moment = state->learn->view->moment;
    const char *name = NULL;
    const struct learn_tensor *const tensor = learn_stage_tensor(state, &name);
    if (tensor == NULL) {
        return;
    }
    const size_t at = (size_t)(tensor - moment->tensors->tensor);
    const bool frozen = moment->frozen->tensor[at];
    const struct learn_edit edit = {
        .kind = LEARN_EDIT_FREEZE_TENSOR, .tensor = at, .value = frozen ? 0 : 1};
    const size_t edits = state->learn->learned->edits;
    (void)app_learn_edit(state, &edit, frozen ? tr("let a matrix learn") : tr("freeze a matrix"),
                         time);
    if (state->learn->learned->edits > edits) { /* else it was said why not */
        say_frozen(state, name, false, !frozen, time);
    }
}

/* A head learns no more from here on, or again. */
static bool freeze_head(struct app_state *state, size_t place, double time)
{
    const struct learn_snapshot *const moment = state->learn->view->moment;
    const size_t heads = moment->recipe->shape.heads;
    if (place >= heads * moment->recipe->shape.layers) {
        return false;
    }
    const bool frozen = moment->frozen->head[place / heads][place % heads];
    char name[APP_NAME_MAX];
    snprintf(name, sizeof name, frozen ? tr("let L%zuH%zu learn") : tr("freeze L%zuH%zu"),
             place / heads, place % heads);
    const struct learn_edit edit = {.kind = LEARN_EDIT_FREEZE_HEAD,
                                    .layer = place / heads,
                                    .head = place % heads,
                                    .value = frozen ? 0 : 1};
    const size_t edits = state->learn->learned->edits;
    const bool done = app_learn_edit(state, &edit, name, time);
    if (state->learn->learned->edits > edits) { /* else it was said why not */
        char head[APP_NAME_MAX];
        snprintf(head, sizeof head, "L%zuH%zu", place / heads, place % heads);
        say_frozen(state, head, true, !frozen, time);
    }
    return done;
}

/* Other data from here on. */
static void change_data(struct app_state *state, double time)
{
    const struct learn_edit edit = {.kind = LEARN_EDIT_DATA,
                                    .seed = state->learn->learned->recipe.seed + 1000 +
                                            state->learn->view->edit_count};
    (void)app_learn_edit(state, &edit, tr("other data"), time);
}

/* From the beginning with another recipe. */
static bool begin_anew(struct app_state *state, const struct learn_recipe *recipe, const char *name,
                       double time)
{
    struct learn_learned next = learn_copy_now(state->learn);
    next.recipe = *recipe;
    next.edits = 0;
    next.step = 0;
    next.until = app_learn_is_training(state) ? recipe->steps : 0;
    return app_learn_change(state, &next, NULL, 0, name, time);
}

/* A slider that is dragged changes once: returns whether this goes on with the last change, which
 * has the same name. */
static bool folds_into_last(const struct app_state *state, const char *name, double time)
{
    const char *const last = document_undo_name(&state->document);
    return last != NULL && strncmp(last, name, strlen(last)) == 0 &&
           time - state->document.last_change < FOLD;
}

/* A change of the same name, soon, goes on with one that was made. */
static bool note_time(struct app_state *state, bool made, double time)
{
    state->document.last_change = made ? time : state->document.last_change;
    return made;
}

/* The last change of the rate becomes another one, where it was made. */
static bool correct_rate(struct app_state *state, double rate, double time)
{
    struct app_learn *const learn = state->learn;
    struct learn_learned next = learn_copy_now(learn);
    struct learn_edit *const last = &next.edit[next.edits - 1];
    last->value = (float)rate;
    next.step = last->step;
    next.until = app_learn_is_training(state) ? learn->view->steps : 0;
    return app_learn_change(state, &next, NULL, 0, NULL, time);
}

static bool set_rate(struct app_state *state, double rate, double time)
{
    const struct app_learn *const learn = state->learn;
    const size_t edits = learn->learned->edits;
    const char *const edit_name = tr("another rate"), *const recipe_name = tr("rate");
    struct error error = {ERROR_NONE, 0, ""};
    if (!record_check_number(learn_recipe_row(LEARN_RECIPE_RATE), rate, &error)) {
        app_state_show_message(state, time, "%s", error.text);
        return false;
    }
    if (folds_into_last(state, edit_name, time) && edits > 0 &&
        learn->learned->edit[edits - 1].kind == LEARN_EDIT_RATE) {
        return correct_rate(state, rate, time);
    }
    if (learn->view->furthest == 0) {
        struct learn_recipe recipe = learn->learned->recipe;
        recipe.optimiser.rate = (float)rate;
        return begin_anew(state, &recipe,
                          folds_into_last(state, recipe_name, time) ? NULL : recipe_name, time);
    }
    return app_learn_edit(state,
                          &(struct learn_edit){.kind = LEARN_EDIT_RATE, .value = (float)rate},
                          edit_name, time);
}

/* A setting becomes another; which: its row in the table of recipes. */
static bool change_setting(struct app_state *state, size_t which, double number, double time)
{
    const enum learn_recipe_member setting = (enum learn_recipe_member)which;
    struct learn_recipe recipe = state->learn->learned->recipe;
    struct error error = {ERROR_NONE, 0, ""};
    const struct record_row *const row = learn_recipe_row(setting);
    if (row == NULL || row->group == LEARN_GROUP_NONE) {
        return false;
    }
    if (setting == LEARN_RECIPE_RATE) {
        return set_rate(state, number, time);
    }
    if (!learn_recipe_change(&recipe, setting, number, &error)) {
        app_state_show_message(state, time, "%s", error.text);
        return false;
    }
    const char *const name = tr(row->title);
    return begin_anew(state, &recipe, folds_into_last(state, name, time) ? NULL : name, time);
}

void app_learn_show_head(struct app_state *state, size_t place, double time)
{
    struct app_learn *const learn = state->learn;
    const size_t heads = learn->view->moment->recipe->shape.heads;
    struct lab_experiment next;
    state->view.pinned.head = place % heads;
    state->view.let_go = false;
    if (place / heads != learn->layer) {
        lab_experiment_copy(&next, document_present(&state->document));
        next.layer = place / heads;
        learn_weight_rebuilder_empty(&next);
        document_change(&state->document, &next, NULL, time);
        lab_experiment_release(&next);
    }
}

static bool switch_head(struct app_state *state, size_t place, double time)
{
    const struct learn_snapshot *const moment = state->learn->view->moment;
    const size_t heads = moment->recipe->shape.heads;
    if (place >= heads * moment->recipe->shape.layers) {
        return false;
    }
    const bool off = moment->head_off[place / heads][place % heads];
    char name[APP_NAME_MAX];
    char of[48];
    snprintf(of, sizeof of, "L%zuH%zu", place / heads, place % heads);
    snprintf(name, sizeof name, tr(off ? "switch %s on" : "switch %s off"), of);
    return app_learn_edit(state,
                          &(struct learn_edit){.kind = LEARN_EDIT_HEAD_OFF,
                                               .layer = place / heads,
                                               .head = place % heads,
                                               .value = off ? 0 : 1},
                          name, time);
}

static bool take_word(struct app_state *state, size_t which, double time)
{
    struct app_learn *const learn = state->learn;
    const size_t count = lab_words_count(learn->tokens);
    if (which >= learn->shown.next_count || !learn->shown.next_joins) {
        return false;
    }
    struct arena arena = {0};
    const char **const word = arena_array(&arena, count + 2, sizeof *word);
    struct learn_learned next = learn_copy_now(learn);
    /* The oldest words fall off at the beginning where the context is full. */
    const size_t max = learn->learned->recipe.shape.context;
    const size_t from = count + 1 > max ? count + 1 - max : 0;
    bool done = word != NULL;
    for (size_t w = from; done && w < count; w++) {
        word[w - from] = lab_words_list(learn->tokens)[w];
    }
    if (done) {
        char name[APP_NAME_MAX];
        word[count - from] = learn_words_shown(learn)[learn->next_id[which]];
        snprintf(name, sizeof name, tr("add %.36s"), word[count - from]);
        next.until = app_learn_is_training(state) ? learn->view->steps : 0;
        state->view.pinned.query = count - from;
        done = app_learn_change(state, &next, word, count + 1 - from, name, time);
    } else {
        app_state_show_message(state, time, "There is not enough memory to learn.");
    }
    arena_free(&arena);
    return done;
}

void learn_pin(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    document_compare(&state->document, DOCUMENT_COMPARES_STEP, state->document.trace);
    state->view.compare = VIEW_COMPARE_SIDE;
    learn->pinned = learn->view->moment->step;
    learn->pin_edits = learn->view->edit_count;
}

static void compare_nothing(struct app_state *state)
{
    document_compare(&state->document, DOCUMENT_COMPARES_NOTHING, NULL);
    state->view.compare = VIEW_COMPARE_NOT;
}

/* The present moment stays beside all that follows, A | B; or no more. */
static void pin_moment(struct app_state *state)
{
    if (!learn_is_pinned(state) && state->document.trace != NULL) {
        learn_pin(state);
    } else {
        compare_nothing(state);
    }
}

/* The same recipe from another seed, A | B; or no more. */
static bool turn_beside(struct app_state *state)
{
    if (state->document.compares == DOCUMENT_COMPARES_SEED) {
        compare_nothing(state);
    } else {
        learn_forget_beside(state->learn); /* what is found of it is news once more */
        document_compare(&state->document, DOCUMENT_COMPARES_SEED, NULL);
        state->view.compare = VIEW_COMPARE_SIDE;
    }
    return true;
}

static bool leave_training(struct app_state *state, double time)
{
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    lab_training_release(next.learned);
    next.learned = NULL;
    document_change(&state->document, &next, tr("weights as they are"), time);
    lab_experiment_release(&next);
    return true;
}

static void play_training(struct app_state *state, double time)
{
    struct app_learn *const learn = state->learn;
    const struct learn_view *const view = learn->view;
    const uint64_t step = view->moment->step;
    uint64_t steps = view->steps;
    if (app_learn_is_training(state)) {
        learn->until = 0;
        return;
    }
    if (step >= steps) { /* beyond its end */
        steps = 2 * (step > steps ? step : steps);
        learn_trainer_set_steps(learn->trainer, steps);
        app_state_show_message(state, time, "All steps of the recipe are made: it trains on.");
    }
    learn->until = steps;
}

/* Takes a line out of those that are left out. */
static void bring_back(struct record_list *list, size_t number)
{
    const struct record_list all = *list;
    *list = (struct record_list){.count = 0};
    for (uint32_t n = 0; n < all.count; n++) {
        if (all.number[n] != number) {
            (void)record_list_add(list, all.number[n]);
        }
    }
}

/* The run is trained again without a line, or with one that was left out, up to the same step. */
static bool leave_out(struct app_state *state, size_t number, double time)
{
    struct app_learn *const learn = state->learn;
    struct learn_learned next = learn_copy_now(learn);
    if (learn_data_lines(learn->view->moment->data) == 0) {
        return false;
    }
    struct record_list *const without = &next.recipe.without;
    const bool returns = record_list_has(without, number);
    char name[APP_NAME_MAX];
    if (returns) {
        bring_back(without, number);
    } else if (!record_list_add(without, number)) {
        app_state_show_message(state, time, "At most %d lines can be left out together.",
                               RECORD_LIST_MAX);
        return false;
    }
    next.edits = 0;
    (void)snprintf(name, sizeof name, returns ? tr("with line %zu again") : tr("without line %zu"),
                   number);
    const bool done = app_learn_change(state, &next, NULL, 0, name, time);
    if (done) {
        state->view.overlay = VIEW_OVERLAY_NONE;
        app_state_show_message(state, time,
                               returns ? "Trained again from the same start with line %zu."
                                       : "Trained again from the same start without line %zu: Undo "
                                         "brings it back.",
                               number);
    }
    return done;
}

static bool set_speed(struct app_learn *learn, size_t speed)
{
    learn->shown.speed = speed < VIEW_LEARN_SPEEDS ? speed : 0;
    app_learn_take_speed(learn);
    return true;
}

/* The run without what was changed by hand, at the same step. */
static bool drop_edits(struct app_state *state, double time)
{
    struct learn_learned next = learn_copy_now(state->learn);
    next.edits = 0;
    (void)app_learn_change(state, &next, NULL, 0, tr("without changes by hand"), time);
    return true;
}

static bool apply_act(struct app_state *state, const struct view_action *action, double time)
{
    struct app_learn *const learn = state->learn;
    const size_t which = action->learn.which;
    const enum view_learn_act act = action->learn.act;
    if (act == VIEW_LEARN_PLAY || act == VIEW_LEARN_ONE || act == VIEW_LEARN_SEEK) {
        learn->course = LEARN_STANDS; /* it goes elsewhere */
    }
    switch (act) {
    case VIEW_LEARN_START:
        return app_learn_start(state, which, true, time);
    case VIEW_LEARN_PLAY:
        play_training(state, time);
        return true;
    case VIEW_LEARN_ONE:
        learn->until = 0;
        learn_trainer_one_step(learn->trainer);
        return true;
    case VIEW_LEARN_SEEK:
        learn->until = 0;
        learn_trainer_seek(learn->trainer, which);
        return true;
    case VIEW_LEARN_SPEED:
        return set_speed(learn, which);
    case VIEW_LEARN_AGAIN:
        return begin_anew(state, &learn->learned->recipe, tr("begin anew"), time);
    case VIEW_LEARN_SET:
        return note_time(state, change_setting(state, which, action->learn.number, time), time);
    case VIEW_LEARN_SHOW:
        app_learn_show(state, which);
        return true;
    case VIEW_LEARN_HEAD:
        app_learn_show_head(state, which, time);
        return true;
    case VIEW_LEARN_EVENT:
        if (which < learn->shown.events) {
            app_state_show_message(state, time, "%s", learn->shown.event[which].sentence);
        }
        return true;
    case VIEW_LEARN_SWITCH:
        return switch_head(state, which, time);
    case VIEW_LEARN_TAKE:
        return take_word(state, which, time);
    case VIEW_LEARN_ROW:
        return learn_take_row(state, which, time);
    case VIEW_LEARN_DRAW:
        return learn_set_draw(state, which, action->learn.number);
    case VIEW_LEARN_KEEP:
        return learn_keep_text(state, time);
    case VIEW_LEARN_BESIDE:
        return turn_beside(state);
    case VIEW_LEARN_PIN:
        pin_moment(state);
        return true;
    case VIEW_LEARN_LEAVE:
        return leave_training(state, time);
    case VIEW_LEARN_FREEZE:
        freeze_stage(state, time);
        return true;
    case VIEW_LEARN_FREEZE_HEAD:
        return freeze_head(state, which, time);
    case VIEW_LEARN_DATA:
        change_data(state, time);
        return true;
    case VIEW_LEARN_UNITS:
        return learn_set_units(state, which == 0 ? LEARN_WORDS : LEARN_LETTERS, time);
    case VIEW_LEARN_ROWS:
        return learn_set_rows(state, which == 0 ? LEARN_ROWS_WINDOWS : LEARN_ROWS_LINES, time);
    case VIEW_LEARN_BLAME:
        return learn_ask_blame(state, which);
    case VIEW_LEARN_BLAME_EACH:
        return learn_blame_each(state);
    case VIEW_LEARN_BLAME_REST:
        return learn_turn_blame(state);
    case VIEW_LEARN_LEAVE_OUT:
        return leave_out(state, which, time);
    case VIEW_LEARN_AS_MADE:
        return drop_edits(state, time);
    case VIEW_LEARN_TEXT:
        return learn_take_offer(state, which == 0, time);
    }
    return false;
}

/* The number in an open field is that of the present step: another step has another one there. */
static bool moves_on(enum view_learn_act act)
{
    return act == VIEW_LEARN_PLAY || act == VIEW_LEARN_ONE || act == VIEW_LEARN_SEEK;
}

bool app_learn_apply(struct app_state *state, const struct view_action *action, double time)
{
    if (state->view.edit_open && moves_on(action->learn.act)) {
        app_state_leave_number(state);
    }
    return (state->view.learn != NULL || action->learn.act == VIEW_LEARN_START) &&
           apply_act(state, action, time);
}

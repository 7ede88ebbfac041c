/* learn/run_ways.c — goes to any step of a run, changes it on the way, and undoes changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/translate.h"
#include "learn/run_internal.h"
#include "learn/shipped.h"

void learn_run_switch_heads(struct learn_run *run, const struct branch *branch)
{
    for (size_t layer = 0; layer < branch->recipe.shape.layers; layer++) {
        for (size_t head = 0; head < branch->recipe.shape.heads; head++) {
            learn_network_switch_head(run->network, layer, head, !branch->head_off[layer][head]);
        }
    }
}

void learn_run_take_test(struct learn_run *run, const struct branch *branch)
{
    run->test_rows = learn_data_test_rows(branch->data);
    learn_data_test(branch->data, run->test_tokens, run->test_targets);
}

void learn_run_apply(struct learn_run *run, const struct branch *branch)
{
    const struct learn_edit *const edit = &branch->edit;
    if (edit->kind == LEARN_EDIT_WEIGHT) {
        const struct learn_tensor *const tensor = &run->tensors->tensor[edit->tensor];
        run->weights[tensor->offset + edit->row * tensor->cols + edit->col] = edit->value;
    }
    if (edit->kind == LEARN_EDIT_DATA || edit->kind == LEARN_EDIT_TEXT) {
        learn_run_take_test(run, branch);
    }
}

/* ---- going to a step ------------------------------------------------------------------------- */

/* Loads the state at the start of a branch of which no snapshot is kept: that of its parent, with
 * the edit applied. */
static bool load_branch(struct learn_run *run, size_t branch, uint64_t step, struct error *error);

/* Trains to a step, and asks after each whether to go on. */
static bool train_to(struct learn_run *run, uint64_t step, const struct learn_progress *progress,
                     struct error *error)
{
    while (run->step < step) {
        if (!learn_run_forward(run, error) ||
            (progress != NULL && !progress->goes_on(progress->owner, run->step))) {
            return false;
        }
    }
    return true;
}

static bool reach_start(struct learn_run *run, size_t branch, struct error *error)
{
    const struct branch *const way = run->branches[branch];
    const size_t present = run->branch;
    bool done = false;
    run->branch = way->parent;
    done = load_branch(run, learn_run_owner(run, way->from), way->from, error) &&
           train_to(run, way->from, run->progress, error);
    run->branch = present;
    if (done) {
        learn_run_apply(run, way);
        learn_run_switch_heads(run, way);
    }
    return done;
}

static bool load_branch(struct learn_run *run, size_t branch, uint64_t step, struct error *error)
{
    const struct kept *const kept = learn_run_find_kept(run, branch, step);
    run->has_gradient = run->is_known = false;
    if (kept == NULL) {
        return reach_start(run, branch, error);
    }
    memcpy(run->weights, kept->values, 3 * run->tensors->floats * sizeof(float));
    run->step = kept->step;
    learn_run_take_test(run, run->branches[branch]);
    learn_run_switch_heads(run, run->branches[branch]);
    return true;
}

bool learn_run_load(struct learn_run *run, uint64_t step, struct error *error)
{
    return load_branch(run, learn_run_owner(run, step), step, error);
}

bool learn_run_come(struct learn_run *run, struct error *error)
{
    if (!run->is_known) {
        return true;
    }
    run->comes_to = run->step;
    const bool done = learn_run_load(run, run->comes_to, error) &&
                      train_to(run, run->comes_to, run->progress, error);
    run->comes_to = 0;
    return done;
}

uint64_t learn_run_comes_to(const struct learn_run *run)
{
    return run->comes_to;
}

/* ---- weights that are known ------------------------------------------------------------------ */

/* Returns the branch that a step belongs to on the way to another. */
static size_t owner_of(const struct learn_run *run, size_t branch, uint64_t step)
{
    while (branch != 0 && run->branches[branch]->from > step) {
        branch = run->branches[branch]->parent;
    }
    return branch;
}

/* Returns the known weights of a step of the present branch that was not reached yet; those that
 * came with the program are copied into the arena. Heads that are switched off at that step leave
 * the weights as they are. NULL: none are known. */
static const float *known_weights(const struct learn_run *run, uint64_t step, struct arena *arena)
{
    const struct branch *const root = run->branches[0];
    const bool has_known = run->known.weights != NULL && step == run->known.step;
    const size_t known = has_known ? owner_of(run, run->known.branch, step) : SIZE_MAX;
    size_t at = run->branch;
    while (at > 0 && at != run->known.branch && at != known && run->branches[at]->from == step &&
           run->branches[at]->edit.kind == LEARN_EDIT_HEAD_OFF) {
        at = run->branches[at]->parent;
    }
    if (has_known && (at == run->known.branch || at == known)) {
        return run->known.weights;
    }
    return at == 0 && step > root->furthest ? learn_shipped_weights(&root->recipe, step, arena)
                                            : NULL;
}

static bool load_known(struct learn_run *run, uint64_t step)
{
    struct arena arena = {0};
    const float *const weights = known_weights(run, step, &arena);
    if (weights != NULL) {
        const struct branch *const branch = run->branches[learn_run_owner(run, step)];
        memcpy(run->weights, weights, run->tensors->floats * sizeof *weights);
        run->step = step;
        run->is_known = true;
        run->has_gradient = false;
        run->result = (struct learn_result){.asked = 0};
        learn_run_take_test(run, branch);
        learn_run_switch_heads(run, branch);
    }
    arena_free(&arena);
    return weights != NULL;
}

bool learn_run_is_near(const struct learn_run *run, uint64_t step)
{
    struct arena arena = {0};
    const bool near = run->step == step || known_weights(run, step, &arena) != NULL;
    arena_free(&arena);
    return near;
}

bool learn_run_go(struct learn_run *run, uint64_t step, const struct learn_progress *progress,
                  struct error *error)
{
    if (load_known(run, step)) {
        return true;
    }
    const bool same =
        !run->is_known && learn_run_owner(run, run->step) == learn_run_owner(run, step);
    const struct kept *const kept = learn_run_find_kept(run, learn_run_owner(run, step), step);
    const bool behind = run->step > step || !same;
    /* Goes on from the present step unless a kept snapshot is nearer. */
    if (run->step != step && (behind || (kept != NULL && kept->step > run->step)) &&
        !learn_run_load(run, step, error)) {
        return false;
    }
    return train_to(run, step, progress, error);
}

/* ---- edits --------------------------------------------------------------------------------- */

bool learn_edit_check(const struct learn_edit *edit, const struct learn_recipe *recipe,
                      struct error *error)
{
    const struct learn_shape *const shape = &recipe->shape;
    struct learn_tensors tensors;
    learn_tensors_list(shape, &tensors);
    const struct learn_tensor *const tensor =
        edit->tensor < tensors.count ? &tensors.tensor[edit->tensor] : NULL;
    switch (edit->kind) {
    case LEARN_EDIT_WEIGHT:
        if (tensor == NULL || edit->row >= tensor->rows || edit->col >= tensor->cols) {
            return error_set(error, ERROR_INPUT, "There is no such weight.");
        }
        return isfinite(edit->value) ||
               error_set(error, ERROR_INPUT, "A weight must be a finite number.");
    case LEARN_EDIT_FREEZE_TENSOR:
        return tensor != NULL || error_set(error, ERROR_INPUT, "There is no such matrix.");
    case LEARN_EDIT_FREEZE_HEAD:
    case LEARN_EDIT_HEAD_OFF:
        return (edit->layer < shape->layers && edit->head < shape->heads) ||
               error_set(error, ERROR_INPUT, "There is no such head.");
    case LEARN_EDIT_RATE:
        return record_check_number(learn_recipe_row(LEARN_RECIPE_RATE), (double)edit->value, error);
    case LEARN_EDIT_TEXT:
        return recipe->task == LEARN_TASK_TEXT ||
               error_set(error, ERROR_INPUT, "This run learns from no text: begin anew with it.");
    default:
        return true;
    }
}

/* Makes the data of a branch from a request. */
static bool change_data(struct branch *branch, const struct learn_data_request *request,
                        struct error *error)
{
    const struct learn_data *const data = learn_data_make(request, error);
    if (data != NULL) {
        learn_data_release(branch->data);
        branch->data = data;
    }
    return data != NULL;
}

/* Makes the data of a branch from another text in the words of the run. The length of rows stays,
 * since positions are learned. */
static bool change_text(struct branch *branch, const struct learn_edit *edit, struct error *error)
{
    const bool is_cut = edit->cut != NULL && learn_data_shares_words(edit->cut, branch->data);
    const struct bytes text =
        edit->cut != NULL ? learn_data_request_of(edit->cut)->text : edit->text;
    struct learn_data *const cut =
        is_cut ? learn_data_keep(edit->cut)
               : learn_data_cut(text, LEARN_UNITS_AUTO, branch->data, NULL, error);
    struct learn_data_request request = *learn_data_request_of(branch->data);
    request.cut = cut;
    const bool done = cut != NULL && change_data(branch, &request, error);
    learn_data_release(cut);
    if (done && learn_data_request_of(branch->data)->context < request.context) {
        return error_set(error, ERROR_INPUT,
                         learn_data_is_letters(branch->data)
                             ? "This text is too short to go on with: rows of this run have %zu "
                               "letters."
                             : "This text is too short to go on with: rows of this run have %zu "
                               "words.",
                         request.context);
    }
    branch->edit.text = learn_data_request_of(branch->data)->text;
    branch->edit.cut = learn_data_request_of(branch->data)->cut;
    return done;
}

/* Changes a branch by its edit. */
static bool change_branch(struct branch *branch, const struct learn_edit *edit, struct error *error)
{
    const bool on = edit->value != 0;
    switch (edit->kind) {
    case LEARN_EDIT_FREEZE_TENSOR:
        branch->frozen.tensor[edit->tensor] = on;
        return true;
    case LEARN_EDIT_FREEZE_HEAD:
        branch->frozen.head[edit->layer][edit->head] = on;
        return true;
    case LEARN_EDIT_HEAD_OFF:
        branch->head_off[edit->layer][edit->head] = on;
        return true;
    case LEARN_EDIT_RATE:
        branch->recipe.optimiser.rate = edit->value;
        return true;
    case LEARN_EDIT_DATA: {
        struct learn_data_request request = *learn_data_request_of(branch->data);
        request.seed = edit->seed;
        return change_data(branch, &request, error);
    }
    case LEARN_EDIT_TEXT:
        return change_text(branch, edit, error);
    default:
        return true;
    }
}

static void drop_branch(struct branch *branch)
{
    learn_points_free(&branch->points);
    learn_keyframes_free(&branch->keyframes);
    learn_data_release(branch->data);
    free(branch);
}

/* Makes a branch that continues from the present step, without changing the run. */
static struct branch *make_branch(const struct learn_run *run, const struct learn_edit *edit,
                                  struct error *error)
{
    const size_t parent = learn_run_owner(run, run->step);
    const struct branch *const former = run->branches[parent];
    const struct branch *const present = run->branches[run->branch];
    const size_t heads = former->recipe.shape.layers * former->recipe.shape.heads;
    struct branch *const branch = calloc(1, sizeof *branch);
    if (branch == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to change the run.");
        return NULL;
    }
    *branch = *former;
    branch->points = (struct points){.count = 0};
    branch->keyframes = (struct keyframes){.count = 0};
    branch->events = 0;
    branch->parent = parent;
    branch->from = run->step;
    branch->furthest = run->step;
    branch->edit = *edit;
    branch->edit.step = run->step;
    branch->edits = former->edits + 1;
    branch->data = learn_data_keep(former->data);
    for (size_t e = 0; e < present->events; e++) {
        if (present->event[e].step < run->step) {
            branch->event[branch->events++] = present->event[e];
        }
    }
    if (change_branch(branch, edit, error) &&
        learn_points_copy(&branch->points, &present->points, run->step, heads, error)) {
        return branch;
    }
    drop_branch(branch);
    return NULL;
}

/* Another text may have more test rows, which need room. */
static bool find_test_room(struct learn_run *run, const struct branch *branch, struct error *error)
{
    const size_t rows = learn_data_test_rows(branch->data);
    const size_t cells = rows * branch->recipe.shape.context;
    if (rows <= run->test_room) {
        return true;
    }
    int32_t *const both = arena_array(&run->arena, 2 * cells, sizeof *both);
    if (both == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to change the run.");
    }
    run->test_room = rows;
    run->test_tokens = both;
    run->test_targets = both + cells;
    return true;
}

/* Begins a branch of its own for everything after the present step. */
static bool begin_branch(struct learn_run *run, const struct learn_edit *edit, struct error *error)
{
    if (run->branch_count > LEARN_EDITS_MAX) {
        return error_set(error, ERROR_INPUT,
                         "This run was changed %d times: start it again to change more.",
                         LEARN_EDITS_MAX);
    }
    struct branch *const branch = make_branch(run, edit, error);
    if (branch == NULL) {
        return false;
    }
    if (!find_test_room(run, branch, error)) {
        drop_branch(branch);
        return false;
    }
    run->undo[run->undos++] = (struct stand){run->branch, run->step};
    run->branches[run->branch_count] = branch;
    run->branch = run->branch_count++;
    return true;
}

bool learn_run_edit(struct learn_run *run, const struct learn_edit *edit, struct error *error)
{
    /* Weights that are known stay so: nothing is trained before it goes on from here. */
    const bool stays = run->is_known && edit->kind == LEARN_EDIT_HEAD_OFF;
    if (!learn_edit_check(edit, &run->branches[0]->recipe, error) ||
        (!stays && !learn_run_come(run, error)) || !begin_branch(run, edit, error)) {
        return false;
    }
    run->has_gradient = false;
    learn_run_apply(run, run->branches[run->branch]);
    learn_run_switch_heads(run, run->branches[run->branch]);
    if (!stays) {
        learn_run_keep(run);
    }
    return true;
}

/* Makes the run as it was just after it was made. */
static void drop_branches(struct learn_run *run)
{
    while (run->branch_count > 1) {
        drop_branch(run->branches[--run->branch_count]);
    }
    run->branch = 0;
    run->undos = 0;
    learn_run_load(run, 0, NULL);
}

bool learn_run_know(struct learn_run *run, const struct learn_edit *edits, size_t count,
                    uint64_t step, const float *weights, struct error *error)
{
    const size_t size = run->tensors->floats * sizeof *weights;
    bool done = true;
    for (size_t e = 0; done && e < count; e++) {
        run->step = edits[e].step;
        done = learn_edit_check(&edits[e], &run->branches[0]->recipe, error) &&
               begin_branch(run, &edits[e], error);
    }
    if (done) {
        run->known = (struct known){malloc(size), step, run->branch};
        done = run->known.weights != NULL ||
               error_set(error, ERROR_MEMORY, "There is not enough memory for the weights.");
    }
    if (!done) {
        drop_branches(run);
        return false;
    }
    memcpy(run->known.weights, weights, size);
    return load_known(run, step);
}

static bool stand_at(struct learn_run *run, const struct stand *stand, struct error *error)
{
    run->branch = stand->branch;
    return load_known(run, stand->step) ||
           (learn_run_load(run, stand->step, error) && learn_run_go(run, stand->step, NULL, error));
}

bool learn_run_can_undo(const struct learn_run *run)
{
    return run->undos > 0;
}

bool learn_run_undo(struct learn_run *run, struct error *error)
{
    if (run->undos == 0) {
        return error_set(error, ERROR_USAGE, "Nothing of this run was changed.");
    }
    return stand_at(run, &run->undo[--run->undos], error);
}

size_t learn_run_edits(const struct learn_run *run, const struct learn_edit **edits)
{
    struct learn_run *const own = (struct learn_run *)(uintptr_t)run;
    const size_t count = run->branches[run->branch]->edits;
    size_t left = count;
    for (size_t b = run->branch; b != 0; b = run->branches[b]->parent) {
        own->list[--left] = run->branches[b]->edit;
    }
    *edits = run->list;
    return count;
}

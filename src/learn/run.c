/* learn/run.c — see run.h: makes a run, goes forward, and goes to any step. */
#include "learn/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "learn/run_internal.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory to learn: choose fewer layers, or smaller ones.");
}

/* ---- making and freeing -------------------------------------------------------------------- */

static bool make_arrays(struct learn_run *run, struct error *error)
{
    const struct branch *const branch = run->branches[0];
    const size_t floats = run->tensors->floats, width = branch->recipe.shape.context;
    const size_t rows = branch->recipe.batch;
    run->test_room = learn_data_test_rows(branch->data);
    run->weights = arena_array(&run->arena, 3 * floats, sizeof *run->weights);
    run->gradient = arena_array(&run->arena, floats, sizeof *run->gradient);
    run->tokens = arena_array(&run->arena, rows * width, sizeof *run->tokens);
    run->targets = arena_array(&run->arena, rows * width, sizeof *run->targets);
    run->test_tokens = arena_array(&run->arena, (run->test_room + 1) * width, sizeof(int32_t));
    run->test_targets = arena_array(&run->arena, (run->test_room + 1) * width, sizeof(int32_t));
    if (run->weights == NULL || run->gradient == NULL || run->tokens == NULL ||
        run->targets == NULL || run->test_tokens == NULL || run->test_targets == NULL) {
        return no_memory(error);
    }
    run->m = run->weights + floats;
    run->v = run->m + floats;
    return true;
}

/* Starts the run. It owns data from now on; NULL: data could not be made. */
static bool start_run(struct learn_run *run, const struct learn_recipe *recipe,
                      struct learn_data *data, struct error *error)
{
    struct branch *const root = calloc(1, sizeof *root);
    run->branches = calloc(LEARN_EDITS_MAX + 1, sizeof *run->branches);
    if (root == NULL || run->branches == NULL) {
        free(root);
        learn_data_release(data);
        return no_memory(error);
    }
    run->branches[run->branch_count++] = root;
    root->recipe = *recipe;
    root->data = data;
    if (data == NULL) {
        return false;
    }
    learn_recipe_fit(&root->recipe, data);
    if (!learn_recipe_check(&root->recipe, error)) {
        return false;
    }
    run->network = learn_network_open(&root->recipe.shape, &run->engine, error);
    if (run->network == NULL) {
        return false;
    }
    run->tensors = learn_network_tensors(run->network);
    run->kept_bytes_max =
        recipe->task == LEARN_TASK_TEXT ? LEARN_KEPT_BYTES_TEXT : LEARN_KEPT_BYTES;
    run->kept_gap = learn_run_first_gap(run);
    if (!make_arrays(run, error)) {
        return false;
    }
    learn_initial_values(&root->recipe.shape, recipe->seed, recipe->sigma, run->weights);
    learn_run_take_test(run, root);
    learn_run_keep(run);
    return run->kept_count == 1 || no_memory(error);
}

static struct learn_run *make_run(const struct learn_recipe *recipe, struct learn_data *data,
                                  const struct lab_engine *engine, struct error *error)
{
    struct learn_run *const run = calloc(1, sizeof *run);
    if (run == NULL) {
        learn_data_release(data);
        no_memory(error);
        return NULL;
    }
    if (engine != NULL) {
        run->engine = *engine;
    }
    if (!start_run(run, recipe, data, error)) {
        learn_run_free(run);
        return NULL;
    }
    return run;
}

struct learn_run *learn_run_make(const struct learn_recipe *recipe, struct bytes text,
                                 const struct lab_engine *engine, struct error *error)
{
    return make_run(recipe, learn_recipe_data(recipe, text, error), engine, error);
}

struct learn_run *learn_run_make_of(const struct learn_recipe *recipe, const struct learn_data *cut,
                                    const struct lab_engine *engine, struct error *error)
{
    return make_run(recipe, learn_recipe_data_of(recipe, cut, error), engine, error);
}

void learn_run_free(struct learn_run *run)
{
    if (run == NULL) {
        return;
    }
    for (size_t b = 0; b < run->branch_count; b++) {
        learn_points_free(&run->branches[b]->points);
        learn_keyframes_free(&run->branches[b]->keyframes);
        learn_data_release(run->branches[b]->data);
        free(run->branches[b]);
    }
    free(run->branches);
    learn_run_drop_kept(run);
    free(run->known.weights);
    free(run->watched);
    learn_network_close(run->network);
    arena_free(&run->arena);
    free(run);
}

bool learn_run_resume(struct learn_run *run, uint64_t step, const float *weights, const float *m,
                      const float *v, struct error *error)
{
    const size_t floats = run->tensors->floats;
    memcpy(run->weights, weights, floats * sizeof *weights);
    memcpy(run->m, m, floats * sizeof *m);
    memcpy(run->v, v, floats * sizeof *v);
    run->step = run->branches[0]->furthest = step;
    if (learn_run_keep_here(run)) {
        return true;
    }
    learn_run_load(run, 0, NULL);
    return no_memory(error);
}

/* ---- properties ------------------------------------------------------------------------------ */

const struct learn_recipe *learn_run_recipe(const struct learn_run *run)
{
    return &run->branches[run->branch]->recipe;
}

const struct learn_data *learn_run_data(const struct learn_run *run)
{
    return run->branches[learn_run_owner(run, run->step)]->data;
}

struct learn_network *learn_run_network(const struct learn_run *run)
{
    return run->network;
}

const struct learn_tensors *learn_run_tensors(const struct learn_run *run)
{
    return run->tensors;
}

uint64_t learn_run_step(const struct learn_run *run)
{
    return run->step;
}

uint64_t learn_run_furthest(const struct learn_run *run)
{
    return run->branches[run->branch]->furthest;
}

const float *learn_run_weights(const struct learn_run *run)
{
    return run->weights;
}

const float *learn_run_gradient(const struct learn_run *run)
{
    return run->has_gradient ? run->gradient : NULL;
}

struct learn_result learn_run_result(const struct learn_run *run)
{
    return run->result;
}

const float *learn_run_m(const struct learn_run *run)
{
    return run->m;
}

const float *learn_run_v(const struct learn_run *run)
{
    return run->v;
}

size_t learn_run_owner(const struct learn_run *run, uint64_t step)
{
    size_t branch = run->branch;
    while (branch != 0 && run->branches[branch]->from > step) {
        branch = run->branches[branch]->parent;
    }
    return branch;
}

/* ---- one step ------------------------------------------------------------------------------ */

bool learn_loss_is_worse(float first, float now)
{
    return first > 0 && now > 2 * first;
}

/* Returns false with a sentence that says how to mend a run that has diverged. */
static bool refuse_diverged(const struct learn_run *run, struct error *error)
{
    const struct learn_recipe *const recipe = learn_run_recipe(run);
    char step[TEXT_NUMBER_MAX];
    return error_set(error, ERROR_INPUT,
                     "Training diverged at step %s: the numbers are none any more. Lower the rate "
                     "(now %g).",
                     text_count(step, (size_t)run->step), (double)recipe->optimiser.rate);
}

static bool run_batch(struct learn_run *run, float *gradient, struct learn_result *result,
                      struct error *error)
{
    const struct branch *const branch = run->branches[learn_run_owner(run, run->step)];
    learn_data_batch(branch->data, run->step, run->tokens, run->targets);
    const struct learn_batch batch = {branch->recipe.batch, branch->recipe.shape.context,
                                      run->tokens, run->targets};
    return learn_network_run(run->network, run->weights, &batch, gradient, NULL, result, error);
}

static bool measure_test(struct learn_run *run, struct learn_point *point, struct error *error)
{
    point->test_loss = point->test_accuracy = NAN;
    if (run->test_rows == 0) {
        return true;
    }
    const struct branch *const branch = run->branches[learn_run_owner(run, run->step)];
    const struct learn_batch batch = {run->test_rows, branch->recipe.shape.context,
                                      run->test_tokens, run->test_targets};
    struct learn_result result;
    if (!learn_network_run(run->network, run->weights, &batch, NULL, NULL, &result, error)) {
        return false;
    }
    point->test_loss = result.loss;
    point->test_accuracy = learn_result_accuracy(&result);
    return true;
}

static bool fill_point(struct learn_run *run, const struct learn_result *result,
                       struct learn_point *point, struct learn_scores *scores, struct error *error)
{
    const struct branch *const branch = run->branches[learn_run_owner(run, run->step)];
    *point = (struct learn_point){
        .step = run->step,
        .loss = result->loss,
        .accuracy = learn_result_accuracy(result),
        .rate = learn_optimiser_rate(&branch->recipe.optimiser, run->step),
    };
    if (!measure_test(run, point, error) ||
        !learn_scores_take(run->network, run->weights, branch->data, scores, error)) {
        return false;
    }
    memcpy(point->best, scores->best, sizeof point->best);
    return true;
}

bool learn_run_measure(struct learn_run *run, struct learn_point *point, struct error *error)
{
    struct learn_result result;
    struct learn_scores scores;
    return run_batch(run, NULL, &result, error) && fill_point(run, &result, point, &scores, error);
}

/* Notes the point of a step for its curve, once for each branch. */
static bool keep_point(struct learn_run *run, const struct learn_result *result,
                       struct error *error)
{
    struct branch *const branch = run->branches[run->branch];
    const struct points *const points = &branch->points;
    struct learn_point point;
    struct learn_scores scores;
    if (run->without_points || run->step < branch->from || !learn_step_is_kept(run->step) ||
        (points->count > 0 && points->point[points->count - 1].step >= run->step)) {
        return true;
    }
    if (!fill_point(run, result, &point, &scores, error)) {
        return false;
    }
    return learn_points_add(branch, &point, &scores, error);
}

/* Says whether every weight is a number, by the largest pattern of bits without the sign. */
static bool is_sane(const struct learn_run *run)
{
    const uint32_t infinite = 0x7F800000;
    uint32_t max = 0;
    for (size_t w = 0; w < run->tensors->floats; w++) {
        uint32_t bits;
        memcpy(&bits, &run->weights[w], sizeof bits);
        bits &= 0x7FFFFFFF;
        max = bits > max ? bits : max;
    }
    return max < infinite;
}

/* Applies the edits on the way to a branch that hold from the present step on, in their order. */
static void apply_edits(struct learn_run *run, size_t branch)
{
    const struct branch *const way = run->branches[branch];
    if (branch == 0 || way->from < run->step) {
        return;
    }
    apply_edits(run, way->parent);
    if (way->from == run->step) {
        learn_run_apply(run, way);
    }
}

void learn_run_heed(struct learn_run *run, const atomic_bool *given_up)
{
    learn_network_heed(run->network, given_up);
}

void learn_run_keep_points(struct learn_run *run, bool kept)
{
    run->without_points = !kept;
}

void learn_run_set_progress(struct learn_run *run, const struct learn_progress *progress)
{
    run->progress = progress;
}

bool learn_run_forward(struct learn_run *run, struct error *error)
{
    const struct branch *const branch = run->branches[learn_run_owner(run, run->step)];
    struct branch *const way = run->branches[run->branch];
    struct learn_result result;
    if (!learn_run_come(run, error)) {
        return false;
    }
    if (!run_batch(run, run->gradient, &result, error)) {
        run->has_gradient = false; /* a part of it may have been overwritten */
        return false;
    }
    if (!result.sane) {
        return refuse_diverged(run, error);
    }
    if (!keep_point(run, &result, error)) {
        return false;
    }
    const size_t floats = run->tensors->floats;
    if (run->watched != NULL) {
        memcpy(run->watched, run->weights, 3 * floats * sizeof(float));
    }
    const struct learn_step step = learn_optimiser_step(
        &branch->recipe.optimiser, &run->engine, &branch->recipe.shape, run->tensors,
        &branch->frozen, run->step, run->gradient, run->m, run->v, run->weights);
    if (!step.sane || !is_sane(run)) {
        refuse_diverged(run, error);
        learn_run_load(run, run->step, NULL); /* the last snapshot that holds numbers */
        return false;
    }
    run->has_gradient = true;
    run->has_watched = run->watched != NULL;
    if (run->has_watched) {
        memcpy(run->watched + 3 * floats, run->weights, floats * sizeof(float));
    }
    run->scale = step.scale;
    run->optimiser = branch->recipe.optimiser;
    run->result = result;
    run->step++;
    apply_edits(run, run->branch);
    learn_run_switch_heads(run, run->branches[learn_run_owner(run, run->step)]);
    way->furthest = run->step > way->furthest ? run->step : way->furthest;
    if (run->branch == run->known.branch && run->step >= run->known.step) {
        free(run->known.weights); /* it came there by itself */
        run->known.weights = NULL;
    }
    learn_run_keep(run);
    learn_run_add_keyframe(run);
    return true;
}

/* ---- watching ------------------------------------------------------------------------------ */

bool learn_run_watch(struct learn_run *run, bool on, struct error *error)
{
    if (!on) {
        free(run->watched);
        run->watched = NULL;
        run->has_watched = false;
    } else if (run->watched == NULL) {
        run->watched = malloc(4 * run->tensors->floats * sizeof *run->watched);
    }
    return !on || run->watched != NULL || no_memory(error);
}

bool learn_run_remake(struct learn_run *run, struct error *error)
{
    const uint64_t step = run->step;
    if (run->watched == NULL || step == 0 || run->is_known) {
        return false;
    }
    if (!run->has_gradient || !run->has_watched) {
        if (!learn_run_go(run, step - 1, NULL, error) || !learn_run_forward(run, error)) {
            (void)learn_run_go(run, step, NULL, NULL);
        }
    }
    return run->step == step && run->has_gradient && run->has_watched;
}

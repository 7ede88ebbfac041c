/* Compares two seeds: A is the run of the document, B the same recipe from another seed, at the
 * step that A shows. B is wanted of results, as all that follows from a key is: WANT_RUN is the
 * run, which is begun once and goes on from wherever it stands; WANT_MOMENT is what it comes to at
 * a step, and until it is there, what it has come to on the way. Both have the lane of their
 * source, so that the run is trained by one slice at a time. Where B is wanted no more, results
 * drop it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "app/results/wants.h"
#include "base/system/thread.h"
#include "learn/weight_rebuilder.h"

/* Of its snapshots: with them it stays among the results, which keep twice as much in all. */
enum { KEPT_BYTES = 24 << 20 };

/* ---- the run ---- */

/* What a run is begun with: the content of WANT_RUN. */
struct beginning {
    struct value value;
    struct learn_recipe recipe;
    const struct learn_data *cut; /* its own text, a reference; NULL: it has none, or that is not
                                     cut yet and stands in `text` */
    size_t size;
    uint8_t text[];
};

/* A run that goes on. The slice that trains it has it for itself; its points are copied for the
 * window, under the lock. */
struct other_run {
    struct value value;
    struct learn_run *run;
    struct system_mutex lock;
    struct learn_point *points; /* [count] */
    size_t count;
};

static void drop_beginning(struct value *value)
{
    learn_data_release(((struct beginning *)value)->cut);
    free(value);
}

static void drop_run(struct value *value)
{
    struct other_run *const other = (struct other_run *)value;
    learn_run_free(other->run);
    system_mutex_close(&other->lock);
    free(other->points);
    free(other);
}

/* The run of the document with the next seed. NULL: no memory. */
static struct beginning *make_beginning(const struct app_learn *learn)
{
    const struct learn_recipe *const recipe = &learn->learned->recipe;
    const struct bytes text = learn->learned->text;
    const struct learn_data *const cut = learn_find_cut(learn, text, recipe->units);
    const size_t size = cut == NULL ? text.size : 0;
    struct beginning *const made = malloc(sizeof *made + size);
    if (made != NULL) {
        made->recipe = *recipe;
        made->recipe.seed += 1;
        made->cut = cut == NULL ? NULL : learn_data_keep(cut);
        made->size = size;
        if (size > 0) {
            memcpy(made->text, text.at, size);
        }
        value_begin(&made->value, sizeof *made + size, drop_beginning);
    }
    return made;
}

static enum slice_end begin_run(struct slice *slice)
{
    const struct beginning *const from = (const struct beginning *)slice->content;
    struct other_run *const made = from == NULL ? NULL : calloc(1, sizeof *made);
    if (made == NULL || !system_mutex_open(&made->lock)) {
        free(made);
        (void)app_learn_no_memory(&slice->error);
        return SLICE_FAILED;
    }
    value_begin(&made->value, KEPT_BYTES, drop_run);
    made->run = from->cut != NULL
                    ? learn_run_make_of(&from->recipe, from->cut, NULL, &slice->error)
                    : learn_run_make(&from->recipe, (struct bytes){from->text, from->size}, NULL,
                                     &slice->error);
    if (made->run == NULL) {
        value_release(&made->value);
        return SLICE_FAILED;
    }
    learn_run_keep_at_most(made->run, KEPT_BYTES);
    slice->value = &made->value;
    return SLICE_DONE;
}

const struct result_kind learn_run_kind = {.work = begin_run, .has_lane = true};

/* ---- a moment of it ---- */

/* The window sees the curves as far as the run has come. False: no memory. */
static bool copy_points(struct other_run *other)
{
    size_t count = 0;
    const struct learn_point *const points = learn_run_points(other->run, &count);
    struct learn_point *const former = other->points;
    struct learn_point *const copy = malloc((count + 1) * sizeof *copy);
    if (copy == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(copy, points, count * sizeof *copy);
    }
    system_mutex_lock(&other->lock);
    other->points = copy;
    other->count = count;
    system_mutex_unlock(&other->lock);
    free(former);
    return true;
}

static bool goes_on(void *owner, uint64_t step)
{
    (void)step;
    return !slice_is_over(owner);
}

/* Goes on to the step, or as far as the slice allows. A run that has diverged on the way stays
 * where it was, as it does beside the window. */
static enum slice_end train_run(struct slice *slice)
{
    struct other_run *const other = (struct other_run *)(uintptr_t)slice->need[0];
    const struct learn_progress progress = {goes_on, slice};
    learn_run_heed(other->run, slice->is_stopped);
    const bool is_there = learn_run_go(other->run, slice->want->step, &progress, &slice->error);
    const bool has_diverged = slice->error.code == ERROR_INPUT;
    const bool is_fine = slice->error.code == ERROR_NONE || has_diverged;
    learn_run_heed(other->run, NULL);
    if (!is_fine) {
        return SLICE_FAILED;
    }
    slice->error = (struct error){ERROR_NONE, 0, ""};
    if (!copy_points(other) || !learn_give_snapshot(slice, learn_run_snapshot(other->run, NULL))) {
        (void)app_learn_no_memory(&slice->error);
        return SLICE_FAILED;
    }
    return is_there || has_diverged ? SLICE_DONE : SLICE_MORE;
}

static size_t list_run(const struct want *want, struct want needs[RESULTS_NEEDS_MAX])
{
    needs[0] = (struct want){.kind = WANT_RUN, .source = want->source};
    return 1;
}

const struct result_kind learn_moment_kind = {
    .list_needs = list_run, .work = train_run, .has_lane = true};

/* ---- each frame ---- */

static void hold_value(const struct value **place, const struct value *value)
{
    const struct value *const former = *place;
    *place = value_keep(value);
    value_release(former);
}

void learn_forget_beside(struct app_learn *learn)
{
    hold_value(&learn->beside.run, NULL);
    hold_value(&learn->beside.moment, NULL);
}

/* An old B beside a new A would say what is not so. */
static void end_comparison(struct app_state *state, const struct error *error, double time)
{
    document_compare(&state->document, DOCUMENT_COMPARES_NOTHING, NULL);
    state->view.compare = VIEW_COMPARE_NOT;
    learn_forget_beside(state->learn);
    app_state_show_message(state, time, "The comparison has ended. %s", error->text);
}

/* Returns what there is of the run. */
static struct finding want_run(struct app_state *state, uint32_t source)
{
    const struct want want = {.kind = WANT_RUN, .source = source};
    struct beginning *const content =
        results_have(state->results, &want) ? NULL : make_beginning(state->learn);
    const struct finding finding =
        results_want_of(state->results, &want, content == NULL ? NULL : &content->value, SLOT_RUN);
    value_release(content == NULL ? NULL : &content->value);
    return finding;
}

void learn_follow_beside(struct app_state *state, double time)
{
    struct app_learn *const learn = state->learn;
    struct want want;
    if (state->document.compares != DOCUMENT_COMPARES_SEED) {
        learn_forget_beside(learn);
        return;
    }
    if (!learn_key_want(state, WANT_MOMENT, &want) || learn->key.other == 0) {
        return;
    }
    want.source = learn->key.other;
    want.branch = 0; /* it goes on as its recipe has it, whatever is changed by hand in A */
    const struct finding run = want_run(state, want.source);
    const struct finding moment = results_want(state->results, &want, SLOT_MOMENT);
    if (run.found == FOUND_FAILED || moment.found == FOUND_FAILED) {
        end_comparison(state, run.found == FOUND_FAILED ? &run.error : &moment.error, time);
        return;
    }
    const bool is_own = moment.value != NULL && learn_source_of(moment.value) == want.source;
    hold_value(&learn->beside.run, run.found == FOUND_WHOLE ? run.value : NULL);
    hold_value(&learn->beside.moment, is_own ? moment.value : NULL); /* not of a former run */
}

const struct learn_snapshot *learn_beside_moment(const struct app_learn *learn)
{
    return learn->beside.moment == NULL ? NULL : learn_snapshot_of(learn->beside.moment);
}

const struct learn_point *learn_beside_points(const struct app_learn *learn, struct arena *arena,
                                              size_t *count)
{
    struct other_run *const other = (struct other_run *)(uintptr_t)learn->beside.run;
    struct learn_point *copy = NULL;
    *count = 0;
    if (other == NULL) {
        return NULL;
    }
    system_mutex_lock(&other->lock);
    copy = arena_array(arena, other->count + 1, sizeof *copy);
    if (copy != NULL && other->count > 0) {
        memcpy(copy, other->points, other->count * sizeof *copy);
        *count = other->count;
    }
    system_mutex_unlock(&other->lock);
    return copy;
}

/* Computes the words with the other run's weights, as an experiment of the same shape. NULL and a
 * sentence: there is no memory, or a setting of the experiment allows no result. */
static struct lab_trace *trace_of(struct app_state *state, const struct learn_snapshot *moment,
                                  struct error *error)
{
    struct app_learn *const learn = state->learn;
    struct lab_experiment next, made;
    struct lab_trace *trace = NULL;
    learn_switch_heads(learn->network, moment);
    struct learn_activations *const sentence = learn_activations_make(
        learn->network, moment->weights, learn_activations_tokens(learn->sentence), NULL,
        learn_activations_count(learn->sentence), error);
    struct lab_training *const training =
        learn_training_of(state, moment->recipe, moment->step, error);
    struct subject_trained trained = learn_trained(sentence, moment, learn->tokens);
    const struct subject subject = subject_of_trained(&trained);
    const struct subject_spot spot = {.layer = learn->layer};
    if (sentence != NULL && training != NULL &&
        subject_experiment(&subject, &spot, NULL, &made, error)) {
        lab_experiment_copy(&next, document_present(&state->document));
        learn_weight_rebuilder_take(&next, &made);
        learn_hold_training(&next.learned, training);
        trace = lab_run(&next, &state->document.engine, error);
        lab_experiment_release(&next);
    }
    lab_training_release(training);
    learn_activations_free(sentence);
    learn_switch_heads(learn->network, learn->view->moment);
    return trace;
}

void learn_compare_beside(struct app_state *state, double time)
{
    const struct learn_snapshot *const moment = learn_beside_moment(state->learn);
    struct error error = {ERROR_NONE, 0, ""};
    if (state->document.compares != DOCUMENT_COMPARES_SEED) {
        return;
    }
    struct lab_trace *const trace = moment == NULL ? NULL : trace_of(state, moment, &error);
    if (trace == NULL && moment != NULL) {
        (void)(error.code == ERROR_NONE && !app_learn_no_memory(&error));
        end_comparison(state, &error, time);
        return;
    }
    document_compare(&state->document, DOCUMENT_COMPARES_SEED, trace);
    lab_trace_release(trace);
}

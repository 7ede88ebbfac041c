/* The history of the experiment: a change becomes a step and is computed, at once or by a task;
 * steps are undone, redone and forgotten from the oldest on. */
#include "app/document/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lab/experiment/graph.h"

/* ---- steps ---- */

/* As much of a name as fits, in whole letters; one that was cut inside a letter loses it. */
static void copy_name(char out[DOCUMENT_NAME_MAX], const char *name)
{
    const uint32_t damaged = 0xFFFD;
    const size_t length = strlen(name);
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        const size_t from = at;
        const bool whole = text_next(name, length, &at) != damaged;
        if (used + (at - from) >= DOCUMENT_NAME_MAX) {
            break;
        }
        if (whole) {
            memcpy(out + used, name + from, at - from);
            used += at - from;
        }
    }
    out[used] = 0;
}

/* Room for so many more. False: no memory. */
static bool make_room(struct document_steps *steps, size_t more)
{
    if (steps->count + more > steps->room) {
        const size_t room = 2 * (steps->count + more);
        struct document_step *const grown = realloc(steps->step, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        steps->step = grown;
        steps->room = room;
    }
    return true;
}

/* The step is one of this work, at this step of the lesson. */
static void hold_parts(struct document_step *step, const struct lab_lesson *lesson, size_t at,
                       struct document_work *work)
{
    const struct lab_lesson *const former_lesson = step->lesson;
    struct document_work *const former_work = step->work;
    step->lesson = document_lesson_keep(lesson);
    step->work = document_work_keep(work);
    step->at = at;
    document_lesson_release(former_lesson);
    document_work_release(former_work);
}

/* A step of what is open now. False: no memory. */
static bool push_step(struct document *document, const struct lab_experiment *experiment,
                      const char *name)
{
    struct document_steps *const steps = &document->history;
    if (!make_room(steps, 1)) {
        return false;
    }
    struct document_step *const step = &steps->step[steps->count++];
    *step = (struct document_step){.lesson = NULL};
    hold_parts(step, document->lesson, document->step, document->work);
    lab_experiment_copy(&step->experiment, experiment);
    copy_name(step->name, name);
    return true;
}

static void release_step(struct document_step *step)
{
    document_lesson_release(step->lesson);
    document_work_release(step->work);
    lab_experiment_release(&step->experiment);
}

static void drop_from(struct document_steps *steps, size_t first)
{
    while (steps->count > first) {
        release_step(&steps->step[--steps->count]);
    }
}

static void drop_oldest(struct document_steps *steps)
{
    release_step(&steps->step[0]);
    steps->count--;
    memmove(steps->step, steps->step + 1, steps->count * sizeof *steps->step);
}

/* Those from `first` on move behind others. False: no memory, nothing moved. */
static bool move_from(struct document_steps *from, size_t first, struct document_steps *to)
{
    const size_t count = from->count - first;
    if (!make_room(to, count)) {
        return false;
    }
    if (count > 0) {
        memcpy(to->step + to->count, from->step + first, count * sizeof *to->step);
    }
    to->count += count;
    from->count = first;
    return true;
}

static void free_steps(struct document_steps *steps)
{
    drop_from(steps, 0);
    free(steps->step);
    *steps = (struct document_steps){0};
}

/* How many references to these numbers steps hold that are not wanted now. */
static size_t count_held(const struct document *document, const struct lab_numbers *numbers)
{
    const struct document_steps *const lists[] = {&document->history, &document->former};
    size_t held = 0;
    for (size_t w = 0; w < LAB_EXPERIMENT_WEIGHTS; w++) {
        held += lab_experiment_weights(&document->saved, w) == numbers;
    }
    for (size_t l = 0; l < 2; l++) {
        for (size_t i = 0; i < lists[l]->count; i++) {
            const bool wanted = l == 0 && i == document->wanted;
            for (size_t w = 0; !wanted && w < LAB_EXPERIMENT_WEIGHTS; w++) {
                held += lab_experiment_weights(&lists[l]->step[i].experiment, w) == numbers;
            }
        }
    }
    return held;
}

/* False: no memory. */
static bool wake_weights(const struct lab_experiment *experiment)
{
    bool woken = true;
    for (size_t w = 0; woken && w < LAB_EXPERIMENT_WEIGHTS; w++) {
        woken = lab_numbers_wake(lab_experiment_weights(experiment, w));
    }
    return woken;
}

/* ---- what is in a file ---- */

/* Returns whether the present experiment is one that no file and no step of the lesson has. */
static bool is_unsaved(const struct document *document)
{
    const struct lab_experiment *const present = document_present(document);
    if (document->restored || lab_experiment_equal(present, &document->saved)) {
        return document->restored;
    }
    for (size_t i = 0; i < document->lesson->steps; i++) {
        if (lab_experiment_equal(present, &document->lesson->step[i].experiment)) {
            return false;
        }
    }
    return true;
}

void document_note_saved(struct document *document, const struct lab_experiment *experiment)
{
    lab_experiment_release(&document->saved);
    lab_experiment_copy(&document->saved, experiment);
    document->restored = false;
    document->unsaved = is_unsaved(document);
}

/* Notes what is seen of the wanted step, before anything else is wanted. */
static void note_place(struct document *document)
{
    struct document_view_position *const position =
        &document->history.step[document->wanted].position;
    if (document->look != NULL) {
        document->look(document->owner, position);
        position->known = true;
    }
}

static void go_to_lesson(struct document *document, const struct lab_lesson *lesson, size_t step)
{
    const struct lab_lesson *const former = document->lesson;
    document->lesson = document_lesson_keep(lesson);
    document_lesson_release(former);
    document->step = step;
}

static void drop_baseline(struct document *document)
{
    lab_trace_release(document->baseline);
    document->baseline = NULL;
}

void document_set_lesson(struct document *document, const struct lab_lesson *lesson)
{
    note_place(document);
    document->is_place_noted = true;
    drop_baseline(document);
    go_to_lesson(document, lesson, 0);
}

static void go_to_work(struct document *document, struct document_work *work)
{
    struct document_work *const former = document->work;
    document->work = document_work_keep(work);
    document_work_release(former);
}

bool document_begin_work(struct document *document)
{
    struct document_work *const work = document_work_new();
    if (work == NULL) {
        return false;
    }
    if (!document->is_place_noted) {
        note_place(document);
        document->is_place_noted = true;
    }
    go_to_work(document, work);
    document_work_release(work);
    return true;
}

void document_note_lesson(struct document *document)
{
    struct document_step *const present = &document->history.step[document->wanted];
    hold_parts(present, document->lesson, document->step, document->work);
    document->is_place_noted = false; /* it is looked at on, from here */
}

/* The lesson that was open at a step of history is open again. */
static void return_to_lesson(struct document *document, const struct document_step *step)
{
    document->returns = false;
    document->is_elsewhere = step->work != document->work || document->lesson != step->lesson ||
                             document->step != step->at;
    if (document->lesson != step->lesson) {
        drop_baseline(document);
    }
    go_to_lesson(document, step->lesson, step->at);
    go_to_work(document, step->work);
}

/* ---- what is shown ---- */

const struct lab_experiment *document_present(const struct document *document)
{
    return document_is_pending(document) ? &document->history.step[document->wanted].experiment
                                         : &document->experiment;
}

bool document_is_pending(const struct document *document)
{
    return document->task != NULL;
}

/* The steps that were made while others were computed are part of history. */
static void join_steps(struct document *document)
{
    free_steps(&document->former);
    document->is_forked = false;
}

/* Those from the fork on go, and the former ones return: there is room where they came from. */
static void give_up_fork(struct document *document)
{
    drop_from(&document->history, document->fork);
    if (move_from(&document->former, 0, &document->history)) {
        join_steps(document);
    }
}

/* The steps behind the wanted one make room for another. What was there before the fork is put
 * aside, and comes back when the fork is given up. False: no memory, nothing changed. */
static bool begin_fork(struct document *document)
{
    const size_t first = document->wanted + 1;
    if (document->is_forked && first >= document->fork) {
        drop_from(&document->history, first);
        return true;
    }
    if (document->is_forked) { /* undone as far as before it */
        give_up_fork(document);
    }
    if (!move_from(&document->history, first, &document->former)) {
        return false;
    }
    document->is_forked = true;
    document->fork = first;
    return true;
}

static void stop_task(struct document *document)
{
    if (document->task != NULL) {
        task_cancel(document->task);
        document->task = NULL;
    }
}

static void tell_owner(struct document *document, const struct lab_trace *former)
{
    document->unsaved = is_unsaved(document);
    if (document->follow != NULL) {
        document->follow(document->owner, former);
    }
}

/* A step of history is there. trace is taken over. */
static void show_step(struct document *document, const struct lab_experiment *experiment,
                      const struct lab_trace *trace, const struct error *error, size_t at,
                      double time)
{
    const struct lab_trace *const former = document->trace;
    struct lab_experiment copy;
    lab_experiment_copy(&copy, experiment);
    lab_experiment_release(&document->experiment);
    document->experiment = copy;
    document->trace = trace;
    document->error = *error;
    document->at = at;
    document->shown++;
    document->glide_from = document->glides ? time : document->glide_from;
    if (document->returns && at == document->wanted) {
        return_to_lesson(document, &document->history.step[at]);
    }
    if (at == document->wanted) {
        join_steps(document);
    } else {
        document->fork = at + 1; /* steps up to this one cannot be given up any more */
        free_steps(&document->former);
    }
    tell_owner(document, former);
    lab_trace_release(former);
}

/* ---- computing ---- */

/* What a frame cannot wait for: multiplications, and weights that are made or copied. */
static bool is_long(const struct lab_experiment *experiment)
{
    static const double WEIGHTS_MAX = 1 << 18, OPERATIONS_MAX = 3e8;
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    return (double)sizes.heads * (double)sizes.n * (double)sizes.m > WEIGHTS_MAX ||
           lab_op_count(experiment) > OPERATIONS_MAX;
}

/* A step as a task. */
struct computing {
    struct document *document;
    struct lab_experiment experiment;
    size_t place;                   /* of the step, counted from the first there ever was */
    const struct lab_trace *former; /* computing begins from this; a reference, or NULL */
    const struct lab_trace *trace;
    struct lab_engine engine;
    struct error error;
};

static void run_computing(struct computing *computing)
{
    if (lab_words_count(computing->experiment.tokens) > 0) {
        computing->trace = lab_run_after(computing->former, &computing->experiment,
                                         &computing->engine, &computing->error);
    }
}

static void compute_beside(struct app_job *job, void *subject)
{
    (void)job;
    run_computing(subject);
}

static void release_computing(struct computing *computing)
{
    lab_trace_release(computing->trace);
    lab_trace_release(computing->former);
    lab_experiment_release(&computing->experiment);
}

static void forget_computing(void *subject)
{
    release_computing(subject);
    free(subject);
}

static void compute_wanted(struct document *document, const struct lab_trace *known, double time);

/* Returns whether a step that was computed is one on the way to what is wanted. */
static bool is_on_the_way(const struct document *document, size_t place)
{
    const size_t at = place - document->forgotten;
    return place >= document->forgotten &&
           (at == document->wanted ||
            (document->is_forked && at >= document->fork && at < document->wanted));
}

static void take_computed(struct app_state *state, void *subject, double time)
{
    struct computing *const computing = subject;
    struct document *const document = computing->document;
    (void)state;
    show_step(document, &computing->experiment, computing->trace, &computing->error,
              computing->place - document->forgotten, time);
    computing->trace = NULL;
    document->task = NULL;
    compute_wanted(document, NULL, time);
}

static void cancel_computing(struct app_state *state, void *subject, double time)
{
    const struct computing *const computing = subject;
    (void)state;
    (void)time;
    (void)document_cancel(computing->document);
}

#define KIND(says)                                                                                 \
    {                                                                                              \
        .doing = (says), .work = compute_beside, .apply = take_computed,                           \
        .cancelled = cancel_computing, .release = forget_computing, .concurrency = TASK_WAITS      \
    }

static const struct task_kind change_kind = KIND("Computing this change");
static const struct task_kind step_kind = KIND("Computing this step");

/* False: no memory, no thread. */
static bool submit_step(struct document *document, const struct computing *computing, double time)
{
    struct computing *const beside = malloc(sizeof *beside);
    if (beside == NULL) {
        return false;
    }
    *beside = *computing;
    document->place = beside->place;
    document->task =
        task_submit(document->tasks, document->glides ? &change_kind : &step_kind, beside, time);
    if (document->task == NULL) {
        free(beside);
    }
    return document->task != NULL;
}

/* What is wanted is computed, or was so already: now, or as a task. known: its trace, or NULL. */
static void compute_wanted(struct document *document, const struct lab_trace *known, double time)
{
    const struct lab_experiment *const wanted =
        &document->history.step[document->wanted].experiment;
    const bool is_shown = known == NULL && lab_experiment_equal(wanted, &document->experiment);
    if (document->task != NULL && known == NULL && !is_shown && is_long(wanted) &&
        is_on_the_way(document, document->place)) {
        tell_owner(document, NULL); /* the rest is computed when that is */
        return;
    }
    stop_task(document);
    if (is_shown) { /* but perhaps of other lists of words, as another text of a model is */
        lab_experiment_release(&document->experiment);
        lab_experiment_copy(&document->experiment, wanted);
        document->at = document->wanted;
        if (document->returns) {
            return_to_lesson(document, &document->history.step[document->at]);
        }
        join_steps(document);
        tell_owner(document, NULL);
        return;
    }
    struct computing now = {.document = document,
                            .place = document->wanted + document->forgotten,
                            .former =
                                document->trace == NULL ? NULL : lab_trace_keep(document->trace)};
    now.engine = document->engine;
    lab_experiment_copy(&now.experiment, wanted);
    if (known == NULL && is_long(wanted) && submit_step(document, &now, time)) {
        tell_owner(document, NULL);
        return;
    }
    if (known != NULL) {
        now.trace = lab_trace_keep(known);
    } else {
        run_computing(&now);
    }
    show_step(document, &now.experiment, now.trace, &now.error, document->wanted, time);
    now.trace = NULL;
    release_computing(&now);
}

/* ---- the door ---- */

/* What all steps hold together, whatever they share counted once where neighbours share it. */
static size_t bytes_of(const struct document_steps *steps)
{
    size_t bytes = 0;
    for (size_t i = 0; i < steps->count; i++) {
        bytes += lab_experiment_bytes(&steps->step[i].experiment,
                                      i > 0 ? &steps->step[i - 1].experiment : NULL);
    }
    return bytes;
}

static void forget_oldest(struct document *document)
{
    drop_oldest(&document->history);
    document->wanted--;
    document->forgotten++;
    document->at -= document->at > 0 ? 1 : 0;
    document->fork -= document->fork > 0 ? 1 : 0;
}

/* The present and one step back always stay. */
static void keep_history_small(struct document *document)
{
    const struct document_step *const step = document->history.step;
    size_t bytes = bytes_of(&document->history);
    while (document->wanted > 1 &&
           (bytes > DOCUMENT_BYTES_MAX || document->history.count > DOCUMENT_STEPS_MAX)) {
        bytes -= lab_experiment_bytes(&step[0].experiment, &step[1].experiment);
        forget_oldest(document);
    }
}

/* One more step behind the wanted one. False: no memory, all is as it was. */
static bool add_step(struct document *document, const struct lab_experiment *experiment,
                     const char *name)
{
    if (!make_room(&document->history, 1) || !begin_fork(document) ||
        !push_step(document, experiment, name)) {
        return false;
    }
    if (!document->is_place_noted) {
        note_place(document);
    }
    document->is_place_noted = document->is_elsewhere = false;
    document->wanted++;
    document->edits++;
    document->glides = true;
    document->returns = false;
    document_note_lesson(document);
    keep_history_small(document);
    return true;
}

static void change_experiment(struct document *document, const struct lab_experiment *experiment,
                              const struct lab_trace *trace, const char *name, double time)
{
    struct document_step *const present = &document->history.step[document->wanted];
    const bool goes_back = document->wanted != document->at && !document->is_forked;
    if (name != NULL || goes_back) { /* what is on its way stays as it is */
        char same[DOCUMENT_NAME_MAX];
        memcpy(same, present->name, sizeof same);
        if (!add_step(document, experiment, name != NULL ? name : same)) {
            document->refuse(document->owner, time);
            return;
        }
    } else {
        lab_experiment_release(&present->experiment);
        lab_experiment_copy(&present->experiment, experiment);
    }
    document->changes++;
    compute_wanted(document, trace, time);
}

void document_change_known(struct document *document, const struct lab_experiment *experiment,
                           const struct lab_trace *trace, const char *name, double time)
{
    if (name == NULL || !lab_experiment_equal(experiment, document_present(document))) {
        change_experiment(document, experiment, trace, name, time);
    }
}

void document_change_beside(struct document *document, const struct lab_experiment *experiment,
                            const struct lab_trace *trace, const char *name, double time)
{
    change_experiment(document, experiment, trace, name, time);
}

void document_change(struct document *document, const struct lab_experiment *experiment,
                     const char *name, double time)
{
    document_change_known(document, experiment, NULL, name, time);
}

void document_move_known(struct document *document, const struct lab_experiment *experiment,
                         const struct lab_trace *trace, double time)
{
    struct document_step *const present = &document->history.step[document->wanted];
    document->moves += !lab_experiment_equal(experiment, &present->experiment);
    lab_experiment_release(&present->experiment);
    lab_experiment_copy(&present->experiment, experiment);
    compute_wanted(document, trace, time);
}

static void go_to_step(struct document *document, size_t wanted, const struct lab_trace *known,
                       double time)
{
    if (!wake_weights(&document->history.step[wanted].experiment)) {
        document->refuse(document->owner, time);
        return;
    }
    note_place(document);
    document->is_place_noted = document->is_elsewhere = false;
    document->wanted = wanted;
    document->edits++;
    document->changes++;
    document->last_change = -INFINITY;
    document->glides = false;
    document->returns = true;
    document->return_time = time;
    compute_wanted(document, known, time);
}

bool document_can_undo(const struct document *document)
{
    return document->wanted > 0;
}

bool document_can_redo(const struct document *document)
{
    return document->wanted + 1 < document->history.count;
}

void document_undo(struct document *document, double time)
{
    if (document_can_undo(document)) {
        go_to_step(document, document->wanted - 1, NULL, time);
    }
}

void document_begin_here(struct document *document)
{
    while (!document_is_pending(document) && document->wanted > 0) {
        forget_oldest(document);
    }
    tell_owner(document, NULL);
}

void document_redo(struct document *document, double time)
{
    if (document_can_redo(document)) {
        go_to_step(document, document->wanted + 1, NULL, time);
    }
}

void document_take_back(struct document *document, const struct lab_trace *former, double time)
{
    if (document->wanted == 0 ||
        !wake_weights(&document->history.step[document->wanted - 1].experiment)) {
        return;
    }
    const size_t wanted = document->wanted - 1;
    const struct lab_experiment *const before = &document->history.step[wanted].experiment;
    const bool is_known =
        former != NULL && lab_experiment_equal(lab_trace_experiment(former), before);
    if (document->is_forked && wanted + 1 == document->fork) {
        give_up_fork(document);
    } else {
        drop_from(&document->history, wanted + 1);
    }
    go_to_step(document, wanted, is_known ? former : NULL, time);
}

void document_rest(const struct document *document)
{
    for (size_t i = 0; i < document->history.count; i++) {
        const struct lab_experiment *const experiment = &document->history.step[i].experiment;
        for (size_t w = 0; i != document->wanted && w < LAB_EXPERIMENT_WEIGHTS; w++) {
            const struct lab_numbers *const numbers = lab_experiment_weights(experiment, w);
            if (lab_numbers_may_rest(numbers) &&
                numbers != lab_experiment_weights(&document->experiment, w)) {
                lab_numbers_rest(numbers, count_held(document, numbers));
            }
        }
    }
}

bool document_cancel(struct document *document)
{
    struct document_steps *const history = &document->history;
    if (document->task == NULL) {
        return false;
    }
    stop_task(document);
    if (document->is_forked) {
        give_up_fork(document);
    }
    if (document->at >= history->count) { /* it had been taken back */
        document->at = history->count;
        if (!push_step(document, &document->experiment, "change")) {
            document->at--;
        }
    } else { /* on its way was perhaps another lesson */
        return_to_lesson(document, &history->step[document->at]);
    }
    document->wanted = document->at;
    document->returns = false;
    struct lab_experiment *const present = &history->step[document->at].experiment;
    lab_experiment_release(present);
    lab_experiment_copy(present, &document->experiment);
    document->last_change = -INFINITY; /* the next change belongs to none before it */
    document->changes++;
    tell_owner(document, NULL);
    return true;
}

bool document_open(struct document *document, const struct lab_experiment *experiment,
                   struct tasks *tasks)
{
    struct document_steps *const history = &document->history;
    document->tasks = tasks;
    document->lesson = &document_no_lesson;
    document->work = document_work_new();
    if (document->work == NULL) {
        return false;
    }
    history->room = DOCUMENT_STEPS_MAX + 1; /* once, so that no later change lacks room */
    history->step = malloc(history->room * sizeof *history->step);
    history->room = history->step == NULL ? 0 : history->room;
    if (!push_step(document, experiment, "")) {
        return false;
    }
    compute_wanted(document, NULL, 0);
    return true;
}

void document_close(struct document *document)
{
    free_steps(&document->history);
    free_steps(&document->former);
    lab_trace_release(document->trace);
    lab_trace_release(document->baseline);
    document->trace = document->baseline = NULL;
    lab_experiment_release(&document->experiment);
    lab_experiment_release(&document->saved);
    document_lesson_release(document->lesson);
    document_work_release(document->work);
    document->lesson = &document_no_lesson;
    document->work = NULL;
}

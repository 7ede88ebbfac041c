/* The history of the experiment: a change becomes a step, whose trace is computed at once or wanted
 * of the results; steps are undone, redone, given up and forgotten from the oldest on. */
#include "app/document/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/trace_want.h"
#include "app/results/wants.h"
#include "base/text.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/graph.h"

/* ---- steps ---- */

/* Copies as much of a name as fits, in whole letters. */
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

/* Makes room for one more step. False: no memory. */
static bool make_room(struct document_steps *steps)
{
    if (steps->count == steps->room) {
        const size_t room = 2 * steps->room + DOCUMENT_STEPS_MAX;
        struct document_step *const grown = realloc(steps->step, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        steps->step = grown;
        steps->room = room;
    }
    return true;
}

/* Makes the step one of this work, at this step of the lesson. */
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

static void put_reading(const struct value **place, const struct value *reading)
{
    const struct value *const former = *place;
    *place = value_keep(reading);
    value_release(former);
}

/* A step of what is open now, behind `parent` (DOCUMENT_NO_STEP: the first). False: no memory. */
static bool push_step(struct document *document, size_t parent,
                      const struct lab_experiment *experiment, const struct value *reading,
                      const char *name)
{
    struct document_steps *const steps = &document->history;
    if (!make_room(steps)) {
        return false;
    }
    const size_t at = steps->count++;
    struct document_step *const step = &steps->step[at];
    *step = (struct document_step){.number = ++document->numbers,
                                   .asked = ++document->numbers,
                                   .reading = value_keep(reading),
                                   .parent = parent,
                                   .redo = DOCUMENT_NO_STEP,
                                   .former_redo = DOCUMENT_NO_STEP};
    if (parent != DOCUMENT_NO_STEP) {
        step->former_redo = steps->step[parent].redo;
        steps->step[parent].redo = at;
    }
    step->keeps_run = parent != DOCUMENT_NO_STEP && experiment->learned != NULL &&
                      experiment->learned == steps->step[parent].experiment.learned &&
                      lab_edits_count(experiment->edits) == 0; /* a weight begins a branch */
    hold_parts(step, document->lesson, document->step, document->work);
    lab_experiment_copy(&step->experiment, experiment);
    copy_name(step->name, name);
    return true;
}

static void release_step(struct document_step *step)
{
    document_lesson_release(step->lesson);
    document_work_release(step->work);
    value_release(step->reading);
    lab_experiment_release(&step->experiment);
}

static struct document_step *wanted_step(const struct document *document)
{
    return &document->history.step[document->wanted];
}

/* Gives the step another experiment, and how its words were read. */
static void put_experiment(struct document *document, struct document_step *step,
                           const struct lab_experiment *experiment, const struct value *reading)
{
    struct lab_experiment copy;
    lab_experiment_copy(&copy, experiment); /* which may be the step's own */
    lab_experiment_release(&step->experiment);
    step->experiment = copy;
    step->asked = ++document->numbers;
    put_reading(&step->reading, reading);
}

/* Puts what undo and redo come to, from `first` on, in its order, and drops the rest. */
static void line_up_steps(struct document *document, size_t first)
{
    struct document_steps *const history = &document->history;
    size_t kept = 0, next = first, wanted = 0;
    for (size_t s = 0; s < history->count; s++) {
        struct document_step *const step = &history->step[s];
        if (s != next) {
            release_step(step);
            continue;
        }
        next = step->redo;
        wanted = s == document->wanted ? kept : wanted;
        step->parent = kept - 1; /* of the first DOCUMENT_NO_STEP */
        step->redo = next == DOCUMENT_NO_STEP ? next : kept + 1;
        step->former_redo = DOCUMENT_NO_STEP;
        if (kept < s) {
            history->step[kept] = *step;
        }
        kept++;
    }
    history->count = document->settled = kept;
    document->wanted = document->at = wanted;
}

/* Returns the bytes that all steps hold together; whatever neighbours share is counted once. */
static size_t bytes_of(const struct document_steps *steps)
{
    size_t bytes = 0;
    for (size_t i = 0; i < steps->count; i++) {
        bytes += lab_experiment_bytes(&steps->step[i].experiment,
                                      i > 0 ? &steps->step[i - 1].experiment : NULL);
    }
    return bytes;
}

/* The wanted step is shown: only the steps that undo and redo come to stay, and no more of them
 * than there is room for. The present and one step back always stay. */
static void settle_steps(struct document *document)
{
    const bool grows = document->history.count > document->settled;
    line_up_steps(document, 0);
    const struct document_step *const step = document->history.step;
    size_t bytes = grows ? bytes_of(&document->history) : 0, first = 0;
    while (grows && first + 1 < document->wanted &&
           (bytes > DOCUMENT_BYTES_MAX || document->history.count - first > DOCUMENT_STEPS_MAX)) {
        bytes -= lab_experiment_bytes(&step[first].experiment, &step[first + 1].experiment);
        first++;
    }
    if (first > 0) {
        line_up_steps(document, first);
    }
}

/* How many references to these numbers steps hold that are not wanted now. */
static size_t count_held(const struct document *document, const struct lab_numbers *numbers)
{
    const struct document_steps *const history = &document->history;
    size_t held = 0;
    for (size_t w = 0; w < LAB_EXPERIMENT_WEIGHTS; w++) {
        held += lab_experiment_weights(&document->saved, w) == numbers;
    }
    for (size_t i = 0; i < history->count; i++) {
        for (size_t w = 0; i != document->wanted && w < LAB_EXPERIMENT_WEIGHTS; w++) {
            held += lab_experiment_weights(&history->step[i].experiment, w) == numbers;
        }
    }
    return held;
}

bool document_wake_weights(const struct lab_experiment *experiment)
{
    bool woken = true;
    for (size_t w = 0; woken && w < LAB_EXPERIMENT_WEIGHTS; w++) {
        woken = lab_numbers_wake(lab_experiment_weights(experiment, w));
    }
    return woken;
}

/* ---- what is in a file ---- */

bool document_is_unsaved(const struct document *document)
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
}

/* Notes what is seen of the wanted step, before anything else is wanted. */
static void note_place(struct document *document)
{
    struct document_view_position *const position = &wanted_step(document)->position;
    if (document->look != NULL) {
        document->look(document->owner, position);
        position->known = true;
    }
}

/* The same, unless it was noted when another lesson or work began. */
static void note_place_once(struct document *document)
{
    if (!wanted_step(document)->position.known) {
        note_place(document);
    }
}

static void go_to_lesson(struct document *document, const struct lab_lesson *lesson, size_t step)
{
    const struct lab_lesson *const former = document->lesson;
    document->lesson = document_lesson_keep(lesson);
    document_lesson_release(former);
    document->step = step;
}

void document_set_lesson(struct document *document, const struct lab_lesson *lesson)
{
    note_place(document);
    document_compare(document, DOCUMENT_COMPARES_NOTHING, NULL);
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
    note_place_once(document);
    go_to_work(document, work);
    document_work_release(work);
    return true;
}

void document_note_lesson(struct document *document)
{
    hold_parts(wanted_step(document), document->lesson, document->step, document->work);
    wanted_step(document)->position.known = false; /* it is looked at on, from here */
}

/* The lesson and the work of a step of history are open, whichever were. Returns whether they were
 * others, or it is another step of the lesson. */
static bool return_to_lesson(struct document *document, const struct document_step *step)
{
    const bool is_elsewhere = step->work != document->work || document->lesson != step->lesson ||
                              document->step != step->at;
    if (document->lesson != step->lesson) {
        document_compare(document, DOCUMENT_COMPARES_NOTHING, NULL);
    }
    go_to_lesson(document, step->lesson, step->at);
    go_to_work(document, step->work);
    return is_elsewhere;
}

/* ---- what is shown ---- */

const struct lab_experiment *document_present(const struct document *document)
{
    return document_is_pending(document) ? &wanted_step(document)->experiment
                                         : &document->experiment;
}

const struct value *document_present_reading(const struct document *document)
{
    return document_is_pending(document) ? wanted_step(document)->reading : document->reading;
}

void document_note_reading(struct document *document, const struct value *reading)
{
    put_reading(&document->reading, reading);
    put_reading(&document->history.step[document->at].reading, reading);
}

bool document_is_pending(const struct document *document)
{
    return wanted_step(document)->asked != document->shown_asked;
}

const struct view_work *document_work(const struct document *document)
{
    return document_is_pending(document) ? &document->computing : NULL;
}

uint32_t document_wanted_number(const struct document *document)
{
    return wanted_step(document)->number;
}

/* The step of this number, from one back to those it was made from; DOCUMENT_NO_STEP: none. */
static size_t find_back(const struct document *document, size_t from, uint32_t number)
{
    const struct document_step *const step = document->history.step;
    size_t s = from;
    while (s != DOCUMENT_NO_STEP && step[s].number != number) {
        s = step[s].parent;
    }
    return s;
}

bool document_shows(const struct document *document, uint32_t number)
{
    return find_back(document, document->at, number) != DOCUMENT_NO_STEP;
}

static void tell_owner(struct document *document, const struct lab_trace *former, bool is_elsewhere)
{
    if (document->follow != NULL) {
        document->follow(document->owner, former, is_elsewhere);
    }
}

/* A step of history is there, as its experiment was when it was asked for. trace is taken over. */
static void show_step(struct document *document, size_t at, uint32_t asked,
                      const struct lab_experiment *experiment, const struct lab_trace *trace,
                      const struct error *error, double time)
{
    const struct lab_trace *const former = document->trace;
    bool is_elsewhere = false;
    struct lab_experiment copy;
    lab_experiment_copy(&copy, experiment);
    lab_experiment_release(&document->experiment);
    document->experiment = copy;
    document->trace = trace;
    document->error = *error;
    document->at = at;
    document->shown_asked = asked;
    put_reading(&document->reading, document->history.step[at].reading);
    document->shown++;
    document->glide_from = document->glides ? time : document->glide_from;
    document->computing.began = time;    /* of what is wanted behind it */
    if (document_is_pending(document)) { /* steps up to this one cannot be given up any more */
        document->settled = document->settled > at ? document->settled : at + 1;
    } else {
        is_elsewhere = return_to_lesson(document, wanted_step(document));
        settle_steps(document);
    }
    tell_owner(document, former, is_elsewhere);
    lab_trace_release(former);
}

/* The wanted step is equal to the one that is shown; but perhaps it has other lists of words, as
 * another text of a model. */
static void show_equal_step(struct document *document)
{
    lab_experiment_release(&document->experiment);
    lab_experiment_copy(&document->experiment, &wanted_step(document)->experiment);
    document->shown_asked = wanted_step(document)->asked;
    put_reading(&document->reading, wanted_step(document)->reading);
    const bool is_elsewhere = return_to_lesson(document, wanted_step(document));
    settle_steps(document);
    tell_owner(document, NULL, is_elsewhere);
}

/* ---- computing ---- */

/* A frame cannot wait for so many multiplications, nor for so many weights to be made or copied. */
bool document_is_long(const struct lab_experiment *experiment)
{
    static const double WEIGHTS_MAX = 1 << 18, OPERATIONS_MAX = 3e8;
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    return (double)sizes.heads * (double)sizes.n * (double)sizes.m > WEIGHTS_MAX ||
           lab_op_count(experiment) > OPERATIONS_MAX;
}

/* Finds the step of this number that is wanted, or that lies on the way to what is: it was made
 * after all that was settled. DOCUMENT_NO_STEP: it was undone or given up. */
static size_t find_on_the_way(const struct document *document, uint32_t number)
{
    const size_t s = find_back(document, document->wanted, number);
    return s == document->wanted || s >= document->settled ? s : DOCUMENT_NO_STEP;
}

/* Asks for the trace of what is wanted; what has come of it, or on the way to it, is shown. False:
 * no memory. */
static bool want_trace(struct document *document, double time)
{
    const struct document_step *const step = wanted_step(document);
    struct finding finding;
    if (!document_want_trace(document->results, SLOT_TRACE, step, document->trace,
                             &document->engine, &document->request, &finding)) {
        return false;
    }
    const struct document_trace *const value = (const struct document_trace *)finding.value;
    if (finding.found == FOUND_FAILED) {
        show_step(document, document->wanted, step->asked, &step->experiment, NULL, &finding.error,
                  time);
    } else if (value != NULL && value->asked != document->shown_asked &&
               find_on_the_way(document, value->step) != DOCUMENT_NO_STEP) {
        const struct error none = {ERROR_NONE, 0, ""};
        show_step(document, find_on_the_way(document, value->step), value->asked,
                  lab_trace_experiment(value->trace), lab_trace_keep(value->trace), &none, time);
    }
    return true;
}

static void compute_now(struct document *document, double time)
{
    const struct document_step *const step = wanted_step(document);
    struct error error = {ERROR_NONE, 0, ""};
    const struct lab_trace *const trace =
        lab_words_count(step->experiment.tokens) == 0
            ? NULL
            : lab_run_after(document->trace, &step->experiment, &document->engine, &error);
    show_step(document, document->wanted, step->asked, &step->experiment, trace, &error, time);
}

/* Shows the wanted step: at once where it is small, else when results have it. known: its trace, or
 * NULL. */
static void show_wanted(struct document *document, const struct lab_trace *known, double time)
{
    const struct document_step *const step = wanted_step(document);
    const struct error none = {ERROR_NONE, 0, ""};
    if (known != NULL) {
        show_step(document, document->wanted, step->asked, &step->experiment, lab_trace_keep(known),
                  &none, time);
    } else if (lab_experiment_equal(&step->experiment, &document->experiment)) {
        show_equal_step(document);
    } else if (!document_is_long(&step->experiment) || !want_trace(document, time)) {
        compute_now(document, time);
    } else if (document_is_pending(document)) {
        document->computing.doing =
            document->glides ? "Computing this change" : "Computing this step";
        tell_owner(document, NULL, false);
    }
}

void document_follow(struct document *document, double time)
{
    if (document_is_pending(document)) {
        (void)want_trace(document, time);
    } else {
        value_release(document->request);
        document->request = NULL;
    }
}

/* ---- the door ---- */

/* Another step is wanted from now on; `computing` tells since when it is not there. */
static void begin_want(struct document *document, double time)
{
    document->computing.began = document_is_pending(document) ? document->computing.began : time;
    document->changes++;
}

/* One more step behind the wanted one. False: no memory, all is as it was. */
static bool add_step(struct document *document, const struct lab_experiment *experiment,
                     const struct value *reading, const char *name)
{
    if (!push_step(document, document->wanted, experiment, reading, name)) {
        return false;
    }
    note_place_once(document);
    document->wanted = document->history.count - 1;
    document->edits++;
    document->glides = true;
    return true;
}

static void change_experiment(struct document *document, const struct lab_experiment *experiment,
                              const struct lab_trace *trace, const struct value *reading,
                              const char *name, double time)
{
    const bool goes_back = document->wanted != document->at && document->wanted < document->settled;
    begin_want(document, time);
    if (name != NULL || goes_back) { /* what is on its way stays as it is */
        char same[DOCUMENT_NAME_MAX];
        memcpy(same, wanted_step(document)->name, sizeof same);
        if (!add_step(document, experiment, reading, name != NULL ? name : same)) {
            document->refuse(document->owner, time);
            return;
        }
    } else {
        put_experiment(document, wanted_step(document), experiment, reading);
        hold_parts(wanted_step(document), document->lesson, document->step, document->work);
    }
    show_wanted(document, trace, time);
}

/* The same words were read in the same way. */
static const struct value *reading_of(const struct document *document,
                                      const struct lab_experiment *experiment)
{
    const struct lab_experiment *const present = document_present(document);
    const bool is_same =
        experiment->tokens == present->tokens && experiment->context == present->context;
    return is_same ? document_present_reading(document) : NULL;
}

void document_change_read(struct document *document, const struct lab_experiment *experiment,
                          const struct lab_trace *trace, const struct value *reading,
                          const char *name, double time)
{
    if (name == NULL || reading != document_present_reading(document) ||
        !lab_experiment_equal(experiment, document_present(document))) {
        change_experiment(document, experiment, trace, reading, name, time);
    }
}

void document_change(struct document *document, const struct lab_experiment *experiment,
                     const char *name, double time)
{
    if (name == NULL || !lab_experiment_equal(experiment, document_present(document))) {
        change_experiment(document, experiment, NULL, reading_of(document, experiment), name, time);
    }
}

void document_change_look(struct document *document, const char *name, double time)
{
    change_experiment(document, document_present(document),
                      document_is_pending(document) ? NULL : document->trace,
                      document_present_reading(document), name, time);
}

void document_move_known(struct document *document, const struct lab_experiment *experiment,
                         const struct lab_trace *trace, double time)
{
    document->moves += !lab_experiment_equal(experiment, document_present(document));
    put_experiment(document, wanted_step(document), experiment, reading_of(document, experiment));
    hold_parts(wanted_step(document), document->lesson, document->step, document->work);
    show_wanted(document, trace, time);
}

/* Words are no part of a run: where they alone changed from one step to the next, undo and redo
 * leave the weights at the step of training that they have come to. */
static void carry_run(struct document *document, size_t from, size_t to)
{
    struct document_step *const steps = document->history.step;
    const struct document_step *const later = steps[from].parent == to ? &steps[from] : &steps[to];
    if (later->keeps_run) {
        const struct lab_training *const former = steps[to].experiment.learned;
        steps[to].experiment.learned = lab_training_keep(steps[from].experiment.learned);
        steps[to].asked = ++document->numbers;
        lab_training_release(former);
    }
}

/* False: there is no memory for its weights. */
static bool go_to_step(struct document *document, size_t wanted, double time)
{
    if (!document_wake_weights(&document->history.step[wanted].experiment)) {
        document->refuse(document->owner, time);
        return false;
    }
    note_place(document);
    begin_want(document, time);
    carry_run(document, document->wanted, wanted);
    document->wanted = wanted;
    document->edits++;
    document->last_change = -INFINITY;
    document->glides = false;
    show_wanted(document, NULL, time);
    return true;
}

bool document_can_undo(const struct document *document)
{
    return wanted_step(document)->parent != DOCUMENT_NO_STEP;
}

bool document_can_redo(const struct document *document)
{
    return wanted_step(document)->redo != DOCUMENT_NO_STEP;
}

void document_undo(struct document *document, double time)
{
    if (document_can_undo(document)) {
        (void)go_to_step(document, wanted_step(document)->parent, time);
    }
}

void document_redo(struct document *document, double time)
{
    if (document_can_redo(document)) {
        (void)go_to_step(document, wanted_step(document)->redo, time);
    }
}

const char *document_undo_name(const struct document *document)
{
    return document_can_undo(document) ? wanted_step(document)->name : NULL;
}

const char *document_redo_name(const struct document *document)
{
    const size_t redo = wanted_step(document)->redo;
    return redo == DOCUMENT_NO_STEP ? NULL : document->history.step[redo].name;
}

void document_begin_here(struct document *document)
{
    if (!document_is_pending(document)) {
        line_up_steps(document, document->wanted);
    }
    tell_owner(document, NULL, false);
}

void document_take_back(struct document *document, double time)
{
    struct document_step *const all = document->history.step;
    const struct document_step *const step = wanted_step(document);
    const size_t parent = step->parent, behind = step->redo;
    if (parent == DOCUMENT_NO_STEP || !document_wake_weights(&all[parent].experiment)) {
        return;
    }
    all[parent].redo = behind == DOCUMENT_NO_STEP ? step->former_redo : behind;
    if (behind != DOCUMENT_NO_STEP) { /* undo came to it: what was done after it can be redone */
        all[behind].parent = parent;
        all[behind].former_redo = step->former_redo;
    }
    (void)go_to_step(document, parent, time);
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

/* The steps since the last settled one are dropped as if they had never been made. */
static void give_up_steps(struct document *document)
{
    struct document_steps *const history = &document->history;
    while (history->count > document->settled) {
        struct document_step *const last = &history->step[--history->count];
        history->step[last->parent].redo = last->former_redo;
        release_step(last);
    }
}

bool document_cancel(struct document *document)
{
    if (!document_is_pending(document)) {
        return false;
    }
    give_up_steps(document);
    document->wanted = document->at;
    struct document_step *const present = wanted_step(document);
    put_experiment(document, present, &document->experiment, document->reading);
    present->number = ++document->numbers; /* whatever was asked of it is given up, too */
    document->shown_asked = present->asked;
    const bool is_elsewhere =
        return_to_lesson(document, present); /* on its way was perhaps another lesson */
    document->last_change = -INFINITY;       /* the next change belongs to none before it */
    document->changes++;
    settle_steps(document);
    tell_owner(document, NULL, is_elsewhere);
    return true;
}

bool document_open(struct document *document, const struct lab_experiment *experiment,
                   struct results *results)
{
    struct document_steps *const history = &document->history;
    document->results = results;
    results_set_kind(results, WANT_TRACE, &document_trace_kind, NULL);
    document->computing.progress = -1;
    document->lesson = &document_no_lesson;
    document->work = document_work_new();
    if (document->work == NULL) {
        return false;
    }
    history->room = DOCUMENT_STEPS_MAX + 1; /* once, so that no later change lacks room */
    history->step = malloc(history->room * sizeof *history->step);
    history->room = history->step == NULL ? 0 : history->room;
    if (!push_step(document, DOCUMENT_NO_STEP, experiment, NULL, "")) {
        return false;
    }
    show_wanted(document, NULL, 0);
    return true;
}

void document_close(struct document *document)
{
    for (size_t s = 0; s < document->history.count; s++) {
        release_step(&document->history.step[s]);
    }
    free(document->history.step);
    document->history = (struct document_steps){0};
    value_release(document->request);
    value_release(document->reading);
    value_release(document->baseline_request);
    document->request = document->reading = document->baseline_request = NULL;
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

/* Results: what frames want, computed by threads in their order, shown as long as it is wanted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../rounds.h"
#include "app/results/results.h"

enum { LAYER, HEADS, TRACE, FILE_OF, SUM, SMALL, HUNGRY, STUCK, GROWING, ALL_GROWN, IDLE, KINDS };
enum { SOURCES = 3, LAYERS = 32, BYTES = 1 << 16, SLOT = 4 };

static atomic_size_t live, stopped, computed;
static atomic_bool lacks_memory, may_go;
static size_t reached[SOURCES]; /* of a run: guarded by its lane alone */
static uint32_t run_reading[SOURCES];

/* ---- computations that can be looked into ---- */

struct number {
    struct value value;
    uint32_t layers, reading;
    char room[];
};

static void drop_number(struct value *value)
{
    atomic_fetch_sub(&live, 1);
    free(value);
}

static struct value *create_number(uint32_t layers, uint32_t reading)
{
    struct number *const number = malloc(sizeof *number + BYTES);
    assert_non_null(number);
    value_begin(&number->value, BYTES, drop_number);
    number->layers = layers;
    number->reading = reading;
    atomic_fetch_add(&live, 1);
    return &number->value;
}

static double read_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void work_for(double seconds)
{
    for (const double begun = read_clock(); read_clock() < begun + seconds;) {
    }
}

static void sleep_for(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

static atomic_size_t inside[SOURCES], overlaps; /* slices of a lane, and those at once */

static void enter_lane(const struct want *want)
{
    atomic_fetch_add(&overlaps, atomic_fetch_add(&inside[want->source], 1));
}

static void leave_lane(const struct want *want)
{
    atomic_fetch_sub(&inside[want->source], 1);
}

/* A run goes on to a layer, or begins anew with another reading. */
static bool wait_until_reached(const struct want *want, size_t layers)
{
    size_t *const at = &reached[want->source];
    enter_lane(want);
    if (run_reading[want->source] != want->head) {
        const bool grows = want->head == run_reading[want->source] + 1;
        run_reading[want->source] = want->head;
        *at = grows ? *at : 0;
    }
    if (*at < layers) {
        work_for(1e-4);
        ++*at;
    }
    const bool is_there = *at >= layers;
    leave_lane(want);
    return is_there;
}

static enum slice_end compute_layer(struct slice *slice)
{
    if (!wait_until_reached(slice->want, slice->want->layer + 1)) {
        return SLICE_MORE;
    }
    slice->value = create_number(slice->want->layer, slice->want->head);
    return SLICE_DONE;
}

static enum slice_end compute_heads(struct slice *slice)
{
    uint32_t *const layers = slice->state != NULL ? slice->state : calloc(1, sizeof *layers);
    assert_non_null(layers);
    slice->state = layers;
    slice->state_bytes = sizeof *layers;
    if (!wait_until_reached(slice->want, *layers + 1)) {
        return SLICE_MORE;
    }
    slice->value = create_number(++*layers, slice->want->head);
    return *layers < LAYERS ? SLICE_MORE : SLICE_DONE;
}

/* The same without a run; behind the third layer it waits until it may go on. */
static enum slice_end grow(struct slice *slice)
{
    uint32_t *const layers = slice->state != NULL ? slice->state : calloc(1, sizeof *layers);
    assert_non_null(layers);
    slice->state = layers;
    while (*layers == 3 && !atomic_load(&may_go)) {
        if (atomic_load(slice->is_stopped)) {
            return SLICE_MORE;
        }
        sleep_for(50);
    }
    slice->value = create_number(++*layers, slice->want->head);
    slice_report(slice, (float)*layers / LAYERS);
    return *layers < LAYERS ? SLICE_MORE : SLICE_DONE;
}

static size_t need_growing(const struct want *want, struct want needs[RESULTS_NEEDS_MAX])
{
    needs[0] = *want;
    needs[0].kind = GROWING;
    return 1;
}

static enum slice_end count_grown(struct slice *slice)
{
    slice->value =
        create_number(((const struct number *)slice->need[0])->layers, slice->want->head);
    return SLICE_DONE;
}

static enum slice_end compute_trace(struct slice *slice)
{
    for (int i = 0; i < 30; i++) {
        if (atomic_load(slice->is_stopped)) {
            atomic_fetch_add(&stopped, 1);
            return SLICE_MORE;
        }
        work_for(2e-5);
    }
    slice->value = create_number(0, slice->want->head);
    return SLICE_DONE;
}

static enum slice_end read_file(struct slice *slice)
{
    atomic_fetch_add(&computed, 1);
    (void)error_set(&slice->error, ERROR_FILE, "There is no such file.");
    return SLICE_FAILED;
}

static enum slice_end compute_small(struct slice *slice)
{
    atomic_fetch_add(&computed, 1);
    slice->value = create_number(slice->want->layer, slice->want->head);
    return SLICE_DONE;
}

static bool is_small(const struct slice *slice)
{
    return slice->want->attention == 0;
}

/* Two layers and a small number are summed; of layer 99, what cannot be read. */
static size_t list_needs(const struct want *want, struct want needs[RESULTS_NEEDS_MAX])
{
    needs[0] = (struct want){.kind = LAYER, .layer = want->layer, .head = want->head};
    needs[1] = (struct want){.kind = SMALL, .layer = want->layer};
    needs[2] = (struct want){.kind = FILE_OF};
    return want->layer == 99 ? 3 : 2;
}

static enum slice_end compute_sum(struct slice *slice)
{
    const struct number *const a = (const struct number *)slice->need[0];
    const struct number *const b = (const struct number *)slice->need[1];
    slice->value = create_number(a->layers + b->layers, a->reading);
    return SLICE_DONE;
}

static enum slice_end compute_hungry(struct slice *slice)
{
    atomic_fetch_add(&computed, 1);
    if (atomic_load(&lacks_memory)) {
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory.");
        return SLICE_FAILED;
    }
    slice->value = create_number(1, 1);
    return SLICE_DONE;
}

/* Goes on until it may end, or is stopped. */
static enum slice_end compute_stuck(struct slice *slice)
{
    atomic_fetch_add(&computed, 1);
    while (!atomic_load(&may_go) && !atomic_load(slice->is_stopped)) {
        sleep_for(50);
    }
    if (atomic_load(slice->is_stopped)) {
        atomic_fetch_add(&stopped, 1);
        return SLICE_MORE;
    }
    slice->value = create_number(slice->want->layer, slice->want->head);
    return SLICE_DONE;
}

/* Fails and cannot say why. */
static enum slice_end bring_nothing(struct slice *slice)
{
    slice->state = slice->state != NULL ? slice->state : malloc(1);
    return SLICE_MORE;
}

static struct results *open_results(size_t threads, size_t values)
{
    static const struct result_kind rows[KINDS] = {
        [LAYER] = {.work = compute_layer, .has_lane = true},
        [HEADS] = {.work = compute_heads, .drop_state = free, .has_lane = true},
        [TRACE] = {.work = compute_trace},
        [FILE_OF] = {.work = read_file},
        [SUM] = {.list_needs = list_needs, .work = compute_sum},
        [SMALL] = {.is_small = is_small, .work = compute_small},
        [HUNGRY] = {.work = compute_hungry},
        [STUCK] = {.work = compute_stuck},
        [GROWING] = {.work = grow, .drop_state = free},
        [ALL_GROWN] = {.list_needs = need_growing, .work = count_grown},
        [IDLE] = {.is_small = is_small, .work = bring_nothing, .drop_state = free}};
    struct results *const results = results_open(threads, values * BYTES);
    assert_non_null(results);
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        results_set_kind(results, kind, &rows[kind], NULL);
    }
    atomic_store(&stopped, 0);
    atomic_store(&computed, 0);
    return results;
}

static void close_results(struct results *results)
{
    results_close(results);
    assert_int_equal(atomic_load(&live), 0);
}

/* One frame that wants this alone. */
static struct finding frame_of(struct results *results, struct want want, double time)
{
    results_begin(results);
    const struct finding found = results_want(results, &want, SLOT);
    (void)results_end(results, time);
    return found;
}

/* Frames that want this until it is there, or has failed. */
static struct finding wait_for(struct results *results, struct want want)
{
    struct finding found = frame_of(results, want, 0);
    while (results_missing(results) > 0 || found.found < FOUND_WHOLE) {
        results_wait(results);
        found = frame_of(results, want, 0);
    }
    return found;
}

static const struct number *number_of(struct finding found)
{
    assert_non_null(found.value);
    return (const struct number *)found.value;
}

/* ---- what holds ---- */

static void what_is_wanted_comes_once_and_stays(void **unused)
{
    (void)unused;
    struct results *const results = open_results(2, 100);
    const struct want want = {.kind = STUCK, .layer = 3};
    atomic_store(&may_go, true);
    assert_int_equal(frame_of(results, want, 0).found, FOUND_NOTHING);
    assert_int_equal(number_of(wait_for(results, want))->layers, 3);
    for (int frame = 0; frame < 10; frame++) {
        assert_int_equal(frame_of(results, want, frame).found, FOUND_WHOLE);
        assert_int_equal(results_missing(results), 0);
    }
    assert_int_equal(atomic_load(&computed), 1);
    close_results(results);
}

static void what_is_small_is_there_at_once(void **unused)
{
    (void)unused;
    struct results *const results = open_results(0, 100); /* no thread at all */
    const struct finding found = frame_of(results, (struct want){.kind = SMALL, .layer = 5}, 0);
    assert_int_equal(found.found, FOUND_WHOLE);
    assert_int_equal(number_of(found)->layers, 5);
    assert_int_equal(results_missing(results), 0);
    const struct want large = {.kind = SMALL, .layer = 5, .attention = 1};
    assert_int_equal(frame_of(results, large, 0).found, FOUND_OLD);
    assert_int_equal(results_missing(results), 1);
    close_results(results);
}

/* The former value stays until the wanted one is there; then that is found, also where it was
 * replaced meanwhile. */
static void the_own_value_of_a_key_wins(void **unused)
{
    (void)unused;
    struct results *const results = open_results(2, 100);
    const struct want a = {.kind = STUCK, .layer = 1}, b = {.kind = STUCK, .layer = 2};
    atomic_store(&may_go, true);
    (void)wait_for(results, a);
    atomic_store(&may_go, false);
    struct finding found = frame_of(results, b, 0);
    assert_int_equal(found.found, FOUND_OLD);
    assert_int_equal(number_of(found)->layers, 1);
    assert_int_equal(frame_of(results, a, 0).found, FOUND_WHOLE); /* undone while it is computed */
    atomic_store(&may_go, true);
    sleep_for(5000); /* that of b comes, for a slot which shows what was wanted later */
    found = frame_of(results, a, 0);
    assert_int_equal(found.found, FOUND_WHOLE);
    assert_int_equal(number_of(found)->layers, 1);
    assert_int_equal(number_of(wait_for(results, b))->layers, 2);
    assert_int_equal(number_of(frame_of(results, a, 0))->layers, 1);
    close_results(results);
}

/* A frame asks for many things in one slot, and all that it was handed can be read until the next
 * one begins, though nothing of it fits into memory. */
static void what_a_frame_was_handed_stays_until_the_next(void **unused)
{
    (void)unused;
    struct results *const results = open_results(0, 1);
    const struct number *handed[20];
    for (int frame = 0; frame < 3; frame++) {
        results_begin(results);
        for (uint32_t i = 0; i < 20; i++) {
            const struct want want = {.kind = SMALL, .layer = i, .head = (uint32_t)frame};
            handed[i] = number_of(results_want(results, &want, SLOT));
        }
        (void)results_end(results, frame);
        for (uint32_t i = 0; i < 20; i++) {
            assert_int_equal(handed[i]->layers, i);
            assert_int_equal(handed[i]->reading, frame);
        }
    }
    close_results(results);
}

static void what_no_frame_wants_goes_the_oldest_first(void **unused)
{
    (void)unused;
    struct results *const results = open_results(0, 4);
    for (uint32_t i = 0; i < 10; i++) {
        (void)frame_of(results, (struct want){.kind = SMALL, .layer = i}, i);
        assert_true(results_bytes(results) <= 4 * BYTES);
    }
    assert_int_equal(atomic_load(&computed), 10);
    (void)frame_of(results, (struct want){.kind = SMALL, .layer = 7}, 11); /* still there */
    assert_int_equal(atomic_load(&computed), 10);
    (void)frame_of(results, (struct want){.kind = SMALL, .layer = 1}, 12); /* went */
    assert_int_equal(atomic_load(&computed), 11);
    close_results(results);
}

/* However many keys fail, what is known of them is bounded. */
static void failures_are_bounded_too(void **unused)
{
    (void)unused;
    struct results *const results = open_results(2, 4);
    for (uint32_t i = 0; i < 2000; i++) {
        (void)wait_for(results, (struct want){.kind = FILE_OF, .layer = i});
    }
    assert_true(results_count(results) <= 520);
    close_results(results);
}

static void what_is_not_wanted_any_more_is_stopped_after_a_moment(void **unused)
{
    (void)unused;
    struct results *const results = open_results(1, 4);
    const struct want want = {.kind = STUCK}, other = {.kind = SMALL};
    atomic_store(&may_go, false);
    (void)frame_of(results, want, 1);
    while (atomic_load(&computed) == 0) {
        sleep_for(100);
    }
    (void)frame_of(results, other, 1.2); /* a quarter of a second is not over */
    sleep_for(3000);
    assert_int_equal(atomic_load(&stopped), 0);
    (void)frame_of(results, other, 1.3);
    while (atomic_load(&stopped) == 0) {
        sleep_for(100);
    }
    (void)frame_of(results, other, 1.4);
    atomic_store(&may_go, true);
    assert_int_equal(wait_for(results, want).found, FOUND_WHOLE); /* wanted again */
    close_results(results);
}

/* Frames that want it until three layers of it are there, behind which it waits. */
static struct finding grow_to_three(struct results *results, struct want want)
{
    atomic_store(&may_go, false);
    struct finding found = frame_of(results, want, 0);
    while (found.found != FOUND_PART || number_of(found)->layers < 3) {
        results_wait(results);
        found = frame_of(results, want, 0);
    }
    return found;
}

/* Heads are listed layer by layer; given up in the middle, they go on from there. */
static void what_was_begun_goes_on_when_it_is_wanted_again(void **unused)
{
    (void)unused;
    struct results *const results = open_results(1, 100);
    const struct want heads = {.kind = GROWING, .head = 1};
    struct finding found = grow_to_three(results, heads);
    const uint32_t layers = number_of(found)->layers;
    for (int frame = 0; frame < 5; frame++) {
        (void)frame_of(results, (struct want){.kind = SMALL}, 10 + frame);
        sleep_for(1000);
    }
    atomic_store(&may_go, true);
    found = frame_of(results, heads, 20);
    assert_true(found.found == FOUND_PART || found.found == FOUND_WHOLE);
    assert_true(number_of(found)->layers >= layers);
    assert_int_equal(number_of(wait_for(results, heads))->layers, LAYERS);
    close_results(results);
}

/* A part that grows tells how much of it is there, and what is whole tells nothing. */
static void what_is_under_way_tells_how_far_it_is(void **unused)
{
    (void)unused;
    struct results *const results = open_results(1, 100);
    const struct want want = {.kind = GROWING, .head = 1};
    atomic_store(&may_go, false);
    assert_true(frame_of(results, want, 0).progress < 0);
    const float progress = grow_to_three(results, want).progress;
    assert_true(progress > 2.5F / LAYERS && progress < 3.5F / LAYERS);
    atomic_store(&may_go, true);
    assert_true(wait_for(results, want).progress < 0);
    close_results(results);
}

/* Cancel: what there is stays through frames that want other things, nobody waits for the rest, and
 * it goes on from there when it is asked for again. */
static void what_is_given_up_stays_until_it_is_taken_up(void **unused)
{
    (void)unused;
    struct results *const results = open_results(2, 100);
    const struct want want = {.kind = GROWING, .head = 1};
    (void)grow_to_three(results, want);
    results_give_up(results, &want);
    atomic_store(&may_go, true);
    for (int frame = 0; frame < 5; frame++) {
        const struct finding found = frame_of(results, want, frame);
        assert_int_equal(found.found, FOUND_GIVEN_UP);
        assert_in_range(number_of(found)->layers, 3, 4); /* a slice ends as it may */
        assert_int_equal(results_missing(results), 0);
        (void)frame_of(results, (struct want){.kind = SMALL, .layer = 1}, frame);
        sleep_for(1000);
    }
    results_take_up(results, &want);
    assert_int_equal(number_of(wait_for(results, want))->layers, LAYERS);
    results_give_up(results, &want); /* of what is whole nothing is left to give up */
    assert_int_equal(frame_of(results, want, 9).found, FOUND_WHOLE);
    close_results(results);
}

/* What needs something that is given up does not come, and nobody waits for it. */
static void what_needs_what_is_given_up_is_given_up_with_it(void **unused)
{
    (void)unused;
    struct results *const results = open_results(2, 100);
    const struct want part = {.kind = GROWING, .head = 1}, all = {.kind = ALL_GROWN, .head = 1};
    (void)grow_to_three(results, part);
    results_give_up(results, &part);
    atomic_store(&may_go, true);
    assert_int_equal(frame_of(results, all, 0).found, FOUND_GIVEN_UP);
    assert_int_equal(results_missing(results), 0);
    results_take_up(results, &part);
    assert_int_equal(number_of(wait_for(results, all))->layers, LAYERS);
    close_results(results);
}

/* Nothing of it runs when the call returns, nor before another frame wants it. */
static void what_is_stopped_rests_until_the_next_frame(void **unused)
{
    (void)unused;
    struct results *const results = open_results(2, 100);
    const struct want want = {.kind = STUCK, .layer = 2};
    atomic_store(&may_go, false);
    (void)frame_of(results, want, 0);
    while (atomic_load(&computed) == 0) {
        sleep_for(100);
    }
    results_stop(results, &want);
    assert_int_equal(atomic_load(&stopped), 1);
    sleep_for(3000);
    assert_int_equal(atomic_load(&computed), 1);
    atomic_store(&may_go, true);
    assert_int_equal(number_of(wait_for(results, want))->layers, 2);
    assert_int_equal(atomic_load(&computed), 2);
    close_results(results);
}

/* What was taken over is kept by nobody else, and is computed anew when it is wanted again. */
static void what_is_forgotten_is_kept_no_more(void **unused)
{
    (void)unused;
    struct results *const results = open_results(0, 100);
    const struct want want = {.kind = SMALL, .layer = 5}, other = {.kind = SMALL, .layer = 6};
    for (size_t frame = 1; frame < 4; frame++) {
        results_begin(results);
        const struct finding found = results_want(results, &want, SLOT);
        (void)results_want(results, &other, SLOT + 1);
        results_forget(results, frame % 2 == 0 ? &other : &want); /* the last of the frame, too */
        (void)results_want(results, &(struct want){.kind = SMALL, .layer = 7}, SLOT + 2);
        assert_int_equal(number_of(found)->layers, 5); /* until the next frame begins */
        assert_int_equal(results_count(results), 2);
        assert_int_equal(results_end(results, 0), 0);
    }
    assert_int_equal(atomic_load(&computed), 5);
    results_forget(results, &want);
    results_begin(results);
    (void)results_end(results, 1);
    assert_int_equal(atomic_load(&live), 2);
    close_results(results);
}

static void an_error_is_news_once(void **unused)
{
    (void)unused;
    struct results *const results = open_results(1, 4);
    const struct want want = {.kind = FILE_OF};
    size_t news = 0;
    struct finding found = {.found = FOUND_NOTHING};
    for (int frame = 0; frame < 100 || found.found != FOUND_FAILED; frame++) {
        found = frame_of(results, want, frame);
        news += found.is_news;
        sleep_for(100);
    }
    assert_int_equal(news, 1);
    assert_string_equal(found.error.text, "There is no such file.");
    assert_null(found.value);
    assert_int_equal(atomic_load(&computed), 1);
    results_take_up(results, &want); /* asked for again, it is tried and said again */
    (void)frame_of(results, want, 0);
    while (results_missing(results) > 0) {
        results_wait(results);
    }
    assert_true(frame_of(results, want, 0).is_news);
    assert_int_equal(atomic_load(&computed), 2);
    close_results(results);
}

static void lack_of_memory_is_tried_again(void **unused)
{
    (void)unused;
    struct results *const results = open_results(1, 4);
    const struct want want = {.kind = HUNGRY};
    atomic_store(&lacks_memory, true);
    assert_int_equal(wait_for(results, want).found, FOUND_FAILED);
    assert_int_equal(frame_of(results, want, 0.5).found, FOUND_FAILED); /* not at each frame */
    assert_int_equal(atomic_load(&computed), 1);
    atomic_store(&lacks_memory, false);
    (void)frame_of(results, want, 2);
    assert_int_equal(wait_for(results, want).found, FOUND_WHOLE);
    close_results(results);
}

/* No thread can be begun: nobody waits for ever, and it is tried again as all that lacks memory. */
static void without_threads_what_is_wanted_has_failed(void **unused)
{
    (void)unused;
    struct results *const results = open_results(0, 4);
    const struct want want = {.kind = TRACE};
    struct finding found = {.found = FOUND_NOTHING};
    size_t frames = 0;
    while (found.found != FOUND_FAILED && frames < 100) {
        found = frame_of(results, want, 0);
        frames++;
    }
    assert_int_equal(found.found, FOUND_FAILED);
    assert_int_equal(found.error.code, ERROR_MEMORY);
    assert_int_equal(results_missing(results), 0);
    assert_true(frames > 2); /* for a moment it may lack */
    close_results(results);
}

/* On the window's thread and on others: what never brings anything is given up for lack of memory,
 * and nobody waits for ever. */
static void what_brings_nothing_has_failed(void **unused)
{
    (void)unused;
    struct results *const results = open_results(2, 4);
    for (uint32_t attention = 0; attention < 2; attention++) { /* 0: it is small */
        const struct want want = {.kind = IDLE, .attention = attention};
        const struct finding found = wait_for(results, want);
        assert_int_equal(found.found, FOUND_FAILED);
        assert_int_equal(found.error.code, ERROR_MEMORY);
        assert_true(found.error.text[0] != '\0');
    }
    close_results(results);
}

static void what_a_want_needs_comes_before_it(void **unused)
{
    (void)unused;
    struct results *const results = open_results(3, 100);
    const struct want sum = {.kind = SUM, .layer = 4, .head = 9};
    const struct finding found = wait_for(results, sum);
    assert_int_equal(number_of(found)->layers, 8);
    assert_int_equal(number_of(found)->reading, 9);
    const struct finding bad = wait_for(results, (struct want){.kind = SUM, .layer = 99});
    assert_int_equal(bad.found, FOUND_FAILED);
    assert_string_equal(bad.error.text, "There is no such file.");
    close_results(results);
}

/* ---- random frames ---- */

struct person {
    uint64_t seed;
    uint32_t reading, asked, layer, source;
};

/* Drags, types, undoes, goes to other layers and sources. */
static unsigned do_something(struct person *person)
{
    person->seed = person->seed * 6364136223846793005u + 1442695040888963407u;
    const unsigned roll = (unsigned)(person->seed >> 33) % 100;
    if (roll < 40) {
        person->asked++;
    } else if (roll < 50) {
        person->reading++;
    } else if (roll < 55) {
        person->reading -= person->reading > 1;
    } else if (roll < 75) {
        person->layer = (uint32_t)(person->seed >> 40) % LAYERS;
    } else if (roll < 78) {
        person->source = (person->source + 1) % SOURCES;
    }
    return roll;
}

/* One pass of a frame: four wants in their slots, and what was handed. */
static void want_all(struct results *results, const struct person *person, struct finding handed[4])
{
    const struct want wants[4] = {
        {.kind = LAYER, .source = person->source, .head = person->reading, .layer = person->layer},
        {.kind = TRACE, .source = person->source, .head = person->asked},
        {.kind = HEADS, .source = person->source, .head = person->reading},
        {.kind = FILE_OF}};
    for (size_t i = 0; i < 4; i++) {
        handed[i] = results_want(results, &wants[i], i);
    }
    if (handed[0].found == FOUND_WHOLE) {
        assert_int_equal(number_of(handed[0])->layers, person->layer);
        assert_int_equal(number_of(handed[0])->reading, person->reading);
    }
    const bool is_left = handed[2].found == FOUND_GIVEN_UP && handed[2].value != NULL;
    if (handed[2].found == FOUND_PART || handed[2].found == FOUND_WHOLE || is_left) {
        assert_int_equal(number_of(handed[2])->reading, person->reading);
    }
}

/* Cancel now and then, and soon after that what was given up is asked for again. */
static void cancel_something(struct results *results, const struct person *person, unsigned roll)
{
    const struct want heads = {.kind = HEADS, .source = person->source, .head = person->reading};
    if (roll % 16 == 3) {
        results_give_up(results, &heads);
    } else if (roll % 16 == 4) {
        results_stop(results, &heads);
    } else if (roll % 4 == 1) {
        results_take_up(results, &heads);
    }
}

static void random_frames(uint64_t seed, size_t frames, size_t values)
{
    struct results *const results = open_results(3, values);
    struct person person = {.seed = seed, .reading = 1, .asked = 1};
    size_t news = 0;
    for (size_t f = 0; f < frames; f++) {
        const unsigned roll = do_something(&person);
        struct finding handed[8];
        uint32_t read[8];
        results_begin(results);
        for (size_t pass = 0; pass < 2; pass++) { /* what the first does is drawn in the second */
            person.layer = pass == 1 && roll % 3 == 0 ? (person.layer + 1) % LAYERS : person.layer;
            want_all(results, &person, handed + 4 * pass);
        }
        for (size_t i = 0; i < 8; i++) {
            read[i] = handed[i].value == NULL ? 0 : number_of(handed[i])->reading;
            news += handed[i].is_news;
        }
        cancel_something(results, &person, roll);
        (void)results_end(results, read_clock());
        for (size_t i = 0; i < 8; i++) {
            assert_true(handed[i].value == NULL || number_of(handed[i])->reading == read[i]);
        }
        if (roll % 8 == 0) {
            sleep_for(700);
        }
    }
    assert_true(news <= 1);
    close_results(results);
    assert_int_equal(atomic_load(&overlaps), 0);
}

static void frames_at_random_never_show_what_was_not_wanted(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        random_frames(seed, test_rounds(1500), seed % 2 == 0 ? 40 : 3);
    }
}

/* While a slider is dragged something newer comes again and again, though no value is in time. */
static void a_drag_shows_fresh_values_all_along(void **unused)
{
    (void)unused;
    struct results *const results = open_results(2, 40);
    uint32_t shown = 0;
    size_t fresh = 0;
    for (uint32_t frame = 1; frame <= 600; frame++) {
        const struct finding found =
            frame_of(results, (struct want){.kind = TRACE, .head = frame}, read_clock());
        if (found.value != NULL && number_of(found)->reading != shown) {
            assert_true(number_of(found)->reading > shown);
            shown = number_of(found)->reading;
            fresh++;
        }
        sleep_for(200); /* a value takes 600 */
    }
    assert_true(fresh > 20);
    close_results(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wanted_comes_once_and_stays),
        cmocka_unit_test(what_is_small_is_there_at_once),
        cmocka_unit_test(the_own_value_of_a_key_wins),
        cmocka_unit_test(what_a_frame_was_handed_stays_until_the_next),
        cmocka_unit_test(what_no_frame_wants_goes_the_oldest_first),
        cmocka_unit_test(failures_are_bounded_too),
        cmocka_unit_test(what_is_not_wanted_any_more_is_stopped_after_a_moment),
        cmocka_unit_test(what_was_begun_goes_on_when_it_is_wanted_again),
        cmocka_unit_test(what_is_under_way_tells_how_far_it_is),
        cmocka_unit_test(what_is_given_up_stays_until_it_is_taken_up),
        cmocka_unit_test(what_needs_what_is_given_up_is_given_up_with_it),
        cmocka_unit_test(what_is_stopped_rests_until_the_next_frame),
        cmocka_unit_test(what_is_forgotten_is_kept_no_more),
        cmocka_unit_test(an_error_is_news_once),
        cmocka_unit_test(lack_of_memory_is_tried_again),
        cmocka_unit_test(without_threads_what_is_wanted_has_failed),
        cmocka_unit_test(what_brings_nothing_has_failed),
        cmocka_unit_test(what_a_want_needs_comes_before_it),
        cmocka_unit_test(frames_at_random_never_show_what_was_not_wanted),
        cmocka_unit_test(a_drag_shows_fresh_values_all_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is computed can be ended by whoever wanted it: stopped and forgotten, or finished at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "app/results/results.h"

static atomic_size_t begun, stopped, slices;
static atomic_bool may_go;

static void sleep_for_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* Five slices; each goes on until it may end, or is stopped. */
static enum slice_end work(struct slice *slice)
{
    atomic_fetch_add(&begun, 1);
    while (!atomic_load(&may_go) && !atomic_load(slice->is_stopped)) {
        sleep_for_moment();
    }
    if (atomic_load(slice->is_stopped)) {
        atomic_fetch_add(&stopped, 1);
        return SLICE_MORE;
    }
    slice->value = calloc(1, sizeof *slice->value);
    assert_non_null(slice->value);
    value_begin(slice->value, sizeof *slice->value, NULL);
    return atomic_fetch_add(&slices, 1) + 1 < 5 ? SLICE_MORE : SLICE_DONE;
}

static bool is_never_small(const struct slice *slice)
{
    (void)slice;
    return false;
}

static struct results *open_results(size_t threads)
{
    static const struct result_kind kind = {.work = work},
                                    large = {.is_small = is_never_small, .work = work};
    struct results *const results = results_open(threads, 1 << 20);
    assert_non_null(results);
    results_set_kind(results, 0, &kind, NULL);
    results_set_kind(results, 1, &large, NULL);
    atomic_store(&begun, 0);
    atomic_store(&stopped, 0);
    atomic_store(&slices, 0);
    atomic_store(&may_go, false);
    return results;
}

static const struct want want = {.layer = 2};

static enum found frame_of(struct results *results)
{
    results_begin(results);
    const enum found found = results_want(results, &want, 0).found;
    (void)results_end(results, 0);
    return found;
}

/* The frame begins it, and a thread is at it. */
static void begin_it(struct results *results)
{
    (void)frame_of(results);
    while (atomic_load(&begun) == 0) {
        sleep_for_moment();
    }
}

static void what_is_forgotten_while_it_is_computed_stops(void **unused)
{
    (void)unused;
    struct results *const results = open_results(1);
    begin_it(results);
    results_forget(results, &want);
    while (atomic_load(&stopped) == 0) { /* no frame has to come for that */
        sleep_for_moment();
    }
    while (results_count(results) > 0) {
        results_begin(results);
        (void)results_end(results, 0);
    }
    assert_int_equal(atomic_load(&slices), 0);
    atomic_store(&may_go, true);
    while (frame_of(results) != FOUND_WHOLE) { /* wanted again */
        sleep_for_moment();
    }
    results_close(results);
}

/* By a thread so far, or by none. */
static void what_is_finished_is_there(void **unused)
{
    (void)unused;
    for (size_t threads = 0; threads < 2; threads++) {
        struct results *const results = open_results(threads);
        results_finish(results, &want); /* nobody wanted it yet */
        assert_int_equal(atomic_load(&begun), 0);
        if (threads > 0) {
            begin_it(results);
            results_stop(results, &want);
        } else {
            (void)frame_of(results);
        }
        atomic_store(&may_go, true);
        results_finish(results, &want);
        assert_int_equal(atomic_load(&slices), 5);
        assert_int_equal(frame_of(results), FOUND_WHOLE);
        results_close(results);
    }
}

/* However often a frame asks meanwhile: to wait for a thread is no lack of memory. */
static void what_waits_for_its_turn_does_not_fail(void **unused)
{
    (void)unused;
    struct results *const results = open_results(1);
    const struct want then = {.kind = 1};
    enum found found = FOUND_NOTHING;
    begin_it(results);
    for (size_t frame = 0; frame < 1000 || found != FOUND_WHOLE; frame++) {
        atomic_store(&may_go, frame >= 1000);
        results_begin(results);
        (void)results_want(results, &want, 0);
        found = results_want(results, &then, 1).found;
        (void)results_end(results, 0);
        assert_int_not_equal(found, FOUND_FAILED);
    }
    results_close(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_forgotten_while_it_is_computed_stops),
        cmocka_unit_test(what_is_finished_is_there),
        cmocka_unit_test(what_waits_for_its_turn_does_not_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

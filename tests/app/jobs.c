/* Work beside the window, begun and given up thousands of times. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/step.h"
#include "app/open/open_model.h"
#include "app/tasks/job.h"
#include "desk.h"
#include "view/parts/head_overview.h"

enum { CYCLES = 10000, OPENINGS = 300, PARTS = 3, STEPS = 100000 };

struct work {
    size_t begun, ended;
};

/* Goes on until it is told to stop. */
static void count_up(struct app_job *job, void *subject)
{
    struct work *const work = subject;
    work->begun++;
    for (size_t step = 0; !app_job_is_cancelled(job); step++) {
        app_job_report(job, step / STEPS % PARTS, step % STEPS, STEPS);
        sched_yield(); /* where there is one processor for all */
    }
    work->ended++;
}

static void ten_thousand_jobs_begin_and_are_given_up(void **unused)
{
    (void)unused;
    struct work work = {0};
    for (size_t cycle = 0; cycle < CYCLES; cycle++) {
        size_t part = 0, done = 0, all = 0;
        struct app_job *const job = app_job_start(count_up, &work);
        assert_non_null(job);
        for (size_t looks = 0; looks < cycle % 7; looks++) {
            app_job_read_progress(job, &part, &done, &all);
            assert_true(part < PARTS && done < STEPS && (all == 0 || all == STEPS));
        }
        app_job_cancel(job);
        app_job_finish(job);
        assert_int_equal(work.begun, cycle + 1);
        assert_int_equal(work.ended, cycle + 1);
    }
}

static void do_nothing(struct app_job *job, void *subject)
{
    struct work *const work = subject;
    (void)job;
    work->ended = work->begun;
}

/* Done before it is cancelled, or never asked to stop. */
static void jobs_that_end_at_once_leave_what_they_did(void **unused)
{
    (void)unused;
    for (size_t cycle = 1; cycle <= CYCLES; cycle++) {
        struct work work = {.begun = cycle};
        struct app_job *const job = app_job_start(do_nothing, &work);
        assert_non_null(job);
        if (cycle % 3 == 0) {
            app_job_cancel(job);
        }
        while (cycle % 2 == 0 && !app_job_is_done(job)) {
            sched_yield();
        }
        app_job_finish(job);
        assert_int_equal(work.ended, cycle);
    }
}

/* A model is opened and given up at once, or a moment later; what was there stays, and in the end
 * it opens all the same. */
static void a_model_is_opened_and_given_up_again_and_again(void **unused)
{
    (void)unused;
    const char *const folder = getenv("TINY_MODEL");
    const struct view_action cancel = {.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                       .overview = {.act = VIEW_HEAD_OVERVIEW_CANCEL}};
    struct app_state *state = opened("cats");
    assert_non_null(folder);
    for (size_t opening = 0; opening < OPENINGS; opening++) {
        const double time = (double)opening;
        assert_true(app_open_model_open(state, folder, NULL, time));
        for (size_t turns = 0; turns < opening % 5; turns++) {
            app_advance(state, time);
        }
        app_state_apply(state, &cancel, time);
        app_settle_tasks(state, time);
        assert_non_null(state->document.trace);
    }
    assert_true(app_open_model_open(state, folder, NULL, OPENINGS));
    app_settle_tasks(state, OPENINGS);
    assert_non_null(state->view.head_overview);
    closed(state);
}

/* A picture is drawn without frames before it: where a model is slow, too, all that is not there
 * when its first layer is counts as waited for. */
static void a_slow_model_has_settled_when_all_its_layers_are_there(void **unused)
{
    (void)unused;
    struct app_state *const state = opened("cats");
    state->host |= APP_HOST_IS_SLOW;
    assert_true(app_open_model_open(state, getenv("TINY_MODEL"), "the cat sat", 0));
    app_settle_tasks(state, 0);
    const struct view_head_overview *const overview = state->view.head_overview;
    assert_non_null(overview);
    assert_true(lab_thumbnails_sizes(overview->thumbnails).layers > 1);
    assert_int_equal(lab_thumbnails_ready(overview->thumbnails),
                     lab_thumbnails_sizes(overview->thumbnails).layers);
    assert_int_equal(overview->next_count, VIEW_NEXT_MAX);
    closed(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_jobs_begin_and_are_given_up),
        cmocka_unit_test(jobs_that_end_at_once_leave_what_they_did),
        cmocka_unit_test(a_model_is_opened_and_given_up_again_and_again),
        cmocka_unit_test(a_slow_model_has_settled_when_all_its_layers_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

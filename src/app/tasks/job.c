/* A thread for one piece of work: started, asked to give up, joined. */
#include "app/tasks/job.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/system/thread.h"

/* However little stack the shell leaves to threads (ulimit -s), this one has enough. */
enum { STACK = 2 << 20 };

struct app_job {
    struct system_thread thread;
    bool has_thread;
    void (*work)(struct app_job *job, void *subject);
    void *subject;
    atomic_size_t part, done, all;
    atomic_bool cancelled, over;
};

static void run_job(void *argument)
{
    struct app_job *const job = argument;
    job->work(job, job->subject);
    atomic_store(&job->over, true);
}

struct app_job *app_job_start(void (*work)(struct app_job *job, void *subject), void *subject)
{
    struct app_job *const job = calloc(1, sizeof *job);
    if (job == NULL) {
        return NULL;
    }
    job->work = work;
    job->subject = subject;
    job->has_thread = system_thread_start(&job->thread, STACK, run_job, job);
    if (!job->has_thread) {
        run_job(job);
    }
    return job;
}

bool app_job_is_done(const struct app_job *job)
{
    return atomic_load(&job->over);
}

void app_job_cancel(struct app_job *job)
{
    atomic_store(&job->cancelled, true);
}

void app_job_read_progress(const struct app_job *job, size_t *part, size_t *done, size_t *all)
{
    *part = atomic_load(&job->part);
    *done = atomic_load(&job->done);
    *all = atomic_load(&job->all);
}

void app_job_finish(struct app_job *job)
{
    if (job != NULL) {
        if (job->has_thread) {
            system_thread_join(&job->thread);
        }
        free(job);
    }
}

void app_job_report(struct app_job *job, size_t part, size_t done, size_t all)
{
    atomic_store(&job->part, part);
    atomic_store(&job->done, done);
    atomic_store(&job->all, all);
}

bool app_job_progress(void *text, size_t size)
{
    struct app_job_text *const text_progress = text;
    const double all =
        text_progress->expected > (double)size ? text_progress->expected : (double)size;
    app_job_report(text_progress->job, 0, size, (size_t)all);
    text_progress->size = size;
    return (text_progress->max_size == 0 || size <= text_progress->max_size) &&
           !app_job_is_cancelled(text_progress->job);
}

bool app_job_is_cancelled(const struct app_job *job)
{
    return atomic_load(&job->cancelled);
}

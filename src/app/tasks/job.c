/* A thread for one piece of work: started, asked to give up, joined. */
#include "app/tasks/job.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct app_job {
    pthread_t thread;
    bool has_thread;
    void (*work)(struct app_job *job, void *subject);
    void *subject;
    atomic_size_t part, done, all;
    atomic_bool cancelled, over;
};

static void *run_job(void *argument)
{
    struct app_job *const job = argument;
    job->work(job, job->subject);
    atomic_store(&job->over, true);
    return NULL;
}

/* However little stack the shell leaves to threads (ulimit -s), this one has enough. */
static bool start_thread(struct app_job *job)
{
    enum { STACK = 2 << 20 };
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    (void)pthread_attr_setstacksize(&attributes, STACK);
    const bool started = pthread_create(&job->thread, &attributes, run_job, job) == 0;
    (void)pthread_attr_destroy(&attributes);
    return started;
}

struct app_job *app_job_start(void (*work)(struct app_job *job, void *subject), void *subject)
{
    struct app_job *const job = calloc(1, sizeof *job);
    if (job == NULL) {
        return NULL;
    }
    job->work = work;
    job->subject = subject;
    job->has_thread = start_thread(job);
    if (!job->has_thread) {
        (void)run_job(job);
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
            pthread_join(job->thread, NULL);
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

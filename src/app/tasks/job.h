/* app/tasks/job.h — one piece of long work on a thread of its own, with progress and a way to give
 * up.
 *
 * The window's thread starts it, looks at it once a frame, and takes what came of it when it is
 * done; meanwhile only the worker touches the subject. */
#ifndef APP_TASKS_JOB_H
#define APP_TASKS_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct app_job;

/* Starts work(job, subject); where the system gives no thread it is done before this returns. NULL:
 * no memory; then nothing was started. */
struct app_job *app_job_start(void (*work)(struct app_job *job, void *subject), void *subject);

/* --- for whoever started it --- */
bool app_job_is_done(const struct app_job *job);
void app_job_cancel(struct app_job *job); /* asks; the work may take a moment to notice */
/* done of all, of the present part of the work; *part names it. 0 of 0 before the first. */
void app_job_read_progress(const struct app_job *job, size_t *part, size_t *done, size_t *all);
/* Waits for the end and frees it. NULL is fine. */
void app_job_finish(struct app_job *job);

/* --- for the work --- */
void app_job_report(struct app_job *job, size_t part, size_t done, size_t all);
bool app_job_is_cancelled(const struct app_job *job);

/* For a text that grows (owner of a growing_progress): tells how much of it is there, of about how
 * much; stops it where the job is given up or it grows beyond max_size bytes (0: any). */
struct app_job_text {
    struct app_job *job;
    double expected; /* bytes */
    size_t max_size;
    size_t size; /* by now; beyond max_size it was stopped for that */
};
bool app_job_progress(void *text, size_t size);

#endif

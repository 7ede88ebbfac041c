/* Tasks beside the window: begun, shown, taken when they are done, given up. */
#include "app/tasks/tasks.h"

#include <stdlib.h>

struct task {
    const struct task_kind *kind;
    void *subject;
    struct app_job *job; /* NULL: it waits */
    bool is_cancelled;
    struct view_work shown;
    char text[64]; /* of what is shown */
    struct task *former;
};

static void free_task(struct task *task)
{
    app_job_finish(task->job);
    if (task->kind->release != NULL) {
        task->kind->release(task->subject);
    }
    free(task);
}

static void take_out(struct tasks *tasks, const struct task *task)
{
    struct task **place = &tasks->latest;
    while (*place != task) {
        place = &(*place)->former;
    }
    *place = task->former;
}

bool tasks_refuse(const struct tasks *tasks, const struct task_kind *kind)
{
    bool refuses = false;
    for (const struct task *t = tasks->latest; kind->concurrency == TASK_EXCLUSIVE && t != NULL;
         t = t->former) {
        refuses = refuses || (t->kind->concurrency == TASK_EXCLUSIVE && !t->is_cancelled);
    }
    return refuses;
}

/* Returns whether a task of this kind is under way, given up or not. */
static bool has_former(const struct task *task)
{
    bool has = false;
    for (const struct task *t = task->former; t != NULL; t = t->former) {
        has = has || t->kind == task->kind;
    }
    return has;
}

/* False: no memory, no thread. */
static bool begin_job(struct task *task)
{
    if (task->job == NULL && (task->kind->concurrency != TASK_WAITS || !has_former(task))) {
        task->job = app_job_start(task->kind->work, task->subject);
        return task->job != NULL;
    }
    return true;
}

struct task *task_submit(struct tasks *tasks, const struct task_kind *kind, void *subject,
                         double time)
{
    struct task *const task = tasks_refuse(tasks, kind) ? NULL : calloc(1, sizeof *task);
    if (task == NULL) {
        return NULL;
    }
    *task = (struct task){.kind = kind,
                          .subject = subject,
                          .shown = {kind->doing, time, -1},
                          .former = tasks->latest};
    if (!begin_job(task)) {
        free(task);
        return NULL;
    }
    tasks->latest = task;
    return task;
}

static bool is_over(const struct task *task)
{
    return task->job != NULL ? app_job_is_done(task->job) : task->is_cancelled;
}

static void update_shown(struct task *task)
{
    size_t part = 0, done = 0, all = 0;
    if (task->job == NULL) {
        return;
    }
    if (task->kind->describe != NULL) {
        task->shown.progress =
            task->kind->describe(task->subject, task->job, task->text, sizeof task->text);
        task->shown.doing = task->text;
    } else {
        app_job_read_progress(task->job, &part, &done, &all);
        task->shown.progress = all > 0 ? (float)done / (float)all : -1;
    }
}

/* Applies or discards the result of a task that is over. The task is in no list any more, so that
 * this may submit and end others. */
static void end_task(struct task *task, struct app_state *state, double time)
{
    const struct task_kind *const kind = task->kind;
    void (*const ends)(struct app_state *, void *, double) =
        task->is_cancelled ? kind->discard : kind->apply;
    if (ends != NULL) {
        ends(state, task->subject, time);
    }
    free_task(task);
}

/* The one that was submitted first of those that are over. */
static struct task *find_over(const struct tasks *tasks)
{
    struct task *over = NULL;
    for (struct task *t = tasks->latest; t != NULL; t = t->former) {
        over = is_over(t) ? t : over;
    }
    return over;
}

bool tasks_advance(struct tasks *tasks, struct app_state *state, double time)
{
    for (struct task *over = NULL; (over = find_over(tasks)) != NULL;) {
        take_out(tasks, over);
        end_task(over, state, time);
    }
    for (struct task *t = tasks->latest; t != NULL; t = t->former) {
        (void)begin_job(t); /* where there is no thread now, there may be one in the next frame */
        update_shown(t);
    }
    return tasks->latest != NULL;
}

static struct task *find_shown(const struct tasks *tasks)
{
    struct task *task = tasks->latest;
    while (task != NULL && (task->is_cancelled || task->kind->doing == NULL)) {
        task = task->former;
    }
    return task;
}

const struct view_work *tasks_shown(const struct tasks *tasks)
{
    const struct task *const task = find_shown(tasks);
    return task == NULL ? NULL : &task->shown;
}

bool tasks_cancel(struct tasks *tasks, struct app_state *state, double time)
{
    struct task *const task = find_shown(tasks);
    if (task == NULL) {
        return false;
    }
    task_cancel(task);
    if (task->kind->cancelled != NULL) {
        task->kind->cancelled(state, task->subject, time);
    }
    return true;
}

void task_cancel(struct task *task)
{
    task->is_cancelled = true;
    if (task->job != NULL) {
        app_job_cancel(task->job);
    }
}

bool task_is_cancelled(const struct task *task)
{
    return task->is_cancelled;
}

bool task_is_done(const struct task *task)
{
    return is_over(task);
}

void task_read_progress(const struct task *task, size_t *part, size_t *done, size_t *all)
{
    *part = *done = *all = 0;
    if (task->job != NULL) {
        app_job_read_progress(task->job, part, done, all);
    }
}

void task_end(struct tasks *tasks, struct task *task)
{
    task_cancel(task);
    take_out(tasks, task);
    free_task(task);
}

void task_complete(struct tasks *tasks, struct task *task, struct app_state *state, double time)
{
    take_out(tasks, task);
    if (task->job == NULL) { /* it waited */
        task->kind->work(NULL, task->subject);
    }
    app_job_finish(task->job);
    task->job = NULL;
    end_task(task, state, time);
}

bool tasks_have_ended(const struct tasks *tasks)
{
    return find_over(tasks) != NULL;
}

void tasks_close(struct tasks *tasks)
{
    for (struct task *t = tasks->latest; t != NULL; t = t->former) {
        if (!t->kind->completes) {
            task_cancel(t);
        }
    }
    while (tasks->latest != NULL) {
        struct task *const task = tasks->latest;
        tasks->latest = task->former;
        free_task(task);
    }
}

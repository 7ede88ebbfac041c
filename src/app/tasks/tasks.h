/* app/tasks/tasks.h — the queue of long work beside the window: whatever takes longer than the time
 * between two frames is a task, with progress, a way to give it up, and a result that is
 * applied when it is done.
 *
 *     static const struct task_kind kind = {.doing = "Writing the session", .work = write,
 *                                           .apply = note_saved, .release = free};
 *     task_submit(&state->tasks, &kind, subject, time);
 *     tasks_advance(&state->tasks, state, time); // once a frame */
#ifndef APP_TASKS_TASKS_H
#define APP_TASKS_TASKS_H

#include "app/tasks/job.h"
#include "view/parts/view.h"

struct app_state;
struct task;

/* When a task begins while others are under way. */
enum task_concurrency {
    TASK_EXCLUSIVE,  /* refused while another such task is under way: the person began both */
    TASK_WAITS,      /* begins when the former of its own kind is over */
    TASK_CONCURRENT, /* begins at once */
};

/* A kind of task. Of what may be NULL, nothing is done. */
struct task_kind {
    const char *doing; /* "Writing the session"; NULL: nobody is told, and nobody can cancel it */
    /* On a thread of its own; touches the subject only. */
    void (*work)(struct app_job *job, void *subject);
    /* The rest on the window's thread. Done, unless it was cancelled; may be NULL. */
    void (*apply)(struct app_state *state, void *subject, double time);
    /* The person gave it up, and the thread may still be at work; may be NULL. */
    void (*cancelled)(struct app_state *state, void *subject, double time);
    /* It was given up, and the thread is over; may be NULL. */
    void (*discard)(struct app_state *state, void *subject, double time);
    void (*release)(void *subject); /* always, last of all; may be NULL */
    /* Returns how far it is, 0 … 1, and says so in other words than `doing`; may be NULL. */
    float (*describe)(void *subject, const struct app_job *job, char *text, size_t size);
    enum task_concurrency concurrency;
    bool completes; /* what was asked for is done, though the window closes meanwhile */
};

struct tasks {
    struct task *latest; /* submitted last; each knows the one before it */
};

/* Queues it; the subject is the task's own from now on. NULL: refused, or there is no memory and no
 * thread; the subject is as it was. */
struct task *task_submit(struct tasks *tasks, const struct task_kind *kind, void *subject,
                         double time);

/* Returns whether a task of this kind would be refused now. */
bool tasks_refuse(const struct tasks *tasks, const struct task_kind *kind);

/* Takes what is done and begins what waited. Once a frame. True while any task is under way. */
bool tasks_advance(struct tasks *tasks, struct app_state *state, double time);

/* Returns the progress of the task that was submitted last; NULL: there is none. */
const struct view_work *tasks_shown(const struct tasks *tasks);

/* The person gives that task up. False: none is under way. */
bool tasks_cancel(struct tasks *tasks, struct app_state *state, double time);

/* Gives one up: nothing of it is taken. */
void task_cancel(struct task *task);
bool task_is_cancelled(const struct task *task);
bool task_is_done(const struct task *task);
void task_read_progress(const struct task *task, size_t *part, size_t *done, size_t *all);

/* Waits for its thread, and forgets it; nothing is taken. */
void task_end(struct tasks *tasks, struct task *task);

/* Waits for its thread, and takes what it did. */
void task_complete(struct tasks *tasks, struct task *task, struct app_state *state, double time);

/* Returns whether the next tasks_advance takes something. */
bool tasks_have_ended(const struct tasks *tasks);

/* Cancels all but those that complete, waits for the threads, and forgets them. */
void tasks_close(struct tasks *tasks);

#endif

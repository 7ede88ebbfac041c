/* learn/trainer_internal.h — what the files of the trainer share. */
#ifndef LEARN_TRAINER_INTERNAL_H
#define LEARN_TRAINER_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "learn/trainer.h"

/* Something that was asked for, done in the order it came. */
enum order_kind {
    ORDER_STEP,
    ORDER_SEEK,
    ORDER_EDIT,
    ORDER_UNDO,
    ORDER_REDO,
    ORDER_RESTART,
    ORDER_REPLAY,
    ORDER_WATCH,
    ORDER_KEEP,
    ORDERS
};

struct order {
    enum order_kind kind;
    uint64_t step; /* SEEK, REPLAY; WATCH: 0 or 1; KEEP: bytes */
    struct learn_edit edit;
    struct learn_edit *edits; /* REPLAY: [count], the order's own */
    size_t count;
    struct learn_recipe recipe; /* RESTART */
    char *text;                 /* the order's own; NULL: none */
    size_t size;
    const struct learn_data *cut; /* that text, cut; a reference, or NULL */
};

enum { ORDERS_WAITING = 64 };

struct learn_trainer {
    pthread_t thread;
    pthread_mutex_t lock; /* of all down to `view`; held for a few instructions only */
    pthread_cond_t told;  /* something was asked for */
    pthread_cond_t idle;  /* nothing is left to do, or the first run stands */
    struct order waiting[ORDERS_WAITING];
    size_t first, count; /* of them, in a ring */
    bool quits, plays, is_busy, has_started, is_over;
    double limit; /* steps a second; 0: none */
    uint64_t steps;
    size_t threads;
    atomic_bool given_up; /* the step that is being made is not wanted any more */
    const struct learn_view *view;
    bool was_taken; /* somebody has asked since the view was made */

    /* The thread's own. */
    struct lab_engine engine;
    struct learn_run *run;
    bool watches;     /* learn_run_watch */
    size_t kept_most; /* learn_run_keep_at_most; 0: as runs have it by themselves */
    struct error error;
    uint64_t number;
    double speed;                     /* steps a second */
    double counted_from;              /* seconds; 0: not counting */
    uint64_t counted;                 /* steps since then */
    double next;                      /* when the next step is due, with a limit */
    const struct learn_moment *shown; /* in place of where the run stands; NULL: that */
    struct learn_view *spare;         /* for when there is no memory to show what was done */
};

/* An edit that is kept: its text, or what it is cut into, is held until it is dropped. False: no
 * memory. (trainer_edits.c) */
bool learn_edit_hold(struct learn_edit *edit);
void learn_edit_drop(struct learn_edit *edit);

/* Whether two are the same in all that they do. */
bool learn_edit_same(const struct learn_edit *a, const struct learn_edit *b);

/* A view of the run as it stands; NULL: no memory. works: something is not done yet.
 * (trainer_view.c) */
struct learn_view *learn_view_make(struct learn_trainer *trainer, bool plays, bool works,
                                   uint64_t steps);

/* An empty view (NULL: no memory), and what becomes of it where none could be made: the former one
 * at rest, which says why. */
struct learn_view *learn_view_spare(void);
void learn_view_stop(struct learn_view *spare, const struct learn_view *former);

#endif

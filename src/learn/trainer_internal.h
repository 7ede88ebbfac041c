/* learn/trainer_internal.h — what the files of the trainer share. */
#ifndef LEARN_TRAINER_INTERNAL_H
#define LEARN_TRAINER_INTERNAL_H

#include <stdatomic.h>

#include "learn/trainer.h"

#include "base/system/thread.h"

/* The kinds of orders, which are carried out in the order in which they come. */
enum order_kind {
    ORDER_BEGIN, /* the first, before any other can be given */
    ORDER_STEP,
    ORDER_SEEK,
    ORDER_EDIT,
    ORDER_UNDO,
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
    float *weights;             /* REPLAY: known weights of its step, owned by the order; or NULL */
    struct learn_recipe recipe; /* BEGIN */
    char *text;                 /* owned by the order; NULL: none */
    size_t size;
    const struct learn_data *cut; /* that text, cut; a reference, or NULL */
};

enum { ORDERS_WAITING = 64 };

struct learn_trainer {
    struct system_thread thread;
    struct system_mutex lock; /* of everything down to `view`; held for a few instructions only */
    struct system_condition told; /* an order was given */
    struct system_condition idle; /* nothing is left to do, or the first run is made */
    struct order waiting[ORDERS_WAITING];
    size_t first, count; /* of the waiting orders, in a ring */
    bool quits, plays, is_busy, has_started, is_over;
    double limit;          /* steps a second; 0: none */
    uint64_t steps, until; /* it stops by itself at the last step, or where it is to rest */
    size_t threads;
    atomic_bool given_up; /* the step that is being made is no longer wanted */
    const struct learn_view *view;
    bool was_taken;  /* somebody has read the view since it was made */
    bool is_watched; /* it was told to watch; of who gives orders, without the lock */

    /* The following belongs to the thread. */
    struct lab_engine engine;
    struct learn_run *run;
    struct learn_progress progress; /* of the run: goes_on */
    bool watches;                   /* learn_run_watch */
    struct error error;
    uint64_t number;
    double speed;        /* steps a second */
    double counted_from; /* seconds; 0: not counting */
    uint64_t counted;    /* steps since then */
    double next;         /* when the next step is due, with a limit */
    const struct learn_snapshot
        *shown;               /* shown instead of the run's state; NULL: the run's state */
    struct learn_view *spare; /* for when there is no memory to show what was done */
};

/* Keeps an edit: its text, or the cut form, is held until it is dropped. Returns false without
 * memory. (trainer_edits.c) */
bool learn_edit_hold(struct learn_edit *edit);
void learn_edit_drop(struct learn_edit *edit);

/* Says whether two edits do the same. */
bool learn_edit_same(const struct learn_edit *a, const struct learn_edit *b);

/* Makes a view of the run as it stands; NULL: no memory. works: an order is not carried out yet.
 * (trainer_view.c) */
struct learn_view *learn_view_make(struct learn_trainer *trainer, bool plays, bool works,
                                   uint64_t steps);

/* Make an empty view (NULL: no memory), and turn it into the former one at rest, which says that
 * memory was lacking. */
struct learn_view *learn_view_spare(void);
void learn_view_stop(struct learn_view *spare, const struct learn_view *former);

#endif

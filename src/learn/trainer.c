/* learn/trainer.c — see trainer.h: the thread, and the orders that it gets. */
#include "learn/trainer.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/clock.h"
#include "learn/trainer_internal.h"

enum { STACK = 4 << 20 };

static void drop_order(struct order *order)
{
    for (size_t e = 0; e < order->count; e++) {
        learn_edit_drop(&order->edits[e]);
    }
    learn_edit_drop(&order->edit);
    learn_data_release(order->cut);
    free(order->edits);
    free(order->weights);
    free(order->text);
    *order = (struct order){.kind = ORDERS};
}

/* ---- the thread ---------------------------------------------------------------------------- */

/* Replaces the view by a new one. Returns false, and keeps the former, without memory. A spare view
 * is kept ready, which can still say that memory was lacking. */
static bool publish_view(struct learn_trainer *trainer, bool works)
{
    if (trainer->spare == NULL) {
        trainer->spare = learn_view_spare();
    }
    system_mutex_lock(&trainer->lock);
    const bool plays = trainer->plays;
    const uint64_t steps = trainer->steps;
    const bool busy = works || trainer->count > 0;
    system_mutex_unlock(&trainer->lock);
    const struct learn_view *const view =
        trainer->spare == NULL ? NULL : learn_view_make(trainer, plays, busy, steps);
    if (view == NULL) {
        return false;
    }
    system_mutex_lock(&trainer->lock);
    const struct learn_view *const former = trainer->view;
    trainer->view = view;
    trainer->was_taken = false;
    system_mutex_unlock(&trainer->lock);
    learn_view_release(former);
    return true;
}

/* Publishes the last view before resting. Without memory the spare view takes its place, so that
 * nobody waits forever. */
static void publish_last(struct learn_trainer *trainer)
{
    if (publish_view(trainer, false) || trainer->spare == NULL) { /* without a spare the present
                                                                view says so already */
        return;
    }
    struct learn_view *const spare = trainer->spare;
    const struct learn_view *const former = trainer->view;
    learn_view_stop(spare, former);
    trainer->number = spare->number;
    trainer->spare = NULL;
    system_mutex_lock(&trainer->lock);
    trainer->plays = false;
    trainer->view = spare;
    trainer->was_taken = false;
    system_mutex_unlock(&trainer->lock);
    learn_view_release(former);
}

static void show_run(struct learn_trainer *trainer)
{
    learn_snapshot_release(trainer->shown);
    trainer->shown = NULL;
}

/* Says whether going to a step continues. The next order may be more urgent or let it rest; the
 * view shows progress. */
static bool goes_on(void *owner, uint64_t step)
{
    struct learn_trainer *const trainer = owner;
    system_mutex_lock(&trainer->lock);
    const bool on = !trainer->quits &&
                    !(trainer->count > 0 && trainer->waiting[trainer->first].kind == ORDER_SEEK) &&
                    (trainer->is_busy || trainer->plays);
    const bool taken = trainer->was_taken;
    system_mutex_unlock(&trainer->lock);
    /* Steps that are reached for the first time are shown as they come; others only when the target
     * is reached. */
    if (on && taken && step >= learn_run_furthest(trainer->run)) {
        show_run(trainer);
        (void)publish_view(trainer, true);
    }
    return on;
}

static void seek_step(struct learn_trainer *trainer, uint64_t step)
{
    if (step != learn_run_step(trainer->run)) {
        show_run(trainer);
        trainer->shown = learn_run_snapshot_near(trainer->run, step, NULL);
        if (trainer->shown != NULL && !trainer->shown->is_exact) {
            (void)publish_view(trainer, true);
        }
    }
    if (learn_run_go(trainer->run, step, &trainer->progress, &trainer->error)) {
        show_run(trainer);
    }
}

static struct learn_run *make_run(struct learn_trainer *trainer, const struct order *order)
{
    const struct bytes text = {(const uint8_t *)order->text, order->size};
    return order->cut != NULL
               ? learn_run_make_of(&order->recipe, order->cut, &trainer->engine, &trainer->error)
               : learn_run_make(&order->recipe, text, &trainer->engine, &trainer->error);
}

/* Sets the trainer to be asked whether the run goes on. */
static void adopt_run(struct learn_trainer *trainer, struct learn_run *run)
{
    trainer->run = run;
    trainer->progress = (struct learn_progress){goes_on, trainer};
    learn_run_heed(run, &trainer->given_up);
    learn_run_set_progress(run, &trainer->progress);
    learn_run_keep_keyframes(run);
}

/* Undoes edits of the run that are not wanted. Returns how many of the wanted ones remain. */
static size_t undo_others(struct learn_trainer *trainer, const struct order *order)
{
    for (;;) {
        const struct learn_edit *own = NULL;
        const size_t count = learn_run_edits(trainer->run, &own);
        size_t same = 0;
        while (same < count && same < order->count &&
               learn_edit_same(&own[same], &order->edits[same])) {
            same++;
        }
        if (same == count) {
            return count;
        }
        if (!learn_run_can_undo(trainer->run) || !learn_run_undo(trainer->run, &trainer->error)) {
            return order->count;
        }
    }
}

static void replay_edits(struct learn_trainer *trainer, const struct order *order)
{
    if (order->weights != NULL) { /* without memory for them it trains */
        (void)learn_run_know(trainer->run, order->edits, order->count, order->step, order->weights,
                             NULL);
    }
    for (size_t e = undo_others(trainer, order); e < order->count; e++) {
        if (!learn_run_go(trainer->run, order->edits[e].step, &trainer->progress,
                          &trainer->error) ||
            !learn_run_edit(trainer->run, &order->edits[e], &trainer->error)) {
            return;
        }
    }
    (void)learn_run_go(trainer->run, order->step, &trainer->progress, &trainer->error);
}

/* The operands of a step are not known for weights that came from elsewhere. */
static void make_operands_known(struct learn_trainer *trainer)
{
    if (trainer->watches) {
        (void)learn_run_come(trainer->run, &trainer->error);
    }
}

static void carry_out(struct learn_trainer *trainer, const struct order *order)
{
    struct error *const error = &trainer->error;
    if (order->kind == ORDER_WATCH) {
        trainer->watches = order->step != 0;
        (void)learn_run_watch(trainer->run, trainer->watches, NULL);
        make_operands_known(trainer);
        return;
    }
    if (order->kind == ORDER_KEEP) {
        learn_run_keep_at_most(trainer->run, (size_t)order->step);
        return;
    }
    *error = (struct error){ERROR_NONE, 0, ""};
    trainer->counted_from = 0;
    if (order->kind != ORDER_SEEK) {
        show_run(trainer);
    }
    switch (order->kind) {
    case ORDER_STEP:
        (void)learn_run_forward(trainer->run, error);
        break;
    case ORDER_SEEK:
        seek_step(trainer, order->step);
        break;
    case ORDER_EDIT:
        (void)learn_run_edit(trainer->run, &order->edit, error);
        break;
    case ORDER_UNDO:
        (void)learn_run_undo(trainer->run, error);
        break;
    default:
        replay_edits(trainer, order);
        break;
    }
    make_operands_known(trainer);
}

/* Counts steps a second, anew each second. */
static void count_step(struct learn_trainer *trainer)
{
    const double now = system_seconds();
    if (trainer->counted_from <= 0) {
        trainer->counted_from = now;
        trainer->counted = 0;
        return;
    }
    trainer->counted++;
    if (now - trainer->counted_from >= 1) {
        trainer->speed = (double)trainer->counted / (now - trainer->counted_from);
        trainer->counted_from = now;
        trainer->counted = 0;
    }
}

/* Makes a step. With `shown` the state before it is kept to be shown, since its loss is known only
 * after the step. */
static bool play_step(struct learn_trainer *trainer, bool shown)
{
    show_run(trainer);
    const bool done = shown ? learn_run_forward_from(trainer->run, &trainer->shown, &trainer->error)
                            : learn_run_forward(trainer->run, &trainer->error);
    if (!done) {
        show_run(trainer);
    }
    count_step(trainer);
    return done;
}

/* Makes one step of playing. The lock is held before and after. */
static void play_one_step(struct learn_trainer *trainer)
{
    bool show = trainer->was_taken;
    const uint64_t step = learn_run_step(trainer->run);
    if (step >= trainer->steps || step >= trainer->until) {
        trainer->plays = false;
    } else {
        system_mutex_unlock(&trainer->lock);
        const bool done = play_step(trainer, show);
        system_mutex_lock(&trainer->lock);
        trainer->plays = trainer->plays && done;
    }
    show = show && trainer->plays && trainer->shown != NULL;
    system_mutex_unlock(&trainer->lock);
    if (show) {
        (void)publish_view(trainer, false); /* without memory the next step publishes it */
    }
    show_run(trainer);
    system_mutex_lock(&trainer->lock);
    if (!trainer->plays) {
        system_mutex_unlock(&trainer->lock);
        publish_last(trainer);
        system_mutex_lock(&trainer->lock);
    }
}

/* Says whether the next step is due; otherwise waits for it or for an order. The lock is held. */
static bool is_due(struct learn_trainer *trainer)
{
    const double now = system_seconds(), gap = trainer->limit > 0 ? 1 / trainer->limit : 0;
    if (gap <= 0 || now >= trainer->next) {
        trainer->next = (now - trainer->next > gap ? now : trainer->next) + gap;
        return true;
    }
    system_condition_wait_seconds(&trainer->told, &trainer->lock, trainer->next - now);
    return false;
}

static void serve_orders(struct learn_trainer *trainer)
{
    system_mutex_lock(&trainer->lock);
    while (!trainer->quits) {
        if (trainer->count > 0) {
            struct order order = trainer->waiting[trainer->first];
            trainer->first = (trainer->first + 1) % ORDERS_WAITING;
            trainer->count--;
            trainer->is_busy = true;
            if (order.kind == ORDER_SEEK && !trainer->quits) {
                atomic_store(&trainer->given_up, false);
            }
            system_mutex_unlock(&trainer->lock);
            carry_out(trainer, &order);
            drop_order(&order);
            publish_last(trainer);
            system_mutex_lock(&trainer->lock);
            trainer->is_busy = false;
        } else if (trainer->plays) {
            if (is_due(trainer)) {
                play_one_step(trainer);
            }
        } else if (trainer->view->plays) { /* it was told to rest between two steps */
            system_mutex_unlock(&trainer->lock);
            publish_last(trainer);
            system_mutex_lock(&trainer->lock);
        } else {
            system_condition_broadcast(&trainer->idle);
            system_condition_wait(&trainer->told, &trainer->lock);
        }
    }
    system_mutex_unlock(&trainer->lock);
}

static bool begin_run(struct learn_trainer *trainer)
{
    struct order *const order = &trainer->waiting[0];
    system_thread_yield_to_drawing();
    if (!lab_engine_open(&trainer->engine, NULL, trainer->threads, &trainer->error)) {
        return false;
    }
    struct learn_run *const run = make_run(trainer, order);
    if (run == NULL) {
        return false;
    }
    adopt_run(trainer, run);
    trainer->steps = learn_run_recipe(trainer->run)->steps;
    trainer->view = learn_view_make(trainer, false, false, trainer->steps);
    trainer->spare = learn_view_spare();
    return (trainer->view != NULL && trainer->spare != NULL) ||
           error_set(&trainer->error, ERROR_MEMORY, "There is not enough memory to learn.");
}

static void run_thread(void *argument)
{
    struct learn_trainer *const trainer = argument;
    const bool stands = begin_run(trainer);
    system_mutex_lock(&trainer->lock);
    drop_order(&trainer->waiting[0]);
    trainer->has_started = true;
    trainer->quits = !stands;
    system_condition_broadcast(&trainer->idle);
    system_mutex_unlock(&trainer->lock);
    serve_orders(trainer);
    system_mutex_lock(&trainer->lock);
    trainer->is_over = true;
    system_mutex_unlock(&trainer->lock);
}

/* ---- starting and stopping ----------------------------------------------------------------- */

static char *copy_text(struct bytes text)
{
    char *const copy = malloc(text.size + 1);
    if (copy != NULL && text.size > 0) {
        memcpy(copy, text.at, text.size);
    }
    return copy;
}

static void init_locks(struct learn_trainer *trainer)
{
    system_mutex_open(&trainer->lock);
    system_condition_open(&trainer->idle);
    system_condition_open(&trainer->told);
}

static void free_all(struct learn_trainer *trainer)
{
    for (size_t o = 0; o < trainer->count; o++) {
        drop_order(&trainer->waiting[(trainer->first + o) % ORDERS_WAITING]);
    }
    show_run(trainer);
    learn_view_release(trainer->view);
    learn_view_release(trainer->spare);
    learn_run_free(trainer->run);
    lab_engine_close(&trainer->engine);
    system_mutex_close(&trainer->lock);
    system_condition_close(&trainer->told);
    system_condition_close(&trainer->idle);
    free(trainer);
}

/* Starts the thread. It owns text from now on; NULL: no memory. */
static struct learn_trainer *start_trainer(const struct learn_recipe *recipe, char *text,
                                           size_t size, const struct learn_data *cut,
                                           size_t threads, struct error *error)
{
    struct learn_trainer *const trainer = calloc(1, sizeof *trainer);
    if (trainer == NULL || text == NULL) {
        free(text);
        free(trainer);
        error_set(error, ERROR_MEMORY, "There is not enough memory to learn.");
        return NULL;
    }
    init_locks(trainer);
    trainer->threads = threads;
    trainer->waiting[0] = (struct order){.kind = ORDER_BEGIN,
                                         .recipe = *recipe,
                                         .text = text,
                                         .size = size,
                                         .cut = learn_data_keep(cut)};
    if (!system_thread_start(&trainer->thread, STACK, run_thread, trainer)) {
        drop_order(&trainer->waiting[0]);
        free_all(trainer);
        error_set(error, ERROR_MEMORY, "The system gives no thread to learn on.");
        return NULL;
    }
    system_mutex_lock(&trainer->lock);
    while (!trainer->has_started) {
        system_condition_wait(&trainer->idle, &trainer->lock);
    }
    const bool stands = !trainer->quits;
    system_mutex_unlock(&trainer->lock);
    if (!stands) {
        system_thread_join(&trainer->thread);
        if (error != NULL) {
            *error = trainer->error;
        }
        free_all(trainer);
        return NULL;
    }
    return trainer;
}

struct learn_trainer *learn_trainer_start(const struct learn_recipe *recipe, struct bytes text,
                                          size_t threads, struct error *error)
{
    return start_trainer(recipe, copy_text(text), text.size, NULL, threads, error);
}

struct learn_trainer *learn_trainer_start_of(const struct learn_recipe *recipe,
                                             const struct learn_data *cut, size_t threads,
                                             struct error *error)
{
    return start_trainer(recipe, copy_text((struct bytes){NULL, 0}), 0, cut, threads, error);
}

void learn_trainer_quit(struct learn_trainer *trainer)
{
    system_mutex_lock(&trainer->lock);
    trainer->quits = true;
    atomic_store(&trainer->given_up, true);
    system_condition_broadcast(&trainer->told);
    system_mutex_unlock(&trainer->lock);
}

bool learn_trainer_is_over(struct learn_trainer *trainer)
{
    system_mutex_lock(&trainer->lock);
    const bool over = trainer->is_over;
    system_mutex_unlock(&trainer->lock);
    return over;
}

void learn_trainer_stop(struct learn_trainer *trainer)
{
    if (trainer == NULL) {
        return;
    }
    learn_trainer_quit(trainer);
    system_thread_join(&trainer->thread);
    free_all(trainer);
}

/* ---- orders and views ------------------------------------------------------------------------ */

const struct learn_view *learn_trainer_view(struct learn_trainer *trainer)
{
    system_mutex_lock(&trainer->lock);
    const struct learn_view *const view = learn_view_keep(trainer->view);
    trainer->was_taken = true;
    system_mutex_unlock(&trainer->lock);
    return view;
}

bool learn_trainer_lags(struct learn_trainer *trainer, const struct learn_view *view)
{
    system_mutex_lock(&trainer->lock);
    const bool lags = trainer->count > 0 || trainer->is_busy || trainer->plays != view->plays ||
                      trainer->view != view;
    system_mutex_unlock(&trainer->lock);
    return lags;
}

/* Queues an order, or returns false and frees it. stops: playing ends with it. */
static bool queue_order(struct learn_trainer *trainer, struct order *order, bool stops)
{
    system_mutex_lock(&trainer->lock);
    struct order *const last =
        &trainer->waiting[(trainer->first + trainer->count + ORDERS_WAITING - 1) % ORDERS_WAITING];
    const bool replaces =
        trainer->count > 0 && order->kind == ORDER_SEEK && last->kind == ORDER_SEEK;
    const bool taken = replaces || trainer->count < ORDERS_WAITING;
    if (replaces) {
        *last = *order;
    } else if (taken) {
        trainer->waiting[(trainer->first + trainer->count++) % ORDERS_WAITING] = *order;
    }
    trainer->plays = trainer->plays && !(taken && stops);
    system_condition_broadcast(&trainer->told);
    system_mutex_unlock(&trainer->lock);
    if (!taken) {
        drop_order(order);
    }
    return taken;
}

void learn_trainer_play(struct learn_trainer *trainer, uint64_t until)
{
    system_mutex_lock(&trainer->lock);
    trainer->plays = until > 0;
    trainer->until = until;
    trainer->was_taken = true;
    system_condition_broadcast(&trainer->told);
    system_mutex_unlock(&trainer->lock);
}

void learn_trainer_watch(struct learn_trainer *trainer, bool on)
{
    struct order order = {.kind = ORDER_WATCH, .step = on ? 1 : 0};
    if (on != trainer->is_watched && queue_order(trainer, &order, false)) {
        trainer->is_watched = on;
    }
}

void learn_trainer_keep_at_most(struct learn_trainer *trainer, size_t bytes)
{
    struct order order = {.kind = ORDER_KEEP, .step = bytes};
    (void)queue_order(trainer, &order, false);
}

void learn_trainer_limit(struct learn_trainer *trainer, double steps_per_second)
{
    system_mutex_lock(&trainer->lock);
    trainer->limit = steps_per_second > 0 ? steps_per_second : 0;
    trainer->next = 0;
    system_condition_broadcast(&trainer->told);
    system_mutex_unlock(&trainer->lock);
}

void learn_trainer_set_steps(struct learn_trainer *trainer, uint64_t steps)
{
    system_mutex_lock(&trainer->lock);
    trainer->steps = steps;
    trainer->was_taken = true;
    system_condition_broadcast(&trainer->told);
    system_mutex_unlock(&trainer->lock);
}

void learn_trainer_one_step(struct learn_trainer *trainer)
{
    struct order order = {.kind = ORDER_STEP};
    (void)queue_order(trainer, &order, true);
}

void learn_trainer_seek(struct learn_trainer *trainer, uint64_t step)
{
    struct order order = {.kind = ORDER_SEEK, .step = step};
    (void)queue_order(trainer, &order, true);
}

void learn_trainer_give_up(struct learn_trainer *trainer, uint64_t step)
{
    struct order order = {.kind = ORDER_SEEK, .step = step};
    atomic_store(&trainer->given_up, true);
    if (!queue_order(trainer, &order, true)) {
        atomic_store(&trainer->given_up, false);
    }
}

bool learn_trainer_edit(struct learn_trainer *trainer, const struct learn_edit *edit)
{
    struct order order = {.kind = ORDER_EDIT, .edit = *edit};
    return learn_edit_hold(&order.edit) && queue_order(trainer, &order, false);
}

void learn_trainer_undo(struct learn_trainer *trainer)
{
    struct order order = {.kind = ORDER_UNDO};
    (void)queue_order(trainer, &order, true);
}

bool learn_trainer_replay(struct learn_trainer *trainer, const struct learn_edit *edits,
                          size_t count, uint64_t step)
{
    return learn_trainer_replay_known(trainer, edits, count, step, NULL, 0);
}

bool learn_trainer_replay_known(struct learn_trainer *trainer, const struct learn_edit *edits,
                                size_t count, uint64_t step, const float *weights, size_t floats)
{
    struct order order = {.kind = ORDER_REPLAY, .step = step};
    order.edits = malloc((count + 1) * sizeof *edits);
    order.weights = weights == NULL ? NULL : malloc(floats * sizeof *weights);
    if (order.weights != NULL) { /* otherwise it trains */
        memcpy(order.weights, weights, floats * sizeof *weights);
    }
    bool held = order.edits != NULL;
    for (; held && order.count < count; order.count++) {
        order.edits[order.count] = edits[order.count];
        held = learn_edit_hold(&order.edits[order.count]);
    }
    if (!held) {
        drop_order(&order);
        return false;
    }
    return queue_order(trainer, &order, true);
}

void learn_trainer_wait(struct learn_trainer *trainer)
{
    system_mutex_lock(&trainer->lock);
    while (trainer->count > 0 || trainer->is_busy || trainer->plays || trainer->view->plays) {
        system_condition_wait(&trainer->idle, &trainer->lock);
    }
    system_mutex_unlock(&trainer->lock);
}

/* attn/pool.c — threads that wait for jobs.
 *
 * One word says how things stand: the number of the round, whether it is open, and how many workers
 * are in it. A worker enters a round only while it is open, so a worker that wakes too late is not
 * waited for. The caller takes jobs as well, as worker 0.
 *
 *     caller   open ──── jobs ──── close ── wait for those inside
 *     worker   spin ─ enter ─ jobs ─ leave ── spin 50 µs, then sleep
 *
 * Workers stay on CPUs of their own, and the caller on its own for the time of a round: where the
 * system is left to choose, two of them share a CPU for milliseconds. */
#include "attn/pool.h"
#include "attn/mode.h"
#include "attn/system.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    INSIDE = 0xffff,      /* workers in the round */
    OPEN = 0x10000,       /* jobs are being handed out */
    ROUND = 0x20000,      /* one round further */
    SPINS_PER_CHECK = 64, /* between two looks at the clock */
};

/* A sleep and a wake take about as long. */
static const double SPIN_SECONDS = 50e-6;

/* Fewer operations than this are done before a sleeping worker has woken. */
#define WORTH_WAKING 6e6

struct seat {
    struct attn_pool *pool;
    struct attn_system_thread thread;
    size_t number;
};

struct attn_pool {
    size_t threads; /* as asked for */
    size_t seated;  /* so many there are since the first round that was worth it; under `caller` */
    struct seat seats[ATTN_THREADS_MAX]; /* seat 0 is the caller's */
    int cpus[ATTN_THREADS_MAX];
    struct attn_system_lock caller; /* held through a round */
    struct attn_system_lock lock;   /* for sleeping and waking */
    struct attn_system_signal opened, left;
    atomic_uint state;
    atomic_uint sleeping; /* workers that wait for `opened` */
    atomic_bool waiting;  /* the caller waits for `left` */
    atomic_bool closing;
    atomic_size_t next;
    size_t jobs;
    pool_task *task;
    void *context;
};

static void relax_cpu(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

size_t attn_threads_default(void)
{
    int cpus[ATTN_THREADS_MAX];
    const size_t count = attn_system_cpus(cpus);
    return count == 0 ? 1 : count;
}

/* ---- workers ------------------------------------------------------------------------------- */

static void run_jobs(struct attn_pool *pool, size_t worker)
{
    for (;;) {
        const size_t job = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (job >= pool->jobs) {
            return;
        }
        pool->task(pool->context, job, worker);
    }
}

/* Enters the round that is open; false when there is none, or `former` is still the one. */
static bool enter_round(struct attn_pool *pool, unsigned former)
{
    unsigned state = atomic_load(&pool->state);
    while ((state & OPEN) != 0 && state / ROUND != former) {
        if (atomic_compare_exchange_weak(&pool->state, &state, state + 1)) {
            return true;
        }
    }
    return false;
}

static bool spin_until_entered(struct attn_pool *pool, unsigned former)
{
    const double end = attn_system_seconds() + SPIN_SECONDS;
    do {
        for (int i = 0; i < SPINS_PER_CHECK; i++) {
            if (enter_round(pool, former)) {
                return true;
            }
            relax_cpu();
        }
    } while (attn_system_seconds() < end && !atomic_load(&pool->closing));
    return false;
}

/* False when the pool closes. */
static bool sleep_until_entered(struct attn_pool *pool, unsigned former)
{
    bool entered = false;
    attn_system_lock(&pool->lock);
    atomic_fetch_add(&pool->sleeping, 1);
    while (!atomic_load(&pool->closing) && !(entered = enter_round(pool, former))) {
        attn_system_wait(&pool->opened, &pool->lock);
    }
    atomic_fetch_sub(&pool->sleeping, 1);
    attn_system_unlock(&pool->lock);
    return entered;
}

static void run_worker(void *argument)
{
    const struct seat *const seat = argument;
    struct attn_pool *const pool = seat->pool;
    attn_system_stay_on(pool->cpus[seat->number]);
    mode_enter();
    unsigned former = 0;
    while (spin_until_entered(pool, former) || sleep_until_entered(pool, former)) {
        former = atomic_load(&pool->state) / ROUND;
        run_jobs(pool, seat->number);
        if (((atomic_fetch_sub(&pool->state, 1) - 1) & INSIDE) == 0 &&
            atomic_load(&pool->waiting)) {
            attn_system_lock(&pool->lock);
            attn_system_tell(&pool->left);
            attn_system_unlock(&pool->lock);
        }
    }
}

/* ---- rounds -------------------------------------------------------------------------------- */

static void open_round(struct attn_pool *pool)
{
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_fetch_add(&pool->state, ROUND + OPEN);
    if (atomic_load(&pool->sleeping) > 0) {
        attn_system_lock(&pool->lock);
        attn_system_tell(&pool->opened);
        attn_system_unlock(&pool->lock);
    }
}

static void close_round(struct attn_pool *pool)
{
    atomic_fetch_sub(&pool->state, OPEN);
    const double end = attn_system_seconds() + SPIN_SECONDS;
    do {
        for (int i = 0; i < SPINS_PER_CHECK; i++) {
            if ((atomic_load(&pool->state) & INSIDE) == 0) {
                return;
            }
            relax_cpu();
        }
    } while (attn_system_seconds() < end);
    attn_system_lock(&pool->lock);
    atomic_store(&pool->waiting, true);
    while ((atomic_load(&pool->state) & INSIDE) != 0) {
        attn_system_wait(&pool->left, &pool->lock);
    }
    atomic_store(&pool->waiting, false);
    attn_system_unlock(&pool->lock);
}

/* The workers come when there is something to do for the first time. */
static void start_workers(struct attn_pool *pool)
{
    enum { STACK = 1 << 20 }; /* suffices for every kernel */
    while (pool->seated < pool->threads) {
        struct seat *const seat = &pool->seats[pool->seated];
        *seat = (struct seat){.pool = pool, .number = pool->seated};
        if (!attn_system_start(&seat->thread, STACK, run_worker, seat)) {
            break;
        }
        pool->seated++;
    }
}

size_t attn_pool_run(struct attn_pool *pool, double operations, size_t jobs, pool_task *task,
                     void *context)
{
    const bool inline_only = pool == NULL || pool->threads == 1 || jobs < 2 ||
                             operations < WORTH_WAKING || !attn_system_try_lock(&pool->caller);
    if (inline_only) {
        for (size_t job = 0; job < jobs; job++) {
            task(context, job, 0);
        }
        return 1;
    }
    start_workers(pool);
    const struct attn_system_place before = attn_system_stay_on(pool->cpus[0]);
    pool->jobs = jobs;
    pool->task = task;
    pool->context = context;
    open_round(pool);
    run_jobs(pool, 0);
    close_round(pool);
    attn_system_let_go(&before);
    const size_t shared = pool->seated < jobs ? pool->seated : jobs;
    attn_system_unlock(&pool->caller);
    return shared;
}

struct attn_pool *attn_pool_open(size_t threads)
{
    struct attn_pool *const pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    const size_t cpus = attn_system_cpus(pool->cpus);
    const size_t wanted = threads != 0 ? threads : cpus != 0 ? cpus : 1;
    attn_system_lock_open(&pool->caller);
    attn_system_lock_open(&pool->lock);
    attn_system_signal_open(&pool->opened);
    attn_system_signal_open(&pool->left);
    for (size_t i = cpus; i < ATTN_THREADS_MAX; i++) {
        pool->cpus[i] = cpus == 0 ? 0 : pool->cpus[i % cpus];
    }
    pool->threads = wanted < ATTN_THREADS_MAX ? wanted : ATTN_THREADS_MAX;
    pool->seated = 1;
    return pool;
}

size_t attn_pool_threads(const struct attn_pool *pool)
{
    return pool == NULL ? 1 : pool->threads;
}

void attn_pool_close(struct attn_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    attn_system_lock(&pool->lock);
    atomic_store(&pool->closing, true);
    attn_system_tell(&pool->opened);
    attn_system_unlock(&pool->lock);
    for (size_t i = 1; i < pool->seated; i++) {
        attn_system_join(&pool->seats[i].thread);
    }
    attn_system_signal_close(&pool->left);
    attn_system_signal_close(&pool->opened);
    attn_system_lock_close(&pool->lock);
    attn_system_lock_close(&pool->caller);
    free(pool);
}

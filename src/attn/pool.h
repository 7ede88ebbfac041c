/* attn/pool.h — how the room itself hands jobs to a pool. */
#ifndef ATTN_POOL_H
#define ATTN_POOL_H

#include "attn/attn.h"

/* worker: below threads; no two jobs at once have the same. */
typedef void pool_task(void *context, size_t job, size_t worker);

/* Runs jobs 0 … jobs − 1, handed out in this order, and returns when all are done. With pool NULL,
 * a pool that another caller uses, or less work (in operations) than waking is worth, they run on
 * this thread alone as worker 0. Returns among how many threads they were shared. */
size_t attn_pool_run(struct attn_pool *pool, double work, size_t jobs, pool_task *task,
                     void *context);

#endif

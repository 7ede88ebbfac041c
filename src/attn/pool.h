/* attn/pool.h — how the room itself hands jobs to a pool. */
#ifndef ATTN_POOL_H
#define ATTN_POOL_H

#include "attn/attn.h"

/* worker: 0 … threads − 1, no two at once. */
typedef void pool_task(void *context, size_t job, size_t worker);

/* Runs jobs 0 … jobs − 1, handed out in this order, and returns when all are done. With pool NULL,
 * a pool that is busy for somebody else, or less work (in operations) than waking is worth, on this
 * thread alone as worker 0. Returns among how many threads they were shared. */
size_t attn_pool_run(struct attn_pool *pool, double work, size_t jobs, pool_task *task,
                     void *context);

#endif

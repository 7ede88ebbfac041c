/* attn/measure.h — how fast the core is on this machine: one table of workloads, measured in rounds
 * together with the processor's multiply-add peak and, where there are any, with peers.
 *
 * In a round everything runs once or for about 300 µs, one after the other, so that other load hits
 * all; figures are medians over the rounds in which the peak was at least 80 % of its best. */
#ifndef ATTN_MEASURE_H
#define ATTN_MEASURE_H

#include "attn/attn.h"

struct measure_work {
    const char *name;
    size_t n, d_model, heads, d_k; /* d_model 0: attention alone; d_v = d_k */
    bool causal;
    enum attn_keep keep;
    const char *at_least; /* what is asked of it on AVX-512 against the best peer, or NULL */
};

/* Returns the workload at an index; NULL behind the last. */
const struct measure_work *attn_measure_work_at(size_t index);

/* A workload with its memory: inputs filled, weights packed. */
struct measure_task {
    const struct measure_work *work;
    const struct attn_kernels *kernels;
    struct attn_plan plan;
    float factor;
    void *block, *scratch;
    float *packed; /* NULL: nothing to pack */
};

/* Somebody else who does the same work from the same block, into memory of its own. */
struct measure_peer {
    const char *name;
    char kernel[32]; /* which of its kernels it chose here: "Zen"; "": nobody knows */
    bool is_dated;   /* they are for a lower instruction set than this processor has */
    void (*run)(void *context, const struct measure_task *task);
    /* Instead of run: seconds of processor time that one of so many runs took, where it computes in
     * a process of its own. */
    double (*time)(void *context, const struct measure_task *task, size_t times);
    void *context;
};

enum { MEASURE_PEERS_MAX = 4, MEASURE_ROUNDS = 9 };

struct measure_result {
    double microseconds, gflops;
    double share_of_peak;                 /* 0: the set has no peak */
    double share_of_bandwidth;            /* of what memory was read at: bytes of the block */
    double max_error;                     /* each stage against float64 from its own inputs */
    double speedup;                       /* one thread's time ÷ that with the pool */
    double peer_ratio[MEASURE_PEERS_MAX]; /* the peer's time ÷ ours */
};

/* False when there is no memory. pool NULL: speedup is 1. */
bool attn_measure(const struct attn_kernels *kernels, struct attn_pool *pool,
                  const struct measure_work *work, const struct measure_peer *peers, size_t count,
                  struct measure_result *result);

/* Multiply-adds of the set in GFLOP/s (0: none), and reads from memory in GB/s (0: no memory). */
double attn_measure_peak(const struct attn_kernels *kernels);
double attn_measure_bandwidth(void);

#endif

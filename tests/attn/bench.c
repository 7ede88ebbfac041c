/* tests/attn/bench.c — the workloads of attn/measure.h, side by side with the same work by other
 * libraries where they are installed.
 *     meson test --benchmark, or the program itself: bench_attn [WORKLOAD…]; ATTN_ISA for one set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/measure.h"
#include "peers.h"

static bool wanted(const struct measure_work *work, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], work->name) == 0) {
            return true;
        }
    }
    return argc == 1;
}

static void print_result(const struct measure_work *work, const struct measure_result *result,
                         const struct measure_peer *peers, size_t count)
{
    double best = 0;
    printf("%-22s %10.2f us %7.1f GFLOP/s %5.1f %%  x%.2f  error %.1e", work->name,
           result->microseconds, result->gflops, 100 * result->share_of_peak, result->speedup,
           result->max_error);
    for (size_t p = 0; p < count; p++) {
        printf("  %s %.2f", peers[p].name, result->peer_ratio[p]);
        best = p == 0 || result->peer_ratio[p] < best ? result->peer_ratio[p] : best;
    }
    if (work->at_least != NULL && count > 0) {
        printf("  at least %s: %s", work->at_least,
               best >= strtod(work->at_least, NULL) ? "met" : "missed");
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct measure_peer peers[MEASURE_PEERS_MOST];
    const size_t count = peers_list(peers);
    const struct attn_kernels *const kernels = attn_kernels_choose(getenv("ATTN_ISA"));
    if (kernels == NULL) {
        printf("This set cannot run here.\n");
        return 77;
    }
    struct attn_pool *const pool = attn_pool_open(0);
    printf("%s, peak %.0f GFLOP/s, reads %.1f GB/s, x: %zu threads against one\n",
           attn_kernels_title(kernels), attn_measure_peak(kernels), attn_measure_bandwidth(),
           attn_pool_threads(pool));
    for (size_t w = 0; attn_measure_work_at(w) != NULL; w++) {
        struct measure_result result;
        const struct measure_work *const work = attn_measure_work_at(w);
        if (wanted(work, argc, argv) && attn_measure(kernels, pool, work, peers, count, &result)) {
            print_result(work, &result, peers, count);
        }
    }
    attn_pool_close(pool);
    peers_release();
    return 0;
}

/* tests/attn/bench.c — the workloads of attn/measure.h, side by side with the same work by other
 * libraries where they are installed.
 *     meson test --benchmark, or the program itself: bench_attn [--table] [WORKLOAD…]; ATTN_ISA for
 *     one set; ATTN_BENCH_PYTHON for a Python that has PyTorch. --table: as the manual has it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/measure.h"
#include "peers.h"

/* names: NULL behind the last; none: all of them. */
static bool wanted(const struct measure_work *work, char **names)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], work->name) == 0) {
            return true;
        }
    }
    return names[0] == NULL;
}

/* A peer whose kernels are for older processors gets a mark: its column says little. */
static const char *mark_of(const struct measure_peer *peer)
{
    return peer->is_dated ? "*" : "";
}

static void print_peers(const struct measure_peer *peers, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        printf("%s%s: kernels for %s%s\n", peers[p].name, mark_of(&peers[p]),
               peers[p].kernel[0] == '\0' ? "an unknown processor" : peers[p].kernel,
               peers[p].is_dated ? ", which is older than this processor" : "");
    }
}

static void print_heads(const struct measure_peer *peers, size_t count)
{
    printf("| workload | µs | of peak | error |");
    for (size_t p = 0; p < count; p++) {
        printf(" %s%s ÷ ours |", peers[p].name, mark_of(&peers[p]));
    }
    printf("\n| --- | --- | --- | --- |");
    for (size_t p = 0; p < count; p++) {
        printf(" --- |");
    }
    printf("\n");
}

static void print_row(const struct measure_work *work, const struct measure_result *result,
                      size_t count)
{
    printf("| %s | %.*f | %.0f %% | %.0e |", work->name, result->microseconds < 10 ? 2 : 0,
           result->microseconds, 100 * result->share_of_peak, result->max_error);
    for (size_t p = 0; p < count; p++) {
        printf(" %.2f |", result->peer_ratio[p]);
    }
    printf("\n");
    fflush(stdout);
}

static void print_result(const struct measure_work *work, const struct measure_result *result,
                         const struct measure_peer *peers, size_t count)
{
    double best = 0;
    printf("%-22s %10.2f us %7.1f GFLOP/s %5.1f %%  x%.2f  error %.1e", work->name,
           result->microseconds, result->gflops, 100 * result->share_of_peak, result->speedup,
           result->max_error);
    for (size_t p = 0; p < count; p++) {
        printf("  %s%s %.2f", peers[p].name, mark_of(&peers[p]), result->peer_ratio[p]);
        if (!peers[p].is_dated && !(best > 0 && result->peer_ratio[p] >= best)) {
            best = result->peer_ratio[p];
        }
    }
    if (work->at_least != NULL && best > 0) {
        printf("  at least %s: %s", work->at_least,
               best >= strtod(work->at_least, NULL) ? "met" : "missed");
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct measure_peer peers[MEASURE_PEERS_MAX];
    const size_t count = peers_list(attn_kernels_choose(NULL), peers);
    const struct attn_kernels *const kernels = attn_kernels_choose(getenv("ATTN_ISA"));
    if (kernels == NULL) {
        printf("This set cannot run here.\n");
        return 77;
    }
    struct attn_pool *const pool = attn_pool_open(0);
    const bool table = argc > 1 && strcmp(argv[1], "--table") == 0;
    printf("%s, peak %.0f GFLOP/s, reads %.1f GB/s, x: %zu threads against one\n",
           attn_kernels_title(kernels), attn_measure_peak(kernels), attn_measure_bandwidth(),
           attn_pool_threads(pool));
    print_peers(peers, count);
    if (table) {
        print_heads(peers, count);
    }
    for (size_t w = 0; attn_measure_work_at(w) != NULL; w++) {
        struct measure_result result;
        const struct measure_work *const work = attn_measure_work_at(w);
        if (!wanted(work, argv + (table ? 2 : 1)) ||
            !attn_measure(kernels, pool, work, peers, count, &result)) {
            continue;
        }
        if (table) {
            print_row(work, &result, count);
        } else {
            print_result(work, &result, peers, count);
        }
    }
    attn_pool_close(pool);
    peers_release();
    return 0;
}

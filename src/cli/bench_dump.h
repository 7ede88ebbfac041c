/* cli/bench_dump.h — a large file of attention, opened against the clock. */
#ifndef CLI_BENCH_DUMP_H
#define CLI_BENCH_DUMP_H

#include "app/document/state.h"

/* Makes a file of 12 layers of 12 heads of 1024 × 1024 weights, all 0 and without room on the disk,
 * where files may come and go; its path into path [size]. */
bool cli_bench_dump_make(char *path, size_t size, struct error *error);

/* Opens it, and comes back when its first layer is on the stages. */
bool cli_bench_dump(struct app_state *state, const char *path, struct error *error);

#endif

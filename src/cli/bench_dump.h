/* cli/bench_dump.h — a large file of attention, opened against the clock. */
#ifndef CLI_BENCH_DUMP_H
#define CLI_BENCH_DUMP_H

#include "app/document/state.h"

/* Makes a file of 12 layers of 12 heads of 1024 × 1024 weights, all 0 and sparse, in the folder for
 * temporary files; its path is written into path [size]. */
bool cli_bench_make_dump(char *path, size_t size, struct error *error);

/* Opens the file, and returns when its first layer is on the stages. */
bool cli_bench_open_dump(struct app_state *state, const char *path, struct error *error);

#endif

/* tests/attn/peers.h — the same attention composed from other libraries' matrix products. */
#ifndef TESTS_ATTN_PEERS_H
#define TESTS_ATTN_PEERS_H

#include "attn/measure.h"

/* Those this was built with, each on one thread, with the kernels that each chose on this
 * processor; `best` is the best of ours, which says what the processor has. Returns how many. */
size_t peers_list(const struct attn_kernels *best, struct measure_peer peers[MEASURE_PEERS_MAX]);

/* Gives the memory of their runs back. */
void peers_release(void);

#endif

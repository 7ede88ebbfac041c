/* tests/attn/peer_torch.h — PyTorch as a peer of the benchmark. */
#ifndef TESTS_ATTN_PEER_TORCH_H
#define TESTS_ATTN_PEER_TORCH_H

#include "attn/measure.h"

/* Starts the Python that ATTN_BENCH_PYTHON names, else python3. False: it has no PyTorch. */
bool peer_torch_open(struct measure_peer *peer);
void peer_torch_close(void);

#endif

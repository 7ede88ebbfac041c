/* attn/cpu.h — what this processor, and the system above it, let us run.
 *
 * Wide registers need both: the processor must know the instructions, and the system must save the
 * registers when it switches tasks. Each question asks the processor anew; nothing is kept. */
#ifndef ATTN_CPU_H
#define ATTN_CPU_H

#include <stdbool.h>

/* True everywhere: C, and what every processor of the architecture this was built for has. */
bool attn_cpu_runs_baseline(void);

/* AVX2 and FMA. */
bool attn_cpu_runs_avx2(void);

/* AVX-512 F, DQ, BW and VL, and FMA. */
bool attn_cpu_runs_avx512(void);

#endif

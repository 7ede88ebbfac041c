/* fuzz.h — a target: one reader, fed with any bytes. It must neither crash nor leak nor read beyond
 * what it was given, and everything it hands out must be fit to be looked at. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

/* Says whether the reader takes these bytes. */
bool fuzz_reads(struct bytes file);

#endif

/* The entry that libFuzzer calls. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
    (void)fuzz_reads((struct bytes){at, size});
    return 0;
}

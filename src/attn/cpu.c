/* attn/cpu.c — CPUID and XGETBV by hand.
 *
 * Bits: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2A (CPUID) and volume
 * 1, sections 14.3 (detection of AVX), 14.5.3 (FMA) and 15.2 (AVX-512). */
#include "attn/cpu.h"

bool attn_cpu_runs_baseline(void)
{
    return true;
}

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>
#include <stdint.h>

enum {
    LEAF1_ECX_FMA = 1 << 12,
    LEAF1_ECX_OSXSAVE = 1 << 27,
    LEAF1_ECX_AVX = 1 << 28,
    LEAF7_EBX_AVX2 = 1 << 5,
    LEAF7_EBX_AVX512F = 1 << 16,
    LEAF7_EBX_AVX512DQ = 1 << 17,
    LEAF7_EBX_AVX512BW = 1 << 30,
    XCR0_SSE_AVX = 0x06,        /* the system saves xmm and ymm */
    XCR0_SSE_AVX_AVX512 = 0xe6, /* and the opmasks, the upper halves, and zmm16 to zmm31 */
};

#define LEAF7_EBX_AVX512VL (UINT32_C(1) << 31)

/* Which register states the system saves. Only to be asked where OSXSAVE is set. */
static uint32_t saved_states(void)
{
    uint32_t low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool runs_with(uint32_t leaf7_ebx_needed, uint32_t states_needed)
{
    const uint32_t leaf1_ecx_needed = LEAF1_ECX_FMA | LEAF1_ECX_OSXSAVE | LEAF1_ECX_AVX;
    uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || (ecx & leaf1_ecx_needed) != leaf1_ecx_needed) {
        return false;
    }
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) ||
        (ebx & leaf7_ebx_needed) != leaf7_ebx_needed) {
        return false;
    }
    return (saved_states() & states_needed) == states_needed;
}

bool attn_cpu_runs_avx2(void)
{
    return runs_with(LEAF7_EBX_AVX2, XCR0_SSE_AVX);
}

bool attn_cpu_runs_avx512(void)
{
    return runs_with(LEAF7_EBX_AVX2 | LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512DQ | LEAF7_EBX_AVX512BW |
                         LEAF7_EBX_AVX512VL,
                     XCR0_SSE_AVX_AVX512);
}

#else

bool attn_cpu_runs_avx2(void)
{
    return false;
}

bool attn_cpu_runs_avx512(void)
{
    return false;
}

#endif

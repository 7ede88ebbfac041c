/* attn/mode.h — the floating-point mode the core computes in: round to nearest, subnormal numbers
 * kept, nothing trapped. Some library may have left another one behind (flush to zero is common);
 * the caller gets it back. */
#ifndef ATTN_MODE_H
#define ATTN_MODE_H

#include <stdint.h>

struct mode {
    uint64_t found;
};

#if defined(__x86_64__)

#include <xmmintrin.h>

/* MXCSR: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 10.2.3. The low
 * six bits only say what has happened. */
#define MODE_OURS 0x1f80U
#define MODE_HAPPENED 0x3fU

static inline struct mode mode_enter(void)
{
    const struct mode mode = {_mm_getcsr()};
    if ((mode.found & ~MODE_HAPPENED) != MODE_OURS) {
        _mm_setcsr(MODE_OURS);
    }
    return mode;
}

static inline void mode_leave(struct mode mode)
{
    if ((mode.found & ~MODE_HAPPENED) != MODE_OURS) {
        _mm_setcsr((unsigned)mode.found);
    }
}

#elif defined(__aarch64__)

/* FPCR: Arm Architecture Reference Manual, C5.2.8. */
static inline struct mode mode_enter(void)
{
    struct mode mode = {0};
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode.found));
    if (mode.found != 0) {
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    }
    return mode;
}

static inline void mode_leave(struct mode mode)
{
    if (mode.found != 0) {
        __asm__ volatile("msr fpcr, %0" : : "r"(mode.found));
    }
}

#else

static inline struct mode mode_enter(void)
{
    return (struct mode){0};
}

static inline void mode_leave(struct mode mode)
{
    (void)mode;
}

#endif

#endif

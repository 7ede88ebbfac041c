/* The part of IBus that SDL needs for input methods: its own headers would need those of GLib. */
#ifndef PORTABLE_IBUS_H
#define PORTABLE_IBUS_H
#include <limits.h> /* as those do */
enum {
    IBUS_SHIFT_MASK = 1 << 0,
    IBUS_LOCK_MASK = 1 << 1,
    IBUS_CONTROL_MASK = 1 << 2,
    IBUS_MOD1_MASK = 1 << 3,
    IBUS_MOD2_MASK = 1 << 4,
    IBUS_MOD4_MASK = 1 << 6,
    IBUS_MOD5_MASK = 1 << 7,
    IBUS_SUPER_MASK = 1 << 26,
    IBUS_META_MASK = 1 << 28,
    IBUS_RELEASE_MASK = 1 << 30
};
enum { IBUS_CAP_PREEDIT_TEXT = 1 << 0, IBUS_CAP_FOCUS = 1 << 3 };
#endif

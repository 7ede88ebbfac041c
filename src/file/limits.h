/* file/limits.h — how much the readers of files take, where their own headers do not say it. */
#ifndef FILE_LIMITS_H
#define FILE_LIMITS_H

enum {
    JSON_NUMBER_LETTERS_MAX = 64,
    JSON_TEXT_BYTES_MAX = 1 << 20, /* as they stand between the quotes */
    JSON_CELLS_MAX = 24 << 20,     /* of memory, some 48 bytes each: a number takes 1 */
    NPY_HEADER_LETTERS_MAX = 64 * 1024,
    NPZ_MEMBERS_MAX = 4096,
    NPZ_RATIO_MAX = 1100,       /* unpacked : packed, of a member */
    NPZ_UNPACKED_MAX = 1 << 30, /* bytes */
    NPY_TEXT_LETTERS_MAX = 4096,
};

#endif

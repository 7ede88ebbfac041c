/* fail.h — calls of the operating system that fail when a test wants it: the linker puts ours in
 * place of malloc, write, rename … as our own rooms call them (-Wl,--wrap). What Cairo, HarfBuzz,
 * FreeType, SDL, libzip and libpng ask for inside themselves is theirs and is not counted; jansson
 * asks through file/json.c and is.
 *
 *     fail_begin(FAIL_MEMORY, 7, ENOMEM, FAIL_ONCE);      the seventh allocation will be refused
 *     … what is tested …
 *     const struct fail_count count = fail_end(); */
#ifndef FAULTS_FAIL_H
#define FAULTS_FAIL_H

#include <stdbool.h>
#include <stddef.h>

enum fail_calls { /* bits */
                  FAIL_MEMORY = 1,
                  FAIL_OPEN = 2,
                  FAIL_READ = 4,
                  FAIL_WRITE = 8,
                  FAIL_SYNC = 16,
                  FAIL_CLOSE = 32,
                  FAIL_RENAME = 64,
                  FAIL_STAT = 128,
                  FAIL_MAP = 256,
                  FAIL_THREAD = 512,
                  FAIL_ARENA = 1024, /* what is asked of an arena, which has room for most of it */
                  FAIL_ZIP = 2048    /* memory that ends inside libzip (fail_zip.c) */
};

enum fail_how {
    FAIL_ONCE,
    FAIL_EVER, /* that call and all after it */
    FAIL_SHORT /* it does not fail: only one byte is read or written */
};

struct fail_count {
    size_t calls;  /* of the kinds that were asked for */
    size_t failed; /* how many of them were made to fail */
};

/* Call `number` (from 1; 0: none, they are only counted) of these kinds fails with this errno. */
void fail_begin(unsigned calls, size_t number, int reason, enum fail_how how);
struct fail_count fail_end(void);

/* Counts a call of this kind, and says whether it is to fail: for what stands in for it. */
bool fail_hits(unsigned call);

#endif

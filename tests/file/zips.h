/* zips.h — zip files put together byte by byte, so that each of their fields can lie. */
#ifndef TESTS_FILE_ZIPS_H
#define TESTS_FILE_ZIPS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"

enum {
    ZIP_STORED = 0,
    ZIP_DEFLATED = 8,
    ZIP_BZIP2 = 12,
    ZIP_FLAG_ENCRYPTED = 1,
    ZIP_FLAG_LATE = 8
};

/* A member: its bytes as they lie in the file, and what is said of them (0: the truth). */
struct zip_member {
    const char *name;
    struct bytes content;
    unsigned method, flags; /* with ZIP_FLAG_LATE sizes stand behind it, as a stream is written */
    size_t unpacked;        /* how large it is said to be; 0: as large as the content */
    unsigned checksum_error, extra; /* what is added to the checksum; to the length of the extra
                                       field at the member, of which there are no bytes */
    const char *local_name;         /* at the member itself; NULL: its name */
    uint32_t checksum;              /* of what is unpacked; 0: of what lies there */
};

/* Returns the bytes `before`, then all members, then the list of them. */
struct bytes zip_of(const char *before, const struct zip_member *members, size_t count,
                    struct arena *arena);

/* An npy of `count` numbers 1, 2, 3 …; and `size` bytes of deflate's own form that hold `content`
 * unpacked. */
struct bytes zip_npy(size_t count, struct arena *arena);
struct bytes zip_unpacked_deflate(struct bytes content, struct arena *arena);

/* deflate's form of a header, and of its last byte so many times more, in a 150th of them; the
 * checksum of what is unpacked. */
struct bytes zip_deflate_of_one(const char *header, size_t size, size_t more, struct arena *arena);
uint32_t zip_checksum_of_one(const char *header, size_t size, size_t more);

#endif

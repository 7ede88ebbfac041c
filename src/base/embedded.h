/* base/embedded.h — the files of fonts/ and assets/, compiled into the program.
 *
 *     const struct embedded *vocabulary = embedded_find("assets/vocab.txt");
 *
 * Which files these are is listed in fonts/meson.build and assets/meson.build. */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>
#include <stdint.h>

struct embedded {
    const char *name;     /* as in the source folder: "fonts/Inter-Regular.otf" */
    const uint8_t *bytes; /* aligned to 64; a 0 byte that is not counted follows */
    size_t size;
};

/* The file of that name; NULL: there is none. */
const struct embedded *embedded_find(const char *name);

/* The files one by one, from 0; NULL behind the last. */
const struct embedded *embedded_at(size_t index);

#endif

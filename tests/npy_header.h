/* tests/npy_header.h — the beginning of an npy file, as NumPy writes it (NEP 1). */
#ifndef TESTS_NPY_HEADER_H
#define TESTS_NPY_HEADER_H

#include <stdio.h>
#include <string.h>

enum { NPY_HEADER_BYTES = 128 };

/* type: "<f4"; shape as Python writes it: "(2, 3)". */
static inline void npy_header(char header[NPY_HEADER_BYTES], const char *type, const char *shape)
{
    memset(header, ' ', NPY_HEADER_BYTES);
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    const int length =
        snprintf(header + 10, NPY_HEADER_BYTES - 11,
                 "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    header[10 + length] = ' ';
    header[NPY_HEADER_BYTES - 1] = '\n';
}

/* A new file that begins with it; NULL: it could not be made. The caller closes it. */
static inline FILE *npy_create(const char *path, const char *type, const char *shape)
{
    char header[NPY_HEADER_BYTES];
    FILE *const file = fopen(path, "wb");
    npy_header(header, type, shape);
    if (file != NULL) {
        fwrite(header, 1, sizeof header, file);
    }
    return file;
}

#endif

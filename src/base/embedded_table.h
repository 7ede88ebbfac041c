/* base/embedded_table.h — what embed.sh generates and embedded.c reads; for nobody else. */
#ifndef BASE_EMBEDDED_TABLE_H
#define BASE_EMBEDDED_TABLE_H

#include "base/embedded.h"

extern const struct embedded embedded_table[];
extern const size_t embedded_table_length;

/* The bytes of a file between a label and a 0, put there by the assembler: the compiler never sees
 * them, which for a megabyte of fonts saves half a minute. */
#if defined(__APPLE__)
#define EMBEDDED_SECTION ".section __TEXT,__const\n"
#define EMBEDDED_LABEL(label) ".globl _" #label "\n_" #label ":\n"
#define EMBEDDED_END ".text\n"
#elif defined(_WIN32)
#define EMBEDDED_SECTION ".section .rdata,\"dr\"\n"
#define EMBEDDED_LABEL(label) ".globl " #label "\n" #label ":\n"
#define EMBEDDED_END ".text\n"
#else
#define EMBEDDED_SECTION ".pushsection .rodata,\"a\"\n"
#define EMBEDDED_LABEL(label) ".globl " #label "\n.hidden " #label "\n" #label ":\n"
#define EMBEDDED_END ".popsection\n"
#endif

#define EMBEDDED_FILE(label, path)                                                                 \
    __asm__(EMBEDDED_SECTION ".balign 64\n" EMBEDDED_LABEL(label) ".incbin \"" path                \
                                                                  "\"\n.byte 0\n" EMBEDDED_END);   \
    extern const uint8_t label[]

#endif

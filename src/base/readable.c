/* base/readable.c — see readable.h. */
#include "base/readable.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

uint32_t readable_letter_of(uint8_t byte)
{
    return byte <= 32                   ? 0x100U + byte
           : byte >= 127 && byte <= 160 ? 0x100U + 33 + byte - 127
           : byte == 173                ? 0x143U
                                        : byte;
}

int readable_byte_of(uint32_t letter)
{
    const bool itself = (letter >= 33 && letter <= 126) || (letter >= 161 && letter <= 172) ||
                        (letter >= 174 && letter <= 255);
    return itself                               ? (int)letter
           : letter >= 0x100 && letter <= 0x120 ? (int)(letter - 0x100)
           : letter >= 0x121 && letter < 0x143  ? (int)(letter - 0x121 + 127)
           : letter == 0x143                    ? 173
                                                : -1;
}

/* The mark for a letter that has no shape of its own; NULL: it has one. */
static const char *mark_of(uint32_t code_point)
{
    static const struct {
        uint32_t code_point;
        const char *mark;
    } marks[] = {{' ', "␣"}, {'\n', "↵"}, {'\t', "⇥"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (marks[i].code_point == code_point) {
            return marks[i].mark;
        }
    }
    return NULL;
}

const char *readable_bytes(struct bytes bytes, struct arena *arena)
{
    enum { MARK_BYTES = 8, FEW = 1024 }; /* of ⟨E2⟩; arena_text packs what is short */
    char few[MARK_BYTES * FEW + 1] = "";
    char *const large = bytes.size <= FEW ? NULL : arena_array(arena, bytes.size + 1, MARK_BYTES);
    char *const shown = large == NULL ? few : large;
    if (bytes.size > FEW && large == NULL) {
        return NULL;
    }
    size_t length = 0;
    for (size_t at = 0; at < bytes.size;) {
        const size_t begin = at;
        const uint32_t code_point = text_next((const char *)bytes.at, bytes.size, &at);
        const bool broken = code_point == 0xFFFD && at - begin == 1;
        const bool control = code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
        const char *const mark = mark_of(code_point);
        if (mark != NULL) {
            memcpy(shown + length, mark, strlen(mark));
            length += strlen(mark);
        } else if (broken || control) {
            for (size_t i = begin; i < at; i++) {
                length += (size_t)snprintf(shown + length, MARK_BYTES + 1, "⟨%02X⟩",
                                           (unsigned)bytes.at[i]);
            }
        } else {
            memcpy(shown + length, bytes.at + begin, at - begin);
            length += at - begin;
        }
    }
    return large == NULL ? arena_text(arena, few, length) : large;
}

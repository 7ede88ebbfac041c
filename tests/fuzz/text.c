#include "base/text.h"

#include <stdlib.h>

#include "fuzz.h"

/* Text that was cleaned is clean: walking over it there and back meets the same letters. */
bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    size_t length = 0, there = 0, back = 0;
    const char *const *words = NULL;
    double number = 0;
    const char *const text = text_clean(&arena, (const char *)file.at, file.size, &length);
    for (size_t at = 0; text != NULL && at < length; there++) {
        const size_t next = text_next_letter(text, length, at);
        at = next > at ? next : (abort(), at);
    }
    for (size_t at = length; text != NULL && at > 0; back++) {
        const size_t former = text_former_letter(text, length, at);
        at = former < at ? former : (abort(), at);
    }
    if (there != back) {
        abort();
    }
    (void)text_split(&arena, (const char *)file.at, file.size, &words);
    const bool is_number = text != NULL && text_to_double(text, &number);
    arena_free(&arena);
    return is_number;
}

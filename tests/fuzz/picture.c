#include "app/document/session.h"
#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    struct bytes text = {0};
    struct error error = {0};
    const bool found = app_session_find(file, &arena, &text, &error);
    unsigned sum = 0;
    for (size_t i = 0; found && i < text.size; i++) {
        sum += text.at[i]; /* every byte is there to be read */
    }
    arena_free(&arena);
    return found && sum + 1 > 0;
}

/* Words of a command line, one a line: the first is the call. Taken: the options can be read. */
#include "cli/options.h"

#include <string.h>

#include "base/arena.h"
#include "cli/calls.h"
#include "fuzz.h"

enum { WORDS_MAX = 64 };

static const struct cli_call *call_of(const char *name)
{
    for (const struct cli_call *call = cli_calls() + 1; call->name != NULL; call++) {
        if (strcmp(call->name, name) == 0) {
            return call;
        }
    }
    return NULL;
}

bool fuzz_reads(struct bytes file)
{
    static char program[] = "attnscope";
    char *word[WORDS_MAX + 1] = {program};
    int words = 1;
    struct arena arena = {0};
    char *text = arena_text(&arena, (const char *)file.at, file.size);
    while (text != NULL && words < WORDS_MAX) {
        char *const end = strchr(text, '\n');
        word[words++] = text;
        if (end != NULL) {
            *end = '\0';
        }
        text = end != NULL && end[1] != '\0' ? end + 1 : NULL;
    }
    const struct cli_call *const call = call_of(word[1] != NULL ? word[1] : "");
    struct cli_options options;
    struct error error = {0};
    const bool read = cli_options_read(&options, call != NULL ? call->call : CALL_WINDOW, words,
                                       word, call != NULL ? 2 : 1, &error);
    const bool told = read || (error.text[0] != '\0' && error.code != ERROR_NONE);
    arena_free(&arena);
    if (!told) {
        __builtin_trap(); /* refused without a sentence */
    }
    return read;
}

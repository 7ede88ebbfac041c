/* The file of --style. Taken: every member is one. */
#include "cli/style.h"

#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    struct cli_style style;
    struct error error = {0};
    const bool reads = cli_style_parse(file, "folder/style.json", &style, &error);
    if (!reads && (error.text[0] == '\0' || error.code == ERROR_NONE)) {
        __builtin_trap(); /* refused without a sentence */
    }
    if (reads) {
        cli_style_release(&style);
    }
    return reads;
}

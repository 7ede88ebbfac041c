/* The file of --panels. Taken: every call in it is a list of texts. */
#include "cli/panels.h"

#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    struct cli_panel_list list;
    struct error error = {0};
    const bool reads = cli_panels_parse(file, "panels.json", &list, &error);
    if (!reads && (error.text[0] == '\0' || error.code == ERROR_NONE)) {
        __builtin_trap(); /* refused without a sentence */
    }
    for (size_t p = 0; reads && p < list.count; p++) {
        struct cli_options options;
        const struct cli_panel_call *const panel = &list.panel[p];
        error = (struct error){0};
        if (!cli_options_read(&options, CALL_RENDER, panel->arguments, panel->argument, 1,
                              &error) &&
            error.text[0] == '\0') {
            __builtin_trap();
        }
    }
    if (reads) {
        cli_panels_release(&list);
    }
    return reads;
}

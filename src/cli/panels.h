/* cli/panels.h — render's figures of several panels: those of a file, or A, B and their
 * difference. */
#ifndef CLI_PANELS_H
#define CLI_PANELS_H

#include "base/bytes.h"
#include "cli/options.h"

/* The file of --panels:
 *
 *     {"columns": 2, "panels": [{"letter": "a", "call": ["--lesson", "cats", "--view", "matrix"]}]}
 */
struct cli_panel_call {
    const char *letter; /* NULL: none */
    char **argument;    /* of render, "--figure" before them */
    int arguments;
};
struct cli_panel_list {
    size_t columns, count;
    bool own_scales; /* "scales": "own" */
    struct cli_panel_call *panel;
    struct arena arena;
};

/* Reads the text of such a file; name: what sentences call it. The caller releases the list. */
bool cli_panels_parse(struct bytes text, const char *name, struct cli_panel_list *list,
                      struct error *error);
void cli_panels_release(struct cli_panel_list *list);

/* Says whether the call asks for a figure of panels; and draws it. Returns an exit status. */
bool cli_has_panels(const struct cli_options *options);
int cli_render_panels(const struct cli_options *options);

#endif

/* cli/figures.h — the files that render writes: their names, formats and time. */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "base/arena.h"
#include "canvas/formats/animation.h"
#include "canvas/formats/formats.h"
#include "canvas/render/render.h"
#include "cli/options.h"
#include "lab/explain/explain.h"

struct cli_figure {
    const char *name; /* as given: may hold {head}, {stage}, {layer}; "-": standard output */
    const struct render_format *format;       /* NULL: the whole file is an animation */
    const struct animation_format *animation; /* NULL: still pictures */
    bool moves;                               /* an animation, or numbered pictures */
};

struct cli_figures {
    struct cli_figure figure[CLI_OUTS_MAX];
    size_t count;
    char created_text[32];
    const char *created; /* of SOURCE_DATE_EPOCH, ISO 8601; NULL: no time is to stand in files */
};

/* Reads every -o and --format. *figures must not move afterwards. */
bool cli_figures_read(const struct cli_options *options, struct cli_figures *figures,
                      struct error *error);

/* Refuses names that several pictures would share. */
bool cli_figures_check(const struct cli_figures *figures, const struct cli_options *options,
                       size_t heads, size_t layers, struct error *error);

/* The layer, head and stage that fill the braces of a name. cli_figure_name counts heads and layers
 * from 1; its result is owned by the arena; NULL: no memory. */
struct cli_figure_place {
    size_t layer, head; /* from 0 */
    enum lab_stage stage;
};
const char *cli_figure_name(const struct cli_figure *figure, const struct cli_figure_place *place,
                            struct arena *arena);

#endif

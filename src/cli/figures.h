/* cli/figures.h — which files render is to write: their names, formats and time. */
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

/* From every -o and --format. *figures must stay where it is. */
bool cli_figures_of(const struct cli_options *options, struct cli_figures *figures,
                    struct error *error);

/* Whether several pictures get several names. */
bool cli_figures_check(const struct cli_figures *figures, const struct cli_options *options,
                       size_t heads, size_t layers, struct error *error);

/* The name with what is in braces filled in, heads and layers counted from 1. Owned by the arena;
 * NULL: no memory. */
struct cli_figure_place {
    size_t layer, head; /* from 0 */
    enum lab_stage stage;
};
const char *cli_figure_name(const struct cli_figure *figure, const struct cli_figure_place *place,
                            struct arena *arena);

#endif

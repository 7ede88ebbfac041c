/* cli/page.h — what render does for pages alone. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "app/draw/page.h"
#include "cli/calls.h"
#include "cli/figures.h"
#include "cli/render.h"

/* Says whether a page is among the files. */
bool cli_has_page(const struct cli_figures *figures);

/* Says whether nothing else is. */
bool cli_are_all_pages(const struct cli_figures *figures);

/* Refuses options that change nothing in a page, and those that change something in pages alone. */
bool cli_check_pages(const struct cli_options *options, const struct cli_figures *figures,
                     const struct cli_context *context, struct error *error);

/* Makes the weights of a lesson's steps again, where they are learned and a page or a worksheet is
 * to have all of its steps. A page whose lesson cannot be made has the step that is shown. */
bool cli_page_fill_lesson(const struct cli_options *options, const struct cli_figures *figures,
                          struct cli_context *context, struct error *error);

/* Draws the figures of those steps of the lesson that show why a word is said, which no script of a
 * page draws. *figures has one for each step, owned by the arena; NULL: no step asks for one. */
bool cli_page_draw_steps(const struct cli_scene *scene, struct app_figure_renderer *renderer,
                         struct arena *arena, const struct bytes **figures, struct error *error);

/* Lists what is changed in the model, "L0H2 off"; owned by the arena. "": nothing. */
const char *cli_page_changes(const struct cli_context *context, struct arena *arena);

/* Computes every layer of a model or a file of attention for a page, unless one was chosen; count 0
 * where there is nothing but what is shown. The caller releases it, on failure too. */
bool cli_page_layers_make(const struct cli_options *options, const struct cli_context *context,
                          const struct lab_engine *engine, struct app_page_layers *layers,
                          struct error *error);
void cli_page_layers_release(struct app_page_layers *layers);

#endif

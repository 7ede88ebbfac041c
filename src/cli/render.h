/* cli/render.h — what pictures are drawn of, for render's calls: one picture, or panels. */
#ifndef CLI_RENDER_H
#define CLI_RENDER_H

#include "app/document/state.h"
#include "app/draw/figure.h"
#include "cli/calls.h"
#include "cli/figures.h"
#include "cli/style.h"

/* The experiment of a call, and the state of a window that shows it as the call says. It must not
 * move while it is open. */
struct cli_scene {
    const struct cli_options *options;
    struct cli_style *style;
    bool only_pages; /* the picture is for pages, which have the stages in place of the window */
    struct cli_context context;
    bool is_read; /* the context is to be released */
    struct app_state *state;
    struct cli_overview overview;
};

/* Makes the experiment and refuses options that do nothing in its picture; then computes it and
 * sets the state. options and style are set before; on failure it is closed all the same. */
bool cli_scene_read(struct cli_scene *scene, struct error *error);
bool cli_scene_prepare(struct cli_scene *scene, struct error *error);
void cli_scene_close(struct cli_scene *scene);

/* Sets the size, the letters and the paper of a picture as the options say. */
bool cli_choose_figure(const struct cli_options *options, const struct cli_figures *figures,
                       const struct cli_style *style, struct app_figure *figure,
                       struct error *error);

/* Refuses --progress, --aside and others where this picture is the same without them. */
bool cli_check_idle(const struct cli_options *options, struct app_figure_renderer *renderer,
                    const struct app_figure *picture, struct error *error);

/* Says which head of a file of attention is drawn, where none was chosen. */
void cli_print_shown_head(const struct cli_options *options, const struct cli_context *context);

/* Returns what a picture of a model or a file of attention was made from: its path, layer and head,
 * and the numbers of the tokens that a model has read. NULL: it is of neither, or there is no
 * memory. */
const char *cli_source_text(const struct cli_options *options, const struct cli_context *context,
                            size_t layer, size_t head, struct arena *arena);

/* Warns of characters of the renderer's last picture that no font can show. Returns whether there
 * are any. */
bool cli_warn_of_letters(const struct cli_options *options,
                         const struct app_figure_renderer *renderer);

#endif

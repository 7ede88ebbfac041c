/* cli/film.h — render's animations as one file that moves or as numbered pictures: a stage, or
 * several; or one picture at the steps of training. */
#ifndef CLI_FILM_H
#define CLI_FILM_H

#include "app/document/state.h"
#include "app/draw/figure.h"
#include "cli/figures.h"
#include "cli/options.h"

/* "OUT-%04d.png": where the number stands in a name, and how wide it is at least; width 0 and start
 * at the end: there is none. */
struct cli_number_field {
    size_t start, length, width;
};
struct cli_number_field cli_number_field(const char *name);

/* Steps of training that follow each other in place of stages. */
struct cli_film_training {
    uint64_t first, last;
    bool (*show)(void *owner, uint64_t step, struct error *error); /* in the state */
    void *owner;
};

/* Whether the figure moves, and that what was asked goes together. */
bool cli_film_check(const struct cli_options *options, const struct cli_figures *figures,
                    struct error *error);

/* training NULL: stages follow each other. Draws all pictures into the file, or the files, that the
 * name stands for. The state's stage and moment are as before when it returns. Returns an exit
 * status. */
int cli_film_write(const struct cli_options *options, const struct cli_film_training *training,
                   const struct cli_figure *figure, const char *name,
                   struct app_figure_renderer *renderer, const struct app_figure *picture,
                   struct app_state *state);

#endif

/* cli/film.h — render's animations as one file that moves or as numbered pictures: of a stage, of
 * several, or of one picture at the steps of training. */
#ifndef CLI_FILM_H
#define CLI_FILM_H

#include "app/document/state.h"
#include "app/draw/figure.h"
#include "cli/figures.h"
#include "cli/options.h"

/* The number in a name like "OUT-%04d.png": its place and its least width; width 0 and start at the
 * end where the name has none. */
struct cli_number_field {
    size_t start, length, width;
};
struct cli_number_field cli_number_field(const char *name);

/* Steps of training that follow each other in place of stages. */
struct cli_film_training {
    uint64_t first, last;
    bool (*show)(void *owner, uint64_t step, struct error *error); /* sets the state to that step */
    void *owner;
};

/* Checks that the figure moves, and that its options go together. */
bool cli_film_check(const struct cli_options *options, const struct cli_figures *figures,
                    struct error *error);

/* Draws all pictures into the file, or the files, that the name stands for; training NULL: stages
 * follow each other. The state's stage and moment are as before when it returns. Returns an exit
 * status. */
int cli_film_write(const struct cli_options *options, const struct cli_film_training *training,
                   const struct cli_figure *figure, const char *name,
                   struct app_figure_renderer *renderer, const struct app_figure *picture,
                   struct app_state *state);

#endif

/* view/parts/playback.h — a position in the whole computation: the stage, how far the transition
 * from the former one has come, and how much of the stage is computed. Play, pause, steps, the
 * scrubber and films all go through here. */
#ifndef VIEW_PARTS_PLAYBACK_H
#define VIEW_PARTS_PLAYBACK_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/experiment/stage.h"
#include "lab/explain/explain.h"
#include "lab/run/trace.h"

struct view;

/* The position in the computation, and what of it moves by itself. */
struct playback {
    enum lab_stage stage;
    float position;        /* within the stage, 0 to 1; 1: all is shown */
    enum lab_stage former; /* the stage that the transition starts from */
    float arrival;         /* progress of that transition, 0 to 1; 1: it has ended */
    float glide;           /* progress of the last movement, 0 to 1; 1: it has ended */
    unsigned ticks;        /* of a film: how often in a stage the ribbon moves on; 0: always */
    bool playing;
    bool arrives;        /* the transition runs by itself */
    float speed;         /* of playback; 1, and 0: the speed that the stages are made for */
    double play_from;    /* when playback began this stage, by the window's clock, in seconds */
    double arrival_from; /* when the transition began */
    double glide_from;   /* when the last movement began */
};

/* The computed share of the stage's result, 0 to 1: row by row, but of the pinned query's row the
 * first cell slowly and the second faster. */
float view_done(const struct view *view);

/* The charts of Softmax, one after the other: score, power, share. */
enum { VIEW_SOFTMAX_CHARTS = 3 };

/* Returns the progress of the weights at Softmax: where it is shown chart by chart, they appear
 * with the shares, its last chart. */
float view_done_weights(const struct view *view);

/* Returns the progress without steps, and for products only while the first two cells of the pinned
 * query are computed: for drawings in space, which build it up once. */
float view_playback_early(const struct view *view);

/* The progress of the sum of the cell that is being computed, 0 to 1; 1: there is none. */
float view_playback_sum(const struct view *view);

/* Overlays a selection with what is being computed: the cell for the first two of the chosen row,
 * else the row; where cells are computed evenly, the last one. False: nothing is being computed. */
bool view_playback_cell(const struct lab_trace *trace, const struct playback *playback,
                        size_t chosen, struct lab_selection *selection);

/* Says whether this stage is shown tile by tile: the experiment asks for it, and the stage is the
 * softmax or the blend. */
bool view_tiles_are_shown(const struct lab_trace *trace, enum lab_stage stage);

/* The number of tiles of the matrix; the experiment must ask for tiles. */
size_t view_tiles_count(const struct lab_trace *trace);

/* The step of the tiled picture at a position: a tile, or the number of tiles for the division
 * after the last. And the position in the middle of a step. */
size_t view_tiles_step(float position, size_t tiles);
float view_tiles_position(size_t step, size_t tiles);

/* The place among all stages, 0 to LAB_STAGES: the stage's number, plus a fraction for its
 * transition and then for its position. A whole number is the start of a stage. */
double view_place(const struct playback *playback);

/* The place of a position in a stage whose transition has ended. */
double view_place_of(enum lab_stage stage, float position);

/* The stage, transition and position at a place; the former of each stage is the one before it. */
struct playback view_playback_at(double place);

/* The place of the next event, or with forward false of the previous one: a cell, a row, a bar
 * appears. It goes over the ends of a stage into its neighbour. The selection is the pinned one. */
double view_place_beside(const struct lab_trace *trace, const struct playback *playback,
                         const struct lab_selection *selection, bool forward);

#endif

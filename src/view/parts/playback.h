/* view/parts/playback.h — one moment of the whole calculation: which stage, how far it has come out
 * of the former one, how much of it is computed. Play, pause, steps, the scrubber and films all go
 * through here. */
#ifndef VIEW_PARTS_PLAYBACK_H
#define VIEW_PARTS_PLAYBACK_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/experiment/stage.h"
#include "lab/explain/explain.h"
#include "lab/run/trace.h"

struct view;

/* What is shown of the computation, and what of it moves by itself. */
struct playback {
    enum lab_stage stage;
    float position;        /* 0 … 1 inside the stage; 1: all is shown */
    enum lab_stage former; /* the stage that this one comes out of … */
    float arrival;         /* … 0 … 1: how far it has come; 1: there, the former is gone */
    float glide;           /* 0 … 1: how far what moved by itself has come; 1: there */
    unsigned ticks;        /* of a film: so often in a stage the ribbon moves on; 0: always */
    bool playing;
    bool arrives;        /* the stage still comes out of the former one by itself */
    float speed;         /* of play; 1: as the stages are made for; 0: the same */
    double play_from;    /* when play started this stage, by the clock of the window, seconds; */
    double arrival_from; /* … when the stage began to come out of the former one; */
    double glide_from;   /* … and when the last thing began to move by itself */
};

/* How much of the stage's result is computed by now, 0 … 1: row by row, but of the pinned query's
 * row the first cell slowly, the second faster. */
float view_done(const struct view *view);

/* How many charts Softmax is shown as, one after the other: score, power, share. */
enum { VIEW_SOFTMAX_CHARTS = 3 };

/* The same of the weights at Softmax: where it is shown step by step they come with the shares, its
 * last chart, and not before. */
float view_done_weights(const struct view *view);

/* The same without steps, and for products only while the first two cells of the pinned query come:
 * what a drawing in space builds up once. */
float view_playback_early(const struct view *view);

/* How far the sum of the cell that is being computed has come, 0 … 1; 1: there is none. */
float view_playback_sum(const struct view *view);

/* Lays the cell (the first two of the chosen row) or the row (else) that is being computed at this
 * moment over a selection; where cells come evenly the last that is there. False: none is. */
bool view_playback_cell(const struct lab_trace *trace, const struct playback *playback,
                        size_t chosen, struct lab_selection *selection);

/* Whether this stage is shown tile by tile: the experiment asks for it, and it is the one that
 * weighs or the one that blends. */
bool view_tiles_are_shown(const struct lab_trace *trace, enum lab_stage stage);

/* How many tiles the matrix is cut into; the experiment must ask for tiles. */
size_t view_tiles_count(const struct lab_trace *trace);

/* Which step of the picture stands at a moment: a tile, or the number of tiles for the division
 * after the last. And the moment in the middle of a step. */
size_t view_tiles_step(float position, size_t tiles);
float view_tiles_position(size_t step, size_t tiles);

/* All stages as one way: the stage's number, and within it first its coming out of the former
 * stage, then its moment. 0 … LAB_STAGES; a whole number is the start of a stage. */
double view_place(const struct playback *playback);

/* The place of a moment of a stage that has arrived. */
double view_place_of(enum lab_stage stage, float position);

/* The stage, arrival and moment at a place, each stage coming out of the one before it. */
struct playback view_playback_at(double place);

/* The next moment, or with forward false the one before, at which something else is there: a cell,
 * a row, a bar; over the ends of a stage into the neighbour. The selection is the pinned one. As a
 * place.
 */
double view_place_beside(const struct lab_trace *trace, const struct playback *playback,
                         const struct lab_selection *selection, bool forward);

#endif

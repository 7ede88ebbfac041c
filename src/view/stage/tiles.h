/* view/stage/tiles.h — tiled attention as a picture: the present tile over the matrix of scores,
 * and the running maximum, the running sum and the unfinished output of every row. */
#ifndef VIEW_STAGE_TILES_H
#define VIEW_STAGE_TILES_H

#include "lab/run/flash.h"
#include "view/parts/view.h"

/* The tiles that were computed last, kept between frames, so that a step does not start anew. */
struct view_tiles;

/* NULL: no memory; every frame computes all tiles then. */
struct view_tiles *view_tiles_open(void);
void view_tiles_close(struct view_tiles *tiles);

/* Releases a trace that is neither of these. */
void view_tiles_follow(struct view_tiles *tiles, const struct lab_trace *trace,
                       const struct lab_trace *baseline);

/* The tiles of a head. NULL with an error: there are none. */
const struct lab_flash *view_tiles_of(struct view *view, size_t head, struct error *error);

/* Explains the sum of the chosen row up to the present tile; false: the present tile is not in that
 * row. */
bool view_tiles_explain(struct view *view, size_t terms, struct lab_explanation *explanation);

/* Draws the tiles in place of the stage. */
void view_stage_tiles(struct view *view, struct rect area);

#endif

/* view/stage/tiles.h — attention tile by tile as a picture: the tile that is under way over the
 * matrix of scores, and the running maximum, the running sum and the unfinished output of every
 * row. */
#ifndef VIEW_STAGE_TILES_H
#define VIEW_STAGE_TILES_H

#include "lab/run/flash.h"
#include "view/parts/view.h"

/* What was gone through last; outlives frames, so that a step forward does not begin anew. */
struct view_tiles;

/* NULL: no memory, and each picture goes through all tiles itself. */
struct view_tiles *view_tiles_open(void);
void view_tiles_close(struct view_tiles *tiles);

/* Lets go of a trace that is neither of these. */
void view_tiles_follow(struct view_tiles *tiles, const struct lab_trace *trace,
                       const struct lab_trace *baseline);

/* The tiles of a head. NULL and a sentence: there are none. */
const struct lab_flash *view_tiles_of(struct view *view, size_t head, struct error *error);

/* The sum of the chosen row as far as the tile that is under way; false: no tile of its is. */
bool view_tiles_explain(struct view *view, size_t terms, struct lab_explanation *explanation);

/* In place of the stage. */
void view_stage_tiles(struct view *view, struct rect area);

#endif

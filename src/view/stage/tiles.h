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

/* The tiles of a head. NULL and a sentence: there are none. */
const struct lab_flash *view_tiles_of(struct view *view, size_t head, struct error *error);

/* In place of the stage. */
void view_stage_tiles(struct view *view, struct rect area);

#endif

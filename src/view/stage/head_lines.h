/* view/stage/head_lines.h — a head as lines between two columns of tokens. */
#ifndef VIEW_STAGE_HEAD_LINES_H
#define VIEW_STAGE_HEAD_LINES_H

#include "view/parts/view.h"

void view_head_lines(struct view *view, struct rect area);

#endif

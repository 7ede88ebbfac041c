/* view/sheets/worksheet.h — a page to be printed: a stage with empty boxes, or with the answers and
 * their sums. Lengths are points on A4. */
#ifndef VIEW_SHEETS_WORKSHEET_H
#define VIEW_SHEETS_WORKSHEET_H

#include "view/parts/view.h"

#define VIEW_PAGE_WIDE 595.0f
#define VIEW_PAGE_HIGH 842.0f

/* Says whether a stage of this trace has a worksheet. */
bool view_worksheet_has(const struct lab_trace *trace, enum lab_stage stage);

/* Draws the page state->page. */
void view_worksheet(struct view *view, struct rect area);

#endif

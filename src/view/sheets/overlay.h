/* view/sheets/overlay.h — what every overlay has: a shade over the panels, a sheet, a way to close
 * it.
 *
 *     struct view_overlay_sheet sheet = {"costs", "Costs", place};
 *     view_overlay_begin(view, area, &sheet);
 *     … what stands on it, inside sheet.place …
 *     view_overlay_end(view, &sheet);
 */
#ifndef VIEW_OVERLAY_H
#define VIEW_OVERLAY_H

#include "view/parts/view.h"

struct view_overlay_sheet {
    const char *name, *label; /* of its widgets; of its group */
    struct rect place;
    bool bare;  /* no cross: its own buttons, or Esc, close it */
    bool stays; /* a click beside it leaves it open */
};

/* The middle of area, at most so large; as a panel beside others all of it. */
struct rect view_overlay_place(const struct view *view, struct rect area, float wide, float high);

void view_overlay_begin(struct view *view, struct rect area,
                        const struct view_overlay_sheet *sheet);
void view_overlay_end(struct view *view, const struct view_overlay_sheet *sheet);

#endif

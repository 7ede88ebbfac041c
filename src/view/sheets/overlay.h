/* view/sheets/overlay.h — the frame of every overlay: a shade over the panels, a card, a way to
 * close it.
 *
 *     struct view_overlay_frame frame = {"costs", "Costs", place};
 *     view_overlay_begin(view, area, &frame);
 *     draw_costs(view, frame.place);
 *     view_overlay_end(view, &frame);
 */
#ifndef VIEW_SHEETS_OVERLAY_H
#define VIEW_SHEETS_OVERLAY_H

#include "view/parts/view.h"

struct view_overlay_frame {
    const char *name, *label; /* of its controls; of its group */
    struct rect place;
    bool no_cross;   /* its own buttons, or Esc, close it */
    bool stays_open; /* a click beside it does not close it */
};

/* The middle of area, at most so large; all of area if the overlay is drawn as a panel. */
struct rect view_overlay_place(const struct view *view, struct rect area, float wide, float high);

void view_overlay_begin(struct view *view, struct rect area,
                        const struct view_overlay_frame *frame);
void view_overlay_end(struct view *view, const struct view_overlay_frame *frame);

#endif

/* view/parts/view_prefs.h — how the person looks at the computation: colours, camera, what is
 * folded. Nothing of it is computed with; a lesson's step keeps some of it
 * (lab/lesson/view_prefs.h). */
#ifndef VIEW_PARTS_VIEW_PREFS_H
#define VIEW_PARTS_VIEW_PREFS_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas/types/colour.h"
#include "lab/experiment/params.h"
#include "lab/explain/display.h"

/* The 3-D view's camera: it looks at the middle of what is shown. */
struct view_camera {
    float azimuth, elevation; /* degrees */
    float zoom;               /* 1: everything fits */
    float pan_x, pan_y;       /* points */
};

/* Numbers in cells: where they can be read, wherever there is any room, nowhere. */
enum view_values { VIEW_VALUES_AUTO, VIEW_VALUES_ON, VIEW_VALUES_OFF };

/* What a figure asks of its cells; all zero: what suits them. */
struct view_cells {
    enum view_values values;
    bool has_decimals;
    int decimals;
    float share_low, share_high; /* weights of the map's first and last colour; high 0: as ever */
    float signed_top;            /* of the signed map, on both sides of 0; 0: as ever */
};

/* How a group of the settings stands: with what the stage uses, closed, or with all it has. */
enum view_fold { VIEW_FOLD_STAGE, VIEW_FOLD_SHUT, VIEW_FOLD_ALL };

/* Which of them stands where space and heads share one place. */
enum view_tab { VIEW_TAB_SPACE, VIEW_TAB_HEADS };

struct view_prefs {
    const struct colourmap *weights_map, *signed_map; /* borrowed */
    bool range_by_content;      /* colours of weights reach to the largest one, not to 1 */
    struct lab_display display; /* how weights are looked at */
    struct view_cells cells;
    bool by_mean;     /* where many weights share a dot: their mean, not the largest */
    bool latent_rows; /* Project of latent attention: how C is made */
    bool whole_alpha; /* Softmax, where one row and all of α do not fit: all of α */
    struct view_camera camera;
    bool space_raw;       /* in 3-D: dimensions space_axes in place of components */
    size_t space_axes[3]; /* from 0; one that does not exist or comes twice: another */
    enum view_tab tab;
    float split_column; /* share of the width that the stage takes of stage + right column */
    float split_right;  /* share of the right column's height that space takes */
    bool settings_folded;
    unsigned char
        settings_fold[LAB_GROUPS + 1]; /* enum view_fold of each group; the last: display */
    bool captions_closed;
    bool head_overview_folded; /* the stages as without one */
    bool learn_folded;         /* the strip of training is closed; the weights stay learned */
    bool learn_linear;         /* steps of training stand evenly; else by their logarithm */
    bool presenter;            /* captions large, no settings */
};

/* The camera the 3-D view starts with. */
struct view_camera view_camera_home(void);

#endif

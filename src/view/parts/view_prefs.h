/* view/parts/view_prefs.h — the display options: colours, camera, what is folded. No result
 * depends on them; a lesson's step keeps some of them (lab/lesson/view_prefs.h). */
#ifndef VIEW_PARTS_VIEW_PREFS_H
#define VIEW_PARTS_VIEW_PREFS_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas/types/colour.h"
#include "lab/experiment/params.h"
#include "lab/explain/display.h"

/* The camera of the 3-D view. It looks at the middle of what is shown. */
struct view_camera {
    float azimuth, elevation; /* degrees */
    float zoom;               /* 1: everything fits */
    float pan_x, pan_y;       /* points */
};

/* The cells that have numbers: those where they can be read, those with any room, or none. */
enum view_values { VIEW_VALUES_AUTO, VIEW_VALUES_ON, VIEW_VALUES_OFF };

/* The style of the cells of a figure; all zero: automatic. */
struct view_cells {
    enum view_values values;
    size_t largest; /* only so many cells of a matrix have numbers: the largest; 0: all have */
    bool has_decimals;
    int decimals;
    float share_low, share_high; /* weights at the ends of the colour map; high 0: automatic */
    float signed_top;            /* end of the signed map on both sides of 0; 0: automatic */
};

/* The display of a group of settings: with what the stage uses, closed, or with everything. */
enum view_fold { VIEW_FOLD_STAGE, VIEW_FOLD_SHUT, VIEW_FOLD_ALL };

/* The open tab where space and heads share one place. */
enum view_tab { VIEW_TAB_SPACE, VIEW_TAB_HEADS };

struct view_prefs {
    const struct colourmap *weights_map, *signed_map; /* borrowed */
    bool range_by_content;      /* the colours of weights end at the largest one, not at 1 */
    struct lab_display display; /* of the weights */
    struct view_cells cells;
    bool by_mean;     /* pixels that many weights share show their mean, not the largest */
    bool latent_rows; /* Project of latent attention shows how C is made */
    bool whole_alpha; /* Softmax shows all of α where it does not fit with one row */
    struct view_camera camera;
    bool space_raw;       /* the 3-D view shows the dimensions space_axes, not components */
    size_t space_axes[3]; /* from 0; one that does not exist or is repeated is replaced */
    enum view_tab tab;
    float split_column; /* width of the stage, as a share of stage and right column */
    float split_right;  /* height of space, as a share of the right column */
    bool settings_folded;
    unsigned char
        settings_fold[LAB_GROUPS + 1]; /* enum view_fold of each group; the last one: display */
    bool captions_closed;
    bool head_overview_folded; /* the stages take the whole window */
    bool learn_folded;         /* the training panel is closed; the weights stay trained */
    bool learn_linear;         /* the axis of training steps is linear; else logarithmic */
    bool presenter;            /* presenter view: large captions, no settings */
};

/* The initial camera of the 3-D view. */
struct view_camera view_camera_home(void);

#endif

/* ui/box.h — what a panel consists of, and where each part of it stands.
 *
 * A panel builds a tree of boxes in the frame's arena, lists what gives way where there is too
 * little room, fits the tree into its area, and draws.
 *
 *     enum { HINT = 1, DECIMALS, NUMBERS, GIVES = NUMBERS };      the first gives way first
 *     struct box_tree tree = {.arena = arena, .gives = GIVES};
 *     struct box *root = box_open(&tree, &(struct box){.kind = BOX_COLUMN, .gap = {4, 8, 8}});
 *     box_add(&tree, &(struct box){.kind = BOX_LEAF, .until = HINT, .high = {20, 20, 20}});
 *     struct box *cells = box_add(&tree, &(struct box){.kind = BOX_CELLS, .cells = {...}});
 *     box_close(&tree);
 *     box_fit(&tree, root, area);
 *
 * Widths are measured from the leaves up and placed from the root down, then heights for these
 * widths. What is given up is the least that makes room: something later in the list is kept if
 * giving up everything before it is enough. So more room never costs a thing.
 *
 * The layout depends on data, style and area, never on the pointer or a moment of an animation. All
 * lengths are in points. */
#ifndef UI_BOX_H
#define UI_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "canvas/types/rect.h"

enum { BOX_GIVES_MAX = 31, BOX_NEEDS_MAX = 5, BOX_TRACKS_MAX = 32 };

enum box_axis { BOX_ACROSS, BOX_DOWN };

enum box_kind {
    BOX_COLUMN, /* children below each other */
    BOX_ROW,    /* side by side */
    BOX_GRID,   /* in columns and rows that all children share */
    BOX_CELLS,  /* rows × columns of equal cells */
    BOX_LEAF,   /* room that its owner draws in */
};

enum box_align { BOX_FILL, BOX_START, BOX_CENTRE, BOX_END };

/* A length: at least min, pref where there is enough room, up to max where there is more. A pref
 * below min is min, a max below pref is pref. */
struct box_range {
    float min, pref, max;
};

/* The least size of a cell until something is given up: of several the first that is not given up
 * counts, and none once the last one is. until 0: the end of the list. */
struct box_need {
    uint8_t until;
    float min;
};

struct box_cells {
    size_t rows, columns;
    struct box_range wide, high; /* of one cell */
    float aspect; /* it prefers to be so many times as high as wide, from high.pref to high.max; 0:
                     it prefers high.pref */
    struct box_range bare_wide, bare_high; /* of one whose last need is given up; 0: as before */
    struct box_need need_wide[BOX_NEEDS_MAX], need_high[BOX_NEEDS_MAX];
};

struct box;
struct box_tree;

/* The length of a leaf along an axis. Down is measured when all boxes are placed across. */
typedef struct box_range box_measure_fn(const struct box_tree *tree, const struct box *box,
                                        enum box_axis axis);

struct box {
    /* --- set by the panel --- */
    enum box_kind kind;
    uint8_t until, from; /* it is there until that is given up, or only from then on; 0: always */
    struct box_range wide, high; /* a limit of its own; 0: that of its content */
    float weight;                /* its share of room that is left in a row or a column; 0: none */
    bool eager;                  /* it reaches its preferred width before others grow: names */
    struct box_range gap;        /* between children, in a grid between columns */
    float left, top, right, bottom;     /* margins */
    enum box_align across, down;        /* in the room that its parent has for it */
    uint8_t column, row, columns, rows; /* in a grid: the first, and how many (0 means 1) */
    struct box_cells cells;
    box_measure_fn *measure; /* NULL: `wide` and `high` */
    void (*draw)(const struct box *box);
    const void *user; /* for measure and draw */
    /* --- found --- */
    bool there;
    struct rect at;           /* without margins */
    struct point cell;        /* BOX_CELLS: the size of one */
    struct box_range need[2]; /* by axis, with margins */
    struct box *parent, *first, *last, *next;
    struct box_range *track[2]; /* BOX_GRID: by axis, its columns and its rows */
    float *track_at[2];         /* where each begins, and behind the last one where it ends */
    uint32_t eager_tracks;      /* a bit for each column with an eager box */
    size_t tracks[2];
};

struct box_tree {
    struct arena *arena; /* owns the boxes */
    uint8_t gives;       /* how many things may be given up: 1 to gives */
    bool is_twice; /* leaves are measured again when the size of cells is known: on paper names
                      are as small as their rows */
    /* --- found --- */
    bool is_again;   /* it is measured again */
    uint32_t given;  /* bit n: n is given up */
    bool fits;       /* false: there is too little room even so, and everything is squeezed */
    unsigned passes; /* how often it was measured */
    struct box *open;
};

/* Adds a box; box_open takes the boxes that follow as its children, up to box_close. Never NULL:
 * without memory it is a box outside of the tree. */
struct box *box_open(struct box_tree *tree, const struct box *box);
void box_close(struct box_tree *tree);
struct box *box_add(struct box_tree *tree, const struct box *box);

/* Finds the place of every box inside the area, and what has to be given up. Returns tree->fits. */
bool box_fit(struct box_tree *tree, struct box *root, struct rect area);

/* Says whether something was given up; nothing is 0, and never was. */
bool box_gave(const struct box_tree *tree, unsigned what);

/* Draws the boxes that are there, parents before their children. */
void box_draw(const struct box *root);

#endif

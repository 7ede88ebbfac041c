/* Boxes: measured from the leaves up, placed from the root down, widths before heights. */
#include "ui/box.h"

#include <math.h>
#include <string.h>

static const float ROUNDING = 0.01f; /* less than so much too little room is enough */

static struct box outside; /* what there is no memory for */

struct box *box_open(struct box_tree *tree, const struct box *box)
{
    struct box *const kept = arena_alloc(tree->arena, sizeof *kept);
    if (kept == NULL) {
        outside = (struct box){.parent = tree->open};
        tree->open = &outside;
        return &outside;
    }
    *kept = *box;
    kept->parent = tree->open;
    if (tree->open != NULL && tree->open->last != NULL) {
        tree->open->last->next = kept;
    } else if (tree->open != NULL) {
        tree->open->first = kept;
    }
    if (tree->open != NULL) {
        tree->open->last = kept;
    }
    tree->open = kept;
    return kept;
}

void box_close(struct box_tree *tree)
{
    tree->open = tree->open == NULL ? NULL : tree->open->parent;
}

struct box *box_add(struct box_tree *tree, const struct box *box)
{
    struct box *const kept = box_open(tree, box);
    box_close(tree);
    return kept;
}

bool box_gave(const struct box_tree *tree, unsigned what)
{
    return what != 0 && (tree->given >> what & 1u) != 0;
}

/* --- ranges ---------------------------------------------------------------------------------- */

static struct box_range whole_range(struct box_range range)
{
    range.pref = fmaxf(range.pref, range.min);
    range.max = fmaxf(range.max, range.pref);
    return range;
}

static struct box_range sum_of(struct box_range a, struct box_range b)
{
    return (struct box_range){a.min + b.min, a.pref + b.pref, a.max + b.max};
}

static struct box_range larger_of(struct box_range a, struct box_range b)
{
    return (struct box_range){fmaxf(a.min, b.min), fmaxf(a.pref, b.pref), fmaxf(a.max, b.max)};
}

static struct box_range multiple_of(struct box_range range, float by)
{
    return (struct box_range){range.min * by, range.pref * by, range.max * by};
}

/* --- measuring ------------------------------------------------------------------------------- */

static struct box *next_there(struct box *box)
{
    while (box != NULL && !box->there) {
        box = box->next;
    }
    return box;
}

static bool runs_along(const struct box *box, enum box_axis axis)
{
    return box->kind == (axis == BOX_ACROSS ? BOX_ROW : BOX_COLUMN);
}

static void measure_box(const struct box_tree *tree, struct box *box, enum box_axis axis);

/* The range of one cell with its needs. */
static struct box_range cell_range(const struct box_tree *tree, struct box_range range,
                                   const struct box_need *needs, struct box_range bare)
{
    size_t count = 0, n = 0;
    while (count < BOX_NEEDS_MAX && needs[count].until != 0) {
        count++;
    }
    if (count > 0 && box_gave(tree, needs[count - 1].until)) {
        return whole_range(bare.min > 0 ? bare : range);
    }
    while (n < count && box_gave(tree, needs[n].until)) {
        n++;
    }
    range.min = n < count ? fmaxf(range.min, needs[n].min) : range.min;
    return whole_range(range);
}

static struct box_range measure_cells(const struct box_tree *tree, const struct box *box,
                                      enum box_axis axis)
{
    const struct box_cells *const cells = &box->cells;
    if (axis == BOX_ACROSS) {
        return multiple_of(cell_range(tree, cells->wide, cells->need_wide, cells->bare_wide),
                           (float)cells->columns);
    }
    struct box_range high = whole_range(cells->high);
    if (cells->aspect > 0) {
        high.pref = fminf(high.max, fmaxf(high.pref, box->cell.x * cells->aspect));
        high.max = high.pref;
    }
    return multiple_of(cell_range(tree, high, cells->need_high, cells->bare_high),
                       (float)cells->rows);
}

static struct box_range measure_children(const struct box_tree *tree, struct box *box,
                                         enum box_axis axis)
{
    struct box_range need = {0};
    float gaps = -1;
    for (struct box *child = next_there(box->first); child != NULL;
         child = next_there(child->next)) {
        measure_box(tree, child, axis);
        need = runs_along(box, axis) ? sum_of(need, child->need[axis])
                                     : larger_of(need, child->need[axis]);
        gaps++;
    }
    return runs_along(box, axis) && gaps > 0
               ? sum_of(need, multiple_of(whole_range(box->gap), gaps))
               : need;
}

static size_t first_track(const struct box *child, enum box_axis axis)
{
    return axis == BOX_ACROSS ? child->column : child->row;
}

static size_t track_span(const struct box *child, enum box_axis axis)
{
    const uint8_t span = axis == BOX_ACROSS ? child->columns : child->rows;
    return span == 0 ? 1 : span;
}

/* Makes room in a grid for a child of several tracks: its last track gets what all of them lack. */
static void widen_last_track(const struct box *grid, const struct box *child, enum box_axis axis)
{
    struct box_range *const tracks = grid->track[axis];
    const size_t first = first_track(child, axis);
    const size_t last = first + track_span(child, axis) - 1;
    const struct box_range gap =
        whole_range(axis == BOX_ACROSS ? grid->gap : (struct box_range){0});
    struct box_range all = multiple_of(gap, (float)(last - first));
    for (size_t t = first; t <= last; t++) {
        all = sum_of(all, tracks[t]);
    }
    tracks[last].min += fmaxf(0, child->need[axis].min - all.min);
    tracks[last].pref += fmaxf(0, child->need[axis].pref - all.pref);
    tracks[last] = whole_range(tracks[last]);
}

/* Counts the tracks of a grid and reserves them once; false without memory. */
static bool has_tracks(const struct box_tree *tree, struct box *grid, enum box_axis axis)
{
    if (grid->track_at[axis] == NULL) {
        size_t count = 0;
        for (const struct box *child = grid->first; child != NULL; child = child->next) {
            const size_t end = first_track(child, axis) + track_span(child, axis);
            count = end > count ? end : count;
        }
        grid->tracks[axis] = count;
        grid->track[axis] = arena_array(tree->arena, count + 1, sizeof *grid->track[axis]);
        grid->track_at[axis] = arena_array(tree->arena, count + 1, sizeof *grid->track_at[axis]);
    }
    return grid->track[axis] != NULL && grid->track_at[axis] != NULL;
}

static struct box_range measure_grid(const struct box_tree *tree, struct box *box,
                                     enum box_axis axis)
{
    struct box_range need = {0};
    if (!has_tracks(tree, box, axis)) {
        return need;
    }
    const size_t count = box->tracks[axis];
    struct box_range *const tracks = box->track[axis];
    memset(tracks, 0, count * sizeof *tracks);
    box->eager_tracks = axis == BOX_ACROSS ? 0 : box->eager_tracks;
    for (struct box *child = next_there(box->first); child != NULL;
         child = next_there(child->next)) {
        measure_box(tree, child, axis);
        if (track_span(child, axis) == 1) {
            const size_t t = first_track(child, axis);
            tracks[t] = larger_of(tracks[t], child->need[axis]);
            box->eager_tracks |= axis == BOX_ACROSS && child->eager ? 1u << t : 0;
        }
    }
    for (struct box *child = next_there(box->first); child != NULL;
         child = next_there(child->next)) {
        if (track_span(child, axis) > 1) {
            widen_last_track(box, child, axis);
        }
    }
    if (axis == BOX_ACROSS && count > 1) {
        need = multiple_of(whole_range(box->gap), (float)(count - 1));
    }
    for (size_t t = 0; t < count; t++) {
        need = sum_of(need, tracks[t]);
    }
    return need;
}

static struct box_range measure_content(const struct box_tree *tree, struct box *box,
                                        enum box_axis axis)
{
    switch (box->kind) {
    case BOX_COLUMN:
    case BOX_ROW:
        return measure_children(tree, box, axis);
    case BOX_GRID:
        return measure_grid(tree, box, axis);
    case BOX_CELLS:
        return measure_cells(tree, box, axis);
    case BOX_LEAF:
        break;
    }
    return box->measure != NULL ? whole_range(box->measure(tree, box, axis))
                                : (struct box_range){0};
}

static void measure_box(const struct box_tree *tree, struct box *box, enum box_axis axis)
{
    const struct box_range own = axis == BOX_ACROSS ? box->wide : box->high;
    const float margins = axis == BOX_ACROSS ? box->left + box->right : box->top + box->bottom;
    struct box_range need = measure_content(tree, box, axis);
    need.min = fmaxf(need.min, own.min);
    need.pref = own.pref > 0 ? fmaxf(own.pref, need.min) : need.pref;
    need.max = own.max > 0 ? own.max : need.max;
    box->need[axis] = sum_of(whole_range(need), (struct box_range){margins, margins, margins});
}

/* --- placing --------------------------------------------------------------------------------- */

/* The sum of what is shared out in a row, or along the tracks of a grid. */
struct shared {
    struct box_range all;
    float eager; /* what the eager lack to their preferred length */
    float weights;
};

static void add_shared(struct shared *shared, struct box_range one, bool eager, float weight)
{
    shared->all = sum_of(shared->all, one);
    shared->eager += eager ? one.pref - one.min : 0;
    shared->weights += weight;
}

/* Above their least length the eager grow first, then all others alike, so that equal ranges stay
 * equal; above the preferred length only what has a weight grows. */
static float share_of(const struct shared *of, struct box_range one, bool eager, float weight,
                      float room)
{
    const float spare = room - of->all.min, wanted = of->all.pref - of->all.min;
    if (spare <= 0) {
        return of->all.min > 0 ? one.min * fmaxf(room, 0) / of->all.min : 0;
    }
    if (spare >= wanted) {
        return of->weights > 0 ? fminf(one.max, one.pref + (spare - wanted) * weight / of->weights)
                               : one.pref;
    }
    const float others = wanted - of->eager;
    const float of_eager = of->eager > 0 ? fminf(1, spare / of->eager) : 1;
    const float of_others = others > 0 ? fmaxf(0, spare - of->eager) / others : 1;
    return one.min + (one.pref - one.min) * (eager ? of_eager : of_others);
}

static void place_box(struct box *box, enum box_axis axis, float from, float room);

static void place_run(struct box *box, enum box_axis axis, float from, float room)
{
    const struct box_range gap = whole_range(box->gap), none = {0};
    struct shared shared = {0};
    for (struct box *child = next_there(box->first); child != NULL;
         child = next_there(child->next)) {
        add_shared(&shared, child->need[axis], axis == BOX_ACROSS && child->eager, child->weight);
        add_shared(&shared, next_there(child->next) != NULL ? gap : none, false, 0);
    }
    const float between = share_of(&shared, gap, false, 0, room);
    for (struct box *child = next_there(box->first); child != NULL;
         child = next_there(child->next)) {
        const float each = share_of(&shared, child->need[axis], axis == BOX_ACROSS && child->eager,
                                    child->weight, room);
        place_box(child, axis, from, each);
        from += each + between;
    }
}

static bool is_eager_track(const struct box *grid, enum box_axis axis, size_t track)
{
    return axis == BOX_ACROSS && (grid->eager_tracks >> track & 1u) != 0;
}

static void place_grid(struct box *box, enum box_axis axis, float from, float room)
{
    const size_t count = box->tracks[axis];
    const struct box_range none = {0};
    const struct box_range gap = axis == BOX_ACROSS ? whole_range(box->gap) : none;
    const struct box_range *const tracks = box->track[axis];
    float *const at = box->track_at[axis];
    struct shared shared = {0};
    if (tracks == NULL || at == NULL) {
        return;
    }
    for (size_t t = 0; t < count; t++) {
        add_shared(&shared, tracks[t], is_eager_track(box, axis, t), 0);
        add_shared(&shared, t > 0 ? gap : none, false, 0);
    }
    const float between = share_of(&shared, gap, false, 0, room);
    at[0] = from;
    for (size_t t = 0; t < count; t++) {
        const float each = share_of(&shared, tracks[t], is_eager_track(box, axis, t), 0, room);
        at[t + 1] = at[t] + each + (t + 1 < count ? between : 0);
    }
    for (struct box *child = next_there(box->first); child != NULL;
         child = next_there(child->next)) {
        const size_t first = first_track(child, axis), end = first + track_span(child, axis);
        place_box(child, axis, at[first], at[end] - at[first] - (end < count ? between : 0));
    }
}

static void place_box(struct box *box, enum box_axis axis, float from, float room)
{
    const bool across = axis == BOX_ACROSS;
    const float before = across ? box->left : box->top, after = across ? box->right : box->bottom;
    const enum box_align align = across ? box->across : box->down;
    const struct box_range need = box->need[axis];
    const float all = fmaxf(room - before - after, 0);
    const float own = (box->weight > 0 ? need.max : need.pref) - before - after;
    const float extent = align == BOX_FILL ? all : fminf(all, own);
    const float start = from + before +
                        (align == BOX_CENTRE ? (all - extent) / 2
                         : align == BOX_END  ? all - extent
                                             : 0);
    *(across ? &box->at.x : &box->at.y) = start;
    *(across ? &box->at.w : &box->at.h) = extent;
    if (box->kind == BOX_CELLS) {
        const size_t count = across ? box->cells.columns : box->cells.rows;
        *(across ? &box->cell.x : &box->cell.y) = extent / fmaxf((float)count, 1);
    } else if (box->kind == BOX_GRID) {
        place_grid(box, axis, start, extent);
    } else if (runs_along(box, axis)) {
        place_run(box, axis, start, extent);
    } else {
        for (struct box *child = next_there(box->first); child != NULL;
             child = next_there(child->next)) {
            place_box(child, axis, start, extent);
        }
    }
}

/* --- fitting --------------------------------------------------------------------------------- */

static void find_there(const struct box_tree *tree, struct box *box)
{
    box->there = !box_gave(tree, box->until) && (box->from == 0 || box_gave(tree, box->from));
    for (struct box *child = box->there ? box->first : NULL; child != NULL; child = child->next) {
        find_there(tree, child);
    }
}

/* Measures the tree with so much given up and places all widths. Returns whether it fits. */
static bool fits_with(struct box_tree *tree, struct box *root, struct rect area, uint32_t given)
{
    tree->given = given;
    tree->passes++;
    find_there(tree, root);
    measure_box(tree, root, BOX_ACROSS);
    place_box(root, BOX_ACROSS, area.x, area.w);
    measure_box(tree, root, BOX_DOWN);
    return root->need[BOX_ACROSS].min <= area.w + ROUNDING &&
           root->need[BOX_DOWN].min <= area.h + ROUNDING;
}

/* The things that something else replaces where they are given up. */
static uint32_t replaced_by_others(const struct box *box)
{
    uint32_t replaced = box->from == 0 ? 0 : (uint32_t)1 << box->from;
    for (const struct box *child = box->first; child != NULL; child = child->next) {
        replaced |= replaced_by_others(child);
    }
    return replaced;
}

/* Says whether it fits with so much given up, or without some of what others replace: those may
 * need room in another direction. */
static bool fits_somehow(struct box_tree *tree, struct box *root, struct rect area, uint32_t given,
                         uint32_t replaced)
{
    uint32_t without = 0; /* each subset of `replaced`, the empty one first */
    do {
        if (fits_with(tree, root, area, given & ~without)) {
            return true;
        }
        without = (without - replaced) & replaced;
    } while (without != 0);
    return false;
}

/* Gives everything up and takes back what there is room for, from the last of the list on. */
static bool find_given(struct box_tree *tree, struct box *root, struct rect area)
{
    if (fits_with(tree, root, area, 0)) {
        return true;
    }
    const uint32_t replaced = replaced_by_others(root);
    uint32_t given = (uint32_t)(((uint64_t)1 << (tree->gives + 1)) - 2);
    bool fits = fits_somehow(tree, root, area, given, replaced);
    for (unsigned g = tree->gives; fits && g >= 1; g--) {
        const uint32_t one = (uint32_t)1 << g, before = one - 1;
        given &= fits_somehow(tree, root, area, given & ~one, replaced & before) ? ~one : ~0u;
    }
    fits_with(tree, root, area, given);
    return fits;
}

bool box_fit(struct box_tree *tree, struct box *root, struct rect area)
{
    for (int round = 0; round < (tree->is_twice ? 2 : 1); round++) {
        tree->is_again = round > 0;
        tree->fits = find_given(tree, root, area);
        place_box(root, BOX_DOWN, area.y, area.h);
    }
    return tree->fits;
}

void box_draw(const struct box *root)
{
    if (!root->there) {
        return;
    }
    if (root->draw != NULL) {
        root->draw(root);
    }
    for (const struct box *child = root->first; child != NULL; child = child->next) {
        box_draw(child);
    }
}

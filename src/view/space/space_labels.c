/* Labels beside points, which cover neither each other nor a point. In the order of their rank,
 * each gets the best of several places around its point; if all of them are occupied and it is
 * required, it is placed farther away with a leader line. (Greedy point-feature labelling;
 * Christensen, Marks and Shieber 1995 compare it with others.) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/translate.h"
#include "view/space/space.h"

static const float WORD_LINE = 1.25f; /* height of a line, in font sizes */
static const float BOX_EDGE = 8;      /* inside a framed label */
static const float AIR = 2;           /* around every label */

/* Another point must be farther from a label by this factor than its own, or the label gets a
 * leader. */
static const float FARTHER_FACTOR = 1.5f;

/* The cost of a place that is nearer to another point, in spite of a leader. */
static const float COST_AMONG_OTHERS = 7;

/* The cost of a leader through another label, which is unreadable then: almost any place is better.
 */
static const float COST_THROUGH_LABEL = 40;

enum { DIRECTIONS = 12 };

enum {
    MANY_LABELS = 24, /* with more labels only some have leaders, and the font is smaller */
    FIGURE_FEW = 8,   /* with more labels, those of a figure have the small font and none is bold */
    FIGURE_MANY = 48, /* limit of MANY_LABELS in a figure, which nobody can turn */
    NOTES_MAX = 16    /* with more labels, numbers are shown only for special points */
};

void space_add_label(struct space *space, const struct space_label *label)
{
    if (space->labels < space->labels_max) {
        space->label[space->labels] = *label;
        space->label[space->labels].number = space->labels;
        space->labels++;
    }
}

void space_add_segment(struct space *space, float x0, float y0, float x1, float y1, float weight)
{
    if (space->segments < space->segments_max) {
        space->segment[space->segments++] = (struct space_segment){x0, y0, x1, y1, weight};
    }
}

static const float FIGURE_SHARE = 0.6f; /* width limit of a label in a figure */

static void measure_label(const struct space *space, struct space_label *label)
{
    const struct canvas *canvas = space->view->ui->canvas;
    const struct view *const view = space->view;
    static const struct view_length WIDE = {.near = 120, .far = 170};
    const float own = view_length(view, WIDE);
    const float width_max =
        !view->style.has_controls ? space->area.w * FIGURE_SHARE : fminf(own, space->area.w / 2);
    float wide = 0, high = 0;
    if (label->word != NULL) {
        wide = fminf(canvas_measure(canvas, label->face, label->size, label->word), width_max);
        high += label->size * WORD_LINE;
    }
    if (label->note != NULL) {
        wide = fmaxf(wide, canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_TINY, tr(label->note)));
        high += UI_TEXT_TINY * WORD_LINE;
    }
    const float edge = label->boxed ? BOX_EDGE : AIR;
    label->area = (struct rect){0, 0, wide + 2 * edge, high + (label->boxed ? edge : 0)};
}

static bool rects_overlap(struct rect a, struct rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/* As fminf and fmaxf, but inlined: thousands of places are considered. */
static float min_float(float a, float b)
{
    return a < b ? a : b;
}

static float max_float(float a, float b)
{
    return a > b ? a : b;
}

static bool covers_circle(struct rect area, float x, float y, float radius)
{
    const float dx = x - min_float(max_float(x, area.x), area.x + area.w);
    const float dy = y - min_float(max_float(y, area.y), area.y + area.h);
    return dx * dx + dy * dy < radius * radius;
}

/* Says whether a segment crosses an area (Liang and Barsky 1984). */
static bool segment_crosses(const struct space_segment *segment, struct rect area)
{
    const bool beside = max_float(segment->x0, segment->x1) < area.x ||
                        min_float(segment->x0, segment->x1) > area.x + area.w ||
                        max_float(segment->y0, segment->y1) < area.y ||
                        min_float(segment->y0, segment->y1) > area.y + area.h;
    if (beside) {
        return false;
    }
    const float dx = segment->x1 - segment->x0, dy = segment->y1 - segment->y0;
    const float p[4] = {-dx, dx, -dy, dy};
    const float q[4] = {segment->x0 - area.x, area.x + area.w - segment->x0, segment->y0 - area.y,
                        area.y + area.h - segment->y0};
    float from = 0, to = 1;
    for (size_t i = 0; i < 4; i++) {
        if (p[i] == 0) {
            if (q[i] < 0) {
                return false;
            }
            continue;
        }
        const float t = q[i] / p[i];
        if (p[i] < 0) {
            from = max_float(from, t);
        } else {
            to = min_float(to, t);
        }
    }
    return from <= to;
}

static bool is_free(const struct space *space, const struct rect *area, size_t own)
{
    const struct rect room = space->area;
    if (area->x < room.x || area->y < room.y || area->x + area->w > room.x + room.w ||
        area->y + area->h > room.y + room.h) {
        return false;
    }
    for (size_t i = 0; i < space->labels; i++) {
        if (i != own && space->label[i].placed && rects_overlap(*area, space->label[i].area)) {
            return false;
        }
    }
    for (size_t i = 0; i < space->points; i++) {
        const struct space_point *point = &space->point[i];
        if (point->fade > 0 && covers_circle(*area, point->spot.x, point->spot.y, point->clear)) {
            return false;
        }
    }
    return true;
}

/* The distance of an area from a point's middle. */
static float distance_to_rect(const struct rect *area, float x, float y)
{
    const float dx = x - min_float(max_float(x, area->x), area->x + area->w);
    const float dy = y - min_float(max_float(y, area->y), area->y + area->h);
    return sqrtf(dx * dx + dy * dy);
}

/* Says whether another point is nearer to the area than `farther` times the distance of the label's
 * own point. */
static bool is_nearer_to_another(const struct space *space, const struct rect *area, size_t own,
                                 float farther)
{
    const struct space_label *label = &space->label[own];
    if (label->point == SIZE_MAX) {
        return false;
    }
    const float distance_max = farther * distance_to_rect(area, label->x, label->y);
    for (size_t i = 0; i < space->points; i++) {
        const struct space_point *point = &space->point[i];
        const bool another = point->parts != 0 && point->fade > 0 &&
                             hypotf(point->spot.x - label->x, point->spot.y - label->y) > 1;
        if (another && distance_to_rect(area, point->spot.x, point->spot.y) < distance_max) {
            return true;
        }
    }
    return false;
}

/* Says whether a leader to the area would be long enough to be seen. */
static bool has_visible_leader(const struct space *space, const struct rect *area, size_t own)
{
    static const float LEADER_MIN = 8;
    const struct space_label *const label = &space->label[own];
    return distance_to_rect(area, label->x, label->y) - label->radius >= LEADER_MIN;
}

/* The cost of the lines that an area covers, each by its weight. */
static float cost_of_lines(const struct space *space, struct rect area)
{
    float cost = 0;
    for (size_t i = 0; i < space->segments; i++) {
        cost += segment_crosses(&space->segment[i], area) ? space->segment[i].weight : 0;
    }
    return cost;
}

/* The leader from a label's nearest edge to its point. */
static struct space_segment find_leader(const struct space_label *label, struct rect area)
{
    const float weight = 3;
    const float x = fminf(fmaxf(label->x, area.x), area.x + area.w);
    const float y = fminf(fmaxf(label->y, area.y), area.y + area.h);
    const float length = fmaxf(hypotf(x - label->x, y - label->y), 1e-6f);
    const float part = fminf(label->radius / length, 1);
    return (struct space_segment){label->x + (x - label->x) * part,
                                  label->y + (y - label->y) * part, x, y, weight};
}

/* The cost of the other points and labels that a leader crosses. */
static float cost_of_leader(const struct space *space, size_t own, struct rect area)
{
    const float each = 6;
    const struct space_segment leader = find_leader(&space->label[own], area);
    float cost = 0;
    for (size_t i = 0; i < space->points; i++) {
        const struct space_point *point = &space->point[i];
        const struct rect around = {point->spot.x - point->radius, point->spot.y - point->radius,
                                    2 * point->radius, 2 * point->radius};
        const bool another = i != space->label[own].point;
        cost += another && point->fade > 0 && segment_crosses(&leader, around) ? each : 0;
    }
    for (size_t i = 0; i < space->labels; i++) {
        const struct space_label *other = &space->label[i];
        cost += other->placed && segment_crosses(&leader, other->area) ? COST_THROUGH_LABEL : 0;
    }
    return cost;
}

/* The area in a direction (of DIRECTIONS, clockwise from the right), gap away from the edge of the
 * point. */
static struct rect area_in_direction(const struct space_label *label, size_t direction, float gap)
{
    const float angle = (float)direction * 6.2831853f / DIRECTIONS;
    const float dx = cosf(angle), dy = sinf(angle);
    const float away = label->radius + gap;
    struct rect area = label->area;
    /* In diagonal directions the near corner of the label stays at the point. */
    const float lean_x = fabsf(dx) < 0.1f ? 0 : dx > 0 ? 1 : -1;
    const float lean_y = fabsf(dy) < 0.1f ? 0 : fabsf(dy) < 0.6f ? dy : dy > 0 ? 1 : -1;
    area.x = label->x + dx * away + (lean_x - 1) * area.w / 2;
    area.y = label->y + dy * away + (lean_y - 1) * area.h / 2;
    return area;
}

struct choice {
    struct rect area;
    float cost;
    bool found, leader;
};

static void consider_area(const struct space *space, size_t own, struct rect area, float cost,
                          bool leader, struct choice *best)
{
    if ((best->found && cost >= best->cost) || !is_free(space, &area, own)) {
        return;
    }
    cost += cost_of_lines(space, area);
    if (best->found && cost >= best->cost) {
        return;
    }
    cost += leader ? cost_of_leader(space, own, area) : 0;
    const bool led = leader && has_visible_leader(space, &area, own);
    if (!led && is_nearer_to_another(space, &area, own, FARTHER_FACTOR)) {
        return;
    }
    cost += led && is_nearer_to_another(space, &area, own, 1) ? COST_AMONG_OTHERS : 0;
    if (!best->found || cost < best->cost) {
        *best = (struct choice){area, cost, true, leader};
    }
}

static void search_near(const struct space *space, size_t own, struct choice *best)
{
    static const float gaps[] = {4, 9, 18, 32, 50, 74, 104};
    enum { NEAR_GAPS = 2, GAPS = sizeof gaps / sizeof *gaps };
    /* Right, left and the diagonals are best; straight above and below come last. */
    static const float preference[DIRECTIONS] = {0,    1,    3,    5, 3.5f, 1.5f,
                                                 0.8f, 1.3f, 2.5f, 4, 2,    0.6f};
    const struct space_label *label = &space->label[own];
    const size_t first = label->boxed ? NEAR_GAPS : 0;
    const size_t last = label->must ? GAPS : NEAR_GAPS;
    for (size_t g = first; g < last; g++) {
        for (size_t d = 0; d < DIRECTIONS; d++) {
            const float cost = preference[d] + 3.5f * (float)(g - first);
            consider_area(space, own, area_in_direction(label, d, gaps[g]), cost, g >= NEAR_GAPS,
                          best);
        }
    }
}

/* A walk over places a step apart, from the nearest one outward to both sides. */
struct walk {
    float start;
    size_t count, nearest;
};

static const float WALK_STEP = 14;

static struct walk plan_walk(float start, float slack, float wanted)
{
    const float steps_max = 80;
    if (slack < 0) {
        return (struct walk){start, 0, 0};
    }
    const size_t count = 1 + (size_t)min_float(slack / WALK_STEP, steps_max);
    const float nearest = max_float((wanted - start) / WALK_STEP, 0);
    return (struct walk){start, count, (size_t)min_float(nearest, (float)(count - 1))};
}

/* The turn-th place of a walk: 0, then 1 right, 1 left, 2 right and so on. False: there is none on
 * that side. */
static bool walk_to(const struct walk *walk, size_t turn, float *at)
{
    const size_t away = (turn + 1) / 2;
    const bool forward = turn % 2 == 1;
    if (forward ? walk->nearest + away >= walk->count : away > walk->nearest) {
        return false;
    }
    const size_t place = forward ? walk->nearest + away : walk->nearest - away;
    *at = walk->start + WALK_STEP * (float)place;
    return true;
}

/* The cost of the distance from a label's own point. */
static float cost_of_distance(float dx, float dy)
{
    return 0.05f * sqrtf(dx * dx + dy * dy);
}

/* Searches everywhere for the nearest free place. Rows and columns that are too far are skipped. */
static void search_everywhere(const struct space *space, size_t own, struct choice *best)
{
    const struct space_label *label = &space->label[own];
    const struct rect room = space->area;
    struct rect area = label->area;
    const float middle_x = label->x - area.w / 2, middle_y = label->y - area.h / 2;
    const struct walk down = plan_walk(room.y, room.h - area.h, middle_y);
    const struct walk across = plan_walk(room.x, room.w - area.w, middle_x);
    for (size_t row = 0; row < 2 * down.count; row++) {
        if (!walk_to(&down, row, &area.y)) {
            continue;
        }
        const float dy = area.y - middle_y;
        if (best->found && cost_of_distance(0, dy) >= best->cost) {
            continue;
        }
        for (size_t column = 0; column < 2 * across.count; column++) {
            if (walk_to(&across, column, &area.x)) {
                consider_area(space, own, area, cost_of_distance(area.x - middle_x, dy), true,
                              best);
            }
        }
    }
}

static int compare_ranks(const void *a, const void *b)
{
    const struct space_label *first = a, *second = b;
    if (first->rank != second->rank) {
        return first->rank < second->rank ? -1 : 1;
    }
    if (first->point != second->point) {
        return first->point < second->point ? -1 : 1;
    }
    return first->number < second->number ? -1 : first->number > second->number;
}

/* The cost of a place on an axis, from which on a farther one is searched. */
static const float COST_ON_AXIS = 9;

/* The cost of a label that is left out. */
static const float COST_LEFT_OUT = 100;

/* Of hundreds of labels most find no room: only so many are tried. */
enum { TRIED_MAX = 192 };

static void place_label(struct space *space, size_t own)
{
    struct space_label *const label = &space->label[own];
    struct choice best = {.found = false};
    measure_label(space, label);
    search_near(space, own, &best);
    if (label->must && (!best.found || best.cost >= COST_ON_AXIS)) {
        search_everywhere(space, own, &best);
    }
    label->placed = best.found;
    label->cost = best.found ? best.cost : label->must ? COST_LEFT_OUT : 0;
    if (best.found) {
        label->area = best.area;
        label->leader = best.leader;
        if (best.leader) {
            const struct space_segment way = find_leader(label, best.area);
            space_add_segment(space, way.x0, way.y0, way.x1, way.y1, way.weight);
        }
    }
}

/* Places all labels in their present order. Returns the sum of their costs. */
static float place_in_order(struct space *space, size_t segments)
{
    size_t tried = 0;
    float cost = 0;
    space->segments = segments; /* without the former leaders */
    for (size_t i = 0; i < space->labels; i++) {
        space->label[i].placed = false;
        space->label[i].cost = 0;
    }
    for (size_t i = 0; i < space->labels; i++) {
        tried += !space->label[i].must;
        if (space->label[i].must || tried <= TRIED_MAX) {
            place_label(space, i);
            cost += space->label[i].cost;
        }
    }
    return cost;
}

static void move_label(struct space *space, size_t from, size_t to)
{
    const struct space_label moved = space->label[from];
    const size_t first = from < to ? from : to, count = from < to ? to - from : from - to;
    memmove(&space->label[from < to ? first : first + 1],
            &space->label[from < to ? first + 1 : first], count * sizeof moved);
    space->label[to] = moved;
}

/* Places the labels. One with a bad place is tried again as the first, and stays first if that is
 * better for all together. */
void space_place_labels(struct space *space)
{
    enum { ROUNDS = 3, FEW = 16 };
    const size_t segments = space->segments;
    qsort(space->label, space->labels, sizeof *space->label, compare_ranks);
    float cost = place_in_order(space, segments);
    for (size_t round = 0; round < ROUNDS && space->labels <= FEW; round++) {
        size_t worst = 0;
        for (size_t i = 1; i < space->labels; i++) {
            worst = space->label[i].cost > space->label[worst].cost ? i : worst;
        }
        if (worst == 0 || space->label[worst].cost < COST_ON_AXIS) {
            return;
        }
        move_label(space, worst, 0);
        const float other = place_in_order(space, segments);
        if (other >= cost) {
            move_label(space, 0, worst);
            place_in_order(space, segments);
            return;
        }
        cost = other;
    }
}

/* Draws the leader of a label; many leaders are thin, as they cross. */
static void draw_leader(const struct space *space, const struct space_label *label)
{
    static const float BOXED = 1.4f, PLAIN = 1, THIN = 0.6f;
    const struct ui_theme *theme = space->view->ui->theme;
    const struct space_segment way = find_leader(label, label->area);
    const bool many = !space->view->style.has_controls && space->labels > MANY_LABELS;
    canvas_line(space->view->ui->canvas, way.x0, way.y0, way.x1, way.y1,
                label->boxed ? BOXED
                : many       ? THIN
                             : PLAIN,
                label->boxed || label->coloured ? label->colour : theme->muted);
}

static void draw_label(const struct space *space, const struct space_label *label)
{
    struct canvas *canvas = space->view->ui->canvas;
    const struct ui_theme *theme = space->view->ui->theme;
    const struct rect area = label->area;
    const float edge = label->boxed ? BOX_EDGE : AIR;
    const struct paint ground = {.fill =
                                     label->boxed ? theme->panel : colour_fade(theme->panel, 0.7f),
                                 .stroke = label->boxed ? label->colour : (struct colour){0},
                                 .width = 1.4f};
    canvas_rect(canvas, area, label->boxed ? 6 : 3, &ground);
    const float wide = area.w - 2 * edge + 0.5f;
    /* Left of its point a label is right-aligned. */
    const bool ends = !label->boxed && area.x + 0.5f * area.w < label->x - 4;
    const enum canvas_anchor align = ends ? CANVAS_RIGHT : CANVAS_LEFT;
    const float x = ends ? area.x + area.w - edge : area.x + edge;
    float y = area.y + (label->boxed ? edge / 2 : 0);
    if (label->word != NULL) {
        view_text_whole(space->view, x, y + label->size * 0.98f, label->face, label->size,
                        label->colour, align, label->word, wide);
        y += label->size * WORD_LINE;
    }
    if (label->note != NULL) {
        view_text_whole(space->view, x, y + UI_TEXT_TINY * 0.95f, FONT_NUMBERS, UI_TEXT_TINY,
                        label->boxed ? theme->ink : theme->muted, align, tr(label->note), wide);
    }
}

/* Counts the names that found room, which a figure must say. */
static void count_names(struct space *space)
{
    struct view *const view = space->view;
    for (size_t i = 0; !view->style.has_controls && i < space->labels; i++) {
        const struct space_label *const label = &space->label[i];
        const bool is_name = label->point != SIZE_MAX && label->word != NULL;
        view->points += is_name;
        view->points_named += is_name && label->placed;
    }
    view->lacks &= ~(unsigned)VIEW_LACKS_POINTS;
    view_note_lack(view, VIEW_LACKS_POINTS,
                   view->points_named < view->points && view->points <= FIGURE_MANY);
}

void space_draw_labels(struct space *space)
{
    struct ui *ui = space->view->ui;
    count_names(space);
    for (size_t i = 0; i < space->labels; i++) {
        if (space->label[i].placed && space->label[i].leader) {
            draw_leader(space, &space->label[i]);
        }
    }
    for (size_t i = 0; i < space->labels; i++) {
        const struct space_label *label = &space->label[i];
        if (label->placed) {
            canvas_group(ui->canvas, ui_id_number(ui, label->name, i), label->name);
            draw_label(space, label);
            canvas_ungroup(ui->canvas);
        }
    }
}

/* --- The labels of points: one for every word that is visible. --- */

/* Points closer than this share of the ball are at the same place. */
static const float SAME_PLACE = 1e-4f;

static bool has_label(const struct space_point *point)
{
    return !point->quiet && point->fade >= 0.2f && (point->word != NULL || point->note != NULL);
}

static bool is_same_place(const struct space *space, const float a[3], const float b[3])
{
    const float distance_max = SAME_PLACE * space->ball.radius;
    return fabsf(a[0] - b[0]) <= distance_max && fabsf(a[1] - b[1]) <= distance_max &&
           fabsf(a[2] - b[2]) <= distance_max;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Merges the label of a point into that of an equal one. The number holds for all or, if the
 * numbers differ, for the chosen one alone. */
static void merge_points(struct space_point *speaker, struct space_point *other)
{
    if (!is_same_text(speaker->note, other->note) && !speaker->chosen) {
        speaker->note = other->chosen ? other->note : NULL;
    }
    speaker->chosen = speaker->chosen || other->chosen;
    speaker->equals += 1 + other->equals;
    other->quiet = true;
}

/* Merges equal words at one place into one label. */
static void merge_equal_points(struct space *space)
{
    for (size_t i = 0; i < space->points; i++) {
        struct space_point *point = &space->point[i];
        if (!has_label(point) || point->word == NULL || point->boxed) {
            continue;
        }
        for (size_t j = i + 1; j < space->points; j++) {
            struct space_point *other = &space->point[j];
            if (has_label(other) && !other->boxed && other->parts == point->parts &&
                is_same_place(space, point->at, other->at) &&
                is_same_text(point->word, other->word)) {
                merge_points(point, other);
            }
        }
    }
}

bool space_sees(const struct space *space, float x, float y, float margin)
{
    const struct rect area = space->area;
    return x + margin > area.x && x - margin < area.x + area.w && y + margin > area.y &&
           y - margin < area.y + area.h;
}

static bool is_point_visible(const struct space *space, const struct space_point *point)
{
    return space_sees(space, point->spot.x, point->spot.y, 0.5f * point->radius);
}

bool space_sees_any(const struct space *space)
{
    for (size_t i = 0; i < space->points; i++) {
        if (space->point[i].parts != 0 && is_point_visible(space, &space->point[i])) {
            return true;
        }
    }
    return space->points == 0;
}

static const char *label_text(const struct space *space, const struct space_point *point)
{
    return point->equals == 0
               ? point->word
               : arena_format(space->view->arena, "%s ×%zu", point->word, point->equals + 1);
}

/* Says whether labels may have leaders, so that none is missing: in a figure, which nobody can
 * turn, up to a larger number, if each has so much room that leaders can be followed. */
static bool may_lead_far(const struct space *space, size_t words)
{
    static const float ROOM = 3500;
    const bool roomy = space->area.w * space->area.h >= ROOM * (float)words;
    return words <= MANY_LABELS ||
           (!space->view->style.has_controls && words <= FIGURE_MANY && roomy);
}

static void label_point(struct space *space, size_t index, size_t words)
{
    const struct space_point *point = &space->point[index];
    const bool coloured = point->boxed || point->lettered;
    const bool special = coloured || point->chosen;
    const bool few = may_lead_far(space, words) || special;
    static const struct view_length LARGE = {.near = UI_TEXT_BODY, .far = UI_TEXT_TITLE};
    const bool large = few && !(!space->view->style.has_controls && words > FIGURE_FEW && !special);
    space_add_label(space, &(struct space_label){
                               .word = label_text(space, point),
                               .note = words <= NOTES_MAX || special ? point->note : NULL,
                               .name = "label in space",
                               .colour = coloured ? point->colour : space->view->ui->theme->ink,
                               .face = large ? FONT_WORDS_BOLD : FONT_WORDS,
                               .size = large ? view_length(space->view, LARGE) : UI_TEXT_TINY,
                               .x = point->spot.x,
                               .y = point->spot.y,
                               .radius = point->clear,
                               .must = few,
                               .boxed = point->boxed,
                               .coloured = coloured,
                               .rank = point->boxed ? 0
                                       : special    ? 1
                                                    : 4 - point->spot.near,
                               .point = index,
                           });
}

void space_label_points(struct space *space)
{
    size_t words = 0;
    merge_equal_points(space);
    for (size_t i = 0; i < space->points; i++) {
        words += has_label(&space->point[i]) && space->point[i].word != NULL;
    }
    for (size_t i = 0; i < space->points; i++) {
        if (has_label(&space->point[i]) && is_point_visible(space, &space->point[i])) {
            label_point(space, i, words);
        }
    }
}

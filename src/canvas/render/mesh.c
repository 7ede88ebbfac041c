/* Feathered triangles of rectangles, polygons and dashed lines. */
#include "canvas/render/mesh.h"

#include <math.h>
#include <stdlib.h>

#include "canvas/text/font_internal.h"

enum {
    QUARTER_SEGMENTS_MAX = 48, /* segments of a quarter circle */
    EARS_MAX = 1024,   /* points of a polygon that is cut into ears, which takes their square */
    DASHES_MAX = 8192, /* of one path */
};

static const float MITRE_MAX = 4; /* in half widths */

void mesh_close(struct mesh *mesh)
{
    free(mesh->vertex);
    free(mesh->index);
    free(mesh->path);
    free(mesh->normal);
    free(mesh->ring);
}

void mesh_clear(struct mesh *mesh)
{
    mesh->vertices = 0;
    mesh->indices = 0;
}

static bool reserve_mesh(struct mesh *mesh, size_t vertices, size_t indices)
{
    void *vertex = mesh->vertex;
    void *index = mesh->index;
    const bool fits =
        font_reserve(&vertex, &mesh->vertex_room, mesh->vertices + vertices,
                     sizeof *mesh->vertex) &&
        font_reserve(&index, &mesh->index_room, mesh->indices + indices, sizeof *mesh->index);
    mesh->vertex = vertex;
    mesh->index = index;
    mesh->failed = mesh->failed || !fits;
    return fits;
}

static bool reserve_points(struct mesh *mesh, struct point **store, size_t *room, size_t count)
{
    void *points = *store;
    const bool fits = font_reserve(&points, room, count, sizeof **store);
    *store = points;
    mesh->failed = mesh->failed || !fits;
    return fits;
}

static int add_vertex(struct mesh *mesh, float x, float y, struct colour colour)
{
    mesh->vertex[mesh->vertices] = (struct mesh_vertex){{x, y}, colour, mesh->white};
    return (int)mesh->vertices++;
}

static void add_triangle(struct mesh *mesh, int a, int b, int c)
{
    mesh->index[mesh->indices++] = a;
    mesh->index[mesh->indices++] = b;
    mesh->index[mesh->indices++] = c;
}

static void add_band(struct mesh *mesh, int a, int b, int c, int d)
{
    add_triangle(mesh, a, b, c);
    add_triangle(mesh, b, d, c);
}

const struct point *mesh_scale(struct mesh *mesh, const struct point *points, size_t *count,
                               bool closed, float scale)
{
    const float apart = 0.01f;
    size_t kept = 0;
    if (!reserve_points(mesh, &mesh->path, &mesh->path_room, *count)) {
        *count = 0;
        return mesh->path;
    }
    for (size_t i = 0; i < *count; i++) {
        const struct point at = {points[i].x * scale, points[i].y * scale};
        const struct point *last = &mesh->path[kept == 0 ? 0 : kept - 1];
        if (kept == 0 || hypotf(at.x - last->x, at.y - last->y) > apart) {
            mesh->path[kept++] = at;
        }
    }
    while (closed && kept > 1 &&
           hypotf(mesh->path[kept - 1].x - mesh->path[0].x,
                  mesh->path[kept - 1].y - mesh->path[0].y) <= apart) {
        kept--;
    }
    *count = kept;
    return mesh->path;
}

/* --- normals --- */

static struct point normal_of(struct point from, struct point to)
{
    const float x = to.x - from.x;
    const float y = to.y - from.y;
    const float length = hypotf(x, y);
    return length > 0 ? (struct point){-y / length, x / length} : (struct point){0, 0};
}

/* At each point the direction in which both neighbouring edges move by one when it moves by it. */
static bool find_normals(struct mesh *mesh, const struct point *points, size_t count, bool closed)
{
    if (!reserve_points(mesh, &mesh->normal, &mesh->normal_room, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t before = i > 0 ? i - 1 : (closed ? count - 1 : 0);
        const size_t behind = i + 1 < count ? i + 1 : (closed ? 0 : count - 1);
        const struct point in = normal_of(points[before], points[i]);
        const struct point out = normal_of(points[i], points[behind]);
        const bool first = before == i;
        const bool last = behind == i;
        const struct point sum = {(last ? in.x : out.x) + (first ? out.x : in.x),
                                  (last ? in.y : out.y) + (first ? out.y : in.y)};
        const float square = sum.x * sum.x + sum.y * sum.y;
        const float stretch =
            fminf(2 / fmaxf(square, 1e-6f), MITRE_MAX / sqrtf(fmaxf(square, 1e-6f)));
        mesh->normal[i] = (struct point){sum.x * stretch, sum.y * stretch};
    }
    return true;
}

/* --- filled polygons --- */

static float cross_product(struct point a, struct point b, struct point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double area_of(const struct point *points, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct point a = points[i];
        const struct point b = points[(i + 1) % count];
        sum += (double)a.x * (double)b.y - (double)b.x * (double)a.y;
    }
    return sum / 2;
}

static bool is_convex(const struct point *points, size_t count, float turn)
{
    for (size_t i = 0; i < count; i++) {
        if (cross_product(points[i], points[(i + 1) % count], points[(i + 2) % count]) * turn < 0) {
            return false;
        }
    }
    return true;
}

static bool is_inside(struct point p, struct point a, struct point b, struct point c, float turn)
{
    return cross_product(a, b, p) * turn > 0 && cross_product(b, c, p) * turn > 0 &&
           cross_product(c, a, p) * turn > 0;
}

static bool is_ear(const struct point *points, const int *ring, size_t left, size_t at, float turn)
{
    const int a = ring[(at + left - 1) % left];
    const int b = ring[at];
    const int c = ring[(at + 1) % left];
    if (cross_product(points[a], points[b], points[c]) * turn <= 0) {
        return false;
    }
    for (size_t i = 0; i < left; i++) {
        if (is_inside(points[ring[i]], points[a], points[b], points[c], turn)) {
            return false;
        }
    }
    return true;
}

/* Ear clipping (Meisters 1975). What crosses itself is cut somehow, and ends. */
static void cut_ears(struct mesh *mesh, const struct point *points, size_t count, float turn,
                     int first)
{
    void *store = mesh->ring;
    const bool fits = font_reserve(&store, &mesh->ring_room, count, sizeof *mesh->ring);
    mesh->ring = store;
    if (!fits) {
        mesh->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        mesh->ring[i] = (int)i;
    }
    for (size_t left = count; left > 2; left--) {
        size_t at = 0;
        while (at < left && !is_ear(points, mesh->ring, left, at, turn)) {
            at++;
        }
        at = at == left ? 0 : at;
        add_triangle(mesh, first + 2 * mesh->ring[(at + left - 1) % left],
                     first + 2 * mesh->ring[at], first + 2 * mesh->ring[(at + 1) % left]);
        for (size_t i = at; i + 1 < left; i++) {
            mesh->ring[i] = mesh->ring[i + 1];
        }
    }
}

void mesh_polygon(struct mesh *mesh, const struct point *points, size_t count, struct colour colour)
{
    if (count < 3 || !find_normals(mesh, points, count, true) ||
        !reserve_mesh(mesh, 2 * count, 9 * count)) {
        return;
    }
    const float turn = area_of(points, count) < 0 ? -1 : 1;
    const struct colour nothing = colour_fade(colour, 0);
    const int first = (int)mesh->vertices;
    for (size_t i = 0; i < count; i++) {
        /* Normals point to the left of the way, which is inside when the way turns that way
         * round. */
        const float x = mesh->normal[i].x * turn / 2;
        const float y = mesh->normal[i].y * turn / 2;
        add_vertex(mesh, points[i].x + x, points[i].y + y, colour);
        add_vertex(mesh, points[i].x - x, points[i].y - y, nothing);
    }
    for (size_t i = 0; i < count; i++) {
        const int a = first + 2 * (int)i;
        const int b = first + 2 * (int)((i + 1) % count);
        add_band(mesh, a, a + 1, b, b + 1);
    }
    if (count <= EARS_MAX && !is_convex(points, count, turn)) {
        cut_ears(mesh, points, count, turn, first);
        return;
    }
    for (size_t i = 1; i + 1 < count; i++) {
        add_triangle(mesh, first, first + 2 * (int)i, first + 2 * (int)(i + 1));
    }
}

/* --- lines --- */

/* Four vertices across the line: nothing, full, full, nothing. */
static int add_section(struct mesh *mesh, struct point at, struct point normal, float width,
                       struct colour colour)
{
    const struct colour nothing = colour_fade(colour, 0);
    const float inner = fmaxf(width / 2 - 0.5f, 0);
    /* A hair line, too thin to be full anywhere, fades from its middle. */
    const float outer = width < 1 ? 1 : width / 2 + 0.5f;
    const int first = add_vertex(mesh, at.x - normal.x * outer, at.y - normal.y * outer, nothing);
    add_vertex(mesh, at.x - normal.x * inner, at.y - normal.y * inner, colour);
    add_vertex(mesh, at.x + normal.x * inner, at.y + normal.y * inner, colour);
    add_vertex(mesh, at.x + normal.x * outer, at.y + normal.y * outer, nothing);
    return first;
}

static void join_sections(struct mesh *mesh, int a, int b)
{
    for (int i = 0; i < 3; i++) {
        add_band(mesh, a + i, a + i + 1, b + i, b + i + 1);
    }
}

/* A cut end fades too: the last section stands half a pixel before it, one of nothing behind it. */
static struct point move_towards(struct point end, struct point from, float by)
{
    const float length = hypotf(end.x - from.x, end.y - from.y);
    return (struct point){end.x + (end.x - from.x) / length * by,
                          end.y + (end.y - from.y) / length * by};
}

void mesh_line(struct mesh *mesh, const struct point *points, size_t count, bool closed,
               float width, struct colour colour)
{
    if (count < 2 || width <= 0 || !find_normals(mesh, points, count, closed) ||
        !reserve_mesh(mesh, 4 * (count + 2), 18 * (count + 2))) {
        return;
    }
    const struct colour full = width < 1 ? colour_fade(colour, width) : colour;
    const struct colour nothing = colour_fade(colour, 0);
    int former = -1;
    int first = -1;
    if (!closed) {
        former = add_section(mesh, move_towards(points[0], points[1], 0.5f), mesh->normal[0], width,
                             nothing);
    }
    for (size_t i = 0; i < count; i++) {
        struct point at = points[i];
        if (!closed && i == 0) {
            at = move_towards(points[0], points[1], -0.5f);
        } else if (!closed && i + 1 == count) {
            at = move_towards(points[i], points[i - 1], -0.5f);
        }
        const int section = add_section(mesh, at, mesh->normal[i], width, full);
        if (former >= 0) {
            join_sections(mesh, former, section);
        }
        first = first < 0 ? section : first;
        former = section;
    }
    if (closed) {
        join_sections(mesh, former, first);
        return;
    }
    const struct point end = move_towards(points[count - 1], points[count - 2], 0.5f);
    join_sections(mesh, former, add_section(mesh, end, mesh->normal[count - 1], width, nothing));
}

void mesh_dashes(struct mesh *mesh, const struct point *points, size_t count, bool closed,
                 float width, float dash, float gap, struct colour colour)
{
    const float period = dash + gap;
    float way = 0; /* along the path, to the start of the segment */
    size_t dashes = 0;
    for (size_t i = 0; i + (closed ? 0 : 1) < count; i++) {
        const struct point a = points[i];
        const struct point b = points[(i + 1) % count];
        const float length = hypotf(b.x - a.x, b.y - a.y);
        float start = floorf(way / period) * period - way;
        for (; start < length && dashes < DASHES_MAX; start += period, dashes++) {
            const float from = fmaxf(start, 0) / length;
            const float to = fminf(start + dash, length) / length;
            if (to > from) {
                const struct point ends[2] = {{a.x + (b.x - a.x) * from, a.y + (b.y - a.y) * from},
                                              {a.x + (b.x - a.x) * to, a.y + (b.y - a.y) * to}};
                mesh_line(mesh, ends, 2, false, width, colour);
            }
        }
        way += length;
    }
}

/* --- rectangles --- */

/* Clockwise from the top right corner; returns how many points. */
static size_t trace_rect(struct point point[4 * (QUARTER_SEGMENTS_MAX + 1)], struct rect area,
                         float radius)
{
    const float right = area.x + area.w;
    const float bottom = area.y + area.h;
    const struct point centre[4] = {{right - radius, area.y + radius},
                                    {right - radius, bottom - radius},
                                    {area.x + radius, bottom - radius},
                                    {area.x + radius, area.y + radius}};
    const float quarter = acosf(-1) / 2;
    const int wanted = (int)(2 * ceilf(fmaxf(2, 1.6f * sqrtf(fminf(radius, 4096)))));
    const int steps =
        radius <= 0 ? 0 : (wanted < QUARTER_SEGMENTS_MAX ? wanted : QUARTER_SEGMENTS_MAX);
    size_t count = 0;
    for (int corner = 0; corner < 4; corner++) {
        for (int i = 0; i <= steps; i++) {
            const float share = steps == 0 ? 0 : (float)i / (float)steps;
            const float angle = quarter * ((float)corner - 1 + share);
            point[count++] = (struct point){centre[corner].x + radius * cosf(angle),
                                            centre[corner].y + radius * sinf(angle)};
        }
    }
    return count;
}

void mesh_rect(struct mesh *mesh, const struct shape_rect *shape, const struct paint *paint,
               float scale)
{
    struct point corner[4 * (QUARTER_SEGMENTS_MAX + 1)];
    const float half = shape->width / 2;
    const struct rect middle = rect_inset(shape->area, half);
    size_t count = trace_rect(corner, middle, fmaxf(shape->radius - half, 0));
    const struct point *outline = mesh_scale(mesh, corner, &count, true, 1);
    if (colour_is_seen(paint->fill)) {
        mesh_polygon(mesh, outline, count, paint->fill);
    }
    if (shape->width > 0 && paint->dash > 0 && paint->gap > 0) {
        mesh_dashes(mesh, outline, count, true, shape->width, paint->dash * scale,
                    paint->gap * scale, paint->stroke);
    } else if (shape->width > 0) {
        mesh_line(mesh, outline, count, true, shape->width, paint->stroke);
    }
}

void mesh_quad(struct mesh *mesh, struct shape_box box, struct rect texture, struct colour colour)
{
    if (!reserve_mesh(mesh, 4, 6)) {
        return;
    }
    const float x[2] = {(float)box.left, (float)box.right};
    const float y[2] = {(float)box.top, (float)box.bottom};
    const int first = (int)mesh->vertices;
    for (int i = 0; i < 4; i++) {
        const int vertex = add_vertex(mesh, x[i % 2], y[i / 2], colour);
        mesh->vertex[vertex].texture = (struct point){texture.x + texture.w * (float)(i % 2),
                                                      texture.y + texture.h * (float)(i / 2)};
    }
    add_band(mesh, first, first + 1, first + 2, first + 3);
}

/* canvas/render/mesh.h — inside of the room: shapes as triangles whose edges fade over one pixel.
 *
 * A pixel is lit by what lies under its middle. An edge that falls from full to nothing between
 * half a pixel inside and half a pixel outside lights a pixel by the share of it that is
 * covered:
 *
 *     outside . . . . . . 0        one quad for the fade,
 *     edge    ------------          the rest is filled
 *     inside  ############ 1 */
#ifndef CANVAS_RENDER_MESH_H
#define CANVAS_RENDER_MESH_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas/draw/canvas.h"
#include "canvas/draw/shape.h"

struct mesh_vertex {
    struct point at; /* pixels */
    struct colour colour;
    struct point texture; /* 0 … 1 */
};

struct mesh {
    struct mesh_vertex *vertex;
    size_t vertices, vertex_room;
    int *index;
    size_t indices, index_room;
    struct point white; /* where the texture is white: shapes and letters share a call */
    struct point *path; /* scratch */
    size_t path_room;
    struct point *normal;
    size_t normal_room;
    int *ring;
    size_t ring_room;
    bool failed; /* out of memory: something is not drawn */
};

void mesh_close(struct mesh *mesh);

/* Forgets the triangles, keeps the memory. */
void mesh_clear(struct mesh *mesh);

/* A filled polygon that does not cross itself. */
void mesh_polygon(struct mesh *mesh, const struct point *points, size_t count,
                  struct colour colour);

/* A line along the points with mitred joins; ends are cut straight. */
void mesh_line(struct mesh *mesh, const struct point *points, size_t count, bool closed,
               float width, struct colour colour);

/* Strokes the same lines in dashes. */
void mesh_dashes(struct mesh *mesh, const struct point *points, size_t count, bool closed,
                 float width, float dash, float gap, struct colour colour);

/* Ground and outline of a rectangle. */
void mesh_rect(struct mesh *mesh, const struct shape_rect *shape, const struct paint *paint,
               float scale);

/* A piece of the texture over whole pixels. */
void mesh_quad(struct mesh *mesh, struct shape_box box, struct rect texture, struct colour colour);

/* points · scale, kept in the mesh until the next call; neighbours in one place are dropped. */
const struct point *mesh_scale(struct mesh *mesh, const struct point *points, size_t *count,
                               bool closed, float scale);

#endif

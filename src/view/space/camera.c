/* A camera turned, moved and zoomed, and points seen through it. */
#include "view/space/camera.h"

#include <cglm/cglm.h>
#include <math.h>

/* The distance of the eye in radii of the ball, so far that sizes stay comparable. */
static const float EYE = 5;
static const float DEGREES_PER_POINT = 0.45f;
static const float ELEVATION_MAX = 89;
static const float ZOOM_MIN = 0.3f, ZOOM_MAX = 12;
static const float PAN_MAX = 4000;

struct view_camera view_camera_home(void)
{
    return (struct view_camera){.azimuth = 38, .elevation = 20, .zoom = 1};
}

static float clamp_value(float value, float low, float high)
{
    return isfinite(value) ? fminf(fmaxf(value, low), high) : low;
}

/* A camera from any source, brought within its limits. */
static struct view_camera limited_camera(struct view_camera camera)
{
    const float turn = isfinite(camera.azimuth) ? fmodf(camera.azimuth, 360) : 0;
    return (struct view_camera){
        .azimuth = turn < 0 ? turn + 360 : turn,
        .elevation = clamp_value(camera.elevation, -ELEVATION_MAX, ELEVATION_MAX),
        .zoom = camera.zoom > 0 ? clamp_value(camera.zoom, ZOOM_MIN, ZOOM_MAX) : 1,
        .pan_x = isfinite(camera.pan_x) ? clamp_value(camera.pan_x, -PAN_MAX, PAN_MAX) : 0,
        .pan_y = isfinite(camera.pan_y) ? clamp_value(camera.pan_y, -PAN_MAX, PAN_MAX) : 0,
    };
}

static size_t farthest_point(const float (*points)[3], size_t count, const float from[3],
                             float *distance)
{
    size_t found = 0;
    *distance = 0;
    for (size_t i = 0; i < count; i++) {
        const float away = glm_vec3_distance((float *)points[i], (float *)from);
        if (away > *distance) {
            *distance = away;
            found = i;
        }
    }
    return found;
}

struct view_ball view_ball_around(const float (*points)[3], size_t count)
{
    enum { STEPS = 96 };
    struct view_ball ball = {.radius = 1};
    if (count == 0) {
        return ball;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            ball.middle[axis] += points[i][axis] / (float)count;
        }
    }
    float away;
    for (size_t step = 0; step < STEPS; step++) {
        const size_t far = farthest_point(points, count, ball.middle, &away);
        const float part = 1 / (float)(step + 2);
        for (size_t axis = 0; axis < 3; axis++) {
            ball.middle[axis] += (points[far][axis] - ball.middle[axis]) * part;
        }
    }
    farthest_point(points, count, ball.middle, &away);
    ball.radius = fmaxf(away, 1e-6f);
    return ball;
}

/* The range that points cover at scale 1, from the ball's middle. */
struct sweep {
    float left, right, low, high;
};

static const struct sweep NOWHERE = {INFINITY, -INFINITY, INFINITY, -INFINITY};

/* The rotation by azimuth and elevation, in radians, about the ball's middle. */
static void make_rotation(mat4 turn, const struct view_ball *ball, float azimuth, float elevation)
{
    glm_mat4_identity(turn);
    glm_rotate_x(turn, elevation, turn);
    glm_rotate_y(turn, azimuth, turn);
    glm_translate(turn, (vec3){-ball->middle[0], -ball->middle[1], -ball->middle[2]});
}

/* Projects a rotated point at scale 1; returns its magnification. */
static float project_turned(const vec3 seen, float radius, float *x, float *y)
{
    const float larger = EYE / (EYE - clamp_value(seen[2] / radius, -EYE, EYE * 0.8f));
    *x = seen[0] * larger;
    *y = seen[1] * larger;
    return larger;
}

static void extend_sweep(const struct view_shown *shown, mat4 turn, struct sweep *sweep)
{
    for (size_t i = 0; i < shown->count; i++) {
        vec3 seen;
        float x, y;
        glm_mat4_mulv3(turn, (float *)shown->points[i], 1, seen);
        project_turned(seen, shown->ball.radius, &x, &y);
        sweep->left = fminf(sweep->left, x);
        sweep->right = fmaxf(sweep->right, x);
        sweep->low = fminf(sweep->low, y);
        sweep->high = fmaxf(sweep->high, y);
    }
}

/* The range covered now and after a small turn to both sides: during a turn the scene grows and
 * shrinks slowly, and never leaves its area. */
static struct sweep find_sweep(const struct view_shown *shown, float azimuth, float elevation)
{
    static const float sides[] = {0, -16, -8, 8, 16};
    struct sweep sweep = NOWHERE;
    mat4 turn;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        make_rotation(turn, &shown->ball, azimuth + glm_rad(sides[i]), elevation);
        extend_sweep(shown, turn, &sweep);
    }
    return shown->count > 0 ? sweep : (struct sweep){0};
}

/* Half of a length without the margins for labels. */
static float half_room(float length, float margin)
{
    return fmaxf(fmaxf(length / 2 - margin, length / 4), 0.5f);
}

struct view_lens view_lens_make(const struct view_camera *camera, const struct view_shown *shown,
                                struct rect area)
{
    const float margin_side = shown->large ? 52 : 34, margin_top = shown->large ? 32 : 18;
    const struct view_camera from = limited_camera(*camera);
    const struct view_camera home = view_camera_home();
    const struct view_ball *ball = &shown->ball;
    const float azimuth = glm_rad(from.azimuth - (shown->flat ? home.azimuth : 0));
    const float elevation = glm_rad(from.elevation - (shown->flat ? home.elevation : 0));
    mat4 turn;
    make_rotation(turn, ball, azimuth, elevation);
    const struct sweep sweep = find_sweep(shown, azimuth, elevation);
    const float wide = (sweep.right - sweep.left) / 2, tall = (sweep.high - sweep.low) / 2;
    const float extent_min = ball->radius * 0.05f;
    const float fit = fminf(half_room(area.w, margin_side) / fmaxf(wide, extent_min),
                            half_room(area.h, margin_top) / fmaxf(tall, extent_min));
    const float scale = from.zoom * fit;
    struct view_lens lens = {
        .radius = ball->radius,
        .scale = scale,
        .x = area.x + area.w / 2 + from.pan_x - (sweep.left + sweep.right) / 2 * scale,
        .y = area.y + area.h / 2 + from.pan_y + (sweep.high + sweep.low) / 2 * scale,
    };
    for (size_t column = 0; column < 4; column++) {
        for (size_t row = 0; row < 4; row++) {
            lens.matrix[4 * column + row] = turn[column][row];
        }
    }
    return lens;
}

struct view_spot view_lens_see(const struct view_lens *lens, const float point[3])
{
    mat4 turn;
    for (size_t column = 0; column < 4; column++) {
        for (size_t row = 0; row < 4; row++) {
            turn[column][row] = lens->matrix[4 * column + row];
        }
    }
    vec3 seen;
    glm_mat4_mulv3(turn, (float *)point, 1, seen);
    float x, y;
    const float larger = project_turned(seen, lens->radius, &x, &y);
    return (struct view_spot){
        .x = lens->x + x * lens->scale,
        .y = lens->y - y * lens->scale,
        .near = clamp_value(seen[2] / lens->radius, -1, 1),
        .scale = larger,
    };
}

/* Finds how the projection moves with every coordinate, by differences. */
static void find_slopes(const struct view_lens *lens, const float at[3], const bool may[3],
                        float slope[2][3])
{
    const float step = lens->radius * 1e-2f;
    for (size_t axis = 0; axis < 3; axis++) {
        float ahead[3] = {at[0], at[1], at[2]}, behind[3] = {at[0], at[1], at[2]};
        ahead[axis] += step;
        behind[axis] -= step;
        const struct view_spot a = view_lens_see(lens, ahead), b = view_lens_see(lens, behind);
        slope[0][axis] = may[axis] ? (a.x - b.x) / (2 * step) : 0;
        slope[1][axis] = may[axis] ? (a.y - b.y) / (2 * step) : 0;
    }
}

/* Takes steps of least squares, damped where an axis points at the eye (Levenberg 1944): d = Jᵀ(JJᵀ
 * + λ)⁻¹ times the remaining distance. */
void view_lens_follow(const struct view_lens *lens, const float start[3], const bool may[3],
                      float dx, float dy, float at[3])
{
    enum { STEPS = 6 };
    const struct view_spot from = view_lens_see(lens, start);
    const float damping = 1e-3f * lens->scale * lens->scale;
    const float distance_max = 20 * lens->radius;
    glm_vec3_copy((float *)start, at);
    for (size_t step = 0; step < STEPS; step++) {
        float slope[2][3];
        find_slopes(lens, at, may, slope);
        const struct view_spot now = view_lens_see(lens, at);
        const float x = from.x + dx - now.x, y = from.y + dy - now.y;
        const float a = glm_vec3_dot(slope[0], slope[0]) + damping;
        const float b = glm_vec3_dot(slope[0], slope[1]);
        const float c = glm_vec3_dot(slope[1], slope[1]) + damping;
        const float whole = a * c - b * b;
        if (!(whole > 0)) {
            return;
        }
        const float along_x = (c * x - b * y) / whole, along_y = (a * y - b * x) / whole;
        for (size_t axis = 0; axis < 3; axis++) {
            const float far = along_x * slope[0][axis] + along_y * slope[1][axis];
            at[axis] =
                clamp_value(at[axis] + far, start[axis] - distance_max, start[axis] + distance_max);
        }
    }
}

struct view_camera view_camera_turned(struct view_camera camera, float dx, float dy)
{
    camera.azimuth += dx * DEGREES_PER_POINT;
    camera.elevation += dy * DEGREES_PER_POINT;
    return limited_camera(camera);
}

struct view_camera view_camera_moved(struct view_camera camera, float dx, float dy)
{
    camera.pan_x += dx;
    camera.pan_y += dy;
    return limited_camera(camera);
}

struct view_camera view_camera_zoomed(struct view_camera camera, float notches, float x, float y)
{
    const float before = limited_camera(camera).zoom;
    camera.zoom = before * expf(0.12f * clamp_value(notches, -20, 20));
    camera = limited_camera(camera);
    const float grown = camera.zoom / before;
    camera.pan_x = x + (camera.pan_x - x) * grown;
    camera.pan_y = y + (camera.pan_y - y) * grown;
    return limited_camera(camera);
}

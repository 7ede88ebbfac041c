/* A camera turned, moved and zoomed, and points seen through it. */
#include "view/space/camera.h"

#include <cglm/cglm.h>
#include <math.h>

/* The eye's distance in radii of the ball: far enough that sizes stay comparable. */
static const float EYE = 5;
static const float DEGREES_PER_POINT = 0.45f;
static const float ELEVATION_MOST = 89;
static const float ZOOM_LEAST = 0.3f, ZOOM_MOST = 12;
static const float PAN_MOST = 4000;

struct view_camera view_camera_home(void)
{
    return (struct view_camera){.azimuth = 38, .elevation = 20, .zoom = 1};
}

static float within(float value, float low, float high)
{
    return isfinite(value) ? fminf(fmaxf(value, low), high) : low;
}

/* A camera that may come from anywhere, within its limits. */
static struct view_camera sane(struct view_camera camera)
{
    const float turn = isfinite(camera.azimuth) ? fmodf(camera.azimuth, 360) : 0;
    return (struct view_camera){
        .azimuth = turn < 0 ? turn + 360 : turn,
        .elevation = within(camera.elevation, -ELEVATION_MOST, ELEVATION_MOST),
        .zoom = camera.zoom > 0 ? within(camera.zoom, ZOOM_LEAST, ZOOM_MOST) : 1,
        .pan_x = isfinite(camera.pan_x) ? within(camera.pan_x, -PAN_MOST, PAN_MOST) : 0,
        .pan_y = isfinite(camera.pan_y) ? within(camera.pan_y, -PAN_MOST, PAN_MOST) : 0,
    };
}

static size_t farthest(const float (*points)[3], size_t count, const float from[3], float *distance)
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
        const size_t far = farthest(points, count, ball.middle, &away);
        const float part = 1 / (float)(step + 2);
        for (size_t axis = 0; axis < 3; axis++) {
            ball.middle[axis] += (points[far][axis] - ball.middle[axis]) * part;
        }
    }
    farthest(points, count, ball.middle, &away);
    ball.radius = fmaxf(away, 1e-6f);
    return ball;
}

/* What points cover on screen at scale 1, from the ball's middle. */
struct sweep {
    float left, right, low, high;
};

static const struct sweep NOWHERE = {INFINITY, -INFINITY, INFINITY, -INFINITY};

/* As turned by `azimuth` and `elevation`, in radians. */
static void turn_to(mat4 turn, const struct view_ball *ball, float azimuth, float elevation)
{
    glm_mat4_identity(turn);
    glm_rotate_x(turn, elevation, turn);
    glm_rotate_y(turn, azimuth, turn);
    glm_translate(turn, (vec3){-ball->middle[0], -ball->middle[1], -ball->middle[2]});
}

/* Where a turned point is seen, at scale 1; returns how much larger than in the middle. */
static float flatten(const vec3 seen, float radius, float *x, float *y)
{
    const float larger = EYE / (EYE - within(seen[2] / radius, -EYE, EYE * 0.8f));
    *x = seen[0] * larger;
    *y = seen[1] * larger;
    return larger;
}

static void cover(const struct view_shown *shown, mat4 turn, struct sweep *sweep)
{
    for (size_t i = 0; i < shown->count; i++) {
        vec3 seen;
        float x, y;
        glm_mat4_mulv3(turn, (float *)shown->points[i], 1, seen);
        flatten(seen, shown->ball.radius, &x, &y);
        sweep->left = fminf(sweep->left, x);
        sweep->right = fmaxf(sweep->right, x);
        sweep->low = fminf(sweep->low, y);
        sweep->high = fmaxf(sweep->high, y);
    }
}

/* What is covered now and a little turned to both sides: while somebody turns, the scene grows and
 * shrinks slowly, and never leaves its area. */
static struct sweep sweep_of(const struct view_shown *shown, float azimuth, float elevation)
{
    static const float sides[] = {0, -16, -8, 8, 16};
    struct sweep sweep = NOWHERE;
    mat4 turn;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        turn_to(turn, &shown->ball, azimuth + glm_rad(sides[i]), elevation);
        cover(shown, turn, &sweep);
    }
    return shown->count > 0 ? sweep : (struct sweep){0};
}

/* Half of what is left of a length when words have their margin. */
static float room_of(float length, float margin)
{
    return fmaxf(fmaxf(length / 2 - margin, length / 4), 0.5f);
}

struct view_lens view_lens_make(const struct view_camera *camera, const struct view_shown *shown,
                                struct rect area)
{
    const float margin_side = shown->large ? 52 : 34, margin_top = shown->large ? 32 : 18;
    const struct view_camera from = sane(*camera);
    const struct view_camera home = view_camera_home();
    const struct view_ball *ball = &shown->ball;
    const float azimuth = glm_rad(from.azimuth - (shown->flat ? home.azimuth : 0));
    const float elevation = glm_rad(from.elevation - (shown->flat ? home.elevation : 0));
    mat4 turn;
    turn_to(turn, ball, azimuth, elevation);
    const struct sweep sweep = sweep_of(shown, azimuth, elevation);
    const float wide = (sweep.right - sweep.left) / 2, tall = (sweep.high - sweep.low) / 2;
    const float least = ball->radius * 0.05f;
    const float fit = fminf(room_of(area.w, margin_side) / fmaxf(wide, least),
                            room_of(area.h, margin_top) / fmaxf(tall, least));
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
    const float larger = flatten(seen, lens->radius, &x, &y);
    return (struct view_spot){
        .x = lens->x + x * lens->scale,
        .y = lens->y - y * lens->scale,
        .near = within(seen[2] / lens->radius, -1, 1),
        .scale = larger,
    };
}

/* How the spot moves with every coordinate, by differences. */
static void slopes_of(const struct view_lens *lens, const float at[3], const bool may[3],
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

/* Steps of least squares, damped where an axis points at the eye (Levenberg 1944): d = Jᵀ(JJᵀ +
 * λ)⁻¹ times what is missing. */
void view_lens_follow(const struct view_lens *lens, const float start[3], const bool may[3],
                      float dx, float dy, float at[3])
{
    enum { STEPS = 6 };
    const struct view_spot from = view_lens_see(lens, start);
    const float damping = 1e-3f * lens->scale * lens->scale;
    const float most = 20 * lens->radius;
    glm_vec3_copy((float *)start, at);
    for (size_t step = 0; step < STEPS; step++) {
        float slope[2][3];
        slopes_of(lens, at, may, slope);
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
            at[axis] = within(at[axis] + far, start[axis] - most, start[axis] + most);
        }
    }
}

struct view_camera view_camera_turned(struct view_camera camera, float dx, float dy)
{
    camera.azimuth += dx * DEGREES_PER_POINT;
    camera.elevation += dy * DEGREES_PER_POINT;
    return sane(camera);
}

struct view_camera view_camera_moved(struct view_camera camera, float dx, float dy)
{
    camera.pan_x += dx;
    camera.pan_y += dy;
    return sane(camera);
}

struct view_camera view_camera_zoomed(struct view_camera camera, float notches, float x, float y)
{
    const float before = sane(camera).zoom;
    camera.zoom = before * expf(0.12f * within(notches, -20, 20));
    camera = sane(camera);
    const float grown = camera.zoom / before;
    camera.pan_x = x + (camera.pan_x - x) * grown;
    camera.pan_y = y + (camera.pan_y - y) * grown;
    return sane(camera);
}

#include "view/camera.h"

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

/* What points cover on screen at scale 1 while the camera turns once about the upright axis: the
 * largest distance from the middle to the side, and the lowest and highest they come.
 *
 * A point that is `out` from the axis and `up` on it stands, turned by t and seen from EYE radii
 * (E), at x = out·sin t · E/(E − z) and y = (up·cos e − out·cos t·sin e) · E/(E − z), with e the
 * elevation and z = up·sin e + out·cos t·cos e. x is largest where cos t = out·cos e / (E − up·sin
 * e); y is monotone in cos t. */
struct sweep {
    float side, low, high;
};

static struct sweep sweep_of(const struct view_shown *shown, float elevation)
{
    const struct view_ball *ball = &shown->ball;
    const float eye = EYE * ball->radius;
    const float up_share = sinf(elevation), out_share = cosf(elevation);
    struct sweep sweep = {0};
    for (size_t i = 0; i < shown->count; i++) {
        const float *at = shown->points[i];
        const float out = hypotf(at[0] - ball->middle[0], at[2] - ball->middle[2]);
        const float up = at[1] - ball->middle[1];
        const float away = eye - up * up_share, deep = out * out_share;
        sweep.side = fmaxf(sweep.side, out * eye / sqrtf(away * away - deep * deep));
        for (float turned = -1; turned <= 1; turned += 2) {
            const float y =
                (up * out_share - out * turned * up_share) * eye / (away - deep * turned);
            sweep.low = fminf(sweep.low, y);
            sweep.high = fmaxf(sweep.high, y);
        }
    }
    return sweep;
}

/* Half of what is left of a length when words have their margin. */
static float room_of(float length, float margin)
{
    return fmaxf(fmaxf(length / 2 - margin, length / 4), 0.5f);
}

struct view_lens view_lens_make(const struct view_camera *camera, const struct view_shown *shown,
                                struct rect area)
{
    const float margin_side = 34, margin_top = 18;
    const struct view_camera from = sane(*camera);
    const struct view_camera home = view_camera_home();
    const struct view_ball *ball = &shown->ball;
    const float azimuth = glm_rad(from.azimuth - (shown->flat ? home.azimuth : 0));
    const float elevation = glm_rad(from.elevation - (shown->flat ? home.elevation : 0));
    mat4 turn;
    glm_mat4_identity(turn);
    glm_rotate_x(turn, elevation, turn);
    glm_rotate_y(turn, azimuth, turn);
    glm_translate(turn, (vec3){-ball->middle[0], -ball->middle[1], -ball->middle[2]});
    const struct sweep sweep = sweep_of(shown, elevation);
    const float tall = (sweep.high - sweep.low) / 2;
    const float least = ball->radius * 0.05f;
    const float fit = fminf(room_of(area.w, margin_side) / fmaxf(sweep.side, least),
                            room_of(area.h, margin_top) / fmaxf(tall, least));
    struct view_lens lens = {
        .radius = ball->radius,
        .scale = from.zoom * fit,
        .x = area.x + area.w / 2 + from.pan_x,
        .y = area.y + area.h / 2 + from.pan_y + (sweep.high + sweep.low) / 2 * fit * from.zoom,
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
    const float near = within(seen[2] / lens->radius, -EYE, EYE * 0.8f);
    const float larger = EYE / (EYE - near);
    return (struct view_spot){
        .x = lens->x + seen[0] * lens->scale * larger,
        .y = lens->y - seen[1] * lens->scale * larger,
        .near = within(near, -1, 1),
        .scale = larger,
    };
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

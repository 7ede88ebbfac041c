/* The initial angle of a scene: home, or as near to it as shows the labelled points apart. */
#include <math.h>
#include <string.h>

#include "view/space/space.h"

enum { PLACES_MAX = 24 };

static const float APART = 24;  /* distance at which two points can be told apart */
static const float TURNED = 60; /* limit of the distance from home, in degrees */
static const float TURN = 6;    /* between two angles that are tried, in degrees */
static const float BETTER = 1.15f;

/* The final places of the stage's points: the angle does not depend on the position of playback. */
struct places {
    float at[PLACES_MAX][3];
    size_t count;
};

static void add_place(struct space *space, enum lab_part part, size_t row, struct places *places)
{
    const struct lab_matrix matrix =
        lab_trace_part(space->view->trace, part, space->view->selection.head);
    if (matrix.values == NULL || row >= matrix.rows || places->count == PLACES_MAX ||
        matrix.cols != space->frame.cols) {
        return;
    }
    float at[3];
    if (!space_place(space, matrix.values + row * matrix.stride, at)) {
        return;
    }
    for (size_t p = 0; p < places->count; p++) {
        if (memcmp(places->at[p], at, sizeof at) == 0) {
            return; /* no angle shows these two apart */
        }
    }
    memcpy(places->at[places->count++], at, sizeof at);
}

static void find_places(struct space *space, struct places *places)
{
    static const enum lab_part all[LAB_STAGES] = {[LAB_EMBED] = LAB_EMBEDDINGS_X,
                                                  [LAB_PROJECT] = LAB_K,
                                                  [LAB_SCORE] = LAB_K,
                                                  [LAB_SCALE] = LAB_K,
                                                  [LAB_SOFTMAX] = LAB_K,
                                                  [LAB_BLEND] = LAB_V,
                                                  [LAB_OUTPUT] = LAB_OUTPUT_O};
    const struct view *const view = space->view;
    const enum lab_stage stage = view->state->playback.stage;
    const enum lab_part part = stage == LAB_PROJECT ? view->selection.projected : all[stage];
    const struct lab_matrix matrix = lab_trace_part(view->trace, part, view->selection.head);
    for (size_t row = 0; matrix.rows <= PLACES_MAX && row < matrix.rows; row++) {
        add_place(space, part, row, places);
    }
    if (stage == LAB_BLEND && places->count > 0 && view->emphasis) {
        add_place(space, LAB_Z, view->selection.query, places);
    }
}

/* The smallest distance between two places as seen by a camera. */
static float smallest_distance(const struct space *space, const struct view_shown *shown,
                               const struct places *places, const struct view_camera *camera)
{
    const struct view_lens lens = view_lens_make(camera, shown, space->area);
    struct view_spot spot[PLACES_MAX];
    float smallest = INFINITY;
    for (size_t p = 0; p < places->count; p++) {
        spot[p] = view_lens_see(&lens, places->at[p]);
        for (size_t other = 0; other < p; other++) {
            smallest =
                fminf(smallest, hypotf(spot[p].x - spot[other].x, spot[p].y - spot[other].y));
        }
    }
    return smallest;
}

struct view_camera space_first_angle(struct space *space, const struct view_shown *shown)
{
    const struct view_camera home = view_camera_home();
    struct view_camera best = space->view->state->prefs.camera;
    struct places places = {.count = 0};
    if (best.azimuth != home.azimuth || best.elevation != home.elevation || shown->flat) {
        return best; /* it was turned, or is seen face on */
    }
    find_places(space, &places);
    float largest = smallest_distance(space, shown, &places, &best);
    for (float turn = TURN; largest < APART && places.count > 1 && turn <= TURNED; turn += TURN) {
        for (int side = -1; side <= 1 && largest < APART; side += 2) {
            struct view_camera tried = space->view->state->prefs.camera;
            tried.azimuth += (float)side * turn;
            const float now = smallest_distance(space, shown, &places, &tried);
            if (now > largest * BETTER) {
                largest = now;
                best = tried;
            }
        }
    }
    return best;
}

/* The angle that a scene is first seen from: home, or as near to it as keeps the labelled points
 * apart. */
#include <math.h>
#include <string.h>

#include "view/space/space.h"

enum { PLACES_MOST = 24, PARTS_MOST = 2 };

static const float APART = 24;  /* points on screen between two that are told apart */
static const float TURNED = 60; /* degrees from home, at most */
static const float TURN = 6;    /* degrees between two angles that are tried */
static const float BETTER = 1.15f;

/* Where the points of the stage come to rest: the angle does not depend on the moment. */
struct places {
    float at[PLACES_MOST][3];
    size_t count;
};

static void add_row(struct space *space, enum lab_part part, size_t row, struct places *places)
{
    const struct lab_matrix matrix =
        lab_trace_part(space->view->trace, part, space->view->selection.head);
    if (matrix.values == NULL || row >= matrix.rows || places->count == PLACES_MOST ||
        matrix.cols != space->frame.cols) {
        return;
    }
    float at[3];
    if (!space_place(space, matrix.values + row * matrix.stride, at)) {
        return;
    }
    for (size_t p = 0; p < places->count; p++) {
        if (memcmp(places->at[p], at, sizeof at) == 0) {
            return; /* no angle tells these two apart */
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
    for (size_t row = 0; matrix.rows <= PLACES_MOST && row < matrix.rows; row++) {
        add_row(space, part, row, places);
    }
    if (stage == LAB_BLEND && places->count > 0 && view->emphasis) {
        add_row(space, LAB_Z, view->selection.query, places);
    }
}

/* The smallest distance between two of them as that camera sees them. */
static float apart(const struct space *space, const struct view_shown *shown,
                   const struct places *places, const struct view_camera *camera)
{
    const struct view_lens lens = view_lens_make(camera, shown, space->area);
    struct view_spot spot[PLACES_MOST];
    float least = INFINITY;
    for (size_t p = 0; p < places->count; p++) {
        spot[p] = view_lens_see(&lens, places->at[p]);
        for (size_t other = 0; other < p; other++) {
            least = fminf(least, hypotf(spot[p].x - spot[other].x, spot[p].y - spot[other].y));
        }
    }
    return least;
}

struct view_camera space_first_angle(struct space *space, const struct view_shown *shown)
{
    const struct view_camera home = view_camera_home();
    struct view_camera best = space->view->state->prefs.camera;
    struct places places = {.count = 0};
    if (best.azimuth != home.azimuth || best.elevation != home.elevation || shown->flat) {
        return best; /* somebody turned it, or it is seen face on */
    }
    find_places(space, &places);
    float most = apart(space, shown, &places, &best);
    for (float turn = TURN; most < APART && places.count > 1 && turn <= TURNED; turn += TURN) {
        for (int side = -1; side <= 1 && most < APART; side += 2) {
            struct view_camera tried = space->view->state->prefs.camera;
            tried.azimuth += (float)side * turn;
            const float now = apart(space, shown, &places, &tried);
            if (now > most * BETTER) {
                most = now;
                best = tried;
            }
        }
    }
    return best;
}

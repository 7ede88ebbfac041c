/* Where words stand at a step, and the trails that led there: each keyframe of the run has a plane
 * (plane.h), turned from that of the keyframe before, and a step is seen in the plane of the last
 * keyframe up to it. The planes follow from the keyframes alone. They are kept while these are the
 * same, which those before an edit are for all branches; a few more are found in each frame.
 * Weights that are known without training have no past: they are seen in a plane of their own. */
#include "app/learn/places.h"

#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"

enum { FOUND_AT_ONCE = 4 /* planes that delay no frame */ };

void app_learn_place_words(const struct learn_snapshot *moment, struct app_learn_words_placed *out)
{
    size_t kinds = 0;
    const int32_t *const kind = learn_data_kinds(moment->data, &kinds);
    const size_t count = learn_placed_words(moment->data, out->ids);
    for (size_t w = 0; kind != NULL && w < count; w++) {
        out->kind[w] = kind[out->ids[w]];
    }
    out->placed = (struct app_learn_placed){.words = count,
                                            .width = moment->recipe->shape.d_model,
                                            .numbers = moment->recipe->task == LEARN_TASK_ADDITION,
                                            .kind = kind == NULL ? NULL : out->kind};
}

static bool is_among(const struct lab_words *tokens, const char *word)
{
    for (size_t w = 0; w < lab_words_count(tokens); w++) {
        if (strcmp(lab_words_list(tokens)[w], word) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- the planes of keyframes ---- */

static void forget_planes_from(struct app_learn *learn, size_t first)
{
    while (learn->planes > first) {
        struct learn_placed_plane *const last = &learn->plane[--learn->planes];
        learn_keyframe_release(last->keyframe);
        free(last->plane);
    }
}

void learn_forget_planes(struct app_learn *learn)
{
    forget_planes_from(learn, 0);
    free(learn->plane);
    learn->plane = NULL;
    learn->planes_room = 0;
}

static bool find_room(struct app_learn *learn)
{
    if (learn->planes < learn->planes_room) {
        return true;
    }
    const size_t room = learn->view->keyframe_count;
    struct learn_placed_plane *const grown = realloc(learn->plane, room * sizeof *grown);
    if (grown != NULL) {
        learn->plane = grown;
        learn->planes_room = room;
    }
    return grown != NULL;
}

/* The last of the first `count` that has a plane; NULL: none has. */
static const struct learn_placed_plane *plane_before(const struct app_learn *learn, size_t count)
{
    while (count > 0 && learn->plane[count - 1].plane == NULL) {
        count--;
    }
    return count > 0 ? &learn->plane[count - 1] : NULL;
}

/* Keeps the planes of the view's keyframes, and finds the next of those that are missing. */
static void follow_keyframes(struct app_learn *learn, const struct app_learn_placed *placed)
{
    const struct learn_view *const view = learn->view;
    size_t same = 0;
    while (same < learn->planes && same < view->keyframe_count &&
           learn->plane[same].keyframe == view->keyframes[same]) {
        same++;
    }
    forget_planes_from(learn, same);
    const size_t last = same + FOUND_AT_ONCE;
    while (learn->planes < view->keyframe_count && learn->planes < last && find_room(learn)) {
        const struct learn_placed_plane *const former = plane_before(learn, learn->planes);
        const struct learn_keyframe *const keyframe = view->keyframes[learn->planes];
        struct app_learn_plane *const plane =
            app_learn_plane_find(placed, keyframe->rows, former == NULL ? NULL : former->plane,
                                 former == NULL ? NULL : former->keyframe->rows);
        learn->plane[learn->planes++] =
            (struct learn_placed_plane){learn_keyframe_keep(keyframe), plane};
    }
}

bool learn_has_past(const struct app_learn *learn)
{
    const struct learn_view *const view = learn->view;
    size_t k = view->keyframe_count;
    while (k > 0 && view->keyframes[k - 1]->step > view->moment->step) {
        k--;
    }
    return k > 0 && learn_next_keyframe(view->keyframes[k - 1]->step) > view->moment->step;
}

/* Without memory for more planes than there are, none is waited for. */
bool learn_places_lag(const struct app_learn *learn)
{
    return learn->planes < learn->view->keyframe_count && learn->planes < learn->planes_room;
}

/* ---- told ---- */

/* The plane of the last keyframe up to a step that has one; NULL: none has. */
static const struct app_learn_plane *plane_at(const struct app_learn *learn, uint64_t step)
{
    size_t p = learn->planes;
    while (p > 1 && learn->plane[p - 1].keyframe->step > step) {
        p--;
    }
    const struct learn_placed_plane *const found = plane_before(learn, p);
    return found == NULL ? NULL : found->plane;
}

void learn_tell_places(struct app_learn *learn)
{
    struct view_learn *const shown = &learn->shown;
    const struct learn_view *const view = learn->view;
    const struct learn_snapshot *const moment = view->moment;
    const size_t width = moment->recipe->shape.d_model;
    struct app_learn_words_placed words;
    app_learn_place_words(moment, &words);
    follow_keyframes(learn, &words.placed);
    const size_t count = words.placed.words;
    const bool has_past = learn_has_past(learn);
    size_t trail = 0;
    while (has_past && trail < view->keyframe_count &&
           view->keyframes[trail]->step < moment->step) {
        trail++;
    }
    float *const rows = arena_array(&learn->texts, count * width + 1, sizeof *rows);
    struct point *const place = arena_array(&learn->texts, count * (trail + 1) + 1, sizeof *place);
    struct view_learn_word *const word = arena_array(&learn->texts, count + 1, sizeof *word);
    shown->words = 0;
    if (rows == NULL || place == NULL || word == NULL) {
        return;
    }
    learn_placed_rows(moment, words.ids, count, rows);
    struct app_learn_plane *const own =
        has_past ? NULL : app_learn_plane_find(&words.placed, rows, NULL, NULL);
    const struct app_learn_plane *const plane = has_past ? plane_at(learn, moment->step) : own;
    if (plane == NULL) {
        return;
    }
    for (size_t w = 0; w < count; w++) {
        struct point *const way = place + w * (trail + 1);
        for (size_t k = 0; k < trail; k++) {
            way[k] = app_learn_plane_place(plane, view->keyframes[k]->rows + w * width);
        }
        way[trail] = app_learn_plane_place(plane, rows + w * width);
        const char *const text = learn_words_shown(learn)[words.ids[w]];
        word[w] = (struct view_learn_word){
            .word = arena_text(&learn->texts, text, strlen(text)),
            .kind = words.placed.kind == NULL ? 0 : (size_t)words.kind[w] + 1,
            .place = way,
            .trail = trail + 1,
            .is_here = is_among(learn->tokens, text)};
    }
    shown->word = word;
    shown->words = count;
    shown->frequency = app_learn_plane_frequency(plane);
    shown->at_angle = app_learn_plane_at_angle(plane);
    free(own);
}

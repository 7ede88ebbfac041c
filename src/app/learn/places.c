/* Where words stand through all steps of each branch of a run: the trails of the plane of
 * embeddings (plane.c), as the view is told them. */
#include "app/learn/places.h"

#include <string.h>

#include "app/learn/learn_internal.h"
#include "base/random.h"

enum { TRAIL_MAX = 200 };

size_t app_learn_placed_words(const struct learn_data *data, int32_t ids[APP_LEARN_PLACED_MAX])
{
    size_t kinds = 0, count = 0;
    const int32_t *const kind = learn_data_kinds(data, &kinds);
    for (size_t id = 0; id < learn_data_vocabulary(data) && count < APP_LEARN_PLACED_MAX; id++) {
        const bool is_number = learn_data_request_of(data)->task != LEARN_TASK_ADDITION ||
                               id + 1 < learn_data_vocabulary(data); /* behind them stands "=" */
        if (is_number && (kind == NULL || kind[id] >= 0)) {
            ids[count++] = (int32_t)id;
        }
    }
    return count;
}

struct app_learn_plane *app_learn_placed_plane(const struct learn_snapshot *moment,
                                               const int32_t *ids, size_t count)
{
    size_t kinds = 0;
    int32_t placed[APP_LEARN_PLACED_MAX];
    const int32_t *const kind = learn_data_kinds(moment->data, &kinds);
    const struct learn_recipe *const recipe = moment->recipe;
    for (size_t w = 0; kind != NULL && w < count; w++) {
        placed[w] = kind[ids[w]];
    }
    return app_learn_plane_open(count, recipe->shape.d_model, recipe->task == LEARN_TASK_ADDITION,
                                kind == NULL ? NULL : placed);
}

void app_learn_placed_rows(const struct learn_snapshot *moment, const int32_t *ids, size_t count,
                           float *rows)
{
    const size_t width = moment->recipe->shape.d_model;
    const struct learn_tensor *const wte = learn_tensors_find(moment->tensors, LEARN_WTE, 0);
    for (size_t w = 0; w < count; w++) {
        memcpy(rows + w * width, moment->weights + wte->offset + (size_t)ids[w] * width,
               width * sizeof *rows);
    }
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

/* ---- a plane for each branch ---- */

/* Returns what a branch is known by: its first edits. */
static uint64_t mark_of(const struct learn_edit *edits, size_t count)
{
    uint64_t mark = 0;
    for (size_t e = 0; e < count; e++) {
        const struct learn_edit *const edit = &edits[e];
        uint32_t value = 0;
        memcpy(&value, &edit->value, sizeof value);
        const uint64_t parts[] = {
            mark,
            (uint64_t)edit->kind,
            edit->step,
            edit->tensor,
            edit->row,
            edit->col,
            edit->layer,
            edit->head,
            value,
            edit->seed,
            edit->kind == LEARN_EDIT_TEXT ? random_hash(edit->text.at, edit->text.size) : 0};
        mark = random_hash(parts, sizeof parts);
    }
    return mark;
}

static struct learn_branch_plane *find_plane(struct app_learn *learn, size_t edits, uint64_t mark)
{
    for (size_t p = 0; p < APP_LEARN_PLANES; p++) {
        struct learn_branch_plane *const one = &learn->planes[p];
        if (one->plane != NULL && one->edits == edits && one->mark == mark) {
            return one;
        }
    }
    return NULL;
}

/* The one that was shown last, or the one that has not been shown for longest; a free place first
 * where `oldest`. */
static struct learn_branch_plane *shown_plane(struct app_learn *learn, bool oldest)
{
    struct learn_branch_plane *found = &learn->planes[0];
    for (size_t p = 1; p < APP_LEARN_PLANES; p++) {
        const bool later = learn->planes[p].shown > found->shown;
        found =
            later != oldest && learn->planes[p].shown != found->shown ? &learn->planes[p] : found;
    }
    return found;
}

/* A branch begins in the plane of the one it leaves, so that nothing turns there. */
static struct app_learn_plane *branch_off(struct app_learn *learn)
{
    const struct learn_view *const view = learn->view;
    for (size_t e = view->edit_count; e-- > 0;) {
        const struct learn_branch_plane *const parent =
            find_plane(learn, e, mark_of(view->edits, e));
        if (parent != NULL) {
            return app_learn_plane_branch(parent->plane, view->edits[e].step);
        }
    }
    const struct learn_branch_plane *const last = shown_plane(learn, false);
    return last->plane == NULL ? NULL : app_learn_plane_branch(last->plane, 0);
}

/* That of the branch that is shown; NULL: no memory. */
static struct app_learn_plane *plane_of(struct app_learn *learn, const int32_t *ids, size_t count)
{
    const struct learn_view *const view = learn->view;
    const uint64_t mark = mark_of(view->edits, view->edit_count);
    const uint64_t now = shown_plane(learn, false)->shown + 1;
    struct learn_branch_plane *place = find_plane(learn, view->edit_count, mark);
    if (place == NULL) {
        struct app_learn_plane *plane = branch_off(learn);
        if (plane == NULL) {
            plane = app_learn_placed_plane(view->moment, ids, count);
        }
        place = shown_plane(learn, true);
        app_learn_plane_close(place->plane);
        *place = (struct learn_branch_plane){plane, view->edit_count, mark, 0};
    }
    place->shown = now;
    return place->plane;
}

void learn_forget_planes(struct app_learn *learn)
{
    for (size_t p = 0; p < APP_LEARN_PLANES; p++) {
        app_learn_plane_close(learn->planes[p].plane);
        learn->planes[p] = (struct learn_branch_plane){0};
    }
}

/* ---- told ---- */

void learn_tell_places(struct app_learn *learn)
{
    struct view_learn *const shown = &learn->shown;
    const struct learn_snapshot *const moment = learn->view->moment;
    const struct learn_data *const data = moment->data;
    const size_t width = moment->recipe->shape.d_model;
    int32_t ids[APP_LEARN_PLACED_MAX];
    const size_t count = app_learn_placed_words(data, ids);
    float *const rows = arena_array(&learn->texts, count * width + 1, sizeof *rows);
    struct point *const place = arena_array(&learn->texts, count * TRAIL_MAX + 1, sizeof *place);
    struct view_learn_word *const word = arena_array(&learn->texts, count + 1, sizeof *word);
    shown->words = 0;
    size_t trail = 0, kinds = 0;
    const int32_t *const kind = learn_data_kinds(data, &kinds);
    struct app_learn_plane *const plane = plane_of(learn, ids, count);
    if (plane == NULL || rows == NULL || place == NULL || word == NULL) {
        return;
    }
    app_learn_placed_rows(moment, ids, count, rows);
    app_learn_plane_add(plane, moment->step, rows);
    app_learn_plane_ways(plane, moment->step, rows, place, TRAIL_MAX, &trail);
    for (size_t w = 0; w < count; w++) {
        const char *const text = learn_words_shown(learn)[ids[w]];
        word[w] = (struct view_learn_word){.word = arena_text(&learn->texts, text, strlen(text)),
                                           .kind = kind == NULL ? 0 : (size_t)kind[ids[w]] + 1,
                                           .place = place + w * TRAIL_MAX,
                                           .trail = trail,
                                           .is_here = is_among(learn->tokens, text)};
    }
    shown->word = word;
    shown->words = count;
    shown->frequency = app_learn_plane_frequency(plane);
    shown->at_angle = app_learn_plane_at_angle(plane);
}

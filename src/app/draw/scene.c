/* The view state kept inside what there is to see, and its colours; a scene as a step that is
 * saved. */
#include "app/draw/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/parts/learn.h"
#include "view/parts/playback.h"
#include "view/parts/why.h"

/* Writes the name of a map that files may name; nothing else is written. names: those, by their
 * places. */
static void keep_map(char out[16], const struct colourmap *map, const char *(*names)(size_t index))
{
    for (size_t m = 0; map != NULL && names(m) != NULL; m++) {
        if (strcmp(names(m), map->name) == 0) {
            snprintf(out, sizeof(((struct lab_view_prefs *)NULL)->map), "%s", map->name);
        }
    }
}

/* The map that belongs to a theme. */
static const struct colourmap *map_of(const struct ui_theme *theme, enum colourmap_kind kind)
{
    return theme->grey ? colourmap_find(kind == COLOURMAP_SIGNED ? "ash" : "grey")
                       : colourmap_default(kind, theme->dark);
}

static void keep_word(char out[48], const struct view_why_word *word)
{
    (void)snprintf(out, sizeof(((struct lab_view_prefs *)NULL)->word), "%s",
                   word->word == NULL ? "" : word->word);
}

/* Where a step shows why a word is said, it asks about the words that it names; of another step
 * nothing is named. */
static void take_why(struct view_state *view, const struct lab_step *step)
{
    const struct lab_view_prefs none = {.why = false};
    const struct lab_view_prefs *const given = step->has_view_prefs ? &step->view_prefs : &none;
    view->why_shown = given->why;
    (void)snprintf(view->why_named[0], sizeof view->why_named[0], "%s", given->word);
    (void)snprintf(view->why_named[1], sizeof view->why_named[1], "%s", given->rival);
    (void)snprintf(view->why_changed, sizeof view->why_changed, "%s", given->changed);
    if (view->why_shown) {
        view->why_word = view->why_rival = 0;
        view->why_part = view->why_cell = view->why_patch_cell = 0;
        view->why_page = given->patched > 0 ? VIEW_WHY_TEXTS : VIEW_WHY_ANSWER;
        view->why_patched = given->patched > 0 ? given->patched - 1 : view->why_patched;
    }
}

/* Keeps what is seen beside the experiment. The colours of numbers of either sign follow the theme,
 * so they are kept where a person chose others. */
static void keep_view_prefs(const struct app_scene *scene, struct lab_step *step)
{
    const struct view_state *const view = scene->view;
    step->has_view_prefs = true;
    step->view_prefs =
        (struct lab_view_prefs){.to_largest = view->prefs.range_by_content,
                                .has_axes = view->prefs.space_raw,
                                .nothing_selected = view->let_go,
                                .all_alpha = view->prefs.whole_alpha,
                                .pan = {view->prefs.camera.pan_x, view->prefs.camera.pan_y}};
    memcpy(step->view_prefs.axes, view->prefs.space_axes, sizeof step->view_prefs.axes);
    step->view_prefs.learned = view->learn != NULL ? (size_t)view->learn->show : 0;
    step->view_prefs.behind = (size_t)view->extra_stage;
    step->view_prefs.latent = view->prefs.latent_rows;
    step->view_prefs.why = view->why_shown;
    (void)snprintf(step->view_prefs.changed, sizeof step->view_prefs.changed, "%s",
                   view->why_changed);
    step->view_prefs.patched = view->why_page == VIEW_WHY_TEXTS ? view->why_patched + 1 : 0;
    if (view->why != NULL && view->why->answer != NULL) {
        keep_word(step->view_prefs.word, &view->why->answer->word);
        keep_word(step->view_prefs.rival, &view->why->answer->rival);
    }
    keep_map(step->view_prefs.map, view->prefs.weights_map, lab_view_prefs_map);
    if (view->prefs.signed_map != map_of(scene->theme, COLOURMAP_SIGNED)) {
        keep_map(step->view_prefs.signed_map, view->prefs.signed_map, lab_view_prefs_signed_map);
    }
}

void app_view_prefs_take(struct view_state *view, const struct lab_step *step)
{
    const struct lab_view_prefs *const view_prefs = &step->view_prefs;
    view->prefs.latent_rows = step->has_view_prefs && view_prefs->latent;
    view->prefs.whole_alpha = step->has_view_prefs && view_prefs->all_alpha;
    view->scale_step = SIZE_MAX;
    take_why(view, step);
    if (!step->has_view_prefs) {
        return;
    }
    const struct colourmap *const map = colourmap_find(view_prefs->map);
    const struct colourmap *const signed_map = colourmap_find(view_prefs->signed_map);
    view->prefs.weights_map = map != NULL ? map : view->prefs.weights_map;
    view->prefs.signed_map = signed_map != NULL ? signed_map : view->prefs.signed_map;
    view->prefs.range_by_content = view_prefs->to_largest;
    view->prefs.space_raw = view_prefs->has_axes;
    memcpy(view->prefs.space_axes, view_prefs->axes, sizeof view->prefs.space_axes);
    view->let_go = view_prefs->nothing_selected;
    view->extra_stage = (enum view_extra_stage)view_prefs->behind;
    view->prefs.camera.pan_x = view_prefs->pan[0];
    view->prefs.camera.pan_y = view_prefs->pan[1];
}

static size_t clamp_index(size_t value, size_t count)
{
    return count == 0 ? 0 : value < count ? value : count - 1;
}

static void clamp_selection(struct lab_selection *selection, struct lab_sizes sizes)
{
    selection->head = clamp_index(selection->head, sizes.heads);
    selection->query = clamp_index(selection->query, sizes.n);
    selection->key = clamp_index(selection->key, sizes.m);
    if (selection->projected != LAB_K && selection->projected != LAB_V) {
        selection->projected = LAB_Q;
    }
}

/* The pinned cell comes into sight, wherever the zoom is. */
static void follow_pinned(struct view_state *view, const struct lab_sizes *sizes)
{
    struct view_zoom *const zoom = &view->zoom;
    const struct {
        size_t at, *was, count, total;
        float *first;
    } lines[] = {{view->pinned.query, &view->zoom_query, zoom->rows, sizes->n, &zoom->row},
                 {view->pinned.key, &view->zoom_key, zoom->columns, sizes->m, &zoom->column}};
    for (size_t l = 0; l < 2; l++) {
        const float at = (float)lines[l].at, half = (float)lines[l].count / 2;
        const bool outside = at < *lines[l].first || at >= *lines[l].first + 2 * half;
        if (zoom->rows > 0 && lines[l].at != *lines[l].was && outside) {
            *lines[l].first = fmaxf(0, fminf(at - half, (float)(lines[l].total - lines[l].count)));
        }
        *lines[l].was = lines[l].at;
    }
}

void app_view_clamp(struct view_state *view, const struct lab_trace *trace)
{
    if (trace == NULL) {
        view->hovered_parts = 0;
        return;
    }
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    clamp_selection(&view->pinned, sizes);
    clamp_selection(&view->hovered, sizes);
    if (view->zoom.rows > sizes.n || view->zoom.columns > sizes.m) {
        view->zoom = (struct view_zoom){0};
    }
    follow_pinned(view, &sizes);
    lab_places_clamp(&view->prefs.display.queries, sizes.n);
    lab_places_clamp(&view->prefs.display.aside, sizes.m);
    lab_display_clamp_line(&view->prefs.display, &sizes);
}

/* The place goes with its word, while that is there. */
static void follow_word(size_t *place, const char *const *from, size_t from_count,
                        const char *const *to, size_t to_count)
{
    struct lab_places one = {.count = 1, .place = {*place}};
    lab_places_follow(&one, from, from_count, to, to_count);
    *place = one.count > 0 ? one.place[0] : *place;
}

void app_view_follow(struct view_state *view, const struct lab_trace *former,
                     const struct lab_trace *trace)
{
    struct lab_display *display = &view->prefs.display;
    if (former == NULL || trace == NULL) {
        return;
    }
    const struct lab_sizes was = lab_trace_sizes(former), is = lab_trace_sizes(trace);
    const char *const *const queries = lab_trace_queries(former);
    const char *const *const keys = lab_trace_keys(former);
    lab_places_follow(&display->queries, queries, was.n, lab_trace_queries(trace), is.n);
    lab_places_follow(&display->aside, keys, was.m, lab_trace_keys(trace), is.m);
    follow_word(&view->pinned.query, queries, was.n, lab_trace_queries(trace), is.n);
    follow_word(&view->pinned.key, keys, was.m, lab_trace_keys(trace), is.m);
}

void app_view_take_theme(struct view_prefs *prefs, const struct ui_theme *former,
                         const struct ui_theme *theme)
{
    const struct colourmap **const maps[] = {
        [COLOURMAP_UNSIGNED] = &prefs->weights_map, [COLOURMAP_SIGNED] = &prefs->signed_map};
    for (enum colourmap_kind kind = 0; kind < sizeof maps / sizeof *maps; kind++) {
        if (*maps[kind] == NULL || former == NULL || *maps[kind] == map_of(former, kind)) {
            *maps[kind] = map_of(theme, kind);
        }
    }
}

/* How many channels the current stage's selected element may have. */
static size_t channels_of(const struct app_scene *scene, const struct lab_selection *selection)
{
    const struct lab_sizes sizes = lab_trace_sizes(scene->trace);
    switch (scene->view->playback.stage) {
    case LAB_PROJECT:
        if (scene->view->prefs.latent_rows && sizes.latent > 0) {
            return sizes.latent;
        }
        return selection->projected == LAB_V ? sizes.d_v : sizes.d_k;
    case LAB_BLEND:
        return sizes.d_v;
    default:
        return sizes.raw ? sizes.d_k : sizes.d_model;
    }
}

struct lab_selection app_scene_selection(const struct app_scene *scene)
{
    const struct view_state *view = scene->view;
    struct lab_selection selection = view->pinned;
    const unsigned parts = view->hovered_parts;
    selection.head = parts & VIEW_HEAD ? view->hovered.head : selection.head;
    selection.query = parts & VIEW_QUERY ? view->hovered.query : selection.query;
    selection.key = parts & VIEW_KEY ? view->hovered.key : selection.key;
    selection.channel = parts & VIEW_CHANNEL ? view->hovered.channel : selection.channel;
    selection.weight = parts & VIEW_WEIGHT ? view->hovered.weight : selection.weight;
    selection.projected = parts & VIEW_PROJECTED ? view->hovered.projected : selection.projected;
    selection.form = view->playback.playing ? LAB_EMBEDDINGS_X
                     : parts & VIEW_FORM    ? view->hovered.form
                     : parts == 0           ? selection.form
                                            : LAB_EMBEDDINGS_X;
    if (scene->trace != NULL) {
        clamp_selection(&selection, lab_trace_sizes(scene->trace));
        view_playback_cell(scene->trace, &view->playback, view->pinned.query, &selection);
        selection.channel = clamp_index(selection.channel, channels_of(scene, &selection));
    }
    return selection;
}

void app_scene_keep(const struct app_scene *scene, struct lab_step *step)
{
    const struct view_state *const view = scene->view;
    *step = (struct lab_step){.caption = "",
                              .stage = view->playback.stage,
                              .selection = view->pinned,
                              .has_camera = true,
                              .camera = {view->prefs.camera.azimuth, view->prefs.camera.elevation,
                                         view->prefs.camera.zoom},
                              .has_position = view->playback.position < 1,
                              .position = view->playback.position,
                              .has_display = true,
                              .display = view->prefs.display,
                              .experiment = *scene->pending};
    snprintf(step->theme, sizeof step->theme, "%s", scene->theme->name);
    keep_view_prefs(scene, step);
}

float app_view_zoom(const struct view_prefs *prefs, float width, float height)
{
    static const float ZOOM_MIN = 1.25f, ZOOM_MAX = 2.2f; /* by height */
    static const float HIGH = 640, WIDE = 768; /* what is drawn is no lower and no narrower */
    const float zoom = fminf(fmaxf(fminf(height / HIGH, ZOOM_MAX), ZOOM_MIN), width / WIDE);
    return prefs->presenter ? fmaxf(zoom, 1) : 1;
}

/* app/draw/scene.h — what a picture is drawn of, a file is written of, a text describes: borrowed,
 * and nothing of it is changed. Whoever wants something of it otherwise gives it a view state of
 * its own. */
#ifndef APP_DRAW_SCENE_H
#define APP_DRAW_SCENE_H

#include "lab/experiment/experiment.h"
#include "lab/lesson/lessons.h"
#include "lab/run/trace.h"
#include "ui/theme.h"
#include "view/parts/view.h"

struct app_scene {
    const struct lab_experiment *experiment;
    const struct lab_experiment *pending; /* as it will be when all is computed */
    const struct lab_trace *trace;        /* of experiment; NULL when it has none */
    const char *why;                      /* it has none; NULL: there are no words */
    const struct lab_trace *baseline;     /* kept to compare; NULL: none */
    bool compares_change;                 /* it is what was before the last change */
    const struct lab_engine *engine;      /* what computes more */
    const struct view_state *view;
    const struct ui_theme *theme;
};

/* Returns what is selected: what is pinned with what is hovered laid over it, inside what this
 * stage has. / */
struct lab_selection app_scene_selection(const struct app_scene *scene);

/* Keeps selection, hover, zoom and what is looked at together inside what the trace has (NULL:
 * there is none). */
void app_view_clamp(struct view_state *view, const struct lab_trace *trace);

/* Words were added, moved or taken away since the former trace (either may be NULL). */
void app_view_follow(struct view_state *view, const struct lab_trace *former,
                     const struct lab_trace *trace);

/* The maps that belong to a theme; the map of weights only where none was chosen for the former
 * theme (NULL: there is none). */
void app_view_take_theme(struct view_prefs *prefs, const struct ui_theme *former,
                         const struct ui_theme *theme);

/* In presenter mode everything is drawn for a smaller window than this one and made so many times
 * larger; else 1. */
float app_view_zoom(const struct view_prefs *prefs, float width, float height);

/* Keeps with a step of a lesson or a session more than the experiment: stage, selection, camera and
 * how things are looked at. */
void app_scene_keep(const struct app_scene *scene, struct lab_step *step);

/* Takes the choices of a person in the window out of a step that was saved; one that says nothing
 * of it leaves everything as it is. After the theme. */
void app_view_prefs_take(struct view_state *view, const struct lab_step *step);

#endif

/* The page for browsers: what it is a picture of, and whether it has all steps of the open lesson.
 */
#include <string.h>

#include "app/export/export_internal.h"
#include "app/learn/learn.h"
#include "app/open/open_model.h"
#include "app/why/why.h"
#include "canvas/formats/formats.h"
#include "view/parts/why.h"

const char *export_page_view(const struct app_state *state)
{
    const struct view_state *const view = &state->view;
    const char *const chosen = export_content_at(state->export->choice.content)->view;
    return strcmp(chosen, "window") != 0            ? chosen
           : view_main_of(view) != VIEW_MAIN_WHY    ? NULL
           : view->why_page == VIEW_WHY_CIRCUITS    ? (view->circuit != NULL ? "circuit" : NULL)
           : view->why_page == VIEW_WHY_TEXTS       ? (view->patch != NULL ? "patch" : NULL)
           : view->why != NULL && view->why->answer ? "why"
                                                    : NULL;
}

bool export_page(struct app_state *state, struct app_figure *page, struct error *error)
{
    if (!export_picture(state, page, error)) {
        return false;
    }
    struct app_export *const export = state->export;
    const struct ui_theme *const light = ui_theme_find("light");
    struct app_open_model_text text;
    app_view_take_theme(&export->view.prefs, export->shown.theme, light);
    export->shown.theme = light;
    arena_reset(&export->page_texts);
    *page = (struct app_figure){.scene = export->shown,
                                .view = export_page_view(state),
                                .format = render_format_find("html"),
                                .lesson = state->document.lesson};
    if (app_open_model_text(state, &text)) {
        page->changed = app_why_list_changes(&text, &export->page_texts);
    }
    return true;
}

/* Says whether each step can be shown as it is: its weights are known without training, and why a
 * model says a word is asked at the present one alone. */
static bool knows_steps(const struct app_state *state)
{
    struct app_export *const export = state->export;
    const struct lab_lesson *const lesson = state->document.lesson;
    bool knows = true;
    if (export->known_lesson != lesson) {
        export->known_lesson = lesson;
        export->known_steps = app_learn_knows_lesson(lesson) ? lesson->steps : 0;
    }
    for (size_t s = 0; s < lesson->steps; s++) {
        const struct lab_step *const step = &lesson->step[s];
        const bool asks_why = step->has_view_prefs && step->view_prefs.why;
        knows = knows && step->model.path == NULL && (!asks_why || s == state->document.step);
    }
    return knows && export->known_steps > 0;
}

size_t export_page_steps(const struct app_state *state)
{
    const struct document *const document = &state->document;
    const struct lab_lesson *const lesson = document->lesson;
    if (lesson->steps == 0) {
        return 1;
    }
    const struct lab_experiment *const own = &lesson->step[document->step].experiment;
    const bool is_own = !state->view.lesson_changed &&
                        lab_training_equal(own->learned, document_present(document)->learned);
    return is_own && knows_steps(state) ? lesson->steps : 1;
}

/* Copies the lesson with experiments of its own. False: no memory. */
static bool copy_lesson(const struct lab_lesson *from, struct arena *arena, struct lab_lesson *to)
{
    struct lab_step *const step = arena_array(arena, from->steps, sizeof *step);
    *to = *from;
    to->step = step;
    for (size_t s = 0; step != NULL && s < from->steps; s++) {
        step[s] = from->step[s];
        lab_experiment_copy(&step[s].experiment, &from->step[s].experiment);
    }
    return step != NULL;
}

bool export_print_page(struct app_state *state, struct arena *arena, struct bytes *content,
                       struct error *error)
{
    struct app_export *const export = state->export;
    struct app_figure page;
    struct lab_lesson lesson = {.steps = 0};
    if (!export_page(state, &page, error)) {
        return false;
    }
    bool done = true;
    if (export_page_steps(state) > 1) {
        done = copy_lesson(page.lesson, arena, &lesson) ||
               error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
        lesson.steps = done ? lesson.steps : 0;
        done = done && app_learn_fill_lesson(&lesson, page.scene.engine, error);
        page.lesson = &lesson;
    }
    done = done && app_figure_renderer_print(export->renderer, &page, arena, content, error);
    for (size_t s = 0; s < lesson.steps; s++) {
        lab_experiment_release(&lesson.step[s].experiment);
    }
    return done;
}

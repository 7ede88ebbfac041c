/* app/draw/page.c — what a page is made of: the steps of a lesson with their traces, or one. */
#include "app/draw/page.h"

#include <string.h>

#include "app/draw/figure_internal.h"
#include "base/translate.h"
#include "page/page.h"
#include "view/parts/head_overview.h"
#include "view/parts/learn.h"
#include "view/parts/why.h"
#include "view/sheets/worksheet.h"

static const char *const side_names[] = {"A", "B"};
static const float FIGURE_WIDTH = 668, FIGURE_HEIGHT = 640; /* points, before it is cropped */

struct app_figure app_page_figure(const struct app_figure *picture)
{
    const bool is_window = picture->view == NULL || strcmp(picture->view, "window") == 0;
    return (struct app_figure){.scene = picture->scene,
                               .view = is_window ? "stage" : picture->view,
                               .width = FIGURE_WIDTH,
                               .height = FIGURE_HEIGHT,
                               .scale = 1,
                               .format = render_format_find("svg"),
                               .ground = APP_GROUND_THEME,
                               .extent = APP_EXTENT_CONTENT,
                               .fits = true,
                               .text = RENDER_BROWSED,
                               .describes = true};
}

/* The steps of a page, and the traces that were made for it. */
struct steps {
    struct page_step *step;
    size_t count, start;
};

static void release_steps(struct steps *steps, const struct lab_trace *shown)
{
    for (size_t s = 0; s < steps->count; s++) {
        bool is_shared = steps->step[s].trace == shown;
        for (size_t former = 0; former < s; former++) {
            is_shared = is_shared || steps->step[former].trace == steps->step[s].trace;
        }
        if (!is_shared) {
            lab_trace_release(steps->step[s].trace);
        }
    }
}

/* Returns the trace of a step: the one that is shown, if there is one, or that of a step before, or
 * a new one. NULL: it cannot be computed here, and error says why. */
static const struct lab_trace *trace_of(const struct app_scene *scene, const struct steps *before,
                                        const struct lab_experiment *experiment,
                                        struct error *error)
{
    if (scene->trace != NULL &&
        lab_experiment_equal(lab_trace_experiment(scene->trace), experiment)) {
        return scene->trace;
    }
    for (size_t s = 0; s < before->count; s++) {
        if (lab_experiment_equal(lab_trace_experiment(before->step[s].trace), experiment)) {
            return before->step[s].trace;
        }
    }
    return lab_run(experiment, scene->engine, error);
}

static enum page_question question_of(enum lab_guess guess)
{
    static const enum page_question questions[LAB_GUESSES] = {
        [LAB_GUESS_CELL] = PAGE_ASKS_CELL,
        [LAB_GUESS_BAR] = PAGE_ASKS_WEIGHT,
        [LAB_GUESS_WINNER] = PAGE_ASKS_WINNER}; /* the next word has no cell */
    return questions[guess];
}

/* Says whether the caption was written for the numbers that are shown: they were not changed, or
 * are made outside of the lesson's file. */
static bool has_own_caption(const struct app_figure *picture)
{
    const struct app_scene *const scene = &picture->scene;
    const struct lab_lesson *const lesson = picture->lesson;
    if (scene->view->caption == NULL || lesson == NULL || scene->view->step >= lesson->steps) {
        return false;
    }
    const struct lab_step *const step = &lesson->step[scene->view->step];
    return step->experiment.learned != NULL || step->model.path != NULL ||
           lab_experiment_equal(&step->experiment, scene->experiment);
}

/* Says whether the figure shows what the script draws too: matrices of a stage. */
static bool is_drawn_by_script(const char *view)
{
    static const char *const drawn[] = {"window", "stage", "head", "matrix"};
    bool is_drawn = view == NULL;
    for (size_t d = 0; d < sizeof drawn / sizeof *drawn; d++) {
        is_drawn = is_drawn || strcmp(view, drawn[d]) == 0;
    }
    return is_drawn;
}

/* Returns the layer with the next words of what is shown; NULL: it has none, or the class is to
 * guess them. */
static const struct lab_block *shown_next(const struct view_state *view)
{
    return view->guess == LAB_GUESS_NEXT && !view->revealed ? NULL
           : view->learn != NULL                            ? view->learn->block
           : view->head_overview != NULL                    ? view->head_overview->block
                                                            : NULL;
}

/* Returns the caption of what is shown; a picture of why a model says a word tells its numbers. */
static const char *caption_of(const struct app_figure *picture, struct arena *arena)
{
    const struct view_state *const view = picture->scene.view;
    return has_own_caption(picture)    ? tr(view->caption)
           : figure_is_of_why(picture) ? view_why_describe(view->why, arena)
                                       : "";
}

static struct page_step shown_step(const struct app_figure *picture, struct arena *arena)
{
    const struct app_scene *const scene = &picture->scene;
    const struct view_state *const view = scene->view;
    return (struct page_step){.caption = caption_of(picture, arena),
                              .trace = scene->trace,
                              .stage = view->playback.stage,
                              .selection = app_scene_selection(scene),
                              .next = shown_next(view),
                              .question =
                                  view->revealed ? PAGE_ASKS_NOTHING : question_of(view->guess)};
}

/* Says whether a step's experiment is the one that is shown. The run that is open knows more of how
 * its weights were trained than the lesson says. */
static bool is_shown(const struct app_scene *scene, const struct lab_experiment *experiment)
{
    const struct lab_experiment *const shown = lab_trace_experiment(scene->trace);
    struct lab_experiment same = *experiment;
    same.learned = experiment->learned != NULL ? shown->learned : NULL;
    return lab_experiment_equal(shown, &same);
}

/* Adds every step of the lesson. Returns false where one cannot be computed here, or is of other
 * numbers than what is shown of it. */
static bool add_lesson(const struct app_figure *picture, struct steps *steps, struct error *error)
{
    const struct lab_lesson *const lesson = picture->lesson;
    const struct app_scene *const scene = &picture->scene;
    for (size_t s = 0; s < lesson->steps; s++) {
        const struct lab_step *const step = &lesson->step[s];
        const bool is_present = s == scene->view->step;
        const struct lab_trace *const trace =
            step->model.path != NULL ? NULL
            : is_present && is_shown(scene, &step->experiment)
                ? scene->trace
                : trace_of(scene, steps, &step->experiment, error);
        if (trace == NULL || (is_present && trace != scene->trace)) {
            if (trace != NULL && trace != scene->trace) {
                lab_trace_release(trace);
            }
            return false;
        }
        steps->step[steps->count++] = (struct page_step){.caption = tr(step->caption),
                                                         .trace = trace,
                                                         .stage = step->stage,
                                                         .selection = step->selection,
                                                         .question = question_of(step->guess)};
        if (trace == scene->trace) {
            steps->step[s].next = shown_next(scene->view);
        }
        if (picture->step_figure != NULL) {
            steps->step[s].figure = picture->step_figure[s];
        }
    }
    steps->start = scene->view->step < steps->count ? scene->view->step : 0;
    return steps->count > 0;
}

/* Adds every layer, at the stage that is shown or, of weights alone, at these. */
static void add_layers(const struct app_figure *picture, const struct app_page_layers *layers,
                       struct arena *arena, struct steps *steps)
{
    const struct page_step shown = shown_step(picture, arena);
    for (size_t l = 0; l < layers->count; l++) {
        steps->step[l] = shown;
        steps->step[l].trace = layers->trace[l];
        steps->step[l].next = layers->block != NULL ? layers->block[l] : NULL;
        steps->step[l].caption = layers->name != NULL
                                     ? layers->name[l]
                                     : arena_words(arena, "Layer %zu of %zu", l + 1, layers->count);
        steps->step[l].stage = layers->weights_alone ? LAB_SOFTMAX : shown.stage;
    }
    steps->count = layers->count;
    while (steps->start + 1 < layers->count &&
           lab_trace_experiment(layers->trace[steps->start])->layer !=
               picture->scene.experiment->layer) {
        steps->start++;
    }
}

/* Returns both texts with a point between them. */
static const char *join(const char *text, const char *more, struct arena *arena)
{
    more += more[0] == ' ' ? 1 : 0; /* of a sentence that follows others */
    const char *const both = text[0] == '\0'   ? more
                             : more[0] == '\0' ? text
                                               : arena_format(arena, "%s · %s", text, more);
    return both == NULL ? text : both;
}

/* Adds to the captions what was changed by hand: of a run, in a model (changed: what; of all
 * layers, or of what is shown alone), and of numbers. */
static void tell_changes(struct steps *steps, const char *changed, const struct lab_trace *alone,
                         struct arena *arena)
{
    for (size_t s = 0; s < steps->count; s++) {
        struct page_step *const step = &steps->step[s];
        const struct lab_experiment *const experiment = lab_trace_experiment(step->trace);
        const bool is_of_model = experiment->layers > 0 && experiment->learned == NULL &&
                                 (alone == NULL || alone == step->trace);
        step->caption =
            join(step->caption, lab_training_changes(experiment->learned, arena), arena);
        if (is_of_model && changed != NULL && changed[0] != '\0') {
            step->caption = join(step->caption,
                                 arena_words(arena, "The model is changed: %s.", changed), arena);
        }
        step->caption = join(step->caption, lab_describe_edits(step->trace, arena), arena);
    }
}

/* Returns the words of the queries in a row, which say best which experiment it is. */
static const char *title_of(const struct lab_trace *trace, struct arena *arena)
{
    enum { WORDS_MAX = 12 };
    const size_t n = lab_trace_sizes(trace).n;
    const char *title = "";
    for (size_t i = 0; i < n && i < WORDS_MAX; i++) {
        title = arena_words(arena, "%s%s%s", title, i > 0 ? " " : "", lab_trace_queries(trace)[i]);
    }
    return arena_words(arena, "%s%s", title, n > WORDS_MAX ? " …" : "");
}

bool app_page_write(const struct app_figure *picture, struct bytes svg, struct arena *arena,
                    struct bytes *html, struct error *error)
{
    const struct lab_lesson *const lesson = picture->lesson;
    const bool has_lesson = lesson != NULL && lesson->steps > 0;
    const struct lab_trace *const shown = picture->scene.trace;
    const struct lab_trace *sides[] = {picture->scene.baseline, shown};
    const struct app_page_layers comparison = {.trace = sides, .count = 2, .name = side_names};
    const bool compares = sides[0] != NULL && picture->scene.view->compare != VIEW_COMPARE_NOT;
    const struct app_page_layers *const layers = picture->layers != NULL ? picture->layers
                                                 : compares              ? &comparison
                                                                         : NULL;
    const bool has_layers = layers != NULL;
    const size_t room = has_layers ? layers->count : has_lesson ? lesson->steps : 1;
    struct steps steps = {.step = arena_array(arena, room, sizeof(struct page_step))};
    if (shown == NULL || steps.step == NULL) {
        return shown == NULL
                   ? error_set(error, ERROR_INPUT, "There is nothing to show: type some words.")
                   : error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    }
    struct error lacks = {ERROR_NONE, 0, ""};
    if (has_layers) {
        add_layers(picture, layers, arena, &steps);
    } else if (!has_lesson || !add_lesson(picture, &steps, &lacks)) {
        release_steps(&steps, shown);
        if (lacks.code == ERROR_MEMORY) { /* a step must not be missing in silence */
            *error = lacks;
            return false;
        }
        steps = (struct steps){.step = steps.step, .count = 1};
        steps.step[0] = shown_step(picture, arena);
    }
    tell_changes(&steps, picture->changed, layers == &comparison ? shown : NULL, arena);
    if (!is_drawn_by_script(picture->view)) {
        steps.step[steps.start].figure = svg;
    }
    const struct page page = {.title = has_lesson && lesson->title[0] != '\0'
                                           ? tr(lesson->title)
                                           : title_of(shown, arena),
                              .summary = has_lesson ? tr(lesson->summary) : NULL,
                              .figure = svg,
                              .step = steps.step,
                              .steps = steps.count,
                              .has_layers = has_layers,
                              .run = has_layers ? layers->run : NULL,
                              .weights_alone = has_layers && layers->weights_alone,
                              .start = steps.start};
    const bool written = page_write(&page, arena, html, error);
    if (!has_layers) { /* these are the caller's */
        release_steps(&steps, shown);
    }
    return written;
}

/* ---- worksheets ------------------------------------------------------------------------------ */

/* Adds the steps of the lesson that ask for something. Returns false where one cannot be computed.
 */
static bool add_questions(const struct app_worksheet *worksheet, struct steps *steps,
                          struct error *error)
{
    const struct lab_lesson *const lesson = worksheet->lesson;
    for (size_t s = 0; lesson != NULL && s < lesson->steps; s++) {
        const struct lab_step *const step = &lesson->step[s];
        const enum page_question question = question_of(step->guess);
        const struct lab_trace *const trace =
            question == PAGE_ASKS_NOTHING
                ? NULL
                : trace_of(&worksheet->scene, steps, &step->experiment, error);
        if (question != PAGE_ASKS_NOTHING && trace == NULL) {
            return false;
        }
        if (trace != NULL) {
            steps->step[steps->count++] = (struct page_step){.caption = tr(step->caption),
                                                             .trace = trace,
                                                             .stage = step->stage,
                                                             .selection = step->selection,
                                                             .question = question};
        }
    }
    return true;
}

/* Adds the stages that can be worked out by hand: that of the state, or of a lesson all of them. */
static void add_stages(const struct app_worksheet *worksheet, struct steps *steps)
{
    const struct app_scene *const scene = &worksheet->scene;
    for (enum lab_stage stage = 0; stage < LAB_STAGES; stage++) {
        const bool is_meant = worksheet->lesson != NULL || stage == scene->view->playback.stage;
        if (is_meant && view_worksheet_has(scene->trace, stage)) {
            steps->step[steps->count++] = (struct page_step){
                .caption = tr(lab_stage_headline(lab_trace_graph(scene->trace), stage)),
                .trace = scene->trace,
                .stage = stage,
                .selection = scene->view->pinned,
                .question = PAGE_ASKS_MATRIX};
        }
    }
}

bool app_page_worksheet(const struct app_worksheet *worksheet, struct arena *arena,
                        struct bytes *html, struct error *error)
{
    const size_t max = LAB_STAGES + (worksheet->lesson != NULL ? worksheet->lesson->steps : 0);
    struct steps steps = {.step = arena_array(arena, max, sizeof(struct page_step))};
    if (steps.step == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    }
    if (!add_questions(worksheet, &steps, error)) {
        release_steps(&steps, worksheet->scene.trace);
        return false;
    }
    if (steps.count == 0) {
        add_stages(worksheet, &steps);
    }
    tell_changes(&steps, NULL, NULL, arena);
    const struct page page = {
        .title = tr(worksheet->title), .step = steps.step, .steps = steps.count};
    const bool written =
        steps.count > 0 ? page_write(&page, arena, html, error) : app_worksheet_refuse(error);
    release_steps(&steps, worksheet->scene.trace);
    return written;
}

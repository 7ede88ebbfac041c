/* cli/page.c — pages of render: options that they do not take, and the layers of a model. */
#include "cli/page.h"

#include <stdlib.h>
#include <string.h>

#include "app/learn/learn.h"
#include "app/learn/places.h"
#include "app/why/why.h"
#include "base/translate.h"
#include "cli/learned.h"
#include "cli/model.h"
#include "lab/run/trace.h"
#include "page/page.h"

bool cli_has_page(const struct cli_figures *figures)
{
    bool has = false;
    for (size_t f = 0; f < figures->count; f++) {
        has = has || (figures->figure[f].format != NULL && figures->figure[f].format->is_page);
    }
    return has;
}

bool cli_are_all_pages(const struct cli_figures *figures)
{
    bool are = true;
    for (size_t f = 0; f < figures->count; f++) {
        are = are && figures->figure[f].format != NULL && figures->figure[f].format->is_page;
    }
    return are;
}

/* Says whether a page shows layers one after the other: of what has several, where none was chosen
 * and each is computed whole. */
static bool has_layers(const struct cli_options *options, const struct cli_context *context)
{
    return context->sizes.layers > 1 && !context->sizes.one_head &&
           !options->value[CLI_LAYER].given && !options->value[CLI_HEAD].given &&
           !options->value[CLI_ALL_LAYERS].given && context->lesson.steps == 0;
}

/* The steps of training that a page goes through, evenly spaced; count 0: it goes through none. */
struct steps {
    uint64_t first, last;
    size_t count;
};

static struct steps steps_of(const struct cli_options *options, const struct cli_context *context)
{
    enum { STEPS_MAX = 60 };
    const struct cli_value *const value = options->value;
    struct steps steps = {.first = value[CLI_FROM_STEP].whole};
    if (!(value[CLI_FROM_STEP].given || value[CLI_TO_STEP].given) || context->learned == NULL) {
        return steps;
    }
    steps.last = value[CLI_TO_STEP].given ? value[CLI_TO_STEP].whole
                                          : cli_learned_saved_step(context->learned);
    steps.last = steps.last > steps.first ? steps.last : steps.first;
    steps.count =
        steps.last - steps.first < STEPS_MAX ? (size_t)(steps.last - steps.first) + 1 : STEPS_MAX;
    return steps;
}

bool cli_check_pages(const struct cli_options *options, const struct cli_figures *figures,
                     const struct cli_context *context, struct error *error)
{
    static const struct {
        enum cli_option option;
        const char *name;
    } own[] = {{CLI_SIZE, "size"},        {CLI_LETTERS, "letters"}, {CLI_FIGURE, "figure"},
               {CLI_CROP, "crop"},        {CLI_STYLE, "style"},     {CLI_BACKGROUND, "background"},
               {CLI_METADATA, "metadata"}};
    const struct cli_value *const value = options->value;
    const bool all = cli_are_all_pages(figures);
    for (size_t o = 0; all && o < sizeof own / sizeof *own; o++) {
        if (value[own[o].option].given) {
            return error_set(error, ERROR_USAGE,
                             "--%s changes nothing in a page, whose layout is its own: it is for "
                             "pictures.",
                             own[o].name);
        }
    }
    return !value[CLI_PAGE_OPERANDS].given ||
           (cli_has_page(figures) &&
            (has_layers(options, context) || steps_of(options, context).count > 0)) ||
           error_set(error, ERROR_USAGE,
                     "--page-operands changes nothing here: it is for a page (.html) of all layers "
                     "of a model.");
}

bool cli_page_fill_lesson(const struct cli_options *options, const struct cli_figures *figures,
                          struct cli_context *context, struct error *error)
{
    const bool is_sheet = options->value[CLI_WORKSHEET].given;
    struct error lacks = {ERROR_NONE, 0, ""};
    bool filled = true;
    for (size_t s = 0; filled && (is_sheet || cli_has_page(figures)) && s < context->lesson.steps;
         s++) {
        struct lab_experiment *const experiment = &context->lesson.step[s].experiment;
        filled = experiment->learned == NULL ||
                 cli_learned_fill_weights(options, &context->rebuilder, experiment, NULL, &lacks);
    }
    if (!filled && is_sheet) {
        *error = lacks;
    }
    return filled || !is_sheet;
}

/* Draws one step as the call that asks for its view does. */
static bool draw_step(const struct cli_scene *scene, size_t step, const char *view,
                      struct app_figure_renderer *renderer, struct arena *arena,
                      struct bytes *figure, struct error *error)
{
    struct cli_options *const options = arena_array(arena, 1, sizeof *options);
    struct cli_scene own = {.options = options, .style = scene->style};
    if (options == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    }
    *options = *scene->options;
    options->value[CLI_STEP].given = true;
    options->value[CLI_STEP].whole = step + 1;
    options->value[CLI_VIEW].text = view;
    bool drawn = cli_scene_read(&own, error) && cli_scene_prepare(&own, error);
    if (drawn) {
        app_learn_tell(own.state);
        const struct app_figure picture = {.scene = app_state_scene(own.state), .view = view};
        drawn = app_figure_renderer_print_for_page(renderer, &picture, arena, figure, error);
    }
    cli_scene_close(&own);
    return drawn;
}

bool cli_page_draw_steps(const struct cli_scene *scene, struct app_figure_renderer *renderer,
                         struct arena *arena, const struct bytes **figures, struct error *error)
{
    const struct lab_lesson *const lesson = &scene->context.lesson;
    struct bytes *const figure = arena_array(arena, lesson->steps + 1, sizeof *figure);
    bool drawn =
        figure != NULL || error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    *figures = NULL;
    for (size_t s = 0; drawn && s < lesson->steps; s++) {
        const struct lab_step *const step = &lesson->step[s];
        figure[s] = (struct bytes){NULL, 0};
        if (step->has_view_prefs && step->view_prefs.why) {
            drawn = draw_step(scene, s, "why", renderer, arena, &figure[s], error);
            *figures = figure;
        }
    }
    return drawn;
}

const char *cli_page_changes(const struct cli_context *context, struct arena *arena)
{
    const struct cli_model *const model = context->model;
    const struct model_run *const run = model != NULL ? model->subject.run : NULL;
    if (run == NULL) {
        return "";
    }
    const struct model_interventions changes = model_run_interventions(run);
    const struct app_open_model_text text = {.model = model->subject.model,
                                             .ids = model_run_ids(run),
                                             .count = model_run_count(run),
                                             .change = changes.row,
                                             .changes = changes.count};
    return app_why_list_changes(&text, arena);
}

static bool add_layer(const struct cli_options *options, const struct cli_context *context,
                      size_t layer, const struct lab_engine *engine, struct app_page_layers *layers,
                      struct error *error)
{
    struct lab_experiment experiment;
    if (!cli_context_layer(options, context, layer, 0, &experiment, error)) {
        return false;
    }
    const struct lab_trace *const trace = lab_run(&experiment, engine, error);
    lab_experiment_release(&experiment);
    if (trace != NULL) {
        layers->trace[layers->count++] = trace;
    }
    return trace != NULL;
}

/* Finds the next words behind the last layer of what is open; *next NULL: it has none, and the page
 * is whole without. The caller holds the block. Returns false where they cannot be read. */
static bool make_next(const struct cli_context *context, const struct lab_block **next,
                      struct error *error)
{
    struct error none = {ERROR_NONE, 0, ""};
    const bool has = context->subject.kind != NULL && context->subject.kind->block != NULL;
    const struct subject_spot spot = {.which = context->model != NULL ? context->model->spot.which
                                                                      : MODEL_SELF,
                                      .layer = context->sizes.layers - 1};
    *next = has ? subject_block(&context->subject, &spot, &none) : NULL;
    return *next != NULL || none.code == ERROR_NONE || none.code == ERROR_INPUT ||
           error_set(error, none.code, "%s", none.text);
}

/* ---- steps of training ----------------------------------------------------------------------- */

/* Curves and places while they are filled, step by step. */
struct moments {
    struct app_learn_words_placed words;
    struct app_learn_plane *plane; /* of the step that is far enough from the one before; owned */
    uint64_t plane_step;
    bool has_next; /* the task asks for next words */
    float *loss, *right, *place;
    float *rows, *plane_rows; /* of the step, and of the plane's */
};

/* Makes room for what is shown of a run; its words are those of the first snapshot. */
static bool begin_moments(struct moments *moments, const struct learn_snapshot *first, size_t steps,
                          struct app_page_layers *layers)
{
    struct arena *const arena = &layers->arena;
    moments->has_next = learn_data_is_causal(first->data);
    app_learn_place_words(first, &moments->words);
    const size_t words = moments->words.placed.words;
    moments->loss = arena_array(arena, steps, sizeof(float));
    moments->right = arena_array(arena, steps, sizeof(float));
    moments->place = arena_array(arena, steps * words * 2 + 1, sizeof(float));
    moments->rows = arena_array(arena, words * moments->words.placed.width + 1, sizeof(float));
    moments->plane_rows =
        arena_array(arena, words * moments->words.placed.width + 1, sizeof(float));
    const char **const word = arena_array(arena, words + 1, sizeof *word);
    if (word == NULL || arena->lacking) {
        return false;
    }
    for (size_t w = 0; w < words; w++) {
        const char *const text = learn_data_words(first->data)[moments->words.ids[w]];
        word[w] = arena_text(arena, text, strlen(text));
    }
    struct page_run *const made = arena_array(arena, 1, sizeof *made);
    if (made == NULL) {
        return false;
    }
    *made = (struct page_run){.curve = {{tr("loss"), moments->loss}, {tr("right"), moments->right}},
                              .curves = 2,
                              .word = word,
                              .place = moments->place,
                              .words = words};
    layers->run = made;
    return !arena->lacking;
}

/* Fills in where the words stand at a step. False: no memory. */
static bool place_moment(struct moments *moments, const struct learn_snapshot *snapshot,
                         size_t step)
{
    const struct app_learn_placed *const placed = &moments->words.placed;
    learn_placed_rows(snapshot, moments->words.ids, placed->words, moments->rows);
    if (moments->plane == NULL || snapshot->step >= learn_next_keyframe(moments->plane_step)) {
        struct app_learn_plane *const former = moments->plane;
        moments->plane = app_learn_plane_find(placed, moments->rows, former, moments->plane_rows);
        free(former);
        moments->plane_step = snapshot->step;
        memcpy(moments->plane_rows, moments->rows,
               placed->words * placed->width * sizeof *moments->rows);
    }
    for (size_t w = 0; moments->plane != NULL && w < placed->words; w++) {
        const struct point at =
            app_learn_plane_place(moments->plane, moments->rows + w * placed->width);
        moments->place[(step * placed->words + w) * 2] = at.x;
        moments->place[(step * placed->words + w) * 2 + 1] = at.y;
    }
    return moments->plane != NULL;
}

/* Fills in what belongs to the step that the run is at. */
static bool add_moment(struct moments *moments, struct learn_run *run, size_t step, size_t steps,
                       struct app_page_layers *layers, struct error *error)
{
    struct learn_point point;
    const struct learn_snapshot *const snapshot = learn_run_snapshot(run, error);
    const bool has = snapshot != NULL && learn_run_measure(run, &point, error) &&
                     (((step > 0 || begin_moments(moments, snapshot, steps, layers)) &&
                       place_moment(moments, snapshot, step)) ||
                      error_set(error, ERROR_MEMORY, "There is not enough memory for a page."));
    if (has) {
        moments->loss[step] = point.loss;
        moments->right[step] = point.accuracy;
    }
    learn_snapshot_release(snapshot);
    return has;
}

/* Adds the layer that is looked at as it was at each of these steps. */
static bool add_steps(const struct cli_options *options, const struct cli_context *context,
                      const struct steps *steps, const struct lab_engine *engine,
                      struct app_page_layers *layers, struct error *error)
{
    const char **const name = arena_array(&layers->arena, steps->count, sizeof *name);
    struct moments moments = {.plane = NULL};
    bool added =
        name != NULL || error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    layers->name = name;
    for (size_t s = 0; added && s < steps->count; s++) {
        const uint64_t way = steps->last - steps->first;
        const uint64_t step = steps->first + (s > 0 ? way * s / (steps->count - 1) : 0);
        name[s] = arena_words(&layers->arena, "Step %zu of training", (size_t)step);
        added = cli_learned_go_to_step(context->learned, step, error) &&
                add_layer(options, context, context->layer, engine, layers, error);
        struct learn_run *const run = added ? cli_learned_run(context->learned) : NULL;
        added = added && (run == NULL || add_moment(&moments, run, s, steps->count, layers, error));
        added = added && (!moments.has_next || make_next(context, &layers->block[s], error));
    }
    free(moments.plane);
    return added;
}

/* Adds every layer, each with the next words behind the last one. */
static bool add_all_layers(const struct cli_options *options, const struct cli_context *context,
                           const struct lab_engine *engine, struct app_page_layers *layers,
                           struct error *error)
{
    bool added = true;
    for (size_t l = 0; added && l < context->sizes.layers; l++) {
        added = add_layer(options, context, l, engine, layers, error);
    }
    const struct lab_block *next = NULL;
    added = added && make_next(context, &next, error);
    for (size_t l = 0; next != NULL && l < layers->count; l++) {
        layers->block[l] = lab_block_keep(next);
    }
    lab_block_release(next);
    return added;
}

bool cli_page_layers_make(const struct cli_options *options, const struct cli_context *context,
                          const struct lab_engine *engine, struct app_page_layers *layers,
                          struct error *error)
{
    const struct steps steps = steps_of(options, context);
    const size_t all = has_layers(options, context) ? context->sizes.layers : 0;
    const size_t count = steps.count > 0 ? steps.count : all;
    *layers = (struct app_page_layers){.weights_alone = !options->value[CLI_PAGE_OPERANDS].given};
    layers->trace = count > 0 ? calloc(count, sizeof *layers->trace) : NULL;
    layers->block = count > 0 ? calloc(count, sizeof *layers->block) : NULL;
    if (count > 0 && (layers->trace == NULL || layers->block == NULL)) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    }
    return steps.count > 0 ? add_steps(options, context, &steps, engine, layers, error)
           : all > 0       ? add_all_layers(options, context, engine, layers, error)
                           : true;
}

void cli_page_layers_release(struct app_page_layers *layers)
{
    for (size_t l = 0; l < layers->count; l++) {
        lab_trace_release(layers->trace[l]);
        lab_block_release(layers->block[l]);
    }
    free(layers->trace);
    free(layers->block);
    arena_free(&layers->arena);
    *layers = (struct app_page_layers){0};
}

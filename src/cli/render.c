/* cli/render.c — draws pictures of an experiment into files: computed once, drawn as often as
 * asked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/document/session.h"
#include "app/draw/figure.h"
#include "app/draw/scene.h"
#include "app/draw/worksheet.h"
#include "app/learn/learn.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "base/system/clock.h"
#include "base/text.h"
#include "base/translate.h"
#include "cli/calls.h"
#include "cli/figures.h"
#include "cli/film.h"
#include "cli/learned.h"
#include "cli/model.h"
#include "cli/page.h"
#include "cli/panels.h"
#include "cli/render.h"
#include "cli/style.h"
#include "lab/dump/dump.h"
#include "lab/run/cache.h"
#include "learn/cost.h"

static const size_t session_bytes_max = 8 << 20; /* a PDF takes four times that */
static const double scale_preset = 2, points_an_inch = 72;
static const double HEIGHT_PER_WIDTH_MAX = 1.25; /* of a picture whose width alone is told */

/* State that the pictures of a call share. */
struct session {
    const struct cli_options *options;
    const struct cli_figures *figures;
    const struct cli_context *context;
    struct cli_style *style;
    size_t head; /* of the picture, among all heads */
    struct app_state *state;
    struct app_figure_renderer *renderer;
    struct app_figure picture;
    struct arena arena;            /* of one picture */
    bool warned;                   /* about letters that no font has */
    struct app_page_layers layers; /* of a page; count 0: of none */
    const struct cli_scene *scene;
    struct arena step_arena; /* owns the figures of steps */
};

/* Says whether the step asks the class for a guess, which the picture then hides as the window
 * does. A film shows the answer. */
static bool asks_for_guess(const struct cli_options *options, const struct cli_context *context)
{
    const struct lab_lesson *const lesson = &context->lesson;
    const struct cli_value *const value = options->value;
    const struct lab_step *const step = lesson->steps > 0 ? &lesson->step[context->step] : NULL;
    const bool moves = value[CLI_FROM].given || value[CLI_TO].given || value[CLI_FROM_STEP].given ||
                       value[CLI_TO_STEP].given;
    return step != NULL && step->guess != LAB_GUESS_NONE && !moves && !value[CLI_WORKSHEET].given;
}

static bool check_guess(const struct cli_options *options, const struct cli_context *context,
                        struct error *error)
{
    return !options->value[CLI_REVEAL].given || asks_for_guess(options, context) ||
           error_set(error, ERROR_USAGE,
                     "--reveal changes nothing here: it is for a picture of a step that asks for a "
                     "guess.");
}

static void apply_guess(const struct cli_options *options, const struct cli_context *context,
                        struct app_state *state)
{
    if (asks_for_guess(options, context)) {
        const struct lab_step *const step = &context->lesson.step[context->step];
        state->view.guess = step->guess;
        state->view.guess_stage = step->stage;
        state->view.guess_at = step->selection;
    }
    if (options->value[CLI_REVEAL].given) {
        app_lesson_reveal(state);
    }
}

/* Sets the state as the step of the lesson has it, around the experiment. */
static void apply_lesson_step(const struct cli_context *context, struct app_state *state)
{
    const struct lab_lesson *const lesson = &context->lesson;
    app_state_close_lesson(state);
    state->view.prefs.camera = view_camera_home();
    if (lesson->steps == 0) {
        return;
    }
    const struct lab_step *const step = &lesson->step[context->step];
    state->view.steps = lesson->steps;
    state->view.step = context->step;
    state->view.lesson_title = lesson->title;
    state->view.caption = step->caption;
    state->view.hide = step->hide;
    state->view.panels = step->panels;
    state->view.caption_stage = step->stage;
    if (step->has_camera) {
        state->view.prefs.camera.azimuth = step->camera[0];
        state->view.prefs.camera.elevation = step->camera[1];
        state->view.prefs.camera.zoom = step->camera[2];
    }
    if (step->has_position && step->stage == context->stage) {
        state->view.playback.position = step->position;
    }
    if (step->theme[0] != '\0') {
        app_state_set_theme(state, ui_theme_find(step->theme));
    }
    app_view_prefs_take(&state->view, step);
    state->view.caption_extra_stage = state->view.extra_stage;
    state->view.caption_why = state->view.why_shown;
}

/* Says whether the curves of saved weights may be trained: as far as any are without asking. Beyond
 * that the window is drawn without them, as it opens. */
static bool may_train(const struct cli_options *options,
                      const struct learn_weight_rebuilder *rebuilder, const char *view,
                      bool *has_past, struct error *error)
{
    const struct learn_cost cost =
        learn_cost_of(learn_run_recipe(rebuilder->run), &rebuilder->learned);
    *has_past = options->value[CLI_TRAIN_ANYWAY].given || learn_cost_check(&cost, error);
    if (!*has_past && strcmp(view, "window") == 0) {
        if (!options->value[CLI_WORKSHEET].given) { /* a worksheet has no curves */
            cli_warn(options, "drawn without curves: %s", error->text);
        }
        *error = (struct error){ERROR_NONE, 0, ""};
        return true;
    }
    return *has_past;
}

/* Shows learned weights as in the window: with their run, and as gradients where the step shows
 * these. */
static bool show_training(const struct cli_options *options, const struct cli_context *context,
                          const char *view, struct app_state *state, struct error *error)
{
    static const char *const with_past[] = {"window", "training"}; /* curves and trails */
    const struct lab_lesson *const lesson = &context->lesson;
    bool has_past = false;
    for (size_t v = 0; v < sizeof with_past / sizeof *with_past; v++) {
        has_past = has_past || strcmp(view, with_past[v]) == 0;
    }
    if (context->experiment.learned != NULL && lesson->steps > 0) {
        app_learn_show(state, lesson->step[context->step].view_prefs.learned);
    }
    const struct learn_weight_rebuilder *const rebuilder =
        context->learned != NULL ? cli_learned_rebuilder(context->learned) : &context->rebuilder;
    if (rebuilder != NULL && rebuilder->used.folder != NULL) {
        const struct learn_saved *const used = &rebuilder->used;
        app_learn_use_saved(state, context->experiment.learned,
                            &(struct lab_step_weights){used->folder, used->has_mark, used->mark});
        if (has_past && !may_train(options, rebuilder, view, &has_past, error)) {
            return false;
        }
    }
    if (!has_past) {
        return app_learn_stand(state, 0, error);
    }
    return app_learn_watch(state, 0, 0, error) &&
           (strcmp(view, "training") != 0 || cli_check_curves(context, state->view.learn, error));
}

/* Says whether the picture needs the layer itself, because its experiment has only queries, keys
 * and values, or because X comes from the residual stream. */
static bool needs_layer(const struct cli_context *context, const struct app_state *state)
{
    return context->model != NULL &&
           (context->stage == LAB_EMBED || lab_trace_sizes(state->document.trace).raw);
}

/* Sets the state that the pictures are drawn of. */
static bool prepare_scene(struct cli_scene *scene, struct error *error)
{
    const struct cli_options *const options = scene->options;
    const struct cli_value *const value = options->value;
    const struct cli_context *const context = &scene->context;
    struct app_state *const state = scene->state;
    const char *const view = value[CLI_VIEW].text;
    const bool window = strcmp(view, "window") == 0;
    const char *const seen = window && scene->only_pages ? "stage" : view;
    document_change(&state->document, &context->experiment, NULL, 0);
    app_settle_tasks(state, 0);
    if (state->document.trace == NULL) {
        return error_set(error,
                         state->document.error.code == ERROR_NONE ? ERROR_INPUT
                                                                  : state->document.error.code,
                         "%s", state->document.error.text);
    }
    const char *const lacks = lab_trace_lacks(state->document.trace, LAB_SCORE);
    if (value[CLI_CHANGE].given && lacks != NULL) {
        return error_set(error, ERROR_USAGE, "--change changes nothing here: %s", lacks);
    }
    state->view.playback.stage = context->stage;
    state->view.pinned = context->selection;
    state->view.prefs.display = context->display;
    if (!check_guess(options, context, error) ||
        !show_training(options, context, seen, state, error)) {
        return false;
    }
    apply_lesson_step(context, state);
    apply_guess(options, context, state);
    const bool of_model = window && context->model != NULL; /* beside its heads and next words */
    const bool is_why = cli_view_is_of_why(view);
    const bool all_heads = strcmp(view, "glance") == 0 || of_model || is_why;
    if (context->lesson.steps > 0 && (all_heads || window)) {
        app_open_model_restore(state, &context->lesson.step[context->step].model, 0);
        app_settle(state, 0);
    }
    cli_print_trace_facts(options, state->document.trace);
    float difference = 0;
    if (strcmp(value[CLI_VIEW].text, "decode") == 0 &&
        !lab_cache_replay(state->document.trace, &difference, error)) {
        return false; /* the picture would only repeat this sentence */
    }
    if (all_heads && state->view.head_overview == NULL &&
        !cli_open_head_overview(options, context, state, &scene->overview, error)) {
        return false;
    }
    if (of_model && value[CLI_QUERY].given) { /* opening a model selects its last word */
        state->view.pinned.query = context->selection.query;
    }
    if (of_model && value[CLI_KEY].given) {
        state->view.pinned.key = context->selection.key;
    }
    if ((is_why && !cli_show_why(options, context, state, error)) ||
        (strcmp(view, "blame") == 0 && !cli_show_blame(options, state, error))) {
        return false;
    }
    if ((strcmp(view, "circuit") == 0 &&
         !cli_show_circuit(options, context, state, &scene->overview, error)) ||
        (strcmp(view, "patch") == 0 &&
         !cli_show_patch(options, context, state, &scene->overview, error))) {
        return false;
    }
    if (of_model) {
        state->view.extra_stage =
            context->of_block ? VIEW_EXTRA_STAGE_BLOCK : VIEW_EXTRA_STAGE_NONE;
    } else if ((context->of_block || (needs_layer(context, state) && !all_heads)) &&
               !cli_model_show_block(context, state, error)) {
        return false;
    }
    if (!cli_apply_display(options, state, error)) {
        return false;
    }
    cli_style_apply(scene->style, state);
    return true;
}

static bool is_on_paper(const struct cli_value *value)
{
    return value[CLI_SIZE].given && value[CLI_SIZE].whole != 0;
}

/* Chooses as many pixels on paper as journals ask for; an animation is for screens. */
static bool choose_scale(const struct cli_value *value, const struct cli_figures *figures,
                         float *scale, struct error *error)
{
    const struct cli_value *const dpi = &value[CLI_DPI];
    const double pixels = value[CLI_PARAM(SCALE)].number;
    const bool paper = is_on_paper(value) && !figures->figure[0].moves;
    if (dpi->given && pixels > 0) {
        return error_set(error, ERROR_USAGE, "Either --dpi or --scale says how many pixels.");
    }
    *scale = (float)(dpi->given   ? dpi->number / points_an_inch
                     : pixels > 0 ? pixels
                     : paper      ? (double)APP_PAPER_SCALE
                                  : scale_preset);
    return true;
}

/* Chooses smaller letters on paper, and larger ones on a large slide, where no size is given. */
static float choose_letters(const struct cli_value *value, const struct cli_style *style,
                            const struct app_figure *figure)
{
    const bool is_slide = value[CLI_SIZE].given && !is_on_paper(value);
    const float slide =
        is_slide ? app_slide_letters(figure->view, figure->width, figure->height) : 0;
    return value[CLI_LETTERS].given                        ? (float)value[CLI_LETTERS].number
           : style->letters > 0                            ? style->letters
           : slide > 0                                     ? slide
           : is_on_paper(value) || value[CLI_FIGURE].given ? APP_PAPER_LETTERS
                                                           : 0;
}

/* Refuses a width in points so small that millimetres must have been meant. */
static bool check_width(const struct cli_value *value, struct error *error)
{
    static const double NARROWEST = 240;
    const bool narrow =
        value[CLI_SIZE].number < NARROWEST && strcmp(value[CLI_VIEW].text, "window") == 0;
    return !narrow ||
           error_set(error, ERROR_USAGE,
                     "A window of %g points is too narrow to read; %g millimetres are "
                     "--size %gmm.",
                     value[CLI_SIZE].number, value[CLI_SIZE].number, value[CLI_SIZE].number);
}

bool cli_choose_figure(const struct cli_options *options, const struct cli_figures *figures,
                       const struct cli_style *style, struct app_figure *figure,
                       struct error *error)
{
    const struct cli_value *const value = options->value;
    const bool width_alone = !(value[CLI_SIZE].second > 0);
    *figure = (struct app_figure){
        .view = value[CLI_VIEW].text,
        .width = (float)value[CLI_SIZE].number,
        .height = (float)(width_alone ? HEIGHT_PER_WIDTH_MAX * value[CLI_SIZE].number
                                      : value[CLI_SIZE].second),
        .letters_floor = style->smallest,
        .ground = (enum app_ground)value[CLI_BACKGROUND].whole,
        .extent = width_alone                                        ? APP_EXTENT_WIDTH
                  : value[CLI_CROP].given || value[CLI_FIGURE].given ? APP_EXTENT_CONTENT
                                                                     : APP_EXTENT_PAPER,
        .fits = true,
        .text = (enum render_text)value[CLI_TEXT].whole,
        .describes = value[CLI_METADATA].whole == CLI_SWITCH_ON,
        .created = figures->created,
    };
    figure->letters = choose_letters(value, style, figure);
    return check_width(value, error) && choose_scale(value, figures, &figure->scale, error);
}

/* Chooses the picture's own size where --size is not given. */
static void choose_size(struct session *session)
{
    const bool figure = session->options->value[CLI_FIGURE].given;
    const bool own = view_picture_find(session->picture.view)->size != NULL;
    if (!session->options->value[CLI_SIZE].given && (own || !figure)) {
        const struct point size = app_figure_renderer_size(session->renderer, &session->picture);
        session->picture.width = size.x;
        session->picture.height = size.y;
    }
}

bool cli_warn_of_letters(const struct cli_options *options,
                         const struct app_figure_renderer *renderer)
{
    enum { NAMED = 6 };
    uint32_t code[NAMED + 1];
    char names[NAMED * 10 + 8] = "";
    size_t length = 0;
    const size_t count = app_figure_renderer_missing_glyphs(renderer, code, NAMED + 1);
    for (size_t c = 0; c < count && c < NAMED; c++) {
        length += (size_t)snprintf(names + length, sizeof names - length, "%sU+%04X",
                                   c == 0 ? "" : ", ", (unsigned)code[c]);
    }
    if (count > 0) {
        cli_warn(options,
                 "No font here has %s%s: its number in a box stands there. On Debian the package "
                 "%s brings it.",
                 names, count > NAMED ? ", …" : "", font_package(code[0]));
    }
    return count > 0;
}

/* Refuses --scale in SVG and PDF without matrices of many cells, because only these have pixels
 * there. */
static bool check_pixels(struct session *session, struct bytes content, struct error *error)
{
    const struct cli_value *const value = session->options->value;
    struct arena arena = {0};
    struct bytes other = {NULL, 0};
    bool counts = !value[CLI_DPI].given && !(value[CLI_PARAM(SCALE)].number > 0);
    for (size_t f = 0; !counts && f < session->figures->count; f++) {
        const struct cli_figure *const figure = &session->figures->figure[f];
        counts = figure->moves || figure->format->has_pixels;
    }
    if (!counts) {
        struct app_figure picture = session->picture;
        picture.scale *= picture.scale < 2 * (float)scale_preset ? 2 : 0.5f;
        counts = !app_figure_renderer_print(session->renderer, &picture, &arena, &other, NULL) ||
                 other.size != content.size || memcmp(other.at, content.at, content.size) != 0;
        arena_free(&arena);
    }
    return counts || error_set(error, ERROR_USAGE,
                               "--%s changes nothing in this picture: SVG and PDF have pixels only "
                               "where a matrix has more cells than can be drawn; it is for PNG, "
                               "WebP and GIF.",
                               value[CLI_DPI].given ? "dpi" : "scale");
}

/* Refuses a style where pictures are drawn by others than the session's renderer. */
static bool check_style(const struct session *session, struct error *error)
{
    const struct cli_style *const style = session->style;
    const bool has_fonts =
        style->font[0] != NULL || style->font[1] != NULL || style->font[2] != NULL;
    const bool moves = session->figures->figure[0].moves;
    if (session->options->value[CLI_STYLE].given &&
        (session->options->value[CLI_WORKSHEET].given || (moves && has_fonts))) {
        return error_set(error, ERROR_USAGE,
                         moves ? "--style changes no fonts in an animation: leave \"fonts\" out."
                               : "--style changes nothing with --worksheet: it is for figures.");
    }
    return true;
}

/* Refuses --text where no letters stay letters. */
static bool check_letters(const struct session *session, struct error *error)
{
    static const char *const formats[] = {[RENDER_OUTLINES] = "svg pdf", [RENDER_EMBEDDED] = "svg"};
    const struct cli_value *const value = &session->options->value[CLI_TEXT];
    const bool asked = value->given && value->whole != RENDER_LETTERS;
    bool counts = !asked || session->options->value[CLI_WORKSHEET].given;
    for (size_t f = 0; !counts && f < session->figures->count; f++) {
        const struct cli_figure *const figure = &session->figures->figure[f];
        counts = figure->animation == NULL &&
                 strstr(formats[value->whole], figure->format->suffix) != NULL;
    }
    return counts ||
           error_set(error, ERROR_USAGE, "--text %s changes nothing in this picture: it is for %s.",
                     value->text, value->whole == RENDER_EMBEDDED ? "SVG" : "SVG and PDF");
}

/* Sets the layer that is looked at as it was at a step of training. */
static bool show_step(void *owner, uint64_t step, struct error *error)
{
    struct session *const session = owner;
    struct app_state *const state = session->state;
    struct lab_experiment experiment;
    if (!cli_learned_go_to_step(session->context->learned, step, error) ||
        !cli_context_layer(session->options, session->context, state->document.experiment.layer, 0,
                           &experiment, error)) {
        return false;
    }
    document_change(&state->document, &experiment, NULL, 0);
    app_settle(state, 0);
    lab_experiment_release(&experiment);
    return state->document.trace != NULL ||
           error_set(error, ERROR_INPUT, "%s", state->document.error.text);
}

static int write_film(struct session *session, const struct cli_figure *figure, const char *path)
{
    const struct cli_value *const value = session->options->value;
    const bool steps = value[CLI_FROM_STEP].given || value[CLI_TO_STEP].given;
    struct cli_film_training training = {.show = show_step, .owner = session};
    if (steps) {
        training.first = value[CLI_FROM_STEP].whole;
        training.last = value[CLI_TO_STEP].given
                            ? value[CLI_TO_STEP].whole
                            : cli_learned_saved_step(session->context->learned);
        training.last = training.last > training.first ? training.last : training.first;
        struct error error = {ERROR_NONE, 0, ""};
        if (!app_learn_watch(session->state, training.last, 0, &error)) {
            return cli_fail(&error);
        }
    }
    return cli_film_write(session->options, steps ? &training : NULL, figure, path,
                          session->renderer, &session->picture, session->state);
}

static int write_one(struct session *session, const struct cli_figure *figure)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes content = {NULL, 0};
    const struct app_state *const state = session->state;
    const struct cli_figure_place place = {state->document.experiment.layer, session->head,
                                           state->view.playback.stage};
    const char *const path = cli_figure_name(figure, &place, &session->arena);
    if (path == NULL) {
        error_set(&error, ERROR_MEMORY, "There is not enough memory for a picture.");
        return cli_fail(&error);
    }
    if (figure->moves) {
        return write_film(session, figure, path);
    }
    const double start = system_seconds();
    if (!app_figure_renderer_print(session->renderer, &session->picture, &session->arena, &content,
                                   &error) ||
        !check_pixels(session, content, &error)) {
        return cli_fail(&error);
    }
    const int status = cli_write_file(path, content, !figure->format->is_text);
    session->warned = session->warned || cli_warn_of_letters(session->options, session->renderer);
    if (status == CLI_DONE) {
        cli_print_verbose(session->options, "%s: %g x %g points, %s, %zu bytes, %.0f ms", path,
                          (double)session->picture.width, (double)session->picture.height,
                          figure->format->title, content.size, (system_seconds() - start) * 1e3);
    }
    return status;
}

/* Makes the session that opens the state again, unless it is too large to be read back. */
static bool put_session(struct session *session, struct error *error)
{
    struct bytes text = {NULL, 0};
    const struct app_scene scene = app_state_scene(session->state);
    session->picture.scene = scene;
    session->picture.experiment = NULL;
    session->picture.lesson = session->context->lesson.steps > 0 ? &session->context->lesson : NULL;
    session->picture.source =
        cli_source_text(session->options, session->context, scene.experiment->layer, session->head,
                        &session->arena);
    if (!session->picture.describes) {
        return true;
    }
    const bool fits = app_session_fits(scene.experiment);
    if (fits && !app_session_text(&scene, &session->arena, &text, error)) {
        return false;
    }
    if (!fits || text.size > session_bytes_max) {
        cli_warn(session->options, "The experiment has too many numbers to lie in the picture.");
        return true;
    }
    session->picture.experiment = (const char *)text.at;
    return true;
}

/* Says whether the call draws one still: in a film, or of several, one may be as it is without an
 * option. */
static bool is_one_picture(const struct session *session)
{
    const struct cli_value *const value = session->options->value;
    return !session->figures->figure[0].moves && !value[CLI_ALL_STAGES].given &&
           !value[CLI_ALL_HEADS].given && !value[CLI_ALL_LAYERS].given;
}

/* Draws one picture of the state into every file that was named. */
static int draw_one(struct session *session)
{
    struct error error = {ERROR_NONE, 0, ""};
    int status = CLI_DONE;
    app_learn_tell(session->state);
    if (!put_session(session, &error)) {
        return cli_fail(&error);
    }
    if (session->layers.trace == NULL && cli_has_page(session->figures) &&
        !cli_page_layers_make(session->options, session->context, session->picture.scene.engine,
                              &session->layers, &error)) {
        return cli_fail(&error);
    }
    session->picture.layers = session->layers.count > 0 ? &session->layers : NULL;
    session->picture.changed = cli_page_changes(session->context, &session->arena);
    if (session->picture.step_figure == NULL && cli_has_page(session->figures) &&
        strcmp(session->picture.view, "window") == 0 &&
        !cli_page_draw_steps(session->scene, session->renderer, &session->step_arena,
                             &session->picture.step_figure, &error)) {
        return cli_fail(&error);
    }
    choose_size(session);
    if (is_one_picture(session) &&
        !cli_check_idle(session->options, session->renderer, &session->picture, &error)) {
        return cli_fail(&error);
    }
    for (size_t f = 0; status == CLI_DONE && f < session->figures->count; f++) {
        const struct cli_figure *const figure = &session->figures->figure[f];
        session->picture.format = figure->format;
        status = write_one(session, figure);
    }
    arena_reset(&session->arena);
    return status;
}

static int draw_stages(struct session *session)
{
    struct app_state *const state = session->state;
    const bool each = session->options->value[CLI_ALL_STAGES].given;
    const size_t stage = (size_t)state->view.playback.stage;
    int status = CLI_DONE;
    for (size_t s = each ? 0 : stage; status == CLI_DONE && s < (each ? LAB_STAGES : stage + 1);
         s++) {
        state->view.playback.stage = (enum lab_stage)s;
        app_state_clamp(state);
        status = draw_one(session);
    }
    state->view.playback.stage = (enum lab_stage)stage;
    return status;
}

/* Sets the layer and, where an experiment is one head, the head that the state shows. False: it
 * cannot. */
static bool show_head(struct session *session, size_t layer, size_t head, struct error *error)
{
    struct app_state *const state = session->state;
    const struct cli_context *const context = session->context;
    const bool other_head = context->sizes.one_head && head != session->head;
    session->head = head;
    if (context->sizes.layers > 0 && (layer != state->document.experiment.layer || other_head)) {
        struct lab_experiment experiment;
        if (!cli_context_layer(session->options, context, layer, head, &experiment, error)) {
            return false;
        }
        document_change(&state->document, &experiment, NULL, 0);
        app_settle_tasks(state, 0);
        lab_experiment_release(&experiment);
        if (state->document.trace == NULL) {
            return error_set(error, ERROR_INPUT, "%s", state->document.error.text);
        }
    }
    state->view.pinned.head = context->sizes.one_head ? 0 : head;
    return true;
}

static int draw_all(struct session *session)
{
    const struct cli_context *const context = session->context;
    const bool each_head = session->options->value[CLI_ALL_HEADS].given;
    const bool each_layer =
        session->options->value[CLI_ALL_LAYERS].given && context->sizes.layers > 0;
    const size_t heads = context->sizes.one_head
                             ? context->sizes.heads
                             : lab_trace_sizes(session->state->document.trace).heads;
    const size_t layer = context->layer, head = session->head;
    int status = CLI_DONE;
    for (size_t l = each_layer ? 0 : layer; l < (each_layer ? context->sizes.layers : layer + 1);
         l++) {
        for (size_t h = each_head ? 0 : head; h < (each_head ? heads : head + 1); h++) {
            struct error error = {ERROR_NONE, 0, ""};
            status = show_head(session, l, h, &error) ? draw_stages(session) : cli_fail(&error);
            if (status != CLI_DONE) {
                return status;
            }
        }
    }
    return status;
}

/* Writes a lesson's tasks, unless a step or a stage of it is asked for. */
static int write_worksheet(struct session *session, const struct cli_context *context)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct cli_value *const value = session->options->value;
    const bool whole =
        context->lesson.steps > 0 && !value[CLI_STAGE].given && !value[CLI_STEP].given;
    const struct app_worksheet worksheet = {
        .scene = app_state_scene(session->state),
        .lesson = whole ? &context->lesson : NULL,
        .title = context->lesson.steps > 0 ? context->lesson.title : "Attention by hand",
        .created = session->figures->created};
    struct bytes content = {NULL, 0};
    int status = CLI_DONE;
    for (size_t f = 0; status == CLI_DONE && f < session->figures->count; f++) {
        const struct cli_figure *const figure = &session->figures->figure[f];
        const bool is_page = figure->format != NULL && figure->format->is_page;
        if (!is_page && (figure->format == NULL || strcmp(figure->format->suffix, "pdf") != 0)) {
            error_set(&error, ERROR_USAGE,
                      "A worksheet is a PDF or a page: end \"%.60s\" in .pdf or .html.",
                      figure->name);
            return cli_fail(&error);
        }
        if (!(is_page ? app_page_worksheet(&worksheet, &session->arena, &content, &error)
                      : app_worksheet_print(&worksheet, &session->arena, &content, &error))) {
            return cli_fail(&error);
        }
        status = cli_write_file(figure->name, content, !is_page);
    }
    return status;
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for a picture.");
}

bool cli_scene_read(struct cli_scene *scene, struct error *error)
{
    scene->is_read = cli_experiment(scene->options, NULL, &scene->context, error);
    return scene->is_read && cli_check_picture(scene->options, scene->context.stage, error);
}

bool cli_scene_prepare(struct cli_scene *scene, struct error *error)
{
    struct app_state *const state = calloc(1, sizeof *state);
    if (state == NULL) {
        return no_memory(error);
    }
    if (!app_state_open(state, NULL, &scene->options->engine, error)) {
        free(state);
        return false;
    }
    scene->state = state;
    state->host = APP_HOST_IS_PICTURE;
    return prepare_scene(scene, error);
}

void cli_scene_close(struct cli_scene *scene)
{
    cli_overview_release(&scene->overview);
    if (scene->state != NULL) {
        app_state_close(scene->state);
        free(scene->state);
    }
    if (scene->is_read) {
        cli_context_release(&scene->context);
    }
    *scene = (struct cli_scene){0};
}

static int draw_all_figures(struct cli_scene *scene, const struct cli_figures *figures)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct cli_options *const options = scene->options;
    const struct cli_context *const context = &scene->context;
    struct session session = {.options = options,
                              .figures = figures,
                              .context = context,
                              .style = scene->style,
                              .scene = scene,
                              .head = context->sizes.one_head ? context->head
                                                              : context->selection.head};
    int status = CLI_FAILED;
    scene->only_pages = cli_are_all_pages(figures);
    if (cli_figures_check(figures, options,
                          context->sizes.one_head
                              ? context->sizes.heads
                              : lab_experiment_sizes(&context->experiment).heads,
                          context->sizes.layers, &error) &&
        cli_check_pages(options, figures, context, &error) &&
        cli_page_fill_lesson(options, figures, &scene->context, &error) &&
        check_letters(&session, &error) && check_style(&session, &error) &&
        cli_choose_figure(options, figures, scene->style, &session.picture, &error) &&
        cli_scene_prepare(scene, &error) &&
        (session.renderer = app_figure_renderer_open(&error)) != NULL &&
        cli_style_use_fonts(scene->style, session.renderer, &error)) {
        session.state = scene->state;
        status = options->value[CLI_WORKSHEET].given ? write_worksheet(&session, context)
                                                     : draw_all(&session);
        if (status == CLI_DONE) { /* otherwise the error stands alone */
            cli_print_shown_head(options, context);
        }
    } else {
        status = cli_fail(&error);
    }
    cli_page_layers_release(&session.layers);
    app_figure_renderer_close(session.renderer);
    arena_free(&session.arena);
    arena_free(&session.step_arena);
    return status;
}

int cli_render(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_figures figures;
    struct cli_style style = {0};
    if (cli_has_panels(options)) {
        return cli_render_panels(options);
    }
    struct cli_scene scene = {.options = options, .style = &style};
    int status = CLI_FAILED;
    if (cli_figures_read(options, &figures, &error) && cli_check_display(options, &error) &&
        cli_style_read(options, &style, &error) && cli_scene_read(&scene, &error)) {
        status = draw_all_figures(&scene, &figures);
    } else {
        status = cli_fail(&error);
    }
    cli_scene_close(&scene);
    cli_style_release(&style);
    return status;
}

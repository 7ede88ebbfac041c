/* cli/film.c — an animation of render: one file, or numbered pictures. */
#include "cli/film.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/draw/timeline.h"
#include "app/tasks/job.h"
#include "attn/attn.h"
#include "base/system/file.h"
#include "base/system/memory.h"
#include "base/system/terminal.h"
#include "base/translate.h"
#include "canvas/formats/animation_crew.h"
#include "cli/calls.h"

enum { DIGITS_MAX = 9 };

/* Training is shown in so many seconds at most, its last step for longer. */
enum { TRAINING_SECONDS = 12, LAST_SECONDS = 2 };

/* Twice as many pixels a point would make files that nobody sends. */
static const float film_scale = 1, film_paper_scale = 150 / 72.0f; /* pixels a point */

struct film {
    const struct cli_options *options;
    const struct cli_figure *figure;
    const char *name;
    struct app_figure_renderer *renderer;
    struct app_figure picture;
    struct app_state *state;
    struct view_state *view; /* the place of each picture: the state's, or a thread's own */
    struct app_timeline timeline;
    const struct cli_film_training *training; /* NULL: the film follows the timeline */
    size_t pictures;                          /* of training */
    char title[64];
    size_t number;   /* of the next numbered picture */
    struct rect ink; /* of all pictures, where they are cropped */
};

/* A picture of the film, and for how long it is shown. */
struct shown {
    double seconds;
    size_t copies; /* numbered pictures */
};

struct cli_number_field cli_number_field(const char *name)
{
    struct cli_number_field field = {strlen(name), 0, 0};
    for (const char *at = strchr(name, '%'); at != NULL; at = strchr(at + 1, '%')) {
        const size_t digits = strspn(at + 1, "0123456789");
        size_t width = 0;
        for (size_t i = 0; i < digits && digits <= DIGITS_MAX; i++) {
            width = 10 * width + (size_t)(at[1 + i] - '0');
        }
        if (at[1 + digits] == 'd' && digits <= DIGITS_MAX && width <= DIGITS_MAX) {
            field.start = (size_t)(at - name);
            field.length = digits + 2;
            field.width = width > 0 ? width : 1;
            return field;
        }
    }
    return field;
}

bool cli_film_check(const struct cli_options *options, const struct cli_figures *figures,
                    struct error *error)
{
    const struct cli_value *const value = options->value;
    const bool stages = value[CLI_FROM].given || value[CLI_TO].given;
    const bool training = value[CLI_FROM_STEP].given || value[CLI_TO_STEP].given;
    const bool given = stages || training || value[CLI_FPS].given;
    if (stages && training) {
        return error_set(error, ERROR_USAGE,
                         "Either stages (--from, --to) or steps of training (--from-step, "
                         "--to-step) follow each other.");
    }
    for (size_t f = 0; f < figures->count; f++) {
        const struct cli_figure *const figure = &figures->figure[f];
        const bool scrubs = /* a page has a slider for steps of training */
            figure->format != NULL && figure->format->is_page && training && !value[CLI_FPS].given;
        if (!figure->moves && !scrubs && given) {
            return error_set(error, ERROR_USAGE,
                             "--from, --to, --from-step, --to-step and --fps make an animation: "
                             "end \"%.40s\" in .webp or "
                             ".gif, or put %%04d into it.",
                             figure->name);
        }
    }
    return !value[CLI_FROM].given || !value[CLI_TO].given ||
           value[CLI_FROM].whole <= value[CLI_TO].whole ||
           error_set(error, ERROR_USAGE, "--from %.20s comes after --to %.20s.",
                     value[CLI_FROM].text, value[CLI_TO].text);
}

static struct app_timeline timeline_of(const struct film *film)
{
    const struct cli_value *const value = film->options->value;
    const enum lab_stage present = film->state->view.playback.stage;
    const enum lab_stage from =
        value[CLI_FROM].given ? (enum lab_stage)value[CLI_FROM].whole : present;
    const enum lab_stage to = value[CLI_TO].given     ? (enum lab_stage)value[CLI_TO].whole
                              : value[CLI_FROM].given ? LAB_STAGES - 1
                                                      : present;
    return (struct app_timeline){
        .from = from < to ? from : to, .to = to, .rate = (unsigned)value[CLI_FPS].whole};
}

/* Prints on one line how far the film is. */
static void print_progress(const struct film *film, size_t at, size_t count)
{
    if (system_is_terminal(SYSTEM_ERRORS) && !film->options->value[CLI_QUIET].given) {
        fprintf(stderr, at < count ? "\rpicture %zu of %zu" : "\r\033[K", at + 1, count);
    }
}

/* ---- steps of training ---- */

static size_t count_steps(const struct film *film)
{
    const size_t most = TRAINING_SECONDS * (size_t)film->timeline.rate;
    const uint64_t steps = film->training->last - film->training->first + 1;
    return steps < most ? (size_t)steps : most;
}

/* Sets the weights of picture i of the film, and its step as the title. */
static bool show_step(struct film *film, size_t index, struct error *error)
{
    const struct cli_film_training *const training = film->training;
    const uint64_t way = training->last - training->first;
    const uint64_t step =
        training->first + (film->pictures > 1 ? way * index / (film->pictures - 1) : 0);
    if (!training->show(training->owner, step, error)) {
        return false;
    }
    if (!film->options->value[CLI_TITLE].given && !film->options->value[CLI_FIGURE].given) {
        snprintf(film->title, sizeof film->title, tr("Step %zu of training"), (size_t)step);
        film->state->view.frame.title = film->title;
    }
    film->picture.scene = app_state_scene(film->state);
    return true;
}

/* ---- any film ---- */

static size_t count_pictures(const struct film *film)
{
    return film->training != NULL ? film->pictures : app_timeline_count(&film->timeline);
}

static double count_seconds(const struct film *film)
{
    return film->training != NULL ? (double)film->pictures / film->timeline.rate + LAST_SECONDS
                                  : app_timeline_seconds(&film->timeline);
}

static bool show_picture(struct film *film, size_t index, struct shown *shown, struct error *error)
{
    if (film->training != NULL) {
        const bool last = index + 1 == film->pictures;
        const unsigned rate = film->timeline.rate;
        *shown = (struct shown){1.0 / rate + (last ? LAST_SECONDS : 0),
                                1 + (last ? LAST_SECONDS * (size_t)rate : 0)};
        return show_step(film, index, error);
    }
    const struct app_timeline_picture next = app_timeline_at(&film->timeline, index);
    *shown = (struct shown){next.seconds, next.copies};
    app_timeline_show(&next.playback, &film->view->playback);
    return true;
}

static bool draw_picture(struct film *film, size_t index, struct app_sheet *sheet,
                         struct shown *shown, struct error *error)
{
    return show_picture(film, index, shown, error) &&
           app_figure_renderer_draw(film->renderer, &film->picture, sheet, error);
}

static struct rect add_ink(struct rect ink, struct rect more)
{
    if (ink.w <= 0) {
        return more;
    }
    const float left = fminf(ink.x, more.x), right = fmaxf(ink.x + ink.w, more.x + more.w);
    const float top = fminf(ink.y, more.y), bottom = fmaxf(ink.y + ink.h, more.y + more.h);
    return (struct rect){left, top, right - left, bottom - top};
}

/* Finds the rectangle round what any of the pictures shows: all are cropped alike, so that nothing
 * jumps. */
static bool find_ink(struct film *film, struct error *error)
{
    static const struct rect paper = {0, 0, FLT_MAX, FLT_MAX};
    const size_t count = film->picture.extent == APP_EXTENT_PAPER ? 0 : count_pictures(film);
    bool found = true;
    film->picture.ink = &paper;
    for (size_t i = 0; found && i < count; i++) {
        struct shown shown;
        struct app_sheet sheet;
        found = draw_picture(film, i, &sheet, &shown, error);
        if (found) {
            film->ink = add_ink(film->ink, canvas_content(sheet.canvas));
        }
    }
    film->picture.ink = &film->ink;
    return found;
}

/* --- numbered pictures --- */

static int write_numbered(struct film *film, size_t copies)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes content = {NULL, 0};
    struct arena arena = {0};
    const struct cli_number_field field = cli_number_field(film->name);
    int status = app_figure_renderer_print(film->renderer, &film->picture, &arena, &content, &error)
                     ? CLI_DONE
                     : cli_fail(&error);
    for (size_t copy = 0; status == CLI_DONE && copy < copies; copy++) {
        const char *const path =
            arena_format(&arena, "%.*s%0*zu%s", (int)field.start, film->name, (int)field.width,
                         ++film->number, film->name + field.start + field.length);
        if (path == NULL) {
            error_set(&error, ERROR_MEMORY, "There is not enough memory for a picture.");
            status = cli_fail(&error);
        } else {
            status = cli_write_file(path, content, !film->figure->format->is_text);
        }
    }
    arena_free(&arena);
    return status;
}

static int write_all_numbered(struct film *film)
{
    const size_t count = count_pictures(film);
    struct error error = {ERROR_NONE, 0, ""};
    int status = find_ink(film, &error) ? CLI_DONE : cli_fail(&error);
    for (size_t i = 0; status == CLI_DONE && i < count; i++) {
        struct shown shown;
        print_progress(film, i, count);
        status = show_picture(film, i, &shown, &error) ? write_numbered(film, shown.copies)
                                                       : cli_fail(&error);
    }
    print_progress(film, count, count);
    return status;
}

/* --- one file --- */

/* The pictures that one thread draws: all after `former` up to `last`. */
struct stretch {
    struct film film; /* has a renderer of its own */
    struct view_state view;
    struct animation *animation; /* follows that of the first stretch */
    size_t former, last;
    struct app_job *job;
    bool drawn;
    struct error error;
};

enum { STRETCHES_MAX = 16, PICTURES_MIN = 8 /* of a stretch: its first two are drawn whole */ };

static bool add_picture(struct film *film, size_t index, struct animation *animation,
                        struct error *error)
{
    struct app_sheet sheet;
    struct shown shown;
    return draw_picture(film, index, &sheet, &shown, error) &&
           animation_add(animation, sheet.player, sheet.canvas, shown.seconds, error);
}

static void draw_stretch(struct app_job *job, void *subject)
{
    struct stretch *const stretch = subject;
    stretch->drawn = true;
    for (size_t i = stretch->former; stretch->drawn && i <= stretch->last; i++) {
        stretch->drawn = !app_job_is_cancelled(job) &&
                         add_picture(&stretch->film, i, stretch->animation, &stretch->error);
    }
}

static void close_stretches(struct stretch *stretch, size_t count)
{
    for (size_t s = 0; s < count; s++) {
        if (stretch[s].job != NULL) {
            app_job_cancel(stretch[s].job);
        }
        app_job_finish(stretch[s].job);
        animation_close(stretch[s].animation);
        app_figure_renderer_close(stretch[s].film.renderer);
    }
    free(stretch);
}

/* Returns how long the pictures before this one are shown. */
static double seconds_before(const struct film *film, size_t index)
{
    double seconds = 0;
    for (size_t i = 0; i < index; i++) {
        seconds += app_timeline_at(&film->timeline, i).seconds;
    }
    return seconds;
}

/* Starts the other threads and returns the number of their stretches. This thread draws the
 * pictures that no other thread could be had for, up to *last. */
static struct stretch *begin_stretches(const struct film *film, const struct animation *first,
                                       size_t *count, size_t *last)
{
    const size_t pictures = count_pictures(film), threads = attn_threads_default();
    const size_t most =
        pictures / PICTURES_MIN < STRETCHES_MAX ? pictures / PICTURES_MIN : STRETCHES_MAX;
    const size_t all = threads < most ? threads : most;
    struct stretch *const stretch = all > 1 ? calloc(all - 1, sizeof *stretch) : NULL;
    *count = 0;
    *last = pictures - 1;
    for (size_t s = stretch == NULL ? 0 : all - 1; s > 0; s--) { /* the last ones first */
        struct stretch *const now = &stretch[*count];
        now->film = *film;
        now->view = film->state->view;
        now->film.view = &now->view;
        now->film.picture.scene.view = &now->view;
        now->former = pictures * s / all - 1;
        now->last = *last;
        now->film.renderer = app_figure_renderer_open(NULL);
        now->animation = now->film.renderer == NULL
                             ? NULL
                             : animation_follow(first, seconds_before(film, now->former), NULL);
        now->job = now->animation == NULL ? NULL : app_job_start(draw_stretch, now);
        if (now->job == NULL) {
            animation_close(now->animation);
            app_figure_renderer_close(now->film.renderer);
            break;
        }
        *last = now->former;
        ++*count;
    }
    return stretch;
}

/* Waits for the other threads, and appends their pictures in order. */
static bool join_stretches(struct stretch *stretch, size_t count, struct animation *first,
                           struct error *error)
{
    bool joined = true;
    for (size_t s = count; joined && s-- > 0;) {
        app_job_finish(stretch[s].job);
        stretch[s].job = NULL;
        joined = stretch[s].drawn
                     ? animation_join(first, stretch[s].animation, error)
                     : error_set(error, stretch[s].error.code, "%s", stretch[s].error.text);
    }
    return joined;
}

/* Adds the pictures of stages, which several threads can lay out, each with a moment of its own. */
static bool add_stages(struct film *film, const struct app_sheet *first, double seconds,
                       struct animation *animation, struct error *error)
{
    size_t count = 0, last = 0;
    struct stretch *const stretch = begin_stretches(film, animation, &count, &last);
    bool added = animation_add(animation, first->player, first->canvas, seconds, error);
    for (size_t i = 1; added && i <= last; i++) {
        print_progress(film, i, last + 1);
        added = add_picture(film, i, animation, error);
    }
    added = added && join_stretches(stretch, count, animation, error);
    close_stretches(stretch, count);
    return added;
}

/* Adds the pictures of training, whose weights go from step to step on this thread while all
 * threads draw. */
static bool add_steps(struct film *film, const struct app_sheet *first, double seconds,
                      struct animation *animation, struct error *error)
{
    struct animation_crew *const crew =
        animation_crew_open(animation, attn_threads_default(), error);
    struct app_sheet sheet = *first;
    struct shown shown = {.seconds = seconds};
    bool added = crew != NULL;
    for (size_t i = 0; added && i < count_pictures(film); i++) {
        print_progress(film, i, count_pictures(film));
        added = (i == 0 || draw_picture(film, i, &sheet, &shown, error)) &&
                animation_crew_add(crew, sheet.player, sheet.canvas, shown.seconds, error);
    }
    added = added && animation_crew_end(crew, error);
    animation_crew_close(crew);
    return added;
}

static bool add_all(struct film *film, struct arena *arena, struct animation **animation,
                    struct error *error)
{
    struct app_sheet sheet;
    struct shown shown;
    film->view->playback.ticks = APP_TIMELINE_TICKS;
    if (!find_ink(film, error) || !draw_picture(film, 0, &sheet, &shown, error)) {
        return false;
    }
    const struct render_figure figure = app_picture_figure(&film->picture, &sheet, arena);
    *animation = animation_open(film->figure->animation, &figure, canvas_width(sheet.canvas),
                                canvas_height(sheet.canvas), error);
    if (*animation == NULL) {
        return false;
    }
    return film->training != NULL ? add_steps(film, &sheet, shown.seconds, *animation, error)
                                  : add_stages(film, &sheet, shown.seconds, *animation, error);
}

static int write_animation(struct film *film)
{
    system_memory_keep();
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes content = {NULL, 0};
    struct arena arena = {0};
    struct animation *animation = NULL;
    const bool drawn = add_all(film, &arena, &animation, &error) &&
                       animation_end(animation, &arena, &content, &error);
    print_progress(film, 1, 1);
    const int status = drawn ? cli_write_file(film->name, content, true) : cli_fail(&error);
    if (status == CLI_DONE) {
        cli_print_verbose(film->options, "%s: %s, %zu pictures, %.1f s, %zu bytes", film->name,
                          film->figure->animation->title, count_pictures(film), count_seconds(film),
                          content.size);
    }
    animation_close(animation);
    arena_free(&arena);
    return status;
}

int cli_film_write(const struct cli_options *options, const struct cli_film_training *training,
                   const struct cli_figure *figure, const char *name,
                   struct app_figure_renderer *renderer, const struct app_figure *picture,
                   struct app_state *state)
{
    struct film film = {.options = options,
                        .training = training,
                        .figure = figure,
                        .name = name,
                        .renderer = renderer,
                        .picture = *picture,
                        .state = state,
                        .view = &state->view};
    const struct playback before = state->view.playback;
    const char *const title = state->view.frame.title;
    const bool scaled =
        options->value[CLI_PARAM(SCALE)].number > 0 || options->value[CLI_DPI].given;
    film.timeline = timeline_of(&film);
    film.pictures = training == NULL ? 0 : count_steps(&film);
    film.picture.format = figure->format;
    const bool paper = options->value[CLI_SIZE].given && options->value[CLI_SIZE].whole != 0;
    film.picture.scale = scaled ? picture->scale : paper ? film_paper_scale : film_scale;
    if (figure->animation == NULL) {
        film.picture.experiment = NULL; /* the same in hundreds of pictures would be of no use */
    }
    const int status =
        figure->animation != NULL ? write_animation(&film) : write_all_numbered(&film);
    app_timeline_show(&before, &state->view.playback);
    state->view.playback.ticks = before.ticks;
    state->view.frame.title = title;
    return status;
}

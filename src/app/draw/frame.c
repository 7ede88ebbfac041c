/* Keeps what a frame owns from picture to picture, and draws a picture into its list. */
#include "app/draw/frame.h"

#include <math.h>
#include <stdlib.h>

#include "app/draw/frame_internal.h"
#include "canvas/draw/script.h"
#include "view/parts/colours.h"

struct app_frame *app_frame_open(struct fonts *fonts, struct error *error)
{
    struct app_frame *frame = calloc(1, sizeof *frame);
    struct canvas *canvas = canvas_open(fonts);
    if (frame == NULL || canvas == NULL) {
        canvas_close(canvas);
        free(frame);
        error_set(error, ERROR_MEMORY, "There is not enough memory for a picture.");
        return NULL;
    }
    frame->canvas = canvas;
    frame->fonts = fonts;
    frame->axes = view_axes_open();
    frame->downsamples = view_downsample_cache_open();
    frame->thumbnails = view_thumbnail_cache_open();
    frame->tiles = view_tiles_open();
    frame->kinds = view_kinds_open();
    return frame;
}

void app_frame_close(struct app_frame *frame)
{
    if (frame != NULL) {
        canvas_close(frame->canvas);
        arena_free(&frame->arena);
        arena_free(&frame->copied);
        view_axes_close(frame->axes);
        view_downsample_cache_close(frame->downsamples);
        view_thumbnail_cache_close(frame->thumbnails);
        view_tiles_close(frame->tiles);
        view_kinds_close(frame->kinds);
        lab_trace_release(frame->topped);
        free(frame);
    }
}

const char *app_frame_notice(const struct app_frame *frame)
{
    return frame->notice;
}

const struct canvas *app_frame_canvas(const struct app_frame *frame)
{
    return frame->canvas;
}

struct app_frame_facts app_frame_facts(const struct app_frame *frame)
{
    return frame->facts;
}

bool app_frame_is_whole(const struct app_frame *frame)
{
    return !canvas_failed(frame->canvas) && !frame->arena.lacking && !frame->size_lacks &&
           fonts_losses(frame->fonts) == frame->losses;
}

/* The largest weight of all heads, and that which few exceed, counted once for a trace. */
static void measure_tops(struct app_frame *frame, const struct lab_trace *trace)
{
    if (frame->topped == trace) {
        return;
    }
    float top = 0, common = 0;
    for (size_t head = 0; head < lab_trace_sizes(trace).heads; head++) {
        const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, head);
        top = fmaxf(top, lab_measure_peak(&alpha));
        common = fmaxf(common, lab_measure_common_peak(&alpha));
    }
    lab_trace_release(frame->topped);
    frame->topped = lab_trace_keep(trace);
    frame->top = top > 0 ? top : 1;
    frame->common_top = common > 0 ? view_tick_above(common) : frame->top;
}

/* Returns whether a weight that can be seen is smaller. */
static bool has_smaller(const struct lab_trace *trace, float low)
{
    for (size_t head = 0; head < lab_trace_sizes(trace).heads; head++) {
        const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, head);
        for (size_t i = 0; i < alpha.rows; i++) {
            for (size_t j = 0; j < alpha.cols; j++) {
                if (lab_matrix_at(&alpha, i, j) < low && lab_trace_sees(trace, i, j)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Says whether the matrix that is shown holds shares, rather than numbers of either sign. */
static bool has_shares(const struct app_scene *scene)
{
    return scene->trace == NULL || lab_has_shares(lab_trace_experiment(scene->trace));
}

/* The weight of the last colour. A figure does not leave most weights pale for the sake of a few,
 * nor does a window of many words. */
static float share_top(struct app_frame *frame, const struct app_scene *scene, bool *over)
{
    static const float FEW = 0.7f; /* a smaller part of the largest weight is worth saying */
    enum { MANY_WORDS = 256 };
    const struct view_prefs *const prefs = &scene->view->prefs;
    *over = false;
    if (prefs->cells.share_high > 0) {
        if (scene->trace != NULL) {
            measure_tops(frame, scene->trace);
            *over = frame->top > prefs->cells.share_high;
        }
        return prefs->cells.share_high;
    }
    if (scene->trace == NULL || (!prefs->range_by_content && has_shares(scene))) {
        return 1;
    }
    measure_tops(frame, scene->trace);
    if (!has_shares(scene)) {
        const float asked = prefs->cells.signed_top;
        *over = asked > 0 && asked < frame->top;
        return asked > 0 ? asked : frame->top;
    }
    const bool many = lab_trace_sizes(scene->trace).n >= MANY_WORDS;
    *over = (scene->view->frame.borderless || many) && !prefs->display.logarithmic &&
            frame->common_top < FEW * frame->top;
    return *over ? frame->common_top : frame->top;
}

/* Only the traces that are shown keep their copies: a layer of a large model is hundreds of
 * megabytes. */
static void leave_former(struct app_frame *frame, const struct app_scene *scene)
{
    view_downsample_cache_follow(frame->downsamples, scene->trace, scene->baseline);
    view_tiles_follow(frame->tiles, scene->trace, scene->baseline);
    view_kinds_follow(frame->kinds, scene->trace);
    if (frame->topped != scene->trace) {
        lab_trace_release(frame->topped);
        frame->topped = NULL;
    }
}

struct view frame_view(struct app_frame *frame, struct ui *ui, const struct app_scene *scene)
{
    leave_former(frame, scene);
    const struct view_state *const state = scene->view;
    const struct view_scale *const shared = state->frame.scale;
    bool over = false;
    float top = share_top(frame, scene, &over);
    const bool shares = has_shares(scene);
    float low = shares ? state->prefs.cells.share_low : -top;
    bool under =
        scene->trace != NULL && (shares ? low > 0 : over) && has_smaller(scene->trace, low);
    if (shared != NULL && shared->is_share) {
        top = shared->top;
        low = shared->low;
        over = shared->over;
        under = shared->under;
    }
    struct view view = {
        .ui = ui,
        .arena = &frame->arena,
        .experiment = scene->experiment,
        .pending = scene->pending,
        .trace = scene->trace,
        .why = scene->why,
        .baseline = scene->baseline,
        .compares_change = scene->compares_change,
        .state = state,
        .selection = app_scene_selection(scene),
        .axes = frame->axes,
        .downsamples = frame->downsamples,
        .thumbnails = frame->thumbnails,
        .tiles = frame->tiles,
        .kinds = frame->kinds,
        .is_signed = !shares,
        .share_low = low,
        .share_top = top,
        .share_map = shares ? state->prefs.weights_map : state->prefs.signed_map,
        .is_logarithmic = shares && state->prefs.display.logarithmic,
        .share_over = over,
        .share_under = under,
        .emphasis = !state->let_go || state->hovered_parts != 0,
        .zoom = 1,
    };
    view.style = view_style(&view, false);
    return view;
}

/* A tablet may say that its pen is nowhere; what is far away is far enough at a million points. */
static float within_reach(float place)
{
    const float far = 1e6f;
    return isnan(place) ? -far : fminf(fmaxf(place, -far), far);
}

struct ui_input frame_zoomed(const struct ui_input *input, float zoom)
{
    struct ui_input record = *input;
    record.width /= zoom;
    record.height /= zoom;
    record.x = within_reach(record.x / zoom);
    record.y = within_reach(record.y / zoom);
    record.scale *= zoom;
    return record;
}

void frame_draw(struct app_frame *frame, struct view *view, struct ui *ui,
                const struct ui_input *input, const struct ui_theme *theme,
                const struct view_picture *picture)
{
    arena_reset(&frame->arena);
    frame->losses = fonts_losses(frame->fonts);
    canvas_begin(frame->canvas, input->width, input->height);
    canvas_script_min_size(frame->canvas, frame->min_index_size);
    ui_begin(ui, &frame->memory, input, frame->canvas, theme);
    ui->is_figure = !view->style.has_controls;
    view_figure(view, picture, (struct rect){0, 0, input->width, input->height});
    ui_end(ui);
}

/* Views are measured on an empty list as large as a window. */
static const struct ui_input measured = {
    .width = 1440, .height = 900, .scale = 1, .reduce_motion = true};

static struct view begin_measuring(struct app_frame *frame, struct ui *ui,
                                   const struct app_scene *scene)
{
    const struct view view = frame_view(frame, ui, scene);
    arena_reset(&frame->arena);
    canvas_begin(frame->canvas, measured.width, measured.height);
    ui_begin(ui, &frame->memory, &measured, frame->canvas, scene->theme);
    return view;
}

struct point app_frame_size(struct app_frame *frame, const struct app_scene *scene,
                            const struct view_picture *picture)
{
    struct ui ui;
    if (picture->size == NULL) {
        return (struct point){measured.width, measured.height};
    }
    struct view view = begin_measuring(frame, &ui, scene);
    const struct point size = picture->size(&view);
    frame->size_lacks = frame->arena.lacking || canvas_failed(frame->canvas);
    return size;
}

bool app_frame_scale(struct app_frame *frame, const struct app_scene *scene,
                     const struct view_picture *picture, struct view_scale *scale)
{
    struct ui ui;
    if (picture->scale == NULL) {
        return false;
    }
    struct view view = begin_measuring(frame, &ui, scene);
    return picture->scale(&view, scale);
}

struct app_frame_room app_frame_picture(struct app_frame *frame, const struct app_scene *scene,
                                        const struct view_picture *picture,
                                        const struct app_frame_paper *paper)
{
    const float width = paper->width, height = paper->height;
    const float window =
        picture->draw == view_screen ? app_view_zoom(&scene->view->prefs, width, height) : 1;
    const float zoom = window * (paper->font_size > 0 ? paper->font_size / UI_TEXT_BODY : 1);
    const struct ui_input whole = {
        .width = width, .height = height, .scale = paper->scale, .reduce_motion = true};
    const struct ui_input input = frame_zoomed(&whole, zoom);
    struct ui ui;
    struct view view = frame_view(frame, &ui, scene);
    const float letters = UI_TEXT_TINY * zoom;
    const bool is_figure = picture->draw != view_screen;
    view.fills_width = is_figure && paper->fills;
    view.zoom = zoom;
    const float min = paper->min_font_size > 0 ? paper->min_font_size : APP_FONT_SIZE_MIN;
    view.min_font_size = is_figure ? fminf(min, letters) / zoom : 0;
    view.style = view_style(&view, is_figure);
    frame->min_index_size = is_figure ? fminf(APP_FONT_SIZE_MIN, letters) / zoom : 0;
    /* That names are left out takes a line, which may leave out more of them. */
    for (size_t round = 0; round < 4 && (round == 0 || view.names_every > view.names_listed ||
                                         (view.points_named < view.points && !view.points_listed));
         round++) {
        view.names_listed = view.names_every;
        view.points_listed = view.points_named < view.points;
        view.names_every = view.points_named = view.points = 0;
        view.actions = 0;
        view.lacks = 0;
        view.notice = NULL;
        view.cells = (struct rect){0};
        frame->memory = (struct ui_memory){0};
        frame_draw(frame, &view, &ui, &input, scene->theme, picture);
    }
    if (zoom != 1) {
        canvas_enlarge(frame->canvas, zoom);
    }
    frame->notice = view.notice;
    return (struct app_frame_room){
        .lacks = view.lacks,
        .names_every = view.names_every > 1 ? view.names_every : 1,
        .cells = {view.cells.x * zoom, view.cells.y * zoom, view.cells.w * zoom,
                  view.cells.h * zoom},
        .rows = view.cell_rows,
        .columns = view.cell_columns,
    };
}

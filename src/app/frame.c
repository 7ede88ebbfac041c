#include "app/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/autosave.h"
#include "app/change.h"
#include "app/errand.h"
#include "app/export.h"
#include "app/import_dialog.h"
#include "app/keys.h"
#include "app/open_model.h"
#include "app/paste.h"
#include "app/travel.h"
#include "view/overview/thumbnail.h"
#include "view/parts/downsample.h"
#include "view/sheets/kinds.h"
#include "view/space/space_axes.h"
#include "view/stage/tiles.h"

enum { PASSES_MAX = 6 };

static const double FRAME_SECONDS = 1.0 / 60, WORK_SECONDS = 0.05;

struct app_frame {
    struct canvas *canvas;
    struct fonts *fonts;
    struct arena arena;  /* of one pass */
    struct arena copied; /* what facts.copied points into */
    struct ui_memory memory;
    struct app_frame_facts facts;
    struct view_axes *axes;
    struct view_downsample_cache *pools;
    struct view_thumbnail_cache *thumbnails;
    struct view_tiles *tiles;
    struct view_kinds *kinds;
    bool size_lacks;                /* memory did not suffice to find the size of a picture */
    size_t losses;                  /* of the fonts, before the list was drawn */
    bool rests;                     /* a key moved what is seen while the pointer lay still … */
    float rest_x, rest_y;           /* … here: what it points at by chance does not count */
    double said_until;              /* the line at the bottom that was said last, and … */
    size_t said_changes;            /* … how many experiments had been put by then */
    const struct lab_trace *topped; /* whose largest weight `top` is; a reference */
    float top;
};

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
    frame->pools = view_downsample_cache_open();
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
        view_downsample_cache_close(frame->pools);
        view_thumbnail_cache_close(frame->thumbnails);
        view_tiles_close(frame->tiles);
        view_kinds_close(frame->kinds);
        lab_trace_release(frame->topped);
        free(frame);
    }
}

const struct canvas *app_frame_canvas(const struct app_frame *frame)
{
    return frame->canvas;
}

bool app_frame_is_whole(const struct app_frame *frame)
{
    return !canvas_failed(frame->canvas) && !frame->arena.lacking && !frame->size_lacks &&
           fonts_losses(frame->fonts) == frame->losses;
}

struct app_frame_facts app_frame_facts(const struct app_frame *frame)
{
    return frame->facts;
}

/* The largest weight of all heads, counted once for a trace. */
static float share_top(struct app_frame *frame, const struct app_state *state)
{
    if (state->view.cells.share_high > 0) {
        return state->view.cells.share_high;
    }
    if (!state->view.range_by_content || state->trace == NULL) {
        return 1;
    }
    if (frame->topped == state->trace) {
        return frame->top;
    }
    float top = 0;
    for (size_t head = 0; head < lab_trace_sizes(state->trace).heads; head++) {
        const struct lab_matrix alpha = lab_trace_part(state->trace, LAB_ALPHA, head);
        top = fmaxf(top, lab_measure_peak(&alpha));
    }
    lab_trace_release(frame->topped);
    frame->topped = lab_trace_keep(state->trace);
    frame->top = top > 0 ? top : 1;
    return frame->top;
}

static struct view view_of(struct app_frame *frame, struct ui *ui, const struct app_state *state)
{
    return (struct view){
        .ui = ui,
        .arena = &frame->arena,
        .experiment = &state->experiment,
        .pending = app_change_present(state),
        .trace = state->trace,
        .why =
            state->trace == NULL && state->trouble.code != ERROR_NONE ? state->trouble.text : NULL,
        .baseline = state->baseline,
        .state = &state->view,
        .selection = app_state_selection(state),
        .axes = frame->axes,
        .downsamples = frame->pools,
        .thumbnails = frame->thumbnails,
        .tiles = frame->tiles,
        .kinds = frame->kinds,
        .share_low = state->view.cells.share_low,
        .share_top = share_top(frame, state),
        .emphasis = !state->view.let_go || state->view.hovered_parts != 0,
    };
}

/* A tablet may say that its pen is nowhere; what is far away is far enough at a million points. */
static float within_reach(float place)
{
    const float far = 1e6f;
    return isnan(place) ? -far : fminf(fmaxf(place, -far), far);
}

static struct ui_input zoomed(const struct ui_input *input, float zoom)
{
    struct ui_input record = *input;
    record.width /= zoom;
    record.height /= zoom;
    record.x = within_reach(record.x / zoom);
    record.y = within_reach(record.y / zoom);
    record.scale *= zoom;
    return record;
}

/* Draws a picture into the empty list. */
static void draw(struct app_frame *frame, struct view *view, struct ui *ui,
                 const struct ui_input *input, const struct ui_theme *theme,
                 const struct view_picture *picture)
{
    arena_reset(&frame->arena);
    frame->losses = fonts_losses(frame->fonts);
    canvas_begin(frame->canvas, input->width, input->height);
    ui_begin(ui, &frame->memory, input, frame->canvas, theme);
    ui->still = view->still;
    view_figure(view, picture, (struct rect){0, 0, input->width, input->height});
    ui_end(ui);
}

static bool apply_actions(struct app_state *state, const struct view *view, bool rests, double time)
{
    bool changed = false, hovers = false;
    for (size_t i = 0; i < view->actions; i++) {
        if (rests && view->action[i].kind == VIEW_ACTION_HOVER) {
            continue;
        }
        hovers = hovers || view->action[i].kind == VIEW_ACTION_HOVER;
        changed = app_state_apply(state, &view->action[i], time) || changed;
    }
    if (!hovers && state->view.hovered_parts != 0) {
        state->view.hovered_parts = 0;
        changed = true;
    }
    return changed;
}

/* What was done is done once: later passes of a frame only see where the hands are. */
static void strip(struct ui_input *input)
{
    input->pressed = input->released = 0;
    input->clicks = 0;
    input->wheel_x = input->wheel_y = 0;
    input->pinch = input->slide_x = input->slide_y = 0;
    input->strokes = 0;
    input->text = input->paste = NULL;
}

static void keep_copied(struct app_frame *frame, const char *text)
{
    if (text != NULL) {
        frame->facts.copied = arena_text(&frame->copied, text, strlen(text));
    }
}

static void note_facts(struct app_frame *frame, const struct ui *ui)
{
    struct app_frame_facts *facts = &frame->facts;
    facts->cursor = ui->cursor;
    facts->wants_text = ui->wants_text;
    facts->text_area = ui->text_area;
    facts->wants_paste = facts->wants_paste || ui->wants_paste;
    facts->wake = ui->wake;
    keep_copied(frame, ui->copied);
}

/* Something was done in this record, not only pointed at. */
static bool has_edges(const struct ui_input *input)
{
    return (input->pressed | input->released) != 0 || input->wheel_x != 0 || input->wheel_y != 0 ||
           input->pinch != 0 || input->slide_x != 0 || input->slide_y != 0 || input->strokes > 0 ||
           input->text != NULL || input->paste != NULL;
}

/* The pointer that lay still is heard again when it moves or does anything. */
static void hear_pointer(struct app_frame *frame, const struct ui_input *input)
{
    const float most = 3;
    const bool acts = (input->pressed | input->down) != 0 || input->wheel_y != 0 || !input->inside;
    const float away = fabsf(input->x - frame->rest_x) + fabsf(input->y - frame->rest_y);
    frame->rests = frame->rests && !acts && away <= most;
}

static bool same_selection(const struct lab_selection *a, const struct lab_selection *b)
{
    return a->head == b->head && a->query == b->query && a->key == b->key &&
           a->channel == b->channel && a->projected == b->projected;
}

/* What keys do. When they lead elsewhere, what then lies under the pointer was not pointed at. */
static bool apply_keys(struct app_frame *frame, struct app_state *state,
                       const struct ui_input *input)
{
    const struct view_state *const view = &state->view;
    const struct lab_selection pinned = view->pinned;
    const enum lab_stage stage = view->stage;
    const size_t step = state->step;
    const bool let_go = view->let_go;
    const bool changed = app_keys_apply(state, input);
    if (stage != view->stage || step != state->step || let_go != view->let_go ||
        !same_selection(&pinned, &view->pinned)) {
        frame->rests = input->down == 0;
        frame->rest_x = input->x;
        frame->rest_y = input->y;
    }
    return changed;
}

/* A line at the bottom goes when the experiment it spoke of has been changed. */
static void forget_message(struct app_frame *frame, struct app_state *state)
{
    const bool fresh = frame->said_until != state->message_until;
    if (fresh) {
        frame->said_until = state->message_until;
        frame->said_changes = state->changes;
    } else if (state->changes != frame->said_changes) {
        state->view.message = NULL;
    }
}

/* One pass: draws, and does what was wished. True when something changed by it. */
static bool pass(struct app_frame *frame, struct app_state *state, const struct ui_input *input)
{
    struct ui ui;
    forget_message(frame, state);
    struct view view = view_of(frame, &ui, state);
    draw(frame, &view, &ui, input, state->theme, view_picture_at(0));
    note_facts(frame, &ui);
    hear_pointer(frame, input);
    bool changed = apply_actions(state, &view, frame->rests, input->time);
    if (!ui.keys_taken && input->strokes > 0) {
        changed = apply_keys(frame, state, input) || changed;
    }
    if (input->paste != NULL && state->awaits_paste) {
        app_paste(state, input->paste, input->time);
        changed = true;
    }
    state->awaits_paste = state->request.paste || (state->awaits_paste && !has_edges(input));
    frame->facts.wants_paste = frame->facts.wants_paste || state->request.paste;
    state->request.paste = false;
    if (state->request.copy != NULL) {
        frame->facts.copied = state->request.copy; /* perhaps many MB; it stays till the next one */
    }
    state->request.copy = NULL;
    return changed;
}

/* Where the pointer was in the last frame is asked by what it drags and by an open menu only. */
static void forget_pointer(struct ui_memory *memory, const struct ui_input *input)
{
    if (memory->active == 0 && memory->open == 0 && input->down == 0) {
        memory->pointer_x = input->x;
        memory->pointer_y = input->y;
    }
}

/* What a pass draws follows from the record, the state and the memory alone. When a pass without
 * edges leaves both as they were, the next would draw the very same. */
static bool pass_settles(struct app_frame *frame, struct app_state *state,
                         const struct ui_input *input)
{
    forget_pointer(&frame->memory, input);
    struct ui_memory memory;
    struct view_state shown;
    memcpy(&memory, &frame->memory, sizeof memory);
    memcpy(&shown, &state->view, sizeof shown);
    const bool changed = pass(frame, state, input);
    return !changed && !has_edges(input) && memcmp(&memory, &frame->memory, sizeof memory) == 0 &&
           memcmp(&shown, &state->view, sizeof shown) == 0;
}

static double earlier(double a, double b)
{
    return a == 0 ? b : b == 0 ? a : fmin(a, b);
}

/* What is done beside the window. True while any of it is under way. */
static bool advance_works(struct app_state *state, double time)
{
    const bool changes = app_change_advance(state, time);
    const bool travels = app_travel_advance(state);
    const bool runs = app_errand_advance(state, time);
    const bool works = app_open_model_advance(state, time) || changes || travels || runs;
    const struct view_work *const told[] = {app_change_shown(state), app_travel_shown(state),
                                            app_errand_shown(state)};
    state->view.work = NULL;
    for (size_t w = 0; w < sizeof told / sizeof *told && state->view.work == NULL; w++) {
        state->view.work = told[w];
    }
    return works;
}

void app_frame_run(struct app_frame *frame, struct app_state *state, const struct ui_input *input)
{
    const float zoom = app_state_zoom(state, input->width, input->height);
    struct ui_input record = zoomed(input, zoom);
    arena_reset(&frame->copied);
    frame->facts = (struct app_frame_facts){0};
    state->width = input->width;
    state->height = input->height;
    state->scale = input->scale;
    const bool asks = app_import_advance(state);
    const bool works = advance_works(state, record.time) || asks;
    for (int i = 0; i < PASSES_MAX; i++) {
        app_state_advance(state, record.time, record.reduce_motion);
        app_export_prepare(state);
        if (pass_settles(frame, state, &record)) {
            break;
        }
        strip(&record);
    }
    const bool films = app_export_advance(state, record.time);
    const bool moves = app_state_advance(state, record.time, record.reduce_motion) || films;
    struct app_frame_facts *facts = &frame->facts;
    if (zoom > 1) {
        canvas_enlarge(frame->canvas, zoom);
        facts->text_area = (struct rect){facts->text_area.x * zoom, facts->text_area.y * zoom,
                                         facts->text_area.w * zoom, facts->text_area.h * zoom};
    }
    facts->hash = canvas_hash(frame->canvas);
    facts->wake = moves ? earlier(facts->wake, record.time + FRAME_SECONDS) : facts->wake;
    facts->wake = earlier(facts->wake, app_autosave_advance(state, record.time));
    facts->wake = works ? earlier(facts->wake, record.time + WORK_SECONDS) : facts->wake;
    facts->wake =
        state->view.message != NULL ? earlier(facts->wake, state->message_until) : facts->wake;
    fonts_trim(frame->fonts);
}

struct point app_frame_size(struct app_frame *frame, const struct app_state *state,
                            const struct view_picture *picture)
{
    const struct ui_input input = {.width = 1440, .height = 900, .scale = 1, .reduce_motion = true};
    struct ui ui;
    struct view view = view_of(frame, &ui, state);
    if (picture->size == NULL) {
        return (struct point){input.width, input.height};
    }
    arena_reset(&frame->arena);
    canvas_begin(frame->canvas, input.width, input.height);
    ui_begin(&ui, &frame->memory, &input, frame->canvas, state->theme);
    const struct point size = picture->size(&view);
    frame->size_lacks = frame->arena.lacking || canvas_failed(frame->canvas);
    return size;
}

void app_frame_picture(struct app_frame *frame, const struct app_state *state,
                       const struct view_picture *picture, const struct app_frame_paper *paper)
{
    const float width = paper->width, height = paper->height;
    const float window = picture->draw == view_screen ? app_state_zoom(state, width, height) : 1;
    const float zoom = window * (paper->letters > 0 ? paper->letters / UI_TEXT_BODY : 1);
    const struct ui_input whole = {
        .width = width, .height = height, .scale = paper->scale, .reduce_motion = true};
    const struct ui_input input = zoomed(&whole, zoom);
    struct ui ui;
    struct view view = view_of(frame, &ui, state);
    view.still = picture->draw != view_screen;
    frame->memory = (struct ui_memory){0};
    draw(frame, &view, &ui, &input, state->theme, picture);
    if (zoom != 1) {
        canvas_enlarge(frame->canvas, zoom);
    }
}

/* A picture without a window: laid out by a frame, cropped where asked, played into a file of any
 * format. */
#include "app/draw/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/draw/figure_internal.h"
#include "app/draw/fit.h"
#include "app/draw/page.h"
#include "base/translate.h"
#include "canvas/formats/formats.h"
#include "lab/explain/explain.h"
#include "view/parts/circuit.h"
#include "view/parts/head_overview.h"
#include "view/parts/learn.h"
#include "view/parts/patch.h"
#include "view/parts/pieces.h"
#include "view/parts/why.h"

/* The status line of a file: the same on every machine and at every time. */
static const char PICTURE_NOTE[] = "attnscope";

/* Round what there is to see, where the rest is cropped; points. */
static const float MARGIN = 8, BARE_MARGIN = 2;

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for a picture.");
}

struct app_figure_renderer *app_figure_renderer_open(struct error *error)
{
    struct app_figure_renderer *const renderer = calloc(1, sizeof *renderer);
    if (renderer == NULL) {
        no_memory(error);
        return NULL;
    }
    renderer->fonts = fonts_open(error);
    renderer->frame = renderer->fonts == NULL ? NULL : app_frame_open(renderer->fonts, error);
    renderer->player = renderer->frame == NULL ? NULL : render_cairo_open(renderer->fonts, error);
    if (renderer->player == NULL) {
        app_figure_renderer_close(renderer);
        return NULL;
    }
    return renderer;
}

void app_figure_renderer_close(struct app_figure_renderer *renderer)
{
    if (renderer != NULL) {
        render_cairo_close(renderer->player);
        canvas_close(renderer->part);
        app_frame_close(renderer->frame);
        fonts_close(renderer->fonts);
        free(renderer);
    }
}

float app_slide_letters(const char *view, float width, float height)
{
    static const struct point slide = {960, 540}, window = {1440, 900};
    const struct point small = strcmp(view, "window") == 0 ? window : slide;
    const float larger = fminf(width / small.x, height / small.y);
    return larger > 1 ? UI_TEXT_BODY * larger : 0;
}

bool app_figure_renderer_use_font(struct app_figure_renderer *renderer, enum font_face face,
                                  const char *name, bool is_file, struct error *error)
{
    return is_file ? fonts_use_file(renderer->fonts, face, name, error)
                   : fonts_use_family(renderer->fonts, face, name, error);
}

/* A white page under light letters could not be read. */
bool figure_check_ground(const struct app_figure *picture, struct error *error)
{
    return picture->ground != APP_GROUND_WHITE || !picture->scene.theme->dark ||
           error_set(error, ERROR_USAGE,
                     "A white background takes the light theme: the dark one has light letters.");
}

/* The theme with another ground; a panel that stands alone has no ground of its own, and what has
 * no panel lies on a panel's. */
struct ui_theme figure_theme(const struct app_figure *picture, bool is_window, bool on_panel)
{
    struct ui_theme theme = *picture->scene.theme;
    theme.ground = on_panel ? theme.panel : theme.ground;
    if (picture->ground == APP_GROUND_THEME) {
        return theme;
    }
    struct colour *const grounds[] = {&theme.ground, &theme.panel};
    for (size_t g = 0; g < (is_window ? 1 : 2); g++) {
        *grounds[g] = picture->ground == APP_GROUND_WHITE ? colour_hex(0xffffff)
                                                          : colour_fade(*grounds[g], 0);
    }
    return theme;
}

static float margin_of(const struct app_figure *picture)
{
    return picture->scene.view->frame.borderless ? BARE_MARGIN : MARGIN;
}

/* Whole points, so that what was sharp stays sharp; but as wide as the picture, where it says so.
 */
static bool crop_picture(struct app_figure_renderer *renderer, const struct app_figure *picture,
                         struct error *error)
{
    const struct canvas *const canvas = app_frame_canvas(renderer->frame);
    const struct rect ink = picture->ink != NULL ? *picture->ink : canvas_content(canvas);
    struct rect content = rect_inset(ink, -margin_of(picture));
    const float wide = picture->extent == APP_EXTENT_WIDTH ? picture->width : 0;
    const float room = fmaxf(wide - content.w, 0) / 2; /* at both sides */
    const float left = fmaxf(floorf(content.x - room), 0);
    const float top = fmaxf(floorf(content.y), 0);
    const float right = fminf(ceilf(content.x + content.w), canvas_width(canvas));
    content = (struct rect){left, top, wide > 0 ? wide : right - left,
                            fminf(ceilf(content.y + content.h), canvas_height(canvas)) - top};
    renderer->part = canvas_crop(canvas, content);
    return renderer->part != NULL || no_memory(error);
}

/* The last picture, as it is in a file. */
static const struct canvas *drawn_canvas(const struct app_figure_renderer *renderer)
{
    return renderer->part != NULL ? renderer->part : app_frame_canvas(renderer->frame);
}

/* Pictures in which what is selected can be seen. */
static const char *const selecting[] = {"window", "stage",  "space",  "heads",
                                        "head",   "matrix", "formula"};

static bool is_selecting(const char *name)
{
    bool is = name == NULL;
    for (size_t s = 0; s < sizeof selecting / sizeof *selecting; s++) {
        is = is || strcmp(selecting[s], name) == 0;
    }
    return is;
}

/* The charts of softmax are of a row, though nothing is marked. */
static enum lab_seen seen_in(const struct app_figure *picture, const struct canvas *canvas)
{
    struct rect charts;
    return !is_selecting(picture->view)                               ? LAB_SEEN_NOTHING
           : !picture->scene.view->let_go                             ? LAB_SEEN_NUMBER
           : canvas_find_group(canvas, VIEW_ROW_OF_QUERY, 0, &charts) ? LAB_SEEN_ROW
                                                                      : LAB_SEEN_NOTHING;
}

bool figure_is_of_why(const struct app_figure *picture)
{
    static const char *const names[] = {"why", "attribution", "effects", "lens"};
    const bool is_window = picture->view == NULL || strcmp(picture->view, "window") == 0;
    bool is = is_window && view_main_of(picture->scene.view) == VIEW_MAIN_WHY;
    for (size_t n = 0; n < sizeof names / sizeof *names && !is_window; n++) {
        is = is || strcmp(picture->view, names[n]) == 0;
    }
    return is && picture->scene.view->why != NULL;
}

/* Pages of Why that are figures of their own, and their titles. */
static const struct why_page {
    enum view_why_page page;
    const char *name, *title;
} why_pages[] = {
    {VIEW_WHY_TEXTS, "patch", "What each part of one text restores in another one"},
    {VIEW_WHY_CIRCUITS, "circuit", "Circuits of the weights"},
};

/* Returns the one that the picture shows, of which there is something to tell; NULL: none. */
static const struct why_page *find_why_page(const struct app_figure *picture)
{
    const struct view_state *const view = picture->scene.view;
    const bool is_window = picture->view == NULL || strcmp(picture->view, "window") == 0;
    for (size_t p = 0; p < sizeof why_pages / sizeof *why_pages; p++) {
        const bool is_there =
            why_pages[p].page == VIEW_WHY_TEXTS ? view->patch != NULL : view->circuit != NULL;
        const bool shows =
            is_window ? view_main_of(view) == VIEW_MAIN_WHY && view->why_page == why_pages[p].page
                      : strcmp(picture->view, why_pages[p].name) == 0;
        if (is_there && shows) {
            return &why_pages[p];
        }
    }
    return NULL;
}

static bool is_of_training(const struct app_figure *picture)
{
    return picture->view != NULL && strcmp(picture->view, "training") == 0 &&
           picture->scene.view->learn != NULL;
}

/* The alternative text: what is computed, and how it is looked at. */
const char *figure_describe(const struct app_figure *picture, const struct canvas *canvas,
                            struct arena *arena)
{
    const struct app_scene *const scene = &picture->scene;
    const struct lab_selection selection = app_scene_selection(scene);
    const struct view_state *const view = scene->view;
    const enum lab_seen seen = seen_in(picture, canvas);
    const struct view_head_overview *const model = view->head_overview;
    const bool chat = model != NULL && model->chat != NULL && scene->experiment->layers > 0;
    const struct why_page *const page = find_why_page(picture);
    if (is_of_training(picture)) {
        const bool asks = view->guess != LAB_GUESS_NONE && !view->revealed;
        return view_learn_describe(view->learn, asks, arena);
    }
    if (page != NULL) {
        return page->page == VIEW_WHY_TEXTS ? view_patch_describe(view->patch, arena)
                                            : view_circuit_describe(view->circuit, arena);
    }
    if (figure_is_of_why(picture)) {
        return view_why_describe(view->why, arena);
    }
    return arena_format(
        arena, "%s%s%s%s%s",
        lab_describe_seen(scene->trace, view->playback.stage, &selection, seen, arena),
        !is_selecting(picture->view)
            ? ""
            : lab_display_describe(scene->trace, &view->prefs.display,
                                   seen == LAB_SEEN_NUMBER ? &selection : NULL, arena),
        !chat ? ""
              : lab_describe_chat(model->chat,
                                  model->chat_first + model->chat_behind - model->chat_end,
                                  lab_trace_sizes(scene->trace).n, arena),
        picture->source == NULL ? "" : " ", picture->source == NULL ? "" : picture->source);
}

bool app_figure_compares(const struct app_figure *picture)
{
    const struct app_scene *const scene = &picture->scene;
    const bool is_matrix = picture->view != NULL && (strcmp(picture->view, "matrix") == 0 ||
                                                     strcmp(picture->view, "stage") == 0);
    return picture->fits && is_matrix && scene->view->frame.borderless && scene->trace != NULL &&
           scene->baseline != NULL && scene->view->compare != VIEW_COMPARE_NOT;
}

/* A comparison as panels; the two last arguments are what these refer to. */
static struct app_panels comparison_of(const struct app_figure *picture,
                                       struct app_panel panel[APP_COMPARED],
                                       struct view_state *difference)
{
    struct app_figure other = *picture;
    other.scene.trace = picture->scene.baseline;
    other.scene.experiment = lab_trace_experiment(picture->scene.baseline);
    other.scene.pending = other.scene.experiment;
    const size_t count = app_panels_compare(picture, &other, panel, difference);
    return (struct app_panels){panel, count, APP_COMPARED, *picture};
}

static const char *describe_comparison(const struct app_figure *picture,
                                       const struct canvas *canvas, struct arena *arena)
{
    struct app_panel panel[APP_COMPARED];
    struct view_state difference;
    const struct app_panels panels = comparison_of(picture, panel, &difference);
    return figure_describe_panels(&panels, canvas, arena);
}

static struct render_figure figure_of(const struct app_figure *picture, const struct canvas *canvas,
                                      const struct ui_theme *theme, struct arena *arena)
{
    const struct app_scene *const scene = &picture->scene;
    struct render_figure figure = {
        .scale = picture->scale,
        .ground = picture->ground == APP_GROUND_CLEAR ? NULL : &theme->ground,
        .text = picture->text,
        .experiment = app_figure_compares(picture) ? NULL : picture->experiment, /* it is of two */
        .created = picture->created,
    };
    const struct why_page *const page = find_why_page(picture);
    if (picture->describes) {
        figure.title =
            is_of_training(picture) ? tr("Curves of training")
            : page != NULL          ? tr(page->title)
            : figure_is_of_why(picture)
                ? tr("Why the model says a word")
                : lab_stage_headline(scene->trace == NULL ? NULL : lab_trace_graph(scene->trace),
                                     scene->view->playback.stage);
        figure.description = scene->trace == NULL ? NULL
                             : app_figure_compares(picture)
                                 ? describe_comparison(picture, canvas, arena)
                                 : figure_describe(picture, canvas, arena);
    }
    return figure;
}

static bool play_film(struct app_figure_renderer *renderer, const struct app_figure *picture,
                      const struct ui_theme *theme, struct arena *arena, struct bytes *content,
                      struct error *error)
{
    const struct render_format *const format =
        picture->format == NULL ? render_format_at(0) : picture->format;
    const struct render_figure figure = figure_of(picture, drawn_canvas(renderer), theme, arena);
    if (!app_frame_is_whole(renderer->frame)) {
        return no_memory(error);
    }
    const bool written =
        format->write(renderer->player, drawn_canvas(renderer), &figure, arena, content, error);
    /* A letter or a sentence that memory did not suffice for must not be missing in silence. */
    return written &&
           ((app_frame_is_whole(renderer->frame) && !arena->lacking) || no_memory(error));
}

static bool lay_out(struct app_figure_renderer *renderer, const struct app_scene *scene,
                    const struct view_picture *row, const struct app_frame_paper *paper, bool fits,
                    struct error *error)
{
    if (fits && !row->is_scene) {
        return app_fit_picture(renderer->frame, scene, row, paper, error);
    }
    if (fits) {
        app_fit_scene(renderer->frame, scene, row, paper);
    } else {
        app_frame_picture(renderer->frame, scene, row, paper);
    }
    return true;
}

/* A figure that is cropped at its sides could be larger by as much: laid out on paper that is so
 * much wider, it fills the width that was asked for, and never more. */
static bool fill_width(struct app_figure_renderer *renderer, const struct app_figure *picture,
                       const struct app_scene *scene, const struct view_picture *row,
                       struct app_frame_paper paper, struct error *error)
{
    enum { TRIES = 4 };
    const float max = picture->width - 2 * margin_of(picture);
    float used = canvas_content(app_frame_canvas(renderer->frame)).w;
    if (used >= max) {
        return true;
    }
    for (int t = 0; t < TRIES && paper.width + max - used > picture->width; t++) {
        struct error too_large = {0};
        paper.width += max - used;
        if (!lay_out(renderer, scene, row, &paper, picture->fits, &too_large)) {
            break;
        }
        used = canvas_content(app_frame_canvas(renderer->frame)).w;
        if (used <= max) {
            return true;
        }
    }
    paper.width = picture->width;
    return lay_out(renderer, scene, row, &paper, picture->fits, error);
}

/* A thing that does not fit may fit where the cropped sides are no part of the paper. */
static bool fits_cropped(struct app_figure_renderer *renderer, const struct app_figure *picture,
                         const struct app_scene *scene, const struct view_picture *row,
                         struct app_frame_paper paper)
{
    static const float WIDER = 1.03f, WIDER_MAX = 1.2f;
    const float max = picture->width - 2 * margin_of(picture);
    for (float wider = WIDER; wider < WIDER_MAX; wider *= WIDER) {
        struct error too_large = {0};
        paper.width = picture->width * wider;
        if (lay_out(renderer, scene, row, &paper, picture->fits, &too_large) &&
            canvas_content(app_frame_canvas(renderer->frame)).w <= max) {
            return true;
        }
    }
    return false;
}

/* Laid out for the width that was asked for, of which nothing is left at its sides. */
static bool lay_out_full(struct app_figure_renderer *renderer, const struct app_figure *picture,
                         const struct app_scene *scene, const struct view_picture *row,
                         const struct app_frame_paper *paper, struct error *error)
{
    struct error too_large = {0};
    if (lay_out(renderer, scene, row, paper, picture->fits, &too_large)) {
        return fill_width(renderer, picture, scene, row, *paper, error);
    }
    if (!fits_cropped(renderer, picture, scene, row, *paper)) {
        *error = too_large;
        return false;
    }
    return true;
}

/* How much a drawing says: what is drawn, how wide, and its smallest letters. */
struct richness {
    size_t commands;
    float wide, letters;
};

static struct richness richness_of(const struct canvas *canvas)
{
    struct richness rich = {canvas_count(canvas), canvas_content(canvas).w, INFINITY};
    for (size_t i = 0; i < rich.commands; i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        rich.letters =
            command->kind == CANVAS_TEXT ? fminf(rich.letters, command->rect.h) : rich.letters;
    }
    return rich;
}

static bool is_as_rich(struct richness one, struct richness other)
{
    static const float ROUNDING = 0.05f;
    return one.commands >= other.commands && one.wide >= other.wide - 1 &&
           one.letters >= other.letters - ROUNDING;
}

/* Laid out for the width that was asked for, and no higher than what is drawn needs: paper that
 * leaves a strip from side to side empty is made lower by it, unless that costs something. */
static bool lay_out_wide(struct app_figure_renderer *renderer, const struct app_figure *picture,
                         const struct app_scene *scene, const struct view_picture *row,
                         struct app_frame_paper paper, struct error *error)
{
    enum { TRIES = 5 };
    static const float OF_HEIGHT = 0.12f, LINES = 3; /* of a gap that is no gap between parts */
    const struct canvas *const canvas = app_frame_canvas(renderer->frame);
    const float line = paper.font_size > 0 ? paper.font_size : UI_TEXT_BODY;
    if (!lay_out_full(renderer, picture, scene, row, &paper, error)) {
        return false;
    }
    float share = 1; /* of the gap that is taken away */
    for (int t = 0; t < TRIES && !row->is_scene; t++) {
        const struct richness rich = richness_of(canvas);
        const float gap = canvas_gap(canvas), high = canvas_content(canvas).h;
        struct app_frame_paper lower = paper;
        struct error too_low = {0};
        lower.height = canvas_height(canvas) - share * (gap - 2 * line);
        if (gap < OF_HEIGHT * high || gap < LINES * line) {
            return true;
        }
        if (lay_out_full(renderer, picture, scene, row, &lower, &too_low) &&
            is_as_rich(richness_of(canvas), rich)) {
            paper = lower;
        } else if (lay_out_full(renderer, picture, scene, row, &paper, error)) {
            share /= 2;
        } else {
            return false;
        }
    }
    return true;
}

/* A picture of which the width alone was told may be as high as a page has room for. */
static float max_height(const struct app_figure *picture)
{
    static const float OF_WIDTH = 2, PAGE = 230 * 72 / 25.4f; /* points */
    return fmaxf(picture->height, fminf(OF_WIDTH * picture->width, PAGE));
}

void figure_prepare_scene(const struct app_figure *picture, const struct ui_theme *theme,
                          struct app_scene *scene, struct view_state *view)
{
    *scene = picture->scene;
    *view = *picture->scene.view;
    scene->view = view;
    scene->theme = theme;
    view->isa_note = PICTURE_NOTE;
    const bool asks = view->guess != LAB_GUESS_NONE && !view->revealed;
    view->prefs.captions_closed =
        !view->prefs.presenter && !asks; /* no guess without its question */
    view->message = NULL;
    view->prompt = (struct view_prompt){0};
    view->change_name = NULL;                /* nobody can ask for that in a picture */
    view->can_undo = view->can_redo = false; /* what was before is in no session */
    view->lesson_changed = view->lesson_lost = view->unsaved = false;
    view->overlay = VIEW_OVERLAY_NONE;
    view->hovered_parts = 0;
}

/* Draws the picture, as it is in a file, into the renderer's own list. */
static bool draw_picture(struct app_figure_renderer *renderer, const struct app_figure *picture,
                         struct ui_theme *theme, struct error *error)
{
    canvas_close(renderer->part);
    renderer->part = NULL;
    const char *const name = picture->view != NULL ? picture->view : "window";
    const struct view_picture *const row = view_picture_find(name);
    if (row == NULL) {
        return error_set(error, ERROR_USAGE, "There is no picture called %s.", name);
    }
    if (app_figure_compares(picture)) {
        struct app_panel panel[APP_COMPARED];
        struct view_state difference;
        const struct app_panels panels = comparison_of(picture, panel, &difference);
        return figure_draw_panels(renderer, &panels, theme, NULL, error);
    }
    if (!figure_check_ground(picture, error)) {
        return false;
    }
    *theme = figure_theme(picture, row->draw == view_screen,
                          row->size != NULL || picture->scene.view->frame.borderless);
    struct app_scene scene;
    struct view_state view;
    figure_prepare_scene(picture, theme, &scene, &view);
    const bool is_full = picture->extent == APP_EXTENT_WIDTH;
    const struct app_frame_paper paper = {.width = picture->width,
                                          .height = picture->height,
                                          .scale = picture->scale,
                                          .font_size = picture->letters,
                                          .font_floor = picture->letters_floor,
                                          .tallest = is_full ? max_height(picture) : 0};
    if (!(is_full && picture->ink == NULL
              ? lay_out_wide(renderer, picture, &scene, row, paper, error)
              : lay_out(renderer, &scene, row, &paper, picture->fits, error))) {
        return false;
    }
    const char *const notice = app_frame_notice(renderer->frame);
    if (notice != NULL) {
        return error_set(error, ERROR_INPUT, "%s", notice);
    }
    return picture->extent == APP_EXTENT_PAPER || crop_picture(renderer, picture, error);
}

struct point app_figure_renderer_size(struct app_figure_renderer *renderer,
                                      const struct app_figure *picture)
{
    const struct view_picture *const row =
        view_picture_find(picture->view != NULL ? picture->view : "window");
    if (row == NULL) {
        return (struct point){0};
    }
    const struct point size = app_frame_size(renderer->frame, &picture->scene, row);
    const float zoom = picture->letters > 0 ? picture->letters / UI_TEXT_BODY : 1;
    const float panels = app_figure_compares(picture) ? APP_COMPARED : 1;
    return (struct point){size.x * zoom * panels, size.y * zoom};
}

static bool print_drawing(struct app_figure_renderer *renderer, const struct app_figure *picture,
                          struct arena *arena, struct bytes *content, struct error *error)
{
    struct ui_theme theme;
    if (!draw_picture(renderer, picture, &theme, error)) {
        return false;
    }
    const bool written = play_film(renderer, picture, &theme, arena, content, error);
    fonts_trim(renderer->fonts);
    return written;
}

bool app_figure_renderer_print_for_page(struct app_figure_renderer *renderer,
                                        const struct app_figure *picture, struct arena *arena,
                                        struct bytes *svg, struct error *error)
{
    struct app_figure figure = app_page_figure(picture);
    struct error too_large = {ERROR_NONE, 0, ""};
    if (print_drawing(renderer, &figure, arena, svg, &too_large)) {
        return true;
    }
    figure.fits = false; /* nobody can choose another size for it: it is cut as in a window */
    return print_drawing(renderer, &figure, arena, svg, error);
}

bool app_figure_renderer_print(struct app_figure_renderer *renderer,
                               const struct app_figure *picture, struct arena *arena,
                               struct bytes *content, struct error *error)
{
    struct bytes svg = {NULL, 0};
    if (picture->format == NULL || !picture->format->is_page) {
        return print_drawing(renderer, picture, arena, content, error);
    }
    return app_figure_renderer_print_for_page(renderer, picture, arena, &svg, error) &&
           app_page_write(picture, svg, arena, content, error);
}

/* The first letters of stretches without glyphs and pictures. */
static size_t add_missing(const struct font_run *run, uint32_t *code, size_t count, size_t max)
{
    for (size_t s = 0; s < run->stretches && count < max; s++) {
        const struct font_stretch *const stretch = &run->stretch[s];
        size_t c = 0;
        while (c < count && code[c] != stretch->apart) {
            c++;
        }
        if (stretch->apart != 0 && stretch->pictures == 0 && c == count) {
            code[count++] = stretch->apart;
        }
    }
    return count;
}

size_t app_figure_renderer_missing_glyphs(const struct app_figure_renderer *renderer,
                                          uint32_t *code, size_t max)
{
    const struct canvas *const canvas = drawn_canvas(renderer);
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_TEXT) {
            const char *const text = canvas_text_of(canvas, command);
            count = add_missing(font_shape(renderer->fonts, command->face, text, command->length),
                                code, count, max);
        }
    }
    return count;
}

bool app_figure_renderer_draw(struct app_figure_renderer *renderer,
                              const struct app_figure *picture, struct app_sheet *sheet,
                              struct error *error)
{
    struct ui_theme theme;
    if (!draw_picture(renderer, picture, &theme, error)) {
        return false;
    }
    fonts_trim(renderer->fonts);
    *sheet = (struct app_sheet){
        .canvas = drawn_canvas(renderer), .player = renderer->player, .ground = theme.ground};
    return app_frame_is_whole(renderer->frame) || no_memory(error);
}

struct render_figure app_picture_figure(const struct app_figure *picture,
                                        const struct app_sheet *sheet, struct arena *arena)
{
    struct render_figure figure = figure_of(picture, sheet->canvas, picture->scene.theme, arena);
    figure.ground = picture->ground == APP_GROUND_CLEAR ? NULL : &sheet->ground;
    return figure;
}

bool app_picture_print(const struct app_figure *picture, struct arena *arena, struct bytes *content,
                       struct error *error)
{
    struct app_figure_renderer *const renderer = app_figure_renderer_open(error);
    const bool written =
        renderer != NULL && app_figure_renderer_print(renderer, picture, arena, content, error);
    app_figure_renderer_close(renderer);
    return written;
}

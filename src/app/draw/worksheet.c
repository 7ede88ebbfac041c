/* A worksheet: of each task a page with empty boxes and one with the answers, printed as a PDF. */
#include "app/draw/worksheet.h"

#include <stdlib.h>
#include <string.h>

#include "app/draw/frame.h"
#include "base/translate.h"
#include "canvas/formats/formats.h"
#include "canvas/render/render.h"
#include "view/sheets/worksheet.h"

/* A task: what is shown at one stage of one experiment. */
struct exercise {
    const struct lab_experiment *experiment; /* NULL: the state's own */
    enum lab_stage stage;
    struct lab_selection selection;
    enum lab_guess guess;
    const char *caption;
};

struct maker {
    const struct app_worksheet *worksheet;
    struct app_frame *frame;
    struct app_scene scene; /* what the pages are drawn from */
    struct view_state view;
    struct canvas **page;
    size_t pages;
};

static const struct view_picture sheet_picture = {
    .name = "worksheet", .draw = view_worksheet, .has_caption = true};

static size_t guesses_of(const struct lab_lesson *lesson, struct exercise *task)
{
    size_t count = 0;
    for (size_t s = 0; s < lesson->steps; s++) {
        const struct lab_step *step = &lesson->step[s];
        if (step->guess != LAB_GUESS_NONE &&
            step->guess != LAB_GUESS_NEXT) { /* a word has no box */
            task[count++] = (struct exercise){&step->experiment, step->stage, step->selection,
                                              step->guess, step->caption};
        }
    }
    return count;
}

/* The tasks of the worksheet; there is room for as many as steps or stages. */
static size_t tasks_of(const struct app_worksheet *worksheet, struct exercise *task)
{
    const struct app_scene *const scene = &worksheet->scene;
    size_t count = worksheet->lesson != NULL ? guesses_of(worksheet->lesson, task) : 0;
    const bool guesses = count > 0;
    for (enum lab_stage stage = 0; !guesses && stage < LAB_STAGES; stage++) {
        const bool asked = worksheet->lesson != NULL || stage == scene->view->playback.stage;
        if (asked && view_worksheet_has(scene->trace, stage)) {
            task[count++] = (struct exercise){.stage = stage, .selection = scene->view->pinned};
        }
    }
    return count;
}

static size_t max_tasks(const struct app_worksheet *worksheet)
{
    return (worksheet->lesson != NULL ? worksheet->lesson->steps : 0) + LAB_STAGES;
}

size_t app_worksheet_tasks(const struct app_worksheet *worksheet)
{
    struct arena arena = {0};
    struct exercise *const task = arena_array(&arena, max_tasks(worksheet), sizeof *task);
    const size_t count =
        task == NULL || worksheet->scene.trace == NULL ? 0 : tasks_of(worksheet, task);
    arena_free(&arena);
    return count;
}

bool app_worksheet_refuse(struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "At this stage there is nothing to work out by hand; choose another.");
}

static bool draw_page(struct maker *maker, const struct view_page *sheet)
{
    const struct rect whole = {0, 0, VIEW_PAGE_WIDE, VIEW_PAGE_HIGH};
    maker->view.page = sheet;
    maker->view.revealed = true;
    const struct app_frame_paper paper = {.width = whole.w, .height = whole.h, .scale = 2};
    app_frame_picture(maker->frame, &maker->scene, &sheet_picture, &paper);
    maker->page[maker->pages] = canvas_crop(app_frame_canvas(maker->frame), whole);
    return maker->page[maker->pages++] != NULL && app_frame_is_whole(maker->frame);
}

/* Two pages: empty boxes, answers. */
static bool draw_task(struct maker *maker, const struct exercise *task, size_t number, size_t count,
                      struct error *error)
{
    struct app_scene *const scene = &maker->scene;
    const struct lab_trace *own = NULL;
    struct view_state *const view = &maker->view;
    *scene = maker->worksheet->scene;
    *view = *scene->view;
    scene->view = view;
    if (task->experiment != NULL) {
        own = lab_run(task->experiment, scene->engine, error);
        scene->trace = own;
        scene->experiment = scene->pending = task->experiment;
        if (own == NULL) {
            return false;
        }
    }
    scene->theme = ui_theme_find("light");
    view->prefs.weights_map = colourmap_default(COLOURMAP_UNSIGNED, false);
    view->prefs.signed_map = colourmap_default(COLOURMAP_SIGNED, false);
    view->playback.stage = task->stage;
    view->pinned = view->guess_at = task->selection;
    view->guess_stage = task->stage;
    view->guess = task->guess;
    view->hovered_parts = 0;
    view->playback.position = view->playback.arrival = view->playback.glide = 1;
    view->let_go = view->guess == LAB_GUESS_NONE;
    app_view_clamp(view, scene->trace);
    struct view_page sheet = {.title = maker->worksheet->title,
                              .caption = task->guess != LAB_GUESS_NONE ? task->caption : NULL,
                              .number = number,
                              .count = count};
    bool drawn = draw_page(maker, &sheet);
    sheet.answers = true;
    drawn = drawn && draw_page(maker, &sheet);
    lab_trace_release(own);
    return drawn || error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
}

static bool draw_all(struct maker *maker, const struct exercise *task, size_t count,
                     struct error *error)
{
    for (size_t t = 0; t < count; t++) {
        if (!draw_task(maker, &task[t], t + 1, count, error)) {
            return false;
        }
    }
    return true;
}

static void close_pages(struct canvas **page, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        canvas_close(page[p]);
    }
}

bool app_worksheet_pages(const struct app_worksheet *worksheet, struct fonts *fonts,
                         struct arena *arena, struct canvas ***pages, size_t *count,
                         struct error *error)
{
    const size_t tasks_max = max_tasks(worksheet);
    struct exercise *const task = arena_array(arena, tasks_max, sizeof *task);
    struct maker maker = {.worksheet = worksheet,
                          .page = arena_array(arena, 2 * tasks_max, sizeof *maker.page)};
    bool made = false;
    if (task == NULL || maker.page == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    } else if (worksheet->scene.trace == NULL) {
        error_set(error, ERROR_INPUT, "A worksheet needs some words.");
    } else {
        memset(task, 0, tasks_max * sizeof *task);
        const size_t tasks = tasks_of(worksheet, task);
        maker.frame = tasks > 0 ? app_frame_open(fonts, error) : NULL;
        if (tasks == 0) {
            app_worksheet_refuse(error);
        }
        made = maker.frame != NULL && draw_all(&maker, task, tasks, error);
    }
    app_frame_close(maker.frame);
    if (!made) {
        close_pages(maker.page, maker.pages);
        return false;
    }
    *pages = maker.page;
    *count = maker.pages;
    return true;
}

bool app_worksheet_print(const struct app_worksheet *worksheet, struct arena *arena,
                         struct bytes *pdf, struct error *error)
{
    struct fonts *const fonts = fonts_open(error);
    struct canvas **page = NULL;
    size_t pages = 0;
    const struct colour white = colour_hex(0xffffff);
    const struct render_figure figure = {.ground = &white,
                                         .title = tr(worksheet->title),
                                         .description = "A worksheet with its answers.",
                                         .created = worksheet->created};
    const bool printed =
        fonts != NULL && app_worksheet_pages(worksheet, fonts, arena, &page, &pages, error) &&
        render_pdf_pages((const struct canvas *const *)page, pages, &figure, arena, pdf, error);
    close_pages(page, pages);
    fonts_close(fonts);
    return printed;
}

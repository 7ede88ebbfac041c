/* Writes the sentences of the export overlay on its choices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/session.h"
#include "app/export/export_internal.h"
#include "base/system/user.h"
#include "base/translate.h"

static const double MILLIMETRES = 25.4 / 72; /* of a point on paper */

static void say_numbers(struct app_state *state)
{
    struct app_export *const export = state->export;
    const enum export_kind kind = export_format(state)->kind;
    const bool draws = kind == EXPORT_PICTURE || kind == EXPORT_FILM;
    const bool film = kind == EXPORT_FILM;
    const bool pixels = film || (draws && strcmp(export_format(state)->by, "png") == 0);
    struct view_export_quantity *const number = export->overlay.number;
    const double sides[] = {export_width(state), export_height(state)};
    const struct export_unit *const unit = export_unit(export);
    for (size_t i = 0; i < 2; i++) {
        number[VIEW_EXPORT_WIDTH + i] =
            (struct view_export_quantity){export_number(i)->title,
                                          unit->tip,
                                          sides[i] * unit->each,
                                          export_number(i)->low * unit->each,
                                          export_number(i)->high * unit->each,
                                          unit->step,
                                          unit->decimals,
                                          draws};
    }
    const struct record_row *const scale = export_number(film ? EXPORT_FILM_SCALE : EXPORT_SCALE);
    number[VIEW_EXPORT_SCALE] = (struct view_export_quantity){
        "Scale",
        "Pixels for each point: 2 is sharp on most screens, 4 in print",
        export_scale(state),
        scale->low,
        scale->high,
        0.5,
        1,
        pixels};
    export->overlay.has_switches = draws;
    memcpy(export->overlay.on, export->choice.on[export_style(&export->choice)],
           sizeof export->overlay.on);
}

/* Says what the file lacks to show the same when it is opened again; NULL: nothing. */
static const char *lacks_inside(struct app_state *state)
{
    struct app_figure picture;
    struct error error = {ERROR_NONE, 0, ""};
    if (!app_session_fits(&state->document.experiment)) {
        return "too many numbers to lie inside";
    }
    if (!export_picture(state, &picture, &error)) {
        return NULL;
    }
    const struct app_scene *const scene = &picture.scene;
    return app_figure_compares(&picture) ? "of two experiments, so none lies inside"
           : scene->baseline != NULL && scene->view->compare != VIEW_COMPARE_NOT
               ? "opens without what it is compared with"
               : NULL;
}

static void say_facts(struct app_state *state)
{
    struct app_export *const export = state->export;
    const bool figure = /* cropped, as the preview found */
        export_style(&export->choice) == EXPORT_FIGURE && export->saved.x > 0;
    const double wide = figure ? (double)export->saved.x : export_width(state);
    const double high = figure ? (double)export->saved.y : export_height(state);
    const double scale = export_scale(state);
    const struct app_timeline timeline = export_timeline(state);
    char *const facts = export->facts;
    struct arena arena = {0};
    switch (export_format(state)->kind) {
    case EXPORT_NUMBERS: {
        const struct export_extent numbers = export_numbers(state);
        snprintf(facts, sizeof export->facts, tr("%s: %zu × %zu numbers"), numbers.name,
                 numbers.rows, numbers.cols);
        break;
    }
    case EXPORT_SHEET: {
        const struct app_worksheet worksheet = export_worksheet(state);
        if (export_is_sheet_page(state)) {
            snprintf(facts, sizeof export->facts, "%s", tr("one file for any browser, no network"));
            break;
        }
        snprintf(facts, sizeof export->facts, tr("%zu pages of A4"),
                 2 * app_worksheet_tasks(&worksheet));
        break;
    }
    case EXPORT_PAGE: {
        const size_t steps = export_page_steps(state), all = state->document.lesson->steps;
        snprintf(facts, sizeof export->facts,
                 all < 2     ? "%s"
                 : steps > 1 ? tr("%s · all %zu steps")
                             : tr("%s · this step alone, “attnscope render” makes all %zu"),
                 tr("one file for any browser, no network"), all);
        break;
    }
    case EXPORT_FILM:
        snprintf(facts, sizeof export->facts, tr("%.0f × %.0f pixels, %.1f seconds"),
                 round(wide * scale), round(high * scale), app_timeline_seconds(&timeline));
        break;
    case EXPORT_PICTURE:
        if (export->overlay.number[VIEW_EXPORT_SCALE].shown) {
            const bool paper = export_unit(export)->letters > 0;
            snprintf(facts, sizeof export->facts,
                     paper ? tr("%.0f × %.0f pixels, %.0f an inch") : tr("%.0f × %.0f pixels"),
                     round(wide * scale), round(high * scale), round(scale * 72));
        } else {
            const double letters = (double)export_letters(state);
            const size_t told =
                (size_t)snprintf(facts, sizeof export->facts, tr("%.0f × %.0f mm on paper"),
                                 wide * MILLIMETRES, high * MILLIMETRES);
            if (letters > 0 && told < sizeof export->facts) {
                snprintf(facts + told, sizeof export->facts - told, tr(" · letters of %.0f points"),
                         letters);
            }
        }
        break;
    }
    const char *const lacks = export->overlay.has_switches ? lacks_inside(state) : NULL;
    if (lacks != NULL && export_is_on(&export->choice, VIEW_EXPORT_WORDS)) {
        const size_t said = strlen(facts);
        snprintf(facts + said, sizeof export->facts - said, " · %s", tr(lacks));
    }
    arena_free(&arena);
}

static void say_copy(struct app_state *state)
{
    struct app_export *const export = state->export;
    const struct export_format *const format = export_format(state);
    const bool text = format->kind == EXPORT_NUMBERS || strcmp(format->by, "svg") == 0;
    const bool binary =
        format->kind == EXPORT_NUMBERS && app_matrix_format_find(format->by)->is_binary;
    export->overlay.can_copy =
        format->kind == EXPORT_PICTURE || (format->kind == EXPORT_NUMBERS && !binary);
    snprintf(export->copy_tip, sizeof export->copy_tip, "%s",
             format->kind == EXPORT_NUMBERS ? tr("The text to the clipboard")
             : text                         ? tr("The picture to the clipboard, as SVG")
             : format->kind == EXPORT_FILM  ? tr("An animation can only be saved")
             : format->kind == EXPORT_PAGE  ? tr("A page can only be saved")
             : format->kind == EXPORT_SHEET ? tr("A worksheet can only be saved")
                                            : tr("The picture to the clipboard, as PNG"));
}

/* The person's own folder as people write it. */
static void say_folder(struct app_export *export)
{
    const char *const home = system_home();
    const size_t length = home == NULL ? 0 : strlen(home);
    const bool inside = length > 1 && strncmp(export->folder, home, length) == 0 &&
                        (export->folder[length] == '/' || export->folder[length] == '\0');
    snprintf(export->folder_text, sizeof export->folder_text, tr("in %s%s"), inside ? "~" : "",
             inside ? export->folder + length : export->folder);
}

bool export_is_named(const struct app_export *export)
{
    return export->name[0] != '\0' && strcmp(export->name, export->proposed) != 0;
}

/* The name that nobody has typed follows what is chosen. */
static void say_name(struct app_state *state)
{
    struct app_export *const export = state->export;
    struct view_export *const overlay = &export->overlay;
    if (!export_is_named(export)) {
        export_propose_name(state);
    }
    export->button = export_exists(state, export->name) ? EXPORT_REPLACES : EXPORT_CREATES;
    say_folder(export);
    overlay->name = export->name;
    overlay->folder = export->folder_text;
    overlay->save = export->button == EXPORT_REPLACES ? tr("Replace") : tr("Save");
    overlay->note = export->note[0] != '\0' ? export->note
                    : export->button == EXPORT_REPLACES
                        ? tr("There is a file of that name: Replace writes over it.")
                        : NULL;
    overlay->refused = export->note[0] != '\0';
}

static void say_progress(struct app_export *export)
{
    struct view_export *const overlay = &export->overlay;
    const size_t count = app_timeline_count(&export->timeline);
    overlay->busy = export->film != NULL || export->make != NULL;
    if (export->make != NULL) {
        overlay->progress = export_make_progress(export, export->progress, sizeof export->progress);
    } else if (overlay->busy) {
        overlay->progress = (float)export->film_at / (float)count;
        snprintf(export->progress, sizeof export->progress, tr("Drawing picture %zu of %zu"),
                 export->film_at + 1 < count ? export->film_at + 1 : count, count);
    }
}

void app_export_prepare(struct app_state *state)
{
    struct app_export *const export = state->export;
    if (export == NULL || state->view.overlay != VIEW_OVERLAY_EXPORT) {
        return;
    }
    struct view_export *const overlay = &export->overlay;
    overlay->facts = export->facts;
    overlay->copy_tip = export->copy_tip;
    overlay->progress_text = export->progress;
    say_progress(export);
    if (overlay->busy && overlay->name != NULL) {
        return; /* what is being drawn does not change; at first nothing has been said yet */
    }
    export_fill_overlay(export);
    say_numbers(state);
    say_copy(state);
    if (!overlay->busy) { /* else a thread works with what pictures are drawn with */
        export_preview(state);
    }
    say_facts(state);
    say_name(state);
}

/* The choices of the export overlay, and what they do. */
#include "app/export/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/session.h"
#include "app/document/user_dirs.h"
#include "app/export/export_internal.h"
#include "base/text.h"

enum { FILM_RATE = 20 };

static const float FIGURE_WIDE = 160 * 72 / 25.4f, FIGURE_HIGH = 110 * 72 / 25.4f;

const struct export_format *export_format(const struct app_state *state)
{
    return export_format_at(state->export->choice.format);
}

/* --- what the numbers come to --- */

/* The size in points that the content has by itself. */
static struct point own_size(const struct app_state *state)
{
    const struct export_content *const content = export_content_at(state->export->choice.content);
    const bool figure = export_style(&state->export->choice) == EXPORT_FIGURE;
    return view_picture_find(content->view)->size != NULL ? state->export->own
           : figure                                       ? (struct point){FIGURE_WIDE, FIGURE_HIGH}
           : content->width > 0 ? (struct point){content->width, content->height}
                                : (struct point){state->width, state->height};
}

double export_width(const struct app_state *state)
{
    const double chosen = state->export->choice.width;
    return chosen > 0 ? chosen : (double)own_size(state).x;
}

double export_height(const struct app_state *state)
{
    const double chosen = state->export->choice.height;
    return chosen > 0 ? chosen : (double)own_size(state).y;
}

float export_letters(const struct app_state *state)
{
    const struct app_export *const export = state->export;
    const bool figure = export_style(&export->choice) == EXPORT_FIGURE;
    const float paper = export_unit(export)->letters;
    const char *const view = export_content_at(export->choice.content)->view;
    const bool is_slide =
        paper <= 0 && export->choice.width > 0 && strcmp(view, "window") != 0; /* as it is */
    const float slide =
        is_slide ? app_slide_letters(view, (float)export_width(state), (float)export_height(state))
                 : 0;
    return slide > 0 ? slide : figure ? APP_PAPER_LETTERS : paper;
}

/* A picture for people is sharp on any screen; an animation is light enough to be sent. */
double export_scale(const struct app_state *state)
{
    const struct export_choice *const choice = &state->export->choice;
    if (export_format(state)->kind == EXPORT_FILM) {
        return choice->film_scale > 0 ? choice->film_scale : 1;
    }
    const bool paper = export_unit(state->export)->letters > 0;
    const double min_scale = paper ? (double)APP_PAPER_SCALE : 2, present = (double)state->scale;
    return choice->scale > 0
               ? choice->scale
               : fmin(present > min_scale ? present : min_scale, export_number(EXPORT_SCALE)->high);
}

struct app_timeline export_timeline(const struct app_state *state)
{
    const bool all = state->export->choice.span == EXPORT_SPAN_ALL;
    return (struct app_timeline){.from = all ? LAB_EMBED : state->view.playback.stage,
                                 .to = all ? LAB_STAGES - 1 : state->view.playback.stage,
                                 .rate = FILM_RATE};
}

static const struct ui_theme *theme_of(const struct app_state *state)
{
    static const char *const names[] = {NULL, "light", "dark", "grey"};
    const struct export_choice *const choice = &state->export->choice;
    if (choice->theme != EXPORT_THEME_SAME) {
        return ui_theme_find(names[choice->theme]);
    }
    return choice->ground == APP_GROUND_WHITE ? ui_theme_find("light") : state->theme;
}

/* Sets what a figure has otherwise than the window. */
static void take_display(const struct export_choice *choice, struct view_state *view)
{
    const bool figure = export_style(choice) == EXPORT_FIGURE;
    view->frame.borderless = figure;
    view->frame.no_title = !export_is_on(choice, VIEW_EXPORT_TITLE);
    view->frame.no_caption = !export_is_on(choice, VIEW_EXPORT_CAPTION);
    view->frame.no_bar = !export_is_on(choice, VIEW_EXPORT_BAR);
    view->let_go = view->let_go || !export_is_on(choice, VIEW_EXPORT_MARKS);
    view->prefs.cells.values = (enum view_values)choice->values;
    view->prefs.cells.has_decimals = choice->decimals > 0;
    view->prefs.cells.decimals = choice->decimals > 0 ? (int)choice->decimals - 1 : 0;
    if (figure && choice->range == EXPORT_RANGE_SAME) {
        view->prefs.range_by_content = true;
    } else if (choice->range != EXPORT_RANGE_SAME) {
        view->prefs.range_by_content = choice->range == EXPORT_RANGE_CONTENT;
    }
}

void export_follow(struct app_state *state)
{
    struct app_export *const export = state->export;
    export->view = state->view;
    export->shown = app_state_scene(state);
    export->shown.view = &export->view;
    export->shown.pending = export->shown.experiment; /* what is being computed is in no picture */
}

bool export_picture(struct app_state *state, struct app_figure *picture, struct error *error)
{
    struct app_export *const export = state->export;
    if (export->renderer == NULL) {
        export->renderer = app_figure_renderer_open(error);
    }
    if (export->renderer == NULL) {
        return false;
    }
    export_follow(state);
    export->view.playback.playing = false;
    export->view.playback.glide = export->view.playback.arrival = 1; /* nothing is under way */
    export->view.work = NULL;
    export->view.blank = false;
    export->shown.theme = theme_of(state);
    app_view_take_theme(&export->view.prefs, state->theme, export->shown.theme);
    take_display(&export->choice, &export->view);
    const bool figure = export_style(&export->choice) == EXPORT_FIGURE;
    const float letters = export_letters(state);
    *picture = (struct app_figure){.scene = export->shown,
                                   .letters = letters,
                                   .view = export_content_at(export->choice.content)->view};
    if (view_picture_find(picture->view)->size != NULL) {
        export->own = app_figure_renderer_size(export->renderer, picture);
    }
    *picture = (struct app_figure){.scene = export->shown,
                                   .view = export_content_at(export->choice.content)->view,
                                   .width = (float)export_width(state),
                                   .height = (float)export_height(state),
                                   .scale = (float)export_scale(state),
                                   .letters = letters,
                                   .extent = !figure                    ? APP_EXTENT_PAPER
                                             : export->choice.width > 0 ? APP_EXTENT_WIDTH
                                                                        : APP_EXTENT_CONTENT,
                                   .fits = export_format(state)->kind == EXPORT_PICTURE,
                                   .ground = (enum app_ground) export->choice.ground,
                                   .text = (enum render_text) export->choice.letters,
                                   .describes = export_is_on(&export->choice, VIEW_EXPORT_WORDS)};
    return true;
}

/* --- what is wished --- */

static bool prepare_overlay(struct app_state *state)
{
    if (state->export == NULL) {
        state->export = calloc(1, sizeof *state->export);
        if (state->export != NULL) {
            export_preset(&state->export->choice);
            export_recall(&state->export->choice);
        }
    }
    if (state->export != NULL) {
        app_export_folder(state->export->folder, sizeof state->export->folder);
        state->export->known_lesson = NULL; /* another one may be at its address by now */
    }
    return state->export != NULL;
}

static void show_sheet(struct app_state *state)
{
    state->view.export_dialog = &state->export->overlay;
    state->view.overlay = VIEW_OVERLAY_EXPORT;
}

void app_export_open(struct app_state *state, double time)
{
    if (!prepare_overlay(state)) {
        app_state_show_message(state, time, "There is not enough memory for a picture.");
        return;
    }
    state->export->note[0] = '\0';
    state->export->name[0] = '\0'; /* it follows what is chosen */
    state->view.playback.playing = false;
    show_sheet(state);
}

void app_export_close(struct app_state *state)
{
    if (state->export != NULL) {
        export_stop_film(state->export);
        export_make_give_up(state->export);
        state->export->note[0] = '\0';
    }
    if (state->view.overlay == VIEW_OVERLAY_EXPORT) {
        export_keep(&state->export->choice);
        state->view.overlay = VIEW_OVERLAY_NONE;
    }
}

void app_export_free(struct app_state *state)
{
    struct app_export *const export = state->export;
    if (export != NULL) {
        export_stop_film(export);
        export_make_end(state);
        app_figure_renderer_close(export->renderer);
        free(export->pixels);
        arena_free(&export->text);
        arena_free(&export->page_texts);
        free(export);
        state->export = NULL;
        state->view.export_dialog = NULL;
    }
}

void export_refuse(struct app_export *export, const char *sentence)
{
    snprintf(export->note, sizeof export->note, "%s", sentence);
}

static const char *suffix_of(const char *name)
{
    const char *const slash = strrchr(name, '/');
    const char *const dot = strrchr(slash == NULL ? name : slash, '.');
    return dot == NULL ? "" : dot + 1;
}

/* A typed name that already ends in a format's suffix goes over to the new one. */
static void follow_format(struct app_export *export, size_t former)
{
    const size_t length = strlen(export->name);
    const char *const suffix = suffix_of(export->name);
    const char *const next = export_suffix(export_format_at(export->choice.format));
    if (export_is_named(export) && strcmp(suffix, export_suffix(export_format_at(former))) == 0) {
        const size_t stem = length - strlen(suffix);
        snprintf(export->name + stem, sizeof export->name - stem, "%s", next);
    }
}

static void choose_value(struct app_export *export, enum view_export_row row, size_t word)
{
    struct export_choice *const choice = &export->choice;
    const size_t former = choice->format;
    if (row >= VIEW_EXPORT_ROWS || word >= export->overlay.choice[row].count) {
        return;
    }
    *export_row_place(choice, row) = word;
    if (row == VIEW_EXPORT_CONTENT) {
        choice->width = choice->height = 0;
    }
    follow_format(export, former);
}

static void set_number(struct app_state *state, enum view_export_number number, double value)
{
    const double each = export_unit(state->export)->each;
    const bool of_film = export_format(state)->kind == EXPORT_FILM;
    const size_t which = number != VIEW_EXPORT_SCALE ? (size_t)number
                         : of_film                   ? EXPORT_FILM_SCALE
                                                     : EXPORT_SCALE;
    if (number < VIEW_EXPORT_NUMBERS) {
        const struct record_row *const row = export_number(which);
        const double amount = number == VIEW_EXPORT_SCALE ? value : value / each;
        record_put(row, &state->export->choice, fmin(fmax(amount, row->low), row->high));
    }
}

/* A name that ends as another format does chooses that format. */
static void take_name(struct app_export *export, const char *text)
{
    if (text == NULL || strcmp(text, export->name) == 0) {
        return;
    }
    snprintf(export->name, sizeof export->name, "%s", text);
    const char *const suffix = suffix_of(text);
    for (size_t i = 0; export_format_at(i) != NULL; i++) {
        const bool already =
            strcmp(export_suffix(export_format_at(export->choice.format)), suffix) == 0;
        if (!already && strcmp(export_suffix(export_format_at(i)), suffix) == 0) {
            export->choice.format = i;
        }
    }
}

static void save_export(struct app_state *state, double time)
{
    struct error error = {0};
    struct app_export *const export = state->export;
    const enum export_saving saving = export_is_named(export) ? export->button : EXPORT_CREATES;
    if (!export_save(state, saving, time, &error)) {
        export_refuse(export, error.text);
    } else if (export->film == NULL && export->make == NULL) {
        app_export_close(state);
    }
}

void app_export_apply(struct app_state *state, const struct view_action *action, double time)
{
    struct app_export *const export = state->export;
    const bool busy = export != NULL && (export->film != NULL || export->make != NULL);
    if (export == NULL || (busy && action->export.act != VIEW_EXPORT_CLOSE)) {
        return;
    }
    export->note[0] = '\0';
    switch ((enum view_export_act)action->export.act) {
    case VIEW_EXPORT_CHOOSE:
        choose_value(export, (enum view_export_row)action->export.which,
                     (size_t)action->export.number);
        break;
    case VIEW_EXPORT_SET:
        set_number(state, (enum view_export_number)action->export.which, action->export.number);
        break;
    case VIEW_EXPORT_TURN:
        if (action->export.which < VIEW_EXPORT_SWITCHES) {
            bool *const on =
                &export->choice.on[export_style(&export->choice)][action->export.which];
            *on = !*on;
        }
        break;
    case VIEW_EXPORT_NAME:
        take_name(export, action->export.text);
        break;
    case VIEW_EXPORT_SAVE:
        save_export(state, time);
        break;
    case VIEW_EXPORT_COPY:
        export_copy(state, time);
        break;
    case VIEW_EXPORT_CLOSE:
        if (export->make != NULL) { /* what is left to do of it is done unseen */
            app_export_close(state);
        } else if (busy) {
            export_stop_film(export); /* once more closes */
        } else {
            app_export_close(state);
        }
        break;
    }
}

bool app_export_advance(struct app_state *state, double time)
{
    struct app_export *const export = state->export;
    if (export == NULL || export->make != NULL) {
        return false;
    }
    return export_advance_film(state, time);
}

void app_export_now(struct app_state *state, double time)
{
    struct error error = {0};
    if (state->export != NULL && (state->export->film != NULL || state->export->make != NULL)) {
        return;
    }
    if (!prepare_overlay(state)) {
        app_state_show_message(state, time, "There is not enough memory for a picture.");
        return;
    }
    export_propose_name(state);
    if (!export_save(state, false, time, &error)) {
        app_state_show_message(state, time, "%s", error.text);
    } else if (state->export->film != NULL || state->export->make != NULL) {
        show_sheet(state); /* shows how far it is */
    } else if (state->view.overlay == VIEW_OVERLAY_EXPORT) {
        state->view.overlay = VIEW_OVERLAY_NONE;
    }
}

/* --- where pictures are kept, and what they are called --- */

void app_export_folder(char *path, size_t size)
{
    app_user_dir("PICTURES", "Pictures", path, size);
}

/* Says whether the file shows why a model says a word: the panel that stands in the window does, or
 * one of its own that was chosen; numbers and worksheets are the stage's. */
static bool is_of_why(const struct app_state *state)
{
    static const char *const views[] = {"window", "why", "attribution", "effects", "lens"};
    bool is = false;
    if (view_main_of(&state->view) != VIEW_MAIN_WHY || state->export == NULL) {
        return view_main_of(&state->view) == VIEW_MAIN_WHY;
    }
    const enum export_kind kind = export_format(state)->kind;
    const char *const chosen = export_content_at(state->export->choice.content)->view;
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        is = is || strcmp(chosen, views[v]) == 0;
    }
    return is && kind != EXPORT_NUMBERS && kind != EXPORT_SHEET &&
           (kind != EXPORT_PAGE || export_page_view(state) != NULL);
}

/* Letters of every script and digits; what else there is becomes hyphens. */
void app_export_name(const struct app_state *state, char *name, size_t size)
{
    static const size_t TAIL = 24; /* the stage's name and a number follow */
    const struct lab_experiment *const experiment = &state->document.experiment;
    const size_t count = experiment->lesson[0] == '\0' ? lab_words_count(experiment->tokens) : 0;
    char words[256];
    size_t length = (size_t)snprintf(words, sizeof words, "attnscope %s", experiment->lesson);
    for (size_t w = 0; w < count && length < sizeof words; w++) {
        length += (size_t)snprintf(words + length, sizeof words - length, " %s",
                                   lab_words_list(experiment->tokens)[w]);
    }
    text_file_name(words, name, size > TAIL ? size - TAIL : size);
    const size_t used = strlen(name);
    snprintf(name + used, size - used, "-%s",
             is_of_why(state) ? "why" : lab_stage_row(state->view.playback.stage)->name);
}

/* The choices of the export sheet, and what it says. */
#include "app/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/export_parts.h"
#include "app/session.h"

enum { FILM_RATE = 20 };

static const double MILLIMETRES = 25.4 / 72; /* of a point on paper */
/* What width and height are counted in. */
static const struct unit {
    const char *tip;
    double each; /* of them in a point */
    double step;
    int decimals;
} units[] = {
    /* in the order of the titles in say_choices */
    {"In points: 72 are an inch on paper", 1, 1, 0},
    {"In millimetres on paper", 25.4 / 72, 1, 1},
    {"In inches on paper", 1.0 / 72, 0.05, 2},
};

static const double SIDE_LEAST = 80, SIDE_MOST = 4000;
static const double SCALE_LEAST = 0.5, SCALE_MOST = 8, FILM_SCALE_MOST = 4;

static const struct export_content contents[] = {
    {"Window", "window", 0, 0},          {"Stage", "stage", 668, 640},
    {"Space", "space", 480, 460},        {"Heads", "heads", 480, 300},
    {"Selected head", "head", 480, 420}, {"Formula", "formula", 668, 108},
};

static const struct export_format formats[] = {
    {"PNG", "png", EXPORT_PICTURE},           {"SVG", "svg", EXPORT_PICTURE},
    {"PDF", "pdf", EXPORT_PICTURE},           {"Worksheet", "pdf", EXPORT_SHEET},
    {"WebP animation", "webp", EXPORT_FILM},  {"GIF animation", "gif", EXPORT_FILM},
    {"CSV", "CSV", EXPORT_NUMBERS},           {"LaTeX matrix", "LaTeX", EXPORT_NUMBERS},
    {"TikZ heatmap", "TikZ", EXPORT_NUMBERS}, {"NumPy array", "NumPy", EXPORT_NUMBERS},
};

enum { CONTENTS = sizeof contents / sizeof *contents, FORMATS = sizeof formats / sizeof *formats };

const struct export_format *export_format_at(size_t index)
{
    return index < FORMATS ? &formats[index] : NULL;
}

const struct export_content *export_content_at(size_t index)
{
    return index < CONTENTS ? &contents[index] : NULL;
}

const char *export_suffix(const struct export_format *format)
{
    return format->kind == EXPORT_NUMBERS ? app_matrix_format_find(format->by)->suffix : format->by;
}

const struct export_format *export_format(const struct app_state *state)
{
    return &formats[state->export->choice.format];
}

/* An animation is never on paper: the unit chosen for pictures does not hold for it. */
static const struct unit *unit_of(const struct app_export *export)
{
    const bool film = formats[export->choice.format].kind == EXPORT_FILM;
    return &units[film ? 0 : export->choice.unit];
}

/* --- what the numbers come to --- */

double export_width(const struct app_state *state)
{
    const struct export_choice *const choice = &state->export->choice;
    const float own = contents[choice->content].width;
    return choice->width > 0 ? choice->width : (double)(own > 0 ? own : state->width);
}

double export_height(const struct app_state *state)
{
    const struct export_choice *const choice = &state->export->choice;
    const float own = contents[choice->content].height;
    return choice->height > 0 ? choice->height : (double)(own > 0 ? own : state->height);
}

/* A picture for people is sharp on any screen; an animation is light enough to be sent. */
double export_scale(const struct app_state *state)
{
    const struct export_choice *const choice = &state->export->choice;
    if (export_format(state)->kind == EXPORT_FILM) {
        return choice->film_scale > 0 ? choice->film_scale : 1;
    }
    const double present = (double)state->scale;
    return choice->scale > 0 ? choice->scale : fmin(present > 2 ? present : 2, SCALE_MOST);
}

struct app_reel export_reel(const struct app_state *state)
{
    const bool all = state->export->choice.span == EXPORT_SPAN_ALL;
    return (struct app_reel){.from = all ? LAB_EMBED : state->view.stage,
                             .to = all ? LAB_STAGES - 1 : state->view.stage,
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

bool export_picture(struct app_state *state, struct app_picture *picture, struct error *error)
{
    struct app_export *const export = state->export;
    if (export->shown == NULL) {
        export->shown = calloc(1, sizeof *export->shown);
    }
    if (export->press == NULL) {
        export->press = app_press_open(error);
    }
    if (export->shown == NULL || export->press == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for a picture.");
    }
    *export->shown = *state;
    export->shown->view.playing = false;
    export->shown->view.blank = false;
    app_state_set_theme(export->shown, theme_of(state));
    *picture = (struct app_picture){.state = export->shown,
                                    .view = contents[export->choice.content].view,
                                    .width = (float)export_width(state),
                                    .height = (float)export_height(state),
                                    .scale = (float)export_scale(state),
                                    .ground = (enum app_ground) export->choice.ground,
                                    .text = (enum play_text) export->choice.letters,
                                    .describes = export->choice.words};
    return true;
}

/* --- what the sheet says --- */

static void offer(struct app_export *export, enum view_export_row row,
                  const struct view_export_choice *choice)
{
    export->sheet.choice[row] = *choice;
}

#define WORDS(list) (list), sizeof(list) / sizeof *(list)

static void say_choices(struct app_export *export)
{
    static const char *const spans[] = {"This stage", "All stages"};
    static const char *const tasks[] = {"This stage", "The lesson"};
    static const char *const themes[] = {"As the window", "Light", "Dark", "Greyscale"};
    static const char *const grounds[] = {"As the theme", "White", "Transparent"};
    static const char *const letters[] = {"As text", "As outlines"};
    static const char *const unit_titles[] = {"Points", "Millimetres", "Inches"};
    const struct export_choice *const choice = &export->choice;
    const enum export_kind kind = formats[choice->format].kind;
    const bool pages = kind == EXPORT_PICTURE && strcmp(formats[choice->format].by, "png") != 0;
    for (size_t i = 0; i < CONTENTS; i++) {
        export->content_titles[i] = contents[i].title;
    }
    for (size_t i = 0; i < FORMATS; i++) {
        export->format_titles[i] = formats[i].title;
    }
    memset(export->sheet.choice, 0, sizeof export->sheet.choice);
    offer(export, VIEW_EXPORT_FORMAT,
          &(struct view_export_choice){"Format",
                                       "PNG for slides, SVG and PDF for print, WebP and "
                                       "GIF move, a worksheet has empty boxes and a page of "
                                       "answers, the others are the stage's numbers",
                                       export->format_titles, FORMATS, choice->format});
    if (kind == EXPORT_SHEET) {
        offer(export, VIEW_EXPORT_SPAN,
              &(struct view_export_choice){"Shows", "This stage, or what the open lesson asks for",
                                           WORDS(tasks), choice->span});
    }
    if (kind == EXPORT_NUMBERS || kind == EXPORT_SHEET) {
        return;
    }
    offer(export, VIEW_EXPORT_CONTENT,
          &(struct view_export_choice){"Picture of", "The whole window, or one panel alone",
                                       export->content_titles, CONTENTS, choice->content});
    offer(export, VIEW_EXPORT_THEME,
          &(struct view_export_choice){"Theme",
                                       "Light is for paper, greyscale for paper without colour",
                                       WORDS(themes), choice->theme});
    offer(export, VIEW_EXPORT_GROUND,
          &(struct view_export_choice){"Background", "Transparent: what lies below shows through",
                                       WORDS(grounds), choice->ground});
    if (kind == EXPORT_PICTURE) {
        offer(export, VIEW_EXPORT_UNIT,
              &(struct view_export_choice){"Size in", "What width and height are counted in",
                                           WORDS(unit_titles), choice->unit});
    }
    if (kind == EXPORT_FILM) {
        offer(export, VIEW_EXPORT_SPAN,
              &(struct view_export_choice){"Shows", "The present stage filling, or all seven",
                                           WORDS(spans), choice->span});
    } else if (pages) {
        offer(export, VIEW_EXPORT_LETTERS,
              &(struct view_export_choice){"Letters",
                                           "Text can be searched and selected; outlines look the "
                                           "same without the fonts",
                                           WORDS(letters), choice->letters});
    }
}

static void say_numbers(struct app_state *state)
{
    struct app_export *const export = state->export;
    const enum export_kind kind = export_format(state)->kind;
    const bool draws = kind == EXPORT_PICTURE || kind == EXPORT_FILM;
    const bool film = kind == EXPORT_FILM;
    const bool pixels = film || (draws && strcmp(export_format(state)->by, "png") == 0);
    struct view_export_quantity *const number = export->sheet.number;
    const double sides[] = {export_width(state), export_height(state)};
    static const char *const titles[] = {"Width", "Height"};
    const struct unit *const unit = unit_of(export);
    for (size_t i = 0; i < 2; i++) {
        number[VIEW_EXPORT_WIDTH + i] = (struct view_export_quantity){titles[i],
                                                                      unit->tip,
                                                                      sides[i] * unit->each,
                                                                      SIDE_LEAST * unit->each,
                                                                      SIDE_MOST * unit->each,
                                                                      unit->step,
                                                                      unit->decimals,
                                                                      draws};
    }
    number[VIEW_EXPORT_SCALE] = (struct view_export_quantity){
        "Scale",
        "Pixels for each point: 2 is sharp on most screens, 4 in print",
        export_scale(state),
        SCALE_LEAST,
        film ? FILM_SCALE_MOST : SCALE_MOST,
        0.5,
        1,
        pixels};
    export->sheet.has_words = draws;
    export->sheet.words = export->choice.words;
}

static void say_facts(struct app_state *state)
{
    struct app_export *const export = state->export;
    const double wide = export_width(state), high = export_height(state);
    const double scale = export_scale(state);
    const struct app_reel reel = export_reel(state);
    char *const facts = export->facts;
    struct arena arena = {0};
    switch (export_format(state)->kind) {
    case EXPORT_NUMBERS: {
        const struct lab_matrix matrix = app_matrix_shown(state, &arena);
        snprintf(facts, sizeof export->facts, "%s: %zu × %zu numbers", matrix.name, matrix.rows,
                 matrix.cols);
        break;
    }
    case EXPORT_SHEET: {
        const struct app_worksheet worksheet = export_worksheet(state);
        snprintf(facts, sizeof export->facts, "%zu pages of A4",
                 2 * app_worksheet_tasks(&worksheet));
        break;
    }
    case EXPORT_FILM:
        snprintf(facts, sizeof export->facts, "%.0f × %.0f pixels, %.1f seconds",
                 round(wide * scale), round(high * scale), app_reel_seconds(&reel));
        break;
    case EXPORT_PICTURE:
        if (export->sheet.number[VIEW_EXPORT_SCALE].shown) {
            snprintf(facts, sizeof export->facts, "%.0f × %.0f pixels", round(wide * scale),
                     round(high * scale));
        } else {
            snprintf(facts, sizeof export->facts, "%.0f × %.0f mm on paper", wide * MILLIMETRES,
                     high * MILLIMETRES);
        }
        break;
    }
    arena_free(&arena);
}

static void say_copy(struct app_state *state)
{
    struct app_export *const export = state->export;
    const struct export_format *const format = export_format(state);
    const bool text = format->kind == EXPORT_NUMBERS || strcmp(format->by, "svg") == 0;
    export->sheet.can_copy = format->kind != EXPORT_FILM && format->kind != EXPORT_SHEET;
    snprintf(export->copy_tip, sizeof export->copy_tip, "%s",
             text                           ? "The text to the clipboard"
             : format->kind == EXPORT_FILM  ? "An animation can only be saved"
             : format->kind == EXPORT_SHEET ? "A worksheet can only be saved"
                                            : "The picture to the clipboard, as PNG");
}

/* The person's own folder as people write it. */
static void say_folder(struct app_export *export)
{
    const char *const home = getenv("HOME");
    const size_t length = home == NULL ? 0 : strlen(home);
    const bool inside = length > 1 && strncmp(export->folder, home, length) == 0 &&
                        (export->folder[length] == '/' || export->folder[length] == '\0');
    snprintf(export->folder_text, sizeof export->folder_text, "in %s%s", inside ? "~" : "",
             inside ? export->folder + length : export->folder);
}

/* The name that nobody has typed follows what is chosen. */
static void say_name(struct app_state *state)
{
    struct app_export *const export = state->export;
    struct view_export *const sheet = &export->sheet;
    if (!export->is_named) {
        export_free_name(state, export->name, sizeof export->name);
    }
    const bool exists = export_exists(state, export->name);
    say_folder(export);
    sheet->name = export->name;
    sheet->folder = export->folder_text;
    sheet->save = exists ? "Replace" : "Save";
    sheet->note = export->has_note ? export->note
                  : exists         ? "There is a file of that name: Replace writes over it."
                                   : NULL;
    sheet->refused = export->has_note;
}

static void say_progress(struct app_export *export)
{
    struct view_export *const sheet = &export->sheet;
    const size_t count = app_reel_count(&export->reel);
    sheet->busy = export->film != NULL;
    if (sheet->busy) {
        sheet->progress = (float)export->film_at / (float)count;
        snprintf(export->progress, sizeof export->progress, "Drawing picture %zu of %zu",
                 export->film_at + 1 < count ? export->film_at + 1 : count, count);
    }
}

void app_export_prepare(struct app_state *state)
{
    struct app_export *const export = state->export;
    if (export == NULL || state->view.export_sheet == NULL) {
        return;
    }
    struct view_export *const sheet = &export->sheet;
    sheet->fresh = export->fresh;
    export->fresh = false;
    sheet->facts = export->facts;
    sheet->copy_tip = export->copy_tip;
    sheet->progress_text = export->progress;
    say_progress(export);
    if (sheet->busy) {
        return; /* what is being drawn does not change */
    }
    say_choices(export);
    say_numbers(state);
    say_facts(state);
    say_copy(state);
    export_preview(state);
    say_name(state);
}

/* --- what is wished --- */

static bool ready(struct app_state *state)
{
    if (state->export == NULL) {
        state->export = calloc(1, sizeof *state->export);
        if (state->export != NULL) {
            state->export->choice.words = true;
        }
    }
    if (state->export != NULL) {
        app_export_folder(state->export->folder, sizeof state->export->folder);
    }
    return state->export != NULL;
}

void app_export_open(struct app_state *state, double time)
{
    if (!ready(state)) {
        app_state_say(state, time, "There is not enough memory for a picture.");
        return;
    }
    state->export->fresh = true;
    state->export->has_note = false;
    state->export->is_named = false;
    state->view.playing = false;
    state->view.find_open = state->view.help_open = false;
    state->view.export_sheet = &state->export->sheet;
}

void app_export_close(struct app_state *state)
{
    if (state->export != NULL) {
        export_stop_film(state->export);
        state->export->has_note = false;
    }
    state->view.export_sheet = NULL;
}

void app_export_free(struct app_export *export)
{
    if (export != NULL) {
        export_stop_film(export);
        app_press_close(export->press);
        free(export->shown);
        free(export->pixels);
        arena_free(&export->text);
        free(export);
    }
}

void export_refuse(struct app_export *export, const char *sentence)
{
    export->has_note = true;
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
    const char *const next = export_suffix(&formats[export->choice.format]);
    if (export->is_named && strcmp(suffix, export_suffix(&formats[former])) == 0) {
        const size_t stem = length - strlen(suffix);
        snprintf(export->name + stem, sizeof export->name - stem, "%s", next);
    }
}

static void choose(struct app_export *export, enum view_export_row row, size_t word)
{
    struct export_choice *const choice = &export->choice;
    const size_t former = choice->format;
    size_t *const places[VIEW_EXPORT_ROWS] = {
        [VIEW_EXPORT_CONTENT] = &choice->content, [VIEW_EXPORT_FORMAT] = &choice->format,
        [VIEW_EXPORT_SPAN] = &choice->span,       [VIEW_EXPORT_THEME] = &choice->theme,
        [VIEW_EXPORT_GROUND] = &choice->ground,   [VIEW_EXPORT_LETTERS] = &choice->letters,
        [VIEW_EXPORT_UNIT] = &choice->unit};
    if (row >= VIEW_EXPORT_ROWS || word >= export->sheet.choice[row].count) {
        return;
    }
    *places[row] = word;
    if (row == VIEW_EXPORT_CONTENT) {
        choice->width = choice->height = 0;
    }
    follow_format(export, former);
}

static void set_number(struct app_state *state, enum view_export_number number, double value)
{
    struct export_choice *const choice = &state->export->choice;
    switch (number) {
    case VIEW_EXPORT_WIDTH:
        choice->width = fmin(fmax(value / unit_of(state->export)->each, SIDE_LEAST), SIDE_MOST);
        break;
    case VIEW_EXPORT_HEIGHT:
        choice->height = fmin(fmax(value / unit_of(state->export)->each, SIDE_LEAST), SIDE_MOST);
        break;
    case VIEW_EXPORT_SCALE:
        if (export_format(state)->kind == EXPORT_FILM) {
            choice->film_scale = fmin(fmax(value, SCALE_LEAST), FILM_SCALE_MOST);
        } else {
            choice->scale = fmin(fmax(value, SCALE_LEAST), SCALE_MOST);
        }
        break;
    case VIEW_EXPORT_NUMBERS:
        break;
    }
}

/* A name that ends as another format does chooses that format. */
static void take_name(struct app_export *export, const char *text)
{
    if (text == NULL || strcmp(text, export->name) == 0) {
        return;
    }
    snprintf(export->name, sizeof export->name, "%s", text);
    export->is_named = text[0] != '\0';
    const char *const suffix = suffix_of(text);
    for (size_t i = 0; i < FORMATS; i++) {
        const bool already = strcmp(export_suffix(&formats[export->choice.format]), suffix) == 0;
        if (!already && strcmp(export_suffix(&formats[i]), suffix) == 0) {
            export->choice.format = i;
        }
    }
}

static void save(struct app_state *state, double time)
{
    struct error error = {0};
    struct app_export *const export = state->export;
    const bool replaces = export->is_named && strcmp(export->sheet.save, "Replace") == 0;
    if (!export_save(state, replaces, time, &error)) {
        export_refuse(export, error.text);
    } else if (export->film == NULL) {
        app_export_close(state);
    }
}

void app_export_apply(struct app_state *state, const struct view_wish *wish, double time)
{
    struct app_export *const export = state->export;
    if (export == NULL || (export->film != NULL && wish->index != VIEW_EXPORT_CLOSE)) {
        return;
    }
    export->has_note = false;
    switch ((enum view_export_act)wish->index) {
    case VIEW_EXPORT_CHOOSE:
        choose(export, (enum view_export_row)wish->other, (size_t)wish->number);
        break;
    case VIEW_EXPORT_SET:
        set_number(state, (enum view_export_number)wish->other, wish->number);
        break;
    case VIEW_EXPORT_WORDS:
        export->choice.words = !export->choice.words;
        break;
    case VIEW_EXPORT_NAME:
        take_name(export, wish->text);
        break;
    case VIEW_EXPORT_SAVE:
        save(state, time);
        break;
    case VIEW_EXPORT_COPY:
        export_copy(state, time);
        break;
    case VIEW_EXPORT_CLOSE:
        if (export->film != NULL) {
            export_stop_film(export); /* once more closes */
        } else {
            app_export_close(state);
        }
        break;
    }
}

void app_export_now(struct app_state *state, double time)
{
    struct error error = {0};
    if (state->export != NULL && state->export->film != NULL) {
        return;
    }
    if (!ready(state)) {
        app_state_say(state, time, "There is not enough memory for a picture.");
        return;
    }
    state->export->is_named = false;
    export_free_name(state, state->export->name, sizeof state->export->name);
    if (!export_save(state, false, time, &error)) {
        app_state_say(state, time, "%s", error.text);
    } else if (state->export->film != NULL) {
        state->view.export_sheet = &state->export->sheet; /* shows how far it is */
    } else {
        state->view.export_sheet = NULL;
    }
}

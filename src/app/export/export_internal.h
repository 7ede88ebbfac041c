/* app/export/export_internal.h — what the files of the export share. */
#ifndef APP_EXPORT_EXPORT_INTERNAL_H
#define APP_EXPORT_EXPORT_INTERNAL_H

#include "app/draw/figure.h"
#include "app/draw/page.h"
#include "app/draw/timeline.h"
#include "app/draw/worksheet.h"
#include "app/export/export.h"
#include "app/export/matrix_text.h"
#include "canvas/formats/animation_crew.h"
#include "view/sheets/export.h"

enum { EXPORT_PATH_MAX = 4096, EXPORT_NAME_MAX = 1024 };

/* Saving makes a file, and never overwrites one that came meanwhile, or it replaces the one of that
 * name. */
enum export_saving { EXPORT_CREATES, EXPORT_REPLACES };

enum export_kind { EXPORT_PICTURE, EXPORT_PAGE, EXPORT_FILM, EXPORT_NUMBERS, EXPORT_SHEET };

/* A row of the formats: exactly one of the three pointers is found by `by`. */
struct export_format {
    const char *title; /* "WebP animation" */
    const char *by;    /* suffix or title in the table of its kind */
    enum export_kind kind;
};
const struct export_format *export_format_at(size_t index); /* NULL behind the last */
const char *export_suffix(const struct export_format *format);

/* A row of what can be shown, with the size that it has in a window of 1440 × 900. */
struct export_content {
    const char *title, *view;
    float width, height; /* 0: its own, or the window's where it has none */
};
const struct export_content *export_content_at(size_t index);

/* A unit of width and height. */
struct export_unit {
    const char *tip;
    double each; /* of them in a point */
    double step;
    int decimals;
    float letters; /* size of ordinary letters, points; 0: as in the window */
};

enum { EXPORT_SPAN_STAGE, EXPORT_SPAN_ALL };
enum { EXPORT_RANGE_SAME, EXPORT_RANGE_ALL, EXPORT_RANGE_CONTENT };
enum { EXPORT_THEME_SAME, EXPORT_THEME_LIGHT, EXPORT_THEME_DARK, EXPORT_THEME_GREY };

/* As papers print it: no card, no border, 8 points; or as it is shown. */
enum { EXPORT_FIGURE, EXPORT_SHOWN, EXPORT_STYLES };

struct export_choice {
    size_t content, format, span, theme, ground, letters, unit, values, range;
    size_t page_style, pixel_style; /* of SVG and PDF, of PNG */
    size_t decimals;                /* 0: as they need; else one more than how many */
    double width, height;           /* points; 0: what the content has by itself */
    double scale, film_scale;
    bool on[EXPORT_STYLES][VIEW_EXPORT_SWITCHES];
};

struct app_export {
    struct export_choice choice;
    struct view_export overlay;
    char name[EXPORT_NAME_MAX];
    enum export_saving button;      /* what the button says, since that is what saving does */
    char proposed[EXPORT_NAME_MAX]; /* as what is chosen names it: what else `name` is was typed */
    char folder[EXPORT_PATH_MAX], folder_text[EXPORT_PATH_MAX + 16];
    const char *content_titles[16], *format_titles[24];
    char facts[192], copy_tip[96], progress[96];
    char note[256];         /* an error that stands until something is changed; "": none */
    struct app_scene shown; /* what is seen, as the picture has it */
    struct view_state view; /* the view of it */
    struct point own;       /* the size of a content that sizes itself */
    struct app_figure_renderer *renderer;

    uint64_t preview_of; /* what the preview was drawn from; 0: nothing */
    struct colour *pixels;
    uint32_t columns, rows;
    float wide, high;
    struct point saved; /* its size in a file, points */
    struct arena text;  /* of a preview in words */
    struct arena page_texts;
    const struct lab_lesson *known_lesson; /* of which the next is said; NULL: none */
    size_t known_steps; /* that lesson's, where none of them needs training; else 0 */
    const char *lines;

    struct export_make *make; /* a file that takes long, under way (export_make.c); NULL: none */
    struct animation *film;   /* that is being drawn; NULL: none */
    struct animation_crew *film_crew;
    struct app_figure film_picture;
    struct app_timeline timeline;
    struct lab_experiment film_experiment;
    const struct lab_trace *film_trace, *film_baseline;
    size_t film_at;
    size_t film_changes; /* document.changes when it began */
    char path[EXPORT_PATH_MAX];
    enum export_saving saving; /* to that path */
};

/* The numbers of a choice, as rows with title and range (export_choice.c). */
enum { EXPORT_WIDTH, EXPORT_HEIGHT, EXPORT_SCALE, EXPORT_FILM_SCALE, EXPORT_NUMBER_ROWS };
const struct record_row *export_number(size_t index);

/* Where the choice of one of the rows stands (export_choice.c). */
size_t *export_row_place(struct export_choice *choice, enum view_export_row row);
const struct export_unit *export_unit(const struct app_export *export);
void export_fill_overlay(struct app_export *export); /* into the overlay */

/* Returns whether the picture is a figure or as it is shown, with its switches (export_choice.c).
 */
size_t export_style(const struct export_choice *choice);
bool export_is_on(const struct export_choice *choice, enum view_export_switch which);

/* Sets what is chosen where nothing was kept. */
void export_preset(struct export_choice *choice);

/* The last choices, kept from one run to the next (export_choice.c). */
void export_keep(const struct export_choice *choice);
void export_recall(struct export_choice *choice);

/* Of the overlay (export.c). */
double export_width(const struct app_state *state);
double export_height(const struct app_state *state);
double export_scale(const struct app_state *state);
float export_letters(const struct app_state *state); /* points; 0: as in the window */
const struct export_format *export_format(const struct app_state *state);
struct app_timeline export_timeline(const struct app_state *state);
void export_refuse(struct app_export *export, const char *sentence);

/* export->shown follows the state, with the numbers of files. */
void export_follow(struct app_state *state);

/* The picture as it is chosen, of export->shown, which is made to follow the state. False and a
 * sentence: there is none. */
bool export_picture(struct app_state *state, struct app_figure *picture, struct error *error);

/* The page for browsers, of what is shown or of the open lesson, as the command line writes it
 * (export_page.c). False and a sentence: there is none. */
bool export_page(struct app_state *state, struct app_figure *page, struct error *error);

/* Returns the view that it is a picture of: the chosen one, and of the window what that shows.
 * NULL: the stages. */
const char *export_page_view(const struct app_state *state);

/* Returns how many steps it has: those of the lesson, where each can be shown as it is without
 * training, else the present one. */
size_t export_page_steps(const struct app_state *state);

/* Its whole file. */
bool export_print_page(struct app_state *state, struct arena *arena, struct bytes *content,
                       struct error *error);

/* Says whether the worksheet is a page that checks answers, not a PDF. */
bool export_is_sheet_page(const struct app_state *state);

/* Returns the worksheet to print: of the stage, or of the lesson. */
struct app_worksheet export_worksheet(const struct app_state *state);

/* The session inside the picture, where it is to lie there and fits; owned by the arena. */
bool export_put_session(struct app_figure *picture, struct arena *arena, struct error *error);

/* The whole file of a picture or of numbers, as a format writes it. (export_save.c) */
bool export_content(struct app_state *state, const struct export_format *format,
                    struct arena *arena, struct bytes *content, struct error *error);

/* A file that takes longer than a frame can wait (export_make.c): begun with export->path and
 * export->saving, given up so that nothing is left behind. */
bool export_takes_long(const struct app_state *state);
bool export_make_begin(struct app_state *state, double time, struct error *error);
void export_make_give_up(struct app_export *export);
void export_make_end(struct app_state *state);
float export_make_progress(const struct app_export *export, char *text, size_t size);

/* How many numbers the stage ends with, without making them. */
struct export_extent {
    const char *name;
    size_t rows, cols;
};
struct export_extent export_numbers(const struct app_state *state);

/* Files (export_save.c). */
bool export_write(const char *path, enum export_saving saving, struct bytes content,
                  struct error *error);
bool export_exists(const struct app_state *state, const char *name);
void export_propose_name(struct app_state *state);

/* Returns whether the person has typed the name. */
bool export_is_named(const struct app_export *export);
bool export_save(struct app_state *state, enum export_saving saving, double time,
                 struct error *error);
void export_copy(struct app_state *state, double time);
void export_stop_film(struct app_export *export);
bool export_advance_film(struct app_state *state, double time);

/* The preview of what is chosen (export_preview.c). */
void export_preview(struct app_state *state);

#endif

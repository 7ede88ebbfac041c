/* The choices of the export overlay: what can be shown, as what, the rows that offer it, and how
 * the last ones are kept from one run to the next. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/settings_store.h"
#include "app/export/export_internal.h"
#include "base/text.h"

/* The tables of the export overlay: what can be shown, as what, and the rows that offer it. */

/* The units of width and height. */
static const struct export_unit units[] = {
    /* in the order of the titles in the rows below */
    {"In points: 72 are an inch on paper", 1, 1, 0, 0},
    {"In millimetres on paper, with small letters", 25.4 / 72, 1, 1, APP_PAPER_LETTERS},
    {"In inches on paper, with small letters", 1.0 / 72, 0.05, 2, APP_PAPER_LETTERS},
};

static const struct export_content contents[] = {
    {"Window", "window", 0, 0},
    {"Stage", "stage", 668, 640},
    {"Matrix alone", "matrix", 0, 0},
    {"3-D view", "space", 480, 460},
    {"Heads", "heads", 480, 300},
    {"One head", "head", 480, 420},
    {"Formula", "formula", 668, 108},
    {"Kinds", "kinds", 720, 540},
    {"Costs", "costs", 668, 480},
    {"Decode", "decode", 668, 420},
    {"Training", "training", 0, 0},
    {"Why", "why", 0, 0},
    {"Why: who says it", "attribution", 0, 0},
    {"Why: every head in turn", "effects", 0, 0},
    {"Why: what it would say", "lens", 0, 0},
};

static const struct export_format formats[] = {
    {"PNG", "png", EXPORT_PICTURE},
    {"SVG", "svg", EXPORT_PICTURE},
    {"PDF", "pdf", EXPORT_PICTURE},
    {"HTML page", "html", EXPORT_PAGE},
    {"Worksheet", "pdf", EXPORT_SHEET},
    {"Worksheet page", "html", EXPORT_SHEET},
    {"WebP animation", "webp", EXPORT_FILM},
    {"GIF animation", "gif", EXPORT_FILM},
    {"CSV", "CSV", EXPORT_NUMBERS},
    {"LaTeX matrix", "LaTeX", EXPORT_NUMBERS},
    {"LaTeX table", "LaTeX table", EXPORT_NUMBERS},
    {"Markdown table", "Markdown", EXPORT_NUMBERS},
    {"HTML table", "HTML", EXPORT_NUMBERS},
    {"TikZ heatmap", "TikZ", EXPORT_NUMBERS},
    {"NumPy array", "NumPy", EXPORT_NUMBERS},
    {"JSON", "JSON", EXPORT_NUMBERS},
    {"NPY", "NPY", EXPORT_NUMBERS},
    {"NPZ", "NPZ", EXPORT_NUMBERS},
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

/* An animation is never on paper: the unit chosen for pictures does not hold for it. */
const struct export_unit *export_unit(const struct app_export *export)
{
    const bool film = formats[export->choice.format].kind == EXPORT_FILM;
    return &units[film ? 0 : export->choice.unit];
}

/* --- the rows --- */

static const char *const themes[] = {"As shown", "Light", "Dark", "Greyscale"};
static const char *const grounds[] = {"As the theme", "White", "Transparent"};
static const char *const letters[] = {"As text", "As outlines"};
static const char *const unit_titles[] = {"Points", "Millimetres", "Inches"};
static const char *const values[] = {"If they fit", "In all cells", "None"};
static const char *const decimals[] = {"As needed", "0", "1", "2", "3", "4", "5", "6"};
static const char *const ranges[] = {"As they are", "From 0 to 1", "To largest"};
static const char *const styles[] = {"Figure", "As shown"}; /* in the order of EXPORT_FIGURE */
static const char *const spans[] = {"This stage", "All stages"};
static const char *const tasks[] = {"This stage", "The lesson"};

/* Bits of the kinds of formats that a row belongs to. */
enum {
    FOR_PICTURE = 1 << EXPORT_PICTURE,
    FOR_PAGE = 1 << EXPORT_PAGE,
    FOR_FILM = 1 << EXPORT_FILM,
    FOR_NUMBERS = 1 << EXPORT_NUMBERS,
    FOR_SHEET = 1 << EXPORT_SHEET,
    FOR_ALL = FOR_PICTURE | FOR_PAGE | FOR_FILM | FOR_NUMBERS | FOR_SHEET
};

#define PLACE(member) offsetof(struct export_choice, member)
#define WORDS(list) (list), sizeof(list) / sizeof *(list)

static const struct row {
    const char *title, *tip;
    size_t place; /* of the choice */
    unsigned kinds;
    const char *const *words; /* NULL: the titles of a table */
    size_t count;
} rows[VIEW_EXPORT_ROWS] = {
    [VIEW_EXPORT_CONTENT] = {"Picture of", "The whole window, or one part of it alone",
                             PLACE(content), FOR_PICTURE | FOR_PAGE | FOR_FILM, NULL, CONTENTS},
    [VIEW_EXPORT_FORMAT] = {"Format",
                            "PNG for slides, SVG and PDF for print, WebP and GIF move, an "
                            "HTML page is tried out in any browser, a "
                            "worksheet has empty boxes and a page of answers, the others are the "
                            "stage's numbers",
                            PLACE(format), FOR_ALL, NULL, FORMATS},
    [VIEW_EXPORT_SPAN] = {"Shows", "The present stage, or all seven", PLACE(span),
                          FOR_FILM | FOR_SHEET, WORDS(spans)},
    [VIEW_EXPORT_STYLE] = {"Style",
                           "Figure: as papers print it, letters of 8 points and nothing around it; "
                           "as shown: with card and headline",
                           0, FOR_PICTURE, WORDS(styles)},
    [VIEW_EXPORT_THEME] = {"Theme", "Light is for paper, greyscale for paper without colour",
                           PLACE(theme), FOR_PICTURE | FOR_FILM, WORDS(themes)},
    [VIEW_EXPORT_GROUND] = {"Background", "Transparent: what lies below shows through",
                            PLACE(ground), FOR_PICTURE | FOR_FILM, WORDS(grounds)},
    [VIEW_EXPORT_LETTERS] = {"Letters",
                             "Text can be searched and selected; outlines look the same without "
                             "the fonts",
                             PLACE(letters), FOR_PICTURE, WORDS(letters)},
    [VIEW_EXPORT_UNIT] = {"Size in", "What width and height are counted in", PLACE(unit),
                          FOR_PICTURE, WORDS(unit_titles)},
    [VIEW_EXPORT_VALUES] = {"Numbers",
                            "In the cells: where they can be read, in every cell that has any "
                            "room, or in none",
                            PLACE(values), FOR_PICTURE | FOR_FILM, WORDS(values)},
    [VIEW_EXPORT_DECIMALS] = {"Decimals", "Of the numbers in the cells", PLACE(decimals),
                              FOR_PICTURE | FOR_FILM, WORDS(decimals)},
    [VIEW_EXPORT_RANGE] = {"Colours", "The last colour of weights is 1, or the largest weight",
                           PLACE(range), FOR_PICTURE | FOR_FILM, WORDS(ranges)},
};

static bool is_page(const struct export_format *format)
{
    return format->kind == EXPORT_PICTURE && strcmp(format->by, "png") != 0;
}

/* The whole window is never a figure, nor is a formula, of which nothing is there but the card. */
static bool may_be_figure(const struct export_choice *choice)
{
    return formats[choice->format].kind == EXPORT_PICTURE &&
           strcmp(contents[choice->content].view, "window") != 0 &&
           strcmp(contents[choice->content].view, "formula") != 0;
}

size_t export_style(const struct export_choice *choice)
{
    return !may_be_figure(choice)              ? EXPORT_SHOWN
           : is_page(&formats[choice->format]) ? choice->page_style
                                               : choice->pixel_style;
}

bool export_is_on(const struct export_choice *choice, enum view_export_switch which)
{
    return choice->on[export_style(choice)][which];
}

void export_preset(struct export_choice *choice)
{
    choice->pixel_style = EXPORT_SHOWN;
    for (size_t s = 0; s < VIEW_EXPORT_SWITCHES; s++) {
        const bool around =
            s == VIEW_EXPORT_TITLE || s == VIEW_EXPORT_CAPTION || s == VIEW_EXPORT_MARKS;
        choice->on[EXPORT_SHOWN][s] = true;
        choice->on[EXPORT_FIGURE][s] = !around;
    }
}

size_t *export_row_place(struct export_choice *choice, enum view_export_row row)
{
    if (row == VIEW_EXPORT_STYLE) {
        return is_page(&formats[choice->format]) ? &choice->page_style : &choice->pixel_style;
    }
    return (size_t *)(void *)((char *)choice + rows[row].place);
}

static const char *row_title(enum view_export_row row)
{
    return rows[row].title;
}

static const char *row_word(enum view_export_row row, size_t word)
{
    return word >= rows[row].count      ? NULL
           : rows[row].words != NULL    ? rows[row].words[word]
           : row == VIEW_EXPORT_CONTENT ? contents[word].title
                                        : formats[word].title;
}

static bool is_available(const struct app_export *export, enum view_export_row row)
{
    const struct export_format *const format = &formats[export->choice.format];
    return (rows[row].kinds & 1u << format->kind) != 0 &&
           (row != VIEW_EXPORT_LETTERS || is_page(format)) &&
           (row != VIEW_EXPORT_STYLE || may_be_figure(&export->choice));
}

void export_fill_overlay(struct app_export *export)
{
    memset(export->overlay.choice, 0, sizeof export->overlay.choice);
    for (size_t i = 0; i < CONTENTS; i++) {
        export->content_titles[i] = contents[i].title;
    }
    for (size_t i = 0; i < FORMATS; i++) {
        export->format_titles[i] = formats[i].title;
    }
    for (size_t r = 0; r < VIEW_EXPORT_ROWS; r++) {
        const enum view_export_row row = (enum view_export_row)r;
        if (is_available(export, row)) {
            export->overlay.choice[row] = (struct view_export_choice){
                rows[row].title, rows[row].tip,
                rows[row].words != NULL      ? rows[row].words
                : row == VIEW_EXPORT_CONTENT ? export->content_titles
                                             : export->format_titles,
                rows[row].count, *export_row_place(&export->choice, row)};
        }
    }
    if (formats[export->choice.format].kind == EXPORT_SHEET) {
        struct view_export_choice *const span = &export->overlay.choice[VIEW_EXPORT_SPAN];
        span->tip = "This stage, or what the open lesson asks for";
        span->rows = tasks;
    }
}

/* The last choices of the export overlay, kept from one run to the next: a line each, "Format=SVG".
 * What a line says that this program does not know is passed over. */

enum { LINES_MAX = VIEW_EXPORT_ROWS + EXPORT_STYLES * VIEW_EXPORT_SWITCHES + 4 };

static const char FILE_NAME[] = "export";

static const char *const switches[VIEW_EXPORT_SWITCHES] = {
    [VIEW_EXPORT_TITLE] = "Title",
    [VIEW_EXPORT_CAPTION] = "Caption",
    [VIEW_EXPORT_BAR] = "Colour bar",
    [VIEW_EXPORT_MARKS] = "Selection marks",
    [VIEW_EXPORT_WORDS] = "Experiment inside",
};

/* The names before the switches of a style. */
static const char *const style_names[EXPORT_STYLES] = {
    [EXPORT_FIGURE] = "Figure: ", [EXPORT_SHOWN] = ""};

/* 0 is what the content has by itself. */
#define NUMBER(MEMBER) .type = RECORD_DOUBLE, .at = offsetof(struct export_choice, MEMBER)
static const struct record_row numbers[EXPORT_NUMBER_ROWS] = {
    [EXPORT_WIDTH] = {NUMBER(width), .title = "Width", .low = 80, .high = 4000},
    [EXPORT_HEIGHT] = {NUMBER(height), .title = "Height", .low = 80, .high = 4000},
    [EXPORT_SCALE] = {NUMBER(scale), .title = "Scale", .low = 0.5, .high = 8},
    [EXPORT_FILM_SCALE] = {NUMBER(film_scale), .title = "Scale of animations", .low = 0.5,
                           .high = 4},
};

const struct record_row *export_number(size_t index)
{
    return &numbers[index];
}

void export_keep(const struct export_choice *choice)
{
    struct arena arena = {0};
    struct export_choice copy = *choice;
    const char *lines[LINES_MAX];
    size_t count = 0;
    for (size_t r = 0; r < VIEW_EXPORT_ROWS; r++) {
        const enum view_export_row row = (enum view_export_row)r;
        const char *const word = row_word(row, *export_row_place(&copy, row));
        lines[count++] = arena_format(&arena, "%s=%s", row_title(row), word);
    }
    for (size_t s = 0; s < EXPORT_STYLES * VIEW_EXPORT_SWITCHES; s++) {
        const size_t style = s / VIEW_EXPORT_SWITCHES, which = s % VIEW_EXPORT_SWITCHES;
        lines[count++] = arena_format(&arena, "%s%s=%s", style_names[style], switches[which],
                                      choice->on[style][which] ? "on" : "off");
    }
    for (size_t n = 0; n < EXPORT_NUMBER_ROWS; n++) {
        char text[RECORD_TEXT_MAX];
        lines[count++] =
            arena_format(&arena, "%s=%s", numbers[n].title, record_text(&numbers[n], choice, text));
    }
    app_store_lines(FILE_NAME, lines, count);
    arena_free(&arena);
}

static void take_row(struct export_choice *choice, enum view_export_row row, const char *word)
{
    for (size_t w = 0; row_word(row, w) != NULL; w++) {
        if (strcmp(row_word(row, w), word) == 0) {
            *export_row_place(choice, row) = w;
        }
    }
}

static void take_line(struct export_choice *choice, const char *line)
{
    const size_t length = strcspn(line, "=");
    const char *const said = line + length + (line[length] != '\0');
    for (size_t r = 0; r < VIEW_EXPORT_ROWS; r++) {
        const char *const title = row_title((enum view_export_row)r);
        if (strlen(title) == length && strncmp(title, line, length) == 0) {
            take_row(choice, (enum view_export_row)r, said);
        }
    }
    for (size_t s = 0; s < EXPORT_STYLES * VIEW_EXPORT_SWITCHES; s++) {
        const size_t style = s / VIEW_EXPORT_SWITCHES, which = s % VIEW_EXPORT_SWITCHES;
        const size_t before = strlen(style_names[style]), after = strlen(switches[which]);
        if (before + after == length && strncmp(line, style_names[style], before) == 0 &&
            strncmp(line + before, switches[which], after) == 0) {
            choice->on[style][which] = strcmp(said, "off") != 0;
        }
    }
    for (size_t n = 0; n < EXPORT_NUMBER_ROWS; n++) {
        struct export_choice next = *choice;
        if (strlen(numbers[n].title) == length && strncmp(numbers[n].title, line, length) == 0 &&
            record_read(&numbers[n], said, &next) &&
            record_is_in_range(&numbers[n], record_get(&numbers[n], &next))) {
            *choice = next;
        }
    }
}

void export_recall(struct export_choice *choice)
{
    struct arena arena = {0};
    const char *lines[LINES_MAX];
    const size_t count = app_stored_lines(FILE_NAME, &arena, lines, LINES_MAX);
    for (size_t i = 0; i < count; i++) {
        take_line(choice, lines[i]);
    }
    arena_free(&arena);
}

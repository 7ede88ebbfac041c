/* The last choices of the export sheet, kept from one run to the next: a line each, "Format=SVG".
 * What a line says that this program does not know is passed over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/settings_store.h"
#include "app/export/export_parts.h"
#include "base/text.h"

enum { LINES_MAX = VIEW_EXPORT_ROWS + VIEW_EXPORT_SWITCHES + 4 };

static const char FILE_NAME[] = "export";

static const char *const switches[VIEW_EXPORT_SWITCHES] = {
    [VIEW_EXPORT_TITLE] = "Title",
    [VIEW_EXPORT_CAPTION] = "Caption",
    [VIEW_EXPORT_BAR] = "Colour bar",
    [VIEW_EXPORT_MARKS] = "Selection marks",
    [VIEW_EXPORT_WORDS] = "Experiment inside",
};

/* Numbers that were set; 0 is what the content has by itself. */
static const struct number {
    const char *title;
    size_t place;
    double low, high;
} numbers[] = {
    {"Width", offsetof(struct export_choice, width), EXPORT_SIDE_LEAST, EXPORT_SIDE_MOST},
    {"Height", offsetof(struct export_choice, height), EXPORT_SIDE_LEAST, EXPORT_SIDE_MOST},
    {"Scale", offsetof(struct export_choice, scale), EXPORT_SCALE_LEAST, EXPORT_SCALE_MOST},
    {"Scale of animations", offsetof(struct export_choice, film_scale), EXPORT_SCALE_LEAST,
     EXPORT_FILM_SCALE_MOST},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

static double *number_at(struct export_choice *choice, size_t index)
{
    return (double *)(void *)((char *)choice + numbers[index].place);
}

void export_keep(const struct export_choice *choice)
{
    struct arena arena = {0};
    struct export_choice copy = *choice;
    const char *lines[LINES_MAX];
    size_t count = 0;
    for (size_t r = 0; r < VIEW_EXPORT_ROWS; r++) {
        const enum view_export_row row = (enum view_export_row)r;
        const char *const word = export_row_word(row, *export_row_place(&copy, row));
        lines[count++] = arena_format(&arena, "%s=%s", export_row_title(row), word);
    }
    for (size_t s = 0; s < VIEW_EXPORT_SWITCHES; s++) {
        lines[count++] = arena_format(&arena, "%s=%s", switches[s], choice->on[s] ? "on" : "off");
    }
    for (size_t n = 0; n < NUMBERS; n++) {
        char text[TEXT_NUMBER_MAX];
        lines[count++] = arena_format(&arena, "%s=%s", numbers[n].title,
                                      text_double_exact(text, *number_at(&copy, n)));
    }
    app_store_lines(FILE_NAME, lines, count);
    arena_free(&arena);
}

static void take_row(struct export_choice *choice, enum view_export_row row, const char *word)
{
    for (size_t w = 0; export_row_word(row, w) != NULL; w++) {
        if (strcmp(export_row_word(row, w), word) == 0) {
            *export_row_place(choice, row) = w;
        }
    }
}

static void take_number(struct export_choice *choice, size_t index, const char *text)
{
    double value = 0;
    if (text_to_double(text, &value) && value >= numbers[index].low &&
        value <= numbers[index].high) {
        *number_at(choice, index) = value;
    }
}

static void take_line(struct export_choice *choice, const char *line)
{
    const size_t length = strcspn(line, "=");
    const char *const said = line + length + (line[length] != '\0');
    for (size_t r = 0; r < VIEW_EXPORT_ROWS; r++) {
        const char *const title = export_row_title((enum view_export_row)r);
        if (strlen(title) == length && strncmp(title, line, length) == 0) {
            take_row(choice, (enum view_export_row)r, said);
        }
    }
    for (size_t s = 0; s < VIEW_EXPORT_SWITCHES; s++) {
        if (strlen(switches[s]) == length && strncmp(switches[s], line, length) == 0) {
            choice->on[s] = strcmp(said, "off") != 0;
        }
    }
    for (size_t n = 0; n < NUMBERS; n++) {
        if (strlen(numbers[n].title) == length && strncmp(numbers[n].title, line, length) == 0) {
            take_number(choice, n, said);
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

/* page/page.c — the file: its head, what is there without script, the numbers, and the script. */
#include "page/page.h"

#include <string.h>

#include "base/embedded.h"
#include "base/text.h"
#include "base/translate.h"
#include "canvas/formats/xml.h"
#include "page/page_internal.h"
#include "ui/theme.h"

enum { TABLE_CELLS_MAX = 4096 };

const char *page_plain_text(struct arena *arena, const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const size_t length = strlen(text);
    char *const plain = arena_alloc(arena, length * (sizeof replacement - 1) + 1);
    size_t size = 0;
    for (size_t at = 0; plain != NULL && at < length;) {
        const size_t from = at;
        const uint32_t code = text_next(text, length, &at);
        const bool is_gap = code == '\n' || code == '\t' || code == '\r';
        const bool is_bad = !is_gap && (text_is_control(code) || code == 0xfffd);
        const char *const put = is_gap ? " " : is_bad ? replacement : text + from;
        const size_t count = is_gap ? 1 : is_bad ? sizeof replacement - 1 : at - from;
        memcpy(plain + size, put, count);
        size += count;
    }
    return plain == NULL ? "" : plain;
}

static void put_words(struct xml *html, struct arena *arena, const char *words)
{
    const char *const plain = page_plain_text(arena, words);
    xml_put_text(html, plain, strlen(plain));
}

static void put_element(struct xml *html, struct arena *arena, const char *name, const char *words)
{
    xml_put(html, arena_words(arena, "<%s>", name));
    put_words(html, arena, words);
    xml_put(html, arena_words(arena, "</%.*s>\n", (int)strcspn(name, " "), name));
}

static void put_embedded(struct xml *html, const char *name)
{
    const struct embedded *const file = embedded_find(name);
    if (file != NULL) {
        xml_put_bytes(html, (const char *)file->bytes, file->size);
    }
}

/* ---- the head -------------------------------------------------------------------------------- */

/* Writes the colours of a theme as properties that style and script read. */
static void put_colours(struct xml *html, struct arena *arena, const struct ui_theme *theme)
{
    const struct {
        const char *name;
        struct colour colour;
    } colours[] = {
        {"ground", theme->ground},   {"panel", theme->panel},
        {"line", theme->line},       {"control", theme->control},
        {"ink", theme->ink},         {"muted", theme->muted},
        {"accent", theme->accent},   {"accent-ink", theme->accent_ink},
        {"refused", theme->refused}, {"x", theme->x},
        {"query", theme->query},     {"key", theme->key},
        {"value", theme->value},     {"output", theme->output},
    };
    xml_put(html, ".attnscope{color-scheme:");
    xml_put(html, theme->dark ? "dark" : "light");
    for (size_t c = 0; c < sizeof colours / sizeof *colours; c++) {
        const struct colour colour = colours[c].colour;
        xml_put(html, arena_words(arena, ";--%s:#%02x%02x%02x", colours[c].name, colour.red,
                                  colour.green, colour.blue));
    }
    xml_put(html, "}\n");
}

static void put_style(struct xml *html, struct arena *arena)
{
    xml_put(html, "<style>\n");
    put_colours(html, arena, ui_theme_find("light"));
    xml_put(html, "@media (prefers-color-scheme:dark){\n");
    put_colours(html, arena, ui_theme_find("dark"));
    xml_put(html, "}\n");
    put_embedded(html, "assets/page/page.css");
    xml_put(html, "</style>\n");
}

static void put_head(struct xml *html, struct arena *arena, const struct page *page)
{
    const char *const code = language_current()->code;
    const char *const language = strcmp(code, "zh_CN") == 0 ? "zh-Hans" : code;
    xml_put(html, arena_words(arena, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n", language));
    xml_put(html, "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                  "content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"generator\" content=\"attnscope\">\n<title>");
    put_words(html, arena, page->title);
    xml_put(html, "</title>\n");
    put_style(html, arena);
    xml_put(html, "</head>\n<body>\n");
}

/* ---- what is there without script ------------------------------------------------------------ */

/* Puts the drawing without the declaration that only a file of its own has. */
static void put_figure(struct xml *html, struct bytes svg, const char *attributes)
{
    const size_t from = bytes_find(svg, 0, "<svg");
    if (from == svg.size) {
        return;
    }
    xml_put(html, "<figure");
    xml_put(html, attributes);
    xml_put(html, ">\n");
    xml_put_bytes(html, (const char *)svg.at + from, svg.size - from);
    xml_put(html, "</figure>\n");
}

static bool keeps_figures(const struct page *page)
{
    bool keeps = false;
    for (size_t s = 0; s < page->steps; s++) {
        keeps = keeps || page->step[s].figure.size > 0;
    }
    return keeps;
}

/* Puts the figure that is seen without script, and those of other steps for the script to show. */
static void put_figures(struct xml *html, struct arena *arena, const struct page *page)
{
    if (page->step[page->start].figure.size == 0) {
        put_figure(html, page->figure, "");
    }
    for (size_t s = 0; s < page->steps; s++) {
        put_figure(html, page->step[s].figure,
                   arena_words(arena, " class=\"kept\" data-step=\"%zu\"%s", s,
                               s == page->start ? "" : " hidden"));
    }
}

static void put_captions(struct xml *html, struct arena *arena, const struct page *page)
{
    if (page->steps == 1) {
        if (page->step->caption[0] != '\0') {
            put_element(html, arena, "p", page->step->caption);
        }
        return;
    }
    xml_put(html, "<ol>\n");
    for (size_t s = 0; s < page->steps; s++) {
        put_element(html, arena, "li", page->step[s].caption);
    }
    xml_put(html, "</ol>\n");
}

/* Returns the matrix that a stage ends with; values NULL: it has none. */
static struct lab_matrix matrix_of(const struct page_step *step, struct arena *arena)
{
    static const enum lab_part parts[LAB_STAGES] = {
        LAB_EMBEDDINGS_X, LAB_Q, LAB_SCORES, LAB_SCORES, LAB_ALPHA, LAB_Z, LAB_OUTPUT_O};
    const size_t head = step->selection.head;
    const enum lab_part part =
        step->stage == LAB_PROJECT && step->selection.projected != LAB_EMBEDDINGS_X
            ? step->selection.projected
            : parts[step->stage];
    const struct lab_matrix matrix = lab_trace_part(step->trace, part, head);
    return step->stage == LAB_SCALE && matrix.values != NULL
               ? lab_trace_scaled_matrix(step->trace, head, arena)
               : matrix;
}

/* A weight that the mask hides is no number: its cell is empty. */
static void put_row(struct xml *html, struct arena *arena, const struct page_step *step,
                    const struct lab_matrix *matrix, size_t row, int decimals)
{
    xml_put(html, "<tr>");
    if (matrix->row_words != NULL) {
        xml_put(html, "<th scope=\"row\">");
        put_words(html, arena, matrix->row_words[row]);
        xml_put(html, "</th>");
    }
    for (size_t column = 0; column < matrix->cols; column++) {
        char number[TEXT_NUMBER_MAX];
        const double value = (double)lab_matrix_at(matrix, row, column);
        const bool is_hidden =
            step->stage == LAB_SOFTMAX && !(value > 0) && !lab_trace_sees(step->trace, row, column);
        xml_put(html, "<td>");
        xml_put(html, is_hidden ? "" : text_number(number, value, decimals));
        xml_put(html, "</td>");
    }
    xml_put(html, "</tr>\n");
}

/* Puts the numbers that the figure shows; those of a step that asks for one stay untold. */
static void put_table(struct xml *html, struct arena *arena, const struct page_step *step)
{
    enum { DECIMALS_MAX = 3 };
    const struct lab_matrix matrix = matrix_of(step, arena);
    const bool is_asked = step->question != PAGE_ASKS_NOTHING;
    if (matrix.values == NULL || matrix.rows * matrix.cols > TABLE_CELLS_MAX || is_asked) {
        return;
    }
    xml_put(html, "<table>\n<caption>");
    put_words(html, arena, matrix.name);
    xml_put(html, "</caption>\n");
    if (matrix.column_words != NULL) {
        xml_put(html, matrix.row_words != NULL ? "<tr><td></td>" : "<tr>");
        for (size_t column = 0; column < matrix.cols; column++) {
            xml_put(html, "<th scope=\"col\">");
            put_words(html, arena, matrix.column_words[column]);
            xml_put(html, "</th>");
        }
        xml_put(html, "</tr>\n");
    }
    const int decimals = lab_decimals(&matrix, DECIMALS_MAX);
    for (size_t row = 0; row < matrix.rows; row++) {
        put_row(html, arena, step, &matrix, row, decimals);
    }
    xml_put(html, "</table>\n");
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void put_page(struct xml *html, struct arena *arena, const struct page *page,
                     struct bytes numbers)
{
    put_head(html, arena, page);
    xml_put(html, "<main class=\"attnscope\">\n");
    put_element(html, arena, "h1", page->title);
    if (page->summary != NULL && page->summary[0] != '\0') {
        put_element(html, arena, "p class=\"summary\"", page->summary);
    }
    xml_put(html,
            keeps_figures(page) ? "<div class=\"still keeps\">\n" : "<div class=\"still\">\n");
    put_figures(html, arena, page);
    put_captions(html, arena, page);
    put_table(html, arena, &page->step[page->start]);
    xml_put(html, "</div>\n<script type=\"application/json\">");
    xml_put_bytes(html, (const char *)numbers.at, numbers.size);
    xml_put(html, "</script>\n<script>\n(function () {\n'use strict';\n");
    put_embedded(html, "assets/page/script.js");
    xml_put(html, "}());\n</script>\n</main>\n</body>\n</html>\n");
}

bool page_write(const struct page *page, struct arena *arena, struct bytes *html,
                struct error *error)
{
    struct bytes numbers = {NULL, 0};
    struct xml all = {0};
    if (!page_numbers(page, arena, &numbers, error)) {
        return false;
    }
    put_page(&all, arena, page, numbers);
    uint8_t *const copy = all.failed || arena->lacking ? NULL : arena_alloc(arena, all.size + 1);
    if (copy != NULL) {
        memcpy(copy, all.at, all.size);
        *html = (struct bytes){copy, all.size};
    }
    xml_free(&all);
    return copy != NULL || error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
}

#include "drawing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double CAPITALS = 0.7;  /* their height, of the size of letters */
static const double TOUCHING = 0.3;  /* of letters: so near two numbers of a row may be */
static const double TOLERANCE = 0.3; /* points, of boxes over each other and over the edge */

/* ---- reading --------------------------------------------------------------------------------- */

/* The value of an attribute in an element that ends at `end`; NULL: it has none. */
static const char *attribute(const char *element, const char *end, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = element; (at = strstr(at, name)) != NULL && at < end; at++) {
        if (at[-1] == ' ' && at[length] == '=') {
            return at + length + 2;
        }
    }
    return NULL;
}

static double number_of(const char *element, const char *end, const char *name)
{
    const char *const at = attribute(element, end, name);
    return at == NULL ? 0 : strtod(at, NULL);
}

static void turn(double point[2], const double turned[3])
{
    const double angle = turned[0] * acos(-1) / 180;
    const double x = point[0] - turned[1], y = point[1] - turned[2];
    point[0] = turned[1] + x * cos(angle) - y * sin(angle);
    point[1] = turned[2] + x * sin(angle) + y * cos(angle);
}

static void ink(struct drawing *drawing, double x, double y)
{
    const double column = x / drawing->wide * DRAWING_RASTER;
    const double row = y / drawing->high * DRAWING_RASTER;
    if (column >= 0 && row >= 0 && column < DRAWING_RASTER && row < DRAWING_RASTER) {
        drawing->inked[(size_t)row][(size_t)column] = true;
    }
}

static void ink_line(struct drawing *drawing, double ax, double ay, double bx, double by)
{
    enum { STEPS = 2 * DRAWING_RASTER };
    for (int s = 0; s <= STEPS; s++) {
        ink(drawing, ax + (bx - ax) * s / STEPS, ay + (by - ay) * s / STEPS);
    }
}

/* An area: what covers the page is its ground, and no ink. */
static void ink_area(struct drawing *drawing, double x, double y, double wide, double high)
{
    if (wide * high > 0.8 * drawing->wide * drawing->high) {
        return;
    }
    enum { STEPS = 2 * DRAWING_RASTER };
    drawing->shapes++;
    for (int s = 0; s <= STEPS; s++) {
        ink_line(drawing, x, y + high * s / STEPS, x + wide, y + high * s / STEPS);
    }
}

static void read_path(struct drawing *drawing, const char *element, const char *end)
{
    const char *at = attribute(element, end, "d");
    double x = 0, y = 0;
    drawing->shapes++;
    while (at != NULL && *at != '"') {
        char *after = NULL;
        const char letter = *at;
        const double to_x = letter == 'M' || letter == 'L' ? strtod(at + 1, &after) : 0;
        const double to_y = after == NULL ? 0 : strtod(after, &after);
        if (letter == 'L') {
            ink_line(drawing, x, y, to_x, to_y);
        }
        x = after == NULL ? x : to_x;
        y = after == NULL ? y : to_y;
        at = after == NULL ? at + 1 : after;
    }
}

/* The letters of an element and of its parts, without marks of XML. */
static const char *words_of(const char *from, const char *to, struct arena *arena)
{
    static const char *const marks[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}};
    char *const words = arena_alloc(arena, (size_t)(to - from) + 1);
    size_t length = 0;
    assert_non_null(words);
    for (const char *at = from; at < to;) {
        size_t skipped = 0;
        if (*at == '<') {
            at = strchr(at, '>') + 1;
            continue;
        }
        for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
            if (strncmp(at, marks[m][0], strlen(marks[m][0])) == 0) {
                words[length++] = marks[m][1][0];
                skipped = strlen(marks[m][0]);
            }
        }
        if (skipped == 0) {
            words[length++] = *at;
            skipped = 1;
        }
        at += skipped;
    }
    words[length] = '\0';
    return words;
}

/* "0.36", "−1.2", "12 %" and "≥ 0.5" are numbers; "0" alone may name a place. */
static bool is_number(const char *words)
{
    const size_t letters = strspn(words, "0123456789.\xe2\x88\x92");
    return letters > 1 && words[letters] == '\0';
}

/* One text may be several pieces, where its letters come from several fonts. */
static void read_text(struct drawing *drawing, const char *element, struct arena *arena)
{
    const char *const close = strstr(element, "</text>");
    const char *const end = strchr(element, '>');
    const char *const turned = attribute(element, end, "transform");
    double about[3] = {0, 0, 0}, x = 0, length = 0;
    bool begins = false;
    assert_non_null(close);
    struct drawing_text *const text = &drawing->text[drawing->texts++];
    for (const char *part = element; part != NULL && part < close; part = strchr(part + 1, '<')) {
        const char *const part_end = strchr(part, '>');
        if (!begins && attribute(part, part_end, "x") != NULL) {
            x = number_of(part, part_end, "x");
            begins = true;
        }
        length += number_of(part, part_end, "textLength");
    }
    const double y = number_of(element, end, "y");
    text->size = number_of(element, end, "font-size");
    text->words = words_of(end + 1, close, arena);
    text->is_number = is_number(text->words);
    if (turned != NULL) {
        assert_int_equal(sscanf(turned, "rotate(%lf %lf %lf)", &about[0], &about[1], &about[2]), 3);
    }
    for (size_t c = 0; c < 4; c++) {
        text->corner[c][0] = x + (c == 1 || c == 2 ? length : 0);
        text->corner[c][1] = y - (c > 1 ? CAPITALS * text->size : 0);
        turn(text->corner[c], about);
    }
    for (size_t c = 0; c < 4; c++) {
        const double *const one = text->corner[c], *const next = text->corner[(c + 1) % 4];
        ink_line(drawing, one[0], one[1], next[0], next[1]);
    }
}

static bool begins_with(const char *at, const char *name)
{
    return strncmp(at, name, strlen(name)) == 0;
}

static void read_element(struct drawing *drawing, const char *at, struct arena *arena)
{
    const char *const end = strchr(at, '>');
    if (begins_with(at, "<text ")) {
        read_text(drawing, at, arena);
    } else if (begins_with(at, "<rect ") || begins_with(at, "<image ")) {
        ink_area(drawing, number_of(at, end, "x"), number_of(at, end, "y"),
                 number_of(at, end, "width"), number_of(at, end, "height"));
    } else if (begins_with(at, "<circle ")) {
        const double r = number_of(at, end, "r");
        ink_area(drawing, number_of(at, end, "cx") - r, number_of(at, end, "cy") - r, 2 * r, 2 * r);
    } else if (begins_with(at, "<path ")) {
        read_path(drawing, at, end);
    }
}

struct drawing drawing_read(const char *svg, struct arena *arena)
{
    struct drawing drawing = {0};
    size_t texts = 0;
    const char *const root = strstr(svg, "<svg ");
    assert_non_null(root);
    drawing.wide = number_of(root, strchr(root, '>'), "width");
    drawing.high = number_of(root, strchr(root, '>'), "height");
    assert_true(drawing.wide > 0 && drawing.high > 0);
    for (const char *at = root; (at = strstr(at, "<text ")) != NULL; at++) {
        texts++;
    }
    drawing.text = arena_array(arena, texts + 1, sizeof *drawing.text);
    assert_non_null(drawing.text);
    for (const char *at = root; at != NULL; at = strchr(at + 1, '<')) {
        if (begins_with(at, "<clipPath") || begins_with(at, "<defs")) {
            at = strstr(at, at[1] == 'c' ? "</clipPath>" : "</defs>"); /* only a limit of others */
        }
        read_element(&drawing, at, arena);
    }
    return drawing;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* Says whether a line along an edge of `one` parts the boxes. */
static bool parts(const struct drawing_text *one, const struct drawing_text *other)
{
    for (size_t e = 0; e < 2; e++) {
        const double *const from = one->corner[e], *const to = one->corner[e + 1];
        const double along = hypot(to[0] - from[0], to[1] - from[1]);
        double low = INFINITY, high = -INFINITY;
        if (along < TOLERANCE) {
            return true; /* an empty text */
        }
        for (size_t c = 0; c < 4; c++) {
            const double place = ((other->corner[c][0] - from[0]) * (to[0] - from[0]) +
                                  (other->corner[c][1] - from[1]) * (to[1] - from[1])) /
                                 along;
            low = fmin(low, place);
            high = fmax(high, place);
        }
        if (high < TOLERANCE || low > along - TOLERANCE) {
            return true;
        }
    }
    return false;
}

static bool lie_over(const struct drawing_text *one, const struct drawing_text *other)
{
    return !parts(one, other) && !parts(other, one);
}

/* Two numbers of one row of cells without room between them read as one. */
static bool touch(const struct drawing_text *one, const struct drawing_text *other)
{
    const double gap = other->corner[0][0] - one->corner[1][0];
    const bool is_level = fabs(one->corner[0][1] - one->corner[1][1]) < TOLERANCE;
    return one->is_number && other->is_number && is_level &&
           fabs(one->corner[0][1] - other->corner[0][1]) < TOLERANCE &&
           one->corner[0][0] < other->corner[0][0] && gap < TOUCHING * one->size;
}

static bool leaves(const struct drawing *drawing, const struct drawing_text *text)
{
    bool out = false;
    for (size_t c = 0; c < 4; c++) {
        const double x = text->corner[c][0], y = text->corner[c][1];
        out = out || x < -TOLERANCE || y < -TOLERANCE || x > drawing->wide + TOLERANCE ||
              y > drawing->high + TOLERANCE;
    }
    return out;
}

/* Says whether a text is the name, the name with its middle left out, or that of its query. */
static bool names(const char *words, const char *name)
{
    static const char dots[] = "…";
    const char *const cut = strstr(words, dots);
    const size_t before = cut == NULL ? 0 : (size_t)(cut - words);
    const char *const behind = cut == NULL ? "" : cut + strlen(dots);
    const size_t length = strlen(name), after = strlen(behind);
    const char *const open = strchr(words, '(');
    const bool is_of =
        open != NULL && strncmp(open + 1, name, length) == 0 && strcmp(open + 1 + length, ")") == 0;
    return strcmp(words, name) == 0 || is_of ||
           (cut != NULL && before > 0 && before + after < length &&
            strncmp(words, name, before) == 0 && strcmp(name + length - after, behind) == 0);
}

/* A name may stand in two lines, or within another text. */
static bool has_name(const struct drawing *drawing, const char *name)
{
    bool has = false;
    for (size_t t = 0; !has && t < drawing->texts; t++) {
        const char *const words = drawing->text[t].words;
        const size_t length = strlen(words);
        has = names(words, name) ||
              (t + 1 < drawing->texts && length > 0 && strncmp(words, name, length) == 0 &&
               strcmp(drawing->text[t + 1].words, name + length) == 0);
    }
    return has;
}

/* Says whether the figure says itself that it leaves names out. */
static bool says_that_names_lack(const struct drawing *drawing)
{
    static const char *const sentences[] = {"names are shown", "Namen stehen",
                                            "Namen sind gezeigt"};
    bool says = false;
    for (size_t t = 0; t < drawing->texts; t++) {
        for (size_t s = 0; s < sizeof sentences / sizeof *sentences; s++) {
            says = says || strstr(drawing->text[t].words, sentences[s]) != NULL;
        }
    }
    return says;
}

double drawing_empty(const struct drawing *drawing)
{
    size_t above[DRAWING_RASTER] = {0}, largest = 0;
    for (size_t r = 0; r < DRAWING_RASTER; r++) {
        for (size_t c = 0; c < DRAWING_RASTER; c++) {
            above[c] = drawing->inked[r][c] ? 0 : above[c] + 1;
        }
        for (size_t from = 0; from < DRAWING_RASTER; from++) {
            size_t high = DRAWING_RASTER;
            for (size_t to = from; to < DRAWING_RASTER && above[to] > 0; to++) {
                high = above[to] < high ? above[to] : high;
                const size_t area = high * (to - from + 1);
                largest = area > largest ? area : largest;
            }
        }
    }
    return (double)largest / (DRAWING_RASTER * DRAWING_RASTER);
}

static const char *fault_of_pair(const struct drawing_text *one, const struct drawing_text *other,
                                 struct arena *arena)
{
    return lie_over(one, other)
               ? arena_format(arena, "“%s” lies over “%s”", one->words, other->words)
           : touch(one, other) || touch(other, one)
               ? arena_format(arena, "“%s” touches “%s”", one->words, other->words)
               : NULL;
}

const char *drawing_fault(const struct drawing *drawing, const struct drawing_rules *rules,
                          struct arena *arena)
{
    const char *fault = NULL;
    if (drawing->shapes + drawing->texts == 0) {
        return "nothing is drawn";
    }
    for (size_t t = 0; fault == NULL && t < drawing->texts; t++) {
        const struct drawing_text *const text = &drawing->text[t];
        fault =
            leaves(drawing, text) ? arena_format(arena, "“%s” leaves the page", text->words)
            : text->size < rules->smallest - 0.01
                ? arena_format(arena, "“%s” has letters of %.2f points", text->words, text->size)
                : NULL;
        for (size_t o = 0; fault == NULL && o < t; o++) {
            fault = fault_of_pair(text, &drawing->text[o], arena);
        }
    }
    for (size_t n = 0; fault == NULL && n < rules->names_count; n++) {
        if (!has_name(drawing, rules->names[n]) && !says_that_names_lack(drawing)) {
            fault = arena_format(arena, "“%s” is not named", rules->names[n]);
        }
    }
    if (fault == NULL && drawing_empty(drawing) > rules->empty_max) {
        fault = arena_format(arena, "%.0f %% of the page in one piece are empty",
                             100 * drawing_empty(drawing));
    }
    return fault;
}

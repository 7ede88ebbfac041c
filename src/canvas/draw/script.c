/* Indices and powers in texts. */
#include "canvas/draw/script.h"

#include <ctype.h>
#include <string.h>

static const float LOWER = 0.2f, HIGHER = -0.36f;

static bool is_letter(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || (unsigned char)byte >= 0x80;
}

/* The ways to write an index; of two that begin alike the longer first. */
static const struct {
    const char *bases, *index;
} rows[] = {
    {"W", "DKV"},  {"W", "DQ"}, {"W", "UQ"},   {"W", "KR"},     {"W", "UK"},
    {"W", "UV"},   {"Wb", "Q"}, {"Wb", "K"},   {"Wb", "V"},     {"Wb", "O"},
    {"W", "gate"}, {"W", "up"}, {"W", "down"}, {"W", "router"}, {"d", "model"},
    {"d", "k"},    {"d", "v"},  {"B", "r"},    {"B", "c"},
};

/* The line at `mark` is between a symbol and its index. */
static bool has_index(const char *text, size_t length, size_t mark, struct canvas_script *script)
{
    if (mark == 0 || strchr("WbdB", text[mark - 1]) == NULL) {
        return false;
    }
    /* In a product another symbol may stand before it: XW_Q, CW_UK; in a slope a d: dL/dW_Q. */
    const char before = mark > 1 ? text[mark - 2] : ' ';
    if (is_letter(before) && strchr("XCd", before) == NULL && (unsigned char)before < 0x80) {
        return false;
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const size_t letters = strlen(rows[r].index), end = mark + 1 + letters;
        if (strchr(rows[r].bases, text[mark - 1]) != NULL && end <= length &&
            memcmp(text + mark + 1, rows[r].index, letters) == 0 &&
            (end == length || (unsigned char)text[end] >= 0x80 || !is_letter(text[end]))) {
            *script = (struct canvas_script){mark, mark + 1, end, end, LOWER};
            return true;
        }
    }
    return false;
}

static bool has_power(const char *text, size_t length, size_t mark, struct canvas_script *script)
{
    const char *const close =
        mark > 0 && text[mark - 1] == 'e' && mark + 2 < length && text[mark + 1] == '('
            ? memchr(text + mark, ')', length - mark)
            : NULL;
    if (close == NULL) {
        return false;
    }
    const size_t end = (size_t)(close - text);
    *script = (struct canvas_script){mark, mark + 2, end, end + 1, HIGHER};
    return true;
}

bool canvas_script_find(const char *text, size_t length, size_t at, struct canvas_script *script)
{
    for (; at < length; at++) {
        if ((text[at] == '_' && has_index(text, length, at, script)) ||
            (text[at] == '^' && has_power(text, length, at, script))) {
            return true;
        }
    }
    return false;
}

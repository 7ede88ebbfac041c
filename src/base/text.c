/* base/text.c — see text.h: UTF-8 and words. Numbers are in number.c. */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/unicode.h"

enum { REPLACEMENT = 0xFFFD, GRAPHEME_JOINER = 0x034F, MARKS_IN_A_ROW_MAX = 30 };

uint32_t text_next(const char *text, size_t length, size_t *at)
{
    if (*at >= length) {
        return 0;
    }
    utf8proc_int32_t code_point = 0;
    utf8proc_ssize_t step = utf8proc_iterate((const utf8proc_uint8_t *)text + *at,
                                             (utf8proc_ssize_t)(length - *at), &code_point);
    if (step <= 0 || code_point < 0) {
        *at += 1;
        return REPLACEMENT;
    }
    *at += (size_t)step;
    return (uint32_t)code_point;
}

size_t text_next_letter(const char *text, size_t length, size_t at)
{
    if (at >= length) {
        return length;
    }
    utf8proc_int32_t state = 0;
    uint32_t before = text_next(text, length, &at);
    while (at < length) {
        size_t behind = at;
        uint32_t code_point = text_next(text, length, &behind);
        if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)before, (utf8proc_int32_t)code_point,
                                             &state)) {
            return at;
        }
        before = code_point;
        at = behind;
    }
    return length;
}

size_t text_former_letter(const char *text, size_t length, size_t at)
{
    if (at > length) {
        at = length;
    }
    if (at == 0) {
        return 0;
    }
    /* Flags and joined emoji are told apart from their beginning only: a line feed is sure. */
    size_t start = at - 1;
    while (start > 0 && text[start - 1] != '\n') {
        start--;
    }
    for (;;) {
        size_t next = text_next_letter(text, length, start);
        if (next >= at) {
            return start;
        }
        start = next;
    }
}

size_t text_letters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; at = text_next_letter(text, length, at)) {
        count++;
    }
    return count;
}

static bool is_dropped_control(uint32_t code_point)
{
    bool control = code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
    return control && code_point != '\t' && code_point != '\n';
}

/* Valid UTF-8 without controls, into to, which has room for 3 bytes for each byte of text. A
 * grapheme joiner breaks endless rows of combining marks, as Unicode's stream-safe text process has
 * it (UAX 15, section 13): sorting them would take quadratic time. */
static size_t copy_valid(uint8_t *to, const char *text, size_t length)
{
    size_t written = 0;
    size_t marks = 0;
    for (size_t at = 0; at < length;) {
        if (text[at] >= ' ' && text[at] < 0x7F) {
            to[written++] = (uint8_t)text[at++];
            marks = 0;
            continue;
        }
        uint32_t code_point = text_next(text, length, &at);
        if (is_dropped_control(code_point)) {
            continue;
        }
        bool mark = utf8proc_get_property((utf8proc_int32_t)code_point)->combining_class != 0;
        marks = mark ? marks + 1 : 0;
        if (marks > MARKS_IN_A_ROW_MAX) {
            written += (size_t)utf8proc_encode_char(GRAPHEME_JOINER, to + written);
            marks = 1;
        }
        written += (size_t)utf8proc_encode_char((utf8proc_int32_t)code_point, to + written);
    }
    return written;
}

struct composed {
    uint8_t *at;
    size_t length, room;
};

static bool append_bytes(struct composed *to, const uint8_t *bytes, size_t count)
{
    if (to->room - to->length <= count) {
        const size_t room = 2 * (to->length + count) + 1;
        uint8_t *const more = realloc(to->at, room);
        if (more == NULL) {
            return false;
        }
        to->at = more;
        to->room = room;
    }
    memcpy(to->at + to->length, bytes, count);
    to->length += count;
    return true;
}

static bool append_composed(struct composed *to, const uint8_t *valid, size_t length)
{
    uint8_t *piece = NULL;
    const utf8proc_ssize_t count =
        utf8proc_map(valid, (utf8proc_ssize_t)length, &piece,
                     (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    const bool done = count >= 0 && piece != NULL && append_bytes(to, piece, (size_t)count);
    free(piece);
    return done;
}

/* Letters of ASCII stay as they are, but the last one before others, which may change it: most of a
 * long text is only copied. */
static bool compose_text(struct composed *to, const uint8_t *valid, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t plain = at;
        while (plain < length && valid[plain] < 0x80 &&
               (plain + 1 == length || valid[plain + 1] < 0x80)) {
            plain++;
        }
        size_t end = plain < length ? plain + 1 : plain;
        while (end < length && valid[end] >= 0x80) {
            end++;
        }
        if (!append_bytes(to, valid + at, plain - at) ||
            (end > plain && !append_composed(to, valid + plain, end - plain))) {
            return false;
        }
        at = end;
    }
    return append_bytes(to, valid, 0);
}

char *text_clean(struct arena *arena, const char *text, size_t length, size_t *clean_length)
{
    if (length > PTRDIFF_MAX / 8) {
        return NULL;
    }
    uint8_t *valid = malloc(length * 3 + 8);
    if (valid == NULL) {
        arena->lacking = true;
        return NULL;
    }
    struct composed composed = {.at = NULL};
    char *result = NULL;
    if (compose_text(&composed, valid, copy_valid(valid, text, length))) {
        result = arena_text(arena, (const char *)composed.at, composed.length);
    }
    arena->lacking = arena->lacking || result == NULL;
    if (result != NULL && clean_length != NULL) {
        *clean_length = composed.length;
    }
    free(composed.at);
    free(valid);
    return result;
}

bool text_is_space(uint32_t code_point)
{
    static const struct {
        uint32_t first, last;
    } spaces[] = {
        {0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680},
        {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (code_point >= spaces[i].first && code_point <= spaces[i].last) {
            return true;
        }
    }
    return false;
}

bool text_is_control(uint32_t code_point)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0, 0x1f}, {0x7f, 0x9f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        if (code_point >= ranges[r].first && code_point <= ranges[r].last) {
            return true;
        }
    }
    return false;
}

bool text_is_letter(uint32_t code_point)
{
    const utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code_point);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool text_is_number(uint32_t code_point)
{
    const utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code_point);
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

/* Copies the next word, without its backslashes, to `word` and moves *at behind it. Returns its
 * length; 0 at the end of the text. */
static size_t next_word(const char *text, size_t length, size_t *at, char *word)
{
    size_t written = 0;
    while (*at < length) {
        size_t begin = *at;
        size_t behind = begin;
        uint32_t code_point = text_next(text, length, &behind);
        if (code_point == '\\' && behind < length) {
            size_t escaped_end = behind;
            uint32_t escaped = text_next(text, length, &escaped_end);
            if (escaped == '\\' || text_is_space(escaped)) {
                begin = behind;
                behind = escaped_end;
                code_point = 'x';
            }
        }
        *at = behind;
        if (text_is_space(code_point)) {
            if (written > 0) {
                break;
            }
            continue;
        }
        if (code_point == 0) {
            continue;
        }
        memcpy(word + written, text + begin, behind - begin);
        written += behind - begin;
    }
    return written;
}

const char *text_file_name(const char *name, char *out, size_t size)
{
    const size_t length = strlen(name);
    size_t used = 0;
    bool gap = false;
    for (size_t at = 0; at < length;) {
        const size_t from = at;
        const uint32_t letter = text_next(name, length, &at);
        const bool marks = used > 0 && !gap && unicode_is_mark(letter);
        const bool stays =
            marks || text_is_letter(letter) || text_is_number(letter) || letter == '_';
        const size_t takes = at - from + (gap && used > 0);
        if (stays && used + takes >= size) {
            break;
        }
        if (stays) {
            if (gap && used > 0) {
                out[used++] = '-';
            }
            memcpy(out + used, name + from, at - from);
            used += at - from;
        }
        gap = !stays;
    }
    out[used] = '\0';
    return used > 0 ? out : memcpy(out, "file", size < 5 ? size : 5);
}

size_t text_split(struct arena *arena, const char *text, size_t length, const char *const **words)
{
    *words = NULL;
    /* Every word is shorter than what it was made of, and all of them fit where the text fits. */
    if (length > SIZE_MAX / 2) {
        return 0;
    }
    char *letters = arena_alloc(arena, length + length / 2 + 2);
    const char **list = arena_array(arena, length / 2 + 1, sizeof *list);
    if (letters == NULL || list == NULL) {
        return 0;
    }
    size_t count = 0;
    for (size_t at = 0; at < length;) {
        size_t word_length = next_word(text, length, &at, letters);
        if (word_length == 0) {
            break;
        }
        letters[word_length] = '\0';
        list[count++] = letters;
        letters += word_length + 1;
    }
    *words = list;
    return count;
}

size_t text_distance(const char *a, const char *b)
{
    enum { LETTERS_MAX = 64 };
    size_t row[LETTERS_MAX + 1];
    size_t a_length = strlen(a) < LETTERS_MAX ? strlen(a) : LETTERS_MAX;
    size_t b_length = strlen(b) < LETTERS_MAX ? strlen(b) : LETTERS_MAX;
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_length];
}

/* Scripts that are written without spaces, with their own punctuation. */
static bool is_ideographic(uint32_t code_point)
{
    return (code_point >= 0x2E80 && code_point <= 0x9FFF) ||
           (code_point >= 0xF900 && code_point <= 0xFAFF) ||
           (code_point >= 0xFF00 && code_point <= 0xFFEF) ||
           (code_point >= 0x20000 && code_point <= 0x3FFFF);
}

/* 、 。 〉 》 」 』 】 〕 ！ ） ， ： ； ？ */
static bool is_closing(uint32_t code_point)
{
    static const uint32_t signs[] = {0x3001, 0x3002, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011,
                                     0x3015, 0xFF01, 0xFF09, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F,
                                     ')',    ',',    '.',    ':',    ';',    '%',    0x201D};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (signs[i] == code_point) {
            return true;
        }
    }
    return false;
}

static bool is_digit(const char *text, size_t length, size_t at)
{
    return at < length && text[at] >= '0' && text[at] <= '9';
}

/* "1 500": the gap at `at` stands between a digit and three more, and no fourth. */
static bool is_between_thousands(const char *text, size_t length, size_t at)
{
    return at > 0 && is_digit(text, length, at - 1) && is_digit(text, length, at + 1) &&
           is_digit(text, length, at + 2) && is_digit(text, length, at + 3) &&
           !is_digit(text, length, at + 4);
}

/* A space breaks, but not before "%", between thousands, nor in brackets with few words: "(key /
 * 2)", "(−1.88, −2.00)". */
static bool may_break_at_space(const char *text, size_t length, size_t at)
{
    enum { FEW = 20 };
    size_t open = at, close = at;
    while (open > 0 && at - open < FEW && text[open] != '(' && text[open] != ')') {
        open--;
    }
    while (close < length && close - at < FEW && text[close] != '(' && text[close] != ')') {
        close++;
    }
    const bool in_brackets = text[open] == '(' && close < length && text[close] == ')';
    return !(in_brackets && close - open <= FEW) && !(at + 1 < length && text[at + 1] == '%') &&
           !is_between_thousands(text, length, at);
}

bool text_may_break(const char *text, size_t length, size_t at)
{
    if (at < length && text[at] == ' ') {
        return may_break_at_space(text, length, at);
    }
    if (at == 0 || at >= length || ((unsigned char)text[at] & 0xC0) == 0x80) {
        return false;
    }
    size_t from = at - 1, next = at;
    while (from > 0 && ((unsigned char)text[from] & 0xC0) == 0x80) {
        from--;
    }
    const uint32_t before = text_next(text, length, &from), after = text_next(text, length, &next);
    const bool opens = before == 0xFF08 || before == 0x300A || before == 0x201C || before == '(';
    return (is_ideographic(before) || is_ideographic(after)) && !is_closing(after) && !opens;
}

/* --- see lines.h --- */

size_t lines_start(struct bytes text)
{
    return text.size >= 3 && memcmp(text.at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

bool lines_next(struct bytes text, size_t *at, struct line *line)
{
    while (*at < text.size) {
        const char *begin = (const char *)text.at + *at;
        const char *end = memchr(begin, '\n', text.size - *at);
        size_t length = end == NULL ? text.size - *at : (size_t)(end - begin);
        *at += length + (end != NULL);
        line->number++;
        while (length > 0 && memchr(" \t\r", begin[length - 1], 3) != NULL) {
            length--;
        }
        if (length > 0) {
            line->at = begin;
            line->length = length;
            return true;
        }
    }
    return false;
}

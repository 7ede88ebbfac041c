/* file/json_arrays.c — see json_arrays.h. Objects and lists are walked through here, so that a list
 * of numbers never becomes a tree; names and texts are read by file/json.c. */
#include "file/json_arrays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "base/translate.h"
#include "file/json.h"
#include "file/kinds.h"

enum { TOKEN_BYTES = 64, WHOLE_LETTERS_MAX = 15, NAME_BYTES = 512 };

struct reader {
    const char *start, *at, *end;
    struct arena *arena;
    struct error *error;
    struct array *array;
    const char **note;
    size_t count, notes;         /* of arrays and notes: rooms of COUNT_MAX each, filled so far */
    size_t numbers;              /* of all arrays so far */
    char name[NAME_BYTES];       /* of what is read, with those of all around it */
    struct array_unread *unread; /* [JSON_ARRAYS_NOTHING_MAX] */
    size_t unread_count;
    bool opened; /* there is room for arrays: made when the first is found */
};

/* ---- letters -------------------------------------------------------------------------------- */

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && memchr(" \t\r\n", *reader->at, 4) != NULL) {
        reader->at++;
    }
}

static bool refuse_here(const struct reader *reader, const char *sentence)
{
    size_t line = 1, column = 1;
    for (const char *at = reader->start; at < reader->at; at++) {
        column = *at == '\n' ? 1 : column + (((uint8_t)*at & 0xC0) != 0x80);
        line += *at == '\n';
    }
    return error_set(reader->error, ERROR_INPUT, "Line %zu, column %zu: %s.", line, column,
                     tr(sentence));
}

static bool no_memory(const struct reader *reader)
{
    return error_set(reader->error, ERROR_MEMORY, "There is not enough memory for its arrays.");
}

/* The letter that comes next behind white space; 0 at the end. */
static char next_letter(struct reader *reader)
{
    skip_space(reader);
    return reader->at < reader->end ? *reader->at : '\0';
}

static bool accept_letter(struct reader *reader, char wanted)
{
    const bool is_there = next_letter(reader) == wanted;
    reader->at += is_there;
    return is_there;
}

/* Moves behind a text; false: it does not end. */
static bool skip_text(struct reader *reader)
{
    for (reader->at++; reader->at < reader->end; reader->at++) {
        if (*reader->at == '"') {
            reader->at++;
            return true;
        }
        reader->at += *reader->at == '\\' && reader->at + 1 < reader->end;
    }
    return refuse_here(reader, "a text does not end");
}

/* Moves behind a number, true, null, NaN. */
static size_t skip_token(struct reader *reader)
{
    const char *const first = reader->at;
    while (reader->at < reader->end && memchr(",]} \t\r\n[{\":", *reader->at, 12) == NULL) {
        reader->at++;
    }
    return (size_t)(reader->at - first);
}

/* Moves behind whatever stands here: brackets are counted, texts passed over. */
static bool skip_value(struct reader *reader)
{
    size_t depth = 0;
    do {
        const char letter = next_letter(reader);
        if (letter == '"') {
            if (!skip_text(reader)) {
                return false;
            }
        } else if (letter == '\0') {
            return refuse_here(reader, "it ends too early");
        } else {
            depth += letter == '[' || letter == '{';
            depth -= (letter == ']' || letter == '}') && depth > 0;
            reader->at++;
        }
    } while (depth > 0);
    return true;
}

/* ---- notes ---------------------------------------------------------------------------------- */

/* Room for arrays and notes. */
static bool open_room(struct reader *reader)
{
    if (!reader->opened) {
        reader->array = arena_array(reader->arena, JSON_ARRAYS_COUNT_MAX, sizeof *reader->array);
        reader->note = arena_array(reader->arena, 2 * JSON_ARRAYS_COUNT_MAX, sizeof *reader->note);
        reader->opened = reader->array != NULL && reader->note != NULL;
    }
    if (!reader->opened) {
        return no_memory(reader);
    }
    return (reader->count < JSON_ARRAYS_COUNT_MAX && reader->notes < JSON_ARRAYS_COUNT_MAX) ||
           error_set(reader->error, ERROR_INPUT, "It holds more than %d arrays.",
                     JSON_ARRAYS_COUNT_MAX);
}

/* A text that stands between two places, read; NULL and a sentence: it is none. */
static const char *read_text(const struct reader *reader, const char *from, struct arena *arena)
{
    struct error reason = {ERROR_NONE, 0, ""};
    const struct bytes slice = {(const uint8_t *)from, (size_t)(reader->at - from)};
    const struct json_limits limits = {.text = JSON_ARRAYS_NOTE_MAX};
    struct json *const tree = json_parse_within(slice, &limits, &reason);
    const char *text = NULL, *copy = NULL;
    if (json_text(tree, &text)) {
        copy = arena_text(arena, text, strlen(text));
    }
    if (copy == NULL) {
        (void)(tree == NULL && reason.code == ERROR_INPUT
                   ? refuse_here(reader, "this is no sound text")
                   : no_memory(reader));
    }
    json_release(tree);
    return copy;
}

static const char *keep_name(const struct reader *reader)
{
    return arena_text(reader->arena, reader->name, strlen(reader->name));
}

static bool add_note(struct reader *reader, const char *text)
{
    if (text == NULL || !open_room(reader)) {
        return false;
    }
    const char *const name = keep_name(reader);
    reader->note[2 * reader->notes] = name;
    reader->note[2 * reader->notes + 1] = text;
    reader->notes++;
    return name != NULL || no_memory(reader);
}

/* Appends `between` and `name` to the name, whose former length is kept in *length. */
static bool append_to_name(struct reader *reader, const char *between, const char *name,
                           size_t *length)
{
    *length = strlen(reader->name);
    const size_t first = strlen(between), more = strlen(name);
    if (*length + first + more >= NAME_BYTES) {
        return refuse_here(reader, "this name is too long");
    }
    memcpy(reader->name + *length, between, first);
    memcpy(reader->name + *length + first, name, more + 1);
    return true;
}

/* Returns whether a name says that attention is meant. */
static bool says_attention(const char *name, size_t length)
{
    static const char *const ends[] = {"attention", "attentions", "attn"};
    bool says = false;
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        const size_t letters = strlen(ends[e]);
        says =
            says || (length >= letters && memcmp(name + length - letters, ends[e], letters) == 0);
    }
    return says;
}

/* Reports an empty value under a name of attention. */
static bool report_empty(struct reader *reader)
{
    if (!says_attention(reader->name, strlen(reader->name)) ||
        reader->unread_count == JSON_ARRAYS_NOTHING_MAX) {
        return true;
    }
    const char *const name = keep_name(reader);
    struct array_unread *const unread = &reader->unread[reader->unread_count++];
    *unread = (struct array_unread){.array = {.name = name}, .type = ARRAY_NOTHING};
    return name != NULL || no_memory(reader);
}

/* A list of texts, as it stands there; of lists with one list in them that one. */
static bool read_words(struct reader *reader)
{
    struct reader inner = *reader;
    if (!skip_value(reader)) {
        return false;
    }
    const char *const end = reader->at;
    const char *from = inner.at, *to = end;
    while (accept_letter(&inner, '[') && next_letter(&inner) == '[') {
        struct reader behind = inner;
        if (!skip_value(&behind) || next_letter(&behind) != ']') {
            break;
        }
        from = inner.at;
        to = behind.at;
        while (to > from && to[-1] != ']') {
            to--;
        }
    }
    if ((size_t)(to - from) > JSON_ARRAYS_NOTE_MAX) {
        return refuse_here(reader, "this list of texts is too long");
    }
    const char *const text = arena_text(reader->arena, from, (size_t)(to - from));
    return text == NULL ? no_memory(reader) : add_note(reader, text);
}

/* ---- numbers -------------------------------------------------------------------------------- */

enum token { TOKEN_NUMBER, TOKEN_WHOLE, TOKEN_NOTHING, TOKEN_NONE };

/* Returns the kind of a token; a number is only recognised, and read later. */
static enum token kind_of(const char *text)
{
    return strspn(text, "+-.0123456789eE") != strlen(text)                     ? TOKEN_NONE
           : strpbrk(text, ".eE") == NULL && strlen(text) <= WHOLE_LETTERS_MAX ? TOKEN_WHOLE
                                                                               : TOKEN_NUMBER;
}

/* The number at the reader, which moves behind it; number NULL: only what it is. */
static enum token read_token(struct reader *reader, double *number)
{
    static const struct {
        const char *name;
        double number;
        enum token is;
    } names[] = {{"null", (double)NAN, TOKEN_NOTHING},
                 {"NaN", (double)NAN, TOKEN_NUMBER},
                 {"Infinity", (double)INFINITY, TOKEN_NUMBER},
                 {"-Infinity", -(double)INFINITY, TOKEN_NUMBER},
                 {"true", 1, TOKEN_WHOLE},
                 {"false", 0, TOKEN_WHOLE}};
    char text[TOKEN_BYTES];
    skip_space(reader);
    const char *const first = reader->at;
    const size_t length = skip_token(reader);
    if (length == 0 || length >= sizeof text) {
        return TOKEN_NONE;
    }
    memcpy(text, first, length);
    text[length] = '\0';
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        if (strcmp(text, names[n].name) == 0) {
            if (number != NULL) {
                *number = names[n].number;
            }
            return names[n].is;
        }
    }
    const bool fits =
        strlen(text) == length &&
        (number == NULL || (text_to_double(text, number) && text_fits_float(*number)));
    const enum token is = fits ? kind_of(text) : TOKEN_NONE;
    reader->at = is == TOKEN_NONE ? first : reader->at;
    return is;
}

/* One list of lists, and where its numbers go. */
struct numbers {
    size_t rank, shape[ARRAY_RANK_MAX];
    bool known[ARRAY_RANK_MAX]; /* whether that length is known */
    bool uneven, whole, nothing;
    size_t count;
    float *floats; /* NULL: it is only measured; one of both */
    int64_t *wholes;
};

static bool read_list(struct reader *reader, struct numbers *out, size_t axis);

static bool read_element(struct reader *reader, struct numbers *out, size_t axis)
{
    double number = 0;
    const bool measures = out->floats == NULL && out->wholes == NULL;
    if (axis + 1 < out->rank) {
        return next_letter(reader) == '['
                   ? read_list(reader, out, axis + 1)
                   : refuse_here(reader, "a list stands beside a number, or something else");
    }
    const enum token is = read_token(reader, measures ? NULL : &number);
    if (is == TOKEN_NONE) {
        return refuse_here(reader, "this is no number, or one too large");
    }
    out->whole = out->whole && is == TOKEN_WHOLE;
    out->nothing = out->nothing && is == TOKEN_NOTHING;
    if (out->floats != NULL) {
        out->floats[out->count] = (float)number;
    } else if (out->wholes != NULL) {
        out->wholes[out->count] = (int64_t)number;
    }
    out->count++;
    return true;
}

/* From its bracket to the other one. */
static bool read_list(struct reader *reader, struct numbers *out, size_t axis)
{
    size_t length = 0;
    reader->at++;
    for (bool more = next_letter(reader) != ']'; more; length++) {
        if (!read_element(reader, out, axis)) {
            return false;
        }
        more = accept_letter(reader, ',');
    }
    if (!accept_letter(reader, ']')) {
        return refuse_here(reader, "a comma or a bracket ] is missing");
    }
    out->uneven = out->uneven || (out->known[axis] && out->shape[axis] != length);
    out->shape[axis] = out->known[axis] ? out->shape[axis] : length;
    out->known[axis] = true;
    return true;
}

static bool read_value(struct reader *reader, size_t depth);

/* Every element by itself: "attentions_0", "layers.0". */
static bool read_each(struct reader *reader, const char *between, size_t depth)
{
    reader->at++;
    size_t index = 0;
    for (bool more = next_letter(reader) != ']'; more; index++) {
        char number[24];
        size_t length = 0;
        (void)snprintf(number, sizeof number, "%zu", index);
        if (!append_to_name(reader, between, number, &length) || !read_value(reader, depth + 1)) {
            return false;
        }
        reader->name[length] = '\0';
        more = accept_letter(reader, ',');
    }
    return accept_letter(reader, ']') || refuse_here(reader, "a comma or a bracket ] is missing");
}

/* The numbers that were measured, read. */
static bool add_array(struct reader *reader, const struct numbers *measured)
{
    struct numbers read = {.rank = measured->rank};
    const size_t count = measured->count;
    const bool whole = measured->whole && measured->rank <= 2;
    const char *const name = keep_name(reader);
    if (name == NULL || !open_room(reader)) {
        return name == NULL ? no_memory(reader) : false;
    }
    if (count > JSON_ARRAYS_NUMBERS_MAX - reader->numbers) {
        return error_set(reader->error, ERROR_INPUT,
                         "It holds more than %d numbers: save the arrays as npz.",
                         JSON_ARRAYS_NUMBERS_MAX);
    }
    read.floats = whole ? NULL : arena_array(reader->arena, count + 1, sizeof *read.floats);
    read.wholes = whole ? arena_array(reader->arena, count + 1, sizeof *read.wholes) : NULL;
    if (read.floats == NULL && read.wholes == NULL) {
        return no_memory(reader);
    }
    if (!read_list(reader, &read, 0)) { /* it was measured: a number alone can be wrong */
        return false;
    }
    struct array array = whole ? array_of_whole_numbers(name, count, read.wholes)
                               : array_of_floats(name, read.rank, read.shape, read.floats);
    if (whole && read.rank == 2) {
        array.rank = 2;
        memcpy(array.shape, read.shape, 2 * sizeof *array.shape);
        array.strides[1] = array.strides[0];
        array.strides[0] = (ptrdiff_t)read.shape[1] * array.strides[1];
    }
    reader->array[reader->count++] = array;
    reader->numbers += count;
    return true;
}

static bool read_numbers(struct reader *reader, size_t depth)
{
    struct numbers measured = {.whole = true, .nothing = true};
    struct reader ahead = *reader;
    while (next_letter(&ahead) == '[') {
        if (measured.rank++ == ARRAY_RANK_MAX) {
            return refuse_here(reader, "the numbers are nested too deep");
        }
        ahead.at++;
    }
    ahead = *reader;
    if (!read_list(&ahead, &measured, 0)) {
        reader->at = ahead.at;
        return false;
    }
    if (measured.nothing) {
        reader->at = ahead.at;
        return report_empty(reader);
    }
    return measured.uneven ? read_each(reader, "_", depth) : add_array(reader, &measured);
}

/* ---- objects and lists ---------------------------------------------------------------------- */

/* The letter that the innermost first element begins with: what a list is of. */
static char first_of(struct reader reader)
{
    while (next_letter(&reader) == '[') {
        reader.at++;
    }
    return next_letter(&reader);
}

/* The name of a member is read, and added to that of its object. */
static bool enter_member(struct reader *reader, size_t *length)
{
    struct arena arena = {0};
    if (next_letter(reader) != '"') {
        return refuse_here(reader, "a name in quotes is missing");
    }
    const char *const first = reader->at;
    const char *const key = skip_text(reader) ? read_text(reader, first, &arena) : NULL;
    const bool entered =
        key != NULL && append_to_name(reader, reader->name[0] == '\0' ? "" : ".", key, length);
    arena_free(&arena);
    return entered &&
           (accept_letter(reader, ':') || refuse_here(reader, "a colon is missing behind a name"));
}

static bool read_members(struct reader *reader, size_t depth)
{
    reader->at++;
    for (bool more = next_letter(reader) != '}'; more;) {
        size_t length = 0;
        if (!enter_member(reader, &length) || !read_value(reader, depth + 1)) {
            return false;
        }
        reader->name[length] = '\0';
        more = accept_letter(reader, ',');
    }
    return accept_letter(reader, '}') || refuse_here(reader, "a comma or a brace } is missing");
}

static bool read_single(struct reader *reader)
{
    const enum token is = read_token(reader, NULL);
    if (is == TOKEN_NOTHING) {
        return report_empty(reader);
    }
    return is != TOKEN_NONE || refuse_here(reader, "this is no number, or one too large");
}

static bool read_value(struct reader *reader, size_t depth)
{
    const char letter = next_letter(reader), *const from = reader->at;
    if (depth > JSON_ARRAYS_DEPTH_MAX) {
        return refuse_here(reader, "this is nested too deep");
    }
    if (letter == '{') {
        return read_members(reader, depth);
    }
    if (letter == '"') {
        return skip_text(reader) && add_note(reader, read_text(reader, from, reader->arena));
    }
    if (letter != '[') {
        return read_single(reader);
    }
    switch (first_of(*reader)) {
    case '"':
        return read_words(reader);
    case '{':
        return read_each(reader, ".", depth);
    case ']':
        return skip_value(reader) && report_empty(reader);
    default:
        return read_numbers(reader, depth);
    }
}

/* ---- what it is ----------------------------------------------------------------------------- */

static struct reader reader_of(struct bytes text)
{
    const char *const start = text.size == 0 ? "" : (const char *)text.at + lines_start(text);
    return (struct reader){
        .start = start,
        .at = start,
        .end = text.size == 0 ? start : (const char *)text.at + text.size,
    };
}

static bool begins_with(const struct reader *reader, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(reader->end - reader->at) >= length && memcmp(reader->at, word, length) == 0;
}

/* Returns whether lists of lists of numbers begin here. */
static bool begins_numbers(struct reader reader)
{
    size_t rank = 0;
    for (; next_letter(&reader) == '['; rank++) {
        reader.at++;
    }
    const char letter = next_letter(&reader);
    return rank >= 2 && letter != '\0' && strchr("-0123456789NIn", letter) != NULL;
}

/* The kind of file that a member's name tells, which is between quotes from there on. */
enum says { SAYS_NOTHING, SAYS_ARRAYS, SAYS_OTHER };

static enum says member_says(const struct reader *reader, const char *key, size_t length)
{
    static const char *const others[] = {"format", "experiment", "steps"}; /* of a lesson */
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        if (strlen(others[o]) == length && memcmp(others[o], key, length) == 0) {
            return SAYS_OTHER;
        }
    }
    const bool is_called = says_attention(key, length);
    struct reader value = *reader;
    while (is_called && accept_letter(&value, '[')) {
    }
    skip_space(&value);
    const bool is_nothing = is_called && (begins_with(&value, "null") || begins_with(&value, "]"));
    return begins_numbers(*reader) || is_nothing ? SAYS_ARRAYS : SAYS_NOTHING;
}

/* The members of an object as far as they are at hand. */
static enum says members_say(struct reader *reader, size_t depth)
{
    enum says says = SAYS_NOTHING;
    reader->at++;
    while (next_letter(reader) == '"' && says != SAYS_OTHER) {
        const char *const key = reader->at + 1;
        if (!skip_text(reader)) {
            return says;
        }
        const size_t length = (size_t)(reader->at - key) - 1;
        if (!accept_letter(reader, ':')) {
            return says;
        }
        skip_space(reader);
        struct reader inside = *reader;
        const enum says own = member_says(reader, key, length);
        (void)accept_letter(&inside, '['); /* of objects: the first */
        const enum says within = own == SAYS_NOTHING && next_letter(&inside) == '{' && depth > 0
                                     ? members_say(&inside, depth - 1)
                                     : own;
        says = own == SAYS_OTHER ? own : says == SAYS_NOTHING ? within : says;
        if (!skip_value(reader)) {
            return says;
        }
        (void)accept_letter(reader, ',');
    }
    return says;
}

bool json_arrays_probe(struct bytes beginning)
{
    struct reader reader = reader_of(beginning);
    const bool is_list = next_letter(&reader) == '[' && !begins_numbers(reader);
    if (is_list) { /* of objects, perhaps */
        reader.at++;
    }
    if (next_letter(&reader) != '{') {
        return begins_numbers(reader);
    }
    const enum says says = members_say(&reader, 2);
    const bool again = !is_list && accept_letter(&reader, '}') && next_letter(&reader) == '{';
    return says == SAYS_ARRAYS || (says == SAYS_NOTHING && again);
}

/* Checks what stands behind the first value, or in place of an object. */
static bool check_ends(struct reader *reader)
{
    static const char several[] =
        "It holds several objects, one a line or in a list: save one alone, "
        "as json.dump({\"attention\": …}) writes it.";
    const char letter = next_letter(reader);
    return letter == '\0' || (letter == '{' || letter == '['
                                  ? error_set(reader->error, ERROR_INPUT, "%s", tr(several))
                                  : refuse_here(reader, "something stands behind its end"));
}

bool json_arrays_read(struct bytes text, struct arena *arena, struct json_arrays *out,
                      struct error *error)
{
    struct reader reader = reader_of(text);
    reader.arena = arena;
    reader.error = error;
    reader.unread = arena_array(arena, JSON_ARRAYS_NOTHING_MAX, sizeof *reader.unread);
    if (reader.unread == NULL) {
        return no_memory(&reader);
    }
    if (text.size > JSON_ARRAYS_BYTES_MAX) {
        return error_set(error, ERROR_INPUT, "It is too large: more than %d MiB; save it as npz.",
                         JSON_ARRAYS_BYTES_MAX >> 20);
    }
    if (next_letter(&reader) == '[' && first_of(reader) == '{') {
        reader.at++; /* told as what follows the first of several */
        return check_ends(&reader);
    }
    if (!read_value(&reader, 0) || !check_ends(&reader)) {
        return false;
    }
    *out = (struct json_arrays){.array = reader.array,
                                .count = reader.count,
                                .unread = reader.unread,
                                .unread_count = reader.unread_count,
                                .note = reader.note,
                                .notes = reader.notes};
    return true;
}

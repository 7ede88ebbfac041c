/* Sessions as text, and how each format of pictures holds one: PNG, SVG, WebP, GIF, PDF. */
#include "app/document/session.h"

#include <stdio.h>
#include <string.h>

#include "base/translate.h"
#include "file/kinds.h"
#include "lab/lesson/lessons.h"

/* Texts of JSON hold no line breaks: each one, with what indents the next line, becomes a space. */
static bool put_in_one_line(struct bytes lines, struct arena *arena, struct bytes *line,
                            struct error *error)
{
    char *const out = arena_alloc(arena, lines.size + 1);
    size_t size = 0;
    if (out == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the session.");
    }
    bool indents = false;
    for (size_t at = 0; at < lines.size; at++) {
        const char letter = (char)lines.at[at];
        if (letter != ' ' || !indents) {
            out[size++] = letter == '\n' ? ' ' : letter;
            indents = letter == '\n';
        }
    }
    size -= size > 0 && out[size - 1] == ' ' ? 1 : 0;
    out[size] = '\0';
    *line = (struct bytes){(const uint8_t *)out, size};
    return true;
}

bool app_session_text(const struct app_scene *scene, struct arena *arena, struct bytes *text,
                      struct error *error)
{
    struct lab_step step;
    app_scene_keep(scene, &step);
    const struct lab_lesson session = {.name = "session",
                                       .title = "A session",
                                       .summary = "",
                                       .experiment = step.experiment,
                                       .step = &step,
                                       .steps = 1};
    return lab_lesson_write(&session, arena, text, error) &&
           put_in_one_line(*text, arena, text, error);
}

enum { BYTES_MAX = 1 << 20 }; /* of numbers; as text they are some times that */

bool app_session_fits(const struct lab_experiment *experiment)
{
    return lab_experiment_bytes(experiment, NULL) <= BYTES_MAX;
}

bool app_session_fits_but_text(const struct lab_experiment *experiment)
{
    const struct lab_experiment text = {.learned = experiment->learned};
    return lab_experiment_bytes(experiment, &text) <= BYTES_MAX;
}

/* Letters that are put together from what a file escapes; never more bytes than the file has. */
struct letters {
    uint8_t *at;
    size_t size;
};

static void put_code(struct letters *out, uint32_t code)
{
    static const uint32_t first_of[] = {0x80, 0x800, 0x10000};
    static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
    size_t more = 0;
    while (more < 3 && code >= first_of[more]) {
        more++;
    }
    out->at[out->size++] = (uint8_t)(leads[more] | code >> (6 * more));
    while (more-- > 0) {
        out->at[out->size++] = (uint8_t)(0x80 | (code >> (6 * more) & 0x3f));
    }
}

static uint32_t whole_at(struct bytes file, size_t at)
{
    return (uint32_t)file.at[at] << 24 | (uint32_t)file.at[at + 1] << 16 |
           (uint32_t)file.at[at + 2] << 8 | file.at[at + 3];
}

/* The chunk iTXt called attnscope (PNG, third edition, 11.3.3.4), as render_png writes it. */
static bool find_in_png(struct bytes file, struct arena *arena, struct bytes *text)
{
    (void)arena;                                        /* it lies there as it is */
    static const char head[] = "iTXtattnscope\0\0\0\0"; /* keyword, uncompressed, no languages */
    enum { SIGNATURE = 8, CHUNK = 12, TYPE = 4, HEAD = 18 };
    size_t at = SIGNATURE;
    while (file.size >= CHUNK && at <= file.size - CHUNK) {
        const size_t size = whole_at(file, at);
        if (size > file.size - CHUNK - at) {
            return false;
        }
        if (size + TYPE >= HEAD && memcmp(file.at + at + 4, head, HEAD) == 0) {
            *text = (struct bytes){file.at + at + 4 + HEAD, size + TYPE - HEAD};
            return true;
        }
        at += size + CHUNK;
    }
    return false;
}

static int digit_of(uint8_t letter)
{
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
           : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                            : -1;
}

/* One reference of XML 1.0, 4.1 and 4.6: how many bytes it takes; 0: it is none. */
static size_t read_reference(struct bytes file, size_t at, uint32_t *code)
{
    static const struct {
        const char *name;
        char letter;
    } named[] = {{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}};
    for (size_t n = 0; n < sizeof named / sizeof named[0]; n++) {
        if (bytes_have(file, at, named[n].name)) {
            *code = (uint32_t)named[n].letter;
            return strlen(named[n].name);
        }
    }
    if (!bytes_have(file, at, "&#")) {
        return 0;
    }
    const bool hex = bytes_have(file, at, "&#x");
    const int base = hex ? 16 : 10;
    size_t digits = at + (hex ? 3 : 2);
    uint32_t number = 0;
    for (; digits < file.size && digits < at + 10; digits++) {
        const int digit = digit_of(file.at[digits]);
        if (digit < 0 || digit >= base) {
            break;
        }
        number = number * (uint32_t)base + (uint32_t)digit;
    }
    const bool ends = digits < file.size && file.at[digits] == ';';
    *code = number;
    return ends && number > 0 && number <= 0x10ffff ? digits + 1 - at : 0;
}

/* The text of the first element that opens (up to the ">" behind it) and closes so. */
static bool find_in_xml(struct bytes file, const char *opens, const char *closes,
                        struct arena *arena, struct bytes *text)
{
    const size_t tag = bytes_find(file, 0, opens);
    const size_t close = bytes_find(file, tag, ">"), end = bytes_find(file, tag, closes);
    if (end == file.size || close >= end) {
        return false;
    }
    size_t at = close + 1;
    struct letters out = {arena_alloc(arena, end - at + 1), 0};
    while (out.at != NULL && at < end) {
        uint32_t code = 0;
        const size_t reference = read_reference(file, at, &code);
        if (reference > 0) {
            put_code(&out, code);
            at += reference;
        } else {
            out.at[out.size++] = file.at[at++];
        }
    }
    *text = (struct bytes){out.at, out.size};
    return out.at != NULL;
}

static bool find_in_svg(struct bytes file, struct arena *arena, struct bytes *text)
{
    return find_in_xml(file, "<metadata id=\"attnscope", "</metadata>", arena, text);
}

static uint32_t little_at(struct bytes file, size_t at)
{
    return (uint32_t)file.at[at + 3] << 24 | (uint32_t)file.at[at + 2] << 16 |
           (uint32_t)file.at[at + 1] << 8 | file.at[at];
}

/* The chunk with words (WebP Container Specification, Metadata). */
static bool find_in_webp(struct bytes file, struct arena *arena, struct bytes *text)
{
    enum { HEAD = 12, CHUNK = 8 };
    size_t at = HEAD;
    while (file.size >= CHUNK && at <= file.size - CHUNK) {
        const size_t size = little_at(file, at + 4);
        if (size > file.size - CHUNK - at) {
            return false;
        }
        const struct bytes chunk = {file.at + at + CHUNK, size};
        if (bytes_have(file, at, "XMP ")) {
            return find_in_xml(chunk, "<attnscope:experiment>", "</attnscope:experiment>", arena,
                               text);
        }
        at += CHUNK + size + size % 2;
    }
    return false;
}

/* The pieces from `at` on, each behind its size, up to an empty one; put together where out is one.
 * Returns where they end; 0: the file ends before. */
static size_t read_pieces(struct bytes file, size_t at, struct letters *out)
{
    while (at < file.size && file.at[at] != 0) {
        const size_t size = file.at[at];
        if (size >= file.size - at) {
            return 0;
        }
        if (out != NULL) {
            memcpy(out->at + out->size, file.at + at + 1, size);
            out->size += size;
        }
        at += 1 + size;
    }
    return at < file.size ? at + 1 : 0;
}

/* The program's own extension, before the first picture (GIF 89a, 26). */
static bool find_in_gif(struct bytes file, struct arena *arena, struct bytes *text)
{
    enum { HEAD = 13, COLOURS = 0x80, EXTENSION = 0x21, APPLICATION = 0xff };
    static const char name[] = "\x0b"
                               "ATTNSCOP1.0";
    if (file.size < HEAD) {
        return false;
    }
    const size_t colours = (file.at[10] & COLOURS) != 0 ? (size_t)6 << (file.at[10] & 7) : 0;
    size_t at = HEAD + colours;
    while (at + 2 < file.size && file.at[at] == EXTENSION) {
        if (file.at[at + 1] == APPLICATION && bytes_have(file, at + 2, name)) {
            struct letters out = {arena_alloc(arena, file.size), 0};
            const size_t end =
                out.at == NULL ? 0 : read_pieces(file, at + 2 + sizeof name - 1, &out);
            *text = (struct bytes){out.at, out.size};
            return end > 0;
        }
        at = read_pieces(file, at + 2, NULL);
        if (at == 0) {
            return false;
        }
    }
    return false;
}

/* A text in parentheses, as Cairo writes what is ASCII: only ( ) and \ are escaped. */
static void read_literal(struct bytes file, size_t at, struct letters *out)
{
    while (at < file.size && file.at[at] != ')') {
        at += file.at[at] == '\\' && at + 1 < file.size ? 1 : 0;
        out->at[out->size++] = file.at[at++];
    }
}

static bool read_unit(struct bytes file, size_t *at, uint32_t *unit)
{
    *unit = 0;
    for (int d = 0; d < 4; d++) {
        const int digit = *at < file.size ? digit_of(file.at[*at]) : -1;
        if (digit < 0) {
            return false;
        }
        *unit = *unit << 4 | (uint32_t)digit;
        *at += 1;
    }
    return true;
}

/* A text as hexadecimal UTF-16 with a byte-order mark, as Cairo writes all others. */
static void read_hexadecimal(struct bytes file, size_t at, struct letters *out)
{
    uint32_t unit = 0, former = 0;
    while (read_unit(file, &at, &unit)) {
        const bool high = unit >= 0xd800 && unit < 0xdc00, low = unit >= 0xdc00 && unit < 0xe000;
        if (low && former != 0) {
            put_code(out, 0x10000 + ((former - 0xd800) << 10) + (unit - 0xdc00));
        } else if (!high && !low && unit != 0xfeff) {
            put_code(out, unit);
        }
        former = high ? unit : 0;
    }
}

/* The keywords among the facts of the document (PDF 1.7, 14.3.3). */
static bool find_in_pdf(struct bytes file, struct arena *arena, struct bytes *text)
{
    static const char key[] = "/Keywords ";
    size_t at = file.size;
    for (size_t next = bytes_find(file, 0, key); next < file.size;
         next = bytes_find(file, next + 1, key)) {
        at = next;
    }
    if (at >= file.size || file.size - at <= sizeof key) {
        return false;
    }
    at += sizeof key - 1;
    struct letters out = {arena_alloc(arena, file.size - at + 1), 0};
    if (out.at == NULL) {
        return false;
    }
    if (file.at[at] == '(') {
        read_literal(file, at + 1, &out);
    } else {
        read_hexadecimal(file, at + 1, &out);
    }
    *text = (struct bytes){out.at, out.size};
    return file_kind_of(*text) == FILE_LESSON;
}

bool app_session_find(struct bytes file, struct arena *arena, struct bytes *text,
                      struct error *error)
{
    static bool (*const finders[FILE_KINDS])(struct bytes, struct arena *, struct bytes *) = {
        [FILE_PNG] = find_in_png,   [FILE_SVG] = find_in_svg, [FILE_PDF] = find_in_pdf,
        [FILE_WEBP] = find_in_webp, [FILE_GIF] = find_in_gif,
    };
    const enum file_kind kind = file_kind_of(file);
    const char *const refusal = file_kind_refusal(kind, "");
    *text = file;
    if (kind == FILE_LESSON) {
        return true;
    }
    if (kind == FILE_KINDS || finders[kind] == NULL) {
        return error_set(error, ERROR_INPUT, "%s",
                         refusal != NULL ? tr(refusal)
                                         : tr("This is no model, no file of attention, no lesson "
                                              "or session, and no picture of attnscope."));
    }
    return finders[kind](file, arena, text) ||
           error_set(error, ERROR_INPUT,
                     "This picture does not say what it was made from: attnscope did not "
                     "draw it, left that out, or drew it of several experiments.");
}

/* file/npy.c — see npy.h. Format: numpy.lib.format, NEP 1.
 *
 *     \x93NUMPY  major  minor  header length (2 bytes, from version 2.0 on 4)
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   padded with spaces, ends in \n
 *     the numbers */
#include "file/npy.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "file/growing.h"
#include "file/limits.h"
#include "file/pickle.h"

enum { PREFIX = 10, WRITE_ALIGNMENT = 64, EMPTY_SPREAD_MAX = 1 << 20 };

static const char magic[] = "\x93NUMPY";

/* The header's text and how far it has been read. */
struct header {
    const char *text;
    size_t length;
    size_t at;
};

struct description {
    enum array_type type;
    enum byte_order order;
    bool fortran;
    size_t rank;
    size_t shape[ARRAY_RANK_MAX];
    bool has_type, has_order, has_shape;
    size_t letters, letter_bytes; /* of texts: each has as many, of 4 bytes (U) or 1 (S); else 0 */
    bool is_unread, is_records, is_objects;
    char unread[24]; /* the type, where it cannot be read */
};

static void skip_spaces(struct header *header)
{
    while (header->at < header->length && memchr(" \t\r\n", header->text[header->at], 4) != NULL) {
        header->at++;
    }
}

static bool accept_letter(struct header *header, char wanted)
{
    skip_spaces(header);
    if (header->at < header->length && header->text[header->at] == wanted) {
        header->at++;
        return true;
    }
    return false;
}

static bool accept_word(struct header *header, const char *word)
{
    skip_spaces(header);
    size_t length = strlen(word);
    if (header->length - header->at < length ||
        memcmp(header->text + header->at, word, length) != 0) {
        return false;
    }
    header->at += length;
    return true;
}

/* Reads 'text' or "text" into out, which has room for size bytes. */
static bool read_quoted(struct header *header, char *out, size_t size)
{
    char quote = '\'';
    if (!accept_letter(header, quote)) {
        quote = '"';
        if (!accept_letter(header, quote)) {
            return false;
        }
    }
    const char *begin = header->text + header->at;
    const char *end = memchr(begin, quote, header->length - header->at);
    if (end == NULL || (size_t)(end - begin) >= size) {
        return false;
    }
    size_t length = (size_t)(end - begin);
    memcpy(out, begin, length);
    out[length] = '\0';
    header->at += length + 1;
    return true;
}

static bool read_size(struct header *header, size_t *out)
{
    skip_spaces(header);
    size_t begin = header->at;
    size_t value = 0;
    while (header->at < header->length) {
        char c = header->text[header->at];
        if (c < '0' || c > '9') {
            break;
        }
        if (!checked_multiply(value, 10, &value) ||
            !checked_add(value, (size_t)(c - '0'), &value)) {
            return false;
        }
        header->at++;
    }
    if (header->at == begin) {
        return false;
    }
    (void)accept_letter(header, 'L'); /* written by Python 2 */
    *out = value;
    return true;
}

/* Moves behind the list that describes records. */
static bool skip_records(struct header *header)
{
    size_t depth = 0;
    char quote = '\0';
    skip_spaces(header);
    while (header->at < header->length) {
        const char letter = header->text[header->at++];
        if (quote != '\0') {
            quote = letter == quote ? '\0' : quote;
        } else if (letter == '\'' || letter == '"') {
            quote = letter;
        } else {
            depth += letter == '[' || letter == '(';
            if ((letter == ']' || letter == ')') && depth-- <= 1) {
                return depth == 0;
            }
        }
        if (depth == 0) {
            return false; /* no list begins here */
        }
    }
    return false;
}

/* A type without a way to read it, as people call it. */
static void name_unread(const char *text, const char *code, struct description *out)
{
    static const struct {
        const char *code, *name;
    } names[] = {{"c8", "complex64"},     {"c16", "complex128"}, {"c32", "complex256"},
                 {"f12", "float96"},      {"f16", "float128"},   {"V1", "V1 (float8?)"},
                 {"V2", "V2 (bfloat16?)"}};
    out->has_type = out->is_unread = true;
    (void)snprintf(out->unread, sizeof out->unread, "%.*s", (int)sizeof out->unread - 1, text);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        if (strcmp(names[n].code, code) == 0) {
            strcpy(out->unread, names[n].name);
        }
    }
}

static bool read_type(struct header *header, struct description *out, struct error *error)
{
    static const struct {
        const char *code;
        enum array_type type;
    } codes[] = {
        {"b1", ARRAY_BOOLEAN}, {"?", ARRAY_BOOLEAN}, {"i1", ARRAY_INT8},    {"i2", ARRAY_INT16},
        {"i4", ARRAY_INT32},   {"i8", ARRAY_INT64},  {"u1", ARRAY_UINT8},   {"u2", ARRAY_UINT16},
        {"u4", ARRAY_UINT32},  {"u8", ARRAY_UINT64}, {"f2", ARRAY_FLOAT16}, {"f4", ARRAY_FLOAT32},
        {"f8", ARRAY_FLOAT64},
    };
    char text[32];
    if (!read_quoted(header, text, sizeof text)) {
        name_unread("records", "", out);
        out->is_records = true;
        return skip_records(header) || error_set(error, ERROR_INPUT, "Its header is damaged.");
    }
    const uint16_t one = 1;
    bool little_machine = *(const uint8_t *)&one == 1;
    out->order = little_machine ? BYTE_ORDER_LITTLE : BYTE_ORDER_BIG;
    const char *code = text;
    if (*code != '\0' && strchr("<>|=", *code) != NULL) {
        out->order = *code == '<' ? BYTE_ORDER_LITTLE : *code == '>' ? BYTE_ORDER_BIG : out->order;
        code++;
    }
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (strcmp(codes[i].code, code) == 0) {
            out->type = codes[i].type;
            out->has_type = true;
            return true;
        }
    }
    uint64_t letters = 0;
    if ((*code == 'U' || *code == 'S') && text_to_u64(code + 1, &letters) && letters > 0 &&
        letters <= NPY_TEXT_LETTERS_MAX) {
        out->letters = (size_t)letters;
        out->letter_bytes = *code == 'U' ? 4 : 1;
        out->has_type = true;
        return true;
    }
    if (strcmp(code, "O") == 0 || strcmp(code, "O8") == 0) {
        out->is_objects = out->has_type = true;
        return true;
    }
    name_unread(text, code, out);
    return true;
}

static bool read_order(struct header *header, struct description *out, struct error *error)
{
    out->fortran = accept_word(header, "True");
    out->has_order = out->fortran || accept_word(header, "False");
    return out->has_order ||
           error_set(error, ERROR_INPUT, "Its header says neither True nor False for its order.");
}

static bool read_shape(struct header *header, struct description *out, struct error *error)
{
    bool fine = accept_letter(header, '(');
    out->rank = 0;
    while (fine && !accept_letter(header, ')')) {
        if (out->rank == ARRAY_RANK_MAX) {
            return error_set(error, ERROR_INPUT, "It has more than %d axes.", ARRAY_RANK_MAX);
        }
        fine = read_size(header, &out->shape[out->rank++]);
        if (fine && !accept_letter(header, ',') && !accept_letter(header, ')')) {
            fine = false;
        } else if (fine && header->text[header->at - 1] == ')') {
            break;
        }
    }
    out->has_shape = fine;
    return fine || error_set(error, ERROR_INPUT, "Its header does not say its shape.");
}

static bool read_description(struct header *header, struct description *out, struct error *error)
{
    static const struct {
        const char *key;
        bool (*read)(struct header *, struct description *, struct error *);
    } members[] = {{"descr", read_type}, {"fortran_order", read_order}, {"shape", read_shape}};
    bool fine = accept_letter(header, '{');
    while (fine && !accept_letter(header, '}')) {
        char key[32];
        fine = read_quoted(header, key, sizeof key) && accept_letter(header, ':');
        size_t i = 0;
        while (fine && i < 3 && strcmp(members[i].key, key) != 0) {
            i++;
        }
        if (!fine || i == 3) {
            fine = false;
            break;
        }
        if (!members[i].read(header, out, error)) {
            return false;
        }
        (void)accept_letter(header, ',');
    }
    if (!fine || !out->has_type || !out->has_order || !out->has_shape) {
        return error_set(error, ERROR_INPUT, "Its header is damaged.");
    }
    return true;
}

/* Fills in strides and bytes, if the content is as large as the shape says. */
static bool place_numbers(const struct description *description, struct bytes content,
                          struct array *out, struct error *error)
{
    *out = (struct array){.name = "", .type = description->type, .order = description->order};
    out->rank = description->rank;
    size_t size = array_type_size(description->type);
    size_t spread = size; /* as if an axis of no length had one, so that strides stay sane */
    size_t total = size;
    for (size_t i = 0; i < out->rank; i++) {
        size_t axis = description->fortran ? i : out->rank - 1 - i;
        size_t length = description->shape[axis];
        out->shape[axis] = length;
        out->strides[axis] = (ptrdiff_t)spread;
        if (!checked_multiply(spread, length == 0 ? 1 : length, &spread) || spread > PTRDIFF_MAX) {
            return error_set(error, ERROR_INPUT,
                             "Its header says a shape that no memory can hold.");
        }
        total *= length;
    }
    /* A billion rows of no columns are still a billion rows to whoever walks over them. */
    if (total == 0 && spread > EMPTY_SPREAD_MAX) {
        return error_set(error, ERROR_INPUT, "Its header says a shape too large for no numbers.");
    }
    if (total > content.size) {
        return error_set(error, ERROR_INPUT, "Its header says %zu bytes of numbers, it holds %zu.",
                         total, content.size);
    }
    out->bytes = (struct bytes){content.at, total};
    return true;
}

/* The description, and how many bytes stand before the content. */
static bool read_start(struct bytes file, struct description *out, size_t *before,
                       struct error *error)
{
    if (file.size < PREFIX || memcmp(file.at, magic, 6) != 0) {
        return error_set(error, ERROR_INPUT, "It is not a NumPy array.");
    }
    unsigned major = file.at[6];
    if (major < 1 || major > 3) {
        return error_set(error, ERROR_INPUT,
                         "It is of NumPy's format version %u, known are 1 to 3.", major);
    }
    size_t length_bytes = major == 1 ? 2 : 4;
    size_t prefix = 8 + length_bytes;
    size_t length = 0;
    for (size_t i = length_bytes; i-- > 0 && file.size >= prefix;) {
        length = (length << 8) | file.at[8 + i];
    }
    if (file.size < prefix || length > NPY_HEADER_LETTERS_MAX || length > file.size - prefix) {
        return error_set(error, ERROR_INPUT,
                         "It ends within its header, or its header is too long.");
    }
    struct header header = {(const char *)file.at + prefix, length, 0};
    *before = prefix + length;
    return read_description(&header, out, error);
}

bool npy_read_header(struct bytes beginning, size_t size, struct array *out, struct error *error)
{
    struct description description = {0};
    size_t before = 0;
    if (!read_start(beginning, &description, &before, error)) {
        return false;
    }
    if (description.letters > 0) {
        return error_set(error, ERROR_INPUT, "It holds texts, not numbers.");
    }
    if (description.is_objects) {
        return error_set(error, ERROR_INPUT,
                         "It holds Python objects; only arrays of numbers can be read.");
    }
    if (description.is_records) {
        return error_set(error, ERROR_INPUT,
                         "It holds records; only arrays of numbers can be read.");
    }
    if (description.is_unread) {
        return error_set(error, ERROR_INPUT,
                         "Its numbers are of type \"%s\", which cannot be read.",
                         description.unread);
    }
    const struct bytes content = {beginning.at + before, size > before ? size - before : 0};
    const bool placed = place_numbers(&description, content, out, error);
    out->bytes.at = beginning.size == size ? out->bytes.at : NULL;
    return placed;
}

/* Returns whether a pickle ends in a list of so many None: N for each, then what appends them, and
 * puts the list into the array (docs.python.org: pickletools). */
static bool ends_in_none(struct bytes pickle, size_t count)
{
    enum { BEHIND = 8 };
    size_t end = pickle.size, found = 0;
    while (end > 1 && pickle.size - end < BEHIND &&
           !(pickle.at[end - 1] == 't' && strchr("ea", pickle.at[end - 2]) != NULL)) {
        end--;
    }
    for (end -= end < 2 ? end : 2; end > 0 && pickle.at[end - 1] == 'N'; end--) {
        found++;
    }
    return count > 0 && found >= count;
}

static size_t count_of(const struct description *description)
{
    size_t all = 1;
    for (size_t axis = 0; axis < description->rank; axis++) {
        all = checked_multiply(all, description->shape[axis], &all) ? all : SIZE_MAX;
    }
    return all;
}

bool npy_is_unread(struct bytes beginning, struct array_unread *out)
{
    struct description description = {0};
    size_t before = 0;
    *out = (struct array_unread){.array = {.name = ""}};
    if (!read_start(beginning, &description, &before, NULL)) {
        return false;
    }
    const struct bytes content = {beginning.at + before, beginning.size - before};
    if (description.is_objects && ends_in_none(content, count_of(&description))) {
        name_unread(ARRAY_NOTHING, "", &description);
    }
    if (!description.is_unread) {
        return false;
    }
    out->array.rank = description.rank;
    memcpy(out->array.shape, description.shape, sizeof out->array.shape);
    memcpy(out->type, description.unread, sizeof out->type);
    return true;
}

bool npy_describe_texts(struct bytes beginning, struct array_texts *out, bool *are_objects)
{
    struct description description = {0};
    size_t before = 0;
    if (!read_start(beginning, &description, &before, NULL) ||
        (description.letters == 0 && !description.is_objects)) {
        return false;
    }
    *out = (struct array_texts){.name = "", .rank = description.rank};
    memcpy(out->shape, description.shape, description.rank * sizeof *out->shape);
    *are_objects = description.is_objects;
    return true;
}

bool npy_read(struct bytes file, struct array *out, struct error *error)
{
    return npy_read_header(file, file.size, out, error);
}

/* UTF-8 of one code point; what is none becomes U+FFFD. */
static size_t put_letter(uint32_t code, char *out)
{
    code = code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0xFFFD : code;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t first[] = {0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(uint8_t)(first[more] | code >> (6 * more));
    for (size_t i = 1; i <= more; i++) {
        out[i] = (char)(uint8_t)(0x80 | ((code >> (6 * (more - i))) & 0x3F));
    }
    return more + 1;
}

static const char *read_text(const uint8_t *at, const struct description *description,
                             struct arena *arena)
{
    char text[4 * NPY_TEXT_LETTERS_MAX + 1];
    size_t length = 0;
    const bool big = description->order == BYTE_ORDER_BIG;
    for (size_t i = 0; i < description->letters; i++) {
        const uint8_t *const letter = at + i * description->letter_bytes;
        if (description->letter_bytes == 1) {
            text[length++] = (char)letter[0];
            continue;
        }
        uint32_t code = 0;
        for (size_t b = 0; b < 4; b++) {
            code = code << 8 | letter[big ? b : 3 - b];
        }
        length += put_letter(code, text + length);
    }
    while (length > 0 && text[length - 1] == '\0') {
        length--; /* shorter ones are filled up with 0 */
    }
    return text_clean(arena, text, length, NULL);
}

/* Where the text of that number, in the order of rows, stands among those of the file. */
static size_t place_of_text(const struct description *description, size_t number)
{
    size_t place = 0, step = 1, rest = number;
    size_t index[ARRAY_RANK_MAX] = {0};
    for (size_t axis = description->rank; axis-- > 0;) {
        index[axis] = rest % description->shape[axis];
        rest /= description->shape[axis];
    }
    for (size_t axis = 0; axis < description->rank; axis++) {
        place += index[axis] * step;
        step *= description->shape[axis];
    }
    return description->fortran ? place : number;
}

/* Texts of types U and S, behind each other. */
static bool read_letters(const struct description *description, struct bytes content, size_t all,
                         struct arena *arena, const char *const **texts, struct error *error)
{
    const size_t each = description->letters * description->letter_bytes;
    size_t bytes = 0;
    if (!checked_multiply(all, each, &bytes) || bytes > content.size) {
        return error_set(error, ERROR_INPUT, "Its header says %zu texts, it holds fewer.", all);
    }
    const char **const list = arena_array(arena, all + 1, sizeof *list);
    bool room = list != NULL;
    for (size_t t = 0; room && t < all; t++) {
        list[t] = read_text(content.at + place_of_text(description, t) * each, description, arena);
        room = list[t] != NULL;
    }
    *texts = list;
    return room || error_set(error, ERROR_MEMORY, "There is not enough memory for its texts.");
}

bool npy_read_texts(struct bytes file, struct arena *arena, const char *const **texts,
                    size_t *count, struct error *error)
{
    struct description description = {0};
    size_t before = 0;
    if (!read_start(file, &description, &before, error)) {
        return false;
    }
    const size_t all = count_of(&description);
    const struct bytes content = {file.at + before, file.size - before};
    if (description.is_objects) {
        return pickle_read_texts(content, description.rank, description.shape, arena, texts, count,
                                 error);
    }
    if (description.letters == 0 || all == 0) {
        return error_set(error, ERROR_INPUT, "It is not a list of texts.");
    }
    *count = all;
    return read_letters(&description, content, all, arena, texts, error);
}

static void put_little_endian(struct growing *out, uint64_t bits, size_t size)
{
    uint8_t bytes[8];
    for (size_t b = 0; b < size; b++) {
        bytes[b] = (uint8_t)(bits >> 8 * b);
    }
    growing_put(out, bytes, size);
}

/* Writes what stands before the content: type is "f4", "i8" or "U12". */
static bool put_header(struct growing *out, const char *type, const char *shape)
{
    const char *const text =
        shape == NULL
            ? NULL
            : arena_format(out->arena, "{'descr': '<%s', 'fortran_order': False, 'shape': (%s), }",
                           type, shape);
    if (text == NULL) {
        return false;
    }
    size_t length = strlen(text) + 1;
    const size_t padding =
        (WRITE_ALIGNMENT - (PREFIX + length) % WRITE_ALIGNMENT) % WRITE_ALIGNMENT;
    length += padding; /* at most 8 axes of 20 digits: far below 65536 */
    growing_put(out, magic, 6);
    const uint8_t version_and_length[4] = {1, 0, (uint8_t)length, (uint8_t)(length >> 8)};
    growing_put(out, version_and_length, sizeof version_and_length);
    growing_put_text(out, text);
    growing_put_spaces(out, padding);
    growing_put_byte(out, '\n');
    return true;
}

/* Whole numbers, which are few: in one piece. */
static void put_whole_numbers(struct growing *out, const struct array *array)
{
    const size_t count = array_count(array);
    for (size_t i = 0; i < count; i++) {
        put_little_endian(out, (uint64_t)(int64_t)array_number(array, i), 8);
    }
}

bool npy_parts_of(const struct array *array, struct arena *arena, struct npy_parts *parts,
                  struct error *error)
{
    const bool whole = array->type == ARRAY_INT32 || array->type == ARRAY_INT64;
    const char *const sizes = array->rank == 0 ? "" : array_shape_text(array, ", ", arena);
    const char *const comma = array->rank == 1 ? "," : "";
    struct growing start = growing_start(arena);
    *parts = (struct npy_parts){.has_rows = !whole};
    if (!put_header(&start, whole ? "i8" : "f4",
                    sizes == NULL ? NULL : arena_format(arena, "%s%s", sizes, comma))) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the array.");
    }
    if (whole) {
        put_whole_numbers(&start, array);
    }
    if (!growing_finish(&start, &parts->start, error) ||
        (!whole && !array_rows_start(&parts->rows, array, arena, error))) {
        return false;
    }
    parts->size = parts->start.size + (whole ? 0 : (uint64_t)array_count(array) * sizeof(float));
    return true;
}

bool npy_parts_of_texts(const char *const *texts, size_t count, struct arena *arena,
                        struct npy_parts *parts, struct error *error)
{
    size_t longest = 1;
    for (size_t t = 0; t < count; t++) {
        size_t letters = 0;
        for (size_t at = 0, length = strlen(texts[t]); at < length; letters++) {
            (void)text_next(texts[t], length, &at);
        }
        longest = letters > longest ? letters : longest;
    }
    const char *const type = arena_format(arena, "U%zu", longest);
    struct growing start = growing_start(arena);
    *parts = (struct npy_parts){.has_rows = false};
    if (type == NULL || !put_header(&start, type, arena_format(arena, "%zu,", count))) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the texts.");
    }
    for (size_t t = 0; t < count; t++) {
        size_t at = 0;
        const size_t length = strlen(texts[t]);
        for (size_t letter = 0; letter < longest; letter++) {
            put_little_endian(&start, text_next(texts[t], length, &at), 4);
        }
    }
    const bool done = growing_finish(&start, &parts->start, error);
    parts->size = done ? parts->start.size : 0;
    return done;
}

/* As they are written: on most machines as they stand. */
static struct bytes in_little_endian(float *values, size_t count)
{
    uint8_t *const bytes = (uint8_t *)values;
    const uint16_t one = 1;
    uint8_t first = 0;
    memcpy(&first, &one, sizeof first);
    for (size_t i = 0; first != 1 && i < count; i++) {
        uint8_t *const number = bytes + 4 * i;
        const uint8_t turned[] = {number[3], number[2], number[1], number[0]};
        memcpy(number, turned, sizeof turned);
    }
    return (struct bytes){bytes, count * sizeof *values};
}

bool npy_parts_next(struct npy_parts *parts, struct bytes *part, struct error *error)
{
    const float *values = NULL;
    size_t count = 0;
    if (!parts->started) {
        *part = parts->start;
        parts->started = true;
        return true;
    }
    if (parts->has_rows && !array_rows_next(&parts->rows, &values, &count, error)) {
        return false;
    }
    *part = in_little_endian(parts->rows.values, count * parts->rows.cols);
    return true;
}

bool npy_put(struct growing *out, const struct array *array, struct error *error)
{
    struct npy_parts parts;
    struct bytes part;
    bool done = npy_parts_of(array, out->arena, &parts, error);
    do {
        done = done && npy_parts_next(&parts, &part, error);
        if (done) {
            growing_put(out, part.at, part.size);
        }
    } while (done && part.size > 0 && !out->failed);
    return done;
}

bool npy_write(const struct array *array, struct arena *arena, struct bytes *out,
               struct error *error)
{
    struct growing file = growing_start(arena);
    return npy_put(&file, array, error) && growing_finish(&file, out, error);
}

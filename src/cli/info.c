/* cli/info.c — what a file is: its kind, the arrays in it, the lesson in it. */
#include <string.h>

#include "app/session.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/calls.h"
#include "file/csv.h"
#include "file/json.h"
#include "file/npy.h"
#include "file/npz.h"
#include "file/vectors.h"

static const size_t bytes_max = (size_t)1 << 30;

enum { ARRAYS_MAX = 256, WORD_BYTES_MAX = 200 };

/* What was found. */
struct found {
    const char *path, *kind, *title; /* "npz", "arrays of NumPy" */
    size_t bytes;
    struct array own[ARRAYS_MAX]; /* only names, types and shapes */
    const struct array *array;
    size_t arrays;
    struct lab_lesson lesson; /* steps 0: none */
};

static void put_own(struct found *found, const struct array *array)
{
    found->array = found->own;
    if (found->arrays < ARRAYS_MAX) {
        found->own[found->arrays++] = *array;
    }
}

/* ---- one reader for each kind; what is none of its own it leaves alone ---------------------- */

static bool read_npy(struct bytes file, struct arena *arena, struct found *found,
                     struct error *error)
{
    struct array array;
    (void)arena;
    if (!npy_read(file, &array, error)) {
        return false;
    }
    put_own(found, &array);
    return true;
}

static bool read_npz(struct bytes file, struct arena *arena, struct found *found,
                     struct error *error)
{
    return npz_read(file, arena, &found->array, &found->arrays, error);
}

static bool read_picture(struct bytes file, struct arena *arena, struct found *found,
                         struct error *error)
{
    struct bytes text;
    if (!app_session_find(file, arena, &text, NULL)) {
        return true; /* a picture all the same */
    }
    return lab_lesson_parse(text, arena, &found->lesson, error);
}

static bool read_lesson(struct bytes file, struct arena *arena, struct found *found,
                        struct error *error)
{
    return lab_lesson_parse(file, arena, &found->lesson, error);
}

static bool read_results(struct bytes file, struct arena *arena, struct found *found,
                         struct error *error)
{
    struct json *const tree = json_parse(file, error);
    void *place = NULL;
    const char *name = NULL;
    for (const struct json *member = json_next_member(tree, &place, &name); member != NULL;
         member = json_next_member(tree, &place, &name)) {
        struct array array;
        if (json_kind_of(member) == JSON_KIND_ARRAY && json_floats(member, arena, &array, NULL)) {
            array.name = arena_text(arena, name, strlen(name));
            array.name = array.name == NULL ? "" : array.name;
            put_own(found, &array);
        }
    }
    json_release(tree);
    return tree != NULL;
}

/* "# weights 1x3x3", as compute writes it before each table; false: another line. */
static bool read_heading(const struct line *line, struct arena *arena, struct array *array)
{
    char size[24];
    const char *const end = line->at + line->length;
    const char *const name = line->at + 2;
    const char *space = line->length > 2 ? memchr(name, ' ', line->length - 2) : NULL;
    if (line->length < 3 || memcmp(line->at, "# ", 2) != 0 || space == NULL) {
        return false;
    }
    *array = (struct array){.name = arena_text(arena, name, (size_t)(space - name)),
                            .type = ARRAY_FLOAT32};
    while (space < end && array->rank < ARRAY_RANK_MAX) {
        const char *const digits = space + 1;
        const char *const cross = memchr(digits, 'x', (size_t)(end - digits));
        const size_t letters = (size_t)((cross == NULL ? end : cross) - digits);
        uint64_t whole = 0;
        if (letters == 0 || letters >= sizeof size) {
            return false;
        }
        memcpy(size, digits, letters);
        size[letters] = '\0';
        if (!text_to_u64(size, &whole)) {
            return false;
        }
        array->shape[array->rank++] = (size_t)whole;
        space = cross == NULL ? end : cross;
    }
    return array->name != NULL && array->rank > 1;
}

static bool read_tables(struct bytes file, struct arena *arena, struct found *found,
                        struct error *error)
{
    size_t at = lines_start(file);
    struct line line = {0};
    struct array array;
    while (lines_next(file, &at, &line)) {
        if (line.at[0] == '#' && read_heading(&line, arena, &array)) {
            put_own(found, &array);
        }
    }
    if (found->arrays > 0 || !csv_read(file, arena, &array, error)) {
        return found->arrays > 0;
    }
    put_own(found, &array);
    return true;
}

static bool read_vectors(struct bytes file, struct arena *arena, struct found *found,
                         struct error *error)
{
    size_t at = lines_start(file), words = 0;
    struct line line = {0};
    const char *first = NULL;
    struct vectors vectors;
    while (lines_next(file, &at, &line)) {
        const char *const space = memchr(line.at, ' ', line.length);
        const size_t letters = space == NULL ? line.length : (size_t)(space - line.at);
        if (first == NULL && letters > 0 && letters < WORD_BYTES_MAX) {
            first = arena_text(arena, line.at, letters);
        }
        words++;
    }
    if (first == NULL || !vectors_read(file, &first, 1, arena, &vectors, error) ||
        (vectors.found_count == 0 && words < 2)) {
        return false;
    }
    const size_t shape[] = {words - (vectors.found_count == 0 ? 1 : 0), vectors.dimension};
    const struct array array = {
        .name = "", .type = ARRAY_FLOAT32, .rank = 2, .shape = {shape[0], shape[1]}};
    put_own(found, &array);
    return true;
}

/* ---- which kind it is ----------------------------------------------------------------------- */

static bool begins_with(struct bytes file, const char *magic)
{
    const size_t size = strlen(magic);
    return file.size >= size && memcmp(file.at, magic, size) == 0;
}

static bool is_npy(struct bytes file)
{
    return begins_with(file, "\x93NUMPY");
}

static bool is_zip(struct bytes file)
{
    return begins_with(file, "PK\x03\x04") || begins_with(file, "PK\x05\x06");
}

static bool is_png(struct bytes file)
{
    return app_file_kind(file) == APP_FILE_PNG;
}

static bool is_svg(struct bytes file)
{
    return app_file_kind(file) == APP_FILE_SVG;
}

static bool is_pdf(struct bytes file)
{
    return app_file_kind(file) == APP_FILE_PDF;
}

static bool is_webp(struct bytes file)
{
    return app_file_kind(file) == APP_FILE_WEBP;
}

static bool is_gif(struct bytes file)
{
    return app_file_kind(file) == APP_FILE_GIF;
}

static bool says_format(struct bytes file, const char *format)
{
    struct json *const tree = json_parse(file, NULL);
    const char *name = NULL;
    const bool says = json_text(json_member(tree, "format"), &name) && strcmp(name, format) == 0;
    json_release(tree);
    return says;
}

static bool is_results(struct bytes file)
{
    return app_file_kind(file) == APP_FILE_JSON && says_format(file, "attnscope-trace");
}

static bool is_json(struct bytes file)
{
    return app_file_kind(file) == APP_FILE_JSON;
}

static bool is_text(struct bytes file)
{
    return file.size > 0 && memchr(file.at, 0, file.size) == NULL;
}

static const struct kind {
    const char *name, *title;
    bool (*is)(struct bytes file);
    bool (*read)(struct bytes file, struct arena *arena, struct found *found, struct error *error);
    bool is_guess; /* where it cannot be read, it is another */
} kinds[] = {
    {"npy", "an array of NumPy", is_npy, read_npy, false},
    {"npz", "arrays of NumPy", is_zip, read_npz, false},
    {"png", "a picture", is_png, read_picture, false},
    {"svg", "a picture", is_svg, read_picture, false},
    {"pdf", "a picture", is_pdf, read_picture, false},
    {"webp", "an animation", is_webp, read_picture, false},
    {"gif", "an animation", is_gif, read_picture, false},
    {"results", "results of attnscope", is_results, read_results, false},
    {"lesson", "a lesson", is_json, read_lesson, false},
    {"table", "tables of numbers", is_text, read_tables, true},
    {"vectors", "word vectors", is_text, read_vectors, true},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool look(struct bytes file, struct arena *arena, struct found *found, struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    for (size_t k = 0; k < KINDS; k++) {
        if (!kinds[k].is(file)) {
            continue;
        }
        found->kind = kinds[k].name;
        found->title = kinds[k].title;
        if (kinds[k].read(file, arena, found, &reason)) {
            return true;
        }
        if (!kinds[k].is_guess || reason.code == ERROR_MEMORY) {
            return error_set(error, reason.code, "%.70s: %.120s", found->path, reason.text);
        }
    }
    return error_set(error, ERROR_INPUT, "\"%.80s\" is of no kind that attnscope knows.",
                     found->path);
}

/* ---- what is said --------------------------------------------------------------------------- */

static void put_lesson_json(struct json_writer *json, const struct lab_lesson *lesson)
{
    const struct lab_experiment *const experiment = &lesson->step[0].experiment;
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    const struct {
        const char *name;
        size_t number;
    } numbers[] = {{"steps", lesson->steps},
                   {"heads", sizes.heads},
                   {"d_model", sizes.d_model},
                   {"d_k", sizes.d_k},
                   {"d_v", sizes.d_v}};
    json_begin_object(json);
    json_key(json, "name");
    json_put_text(json, lesson->name);
    json_key(json, "title");
    json_put_text(json, lesson->title);
    json_key(json, "tokens");
    json_put_texts(json, lab_words_list(experiment->tokens), lab_words_count(experiment->tokens));
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        json_key(json, numbers[n].name);
        json_put_whole_number(json, (int64_t)numbers[n].number);
    }
    json_end_object(json);
}

static void put_json(struct json_writer *json, const struct found *found)
{
    json_begin_object(json);
    json_key(json, "file");
    json_put_text(json, found->path);
    json_key(json, "kind");
    json_put_text(json, found->kind);
    json_key(json, "bytes");
    json_put_whole_number(json, (int64_t)found->bytes);
    json_key(json, "arrays");
    json_begin_array(json, JSON_LINES);
    for (size_t a = 0; a < found->arrays; a++) {
        json_begin_object_in_line(json);
        json_key(json, "name");
        json_put_text(json, found->array[a].name);
        json_key(json, "type");
        json_put_text(json, array_type_name(found->array[a].type));
        json_key(json, "shape");
        json_begin_array(json, JSON_ONE_LINE);
        for (size_t r = 0; r < found->array[a].rank; r++) {
            json_put_whole_number(json, (int64_t)found->array[a].shape[r]);
        }
        json_end_array(json);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "lesson");
    if (found->lesson.steps > 0) {
        put_lesson_json(json, &found->lesson);
    } else {
        json_put_null(json);
    }
    json_end_object(json);
}

static void put_row(struct growing *out, const char *name, const char *text)
{
    enum { NAME_COLUMN = 12 };
    const char *const shown = cli_visible(name, out->arena);
    const size_t letters = text_letters(shown, strlen(shown));
    growing_put_text(out, "  ");
    growing_put_text(out, shown);
    growing_put_spaces(out, letters + 1 < NAME_COLUMN ? NAME_COLUMN - letters : 1);
    growing_put_text(out, cli_visible(text, out->arena));
    growing_put_text(out, "\n");
}

static void put_lesson(struct growing *out, const struct lab_lesson *lesson)
{
    const struct lab_words *const tokens = lesson->step[0].experiment.tokens;
    const char *const steps = arena_format(out->arena, "%zu", lesson->steps);
    put_row(out, "name", lesson->name);
    put_row(out, "title", lesson->title);
    put_row(out, "steps", steps == NULL ? "" : steps);
    struct growing words = growing_start(out->arena);
    struct bytes line;
    for (size_t w = 0; w < lab_words_count(tokens); w++) {
        growing_put_text(&words, w == 0 ? "" : " ");
        growing_put_text(&words, lab_words_list(tokens)[w]);
    }
    put_row(out, "tokens", growing_finish(&words, &line, NULL) ? (const char *)line.at : "");
}

static void put_text(struct growing *out, const struct found *found)
{
    const char *const head =
        arena_format(out->arena, "%s: %s (%s), %zu bytes\n", cli_visible(found->path, out->arena),
                     found->title, found->kind, found->bytes);
    growing_put_text(out, head == NULL ? "" : head);
    for (size_t a = 0; a < found->arrays; a++) {
        const struct array *const array = &found->array[a];
        const char *const shape = array_shape_text(array, " × ", out->arena);
        const char *const row =
            arena_format(out->arena, "%-8s  %s", array_type_name(array->type), shape);
        put_row(out, array->name[0] == '\0' ? "array" : array->name, row == NULL ? "" : row);
    }
    if (found->lesson.steps > 0) {
        put_lesson(out, &found->lesson);
    } else if (found->arrays == 0 && strcmp(found->title, "a picture") == 0) {
        growing_put_text(out, "  It does not say what it was made from.\n");
    }
}

static bool tr(const struct cli_options *options, const struct found *found, struct arena *arena,
               struct bytes *content, struct error *error)
{
    if (options->value[CLI_JSON].given) {
        struct json_writer json = json_writer_start(arena);
        put_json(&json, found);
        return json_writer_finish(&json, content, error);
    }
    struct growing out = growing_start(arena);
    put_text(&out, found);
    return growing_finish(&out, content, error);
}

int cli_info(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes file, content;
    if (options->file == NULL) {
        error_set(&error, ERROR_USAGE, "info needs a file: attnscope info FILE.");
        return cli_fail(&error);
    }
    if (cli_is_model(options)) {
        const int status = cli_model_info(options, &arena, &content, &error)
                               ? cli_write("-", content, false)
                               : cli_fail(&error);
        arena_free(&arena);
        return status;
    }
    if (cli_is_dump(options)) { /* arrays that are no attention are arrays all the same */
        const bool read = cli_dump_info(options, &arena, &content, &error);
        if (read || error.code == ERROR_MEMORY || error.code == ERROR_FILE ||
            options->value[CLI_ARRAY].given || options->value[CLI_AXES].given) {
            const int status = read ? cli_write("-", content, false) : cli_fail(&error);
            arena_free(&arena);
            return status;
        }
        error = (struct error){ERROR_NONE, 0, ""};
    }
    struct found *const found = arena_alloc(&arena, sizeof *found);
    bool done = found != NULL ||
                error_set(&error, ERROR_MEMORY, "There is not enough memory to look at a file.");
    if (done) {
        *found = (struct found){.path = options->file};
        done = file_read(options->file, bytes_max, &arena, &file, &error);
    }
    if (done) {
        found->bytes = file.size;
        done = look(file, &arena, found, &error) && tr(options, found, &arena, &content, &error);
        lab_lesson_release(&found->lesson);
    }
    const int status = done ? cli_write("-", content, false) : cli_fail(&error);
    arena_free(&arena);
    return status;
}

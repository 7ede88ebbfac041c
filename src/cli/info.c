/* cli/info.c — the answer of info: a file's kind, the arrays in it, the lesson in it. */
#include <string.h>

#include "app/document/session.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/calls.h"
#include "cli/results.h"
#include "cli/subject.h"
#include "file/kinds.h"

/* The contents that were found. */
struct found {
    const char *path;
    enum file_kind kind;
    const struct file_kind_row *row;
    size_t bytes;
    struct file_arrays arrays;
    struct lab_lesson lesson; /* steps 0: none */
    const char *why;          /* its arrays are not shown as attention; NULL: not tried */
};

/* Reads the contents by the file's kind: arrays, or a lesson, maybe inside a picture. */
static bool read_content(struct file_handle *handle, struct bytes file, struct arena *arena,
                         struct found *found, struct error *error)
{
    struct bytes text;
    if (found->row->list != NULL) {
        return file_handle_arrays(handle, &found->arrays, error);
    }
    if (!file_kind_opens(found->kind, FILE_AS_LESSON) ||
        !app_session_find(file, arena, &text, NULL)) {
        return true; /* a picture all the same */
    }
    return lab_lesson_parse(text, arena, &found->lesson, error);
}

static bool read_found(struct file_handle *handle, struct arena *arena, struct found *found,
                       struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    struct bytes file;
    if (!file_handle_map(handle, &file, error)) {
        return false;
    }
    found->bytes = file.size;
    found->kind = file_kind_of(file);
    if (found->kind == FILE_KINDS) {
        return file_kind_check(found->path, FILE_KINDS, error) &&
               error_set(error, ERROR_INPUT, "\"%.80s\" is of no kind that attnscope knows.",
                         found->path);
    }
    found->row = file_kind_row(found->kind);
    return read_content(handle, file, arena, found, &reason) ||
           error_set(error, reason.code, "%.70s: %.120s", found->path, reason.text);
}

/* ---- printing ------------------------------------------------------------------------------- */

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

/* Says why the file cannot be opened, where it cannot. */
static const char *note_of(const struct found *found)
{
    return found->why != NULL ? found->why
           : found->row->as == 0 && found->row->list == NULL
               ? file_kind_refusal(found->kind, found->path)
               : NULL;
}

static void put_json(struct json_writer *json, const struct found *found)
{
    json_begin_object(json);
    json_key(json, "file");
    json_put_text(json, found->path);
    json_key(json, "kind");
    json_put_text(json, found->row->name);
    json_key(json, "bytes");
    json_put_whole_number(json, (int64_t)found->bytes);
    json_key(json, "arrays");
    json_begin_array(json, JSON_LINES);
    for (size_t a = 0; a < found->arrays.count; a++) {
        cli_write_array_facts(json, &found->arrays.array[a]);
    }
    json_end_array(json);
    json_key(json, "unread");
    json_begin_array(json, JSON_LINES);
    for (size_t u = 0; u < found->arrays.unread_count; u++) {
        cli_write_unread_facts(json, &found->arrays.unread[u]);
    }
    json_end_array(json);
    json_key(json, "lesson");
    if (found->lesson.steps > 0) {
        put_lesson_json(json, &found->lesson);
    } else {
        json_put_null(json);
    }
    if (note_of(found) != NULL) {
        json_key(json, "note");
        json_put_text(json, note_of(found));
    }
    json_end_object(json);
}

static void put_row(struct growing *out, const char *name, const char *text)
{
    enum { NAME_COLUMN = 12 };
    const char *const shown = cli_escape_controls(name, out->arena);
    const size_t letters = text_letters(shown, strlen(shown));
    growing_put_text(out, "  ");
    growing_put_text(out, shown);
    growing_put_spaces(out, letters + 1 < NAME_COLUMN ? NAME_COLUMN - letters : 1);
    growing_put_text(out, cli_escape_controls(text, out->arena));
    growing_put_text(out, "\n");
}

/* Writes the lesson, without the name and title that all sessions have. */
static void put_lesson(struct growing *out, const struct lab_lesson *lesson)
{
    enum { SHOWN = 12 };
    const struct lab_words *const tokens = lesson->step[0].experiment.tokens;
    const size_t count = lab_words_count(tokens);
    const char *const steps = arena_format(out->arena, "%zu", lesson->steps);
    if (strcmp(lesson->name, "session") != 0) {
        put_row(out, "name", lesson->name);
        put_row(out, "title", lesson->title);
    }
    put_row(out, "steps", steps == NULL ? "" : steps);
    struct growing words = growing_start(out->arena);
    struct bytes line;
    for (size_t w = 0; w < count && w < SHOWN; w++) {
        growing_put_text(&words, w == 0 ? "" : " ");
        growing_put_text(&words, lab_words_list(tokens)[w]);
    }
    if (count > SHOWN) {
        const char *const more = arena_format(out->arena, " … (%zu in all)", count);
        growing_put_text(&words, more == NULL ? "" : more);
    }
    put_row(out, "tokens", growing_finish(&words, &line, NULL) ? (const char *)line.at : "");
}

static void put_text(struct growing *out, const struct found *found)
{
    const char *const head = arena_format(out->arena, "%s: %s (%s), %zu bytes\n",
                                          cli_escape_controls(found->path, out->arena),
                                          found->row->title, found->row->name, found->bytes);
    growing_put_text(out, head == NULL ? "" : head);
    for (size_t a = 0; a < found->arrays.count; a++) {
        const struct array *const array = &found->arrays.array[a];
        const char *const shape = array_shape_text(array, " × ", out->arena);
        const char *const row =
            arena_format(out->arena, "%-8s  %s", array_type_name(array->type), shape);
        put_row(out, array->name[0] == '\0' ? "array" : array->name, row == NULL ? "" : row);
    }
    for (size_t u = 0; u < found->arrays.unread_count; u++) {
        const struct array_unread *const unread = &found->arrays.unread[u];
        const char *const row =
            arena_format(out->arena, "%-8s  %s, which is not read%s%s", unread->type,
                         array_shape_text(&unread->array, " × ", out->arena),
                         unread->why == NULL ? "" : ": ", unread->why == NULL ? "" : unread->why);
        put_row(out, unread->array.name, row == NULL ? "" : row);
    }
    if (found->lesson.steps > 0) {
        put_lesson(out, &found->lesson);
    } else if (file_kind_opens(found->kind, FILE_AS_LESSON)) {
        growing_put_text(out, "  It does not say what it was made from.\n");
    } else if (note_of(found) != NULL) {
        growing_put_text(out, "  ");
        growing_put_text(out, note_of(found));
        growing_put_text(out, "\n");
    }
}

static bool write_found(const struct cli_options *options, const struct found *found,
                        struct arena *arena, struct bytes *content, struct error *error)
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
    struct error error = {ERROR_NONE, 0, ""}, reason = error;
    struct arena arena = {0};
    struct bytes content;
    if (options->file == NULL) {
        error_set(&error, ERROR_USAGE, "info needs a file: attnscope info FILE.");
        return cli_fail(&error);
    }
    if (options->subject->info != NULL) {
        const bool is_read = options->subject->info(options, &arena, &content, &error);
        /* Arrays that are no attention are listed as arrays. */
        if (is_read || !options->subject->has_arrays || error.code == ERROR_MEMORY ||
            error.code == ERROR_FILE || options->value[CLI_ARRAY].given ||
            options->value[CLI_AXES].given) {
            const int status = is_read ? cli_write_file("-", content, false) : cli_fail(&error);
            arena_free(&arena);
            return status;
        }
        reason = error;
        error = (struct error){ERROR_NONE, 0, ""};
    }
    struct found found = {.path = options->file,
                          .why = reason.code == ERROR_NONE ? NULL : reason.text};
    const bool done = read_found(options->opened, &arena, &found, &error) &&
                      write_found(options, &found, &arena, &content, &error);
    lab_lesson_release(&found.lesson);
    const int status = done ? cli_write_file("-", content, false) : cli_fail(&error);
    arena_free(&arena);
    return status;
}

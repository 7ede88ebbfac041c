/* cli/lists.c — prints the lessons, and the names that options take. */
#include <string.h>

#include "cli/calls.h"
#include "file/json.h"
#include "lab/lesson/lessons.h"

static int print_json(struct json_writer *json)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes content;
    if (!json_writer_finish(json, &content, &error)) {
        return cli_fail(&error);
    }
    return cli_write_file("-", content, false);
}

static int print_lines(struct growing *lines)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes content;
    if (!growing_finish(lines, &content, &error)) {
        return cli_fail(&error);
    }
    return cli_write_file("-", content, false);
}

static int lessons_as_json(struct arena *arena)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_array(&json, JSON_LINES);
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        json_begin_object(&json);
        json_key(&json, "name");
        json_put_text(&json, lab_lesson_name(l));
        json_key(&json, "title");
        json_put_text(&json, lab_lesson_title(l));
        json_key(&json, "summary");
        json_put_text(&json, lab_lesson_summary(l));
        json_end_object(&json);
    }
    json_end_array(&json);
    return print_json(&json);
}

int cli_lessons(const struct cli_options *options)
{
    enum { NAME_COLUMN = 8 };
    struct arena arena = {0};
    int status = CLI_DONE;
    if (options->value[CLI_JSON].given) {
        status = lessons_as_json(&arena);
    } else {
        struct growing lines = growing_start(&arena);
        for (size_t l = 0; l < lab_lesson_count(); l++) {
            const size_t letters = strlen(lab_lesson_name(l));
            growing_put_text(&lines, lab_lesson_name(l));
            growing_put_spaces(&lines, letters < NAME_COLUMN ? NAME_COLUMN - letters : 1);
            growing_put_text(&lines, lab_lesson_title(l));
            growing_put_text(&lines, "\n");
            growing_put_spaces(&lines, NAME_COLUMN);
            growing_put_text(&lines, lab_lesson_summary(l));
            growing_put_text(&lines, "\n");
        }
        status = print_lines(&lines);
    }
    arena_free(&arena);
    return status;
}

int cli_list(const struct cli_options *options)
{
    /* In the order of the names that --list takes. */
    static const char *(*const names[])(size_t) = {cli_stage_name,    cli_view_name,
                                                   cli_colormap_name, cli_mask_name,
                                                   cli_lesson_name,   cli_theme_name};
    const char *(*const name_at)(size_t) = names[options->value[CLI_LIST].whole];
    struct arena arena = {0};
    int status = CLI_DONE;
    if (options->value[CLI_JSON].given) {
        struct json_writer json = json_writer_start(&arena);
        json_begin_array(&json, JSON_ONE_LINE);
        for (size_t n = 0; name_at(n) != NULL; n++) {
            json_put_text(&json, name_at(n));
        }
        json_end_array(&json);
        status = print_json(&json);
    } else {
        struct growing lines = growing_start(&arena);
        for (size_t n = 0; name_at(n) != NULL; n++) {
            growing_put_text(&lines, name_at(n));
            growing_put_text(&lines, "\n");
        }
        status = print_lines(&lines);
    }
    arena_free(&arena);
    return status;
}

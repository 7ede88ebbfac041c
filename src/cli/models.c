/* cli/models.c — lists the models on this machine. */
#include <stdio.h>
#include <string.h>

#include "app/open/models_here.h"
#include "base/system/file.h"
#include "cli/calls.h"
#include "file/json.h"
#include "file/kinds.h"
#include "model/listing.h"

static void put_number(struct json_writer *json, const char *key, uint64_t number)
{
    json_key(json, key);
    if (number > 0) {
        json_put_whole_number(json, (int64_t)number);
    } else {
        json_put_null(json);
    }
}

static void put_text(struct json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    if (text[0] != '\0') {
        json_put_text(json, text);
    } else {
        json_put_null(json);
    }
}

static bool as_json(const struct model_listing *listing, struct arena *arena, struct bytes *out,
                    struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_array(&json, JSON_LINES);
    for (size_t m = 0; m < listing->count; m++) {
        const struct model_listed *const model = &listing->model[m];
        json_begin_object(&json);
        put_text(&json, "name", model->name);
        put_text(&json, "from", model_shelf_name(model->shelf));
        put_text(&json, "path", model->path);
        put_text(&json, "family", model->family);
        put_text(&json, "numbers", model->kind);
        put_number(&json, "layers", model->layers);
        put_number(&json, "target_layers", model->target_layers);
        put_number(&json, "heads", model->heads);
        put_number(&json, "groups", model->groups);
        put_number(&json, "width", model->width);
        put_number(&json, "bytes", model->bytes);
        put_number(&json, "memory", model->memory);
        json_end_object(&json);
    }
    json_end_array(&json);
    return json_writer_finish(&json, out, error);
}

static bool as_text(const struct model_listing *listing, struct arena *arena, struct bytes *out,
                    struct error *error)
{
    struct growing lines = growing_start(arena);
    for (size_t m = 0; m < listing->count; m++) {
        const struct model_listed *const model = &listing->model[m];
        const char *const facts = model_listed_facts(model, arena);
        const char *const text = arena_format(
            arena, "%s (%s)\n  %s\n  %s\n", cli_escape_controls(model->name, arena),
            model_shelf_name(model->shelf), facts == NULL ? "" : cli_escape_controls(facts, arena),
            cli_escape_controls(model->path, arena));
        growing_put_text(&lines, text == NULL ? "" : text);
    }
    if (listing->count == 0) {
        growing_put_text(&lines,
                         "There are no models of Ollama, Hugging Face or LM Studio here.\n");
    }
    growing_put_text(&lines, "The model that comes with the program: attnscope --lesson "
                             "real-heads\n");
    return growing_finish(&lines, out, error);
}

bool cli_resolve_listed_model(struct cli_options *options, struct error *error)
{
    struct arena arena = {0};
    struct model_listing listing = {.count = 0};
    size_t found = 0;
    const char *longer = NULL;
    if (options->file == NULL || strcmp(options->file, "-") == 0 || system_exists(options->file) ||
        !app_models_here(&arena, &listing)) {
        arena_free(&arena);
        return true;
    }
    for (size_t m = 0; m < listing.count; m++) {
        const struct model_listed *const model = &listing.model[m];
        if (strcmp(model->name, options->file) == 0 &&
            strlen(model->path) < sizeof options->listed) {
            snprintf(options->listed, sizeof options->listed, "%s", model->path);
            found++;
        }
        const bool begins = strncmp(model->name, options->file, strlen(options->file)) == 0;
        longer = begins && longer == NULL ? model->name : longer;
    }
    if (found == 0 && longer != NULL) {
        error_set(error, ERROR_USAGE,
                  "There is no file or model %.60s; a model is called %.60s here, and attnscope "
                  "models lists them.",
                  options->file, longer);
        arena_free(&arena);
        return false;
    }
    arena_free(&arena);
    if (found > 1) {
        return error_set(error, ERROR_USAGE,
                         "Several models are named %.60s: give the path of one, as attnscope "
                         "models lists it.",
                         options->file);
    }
    options->file = found == 1 ? options->listed : options->file;
    return true;
}

void cli_resolve_model_folder(struct cli_options *options)
{
    char folder[sizeof options->listed];
    if (options->file != NULL && file_kind_model_folder(options->file, folder, sizeof folder)) {
        memcpy(options->listed, folder, sizeof folder);
        options->file = options->listed;
    }
}

int cli_models(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct model_listing listing;
    struct bytes out;
    int status = CLI_DONE;
    if (!app_models_here(&arena, &listing)) {
        error_set(&error, ERROR_MEMORY, "There is not enough memory to list the models.");
        status = cli_fail(&error);
    } else if (!(options->value[CLI_JSON].given ? as_json : as_text)(&listing, &arena, &out,
                                                                     &error)) {
        status = cli_fail(&error);
    } else {
        status = cli_write_file("-", out, false);
    }
    arena_free(&arena);
    return status;
}

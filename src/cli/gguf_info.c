/* cli/gguf_info.c — the contents of a GGUF: its family if it is one that is computed, keys with
 * their values, and tensors. */
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/calls.h"
#include "cli/results.h"
#include "file/gguf.h"
#include "model/model.h"

enum { TEXT_SHOWN = 60, LIST_SHOWN = 6 };

/* The contents to list. */
struct listed {
    const char *path;
    const struct gguf *gguf;
    const struct model *model; /* NULL: it cannot be computed, for the reason in `why` */
    struct error why;
};

static bool is_whole(enum gguf_value_type type)
{
    return type != GGUF_FLOAT32 && type != GGUF_FLOAT64;
}

static const char *number_text(const struct gguf_value *value, struct arena *arena)
{
    char text[TEXT_NUMBER_MAX];
    if (value->type == GGUF_TRUTH) {
        return value->bits != 0 ? "true" : "false";
    }
    if (is_whole(value->type)) {
        const bool below = value->number < 0;
        return arena_format(arena, "%s%llu", below ? "-" : "",
                            (unsigned long long)(below ? ~value->bits + 1 : value->bits));
    }
    return arena_format(arena, "%s",
                        value->type == GGUF_FLOAT32 ? text_number_exact(text, (float)value->number)
                                                    : text_double_exact(text, value->number));
}

/* Writes a value on a line, with the beginning of long texts and lists. */
static const char *value_text(const struct gguf_value *value, struct arena *arena)
{
    if (value->type == GGUF_TEXT) {
        const size_t size = value->text.size < TEXT_SHOWN ? value->text.size : TEXT_SHOWN;
        const char *const text = arena_text(arena, (const char *)value->text.at, size);
        return text == NULL ? NULL
                            : arena_format(arena, "\"%s\"%s", cli_escape_controls(text, arena),
                                           size < value->text.size ? " …" : "");
    }
    if (value->type != GGUF_LIST) {
        return number_text(value, arena);
    }
    const char *text =
        arena_format(arena, "%zu %s:", value->count, gguf_value_name(value->item_type));
    for (size_t i = 0; text != NULL && i < value->count && i < LIST_SHOWN; i++) {
        const struct gguf_value item = gguf_item(value, i);
        text = arena_format(arena, "%s %s", text,
                            item.type == GGUF_LIST ? "[…]" : value_text(&item, arena));
    }
    return text == NULL || value->count <= LIST_SHOWN ? text : arena_format(arena, "%s …", text);
}

static bool as_text(const struct listed *listed, struct arena *arena, struct bytes *content,
                    struct error *error)
{
    struct growing out = growing_start(arena);
    const char *const head =
        listed->model != NULL
            ? cli_model_head(listed->path, listed->model, arena)
            : arena_format(arena, "%s: a model as GGUF, which cannot be computed\n  %s\n",
                           cli_escape_controls(listed->path, arena), listed->why.text);
    growing_put_text(&out, head == NULL ? "" : head);
    for (size_t i = 0; i < listed->gguf->key_count; i++) {
        const struct gguf_value *const key = &listed->gguf->keys[i];
        const char *const value = value_text(key, arena);
        const char *const row =
            arena_format(arena, "  %s = %s\n", cli_escape_controls(key->key, arena), value);
        growing_put_text(&out, row == NULL ? "" : row);
    }
    for (size_t i = 0; i < listed->gguf->count; i++) {
        const struct gguf_tensor *const tensor = &listed->gguf->tensors[i];
        const char *const row =
            cli_tensor_row(tensor->name, tensor->kind->name, tensor->rank, tensor->shape, arena);
        growing_put_text(&out, row == NULL ? "" : row);
    }
    return growing_finish(&out, content, error);
}

static void put_value(struct json_writer *json, const struct gguf_value *value, struct arena *arena)
{
    if (value->type == GGUF_TRUTH) {
        json_put_truth(json, value->bits != 0);
    } else if (value->type == GGUF_TEXT) {
        json_put_text(json, arena_text(arena, (const char *)value->text.at, value->text.size));
    } else if (value->type == GGUF_LIST) { /* lists are long: only their length and type */
        json_begin_object_in_line(json);
        json_key(json, "count");
        json_put_whole_number(json, (int64_t)value->count);
        json_key(json, "of");
        json_put_text(json, gguf_value_name(value->item_type));
        json_end_object(json);
    } else if (is_whole(value->type) && (value->number < 0 || value->bits <= INT64_MAX)) {
        json_put_whole_number(json, (int64_t)value->bits);
    } else if (value->type == GGUF_FLOAT32) {
        json_put_float(json, (float)value->number);
    } else {
        json_put_double(json, value->number);
    }
}

static bool as_json(const struct listed *listed, struct arena *arena, struct bytes *content,
                    struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_object(&json);
    json_key(&json, "file");
    json_put_text(&json, listed->path);
    json_key(&json, "kind");
    json_put_text(&json, listed->model != NULL ? "model" : "gguf");
    json_key(&json, listed->model != NULL ? "model" : "refusal");
    if (listed->model != NULL) {
        cli_write_config(&json, listed->model);
        cli_write_ignored_members(&json, listed->model);
        cli_write_unread_parts(&json, listed->model, arena);
    } else {
        json_put_text(&json, listed->why.text);
    }
    json_key(&json, "keys");
    json_begin_object(&json);
    for (size_t i = 0; i < listed->gguf->key_count; i++) {
        json_key(&json, listed->gguf->keys[i].key);
        put_value(&json, &listed->gguf->keys[i], arena);
    }
    json_end_object(&json);
    json_key(&json, "arrays");
    json_begin_array(&json, JSON_LINES);
    for (size_t i = 0; i < listed->gguf->count; i++) {
        const struct gguf_tensor *const tensor = &listed->gguf->tensors[i];
        cli_write_facts(&json, tensor->name, tensor->kind->name, tensor->rank, tensor->shape);
    }
    json_end_array(&json);
    json_end_object(&json);
    return json_writer_finish(&json, content, error);
}

bool cli_gguf_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                   struct error *error)
{
    const struct gguf_files *const files = file_handle_gguf(options->opened, error);
    struct listed listed = {.path = options->file};
    if (files == NULL) {
        return false;
    }
    struct model *const model = model_open(options->opened, &listed.why);
    listed.gguf = &files->whole;
    listed.model = model;
    const bool said = options->value[CLI_JSON].given ? as_json(&listed, arena, content, error)
                                                     : as_text(&listed, arena, content, error);
    model_close(model);
    return said;
}

/* file/folder.c — see folder.h. */
#include "file/folder.h"

#include <string.h>

#include "base/system/file.h"

bool folder_path(const char *folder, const char *name, char path[FOLDER_PATH_MAX],
                 struct error *error)
{
    return file_set_path(folder, name, path, error);
}

bool folder_has(const char *folder, const char *name)
{
    char path[FOLDER_PATH_MAX];
    struct system_facts facts;
    return folder_path(folder, name, path, NULL) && system_link_facts(path, &facts);
}

bool folder_has_adapter(const char *folder)
{
    return folder_has(folder, "adapter_config.json") ||
           folder_has(folder, "adapter_model.safetensors");
}

bool folder_refuse_adapter(const char *folder, struct error *error)
{
    size_t length = 0;
    const char *const last = file_last_part(folder, &length);
    return error_set(error, ERROR_FILE,
                     "%.*s: the folder holds an adapter of PEFT without its model. In Python: "
                     "model.merge_and_unload().save_pretrained(other) makes a model of both.",
                     (int)(length < 60 ? length : 60), last);
}

bool folder_read(const char *folder, const char *name, size_t limit, struct arena *arena,
                 struct bytes *out, struct error *error)
{
    char path[FOLDER_PATH_MAX];
    struct error reason = {ERROR_NONE, 0, ""};
    if (!folder_path(folder, name, path, error)) {
        return false;
    }
    return file_read(path, limit, arena, out, &reason) ||
           error_set(error, reason.code, "%s: %s", name, reason.text);
}

/* Members of a model's files that may be large: the words of a tokenizer and how they are joined,
 * what is done to a text before and behind (T5's map of characters alone has 300 kB), the places of
 * tensors, and what holds these. */
static const char *const large[] = {"model",
                                    "normalizer",
                                    "normalizers",
                                    "pre_tokenizer",
                                    "pretokenizers",
                                    "post_processor",
                                    "processors",
                                    "decoder",
                                    "decoders",
                                    "pattern",
                                    "text_config",
                                    "vocab",
                                    "merges",
                                    "scores",
                                    "added_tokens",
                                    "added_tokens_decoder",
                                    "added_tokens_encoder",
                                    "special_tokens",
                                    "weight_map",
                                    "chat_template",
                                    NULL};

static struct json *read_json(const char *folder, const char *name,
                              const struct json_limits *limits, struct error *error)
{
    struct arena arena = {0};
    struct bytes text;
    struct error reason = {ERROR_NONE, 0, ""};
    struct json *tree = NULL;
    if (folder_read(folder, name, JSON_BYTES_MAX, &arena, &text, error)) {
        tree = json_parse_within(text, limits, &reason);
        if (tree == NULL) {
            error_set(error, reason.code, "%s: %s", name, reason.text);
        }
    }
    arena_free(&arena);
    return tree;
}

struct json *folder_json(const char *folder, const char *name, struct error *error)
{
    return read_json(folder, name, &(struct json_limits){.large = large, .constants = true}, error);
}

struct json *folder_json_loose(const char *folder, const char *name, bool is_exact,
                               struct error *error)
{
    return read_json(folder, name,
                     &(struct json_limits){
                         .text = 4 << 20, .reals = !is_exact, .constants = true, .large = large},
                     error);
}

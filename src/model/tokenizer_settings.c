/* model/tokenizer_settings.c — see tokenizer_settings.h. */
#include "model/tokenizer_settings.h"

#include <stdlib.h>
#include <string.h>

#include "file/folder.h"

static const char config_name[] = "tokenizer_config.json";

/* In tokenizer_config.json and special_tokens_map.json. */
static const char *const role_keys[ROLES] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                             "pad_token", "cls_token", "mask_token"};

/* ---- which it is --------------------------------------------------------------------------- */

/* GPT2TokenizerFast is a GPT2. */
static size_t length_of_class(const char *name)
{
    static const char *const endings[] = {"Fast", "Tokenizer"};
    size_t length = strlen(name);
    for (size_t e = 0; e < 2; e++) {
        const size_t ending = strlen(endings[e]);
        length -=
            length > ending && memcmp(name + length - ending, endings[e], ending) == 0 ? ending : 0;
    }
    return length;
}

bool tokenizer_names_have(const char *names, const char *name, size_t length)
{
    for (const char *at = names; length > 0 && (at = strchr(at, ' ')) != NULL; at++) {
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == ' ') {
            return true;
        }
    }
    return false;
}

static bool read_if_there(struct file_handle *folder, const char *name, const struct json **tree,
                          struct error *error)
{
    const bool there = folder_has(file_handle_path(folder), name);
    *tree = there ? file_handle_settings(folder, name, error) : NULL;
    return *tree != NULL || !there;
}

bool tokenizer_settings_read(struct tokenizer_settings *settings, struct file_handle *folder,
                             struct error *error)
{
    const struct json *model = NULL;
    *settings = (struct tokenizer_settings){.class = "", .type = ""};
    if (!read_if_there(folder, config_name, &settings->config, error) ||
        !read_if_there(folder, "special_tokens_map.json", &settings->tokens, error) ||
        !read_if_there(folder, "config.json", &model, error)) {
        return false;
    }
    (void)json_text(json_member(settings->config, "tokenizer_class"), &settings->class);
    (void)json_text(json_member(model, "model_type"), &settings->type);
    settings->class_length = length_of_class(settings->class);
    return true;
}

const char *tokenizer_settings_token(const struct tokenizer_settings *settings,
                                     enum tokenizer_role role, const char *otherwise)
{
    const struct json *const own = json_member(settings->config, role_keys[role]);
    const struct json *const entry =
        own != NULL ? own : json_member(settings->tokens, role_keys[role]);
    const bool none = otherwise == NULL || json_kind_of(entry) == JSON_KIND_NULL;
    const char *text = none ? "" : otherwise;
    (void)(json_text(entry, &text) || json_text(json_member(entry, "content"), &text));
    return text;
}

bool tokenizer_settings_truth(const struct tokenizer_settings *settings, const char *name,
                              bool otherwise)
{
    (void)json_truth(json_member(settings->config, name), &otherwise);
    return otherwise;
}

/* ---- added tokens -------------------------------------------------------------------------- */

static bool is_added(const struct tokenizer *tokenizer, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < tokenizer->added_count; i++) {
        const struct bytes added = tokenizer->added[i].text;
        if (added.size == length && memcmp(added.at, text, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds the tokens of tokenizer_config.json ({"151643": {"content": "<s>"}}) or of added_tokens.json
 * ({"<|im_end|>": 151645}). */
static bool add_listed(struct tokenizer *tokenizer, const struct json *list, const char *file,
                       struct error *error)
{
    const char *key = NULL;
    void *place = NULL;
    for (const struct json *entry; (entry = json_next_member(list, &place, &key)) != NULL;) {
        const char *text = key;
        char *end = NULL;
        int64_t id = -1;
        if (json_text(json_member(entry, "content"), &text)) {
            const long long number = strtoll(key, &end, 10);
            id = *end == '\0' && end != key ? number : -1;
        } else if (!json_whole_number(entry, &id)) {
            id = -1;
        }
        if (text[0] != '\0' && !is_added(tokenizer, text) &&
            !tokenizer_add_token(tokenizer, entry, text, id, file, error)) {
            return false;
        }
    }
    return true;
}

bool tokenizer_settings_add(const struct tokenizer_settings *settings, const char *folder,
                            struct tokenizer *tokenizer, struct error *error)
{
    static const char list_name[] = "added_tokens.json";
    const struct json *const listed = json_member(settings->config, "added_tokens_decoder");
    const bool is_beside = listed == NULL && folder_has(folder, list_name);
    struct json *const list = is_beside ? folder_json_loose(folder, list_name, false, error) : NULL;
    const bool fine = (list != NULL || !is_beside) &&
                      add_listed(tokenizer, listed, config_name, error) &&
                      add_listed(tokenizer, list, list_name, error);
    json_release(list);
    return fine;
}

bool tokenizer_add_special(struct tokenizer *tokenizer, const char *text, struct error *error)
{
    struct tokenizer_added added = {.text = {(const uint8_t *)text, strlen(text)},
                                    .left = strcmp(text, "<mask>") == 0,
                                    .special = true};
    return text[0] == '\0' || is_added(tokenizer, text) ||
           !vocabulary_find(&tokenizer->vocabulary, text, added.text.size, &added.id) ||
           tokenizer_add(tokenizer, &added, error);
}

/* model/chat.c — see chat.h. */
#include "model/chat.h"

#include <string.h>

#include "file/folder.h"
#include "file/gguf.h"

enum { TEMPLATE_MAX = 4 << 20 /* bytes */ };

/* Of forms that share a mark, the first whose other mark stands there too. A line break stands in a
 * template as itself, or as the two letters of its source. */
static const struct form {
    const char *name, *mark, *also;
    const char *begin; /* of templates that write it themselves */
    const char *before, *after;
    bool trimmed;
} forms[] = {
    {"harmony", "<|channel|>", "<|message|>", NULL, "<|start|>user<|message|>",
     "<|end|><|start|>assistant", false},
    {"phi", "<|im_sep|>", "<|im_start|>", NULL, "<|im_start|>user<|im_sep|>",
     "<|im_end|><|im_start|>assistant<|im_sep|>", false},
    {"chatml", "<|im_start|>", "<|im_end|>", NULL, "<|im_start|>user\n",
     "<|im_end|>\n<|im_start|>assistant\n", false},
    {"llama3", "<|start_header_id|>", "<|eot_id|>", "<|begin_of_text|>",
     "<|start_header_id|>user<|end_header_id|>\n\n",
     "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n", true},
    {"gemma", "<start_of_turn>", "<end_of_turn>", "<bos>", "<start_of_turn>user\n",
     "<end_of_turn>\n<start_of_turn>model\n", true},
    {"mistral", "[INST] ", " [/INST]", "<s>", "[INST] ", " [/INST]", false},
    {"mistral", "[INST] ", "[/INST]", "<s>", "[INST] ", "[/INST]", false},
    {"mistral", "[INST]", "[/INST]", "<s>", "[INST]", "[/INST]", false},
    {"phi", "<|end|>", "\\n", NULL, "<|user|>\n", "<|end|>\n<|assistant|>\n", false},
    {"phi", "<|end|>", "'\n'", NULL, "<|user|>\n", "<|end|>\n<|assistant|>\n", false},
    {"phi", "<|end|>", "|>\n'", NULL, "<|user|>\n", "<|end|>\n<|assistant|>\n", false},
    {"phi", "<|end|>", "<|assistant|>", NULL, "<|user|>", "<|end|><|assistant|>", false},
};

static bool has_mark(struct bytes text, const char *mark)
{
    return bytes_find(text, 0, mark) < text.size;
}

/* The system message of ChatML that is put before others, where a template says it in one literal:
 * of a size, from `at`; 0: there is none. */
static size_t find_system(struct bytes text, size_t *at)
{
    static const char start[] = "<|im_start|>system";
    for (size_t from = 0; (from = bytes_find(text, from, start)) < text.size;) {
        from += strlen(start);
        from += bytes_have(text, from, "\n") ? 1 : bytes_have(text, from, "\\n") ? 2 : 0;
        const size_t end = bytes_find(text, from, "<|im_end|>");
        bool literal = end < text.size && end > from;
        for (size_t i = from; literal && i < end; i++) {
            literal = strchr("'\"{}\\", text.at[i]) == NULL;
        }
        if (literal) {
            *at = from;
            return end - from;
        }
    }
    return 0;
}

bool model_chat_read(struct bytes text, const char *begin, struct arena *arena,
                     struct model_chat *chat)
{
    const struct form *form = NULL;
    for (size_t f = 0; form == NULL && f < sizeof forms / sizeof *forms; f++) {
        form = has_mark(text, forms[f].mark) && has_mark(text, forms[f].also) ? &forms[f] : NULL;
    }
    *chat = (struct model_chat){.is_template = text.size > 0};
    if (form == NULL) {
        return true;
    }
    size_t at = 0;
    const bool chatml = strcmp(form->name, "chatml") == 0;
    const size_t system = chatml ? find_system(text, &at) : 0;
    const char *const first = has_mark(text, "bos_token") && begin != NULL         ? begin
                              : form->begin != NULL && has_mark(text, form->begin) ? form->begin
                                                                                   : "";
    *chat = (struct model_chat){
        .form = form->name,
        .before =
            arena_format(arena, "%s%s%.*s%s%s", first, system > 0 ? "<|im_start|>system\n" : "",
                         (int)system, system > 0 ? (const char *)text.at + at : "",
                         system > 0 ? "<|im_end|>\n" : "", form->before),
        .after = form->after,
        .trimmed = form->trimmed,
        .is_template = true};
    return chat->before != NULL;
}

bool model_chat_apply(const struct model_chat *chat, struct bytes text, struct arena *arena,
                      struct bytes *out, struct error *error)
{
    static const char spaces[] = " \t\n\v\f\r";
    while (chat->trimmed && text.size > 0 && memchr(spaces, text.at[0], sizeof spaces - 1)) {
        text.at++;
        text.size--;
    }
    while (chat->trimmed && text.size > 0 &&
           memchr(spaces, text.at[text.size - 1], sizeof spaces - 1)) {
        text.size--;
    }
    const size_t before = strlen(chat->before), after = strlen(chat->after);
    uint8_t *const room = arena_array(arena, before + text.size + after, 1);
    if (room == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    memcpy(room, chat->before, before);
    if (text.size > 0) {
        memcpy(room + before, text.at, text.size);
    }
    memcpy(room + before + text.size, chat->after, after);
    *out = (struct bytes){room, before + text.size + after};
    return true;
}

/* ---- where templates stand ------------------------------------------------------------------ */

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, text == NULL ? 0 : strlen(text)};
}

/* The template itself, or the one of several that is called default. */
static const char *template_of(const struct json *config)
{
    const struct json *const value = json_member(config, "chat_template");
    const char *text = NULL, *name = NULL;
    if (json_text(value, &text)) {
        return text;
    }
    for (size_t i = 0; i < json_count(value); i++) {
        const struct json *const one = json_element(value, i);
        if (json_text(json_member(one, "name"), &name) && strcmp(name, "default") == 0 &&
            json_text(json_member(one, "template"), &text)) {
            return text;
        }
    }
    return NULL;
}

/* NULL: there is no such file, or it is damaged. */
static const struct json *settings_of(struct file_handle *folder, const char *name)
{
    return folder_has(file_handle_path(folder), name) ? file_handle_settings(folder, name, NULL)
                                                      : NULL;
}

bool model_chat_of_folder(struct file_handle *folder, struct arena *arena, struct model_chat *chat)
{
    const char *const path = file_handle_path(folder);
    struct error ignored = {ERROR_NONE, 0, ""};
    struct bytes text = {NULL, 0};
    const char *begin = NULL;
    const struct json *const config = settings_of(folder, "tokenizer_config.json");
    const struct json *const tokens = settings_of(folder, "special_tokens_map.json");
    const struct json *const own = json_member(config, "bos_token");
    const struct json *const token = own != NULL ? own : json_member(tokens, "bos_token");
    (void)(json_text(token, &begin) || json_text(json_member(token, "content"), &begin));
    text = bytes_of(config == NULL ? NULL : template_of(config));
    if (folder_has(path, "chat_template.jinja")) {
        struct bytes file = {NULL, 0};
        text = folder_read(path, "chat_template.jinja", TEMPLATE_MAX, arena, &file, &ignored)
                   ? file
                   : text;
    }
    return model_chat_read(text, begin, arena, chat);
}

bool model_chat_of_gguf(const struct gguf *gguf, struct arena *arena, struct model_chat *chat)
{
    const struct gguf_value *const text = gguf_key(gguf, "tokenizer.chat_template");
    const struct gguf_value *const tokens = gguf_key(gguf, "tokenizer.ggml.tokens");
    const struct gguf_value *const id = gguf_key(gguf, "tokenizer.ggml.bos_token_id");
    const char *begin = NULL;
    if (tokens != NULL && tokens->type == GGUF_LIST && tokens->item_type == GGUF_TEXT &&
        id != NULL && id->type == GGUF_UINT32 && id->bits < tokens->count) {
        const struct bytes token = gguf_item(tokens, (size_t)id->bits).text;
        begin = arena_text(arena, (const char *)token.at, token.size);
        if (begin == NULL) {
            return false;
        }
    }
    const bool said = text != NULL && text->type == GGUF_TEXT;
    return model_chat_read(said ? text->text : (struct bytes){NULL, 0}, begin, arena, chat);
}

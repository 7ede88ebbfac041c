/* model/chat.h — a text as the first message of a chat, as a model was tuned to read it. Templates
 * are programs (Jinja); none is run here. The published forms are known by the marks they write,
 * and others are refused. */
#ifndef MODEL_CHAT_H
#define MODEL_CHAT_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "file/handle.h"

/* The texts around a message. */
struct model_chat {
    const char *form; /* "chatml", "llama3", "gemma", "mistral", "phi", "harmony"; NULL: none */
    const char *before, *after;
    bool trimmed;     /* white space around the message is left out */
    bool is_template; /* there is one; with form NULL it is not known */
};

/* Reads a template; `begin` is the text of the token that begins a sequence, NULL: none. What the
 * template says of a system message is kept where it stands there word for word. False: memory. */
bool model_chat_read(struct bytes text, const char *begin, struct arena *arena,
                     struct model_chat *chat);

/* The text with what stands around it, owned by the arena; to be encoded bare. Of a chat whose form
 * is known. */
bool model_chat_apply(const struct model_chat *chat, struct bytes text, struct arena *arena,
                      struct bytes *out, struct error *error);

/* That of a folder (chat_template.jinja, or in tokenizer_config.json), or of a GGUF. Where it is
 * damaged there is none. False: memory. */
struct gguf;
bool model_chat_of_folder(struct file_handle *folder, struct arena *arena, struct model_chat *chat);
bool model_chat_of_gguf(const struct gguf *gguf, struct arena *arena, struct model_chat *chat);

#endif

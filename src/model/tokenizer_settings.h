/* model/tokenizer_settings.h — what stands beside a vocabulary that is no tokenizer.json: whose
 * tokenizer it is, its tokens by their roles, and tokens that were added. */
#ifndef MODEL_TOKENIZER_SETTINGS_H
#define MODEL_TOKENIZER_SETTINGS_H

#include "model/tokenizer_internal.h"

enum tokenizer_role {
    ROLE_BEGIN,
    ROLE_END,
    ROLE_UNKNOWN,
    ROLE_SEPARATOR,
    ROLE_PADDING,
    ROLE_CLASS,
    ROLE_MASK,
    ROLES
};

struct tokenizer_settings {
    const struct json *config; /* tokenizer_config.json; NULL: there is none */
    const struct json *tokens; /* special_tokens_map.json: tokens that the former does not name */
    const char *class; /* "GPT2" of GPT2TokenizerFast, up to class_length; "": it is not said */
    size_t class_length;
    const char *type; /* model_type of config.json; "": it is not said */
};

/* Reads them; they live as long as the folder is held. False and a sentence: a file is damaged. */
bool tokenizer_settings_read(struct tokenizer_settings *settings, struct file_handle *folder,
                             struct error *error);

/* Returns whether a name is one of those between spaces. */
bool tokenizer_names_have(const char *names, const char *name, size_t length);

/* Returns the token of a role, written "<s>" or {"content": "<s>"}; "": none. */
const char *tokenizer_settings_token(const struct tokenizer_settings *settings,
                                     enum tokenizer_role role, const char *otherwise);

/* A switch of tokenizer_config.json. */
bool tokenizer_settings_truth(const struct tokenizer_settings *settings, const char *name,
                              bool otherwise);

/* Adds the tokens of added_tokens_decoder, or else of added_tokens.json in the folder. */
bool tokenizer_settings_add(const struct tokenizer_settings *settings, const char *folder,
                            struct tokenizer *tokenizer, struct error *error);

/* Adds a token of the vocabulary that is never cut; one that is there, or not in the vocabulary, is
 * left as it is. */
bool tokenizer_add_special(struct tokenizer *tokenizer, const char *text, struct error *error);

#endif

/* model/model_config_json.h — how values of config.json are read; for the files that read it. Names
 * are alternatives, separated by '|', of which the first that is there (and not null) counts; the
 * last is the one that is missed. Sentences name the key. */
#ifndef MODEL_MODEL_CONFIG_JSON_H
#define MODEL_MODEL_CONFIG_JSON_H

#include "attn/attn.h"
#include "file/json.h"
#include "model/model_config.h"
#include "model/vocabulary.h"

enum { CONFIG_KEY_MAX = 64 };

const struct json *config_member(const struct json *config, const char *names,
                                 char name[CONFIG_KEY_MAX]);

/* A whole number from 1 to most, which must be there; _or: else *out stays. */
bool config_size(const struct json *config, const char *names, size_t most, size_t *out,
                 struct error *error);
bool config_size_or(const struct json *config, const char *names, size_t most, size_t *out,
                    struct error *error);

/* A number between low and high, these not included; else *out stays. */
bool config_number_or(const struct json *config, const char *names, double low, double high,
                      double *out, struct error *error);
bool config_switch(const struct json *config, const char *name, bool *out, struct error *error);
bool config_text_is(const struct json *config, const char *name, const char *text);

/* What holds before a file says anything. */
void model_config_start(struct model_config *config, const struct model_family *family);

/* Heads, rotary positions, latents, types of sentences (model/model_config_attention.c). */
bool config_read_attention(const struct json *config, struct model_config *out,
                           struct error *error);

/* Rows of rotary positions: what is missing in them is derived (both kinds of files). */
bool model_rotary_finish(const struct model_config *config, struct model_rotary *rotary,
                         double attention_factor, double mscale, double mscale_all,
                         const char *file, struct error *error);

/* Which layers have a window, do not turn, have no experts (model/model_config_layers.c). */
bool config_read_layers(const struct json *config, struct model_config *out, struct error *error);
bool config_read_experts(const struct json *config, struct model_config *out, struct error *error);

/* Which id is not counted, and so the first place (model/model_config_layers.c). */
void config_read_padding(const struct json *config, struct model_config *out);

/* The encoder of two stacks, and how the decoder begins. */
bool config_read_pair(const struct json *config, struct model_config *out, struct error *error);

#endif

/* model/model_config_json.h — how values of config.json are read; for the files that read it. Names
 * are alternatives, separated by '|', of which the first that is there (and not null), and that the
 * family reads (model/model_config_members.h), counts; the last is the one that is missed.
 * Sentences name the key. */
#ifndef MODEL_MODEL_CONFIG_JSON_H
#define MODEL_MODEL_CONFIG_JSON_H

#include "attn/attn.h"
#include "file/json.h"
#include "model/model_config.h"
#include "model/model_config_members.h"
#include "model/vocabulary.h"

/* An object whose members are read: config.json, or what it says of rotary positions. */
struct config_object {
    const struct json *members; /* NULL: there is none */
    const struct model_family *family;
    enum config_place place;
};

const struct json *config_member(const struct config_object *config, const char *names,
                                 char name[CONFIG_NAME_MAX]);

/* Returns whether it is said that there is none: null, which is not the same as nothing said. */
bool config_is_null(const struct config_object *config, const char *name);

/* A whole number from 1 to max, which must be there; _or: else *out stays. */
bool config_size(const struct config_object *config, const char *names, size_t max, size_t *out,
                 struct error *error);
bool config_size_or(const struct config_object *config, const char *names, size_t max, size_t *out,
                    struct error *error);

/* Reads a count from 0 to max. */
bool config_count_or(const struct config_object *config, const char *names, size_t max, size_t *out,
                     struct error *error);

/* A number between low and high, these not included; else *out stays. */
bool config_number_or(const struct config_object *config, const char *names, double low,
                      double high, double *out, struct error *error);
bool config_switch(const struct config_object *config, const char *name, bool *out,
                   struct error *error);
bool config_text_is(const struct config_object *config, const char *name, const char *text);

/* The name of an activation; nothing said: *out stays. */
bool config_activation_or(const struct config_object *config, const char *names,
                          enum model_activation *out, struct error *error);

/* An id, or the first of a list of them, SIZE_MAX for one below 0; nothing said: *out stays. */
bool config_id_or(const struct config_object *config, const char *names, size_t *out,
                  struct error *error);

/* Finds what config.json says of a text: of a model that sees or hears too, *text has the members
 * that its text part has in place of it, to be released by the caller; NULL: they are the tree's.
 * False and a sentence: no family has such a text (foreign), or no memory. */
bool config_choose_text_part(const struct json *tree, const struct model_family **family,
                             struct json **text, enum model_foreign *foreign, struct error *error);

/* True when its architectures have no head for words: LlamaModel, LlamaForSequenceClassification.
 */
bool config_is_headless(const struct json *config);

/* Sets what holds before a file is read. */
void model_config_start(struct model_config *config, const struct model_family *family);

/* Heads, rotary positions, latents, types of sentences (model/model_config_attention.c). */
bool config_read_attention(const struct config_object *config, struct model_config *out,
                           struct error *error);

/* Rows of rotary positions: what is missing in them is derived (both kinds of files). */
bool model_rotary_finish(const struct model_config *config, struct model_rotary *rotary,
                         double attention_factor, double mscale, double mscale_all,
                         const char *file, struct error *error);

/* Returns whether a head has the numbers that turn, and its family turns an odd share of it. */
bool model_rotary_fits(const struct model_config *config, const struct model_rotary *rotary);

/* Which layers have a window, do not turn, have no experts (model/model_config_layers.c). */
bool config_read_layers(const struct config_object *config, struct model_config *out,
                        struct error *error);
bool config_read_experts(const struct config_object *config, struct model_config *out,
                         struct error *error);

/* Which id is not counted, and so the first place (model/model_config_layers.c). */
bool config_read_padding(const struct config_object *config, struct model_config *out,
                         struct error *error);

/* Which biases there are (model/model_config_layers.c). */
bool config_read_biases(const struct config_object *config, struct model_config *out,
                        struct error *error);

/* The encoder of two stacks, and how the decoder begins. */
bool config_read_pair(const struct config_object *config, struct model_config *out,
                      struct error *error);

#endif

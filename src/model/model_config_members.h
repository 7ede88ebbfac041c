/* model/model_config_members.h — what each member of a configuration does to the computation, a row
 * of a table each: of config.json, of its rotary positions, and of the keys of a GGUF. A member is
 * read only where a row says so of the family; one that changes the computation and is not computed
 * is refused by name; one that stands on no list is ignored, and named by `info`. */
#ifndef MODEL_MODEL_CONFIG_MEMBERS_H
#define MODEL_MODEL_CONFIG_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "file/json.h"
#include "model/family.h"
#include "model/model_config.h"

/* Where a member stands. */
enum config_place {
    CONFIG_TOP,    /* of config.json */
    CONFIG_ROTARY, /* rope_parameters or rope_scaling in it */
    CONFIG_GGUF    /* a key of a GGUF, behind the name of its architecture */
};

enum config_effect {
    CONFIG_UNKNOWN, /* on no list */
    CONFIG_READ,
    CONFIG_NO_EFFECT, /* on what is computed: training, generation, other heads, other programs */
    CONFIG_REFUSED    /* but for the values that its row names */
};

/* Returns the effect of a member in a family. `usual` (or NULL) is set to the values of a refused
 * one with which it has no effect, separated by '|'; "empty" stands for {} and []. */
enum config_effect config_effect_of(const struct model_family *family, enum config_place place,
                                    const char *name, const char **usual);

/* The name at index 0, 1 … of all rows of that place which speak of the family; NULL behind the
 * last. For tests that look at every row; name has room for CONFIG_NAME_MAX bytes. */
enum { CONFIG_NAME_MAX = 64 };
const char *config_name_at(const struct model_family *family, enum config_place place, size_t index,
                           char name[CONFIG_NAME_MAX]);

/* Goes through all members of config.json: false and a sentence for one that is refused; those on
 * no list are added to out->ignored. */
bool config_check_members(const struct json *config, struct model_config *out, struct error *error);

/* Checks one key of a GGUF, `name` without its architecture, `text` its value as a row may name it
 * ("0", "true"). */
bool config_check_key(const char *name, const char *text, const char *file,
                      struct model_config *out, struct error *error);

#endif

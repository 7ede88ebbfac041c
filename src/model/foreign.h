/* model/foreign.h — what a config.json says of a model that is not computed here: by what its
 * attention can be had from elsewhere, and whether its weights are quantised. */
#ifndef MODEL_FOREIGN_H
#define MODEL_FOREIGN_H

#include "file/json.h"

/* The kinds of models that read or write other things than text. */
enum model_foreign {
    MODEL_FOREIGN_NOT, /* it is of a family that is computed here */
    MODEL_FOREIGN_TEXT,
    MODEL_FOREIGN_PAIR, /* reads one text and writes another */
    MODEL_FOREIGN_IMAGE,
    MODEL_FOREIGN_SOUND,
    MODEL_FOREIGN_SPEECH, /* reads sound and writes a text */
    MODEL_FOREIGN_STATE   /* has no attention: a state goes from word to word */
};

/* By its type and what it is made of; config NULL: the type of a GGUF alone is known. */
enum model_foreign model_foreign_of(const struct json *config, const char *type);

/* False and a sentence: the type is of no family that is computed here; what else can be done. */
bool model_foreign_refuse(enum model_foreign foreign, const char *type, struct error *error);

/* False and a sentence that names the method: the weights of this folder are quantised in a way
 * that is not read. */
bool model_foreign_check_weights(const struct json *config, const char *folder,
                                 struct error *error);

#endif

/* model/families_pair.h — names of tensors of families that read one text and write another: of the
 * decoder, and of the encoder (source); for the table of families. */
#ifndef MODEL_FAMILIES_PAIR_H
#define MODEL_FAMILIES_PAIR_H

#include "model/family.h"

extern const char *const model_t5_source_names[MODEL_ROLES];
extern const char *const model_t5_names[MODEL_ROLES];
extern const char *const model_umt5_source_names[MODEL_ROLES];
extern const char *const model_umt5_names[MODEL_ROLES];
extern const char *const model_bart_source_names[MODEL_ROLES];
extern const char *const model_bart_names[MODEL_ROLES];
extern const char *const model_mbart_source_names[MODEL_ROLES];
extern const char *const model_mbart_names[MODEL_ROLES];
extern const char *const model_marian_source_names[MODEL_ROLES];
extern const char *const model_marian_names[MODEL_ROLES];
extern const char *const model_m2m_source_names[MODEL_ROLES];
extern const char *const model_m2m_names[MODEL_ROLES];

#endif

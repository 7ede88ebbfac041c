/* model/layout.h — how a file calls the tensors of a model. One model has several names for each of
 * its tensors, by whoever saved it:
 *
 *     model.layers.0.self_attn.o_proj.weight                   LlamaForCausalLM
 *     layers.0.self_attn.o_proj.weight                         LlamaModel
 *     _orig_mod.model.layers.0.self_attn.o_proj.weight         torch.compile
 *     model.language_model.layers.0.self_attn.o_proj.weight    the text part of LLaVA
 *
 * The part before the family's own name of a tensor is its body's prefix; the head for words
 * lies beside the body or further out. Names without what programs put between their parts
 * ("_orig_mod", "module") are plain, and gamma and beta, as BERT was published, are weight and
 * bias. Tensors that the family does not use are left out, and can be named. */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include "base/arena.h"
#include "model/family.h"
#include "model/source.h"

enum { LAYOUT_NAME_BYTES = 256, LAYOUT_PREFIX_BYTES = 128 };

struct layout_entry; /* a tensor by its plain name, and whether it is read */

struct model_layout {
    const struct model_source *source;
    bool gguf;                    /* its names are its own, without a prefix */
    struct layout_entry *entries; /* [count] sorted by name */
    size_t count;
    size_t stem;                    /* letters that the family has before all names of its body */
    char body[LAYOUT_PREFIX_BYTES]; /* what the file has in their place */
    bool known;                     /* such names were found */
};

/* Tensors that no role of the family reads, under the prefix that they have in common. */
struct model_left_out {
    const char *name; /* "classifier", "vision_tower" */
    size_t tensors;
};

/* Reads the names of a source. False and a sentence: no memory; LoRA weights that were not merged;
 * two models in one file. What was made is owned by the arena. */
bool model_layout_make(const struct model_source *source, const struct model_family *family,
                       bool gguf, struct arena *arena, struct model_layout *layout,
                       struct error *error);

/* The tensor that the family calls so, which counts as read from now on; of its body, or of its
 * head for words. NULL: there is none. */
const struct model_tensor *model_layout_find(const struct model_layout *layout, const char *name,
                                             bool head);

/* How the file would call a tensor of the body. */
void model_layout_name(const struct model_layout *layout, const char *name,
                       char out[LAYOUT_NAME_BYTES]);

/* Lists what was not read, but for buffers without weights that older programs saved; owned by the
 * arena. False: no memory. */
bool model_layout_left_out(const struct model_layout *layout, struct arena *arena,
                           const struct model_left_out **out, size_t *count);

/* One alternative of a pattern (model/family.h), written out; false: it is too long. */
bool model_layout_write(const char *pattern, size_t length, size_t layer, size_t expert,
                        const char *suffix, char name[LAYOUT_NAME_BYTES]);

#endif

/* why/patching.h — two texts with as many tokens: parts of the clean one are put into the changed
 * one, and what of the difference they restore. */
#ifndef WHY_PATCHING_H
#define WHY_PATCHING_H

#include "why/ablation.h"
#include "why/source.h"

/* The parts that are patched: a table of layers × words, or of layers × heads. */
enum why_patched { WHY_RESIDUAL, WHY_HEADS, WHY_ALPHA, WHY_VALUE, WHY_PATCHED };

/* "residual", "head", "alpha", "value" */
const char *why_patched_name(size_t index);

struct why_cells; /* what is put there, cell by cell */

struct why_patching {
    struct arena arena;
    size_t layers, places;           /* of the table: words, or heads */
    struct why_state clean, changed; /* of both texts, nothing patched */
    double *restored; /* [layers][places] (patched − changed) ÷ (clean − changed); NaN: not yet */
    struct why_cells *cells;
};

/* Patches each in turn. of: how it is asked, with the clean run; changed: a run of as many words.
 * The residual before each layer at each word; of each head all of its Z, α or V. False: both texts
 * give almost the same logit, or as why_ablate. The caller frees what was made. */
bool why_patch(const struct why_ablation *of, const struct model_run *changed,
               enum why_patched what, struct why_patching *out, struct error *error);

/* The same some layers at a time: a table of NaN, and layers of it from `first` on. */
bool why_patch_begin(const struct why_ablation *of, const struct model_run *changed,
                     enum why_patched what, struct why_patching *out, struct error *error);
bool why_patch_layers(const struct why_ablation *of, const struct model_run *changed, size_t first,
                      size_t count, struct why_patching *out, struct error *error);
void why_patching_free(struct why_patching *patching);

/* Returns whether the receiver (a head's Z or an MLP) reads what the sender adds. In blocks whose
 * attention and MLP read the same stream no head tells the MLP of its layer. */
bool why_is_before(const struct model *model, const struct why_node *sender,
                   const struct why_node *receiver);

/* Path patching. The receiver (a head, or an MLP of a later step) reads the stream without the
 * sender's part, or, with `other`, with that run's in its place; all else reads it as it was, and
 * all steps behind the receiver are computed from it. sender: a head's Z or an MLP. Gives what the
 * run says then. False: the sender is not before the receiver, or as why_ablate. */
bool why_path(const struct why_ablation *of, const struct model_run *other,
              const struct why_node *sender, const struct why_node *receiver,
              struct why_state *before, struct why_state *without, struct error *error);

#endif

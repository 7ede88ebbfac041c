/* why/weighted.h — weights by what they carry: a large weight on a short value moves little
 * (Kobayashi et al. 2020); and rollout, weights followed through all layers (Abnar & Zuidema 2020),
 * which leaves values and MLPs out and so is no cause. */
#ifndef WHY_WEIGHTED_H
#define WHY_WEIGHTED_H

#include "model/model.h"

enum why_weighted {
    WHY_WEIGHTED_BY_VALUE, /* ‖α v‖ */
    WHY_WEIGHTED_BY_OUTPUT, /* ‖α v W_O‖: what of the head's sum comes from the word, before a norm
                             */
};

/* How long each word's value is, of each head of a layer: out [heads][n], α times which is the
 * weighted weight. False: memory. */
bool why_lengths(const struct model_run *run, const struct model *model, size_t layer,
                 enum why_weighted by, float *out, struct error *error);

/* α of all heads of all layers times these lengths, into out [layers][heads][n][n]. */
bool why_weighted_make(const struct model_run *run, const struct model *model, enum why_weighted by,
                       float *out, struct error *error);

/* Looks at all heads of a layer as lab_thumbnails_look does, at α times these lengths in place of
 * α: layer by layer from 0. *thumbnails is NULL before the first; the caller holds it. False:
 * memory. */
bool why_weighted_look(const struct model_run *run, const struct model *model, enum why_weighted by,
                       const struct lab_engine *engine, size_t layer,
                       struct lab_thumbnails **thumbnails, struct error *error);

/* Rollout up to each layer into out [layers][n][n]: ½ (ᾱ + I), rows to 1, multiplied over layers;
 * ᾱ is the mean of a layer's heads. False: memory. */
bool why_rollout(const struct model_run *run, const struct model *model, float *out,
                 struct error *error);

#endif

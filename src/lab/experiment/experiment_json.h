/* lab/experiment/experiment_json.h — an experiment as JSON and back.
 *
 *     {"tokens": ["cat", "dog"], "heads": 2, "scale": false, "mask": "causal"}
 *
 * Only members that differ from the defaults are written, and a missing member keeps its value.
 * Everything counts from 0. Members: tokens, context, embedding, embeddings, d_model, weights, W_Q,
 * W_K, W_V, W_O, W_DKV, W_UK, W_UV, q, k, v, seed, heads, attention, d_k, d_v, positions, scale,
 * temperature, mask, custom_mask, normalise, keep_maximum, skip_w_o, residual, flash, edits,
 * lesson. null removes a list of words or numbers. */
#ifndef LAB_EXPERIMENT_EXPERIMENT_JSON_H
#define LAB_EXPERIMENT_EXPERIMENT_JSON_H

#include "base/bytes.h"
#include "file/json.h"
#include "lab/experiment/experiment.h"

struct lab_reading;

/* Writes the members that differ from those of `from` as an object within a larger text, together
 * with the unknown members that were kept (lab_unknown_json_put). */
void lab_experiment_put(struct json_writer *json, const struct lab_experiment *experiment,
                        const struct lab_experiment *from, const char *kept);

/* Reads such an object over *experiment, which may be half changed on failure. */
bool lab_experiment_read(struct lab_reading *reading, const struct json *value,
                         struct lab_experiment *experiment);

/* Writes numbers typed by hand: [{"part": "alpha", "head": 0, "row": 1, "column": 2, "value":
 * 0.1}]. */
void lab_edits_put(struct json_writer *json, const struct lab_edits *edits,
                   enum json_layout layout);

#endif

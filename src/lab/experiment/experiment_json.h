/* lab/experiment/experiment_json.h — an experiment as JSON and back.
 *
 *     {"tokens": ["cat", "dog"], "heads": 2, "scale": false, "edits": [{"part": "alpha", …}]}
 *
 * Only what differs from the defaults is written, and what is missing stays as it is. Everything
 * counts from 0. Members: tokens, context, embedding, embeddings, d_model, weights, W_Q, W_K, W_V,
 * W_O, W_DKV, W_UK, W_UV, q, k, v, seed, heads, attention, d_k, d_v, positions, scale, temperature,
 * mask, custom_mask, normalise, keep_maximum, skip_w_o, residual, flash, edits, lesson. null takes
 * a list of words or numbers away. */
#ifndef LAB_EXPERIMENT_EXPERIMENT_JSON_H
#define LAB_EXPERIMENT_EXPERIMENT_JSON_H

#include "base/bytes.h"
#include "file/json.h"
#include "lab/experiment/experiment.h"

struct lab_reading;

/* The whole text, owned by the arena. False: no memory. Reading it over the defaults gives the same
 * experiment to the bit. */
bool lab_experiment_to_json(const struct lab_experiment *experiment, struct arena *arena,
                            struct bytes *text, struct error *error);

/* Lays the text over *experiment, which must be one already (lab_experiment_default). False and a
 * sentence that names line and key: nothing changed. */
bool lab_experiment_from_json(struct bytes text, struct lab_experiment *experiment,
                              struct error *error);

/* The same inside a larger text: members that differ from those of `from`, as an object, with those
 * that were kept (lab_kept_put) … */
void lab_experiment_put(struct json_writer *json, const struct lab_experiment *experiment,
                        const struct lab_experiment *from, const char *kept);

/* … and an object laid over *experiment, which may be half changed on failure. */
bool lab_experiment_read(struct lab_reading *reading, const struct json *value,
                         struct lab_experiment *experiment);

/* Numbers typed by hand: [{"part": "alpha", "head": 0, "row": 1, "column": 2, "value": 0.1}]. */
void lab_edits_put(struct json_writer *json, const struct lab_edits *edits,
                   enum json_layout layout);

#endif

/* lab/run/results.h — everything that can be had as an array, under the name that compute prints,
 * that
 * --select takes and that exported arrays bear: one table. */
#ifndef LAB_RUN_RESULTS_H
#define LAB_RUN_RESULTS_H

#include "file/array.h"
#include "lab/run/trace.h"

/* What it is a result of, as bits. */
enum {
    LAB_RESULT_OF_EXPERIMENT = 1,
    LAB_RESULT_OF_MODEL = 2,          /* a model that has read a text */
    LAB_RESULT_OF_LAYER = 4,          /* one layer of it */
    LAB_RESULT_OF_DUMP = 8,           /* a file of attention */
    LAB_RESULT_OF_LAYER_IF_NAMED = 16 /* the same, but large: made only where it is asked for */
};

/* Beyond lab_part: what is derived, or is no part of a trace. */
enum {
    LAB_RESULT_SCALED = LAB_PARTS, /* scores after scale, temperature and mask */
    LAB_RESULT_BEFORE,             /* embeddings before positions are added */
    LAB_RESULT_FLASH,              /* seen tile by tile */
    LAB_RESULT_OTHER
};

struct lab_result {
    const char *name; /* "weights" */
    const char *axes; /* a letter each: L layers, l their ends, H heads, n queries, m keys, d
                         d_model, k d_k, v d_v, o heads·d_v, R latent width, V vocabulary, 1 */
    int part;         /* of lab_part, or of those above */
    unsigned of;
    const char *symbol; /* on screen, where that is another: "α" */
};

/* In the order in which they are printed; NULL behind the last. A name may stand there twice, with
 * other axes for another source. */
const struct lab_result *lab_result_at(size_t index);

/* The names of all results of these sources (of a layer also those that are made only where they
 * are named), the measures of heads among those of a model and of a file of attention
 * (lab/run/thumbnails.h); NULL behind the last. */
const char *lab_result_name_at(unsigned of, size_t index);

/* What a matrix is called in files, by the symbol that it has on screen: "α" is "weights". */
const char *lab_result_name(const struct lab_matrix *matrix);

/* All heads of a result of a trace, which owns the numbers or (scaled scores) the arena does.
 * False: no memory. array->bytes.at NULL: this experiment has none. */
bool lab_result_array(const struct lab_trace *trace, const struct lab_result *result,
                      struct arena *arena, struct array *array, struct error *error);

#endif

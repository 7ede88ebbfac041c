/* lab/run/results.h — one table of everything that can be had as an array, under the name that
 * compute prints, that --select takes and that exported arrays have. */
#ifndef LAB_RUN_RESULTS_H
#define LAB_RUN_RESULTS_H

#include "file/array.h"
#include "lab/run/trace.h"

/* The sources of a result, as bits. */
enum {
    LAB_RESULT_OF_EXPERIMENT = 1,
    LAB_RESULT_OF_MODEL = 2,          /* a model that has read a text */
    LAB_RESULT_OF_LAYER = 4,          /* one layer of it */
    LAB_RESULT_OF_DUMP = 8,           /* a file of attention */
    LAB_RESULT_OF_LAYER_IF_NAMED = 16 /* also of a layer, but large: made only where it is named */
};

/* Results beyond lab_part: derived ones, or those that are no part of a trace. */
enum {
    LAB_RESULT_SCALED = LAB_PARTS, /* scores after scale, temperature and mask */
    LAB_RESULT_BEFORE,             /* embeddings before positions are added */
    LAB_RESULT_FLASH,              /* the values of tiles */
    LAB_RESULT_GIVEN,              /* a given matrix that is no attention */
    LAB_RESULT_OTHER
};

struct lab_result {
    const char *name; /* "weights" */
    const char *axes; /* a letter each: L layers, l their ends, H heads, n queries, m keys, d
                         d_model, k d_k, v d_v, o heads·d_v, R latent width, V vocabulary, 1 */
    int part;         /* of lab_part, or of those above */
    unsigned of;
    const char *symbol; /* on screen, where it has another symbol: "α" */
};

/* Returns a row in the order in which results are printed; NULL behind the last. A name may occur
 * twice, with other axes for another source. */
const struct lab_result *lab_result_at(size_t index);

/* Returns the names of all results of these sources (of a layer also those that are made only where
 * they are named), with the measures of heads among those of a model and of a file of attention
 * (lab/run/thumbnails.h). NULL behind the last. */
const char *lab_result_name_at(unsigned of, size_t index);

/* Returns the name of a matrix in files, by its symbol on screen: "α" is "weights". */
const char *lab_result_name(const struct lab_matrix *matrix);

/* Finds all heads of a result of a trace. The trace owns the numbers, or the arena those of scaled
 * scores. Returns false without memory. array->bytes.at NULL: this experiment has no such
 * result. */
bool lab_result_array(const struct lab_trace *trace, const struct lab_result *result,
                      struct arena *arena, struct array *array, struct error *error);

#endif

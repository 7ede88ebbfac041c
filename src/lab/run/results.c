/* Holds the rows of all results, and finds their numbers. */
#include "lab/run/results.h"

#include <string.h>

#include "lab/run/thumbnails.h"

enum {
    EXPERIMENT = LAB_RESULT_OF_EXPERIMENT,
    MODEL = LAB_RESULT_OF_MODEL,
    LAYER = LAB_RESULT_OF_LAYER,
    DUMP = LAB_RESULT_OF_DUMP,
    NAMED = LAB_RESULT_OF_LAYER_IF_NAMED
};

static const struct lab_result table[] = {
    {"token_ids", "n", LAB_RESULT_OTHER, MODEL, NULL},
    {"target_ids", "n", LAB_RESULT_OTHER, MODEL, NULL},
    {"weights", "LHnm", LAB_RESULT_OTHER, MODEL | DUMP, NULL},
    {"matrix", "LHnm", LAB_RESULT_OTHER, DUMP,
     NULL}, /* where the file's numbers are no attention */
    {"encoder_weights", "LHmm", LAB_RESULT_OTHER, MODEL, NULL},
    {"cross_weights", "LHnm", LAB_RESULT_OTHER, MODEL, NULL},
    {"value_weights", "LHnn", LAB_RESULT_OTHER, MODEL, NULL},  /* of a model where they are named */
    {"output_weights", "LHnn", LAB_RESULT_OTHER, MODEL, NULL}, /* likewise */
    {"rollout", "Lnn", LAB_RESULT_OTHER, MODEL, NULL},         /* likewise */
    {"residual", "lnd", LAB_RESULT_OTHER, MODEL, NULL},
    {"logits", "nV", LAB_RESULT_OTHER, MODEL, NULL},
    {"embeddings", "nd", LAB_RESULT_BEFORE, EXPERIMENT, NULL},
    {"X", "nd", LAB_EMBEDDINGS_X, EXPERIMENT, NULL},
    {"X_context", "md", LAB_CONTEXT_X, EXPERIMENT, NULL},
    {"W_Q", "Hdk", LAB_W_Q, EXPERIMENT | NAMED, NULL},
    {"W_K", "Hdk", LAB_W_K, EXPERIMENT | NAMED, NULL},
    {"W_V", "Hdv", LAB_W_V, EXPERIMENT | NAMED, NULL},
    {"W_DKV", "dR", LAB_W_DKV, EXPERIMENT, NULL},
    {"W_UK", "HRk", LAB_W_UK, EXPERIMENT, NULL},
    {"W_UV", "HRv", LAB_W_UV, EXPERIMENT, NULL},
    {"W_O", "od", LAB_W_O, EXPERIMENT | NAMED, NULL},
    {"b_Q", "H1k", LAB_B_Q, EXPERIMENT | NAMED, NULL},
    {"b_K", "H1k", LAB_B_K, EXPERIMENT | NAMED, NULL},
    {"b_V", "H1v", LAB_B_V, EXPERIMENT | NAMED, NULL},
    {"b_O", "1d", LAB_B_O, EXPERIMENT | NAMED, NULL},
    {"Q", "Hnk", LAB_Q, EXPERIMENT | LAYER, NULL},
    {"C", "mR", LAB_C, EXPERIMENT, NULL},
    {"K", "Hmk", LAB_K, EXPERIMENT | LAYER, NULL},
    {"Q_unit", "Hnk", LAB_Q_SCORED, EXPERIMENT, NULL}, /* of length 1; the scores are taken of
                                                          these */
    {"K_unit", "Hmk", LAB_K_SCORED, EXPERIMENT, NULL},
    {"K_smeared", "Hmk", LAB_K_SMEARED, EXPERIMENT, NULL},
    {"V", "Hmv", LAB_V, EXPERIMENT | LAYER, NULL},
    {"scores", "Hnm", LAB_SCORES, EXPERIMENT | LAYER, "S"},
    {"scaled", "Hnm", LAB_RESULT_SCALED, EXPERIMENT | LAYER, "S′"},
    {"weights", "Hnm", LAB_ALPHA, EXPERIMENT, "α"},
    {"matrix", "Hnm", LAB_RESULT_GIVEN, EXPERIMENT, "M"},
    {"Z", "Hnv", LAB_Z, EXPERIMENT | LAYER, NULL},
    {"concat", "no", LAB_CONCAT, EXPERIMENT | LAYER, NULL},
    {"output", "nd", LAB_OUTPUT_O, EXPERIMENT | LAYER, "O"},
    {"block", "nd", LAB_RESULT_OTHER, NAMED, NULL}, /* an array for each step of it */
    {"X_plus_output", "nd", LAB_RESIDUAL, EXPERIMENT, "X + O"},
    {"flash", "Hnt", LAB_RESULT_FLASH, EXPERIMENT, NULL},
};

enum { ROWS = sizeof table / sizeof table[0] };

const struct lab_result *lab_result_at(size_t index)
{
    return index < ROWS ? &table[index] : NULL;
}

const char *lab_result_name_at(unsigned of, size_t index)
{
    of |= (of & LAYER) != 0 ? NAMED : 0u;
    for (size_t r = 0; r < ROWS; r++) {
        if ((table[r].of & of) != 0 && index-- == 0) {
            return table[r].name;
        }
    }
    return (of & (DUMP | MODEL)) != 0 && index < LAB_HEAD_MEASURES
               ? lab_head_measure_row((enum lab_head_measure)index)->name
               : NULL;
}

/* Returns the part before positions are added where there are any; scores and what is made of them
 * keep their part, since only their values differ. */
static enum lab_part part_of(const struct lab_trace *trace, const struct lab_result *result)
{
    const bool waves = lab_trace_part(trace, LAB_EMBEDDED, 0).values != NULL;
    return result->part == LAB_RESULT_SCALED   ? LAB_SCORES
           : result->part == LAB_RESULT_GIVEN  ? LAB_ALPHA
           : result->part != LAB_RESULT_BEFORE ? (enum lab_part)result->part
           : waves                             ? LAB_EMBEDDED
                                               : LAB_EMBEDDINGS_X;
}

static const float *scaled_of(const struct lab_trace *trace, struct arena *arena)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    float *const values = arena_array(arena, s.heads * s.n * s.m, sizeof *values);
    for (size_t h = 0; values != NULL && h < s.heads; h++) {
        for (size_t i = 0; i < s.n; i++) {
            for (size_t j = 0; j < s.m; j++) {
                values[(h * s.n + i) * s.m + j] = lab_trace_scaled(trace, h, i, j);
            }
        }
    }
    return values;
}

bool lab_result_array(const struct lab_trace *trace, const struct lab_result *result,
                      struct arena *arena, struct array *array, struct error *error)
{
    const enum lab_part part = part_of(trace, result);
    struct lab_matrix matrix = lab_trace_part(trace, part, 0);
    const bool has_heads = result->axes[0] == 'H';
    const size_t shape[] = {lab_trace_matrices(trace, part), matrix.rows, matrix.cols};
    if (result->part == LAB_RESULT_SCALED) { /* NaN where scores are not known */
        matrix.values = scaled_of(trace, arena);
    }
    const bool shares = lab_has_shares(lab_trace_experiment(trace));
    if (part == LAB_ALPHA && (result->part == LAB_RESULT_GIVEN) == shares) {
        matrix.values = NULL; /* it goes by the other name */
    }
    *array = array_of_floats(result->name, has_heads ? 3 : 2, shape + !has_heads, matrix.values);
    return matrix.values != NULL || !arena->lacking ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for the results.");
}

const char *lab_result_name(const struct lab_matrix *matrix)
{
    for (size_t r = 0; r < ROWS; r++) {
        if (table[r].symbol != NULL && strcmp(matrix->name, table[r].symbol) == 0) {
            return table[r].name;
        }
    }
    for (const char *at = matrix->name; *at != '\0'; at++) {
        if ((unsigned char)*at > '~' || *at <= ' ') {
            return "matrix";
        }
    }
    return matrix->name[0] != '\0' ? matrix->name : "matrix";
}

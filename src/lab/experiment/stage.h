/* lab/experiment/stage.h — the seven stages of attention, as a table. */
#ifndef LAB_EXPERIMENT_STAGE_H
#define LAB_EXPERIMENT_STAGE_H

#include <stdbool.h>
#include <stddef.h>

enum lab_stage {
    LAB_EMBED,
    LAB_PROJECT,
    LAB_SCORE,
    LAB_SCALE,
    LAB_SOFTMAX,
    LAB_BLEND,
    LAB_OUTPUT,
    LAB_STAGES
};

struct lab_stage_row {
    const char *name; /* as options write it: embed project score scale softmax blend output */
    const char
        *title; /* "Embed", "Project", "Score", "Scale · mask", "Softmax", "Blend", "Output" */
    const char *formula; /* short, for the ribbon: "X", "XW", "QKᵀ", "÷√dₖ", "α", "αV", "W_O" */
    const char *headline; /* "Score: every query meets every key" */
    const char *sentence; /* "S = QKᵀ — the longer and the better aligned two vectors are, the
                             larger their score" */
};

/* Returns the row of a stage, which must be below LAB_STAGES. */
const struct lab_stage_row *lab_stage_row(enum lab_stage stage);

struct lab_graph;

/* Returns the headline of a stage for a computation, which may differ from that of the row. graph
 * NULL: nothing is computed yet. */
const char *lab_stage_headline(const struct lab_graph *graph, enum lab_stage stage);

/* Returns the sentence of a stage for a computation, which may differ from that of the row. graph
 * NULL: nothing is computed yet. */
const char *lab_stage_sentence(const struct lab_graph *graph, enum lab_stage stage);

/* Return its name and its formula for the ribbon likewise. */
const char *lab_stage_title(const struct lab_graph *graph, enum lab_stage stage);
const char *lab_stage_formula(const struct lab_graph *graph, enum lab_stage stage);

#endif

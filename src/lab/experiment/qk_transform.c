/* lab/experiment/qk_transform.c — the table of changes between projected rows and scores. */
#include "lab/experiment/qk_transform.h"

#include <math.h>

#include "lab/experiment/positions.h"

static bool has_rotary_positions(const struct lab_experiment *experiment)
{
    return experiment->positions == LAB_POSITIONS_ROPE;
}

static bool has_smeared_keys(const struct lab_experiment *experiment)
{
    return experiment->smear > 0;
}

static bool has_unit_rows(const struct lab_experiment *experiment)
{
    return experiment->unit_qk;
}

static void apply_rotary_positions(const struct lab_experiment *experiment, float *rows,
                                   size_t count, size_t size)
{
    const struct lab_rotary rotary = lab_experiment_rotary(experiment);
    lab_rotary_turn(&rotary, rows, count, size);
}

/* Smeared keys (Olsson et al., In-context learning and induction heads, 2022). The first key has
 * none before it. */
static void smear_rows(const struct lab_experiment *experiment, float *rows, size_t count,
                       size_t size)
{
    const float share = experiment->smear, own = 1 - share;
    for (size_t r = count; r-- > 0;) { /* the row before is still what it was */
        for (size_t c = 0; c < size; c++) {
            float *const cell = rows + r * size + c;
            *cell = r == 0 ? own * *cell : own * *cell + share * cell[-(ptrdiff_t)size];
        }
    }
}

/* A row of zeros stays one. */
static void normalise_rows(const struct lab_experiment *experiment, float *rows, size_t count,
                           size_t size)
{
    (void)experiment;
    for (size_t r = 0; r < count; r++) {
        float *const row = rows + r * size;
        double square = 0;
        for (size_t c = 0; c < size; c++) {
            square += (double)row[c] * (double)row[c];
        }
        for (size_t c = 0; c < size && square > 0; c++) {
            row[c] = (float)((double)row[c] / sqrt(square));
        }
    }
}

static const struct lab_qk_transform steps[] = {
    {.made = {LAB_Q, LAB_K},
     .before = {LAB_Q_BEFORE, LAB_K_BEFORE},
     .operation = LAB_TURN,
     .function = "R",
     .sentence = "Q = R(XW_Q), K = R(XW_K), V = XW_V — R turns every pair of dimensions by the "
                 "word’s place.",
     .applies = has_rotary_positions,
     .apply = apply_rotary_positions},
    {.made = {[LAB_SIDE_KEYS] = LAB_K_SMEARED},
     .operation = LAB_SMEAR,
     .function = "smear",
     .sentence = "S = QKₛᵀ — every key has a share of the key before it: a query finds a word by "
                 "the one before, too.",
     .told = "Every key takes a share of the key before it.",
     .formula = "QKₛᵀ",
     .applies = has_smeared_keys,
     .apply = smear_rows},
    {.made = {LAB_Q_SCORED, LAB_K_SCORED},
     .operation = LAB_BY_ROW,
     .function = "unit",
     .sentence =
         "S = Q̂K̂ᵀ — every query and every key has length 1 here: only where they point counts, "
         "not how long they are.",
     .told = "Queries and keys are brought to length 1 before the scores.",
     .formula = "Q̂K̂ᵀ",
     .applies = has_unit_rows,
     .apply = normalise_rows},
};

enum { STEPS = sizeof steps / sizeof steps[0] };

const struct lab_qk_transform *lab_qk_transform_next(const struct lab_experiment *experiment,
                                                     const struct lab_qk_transform *former)
{
    for (size_t s = former == NULL ? 0 : (size_t)(former - steps) + 1; s < STEPS; s++) {
        if (steps[s].applies(experiment)) {
            return &steps[s];
        }
    }
    return NULL;
}

const struct lab_qk_transform *lab_qk_transform_making(const struct lab_experiment *experiment,
                                                       size_t node)
{
    const struct lab_qk_transform *step = lab_qk_transform_next(experiment, NULL);
    while (step != NULL && (node == LAB_EMBEDDINGS_X || (step->made[LAB_SIDE_QUERIES] != node &&
                                                         step->made[LAB_SIDE_KEYS] != node))) {
        step = lab_qk_transform_next(experiment, step);
    }
    return step;
}

static enum lab_part projected_node(enum lab_side side)
{
    return side == LAB_SIDE_KEYS ? LAB_K : LAB_Q;
}

enum lab_part lab_qk_transforms_begin(const struct lab_experiment *experiment, enum lab_side side)
{
    const enum lab_part projected = projected_node(side);
    const struct lab_qk_transform *const step = lab_qk_transform_making(experiment, projected);
    return step == NULL ? projected : step->before[side];
}

enum lab_part lab_qk_transform_input(const struct lab_experiment *experiment,
                                     const struct lab_qk_transform *step, enum lab_side side)
{
    enum lab_part input = lab_qk_transforms_begin(experiment, side);
    const struct lab_qk_transform *former = NULL;
    while ((former = lab_qk_transform_next(experiment, former)) != step && former != NULL) {
        input = former->made[side] != LAB_EMBEDDINGS_X ? former->made[side] : input;
    }
    return input;
}

enum lab_part lab_qk_transforms_end(const struct lab_experiment *experiment, enum lab_side side)
{
    return lab_qk_transform_input(experiment, NULL, side); /* of a step behind the last */
}

/* lab/experiment/row_steps.c — the table of steps between projected rows and scores. */
#include "lab/experiment/row_steps.h"

#include "lab/experiment/positions.h"

static bool turns(const struct lab_experiment *experiment)
{
    return experiment->positions == LAB_POSITIONS_ROPE;
}

static const struct lab_row_step steps[] = {
    {.from = {LAB_Q_BEFORE, LAB_K_BEFORE},
     .made = {LAB_Q, LAB_K},
     .operation = LAB_TURN,
     .function = "R",
     .sentence = "Q = R(XW_Q), K = R(XW_K), V = XW_V — R turns every pair of dimensions by the "
                 "word’s place.",
     .applies = turns,
     .apply = lab_positions_turn},
};

enum { STEPS = sizeof steps / sizeof steps[0] };

const struct lab_row_step *lab_row_step_next(const struct lab_experiment *experiment,
                                             const struct lab_row_step *former)
{
    for (size_t s = former == NULL ? 0 : (size_t)(former - steps) + 1; s < STEPS; s++) {
        if (steps[s].applies(experiment)) {
            return &steps[s];
        }
    }
    return NULL;
}

const struct lab_row_step *lab_row_step_making(const struct lab_experiment *experiment, size_t node)
{
    const struct lab_row_step *step = lab_row_step_next(experiment, NULL);
    while (step != NULL && step->made[LAB_SIDE_QUERIES] != node &&
           step->made[LAB_SIDE_KEYS] != node) {
        step = lab_row_step_next(experiment, step);
    }
    return step;
}

enum lab_part lab_row_steps_begin(const struct lab_experiment *experiment, enum lab_side side)
{
    const enum lab_part projected = side == LAB_SIDE_KEYS ? LAB_K : LAB_Q;
    const struct lab_row_step *const step = lab_row_step_making(experiment, projected);
    return step == NULL ? projected : step->from[side];
}

enum lab_part lab_row_steps_end(const struct lab_experiment *experiment, enum lab_side side)
{
    enum lab_part end = side == LAB_SIDE_KEYS ? LAB_K : LAB_Q;
    const struct lab_row_step *step = NULL;
    while ((step = lab_row_step_next(experiment, step)) != NULL) {
        end = step->made[side];
    }
    return end;
}

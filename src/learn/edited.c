/* learn/edited.c — describes edits of a run in words. */
#include "base/translate.h"
#include "learn/run.h"

/* Names a tensor as people do (the embedding; W_Q, W_K and W_V together), else as in files. */
static const char *describe_tensor(const struct learn_tensor *tensor, struct arena *arena)
{
    static const char *const names[LEARN_ROLES] = {
        [LEARN_QKV] = "W_Q, W_K, W_V", [LEARN_W_Q] = "W_Q", [LEARN_W_K] = "W_K",
        [LEARN_W_V] = "W_V",           [LEARN_W_O] = "W_O",
    };
    const char *const name = names[tensor->role];
    return tensor->role == LEARN_WTE ? tr("the embedding")
           : name == NULL            ? tensor->name
                                     : arena_format(arena, "%s of L%zu", name, tensor->layer);
}

/* Names a weight as the stages do, "L0H1, W_Q[10, 5]", else by its place in its tensor. */
static const char *describe_weight(const struct learn_edit *edit, const struct learn_shape *shape,
                                   const struct learn_tensor *tensor, struct arena *arena)
{
    static const char *const parts[] = {"W_Q", "W_K", "W_V"};
    const size_t wide = shape->heads * shape->d_k;
    const enum learn_role role = tensor->role;
    const bool turned = shape->family == LEARN_LLAMA && role >= LEARN_W_Q && role <= LEARN_W_O;
    const size_t column = turned ? edit->row : edit->col, row = turned ? edit->col : edit->row;
    const size_t part = role == LEARN_QKV                        ? column / wide
                        : role >= LEARN_W_Q && role <= LEARN_W_V ? (size_t)(role - LEARN_W_Q)
                                                                 : sizeof parts;
    if (part >= sizeof parts / sizeof *parts) {
        return arena_format(arena, "%s [%zu, %zu]", describe_tensor(tensor, arena), row + 1,
                            column + 1);
    }
    return arena_format(arena, "L%zuH%zu, %s[%zu, %zu]", tensor->layer, column % wide / shape->d_k,
                        parts[part], row + 1, column % shape->d_k + 1);
}

const char *learn_edit_sentence(const struct learn_edit *edit, const struct learn_shape *shape,
                                const struct learn_tensors *tensors, struct arena *arena)
{
    const bool on = edit->value != 0;
    const size_t step = (size_t)edit->step;
    const struct learn_tensor *const tensor =
        &tensors->tensor[edit->tensor < tensors->count ? edit->tensor : 0];
    switch (edit->kind) {
    case LEARN_EDIT_WEIGHT:
        return arena_format(arena, "From step %zu on: %s was made %g.", step,
                            describe_weight(edit, shape, tensor, arena), (double)edit->value);
    case LEARN_EDIT_FREEZE_TENSOR:
        return on ? arena_format(arena, "From step %zu on, frozen: %s.", step,
                                 describe_tensor(tensor, arena))
                  : arena_format(arena, "From step %zu on, learning again: %s.", step,
                                 describe_tensor(tensor, arena));
    case LEARN_EDIT_FREEZE_HEAD:
        return on ? arena_format(arena, "From step %zu on, frozen: L%zuH%zu.", step, edit->layer,
                                 edit->head)
                  : arena_format(arena, "From step %zu on, learning again: L%zuH%zu.", step,
                                 edit->layer, edit->head);
    case LEARN_EDIT_HEAD_OFF:
        return on ? arena_format(arena, "From step %zu on, switched off: L%zuH%zu.", step,
                                 edit->layer, edit->head)
                  : arena_format(arena, "From step %zu on, switched on again: L%zuH%zu.", step,
                                 edit->layer, edit->head);
    case LEARN_EDIT_RATE:
        return arena_format(arena, "From step %zu on: the rate is %g.", step, (double)edit->value);
    case LEARN_EDIT_TEXT:
        return arena_format(arena, "From step %zu on: another text.", step);
    default:
        return arena_format(arena, "From step %zu on: other data (seed %zu).", step,
                            (size_t)edit->seed);
    }
}

/* Computes gradients and changes of what the stages show, and spells the chosen cell of a gradient
 * out by the chain rule. */
#include "app/learn/learn_internal.h"
#include "base/translate.h"
#include "learn/explain.h"
#include "learn/graph.h"

enum { TERMS = 3, FEWER = 2 }; /* of a sum that are written out; in a narrow window */
static const float NARROW = 1300;

/* Numbers of a part, by the distances between rows and columns. */
struct numbers {
    const float *values; /* NULL: there are none */
    size_t rows, cols, row_step, column_step;
};

static struct numbers numbers_of(struct lab_matrix matrix)
{
    return (struct numbers){matrix.values, matrix.rows, matrix.cols, matrix.stride, 1};
}

/* Returns the gradient of a part. That of a weight stands where the weight does. */
static struct numbers gradient_of(const struct app_learn *learn, enum lab_part part, size_t head)
{
    const struct learn_snapshot *const moment = learn->view->moment;
    const enum learn_part is = learn_part_of(&moment->recipe->shape, part);
    struct learn_place place;
    if (is != LEARN_RESIDUAL) {
        return numbers_of(learn_activations_gradient(learn->sentence, is, learn->layer, head));
    }
    if (!learn_place_of(&moment->recipe->shape, moment->tensors, part, learn->layer, head,
                        &place)) {
        return (struct numbers){.values = NULL};
    }
    return (struct numbers){learn_activations_weights_gradient(learn->sentence) + place.first,
                            place.rows, place.cols, place.row_step, place.column_step};
}

/* Returns the trace a change is told from: the moment that is pinned, else one step before. */
static const struct lab_trace *former_of(const struct app_state *state)
{
    return learn_is_pinned(state) ? state->document.baseline : state->learn->former;
}

const float *learn_values_instead(const void *owner, enum lab_part part, size_t head,
                                  struct arena *arena)
{
    const struct app_state *const state = owner;
    const struct lab_trace *const former = former_of(state);
    const bool is_change = state->learn->shown.show == VIEW_LEARN_CHANGE;
    if (state->document.trace == NULL || state->learn->sentence == NULL ||
        (is_change && former == NULL)) {
        return NULL;
    }
    const struct lab_matrix now = lab_trace_part(
        state->document.trace, part == LAB_SCALED ? LAB_SCORES : part, head); /* as large as S′ */
    const struct numbers from = is_change ? numbers_of(lab_trace_part(former, part, head))
                                          : gradient_of(state->learn, part, head);
    const bool exists =
        now.values != NULL && from.values != NULL && from.rows == now.rows && from.cols == now.cols;
    float *const out = exists ? arena_array(arena, now.rows * now.cols + 1, sizeof *out) : NULL;
    for (size_t i = 0; out != NULL && i < now.rows * now.cols; i++) {
        const size_t row = i / now.cols, column = i % now.cols;
        const float number = from.values[row * from.row_step + column * from.column_step];
        out[i] = is_change ? lab_matrix_at(&now, row, column) - number : number;
    }
    return out;
}

/* ---- in words and numbers ---- */

/* The sentence with the heads that are off, as the lab takes a layer of it. */
static struct learn_layer_view layer_view(const struct app_learn *learn)
{
    struct learn_layer_view view =
        learn_trained(learn->sentence, learn->view->moment, learn->tokens).view;
    view.layer = learn->layer;
    return view;
}

/* The weight that is chosen at a stage; false: what it makes is chosen. */
static bool chosen_weight(const struct app_state *state, const struct lab_selection *at,
                          struct lab_edit *cell, struct learn_edit *weight)
{
    static const enum lab_part matrices[LAB_PARTS] = {
        [LAB_Q] = LAB_W_Q, [LAB_K] = LAB_W_K, [LAB_V] = LAB_W_V};
    const enum lab_stage stage = state->view.playback.stage;
    *cell = (struct lab_edit){.part = stage == LAB_OUTPUT ? LAB_W_O : matrices[at->projected],
                              .head = at->head,
                              .row = at->weight - 1,
                              .column = at->channel};
    return at->weight > 0 && (stage == LAB_PROJECT || stage == LAB_OUTPUT) &&
           learn_find_weight(state->learn->view->moment, state->learn->layer, cell, weight);
}

/* "W_Q[3, 5] of L0H0" */
static const char *weight_name(struct app_learn *learn, const struct lab_edit *cell)
{
    const size_t head = cell->part == LAB_W_O
                            ? cell->row / learn_activations_shape(learn->sentence)->d_k
                            : cell->head;
    return arena_format(&learn->formula, tr("%s[%zu, %zu] of L%zuH%zu"),
                        lab_node_row(cell->part)->symbol, cell->row + 1, cell->column + 1,
                        learn->layer, head);
}

/* Explains the change that the last step made to a weight. */
static struct lab_explanation explain_step(struct app_learn *learn, const struct lab_edit *cell,
                                           const struct learn_edit *weight)
{
    const struct learn_snapshot *const moment = learn->view->moment;
    const struct learn_made *const made = moment->made;
    const struct learn_tensor *const tensor = &moment->tensors->tensor[weight->tensor];
    const size_t at = tensor->offset + weight->row * tensor->cols + weight->col;
    const size_t head = cell->part == LAB_W_O ? cell->row / moment->recipe->shape.d_k : cell->head;
    const bool frozen =
        moment->frozen->tensor[weight->tensor] || moment->frozen->head[learn->layer][head];
    const struct learn_weight_step of = {.optimiser = &made->optimiser,
                                         .step = moment->step - 1,
                                         .decays = tensor->decays,
                                         .frozen = frozen && made->before[at] == made->after[at] &&
                                                   made->m[at] == made->m_before[at],
                                         .scale = made->scale,
                                         .before = made->before[at],
                                         .gradient = made->gradient[at],
                                         .m_before = made->m_before[at],
                                         .v_before = made->v_before[at],
                                         .m = made->m[at],
                                         .v = made->v[at],
                                         .after = made->after[at],
                                         .now = moment->weights[at],
                                         .name = weight_name(learn, cell)};
    return learn_explain_step(&of, &learn->formula);
}

/* The chosen number, then and now. */
static struct lab_explanation explain_change(struct app_state *state, struct lab_cell cell,
                                             const char *name)
{
    struct app_learn *const learn = state->learn;
    const struct lab_trace *const former = former_of(state);
    const struct lab_trace *const now = state->document.trace;
    if (former == NULL || now == NULL || name == NULL) {
        return (struct lab_explanation){.title = "", .sentence = ""};
    }
    const struct lab_matrix was = lab_trace_part(former, cell.part, cell.head);
    const struct lab_matrix is = lab_trace_part(now, cell.part, cell.head);
    if (cell.row >= is.rows || cell.column >= is.cols || was.rows != is.rows ||
        was.cols != is.cols || was.values == NULL || is.values == NULL) {
        return (struct lab_explanation){.title = "", .sentence = ""};
    }
    return learn_explain_change(name, learn_change_from(state), learn->view->moment->step,
                                lab_matrix_at(&was, cell.row, cell.column),
                                lab_matrix_at(&is, cell.row, cell.column), &learn->formula);
}

/* The chosen number of what the words make: "α( is → hammer )". */
static struct lab_explanation explain_made(struct app_state *state, const struct lab_selection *at)
{
    struct app_learn *const learn = state->learn;
    const enum lab_part part = lab_cell_part(state->view.playback.stage, at);
    const bool pairs = part == LAB_ALPHA || part == LAB_SCORES;
    const char *const *const words = lab_words_list(learn->tokens);
    const struct lab_cell cell = {part, lab_node_has_heads(part) ? at->head : 0, at->query,
                                  pairs ? at->key : at->channel};
    const size_t n = lab_words_count(learn->tokens);
    const char *const symbol = lab_node_row(part)->symbol;
    if (at->query >= n || (pairs && at->key >= n)) {
        return (struct lab_explanation){.title = "", .sentence = ""};
    }
    return explain_change(state, cell,
                          pairs ? arena_format(&learn->formula, "%s( %s → %s )", symbol,
                                               words[at->query], words[at->key])
                                : arena_format(&learn->formula, "%s( %s )[%zu]", symbol,
                                               words[at->query], at->channel + 1));
}

/* Behind the last word nothing stands that could be asked for; a gradient asks all the same. */
static struct lab_explanation explain_loss(struct app_learn *learn, size_t row, size_t word)
{
    const struct view_learn_loss *const end = &learn->shown.at_end;
    struct lab_explanation said =
        learn_explain_loss(learn->sentence, row, end->kind[word], &learn->formula);
    if (row + 1 != end->n || learn->learned->recipe.task == LEARN_TASK_BRACKETS) {
        return said;
    }
    if (learn->asked >= 0) {
        said.sentence =
            arena_format(&learn->formula,
                         "Nothing follows here: gradients ask for “%s”, which is the likeliest.",
                         end->kind[learn->asked]);
    } else if (end->right[row] < 0) {
        said.sentence = tr("Nothing follows here, so this place has no loss; gradients ask it for "
                           "what is likeliest.");
    }
    return said;
}

/* The number that is chosen at the loss. */
static struct lab_explanation explain_end(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    const struct view_learn_loss *const end = &learn->shown.at_end;
    const struct lab_selection at = app_state_selection(state);
    const size_t row = at.query < end->n ? at.query : 0;
    const size_t word = view_loss_word(&state->view, row);
    const struct learn_layer_view view = layer_view(learn);
    switch (state->view.loss_part) {
    case VIEW_LOSS_LOGIT:
        return learn_explain_logit(&view, row, word, end->kind[word], TERMS, &learn->formula);
    case VIEW_LOSS_SHARE:
        return learn_explain_share(learn->sentence, row, word, end->kind[word], &learn->formula);
    default:
        return explain_loss(learn, row, word);
    }
}

/* The matrix of the stage that stands there, which can be frozen. */
static void tell_matrix(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const moment = learn->view->moment;
    const char *name = NULL;
    const struct learn_tensor *const tensor = learn_stage_tensor(state, &name);
    learn->shown.matrix = tensor == NULL ? NULL : name;
    learn->shown.matrix_frozen =
        tensor != NULL && moment->frozen->tensor[tensor - moment->tensors->tensor];
}

void learn_tell_formula(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    tell_matrix(state);
    learn->shown.explanation = (struct lab_explanation){.pieces = 0};
    arena_reset(&learn->formula);
    if (learn->shown.at_end.n > 0 && state->view.extra_stage == VIEW_EXTRA_STAGE_LOSS) {
        learn->shown.explanation = explain_end(state);
        return;
    }
    if (learn->shown.show == VIEW_LEARN_VALUE || learn->sentence == NULL) {
        return;
    }
    const struct lab_selection at = app_state_selection(state);
    const enum lab_part part = lab_cell_part(state->view.playback.stage, &at);
    const bool pairs = part == LAB_ALPHA || part == LAB_SCORES;
    const struct learn_layer_view view = layer_view(learn);
    const size_t terms = state->width < NARROW || state->view.prefs.presenter ? FEWER : TERMS;
    struct lab_edit cell;
    struct learn_edit weight;
    const bool of_weight = chosen_weight(state, &at, &cell, &weight);
    struct lab_explanation *const said = &learn->shown.explanation;
    if (learn->shown.show == VIEW_LEARN_CHANGE) {
        *said =
            of_weight && learn_watches(state) && learn->view->moment->made != NULL
                ? explain_step(learn, &cell, &weight)
            : of_weight
                ? explain_change(state,
                                 (struct lab_cell){cell.part, cell.part == LAB_W_O ? 0 : cell.head,
                                                   cell.row, cell.column},
                                 weight_name(learn, &cell))
                : explain_made(state, &at);
    } else if (of_weight) {
        *said = learn_explain_weight(&view, weight.tensor, weight.row, weight.col, terms,
                                     &learn->formula);
    } else {
        const bool is_scaled = state->view.playback.stage == LAB_SCALE;
        *said = learn_explain_gradient(
            &view,
            learn_part_of(learn_activations_shape(learn->sentence), is_scaled ? LAB_SCALED : part),
            at.head, at.query, pairs ? at.key : at.channel, terms, &learn->formula);
    }
}

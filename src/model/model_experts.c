/* model/model_experts.c — a router chooses a few experts for every word, which are asked as an MLP
 * is (Shazeer et al., 2017). */
#include <math.h>
#include <string.h>

#include "model/model_internal.h"

/* ---- who is asked -------------------------------------------------------------------------- */

/* The largest numbers first, the first of equal ones. */
static void choose_largest(const float *values, size_t count, size_t wanted, size_t *chosen)
{
    for (size_t c = 0; c < wanted; c++) {
        size_t best = SIZE_MAX;
        for (size_t e = 0; e < count; e++) {
            bool had = false;
            for (size_t d = 0; d < c; d++) {
                had = had || chosen[d] == e;
            }
            if (!had && (best == SIZE_MAX || values[e] > values[best])) {
                best = e;
            }
        }
        chosen[c] = best;
    }
}

/* Experts of all groups but the best are out of the question. */
static void leave_groups(const struct model_experts *experts, float *values)
{
    float score[MODEL_EXPERTS_MAX];
    size_t kept[MODEL_EXPERTS_MAX];
    const size_t each = experts->count / experts->groups;
    for (size_t g = 0; g < experts->groups; g++) {
        size_t best[2] = {0, 0};
        const size_t by = experts->group_by_two && each > 1 ? 2 : 1;
        choose_largest(values + g * each, each, by, best);
        score[g] = values[g * each + best[0]] + (by == 2 ? values[g * each + best[1]] : 0);
    }
    choose_largest(score, experts->groups, experts->groups_chosen, kept);
    for (size_t e = 0; e < experts->count; e++) {
        bool is_kept = false;
        for (size_t g = 0; g < experts->groups_chosen; g++) {
            is_kept = is_kept || kept[g] == e / each;
        }
        values[e] = is_kept ? values[e] : -INFINITY;
    }
}

void model_choose_experts(const struct model_config *config, const struct attn_kernels *kernels,
                          const float *correction, float *logits, size_t *chosen, float *weights)
{
    const struct model_experts *const experts = &config->experts;
    const enum model_router router = config->family->router;
    const size_t count = experts->count, wanted = experts->chosen;
    float asked[MODEL_EXPERTS_MAX], sum = 0;
    if (router == MODEL_ROUTER_SOFTMAX) {
        attn_softmax(kernels, (struct attn_matrix){logits, 1, count, count});
    }
    for (size_t e = 0; e < count; e++) {
        if (router == MODEL_ROUTER_SIGMOID) {
            logits[e] = 1 / (1 + expf(-logits[e]));
        }
        asked[e] = logits[e] + (correction == NULL ? 0 : correction[e]);
    }
    if (experts->groups > 0) {
        leave_groups(experts, asked);
    }
    choose_largest(asked, count, wanted, chosen);
    for (size_t c = 0; c < wanted; c++) {
        weights[c] = logits[chosen[c]];
        sum += weights[c];
    }
    if (router == MODEL_ROUTER_SOFTMAX_CHOSEN) {
        attn_softmax(kernels, (struct attn_matrix){weights, 1, wanted, wanted});
    }
    for (size_t c = 0; c < wanted; c++) {
        weights[c] = (experts->normed ? weights[c] / sum : weights[c]) * (float)experts->scale;
    }
}

/* ---- what they say ------------------------------------------------------------------------- */

/* Memory of one layer. */
struct asking {
    size_t *chosen; /* [rows][chosen] */
    float *weight;  /* [rows][chosen] */
    size_t *row;    /* of those that ask one expert */
    float *logits, *x, *gate, *up, *said;
    const struct model_answers *answers; /* NULL: nobody wants them */
};

static float clamp_value(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

/* gate becomes act(gate) ∘ up. */
static void gate_product(const struct model_run *run, float *gate, const float *up, size_t count)
{
    const struct model_config *const config = &run->model->config;
    const float limit = config->experts.limit, slope = config->experts.slope;
    if (!(limit > 0)) {
        model_activate(run->means.kernels, config->activation, gate, count);
        for (size_t i = 0; i < count; i++) {
            gate[i] *= up[i];
        }
        return;
    }
    for (size_t i = 0; i < count; i++) { /* gpt-oss */
        const float g = gate[i] > limit ? limit : gate[i], u = clamp_value(up[i], -limit, limit);
        gate[i] = (u + 1) * (g * (1 / (1 + expf(-slope * g))));
    }
}

static void show_expert(const struct model_run *run, const struct model_layer *layer, size_t expert,
                        size_t word, float weight, const float *said)
{
    if (run->visitor.see_expert != NULL) {
        run->visitor.see_expert(run->visitor.owner, (size_t)(layer - run->main.stack->layer),
                                expert, word, weight, said);
    }
}

/* The rows that ask expert e, all at once; what it says is added to theirs. */
static void run_expert(const struct model_run *run, const struct model_layer *layer, size_t e,
                       struct attn_operand x, const struct asking *asking, struct attn_matrix out)
{
    const struct model_config *const config = &run->model->config;
    const size_t width = config->width, inner = config->experts.inner, k = config->experts.chosen;
    size_t count = 0;
    for (size_t i = 0; i < x.rows * k; i++) {
        if (asking->chosen[i] == e) {
            memcpy(asking->x + count * width, x.values + i / k * x.stride, width * sizeof(float));
            asking->row[count++] = i;
        }
    }
    if (count == 0) {
        return;
    }
    model_product(&run->means, dense_operand(asking->x, count, width),
                  &layer->expert[MODEL_E_GATE][e], NULL, dense_matrix(asking->gate, count, inner));
    model_product(&run->means, dense_operand(asking->x, count, width),
                  &layer->expert[MODEL_E_UP][e], NULL, dense_matrix(asking->up, count, inner));
    gate_product(run, asking->gate, asking->up, count * inner);
    model_product(&run->means, dense_operand(asking->gate, count, inner),
                  &layer->expert[MODEL_E_DOWN][e], NULL, dense_matrix(asking->said, count, width));
    for (size_t r = 0; r < count; r++) {
        if (asking->answers != NULL) {
            memcpy(asking->answers->said + asking->row[r] * width, asking->said + r * width,
                   width * sizeof(float));
        }
        const float weight = asking->weight[asking->row[r]];
        show_expert(run, layer, e, asking->row[r] / k, weight, asking->said + r * width);
        float *const sum = out.values + asking->row[r] / k * out.stride;
        for (size_t c = 0; c < width; c++) {
            sum[c] += weight * asking->said[r * width + c];
        }
    }
}

static bool make_room(const struct model_config *config, size_t rows, struct arena *arena,
                      struct asking *out)
{
    const struct model_experts *const experts = &config->experts;
    const size_t max_width = experts->inner > experts->shared ? experts->inner : experts->shared;
    *out = (struct asking){
        .chosen = arena_array(arena, rows * experts->chosen, sizeof *out->chosen),
        .weight = arena_array(arena, rows * experts->chosen, sizeof *out->weight),
        .row = arena_array(arena, rows * experts->chosen, sizeof *out->row),
        .logits = arena_array(arena, rows * experts->count, sizeof(float)),
        .x = arena_array(arena, rows * config->width, sizeof(float)),
        .gate = arena_array(arena, rows * max_width, sizeof(float)),
        .up = arena_array(arena, rows * max_width, sizeof(float)),
        .said = arena_array(arena, rows * config->width, sizeof(float)),
    };
    return out->chosen != NULL && out->weight != NULL && out->row != NULL && out->logits != NULL &&
           out->x != NULL && out->gate != NULL && out->up != NULL && out->said != NULL;
}

bool model_ask_experts(const struct model_run *run, const struct model_layer *layer,
                       struct attn_operand x, struct attn_matrix out,
                       const struct model_answers *answers)
{
    const struct model_config *const config = &run->model->config;
    const struct model_matrix *const matrices = layer->matrix;
    const size_t count = config->experts.count, shared = config->experts.shared;
    struct arena arena = {0};
    struct asking asking;
    if (!make_room(config, x.rows, &arena, &asking)) {
        arena_free(&arena);
        return false;
    }
    asking.answers = answers;
    model_product(&run->means, x, &matrices[MODEL_M_ROUTER], NULL,
                  dense_matrix(asking.logits, x.rows, count));
    for (size_t i = 0; i < x.rows; i++) {
        model_choose_experts(config, run->means.kernels, layer->router_bias,
                             asking.logits + i * count, asking.chosen + i * config->experts.chosen,
                             asking.weight + i * config->experts.chosen);
        memset(out.values + i * out.stride, 0, out.cols * sizeof *out.values);
    }
    for (size_t e = 0; e < count; e++) {
        run_expert(run, layer, e, x, &asking, out);
    }
    if (answers != NULL) {
        memcpy(answers->expert, asking.chosen,
               x.rows * config->experts.chosen * sizeof *answers->expert);
    }
    if (shared > 0) {
        model_product(&run->means, x, &matrices[MODEL_M_SHARED_GATE], NULL,
                      dense_matrix(asking.gate, x.rows, shared));
        model_product(&run->means, x, &matrices[MODEL_M_SHARED_UP], NULL,
                      dense_matrix(asking.up, x.rows, shared));
        gate_product(run, asking.gate, asking.up, x.rows * shared);
        model_product(&run->means, dense_operand(asking.gate, x.rows, shared),
                      &matrices[MODEL_M_SHARED_DOWN], NULL,
                      dense_matrix(asking.said, x.rows, config->width));
        for (size_t i = 0; i < x.rows; i++) {
            show_expert(run, layer, MODEL_EACH, i, 1, asking.said + i * config->width);
        }
        for (size_t i = 0; i < x.rows * config->width; i++) {
            out.values[i / config->width * out.stride + i % config->width] += asking.said[i];
        }
    }
    arena_free(&arena);
    return true;
}

/* lab/run.c — from an experiment to its trace: the bridge between words and the attention core. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attn/attn.h"
#include "lab/edits.h"
#include "lab/embed.h"
#include "lab/shares.h"
#include "lab/trace_parts.h"
#include "lab/vocab.h"
#include "lab/weights.h"

/* What one run works with, until all of it has become the trace. */
struct run {
    struct lab_trace *trace;
    const struct attn_kernels *kernels;
    struct attn_plan plan;
    void *block;
    float *x_context;
};

static bool no_memory(struct error *error)
{
    return error_set(
        error, ERROR_MEMORY,
        "There is not enough memory for this experiment: take fewer heads or smaller sizes.");
}

static const struct attn_kernels *choose_kernels(const char *isa, struct error *error)
{
    if (isa == NULL || isa[0] == '\0') {
        isa = getenv("ATTN_ISA");
    }
    const struct attn_kernels *const kernels = attn_kernels_choose(isa);
    if (kernels != NULL) {
        return kernels;
    }
    char names[64] = "";
    size_t length = 0;
    for (size_t k = 0; attn_kernels_at(k) != NULL && length < sizeof names; k++) {
        const int wrote = snprintf(names + length, sizeof names - length, "%s%s",
                                   k == 0 ? "" : ", ", attn_kernels_name(attn_kernels_at(k)));
        length += wrote > 0 ? (size_t)wrote : 0;
    }
    error_set(error, ERROR_USAGE, "This machine has no instruction set \"%.16s\"; it has %s.",
              isa == NULL ? "" : isa, names);
    return NULL;
}

static float *buffer_of(const struct run *run, enum attn_buffer buffer)
{
    return attn_plan_buffer(&run->plan, run->block, buffer);
}

static bool plan_run(struct run *run, struct error *error)
{
    const struct lab_sizes *const sizes = &run->trace->sizes;
    const struct attn_shape shape = {
        .n = sizes->n,
        .m = sizes->m,
        .d_model = sizes->d_model,
        .d_k = sizes->d_k,
        .d_v = sizes->d_v,
        .heads = sizes->heads,
        .kv_heads = sizes->heads,
    };
    const char *why = NULL;
    if (!attn_plan(&shape, &run->plan, &why)) {
        return error_set(error, ERROR_INPUT, "%s",
                         why == NULL ? "These sizes do not fit together." : why);
    }
    struct arena *const arena = &run->trace->arena;
    run->block = arena_alloc(arena, run->plan.bytes);
    run->trace->guess = arena_array(arena, sizes->n, sizeof *run->trace->guess);
    const size_t edits = lab_edits_count(run->trace->experiment.edits) + 1;
    run->trace->origin = arena_array(arena, edits, sizeof *run->trace->origin);
    run->trace->met = arena_array(arena, edits, sizeof *run->trace->met);
    if (run->block == NULL || run->trace->guess == NULL || run->trace->origin == NULL ||
        run->trace->met == NULL) {
        return no_memory(error);
    }
    if (run->trace->experiment.context != NULL && !sizes->raw) {
        run->x_context = arena_array(arena, sizes->m * sizes->d_model, sizeof *run->x_context);
        run->trace->x_context = run->x_context;
        return run->x_context != NULL || no_memory(error);
    }
    return true;
}

/* X and the W's, or Q, K and V, into the block. */
static bool fill_inputs(struct run *run, struct error *error)
{
    const struct lab_experiment *const experiment = &run->trace->experiment;
    const struct lab_sizes *const sizes = &run->trace->sizes;
    if (sizes->raw) {
        const size_t k = sizes->heads * sizes->m * sizes->d_k,
                     v = sizes->heads * sizes->m * sizes->d_v;
        const size_t q = sizes->heads * sizes->n * sizes->d_k;
        memcpy(buffer_of(run, ATTN_Q), lab_numbers_values(experiment->q), q * sizeof(float));
        memcpy(buffer_of(run, ATTN_K), lab_numbers_values(experiment->k), k * sizeof(float));
        memcpy(buffer_of(run, ATTN_V), lab_numbers_values(experiment->v), v * sizeof(float));
        return true;
    }
    lab_weights_project(experiment, sizes, 'Q', buffer_of(run, ATTN_W_Q));
    lab_weights_project(experiment, sizes, 'K', buffer_of(run, ATTN_W_K));
    lab_weights_project(experiment, sizes, 'V', buffer_of(run, ATTN_W_V));
    lab_weights_output(experiment, sizes, buffer_of(run, ATTN_W_O));
    if (run->x_context != NULL &&
        !lab_embed_rows(experiment, true, sizes->d_model, run->x_context, NULL, error)) {
        return false;
    }
    return lab_embed_rows(experiment, false, sizes->d_model, buffer_of(run, ATTN_X),
                          run->trace->guess, error);
}

static bool fill_mask(struct run *run, struct error *error)
{
    struct lab_trace *const trace = run->trace;
    if (trace->experiment.mask == LAB_MASK_NONE) {
        return true;
    }
    const size_t n = trace->sizes.n, m = trace->sizes.m;
    uint8_t *const visible = arena_array(&trace->arena, n, m);
    if (visible == NULL) {
        return no_memory(error);
    }
    const struct lab_mask_row *const mask = lab_mask_row(trace->experiment.mask);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            visible[i * m + j] = mask->sees(i, j);
        }
    }
    trace->visible = visible;
    return true;
}

/* Where a part of the trace stands in the core's block, and its shape. */
struct place {
    enum attn_buffer buffer;
    size_t heads, rows, cols;
};

static struct place place_of(const struct lab_sizes *s, enum lab_part part)
{
    const size_t n = s->n, m = s->m, d = s->d_model, h = s->heads;
    const struct place places[LAB_RESIDUAL] = {
        [LAB_EMBEDDINGS_X] = {ATTN_X, 1, n, d},   [LAB_W_Q] = {ATTN_W_Q, h, d, s->d_k},
        [LAB_W_K] = {ATTN_W_K, h, d, s->d_k},     [LAB_W_V] = {ATTN_W_V, h, d, s->d_v},
        [LAB_W_O] = {ATTN_W_O, 1, h * s->d_v, d}, [LAB_Q] = {ATTN_Q, h, n, s->d_k},
        [LAB_K] = {ATTN_K, h, m, s->d_k},         [LAB_V] = {ATTN_V, h, m, s->d_v},
        [LAB_SCORES] = {ATTN_SCORES, h, n, m},    [LAB_ALPHA] = {ATTN_WEIGHTS, h, n, m},
        [LAB_Z] = {ATTN_Z, h, n, s->d_v},         [LAB_CONCAT] = {ATTN_CONCAT, 1, n, h * s->d_v},
        [LAB_OUTPUT_O] = {ATTN_OUTPUT, 1, n, d},
    };
    return places[part];
}

/* Numbers typed by hand take the place of those that have just arisen, so that all that follows
 * uses them. What they cover is kept. */
static void apply_edits(struct run *run, enum lab_part part)
{
    struct lab_trace *const trace = run->trace;
    const struct lab_edits *const edits = trace->experiment.edits;
    const struct place place = place_of(&trace->sizes, part);
    float *const values = buffer_of(run, place.buffer);
    const bool given = part == LAB_W_O && trace->experiment.skip_w_o;
    for (size_t e = 0; values != NULL && !given && e < lab_edits_count(edits); e++) {
        const struct lab_edit edit = lab_edits_at(edits, e);
        if (edit.part != part || !lab_edits_fits(&edit, &trace->sizes)) {
            continue;
        }
        float *const cell = values + (edit.head * place.rows + edit.row) * place.cols + edit.column;
        trace->origin[e] = *cell;
        trace->met[e] = true;
        *cell = edit.value;
    }
}

/* Head h of a buffer that holds heads matrices of rows × cols. */
static struct attn_matrix head_of(const struct run *run, enum attn_buffer buffer, size_t h,
                                  size_t rows, size_t cols)
{
    float *const values = buffer_of(run, buffer) + h * rows * cols;
    return (struct attn_matrix){.values = values, .rows = rows, .cols = cols, .stride = cols};
}

static struct attn_operand operand(struct attn_matrix matrix)
{
    return (struct attn_operand){matrix.values, matrix.rows, matrix.cols, matrix.stride};
}

static void project_heads(struct run *run)
{
    const struct lab_sizes *const s = &run->trace->sizes;
    const struct attn_kernels *const kernels = run->kernels;
    const struct attn_operand x = operand(head_of(run, ATTN_X, 0, s->n, s->d_model));
    const struct attn_operand context = {run->x_context, s->m, s->d_model, s->d_model};
    const struct attn_operand keys = run->x_context == NULL ? x : context;
    for (size_t h = 0; h < s->heads; h++) {
        attn_project(kernels, x, operand(head_of(run, ATTN_W_Q, h, s->d_model, s->d_k)),
                     head_of(run, ATTN_Q, h, s->n, s->d_k));
        attn_project(kernels, keys, operand(head_of(run, ATTN_W_K, h, s->d_model, s->d_k)),
                     head_of(run, ATTN_K, h, s->m, s->d_k));
        attn_project(kernels, keys, operand(head_of(run, ATTN_W_V, h, s->d_model, s->d_v)),
                     head_of(run, ATTN_V, h, s->m, s->d_v));
    }
}

/* Scores into weights, as the experiment has it; returns how many queries see no key. */
static size_t normalise(const struct run *run, struct attn_matrix alpha)
{
    const struct lab_experiment *const experiment = &run->trace->experiment;
    if (experiment->normalise == LAB_PLAIN_SHARE) {
        return lab_shares_plain(alpha.values, alpha.rows, alpha.cols);
    }
    return experiment->keep_maximum ? lab_shares_overflowing(alpha.values, alpha.rows, alpha.cols)
                                    : attn_softmax(run->kernels, alpha);
}

static size_t weigh_heads(struct run *run, struct attn_mask mask)
{
    const struct lab_sizes *const s = &run->trace->sizes;
    size_t empty = 0;
    for (size_t h = 0; h < s->heads; h++) {
        const struct attn_matrix scores = head_of(run, ATTN_SCORES, h, s->n, s->m);
        const struct attn_matrix alpha = head_of(run, ATTN_WEIGHTS, h, s->n, s->m);
        attn_scores(run->kernels, operand(head_of(run, ATTN_Q, h, s->n, s->d_k)),
                    operand(head_of(run, ATTN_K, h, s->m, s->d_k)), scores);
        memcpy(alpha.values, scores.values, s->n * s->m * sizeof(float));
        attn_scale_mask(run->kernels, alpha, s->factor, mask);
        empty += normalise(run, alpha);
    }
    return empty;
}

static void blend_heads(struct run *run)
{
    const struct lab_sizes *const s = &run->trace->sizes;
    const struct attn_matrix concat = head_of(run, ATTN_CONCAT, 0, s->n, s->heads * s->d_v);
    for (size_t h = 0; h < s->heads; h++) {
        const struct attn_matrix z = head_of(run, ATTN_Z, h, s->n, s->d_v);
        attn_blend(run->kernels, operand(head_of(run, ATTN_WEIGHTS, h, s->n, s->m)),
                   operand(head_of(run, ATTN_V, h, s->m, s->d_v)), z);
        for (size_t i = 0; i < s->n; i++) {
            memcpy(concat.values + i * concat.stride + h * s->d_v, z.values + i * s->d_v,
                   s->d_v * sizeof(float));
        }
    }
}

/* The core runs all of it in one go. Stage by stage, numbers can be typed between the stages, and
 * weights can arise in other ways. */
static size_t run_by_stages(struct run *run, struct attn_mask mask)
{
    static const enum lab_part given[] = {LAB_EMBEDDINGS_X, LAB_W_Q, LAB_W_K, LAB_W_V, LAB_W_O};
    static const enum lab_part projected[] = {LAB_Q, LAB_K, LAB_V};
    const struct lab_sizes *const s = &run->trace->sizes;
    if (!s->raw) {
        for (size_t p = 0; p < sizeof given / sizeof given[0]; p++) {
            apply_edits(run, given[p]);
        }
        project_heads(run);
    }
    for (size_t p = 0; p < sizeof projected / sizeof projected[0]; p++) {
        apply_edits(run, projected[p]);
    }
    const size_t empty = weigh_heads(run, mask);
    apply_edits(run, LAB_ALPHA);
    blend_heads(run);
    if (!s->raw) {
        attn_project(run->kernels, operand(head_of(run, ATTN_CONCAT, 0, s->n, s->heads * s->d_v)),
                     operand(head_of(run, ATTN_W_O, 0, s->heads * s->d_v, s->d_model)),
                     head_of(run, ATTN_OUTPUT, 0, s->n, s->d_model));
    }
    return empty;
}

static bool is_plain(const struct run *run)
{
    const struct lab_experiment *const experiment = &run->trace->experiment;
    return run->x_context == NULL && experiment->edits == NULL &&
           experiment->normalise == LAB_SOFTMAX_ROWS && !experiment->keep_maximum;
}

static void compute(struct run *run)
{
    struct lab_trace *const trace = run->trace;
    const struct attn_mask mask = {.visible = trace->visible, .stride = trace->sizes.m};
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    const size_t empty =
        is_plain(run) ? attn_run(run->kernels, &run->plan, run->block, trace->sizes.factor, mask)
                      : run_by_stages(run, mask);
    clock_gettime(CLOCK_MONOTONIC, &after);
    trace->facts = (struct lab_run_facts){
        .microseconds = (double)(after.tv_sec - before.tv_sec) * 1e6 +
                        (double)(after.tv_nsec - before.tv_nsec) / 1e3,
        .isa_title = attn_kernels_title(run->kernels),
        .isa = attn_kernels_name(run->kernels),
        .threads = 1,
        .empty_queries = empty,
    };
}

static bool place_parts(struct run *run, struct error *error)
{
    struct lab_trace *const trace = run->trace;
    const struct lab_sizes *const s = &trace->sizes;
    for (size_t p = 0; p < LAB_RESIDUAL; p++) {
        const struct place place = place_of(s, (enum lab_part)p);
        trace->part[p] = (struct lab_trace_buffer){
            .values = buffer_of(run, place.buffer),
            .heads = place.heads,
            .rows = place.rows,
            .cols = place.cols,
        };
    }
    trace->part[LAB_RESIDUAL] =
        (struct lab_trace_buffer){.heads = 1, .rows = s->n, .cols = s->d_model};
    if (!trace->experiment.residual || s->raw) {
        return true;
    }
    float *const sums = arena_array(&trace->arena, s->n * s->d_model, sizeof *sums);
    for (size_t c = 0; sums != NULL && c < s->n * s->d_model; c++) {
        sums[c] = trace->part[LAB_EMBEDDINGS_X].values[c] + trace->part[LAB_OUTPUT_O].values[c];
    }
    trace->part[LAB_RESIDUAL].values = sums;
    return sums != NULL || no_memory(error);
}

/* The names of the dimensions, and those that identity weights carry over to columns of Q, K and V.
 */
static bool name_columns(struct run *run, struct error *error)
{
    struct lab_trace *const trace = run->trace;
    const struct lab_experiment *const experiment = &trace->experiment;
    const struct lab_sizes *const s = &trace->sizes;
    const bool toy = experiment->embedding == LAB_EMBEDDING_TOY;
    if (s->raw || (!toy && experiment->embedding != LAB_EMBEDDING_ONEHOT)) {
        return true;
    }
    const char **const axis = arena_array(&trace->arena, s->d_model, sizeof *axis);
    const char **const k_names = arena_array(&trace->arena, s->heads * s->d_k, sizeof *k_names);
    const char **const v_names = arena_array(&trace->arena, s->heads * s->d_v, sizeof *v_names);
    if (axis == NULL || k_names == NULL || v_names == NULL) {
        return no_memory(error);
    }
    if (toy) {
        for (size_t a = 0; a < s->d_model; a++) {
            axis[a] = lab_vocab_axis(a);
        }
    } else {
        lab_embed_distinct_names(experiment->tokens, experiment->context, axis);
    }
    trace->axis = axis;
    if (experiment->weights == LAB_WEIGHTS_IDENTITY) {
        for (size_t c = 0; c < s->heads * s->d_k; c++) {
            k_names[c] = axis[c % s->d_model];
        }
        for (size_t c = 0; c < s->heads * s->d_v; c++) {
            v_names[c] = axis[c % s->d_model];
        }
        trace->k_names = k_names;
        trace->v_names = v_names;
    }
    return true;
}

struct lab_trace *lab_run(const struct lab_experiment *experiment, const char *isa,
                          struct error *error)
{
    if (lab_words_count(experiment->tokens) == 0) {
        error_set(error, ERROR_INPUT, "There are no tokens: type a word to begin.");
        return NULL;
    }
    struct run run = {.kernels = choose_kernels(isa, error)};
    if (run.kernels == NULL || !lab_experiment_check(experiment, error)) {
        return NULL;
    }
    run.trace = calloc(1, sizeof *run.trace);
    if (run.trace == NULL) {
        no_memory(error);
        return NULL;
    }
    atomic_init(&run.trace->references, 1);
    lab_experiment_copy(&run.trace->experiment, experiment);
    run.trace->sizes = lab_experiment_sizes(experiment);
    if (!plan_run(&run, error) || !fill_inputs(&run, error) || !fill_mask(&run, error) ||
        !name_columns(&run, error)) {
        lab_trace_release(run.trace);
        return NULL;
    }
    compute(&run);
    if (!place_parts(&run, error)) {
        lab_trace_release(run.trace);
        return NULL;
    }
    return run.trace;
}

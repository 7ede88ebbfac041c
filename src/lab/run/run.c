/* lab/run/run.c — computes the trace of an experiment: the bridge between words and the attention
 * core. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/attn.h"
#include "base/system/clock.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/embed.h"
#include "lab/experiment/vocab.h"
#include "lab/experiment/weights.h"
#include "lab/run/trace_internal.h"

/* ---- reuse of the former trace --------------------------------------------------------------- */

/* Weights with no more numbers than this in total are made anew each time, in the core's own
 * block. */
enum { SMALL_FLOATS = 1 << 15 };

/* Says whether the W's of these sizes are so large that traces share them. */
static bool has_large_weights(const struct lab_sizes *s)
{
    return s->d_model * (s->heads + s->kv_heads) * (s->d_k + s->d_v) > SMALL_FLOATS;
}

/* Says whether both experiments make the same matrices, as far as both have them. */
static bool same_source(const struct lab_trace *a, const struct lab_trace *b, enum lab_part part)
{
    const struct lab_experiment *const one = &a->experiment, *const other = &b->experiment;
    const struct lab_trace_buffer mine = lab_trace_shape(a, part);
    const struct lab_trace_buffer its = lab_trace_shape(b, part);
    return one->weights == other->weights && one->weights != LAB_WEIGHTS_NUMBERS &&
           (one->weights != LAB_WEIGHTS_RANDOM || one->seed == other->seed) &&
           mine.rows == its.rows && mine.cols == its.cols &&
           (part != LAB_W_O ||
            (one->skip_w_o == other->skip_w_o && a->sizes.heads == b->sizes.heads &&
             a->sizes.kv_heads == b->sizes.kv_heads && a->sizes.latent == b->sizes.latent));
}

static bool share_weights(struct lab_trace *trace, const struct lab_trace *former,
                          enum lab_part part, struct error *error)
{
    const struct lab_numbers *const given = lab_weights_given(&trace->experiment, part);
    if (given != NULL) {
        trace->large[part] = lab_numbers_keep(given);
        return true;
    }
    const struct lab_trace_buffer shape = lab_trace_shape(trace, part);
    const struct lab_numbers *const before =
        former != NULL && same_source(trace, former, part) ? former->large[part] : NULL;
    const size_t there = before == NULL ? 0 : lab_numbers_shape(before)[0];
    if (there == shape.heads) {
        trace->large[part] = lab_numbers_keep(before);
        return true;
    }
    float *room = NULL;
    trace->large[part] =
        lab_numbers_room(3, (const size_t[3]){shape.heads, shape.rows, shape.cols}, &room, error);
    if (trace->large[part] == NULL) {
        return false;
    }
    if (part == LAB_W_O) {
        lab_weights_output(&trace->experiment, &trace->sizes, room);
        return true;
    }
    const size_t kept = there < shape.heads ? there : shape.heads;
    if (kept > 0) {
        memcpy(room, lab_numbers_values(before), kept * shape.rows * shape.cols * sizeof *room);
    }
    lab_weights_fill(&trace->experiment, &trace->sizes, part, kept, room);
    return true;
}

/* Fills a W: into values, or where it is large into large[part]. It is the one given with the
 * experiment, or that of the former trace (NULL: none), or made. */
static bool fill_weights(struct lab_trace *trace, const struct lab_trace *former,
                         enum lab_part part, float *values, struct error *error)
{
    if (has_large_weights(&trace->sizes)) {
        return share_weights(trace, former, part, error);
    }
    if (part == LAB_W_O) {
        lab_weights_output(&trace->experiment, &trace->sizes, values);
    } else {
        lab_weights_fill(&trace->experiment, &trace->sizes, part, 0, values);
    }
    return true;
}

/* Says whether the rows of `out`, made by kernels from `x` and `weights`, can be copied from the
 * former trace: the weights and everything else that it depends on are the same. */
static bool can_copy_rows(const struct lab_trace *trace, const struct lab_trace *former,
                          enum lab_part weights, enum lab_part out)
{
    if (former == NULL || former->engine.kernels != trace->engine.kernels ||
        trace->large[weights] == NULL || trace->large[weights] != former->large[weights]) {
        return false;
    }
    const struct lab_experiment *const now = &trace->experiment, *const before =
                                                                     &former->experiment;
    const struct lab_trace_buffer shape = lab_trace_shape(trace, out);
    const struct lab_trace_buffer *const there = &former->part[out];
    /* Keys and values come from the context where there is one. A W with a number typed over it
     * stands in the block of its trace. */
    return trace->sizes.cross == former->sizes.cross &&
           former->part[weights].values == lab_numbers_values(former->large[weights]) &&
           there->values != NULL && there->heads == shape.heads && there->rows == shape.rows &&
           there->cols == shape.cols && now->b_q == before->b_q && now->b_k == before->b_k &&
           now->b_v == before->b_v && now->b_o == before->b_o &&
           trace->graph.node[out].operation == former->graph.node[out].operation;
}

/* The state of one run until its results have become the trace. */
struct run {
    struct lab_trace *trace;
    const struct attn_kernels *kernels;
    struct attn_plan plan;
    void *block;
    float *own[LAB_PARTS];          /* parts for which the core's block has no room */
    bool typed[LAB_PARTS];          /* a large W was copied because numbers are typed over it */
    const struct lab_trace *former; /* NULL: none */
};

/* Returns the core's buffer for a part; ATTN_BUFFERS: it stands in run.own. */
static enum attn_buffer buffer_for(enum lab_part part)
{
    static const enum attn_buffer buffers[] = {
        [LAB_EMBEDDINGS_X] = ATTN_X,
        [LAB_W_Q] = ATTN_W_Q,
        [LAB_W_K] = ATTN_W_K,
        [LAB_W_V] = ATTN_W_V,
        [LAB_W_O] = ATTN_W_O,
        [LAB_Q] = ATTN_Q,
        [LAB_K] = ATTN_K,
        [LAB_V] = ATTN_V,
        [LAB_SCORES] = ATTN_SCORES,
        [LAB_ALPHA] = ATTN_WEIGHTS,
        [LAB_Z] = ATTN_Z,
        [LAB_CONCAT] = ATTN_CONCAT,
        [LAB_OUTPUT_O] = ATTN_OUTPUT,
        [LAB_RESIDUAL] = ATTN_BUFFERS,
        [LAB_CONTEXT_X] = ATTN_CONTEXT,
    };
    return part <= LAB_CONTEXT_X ? buffers[part] : ATTN_BUFFERS;
}

struct lab_trace_buffer lab_trace_shape(const struct lab_trace *trace, enum lab_part part)
{
    const struct lab_node *const node = &trace->graph.node[part];
    return (struct lab_trace_buffer){
        .heads = node->matrices, .rows = node->rows, .cols = node->cols};
}

static bool no_memory(struct error *error)
{
    return error_set(
        error, ERROR_MEMORY,
        "There is not enough memory for this experiment: take fewer heads or smaller sizes.");
}

static float *buffer_of(const struct run *run, enum attn_buffer buffer)
{
    return attn_plan_buffer(&run->plan, run->block, buffer);
}

/* Returns where the numbers of a part are written; NULL: this experiment has no such part. A W_O
 * that is left out is there as the unit matrix. */
static float *values_of(const struct run *run, enum lab_part part)
{
    const enum attn_buffer buffer = buffer_for(part);
    if (!lab_graph_has(&run->trace->graph, part) && part != LAB_W_O) {
        return NULL;
    }
    return buffer == ATTN_BUFFERS ? run->own[part] : buffer_of(run, buffer);
}

/* Returns where the numbers of a part are read. */
static const float *read_of(const struct run *run, enum lab_part part)
{
    const struct lab_numbers *const large = run->trace->large[part];
    return large != NULL && !run->typed[part] ? lab_numbers_values(large) : values_of(run, part);
}

/* Allocates the parts that the core does not know. */
static bool make_own(struct run *run, struct error *error)
{
    for (size_t p = 0; p < LAB_PARTS; p++) {
        const struct lab_trace_buffer shape = lab_trace_shape(run->trace, (enum lab_part)p);
        if (buffer_for((enum lab_part)p) != ATTN_BUFFERS || !lab_graph_has(&run->trace->graph, p)) {
            continue;
        }
        run->own[p] =
            arena_array(&run->trace->arena, shape.heads * shape.rows * shape.cols, sizeof(float));
        if (run->own[p] == NULL) {
            return no_memory(error);
        }
    }
    return true;
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
        .kv_heads = sizes->kv_heads,
        .context = sizes->cross && !sizes->raw,
    };
    const char *why = NULL;
    if (!attn_plan(&shape, &run->plan, &why)) {
        return error_set(error, ERROR_INPUT, "%s",
                         why == NULL ? "These sizes do not fit together." : why);
    }
    run->block = arena_alloc(&run->trace->arena, run->plan.bytes);
    return (run->block != NULL || no_memory(error)) && make_own(run, error);
}

/* Allocates what every trace has apart from its parts. */
static bool make_notes(struct lab_trace *trace, struct error *error)
{
    struct arena *const arena = &trace->arena;
    const size_t edits = lab_edits_count(trace->experiment.edits) + 1;
    trace->guess = arena_array(arena, trace->sizes.n, sizeof *trace->guess);
    trace->origin = arena_array(arena, edits, sizeof *trace->origin);
    trace->met = arena_array(arena, edits, sizeof *trace->met);
    return (trace->guess != NULL && trace->origin != NULL && trace->met != NULL) ||
           no_memory(error);
}

/* Adds sinusoids to the rows of words; the former rows and the sinusoids are kept where there is
 * room for them. */
static void add_waves(float *x, size_t rows, size_t d_model, float *before, float *waves)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < d_model; c++) {
            float *const cell = x + i * d_model + c;
            const float wave = lab_positions_wave(i, c, d_model);
            if (before != NULL) {
                before[i * d_model + c] = *cell;
                waves[i * d_model + c] = wave;
            }
            *cell += wave;
        }
    }
}

static void copy_biases(const struct run *run)
{
    const struct lab_experiment *const experiment = &run->trace->experiment;
    const struct {
        enum lab_part part;
        const struct lab_numbers *given;
    } biases[] = {{LAB_B_Q, experiment->b_q},
                  {LAB_B_K, experiment->b_k},
                  {LAB_B_V, experiment->b_v},
                  {LAB_B_O, experiment->b_o}};
    for (size_t b = 0; b < sizeof biases / sizeof biases[0]; b++) {
        const struct lab_trace_buffer place = lab_trace_shape(run->trace, biases[b].part);
        if (biases[b].given != NULL) {
            memcpy(run->own[biases[b].part], lab_numbers_values(biases[b].given),
                   place.heads * place.cols * sizeof(float));
        }
    }
}

/* Fills X and the W's, or Q, K and V, into the block. */
static bool fill_inputs(struct run *run, struct error *error)
{
    const struct lab_experiment *const experiment = &run->trace->experiment;
    const struct lab_sizes *const sizes = &run->trace->sizes;
    if (sizes->raw) {
        const size_t k = sizes->kv_heads * sizes->m * sizes->d_k;
        const size_t v = sizes->kv_heads * sizes->m * sizes->d_v;
        const size_t q = sizes->heads * sizes->n * sizes->d_k;
        memcpy(values_of(run, lab_qk_transforms_begin(experiment, LAB_SIDE_QUERIES)),
               lab_numbers_values(experiment->q), q * sizeof(float));
        memcpy(values_of(run, lab_qk_transforms_begin(experiment, LAB_SIDE_KEYS)),
               lab_numbers_values(experiment->k), k * sizeof(float));
        memcpy(buffer_of(run, ATTN_V), lab_numbers_values(experiment->v), v * sizeof(float));
        return true;
    }
    static const enum lab_part weights[] = {LAB_W_Q,  LAB_W_K,  LAB_W_V, LAB_W_DKV,
                                            LAB_W_UK, LAB_W_UV, LAB_W_O};
    for (size_t w = 0; w < sizeof weights / sizeof weights[0]; w++) {
        float *const values = values_of(run, weights[w]);
        if (values != NULL && !fill_weights(run->trace, run->former, weights[w], values, error)) {
            return false;
        }
    }
    copy_biases(run);
    float *const x = values_of(run, LAB_EMBEDDINGS_X), *const context =
                                                           values_of(run, LAB_CONTEXT_X);
    if (!lab_embed_rows(experiment, false, sizes->d_model, x, run->trace->guess, error) ||
        (context != NULL &&
         !lab_embed_rows(experiment, true, sizes->d_model, context, NULL, error))) {
        return false;
    }
    if (experiment->positions == LAB_POSITIONS_SINUSOIDAL) {
        add_waves(x, sizes->n, sizes->d_model, run->own[LAB_EMBEDDED], run->own[LAB_WAVES]);
        if (context != NULL) {
            add_waves(context, sizes->m, sizes->d_model, NULL, NULL);
        }
    }
    return true;
}

static bool fill_mask(struct run *run, struct error *error)
{
    struct lab_trace *const trace = run->trace;
    const size_t n = trace->sizes.n, m = trace->sizes.m;
    trace->pairs = n * m;
    if (trace->experiment.mask == LAB_MASK_NONE) {
        return true;
    }
    uint8_t *const visible = arena_array(&trace->arena, n, m);
    if (visible == NULL) {
        return no_memory(error);
    }
    const struct lab_mask_rule mask = lab_experiment_mask(&trace->experiment);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            visible[i * m + j] = lab_mask_sees(&mask, i, j);
        }
    }
    trace->visible = visible;
    trace->pairs = lab_mask_pairs(&mask, n, m);
    trace->blind = lab_mask_blind(&mask, n, m);
    return true;
}

/* Copies a large W before numbers are typed over it, since others share it. */
static void copy_typed(struct run *run, enum lab_part part, size_t floats)
{
    const struct lab_edits *const edits = run->trace->experiment.edits;
    const struct lab_numbers *const large = run->trace->large[part];
    for (size_t e = 0; large != NULL && !run->typed[part] && e < lab_edits_count(edits); e++) {
        if (lab_edits_at(edits, e).part == part) {
            memcpy(values_of(run, part), lab_numbers_values(large), floats * sizeof(float));
            run->typed[part] = true;
        }
    }
}

static void apply_edits(struct run *run, enum lab_part part)
{
    const struct lab_trace_buffer place = lab_trace_shape(run->trace, part);
    float *const values = values_of(run, part);
    const bool given = part == LAB_W_O && run->trace->experiment.skip_w_o;
    if (values != NULL && !given) {
        copy_typed(run, part, place.heads * place.rows * place.cols);
        lab_trace_type(run->trace, part, place.heads, place.rows, place.cols, values);
    }
}

/* Rows of a matrix, `count` from `first` on. */
struct rows {
    size_t first, count;
};

/* One projection: x has one matrix for all of `out`. */
struct projection {
    enum lab_part x, weights, out;
};

static void project_rows(struct run *run, const struct projection *p, struct rows rows)
{
    const struct lab_trace_buffer x = lab_trace_shape(run->trace, p->x);
    const struct lab_trace_buffer out = lab_trace_shape(run->trace, p->out);
    const size_t bias = lab_graph_bias(&run->trace->graph, p->out);
    const struct attn_projection projection = {.x = read_of(run, p->x) + rows.first * x.cols,
                                               .w = read_of(run, p->weights),
                                               .bias = bias == LAB_NODES ? NULL : run->own[bias],
                                               .out =
                                                   values_of(run, p->out) + rows.first * out.cols,
                                               .times = out.heads,
                                               .rows = rows.count,
                                               .depth = x.cols,
                                               .cols = out.cols,
                                               .out_step = out.rows * out.cols};
    lab_trace_note_threads(
        run->trace, attn_project_each(run->kernels, run->trace->engine.pool, &projection, 1));
}

/* Copies rows whose x did not change from the former trace: a row has the same bits whether it is
 * computed alone or among others. */
static void project_changed(struct run *run, const struct projection *p)
{
    const struct lab_trace_buffer out = lab_trace_shape(run->trace, p->out);
    const struct lab_trace_buffer x = lab_trace_shape(run->trace, p->x);
    const float *const now = read_of(run, p->x);
    const float *const before = run->former->part[p->x].values;
    float *const values = values_of(run, p->out);
    memcpy(values, run->former->part[p->out].values,
           out.heads * out.rows * out.cols * sizeof *values);
    lab_trace_untype(run->former, p->out, out.heads, out.rows, out.cols, values);
    for (size_t i = 0, begin = 0; i <= x.rows; i++) {
        const size_t at = i * x.cols;
        if (i < x.rows && memcmp(now + at, before + at, x.cols * sizeof *values) != 0) {
            continue;
        }
        if (i > begin) {
            project_rows(run, p, (struct rows){begin, i - begin});
        }
        begin = i + 1;
    }
}

/* Computes every matrix of `out`. */
static void compute_projection(struct run *run, enum lab_part x, enum lab_part weights,
                               enum lab_part out)
{
    const struct projection p = {x, weights, out};
    const size_t rows = lab_trace_shape(run->trace, x).rows;
    const struct lab_trace *const former = run->former;
    if (!run->typed[weights] && can_copy_rows(run->trace, former, weights, out) &&
        former->part[x].values != NULL && former->part[x].rows == rows) {
        project_changed(run, &p);
    } else {
        project_rows(run, &p, (struct rows){0, rows});
    }
}

static void project_heads(struct run *run)
{
    const enum lab_part keys = run->trace->sizes.cross ? LAB_CONTEXT_X : LAB_EMBEDDINGS_X;
    const enum lab_part k = lab_qk_transforms_begin(&run->trace->experiment, LAB_SIDE_KEYS);
    compute_projection(run, LAB_EMBEDDINGS_X, LAB_W_Q,
                       lab_qk_transforms_begin(&run->trace->experiment, LAB_SIDE_QUERIES));
    if (run->trace->sizes.latent > 0) {
        compute_projection(run, keys, LAB_W_DKV, LAB_C);
        apply_edits(run, LAB_C);
        compute_projection(run, LAB_C, LAB_W_UK, k);
        compute_projection(run, LAB_C, LAB_W_UV, LAB_V);
        return;
    }
    compute_projection(run, keys, LAB_W_K, k);
    compute_projection(run, keys, LAB_W_V, LAB_V);
}

void lab_trace_apply_transform(const struct lab_trace *trace, const struct lab_qk_transform *step,
                               enum lab_side side, const float *from, float *made)
{
    const struct lab_trace_buffer place = lab_trace_shape(trace, step->made[side]);
    const size_t floats = place.rows * place.cols;
    memcpy(made, from, place.heads * floats * sizeof *made);
    for (size_t g = 0; g < place.heads; g++) {
        step->apply(&trace->experiment, made + g * floats, place.rows, place.cols);
    }
}

/* Makes the queries and keys that scores are taken of from projected or given ones. */
static void apply_transforms(struct run *run)
{
    const struct lab_experiment *const experiment = &run->trace->experiment;
    const struct lab_qk_transform *step = NULL;
    apply_edits(run, lab_qk_transforms_begin(experiment, LAB_SIDE_QUERIES));
    apply_edits(run, lab_qk_transforms_begin(experiment, LAB_SIDE_KEYS));
    while ((step = lab_qk_transform_next(experiment, step)) != NULL) {
        for (enum lab_side side = LAB_SIDE_QUERIES; side < LAB_SIDES; side++) {
            if (step->made[side] != LAB_EMBEDDINGS_X) {
                lab_trace_apply_transform(
                    run->trace, step, side,
                    values_of(run, lab_qk_transform_input(experiment, step, side)),
                    values_of(run, step->made[side]));
                apply_edits(run, step->made[side]);
            }
        }
    }
}

/* Computes stage by stage, so that numbers can be typed between them. */
static bool run_stages(struct run *run)
{
    static const enum lab_part given[] = {LAB_EMBEDDINGS_X, LAB_CONTEXT_X, LAB_W_Q,
                                          LAB_W_K,          LAB_W_V,       LAB_W_DKV,
                                          LAB_W_UK,         LAB_W_UV,      LAB_W_O};
    const bool raw = run->trace->sizes.raw;
    for (size_t p = 0; !raw && p < sizeof given / sizeof given[0]; p++) {
        apply_edits(run, given[p]);
    }
    if (!raw) {
        project_heads(run);
    }
    apply_transforms(run);
    apply_edits(run, LAB_V);
    const struct lab_scoring heads = {
        .q = read_of(run, lab_graph_queries(&run->trace->graph)),
        .k = read_of(run, lab_graph_keys(&run->trace->graph)),
        .v = read_of(run, LAB_V),
        .scores = values_of(run, LAB_SCORES),
        .alpha = values_of(run, LAB_ALPHA),
        .z = values_of(run, LAB_Z),
        .concat = values_of(run, LAB_CONCAT),
    };
    if (!lab_trace_weigh(run->trace, &heads)) {
        return false;
    }
    apply_edits(run, LAB_ALPHA);
    lab_trace_blend(run->trace, &heads);
    if (!raw) {
        compute_projection(run, LAB_CONCAT, LAB_W_O, LAB_OUTPUT_O);
    }
    return true;
}

static bool compute_stages(struct run *run)
{
    const double before = system_seconds();
    const bool done = run_stages(run);
    run->trace->facts.microseconds = 1e6 * (system_seconds() - before);
    return done;
}

static void place_parts(struct run *run)
{
    struct lab_trace *const trace = run->trace;
    const struct lab_sizes *const s = &trace->sizes;
    float *const sums = run->own[LAB_RESIDUAL];
    for (size_t c = 0; sums != NULL && c < s->n * s->d_model; c++) {
        sums[c] = values_of(run, LAB_EMBEDDINGS_X)[c] + values_of(run, LAB_OUTPUT_O)[c];
    }
    for (size_t p = 0; p < LAB_PARTS; p++) {
        trace->part[p] = lab_trace_shape(trace, (enum lab_part)p);
        trace->part[p].values = read_of(run, (enum lab_part)p);
    }
}

static bool run_whole(struct run *run, struct error *error)
{
    if (!plan_run(run, error) || !fill_inputs(run, error) ||
        !lab_trace_name_columns(run->trace, error)) {
        return false;
    }
    if (!compute_stages(run)) {
        return no_memory(error);
    }
    place_parts(run);
    return true;
}

struct lab_trace *lab_run(const struct lab_experiment *experiment, const struct lab_engine *engine,
                          struct error *error)
{
    return lab_run_after(NULL, experiment, engine, error);
}

struct lab_trace *lab_run_after(const struct lab_trace *former,
                                const struct lab_experiment *experiment,
                                const struct lab_engine *engine, struct error *error)
{
    if (lab_words_count(experiment->tokens) == 0) {
        error_set(error, ERROR_INPUT, "There are no tokens: type a word to begin.");
        return NULL;
    }
    if (experiment->learned != NULL && experiment->embeddings == NULL) {
        error_set(error, ERROR_INPUT,
                  "These weights are learned, and have not been made again yet: open it in the "
                  "window, where they are.");
        return NULL;
    }
    struct run run = {.kernels = lab_engine_kernels(engine, error), .former = former};
    if (run.kernels == NULL || !lab_experiment_check(experiment, error)) {
        return NULL;
    }
    run.trace = calloc(1, sizeof *run.trace);
    if (run.trace == NULL) {
        no_memory(error);
        return NULL;
    }
    atomic_init(&run.trace->references, 1);
    run.trace->engine = (struct lab_engine){run.kernels, engine == NULL ? NULL : engine->pool};
    run.trace->facts = (struct lab_run_facts){.isa_title = attn_kernels_title(run.kernels),
                                              .isa = attn_kernels_name(run.kernels),
                                              .threads = 1};
    lab_experiment_copy(&run.trace->experiment, experiment);
    run.trace->sizes = lab_experiment_sizes(experiment);
    run.trace->graph = lab_graph_of(&run.trace->experiment, &run.trace->sizes);
    const bool done =
        make_notes(run.trace, error) && fill_mask(&run, error) &&
        (run.trace->sizes.partial ? lab_trace_partial(run.trace, error) : run_whole(&run, error));
    if (!done) {
        lab_trace_release(run.trace);
        return NULL;
    }
    return run.trace;
}

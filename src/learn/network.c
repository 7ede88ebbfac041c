/* learn/network.c — a batch in groups of sequences, each with a gradient of its own, and the groups
 * added in their order.
 *
 *     batch ─┬─ group 0: part, part, …  ─► gradient 0 ─┐
 *            ├─ group 1                 ─► gradient 1 ─┼─ + in order ─► gradient
 *            └─ …                                      ┘
 *
 * A group is what one thread does at a time; a part is what its buffers hold. Both depend on the
 * shape and the batch alone. */
#include "learn/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/mode.h"
#include "attn/pool.h"
#include "base/arena.h"
#include "base/checked.h"
#include "learn/pass.h"
#include "learn/recipe.h"

enum {
    GROUPS_MAX = 8,
    GROUPS_FEW = 4, /* of networks whose gradients take long to add */
    LARGE = 1 << 17,
    ROWS_OF_PART = 256,
    ROWS_OF_GROUP = 64, /* at least; with fewer rows turning weights costs more than using them */
    SUM_FLOATS = 4096,  /* of a gradient, for a thread at a time */
};

/* With fewer operations in total there is one group: waking threads would cost more. */
#define OPERATIONS_OF_GROUP 4e6

struct learn_network {
    struct learn_plan plan;
    struct attn_pool *pool;
    const atomic_bool *given_up; /* NULL: never */
    struct arena arena;          /* of the following, for one size of batch */
    size_t sequences, length;
    size_t groups, of_part; /* groups, and sequences of a part */
    size_t workers;
    struct learn_pass *pass; /* [workers] */
    float *gradients;        /* [groups − 1][floats] */
    float *losses;           /* [sequences · length] */
    uint8_t *right;
    uint32_t *asked; /* [sequences · length]: the rows with a target, those of a part from its
                        first row on */
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory to train this network: take a smaller batch, a "
                     "shorter context or a smaller d_model.");
}

/* ---- the plan ------------------------------------------------------------------------------ */

static bool make_turns(struct learn_plan *plan)
{
    const size_t half = plan->shape.d_k / 2, count = plan->shape.context * half;
    plan->cosines = calloc(count, sizeof *plan->cosines);
    plan->sines = calloc(count, sizeof *plan->sines);
    if (plan->cosines == NULL || plan->sines == NULL) {
        return false;
    }
    for (size_t p = 0; p < half; p++) {
        const double each =
            pow((double)plan->shape.theta, -2 * (double)p / (double)plan->shape.d_k);
        for (size_t place = 0; place < plan->shape.context; place++) {
            plan->cosines[place * half + p] = (float)cos((double)place * each);
            plan->sines[place * half + p] = (float)sin((double)place * each);
        }
    }
    return true;
}

static void find_tensors(struct learn_plan *plan)
{
    for (size_t l = 0; l < plan->shape.layers; l++) {
        for (size_t role = 0; role < LEARN_ROLES; role++) {
            const struct learn_tensor *const tensor =
                learn_tensors_find(&plan->tensors, (enum learn_role)role, l);
            plan->at[l][role] = tensor == NULL ? LEARN_ABSENT : tensor->offset;
        }
    }
}

static void free_plan(struct learn_plan *plan)
{
    free(plan->cosines);
    free(plan->sines);
    free(plan->ones);
    *plan = (struct learn_plan){0};
}

static bool make_plan(struct learn_plan *plan, const struct learn_shape *shape,
                      const struct attn_kernels *kernels, struct error *error)
{
    const size_t rows = ROWS_OF_PART > shape->context ? ROWS_OF_PART : shape->context;
    *plan = (struct learn_plan){.shape = *shape, .kernels = kernels};
    learn_tensors_list(shape, &plan->tensors);
    find_tensors(plan);
    plan->ones = calloc(rows, sizeof *plan->ones);
    if (plan->ones == NULL || (shape->family == LEARN_LLAMA && !make_turns(plan))) {
        free_plan(plan);
        return no_memory(error);
    }
    for (size_t i = 0; i < rows; i++) {
        plan->ones[i] = 1;
    }
    return true;
}

/* ---- the network --------------------------------------------------------------------------- */

struct learn_network *learn_network_open(const struct learn_shape *shape,
                                         const struct lab_engine *engine, struct error *error)
{
    const struct attn_kernels *const kernels = lab_engine_kernels(engine, error);
    if (kernels == NULL || !learn_shape_check(shape, error)) {
        return NULL;
    }
    struct learn_network *const network = calloc(1, sizeof *network);
    if (network == NULL || !make_plan(&network->plan, shape, kernels, error)) {
        free(network);
        (void)no_memory(error);
        return NULL;
    }
    network->pool = engine == NULL ? NULL : engine->pool;
    return network;
}

void learn_network_close(struct learn_network *network)
{
    if (network != NULL) {
        free_plan(&network->plan);
        arena_free(&network->arena);
        free(network);
    }
}

const struct learn_shape *learn_network_shape(const struct learn_network *network)
{
    return &network->plan.shape;
}

const struct learn_tensors *learn_network_tensors(const struct learn_network *network)
{
    return &network->plan.tensors;
}

const struct learn_plan *learn_network_plan(const struct learn_network *network)
{
    return &network->plan;
}

void learn_network_switch_head(struct learn_network *network, size_t layer, size_t head, bool on)
{
    network->plan.off[layer][head] = !on;
}

bool learn_network_head_is_on(const struct learn_network *network, size_t layer, size_t head)
{
    return !network->plan.off[layer][head];
}

void learn_network_heed(struct learn_network *network, const atomic_bool *given_up)
{
    network->given_up = given_up;
}

static bool is_given_up(const struct learn_network *network)
{
    return network->given_up != NULL &&
           atomic_load_explicit(network->given_up, memory_order_relaxed);
}

/* ---- room for a size of batch -------------------------------------------------------------- */

static size_t smaller_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

double learn_network_products(const struct learn_shape *shape, size_t rows, size_t length)
{
    const double heads = (double)(shape->heads * shape->d_k), wide = (double)shape->d_model;
    const double layer = wide * (4 * heads + 3 * (double)shape->inner) + 2 * (double)length * heads;
    return (double)rows * ((double)shape->layers * layer + wide * (double)shape->vocabulary);
}

/* Counts the additions and multiplications of a pass forward and back. */
static double operations_of(const struct learn_shape *shape, size_t rows, size_t length)
{
    return 6 * learn_network_products(shape, rows, length);
}

/* How a batch is divided: into groups, and parts of so many sequences. */
struct cut {
    size_t groups, of_part;
};

static struct cut cut_of(const struct learn_shape *shape, size_t floats, size_t sequences,
                         size_t length)
{
    const double operations = operations_of(shape, sequences * length, length);
    const size_t max = floats > LARGE ? GROUPS_FEW : GROUPS_MAX;
    const size_t worth =
        smaller_of((size_t)(operations / OPERATIONS_OF_GROUP), sequences * length / ROWS_OF_GROUP);
    const size_t groups = smaller_of(smaller_of(max, sequences), worth < 1 ? 1 : worth);
    const size_t largest = (sequences + groups - 1) / groups;
    const size_t fit = ROWS_OF_PART / length < 1 ? 1 : ROWS_OF_PART / length;
    return (struct cut){groups, smaller_of(largest, fit)};
}

double learn_network_bytes(const struct learn_shape *shape, size_t sequences, size_t length,
                           size_t threads)
{
    struct learn_tensors tensors;
    learn_tensors_list(shape, &tensors);
    const struct cut cut = cut_of(shape, tensors.floats, sequences, length);
    const double of_row = sizeof(float) + sizeof(uint8_t) + sizeof(uint32_t);
    const double passes = (double)(cut.groups == 1 ? 1 : threads) *
                          (double)learn_pass_floats(shape, cut.of_part, length, false) *
                          sizeof(float);
    return passes + (double)(cut.groups - 1) * (double)tensors.floats * sizeof(float) +
           (double)(sequences * length) * of_row;
}

static void divide_batch(struct learn_network *network, size_t sequences, size_t length)
{
    const struct cut cut =
        cut_of(&network->plan.shape, network->plan.tensors.floats, sequences, length);
    network->sequences = sequences;
    network->length = length;
    network->groups = cut.groups;
    network->of_part = cut.of_part;
    network->workers = network->groups == 1 ? 1 : attn_pool_threads(network->pool);
}

static bool allocate_buffers(struct learn_network *network)
{
    const struct learn_shape *const shape = &network->plan.shape;
    const size_t rows = network->sequences * network->length;
    const size_t floats = learn_pass_floats(shape, network->of_part, network->length, false);
    network->pass = arena_array(&network->arena, network->workers, sizeof *network->pass);
    network->gradients = arena_array(
        &network->arena, (network->groups - 1) * network->plan.tensors.floats, sizeof(float));
    network->losses = arena_array(&network->arena, rows, sizeof *network->losses);
    network->right = arena_array(&network->arena, rows, sizeof *network->right);
    network->asked = arena_array(&network->arena, rows, sizeof *network->asked);
    for (size_t w = 0; network->pass != NULL && w < network->workers; w++) {
        float *const block = arena_array(&network->arena, floats, sizeof *block);
        if (block == NULL) {
            return false;
        }
        learn_pass_lay_out(shape, network->of_part, network->length, false, block,
                           &network->pass[w]);
    }
    return network->pass != NULL && network->gradients != NULL && network->losses != NULL &&
           network->right != NULL && network->asked != NULL;
}

static bool make_room(struct learn_network *network, const struct learn_batch *batch,
                      struct error *error)
{
    if (network->sequences == batch->sequences && network->length == batch->length) {
        return true;
    }
    size_t rows = 0;
    network->sequences = 0;
    arena_free(&network->arena);
    if (!checked_multiply(batch->sequences, batch->length, &rows)) {
        return no_memory(error);
    }
    divide_batch(network, batch->sequences, batch->length);
    if (!allocate_buffers(network)) {
        arena_free(&network->arena);
        network->sequences = 0;
        return no_memory(error);
    }
    return true;
}

bool learn_batch_check(const struct learn_shape *shape, const struct learn_batch *batch,
                       struct error *error)
{
    if (batch->sequences < 1) {
        return error_set(error, ERROR_USAGE, "A batch needs at least one sequence.");
    }
    if (batch->length < 1 || batch->length > shape->context) {
        return error_set(error, ERROR_USAGE,
                         "A sequence of %zu tokens does not fit: this network reads from 1 to %zu.",
                         batch->length, shape->context);
    }
    for (size_t i = 0; i < batch->sequences * batch->length; i++) {
        const int32_t token = batch->tokens[i];
        const int32_t target = batch->targets == NULL ? -1 : batch->targets[i];
        if (token < 0 || (size_t)token >= shape->vocabulary || target < -1 ||
            (target >= 0 && (size_t)target >= shape->vocabulary)) {
            return error_set(error, ERROR_INPUT,
                             "Token %d is not in the vocabulary, whose %zu tokens count from 0.",
                             token < 0 || (size_t)token >= shape->vocabulary ? token : target,
                             shape->vocabulary);
        }
    }
    return true;
}

/* ---- a run --------------------------------------------------------------------------------- */

struct running {
    struct learn_network *network;
    const float *weights;
    const struct learn_batch *batch;
    float share;
    float *gradient, *logits;
};

static float *gradient_of(const struct running *run, size_t group)
{
    return run->gradient == NULL ? NULL
           : group == 0          ? run->gradient
                        : run->network->gradients + (group - 1) * run->network->plan.tensors.floats;
}

/* Lists the rows of a part that have a target, where not all do. The others are needed after the
 * last attention only where their logits are. */
static void find_asked(const struct running *run, struct learn_part_of_batch *part, uint32_t *asked)
{
    const size_t rows = part->sequences * part->length;
    size_t count = 0;
    for (size_t row = 0; part->targets != NULL && row < rows; row++) {
        if (part->targets[row] >= 0) {
            asked[count++] = (uint32_t)row;
        }
    }
    part->asked_count = count;
    part->asked = run->logits == NULL && count > 0 && count < rows ? asked : NULL;
}

/* Runs the sequences of a group, part after part. */
static void run_group(void *context, size_t group, size_t worker)
{
    const struct running *const run = context;
    const struct learn_network *const network = run->network;
    const struct learn_pass *const pass = &network->pass[worker];
    const size_t length = network->length, vocabulary = network->plan.shape.vocabulary;
    const size_t begin = group * network->sequences / network->groups;
    const size_t end = (group + 1) * network->sequences / network->groups;
    const struct mode mode = mode_enter();
    for (size_t first = begin; first < end && !is_given_up(network); first += network->of_part) {
        const size_t row = first * length;
        struct learn_part_of_batch part = {
            .sequences = smaller_of(end - first, network->of_part),
            .length = length,
            .tokens = run->batch->tokens + row,
            .targets = run->batch->targets == NULL ? NULL : run->batch->targets + row,
            .share = run->share,
            .losses = network->losses + row,
            .right = network->right + row,
        };
        find_asked(run, &part, network->asked + row);
        learn_pass_forward(&network->plan, pass, run->weights, &part);
        if (run->logits != NULL) {
            memcpy(run->logits + row * vocabulary, pass->logits,
                   part.sequences * length * vocabulary * sizeof *run->logits);
        }
        if (part.targets != NULL) {
            learn_pass_loss(&network->plan, pass, &part, run->gradient != NULL);
        }
        if (run->gradient != NULL) {
            learn_pass_backward(&network->plan, pass, run->weights, &part, first == begin,
                                gradient_of(run, group));
        }
    }
    mode_leave(mode);
}

/* Adds the gradients of the groups in their order. */
static void sum_groups(void *context, size_t job, size_t worker)
{
    const struct running *const run = context;
    const size_t floats = run->network->plan.tensors.floats, first = job * SUM_FLOATS;
    const size_t count = smaller_of(SUM_FLOATS, floats - first);
    float *const sum = run->gradient + first;
    (void)worker;
    for (size_t group = 1; group < run->network->groups; group++) {
        const float *const term = gradient_of(run, group) + first;
        for (size_t i = 0; i < count; i++) {
            sum[i] += term[i];
        }
    }
}

static void fill_result(const struct running *run, struct learn_result *result)
{
    const struct learn_network *const network = run->network;
    const size_t rows = network->sequences * network->length;
    for (size_t i = 0; i < rows; i++) {
        if (run->batch->targets[i] >= 0) {
            result->right += network->right[i];
        }
    }
    result->loss = attn_total(network->plan.kernels, network->losses, rows) * run->share;
}

bool learn_network_run(struct learn_network *network, const float *weights,
                       const struct learn_batch *batch, float *gradient, float *logits,
                       struct learn_result *result, struct error *error)
{
    struct running run = {network, weights, batch, 0, gradient, logits};
    const size_t floats = network->plan.tensors.floats;
    *result = (struct learn_result){.sane = true};
    if (!learn_batch_check(&network->plan.shape, batch, error) ||
        !make_room(network, batch, error)) {
        return false;
    }
    const size_t rows = batch->sequences * batch->length;
    for (size_t i = 0; batch->targets != NULL && i < rows; i++) {
        result->asked += batch->targets[i] >= 0 ? 1 : 0;
    }
    run.share = result->asked == 0 ? 0 : 1 / (float)result->asked;
    if (gradient != NULL && result->asked == 0) {
        memset(gradient, 0, floats * sizeof *gradient);
        run.gradient = NULL;
    }
    const double operations = operations_of(&network->plan.shape, rows, batch->length);
    attn_pool_run(network->pool, operations, network->groups, run_group, &run);
    if (is_given_up(network)) {
        return false;
    }
    if (run.gradient != NULL && network->groups > 1) {
        attn_pool_run(network->pool, (double)floats * (double)network->groups * 4,
                      (floats + SUM_FLOATS - 1) / SUM_FLOATS, sum_groups, &run);
    }
    if (result->asked > 0) {
        fill_result(&run, result);
    }
    result->sane = isfinite(result->loss) != 0;
    return true;
}

float learn_result_accuracy(const struct learn_result *result)
{
    return result->asked == 0 ? 0 : (float)result->right / (float)result->asked;
}

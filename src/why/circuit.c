/* why/circuit.c — which head reads what another writes, and which heads copy. A product of four
 * matrices is as long as one of two: ‖X W_Q W_Kᵀ‖ = ‖X W_Q L‖ with L Lᵀ = W_Kᵀ W_K (Cholesky), and
 * ‖W_V W_O X‖ = ‖Lᵀ W_O X‖ with L Lᵀ = W_Vᵀ W_V. */
#include "why/circuit.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "attn/pool.h"
#include "model/circuit.h"

enum { WORDS = 256, BAND = 64 }; /* of the vocabulary, and of the width, at once */

static const char *const readings[WHY_READINGS] = {"Q", "K", "V"};

const char *why_reading_name(enum why_reading reading)
{
    return readings[reading];
}

/* A model whose heads are composed. */
struct composing {
    const struct why_circuits_asked *asked;
    const struct model_config *config;
    const struct attn_kernels *kernels;
    struct why_circuits *out;
    struct arena arena;
    float *weights[MODEL_CIRCUIT_PARTS]; /* of a layer */
    float **writes;  /* [layers] of [heads · d_v][width]: Lᵀ W_O of each head */
    double *written; /* [layers · heads] ‖W_V W_O‖ */
    size_t layer;    /* that is being read */
    float *scratch;  /* of each worker */
    size_t scratch_floats;
    atomic_bool failed;
    bool is_given_up;
};

static bool goes_on(struct composing *c)
{
    c->is_given_up =
        c->is_given_up || (c->asked->goes_on != NULL && !c->asked->goes_on(c->asked->owner));
    return !c->is_given_up;
}

static size_t max_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t why_circuits_at(const struct why_circuits *circuits, enum why_reading reading, size_t from,
                       size_t to)
{
    const size_t all = circuits->layers * circuits->heads;
    return (reading * all + from) * all + to;
}

/* ---- small matrices -------------------------------------------------------------------------- */

/* L [d][d] with L Lᵀ = AᵀA of the columns of A, or A Aᵀ of its rows; of dependent ones its columns
 * are 0. False: no memory. */
static bool factorise_gram(struct attn_operand a, bool of_rows, float *out)
{
    const size_t d = of_rows ? a.rows : a.cols, depth = of_rows ? a.cols : a.rows;
    struct arena arena = {0};
    double *const l = arena_array(&arena, d, d * sizeof *l);
    double *const row = arena_array(&arena, d, sizeof *row);
    for (size_t t = 0; l != NULL && row != NULL && t < depth; t++) {
        for (size_t i = 0; i < d; i++) {
            row[i] = (double)a.values[of_rows ? i * a.stride + t : t * a.stride + i];
        }
        for (size_t i = 0; i < d; i++) {
            for (size_t j = 0; j <= i; j++) {
                l[i * d + j] += row[i] * row[j];
            }
        }
    }
    const bool done = l != NULL && row != NULL;
    for (size_t j = 0; done && j < d; j++) { /* column by column, in place */
        const double whole = l[j * d + j];
        double rest = whole;
        for (size_t k = 0; k < j; k++) {
            rest -= l[j * d + k] * l[j * d + k];
        }
        const double root = rest > 1e-12 * whole ? sqrt(rest) : 0;
        for (size_t i = j; i < d; i++) {
            double sum = l[i * d + j];
            for (size_t k = 0; k < j; k++) {
                sum -= l[i * d + k] * l[j * d + k];
            }
            l[i * d + j] = root > 0 ? sum / root : 0;
        }
    }
    for (size_t i = 0; done && i < d * d; i++) {
        out[i] = i % d <= i / d ? (float)l[i] : 0;
    }
    arena_free(&arena);
    return done;
}

static double length_of(struct attn_operand a)
{
    double square = 0;
    for (size_t r = 0; r < a.rows; r++) {
        for (size_t c = 0; c < a.cols; c++) {
            const double value = (double)a.values[r * a.stride + c];
            square += value * value;
        }
    }
    return sqrt(square);
}

/* ---- one head's matrices --------------------------------------------------------------------- */

static struct attn_operand head_of(const struct composing *c, enum model_circuit_part part,
                                   size_t head)
{
    const struct model_config *const config = c->config;
    const size_t width = config->width, group = head / (config->heads / config->groups);
    const size_t q = config->heads * config->d_k, k = config->groups * config->d_k,
                 v = config->groups * config->d_v;
    const struct attn_operand of[MODEL_CIRCUIT_PARTS] = {
        {c->weights[MODEL_CIRCUIT_Q] + head * config->d_k, width, config->d_k, q},
        {c->weights[MODEL_CIRCUIT_K] + group * config->d_k, width, config->d_k, k},
        {c->weights[MODEL_CIRCUIT_V] + group * config->d_v, width, config->d_v, v},
        {c->weights[MODEL_CIRCUIT_O] + head * config->d_v * width, config->d_v, width, width}};
    return of[part];
}

static bool is_asked(const struct composing *c, size_t from, size_t to)
{
    const size_t head = c->asked->head;
    return head == MODEL_EACH || head == from || head == to;
}

/* Lᵀ W_O of a head of the layer. */
static void make_writes(void *context, size_t head, size_t worker)
{
    struct composing *const c = context;
    const size_t d = c->config->d_v, width = c->config->width;
    float *const l = c->scratch + worker * c->scratch_floats, *const turned = l + d * d;
    float *const out = c->writes[c->layer] + head * d * width;
    if (!factorise_gram(head_of(c, MODEL_CIRCUIT_V, head), false, l)) {
        c->failed = true;
        return;
    }
    for (size_t i = 0; i < d * d; i++) {
        turned[i] = l[i % d * d + i / d];
    }
    attn_project(c->kernels, (struct attn_operand){turned, d, d, d},
                 head_of(c, MODEL_CIRCUIT_O, head), (struct attn_matrix){out, d, width, width});
    c->written[c->layer * c->config->heads + head] =
        length_of((struct attn_operand){out, d, width, width});
}

/* Fills the matrix that a head of the layer reads by: W_Q L, W_K L or W_V L into out [width][d]. */
static bool make_reads(const struct composing *c, size_t head, enum why_reading reading, float *l,
                       struct attn_matrix out)
{
    static const enum model_circuit_part own[WHY_READINGS] = {MODEL_CIRCUIT_Q, MODEL_CIRCUIT_K,
                                                              MODEL_CIRCUIT_V};
    static const enum model_circuit_part other[WHY_READINGS] = {MODEL_CIRCUIT_K, MODEL_CIRCUIT_Q,
                                                                MODEL_CIRCUIT_O};
    if (!factorise_gram(head_of(c, other[reading], head), reading == WHY_BY_VALUES, l)) {
        return false;
    }
    attn_project(c->kernels, head_of(c, own[reading], head),
                 (struct attn_operand){l, out.cols, out.cols, out.cols}, out);
    return true;
}

/* One head of the layer that is being read, by one reading, after all heads of earlier layers. */
static void compose_head(void *context, size_t job, size_t worker)
{
    struct composing *const c = context;
    const struct model_config *const config = c->config;
    const size_t head = job / WHY_READINGS, to = c->layer * config->heads + head;
    const enum why_reading reading = (enum why_reading)(job % WHY_READINGS);
    const size_t d = reading == WHY_BY_VALUES ? config->d_v : config->d_k, d_v = config->d_v;
    float *const l = c->scratch + worker * c->scratch_floats;
    float *const reads = l + d * d, *const product = reads + config->width * d;
    if (c->layer == 0 || (c->asked->head != MODEL_EACH && c->asked->head != to &&
                          c->asked->head / config->heads >= c->layer)) {
        return;
    }
    const struct attn_matrix out = {reads, config->width, d, d};
    if (!make_reads(c, head, reading, l, out)) {
        c->failed = true;
        return;
    }
    const struct attn_operand read = {reads, config->width, d, d};
    const double length = length_of(read);
    for (size_t from = 0; from < c->layer * config->heads; from++) {
        if (!is_asked(c, from, to)) {
            continue;
        }
        const float *const writes =
            c->writes[from / config->heads] + from % config->heads * d_v * config->width;
        attn_project(c->kernels, (struct attn_operand){writes, d_v, config->width, config->width},
                     read, (struct attn_matrix){product, d_v, d, d});
        const double whole = c->written[from] * length;
        c->out->composition[why_circuits_at(c->out, reading, from, to)] =
            whole > 0 ? (float)(length_of((struct attn_operand){product, d_v, d, d}) / whole) : 0;
    }
}

/* ---- copying of all heads -------------------------------------------------------------------- */

/* W_U W_E [width][width], a sum over the vocabulary. */
struct word_sum {
    struct composing *composing;
    size_t count;         /* words at once */
    float *embed, *words; /* [count][width], [width][count] */
    double *sum;          /* [width][width] */
};

/* Some rows of the sum. */
static void add_words(void *context, size_t job, size_t worker)
{
    const struct word_sum *const v = context;
    const struct composing *const c = v->composing;
    const size_t width = c->config->width, first = job * BAND, rest = width - first;
    const size_t rows = rest < BAND ? rest : BAND;
    float *const product = c->scratch + worker * c->scratch_floats;
    attn_project(c->kernels,
                 (struct attn_operand){v->words + first * v->count, rows, v->count, v->count},
                 (struct attn_operand){v->embed, v->count, width, width},
                 (struct attn_matrix){product, rows, width, width});
    for (size_t i = 0; i < rows * width; i++) {
        v->sum[first * width + i] += (double)product[i];
    }
}

/* The sum as numbers that are multiplied; NULL: no memory. */
static float *multiply_vocabulary(struct composing *c)
{
    const size_t width = c->config->width, all = c->config->vocabulary;
    struct word_sum v = {.composing = c};
    v.embed = arena_array(&c->arena, WORDS, width * sizeof *v.embed);
    v.words = arena_array(&c->arena, WORDS, width * sizeof *v.words);
    v.sum = arena_array(&c->arena, width, width * sizeof *v.sum);
    float *const out = arena_array(&c->arena, width, width * sizeof *out);
    bool done = !c->arena.lacking;
    for (size_t first = 0; done && goes_on(c) && first < all; first += WORDS) {
        v.count = all - first < WORDS ? all - first : WORDS;
        done = model_circuit_embed(c->asked->model, first, v.count, v.embed) &&
               model_circuit_unembed(c->asked->model, first, v.count, v.words);
        if (done) {
            attn_pool_run(c->asked->engine.pool, 2 * (double)(width * width) * (double)v.count,
                          (width + BAND - 1) / BAND, add_words, &v);
        }
    }
    for (size_t i = 0; done && i < width * width; i++) {
        out[i] = (float)v.sum[i];
    }
    return done ? out : NULL;
}

/* W_O (W_U W_E) W_V [d_v][d_v] of each head of a layer. */
struct copying {
    struct composing *composing;
    const float *words; /* [width][width] */
};

static void measure_copying(void *context, size_t head, size_t worker)
{
    const struct copying *const of = context;
    struct composing *const c = of->composing;
    const size_t d = c->config->d_v, width = c->config->width;
    float *const through = c->scratch + worker * c->scratch_floats, *const small =
                                                                        through + d * width;
    struct arena arena = {0};
    double *const matrix = arena_array(&arena, d, d * sizeof *matrix);
    attn_project(c->kernels, head_of(c, MODEL_CIRCUIT_O, head),
                 (struct attn_operand){of->words, width, width, width},
                 (struct attn_matrix){through, d, width, width});
    attn_project(c->kernels, (struct attn_operand){through, d, width, width},
                 head_of(c, MODEL_CIRCUIT_V, head), (struct attn_matrix){small, d, d, d});
    for (size_t i = 0; matrix != NULL && i < d * d; i++) {
        matrix[i] = (double)small[i];
    }
    if (matrix == NULL) {
        c->failed = true;
    }
    if (matrix != NULL) {
        c->out->copying[c->layer * c->config->heads + head] = why_copying_of(matrix, d);
    }
    arena_free(&arena);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

static bool make_room(struct composing *c)
{
    const struct model_config *const config = c->config;
    struct why_circuits *const out = c->out;
    const size_t width = config->width, d = max_of(config->d_k, config->d_v);
    const size_t all = config->layers * config->heads;
    const size_t columns[MODEL_CIRCUIT_PARTS] = {
        config->heads * config->d_k, config->groups * config->d_k, config->groups * config->d_v,
        config->heads * config->d_v};
    for (size_t m = 0; m < MODEL_CIRCUIT_PARTS; m++) {
        c->weights[m] = arena_array(&c->arena, width, columns[m] * sizeof(float));
    }
    c->scratch_floats = max_of(2 * d * d + width * d, BAND * width);
    c->scratch = arena_array(&c->arena, attn_pool_threads(c->asked->engine.pool),
                             c->scratch_floats * sizeof(float));
    c->writes = arena_array(&c->arena, config->layers, sizeof *c->writes);
    c->written = arena_array(&c->arena, all, sizeof *c->written);
    for (size_t l = 0; c->writes != NULL && l + 1 < config->layers; l++) {
        c->writes[l] = arena_array(&c->arena, width, config->heads * config->d_v * sizeof(float));
    }
    out->copying = arena_array(&out->arena, all, sizeof *out->copying);
    out->composition = arena_array(&out->arena, WHY_READINGS * all, all * sizeof *out->composition);
    for (size_t i = 0; out->copying != NULL && i < all; i++) {
        out->copying[i] = NAN;
    }
    for (size_t i = 0; out->composition != NULL && i < WHY_READINGS * all * all; i++) {
        out->composition[i] = NAN;
    }
    return !c->arena.lacking && !out->arena.lacking;
}

static bool make_layers(struct composing *c)
{
    const struct model_config *const config = c->config;
    const struct why_circuits_asked *const asked = c->asked;
    struct copying copying = {c, NULL};
    const double floats = (double)config->width * (double)(config->heads * config->d_v);
    if (asked->has_copying && (copying.words = multiply_vocabulary(c)) == NULL) {
        return false;
    }
    for (c->layer = 0; !c->failed && goes_on(c) && c->layer < config->layers; c->layer++) {
        for (size_t m = 0; m < MODEL_CIRCUIT_PARTS; m++) {
            model_circuit_weights(asked->model, c->layer, (enum model_circuit_part)m,
                                  c->weights[m]);
        }
        attn_pool_run(asked->engine.pool, 6 * floats * (double)config->d_k * (double)(c->layer + 1),
                      config->heads * WHY_READINGS, compose_head, c);
        if (c->layer + 1 < config->layers) {
            attn_pool_run(asked->engine.pool, 4 * floats * (double)config->d_v, config->heads,
                          make_writes, c);
        }
        if (copying.words != NULL) {
            attn_pool_run(asked->engine.pool, 2 * floats * (double)config->width, config->heads,
                          measure_copying, &copying);
        }
    }
    return !c->failed && !c->is_given_up;
}

bool why_circuits_make(const struct why_circuits_asked *asked, struct why_circuits *out,
                       struct error *error)
{
    const struct model_config *const config = model_config(asked->model);
    struct composing c = {.asked = asked,
                          .config = config,
                          .kernels = lab_engine_kernels(&asked->engine, error),
                          .out = out};
    *out = (struct why_circuits){.layers = config->layers, .heads = config->heads};
    if (c.kernels == NULL || !model_circuit_check(asked->model, error)) {
        return false;
    }
    const bool done = make_room(&c) && make_layers(&c);
    arena_free(&c.arena);
    if (!done) {
        why_circuits_free(out);
    }
    return done || (!c.is_given_up && no_memory(error));
}

void why_circuits_free(struct why_circuits *circuits)
{
    arena_free(&circuits->arena);
}

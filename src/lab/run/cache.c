/* lab/run/cache.c — counts what a cache saves, and checks that it changes nothing. */
#include "lab/run/cache.h"

#include <math.h>

#include "lab/experiment/edits.h"

/* Returns the graph of the same computation with so many words. */
static struct lab_graph with_words(const struct lab_graph *graph, size_t words)
{
    struct lab_sizes sizes = graph->sizes;
    sizes.n = sizes.m = words;
    return lab_graph_of(graph->experiment, &sizes);
}

struct lab_cache_step lab_cache_step(const struct lab_graph *graph,
                                     const struct lab_mask_rule *mask, size_t tokens)
{
    static const struct lab_mask_rule causal = {.kind = LAB_MASK_CAUSAL};
    const struct lab_mask_rule *const rule = mask == NULL ? &causal : mask;
    const struct lab_graph all = with_words(graph, tokens), one = with_words(graph, 1);
    struct lab_cache_step step = {.tokens = tokens};
    for (size_t j = 0; j < tokens; j++) {
        step.seen += lab_mask_sees(rule, tokens - 1, j) ? 1 : 0;
    }
    const struct lab_cost cost = lab_graph_cost(&one, step.seen);
    step.without = lab_graph_cost(&all, lab_mask_pairs(rule, tokens, tokens)).multiplications;
    step.with_cache = step.rebuilding = cost.multiplications;
    if (lab_graph_caches_latent(graph)) {
        const double up = lab_graph_products(&one, LAB_K, 0) + lab_graph_products(&one, LAB_V, 0);
        const struct lab_sizes *const s = &graph->sizes;
        step.rebuilding +=
            (step.seen > 1 ? step.seen - 1 : 0) * (size_t)up; /* the cost counts that of one row */
        /* q·W_UKᵀ, then scores and blend R wide, then ·W_UV. The cost counts the up-projections
         * once; every pair takes R instead of d_k and d_v. */
        step.with_cache += s->heads * step.seen * 2 * s->latent;
        step.with_cache -= s->heads * step.seen * (s->d_k + s->d_v);
    }
    step.cache_bytes = tokens * cost.cache_bytes;
    step.bytes_added = cost.cache_bytes;
    step.scores_bytes = tokens * sizeof(float);
    return step;
}

static bool may_cache(const struct lab_trace *trace, struct error *error)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_sizes s = lab_trace_sizes(trace);
    if (s.cross || s.n != s.m) {
        return error_set(error, ERROR_INPUT,
                         "A cache grows with the text itself; here the keys are other words.");
    }
    if (s.partial) {
        return error_set(
            error, ERROR_INPUT,
            "To decode word by word takes queries, keys and values; not all are given.");
    }
    for (size_t i = 0; i < s.n; i++) {
        for (size_t j = i + 1; j < s.m; j++) {
            if (lab_trace_sees(trace, i, j)) {
                return error_set(error, ERROR_INPUT,
                                 "Word %zu sees word %zu, which is not there yet when it is "
                                 "decoded: take a mask that looks back, like causal.",
                                 i + 1, j + 1);
            }
        }
    }
    if (experiment->normalise != LAB_SOFTMAX_ROWS || experiment->keep_maximum ||
        lab_edits_count(experiment->edits) > 0) {
        return error_set(error, ERROR_INPUT,
                         "Decoding word by word needs plain softmax and no numbers typed by hand.");
    }
    return true;
}

/* Multiplies row [rows] by m [rows][cols] into out, or with `turned` by the transpose of m
 * [cols][rows]. */
static void multiply_row(const float *row, const struct lab_matrix *m, bool turned, float *out)
{
    const size_t count = turned ? m->rows : m->cols, inner = turned ? m->cols : m->rows;
    for (size_t c = 0; c < count; c++) {
        double sum = 0;
        for (size_t r = 0; r < inner; r++) {
            sum +=
                (double)row[r] * (double)(turned ? lab_matrix_at(m, c, r) : lab_matrix_at(m, r, c));
        }
        out[c] = (float)sum;
    }
}

/* Computes the shares of one query over the cached keys [tokens][cols]. */
static void compute_shares(const struct lab_trace *trace, size_t head, const float *query,
                           const struct lab_matrix *keys, size_t t, float *shares)
{
    struct lab_matrix cached = *keys;
    cached.rows = t + 1;
    multiply_row(query, &cached, true, shares);
    const float sink = lab_trace_sink(trace, head);
    float max = sink;
    for (size_t j = 0; j <= t; j++) {
        shares[j] = lab_trace_sees(trace, t, j) ? lab_trace_adjusted(trace, head, t, j, shares[j])
                                                : -INFINITY;
        max = fmaxf(max, shares[j]);
    }
    double sum = isinf(sink) ? 0 : exp((double)sink - (double)max);
    for (size_t j = 0; j <= t; j++) {
        shares[j] = isinf(shares[j]) ? 0 : expf(shares[j] - max);
        sum += (double)shares[j];
    }
    for (size_t j = 0; j <= t && sum > 0; j++) {
        shares[j] = (float)((double)shares[j] / sum);
    }
}

/* The cached rows of a head, and the matrices that lead from queries to them and from them to
 * values. */
struct cached {
    struct lab_matrix keys, values; /* both are the latent rows with a latent */
    struct lab_matrix in, out;      /* W_UK and W_UV; values NULL: not used */
};

static struct cached cached_of(const struct lab_trace *trace, size_t head)
{
    const struct lab_graph *const graph = lab_trace_graph(trace);
    struct cached cached = {.keys = lab_trace_part(trace, lab_graph_keys(graph), head),
                            .values = lab_trace_part(trace, LAB_V, head)};
    if (lab_graph_caches_latent(graph)) {
        const struct lab_matrix latent = lab_trace_part(trace, LAB_C, 0);
        cached = (struct cached){latent, latent, lab_trace_part(trace, LAB_W_UK, head),
                                 lab_trace_part(trace, LAB_W_UV, head)};
    }
    return cached;
}

bool lab_cache_replay(const struct lab_trace *trace, float *difference, struct error *error)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    const size_t wide = (s.d_k > s.d_v ? s.d_k : s.d_v) + s.latent;
    struct arena arena = {0};
    *difference = 0;
    if (!may_cache(trace, error)) {
        return false;
    }
    float *const shares = arena_array(&arena, s.m, sizeof *shares);
    float *const row = arena_array(&arena, wide, sizeof *row);
    float *const z = arena_array(&arena, wide, sizeof *z);
    const bool made = shares != NULL && row != NULL && z != NULL;
    for (size_t h = 0; made && h < s.heads; h++) {
        const struct cached cached = cached_of(trace, h);
        const struct lab_matrix q =
            lab_trace_part(trace, lab_graph_queries(lab_trace_graph(trace)), h);
        const struct lab_matrix plain = lab_trace_part(trace, LAB_Z, h);
        for (size_t t = 0; t < s.n; t++) {
            const float *query = q.values + t * q.stride, *mixed = z;
            if (cached.in.values != NULL) {
                multiply_row(query, &cached.in, true, row);
                query = row;
            }
            compute_shares(trace, h, query, &cached.keys, t, shares);
            struct lab_matrix values = cached.values;
            values.rows = t + 1;
            multiply_row(shares, &values, false, z);
            if (cached.out.values != NULL) {
                multiply_row(z, &cached.out, false, row);
                mixed = row;
            }
            for (size_t c = 0; c < s.d_v; c++) {
                *difference = fmaxf(*difference, fabsf(mixed[c] - lab_matrix_at(&plain, t, c)));
            }
        }
    }
    arena_free(&arena);
    return made ||
           error_set(error, ERROR_MEMORY, "There is not enough memory to decode %zu words.", s.n);
}

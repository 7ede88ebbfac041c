/* Random experiments of every kind, with every mask and all positions, against attention in
 * float64, written straight from its definition. */
#include <stdlib.h>

#include "base/random.h"
#include "bench.h"
#include "lab/run/measure.h"

enum { EXPERIMENTS_EACH = 20 }; /* of every kind with every mask and position */

static size_t pick(struct random *random, size_t low, size_t high)
{
    return low + (size_t)(random_bits(random) % (uint64_t)(high - low + 1));
}

static void draw_words(struct random *random, struct lab_words const **words, size_t count)
{
    static const char *const some[] = {"cat",    "dog", "lion", "NYC",
                                       "quokka", "the", "park", "milk"};
    const char *word[16];
    struct error error = {ERROR_NONE, 0, ""};
    for (size_t w = 0; w < count; w++) {
        word[w] = some[pick(random, 0, 7)];
    }
    lab_words_release(*words);
    *words = lab_words_make(word, count, &error);
    assert_non_null(*words);
}

/* Which kind, mask and positions an experiment has. */
struct combination {
    enum lab_kind kind;
    enum lab_mask mask;
    enum lab_positions positions;
    bool unit_qk, smears;
};

static bool looks_back(enum lab_mask mask)
{
    return mask == LAB_MASK_CAUSAL || mask == LAB_MASK_CAUSAL_WINDOW || mask == LAB_MASK_STRIDED;
}

static size_t divisor(struct random *random, size_t number)
{
    size_t found = pick(random, 1, number);
    while (number % found != 0) {
        found--;
    }
    return found;
}

static void paint(struct random *random, struct lab_experiment *experiment)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    uint8_t visible[16 * 16];
    struct error error = {ERROR_NONE, 0, ""};
    for (size_t p = 0; p < sizes.n * sizes.m; p++) {
        visible[p] = pick(random, 0, 2) == 0; /* few, so that some rows see nothing */
    }
    experiment->custom_mask = lab_custom_mask_make(visible, sizes.n, sizes.m, &error);
    assert_non_null(experiment->custom_mask);
}

static struct lab_experiment draw(struct random *random, const struct combination *combination)
{
    static const char *const one[] = {"cat"};
    struct lab_experiment experiment = experiment_of(one, 1);
    draw_words(random, &experiment.tokens, pick(random, 1, 12));
    if (pick(random, 0, 3) == 0 && !looks_back(combination->mask)) {
        draw_words(random, &experiment.context, pick(random, 1, 12));
    }
    experiment.embedding = (enum lab_embedding)pick(random, 0, LAB_EMBEDDING_ONEHOT);
    experiment.weights = (enum lab_weights)pick(random, 0, LAB_WEIGHTS_RANDOM);
    experiment.d_model = pick(random, 1, 40);
    experiment.heads = pick(random, 1, 8);
    experiment.kind = combination->kind;
    experiment.groups = divisor(random, experiment.heads);
    experiment.latent = pick(random, 0, 12);
    experiment.d_k = pick(random, 0, 20);
    experiment.d_v = pick(random, 0, 20);
    experiment.positions = combination->positions;
    experiment.rope_theta = (float)pow(10, (double)pick(random, 0, 6));
    experiment.rope_pairs = (enum lab_rotary_pairs)pick(random, 0, LAB_PAIRS_HALVES);
    experiment.rope_share = (float)pick(random, 1, 4) / 4;
    experiment.unit_qk = combination->unit_qk;
    experiment.smear = combination->smears ? 0.3F : 0;
    experiment.seed = random_bits(random);
    experiment.scale = pick(random, 0, 1) == 1;
    experiment.temperature = (float)pick(random, 1, 8) / 4;
    experiment.mask = combination->mask;
    experiment.mask_size = pick(random, 1, 5);
    experiment.mask_step = pick(random, 1, 4);
    if (experiment.mask == LAB_MASK_CUSTOM) {
        paint(random, &experiment);
    }
    return experiment;
}

/* The definitions of the masks, in whole numbers with a sign. */
static bool is_seen(const struct lab_experiment *experiment, long i, long j)
{
    const long s = (long)experiment->mask_size, d = (long)experiment->mask_step;
    const long off = labs(i - j);
    switch (experiment->mask) {
    case LAB_MASK_CAUSAL:
        return j <= i;
    case LAB_MASK_WINDOW:
        return off <= s;
    case LAB_MASK_CAUSAL_WINDOW:
        return i - s < j && j <= i;
    case LAB_MASK_DILATED:
        return off <= s * d && (i - j) % d == 0;
    case LAB_MASK_BLOCK:
        return i / s == j / s;
    case LAB_MASK_STRIDED:
        return j <= i && (i - j < s || (i - j) % s == 0);
    case LAB_MASK_GLOBAL:
        return i < s || j < s || off <= d;
    case LAB_MASK_CUSTOM:
        return lab_custom_mask_sees(experiment->custom_mask, (size_t)i, (size_t)j);
    default:
        return true;
    }
}

/* out [rows][cols] = a [rows][inner] · b [inner][cols] */
static void multiply(const double *a, const double *b, double *out, size_t rows, size_t inner,
                     size_t cols)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) {
            double sum = 0;
            for (size_t c = 0; c < inner; c++) {
                sum += a[i * inner + c] * b[c * cols + j];
            }
            out[i * cols + j] = sum;
        }
    }
}

static double *doubles(size_t count)
{
    double *const values = calloc(count + 1, sizeof *values);
    assert_non_null(values);
    return values;
}

static double *widened(const float *values, size_t count)
{
    double *const wide = doubles(count);
    for (size_t c = 0; c < count; c++) {
        wide[c] = (double)values[c];
    }
    return wide;
}

static double *part_widened(const struct lab_trace *trace, enum lab_part part, size_t head)
{
    const struct lab_matrix matrix = lab_trace_part(trace, part, head);
    assert_int_equal(matrix.stride, matrix.cols);
    return widened(matrix.values, matrix.rows * matrix.cols);
}

/* Row r of [rows][size]: its first `share` of numbers, as complex numbers in pairs, times e to the
 * i·r·theta^(−2p/wide). */
static void rotate(double *values, size_t rows, size_t size,
                   const struct lab_experiment *experiment)
{
    const double theta = (double)experiment->rope_theta;
    const size_t wide = (size_t)((double)experiment->rope_share * (double)size + 1e-3);
    const bool halves = experiment->rope_pairs == LAB_PAIRS_HALVES;
    for (size_t r = 0; r < rows; r++) {
        for (size_t p = 0; p < wide / 2; p++) {
            const double angle = (double)r / pow(theta, 2 * (double)p / (double)wide);
            double *const x = values + r * size + (halves ? p : 2 * p);
            double *const y = x + (halves ? wide / 2 : 1);
            const double real = *x * cos(angle) - *y * sin(angle);
            *y = *x * sin(angle) + *y * cos(angle);
            *x = real;
        }
    }
}

/* Of each row 1 − share, and the share of the row before. */
static void smear(double *values, size_t rows, size_t size, double share)
{
    double *const before = doubles(rows * size);
    memcpy(before, values, rows * size * sizeof *values);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < size; c++) {
            values[r * size + c] = (1 - share) * before[r * size + c] +
                                   (r == 0 ? 0 : share * before[(r - 1) * size + c]);
        }
    }
    free(before);
}

static void bring_to_length_1(double *values, size_t rows, size_t size)
{
    for (size_t r = 0; r < rows; r++) {
        double square = 0;
        for (size_t c = 0; c < size; c++) {
            square += pow(values[r * size + c], 2);
        }
        for (size_t c = 0; c < size && square > 0; c++) {
            values[r * size + c] /= sqrt(square);
        }
    }
}

/* The embeddings and the waves, as the projections must see them. */
static void assert_waves(const struct lab_trace *trace)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    double *const sum = part_widened(trace, LAB_EMBEDDED, 0);
    for (size_t i = 0; i < s.n; i++) {
        for (size_t c = 0; c < s.d_model; c++) {
            const double angle = (double)i / pow(10000, (double)(c - c % 2) / (double)s.d_model);
            sum[i * s.d_model + c] += c % 2 == 0 ? sin(angle) : cos(angle);
        }
    }
    assert_matrix(lab_trace_part(trace, LAB_EMBEDDINGS_X, 0), sum, s.n, s.d_model, 1e-6);
    free(sum);
}

/* scores [n][m] become shares. */
static void soften(double *scores, const struct lab_experiment *experiment, struct lab_sizes sizes)
{
    const double factor =
        (experiment->scale ? 1 / sqrt((double)sizes.d_k) : 1.0) / (double)experiment->temperature;
    for (size_t i = 0; i < sizes.n; i++) {
        double *const row = scores + i * sizes.m;
        double most = -INFINITY, sum = 0;
        for (size_t j = 0; j < sizes.m; j++) {
            row[j] = is_seen(experiment, (long)i, (long)j) ? row[j] * factor : -INFINITY;
            most = fmax(most, row[j]);
        }
        for (size_t j = 0; j < sizes.m; j++) {
            row[j] = isinf(most) ? 0 : exp(row[j] - most);
            sum += row[j];
        }
        for (size_t j = 0; j < sizes.m; j++) {
            row[j] /= sum > 0 ? sum : 1; /* a row that sees nothing stays 0 */
        }
    }
}

/* Errors are held against 1 plus the largest entry: where products cancel each other, a small
 * matrix is made of numbers of unit scale. Unit scale also means scores of up to 8. Of larger ones
 * float32 keeps fewer digits behind the point, and it is these that the exponential turns into
 * relative error of the shares. */
static double beyond_unit_scale(const struct lab_trace *trace, size_t h)
{
    const struct lab_matrix scores = lab_trace_part(trace, LAB_SCORES, h);
    const double peak = (double)(lab_measure_peak(&scores) * lab_trace_sizes(trace).factor);
    return fmax(1, peak / 8);
}

/* out [rows][cols] = x · the W of a head */
static double *projected(const struct lab_trace *trace, enum lab_part weights, size_t head,
                         const double *x, size_t rows)
{
    const struct lab_matrix shape = lab_trace_part(trace, weights, head);
    double *const w = part_widened(trace, weights, head), *const out = doubles(rows * shape.cols);
    multiply(x, w, out, rows, shape.rows, shape.cols);
    free(w);
    return out;
}

/* Keys or values: of the head, of its group, of all, or through the latent. */
static double *keys_of(const struct lab_trace *trace, size_t h, bool values, const double *x)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_sizes s = lab_trace_sizes(trace);
    if (experiment->kind == LAB_LATENT) {
        double *const latent = projected(trace, LAB_W_DKV, 0, x, s.m);
        double *const out = projected(trace, values ? LAB_W_UV : LAB_W_UK, h, latent, s.m);
        assert_matrix(lab_trace_part(trace, LAB_C, 0), latent, s.m, s.latent, 4e-6);
        free(latent);
        return out;
    }
    const size_t groups = experiment->kind == LAB_GROUPED       ? experiment->groups
                          : experiment->kind == LAB_MULTI_QUERY ? 1
                                                                : s.heads;
    const size_t group = h / (s.heads / groups);
    /* All matrices of a part stand one behind the other. */
    const struct lab_matrix all = lab_trace_part(trace, values ? LAB_W_V : LAB_W_K, 0);
    double *const w = widened(all.values + group * all.rows * all.cols, all.rows * all.cols);
    double *const out = doubles(s.m * all.cols);
    assert_int_equal(lab_trace_matrices(trace, values ? LAB_V : LAB_K), groups);
    multiply(x, w, out, s.m, all.rows, all.cols);
    free(w);
    return out;
}

static void check_head(const struct lab_trace *trace, size_t h, const double *x,
                       const double *context, double *concat, double *most)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    double *const q = projected(trace, LAB_W_Q, h, x, s.n);
    double *const k = keys_of(trace, h, false, context), *const v =
                                                             keys_of(trace, h, true, context);
    double *const alpha = doubles(s.n * s.m), *const z = doubles(s.n * s.d_v);
    if (lab_trace_experiment(trace)->positions == LAB_POSITIONS_ROPE) {
        rotate(q, s.n, s.d_k, lab_trace_experiment(trace));
        rotate(k, s.m, s.d_k, lab_trace_experiment(trace));
    }
    assert_matrix(lab_trace_part(trace, LAB_Q, h), q, s.n, s.d_k, 4e-6);
    assert_matrix(lab_trace_part(trace, LAB_K, h), k, s.m, s.d_k, 4e-6);
    if (lab_trace_experiment(trace)->smear > 0) {
        smear(k, s.m, s.d_k, (double)lab_trace_experiment(trace)->smear);
        assert_matrix(lab_trace_part(trace, LAB_K_SMEARED, h), k, s.m, s.d_k, 4e-6);
    }
    if (lab_trace_experiment(trace)->unit_qk) {
        bring_to_length_1(q, s.n, s.d_k);
        bring_to_length_1(k, s.m, s.d_k);
    }
    for (size_t i = 0; i < s.n; i++) {
        for (size_t j = 0; j < s.m; j++) {
            for (size_t c = 0; c < s.d_k; c++) {
                alpha[i * s.m + j] += q[i * s.d_k + c] * k[j * s.d_k + c];
            }
        }
    }
    assert_matrix(lab_trace_part(trace, LAB_V, h), v, s.m, s.d_v, 4e-6);
    assert_matrix(lab_trace_part(trace, LAB_SCORES, h), alpha, s.n, s.m, 4e-6);
    soften(alpha, lab_trace_experiment(trace), s);
    multiply(alpha, v, z, s.n, s.m, s.d_v);
    const double room = 4e-6 * beyond_unit_scale(trace, h);
    assert_close(lab_trace_part(trace, LAB_ALPHA, h), alpha, s.n, s.m, room, room);
    assert_close(lab_trace_part(trace, LAB_Z, h), z, s.n, s.d_v, room, room);
    *most = fmax(*most, room);
    for (size_t i = 0; i < s.n; i++) {
        memcpy(concat + (i * s.heads + h) * s.d_v, z + i * s.d_v, s.d_v * sizeof *z);
    }
    double *const all[] = {q, k, v, alpha, z};
    for (size_t a = 0; a < sizeof all / sizeof all[0]; a++) {
        free(all[a]);
    }
}

static void check(struct random *random, const struct combination *combination)
{
    struct lab_experiment experiment = draw(random, combination);
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_sizes s = lab_trace_sizes(trace);
    double *const x = part_widened(trace, LAB_EMBEDDINGS_X, 0);
    double *const w_o = part_widened(trace, LAB_W_O, 0);
    double *const rows =
        experiment.context == NULL
            ? NULL
            : widened(lab_trace_part(trace, LAB_CONTEXT_X, 0).values, s.m * s.d_model);
    double *const concat = doubles(s.n * s.heads * s.d_v), *const o = doubles(s.n * s.d_model);
    double room = 4e-6;
    for (size_t h = 0; h < s.heads; h++) {
        check_head(trace, h, x, rows == NULL ? x : rows, concat, &room);
    }
    multiply(concat, w_o, o, s.n, s.heads * s.d_v, s.d_model);
    assert_close(lab_trace_part(trace, LAB_CONCAT, 0), concat, s.n, s.heads * s.d_v, room, room);
    assert_close(lab_trace_part(trace, LAB_OUTPUT_O, 0), o, s.n, s.d_model, room, room);
    double *const all[] = {x, w_o, rows, concat, o};
    for (size_t a = 0; a < sizeof all / sizeof all[0]; a++) {
        free(all[a]);
    }
    if (experiment.positions == LAB_POSITIONS_SINUSOIDAL) {
        assert_waves(trace);
    }
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void every_kind_with_every_mask_and_position_agrees_with_float64(void **state)
{
    (void)state;
    struct random random;
    random_start(&random, 2, "experiments");
    for (int kind = 0; kind < LAB_KINDS; kind++) {
        for (int mask = 0; mask < LAB_MASKS; mask++) {
            for (int positions = 0; positions < LAB_POSITIONS_KINDS; positions++) {
                for (size_t e = 0; e < EXPERIMENTS_EACH; e++) {
                    const struct combination combination = {
                        (enum lab_kind)kind, (enum lab_mask)mask, (enum lab_positions)positions,
                        e % 4 == 3, e % 3 == 2};
                    check(&random, &combination);
                }
            }
        }
    }
}

static void identity_weights_copy_and_give_back_every_dimension(void **state)
{
    (void)state;
    static const char *const words[] = {"cat", "dog", "lion"};
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.heads = 2;
    experiment.d_v = 2;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix w = lab_trace_part(trace, LAB_W_V, 1);
    /* head 1: its columns 0 and 1 are dimensions (1·2 + c) mod 3 = 2 and 0 */
    static const double expected[] = {0, 1, 0, 0, 1, 0};
    assert_matrix(w, expected, 3, 2, 0);
    assert_string_equal(w.column_words[0], "cityness");
    assert_string_equal(w.column_words[1], "petness");
    /* dimension 0 stands twice in the concatenation (entries 0 and 3), so that it counts half each
     */
    static const double back[] = {0.5, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 0};
    assert_matrix(lab_trace_part(trace, LAB_W_O, 0), back, 4, 3, 0);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void random_weights_have_the_variance_of_one_over_fan_in(void **state)
{
    (void)state;
    static const char *const words[] = {"a", "b"};
    struct lab_experiment experiment = experiment_of(words, 2);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.d_model = 256;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix w = lab_trace_part(trace, LAB_W_K, 0);
    double square = 0;
    for (size_t c = 0; c < w.rows * w.cols; c++) {
        square += (double)w.values[c] * (double)w.values[c];
    }
    const double variance = square / (double)(w.rows * w.cols);
    assert_true(variance > 0.98 / 256 && variance < 1.02 / 256);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void a_seed_gives_the_same_numbers_and_another_gives_others(void **state)
{
    (void)state;
    static const char *const words[] = {"a", "b", "a"};
    struct lab_experiment experiment = experiment_of(words, 3);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    struct lab_trace *const first = trace_of(&experiment), *const again = trace_of(&experiment);
    experiment.seed = 43;
    struct lab_trace *const other = trace_of(&experiment);
    const struct lab_matrix o = lab_trace_part(first, LAB_OUTPUT_O, 0);
    const size_t bytes = o.rows * o.cols * sizeof(float);
    assert_memory_equal(o.values, lab_trace_part(again, LAB_OUTPUT_O, 0).values, bytes);
    assert_memory_not_equal(o.values, lab_trace_part(other, LAB_OUTPUT_O, 0).values, bytes);
    const struct lab_matrix x = lab_trace_part(first, LAB_EMBEDDINGS_X, 0);
    assert_memory_equal(x.values, x.values + 2 * x.stride, x.cols * sizeof(float));
    lab_trace_release(first);
    lab_trace_release(again);
    lab_trace_release(other);
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_with_every_mask_and_position_agrees_with_float64),
        cmocka_unit_test(identity_weights_copy_and_give_back_every_dimension),
        cmocka_unit_test(random_weights_have_the_variance_of_one_over_fan_in),
        cmocka_unit_test(a_seed_gives_the_same_numbers_and_another_gives_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

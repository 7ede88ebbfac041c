/* lab/run/head_scan.c — see head_scan.h. */
#include "lab/run/head_scan.h"

#include <math.h>
#include <string.h>

/* The columns that each measure leaves out: words that a head looks at whatever else there is. */
struct aside {
    const bool *sink;   /* [m]; NULL: nothing is left out */
    const size_t *list; /* [count] the columns */
    size_t count;
    const double *rest; /* [n] what is left of each row; such a share of it is 1 then. Where
                           nothing is left out: whole */
};

/* Less than this of a row says nothing. */
static const double REST_MIN = 1e-3;

static bool is_sink(const struct aside *aside, size_t key)
{
    return aside->sink != NULL && aside->sink[key];
}

static double rest_of(const struct aside *aside, size_t query)
{
    return aside->rest[query];
}

static float mean_of(double sum, size_t count)
{
    return count == 0 ? NAN : (float)(sum / (double)count);
}

static float head_measure_previous(const struct lab_head_scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 1; i < n && i - 1 < m; i++) {
        if (!is_sink(aside, i - 1) && rest_of(aside, i) > REST_MIN) {
            sum += (double)scan->alpha[i * m + i - 1] / rest_of(aside, i);
            count++;
        }
    }
    return mean_of(sum, count);
}

static float head_measure_first(const struct lab_head_scan *scan, const struct aside *aside)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 1; i < scan->sizes.n && !is_sink(aside, 0); i++) {
        sum += (double)scan->alpha[i * scan->sizes.m];
        count += rest_of(aside, i) > REST_MIN;
    }
    return mean_of(sum, count);
}

static float head_measure_same(const struct lab_head_scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double row = 0;
        for (size_t j = scan->first[scan->query_id[i]]; j < m; j = scan->next[j]) {
            row += is_sink(aside, j) ? 0 : (double)scan->alpha[i * m + j];
        }
        if (rest_of(aside, i) > REST_MIN) {
            sum += row / rest_of(aside, i);
            count++;
        }
    }
    return mean_of(sum, count);
}

static float head_measure_repeated(const struct lab_head_scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t repeated = 0;
    for (size_t i = 1; i < n; i++) {
        bool before = false;
        double row = 0;
        for (size_t j = scan->first[scan->query_id[i]]; j < i && j + 1 < m; j = scan->next[j]) {
            row += is_sink(aside, j + 1) ? 0 : (double)scan->alpha[i * m + j + 1];
            before = before || !is_sink(aside, j + 1);
        }
        if (before && rest_of(aside, i) > REST_MIN) {
            sum += row / rest_of(aside, i);
            repeated++;
        }
    }
    return mean_of(sum, repeated);
}

/* As lab_measure_entropy, in single precision. */
static float surprise_of(float weight)
{
    return weight > 0 ? weight * log2f(weight) : 0;
}

/* Of what is left, divided by what is left: (−Σ α log₂ α) ÷ r + log₂ r. */
static float head_measure_entropy(const struct lab_head_scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double bits = scan->row_bits[i];
        for (size_t s = 0; s < aside->count; s++) {
            bits += (double)surprise_of(scan->alpha[i * m + aside->list[s]]);
        }
        const double rest = rest_of(aside, i);
        if (rest > REST_MIN) {
            sum += bits / rest + log2(rest);
            count++;
        }
    }
    return count == 0 ? NAN : (float)fmax(0, sum / (double)count);
}

static float head_measure_distance(const struct lab_head_scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double far = scan->row_far[i];
        for (size_t s = 0; s < aside->count; s++) {
            const size_t j = aside->list[s];
            far -= (double)scan->alpha[i * m + j] * fabs((double)i - (double)j);
        }
        if (rest_of(aside, i) > REST_MIN) {
            sum += far / rest_of(aside, i);
            count++;
        }
    }
    return count == 0 ? NAN : (float)fmax(0, sum / (double)count);
}

/* Under a causal mask half of all weights are 0, at the ends of the rows. */
static void find_ends(struct lab_head_scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    for (size_t i = 0; i < n; i++) {
        const float *const row = scan->alpha + i * m;
        size_t end = m;
        while (end > 0 && row[end - 1] == 0) {
            end--;
        }
        scan->end[i] = end;
    }
}

/* Fills row_bits with −Σ α log₂ α of a row, rest with Σ α. The logarithms apart: nothing is in
 * registers over their calls. */
static void sum_row(struct lab_head_scan *scan, const float *row, size_t i)
{
    enum { AT_ONCE = 128 };
    float surprise[AT_ONCE];
    double bits = 0, sum = 0;
    for (size_t first = 0; first < scan->end[i]; first += AT_ONCE) {
        const size_t left = scan->end[i] - first, count = left < AT_ONCE ? left : AT_ONCE;
        for (size_t j = 0; j < count; j++) {
            surprise[j] = surprise_of(row[first + j]);
        }
        for (size_t j = 0; j < count; j++) {
            bits -= (double)surprise[j];
            sum += (double)row[first + j];
        }
    }
    scan->row_bits[i] = bits;
    scan->rest[i] = sum;
}

/* Σ α · |i − j| in four sums apart, so that one addition does not wait for the other. */
static double distance_of(const float *row, size_t end, size_t i)
{
    enum { SUMS = 4 };
    const double from = (double)i;
    double far[SUMS] = {0}, place[SUMS] = {0, 1, 2, 3};
    size_t j = 0;
    for (; j + SUMS <= end; j += SUMS) {
        for (size_t s = 0; s < SUMS; s++) {
            far[s] += (double)row[j + s] * fabs(from - place[s]);
            place[s] += SUMS;
        }
    }
    for (size_t s = 0; j + s < end; s++) {
        far[s] += (double)row[j + s] * fabs(from - place[s]);
    }
    return far[0] + far[1] + far[2] + far[3];
}

/* −Σ α log₂ α and Σ α · |i − j| of each row, what entropy and distance are means of; and Σ α. */
static void sum_rows(struct lab_head_scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    for (size_t i = 0; i < n; i++) {
        const float *const row = scan->alpha + i * m;
        sum_row(scan, row, i);
        scan->row_far[i] = distance_of(row, scan->end[i], i);
        const bool is_empty = scan->row_far[i] == 0 && !(i < m && row[i] > 0);
        scan->whole[i] = is_empty ? 0 : 1;
    }
}

/* The first word, and words to which the others give more than this on average, where there are
 * enough of them to say so. */
static const double SINK_SHARE = 0.3;
enum { SINK_ROWS = 4 };

/* Sums the weights that each key gets from the other words. */
static void sum_keys(const struct lab_head_scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double *const sums = scan->key_sums;
    memset(sums, 0, m * sizeof *sums);
    for (size_t i = 0; i < n; i++) {
        const float *const row = scan->alpha + i * m;
        const size_t end = scan->end[i], own = i < end ? i : end;
        for (size_t j = 0; j < own; j++) {
            sums[j] += (double)row[j];
        }
        for (size_t j = own + 1; j < end; j++) {
            sums[j] += (double)row[j];
        }
    }
}

/* Fills scan->sink and list, and takes them from rest; returns how many sinks there are. */
static size_t find_sinks(struct lab_head_scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    const double *const sums = scan->key_sums;
    size_t count = 0, looking = 0;
    sum_keys(scan);
    for (size_t i = 0; i < n; i++) {
        looking += scan->whole[i] > 0;
    }
    for (size_t j = 0; j < m; j++) {
        scan->sink[j] = j == 0 || (looking > SINK_ROWS &&
                                   sums[j] / (double)(looking - 1) > SINK_SHARE && m > SINK_ROWS);
        if (scan->sink[j]) {
            scan->list[count++] = j;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t s = 0; s < count; s++) {
            scan->rest[i] -= (double)scan->alpha[i * m + scan->list[s]];
        }
    }
    return count;
}

/* One row of weights into a row of cells: the sums of cells do not wait for each other. */
static void reduce_row(const float *row, size_t end, const size_t *left, size_t cols, float *most,
                       double *sum)
{
    for (size_t c = 0; c < cols; c++) {
        const size_t right = left[c + 1] < end ? left[c + 1] : end;
        size_t j = left[c];
        float top = most[c];
        double all = sum[c];
        for (; j < right; j++) {
            top = fabsf(row[j]) > fabsf(top) ? row[j] : top; /* only a raw matrix is signed */
            all += (double)row[j];
        }
        if (j < left[c + 1]) { /* the first of those that are 0 */
            top = fabsf(row[j]) > fabsf(top) ? row[j] : top;
        }
        most[c] = top;
        sum[c] = all;
    }
}

/* Cell (r, c) stands for rows r·n/rows … (r + 1)·n/rows − 1, columns likewise. */
void lab_head_scan_reduce(struct lab_head_scan *scan, float *largest, float *mean)
{
    const struct lab_thumbnails_sizes *const s = &scan->sizes;
    find_ends(scan);
    size_t left[LAB_THUMBNAILS_SIDE + 1];
    for (size_t c = 0; c <= s->cols; c++) {
        left[c] = c * s->m / s->cols;
    }
    for (size_t r = 0; r < s->rows; r++) {
        const size_t top = r * s->n / s->rows, bottom = (r + 1) * s->n / s->rows;
        float *const most = largest + r * s->cols;
        double sum[LAB_THUMBNAILS_SIDE] = {0};
        for (size_t c = 0; c < s->cols; c++) {
            most[c] = scan->alpha[top * s->m + left[c]];
        }
        for (size_t i = top; i < bottom; i++) {
            reduce_row(scan->alpha + i * s->m, scan->end[i], left, s->cols, most, sum);
        }
        for (size_t c = 0; c < s->cols; c++) {
            const size_t count = (bottom - top) * (left[c + 1] - left[c]);
            mean[r * s->cols + c] = (float)(sum[c] / (double)count);
        }
    }
}

size_t lab_head_scan_measure(struct lab_head_scan *scan, float *head_measure, float *of_rest)
{
    static float (*const measures[LAB_HEAD_MEASURES])(const struct lab_head_scan *,
                                                      const struct aside *) = {
        [LAB_HEAD_MEASURE_PREVIOUS] = head_measure_previous,
        [LAB_HEAD_MEASURE_FIRST] = head_measure_first,
        [LAB_HEAD_MEASURE_SAME] = head_measure_same,
        [LAB_HEAD_MEASURE_REPEATED] = head_measure_repeated,
        [LAB_HEAD_MEASURE_ENTROPY] = head_measure_entropy,
        [LAB_HEAD_MEASURE_DISTANCE] = head_measure_distance,
    };
    sum_rows(scan);
    const size_t sinks = find_sinks(scan);
    const struct aside nothing = {.rest = scan->whole};
    const struct aside aside = {scan->sink, scan->list, sinks, scan->rest};
    for (size_t h = 0; h < LAB_HEAD_MEASURES; h++) {
        head_measure[h] = measures[h](scan, &nothing);
        of_rest[h] = measures[h](scan, &aside);
    }
    return sinks;
}

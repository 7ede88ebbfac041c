/* learn/scores.c — see scores.h. */
#include "learn/scores.h"

#include <math.h>
#include <string.h>

#include "learn/activations.h"

enum { STRONGEST = 3, NUMBERS_MAX = 256 };

/* Adds the marked cells of one row to the sums; marks are ordered by score. */
static void add_row(const struct learn_activations *sentence, const struct learn_score_texts *texts,
                    size_t row, const struct learn_shape *shape,
                    double sums[LEARN_SCORES_OF_HEADS][LEARN_LAYERS_MAX][LEARN_HEADS_MAX])
{
    for (size_t layer = 0; layer < shape->layers; layer++) {
        for (size_t head = 0; head < shape->heads; head++) {
            const struct lab_matrix alpha =
                learn_activations_part(sentence, LEARN_ALPHA, layer, head);
            for (size_t m = 0; m < texts->count; m++) {
                const struct learn_mark *const mark = &texts->marks[m];
                if (mark->row == row) {
                    sums[mark->score][layer][head] +=
                        (double)alpha.values[mark->query * alpha.stride + mark->key];
                }
            }
        }
    }
}

/* Turns sums into means, and finds the best head of each score. */
static void finish_means(const struct learn_score_texts *texts, const struct learn_shape *shape,
                         double sums[LEARN_SCORES_OF_HEADS][LEARN_LAYERS_MAX][LEARN_HEADS_MAX],
                         struct learn_scores *out)
{
    size_t counts[LEARN_SCORES_OF_HEADS] = {0};
    for (size_t m = 0; m < texts->count; m++) {
        counts[texts->marks[m].score]++;
    }
    for (size_t s = 0; s < LEARN_SCORES_OF_HEADS; s++) {
        for (size_t layer = 0; layer < shape->layers; layer++) {
            for (size_t head = 0; head < shape->heads; head++) {
                const float mean =
                    counts[s] == 0 ? NAN : (float)(sums[s][layer][head] / (double)counts[s]);
                out->head[s][layer][head] = mean;
                if (isnan(out->best[s]) || mean > out->best[s]) {
                    out->best[s] = mean;
                    out->layer[s] = layer;
                    out->best_head[s] = head;
                }
            }
        }
    }
}

static double cosine_similarity(const float *a, const float *b, size_t width)
{
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < width; i++) {
        ab += (double)a[i] * (double)b[i];
        aa += (double)a[i] * (double)a[i];
        bb += (double)b[i] * (double)b[i];
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

static float kinds_part(const struct learn_data *data, const float *embedding, size_t width)
{
    size_t count = 0;
    const int32_t *const kinds = learn_data_kinds(data, &count);
    if (kinds == NULL) {
        return NAN;
    }
    const size_t words = learn_data_vocabulary(data);
    double sum[2] = {0, 0};
    size_t pairs[2] = {0, 0};
    for (size_t a = 0; a < words; a++) {
        for (size_t b = a + 1; b < words; b++) {
            if (kinds[a] >= 0 && kinds[b] >= 0) {
                const size_t same = kinds[a] == kinds[b];
                sum[same] += cosine_similarity(embedding + a * width, embedding + b * width, width);
                pairs[same]++;
            }
        }
    }
    return pairs[0] == 0 || pairs[1] == 0
               ? NAN
               : (float)(sum[1] / (double)pairs[1] - sum[0] / (double)pairs[0]);
}

/* Fills power [p / 2] with the power of an embedding [p][width] of p numbers at each frequency from
 * 1 on, as a share of all but the mean. */
static void find_frequencies(const float *embedding, size_t p, size_t width, float *power)
{
    const double pi = 3.14159265358979323846;
    double all = 0, of[NUMBERS_MAX / 2] = {0};
    for (size_t k = 1; k <= p / 2; k++) {
        for (size_t d = 0; d < width; d++) {
            double re = 0, im = 0;
            for (size_t n = 0; n < p; n++) {
                const double angle = 2 * pi * (double)(k * n % p) / (double)p;
                re += (double)embedding[n * width + d] * cos(angle);
                im += (double)embedding[n * width + d] * sin(angle);
            }
            of[k - 1] += re * re + im * im;
        }
        all += of[k - 1];
    }
    for (size_t k = 0; k < p / 2; k++) {
        power[k] = all > 0 ? (float)(of[k] / all) : 0;
    }
}

size_t learn_scores_strongest(const float *embedding, size_t p, size_t width, float *share)
{
    float power[NUMBERS_MAX / 2];
    size_t first = 0;
    find_frequencies(embedding, p, width, power);
    *share = 0;
    for (size_t s = 0; s < STRONGEST; s++) {
        size_t best = 0;
        for (size_t k = 1; k < p / 2; k++) {
            best = power[k] > power[best] ? k : best;
        }
        first = s == 0 ? best + 1 : first;
        *share += power[best];
        power[best] = 0;
    }
    return first;
}

static float frequency_share(const struct learn_data *data, const float *embedding, size_t width)
{
    float share = NAN;
    if (learn_data_request_of(data)->task == LEARN_TASK_ADDITION) {
        const size_t p = learn_data_vocabulary(data) - 1; /* the last word, after the numbers, is
                                                             "=" */
        (void)learn_scores_strongest(embedding, p, width, &share);
    }
    return share;
}

bool learn_scores_take(struct learn_network *network, const float *weights,
                       const struct learn_data *data, struct learn_scores *out, struct error *error)
{
    const struct learn_shape *const shape = learn_network_shape(network);
    const struct learn_score_texts texts = learn_data_score_texts(data);
    double sums[LEARN_SCORES_OF_HEADS][LEARN_LAYERS_MAX][LEARN_HEADS_MAX];
    memset(sums, 0, sizeof sums);
    memset(out, 0, sizeof *out);
    for (size_t s = 0; s < LEARN_SCORE_ROWS; s++) {
        out->best[s] = NAN;
    }
    for (size_t row = 0; row < texts.rows; row++) {
        struct learn_activations *const sentence = learn_activations_make(
            network, weights, texts.tokens + row * texts.width, NULL, texts.width, error);
        if (sentence == NULL) {
            return false;
        }
        add_row(sentence, &texts, row, shape, sums);
        learn_activations_free(sentence);
    }
    finish_means(&texts, shape, sums, out);
    const struct learn_tensor *const wte =
        learn_tensors_find(learn_network_tensors(network), LEARN_WTE, 0);
    out->best[LEARN_SCORE_KINDS] = kinds_part(data, weights + wte->offset, shape->d_model);
    out->best[LEARN_SCORE_FREQUENCIES] =
        frequency_share(data, weights + wte->offset, shape->d_model);
    return true;
}

/* why/catalogue.c — measures of the weights of every head. */
#include "why/catalogue.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"

/* Weights of one head on one text. */
struct head {
    const float *alpha, *former; /* [n][n]; former: [m][m], NULL: none */
    const uint32_t *ids;
    size_t n, m;
    const enum why_role *roles; /* of ids; NULL: none */
};

/* Each gives the mean over the words of the text that have a case; NaN: none has. */

static double previous_share(const struct head *head)
{
    double sum = 0;
    for (size_t i = 1; i < head->n; i++) {
        sum += (double)head->alpha[i * head->n + i - 1];
    }
    return head->n > 1 ? sum / (double)(head->n - 1) : NAN;
}

static double induction_share(const struct head *head)
{
    double sum = 0;
    size_t cases = 0;
    for (size_t i = 1; i < head->n; i++) {
        size_t last = i;
        while (last > 0 && head->ids[last - 1] != head->ids[i]) {
            last--;
        }
        if (last > 0) { /* last − 1 is the place, last the word behind it */
            sum += (double)head->alpha[i * head->n + last];
            cases++;
        }
    }
    return cases > 0 ? sum / (double)cases : NAN;
}

static double duplicate_share(const struct head *head)
{
    double sum = 0;
    size_t cases = 0;
    for (size_t i = 1; i < head->n; i++) {
        bool has = false;
        for (size_t j = 0; j < i; j++) {
            const bool same = head->ids[j] == head->ids[i];
            sum += same ? (double)head->alpha[i * head->n + j] : 0;
            has = has || same;
        }
        cases += has ? 1 : 0;
    }
    return cases > 0 ? sum / (double)cases : NAN;
}

static double first_share(const struct head *head)
{
    double sum = 0;
    for (size_t i = 1; i < head->n; i++) {
        sum += (double)head->alpha[i * head->n];
    }
    return head->n > 1 ? sum / (double)(head->n - 1) : NAN;
}

static double self_share(const struct head *head)
{
    double sum = 0;
    for (size_t i = 0; i < head->n; i++) {
        sum += (double)head->alpha[i * head->n + i];
    }
    return sum / (double)head->n;
}

static double positional_share(const struct head *head)
{
    const size_t n = head->n < head->m ? head->n : head->m;
    double sum = 0;
    for (size_t i = 1; head->former != NULL && i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            sum +=
                fmin((double)head->alpha[i * head->n + j], (double)head->former[i * head->m + j]);
        }
    }
    return head->former != NULL && n > 1 ? sum / (double)(n - 1) : NAN;
}

static double mean_entropy(const struct head *head)
{
    double sum = 0;
    for (size_t p = 0; p < head->n * head->n; p++) {
        const double share = (double)head->alpha[p];
        sum -= share > 0 ? share * log2(share) : 0;
    }
    return sum / (double)head->n;
}

static double noun_share(const struct head *head)
{
    double sum = 0;
    size_t cases = 0, last = head->n;
    for (size_t i = 0; head->roles != NULL && i < head->n; i++) {
        const enum why_role role = head->roles[head->ids[i]];
        last = role == WHY_ROLE_NOUN ? i : last;
        if (role == WHY_ROLE_IS && last < head->n) {
            sum += (double)head->alpha[i * head->n + last];
            cases++;
        }
    }
    return cases > 0 ? sum / (double)cases : NAN;
}

/* Positional goes with others, and entropy is no share: no head is called by them unless asked. */
static const struct {
    const char *name;
    double (*of)(const struct head *head);
    double threshold;
} measures[WHY_MEASURES] = {
    [WHY_PREVIOUS] = {"previous", previous_share, 0.5},
    [WHY_INDUCTION] = {"induction", induction_share, 0.5},
    [WHY_DUPLICATE] = {"duplicate", duplicate_share, 0.5},
    [WHY_FIRST] = {"first", first_share, 0.5},
    [WHY_SELF] = {"self", self_share, 0.5},
    [WHY_POSITIONAL] = {"positional", positional_share, NAN},
    [WHY_ENTROPY] = {"entropy", mean_entropy, NAN},
    [WHY_NOUN] = {"noun", noun_share, 0.5},
};

double why_measure_threshold(enum why_measure measure)
{
    return measures[measure].threshold;
}

const char *why_measure_name(enum why_measure measure)
{
    return measures[measure].name;
}

/* ---- over texts ------------------------------------------------------------------------------ */

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

bool why_catalogue_start(const struct model *model, struct why_catalogue *out, struct error *error)
{
    const struct model_config *const config = model_config(model);
    const size_t all = config->layers * config->heads * WHY_MEASURES;
    *out = (struct why_catalogue){.layers = config->layers, .heads = config->heads};
    out->mean = arena_array(&out->arena, all, sizeof *out->mean);
    return out->mean != NULL || no_memory(error);
}

bool why_catalogue_add(struct why_catalogue *catalogue, const struct model_run *run,
                       struct error *error)
{
    const size_t n = model_run_count(run), heads = catalogue->layers * catalogue->heads;
    const size_t m = catalogue->n;
    struct arena arena = {0};
    size_t square = 0, floats = 0;
    float *const alpha = checked_multiply(n, n, &square) && checked_multiply(square, heads, &floats)
                             ? arena_array(&arena, floats, sizeof *alpha)
                             : NULL;
    if (alpha == NULL) {
        arena_free(&arena);
        return no_memory(error);
    }
    for (size_t h = 0; h < heads; h++) {
        const struct head head = {alpha + h * square,
                                  catalogue->former == NULL ? NULL : catalogue->former + h * m * m,
                                  model_run_ids(run),
                                  n,
                                  m,
                                  catalogue->roles};
        model_run_weights(run, h / catalogue->heads, h % catalogue->heads, alpha + h * square);
        for (size_t k = 0; k < WHY_MEASURES; k++) {
            why_mean_add(&catalogue->mean[k * heads + h], measures[k].of(&head));
        }
    }
    if (square > m * m || catalogue->former == NULL) {
        catalogue->former = arena_array(&catalogue->arena, floats, sizeof *alpha);
    }
    if (catalogue->former != NULL) {
        memcpy(catalogue->former, alpha, floats * sizeof *alpha);
    }
    catalogue->n = n;
    catalogue->texts++;
    arena_free(&arena);
    return catalogue->former != NULL || no_memory(error);
}

bool why_catalogue_has(const struct why_catalogue *catalogue, enum why_measure measure)
{
    return measure != WHY_NOUN || catalogue->roles != NULL;
}

static const struct why_mean *mean_at(const struct why_catalogue *catalogue,
                                      enum why_measure measure, size_t layer, size_t head)
{
    const size_t heads = catalogue->layers * catalogue->heads;
    return &catalogue->mean[measure * heads + layer * catalogue->heads + head];
}

enum why_measure why_catalogue_group(const struct why_catalogue *catalogue,
                                     const double *thresholds, size_t layer, size_t head)
{
    enum why_measure group = WHY_MEASURES;
    double largest = -INFINITY;
    for (size_t m = 0; m < WHY_MEASURES; m++) {
        const double mean = why_catalogue_mean(catalogue, (enum why_measure)m, layer, head);
        if (mean >= thresholds[m] && mean > largest) { /* neither is NaN then */
            group = (enum why_measure)m;
            largest = mean;
        }
    }
    return group;
}

double why_catalogue_mean(const struct why_catalogue *catalogue, enum why_measure measure,
                          size_t layer, size_t head)
{
    return why_mean_of(mean_at(catalogue, measure, layer, head));
}

double why_catalogue_spread(const struct why_catalogue *catalogue, enum why_measure measure,
                            size_t layer, size_t head)
{
    return why_mean_spread(mean_at(catalogue, measure, layer, head));
}

void why_catalogue_free(struct why_catalogue *catalogue)
{
    arena_free(&catalogue->arena);
}

void why_probe_fill(const struct model *model, size_t text, size_t count, uint32_t *ids)
{
    const size_t vocabulary = model_config(model)->vocabulary;
    uint64_t state = 0x9E3779B97F4A7C15U * (text + 1); /* SplitMix64 (Steele et al. 2014) */
    for (size_t i = 0; i < count; i++) {
        state += 0x9E3779B97F4A7C15U;
        uint64_t mixed = state;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
        ids[i] = ids[i + count] = (uint32_t)((mixed ^ (mixed >> 31)) % vocabulary);
    }
}

/* why/ablation.c — variants of a run, measured while their next words are there. */
#include "why/ablation.h"

#include <math.h>

#include "base/checked.h"

struct measuring {
    const struct why_ablation *ablation;
    size_t vocabulary, n, first, count; /* rows whose logits are asked for */
    double *before;                     /* [vocabulary] log p of the run's next words */
    struct why_state *without;
};

/* log Σ exp of the logits. */
static double log_sum(const float *logits, size_t vocabulary)
{
    double max = -INFINITY, sum = 0;
    for (size_t id = 0; id < vocabulary; id++) {
        max = (double)logits[id] > max ? (double)logits[id] : max;
    }
    for (size_t id = 0; id < vocabulary; id++) {
        sum += (double)expf(logits[id] - (float)max);
    }
    return max + log(sum);
}

/* Mean −log p of the words that follow in the text. */
static double loss_of(const struct measuring *m, const float *logits)
{
    const uint32_t *const ids = model_run_ids(m->ablation->run);
    double sum = 0;
    if (m->count < m->n || m->n < 2 || model_config(m->ablation->model)->bidirectional) {
        return NAN;
    }
    for (size_t i = 0; i + 1 < m->n; i++) {
        const float *const row = logits + i * m->vocabulary;
        sum += log_sum(row, m->vocabulary) - (double)row[ids[i + 1]];
    }
    return sum / (double)(m->n - 1);
}

/* logits [count][vocabulary] of the rows from `first` on. */
static struct why_state measure_run(const struct measuring *m, const float *logits, bool is_before)
{
    const struct why_question *const question = &m->ablation->question;
    const float *const row = logits + (question->position - m->first) * m->vocabulary;
    const double all = log_sum(row, m->vocabulary);
    const double word = (double)row[question->word],
                 rival = question->has_rival ? (double)row[question->rival] : 0;
    struct why_state state = {
        .logit = word - rival,
        .word = word,
        .rival = rival,
        .probability = exp((double)row[question->word] - all),
        .loss = loss_of(m, logits),
    };
    for (size_t id = 0; id < m->vocabulary; id++) {
        const double after = (double)row[id] - all;
        if (is_before) {
            m->before[id] = after;
        } else {
            state.kl += exp(m->before[id]) * (m->before[id] - after);
        }
    }
    return state;
}

static void on_words(void *owner, size_t variant, const float *logits)
{
    const struct measuring *const m = owner;
    m->without[variant] = measure_run(m, logits, false);
}

static bool on_progress(void *owner, size_t done, size_t all)
{
    const struct why_ablation *const ablation = ((const struct measuring *)owner)->ablation;
    return ablation->on_progress == NULL || ablation->on_progress(ablation->owner, done, all);
}

bool why_ablate(const struct why_ablation *ablation, const struct model_interventions *variants,
                size_t count, struct why_state *before, struct why_state *without,
                struct error *error)
{
    const size_t n = model_run_count(ablation->run);
    struct arena arena = {0};
    struct measuring m = {.ablation = ablation,
                          .vocabulary = model_config(ablation->model)->vocabulary,
                          .n = n,
                          .first = ablation->wants_loss ? 0 : ablation->question.position,
                          .count = ablation->wants_loss ? n : 1,
                          .without = without};
    size_t floats = 0;
    float *const logits = checked_multiply(m.count, m.vocabulary, &floats)
                              ? arena_array(&arena, floats, sizeof *logits)
                              : NULL;
    m.before = arena_array(&arena, m.vocabulary, sizeof *m.before);
    bool done =
        (logits != NULL && m.before != NULL) ||
        error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
    done = done && model_run_logits(ablation->run, m.first, m.count, logits, error);
    if (done) {
        *before = measure_run(&m, logits, true);
        const struct model_varying how = {m.first, m.count, on_words, on_progress, &m};
        done = count == 0 || model_run_vary(ablation->run, variants, count, &how, error);
    }
    arena_free(&arena);
    return done;
}

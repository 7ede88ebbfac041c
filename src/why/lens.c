/* why/lens.c — next words of every stage of the residual stream. */
#include "why/lens.h"

#include <string.h>

#include "lab/run/sample.h"
#include "model/direct.h"

enum { ROWS = 64 }; /* of logits at once */

struct looking {
    const struct model_run *run;
    const struct model_config *config;
    float *stream; /* [2 · layers + 1][n][width] */
    size_t n;
};

/* Row 0 is the embedding's; then two for each layer: attention has been added, and the MLP. */
static void gather_rows(void *owner, enum model_node node, size_t layer, struct attn_operand rows)
{
    const struct looking *const looking = owner;
    const size_t floats = looking->n * looking->config->width;
    float *const middle = looking->stream + (2 * layer + 1) * floats;
    if (node == MODEL_NODE_RESIDUAL) {
        memcpy(looking->stream + 2 * layer * floats, rows.values, floats * sizeof *rows.values);
    } else if (node == MODEL_NODE_ATTENTION || node == MODEL_NODE_CROSS) {
        const float *const before = node == MODEL_NODE_CROSS ? middle : middle - floats;
        for (size_t i = 0; i < floats; i++) {
            middle[i] = before[i] + rows.values[i];
        }
    }
}

/* Fills a cell from its logits [vocabulary]; the followed word is there. */
static void fill_cell(const float *logits, size_t vocabulary, size_t top,
                      struct why_lens_cell *cell)
{
    const struct lab_shares shares = lab_shares_of(logits, vocabulary, 1);
    (void)lab_find_largest(logits, vocabulary, top, cell->top);
    cell->rank = 1;
    for (size_t id = 0; id < vocabulary; id++) {
        cell->rank += logits[id] > logits[cell->word] ||
                              (id < cell->word && !(logits[id] < logits[cell->word]))
                          ? 1
                          : 0;
    }
    for (size_t t = 0; t < top; t++) {
        cell->top_probability[t] = (float)lab_share(&shares, logits[cell->top[t]]);
    }
    cell->probability = lab_share(&shares, logits[cell->word]);
}

static uint32_t likeliest_token(const float *logits, size_t vocabulary)
{
    size_t best = 0;
    for (size_t id = 1; id < vocabulary; id++) {
        best = logits[id] > logits[best] ? id : best;
    }
    return (uint32_t)best;
}

/* Fills cells from the last stage down, since followed is what the model says in the end. */
static bool fill_cells(const struct looking *looking, size_t position, uint32_t word,
                       struct why_lens *out, struct why_lens_cell *cells, struct error *error)
{
    const size_t n = looking->n, width = looking->config->width,
                 vocabulary = looking->config->vocabulary, all = (2 * out->layers + 1) * n;
    float *const logits = arena_array(&out->arena, ROWS, vocabulary * sizeof *logits);
    if (logits == NULL) {
        return error_set(error, ERROR_MEMORY,
                         "There is not enough memory to look into this model.");
    }
    for (size_t left = all; left > 0;) {
        const size_t some = left < ROWS ? left : ROWS;
        left -= some;
        if (!model_run_words(looking->run, looking->stream + left * width, some, logits, error)) {
            return false;
        }
        for (size_t r = some; r-- > 0;) {
            const size_t at = left + r, stage = at / n, i = at % n;
            struct why_lens_cell *const cell = &cells[at];
            const float *const own = logits + r * vocabulary;
            *cell = (struct why_lens_cell){.layer = stage == 0 ? 0 : (stage - 1) / 2,
                                           .after = stage == 0       ? WHY_AFTER_EMBEDDING
                                                    : stage % 2 == 1 ? WHY_AFTER_ATTENTION
                                                                     : WHY_AFTER_MLP,
                                           .position = i};
            cell->word = i == position              ? word
                         : stage == 2 * out->layers ? likeliest_token(own, vocabulary)
                                                    : cells[2 * out->layers * n + i].word;
            fill_cell(own, vocabulary, out->top, cell);
        }
    }
    return true;
}

bool why_lens_make(const struct model_run *run, const struct model *model, size_t position,
                   uint32_t word, struct why_lens *out, struct error *error)
{
    const struct model_config *const config = model_config(model);
    const size_t n = model_run_count(run), stages = 2 * config->layers + 1;
    *out = (struct why_lens){.layers = config->layers,
                             .n = n,
                             .top = config->vocabulary < WHY_LENS_TOP ? config->vocabulary
                                                                      : WHY_LENS_TOP};
    if (!model_stream_is_sum(model, error)) {
        return false;
    }
    struct why_lens_cell *const cells = arena_array(&out->arena, stages * n, sizeof *cells);
    const struct looking looking = {
        run, config, arena_array(&out->arena, stages * n, config->width * sizeof(float)), n};
    const bool has_room =
        (cells != NULL && looking.stream != NULL) ||
        error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
    out->cell = cells;
    if (!has_room ||
        !model_run_visit(run, model_no_interventions,
                         (struct model_visitor){.see = gather_rows, .owner = (void *)&looking},
                         error) ||
        !fill_cells(&looking, position, word, out, cells, error)) {
        why_lens_free(out);
        return false;
    }
    return true;
}

void why_lens_free(struct why_lens *lens)
{
    arena_free(&lens->arena);
}

/* Keeps a layer around its attention step by step, with what each neuron adds. */
#include "lab/run/block.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lab/run/sample.h"

enum { PANEL = 64, ROWS_KEPT = 256 };

static const struct {
    const char *name, *sign, *what;
    enum lab_block_column column;
} names[LAB_BLOCK_NAMES] = {
    [LAB_BLOCK_X] = {"x", "x", "before the layer", 0},
    [LAB_BLOCK_SEEN] = {"seen", "x̂", "what the heads see, normed", 0},
    [LAB_BLOCK_Q_LATENT] = {"q_latent", "c′", "the latent that queries are made from", 0},
    [LAB_BLOCK_Q_LATENT_NORMED] = {"q_latent_normed", "ĉ′", "the latent of queries, normed", 0},
    [LAB_BLOCK_Q_BEFORE] = {"q_0", "q₀", "the query, before a part of it is turned", 0},
    [LAB_BLOCK_Q_FIRST] = {"q_0", "q₀", "the query, before it is normed or turned", 0},
    [LAB_BLOCK_Q_NORMED] = {"q_normed", "q̂", "the query, normed", 0},
    [LAB_BLOCK_Q] = {"q", "q", "the query, as it meets the keys", 0},
    [LAB_BLOCK_Q_ONLY] = {"q", "q", "the query", 0},
    [LAB_BLOCK_K_FIRST] = {"k_0", "k₀", "the key, before it is normed or turned", 0},
    [LAB_BLOCK_K_NORMED] = {"k_normed", "k̂", "the key, normed", 0},
    [LAB_BLOCK_K] = {"k", "k", "the key, as it meets the queries", 0},
    [LAB_BLOCK_K_ONLY] = {"k", "k", "the key", 0},
    [LAB_BLOCK_LATENT] = {"latent", "c", "the latent that keys and values are rebuilt from", 0},
    [LAB_BLOCK_LATENT_NORMED] = {"latent_normed", "ĉ", "the latent, normed", 0},
    [LAB_BLOCK_K_REBUILT] = {"k_0", "k₀", "the part of the key that is rebuilt from the latent", 0},
    [LAB_BLOCK_TURNS_BEFORE] = {"turns_0", "r₀", "the part of all keys that will turn", 0},
    [LAB_BLOCK_TURNS] = {"turns", "r",
                         "the part that all heads’ keys share, turned by the word’s place", 0},
    [LAB_BLOCK_V] = {"v", "v", "the value", 0},
    [LAB_BLOCK_V_REBUILT] = {"v", "v", "the value, rebuilt from the latent", 0},
    [LAB_BLOCK_Z] = {"z", "z", "heads side by side", 0},
    [LAB_BLOCK_O] = {"o", "o", "from attention", 0},
    [LAB_BLOCK_O_MADE] = {"o", "o", "what attention gives", 0},
    [LAB_BLOCK_O_NORM] = {"o_norm", "o′", "what attention gives, normed", 0},
    [LAB_BLOCK_ADDED] = {"added", "x′", "the residual stream with attention added", 0},
    [LAB_BLOCK_ADDED_NORM] = {"added_norm", "x″", "the sum, normed", 0},
    [LAB_BLOCK_CROSS] = {"cross", "c", "from the other text", 0},
    [LAB_BLOCK_CROSSED] = {"crossed", "x‴", "with the other text added", 0},
    [LAB_BLOCK_CROSSED_NORM] = {"crossed_norm", "x⁗", "that sum, normed", 0},
    [LAB_BLOCK_MLP_SEEN] = {"norm", "x̂", "what the MLP sees, normed", 0},
    [LAB_BLOCK_ROUTER] = {"router", "r", "how well each expert fits", LAB_BLOCK_COLUMN_EXPERT},
    [LAB_BLOCK_CHOSEN] = {"chosen", "e", "shares of experts", LAB_BLOCK_COLUMN_EXPERT},
    [LAB_BLOCK_EXPERTS] = {"mlp", "m", "from the experts", 0},
    [LAB_BLOCK_HIDDEN] = {"hidden", "u", "into the hidden width", LAB_BLOCK_COLUMN_NEURON},
    [LAB_BLOCK_MLP_GATE] = {"gate", "t", "the gate, of the hidden width", LAB_BLOCK_COLUMN_NEURON},
    [LAB_BLOCK_UP] = {"up", "u", "what the gate is for", LAB_BLOCK_COLUMN_NEURON},
    [LAB_BLOCK_ACTIVE] = {"active", "h", "what is active of it", LAB_BLOCK_COLUMN_NEURON},
    [LAB_BLOCK_GATED] = {"gated", "g", "what the gate lets through", LAB_BLOCK_COLUMN_NEURON},
    [LAB_BLOCK_MLP] = {"mlp", "m", "out of the hidden width", 0},
    [LAB_BLOCK_MLP_NORM] = {"mlp_norm", "m′", "what the MLP gives, normed", 0},
    [LAB_BLOCK_BOTH] = {"both", "s", "attention and MLP together", 0},
    [LAB_BLOCK_WHOLE] = {"sum", "s", "the residual stream with the MLP added", 0},
    [LAB_BLOCK_Y] = {"y", "y", "the residual stream behind the layer", 0},
    [LAB_BLOCK_Y_ADDED] = {"y", "y", "the residual stream with attention added", 0},
    [LAB_BLOCK_FINAL] = {"final", "ŷ", "the final norm, which logits are made of", 0},
};

/* How many steps an operation is made of. */
static size_t operand_count(enum lab_operation operation)
{
    const bool two = operation == LAB_SUM || operation == LAB_GATE ||
                     operation == LAB_ACTIVATED_GATE || operation == LAB_BESIDE;
    return operation == LAB_GIVEN ? 0 : two ? 2 : 1;
}

struct words {
    struct lab_block_word word[LAB_BLOCK_WORDS];
    size_t count;
};

struct lab_block {
    atomic_size_t references;
    struct arena arena;
    struct lab_block_facts facts;
    struct lab_block_step step[LAB_BLOCK_STEPS_MAX];
    struct lab_block_weights weights;
    struct lab_block_neuron *neuron; /* [n][neurons] */
    size_t neurons;
    size_t *kept_neuron; /* [kept] the neurons to which these rows of W belong: */
    size_t kept;
    float *row;          /* [kept][cols] */
    struct words *words; /* [n]; NULL: of none */
};

static void release_weights(const struct lab_block_weights *weights)
{
    if (weights->release != NULL) {
        weights->release(weights->owner);
    }
}

struct lab_block *lab_block_make(size_t n, size_t layer, size_t layers,
                                 const struct lab_block_weights *weights)
{
    struct lab_block *const block = calloc(1, sizeof *block);
    if (block == NULL) {
        release_weights(weights);
        return NULL;
    }
    atomic_init(&block->references, 1);
    block->weights = *weights;
    block->facts = (struct lab_block_facts){.n = n,
                                            .layer = layer,
                                            .layers = layers,
                                            .hidden = LAB_BLOCK_NOTHING,
                                            .out = LAB_BLOCK_NOTHING};
    return block;
}

static const float *copy_values(struct lab_block *block, const float *values, size_t rows,
                                size_t cols)
{
    float *const copy = arena_array(&block->arena, rows * cols, sizeof *copy);
    if (copy != NULL && values != NULL) {
        memcpy(copy, values, rows * cols * sizeof *copy);
    }
    return copy;
}

static void keep_asked(struct lab_block *block, const struct lab_block_step *step,
                       struct lab_block_step *own)
{
    const size_t count = step->op == LAB_MIX_EXPERTS ? block->facts.n * step->asked.count : 0;
    size_t *const expert = count == 0 ? NULL : arena_array(&block->arena, count, sizeof *expert);
    own->asked.expert = expert;
    own->asked.said = count == 0 ? NULL : copy_values(block, step->asked.said, count, step->cols);
    if (expert != NULL) {
        memcpy(expert, step->asked.expert, count * sizeof *expert);
    }
}

size_t lab_block_add(struct lab_block *block, const struct lab_block_step *step)
{
    const size_t at = block->facts.steps;
    if (at == LAB_BLOCK_STEPS_MAX) {
        return LAB_BLOCK_NOTHING;
    }
    struct lab_block_step *const own = &block->step[at];
    *own = *step;
    own->name = names[step->named].name;
    own->sign = names[step->named].sign;
    own->what = names[step->named].what;
    own->column = names[step->named].column;
    for (size_t i = operand_count(step->op); i < 2; i++) {
        own->of[i] = LAB_BLOCK_NOTHING;
    }
    own->values = copy_values(block, step->values, block->facts.n, step->cols);
    const size_t once = step->together > 0 ? step->together : step->cols;
    own->gain = step->gain == NULL ? NULL : copy_values(block, step->gain, 1, once);
    own->bias = step->bias == NULL ? NULL : copy_values(block, step->bias, 1, once);
    own->turn.turns = step->op != LAB_TURN
                          ? NULL
                          : copy_values(block, step->turn.turns, block->facts.n, step->turn.width);
    keep_asked(block, step, own);
    if (block->arena.lacking) {
        return LAB_BLOCK_NOTHING;
    }
    block->facts.steps++;
    return at;
}

/* ---- neurons --------------------------------------------------------------------------------- */

/* Inserts a neuron into the list of the largest ones. */
static void insert_neuron(struct lab_block_neuron *largest, size_t max, size_t *count,
                          const struct lab_block_neuron *one)
{
    size_t at = *count;
    while (at > 0 && largest[at - 1].length < one->length) {
        at--;
    }
    if (at == max) {
        return;
    }
    const size_t last = *count < max ? (*count)++ : max - 1;
    memmove(&largest[at + 1], &largest[at], (last - at) * sizeof *largest);
    largest[at] = *one;
}

/* Sums w² of each row of W, a panel of columns at a time. */
static void measure_rows(const struct lab_block *block, const struct lab_block_step *narrow,
                         size_t depth, float *panel, double *squares)
{
    for (size_t first = 0; first < narrow->cols; first += PANEL) {
        const size_t count = narrow->cols - first < PANEL ? narrow->cols - first : PANEL;
        block->weights.columns(block->weights.owner, narrow->matrix, first, count, panel);
        for (size_t row = 0; row < depth; row++) {
            for (size_t c = 0; c < count; c++) {
                squares[row] += (double)panel[row * count + c] * (double)panel[row * count + c];
            }
        }
    }
}

/* Copies the rows of W of the neurons that were found, as far as there is room. */
static void keep_rows(struct lab_block *block, const struct lab_block_step *narrow, float *panel)
{
    for (size_t first = 0; first < narrow->cols; first += PANEL) {
        const size_t count = narrow->cols - first < PANEL ? narrow->cols - first : PANEL;
        block->weights.columns(block->weights.owner, narrow->matrix, first, count, panel);
        for (size_t k = 0; k < block->kept; k++) {
            memcpy(block->row + k * narrow->cols + first, panel + block->kept_neuron[k] * count,
                   count * sizeof *panel);
        }
    }
}

/* Returns the place of a neuron's row; block->kept: it has none. */
static size_t kept_place(const struct lab_block *block, size_t neuron)
{
    size_t k = 0;
    while (k < block->kept && block->kept_neuron[k] != neuron) {
        k++;
    }
    return k;
}

bool lab_block_find_neurons(struct lab_block *block, size_t hidden, size_t out)
{
    const struct lab_block_step *const wide = &block->step[hidden], *const narrow =
                                                                        &block->step[out];
    const size_t n = block->facts.n;
    const size_t max = wide->cols < LAB_BLOCK_NEURONS ? wide->cols : LAB_BLOCK_NEURONS;
    struct arena arena = {0};
    double *const squares = arena_array(&arena, wide->cols, sizeof *squares);
    float *const panel = arena_array(&arena, wide->cols, PANEL * sizeof *panel);
    block->neuron = arena_array(&block->arena, n * max, sizeof *block->neuron);
    block->kept_neuron = arena_array(&block->arena, ROWS_KEPT, sizeof *block->kept_neuron);
    block->row = arena_array(&block->arena, ROWS_KEPT, narrow->cols * sizeof *block->row);
    const bool room = squares != NULL && panel != NULL && block->neuron != NULL &&
                      block->kept_neuron != NULL && block->row != NULL;
    if (room) {
        measure_rows(block, narrow, wide->cols, panel, squares);
    }
    for (size_t i = n; room && i-- > 0;) { /* from the last word, which people look at first */
        struct lab_block_neuron *const largest = block->neuron + i * max;
        size_t count = 0;
        for (size_t neuron = 0; neuron < wide->cols; neuron++) {
            const float activation = wide->values[i * wide->cols + neuron];
            const double length = fabs((double)activation) * sqrt(squares[neuron]);
            insert_neuron(largest, max, &count,
                          &(struct lab_block_neuron){neuron, activation, (float)length});
        }
        for (size_t k = 0; k < count; k++) {
            if (block->kept < ROWS_KEPT && kept_place(block, largest[k].neuron) == block->kept) {
                block->kept_neuron[block->kept++] = largest[k].neuron;
            }
        }
    }
    if (room) {
        keep_rows(block, narrow, panel);
        block->neurons = max;
        block->facts.hidden = hidden;
        block->facts.out = out;
    }
    arena_free(&arena);
    return room;
}

const struct lab_block_neuron *lab_block_neurons(const struct lab_block *block, size_t row,
                                                 size_t *count)
{
    *count = block->facts.out == LAB_BLOCK_NOTHING ? 0 : block->neurons;
    return *count == 0 ? NULL : block->neuron + row * block->neurons;
}

bool lab_block_adds(const struct lab_block *block, size_t row, size_t neuron, float *out)
{
    if (block->facts.out == LAB_BLOCK_NOTHING) {
        return false;
    }
    const struct lab_block_step *const wide = &block->step[block->facts.hidden];
    const struct lab_block_step *const narrow = &block->step[block->facts.out];
    const float activation = wide->values[row * wide->cols + neuron];
    const size_t kept = kept_place(block, neuron);
    for (size_t c = 0; kept < block->kept && c < narrow->cols; c++) {
        out[c] = block->row[kept * narrow->cols + c] * activation;
    }
    return kept < block->kept;
}

/* ---- words ----------------------------------------------------------------------------------- */

bool lab_block_set_words(struct lab_block *block, size_t row, const float *logits, size_t count,
                         const char *(*name)(void *owner, size_t index, struct arena *arena),
                         void *owner)
{
    if (block->words == NULL) {
        block->words = arena_array(&block->arena, block->facts.n, sizeof *block->words);
    }
    if (block->words == NULL || count == 0) {
        return block->words != NULL;
    }
    uint32_t best[LAB_BLOCK_WORDS];
    const size_t found = lab_find_largest(logits, count, LAB_BLOCK_WORDS, best);
    const struct lab_shares shares = lab_shares_of(logits, count, 1);
    struct words *const words = &block->words[row];
    for (size_t b = 0; b < found; b++) {
        const char *const text = name(owner, best[b], &block->arena);
        words->word[b] = (struct lab_block_word){text == NULL ? "" : text, best[b], logits[best[b]],
                                                 lab_share(&shares, logits[best[b]])};
    }
    words->count = found;
    return !block->arena.lacking;
}

const struct lab_block_word *lab_block_words(const struct lab_block *block, size_t row,
                                             size_t *count)
{
    *count = block->words == NULL ? 0 : block->words[row].count;
    return *count == 0 ? NULL : block->words[row].word;
}

/* ---- read ------------------------------------------------------------------------------------ */

struct lab_block *lab_block_keep(const struct lab_block *block)
{
    struct lab_block *const shared = (struct lab_block *)block; /* only the count changes */
    if (shared != NULL) {
        atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    }
    return shared;
}

void lab_block_release(const struct lab_block *block)
{
    struct lab_block *const shared = (struct lab_block *)block;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        release_weights(&shared->weights);
        arena_free(&shared->arena);
        free(shared);
    }
}

struct lab_block_facts lab_block_facts(const struct lab_block *block)
{
    return block->facts;
}

const struct lab_block_step *lab_block_step(const struct lab_block *block, size_t step)
{
    return &block->step[step];
}

bool lab_block_is_at(const struct lab_block *block, size_t step, enum lab_block_at at)
{
    const unsigned where = block->step[step].at;
    return ((where == 0 ? (unsigned)LAB_BLOCK_AT_BLOCK : where) & (unsigned)at) != 0;
}

size_t lab_block_find(const struct lab_block *block, const char *name)
{
    for (size_t s = 0; s < block->facts.steps; s++) {
        if (strcmp(block->step[s].name, name) == 0) {
            return s;
        }
    }
    return LAB_BLOCK_NOTHING;
}

void lab_norm_of(const float *x, size_t count, bool centred, double epsilon, double *mean,
                 double *root)
{
    double sum = 0, squares = 0;
    for (size_t c = 0; centred && c < count; c++) {
        sum += (double)x[c];
    }
    *mean = sum / (double)count;
    for (size_t c = 0; c < count; c++) {
        squares += ((double)x[c] - *mean) * ((double)x[c] - *mean);
    }
    *root = sqrt(squares / (double)count + epsilon);
}

void lab_block_norm_of(const struct lab_block *block, size_t step, size_t row, size_t column,
                       double *mean, double *root)
{
    const struct lab_block_step *const norm = &block->step[step];
    const struct lab_block_step *const of = &block->step[norm->of[0]];
    const size_t count = norm->together > 0 ? norm->together : of->cols;
    lab_norm_of(of->values + row * of->cols + column / count * count, count, norm->centred,
                norm->epsilon, mean, root);
}

static size_t gain_index(const struct lab_block_step *norm, size_t column)
{
    return column % (norm->together > 0 ? norm->together : norm->cols);
}

double lab_block_gain(const struct lab_block *block, size_t step, size_t column)
{
    const struct lab_block_step *const s = &block->step[step];
    return s->gain == NULL ? 1 : (double)s->gain[gain_index(s, column)];
}

double lab_block_bias(const struct lab_block *block, size_t step, size_t column)
{
    const struct lab_block_step *const s = &block->step[step];
    return s->bias == NULL ? 0 : (double)s->bias[gain_index(s, column)];
}

bool lab_block_pair_of(const struct lab_block *block, size_t step, size_t row, size_t column,
                       struct lab_block_pair *pair)
{
    const struct lab_block_step *const s = &block->step[step];
    const struct lab_block_turn *const turn = &s->turn;
    const size_t part = s->cols / (s->parts > 0 ? s->parts : 1), at = column % part;
    const size_t pairs = turn->width / 2, place = at - turn->first;
    if (at < turn->first || place >= turn->width) {
        return false;
    }
    const bool second = turn->neighbours ? place % 2 == 1 : place >= pairs;
    const size_t apart = turn->neighbours ? 1 : pairs;
    const size_t which = turn->neighbours ? place / 2 : place % pairs;
    const float *const turns = turn->turns + row * turn->width;
    pair->other = second ? column - apart : column + apart;
    pair->cosine = (double)turns[which];
    pair->sine = second ? (double)turns[pairs + which] : -(double)turns[pairs + which];
    return true;
}

size_t lab_block_beside(const struct lab_block *block, size_t step, size_t column, size_t *from)
{
    const struct lab_block_step *const s = &block->step[step];
    const size_t own = block->step[s->of[0]].cols / s->parts, shared = block->step[s->of[1]].cols;
    const size_t part = column / (own + shared), at = column % (own + shared);
    *from = at < own ? part * own + at : at - own;
    return s->of[at < own ? 0 : 1];
}

void lab_block_column(const struct lab_block *block, size_t step, size_t column, float *out)
{
    block->weights.columns(block->weights.owner, block->step[step].matrix, column, 1, out);
}

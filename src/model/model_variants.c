/* model/model_variants.c — a run once more: to be looked at on the way, or with other interventions
 * in many variants at once. A variant has the run's rows up to the first number that differs, and
 * from there on the rows of all variants are multiplied together: weights are read once. */
#include <stdlib.h>
#include <string.h>

#include "attn/pool.h"
#include "base/checked.h"
#include "model/model_internal.h"

/* Rows that are multiplied at once, and bytes that they may take; rows of logits. */
enum { ROWS_MAX = 4096, BYTES_MAX = 256 << 20, WORD_ROWS = 64 };

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory for this text: take fewer tokens.");
}

/* A variant, and where it leaves the run. */
struct leaving {
    struct model_interventions list; /* with those of the run */
    size_t variant, layer;
    bool has_heads; /* the heads of that layer are the run's, but for their Z */
};

struct walk {
    struct arena arena;
    const struct model_run *from;
    struct model_run run; /* with rows and scratch of its own: others compute meanwhile */
    const struct model_varying *how;
    struct model_interventions *lists; /* [copies] */
    size_t copies;                     /* at most so many at once */
    float *z;                          /* [n][heads · d_v] of the run */
    size_t done, all;
};

/* ---- memory -------------------------------------------------------------------------------- */

/* Makes room for so many copies of the text. */
static bool make_walk(struct walk *walk, const struct model_run *from, size_t copies)
{
    const struct model_config *const config = &from->model->config;
    const size_t n = from->main.count, z = config->heads * config->d_v;
    struct model_pass *const pass = &walk->run.main;
    walk->from = from;
    walk->run = *from;
    walk->run.visitor = (struct model_visitor){.see = NULL};
    walk->run.on_layer = NULL;
    *pass =
        (struct model_pass){.stack = from->main.stack, .interventions = from->main.interventions};
    walk->copies = copies;
    walk->lists = arena_array(&walk->arena, copies, sizeof *walk->lists);
    walk->z = arena_array(&walk->arena, n * z, sizeof *walk->z);
    walk->run.means.scratch = arena_array(&walk->arena, attn_pool_threads(from->means.pool),
                                          (from->means.worker_floats + 1) * sizeof(float));
    if (walk->lists == NULL || walk->z == NULL || walk->run.means.scratch == NULL ||
        !model_pass_passing_room(from, pass, copies * n)) {
        return false;
    }
    pass->count = n;
    memcpy(pass->ids, from->main.ids, n * sizeof *pass->ids);
    memcpy(pass->types, from->main.types, n * sizeof *pass->types);
    for (size_t r = 0; r < 2; r++) {
        model_turns(&config->rotary[r], n, 0, n, pass->turns[r]);
    }
    return true;
}

static void free_walk(struct walk *walk)
{
    arena_free(&walk->run.main.arena);
    arena_free(&walk->arena);
}

static struct model_rows rows_at(struct walk *walk, size_t layer, size_t copies)
{
    struct model_pass *const pass = &walk->run.main;
    return (struct model_rows){.run = &walk->run,
                               .pass = pass,
                               .layer = &pass->stack->layer[layer],
                               .number = layer,
                               .count = copies * pass->count,
                               .copies = copies,
                               .lists = walk->lists,
                               .x = pass->residual[layer],
                               .sum = pass->residual[layer + 1]};
}

/* Where a variant leaves the run: at its first number in the order of computing. */
static bool make_leaving(const struct model_run *run, struct model_interventions more,
                         size_t variant, struct arena *arena, struct leaving *out)
{
    const struct model_interventions own = run->main.interventions;
    struct model_intervention *const rows =
        arena_array(arena, own.count + more.count + 1, sizeof *rows);
    *out = (struct leaving){.variant = variant, .layer = run->main.stack->count, .has_heads = true};
    if (rows == NULL) {
        return false;
    }
    if (own.count > 0) {
        memcpy(rows, own.row, own.count * sizeof *rows);
    }
    for (size_t i = 0; i < more.count; i++) {
        rows[own.count + i] = more.row[i];
        if (more.row[i].layer < out->layer) {
            out->layer = more.row[i].layer;
        }
    }
    out->list = (struct model_interventions){rows, own.count + more.count};
    out->has_heads =
        !model_intervenes(more, MODEL_NODE_RESIDUAL, MODEL_NODE_ALPHA, out->layer, MODEL_EACH);
    return true;
}

/* ---- a run that is looked at ----------------------------------------------------------------- */

bool model_run_visit(const struct model_run *run, struct model_interventions more,
                     struct model_visitor visitor, struct error *error)
{
    struct walk walk = {.all = 0};
    struct leaving leaving;
    const size_t layers = run->main.stack->count, width = run->model->config.width;
    const size_t floats = run->main.count * width;
    bool done = model_interventions_check(run->model, more, run->main.count, error) &&
                ((make_walk(&walk, run, 1) && make_leaving(run, more, 0, &walk.arena, &leaving)) ||
                 no_memory(error));
    const size_t first = more.count == 0 || !done ? 0 : leaving.layer;
    if (done) {
        memcpy(walk.run.main.residual[first], run->main.residual[first], floats * sizeof(float));
        walk.run.visitor = visitor;
        walk.run.main.interventions = leaving.list;
    }
    for (size_t l = first; done && l < layers; l++) {
        struct model_rows rows = rows_at(&walk, l, 1);
        rows.lists = &walk.run.main.interventions;
        model_rows_arrive(&rows, l, rows.x);
        done = (model_rows_heads(&rows) && model_rows_finish(&rows)) || no_memory(error);
        if (done && l + 1 == layers) {
            model_rows_arrive(&rows, layers, rows.sum);
        }
    }
    free_walk(&walk);
    return done;
}

/* ---- many variants ------------------------------------------------------------------------- */

/* Lower layers first, and in a layer those that share its heads last. */
static int compare_leavings(const void *left, const void *right)
{
    const struct leaving *const a = left, *const b = right;
    if (a->layer != b->layer) {
        return a->layer < b->layer ? -1 : 1;
    }
    if (a->has_heads != b->has_heads) {
        return a->has_heads ? 1 : -1;
    }
    return a->variant < b->variant ? -1 : a->variant > b->variant ? 1 : 0;
}

/* Z of the run's own heads for a copy, with what the variant replaces of it. */
static void share_heads(struct walk *walk, size_t layer, size_t copy)
{
    const struct model_config *const config = &walk->run.model->config;
    const size_t n = walk->run.main.count, z = config->heads * config->d_v;
    float *const mixed = walk->run.main.mixed + copy * n * z;
    memcpy(mixed, walk->z, n * z * sizeof *mixed);
    for (size_t h = 0; h < config->heads; h++) {
        model_intervene(walk->run.model, walk->lists[copy], MODEL_NODE_Z, layer, h, 0,
                        (struct attn_matrix){mixed + h * config->d_v, n, config->d_v, z});
    }
}

/* Keeps the rows that are asked for, of x and of Z: no other rows are read behind the last
 * attention. Returns whether they are all that is kept. */
static bool keep_asked_rows(const struct walk *walk, struct model_rows *rows)
{
    const struct model_config *const config = &walk->run.model->config;
    const size_t n = walk->run.main.count, z = config->heads * config->d_v;
    const size_t asked = walk->how->count, first = walk->how->first;
    for (size_t b = 0; b < rows->copies; b++) {
        if (asked == n || !model_grows(walk->lists[b])) { /* a mean is over all rows */
            return false;
        }
    }
    for (size_t b = 0; b < rows->copies; b++) {
        memmove(rows->x + b * asked * config->width, rows->x + (b * n + first) * config->width,
                asked * config->width * sizeof(float));
        memmove(rows->pass->mixed + b * asked * z, rows->pass->mixed + (b * n + first) * z,
                asked * z * sizeof(float));
    }
    rows->first = first;
    rows->count = rows->copies * asked;
    return true;
}

/* One layer of the copies; the last `sharing` of them share the run's heads. */
static bool compute_layer(struct walk *walk, size_t layer, size_t copies, size_t sharing,
                          bool *is_cut)
{
    const size_t n = walk->run.main.count,
                 z = walk->run.model->config.heads * walk->run.model->config.d_v;
    struct model_rows rows = rows_at(walk, layer, copies - sharing);
    struct model_run base = *walk->from;
    base.means.scratch = walk->run.means.scratch;
    if (sharing > 0 && !model_attend(&base, MODEL_SELF, layer, 0, n, dense_matrix(walk->z, n, z))) {
        return false;
    }
    if (copies > sharing) {
        model_rows_arrive(&rows, layer, rows.x);
        if (!model_rows_heads(&rows)) {
            return false;
        }
    }
    for (size_t b = copies - sharing; b < copies; b++) {
        share_heads(walk, layer, b);
    }
    rows.copies = copies;
    rows.count = copies * n;
    if (layer + 1 == walk->run.main.stack->count) {
        *is_cut = keep_asked_rows(walk, &rows);
    }
    return model_rows_finish(&rows);
}

struct telling {
    const struct model_varying *how;
    const struct leaving *leaving;
    const float *logits;
    size_t vocabulary;
};

static void tell_words(void *context, size_t job, size_t worker)
{
    const struct telling *const telling = context;
    (void)worker;
    telling->how->on_words(telling->how->owner, telling->leaving[job].variant,
                           telling->logits + job * telling->how->count * telling->vocabulary);
}

/* The asked rows of each copy become next words. rows: [copies][each][width]. */
static bool make_words(struct walk *walk, const struct leaving *leaving, size_t copies, float *rows,
                       size_t each, size_t first, struct error *error)
{
    const struct model_config *const config = &walk->run.model->config;
    const size_t asked = walk->how->count, width = config->width;
    const size_t at_once = asked >= WORD_ROWS ? 1 : WORD_ROWS / asked;
    struct arena arena = {0};
    size_t floats = 0;
    float *const logits = checked_multiply(at_once * asked, config->vocabulary, &floats)
                              ? arena_array(&arena, floats, sizeof *logits)
                              : NULL;
    float *const last = arena_array(&arena, at_once * asked, width * sizeof *last);
    bool done = (logits != NULL && last != NULL) || no_memory(error);
    for (size_t b = 0; done && b < copies; b += at_once) {
        const size_t some = copies - b < at_once ? copies - b : at_once;
        const struct telling telling = {walk->how, leaving + b, logits, config->vocabulary};
        for (size_t c = 0; c < some; c++) {
            memcpy(last + c * asked * width, rows + ((b + c) * each + first) * width,
                   asked * width * sizeof *last);
        }
        done = model_rows_words(&walk->run, last, some * asked, logits, error);
        if (done) {
            attn_pool_run(walk->run.means.pool,
                          20 * (double)(some * asked) * (double)config->vocabulary, some,
                          tell_words, (void *)&telling);
        }
    }
    arena_free(&arena);
    return done;
}

static bool go_on(struct walk *walk)
{
    const struct model_varying *const how = walk->how;
    return how->on_progress == NULL || how->on_progress(how->owner, walk->done++, walk->all);
}

/* Some variants in their order, from the lowest layer up. */
static bool compute_some(struct walk *walk, const struct leaving *leaving, size_t count,
                         struct error *error)
{
    struct model_pass *const pass = &walk->run.main;
    const size_t layers = pass->stack->count, n = pass->count;
    const size_t width = walk->run.model->config.width;
    bool is_cut = false;
    size_t copies = 0;
    for (size_t b = 0; b < count; b++) {
        walk->lists[b] = leaving[b].list;
    }
    for (size_t l = leaving[0].layer; l <= layers; l++) {
        size_t sharing = 0;
        for (; copies < count && leaving[copies].layer == l; copies++) {
            memcpy(pass->residual[l] + copies * n * width, walk->from->main.residual[l],
                   n * width * sizeof(float));
            sharing += leaving[copies].has_heads ? 1 : 0;
        }
        if (l == layers) {
            break;
        }
        if (!go_on(walk)) {
            return false;
        }
        if (!compute_layer(walk, l, copies, sharing, &is_cut)) {
            return no_memory(error);
        }
    }
    const size_t each = is_cut ? walk->how->count : n;
    struct model_rows rows = rows_at(walk, layers - 1, count);
    rows.count = count * each;
    rows.first = is_cut ? walk->how->first : 0;
    model_rows_arrive(&rows, layers, rows.sum);
    return make_words(walk, leaving, count, rows.sum, each, is_cut ? 0 : walk->how->first, error);
}

/* How many copies there is room for. */
static size_t copies_at_once(const struct model_run *run, size_t count)
{
    const size_t n = run->main.count, bytes = model_pass_passing_bytes(run);
    const size_t rows = BYTES_MAX / bytes < ROWS_MAX ? BYTES_MAX / bytes : ROWS_MAX;
    const size_t copies = rows / n > 0 ? rows / n : 1;
    return copies < count ? copies : count;
}

bool model_run_vary(const struct model_run *run, const struct model_interventions *variants,
                    size_t count, const struct model_varying *how, struct error *error)
{
    struct walk walk = {.how = how};
    struct leaving *const leaving = arena_array(&walk.arena, count + 1, sizeof *leaving);
    bool done = leaving != NULL || no_memory(error);
    for (size_t v = 0; done && v < count; v++) {
        done = model_interventions_check(run->model, variants[v], run->main.count, error) &&
               (make_leaving(run, variants[v], v, &walk.arena, &leaving[v]) || no_memory(error));
    }
    if (done && count > 0) {
        const size_t copies = copies_at_once(run, count);
        qsort(leaving, count, sizeof *leaving, compare_leavings);
        done = make_walk(&walk, run, copies) || no_memory(error);
        for (size_t v = 0; v < count; v += copies) {
            walk.all += run->main.stack->count - leaving[v].layer;
        }
        for (size_t v = 0; done && v < count; v += copies) {
            const size_t some = count - v < copies ? count - v : copies;
            done = compute_some(&walk, leaving + v, some, error);
        }
    }
    free_walk(&walk);
    return done && run->model->source->calls->whole(run->model->source, error);
}

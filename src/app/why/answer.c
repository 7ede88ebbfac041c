/* The answer to a question, in slices: the run, what each part adds, what the model would say
 * behind each part, and what is lost without each head and MLP in turn, the upper layers first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/why/why_internal.h"
#include "lab/run/sample.h"
#include "model/direct.h"
#include "why/ablation.h"
#include "why/lens.h"
#include "why/patching.h"
#include "why/weighted.h"
#include "why/word.h"

enum { CHOICES_MAX = 64 };

/* So many multiplications delay no frame; and the lens of a longer text would take minutes. */
static const double SMALL = 6e7, LENS_MAX = 1e11;

/* Shared by all that is published of one answer. */
struct kept {
    struct value value;
    struct arena arena;
};

struct answering {
    struct model_run *run;
    struct why_question question;
    struct kept *kept;
    struct view_why_answer shown; /* so far; its lists are the kept one's */
    struct view_why_part *part;
    bool has_lens;
    float *by_output;      /* [layers][heads][n] the kept one's; NULL: not begun */
    size_t layers_weighed; /* of it */
    size_t layers_left;    /* whose parts are not left out yet */
    bool has_paths;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

static void drop_kept(struct value *value)
{
    struct kept *const kept = (struct kept *)value;
    arena_free(&kept->arena);
    free(kept);
}

static void drop_answering(void *state)
{
    struct answering *const answering = state;
    model_run_close(answering->run);
    value_release(answering->kept == NULL ? NULL : &answering->kept->value);
    free(answering);
}

static struct model_intervention mlp_off(size_t layer)
{
    return (struct model_intervention){.node = MODEL_NODE_MLP,
                                       .by = MODEL_BY_VALUE,
                                       .layer = layer,
                                       .row = MODEL_EACH,
                                       .column = MODEL_EACH};
}

/* ---- what parts add -------------------------------------------------------------------------- */

/* The numbers that each MLP adds at the position, gathered while the run is visited. */
struct gathering {
    size_t position, width;
    float *of_mlp; /* [layers][width] */
};

static void gather_rows(void *owner, enum model_node node, size_t layer, struct attn_operand rows)
{
    const struct gathering *const g = owner;
    if (node == MODEL_NODE_MLP) {
        memcpy(g->of_mlp + layer * g->width, rows.values + g->position * rows.stride,
               g->width * sizeof *g->of_mlp);
    }
}

/* The largest terms of a part that adds `row` to the stream. */
static void find_terms(struct view_why_part *part, const double *direction, const float *row,
                       size_t width)
{
    bool taken[VIEW_WHY_TERMS] = {false};
    size_t place[VIEW_WHY_TERMS] = {0};
    for (size_t t = 0; t < VIEW_WHY_TERMS && t < width; t++) {
        double largest = -1;
        for (size_t c = 0; c < width; c++) {
            const double size = fabs(direction[c] * (double)row[c]);
            bool is_taken = false;
            for (size_t before = 0; before < t; before++) {
                is_taken = is_taken || (taken[before] && place[before] == c);
            }
            if (!is_taken && size > largest) {
                largest = size;
                place[t] = c;
            }
        }
        taken[t] = true;
        part->term[t][0] = (double)row[place[t]];
        part->term[t][1] = direction[place[t]];
    }
}

/* How word − rival reads the stream. */
static const double *find_direction(struct answering *a, const struct model *model,
                                    struct arena *arena, struct error *error)
{
    const struct model_config *const config = model_config(model);
    const float *const x =
        model_run_residual(a->run, config->layers) + a->question.position * config->width;
    struct model_direction word, rival;
    if (!model_direction_of(model, x, a->question.word, arena, &word, error)) {
        return NULL;
    }
    if (a->question.has_rival) {
        if (!model_direction_of(model, x, a->question.rival, arena, &rival, error)) {
            return NULL;
        }
        for (size_t c = 0; c < config->width; c++) {
            word.of_stream[c] -= rival.of_stream[c];
        }
    }
    return word.of_stream;
}

static bool add_terms(struct answering *a, const struct model *model, struct error *error)
{
    const struct model_config *const config = model_config(model);
    struct arena arena = {0};
    struct gathering g = {.position = a->question.position, .width = config->width};
    g.of_mlp = arena_array(&arena, config->layers, config->width * sizeof *g.of_mlp);
    bool done = g.of_mlp != NULL || no_memory(error);
    const double *const direction = done ? find_direction(a, model, &arena, error) : NULL;
    done = direction != NULL &&
           model_run_visit(a->run, model_no_interventions,
                           (struct model_visitor){.see = gather_rows, .owner = &g}, error);
    for (size_t p = 0; done && p < a->shown.parts; p++) {
        if (a->part[p].kind == VIEW_WHY_MLP) {
            find_terms(&a->part[p], direction, g.of_mlp + a->part[p].layer * config->width,
                       config->width);
        }
    }
    arena_free(&arena);
    return done;
}

/* Heads and MLPs can be switched off; a layer's experts are, together, as its MLP. */
static bool is_removable(const struct why_part *part)
{
    return part->kind == WHY_HEAD || part->kind == WHY_MLP || part->kind == WHY_EXPERT;
}

/* Returns whether a part adds nothing at any word because it is switched off. */
static bool is_off(const struct why_asked *asked, const struct why_part *part)
{
    const struct model_intervention off =
        part->kind == WHY_HEAD ? model_head_off(part->layer, part->head) : mlp_off(part->layer);
    bool is = false;
    for (size_t c = 0; is_removable(part) && c < asked->changes; c++) {
        is = is || model_intervention_equal(&asked->change[c], &off);
    }
    return is;
}

/* Returns whether a head gives something else at the position than its weights and values make. */
static bool is_replaced(const struct why_asked *asked, const struct why_part *part, size_t position)
{
    bool is = false;
    for (size_t c = 0; part->kind == WHY_HEAD && c < asked->changes; c++) {
        const struct model_intervention *const one = &asked->change[c];
        is = is || (one->node == MODEL_NODE_Z && one->layer == part->layer &&
                    one->head == part->head && (one->row == MODEL_EACH || one->row == position));
    }
    return is;
}

/* Experts of a layer are left out together, as its MLP. */
static struct view_why_part shown_part(const struct why_part *part, const struct why_asked *asked,
                                       size_t position, struct arena *arena)
{
    const bool is_mlp = part->kind == WHY_MLP || part->kind == WHY_EXPERT;
    const bool off = is_off(asked, part);
    return (struct view_why_part){.name = part->kind == WHY_EXPERT
                                              ? arena_format(arena, "MLP %zu", part->layer)
                                              : arena_text(arena, part->name, strlen(part->name)),
                                  .kind = part->kind == WHY_HEAD ? VIEW_WHY_HEAD
                                          : is_mlp               ? VIEW_WHY_MLP
                                                                 : VIEW_WHY_OTHER,
                                  .layer = part->layer,
                                  .head = is_mlp ? 0 : part->head,
                                  .is_off = off,
                                  .is_replaced = !off && is_replaced(asked, part, position),
                                  .adds = part->value};
}

/* Copies what outlives the attribution. */
static bool keep_attribution(struct answering *a, const struct why_asked *asked,
                             const struct why_attribution *attribution)
{
    struct view_why_answer *const shown = &a->shown;
    struct arena *const arena = &a->kept->arena;
    const size_t heads = attribution->layers * attribution->heads, n = attribution->n;
    double *const of_words = arena_array(arena, heads, n * sizeof *of_words);
    a->part = arena_array(arena, attribution->parts, sizeof *a->part);
    if (of_words == NULL || a->part == NULL) {
        return false;
    }
    memcpy(of_words, attribution->of_words, heads * n * sizeof *of_words);
    for (size_t p = 0; p < attribution->parts; p++) {
        const struct why_part *const part = &attribution->part[p];
        struct view_why_part *const last = shown->parts > 0 ? &a->part[shown->parts - 1] : NULL;
        if (part->kind == WHY_EXPERT && last != NULL && last->kind == VIEW_WHY_MLP &&
            last->layer == part->layer) {
            last->adds += part->value;
            continue;
        }
        a->part[shown->parts] = shown_part(part, asked, shown->position, arena);
        shown->all += a->part[shown->parts++].kind != VIEW_WHY_OTHER ? 1 : 0;
    }
    shown->of_words = of_words;
    shown->part = a->part;
    shown->logit = attribution->logit;
    shown->remainder = attribution->remainder;
    return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

static struct view_why_word shown_word(const struct answering *a, const struct model *model,
                                       uint32_t id, double share)
{
    return (struct view_why_word){model_shown_of(model, MODEL_WRITTEN, id, &a->kept->arena), id,
                                  share};
}

/* The words that may be asked for, and those that are. */
static bool list_words(struct answering *a, const struct model *model, const float *logits,
                       struct error *error)
{
    const size_t vocabulary = model_config(model)->vocabulary;
    const size_t count = vocabulary < CHOICES_MAX ? vocabulary : CHOICES_MAX;
    struct arena *const arena = &a->kept->arena;
    struct view_why_word *const choice = arena_array(arena, count, sizeof *choice);
    uint32_t best[CHOICES_MAX];
    if (choice == NULL) {
        return no_memory(error);
    }
    const double all = lab_log_sum(logits, vocabulary);
    (void)lab_find_largest(logits, vocabulary, count, best);
    for (size_t c = 0; c < count; c++) {
        choice[c] = shown_word(a, model, best[c], exp((double)logits[best[c]] - all));
    }
    a->shown.choice = choice;
    a->shown.choices = count;
    const uint32_t word = a->question.word, rival = a->question.rival;
    a->shown.word = shown_word(a, model, word, exp((double)logits[word] - all));
    if (a->question.has_rival) {
        a->shown.rival = shown_word(a, model, rival, exp((double)logits[rival] - all));
    }
    a->shown.words = why_words_shown(a->run, model, arena);
    return a->shown.words != NULL || no_memory(error);
}

/* The same weights of a layer times how long each word's value is, into out of all layers. */
static bool weigh_layer(const struct answering *a, const struct model *model, enum why_weighted by,
                        size_t layer, float *out, struct error *error)
{
    const struct view_why_answer *const shown = &a->shown;
    const size_t each = shown->heads * shown->n;
    float *const weighed = out + layer * each;
    const bool done = why_lengths(a->run, model, layer, by, weighed, error);
    for (size_t c = 0; done && c < each; c++) {
        weighed[c] *= shown->weight[VIEW_BY_ALPHA][layer * each + c];
    }
    return done;
}

/* By what W_O makes of the values, which takes as long as a product of all heads: layer by layer,
 * and shown when all are there. */
static bool weigh_outputs(struct answering *a, const struct model *model, struct slice *slice)
{
    const struct view_why_answer *const shown = &a->shown;
    bool done = a->by_output != NULL;
    if (!done) {
        a->by_output = arena_array(&a->kept->arena, shown->layers * shown->heads,
                                   shown->n * sizeof *a->by_output);
        done = a->by_output != NULL || no_memory(&slice->error);
    }
    while (done && a->layers_weighed < shown->layers && !slice_is_over(slice)) {
        done = weigh_layer(a, model, WHY_WEIGHTED_BY_OUTPUT, a->layers_weighed, a->by_output,
                           &slice->error);
        a->layers_weighed++;
    }
    if (done && a->layers_weighed == shown->layers) {
        a->shown.weight[VIEW_BY_OUTPUT] = a->by_output;
    }
    return done;
}

/* Which words each head does not see from the position, because a person masked them. */
static bool note_masked(struct answering *a, const struct why_asked *asked, struct error *error)
{
    const struct view_why_answer *const shown = &a->shown;
    const size_t n = shown->n, all = shown->layers * shown->heads * n;
    bool *const masked = arena_array(&a->kept->arena, all, sizeof *masked);
    if (masked == NULL) {
        return no_memory(error);
    }
    memset(masked, 0, all * sizeof *masked);
    for (size_t c = 0; c < asked->changes; c++) {
        const struct model_intervention *const one = &asked->change[c];
        if (one->node == MODEL_NODE_SCALED && isinf(one->value) && one->row == shown->position &&
            one->column < n) {
            masked[(one->layer * shown->heads + one->head) * n + one->column] = true;
        }
    }
    a->shown.masked = masked;
    return true;
}

/* The weights that each head gives at the position. */
static bool copy_weights(struct answering *a, const struct model *model, struct error *error)
{
    const struct view_why_answer *const shown = &a->shown;
    const size_t n = shown->n, heads = shown->layers * shown->heads;
    struct arena arena = {0};
    float *const weights = arena_array(&arena, n, n * sizeof *weights);
    float *const alpha = arena_array(&a->kept->arena, heads, n * sizeof *alpha);
    float *const by_value = arena_array(&a->kept->arena, heads, n * sizeof *by_value);
    bool done = (weights != NULL && alpha != NULL && by_value != NULL) || no_memory(error);
    for (size_t h = 0; done && h < heads; h++) {
        model_run_weights(a->run, h / shown->heads, h % shown->heads, weights);
        memcpy(alpha + h * n, weights + shown->position * n, n * sizeof *alpha);
    }
    a->shown.weight[VIEW_BY_ALPHA] = alpha;
    a->shown.weight[VIEW_BY_VALUE] = by_value;
    for (size_t l = 0; done && l < shown->layers; l++) {
        done = weigh_layer(a, model, WHY_WEIGHTED_BY_VALUE, l, by_value, error);
    }
    arena_free(&arena);
    return done;
}

/* ---- the steps ------------------------------------------------------------------------------- */

static bool split_logit(struct answering *a, const struct why_asked *asked, struct error *error)
{
    const struct model_config *const config = model_config(asked->model);
    struct why_attribution attribution = {.parts = 0};
    struct arena arena = {0};
    float *const logits = arena_array(&arena, config->vocabulary, sizeof *logits);
    a->kept = calloc(1, sizeof *a->kept);
    if (a->kept == NULL || logits == NULL ||
        !model_run_logits(a->run, asked->position, 1, logits, error)) {
        const bool lacks = a->kept == NULL || logits == NULL;
        free(a->kept);
        a->kept = NULL;
        arena_free(&arena);
        return lacks ? no_memory(error) : false;
    }
    value_begin(&a->kept->value, sizeof *a->kept, drop_kept);
    why_complete_question(asked, logits, &a->question);
    a->shown = (struct view_why_answer){.layers = config->layers,
                                        .heads = config->heads,
                                        .width = config->width,
                                        .n = model_run_count(a->run),
                                        .position = a->question.position,
                                        .changes = asked->changes,
                                        .change = why_rows_shown(asked, &a->kept->arena)};
    a->layers_left = config->layers;
    const bool done = (a->shown.change != NULL || no_memory(error)) &&
                      why_attribute(a->run, asked->model, &a->question, &attribution, error) &&
                      (keep_attribution(a, asked, &attribution) || no_memory(error)) &&
                      add_terms(a, asked->model, error) &&
                      list_words(a, asked->model, logits, error) &&
                      copy_weights(a, asked->model, error) && note_masked(a, asked, error);
    arena_free(&arena);
    why_attribution_free(&attribution);
    return done;
}

static bool look_through_lens(struct answering *a, const struct model *model, struct error *error)
{
    const struct model_config *const config = model_config(model);
    const size_t stages = 2 * config->layers + 1, n = a->shown.n;
    a->has_lens = true;
    if ((double)(stages * n) * (double)config->vocabulary * (double)config->width > LENS_MAX) {
        return true; /* the view says so */
    }
    struct why_lens lens;
    if (!why_lens_make(a->run, model, a->question.position, a->question.word, &lens, error)) {
        return false;
    }
    const size_t best = lens.top < VIEW_WHY_TOP ? lens.top : VIEW_WHY_TOP;
    struct view_why_word *const top = arena_array(&a->kept->arena, stages * n, best * sizeof *top);
    double *const share = arena_array(&a->kept->arena, stages, sizeof *share);
    const bool done = (top != NULL && share != NULL) || no_memory(error);
    for (size_t c = 0; done && c < stages * n; c++) {
        const struct why_lens_cell *const cell = &lens.cell[c];
        for (size_t t = 0; t < best; t++) {
            top[c * best + t] =
                shown_word(a, model, cell->top[t], (double)cell->top_probability[t]);
        }
        if (c % n == a->question.position) {
            share[c / n] = cell->probability;
        }
    }
    a->shown.lens = top;
    a->shown.top = best;
    a->shown.lens_share = share;
    why_lens_free(&lens);
    return done;
}

bool why_goes_on(void *owner, size_t done, size_t all)
{
    const atomic_bool *const is_stopped = ((const struct slice *)owner)->is_stopped;
    (void)done;
    (void)all;
    return is_stopped == NULL || !atomic_load(is_stopped);
}

/* Leaves out the heads and the MLP of the next layer, one at a time. False: memory, or
 * (ERROR_NONE) the slice is stopped. */
static bool leave_out_layer(struct answering *a, const struct why_asked *asked, struct slice *slice)
{
    const size_t layer = a->layers_left - 1, room = a->shown.heads + 1;
    struct arena arena = {0};
    struct model_intervention *const off = arena_array(&arena, room, sizeof *off);
    struct model_interventions *const variant = arena_array(&arena, room, sizeof *variant);
    struct why_state *const without = arena_array(&arena, room, sizeof *without);
    size_t *const part = arena_array(&arena, room, sizeof *part), count = 0;
    struct why_state before;
    bool done = (off != NULL && variant != NULL && without != NULL && part != NULL) ||
                no_memory(&slice->error);
    for (size_t p = 0; done && p < a->shown.parts; p++) {
        const struct view_why_part *const one = &a->part[p];
        if (one->kind == VIEW_WHY_OTHER || one->layer != layer || count == room) {
            continue;
        }
        off[count] = one->kind == VIEW_WHY_HEAD ? model_head_off(layer, one->head) : mlp_off(layer);
        variant[count] = (struct model_interventions){&off[count], 1};
        part[count++] = p;
    }
    const struct why_ablation ablation = {.run = a->run,
                                          .model = asked->model,
                                          .question = a->question,
                                          .on_progress = why_goes_on,
                                          .owner = slice};
    done = done && why_ablate(&ablation, variant, count, &before, without, &slice->error);
    for (size_t c = 0; done && c < count; c++) {
        a->part[part[c]].has_lost = true;
        a->part[part[c]].lost = before.logit - without[c].logit;
    }
    if (done) {
        a->shown.done += count;
        a->layers_left--;
    }
    arena_free(&arena);
    return done;
}

/* ---- who told whom --------------------------------------------------------------------------- */

static struct why_node node_of(const struct view_why_part *part)
{
    return (struct why_node){part->kind == VIEW_WHY_HEAD ? MODEL_NODE_Z : MODEL_NODE_MLP,
                             part->layer, part->head};
}

static bool is_later(const struct model *model, const struct view_why_part *receiver,
                     const struct view_why_part *sender)
{
    const struct why_node from = node_of(sender), to = node_of(receiver);
    return why_is_before(model, &from, &to);
}

/* The part that weighs most by what is lost without it (of heads), or by what it adds (of parts
 * that come after `sender`), other than `former`. SIZE_MAX: there is none. */
static size_t find_weightiest(const struct answering *a, const struct model *model, size_t sender,
                              size_t former)
{
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t p = 0; p < a->shown.parts; p++) {
        const struct view_why_part *const one = &a->part[p];
        const bool fits = sender == SIZE_MAX ? one->kind == VIEW_WHY_HEAD
                                             : one->kind != VIEW_WHY_OTHER && p != former &&
                                                   is_later(model, one, &a->part[sender]);
        const double size = sender == SIZE_MAX ? one->lost : fabs(one->adds);
        if (fits && size > most) {
            best = p;
            most = size;
        }
    }
    return best;
}

static bool add_path(struct answering *a, const struct why_ablation *of, size_t sender,
                     size_t receiver, struct error *error)
{
    struct why_state before, without;
    const struct why_node from = node_of(&a->part[sender]), to = node_of(&a->part[receiver]);
    if (!why_path(of, NULL, &from, &to, &before, &without, error)) {
        return false;
    }
    struct view_why_answer *const shown = &a->shown;
    shown->path[shown->paths].sender = sender;
    shown->path[shown->paths].receiver = receiver;
    shown->path[shown->paths++].lost = before.logit - without.logit;
    return true;
}

/* The head without which most is lost, and the two parts behind it that add most: each path between
 * these three. */
static bool follow_paths(struct answering *a, const struct why_asked *asked, struct slice *slice)
{
    const struct why_ablation of = {.run = a->run,
                                    .model = asked->model,
                                    .question = a->question,
                                    .on_progress = why_goes_on,
                                    .owner = slice};
    const struct model *const model = asked->model;
    const size_t sender = find_weightiest(a, model, SIZE_MAX, SIZE_MAX);
    const size_t one = sender == SIZE_MAX ? SIZE_MAX : find_weightiest(a, model, sender, SIZE_MAX);
    const size_t other = one == SIZE_MAX ? SIZE_MAX : find_weightiest(a, model, sender, one);
    const bool turned = other != SIZE_MAX && is_later(model, &a->part[one], &a->part[other]);
    const size_t first = turned ? other : one, last = turned ? one : other;
    a->shown.paths = 0;
    bool done = first == SIZE_MAX || add_path(a, &of, sender, first, &slice->error);
    if (done && last != SIZE_MAX) {
        done = (!is_later(model, &a->part[last], &a->part[first]) ||
                add_path(a, &of, first, last, &slice->error)) &&
               add_path(a, &of, sender, last, &slice->error);
    }
    a->has_paths = done;
    return done;
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* The value that is published: its own list of parts, which grows, and the rest shared. */
struct published {
    struct why_answered answered;
    const struct value *kept;
};

static void drop_published(struct value *value)
{
    struct published *const published = (struct published *)value;
    value_release(published->kept);
    arena_free(&published->answered.arena);
    free(published);
}

static bool publish_answer(const struct answering *a, struct slice *slice)
{
    struct published *const out = calloc(1, sizeof *out);
    struct view_why_part *const part =
        out == NULL ? NULL : arena_array(&out->answered.arena, a->shown.parts, sizeof *part);
    if (part == NULL) {
        free(out);
        return no_memory(&slice->error);
    }
    memcpy(part, a->part, a->shown.parts * sizeof *part);
    out->answered.shown = a->shown;
    out->answered.shown.part = part;
    out->kept = value_keep(&a->kept->value);
    const size_t bytes = sizeof *out + a->shown.parts * sizeof *part +
                         a->shown.layers * a->shown.heads * a->shown.n *
                             (sizeof(double) + VIEW_WEIGHINGS * sizeof(float));
    value_begin(&out->answered.value, bytes, drop_published);
    value_release(slice->value);
    slice->value = &out->answered.value;
    return true;
}

static enum slice_end answer_slice(struct slice *slice)
{
    const struct why_asked *const asked = (const struct why_asked *)slice->content;
    if (slice->state == NULL) {
        slice->state = calloc(1, sizeof(struct answering));
    }
    struct answering *const a = slice->state;
    if (a == NULL) {
        return no_memory(&slice->error) ? SLICE_DONE : SLICE_FAILED;
    }
    const enum slice_end run =
        a->kept != NULL ? SLICE_DONE : why_go_on(slice, asked, why_changes_of(asked), &a->run);
    if (run != SLICE_DONE) {
        return run;
    }
    bool done = true;
    if (a->kept == NULL) {
        done = split_logit(a, asked, &slice->error);
    } else if (!a->has_lens) {
        done = look_through_lens(a, asked->model, &slice->error);
    } else if (a->shown.weight[VIEW_BY_OUTPUT] == NULL) {
        done = weigh_outputs(a, asked->model, slice);
    }
    while (done && a->has_lens && a->layers_left > 0 && !slice_is_over(slice)) {
        done = leave_out_layer(a, asked, slice);
    }
    if (done && a->has_lens && a->layers_left == 0 && !slice_is_over(slice)) {
        done = follow_paths(a, asked, slice);
    }
    if (!done && slice->error.code != ERROR_NONE) {
        return SLICE_FAILED;
    }
    if (!publish_answer(a, slice)) {
        return SLICE_FAILED;
    }
    return a->has_paths ? SLICE_DONE : SLICE_MORE;
}

static bool is_small(const struct slice *slice)
{
    const struct why_asked *const asked = (const struct why_asked *)slice->content;
    const struct model_config *const config = model_config(asked->model);
    return (double)model_parameters(asked->model) * (double)asked->count *
               (double)(config->layers * (config->heads + 1) + 4) <=
           SMALL;
}

const struct result_kind why_answer_kind = {
    .is_small = is_small, .work = answer_slice, .drop_state = drop_answering, .has_lane = true};

/* model/model_layers.c — rows of one stack through all its layers: what a family's row and a
 * configuration ask for, in their order. Rows first … first + count − 1 are computed from the keys
 * and values of all rows before them: a whole text is its rows from 0, a token more is one row. */
#include <stdatomic.h>
#include <string.h>

#include "attn/pool.h"
#include "attn/system.h"
#include "base/checked.h"
#include "model/direct.h"
#include "model/model_internal.h"

/* Tokens that may be added before memory is asked for again: where they take so many bytes, fewer,
 * but an eighth of those that are there. */
enum { ROOM_STEP = 64, ROOM_BYTES = 16 << 20 };

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory for this text: take fewer tokens.");
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Numbers of a token in a pass, of all layers and in between. */
struct widths {
    size_t row, cross, mixed, inner, wide, turns[2], all;
};

static struct widths widths_of(const struct model_config *config, const struct model_stack *stack,
                               size_t held)
{
    const size_t q = config->heads * config->d_k, z = config->heads * config->d_v;
    struct widths w = {.row = q + config->groups * (config->d_k + config->d_v),
                       .mixed = z > config->width ? z : config->width,
                       .inner = stack->inner};
    w.cross = stack->layer[0].matrix[MODEL_M_CROSS_Q].tensor == NULL ? 0 : q;
    if (config->family->latent) {
        w.wide = config->q_rank + config->kv_rank + config->turns +
                 config->heads * (config->unrotated + config->d_v);
    }
    w.wide = w.wide > config->width ? w.wide : config->width;
    w.turns[0] = config->rotary[0].width;
    w.turns[1] = config->rotary[1].width;
    w.all = (held + 1) * config->width + held * (w.row + w.cross) + config->width + w.mixed +
            2 * w.inner + w.wide + w.turns[0] + w.turns[1];
    return w;
}

/* All that is large stands in one piece, in large pages where there are any. passing: layers come
 * one after the other in the same room. */
static bool make_rows(const struct model_config *config, struct arena *arena, size_t room,
                      bool passing, struct model_pass *out)
{
    const struct model_stack *const stack = out->stack;
    const size_t layers = stack->count, width = config->width, held = passing ? 1 : layers;
    const struct widths w = widths_of(config, stack, held);
    size_t count = 0;
    float *floats =
        checked_multiply(room, w.all, &count) ? arena_array(arena, count, sizeof *floats) : NULL;
    out->room = room;
    out->row = w.row;
    out->mixed_width = w.mixed;
    out->wide_width = w.wide;
    out->ids = arena_array(arena, room, sizeof *out->ids);
    out->types = arena_array(arena, room, sizeof *out->types);
    out->residual = arena_array(arena, layers + 1, sizeof *out->residual);
    out->qkv = arena_array(arena, layers, sizeof *out->qkv);
    out->cross = arena_array(arena, layers, sizeof *out->cross);
    if (floats == NULL || out->ids == NULL || out->types == NULL || out->residual == NULL ||
        out->qkv == NULL || out->cross == NULL) {
        return false;
    }
    attn_system_prefer_large_pages(floats, count * sizeof *floats);
    for (size_t l = 0; l <= layers; l++) {
        out->residual[l] = floats + l % (held + 1) * room * width;
    }
    floats += (held + 1) * room * width;
    for (size_t l = 0; l < layers; l++) {
        out->qkv[l] = floats + l % held * room * w.row;
        out->cross[l] = floats + held * room * w.row + l % held * room * w.cross;
    }
    floats += held * room * (w.row + w.cross);
    float **const others[] = {&out->normed, &out->mixed,    &out->inner,   &out->gate,
                              &out->wide,   &out->turns[0], &out->turns[1]};
    const size_t wide[] = {width, w.mixed, w.inner, w.inner, w.wide, w.turns[0], w.turns[1]};
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        *others[o] = floats;
        floats += room * wide[o];
    }
    return true;
}

static size_t room_for(const struct model_config *config, const struct model_pass *pass,
                       size_t wanted)
{
    const size_t bytes = widths_of(config, pass->stack, pass->stack->count).all * sizeof(float);
    const size_t fits = ROOM_BYTES / bytes, part = wanted / 8;
    const size_t more = fits > part ? fits : part;
    const size_t room = wanted + (more < ROOM_STEP ? more : ROOM_STEP);
    return room < config->positions ? room : config->positions;
}

bool model_pass_room(struct model_run *run, struct model_pass *pass, size_t wanted,
                     struct error *error)
{
    const struct model_config *const config = &run->model->config;
    if (wanted <= pass->room) {
        return true;
    }
    struct arena arena = {0};
    struct model_pass wider = *pass;
    const size_t room = room_for(config, pass, wanted);
    if (!make_rows(config, &arena, room > wanted ? room : wanted, false, &wider)) {
        arena_free(&arena);
        return no_memory(error);
    }
    const size_t layers = pass->stack->count, count = pass->count;
    const size_t cross = widths_of(config, pass->stack, layers).cross;
    for (size_t l = 0; count > 0 && l <= layers; l++) {
        memcpy(wider.residual[l], pass->residual[l], count * config->width * sizeof(float));
    }
    for (size_t l = 0; count > 0 && l < layers; l++) {
        memcpy(wider.qkv[l], pass->qkv[l], count * pass->row * sizeof(float));
        if (cross > 0) {
            memcpy(wider.cross[l], pass->cross[l], count * cross * sizeof(float));
        }
    }
    for (size_t i = 0; i < count; i++) {
        wider.ids[i] = pass->ids[i];
        wider.types[i] = pass->types[i];
    }
    arena_free(&pass->arena);
    wider.arena = arena;
    *pass = wider;
    for (size_t r = 0; r < 2; r++) {
        model_turns(&config->rotary[r], wanted, 0, pass->room, pass->turns[r]);
    }
    return true;
}

size_t model_pass_passing_bytes(const struct model_run *run)
{
    return widths_of(&run->model->config, run->main.stack, 1).all * sizeof(float);
}

bool model_pass_passing_room(const struct model_run *run, struct model_pass *pass, size_t rows)
{
    return make_rows(&run->model->config, &pass->arena, rows, true, pass);
}

/* ---- pieces -------------------------------------------------------------------------------- */

static void add_floats(float *sum, const float *term, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sum[i] += term[i];
    }
}

static void normalise_rows(const struct model_run *run, const struct model_norm *norm,
                           const float *x, size_t count, size_t width, float *out)
{
    model_normalise(&run->means, &run->model->config, norm, dense_operand(x, count, width),
                    dense_matrix(out, count, width));
}

/* A row of a table; scratch is of as many floats. */
static void add_row(const struct model_tensor *table, size_t row, size_t width, float *scratch,
                    float *sum)
{
    table->copy(table, row * width, width, scratch);
    add_floats(sum, scratch, width);
}

/* The row of a token's place. What pads a text stands before the first one and does not count
 * (create_position_ids_from_input_ids of transformers). */
static size_t place_of(const struct model_config *config, const struct model_pass *pass, size_t i,
                       size_t *counted)
{
    if (pass->ids[i] == config->padding) {
        return config->first_place - 1;
    }
    return config->first_place + (*counted)++;
}

/* The numbers of words as the table has them, or as they become the stream's. */
static void embed_words(const struct model_run *run, struct model_pass *pass, size_t first,
                        size_t count)
{
    const struct model_config *const config = &run->model->config;
    const struct model_stack *const stack = pass->stack;
    const size_t width = config->width, numbers = config->embed;
    const bool narrow = stack->embed_in.tensor != NULL;
    float *const rows = pass->residual[0] + first * width;
    float *const from = narrow ? pass->normed : rows;
    for (size_t i = 0; i < count; i++) {
        stack->embed->copy(stack->embed, pass->ids[first + i] * numbers, numbers,
                           from + i * numbers);
    }
    if (narrow) {
        model_product(&run->means, (struct attn_operand){from, count, numbers, numbers},
                      &stack->embed_in, NULL, (struct attn_matrix){rows, count, width, width});
    }
    for (size_t c = 0; c < count * width && config->embedding_scale != 1.0F; c++) {
        rows[c] *= config->embedding_scale;
    }
}

static void embed_rows(const struct model_run *run, struct model_pass *pass, size_t first,
                       size_t count)
{
    const struct model_config *const config = &run->model->config;
    const struct model_stack *const stack = pass->stack;
    const size_t width = config->width;
    float *const scratch = pass->normed;
    size_t counted = 0;
    for (size_t i = 0; i < first; i++) {
        (void)place_of(config, pass, i, &counted);
    }
    embed_words(run, pass, first, count);
    for (size_t i = first; i < first + count; i++) {
        const size_t place = place_of(config, pass, i, &counted);
        float *const row = pass->residual[0] + i * width;
        if (stack->places != NULL) {
            add_row(stack->places, place, width, scratch, row);
        } else if (config->family->positions >= MODEL_SINE_HALVES &&
                   pass->ids[i] != config->padding) {
            model_sines(config, place, scratch);
            add_floats(row, scratch, width);
        }
        if (stack->types != NULL) {
            add_row(stack->types, pass->types[i], width, scratch, row);
        }
    }
    float *const rows = pass->residual[0] + first * width;
    if (stack->embed_norm.gain != NULL) {
        normalise_rows(run, &stack->embed_norm, rows, count, width, rows);
    }
}

bool model_embedding_parts(const struct model_run *run, size_t position, float *place, float *kind)
{
    const struct model_config *const config = &run->model->config;
    const struct model_stack *const stack = run->main.stack;
    const size_t width = config->width;
    size_t counted = 0, at = 0;
    struct arena arena = {0};
    float *const scratch = arena_array(&arena, width, sizeof *scratch);
    memset(place, 0, width * sizeof *place);
    memset(kind, 0, width * sizeof *kind);
    for (size_t i = 0; i <= position; i++) {
        at = place_of(config, &run->main, i, &counted);
    }
    if (scratch != NULL && stack->embed_norm.gain == NULL) {
        if (stack->places != NULL) {
            add_row(stack->places, at, width, scratch, place);
        } else if (config->family->positions >= MODEL_SINE_HALVES &&
                   run->main.ids[position] != config->padding) {
            model_sines(config, at, place);
        }
        if (stack->types != NULL) {
            add_row(stack->types, run->main.types[position], width, scratch, kind);
        }
    }
    arena_free(&arena);
    return scratch != NULL;
}

/* Each head by itself, or all heads at once, in place. */
static void normalise_heads(const struct model_run *run, const struct model_norm *norm,
                            struct attn_matrix rows, size_t heads, size_t d)
{
    const struct model_config *const config = &run->model->config;
    if (norm->gain == NULL) {
        return;
    }
    const size_t times = config->family->qk_norm_whole ? 1 : heads;
    const size_t width = heads * d / times;
    for (size_t h = 0; h < times; h++) {
        const struct attn_matrix part = {rows.values + h * width, rows.rows, width, rows.stride};
        model_normalise(&run->means, config, norm,
                        (struct attn_operand){part.values, part.rows, width, part.stride}, part);
    }
}

/* Q and K of the rows become those that are compared. */
static void rotate_rows(const struct model_run *run, const struct model_pass *pass, size_t layer,
                        size_t first, size_t count, float *rows)
{
    const struct model_config *const config = &run->model->config;
    const uint8_t kind = pass->stack == &run->model->main ? config->layer[layer] : 0;
    const size_t which = (kind & MODEL_LAYER_LOCAL) != 0 ? 1 : 0;
    const size_t width = config->rotary[which].width, unrotated = config->unrotated;
    if (width == 0 || (kind & MODEL_LAYER_UNROTATED) != 0) {
        return;
    }
    struct model_turning turning = {.turns = pass->turns[which] + first * width,
                                    .width = width,
                                    .heads = config->heads,
                                    .d = config->d_k,
                                    .neighbours = config->family->neighbours};
    model_turn(&turning, (struct attn_matrix){rows + unrotated, count, 0, pass->row});
    turning.heads = config->groups;
    model_turn(&turning, (struct attn_matrix){rows + config->heads * config->d_k + unrotated, count,
                                              0, pass->row});
}

/* Latent attention (DeepSeek V2): keys and values are rebuilt from a few numbers of each word; the
 * part of a key that turns is the same for all heads. */
static void project_latent(const struct model_run *run, const struct model_pass *pass,
                           const struct model_layer *layer, struct attn_operand x, float *rows)
{
    const struct model_config *const config = &run->model->config;
    const struct model_means *const means = &run->means;
    const size_t count = x.rows, heads = config->heads, rank = config->kv_rank,
                 turns = config->turns, unrotated = config->unrotated, d_k = config->d_k,
                 d_v = config->d_v, c_width = rank + turns;
    float *const qa = pass->wide, *const c = qa + count * config->q_rank,
                 *const rebuilt = c + count * c_width;
    const struct attn_matrix q = {rows, count, heads * d_k, pass->row};
    if (config->q_rank > 0) {
        model_product(means, x, &layer->matrix[MODEL_M_Q_A], NULL,
                      dense_matrix(qa, count, config->q_rank));
        normalise_rows(run, &layer->norm[MODEL_NORM_Q_A], qa, count, config->q_rank, qa);
        model_product(means, dense_operand(qa, count, config->q_rank), &layer->matrix[MODEL_M_Q],
                      NULL, q);
    } else {
        model_product(means, x, &layer->matrix[MODEL_M_Q], NULL, q);
    }
    model_product(means, x, &layer->matrix[MODEL_M_KV_A], NULL, dense_matrix(c, count, c_width));
    const struct attn_matrix latent = {c, count, rank, c_width};
    model_normalise(means, config, &layer->norm[MODEL_NORM_KV_A],
                    (struct attn_operand){c, count, rank, c_width}, latent);
    const struct attn_operand normed = {c, count, rank, c_width};
    model_product(means, normed, &layer->matrix[MODEL_M_K_B], NULL,
                  dense_matrix(rebuilt, count, heads * unrotated));
    model_product(means, normed, &layer->matrix[MODEL_M_V_B], NULL,
                  (struct attn_matrix){rows + 2 * heads * d_k, count, heads * d_v, pass->row});
    for (size_t i = 0; i < count; i++) {
        float *const k = rows + i * pass->row + heads * d_k;
        for (size_t h = 0; h < heads; h++) {
            memcpy(k + h * d_k, rebuilt + (i * heads + h) * unrotated, unrotated * sizeof *k);
            memcpy(k + h * d_k + unrotated, c + i * c_width + rank, turns * sizeof *k);
        }
    }
}

/* Replaces what the interventions of each copy say of a node, and lets it be seen. */
static void apply_interventions(const struct model_rows *rows, enum model_node node, size_t layer,
                                float *values, size_t cols)
{
    const size_t each = rows->count / rows->copies;
    const struct model_visitor *const visitor = &rows->run->visitor;
    for (size_t b = 0; b < rows->copies; b++) {
        model_intervene(rows->run->model, rows->lists[b], node, layer, 0, rows->first,
                        dense_matrix(values + b * each * cols, each, cols));
    }
    if (visitor->see != NULL && rows->pass == &rows->run->main) {
        visitor->see(visitor->owner, node, layer, dense_operand(values, rows->count, cols));
    }
}

/* Computes what the MLP, or the experts, make of x [count][width], into pass->mixed. */
static bool run_mlp(const struct model_rows *rows, struct attn_operand x)
{
    const struct model_run *const run = rows->run;
    const struct model_pass *const pass = rows->pass;
    const struct model_layer *const layer = rows->layer;
    const struct model_config *const config = &run->model->config;
    const struct model_means *const means = &run->means;
    const struct attn_matrix out = dense_matrix(pass->mixed, x.rows, config->width);
    const size_t inner = pass->stack->inner;
    if (layer->expert[MODEL_E_DOWN] != NULL) {
        return model_ask_experts(run, layer, x, out, NULL);
    }
    if (config->gated) {
        model_product(means, x, &layer->matrix[MODEL_M_GATE], &config->activation,
                      dense_matrix(pass->inner, x.rows, inner));
        model_product(means, x, &layer->matrix[MODEL_M_UP], NULL,
                      dense_matrix(pass->gate, x.rows, inner));
        for (size_t i = 0; i < x.rows * inner; i++) {
            pass->inner[i] *= pass->gate[i];
        }
    } else {
        model_product(means, x, &layer->matrix[MODEL_M_UP], &config->activation,
                      dense_matrix(pass->inner, x.rows, inner));
    }
    apply_interventions(rows, MODEL_NODE_NEURONS, rows->number, pass->inner, inner);
    model_product(means, dense_operand(pass->inner, x.rows, inner), &layer->matrix[MODEL_M_DOWN],
                  NULL, out);
    return true;
}

/* ---- a layer ------------------------------------------------------------------------------- */

/* x normed where there is a norm, else x itself. */
static struct attn_operand seen_by(const struct model_rows *rows, enum model_norm_place place,
                                   const float *x)
{
    const size_t width = rows->run->model->config.width;
    const struct model_norm *const norm = &rows->layer->norm[place];
    if (norm->gain == NULL) {
        return dense_operand(x, rows->count, width);
    }
    normalise_rows(rows->run, norm, x, rows->count, width, rows->pass->normed);
    return dense_operand(rows->pass->normed, rows->count, width);
}

static void norm_in_place(const struct model_rows *rows, enum model_norm_place place, float *values)
{
    const struct model_norm *const norm = &rows->layer->norm[place];
    if (norm->gain != NULL) {
        normalise_rows(rows->run, norm, values, rows->count, rows->run->model->config.width,
                       values);
    }
}

/* Replaces numbers of q, k and v of one copy. */
static void intervene_in_heads(const struct model_rows *rows, size_t copy, float *values)
{
    const struct model_config *const config = &rows->run->model->config;
    const struct model_pass *const pass = rows->pass;
    const size_t q = config->heads * config->d_k, k = config->groups * config->d_k,
                 each = rows->count / rows->copies;
    for (size_t h = 0; rows->lists[copy].count > 0 && h < config->heads; h++) {
        const size_t group = h / (config->heads / config->groups);
        const struct attn_matrix parts[] = {
            {values + h * config->d_k, each, config->d_k, pass->row},
            {values + q + group * config->d_k, each, config->d_k, pass->row},
            {values + q + k + group * config->d_v, each, config->d_v, pass->row}};
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            model_intervene(rows->run->model, rows->lists[copy],
                            (enum model_node)(MODEL_NODE_Q + (int)p), rows->number, h, rows->first,
                            parts[p]);
        }
    }
}

static void project_rows(const struct model_rows *of, struct attn_operand x)
{
    const struct model_run *const run = of->run;
    const struct model_pass *const pass = of->pass;
    const struct model_config *const config = &run->model->config;
    const struct model_layer *const layer = of->layer;
    const size_t q = config->heads * config->d_k, k = config->groups * config->d_k,
                 v = config->groups * config->d_v, each = of->count / of->copies;
    float *const rows = pass->qkv[of->number] + of->first * pass->row;
    if (config->family->latent) {
        project_latent(run, pass, layer, x, rows);
    } else {
        const size_t from[3] = {0, q, q + k}, cols[3] = {q, k, v};
        for (size_t m = 0; m < 3; m++) {
            model_product(&run->means, x, &layer->matrix[MODEL_M_Q + m], NULL,
                          (struct attn_matrix){rows + from[m], x.rows, cols[m], pass->row});
        }
    }
    normalise_heads(run, &layer->norm[MODEL_NORM_Q],
                    (struct attn_matrix){rows, x.rows, q, pass->row}, config->heads, config->d_k);
    normalise_heads(run, &layer->norm[MODEL_NORM_K],
                    (struct attn_matrix){rows + q, x.rows, k, pass->row}, config->groups,
                    config->d_k);
    for (size_t b = 0; b < of->copies; b++) {
        float *const copy = rows + b * each * pass->row;
        rotate_rows(run, pass, of->number, of->first, each, copy);
        intervene_in_heads(of, b, copy);
    }
    if (run->visitor.see != NULL && pass == &run->main) {
        run->visitor.see(run->visitor.owner, MODEL_NODE_Q, of->number,
                         (struct attn_operand){rows, of->count, q + k + v, pass->row});
    }
}

/* One attention of the rows of each copy. */
struct copies {
    const struct model_rows *rows;
    enum model_attention which;
    size_t z;
    atomic_bool failed;
};

static void attend_copy(void *context, size_t copy, size_t worker)
{
    struct copies *const copies = context;
    const struct model_rows *const rows = copies->rows;
    const size_t each = rows->count / rows->copies;
    struct model_run one = *rows->run;
    (void)worker;
    one.main = *rows->pass;
    one.main.begin = copy * each;
    one.main.interventions = rows->lists[copy];
    one.means.pool = NULL;
    if (!model_attend(&one, copies->which, rows->number, rows->first, each,
                      dense_matrix(rows->pass->mixed + copy * each * copies->z, each, copies->z))) {
        atomic_store(&copies->failed, true);
    }
}

static bool attend_copies(const struct model_rows *rows, enum model_attention which)
{
    const struct model_config *const config = &rows->run->model->config;
    struct copies copies = {rows, which, config->heads * config->d_v, false};
    if (rows->copies == 1 && rows->lists == &rows->pass->interventions) {
        return model_attend(rows->run, which, rows->number, rows->first, rows->count,
                            dense_matrix(rows->pass->mixed, rows->count, copies.z));
    }
    const double work = 4 * (double)rows->count * (double)(rows->count / rows->copies) *
                        (double)(config->heads * config->d_k);
    attn_pool_run(rows->run->means.pool, work, rows->copies, attend_copy, &copies);
    return !atomic_load(&copies.failed);
}

bool model_rows_heads(const struct model_rows *rows)
{
    const struct model_run *const run = rows->run;
    const enum model_attention which = rows->pass == &run->encoder ? MODEL_ENCODER : MODEL_SELF;
    const size_t z = run->model->config.heads * run->model->config.d_v;
    project_rows(rows, seen_by(rows, MODEL_NORM_ATTN, rows->x));
    if (!attend_copies(rows, which)) {
        return false;
    }
    if (run->visitor.see != NULL && which == MODEL_SELF) {
        run->visitor.see(run->visitor.owner, MODEL_NODE_Z, rows->number,
                         dense_operand(rows->pass->mixed, rows->count, z));
    }
    return true;
}

static void output_of_heads(const struct model_rows *rows)
{
    const struct model_run *const run = rows->run;
    const struct model_config *const config = &run->model->config;
    const size_t z = config->heads * config->d_v;
    model_product(&run->means, dense_operand(rows->pass->mixed, rows->count, z),
                  &rows->layer->matrix[MODEL_M_O], NULL,
                  dense_matrix(rows->sum, rows->count, config->width));
    apply_interventions(rows, MODEL_NODE_OUTPUT, rows->number, rows->sum, config->width);
    norm_in_place(rows, MODEL_NORM_ATTN_POST, rows->sum);
    apply_interventions(rows, MODEL_NODE_ATTENTION, rows->number, rows->sum, config->width);
}

/* The other text: its keys and values are there. */
static bool attend_across(const struct model_rows *rows)
{
    struct model_run *const run = rows->run;
    struct model_pass *const pass = rows->pass;
    const struct model_config *const config = &run->model->config;
    const size_t q = config->heads * config->d_k, z = config->heads * config->d_v;
    if (rows->layer->matrix[MODEL_M_CROSS_Q].tensor == NULL) {
        return true;
    }
    model_product(&run->means, seen_by(rows, MODEL_NORM_CROSS, rows->sum),
                  &rows->layer->matrix[MODEL_M_CROSS_Q], NULL,
                  dense_matrix(pass->cross[rows->number] + rows->first * q, rows->count, q));
    if (!attend_copies(rows, MODEL_CROSS)) {
        return false;
    }
    model_product(&run->means, dense_operand(pass->mixed, rows->count, z),
                  &rows->layer->matrix[MODEL_M_CROSS_O], NULL,
                  dense_matrix(pass->wide, rows->count, config->width));
    apply_interventions(rows, MODEL_NODE_CROSS, rows->number, pass->wide, config->width);
    add_floats(rows->sum, pass->wide, rows->count * config->width);
    norm_in_place(rows, MODEL_NORM_CROSS_AFTER, rows->sum);
    return true;
}

bool model_rows_finish(const struct model_rows *rows)
{
    const struct model_config *const config = &rows->run->model->config;
    const size_t floats = rows->count * config->width;
    struct model_pass *const pass = rows->pass;
    output_of_heads(rows);
    if (config->parallel) { /* both of x; without a norm of its own the MLP sees what heads see */
        const enum model_norm_place own =
            rows->layer->norm[MODEL_NORM_MLP].gain != NULL ? MODEL_NORM_MLP : MODEL_NORM_ATTN;
        if (!run_mlp(rows, seen_by(rows, own, rows->x))) {
            return false;
        }
        apply_interventions(rows, MODEL_NODE_MLP, rows->number, pass->mixed, config->width);
        add_floats(rows->sum, pass->mixed, floats);
        add_floats(rows->sum, rows->x, floats);
        return true;
    }
    add_floats(rows->sum, rows->x, floats);
    norm_in_place(rows, MODEL_NORM_ATTN_AFTER, rows->sum);
    if (!attend_across(rows) || !run_mlp(rows, seen_by(rows, MODEL_NORM_MLP, rows->sum))) {
        return false;
    }
    norm_in_place(rows, MODEL_NORM_MLP_POST, pass->mixed);
    apply_interventions(rows, MODEL_NODE_MLP, rows->number, pass->mixed, config->width);
    add_floats(rows->sum, pass->mixed, floats);
    norm_in_place(rows, MODEL_NORM_MLP_AFTER, rows->sum);
    return true;
}

void model_seen_by_heads(const struct model_run *run, const struct model_pass *pass, size_t layer,
                         size_t first, size_t count, float *out)
{
    const size_t width = run->model->config.width;
    const struct model_norm *const norm = &pass->stack->layer[layer].norm[MODEL_NORM_ATTN];
    const float *const x = pass->residual[layer] + first * width;
    if (norm->gain == NULL) {
        memcpy(out, x, count * width * sizeof *out);
    } else {
        normalise_rows(run, norm, x, count, width, out);
    }
}

bool model_seen_across(const struct model_run *run, size_t layer, float *out)
{
    const struct model_config *const config = &run->model->config;
    const size_t count = run->main.count, width = config->width, z = config->heads * config->d_v;
    struct arena arena = {0};
    struct model_run own = *run; /* with scratch of its own: others compute meanwhile */
    const struct model_rows rows = {
        .run = &own, .layer = &run->main.stack->layer[layer], .number = layer, .count = count};
    float *const mixed = arena_array(&arena, count * z, sizeof *mixed);
    own.means.scratch = arena_array(&arena, attn_pool_threads(run->means.pool),
                                    (run->means.worker_floats + 1) * sizeof(float));
    const bool done =
        mixed != NULL && own.means.scratch != NULL &&
        model_attend(&own, MODEL_SELF, layer, 0, count, dense_matrix(mixed, count, z));
    if (done) {
        model_product(&own.means, dense_operand(mixed, count, z), &rows.layer->matrix[MODEL_M_O],
                      NULL, dense_matrix(out, count, width));
        norm_in_place(&rows, MODEL_NORM_ATTN_POST, out);
        add_floats(out, run->main.residual[layer], count * width);
        norm_in_place(&rows, MODEL_NORM_ATTN_AFTER, out);
        norm_in_place(&rows, MODEL_NORM_CROSS, out);
    }
    arena_free(&arena);
    return done;
}

void model_source_read(const struct model_run *run, float *out)
{
    const struct model_stack *const stack = run->encoder.stack;
    const size_t count = run->encoder.count, width = run->model->config.width;
    const float *const x = run->encoder.residual[stack->count];
    if (stack->final_norm.gain == NULL) {
        memcpy(out, x, count * width * sizeof *out);
    } else {
        normalise_rows(run, &stack->final_norm, x, count, width, out);
    }
}

void model_rows_arrive(const struct model_rows *rows, size_t layer, float *x)
{
    apply_interventions(rows, MODEL_NODE_RESIDUAL, layer, x, rows->run->model->config.width);
}

/* Computes rows first … first + count − 1 through the layers up to `until` that they have not been
 * through. */
static bool compute_layers(struct model_run *run, struct model_pass *pass, size_t first,
                           size_t count, size_t until, struct error *error)
{
    const size_t width = run->model->config.width;
    const size_t before = pass == &run->main ? run->model->encoder.count : 0;
    const size_t all = run->model->encoder.count + run->model->main.count;
    for (size_t l = pass == &run->main ? model_run_layers(run) : 0; l < until; l++) {
        const struct model_rows rows = {.run = run,
                                        .pass = pass,
                                        .layer = &pass->stack->layer[l],
                                        .number = l,
                                        .first = first,
                                        .count = count,
                                        .copies = 1,
                                        .lists = &pass->interventions,
                                        .x = pass->residual[l] + first * width,
                                        .sum = pass->residual[l + 1] + first * width};
        if (run->on_layer != NULL && !run->on_layer(run->listener, before + l, all)) {
            return false;
        }
        model_rows_arrive(&rows, l, rows.x);
        if (!model_rows_heads(&rows) || !model_rows_finish(&rows)) {
            return no_memory(error);
        }
        if (l + 1 == pass->stack->count) {
            model_rows_arrive(&rows, l + 1, rows.sum);
        }
        if (pass == &run->main) { /* whoever reads this sees what was computed */
            atomic_store_explicit(run->layers, l + 1, memory_order_release);
        }
    }
    return true;
}

bool model_pass_compute(struct model_run *run, struct model_pass *pass, size_t count, size_t until,
                        struct error *error)
{
    const struct model_source *const source = run->model->source;
    if (!source->calls->whole(source, error)) {
        return false;
    }
    embed_rows(run, pass, pass->count, count);
    if (pass == &run->main) {
        atomic_store_explicit(run->layers, 0, memory_order_relaxed);
    }
    const bool done = compute_layers(run, pass, pass->count, count, until, error) &&
                      source->calls->whole(source, error);
    if (done) {
        pass->count += count;
    } else if (pass == &run->main && pass->count > 0) { /* all of the others is there still */
        atomic_store_explicit(run->layers, pass->stack->count, memory_order_relaxed);
    }
    return done;
}

bool model_run_go_on(struct model_run *run, size_t layers, struct error *error)
{
    struct model_pass *const pass = &run->main;
    const struct model_source *const source = run->model->source;
    const size_t until = layers < pass->stack->count ? layers : pass->stack->count;
    return model_run_layers(run) >= until ||
           (source->calls->whole(source, error) &&
            compute_layers(run, pass, 0, pass->count, until, error) &&
            source->calls->whole(source, error));
}

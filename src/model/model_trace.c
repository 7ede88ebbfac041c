/* model/model_trace.c — a layer of a model as an experiment: the model's own numbers in the lab.
 *
 * Where an experiment can say all that the layer does, it has the layer's X, weights and biases.
 * Where queries and keys are changed in a way that it cannot (norms of heads, latents), it has them
 * as they are compared. What scores become (a cap, relative positions, a sink) is the experiment's
 * too. What is shown is the model's in each case. */
#include <math.h>
#include <string.h>

#include "lab/experiment/edits.h"
#include "lab/run/trace.h"
#include "model/model_internal.h"

enum form { FORM_WEIGHTS, FORM_ROWS };

/* An experiment that is being made. */
struct making {
    const struct model_run *run;
    enum model_attention which;
    const struct model_pass *pass; /* of the words that ask */
    const struct model_layer *layer;
    size_t number, groups; /* of keys and values */
    bool local;
    struct arena arena;
    struct lab_experiment *experiment;
    struct error *error;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this layer.");
}

/* The tokens of a text as people read them, owned by the arena; NULL: no memory. */
static const char **shown_tokens(const struct model_run *run, const struct model_pass *pass,
                                 struct arena *arena)
{
    const enum model_text text = pass == &run->encoder ? MODEL_READ : MODEL_WRITTEN;
    const char **const token = arena_array(arena, pass->count, sizeof *token);
    for (size_t i = 0; token != NULL && i < pass->count; i++) {
        token[i] = model_shown_of(run->model, text, pass->ids[i], arena);
        if (token[i] == NULL) {
            return NULL;
        }
    }
    return token;
}

static const struct lab_words *words_of(struct making *making, const struct model_pass *pass)
{
    const char **const token = shown_tokens(making->run, pass, &making->arena);
    if (token == NULL) {
        no_memory(making->error);
        return NULL;
    }
    return lab_words_make(token, pass->count, making->error);
}

static struct lab_numbers *make_numbers(const struct making *making, const float *values,
                                        size_t matrices, size_t rows, size_t cols)
{
    return lab_numbers_make(values, matrices == 0 ? 2 : 3,
                            matrices == 0 ? (const size_t[3]){rows, cols, 1}
                                          : (const size_t[3]){matrices, rows, cols},
                            making->error);
}

static float *alloc_floats(struct making *making, size_t count)
{
    float *const values = arena_array(&making->arena, count, sizeof *values);
    if (values == NULL) {
        no_memory(making->error);
    }
    return values;
}

/* ---- with weights -------------------------------------------------------------------------- */

/* W_Q, W_K or W_V: the columns of each head, one matrix behind the other. */
static struct lab_numbers *projection_matrix(struct making *making, enum model_matrix_place which,
                                             size_t heads, size_t d)
{
    const struct model_matrix *const matrix = &making->layer->matrix[which];
    struct model_unpacked *const unpacked = making->run->model->unpacked;
    struct lab_numbers *const kept = model_unpacked_find(unpacked, making->layer, which);
    const struct lab_numbers_source source = model_matrix_source(making->run->model, matrix);
    struct lab_numbers *const made =
        kept != NULL ? NULL
                     : lab_numbers_read(&source, 3, (const size_t[3]){heads, matrix->depth, d},
                                        making->error);
    model_unpacked_keep(unpacked, making->layer, which, made);
    return kept != NULL ? kept : made;
}

/* The bias of each head; *out NULL: there is none. */
static bool head_biases(struct making *making, enum model_matrix_place which, size_t heads,
                        size_t d, const struct lab_numbers **out)
{
    const float *const values = making->layer->matrix[which].bias;
    *out = values == NULL ? NULL : make_numbers(making, values, heads, 1, d);
    return values == NULL || *out != NULL;
}

static bool has_heads_off(const struct making *making)
{
    const size_t heads = making->run->model->config.heads;
    bool has = false;
    for (size_t h = 0; h < heads && making->which == MODEL_SELF; h++) {
        has = has || model_head_is_off(making->run->main.interventions, making->number, h);
    }
    return has;
}

/* W_O. A head that is switched off adds nothing: its rows are 0. */
static struct lab_numbers *output_matrix(struct making *making)
{
    const struct model_run *const run = making->run;
    const struct model_config *const config = &run->model->config;
    const enum model_matrix_place place =
        making->which == MODEL_CROSS ? MODEL_M_CROSS_O : MODEL_M_O;
    const struct model_matrix *const matrix = &making->layer->matrix[place];
    const size_t width = config->width, head_floats = config->d_v * width;
    const bool whole = !has_heads_off(making);
    struct lab_numbers *const kept =
        whole ? model_unpacked_find(run->model->unpacked, making->layer, place) : NULL;
    const size_t shape[3] = {matrix->depth, width, 1};
    if (kept != NULL) {
        return kept;
    }
    if (whole) {
        const struct lab_numbers_source source = model_matrix_source(run->model, matrix);
        struct lab_numbers *const made = lab_numbers_read(&source, 2, shape, making->error);
        model_unpacked_keep(run->model->unpacked, making->layer, place, made);
        return made;
    }
    float *values = NULL;
    struct lab_numbers *const made = lab_numbers_room(2, shape, &values, making->error);
    if (made == NULL) {
        return NULL;
    }
    model_matrix_columns(matrix, 0, width, values);
    for (size_t h = 0; h < config->heads; h++) {
        if (model_head_is_off(run->main.interventions, making->number, h)) {
            memset(values + h * head_floats, 0, head_floats * sizeof *values);
        }
    }
    return made;
}

/* Where keys and values come from other words, their rows stand behind those of the queries. */
static struct lab_numbers *seen_by_heads(struct making *making)
{
    const struct model_run *const run = making->run;
    const size_t width = run->model->config.width, count = making->pass->count;
    const bool across = making->which == MODEL_CROSS;
    const size_t rows = count + (across ? run->encoder.count : 0);
    float *const normed = alloc_floats(making, rows * width);
    if (normed == NULL) {
        return NULL;
    }
    if (!across) {
        model_seen_by_heads(run, making->pass, making->number, 0, count, normed);
    } else if (model_seen_across(run, making->number, normed)) {
        model_source_read(run, normed + count * width);
    } else {
        no_memory(making->error);
        return NULL;
    }
    return make_numbers(making, normed, 0, rows, width);
}

/* Returns whether queries and keys are turned by their places. */
static bool is_rotated(const struct making *making)
{
    const struct model_config *const config = &making->run->model->config;
    const struct model_rotary *const rotary = &config->rotary[making->local ? 1 : 0];
    const bool unrotated =
        making->which == MODEL_SELF && (config->layer[making->number] & MODEL_LAYER_UNROTATED) != 0;
    return making->which != MODEL_CROSS && rotary->width > 0 && !unrotated;
}

/* Of positions that were stretched after training: how fast each pair turns. */
static bool fill_speeds(struct making *making, const struct model_rotary *rotary)
{
    const size_t pairs = rotary->width / 2;
    float *const values = alloc_floats(making, 2 * pairs);
    for (size_t p = 0; values != NULL && p < pairs; p++) {
        values[p] = model_turn_speed(rotary, making->pass->count, p);
        values[pairs + p] = (float)rotary->magnitude;
    }
    making->experiment->rope_speeds =
        values == NULL ? NULL : make_numbers(making, values, 0, 2, pairs);
    return making->experiment->rope_speeds != NULL;
}

/* Where W_Q, W_K, W_V and W_O of an attention stand. */
static const enum model_matrix_place *places_of(enum model_attention which)
{
    static const enum model_matrix_place own[] = {MODEL_M_Q, MODEL_M_K, MODEL_M_V, MODEL_M_O};
    static const enum model_matrix_place cross[] = {MODEL_M_CROSS_Q, MODEL_M_CROSS_K,
                                                    MODEL_M_CROSS_V, MODEL_M_CROSS_O};
    return which == MODEL_CROSS ? cross : own;
}

void model_share_layer(const struct model *model, enum model_attention which, size_t layer,
                       const struct lab_experiment *experiment)
{
    const struct model_stack *const stack = which == MODEL_ENCODER ? &model->encoder : &model->main;
    for (size_t w = 0; layer < stack->count && w < LAB_EXPERIMENT_WEIGHTS; w++) {
        const struct lab_numbers *const numbers = lab_experiment_weights(experiment, w);
        const enum model_matrix_place place = places_of(which)[w];
        if (lab_numbers_stand_at(numbers, &stack->layer[layer].matrix[place])) {
            model_unpacked_keep(model->unpacked, &stack->layer[layer], place, numbers);
        }
    }
}

static bool fill_weights(struct making *making)
{
    const struct model_config *const config = &making->run->model->config;
    struct lab_experiment *const experiment = making->experiment;
    const size_t heads = config->heads, groups = making->groups, d_k = config->d_k;
    const enum model_matrix_place *const places = places_of(making->which);
    const enum model_matrix_place q = places[0], k = places[1], v = places[2], o = places[3];
    const struct model_rotary *const rotary = &config->rotary[making->local ? 1 : 0];
    const float *const b_o = making->layer->matrix[o].bias;
    experiment->embedding = LAB_EMBEDDING_NUMBERS;
    experiment->weights = LAB_WEIGHTS_NUMBERS;
    experiment->embeddings = seen_by_heads(making);
    experiment->w_q = projection_matrix(making, q, heads, d_k);
    experiment->w_k = projection_matrix(making, k, groups, d_k);
    experiment->w_v = projection_matrix(making, v, groups, config->d_v);
    experiment->w_o = output_matrix(making);
    experiment->b_o = b_o == NULL ? NULL : make_numbers(making, b_o, 0, 1, config->width);
    if (is_rotated(making)) {
        experiment->positions = LAB_POSITIONS_ROPE;
        experiment->rope_theta = (float)rotary->theta;
        experiment->rope_share = (float)((double)rotary->width / (double)d_k);
        experiment->rope_pairs =
            config->family->neighbours ? LAB_PAIRS_NEIGHBOURS : LAB_PAIRS_HALVES;
        const bool usual = rotary->scaling == MODEL_SCALING_NONE &&
                           rotary->divisor == rotary->width && !(rotary->magnitude > 1) &&
                           !(rotary->magnitude < 1);
        if (!usual && !fill_speeds(making, rotary)) {
            return false;
        }
    }
    return experiment->embeddings != NULL && experiment->w_q != NULL && experiment->w_k != NULL &&
           experiment->w_v != NULL && experiment->w_o != NULL &&
           head_biases(making, q, heads, d_k, &experiment->b_q) &&
           head_biases(making, k, groups, d_k, &experiment->b_k) &&
           head_biases(making, v, groups, config->d_v, &experiment->b_v) &&
           (b_o == NULL || experiment->b_o != NULL);
}

/* ---- with rows ----------------------------------------------------------------------------- */

enum side { SIDE_Q, SIDE_K, SIDE_V };

/* Heads of q, k or v as they are compared, one matrix behind the other. */
static struct lab_numbers *rows_of(struct making *making, enum side side, size_t heads, size_t d)
{
    const struct model_run *const run = making->run;
    const size_t sharing = run->model->config.heads / heads, asking = making->pass->count;
    const size_t rows =
        side == SIDE_Q || making->which != MODEL_CROSS ? asking : run->encoder.count;
    float *const values = alloc_floats(making, heads * rows * d);
    for (size_t h = 0; values != NULL && h < heads; h++) {
        const struct model_sight sight =
            model_sight_of(run, making->which, making->number, h * sharing, 0, asking);
        const struct attn_operand from = side == SIDE_Q   ? sight.q
                                         : side == SIDE_K ? sight.k
                                                          : sight.v;
        for (size_t i = 0; i < rows; i++) {
            memcpy(values + (h * rows + i) * d, from.values + i * from.stride, d * sizeof *values);
        }
    }
    return values == NULL ? NULL : make_numbers(making, values, heads, rows, d);
}

static bool fill_rows(struct making *making)
{
    const struct model_config *const config = &making->run->model->config;
    struct lab_experiment *const experiment = making->experiment;
    experiment->q = rows_of(making, SIDE_Q, config->heads, config->d_k);
    experiment->k = rows_of(making, SIDE_K, making->groups, config->d_k);
    experiment->v = rows_of(making, SIDE_V, making->groups, config->d_v);
    return experiment->q != NULL && experiment->k != NULL && experiment->v != NULL;
}

/* ---- what scores become -------------------------------------------------------------------- */

/* Relative positions: what is added to the score of each pair. */
static struct lab_numbers *bias_of_scores(struct making *making)
{
    const struct model_run *const run = making->run;
    const size_t heads = run->model->config.heads, count = making->pass->count;
    float *const values = alloc_floats(making, heads * count * count);
    for (size_t h = 0; values != NULL && h < heads; h++) {
        const struct model_sight sight =
            model_sight_of(run, making->which, making->number, h, 0, count);
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < count; j++) {
                const size_t bucket =
                    model_bucket((long)j - (long)i, !sight.past, sight.buckets, sight.farthest);
                values[(h * count + i) * count + j] = sight.relative[bucket * sight.relative_step];
            }
        }
    }
    return values == NULL ? NULL : make_numbers(making, values, heads, count, count);
}

static bool fill_scores(struct making *making)
{
    const struct model_config *const config = &making->run->model->config;
    struct lab_experiment *const experiment = making->experiment;
    const bool capped = config->score_cap > 0;
    const bool biased = making->layer->relative != NULL && making->which != MODEL_CROSS;
    const float *const sinks = making->which == MODEL_SELF ? making->layer->sinks : NULL;
    experiment->score_cap = capped ? make_numbers(making, &config->score_cap, 0, 1, 1) : NULL;
    experiment->score_bias = biased ? bias_of_scores(making) : NULL;
    experiment->sinks = sinks != NULL ? make_numbers(making, sinks, config->heads, 1, 1) : NULL;
    return (experiment->score_cap != NULL || !capped) &&
           (experiment->score_bias != NULL || !biased) &&
           (experiment->sinks != NULL || sinks == NULL);
}

bool model_gives_rows(const struct model_config *config, const struct model_layer *layer)
{
    return config->family->latent || layer->norm[MODEL_NORM_Q].gain != NULL ||
           config->width > LAB_SIZE_MAX;
}

static enum form form_of(const struct making *making)
{
    return model_gives_rows(&making->run->model->config, making->layer) ? FORM_ROWS : FORM_WEIGHTS;
}

/* ---- interventions ------------------------------------------------------------------------- */

/* Numbers of one row of a head, typed over those that the experiment computes. */
static bool type_row(struct making *making, enum lab_part part, size_t head, size_t row,
                     size_t column, size_t columns, const float *values)
{
    const struct lab_edit_block block = {.part = part,
                                         .head = head,
                                         .row = row,
                                         .column = column == MODEL_EACH ? 0 : column,
                                         .rows = 1,
                                         .columns = column == MODEL_EACH ? columns : 1,
                                         .goes_on = true};
    struct lab_edit_block typed = block;
    typed.values = values + block.column;
    return lab_experiment_edit_block(making->experiment, &typed, making->error);
}

/* Rows of Q, K or V that are replaced, where the experiment computes these of its weights. */
static bool type_projected(struct making *making, const struct model_intervention *one)
{
    static const enum lab_part parts[] = {LAB_Q, LAB_K, LAB_V};
    const struct model_run *const run = making->run;
    const size_t side = (size_t)(one->node - MODEL_NODE_Q), n = run->main.count;
    const struct model_sight sight =
        model_sight_of(run, MODEL_SELF, making->number, one->head, 0, n);
    const struct attn_operand from = side == 0 ? sight.q : side == 1 ? sight.k : sight.v;
    bool done = true;
    for (size_t i = 0; done && i < n; i++) {
        done = (one->row != MODEL_EACH && one->row != i) ||
               type_row(making, parts[side], one->head, i, one->column, from.cols,
                        from.values + i * from.stride);
    }
    return done;
}

/* The weights of a head as they are behind all that is replaced before them, of the rows that
 * differ. */
static bool type_weights(struct making *making, const struct model_intervention *one)
{
    const size_t n = making->run->main.count;
    float *const weights = alloc_floats(making, n * n);
    bool done = weights != NULL;
    if (done) {
        model_run_weights(making->run, making->number, one->head, weights);
    }
    for (size_t i = 0; done && i < n; i++) {
        const size_t seen = making->pass->stack->sees_all ? n : i + 1;
        done = (one->row != MODEL_EACH && one->row != i) ||
               type_row(making, LAB_ALPHA, one->head, i, MODEL_EACH, seen, weights + i * n);
    }
    return done;
}

static bool refuse_to_show(struct making *making, const struct model_intervention *one)
{
    return error_set(making->error, ERROR_INPUT,
                     "%s is replaced behind the weights of layer %zu, which cannot be shown: look "
                     "at another layer, or at the next words.",
                     model_node_name(one->node), making->number);
}

/* Makes typed numbers of those that are replaced between X and Z of this layer. Those before X are
 * in X, and those behind attention are not the experiment's. */
static bool fill_interventions(struct making *making)
{
    const struct model_interventions list = making->run->main.interventions;
    const bool has_rows = form_of(making) == FORM_ROWS;
    bool done = true;
    for (size_t i = 0; done && making->which == MODEL_SELF && i < list.count; i++) {
        const struct model_intervention *const one = &list.row[i];
        const bool off = model_head_is_off(list, one->layer, one->head);
        if (one->layer != making->number) {
            continue;
        }
        if (one->node >= MODEL_NODE_Q && one->node <= MODEL_NODE_V) {
            done = has_rows || type_projected(making, one);
        } else if (one->node >= MODEL_NODE_SCORES && one->node <= MODEL_NODE_ALPHA) {
            done = type_weights(making, one);
        } else if ((one->node == MODEL_NODE_Z && !off) || one->node == MODEL_NODE_OUTPUT) {
            done = refuse_to_show(making, one);
        }
    }
    return done;
}

/* ---- an experiment ------------------------------------------------------------------------- */

/* Scores are multiplied by another number than 1/√d: by 1/√d over a temperature. */
static void set_factor(const struct model_config *config, size_t layer,
                       struct lab_experiment *experiment)
{
    experiment->scale = config->scale;
    experiment->temperature = config->scale_by_layer ? (float)(layer + 1) : 1.0F;
    if (config->factor > 0) {
        experiment->scale = true;
        experiment->temperature = (float)(1 / (config->factor * sqrt((double)config->d_k)));
    }
}

static void set_mask(const struct making *making)
{
    const struct model_config *const config = &making->run->model->config;
    struct lab_experiment *const experiment = making->experiment;
    const size_t window = making->local ? config->window : 0;
    if (making->pass->stack->sees_all || making->which == MODEL_CROSS) {
        experiment->mask = window > 0 ? LAB_MASK_WINDOW : LAB_MASK_NONE;
    } else {
        experiment->mask = window > 0 ? LAB_MASK_CAUSAL_WINDOW : LAB_MASK_CAUSAL;
    }
    experiment->mask_size = window > LAB_MASK_NUMBER_MAX ? LAB_MASK_NUMBER_MAX : window;
}

static struct making start_making(const struct model_run *run, enum model_attention which,
                                  size_t layer, struct error *error)
{
    const struct model_config *const config = &run->model->config;
    const struct model_pass *const pass = which == MODEL_ENCODER ? &run->encoder : &run->main;
    return (struct making){.run = run,
                           .which = which,
                           .pass = pass,
                           .layer = &pass->stack->layer[layer],
                           .number = layer,
                           .groups = which == MODEL_CROSS ? config->heads : config->groups,
                           .local = which == MODEL_SELF &&
                                    (config->layer[layer] & MODEL_LAYER_LOCAL) != 0,
                           .error = error};
}

bool model_experiment(const struct model_run *run, enum model_attention which, size_t layer,
                      struct lab_experiment *experiment, struct error *error)
{
    static bool (*const fill[])(struct making *) = {
        [FORM_WEIGHTS] = fill_weights, [FORM_ROWS] = fill_rows};
    const struct model_config *const config = &run->model->config;
    struct making making = start_making(run, which, layer, error);
    const size_t groups = making.groups;
    making.experiment = experiment;
    *experiment = (struct lab_experiment){
        .d_model = config->width > LAB_SIZE_MAX ? LAB_SIZE_MAX : config->width,
        .heads = config->heads,
        .kind = groups == config->heads ? LAB_MULTI_HEAD
                : groups == 1           ? LAB_MULTI_QUERY
                                        : LAB_GROUPED,
        .groups = groups == config->heads || groups == 1 ? 0 : groups,
        .d_k = config->d_k,
        .d_v = config->d_v,
        .rope_theta = 10000,
        .rope_share = 1,
    };
    set_factor(config, layer, experiment);
    set_mask(&making);
    bool fine = run->model->source->calls->whole(run->model->source, error);
    if (fine) {
        experiment->tokens = words_of(&making, making.pass);
        experiment->context = which == MODEL_CROSS ? words_of(&making, &run->encoder) : NULL;
        fine = experiment->tokens != NULL &&
               (experiment->context != NULL || which != MODEL_CROSS) && fill_scores(&making) &&
               fill[form_of(&making)](&making) && fill_interventions(&making);
    }
    arena_free(&making.arena);
    if (!fine) {
        lab_experiment_release(experiment);
    }
    return fine;
}

struct lab_trace *model_trace(const struct model_run *run, enum model_attention which, size_t layer,
                              struct error *error)
{
    struct lab_experiment experiment;
    if (!model_experiment(run, which, layer, &experiment, error)) {
        return NULL;
    }
    const struct lab_engine engine = {run->means.kernels, run->means.pool};
    struct lab_trace *const trace = lab_run(&experiment, &engine, error);
    lab_experiment_release(&experiment);
    return trace;
}

/* Where the weights and the bias of a part stand, and how their heads lie; false: an attention has
 * no such part. */
static bool find_place(const struct making *making, enum lab_part part,
                       enum model_matrix_place *place, size_t *heads, size_t *d, bool *is_bias)
{
    static const enum lab_part weights[] = {LAB_W_Q, LAB_W_K, LAB_W_V, LAB_W_O};
    static const enum lab_part biases[] = {LAB_B_Q, LAB_B_K, LAB_B_V, LAB_B_O};
    const struct model_config *const config = &making->run->model->config;
    for (size_t w = 0; w < sizeof weights / sizeof weights[0]; w++) {
        if (part == weights[w] || part == biases[w]) {
            *place = places_of(making->which)[w];
            *is_bias = part == biases[w];
            *heads = weights[w] == LAB_W_Q ? config->heads : making->groups;
            *d = weights[w] == LAB_W_V ? config->d_v : config->d_k;
            return true;
        }
    }
    return false;
}

bool model_layer_weights(const struct model_run *run, enum model_attention which, size_t layer,
                         enum lab_part part, const struct lab_numbers **out, struct error *error)
{
    struct making making = start_making(run, which, layer, error);
    const bool latent = run->model->config.family->latent;
    enum model_matrix_place place = MODEL_M_Q;
    size_t heads = 0, d = 0;
    bool is_bias = false;
    *out = NULL;
    if (!run->model->source->calls->whole(run->model->source, error)) {
        return false;
    }
    if (!find_place(&making, part, &place, &heads, &d, &is_bias) ||
        (latent && place != MODEL_M_O) || (is_bias && making.layer->matrix[place].bias == NULL)) {
        return true;
    }
    const size_t width = run->model->config.width;
    const bool is_output = part == LAB_W_O || part == LAB_B_O;
    *out = !is_bias
               ? is_output ? output_matrix(&making) : projection_matrix(&making, place, heads, d)
           : is_output ? make_numbers(&making, making.layer->matrix[place].bias, 0, 1, width)
                       : make_numbers(&making, making.layer->matrix[place].bias, heads, 1, d);
    return *out != NULL;
}

bool model_thumbnails_source(const struct model_run *run, enum model_attention which,
                             struct arena *arena, struct lab_thumbnails_source *source)
{
    const struct model_pass *const queries = which == MODEL_ENCODER ? &run->encoder : &run->main;
    const struct model_pass *const keys = which == MODEL_SELF ? &run->main : &run->encoder;
    *source = (struct lab_thumbnails_source){.layers = model_layers_of(run->model, which),
                                             .heads = run->model->config.heads,
                                             .n = queries->count,
                                             .m = keys->count,
                                             .queries = shown_tokens(run, queries, arena),
                                             .keys = shown_tokens(run, keys, arena),
                                             .any_thread = true};
    return source->queries != NULL && source->keys != NULL;
}

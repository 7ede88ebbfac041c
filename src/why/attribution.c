/* why/attribution.c — the parts of a logit, layer by layer, while the run is visited. */
#include "why/attribution.h"

#include <math.h>
#include <string.h>

#include "model/direct.h"

/* An attribution that is being made. */
struct splitting {
    const struct model_run *run;
    const struct model *model;
    const struct model_config *config;
    struct why_attribution *out;
    struct arena *arena;
    struct why_part *part;
    size_t room, position;
    double *of_heads, *of_words;
    const double *direction;
    double *of_z;           /* [heads · d_v] of the layer */
    float *values;          /* [n][groups · d_v] of the layer */
    float *z;               /* [heads · d_v] at the position */
    float *weights;         /* [n][n] */
    double *stream, *added; /* [width] x before the layer, and what the layer adds */
    double of_attention;    /* of all heads and the bias */
    double *of_experts; /* [experts + 1] of the layer, the last: the shared one; NAN: not asked */
    struct error *error;
    bool failed;
};

static double dot(const double *direction, const float *values, size_t count)
{
    double sum = 0;
    for (size_t c = 0; c < count; c++) {
        sum += direction[c] * (double)values[c];
    }
    return sum;
}

static void add_part(struct splitting *s, const char *name, enum why_part_kind kind, size_t layer,
                     size_t head, double value)
{
    s->failed = s->failed || name == NULL || s->out->parts == s->room;
    if (!s->failed) {
        s->part[s->out->parts++] = (struct why_part){name, kind, layer, head, value};
    }
}

/* Says whether a difference is more than float32 loses. */
static bool is_by_hand(double value, double of)
{
    return fabs(value) > 1e-4 * fmax(1, fabs(of));
}

/* ---- the steps of a layer -------------------------------------------------------------------- */

static void see_stream(struct splitting *s, size_t layer, const float *x)
{
    const size_t width = s->config->width;
    double by_hand = 0, all = 0;
    for (size_t c = 0; c < width; c++) {
        by_hand += s->direction[c] * ((double)x[c] - s->stream[c] - s->added[c]);
        all += s->direction[c] * (double)x[c];
        s->stream[c] = (double)x[c];
        s->added[c] = 0;
    }
    if (layer > 0 && is_by_hand(by_hand, all)) {
        add_part(s, arena_format(s->arena, "residual %zu", layer), WHY_BY_HAND, layer, 0, by_hand);
    }
}

static void keep_values(struct splitting *s, struct attn_operand rows)
{
    const struct model_config *const config = s->config;
    const size_t from = (config->heads + config->groups) * config->d_k;
    const size_t wide = config->groups * config->d_v;
    for (size_t j = 0; j < rows.rows; j++) {
        memcpy(s->values + j * wide, rows.values + j * rows.stride + from,
               wide * sizeof *s->values);
    }
}

/* A head's part over the words that it looks at; nothing where Z is not what these give. */
static void split_head(struct splitting *s, size_t layer, size_t head)
{
    const struct model_config *const config = s->config;
    const size_t n = s->out->n, d_v = config->d_v, wide = config->groups * d_v;
    const size_t group = head / (config->heads / config->groups);
    double *const words = s->of_words + (layer * config->heads + head) * n;
    double sum = 0;
    model_run_weights(s->run, layer, head, s->weights);
    for (size_t j = 0; j < n; j++) {
        words[j] = (double)s->weights[s->position * n + j] *
                   dot(s->of_z + head * d_v, s->values + j * wide + group * d_v, d_v);
        sum += words[j];
    }
    if (is_by_hand(sum - s->of_heads[layer * config->heads + head], sum)) {
        memset(words, 0, n * sizeof *words);
    }
}

static void see_output(struct splitting *s, size_t layer, const float *output)
{
    const struct model_config *const config = s->config;
    double bias = 0;
    if (s->failed || !model_direction_of_heads(s->model, layer, s->direction, output, s->of_z,
                                               &bias, s->error)) {
        s->failed = true;
        return;
    }
    s->of_attention = bias;
    for (size_t h = 0; h < config->heads; h++) {
        const double value = dot(s->of_z + h * config->d_v, s->z + h * config->d_v, config->d_v);
        s->of_heads[layer * config->heads + h] = value;
        s->of_attention += value;
        add_part(s, arena_format(s->arena, "L%zuH%zu", layer, h), WHY_HEAD, layer, h, value);
        split_head(s, layer, h);
    }
    add_part(s, arena_format(s->arena, "attention bias %zu", layer), WHY_ATTENTION_BIAS, layer, 0,
             bias);
}

static void see_added(struct splitting *s, const float *values)
{
    for (size_t c = 0; c < s->config->width; c++) {
        s->added[c] += (double)values[c];
    }
}

static void see_expert(void *owner, size_t layer, size_t expert, size_t word, float weight,
                       const float *said)
{
    struct splitting *const s = owner;
    const size_t at = expert == MODEL_EACH ? s->config->experts.count : expert;
    (void)layer;
    if (word == s->position && !s->failed) {
        s->of_experts[at] = (double)weight * dot(s->direction, said, s->config->width);
    }
}

/* Adds the part of the MLP, or of each expert that the word asked where they give the whole. */
static void see_mlp(struct splitting *s, size_t layer, const float *values)
{
    const size_t experts = s->config->experts.count;
    const double whole = dot(s->direction, values, s->config->width);
    double sum = 0;
    size_t asked = 0;
    see_added(s, values);
    for (size_t e = 0; e <= experts; e++) {
        sum += isnan(s->of_experts[e]) ? 0 : s->of_experts[e];
        asked += isnan(s->of_experts[e]) ? 0 : 1;
    }
    if (asked == 0 || is_by_hand(whole - sum, whole)) {
        add_part(s, arena_format(s->arena, "MLP %zu", layer), WHY_MLP, layer, 0, whole);
        asked = 0;
    }
    for (size_t e = 0; e <= experts; e++) {
        if (asked > 0 && !isnan(s->of_experts[e])) {
            add_part(s,
                     e == experts ? arena_format(s->arena, "MLP %zu shared", layer)
                                  : arena_format(s->arena, "MLP %zuE%zu", layer, e),
                     WHY_EXPERT, layer, e, s->of_experts[e]);
        }
        s->of_experts[e] = NAN;
    }
}

static void see_attention(struct splitting *s, size_t layer, const float *values)
{
    const double whole = dot(s->direction, values, s->config->width);
    see_added(s, values);
    if (is_by_hand(whole - s->of_attention, whole)) {
        add_part(s, arena_format(s->arena, "attention %zu", layer), WHY_BY_HAND, layer, 0,
                 whole - s->of_attention);
    }
}

static void gather_rows(void *owner, enum model_node node, size_t layer, struct attn_operand rows)
{
    struct splitting *const s = owner;
    const float *const row = rows.values + s->position * rows.stride;
    if (s->failed) {
        return;
    }
    switch (node) {
    case MODEL_NODE_RESIDUAL:
        see_stream(s, layer, row);
        break;
    case MODEL_NODE_Q:
        keep_values(s, rows);
        break;
    case MODEL_NODE_Z:
        memcpy(s->z, row, rows.cols * sizeof *s->z);
        break;
    case MODEL_NODE_OUTPUT:
        see_output(s, layer, row);
        break;
    case MODEL_NODE_ATTENTION:
        see_attention(s, layer, row);
        break;
    case MODEL_NODE_CROSS:
        see_added(s, row);
        add_part(s, arena_format(s->arena, "cross-attention %zu", layer), WHY_CROSS, layer, 0,
                 dot(s->direction, row, s->config->width));
        break;
    case MODEL_NODE_MLP:
        see_mlp(s, layer, row);
        break;
    case MODEL_NODE_K:
    case MODEL_NODE_V:
    case MODEL_NODE_SCORES:
    case MODEL_NODE_SCALED:
    case MODEL_NODE_ALPHA:
    case MODEL_NODE_NEURONS:
    case MODEL_NODES:
        break;
    }
}

/* ---- before and behind the layers ------------------------------------------------------------ */

static bool split_embedding(struct splitting *s)
{
    const size_t width = s->config->width;
    const float *const x = model_run_residual(s->run, 0) + s->position * width;
    float *const place = arena_array(s->arena, 2 * width, sizeof *place);
    if (place == NULL || !model_embedding_parts(s->run, s->position, place, place + width)) {
        return false;
    }
    const double of_place = dot(s->direction, place, width),
                 of_kind = dot(s->direction, place + width, width);
    bool has_place = false;
    for (size_t c = 0; c < width; c++) {
        has_place = has_place || place[c] < 0 || place[c] > 0;
    }
    add_part(s, "embedding", WHY_EMBEDDING, 0, 0, dot(s->direction, x, width) - of_place - of_kind);
    if (has_place) {
        add_part(s, "position", WHY_POSITION, 0, 0, of_place);
    }
    if (s->config->types > 0) {
        add_part(s, "sentence", WHY_SENTENCE, 0, 0, of_kind);
    }
    return true;
}

/* The direction of the word, or of word − rival. */
static bool make_direction(struct splitting *s, const struct why_question *question,
                           struct model_direction *out)
{
    const size_t width = s->config->width, layers = s->config->layers;
    const float *const x = model_run_residual(s->run, layers) + question->position * width;
    struct model_direction rival;
    if (!model_direction_of(s->model, x, question->word, s->arena, out, s->error)) {
        return false;
    }
    if (question->has_rival) {
        if (!model_direction_of(s->model, x, question->rival, s->arena, &rival, s->error)) {
            return false;
        }
        for (size_t c = 0; c < width; c++) {
            out->of_stream[c] -= rival.of_stream[c];
        }
        out->norm_bias -= rival.norm_bias;
        out->output_bias -= rival.output_bias;
    }
    return true;
}

/* The logit as the model gives it, before its cap. */
static bool read_logit(struct splitting *s, const struct why_question *question)
{
    const size_t vocabulary = s->config->vocabulary;
    const double cap = (double)s->config->logit_cap;
    float *const logits = arena_array(s->arena, vocabulary, sizeof *logits);
    if (logits == NULL || !model_run_logits(s->run, question->position, 1, logits, s->error)) {
        return false;
    }
    double word = (double)logits[question->word], rival = (double)logits[question->rival];
    if (cap > 0) {
        word = cap * atanh(word / cap);
        rival = cap * atanh(rival / cap);
    }
    s->out->word = word;
    s->out->rival = question->has_rival ? rival : 0;
    s->out->logit = s->out->word - s->out->rival;
    return true;
}

static bool make_room(struct splitting *s)
{
    const struct model_config *const config = s->config;
    const size_t n = s->out->n, layers = config->layers, heads = config->heads;
    s->room = layers * (heads + 6 + config->experts.chosen) + 6;
    s->part = arena_array(s->arena, s->room, sizeof *s->part);
    s->of_heads = arena_array(s->arena, layers * heads, sizeof *s->of_heads);
    s->of_words = arena_array(s->arena, layers * heads, n * sizeof *s->of_words);
    s->of_z = arena_array(s->arena, heads * config->d_v, sizeof *s->of_z);
    s->z = arena_array(s->arena, heads * config->d_v, sizeof *s->z);
    s->values = arena_array(s->arena, n, config->groups * config->d_v * sizeof *s->values);
    s->of_experts = arena_array(s->arena, config->experts.count + 1, sizeof *s->of_experts);
    for (size_t e = 0; s->of_experts != NULL && e <= config->experts.count; e++) {
        s->of_experts[e] = NAN;
    }
    s->weights = arena_array(s->arena, n, n * sizeof *s->weights);
    s->stream = arena_array(s->arena, config->width, sizeof *s->stream);
    s->added = arena_array(s->arena, config->width, sizeof *s->added);
    return s->part != NULL && s->of_heads != NULL && s->of_words != NULL && s->of_z != NULL &&
           s->of_experts != NULL && s->z != NULL && s->values != NULL && s->weights != NULL &&
           s->stream != NULL && s->added != NULL;
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

static bool split_logit(struct splitting *s, const struct why_question *question)
{
    struct model_direction direction;
    if (!make_room(s)) {
        return no_memory(s->error);
    }
    if (!make_direction(s, question, &direction) || !read_logit(s, question)) {
        return false;
    }
    s->direction = direction.of_stream;
    if (!split_embedding(s) ||
        !model_run_visit(s->run, model_no_interventions,
                         (struct model_visitor){gather_rows, s, see_expert}, s->error) ||
        s->failed) {
        return s->error->code != ERROR_NONE ? false : no_memory(s->error);
    }
    add_part(s, "norm bias", WHY_NORM_BIAS, 0, 0, direction.norm_bias);
    add_part(s, "output bias", WHY_OUTPUT_BIAS, 0, 0, direction.output_bias);
    double sum = 0;
    for (size_t p = 0; p < s->out->parts; p++) {
        sum += s->part[p].value;
    }
    s->out->remainder = s->out->logit - sum;
    s->out->part = s->part;
    s->out->of_heads = s->of_heads;
    s->out->of_words = s->of_words;
    return !s->failed || no_memory(s->error);
}

bool why_attribute(const struct model_run *run, const struct model *model,
                   const struct why_question *question, struct why_attribution *out,
                   struct error *error)
{
    struct error own = {ERROR_NONE, 0, ""};
    const struct model_config *const config = model_config(model);
    *out = (struct why_attribution){
        .layers = config->layers, .heads = config->heads, .n = model_run_count(run)};
    struct splitting s = {.run = run,
                          .model = model,
                          .config = config,
                          .out = out,
                          .arena = &out->arena,
                          .position = question->position,
                          .error = &own};
    if (!model_stream_is_sum(model, error)) {
        return false;
    }
    if (!split_logit(&s, question)) {
        why_attribution_free(out);
        return error_set(error, own.code, "%s", own.text);
    }
    return true;
}

void why_attribution_free(struct why_attribution *attribution)
{
    arena_free(&attribution->arena);
}

/* model/intervention.c — numbers that are replaced while a run is computed. */
#include "model/intervention.h"

#include <string.h>

#include "model/model_internal.h"

struct model_intervention model_head_off(size_t layer, size_t head)
{
    return (struct model_intervention){.node = MODEL_NODE_Z,
                                       .layer = layer,
                                       .head = head,
                                       .row = MODEL_EACH,
                                       .column = MODEL_EACH};
}

bool model_intervention_is_at(const struct model_intervention *a,
                              const struct model_intervention *b)
{
    return a->node == b->node && a->layer == b->layer && a->head == b->head && a->row == b->row &&
           a->column == b->column;
}

bool model_intervention_equal(const struct model_intervention *a,
                              const struct model_intervention *b)
{
    return model_intervention_is_at(a, b) && a->by == b->by && !(a->value < b->value) &&
           !(a->value > b->value) && a->source == b->source;
}

/* How wide a node is: numbers of the configuration. */
enum extent { OF_WIDTH, OF_KEYS, OF_VALUES, OF_WORDS, OF_NEURONS };

static const struct {
    const char *name;
    enum extent columns;
    bool of_head;
} nodes[MODEL_NODES] = {
    [MODEL_NODE_RESIDUAL] = {"residual", OF_WIDTH, false},
    [MODEL_NODE_Q] = {"Q", OF_KEYS, true},
    [MODEL_NODE_K] = {"K", OF_KEYS, true},
    [MODEL_NODE_V] = {"V", OF_VALUES, true},
    [MODEL_NODE_SCORES] = {"scores", OF_WORDS, true},
    [MODEL_NODE_SCALED] = {"scaled", OF_WORDS, true},
    [MODEL_NODE_ALPHA] = {"alpha", OF_WORDS, true},
    [MODEL_NODE_Z] = {"Z", OF_VALUES, true},
    [MODEL_NODE_OUTPUT] = {"output", OF_WIDTH, false},
    [MODEL_NODE_ATTENTION] = {"attention", OF_WIDTH, false},
    [MODEL_NODE_CROSS] = {"cross", OF_WIDTH, false},
    [MODEL_NODE_NEURONS] = {"neurons", OF_NEURONS, false},
    [MODEL_NODE_MLP] = {"mlp", OF_WIDTH, false},
};

const char *model_node_name(enum model_node node)
{
    return nodes[node].name;
}

size_t model_node_columns(const struct model *model, enum model_node node, size_t words)
{
    const struct model_config *const config = &model->config;
    const size_t extents[] = {[OF_WIDTH] = config->width,
                              [OF_KEYS] = config->d_k,
                              [OF_VALUES] = config->d_v,
                              [OF_WORDS] = words,
                              [OF_NEURONS] = model->main.inner};
    return extents[nodes[node].columns];
}

/* ---- what is asked ------------------------------------------------------------------------- */

/* Says where a row or a column would have to be. */
static bool check_place(const char *name, const char *axis, size_t place, size_t count,
                        struct error *error)
{
    return place == MODEL_EACH || place < count ||
           error_set(error, ERROR_INPUT, "%s has no %s %zu: there are %zu, counted from 1.", name,
                     axis, place + 1, count);
}

static bool check_neurons(const struct model *model, const struct model_intervention *one,
                          struct error *error)
{
    return one->node != MODEL_NODE_NEURONS ||
           (model->main.layer[one->layer].expert[MODEL_E_DOWN] == NULL && model->main.inner > 0) ||
           error_set(error, ERROR_INPUT,
                     "Layer %zu has experts in place of an MLP: MLP%zu is all of them, none of its "
                     "neurons can be named.",
                     one->layer, one->layer);
}

/* A hidden pair has no score: nothing would change. */
static bool check_sight(const struct model *model, const struct model_intervention *one,
                        struct error *error)
{
    const struct model_config *const config = &model->config;
    const bool is_score = one->node == MODEL_NODE_SCORES || one->node == MODEL_NODE_SCALED;
    const bool local =
        (config->layer[one->layer < config->layers ? one->layer : 0] & MODEL_LAYER_LOCAL) != 0;
    const size_t window = local ? config->window : 0, i = one->row, j = one->column;
    if (!is_score || i == MODEL_EACH || j == MODEL_EACH) {
        return true;
    }
    const bool hidden = model->main.sees_all ? window > 0 && (i > j ? i - j : j - i) > window
                                             : j > i || (window > 0 && i - j >= window);
    return !hidden || error_set(error, ERROR_INPUT,
                                "Word %zu does not see word %zu in layer %zu: the mask hides it "
                                "already.",
                                i + 1, j + 1, one->layer);
}

static bool check_one(const struct model *model, const struct model_intervention *one, size_t words,
                      struct error *error)
{
    const struct model_config *const config = &model->config;
    const size_t layers = config->layers + (one->node == MODEL_NODE_RESIDUAL ? 1 : 0);
    const size_t heads = nodes[one->node].of_head ? config->heads : 1;
    const char *const name = nodes[one->node].name;
    if (one->node == MODEL_NODE_Z && (one->layer >= layers || one->head >= heads)) {
        return error_set(
            error, ERROR_INPUT,
            "There is no head %zu in layer %zu: the model has %zu layers of %zu heads, "
            "counted from 0.",
            one->head, one->layer, config->layers, config->heads);
    }
    if (one->layer >= layers && !nodes[one->node].of_head) {
        return error_set(
            error, ERROR_INPUT,
            "There is no layer %zu with %s: the last one is layer %zu, counted from 0.", one->layer,
            name, layers - 1);
    }
    if (one->layer >= layers || one->head >= heads) {
        return error_set(error, ERROR_INPUT,
                         "There is no L%zuH%zu.%s: the model has %zu layers of %zu heads, counted "
                         "from 0.",
                         one->layer, one->head, name, config->layers, config->heads);
    }
    if (!check_neurons(model, one, error) || !check_place(name, "row", one->row, words, error) ||
        !check_place(name, "column", one->column, model_node_columns(model, one->node, words),
                     error)) {
        return false;
    }
    if (one->node == MODEL_NODE_CROSS && model->encoder.count == 0) {
        return error_set(error, ERROR_INPUT,
                         "This model has no cross: it is for those that read one text and write "
                         "another.");
    }
    if (!check_sight(model, one, error)) {
        return false;
    }
    return one->by != MODEL_BY_SOURCE || one->source_rows == words ||
           error_set(error, ERROR_INPUT,
                     "The texts are of different lengths: %zu tokens and %zu; a part can be taken "
                     "from a text with as many tokens.",
                     words, one->source_rows);
}

bool model_interventions_check(const struct model *model, struct model_interventions list,
                               size_t words, struct error *error)
{
    for (size_t i = 0; i < list.count; i++) {
        if (!check_one(model, &list.row[i], words, error)) {
            return false;
        }
    }
    return true;
}

bool model_interventions_copy(const struct model *model, struct model_interventions list,
                              struct arena *arena, struct model_interventions *out)
{
    struct model_intervention *const rows = arena_array(arena, list.count + 1, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < list.count; i++) {
        const struct model_intervention *const one = &list.row[i];
        const size_t columns = model_node_columns(model, one->node, one->source_rows);
        rows[i] = *one;
        if (one->by == MODEL_BY_SOURCE) {
            float *const source = arena_array(arena, one->source_rows, columns * sizeof *source);
            if (source == NULL) {
                return false;
            }
            memcpy(source, one->source, one->source_rows * columns * sizeof *source);
            rows[i].source = source;
        }
    }
    *out = (struct model_interventions){rows, list.count};
    return rows != NULL;
}

/* ---- what is done -------------------------------------------------------------------------- */

/* Each column becomes its mean over all rows. */
static void replace_by_mean(struct attn_matrix values, size_t row, size_t column)
{
    for (size_t c = 0; c < values.cols; c++) {
        double sum = 0;
        if (column != MODEL_EACH && c != column) {
            continue;
        }
        for (size_t r = 0; r < values.rows; r++) {
            sum += (double)values.values[r * values.stride + c];
        }
        const float mean = (float)(sum / (double)values.rows);
        for (size_t r = 0; r < values.rows; r++) {
            if (row == MODEL_EACH || r == row) {
                values.values[r * values.stride + c] = mean;
            }
        }
    }
}

static void replace_rows(const struct model_intervention *one, size_t first, size_t columns,
                         struct attn_matrix values)
{
    if (one->by == MODEL_BY_MEAN) {
        replace_by_mean(values, one->row, one->column);
        return;
    }
    for (size_t r = 0; r < values.rows; r++) {
        const size_t place = first + r;
        if ((one->row != MODEL_EACH && place != one->row) ||
            (one->by == MODEL_BY_SOURCE && place >= one->source_rows)) {
            continue;
        }
        for (size_t c = 0; c < values.cols; c++) {
            if (one->column == MODEL_EACH || c == one->column) {
                values.values[r * values.stride + c] =
                    one->by == MODEL_BY_VALUE ? one->value : one->source[place * columns + c];
            }
        }
    }
}

void model_intervene(const struct model *model, struct model_interventions list,
                     enum model_node node, size_t layer, size_t head, size_t first,
                     struct attn_matrix values)
{
    for (size_t i = 0; i < list.count; i++) {
        const struct model_intervention *const one = &list.row[i];
        if (one->node == node && one->layer == layer && one->head == head) {
            replace_rows(one, first, model_node_columns(model, node, one->source_rows), values);
        }
    }
}

bool model_intervenes(struct model_interventions list, enum model_node from, enum model_node until,
                      size_t layer, size_t head)
{
    for (size_t i = 0; i < list.count; i++) {
        const struct model_intervention *const one = &list.row[i];
        if (one->node >= from && one->node <= until && one->layer == layer &&
            (head == MODEL_EACH || one->head == head)) {
            return true;
        }
    }
    return false;
}

bool model_grows(struct model_interventions list)
{
    for (size_t i = 0; i < list.count; i++) {
        if (list.row[i].by == MODEL_BY_MEAN) {
            return false;
        }
    }
    return true;
}

bool model_head_is_off(struct model_interventions list, size_t layer, size_t head)
{
    for (size_t i = 0; i < list.count; i++) {
        const struct model_intervention *const one = &list.row[i];
        const bool whole = one->row == MODEL_EACH && one->column == MODEL_EACH;
        if (one->node == MODEL_NODE_Z && one->layer == layer && one->head == head && whole &&
            one->by == MODEL_BY_VALUE && !(one->value < 0) && !(one->value > 0)) {
            return true;
        }
    }
    return false;
}

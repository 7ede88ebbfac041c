/* lab/explain/explain.c — explains the selected element by a title and a formula. */
#include "lab/explain/explain.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/explain/explain_internal.h"

enum { WORD_LETTERS_MAX = 24, DECIMALS_TRIED_MAX = 1 << 16, AS_NEEDED = -1 };

int lab_decimals(const struct lab_matrix *matrix, int max)
{
    if (matrix->values == NULL) {
        return 0;
    }
    int decimals = 0;
    double unit = 1;
    /* Only evenly spaced rows of a very large matrix are read, since this is called in every
     * frame. */
    const size_t step = 1 + matrix->rows * matrix->cols / DECIMALS_TRIED_MAX;
    for (size_t i = 0; i < matrix->rows; i += step) {
        for (size_t j = 0; j < matrix->cols && decimals < max; j++) {
            const double value = (double)lab_matrix_at(matrix, i, j);
            const double room = 1e-6 * fmax(1, fabs(value));
            while (isfinite(value) && decimals < max &&
                   fabs(value - floor(value * unit + 0.5) / unit) > room) {
                decimals++;
                unit *= 10;
            }
        }
    }
    return decimals;
}

const char *lab_topic_word(struct arena *arena, const char *word)
{
    const size_t length = strlen(word);
    size_t at = 0;
    for (size_t letter = 0; letter < WORD_LETTERS_MAX && at < length; letter++) {
        at = text_next_letter(word, length, at);
    }
    if (at >= length) {
        return word;
    }
    const char *const cut = arena_format(arena, "%.*s…", (int)at, word);
    return cut == NULL ? "…" : cut;
}

/* Returns the number of channels to choose from at a stage. */
static size_t channel_count(const struct lab_topic *topic)
{
    const enum lab_stage stage = topic->stage;
    const bool is_own = stage == LAB_EMBED || stage == LAB_PROJECT || stage == LAB_OUTPUT;
    return topic->graph->node[is_own ? lab_cell_part(stage, &topic->at) : LAB_Z].cols;
}

struct lab_topic lab_topic_of(const struct lab_trace *trace, enum lab_stage stage,
                              const struct lab_selection *selection, struct arena *arena)
{
    struct lab_topic topic = {
        .trace = trace,
        .experiment = lab_trace_experiment(trace),
        .graph = lab_trace_graph(trace),
        .sizes = lab_trace_sizes(trace),
        .stage = stage,
        .at = *selection,
        .arena = arena,
    };
    struct lab_selection *const at = &topic.at;
    const bool latent = at->projected == LAB_C && lab_graph_has(topic.graph, LAB_C);
    if (at->projected != LAB_K && at->projected != LAB_V && !latent) {
        at->projected = LAB_Q;
    }
    at->head = lab_index_clamp(at->head, topic.sizes.heads);
    at->query = lab_index_clamp(at->query, topic.sizes.n);
    at->key = lab_index_clamp(at->key, topic.sizes.m);
    at->channel = lab_index_clamp(at->channel, channel_count(&topic));
    topic.query = lab_topic_word(arena, lab_trace_queries(trace)[at->query]);
    topic.key = lab_topic_word(arena, lab_trace_keys(trace)[at->key]);
    topic.quoted_query = lab_quoted(arena, topic.query);
    topic.quoted_key = lab_quoted(arena, topic.key);
    topic.cell = lab_topic_cell(&topic);
    return topic;
}

bool lab_topic_of_keys(const struct lab_topic *topic)
{
    return topic->at.projected != LAB_Q && (topic->sizes.raw || topic->sizes.cross);
}

bool lab_topic_is_edited(const struct lab_topic *topic)
{
    const struct lab_cell *const cell = &topic->cell;
    return topic->stage != LAB_SCALE && lab_cell_exists(topic->trace, cell) &&
           lab_trace_is_edited(topic->trace, cell->part, cell->head, cell->row, cell->column);
}

const char *lab_topic_column(const struct lab_topic *topic, const struct lab_matrix *matrix,
                             size_t column)
{
    if (matrix->column_words != NULL) {
        return lab_topic_word(topic->arena, matrix->column_words[column]);
    }
    return arena_words(topic->arena, "%zu", column + 1);
}

size_t lab_topic_strongest(const struct lab_topic *topic)
{
    const struct lab_matrix alpha = lab_trace_part(topic->trace, LAB_ALPHA, topic->at.head);
    size_t best = 0;
    for (size_t j = 1; j < alpha.cols; j++) {
        const float max = lab_matrix_at(&alpha, topic->at.query, best);
        best = lab_matrix_at(&alpha, topic->at.query, j) > max ? j : best;
    }
    return best;
}

const char *lab_topic_percent(struct arena *arena, double share)
{
    static const double smallest = 0.001, rounds_to_it = 0.000995; /* of a hundred */
    const double percent = share * 100;
    if (percent > 0 && percent < rounds_to_it) {
        return arena_words(arena, "less than %s %%", lab_formula_digits(arena, smallest, 3));
    }
    return arena_words(arena, "%s %%", lab_formula_digits(arena, percent, 1));
}

/* Adds the head to a title where there are several. */
static const char *title_of(const struct lab_topic *topic, const char *title)
{
    const bool shared = topic->stage == LAB_PROJECT && topic->at.projected == LAB_C;
    if (topic->sizes.heads > 1 && topic->stage != LAB_EMBED && topic->stage != LAB_OUTPUT &&
        !shared) {
        title = topic->experiment->layers > 0
                    ? arena_words(topic->arena, "%s, L%zuH%zu", title, topic->experiment->layer,
                                  topic->at.head)
                    : arena_words(topic->arena, "%s, head %zu of %zu", title, topic->at.head + 1,
                                  topic->sizes.heads);
    }
    return title;
}

/* A formula that grows, and the element that it explains. */
struct explaining {
    struct lab_topic topic;
    struct lab_formula formula;
    size_t max_terms;
    const char *title;
    const char *sentence;
};

static void put_text(struct explaining *now, const char *text)
{
    lab_formula_text(&now->formula, LAB_ROLE_NONE, text);
}

/* Adds the selected number as the result. Where it was typed by hand, the computed number comes
 * first, since the formula does not give the typed one. */
static void put_result(struct explaining *now, int decimals)
{
    struct lab_formula *const formula = &now->formula;
    const struct lab_trace *const trace = now->topic.trace;
    const struct lab_cell *const cell = &now->topic.cell;
    if (!lab_cell_exists(trace, cell)) {
        return;
    }
    const struct lab_matrix result = lab_trace_part(trace, cell->part, cell->head);
    const struct lab_cells cells = {true, cell->part, cell->head, cell->row, cell->column, 0, 0};
    put_text(now, formula->pieces == 0 ? "" : " = ");
    if (lab_topic_is_edited(&now->topic)) {
        const double origin =
            (double)lab_trace_origin_value(trace, cell->part, cell->head, cell->row, cell->column);
        lab_formula_spell(formula, LAB_DECIMALS_MAX, "%n", &origin);
        put_text(now, tr("; set by hand: "));
    }
    const double value = (double)lab_matrix_at(&result, cell->row, cell->column);
    const int places = decimals < 0 ? lab_decimals(&result, LAB_DECIMALS_MAX) : decimals;
    const bool is_share = cell->part == LAB_ALPHA && lab_has_shares(now->topic.experiment);
    lab_formula_cell_text(
        formula, LAB_ROLE_RESULT,
        (is_share ? lab_formula_share : lab_formula_digits)(now->topic.arena, value, places),
        &cells, 0);
}

/* Adds a row of numbers, "(−2.7, 0.5, −0.2)", with the selected one as the result; long rows are
 * shortened around it. */
static void put_row(struct explaining *now, enum lab_part part, size_t row)
{
    const size_t head = lab_node_has_heads(part) ? now->topic.at.head : 0;
    const struct lab_matrix matrix = lab_trace_part(now->topic.trace, part, head);
    const enum lab_role role = lab_node_row(part)->role;
    const struct lab_cells cells = {true, part, head, row, 0, 0, 1};
    struct lab_formula *const formula = &now->formula;
    const size_t at = lab_index_clamp(now->topic.at.channel, matrix.cols);
    const size_t shown = now->max_terms == 0 ? 1 : now->max_terms;
    const int decimals = lab_decimals(&matrix, LAB_DECIMALS_MAX);
    size_t first = 0, last = matrix.cols;
    if (matrix.cols > shown) {
        first = at < shown / 2 ? 0 : at - shown / 2;
        first = first + shown > matrix.cols ? matrix.cols - shown : first;
        last = first + shown;
    }
    put_text(now, first > 0 ? "(…, " : "(");
    for (size_t c = first; c < last; c++) {
        lab_formula_cell(formula, c == at ? LAB_ROLE_RESULT : role,
                         (double)lab_matrix_at(&matrix, row, c), decimals, &cells, c);
        put_text(now, c + 1 < last ? ", " : "");
    }
    put_text(now, last < matrix.cols ? ", …)" : ")");
}

/* Spells a number that is the sum of two: both operands, and the result. */
static void put_two(struct explaining *now)
{
    const struct lab_topic *const topic = &now->topic;
    const struct lab_node *const made = &topic->graph->node[topic->cell.part];
    for (size_t i = 0; i < made->inputs; i++) {
        const enum lab_part part = (enum lab_part)made->input[i];
        const struct lab_matrix operand = lab_trace_part(topic->trace, part, 0);
        const struct lab_cells cell = {true, part, 0, topic->cell.row, topic->cell.column, 0, 0};
        put_text(now, i == 0 ? "" : " + ");
        lab_formula_cell(&now->formula, lab_node_row(part)->role,
                         (double)lab_matrix_at(&operand, cell.row, cell.column),
                         lab_decimals(&operand, LAB_DECIMALS_MAX), &cell, 0);
    }
    put_result(now, AS_NEEDED);
}

static void explain_embed(struct explaining *now)
{
    const struct lab_topic *const topic = &now->topic;
    const struct lab_matrix x = lab_trace_part(topic->trace, LAB_EMBEDDINGS_X, 0);
    now->title = arena_format(topic->arena, "x(%s)", topic->query);
    if (x.values != NULL && lab_trace_part(topic->trace, LAB_WAVES, 0).values != NULL) {
        const char *const column = lab_topic_column(topic, &x, topic->at.channel);
        now->title = arena_format(topic->arena, "x(%s)[%s] = e(%s)[%s] + p(%zu)[%s]", topic->query,
                                  column, topic->query, column, topic->at.query, column);
        put_two(now);
    } else if (x.values != NULL) {
        now->title = arena_format(topic->arena, "x(%s)[%s]", topic->query,
                                  lab_topic_column(topic, &x, topic->at.channel));
        put_row(now, LAB_EMBEDDINGS_X, topic->at.query);
    }
    now->sentence = lab_sentence(topic, NULL);
}

static void explain_scale(struct explaining *now)
{
    const struct lab_topic *const topic = &now->topic;
    const struct lab_selection *const at = &topic->at;
    struct lab_formula *const formula = &now->formula;
    const struct lab_matrix s = lab_trace_part(topic->trace, LAB_SCORES, at->head);
    const bool seen = lab_trace_sees(topic->trace, at->query, at->key);
    const float temperature = topic->experiment->temperature;
    const double scaled = (double)lab_trace_scaled(topic->trace, at->head, at->query, at->key);
    now->title = arena_format(topic->arena, "scaled( %s → %s ) = score%s", topic->query, topic->key,
                              lab_graph_adjustment(topic->graph, topic->arena));
    const struct lab_cells cells = {true, LAB_SCORES, at->head, at->query, at->key, 0, 0};
    const struct lab_numbers *const cap = topic->experiment->score_cap;
    const struct lab_numbers *const bias = topic->experiment->score_bias;
    char cap_digits[TEXT_NUMBER_MAX] = "", digits[TEXT_NUMBER_MAX];
    if (cap != NULL) { /* c · tanh(s ÷ c) */
        text_number_exact(cap_digits, lab_numbers_values(cap)[0]);
        put_text(now, arena_format(topic->arena, "%s · tanh(", cap_digits));
    }
    lab_formula_cell(formula, LAB_ROLE_NONE, (double)lab_matrix_at(&s, at->query, at->key),
                     lab_decimals(&s, LAB_DECIMALS_MAX), &cells, 0);
    if (topic->experiment->scale) {
        put_text(now, arena_format(topic->arena, " ÷ √%zu", topic->sizes.d_k));
    }
    if (temperature < 1 || temperature > 1) {
        put_text(now, arena_format(topic->arena, " ÷ %s", text_number_exact(digits, temperature)));
    }
    if (cap != NULL) {
        put_text(now, arena_format(topic->arena, " ÷ %s)", cap_digits));
    }
    if (bias != NULL) {
        const size_t pair = (at->head * topic->sizes.n + at->query) * topic->sizes.m + at->key;
        const double added = (double)lab_numbers_values(bias)[pair];
        lab_formula_spell(formula, LAB_DECIMALS_MAX, "%+n", &added);
    }
    put_text(now, seen ? "" : " + (−∞)");
    lab_formula_spell(formula, LAB_DECIMALS_MAX, " = %r", &scaled);
    now->sentence = lab_sentence(topic, NULL);
}

/* Returns the numerator of a score's share in its row. */
static double softmax_numerator(const struct lab_experiment *experiment, float scaled, float max)
{
    const bool hidden = isinf(scaled) && scaled < 0;
    if (experiment->normalise == LAB_PLAIN_SHARE) {
        return hidden ? 0 : (double)scaled;
    }
    return experiment->keep_maximum ? (double)expf(scaled) : exp((double)scaled - (double)max);
}

/* Adds "exp(4.186 − 4.376) ÷ (", "exp(4.186) ÷ (" or "4.186 ÷ (". */
static void put_numerator(struct explaining *now, const struct lab_cells *cells, float scaled,
                          float max)
{
    const struct lab_experiment *const experiment = now->topic.experiment;
    const bool plain = experiment->normalise == LAB_PLAIN_SHARE;
    put_text(now, plain ? "" : "exp(");
    lab_formula_cell(&now->formula, LAB_ROLE_KEY, (double)scaled, LAB_DECIMALS_MAX, cells,
                     now->topic.at.key);
    if (!plain && !experiment->keep_maximum) {
        lab_formula_spell(&now->formula, LAB_DECIMALS_MAX, "%-n", &(double){(double)max});
    }
    put_text(now, plain ? " ÷ (" : ") ÷ (");
}

static bool changes_scores(const struct lab_experiment *experiment)
{
    const float temperature = experiment->temperature;
    return experiment->scale || temperature < 1 || temperature > 1 ||
           experiment->score_cap != NULL || experiment->score_bias != NULL;
}

const char *lab_score_word(const struct lab_experiment *experiment)
{
    return changes_scores(experiment) ? tr("scaled") : tr("score");
}

static const char *weight_title(const struct lab_topic *topic)
{
    const struct lab_experiment *const experiment = topic->experiment;
    const char *const word = lab_score_word(experiment);
    if (experiment->normalise == LAB_PLAIN_SHARE) {
        return changes_scores(experiment) ? tr("scaled ÷ Σ scaled") : tr("score ÷ Σ scores");
    }
    return experiment->keep_maximum ? arena_words(topic->arena, "exp(%s) ÷ Σ exp", word)
                                    : arena_words(topic->arena, "exp(%s − max) ÷ Σ exp", word);
}

/* Keeps only the keys that the mask shows as terms of the sum. */
static void drop_hidden_terms(const struct lab_topic *topic, struct lab_sum *sum)
{
    size_t *const which = topic->experiment->mask == LAB_MASK_NONE
                              ? NULL
                              : arena_array(topic->arena, sum->count + 1, sizeof *which);
    size_t count = 0;
    for (size_t j = 0; which != NULL && j < sum->count; j++) {
        const float part = sum->left.values[j * sum->left.step];
        if (part < 0 || part > 0 || lab_trace_sees(topic->trace, topic->at.query, j)) {
            which[count++] = j;
        }
    }
    sum->which = which;
    sum->count = which == NULL ? sum->count : count;
}

static void explain_softmax(struct explaining *now)
{
    const struct lab_topic *const topic = &now->topic;
    const struct lab_selection *const at = &topic->at;
    struct lab_formula *const formula = &now->formula;
    const struct lab_matrix alpha = lab_trace_part(topic->trace, LAB_ALPHA, at->head);
    const struct lab_cells cells = {true, LAB_SCALED, at->head, at->query, 0, 0, 1};
    float *const power = arena_array(topic->arena, alpha.cols, sizeof *power);
    const float sink = lab_trace_sink(topic->trace, at->head);
    float max = sink;
    if (!lab_has_shares(topic->experiment)) {
        now->title = arena_format(topic->arena, "M( %s, %s )", topic->query, topic->key);
        put_result(now, lab_decimals(&alpha, LAB_DECIMALS_MAX));
        now->sentence = lab_sentence(topic, NULL);
        return;
    }
    now->title = arena_format(topic->arena, "α( %s → %s ) = %s", topic->query, topic->key,
                              weight_title(topic));
    for (size_t j = 0; j < alpha.cols; j++) {
        max = fmaxf(max, lab_trace_scaled(topic->trace, at->head, at->query, j));
    }
    if (isfinite(max) && power != NULL) {
        for (size_t j = 0; j < alpha.cols; j++) {
            const float scaled = lab_trace_scaled(topic->trace, at->head, at->query, j);
            power[j] = (float)softmax_numerator(topic->experiment, scaled, max);
        }
        put_numerator(now, &cells, lab_trace_scaled(topic->trace, at->head, at->query, at->key),
                      max);
        struct lab_sum sum = {
            .left = {power, 1, LAB_ROLE_NONE, LAB_DECIMALS_MAX, .cells = cells},
            .count = alpha.cols,
        };
        drop_hidden_terms(topic, &sum);
        lab_formula_sum(formula, &sum, now->max_terms);
        if (!isinf(sink)) {
            const double share = softmax_numerator(topic->experiment, sink, max);
            lab_formula_spell(formula, LAB_DECIMALS_MAX, " + %n", &share);
            put_text(now, tr(" sink"));
        }
        put_text(now, ")");
    }
    put_result(now, LAB_DECIMALS_MAX);
    now->sentence = lab_sentence(topic, NULL);
}

/* ---- sums of products ------------------------------------------------------------------------ */

/* Returns the title of a number that is a sum; NULL: it is given. */
static const char *project_title(const struct lab_topic *topic, const struct lab_sum *sum)
{
    const struct lab_cell *const cell = &topic->cell;
    const struct lab_node *const node = &topic->graph->node[cell->part];
    const struct lab_matrix result = lab_trace_part(topic->trace, cell->part, cell->head);
    const char *const column = lab_topic_column(topic, &result, topic->at.channel);
    const char *const word = lab_topic_of_keys(topic) ? topic->key : topic->query;
    const char *const letter = lab_node_row(cell->part)->letter;
    const char *const from = lab_node_row(node->input[0])->letter;
    if (node->operation == LAB_BY_ROW) {
        return arena_format(topic->arena, "%s(%s)[%s] = %s(%s)[%s] ÷ |%s(%s)|", letter, word,
                            column, from, word, column, from, word);
    }
    if (sum == NULL) {
        return arena_format(topic->arena, "%s(%s)[%s]", letter, word, column);
    }
    if (node->operation == LAB_TURN) {
        const double angle = lab_turn_of(topic->graph, cell).angle * 180 / acos(-1.0);
        return arena_format(topic->arena, "%s(%s)[%s] = %s(%s) turned by %s°", letter, word, column,
                            from, word, lab_formula_digits(topic->arena, angle, 1));
    }
    if (node->operation == LAB_SMEAR && sum->count == 1) {
        return arena_format(topic->arena, "%s(%s)[%s] = (1 − s) · %s(%s)[%s]", letter, word, column,
                            from, word, column);
    }
    if (node->operation == LAB_SMEAR) {
        const char *const before = lab_trace_keys(topic->trace)[cell->row - 1];
        return arena_format(topic->arena, "%s(%s)[%s] = s · %s(%s)[%s] + (1 − s) · %s(%s)[%s]",
                            letter, word, column, from, lab_topic_word(topic->arena, before),
                            column, from, word, column);
    }
    return arena_format(topic->arena, "%s(%s)[%s] = %s(%s) · %s[·, %s]%s", letter, word, column,
                        node->input[0] == LAB_C ? "c" : "x", word,
                        lab_node_row(node->input[1])->symbol, column,
                        sum->added.values == NULL ? "" : tr(" + bias"));
}

static const char *score_title(const struct lab_topic *topic, const struct lab_sum *sum)
{
    (void)sum;
    return arena_format(topic->arena, "score( %s → %s ) = %s(%s) · %s(%s)", topic->query,
                        topic->key, lab_node_row(lab_graph_queries(topic->graph))->letter,
                        topic->query, lab_node_row(lab_graph_keys(topic->graph))->letter,
                        topic->key);
}

static const char *blend_title(const struct lab_topic *topic, const struct lab_sum *sum)
{
    const struct lab_matrix v = lab_trace_part(topic->trace, LAB_V, topic->at.head);
    const char *const column = lab_topic_column(topic, &v, topic->at.channel);
    (void)sum;
    return arena_format(topic->arena, "z(%s)[%s] = Σⱼ α(%s, j) · v(j)[%s]", topic->query, column,
                        topic->query, column);
}

static const char *output_title(const struct lab_topic *topic, const struct lab_sum *sum)
{
    const struct lab_matrix o = lab_trace_part(topic->trace, LAB_OUTPUT_O, 0);
    const char *const column = lab_topic_column(topic, &o, topic->at.channel);
    if (topic->cell.part == LAB_RESIDUAL) {
        return arena_format(topic->arena, "(x + o)(%s)[%s] = x(%s)[%s] + o(%s)[%s]", topic->query,
                            column, topic->query, column, topic->query, column);
    }
    return sum == NULL ? arena_format(topic->arena, "o(%s) = z(%s)", topic->query, topic->query)
                       : arena_format(topic->arena, "o(%s)[%s] = concat(%s) · W_O[·, %s]%s",
                                      topic->query, column, topic->query, column,
                                      sum->added.values == NULL ? "" : tr(" + bias"));
}

/* Spells a number of a row that is brought to length 1: it is divided by the length of its row. */
static void put_unit(struct explaining *now)
{
    const struct lab_topic *const topic = &now->topic;
    const struct lab_sum squares = lab_squares_of(topic);
    const float *const own = &squares.left.values[topic->cell.column * squares.left.step];
    lab_formula_cell(&now->formula, squares.left.role, (double)*own, squares.left.decimals,
                     &squares.left.cells, topic->cell.column);
    put_text(now, " ÷ √(");
    lab_formula_sum(&now->formula, &squares, now->max_terms);
    put_text(now, ")");
    put_result(now, AS_NEEDED);
}

static void explain_sum(struct explaining *now)
{
    static const char *(*const titles[LAB_STAGES])(const struct lab_topic *,
                                                   const struct lab_sum *) = {
        [LAB_PROJECT] = project_title,
        [LAB_SCORE] = score_title,
        [LAB_BLEND] = blend_title,
        [LAB_OUTPUT] = output_title,
    };
    const struct lab_topic *const topic = &now->topic;
    const bool is_output = topic->stage == LAB_OUTPUT;
    struct lab_sum sum;
    const bool is_sum = lab_sum_of(topic, &sum);
    now->title = titles[topic->stage](topic, is_sum ? &sum : NULL);
    if (is_sum) {
        if (topic->stage == LAB_BLEND) {
            drop_hidden_terms(topic, &sum);
        }
        lab_formula_sum(&now->formula, &sum, now->max_terms);
        put_result(now, AS_NEEDED);
    } else if (topic->graph->node[topic->cell.part].operation == LAB_BY_ROW) {
        put_unit(now);
    } else if (topic->graph->node[topic->cell.part].operation == LAB_SUM) {
        put_two(now);
    } else {
        put_row(now, is_output ? LAB_CONCAT : topic->cell.part, topic->cell.row);
    }
    now->sentence = lab_sentence(topic, is_sum ? &sum : NULL);
}

struct lab_explanation lab_explain(const struct lab_trace *trace, enum lab_stage stage,
                                   const struct lab_selection *selection, size_t max_terms,
                                   struct arena *arena)
{
    static void (*const explain[LAB_STAGES])(struct explaining *) = {
        [LAB_EMBED] = explain_embed, [LAB_PROJECT] = explain_sum,     [LAB_SCORE] = explain_sum,
        [LAB_SCALE] = explain_scale, [LAB_SOFTMAX] = explain_softmax, [LAB_BLEND] = explain_sum,
        [LAB_OUTPUT] = explain_sum,
    };
    struct explaining now = {
        .topic = lab_topic_of(trace, stage, selection, arena),
        .formula = lab_formula_start(arena, lab_formula_room(max_terms)),
        .max_terms = max_terms,
    };
    const char *const lacks = lab_trace_lacks(trace, stage);
    if (lacks != NULL) {
        return (struct lab_explanation){.title = "", .sentence = lacks};
    }
    explain[stage](&now);
    return lab_formula_explanation(&now.formula, title_of(&now.topic, now.title), now.sentence);
}

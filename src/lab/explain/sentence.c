/* lab/explain/sentence.c — says one plain sentence about the selected element of each stage. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/edits.h"
#include "lab/explain/explain_internal.h"

/* A few words that together have this share get "most of the attention". */
static const double majority_share = 0.8;
static const double all_share = 1 - 1e-6; /* less than 1 by the rounding of float sums */
enum { FEW_WORDS = 3, SHARE_DECIMALS = 3 };

static const char *embed_sentence(const struct lab_topic *topic, const struct lab_sum *sum)
{
    (void)sum;
    struct arena *const arena = topic->arena;
    if (topic->sizes.raw) {
        return tr("Q, K and V were given as they are: there are no embeddings here.");
    }
    if (topic->experiment->positions == LAB_POSITIONS_SINUSOIDAL) {
        return arena_words(arena,
                           "The embedding of %s is the same wherever it stands; the wave of its "
                           "place, %zu counted from 0, is added to it.",
                           topic->quoted_query, topic->at.query);
    }
    switch (topic->experiment->embedding) {
    case LAB_EMBEDDING_TOY:
        if (lab_trace_is_guess(topic->trace, topic->at.query)) {
            return arena_words(arena,
                               "%s is not in the toy vocabulary: its place comes from its letters.",
                               topic->quoted_query);
        }
        return arena_words(arena,
                           "%s was placed by hand: words that are alike stand close together. A "
                           "minus is only a side of the axis.",
                           topic->quoted_query);
    case LAB_EMBEDDING_RANDOM:
        return arena_words(arena,
                           "Drawn at random with seed %llu; wherever %s stands, its numbers are "
                           "the same.",
                           (unsigned long long)topic->experiment->seed, topic->quoted_query);
    case LAB_EMBEDDING_ONEHOT:
        return arena_words(arena,
                           "Every word has a dimension of its own: %s is 1 there and 0 elsewhere.",
                           topic->quoted_query);
    case LAB_EMBEDDING_NUMBERS:
    case LAB_EMBEDDINGS:
        break;
    }
    return topic->experiment->layers > 0
               ? arena_words(arena, "What the heads of L%zu see of %s: the model’s own numbers.",
                             topic->experiment->layer, topic->quoted_query)
               : tr("These numbers were given with the experiment.");
}

/* Says whether any number of a part was typed by hand. */
static bool has_edits(const struct lab_topic *topic, enum lab_part part)
{
    const struct lab_edits *const edits = topic->experiment->edits;
    for (size_t e = 0; e < lab_edits_count(edits); e++) {
        if (lab_edits_at(edits, e).part == part) {
            return true;
        }
    }
    return false;
}

/* Describes a pair that also gets longer at every place, as positions stretched after training make
 * it. */
static const char *stretched_sentence(const struct lab_topic *topic, const struct lab_turn *turn,
                                      const char *was)
{
    const char *const by = lab_formula_digits(topic->arena, turn->stretch, SHARE_DECIMALS);
    return topic->cell.row == 0
               ? arena_words(
                     topic->arena,
                     "It was %s. The first place does not turn it; stretched positions make "
                     "it %s times as long.",
                     was, by)
               : arena_words(
                     topic->arena,
                     "It was %s; place %zu turns this pair by %s radians, stretched positions "
                     "make it %s times as long.",
                     was, topic->cell.row, lab_formula_digits(topic->arena, turn->angle, 3), by);
}

/* Describes a turned pair; place 0 is not turned at all. */
static const char *turned_sentence(const struct lab_topic *topic)
{
    const struct lab_cell *const cell = &topic->cell;
    const struct lab_turn turn = lab_turn_of(topic->graph, cell);
    const bool alone = turn.pair.first == turn.pair.second;
    const struct lab_matrix before = lab_trace_part(
        topic->trace, (enum lab_part)topic->graph->node[cell->part].input[0], cell->head);
    const char *const was = lab_formula_digits(
        topic->arena, (double)lab_matrix_at(&before, cell->row, cell->column), SHARE_DECIMALS);
    if (fabs(turn.stretch - 1) > 1e-6) {
        return stretched_sentence(topic, &turn, was);
    }
    if (cell->row == 0 || alone) {
        return cell->row == 0
                   ? arena_words(topic->arena, "The first place is not turned: it stays %s.", was)
                   : arena_words(topic->arena,
                                 "This dimension has no partner to turn with: it stays %s.", was);
    }
    return arena_words(topic->arena,
                       "It was %s; place %zu turns this pair by %s radians. Between a query and a "
                       "key only the difference of the turns counts: their distance.",
                       was, cell->row, lab_formula_digits(topic->arena, turn.angle, 3));
}

static const char *smeared_sentence(const struct lab_topic *topic)
{
    char share[TEXT_NUMBER_MAX];
    const size_t row = topic->cell.row;
    if (row == 0) {
        return tr("The first key has none before it: it only becomes smaller.");
    }
    const char *const before = lab_quoted(
        topic->arena, lab_topic_word(topic->arena, lab_trace_keys(topic->trace)[row - 1]));
    return arena_words(topic->arena,
                       "This key takes %s of the key of %s, the word before it: a query that looks "
                       "for %s also finds what follows it.",
                       text_number_exact(share, topic->experiment->smear), before, before);
}

static const char *project_sentence(const struct lab_topic *topic, const struct lab_sum *sum)
{
    static const char *const jobs[] = {"what it looks for", "how it can be found",
                                       "what it passes on to others"};
    const enum lab_part part = topic->cell.part;
    if (topic->graph->node[part].operation == LAB_BY_ROW) {
        const double length = lab_row_length(topic);
        return length > 0 ? arena_words(topic->arena,
                                        "Its row was %s long and is of length 1 here: only where "
                                        "it points counts in the scores.",
                                        lab_formula_digits(topic->arena, length, SHARE_DECIMALS))
                          : tr("A row of zeros points nowhere: it stays as it is.");
    }
    if (sum == NULL) {
        return tr("Given as it is: nothing is projected in this experiment.");
    }
    const struct lab_node *const node = &topic->graph->node[part];
    if (node->operation == LAB_TURN) {
        return turned_sentence(topic);
    }
    if (node->operation == LAB_SMEAR) {
        return smeared_sentence(topic);
    }
    const bool of_latent = node->input[0] == LAB_C;
    const char *const word = lab_topic_of_keys(topic) ? topic->key : topic->query;
    if (topic->experiment->weights == LAB_WEIGHTS_IDENTITY &&
        !has_edits(topic, (enum lab_part)node->input[1])) {
        return arena_words(
            topic->arena,
            "Identity weights: one weight is 1, the others are 0, so a number of %s(%s) is copied.",
            of_latent ? "c" : "x", word);
    }
    if (part == LAB_C) {
        return arena_words(topic->arena,
                           "The latent of %s: of these %zu numbers every head makes its keys and "
                           "values.",
                           lab_quoted(topic->arena, word), topic->sizes.latent);
    }
    if (of_latent) {
        return arena_words(topic->arena,
                           "Rebuilt from the latent: %zu numbers of %s are kept, and every head "
                           "makes its keys and values of them.",
                           topic->sizes.latent, lab_quoted(topic->arena, word));
    }
    return arena_words(
        topic->arena,
        tr_n("One neuron: %zu weight says how much the number of the word counts for %s.",
             "One neuron: %zu weights say how much each number of the word counts for %s.",
             sum->count),
        sum->count, tr(jobs[topic->at.projected - LAB_Q]));
}

/* Returns what the next stage makes of a score: "÷ √3 = 4.186". */
static const char *next_step(const struct lab_topic *topic)
{
    const struct lab_selection *const at = &topic->at;
    const float scaled = lab_trace_scaled(topic->trace, at->head, at->query, at->key);
    const char *const number = lab_formula_digits(topic->arena, (double)scaled, SHARE_DECIMALS);
    const float temperature = topic->experiment->temperature;
    char digits[TEXT_NUMBER_MAX];
    const char *const warmth =
        temperature < 1 || temperature > 1
            ? arena_words(topic->arena, "÷ %s ", text_number_exact(digits, temperature))
            : "";
    if (topic->experiment->score_cap != NULL || topic->experiment->score_bias != NULL) {
        return arena_words(topic->arena, "S′ = %s, then ", number);
    }
    if (topic->experiment->scale) {
        return arena_words(topic->arena, "÷ √%zu %s= %s, then ", topic->sizes.d_k, warmth, number);
    }
    return warmth[0] == '\0' ? "" : arena_words(topic->arena, "%s= %s, then ", warmth, number);
}

/* Returns "Mostly animalness: " where one named dimension makes more than half of all products. */
static const char *main_dimension(const struct lab_topic *topic, const struct lab_sum *sum)
{
    const struct lab_matrix q = lab_trace_part(topic->trace, LAB_Q, topic->at.head);
    double all = 0, max = 0;
    size_t which = 0;
    for (size_t i = 0; i < sum->count; i++) {
        const double product = fabs((double)sum->left.values[i * sum->left.step] *
                                    (double)sum->right.values[i * sum->right.step]);
        all += product;
        which = product > max ? i : which;
        max = fmax(max, product);
    }
    return q.column_words == NULL || sum->count < 2 || sum->count > LAB_PRODUCTS_MAX ||
                   max <= all / 2
               ? ""
               : arena_words(topic->arena, "Mostly %s: ", lab_topic_column(topic, &q, which));
}

/* Returns " = |q| 2.75 · |k| 2.69 · cos 12.0°", which shows whether length or direction makes a
 * score large. "" where a length is 0. */
static const char *lengths_and_angle(const struct lab_topic *topic, const struct lab_sum *sum)
{
    double q = 0, k = 0, dot = 0;
    for (size_t i = 0; i < sum->count; i++) {
        const double left = (double)sum->left.values[i * sum->left.step];
        const double right = (double)sum->right.values[i * sum->right.step];
        q += left * left;
        k += right * right;
        dot += left * right;
    }
    const double lengths = sqrt(q) * sqrt(k);
    if (!(lengths > 0) || !isfinite(lengths)) {
        return "";
    }
    const double angle = acos(fmax(-1, fmin(1, dot / lengths))) * 180 / acos(-1.0);
    return arena_words(
        topic->arena, " = |q| %s · |k| %s · cos %s°", lab_formula_digits(topic->arena, sqrt(q), 2),
        lab_formula_digits(topic->arena, sqrt(k), 2), lab_formula_digits(topic->arena, angle, 1));
}

static const char *score_sentence(const struct lab_topic *topic, const struct lab_sum *sum)
{
    const struct lab_selection *const at = &topic->at;
    struct arena *const arena = topic->arena;
    const struct lab_matrix alpha = lab_trace_part(topic->trace, LAB_ALPHA, at->head);
    const struct lab_matrix scores = lab_trace_part(topic->trace, LAB_SCORES, at->head);
    const char *products =
        lab_formula_products(arena, sum, LAB_PRODUCTS_MAX, lab_decimals(&scores, LAB_DECIMALS_MAX));
    if (products[0] == '\0') {
        products = arena_words(arena, "A sum of %zu products", sum->count);
    }
    const char *const angle = lengths_and_angle(topic, sum);
    if (!lab_trace_sees(topic->trace, at->query, at->key)) {
        return arena_words(arena, "%s%s%s; next: the mask hides %s from %s, so its share is 0",
                           main_dimension(topic, sum), products, angle, topic->quoted_key,
                           topic->quoted_query);
    }
    return arena_words(arena, "%s%s%s; next: %s%s → %s", main_dimension(topic, sum), products,
                       angle, next_step(topic),
                       topic->experiment->normalise == LAB_PLAIN_SHARE ? tr("plain share")
                                                                       : "softmax",
                       lab_formula_share(arena, (double)lab_matrix_at(&alpha, at->query, at->key),
                                         SHARE_DECIMALS));
}

static const char *scale_sentence(const struct lab_topic *topic, const struct lab_sum *sum)
{
    (void)sum;
    struct arena *const arena = topic->arena;
    const struct lab_experiment *const experiment = topic->experiment;
    if (!lab_trace_sees(topic->trace, topic->at.query, topic->at.key)) {
        const struct lab_mask_rule mask = lab_experiment_mask(experiment);
        char sentence[LAB_MASK_SENTENCE_MAX];
        return arena_words(arena, "Hidden by the mask: %s. %s will get no attention from %s.",
                           lab_mask_sentence(&mask, sentence), topic->quoted_key,
                           topic->quoted_query);
    }
    if (experiment->score_bias != NULL) {
        return tr("A bias is added that the model has learned for the distance of the two words.");
    }
    if (experiment->score_cap != NULL) {
        char digits[TEXT_NUMBER_MAX];
        return arena_words(arena, "Capped: however large a score is, it stays between −%s and %s.",
                           text_number_exact(digits, lab_numbers_values(experiment->score_cap)[0]),
                           text_number_exact(digits, lab_numbers_values(experiment->score_cap)[0]));
    }
    if (experiment->temperature > 1) {
        return tr("A temperature above 1 brings the scores closer together: the shares become more "
                  "even.");
    }
    if (experiment->temperature < 1) {
        return tr("A temperature below 1 drives the scores apart: the largest takes more.");
    }
    if (!experiment->scale) {
        return tr("Scaling is off and the temperature is 1: the score stays as it is.");
    }
    return arena_words(
        arena, "√%zu = %s; dividing makes up for the many products that a long sum adds together.",
        topic->sizes.d_k, lab_formula_digits(arena, sqrt((double)topic->sizes.d_k), 3));
}

/* Describes a row that no softmax gives: overflowed, negative, or typed by hand. NULL: an ordinary
 * one. */
static const char *strange_row(const struct lab_topic *topic, const struct lab_matrix *alpha)
{
    bool finite = true, negative = false;
    double sum = 0;
    for (size_t j = 0; j < alpha->cols; j++) {
        const float share = lab_matrix_at(alpha, topic->at.query, j);
        finite = finite && isfinite(share);
        negative = negative || share < 0;
        sum += (double)share;
    }
    const char *const digits = finite ? lab_formula_digits(topic->arena, sum, 2) : "";
    if (!finite && topic->experiment->normalise == LAB_PLAIN_SHARE) {
        return tr("The scores of this row add up to 0, and nothing can be divided by 0: one reason "
                  "why "
                  "shares are not made this way.");
    }
    if (!finite) {
        return tr("e to such scores does not fit into a 32-bit number, it is ∞ or 0: "
                  "subtract the row’s maximum first.");
    }
    if (has_edits(topic, LAB_ALPHA) && fabs(sum - 1) > 0.005) {
        return arena_words(topic->arena,
                           "Numbers were typed into this row: it sums to %s, not to 1.", digits);
    }
    return negative ? arena_words(topic->arena,
                                  "A negative score makes a negative share: the row of %s still "
                                  "sums to %s, but it is no mixture any more.",
                                  topic->quoted_query, digits)
                    : NULL;
}

static const char *name_of_key(const struct lab_topic *topic, size_t key)
{
    return lab_quoted(topic->arena,
                      lab_topic_word(topic->arena, lab_trace_keys(topic->trace)[key]));
}

const char *lab_sentence_of_row(const struct lab_topic *topic)
{
    const struct lab_matrix row = lab_trace_part(topic->trace, LAB_ALPHA, topic->at.head);
    const int decimals = lab_decimals(&row, LAB_DECIMALS_MAX);
    size_t low = 0, high = 0;
    for (size_t j = 1; j < row.cols; j++) {
        const float value = lab_matrix_at(&row, topic->at.query, j);
        low = value < lab_matrix_at(&row, topic->at.query, low) ? j : low;
        high = value > lab_matrix_at(&row, topic->at.query, high) ? j : high;
    }
    struct arena *const arena = topic->arena;
    return arena_words(
        arena, "In the row of %s the largest number is %s at %s, the smallest %s at %s.",
        topic->quoted_query,
        lab_formula_digits(arena, (double)lab_matrix_at(&row, topic->at.query, high), decimals),
        name_of_key(topic, high),
        lab_formula_digits(arena, (double)lab_matrix_at(&row, topic->at.query, low), decimals),
        name_of_key(topic, low));
}

static const char *softmax_sentence(const struct lab_topic *topic, const struct lab_sum *sum)
{
    (void)sum;
    if (!lab_has_shares(topic->experiment)) {
        return lab_sentence_of_row(topic);
    }
    const struct lab_selection *const at = &topic->at;
    struct arena *const arena = topic->arena;
    const struct lab_matrix alpha = lab_trace_part(topic->trace, LAB_ALPHA, at->head);
    const size_t strongest = lab_topic_strongest(topic);
    const float share = lab_matrix_at(&alpha, at->query, at->key);
    const float max = lab_matrix_at(&alpha, at->query, strongest);
    const char *const strange = strange_row(topic, &alpha);
    if (strange != NULL) {
        return strange;
    }
    if (!(max > 0)) {
        return arena_words(arena, "%s sees no key at all: its shares are 0.", topic->quoted_query);
    }
    const char *const percent = lab_topic_percent(arena, (double)share);
    if (topic->experiment->sinks != NULL) {
        const double sink = lab_trace_sink_share(topic->trace, at->head, at->query);
        return arena_words(arena,
                           "%s gives %s of its attention to %s; the sink takes %s, and the words "
                           "share the rest.",
                           topic->quoted_query, percent, topic->quoted_key,
                           lab_topic_percent(arena, sink));
    }
    if (!(share < 1)) {
        return arena_words(arena, "%s gives all of its attention to %s.", topic->quoted_query,
                           topic->quoted_key);
    }
    if (!(share < max)) {
        return arena_words(arena, "%s gives %s of its attention to %s; nothing gets more.",
                           topic->quoted_query, percent, topic->quoted_key);
    }
    return arena_words(arena, "%s gives %s of its attention to %s, most to %s (%s).",
                       topic->quoted_query, percent, topic->quoted_key,
                       name_of_key(topic, strongest), lab_topic_percent(arena, (double)max));
}

/* Marks in keep [m] the few words that get most of the row and returns their number; 0: they are
 * not few. */
static size_t few_words(const struct lab_topic *topic, bool *keep, double *total)
{
    const struct lab_matrix alpha = lab_trace_part(topic->trace, LAB_ALPHA, topic->at.head);
    *total = 0;
    for (size_t few = 1; few <= FEW_WORDS && few <= alpha.cols; few++) {
        size_t best = alpha.cols;
        for (size_t j = 0; j < alpha.cols; j++) {
            const float share = lab_matrix_at(&alpha, topic->at.query, j);
            if (!keep[j] &&
                (best == alpha.cols || share > lab_matrix_at(&alpha, topic->at.query, best))) {
                best = j;
            }
        }
        keep[best] = true;
        *total += (double)lab_matrix_at(&alpha, topic->at.query, best);
        if (*total >= majority_share) {
            return few;
        }
    }
    return 0;
}

/* Says which word gets most where no word could be left out. */
static const char *strongest_sentence(const struct lab_topic *topic)
{
    const struct lab_matrix alpha = lab_trace_part(topic->trace, LAB_ALPHA, topic->at.head);
    const size_t strongest = lab_topic_strongest(topic);
    const float max = lab_matrix_at(&alpha, topic->at.query, strongest);
    return arena_words(topic->arena, "%s gives most of its attention to %s (%s).",
                       topic->quoted_query, name_of_key(topic, strongest),
                       lab_topic_percent(topic->arena, (double)max));
}

const char *lab_sentence_attention(const struct lab_topic *topic)
{
    struct arena *const arena = topic->arena;
    const struct lab_matrix alpha = lab_trace_part(topic->trace, LAB_ALPHA, topic->at.head);
    for (size_t j = 0; j < alpha.cols; j++) {
        if (!(lab_matrix_at(&alpha, topic->at.query, j) >= 0)) {
            return arena_words(arena, "The weights of %s are no shares of a whole.",
                               topic->quoted_query);
        }
    }
    bool *const keep = arena_array(arena, topic->sizes.m, sizeof *keep);
    double total = 0;
    size_t left = keep == NULL ? 0 : few_words(topic, keep, &total);
    if (left == 0) {
        return total > 0 ? arena_words(arena, "%s spreads its attention over many words.",
                                       topic->quoted_query)
                         : arena_words(arena, "%s attends to nothing.", topic->quoted_query);
    }
    if (left == alpha.cols && left > 2) { /* all words are not few */
        return strongest_sentence(topic);
    }
    const char *names = "";
    for (size_t j = 0; j < topic->sizes.m && names != NULL; j++) {
        if (keep[j]) {
            left--;
            names = arena_words(arena, "%s%s%s", names, name_of_key(topic, j),
                                left == 0   ? ""
                                : left == 1 ? tr(" and ")
                                            : ", ");
        }
    }
    /* Only all words together get 100 %. */
    const int decimals = total >= 0.995 && total < all_share ? 1 : 0;
    return arena_words(arena, "%s gives %s %% of its attention to %s.", topic->quoted_query,
                       lab_formula_digits(arena, total * 100, decimals), names);
}

static const char *blend_sentence(const struct lab_topic *topic, const struct lab_sum *sum)
{
    const char *const products =
        lab_formula_products(topic->arena, sum, LAB_PRODUCTS_MAX, SHARE_DECIMALS);
    const char *const attention = lab_sentence_attention(topic);
    const struct lab_matrix alpha = lab_trace_part(topic->trace, LAB_ALPHA, topic->at.head);
    double sum_of_row = 0;
    for (size_t j = 0; j < alpha.cols; j++) {
        sum_of_row += (double)lab_matrix_at(&alpha, topic->at.query, j);
    }
    const bool is_share = !isfinite(sum_of_row) || fabs(sum_of_row - 1) < 0.001 || sum_of_row == 0;
    const char *const closing =
        is_share ? attention
                 : arena_words(topic->arena,
                               "the row's weights sum to %s, not to 1: this is no average any more",
                               lab_formula_digits(topic->arena, sum_of_row, SHARE_DECIMALS));
    return products[0] == '\0' ? closing : arena_words(topic->arena, "%s — %s", products, closing);
}

static const char *about_w_o(const struct lab_topic *topic)
{
    const struct lab_sizes *const sizes = &topic->sizes;
    if (topic->graph->node[LAB_OUTPUT_O].operation == LAB_COPY) {
        return tr("W_O is left out: the output is what the heads found, side by side.");
    }
    if (topic->experiment->weights != LAB_WEIGHTS_IDENTITY || has_edits(topic, LAB_W_O)) {
        return arena_words(topic->arena, "W_O mixes what %s found about %s into one row.",
                           sizes->heads == 1 ? tr("the head") : tr("all heads"),
                           topic->quoted_query);
    }
    if (sizes->heads == 1 && sizes->d_v == sizes->d_model) {
        return tr("One head and identity weights: the output is z itself.");
    }
    return tr(
        "Identity weights: every entry goes back to its dimension; several of one dimension are "
        "averaged.");
}

static const char *output_sentence(const struct lab_topic *topic, const struct lab_sum *sum)
{
    const struct lab_matrix residual = lab_trace_part(topic->trace, LAB_RESIDUAL, 0);
    struct arena *const arena = topic->arena;
    if (topic->cell.part == LAB_RESIDUAL) {
        return tr("The residual: what came in stays, and what attention found is added to it.");
    }
    if (sum == NULL) {
        return tr("Q, K and V were given without an output projection: z is the result.");
    }
    if (residual.values == NULL) {
        return about_w_o(topic);
    }
    const struct lab_matrix x = lab_trace_part(topic->trace, LAB_EMBEDDINGS_X, 0);
    const struct lab_matrix o = lab_trace_part(topic->trace, LAB_OUTPUT_O, 0);
    const size_t i = topic->at.query, c = topic->at.channel;
    const float added = lab_matrix_at(&o, i, c);
    const char *const digits = lab_formula_digits(arena, (double)added, SHARE_DECIMALS);
    return arena_words(
        arena, "%s With the residual: x + o = %s + %s = %s.", about_w_o(topic),
        lab_formula_digits(arena, (double)lab_matrix_at(&x, i, c), SHARE_DECIMALS),
        added < 0 ? arena_words(arena, "(%s)", digits) : digits,
        lab_formula_digits(arena, (double)lab_matrix_at(&residual, i, c), SHARE_DECIMALS));
}

static const char *edited_sentence(const struct lab_topic *topic)
{
    const struct lab_cell *const cell = &topic->cell;
    const struct lab_matrix matrix = lab_trace_part(topic->trace, cell->part, cell->head);
    const float origin =
        lab_trace_origin_value(topic->trace, cell->part, cell->head, cell->row, cell->column);
    char typed[TEXT_NUMBER_MAX];
    return arena_words(
        topic->arena,
        topic->experiment->layers > 0 && topic->experiment->learned == NULL /* it is no longer
                                                                               read */
                && !lab_trace_edit_goes_on(topic->trace, cell->part, cell->head, cell->row,
                                           cell->column)
            ? tr("Set by hand: %s where %s would be. All up to Output follows; Block, later "
                 "layers and next words stay the model’s own.")
            : tr("Set by hand: %s where %s would be. All that comes after it follows."),
        text_number_exact(typed, lab_matrix_at(&matrix, cell->row, cell->column)),
        isfinite(origin) ? lab_formula_digits(topic->arena, (double)origin, SHARE_DECIMALS)
                         : tr("no number"));
}

const char *lab_sentence(const struct lab_topic *topic, const struct lab_sum *sum)
{
    static const char *(*const sentences[LAB_STAGES])(const struct lab_topic *,
                                                      const struct lab_sum *) = {
        [LAB_EMBED] = embed_sentence,     [LAB_PROJECT] = project_sentence,
        [LAB_SCORE] = score_sentence,     [LAB_SCALE] = scale_sentence,
        [LAB_SOFTMAX] = softmax_sentence, [LAB_BLEND] = blend_sentence,
        [LAB_OUTPUT] = output_sentence,
    };
    if (lab_topic_is_edited(topic)) {
        return edited_sentence(topic);
    }
    return sentences[topic->stage](topic, sum);
}

/* lab/explain/describe.c — describes the whole picture in plain sentences. */
#include "base/translate.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/qk_transform.h"
#include "lab/explain/explain_internal.h"
#include "lab/run/cache.h"
#include "lab/run/flash.h"

enum { NAMED_WORDS_MAX = 12 };

static const char *list_of(struct arena *arena, const char *const *word, size_t count)
{
    const char *list = "";
    const size_t named = count <= NAMED_WORDS_MAX ? count : NAMED_WORDS_MAX;
    for (size_t w = 0; w < named; w++) {
        const char *const between = w == 0 ? "" : w + 1 == count ? tr(" and ") : ", ";
        list = arena_words(arena, "%s%s%s", list, between,
                           lab_quoted(arena, lab_topic_word(arena, word[w])));
    }
    return named == count ? list : arena_words(arena, "%s and %zu more", list, count - named);
}

/* Names the matrices that were given. */
static const char *about_given(const struct lab_graph *graph)
{
    return tr(!lab_has_shares(graph->experiment)
                  ? "The numbers of a matrix are given; they are no attention."
              : !lab_graph_has(graph, LAB_SCORES) ? "The weights are given as they are."
              : !lab_graph_has(graph, LAB_V)      ? "Queries and keys are given as they are."
                                             : "Queries, keys and values are given as they are.");
}

static const char *about_input(const struct lab_topic *topic)
{
    static const char *const sources[LAB_EMBEDDINGS] = {
        [LAB_EMBEDDING_TOY] = "placed by hand on the axes petness, animalness and cityness",
        [LAB_EMBEDDING_RANDOM] = "given random positions",
        [LAB_EMBEDDING_ONEHOT] = "given one dimension each",
        [LAB_EMBEDDING_NUMBERS] = "with positions that were given",
    };
    struct arena *const arena = topic->arena;
    const struct lab_sizes *const sizes = &topic->sizes;
    const char *const tokens = list_of(arena, lab_trace_queries(topic->trace), sizes->n);
    const char *const context =
        !sizes->cross
            ? ""
            : arena_words(arena,
                          tr_n(" They attend to %zu other: %s.", " They attend to %zu others: %s.",
                               sizes->m),
                          sizes->m, list_of(arena, lab_trace_keys(topic->trace), sizes->m));
    const char *const words =
        arena_words(arena, tr_n("%zu token", "%zu tokens", sizes->n), sizes->n);
    if (sizes->raw) {
        return arena_words(arena, "%s: %s.%s %s", words, tokens, context,
                           about_given(topic->graph));
    }
    const char *const source = topic->experiment->layers > 0
                                   ? tr("as they come into this layer")
                                   : tr(sources[topic->experiment->embedding]);
    return arena_words(arena, "%s, %s: %s.%s", words, source, tokens, context);
}

/* Describes the changes of queries and keys before the scores. */
static const char *about_steps(const struct lab_topic *topic)
{
    const struct lab_qk_transform *step = NULL;
    const char *told = "";
    while ((step = lab_qk_transform_next(topic->experiment, step)) != NULL) {
        if (step->told != NULL && lab_graph_has(topic->graph, step->made[LAB_SIDE_KEYS])) {
            told = arena_words(topic->arena, "%s %s", told, tr(step->told));
        }
    }
    return told;
}

const char *lab_describe_edits(const struct lab_trace *trace, struct arena *arena)
{
    const struct lab_edits_told told =
        lab_edits_tell(lab_trace_experiment(trace)->edits, NULL, lab_trace_sizes(trace).m);
    const char *const numbers =
        told.numbers == 0 ? ""
                          : arena_words(arena,
                                        tr_n(" %zu number was typed by hand.",
                                             " %zu numbers were typed by hand.", told.numbers),
                                        told.numbers);
    return told.rows == 0
               ? numbers
               : arena_words(arena, "%s%s", numbers,
                             arena_words(arena,
                                         tr_n(" %zu row was changed by hand.",
                                              " %zu rows were changed by hand.", told.rows),
                                         told.rows));
}

/* Describes settings that are not the usual ones. */
static const char *about_switches(const struct lab_topic *topic)
{
    const struct lab_experiment *const experiment = topic->experiment;
    return arena_words(
        topic->arena, "%s%s%s%s%s%s", about_steps(topic),
        experiment->normalise == LAB_PLAIN_SHARE ? tr(" Weights are plain shares of the scores.")
                                                 : "",
        experiment->keep_maximum ? tr(" The row maximum is not subtracted.") : "",
        topic->graph->node[LAB_OUTPUT_O].operation == LAB_COPY ? tr(" W_O is left out.") : "",
        lab_graph_has(topic->graph, LAB_RESIDUAL) ? tr(" The input is added to the output.") : "",
        lab_describe_edits(topic->trace, topic->arena));
}

/* Describes which pairs a mask leaves and what that saves. */
static const char *about_pairs(const struct lab_topic *topic)
{
    const size_t all = topic->sizes.n * topic->sizes.m;
    const size_t pairs = lab_trace_pairs(topic->trace), blind = lab_trace_blind(topic->trace);
    const char *none = "";
    if (pairs == all) {
        return "";
    }
    if (blind > 0) {
        none = arena_words(topic->arena,
                           tr_n(" %zu query sees no key: weights and output are 0.",
                                " %zu queries see no key: weights and output are 0.", blind),
                           blind);
    }
    return arena_words(topic->arena, " Of %zu pairs %zu are seen, %s.%s", all, pairs,
                       lab_topic_percent(topic->arena, (double)pairs / (double)all), none);
}

/* Describes how keys and values are shared, and positions; usual settings are left out. */
static const char *about_kind(const struct lab_topic *topic)
{
    const struct lab_experiment *const experiment = topic->experiment;
    const struct lab_sizes *const sizes = &topic->sizes;
    struct arena *const arena = topic->arena;
    const struct lab_kind_row *const kind = lab_kind_row(experiment->kind);
    const struct lab_node *const keys = &topic->graph->node[LAB_K];
    const char *const number =
        experiment->kind == LAB_GROUPED
            ? arena_words(arena, ", %zu for %zu heads", keys->matrices, sizes->heads)
        : lab_graph_has(topic->graph, LAB_C)
            ? arena_words(arena, " of %zu numbers", topic->graph->node[LAB_C].cols)
            : "";
    const char *const shared =
        experiment->kind == LAB_MULTI_HEAD
            ? ""
            : arena_words(arena, " %s: %s%s.", tr(kind->title), tr(kind->sentence), number);
    return experiment->positions == LAB_POSITIONS_NONE
               ? shared
               : arena_words(arena, "%s Positions: %s.", shared,
                             tr(lab_positions_row(experiment->positions)->sentence));
}

/* Describes computing in tiles: how many there are, what is skipped and saved, and that the answer
 * is the same. */
static const char *about_tiles(const struct lab_topic *topic)
{
    const struct lab_experiment *const experiment = topic->experiment;
    struct arena *const arena = topic->arena;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_flash flash;
    if (experiment->flash_rows == 0 ||
        !lab_flash_replay(topic->trace, topic->at.head, experiment->flash_rows,
                          experiment->flash_cols, arena, &flash, &error)) {
        return "";
    }
    return arena_words(
        arena,
        " Tile by tile: %zu tiles of %zu × %zu, %zu of them skipped; %zu bytes instead of %zu for "
        "all scores. Largest difference to the plain result: %s.",
        flash.tiles, flash.block_rows, flash.block_cols, flash.skipped, flash.bytes_tiled,
        flash.bytes_plain, lab_small_number(arena, flash.difference));
}

/* Describes what a cache saves when words come one by one, which needs that no word sees later
 * ones. */
static const char *about_cache(const struct lab_topic *topic)
{
    const struct lab_sizes *const sizes = &topic->sizes;
    const struct lab_mask_rule mask = lab_experiment_mask(topic->experiment);
    if (sizes->raw || sizes->cross || mask.kind != LAB_MASK_CAUSAL) {
        return "";
    }
    const struct lab_cache_step last = lab_cache_step(topic->graph, &mask, sizes->n);
    return arena_words(topic->arena,
                       " Decoding with a cache, the last token takes %zu multiplications "
                       "instead of %zu; the cache "
                       "grows by %zu bytes to %zu.",
                       last.with_cache, last.without, last.bytes_added, last.cache_bytes);
}

/* Returns "3 heads with keys of 8 and values of 8 numbers", as far as the sizes are known. */
static const char *about_heads(const struct lab_topic *topic)
{
    const struct lab_sizes *const sizes = &topic->sizes;
    struct arena *const arena = topic->arena;
    const char *const heads =
        arena_words(arena, tr_n("%zu head", "%zu heads", sizes->heads), sizes->heads);
    return sizes->d_k == 0 ? heads
           : sizes->d_v == 0
               ? arena_words(
                     arena,
                     tr_n("%s with keys of %zu number", "%s with keys of %zu numbers", sizes->d_k),
                     heads, sizes->d_k)
               : arena_words(arena,
                             tr_n("%s with keys of %zu and values of %zu number",
                                  "%s with keys of %zu and values of %zu numbers", sizes->d_v),
                             heads, sizes->d_k, sizes->d_v);
}

/* Returns ", identity weights" or ", weights of the model". */
static const char *about_weights(const struct lab_topic *topic)
{
    const struct lab_experiment *const experiment = topic->experiment;
    const bool given = experiment->weights == LAB_WEIGHTS_NUMBERS;
    const char *const name = tr(lab_weights_name(experiment->weights));
    return topic->sizes.raw                  ? ""
           : experiment->learned != NULL     ? tr(", weights that were learned")
           : given && experiment->layers > 0 ? tr(", weights of the model")
           : given                           ? tr(", weights that were given")
                                             : arena_words(topic->arena, ", %s weights", name);
}

static const char *about_sizes(const struct lab_topic *topic)
{
    struct arena *const arena = topic->arena;
    const struct lab_mask_rule mask = lab_experiment_mask(topic->experiment);
    char sentence[LAB_MASK_SENTENCE_MAX];
    if (!lab_graph_has(topic->graph, LAB_SCORES)) { /* the rule that made these weights is not
                                                       known */
        return arena_words(arena, "%s.%s", about_heads(topic), about_switches(topic));
    }
    return arena_words(arena, "%s%s; %s, %s.%s%s%s%s%s", about_heads(topic), about_weights(topic),
                       tr(topic->experiment->scale ? "scale on" : "scale off"),
                       tr(lab_mask_sentence(&mask, sentence)), about_pairs(topic),
                       about_kind(topic), about_switches(topic), about_tiles(topic),
                       about_cache(topic));
}

static const char *about_selection(const struct lab_topic *topic,
                                   const struct lab_explanation *explanation)
{
    struct arena *const arena = topic->arena;
    const char *formula = "";
    if (explanation->pieces == 0) {
        return tr("What is selected is not known at this stage.");
    }
    for (size_t p = 0; p < explanation->pieces; p++) {
        formula = arena_words(arena, "%s%s", formula, explanation->piece[p].text);
    }
    return arena_words(arena, "Selected: %s: %s.", explanation->title, formula);
}

/* Lists the shares of the selected query's row in the order of the keys. */
static const char *about_shares(const struct lab_topic *topic)
{
    struct arena *const arena = topic->arena;
    const struct lab_matrix alpha = lab_trace_part(topic->trace, LAB_ALPHA, topic->at.head);
    if (alpha.cols > NAMED_WORDS_MAX) {
        const size_t strongest = lab_topic_strongest(topic);
        return arena_words(
            arena, "%s attends most to %s (%s).", topic->quoted_query,
            lab_quoted(arena, lab_topic_word(arena, lab_trace_keys(topic->trace)[strongest])),
            lab_topic_percent(arena, (double)lab_matrix_at(&alpha, topic->at.query, strongest)));
    }
    const char *shares = "";
    for (size_t j = 0; j < alpha.cols; j++) {
        const char *const share =
            lab_topic_percent(arena, (double)lab_matrix_at(&alpha, topic->at.query, j));
        shares = arena_words(
            arena, "%s%s%s %s", shares, j == 0 ? "" : ", ",
            lab_quoted(arena, lab_topic_word(arena, lab_trace_keys(topic->trace)[j])), share);
    }
    return arena_words(arena, "Attention of %s: %s.", topic->quoted_query, shares);
}

/* Returns "Stage 3 of 7", and for a model also of what, since its layers do more than attend. */
static const char *place_of(const struct lab_topic *topic, enum lab_stage stage)
{
    const struct lab_experiment *const experiment = topic->experiment;
    const unsigned number = (unsigned)stage + 1, all = LAB_STAGES;
    return experiment->layers == 0
               ? arena_words(topic->arena, "Stage %u of %u", number, all)
               : arena_words(
                     topic->arena, "Layer %zu of %zu (L%zu), stage %u of %u of its attention",
                     experiment->layer + 1, experiment->layers, experiment->layer, number, all);
}

const char *lab_describe_chat(const char *form, size_t own, size_t count, struct arena *arena)
{
    return arena_words(
        arena,
        " The text is a message in the model's chat template (%s): %zu of %zu tokens are "
        "the template's.",
        form, own, count);
}

const char *lab_describe_seen(const struct lab_trace *trace, enum lab_stage stage,
                              const struct lab_selection *selection, enum lab_seen seen,
                              struct arena *arena)
{
    const struct lab_topic topic = lab_topic_of(trace, stage, selection, arena);
    const char *number = "", *row = "";
    if (seen == LAB_SEEN_NUMBER) {
        const struct lab_explanation explanation =
            lab_explain(trace, stage, selection, LAB_PRODUCTS_MAX, arena);
        number = arena_words(arena, " %s", about_selection(&topic, &explanation));
    }
    if (seen != LAB_SEEN_NOTHING) {
        row =
            lab_has_shares(topic.experiment)
                ? arena_words(arena, " %s %s", about_shares(&topic), lab_sentence_attention(&topic))
                : arena_words(arena, " %s", lab_sentence_of_row(&topic));
    }
    return arena_words(arena, "%s, %s. %s %s%s%s", place_of(&topic, stage),
                       tr(lab_stage_headline(lab_trace_graph(trace), stage)), about_input(&topic),
                       about_sizes(&topic), number, row);
}

const char *lab_describe(const struct lab_trace *trace, enum lab_stage stage,
                         const struct lab_selection *selection, struct arena *arena)
{
    return lab_describe_seen(trace, stage, selection, LAB_SEEN_NUMBER, arena);
}

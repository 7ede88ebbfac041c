/* A transcript of all that is said about numbers: formulas, terms, sentences and
 * descriptions of every step of every lesson, of experiments that no lesson has, and of gradients
 * and weights that learn, in three languages. It is a digest a topic, so that a change of how texts
 * are made shows which of them it changes.
 *
 *     test_lab_transcript                 compares with the file (TRANSCRIPT names the file)
 *     test_lab_transcript write           writes it anew
 *     test_lab_transcript print cats/de   prints the text of a topic, to be compared with another's
 */
#include <stdio.h>
#include <stdlib.h>

#include "../environment.h"
#include "../learn/shapes.h"
#include "../transcript.h"
#include "base/translate.h"
#include "bench.h"
#include "lab/experiment/edits.h"
#include "lab/explain/cell.h"
#include "lab/lesson/lessons.h"
#include "lab/run/flash.h"
#include "learn/block.h"
#include "learn/explain.h"

enum { TOPIC = 64, TOPICS_MAX = 512, FLOATS_MAX = 20000 };

static void put_terms(struct transcript *transcript, const struct lab_terms *terms)
{
    char text[LINE];
    snprintf(text, sizeof text, "%d %d %.6g %.6g %.6g %.6g: ", (int)terms->left_role,
             (int)terms->right_role, terms->largest, terms->helps, terms->hurts,
             (double)terms->result);
    put(transcript, text);
    for (size_t t = 0; t < terms->count; t++) {
        const struct lab_term *const of = &terms->term[t];
        const struct lab_cell left = of->has_left ? of->left_cell : (struct lab_cell){0};
        snprintf(text, sizeof text, "%s %.6g %.6g ", of->name == NULL ? "–" : of->name,
                 (double)of->left, (double)of->right);
        put(transcript, text);
        put_cell(transcript, left.part, left.head, left.row, left.column);
        put_cell(transcript, of->right_cell.part, of->right_cell.head, of->right_cell.row,
                 of->right_cell.column);
    }
    put(transcript, "\n");
}

/* ---- experiments ------------------------------------------------------------------------------
 */

static void put_selection(struct transcript *transcript, const struct lab_trace *trace,
                          enum lab_stage stage, const struct lab_selection *at)
{
    static const size_t max_terms[] = {3, 99};
    struct arena arena = {0};
    for (size_t m = 0; m < sizeof max_terms / sizeof *max_terms; m++) {
        const struct lab_explanation of = lab_explain(trace, stage, at, max_terms[m], &arena);
        put_explanation(transcript, &of);
    }
    const struct lab_terms terms = lab_terms(trace, stage, at, &arena);
    put_terms(transcript, &terms);
    put(transcript, lab_describe(trace, stage, at, &arena));
    put(transcript, "\n");
    arena_free(&arena);
}

/* The sums of a row of tiles, where the experiment is computed in tiles. */
static void put_tiles(struct transcript *transcript, const struct lab_trace *trace)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_selection at = {.query = 1, .channel = 1};
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_flash flash;
    const bool is_tiled = experiment->flash_rows > 0 &&
                          lab_flash_replay(trace, 0, experiment->flash_rows, experiment->flash_cols,
                                           &arena, &flash, &error);
    for (size_t number = 0; is_tiled && number < flash.tiles; number++) {
        for (int of_output = 0; of_output < 2; of_output++) {
            const struct lab_explanation of =
                lab_flash_sum(trace, &flash, number, of_output == 1, &at, 3, &arena);
            put_explanation(transcript, &of);
        }
    }
    arena_free(&arena);
}

static void put_experiment(struct transcript *transcript, const struct lab_experiment *experiment)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_trace *const trace = lab_run(experiment, NULL, &error);
    if (trace == NULL) { /* weights that are learned are made elsewhere */
        put(transcript, error.text);
        return;
    }
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    static const enum lab_part projected[] = {LAB_Q, LAB_K, LAB_V, LAB_C};
    for (enum lab_stage stage = 0; stage < LAB_STAGES; stage++) {
        for (size_t k = 0; k < 4; k++) {
            const struct lab_selection at = {.head = k % sizes.heads,
                                             .query = k * (sizes.n - 1) / 3,
                                             .key = (k * 2) % sizes.m,
                                             .channel = k * 3 % (sizes.d_k + 1),
                                             .projected = projected[k]};
            put_selection(transcript, trace, stage, &at);
        }
    }
    put_tiles(transcript, trace);
    lab_trace_release(trace);
}

static void put_lesson(struct transcript *transcript, size_t index)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct lab_lesson lesson;
    assert_true(lab_lesson_load(index, &arena, &lesson, &error));
    for (size_t s = 0; s < lesson.steps; s++) {
        put_experiment(transcript, &lesson.step[s].experiment);
    }
    lab_lesson_release(&lesson);
    arena_free(&arena);
}

/* ---- experiments that no lesson has -----------------------------------------------------------
 */

static const char *const words[] = {"the", "cat", "saw", "a", "lion", "in", "NYC"};

static struct lab_numbers *numbers(size_t matrices, size_t rows, size_t cols)
{
    struct error error = {0};
    const size_t shape[3] = {matrices > 0 ? matrices : rows, matrices > 0 ? rows : cols, cols};
    float *room = NULL;
    struct lab_numbers *const made = lab_numbers_room(matrices > 0 ? 3 : 2, shape, &room, &error);
    assert_non_null(made);
    for (size_t c = 0; c < (matrices > 0 ? matrices : 1) * rows * cols; c++) {
        room[c] = 0.125f * (float)((c * 7 + rows) % 13) - 0.5f;
    }
    return made;
}

static void with_groups(struct lab_experiment *experiment)
{
    experiment->kind = LAB_GROUPED;
    experiment->groups = 2;
    experiment->mask = LAB_MASK_CAUSAL;
    experiment->positions = LAB_POSITIONS_ROPE;
    experiment->residual = true;
}

static void with_latent(struct lab_experiment *experiment)
{
    struct error error = {0};
    experiment->kind = LAB_LATENT;
    experiment->latent = 3;
    experiment->skip_w_o = true;
    assert_true(lab_experiment_set_context(experiment, words + 2, 5, &error));
}

static void with_biases(struct lab_experiment *experiment)
{
    struct error error = {0};
    experiment->b_q = numbers(4, 1, 2);
    experiment->b_k = numbers(4, 1, 2);
    experiment->b_v = numbers(4, 1, 2);
    experiment->b_o = numbers(0, 1, 8);
    experiment->embedding = LAB_EMBEDDING_NUMBERS;
    experiment->weights = LAB_WEIGHTS_NUMBERS;
    experiment->embeddings = numbers(0, 4, 8);
    experiment->w_q = numbers(4, 8, 2);
    experiment->w_k = numbers(4, 8, 2);
    experiment->w_v = numbers(4, 8, 2);
    experiment->w_o = numbers(0, 8, 8);
    experiment->score_cap = lab_numbers_make((const float[]){1.5f}, 2, (size_t[]){1, 1, 1}, &error);
    experiment->sinks = numbers(4, 1, 1);
    experiment->score_bias = numbers(4, 4, 4);
    experiment->layer = 2;
    experiment->layers = 4;
}

static void with_sinusoids(struct lab_experiment *experiment)
{
    experiment->positions = LAB_POSITIONS_SINUSOIDAL;
    experiment->temperature = 0.5f;
    experiment->normalise = LAB_PLAIN_SHARE;
}

static void with_given_rows(struct lab_experiment *experiment)
{
    struct error error = {0};
    assert_true(lab_experiment_set_context(experiment, words + 2, 5, &error));
    experiment->q = numbers(2, 4, 3);
    experiment->k = numbers(2, 5, 3);
    experiment->v = numbers(2, 5, 2);
    experiment->heads = 2;
    experiment->keep_maximum = true;
    experiment->scale = false;
}

static void with_unit_rows(struct lab_experiment *experiment)
{
    experiment->unit_qk = true;
    experiment->positions = LAB_POSITIONS_ROPE;
    experiment->temperature = 2;
    experiment->embedding = LAB_EMBEDDING_RANDOM;
}

static void with_edits(struct lab_experiment *experiment)
{
    static const struct lab_edit edits[] = {
        {LAB_EMBEDDINGS_X, 0, 3, 3, 0.5f, false}, {LAB_Q, 1, 1, 1, 2.0f, false},
        {LAB_K, 2, 2, 0, -1.0f, false},           {LAB_ALPHA, 2, 2, 0, 0.75f, false},
        {LAB_V, 0, 3, 1, 0.25f, false},           {LAB_W_O, 0, 2, 6, 1.0f, false},
    };
    struct error error = {0};
    for (size_t e = 0; e < sizeof edits / sizeof *edits; e++) {
        assert_true(lab_experiment_edit(experiment, &edits[e], &error));
    }
}

static const struct {
    const char *name;
    void (*change)(struct lab_experiment *);
} others[] = {
    {"groups", with_groups},       {"latent", with_latent},         {"biases", with_biases},
    {"sinusoids", with_sinusoids}, {"given rows", with_given_rows}, {"unit rows", with_unit_rows},
    {"edits", with_edits},
};

static void put_other(struct transcript *transcript, size_t index)
{
    struct lab_experiment experiment = experiment_of(words, 4);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.d_model = 8;
    experiment.heads = 4;
    others[index].change(&experiment);
    put_experiment(transcript, &experiment);
    lab_experiment_release(&experiment);
}

/* ---- what learns ------------------------------------------------------------------------------
 */

enum { LEARNED = 4, TOKENS = 5 };

static const struct learn_shape shapes[LEARNED] = {
    SHAPE_FULL,
    SHAPE_TURNED,
    SHAPE_PLAIN,
    SHAPE(LLAMA, 1, 2, 6, 4, 6, 7, 4, .norm = true, .tied = true, .causal = true, .theta = 100),
};

static void put_gradients(struct transcript *transcript, const struct learn_layer_view *view)
{
    struct arena arena = {0};
    const bool behind = view->layer == learn_activations_shape(view->sentence)->layers;
    for (enum learn_part part = 0; part < (behind ? LEARN_RESIDUAL + 1 : LEARN_PARTS); part++) {
        for (size_t i = 0; i < 12; i++) {
            const struct lab_explanation of = learn_explain_gradient(
                view, part, i % 2, i % TOKENS, i * 5 % 7, i % 2 == 0 ? 2 : 99, &arena);
            put_explanation(transcript, &of);
        }
    }
    arena_free(&arena);
}

static void put_ends(struct transcript *transcript, const struct learn_layer_view *view)
{
    struct arena arena = {0};
    for (size_t i = 0; i < TOKENS; i++) {
        const struct lab_explanation said[] = {
            learn_explain_loss(view->sentence, i, "saw", &arena),
            learn_explain_logit(view, i, i + 1, "cat", 3, &arena),
            learn_explain_share(view->sentence, i, i, "dog", &arena),
            learn_explain_change("W[1, 2]", i, i + 1, 0.25f, 0.125f * (float)i, &arena)};
        for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
            put_explanation(transcript, &said[k]);
        }
    }
    arena_free(&arena);
}

static void put_weights(struct transcript *transcript, const struct learn_layer_view *view,
                        const struct learn_tensors *tensors)
{
    struct arena arena = {0};
    const float *const gradient = learn_activations_weights_gradient(view->sentence);
    for (size_t t = 0; t < tensors->count; t++) {
        const struct learn_tensor *const tensor = &tensors->tensor[t];
        for (size_t i = 0; i < 9; i++) {
            const size_t row = i * 5 % tensor->rows, column = i * 3 % tensor->cols;
            struct lab_explanation of = learn_explain_weight(view, t, row, column, 3, &arena);
            put_explanation(transcript, &of);
            struct learn_optimiser how = usual_optimiser;
            how.method = i % 2 == 0 ? LEARN_ADAMW : LEARN_SGD;
            const float g = gradient[tensor->offset + row * tensor->cols + column];
            of = learn_explain_step(&(struct learn_weight_step){.optimiser = &how,
                                                                .step = i,
                                                                .decays = tensor->decays,
                                                                .frozen = i == 8,
                                                                .scale = i < 4 ? 1 : 0.5f,
                                                                .before = 0.25f,
                                                                .gradient = g,
                                                                .m = 0.125f * g,
                                                                .v = 0.5f * g * g,
                                                                .after = 0.25f - 0.125f * g,
                                                                .now = 0.25f - 0.125f * g,
                                                                .name = tensor->name},
                                    &arena);
            put_explanation(transcript, &of);
        }
    }
    arena_free(&arena);
}

static void put_block(struct transcript *transcript, const struct learn_layer_view *view)
{
    static const char *const vocabulary[] = {"a", "cat", "saw", "dog", "lion", "the", "in"};
    struct error error = {0};
    struct lab_block *const block = learn_block(view, vocabulary, &error);
    assert_non_null(block);
    put_block_words(transcript, block, view->words);
    lab_block_release(block);
}

static void put_learned(struct transcript *transcript, size_t index)
{
    static const int32_t tokens[TOKENS] = {3, 1, 4, 1, 5}, targets[TOKENS] = {1, 4, -1, 5, 2};
    static const bool off[2][LEARN_HEADS_MAX] = {{false, true}};
    static float weights[FLOATS_MAX];
    struct error error = {0};
    struct learn_network *const network = learn_network_open(&shapes[index], NULL, &error);
    assert_non_null(network);
    learn_initial_values(&shapes[index], 7, 0.5f, weights);
    struct learn_activations *const sentence =
        learn_activations_make(network, weights, tokens, targets, TOKENS, &error);
    assert_non_null(sentence);
    for (size_t l = 0; l <= shapes[index].layers; l++) {
        const struct learn_layer_view view = {sentence, weights, off, words, l};
        put_gradients(transcript, &view);
        if (l < shapes[index].layers) {
            struct lab_experiment layer;
            assert_true(learn_experiment(&view, &layer, &error));
            put_experiment(transcript, &layer);
            lab_experiment_release(&layer);
            put_block(transcript, &view);
        }
    }
    const struct learn_layer_view view = {sentence, weights, NULL, words, 0};
    put_ends(transcript, &view);
    put_weights(transcript, &view, learn_network_tensors(network));
    learn_activations_free(sentence);
    learn_network_close(network);
}

/* ---- the file -----------------------------------------------------------------------------------
 */

static size_t topic_count(void)
{
    return lab_lesson_count() + sizeof others / sizeof *others + LEARNED;
}

static uint64_t digest_of(size_t topic, const struct language *language, bool prints)
{
    const size_t lessons = lab_lesson_count(), all = lessons + sizeof others / sizeof *others;
    struct transcript transcript = {14695981039346656037U, prints};
    language_speak(language);
    if (topic < lessons) {
        put_lesson(&transcript, topic);
    } else if (topic < all) {
        put_other(&transcript, topic - lessons);
    } else {
        put_learned(&transcript, topic - all);
    }
    language_speak(NULL);
    return transcript.digest;
}

/* "cats/de" */
static void name_topic(size_t topic, const struct language *language, char name[TOPIC])
{
    const size_t lessons = lab_lesson_count(), all = lessons + sizeof others / sizeof *others;
    if (topic >= all) {
        snprintf(name, TOPIC, "learned %zu/%s", topic - all, language->code);
    } else {
        snprintf(name, TOPIC, "%s/%s",
                 topic < lessons ? lab_lesson_name(topic) : others[topic - lessons].name,
                 language->code);
    }
}

static void print_topics(const char *asked)
{
    char name[TOPIC];
    for (size_t t = 0; t < topic_count(); t++) {
        for (size_t l = 0; language_at(l) != NULL; l++) {
            name_topic(t, language_at(l), name);
            if (asked == NULL) {
                printf("%016llx %s\n", (unsigned long long)digest_of(t, language_at(l), false),
                       name);
            } else if (strcmp(asked, name) == 0) {
                (void)digest_of(t, language_at(l), true);
            }
        }
    }
}

static void everything_is_said_as_it_was(void **state)
{
    (void)state;
    char name[TOPIC], line[LINE], expected[LINE], changed[1024] = "";
    FILE *const file = fopen(getenv("TRANSCRIPT"), "r");
    assert_non_null(file);
    for (size_t t = 0; t < topic_count(); t++) {
        for (size_t l = 0; language_at(l) != NULL; l++) {
            name_topic(t, language_at(l), name);
            snprintf(expected, sizeof expected, "%016llx %s\n",
                     (unsigned long long)digest_of(t, language_at(l), false), name);
            if (fgets(line, sizeof line, file) == NULL || strcmp(line, expected) != 0) {
                const size_t length = strlen(changed);
                snprintf(changed + length, sizeof changed - length, " %s,", name);
            }
        }
    }
    fclose(file);
    if (changed[0] != '\0') {
        fail_msg("something else is said of%s as “test_lab_transcript print TOPIC” shows", changed);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_said_as_it_was)};
    environment_set("ATTN_ISA", "ref"); /* every machine has it */
    if (argc > 1) {
        print_topics(argc > 2 ? argv[2] : NULL);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Kinds of attention against each other where they must be equal, and what they cost. */
#include <stdlib.h>

#include "base/random.h"
#include "bench.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/stage.h"
#include "lab/run/cache.h"
#include "lab/run/flash.h"
#include "lab/run/latent.h"
#include "links.h"

static const char *const words[] = {"the", "cat", "sat", "on", "a", "warm", "mat"};

static struct lab_experiment seven_words(size_t heads)
{
    struct lab_experiment experiment = experiment_of(words, 7);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.d_model = 16;
    experiment.heads = heads;
    return experiment;
}

static void assert_same_bits(const struct lab_trace *a, const struct lab_trace *b,
                             enum lab_part part, size_t head)
{
    const struct lab_matrix one = lab_trace_part(a, part, head);
    const struct lab_matrix other = lab_trace_part(b, part, head);
    assert_memory_equal(one.values, other.values, one.rows * one.cols * sizeof(float));
}

static void as_many_groups_as_heads_are_plain_heads_and_one_group_is_multi_query(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(4);
    struct lab_trace *const plain = trace_of(&experiment);
    experiment.kind = LAB_GROUPED;
    experiment.groups = 4;
    struct lab_trace *const four = trace_of(&experiment);
    experiment.groups = 1;
    struct lab_trace *const one = trace_of(&experiment);
    experiment.kind = LAB_MULTI_QUERY;
    struct lab_trace *const query = trace_of(&experiment);
    assert_same_bits(plain, four, LAB_OUTPUT_O, 0);
    assert_same_bits(one, query, LAB_OUTPUT_O, 0);
    assert_int_equal(lab_trace_matrices(query, LAB_K), 1);
    assert_true(lab_trace_part(query, LAB_K, 3).values == lab_trace_part(query, LAB_K, 0).values);
    lab_trace_release(plain);
    lab_trace_release(four);
    lab_trace_release(one);
    lab_trace_release(query);
    lab_experiment_release(&experiment);
}

static void heads_of_a_group_see_the_same_keys(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(6);
    experiment.kind = LAB_GROUPED;
    experiment.groups = 2;
    struct lab_trace *const trace = trace_of(&experiment);
    for (size_t h = 0; h < 6; h++) {
        assert_true(lab_trace_part(trace, LAB_V, h).values ==
                    lab_trace_part(trace, LAB_V, h / 3 * 3).values);
    }
    assert_true(lab_trace_part(trace, LAB_V, 0).values != lab_trace_part(trace, LAB_V, 3).values);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void groups_that_do_not_divide_the_heads_are_refused_with_those_that_do(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(6);
    struct error error = {ERROR_NONE, 0, ""};
    experiment.kind = LAB_GROUPED;
    experiment.groups = 4;
    assert_false(lab_experiment_check(&experiment, &error));
    assert_string_equal(error.text,
                        "6 heads cannot be shared out evenly to 4 groups; these fit: 1, 2, 3, 6.");
    lab_experiment_release(&experiment);
}

/* W_DKV the unit matrix, W_UK and W_UV those of plain heads. */
static void a_latent_of_full_rank_with_the_same_weights_is_plain_multi_head(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(2);
    struct lab_trace *const plain = trace_of(&experiment);
    struct error error = {ERROR_NONE, 0, ""};
    float unit[16 * 16] = {0};
    for (size_t r = 0; r < 16; r++) {
        unit[r * 17] = 1;
    }
    const size_t heads[3] = {2, 16, 8}, square[3] = {16, 16, 1};
    experiment.w_q = lab_numbers_make(lab_trace_part(plain, LAB_W_Q, 0).values, 3, heads, &error);
    experiment.w_uk = lab_numbers_make(lab_trace_part(plain, LAB_W_K, 0).values, 3, heads, &error);
    experiment.w_uv = lab_numbers_make(lab_trace_part(plain, LAB_W_V, 0).values, 3, heads, &error);
    experiment.w_o = lab_numbers_make(lab_trace_part(plain, LAB_W_O, 0).values, 2, square, &error);
    experiment.w_dkv = lab_numbers_make(unit, 2, square, &error);
    experiment.weights = LAB_WEIGHTS_NUMBERS;
    experiment.kind = LAB_LATENT;
    struct lab_trace *const latent = trace_of(&experiment);
    assert_same_bits(plain, latent, LAB_OUTPUT_O, 0);
    assert_null(lab_trace_part(latent, LAB_W_K, 0).values);
    assert_int_equal(lab_trace_part(latent, LAB_C, 0).cols, 16);
    lab_trace_release(plain);
    lab_trace_release(latent);
    lab_experiment_release(&experiment);
}

static void identity_weights_of_full_rank_are_plain_multi_head_too(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(4);
    experiment.weights = LAB_WEIGHTS_IDENTITY;
    struct lab_trace *const plain = trace_of(&experiment);
    experiment.kind = LAB_LATENT;
    experiment.latent = 16;
    struct lab_trace *const latent = trace_of(&experiment);
    assert_same_bits(plain, latent, LAB_OUTPUT_O, 0);
    lab_trace_release(plain);
    lab_trace_release(latent);
    lab_experiment_release(&experiment);
}

static void the_absorbed_form_gives_the_same_scores(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(4);
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct lab_absorbed absorbed;
    experiment.kind = LAB_LATENT;
    experiment.latent = 5;
    struct lab_trace *const trace = trace_of(&experiment);
    for (size_t h = 0; h < 4; h++) {
        assert_true(lab_latent_absorb(trace, h, &arena, &absorbed, &error));
        assert_true(absorbed.difference < 4e-6f);
        assert_int_equal(absorbed.weights.rows, 16);
        assert_int_equal(absorbed.weights.cols, 5);
    }
    lab_trace_release(trace);
    experiment.positions = LAB_POSITIONS_ROPE;
    struct lab_trace *const turned = trace_of(&experiment);
    assert_false(lab_latent_absorb(turned, 0, &arena, &absorbed, &error));
    assert_non_null(strstr(error.text, "stands between W_Q and W_UKᵀ"));
    lab_trace_release(turned);
    lab_experiment_release(&experiment);
    arena_free(&arena);
}

/* Two words that take turns: what two places say to each other depends on how far apart they are.
 */
static void rotary_scores_depend_on_the_distance_alone(void **state)
{
    (void)state;
    static const char *const same[] = {"cat", "cat", "cat", "cat", "cat", "cat", "cat", "cat"};
    struct lab_experiment experiment = seven_words(2);
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(lab_experiment_set_tokens(&experiment, same, 8, &error));
    experiment.positions = LAB_POSITIONS_ROPE;
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix s = lab_trace_part(trace, LAB_SCORES, 1);
    float spread = 0;
    for (size_t i = 1; i < 8; i++) {
        for (size_t j = 1; j < 8; j++) {
            assert_true(fabsf(lab_matrix_at(&s, i, j) - lab_matrix_at(&s, i - 1, j - 1)) < 2e-6f);
        }
        spread = fmaxf(spread, fabsf(lab_matrix_at(&s, i, 0) - lab_matrix_at(&s, 0, 0)));
    }
    assert_true(spread > 0.05f); /* and on the distance they do depend */
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void a_turn_keeps_the_length_of_every_query(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(2);
    experiment.positions = LAB_POSITIONS_ROPE;
    experiment.d_k = 5; /* an odd number: the last stays */
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix after = lab_trace_part(trace, LAB_Q, 1);
    const struct lab_matrix before = lab_trace_part(trace, LAB_Q_BEFORE, 1);
    for (size_t i = 0; i < 7; i++) {
        double one = 0, other = 0;
        for (size_t c = 0; c < 5; c++) {
            one += pow((double)lab_matrix_at(&before, i, c), 2);
            other += pow((double)lab_matrix_at(&after, i, c), 2);
        }
        assert_true(fabs(one - other) < 1e-6 * one);
        assert_true(!(fabsf(lab_matrix_at(&before, i, 4) - lab_matrix_at(&after, i, 4)) > 0));
    }
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void order_counts_only_where_positions_are(void **state)
{
    (void)state;
    static const char *const shuffled[] = {"mat", "cat", "sat", "on", "a", "warm", "the"};
    struct error error = {ERROR_NONE, 0, ""};
    for (int positions = 0; positions < LAB_POSITIONS_KINDS; positions++) {
        struct lab_experiment experiment = seven_words(1);
        experiment.positions = (enum lab_positions)positions;
        struct lab_trace *const before = trace_of(&experiment);
        assert_true(lab_experiment_set_tokens(&experiment, shuffled, 7, &error));
        struct lab_trace *const after = trace_of(&experiment);
        const struct lab_matrix one = lab_trace_part(before, LAB_OUTPUT_O, 0);
        const struct lab_matrix other = lab_trace_part(after, LAB_OUTPUT_O, 0);
        float most = 0;
        for (size_t c = 0; c < 16; c++) {
            most = fmaxf(most, fabsf(lab_matrix_at(&one, 1, c) - lab_matrix_at(&other, 1, c)));
        }
        assert_true((most > 1e-3f) == (positions != LAB_POSITIONS_NONE));
        lab_trace_release(before);
        lab_trace_release(after);
        lab_experiment_release(&experiment);
    }
}

static void tiles_of_any_size_give_the_same_answer(void **state)
{
    (void)state;
    static const enum lab_mask masks[] = {LAB_MASK_NONE, LAB_MASK_CAUSAL, LAB_MASK_BLOCK,
                                          LAB_MASK_DILATED};
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
        struct lab_experiment experiment = seven_words(4);
        experiment.kind = LAB_GROUPED;
        experiment.mask = masks[m];
        struct lab_trace *const trace = trace_of(&experiment);
        for (size_t rows = 1; rows <= 8; rows++) {
            for (size_t cols = 1; cols <= 8; cols++) {
                struct arena arena = {0};
                struct lab_flash flash;
                struct error error = {ERROR_NONE, 0, ""};
                assert_true(lab_flash_replay(trace, 3, rows, cols, &arena, &flash, &error));
                assert_true(flash.difference < 1e-6f);
                assert_int_equal(flash.tiles, flash.row_blocks * flash.col_blocks);
                arena_free(&arena);
            }
        }
        lab_trace_release(trace);
        lab_experiment_release(&experiment);
    }
}

static void tiles_that_nobody_sees_are_skipped_and_the_maximum_only_grows(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(1);
    struct arena arena = {0};
    struct lab_flash flash;
    struct error error = {ERROR_NONE, 0, ""};
    experiment.mask = LAB_MASK_CAUSAL;
    struct lab_trace *const trace = trace_of(&experiment);
    assert_true(lab_flash_replay(trace, 0, 2, 2, &arena, &flash, &error));
    assert_int_equal(flash.skipped, 6); /* of 4 × 4 tiles those above the diagonal */
    struct lab_flash_tile seen;
    assert_true(lab_flash_tile_of(trace, &flash, 1, &arena, &seen) && seen.skipped);
    assert_true(lab_flash_tile_of(trace, &flash, 0, &arena, &seen) && !seen.skipped);
    assert_false(lab_flash_tile_of(trace, &flash, flash.tiles, &arena, &seen));
    assert_int_equal(flash.bytes_plain, 7 * 7 * 4);
    assert_int_equal(flash.bytes_tiled, (2 * 2 + 2 * (2 + 16)) * 4);
    for (size_t t = 0; t < flash.tiles; t++) {
        struct lab_flash_tile found;
        const struct lab_flash_tile *const tile = &found;
        assert_true(lab_flash_tile_of(trace, &flash, t, &arena, &found));
        for (size_t r = 0; r < tile->rows; r++) {
            const size_t place = (tile->row + r) * flash.col_blocks + tile->col / 2;
            assert_float_equal(tile->max[r], flash.running_max[place], 0);
            assert_float_equal(tile->sum[r], flash.running_sum[place], 0);
            assert_true(tile->max[r] >= tile->max_before[r]);
            assert_true(tile->rescale[r] >= 0 && tile->rescale[r] <= 1);
            const float kept = tile->max_before[r] - tile->max[r];
            assert_true(isinf(tile->max[r]) || fabsf(tile->rescale[r] - expf(kept)) < 1e-6f);
        }
    }
    /* The whole row in the end: the sum of e^(s − m) over what is seen. */
    double sum = 0;
    for (size_t j = 0; j < 7; j++) {
        sum += exp((double)lab_trace_scaled(trace, 0, 6, j) -
                   (double)flash.running_max[6 * flash.col_blocks + 3]);
    }
    assert_true(fabs(sum - (double)flash.running_sum[6 * flash.col_blocks + 3]) < 1e-5);
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void what_has_no_tiles_says_so(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(1);
    struct arena arena = {0};
    struct lab_flash flash;
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_trace *const plain = trace_of(&experiment);
    assert_false(lab_flash_replay(plain, 0, 0, 2, &arena, &flash, &error));
    assert_non_null(strstr(error.text, "at least one row"));
    lab_trace_release(plain);
    const struct lab_edit edit = {LAB_ALPHA, 0, 0, 0, 0.5f, false};
    assert_true(lab_experiment_edit(&experiment, &edit, &error));
    struct lab_trace *const typed = trace_of(&experiment);
    assert_false(lab_flash_replay(typed, 0, 2, 2, &arena, &flash, &error));
    assert_non_null(strstr(error.text, "typed by hand"));
    lab_trace_release(typed);
    experiment.flash_rows = 2;
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "2 × 0"));
    lab_experiment_release(&experiment);
}

static void word_by_word_from_a_cache_is_the_same_as_all_at_once(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    float difference = 1;
    for (int kind = 0; kind < LAB_KINDS; kind++) {
        for (int positions = 0; positions < LAB_POSITIONS_KINDS; positions++) {
            struct lab_experiment experiment = seven_words(4);
            experiment.kind = (enum lab_kind)kind;
            experiment.positions = (enum lab_positions)positions;
            experiment.mask = positions == 0 ? LAB_MASK_CAUSAL : LAB_MASK_CAUSAL_WINDOW;
            struct lab_trace *const trace = trace_of(&experiment);
            assert_true(lab_cache_replay(trace, &difference, &error));
            assert_true(difference < 1e-6f);
            lab_trace_release(trace);
            lab_experiment_release(&experiment);
        }
    }
    struct lab_experiment experiment = seven_words(1);
    struct lab_trace *const trace = trace_of(&experiment);
    assert_false(lab_cache_replay(trace, &difference, &error));
    assert_non_null(strstr(error.text, "Word 1 sees word 2"));
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

/* The computation of an experiment whose sizes are these; of it, no number is computed. */
static struct lab_graph graph_of_sizes(const struct lab_experiment *experiment,
                                       struct lab_sizes sizes, enum lab_kind kind, size_t groups,
                                       size_t latent)
{
    sizes.kv_heads = kind == LAB_GROUPED ? groups : kind == LAB_MULTI_QUERY ? 1 : sizes.heads;
    sizes.latent = kind == LAB_LATENT ? latent : 0;
    return lab_graph_of(experiment, &sizes);
}

/* GPT-2 small has d_model 768 and 12 heads of 64: counted by hand. */
static void costs_are_those_counted_by_hand(void **state)
{
    (void)state;
    const struct lab_experiment experiment = {.scale = true};
    const struct lab_sizes gpt2 = {
        .n = 9, .m = 9, .d_model = 768, .d_k = 64, .d_v = 64, .heads = 12};
    static const struct {
        enum lab_kind kind;
        size_t weights, multiplications, bytes;
    } kinds[] = {
        {LAB_MULTI_HEAD, 4 * 768 * 768, 9 * 4 * 768 * 768 + 12 * 45 * 128, 12 * 128 * 4},
        {LAB_GROUPED, 2 * 768 * 768 + 2 * 768 * 256, 9 * (2 * 768 * 768 + 2 * 768 * 256) + 69120,
         4 * 128 * 4},
        {LAB_MULTI_QUERY, 2 * 768 * 768 + 2 * 768 * 64, 9 * (2 * 768 * 768 + 2 * 768 * 64) + 69120,
         128 * 4},
        {LAB_LATENT, 2 * 768 * 768 + 768 * 128 + 128 * 1536,
         9 * (2 * 768 * 768 + 768 * 128 + 128 * 1536) + 69120, 128 * 4},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const struct lab_graph graph = graph_of_sizes(&experiment, gpt2, kinds[k].kind, 4, 128);
        const struct lab_cost cost = lab_graph_cost(&graph, 45);
        assert_int_equal(cost.weights, kinds[k].weights);
        assert_int_equal(cost.multiplications, kinds[k].multiplications);
        assert_int_equal(cost.cache_bytes, kinds[k].bytes);
    }
}

static void a_step_with_a_cache_is_one_row_and_without_it_all_of_them(void **state)
{
    (void)state;
    const struct lab_experiment experiment = {.scale = true};
    const struct lab_sizes sizes = {.d_model = 16, .d_k = 8, .d_v = 8, .heads = 2};
    const struct lab_graph heads = graph_of_sizes(&experiment, sizes, LAB_MULTI_HEAD, 0, 0);
    const struct lab_graph rebuilt = graph_of_sizes(&experiment, sizes, LAB_LATENT, 0, 4);
    const struct lab_cache_step ten = lab_cache_step(&heads, NULL, 10);
    assert_int_equal(ten.seen, 10);
    assert_int_equal(ten.with_cache, 4 * 256 + 2 * 10 * 16);
    assert_int_equal(ten.without, 10 * 4 * 256 + 2 * 55 * 16);
    assert_int_equal(ten.cache_bytes, 10 * 2 * 16 * 4);
    const struct lab_mask_rule window = {.kind = LAB_MASK_CAUSAL_WINDOW, .size = 3};
    assert_int_equal(lab_cache_step(&heads, &window, 10).seen, 3);
    const struct lab_cache_step latent = lab_cache_step(&rebuilt, NULL, 10);
    assert_int_equal(latent.bytes_added, 16);
    assert_int_equal(latent.with_cache, 2 * 256 + 16 * 4 + 2 * 4 * 16 + 2 * 10 * 8);
    assert_int_equal(latent.rebuilding, 2 * 256 + 16 * 4 + 10 * 2 * 4 * 16 + 2 * 10 * 16);
    assert_true(latent.with_cache < latent.rebuilding);
}

static void a_number_typed_into_shared_keys_holds_for_the_whole_group(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(4);
    struct error error = {ERROR_NONE, 0, ""};
    experiment.kind = LAB_GROUPED;
    experiment.groups = 2;
    const struct lab_edit first = {LAB_K, 2, 1, 0, 7, false}, second = {LAB_K, 3, 1, 0, 9, false};
    assert_true(lab_experiment_edit(&experiment, &first, &error));
    assert_true(lab_experiment_edit(&experiment, &second, &error));
    assert_int_equal(lab_edits_count(experiment.edits), 1);
    struct lab_trace *const trace = trace_of(&experiment);
    for (size_t h = 2; h < 4; h++) {
        const struct lab_matrix k = lab_trace_part(trace, LAB_K, h);
        assert_true(fabsf(lab_matrix_at(&k, 1, 0) - 9) < 1e-6f);
        assert_true(lab_trace_is_edited(trace, LAB_K, h, 1, 0));
    }
    assert_false(lab_trace_is_edited(trace, LAB_K, 1, 1, 0));
    lab_trace_release(trace);
    assert_true(lab_experiment_restore(&experiment, LAB_K, 2, 1, 0, &error));
    assert_null(experiment.edits);
    lab_experiment_release(&experiment);
}

/* Every number of Q, K and V is the sum its explanation says. */
static void projections_of_all_kinds_are_explained_by_their_causes(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    for (size_t round = 0; round < 12; round++) {
        struct lab_experiment experiment = seven_words(2);
        experiment.kind = round % 2 == 0 ? LAB_LATENT : LAB_MULTI_QUERY;
        experiment.positions = (enum lab_positions)(round / 2 % 3);
        experiment.d_k = 5;
        if (round >= 6) {
            experiment.context = lab_words_make(words + 2, 4, &error);
        }
        struct lab_trace *const trace = trace_of(&experiment);
        for (int part = LAB_Q; part <= LAB_V; part++) {
            for (size_t c = 0; c < 5; c++) {
                struct arena arena = {0};
                const struct lab_selection at = {.head = 1,
                                                 .query = 2,
                                                 .key = 2,
                                                 .channel = c,
                                                 .projected = (enum lab_part)part};
                const struct lab_terms terms = lab_terms(trace, LAB_PROJECT, &at, &arena);
                double sum = 0;
                for (size_t t = 0; t < terms.count; t++) {
                    sum += terms.term[t].product;
                }
                assert_true(terms.count > 0);
                assert_true(fabs(sum - (double)terms.result) < 4e-6);
                const struct lab_explanation said = lab_explain(trace, LAB_PROJECT, &at, 6, &arena);
                assert_true(said.pieces > 3 && said.sentence[0] != '\0');
                struct links all;
                follow_links(trace, LAB_PROJECT, &at, &all);
                const bool turns = experiment.positions == LAB_POSITIONS_ROPE && part != LAB_V,
                           of_context = experiment.context != NULL && part != LAB_Q,
                           of_latent = experiment.kind == LAB_LATENT && part != LAB_Q;
                const enum lab_part root = turns       ? part == LAB_Q ? LAB_Q_BEFORE : LAB_K_BEFORE
                                           : of_latent ? LAB_C
                                           : of_context ? LAB_CONTEXT_X
                                                        : LAB_EMBEDDINGS_X;
                assert_true(all.count > 0);
                assert_int_equal(all.cell[0].row, 2);
                assert_int_equal(all.cell[0].part, root);
                arena_free(&arena);
            }
        }
        lab_trace_release(trace);
        lab_experiment_release(&experiment);
    }
}

static void the_formula_of_a_stage_follows_kind_and_positions(void **state)
{
    (void)state;
    struct lab_experiment experiment = seven_words(4);
    assert_non_null(strstr(sentence_at(&experiment, LAB_PROJECT), "K = XW_K"));
    experiment.positions = LAB_POSITIONS_ROPE;
    assert_non_null(strstr(sentence_at(&experiment, LAB_PROJECT), "Q = R(XW_Q)"));
    experiment.kind = LAB_LATENT;
    assert_non_null(strstr(sentence_at(&experiment, LAB_PROJECT), "K = CW_UK"));
    experiment.positions = LAB_POSITIONS_SINUSOIDAL;
    assert_non_null(strstr(sentence_at(&experiment, LAB_EMBED), "embeddings + P"));
    lab_experiment_release(&experiment);
}

static void what_does_not_fit_raw_numbers_is_refused(void **state)
{
    (void)state;
    static const float values[] = {1, 0, 0, 1};
    static const char *const two[] = {"a", "b"};
    struct lab_experiment experiment = experiment_of(two, 2);
    struct error error = {ERROR_NONE, 0, ""};
    const size_t shape[3] = {2, 2, 1};
    experiment.q = lab_numbers_make(values, 2, shape, &error);
    experiment.k = lab_numbers_make(values, 2, shape, &error);
    experiment.v = lab_numbers_make(values, 2, shape, &error);
    experiment.kind = LAB_LATENT;
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "take mha, gqa or mqa"));
    experiment.kind = LAB_MULTI_HEAD;
    experiment.positions = LAB_POSITIONS_SINUSOIDAL;
    assert_false(lab_experiment_check(&experiment, &error));
    assert_non_null(strstr(error.text, "take rope or none"));
    experiment.positions = LAB_POSITIONS_ROPE;
    assert_true(lab_experiment_check(&experiment, &error));
    lab_experiment_release(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_groups_as_heads_are_plain_heads_and_one_group_is_multi_query),
        cmocka_unit_test(heads_of_a_group_see_the_same_keys),
        cmocka_unit_test(groups_that_do_not_divide_the_heads_are_refused_with_those_that_do),
        cmocka_unit_test(a_latent_of_full_rank_with_the_same_weights_is_plain_multi_head),
        cmocka_unit_test(identity_weights_of_full_rank_are_plain_multi_head_too),
        cmocka_unit_test(the_absorbed_form_gives_the_same_scores),
        cmocka_unit_test(rotary_scores_depend_on_the_distance_alone),
        cmocka_unit_test(a_turn_keeps_the_length_of_every_query),
        cmocka_unit_test(order_counts_only_where_positions_are),
        cmocka_unit_test(tiles_of_any_size_give_the_same_answer),
        cmocka_unit_test(tiles_that_nobody_sees_are_skipped_and_the_maximum_only_grows),
        cmocka_unit_test(what_has_no_tiles_says_so),
        cmocka_unit_test(word_by_word_from_a_cache_is_the_same_as_all_at_once),
        cmocka_unit_test(costs_are_those_counted_by_hand),
        cmocka_unit_test(a_step_with_a_cache_is_one_row_and_without_it_all_of_them),
        cmocka_unit_test(a_number_typed_into_shared_keys_holds_for_the_whole_group),
        cmocka_unit_test(projections_of_all_kinds_are_explained_by_their_causes),
        cmocka_unit_test(the_formula_of_a_stage_follows_kind_and_positions),
        cmocka_unit_test(what_does_not_fit_raw_numbers_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

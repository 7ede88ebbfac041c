/* A logit as a sum of parts, the lens, and interventions as people write them, beside float64. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../model/gpt2_double.h"
#include "../opened.h"
#include "why/ablation.h"
#include "why/attribution.h"
#include "why/intervention_text.h"
#include "why/lens.h"
#include "why/word.h"

static const char *tiny;

enum { N = 7, W = DOUBLE_WIDTH, VOCABULARY = DOUBLE_VOCABULARY, LAYERS = DOUBLE_LAYERS };

static const uint32_t words[N] = {17, 4, 99, 4, 250, 31, 8};
static struct gpt2_double reference;

struct table {
    struct checkpoint weights;
    struct model *model;
    struct model_run *run;
    struct model_interventions list;
};

static void open_table(struct table *table, struct model_interventions list)
{
    struct error error = {ERROR_NONE, 0, ""};
    *table = (struct table){.model = open_model(tiny, NULL), .list = list};
    checkpoint_open(&table->weights, tiny);
    table->run = model_run_start(
        table->model, &(struct model_request){.ids = words, .count = N, .interventions = list},
        &error);
    if (table->run == NULL) {
        fail_msg("%s", error.text);
    }
    gpt2_double_run(&table->weights, words, N, list, &reference);
}

static void close_table(struct table *table)
{
    model_run_close(table->run);
    model_close(table->model);
    checkpoint_close(&table->weights);
}

/* How the last norm, its root frozen, and the word's row read a part of the stream. */
static double read_part(struct table *table, const double *part, const double *stream,
                        uint32_t word)
{
    const float *const gain = gpt2_double_tensor(&table->weights, "ln_f.weight"),
                       *const row = gpt2_double_tensor(&table->weights, "wte.weight") + word * W;
    double mean = 0, own = 0, square = 0, sum = 0;
    for (size_t c = 0; c < W; c++) {
        mean += stream[c] / W;
        own += part[c] / W;
    }
    for (size_t c = 0; c < W; c++) {
        square += (stream[c] - mean) * (stream[c] - mean) / W;
    }
    for (size_t c = 0; c < W; c++) {
        sum += (part[c] - own) / sqrt(square + 1e-5) * (double)gain[c] * (double)row[c];
    }
    return sum;
}

/* What a head adds at a word, of one of the words that it looks at (or of all: j = N). */
static void head_part(struct table *table, size_t layer, size_t head, size_t i, size_t j,
                      double *part)
{
    const float *const w_o = gpt2_double_of_layer(&table->weights, layer, "attn.c_proj.weight");
    for (size_t c = 0; c < W; c++) {
        part[c] = 0;
        for (size_t k = 0; k < DOUBLE_D; k++) {
            const double z =
                j == N ? reference.z[layer][head][i][k]
                       : reference.alpha[layer][head][i][j] * reference.v[layer][head][j][k];
            part[c] += z * (double)w_o[(head * DOUBLE_D + k) * W + c];
        }
    }
}

/* What one part adds at a word. */
static void part_of(struct table *table, const struct why_part *part, size_t i, double *out)
{
    const float *const wte = gpt2_double_tensor(&table->weights, "wte.weight"),
                       *const wpe = gpt2_double_tensor(&table->weights, "wpe.weight");
    for (size_t c = 0; c < W; c++) {
        out[c] =
            part->kind == WHY_EMBEDDING  ? (double)wte[words[i] * W + c]
            : part->kind == WHY_POSITION ? (double)wpe[i * W + c]
            : part->kind == WHY_MLP      ? reference.mlp[part->layer][i][c]
            : part->kind == WHY_ATTENTION_BIAS
                ? (double)gpt2_double_of_layer(&table->weights, part->layer, "attn.c_proj.bias")[c]
                : 0;
    }
    if (part->kind == WHY_HEAD) {
        head_part(table, part->layer, part->head, i, N, out);
    }
}

static void expect_near(const char *what, double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-4 * fmax(1, fabs(wanted) / 10))) {
        fail_msg("%s is %.9g, expected %.9g", what, got, wanted);
    }
}

static void expect_parts(struct table *table, size_t i, uint32_t word, bool against)
{
    const struct why_question question = {i, word, 11, against};
    struct why_attribution got;
    struct error error = {ERROR_NONE, 0, ""};
    double part[W], sum = 0;
    const double *const stream = reference.residual[LAYERS][i];
    if (!why_attribute(table->run, table->model, &question, &got, &error)) {
        fail_msg("%s", error.text);
    }
    expect_near("logit", got.logit,
                reference.logits[i][word] - (against ? reference.logits[i][11] : 0));
    for (size_t p = 0; p < got.parts; p++) {
        sum += got.part[p].value;
        part_of(table, &got.part[p], i, part);
        if (got.part[p].kind < WHY_BY_HAND) {
            expect_near(got.part[p].name, got.part[p].value,
                        read_part(table, part, stream, word) -
                            (against ? read_part(table, part, stream, 11) : 0));
        }
    }
    expect_near("sum", sum + got.remainder, got.logit);
    assert_true(fabs(got.remainder) <= 1e-4);
    for (size_t h = 0; h < (size_t)LAYERS * DOUBLE_HEADS * N; h++) {
        const size_t layer = h / N / DOUBLE_HEADS, head = h / N % DOUBLE_HEADS;
        head_part(table, layer, head, i, h % N, part);
        expect_near("a head by words", got.of_words[h],
                    read_part(table, part, stream, word) -
                        (against ? read_part(table, part, stream, 11) : 0));
    }
    why_attribution_free(&got);
}

static void a_logit_is_the_sum_of_its_parts(void **state)
{
    const struct model_intervention masked[] = {{.node = MODEL_NODE_SCALED,
                                                 .layer = 0,
                                                 .head = 1,
                                                 .row = 5,
                                                 .column = 2,
                                                 .value = -INFINITY}};
    (void)state;
    for (size_t trial = 0; trial < 2; trial++) { /* also of a run with an intervention */
        struct table table;
        open_table(&table, (struct model_interventions){masked, trial});
        for (size_t i = 0; i < N; i += 2) {
            expect_parts(&table, i, 123, false);
            expect_parts(&table, i, 7, true);
        }
        close_table(&table);
    }
}

/* What is put into the stream by hand is a part of its own, so that the sum stays whole. */
static void what_was_set_by_hand_is_a_part(void **state)
{
    const struct model_intervention set[] = {
        {.node = MODEL_NODE_RESIDUAL, .layer = 1, .row = N - 1, .column = 3, .value = 5},
        {.node = MODEL_NODE_ATTENTION, .layer = 0, .row = MODEL_EACH, .column = 2, .value = 2}};
    struct table table;
    struct why_attribution got;
    size_t by_hand = 0;
    (void)state;
    open_table(&table, (struct model_interventions){set, 2});
    assert_true(why_attribute(table.run, table.model, &(struct why_question){N - 1, 5, 0, false},
                              &got, NULL));
    for (size_t p = 0; p < got.parts; p++) {
        by_hand += got.part[p].kind == WHY_BY_HAND ? 1 : 0;
    }
    assert_int_equal(by_hand, 2);
    assert_true(fabs(got.remainder) <= 1e-4);
    expect_near("logit", got.logit, reference.logits[N - 1][5]);
    why_attribution_free(&got);
    close_table(&table);
}

/* A layer with experts has a part for each that the word asked, and the shared one, in place of its
 * MLP. */
static void expect_experts(const struct model *model, const struct why_attribution *got)
{
    const struct model_config *const config = model_config(model);
    const size_t wanted = config->experts.chosen + (config->experts.shared > 0 ? 1 : 0);
    size_t experts[32] = {0}, whole[32] = {0};
    for (size_t p = 0; p < got->parts; p++) {
        experts[got->part[p].layer] += got->part[p].kind == WHY_EXPERT ? 1 : 0;
        whole[got->part[p].layer] += got->part[p].kind == WHY_MLP ? 1 : 0;
    }
    for (size_t l = 0; l < config->layers; l++) {
        const bool has = config->experts.count > 0 && (config->layer[l] & MODEL_LAYER_DENSE) == 0;
        assert_int_equal(experts[l], has ? wanted : 0);
        assert_int_equal(whole[l], has ? 0 : 1);
    }
}

/* In every family the parts sum to the logit, or one sentence says why they do not. */
static void parts_sum_to_the_logit_in_every_family(void **state)
{
    static const uint32_t ids[] = {5, 9, 7, 9, 6, 8};
    char folder[4096], path[4096 + 300];
    struct dirent *entry = NULL;
    size_t split = 0, refused = 0;
    (void)state;
    snprintf(folder, sizeof folder, "%s/../fixtures", tiny);
    DIR *const all = opendir(folder);
    assert_non_null(all);
    while ((entry = readdir(all)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct model *const model = entry->d_name[0] == '.' ? NULL : open_model(path, NULL);
        struct error error = {ERROR_NONE, 0, ""};
        struct why_attribution got;
        if (model == NULL) {
            continue;
        }
        const bool pair = model_has_target(model);
        struct model_run *const run = model_run_start(
            model,
            &(struct model_request){
                .ids = ids, .count = 6, .target_ids = ids, .target_count = pair ? 6 : 0},
            &error);
        assert_non_null(run);
        if (why_attribute(run, model, &(struct why_question){5, 12, 3, true}, &got, &error)) {
            if (!(fabs(got.remainder) <= 1e-4)) {
                fail_msg("%s: the remainder is %g", entry->d_name, got.remainder);
            }
            for (size_t p = 0; p < got.parts; p++) {
                assert_true(got.part[p].kind != WHY_BY_HAND);
            }
            expect_experts(model, &got);
            why_attribution_free(&got);
            split++;
        } else {
            assert_true(strlen(error.text) > 20 && error.code == ERROR_INPUT);
            refused++;
        }
        model_run_close(run);
        model_close(model);
    }
    closedir(all);
    assert_true(split >= 30 && refused >= 8);
}

static int descending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return left > right ? -1 : left < right ? 1 : 0;
}

static void the_lens_reads_each_stage_as_the_last_one(void **state)
{
    struct table table;
    struct why_lens lens;
    (void)state;
    open_table(&table, (struct model_interventions){NULL, 0});
    assert_true(why_lens_make(table.run, table.model, N - 1, 42, &lens, NULL));
    assert_int_equal(lens.layers, LAYERS);
    for (size_t c = 0; c < (2 * LAYERS + 1) * (size_t)N; c++) {
        const struct why_lens_cell *const cell = &lens.cell[c];
        const size_t i = cell->position;
        double logits[VOCABULARY], sorted[VOCABULARY], sum = 0;
        const double *const stream = cell->after == WHY_AFTER_EMBEDDING ? reference.residual[0][i]
                                     : cell->after == WHY_AFTER_ATTENTION
                                         ? reference.middle[cell->layer][i]
                                         : reference.residual[cell->layer + 1][i];
        gpt2_double_words(&table.weights, stream, logits);
        memcpy(sorted, logits, sizeof sorted);
        qsort(sorted, VOCABULARY, sizeof *sorted, descending);
        for (size_t id = 0; id < VOCABULARY; id++) {
            sum += exp(logits[id]);
        }
        for (size_t t = 0; t < WHY_LENS_TOP; t++) {
            assert_true(fabs(logits[cell->top[t]] - sorted[t]) < 1e-4);
            assert_true(fabs((double)cell->top_probability[t] - exp(sorted[t]) / sum) < 1e-4);
        }
        assert_true(i != N - 1 || cell->word == 42);
        assert_true(fabs(cell->probability - exp(logits[cell->word]) / sum) < 1e-4);
        assert_true(cell->rank >= 1 && fabs(sorted[cell->rank - 1] - logits[cell->word]) < 1e-4);
        assert_true(c + N < (2 * LAYERS + 1) * (size_t)N || i == N - 1 || cell->rank == 1);
    }
    why_lens_free(&lens);
    close_table(&table);
}

static double log_share(const double *logits, uint32_t id)
{
    double sum = 0;
    for (size_t other = 0; other < VOCABULARY; other++) {
        sum += exp(logits[other] - logits[id]);
    }
    return -log(sum);
}

static double loss_of(const struct gpt2_double *of)
{
    double sum = 0;
    for (size_t i = 0; i + 1 < N; i++) {
        sum -= log_share(of->logits[i], words[i + 1]) / (N - 1);
    }
    return sum;
}

/* Every head and MLP in turn: logit, probability, KL and loss are those of float64. */
static void what_is_lost_without_a_part_is_as_in_float64(void **state)
{
    static struct gpt2_double plain;
    const size_t parts = (size_t)LAYERS * (DOUBLE_HEADS + 1);
    struct model_intervention one[LAYERS * (DOUBLE_HEADS + 1)];
    struct model_interventions lists[LAYERS * (DOUBLE_HEADS + 1)];
    struct why_state before, without[LAYERS * (DOUBLE_HEADS + 1)];
    struct table table;
    (void)state;
    open_table(&table, (struct model_interventions){NULL, 0});
    plain = reference;
    for (size_t p = 0; p < parts; p++) {
        const size_t layer = p / (DOUBLE_HEADS + 1), head = p % (DOUBLE_HEADS + 1);
        one[p] = model_head_off(layer, head == DOUBLE_HEADS ? 0 : head);
        one[p].node = head == DOUBLE_HEADS ? MODEL_NODE_MLP : MODEL_NODE_Z;
        one[p].by = p % 2 == 0 ? MODEL_BY_VALUE : MODEL_BY_MEAN;
        lists[p] = (struct model_interventions){&one[p], 1};
    }
    const struct why_ablation ablation = {
        .run = table.run, .model = table.model, .question = {4, 9, 30, true}, .wants_loss = true};
    assert_true(why_ablate(&ablation, lists, parts, &before, without, NULL));
    expect_near("logit", before.logit, plain.logits[4][9] - plain.logits[4][30]);
    expect_near("loss", before.loss, loss_of(&plain));
    for (size_t p = 0; p < parts; p++) {
        double kl = 0;
        gpt2_double_run(&table.weights, words, N, lists[p], &reference);
        for (uint32_t id = 0; id < VOCABULARY; id++) {
            const double was = log_share(plain.logits[4], id);
            kl += exp(was) * (was - log_share(reference.logits[4], id));
        }
        expect_near("logit without", without[p].logit,
                    reference.logits[4][9] - reference.logits[4][30]);
        expect_near("probability without", without[p].probability,
                    exp(log_share(reference.logits[4], 9)));
        expect_near("KL", without[p].kl, kl);
        expect_near("loss without", without[p].loss, loss_of(&reference));
    }
    close_table(&table);
}

/* ---- interventions as texts ------------------------------------------------------------------ */

static struct why_subject subject_of(const struct model *model)
{
    return (struct why_subject){
        .model = model, .request = {.ids = words, .count = N}, .bare = true};
}

static bool read_wish(const struct model *model, enum why_kind kind, const char *text,
                      struct arena *arena, struct model_interventions *out, struct error *error)
{
    const struct why_subject subject = subject_of(model);
    const struct why_wish wish = {kind, text};
    *error = (struct error){ERROR_NONE, 0, ""};
    return why_interventions_read(&subject, &wish, 1, arena, out, error);
}

static void texts_are_interventions(void **state)
{
    static const struct {
        enum why_kind kind;
        const char *text;
        size_t count;
        struct model_intervention last;
    } cases[] = {
        {WHY_WITHOUT,
         "L0H1,MLP1=mean, mlp 0@3",
         3,
         {.node = MODEL_NODE_MLP, .row = 2, .column = MODEL_EACH}},
        {WHY_WITHOUT,
         "L1H0=zero",
         1,
         {.node = MODEL_NODE_Z, .layer = 1, .row = MODEL_EACH, .column = MODEL_EACH}},
        {WHY_WITHOUT,
         "MLP1N17=mean@7",
         1,
         {.node = MODEL_NODE_NEURONS, .by = MODEL_BY_MEAN, .layer = 1, .row = 6, .column = 17}},
        {WHY_EDGE,
         "L1H0:7>3",
         1,
         {.node = MODEL_NODE_SCALED, .layer = 1, .row = 6, .column = 2, .value = -INFINITY}},
        {WHY_EDGE,
         "L0H1:5:5",
         1,
         {.node = MODEL_NODE_SCALED, .head = 1, .row = 4, .column = 4, .value = -INFINITY}},
        {WHY_SET,
         "L0H1.alpha[8,5]=0.4",
         1,
         {.node = MODEL_NODE_ALPHA, .head = 1, .row = 7, .column = 4, .value = 0.4F}},
        {WHY_SET,
         "residual 2[1,:]=-2",
         1,
         {.node = MODEL_NODE_RESIDUAL, .layer = 2, .row = 0, .column = MODEL_EACH, .value = -2}},
        {WHY_SET,
         "L1.mlp[ : , 3 ]=0",
         1,
         {.node = MODEL_NODE_MLP, .layer = 1, .row = MODEL_EACH, .column = 2}},
    };
    struct arena arena = {0};
    struct model *const model = open_model(tiny, NULL);
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct model_interventions list;
        struct error error;
        if (!read_wish(model, cases[c].kind, cases[c].text, &arena, &list, &error)) {
            fail_msg("%s: %s", cases[c].text, error.text);
        }
        assert_int_equal(list.count, cases[c].count);
        const struct model_intervention *const got = &list.row[list.count - 1], *const wanted =
                                                                                    &cases[c].last;
        assert_int_equal(got->node, wanted->node);
        assert_int_equal(got->by, wanted->by);
        assert_int_equal(got->layer, wanted->layer);
        assert_int_equal(got->head, wanted->head);
        assert_int_equal(got->row, wanted->row);
        assert_int_equal(got->column, wanted->column);
        assert_true(!(got->value < wanted->value) && !(got->value > wanted->value));
    }
    model_close(model);
    arena_free(&arena);
}

static void other_texts_are_refused_in_one_sentence(void **state)
{
    static const struct {
        enum why_kind kind;
        const char *text, *says;
    } cases[] = {
        {WHY_WITHOUT, "", "--without takes parts such as L0H1"},
        {WHY_WITHOUT, "L0H1,", "--without takes parts such as"},
        {WHY_WITHOUT, "head 3", "not “head 3”"},
        {WHY_WITHOUT, "residual 1", "--without takes parts such as"},
        {WHY_WITHOUT, "L0H1=half", "--without takes parts such as"},
        {WHY_WITHOUT, "L0H1@9", "There is no word “9” in the text: it has 7"},
        {WHY_EDGE, "L0H1", "--edge takes a pair such as"},
        {WHY_EDGE, "L0H1:3>", "--edge takes a pair such as"},
        {WHY_EDGE, "L0H1:>3", "--edge takes a pair such as"},
        {WHY_EDGE, "MLP0:3>2", "--edge takes a pair such as"},
        {WHY_SET, "L0H1.alpha=3", "--set takes a number such as"},
        {WHY_SET, "L0H1.alpha[0,1]=3", "--set takes a number such as"},
        {WHY_SET, "L0H1.alpha[1,1]=much", "--set takes a number such as"},
        {WHY_SET, "L0H1.beta[1,1]=3", "--set takes a number such as"},
        {WHY_SET, "L0.alpha[1,1]=3", "--set takes a number such as"},
        {WHY_SET, "L0H1.Q[1,1]=-inf", "--set takes a number such as"},
        {WHY_PATCH, "L0H1", "--patch takes a part and a text"},
        {WHY_PATCH, "L9H1 from other", "There is no head 1 in layer 9"},
        {WHY_PATCH, "L0H1 from a", "of different lengths: 7 tokens and"},
    };
    struct arena arena = {0};
    struct model *const model = open_model(tiny, NULL);
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct model_interventions list;
        struct error error;
        assert_false(read_wish(model, cases[c].kind, cases[c].text, &arena, &list, &error));
        if (strstr(error.text, cases[c].says) == NULL || strlen(error.text) > 250) {
            fail_msg("“%s”: “%s” does not say “%s”", cases[c].text, error.text, cases[c].says);
        }
    }
    model_close(model);
    arena_free(&arena);
}

/* A word of the text is found by itself where it stands there once. */
static void words_of_the_text_are_found(void **state)
{
    static const char *const text[] = {"the", "␣man", "the", "##s", "7"};
    struct error error = {ERROR_NONE, 0, ""};
    size_t place = 0;
    (void)state;
    assert_true(why_place_find(text, 5, "man", &place, &error) && place == 1);
    assert_true(why_place_find(text, 5, "s", &place, &error) && place == 3);
    assert_true(why_place_find(text, 5, "7", &place, &error) && place == 4);
    assert_true(why_place_find(text, 5, "2", &place, &error) && place == 1);
    assert_false(why_place_find(text, 5, "the", &place, &error));
    assert_non_null(strstr(error.text, "“the” stands in the text 2 times, as words 1, 3"));
    assert_false(why_place_find(text, 5, "6", &place, &error));
    assert_non_null(strstr(error.text, "There is no word “6” in the text: it has 5"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_logit_is_the_sum_of_its_parts),
        cmocka_unit_test(what_was_set_by_hand_is_a_part),
        cmocka_unit_test(parts_sum_to_the_logit_in_every_family),
        cmocka_unit_test(the_lens_reads_each_stage_as_the_last_one),
        cmocka_unit_test(what_is_lost_without_a_part_is_as_in_float64),
        cmocka_unit_test(texts_are_interventions),
        cmocka_unit_test(other_texts_are_refused_in_one_sentence),
        cmocka_unit_test(words_of_the_text_are_found),
    };
    tiny = argc > 1 ? argv[1] : "tests/model/tiny";
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Files of attention from elsewhere: what is recognised, read and refused. The files are made by
 * dumps/make.py. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../npy_header.h"
#include "bench.h"
#include "lab/dump/dump.h"

enum { LAYERS = 2, HEADS = 3, N = 4, M = 6, D = 8 };

static const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("DUMPS"), name);
    return path;
}

static struct lab_dump *open_as(const char *name, struct lab_dump_request request)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_dump *const dump = lab_dump_open(path_of(name), &request, &error);
    assert_string_equal(error.text, "");
    assert_non_null(dump);
    return dump;
}

static struct lab_dump *open_dump(const char *name)
{
    return open_as(name, (struct lab_dump_request){.batch = 0});
}

static double score(size_t layer, size_t head, size_t i, size_t j)
{
    return (double)((i * 7 + j * 3 + layer * 5 + head * 11) % 13) / 4;
}

/* As make.py has it; causal: of the visible keys alone. */
static double alpha(size_t layer, size_t head, size_t i, size_t j, size_t m, bool causal)
{
    double sum = 0;
    for (size_t k = 0; k < m; k++) {
        sum += causal && k > i ? 0 : exp(score(layer, head, i, k));
    }
    return causal && j > i ? 0 : exp(score(layer, head, i, j)) / sum;
}

struct wanted {
    const char *file, *axes;
    size_t layers, first_layer, m;
    double slack;
    bool causal, named;
};

static void check_weights(const struct lab_dump *dump, const struct wanted *wanted)
{
    struct lab_dump_page page = {.holds = {NULL}};
    struct error error = {ERROR_NONE, 0, ""};
    float weights[N * M];
    for (size_t l = 0; l < wanted->layers; l++) {
        for (size_t h = 0; h < HEADS; h++) {
            assert_true(lab_dump_weights(dump, &page, l, h, weights, &error));
            for (size_t c = 0; c < N * wanted->m; c++) {
                const double expected = alpha(wanted->first_layer + l, h, c / wanted->m,
                                              c % wanted->m, wanted->m, wanted->causal);
                assert_true(fabs((double)weights[c] - expected) <= wanted->slack);
            }
        }
    }
    lab_dump_page_free(&page);
}

static void what_frameworks_save_is_recognised_and_read_exactly(void **state)
{
    static const struct wanted files[] = {
        {"half.npz", "LHQK", 2, 0, N, 5e-4, false, true},
        {"tuple.npz", "BHQK", 2, 0, N, 1e-7, false, false},
        {"unnamed.npz", "HQK", 2, 0, N, 1e-7, false, false},
        {"cross.npz", "LHQK", 2, 0, M, 1e-7, false, true},
        {"heads.npy", "HQK", 1, 1, N, 1e-7, false, false},
        {"pattern.safetensors", "BHQK", 2, 0, N, 4e-3, false, true},
        {"scores.npz", "LHQK", 2, 0, N, 1e-6, true, false},
    };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        struct lab_dump *const dump = open_dump(files[f].file);
        const struct lab_dump_facts *const facts = lab_dump_facts(dump);
        assert_string_equal(facts->axes, files[f].axes);
        assert_int_equal(facts->layers, files[f].layers);
        assert_int_equal(facts->heads, HEADS);
        assert_int_equal(facts->n, N);
        assert_int_equal(facts->m, files[f].m);
        assert_int_equal(facts->words_from != NULL, files[f].named);
        assert_string_equal(lab_words_list(facts->queries)[2], files[f].named ? "s\u00e4t" : "3");
        check_weights(dump, &files[f]);
        lab_dump_close(dump);
    }
}

static void what_cannot_be_decided_can_be_said(void **state)
{
    (void)state;
    const struct wanted heads_last = {NULL, NULL, 1, 1, N, 1e-7, false, false};
    struct lab_dump *dump = open_as("axes.npy", (struct lab_dump_request){.axes = "QKH"});
    check_weights(dump, &heads_last);
    lab_dump_close(dump);
    dump = open_dump("axes.npy"); /* nobody said it: only so rows sum to 1 */
    assert_string_equal(lab_dump_facts(dump)->axes, "QKH");
    assert_non_null(strstr(lab_dump_facts(dump)->doubt, "Its axes are taken for QKH"));
    check_weights(dump, &heads_last);
    lab_dump_close(dump);
    const struct wanted turned = {NULL, NULL, 1, 1, N, 1e-7, false, false};
    dump = open_as("batch.npy", (struct lab_dump_request){.batch = 1});
    assert_int_equal(lab_dump_facts(dump)->batches, 2);
    check_weights(dump, &turned); /* the second text has the layers turned round */
    lab_dump_close(dump);
    dump = open_dump("batch.npy");
    assert_string_equal(lab_dump_facts(dump)->doubt, "Text 1 of 2 is shown.");
    lab_dump_close(dump);
    dump = open_dump("columns.npy");
    assert_string_equal(lab_dump_facts(dump)->axes, "KQ");
    assert_non_null(strstr(lab_dump_facts(dump)->doubt, "columns sum to 1"));
    lab_dump_close(dump);
}

/* The words of rows and columns, each list as one text. */
static void check_names(const struct lab_dump *dump, const char *queries, const char *keys)
{
    const struct lab_dump_facts *const facts = lab_dump_facts(dump);
    const struct lab_words *const words[] = {facts->queries, facts->keys};
    const char *const wanted[] = {queries, keys};
    for (size_t side = 0; side < 2; side++) {
        char text[64] = "";
        for (size_t w = 0; w < lab_words_count(words[side]); w++) {
            strncat(text, lab_words_list(words[side])[w], sizeof text - strlen(text) - 1);
        }
        assert_string_equal(text, wanted[side]);
    }
}

static void two_lists_of_tokens_name_the_rows_and_columns_they_belong_to(void **state)
{
    static const char *const files[] = {"pair.npz", "pair_named.npz"};
    static const char read[] = "abcdef", written[] = "Thecats\u00e4t\U0001f63a";
    static const struct {
        const char *array, *queries, *keys;
        bool apart;
    } arrays[] = {
        {NULL, written, written, false}, /* of several the decoder's */
        {"decoder_attentions", written, written, false},
        {"encoder_attentions", read, read, false},
        {"cross_attentions", written, read, true},
    };
    (void)state;
    for (size_t c = 0; c < 8; c++) {
        struct lab_dump *const dump =
            open_as(files[c / 4], (struct lab_dump_request){.array = arrays[c % 4].array});
        const struct lab_dump_facts *const facts = lab_dump_facts(dump);
        check_names(dump, arrays[c % 4].queries, arrays[c % 4].keys);
        assert_int_equal(facts->keys != facts->queries, arrays[c % 4].apart);
        assert_null(strstr(facts->doubt, "counted"));
        assert_string_equal(facts->side[LAB_DUMP_DECODER], "decoder_attentions");
        assert_string_equal(facts->side[LAB_DUMP_ENCODER], "encoder_attentions");
        assert_string_equal(facts->side[LAB_DUMP_CROSS], "cross_attentions");
        assert_string_equal(facts->side[facts->shown], facts->array);
        assert_string_equal(facts->doubt, "");
        assert_true(
            arrays[c % 4].array != NULL ||
            strstr(facts->unused,
                   "encoder_attentions (2 \u00d7 3 \u00d7 6 \u00d7 6), cross_attentions (") !=
                NULL);
        lab_dump_close(dump);
    }
}

static void steps_of_generate_are_one_square(void **state)
{
    enum { ALL = 9 };
    static const char *const files[] = {"steps.npz", "steps_stacked.npz", "steps_flat.npz"};
    (void)state;
    for (size_t f = 0; f < 3; f++) {
        struct lab_dump *const dump = open_dump(files[f]);
        const struct lab_dump_facts *const facts = lab_dump_facts(dump);
        struct lab_dump_page page = {.holds = {NULL}};
        struct error error = {ERROR_NONE, 0, ""};
        float weights[ALL * ALL];
        assert_int_equal(facts->layers, LAYERS);
        assert_int_equal(facts->heads, HEADS);
        assert_int_equal(facts->n, ALL);
        assert_int_equal(facts->m, ALL);
        check_names(dump, f == 0 ? "abcdefghi" : "123456789", f == 0 ? "abcdefghi" : "123456789");
        assert_non_null(strstr(facts->doubt, "4 steps of writing are joined: from 6 to 9 words."));
        for (size_t lh = 0; lh < LAYERS * HEADS; lh++) {
            assert_true(lab_dump_weights(dump, &page, lh / HEADS, lh % HEADS, weights, &error));
            for (size_t c = 0; c < ALL * ALL; c++) {
                const double expected = alpha(lh / HEADS, lh % HEADS, c / ALL, c % ALL, ALL, true);
                assert_true(fabs((double)weights[c] - expected) < 1e-7);
            }
        }
        lab_dump_page_free(&page);
        lab_dump_close(dump);
    }
}

static void steps_that_look_at_another_text_are_joined_beside_those_that_grow(void **state)
{
    (void)state;
    struct lab_dump *const dump =
        open_as("steps_cross.npz", (struct lab_dump_request){.array = "layer_#.cross_attn"});
    struct lab_dump_page page = {.holds = {NULL}};
    struct error error = {ERROR_NONE, 0, ""};
    float weights[3 * M];
    assert_int_equal(lab_dump_facts(dump)->n, 3);
    assert_int_equal(lab_dump_facts(dump)->m, M);
    assert_true(lab_dump_weights(dump, &page, 1, 0, weights, &error));
    for (size_t c = 0; c < 3 * M; c++) {
        assert_true(fabs((double)weights[c] - alpha(1, 0, c / M, c % M, M, false)) < 1e-7);
    }
    lab_dump_page_free(&page);
    lab_dump_close(dump);
}

/* cross_attentions_STEP_LAYER: two words at first, then one by one. */
static void steps_that_look_at_another_text_alone_are_joined(void **state)
{
    (void)state;
    const struct wanted cross = {NULL, NULL, LAYERS, 0, M, 1e-7, false, false};
    struct lab_dump *const dump = open_dump("gen_cross.npz");
    assert_int_equal(lab_dump_facts(dump)->layers, LAYERS);
    assert_int_equal(lab_dump_facts(dump)->n, N);
    check_names(dump, "Thecats\u00e4t\U0001f63a", "abcdef");
    check_weights(dump, &cross);
    assert_string_equal(lab_dump_facts(dump)->used,
                        "cross_attentions_#, decoder_tokens, source_tokens");
    assert_string_equal(lab_dump_facts(dump)->unused, "");
    lab_dump_close(dump);
}

static void texts_among_objects_are_read_and_others_hide_nothing(void **state)
{
    (void)state;
    const struct wanted all = {NULL, NULL, LAYERS, 0, N, 1e-7, false, false};
    struct lab_dump *const dump = open_dump("objects.npz");
    check_names(dump, "Thecats\u00e4t\U0001f63a", "Thecats\u00e4t\U0001f63a");
    check_weights(dump, &all);
    assert_string_equal(lab_dump_facts(dump)->used, "attentions, tokens");
    assert_string_equal(lab_dump_facts(dump)->unused,
                        "title, settings (It holds Python objects that are no plain texts; only "
                        "texts are read)");
    lab_dump_close(dump);
}

static void tokens_are_those_of_the_text_that_is_shown(void **state)
{
    (void)state;
    const struct wanted second = {NULL, NULL, 1, 1, N, 1e-7, false, false};
    struct lab_dump *dump = open_dump("texts.npz");
    check_names(dump, "Thecats\u00e4t\U0001f63a", "Thecats\u00e4t\U0001f63a");
    assert_string_equal(lab_dump_facts(dump)->unused,
                        "spare (3), names (4, other names are used), labels (2, but there are 4 "
                        "rows and 4 columns)");
    lab_dump_close(dump);
    dump = open_as("texts.npz", (struct lab_dump_request){.batch = 1});
    check_names(dump, "abcd", "abcd");
    check_weights(dump, &second);
    lab_dump_close(dump);
    dump = open_as("texts.npz",
                   (struct lab_dump_request){.batch = 1, .axes = "BHQK", .inside = "names"});
    check_names(dump, "Thecats\u00e4t\U0001f63a", "Thecats\u00e4t\U0001f63a"); /* by columns */
    lab_dump_close(dump);
}

/* [B, n, H, d]: numbers of each head, with the tokens that tell it. */
static void queries_with_the_length_first_are_read_by_their_tokens(void **state)
{
    (void)state;
    struct lab_dump *const dump = open_dump("length_first.npz");
    struct lab_dump_page page = {.holds = {NULL}};
    struct lab_experiment experiment;
    struct error error = {ERROR_NONE, 0, ""};
    assert_string_equal(lab_dump_facts(dump)->axes, "BQHD");
    check_names(dump, "Thecats\u00e4t\U0001f63a", "Thecats\u00e4t\U0001f63a");
    assert_true(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    struct lab_trace *const trace = trace_of(&experiment);
    const struct lab_matrix q = lab_trace_part(trace, LAB_Q, 4);
    assert_int_equal(lab_experiment_sizes(&experiment).heads, 5);
    assert_true(fabs((double)lab_matrix_at(&q, 2, 3) - sin((2 * 5 + 4) * D + 3)) < 1e-6);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
    lab_dump_page_free(&page);
    lab_dump_close(dump);
}

static void arrays_that_do_not_go_together_are_offered_one_by_one(void **state)
{
    (void)state;
    struct lab_dump *list = NULL;
    struct error error = {ERROR_NONE, 0, ""};
    const struct lab_dump_request request = {.unclear = &list};
    assert_null(lab_dump_open(path_of("wrong_uneven.npz"), &request, &error));
    assert_non_null(list); /* the panel asks */
    assert_int_equal(lab_dump_items(list), 2);
    assert_string_equal(lab_dump_item(list, 0).name, "attentions_0");
    assert_string_equal(lab_dump_item(list, 1).shape, "3 \u00d7 3 \u00d7 4");
    lab_dump_close(list);
    struct lab_dump *const dump =
        open_as("wrong_uneven.npz", (struct lab_dump_request){.array = "attentions_0"});
    const struct wanted first = {NULL, NULL, 1, 0, N, 1e-7, false, false};
    check_weights(dump, &first);
    lab_dump_close(dump);
}

static void a_layer_is_an_experiment_and_so_are_queries_and_keys(void **state)
{
    (void)state;
    struct lab_dump *dump = open_dump("cross.npz");
    struct lab_dump_page page = {.holds = {NULL}};
    struct lab_experiment experiment;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(lab_dump_experiment(dump, &page, 1, 0, &experiment, &error));
    assert_int_equal(experiment.layer, 1);
    assert_int_equal(experiment.layers, LAYERS);
    assert_string_equal(lab_words_list(experiment.context)[5], "f");
    struct lab_trace *trace = trace_of(&experiment);
    const struct lab_matrix weights = lab_trace_part(trace, LAB_ALPHA, 2);
    assert_true(fabs((double)lab_matrix_at(&weights, 3, 4) - alpha(1, 2, 3, 4, M, false)) < 1e-7);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
    lab_dump_close(dump);

    dump = open_dump("queries.safetensors");
    assert_int_equal(lab_dump_facts(dump)->content, LAB_DUMP_QK);
    assert_true(lab_dump_facts(dump)->causal);
    assert_true(lab_dump_experiment(dump, &page, 1, 0, &experiment, &error));
    trace = trace_of(&experiment);
    float read[N * N];
    for (size_t h = 0; h < HEADS; h++) {
        const struct lab_matrix q = lab_trace_part(trace, LAB_Q, h);
        const struct lab_matrix computed = lab_trace_part(trace, LAB_ALPHA, h);
        assert_true(fabs((double)lab_matrix_at(&q, 2, 5) -
                         sin((double)((2 * HEADS + h) * D + 5) + 1)) < 1e-6);
        assert_true(lab_dump_weights(dump, &page, 1, h, read, &error));
        for (size_t c = 0; c < N * N; c++) { /* at a head_overview as on the stages */
            assert_true(fabs((double)(read[c] - lab_matrix_at(&computed, c / N, c % N))) < 1e-6);
        }
    }
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
    lab_dump_page_free(&page);
    lab_dump_close(dump);
}

static void a_wrong_file_is_refused_in_one_sentence_that_names_it(void **state)
{
    static const struct {
        const char *file, *says;
    } wrong[] = {
        {"wrong_uneven.npz", "attentions_1 is 3 × 3 × 4, but attentions_0 is 3 × 4 × 4"},
        {"wrong_nothing.npz", "there is no attention in it, but W_Q (3 × 4), W_K (3 × 4)."},
        {"wrong_axes.npy", "which axis is what"},
        {"wrong_objects.npz", "attentions cannot be read: It holds Python objects that are no"},
        {"wrong_empty.npy", "there is nothing in it"},
        {"wrong_large.npy", "5000 keys"},
        {"wrong_alone.safetensors", "there is no attention in it"},
        {"make.py", "neither .npy nor .npz nor .safetensors"},
        {"missing.npz", "cannot be opened"},
    };
    (void)state;
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        struct error error = {ERROR_NONE, 0, ""};
        const struct lab_dump_request request = {.batch = 0};
        assert_null(lab_dump_open(path_of(wrong[w].file), &request, &error));
        if (strstr(error.text, wrong[w].says) == NULL) {
            fail_msg("%s", error.text);
        }
        assert_non_null(strstr(error.text, wrong[w].file));
    }
    struct lab_dump *const dump = open_dump("wrong_negative.npz");
    struct lab_experiment experiment;
    struct lab_dump_page page = {.holds = {NULL}};
    struct error error = {ERROR_NONE, 0, ""};
    assert_non_null(strstr(lab_dump_facts(dump)->doubt, "do not sum to 1"));
    assert_false(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    assert_non_null(strstr(error.text, "attentions, L0H0, row 1, column 1 is -0."));
    assert_null(lab_dump_thumbnails(dump, NULL, NULL, NULL, &error));
    lab_dump_page_free(&page);
    lab_dump_close(dump);
}

static void every_cut_of_a_file_is_refused_or_read(void **state)
{
    static const char *const files[] = {"half.npz", "tuple.npz", "heads.npy",
                                        "pattern.safetensors"};
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        static uint8_t content[16384];
        FILE *const whole = fopen(path_of(files[f]), "rb");
        const size_t size = fread(content, 1, sizeof content, whole);
        fclose(whole);
        char name[] = "attention-XXXXXX";
        const int file = mkstemp(name);
        for (size_t cut = 0; cut < size; cut += 1 + size / 97) {
            struct error error = {ERROR_NONE, 0, ""};
            assert_int_equal(ftruncate(file, 0), 0);
            assert_int_equal(pwrite(file, content, cut, 0), (ssize_t)cut);
            struct lab_dump *const dump =
                lab_dump_open(name, &(const struct lab_dump_request){.batch = 0}, &error);
            assert_true(dump == NULL && error.text[0] != '\0');
        }
        close(file);
        unlink(name);
    }
}

/* An npy of float32 zeros that takes no room on the disk. */
static void make_sparse(char *name, const char *shape, off_t numbers)
{
    char header[NPY_HEADER_BYTES], in_brackets[64];
    const int file = mkstemp(name);
    assert_true(file >= 0);
    snprintf(in_brackets, sizeof in_brackets, "(%s)", shape);
    npy_header(header, "<f4", in_brackets);
    assert_int_equal(write(file, header, sizeof header), sizeof header);
    assert_int_equal(ftruncate(file, 128 + 4 * numbers), 0);
    close(file);
}

static long resident_kilobytes(void)
{
    long pages = 0, resident = 0, shared = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    assert_int_equal(fscanf(file, "%ld %ld %ld", &pages, &resident, &shared), 3);
    fclose(file);
    return (resident - shared) * (sysconf(_SC_PAGESIZE) / 1024); /* shared: the map */
}

static void large_files_stay_on_the_disk(void **state)
{
    static const struct {
        const char *shape;
        off_t numbers;
        bool whole_layers;
    } large[] = {{"12, 12, 1024, 1024", (off_t)144 << 20, true},
                 {"32, 4096, 4096", (off_t)32 << 24, false}};
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        char name[] = "attention-XXXXXX";
        struct error error = {ERROR_NONE, 0, ""};
        make_sparse(name, large[f].shape, large[f].numbers);
        const long before = resident_kilobytes();
        struct lab_dump *const dump =
            lab_dump_open(name, &(const struct lab_dump_request){.batch = 0}, &error);
        assert_string_equal(error.text, "");
        assert_int_equal(lab_dump_facts(dump)->whole_layers, large[f].whole_layers);
        struct lab_dump_page page = {.holds = {NULL}};
        struct lab_experiment experiment;
        assert_true(resident_kilobytes() - before < 16 << 10);
        assert_true(lab_dump_experiment(dump, &page, 0, 11, &experiment, &error));
        struct lab_trace *const trace = trace_of(&experiment);
        assert_true(resident_kilobytes() - before < 400 << 10);
        lab_trace_release(trace);
        lab_experiment_release(&experiment);
        lab_dump_page_free(&page);
        lab_dump_close(dump);
        unlink(name);
    }
}

static bool give_up_at_three(void *owner, size_t done, size_t all)
{
    (void)owner;
    (void)all;
    return done < 3;
}

static void all_heads_are_looked_at_and_one_may_give_up(void **state)
{
    (void)state;
    struct lab_dump *const dump = open_dump("tuple.npz");
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_thumbnails *const thumbnails = lab_dump_thumbnails(dump, NULL, NULL, NULL, &error);
    assert_non_null(thumbnails);
    const struct lab_thumbnails_head head = lab_thumbnails_head(thumbnails, 1, 2);
    assert_true(fabs((double)head.largest[7] - alpha(1, 2, 1, 3, N, false)) < 1e-7);
    lab_thumbnails_release(thumbnails);
    assert_null(lab_dump_thumbnails(dump, NULL, give_up_at_three, NULL, &error));
    assert_int_equal(error.code, ERROR_NONE);
    lab_dump_close(dump);
}

static void words_stand_in_a_file_beside_it(void **state)
{
    (void)state;
    char folder[] = "attention-XXXXXX", path[64], beside[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.npy", folder);
    static uint8_t content[16384];
    FILE *file = fopen(path_of("heads.npy"), "rb");
    const size_t size = fread(content, 1, sizeof content, file);
    fclose(file);
    file = fopen(path, "wb");
    fwrite(content, 1, size, file);
    fclose(file);
    static const struct {
        const char *end, *text, *third;
    } files[] = {{".tokens.json", "[\"a\", \"b\", \"\u0120c\", \"d\"]", "\u2423c"},
                 {".json", "{\"tokens\": [\"a\", \"b\", 17, \"d\"]}", "17"},
                 {".txt", "a\nb b\nc c\nd\n", "c c"},
                 {".txt", "a b  c d", "c"},
                 {".txt", "a b c", "3"}};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        struct error error = {ERROR_NONE, 0, ""};
        snprintf(beside, sizeof beside, "%s/a%s", folder, files[f].end);
        file = fopen(beside, "wb");
        fputs(files[f].text, file);
        fclose(file);
        struct lab_dump *const dump =
            lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
        assert_string_equal(error.text, "");
        assert_string_equal(lab_words_list(lab_dump_facts(dump)->queries)[2], files[f].third);
        lab_dump_close(dump);
        unlink(beside);
    }
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_frameworks_save_is_recognised_and_read_exactly),
        cmocka_unit_test(what_cannot_be_decided_can_be_said),
        cmocka_unit_test(two_lists_of_tokens_name_the_rows_and_columns_they_belong_to),
        cmocka_unit_test(steps_of_generate_are_one_square),
        cmocka_unit_test(steps_that_look_at_another_text_are_joined_beside_those_that_grow),
        cmocka_unit_test(steps_that_look_at_another_text_alone_are_joined),
        cmocka_unit_test(texts_among_objects_are_read_and_others_hide_nothing),
        cmocka_unit_test(tokens_are_those_of_the_text_that_is_shown),
        cmocka_unit_test(queries_with_the_length_first_are_read_by_their_tokens),
        cmocka_unit_test(arrays_that_do_not_go_together_are_offered_one_by_one),
        cmocka_unit_test(a_layer_is_an_experiment_and_so_are_queries_and_keys),
        cmocka_unit_test(a_wrong_file_is_refused_in_one_sentence_that_names_it),
        cmocka_unit_test(every_cut_of_a_file_is_refused_or_read),
        cmocka_unit_test(large_files_stay_on_the_disk),
        cmocka_unit_test(all_heads_are_looked_at_and_one_may_give_up),
        cmocka_unit_test(words_stand_in_a_file_beside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

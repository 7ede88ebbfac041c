/* Files of attention as people save them, and as they come damaged: made here array by array. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "lab/dump/dump.h"

enum { ARRAYS_MAX = 4, FILE_MAX = 1 << 20, TEXT_MAX = 4096 };

/* An array of float32, or of whole numbers 1, 2, 3 …; rows of floats sum to 1, unless columns do,
 * or the first number is none. */
enum fill { EVEN, TURNED, IDS, NOT_A_NUMBER };

struct tensor {
    const char *name;
    size_t rank, shape[ARRAY_RANK_MAX];
    enum fill fill;
};

static size_t count_of(const struct tensor *tensor)
{
    size_t count = 1;
    for (size_t a = 0; a < tensor->rank; a++) {
        count *= tensor->shape[a];
    }
    return count;
}

static void put_numbers(uint8_t *at, const struct tensor *tensor)
{
    const size_t count = count_of(tensor), last = tensor->shape[tensor->rank - 1];
    const size_t rows = tensor->rank > 1 ? tensor->shape[tensor->rank - 2] : 1;
    for (size_t i = 0; i < count; i++) {
        const float value = tensor->fill == NOT_A_NUMBER && i == 0 ? NAN
                            : tensor->fill == TURNED               ? 1 / (float)rows
                                                                   : 1 / (float)last;
        uint32_t bits = (uint32_t)i + 1; /* an id; the smallest byte first, whatever the machine */
        if (tensor->fill != IDS) {
            memcpy(&bits, &value, sizeof bits);
        }
        for (size_t b = 0; b < 4; b++) {
            at[4 * i + b] = (uint8_t)(bits >> (8 * b));
        }
    }
}

/* A safetensors file; notes: the members of "__metadata__", or NULL. */
static void save(const char *path, const struct tensor *tensors, size_t count, const char *notes)
{
    static uint8_t numbers[FILE_MAX];
    char header[TEXT_MAX] = "{";
    size_t length = 1, bytes = 0;
    memset(numbers, 0, sizeof numbers);
    if (notes != NULL) {
        length += (size_t)snprintf(header + length, sizeof header - length,
                                   "\"__metadata__\":{%s},", notes);
    }
    for (size_t t = 0; t < count; t++) {
        const size_t size = 4 * count_of(&tensors[t]);
        length += (size_t)snprintf(header + length, sizeof header - length,
                                   "\"%s\":{\"dtype\":\"%s\",\"shape\":[", tensors[t].name,
                                   tensors[t].fill == IDS ? "I32" : "F32");
        for (size_t a = 0; a < tensors[t].rank; a++) {
            length += (size_t)snprintf(header + length, sizeof header - length, "%s%zu",
                                       a > 0 ? "," : "", tensors[t].shape[a]);
        }
        length += (size_t)snprintf(header + length, sizeof header - length,
                                   "],\"data_offsets\":[%zu,%zu]}%s", bytes, bytes + size,
                                   t + 1 < count ? "," : "}");
        assert_true(bytes + size <= sizeof numbers && length < sizeof header);
        put_numbers(numbers + bytes, &tensors[t]);
        bytes += size;
    }
    const uint8_t size_of_header[8] = {(uint8_t)length, (uint8_t)(length >> 8)};
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(size_of_header, 1, 8, file), 8);
    assert_int_equal(fwrite(header, 1, length, file), length);
    assert_int_equal(fwrite(numbers, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static const char path[] = "attention-of-one.safetensors";

static size_t used(const struct tensor *tensors)
{
    size_t count = 0;
    while (count < ARRAYS_MAX && tensors[count].name != NULL) {
        count++;
    }
    return count;
}

struct one_file {
    struct tensor tensors[ARRAYS_MAX];
    struct lab_dump_request request;
    const char *says; /* what it is refused with; or what is doubted; or NULL: neither */
    const char *axes; /* as it is opened; NULL: it is refused */
};

static void try(const struct one_file *one)
{
    struct error error = {ERROR_NONE, 0, ""};
    save(path, one->tensors, used(one->tensors), NULL);
    struct lab_dump *const dump = lab_dump_open(path, &one->request, &error);
    const char *const said = dump != NULL ? lab_dump_facts(dump)->doubt : error.text;
    if ((one->axes != NULL) != (dump != NULL) ||
        (one->says == NULL ? said[0] != '\0' : strstr(said, one->says) == NULL)) {
        fail_msg("%s: \"%s\", where \"%s\" is meant", one->tensors[0].name, said,
                 one->says != NULL ? one->says : "nothing");
    }
    if (dump != NULL) {
        assert_string_equal(lab_dump_facts(dump)->axes, one->axes);
    }
    lab_dump_close(dump);
    unlink(path);
}

static void arrays_lie_in_many_ways(void **state)
{
    static const struct one_file files[] = {
        /* a single text in front of the layers, and the layers in front of the texts */
        {{{"attentions", 5, {1, 2, 3, 4, 4}, EVEN}}, {0}, NULL, "BLHQK"},
        {{{"attentions", 5, {2, 1, 3, 4, 4}, EVEN}}, {0}, NULL, "LBHQK"},
        {{{"q", 5, {1, 2, 3, 4, 8}, EVEN}, {"k", 5, {1, 2, 3, 4, 8}, EVEN}}, {0}, NULL, "BLHQD"},
        {{{"blocks.0.attn.hook_q", 3, {4, 3, 8}, EVEN},
          {"blocks.0.attn.hook_k", 3, {4, 3, 8}, EVEN},
          {"blocks.0.attn.hook_v", 3, {4, 3, 6}, EVEN}},
         {0},
         "taken as hidden",
         "QHD"},
        {{{"attentions", 2, {4, 4}, EVEN}, {"other", 3, {2, 4, 4}, EVEN}},
         {.array = "other"},
         NULL,
         "HQK"},
        {{{"layer_0.other", 2, {4, 4}, EVEN},
          {"attentions", 3, {2, 4, 4}, EVEN},
          {"layer_7.other", 2, {4, 4}, EVEN}},
         {.array = "layer_#.other"},
         NULL,
         "QK"},
        {{{"attentions", 2, {4, 4}, EVEN}, {"cross_attentions", 2, {4, 6}, EVEN}},
         {0},
         "attentions is shown; also there: cross_attentions.",
         "QK"},
        /* names that say nothing, and numbers without anything before them */
        {{{"mine", 3, {3, 4, 4}, EVEN}, {"yours", 3, {3, 4, 4}, EVEN}},
         {0},
         "mine is shown; also there: yours.",
         "HQK"},
        {{{"Layer0", 3, {3, 4, 4}, EVEN}, {"Layer1", 3, {3, 4, 4}, EVEN}},
         {.array = "Layer#"},
         NULL,
         "HQK"},
        {{{"t5.step0_layer0", 4, {1, 3, 4, 4}, EVEN},
          {"t5.step0_layer1", 4, {1, 3, 4, 4}, EVEN},
          {"t5.step1_layer0", 4, {1, 3, 1, 5}, EVEN},
          {"t5.step1_layer1", 4, {1, 3, 1, 5}, EVEN}},
         {0},
         "2 steps of writing are joined: from 4 to 5 words.",
         "BHQK"},
        /* what is said of the axes holds, and what the numbers say of it is told */
        {{{"attentions", 2, {4, 6}, TURNED}}, {.axes = "QK"}, "may be turned round", "QK"},
        {{{"attentions", 2, {4, 6}, TURNED}}, {0}, "taken for the queries", "KQ"},
        {{{"of_mine", 3, {2, 4, 4}, EVEN}}, {0}, NULL, "HQK"},
    };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        try(&files[f]);
    }
}

static void what_does_not_fit_is_refused_by_its_names(void **state)
{
    static const struct one_file files[] = {
        {{{"attentions_1", 3, {3, 4, 4}, EVEN}, {"attentions_01", 3, {3, 4, 4}, EVEN}},
         {0},
         "is there twice, as",
         NULL},
        {{{"attentions_0", 3, {3, 4, 4}, EVEN},
          {"attentions_1", 3, {3, 1, 5}, EVEN},
          {"attentions_3", 3, {3, 1, 7}, EVEN}},
         {0},
         "step 2 is missing",
         NULL},
        {{{"attentions", 3, {3, 4, 4}, EVEN}}, {.axes = "HQQ"}, "at most once", NULL},
        {{{"attentions", 3, {3, 4, 4}, EVEN}}, {.axes = "HQx"}, "each of L, B, H, Q and K", NULL},
        {{{"attentions", 3, {3, 4, 4}, EVEN}}, {.axes = "LBH"}, "must be among them", NULL},
        {{{"attentions", 3, {3, 4, 4}, EVEN}}, {.axes = "LHQ"}, "must be among them", NULL},
        {{{"attentions_0", 3, {3, 4, 4}, EVEN}, {"attentions_1", 3, {3, 4, 4}, EVEN}},
         {.axes = "LQK"},
         "no L where layers are arrays",
         NULL},
        {{{"q", 3, {3, 4, 8}, EVEN}}, {.reading = LAB_DUMP_AS_QUERIES}, "but no keys", NULL},
        {{{"q", 3, {3, 4, 8}, EVEN}, {"k", 3, {2, 4, 8}, EVEN}}, {0}, "do not fit together", NULL},
        {{{"q", 3, {3, 4, 8}, EVEN}, {"k", 3, {3, 4, 6}, EVEN}}, {0}, "do not fit together", NULL},
        {{{"q", 4, {2, 3, 4, 8}, EVEN}, {"k", 4, {1, 3, 4, 8}, EVEN}},
         {0},
         "do not fit together",
         NULL},
        {{{"q", 5, {2, 2, 3, 4, 8}, EVEN}, {"k", 5, {2, 1, 3, 4, 8}, EVEN}},
         {0},
         "do not fit together",
         NULL},
        {{{"q", 3, {3, 4, 8}, EVEN}, {"k", 3, {3, 6, 8}, EVEN}, {"v", 3, {3, 4, 8}, EVEN}},
         {0},
         "q and v do not fit together",
         NULL},
        {{{"q", 2, {4, 8}, EVEN}, {"far", 6, {1, 1, 1, 1, 4, 8}, EVEN}},
         {.array = "q", .keys = "far"},
         "say with --axes which axis is what",
         NULL},
        {{{"attentions", 4, {2, 10000, 2, 2}, EVEN}}, {0}, "at most 16384 heads", NULL},
        {{{"attentions", 4, {20000, 1, 2, 2}, EVEN}}, {0}, "at most 16384 heads", NULL},
        {{{"attentions", 3, {20000, 2, 2}, EVEN}}, {0}, "at most 16384 heads", NULL},
        {{{"attentions", 2, {5000, 1}, EVEN}}, {0}, "5000 queries", NULL},
        {{{"of_mine", 2, {2, 5000}, EVEN}}, {0}, "5000 keys", NULL},
        {{{"of_mine", 2, {1, 70000}, EVEN}}, {0}, "no attention in it", NULL},
        {{{"of_mine", 2, {5000, 2}, TURNED}}, {0}, "no attention in it", NULL},
        {{{"attentions", 2, {4, 4}, EVEN}}, {.batch = 1}, "one text", NULL},
        {{{"attentions", 5, {1, 2, 3, 4, 4}, EVEN}}, {.batch = 1}, "one text", NULL},
        {{{"attentions", 5, {2, 2, 3, 4, 4}, EVEN}}, {.batch = 2}, "--batch is 1 to 2", NULL},
        {{{"bias", 1, {4}, EVEN}}, {0}, "no attention in it, but bias (4)", NULL},
        {{{"attentions", 1, {4}, EVEN}}, {0}, "no attention in it", NULL},
        /* of many, those that fit, each whole */
        {{{"bias_of_the_first_of_all_layers", 1, {40000}, EVEN},
          {"bias_of_the_other_of_the_layers", 1, {40000}, EVEN},
          {"gain_of_the_norm_behind_those_two", 1, {40000}, EVEN}},
         {0},
         "of_the_layer (40000), ….",
         NULL},
    };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        try(&files[f]);
    }
}

/* ---- tokens --------------------------------------------------------------------------------- */

static const char tokens_path[] = "attention-of-one.tokens";

struct words_case {
    const char *notes;         /* in the file */
    const char *ids;           /* the name of an array of ids in it, or NULL */
    size_t many;               /* how many ids */
    const char *name, *beside; /* what stands in a file; its end */
    struct lab_dump_request request;
    const char *second; /* the word of the second row; NULL: refused */
    const char *says;
};

static const struct tensor weights = {"attentions", 2, {3, 3}, EVEN};

static void write_text(const char *to, const char *text)
{
    FILE *const file = fopen(to, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void try_words(const struct words_case *one)
{
    struct tensor tensors[2] = {weights, {one->ids, 1, {one->many}, IDS}};
    char beside[64] = "";
    struct error error = {ERROR_NONE, 0, ""};
    save(path, tensors, one->ids != NULL ? 2 : 1, one->notes);
    if (one->name != NULL) {
        snprintf(beside, sizeof beside, "%s%s", tokens_path, one->beside);
        write_text(beside, one->name);
    }
    struct lab_dump_request request = one->request;
    request.words = one->name != NULL ? beside : request.words;
    struct lab_dump *const dump = lab_dump_open(path, &request, &error);
    const char *const said = dump != NULL ? lab_dump_facts(dump)->doubt : error.text;
    if ((dump != NULL) != (one->second != NULL) ||
        (one->says != NULL && strstr(said, one->says) == NULL)) {
        fail_msg("\"%s\", where \"%s\" is meant", said, one->says != NULL ? one->says : "nothing");
    }
    if (dump != NULL) {
        assert_string_equal(lab_words_list(lab_dump_facts(dump)->queries)[1], one->second);
    }
    lab_dump_close(dump);
    unlink(path);
    if (one->name != NULL) {
        unlink(beside);
    }
}

static void tokens_are_found_in_the_file_or_named(void **state)
{
    static const struct words_case cases[] = {
        {.ids = "token_ids", .many = 3, .second = "2"},
        {.ids = "input_ids", .many = 3, .second = "2"},
        {.ids = "input_ids", .many = 4, .second = "2", .says = "holds 4 tokens for 3 rows"},
        {.ids = "mine", .many = 3, .request = {.inside = "mine"}, .second = "2"},
        {.ids = "mine", .many = 4, .request = {.inside = "mine"}, .says = "mine holds 4 tokens"},
        {.ids = "mine", .many = 5000, .request = {.inside = "mine"}, .says = "holds no tokens"},
        {.request = {.inside = "mine"}, .says = "mine holds no tokens"},
        {.notes = "\"tokens\":\"[\\\"a\\\", \\\"b\\\", 3]\"", .second = "b"},
        {.notes = "\"tokens\":\"a b c\"", .second = "b"},
        {.notes = "\"mine\":\"a b c\"", .request = {.inside = "mine"}, .second = "b"},
        {.notes = "\"mine\":\"\"", .request = {.inside = "mine"}, .says = "holds no tokens"},
        {.notes = "\"tokens\":\"a b c\"", .request = {.counted = true}, .second = "2"},
        {.name = "[\"a\", \"\", \"c\"]", .beside = ".json", .second = "\u00b7"},
        {.name = "[\"a\", \" \", \"c\"]", .beside = ".json", .second = "\u00b7"},
        {.name = "[\"a\", [], \"c\"]", .beside = ".json", .says = "holds no list of tokens"},
        {.name = "{\"words\": [\"a\"]}", .beside = ".json", .says = "holds no list of tokens"},
        {.name = "[\"a\", \"b\"", .beside = ".json", .says = "ine 1"},
        {.name = "a\nb\nc\nd\n", .beside = ".txt", .says = "holds 4 tokens, but there are 3 rows"},
        {.name = "a\nb c\nd\n", .beside = "", .second = "b c"},
        {.name = "a\r\nb c\r\nd\r\n", .beside = ".txt", .second = "b c"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        try_words(&cases[c]);
    }
}

/* What compute has written of a file beside it, under its name, is no list of words. */
static void numbers_beside_it_are_no_words(void **state)
{
    static const struct tensor array = {"weights", 3, {1, 3, 3}, EVEN};
    struct error error = {ERROR_NONE, 0, ""};
    (void)state;
    char beside[sizeof path + 8];
    snprintf(beside, sizeof beside, "%.*s.json", (int)(strrchr(path, '.') - path), path);
    save(path, &array, 1, NULL);
    FILE *const file = fopen(beside, "w");
    assert_non_null(file);
    assert_int_equal(fseek(file, LAB_DUMP_WORDS_BYTES_MAX, SEEK_SET), 0);
    assert_int_equal(fputs("]", file) >= 0 && fclose(file) == 0, true);
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_string_equal(lab_dump_facts(dump)->doubt, "");
    lab_dump_close(dump);
    unlink(beside);
    unlink(path);
}

/* Tokens have whole numbers: queries and keys of others are none, though they are called so. */
static void queries_and_keys_are_no_tokens(void **state)
{
    static const struct tensor both[] = {{"queries", 3, {1, 3, 4}, EVEN},
                                         {"keys", 3, {1, 3, 4}, EVEN}};
    struct error error = {ERROR_NONE, 0, ""};
    (void)state;
    save(path, both, 2, NULL);
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_string_equal(lab_dump_facts(dump)->doubt, "");
    assert_string_equal(lab_words_list(lab_dump_facts(dump)->queries)[1], "2");
    lab_dump_close(dump);
    unlink(path);
}

/* A file of tokens that lies beside is not asked for: if it is damaged, the rows are counted. */
static void damaged_tokens_beside_a_file_are_told(void **state)
{
    (void)state;
    static const char beside[] = "attention-of-one.tokens.json";
    struct error error = {ERROR_NONE, 0, ""};
    save(path, &weights, 1, NULL);
    write_text(beside, "[\"a\", \"b\"");
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_non_null(strstr(lab_dump_facts(dump)->doubt, "The tokens beside it: "));
    assert_string_equal(lab_words_list(lab_dump_facts(dump)->queries)[1], "2");
    lab_dump_close(dump);
    unlink(beside);
    unlink(path);
}

static void what_may_be_tokens_is_listed(void **state)
{
    (void)state;
    static const struct tensor tensors[] = {{"attentions", 2, {3, 3}, EVEN},
                                            {"ids", 2, {1, 3}, IDS},
                                            {"many", 1, {5000}, IDS},
                                            {"table", 3, {1, 1, 3}, IDS}};
    struct error error = {ERROR_NONE, 0, ""};
    size_t count = 0;
    save(path, tensors, 4, "\"words\":\"a b c\"");
    struct lab_dump *const dump = lab_dump_list(path, &error);
    assert_non_null(dump);
    const char *const *const names = lab_dump_texts(dump, &count);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "words");
    assert_string_equal(names[1], "ids");
    assert_ptr_equal(lab_dump_texts(dump, &count), names); /* once */
    lab_dump_close(dump);
    unlink(path);
}

/* The panel that asks about a file need not read it again. */
static void what_is_unclear_is_given_as_a_list(void **state)
{
    (void)state;
    static const struct tensor tensors[] = {{"one", 2, {3, 5}, IDS}, {"other", 3, {1, 2, 3}, IDS}};
    static const struct tensor clear = {"attentions", 2, {3, 3}, EVEN};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_dump *given = NULL;
    const struct lab_dump_request request = {.unclear = &given};
    save(path, tensors, 2, NULL);
    struct lab_dump *const list = lab_dump_list(path, &error);
    assert_non_null(list);
    assert_null(lab_dump_open(path, &request, &error));
    assert_int_equal(error.code, ERROR_UNCLEAR);
    assert_non_null(given);
    unlink(path);
    assert_int_equal(lab_dump_items(given), 2);
    assert_int_equal(lab_dump_items(list), 2);
    for (size_t i = 0; i < 2; i++) {
        const struct lab_dump_item one = lab_dump_item(list, i), other = lab_dump_item(given, i);
        assert_string_equal(one.name, other.name);
        assert_string_equal(one.shape, other.shape);
        assert_string_equal(one.axes, other.axes);
        assert_int_equal(one.reading, other.reading);
    }
    lab_dump_close(list);
    lab_dump_close(given);
    given = NULL;
    save(path, &clear, 1, NULL);
    struct lab_dump *const dump = lab_dump_open(path, &request, &error);
    assert_non_null(dump);
    assert_null(given);
    lab_dump_close(dump);
    assert_int_equal(truncate(path, 20), 0);
    assert_null(lab_dump_open(path, &request, &error));
    assert_null(given); /* it is damaged: nothing can be asked about it */
    unlink(path);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool give_up_at_once(void *owner, size_t done, size_t all)
{
    (void)all;
    *(size_t *)owner = done;
    return false;
}

static void rows_are_told_while_they_are_read_and_one_may_give_up(void **state)
{
    (void)state;
    static const struct tensor large = {"attentions", 2, {400, 400}, EVEN};
    struct error error = {ERROR_NONE, 0, ""};
    size_t told = 0;
    struct lab_dump_page page = {.on_rows = give_up_at_once, .owner = &told};
    struct lab_experiment experiment;
    save(path, &large, 1, NULL);
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_false(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    assert_int_equal(error.code, ERROR_NONE); /* no fault: it was wished */
    assert_true(told > 0 && told < 400);
    lab_dump_page_free(&page);
    lab_dump_close(dump);
    unlink(path);
}

static void values_are_used_and_a_number_that_is_none_is_named(void **state)
{
    (void)state;
    static const struct tensor tensors[] = {{"q", 3, {2, 4, 8}, EVEN},
                                            {"k", 3, {1, 4, 8}, EVEN},
                                            {"v", 3, {1, 4, 6}, EVEN}},
                               wrong[] = {{"attentions", 2, {3, 3}, NOT_A_NUMBER}};
    struct lab_dump_page page = {.holds = {NULL}};
    struct lab_experiment experiment;
    struct error error = {ERROR_NONE, 0, ""};
    save(path, tensors, 3, NULL);
    struct lab_dump *dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_true(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    struct lab_trace *const trace = trace_of(&experiment);
    assert_int_equal(lab_trace_part(trace, LAB_V, 1).cols, 6); /* of one head, shared by both */
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
    lab_dump_close(dump);

    save(path, wrong, 1, NULL);
    dump = lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_false(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    assert_non_null(strstr(error.text, "row 1, column 1 is nan: no weight is"));
    lab_dump_page_free(&page);
    lab_dump_close(dump);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_lie_in_many_ways),
        cmocka_unit_test(what_does_not_fit_is_refused_by_its_names),
        cmocka_unit_test(tokens_are_found_in_the_file_or_named),
        cmocka_unit_test(damaged_tokens_beside_a_file_are_told),
        cmocka_unit_test(queries_and_keys_are_no_tokens),
        cmocka_unit_test(numbers_beside_it_are_no_words),
        cmocka_unit_test(what_may_be_tokens_is_listed),
        cmocka_unit_test(what_is_unclear_is_given_as_a_list),
        cmocka_unit_test(rows_are_told_while_they_are_read_and_one_may_give_up),
        cmocka_unit_test(values_are_used_and_a_number_that_is_none_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

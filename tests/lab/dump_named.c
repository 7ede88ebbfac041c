/* What tokens beside attention tell: which axis is which, what has which name, which arrays are
 * steps. */
#include "tensors.h"

static const char path[] = "attention-with-tokens.safetensors";

struct named_file {
    struct tensor tensors[ARRAYS_MAX];
    const char *notes;
    struct lab_dump_request request;
    const char *reads;          /* axes, layers, heads, queries, keys: "BQHD 1 8 6 6" */
    const char *queries, *keys; /* their words, one behind the other; keys NULL: the same */
    const char *says;           /* what is doubted, or not used; NULL: nothing */
};

static void expect_words(const struct lab_words *words, const char *expected)
{
    char text[256] = "";
    for (size_t w = 0; w < lab_words_count(words); w++) {
        strncat(text, lab_words_list(words)[w], sizeof text - strlen(text) - 1);
    }
    assert_string_equal(text, expected);
}

static void try_named(const struct named_file *one)
{
    struct error error = {ERROR_NONE, 0, ""};
    save(path, one->tensors, used(one->tensors), one->notes);
    struct lab_dump *const dump = lab_dump_open(path, &one->request, &error);
    if (dump == NULL) {
        fail_msg("%s %s: %s", one->tensors[0].name, one->reads, error.text);
    }
    const struct lab_dump_facts *const facts = lab_dump_facts(dump);
    char said[1024];
    snprintf(said, sizeof said, "%s%s", facts->doubt, facts->unused);
    if (one->says == NULL ? said[0] != '\0' : strstr(said, one->says) == NULL) {
        fail_msg("%s %s: \"%s\", where \"%s\" is meant", one->tensors[0].name, facts->axes, said,
                 one->says != NULL ? one->says : "nothing");
    }
    char reads[64];
    snprintf(reads, sizeof reads, "%s %zu %zu %zu %zu", facts->axes, facts->layers, facts->heads,
             facts->n, facts->m);
    assert_string_equal(reads, one->reads);
    expect_words(facts->queries, one->queries);
    expect_words(facts->keys, one->keys == NULL ? one->queries : one->keys);
    lab_dump_close(dump);
    unlink(path);
}

static void try_all(const struct named_file *files, size_t count)
{
    for (size_t f = 0; f < count; f++) {
        try_named(&files[f]);
    }
}

#define TOKENS(name, list) "\"" name "\":\"[" list "]\""
#define A4 "\\\"a\\\",\\\"b\\\",\\\"c\\\",\\\"d\\\""
#define X6 "\\\"u\\\",\\\"v\\\",\\\"w\\\",\\\"x\\\",\\\"y\\\",\\\"z\\\""
#define E4 "\\\"e\\\",\\\"f\\\",\\\"g\\\",\\\"h\\\""
#define SEEN "all are taken as seen"

/* [B, n, H, d] and others: as many queries as there are tokens. */
static const struct named_file lengths[] = {
    {{{"q", 4, {1, 6, 8, 16}, EVEN},
      {"k", 4, {1, 6, 2, 16}, EVEN}}, /* no tokens, but shared keys */
     NULL,
     {0},
     "BQHD 1 8 6 6",
     "123456",
     NULL,
     "taken for BQHD: so heads share keys"},
    {{{"query", 4, {1, 6, 8, 16}, EVEN}, {"key", 4, {1, 6, 8, 16}, EVEN}},
     TOKENS("tokens", X6),
     {0},
     "BQHD 1 8 6 6",
     "uvwxyz",
     NULL,
     "taken for BQHD"},
    {{{"query", 4, {2, 6, 8, 16}, EVEN}, {"key", 4, {2, 6, 8, 16}, EVEN}},
     TOKENS("tokens", X6),
     {0},
     "LQHD 2 8 6 6",
     "uvwxyz",
     NULL,
     "taken for LQHD"},
    {{{"q", 3, {6, 8, 16}, EVEN}, {"k", 3, {6, 2, 16}, EVEN}, {"v", 3, {6, 2, 4}, EVEN}},
     TOKENS("tokens", X6),
     {0},
     "QHD 1 8 6 6",
     "uvwxyz",
     NULL,
     "Heads share keys"},
    {{{"q", 3, {8, 6, 16}, EVEN}, {"k", 3, {8, 6, 16}, EVEN}},
     TOKENS("tokens", X6),
     {0},
     "HQD 1 8 6 6",
     "uvwxyz",
     NULL,
     SEEN},
    {{{"q", 3, {6, 6, 16}, EVEN}, {"k", 3, {6, 6, 16}, EVEN}},
     TOKENS("tokens", X6),
     {0},
     "HQD 1 6 6 6",
     "uvwxyz",
     NULL,
     "as many heads as tokens"},
    {{{"q", 4, {1, 3, 8, 16}, EVEN}, {"k", 4, {1, 6, 8, 16}, EVEN}},
     TOKENS("context", X6),
     {0},
     "BQHD 1 8 3 6",
     "q1q2q3",
     "uvwxyz",
     "taken for BQHD"},
    {{{"layers.0.q", 3, {6, 8, 16}, EVEN},
      {"layers.0.k", 3, {6, 2, 16}, EVEN},
      {"layers.1.q", 3, {6, 8, 16}, EVEN},
      {"layers.1.k", 3, {6, 2, 16}, EVEN}},
     TOKENS("tokens", X6),
     {0},
     "QHD 2 8 6 6",
     "uvwxyz",
     NULL,
     "taken as hidden"},
    {{{"q", 4, {1, 6, 8, 16}, EVEN}, {"k", 4, {1, 6, 8, 16}, EVEN}},
     NULL,
     {.tokens = "a b c d e f"},
     "BQHD 1 8 6 6",
     "abcdef",
     NULL,
     "taken for BQHD"},
    {{{"attentions", 4, {1, 4, 3, 4}, EVEN}},
     TOKENS("tokens", A4),
     {0},
     "BQHK 1 3 4 4",
     "abcd",
     NULL,
     "taken for BQHK"},
    {{{"attentions", 4, {1, 4, 6, 3}, TURNED}},
     TOKENS("tokens", A4) "," TOKENS("context", X6),
     {0},
     "LQKH 1 3 4 6",
     "abcd",
     "uvwxyz",
     "taken for LQKH"},
    {{{"attentions", 4, {4, 4, 6, 6}, EVEN}}, /* not as many as tokens */
     TOKENS("tokens", A4),
     {0},
     "LHQK 4 4 6 6",
     "123456",
     NULL,
     "tokens (4, but there are 6"},
};

static void tokens_tell_which_axis_is_the_length(void **state)
{
    (void)state;
    try_all(lengths, sizeof lengths / sizeof *lengths);
}

/* Lists of texts × tokens are those of the text that is shown. */
static const struct named_file several[] = {
    {{{"attentions", 3, {2, 4, 4}, EVEN}},
     TOKENS("tokens", "[" A4 "],[" E4 "]"),
     {0},
     "BQK 1 1 4 4",
     "abcd",
     NULL,
     "Text 1 of 2"},
    {{{"attentions", 3, {2, 4, 4}, EVEN}},
     TOKENS("tokens", "[" A4 "],[" E4 "]"),
     {.batch = 1},
     "BQK 1 1 4 4",
     "efgh",
     NULL,
     "Text 2 of 2"},
    {{{"attentions", 4, {2, 3, 4, 4}, EVEN}, {"input_ids", 2, {2, 4}, IDS}},
     NULL,
     {.batch = 1},
     "BHQK 1 3 4 4",
     "5678",
     NULL,
     "taken for BHQK"},
    {{{"attentions", 5, {3, 2, 3, 4, 4}, EVEN}, {"input_ids", 2, {2, 4}, IDS}},
     NULL,
     {.batch = 1},
     "LBHQK 3 3 4 4",
     "5678",
     NULL,
     "Text 2 of 2"},
    {{{"attentions_0", 4, {2, 3, 4, 4}, EVEN},
      {"attentions_1", 4, {2, 3, 4, 4}, EVEN},
      {"input_ids", 2, {2, 4}, IDS}},
     NULL,
     {.batch = 1},
     "BHQK 2 3 4 4",
     "5678",
     NULL,
     "Text 2 of 2"},
    {{{"attentions", 2, {2, 4}, EVEN}},
     TOKENS("tokens", "[" A4 "],[" E4 "]"),
     {.batch = 1},
     "BK 1 1 1 4",
     "q1",
     "efgh",
     "taken for BK"},
    {{{"attentions", 4, {1, 3, 4, 4}, EVEN}, {"input_ids", 2, {1, 4}, IDS}},
     NULL,
     {0},
     "LHQK 1 3 4 4",
     "1234",
     NULL,
     NULL},
    {{{"attentions", 4, {1, 3, 4, 4}, EVEN}, {"input_ids", 2, {2, 4}, IDS}},
     NULL,
     {0},
     "LHQK 1 3 4 4",
     "1234",
     NULL,
     "input_ids (2 \u00d7 4, but there are 4 rows and 4 columns)"},
    {{{"attentions", 4, {2, 3, 4, 4}, EVEN}}, /* of the second text there are too few */
     TOKENS("tokens", "[" A4 "],[\\\"e\\\"]"),
     {.batch = 1},
     "BHQK 1 3 4 4",
     "1234",
     NULL,
     "tokens (1, but there are 4"},
};

static void tokens_of_several_texts_tell_which_axis_counts_them(void **state)
{
    (void)state;
    try_all(several, sizeof several / sizeof *several);
}

static const struct named_file lists[] = {
    {{{"attention", 3, {2, 3, 4}, EVEN}},
     TOKENS("tokens", A4),
     {0},
     "LHK 2 3 1 4",
     "q1",
     "abcd",
     "taken for LHK"},
    {{{"attention", 2, {4, 4}, EVEN}},
     TOKENS("x_labels", A4) "," TOKENS("y_labels", E4),
     {0},
     "QK 1 1 4 4",
     "efgh",
     "abcd",
     NULL},
    {{{"attention", 2, {1, 4}, EVEN}}, TOKENS("tokens", A4), {0}, "QK 1 1 1 4", "q1", "abcd", NULL},
    {{{"attention", 1, {4}, EVEN}},
     TOKENS("tokens", A4),
     {0},
     "K 1 1 1 4",
     "q1",
     "abcd",
     "taken for K"},
    {{{"attention", 2, {3, 4}, EVEN}},
     TOKENS("tokens", A4),
     {0},
     "HK 1 3 1 4",
     "q1",
     "abcd",
     "taken for HK"},
    {{{"attention", 2, {3, 4}, EVEN}},
     TOKENS("tokens", A4),
     {.axes = "QK"},
     "QK 1 1 3 4",
     "q1q2q3",
     "abcd",
     NULL},
    {{{"attention", 2, {3, 4}, EVEN}}, /* whoever calls them context has other queries */
     TOKENS("context", A4),
     {0},
     "QK 1 1 3 4",
     "q1q2q3",
     "abcd",
     NULL},
    {{{"cross_attentions", 2, {3, 4}, EVEN}},
     TOKENS("tokens", A4),
     {0},
     "QK 1 1 3 4",
     "q1q2q3",
     "abcd",
     NULL},
    {{{"attention", 2, {1, 4}, EVEN}, {"input_ids", 2, {1, 4}, IDS}},
     NULL,
     {0},
     "QK 1 1 1 4",
     "q1",
     "1234",
     NULL},
    {{{"attention", 4, {2, 3, 1, 4}, EVEN}},
     TOKENS("tokens", A4),
     {0},
     "LHQK 2 3 1 4",
     "q1",
     "abcd",
     NULL},
    {{{"attention", 2, {4, 4}, EVEN}}, TOKENS("words", A4), {0}, "QK 1 1 4 4", "abcd", NULL, NULL},
    {{{"attention", 2, {4, 4}, EVEN}}, TOKENS("labels", A4), {0}, "QK 1 1 4 4", "abcd", NULL, NULL},
    {{{"attention", 2, {4, 4}, EVEN}},
     TOKENS("anything", A4),
     {0},
     "QK 1 1 4 4",
     "abcd",
     NULL,
     NULL},
    {{{"attention", 2, {4, 4}, EVEN}, {"labels", 1, {4}, IDS}}, /* numbers are no names */
     NULL,
     {0},
     "QK 1 1 4 4",
     "1234",
     NULL,
     "labels (4)"},
    {{{"attention", 2, {4, 6}, EVEN}},
     TOKENS("left", A4) "," TOKENS("right", X6),
     {0},
     "QK 1 1 4 6",
     "abcd",
     "uvwxyz",
     NULL},
    {{{"attention", 2, {1, 4}, EVEN}},
     NULL,
     {.tokens = "a b c d"},
     "QK 1 1 1 4",
     "q1",
     "abcd",
     NULL},
    {{{"attention", 2, {4, 4}, EVEN}},
     TOKENS("tokens", A4) "," TOKENS("words", E4) "," TOKENS("names", X6),
     {0},
     "QK 1 1 4 4",
     "abcd",
     NULL,
     "words (4, other names are used), names (6, but there are 4 rows and 4 columns)"},
};

static void a_list_names_what_is_as_long(void **state)
{
    (void)state;
    try_all(lists, sizeof lists / sizeof *lists);
}

/* What a query sees is never taken in silence. */
static void what_queries_see_is_said_where_names_do_not(void **state)
{
    static const struct {
        const char *q, *k;
        size_t groups;
        bool causal;
        const char *says;
    } cases[] = {
        {"layers.0.q", "layers.0.k", 4, false, SEEN},
        {"layers.0.q", "layers.0.k", 2, true, "Heads share keys, as in models that look back"},
        {"model.layers.0.self_attn.q", "model.layers.0.self_attn.k", 4, true, "taken as hidden"},
        {"transformer.h.0.attn.q", "transformer.h.0.attn.k", 4, true, "taken as hidden"},
        {"encoder.layer.0.q", "encoder.layer.0.k", 4, false, ""},
        {"decoder.layers.0.q", "decoder.layers.0.k", 4, true, "taken as hidden"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct tensor tensors[] = {{cases[c].q, 3, {4, 5, 8}, EVEN},
                                         {cases[c].k, 3, {cases[c].groups, 5, 8}, EVEN}};
        struct error error = {ERROR_NONE, 0, ""};
        save(path, tensors, 2, NULL);
        struct lab_dump *const dump =
            lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
        assert_string_equal(error.text, "");
        assert_int_equal(lab_dump_facts(dump)->causal, cases[c].causal);
        if (strstr(lab_dump_facts(dump)->doubt, cases[c].says) == NULL ||
            (cases[c].says[0] == '\0' && lab_dump_facts(dump)->doubt[0] != '\0')) {
            fail_msg("%s: \"%s\"", cases[c].q, lab_dump_facts(dump)->doubt);
        }
        lab_dump_close(dump);
        unlink(path);
    }
}

/* As jax.tree_util.keystr writes the places of a tree. */
#define FLAX(layer) "['intermediates']['layers_" layer "']['attn']['attention_weights'][0]"
static const struct named_file flax[] = {
    {{{FLAX("0"), 4, {1, 3, 4, 4}, EVEN}, {FLAX("1"), 4, {1, 3, 4, 4}, EVEN}},
     NULL,
     {0},
     "BHQK 2 3 4 4",
     "1234",
     NULL,
     NULL},
    {{{FLAX("0"), 4, {1, 3, 4, 4}, EVEN}, {FLAX("1"), 4, {1, 3, 4, 4}, EVEN}},
     NULL,
     {.array = FLAX("#")},
     "BHQK 2 3 4 4",
     "1234",
     NULL,
     NULL},
    {{{FLAX("0"), 4, {1, 3, 4, 4}, EVEN}, {FLAX("1"), 4, {1, 3, 4, 4}, EVEN}},
     NULL,
     {.array = FLAX("1")},
     "BHQK 1 3 4 4",
     "1234",
     NULL,
     FLAX("#") " (1 \u00d7 3"},
};

static void names_of_flax_hold_layers_and_places_of_tuples(void **state)
{
    (void)state;
    try_all(flax, sizeof flax / sizeof *flax);
}

/* cross_attentions_STEP_LAYER and its kind: two layers, three steps. */
#define STEPS(a, b, c, d, e, f)                                                                    \
    {                                                                                              \
        {a, 4, {1, 3, 1, 6}, EVEN}, {b, 4, {1, 3, 1, 6}, EVEN}, {c, 4, {1, 3, 1, 6}, EVEN},        \
            {d, 4, {1, 3, 1, 6}, EVEN}, {e, 4, {1, 3, 1, 6}, EVEN},                                \
        {                                                                                          \
            f, 4, {1, 3, 1, 6}, EVEN                                                               \
        }                                                                                          \
    }
static const struct named_file steps[] = {
    {STEPS("cross_attentions_0_0", "cross_attentions_0_1", "cross_attentions_1_0",
           "cross_attentions_1_1", "cross_attentions_2_0", "cross_attentions_2_1"),
     TOKENS("tokens", X6),
     {0},
     "BHQK 2 3 3 6",
     "q1q2q3",
     "uvwxyz",
     "3 steps of writing"},
    {STEPS("cross_attentions[0][0]", "cross_attentions[0][1]", "cross_attentions[1][0]",
           "cross_attentions[1][1]", "cross_attentions[2][0]", "cross_attentions[2][1]"),
     NULL,
     {0},
     "BHQK 2 3 3 6",
     "q1q2q3",
     "k1k2k3k4k5k6",
     "3 steps of writing"},
    {STEPS("layer_0.cross_attn.step_0", "layer_0.cross_attn.step_1", "layer_0.cross_attn.step_2",
           "layer_1.cross_attn.step_0", "layer_1.cross_attn.step_1", "layer_1.cross_attn.step_2"),
     NULL,
     {0},
     "BHQK 2 3 3 6",
     "q1q2q3",
     "k1k2k3k4k5k6",
     "3 steps of writing"},
    {STEPS("cross_attentions_0", "cross_attentions_1", "cross_attentions_2", "cross_attentions_3",
           "cross_attentions_4", "cross_attentions_5"),
     "\"decoder_tokens\":\"a b c\"",
     {0},
     "BHQK 2 3 3 6",
     "abc",
     "k1k2k3k4k5k6",
     "3 steps of writing"},
    {STEPS("cross_attentions_0", "cross_attentions_1", "cross_attentions_2", "cross_attentions_3",
           "cross_attentions_4", "cross_attentions_5"),
     NULL,
     {0},
     "BHQK 6 3 1 6",
     "q1",
     "k1k2k3k4k5k6",
     NULL}, /* layers, then */
    {STEPS("decoder.layers.0.cross_attn", "decoder.layers.1.cross_attn",
           "decoder.layers.2.cross_attn", "decoder.layers.3.cross_attn",
           "decoder.layers.4.cross_attn", "decoder.layers.5.cross_attn"),
     NULL,
     {0},
     "BHQK 6 3 1 6",
     "q1",
     "k1k2k3k4k5k6",
     NULL},
    {{{"cross_attentions_0", 5, {2, 1, 3, 2, 6}, EVEN},
      {"cross_attentions_1", 5, {2, 1, 3, 1, 6}, EVEN}},
     NULL,
     {.axes = "LBHQK"},
     "LBHQK 2 3 3 6",
     "q1q2q3",
     "k1k2k3k4k5k6",
     "2 steps of writing"},
    {{{"cross_attentions", 6, {3, 2, 1, 3, 1, 6}, EVEN}},
     NULL,
     {0},
     "QLBH1K 2 3 3 6",
     "q1q2q3",
     "k1k2k3k4k5k6",
     "taken for QLBH1K"},
    /* without a cache all rows come anew each time */
    {{{"cross_attentions_0_0", 4, {1, 3, 1, 6}, EVEN},
      {"cross_attentions_0_1", 4, {1, 3, 1, 6}, EVEN},
      {"cross_attentions_1_0", 4, {1, 3, 2, 6}, EVEN},
      {"cross_attentions_1_1", 4, {1, 3, 2, 6}, EVEN}},
     NULL,
     {0},
     "BHQK 2 3 2 6",
     "q1q2",
     "k1k2k3k4k5k6",
     "the last one is shown"},
    {{{"decoder_attentions_0_0", 4, {1, 3, 2, 2}, EVEN},
      {"decoder_attentions_1_0", 4, {1, 3, 3, 3}, EVEN},
      {"cross_attentions_0_0", 4, {1, 3, 2, 6}, EVEN},
      {"cross_attentions_1_0", 4, {1, 3, 3, 6}, EVEN}},
     NULL,
     {.array = "cross_attentions_#"},
     "BHQK 1 3 3 6",
     "q1q2q3",
     "k1k2k3k4k5k6",
     "the last one is shown"},
};

static void steps_that_look_at_another_text_alone_are_joined(void **state)
{
    (void)state;
    try_all(steps, sizeof steps / sizeof *steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_tell_which_axis_is_the_length),
        cmocka_unit_test(tokens_of_several_texts_tell_which_axis_counts_them),
        cmocka_unit_test(a_list_names_what_is_as_long),
        cmocka_unit_test(what_queries_see_is_said_where_names_do_not),
        cmocka_unit_test(names_of_flax_hold_layers_and_places_of_tuples),
        cmocka_unit_test(steps_that_look_at_another_text_alone_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

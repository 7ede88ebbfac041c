/* Files of attention given to the calls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "file/json.h"
#include "file/npz.h"
#include "stand.h"

/* `CALL FILE OPTIONS` */
static const char *with_file(struct stand *stand, const char *call, const char *name,
                             const char *options)
{
    return arena_format(&stand->arena, "%s '%s/%s' %s", call, getenv("ATTNSCOPE_DUMPS"), name,
                        options);
}

static void put_text(struct stand *stand, const char *name, const char *text)
{
    const struct bytes content = {(const uint8_t *)text, strlen(text)};
    assert_true(file_write(stand_path(stand, name), content, NULL));
}

static void info_says_what_a_file_holds(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_file(stand, "info", "half.npz", ""));
    static const char *const says[] = {
        "weights of 2 layers, 3 heads, 4 queries \u00d7 4 keys",
        "attentions (2 \u00d7 3 \u00d7 4 \u00d7 4), float16, axes LHQK",
        "the array tokens: The cat s\u00e4t"};
    for (size_t s = 0; s < sizeof says / sizeof says[0]; s++) {
        assert_non_null(strstr(stand->output, says[s]));
    }
    stand_call(stand, with_file(stand, "info", "queries.safetensors", "--json"));
    assert_non_null(strstr(stand->output, "\"content\": \"queries and keys\""));
    assert_non_null(strstr(stand->output, "\"array\": \"blocks.#.attn.hook_q\""));
    stand_call(stand, with_file(stand, "info", "wrong_nothing.npz", "")); /* arrays all the same */
    assert_non_null(strstr(stand->output, "W_Q"));
    assert_non_null(
        strstr(stand->output, "  wrong_nothing.npz: there is no attention in it, but W_Q"));
}

/* It is named, and hides nothing beside it. */
static void what_is_of_a_type_that_is_not_read_is_left_out(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *file, *says[4];
    } files[] = {
        {"beside.safetensors",
         {"weights of 2 layers, 3 heads, 4 queries",
          "not used: w (F8_E4M3 is not read), x (F8_E5M2 is not read)",
          "F8_E4M3   2 \u00d7 3, which is not read", "F8_E5M2   8, which is not read"}},
        {"beside.npz",
         {"the array tokens: The cat",
          "wave (complex64 is not read), records (records is not read), half (V2",
          "complex64  2 \u00d7 3, which is not read", "records   2, which is not read"}},
    };
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        stand_call(stand, with_file(stand, "info", files[f].file, ""));
        for (size_t s = 0; s < 4; s++) {
            if (strstr(stand->output, files[f].says[s]) == NULL) {
                fail_msg("“%s” is not in %s", files[f].says[s], stand->output);
            }
        }
        stand_call(stand, with_file(stand, "info", files[f].file, "--json"));
        assert_non_null(strstr(stand->output, "\"unread\": [\n    {\"name\": \"w"));
        stand_call(stand,
                   with_file(stand, "compute", files[f].file, "--head L1H2 --quiet -o one.npz"));
    }
    stand_refused(stand, with_file(stand, "compute", "beside.npz", "--array wave"), 1,
                  "wave is of type complex64, which is not read: save it as float32.");
    stand_refused(stand, with_file(stand, "compute", "wrong_complex.npz", ""), 1,
                  "attentions is of type complex64, which is not read: save it as float32.");
}

/* A model with fused attention gives such arrays. */
static void attention_that_is_none_is_told_by_what_helps(void **state)
{
    struct stand *const stand = *state;
    stand_refused(stand, with_file(stand, "compute", "wrong_none.npz", ""), 1,
                  "attentions holds nothing: load the model with attn_implementation=\"eager\"");
    stand_refused(stand, with_file(stand, "compute", "wrong_hollow.npz", ""), 1,
                  "attentions holds nothing: load the model with attn_implementation=\"eager\"");
    stand_call(stand, with_file(stand, "info", "none_beside.npz", ""));
    assert_non_null(strstr(stand->output, "not used: hidden_states (None is not read)"));
    put_text(stand, "none.json", "{\"attentions\": [null, null], \"tokens\": [\"a\", \"b\"]}");
    stand_refused(stand, "compute none.json", 1,
                  "attentions holds nothing: load the model with attn_implementation=\"eager\"");
}

/* As json.dump writes it; a file of several texts is none. */
static void json_is_read_like_other_files(void **state)
{
    struct stand *const stand = *state;
    struct array weights;
    struct error error = {ERROR_NONE, 0, ""};
    put_text(stand, "a.json",
             "{\"tokens\": [\"the\", \"cat\"], \"attention\": [[[1.0, 0.0], [0.25, 0.75]]]}");
    stand_call(stand, "info a.json");
    assert_non_null(strstr(stand->output, "a.json: attention (json)"));
    assert_non_null(strstr(stand->output, "the array tokens: the cat"));
    stand_call(stand, "compute a.json -o a.npz");
    assert_true(
        npz_read_one(stand_content(stand, "a.npz"), "weights", &stand->arena, &weights, &error));
    assert_true(array_number(&weights, 3) == 0.75);
    stand_call(stand, "render a.json --figure --head L0H0 -o a.svg");
    put_text(stand, "b.json",
             "{\"attention\": [[1, 0], [0, 1]]}\n{\"attention\": [[1, 0], [0, 1]]}\n");
    stand_refused(stand, "info b.json", 1, "It holds several objects, one a line or in a list");
}

/* Also of a model that cannot be computed: this one has no embeddings. */
static void info_lists_keys_and_tensors_of_a_gguf(void **state)
{
    struct stand *const stand = *state;
    static const char *const says[] = {"the tensor token_embd.weight is missing.",
                                       "a.uint64 = 9223372036854775809\n",
                                       "a.int8 = -100\n",
                                       "a.text = \"größer\"\n",
                                       "a.truth = true\n",
                                       "b.numbers = 3 int32: 3 -4 5\n",
                                       "b.texts = 3 string: \"one\" \"\" \"three\"\n",
                                       "Q4_K      1 × 512\n"};
    stand_call(stand, with_file(stand, "info", "../../file/gguf/kinds.gguf", ""));
    for (size_t s = 0; s < sizeof says / sizeof says[0]; s++) {
        if (strstr(stand->output, says[s]) == NULL) {
            fail_msg("“%s” is not in %s", says[s], stand->output);
        }
    }
    stand_call(stand, with_file(stand, "info", "../../file/gguf/kinds.gguf", "--json"));
    struct json *const tree =
        json_parse((struct bytes){(const uint8_t *)stand->output, strlen(stand->output)}, NULL);
    const struct json *const keys = json_member(tree, "keys");
    int64_t number = 0;
    assert_true(json_whole_number(json_member(keys, "a.int64"), &number));
    assert_true(number == -4611686018427387905);
    assert_int_equal(json_count(json_member(tree, "arrays")), 16);
    json_release(tree);
}

static void compute_prints_tokens_weights_and_measures(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_file(stand, "compute", "cross.npz", "-o out.npz"));
    const struct bytes file = stand_content(stand, "out.npz");
    struct array weights, first;
    assert_true(npz_read_one(file, "weights", &stand->arena, &weights, NULL));
    assert_true(npz_read_one(file, "first", &stand->arena, &first, NULL));
    assert_int_equal(weights.rank, 4);
    assert_int_equal(weights.shape[0] * 1000 + weights.shape[1] * 100 + weights.shape[2] * 10 +
                         weights.shape[3],
                     2346);
    assert_int_equal(first.shape[0] * 10 + first.shape[1], 23);
    for (size_t h = 0; h < 6; h++) { /* the measure is that of these weights */
        double sum = 0;
        for (size_t i = 1; i < 4; i++) {
            sum += array_number(&weights, (h * 4 + i) * 6);
        }
        assert_true(fabs(sum / 3 - array_number(&first, h)) < 1e-6);
    }
    stand_call(stand, with_file(stand, "compute", "cross.npz", "--select entropy"));
    assert_non_null(strstr(stand->output, "\"context\": [\"a\", \"b\""));
    assert_null(strstr(stand->output, "\"weights\":"));
}

static void one_array_alone_is_the_weights(void **state)
{
    struct stand *const stand = *state;
    static const char *const formats[] = {"latex",   "tikz",     "numpy", "tabs",
                                          "bmatrix", "markdown", "html"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const char *const bare = arena_format(&stand->arena, "--head L1H1 --format %s", formats[f]);
        stand_call(stand, with_file(stand, "compute", "cross.npz", bare));
        const char *const text = arena_format(&stand->arena, "%s", stand->output);
        stand_call(stand, with_file(stand, "compute", "cross.npz",
                                    arena_format(&stand->arena, "%s --select weights", bare)));
        assert_true(text[0] != '\0');
        assert_string_equal(text, stand->output);
    }
    stand_refused(stand,
                  with_file(stand, "compute", "cross.npz", "--select weights,entropy -o w.npy"), 2,
                  "one array");
}

static void what_names_do_not_tell_is_told_by_options(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_file(stand, "compute", "foreign.npz",
                                "--array heads_of_mine --axes QLKH --tokens-array wordlist "
                                "--quiet --select weights --format npz -o foreign.out.npz"));
    stand_call(stand, with_file(stand, "compute", "half.npz",
                                "--select weights --format npz -o half.out.npz"));
    struct array said, named;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(npz_read_one(stand_content(stand, "foreign.out.npz"), "weights", &stand->arena,
                             &said, &error));
    assert_true(npz_read_one(stand_content(stand, "half.out.npz"), "weights", &stand->arena, &named,
                             &error));
    assert_int_equal(array_count(&said), array_count(&named));
    for (size_t i = 0; i < array_count(&said); i++) { /* the same weights, in halves and singles */
        assert_true(fabs(array_number(&said, i) - array_number(&named, i)) < 1e-3);
    }
    stand_call(stand,
               with_file(stand, "describe", "rows.npz", "--array left --keys-array right --quiet"));
    stand_refused(stand, with_file(stand, "describe", "rows.npz", "--array left --reading queries"),
                  1, "there are queries, but no keys");
    static const char *const of_models[] = {"--ids 1",        "--text-pair b", "--target b",
                                            "--target-ids 1", "--generate 2",  "--special off",
                                            "--chat on",      "--text a"};
    for (size_t o = 0; o < sizeof of_models / sizeof *of_models; o++) {
        stand_refused(stand, with_file(stand, "compute", "tuple.npz", of_models[o]), 2,
                      "does not go with a file of attention");
    }
    stand_refused(stand, with_file(stand, "info", "rows.npz", "--array left --axes LHQQ"), 1,
                  "at most once");
}

/* In one line, by whatever call. */
static void what_is_used_of_a_file_is_said(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *file, *info, *others;
    } cases[] = {
        {"half.npz", "  arrays      used: attentions, tokens\n", ""},
        {"foreign.npz", "  arrays      used: heads_of_mine, wordlist; not used: other (4)\n",
         "attnscope: foreign.npz: used: heads_of_mine, wordlist; not used: other (4).\n"},
        {"pair.npz",
         "  arrays      used: decoder_attentions, decoder_tokens; not used: encoder_attentions (2 "
         "\u00d7 3 \u00d7 6 \u00d7 6), cross_attentions (2 \u00d7 3 \u00d7 4 \u00d7 6), tokens (6, "
         "but "
         "there are 4 rows and 4 columns)\n",
         "attnscope: pair.npz: used: decoder_attentions, decoder_tokens; not used: "
         "encoder_attentions (2 \u00d7 3 \u00d7 6 \u00d7 6), cross_attentions (2 \u00d7 3 \u00d7 4 "
         "\u00d7 "
         "6), tokens (6, but there are 4 rows and 4 columns).\n"},
    };
    static const char text[] =
        "{\"attention\": [[1, 0], [0.5, 0.5]], \"tokens\": [\"the\", \"cat\"], "
        "\"text\": \"the cat\", \"model\": \"bert\"}";
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(file_write(stand_path(stand, "texts.json"),
                           (struct bytes){(const uint8_t *)text, sizeof text - 1}, &error));
    stand_call(stand, "info texts.json");
    assert_non_null(strstr(stand->output, "used: attention, tokens; not used: text, model\n"));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *const foreign =
            strcmp(cases[c].file, "foreign.npz") == 0 ? "--array heads_of_mine --axes QLKH" : "";
        stand_call(stand, with_file(stand, "info", cases[c].file, foreign));
        if (strstr(stand->output, cases[c].info) == NULL) {
            fail_msg("“%s” is not in %s", cases[c].info, stand->output);
        }
        stand_call(stand, with_file(stand, "info", cases[c].file,
                                    arena_format(&stand->arena, "--json %s", foreign)));
        assert_non_null(strstr(stand->output, "\"used\": "));
        static const char *const calls[] = {"compute", "render"};
        for (size_t call = 0; call < 2; call++) {
            const char *const options = arena_format(
                &stand->arena, "%s %s", foreign,
                call == 0 ? "--select weights -o w.npz" : "--head 1 --layer 1 --figure -o w.svg");
            stand_run(stand, with_file(stand, calls[call], cases[c].file, options));
            assert_int_equal(stand->status, 0);
            assert_string_equal(stand->complaint, cases[c].others);
        }
    }
}

/* Where nobody chose a head, the call says which one is drawn, and how to choose. */
static void the_head_that_is_drawn_is_named(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *options, *says;
    } cases[] = {
        {"", "attnscope: half.npz: Head 1 of 3 in layer 1 of 2 is drawn; --head and --layer choose "
             "another.\n"},
        {"--layer 2", "attnscope: half.npz: Head 1 of 3 is drawn; --head chooses another.\n"},
        {"--head 2", ""},
        {"--head L0H2", ""},
        {"--view heads", "attnscope: half.npz: Layer 1 of 2 is drawn; --layer chooses another.\n"},
        {"--view heads --layer 2", ""},
        {"--view heads --layer 2 --lines",
         "attnscope: half.npz: Head 1 of 3 is drawn; --head chooses another.\n"},
        {"--quiet", ""},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *const options = arena_format(
            &stand->arena, "--figure %s%s -o half.svg",
            strstr(cases[c].options, "--view") != NULL ? "" : "--view matrix ", cases[c].options);
        stand_run(stand, with_file(stand, "render", "half.npz", options));
        assert_int_equal(stand->status, 0);
        assert_string_equal(stand->complaint, cases[c].says);
    }
    stand_run(stand, with_file(stand, "render", "half.npz", "--figure --all-heads -o h{head}.svg"));
    assert_string_equal(stand->complaint, "attnscope: half.npz: Layer 1 of 2 is drawn; --layer "
                                          "chooses another.\n");
}

static void every_layer_and_head_is_drawn_under_its_name(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_file(stand, "render", "tuple.npz",
                                "--all-layers --all-heads --view head -o 'L{layer}H{head}.svg'"));
    struct bytes former = {NULL, 0};
    for (size_t l = 1; l <= 2; l++) {
        for (size_t h = 1; h <= 3; h++) {
            const struct bytes file =
                stand_content(stand, arena_format(&stand->arena, "L%zuH%zu.svg", l, h));
            assert_true(file.size != former.size || memcmp(file.at, former.at, file.size) != 0);
            former = file;
        }
    }
    stand_call(stand,
               with_file(stand, "render", "tuple.npz", "--head L1H2 --view head -o alone.svg"));
    const struct bytes alone = stand_content(stand, "alone.svg");
    assert_int_equal(alone.size, former.size);
    assert_memory_equal(alone.at, former.at, alone.size);
    stand_refused(stand, with_file(stand, "render", "tuple.npz", "--all-layers -o a.svg"), 2,
                  "put {layer} into \"a.svg\"");
}

static void what_cannot_be_is_said(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *file, *options, *says;
        int status;
    } wrong[] = {
        {"wrong_uneven.npz", "", "attentions_1 is 3 \u00d7 3 \u00d7 4, but attentions_0", 1},
        {"wrong_axes.npy", "", "--axes", 1},
        {"half.npz", "--text 'a b c d'", "--tokens and --text-file", 2},
        {"half.npz", "--array nothing", "no array \"nothing\"", 1},
        {"half.npz", "--axes LHQQ", "at most once", 1},
        {"queries.safetensors", "--keys-array nothing", "no array \"nothing\"", 1},
        {"half.npz", "--batch 2", "there is one text in it", 1},
        {"half.npz", "--layer 3", "There are 2 layers", 2},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        stand_refused(stand, with_file(stand, "describe", wrong[w].file, wrong[w].options),
                      wrong[w].status, wrong[w].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(info_says_what_a_file_holds),
        STAND(what_is_of_a_type_that_is_not_read_is_left_out),
        STAND(attention_that_is_none_is_told_by_what_helps),
        STAND(json_is_read_like_other_files),
        STAND(info_lists_keys_and_tensors_of_a_gguf),
        STAND(compute_prints_tokens_weights_and_measures),
        STAND(one_array_alone_is_the_weights),
        STAND(what_names_do_not_tell_is_told_by_options),
        STAND(what_is_used_of_a_file_is_said),
        STAND(the_head_that_is_drawn_is_named),
        STAND(every_layer_and_head_is_drawn_under_its_name),
        STAND(what_cannot_be_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The folder of a model given to the calls: what it prints is what the reference expects. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "file/json.h"
#include "file/npz.h"
#include "stand.h"

/* `CALL FOLDER OPTIONS` */
static const char *with_folder(struct stand *stand, const char *call, const char *options)
{
    return arena_format(&stand->arena, "%s '%s' %s", call, getenv("ATTNSCOPE_TINY"), options);
}

static const char *with_fixture(struct stand *stand, const char *call, const char *name)
{
    return arena_format(&stand->arena, "%s '%s/../fixtures/%s'", call, getenv("ATTNSCOPE_TINY"),
                        name);
}

static struct array array_in(struct stand *stand, struct bytes file, const char *name)
{
    struct array array;
    struct error error = {ERROR_NONE, 0, ""};
    if (!npz_read_one(file, name, &stand->arena, &array, &error)) {
        fail_msg("%s: %s", name, error.text);
    }
    return array;
}

/* Every measure of heads is that of the same weights in a file of attention. */
static void measures_of_a_model_are_those_of_its_weights(void **state)
{
    static const char *const names[] = {"previous",  "first",   "same",
                                        "induction", "entropy", "distance"};
    struct stand *const stand = *state;
    const char *const ids = "--ids '3 5 7 3 5 7 2' -o";
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++) {
        const char *const name = names[m];
        stand_call(stand, arena_format(&stand->arena, "%s %s file.npz",
                                       with_fixture(stand, "compute", "llama3"), ids));
        stand_call(stand,
                   arena_format(&stand->arena,
                                "compute file.npz --quiet --select %s -o of_file.npz", name));
        stand_call(stand, arena_format(&stand->arena, "%s --select %s %s of_model.npz",
                                       with_fixture(stand, "compute", "llama3"), name, ids));
        const struct array file = array_in(stand, stand_content(stand, "of_file.npz"), name);
        const struct array model = array_in(stand, stand_content(stand, "of_model.npz"), name);
        assert_int_equal(model.rank, 2);
        assert_int_equal(array_count(&model), array_count(&file));
        for (size_t h = 0; h < array_count(&model); h++) {
            assert_true(fabs(array_number(&model, h) - array_number(&file, h)) < 1e-6);
        }
    }
    stand_call(stand, arena_format(&stand->arena, "%s --select induction --head L1H1 %s one.npz",
                                   with_fixture(stand, "compute", "llama3"), ids));
    const struct array one = array_in(stand, stand_content(stand, "one.npz"), "induction");
    assert_int_equal(array_count(&one), 1);
}

/* concat · W_O + b_O is the output, and X's queries are made by W_Q. */
static void weights_of_a_layer_make_its_results(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_folder(stand, "compute",
                                  "--text 'the cat sat' --layer 2 "
                                  "--select W_Q,W_K,W_V,W_O,b_Q,b_K,b_V,b_O,concat,output "
                                  "-o out.npz"));
    const struct bytes file = stand_content(stand, "out.npz");
    const struct array w = array_in(stand, file, "W_O"), b = array_in(stand, file, "b_O");
    const struct array z = array_in(stand, file, "concat"), o = array_in(stand, file, "output");
    assert_int_equal(array_in(stand, file, "W_Q").rank, 3);
    const size_t wide = w.shape[0], width = w.shape[1];
    for (size_t p = 0; p < array_count(&o); p++) {
        double sum = array_number(&b, p % width);
        for (size_t k = 0; k < wide; k++) {
            sum += array_number(&z, p / width * wide + k) * array_number(&w, k * width + p % width);
        }
        assert_true(fabs(sum - array_number(&o, p)) < 1e-4);
    }
    stand_refused(stand,
                  arena_format(&stand->arena, "%s --ids '3 5' --layer 1 --select b_Q",
                               with_fixture(stand, "compute", "llama3")),
                  2, "Layer 1 of this model has no b_Q.");
    stand_refused(stand,
                  arena_format(&stand->arena, "%s --ids '3 5' --layer 1 --select W_K",
                               with_fixture(stand, "compute", "deepseek-v3")),
                  2, "Layer 1 of this model has no W_K.");
    stand_refused(stand,
                  arena_format(&stand->arena, "%s --ids '3 5' --layer 1 --select output",
                               with_fixture(stand, "compute", "qwen3")),
                  2, "output is a step of this layer’s block: --select block has it.");
}

static void info_lists_the_mix_of_types(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_fixture(stand, "info", "gpt-oss-mxfp4"));
    assert_non_null(strstr(stand->output, "numbers stored as MXFP4 (85 %), float16 (15 %)\n"));
    stand_call(stand, with_fixture(stand, "info", "llama2"));
    assert_non_null(strstr(stand->output, "numbers stored as float16\n"));
    stand_call(stand, arena_format(&stand->arena, "%s --json",
                                   with_fixture(stand, "info", "gpt-oss-mxfp4")));
    assert_non_null(strstr(stand->output, "\"MXFP4\": 24576"));
}

/* The file has an MLP because the format needs one; the model has none. */
static void a_model_without_an_mlp_shows_none(void **state)
{
    struct stand *const stand = *state;
    for (int mlp = 0; mlp < 2; mlp++) {
        for (int family = 0; family < 2; family++) {
            stand_call(stand, arena_format(&stand->arena,
                                           "train --task induction --steps 1 --family %s --mlp %s "
                                           "--quiet -o made%d%d",
                                           family == 0 ? "gpt2" : "llama", mlp ? "on" : "off", mlp,
                                           family));
            stand_call(stand, arena_format(&stand->arena, "info made%d%d", mlp, family));
            assert_int_equal(strstr(stand->output, "no MLP") == NULL, mlp);
            stand_call(stand,
                       arena_format(&stand->arena, "describe made%d%d --ids '3 5 7' --stage block",
                                    mlp, family));
            assert_int_equal(strstr(stand->output, "neuron") != NULL, mlp);
            assert_non_null(strstr(stand->output, mlp ? "· W_down" : "(x + o)"));
        }
    }
}

static void compute_prints_what_the_reference_expects(void **state)
{
    struct stand *const stand = *state;
    static const char *const names[] = {"residual", "logits", "Q",      "K",     "V",
                                        "scores",   "Z",      "concat", "output"};
    struct bytes expected;
    const char *const path =
        arena_format(&stand->arena, "%s/expected.npz", getenv("ATTNSCOPE_TINY"));
    assert_true(file_read(path, 1 << 24, &stand->arena, &expected, NULL));
    stand_call(stand, with_folder(stand, "compute",
                                  "--text 'the cat sat on the mat.' --layer 2 -o out.npz"));
    const struct bytes file = stand_content(stand, "out.npz");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct array wanted = array_in(stand, expected, names[i]);
        const struct array found = array_in(stand, file, names[i]);
        assert_int_equal(found.rank, wanted.rank);
        for (size_t axis = 0; axis < wanted.rank; axis++) {
            assert_int_equal(found.shape[axis], wanted.shape[axis]);
        }
        for (size_t p = 0; p < array_count(&wanted); p++) {
            const double off = array_number(&found, p) - array_number(&wanted, p);
            assert_true(fabs(off) < 2e-4);
        }
    }
    const struct array of_layer = array_in(stand, file, "weights");
    stand_call(stand, with_folder(stand, "compute", "--text 'the cat sat on the mat.' -o all.npz"));
    const struct array of_all = array_in(stand, stand_content(stand, "all.npz"), "weights");
    const struct array wanted_weights = array_in(stand, expected, "weights");
    assert_int_equal(of_all.rank, 4);
    assert_int_equal(of_layer.rank, 3); /* --layer picks it */
    const size_t all = array_count(&of_all), one = array_count(&of_layer);
    assert_int_equal(all, array_count(&wanted_weights));
    assert_int_equal(all, 2 * one);
    for (size_t p = 0; p < all; p++) {
        const double wanted = array_number(&wanted_weights, p);
        assert_true(fabs(array_number(&of_all, p) - wanted) < 2e-4);
        assert_true(p < one || fabs(array_number(&of_layer, p - one) - wanted) < 2e-4);
    }
    const struct array ids = array_in(stand, file, "token_ids");
    const struct array wanted_ids = array_in(stand, expected, "ids");
    assert_int_equal(array_count(&ids), array_count(&wanted_ids));
    for (size_t p = 0; p < array_count(&ids); p++) {
        assert_true(array_number(&ids, p) == array_number(&wanted_ids, p));
    }
}

static void layers_behind_the_one_that_is_asked_for_are_not_computed(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *options, *says;
    } calls[] = {
        {"--layer 1 --select scores", "1 of 2 layers computed"},
        {"--layer 1 --select weights", "1 of 2 layers computed"},
        {"--layer 2 --select scores", "2 of 2 layers computed"},
        {"--head L0H1 --select weights", "1 of 2 layers computed"},
        {"--head L1H0 --select weights", "2 of 2 layers computed"},
        {"--select token_ids", "1 of 2 layers computed"},
        {"--select weights", "2 of 2 layers computed"},
        {"--layer 1 --select residual", "2 of 2 layers computed"},
        {"--layer 1 --select logits", "2 of 2 layers computed"},
        {"--layer 1 --select scores --generate 1", "2 of 2 layers computed"},
    };
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        stand_run(stand, with_folder(stand, "compute",
                                     arena_format(&stand->arena, "--text 'the cat' --verbose %s",
                                                  calls[c].options)));
        assert_int_equal(stand->status, 0);
        if (strstr(stand->complaint, calls[c].says) == NULL) {
            fail_msg("%s: %s", calls[c].options, stand->complaint);
        }
    }
}

static void json_names_tokens_settings_and_what_was_selected(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand,
               with_folder(stand, "compute", "--tokens 'the cat' --select token_ids,weights"));
    struct json *const json =
        json_parse((struct bytes){(const uint8_t *)stand->output, stand->output_size}, NULL);
    const char *token = NULL;
    int64_t layers = 0;
    assert_true(json_text(json_element(json_member(json, "tokens"), 1), &token));
    assert_string_equal(token, "␣cat");
    assert_true(json_whole_number(json_member(json_member(json, "settings"), "layers"), &layers));
    assert_int_equal(layers, 2);
    assert_int_equal(json_count(json_member(json, "weights")), 2);
    assert_null(json_member(json, "logits"));
    json_release(json);
}

static void info_and_describe_know_the_model(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_folder(stand, "info", ""));
    assert_non_null(strstr(stand->output, "2 layers of 2 heads, d_model 12"));
    assert_non_null(strstr(stand->output, "12 × 36"));
    stand_call(stand, with_folder(stand, "info", "--json"));
    assert_non_null(strstr(stand->output, "\"kind\": \"model\""));
    stand_call(stand, with_fixture(stand, "info", "mixtral"));
    assert_non_null(strstr(stand->output, "2 heads (1 of keys and values), "));
    assert_non_null(strstr(stand->output, "4 experts, 2 for each word, MLP 12 (silu)"));
    stand_call(stand, with_fixture(stand, "info", "gpt-oss"));
    assert_non_null(strstr(stand->output, "MLP 12 (silu, factor 1.702, clamped at 7)"));
    stand_call(stand, with_fixture(stand, "info", "t5"));
    assert_non_null(strstr(stand->output, "\n  31 tokens, "));
    assert_null(strstr(stand->output, "16777216"));
    stand_call(stand, with_fixture(stand, "info --json", "t5"));
    assert_null(strstr(stand->output, "\"positions\""));
    stand_call(stand, with_folder(stand, "describe",
                                  "--text 'the cat' --head L1H1 --stage softmax --query 2"));
    assert_non_null(strstr(stand->output, "L1H1"));
    assert_non_null(strstr(stand->output, "␣cat"));
    stand_call(stand, with_folder(stand, "describe", "--text 'the cat' --stage score --query cat"));
    assert_non_null(strstr(stand->output, "score( ␣cat → ")); /* without the mark of its space */
}

/* A classifier, and the text part of a model that sees: what is not computed is named, by info and
 * in one line beside the numbers. */
static void what_is_left_out_is_named(void **state)
{
    struct stand *const stand = *state;
    static const char seen[] = "Its text part is computed, without pictures or sound.\n";
    static const char told[] = "It has no head that gives words. Left out: score_a (1 tensor).";
    assert_int_equal(
        stand_other(stand, "cp -r \"$ATTNSCOPE_TINY/../fixtures/llama2\" ranks && cd ranks && "
                           "LC_ALL=C sed -i s/lm_head.weight/score_a.weight/ model.safetensors && "
                           "sed -i s/ForCausalLM/ForSequenceClassification/ config.json"),
        0);
    stand_call(stand, "info ranks");
    assert_non_null(strstr(stand->output, told));
    stand_call(stand, "info ranks --json");
    assert_non_null(strstr(stand->output, "\"gives_words\": false"));
    assert_non_null(strstr(stand->output, "{\"name\": \"score_a\", \"tensors\": 1}"));
    stand_run(stand, "compute ranks --ids '3 5 7' -o ranks.npz");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(stand->complaint, told));
    stand_call(stand, "compute ranks --ids '3 5 7' -o ranks.npz --quiet");
    stand_run(stand, "render ranks --ids '3 5 7' -o ranks.svg");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(stand->complaint, told));
    stand_run(stand, "compute ranks --ids '3 5 7' --select logits -o ranks.npz --quiet");
    assert_int_equal(stand->status, 2);
    assert_non_null(strstr(stand->complaint, "This model has no logits"));
    assert_int_equal(stand_other(stand,
                                 "cp -r \"$ATTNSCOPE_TINY/../fixtures/llama2\" sees && cd sees && "
                                 "mv config.json inner && { printf '{\"model_type\":\"llava\","
                                 "\"text_config\":'; cat inner; printf '}'; } >config.json"),
                     0);
    stand_call(stand, "info sees");
    assert_non_null(strstr(stand->output, seen));
}

static void describe_says_whose_tokens_are_the_chat_templates(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(
        stand_other(stand, "cp -r \"$ATTNSCOPE_TINY\" chat && printf '%s' '{\"chat_template\": "
                           "\"[INST] {{ content }} [/INST]\"}' >chat/tokenizer_config.json"),
        0);
    stand_call(stand, "describe chat --text 'the cat sat' --chat on --layer 2 --stage score");
    assert_non_null(strstr(stand->output, "Layer 2 of 2 (L1), stage 3 of 7 of its attention, "));
    assert_non_null(strstr(stand->output, ", weights of the model; "));
    assert_non_null(strstr(stand->output, " The text is a message in the model's chat template "
                                          "(mistral): 14 of 17 tokens are the template's."));
    stand_call(stand, "describe chat --text 'the cat sat'");
    assert_null(strstr(stand->output, "chat template"));
}

/* The picture of the window is what the window shows of it: all heads beside the chosen one, and
 * what may come next. */
static void a_picture_of_the_window_has_all_heads(void **state)
{
    struct stand *const stand = *state;
    static const char *const shows[] = {">All heads at a glance<", ">Next word<",
                                        ">L1H0 · Softmax<"};
    stand_call(stand, with_folder(stand, "render",
                                  "--tokens 'the cat sat' --view window --stage softmax --layer 2 "
                                  "--size 1440x900 -o w.svg"));
    const char *const picture = (const char *)stand_content(stand, "w.svg").at;
    for (size_t s = 0; s < sizeof shows / sizeof *shows; s++) {
        assert_non_null(strstr(picture, shows[s]));
    }
    stand_call(stand, with_folder(stand, "render",
                                  "--tokens 'the cat sat' --view window --stage block "
                                  "--size 1440x900 -o b.svg"));
    assert_non_null(
        strstr((const char *)stand_content(stand, "b.svg").at, "Block around attention"));
}

static void a_layer_is_drawn(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_folder(stand, "render", "--tokens 'the cat sat' --layer 2 -o a.svg"));
    const struct bytes picture = stand_content(stand, "a.svg");
    assert_non_null(strstr((const char *)picture.at, "␣sat"));
}

static void what_cannot_be_is_said(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *call, *options, *says;
    } cases[] = {
        {"compute", "", "A model needs a text"},
        {"compute", "--text ''", "The text is empty"},
        {"compute", "--text a --layer 3", "There are 2 layers"},
        {"compute", "--text a --select Q", "Q is a result of one layer"},
        {"compute", "--text a --select attention", "A model has no result “attention”"},
        {"describe", "--text a --layer 1 --head L1H0", "they name two layers"},
        {"describe", "--text a --head L1H2", "L1H0 to L1H1"},
        {"describe", "--text a --lesson cats", "Either --lesson or the folder"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stand_refused(stand, with_folder(stand, cases[c].call, cases[c].options), 2, cases[c].says);
    }
    stand_refused(stand, "compute --text 'a b'", 2, "for the folder of a model");
    stand_refused(stand, "info .", 1, "is a folder without config.json");
}

/* Members that mean nothing are named by info, and on standard error where the model is used. */
static void members_that_mean_nothing_are_named(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {"compute", "render", "describe"};
    static const char *const options[] = {"-o x.npz", "-o x.svg", ""};
    stand_call(stand, with_fixture(stand, "info", "llama-others"));
    assert_non_null(strstr(
        stand->output,
        "  Members of its configuration that mean nothing here: attn_logit_softcapping, d_kv, "));
    stand_call(stand, with_fixture(stand, "info --json", "llama-others"));
    assert_non_null(strstr(stand->output, "\"ignored\": [\"attn_logit_softcapping\", \"d_kv\", "));
    stand_call(stand, with_fixture(stand, "info", "bert"));
    assert_null(strstr(stand->output, "mean nothing"));
    stand_call(stand, with_fixture(stand, "info", "../../../assets/models/small-world"));
    assert_null(strstr(stand->output, "mean nothing")); /* nor in what `train` writes */
    stand_call(stand, with_fixture(stand, "info --json", "bert"));
    assert_non_null(strstr(stand->output, "\"ignored\": []"));
    for (size_t c = 0; c < 2 * sizeof calls / sizeof *calls; c++) {
        const bool quiet = c % 2 == 1;
        const char *const call = arena_format(&stand->arena, "%s --ids '3 4' %s %s", calls[c / 2],
                                              options[c / 2], quiet ? "--quiet" : "");
        stand_run(stand, with_fixture(stand, call, "llama-others"));
        assert_int_equal(stand->status, 0);
        if ((strstr(stand->complaint, "mean nothing here: attn_logit_softcapping, ") == NULL) !=
            quiet) {
            fail_msg("%s: “%s”", call, stand->complaint);
        }
        stand_run(stand, with_fixture(stand, call, "bert"));
        assert_null(strstr(stand->complaint, "mean nothing"));
    }
}

/* A BERT that looks back only writes on; an encoder alone has no words to write. */
static void what_a_model_writes_follows_from_what_it_sees(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_fixture(stand, "compute --ids '3 4' --generate 2 --select token_ids",
                                   "bert-decoder"));
    assert_non_null(strstr(stand->output, "\"mask\": \"causal\""));
    assert_non_null(strstr(stand->output, "\"token_ids\": [3, 4, 20, 22]"));
    stand_call(stand, with_fixture(stand, "compute --ids '3 4' --select weights", "bert"));
    assert_non_null(strstr(stand->output, "\"mask\": \"none\""));
    stand_refused(stand, with_fixture(stand, "compute --ids 3 --generate 1", "bert"), 2,
                  "this one fills in masked words");
    stand_refused(stand, with_fixture(stand, "compute --ids 3 --generate 1", "t5-encoder"), 2,
                  "no weights that give next words");
    stand_refused(stand, with_fixture(stand, "compute --ids 3 --select logits", "t5-encoder"), 2,
                  "no logits");
}

/* A GGUF's own names are told, and what it says. */
static void what_a_gguf_has_wrong_is_said_as_it_has_it(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        uint8_t heads;
        const char *says;
    } cases[] = {
        {0, "llama.attention.head_count must be a number from 1 to "},
        {3, "llama.attention.head_count 3 does not divide llama.embedding_length 8."},
    };
    static const char key[] = "llama.attention.head_count", length[] = "llama.attention.key_length";
    const char *const path =
        arena_format(&stand->arena, "%s/../fixtures/llama3/model.gguf", getenv("ATTNSCOPE_TINY"));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct bytes file;
        assert_true(file_read(path, 1 << 24, &stand->arena, &file, NULL));
        uint8_t *const own = arena_array(&stand->arena, file.size, 1);
        memcpy(own, file.at, file.size);
        own[bytes_find(file, 0, key) + sizeof key - 1 + 4] = cases[c].heads; /* behind its type */
        const size_t other = bytes_find(file, 0, length);
        if (other < file.size) {
            own[other] = 'x'; /* another key, which says nothing */
        }
        FILE *const out = fopen(stand_path(stand, "wrong.gguf"), "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(own, 1, file.size, out), file.size);
        assert_int_equal(fclose(out), 0);
        stand_refused(stand, "compute wrong.gguf --ids '1 5 7' -o x.npz", 1, cases[c].says);
    }
}

/* Of a model of two texts: heads of either, and between them. */
static void sides_of_two_texts_are_drawn_and_told(void **state)
{
    struct stand *const stand = *state;
    const char *const model =
        arena_format(&stand->arena, "'%s/../fixtures/t5'", getenv("ATTNSCOPE_TINY"));
    const char *const of =
        arena_format(&stand->arena, "%s --tokens 'the cat' --target 'le chat est'", model);
    stand_call(stand, arena_format(&stand->arena, "describe %s --heads-of cross", of));
    assert_non_null(strstr(stand->output, "They attend to 3 others: “the”, “cat” and “</s>”."));
    stand_call(stand, arena_format(&stand->arena, "describe %s --heads-of encoder", of));
    assert_non_null(strstr(stand->output, "3 tokens"));
    stand_call(stand, arena_format(&stand->arena,
                                   "render %s --heads-of cross --view glance -o a.svg", of));
    assert_non_null(strstr((const char *)stand_content(stand, "a.svg").at, "<image"));
    stand_refused(stand, with_folder(stand, "describe", "--text a --heads-of cross"), 2,
                  "--heads-of is for models that read one text");
}

/* YaRN makes queries and keys longer at every place, the first too: nothing “stays” there. */
static void a_first_place_that_is_made_longer_is_not_said_to_stay(void **state)
{
    struct stand *const stand = *state;
    for (size_t query = 1; query <= 3; query += 2) {
        stand_call(stand, arena_format(&stand->arena,
                                       "render '%s/../fixtures/llama-yarn' --ids '1 5 7' --query "
                                       "%zu --stage project --view window --text text -o a.svg",
                                       getenv("ATTNSCOPE_TINY"), query));
        const struct bytes svg = stand_content(stand, "a.svg");
        const char *const text = arena_text(&stand->arena, (const char *)svg.at, svg.size);
        assert_non_null(strstr(text, "1.139 times")); /* 0.1 · ln 4 + 1 */
    }
}

/* DeepSeek turns a part of each query only; the first numbers are the rest. */
static void a_number_that_does_not_turn_is_not_called_turned(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, arena_format(&stand->arena,
                                   "render '%s/../fixtures/deepseek-v2-lite' --ids '1 5 7' --stage "
                                   "project --view window --text text -o a.svg",
                                   getenv("ATTNSCOPE_TINY")));
    const struct bytes svg = stand_content(stand, "a.svg");
    const char *const text = arena_text(&stand->arena, (const char *)svg.at, svg.size);
    assert_non_null(strstr(text, "does not turn: it stays as it was"));
    assert_null(strstr(text, "turned by the word"));
}

static double read_attribute(const char *element, const char *name)
{
    const char *const at = strstr(element, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* The first key is in the first column: what lies on a thin column at the edge hides it. */
static void a_frame_covers_no_cell_of_a_head(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, with_folder(stand, "render",
                                  "--tokens 'Once upon a time' --view glance --figure "
                                  "--size 85mm -o a.svg"));
    const struct bytes svg = stand_content(stand, "a.svg");
    const char *at = arena_text(&stand->arena, (const char *)svg.at, svg.size);
    for (size_t image = 0; image < 4; image++) { /* two layers of two heads, then the bar */
        at = strstr(at, "<image");
        assert_non_null(at);
        const char *const frame = strstr(at, "<rect");
        assert_non_null(frame);
        const double half = read_attribute(frame, " stroke-width=\"") / 2, almost = 0.01;
        static const char *const from[] = {" x=\"", " y=\""}, *const size[] = {" width=\"",
                                                                               " height=\""};
        for (size_t a = 0; a < 2; a++) {
            const double first = read_attribute(at, from[a]), edge = read_attribute(frame, from[a]);
            assert_true(edge + half <= first + almost);
            assert_true(edge + read_attribute(frame, size[a]) - half >=
                        first + read_attribute(at, size[a]) - almost);
        }
        at++;
    }
}

/* All heads of the model in one picture, the same each time; nothing else has any. */
static void all_heads_are_drawn_at_a_head_overview(void **state)
{
    struct stand *const stand = *state;
    const char *const options = "--tokens 'Once upon a time' --view glance --size 668x640 -o";
    stand_call(stand,
               with_folder(stand, "render", arena_format(&stand->arena, "%s a.svg", options)));
    stand_call(stand,
               with_folder(stand, "render", arena_format(&stand->arena, "%s b.svg", options)));
    const struct bytes a = stand_content(stand, "a.svg"), b = stand_content(stand, "b.svg");
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.at, b.at, a.size);
    const char *at = arena_text(&stand->arena, (const char *)a.at, a.size);
    size_t images = 0;
    while ((at = strstr(at, "<image")) != NULL) {
        images++;
        at++;
    }
    assert_int_equal(images, 4); /* two layers of two heads */
    stand_refused(stand, "render --lesson cats --view glance -o c.svg", 2, "the folder of a model");
}

/* Which head is selected is seen of a head overview, and is not without marks. */
static void without_marks_no_head_stands_out(void **state)
{
    struct stand *const stand = *state;
    static const char *const pictures[] = {"--head 1 -o 1.svg", "--head 2 --layer 2 -o 2.svg"};
    const char *const call = with_folder(stand, "render",
                                         "--tokens 'Once upon' --view glance --size 668x640 "
                                         "--metadata off");
    for (size_t p = 0; p < sizeof pictures / sizeof *pictures; p++) {
        stand_call(stand, arena_format(&stand->arena, "%s %s", call, pictures[p]));
    }
    assert_int_not_equal(stand_other(stand, "cmp -s 1.svg 2.svg"), 0);
    stand_refused(stand, arena_format(&stand->arena, "%s --marks off --head 1 -o 3.svg", call), 2,
                  "--head changes nothing with --marks off");
}

/* Ids need no tokenizer: one of unknown parts is in the way of texts only. */
/* A GGUF of the first years does not say by which pattern a text is cut, or says “default”; one
 * that does is believed. */
static void tokens_that_may_be_wrong_are_said_to_be(void **state)
{
    struct stand *const stand = *state;
    static const char doubt[] = "The file does not say by which pattern a text is cut "
                                "(tokenizer.ggml.pre)";
    static const struct {
        const char *change; /* of the file, in as many bytes */
        bool doubtful;
    } files[] = {{"s/default/default/", true},
                 {"s/tokenizer.ggml.pre/tokenizer.ggml.prx/", true},
                 {"s/default/exaone4/", false}};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        assert_int_equal(
            stand_other(stand,
                        arena_format(&stand->arena, "sed '%s' '%s/../tokenizers/old.gguf' >a.gguf",
                                     files[f].change, getenv("ATTNSCOPE_TINY"))),
            0);
        static const char *const calls[] = {
            "compute a.gguf --text 'a cat' -o a.npz",
            "render a.gguf --tokens 'a cat' --size 800x600 -o a.svg"};
        for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
            stand_run(stand, calls[c]);
            assert_int_equal(stand->status, 0);
            assert_int_equal(strstr(stand->complaint, doubt) != NULL, files[f].doubtful);
        }
        static const char *const quiet[] = {"info a.gguf", "info a.gguf --json"};
        for (size_t c = 0; c < sizeof quiet / sizeof quiet[0]; c++) {
            stand_call(stand, quiet[c]);
            assert_int_equal(strstr(stand->output, doubt) != NULL, files[f].doubtful);
        }
    }
}

static void a_tokenizer_that_cannot_be_read_leaves_the_ids(void **state)
{
    struct stand *const stand = *state;
    static const char why[] = "tokenizer.json: its pre_tokenizer UnicodeScripts is not known here.";
    assert_int_equal(
        stand_other(stand, arena_format(&stand->arena,
                                        "cp -r '%s/../fixtures/llama3' strange && printf '%%s' "
                                        "'{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}},"
                                        "\"pre_tokenizer\":{\"type\":\"UnicodeScripts\"}}' "
                                        ">strange/tokenizer.json && "
                                        "cp -r '%s/../fixtures/llama3' plain",
                                        getenv("ATTNSCOPE_TINY"), getenv("ATTNSCOPE_TINY"))),
        0);
    stand_call(stand, "compute strange --ids '1 5 7' --generate 2 -o strange.npz");
    stand_call(stand, "compute plain --ids '1 5 7' --generate 2 -o plain.npz");
    assert_int_equal(stand_other(stand, "cmp strange.npz plain.npz"), 0);
    stand_call(stand, "info strange");
    assert_non_null(
        strstr(stand->output, arena_format(&stand->arena, "takes --ids, no text: %s", why)));
    static const char *const calls[] = {"compute strange --text 'the cat'", "compute strange",
                                        "compute strange --text cat --chat on",
                                        "render strange --tokens 'the cat' -o x.png"};
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        stand_refused(
            stand, calls[c], 1,
            arena_format(&stand->arena, "%s --ids takes numbers of tokens instead.", why));
    }
}

/* Whoever names the weights means the model, but for info, which says what is in the file. */
static void weights_of_a_model_open_its_folder(void **state)
{
    struct stand *const stand = *state;
    static const char *const same[] = {"shards/model.safetensors",
                                       "shards/model.safetensors.index.json",
                                       "shards/model-00001-of-00002.safetensors"};
    assert_int_equal(
        stand_other(stand, arena_format(&stand->arena,
                                        "cp -r '%s/../fixtures/llama3' shards && "
                                        "cp shards/model.safetensors alone.safetensors && "
                                        "cp shards/model.safetensors "
                                        "shards/model-00001-of-00002.safetensors && "
                                        "echo '{}' >shards/model.safetensors.index.json && "
                                        "cp shards/model.safetensors shards/model-x.safetensors",
                                        getenv("ATTNSCOPE_TINY"))),
        0);
    stand_call(stand, "compute shards --ids '1 5 7' -o folder.npz");
    for (size_t s = 0; s < sizeof same / sizeof same[0]; s++) {
        stand_call(stand,
                   arena_format(&stand->arena, "compute %s --ids '1 5 7' -o file.npz", same[s]));
        assert_int_equal(stand_other(stand, "cmp folder.npz file.npz"), 0);
    }
    stand_call(stand, "info shards/model.safetensors");
    assert_non_null(strstr(stand->output, "tensors of safetensors"));
    static const char *const others[] = {"alone.safetensors", "shards/model-x.safetensors"};
    for (size_t o = 0; o < 2; o++) {
        stand_refused(stand, arena_format(&stand->arena, "compute %s -o x.npz", others[o]), 1,
                      "there is no attention in it");
    }
}

/* A folder of Ollama's with a model of that name, whose blob is the GGUF of a fixture. */
static void put_in_ollama(struct stand *stand, const char *name)
{
    const char *const lines = arena_format(
        &stand->arena,
        "d=ollama/manifests/registry.ollama.ai/library/%s; mkdir -p $d ollama/blobs && "
        "cp '%s/../fixtures/llama3/model.gguf' "
        "ollama/blobs/sha256-abababababababababababababababababababababababababababababababab && "
        "printf '{\"layers\":[{\"mediaType\":\"application/vnd.ollama.image.model\","
        "\"digest\":\"sha256:abababababababababababababababababababababababababababababababab\"}]}'"
        " > $d/2b",
        name, getenv("ATTNSCOPE_TINY"));
    assert_int_equal(stand_other(stand, lines), 0);
}

static void a_model_is_named_as_it_is_listed(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(setenv("OLLAMA_MODELS", "ollama", 1), 0);
    put_in_ollama(stand, "tiny");
    stand_run(stand, "models");
    assert_non_null(strstr(stand->output, "tiny:2b (Ollama)"));
    assert_non_null(strstr(stand->output, "attnscope --lesson real-heads\n"));
    stand_run(stand, "info tiny:2b");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(
        stand->output, "sha256-abababababababababababababababababababababababababababababababab"));
    stand_call(stand, "compute tiny:2b --ids '1 5 7' -o named.npz");
    stand_call(
        stand,
        "compute "
        "ollama/blobs/sha256-abababababababababababababababababababababababababababababababab "
        "--ids '1 5 7' -o path.npz");
    assert_int_equal(stand_other(stand, "cmp named.npz path.npz"), 0);
    stand_refused(stand, "compute tiny --ids '1 5 7' -o x.npz", 2, "a model is called tiny:2b");
    stand_refused(stand, "compute tiny:3b --ids '1 5 7' -o x.npz", 1, "cannot be opened");
    assert_int_equal(unsetenv("OLLAMA_MODELS"), 0);
}

/* 20 MB that nobody asks for, in each file of JSON that a folder may have: 7 million values, which
 * would take 300 MB. */
static void what_nobody_asks_for_takes_no_memory(void **state)
{
    struct stand *const stand = *state;
    static const char *const rows[] = {
        "sed -i '$ s/}[^}]*$//' junk/config.json && { printf ', \"junk\": ['; many; printf '0]}'; "
        "} "
        ">> junk/config.json",
        "sed -i '$ s/}[^}]*$//' junk/config.json && { printf ', \"junk\": {\"deep\": ['; many; "
        "printf '0]}}'; } >> junk/config.json",
        "{ printf '{\"junk\": ['; many; printf '0], \"tokenizer_class\": \"GPT2Tokenizer\"}'; } > "
        "junk/tokenizer_config.json",
        "{ printf '{\"junk\": ['; many; printf '0]}'; } > junk/special_tokens_map.json",
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        assert_int_equal(
            stand_other(stand, arena_format(&stand->arena,
                                            "many() { yes 10, | head -7000000 | tr -d '\\n'; }; rm "
                                            "-rf junk; cp -R \"$ATTNSCOPE_TINY\" junk; %s",
                                            rows[r])),
            0);
        /* Under a sanitizer it does not even begin. */
        assert_int_equal(
            stand_other(stand, "(ulimit -v 230000 && \"$ATTNSCOPE_BINARY\" --version > version) 2> "
                               "none || exit 0; ulimit -v 230000; \"$ATTNSCOPE_BINARY\" compute "
                               "junk --text 'one two' --select logits --threads 1 > many 2> told"),
            0);
    }
    assert_int_equal(stand_other(stand, "rm -rf junk"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(a_model_is_named_as_it_is_listed),
        STAND(a_tokenizer_that_cannot_be_read_leaves_the_ids),
        STAND(tokens_that_may_be_wrong_are_said_to_be),
        STAND(weights_of_a_model_open_its_folder),
        STAND(measures_of_a_model_are_those_of_its_weights),
        STAND(weights_of_a_layer_make_its_results),
        STAND(info_lists_the_mix_of_types),
        STAND(a_model_without_an_mlp_shows_none),
        STAND(compute_prints_what_the_reference_expects),
        STAND(layers_behind_the_one_that_is_asked_for_are_not_computed),
        STAND(json_names_tokens_settings_and_what_was_selected),
        STAND(info_and_describe_know_the_model),
        STAND(what_is_left_out_is_named),
        STAND(describe_says_whose_tokens_are_the_chat_templates),
        STAND(a_layer_is_drawn),
        STAND(a_picture_of_the_window_has_all_heads),
        STAND(a_frame_covers_no_cell_of_a_head),
        STAND(all_heads_are_drawn_at_a_head_overview),
        STAND(without_marks_no_head_stands_out),
        STAND(sides_of_two_texts_are_drawn_and_told),
        STAND(a_first_place_that_is_made_longer_is_not_said_to_stay),
        STAND(a_number_that_does_not_turn_is_not_called_turned),
        STAND(what_cannot_be_is_said),
        STAND(members_that_mean_nothing_are_named),
        STAND(what_a_model_writes_follows_from_what_it_sees),
        STAND(what_nobody_asks_for_takes_no_memory),
        STAND(what_a_gguf_has_wrong_is_said_as_it_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The program as people call it: what it prints, what it says when it cannot, and its exit status.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "file/json.h"
#include "file/npy.h"
#include "file/npz.h"
#include "stand.h"

static struct json *json_of(struct stand *stand)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct json *const json =
        json_parse((struct bytes){(const uint8_t *)stand->output, stand->output_size}, &error);
    if (json == NULL) {
        fail_msg("%s", error.text);
    }
    return json;
}

static struct array array_of(struct stand *stand, const struct json *json, const char *name)
{
    struct array array;
    struct error error = {ERROR_NONE, 0, ""};
    if (!json_floats(json_member(json, name), &stand->arena, &array, &error)) {
        fail_msg("%s: %s", name, error.text);
    }
    return array;
}

static void assert_shape(const struct array *array, size_t a, size_t b, size_t c)
{
    const size_t shape[3] = {a, b, c};
    const size_t rank = c == 0 ? 2 : 3;
    assert_int_equal(array->rank, rank);
    for (size_t r = 0; r < rank; r++) {
        assert_int_equal(array->shape[r], shape[r]);
    }
}

static void assert_near(double found, double expected)
{
    assert_true(found - expected < 1e-5 && expected - found < 1e-5);
}

static void compute_prints_the_shapes_and_numbers_of_the_cats(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *name;
        size_t a, b, c;
    } shapes[] = {{"embeddings", 3, 3, 0}, {"X", 3, 3, 0},      {"W_Q", 1, 3, 3},
                  {"W_K", 1, 3, 3},        {"W_V", 1, 3, 3},    {"W_O", 3, 3, 0},
                  {"Q", 1, 3, 3},          {"K", 1, 3, 3},      {"V", 1, 3, 3},
                  {"scores", 1, 3, 3},     {"scaled", 1, 3, 3}, {"weights", 1, 3, 3},
                  {"Z", 1, 3, 3},          {"concat", 3, 3, 0}, {"output", 3, 3, 0}};
    stand_call(stand, "compute --tokens 'cat dog lion' --embedding toy --weights identity "
                      "--scale off --format json");
    struct json *const json = json_of(stand);
    const char *format = NULL;
    double version = 0;
    assert_true(json_text(json_member(json, "format"), &format));
    assert_string_equal(format, "attnscope-trace");
    assert_true(json_number(json_member(json, "version"), &version));
    assert_near(version, 1);
    assert_int_equal(json_count(json_member(json, "tokens")), 3);
    assert_int_equal(json_kind_of(json_member(json, "context")), JSON_KIND_NULL);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const struct array array = array_of(stand, json, shapes[s].name);
        assert_shape(&array, shapes[s].a, shapes[s].b, shapes[s].c);
    }
    const struct array weights = array_of(stand, json, "weights");
    assert_near(array_number(&weights, 3), 0.416400);
    assert_near(array_number(&weights, 4), 0.579200);
    json_release(json);
}

static void shared_keys_positions_and_tiles_are_printed_with_their_shapes(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *call;
        struct {
            const char *name;
            size_t a, b, c;
        } array[4];
    } calls[] = {
        {"compute --embedding random --d-model 16 --heads 4 --attention gqa:2 --mask window:1",
         {{"W_K", 2, 16, 4}, {"K", 2, 3, 4}, {"V", 2, 3, 4}, {"weights", 4, 3, 3}}},
        {"compute --embedding random --d-model 16 --heads 4 --attention latent:5",
         {{"W_DKV", 16, 5, 0}, {"C", 3, 5, 0}, {"W_UK", 4, 5, 4}, {"K", 4, 3, 4}}},
        {"compute --positions sinusoidal --context 'a b'",
         {{"embeddings", 3, 3, 0}, {"X", 3, 3, 0}, {"X_context", 2, 3, 0}, {"K", 1, 2, 3}}},
    };
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        stand_call(stand, calls[c].call);
        struct json *const json = json_of(stand);
        for (size_t a = 0; a < 4; a++) {
            const struct array array = array_of(stand, json, calls[c].array[a].name);
            assert_shape(&array, calls[c].array[a].a, calls[c].array[a].b, calls[c].array[a].c);
        }
        json_release(json);
    }
    stand_call(stand, "compute --flash 1,2 --mask causal-window:2 --attention mqa");
    struct json *const json = json_of(stand);
    const struct json *const flash = json_member(json, "flash");
    const struct json *const settings = json_member(json, "settings");
    double off = 1;
    const char *text = NULL;
    assert_true(json_number(json_member(flash, "max_abs_difference"), &off) && off < 1e-6);
    assert_int_equal(json_count(json_element(json_member(flash, "running_max"), 0)), 3);
    assert_true(json_text(json_member(settings, "mask"), &text));
    assert_string_equal(text, "causal-window:2");
    assert_true(json_text(json_member(settings, "flash"), &text));
    assert_string_equal(text, "1,2");
    json_release(json);
}

static void settings_tell_every_option_and_the_sizes_that_hold(void **state)
{
    struct stand *const stand = *state;
    static const char *const names[] = {
        "lesson",    "tokens", "embedding",   "positions", "weights", "seed",     "heads",
        "attention", "scale",  "temperature", "mask",      "flash",   "context",  "q",
        "k",         "v",      "d_model",     "d_k",       "d_v",     "kv_heads", "scale_factor"};
    stand_call(stand, "compute --lesson ten --heads=4 --isa=ref");
    struct json *const json = json_of(stand);
    const struct json *const settings = json_member(json, "settings");
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        assert_int_not_equal(json_kind_of(json_member(settings, names[n])), JSON_KIND_NONE);
    }
    int64_t whole = 0;
    double factor = 0;
    assert_true(json_whole_number(json_member(settings, "d_k"), &whole));
    assert_int_equal(whole, 16);
    assert_true(json_number(json_member(settings, "scale_factor"), &factor));
    assert_near(factor, 0.25);
    assert_int_equal(json_kind_of(json_member(settings, "isa")), JSON_KIND_NONE); /* alike */
    json_release(json);
}

static void masked_scores_are_null_and_raw_experiments_have_no_output(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --mask causal");
    struct json *json = json_of(stand);
    const struct json *const row = json_element(json_element(json_member(json, "scaled"), 0), 0);
    assert_int_equal(json_kind_of(json_element(row, 1)), JSON_KIND_NULL);
    json_release(json);
    stand_call(stand, "compute --lesson race");
    json = json_of(stand);
    assert_null(json_member(json, "output"));
    assert_null(json_member(json, "X"));
    assert_int_equal(json_count(json_member(json, "context")), 3);
    json_release(json);
}

static void cross_attention_has_rows_of_tokens_and_columns_of_context(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --tokens 'cat dog' --context 'lion NYC the sat' --embedding onehot");
    struct json *const json = json_of(stand);
    const struct array scores = array_of(stand, json, "scores"),
                       x = array_of(stand, json, "X_context");
    assert_shape(&scores, 1, 2, 4);
    assert_shape(&x, 4, 6, 0);
    json_release(json);
}

static void csv_has_one_table_for_each_array(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --format csv --select weights,Z --scale off");
    assert_non_null(strstr(stand->output, "# weights 1x3x3\n0.47"));
    assert_non_null(strstr(stand->output, "# Z 1x3x3\n"));
    assert_null(strstr(stand->output, "# Q"));
}

static void npz_holds_the_same_arrays_and_can_be_given_back_as_weights(void **state)
{
    struct stand *const stand = *state;
    struct error error = {ERROR_NONE, 0, ""};
    struct array w;
    stand_call(stand, "compute --lesson ten -o ten.npz");
    assert_true(npz_read_one(stand_content(stand, "ten.npz"), "W_K", &stand->arena, &w, &error));
    assert_shape(&w, 8, 64, 8);
    stand_call(stand, "compute --lesson ten --select output");
    const char *const first = stand->output;
    stand_call(stand, "compute --lesson ten --weights ten.npz --select output");
    assert_string_equal(strstr(first, "\"output\""), strstr(stand->output, "\"output\""));
    stand_refused(stand, "compute --weights ten.npz", 2, "W_Q is 8 × 64 × 8");
}

static void write_npy(struct stand *stand, const char *name, size_t rows, size_t cols,
                      const float *values)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes bytes;
    const struct array array = array_of_floats("", 2, (size_t[]){rows, cols}, values);
    assert_true(npy_write(&array, &stand->arena, &bytes, &error));
    assert_true(file_write(stand_path(stand, name), bytes, &error));
}

static void queries_keys_and_values_come_from_files(void **state)
{
    struct stand *const stand = *state;
    write_npy(stand, "q.npy", 2, 2, (const float[]){1, 0, 0, 1});
    write_npy(stand, "k.npy", 3, 2, (const float[]){1, 0, 0, 1, 0, 0.5f});
    write_npy(stand, "v.npy", 3, 1, (const float[]){10, 100, 5});
    stand_call(stand, "compute --q q.npy --k k.npy --v v.npy --scale off");
    struct json *const json = json_of(stand);
    const struct array z = array_of(stand, json, "Z");
    assert_near(array_number(&z, 0), 28.015032);
    json_release(json);
    stand_refused(stand, "compute --q q.npy --k k.npy", 2, "--v is missing");
    stand_refused(stand, "compute --q q.npy --k k.npy --v v.npy --embedding toy", 2,
                  "leave --embedding");
}

static void embeddings_come_from_numpy_files_and_from_word_vectors(void **state)
{
    struct stand *const stand = *state;
    struct error error = {ERROR_NONE, 0, ""};
    static const char vectors[] = "cat 1 2\ndog 3 4\nbird 5 6\n";
    write_npy(stand, "x.npy", 2, 3, (const float[]){1, 2, 3, 4, 5, 6});
    stand_call(stand, "compute --embedding x.npy");
    struct json *json = json_of(stand);
    assert_int_equal(json_count(json_member(json, "tokens")), 2);
    json_release(json);
    const struct bytes text = {(const uint8_t *)vectors, sizeof vectors - 1};
    assert_true(file_write(stand_path(stand, "vectors.txt"), text, &error));
    stand_call(stand, "compute --tokens 'bird cat' --embedding vectors.txt");
    json = json_of(stand);
    const struct array x = array_of(stand, json, "X");
    assert_near(array_number(&x, 0), 5);
    assert_near(array_number(&x, 3), 2);
    json_release(json);
    stand_run(stand, "compute --tokens 'bird zebra' --embedding vectors.txt");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(stand->complaint, "\"zebra\" is not in vectors.txt"));
}

static void wrong_calls_are_told_in_one_line_with_status_2(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *arguments, *says;
    } cases[] = {
        {"--sede 3", "did you mean --seed?"},
        {"compute --lesson cat", "did you mean cats?"},
        {"compute --lesson xyzzy", "there are cats, ten, race"},
        {"compue", "did you mean compute?"},
        {"compute --heads 0", "from 1 to 256"},
        {"compute --heads many", "whole number"},
        {"compute --temperature 0", "--temperature"},
        {"compute --temperature=-1", "--temperature"},
        {"compute --scale maybe", "--scale is on, off"},
        {"compute --scale 2", "on or off here"},
        {"compute --tokens ''", "no word"},
        {"compute --seed", "needs a value"},
        {"compute --quiet=yes", "takes no value"},
        {"compute --mask window:0", "1 to 1024, not 0"},
        {"compute --mask global:1", "global:G+window:W"},
        {"compute --mask causal --context 'a b'", "looks back in one text"},
        {"compute --mask casual", "did you mean causal?"},
        {"compute --mask CAUSAL", "did you mean causal?"},
        {"compute --positions ropes", "did you mean rope?"},
        {"compute --attention gqa:3 --heads 4", "these fit: 1, 2, 4"},
        {"compute --attention gqa:0", "gqa:G, G being 1 or more"},
        {"compute --attention flat", "mha, gqa:G, mqa and latent:R"},
        {"compute --flash 2", "like 16,16"},
        {"compute --flash 2,2 --normalise share", "Tile by tile needs softmax"},
        {"compute --select weihgts", "did you mean weights?"},
        {"compute --isa avx9", "avx9"},
        {"compute --stage score", "does not belong"},
        {"compute --step 2", "--step needs --lesson or a file"},
        {"compute --lesson cats --step 99", "there are"},
        {"compute --lesson cats a.json", "Either --lesson or a file"},
        {"compute a.json b.json", "one too many"},
        {"compute --seed -1", "from 0 to 18446744073709551615"},
        {"compute --temperature 0", "from 0.01 to 100"},
        {"-x", "There is no option -x; --help lists them"},
        {"lessons cats", "takes no file"},
        {"-", "not standard input"},
        {"compute --format png", "render"},
        {"bench --isa abacus", "abacus"},
        {"describe --query bird", "token"},
        {"describe --head 2", "from 1 to 1"},
        {"render", "-o OUT.png"},
        {"render -o out.bmp", "bmp"},
        {"render -o out", "format"},
        {"render --size 0x0 -o out.png", "WxH"},
        {"render --stage blen -o out.png", "did you mean blend?"},
        {"render --camera 1,2 -o out.png", "--camera"},
        {"--list everything", "stages"},
        {"--version --threads 2", "--threads does not belong"},
        {"--list masks --isa ref", "--isa does not belong"},
        {"info --threads 2", "--threads does not belong"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stand_refused(stand, cases[c].arguments, 2, cases[c].says);
    }
}

static void files_that_cannot_be_had_end_with_status_1(void **state)
{
    struct stand *const stand = *state;
    stand_refused(stand, "compute --weights none.npz", 1, "none.npz");
    stand_refused(stand, "compute none.json", 1, "none.json");
    stand_refused(stand, "none.json", 1, "none.json");
    stand_refused(stand, "compute --embedding none.npy", 1, "none.npy");
    stand_refused(stand, "compute -o nowhere/out.json", 1, "nowhere/out.json");
    stand_refused(stand, "render -o nowhere/out.png", 1, "nowhere/out.png");
    stand_refused(stand, "compute --d-model 4096 --heads 64 --embedding random --d-k 4096", 1,
                  "memory");
}

static void a_call_that_fails_leaves_the_old_file_alone(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute -o out.json");
    const struct bytes before = stand_content(stand, "out.json");
    stand_refused(stand, "compute --heads 999 -o out.json", 2, "--heads");
    stand_refused(stand, "compute --embedding none.npy -o out.json", 1, "none.npy");
    const struct bytes after = stand_content(stand, "out.json");
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.at, after.at, before.size);
}

static void a_closed_pipe_ends_quietly(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, "compute --lesson ten 2>said | head -c 10");
    assert_int_equal(stand->output_size, 10);
    assert_int_equal(stand_content(stand, "said").size, 0);
}

static void render_writes_a_png_of_the_size_asked_for(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson cats --stage softmax --size 960x600 --scale 1 -o out.png");
    const struct bytes png = stand_content(stand, "out.png");
    static const uint8_t begins[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t size[] = {0, 0, 3, 0xc0, 0, 0, 2, 0x58};
    assert_true(png.size > 1000);
    assert_memory_equal(png.at, begins, sizeof begins);
    assert_memory_equal(png.at + 16, size, sizeof size);
    stand_call(stand, "render --lesson race --view formula --size 400x120 --theme dark -o - ");
    assert_memory_equal(stand->output, begins, sizeof begins);
}

static void the_same_picture_has_the_same_bytes(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --size 640x400 --scale 1 -o a.png");
    stand_call(stand, "render --size 640x400 --scale 1 -o b.png");
    const struct bytes a = stand_content(stand, "a.png"), b = stand_content(stand, "b.png");
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.at, b.at, a.size);
}

static void describe_says_what_the_picture_shows(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "describe --lesson cats --query dog --key 1");
    assert_non_null(strstr(stand->output, "(−2.7·−2.5) + (0.5·1.0) + (−0.2·0.0) = 7.25"));
    stand_call(stand, "describe --lesson ten --head L0H7");
    assert_non_null(strstr(stand->output, "head 8 of 8"));
}

/* A causal layer reads the beginning of a text as it reads the beginning alone, and another animal
 * otherwise. */
static void other_words_are_read_with_the_weights_that_were_learned(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {
        "compute --lesson learned --select weights --format csv --tokens \"the lion\"",
        "compute --lesson learned --select weights --format csv --tokens \"the lion eats at\"",
        "compute --lesson learned --select weights --format csv --tokens \"the tiger eats at\""};
    const char *share[3];
    for (size_t c = 0; c < 3; c++) {
        static const char *const words[] = {"\n0,\"lion\",", "\n0,\"lion\",", "\n0,\"tiger\","};
        stand_call(stand, calls[c]);
        const char *const row = strstr(stand->output, words[c]);
        assert_non_null(row);
        share[c] = arena_format(&stand->arena, "%.8s", row + strlen(words[c]));
    }
    assert_string_equal(share[0], share[1]);
    assert_string_not_equal(share[1], share[2]);
    stand_call(
        stand,
        "describe --lesson learned --stage softmax --tokens \"the lion\" --query lion --head 1");
    assert_non_null(strstr(stand->output, "2 tokens"));
    const double percent = 100 * strtod(share[0], NULL);
    assert_non_null(strstr(stand->output, arena_format(&stand->arena, "“the” %.1f %%", percent)));
    stand_refused(stand, "describe --lesson learned --tokens \"the zebra\"", 1,
                  "none of the 46 words");
}

static void a_description_needs_no_options(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "describe");
    assert_non_null(strstr(stand->output, "“cat”, “dog” and “lion”"));
    assert_non_null(strstr(stand->output, "cat → cat"));
}

static void what_changes_nothing_is_refused(void **state)
{
    struct stand *const stand = *state;
    stand_refused(stand, "compute --d-model 5 --embedding toy --select X", 2,
                  "it is for --embedding random");
    stand_call(stand, "compute --d-model 5 --embedding random --select X");
}

static void a_talkative_call_says_what_was_computed(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, "compute --lesson ten --isa ref --verbose");
    assert_non_null(strstr(stand->complaint, "8 heads, 10 queries, 10 keys, d_model 64, d_k 8"));
    assert_non_null(strstr(stand->complaint, "plain C, 1 thread"));
    static const char *const many = "compute --embedding random --weights random --d-model 512 "
                                    "--heads 16 --d-k 64 --d-v 64 --tokens 'a b c d e f g h i j' "
                                    "--select weights --verbose";
    for (size_t threads = 1; threads < 4; threads++) {
        stand_run(stand, arena_format(&stand->arena, "%s --threads %zu", many, threads));
        assert_non_null(strstr(stand->complaint, arena_format(&stand->arena, ", %zu thread%s,",
                                                              threads, threads == 1 ? "" : "s")));
    }
    stand_run(stand, "render --size 300x200 --view head --verbose -o a.svg");
    assert_non_null(strstr(stand->complaint, "a.svg: 300 x 200 points, SVG, "));
}

static void a_seed_loses_no_digit(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --weights random --seed 18446744073709551615 --select X");
    assert_non_null(strstr(stand->output, "\"seed\": \"18446744073709551615\""));
    stand_call(stand, "compute --weights random --seed 7 --select X");
    assert_non_null(strstr(stand->output, "\"seed\": 7,"));
}

static void lessons_lists_and_versions_are_printed_for_people_and_programs(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "lessons");
    assert_non_null(strstr(stand->output, "Cats, dogs and a lion"));
    stand_call(stand, "lessons --json");
    struct json *json = json_of(stand);
    assert_true(json_count(json) >= 3);
    json_release(json);
    static const char *const lists[] = {"stages", "views",   "colormaps",
                                        "masks",  "lessons", "themes"};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
        stand_call(stand, arena_format(&stand->arena, "--list %s --json", lists[l]));
        json = json_of(stand);
        assert_true(json_count(json) >= 2);
        json_release(json);
    }
    stand_call(stand, "--version --json");
    json = json_of(stand);
    assert_true(json_count(json_member(json, "instruction_sets")) >= 1);
    assert_true(json_count(json_member(json, "libraries")) >= 5);
    json_release(json);
    static const char *const asked[] = {"--version", "-V"};
    for (size_t a = 0; a < sizeof asked / sizeof asked[0]; a++) {
        stand_call(stand, asked[a]);
        assert_memory_equal(stand->output, "attnscope ", 10);
        assert_non_null(strstr(stand->output, "FreeType 2."));
    }
}

/* The program's folder has letters that a shell, and the file's own rules, would read. */
static void the_desktop_is_told_of_the_program_and_forgets_it(void **state)
{
    static const char exec[] = "/a \\\\$HOME\\\\\"\\\\`\\\\\\\\ 100%% 猫/attnscope\" %f\n";
    struct stand *const stand = *state;
    static const char *const kept[] = {"data/applications/io.github.attnscope.attnscope.desktop",
                                       "data/mime/packages/attnscope.xml",
                                       "data/icons/hicolor/48x48/apps/attnscope.png",
                                       "data/icons/hicolor/scalable/apps/attnscope.svg"};
    assert_int_equal(stand_other(stand, "mkdir 'a $HOME\"`\\ 100% 猫' && cp \"$ATTNSCOPE_BINARY\" "
                                        "'a $HOME\"`\\ 100% 猫/attnscope'"),
                     0);
    assert_int_equal(stand_other(stand, "XDG_DATA_HOME=\"$PWD/data\" PATH= "
                                        "'./a $HOME\"`\\ 100% 猫/attnscope' --register"),
                     0);
    for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) {
        assert_true(stand_content(stand, kept[k]).size > 0);
    }
    const char *const entry = (const char *)stand_content(stand, kept[0]).at;
    assert_non_null(strstr(entry, exec));
    assert_null(strstr(entry, "Exec=attnscope"));
    assert_non_null(strstr(entry, "/attnscope\" --presenter %f"));
    assert_int_equal(
        stand_other(stand, "XDG_DATA_HOME=\"$PWD/data\" PATH= "
                           "\"$ATTNSCOPE_BINARY\" --unregister && test -z \"$(/usr/bin/find data "
                           "-type f)\""),
        0);
    assert_int_equal(stand_other(stand, "touch taken"), 0);
    assert_int_equal(stand_other(stand, "XDG_DATA_HOME=\"$PWD/taken\" \"$ATTNSCOPE_BINARY\" "
                                        "--register 2> said"),
                     1);
    assert_non_null(strstr((const char *)stand_content(stand, "said").at, "could not be made"));
    assert_int_equal(stand_other(stand, "env -u XDG_DATA_HOME -u HOME \"$ATTNSCOPE_BINARY\" "
                                        "--register 2> said"),
                     1);
    assert_non_null(strstr((const char *)stand_content(stand, "said").at, "no home folder"));
}

static void every_call_has_help_in_lines_of_a_hundred_letters(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {"",      "compute", "render", "describe", "lessons",
                                        "train", "models",  "info",   "bench",    "completion"};
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        stand_call(stand, arena_format(&stand->arena, "%s --help", calls[c]));
        assert_non_null(strstr(stand->output, "usage: attnscope"));
        assert_non_null(strstr(stand->output, "--help"));
        for (const char *line = stand->output; *line != '\0'; line += strcspn(line, "\n") + 1) {
            assert_true(strcspn(line, "\n") <= 100);
        }
    }
}

static void help_offers_what_the_call_takes(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --help");
    assert_non_null(strstr(stand->output, "json, csv, npz, npy,"));
    assert_null(strstr(stand->output, "png"));
    assert_non_null(strstr(stand->output, "--scale on|off "));
    stand_call(stand, "render --help");
    assert_non_null(strstr(stand->output, "png, svg, pdf"));
    assert_null(strstr(stand->output, "npz, "));
    assert_non_null(strstr(stand->output, "--scale on|off|S"));
    stand_call(stand, "describe --help");
    assert_non_null(strstr(stand->output, "--scale on|off "));
    assert_null(strstr(stand->output, "--format"));
}

static void numbers_have_a_point_in_every_locale(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(setenv("LC_ALL", "de_DE.UTF-8", 1), 0);
    stand_call(stand, "compute --temperature 0.5 --format csv --select weights");
    assert_int_equal(unsetenv("LC_ALL"), 0);
    assert_non_null(strstr(stand->output, "0."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(compute_prints_the_shapes_and_numbers_of_the_cats),
        STAND(shared_keys_positions_and_tiles_are_printed_with_their_shapes),
        STAND(settings_tell_every_option_and_the_sizes_that_hold),
        STAND(masked_scores_are_null_and_raw_experiments_have_no_output),
        STAND(cross_attention_has_rows_of_tokens_and_columns_of_context),
        STAND(csv_has_one_table_for_each_array),
        STAND(npz_holds_the_same_arrays_and_can_be_given_back_as_weights),
        STAND(queries_keys_and_values_come_from_files),
        STAND(embeddings_come_from_numpy_files_and_from_word_vectors),
        STAND(wrong_calls_are_told_in_one_line_with_status_2),
        STAND(files_that_cannot_be_had_end_with_status_1),
        STAND(a_call_that_fails_leaves_the_old_file_alone),
        STAND(a_closed_pipe_ends_quietly),
        STAND(render_writes_a_png_of_the_size_asked_for),
        STAND(the_same_picture_has_the_same_bytes),
        STAND(describe_says_what_the_picture_shows),
        STAND(other_words_are_read_with_the_weights_that_were_learned),
        STAND(lessons_lists_and_versions_are_printed_for_people_and_programs),
        STAND(the_desktop_is_told_of_the_program_and_forgets_it),
        STAND(a_description_needs_no_options),
        STAND(what_changes_nothing_is_refused),
        STAND(a_talkative_call_says_what_was_computed),
        STAND(a_seed_loses_no_digit),
        STAND(every_call_has_help_in_lines_of_a_hundred_letters),
        STAND(help_offers_what_the_call_takes),
        STAND(numbers_have_a_point_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

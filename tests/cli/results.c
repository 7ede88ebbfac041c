/* Results of compute: the suffix says the format, one array alone is read by other programs, and
 * files keep their numbers and their words. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../rounds.h"
#include "base/file.h"
#include "file/json.h"
#include "file/npy.h"
#include "file/npz.h"
#include "stand.h"

static void the_suffix_says_the_format(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *name, *begins;
    } cases[] = {
        {"x.json", "{\n  \"format\""},
        {"x.csv", ",\"cat\",\"dog\",\"lion\"\n\"cat\",0.4"},
        {"x.npz", "PK"},
        {"x.npy", "\x93NUMPY"},
        {"x.tex", "% for the package booktabs: weights"},
        {"x.tikz", "% weights"},
        {"x.md", "|  | cat | dog | lion |\n| --- | ---: | ---: | ---: |\n| cat | 0.4"},
        {"x.html", "<table>\n  <caption>weights</caption>"},
        {"x.py", "import numpy as np\n\n# weights"},
        {"x.tsv", "0.4"},
        {"x", "{\n  \"format\""},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stand_call(stand,
                   arena_format(&stand->arena, "compute --select weights -o %s", cases[c].name));
        const struct bytes file = stand_content(stand, cases[c].name);
        assert_true(file.size > strlen(cases[c].begins));
        assert_memory_equal(file.at, cases[c].begins, strlen(cases[c].begins));
    }
    stand_refused(stand, "compute -o x.foo", 2, ".foo");
    stand_refused(stand, "compute -o x.png", 2, "compute writes no files called .png");
    stand_refused(stand, "compute -o all.npy", 2, "one array");
    stand_refused(stand, "compute --select weights,Z -o all.tex", 2, "one array");
    assert_int_equal(stand_other(stand, "mkdir folder.d"), 0);
    stand_call(stand, "compute -o folder.d/x");
}

static void a_table_of_one_array_has_words_and_an_index(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --lesson ten --select weights --format csv");
    assert_memory_equal(stand->output, "head,,\"", 7);
    assert_non_null(strstr(stand->output, "\n7,\""));
    stand_call(stand, "compute --lesson ten --select weights --head 8 --format csv");
    assert_memory_equal(stand->output, ",\"", 2);
    stand_call(stand, "compute --select X --format csv");
    assert_memory_equal(stand->output, ",\"petness\",", 11);
    stand_call(stand, "compute --embedding random --select W_O --format csv");
    assert_memory_equal(stand->output, "0,1,2,", 6);
    stand_refused(stand, "compute --lesson ten --select weights --format latex", 2, "--head");
    stand_refused(stand, "compute --lesson ten --select weights --head 9 --format latex", 2, "8");
    stand_call(stand, "compute --lesson ten --select weights --head 2 --format latex");
    assert_non_null(strstr(stand->output, "\\begin{tabular}{l*{10}{r}}"));
    assert_non_null(strstr(stand->output, "\\rotatebox{90}{garden}"));
    stand_call(stand, "compute --lesson ten --select weights --head 2 --format bmatrix");
    assert_non_null(strstr(stand->output, "\\begin{bmatrix}"));
}

/* Numbers for people are rounded as they ask; programs get the exact numbers. */
static void decimals_are_chosen(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *format, *one, *four;
    } cases[] = {
        {"latex", "{dog} & $0.4$ & $0.5$ & $0.0$", "{dog} & $0.4382$ & $0.5301$ & $0.0317$"},
        {"bmatrix", "  0.4 & 0.5 & 0.0 ", "  0.4382 & 0.5301 & 0.0317 "},
        {"tikz", " {$0.5$};", " {$0.5301$};"},
        {"markdown", "| dog | 0.4 | 0.5 | 0.0 |", "| dog | 0.4382 | 0.5301 | 0.0317 |"},
        {"html", "<td>0.4</td><td>0.5</td>", "<td>0.4382</td><td>0.5301</td>"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *const call = arena_format(
            &stand->arena, "compute --select weights --format %s --decimals", cases[c].format);
        stand_call(stand, arena_format(&stand->arena, "%s 1", call));
        assert_non_null(strstr(stand->output, cases[c].one));
        stand_call(stand, arena_format(&stand->arena, "%s 4", call));
        assert_non_null(strstr(stand->output, cases[c].four));
    }
}

/* Python's own readers take it where they are installed. */
static void pandas_reads_the_table(void **state)
{
    struct stand *const stand = *state;
    if (stand_other(stand, "python3 -c 'import pandas' 2>/dev/null") != 0) {
        skip();
    }
    stand_call(stand, "compute --select weights -o x.csv");
    assert_int_equal(stand_other(stand, "python3 -c 'import pandas as p; t = p.read_csv(\"x.csv\", "
                                        "index_col=0); assert t.shape == (3, 3); assert "
                                        "abs(t.values.sum() - 3) < 1e-5; assert list(t) == "
                                        "[\"cat\", \"dog\", \"lion\"]'"),
                     0);
}

static void whole_numbers_and_words_stay_what_they_are(void **state)
{
    struct stand *const stand = *state;
    struct array ids;
    struct error error = {ERROR_NONE, 0, ""};
    const char *const *words = NULL;
    size_t count = 0;
    stand_call(stand, arena_format(&stand->arena, "compute '%s' --text 'the cat' -o m.npz",
                                   getenv("ATTNSCOPE_TINY")));
    const struct bytes file = stand_content(stand, "m.npz");
    assert_true(npz_read_one(file, "token_ids", &stand->arena, &ids, &error));
    assert_int_equal(ids.type, ARRAY_INT64);
    assert_true(npz_read_texts(file, "tokens", &stand->arena, &words, &count, &error));
    assert_int_equal(count, ids.shape[0]);
    assert_string_equal(words[0], "the");
    stand_call(stand, "compute --tokens 'ä 猫' --context 'b c d' -o c.npz");
    const struct bytes crossed = stand_content(stand, "c.npz");
    assert_true(npz_read_texts(crossed, "tokens", &stand->arena, &words, &count, &error));
    assert_int_equal(count, 2);
    assert_string_equal(words[0], "ä");
    assert_string_equal(words[1], "猫");
    assert_true(npz_read_texts(crossed, "context", &stand->arena, &words, &count, &error));
    assert_int_equal(count, 3);
}

static void one_layer_and_one_head_are_picked(void **state)
{
    struct stand *const stand = *state;
    struct array all, one;
    struct error error = {ERROR_NONE, 0, ""};
    const char *const call =
        arena_format(&stand->arena, "compute '%s/half.npz'", getenv("ATTNSCOPE_DUMPS"));
    stand_call(stand, arena_format(&stand->arena, "%s -o all.npz", call));
    assert_true(
        npz_read_one(stand_content(stand, "all.npz"), "weights", &stand->arena, &all, &error));
    assert_int_equal(all.rank, 4);
    const size_t layers = all.shape[0], heads = all.shape[1], cells = all.shape[2] * all.shape[3];
    for (size_t h = 0; h < layers * heads; h++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "%s --layer %zu --head %zu --select weights -o one.npy",
                                       call, h / heads + 1, h % heads + 1));
        assert_true(npy_read(stand_content(stand, "one.npy"), &one, &error));
        assert_int_equal(one.rank, 2);
        for (size_t c = 0; c < cells; c++) {
            assert_true(array_number(&one, c) == array_number(&all, h * cells + c));
        }
    }
    stand_call(stand, arena_format(&stand->arena, "%s --layer %zu -o one.npz", call, layers));
    assert_true(
        npz_read_one(stand_content(stand, "one.npz"), "weights", &stand->arena, &one, &error));
    assert_int_equal(one.rank, 3);
    assert_true(array_number(&one, 0) == array_number(&all, (layers - 1) * heads * cells));
    stand_refused(stand, arena_format(&stand->arena, "%s --layer 99", call), 2, "--layer is 1 to");
}

/* Queries and keys with every mask: what it hides is 0, and rows still sum to 1. */
static void a_mask_hides_keys_of_queries_from_a_file(void **state)
{
    struct stand *const stand = *state;
    struct error error = {ERROR_NONE, 0, ""};
    float numbers[2 * 5 * 4];
    struct array weights;
    struct bytes file;
    for (size_t i = 0; i < 40; i++) {
        numbers[i] = (float)((i * 7) % 11) / 4 - 1;
    }
    const struct array arrays[] = {array_of_floats("q", 3, (size_t[]){2, 5, 4}, numbers),
                                   array_of_floats("k", 3, (size_t[]){2, 5, 4}, numbers)};
    assert_true(npz_write(arrays, 2, &stand->arena, &file, &error));
    assert_true(file_write(stand_path(stand, "qk.npz"), file, &error));
    static const char *const masks[] = {"none", "causal", "window:1"};
    for (size_t m = 0; m < 3; m++) {
        stand_call(stand,
                   arena_format(&stand->arena, "compute qk.npz --mask %s --select weights -o w.npy",
                                masks[m]));
        assert_true(npy_read(stand_content(stand, "w.npy"), &weights, &error));
        for (size_t i = 0; i < 5; i++) {
            double sum = 0;
            for (size_t j = 0; j < 5; j++) {
                const bool hidden = (m == 1 && j > i) || (m == 2 && (j > i + 1 || i > j + 1));
                assert_true((array_number(&weights, i * 5 + j) > 0) != hidden);
                sum += array_number(&weights, i * 5 + j);
            }
            assert_true(sum > 0.999 && sum < 1.001);
        }
    }
    stand_refused(stand,
                  arena_format(&stand->arena, "compute '%s/half.npz' --mask causal",
                               getenv("ATTNSCOPE_DUMPS")),
                  1, "a mask is for queries and keys");
}

/* No word of a file turns what stands behind it, in a table, a sentence or JSON. */
static void words_of_files_turn_nothing(void **state)
{
    struct stand *const stand = *state;
    struct error error = {ERROR_NONE, 0, ""};
    static const float half[] = {.5f, .5f, .5f, .5f};
    static const char *const words[] = {"a\xe2\x80\xae"
                                        "b",
                                        "c\x1b[31m\xe2\x80\xa8"
                                        "d"};
    const struct array array = array_of_floats("weights", 4, (size_t[]){1, 1, 2, 2}, half);
    const struct npz_texts texts = {"tokens", words, 2};
    struct bytes file;
    struct growing out = growing_start(&stand->arena);
    assert_true(npz_put(&out, &array, 1, &texts, 1, &error));
    assert_true(growing_finish(&out, &file, &error));
    assert_true(file_write(stand_path(stand, "turned.npz"), file, &error));
    static const char *const calls[] = {
        "compute turned.npz",
        "compute turned.npz --format csv",
        "describe turned.npz",
        "info turned.npz",
        "info turned.npz --json",
        "compute turned.npz --select weights --format csv",
        "compute turned.npz --layer 1 --head 1 --select weights --format tikz",
        "describe turned.npz --query nobody\xe2\x80\xae",
    };
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        stand_run(stand, calls[c]);
        const char *const said[] = {stand->output, stand->complaint};
        for (size_t s = 0; s < 2; s++) {
            assert_null(strstr(said[s], "\xe2\x80\xae"));
            assert_null(strstr(said[s], "\xe2\x80\xa8"));
            assert_null(strchr(said[s], '\x1b'));
        }
    }
    struct json *const json = json_parse(stand_content(stand, "turned.npz"), NULL);
    assert_null(json);
    stand_call(stand, "compute turned.npz -o turned.json");
    struct json *const back = json_parse(stand_content(stand, "turned.json"), NULL);
    const char *word = NULL;
    assert_true(json_text(json_element(json_member(back, "tokens"), 0), &word));
    assert_non_null(strchr(word, 'b'));
    json_release(back);
}

/* How many megabytes more one call takes than another, at their peaks; negative: it failed. */
static int peak_beyond(struct stand *stand, const char *call, const char *other)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) { /* whose children are these two alone */
        struct rusage before, after;
        const bool done = stand_other(stand, other) == 0 &&
                          getrusage(RUSAGE_CHILDREN, &before) == 0 &&
                          stand_other(stand, call) == 0 && getrusage(RUSAGE_CHILDREN, &after) == 0;
        const long more = done ? (after.ru_maxrss - before.ru_maxrss) >> 10 : 255;
        _exit(more < 254 ? (int)more : done ? 254 : 255);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) < 255 ? WEXITSTATUS(status) : -1;
}

/* Weights of all heads go into the file as they are made: 31 MB of them take the memory of a few
 * heads. */
static void large_results_are_never_whole_in_memory(void **state)
{
    enum { TOKENS = 1000, HEADS = 8, MEGABYTES_MAX = 16 };
    static const char *const formats[] = {
        "--select encoder_weights -o large.npz", "--select encoder_weights -o large.npy",
        "--select encoder_weights --format npz | cat > large.npz", "-o large.npz"};
    struct stand *const stand = *state;
    const char *const call =
        arena_format(&stand->arena,
                     "\"$ATTNSCOPE_BINARY\" compute \"$ATTNSCOPE_TINY/../fixtures/flan-t5\" "
                     "--quiet --ids \"$(seq 1 %d | awk '{ print $1 %% 31 }')\"",
                     TOKENS);
    const char *const small =
        arena_format(&stand->arena, "%s --select token_ids -o small.npz", call);
    if (TEST_SANITIZED || getenv("MESON_EXE_WRAPPER") != NULL) { /* they take memory of their own */
        skip();
    }
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        struct stat status;
        const char *const large = arena_format(&stand->arena, "%s %s", call, formats[f]);
        const int more = peak_beyond(stand, large, small);
        const char *const file = strstr(formats[f], "npy") != NULL ? "large.npy" : "large.npz";
        assert_int_equal(stat(stand_path(stand, file), &status), 0);
        assert_true(status.st_size > HEADS * TOKENS * TOKENS * 4);
        assert_in_range(more, 0, MEGABYTES_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(the_suffix_says_the_format),
        STAND(a_table_of_one_array_has_words_and_an_index),
        STAND(decimals_are_chosen),
        STAND(pandas_reads_the_table),
        STAND(whole_numbers_and_words_stay_what_they_are),
        STAND(one_layer_and_one_head_are_picked),
        STAND(a_mask_hides_keys_of_queries_from_a_file),
        STAND(words_of_files_turn_nothing),
        STAND(large_results_are_never_whole_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Lessons, sessions and pictures given as files: every call opens them, and info says what they
 * are. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "file/json.h"
#include "file/npy.h"
#include "stand.h"

/* Two steps, with a number typed by hand, a seed of all digits, and words of all kinds. */
static const char lesson[] =
    "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"mine\", \"title\": \"My "
    "own\",\n"
    " \"experiment\": {\"tokens\": [\"cat\", \"dog\", \"(\\\\)\", \"\\\"<&'\", \"\xe7\x8c\xab\",\n"
    "  \"\xf0\x9f\x98\x80\"], \"embedding\": \"onehot\", \"weights\": \"random\", \"heads\": 2,\n"
    "  \"seed\": \"18446744073709551615\", \"edits\": [{\"part\": \"alpha\", \"head\": 1, \"row\": "
    "0,\n"
    "  \"column\": 1, \"value\": 0.625}]},\n"
    " \"steps\": [{\"caption\": \"First, look.\", \"stage\": \"score\", \"query\": \"dog\", "
    "\"key\": "
    "\"cat\"},\n"
    "  {\"caption\": \"Then think.\", \"stage\": \"softmax\", \"head\": 1, \"theme\": \"dark\",\n"
    "   \"experiment\": {\"mask\": \"causal\"}}]}\n";

static void put_text(struct stand *stand, const char *name, const char *text)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct bytes bytes = {(const uint8_t *)text, strlen(text)};
    assert_true(file_write(stand_path(stand, name), bytes, &error));
}

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

static const char *text_member(const struct json *json, const char *name)
{
    const char *text = "";
    json_text(json_member(json, name), &text);
    return text;
}

static void a_lesson_opens_at_its_first_step_or_the_one_that_is_named(void **state)
{
    struct stand *const stand = *state;
    put_text(stand, "mine.json", lesson);
    stand_call(stand, "describe mine.json");
    assert_non_null(strstr(stand->output, "Stage 3 of 7"));
    assert_non_null(strstr(stand->output, "dog → cat"));
    stand_call(stand, "describe mine.json --step 2");
    assert_non_null(strstr(stand->output, "Stage 5 of 7"));
    assert_non_null(strstr(stand->output, "every query sees itself and what came before it"));
    stand_refused(stand, "describe mine.json --step 3", 2, "there are 2");
    stand_call(stand, "describe - <mine.json");
    assert_non_null(strstr(stand->output, "dog → cat"));
}

static void options_lie_over_what_the_file_holds(void **state)
{
    struct stand *const stand = *state;
    put_text(stand, "mine.json", lesson);
    stand_call(stand,
               "compute mine.json --tokens 'a b' --heads 1 --select weights --temperature 2");
    struct json *const json = json_of(stand);
    double temperature = 0;
    assert_int_equal(json_count(json_member(json, "tokens")), 2);
    assert_int_equal(json_count(json_member(json, "weights")), 1);
    assert_true(
        json_number(json_member(json_member(json, "settings"), "temperature"), &temperature));
    assert_true(temperature == 2);
    assert_string_equal(text_member(json_member(json, "settings"), "weights"), "random");
    json_release(json);
}

static void built_in_lessons_have_steps_too(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "describe --lesson cats --step 1");
    const char *const first = stand->output;
    stand_call(stand, "describe --lesson cats --step 2");
    assert_string_not_equal(first, stand->output);
}

static void a_picture_opens_what_it_was_made_from(void **state)
{
    struct stand *const stand = *state;
    static const char *const pictures[] = {"a.png", "a.svg", "a.pdf"};
    put_text(stand, "mine.json", lesson);
    stand_call(stand, "compute mine.json --step 2");
    const char *const results = strstr(stand->output, "\"embeddings\"");
    stand_call(stand, "describe mine.json --step 2");
    const char *const words = stand->output;
    stand_call(stand,
               "render mine.json --step 2 --size 600x400 --quiet -o a.png -o a.svg -o a.pdf");
    for (size_t p = 0; p < sizeof pictures / sizeof pictures[0]; p++) {
        stand_call(stand, arena_format(&stand->arena, "compute %s", pictures[p]));
        assert_string_equal(strstr(stand->output, "\"embeddings\""), results);
        assert_non_null(strstr(stand->output, "0.625"));
        assert_non_null(strstr(stand->output, "18446744073709551615"));
        stand_call(stand, arena_format(&stand->arena, "describe %s", pictures[p]));
        assert_string_equal(stand->output, words);
        stand_call(stand,
                   arena_format(&stand->arena, "render %s --size 600x400 --quiet -o again.svg",
                                pictures[p]));
        const struct bytes a = stand_content(stand, "a.svg"),
                           again = stand_content(stand, "again.svg");
        assert_int_equal(a.size, again.size);
        assert_memory_equal(a.at, again.at, a.size);
    }
}

static void words_of_ascii_come_back_from_a_pdf(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --tokens '(a) b\\\\ /Keywords (x)' --view head -o a.pdf");
    stand_call(stand, "info a.pdf");
    assert_non_null(strstr(stand->output, "(a) b\\ /Keywords (x)"));
}

static void a_picture_that_keeps_its_secret_is_told_apart(void **state)
{
    struct stand *const stand = *state;
    static const char *const pictures[] = {"a.png", "a.svg", "a.pdf"};
    stand_call(stand, "render --metadata off --view head -o a.png -o a.svg -o a.pdf");
    for (size_t p = 0; p < sizeof pictures / sizeof pictures[0]; p++) {
        stand_refused(stand, arena_format(&stand->arena, "describe %s", pictures[p]), 1,
                      "does not say what it was made from");
        stand_call(stand, arena_format(&stand->arena, "info %s", pictures[p]));
        assert_non_null(strstr(stand->output, "does not say what it was made from"));
    }
}

static void a_picture_cut_short_is_refused_in_one_line(void **state)
{
    struct stand *const stand = *state;
    static const char *const pictures[] = {"a.png", "a.svg", "a.pdf"};
    struct error error = {ERROR_NONE, 0, ""};
    put_text(stand, "mine.json", lesson);
    stand_call(stand,
               "render mine.json --view head --size 200x200 --quiet -o a.png -o a.svg -o a.pdf");
    for (size_t p = 0; p < sizeof pictures / sizeof pictures[0]; p++) {
        const struct bytes whole = stand_content(stand, pictures[p]);
        const size_t cuts[] = {9, 60, 200, 300, whole.size / 2};
        for (size_t c = 0; c < sizeof cuts / sizeof cuts[0]; c++) {
            const struct bytes part = {whole.at, cuts[c]};
            assert_true(file_write(stand_path(stand, "part"), part, &error));
            stand_run(stand, "describe part");
            if (stand->status != 0) {
                stand_refused(stand, "describe part", 1, "part: ");
            }
        }
    }
}

static void a_file_of_another_kind_is_refused(void **state)
{
    struct stand *const stand = *state;
    put_text(stand, "a.txt", "hello");
    put_text(stand, "a.json",
             "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"x\",\n"
             "\"steps\": [{\"stage\": \"scoer\"}]}");
    stand_refused(stand, "compute a.txt", 1,
                  "a.txt: This is no model, no file of attention, no lesson");
    stand_refused(stand, "compute a.json", 1, "stage");
    stand_refused(stand, "a.json", 1, "stage");
    stand_refused(stand, "describe .", 1, "folder");
    stand_call(stand, "compute -o b.json");
    stand_refused(stand, "compute b.json", 1, "results");
}

static void a_presenter_reads_the_step_in_the_picture(void **state)
{
    struct stand *const stand = *state;
    put_text(stand, "mine.json", lesson);
    stand_call(stand, "render mine.json --quiet -o plain.svg");
    stand_call(stand, "render mine.json --step 2 --presenter --quiet -o large.svg");
    const char *const plain = (const char *)stand_content(stand, "plain.svg").at;
    const char *const large = (const char *)stand_content(stand, "large.svg").at;
    assert_non_null(strstr(plain, ">Display</text>"));
    assert_null(strstr(plain, "First, look."));
    assert_null(strstr(large, ">Display</text>"));
    assert_non_null(strstr(large, "Then think."));
    assert_null(strstr(large, "First, look."));
}

static void a_worksheet_is_a_pdf_and_nothing_else(void **state)
{
    struct stand *const stand = *state;
    put_text(stand, "mine.json", lesson);
    stand_call(stand, "render mine.json --worksheet -o tasks.pdf");
    stand_call(stand, "render --lesson cats --stage score --worksheet -o score.pdf");
    assert_memory_equal(stand_content(stand, "tasks.pdf").at, "%PDF", 4);
    assert_memory_equal(stand_content(stand, "score.pdf").at, "%PDF", 4);
    stand_refused(stand, "render --lesson cats --worksheet -o score.png", 2,
                  "A worksheet is a PDF");
    stand_refused(stand, "render --lesson cats --stage embed --worksheet -o x.pdf", 1,
                  "nothing to work out");
}

static void info_says_the_kind_and_the_shapes(void **state)
{
    struct stand *const stand = *state;
    struct error error = {ERROR_NONE, 0, ""};
    struct bytes npy;
    const float values[] = {1, 2, 3, 4, 5, 6};
    const struct array array = array_of_floats("", 2, (size_t[]){2, 3}, values);
    static const struct {
        const char *file, *kind, *name, *title;
        int64_t first;
    } cases[] = {
        {"a.npy", "npy", "", "", 2},
        {"a.npz", "npz", "embeddings", "", 3},
        {"a.json", "results", "W_Q", "", 1},
        {"a.csv", "table", "embeddings", "", 3},
        {"n.csv", "table", "", "", 2},
        {"v.txt", "vectors", "", "", 2},
        {"mine.json", "lesson", "", "My own", 0},
        {"a.svg", "svg", "", "A session", 0},
    };
    assert_true(npy_write(&array, &stand->arena, &npy, &error));
    assert_true(file_write(stand_path(stand, "a.npy"), npy, &error));
    put_text(stand, "mine.json", lesson);
    put_text(stand, "n.csv", "1;2;3\n4;5;6\n");
    put_text(stand, "v.txt", "cat 1 2\ndog 3 4\n");
    stand_call(stand, "render --view head -o a.svg");
    stand_call(stand, "compute -o a.npz");
    stand_call(stand, "compute -o a.csv");
    stand_call(stand, "compute --select W_Q -o a.json");
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stand_call(stand, arena_format(&stand->arena, "info %s --json", cases[c].file));
        struct json *const json = json_of(stand);
        const struct json *const first = json_element(json_member(json, "arrays"), 0);
        int64_t size = 0;
        json_whole_number(json_element(json_member(first, "shape"), 0), &size);
        assert_string_equal(text_member(json, "kind"), cases[c].kind);
        assert_string_equal(text_member(first, "name"), cases[c].name);
        assert_string_equal(text_member(json_member(json, "lesson"), "title"), cases[c].title);
        assert_int_equal(size, cases[c].first);
        json_release(json);
    }
    stand_call(stand, "info a.npz");
    assert_non_null(strstr(stand->output, "W_Q         float32   1 × 3 × 3"));
    stand_call(stand, "info a.svg"); /* which has no title of its own */
    assert_null(strstr(stand->output, "title"));
    assert_non_null(strstr(stand->output, "tokens      cat dog lion\n"));
}

/* A session of 2000 words filled the screen. */
static void info_of_a_long_session_names_its_first_words(void **state)
{
    struct stand *const stand = *state;
    enum { WORDS = 300 };
    char words[WORDS * 2 + 1] = "";
    for (size_t w = 0; w < WORDS; w++) {
        memcpy(words + 2 * w, "a ", 3);
    }
    put_text(stand, "long.txt", words);
    stand_call(stand, "render --text-file long.txt --view head -o long.svg");
    stand_call(stand, "info long.svg");
    assert_non_null(strstr(stand->output, "a a a a a a a a a a a a … (300 in all)\n"));
}

/* The help of --select named Z twice, and what a wrong name could be ended before the weights. */
static void all_results_are_named_once(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --help");
    assert_null(strstr(stand->output, "Z, Z"));
    assert_non_null(strstr(stand->output, "scaled, Z, concat, output"));
    stand_refused(
        stand, "compute --select nothing-of-this-kind", 2,
        "has no result “nothing-of-this-kind”; attnscope compute --help lists all results.");
}

static void info_of_what_nobody_knows_fails(void **state)
{
    struct stand *const stand = *state;
    put_text(stand, "a.txt", "hello\nworld\n");
    put_text(stand, "empty", "");
    stand_refused(stand, "info a.txt", 1, "of no kind");
    stand_refused(stand, "info empty", 1, "It is empty");
    stand_refused(stand, "info none", 1, "none");
    stand_refused(stand, "info", 2, "needs a file");
}

static void what_a_file_says_moves_no_cursor(void **state)
{
    struct stand *const stand = *state;
    put_text(stand, "a.json",
             "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"x\",\n"
             "\"title\": \"red\\u001b[31m\\u009b\", \"steps\": [{}]}");
    stand_call(stand, "info a.json");
    assert_null(strchr(stand->output, '\x1b'));
    assert_null(strstr(stand->output, "\xc2\x9b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(a_lesson_opens_at_its_first_step_or_the_one_that_is_named),
        STAND(options_lie_over_what_the_file_holds),
        STAND(built_in_lessons_have_steps_too),
        STAND(a_picture_opens_what_it_was_made_from),
        STAND(words_of_ascii_come_back_from_a_pdf),
        STAND(a_picture_that_keeps_its_secret_is_told_apart),
        STAND(a_picture_cut_short_is_refused_in_one_line),
        STAND(a_file_of_another_kind_is_refused),
        STAND(a_presenter_reads_the_step_in_the_picture),
        STAND(a_worksheet_is_a_pdf_and_nothing_else),
        STAND(info_says_the_kind_and_the_shapes),
        STAND(info_of_a_long_session_names_its_first_words),
        STAND(all_results_are_named_once),
        STAND(info_of_what_nobody_knows_fails),
        STAND(what_a_file_says_moves_no_cursor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* --select offers what works: every name of the table is asked for where it is said to be had, and
 * what is refused names the others whole. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/npz.h"
#include "lab/run/results.h"
#include "stand.h"

/* Calls which between them have every result of an experiment. */
static const char *const experiments[] = {
    "--lesson cats",
    "--tokens 'a b' --context 'c d e' --embedding random",
    "--lesson cats --attention latent:2",
    "--lesson cats --flash 2,2",
    "--lesson cats --residual on",
    "--lesson cats --unit-qk on",
    "--lesson cats --smear 0.3",
    "model.png",
    "raw.png",
};

static const char *call_with(struct stand *stand, const char *call, const char *folder,
                             const char *options)
{
    return arena_format(&stand->arena, "%s '%s' %s", call, folder, options);
}

/* Says whether out.npz holds the array, and nothing of another name. */
static bool has_array(struct stand *stand, const char *name)
{
    const struct array *array = NULL;
    size_t count = 0;
    struct error error = {ERROR_NONE, 0, ""};
    if (!npz_read(stand_content(stand, "out.npz"), &stand->arena, &array, &count, &error)) {
        fail_msg("%s: %s", name, error.text);
    }
    for (size_t a = 0; a < count; a++) {
        assert_int_equal(strncmp(array[a].name, name, strlen(name)), 0);
    }
    return count > 0;
}

static void every_result_of_an_experiment_can_be_selected(void **state)
{
    struct stand *const stand = *state;
    const char *name = NULL;
    stand_call(stand, call_with(stand, "render", getenv("ATTNSCOPE_TINY"),
                                "--tokens 'the cat' --layer 1 --size 400x300 -o model.png"));
    stand_call(stand, arena_format(&stand->arena,
                                   "render '%s/half.npz' --reading raw --head L0H0 --quiet "
                                   "--view head -o raw.png",
                                   getenv("ATTNSCOPE_DUMPS")));
    for (size_t n = 0; (name = lab_result_name_at(LAB_RESULT_OF_EXPERIMENT, n)) != NULL; n++) {
        size_t works = 0;
        for (size_t e = 0; e < sizeof experiments / sizeof experiments[0]; e++) {
            stand_run(stand, arena_format(&stand->arena, "compute %s --select %s -o out.npz",
                                          experiments[e], name));
            if (stand->status == 0) {
                assert_true(has_array(stand, name));
                works++;
            } else {
                if (strstr(stand->complaint, "This experiment has no ") == NULL)
                    fail_msg("%s %s: %s", experiments[e], name, stand->complaint);
            }
        }
        if (works == 0) {
            fail_msg("no experiment has %s", name);
        }
    }
}

static void every_result_of_a_model_and_of_a_file_can_be_selected(void **state)
{
    static const struct {
        unsigned of;
        const char *variable, *file, *options;
    } cases[] = {
        {LAB_RESULT_OF_MODEL, "ATTNSCOPE_TINY", "", "--text 'the cat'"},
        {LAB_RESULT_OF_LAYER, "ATTNSCOPE_TINY", "", "--text 'the cat' --layer 1"},
        {LAB_RESULT_OF_DUMP, "ATTNSCOPE_DUMPS", "/half.npz", ""},
        {LAB_RESULT_OF_DUMP, "ATTNSCOPE_DUMPS", "/half.npz", "--reading raw"},
    };
    struct stand *const stand = *state;
    const char *name = NULL;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const char *const path =
            arena_format(&stand->arena, "%s%s", getenv(cases[c].variable), cases[c].file);
        for (size_t n = 0; (name = lab_result_name_at(cases[c].of, n)) != NULL; n++) {
            stand_run(stand, call_with(stand, "compute", path,
                                       arena_format(&stand->arena, "%s --select %s -o out.npz",
                                                    cases[c].options, name)));
            if (stand->status == 2 && strstr(stand->complaint, "This model has no ") != NULL) {
                assert_true(strstr(name, "target") || strstr(name, "encoder") ||
                            strstr(name, "cross"));
                continue;
            }
            const bool of_weights = strcmp(name, "matrix") != 0;
            if (cases[c].of == LAB_RESULT_OF_DUMP && of_weights == (cases[c].options[0] != 0)) {
                assert_int_equal(stand->status, 2); /* it is the other one */
                assert_non_null(strstr(stand->complaint, "--select "));
                continue;
            }
            assert_int_equal(stand->status, 0);
            assert_true(has_array(stand, strcmp(name, "block") == 0 ? "block_" : name));
        }
    }
}

/* The shapes have as many axes as the table says. */
static void arrays_have_the_axes_of_the_table(void **state)
{
    struct stand *const stand = *state;
    const struct lab_result *result = NULL;
    stand_call(stand, "compute --lesson ten -o out.npz");
    for (size_t r = 0; (result = lab_result_at(r)) != NULL; r++) {
        struct array array;
        if ((result->of & LAB_RESULT_OF_EXPERIMENT) != 0 &&
            npz_read_one(stand_content(stand, "out.npz"), result->name, &stand->arena, &array,
                         NULL)) {
            assert_int_equal(array.rank, strlen(result->axes));
        }
    }
}

static void an_unknown_name_is_told_with_where_names_are_listed(void **state)
{
    struct stand *const stand = *state;
    stand_refused(stand, "compute --select foo", 2,
                  "An experiment has no result “foo”; attnscope compute --help lists all results.");
    const char *const dump = arena_format(&stand->arena, "%s/half.npz", getenv("ATTNSCOPE_DUMPS"));
    stand_refused(stand, call_with(stand, "compute", dump, "--select repeated"), 2, "induction");
    stand_refused(stand, "compute --select W_DKV", 2, "This experiment has no W_DKV.");
    stand_refused(stand, "compute --select weihgts", 2, "did you mean weights?");
}

/* The scores are made of the arrays that the manual says they are made of. */
static void unit_queries_and_keys_give_the_scores(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {"--lesson cats", "--lesson ten --heads 2 --attention mqa",
                                        "--tokens 'a b c' --embedding random --positions rope"};
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        struct array q, k, s;
        stand_call(stand,
                   arena_format(&stand->arena, "compute %s --unit-qk on -o out.npz", calls[c]));
        const struct bytes file = stand_content(stand, "out.npz");
        assert_true(npz_read_one(file, "Q_unit", &stand->arena, &q, NULL) &&
                    npz_read_one(file, "K_unit", &stand->arena, &k, NULL) &&
                    npz_read_one(file, "scores", &stand->arena, &s, NULL));
        const size_t heads = s.shape[0], n = s.shape[1], m = s.shape[2], d = q.shape[2];
        for (size_t p = 0; p < heads * n * m; p++) {
            const size_t h = p / (n * m), i = p / m % n, j = p % m;
            const size_t group = h * k.shape[0] / heads;
            double sum = 0;
            for (size_t x = 0; x < d; x++) {
                sum += array_number(&q, (h * n + i) * d + x) *
                       array_number(&k, (group * m + j) * d + x);
            }
            assert_true(fabs(sum - array_number(&s, p)) < 1e-5);
        }
    }
}

/* All that can be selected anywhere is offered, once. */
static void the_shells_offer_each_name_once(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "completion bash");
    const char *const words = strstr(stand->output, "'compute --select') words='");
    assert_non_null(words);
    for (size_t n = 0; lab_result_name_at(LAB_RESULT_OF_DUMP, n) != NULL; n++) {
        const char *const name = lab_result_name_at(LAB_RESULT_OF_DUMP, n);
        const char *const found = strstr(words, name);
        assert_true(found != NULL && found < strchr(words, '\n'));
    }
    const char *const once = strstr(words, " weights ");
    assert_true(once != NULL && once < strchr(words, '\n'));
    const char *const again = strstr(once + 1, " weights ");
    assert_true(again == NULL || again > strchr(words, '\n'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(every_result_of_an_experiment_can_be_selected),
        STAND(every_result_of_a_model_and_of_a_file_can_be_selected),
        STAND(arrays_have_the_axes_of_the_table),
        STAND(an_unknown_name_is_told_with_where_names_are_listed),
        STAND(unit_queries_and_keys_give_the_scores),
        STAND(the_shells_offer_each_name_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

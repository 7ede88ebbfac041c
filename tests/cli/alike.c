/* The same call writes the same bytes: with every instruction set that this machine has, with one
 * thread or several, in a country that writes numbers with a comma, and on a screen of another
 * scale. A few calls each day, as many as ATTN_TEST_ROUNDS says before a release: every lesson at
 * every stage. */
#include <stdlib.h>
#include <string.h>

#include "../rounds.h"
#include "file/json.h"
#include "lab/experiment/stage.h"
#include "lab/lesson/lessons.h"
#include "stand.h"

/* Calls whose numbers are no round ones: sums of many products, sines, exponentials, tiles. */
static const struct {
    const char *arguments, *name;
} calls[] = {
    {"render --lesson ten --stage output", "ten.svg"},
    {"render --lesson ten --stage softmax --view stage --decimals 6", "digits.svg"},
    {"render --lesson cats --stage scale --scale 1 --size 700x500", "cats.png"},
    {"render --lesson cats --stage blend --text outlines --view space --size 500x500", "space.svg"},
    {"render --lesson ten --view heads --size 500x400", "heads.pdf"},
    {"compute --lesson ten", "ten.json"},
    {"compute --tokens 'a b c d e f g h i j k' --embedding random --weights random --heads 4 "
     "--positions rope --mask causal --temperature 0.7 --flash 4,3",
     "rope.json"},
    {"compute --tokens 'a b c d e f g' --embedding random --positions sinusoidal --weights random "
     "--attention latent:5 --heads 2",
     "latent.csv"},
    {"compute --tokens 'a b c d e' --context 'f g h' --embedding random --normalise share "
     "--attention mqa --heads 4 --weights random",
     "cross.npz"},
    {"describe --lesson ten --stage softmax", NULL},
};

enum { CALLS = sizeof calls / sizeof calls[0] };

/* One of the calls that the lessons and stages make, and the name of its file. */
static const char *call_of_lesson(struct stand *stand, size_t number, const char **name)
{
    static const char *const shapes[][2] = {
        {"render --lesson %s --stage %s --view window --size 1200x800", "svg"},
        {"render --lesson %s --stage %s --view stage", "pdf"},
        {"render --lesson %s --stage %s --view formula", "svg"},
        {"render --lesson %s --stage %s --view heads --size 500x400", "png"},
    };
    const size_t lessons = lab_lesson_count(), shape = number / lessons / LAB_STAGES % 4;
    const char *const lesson = lab_lesson_name(number % lessons);
    const char *const stage = lab_stage_row((enum lab_stage)(number / lessons % LAB_STAGES))->name;
    *name = arena_format(&stand->arena, "%zu.%s", number, shapes[shape][1]);
    return arena_format(&stand->arena, shapes[shape][0], lesson, stage);
}

/* Runs all calls into files of the folder `way`, with `more` behind each. */
static void run_all(struct stand *stand, const char *way, const char *more)
{
    assert_int_equal(stand_other(stand, arena_format(&stand->arena, "mkdir -p %s", way)), 0);
    for (size_t c = CALLS; c < test_rounds(CALLS); c++) {
        const char *name = NULL;
        const char *const call = call_of_lesson(stand, c - CALLS, &name);
        stand_call(stand, arena_format(&stand->arena, "%s %s -o %s/%s", call, more, way, name));
    }
    for (size_t c = 0; c < CALLS; c++) {
        const char *const arguments =
            arena_format(&stand->arena, "%s %s", calls[c].arguments, more);
        if (calls[c].name != NULL) {
            stand_call(stand,
                       arena_format(&stand->arena, "%s -o %s/%s", arguments, way, calls[c].name));
        } else {
            stand_call(stand, arguments);
            assert_int_equal(
                stand_other(stand, arena_format(&stand->arena, "cp output %s/said", way)), 0);
        }
    }
}

static void assert_alike(struct stand *stand, const char *way)
{
    if (stand_other(stand, arena_format(&stand->arena, "diff -rq first %s >differ", way)) != 0) {
        fail_msg("%s: %s", way, (const char *)stand_content(stand, "differ").at);
    }
}

static void every_instruction_set_writes_the_same_bytes(void **state)
{
    struct stand *const stand = *state;
    struct error error = {ERROR_NONE, 0, ""};
    stand_call(stand, "--version --json");
    struct json *const json =
        json_parse((struct bytes){(const uint8_t *)stand->output, strlen(stand->output)}, &error);
    const struct json *const sets = json_member(json, "instruction_sets");
    assert_true(json_count(sets) >= 1);
    run_all(stand, "first", "");
    for (size_t s = 0; s < json_count(sets); s++) {
        const char *set = NULL;
        assert_true(json_text(json_element(sets, s), &set));
        run_all(stand, set, arena_format(&stand->arena, "--isa %s", set));
        assert_alike(stand, set);
        assert_int_equal(setenv("ATTN_ISA", set, 1), 0);
    }
    run_all(stand, "machine", "");
    assert_int_equal(unsetenv("ATTN_ISA"), 0);
    assert_alike(stand, "machine");
    json_release(json);
}

static void any_number_of_threads_writes_the_same_bytes(void **state)
{
    struct stand *const stand = *state;
    run_all(stand, "first", "");
    run_all(stand, "seven", "--threads 7");
    assert_alike(stand, "seven");
}

/* A locale of our own: the machine need not have been asked for one. */
static void every_country_writes_the_same_bytes(void **state)
{
    static const char *const locales[] = {"de_DE", "tr_TR"};
    struct stand *const stand = *state;
    if (stand_other(stand, "command -v localedef >/dev/null") != 0) {
        skip();
    }
    run_all(stand, "first", "");
    assert_int_equal(setenv("LOCPATH", ".", 1), 0);
    for (size_t l = 0; l < sizeof locales / sizeof locales[0]; l++) {
        const char *const name = arena_format(&stand->arena, "%s.UTF-8", locales[l]);
        stand_other(stand, arena_format(&stand->arena, "localedef -i %s -f UTF-8 ./%s >said 2>&1",
                                        locales[l], name));
        if (stand_other(stand, arena_format(&stand->arena, "test -e %s/LC_NUMERIC", name)) != 0) {
            skip(); /* the sources of locales are not installed */
        }
        assert_int_equal(setenv("LC_ALL", name, 1), 0);
        assert_int_equal(stand_other(stand, "locale decimal_point | grep -q ,"), 0);
        run_all(stand, locales[l], "");
        assert_int_equal(unsetenv("LC_ALL"), 0);
        assert_alike(stand, locales[l]);
    }
    assert_int_equal(unsetenv("LOCPATH"), 0);
}

/* Another folder, another zone of time, another day, no home, stricter rights: all the same. */
static void every_place_and_time_writes_the_same_bytes(void **state)
{
    static const struct {
        const char *name, *value;
    } surroundings[] = {{"TZ", "Pacific/Kiritimati"},
                        {"TZ", "America/St_Johns"},
                        {"HOME", "/nonexistent"},
                        {"XDG_CONFIG_HOME", "/nonexistent"},
                        {"GDK_SCALE", "2"},
                        {"QT_SCALE_FACTOR", "1.75"},
                        {"LANG", "zh_CN.UTF-8"},
                        {"LANGUAGE", "de"},
                        {"COLUMNS", "20"}};
    struct stand *const stand = *state;
    run_all(stand, "first", "");
    for (size_t s = 0; s < sizeof surroundings / sizeof surroundings[0]; s++) {
        const char *const former = getenv(surroundings[s].name);
        const char *const kept =
            former == NULL ? NULL : arena_text(&stand->arena, former, strlen(former));
        assert_int_equal(setenv(surroundings[s].name, surroundings[s].value, 1), 0);
        run_all(stand, "there", "");
        assert_int_equal(kept == NULL ? unsetenv(surroundings[s].name)
                                      : setenv(surroundings[s].name, kept, 1),
                         0);
        assert_alike(stand, "there");
    }
}

static void a_set_that_is_asked_for_computes(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, "describe --lesson ten --verbose --isa ref");
    assert_non_null(strstr(stand->complaint, "plain C, 1 thread"));
    stand_refused(stand, "render --isa abacus -o a.svg", 2, "abacus");
    stand_refused(stand, "describe --isa abacus", 2, "abacus");
}

static void large_experiments_are_alike_too(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(stand_other(stand, "seq 1 300 >words"), 0);
    for (int set = 0; set < 2; set++) {
        stand_call(stand, set == 0 ? "compute --text-file words --embedding random --d-model 256 "
                                     "--heads 4 --weights random --isa ref -o ref.npz"
                                   : "compute --text-file words --embedding random --d-model 256 "
                                     "--heads 4 --weights random -o best.npz");
    }
    assert_int_equal(stand_other(stand, "cmp ref.npz best.npz"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_instruction_set_writes_the_same_bytes, stand_open,
                                        stand_close),
        cmocka_unit_test_setup_teardown(any_number_of_threads_writes_the_same_bytes, stand_open,
                                        stand_close),
        cmocka_unit_test_setup_teardown(every_country_writes_the_same_bytes, stand_open,
                                        stand_close),
        STAND(every_place_and_time_writes_the_same_bytes),
        STAND(a_set_that_is_asked_for_computes),
        STAND(large_experiments_are_alike_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

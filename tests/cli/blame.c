/* Which line taught a word, by the command line: the answer is that of train --without-line, and a
 * folder that cannot be asked is refused by name. */
#include "stand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../learn/trip.h"

#define TRAIN "train --task text --data trip.txt --rows lines --quiet "

static int open_trip(void **state)
{
    if (stand_open(state) != 0) {
        return -1;
    }
    struct stand *const stand = *state;
    FILE *const file = fopen(stand_path(stand, "trip.txt"), "w");
    if (file == NULL || fputs(trip_text, file) < 0 || fclose(file) != 0) {
        return -1;
    }
    stand_call(stand, TRAIN "-o trip");
    return 0;
}

/* Returns the number behind a key, from the first place of a mark on. */
static double number_behind(const char *text, const char *mark, const char *key)
{
    const char *const from = strstr(text, mark);
    assert_non_null(from);
    const char *const at = strstr(from, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static void a_word_has_its_line(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, "blame trip --word cake --text 'the bear eats'");
    assert_int_equal(stand->status, 0);
    assert_memory_equal(stand->output,
                        "{\n  \"word\": \"cake\",\n  \"id\": 17,\n  \"probability\": 0.49", 53);
    assert_non_null(strstr(stand->output, "\"unrelated\": 0.000"));
    assert_non_null(strstr(stand->output,
                           "\"sentences\": [\n    {\"line\": 10, \"text\": \"the bear "
                           "eats cake .\", \"count\": 1, \"similarity\": 0.0"));
    assert_non_null(strstr(stand->output, "\"repeated\": false, \"probability_without\": null, "
                                          "\"is_cause\": false}"));
    assert_non_null(strstr(stand->complaint, "without line 10 (“the bear eats cake .”), it says "
                                             "“cake” with < 0.1 % instead of 49.5 %."));
    /* Without --text it is asked where it first stands, and without --word for the likeliest. */
    char *const first = strdup(stand->output);
    assert_non_null(first);
    stand_call(stand, "blame trip --word cake --quiet --threads 1");
    assert_string_equal(stand->output, first);
    free(first);
    stand_run(stand, "blame trip --word cake");
    assert_non_null(strstr(stand->complaint, "Asked behind “the bear eats”, where “cake” stands"));
    stand_call(stand, "blame trip --text 'mia carries the' --quiet");
    assert_non_null(strstr(stand->output, "\"word\": \"map\""));
}

static void it_is_what_training_without_the_line_gives(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "blame trip --word eight --text 'the bus leaves at' --quiet");
    const double without =
        number_behind(stand->output, "\"line\": 3,", "\"probability_without\": ");
    stand_call(stand, TRAIN "--without-line 3 -o less");
    stand_call(stand, "blame less --word eight --text 'the bus leaves at' --quiet");
    assert_true(without == number_behind(stand->output, "", "\"probability\": "));
    assert_null(strstr(stand->output, "\"line\": 3,"));
}

/* The line that holds a word back is no cause of its being said. */
static void a_line_that_works_against_it_is_called_so(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, "blame trip --word eight --text 'the bus leaves at'");
    assert_int_equal(stand->status, 0);
    const char *const taught = strstr(stand->complaint, "Causes too: line ");
    const char *const against = strstr(stand->complaint, "Works against it: line 3 (");
    assert_non_null(taught);
    assert_non_null(against);
    assert_true(taught < against);
    assert_null(strstr(stand->complaint, "Asked behind")); /* it was said in the call */
}

static void answers_are_tables(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "blame trip --word eight --repeat each --quiet -o eight.csv");
    assert_int_equal(stand_other(stand,
                                 "test $(wc -l < eight.csv) = 41 && "
                                 "test $(grep -c ',yes,' eight.csv) = 40 && "
                                 "test $(grep -c ',yes$' eight.csv) = 3 && "
                                 "grep -q '^1,\"*the bus leaves at eight .\"*,2,' eight.csv"),
                     0);
    stand_call(stand, "blame trip --word eight --format markdown --quiet");
    assert_memory_equal(stand->output, "| line | text | count |", 23);
}

static void it_is_drawn_as_a_figure(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson taught --step 6 --view blame --quiet -o fish.png");
    stand_call(stand,
               "render --lesson taught --step 6 --view blame --word cake --quiet -o cake.png");
    assert_int_not_equal(stand_other(stand, "cmp -s fish.png cake.png"), 0);
    stand_refused(stand, "render --lesson taught --step 6 --view blame --word at -o x.png", 1,
                  "“at” is not among the likeliest next words.");
    stand_refused(stand, "render --lesson cats --view blame -o x.png", 1,
                  "--view blame asks weights that learn");
    stand_refused(stand, "render --lesson reverse --view blame -o x.png", 1,
                  "It learns from no text of lines");
}

/* A folder of the small world is asked for its sentences. */
static void a_sentence_of_the_small_world_has_its_number(void **state)
{
    struct stand *const stand = *state;
    static const char hammer[] =
        "{\"line\": 25, \"text\": \"the man buys a hammer . it is heavy .\"";
    stand_call(stand, "train --task small-world --steps 150 --quiet -o world");
    stand_call(stand, "train --task small-world --steps 150 --quiet --without-line 25 -o less");
    stand_run(stand, "blame world --word heavy --text 'the man buys a hammer . it is'");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(stand->complaint, "it says “heavy” with "));
    const double without = number_behind(stand->output, hammer, "\"probability_without\": ");
    stand_call(stand, "blame less --word heavy --text 'the man buys a hammer . it is' --quiet");
    assert_true(without == number_behind(stand->output, "", "\"probability\": "));
    assert_null(strstr(stand->output, hammer));
    stand_refused(stand, "train --task copy --steps 1 --without-line 3 -o x", 2,
                  "it goes with --rows lines or --task small-world");
}

static void folders_that_cannot_be_asked_are_refused(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "train --task text --data trip.txt --steps 2 --quiet -o windows");
    stand_call(stand, "train --task copy --steps 2 --quiet -o copy");
    stand_call(stand, TRAIN "--steps 3 -o short");
    stand_call(stand, TRAIN "--steps 3 --seed 2 -o other");
    static const struct {
        const char *call;
        int status;
        const char *says;
    } rows[] = {
        {"blame windows --word cake", 1, "\"windows\" was trained on windows"},
        {"blame copy --word cake", 1, "\"copy\" was not trained on the lines of a text"},
        {"blame", 2, "blame needs a folder"},
        {"blame missing --word cake", 1, "\"missing\" is no folder"},
        {"blame trip --word zebra", 1, "No line has the word “zebra”."},
        {"blame trip --word cake --text 'the zebra'", 1, "zebra"},
        {"blame trip", 2, "Which word is it about?"},
        {"blame trip --word cake -o x.png", 2, ".png"},
        {"blame trip --word cake --heads 2", 2, "--heads"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        stand_refused(stand, rows[r].call, rows[r].status, rows[r].says);
    }
    assert_int_equal(stand_other(stand, "cp other/model.safetensors short/model.safetensors"), 0);
    stand_refused(stand, "blame short --word cake", 1, "are not those that its recipe");
    assert_int_equal(stand_other(stand, "rm other/data.txt"), 0);
    stand_refused(stand, "blame other --word cake", 1, "data.txt");
}

#define TRIP(test) cmocka_unit_test_setup_teardown(test, open_trip, stand_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRIP(a_word_has_its_line),
        TRIP(it_is_what_training_without_the_line_gives),
        TRIP(a_line_that_works_against_it_is_called_so),
        TRIP(answers_are_tables),
        TRIP(it_is_drawn_as_a_figure),
        TRIP(a_sentence_of_the_small_world_has_its_number),
        TRIP(folders_that_cannot_be_asked_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

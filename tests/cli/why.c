/* why, ablate, patch and heads as a shell calls them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/json.h"
#include "file/npz.h"
#include "stand.h"

/* `CALL FOLDER OPTIONS` of the model inside, whose words are whole. */
static const char *of_world(struct stand *stand, const char *call, const char *options)
{
    return arena_format(&stand->arena,
                        "%s '%s/../../../assets/models/small-world' --text "
                        "'the man buys a hammer . it is' %s",
                        call, getenv("ATTNSCOPE_TINY"), options);
}

static double number_of(const struct json *object, const char *key)
{
    double value = NAN;
    if (!json_number(json_member(object, key), &value)) {
        fail_msg("there is no number %s", key);
    }
    return value;
}

static const char *text_of(const struct json *object, const char *key)
{
    const char *text = NULL;
    assert_true(json_text(json_member(object, key), &text));
    return text;
}

static struct json *answer(struct stand *stand, const char *arguments)
{
    stand_call(stand, arguments);
    struct json *const tree =
        json_parse((struct bytes){(const uint8_t *)stand->output, stand->output_size}, NULL);
    assert_non_null(tree);
    return tree;
}

static struct array array_in(struct stand *stand, const char *file, const char *name)
{
    struct array array;
    struct error error = {ERROR_NONE, 0, ""};
    if (!npz_read_one(stand_content(stand, file), name, &stand->arena, &array, &error)) {
        fail_msg("%s: %s", name, error.text);
    }
    return array;
}

static void parts_of_a_word_sum_to_its_logit(void **state)
{
    struct stand *const stand = *state;
    struct json *const why = answer(stand, of_world(stand, "why", "--word heavy --rival sweet"));
    const struct json *const parts = json_member(why, "parts");
    double sum = 0;
    for (size_t p = 0; p < json_count(parts); p++) {
        const struct json *const part = json_element(parts, p);
        sum += number_of(part, "value");
        if (strcmp(text_of(part, "name"), "MLP 1") == 0) { /* what the design's picture says */
            assert_true(fabs(number_of(part, "value") - 6.07) < 0.01);
        }
    }
    assert_string_equal(text_of(why, "word"), "heavy");
    assert_string_equal(text_of(why, "rival"), "sweet");
    assert_true(fabs(sum - number_of(why, "difference")) < 1e-4);
    assert_true(fabs(number_of(why, "logit") - number_of(why, "logit_rival") -
                     number_of(why, "difference")) < 1e-5);
    struct json *const alone = answer(stand, of_world(stand, "why", "--word heavy"));
    assert_true(fabs(number_of(alone, "logit") - number_of(why, "logit")) < 1e-6);
    assert_null(json_member(alone, "difference"));
    json_release(alone);
    assert_true(fabs(number_of(why, "remainder")) < 1e-4);
    assert_true(fabs(number_of(why, "probability") - 0.6676) < 1e-3);
    assert_int_equal(json_count(json_member(why, "lens")), 5 * 8);
    const struct json *const last = json_element(json_member(why, "lens"), 5 * 8 - 1);
    assert_string_equal(text_of(last, "after"), "mlp");
    assert_true(fabs(number_of(last, "rank") - 1) < 1e-9);
    json_release(why);
}

/* The likeliest word is meant without --word; a head's words sum to the head. */
static void arrays_and_tables_hold_the_same(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, of_world(stand, "why", "-o out.npz"));
    const struct array heads = array_in(stand, "out.npz", "attribution"),
                       words = array_in(stand, "out.npz", "attribution_words"),
                       lens = array_in(stand, "out.npz", "lens");
    assert_int_equal(words.rank, 3);
    assert_int_equal(lens.shape[0] * lens.shape[1] * lens.shape[2], 5 * 8 * 10);
    for (size_t h = 0; h < array_count(&heads); h++) {
        double sum = 0;
        for (size_t j = 0; j < words.shape[2]; j++) {
            sum += array_number(&words, h * words.shape[2] + j);
        }
        assert_true(fabs(sum - array_number(&heads, h)) < 1e-5);
    }
    stand_call(stand, of_world(stand, "why", "--format csv"));
    assert_non_null(strstr(stand->output, "part,value,word\nembedding,"));
    assert_non_null(strstr(stand->output, "\n\"MLP 1\","));
    stand_call(stand, of_world(stand, "ablate", "--word heavy --rival sweet --format csv"));
    assert_non_null(strstr(stand->output, "part,lost,\"difference without\","));
    assert_non_null(strstr(stand->output, ",heavy,sweet\n"));
    stand_call(stand, of_world(stand, "why", "--format latex"));
    assert_non_null(strstr(stand->output, "\\begin{tabular}{lrl}"));
    stand_call(stand, of_world(stand, "why", "-o parts.md"));
    const struct bytes table = stand_content(stand, "parts.md");
    assert_non_null(strstr((const char *)table.at,
                           "| part | value | word |\n| --- | ---: | --- |\n| embedding"));
}

/* Without L0H2, the head that reads "hammer", a food comes instead: heavy − sweet loses 9.34 with
 * zero, 2.71 with its mean, 11.07 where it is off at the last word alone (figures of the design).
 */
static void interventions_change_the_next_words_everywhere(void **state)
{
    static const struct {
        const char *options;
        double lost;
    } offs[] = {{"", 0},
                {"--without L0H2", 9.34},
                {"--without L0H2=mean", 2.71},
                {"--without L0H2@8", 11.07}};
    struct stand *const stand = *state;
    double whole = 0;
    for (size_t o = 0; o < sizeof offs / sizeof *offs; o++) {
        struct json *const why =
            answer(stand, of_world(stand, "why",
                                   arena_format(&stand->arena, "--word heavy --rival sweet %s",
                                                offs[o].options)));
        whole = o == 0 ? number_of(why, "difference") : whole;
        assert_true(fabs(whole - number_of(why, "difference") - offs[o].lost) < 0.01);
        json_release(why);
    }
    stand_call(stand, of_world(stand, "compute", "--select logits -o plain.npz"));
    stand_call(stand, of_world(stand, "compute", "--without L0H2 --select logits -o off.npz"));
    stand_call(stand, of_world(stand, "compute",
                               "--edge 'L0H2:is>hammer' --edge L0H2:7:5 --select weights,logits "
                               "-o edge.npz"));
    const struct array plain = array_in(stand, "plain.npz", "logits"),
                       off = array_in(stand, "off.npz", "logits"),
                       weights = array_in(stand, "edge.npz", "weights");
    const size_t heavy = 7 * plain.shape[1] + 34;
    assert_true(fabs(array_number(&plain, heavy) - array_number(&off, heavy) - 3.10) < 0.01);
    const size_t row = (2 * 8 + 7) * 8; /* L0H2, "is" */
    double sum = 0;
    for (size_t j = 0; j < 8; j++) {
        sum += array_number(&weights, row + j);
    }
    assert_true(fabs(array_number(&weights, row + 4)) < 1e-12 && fabs(sum - 1) < 1e-6);
}

static void every_head_and_mlp_is_taken_away_in_turn(void **state)
{
    struct stand *const stand = *state;
    struct json *const each =
        answer(stand, of_world(stand, "ablate", "--word heavy --rival sweet"));
    const struct json *const parts = json_member(each, "heads");
    assert_int_equal(json_count(parts), 2 * 4 + 2);
    const struct json *const head = json_element(parts, 2);
    assert_string_equal(text_of(head, "name"), "L0H2");
    assert_true(fabs(number_of(head, "lost") - 9.34) < 0.01);
    assert_true(number_of(head, "kl") > 1 && number_of(each, "loss") > 0);
    assert_true(fabs(number_of(each, "difference") - number_of(head, "difference_without") -
                     number_of(head, "lost")) < 1e-4);
    assert_true(fabs(number_of(each, "logit") - number_of(head, "logit_without") - 3.10) < 0.01);
    json_release(each);
    struct json *const some = answer(stand, of_world(stand, "ablate", "--heads L0H2,MLP1"));
    assert_int_equal(json_count(json_member(some, "heads")), 2);
    struct json *const off =
        answer(stand, of_world(stand, "ablate", "--without L0H2 --heads MLP1"));
    assert_true(fabs(number_of(off, "loss") - number_of(json_element(json_member(some, "heads"), 0),
                                                        "loss_without")) < 1e-6);
    json_release(off);
    json_release(some);
    stand_call(stand, of_world(stand, "ablate", "--loss off -o out.npz"));
    assert_int_equal(array_in(stand, "out.npz", "lost").shape[1], 4);
    assert_int_equal(array_in(stand, "out.npz", "lost_mlp").shape[0], 2);
    stand_call(stand, of_world(stand, "ablate", "--heads each=mean --format csv"));
    assert_non_null(strstr(stand->output, "\nL1H3,"));
    stand_call(stand,
               arena_format(&stand->arena,
                            "ablate '%s/../fixtures/bert' --ids '3 5 7' --query 2 --format csv",
                            getenv("ATTNSCOPE_TINY")));
}

/* Who told whom: L0H2 → MLP 0 6.49, MLP 0 → MLP 1 3.07, L0H2 → MLP 1 0.05 (the design's). */
static void texts_are_patched_and_paths_are_followed(void **state)
{
    static const struct {
        const char *path;
        double lost;
    } paths[] = {{"--from L0H2 --to 'MLP 0'", 6.49},
                 {"--from 'MLP 0' --to MLP1", 3.07},
                 {"--from L0H2 --to 'MLP 1'", 0.05}};
    struct stand *const stand = *state;
    struct json *const patch = answer(
        stand, of_world(stand, "patch",
                        "--changed 'the man buys a cake . it is' --word heavy --rival sweet"));
    double restored = NAN;
    const struct json *const first = json_element(json_member(patch, "restored"), 0);
    assert_true(json_number(json_element(first, 4), &restored) && fabs(restored - 1) < 1e-4);
    assert_true(json_number(json_element(first, 3), &restored) && fabs(restored) < 1e-4);
    assert_string_equal(text_of(patch, "what"), "residual");
    assert_true(fabs(number_of(patch, "logit_clean") - number_of(patch, "logit_rival_clean") -
                     number_of(patch, "difference_clean")) < 1e-5);
    assert_true(number_of(patch, "difference_changed") < 0);
    assert_string_equal(text_of(patch, "clean"), "the man buys a hammer . it is");
    json_release(patch);
    stand_call(stand, of_world(stand, "patch",
                               "--changed 'the man buys a cake . it is' --what head -o out.npz"));
    assert_int_equal(array_in(stand, "out.npz", "restored").shape[1], 4);
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        struct json *const path = answer(
            stand,
            of_world(stand, "patch",
                     arena_format(&stand->arena, "--word heavy --rival sweet %s", paths[p].path)));
        assert_true(fabs(number_of(path, "lost") - paths[p].lost) < 0.01);
        json_release(path);
    }
}

static void every_head_is_measured_over_texts(void **state)
{
    struct stand *const stand = *state;
    const char *const model = arena_format(
        &stand->arena, "heads '%s/../../../assets/models/small-world'", getenv("ATTNSCOPE_TINY"));
    struct json *const heads = answer(stand, arena_format(&stand->arena, "%s --probe 10", model));
    assert_int_equal(json_count(heads), 8);
    const struct json *const last = json_element(heads, 7);
    assert_true(fabs(number_of(last, "layer") - 1) < 1e-9);
    assert_true(number_of(last, "induction") > 0 && number_of(last, "induction_spread") > 0);
    assert_true(number_of(last, "positional") > 0 && number_of(last, "positional") < 1);
    json_release(heads);
    assert_int_equal(stand_other(stand, "printf 'the man buys a cake .\n\nthe man buys a saw . it "
                                        "is\n' > lines.txt"),
                     0);
    stand_call(stand, arena_format(&stand->arena, "%s --texts lines.txt -o out.npz", model));
    assert_int_equal(array_in(stand, "out.npz", "previous").shape[0], 2);
    stand_call(stand, arena_format(&stand->arena, "%s --text 'the man' --format csv", model));
    assert_non_null(strstr(stand->output,
                           "name,layer,head,group,\"group value\",previous,\"previous "
                           "spread\",induction"));
    assert_non_null(strstr(stand->output, "\nL1H3,"));
    assert_non_null(strstr(stand->output, "\nL1H3,1,3,"));
    struct json *const preset = answer(stand, model); /* as many as the model has places for */
    assert_int_equal(json_count(preset), 8);
    json_release(preset);
    stand_run(stand, arena_format(&stand->arena, "%s --text 'the man' --probe 4", model));
    assert_non_null(strstr(stand->complaint, "Heads are measured on --probe, --texts or one text"));
    assert_int_equal(stand_other(stand, "printf '\\n\\n' > none.txt"), 0);
    stand_run(stand, arena_format(&stand->arena, "%s --texts none.txt", model));
    assert_non_null(strstr(stand->complaint, "There is no text in none.txt"));
}

/* In the model inside a head finds the noun at "is"; thresholds move what a head is called by, and
 * the name goes with its number. */
static void heads_are_called_by_their_largest_measure(void **state)
{
    struct stand *const stand = *state;
    const char *const model = arena_format(&stand->arena,
                                           "heads '%s/../../../assets/models/small-world' --text "
                                           "'the man buys a hammer . it is'",
                                           getenv("ATTNSCOPE_TINY"));
    stand_call(stand, of_world(stand, "compute", "--select weights -o out.npz"));
    const struct array weights = array_in(stand, "out.npz", "weights");
    struct json *const preset = answer(stand, model);
    for (size_t h = 0; h < 8; h++) {
        const struct json *const head = json_element(preset, h);
        assert_true(fabs(number_of(head, "noun") - array_number(&weights, h * 64 + 7 * 8 + 4)) <
                    1e-6);
    }
    const struct json *const third = json_element(preset, 2);
    assert_string_equal(text_of(third, "group"), "noun");
    assert_true(fabs(number_of(third, "group_value") - number_of(third, "noun")) < 1e-9);
    json_release(preset);
    struct json *const moved =
        answer(stand, arena_format(&stand->arena, "%s --threshold 2,previous=0.1", model));
    for (size_t h = 0; h < 8; h++) {
        const struct json *const head = json_element(moved, h);
        const char *group = NULL;
        const bool is_called = json_text(json_member(head, "group"), &group) && group != NULL;
        assert_true(is_called == (number_of(head, "previous") >= 0.1));
        assert_true(!is_called || strcmp(group, "previous") == 0);
    }
    json_release(moved);
    stand_refused(stand, arena_format(&stand->arena, "%s --threshold much", model), 2,
                  "--threshold takes a number for all");
    stand_refused(stand, arena_format(&stand->arena, "%s --threshold inductoin=0.3", model), 2,
                  "did you mean induction");
    struct json *const other = answer(
        stand, arena_format(&stand->arena, "heads '%s' --probe 6", getenv("ATTNSCOPE_TINY")));
    assert_null(json_member(json_element(other, 0), "noun")); /* not of the small world */
    json_release(other);
}

/* A model that learned to repeat: the probe finds its induction heads, and without these five heads
 * a text that comes twice is no longer foretold. */
static void induction_heads_are_found_and_without_them_the_text_is_lost(void **state)
{
    struct stand *const stand = *state;
    char heads[64] = "L0H2"; /* and those of the upper layer */
    size_t found = 0;
    stand_call(stand, "train --task induction --steps 400 --quiet -o repeats");
    struct json *const measured = answer(stand, "heads repeats --probe 8 --threshold 0.3");
    for (size_t h = 4; h < 8; h++) {
        const struct json *const head = json_element(measured, h);
        const char *group = NULL;
        found += json_text(json_member(head, "group"), &group) && group != NULL &&
                         strcmp(group, "induction") == 0
                     ? 1
                     : 0;
        snprintf(heads + strlen(heads), sizeof heads - strlen(heads), ",L1H%zu", h - 4);
    }
    assert_true(found >= 2);
    json_release(measured);
    struct json *const ablated =
        answer(stand, arena_format(&stand->arena,
                                   "ablate repeats --ids '3 17 9 22 5 12 8 1 3 17 9 22 5 12 8 1' "
                                   "--heads %s",
                                   heads));
    assert_int_equal(json_count(json_member(ablated, "heads")), 5);
    assert_true(number_of(ablated, "loss_without") > number_of(ablated, "loss") + 0.5);
    json_release(ablated);
}

/* The number of a call of its own on line l. */
static double alone(struct stand *stand, const char *call, const char *options, const char *list,
                    size_t part, const char *key)
{
    struct json *const one =
        answer(stand, arena_format(&stand->arena, "%s '%s/../../../assets/models/small-world' %s",
                                   call, getenv("ATTNSCOPE_TINY"), options));
    const double value =
        number_of(list == NULL ? one : json_element(json_member(one, list), part), key);
    json_release(one);
    return value;
}

static void expect_mean(const struct json *object, const char *key, const double *values)
{
    char spread[64];
    const double mean = (values[0] + values[1]) / 2;
    snprintf(spread, sizeof spread, "%s_spread", key);
    assert_true(fabs(number_of(object, key) - mean) < 1e-5);
    assert_true(fabs(number_of(object, spread) - fabs(values[0] - values[1]) / 2) < 1e-5);
}

static const char *of_lines(struct stand *stand, const char *call, const char *options)
{
    return arena_format(&stand->arena,
                        "%s '%s/../../../assets/models/small-world' --texts lines.txt %s", call,
                        getenv("ATTNSCOPE_TINY"), options);
}

/* Two lines, one with a word and a rival of its own: mean and spread are those of calls of their
 * own. */
static void lines_of_a_file_have_the_mean_of_their_calls(void **state)
{
    static const char *const of[] = {
        "--text 'the man buys a hammer . it is' --word heavy --rival sweet",
        "--text 'the man buys a cake .' --word it --rival sweet"};
    struct stand *const stand = *state;
    double values[2];
    assert_int_equal(stand_other(stand, "printf 'the man buys a hammer . it is\theavy\n\n"
                                        "the man buys a cake .\n' > lines.txt"),
                     0);
    struct json *const why = answer(stand, of_lines(stand, "why", "--word it --rival sweet"));
    assert_int_equal(json_count(json_member(why, "lines")), 2);
    assert_string_equal(text_of(json_element(json_member(why, "lines"), 0), "word"), "heavy");
    for (size_t p = 0; p < json_count(json_member(why, "parts")); p++) {
        for (size_t l = 0; l < 2; l++) {
            values[l] = alone(stand, "why", of[l], "parts", p, "value");
        }
        expect_mean(json_element(json_member(why, "parts"), p), "value", values);
    }
    json_release(why);
    struct json *const ablate =
        answer(stand, of_lines(stand, "ablate", "--word it --rival sweet --heads L0H2,MLP1"));
    static const char *const keys[] = {"lost", "kl", "probability_without", "loss_without"};
    for (size_t k = 0; k < 4; k++) {
        for (size_t l = 0; l < 2; l++) {
            values[l] =
                alone(stand, "ablate", arena_format(&stand->arena, "%s --heads L0H2,MLP1", of[l]),
                      "heads", 0, keys[k]);
        }
        expect_mean(json_element(json_member(ablate, "heads"), 0), keys[k], values);
    }
    for (size_t l = 0; l < 2; l++) {
        values[l] =
            alone(stand, "ablate", arena_format(&stand->arena, "%s --heads L0H2,MLP1", of[l]), NULL,
                  0, "loss_without");
    }
    expect_mean(ablate, "loss_without", values);
    json_release(ablate);
    stand_call(stand, of_lines(stand, "ablate", "--format csv"));
    assert_non_null(strstr(stand->output, "part,lost,\"lost spread\","));
    stand_call(stand, of_lines(stand, "why", "-o out.npz"));
    assert_int_equal(array_in(stand, "out.npz", "attribution_spread").shape[1], 4);
}

static void pairs_of_a_file_have_the_mean_of_theirs(void **state)
{
    static const char *const of[] = {
        "--text 'the man buys a hammer . it is' --changed 'the man buys a "
        "cake . it is' --word heavy --rival sweet",
        "--text 'the man buys a saw . it is' --changed 'the man buys a "
        "apple . it is' --word heavy --rival sweet"};
    struct stand *const stand = *state;
    double values[2];
    assert_int_equal(
        stand_other(stand,
                    "printf 'the man buys a hammer . it is\tthe man buys a cake . it is\theavy"
                    "\tsweet\nthe man buys a saw . it is\tthe man buys a apple . it is\t"
                    "heavy\tsweet\n' > lines.txt"),
        0);
    for (size_t l = 0; l < 2; l++) {
        values[l] =
            alone(stand, "patch", arena_format(&stand->arena, "%s --from L0H2 --to 'MLP 0'", of[l]),
                  NULL, 0, "lost");
    }
    struct json *const path = answer(stand, of_lines(stand, "patch", "--from L0H2 --to 'MLP 0'"));
    expect_mean(path, "lost", values);
    json_release(path);
    for (size_t l = 0; l < 2; l++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "patch '%s/../../../assets/models/small-world' "
                                       "%s --what head -o one%zu.npz",
                                       getenv("ATTNSCOPE_TINY"), of[l], l));
    }
    stand_call(stand, of_lines(stand, "patch", "--what head -o out.npz"));
    const struct array one = array_in(stand, "one0.npz", "restored"),
                       two = array_in(stand, "one1.npz", "restored"),
                       mean = array_in(stand, "out.npz", "restored"),
                       spread = array_in(stand, "out.npz", "restored_spread");
    for (size_t c = 0; c < array_count(&mean); c++) {
        const double a = array_number(&one, c), b = array_number(&two, c);
        assert_true(fabs(array_number(&mean, c) - (a + b) / 2) < 1e-5);
        assert_true(fabs(array_number(&spread, c) - fabs(a - b) / 2) < 1e-5);
    }
    stand_call(stand, of_lines(stand, "patch", "--format csv"));
    assert_non_null(strstr(stand->output, "layer,place,restored,\"restored spread\"\n"));
}

static void a_line_that_cannot_be_asked_is_named(void **state)
{
    static const struct {
        const char *lines, *call, *options, *says;
    } cases[] = {
        {"the man\nthe man\theavy\tsweet\tmore\n", "why", "", "Line 2 has more than 3 fields"},
        {"the man\n\nthe man\theavyy\n", "ablate", "", "Line 3: “heavyy” is not in the model"},
        {"the man\n", "patch", "", "Line 1 has no second text"},
        {"the man\tthe man buys\n", "patch", "", "Line 1: The texts are of different lengths"},
        {"it is\tit goes\nthe man is\tthe man goes\n", "patch", "", "--what head takes any"},
        {"\n", "why", "", "There is no text in lines.txt"},
        {"the man\n", "why", "--text 'the man'", "Either --texts or --text"},
    };
    struct stand *const stand = *state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_int_equal(stand_other(stand, arena_format(&stand->arena, "printf '%s' > lines.txt",
                                                         cases[c].lines)),
                         0);
        stand_run(stand, of_lines(stand, cases[c].call, cases[c].options));
        if (stand->status == 0 || strstr(stand->complaint, cases[c].says) == NULL) {
            fail_msg("%s: %s", cases[c].lines, stand->complaint);
        }
    }
}

/* One head has the numbers that it has among all; its matrices are whole in a small vocabulary. */
static void circuits_are_of_the_weights_alone(void **state)
{
    struct stand *const stand = *state;
    const char *const call =
        arena_format(&stand->arena, "circuits '%s/../../../assets/models/small-world'",
                     getenv("ATTNSCOPE_TINY"));
    struct json *const all = answer(stand, call);
    assert_int_equal(json_count(json_member(all, "heads")), 8);
    assert_int_equal(json_count(json_member(all, "composition")), 16);
    struct json *const one = answer(stand, arena_format(&stand->arena, "%s --head L0H2", call));
    const struct json *const among = json_element(json_member(all, "heads"), 2);
    assert_true(fabs(number_of(one, "copying") - number_of(among, "copying")) < 1e-5);
    assert_int_equal(json_count(json_member(one, "composition")), 4);
    const struct json *const to = json_element(json_member(one, "composition"), 3),
                             *const same = json_element(json_member(all, "composition"), 11);
    assert_string_equal(text_of(to, "to"), "L1H3");
    assert_string_equal(text_of(same, "from"), "L0H2");
    assert_true(fabs(number_of(to, "K") - number_of(same, "K")) < 1e-6);
    const struct json *const top = json_element(json_member(json_member(one, "ov"), "top"),
                                                0); /* a tool makes "is" likelier */
    const char *word = NULL;
    assert_true(json_text(json_element(top, 0), &word) && strcmp(word, "axe") == 0);
    assert_true(json_text(json_element(top, 1), &word) && strcmp(word, "is") == 0);
    stand_call(stand, arena_format(&stand->arena, "%s --head L0H2 -o out.npz", call));
    const struct array ov = array_in(stand, "out.npz", "ov");
    double largest = 0, value = NAN;
    for (size_t i = 0; i < array_count(&ov); i++) {
        largest = fmax(largest, array_number(&ov, i));
    }
    assert_true(json_number(json_element(top, 2), &value) && fabs(value - largest) < 1e-6);
    assert_int_equal(array_in(stand, "out.npz", "composition_V").rank, 4);
    stand_call(stand, arena_format(&stand->arena, "%s --format csv", call));
    assert_non_null(strstr(stand->output, "name,layer,head,copying,"));
    assert_non_null(strstr(stand->output, "\nL1H3,1,3,-0.5"));
    stand_refused(stand, arena_format(&stand->arena, "%s --head 3", call), 2, "such as L0H1");
    stand_refused(stand, arena_format(&stand->arena, "%s --head L2H0", call), 1,
                  "There is no head 0 in layer 2");
    stand_refused(stand, "circuits", 2, "This call is about a model: name its folder or a GGUF.");
    json_release(one);
    json_release(all);
}

/* Made where they are named alone: ‖α v‖ has the zeros of α, and rows of rollout sum to 1. */
static void weights_are_weighed_where_that_is_named(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, of_world(stand, "compute",
                               "--select weights,value_weights,output_weights,rollout -o out.npz"));
    const struct array weights = array_in(stand, "out.npz", "weights"),
                       values = array_in(stand, "out.npz", "value_weights"),
                       outputs = array_in(stand, "out.npz", "output_weights"),
                       rollout = array_in(stand, "out.npz", "rollout");
    assert_int_equal(array_count(&values), array_count(&weights));
    assert_int_equal(array_count(&outputs), array_count(&weights));
    for (size_t p = 0; p < array_count(&weights); p++) {
        assert_true((array_number(&weights, p) > 0) == (array_number(&values, p) > 0));
    }
    assert_int_equal(array_count(&rollout), 2 * 8 * 8);
    for (size_t i = 0; i < 16; i++) {
        double sum = 0;
        for (size_t j = 0; j < 8; j++) {
            sum += array_number(&rollout, i * 8 + j);
        }
        assert_true(fabs(sum - 1) < 1e-5);
    }
    stand_call(stand, of_world(stand, "compute", "-o all.npz"));
    struct array none;
    assert_false(
        npz_read_one(stand_content(stand, "all.npz"), "rollout", &stand->arena, &none, NULL));
}

/* `render FOLDER --view VIEW OPTIONS` on the same text. */
static const char *picture_of(struct stand *stand, const char *options)
{
    return arena_format(&stand->arena,
                        "render '%s/../../../assets/models/small-world' --tokens "
                        "'the man buys a hammer . it is' --text text -o why.svg %s",
                        getenv("ATTNSCOPE_TINY"), options);
}

static bool is_drawn(struct stand *stand, const char *words)
{
    const struct bytes svg = stand_content(stand, "why.svg");
    const char *const text = arena_text(&stand->arena, (const char *)svg.at, svg.size);
    return strstr(text, words) != NULL;
}

static void pictures_show_what_the_calls_compute(void **state)
{
    static const struct {
        const char *options, *shows[3];
    } cases[] = {
        {"--view why --word heavy --rival sweet", {"8.33 more", "+9.34", "+6.07"}},
        {"--view attribution --rival sweet", {"MLP 1", "+6.07", "+4.55"}},
        {"--view attribution --rival sweet --size 85mm",
         {"adds to heavy − sweet", "lost without it", "The logit of “heavy” − “sweet” is +8.33"}},
        {"--view why --word heavy --rival sweet --size 85mm", /* a column of a page */
         {"+9.34", "output bias", "67 %"}},
        {"--view why --rival sweet --size 120mm",
         {"MLP 0 → MLP 1 +3.07", "after each part", "Most is lost without L0H2: +9.34"}},
        {"--view why --word heavy --rival sweet --size 160mm --without L0H2",
         {"With L0H2 off: ", "8.33 → −1.00", "66.8 → 12.6 %"}},
        {"--view attribution --word heavy --rival sweet --without MLP0=mean",
         {"with MLP 0 at its mean", "With MLP 0 at its mean: ", "The model is changed: MLP 0"}},
        {"--view lens --word heavy --edge 'L0H2:is>hammer'",
         {"with L0H2 is → hammer masked", "p(heavy)", "att 0"}},
        {"--view effects --word heavy --rival sweet --set 'L0H1.alpha[8,5]=0.4'",
         {"With L0H1.alpha[8,5] = 0.40", "H3", "L1"}},
        {"--view why --word heavy --rival sweet --without L0H2=mean", /* in the first layer, too */
         {"With L0H2 at its mean", "8.33 → 5.62",
          "What L0H2 gives here is replaced: it adds +0.14, whatever it looks at;"}},
        {"--view why --word heavy --rival sweet --without L1H1@7 --size 160mm", /* not here */
         {"8.33 → ", "With L1H1@7 off", "L0H2 looks at “hammer”"}},
        {"--view effects --word heavy --rival sweet --without L0H2@8",
         {"With L0H2@8 off", "H3", "L1"}},
        {"--view glance --without L0H2=mean", {"L0", "L1", "H3"}},
        {"--view effects --rival sweet", {"+9.34", "+0.16", "L1"}},
        {"--view lens", {"attention 1", "67 %", "p(heavy)"}},
        {"--view circuit", {"+0.55", "L0H2 → Q · L1H2", "copies, −1 to 1; most L1H2: 0.55"}},
        {"--view circuit --head L0H2", {"+0.72", "−0.30", "makes which likelier: axe → is 0.72"}},
        {"--view patch --rival sweet --changed 'the man eats a cake . it is'",
         {"hammer → cake", ">0.99<", "Most comes back by residual 0 at “hammer → cake”: 0.99"}},
        {"--view patch --rival sweet --changed 'the man eats a cake . it is' --what head",
         {">0.96<", "0 is nothing (−8.90), 1 is all (8.33)", "Most comes back by L0H2: 0.96"}},
        {"--view patch --rival sweet --changed 'the man eats a cake . it is' --what value",
         {">H3<", "the values V of a head", "Clean → changed: buys → eats, hammer → cake"}},
        {"--view patch --changed 'the man buys a cake . it is' --what alpha --size 85mm",
         {">L1<", "the weights α of a head", "Clean → changed: hammer → cake"}},
    };
    struct stand *const stand = *state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        stand_call(stand, picture_of(stand, cases[c].options));
        for (size_t s = 0; s < 3; s++) {
            if (!is_drawn(stand, cases[c].shows[s])) {
                fail_msg("%s does not show %s", cases[c].options, cases[c].shows[s]);
            }
        }
    }
}

static void pictures_refuse_what_they_cannot_show(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, picture_of(stand, "--view why --word heavyy"));
    assert_non_null(strstr(stand->complaint, "“heavyy” is not in the model's vocabulary"));
    stand_run(stand, picture_of(stand, "--view stage --word heavy"));
    assert_non_null(strstr(stand->complaint, "--word changes nothing in --view stage"));
    stand_run(stand,
              picture_of(stand, "--view why --patch 'MLP 0 from the man eats a cake . it is'"));
    assert_non_null(strstr(stand->complaint, "--patch changes nothing in --view why"));
    stand_run(stand, picture_of(stand, "--view circuit --without L0H2"));
    assert_non_null(strstr(stand->complaint, "--without changes nothing in --view circuit"));
    stand_refused(stand, "render --lesson cats --view circuit -o x.svg", 2,
                  "--view circuit takes a model");
    stand_refused(stand, "render --lesson cats --view patch -o x.svg", 2,
                  "--view patch takes a model and two texts");
    static const struct {
        const char *options, *says;
    } refused[] = {
        {"--view patch", "--view patch takes a model and two texts"},
        {"--view patch --changed 'the man'", "of different lengths: 8 tokens and 2"},
        {"--view patch --changed 'the man buys a hammer . it is'", "give almost the same logit"},
        {"--view patch --changed 'the man buys a cake . it is' --word heavy --rival useful",
         "give almost the same logit, 0.6997 and 0.6906"},
        {"--view patch --changed 'the man eats a cake . it is' --without L0H2",
         "--without changes nothing in --view patch"},
        {"--view patch --changed 'the man eats a cake . it is' --word heavy --rival heavy",
         "are the same token"},
        {"--view why --changed 'the man eats a cake . it is'",
         "--changed changes nothing in --view why"},
        {"--view lens --what head", "--what changes nothing in --view lens"},
    };
    for (size_t r = 0; r < sizeof refused / sizeof *refused; r++) {
        stand_run(stand, picture_of(stand, refused[r].options));
        if (strstr(stand->complaint, refused[r].says) == NULL) {
            fail_msg("%s: %s", refused[r].options, stand->complaint);
        }
    }
}

static size_t strokes_in(struct stand *stand)
{
    const struct bytes svg = stand_content(stand, "why.svg");
    const char *at = arena_text(&stand->arena, (const char *)svg.at, svg.size);
    size_t strokes = 0;
    for (; (at = strstr(at, "<path")) != NULL; at++) {
        strokes++;
    }
    return strokes;
}

/* Two strokes a head, in the view and in the figure; a head that is off at one word alone has none.
 */
static void heads_that_are_off_are_crossed_out_among_all(void **state)
{
    static const char *const forms[] = {"", "--figure"};
    struct stand *const stand = *state;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        stand_call(stand,
                   picture_of(stand, arena_format(&stand->arena, "--view glance %s", forms[f])));
        const size_t whole = strokes_in(stand);
        stand_call(stand, picture_of(stand, arena_format(&stand->arena,
                                                         "--view glance --without L0H2,L1H1 %s",
                                                         forms[f])));
        assert_int_equal(strokes_in(stand), whole + 4);
        stand_call(stand,
                   picture_of(stand, arena_format(&stand->arena,
                                                  "--view glance --without L1H1@8 %s", forms[f])));
        assert_int_equal(strokes_in(stand), whole);
    }
}

static void what_is_wrong_is_said_in_one_sentence(void **state)
{
    static const struct {
        const char *call, *options, *says;
    } cases[] = {
        {"why", "--word heavyy", "“heavyy” is not in the model's vocabulary"},
        {"why", "--word heavy --rival heavy", "are the same token"},
        {"why", "--without L7H0", "There is no head 0 in layer 7"},
        {"why", "--without MLP7", "There is no layer 7 with mlp: the last one is layer "},
        {"why", "--without MLP7N1", "There is no layer 7 with neurons"},
        {"why", "--without sun", "--without takes parts such as L0H1"},
        {"why", "--edge 'L0H1:is>saw'", "There is no word “saw” in the text"},
        {"why", "--edge 'L0H1:man>is'", "Word 2 does not see word 8 in layer 0"},
        {"why", "--set 'L0H1.alpha[9,1]=1'", "alpha has no row 9: there are 8"},
        {"why", "--patch 'L0H1 from the man'", "of different lengths: 8 tokens and 2"},
        {"ablate", "--heads L0H9", "There is no head 9 in layer 0"},
        {"ablate", "--heads every", "--without takes parts"},
        {"ablate", "--query sun", "There is no word “sun” in the text"},
        {"patch", "", "patch compares two texts"},
        {"patch", "--changed 'the man'", "of different lengths: 8 tokens and 2"},
        {"patch", "--changed 'the man buys a cake . it is' --word heavy --rival useful",
         "a share of less than 0.05 is noise"},
        {"patch", "--from L0H1", "A path is --from and --to"},
        {"patch", "--from L0H1 --to sun", "A path is --from and --to"},
        {"patch", "--from L1H1 --to L0H1", "stands before its receiver"},
        {"patch", "--from L0H1 --to MLP0 --what head", "Either --what"},
        {"why", "--format png", "format"},
        {"why", "-o out.png", "This call writes no files called .png"},
        {"why", "--heads 3", "does not belong to this call"},
    };
    struct stand *const stand = *state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        stand_run(stand, of_world(stand, cases[c].call, cases[c].options));
        assert_true(stand->status == 1 || stand->status == 2);
        if (strstr(stand->complaint, cases[c].says) == NULL) {
            fail_msg("%s %s: %s", cases[c].call, cases[c].options, stand->complaint);
        }
    }
    stand_run(stand, arena_format(&stand->arena, "why '%s/../fixtures/bert' --ids '3 5 7'",
                                  getenv("ATTNSCOPE_TINY")));
    assert_non_null(strstr(stand->complaint, "on the command line attnscope ablate, patch and"));
    stand_run(stand, "compute --without L0H1");
    assert_non_null(strstr(stand->complaint, "--without changes nothing here: it is for a model"));
    stand_run(stand, "why --text 'the cat'");
    assert_non_null(strstr(stand->complaint, "This call is about a model"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(parts_of_a_word_sum_to_its_logit),
        STAND(arrays_and_tables_hold_the_same),
        STAND(interventions_change_the_next_words_everywhere),
        STAND(every_head_and_mlp_is_taken_away_in_turn),
        STAND(texts_are_patched_and_paths_are_followed),
        STAND(every_head_is_measured_over_texts),
        STAND(heads_are_called_by_their_largest_measure),
        STAND(induction_heads_are_found_and_without_them_the_text_is_lost),
        STAND(lines_of_a_file_have_the_mean_of_their_calls),
        STAND(pairs_of_a_file_have_the_mean_of_theirs),
        STAND(a_line_that_cannot_be_asked_is_named),
        STAND(circuits_are_of_the_weights_alone),
        STAND(weights_are_weighed_where_that_is_named),
        STAND(pictures_show_what_the_calls_compute),
        STAND(pictures_refuse_what_they_cannot_show),
        STAND(heads_that_are_off_are_crossed_out_among_all),
        STAND(what_is_wrong_is_said_in_one_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A matrix that is no attention: any numbers, shown as they are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "file/npz.h"
#include "stand.h"

/* Correlations: of both signs, with 1 on the diagonal. */
static const char signed_text[] =
    "{\"tokens\": [\"a\", \"b\", \"c\"], \"matrix\": [[1, -0.5, 0.25], [-0.5, 1, -0.75], "
    "[0.25, -0.75, 1]]}";

static void put_text(struct stand *stand, const char *name, const char *text)
{
    const struct bytes content = {(const uint8_t *)text, strlen(text)};
    assert_true(file_write(stand_path(stand, name), content, NULL));
}

/* The text of the picture that is left after a call. */
static const char *picture_of(struct stand *stand, const char *name)
{
    const struct bytes content = stand_content(stand, name);
    return arena_format(&stand->arena, "%.*s", (int)content.size, (const char *)content.at);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        count++;
    }
    return count;
}

/* No softmax is taken of it, and none of its numbers is lost. */
static void its_numbers_stay_as_they_are(void **state)
{
    struct stand *const stand = *state;
    static const double numbers[] = {1, -0.5, 0.25, -0.5, 1, -0.75, 0.25, -0.75, 1};
    struct array matrix;
    struct error error = {ERROR_NONE, 0, ""};
    put_text(stand, "r.json", signed_text);
    stand_call(stand, "compute r.json --reading raw -o r.npz");
    assert_true(
        npz_read_one(stand_content(stand, "r.npz"), "matrix", &stand->arena, &matrix, &error));
    assert_int_equal(array_count(&matrix), 9);
    for (size_t i = 0; i < 9; i++) {
        assert_true(array_number(&matrix, i) == numbers[i]);
    }
    assert_false(
        npz_read_one(stand_content(stand, "r.npz"), "weights", &stand->arena, &matrix, &error));
    stand_call(stand, "info r.json --reading raw");
    assert_non_null(strstr(stand->output, "r.json: an array (json)"));
    assert_non_null(strstr(stand->output, "a raw matrix of 1 layer"));
}

/* Nothing is said that is true of weights alone, in no view and no text. */
static void nothing_is_said_about_weights(void **state)
{
    struct stand *const stand = *state;
    static const char *const views[] = {"window", "stage",  "heads",  "head",
                                        "matrix", "glance", "formula"};
    static const char *const untrue[] = {"\u03b1",  "weight",     "Weight",   "share",
                                         "sum",     "entropy",    "softmax(", "looks at",
                                         "attends", "keys \u2014"};
    put_text(stand, "r.json", signed_text);
    stand_call(stand, "describe r.json --reading raw --query 2");
    assert_non_null(strstr(stand->output, "A matrix as it is given"));
    assert_non_null(strstr(stand->output,
                           "In the row of \u201cb\u201d the largest number is 1.00 at "
                           "\u201cb\u201d, the smallest \u22120.75 at \u201cc\u201d."));
    for (size_t u = 0; u < sizeof untrue / sizeof *untrue; u++) {
        assert_null(strstr(stand->output, untrue[u]));
    }
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        stand_run(stand, arena_format(&stand->arena,
                                      "render r.json --reading raw --view %s --size 1440x900 "
                                      "-o %s.svg",
                                      views[v], views[v]));
        assert_int_equal(stand->status, 0);
        const char *const picture =
            picture_of(stand, arena_format(&stand->arena, "%s.svg", views[v]));
        for (const char *at = strstr(picture, "<text"); at != NULL; at = strstr(at + 1, "<text")) {
            const char *const text = arena_format(
                &stand->arena, "%.*s", (int)strcspn(strchr(at, '>'), "<"), strchr(at, '>'));
            for (size_t u = 0; u < sizeof untrue / sizeof *untrue; u++) {
                if (strstr(text, untrue[u]) != NULL && strstr(text, "no weights") == NULL &&
                    strcmp(text, ">shares.") != 0) {
                    fail_msg("--view %s says “%s”", views[v], text + 1);
                }
            }
        }
    }
}

/* 1 and −1 have the ends of the signed map, 0 its middle, in every view of cells. */
static void its_colours_have_two_sides(void **state)
{
    struct stand *const stand = *state;
    static const char *const views[] = {"head", "matrix", "heads"};
    put_text(stand, "r.json", "{\"m\": [[2, -2, 0], [2, -2, 0], [-2, -2, 2]]}");
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "render r.json --reading raw --view %s --marks off "
                                       "--values off --colourbar off --size 85mm -o %s.svg",
                                       views[v], views[v]));
        const char *const picture =
            picture_of(stand, arena_format(&stand->arena, "%s.svg", views[v]));
        assert_int_equal(count_of(picture, "#67001f"), 3);
        assert_int_equal(count_of(picture, "#053061"), 4);
        assert_true(count_of(picture, "#f7f7f7") >= 2);
    }
    stand_call(stand,
               "render r.json --reading raw --view head --figure --range=-1,1 --colormap puor "
               "--size 85mm -o f.svg");
    const char *const picture = picture_of(stand, "f.svg");
    assert_non_null(strstr(picture, ">\u22651.0<")); /* the bar says that some lie beyond */
    assert_non_null(strstr(picture, ">\u2264\u22121.0<"));
}

/* A cell without a number is empty; what is no number of a matrix is refused. */
static void gaps_are_empty_and_infinity_is_refused(void **state)
{
    struct stand *const stand = *state;
    put_text(stand, "gaps.csv", "1,,-3\n4,5,6\n-7,8,9\n");
    stand_run(stand, "describe gaps.csv --reading raw --query 1");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(stand->complaint, "empty cells (1)"));
    stand_run(stand, "render gaps.csv --reading raw --view head --size 85mm -o gaps.svg");
    assert_int_equal(stand->status, 0);
    put_text(stand, "inf.csv", "1,inf\n2,3\n");
    stand_refused(stand, "describe inf.csv --reading raw", 1, "is inf: it has no colour");
}

/* The refusal says what works here. */
static void options_for_weights_are_refused(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *call, *says;
    } cases[] = {
        {"render r.json --reading raw --colours log -o x.svg", "have no logarithm"},
        {"render r.json --reading raw --colormap magma -o x.svg", "--colormap rdbu or puor"},
        {"render r.json --reading raw --range 0,1 -o x.svg", "--range -4,4"},
        {"render r.json --reading raw --view glance --sinks aside -o x.svg", "only weights have"},
        {"render r.json --reading raw --stage softmax --change -o x.svg",
         "no other stage is known"},
        {"compute r.json --reading raw --select entropy", "--select matrix"},
        {"compute r.json --reading raw --select weights", "--select matrix"},
        {"describe --tokens 'a b' --normalise none", "Only a matrix that is given"},
    };
    put_text(stand, "r.json", signed_text);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        stand_run(stand, cases[c].call);
        assert_true(stand->status == 1 || stand->status == 2);
        if (strstr(stand->complaint, cases[c].says) == NULL) {
            fail_msg("%s: %s", cases[c].call, stand->complaint);
        }
    }
    stand_refused(stand, "compute r.json", 1, "As it is: --reading raw");
}

/* However small a table is, it is the cell with the mistake that is named. */
static void a_cell_that_is_no_number_is_named(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"q,the,cat\nthe,0.2,x\ncat,0.5,0.5\n", "Line 2, column 3: \"x\" is not a number."},
        {"q;the;cat\nthe;0,2;x\ncat;0,5;0,5\n", "Line 2, column 3: \"x\" is not a number."},
        {",a,b,c\na,1,x,2\nb,1,2,3\nc,1,2,3\n", "Line 2, column 3: \"x\" is not a number."},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        put_text(stand, "wrong.csv", cases[c].text);
        stand_refused(stand, "render wrong.csv --view matrix -o x.png", 1, cases[c].says);
        stand_refused(stand, "info wrong.csv", 1, cases[c].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(its_numbers_stay_as_they_are),    STAND(nothing_is_said_about_weights),
        STAND(its_colours_have_two_sides),      STAND(gaps_are_empty_and_infinity_is_refused),
        STAND(options_for_weights_are_refused), STAND(a_cell_that_is_no_number_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

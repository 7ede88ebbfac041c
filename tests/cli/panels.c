/* Figures of several panels: A against B, and those of a file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stand.h"

static const char *text_of(struct stand *stand, const char *name)
{
    return (const char *)stand_content(stand, name).at; /* a 0 follows */
}

static void write_text(struct stand *stand, const char *name, const char *text)
{
    FILE *const file = fopen(stand_path(stand, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* How often a text stands in a picture. */
static size_t texts_in(struct stand *stand, const char *svg, const char *text)
{
    const char *const element = arena_format(&stand->arena, ">%s</text>", text);
    size_t count = 0;
    for (const char *at = text_of(stand, svg); (at = strstr(at, element)) != NULL; at++) {
        count++;
    }
    return count;
}

/* The cells of all panels: rectangles with round corners. */
enum { CELLS_MAX = 512 };
struct cells {
    double x[CELLS_MAX], y[CELLS_MAX], wide[CELLS_MAX], high[CELLS_MAX];
    size_t count;
};

static struct cells cells_in(struct stand *stand, const char *svg)
{
    struct cells cells = {.count = 0};
    for (const char *at = text_of(stand, svg); (at = strstr(at, "<rect x=")) != NULL; at++) {
        double radius = 0;
        const size_t c = cells.count;
        if (sscanf(at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\" rx=\"%lf\"",
                   &cells.x[c], &cells.y[c], &cells.wide[c], &cells.high[c], &radius) == 5) {
            cells.count++;
            assert_true(cells.count < CELLS_MAX);
        }
    }
    return cells;
}

/* How many different numbers there are. */
static size_t kinds_of(const double *numbers, size_t count)
{
    size_t kinds = 0;
    for (size_t n = 0; n < count; n++) {
        bool is_new = true;
        for (size_t other = 0; other < n; other++) {
            is_new = is_new && fabs(numbers[n] - numbers[other]) > 0.02;
        }
        kinds += is_new;
    }
    return kinds;
}

static void assert_aligned(struct stand *stand, const char *svg, size_t panels, size_t side)
{
    const struct cells cells = cells_in(stand, svg);
    assert_int_equal(cells.count, panels * side * side);
    assert_int_equal(kinds_of(cells.wide, cells.count), 1);
    assert_int_equal(kinds_of(cells.high, cells.count), 1);
    assert_int_equal(kinds_of(cells.y, cells.count), side);
    assert_int_equal(kinds_of(cells.x, cells.count), panels * side);
}

static void make_arrays(struct stand *stand)
{
    stand_call(stand, "compute --tokens 'a b c d' --embedding random --select weights -o a.npy");
    stand_call(stand,
               "compute --tokens 'a b c d' --embedding random --seed 7 --select weights -o b.npy");
}

static void a_against_b_are_three_panels_with_cells_alike(void **state)
{
    struct stand *const stand = *state;
    make_arrays(stand);
    stand_call(stand, "render a.npy --against b.npy --tokens 'the cat sat down' --size 174mm "
                      "--range 0,0.8 --bar-title weight -o f.svg -o f.pdf -o f.png");
    assert_aligned(stand, "f.svg", 3, 4);
    assert_int_equal(texts_in(stand, "f.svg", "A"), 1);
    assert_int_equal(texts_in(stand, "f.svg", "B"), 1);
    assert_int_equal(texts_in(stand, "f.svg", "A − B"), 1);
    assert_int_equal(texts_in(stand, "f.svg", "query"), 3);
    assert_int_equal(texts_in(stand, "f.svg", "down"), 6);
    assert_int_equal(texts_in(stand, "f.svg", "≥0.8"), 1); /* one bar for A and B */
    assert_int_equal(texts_in(stand, "f.svg", "weight"), 1);
    assert_non_null(strstr(text_of(stand, "f.svg"), " width=\"493.23pt\""));
    assert_non_null(strstr(text_of(stand, "f.svg"), "A − B: The difference"));
    assert_memory_equal(text_of(stand, "f.pdf"), "%PDF-", 5);
    assert_memory_equal(text_of(stand, "f.png"), "\x89PNG", 4);
}

static void the_difference_has_the_numbers_of_a_less_those_of_b(void **state)
{
    struct stand *const stand = *state;
    write_text(stand, "a.csv", "x,y\n0.75,0.25\n0.5,0.5\n");
    write_text(stand, "b.csv", "x,y\n0.25,0.75\n0.5,0.5\n");
    stand_call(stand, "render a.csv --against b.csv --size 174mm --decimals 3 -o f.svg");
    assert_int_equal(texts_in(stand, "f.svg", "0.500"), 5); /* two of A, two of B, one of both */
    assert_int_equal(texts_in(stand, "f.svg", "−0.500"), 1);
    assert_int_equal(texts_in(stand, "f.svg", "0.750"), 2);
    assert_int_equal(texts_in(stand, "f.svg", "0.000"), 2);
}

static void a_lesson_as_it_is_can_be_b(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson cats --stage softmax --mask causal --against-lesson cats "
                      "--size 174mm -o f.svg");
    assert_int_equal(texts_in(stand, "f.svg", "masked"), 1); /* B has no mask, nor what is left */
    assert_int_equal(texts_in(stand, "f.svg", "0.36"), 2);
    stand_call(stand, "render --lesson learned --stage softmax --step-of-training 5 "
                      "--against-lesson learned --size 174mm -o f.svg");
    assert_non_null(strstr(text_of(stand, "f.svg"), ">−0.")); /* the step is of A alone */
    stand_call(stand, "render --lesson cats --stage score --against-lesson cats --seed 3 "
                      "--embedding random --size 174mm -o f.svg");
    assert_int_equal(texts_in(stand, "f.svg", "A − B"), 1);
}

/* A number in an element that ends there; 0: it has none. */
static double attribute_of(const char *element, const char *end, const char *name)
{
    double number = 0;
    const char *const at = strstr(element, name);
    if (at != NULL && at < end) {
        assert_int_equal(sscanf(at + strlen(name), "%lf", &number), 1);
    }
    return number;
}

/* Names that lean and names that stand take turns here, if the size of the cells does not come to
 * rest: then the last bar was cut. */
static void nothing_is_cut_at_any_width(void **state)
{
    struct stand *const stand = *state;
    for (int wide = 70; wide <= 180; wide += 5) {
        stand_run(stand, arena_format(&stand->arena,
                                      "render --lesson cats --mask causal --stage softmax "
                                      "--against-lesson cats --size %dmm -o f.svg",
                                      wide));
        if (stand->status != 0) {
            assert_true(wide < 85);
            continue;
        }
        const char *at = strstr(text_of(stand, "f.svg"), "<rect");
        while (at != NULL) {
            const char *const end = strchr(at, '>');
            const double right =
                attribute_of(at, end, " x=\"") + attribute_of(at, end, " width=\"");
            assert_true(right <= wide * 72 / 25.4 + 0.01);
            at = strchr(end, '<');
        }
    }
}

static const char *const two =
    "{\"columns\": 2, \"panels\": [{\"call\": [\"a.npy\", \"--bar-title\", \"weight\"]},"
    " {\"call\": [\"b.npy\", \"--title\", \"Another\"]}]}";

static void two_arrays_become_a_figure_with_one_bar(void **state)
{
    struct stand *const stand = *state;
    make_arrays(stand);
    write_text(stand, "two.json", two);
    stand_call(stand, "render --panels two.json --size 174mm -o f.svg -o f.pdf -o f.png");
    assert_aligned(stand, "f.svg", 2, 4);
    assert_int_equal(texts_in(stand, "f.svg", "a"), 1);
    assert_int_equal(texts_in(stand, "f.svg", "b"), 0); /* in one line with the panel's title */
    assert_int_equal(texts_in(stand, "f.svg",
                              "b\xc2\xa0\xc2\xa0"
                              "Another"),
                     1);
    assert_int_equal(texts_in(stand, "f.svg", "key"), 2);
    assert_int_equal(texts_in(stand, "f.svg", "weight"), 1);
    assert_non_null(strstr(text_of(stand, "f.svg"), " width=\"493.23pt\""));
    assert_non_null(strstr(text_of(stand, "f.svg"), "a: Layer 1 of 1"));
    assert_memory_equal(text_of(stand, "f.pdf"), "%PDF-", 5);
    assert_memory_equal(text_of(stand, "f.png"), "\x89PNG", 4);
}

static void panels_may_keep_scales_and_letters_of_their_own(void **state)
{
    struct stand *const stand = *state;
    write_text(stand, "own.json",
               "{\"scales\": \"own\", \"panels\": [{\"letter\": \"(i)\", \"call\": [\"--lesson\", "
               "\"cats\", \"--stage\", \"softmax\", \"--range\", \"0,0.9\"]}, {\"letter\": \"\", "
               "\"call\": [\"--lesson\", \"cats\", \"--stage\", \"softmax\", \"--range\", "
               "\"0,0.7\"]}]}");
    stand_call(stand, "render --panels own.json --size 174mm -o f.svg");
    assert_int_equal(texts_in(stand, "f.svg", "(i)"), 1);
    assert_int_equal(texts_in(stand, "f.svg", "b"), 0);
    assert_aligned(stand, "f.svg", 2, 4);
    assert_true(texts_in(stand, "f.svg", "≥0.9") + texts_in(stand, "f.svg", "≥0.90") == 1);
    assert_true(texts_in(stand, "f.svg", "≥0.7") + texts_in(stand, "f.svg", "≥0.70") == 1);
}

static void panels_of_other_views_stand_side_by_side(void **state)
{
    struct stand *const stand = *state;
    write_text(stand, "views.json",
               "{\"columns\": 2, \"panels\": [{\"call\": [\"--lesson\", \"cats\"]}, {\"call\": "
               "[\"--lesson\", \"cats\", \"--view\", \"space\"]}, {\"call\": [\"--lesson\", "
               "\"ten\", \"--view\", \"heads\"]}]}");
    stand_call(stand, "render --panels views.json -o f.svg");
    assert_non_null(strstr(text_of(stand, "f.svg"), " width=\"453.54pt\"")); /* 160 mm */
    stand_call(stand, "render --panels views.json --size 174mm --theme dark --letters 7 -o f.svg");
    assert_int_equal(texts_in(stand, "f.svg", "c"), 1);
    assert_non_null(strstr(text_of(stand, "f.svg"), "head 8"));
}

static void the_panel_that_is_wrong_is_named(void **state)
{
    struct stand *const stand = *state;
    make_arrays(stand);
    static const struct {
        const char *call, *says;
    } rows[] = {
        {"\"none.npy\"", "Panel ii: \"none.npy\" cannot be opened"},
        {"\"--nonsense\"", "Panel ii: There is no option --nonsense"},
        {"\"--lesson\", \"cat\"",
         "Panel ii: There is no lesson called \"cat\"; did you mean cats?"},
        {"\"--size\", \"85mm\"", "Panel ii: --size is of the whole figure"},
        {"\"-o\", \"x.svg\"", "Panel ii: -o is of the whole figure"},
        {"\"--theme\", \"dark\"", "Panel ii: --theme is of the whole figure"},
        {"\"--scale\", \"3\"", "Panel ii: --scale as a number is of the whole figure"},
        {"\"--panels\", \"p.json\"", "Panel ii: --panels makes more than one picture"},
        {"\"--against\", \"b.npy\"", "Panel ii: --against makes more than one picture"},
        {"\"--all-heads\"", "Panel ii: --all-heads makes more than one picture"},
        {"\"--view\", \"window\"", "Panel ii: The whole window is no figure"},
        {"\"--camera\", \"1,2,3\"", "Panel ii: --camera changes nothing in --view matrix"},
        {"\"--decimals\", \"6\", \"--lesson\", \"ten\"", "do not fit into 40 mm"},
        {"1", "p.json: panel 2 needs a \"call\""},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        write_text(stand, "p.json",
                   arena_format(&stand->arena,
                                "{\"panels\": [{\"call\": [\"a.npy\"]}, {\"letter\": \"ii\", "
                                "\"call\": [%s]}]}",
                                rows[r].call));
        stand_run(stand, "render --panels p.json --size 40mm -o f.svg");
        assert_true(stand->status == 1 || stand->status == 2);
        if (strstr(stand->complaint, rows[r].says) == NULL) {
            fail_msg("%s: %s", rows[r].call, stand->complaint);
        }
    }
}

static void a_wrong_member_of_the_file_is_named(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"[", "p.json: "},
        {"[]", "p.json: \"panels\" must be a list of 1 to 26 panels"},
        {"{\"panels\": []}", "\"panels\" must be a list of 1 to 26 panels"},
        {"{\"panels\": [1]}", "panel 1 must be an object"},
        {"{\"panels\": [{\"cal\": []}]}", "panel 1 has letter and call, no \"cal\""},
        {"{\"panels\": [{\"call\": \"x\"}]}", "panel 1 needs a \"call\""},
        {"{\"panels\": [{\"call\": [], \"letter\": 1}]}",
         "panel 1 has a \"letter\" that is no text"},
        {"{\"panels\": [{\"call\": []}], \"columns\": 0}", "\"columns\" must be a whole number"},
        {"{\"panels\": [{\"call\": []}], \"scales\": \"x\"}", "must be \"shared\" or \"own\""},
        {"{\"column\": 1}", "a figure has columns, panels and scales, no \"column\""},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        write_text(stand, "p.json", rows[r].text);
        stand_refused(stand, "render --panels p.json -o f.svg", 1, rows[r].says);
    }
    stand_refused(stand, "render --panels gone.json -o f.svg", 1, "gone.json");
}

static void what_does_not_go_with_panels_is_refused(void **state)
{
    struct stand *const stand = *state;
    make_arrays(stand);
    write_text(stand, "two.json", two);
    stand_call(stand, "compute --tokens 'a b c' --select weights -o small.npy");
    static const struct {
        const char *call, *says;
        int status;
    } rows[] = {
        {"--panels two.json --tokens 'a b' -o f.svg", "--tokens changes nothing beside --panels",
         2},
        {"--panels two.json a.npy -o f.svg", "a.npy changes nothing beside --panels", 2},
        {"--panels two.json -o f.gif", "does not move", 2},
        {"--panels two.json -o 'f{head}.svg'", "needs no braces", 2},
        {"a.npy --against small.npy -o f.svg", "A is of 4 × 4 tokens and B of 3 × 3", 1},
        {"a.npy --against none.npy -o f.svg", "Panel B: \"none.npy\" cannot be opened", 1},
        {"a.npy --against b.npy --against-lesson cats -o f.svg", "Either --against or", 2},
        {"a.npy --against-lesson cat -o f.svg", "There is no lesson called \"cat\"", 2},
        {"a.npy --against b.npy --view heads -o f.svg", "it is for matrix", 2},
        {"a.npy --against b.npy -o f.gif", "does not move", 2},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        stand_refused(stand, arena_format(&stand->arena, "render %s", rows[r].call), rows[r].status,
                      rows[r].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(a_against_b_are_three_panels_with_cells_alike),
        STAND(the_difference_has_the_numbers_of_a_less_those_of_b),
        STAND(a_lesson_as_it_is_can_be_b),
        STAND(nothing_is_cut_at_any_width),
        STAND(two_arrays_become_a_figure_with_one_bar),
        STAND(panels_may_keep_scales_and_letters_of_their_own),
        STAND(panels_of_other_views_stand_side_by_side),
        STAND(the_panel_that_is_wrong_is_named),
        STAND(a_wrong_member_of_the_file_is_named),
        STAND(what_does_not_go_with_panels_is_refused),
    };
    return cmocka_run_group_tests_name("panels", tests, NULL, NULL);
}

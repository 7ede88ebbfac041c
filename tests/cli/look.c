/* The look of a figure: titles of its axes and its bar, the shape of its cells, a style of one's
 * own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void assert_text(struct stand *stand, const char *options, const char *text, bool is_there)
{
    const char *const call =
        arena_format(&stand->arena, "render --lesson cats --size 85mm -o a.svg %s", options);
    const char *const element = arena_format(&stand->arena, ">%s</text>", text);
    stand_call(stand, call);
    if ((strstr(text_of(stand, "a.svg"), element) != NULL) != is_there) {
        fail_msg("\"%s\" is %s in the picture of %s.", text, is_there ? "not" : "", options);
    }
}

static void axes_of_a_figure_have_titles(void **state)
{
    struct stand *const stand = *state;
    assert_text(stand, "--stage softmax", "key", true);
    assert_text(stand, "--stage softmax", "query", true);
    assert_text(stand, "--stage score", "query", true);
    assert_text(stand, "--stage softmax --language de", "Anfrage", true);
    assert_text(stand, "--stage softmax --y-title off", "query", false);
    assert_text(stand, "--stage softmax --x-title 'to this'", "to this", true);
    assert_text(stand, "--stage softmax --x-title 'to this'", "key", false);
    assert_text(stand, "--stage embed --x-title channel", "channel", true);
    assert_text(stand, "--stage softmax --bar-title 'weight'", "weight", true);
    assert_text(stand, "--stage score --bar-title 'a score'", "a score", true);
}

/* How many texts of a picture are numbers with a decimal point. */
static size_t numbers_in(struct stand *stand, const char *options)
{
    stand_call(stand, arena_format(&stand->arena,
                                   "render --lesson ten --stage softmax --colourbar off --size "
                                   "120mm -o a.svg %s",
                                   options));
    size_t count = 0;
    for (const char *at = text_of(stand, "a.svg"); (at = strstr(at, "\">0.")) != NULL; at++) {
        count++;
    }
    return count;
}

static void chosen_cells_have_numbers(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(numbers_in(stand, "--numbers all"), 100);
    assert_int_equal(numbers_in(stand, "--numbers none"), 0);
    assert_int_equal(numbers_in(stand, "--numbers largest:1"), 1);
    assert_int_equal(numbers_in(stand, "--numbers largest:7"), 7);
    assert_int_equal(numbers_in(stand, "--numbers largest:7 --mask causal --decimals 3"), 6);
    assert_non_null(strstr(text_of(stand, "a.svg"), ">1.000<")); /* the first word's own */
    assert_int_equal(numbers_in(stand, "--numbers largest:900"), 100);
    static const char *const wrong[] = {"few",          "largest",    "largest:0",
                                        "largest:1000", "largest:-1", "largest:2,3"};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        stand_refused(
            stand,
            arena_format(&stand->arena, "render --view matrix --numbers %s -o x.svg", wrong[w]), 2,
            "--numbers is all, none or largest:N");
    }
    stand_refused(stand, "render --view matrix --numbers none --decimals 2 -o x.svg", 2,
                  "there are no numbers");
    stand_refused(stand, "render --view matrix --numbers all --values on -o x.svg", 2, "Either");
    stand_refused(stand, "render --view costs --numbers all -o x.svg", 2, "it is for window");
}

/* Weights of a causal model from elsewhere: what is 0 because nothing is there is left empty. */
static void masked_cells_of_an_array_stay_empty(void **state)
{
    struct stand *const stand = *state;
    write_text(stand, "causal.csv", "1,0,0\n0.4,0.6,0\n0.3,0,0.7\n");
    stand_call(stand, "render causal.csv --reading weights --size 60mm --colourbar off -o a.svg");
    const char *const svg = text_of(stand, "a.svg");
    size_t zeros = 0;
    for (const char *at = svg; (at = strstr(at, ">0.00<")) != NULL; at++) {
        zeros++;
    }
    assert_int_equal(zeros, 1); /* below the diagonal it is a number as any other */
    assert_non_null(strstr(svg, ">0.70<"));
    write_text(stand, "plain.csv", "1,0,0\n0.4,0.5,0.1\n0.3,0,0.7\n");
    stand_call(stand, "render plain.csv --reading weights --size 60mm --colourbar off -o a.svg");
    assert_non_null(strstr(text_of(stand, "a.svg"), ">0.00<"));
}

static void what_says_it_already_gets_no_title(void **state)
{
    struct stand *const stand = *state;
    assert_text(stand, "--stage softmax --caption on", "query", false);
    assert_text(stand, "--stage embed", "query", false);
    stand_call(stand, "render --lesson cats --stage softmax --view matrix -o a.svg");
    assert_null(strstr(text_of(stand, "a.svg"), ">query</text>"));
    stand_call(stand, "compute --tokens 'a b c' --select weights -o raw.npy");
    stand_call(stand, "render raw.npy --reading raw --size 85mm -o a.svg");
    assert_null(strstr(text_of(stand, "a.svg"), ">query</text>"));
}

static void a_title_without_its_place_is_refused(void **state)
{
    struct stand *const stand = *state;
    stand_refused(stand, "render --lesson cats --view space --x-title a -o a.svg", 2,
                  "--x-title changes nothing in --view space");
    stand_refused(stand, "render --lesson cats --size 85mm --bar-title a --colourbar off -o a.svg",
                  2, "there is no bar");
    stand_refused(stand, "render --lesson cats --view space --gap 0 -o a.svg", 2,
                  "--gap changes nothing in --view space");
}

static void long_numbers_of_a_bar_have_room(void **state)
{
    struct stand *const stand = *state;
    write_text(stand, "tiny.csv", "a,b\n0.00001,-0.00002\n0.000003,0.00001\n");
    stand_call(stand, "render tiny.csv --reading raw --size 85mm -o a.svg");
    assert_non_null(strstr(text_of(stand, "a.svg"), ">−0.00002</text>"));
}

/* The corners of the first cell, as a share of its width. */
static double first_corner(struct stand *stand)
{
    const char *const corner = strstr(text_of(stand, "a.svg"), " rx=\"");
    double width = 0, radius = 0;
    if (corner == NULL) {
        return 0;
    }
    const char *rect = corner;
    while (strncmp(rect, "<rect", 5) != 0) {
        rect--;
    }
    assert_int_equal(sscanf(strstr(rect, " width=\""), " width=\"%lf", &width), 1);
    assert_int_equal(sscanf(corner, " rx=\"%lf", &radius), 1);
    return radius / width;
}

static void corners_are_in_proportion_to_cells(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --tokens 'a b c d e f g h i j k l m n o p q r s t u v w x y z A B C "
                      "D E F G H I J K L M N' --embedding random --select weights -o forty.npy");
    stand_call(stand, "render forty.npy --size 120mm -o a.svg");
    assert_true(first_corner(stand) > 0);
    assert_true(first_corner(stand) < 0.12);
    stand_call(stand, "render forty.npy --size 120mm --gap 0 -o a.svg");
    assert_true(first_corner(stand) <= 0);
    stand_call(stand, "render --lesson cats --size 85mm --gap 0 -o a.svg");
    assert_true(first_corner(stand) <= 0);
}

static void a_style_brings_fonts_sizes_colours_and_lines(void **state)
{
    struct stand *const stand = *state;
    const char *const font =
        arena_format(&stand->arena, "%s/DejaVuSans.ttf", getenv("ATTNSCOPE_FONTS"));
    write_text(stand, "s.json",
               arena_format(&stand->arena,
                            "{\"fonts\": {\"words\": \"%s\"}, \"sizes\": {\"letters\": 9},"
                            " \"colours\": {\"ink\": \"#123456\", \"weights\": [\"#ffffff\", "
                            "\"#fedcba\"]}, \"lines\": {\"ticks\": 1.5, \"outline\": 2},"
                            " \"cells\": {\"gap\": 0}}",
                            font));
    stand_call(stand, "render --lesson cats --stage softmax --size 85mm --style s.json -o a.svg -o "
                      "a.pdf -o a.png");
    const char *const svg = text_of(stand, "a.svg");
    assert_non_null(strstr(svg, "font-family=\"'DejaVu Sans', "));
    assert_non_null(strstr(svg, "font-size=\"9\""));
    assert_non_null(strstr(svg, "fill=\"#123456\""));
    assert_non_null(strstr(svg, "fill=\"#fedcba\""));
    assert_non_null(strstr(svg, "stroke-width=\"1.5\""));
    assert_non_null(strstr(svg, "stroke-width=\"2\""));
    stand_call(stand, "render --lesson cats --stage softmax --size 85mm --style s.json --letters 7 "
                      "-o a.svg");
    assert_null(strstr(text_of(stand, "a.svg"), "font-size=\"9\""));
}

/* Names have room for the letters they are drawn with, where a style's bold ones are narrower. */
static void names_stay_whole_with_narrow_bold_letters(void **state)
{
    struct stand *const stand = *state;
    const char *const fonts = getenv("ATTNSCOPE_FONTS");
    write_text(stand, "s.json",
               arena_format(&stand->arena,
                            "{\"fonts\": {\"words\": \"%s/JetBrainsMono-Regular.ttf\","
                            " \"bold\": \"%s/Inter-Regular.otf\"}}",
                            fonts, fonts));
    stand_call(stand, "render --lesson ten --stage softmax --size 120mm --style s.json -o a.svg");
    const char *const svg = text_of(stand, "a.svg");
    assert_non_null(strstr(svg, ">garden</text>"));
    assert_null(strstr(svg, "\u2026"));
}

/* The system's fonts are those of the source for this. */
static void a_font_is_found_by_its_family(void **state)
{
    struct stand *const stand = *state;
    char folder[4096];
    assert_non_null(getcwd(folder, sizeof folder));
    const char *const own = arena_format(&stand->arena, "%s/%s", folder, stand->folder);
    write_text(stand, "fonts.conf",
               arena_format(&stand->arena,
                            "<?xml version=\"1.0\"?><fontconfig><dir>%s</dir><cachedir>%s/cache"
                            "</cachedir></fontconfig>",
                            getenv("ATTNSCOPE_FONTS"), own));
    write_text(stand, "s.json", "{\"fonts\": {\"words\": \"dejavu sans\"}}");
    assert_int_equal(
        setenv("FONTCONFIG_FILE", arena_format(&stand->arena, "%s/fonts.conf", own), 1), 0);
    stand_call(stand, "render --lesson cats --size 85mm --style s.json -o a.svg -o a.pdf");
    write_text(stand, "s.json", "{\"fonts\": {\"words\": \"DejaVu Serif\"}}");
    stand_refused(stand, "render --lesson cats --size 85mm --style s.json -o b.svg", 1,
                  "no font family \"DejaVu Serif\"");
    assert_int_equal(unsetenv("FONTCONFIG_FILE"), 0);
    assert_non_null(strstr(text_of(stand, "a.svg"), "font-family=\"'dejavu sans', "));
}

static void a_font_beside_the_style_is_found(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(
        stand_other(stand, "mkdir look && cp \"$ATTNSCOPE_FONTS\"/DejaVuSans.ttf look/own.ttf"), 0);
    write_text(stand, "look/s.json", "{\"fonts\": {\"numbers\": \"own.ttf\"}}");
    stand_call(stand, "render --lesson cats --size 85mm --style look/s.json -o a.svg");
    assert_non_null(
        strstr(text_of(stand, "a.svg"), "font-family=\"'DejaVu Sans', 'DejaVu Sans Mono'"));
    stand_refused(stand, "render --lesson cats --style look/s.json --from softmax -o a.webp", 2,
                  "leave \"fonts\" out");
}

static void a_wrong_member_of_a_style_is_named(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"[", "s.json: "},
        {"[]", "s.json: a style is an object"},
        {"{\"font\": {}}", "there is no \"font\" in a style; it has fonts, sizes, colours"},
        {"{\"fonts\": \"Inter\"}", "\"fonts\" must be an object: {\"words\""},
        {"{\"fonts\": {\"word\": \"Inter\"}}", "there is no \"word\" in fonts; it has words, bold"},
        {"{\"fonts\": {\"words\": 1}}", "\"words\" in \"fonts\" must be the name"},
        {"{\"fonts\": {\"words\": \"none.ttf\"}}", "none.ttf cannot be read as a font"},
        {"{\"fonts\": {\"words\": \"s.json/\"}}", "cannot be read as a font"},
        {"{\"fonts\": {\"words\": \"No Such Family\"}}", "no font family \"No Such Family\""},
        {"{\"sizes\": {\"letters\": \"8\"}}",
         "\"letters\" in \"sizes\" must be a number of points"},
        {"{\"sizes\": {\"letters\": 5, \"smallest\": 6}}", "must not be larger than \"letters\""},
        {"{\"colours\": {\"ink\": \"red\"}}", "\"ink\" in \"colours\" must be a colour as #rrggbb"},
        {"{\"colours\": {\"weights\": [\"#ffffff\"]}}", "must be a list of 2 to 32 colours"},
        {"{\"colours\": {\"signed\": [\"#ffffff\", 1]}}", "must be a list of 2 to 32 colours"},
        {"{\"lines\": {\"ticks\": 0}}",
         "\"ticks\" in \"lines\" must be a number of points from 0.5"},
        {"{\"cells\": {\"corner\": -1}}", "\"corner\" in \"cells\" must be a number of points"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        write_text(stand, "s.json", rows[r].text);
        stand_refused(stand, "render --lesson cats --size 85mm --style s.json -o a.svg", 1,
                      rows[r].says);
    }
    stand_refused(stand, "render --lesson cats --size 85mm --style gone.json -o a.svg", 1,
                  "gone.json");
    write_text(stand, "s.json", "{}");
    stand_refused(stand, "render --lesson cats --style s.json --worksheet -o a.pdf", 2,
                  "--style changes nothing with --worksheet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(axes_of_a_figure_have_titles),
        STAND(chosen_cells_have_numbers),
        STAND(masked_cells_of_an_array_stay_empty),
        STAND(what_says_it_already_gets_no_title),
        STAND(a_title_without_its_place_is_refused),
        STAND(long_numbers_of_a_bar_have_room),
        STAND(corners_are_in_proportion_to_cells),
        STAND(a_style_brings_fonts_sizes_colours_and_lines),
        STAND(names_stay_whole_with_narrow_bold_letters),
        STAND(a_font_is_found_by_its_family),
        STAND(a_font_beside_the_style_is_found),
        STAND(a_wrong_member_of_a_style_is_named),
    };
    return cmocka_run_group_tests_name("look", tests, NULL, NULL);
}

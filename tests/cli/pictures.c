/* Pictures that the program writes: their files as other programs read them. What needs a program
 * that this machine has not is skipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "file/json.h"
#include "stand.h"

/* Words that are no words to an XML parser, to a shell of a PDF, or to an eye. */
#define HOSTILE                                                                                    \
    "--embedding onehot --tokens '<b>&amp;\"x\" ]]>z =1+1 fi->2x2 "                                \
    "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 "                                                            \
    "\xef\xbf\xbe! \xe7\x8c\xab (\\\\ --> \x01\x1b[0m'"

static const char *text_of(struct stand *stand, const char *name)
{
    return (const char *)stand_content(stand, name).at; /* a 0 follows */
}

static void require_program(struct stand *stand, const char *program)
{
    if (stand_other(stand, arena_format(&stand->arena, "command -v %s >/dev/null", program)) != 0) {
        skip();
    }
}

static void assert_same_files(struct stand *stand, const char *a, const char *b)
{
    const struct bytes first = stand_content(stand, a), second = stand_content(stand, b);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.at, second.at, first.size);
}

static void one_call_writes_every_file_that_is_named(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson cats -o a.png -o b.svg -o c.PDF");
    assert_memory_equal(text_of(stand, "a.png"), "\x89PNG", 4);
    assert_memory_equal(text_of(stand, "b.svg"), "<?xml", 5);
    assert_memory_equal(text_of(stand, "c.PDF"), "%PDF-", 5);
    stand_call(stand, "render --format svg -o -");
    assert_memory_equal(stand->output, "<?xml", 5);
    stand_call(stand, "render --format pdf -o odd.name");
    assert_memory_equal(text_of(stand, "odd.name"), "%PDF-", 5);
}

static void heads_and_stages_get_files_of_their_own(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --tokens 'a b' --embedding random --heads 2 --view matrix "
                      "--size 300x300 --all-heads --all-stages -o 'L{layer}H{head}-{stage}.svg'");
    assert_non_null(strstr(text_of(stand, "L1H1-embed.svg"), "</svg>"));
    assert_non_null(strstr(text_of(stand, "L1H2-output.svg"), "</svg>"));
    assert_non_null(strstr(text_of(stand, "L1H1-softmax.svg"), "head 1 of 2"));
    assert_non_null(strstr(text_of(stand, "L1H2-softmax.svg"), "head 2 of 2"));
    assert_int_equal(stand_other(stand, "test $(ls L1H*.svg | wc -l) = 14"), 0);
}

static void svg_has_the_same_bytes_whatever_computed_it(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson ten --stage output -o best.svg");
    stand_call(stand, "render --lesson ten --stage output --isa ref -o ref.svg");
    assert_same_files(stand, "best.svg", "ref.svg");
    assert_int_equal(setenv("LC_ALL", "de_DE.UTF-8", 1), 0);
    stand_call(stand, "render --lesson ten --stage output --threads 2 -o german.svg");
    assert_int_equal(unsetenv("LC_ALL"), 0);
    assert_same_files(stand, "best.svg", "german.svg");
}

static void svg_is_xml_whatever_the_words_are(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render " HOSTILE " --quiet -o a.svg");
    const char *const svg = text_of(stand, "a.svg");
    assert_non_null(strstr(svg, ">&lt;b&gt;&amp;amp;&quot;x&quot;</"));
    assert_non_null(strstr(svg, ">]]&gt;z</"));
    assert_null(strstr(svg, "\xef\xbf\xbe"));
    assert_null(strchr(svg, '\x1b'));
    require_program(stand, "xmllint");
    assert_int_equal(stand_other(stand, "xmllint --noout --nonet a.svg 2>/dev/null"), 0);
}

/* A browser drops spaces at the ends of a text, and stretches what is left over their place. */
static void spaces_between_pieces_of_a_formula_stay(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson ten --stage softmax -o a.svg");
    const char *const text = strstr(text_of(stand, "a.svg"), "> + </text>");
    assert_non_null(text);
    const char *element = text;
    while (strncmp(element, "<text", 5) != 0) {
        element--;
    }
    const char *const keeps = strstr(element, "xml:space=\"preserve\"");
    assert_true(keeps != NULL && keeps < text);
}

static void words_of_a_pdf_can_be_found(void **state)
{
    struct stand *const stand = *state;
    static const char *const words[] = {"cat",   "dog",      "lion",          "NYC",
                                        "0.394", "Softmax:", "QK\xe1\xb5\x80"};
    stand_call(stand, "render --lesson cats --stage softmax -o a.pdf");
    stand_call(stand, "render " HOSTILE " --quiet -o hostile.pdf");
    require_program(stand, "pdftotext");
    assert_int_equal(stand_other(stand, "pdftotext a.pdf a.txt"), 0);
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        if (strstr(text_of(stand, "a.txt"), words[w]) == NULL) {
            fail_msg("\"%s\" is not in the text of the PDF.", words[w]);
        }
    }
    assert_int_equal(stand_other(stand, "pdftotext hostile.pdf hostile.txt"), 0);
    assert_non_null(strstr(text_of(stand, "hostile.txt"), "<b>&amp;\"x\""));
    assert_non_null(strstr(text_of(stand, "hostile.txt"), "fi->2x2"));
}

static void fonts_of_a_pdf_are_inside(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson cats -o a.pdf");
    require_program(stand, "pdffonts");
    assert_int_equal(stand_other(stand, "pdffonts a.pdf | tail -n +3 >fonts"), 0);
    assert_non_null(strstr(text_of(stand, "fonts"), "+Inter-Regular"));
    assert_non_null(strstr(text_of(stand, "fonts"), "+JetBrainsMono-Regular"));
    assert_int_equal(stand_other(stand, "grep -v ' yes yes yes ' fonts"), 1);
}

/* The text of the SVG's metadata as it was before it was escaped. */
static struct bytes metadata_of(struct stand *stand, const char *svg)
{
    static const struct {
        const char *escape;
        char letter;
    } escapes[] = {{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&#39;", '\''}};
    const char *const begin = strstr(svg, "<metadata id=\"attnscope-");
    assert_non_null(begin);
    const char *at = strchr(begin, '>') + 1;
    const char *const end = strstr(at, "</metadata>");
    char *const text = arena_alloc(&stand->arena, (size_t)(end - at) + 1);
    size_t length = 0;
    while (at < end) {
        size_t step = 1;
        text[length] = *at;
        for (size_t e = 0; e < sizeof escapes / sizeof escapes[0]; e++) {
            if (strncmp(at, escapes[e].escape, strlen(escapes[e].escape)) == 0) {
                text[length] = escapes[e].letter;
                step = strlen(escapes[e].escape);
            }
        }
        length++;
        at += step;
    }
    return (struct bytes){(const uint8_t *)text, length};
}

static void the_experiment_lies_in_the_picture(void **state)
{
    struct stand *const stand = *state;
    struct error error = {ERROR_NONE, 0, ""};
    double temperature = 0;
    const char *token = NULL;
    stand_call(stand, "render --tokens 'a \"b\"&' --embedding onehot --temperature 0.5 -o a.svg "
                      "-o a.png -o a.pdf");
    struct json *const json = json_parse(metadata_of(stand, text_of(stand, "a.svg")), &error);
    assert_non_null(json);
    const struct json *const experiment = json_member(json, "experiment");
    assert_true(json_number(json_member(experiment, "temperature"), &temperature));
    assert_true(temperature == 0.5);
    assert_true(json_text(json_element(json_member(experiment, "tokens"), 1), &token));
    assert_string_equal(token, "\"b\"&");
    json_release(json);
    assert_int_equal(stand_other(stand, "grep -aq attnscope-lesson a.png"), 0);
    assert_int_equal(stand_other(stand, "grep -aq Description a.png"), 0);
    assert_int_equal(stand_other(stand, "grep -aq /Keywords a.pdf"), 0);
}

static void one_switch_keeps_names_out_of_it(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --tokens 'Ada Ben' --embedding onehot --metadata off -o a.svg "
                      "-o a.png -o a.pdf");
    assert_null(strstr(text_of(stand, "a.svg"), "<metadata"));
    assert_null(strstr(text_of(stand, "a.svg"), "<desc"));
    assert_int_equal(stand_other(stand, "grep -aqE 'Ada|iTXt' a.png"), 1);
    assert_int_equal(stand_other(stand, "grep -aqE '/(Keywords|Subject|Title) ' a.pdf"), 1);
}

static void a_picture_knows_no_time_but_the_one_it_is_told(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    stand_call(stand, "render -o a.pdf -o a.png");
    assert_int_equal(stand_other(stand, "grep -aqE 'Date|Creation Time' a.pdf a.png"), 1);
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
    stand_call(stand, "render -o a.pdf -o a.png");
    assert_int_equal(stand_other(stand, "grep -aq '20231114221320' a.pdf"), 0);
    assert_int_equal(stand_other(stand, "grep -aq '2023-11-14T22:13:20Z' a.png"), 0);
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "yesterday", 1), 0);
    stand_refused(stand, "render -o a.pdf", 2, "SOURCE_DATE_EPOCH");
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
}

static uint32_t number_at(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void sizes_are_those_of_paper(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --view head --size 6x4in --dpi 100 -o a.png -o a.svg -o a.pdf");
    assert_int_equal(number_at(stand_content(stand, "a.png").at + 16), 600);
    assert_int_equal(number_at(stand_content(stand, "a.png").at + 20), 400);
    assert_non_null(strstr(text_of(stand, "a.svg"), "width=\"432pt\" height=\"288pt\""));
    stand_call(stand, "render --view head --size 85mmx60mm -o b.svg -o b.png");
    assert_int_equal(number_at(stand_content(stand, "b.png").at + 16), 1004); /* 300 an inch */
    assert_non_null(strstr(text_of(stand, "b.svg"), "width=\"240.94pt\" height=\"170.08pt\""));
    require_program(stand, "pdfinfo");
    assert_int_equal(stand_other(stand, "pdfinfo a.pdf | grep -q '432 x 288 pts'"), 0);
}

/* In one column of a paper: letters of 8 points, and numbers in the cells of ten words. */
static void on_paper_letters_are_small(void **state)
{
    struct stand *const stand = *state;
    const char *const arguments = "render --lesson ten --view matrix --stage softmax";
    stand_call(stand, arena_format(&stand->arena, "%s --size 85mmx80mm -o a.svg", arguments));
    assert_non_null(strstr(text_of(stand, "a.svg"), "width=\"240.94pt\" height=\"226.77pt\""));
    assert_non_null(strstr(text_of(stand, "a.svg"), "font-size=\"8\""));
    assert_null(strstr(text_of(stand, "a.svg"), "font-size=\"17\""));
    assert_non_null(strstr(text_of(stand, "a.svg"), ">0.45</text>"));
    static const char *const large[] = {"--size 85mmx80mm --letters 13", "--size 241x227"};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        stand_call(stand, arena_format(&stand->arena, "%s %s -o b.svg", arguments, large[i]));
        assert_non_null(strstr(text_of(stand, "b.svg"), "font-size=\"17\"")); /* the headline */
        assert_null(strstr(text_of(stand, "b.svg"), "font-size=\"8\""));
    }
}

/* One option makes what a journal takes: nothing around it, every name and number, 8 points. */
static void a_figure_is_the_panel_alone(void **state)
{
    struct stand *const stand = *state;
    static const char *const names[] = {"A",   "small", "dog",     "chases", "the",
                                        "big", "cat",   "through", "our",    "garden"};
    static const char call[] = "render --lesson ten --stage softmax --figure --size 85mm";
    stand_call(stand, arena_format(&stand->arena, "%s -o a.svg", call));
    const char *const text = text_of(stand, "a.svg");
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const char *const name = arena_format(&stand->arena, ">%s</text>", names[n]);
        const char *const first = strstr(text, name);
        assert_non_null(first);
        assert_non_null(strstr(first + 1, name)); /* beside its row and above its column */
    }
    assert_non_null(strstr(text, "width=\"240.94pt\"")); /* the width that was asked for */
    assert_non_null(strstr(text, ">0.45</text>"));
    assert_non_null(strstr(text, "rotate(-"));
    assert_null(strstr(text, "stroke=\"#6b3fc0\"")); /* no frame, no mark */
    assert_null(strstr(text, "…"));
    stand_call(stand, "render --lesson ten --figure --lines --head 1 --size 120mm -o b.svg");
    assert_non_null(strstr(text_of(stand, "b.svg"), "width=\"340.16pt\""));
    assert_non_null(strstr(text_of(stand, "b.svg"), ">queries</text>"));
    assert_null(strstr(text_of(stand, "b.svg"), "Lessons"));
    stand_call(stand, "render --lesson ten --stage softmax --size 85mm -o c.svg");
    assert_string_equal(text_of(stand, "a.svg"), text_of(stand, "c.svg")); /* paper says so */
    stand_call(stand, "render --lesson ten --view window --size 400mmx250mm -o d.svg");
    assert_non_null(strstr(text_of(stand, "d.svg"), "Embed"));
    stand_refused(stand, "render --figure --view window -o c.svg", 2, "no figure");
    stand_refused(stand, "render --lesson ten --figure --view kinds --size 60mmx40mm -o c.svg", 2,
                  "would do");
}

/* A table that attnscope or a data frame wrote, with its names, is attention like an array. */
static void a_table_with_names_is_a_figure(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --lesson cats --select weights -o w.csv");
    stand_call(stand, "compute --lesson cats --select weights -o w.npy");
    stand_call(stand, "compute w.csv --select weights -o again.csv");
    assert_string_equal(text_of(stand, "w.csv"), text_of(stand, "again.csv"));
    stand_call(stand, "render w.csv --size 85mm --metadata off -o a.svg");
    stand_call(stand,
               "render w.npy --tokens \"cat dog lion NYC\" --size 85mm --metadata off -o b.svg");
    assert_string_equal(text_of(stand, "a.svg"), text_of(stand, "b.svg"));
    assert_non_null(strstr(text_of(stand, "a.svg"), ">NYC</text>"));
    stand_call(stand, "compute --lesson cats --select weights,Z -o all.csv");
    stand_refused(stand, "render all.csv -o c.svg", 1, "one alone is read");
}

static void a_cropped_picture_is_smaller_and_says_the_same(void **state)
{
    struct stand *const stand = *state;
    const char *const arguments = "render --lesson cats --view stage --size 900x900 --scale 1";
    stand_call(stand, arena_format(&stand->arena, "%s -o whole.png", arguments));
    stand_call(stand, arena_format(&stand->arena, "%s --crop -o part.png -o part.svg", arguments));
    assert_int_equal(number_at(stand_content(stand, "whole.png").at + 20), 900);
    assert_true(number_at(stand_content(stand, "part.png").at + 20) < 850);
    assert_non_null(strstr(text_of(stand, "part.svg"), ">7.25</text>"));
}

static void a_ground_may_be_white_or_nothing(void **state)
{
    struct stand *const stand = *state;
    enum { COLOUR_TYPE = 25, RGBA = 6 };
    stand_call(stand,
               "render --view head --size 300x300 --background transparent -o a.png -o a.svg");
    assert_int_equal(stand_content(stand, "a.png").at[COLOUR_TYPE], RGBA);
    assert_null(strstr(text_of(stand, "a.svg"), "fill=\"#ffffff\" stroke"));
    stand_call(stand, "render --size 900x600 --background white -o b.svg");
    assert_non_null(
        strstr(text_of(stand, "b.svg"), "width=\"900\" height=\"600\" fill=\"#ffffff\""));
    stand_refused(stand, "render --theme dark --background white -o c.svg", 2, "light theme");
}

/* A picture of the window says which theme it has. */
static void settings_name_the_theme(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson ten --theme dark --view window --text text -o dark.svg");
    assert_non_null(strstr(text_of(stand, "dark.svg"), ">Dark</text>"));
}

static void letters_can_be_shapes(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson cats --text outlines -o a.svg -o a.pdf");
    assert_null(strstr(text_of(stand, "a.svg"), "<text"));
    assert_null(strstr(text_of(stand, "a.svg"), "font-family"));
    assert_non_null(strstr(text_of(stand, "a.svg"), "aria-label=\"lion\""));
    assert_int_equal(stand_other(stand, "grep -aq /FontFile a.pdf"), 1);
}

static bool svg_has(struct stand *stand, const char *arguments, const char *text)
{
    stand_call(stand,
               arena_format(&stand->arena,
                            "render --lesson cats --stage score --view stage %s -o cells.svg",
                            arguments));
    return strstr(text_of(stand, "cells.svg"), text) != NULL;
}

/* One word is one word, and one pair. */
static void counts_of_one_are_singular(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --tokens cat --view costs --size 160mmx120mm -o one.svg");
    assert_non_null(strstr(text_of(stand, "one.svg"), "1 word: 1 pair; 2 words: 4"));
}

static void numbers_in_cells_follow_what_is_asked(void **state)
{
    struct stand *const stand = *state;
    assert_true(svg_has(stand, "", ">7.25</text>"));
    assert_false(svg_has(stand, "--values off", ">7.25</text>"));
    assert_true(svg_has(stand, "--decimals 4", ">7.2500</text>"));
    assert_false(svg_has(stand, "--decimals 0", ">7.25</text>"));
    /* 64 cells in 300 points have room for small letters, 576 in 260 for none that could be read.
     */
    static const char few[] = "--tokens 'a b c d e f g h' --embedding onehot --size 300x300 ";
    static const char many[] = "--tokens 'a b c d e f g h i j k l m n o p q r s t u v w x' "
                               "--embedding onehot --size 260x260 ";
    assert_true(svg_has(stand, few, ">1</text>"));
    assert_false(svg_has(stand, many, ">1</text>"));
    stand_refused(stand,
                  arena_format(&stand->arena, "render --view stage %s --values on -o no.svg", many),
                  2, "would do");
}

static void colours_reach_as_far_as_is_asked(void **state)
{
    struct stand *const stand = *state;
    static const char lightest[] = "fill=\"#f7fbff\"", darkest[] = "fill=\"#08306b\"";
    static const char weights[] = "--tokens 'a b' --embedding onehot --scale off --stage softmax";
    /* The weights are 0.27 and 0.73. */
    const struct {
        const char *range;
        bool light, dark;
    } cases[] = {{"auto", false, false},
                 {"0.3,1", true, false},
                 {"0,0.7", false, true},
                 {"0.3,0.7", true, true}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const char *const arguments =
            arena_format(&stand->arena, "%s --range %s", weights, cases[c].range);
        assert_int_equal(svg_has(stand, arguments, lightest), cases[c].light);
        assert_int_equal(svg_has(stand, arguments, darkest), cases[c].dark);
    }
    /* The largest score is 7.25: of ±100 it has hardly a colour. */
    assert_true(svg_has(stand, "", "fill=\"#67001f\""));
    assert_false(svg_has(stand, "--range -100,100", "fill=\"#67001f\""));
    stand_refused(stand, "render --range 1,0 -o a.svg", 2, "--range is auto");
    stand_refused(stand, "render --range=-3,4 -o a.svg", 2, "--range is auto");
    stand_refused(stand, "render --decimals 9 -o a.svg", 2, "from 0 to 6");
}

/* Every colour of the picture is a grey, but for what is written on cells, which is nearly one. */
static void the_grey_theme_has_no_hue(void **state)
{
    struct stand *const stand = *state;
    static const char *const stages[] = {"score", "softmax", "blend"};
    for (size_t s = 0; s < 3; s++) {
        stand_call(stand,
                   arena_format(&stand->arena,
                                "render --lesson ten --stage %s --theme grey -o a.svg", stages[s]));
        size_t colours = 0;
        for (const char *at = strstr(text_of(stand, "a.svg"), "=\"#"); at != NULL;
             at = strstr(at + 1, "=\"#")) {
            const unsigned long colour = strtoul(at + 3, NULL, 16);
            const int red = (int)(colour >> 16), green = (int)(colour >> 8 & 255),
                      blue = (int)(colour & 255);
            if (abs(red - green) > 12 || abs(green - blue) > 12) {
                fail_msg("#%06lx is no grey.", colour);
            }
            colours++;
        }
        assert_true(colours > 100);
    }
    stand_call(stand, "describe a.svg"); /* and its session can be read */
    stand_call(stand, "render a.svg --view head -o b.svg");
    assert_non_null(strstr(text_of(stand, "b.svg"), "fill=\"#ffffff\""));
}

static void marks_of_the_selection_may_be_left_out(void **state)
{
    struct stand *const stand = *state;
    static const char frame[] = "fill=\"none\" stroke=\"#6b3fc0\" stroke-width=\"2\"";
    const char *const call = "render --lesson cats --stage softmax --view head --size 480x420";
    stand_call(stand, arena_format(&stand->arena, "%s -o a.svg", call));
    assert_non_null(strstr(text_of(stand, "a.svg"), frame));
    stand_call(stand, arena_format(&stand->arena, "%s --marks off -o a.svg", call));
    assert_null(strstr(text_of(stand, "a.svg"), frame));
}

/* The description of a picture speaks of what can be seen in it. */
static void the_words_of_a_picture_name_no_choice_that_is_not_drawn(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *options;
        bool number, row, queries;
    } cases[] = {
        {"--view stage --stage softmax", true, true, false},
        {"--view matrix --stage softmax", true, true, false},
        {"--view matrix --stage softmax --marks off", false, false, false},
        {"--figure --view matrix --stage softmax", false, false, false},
        {"--figure --view matrix --stage softmax --queries dog,lion", false, false, true},
        {"--figure --view stage --stage score", false, false, false},
        {"--figure --view stage --stage softmax", false, true, false}, /* what dog makes of keys */
        {"--figure --view stage --stage softmax --change", false, false, false},
        {"--view kinds", false, false, false},
        {"--view costs", false, false, false},
        {"--figure --view formula --stage softmax", true, true, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        stand_call(stand, arena_format(&stand->arena, "render --lesson cats %s -o a.svg",
                                       cases[c].options));
        const char *const words = strstr(text_of(stand, "a.svg"), "<desc>");
        assert_non_null(words);
        char *const end = strstr(words, "</desc>");
        assert_non_null(end);
        *end = '\0';
        assert_non_null(strstr(words, "4 tokens"));
        assert_int_equal(strstr(words, "Selected") != NULL, cases[c].number);
        assert_int_equal(strstr(words, "Attention of") != NULL, cases[c].row);
        assert_int_equal(strstr(words, "“dog” gives") != NULL, cases[c].row);
        assert_int_equal(strstr(words, "together.") != NULL, cases[c].queries);
    }
}

/* Title, caption and colour bar are drawn as usual, as they were asked for, or not at all. */
static void title_caption_and_colour_bar_are_as_asked(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *options, *there, *gone;
    } cases[] = {
        {"--view stage", "Softmax: scores become shares", "A cake"},
        {"--view stage", "like shares of one cake", "A cake"},
        {"--view stage --title off", "like shares of one cake", "Softmax: scores"},
        {"--view stage --caption off", "Softmax: scores", "like shares of one cake"},
        {"--view stage --title 'A cake'", ">A cake<", "Softmax: scores"},
        {"--view stage --caption 'A cake'", ">A cake<", "like shares of one"},
        {"--view head --title off", "keys", "Head 1 of 1"},
        {"--view head --caption 'A cake'", ">A cake<", "A pie"},
        {"--view head", ">0.2<", "A cake"},
        {"--view head --colourbar off", ">0.394<", ">0.2<"},
        {"--view space --title 'A cake'", ">A cake<", "where dog looks"},
        {"--view matrix", ">0.2<", "row sum"},
        {"--view matrix --colourbar off", ">0.39<", ">0.2<"},
        {"--view matrix --title 'A cake' --caption off", ">A cake<", "softmax of each row"},
        {"--title 'A cake'", ">A cake<", "Softmax: scores"},
        {"--colourbar off", ">0.394<", ">0.2<"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "render --lesson cats --stage softmax --metadata off %s "
                                       "-o a.svg",
                                       cases[c].options));
        const char *const text = text_of(stand, "a.svg");
        if (strstr(text, cases[c].there) == NULL || strstr(text, cases[c].gone) != NULL) {
            fail_msg("%s: \"%s\" is missing, or \"%s\" is there", cases[c].options, cases[c].there,
                     cases[c].gone);
        }
    }
}

static double width_of(struct stand *stand, const char *name)
{
    const char *const at = strstr(text_of(stand, name), "width=\"");
    assert_non_null(at);
    return strtod(at + 7, NULL);
}

/* One matrix for a paper: no larger than it must be, or as large as was asked for. */
static void a_matrix_alone_is_as_large_as_its_cells(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson cats --stage softmax --view matrix -o four.svg");
    stand_call(stand, "render --lesson ten --stage softmax --view matrix -o ten.svg");
    stand_call(stand, "render --lesson ten --view matrix --size 300x300 -o paper.svg");
    assert_true(width_of(stand, "four.svg") > 200 && width_of(stand, "four.svg") < 400);
    assert_true(width_of(stand, "ten.svg") > width_of(stand, "four.svg"));
    assert_true(width_of(stand, "ten.svg") < 1000);
    assert_true(width_of(stand, "paper.svg") == 300);
}

/* Each switch that a key of the window turns has an option, and the picture keeps it for the next
 * call. */
static void ways_to_look_have_options(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *view, *option, *there;
    } ways[] = {
        {"stage", "--overview", ">The whole flow<"},
        {"stage", "--change", ">α − scaled<"},
        {"heads", "--lines", NULL},
    };
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        const char *const call = arena_format(
            &stand->arena, "render --lesson cats --stage softmax --view %s --size 668x640",
            ways[w].view);
        stand_call(stand, arena_format(&stand->arena, "%s -o plain.svg", call));
        stand_call(stand, arena_format(&stand->arena, "%s %s -o way.svg", call, ways[w].option));
        stand_call(stand, arena_format(&stand->arena,
                                       "render way.svg --view %s --size 668x640 -o again.svg",
                                       ways[w].view));
        const struct bytes plain = stand_content(stand, "plain.svg");
        const struct bytes way = stand_content(stand, "way.svg");
        assert_true(plain.size != way.size || memcmp(plain.at, way.at, way.size) != 0);
        assert_same_files(stand, "way.svg", "again.svg");
        if (ways[w].there != NULL) {
            assert_non_null(strstr(text_of(stand, "way.svg"), ways[w].there));
            assert_null(strstr(text_of(stand, "plain.svg"), ways[w].there));
        }
    }
}

/* Nothing to press stands in the figure of one panel. */
static void a_panel_alone_has_no_controls(void **state)
{
    struct stand *const stand = *state;
    static const char *const panels[] = {"stage", "space", "heads", "head"};
    static const char *const controls[] = {">Compare<", ">Change<",      ">Matrix<",
                                           ">Lines<",   "looks only at", "drag to turn",
                                           ">One row<", "All of α"};
    for (size_t p = 0; p < sizeof panels / sizeof panels[0]; p++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "render --lesson cats --stage softmax --view %s -o p.svg",
                                       panels[p]));
        for (size_t c = 0; c < sizeof controls / sizeof controls[0]; c++) {
            assert_null(strstr(text_of(stand, "p.svg"), controls[c]));
        }
    }
    stand_call(stand, "render --lesson cats --stage softmax -o w.svg");
    assert_non_null(strstr(text_of(stand, "w.svg"), "Compare"));
}

/* A still of Project shows where the points have come to, not where they set out. */
static void points_of_a_still_have_arrived(void **state)
{
    struct stand *const stand = *state;
    static const char call[] = "render --lesson cats --weights random --stage project --view space";
    stand_call(stand, arena_format(&stand->arena, "%s -o there.svg", call));
    stand_call(stand, arena_format(&stand->arena, "%s --progress 0 -o begun.svg", call));
    assert_non_null(strstr(text_of(stand, "there.svg"), "path of lion in space"));
    const struct bytes there = stand_content(stand, "there.svg");
    const struct bytes begun = stand_content(stand, "begun.svg");
    assert_true(there.size != begun.size || memcmp(there.at, begun.at, there.size) != 0);
}

static void what_cannot_be_drawn_is_told_before_a_file_is_touched(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *arguments, *says;
    } cases[] = {
        {"--all-stages -o a.svg", "put {stage}"},
        {"--lesson ten --all-heads -o a.svg", "put {head}"},
        {"-o a.svg -o b.bmp", "bmp"},
        {"--format csv -o a.svg", "compute"},
        {"--dpi 300 --scale 2 -o a.svg", "--dpi or --scale"},
        {"--dpi 5000 -o a.svg", "--dpi"},
        {"--size 85mmx -o a.svg", "--size"},
        {"--size 100000x100000 -o a.svg", "--size"},
        {"--background pink -o a.svg", "transparent"},
        {"--all-layers -o a.svg", "There are no layers here"},
        {"--range 7 -o a.svg", "range"},
        {"--colours warm -o a.svg", "linear"},
        {"--cells dots -o a.svg", "discs"},
        {"--aside bird -o a.svg", "--aside lists tokens"},
        {"--queries dog,,cat -o a.svg", "--queries lists tokens"},
        {"--queries 9 -o a.svg", "numbers from 1 to"},
    };
    struct error error = {ERROR_NONE, 0, ""};
    const struct bytes before = {(const uint8_t *)"mine", 4};
    assert_true(file_write(stand_path(stand, "a.svg"), before, &error));
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stand_refused(stand, arena_format(&stand->arena, "render %s", cases[c].arguments), 2,
                      cases[c].says);
    }
    assert_string_equal(text_of(stand, "a.svg"), "mine");
    stand_refused(stand, "compute -o a.json -o b.json", 2, "One -o");
}

static void weights_are_looked_at_as_asked(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson cats --stage softmax --queries dog,3 --aside cat "
                      "--colours log -o a.svg");
    const char *const svg = text_of(stand, "a.svg");
    assert_non_null(strstr(svg, ">What “dog” and “lion” make of every key, together<"));
    assert_non_null(strstr(svg, "“cat” is set aside: rows no longer sum to 1"));
    assert_non_null(strstr(svg, ">0.001<")); /* the bar counts by powers of ten */
    assert_non_null(strstr(svg, "In the picture “cat” is set aside")); /* the alternative text */
    stand_call(stand, "describe --lesson cats --stage softmax --queries dog,lion --aside 1");
    assert_non_null(strstr(stand->output, "In the picture “cat” is set aside: rows no longer sum"));
    stand_call(stand, "describe a.svg"); /* the picture carries how it was looked at */
    assert_non_null(strstr(stand->output, "In the picture “cat” is set aside: rows no longer sum"));
    stand_call(stand, "describe --lesson cats --stage softmax --aside cat --renormalise");
    assert_null(strstr(stand->output, "set aside")); /* a mask hides it */
    assert_non_null(strstr(stand->output, "“dog” 78.6 %"));
    stand_call(stand, "render --lesson cats --stage scale --mask causal --view stage -o b.svg");
    stand_call(stand, "render --lesson cats --stage scale --mask causal --view stage "
                      "--cells discs -o c.svg -o c.pdf");
    assert_null(strstr(text_of(stand, "b.svg"), "<circle"));
    assert_non_null(strstr(text_of(stand, "c.svg"), "<circle"));
}

/* A name that says one thing and an option that says another: what was meant is told. */
static void names_of_files_are_what_was_meant(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *call, *says;
    } rows[] = {
        {"render --lesson cats -o a.png --format svg", "name it \"a.svg\""},
        {"render --lesson cats -o a.svg --format pdf", "name it \"a.pdf\""},
        {"render --lesson cats -o a.webp --format gif", "name it \"a.gif\""},
        {"render --lesson cats -o 'a-%04d.png' --format svg", "name it \"a-%04d.svg\""},
        {"render --lesson cats -o a.csv --format png", "name it \"a.png\""},
        {"compute --lesson cats -o a.csv --format json", "name it \"a.json\""},
        {"compute --lesson cats -o a.png --format npz", "name it \"a.npz\""},
        {"compute --lesson cats -o a.tex --format csv", "name it \"a.csv\""},
        {"render --lesson cats -o=eq.png", "write -o eq.png"},
        {"compute --lesson cats -o=eq.csv", "write -o eq.csv"},
        {"train --task copy -o=folder", "write -o folder"},
        {"render --lesson cats --all-heads -o 'head-{kopf}.svg'", "{kopf}"},
        {"render --lesson cats -o '{HEAD}.svg'", "{head}, {layer} and {stage}"},
        {"render --lesson cats -o '{head}-{}.svg'", "{}"},
        {"render --lesson cats -o 'x/{stages}.svg'", "{stages}"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        stand_refused(stand, rows[r].call, 2, rows[r].says);
    }
    assert_int_equal(stand_other(stand, "test \"$(ls)\" = \"$(printf 'complaint\noutput')\""), 0);
    stand_call(stand, "render --lesson cats --size 300x200 -o ./=a.svg");
    stand_call(stand, "render --lesson cats --size 300x200 --format svg -o a.drawing");
    stand_call(stand, "render --lesson cats --size 300x200 -o 'head-{head}{.svg'");
    stand_call(stand, "compute --lesson cats --select weights --format bmatrix -o a.tex");
    stand_call(stand, "compute --lesson cats --format json -o a.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(weights_are_looked_at_as_asked),
        STAND(one_call_writes_every_file_that_is_named),
        STAND(heads_and_stages_get_files_of_their_own),
        STAND(svg_has_the_same_bytes_whatever_computed_it),
        STAND(svg_is_xml_whatever_the_words_are),
        STAND(spaces_between_pieces_of_a_formula_stay),
        STAND(words_of_a_pdf_can_be_found),
        STAND(fonts_of_a_pdf_are_inside),
        STAND(the_experiment_lies_in_the_picture),
        STAND(one_switch_keeps_names_out_of_it),
        STAND(a_picture_knows_no_time_but_the_one_it_is_told),
        STAND(sizes_are_those_of_paper),
        STAND(on_paper_letters_are_small),
        STAND(a_figure_is_the_panel_alone),
        STAND(a_table_with_names_is_a_figure),
        STAND(a_cropped_picture_is_smaller_and_says_the_same),
        STAND(a_ground_may_be_white_or_nothing),
        STAND(settings_name_the_theme),
        STAND(letters_can_be_shapes),
        STAND(numbers_in_cells_follow_what_is_asked),
        STAND(counts_of_one_are_singular),
        STAND(colours_reach_as_far_as_is_asked),
        STAND(the_grey_theme_has_no_hue),
        STAND(marks_of_the_selection_may_be_left_out),
        STAND(the_words_of_a_picture_name_no_choice_that_is_not_drawn),
        STAND(title_caption_and_colour_bar_are_as_asked),
        STAND(a_matrix_alone_is_as_large_as_its_cells),
        STAND(ways_to_look_have_options),
        STAND(a_panel_alone_has_no_controls),
        STAND(points_of_a_still_have_arrived),
        STAND(what_cannot_be_drawn_is_told_before_a_file_is_touched),
        STAND(names_of_files_are_what_was_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

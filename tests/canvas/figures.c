/* Files for pages: what stands in an SVG, a PDF and in the words of a PNG, and that they look like
 * the screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "canvas/formats/formats.h"
#include "canvas/render/render.h"
#include "press.h"
#include "sample.h"

static const struct colour PAPER = {255, 255, 255, 255}, INK = {29, 33, 41, 255};

/* The file as that format writes it, with a 0 behind it. */
static struct bytes write_as(struct press *press, const char *suffix,
                             const struct render_figure *figure)
{
    const struct render_format *format = render_format_find(suffix);
    struct error error = {0};
    struct bytes file = {0};
    assert_non_null(format);
    if (!format->write(press->player, press->canvas, figure, &press->arena, &file, &error)) {
        fail_msg("%s", error.text);
    }
    file.at = (const uint8_t *)arena_text(&press->arena, (const char *)file.at, file.size);
    assert_non_null(file.at);
    return file;
}

static const char *svg_of(struct press *press, const struct render_figure *figure)
{
    return (const char *)write_as(press, "svg", figure).at;
}

static bool holds(struct bytes file, const char *words)
{
    const size_t length = strlen(words);
    for (size_t at = 0; at + length <= file.size; at++) {
        if (memcmp(file.at + at, words, length) == 0) {
            return true;
        }
    }
    return false;
}

/* --- XML, as strictly as it is needed here --- */

static bool is_name(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == ':' ||
           letter == '-' || (letter >= '0' && letter <= '9');
}

/* Text up to one of the letters in `ends`, with & only where an escape begins. */
static const char *pass_text(const char *at, const char *ends)
{
    for (; *at != '\0' && strchr(ends, *at) == NULL; at++) {
        assert_false((unsigned char)*at < ' ' && *at != '\n');
        assert_int_not_equal(*at, '<');
        if (*at == '&') {
            assert_true(strspn(at + 1, "#abcdefghijklmnopqrstuvwxyz0123456789") ==
                        strcspn(at + 1, ";"));
        }
    }
    return at;
}

static const char *pass_attributes(const char *at)
{
    while (*at == ' ') {
        for (at++; is_name(*at); at++) {
        }
        assert_memory_equal(at, "=\"", 2);
        at = pass_text(at + 2, "\"<");
        assert_int_equal(*at++, '"');
    }
    return at;
}

/* Every element that opens closes, in the right order; attributes are quoted; text is escaped. */
static void assert_well_formed(const char *xml)
{
    const char *open[64];
    size_t depth = 0;
    const char *at = strstr(xml, "?>") + 2;
    do {
        at = pass_text(at, "<");
        const bool closes = at[1] == '/';
        const char *const name = at + (closes ? 2 : 1);
        for (at = name; is_name(*at); at++) {
        }
        assert_true(at > name);
        if (closes) {
            assert_true(depth > 0);
            depth--;
            assert_memory_equal(open[depth], name, (size_t)(at - name));
            assert_false(is_name(open[depth][at - name]));
        } else {
            assert_true(depth < 64);
            open[depth++] = name;
            at = pass_attributes(at);
            if (*at == '/') {
                depth--;
                at++;
            }
        }
        assert_int_equal(*at++, '>');
    } while (depth > 0);
    assert_string_equal(at, "\n");
}

static void draw_word(struct press *press, const char *word, size_t length)
{
    canvas_begin(press->canvas, 200, 40);
    canvas_text_length(press->canvas, 10, 20, FONT_WORDS, 13, INK, CANVAS_LEFT, word, length);
}

static void an_svg_is_xml_and_holds_every_word(void **state)
{
    struct press *press = *state;
    static const char *const words[] = {
        ">Softmax: every row becomes shares</text>",
        ">AVATAR Wave To. office</text>",
        ">\xe2\x88\x92\x32.70 \xc2\xb7 0.394</text>",
        "-&gt; 2x2</t",
        ">right, small and muted</text>",
        "<g><title>Scores</title>",
    };
    sample_draw(press->canvas);
    const char *svg = svg_of(press, &(struct render_figure){.ground = &PAPER,
                                                            .title = "A <title>",
                                                            .description = "\"Words\" & more",
                                                            .experiment = "{\"a\": 1}"});
    assert_well_formed(svg);
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        if (strstr(svg, words[w]) == NULL) {
            fail_msg("%s is not in the SVG.", words[w]);
        }
    }
    assert_non_null(strstr(svg, "<title>A &lt;title&gt;</title>"));
    assert_non_null(strstr(svg, "<desc>&quot;Words&quot; &amp; more</desc>"));
    const char *const kept = strstr(svg, "<metadata id=\"attnscope-");
    assert_non_null(kept);
    assert_memory_equal(strchr(kept, '>'), ">{&quot;a&quot;: 1}</metadata>", 28);
    assert_non_null(strstr(svg, "width=\"480pt\" height=\"300pt\" viewBox=\"0 0 480 300\""));
}

static void a_letter_that_no_font_has_is_its_code_point_in_a_box(void **state)
{
    struct press *press = *state;
    const char word[] = "a\xf4\x8f\xbf\xbdz"; /* for private use: no font should claim it */
    size_t boxes = 0;
    struct rect digits = {0}, lower = {0}, whole = {0};
    canvas_begin(press->canvas, 100, 50);
    canvas_text(press->canvas, 10, 30, FONT_WORDS, 20, INK, CANVAS_LEFT, word);
    assert_true(canvas_find_text(press->canvas, word, 0, &whole));
    assert_true(canvas_find_text(press->canvas, "10F", 0, &digits));
    assert_true(canvas_find_text(press->canvas, "FFD", 0, &lower));
    assert_true(digits.x > whole.x && digits.x + digits.w < whole.x + whole.w);
    assert_true(lower.y > digits.y);
    for (size_t i = 0; i < canvas_count(press->canvas); i++) {
        boxes += canvas_command_at(press->canvas, i)->kind == CANVAS_RECT;
    }
    assert_int_equal(boxes, 1);
    const char *svg = svg_of(press, &(struct render_figure){.ground = &PAPER});
    assert_well_formed(svg);
    assert_null(strstr(svg, "\xf4\x8f\xbf\xbd<"));
    assert_non_null(strstr(svg, ">10F</text>"));
}

/* The digits in its box are no part of the text, and are there. */
static void a_letter_that_no_font_has_beside_an_index(void **state)
{
    struct press *press = *state;
    canvas_begin(press->canvas, 200, 50);
    canvas_text(press->canvas, 10, 30, FONT_WORDS, 16, INK, CANVAS_LEFT,
                "W_Q \xf4\x8f\xbf\xbd d_k");
    canvas_text(press->canvas, 10, 45, FONT_WORDS, 16, INK, CANVAS_LEFT, "W_V");
    size_t parts = 0;
    for (size_t i = 0; i < canvas_count(press->canvas); i++) {
        parts += canvas_command_at(press->canvas, i)->follows;
    }
    const char *svg = svg_of(press, &(struct render_figure){.ground = &PAPER});
    assert_well_formed(svg);
    const char *const box = strstr(svg, ">10F</text>");
    assert_non_null(box);
    assert_null(strstr(box + 1, ">10F<"));
    assert_null(strstr(svg, "10F</tspan>"));
    assert_int_equal(parts, 4); /* Q, the letters between, k, V */
}

static void no_word_breaks_the_xml(void **state)
{
    struct press *press = *state;
    static const struct {
        const char *word;
        size_t length;
        const char *stands;
        const char *without_font; /* what stands where no font has it; NULL: the same */
    } cases[] = {
        {"a\0b", 3, "\xef\xbf\xbd", NULL},
        {"]]>", 3, "]]&gt;", NULL},
        {"<!--", 4, "&lt;!--", NULL},
        {"\"'&", 3, "&quot;&#39;&amp;", NULL},
        {"\x1b[31m", 5, "\xef\xbf\xbd", ">1B</text>"},
        {"\xff\xfe", 2, "\xef\xbf\xbd\xef\xbf\xbd", NULL},
        {"\xef\xbf\xbe", 3, "\xef\xbf\xbd", ">FE</text>"},
        {"\xed\xa0\x80", 3, "\xef\xbf\xbd", NULL},
        {"\xf0\x9f\x90\x88", 4, "\xf0\x9f\x90\x88", ">408</text>"},
        {"\xd8\xb3\xd9\x84 1", 6, "\xd8\xb3\xd9\x84", NULL},
        {"&#0;", 4, "&amp;#0;", NULL},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        draw_word(press, cases[c].word, cases[c].length);
        const char *svg = svg_of(press, &(struct render_figure){.ground = &PAPER});
        assert_well_formed(svg);
        const bool other =
            cases[c].without_font != NULL && strstr(svg, cases[c].without_font) != NULL;
        if (strstr(svg, cases[c].stands) == NULL && !other) {
            fail_msg("%s does not stand in %s", cases[c].stands, svg);
        }
        assert_well_formed(svg_of(press, &(struct render_figure){.text = RENDER_OUTLINES}));
        assert_true(
            holds(write_as(press, "pdf", &(struct render_figure){.ground = &PAPER}), "%%EOF"));
    }
}

static void outlines_need_no_font(void **state)
{
    struct press *press = *state;
    draw_word(press, "H\"i", 3);
    const char *svg = svg_of(press, &(struct render_figure){.text = RENDER_OUTLINES});
    assert_null(strstr(svg, "<text"));
    assert_null(strstr(svg, "font"));
    assert_non_null(strstr(svg, "aria-label=\"H&quot;i\""));
    assert_non_null(strstr(svg, "d=\"M"));
}

static void equal_pictures_give_equal_figures(void **state)
{
    struct press *press = *state;
    for (size_t f = 0; render_format_at(f) != NULL; f++) {
        sample_draw(press->canvas);
        const struct bytes once =
            write_as(press, render_format_at(f)->suffix, &(struct render_figure){.ground = &PAPER});
        const struct bytes again =
            write_as(press, render_format_at(f)->suffix, &(struct render_figure){.ground = &PAPER});
        assert_int_equal(once.size, again.size);
        assert_memory_equal(once.at, again.at, once.size);
    }
}

static void numbers_in_an_svg_are_short(void **state)
{
    struct press *press = *state;
    const struct point path[] = {{1.0f / 3, -2.004f}, {1e6f, 0.004f}, {0.1f, 7}};
    canvas_begin(press->canvas, 100, 50);
    canvas_path(press->canvas, path, 3, true, &(struct paint){.fill = INK});
    assert_non_null(strstr(svg_of(press, &(struct render_figure){.ground = NULL}),
                           "d=\"M.33 -2L1000000 0L.1 7Z\""));
}

static void what_a_clip_hides_is_not_in_the_file(void **state)
{
    struct press *press = *state;
    canvas_begin(press->canvas, 300, 100);
    canvas_clip(press->canvas, (struct rect){10, 10, 50, 80});
    canvas_group(press->canvas, 1, "open when the clip ends");
    canvas_text(press->canvas, 20, 40, FONT_WORDS, 13, INK, CANVAS_LEFT, "half of it is seen");
    canvas_text(press->canvas, 200, 40, FONT_WORDS, 13, INK, CANVAS_LEFT, "hidden");
    canvas_unclip(press->canvas);
    canvas_text(press->canvas, 200, 80, FONT_WORDS, 13, INK, CANVAS_LEFT, "free");
    canvas_ungroup(press->canvas);
    const char *svg = svg_of(press, &(struct render_figure){.ground = &PAPER});
    assert_well_formed(svg);
    const char *half = strstr(svg, ">half of it is seen<");
    assert_non_null(half);
    assert_non_null(strstr(svg, "<rect x=\"10\" y=\"10\" width=\"50\" height=\"80\"/></clipPath>"));
    assert_null(strstr(svg, "hidden"));
    assert_true(strstr(half, "</g>") < strstr(svg, ">free<"));
    const char *const used = strstr(svg, "clip-path=\"url(#clip-");
    assert_non_null(used);
    assert_non_null(strstr(used, "_10_10_50_80)\""));
}

/* The picture brings its letters, and no more than those. */
static void an_svg_can_bring_the_letters_of_its_fonts(void **state)
{
    struct press *press = *state;
    canvas_begin(press->canvas, 300, 100);
    canvas_text(press->canvas, 20, 40, FONT_WORDS, 13, INK, CANVAS_LEFT, "word");
    canvas_text(press->canvas, 20, 80, FONT_NUMBERS, 13, INK, CANVAS_LEFT, "0.25");
    struct arena arena = {0};
    const char *const plain = svg_of(press, &(struct render_figure){.ground = &PAPER});
    const size_t without = strlen(plain);
    assert_null(strstr(plain, "@font-face"));
    const char *const svg =
        svg_of(press, &(struct render_figure){.ground = &PAPER, .text = RENDER_EMBEDDED});
    assert_well_formed(svg);
    size_t fonts = 0;
    for (const char *at = svg; (at = strstr(at, "@font-face{font-family:'")) != NULL; fonts++) {
        at += strlen("@font-face{font-family:'");
        const char *const used =
            arena_format(&arena, "font-family=\"'%.*s',", (int)strcspn(at, "'"), at);
        assert_non_null(strstr(svg, used));
    }
    assert_int_equal(fonts, 2);
    assert_non_null(strstr(svg, ">word<"));
    assert_true(strlen(svg) > without + 1000 && strlen(svg) < without + 40000);
    arena_free(&arena);
}

/* An SVG with a clip and an experiment, of a text. */
static const char *clipped(struct press *press, const char *text)
{
    canvas_begin(press->canvas, 300, 100);
    canvas_clip(press->canvas, (struct rect){10, 10, 50, 80});
    canvas_text(press->canvas, 20, 40, FONT_WORDS, 13, INK, CANVAS_LEFT, text);
    canvas_unclip(press->canvas);
    return svg_of(press, &(struct render_figure){.ground = &PAPER, .experiment = "{}"});
}

/* Two figures stand in one page, where a name means one thing. */
static void no_name_is_in_two_pictures(void **state)
{
    struct press *press = *state;
    struct arena arena = {0};
    const char *const one = clipped(press, "one text that is cut");
    const char *const first = arena_text(&arena, one, strlen(one));
    const char *const second = clipped(press, "another text that is cut");
    size_t names = 0;
    for (const char *at = first; (at = strstr(at, " id=\"")) != NULL; at++, names++) {
        const char *const name = arena_text(&arena, at, strcspn(at + 5, "\"") + 6);
        assert_null(strstr(second, name));
    }
    assert_int_equal(names, 2);
    assert_string_equal(clipped(press, "one text that is cut"), first);
    arena_free(&arena);
}

static void cells_of_an_image_stay_crisp(void **state)
{
    struct press *press = *state;
    const struct colour cells[4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, PAPER};
    canvas_begin(press->canvas, 100, 100);
    canvas_image(press->canvas, (struct rect){10, 10, 80, 80}, 2, 2, cells);
    const char *svg = svg_of(press, &(struct render_figure){.ground = &PAPER});
    assert_well_formed(svg);
    assert_non_null(strstr(svg, "<image x=\"10\" y=\"10\" width=\"80\" height=\"80\""));
    assert_non_null(strstr(svg, "image-rendering:pixelated"));
    assert_non_null(strstr(svg, "data:image/png;base64,iVBORw0KGgo"));
    assert_true(holds(write_as(press, "pdf", &(struct render_figure){.ground = &PAPER}),
                      "/Interpolate false"));
}

static void words_about_a_picture_stand_in_it(void **state)
{
    struct press *press = *state;
    const struct render_figure said = {.ground = &PAPER,
                                       .title = "Softmax \xce\xb1",
                                       .description = "cat and dog",
                                       .experiment = "{\"seed\": 42}",
                                       .created = "2023-11-14T22:13:20Z"};
    const struct render_figure silent = {.ground = &PAPER};
    draw_word(press, "cat", 3);
    const struct bytes png = write_as(press, "png", &said), pdf = write_as(press, "pdf", &said);
    assert_true(holds(png, "Softmax \xce\xb1"));
    assert_true(holds(png, "Description"));
    assert_true(holds(png, "{\"seed\": 42}"));
    assert_true(holds(png, "2023-11-14T22:13:20Z"));
    assert_true(holds(pdf, "cat and dog"));
    assert_true(holds(pdf, "20231114221320"));
    assert_false(holds(write_as(press, "png", &silent), "iTXt"));
    assert_false(holds(write_as(press, "pdf", &silent), "Date"));
}

static void a_cropped_list_shows_its_part_at_the_corner(void **state)
{
    struct press *press = *state;
    struct rect area;
    canvas_begin(press->canvas, 400, 300);
    canvas_rect(press->canvas, (struct rect){0, 0, 400, 300}, 0, &(struct paint){.fill = PAPER});
    canvas_rect(press->canvas, (struct rect){100, 50, 60, 40}, 0, &(struct paint){.fill = INK});
    canvas_text(press->canvas, 110, 120, FONT_WORDS, 13, INK, CANVAS_LEFT, "cat");
    const struct rect content = canvas_content(press->canvas);
    assert_true(content.x == 100 && content.y == 50 && content.w == 60);
    struct canvas *part = canvas_crop(press->canvas, (struct rect){90, 40, 80, 100});
    assert_non_null(part);
    assert_true(canvas_width(part) == 80 && canvas_height(part) == 100);
    assert_true(canvas_find_text(part, "cat", 0, &area));
    assert_true(area.x == 20);
    assert_true(canvas_command_at(part, 1)->rect.x == 10);
    canvas_close(part);
}

/* What is cut of a panel's card is its ground: half a border would look torn. */
static void a_cut_card_has_no_border_and_a_whole_one_keeps_it(void **state)
{
    struct press *press = *state;
    const struct paint card = {.fill = PAPER, .stroke = INK, .width = 1};
    canvas_begin(press->canvas, 400, 300);
    canvas_rect(press->canvas, (struct rect){4, 4, 392, 292}, 12, &card);
    struct canvas *part = canvas_crop(press->canvas, (struct rect){0, 0, 380, 300});
    assert_non_null(part);
    const struct canvas_command *const cut = canvas_command_at(part, 0);
    assert_true(cut->paint.stroke.alpha == 0 && cut->rect.x == 0 && cut->rect.w == 380);
    canvas_close(part);
    part = canvas_crop(press->canvas, (struct rect){2, 2, 396, 296});
    assert_non_null(part);
    assert_true(canvas_command_at(part, 0)->paint.stroke.alpha > 0);
    assert_true(canvas_command_at(part, 0)->rect.w == 392);
    canvas_close(part);
}

/* --- drawn by others --- */

static uint8_t *decode(struct bytes file, png_image *image)
{
    *image = (png_image){.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(image, file.at, file.size));
    image->format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(*image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(image, NULL, pixels, 0, NULL));
    return pixels;
}

/* Mean difference of a channel, of 255. */
static double difference(struct bytes a, struct bytes b)
{
    png_image first, second;
    uint8_t *const pixels = decode(a, &first);
    uint8_t *const others = decode(b, &second);
    assert_int_equal(first.width, second.width);
    assert_int_equal(first.height, second.height);
    const size_t size = PNG_IMAGE_SIZE(first);
    double sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum += abs(pixels[i] - others[i]);
    }
    free(pixels);
    free(others);
    return sum / (double)size;
}

static void others_draw_what_the_screen_shows(void **state)
{
    struct press *press = *state;
    static const struct {
        const char *suffix, *program, *line;
    } others[] = {
        {"svg", "rsvg-convert", "rsvg-convert -w 960 -h 600 -o figure-drawn.png figure-sample"},
        {"pdf", "pdftoppm", "pdftoppm -r 144 -png -singlefile figure-sample figure-drawn"},
    };
    struct error error = {0};
    bool drawn = false;
#ifdef _WIN32
    skip(); /* its shell looks for a program in another way */
#endif
    sample_draw(press->canvas);
    const struct render_figure figure = {.scale = 2, .ground = &PAPER, .text = RENDER_OUTLINES};
    const struct bytes screen = write_as(press, "png", &figure);
    for (size_t o = 0; o < sizeof others / sizeof others[0]; o++) {
        char look_for[64];
        snprintf(look_for, sizeof look_for, "command -v %s >/dev/null", others[o].program);
        if (system(look_for) != 0) {
            continue;
        }
        struct bytes file;
        assert_true(
            file_write("figure-sample", write_as(press, others[o].suffix, &figure), &error));
        assert_int_equal(system(others[o].line), 0);
        assert_true(file_read("figure-drawn.png", 1 << 24, &press->arena, &file, &error));
        const double mean = difference(screen, file);
        if (mean > 1.5) {
            fail_msg("%s differs by %.2f of 255 in the mean.", others[o].suffix, mean);
        }
        assert_int_equal(remove("figure-sample") + remove("figure-drawn.png"), 0);
        drawn = true;
    }
    if (!drawn) {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_svg_is_xml_and_holds_every_word),
        cmocka_unit_test(a_letter_that_no_font_has_is_its_code_point_in_a_box),
        cmocka_unit_test(a_letter_that_no_font_has_beside_an_index),
        cmocka_unit_test(no_word_breaks_the_xml),
        cmocka_unit_test(outlines_need_no_font),
        cmocka_unit_test(equal_pictures_give_equal_figures),
        cmocka_unit_test(numbers_in_an_svg_are_short),
        cmocka_unit_test(what_a_clip_hides_is_not_in_the_file),
        cmocka_unit_test(no_name_is_in_two_pictures),
        cmocka_unit_test(an_svg_can_bring_the_letters_of_its_fonts),
        cmocka_unit_test(cells_of_an_image_stay_crisp),
        cmocka_unit_test(words_about_a_picture_stand_in_it),
        cmocka_unit_test(a_cropped_list_shows_its_part_at_the_corner),
        cmocka_unit_test(a_cut_card_has_no_border_and_a_whole_one_keeps_it),
        cmocka_unit_test(others_draw_what_the_screen_shows),
    };
    return cmocka_run_group_tests(tests, press_open, press_close);
}

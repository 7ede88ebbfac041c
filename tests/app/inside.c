/* The session inside a picture: found in every format the program writes, and in none that is cut,
 * foreign or forged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/document/session.h"

/* Bytes with their number: there are zeros in most. */
#define BYTES(text)                                                                                \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }
#define PNG "\x89PNG\r\n\x1a\n"
#define PNG_END "\0\0\0\0IEND\xae\x42\x60\x82"
#define SVG(inside) "<svg><metadata id=\"attnscope\">" inside "</metadata></svg>"
#define WEBP "RIFF\0\0\0\0WEBP"
#define XMP(inside) "<attnscope:experiment>" inside "</attnscope:experiment>"
#define GIF "GIF89a\1\0\1\0\0\0\0"
#define GIF_FOUR_COLOURS                                                                           \
    "GIF89a\1\0\1\0\x81\0\0"                                                                       \
    "rgbrgbrgbrgb"
#define OURS                                                                                       \
    "!\xff\x0b"                                                                                    \
    "ATTNSCOP1.0"

struct bytes_of {
    const char *at;
    size_t size;
};

static const struct {
    struct bytes_of file;
    const char *text;
} found[] = {
    {BYTES("{\"a\": 1}"), "{\"a\": 1}"},
    {BYTES("\xef\xbb\xbf \t\r\n{}"), "\xef\xbb\xbf \t\r\n{}"},
    {BYTES(PNG "\0\0\0\1tEXtxCRC_\0\0\0\x10"
               "iTXtattnscope\0\0\0\0\0{}CRC_" PNG_END),
     "{}"},
    {BYTES(SVG("{}")), "{}"},
    {BYTES("<?xml version=\"1.0\"?>\n" SVG("{&quot;a&quot;: &lt;&amp;&gt;&apos;}")),
     "{\"a\": <&>'}"},
    {BYTES(SVG("&#65;&#x42;&#xe9;&#x6F22;&#x1F600;")), "AB\u00e9\u6f22\U0001F600"},
    {BYTES(SVG("&#0; &#x110000; &#x1F6001234; &#6a; &#xg; &nbsp; &#65 &")),
     "&#0; &#x110000; &#x1F6001234; &#6a; &#xg; &nbsp; &#65 &"},
    {BYTES("%PDF-1.7 /Keywords ({\\(\\)\\\\})"), "{()\\}"},
    {BYTES("%PDF-1.7 /Keywords ({old}) /Keywords ({new})"), "{new}"},
    {BYTES("%PDF-1.7 /Keywords ({"), "{"},
    {BYTES("%PDF-1.7 /Keywords ({\\"), "{\\"},
    {BYTES("%PDF-1.7 /Keywords <FEFF007b00E96f22>"), "{\u00e9\u6f22"},
    {BYTES("%PDF-1.7 /Keywords <FEFF007bD83DDE00007d>"), "{\U0001F600}"},
    {BYTES("%PDF-1.7 /Keywords <007bD83D0041DE00DE00007d00>"), "{A}"},
    {BYTES(WEBP "VP8 \1\0\0\0x\0XMP \x2f\0\0\0" XMP("{}")), "{}"},
    {BYTES(GIF OURS "\2{}\0"), "{}"},
    {BYTES(GIF_FOUR_COLOURS "!\xf9\4abcd\0"
                            "!\xff\x0b"
                            "NETSCAPE2.0\3\1\0\0\0" OURS "\1{\1}\0;"),
     "{}"},
};

static const struct {
    struct bytes_of file;
    const char *says;
} refused[] = {
    {BYTES(""), "no model, no file of attention, no lesson or session, and no picture"},
    {BYTES(" "), "no model, no file of attention, no lesson or session, and no picture"},
    {BYTES("\0\0\0\0"), "no model, no file of attention, no lesson or session, and no picture"},
    {BYTES("<?xml version=\"1.0\"?><html></html>"),
     "no model, no file of attention, no lesson or session, and no picture"},
    {BYTES("\x93NUMPY\1\0v\0{'descr': '<f8', 'shape': (2, 3)}"), "Copy its numbers and paste them"},
    {BYTES("RIFF\0\0\0\0WAVE"),
     "no model, no file of attention, no lesson or session, and no picture"},
    {BYTES("{\"format\": \"attnscope-trace\"}"), "These are results"},
    {BYTES(PNG), "does not say"},
    {BYTES(PNG "\0\0\0\0IEN"), "does not say"},
    {BYTES(PNG PNG_END), "does not say"},
    {BYTES(PNG "\xff\xff\xff\xffiTXtattnscope\0\0\0\0\0{}"), "does not say"},
    {BYTES(PNG "\0\0\0\x10"
               "iTXtattnscope\0\1\0\0\0{}CRC_" PNG_END),
     "does not say"},
    {BYTES("<svg></svg>"), "does not say"},
    {BYTES("<svg><metadata id=\"attnscope\">{}"), "does not say"},
    {BYTES("<svg><metadata id=\"other\">{}</metadata></svg>"), "does not say"},
    {BYTES("%PDF-1.7"), "does not say"},
    {BYTES("%PDF-1.7 /Keywords "), "does not say"},
    {BYTES("%PDF-1.7 /Keywords (attention, softmax)"), "does not say"},
    {BYTES("%PDF-1.7 /Keywords <FEFF00>"), "does not say"},
    {BYTES(WEBP), "does not say"},
    {BYTES(WEBP "VP8 \1\0\0\0x\0"), "does not say"},
    {BYTES(WEBP "VP8 \xff\xff\xff\xffx"), "does not say"},
    {BYTES(WEBP "XMP \4\0\0\0<x/>"), "does not say"},
    {BYTES(WEBP "XMP \x19\0\0\0<attnscope:experiment>{} "), "does not say"},
    {BYTES("GIF89a\1\0"), "does not say"},
    {BYTES(GIF), "does not say"},
    {BYTES(GIF ";"), "does not say"},
    {BYTES(GIF "!\xfe\5hello\0;"), "does not say"},
    {BYTES(GIF "!\xfe\5hell"), "does not say"},
    {BYTES(GIF "!\xfe\5hello"), "does not say"},
    {BYTES(GIF OURS "\2{}"), "does not say"},
    {BYTES(GIF OURS "\xff{}"), "does not say"},
};

/* At the very end of a block of its own, so that checkers see a step too far. */
static struct bytes copy_of(struct bytes_of file)
{
    uint8_t *const copy = malloc(file.size > 0 ? file.size : 1);
    assert_non_null(copy);
    memcpy(copy, file.at, file.size);
    return (struct bytes){copy, file.size};
}

static void what_a_picture_was_made_from_is_found(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof found / sizeof found[0]; f++) {
        struct arena arena = {0};
        struct error error = {ERROR_NONE, 0, ""};
        struct bytes text = {0};
        const struct bytes file = copy_of(found[f].file);
        if (!app_session_find(file, &arena, &text, &error)) {
            fail_msg("%zu: %s", f, error.text);
        }
        if (text.size != strlen(found[f].text) || memcmp(text.at, found[f].text, text.size) != 0) {
            fail_msg("%zu: \"%.*s\"", f, (int)text.size, (const char *)text.at);
        }
        arena_free(&arena);
        free((void *)(uintptr_t)file.at);
    }
}

static void pictures_without_are_told_from_what_is_none(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof refused / sizeof refused[0]; f++) {
        struct arena arena = {0};
        struct error error = {ERROR_NONE, 0, ""};
        struct bytes text = {0};
        const struct bytes file = copy_of(refused[f].file);
        if (app_session_find(file, &arena, &text, &error)) {
            fail_msg("%zu: \"%.*s\"", f, (int)text.size, (const char *)text.at);
        }
        if (strstr(error.text, refused[f].says) == NULL) {
            fail_msg("%zu: %s", f, error.text);
        }
        arena_free(&arena);
        free((void *)(uintptr_t)file.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_picture_was_made_from_is_found),
        cmocka_unit_test(pictures_without_are_told_from_what_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

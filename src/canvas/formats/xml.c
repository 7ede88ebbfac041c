/* Text, numbers and base64 appended to one growing buffer. */
#include "canvas/formats/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { FIRST_ROOM = 64 * 1024, MEASURE_DECIMALS = 2 };

static const double LARGEST_NUMBER = 1e7;

void xml_free(struct xml *xml)
{
    free(xml->at);
    *xml = (struct xml){0};
}

static bool reserve_bytes(struct xml *xml, size_t size)
{
    if (xml->failed || size > SIZE_MAX / 4 - xml->size) {
        xml->failed = true;
        return false;
    }
    if (xml->size + size > xml->room) {
        const size_t room = (xml->size + size) * 2 + FIRST_ROOM;
        char *const larger = realloc(xml->at, room);
        if (larger == NULL) {
            xml->failed = true;
            return false;
        }
        xml->at = larger;
        xml->room = room;
    }
    return true;
}

void xml_put_bytes(struct xml *xml, const char *bytes, size_t size)
{
    if (size > 0 && reserve_bytes(xml, size)) {
        memcpy(xml->at + xml->size, bytes, size);
        xml->size += size;
    }
}

void xml_put(struct xml *xml, const char *markup)
{
    xml_put_bytes(xml, markup, strlen(markup));
}

void xml_put_number(struct xml *xml, double value, int decimals)
{
    static const double powers[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6};
    char digits[32];
    size_t at = sizeof digits;
    const double near = isnan(value) ? 0 : fmin(fmax(value, -LARGEST_NUMBER), LARGEST_NUMBER);
    const long long scaled = llround(near * powers[decimals]);
    unsigned long long left = (unsigned long long)(scaled < 0 ? -scaled : scaled);
    bool behind_point = false;
    for (int d = 0; d < decimals; d++, left /= 10) {
        if (left % 10 != 0 || behind_point) {
            digits[--at] = (char)('0' + left % 10);
            behind_point = true;
        }
    }
    if (behind_point) {
        digits[--at] = '.';
    }
    for (; left > 0; left /= 10) {
        digits[--at] = (char)('0' + left % 10);
    }
    if (at == sizeof digits) {
        digits[--at] = '0';
    }
    if (scaled < 0) {
        digits[--at] = '-';
    }
    xml_put_bytes(xml, digits + at, sizeof digits - at);
}

/* XML 1.0, section 2.2, less the control characters that it only advises against. */
static bool is_allowed(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0x7f) ||
           (code >= 0xa0 && code != 0xfffe && code != 0xffff);
}

static const char *escape_of(uint32_t code)
{
    static const struct {
        uint32_t code;
        const char *escape;
    } escapes[] = {{'&', "&amp;"},  {'<', "&lt;"},  {'>', "&gt;"},   {'"', "&quot;"},
                   {'\'', "&#39;"}, {'\t', "&#9;"}, {'\n', "&#10;"}, {'\r', "&#13;"}};
    for (size_t e = 0; e < sizeof escapes / sizeof escapes[0]; e++) {
        if (escapes[e].code == code) {
            return escapes[e].escape;
        }
    }
    return NULL;
}

void xml_put_text(struct xml *xml, const char *text, size_t length)
{
    size_t plain = 0; /* what stands from here on needs no change */
    for (size_t at = 0; at < length;) {
        const size_t from = at;
        const uint32_t code = text_next(text, length, &at);
        const bool broken = code == 0xfffd && (at - from != 3 || (uint8_t)text[from] != 0xef);
        const char *const instead = broken || !is_allowed(code) ? "\xef\xbf\xbd" : escape_of(code);
        if (instead != NULL) {
            xml_put_bytes(xml, text + plain, from - plain);
            xml_put(xml, instead);
            plain = at;
        }
    }
    xml_put_bytes(xml, text + plain, length - plain);
}

void xml_put_attribute(struct xml *xml, const char *name, const char *text, size_t length)
{
    xml_put(xml, " ");
    xml_put(xml, name);
    xml_put(xml, "=\"");
    xml_put_text(xml, text, length);
    xml_put(xml, "\"");
}

void xml_put_measure(struct xml *xml, const char *name, double value)
{
    xml_put(xml, " ");
    xml_put(xml, name);
    xml_put(xml, "=\"");
    xml_put_number(xml, value, MEASURE_DECIMALS);
    xml_put(xml, "\"");
}

void xml_put_base64(struct xml *xml, const uint8_t *bytes, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < size; at += 3) {
        const size_t left = size - at;
        const uint32_t group = (uint32_t)bytes[at] << 16 |
                               (left > 1 ? (uint32_t)bytes[at + 1] << 8 : 0) |
                               (left > 2 ? bytes[at + 2] : 0);
        const char four[] = {letters[group >> 18], letters[group >> 12 & 63],
                             left > 1 ? letters[group >> 6 & 63] : '=',
                             left > 2 ? letters[group & 63] : '='};
        xml_put_bytes(xml, four, sizeof four);
    }
}

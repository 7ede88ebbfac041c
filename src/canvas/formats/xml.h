/* canvas/formats/xml.h — inside of the room: XML put together in memory, well-formed whatever the
 * text.
 *
 * Numbers have a decimal point and few decimals in every locale. A lack of memory is remembered;
 * then nothing more is appended. */
#ifndef CANVAS_FORMATS_XML_H
#define CANVAS_FORMATS_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xml {
    char *at; /* owned: xml_free */
    size_t size, room;
    bool failed;
};

void xml_free(struct xml *xml);

/* Bytes as they are. */
void xml_put(struct xml *xml, const char *markup);
void xml_put_bytes(struct xml *xml, const char *bytes, size_t size);

/* Writes value with at most `decimals` (0 to 6) digits behind the point, without 0 at either end
 * (".5"); NaN, and values beyond all pictures, as the nearest that is allowed. */
void xml_put_number(struct xml *xml, double value, int decimals);

/* Text for an element or for an attribute in double quotes. What XML 1.0 cannot hold (control
 * characters, U+FFFE, broken UTF-8) becomes U+FFFD. */
void xml_put_text(struct xml *xml, const char *text, size_t length);

/* Writes ` name="value"`. */
void xml_put_attribute(struct xml *xml, const char *name, const char *text, size_t length);
void xml_put_measure(struct xml *xml, const char *name, double value);

/* Base64 of RFC 4648, in one line. */
void xml_put_base64(struct xml *xml, const uint8_t *bytes, size_t size);

#endif

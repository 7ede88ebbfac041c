/* Attributes of SVG that say how something is painted, and ramps of colours. */
#include "canvas/formats/svg_paint.h"

#include "canvas/draw/shape.h"

void svg_put_colour(struct xml *xml, const char *name, struct colour colour)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t part[] = {colour.red, colour.green, colour.blue};
    xml_put(xml, " ");
    xml_put(xml, name);
    xml_put(xml, "=\"#");
    for (size_t p = 0; p < 3; p++) {
        xml_put_bytes(xml, &digits[part[p] >> 4], 1);
        xml_put_bytes(xml, &digits[part[p] & 15], 1);
    }
    xml_put(xml, "\"");
    if (colour.alpha < 255) {
        xml_put(xml, " ");
        xml_put(xml, name);
        xml_put(xml, "-opacity=\"");
        xml_put_number(xml, colour.alpha / 255.0, 3);
        xml_put(xml, "\"");
    }
}

void svg_put_fill(struct xml *xml, struct colour colour)
{
    if (colour_is_seen(colour)) {
        svg_put_colour(xml, "fill", colour);
    } else {
        xml_put(xml, " fill=\"none\"");
    }
}

void svg_put_stroke(struct xml *xml, const struct paint *paint, float width)
{
    if (!colour_is_seen(paint->stroke) || width <= 0) {
        return;
    }
    svg_put_colour(xml, "stroke", paint->stroke);
    xml_put_measure(xml, "stroke-width", (double)width);
    if (paint->dash > 0 && paint->gap > 0) {
        xml_put(xml, " stroke-dasharray=\"");
        xml_put_number(xml, (double)paint->dash, 2);
        xml_put(xml, " ");
        xml_put_number(xml, (double)paint->gap, 2);
        xml_put(xml, "\"");
    }
}

void svg_put_area(struct xml *xml, struct rect area)
{
    xml_put_measure(xml, "x", (double)area.x);
    xml_put_measure(xml, "y", (double)area.y);
    xml_put_measure(xml, "width", (double)area.w);
    xml_put_measure(xml, "height", (double)area.h);
}

void svg_put_ramp(struct xml *xml, const struct canvas_command *command, struct rect area,
                  const struct colour *colours, void (*put_name)(void *owner), void *owner)
{
    enum { STOPS = 21 }; /* between them colours are straight lines, as between those of a map */
    const bool upright = command->columns == 1;
    xml_put(xml, "<linearGradient id=\"");
    put_name(owner);
    xml_put(xml, upright ? "\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">" : "\">");
    for (size_t s = 0; s <= STOPS; s++) {
        const size_t at = (command->length - 1) * s / STOPS;
        xml_put(xml, "<stop offset=\"");
        xml_put_number(xml, (double)at / (double)(command->length - 1), 4);
        xml_put(xml, "\"");
        svg_put_colour(xml, "stop-color", colours[at]);
        xml_put(xml, "/>");
    }
    xml_put(xml, "</linearGradient>\n<rect");
    svg_put_area(xml, area);
    xml_put(xml, " fill=\"url(#");
    put_name(owner);
    xml_put(xml, ")\"/>\n");
}

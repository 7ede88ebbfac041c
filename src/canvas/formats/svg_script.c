/* Letters, and indices below them, as spans of one text. */
#include "canvas/formats/svg_script.h"

#include "canvas/draw/canvas_internal.h"
#include "canvas/text/font.h"

static const float NO_WIDTH = 0.02f;

static void put_piece(struct xml *xml, const struct canvas_command *piece, float width,
                      float baseline, void (*put_length)(struct xml *xml, float width))
{
    xml_put(xml, "<tspan");
    xml_put_measure(xml, "x", (double)piece->rect.x);
    xml_put_measure(xml, "y", (double)baseline);
    xml_put_measure(xml, "font-size", (double)piece->rect.h);
    put_length(xml, width);
    xml_put(xml, ">");
}

void svg_script_put(struct xml *xml, const struct canvas *canvas,
                    const struct canvas_command *first,
                    float (*baseline)(const struct canvas_command *command),
                    void (*put_length)(struct xml *xml, float width))
{
    const char *const text = canvas_text_of(canvas, first);
    const struct canvas_command *const end = canvas_command_at(canvas, 0) + canvas_count(canvas);
    size_t at = 0;
    for (const struct canvas_command *piece = first; piece < end && at < first->said_length;
         piece++) {
        if (piece != first && !piece->follows) {
            continue; /* what is drawn apart lies among them */
        }
        if (piece->start >= first->start + first->said_length) {
            break; /* of another text */
        }
        const size_t from = piece->start - first->start;
        const struct font_run *const run =
            font_shape(canvas_fonts(canvas), piece->face, text + from, piece->length);
        const float width = run->width * piece->rect.h;
        if (from > at) {
            xml_put(xml, "<tspan fill=\"none\"");
            put_length(xml, NO_WIDTH);
            xml_put(xml, ">");
            xml_put_text(xml, text + at, from - at);
            xml_put(xml, "</tspan>");
        }
        put_piece(xml, piece, width, baseline(piece), put_length);
        xml_put_text(xml, text + from, piece->length);
        xml_put(xml, "</tspan>");
        at = from + piece->length;
    }
}

/* canvas/formats/formats.h — the kinds of files a picture can be written as. */
#ifndef CANVAS_FORMATS_FORMATS_H
#define CANVAS_FORMATS_FORMATS_H

#include "canvas/render/render.h"

/* One kind of file. write: *content is owned by the arena; title, description and so on may be any
 * text; equal lists and figures give equal bytes. */
struct render_format {
    const char *suffix; /* "png", as names of files end and options say it */
    const char *title;  /* "PNG", as people read it */
    bool is_text;       /* may be shown on a terminal */
    bool has_pixels;    /* scale counts */
    bool is_page;       /* `write` draws the figure in it; app/draw puts the page around it */
    bool (*write)(struct render_cairo *player, const struct canvas *canvas,
                  const struct render_figure *figure, struct arena *arena, struct bytes *content,
                  struct error *error);
};

/* Returns the format at an index; NULL behind the last. */
const struct render_format *render_format_at(size_t index);

/* By suffix, letter case ignored; NULL when there is none. */
const struct render_format *render_format_find(const char *suffix);

/* SVG 1.1 (render_svg.c): lengths are points, shapes stand where the two-fold PNG has them. */
bool render_svg(struct render_cairo *player, const struct canvas *canvas,
                const struct render_figure *figure, struct arena *arena, struct bytes *svg,
                struct error *error);

/* PDF (pdf.c): fonts embedded, text selectable. */
bool render_pdf(struct render_cairo *player, const struct canvas *canvas,
                const struct render_figure *figure, struct arena *arena, struct bytes *pdf,
                struct error *error);

/* Several lists, one a page. */
bool render_pdf_pages(const struct canvas *const *pages, size_t count,
                      const struct render_figure *figure, struct arena *arena, struct bytes *pdf,
                      struct error *error);

#endif

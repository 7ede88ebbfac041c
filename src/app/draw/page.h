/* app/draw/page.h — a scene, or the lesson around it, as one HTML file (page/page.h). */
#ifndef APP_DRAW_PAGE_H
#define APP_DRAW_PAGE_H

#include "app/draw/figure.h"
#include "app/draw/worksheet.h"

/* Makes the figure that stands in the page: the same whatever was chosen for pictures, so that
 * window and command line write the same bytes. */
struct app_figure app_page_figure(const struct app_figure *picture);

/* Writes the page around the figure as SVG; the arena owns it. A lesson whose steps can all be
 * computed here is there as a whole, else the step that is shown alone. */
bool app_page_write(const struct app_figure *picture, struct bytes svg, struct arena *arena,
                    struct bytes *html, struct error *error);

/* Writes a worksheet as a page that checks answers: of a lesson the steps that ask for something,
 * else stages of which every number is asked for. The arena owns it. */
bool app_page_worksheet(const struct app_worksheet *worksheet, struct arena *arena,
                        struct bytes *html, struct error *error);

#endif

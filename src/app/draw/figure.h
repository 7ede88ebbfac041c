/* app/draw/figure.h — pictures of an experiment without a window: the same list, played into a
 * file.
 *
 *     struct app_figure_renderer *renderer = app_figure_renderer_open(&error);
 *     app_figure_renderer_print(renderer, &picture, &arena, &content, &error);   as often as wanted
 *     app_figure_renderer_close(renderer); */
#ifndef APP_DRAW_FIGURE_H
#define APP_DRAW_FIGURE_H

#include "app/draw/scene.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "canvas/formats/formats.h"
#include "canvas/render/render.h"

/* Ordinary letters of a figure whose size is told in millimetres or inches: as small as those of
 * figures in papers are. */
#define APP_PAPER_LETTERS 8.0f
#define APP_PAPER_SCALE (300 / 72.0f) /* pixels a point on paper: 300 an inch */

/* Ordinary letters of a picture of so many points, which are not of paper: what is larger than a
 * small slide (960 × 540; the window: 1440 × 900) has letters as many times larger. 0: it is not.
 */
float app_slide_letters(const char *view, float width, float height);

enum app_ground {
    APP_GROUND_THEME,
    APP_GROUND_WHITE,
    APP_GROUND_CLEAR, /* nothing under the picture: transparent */
};

/* How much of the paper the file holds. */
enum app_extent {
    APP_EXTENT_PAPER,   /* all of it */
    APP_EXTENT_CONTENT, /* only what there is to see, and a little margin */
    APP_EXTENT_WIDTH,   /* the same, but as wide as the paper, and laid out to fill that */
};

/* The layers of a model, or the sides of a comparison, one after the other in a page. */
struct lab_block;
struct page_run;
struct app_page_layers {
    const struct lab_trace **trace; /* of each, held by the caller */
    size_t count;
    const char *const *name;        /* of each: "A"; NULL: layers, which are counted */
    struct arena arena;             /* owns names that are no constants */
    bool weights_alone;             /* the page holds α and not what it is made of */
    const struct lab_block **block; /* of each, held too: its next words; NULL: none has them */
    const struct page_run *run;     /* of steps of training, else NULL */
};

/* A figure that is all zero but for scene, size and scale is a plain PNG of the window. */
struct app_figure {
    struct app_scene scene;
    const char *view;    /* name in the table of pictures; NULL: "window" */
    float width, height; /* points */
    float scale;         /* pixels a point */
    float letters;       /* size of ordinary letters, points; 0: 13, as in a window */
    float letters_floor; /* of the smallest letters, points; 0: APP_FONT_SIZE_MIN */
    const struct render_format *format; /* NULL: PNG */
    enum app_ground ground;             /* of the window; of a panel that stands alone too */
    enum app_extent extent;
    const struct rect *ink; /* what is cropped is cropped round this, which pictures that follow
                               each other share; NULL: round what there is to see in this one */
    bool fits; /* letters become smaller where not all has room; where that does not help there is
                  no picture, but a sentence with the size that would do */
    enum render_text text;
    bool describes;         /* the alternative text stands in the file */
    const char *source;     /* behind that: what it was made from; NULL: nothing is said */
    const char *experiment; /* stands in the file; NULL: nothing */
    const char *created;    /* ISO 8601 in UTC; NULL: no time in the file */
    const char
        *changed; /* what is changed in the model, for a page: "L0H2 off"; NULL or "": nothing */
    const struct app_page_layers *layers; /* a page has all of them; NULL: it has what is shown */
    const struct lab_lesson *lesson; /* a page has all of its steps; NULL: it has what is shown */
    const struct bytes *step_figure; /* of each of these: SVG of a view that no script draws, size
                                        0: it has none; NULL: none has one */
};

struct app_figure_renderer;

struct app_figure_renderer *app_figure_renderer_open(struct error *error);
void app_figure_renderer_close(struct app_figure_renderer *renderer);

/* Draws a face with another font from now on: of a file, or of a family of the system's. Before the
 * first picture. */
bool app_figure_renderer_use_font(struct app_figure_renderer *renderer, enum font_face face,
                                  const char *name, bool is_file, struct error *error);

/* The bytes of the file, owned by the arena. */
bool app_figure_renderer_print(struct app_figure_renderer *renderer,
                               const struct app_figure *picture, struct arena *arena,
                               struct bytes *content, struct error *error);

/* The figure that a page has of the picture (app/draw/page.h), as SVG, owned by the arena. */
bool app_figure_renderer_print_for_page(struct app_figure_renderer *renderer,
                                        const struct app_figure *picture, struct arena *arena,
                                        struct bytes *svg, struct error *error);

/* The room in points that its view takes by itself: of a window for those that take any. */
struct point app_figure_renderer_size(struct app_figure_renderer *renderer,
                                      const struct app_figure *picture);

/* Letters of the last picture that no font has, each once: a box with its number stands in their
 * place. How many of them there are up to max. */
size_t app_figure_renderer_missing_glyphs(const struct app_figure_renderer *renderer,
                                          uint32_t *code, size_t max);

/* The product of a renderer: the list, and what plays it. Both belong to the renderer, the list
 * until its next picture. */
struct app_sheet {
    const struct canvas *canvas;
    struct render_cairo *player;
    struct colour ground; /* where the picture has one */
};

/* Says whether it is a figure of a comparison, with its panels beside each other: of two
 * experiments, so that its file holds none. */
bool app_figure_compares(const struct app_figure *picture);

/* Returns what stands in a file of the sheet beside the drawing; texts are owned by the arena. */
struct render_figure app_picture_figure(const struct app_figure *picture,
                                        const struct app_sheet *sheet, struct arena *arena);

/* The drawing alone: for players that make something else of it than a file. */
bool app_figure_renderer_draw(struct app_figure_renderer *renderer,
                              const struct app_figure *picture, struct app_sheet *sheet,
                              struct error *error);

/* Writes one picture, by a renderer of its own. */
bool app_picture_print(const struct app_figure *picture, struct arena *arena, struct bytes *content,
                       struct error *error);

#endif

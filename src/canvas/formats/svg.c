/* The list as SVG 1.1. Equal lists give equal bytes: every number is written here, by xml.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <hb-ot.h>

#include "base/random.h"
#include "canvas/draw/canvas_internal.h"
#include "canvas/draw/shape.h"
#include "canvas/formats/formats.h"
#include "canvas/formats/svg_fonts.h"
#include "canvas/formats/svg_paint.h"
#include "canvas/formats/svg_script.h"
#include "canvas/formats/xml.h"
#include "canvas/render/pixels.h"
#include "canvas/render/png.h"
#include "canvas/render/render.h"
#include "canvas/text/font.h"
#include "canvas/text/font_internal.h"

/* Where a letter's outline goes, and where its pen stands. */
struct pen {
    struct xml *xml;
    double x, y;
};

/* Font units an em of a file has. */
static float outline_units(struct fonts *fonts, uint32_t file)
{
    return fonts->source[file < fonts->sources ? file : FONT_LAST_RESORT].upem;
}

/* Whole font units: they are finer than any printer. */
static void put_point(const struct pen *pen, const char *before, float x, float y)
{
    xml_put(pen->xml, before);
    xml_put_number(pen->xml, pen->x + (double)x, 0);
    xml_put(pen->xml, " ");
    xml_put_number(pen->xml, pen->y + (double)y, 0);
}

static void move_to(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, float x, float y,
                    void *unused)
{
    (void)funcs, (void)state, (void)unused;
    put_point(to, "M", x, y);
}

static void line_to(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, float x, float y,
                    void *unused)
{
    (void)funcs, (void)state, (void)unused;
    put_point(to, "L", x, y);
}

static void quadratic_to(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, float control_x,
                         float control_y, float x, float y, void *unused)
{
    (void)funcs, (void)state, (void)unused;
    put_point(to, "Q", control_x, control_y);
    put_point(to, " ", x, y);
}

static void cubic_to(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, float first_x,
                     float first_y, float second_x, float second_y, float x, float y, void *unused)
{
    (void)funcs, (void)state, (void)unused;
    put_point(to, "C", first_x, first_y);
    put_point(to, " ", second_x, second_y);
    put_point(to, " ", x, y);
}

static void close_path(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, void *unused)
{
    (void)funcs, (void)state, (void)unused;
    const struct pen *const pen = to;
    xml_put(pen->xml, "Z");
}

static hb_draw_funcs_t *open_funcs(void)
{
    hb_draw_funcs_t *const funcs = hb_draw_funcs_create();
    hb_draw_funcs_set_move_to_func(funcs, move_to, NULL, NULL);
    hb_draw_funcs_set_line_to_func(funcs, line_to, NULL, NULL);
    hb_draw_funcs_set_quadratic_to_func(funcs, quadratic_to, NULL, NULL);
    hb_draw_funcs_set_cubic_to_func(funcs, cubic_to, NULL, NULL);
    hb_draw_funcs_set_close_path_func(funcs, close_path, NULL, NULL);
    return funcs;
}

/* Appends the letters of a stretch as the content of an SVG path (such as `M12 40L20 40Z`): font
 * units, y upward from the baseline, x counted from the start of the run. */
static void outline_put(struct fonts *fonts, const struct font_run *run,
                        const struct font_stretch *stretch, struct xml *xml)
{
    if (stretch->file >= fonts->sources) {
        return;
    }
    const struct font_source *const source = &fonts->source[stretch->file];
    hb_draw_funcs_t *const funcs = open_funcs();
    for (size_t g = 0; g < stretch->glyphs; g++) {
        const struct font_glyph *const glyph = &run->glyph[stretch->glyph + g];
        struct pen pen = {xml, (double)(glyph->x * source->upem),
                          (double)(-glyph->y * source->upem)};
#if HB_VERSION_ATLEAST(7, 0, 0)
        hb_font_draw_glyph(source->font, glyph->id, funcs, &pen);
#else
        hb_font_get_glyph_shape(source->font, glyph->id, funcs, &pen);
#endif
    }
    hb_draw_funcs_destroy(funcs);
}

/* Shapes come to lie where a PNG of two pixels a point has them: sharp on screens, and finer than
 * what an eye can see on paper. */
static const float GRID = 2;

enum {
    KNOWN_CLIPS = 64,
    PIXELS_A_POINT = 4,       /* of an image whose cells are enlarged */
    IMAGE_PIXELS = 512 * 512, /* enlarging ends there */
};

struct page {
    struct xml xml;
    struct fonts *fonts;
    const struct canvas *canvas;
    const struct render_figure *figure;
    struct rect all;     /* the whole picture */
    struct rect clip;    /* in force, inside of it */
    struct rect wrapped; /* the clip of the open <g clip-path>, if is_wrapped */
    bool is_wrapped;
    struct rect known[KNOWN_CLIPS]; /* clips that have an element already, the newest last */
    size_t knowns;
    size_t depth; /* groups that are open */
    size_t *mark; /* where the file's own mark stands in names; owned */
    size_t marks, mark_room;
    size_t ramp_names; /* written so far */
};

/* --- names --- */

enum { MARK = 8 };

/* Room for the mark that tells the names of this picture from those of others in one page: the hash
 * of all that is written, which is known in the end. */
static void put_mark(struct page *page)
{
    if (page->marks == page->mark_room) {
        const size_t room = page->mark_room * 2 + 16;
        size_t *const wider = realloc(page->mark, room * sizeof *wider);
        if (wider == NULL) {
            page->xml.failed = true;
            return;
        }
        page->mark = wider;
        page->mark_room = room;
    }
    page->mark[page->marks++] = page->xml.size;
    xml_put(&page->xml, "00000000");
}

static void write_marks(struct page *page)
{
    static const char digits[] = "0123456789abcdef";
    const uint64_t hash = random_hash(page->xml.at, page->xml.size);
    for (size_t m = 0; m < page->marks; m++) {
        for (size_t d = 0; d < MARK; d++) {
            page->xml.at[page->mark[m] + d] = digits[(hash >> 4 * d) & 15];
        }
    }
}

/* --- clips and groups --- */

/* Named by where it is. */
static void put_clip_name(struct page *page, struct rect clip)
{
    struct xml *const xml = &page->xml;
    const float part[] = {clip.x, clip.y, clip.w, clip.h};
    xml_put(xml, "clip-");
    put_mark(page);
    for (size_t p = 0; p < 4; p++) {
        xml_put(xml, "_");
        xml_put_number(xml, (double)part[p], 2);
    }
}

static bool same_rect(struct rect a, struct rect b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

static bool is_known(const struct page *page, struct rect clip)
{
    const size_t kept = page->knowns < KNOWN_CLIPS ? page->knowns : KNOWN_CLIPS;
    for (size_t k = 0; k < kept; k++) {
        if (same_rect(page->known[k], clip)) {
            return true;
        }
    }
    return false;
}

static void define_clip(struct page *page, struct rect clip)
{
    if (is_known(page, clip)) {
        return;
    }
    page->known[page->knowns++ % KNOWN_CLIPS] = clip;
    xml_put(&page->xml, "<clipPath id=\"");
    put_clip_name(page, clip);
    xml_put(&page->xml, "\"><rect");
    svg_put_area(&page->xml, clip);
    xml_put(&page->xml, "/></clipPath>\n");
}

static void end_clip_group(struct page *page)
{
    if (page->is_wrapped) {
        xml_put(&page->xml, "</g>\n");
        page->is_wrapped = false;
    }
}

/* Begins a group inside the clip in force. Groups and clips need not be nested into each other;
 * elements are, so the clip is always the innermost. */
static void begin_clip_group(struct page *page, bool needs_clip)
{
    if (page->is_wrapped && (!needs_clip || !same_rect(page->wrapped, page->clip))) {
        end_clip_group(page);
    }
    if (needs_clip && !page->is_wrapped) {
        define_clip(page, page->clip);
        xml_put(&page->xml, "<g clip-path=\"url(#");
        put_clip_name(page, page->clip);
        xml_put(&page->xml, ")\">\n");
        page->wrapped = page->clip;
        page->is_wrapped = true;
    }
}

static struct rect of_box(struct shape_box box)
{
    return (struct rect){(float)box.left / GRID, (float)box.top / GRID,
                         (float)(box.right - box.left) / GRID,
                         (float)(box.bottom - box.top) / GRID};
}

static struct rect on_grid(struct rect rect)
{
    return of_box(shape_box(rect, GRID));
}

/* False: nothing of the command can be seen. Else the clip stands as the command needs it. */
static bool enter_clip(struct page *page, const struct canvas_command *command)
{
    const struct rect bounds = of_box(shape_bounds(command, GRID));
    const struct rect seen = rect_cut(bounds, page->clip);
    if (seen.w <= 0 || seen.h <= 0) {
        return false;
    }
    /* Beyond the picture nobody sees anyhow. */
    begin_clip_group(page, !same_rect(seen, bounds) && !same_rect(page->clip, page->all));
    return true;
}

static void open_group(struct page *page, const struct canvas_command *command)
{
    end_clip_group(page);
    page->depth++;
    xml_put(&page->xml, "<g>");
    if (command->length > 0) {
        xml_put(&page->xml, "<title>");
        xml_put_text(&page->xml, canvas_text_of(page->canvas, command), command->length);
        xml_put(&page->xml, "</title>");
    }
    xml_put(&page->xml, "\n");
}

static void close_group(struct page *page)
{
    end_clip_group(page);
    if (page->depth > 0) {
        page->depth--;
        xml_put(&page->xml, "</g>\n");
    }
}

/* --- shapes --- */

static void put_rect(struct page *page, const struct canvas_command *command)
{
    struct xml *const xml = &page->xml;
    const struct shape_rect shape = shape_rect(command, GRID);
    const float half = shape.width / 2;
    struct rect area = rect_inset(shape.area, half);
    const float radius = fmaxf(shape.radius - half, 0) / GRID;
    if (shape.area.w <= 0 || shape.area.h <= 0) {
        return;
    }
    area = (struct rect){area.x / GRID, area.y / GRID, area.w / GRID, area.h / GRID};
    if (area.w == area.h && radius * 2 >= area.w && radius > 0) {
        xml_put(xml, "<circle");
        xml_put_measure(xml, "cx", (double)(area.x + area.w / 2));
        xml_put_measure(xml, "cy", (double)(area.y + area.h / 2));
        xml_put_measure(xml, "r", (double)radius);
    } else {
        xml_put(xml, "<rect");
        svg_put_area(xml, area);
        if (radius > 0) {
            xml_put_measure(xml, "rx", (double)radius);
        }
    }
    svg_put_fill(xml, command->paint.fill);
    svg_put_stroke(xml, &command->paint, shape.width / GRID);
    xml_put(xml, command->paint.crisp && radius <= 0 && shape.width <= 0
                     ? " shape-rendering=\"crispEdges\"/>\n"
                     : "/>\n");
}

static void put_points(struct xml *xml, const struct point *point, size_t count, float scale)
{
    for (size_t i = 0; i < count; i++) {
        xml_put(xml, i == 0 ? "M" : "L");
        xml_put_number(xml, (double)(point[i].x / scale), 2);
        xml_put(xml, " ");
        xml_put_number(xml, (double)(point[i].y / scale), 2);
    }
}

static void put_path(struct page *page, const struct canvas_command *command)
{
    struct xml *const xml = &page->xml;
    const struct point *const point = canvas_points_of(page->canvas, command);
    struct point ends[2];
    float width = command->paint.width * GRID;
    xml_put(xml, "<path d=\"");
    if (shape_straight_line(command, point, GRID, ends, &width)) {
        put_points(xml, ends, 2, GRID);
    } else {
        put_points(xml, point, command->length, 1);
    }
    xml_put(xml, command->closed ? "Z\"" : "\"");
    svg_put_fill(xml, command->length > 2 ? command->paint.fill : (struct colour){0, 0, 0, 0});
    svg_put_stroke(xml, &command->paint, command->paint.width > 0 ? width / GRID : 0);
    xml_put(xml, command->length > 2 && colour_is_seen(command->paint.stroke)
                     ? " stroke-linejoin=\"round\"/>\n"
                     : "/>\n");
}

/* --- images --- */

static bool is_opaque(const struct colour *cell, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cell[i].alpha < 255) {
            return false;
        }
    }
    return true;
}

/* How many pixels a cell becomes on each side: some readers smooth images whatever they are told,
 * and then only a small part of every pixel counts. Browsers do as they are told. */
static uint32_t cell_pixels(const struct canvas_command *command, bool is_browsed)
{
    const float wanted = ceilf(PIXELS_A_POINT * fmaxf(command->rect.w / (float)command->columns,
                                                      command->rect.h / (float)command->rows));
    const double cells = (double)command->columns * command->rows;
    const double max_times = floor(sqrt(IMAGE_PIXELS / cells));
    return command->smooth || is_browsed ? 1 : (uint32_t)fmax(fmin((double)wanted, max_times), 1);
}

/* One row of cells as `times` pixels each, as the PNG writer takes them. */
static void enlarge_row(const struct colour *cell, uint32_t columns, uint32_t times, uint8_t *row)
{
    for (uint32_t x = 0; x < columns; x++) {
        uint8_t *const first = row + (size_t)x * times * 4;
        pixels_premultiply(&cell[x], 1, first);
        for (uint32_t t = 1; t < times; t++) {
            memcpy(first + (size_t)t * 4, first, 4);
        }
    }
}

static bool encode_image(const struct page *page, const struct canvas_command *command,
                         struct arena *arena, struct bytes *png)
{
    const struct colour *const cell = canvas_pixels_of(page->canvas, command);
    const uint32_t times = cell_pixels(command, page->figure->text == RENDER_BROWSED);
    const uint32_t columns = command->columns;
    uint8_t *const row = arena_array(arena, (size_t)columns * times, 4);
    struct png_writer *const writer =
        row == NULL
            ? NULL
            : png_writer_open((int)(columns * times), (int)(command->rows * times),
                              !is_opaque(cell, (size_t)columns * command->rows), 72, NULL, 0, NULL);
    bool written = writer != NULL;
    for (uint32_t y = 0; written && y < command->rows; y++) {
        enlarge_row(cell + (size_t)y * columns, columns, times, row);
        for (uint32_t t = 0; written && t < times; t++) {
            written = png_writer_band(writer, row, 1, NULL);
        }
    }
    written = written && png_writer_end(writer, arena, png, NULL);
    png_writer_close(writer);
    return written;
}

static void put_ramp_name(void *owner)
{
    struct page *const page = owner;
    xml_put(&page->xml, "ramp-");
    put_mark(page);
    xml_put(&page->xml, "-");
    xml_put_number(&page->xml, (double)(page->ramp_names++ / 2), 0); /* an element and its use */
}

static void put_image(struct page *page, const struct canvas_command *command)
{
    struct xml *const xml = &page->xml;
    struct arena arena = {0};
    struct bytes png = {NULL, 0};
    if (command->columns == 0 || command->rows == 0) {
        return;
    }
    if (command->ramp) {
        svg_put_ramp(xml, command, on_grid(command->rect), canvas_pixels_of(page->canvas, command),
                     put_ramp_name, page);
    } else if (encode_image(page, command, &arena, &png)) {
        xml_put(xml, "<image");
        svg_put_area(xml, on_grid(command->rect));
        /* Older readers know only the old name. */
        xml_put(xml, " preserveAspectRatio=\"none\"");
        xml_put(xml, command->smooth ? ""
                                     : " image-rendering=\"optimizeSpeed\""
                                       " style=\"image-rendering:pixelated\"");
        xml_put(xml, " xlink:href=\"data:image/png;base64,");
        xml_put_base64(xml, png.at, png.size);
        xml_put(xml, "\"/>\n");
    } else {
        xml->failed = true;
    }
    arena_free(&arena);
}

/* --- text --- */

static void put_length(struct xml *xml, float width)
{
    if (width >= 0.01f) {
        xml_put_measure(xml, "textLength", (double)width);
        xml_put(xml, " lengthAdjust=\"spacingAndGlyphs\"");
    }
}

/* The stretch that starts first of those that start at `from` or behind it. */
static const struct font_stretch *next_stretch(const struct font_run *run, size_t from)
{
    const struct font_stretch *next = NULL;
    for (size_t s = 0; s < run->stretches; s++) {
        const struct font_stretch *const stretch = &run->stretch[s];
        if (stretch->start >= from && (next == NULL || stretch->start < next->start)) {
            next = stretch;
        }
    }
    return next;
}

/* Writes the name of a font of the file. */
static void put_font_name(void *owner, uint32_t file)
{
    struct page *const page = owner;
    xml_put(&page->xml, "attnscope-");
    put_mark(page);
    xml_put(&page->xml, "-");
    xml_put_number(&page->xml, file, 0);
}

/* The family of a face, before it the file's own font of the letters, and the weight. */
static void put_face(struct page *page, enum font_face face, uint32_t file)
{
    const bool numbers = face == FONT_NUMBERS || face == FONT_NUMBERS_BOLD;
    if (page->figure->text != RENDER_EMBEDDED) {
        svg_fonts_put_face(&page->xml, canvas_fonts(page->canvas), face);
        return;
    }
    xml_put(&page->xml, " font-family=\"'");
    put_font_name(page, file);
    xml_put(&page->xml, numbers ? "', monospace\"" : "', sans-serif\"");
}

/* Each stretch where it was measured, in the order in which they are read. */
static void put_stretches(struct page *page, const struct canvas_command *command,
                          const struct font_run *run)
{
    struct xml *const xml = &page->xml;
    const char *const text = canvas_text_of(page->canvas, command);
    const float size = command->rect.h;
    const struct font_stretch *stretch = next_stretch(run, 0);
    for (; stretch != NULL; stretch = next_stretch(run, stretch->start + 1)) {
        if (stretch->apart != 0 && stretch->pictures == 0) {
            continue; /* its box is drawn by commands of its own */
        }
        /* So are pictures, but whoever searches or copies finds the letter. */
        xml_put(xml, stretch->pictures > 0 ? "<tspan fill=\"none\"" : "<tspan");
        if (page->figure->text == RENDER_EMBEDDED) {
            put_face(page, command->face, stretch->file);
        }
        xml_put_measure(xml, "x", (double)(command->rect.x + stretch->x * size));
        put_length(xml, stretch->width * size);
        xml_put(xml, ">");
        xml_put_text(xml, text + stretch->start, stretch->length);
        xml_put(xml, "</tspan>");
    }
}

static float text_baseline(const struct canvas_command *command)
{
    return command->turn != 0 ? command->rect.y : roundf(command->rect.y * GRID) / GRID;
}

/* rotate(-45 10 20): about the start of its baseline. */
static void put_turn(struct xml *xml, const struct canvas_command *command)
{
    xml_put(xml, "rotate(");
    xml_put_number(xml, -(double)command->turn, 0);
    xml_put(xml, " ");
    xml_put_number(xml, (double)command->rect.x, 2);
    xml_put(xml, " ");
    xml_put_number(xml, (double)text_baseline(command), 2);
    xml_put(xml, ")");
}

/* Browsers drop such spaces unless the element itself says that they stay; what is left would then
 * be stretched to the whole length. */
static bool spaces_count(const char *text, size_t length)
{
    bool after_space = true;
    for (size_t at = 0; at < length; at++) {
        if (after_space && text[at] == ' ') {
            return true;
        }
        after_space = text[at] == ' ';
    }
    return length > 0 && after_space;
}

static void put_letters(struct page *page, const struct canvas_command *command,
                        const struct font_run *run)
{
    struct xml *const xml = &page->xml;
    const bool scripted = command->said_length > 0;
    const bool in_one = run->stretches <= 1 && run->apart == 0 && !scripted;
    if (run->missing == run->stretches && run->stretches > 0) {
        return;
    }
    xml_put(xml, "<text");
    if (in_one) {
        xml_put_measure(xml, "x", (double)command->rect.x);
    }
    xml_put_measure(xml, "y", (double)text_baseline(command));
    if (command->turn != 0) {
        xml_put(xml, " transform=\"");
        put_turn(xml, command);
        xml_put(xml, "\"");
    }
    put_face(page, command->face, run->stretches > 0 ? run->stretch[0].file : 0);
    xml_put_measure(xml, "font-size", (double)command->rect.h);
    svg_put_colour(xml, "fill", command->paint.fill);
    if (spaces_count(canvas_text_of(page->canvas, command), command->length)) {
        xml_put(xml, " xml:space=\"preserve\"");
    }
    if (in_one) {
        put_length(xml, run->width * command->rect.h);
    }
    xml_put(xml, ">");
    if (in_one) {
        xml_put_text(xml, canvas_text_of(page->canvas, command), command->length);
    } else if (scripted) {
        svg_script_put(xml, page->canvas, command, text_baseline, put_length);
    } else {
        put_stretches(page, command, run);
    }
    xml_put(xml, "</text>\n");
}

static void put_outlines(struct page *page, const struct canvas_command *command,
                         const struct font_run *run)
{
    struct xml *const xml = &page->xml;
    xml_put(xml, "<g role=\"img\"");
    xml_put_attribute(xml, "aria-label", canvas_text_of(page->canvas, command), command->length);
    svg_put_colour(xml, "fill", command->paint.fill);
    xml_put(xml, ">");
    for (size_t s = 0; s < run->stretches; s++) {
        const double em =
            (double)(command->rect.h / outline_units(page->fonts, run->stretch[s].file));
        xml_put(xml, "<path transform=\"");
        if (command->turn != 0) {
            put_turn(xml, command);
            xml_put(xml, " ");
        }
        xml_put(xml, "translate(");
        xml_put_number(xml, (double)command->rect.x, 2);
        xml_put(xml, " ");
        xml_put_number(xml, (double)text_baseline(command), 2);
        xml_put(xml, ") scale(");
        xml_put_number(xml, em, 6);
        xml_put(xml, " ");
        xml_put_number(xml, -em, 6);
        xml_put(xml, ")\" d=\"");
        outline_put(page->fonts, run, &run->stretch[s], xml);
        xml_put(xml, "\"/>");
    }
    xml_put(xml, "</g>\n");
}

static void put_text(struct page *page, const struct canvas_command *command)
{
    const struct font_run *const run = font_shape(
        page->fonts, command->face, canvas_text_of(page->canvas, command), command->length);
    const bool outlines = page->figure->text == RENDER_OUTLINES;
    /* A command that follows is part of the text before it. */
    if (!colour_is_seen(command->paint.fill) || (command->follows && !outlines)) {
        return;
    }
    if (outlines) {
        put_outlines(page, command, run);
    } else {
        put_letters(page, command, run);
    }
}

/* --- the list --- */

static void put_command(struct page *page, const struct canvas_command *command)
{
    static void (*const put[])(struct page *, const struct canvas_command *) = {
        [CANVAS_RECT] = put_rect,
        [CANVAS_PATH] = put_path,
        [CANVAS_TEXT] = put_text,
        [CANVAS_IMAGE] = put_image,
    };
    switch (command->kind) {
    case CANVAS_RECT:
    case CANVAS_PATH:
    case CANVAS_TEXT:
    case CANVAS_IMAGE:
        if (enter_clip(page, command)) {
            put[command->kind](page, command);
        }
        break;
    case CANVAS_CLIP:
    case CANVAS_UNCLIP:
        page->clip = rect_cut(on_grid(command->rect), page->all);
        break;
    case CANVAS_GROUP:
        open_group(page, command);
        break;
    case CANVAS_UNGROUP:
        close_group(page);
        break;
    }
}

static void put_words(struct xml *xml, const char *begin, const char *text, const char *end)
{
    if (text != NULL && text[0] != '\0') {
        xml_put(xml, begin);
        xml_put_text(xml, text, strlen(text));
        xml_put(xml, end);
    }
}

static void put_head(struct page *page, float width, float height)
{
    struct xml *const xml = &page->xml;
    const struct render_figure *const figure = page->figure;
    xml_put(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<svg xmlns=\"http://www.w3.org/2000/svg\""
                 " xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" role=\"img\""
                 " width=\"");
    xml_put_number(xml, (double)width, 2);
    xml_put(xml, "pt\" height=\"");
    xml_put_number(xml, (double)height, 2);
    xml_put(xml, "pt\" viewBox=\"0 0 ");
    xml_put_number(xml, (double)width, 2);
    xml_put(xml, " ");
    xml_put_number(xml, (double)height, 2);
    xml_put(xml, "\" xml:space=\"preserve\"");
    if (figure->text != RENDER_OUTLINES) {
        svg_fonts_put_words(xml, canvas_fonts(page->canvas));
        /* As the text was measured: "->" stays two letters. */
        xml_put(xml, " style=\"font-feature-settings:'calt' 0\"");
    }
    xml_put(xml, ">\n");
    if (figure->text == RENDER_EMBEDDED) {
        svg_fonts_put(xml, page->canvas, put_font_name, page);
    }
    put_words(xml, "<title>", figure->title, "</title>\n");
    put_words(xml, "<desc>", figure->description, "</desc>\n");
    if (figure->experiment != NULL && figure->experiment[0] != '\0') {
        xml_put(xml, "<metadata id=\"attnscope-");
        put_mark(page);
        put_words(xml, "\">", figure->experiment, "</metadata>\n");
    }
    if (figure->ground != NULL && colour_is_seen(*figure->ground)) {
        xml_put(xml, "<rect");
        svg_put_area(xml, (struct rect){0, 0, width, height});
        svg_put_fill(xml, *figure->ground);
        xml_put(xml, "/>\n");
    }
}

bool render_svg(struct render_cairo *player, const struct canvas *canvas,
                const struct render_figure *figure, struct arena *arena, struct bytes *svg,
                struct error *error)
{
    (void)player;
    const struct rect all = {0, 0, canvas_width(canvas), canvas_height(canvas)};
    struct page page = {
        .fonts = canvas_fonts(canvas), .canvas = canvas, .figure = figure, .all = all, .clip = all};
    put_head(&page, fmaxf(all.w, 1), fmaxf(all.h, 1));
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        put_command(&page, canvas_command_at(canvas, i));
    }
    while (page.depth > 0) {
        close_group(&page);
    }
    end_clip_group(&page);
    xml_put(&page.xml, "</svg>\n");
    uint8_t *const copy = page.xml.failed ? NULL : arena_alloc(arena, page.xml.size);
    if (copy != NULL) {
        write_marks(&page);
        memcpy(copy, page.xml.at, page.xml.size);
        *svg = (struct bytes){copy, page.xml.size};
    }
    xml_free(&page.xml);
    free(page.mark);
    return copy != NULL ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for the SVG file.");
}

/* The texture of letters, filled row by row, and quads that show them. */
#include "canvas/render/font_atlas.h"

#include <SDL.h>
#include <SDL_ttf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/text/font_internal.h"

enum {
    SIDE_MAX = 2048,        /* pixels of the texture */
    SIDE_SURE = 1024,       /* what every renderer can, when it does not say */
    WHITE = 4,              /* side of the white corner */
    FONTS_MAX = 64,         /* open at a time */
    PLACES = 8192,          /* a power of two; half of them are used at most */
    STRETCH_LONGEST = 1000, /* bytes that SDL_ttf is given at once */
};

/* A font file opened at a size. */
struct sized_font {
    TTF_Font *font;
    uint32_t file;
    int dpi; /* of a font of one point: seventy-two times the pixels an em */
};

/* A picture in the texture, and where its corner lies from the pen. */
struct atlas_place {
    uint64_t key;
    bool used;
    bool plain; /* false: SDL_ttf cannot draw the stretch */
    int x, y, width, height;
    int left, top;
};

struct font_atlas {
    struct fonts *fonts;
    struct glyphs *glyphs;
    SDL_Texture *texture;
    int side;
    int shelf_x, shelf_y, shelf_height; /* packing in rows */
    struct sized_font font[FONTS_MAX];
    int open;
    struct atlas_place place[PLACES];
    int places;
    uint32_t *pixels; /* scratch: one mask as the texture wants it */
    size_t pixel_room;
};

/* --- the texture --- */

static bool upload_area(struct font_atlas *atlas, const SDL_Rect *area, const void *pixels,
                        int pitch)
{
    return SDL_UpdateTexture(atlas->texture, area, pixels, pitch) == 0;
}

void font_atlas_clear(struct font_atlas *atlas)
{
    memset(atlas->place, 0, sizeof atlas->place);
    atlas->places = 0;
    atlas->shelf_x = WHITE + 1;
    atlas->shelf_y = 0;
    atlas->shelf_height = WHITE + 1;
    glyphs_trim(atlas->glyphs);
}

/* Room for width × height and a pixel beside it. False: full. */
static bool allot_area(struct font_atlas *atlas, int width, int height, SDL_Rect *area)
{
    if (atlas->shelf_x + width + 1 > atlas->side) {
        atlas->shelf_y += atlas->shelf_height;
        atlas->shelf_x = 0;
        atlas->shelf_height = 0;
    }
    if (width >= atlas->side || atlas->shelf_y + height + 1 > atlas->side ||
        atlas->places * 2 >= PLACES) {
        return false;
    }
    *area = (SDL_Rect){atlas->shelf_x, atlas->shelf_y, width, height};
    atlas->shelf_x += width + 1;
    atlas->shelf_height = height + 1 > atlas->shelf_height ? height + 1 : atlas->shelf_height;
    return true;
}

static bool make_texture(struct font_atlas *atlas, SDL_Renderer *renderer)
{
    SDL_RendererInfo about;
    uint32_t white[WHITE * WHITE];
    const bool known = SDL_GetRendererInfo(renderer, &about) == 0 && about.max_texture_width > 0;
    const int max_side = known ? about.max_texture_width : SIDE_SURE;
    atlas->side = max_side < SIDE_MAX ? max_side : SIDE_MAX;
    atlas->texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC,
                                       atlas->side, atlas->side);
    memset(white, 0xff, sizeof white);
    return atlas->texture != NULL &&
           SDL_SetTextureBlendMode(atlas->texture, SDL_BLENDMODE_BLEND) == 0 &&
           SDL_SetTextureScaleMode(atlas->texture, SDL_ScaleModeNearest) == 0 &&
           upload_area(atlas, &(SDL_Rect){0, 0, WHITE, WHITE}, white, WHITE * 4);
}

struct font_atlas *font_atlas_open(struct fonts *fonts, SDL_Renderer *renderer, struct error *error)
{
    struct font_atlas *atlas = calloc(1, sizeof *atlas);
    if (atlas == NULL || TTF_Init() != 0) {
        free(atlas);
        error_set(error, ERROR_MEMORY, "Text cannot be drawn on this screen.");
        return NULL;
    }
    atlas->fonts = fonts;
    atlas->glyphs = glyphs_open(fonts, error);
    if (atlas->glyphs == NULL || !make_texture(atlas, renderer)) {
        font_atlas_close(atlas);
        error_set(error, ERROR_DISPLAY, "The screen has no room for letters: %s.", SDL_GetError());
        return NULL;
    }
    font_atlas_clear(atlas);
    return atlas;
}

static void close_fonts(struct font_atlas *atlas)
{
    for (int i = 0; i < atlas->open; i++) {
        if (atlas->font[i].font != NULL) {
            TTF_CloseFont(atlas->font[i].font);
        }
    }
    atlas->open = 0;
}

void font_atlas_close(struct font_atlas *atlas)
{
    if (atlas == NULL) {
        return;
    }
    close_fonts(atlas);
    if (atlas->texture != NULL) {
        SDL_DestroyTexture(atlas->texture);
    }
    glyphs_close(atlas->glyphs);
    free(atlas->pixels);
    free(atlas);
    TTF_Quit();
}

SDL_Texture *font_atlas_texture(const struct font_atlas *atlas)
{
    return atlas->texture;
}

struct point font_atlas_white(const struct font_atlas *atlas)
{
    const float middle = (float)WHITE / 2 / (float)atlas->side;
    return (struct point){middle, middle};
}

/* --- what is kept --- */

static struct atlas_place *find_place(struct font_atlas *atlas, uint64_t key)
{
    size_t at = (size_t)(key ^ key >> 32) & (PLACES - 1);
    while (atlas->place[at].used && atlas->place[at].key != key) {
        at = (at + 1) & (PLACES - 1);
    }
    return &atlas->place[at];
}

static uint64_t mix_key(uint64_t key, uint64_t part)
{
    key = (key ^ part) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

static void add_quad(const struct font_atlas *atlas, const struct atlas_place *place, int x, int y,
                     struct shape_box clip, struct mesh *mesh, struct colour colour)
{
    const int left = x + place->left;
    const int top = y + place->top;
    const struct shape_box box = {left, top, left + place->width, top + place->height};
    const float side = (float)atlas->side;
    if (place->width == 0 || shape_box_is_empty(shape_box_cut(box, clip))) {
        return;
    }
    const struct rect texture = {(float)place->x / side, (float)place->y / side,
                                 (float)place->width / side, (float)place->height / side};
    mesh_quad(mesh, box, texture, colour);
}

/* --- stretches, by SDL_ttf --- */

static TTF_Font *font_of(struct font_atlas *atlas, uint32_t file, int dpi)
{
    for (int i = 0; i < atlas->open; i++) {
        if (atlas->font[i].file == file && atlas->font[i].dpi == dpi) {
            return atlas->font[i].font;
        }
    }
    if (atlas->open == FONTS_MAX) {
        close_fonts(atlas);
    }
    const struct font_file source = fonts_file(atlas->fonts, file);
    SDL_RWops *bytes = SDL_RWFromConstMem(source.bytes, (int)source.size);
    TTF_Font *font = bytes == NULL ? NULL
                                   : TTF_OpenFontIndexDPIRW(bytes, 1, 1, source.index,
                                                            (unsigned)dpi, (unsigned)dpi);
    if (font != NULL) {
        TTF_SetFontHinting(font, TTF_HINTING_LIGHT_SUBPIXEL);
    }
    atlas->font[atlas->open++] = (struct sized_font){font, file, dpi};
    return font;
}

static SDL_Surface *render_stretch(struct font_atlas *atlas, TTF_Font *font,
                                   const struct font_run *run, const struct font_stretch *stretch,
                                   const char *text)
{
    char copy[STRETCH_LONGEST + 1];
    if (stretch->length > STRETCH_LONGEST || !font_is_plain(atlas->fonts, run, stretch, text)) {
        return NULL;
    }
    memcpy(copy, text + stretch->start, stretch->length);
    copy[stretch->length] = 0;
    font_drawn_text(stretch->file, copy);
    TTF_SetFontScriptName(font, stretch->script);
    TTF_SetFontDirection(font, stretch->right_to_left ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR);
    return TTF_RenderUTF8_Blended(font, copy, (SDL_Color){255, 255, 255, 255});
}

/* Draws the stretch into the texture. False: full. What cannot be drawn is kept as not plain. */
static bool place_stretch(struct font_atlas *atlas, const struct font_run *run,
                          const struct font_stretch *stretch, const char *text, float em,
                          struct atlas_place *place)
{
    TTF_Font *font = font_of(atlas, stretch->file, (int)lroundf(em * 72));
    SDL_Surface *surface = font == NULL ? NULL : render_stretch(atlas, font, run, stretch, text);
    SDL_Rect area = {0, 0, 0, 0};
    bool fits = true;
    place->plain = surface != NULL && surface->w < atlas->side / 2 && surface->h < atlas->side / 2;
    if (place->plain) {
        float left = 0;
        float above = 0;
        fits = allot_area(atlas, surface->w, surface->h, &area) &&
               upload_area(atlas, &area, surface->pixels, surface->pitch);
        font_ink_overhang(atlas->fonts, run, stretch, &left, &above);
        /* The surface is moved by the ink that leaves it, to the left or over the ascent. */
        const int ascent = TTF_FontAscent(font);
        const int over = (int)ceilf(above * em) - ascent;
        place->left = -(int)ceilf(left * em - 0.01f);
        place->top = -ascent - (over > 0 ? over : 0);
        place->x = area.x;
        place->y = area.y;
        place->width = area.w;
        place->height = area.h;
    }
    SDL_FreeSurface(surface);
    return fits;
}

static struct atlas_place *stretch_place(struct font_atlas *atlas, const struct font_run *run,
                                         const struct font_stretch *stretch, const char *text,
                                         float em)
{
    uint64_t key = mix_key(stretch->file + 1, (uint64_t)lroundf(em * 72));
    for (size_t i = 0; i < stretch->length; i++) {
        key = mix_key(key, (unsigned char)text[stretch->start + i]);
    }
    key = mix_key(key, stretch->right_to_left);
    struct atlas_place *place = find_place(atlas, key);
    if (!place->used) {
        struct atlas_place fresh = {.key = key, .used = true};
        if (!place_stretch(atlas, run, stretch, text, em, &fresh)) {
            return NULL;
        }
        *place = fresh;
        atlas->places++;
    }
    return place;
}

/* --- single glyphs --- */

static bool upload_mask(struct font_atlas *atlas, const struct pixels_mask *mask,
                        const SDL_Rect *area)
{
    const size_t count = (size_t)mask->width * (size_t)mask->height;
    void *store = atlas->pixels;
    const bool fits = font_reserve(&store, &atlas->pixel_room, count, sizeof *atlas->pixels);
    atlas->pixels = store;
    if (!fits) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        atlas->pixels[i] = (uint32_t)mask->at[i] << 24 | 0xffffff;
    }
    return upload_area(atlas, area, atlas->pixels, mask->width * 4);
}

/* False: full. */
static bool draw_glyph(struct font_atlas *atlas, const struct canvas_command *command,
                       const struct font_glyph *glyph, float scale, struct shape_box clip,
                       struct mesh *mesh)
{
    const float em = command->rect.h * scale;
    const struct point pen = glyphs_pen(command, glyph, scale);
    if (pen.x < (float)clip.left - 2 * em || pen.x > (float)clip.right + 2 * em) {
        return true;
    }
    int left = 0;
    int top = 0;
    const struct pixels_mask *mask =
        glyphs_mask(atlas->glyphs, glyph->file, glyph->id, em, pen, command->turn, &left, &top);
    if (mask == NULL || mask->width >= atlas->side / 2 || mask->height >= atlas->side / 2) {
        return true;
    }
    uint64_t key = mix_key(UINT64_MAX - glyph->file, (uint64_t)lroundf(em * 64));
    key = mix_key(mix_key(key, glyph->id), glyphs_phase(pen, command->turn));
    key = command->turn == 0 ? key : mix_key(key, (uint64_t)(command->turn + 360));
    struct atlas_place *place = find_place(atlas, key);
    if (!place->used) {
        SDL_Rect area;
        if (!allot_area(atlas, mask->width, mask->height, &area) ||
            !upload_mask(atlas, mask, &area)) {
            return false;
        }
        *place = (struct atlas_place){
            .key = key, .used = true, .x = area.x, .y = area.y, .width = area.w, .height = area.h};
        atlas->places++;
    }
    add_quad(atlas, place, left, top, clip, mesh, command->paint.fill);
    return true;
}

/* --- a whole text --- */

/* A stretch that is level stands in the texture as a whole. */
static bool draw_stretch(struct font_atlas *atlas, const struct canvas_command *command,
                         const struct font_run *run, const struct font_stretch *stretch,
                         const char *text, float scale, struct shape_box clip, struct mesh *mesh)
{
    const float em = command->rect.h * scale;
    const struct atlas_place *place =
        command->turn == 0 ? stretch_place(atlas, run, stretch, text, em) : NULL;
    if (place == NULL && command->turn == 0) {
        return false;
    }
    if (place != NULL && place->plain) {
        add_quad(atlas, place, (int)lroundf(command->rect.x * scale + stretch->x * em),
                 (int)roundf(command->rect.y * scale), clip, mesh, command->paint.fill);
        return true;
    }
    for (size_t i = 0; i < stretch->glyphs; i++) {
        const struct font_glyph *glyph = &run->glyph[stretch->glyph + i];
        if (!draw_glyph(atlas, command, glyph, scale, clip, mesh)) {
            return false;
        }
    }
    return true;
}

bool font_atlas_draw(struct font_atlas *atlas, const struct canvas *canvas,
                     const struct canvas_command *command, float scale, struct shape_box clip,
                     struct mesh *mesh)
{
    const char *text = canvas_text_of(canvas, command);
    const struct font_run *run = font_shape(atlas->fonts, command->face, text, command->length);
    const size_t vertices = mesh->vertices;
    const size_t indices = mesh->indices;
    for (size_t s = 0; s < run->stretches; s++) {
        if (run->stretch[s].apart != 0) {
            continue; /* drawn by commands of its own */
        }
        if (!draw_stretch(atlas, command, run, &run->stretch[s], text, scale, clip, mesh)) {
            mesh->vertices = vertices;
            mesh->indices = indices;
            return false;
        }
    }
    return true;
}

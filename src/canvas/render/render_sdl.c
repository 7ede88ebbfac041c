/* The list as triangles, for a real GPU. SDL's own software renderer cuts vertices to whole
 * pixels: the Cairo player is for machines without one. */
#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/draw/canvas_internal.h"
#include "canvas/render/font_atlas.h"
#include "canvas/render/mesh.h"
#include "canvas/render/pixels.h"
#include "canvas/render/render.h"

enum {
    IMAGES_MAX = 64,    /* kept from frame to frame */
    BATCH_MAX = 200000, /* vertices of one call */
    GL_NAME = 0x1F01,   /* GL_RENDERER */
};

/* Cells as they came to lie on pixels. */
struct cached_image {
    SDL_Texture *texture;
    uint64_t key;
    uint64_t used; /* the frame */
};

struct render_sdl {
    SDL_Renderer *renderer;
    struct font_atlas *atlas;
    struct mesh mesh;
    struct cached_image image[IMAGES_MAX];
    uint64_t frame;
    uint32_t *pixels; /* scratch for images */
    size_t pixel_room;
};

/* The target of drawing. */
struct stage {
    struct render_sdl *player;
    const struct canvas *canvas;
    float scale;
    struct shape_box all, clip;
    bool failed;
};

struct render_sdl *render_sdl_open(struct fonts *fonts, struct SDL_Renderer *renderer,
                                   struct error *error)
{
    struct render_sdl *player = calloc(1, sizeof *player);
    if (player == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to draw.");
        return NULL;
    }
    player->renderer = renderer;
    player->atlas = font_atlas_open(fonts, renderer, error);
    if (player->atlas == NULL) {
        free(player);
        return NULL;
    }
    player->mesh.white = font_atlas_white(player->atlas);
    return player;
}

void render_sdl_close(struct render_sdl *player)
{
    if (player == NULL) {
        return;
    }
    for (int i = 0; i < IMAGES_MAX; i++) {
        if (player->image[i].texture != NULL) {
            SDL_DestroyTexture(player->image[i].texture);
        }
    }
    font_atlas_close(player->atlas);
    mesh_close(&player->mesh);
    free(player->pixels);
    free(player);
}

/* --- what the mesh holds goes out --- */

static void flush_mesh(struct stage *stage)
{
    struct mesh *mesh = &stage->player->mesh;
    if (mesh->indices > 0) {
        const int stride = (int)sizeof *mesh->vertex;
        /* struct colour is laid out as SDL_Color is: red, green, blue, alpha. */
        const int drawn = SDL_RenderGeometryRaw(
            stage->player->renderer, font_atlas_texture(stage->player->atlas), &mesh->vertex->at.x,
            stride, (const SDL_Color *)(const void *)&mesh->vertex->colour, stride,
            &mesh->vertex->texture.x, stride, (int)mesh->vertices, mesh->index, (int)mesh->indices,
            (int)sizeof *mesh->index);
        stage->failed = stage->failed || drawn != 0;
    }
    mesh_clear(mesh);
}

static void set_clip(struct stage *stage, struct rect rect)
{
    const struct shape_box clip = shape_box_cut(stage->all, shape_box(rect, stage->scale));
    if (memcmp(&clip, &stage->clip, sizeof clip) == 0) {
        return;
    }
    flush_mesh(stage);
    stage->clip = clip;
    if (!shape_box_is_empty(clip)) {
        SDL_RenderSetClipRect(
            stage->player->renderer,
            &(SDL_Rect){clip.left, clip.top, clip.right - clip.left, clip.bottom - clip.top});
    }
}

/* --- commands --- */

static void draw_rect(struct stage *stage, const struct canvas_command *command)
{
    const struct shape_rect shape = shape_rect(command, stage->scale);
    if (shape.area.w > 0 && shape.area.h > 0) {
        mesh_rect(&stage->player->mesh, &shape, &command->paint, stage->scale);
    }
}

static void draw_path(struct stage *stage, const struct canvas_command *command)
{
    struct mesh *mesh = &stage->player->mesh;
    const struct paint *paint = &command->paint;
    const struct point *points = canvas_points_of(stage->canvas, command);
    struct point ends[2];
    float width = paint->width * stage->scale;
    float scale = stage->scale;
    size_t count = command->length;
    if (shape_straight_line(command, points, scale, ends, &width)) {
        points = ends;
        scale = 1;
    }
    points = mesh_scale(mesh, points, &count, command->closed, scale);
    if (colour_is_seen(paint->fill)) {
        mesh_polygon(mesh, points, count, paint->fill);
    }
    if (!colour_is_seen(paint->stroke) || paint->width <= 0) {
        return;
    }
    if (paint->dash > 0 && paint->gap > 0) {
        mesh_dashes(mesh, points, count, command->closed, width, paint->dash * stage->scale,
                    paint->gap * stage->scale, paint->stroke);
        return;
    }
    mesh_line(mesh, points, count, command->closed, width, paint->stroke);
}

static void draw_text(struct stage *stage, const struct canvas_command *command)
{
    struct render_sdl *player = stage->player;
    for (int attempt = 0; attempt < 2; attempt++) {
        if (font_atlas_draw(player->atlas, stage->canvas, command, stage->scale, stage->clip,
                            &player->mesh)) {
            return;
        }
        flush_mesh(stage);
        font_atlas_clear(player->atlas);
    }
}

/* --- images: cells are laid on pixels by the same code as in the other player --- */

static uint64_t hash_image(const struct stage *stage, const struct canvas_command *command,
                           struct shape_box box, struct shape_box cut)
{
    const uint32_t shape[] = {(uint32_t)(cut.left - box.left),
                              (uint32_t)(cut.top - box.top),
                              (uint32_t)(cut.right - cut.left),
                              (uint32_t)(cut.bottom - cut.top),
                              (uint32_t)(box.right - box.left),
                              (uint32_t)(box.bottom - box.top),
                              command->columns,
                              command->rows,
                              command->smooth};
    const struct colour *cells = canvas_pixels_of(stage->canvas, command);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        hash = (hash ^ shape[i]) * UINT64_C(0x00000100000001b3);
    }
    for (size_t i = 0; i < command->length; i++) {
        uint32_t cell = 0;
        memcpy(&cell, &cells[i], sizeof cell);
        hash = (hash ^ cell) * UINT64_C(0x00000100000001b3);
        hash ^= hash >> 31;
    }
    return hash;
}

static SDL_Texture *make_image(struct stage *stage, const struct canvas_command *command,
                               struct shape_box box, struct shape_box cut)
{
    struct render_sdl *player = stage->player;
    const int width = cut.right - cut.left;
    const int height = cut.bottom - cut.top;
    const size_t count = (size_t)width * (size_t)height;
    if (count > player->pixel_room) {
        uint32_t *larger = realloc(player->pixels, count * sizeof *larger);
        if (larger == NULL) {
            return NULL;
        }
        player->pixels = larger;
        player->pixel_room = count;
    }
    const struct render_pixels pixels = {(uint8_t *)player->pixels, width, height, width * 4, true};
    const struct shape_box whole = {0, 0, width, height};
    const struct shape_box moved = {box.left - cut.left, box.top - cut.top, box.right - cut.left,
                                    box.bottom - cut.top};
    memset(player->pixels, 0, count * sizeof *player->pixels);
    (command->smooth ? pixels_draw_picture
                     : pixels_draw_cells)(&pixels, whole, moved, command->columns, command->rows,
                                          canvas_pixels_of(stage->canvas, command));
    SDL_Texture *texture = SDL_CreateTexture(player->renderer, SDL_PIXELFORMAT_ARGB8888,
                                             SDL_TEXTUREACCESS_STATIC, width, height);
    if (texture == NULL) {
        return NULL;
    }
    /* The pixels have their alpha multiplied in. */
    const SDL_BlendMode over = SDL_ComposeCustomBlendMode(
        SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD,
        SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD);
    if (SDL_SetTextureBlendMode(texture, over) != 0) {
        SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
    }
    SDL_SetTextureScaleMode(texture, SDL_ScaleModeNearest);
    SDL_UpdateTexture(texture, NULL, player->pixels, width * 4);
    return texture;
}

/* The image that was not drawn for the longest time makes room. */
static struct cached_image *find_image(struct render_sdl *player, uint64_t key)
{
    struct cached_image *oldest = &player->image[0];
    for (int i = 0; i < IMAGES_MAX; i++) {
        struct cached_image *cached = &player->image[i];
        if (cached->texture != NULL && cached->key == key) {
            return cached;
        }
        oldest = cached->used < oldest->used ? cached : oldest;
    }
    return oldest;
}

static void draw_image(struct stage *stage, const struct canvas_command *command)
{
    struct render_sdl *player = stage->player;
    const struct shape_box box = shape_box(command->rect, stage->scale);
    const struct shape_box cut = shape_box_cut(box, stage->clip);
    if (shape_box_is_empty(cut)) {
        return;
    }
    const uint64_t key = hash_image(stage, command, box, cut);
    struct cached_image *cached = find_image(player, key);
    flush_mesh(stage);
    if (cached->texture == NULL || cached->key != key) {
        if (cached->texture != NULL) {
            SDL_DestroyTexture(cached->texture);
        }
        *cached = (struct cached_image){make_image(stage, command, box, cut), key, 0};
    }
    cached->used = player->frame;
    const SDL_Rect area = {cut.left, cut.top, cut.right - cut.left, cut.bottom - cut.top};
    if (cached->texture == NULL ||
        SDL_RenderCopy(player->renderer, cached->texture, NULL, &area) != 0) {
        stage->failed = true;
    }
}

/* --- the list --- */

static void draw_command(struct stage *stage, const struct canvas_command *command)
{
    switch (command->kind) {
    case CANVAS_RECT:
        draw_rect(stage, command);
        break;
    case CANVAS_PATH:
        draw_path(stage, command);
        break;
    case CANVAS_TEXT:
        draw_text(stage, command);
        break;
    case CANVAS_IMAGE:
        draw_image(stage, command);
        break;
    case CANVAS_CLIP:
    case CANVAS_UNCLIP:
    case CANVAS_GROUP:
    case CANVAS_UNGROUP:
        break;
    }
}

static void draw_list(struct stage *stage)
{
    const size_t count = canvas_count(stage->canvas);
    struct rect clip = canvas_everywhere();
    set_clip(stage, clip);
    for (size_t i = 0; i < count; i++) {
        const struct canvas_command *command = canvas_command_at(stage->canvas, i);
        if (command->kind == CANVAS_CLIP || command->kind == CANVAS_UNCLIP) {
            clip = command->rect;
            continue;
        }
        const struct shape_box box = shape_box_cut(stage->all, shape_box(clip, stage->scale));
        const struct shape_box bounds = shape_bounds(command, stage->scale);
        if (shape_box_is_empty(shape_box_cut(bounds, box))) {
            continue;
        }
        /* Clips that nothing is drawn in cost nothing. */
        set_clip(stage, clip);
        draw_command(stage, command);
        if (stage->player->mesh.vertices > BATCH_MAX) {
            flush_mesh(stage);
        }
    }
    flush_mesh(stage);
}

bool render_sdl_play(struct render_sdl *player, const struct canvas *canvas, float scale,
                     struct colour ground, struct error *error)
{
    struct stage stage = {.player = player, .canvas = canvas, .scale = scale};
    SDL_Renderer *renderer = player->renderer;
    if (!(scale > 0) ||
        SDL_GetRendererOutputSize(renderer, &stage.all.right, &stage.all.bottom) != 0) {
        return error_set(error, ERROR_DISPLAY, "The screen cannot be drawn on: %s.",
                         SDL_GetError());
    }
    player->frame++;
    player->mesh.failed = false;
    SDL_RenderSetClipRect(renderer, NULL);
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(renderer, ground.red, ground.green, ground.blue, 255);
    stage.failed = SDL_RenderClear(renderer) != 0;
    draw_list(&stage);
    SDL_RenderSetClipRect(renderer, NULL);
    if (player->mesh.failed) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to draw.");
    }
    return !stage.failed ||
           error_set(error, ERROR_DISPLAY, "The screen cannot be drawn on: %s.", SDL_GetError());
}

/* --- is there a GPU? --- */

static bool is_software_name(const char *name)
{
    static const char *const rasterisers[] = {"llvmpipe", "softpipe", "swrast", "swiftshader",
                                              "software"};
    for (size_t i = 0; i < sizeof rasterisers / sizeof rasterisers[0]; i++) {
        if (SDL_strcasestr(name, rasterisers[i]) != NULL) {
            return true;
        }
    }
    return false;
}

bool render_sdl_is_accelerated(struct SDL_Renderer *renderer)
{
    SDL_RendererInfo about;
    if (SDL_GetRendererInfo(renderer, &about) != 0 ||
        (about.flags & SDL_RENDERER_ACCELERATED) == 0) {
        return false;
    }
    if (strncmp(about.name, "opengl", 6) != 0) {
        return true; /* Direct3D and Metal draw on a GPU */
    }
    const unsigned char *(*get_string)(unsigned) = NULL;
    void *address = SDL_GL_GetProcAddress("glGetString");
    if (address == NULL) {
        return false;
    }
    memcpy(&get_string, &address, sizeof get_string); /* ISO C has no cast for it */
    const unsigned char *name = get_string(GL_NAME);
    return name != NULL && !is_software_name((const char *)name);
}

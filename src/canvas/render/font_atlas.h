/* canvas/render/font_atlas.h — inside of the room: letters in one texture, for the SDL player.
 *
 * SDL_ttf draws a stretch of text as a whole wherever it shapes it as it was measured; where it
 * would not (it cannot be told what to leave out, so "->" becomes an arrow in Inter), masks of
 * single glyphs are taken. Both are white, and stay until the texture is full. */
#ifndef CANVAS_RENDER_FONT_ATLAS_H
#define CANVAS_RENDER_FONT_ATLAS_H

#include "canvas/render/glyphs.h"
#include "canvas/render/mesh.h"

struct SDL_Renderer;
struct SDL_Texture;
struct font_atlas;

struct font_atlas *font_atlas_open(struct fonts *fonts, struct SDL_Renderer *renderer,
                                   struct error *error);
void font_atlas_close(struct font_atlas *atlas);

struct SDL_Texture *font_atlas_texture(const struct font_atlas *atlas);

/* Where the texture is white. */
struct point font_atlas_white(const struct font_atlas *atlas);

/* Adds the quads of a text command to the mesh. False, the mesh as before: the texture is full;
 * draw the mesh, call font_atlas_clear, and try once more. */
bool font_atlas_draw(struct font_atlas *atlas, const struct canvas *canvas,
                     const struct canvas_command *command, float scale, struct shape_box clip,
                     struct mesh *mesh);

void font_atlas_clear(struct font_atlas *atlas);

#endif

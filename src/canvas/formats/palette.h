/* canvas/formats/palette.h — inside of the room: at most so many colours that stand for all of a
 * picture.
 */
#ifndef CANVAS_FORMATS_PALETTE_H
#define CANVAS_FORMATS_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PALETTE_MAX = 255 };

struct palette; /* colours counted */

struct palette *palette_open(void);
void palette_close(struct palette *palette); /* NULL is fine */

/* Forgets the colours, keeps the memory. */
void palette_begin(struct palette *palette);

/* Counts a colour, 0x00RRGGBB. False: no memory. */
bool palette_count(struct palette *palette, uint32_t colour);

/* Chooses at most PALETTE_MAX colours, the very ones when there are no more; *count of them. Equal
 * counts give equal choices. False: no memory. */
bool palette_choose(struct palette *palette, uint32_t chosen[PALETTE_MAX], size_t *count);

/* The place of what stands for a counted colour, after palette_choose. */
uint8_t palette_place(const struct palette *palette, uint32_t colour);

#endif

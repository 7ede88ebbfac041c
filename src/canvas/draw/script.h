/* canvas/draw/script.h — symbols whose index is written behind a line, W_Q or d_model, and powers
 * e^(…): where in a text their indices stand, which are drawn small and lower, or higher. Other
 * underlines, those of words, are letters. */
#ifndef CANVAS_DRAW_SCRIPT_H
#define CANVAS_DRAW_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

struct canvas;

#define CANVAS_SCRIPT_SIZE 0.72f /* of the letters around it */

struct canvas_script {
    size_t base;     /* where the letters before it end */
    size_t from, to; /* its own letters */
    size_t next;     /* where the letters behind it begin */
    float below;     /* how far its baseline lies below theirs, in their size; < 0: above */
};

/* The first from `at` on. False: there is none. */
bool canvas_script_find(const char *text, size_t length, size_t at, struct canvas_script *script);

/* From now on no index in the list is smaller, but for that of letters which are themselves; 0, as
 * at first: any. */
void canvas_script_min_size(struct canvas *canvas, float size);

#endif

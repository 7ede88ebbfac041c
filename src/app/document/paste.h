/* app/document/paste.h — a matrix from the clipboard over one on screen. */
#ifndef APP_DOCUMENT_PASTE_H
#define APP_DOCUMENT_PASTE_H

#include "app/document/state.h"

/* The numbers in the text are typed over the matrix of the number that was clicked last, or else
 * over what the stage ends with: all of it; or that number, its row or its column, when the text is
 * as large as these. One step of history. Text that does not fit is answered and changes nothing.
 */
void app_paste(struct app_state *state, const char *text, double time);

/* The same, but rows become columns. */
void app_paste_transposed(struct app_state *state, const char *text, double time);

/* The same with values [rows][cols] of a file, but only where a number was clicked. False and a
 * sentence: they do not fit there, and nothing changed. */
bool app_paste_numbers(struct app_state *state, const float *values, size_t rows, size_t cols,
                       double time, struct error *error);

#endif

/* app/export/copy.h — matrices to the clipboard, as text that other programs take. Many numbers
 * become text beside the window, with progress and Cancel. */
#ifndef APP_EXPORT_COPY_H
#define APP_EXPORT_COPY_H

#include "app/document/state.h"

/* The matrix that was clicked, or the stage's result, in a format by its title
 * (app/export/matrix_text.h); `how` says it to the person: "separated by tabs". */
void app_copy_matrix(struct app_state *state, const char *format, const char *how, double time);

#endif

/* app/export/matrix_text.h — a matrix as text that other programs take: spreadsheets, LaTeX, NumPy.
 *
 *     struct lab_matrix matrix = app_matrix_shown(&scene, &arena);
 *     app_matrix_text(app_matrix_format_find("LaTeX"), &matrix, &looks, &arena, &text, &error); */
#ifndef APP_EXPORT_MATRIX_TEXT_H
#define APP_EXPORT_MATRIX_TEXT_H

#include "app/draw/scene.h"
#include "base/bytes.h"
#include "file/growing.h"
#include "lab/run/trace.h"

/* How cells look, where the text shows them to people. */
struct app_matrix_style {
    const struct colourmap *map;
    float low, high;              /* numbers of its first and last colour */
    const struct lab_trace *sees; /* whose mask hides cells; NULL: none does */
    float width;                  /* of the whole, in points; 0: as wide as a page's text */
    bool has_decimals;            /* of numbers that are rounded; else as they need */
    int decimals;
};

struct app_matrix_format {
    const char *title;  /* "LaTeX" */
    const char *suffix; /* of a file: "tex" */
    const char *says;   /* what it is good for, for people: "a bmatrix for amsmath" */
    void (*write)(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                  struct growing *out);
    bool is_binary; /* no text: for files only */
    double bytes;   /* about how many a number takes */
};

/* The format at index 0, 1 … (Tabs, CSV, LaTeX, TikZ, NumPy); NULL behind the last. */
const struct app_matrix_format *app_matrix_format_find(const char *title);

/* Returns what the present stage ends with; values NULL: there is no such matrix. */
struct lab_matrix app_matrix_shown(const struct app_scene *scene, struct arena *arena);

/* The one that a number was clicked in; where none was, the stage's. */
struct lab_matrix app_matrix_clicked(const struct app_scene *scene, struct arena *arena);

/* Its colours on screen; those for a light ground. */
struct app_matrix_style app_matrix_style(const struct app_scene *scene,
                                         const struct lab_matrix *matrix);

/* The same from these two maps: of weights, of signed numbers. */
struct app_matrix_style app_matrix_style_of(const struct lab_matrix *matrix,
                                            const struct colourmap *weights,
                                            const struct colourmap *signed_map);

/* The parts of the CSV: the line of columns, which are counted where they have no words; a row's
 * word, if rows have words. */
void app_matrix_put_csv_head(struct growing *out, const struct lab_matrix *matrix);
void app_matrix_put_csv_word(struct growing *out, const char *const *words, size_t row);

/* The whole text with a 0 behind it, owned by the arena. Words of tokens are text everywhere: what
 * means something to the reader of the format is written so that it means itself. */
bool app_matrix_text(const struct app_matrix_format *format, const struct lab_matrix *matrix,
                     const struct app_matrix_style *style, struct arena *arena, struct bytes *text,
                     struct error *error);

/* The same; the progress (NULL: nobody) is told how long it is by now, and can stop it: it fails
 * then.
 */
bool app_matrix_text_with_progress(const struct app_matrix_format *format,
                                   const struct lab_matrix *matrix,
                                   const struct app_matrix_style *style,
                                   const struct growing_progress *progress, struct arena *arena,
                                   struct bytes *text, struct error *error);

#endif

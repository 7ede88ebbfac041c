/* app/export/matrix_text_internal.h — what the writers of a matrix share. */
#ifndef APP_EXPORT_MATRIX_TEXT_INTERNAL_H
#define APP_EXPORT_MATRIX_TEXT_INTERNAL_H

#include "app/export/matrix_text.h"

enum { MATRIX_DECIMALS_MAX = 3 }; /* of numbers for people, where none were chosen */

/* How many decimals the numbers have: those that were chosen, or as many as they need. */
int matrix_decimals(const struct lab_matrix *matrix, const struct app_matrix_style *style, int max);

/* A number for people with an ASCII minus; what is none as TeX writes it. */
void matrix_put_rounded(struct growing *out, float value, int decimals);
void matrix_put_whole(struct growing *out, size_t number);

/* How many bytes a control character at the beginning takes; 0: there is none. No reader must see
 * other text than its program. */
size_t matrix_control_at(const char *text);

/* "S, 3 x 3; rows: cat, dog, lion; columns: …" as a comment. */
void matrix_put_comment(struct growing *out, const char *sign, const struct lab_matrix *matrix);

/* Says whether the mask hides a cell, of which nothing was computed. */
bool matrix_hides(const struct app_matrix_style *style, size_t row, size_t column);

/* The writers of matrix_tex.c. */
void matrix_write_latex(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                        struct growing *out);
void matrix_write_latex_table(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                              struct growing *out);
void matrix_write_tikz(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                       struct growing *out);

#endif

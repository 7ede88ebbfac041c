/* app/export/matrix_array.h — a matrix as an array that programs read: NumPy's files and JSON. */
#ifndef APP_EXPORT_MATRIX_ARRAY_H
#define APP_EXPORT_MATRIX_ARRAY_H

#include "file/growing.h"
#include "lab/run/trace.h"

/* Float32 [rows][cols]; in the npz under the name that compute gives it ("weights", "scores"). */
void app_matrix_put_npy(const struct lab_matrix *matrix, struct growing *out);
void app_matrix_put_npz(const struct lab_matrix *matrix, struct growing *out);

/* {"name": …, "rows": words, "columns": words, "values": [[…]]}; −∞ is null. */
void app_matrix_put_json(const struct lab_matrix *matrix, struct growing *out);

#endif

#include "app/export/matrix_array.h"

#include "file/json.h"
#include "file/npy.h"
#include "file/npz.h"
#include "lab/run/results.h"

static struct array array_of(const struct lab_matrix *matrix)
{
    const size_t size = sizeof *matrix->values;
    const size_t shape[] = {matrix->rows, matrix->cols};
    struct array array = array_of_floats(lab_result_name(matrix), 2, shape, matrix->values);
    array.strides[0] = (ptrdiff_t)(matrix->stride * size);
    if (matrix->rows > 0) {
        array.bytes.size = ((matrix->rows - 1) * matrix->stride + matrix->cols) * size;
    }
    return array;
}

static void put_file(struct growing *out, bool made, struct bytes file)
{
    out->failed = out->failed || !made;
    if (made) {
        growing_put(out, file.at, file.size);
    }
}

void app_matrix_put_npy(const struct lab_matrix *matrix, struct growing *out)
{
    struct bytes file = {NULL, 0};
    const struct array array = array_of(matrix);
    put_file(out, npy_write(&array, out->arena, &file, NULL), file);
}

void app_matrix_put_npz(const struct lab_matrix *matrix, struct growing *out)
{
    struct bytes file = {NULL, 0};
    const struct array array = array_of(matrix);
    put_file(out, npz_write(&array, 1, out->arena, &file, NULL), file);
}

void app_matrix_put_json(const struct lab_matrix *matrix, struct growing *out)
{
    struct bytes file = {NULL, 0};
    const struct array array = array_of(matrix);
    struct json_writer json = json_writer_start(out->arena);
    json.text.progress = out->progress;
    json_begin_object(&json);
    json_key(&json, "name");
    json_put_text(&json, lab_result_name(matrix));
    json_key(&json, "rows");
    json_put_texts(&json, matrix->row_words, matrix->row_words != NULL ? matrix->rows : 0);
    json_key(&json, "columns");
    json_put_texts(&json, matrix->column_words, matrix->column_words != NULL ? matrix->cols : 0);
    json_key(&json, "values");
    json_put_array(&json, &array);
    json_end_object(&json);
    put_file(out, json_writer_finish(&json, &file, NULL), file);
}

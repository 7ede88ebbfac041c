/* file/csv.h — tables of numbers written as text (file/table.h reads one).
 *
 *     struct growing out = growing_start(&arena);
 *     csv_put_words(&out, "tokens", tokens, n);
 *     csv_put_head(&out, &weights);
 *     csv_put_rows(&out, &weights);
 *     growing_finish(&out, &content, &error);
 *
 * gives
 *
 *     # tokens 3
 *     cat,dog,lion
 *
 *     # weights 1x3x3
 *     0.5,0.25,0.25
 *
 * with one line for each row of the last axis. */
#ifndef FILE_CSV_H
#define FILE_CSV_H

#include "file/array.h"
#include "file/growing.h"

/* Append the line "# name shape" before a table; its rows, or a part of them; one row, from the
 * place `first` on. Numbers are the shortest text that reads back as the same float, always with a
 * point; "-inf", "inf", "nan" for the others. */
void csv_put_head(struct growing *out, const struct array *array);
void csv_put_rows(struct growing *out, const struct array *array);
void csv_put_row(struct growing *out, const struct array *array, size_t first, size_t columns);

/* Appends one row of words, quoted as RFC 4180 wants it where needed. */
void csv_put_record(struct growing *out, const char *const *words, size_t count);
void csv_put_words(struct growing *out, const char *name, const char *const *words, size_t count);

#endif

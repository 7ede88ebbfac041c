/* file/record_json.h — members of a record (base/record.h) as values of JSON. */
#ifndef FILE_RECORD_JSON_H
#define FILE_RECORD_JSON_H

#include "base/record.h"
#include "file/json.h"

/* Writes the member; a switch that has names by its name; a seed beyond 2⁵³ as a text, where JSON's
 * numbers would lose digits. value: the struct that the rows describe. */
void record_json_put(struct json_writer *json, const struct record_row *row, const void *value);

/* Reads the member, whatever its range. Returns false, and changes nothing, where the JSON (NULL
 * too) is no value of its type. */
bool record_json_read(const struct json *json, const struct record_row *row, void *value);

#endif

/* lab/experiment/experiment_members.h — reads and writes the members of an experiment that are more
 * than a number or a name; for experiment_json.c only. Each writer writes what its reader reads;
 * places are those of the table there. */
#ifndef LAB_EXPERIMENT_EXPERIMENT_MEMBERS_H
#define LAB_EXPERIMENT_EXPERIMENT_MEMBERS_H

#include "file/json.h"
#include "lab/experiment/reading.h"

/* The text is "window:2"; place: the experiment. */
bool lab_read_mask(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member);
void lab_put_mask(struct json_writer *json, const void *place);

/* The value is [[1, 0], [1, 1]] or null, one row for each query; place: the experiment. */
bool lab_read_custom_mask(struct lab_reading *reading, const struct json *value, void *place,
                          const struct lab_member *member);
void lab_put_custom_mask(struct json_writer *json, const void *place);

/* The text is "gqa:2"; place: the experiment. */
bool lab_read_kind(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member);
void lab_put_kind(struct json_writer *json, const void *place);

/* The value is [rows, columns] of a tile, or null; place: the experiment. */
bool lab_read_flash(struct lab_reading *reading, const struct json *value, void *place,
                    const struct lab_member *member);
void lab_put_flash(struct json_writer *json, const void *place);

#endif
